/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_stack.c -- names of the state where several systems stand one after the other. */
#include "io/load_job.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
  return strcmp(((const ns_coordinate *)a)->name, ((const ns_coordinate *)b)->name);
}

/* An id with - cannot stand in a formula. */
static int is_word(const char *id) { return !strchr(id, '-'); }

static const char *dotted(ns_load *l, const char *id, const char *name)
{
  size_t a = strlen(id), b = strlen(name);
  char *s = ns_arena_get(l->scratch, a + b + 2, 1);
  if (!s) return NULL;
  memcpy(s, id, a);
  s[a] = '.';
  memcpy(s + a + 1, name, b + 1);
  return s;
}

/* Make one of equal names, k = -1. */
static int merge(ns_coordinate *c, int n)
{
  int kept = 0;
  for (int i = 0; i < n; i++) {
    if (kept && !strcmp(c[kept - 1].name, c[i].name)) c[kept - 1].k = -1;
    else c[kept++] = c[i];
  }
  return kept;
}

int ns_load_scope_stack(ns_load *l, const int *k, int n, ns_load_scope *s)
{
  const ns_system *system = l->m->systems;
  size_t most = 0;
  int names = 0, at = 0;
  for (int i = 0; i < n; i++)
    if (system[k[i]].names) most += 2 * (size_t)system[k[i]].n;
  ns_coordinate *c = ns_arena_get(l->scratch, most, sizeof *c);
  if (!c) return ns_nomem(&l->msg.c, "names of an interaction");
  *s = (ns_load_scope){.l = l, .several = 1, .sorted = c};
  for (int i = 0; i < n; at += system[k[i++]].n) {
    const ns_system *y = &system[k[i]];
    s->first_order = (y->kind->flags & NS_SYS_FIRST_ORDER) != 0;
    s->nz += y->nz;
    for (int j = 0; y->names && j < y->n; j++) {
      c[names++] = (ns_coordinate){y->names[j], at + j, i};
      if (!is_word(y->at.id)) continue;
      c[names].name = dotted(l, y->at.id, y->names[j]);
      if (!c[names].name) return ns_nomem(&l->msg.c, "names of an interaction");
      c[names].of = i;
      c[names++].k = at + j;
    }
  }
  s->n = at;
  if (names) qsort(c, (size_t)names, sizeof *c, by_name);
  s->nsorted = merge(c, names);
  return NS_OK;
}
