/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Newton's method around the worst blocks, between sweeps.
 *
 * Where sweeps over grains stop short of the tolerance, a few contacts do it, each of which solves
 * itself at the cost of the others: of 800 contacts of grains in a hopper, three to six leave half
 * of the square of the residual and 15 to 35 leave 90 %. Solved together with their neighbours, by
 * factors of 150 contacts, they let sweeps spread the rest (a multiplicative Schwarz method with
 * one subdomain, which the residual chooses). */
#include "algebra/vector.h"
#include "problems/mechanical_law.h"
#include "problems/multibody_augmented.h"

#include <string.h>

/* Worst blocks, up to as many as leave SHARE of the square of the residual; blocks that are solved
 * together; factorisations. */
enum { SEEDS = 20, MOST = 300, FACTORS = 80 };
static const double SHARE = 0.9, FINER = 0.01;

typedef struct patch {
  const ns_multibody *p;
  ns_multibody_part part;
  const int *number;
  unsigned char *near; /* of each body: 1, a seed is on it, 2, touches such a body [nbodies] */
  double *defect;      /* squares [part.n] */
  int *block, n;       /* what is solved together [MOST] */
} patch;

static int get(ns_arena *a, patch *x)
{
  x->near = ns_arena_zero(a, (size_t)x->p->nbodies, sizeof *x->near);
  x->defect = ns_arena_get(a, (size_t)x->part.n, sizeof *x->defect);
  x->block = ns_arena_get(a, MOST, sizeof *x->block);
  return x->near && x->defect && x->block;
}

/* Squares of the natural map of each block at r, whose velocities are v; returns their sum. */
static double measure(patch *x, const double *r, const double *v)
{
  const ns_multibody *p = x->p;
  double u[6], sum = 0;
  for (int k = 0; k < x->part.n; k++) {
    int a = x->part.block[k], d = ns_multibody_dim(p, a);
    ns_law law = NS_LAW(p, a, d, p->row[a]);
    for (int i = 0; i < d; i++) u[i] = ns_multibody_row(p, a, p->row[a] + i, v);
    sum += x->defect[k] = ns_law_add_defect(&law, 0, u, r + p->row[a]);
  }
  return sum;
}

/* Body of block a at a side, if it moves; -1. */
static int mover(const patch *x, int a, int side)
{
  int body = x->p->body[2 * a + side];
  return body >= 0 && x->number[body] != NS_BODY_FIXED ? body : -1;
}

static int mark_of(const patch *x, int a, int side)
{
  int body = mover(x, a, side);
  return body < 0 ? 0 : x->near[body];
}

static void mark(patch *x, int a, unsigned char as)
{
  for (int side = 0; side < 2; side++) {
    int body = mover(x, a, side);
    if (body >= 0 && !x->near[body]) x->near[body] = as;
  }
}

static void choose(patch *x, double sum)
{
  double left = sum;
  for (int seeds = 0; seeds < SEEDS && left > (1 - SHARE) * sum; seeds++) {
    int worst = 0;
    for (int k = 1; k < x->part.n; k++)
      if (x->defect[k] > x->defect[worst]) worst = k;
    left -= x->defect[worst];
    x->defect[worst] = 0;
    mark(x, x->part.block[worst], 1);
  }
  for (int k = 0; k < x->part.n; k++) {
    int a = x->part.block[k];
    if (mark_of(x, a, 0) == 1 || mark_of(x, a, 1) == 1) mark(x, a, 2);
  }
  for (int k = 0; k < x->part.n && x->n < MOST; k++) {
    int a = x->part.block[k];
    if (mark_of(x, a, 0) || mark_of(x, a, 1)) x->block[x->n++] = a;
  }
}

int ns_local_solve(ns_augmented *s, ns_ctx *c, double tol, ns_solve_watch *watch,
                   const ns_multibody *p, ns_multibody_part part, int *number, ns_arena *a,
                   double *r, ns_outcome *out)
{
  patch x = {.p = p, .part = part, .number = number};
  ns_multibody others = *p; /* its vfree: with the impulses of all blocks but these */
  double *v = ns_arena_copy(a, p->vfree, ns_multibody_nvelocities(p), sizeof *v),
         *outside = ns_arena_copy(a, r, ns_multibody_nrows(p), sizeof *r);
  if (!v || !outside || !get(a, &x)) return ns_nomem(c, "Newton's method on bodies");
  others.vfree = v;
  ns_multibody_move_part(p, part, r, v);
  choose(&x, measure(&x, r, v));
  for (int k = 0; k < x.n; k++)
    memset(outside + p->row[x.block[k]], 0,
           (size_t)ns_multibody_dim(p, x.block[k]) * sizeof *outside);
  ns_multibody_move_part(p, part, outside, v);
  return ns_augmented_solve(s, c, FINER * tol, FACTORS, 1, watch, &others,
                            (ns_multibody_part){x.n, x.block}, number, a, NULL, r, out);
}
