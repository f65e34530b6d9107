/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text_stream.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { FIRST_CAPACITY = 256 };

/* Capacity for n more bytes and the final 0. */
static int grow_text(ns_text_stream *s, size_t n)
{
  if (n < s->capacity - s->n) return 1;
  size_t allocated = 2 * s->capacity + n + 1;
  char *text = realloc(s->text, allocated);
  if (!text) return 0;
  s->text = text;
  s->capacity = allocated;
  return 1;
}

static ssize_t append_text(void *cookie, const char *from, size_t n)
{
  ns_text_stream *s = cookie;
  if (s->failed || !grow_text(s, n)) {
    s->failed = 1;
    return 0;
  }
  memcpy(s->text + s->n, from, n);
  s->n += n;
  return (ssize_t)n;
}

FILE *ns_text_stream_open(ns_text_stream *s)
{
  *s = (ns_text_stream){.text = malloc(FIRST_CAPACITY), .capacity = FIRST_CAPACITY};
  if (s->text) s->to = fopencookie(s, "w", (cookie_io_functions_t){.write = append_text});
  if (!s->to) {
    free(s->text);
    s->text = NULL;
  }
  return s->to;
}

char *ns_text_stream_close(ns_text_stream *s)
{
  if (!s->to) return NULL;
  int bad = ferror(s->to);
  bad |= fclose(s->to);
  char *text = s->text;
  s->to = NULL;
  s->text = NULL;
  if (bad || s->failed) {
    free(text);
    return NULL;
  }
  text[s->n] = 0;
  return text;
}
