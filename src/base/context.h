/* SPDX-License-Identifier: GPL-3.0-or-later */
/* context.h -- errors, warnings and notes.
 *
 * A context is passed down every call that can fail. It stores the first failure (code and message)
 * and passes each message immediately to a reporter set by the command line. One context per run:
 * no state is shared between runs.
 *
 * A message is one sentence with the place (`file.xml:line: <element id="x">`), what was found,
 * what was expected, and what to do. */
#ifndef NS_BASE_CONTEXT_H
#define NS_BASE_CONTEXT_H

#include "base/status.h"

#include <stdarg.h>

typedef enum ns_severity { NS_SEV_ERROR, NS_SEV_WARNING, NS_SEV_NOTE } ns_severity;

typedef struct ns_ctx {
  int rc;      /* code of the first failure, NS_OK before */
  int nerrors; /* failures so far */
  int nwarnings;
  char msg[1024]; /* message of the first failure, "" before */
  /* Called with each message, without a trailing newline; NULL: silent. */
  void (*report)(void *to, ns_severity sev, const char *msg);
  void *to;
  /* Called from time to time by long work without steps, such as loading a model: what it does, and
   * how much is done (of 0: unknown total). The callback decides by the clock whether to show
   * anything. NULL: no progress. */
  void (*alive)(void *to, const char *doing, long done, long of);
  /* place to name in messages of layers that know no elements; NULL: none */
  const char *within;
  /* long work in a step is given up with NS_STOPPED as that says (clock.h); NULL: it never is */
  const struct ns_stop *stop;
  struct ns_claims *claims; /* files of the command (claim.h); NULL: not compared */
} ns_ctx;

#define NS_PRINTF(f, a) __attribute__((format(printf, f, a)))

/* Report a failure; keep the first. Returns rc. */
int ns_fail(ns_ctx *c, int rc, const char *fmt, ...) NS_PRINTF(3, 4);
int ns_vfail(ns_ctx *c, int rc, const char *fmt, va_list ap) NS_PRINTF(3, 0);
/* For layers that know no elements: the message begins with `within` if it is set. */
int ns_fail_below(ns_ctx *c, int rc, const char *fmt, ...) NS_PRINTF(3, 4);
/* The failure after a failed allocation; names what the memory was for. */
int ns_nomem(ns_ctx *c, const char *what);
void ns_warn(ns_ctx *c, const char *fmt, ...) NS_PRINTF(2, 3);
void ns_note(ns_ctx *c, const char *fmt, ...) NS_PRINTF(2, 3);
/* Report progress (ns_ctx.alive); cheap if there is no callback. */
void ns_alive(const ns_ctx *c, const char *doing, long done, long of);

#endif
