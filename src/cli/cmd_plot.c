/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_plot.c -- nssim plot: curves, timelines and sweeps, drawn by gnuplot. */
#include "base/claim.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "cli/paths.h"
#include "cli/signals.h"
#include "io/plot/plot.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct options {
  const char **paths, **quantities; /* [npaths], [plot.n], room for argc each */
  int npaths, terminal, events;
  ns_plot_options plot;
} plot_options;

enum {
  KEY_TERMINAL = 0x200,
  KEY_FROM,
  KEY_TO,
  KEY_TITLE,
  KEY_SIZE,
  KEY_NO_EVENTS,
  KEY_EVENTS,
  KEY_BY,
  KEY_LOG,
  KEY_X_RANGE,
  KEY_Y_RANGE,
  KEY_THEME,
  KEY_SPECTRUM,
  KEY_SECTION,
  KEY_HISTOGRAM,
  KEY_QUANTILES
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0,
     "Write .svg, .png, .pdf, .txt, or .html: a page that shows values and zooms; - writes SVG to "
     "standard output",
     0},
    {"terminal", KEY_TERMINAL, 0, 0, "Draw with characters (the default without -o)", 0},
    {"from", KEY_FROM, "T", 0, "Start at this time, s", 0},
    {"to", KEY_TO, "T", 0, "End at this time, s", 0},
    {"x", 'x', "QUANTITY", 0, "Plot over this quantity instead of time: a phase portrait", 0},
    {"title", KEY_TITLE, "TEXT", 0, "Title, instead of that of the model", 0},
    {"size", KEY_SIZE, "WxH", 0, "Size in pixels, or in characters with --terminal", 0},
    {"events", KEY_EVENTS, 0, 0,
     "Draw a timeline of events instead, of all interactions or of those named", 0},
    {"by", KEY_BY, "COLUMN", 0, "For a sweep: one curve for each value of this column", 0},
    {"spectrum", KEY_SPECTRUM, 0, 0,
     "Plot amplitudes over the frequency instead of values over time", 0},
    {"section", KEY_SECTION, "WHEN", 0,
     "A Poincare section: points of X:Y once a PERIOD, s, or where QUANTITY=VALUE is crossed "
     "upwards",
     0},
    {"histogram", KEY_HISTOGRAM, "BINS", OPTION_ARG_OPTIONAL,
     "Plot a histogram with quantiles: of the rows or, for a sweep, of the runs", 0},
    {"quantiles", KEY_QUANTILES, 0, 0,
     "For a sweep: plot the 5, 25, 50, 75 and 95 % quantiles of Y over X", 0},
    {"log", KEY_LOG, "AXES", 0, "Logarithmic axes: x, y or xy", 0},
    {"xrange", KEY_X_RANGE, "A:B", 0, "Draw this range of the horizontal axis", 0},
    {"yrange", KEY_Y_RANGE, "A:B", 0, "Draw this range of the vertical axis", 0},
    {"theme", KEY_THEME, "NAME", 0, "Colours: light, dark, or print: black, with dashes", 0},
    {"no-events", KEY_NO_EVENTS, 0, 0, "Do not mark impacts and switches", 0},
    {0},
};

static const char doc[] =
    "Plot quantities of one or several outputs (HDF5 or CSV) over time or over each other, a "
    "timeline of events, or measures of a sweep over its parameters. Quantities with different "
    "units are drawn in separate panels; red ticks on the time axis mark impacts, or switches of "
    "first-order systems.\n\n"
    "Examples:\n"
    "  nssim plot out.h5 ball.x                       in the terminal\n"
    "  nssim plot out.h5 ball.x ground.lambda -o ball.svg\n"
    "  nssim plot out.h5 'bead*.q' --from 1 --to 2 -o beads.png\n"
    "  nssim plot out.h5 ball.x:ball.v_x -o phase.svg   a phase plane\n"
    "  nssim plot a.h5 b.h5 ball.x -o both.svg          two runs\n"
    "  nssim plot out.h5 ball.x -o ball.html            hover and zoom\n"
    "  nssim plot out.h5 mass.x --spectrum --log y      amplitudes over frequency\n"
    "  nssim plot out.h5 mass.x:mass.v_x --section 2.1  a point each period\n"
    "  nssim plot out.h5 --events -o events.svg         impacts, contacts, modes\n"
    "  nssim plot study/ e:height --by mu -o by-mu.svg  a measure over a parameter\n"
    "  nssim plot study/ A:samples -o bifurcation.svg   all samples\n"
    "  nssim plot study/ e:mu:height -o map.svg         colours over two parameters\n"
    "  nssim plot study/ height --histogram -o h.svg    spread of a measure\n"
    "  nssim plot study/ e:height --quantiles -o q.svg  its spread over a parameter\n"
    "\vA quantity is a label (ball.x, ground.lambda, diagnostics.energy_defect), a channel "
    "(ball.q: all its components) or either with * and ?; nssim info lists them. X:Y draws the "
    "quantity Y over the quantity X. Further arguments that end in .h5, .hdf5 or .csv are outputs, "
    "too. For a sweep, name its folder or its measures.csv, and X:Y or X:Y:Z of its columns. "
    "Requires gnuplot.";

