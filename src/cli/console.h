/* SPDX-License-Identifier: GPL-3.0-or-later */
/* console.h -- how the command line speaks: messages, usage errors, quantities a person reads.
 *
 * Messages go to stderr as `nssim: error: ...`; colours only on a terminal and without NO_COLOR. */
#ifndef NS_CLI_CONSOLE_H
#define NS_CLI_CONSOLE_H

#include "base/context.h"

#include <argp.h>
#include <stddef.h>
#include <stdio.h>

/* Reporter of contexts (context.h): one line on stderr. `to` is not used. */
void ns_console_report(void *to, ns_severity sev, const char *msg);
/* 1 if the stream is a terminal that may be coloured / redrawn. */
int ns_console_colour(FILE *f);
int ns_console_terminal(FILE *f);

/* A wrong command line: `nssim: error: <sentence>`, where to read more, exit status 2. who:
 * "nssim run". */
int ns_console_usage(const char *who, const char *fmt, ...) NS_PRINTF(2, 3);

/* The same while options are parsed; ends the program, as argp_error does in another style. */
void ns_console_refuse(const struct argp_state *state, const char *fmt, ...) NS_PRINTF(2, 3);

/* argp_parse with -h, -?, --help, --usage and -V, --version of every command, preceded by a check
 * of the options: unknown ones (with a did-you-mean), ambiguous ones, missing arguments. 0 to go
 * on, else the exit status of the process. --help, --usage, --version and ns_console_refuse exit in
 * it. */
int ns_console_parse(const struct argp *a, int argc, char **argv, void *input);

/* Whole numbers and reals of the command line, read to their end, in the C locale. 1 if good. */
int ns_console_integer(const char *text, long long min, long long *value);
int ns_console_real(const char *text, double *value); /* finite */

/* A number above 0 and perhaps a unit of time (s, min, h): *unit is 0 where there is none, else its
 * length in s. */
int ns_console_span(const char *text, double *value, double *unit);
/* The same in s, which is the unit where there is none. */
int ns_console_duration_of(const char *text, double *seconds);

/* The same of an option --name, which end the program as ns_console_refuse does: a time in s, a
 * count of 1 or more. */
void ns_console_time(struct argp_state *state, const char *name, const char *arg, double *x);
void ns_console_count(struct argp_state *state, const char *name, const char *arg, size_t *to);
/* Of a command that takes one file, the keys ARGP_KEY_ARG and ARGP_KEY_NO_ARGS: another is refused,
 * none too, with an example of what is expected, as "an output such as out.h5". Everything else is
 * unknown. */
error_t ns_console_file(struct argp_state *state, int key, const char *arg, const char *example,
                        const char **path);

/* Duration for a person: "0.41 ms", "12.3 s", "3 min 20 s", "2 h 5 min"; returns buf. */
const char *ns_console_duration(double s, char *buf, size_t n);
/* Bytes for a person: "512 B", "1.2 MB"; returns buf. */
const char *ns_console_bytes(double b, char *buf, size_t n);
/* Two significant digits, rounded up, so that "<= 1.2e-16" is true; returns buf. */
const char *ns_console_bound(double x, char *buf, size_t n);

#endif
