/* SPDX-License-Identifier: GPL-3.0-or-later */
/* view_stream.h -- private to view*.c: 32-bit floats as base64, in little-endian order, which is
 * that of all machines supported by nssim and browsers. */
#ifndef NS_IO_VIEW_VIEW_STREAM_H
#define NS_IO_VIEW_VIEW_STREAM_H

#include <stdio.h>

typedef struct ns_view_stream {
  FILE *f;
  float held[768]; /* a multiple of three bytes: 3072 */
  size_t n;
} ns_view_stream;

void ns_view_stream_put(ns_view_stream *s, double x);
/* Values that are not finite are written as 0. */
void ns_view_stream_put_reals(ns_view_stream *s, const double *x, int n);
/* Flush the buffer; call after the last value. */
void ns_view_stream_end(ns_view_stream *s);

#endif
