/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_view.c -- nssim view: a page that plays the motion of an output in any browser. */
#include "base/claim.h"
#include "base/plural.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "cli/paths.h"
#include "cli/signals.h"
#include "io/view/view.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct view_options {
  const char *path, *output, *three;
  const char **points; /* [argc] */
  int quiet;
  ns_view_options view;
} view_options;

enum { KEY_FROM = 0x200, KEY_TO, KEY_EVERY, KEY_FRAMES, KEY_FPS, KEY_POINTS, KEY_THREE };

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
     "Show points instead of bodies: quantities or numbers, as for nssim export; repeatable", 0},
    {"three", KEY_THREE, "FILE", 0,
     "The library three.min.js (default: that of Debian's libjs-three)", 0},
    {"quiet", 'q', 0, 0, "Do not report what was written", 0},
    {0},
};

static const char doc[] =
    "Write a page that plays the motion of an output in any browser: one file that needs no "
    "network and no nssim.\n\n"
    "Examples:\n"
    "  nssim view out.h5 -o scene.html\n"
    "  nssim view out.h5 --from 1 --to 2 --fps 120        a part, slowly to be looked at\n"
    "  nssim view out.h5 --points bead*.x,0,0             points where there are no shapes\n"
    "\vRigid bodies are shown with their shapes, the contacts with their forces as arrows; systems "
    "with coordinates called x, y or z as points. Space plays, drag turns, the wheel zooms, H "
    "lists the keys. Between frames positions are interpolated.";

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  view_options *o = state->input;
  ns_export_options *x = &o->view.rows;
  switch (key) {
  case 'o': o->output = arg; return 0;
  case 'q': o->quiet = 1; return 0;
  case KEY_FROM: ns_console_time(state, "from", arg, &x->from); return 0;
  case KEY_TO: ns_console_time(state, "to", arg, &x->to); return 0;
  case KEY_EVERY: ns_console_count(state, "every", arg, &x->every); return 0;
  case KEY_FRAMES: ns_console_count(state, "frames", arg, &x->frames); return 0;
  case KEY_THREE: o->three = arg; return 0;
  case KEY_POINTS: o->points[x->npoints++] = arg; return 0;
  case KEY_FPS:
    if (!ns_console_real(arg, &o->view.fps) || !(o->view.fps > 0))
      ns_console_refuse(state, "--fps '%s': expected a number above 0", arg);
    return 0;
  default: return ns_console_file(state, key, arg, "an output such as out.h5", &o->path);
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
                   "view/scene.html is missing, expected it beside nssim or in share/nssim; "
                   "NSSIM_DATA_DIR names the folder above view/");
  o->view.page = page;
  o->view.library = find_library(o);
  if (o->view.library && ns_claim_read(c, page, "a part of nssim")) return c->rc;
  if (o->view.library) return ns_claim_read(c, o->view.library, "which the page needs");
  return ns_fail(c, NS_NOINPUT,
                 "three.min.js is missing, which draws the page; install Debian's libjs-three, or "
                 "name the file by --three");
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
  fprintf(stderr, "%s: %zu %s of %zu %s, %.1f MB%s\n", to, size.frames,
          ns_plural(size.frames, "frame", "frames"), size.bodies,
          ns_plural(size.bodies, "body", "bodies"), (double)size.bytes / 1e6,
          size.frames < size.rows ? ", not each row (--frames, --fps, --every)" : "");
}

static void make_page(view_options *o, ns_ctx *c)
{
  ns_result *r;
  char page[PATH_MAX];
  if (find_parts(o, c, page, sizeof page) || ns_result_open(c, o->path, &r)) return;
  char *name = o->output ? NULL : default_name(o->path);
  if (!o->output && !name) ns_nomem(c, "name of the page");
  else write_page(c, r, o, o->output ? o->output : name);
  free(name);
  ns_result_close(r);
}

static int view(view_options *o)
{
  ns_claims claims = {0};
  ns_ctx c = ns_cli_context();
  c.claims = &claims;
  ns_signals_reading(o->path);
  make_page(o, &c);
  ns_claims_fini(&claims);
  return ns_cli_exit(&c);
}

int ns_cmd_view(int argc, char **argv)
{
  const char **points = calloc((size_t)argc + 1, sizeof *points);
  view_options o = {.points = points,
                    .view = {.fps = NAN, .rows = {.from = NAN, .to = NAN, .points = points}}};
  if (!points) {
    ns_ctx c = ns_cli_context();
    return ns_status_exit(ns_nomem(&c, "points"));
  }
  int status = ns_console_parse(&view_argp, argc, argv, &o);
  if (!status) status = view(&o);
  free(points);
  return status;
}
