/* SPDX-License-Identifier: GPL-3.0-or-later */
/* main.c -- which command was meant. */
#include "base/suggest.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "cli/signals.h"
#include "cli/version.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

static int cmd_help(int argc, char **argv);

const ns_command ns_commands[] = {
    {"run", "run a model (the word run can be omitted)", ns_cmd_run},
    {"check", "validate a model without running it", ns_cmd_check},
    {"explain", "describe an element of a model file", ns_cmd_explain},
    {"schema", "print the XML schema of model files", ns_cmd_schema},
    {"info", "show the contents and the certificate of an output file", ns_cmd_info},
    {"plot", "plot quantities of an output file", ns_cmd_plot},
    {"view", "write a page that plays the motion in any browser", ns_cmd_view},
    {"compare", "compare two outputs, or folders of outputs", ns_cmd_compare},
    {"sweep", "run a model many times, as specified by a study", ns_cmd_sweep},
    {"export", "export columns, events or moving points for other programs", ns_cmd_export},
    {"import", "convert a model file of another program", ns_cmd_import},
    {"solve", "solve a one-step problem from a file", ns_cmd_solve},
    {"list", "list systems, laws, schemes, solvers, functions, statuses", ns_cmd_list},
    {"example", "list the example models, or copy one into this folder", ns_cmd_example},
    {"help", "show this page, or the help of a command", cmd_help},
    {0},
};

static const ns_command *find(const char *name)
{
  for (const ns_command *k = ns_commands; k->name; k++)
    if (strcmp(k->name, name) == 0) return k;
  return NULL;
}

static void print_help(FILE *f)
{
  fputs("nssim simulates nonsmooth dynamical systems: mechanics with contact, impact and friction, "
        "circuits with ideal switches, sampled control.\n\n"
        "Examples:\n"
        "  nssim example bouncing-ball        copy an example model into this folder\n"
        "  nssim model.xml -o out.h5          run a model, write HDF5\n"
        "  nssim model.xml -p e=0.8 -o -      change a parameter, write CSV to standard output\n"
        "  nssim check model.xml              validate a model and print a summary\n"
        "  nssim plot out.h5 ball.x           plot a coordinate over time\n"
        "  nssim view out.h5 -o scene.html    write a page that plays the motion in a browser\n"
        "  nssim compare out.h5 reference.h5  compare two results\n"
        "  nssim sweep study.xml -o DIR       run a model with many parameter values\n"
        "  nssim explain NewtonImpactNSL      describe an element of a model\n\n"
        "Usage: nssim [run] [OPTION...] MODEL.xml\n"
        "       nssim COMMAND [OPTION...] [ARGUMENT...]\n\n"
        "Commands:\n",
        f);
  for (const ns_command *k = ns_commands; k->name; k++)
    fprintf(f, "  %-10s %s\n", k->name, k->help);
  fputs("\n"
        "Options of a run: nssim run --help. Of a command: nssim COMMAND --help.\n"
        "See also: man nssim (command line, exit statuses), man 5 nssim-model (the model file),\n"
        "man 5 nssim-output (results), man 5 nssim-problem (problem files),\n"
        "man 7 nssim-plugin (user functions).\n",
        f);
}

/* stdout carries the answer: it counts as given only when it could be written. A reader that has
 * gone (nssim ... | head) knows that, and is not told. */
static int finish(int status)
{
  if (fflush(stdout) == 0 && !ferror(stdout)) return status;
  if (status == 0 && errno == EPIPE) return ns_status_exit(NS_OUTPUT);
  ns_ctx c = ns_cli_context();
  if (status != 0) return status;
  return ns_status_exit(
      ns_fail(&c, NS_OUTPUT, "standard output: cannot write: %s", strerror(errno)));
}

static int run_command(const ns_command *k, int argc, char **argv)
{
  char name[64];
  snprintf(name, sizeof name, "nssim %s", k->name);
  argv[0] = name;
  return k->run(argc, argv);
}

