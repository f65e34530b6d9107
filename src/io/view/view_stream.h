/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view_stream.h -- private to view*.c: 32-bit floats as base64, little-endian, as every machine
 * that nssim and browsers run on. */
#ifndef NS_IO_VIEW_VIEW_STREAM_H
#define NS_IO_VIEW_VIEW_STREAM_H

#include <stdio.h>

typedef struct ns_view_stream {
  FILE *f;
  float held[768]; /* whole groups of three bytes: 3072 */
  size_t n;
} ns_view_stream;

void ns_view_stream_put(ns_view_stream *s, double x);
/* Those that are not finite are 0. */
void ns_view_stream_put_reals(ns_view_stream *s, const double *x, int n);
/* What is held; after the last. */
void ns_view_stream_end(ns_view_stream *s);

#endif
