/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view.h -- writes a result as a web page that plays the motion and loads nothing from the network.
 *
 * The page is view/scene.html, in which the program replaces the comments nssim:WORD by the title,
 * the scene as JSON, positions and contacts as base64 of 32-bit floats, and the library three.js.
 * Bodies without shapes, and points of Lagrangian systems (export_points.h), are shown as small
 * spheres. If nothing has a position (circuits, first-order systems, other coordinates), node
 * voltages or states are shown as bars. */
#ifndef NS_IO_VIEW_VIEW_H
#define NS_IO_VIEW_VIEW_H

#include "io/export/export.h"

typedef struct ns_view_options {
  ns_export_options rows;    /* from, to, every, frames, points */
  double fps;                /* maximum of frames per second of model time; NaN: not given */
  const char *const *curves; /* patterns of quantities drawn next to the scene [ncurves] */
  int ncurves;
  const char *const *paints; /* quantities by which bodies can be coloured [npaints] */
  int npaints;
  const char *page, *library; /* paths of scene.html and three.min.js */
} ns_view_options;

typedef struct ns_view_size {
  size_t frames, rows, bodies, bars, bytes; /* rows: number of rows available; bytes of the page */
} ns_view_size;

/* Write the page. NS_USAGE: nothing moves, or it is too large for a page. NS_NOINPUT: page or
 * library cannot be read. */
int ns_view_write(ns_ctx *c, ns_result *r, const ns_view_options *o, const char *path,
                  ns_view_size *size);

#endif