static void size_option(struct argp_state *state, const char *arg, plot_options *o)
{
  int end = 0;
  if (sscanf(arg, "%dx%d%n", &o->plot.width, &o->plot.height, &end) != 2 || arg[end] ||
      o->plot.width < 20 || o->plot.height < 5 || o->plot.width > 10000 || o->plot.height > 10000)
    ns_console_refuse(state, "--size '%s': expected WIDTHxHEIGHT such as 900x480", arg);
  o->plot.fixed = 1;
}

/* "x", "y", "xy" */
static void log_option(struct argp_state *state, const char *arg, plot_options *o)
{
  if (!*arg || arg[strspn(arg, "xy")])
    ns_console_refuse(state, "--log '%s': expected x, y or xy", arg);
  o->plot.log_x = strchr(arg, 'x') != NULL;
  o->plot.log_y = strchr(arg, 'y') != NULL;
}

/* "A:B", A below B */
static void range_option(struct argp_state *state, const char *name, const char *arg,
                         double range[2])
{
  char low[64];
  const char *colon = strchr(arg, ':');
  size_t n = colon ? (size_t)(colon - arg) : 0;
  snprintf(low, sizeof low, "%.*s", (int)(n < sizeof low ? n : 0), arg);
  int good = colon && ns_console_real(low, &range[0]) && ns_console_real(colon + 1, &range[1]) &&
             range[0] < range[1];
  if (!good)
    ns_console_refuse(
        state, "--%s '%s': expected two numbers with a colon, the smaller first, such as 0:2", name,
        arg);
}

static void theme_option(struct argp_state *state, const char *arg, plot_options *o)
{
  static const char *const names[] = {"light", "dark", "print"};
  for (int k = 0; k < 3; k++) {
    if (strcmp(names[k], arg) != 0) continue;
    o->plot.theme = (ns_plot_theme)k;
    return;
  }
  ns_console_refuse(state, "--theme '%s': expected light, dark or print", arg);
}

static void what_option(struct argp_state *state, ns_plot_what what, plot_options *o)
{
  static const char *const names[] = {"", "spectrum", "section", "histogram", "quantiles"};
  if (o->plot.what != NS_PLOT_CURVES && o->plot.what != what)
    ns_console_refuse(state, "--%s and --%s exclude each other", names[o->plot.what], names[what]);
  o->plot.what = what;
}

static void bins_option(struct argp_state *state, const char *arg, plot_options *o)
{
  long long n = 0;
  if (arg && (!ns_console_integer(arg, 1, &n) || n > 10000))
    ns_console_refuse(state, "--histogram '%s': expected a number of bins, 1 to 10000", arg);
  o->plot.bins = (int)n;
}

static int is_output(const char *word)
{
  const char *dot = strrchr(word, '.');
  if (!dot) return 0;
  if (strcmp(dot, ".h5") == 0 || strcmp(dot, ".hdf5") == 0 || strcmp(dot, ".csv") == 0) return 1;
  int table = strcmp(dot, ".ref") == 0 || strcmp(dot, ".dat") == 0 || strcmp(dot, ".txt") == 0;
  return table && access(word, F_OK) == 0; /* of other programs */
}

