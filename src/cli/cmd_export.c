/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_export.c -- nssim export: the numbers of an output for other programs. */
#include "base/claim.h"
#include "base/plural.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "cli/signals.h"
#include "io/export/export.h"
#include "io/export/export_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum form { NONE, CSV, JSON, VTK, XDMF } form;

typedef struct options {
  const char *path, *output;
  const char **quantities, **points; /* [argc] */
  int nforms, events, measures, quiet;
  form form;
  ns_export_options export;
} export_options;

enum {
  KEY_CSV = 0x200,
  KEY_JSON,
  KEY_VTK,
  KEY_XDMF,
  KEY_EVENTS,
  KEY_MEASURES,
  KEY_FROM,
  KEY_TO,
  KEY_EVERY,
  KEY_FRAMES,
  KEY_POINTS
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0,
     "Write .csv, .json, .pvd (VTK) or .xmf (XDMF); standard output by default or with -", 0},
    {"csv", KEY_CSV, 0, 0, "Write a table with one row per time", 0},
    {"json", KEY_JSON, 0, 0, "Write a JSON object of columns, events and units", 0},
    {"vtk", KEY_VTK, 0, 0,
     "Write for ParaView: out.pvd and one file per frame in out/; shapes, bodies and contacts, or "
     "moving points",
     0},
    {"xdmf", KEY_XDMF, 0, 0, "Write moving points in one file, which refers to the HDF5 output", 0},
    {"events", KEY_EVENTS, 0, 0, "Export only the table of events", 0},
    {"measures", KEY_MEASURES, 0, 0, "Export only the measures", 0},
    {"from", KEY_FROM, "T", 0, "Start at this time, s", 0},
    {"to", KEY_TO, "T", 0, "End at this time, s", 0},
    {"every", KEY_EVERY, "N", 0, "Use every N-th row, and the last", 0},
    {"frames", KEY_FRAMES, "N", 0, "At most N frames for ParaView (default 1001)", 0},
    {"points", KEY_POINTS, "X,Y,Z", 0,
     "Position of a point: quantities or numbers; NAME=X,Y,Z also names it (repeatable)", 0},
    {"quiet", 'q', 0, 0, "Do not report what was written", 0},
    {0},
};

static const char doc[] =
    "Export an output (HDF5 or CSV), or some of its quantities, for other programs.\n\n"
    "Examples:\n"
    "  nssim export out.h5 -o out.csv                     all rows as a table\n"
    "  nssim export out.h5 ball.x ground.lambda --json    two quantities\n"
    "  nssim export out.h5 --events -o events.csv\n"
    "  nssim export out.h5 -o out.pvd                     open it in ParaView\n"
    "  nssim export out.h5 --xdmf --points ball.y,ball.x,0\n"
    "\vA quantity is a label (ball.x), a channel (ball.q: all its components) or either with * and "
    "?. For ParaView, out.pvd contains the surfaces of rigid bodies with shapes, out-bodies.pvd "
    "their positions, and out-contacts.pvd the contacts. Systems with coordinates x, y or z are "
    "points; for other systems give points with --points.";

/* ---- options --------------------------------------------------------------------------------- */

static void choose_form(export_options *o, form f)
{
  o->nforms += o->form != f;
  o->form = f;
}

