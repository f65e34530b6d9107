/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_plot.c -- nssim plot: curves of an output, drawn by gnuplot. */
#include "cli/cli.h"
#include "cli/console.h"
#include "cli/signals.h"
#include "io/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

typedef struct options {
  const char *path;
  const char **quantities; /* [argc] */
  int terminal;
  ns_plot_options plot;
} plot_options;

enum { KEY_TERMINAL = 0x200, KEY_FROM, KEY_TO, KEY_TITLE, KEY_SIZE, KEY_NO_EVENTS };

static const struct argp_option options[] = {
  {"output", 'o', "FILE", 0, "Write .svg, .png, .pdf or .txt; - writes SVG to standard output", 0},
  {"terminal", KEY_TERMINAL, 0, 0, "Draw with characters (what happens without -o)", 0},
  {"from", KEY_FROM, "T", 0, "Begin at this time, s", 0},
  {"to", KEY_TO, "T", 0, "End at this time, s", 0},
  {"x", 'x', "QUANTITY", 0, "Draw over this quantity instead of time: a phase plot", 0},
  {"title", KEY_TITLE, "TEXT", 0, "Title instead of the model's", 0},
  {"size", KEY_SIZE, "WxH", 0, "Size in pixels, with --terminal in characters", 0},
  {"no-events", KEY_NO_EVENTS, 0, 0, "Do not mark impacts and switches", 0},
  {0},
};

static const char doc[] =
  "Draw quantities of an output file (HDF5 or CSV) over time. Quantities of different units go to panels "
  "of their own; red ticks at the foot are impacts, or switches of first-order systems.\n"
  "\n"
  "Examples:\n"
  "  nssim plot out.h5 ball.x                       in the terminal\n"
  "  nssim plot out.h5 ball.x ground.lambda -o ball.svg\n"
  "  nssim plot out.h5 'bead*.q' --from 1 --to 2 -o beads.png\n"
  "  nssim plot out.h5 ball.x:ball.v_x -o phase.svg   a phase plane\n"
  "\v"
  "A quantity is a label (ball.x, ground.lambda, diagnostics.energy_defect), a channel (ball.q: all its "
  "components) or either with * and ?; nssim info lists them. Two with a colon, X:Y, are drawn in a plane, Y over X. "
  "Needs gnuplot.";

static void real_option(struct argp_state *state, const char *name, const char *arg, double *x)
{
  if (!ns_console_real(arg, x)) argp_error(state, "--%s '%s': expected a time in seconds", name, arg);
}

static void size_option(struct argp_state *state, const char *arg, plot_options *o)
{
  int end = 0;
  if (sscanf(arg, "%dx%d%n", &o->plot.width, &o->plot.height, &end) != 2 || arg[end] ||
      o->plot.width < 20 || o->plot.height < 5 || o->plot.width > 10000 || o->plot.height > 10000)
    argp_error(state, "--size '%s': expected WIDTHxHEIGHT such as 900x480", arg);
  o->plot.fixed = 1;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  plot_options *o = state->input;
  switch (key) {
  case 'o': o->plot.output = arg; return 0;
  case KEY_TERMINAL: o->terminal = 1; return 0;
  case KEY_FROM: real_option(state, "from", arg, &o->plot.from); return 0;
  case KEY_TO: real_option(state, "to", arg, &o->plot.to); return 0;
  case 'x': o->plot.x = arg; return 0;
  case KEY_TITLE: o->plot.title = arg; return 0;
  case KEY_SIZE: size_option(state, arg, o); return 0;
  case KEY_NO_EVENTS: o->plot.no_events = 1; return 0;
  case ARGP_KEY_ARG:
    if (!o->path) o->path = arg;
    else o->quantities[o->plot.n++] = arg;
    return 0;
  case ARGP_KEY_END:
    if (!o->path) argp_error(state, "no file: expected an output such as out.h5 and a quantity");
    else if (!o->plot.n)
      argp_error(state, "no quantity: expected one such as ball.x; `nssim info %s` lists them", o->path);
    return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp plot_argp = {options, parse_option, "FILE QUANTITY...", doc, 0, 0, 0};

/* As large as the terminal, but for the line of the prompt. */
static void fit_terminal(ns_plot_options *o)
{
  struct winsize w;
  if (!ns_console_terminal(stdout) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) != 0) return;
  if (w.ws_col >= 40) o->width = w.ws_col - 1;
  if (w.ws_row >= 12) o->height = w.ws_row - 2;
}

static int draw(plot_options *o)
{
  ns_ctx c = ns_cli_context();
  ns_result *r;
  if (!o->plot.output) {
    if (!o->plot.fixed) fit_terminal(&o->plot);
    o->plot.colour = ns_console_colour(stdout);
  }
  ns_signals_reading(o->path);
  if (ns_result_open(&c, o->path, &r)) return ns_cli_exit(&c);
  ns_plot(&c, r, &o->plot);
  ns_result_close(r);
  return ns_cli_exit(&c);
}

int ns_cmd_plot(int argc, char **argv)
{
  plot_options o = {.plot = {.from = NAN, .to = NAN, .format = NS_PLOT_SVG}};
  o.quantities = calloc((size_t)argc + 1, sizeof *o.quantities);
  if (!o.quantities) {
    ns_ctx c = ns_cli_context();
    return ns_status_exit(ns_nomem(&c, "quantities"));
  }
  o.plot.quantities = o.quantities;
  int status = ns_console_parse(&plot_argp, argc, argv, &o);
  if (!status && o.terminal && o.plot.output)
    status = ns_console_usage(argv[0], "--terminal and -o exclude each other");
  if (!status) status = draw(&o);
  free(o.quantities);
  return status;
}
