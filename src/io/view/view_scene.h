/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view_scene.h -- private to view*.c: contents of a page and their representation. */
#ifndef NS_IO_VIEW_VIEW_SCENE_H
#define NS_IO_VIEW_VIEW_SCENE_H

#include "io/export/export_bodies.h"

#include <jansson.h>

/* A quantity by which bodies can be coloured. */
enum { NS_VIEW_COMPONENTS = 7 };
typedef struct ns_view_paint {
  const char *name; /* as given; * stands for the name of a body */
  const char *unit; /* NULL where unknown */
  ns_column *col;   /* [nbodies x NS_VIEW_COMPONENTS] */
  int *ncol;        /* number for each body [nbodies]; 0: none */
} ns_view_paint;

typedef struct ns_view_scene {
  ns_result *r;
  const ns_result_meta *m;
  /* its rows are the frames; its points are the bodies if there are no rigid bodies */
  ns_export_points points;
  ns_export_banks banks; /* of those points */
  ns_export_bodies bodies;
  size_t nbodies;        /* of either */
  int is_points, planar; /* planar: everything is in the x-y plane, with y upwards */
  size_t *ncontacts;     /* of each frame [points.nrows]; NULL: none are recorded */
  ns_column *curves;     /* drawn next to the scene [ncurves] */
  ns_column *bars;       /* if nothing has a position: voltages of nodes, or states [nbars] */
  ns_view_paint *paints; /* [npaints] */
  int ncurves, nbars, npaints;
} ns_view_scene;

/* Make a scene. Initially all rows selected by the options are frames; curves: patterns of
 * quantities [ncurves]. Allocated in a. NS_USAGE: nothing has a position or a value that can be
 * shown. */
int ns_view_scene_make(ns_ctx *c, ns_result *r, const ns_export_options *o,
                       const char *const *curves, int ncurves, ns_arena *a, ns_view_scene *s);
/* Count the contacts of the frames, once the frames are chosen. */
int ns_view_scene_count(ns_ctx *c, ns_view_scene *s, ns_arena *a);
/* Add n quantities by which bodies can be coloured; call after ns_view_scene_make. Allocated in a.
 * NS_USAGE: no body has one. */
int ns_view_paints_make(ns_ctx *c, const char *const *pattern, int n, ns_arena *a,
                        ns_view_scene *s);
json_t *ns_view_paints_json(const ns_view_scene *s, int *bad); /* names and units */
const char *ns_view_title(const ns_view_scene *s);

/* Parts of the page: JSON and base64, see view/scene.html. */
int ns_view_put_scene(ns_ctx *c, const ns_view_scene *s, FILE *f);
int ns_view_put_motion(ns_ctx *c, const ns_view_scene *s, FILE *f);
int ns_view_put_contacts(ns_ctx *c, const ns_view_scene *s, FILE *f);
/* [paint][body][frame]; NaN where a body has none. */
int ns_view_put_paints(ns_ctx *c, const ns_view_scene *s, FILE *f);

#endif
