/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_view.c -- nssim view: a page that plays the motion of an output in any browser. */
#include "base/claim.h"
#include "base/plural.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "cli/paths.h"
#include "cli/signals.h"
#include "cli/view_video.h"
#include "io/results/info.h"
#include "io/view/view.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct view_options {
  const char *path, *output, *three, *video;
  const char **points, **curves, **paints; /* [argc] each */
  int quiet;
  ns_view_options view;
} view_options;

enum {
  KEY_FROM = 0x200,
  KEY_TO,
  KEY_EVERY,
  KEY_FRAMES,
  KEY_FPS,
  KEY_POINTS,
  KEY_CURVE,
  KEY_COLOUR,
  KEY_THREE,
  KEY_VIDEO
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0,
     "The page (default: the name of the output with .html); - for standard output", 0},
    {"from", KEY_FROM, "T", 0, "Start at this time, s", 0},
    {"to", KEY_TO, "T", 0, "End at this time, s", 0},
    {"fps", KEY_FPS, "X", 0, "At most X frames per second of simulated time", 0},
    {"every", KEY_EVERY, "N", 0, "Use every N-th row, and the last", 0},
    {"frames", KEY_FRAMES, "N", 0,
     "At most N frames (default 1001, fewer if the page would be large)", 0},
    {"points", KEY_POINTS, "X,Y,Z", 0,
     "Show points instead of bodies: quantities or numbers, as for nssim export (repeatable)", 0},
    {"curve", KEY_CURVE, "QUANTITY", 0,
     "Draw this quantity next to the scene, with a cursor; a pattern (repeatable)", 0},
    {"colour", KEY_COLOUR, "QUANTITY", 0,
     "Colour the bodies by this quantity; * stands for the name of each body (repeatable)", 0},
    {"video", KEY_VIDEO, "FILE", 0,
     "Write a film, .mp4 or .gif, instead of a page; requires Chromium and ffmpeg", 0},
    {"three", KEY_THREE, "FILE", 0,
     "The library three.min.js (default: that of Debian's libjs-three)", 0},
    {"quiet", 'q', 0, 0, "Do not report what was written", 0},
    {0},
};

static const char doc[] =
    "Write an HTML page that shows the motion of an output in any browser: one file, which needs "
    "neither a network nor nssim.\n\n"
    "Examples:\n"
    "  nssim view out.h5 -o scene.html\n"
    "  nssim view out.h5 --from 1 --to 2 --fps 120  a part, in many frames\n"
    "  nssim view out.h5 --points 'bead*.x,0,0'     points instead of shapes\n"
    "  nssim view out.h5 --curve ground.lambda      a curve next to the scene\n"
    "  nssim view out.h5 --colour '*.x'             colours by a quantity\n"
    "  nssim view out.h5 --video out.mp4            a film\n"
    "  nssim view model.xml                         the scene before a run\n"
    "\vThe page shows rigid bodies with their shapes, contact forces as arrows, systems with "
    "coordinates x, y or z as points, and voltages of circuits and states of other systems as "
    "bars. Space plays, drag turns, the wheel zooms, H lists the keys. Between frames positions "
    "are interpolated.";

/* Options whose arguments are only stored. */
static const ns_console_target targets[] = {
    {'o', NS_CONSOLE_TEXT, offsetof(view_options, output), NULL, 0},
    {'q', NS_CONSOLE_FLAG, offsetof(view_options, quiet), NULL, 0},
    {KEY_FROM, NS_CONSOLE_TIME, offsetof(view_options, view.rows.from), "--from", 0},
    {KEY_TO, NS_CONSOLE_TIME, offsetof(view_options, view.rows.to), "--to", 0},
    {KEY_EVERY, NS_CONSOLE_COUNT, offsetof(view_options, view.rows.every), "--every", 0},
    {KEY_FRAMES, NS_CONSOLE_COUNT, offsetof(view_options, view.rows.frames), "--frames", 0},
    {KEY_THREE, NS_CONSOLE_TEXT, offsetof(view_options, three), NULL, 0},
    {KEY_VIDEO, NS_CONSOLE_TEXT, offsetof(view_options, video), NULL, 0},
    {0}};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  view_options *o = state->input;
  switch (key) {
  case KEY_CURVE: o->curves[o->view.ncurves++] = arg; return 0;
  case KEY_COLOUR: o->paints[o->view.npaints++] = arg; return 0;
  case KEY_POINTS: o->points[o->view.rows.npoints++] = arg; return 0;
  case KEY_FPS:
    if (!ns_console_real(arg, &o->view.fps) || !(o->view.fps > 0))
      ns_console_refuse(state, "--fps '%s': expected a number above 0", arg);
    return 0;
  default:
    if (ns_console_store(targets, key, arg, state) == 0) return 0;
    return ns_console_file(state, key, arg, "an output such as out.h5", &o->path);
  }
}

