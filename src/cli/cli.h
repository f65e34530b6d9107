/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli.h -- one file a command; main.c holds their table.
 *
 * A command parses its own options (argp) and returns the exit status of the process. stdout
 * carries data, stderr messages. */
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
/* Print what `nssim list` has by this name, whatever the case of its letters: solvers, functions,
 * statuses, ...; how many. */
int ns_list_find(const char *name);
/* Print what it has whose help holds a word that begins so; how many, and those before it. */
int ns_list_mentions(const char *word, int before);
/* A line of that, below a headline where there is none before it. */
void ns_list_mention(const char *word, int before, const char *name, const char *help);
/* A text has a word that begins so, whatever the case of its letters. */
int ns_list_has_word(const char *text, const char *word);
int ns_cmd_example(int argc, char **argv);

/* Context whose messages go to stderr: `nssim: error: ...`, coloured on a terminal unless NO_COLOR.
 */
ns_ctx ns_cli_context(void);
/* Exit status for what the context has seen: of its first failure, 0 where none. */
int ns_cli_exit(const ns_ctx *c);

#endif
