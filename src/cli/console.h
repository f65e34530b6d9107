/* SPDX-License-Identifier: GPL-3.0-or-later */
/* console.h -- messages, usage errors and formatted quantities of the command line.
 *
 * Messages go to stderr as `nssim: error: ...`, in colour only on a terminal and without
 * NO_COLOR. */
#ifndef NS_CLI_CONSOLE_H
#define NS_CLI_CONSOLE_H

#include "base/context.h"

#include <argp.h>
#include <stddef.h>
#include <stdio.h>

/* Reporter of contexts (context.h): one line on stderr. `to` is unused. */
void ns_console_report(void *to, ns_severity sev, const char *msg);
/* 1 if the stream is a terminal on which colour is allowed; 1 if it is a terminal that can be
 * redrawn. */
int ns_console_colour(FILE *f);
int ns_console_terminal(FILE *f);

/* Report a usage error: `nssim: error: <message>` and a reference to the help. Returns exit status
 * 2. who: "nssim run". */
int ns_console_usage(const char *who, const char *fmt, ...) NS_PRINTF(2, 3);

/* Report a usage error while options are parsed, and exit; replaces argp_error. */
void ns_console_refuse(const struct argp_state *state, const char *fmt, ...) NS_PRINTF(2, 3);

/* argp_parse with the options -h, -?, --help, --usage, -V and --version of every command, after a
 * check of the options: unknown (with a suggestion), ambiguous, without argument. Returns 0, or the
 * exit status of the process. --help, --usage, --version and ns_console_refuse exit the program. */
int ns_console_parse(const struct argp *a, int argc, char **argv, void *input);

/* Parse an integer or a real of the command line, as a whole, in the C locale. Returns 1 on
 * success. */
int ns_console_integer(const char *text, long long min, long long *value);
int ns_console_real(const char *text, double *value); /* finite */

/* Parse a number > 0 with an optional unit of time (s, min, h). *unit: length of the unit in s, 0
 * if there is none. */
int ns_console_span(const char *text, double *value, double *unit);
/* Parse a duration to seconds; the default unit is s. */
int ns_console_duration_of(const char *text, double *seconds);

/* An option whose argument only has to be stored in the struct of the command's options. */
typedef struct ns_console_target {
  int key;
  enum {
    NS_CONSOLE_TEXT,   /* const char * */
    NS_CONSOLE_FLAG,   /* int, becomes 1 */
    NS_CONSOLE_TIME,   /* double, a time in s */
    NS_CONSOLE_AMOUNT, /* double, 0 or more */
    NS_CONSOLE_COUNT,  /* size_t, 1 or more */
    NS_CONSOLE_WHOLE   /* long long, from 1 to max */
  } kind;
  size_t at;        /* offset in the struct */
  const char *name; /* "--from", for messages on its argument */
  long long max;
} ns_console_target;
/* Store the argument of an option of the list, which ends with key 0; ARGP_ERR_UNKNOWN: it is none
 * of them. Errors exit as ns_console_refuse does. */
error_t ns_console_store(const ns_console_target *t, int key, char *arg, struct argp_state *state);
/* Handle the keys ARGP_KEY_ARG and ARGP_KEY_NO_ARGS of a command with one file: a second file, or
 * none, is an error, with an example such as "an output such as out.h5". Other keys return
 * ARGP_ERR_UNKNOWN. */
error_t ns_console_file(struct argp_state *state, int key, const char *arg, const char *example,
                        const char **path);

typedef struct ns_console_words {
  char text[32];
} ns_console_words;
/* Format a duration: "0.41 ms", "12.3 s", "3 min 20 s", "2 h 5 min"; "?" for NaN. */
ns_console_words ns_console_duration(double s);
/* Format a number of bytes: "512 B", "1.2 MB". */
ns_console_words ns_console_bytes(double b);
/* Format with two significant digits, rounded up, so that "<= 1.2e-16" is true. */
ns_console_words ns_console_bound(double x);

#endif
