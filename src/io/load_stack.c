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

/* names [n] of system y, which stands at position i; the first of them is entry `at`. */
static int add(ns_load *l, const ns_system *y, int i, const char *const *names, int n, int at, int input,
               ns_coordinate *c, int *have)
{
  for (int j = 0; names && j < n; j++) {
    ns_coordinate a = {.name = names[j], .k = at + j, .of = i, .input = input};
    c[(*have)++] = a;
    if (!is_word(y->at.id)) continue;
    if (!(a.name = dotted(l, y->at.id, names[j]))) return ns_nomem(&l->msg.c, "names of an interaction");
    c[(*have)++] = a;
  }
  return NS_OK;
}

int ns_load_scope_stack(ns_load *l, const int *k, int n, ns_load_scope *s)
{
  const ns_system *system = l->m->systems;
  size_t most = 0;
  int names = 0, rc = NS_OK;
  for (int i = 0; i < n; i++) {
    if (system[k[i]].names) most += 2 * (size_t)system[k[i]].n;
    if (system[k[i]].znames) most += 2 * (size_t)system[k[i]].nz;
  }
  ns_coordinate *c = ns_arena_get(l->scratch, most, sizeof *c);
  if (!c) return ns_nomem(&l->msg.c, "names of an interaction");
  *s = (ns_load_scope){.l = l, .several = 1, .sorted = c};
  for (int i = 0; i < n && !rc; i++) {
    const ns_system *y = &system[k[i]];
    s->first_order = (y->kind->flags & NS_SYS_FIRST_ORDER) != 0;
    rc = add(l, y, i, y->names, y->n, s->n, 0, c, &names);
    if (!rc) rc = add(l, y, i, y->znames, y->nz, s->nz, 1, c, &names);
    s->n += y->n;
    s->nz += y->nz;
  }
  if (rc) return rc;
  if (names) qsort(c, (size_t)names, sizeof *c, by_name);
  s->nsorted = merge(c, names);
  return NS_OK;
}
