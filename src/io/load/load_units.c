/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_units.c -- units that a model says of its quantities. */
#include "io/load/load_job.h"

#include "expression/quote.h"

#include <string.h>

static int count(const char *text)
{
  static const char blank[] = " \t\r\n";
  int n = 0;
  for (text += strspn(text, blank); *text; text += strspn(text, blank)) {
    text += strcspn(text, blank);
    n++;
  }
  return n;
}

int ns_load_units(ns_load *l, const ns_elem *e, const char *attribute, int n,
                  const char *const **out)
{
  const char *text = ns_elem_attr(e, attribute);
  if (!text) return NS_OK;
  int found = count(text), k = 0;
  if (found != n)
    return ns_elem_fail(&l->msg, e, NULL,
                        "attribute %s names %d unit%s, expected %d: one for each by white space, "
                        "N*m for N m, 1 for none",
                        attribute, found, found == 1 ? "" : "s", n);
  const char **unit = ns_arena_get(l->m->arena, (size_t)n, sizeof *unit);
  char *copy = ns_arena_text(l->m->arena, text), *save, quoted[NS_QUOTE_BYTES];
  if (!unit || !copy) return ns_nomem(&l->msg.c, "units");
  for (char *p = strtok_r(copy, " \t\r\n", &save); p; p = strtok_r(NULL, " \t\r\n", &save)) {
    ns_quote(quoted, p, strlen(p), 0);
    if (!ns_units_is_si(&l->units, p))
      return ns_elem_fail(
          &l->msg, e, NULL,
          "attribute %s: \"%s\" is not an SI unit, expected one such as m, rad, kg, N*m, V",
          attribute, quoted);
    unit[k++] = p;
    l->has_units = 1;
  }
  *out = unit;
  return NS_OK;
}
