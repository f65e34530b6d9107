/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The polyhedral AVI as a mixed complementarity problem in (z, mu),
 *
 *   w - H^T mu = 0,  0 <= mu _|_ H z - k >= 0:   [M, -H^T; H, 0],  (q, -k)
 *
 * by the methods of the box AVI: the state of the guess, newton-min, Lemke. Where that ends without
 * a solution, a point of P is found (the projection of the guess on P is such a problem with M = I,
 * solvable iff P is not empty), from it a vertex, and Lemke's method starts there
 * (polyhedral_vertex.c). Last come the other methods of "auto". */
#include "problems/polyhedral.h"

#include "problems/polyhedral_work.h"

#include <string.h>

#define NEWTON 20
#define MARGIN 1e-2 /* tolerance of the parts: their rows are measured in other units */

struct ns_polyhedral_solver {
  ns_box_work *work;
  ns_newton *newton;
  ns_lemke *lemke;
  ns_vertex *vertex;
  void *automatic; /* "auto" for the mixed problem */
  int n, p;        /* capacity */
  double tol;
  double *A, *q, *lb, *ub; /* the mixed problem */
  double *x, *y, *guess;   /* candidate (z, mu), its slacks, guess [n + p] */
};

/* ---- residual -------------------------------------------------------------------------------- */

void ns_polyhedral_guess(const ns_polyhedral *p, const double *z, double *mu)
{
  for (int f = 0; f < p->p; f++) {
    double g = -p->k[f], size = fabs(g);
    for (int r = 0; r < p->n; r++) {
      double part = p->H[f + r * p->p] * z[r];
      g += part;
      size += fabs(part);
    }
    mu[f] = g <= 1e-9 * size;
  }
}