/* Options whose arguments are only stored. */
static const ns_console_target targets[] = {
    {'o', NS_CONSOLE_TEXT, offsetof(plot_options, plot.output), NULL, 0},
    {KEY_TERMINAL, NS_CONSOLE_FLAG, offsetof(plot_options, terminal), NULL, 0},
    {KEY_FROM, NS_CONSOLE_TIME, offsetof(plot_options, plot.from), "--from", 0},
    {KEY_TO, NS_CONSOLE_TIME, offsetof(plot_options, plot.to), "--to", 0},
    {'x', NS_CONSOLE_TEXT, offsetof(plot_options, plot.x), NULL, 0},
    {KEY_TITLE, NS_CONSOLE_TEXT, offsetof(plot_options, plot.title), NULL, 0},
    {KEY_NO_EVENTS, NS_CONSOLE_FLAG, offsetof(plot_options, plot.no_events), NULL, 0},
    {KEY_EVENTS, NS_CONSOLE_FLAG, offsetof(plot_options, events), NULL, 0},
    {KEY_BY, NS_CONSOLE_TEXT, offsetof(plot_options, plot.by), NULL, 0},
    {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  plot_options *o = state->input;
  switch (key) {
  case KEY_SIZE: size_option(state, arg, o); return 0;
  case KEY_LOG: log_option(state, arg, o); return 0;
  case KEY_X_RANGE: range_option(state, "xrange", arg, o->plot.x_range); return 0;
  case KEY_Y_RANGE: range_option(state, "yrange", arg, o->plot.y_range); return 0;
  case KEY_THEME: theme_option(state, arg, o); return 0;
  case KEY_SPECTRUM: what_option(state, NS_PLOT_SPECTRUM, o); return 0;
  case KEY_SECTION:
    what_option(state, NS_PLOT_SECTION, o);
    o->plot.section = arg;
    return 0;
  case KEY_HISTOGRAM:
    what_option(state, NS_PLOT_HISTOGRAM, o);
    bins_option(state, arg, o);
    return 0;
  case KEY_QUANTILES: what_option(state, NS_PLOT_QUANTILES, o); return 0;
  case ARGP_KEY_ARG:
    if (!o->npaths || is_output(arg)) o->paths[o->npaths++] = arg;
    else o->quantities[o->plot.n++] = arg;
    return 0;
  case ARGP_KEY_END:
    if (!o->npaths)
      ns_console_refuse(state, "no file given: expected an output such as out.h5 and a quantity");
    else if (!o->plot.n && !o->events && ns_paths_is_model(o->paths[0]))
      ns_console_refuse(state,
                        "%s is an XML file, expected an output (HDF5 or CSV); a model is run with "
                        "nssim %s -o out.h5",
                        o->paths[0], o->paths[0]);
    else if (!o->plot.n && !o->events)
      ns_console_refuse(state,
                        "no quantity given: expected one such as %s; `nssim info %s%s` lists them",
                        ns_cli_is_folder(o->paths[0]) ? "e:ball.x" : "ball.x", o->paths[0],
                        ns_cli_is_folder(o->paths[0]) ? "/measures.csv" : "");
    return 0;
  default: return ns_console_store(targets, key, arg, state);
  }
}

static const struct argp plot_argp = {options, parse_option, "FILE... QUANTITY...", doc, 0, 0, 0};

/* As large as the terminal, but for the line of the prompt. */
static void fit_terminal(ns_plot_options *o)
{
  struct winsize w;
  if (!ns_console_terminal(stdout) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) != 0) return;
  if (w.ws_col >= 40) o->width = w.ws_col - 1;
  if (w.ws_row >= 12) o->height = w.ws_row - 2;
}

/* The folder of a sweep whose table of measures is named, with its HDF5 made after it, which knows
 * units: how long its name is; -1: it is no such table, or was written anew since. */
static int folder_of_table(const char *path)
{
  static const char table[] = "measures.csv", other[] = "measures.h5";
  size_t n = strlen(path), own = sizeof table - 1;
  char name[4096];
  struct stat csv, h5;
  if (n < own || strcmp(path + n - own, table) != 0 || n >= sizeof name) return -1;
  if (n > own && path[n - own - 1] != '/') return -1;
  snprintf(name, sizeof name, "%.*s%s", (int)(n - own), path, other);
  if (stat(path, &csv) || stat(name, &h5)) return -1;
  return h5.st_mtime >= csv.st_mtime ? (int)(n - own) : -1;
}

