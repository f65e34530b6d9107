/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_ids.c -- which id names which system or interaction. */
#include "io/load/load_job.h"

#include "base/suggest.h"

#define HASH_NONFATAL_OOM 1
#define HASH_BKT_CAPACITY_THRESH 2 /* short chains: 10^5 ids do not fit a cache */
#define uthash_nonfatal_oom(item) ((item)->lost = 1)
#include <uthash.h>

typedef struct ns_load_thing {
  const char *id;
  const ns_elem *e;
  int k, is_system, lost;
  UT_hash_handle hh;
} thing;

static thing *find(const ns_load *l, const char *id)
{
  thing *t = NULL;
  HASH_FIND_STR(l->things, id, t);
  return t;
}

int ns_load_id_add(ns_load *l, const ns_elem *e, const char *id, int is_system, int k)
{
  unsigned len = (unsigned)strlen(id), hash;
  thing *before = NULL;
  HASH_VALUE(id, len, hash);
  HASH_FIND_BYHASHVALUE(hh, l->things, id, len, hash, before);
  if (before && before->e == e)
    return ns_elem_fail(&l->msg, e, id,
                        "the <repeat> generates this id a second time, expected a new one each "
                        "time; write an index in braces, such as id=\"%.40s{i}\"",
                        id);
  if (before)
    return ns_elem_fail(
        &l->msg, e, id,
        "this id is already used (first at %s:%d), expected a new one; rename one of them",
        before->e->file, before->e->line);
  thing *t = ns_arena_get(l->ids, 1, sizeof *t);
  if (!t) return ns_nomem(&l->msg.c, "ids");
  *t = (thing){.id = id, .e = e, .k = k, .is_system = is_system};
  HASH_ADD_KEYPTR_BYHASHVALUE(hh, l->things, t->id, len, hash, t);
  return t->lost ? ns_nomem(&l->msg.c, "ids") : NS_OK;
}

int ns_load_id_system(const ns_load *l, const char *id)
{
  const thing *t = find(l, id);
  return t && t->is_system ? t->k : -1;
}

int ns_load_id_interaction(const ns_load *l, const char *id, const char **near)
{
  const thing *t = find(l, id);
  int left = 3000;
  *near = NULL;
  if (t && !t->is_system) return t->k;
  ns_suggest s = ns_suggest_for(id, strlen(id));
  for (t = l->things; t && left-- > 0; t = t->hh.next)
    if (!t->is_system) ns_suggest_offer(&s, t->id);
  *near = s.best;
  return -1;
}

const char *ns_load_id_suggest(const ns_load *l, const char *id, int *is_interaction)
{
  const thing *t = find(l, id);
  int left = 3000;
  *is_interaction = t && !t->is_system;
  ns_suggest s = ns_suggest_for(id, strlen(id));
  for (t = l->things; t && left-- > 0; t = t->hh.next)
    if (t->is_system) ns_suggest_offer(&s, t->id);
  return s.best;
}

void ns_load_ids_fini(ns_load *l) { HASH_CLEAR(hh, l->things); }
