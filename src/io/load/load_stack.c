/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_stack.c -- names of the state where several systems stand one after the other. */
#include "io/load/load_job.h"

#include <stdlib.h>
#include <string.h>

int ns_coordinate_order(const void *a, const void *b)
{
  return strcmp(((const ns_coordinate *)a)->name, ((const ns_coordinate *)b)->name);
}

/* An id with - cannot stand in a formula. */
static int is_word(const char *id) { return !strchr(id, '-'); }

static const char *dotted(ns_load *l, const char *id, const char *name)
{
  return ns_arena_format(l->scratch, "%s.%s", id, name);
}

/* Make one of equal names. */
static int merge(ns_coordinate *c, int n)
{
  int kept = 0;
  for (int i = 0; i < n; i++) {
    if (kept && !strcmp(c[kept - 1].name, c[i].name)) c[kept - 1].ambiguous = 1;
    else c[kept++] = c[i];
  }
  return kept;
}

int ns_load_name(const ns_system *y, int j, ns_coordinate *c)
{
  int turns = y->nq != y->n; /* angular velocities are no derivatives of coordinates */
  int nq = y->names ? y->nq : 0, rates = turns ? 3 : 0, nz = y->znames ? y->nz : 0;
  *c = (ns_coordinate){.v = -1};
  if (j < nq)
    *c = (ns_coordinate){
        .name = y->names[j], .bank = NS_BANK_Q, .k = j, .v = turns && j >= 3 ? -1 : j};
  else if ((j -= nq) < rates)
    c->name = ns_system_names(y, "v")[3 + j], c->bank = NS_BANK_V, c->k = 3 + j;
  else if ((j -= rates) < nz) c->name = y->znames[j], c->bank = NS_BANK_Z, c->k = j;
  return c->name != NULL;
}

/* Names of system y, number i of those in s; also id.name. */
static int add(ns_load *l, const ns_system *y, int i, const ns_load_scope *s, ns_coordinate *c,
               int *have)
{
  ns_coordinate a;
  for (int j = 0; ns_load_name(y, j, &a); j++) {
    a.k += a.bank == NS_BANK_Q ? s->n : a.bank == NS_BANK_V ? s->nv : s->nz;
    if (ns_system_is_first_order(y) && l->m->mixed) a.v = -1;
    if (a.v >= 0) a.v += s->nv;
    a.of = i;
    c[(*have)++] = a;
    if (!is_word(y->at.id)) continue;
    if (!(a.name = dotted(l, y->at.id, a.name)))
      return ns_nomem(&l->msg.c, "names of an interaction");
    c[(*have)++] = a;
  }
  return NS_OK;
}

int ns_load_scope_stack(ns_load *l, const int *k, int n, ns_load_scope *s)
{
  const ns_system *system = l->m->systems;
  size_t max = 0;
  int names = 0, rc = NS_OK;
  for (int i = 0; i < n; i++) {
    if (system[k[i]].names) max += 2 * (size_t)(system[k[i]].nq + system[k[i]].n);
    if (system[k[i]].znames) max += 2 * (size_t)system[k[i]].nz;
  }
  ns_coordinate *c = ns_arena_get(l->scratch, max, sizeof *c);
  if (!c) return ns_nomem(&l->msg.c, "names of an interaction");
  *s = (ns_load_scope){
      .l = l, .several = 1, .sorted = c, .first_order = n > 0, .stack = k, .nstack = n};
  for (int i = 0; i < n && !rc; i++) {
    const ns_system *y = &system[k[i]];
    /* states of these beside mechanics have no v_name */
    s->first_order &= ns_system_is_first_order(y);
    rc = add(l, y, i, s, c, &names);
    s->n += y->nq;
    s->nv += y->n;
    s->nz += y->nz;
  }
  if (rc) return rc;
  if (names) qsort(c, (size_t)names, sizeof *c, ns_coordinate_order);
  s->nsorted = merge(c, names);
  return NS_OK;
}
