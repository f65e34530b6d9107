/* SPDX-License-Identifier: GPL-3.0-or-later */
/* H W^-1 H^T + D of a part, block by block: W_ab is the sum over the bodies that a and b share. */
#include "problems/multibody_work.h"

#include "algebra/vector.h"

#include <limits.h>
#include <string.h>

/* Which blocks meet a body, ascending: entry sides k + side is where block k of the part does so.
 */
typedef struct incidence {
  /* first entry of each body, or of the one that stands in for its group, -1: none [nbodies] */
  int *head;
  int *next; /* of each entry [sides n] */
  int sides;
} incidence;

static void list(const ns_multibody *p, ns_multibody_part part, incidence *g)
{
  for (int k = part.n - 1; k >= 0; k--)
    for (int side = 0; side < g->sides; side++) {
      int body = ns_multibody_stand_in(p, ns_multibody_body(p, part.block[k], side));
      if (body < 0 || g->head[body] == NS_BODY_FIXED) continue;
      g->next[g->sides * k + side] = g->head[body];
      g->head[body] = g->sides * k + side;
    }
}

static void unlist(const ns_multibody *p, ns_multibody_part part, incidence *g)
{
  for (int k = 0; k < part.n; k++)
    for (int side = 0; side < g->sides; side++) {
      int body = ns_multibody_stand_in(p, ns_multibody_body(p, part.block[k], side));
      if (body >= 0 && g->head[body] != NS_BODY_FIXED) g->head[body] = -1;
    }
}

/* The least of the entries at hand, -1: they have come to their end. */
static inline int first_of(const int *e, int sides)
{
  int min = -1;
  for (int side = 0; side < sides; side++)
    if (e[side] >= 0 && (min < 0 || e[side] < e[min])) min = side;
  return min;
}

/* The blocks that share a body with block k, itself at least, ascending; to NULL: counted alone.
 * With a constant number of sides. */
static inline int merge(const ns_multibody *p, ns_multibody_part part, const incidence *g,
                        int sides, int k, int *to)
{
  int e[2 + NS_MULTIBODY_FURTHER], n = 0, last = -1;
  for (int side = 0; side < sides; side++) {
    int body = ns_multibody_stand_in(p, ns_multibody_body(p, part.block[k], side));
    e[side] = body >= 0 ? g->head[body] : -1;
  }
  for (int side; (side = first_of(e, sides)) >= 0; e[side] = g->next[e[side]]) {
    if (e[side] / sides == last) continue;
    last = e[side] / sides;
    if (to) to[n] = last;
    n++;
  }
  if (n) return n;
  if (to) to[0] = k;
  return 1;
}

static int neighbours(const ns_multibody *p, ns_multibody_part part, const incidence *g, int k,
                      int *to)
{
  return g->sides == 2 ? merge(p, part, g, 2, k, to) : merge(p, part, g, g->sides, k, to);
}

static int structure(const ns_multibody *p, ns_multibody_part part, const incidence *g, ns_arena *a,
                     ns_blocks *W)
{
  size_t n = (size_t)part.n, entries = 0, numbers = 0;
  W->nb = part.n;
  W->dim = ns_arena_get(a, n, sizeof *W->dim);
  W->first = ns_arena_get(a, n + 1, sizeof *W->first);
  W->row = ns_arena_get(a, n + 1, sizeof *W->row);
  if (!W->dim || !W->first || !W->row) return 0;
  W->first[0] = W->row[0] = 0;
  for (int k = 0; k < part.n; k++) {
    W->dim[k] = ns_multibody_dim(p, part.block[k]);
    W->first[k + 1] = W->first[k] + W->dim[k];
    entries += (size_t)neighbours(p, part, g, k, NULL);
    if (entries > INT_MAX) return 0;
    W->row[k + 1] = (int)entries;
  }
  W->m = W->first[part.n];
  W->col = ns_arena_get(a, entries, sizeof *W->col);
  W->off = ns_arena_get(a, entries, sizeof *W->off);
  if (!W->col || !W->off) return 0;
  for (int k = 0; k < part.n; k++) {
    neighbours(p, part, g, k, W->col + W->row[k]);
    for (int e = W->row[k]; e < W->row[k + 1]; e++) {
      W->off[e] = numbers;
      numbers += (size_t)W->dim[k] * (size_t)W->dim[W->col[e]];
    }
  }
  return (W->val = ns_arena_get(a, numbers, sizeof *W->val)) != NULL;
}

/* B [d x n] = H_a P_b, where P_b holds W^-1 H_b^T of the bodies of b, one after the other in each
 * row. With constant numbers of sides and degrees of freedom. */