/* Options whose arguments are only stored. */
static const ns_console_target targets[] = {
    {'o', NS_CONSOLE_TEXT, offsetof(export_options, output), NULL, 0},
    {'q', NS_CONSOLE_FLAG, offsetof(export_options, quiet), NULL, 0},
    {KEY_EVENTS, NS_CONSOLE_FLAG, offsetof(export_options, events), NULL, 0},
    {KEY_MEASURES, NS_CONSOLE_FLAG, offsetof(export_options, measures), NULL, 0},
    {KEY_FROM, NS_CONSOLE_TIME, offsetof(export_options, export.from), "--from", 0},
    {KEY_TO, NS_CONSOLE_TIME, offsetof(export_options, export.to), "--to", 0},
    {KEY_EVERY, NS_CONSOLE_COUNT, offsetof(export_options, export.every), "--every", 0},
    {KEY_FRAMES, NS_CONSOLE_COUNT, offsetof(export_options, export.frames), "--frames", 0},
    {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  export_options *o = state->input;
  switch (key) {
  case KEY_CSV: choose_form(o, CSV); return 0;
  case KEY_JSON: choose_form(o, JSON); return 0;
  case KEY_VTK: choose_form(o, VTK); return 0;
  case KEY_XDMF: choose_form(o, XDMF); return 0;
  case KEY_POINTS: o->points[o->export.npoints++] = arg; return 0;
  case ARGP_KEY_ARG:
    if (!o->path) o->path = arg;
    else o->quantities[o->export.n++] = arg;
    return 0;
  case ARGP_KEY_NO_ARGS:
    ns_console_refuse(state, "no file given: expected an output such as out.h5");
    return 0;
  default: return ns_console_store(targets, key, arg, state);
  }
}

static const struct argp export_argp = {options, parse_option, "FILE [QUANTITY...]", doc, 0, 0, 0};

static int ends_in(const char *s, const char *suffix)
{
  size_t n = strlen(s), k = strlen(suffix);
  return n >= k && strcmp(s + n - k, suffix) == 0;
}

/* What the name of the output says; NONE: nothing. */
static form form_of(const char *path)
{
  static const struct {
    const char *suffix;
    form form;
  } known[] = {{".csv", CSV}, {".json", JSON}, {".pvd", VTK}, {".xmf", XDMF}, {".xdmf", XDMF}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    if (ends_in(path, known[k].suffix)) return known[k].form;
  return NONE;
}

/* Status of a usage error, 0: all is clear. */
static int check(export_options *o, const char *who)
{
  form named = o->output && strcmp(o->output, "-") != 0 ? form_of(o->output) : NONE;
  int scene;
  if (o->nforms > 1)
    return ns_console_usage(who, "--csv, --json, --vtk and --xdmf exclude each other");
  if (!o->form) o->form = named ? named : o->output && strcmp(o->output, "-") != 0 ? NONE : CSV;
  if (!o->form)
    return ns_console_usage(who,
                            "'%s': cannot determine the format from the name; end it in .csv, "
                            ".json, .pvd or .xmf, or give --csv, --json, --vtk or --xdmf",
                            o->output);
  scene = o->form == VTK || o->form == XDMF;
  if (scene && (o->events || o->measures))
    return ns_console_usage(who,
                            "--events and --measures are written as tables: use --csv or --json");
  if (scene && o->export.n)
    return ns_console_usage(
        who,
        "'%s': quantities apply to --csv and --json; give the positions of points with --points",
        o->export.quantities[0]);
  if (!scene && (o->export.npoints || o->export.frames))
    return ns_console_usage(who, "--points and --frames apply to --vtk and --xdmf");
  if (scene && o->output && strcmp(o->output, "-") == 0)
    return ns_console_usage(who, "frames for ParaView need a file: -o out.pvd or -o out.xmf");
  if ((o->events != 0) + (o->measures != 0) + (o->export.n != 0) > 1)
    return ns_console_usage(who, "--events, --measures and quantities exclude each other");
  return 0;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* "out.h5" and ".pvd" give "out.pvd"; malloc'ed. */
static char *default_name(const char *path, const char *suffix)
{
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  size_t n = dot && (!slash || dot > slash + 1) ? (size_t)(dot - path) : strlen(path);
  char *s = malloc(n + strlen(suffix) + 1);
  if (!s) return NULL;
  memcpy(s, path, n);
  strcpy(s + n, suffix);
  return s;
}

static void put_table(ns_ctx *c, ns_result *r, const export_options *o, FILE *f)
{
  if (o->form == JSON) ns_export_json(c, r, &o->export, f);
  else ns_export_csv(c, r, &o->export, f);
}

static void write_table(ns_ctx *c, ns_result *r, const export_options *o)
{
  ns_export_file to;
  if (!o->output || strcmp(o->output, "-") == 0) {
    put_table(c, r, o, stdout);
    return;
  }
  if (ns_export_file_open(c, o->output, &to)) return;
  put_table(c, r, o, to.f);
  ns_export_file_close(&to);
}

static void tell_scene(const char *to, const ns_export_size *size)
{
  const char *one = size->bodies ? "body" : "point", *many = size->bodies ? "bodies" : "points";
  fprintf(stderr, "%s: %zu %s of %zu %s%s\n", to, size->frames,
          ns_plural(size->frames, "frame", "frames"), size->points,
          ns_plural(size->points, one, many),
          size->frames < size->rows ? ", not every row (--frames, --every)" : "");
  if (size->spheres)
    fprintf(stderr,
            "%s: %zu spheres are points with a radius in %.*s-bodies.pvd; draw them as glyphs\n",
            to, size->spheres, (int)strlen(to) - 4, to);
}

static void write_scene(ns_ctx *c, ns_result *r, const export_options *o)
{
  ns_export_size size = {0};
  char *name = o->output ? NULL : default_name(o->path, o->form == VTK ? ".pvd" : ".xmf");
  const char *to = o->output ? o->output : name;
  int rc = !to              ? ns_nomem(c, "name of the export")
           : o->form == VTK ? ns_export_vtk(c, r, &o->export, to, &size)
                            : ns_export_xdmf(c, r, &o->export, to, &size);
  if (!rc && !o->quiet) tell_scene(to, &size);
  free(name);
}

static void write_form(ns_ctx *c, export_options *o)
{
  ns_result *r;
  if (ns_cli_open_result(c, o->path, &r)) return;
  if (o->form == CSV || o->form == JSON) write_table(c, r, o);
  else write_scene(c, r, o);
  ns_result_close(r);
}

static int export(export_options *o)
{
  ns_claims claims = {0};
  ns_ctx c = ns_cli_context();
  c.claims = &claims;
  ns_signals_reading(o->path);
  write_form(&c, o);
  ns_claims_fini(&claims);
  return ns_cli_exit(&c);
}

int ns_cmd_export(int argc, char **argv)
{
  size_t n = (size_t)argc + 1;
  const char **words = calloc(2 * n, sizeof *words);
  export_options o = {.export = {.what = NS_EXPORT_ALL,
                                 .from = NAN,
                                 .to = NAN,
                                 .quantities = words,
                                 .points = words + n},
                      .quantities = words,
                      .points = words + n};
  if (!words) {
    ns_ctx c = ns_cli_context();
    return ns_status_exit(ns_nomem(&c, "quantities"));
  }
  int status = ns_console_parse(&export_argp, argc, argv, &o);
  if (o.export.n) o.export.what = NS_EXPORT_ROWS;
  if (o.events) o.export.what = NS_EXPORT_EVENTS;
  if (o.measures) o.export.what = NS_EXPORT_MEASURES;
  if (!status) status = check(&o, argv[0]);
  if (!status) status = export(&o);
  free(words);
  return status;
}