static const struct argp view_argp = {options, parse_option, "FILE", doc, 0, 0, 0};

/* ---- parts ----------------------------------------------------------------------------------- */

static const char *find_library(const view_options *o)
{
  static const char *const usual[] = {"/usr/share/javascript/three/three.min.js",
                                      "/usr/share/javascript/three/build/three.min.js",
                                      "/usr/share/nodejs/three/build/three.min.js"};
  if (o->three) return o->three;
  for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
    if (access(usual[k], R_OK) == 0) return usual[k];
  return NULL;
}

static int find_parts(view_options *o, ns_ctx *c, char *page, size_t n)
{
  if (!ns_paths_data("view/scene.html", page, n))
    return ns_fail(c, NS_NOINPUT,
                   "view/scene.html is missing, expected it next to nssim or in share/nssim; set "
                   "NSSIM_DATA_DIR to the folder that contains view/");
  o->view.page = page;
  o->view.library = find_library(o);
  if (o->view.library && ns_claim_read(c, page, "a part of nssim")) return c->rc;
  if (o->view.library) return ns_claim_read(c, o->view.library, "which the page needs");
  return ns_fail(c, NS_NOINPUT,
                 "three.min.js is missing, which the page requires; install Debian's libjs-three, "
                 "or give the file with --three");
}

/* "out.h5" gives "out.html"; malloced. */
static char *default_name(const char *path)
{
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  size_t n = dot && (!slash || dot > slash + 1) ? (size_t)(dot - path) : strlen(path);
  char *s = malloc(n + sizeof ".html");
  if (s) snprintf(s, n + sizeof ".html", "%.*s.html", (int)n, path);
  return s;
}

static void write_page(ns_ctx *c, ns_result *r, const view_options *o, const char *to)
{
  ns_view_size size = {0};
  if (ns_view_write(c, r, &o->view, to, &size) || o->quiet || strcmp(to, "-") == 0) return;
  const char *what = size.bars ? ns_plural(size.bars, "quantity", "quantities")
                               : ns_plural(size.bodies, "body", "bodies");
  fprintf(stderr, "%s: %zu %s of %zu %s, %.1f MB%s\n", to, size.frames,
          ns_plural(size.frames, "frame", "frames"), size.bars ? size.bars : size.bodies, what,
          (double)size.bytes / 1e6,
          size.frames < size.rows ? ", not every row (--frames, --fps, --every)" : "");
}

/* Frames of a film, 30 a second: as many as are asked for, else at the speed of the model where it
 * lasts 4 s to 20 s, else 10 s long. */
static int film_frames(ns_ctx *c, ns_result *r, const view_options *o)
{
  ns_result_extent e;
  if (o->view.rows.frames)
    return (int)(o->view.rows.frames < 100000 ? o->view.rows.frames : 100000);
  if (ns_info_extent(r, c, &e)) return 0;
  double span = e.last - e.first;
  return (int)(30 * (span >= 4 && span <= 20 ? span : 10)) + 1;
}

