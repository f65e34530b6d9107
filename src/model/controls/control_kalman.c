/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control_kalman.c -- extended Kalman filter of a plant x' = f(t, x, Z), y = h(t, x, Z) (Simon
 * 2006, ch. 13). x are the entries that it writes, its estimate: f and h are formulas of these, and
 * their Jacobians F and H exact. One sample, with Z as it was held over the period that ends:
 *
 *   x- = x_i-1 + int f dt,  Phi' = F Phi, Phi(t_i-1) = I
 *        by `substeps` steps of Runge-Kutta of order 4;  or x- = f(x), Phi = F
 *   P- = Phi P Phi^T + Q
 *   K = P- H^T (H P- H^T + R)^-1,  x = x- + K (y - h(x-))
 *   P = (I - K H) P- (I - K H)^T + K R K^T        (Joseph's form: stays symmetric and positive)
 *
 * The first sample corrects alone. Q and R are covariances of a period and of a sample.
 * Memory: P [n x n]. */
#include "algebra/vector.h"
#include "model/controls/control_kinds.h"
#include "model/controls/control_plant.h"

#include "algebra/dense.h"

#include <stdlib.h>
#include <string.h>

enum { STAGES = 4 };

typedef struct kalman {
  const ns_control *k;
  const ns_operator *f, *h, *y, *F, *H; /* F, H [n x nZ], [p x nZ]: by the entries of Z */
  int n, p, sampled, substeps;
  double *Q, *R;                              /* [n x n], [p x p] */
  double *x, *Phi, *P, *T;                    /* [n], [n x n] */
  double *dx[STAGES], *dPhi[STAGES], *J, *at; /* [n], [n x n]; F there; [n] */
  double *Hx, *S, *K, *r, *yx, *Z, *wide,
      *work; /* [p x n], [p x p], [p x n], [p], [p], [nZ], F or H */
  int *piv;
  ns_arena *mem;
} kalman;

static int check_covariance(const ns_control *k, ns_ctx *c, const char *name, int n, const char *of)
{
  const ns_operator *M = ns_control_value(k, name);
  if (!M->how) return NS_OK;
  if (M->rows != n || M->cols != n)
    return ns_control_fail(k, c, "<%s> is %d x %d, expected %d x %d: %s", name, M->rows, M->cols, n,
                           n, of);
  if (!ns_operator_is_symmetric(M))
    return ns_control_fail(k, c, "<%s> is not symmetric, expected a covariance", name);
  for (int i = 0; i < n; i++)
    if (ns_operator_entry(M, i, i) < 0)
      return ns_control_fail(
          k, c, "<%s> has %g in row %d of its diagonal, expected a variance, not below 0", name,
          ns_operator_entry(M, i, i), i);
  return NS_OK;
}

static int prepare(const ns_model *m, ns_control *k, ns_ctx *c)
{
  const ns_operator *f = ns_control_value(k, "f"), *h = ns_control_value(k, "h"),
                    *y = ns_control_value(k, "y");
  int n = k->nwrites;
  (void)m;
  k->nmemory = n * n;
  if (f->rows != n)
    return ns_control_fail(k, c,
                           "<f> has %d entr%s, expected %d: one for each entry of the estimate "
                           "that it writes; name them in writes=\"...\"",
                           f->rows, f->rows == 1 ? "y" : "ies", n);
  if (y->rows != h->rows)
    return ns_control_fail(k, c, "<y> has %d entr%s, expected %d, those of <h>", y->rows,
                           y->rows == 1 ? "y" : "ies", h->rows);
  int rc = check_covariance(k, c, "Q", n, "entries that it writes");
  if (!rc) rc = check_covariance(k, c, "P0", n, "entries that it writes");
  if (!rc) rc = check_covariance(k, c, "R", h->rows, "entries of <h>");
  return rc;
}

/* ---- set-up ---------------------------------------------------------------------------------- */

static void destroy(void *self)
{
  kalman *o = self;
  ns_arena_destroy(o->mem);
}

static int get_memory(kalman *o, ns_ctx *c)
{
  size_t n = (size_t)o->n, p = (size_t)o->p, d = sizeof(double);
  const ns_array want[] = {{&o->Q, n * n, d},
                           {&o->R, p * p, d},
                           {&o->x, n, d},
                           {&o->Phi, n * n, d},
                           {&o->P, n * n, d},
                           {&o->T, n * n, d},
                           {&o->J, n * n, d},
                           {&o->at, n, d},
                           {&o->Hx, p * n, d},
                           {&o->S, p * p, d},
                           {&o->K, p * n, d},
                           {&o->r, p, d},
                           {&o->yx, p, d},
                           {&o->Z, (size_t)o->k->nZ, d},
                           {&o->wide, (size_t)o->k->nZ * (n > p ? n : p), d},
                           {&o->piv, p, sizeof(int)}};
  o->mem = ns_arena_create(0, 1);
  int rc = o->mem ? ns_arena_arrays(o->mem, want, sizeof want / sizeof *want) : NS_NOMEM;
  for (int s = 0; s < STAGES && !rc; s++) {
    const ns_array stage[] = {{&o->dx[s], n, d}, {&o->dPhi[s], n * n, d}};
    rc = ns_arena_arrays(o->mem, stage, 2);
  }
  return rc ? ns_nomem(c, "a Kalman filter") : NS_OK;
}

static void copy(const ns_operator *o, int n, double *to)
{
  for (int j = 0; o->how && j < n; j++)
    for (int i = 0; i < n; i++) to[i + j * n] = ns_operator_entry(o, i, j);
}

static int create(void *self, ns_ctx *c, const ns_model *m, const ns_control *k, double *work)
{
  (void)m;
  kalman *o = self;
  *o = (kalman){.k = k,
                .f = ns_control_value(k, "f"),
                .h = ns_control_value(k, "h"),
                .y = ns_control_value(k, "y"),
                .F = ns_control_jacobian(k, "f"),
                .H = ns_control_jacobian(k, "h"),
                .n = k->nwrites,
                .p = ns_control_value(k, "h")->rows,
                .sampled = ns_control_number(k, "given", 0) > 0,
                .substeps = (int)ns_control_number(k, "substeps", 1),
                .work = work};
  int rc = get_memory(o, c);
  if (!rc) rc = ns_dense_prepare(c, o->n > o->p ? o->n : o->p);
  if (rc) return rc;
  copy(ns_control_value(k, "Q"), o->n, o->Q);
  copy(ns_control_value(k, "R"), o->p, o->R);
  return NS_OK;
}

/* ---- a sample -------------------------------------------------------------------------------- */

/* An operator at the estimate x and time t. */
static int at_estimate(kalman *o, ns_ctx *c, const ns_sample *s, const ns_operator *op, double t,
                       const double *x, double *out)
{
  ns_point p = s->p;
  ns_scatter((size_t)o->n, x, o->k->writes, o->Z);
  p.t = t;
  p.z = o->Z;
  return ns_operator_eval(op, c, &p, o->work, out);
}

/* The columns of F or H that belong to the estimate. */
static int jacobian_at(kalman *o, ns_ctx *c, const ns_sample *s, const ns_operator *op, int rows,
                       double t, const double *x, double *out)
{
  size_t column = (size_t)rows;
  int rc = at_estimate(o, c, s, op, t, x, o->wide);
  for (int j = 0; j < o->n; j++)
    memcpy(out + (size_t)j * column, o->wide + (size_t)o->k->writes[j] * column,
           column * sizeof *out);
  return rc;
}

static void set_identity(int n, double *A)
{
  for (int i = 0; i < n * n; i++) A[i] = i % (n + 1) == 0;
}

/* C += a A B, all [n x n], or B and C [n x m]. */
static void add_product(int n, int m, double a, const double *A, const double *B, double *C)
{
  for (int j = 0; j < m; j++) ns_gemv(n, n, a, A, B + j * n, C + j * n);
}

/* x and Phi over dt from t. */
static int runge_kutta(kalman *o, ns_ctx *c, const ns_sample *s, double t, double dt)
{
  static const double node[STAGES] = {0, 0.5, 0.5, 1},
                      weight[STAGES] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  int n = o->n, rc = NS_OK;
  for (int k = 0; k < STAGES && !rc; k++) {
    double a = node[k] * dt;
    for (int i = 0; i < n; i++) o->at[i] = o->x[i] + (k ? a * o->dx[k - 1][i] : 0);
    for (int i = 0; i < n * n; i++) o->T[i] = o->Phi[i] + (k ? a * o->dPhi[k - 1][i] : 0);
    rc = at_estimate(o, c, s, o->f, t + a, o->at, o->dx[k]);
    if (!rc) rc = jacobian_at(o, c, s, o->F, n, t + a, o->at, o->J);
    memset(o->dPhi[k], 0, (size_t)(n * n) * sizeof(double));
    add_product(n, n, 1, o->J, o->T, o->dPhi[k]);
  }
  for (int k = 0; k < STAGES; k++) {
    ns_axpy((size_t)n, dt * weight[k], o->dx[k], o->x);
    ns_axpy((size_t)(n * n), dt * weight[k], o->dPhi[k], o->Phi);
  }
  return rc;
}

/* P := A P A^T + N, A [n x n]. */
static void propagate(kalman *o, const double *A, const double *N, double *P)
{
  int n = o->n;
  memset(o->T, 0, (size_t)(n * n) * sizeof(double));
  add_product(n, n, 1, A, P, o->T);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) { /* symmetric to the bit */
      double sum = N[i + j * n];
      for (int l = 0; l < n; l++) sum += o->T[i + l * n] * A[j + l * n];
      P[i + j * n] = P[j + i * n] = sum;
    }
}