double ns_polyhedral_residual(const ns_polyhedral *p, const double *z, const double *mu, double *w)
{
  double worst = 0, qmax = 0, kmax = 0, max = 0, sum = 0;
  size_t n = (size_t)p->n, m = (size_t)p->p;
  for (size_t i = 0; i < n; i++) {
    double v = p->q[i], s = 0, force = 0;
    for (size_t j = 0; j < n; j++) {
      v += p->M[i + j * n] * z[j];
      s = fmax(s, fabs(p->M[i + j * n]));
    }
    for (size_t j = 0; j < m; j++) force += p->H[j + i * m] * mu[j];
    s = ns_box_reciprocal(s);
    w[i] = v;
    worst = fmax(worst, fabs(v - force) * s);
    qmax = fmax(qmax, fabs(p->q[i]) * s);
    max = fmax(max, fabs(z[i]));
    sum += fabs(v) + fabs(force) + fabs(z[i]);
  }
  for (size_t j = 0; j < m; j++) {
    double v = -p->k[j], t = 0;
    for (size_t i = 0; i < n; i++) {
      v += p->H[j + i * m] * z[i];
      t = fmax(t, fabs(p->H[j + i * m]));
    }
    t = ns_box_reciprocal(t);
    worst = fmax(worst, fabs(mu[j] < v * t ? mu[j] : v * t));
    kmax = fmax(kmax, fabs(p->k[j]) * t);
    sum += fabs(v) + fabs(mu[j]);
  }
  if (!(sum <= DBL_MAX)) return INFINITY;
  double data = qmax + kmax;
  return worst > 0 ? worst / (ns_residual_unit(data + max) + data) : 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static int get_vectors(ns_polyhedral_solver *s, ns_ctx *c)
{
  size_t m = (size_t)s->n + (size_t)s->p;
  size_t item = sizeof(double);
  const ns_array want[] = {{&s->A, m * m, item}, {&s->q, m, item}, {&s->lb, m, item},
                           {&s->ub, m, item},    {&s->x, m, item}, {&s->y, m, item},
                           {&s->guess, m, item}};
  int rc = NS_BOX_GET(s->work, c, want);
  if (rc) return rc;
  for (size_t i = 0; i < m; i++) {
    s->lb[i] = i < (size_t)s->n ? -INFINITY : 0;
    s->ub[i] = INFINITY;
  }
  return NS_OK;
}

static int create_parts(ns_polyhedral_solver *s, ns_ctx *c, const ns_lcp_options *opt)
{
  ns_avi_capacity cap = {.n = s->n + s->p, .lb = s->lb, .ub = s->ub};
  int rc = NS_OK;
  if ((rc = ns_newton_create(s->work, c, &s->newton)) ||
      (rc = ns_lemke_create(s->work, c, &s->lemke)) ||
      (rc = ns_vertex_create(s->work, c, s->n, s->p, &s->vertex)))
    return rc;
  return ns_box_auto.create(c, &cap, opt, &s->automatic);
}

int ns_polyhedral_create(ns_ctx *c, int n, int p, const ns_lcp_options *opt,
                         ns_polyhedral_solver **out)
{
  ns_lcp_options o = opt ? *opt : ns_lcp_defaults();
  double tol = o.tol;
  ns_box_work *k = NULL;
  ns_polyhedral_solver *s = NULL;
  *out = NULL;
  if (n < 1 || p < 0)
    return ns_fail(c, NS_MODEL,
                   "polyhedral AVI of %d unknowns and %d rows: there must be at least one unknown",
                   n, p);
  o.tol *= MARGIN;
  int rc = ns_box_work_create(c, &(ns_box_capacity){.n = n + p}, &o, 1, 1, &k);
  if (rc) return rc;
  const ns_array want[] = {{&s, 1, sizeof *s}};
  if ((rc = NS_BOX_GET(k, c, want))) {
    ns_box_work_destroy(k);
    return rc;
  }
  *s = (ns_polyhedral_solver){.work = k, .n = n, .p = p, .tol = tol};
  if ((rc = get_vectors(s, c)) || (rc = create_parts(s, c, &o))) ns_polyhedral_destroy(s);
  else *out = s;
  return rc;
}

void ns_polyhedral_destroy(ns_polyhedral_solver *s)
{
  if (!s) return;
  ns_box_auto.destroy(s->automatic);
  ns_box_work_destroy(s->work);
}

/* ---- the ways -------------------------------------------------------------------------------- */

/* One call. */
typedef struct call {
  const ns_polyhedral *p;
  double *w;
  int iterations;
  double residual;
} call;

/* The mixed problem of M, q: identity and -z where `projection`. */
static ns_avi mixed(ns_polyhedral_solver *s, const ns_polyhedral *p, const double *projection)
{
  size_t n = (size_t)p->n, m = (size_t)p->p, ld = n + m;
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < n; i++)
      s->A[i + j * ld] = projection ? (double)(i == j) : p->M[i + j * n];
  for (size_t j = 0; j < m; j++) {
    for (size_t i = 0; i < n; i++) {
      double h = p->H[j + i * m];
      s->A[n + j + i * ld] = h;
      s->A[i + (n + j) * ld] = -h;
    }
    memset(s->A + n + (n + j) * ld, 0, m * sizeof(double));
  }
  for (size_t i = 0; i < ld; i++)
    s->q[i] = i >= n ? -p->k[i - n] : projection ? -projection[i] : p->q[i];
  for (size_t i = 0; i < ld; i++) s->lb[i] = i < n ? -INFINITY : 0;
  return (ns_avi){.n = (int)ld,
                  .dense = s->A,
                  .ld = (int)ld,
                  .q = s->q,
                  .lb = s->lb,
                  .ub = s->ub,
                  .watch = p->watch};
}

/* The candidate s->x by the residual of the problem itself. */
static int holds(ns_polyhedral_solver *s, call *t)
{
  t->residual = ns_polyhedral_residual(t->p, s->x, s->x + t->p->n, t->w);
  ns_solve_see(t->p->watch, t->p->q, t->residual, t->p->n + t->p->p, s->x);
  return t->residual <= s->tol;
}

/* Newton-min from the state of `from`, into s->x. */
static int by_newton(ns_polyhedral_solver *s, call *t, const ns_avi *a, const double *from)
{
  ns_box_work *k = s->work;
  double residual;
  ns_box_begin(k, a);
  if (ns_newton_run(s->newton, k, a, NULL, from, s->y, NS_NEWTON_GUARDED, NEWTON, &t->iterations,
                    &residual) != NS_SOLVED ||
      !ns_box_accept_direct(k, a, NULL, s->y, &residual))
    return 0;
  memcpy(s->x, k->z, (size_t)a->n * sizeof *s->x);
  return 1;
}

static ns_outcome_kind by_lemke(ns_polyhedral_solver *s, call *t, const ns_avi *a)
{
  double residual;
  ns_box_begin(s->work, a);
  ns_outcome_kind e = ns_lemke_run(s->lemke, s->work, a, NULL, NULL, s->guess, s->y, &t->iterations,
                                   &residual);
  if (e == NS_SOLVED) memcpy(s->x, s->work->z, (size_t)a->n * sizeof *s->x);
  return e;
}

