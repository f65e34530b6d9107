/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_refs.c -- attribute systems="left bead{i+1}": which systems, or joints, an element refers
 * to. */
#include "io/load/load_job.h"

#include <ctype.h>
#include <string.h>

/* End of the id that begins at p: white space inside braces belongs to it. */
static const char *id_end(const char *p)
{
  for (int braces = 0; *p && (braces || !isspace((unsigned char)*p)); p++) {
    if (*p == '{') braces = 1;
    if (*p == '}') braces = 0;
  }
  return p;
}

int ns_refs_make(ns_load *l, const ns_elem *e, const char *attribute, const ns_indices *index,
                 ns_refs *r)
{
  const char *p = ns_elem_attr(e, attribute);
  size_t max = strlen(p) / 2 + 1;
  int rc = NS_OK;
  *r = (ns_refs){.system = ns_arena_get(l->scratch, max, sizeof *r->system),
                 .last = ns_arena_zero(l->scratch, max, sizeof *r->last)};
  if (!r->system || !r->last) return ns_nomem(&l->msg.c, "systems of an interaction");
  while (!rc) {
    while (isspace((unsigned char)*p)) p++;
    if (!*p) break;
    const char *end = id_end(p);
    rc = ns_template_make(l, e, attribute, p, (size_t)(end - p), index, &r->system[r->n++]);
    p = end;
  }
  return rc;
}

static int unknown_system(ns_load *l, const ns_elem *e, const char *id, const char *system)
{
  int interaction;
  if (l->ids_unknown) return NS_MODEL; /* it may be one that could not be made */
  const char *near = ns_load_id_suggest(l, system, &interaction);
  if (interaction)
    return ns_elem_fail(&l->msg, e, id,
                        "acts on %s, which is an interaction, expected ids of systems", system);
  if (near)
    return ns_elem_fail(&l->msg, e, id, "unknown system %s, did you mean %s?", system, near);
  return ns_elem_fail(&l->msg, e, id, "unknown system %s, expected the id of a system in <systems>",
                      system);
}

/* Index of a system. In a <repeat> it is mostly the one after that of the last visit: a look there
 * spares a walk through a table that is too large for the cache. */
static int find_system(const ns_load *l, const char *id, int last)
{
  int next = last + 1;
  if (next < l->m->nsystems && !strcmp(l->m->systems[next].at.id, id)) return next;
  return ns_load_id_system(l, id);
}

int ns_refs_body(ns_load *l, const ns_elem *e, ns_refs *r, int i, const ns_indices *index,
                 const char *of, int *system)
{
  char id[NS_ID_MAX + 1];
  int rc = ns_template_write(l, e, &r->system[i], index, id);
  if (rc) return rc;
  *system = r->last[i] = find_system(l, id, r->last[i]);
  if (*system >= l->m->nsystems) return NS_MODEL; /* reported where it stands */
  if (*system >= 0) return NS_OK;
  *system = NS_WORLD;
  return strcmp(id, "world") ? unknown_system(l, e, of, id) : NS_OK;
}

int ns_refs_get(ns_load *l, const ns_elem *e, ns_refs *r, const ns_indices *index, const char *of,
                const int **systems, int *nQ, int *nZ)
{
  int *k = ns_arena_get(l->m->arena, (size_t)r->n, sizeof *k);
  char id[NS_ID_MAX + 1];
  long q = 0, z = 0;
  if (!k) return ns_nomem(&l->msg.c, "systems of an interaction");
  for (int i = 0; i < r->n; i++) {
    int rc = ns_template_write(l, e, &r->system[i], index, id);
    if (rc) return rc;
    k[i] = r->last[i] = find_system(l, id, r->last[i]);
    if (k[i] < 0) return unknown_system(l, e, of, id);
    if (k[i] >= l->m->nsystems) return NS_MODEL; /* reported where it stands */
    q += l->m->systems[k[i]].nq;
    z += l->m->systems[k[i]].nz;
  }
  if (q > NS_ENTRIES_MAX)
    return ns_elem_fail(&l->msg, e, of, "acts on %ld coordinates, expected at most %d", q,
                        (int)NS_ENTRIES_MAX);
  *systems = k;
  *nQ = (int)q;
  *nZ = (int)z; /* values have at most NS_ENTRIES_EACH * max entries */
  return NS_OK;
}
