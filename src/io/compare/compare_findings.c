/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/compare/compare_findings.h"

#include <math.h>
#include <stdarg.h>

int ns_compare_asks(const ns_compare_options *o, const char *label,
                    int (*means)(const char *pattern, const char *label))
{
  int is = !o->nonly;
  for (int k = 0; k < o->nonly; k++) is |= means(o->only[k], label);
  for (int k = 0; k < o->nignore; k++) is &= !means(o->ignore[k], label);
  return is;
}

const char *ns_compare_keep(const ns_compare_pen *p, ns_ctx *c, const char *text)
{
  if (!text) return NULL;
  const char *s = ns_arena_text(p->kept, text);
  if (!s) ns_nomem(c, "report of a comparison");
  return s ? s : "";
}

static const char *text_of(const ns_compare_pen *p, ns_ctx *c, const char *fmt, va_list ap)
{
  char buf[1200];
  vsnprintf(buf, sizeof buf, fmt, ap);
  return ns_compare_keep(p, c, buf);
}

void ns_compare_find(const ns_compare_pen *p, ns_ctx *c, ns_compare_kind kind, const char *quantity,
                     double t, const char *fmt, ...)
{
  va_list ap;
  ns_compare_report *r = p->rep;
  if (r->nfindings_all++ >= NS_COMPARE_MAX) return;
  va_start(ap, fmt);
  r->findings[r->nfindings++] = (ns_compare_finding){.kind = kind,
                                                     .quantity = ns_compare_keep(p, c, quantity),
                                                     .t = t,
                                                     .a = NAN,
                                                     .b = NAN,
                                                     .difference = NAN,
                                                     .tolerance = NAN,
                                                     .ratio = INFINITY,
                                                     .text = text_of(p, c, fmt, ap)};
  va_end(ap);
}

void ns_compare_note(const ns_compare_pen *p, ns_ctx *c, const char *fmt, ...)
{
  va_list ap;
  if (p->rep->nnotes == NS_COMPARE_MAX) return;
  va_start(ap, fmt);
  p->rep->notes[p->rep->nnotes++] = text_of(p, c, fmt, ap);
  va_end(ap);
}
