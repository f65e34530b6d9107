/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks that meet no common body, not even through others, are separate problems. */
#include "algebra/vector.h"
#include "problems/multibody_work.h"

#include "base/sets.h"

#include <string.h>

static int is_fixed(const ns_multibody *p, int body)
{
  size_t n = (size_t)(p->diagonal ? p->dof : p->dof * p->dof);
  const double *W = p->inverse + n * (size_t)body;
  for (size_t k = 0; k < n; k++)
    if (W[k] != 0) return 0;
  return 1;
}

void ns_multibody_movers(const ns_multibody *p, int *body)
{
  for (int i = 0; i < p->nbodies; i++) body[i] = is_fixed(p, i) ? NS_BODY_FIXED : -1;
}

/* A body that moves and that block a meets, -1: none. */
static int mover(const ns_multibody *p, const int *up, int a)
{
  for (int side = 0; side < ns_multibody_sides(p); side++) {
    int body = ns_multibody_body(p, a, side);
    if (body >= 0 && up[body] >= 0) return body;
  }
  return -1;
}

int ns_multibody_moves(const ns_multibody *p, const int *number, int a)
{
  for (int side = 0; side < ns_multibody_sides(p); side++) {
    int body = ns_multibody_body(p, a, side);
    if (body >= 0 && number[body] != NS_BODY_FIXED) return 1;
  }
  return 0;
}

/* i and j, where both move. */
static inline void join_pair(int *up, int i, int j)
{
  if (i >= 0 && j >= 0 && up[i] >= 0 && up[j] >= 0) ns_sets_join(up, i, j);
}

/* up [nbodies]: trees of the bodies that move; negative for the others. The smaller number is the
 * root, whatever the order. */
static void join(const ns_multibody *p, int *up)
{
  ns_multibody_movers(p, up);
  for (int i = 0; i < p->nbodies; i++)
    if (up[i] == -1) up[i] = i;
  for (int a = 0; a < p->nblocks; a++) {
    join_pair(up, p->body[2 * a], p->body[2 * a + 1]);
    if (!ns_multibody_is_wide(p, a)) continue;
    for (int side = 2; side < ns_multibody_sides(p); side++)
      join_pair(up, mover(p, up, a), ns_multibody_body(p, a, side));
  }
  for (int i = 0; i < p->nbodies && p->groups; i++) join_pair(up, ns_multibody_stand_in(p, i), i);
}

int ns_multibody_wants_reduction(const ns_multibody *p, ns_multibody_part part)
{
  if (!p->further && !p->D && !p->groups && !p->balls) return 0;
  for (int k = 0; k < part.n; k++) {
    int a = part.block[k];
    if (ns_multibody_is_wide(p, a) || ns_multibody_is_compliant(p, a)) return 1;
    if (p->kind[a] == NS_BLOCK_BALL) return 1;
    for (int side = 0; side < 2 && p->groups; side++)
      if (p->body[2 * a + side] >= 0 && p->groups->group[p->body[2 * a + side]] >= 0) return 1;
  }
  return 0;
}

int ns_multibody_list_pushes(const ns_multibody *p, ns_arena *a, ns_multibody_pushes *by)
{
  by->first = ns_arena_zero(a, (size_t)p->nbodies + 2, sizeof *by->first);
  by->side = ns_arena_get(a, 2 * (size_t)p->nblocks, sizeof *by->side);
  if (!by->first || !by->side) return 0;
  int *at = by->first + 1; /* in the end where those of the next body begin */
  for (int e = 0; e < 2 * p->nblocks; e++)
    if (p->body[e] >= 0) at[p->body[e] + 1]++;
  ns_prefix_sums((size_t)p->nbodies, at);
  for (int e = 0; e < 2 * p->nblocks; e++)
    if (p->body[e] >= 0) by->side[at[p->body[e]]++] = e;
  return 1;
}

int ns_multibody_split(const ns_multibody *p, ns_arena *a, ns_multibody_parts *s)
{
  size_t nb = (size_t)p->nblocks, n = (size_t)p->nbodies;
  int *number = s->body = ns_arena_get(a, n, sizeof *number);
  s->first = ns_arena_zero(a, nb + 2, sizeof *s->first);
  s->block = ns_arena_get(a, nb, sizeof *s->block);
  ns_mark mark = ns_arena_mark(a); /* what comes is scratch */
  int *up = ns_arena_get(a, n, sizeof *up), *part = ns_arena_get(a, nb, sizeof *part);
  s->n = 0;
  if (!up || !number || !part || !s->first || !s->block) return 0;
  join(p, up);
  ns_fill_ints(n, -1, number);
  for (int k = 0; k < p->nblocks; k++) { /* parts by their first block */
    int i = mover(p, up, k);
    int *of = i < 0 ? NULL : &number[ns_sets_root(up, i)];
    part[k] = of && *of >= 0 ? *of : s->n++;
    if (of) *of = part[k];
    s->first[part[k] + 2]++;
  }
  for (int k = 0; k < s->n; k++) s->first[k + 2] += s->first[k + 1];
  for (int k = 0; k < p->nblocks; k++) s->block[s->first[part[k] + 1]++] = k;
  for (size_t i = 0; i < n; i++) number[i] = up[i] < 0 ? up[i] : -1;
  ns_arena_release(a, mark);
  return 1;
}

int ns_multibody_has_joints(const ns_multibody *p, ns_multibody_part part)
{
  for (int k = 0; k < part.n; k++) {
    int a = part.block[k];
    if (p->kind[a] == NS_BLOCK_BOX && ns_multibody_is_free(p, p->row[a])) return 1;
  }
  return 0;
}
