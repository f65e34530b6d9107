/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts that are multiplied out and given to a solver of mechanical.h.
 *
 * Those get their memory at creation, for the principal parts of one structure, and what they
 * return may depend on that structure to the last bits: it must follow from the problem alone.
 * Small parts are sorted by the kinds and sizes of their blocks; their structure is full, the
 * number of each sort rounded up. Contacts come and go then without a new solver, and those for the
 * few roundings met are kept. Large parts have a solver of their own structure, made anew where
 * that has changed. */
#include "problems/feasible.h"
#include "problems/multibody_work.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL_ROWS = 60, DIMS = 6, SORTS = 4 * DIMS, KEPT = 64 };

/* A solver and what it is for. */
typedef struct kept {
  const ns_mechanical_solver_ops *ops;
  void *solver;
  ns_arena *mem;
  int symmetric;
  int count[SORTS];    /* small: of each sort */
  ns_blocks structure; /* large */
  unsigned char *kind;
} kept;

struct ns_reduced {
  kept small[KEPT], large;
  int nsmall, oldest;
};

static void release(kept *k)
{
  if (k->solver) k->ops->destroy(k->solver);
  ns_arena_destroy(k->mem);
  *k = (kept){0};
}

ns_reduced *ns_reduced_create(void) { return calloc(1, sizeof(ns_reduced)); }

void ns_reduced_destroy(ns_reduced *s)
{
  if (!s) return;
  for (int i = 0; i < s->nsmall; i++) release(&s->small[i]);
  release(&s->large);
  free(s);
}

size_t ns_reduced_bytes(const ns_reduced *s)
{
  size_t n = sizeof *s;
  for (int i = 0; i < s->nsmall; i++) n += ns_arena_used(s->small[i].mem);
  return n + (s->large.mem ? ns_arena_used(s->large.mem) : 0);
}

/* ---- structures ------------------------------------------------------------------------------ */

static int sort_of(const ns_multibody *p, int a)
{
  return p->kind[a] * DIMS + ns_multibody_dim(p, a) - 1;
}

/* 1 2 3 4 6 8 12 16 24 ... */
static int rounded(int n)
{
  int min = 1;
  while (min < n) min *= 2;
  return min > 3 && 3 * min / 4 >= n ? 3 * min / 4 : min;
}

/* What a small part is solved in: each sort rounded up, where that stays small. */
static void counts_of(const ns_multibody *p, ns_multibody_part part, int *count, int *allocated)
{
  int rows = 0;
  memset(count, 0, SORTS * sizeof *count);
  for (int k = 0; k < part.n; k++) count[sort_of(p, part.block[k])]++;
  for (int t = 0; t < SORTS; t++)
    rows += (allocated[t] = rounded(count[t]) * (count[t] > 0)) * (t % DIMS + 1);
  if (rows > SMALL_ROWS) memcpy(allocated, count, SORTS * sizeof *count);
}

static int full(kept *k)
{
  size_t nb = 0;
  ns_blocks *W = &k->structure;
  for (int t = 0; t < SORTS; t++) nb += (size_t)k->count[t];
  W->dim = ns_arena_get(k->mem, nb, sizeof *W->dim);
  W->first = ns_arena_get(k->mem, nb + 1, sizeof *W->first);
  W->row = ns_arena_get(k->mem, nb + 1, sizeof *W->row);
  W->col = ns_arena_get(k->mem, nb * nb, sizeof *W->col);
  W->off = ns_arena_zero(k->mem, nb * nb, sizeof *W->off);
  k->kind = ns_arena_get(k->mem, nb, 1);
  if (!W->dim || !W->first || !W->row || !W->col || !W->off || !k->kind) return 0;
  W->first[0] = W->row[0] = 0;
  for (int t = 0; t < SORTS; t++)
    for (int i = 0; i < k->count[t]; i++, W->nb++) {
      W->dim[W->nb] = t % DIMS + 1;
      k->kind[W->nb] = (unsigned char)(t / DIMS);
      W->first[W->nb + 1] = W->m += t % DIMS + 1;
      W->row[W->nb + 1] = W->row[W->nb] + (int)nb;
      for (size_t j = 0; j < nb; j++) W->col[(size_t)W->row[W->nb] + j] = (int)j;
    }
  return 1;
}