/* A point of P into s->x; a ray where there is none. */
static ns_outcome_kind find_point(ns_polyhedral_solver *s, call *t)
{
  ns_avi a = mixed(s, t->p, s->guess);
  if (by_newton(s, t, &a, s->guess)) return NS_SOLVED;
  return by_lemke(s, t, &a);
}

static ns_outcome_kind by_vertex(ns_polyhedral_solver *s, call *t)
{
  ns_vertex *v = s->vertex;
  const ns_polyhedral *p = t->p;
  double residual;
  ns_outcome_kind e = find_point(s, t);
  if (e != NS_SOLVED) return e;
  if (!ns_vertex_find(v, p, s->x)) return NS_SINGULAR;
  ns_vertex_problem(v, p);
  ns_avi a = {.n = v->size,
              .dense = v->N,
              .ld = v->size,
              .q = v->q,
              .lb = v->lb,
              .ub = v->ub,
              .watch = p->watch};
  ns_box_begin(s->work, &a);
  e = ns_lemke_run(s->lemke, s->work, &a, NULL, v->cover, v->u, v->v, &t->iterations, &residual);
  if (e != NS_SOLVED) return e;
  memcpy(v->u, s->work->z, (size_t)v->size * sizeof *v->u);
  ns_vertex_read(v, p, s->x, s->x + p->n);
  if (holds(s, t)) return NS_SOLVED;
  a = mixed(s, p, NULL); /* the same active rows, solved directly */
  memcpy(s->y, s->x, (size_t)a.n * sizeof *s->x);
  memcpy(s->guess, s->y, (size_t)a.n * sizeof *s->x);
  return by_newton(s, t, &a, s->guess) && holds(s, t) ? NS_SOLVED : NS_SINGULAR;
}

static ns_outcome_kind by_auto(ns_polyhedral_solver *s, ns_ctx *c, call *t)
{
  ns_avi a = mixed(s, t->p, NULL);
  ns_outcome o;
  memcpy(s->x, s->guess, (size_t)a.n * sizeof *s->x);
  if (ns_box_auto.solve(s->automatic, c, &a, NULL, s->x, s->y, &o)) return NS_SINGULAR;
  t->iterations += o.iterations;
  if (o.kind != NS_SOLVED) return o.kind;
  return holds(s, t) ? NS_SOLVED : NS_SINGULAR;
}

static ns_outcome_kind all_ways(ns_polyhedral_solver *s, ns_ctx *c, call *t, const char **name)
{
  ns_avi a = mixed(s, t->p, NULL);
  if (!ns_box_finite(&a)) return NS_NOT_FINITE;
  *name = "newton-min";
  if (by_newton(s, t, &a, s->guess) && holds(s, t)) return NS_SOLVED;
  *name = "lemke";
  ns_outcome_kind e = by_lemke(s, t, &a), how = e;
  if (e == NS_SOLVED && holds(s, t)) return NS_SOLVED;
  *name = "lemke at a vertex";
  if ((e = by_vertex(s, t)) == NS_SOLVED) return NS_SOLVED;
  if (e == NS_RAY) how = e;
  *name = "auto";
  e = by_auto(s, c, t);
  return e == NS_SOLVED || how == NS_SOLVED ? e : how;
}

int ns_polyhedral_solve(ns_polyhedral_solver *s, ns_ctx *c, const ns_polyhedral *p, double *z,
                        double *mu, double *w, ns_outcome *out)
{
  if (p->n > s->n || p->p > s->p)
    return ns_fail_below(
        c, NS_NUMERIC,
        "polyhedral AVI of %d unknowns and %d rows given to a solver made for %d and %d", p->n,
        p->p, s->n, s->p);
  size_t n = (size_t)p->n, m = (size_t)p->p;
  for (size_t i = 0; i < n; i++) s->guess[i] = fabs(z[i]) <= DBL_MAX ? z[i] : 0;
  for (size_t j = 0; j < m; j++) s->guess[n + j] = mu[j] > 0 && mu[j] <= DBL_MAX ? mu[j] : 0;
  call t = {.p = p, .w = w, .residual = INFINITY};
  const char *name = "auto";
  ns_outcome_kind kind = all_ways(s, c, &t, &name);
  if (kind == NS_SOLVED) {
    memcpy(z, s->x, n * sizeof *z);
    memcpy(mu, s->x + n, m * sizeof *mu);
  } else {
    name = "auto";
    t.residual = ns_polyhedral_residual(p, z, mu, w);
  }
  *out = (ns_outcome){
      .kind = kind, .iterations = t.iterations, .residual = t.residual, .solver = name};
  return NS_OK;
}