static int predict(kalman *o, ns_ctx *c, const ns_sample *s, double *P)
{
  double t = s->t - s->period, dt = s->period / o->substeps;
  int rc = NS_OK;
  memcpy(o->Z, s->held, (size_t)o->k->nZ * sizeof *o->Z);
  set_identity(o->n, o->Phi);
  if (o->sampled) {
    rc = jacobian_at(o, c, s, o->F, o->n, t, o->x, o->Phi);
    if (!rc) rc = at_estimate(o, c, s, o->f, t, o->x, o->dx[0]);
    memcpy(o->x, o->dx[0], (size_t)o->n * sizeof(double));
  }
  for (int k = 0; k < o->substeps && !o->sampled && !rc; k++)
    rc = runge_kutta(o, c, s, t + k * dt, dt);
  if (!rc) propagate(o, o->Phi, o->Q, P);
  return rc;
}

/* S = H P H^T + R and H P in K^T form: K [p x n] = S^-1 H P. */
static int gain(kalman *o, ns_ctx *c, const ns_sample *s, const double *P)
{
  int n = o->n, p = o->p;
  memset(o->K, 0, (size_t)(p * n) * sizeof(double));
  for (int j = 0; j < n; j++) ns_gemv(p, n, 1, o->Hx, P + j * n, o->K + j * p);
  memcpy(o->S, o->R, (size_t)(p * p) * sizeof(double));
  for (int i = 0; i < p; i++)
    for (int j = 0; j < p; j++)
      for (int l = 0; l < n; l++) o->S[i + j * p] += o->K[i + l * p] * o->Hx[j + l * p];
  if (ns_dense_lu(p, o->S, p, o->piv))
    return ns_fail_at(c, NS_NUMERIC, &o->k->at,
                      "H P H^T + R is singular at t = %.10g s: the covariance of the measurements "
                      "is missing; give <R>",
                      s->t);
  ns_dense_lu_solve(p, o->S, p, o->piv, n, o->K, p);
  return NS_OK;
}