static int copy(kept *k, const ns_blocks *W, const unsigned char *kind)
{
  size_t nb = (size_t)W->nb, entries = (size_t)W->row[nb];
  k->structure = (ns_blocks){.nb = W->nb, .m = W->m};
  k->structure.dim = ns_arena_copy(k->mem, W->dim, nb, sizeof *W->dim);
  k->structure.first = ns_arena_copy(k->mem, W->first, nb + 1, sizeof *W->first);
  k->structure.row = ns_arena_copy(k->mem, W->row, nb + 1, sizeof *W->row);
  k->structure.col = ns_arena_copy(k->mem, W->col, entries, sizeof *W->col);
  k->structure.off = ns_arena_copy(k->mem, W->off, entries, sizeof *W->off);
  k->kind = ns_arena_copy(k->mem, kind, nb, 1);
  return k->structure.dim && k->structure.first && k->structure.row && k->structure.col &&
         k->structure.off && k->kind;
}

static int same(const kept *k, const ns_blocks *W, const unsigned char *kind)
{
  const ns_blocks *S = &k->structure;
  size_t nb = (size_t)W->nb;
  return S->nb == W->nb && S->m == W->m && !memcmp(S->dim, W->dim, nb * sizeof *W->dim) &&
         !memcmp(k->kind, kind, nb) && !memcmp(S->row, W->row, (nb + 1) * sizeof *W->row) &&
         !memcmp(S->col, W->col, (size_t)W->row[nb] * sizeof *W->col);
}

/* ---- solvers --------------------------------------------------------------------------------- */

static int made(ns_ctx *c, kept *k, const ns_mechanical_options *opt)
{
  ns_mechanical_capacity cap = {
      .structure = &k->structure, .kind = k->kind, .symmetric = k->symmetric};
  return k->ops->create(c, &cap, opt, &k->solver);
}

static int fail(ns_ctx *c, kept *k, int rc)
{
  release(k);
  return rc == NS_NOMEM ? ns_nomem(c, "solver of reduced contacts") : rc;
}

static int find_small(ns_reduced *s, ns_ctx *c, const ns_mechanical_solver_ops *ops,
                      const ns_mechanical_options *opt, int symmetric, const int *allocated,
                      const kept **found)
{
  for (int i = 0; i < s->nsmall; i++) {
    const kept *k = &s->small[i];
    if (k->ops == ops && k->symmetric == symmetric &&
        !memcmp(k->count, allocated, sizeof k->count)) {
      *found = k;
      return NS_OK;
    }
  }
  kept k = {.ops = ops, .symmetric = symmetric, .mem = ns_arena_create(0, 1)};
  memcpy(k.count, allocated, sizeof k.count);
  int rc = k.mem && full(&k) ? made(c, &k, opt) : NS_NOMEM;
  if (rc) return fail(c, &k, rc);
  int at = s->nsmall < KEPT ? s->nsmall++ : s->oldest++ % KEPT;
  release(&s->small[at]);
  s->small[at] = k;
  *found = &s->small[at];
  return NS_OK;
}

static int find_large(ns_reduced *s, ns_ctx *c, const ns_mechanical_solver_ops *ops,
                      const ns_mechanical_options *opt, int symmetric, const ns_mechanical *m,
                      const kept **found)
{
  kept *k = &s->large;
  *found = k;
  if (k->ops == ops && k->symmetric == symmetric && same(k, m->W, m->kind)) return NS_OK;
  release(k);
  *k = (kept){.ops = ops, .symmetric = symmetric, .mem = ns_arena_create(0, 1)};
  int rc = k->mem && copy(k, m->W, m->kind) ? made(c, k, opt) : NS_NOMEM;
  return rc ? fail(c, k, rc) : NS_OK;
}

/* ---- one part -------------------------------------------------------------------------------- */

/* The part with its blocks by sorts, and the place of each in the structure. */
static void arrange(const ns_multibody *p, ns_multibody_part part, const int *count,
                    const int *allocated, int *block, int *place)
{
  int at[SORTS], to[SORTS];
  for (int t = 0, n = 0, m = 0; t < SORTS; n += count[t], m += allocated[t], t++) {
    at[t] = n;
    to[t] = m;
  }
  for (int k = 0; k < part.n; k++) {
    int t = sort_of(p, part.block[k]);
    block[at[t]] = part.block[k];
    place[at[t]++] = to[t]++;
  }
}

/* What a mechanical problem has beside W and q. */
typedef struct rows {
  unsigned char *kind;
  double *mu, *mu_rolling, *lb, *ub, *r, *u, *start;
} rows;

static int get(ns_arena *a, size_t nb, size_t m, rows *x)
{
  x->kind = ns_arena_get(a, nb, 1);
  x->mu = ns_arena_get(a, nb, sizeof *x->mu);
  x->mu_rolling = ns_arena_get(a, nb, sizeof *x->mu_rolling);
  double **const v[] = {&x->lb, &x->ub, &x->r, &x->u, &x->start};
  int got = x->kind && x->mu && x->mu_rolling;
  for (size_t i = 0; i < sizeof v / sizeof *v && got; i++)
    got = (*v[i] = ns_arena_zero(a, m, sizeof(double))) != NULL;
  return got;
}

