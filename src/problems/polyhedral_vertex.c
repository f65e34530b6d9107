/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The vertex form of Cao & Ferris (1996). With B the rows H_A active at a vertex z0 and, where H
 * has a lineality space, some unit rows e_j, z = z0 + B^-1 (s_A, t):
 *
 *   [mu_A; 0; s_I] = [B^-T M B^-1, -(H_I B^-1)^T; H_I B^-1, 0] [s_A; t; mu_I] + [B^-T (M z0 + q);
 *   H_I z0 - k_I]
 *
 * The constants of the lower rows are >= 0, so Lemke's artificial variable covers the upper ones
 * only; on a polytope the method then ends with a solution whatever M is.
 *
 * The vertex is reached from a point of P along directions orthogonal to the rows that are active
 * already; at each step a row that is not spanned by these decreases until the first row blocks,
 * which is not spanned by them either. */
#include "algebra/vector.h"
#include "problems/polyhedral_work.h"

#include "algebra/dense.h"

#define SPANNED 1e-9 /* part of a row outside the span, of its length, that is rounding */

int ns_vertex_create(ns_box_work *k, ns_ctx *c, int n, int p, ns_vertex **out)
{
  size_t a = (size_t)n, b = (size_t)p, m = a + b;
  ns_vertex *v = NULL;
  const ns_array own[] = {{&v, 1, sizeof *v}};
  int rc = NS_BOX_GET(k, c, own);
  if (rc) return rc;
  const ns_array want[] = {
      {&v->active, a, sizeof(int)},
      {&v->entry, a, sizeof(int)},
      {&v->inactive, b, sizeof(int)},
      {&v->z, a, sizeof(double)},
      {&v->inverse, a * a, sizeof(double)},
      {&v->Q, a * a, sizeof(double)},
      {&v->s, b, sizeof(double)},
      {&v->hd, b, sizeof(double)},
      {&v->d, a, sizeof(double)},
      {&v->x, a, sizeof(double)},
      {&v->piv, a, sizeof(int)},
      {&v->B, a * a, sizeof(double)},
      {&v->N, m * m, sizeof(double)},
      {&v->q, m, sizeof(double)},
      {&v->lb, m, sizeof(double)},
      {&v->ub, m, sizeof(double)},
      {&v->u, m, sizeof(double)},
      {&v->v, m, sizeof(double)},
      {&v->cover, m, 1},
  };
  rc = NS_BOX_GET(k, c, want);
  if (!rc) *out = v;
  return rc;
}

static double dot(int n, const double *x, const double *y, int step)
{
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * y[(size_t)i * (size_t)step];
  return s;
}

/* d = x without its parts along the first `count` columns of Q; twice, for orthogonality. Its
 * length. */
static double outside(const ns_vertex *v, int count, const double *x, double *d)
{
  int n = v->n;
  memcpy(d, x, (size_t)n * sizeof *d);
  for (int twice = 0; twice < 2; twice++)
    for (int a = 0; a < count; a++) {
      const double *q = v->Q + (size_t)a * (size_t)n;
      double f = dot(n, d, q, 1);
      ns_axpy((size_t)n, -f, q, d);
    }
  return sqrt(dot(n, d, d, 1));
}

static void row_of(const ns_polyhedral *p, int j, double *x)
{
  for (int i = 0; i < p->n; i++) x[i] = p->H[(size_t)j + (size_t)i * (size_t)p->p];
}

/* x joins the basis as column `count` of Q. */
static void join(ns_vertex *v, int count, const double *x)
{
  double *q = v->Q + (size_t)count * (size_t)v->n, f = 1 / outside(v, count, x, q);
  ns_scale((size_t)v->n, f, q);
}

/* d: the part of the row of H that has most of its length outside the span. 0: all are spanned. */
static int direction(ns_vertex *v, const ns_polyhedral *p, int count)
{
  double best = SPANNED;
  int row = -1;
  for (int j = 0; j < p->p; j++) {
    row_of(p, j, v->x);
    double length = sqrt(dot(p->n, v->x, v->x, 1)),
           part = length > 0 ? outside(v, count, v->x, v->d) / length : 0;
    if (part > best) {
      best = part;
      row = j;
    }
  }
  if (row < 0) return 0;
  row_of(p, row, v->x);
  outside(v, count, v->x, v->d);
  return 1;
}

/* Go along -d to the first row that blocks; it. */
static int advance(ns_vertex *v, const ns_polyhedral *p)
{
  double ratio = INFINITY, dd = dot(p->n, v->d, v->d, 1);
  int row = -1;
  for (int j = 0; j < p->p; j++) {
    v->hd[j] = dot(p->n, v->d, p->H + j, p->p);
    v->s[j] = dot(p->n, v->z, p->H + j, p->p) - p->k[j];
    row_of(p, j, v->x);
    if (!(v->hd[j] > SPANNED * sqrt(dd * dot(p->n, v->x, v->x, 1)))) continue;
    double t = (v->s[j] > 0 ? v->s[j] : 0) / v->hd[j], near = 1e-12 * (1 + ratio);
    if (row < 0 || t < ratio - near || (t <= ratio + near && v->hd[j] > v->hd[row])) {
      row = j;
      ratio = t;
    }
  }
  for (int i = 0; row >= 0 && i < p->n; i++) v->z[i] -= ratio * v->d[i];
  return row;
}

