/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/context.h"

#include "base/grow.h"

#include <stdio.h>
#include <string.h>

/* Texts of a model stand in messages: none may move a terminal's cursor. ESC and the like become
 * blanks, also those of two bytes (U+0080 to U+009F in UTF-8). */
static void tame(char *s)
{
  for (unsigned char *u = (unsigned char *)s; *u; u++) {
    int two = u[0] == 0xc2 && u[1] >= 0x80 && u[1] < 0xa0;
    if ((*u < ' ' && *u != '\n') || *u == 0x7f || two) *u = ' ';
    if (two) *++u = ' ';
  }
}

static void report(ns_ctx *c, ns_severity sev, const char *msg)
{
  if (c->report) c->report(c->to, sev, msg);
}

int ns_vfail(ns_ctx *c, int rc, const char *fmt, va_list ap)
{
  char msg[sizeof c->msg];
  vsnprintf(msg, sizeof msg, fmt, ap);
  tame(msg);
  if (c->nerrors++ == 0) {
    c->rc = rc;
    memcpy(c->msg, msg, sizeof msg);
  }
  report(c, NS_SEV_ERROR, msg);
  return rc;
}

int ns_fail(ns_ctx *c, int rc, const char *fmt, ...)
{
  va_list ap;
  va_start(ap, fmt);
  ns_vfail(c, rc, fmt, ap);
  va_end(ap);
  return rc;
}

int ns_fail_below(ns_ctx *c, int rc, const char *fmt, ...)
{
  char msg[sizeof c->msg];
  NS_FORMAT(msg, fmt);
  return ns_fail(c, rc, "%s%s%s", c->within ? c->within : "", c->within ? ": " : "", msg);
}

int ns_nomem(ns_ctx *c, const char *what)
{
  return ns_fail(c, NS_NOMEM, "out of memory (%s)", what);
}

void ns_warn(ns_ctx *c, const char *fmt, ...)
{
  char msg[sizeof c->msg];
  NS_FORMAT(msg, fmt);
  tame(msg);
  c->nwarnings++;
  report(c, NS_SEV_WARNING, msg);
}

void ns_note(ns_ctx *c, const char *fmt, ...)
{
  char msg[sizeof c->msg];
  NS_FORMAT(msg, fmt);
  tame(msg);
  report(c, NS_SEV_NOTE, msg);
}

void ns_alive(const ns_ctx *c, const char *doing, long done, long of)
{
  if (c->alive) c->alive(c->to, doing, done, of);
}
