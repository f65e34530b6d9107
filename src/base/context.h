/* SPDX-License-Identifier: GPL-3.0-or-later */
/* context.h -- where errors, warnings and notes go.
 *
 * A context is passed down every call that can fail. It keeps the first failure (code and
 * sentence) and hands each message, as it happens, to a reporter that the command line sets.
 * One context per run: no state is shared between runs.
 *
 * A sentence names the place (`file.xml:line: <element id="x">`), what was found, what was
 * expected, and what to do. */
#ifndef NS_BASE_CONTEXT_H
#define NS_BASE_CONTEXT_H

#include "base/status.h"

#include <stdarg.h>

typedef enum ns_severity { NS_SEV_ERROR, NS_SEV_WARNING, NS_SEV_NOTE } ns_severity;

typedef struct ns_ctx {
  int rc;      /* code of the first failure, NS_OK before */
  int nerrors; /* failures so far */
  int nwarnings;
  char msg[1024]; /* sentence of the first failure, "" before */
  /* Called with each message, without a trailing newline; NULL: silent. */
  void (*report)(void *to, ns_severity sev, const char *msg);
  void *to;
  /* Called now and then by long work that makes no steps, such as loading a model: what it does,
   * and how much of it is done (of 0: nobody knows of how much). The work knows no clock: whoever
   * watches looks at one. NULL: nobody watches. */
  void (*alive)(void *to, const char *doing, long done, long of);
  /* place on whose behalf layers are called that know no elements; NULL: none */
  const char *within;
  struct ns_claims *claims; /* what the command reads and writes (claim.h); NULL: not compared */
} ns_ctx;

#define NS_PRINTF(f, a) __attribute__((format(printf, f, a)))

/* Report a failure; keep the first. Returns rc. */
int ns_fail(ns_ctx *c, int rc, const char *fmt, ...) NS_PRINTF(3, 4);
int ns_vfail(ns_ctx *c, int rc, const char *fmt, va_list ap) NS_PRINTF(3, 0);
/* Of a layer that knows no elements: the sentence begins with `within`, where that is set. */
int ns_fail_below(ns_ctx *c, int rc, const char *fmt, ...) NS_PRINTF(3, 4);
/* The failure that every failed allocation ends in: names what the memory was for. */
int ns_nomem(ns_ctx *c, const char *what);
void ns_warn(ns_ctx *c, const char *fmt, ...) NS_PRINTF(2, 3);
void ns_note(ns_ctx *c, const char *fmt, ...) NS_PRINTF(2, 3);
/* A sign of life (ns_ctx.alive); cheap where nobody watches. */
void ns_alive(const ns_ctx *c, const char *doing, long done, long of);

#endif
