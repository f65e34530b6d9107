/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_messages.h -- collects the errors of a model, sorts them by line and reports them.
 *
 * The loader reads a file in several passes, but the user expects its errors from top to bottom.
 * They are therefore stored until the end. Beyond NS_MESSAGES_MAX only their number is reported. */
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
  ns_ctx c; /* context whose errors are collected; pass it to functions that can fail */
  ns_ctx *to;
  ns_message m[NS_MESSAGES_MAX];
  /* left_out: beyond NS_MESSAGES_MAX; lost: not stored because memory ran out */
  int n, left_out, lost;
} ns_messages;

void ns_messages_init(ns_messages *m, ns_ctx *to);
/* Go back to the state of which `before` is a copy: errors reported since then are dropped. */
void ns_messages_rewind(ns_messages *m, const ns_messages *before);
/* 1 if further errors would not be shown, so that loading can stop. */
int ns_messages_full(const ns_messages *m);
/* Report all errors to m->to by line, and free them. Returns the code of the first failure, or
 * NS_OK. */
int ns_messages_flush(ns_messages *m);

#endif
