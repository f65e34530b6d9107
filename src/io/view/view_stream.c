/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/view/view_stream.h"

#include <math.h>
#include <nettle/base64.h>

void ns_view_stream_end(ns_view_stream *s)
{
  char text[BASE64_ENCODE_RAW_LENGTH(sizeof s->held)];
  size_t bytes = s->n * sizeof *s->held;
  base64_encode_raw(text, bytes, (const uint8_t *)s->held);
  fwrite(text, 1, BASE64_ENCODE_RAW_LENGTH(bytes), s->f);
  s->n = 0;
}

void ns_view_stream_put(ns_view_stream *s, double x)
{
  s->held[s->n++] = (float)x;
  if (s->n == sizeof s->held / sizeof *s->held) ns_view_stream_end(s);
}

void ns_view_stream_put_reals(ns_view_stream *s, const double *x, int n)
{
  for (int i = 0; i < n; i++) ns_view_stream_put(s, isfinite(x[i]) ? x[i] : 0);
}
