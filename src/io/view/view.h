/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view.h -- a result as one page that plays the motion in a browser, with nothing from the network.
 *
 * The page is view/scene.html, in which the program replaces the comments nssim:WORD: title, the
 * scene as JSON, positions and contacts as base64 of 32-bit floats, and the library three.js.
 * Bodies without shapes, and points of Lagrangian systems (export_points.h), are shown as small
 * spheres. Where nothing has a place (circuits, systems of first order, other coordinates) voltages
 * of nodes or states are bars. */
#ifndef NS_IO_VIEW_VIEW_H
#define NS_IO_VIEW_VIEW_H

#include "io/export/export.h"

typedef struct ns_view_options {
  ns_export_options rows;    /* from, to, every, frames, points */
  double fps;                /* frames for a second of the model; NaN: as rows say */
  const char *const *curves; /* patterns of quantities drawn beside the scene [ncurves] */
  int ncurves;
  const char *const *paints; /* quantities that bodies can be coloured by [npaints] */
  int npaints;
  const char *page, *library; /* paths of scene.html and three.min.js */
} ns_view_options;

typedef struct ns_view_size {
  size_t frames, rows, bodies, bars,
      bytes; /* rows: what there was to choose from; bytes of the page */
} ns_view_size;

/* NS_USAGE: nothing that moves, or too much for a page. NS_NOINPUT: page or library cannot be read.
 */
int ns_view_write(ns_ctx *c, ns_result *r, const ns_view_options *o, const char *path,
                  ns_view_size *size);

#endif