static void gather(const ns_multibody *p, ns_multibody_part part, const int *first, const double *r,
                   rows *x)
{
  for (int k = 0; k < part.n; k++) {
    int a = part.block[k], d = ns_multibody_dim(p, a), to = first[k], from = p->row[a];
    x->kind[k] = p->kind[a];
    x->mu[k] = p->mu ? p->mu[a] : 0;
    x->mu_rolling[k] = p->mu_rolling ? p->mu_rolling[a] : 0;
    memcpy(x->r + to, r + from, (size_t)d * sizeof *r);
    for (int i = 0; i < d && p->start; i++)
      x->start[to + i] = ns_multibody_row(p, a, from + i, p->start);
    if (p->kind[a] != NS_BLOCK_BOX && p->kind[a] != NS_BLOCK_BALL) continue;
    for (int i = 0; i < d; i++) {
      x->lb[to + i] = ns_multibody_lower(p, from + i);
      x->ub[to + i] = ns_multibody_upper(p, from + i);
    }
  }
}

int ns_reduced_solve(ns_reduced *s, ns_ctx *c, const ns_mechanical_solver_ops *ops,
                     const ns_mechanical_options *opt, ns_solve_watch *watch, const ns_multibody *p,
                     ns_multibody_part part, int *head, ns_arena *a, double *r, ns_outcome *out)
{
  int count[SORTS], allocated[SORTS], m = 0;
  int *block = ns_arena_get(a, (size_t)part.n, sizeof *block),
      *place = ns_arena_get(a, (size_t)part.n, sizeof *place);
  const kept *k = NULL;
  rows x;
  ns_blocks W;
  double *q;
  for (int i = 0; i < part.n; i++) m += ns_multibody_dim(p, part.block[i]);
  if (!block || !place || !get(a, (size_t)part.n, (size_t)m, &x))
    return ns_nomem(c, "reduced contacts");
  if (m <= SMALL_ROWS) {
    counts_of(p, part, count, allocated);
    arrange(p, part, count, allocated, block, place);
    part.block = block;
  }
  if (!ns_multibody_reduce_part(p, part, head, a, &W, &q)) return ns_nomem(c, "reduced contacts");
  gather(p, part, W.first, r, &x);
  ns_mechanical problem = {.W = &W,
                           .q = q,
                           .kind = x.kind,
                           .mu = x.mu,
                           .mu_rolling = x.mu_rolling,
                           .lb = x.lb,
                           .ub = x.ub,
                           .tol = opt->tol,
                           .plain = p->plain,
                           .start = p->start ? x.start : NULL,
                           .watch = watch};
  int rc = m <= SMALL_ROWS ? find_small(s, c, ops, opt, p->symmetric, allocated, &k)
                           : find_large(s, c, ops, opt, p->symmetric, &problem, &k);
  if (!rc) rc = ops->solve(k->solver, c, &problem, m <= SMALL_ROWS ? place : NULL, x.r, x.u, out);
  if (rc) return rc;
  for (int i = 0; i < part.n; i++)
    memcpy(r + p->row[part.block[i]], x.r + W.first[i], (size_t)W.dim[i] * sizeof *r);
  return NS_OK;
}

int ns_reduced_infeasible(ns_ctx *c, double tol, const ns_multibody *p, ns_multibody_part part,
                          int *head, ns_arena *a, unsigned char *block, int *infeasible)
{
  rows x;
  ns_blocks W;
  double *q, *r = ns_arena_zero(a, ns_multibody_nrows(p), sizeof *r);
  int m = 0;
  *infeasible = 0;
  for (int i = 0; i < part.n; i++) m += ns_multibody_dim(p, part.block[i]);
  unsigned char *wrong = ns_arena_zero(a, (size_t)m, 1);
  if (!r || !wrong || !get(a, (size_t)part.n, (size_t)m, &x) ||
      !ns_multibody_reduce_part(p, part, head, a, &W, &q))
    return ns_nomem(c, "reduced contacts");
  gather(p, part, W.first, r, &x);
  ns_mechanical problem = {.W = &W,
                           .q = q,
                           .kind = x.kind,
                           .mu = x.mu,
                           .mu_rolling = x.mu_rolling,
                           .lb = x.lb,
                           .ub = x.ub};
  *infeasible = ns_mechanical_infeasible(&problem, tol, wrong);
  for (int i = 0; i < part.n && block; i++)
    for (int e = W.first[i]; e < W.first[i + 1]; e++) block[part.block[i]] |= wrong[e];
  return NS_OK;
}
