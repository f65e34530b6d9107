/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/view/view.h"

#include "base/plural.h"
#include "io/export/export_bodies.h"
#include "io/export/export_file.h"
#include "io/view/view_scene.h"
#include "io/webpage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_FRAMES = 1001 };
#define USUAL_BYTES \
  (64e6)                  /* of motion; frames are left out until it fits, \
  where nobody asked for their number */
#define MAX_BYTES (400e6) /* more no browser opens */

/* ---- parts of the page ----------------------------------------------------------------------- */

/* The title within HTML. */
static void put_title(const ns_view_scene *s, FILE *f)
{
  ns_export_put_attribute(ns_view_title(s), f);
}

static int put_library(ns_ctx *c, const char *path, FILE *f)
{
  char *text = ns_webpage_read(c, path);
  if (!text) return c->rc;
  int rc = NS_OK;
  if (!strstr(text, "WebGLRenderer") || strstr(text, "</script"))
    rc = ns_fail(c, NS_NOINPUT, "%s: is not three.min.js, expected that of Debian's libjs-three",
                 path);
  else fputs(text, f);
  free(text);
  return rc;
}

typedef struct parts {
  const ns_view_scene *scene;
  const ns_view_options *o;
} parts;

static int put_part(ns_ctx *c, void *self, const char *word, size_t n, FILE *f)
{
  const parts *p = self;
  if (ns_webpage_is("title", word, n)) return put_title(p->scene, f), NS_OK;
  if (ns_webpage_is("scene", word, n)) return ns_view_put_scene(c, p->scene, f);
  if (ns_webpage_is("motion", word, n)) return ns_view_put_motion(c, p->scene, f);
  if (ns_webpage_is("contacts", word, n)) return ns_view_put_contacts(c, p->scene, f);
  if (ns_webpage_is("paints", word, n)) return ns_view_put_paints(c, p->scene, f);
  if (ns_webpage_is("three", word, n)) return put_library(c, p->o->library, f);
  return ns_fail(c, NS_NOINPUT,
                 "%s: requests \"%.*s\", expected title, scene, motion, contacts, paints or three",
                 p->o->page, (int)n, word);
}

/* ---- which frames ---------------------------------------------------------------------------- */

/* Of ascending times those that are at least 1/fps apart, and the last. */
static void thin_to_rate(ns_export_points *p, double fps)
{
  size_t k = 1;
  for (size_t i = 1; i < p->nrows; i++) {
    if (p->t[i] - p->t[k - 1] < (1 - 1e-6) / fps && i + 1 < p->nrows) continue;
    p->rows[k] = p->rows[i];
    p->t[k++] = p->t[i];
  }
  p->nrows = k;
}

static int choose_frames(ns_ctx *c, ns_result *r, const ns_view_options *o, ns_view_scene *s)
{
  ns_export_points *p = &s->points;
  double frame = (28.0 + 4 * s->npaints) * 4 / 3 * (double)(s->nbodies ? s->nbodies : 1);
  int asked = o->rows.frames || o->rows.every > 1 || !isnan(o->fps);
  if (!isnan(o->fps)) thin_to_rate(p, o->fps);
  if (o->rows.frames) ns_export_points_thin(p, o->rows.frames);
  if (!asked) ns_export_points_thin(p, (size_t)fmax(2, fmin(MAX_FRAMES, USUAL_BYTES / frame)));
  if (frame * (double)p->nrows <= MAX_BYTES) return NS_OK;
  return ns_fail(c, NS_USAGE,
                 "%s: %zu frames of %zu %s make a page of %.0f MB, browsers open at most %.0f MB; "
                 "use fewer with --frames, --fps, --every, --from or --to",
                 ns_result_path(r), p->nrows, s->nbodies, ns_plural(s->nbodies, "body", "bodies"),
                 frame * (double)p->nrows / 1e6, MAX_BYTES / 1e6);
}

/* ---- ----------------------------------------------------------------------------------------- */

static int write_page(ns_ctx *c, const ns_view_scene *s, const ns_view_options *o, const char *path,
                      ns_view_size *size)
{
  struct stat st;
  parts p = {s, o};
  int rc = ns_webpage_write(c, o->page, path, put_part, &p);
  size->bytes = !rc && stat(path, &st) == 0 ? (size_t)st.st_size : 0;
  return rc;
}

static int view(ns_ctx *c, ns_result *r, const ns_view_options *o, const char *path, ns_arena *a,
                ns_view_size *size)
{
  ns_view_scene s = {0};
  int rc = ns_view_scene_make(c, r, &o->rows, o->curves, o->ncurves, a, &s);
  if (!rc) rc = ns_view_paints_make(c, o->paints, o->npaints, a, &s);
  if (!rc) rc = choose_frames(c, r, o, &s);
  if (!rc) rc = ns_view_scene_count(c, &s, a);
  if (rc) return rc;
  *size = (ns_view_size){.frames = s.points.nrows,
                         .rows = s.points.asked,
                         .bodies = s.nbodies,
                         .bars = (size_t)s.nbars};
  return write_page(c, &s, o, path, size);
}

int ns_view_write(ns_ctx *c, ns_result *r, const ns_view_options *o, const char *path,
                  ns_view_size *size)
{
  ns_arena *a = ns_arena_create(0, 1);
  if (!a) return ns_nomem(c, "scene of a page");
  int rc = view(c, r, o, path, a, size);
  ns_arena_destroy(a);
  return rc;
}
