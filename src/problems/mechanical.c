/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/mechanical.h"

#include "algebra/vector.h"
#include "base/text.h"
#include "problems/mechanical_law.h"
#include "problems/plugged.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const ns_mechanical_solver_ops *const ns_mechanical_solvers[] = {&ns_mechanical_auto,
                                                                 &ns_mechanical_nsgs,
                                                                 &ns_mechanical_newton,
                                                                 &ns_mechanical_jean_moreau,
                                                                 &ns_mechanical_regular,
                                                                 &ns_mechanical_proximal,
                                                                 &ns_mechanical_extragradient,
                                                                 &ns_mechanical_admm,
                                                                 &ns_mechanical_pivot,
                                                                 &ns_mechanical_interior,
                                                                 NULL};

const ns_mechanical_solver_ops *ns_mechanical_solver_find(const char *name)
{
  if (ns_solver_is_plugged(name)) return &ns_mechanical_plugged;
  return NS_NAMED_KIND(ns_mechanical_solver_ops, ns_mechanical_solvers, name);
}

ns_mechanical_options ns_mechanical_defaults(void)
{
  return (ns_mechanical_options){.tol = 1e-8, .threads = 1};
}

int ns_mechanical_is_granular(int n, const unsigned char *kind)
{
  int contacts = kind ? 0 : n;
  for (int a = 0; n > NS_GRANULAR && kind && a < n; a++) contacts += kind[a] != NS_BLOCK_BOX;
  return contacts > NS_GRANULAR;
}

void ns_mechanical_cone(int d, double mu, double *r) { ns_contact_project(d, mu, r); }

/* What rounding leaves of W r, | eps W_ii r_i |: where W is singular r may hold any part that W
 * does not see, and a large one drowns u. */
static double drowned(const ns_mechanical *p, const double *r, double scale)
{
  double s = 0;
  for (int a = 0; a < p->W->nb; a++) {
    const double *D = ns_blocks_at(p->W, a, a);
    for (int i = 0, d = p->W->dim[a]; D && i < d; i++) {
      double e = DBL_EPSILON * D[i + i * d] * r[p->W->first[a] + i];
      s += e * e;
    }
  }
  return sqrt(s) / scale;
}

static double closing(const ns_mechanical *p, const double *u)
{
  double s = 0;
  for (int a = 0; a < p->W->nb; a++) {
    ns_law l = ns_law_of(p, a);
    s = ns_law_add_closing(&l, s, u + p->W->first[a]);
  }
  return s;
}

/* |q| + |W| |r| of row i of block a. */
static double terms_of(const ns_mechanical *p, const double *q, int a, int i, const double *r)
{
  const ns_blocks *W = p->W;
  double size = fabs(q[W->first[a] + i]);
  for (int e = W->row[a], d = W->dim[a]; e < W->row[a + 1]; e++) {
    const double *row = W->val + W->off[e] + i, *by = r + W->first[W->col[e]];
    for (int j = 0; j < W->dim[W->col[e]]; j++) size += fabs(row[j * d] * by[j]);
  }
  return size;
}

/* Block a of a problem with right-hand side q at r. */
typedef struct block_at {
  const ns_mechanical *p;
  const double *q, *r;
  int a;
} block_at;

static double terms_in_block(const void *of, int i)
{
  const block_at *x = of;
  return terms_of(x->p, x->q, x->a, i, x->r);
}

/* u is up to date. */
static double natural(const ns_mechanical *p, const double *rhs, const double *r, const double *u,
                      double *over_q)
{
  size_t n = (size_t)p->W->m;
  double s = 0, open = 0, own = 0;
  for (int a = 0; a < p->W->nb; a++) {
    int at = p->W->first[a], d = p->W->dim[a];
    if (ns_mechanical_is_friction(p, a)) {
      s += d == 2 ? ns_contact_defect(2, p->mu[a], u + at, r + at)
                  : ns_contact_defect(3, p->mu[a], u + at, r + at);
      continue;
    }
    ns_law l = ns_law_of(p, a);
    s = ns_law_add_defect(&l, s, u + at, r + at);
    open = ns_law_add_open(&l, open, u + at, r + at);
    own = ns_law_own_error(&l, rhs + at, u + at, r + at, terms_in_block,
                           &(block_at){.p = p, .q = rhs, .r = r, .a = a}, own);
  }
  double qq = 0, rr = 0, uu = 0; /* together: each of the sums is a chain */
  for (size_t i = 0; i < n; i++) {
    qq += rhs[i] * rhs[i];
    rr += r[i] * r[i];
    uu += u[i] * u[i];
  }
  double e = sqrt(s), q = sqrt(qq), size = sqrt(rr), min = sqrt(ns_larger(qq, uu)),
         scale = fmax(min, size);
  if (over_q) *over_q = q > DBL_MIN ? e / q : e;
  if (!(e <= DBL_MAX) || !(scale <= DBL_MAX)) return INFINITY;
  if (!(scale > DBL_EPSILON)) return fmax(e, own);
  if (size > NS_HIDING * min && min > DBL_MIN) {
    e = fmax(e / scale, drowned(p, r, min));
    open += closing(p, u);
  } else e /= scale;
  return fmax(ns_law_with_open(e, open, min), own);
}

double ns_mechanical_defect(const ns_mechanical *p, const double *r, const double *u)
{
  return natural(p, p->q, r, u, NULL);
}

double ns_mechanical_residual(const ns_mechanical *p, const double *r, double *u, double *over_q)
{
  int m = p->W->m, i = 0;
  memcpy(u, p->q, (size_t)m * sizeof *u);
  while (i < m && r[i] == 0) i++;
  if (i < m) ns_blocks_gemv(1, p->W, r, u); /* the usual guess is no impulse */
  return natural(p, p->q, r, u, over_q);
}

int ns_mechanical_together(int kind, int rows, int i)
{
  if (kind == NS_BLOCK_BOX) return 1;
  if (kind != NS_BLOCK_ROLLING) return rows;
  return i == 0 ? (rows + 1) / 2 : rows / 2;
}

int ns_mechanical_units(int kind, int rows, double *s)
{
  int some = 0;
  for (int i = 0, n; i < rows; i += n) {
    double w = s[i];
    n = ns_mechanical_together(kind, rows, i);
    some |= ns_mechanical_is_far(w);
    ns_fill((size_t)n, w > 0 && isfinite(w) ? ldexp(1, -ilogb(w) / 2) : 1, s + i);
  }
  return some;
}

/* 64 eps | |W| |r| + |q| |. */
static double rounding_of(const ns_mechanical *p, const double *r)
{
  double sum = 0;
  for (int a = 0; a < p->W->nb; a++)
    for (int i = 0; i < p->W->dim[a]; i++) {
      double size = terms_of(p, p->q, a, i, r);
      sum += size * size;
    }
  return NS_ROUNDING * sqrt(sum);
}

int ns_mechanical_accepts(const ns_mechanical *p, double tol, double e, const double *r,
                          const double *u)
{
  size_t m = (size_t)p->W->m;
  if (e <= tol) return 1;
  if (!(e <= NS_ROUNDING_LIMIT)) return 0;
  double scale = fmax(ns_norm(m, p->q), fmax(ns_norm(m, r), ns_norm(m, u)));
  return e * scale <= rounding_of(p, r);
}

double ns_mechanical_shifted(const ns_mechanical *p, const double *q, double alpha, const double *r,
                             double *u)
{
  ns_linear_sum((size_t)p->W->m, q, alpha, r, u);
  ns_blocks_gemv(1, p->W, r, u);
  return natural(p, q, r, u, NULL);
}