/* Unit rows for what H leaves free: those that stand out most. */
static void complete(ns_vertex *v)
{
  int n = v->n;
  for (int count = v->rank; count < n; count++) {
    double best = -1;
    int at = 0;
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < n; i++) v->x[i] = i == j;
      double part = outside(v, count, v->x, v->d);
      if (part > best) {
        best = part;
        at = j;
      }
    }
    for (int i = 0; i < n; i++) v->x[i] = i == at;
    join(v, count, v->x);
    v->entry[count - v->rank] = at;
  }
}

/* B, its inverse, and the vertex anew from them. */
static int invert(ns_vertex *v, const ns_polyhedral *p)
{
  int n = v->n;
  size_t ld = (size_t)n;
  for (size_t a = 0; a < ld; a++)
    for (size_t i = 0; i < ld; i++) {
      int row = (int)a < v->rank ? v->active[a] : -1;
      v->B[a + i * ld] = row >= 0 ? p->H[(size_t)row + i * (size_t)p->p]
                                  : (double)((int)i == v->entry[(int)a - v->rank]);
      v->inverse[a + i * ld] = a == i;
    }
  if (ns_dense_lu(n, v->B, n, v->piv)) return 0;
  ns_dense_lu_solve(n, v->B, n, v->piv, n, v->inverse, n);
  for (int a = 0; a < n; a++)
    v->x[a] = a < v->rank ? p->k[v->active[a]] : v->z[v->entry[a - v->rank]];
  ns_dense_lu_solve(n, v->B, n, v->piv, 1, v->x, n);
  memcpy(v->z, v->x, ld * sizeof *v->z);
  return 1;
}

int ns_vertex_find(ns_vertex *v, const ns_polyhedral *p, const double *feasible)
{
  v->n = p->n;
  v->p = p->p;
  memcpy(v->z, feasible, (size_t)p->n * sizeof *feasible);
  for (v->rank = 0; v->rank < p->n && direction(v, p, v->rank); v->rank++) {
    int row = advance(v, p);
    if (row < 0) return 0;
    row_of(p, row, v->x);
    join(v, v->rank, v->x);
    v->active[v->rank] = row;
  }
  complete(v);
  int count = 0;
  for (int j = 0; j < p->p; j++) {
    int in = 0;
    for (int a = 0; a < v->rank; a++) in |= v->active[a] == j;
    if (!in) v->inactive[count++] = j;
  }
  return invert(v, p);
}

/* C = A^T X or A X for n x n matrices by columns. */
static void multiply(int n, const double *A, int transposed, const double *X, double *C)
{
  size_t ld = (size_t)n;
  for (size_t j = 0; j < ld; j++)
    for (size_t i = 0; i < ld; i++) {
      double s = 0;
      for (size_t a = 0; a < ld; a++)
        s += (transposed ? A[a + i * ld] : A[i + a * ld]) * X[a + j * ld];
      C[i + j * ld] = s;
    }
}

void ns_vertex_problem(ns_vertex *v, const ns_polyhedral *p)
{
  int n = v->n, rest = v->p - v->rank, m = v->size = n + rest;
  size_t ld = (size_t)m;
  double *G = v->B, *MB = v->Q; /* both done with */
  memset(v->N, 0, ld * ld * sizeof *v->N);
  multiply(n, p->M, 0, v->inverse, MB);
  multiply(n, v->inverse, 1, MB, G);
  for (int j = 0; j < n; j++) memcpy(v->N + (size_t)j * ld, G + j * n, (size_t)n * sizeof *G);
  for (int a = 0; a < rest; a++) {
    const double *h = p->H + v->inactive[a];
    for (int j = 0; j < n; j++) {
      double s = j < v->rank ? dot(n, v->inverse + (size_t)j * (size_t)n, h, p->p) : 0;
      v->N[(size_t)(n + a) + (size_t)j * ld] = s;
      v->N[(size_t)j + (size_t)(n + a) * ld] = -s;
    }
    double s = dot(n, v->z, h, p->p) - p->k[v->inactive[a]];
    v->q[n + a] = s > 0 ? s : 0;
  }
  for (int i = 0; i < n; i++) v->x[i] = p->q[i] + dot(n, v->z, p->M + i, n);
  for (int i = 0; i < n; i++) v->q[i] = dot(n, v->x, v->inverse + (size_t)i * (size_t)n, 1);
  for (int i = 0; i < m; i++) {
    v->lb[i] = i >= v->rank && i < n ? -INFINITY : 0;
    v->ub[i] = INFINITY;
    v->cover[i] = i < n;
    v->u[i] = 0;
  }
}

void ns_vertex_read(const ns_vertex *v, const ns_polyhedral *p, double *z, double *mu)
{
  for (int i = 0; i < v->n; i++) z[i] = v->z[i] + dot(v->n, v->u, v->inverse + i, v->n);
  for (int a = 0; a < v->rank; a++) mu[v->active[a]] = v->u[a] > 0 || v->v[a] < 0 ? 0 : v->v[a];
  for (int a = 0; a < p->p - v->rank; a++) mu[v->inactive[a]] = v->u[v->n + a];
}