static int open_one(const char *path, ns_ctx *c, ns_result **r)
{
  int folder = folder_of_table(path);
  if (ns_cli_is_folder(path)) return ns_result_open_folder(c, path, r);
  if (folder < 0) return ns_cli_open_result(c, path, r);
  char *name = folder ? strndup(path, (size_t)folder) : strdup(".");
  if (!name) return ns_nomem(c, "name of an output");
  int rc = ns_result_open_folder(c, name, r);
  free(name);
  return rc;
}

static int open_all(plot_options *o, ns_ctx *c, ns_result **r)
{
  int rc = NS_OK;
  for (int k = 0; k < o->npaths && !rc; k++) {
    ns_signals_reading(o->paths[k]);
    rc = open_one(o->paths[k], c, &r[k]);
  }
  return rc;
}

static int choose_picture(plot_options *o, ns_ctx *c, ns_result **r)
{
  int sweep = ns_result_is_sweep(ns_result_get_meta(r[0]));
  if ((sweep || o->events) && o->npaths > 1)
    return ns_fail(c, NS_USAGE, "%s: expected one %s, not %d", o->paths[1],
                   sweep ? "sweep" : "output for a timeline", o->npaths);
  if (!sweep && (o->plot.by || o->plot.what == NS_PLOT_QUANTILES))
    return ns_fail(c, NS_USAGE,
                   "%s: --by and --quantiles apply to sweeps: tables that begin with the columns "
                   "run, key, status",
                   o->paths[0]);
  int of_runs = o->plot.what == NS_PLOT_SPECTRUM || o->plot.what == NS_PLOT_SECTION;
  if (sweep && (o->events || o->plot.x || of_runs || !isnan(o->plot.from) || !isnan(o->plot.to)))
    return ns_fail(c, NS_USAGE,
                   "%s: is a sweep; --events, -x, --from, --to, --spectrum and --section apply to "
                   "the output of one run",
                   o->paths[0]);
  if (sweep && o->plot.by && o->plot.what != NS_PLOT_CURVES)
    return ns_fail(c, NS_USAGE,
                   "%s: --by applies to curves; remove --by, or --histogram and --quantiles",
                   o->paths[0]);
  if (o->events && (o->plot.what != NS_PLOT_CURVES || o->plot.log_x || o->plot.log_y))
    return ns_fail(c, NS_USAGE,
                   "%s: a timeline of events has no logarithmic axes, spectra, sections or "
                   "histograms; remove --events, or the other option",
                   o->paths[0]);
  if (o->events) return ns_plot_events(c, r[0], &o->plot);
  return sweep ? ns_plot_sweep(c, r[0], &o->plot) : ns_plot_runs(c, r, o->npaths, &o->plot);
}

static int draw(plot_options *o)
{
  char page[PATH_MAX];
  ns_claims claims = {0};
  ns_ctx c = ns_cli_context();
  c.claims = &claims;
  ns_result **r = calloc((size_t)o->npaths, sizeof *r);
  if (!o->plot.output) {
    if (!o->plot.fixed) fit_terminal(&o->plot);
    o->plot.colour = ns_console_colour(stdout);
  }
  if (ns_paths_data("view/plot.html", page, sizeof page)) o->plot.page = page;
  int rc = r ? open_all(o, &c, r) : ns_nomem(&c, "outputs");
  if (!rc) choose_picture(o, &c, r);
  for (int k = 0; r && k < o->npaths; k++) ns_result_close(r[k]);
  free(r);
  ns_claims_fini(&claims);
  return ns_cli_exit(&c);
}

int ns_cmd_plot(int argc, char **argv)
{
  size_t n = (size_t)argc + 1;
  const char **words = calloc(2 * n, sizeof *words);
  plot_options o = {
      .plot = {.from = NAN, .to = NAN, .format = NS_PLOT_SVG, .quantities = words + n},
      .paths = words,
      .quantities = words + n};
  if (!words) {
    ns_ctx c = ns_cli_context();
    return ns_status_exit(ns_nomem(&c, "quantities"));
  }
  int status = ns_console_parse(&plot_argp, argc, argv, &o);
  if (!status && o.terminal && o.plot.output)
    status = ns_console_usage(argv[0], "--terminal and -o exclude each other");
  if (!status) status = draw(&o);
  free(words);
  return status;
}