static void make_film(ns_ctx *c, ns_result *r, const view_options *o)
{
  char folder[PATH_MAX], page[PATH_MAX + 16];
  int frames = film_frames(c, r, o);
  ns_view_size size = {0};
  if (c->rc || ns_view_video_check(c, o->video) || ns_view_folder(c, folder, sizeof folder)) return;
  snprintf(page, sizeof page, "%s/page.html", folder);
  int rc = ns_view_write(c, r, &o->view, page, &size);
  if (!rc) rc = ns_view_video(c, page, folder, frames, o->video);
  ns_view_folder_remove(folder);
  if (!rc && !o->quiet) fprintf(stderr, "%s: %d frames, %.3g s\n", o->video, frames, frames / 30.0);
}

/* As for plots and outputs, the name says what is written; a device takes anything. */
static int check_name(ns_ctx *c, const char *path)
{
  static const char suffix[] = ".html";
  size_t n = strlen(path), m = sizeof suffix - 1;
  if (strcmp(path, "-") == 0 || strncmp(path, "/dev/", 5) == 0) return NS_OK;
  if (n > m && strcmp(path + n - m, suffix) == 0) return NS_OK;
  return ns_fail(c, NS_USAGE,
                 "page \"%s\": the name of a page ends in .html; write \"-\" for standard output, "
                 "or --video for a film",
                 path);
}

static void make_page(ns_ctx *c, ns_result *r, const view_options *o)
{
  char *name = o->output ? NULL : default_name(o->path);
  if (!o->output && !name) ns_nomem(c, "name of the page");
  else write_page(c, r, o, o->output ? o->output : name);
  free(name);
}

/* ---- what is shown --------------------------------------------------------------------------- */

/* Of a model the first row alone. */
static int keep_first_row(ns_ctx *c, ns_result *r, ns_export_options *rows)
{
  ns_result_extent e;
  int rc = ns_info_extent(r, c, &e);
  rows->from = rows->to = e.first;
  return rc;
}

static void show(view_options *o, ns_ctx *c, const char *result)
{
  ns_result *r;
  if (ns_cli_open_result(c, result, &r)) return;
  if (ns_paths_is_model(o->path)) keep_first_row(c, r, &o->view.rows);
  if (!c->rc && o->video) make_film(c, r, o);
  else if (!c->rc) make_page(c, r, o);
  ns_result_close(r);
}

static void show_model(view_options *o, ns_ctx *c)
{
  char folder[PATH_MAX], first[PATH_MAX + 16];
  if (o->video) {
    ns_fail(c, NS_USAGE,
            "%s: --video requires a result; run the model first: nssim run %s -o out.h5", o->path,
            o->path);
    return;
  }
  if (ns_view_folder(c, folder, sizeof folder)) return;
  snprintf(first, sizeof first, "%s/first.h5", folder);
  if (!ns_view_first_step(c, o->path, first)) show(o, c, first);
  ns_view_folder_remove(folder);
}

static void show_any(view_options *o, ns_ctx *c)
{
  char page[PATH_MAX];
  if (find_parts(o, c, page, sizeof page)) return;
  if (ns_paths_is_model(o->path)) show_model(o, c);
  else show(o, c, o->path);
}

static int view(view_options *o)
{
  ns_claims claims = {0};
  ns_ctx c = ns_cli_context();
  c.claims = &claims;
  ns_signals_reading(o->path);
  if (!o->output || !check_name(&c, o->output)) show_any(o, &c);
  ns_claims_fini(&claims);
  return ns_cli_exit(&c);
}

int ns_cmd_view(int argc, char **argv)
{
  const char **points = calloc(3 * ((size_t)argc + 1), sizeof *points),
             **curves = points + argc + 1, **paints = curves + argc + 1;
  view_options o = {.points = points,
                    .curves = curves,
                    .paints = paints,
                    .view = {.curves = curves,
                             .paints = paints,
                             .fps = NAN,
                             .rows = {.from = NAN, .to = NAN, .points = points}}};
  if (!points) {
    ns_ctx c = ns_cli_context();
    return ns_status_exit(ns_nomem(&c, "points"));
  }
  int status = ns_console_parse(&view_argp, argc, argv, &o);
  if (!status && o.video && o.output)
    status = ns_console_usage(argv[0], "--video and -o exclude each other");
  if (!status) status = view(&o);
  free(points);
  return status;
}
