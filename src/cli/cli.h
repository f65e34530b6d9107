/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli.h -- the commands: one source file each; main.c has their table.
 *
 * A command parses its own options (argp) and returns the exit status of the process. Data go to
 * stdout, messages to stderr. */
#ifndef NS_CLI_CLI_H
#define NS_CLI_CLI_H

#include "base/context.h"

typedef struct ns_command {
  const char *name, *help;           /* "run", one line for `nssim --help` */
  int (*run)(int argc, char **argv); /* argv[0] = "nssim run" */
} ns_command;
extern const ns_command ns_commands[]; /* main.c, in the order of the help; ends with a NULL name */

int ns_cmd_run(int argc, char **argv);
int ns_cmd_check(int argc, char **argv);
int ns_cmd_explain(int argc, char **argv);
int ns_cmd_schema(int argc, char **argv);
int ns_cmd_info(int argc, char **argv);
int ns_cmd_plot(int argc, char **argv);
int ns_cmd_view(int argc, char **argv);
int ns_cmd_compare(int argc, char **argv);
int ns_cmd_export(int argc, char **argv);
int ns_cmd_solve(int argc, char **argv);
int ns_cmd_sweep(int argc, char **argv);
int ns_cmd_import(int argc, char **argv);
int ns_cmd_list(int argc, char **argv);
/* Print the entries of `nssim list` with this name (solvers, functions, statuses, ...), ignoring
 * case; returns their number. */
int ns_list_find(const char *name);
/* Print the entries whose help contains a word beginning with `word`; returns their number plus
 * `before`. */
int ns_list_mentions(const char *word, int before);
/* Print one such entry, after a headline if before = 0. */
void ns_list_mention(const char *word, int before, const char *name, const char *help);
/* 1 if a text contains a word beginning with `word`, ignoring case. */
int ns_list_has_word(const char *text, const char *word);
int ns_cmd_example(int argc, char **argv);

/* Context whose messages go to stderr: `nssim: error: ...`, coloured on a terminal unless NO_COLOR.
 */
ns_ctx ns_cli_context(void);
/* Exit status for the first failure reported to the context; 0 if none. */
int ns_cli_exit(const ns_ctx *c);
/* 1 if the path is that of a folder, which can be that of a sweep. */
int ns_cli_is_folder(const char *path);
struct ns_result;
/* ns_result_open of what a command was given; what is not there is answered with the name that was
 * meant, or with what writes it. */
int ns_cli_open_result(ns_ctx *c, const char *path, struct ns_result **r);

#endif