/* What other programs call a command. */
static const char *other_word(const char *word)
{
  static const struct {
    const char *word, *command;
  } list[] = {
      {"simulate", "run"},   {"sim", "run"},          {"start", "run"},    {"execute", "run"},
      {"validate", "check"}, {"verify", "check"},     {"lint", "check"},   {"convert", "import"},
      {"show", "view"},      {"animate", "view"},     {"render", "view"},  {"diff", "compare"},
      {"study", "sweep"},    {"examples", "example"}, {"demo", "example"}, {"version", "--version"},
      {"draw", "plot"},      {"graph", "plot"},       {"doc", "explain"},  {"describe", "explain"}};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++)
    if (!strcmp(word, list[k].word)) return list[k].command;
  return NULL;
}

/* Words that are a file once they are joined by blanks, in buf: its name was not quoted. */
static const char *split_name(int argc, char **argv, char *buf, size_t size)
{
  size_t n = 0;
  for (int k = 0; k < argc; k++) {
    n += (size_t)snprintf(buf + n, size - n, "%s%s", k ? " " : "", argv[k]);
    if (n >= size) return NULL;
    if (k && access(buf, F_OK) == 0) return buf;
  }
  return NULL;
}

static int unknown_command(int argc, char **argv)
{
  const char *word = argv[0], *other = other_word(word);
  ns_suggest s = ns_suggest_for(word, strlen(word));
  for (const ns_command *k = ns_commands; k->name; k++) ns_suggest_offer(&s, k->name);
  char file[256];
  if (other)
    return ns_console_usage("nssim", "unknown command '%s'; did you mean '%s'?", word, other);
  if (split_name(argc, argv, file, sizeof file))
    return ns_console_usage(
        "nssim", "'%s' is neither a command nor a file; quote the name of the file: \"%s\"", word,
        file);
  if (snprintf(file, sizeof file, "%s.xml", word) < (int)sizeof file && access(file, F_OK) == 0)
    return ns_console_usage("nssim", "'%s' is neither a command nor a file; did you mean '%s'?",
                            word, file);
  if (s.best)
    return ns_console_usage("nssim", "unknown command '%s'; did you mean '%s'?", word, s.best);
  return ns_console_usage("nssim", "'%s' is neither a command nor a file", word);
}

static int cmd_help(int argc, char **argv)
{
  char ask[] = "--help";
  if (argc < 2 || argv[1][0] == '-') {
    print_help(stdout);
    return 0;
  }
  const ns_command *k = find(argv[1]);
  if (!k) return unknown_command(1, argv + 1);
  if (k->run == cmd_help) {
    print_help(stdout);
    return 0;
  }
  char *ask_it[] = {argv[1], ask, NULL};
  return run_command(k, 2, ask_it);
}

/* A run without the word: an option of it, standard input, or something that looks like a file. */
static int is_run(const char *word)
{
  return word[0] == '-' || strpbrk(word, "./") || access(word, F_OK) == 0;
}

static void print_version(FILE *f, struct argp_state *state)
{
  (void)state;
  ns_version_print(f);
}

/* A stream that was closed (2>&-) leaves its number to the next file that is opened: a result, into
 * which messages would go. What takes its place here fails as the closed stream would. */
static void keep_streams(void)
{
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
      return;
}

/* Large arrays that grow are moved without a copy, and what they leave goes back to the system.
 * Otherwise glibc takes blocks of up to 32 MB from its heap as soon as one of that size was freed,
 * and the heap keeps holes: a fifth of the memory of a run with 20,000 bodies. */
static void keep_heap_compact(void)
{
#ifdef __GLIBC__
  enum { LARGE = 128 * 1024 }; /* bytes; the default, which no longer grows */
  mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}

int main(int argc, char **argv)
{
  keep_streams();
  keep_heap_compact();
  ns_signals_memory();
  setlocale(LC_CTYPE, ""); /* for text; numbers stay those of the C locale */
  argp_program_version_hook = print_version;
  argp_err_exit_status = ns_status_exit(NS_USAGE);
  if (argc < 2) {
    print_help(stderr);
    return ns_status_exit(NS_USAGE);
  }
  const char *word = argv[1];
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "-?") == 0) {
    print_help(stdout);
    return finish(0);
  }
  if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
    ns_version_print(stdout);
    return finish(0);
  }
  const ns_command *k = find(word);
  if (k) return finish(run_command(k, argc - 1, argv + 1));
  if (is_run(word)) return finish(run_command(&ns_commands[0], argc, argv));
  return unknown_command(argc - 1, argv + 1);
}