static int correct(kalman *o, ns_ctx *c, const ns_sample *s, double *P)
{
  int n = o->n, p = o->p;
  memcpy(o->Z, s->held, (size_t)o->k->nZ * sizeof *o->Z);
  int rc = ns_operator_eval(o->y, c, &s->p, o->work, o->r);
  if (!rc) rc = at_estimate(o, c, s, o->h, s->t, o->x, o->yx);
  if (!rc) rc = jacobian_at(o, c, s, o->H, p, s->t, o->x, o->Hx);
  if (!rc) rc = gain(o, c, s, P);
  if (rc) return rc;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < p; j++) o->x[i] += o->K[j + i * p] * (o->r[j] - o->yx[j]);
  set_identity(n, o->J);                               /* I - K H */
  memset(o->Phi, 0, (size_t)(n * n) * sizeof(double)); /* K R K^T */
  for (int i = 0; i < n; i++)
    for (int l = 0; l < n; l++)
      for (int j = 0; j < p; j++) {
        o->J[i + l * n] -= o->K[j + i * p] * o->Hx[j + l * p];
        for (int q = 0; q < p; q++)
          o->Phi[i + l * n] += o->K[j + i * p] * o->R[j + q * p] * o->K[q + l * p];
      }
  propagate(o, o->J, o->Phi, P);
  return NS_OK;
}

static int sample(void *self, ns_ctx *c, const ns_sample *s, double *w)
{
  kalman *o = self;
  double *P = s->memory;
  if (s->i == 0) {
    set_identity(o->n, P);
    const ns_operator *P0 = ns_control_value(o->k, "P0");
    if (P0->how) copy(P0, o->n, P);
  }
  ns_gather((size_t)o->n, s->p.z, o->k->writes, o->x);
  int rc = s->i ? predict(o, c, s, P) : NS_OK;
  if (!rc) rc = correct(o, c, s, P);
  memcpy(w, o->x, (size_t)o->n * sizeof *w);
  return rc;
}

const ns_control_kind ns_control_kalman = {
    .name = "ExtendedKalmanFilter",
    .help = "estimate of the state of a nonlinear plant from noisy measurements",
    .prepare = prepare,
    .size = sizeof(kalman),
    .create = create,
    .sample = sample,
    .destroy = destroy,
    .derived = "f h"};