static inline void product_of(const ns_multibody *p, int sides, size_t dof, int a, int b,
                              const double *P, int d, int n, double *B)
{
  memset(B, 0, (size_t)(d * n) * sizeof *B);
  for (int s = 0; s < sides; s++)
    for (int t = 0; t < sides; t++) {
      int body = ns_multibody_body(p, a, s);
      if (body < 0 || body != ns_multibody_body(p, b, t)) continue;
      const double *h = ns_multibody_entries(p, p->row[a], s), *x = P + dof * (size_t)t;
      size_t stride = dof * (size_t)(s < 2 ? 2 : p->further);
      for (int j = 0; j < n; j++, x += dof * (size_t)sides)
        for (int i = 0; i < d; i++) B[i + j * d] += ns_dot(dof, h + stride * (size_t)i, x);
    }
}

/* The same with what pushes one body of a group moves of the others. */
static void add_joined(const ns_multibody *p, int a, int b, int d, int n, double *B)
{
  size_t dof = (size_t)p->dof;
  int sides = ns_multibody_sides(p);
  for (int s = 0; s < sides; s++)
    for (int t = 0; t < sides; t++) {
      int i = ns_multibody_body(p, a, s), j = ns_multibody_body(p, b, t);
      if (i < 0 || j < 0 || i == j || p->groups->group[i] < 0 ||
          p->groups->group[i] != p->groups->group[j])
        continue;
      for (int l = 0; l < n; l++) {
        double y[6] = {0};
        ns_multibody_joined(p, i, j, ns_multibody_entries(p, p->row[b] + l, t), y);
        for (int k = 0; k < d; k++)
          B[k + l * d] += ns_dot(dof, ns_multibody_entries(p, p->row[a] + k, s), y);
      }
    }
}

static void product(const ns_multibody *p, int a, int b, const double *P, int d, int n, double *B)
{
  if (p->further) product_of(p, 2 + p->further, (size_t)p->dof, a, b, P, d, n, B);
  else if (p->dof == 3) product_of(p, 2, 3, a, b, P, d, n, B);
  else product_of(p, 2, 6, a, b, P, d, n, B);
  if (p->groups) add_joined(p, a, b, d, n, B);
}

/* B [d x d] += D of block a */
static void add_compliance(const ns_multibody *p, int a, int d, double *B)
{
  for (int i = 0; i < d; i++) B[i + i * d] += p->D[p->row[a] + i];
}

/* W^-1 H^T of the part's rows, by rows [m][sides dof], and q. */
static void accelerations(const ns_multibody *p, ns_multibody_part part, double *P, double *q)
{
  size_t dof = (size_t)p->dof;
  int sides = ns_multibody_sides(p);
  for (int k = 0; k < part.n; k++) {
    int a = part.block[k];
    for (int i = p->row[a]; i < p->row[a + 1]; i++) {
      *q++ = ns_multibody_row(p, a, i, p->vfree);
      for (int s = 0; s < sides; s++, P += dof) {
        int body = ns_multibody_body(p, a, s);
        if (body < 0) continue;
        ns_multibody_move_body(p, dof, body, ns_multibody_entries(p, i, s), P);
      }
    }
  }
}

int ns_multibody_reduce_part(const ns_multibody *p, ns_multibody_part part, int *head, ns_arena *a,
                             ns_blocks *W, double **q)
{
  size_t width = (size_t)(ns_multibody_sides(p) * p->dof);
  incidence g = {.head = head, .sides = ns_multibody_sides(p)};
  double *P;
  *W = (ns_blocks){0};
  g.next = ns_arena_get(a, (size_t)g.sides * (size_t)part.n, sizeof *g.next);
  if (!g.next) return 0;
  list(p, part, &g);
  int got = structure(p, part, &g, a, W);
  unlist(p, part, &g);
  if (!got || !(*q = ns_arena_get(a, (size_t)W->m, sizeof **q))) return 0;
  if (!(P = ns_arena_get(a, width * (size_t)W->m, sizeof *P))) return 0;
  accelerations(p, part, P, *q);
  for (int k = 0; k < part.n; k++)
    for (int e = W->row[k]; e < W->row[k + 1]; e++) {
      int l = W->col[e];
      product(p, part.block[k], part.block[l], P + width * (size_t)W->first[l], W->dim[k],
              W->dim[l], W->val + W->off[e]);
      if (l == k && p->D) add_compliance(p, part.block[k], W->dim[k], W->val + W->off[e]);
    }
  return 1;
}

int ns_multibody_reduce(ns_ctx *c, const ns_multibody *p, ns_arena *a, ns_blocks *W, double **q)
{
  int *block = ns_arena_get(a, (size_t)p->nblocks, sizeof *block),
      *head = ns_arena_get(a, (size_t)p->nbodies, sizeof *head);
  for (int k = 0; block && k < p->nblocks; k++) block[k] = k;
  if (head) ns_multibody_movers(p, head);
  if (block && head &&
      ns_multibody_reduce_part(p, (ns_multibody_part){p->nblocks, block}, head, a, W, q))
    return NS_OK;
  return ns_nomem(c, "contacts of many bodies, multiplied out");
}
