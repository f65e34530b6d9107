/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text_stream.h -- a string in memory that is written through a FILE.
 *
 * Used instead of open_memstream, because glibc's (2.36) reports success if memory runs out, with a
 * truncated string or NULL; neither ferror nor fclose report it. */
#ifndef NS_BASE_TEXT_STREAM_H
#define NS_BASE_TEXT_STREAM_H

#include <stdio.h>

/* Must not be moved between open and close. */
typedef struct ns_text_stream {
  FILE *to; /* write here; NULL where open failed */
  char *text;
  size_t n, capacity; /* bytes without and with those not yet used */
  int failed;         /* memory ended */
} ns_text_stream;

/* The FILE to write to, also in s->to; NULL where memory ended. */
FILE *ns_text_stream_open(ns_text_stream *s);
/* The whole text with a final 0, malloced, the caller's; NULL where memory ended, at opening too.
 * A second call returns NULL. */
char *ns_text_stream_close(ns_text_stream *s);

#endif
