/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_messages.h -- collect the errors of a model, sort them by line, hand them on.
 *
 * The loader looks at a file in several passes; a reader wants its errors from top to bottom. So
 * they are kept until the end. After NS_MESSAGES_MAX only their number is told. */
#ifndef NS_IO_LOAD_LOAD_MESSAGES_H
#define NS_IO_LOAD_LOAD_MESSAGES_H

#include "base/context.h"

enum { NS_MESSAGES_MAX = 50 };

typedef struct ns_message {
  char *text; /* malloced */
  int file;   /* order in which its file was first named */
  int line, seq;
} ns_message;

typedef struct ns_messages {
  ns_ctx c; /* give this one to whatever may fail */
  ns_ctx *to;
  ns_message m[NS_MESSAGES_MAX];
  int n, left_out, lost; /* lost: not kept for want of memory */
} ns_messages;

void ns_messages_init(ns_messages *m, ns_ctx *to);
/* Whether further errors would not be shown: time to give up. */
/* As it was when `before` was a copy of it: what was reported since then is not told. */
void ns_messages_rewind(ns_messages *m, const ns_messages *before);
int ns_messages_full(const ns_messages *m);
/* Report all to m->to, in order of lines; free. Returns the code of the first failure, NS_OK where
 * none. */
int ns_messages_flush(ns_messages *m);

#endif
