/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Methods that need products with W and projections alone, or one factor of W + rho.
 *
 * extragradient: the variational inequality (r' - r)^T (u(r) + g(r)) >= 0 on K by a prediction and
 * a correction (Korpelevich 1976), the step kept where the map is a contraction along it (Khobotov
 * 1987; Acary, Bremond & Huber 2018, section 4.1).
 *
 * admm: r = z split between W and K (Boyd et al. 2011), with xi the scaled multiplier and g held at
 * the last iterate:
 *
 *   (W + rho) r = rho (z - xi) - q - g,   z = P_K(r + xi),   xi += r - z,
 *
 * with the acceleration and restarts of Goldstein, O'Donoghue, Setzer & Baraniuk 2014; rho is
 * doubled or halved where the residuals of the two halves are apart, and W + rho factored anew
 * then. */
#include "algebra/vector.h"
#include "problems/mechanical_law.h"

#include "algebra/sparse_factor.h"
#include "base/arena.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PREDICTIONS = 20000, SPLITS = 4000, CUTS = 40, LOOK = 5 };

typedef struct projection {
  ns_arena *mem;
  ns_mechanical_options opt;
  int m, nb;
  double *a, *b, *c, *d, *e, *best; /* [m] */
  double *z, *xi, *zh, *xih, *zold, *xiold, *shift;
  int *row;                 /* scalar rows of the capacity [m] */
  int *first;               /* of the blocks of the capacity [nb+1] */
  ns_sparse_factor *factor; /* admm */
} projection;

static void destroy(void *self)
{
  projection *s = self;
  if (!s) return;
  ns_sparse_factor_destroy(s->factor);
  ns_arena_destroy(s->mem);
}

static int get(projection *s, const ns_blocks *W)
{
  size_t m = (size_t)s->m, d = sizeof(double);
  const ns_array want[] = {{&s->a, m, d},     {&s->b, m, d},
                           {&s->c, m, d},     {&s->d, m, d},
                           {&s->e, m, d},     {&s->best, m, d},
                           {&s->z, m, d},     {&s->xi, m, d},
                           {&s->zh, m, d},    {&s->xih, m, d},
                           {&s->zold, m, d},  {&s->xiold, m, d},
                           {&s->shift, m, d}, {&s->row, m, sizeof *s->row}};
  s->first = ns_arena_copy(s->mem, W->first, (size_t)s->nb + 1, sizeof *s->first);
  return s->first && !ns_arena_arrays(s->mem, want, sizeof want / sizeof *want);
}

static int make(ns_ctx *c, const ns_mechanical_capacity *cap, const ns_mechanical_options *opt,
                int factor, void **self)
{
  projection *s = NS_ARENA_OBJECT(projection, mem);
  *self = NULL;
  if (!s) return ns_nomem(c, "projection method");
  *s = (projection){.mem = s->mem,
                    .opt = opt ? *opt : ns_mechanical_defaults(),
                    .m = cap->structure->m,
                    .nb = cap->structure->nb};
  int rc = get(s, cap->structure) ? NS_OK : ns_nomem(c, "projection method");
  if (!rc && factor && s->m)
    rc = ns_sparse_factor_create(c, cap->structure, cap->symmetric, &s->factor);
  if (rc) destroy(s);
  else *self = s;
  return rc;
}

static int create(ns_ctx *c, const ns_mechanical_capacity *cap, const ns_mechanical_options *opt,
                  void **self)
{
  return make(c, cap, opt, 0, self);
}

static int create_admm(ns_ctx *c, const ns_mechanical_capacity *cap,
                       const ns_mechanical_options *opt, void **self)
{
  return make(c, cap, opt, 1, self);
}

static int fits(const projection *s, ns_ctx *c, const ns_mechanical *p)
{
  if (p->W->nb <= s->nb && p->W->m <= s->m) return 1;
  ns_fail(c, NS_USAGE, "mechanical problem of %d rows, expected at most %d", p->W->m, s->m);
  return 0;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* f = W r + q + g */
static void force(const ns_mechanical *p, const double *r, double *f)
{
  memcpy(f, p->q, (size_t)p->W->m * sizeof *f);
  ns_blocks_gemv(1, p->W, r, f);
  for (int a = 0; a < p->W->nb; a++) {
    ns_law l = ns_law_of(p, a);
    if (l.kind != NS_BLOCK_BOX) f[p->W->first[a]] += ns_law_lift(&l, f + p->W->first[a]);
  }
}

static void project(const ns_mechanical *p, double *x)
{
  for (int a = 0; a < p->W->nb; a++) {
    ns_law l = ns_law_of(p, a);
    ns_law_project(&l, x + p->W->first[a]);
  }
}

static double distance(int n, const double *x, const double *y)
{
  double s = 0;
  for (int i = 0; i < n; i++) s += (x[i] - y[i]) * (x[i] - y[i]);
  return sqrt(s);
}

static double typical_diagonal(const ns_mechanical *p)
{
  double s = 0;
  for (int a = 0; a < p->W->nb; a++) {
    const double *B = ns_blocks_at(p->W, a, a);
    for (int i = 0; B && i < p->W->dim[a]; i++) s += fabs(B[i + i * p->W->dim[a]]);
  }
  return s > 0 && s <= DBL_MAX ? s / p->W->m : 1;
}

/* Keeps the best of the iterates that were looked at. */
static void look(projection *s, const ns_mechanical *p, const double *r, double *u, double tol,
                 ns_outcome *out)
{
  double e = ns_mechanical_residual(p, r, u, NULL);
  if (e < out->residual) {
    out->residual = e;
    memcpy(s->best, r, (size_t)p->W->m * sizeof *r);
  }
  if (e <= tol) out->kind = NS_SOLVED;
}

static double begin(projection *s, const ns_mechanical *p, const char *name, const double *r,
                    double *u, ns_outcome *out)
{
  double tol = ns_mechanical_tolerance(p, &s->opt);
  *out = (ns_outcome){.kind = NS_LIMIT, .solver = name, .residual = INFINITY};
  memcpy(s->best, r, (size_t)p->W->m * sizeof *r);
  look(s, p, r, u, tol, out);
  return tol;
}

static int end(const projection *s, const ns_mechanical *p, double *r, double *u, ns_outcome *out)
{
  memcpy(r, s->best, (size_t)p->W->m * sizeof *r);
  out->residual = ns_mechanical_residual(p, r, u, NULL);
  return NS_OK;
}

/* ---- extragradient --------------------------------------------------------------------------- */

static int extragradient(void *self, ns_ctx *c, const ns_mechanical *p, const int *block, double *r,
                         double *u, ns_outcome *out)
{
  projection *s = self;
  (void)block;
  if (!fits(s, c, p)) return NS_USAGE;
  int m = p->W->m, limit = s->opt.max_iterations ? s->opt.max_iterations : PREDICTIONS;
  double tol = begin(s, p, "extragradient", r, u, out),
         rho = s->opt.rho > 0 ? s->opt.rho : 1 / typical_diagonal(p);
  double *x = s->a, *f = s->b, *y = s->c, *g = s->d;
  memcpy(x, r, (size_t)m * sizeof *x);
  for (int it = 1; it <= limit && out->kind == NS_LIMIT && !ns_solve_over(p->watch); it++) {
    double ratio = 0;
    force(p, x, f);
    for (int cut = 0; cut < CUTS; cut++, rho *= 2.0 / 3) {
      ns_linear_sum((size_t)m, x, -rho, f, y);
      project(p, y);
      force(p, y, g);
      double step = distance(m, x, y);
      ratio = step > 0 ? rho * distance(m, f, g) / step : 0;
      if (ratio <= 0.9) break;
    }
    ns_axpy((size_t)m, -rho, g, x);
    project(p, x);
    if (ratio < 0.3) rho *= 1.5;
    out->iterations = it;
    if (it % LOOK == 0 || it < LOOK || it == limit) look(s, p, x, u, tol, out);
    if (!(ratio <= DBL_MAX)) out->kind = NS_NOT_FINITE;
  }
  return end(s, p, r, u, out);
}

/* ---- admm ------------------------------------------------------------------------------------ */

/* Factor W + rho; 0 where that fails. */
static int refactor(projection *s, const ns_mechanical *p, const int *block, double rho)
{
  int at = 0;
  for (int a = 0; a < p->W->nb; a++)
    for (int i = 0; i < p->W->dim[a]; i++, at++) {
      s->row[at] = (block ? s->first[block[a]] : p->W->first[a]) + i;
      s->shift[at] = rho;
    }
  return ns_sparse_factor_numeric(s->factor, p->W, s->row, NULL, NULL, s->shift) == 0;
}

/* One split from (zh, xih): r in a, z, xi. u: that of the last r. primal and dual residual. */
static void split(projection *s, const ns_mechanical *p, double rho, const double *u,
                  double *primal, double *dual)
{
  int m = p->W->m;
  double *x = s->a;
  for (int i = 0; i < m; i++) x[i] = rho * (s->zh[i] - s->xih[i]) - p->q[i];
  for (int a = 0; a < p->W->nb; a++) {
    ns_law l = ns_law_of(p, a);
    if (l.kind != NS_BLOCK_BOX) x[p->W->first[a]] -= ns_law_lift(&l, u + p->W->first[a]);
  }
  ns_sparse_factor_solve(s->factor, x);
  ns_linear_sum((size_t)m, x, 1, s->xih, s->z);
  project(p, s->z);
  for (int i = 0; i < m; i++) s->xi[i] = s->xih[i] + x[i] - s->z[i];
  *primal = distance(m, x, s->z);
  *dual = rho * distance(m, s->z, s->zh);
}

typedef struct pace {
  double t, e; /* weight of the extrapolation, combined residual of the last split */
} pace;

/* The next (zh, xih): extrapolated while the residual falls, else back to the last split. */
static void accelerate(projection *s, int m, double primal, double dual, pace *k)
{
  double e = primal * primal + dual * dual;
  if (e < 0.999 * k->e) {
    double next = (1 + sqrt(1 + 4 * k->t * k->t)) / 2, f = (k->t - 1) / next;
    for (int i = 0; i < m; i++) {
      s->zh[i] = s->z[i] + f * (s->z[i] - s->zold[i]);
      s->xih[i] = s->xi[i] + f * (s->xi[i] - s->xiold[i]);
    }
    *k = (pace){next, e};
  } else {
    memcpy(s->zh, s->z, (size_t)m * sizeof *s->z);
    memcpy(s->xih, s->xi, (size_t)m * sizeof *s->xi);
    *k = (pace){1, e};
  }
  memcpy(s->zold, s->z, (size_t)m * sizeof *s->z);
  memcpy(s->xiold, s->xi, (size_t)m * sizeof *s->xi);
}

static int admm(void *self, ns_ctx *c, const ns_mechanical *p, const int *block, double *r,
                double *u, ns_outcome *out)
{
  projection *s = self;
  if (!fits(s, c, p)) return NS_USAGE;
  int m = p->W->m, limit = s->opt.max_iterations ? s->opt.max_iterations : SPLITS,
      fixed = s->opt.rho > 0;
  double tol = begin(s, p, "admm", r, u, out), typical = typical_diagonal(p), min = 1e-9 * typical;
  double rho = fixed ? s->opt.rho : typical, primal, dual;
  pace k = {1, INFINITY};
  if (out->kind == NS_LIMIT && !refactor(s, p, block, rho)) out->kind = NS_SINGULAR;
  memcpy(s->zh, r, (size_t)m * sizeof *r);
  memcpy(s->zold, r, (size_t)m * sizeof *r);
  for (int i = 0; i < m; i++) s->xih[i] = s->xiold[i] = -u[i] / rho;
  for (int it = 1; it <= limit && out->kind == NS_LIMIT && !ns_solve_over(p->watch); it++) {
    split(s, p, rho, u, &primal, &dual);
    out->iterations = it;
    look(s, p, s->z, u, tol, out);
    if (!(primal <= DBL_MAX)) out->kind = NS_NOT_FINITE;
    accelerate(s, m, primal, dual, &k);
    if (fixed || it % 10 || out->kind != NS_LIMIT || (primal <= 10 * dual && dual <= 10 * primal))
      continue;
    double f = primal > dual ? 2 : 0.5;
    if (rho * f < min || rho * f * min > typical * typical) continue;
    rho *= f;
    ns_scale((size_t)m, 1 / f, s->xih);
    ns_scale((size_t)m, 1 / f, s->xiold);
    k = (pace){1, INFINITY};
    if (!refactor(s, p, block, rho)) out->kind = NS_SINGULAR;
  }
  return end(s, p, r, u, out);
}

const ns_mechanical_solver_ops ns_mechanical_extragradient = {
    .name = "extragradient",
    .help = "projections with a self-adaptive step: no factor, low accuracy",
    .create = create,
    .solve = extragradient,
    .destroy = destroy,
    .memory = &ns_memory_none};

const ns_mechanical_solver_ops ns_mechanical_admm = {
    .name = "admm",
    .help = "alternating directions, accelerated: one factor of W + rho",
    .create = create_admm,
    .solve = admm,
    .destroy = destroy,
    .memory = &ns_memory_none};
