/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/check/posed.h"

#include "algebra/dense.h"
#include "algebra/vector.h"
#include "model/state.h"
#include "model/systems/first_order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Beyond these the dense products would take longer than a run. P is tested by 2^n minors. */
enum { STATES_MAX = 400, ROWS_MAX = 400, P_ROWS_MAX = 14, DEGREE_MAX = 12, TOLD = 5 };

/* The model put together; matrices by columns. */
typedef struct whole {
  const ns_model *m;
  size_t n, r;       /* states, rows */
  double *M, *A;     /* [n x n], A with K of the relations */
  double *B, *C, *D; /* [n x r], [r x n], [r x r] */
  double *y, *x, *z, *zero;
  double *work, *local; /* scratch of the evaluation; blocks of one interaction */
  int *piv;
} whole;

const char *ns_posed_text(ns_posed_class k)
{
  static const char *const text[] = {
      [NS_POSED_NONE] = "equations alone",
      [NS_POSED_DEFINITE] = "positive definite: one solution in every step",
      [NS_POSED_P] = "a P-matrix: one solution in every step",
      [NS_POSED_SEMIDEFINITE] =
          "positive semidefinite: solvable where feasible, multipliers may not be unique",
      [NS_POSED_OTHER] = "of no known class: a step may have no solution or several",
      [NS_POSED_EQUALITIES] = "singular in its equality rows: multipliers may not be unique",
      [NS_POSED_UNKNOWN] = "too large to classify"};
  return text[k];
}

/* ---- assembly -------------------------------------------------------------------------------- */

static size_t scratch_size(const ns_model *m, size_t *local)
{
  size_t work = 0, big = 1;
  for (int i = 0; i < m->nsystems; i++) {
    size_t w = ns_first_order_work(&m->systems[i]), n = (size_t)m->systems[i].n;
    work = w > work ? w : work;
    big = n * n > big ? n * n : big;
  }
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    size_t w = ns_relation_work(it), N = (size_t)it->nQ, r = (size_t)it->m, Z = (size_t)it->nZ;
    size_t all = 2 * N * r + r * r + N * N + 2 * N + Z + r;
    work = w > work ? w : work;
    big = all > big ? all : big;
  }
  *local = big;
  return work + 1;
}

static int get(whole *w, ns_arena *a)
{
  size_t n = w->n, r = w->r, local, work = scratch_size(w->m, &local), d = sizeof(double);
  const ns_array want[] = {
      {&w->M, n * n, d},   {&w->A, n * n, d},     {&w->B, n * r, d},
      {&w->C, n * r, d},   {&w->D, r * r, d},     {&w->y, r, d},
      {&w->x, n, d},       {&w->z, w->m->nz, d},  {&w->zero, n + r, d},
      {&w->work, work, d}, {&w->local, local, d}, {&w->piv, n + r, sizeof *w->piv}};
  return !ns_arena_arrays(a, want, sizeof want / sizeof *want);
}

static int add_system(whole *w, ns_ctx *c, const ns_system *s)
{
  ns_point p = ns_system_point(s, w->m->sim.t0, w->x, w->zero, w->z);
  size_t n = (size_t)s->n;
  int rc = ns_first_order_mass(s, c, &p, w->work, w->local);
  for (size_t k = 0; k < n * n; k++) w->M[s->q + k % n + (s->q + k / n) * w->n] = w->local[k];
  if (!rc) rc = ns_first_order_jacobian(s, c, &p, w->work, w->local);
  for (size_t k = 0; k < n * n; k++) w->A[s->q + k % n + (s->q + k / n) * w->n] = w->local[k];
  return rc;
}

/* Place of the k-th stacked coordinate of an interaction. */
static size_t place(const ns_model *m, const ns_interaction *it, size_t k)
{
  int j = 0;
  while (k >= (size_t)m->systems[it->systems[j]].n) k -= (size_t)m->systems[it->systems[j++]].n;
  return m->systems[it->systems[j]].q + k;
}

static int add_interaction(whole *w, ns_ctx *c, const ns_interaction *it)
{
  const ns_model *m = w->m;
  size_t N = (size_t)it->nQ, r = (size_t)it->m, at = 0;
  double *C = w->local, *D = C + r * N, *B = D + r * r, *K = B + N * r, *X = K + N * N, *Z = X + N,
         *R = Z + it->nZ;
  for (size_t k = 0; k < N; k++) X[k] = w->x[place(m, it, k)];
  for (int j = 0; j < it->nsystems; j++) {
    const ns_system *s = &m->systems[it->systems[j]];
    if (s->nz) memcpy(Z + at, w->z + s->z, (size_t)s->nz * sizeof *Z);
    at += (size_t)s->nz;
  }
  ns_point p = {.t = m->sim.t0,
                .n = it->nQ,
                .q = X,
                .v = w->zero,
                .nz = it->nZ,
                .z = Z,
                .index = it->index,
                .m = it->m,
                .lambda = w->zero};
  int rc = ns_relation_eval(it, c, &p, w->work, w->y + it->row, R);
  if (!rc) rc = ns_relation_tangents(it, c, &p, w->work, C, D, B, K);
  if (rc) return rc;
  for (size_t i = 0; i < r; i++)
    for (size_t j = 0; j < r; j++) w->D[it->row + i + (it->row + j) * w->r] = D[i + j * r];
  for (size_t k = 0; k < N; k++) {
    size_t q = place(m, it, k);
    for (size_t i = 0; i < r; i++) {
      w->C[it->row + i + q * w->r] += C[i + k * r];
      w->B[q + (it->row + i) * w->n] += B[k + i * N];
    }
    for (size_t l = 0; l < N; l++) w->A[q + place(m, it, l) * w->n] += K[k + l * N];
  }
  return NS_OK;
}

static int assemble(whole *w, ns_ctx *c)
{
  int rc = NS_OK;
  ns_state_initial(w->m, w->x, NULL, w->z);
  for (int i = 0; i < w->m->nsystems && !rc; i++) rc = add_system(w, c, &w->m->systems[i]);
  for (int i = 0; i < w->m->ninteractions && !rc; i++)
    rc = add_interaction(w, c, &w->m->interactions[i]);
  return rc;
}

/* ---- relative degree ------------------------------------------------------------------------- */

/* Z [a x c] = X [a x b] Y [b x c]; S [a x c], its rounding scale: the same with absolute values. */
static void multiply(size_t a, size_t b, size_t c, const double *X, const double *Y, double *Z,
                     double *S)
{
  for (size_t k = 0; k < c; k++)
    for (size_t i = 0; i < a; i++) {
      double s = 0, t = 0;
      for (size_t j = 0; j < b; j++) {
        s += X[i + j * a] * Y[j + k * b];
        t += fabs(X[i + j * a] * Y[j + k * b]);
      }
      Z[i + k * a] = s;
      if (S) S[i + k * a] = t;
    }
}

/* Rows whose degree is open and that are not zero, to rounding, get degree r. Their number. */
static int settle(const whole *w, ns_posed *p, const double *H, const double *S, int r)
{
  int open = 0;
  for (size_t i = 0; i < w->r; i++) {
    if (p->degree[i] != NS_POSED_NO_DEGREE) continue;
    for (size_t j = 0; j < w->r; j++)
      if (fabs(H[i + j * w->r]) > 1e-12 * S[i + j * w->r]) p->degree[i] = r;
    open += p->degree[i] == NS_POSED_NO_DEGREE;
  }
  return open;
}

/* M and A of M x' = A x become M^-1 A and the factor; B becomes M^-1 B. */
static int degrees(whole *w, ns_posed *p, ns_arena *a)
{
  size_t n = w->n, r = w->r;
  double *F = ns_arena_get(a, n * n + 1, sizeof *F), *P = ns_arena_get(a, n * n + 1, sizeof *P);
  double *X = ns_arena_get(a, n * r + 1, sizeof *X), *Y = ns_arena_get(a, n * r + 1, sizeof *Y);
  double *H = ns_arena_get(a, r * r + 1, sizeof *H), *S = ns_arena_get(a, r * r + 1, sizeof *S);
  if (!F || !P || !X || !Y || !H || !S) return NS_NOMEM;
  memcpy(F, w->M, n * n * sizeof *F);
  memcpy(P, w->A, n * n * sizeof *P);
  memcpy(X, w->B, n * r * sizeof *X);
  for (size_t i = 0; i < r; i++) p->degree[i] = NS_POSED_NO_DEGREE;
  memset(S, 0, r * r * sizeof *S);
  int open = settle(w, p, w->D, S, 0);
  if (ns_dense_lu((int)n, F, (int)n, w->piv)) return NS_OK;
  ns_dense_lu_solve((int)n, F, (int)n, w->piv, (int)n, P, (int)n);
  ns_dense_lu_solve((int)n, F, (int)n, w->piv, (int)r, X, (int)n);
  for (int d = 1; open && d <= DEGREE_MAX && d <= (int)n; d++) {
    multiply(r, n, r, w->C, X, H, S);
    open = settle(w, p, H, S, d);
    multiply(n, n, r, P, X, Y, NULL);
    memcpy(X, Y, n * r * sizeof *X);
  }
  return NS_OK;
}

/* ---- class of the one-step matrix ------------------------------------------------------------ */

/* All principal minors positive, by Schur complements (Tsatsomeros & Li 2000). A [n x n] with
 * leading dimension n is overwritten; space [sum of k^2 for k < n]. */
static int is_p(int n, double *A, double *space)
{
  if (n == 0) return 1;
  if (!(A[0] > 0)) return 0;
  int k = n - 1;
  double *rest = space, *schur = space;
  for (int which = 0; which < 2; which++) {
    for (int j = 0; j < k; j++)
      for (int i = 0; i < k; i++) {
        double a = A[i + 1 + (j + 1) * n];
        rest[i + j * k] = which ? a - A[i + 1] * A[(j + 1) * n] / A[0] : a;
      }
    if (!is_p(k, schur, space + k * k)) return 0;
  }
  return 1;
}

/* The symmetric part of S [k x k]: 1 definite, 0 semidefinite, -1 neither. F: scratch. */
static int definite(int k, const double *S, double *F)
{
  for (int shifted = 0; shifted < 2; shifted++) {
    for (int j = 0; j < k; j++)
      for (int i = 0; i < k; i++) F[i + j * k] = (S[i + j * k] + S[j + i * k]) / 2;
    for (int i = 0; i < k && shifted; i++) F[i + i * k] += 1e-10;
    if (ns_dense_cholesky(k, F, k) == 0) return !shifted;
  }
  return -1;
}

/* To *class; NS_NOMEM. */
static int classify(const whole *w, ns_arena *a, const double *Mbar, ns_posed_class *class)
{
  size_t r = w->r, nf = 0, ns = 0;
  int *row = ns_arena_get(a, r + 1, sizeof *row);
  *class = NS_POSED_UNKNOWN;
  if (!row) return NS_NOMEM;
  for (int pass = 0; pass < 2; pass++) /* free rows first */
    for (int i = 0; i < w->m->ninteractions; i++) {
      const ns_interaction *it = &w->m->interactions[i];
      for (int k = 0; k < it->m; k++) {
        int is_free = ns_law_is_free(&it->law, k);
        if (is_free != !pass) continue;
        row[nf + ns] = (int)it->row + k;
        *(pass ? &ns : &nf) += 1;
      }
    }
  if (!ns) return *class = NS_POSED_NONE, NS_OK;
  double *E = ns_arena_get(a, nf * nf + 1, sizeof *E), *U = ns_arena_get(a, nf * ns + 1, sizeof *U);
  double *S = ns_arena_get(a, ns * ns + 1, sizeof *S),
         *F = ns_arena_get(a, (ns > P_ROWS_MAX ? 1 : ns) * ns * ns + 1, sizeof *F);
  double *scale = ns_arena_zero(a, ns + 1, sizeof *scale);
  if (!E || !U || !S || !F || !scale) return NS_NOMEM;
  for (size_t i = 0; i < nf; i++) {
    for (size_t j = 0; j < nf; j++) E[i + j * nf] = Mbar[(size_t)row[i] + (size_t)row[j] * r];
    for (size_t j = 0; j < ns; j++) U[i + j * nf] = Mbar[(size_t)row[i] + (size_t)row[nf + j] * r];
  }
  if (nf && ns_dense_lu((int)nf, E, (int)nf, w->piv)) return *class = NS_POSED_EQUALITIES, NS_OK;
  if (nf) ns_dense_lu_solve((int)nf, E, (int)nf, w->piv, (int)ns, U, (int)nf);
  for (size_t j = 0; j < ns; j++)
    for (size_t i = 0; i < ns; i++) {
      double s = Mbar[(size_t)row[nf + i] + (size_t)row[nf + j] * r];
      for (size_t k = 0; k < nf; k++)
        s -= Mbar[(size_t)row[nf + i] + (size_t)row[k] * r] * U[k + j * nf];
      S[i + j * ns] = s;
      scale[i] = fmax(scale[i], fabs(s));
      scale[j] = fmax(scale[j], fabs(s));
    }
  for (size_t j = 0; j < ns;
       j++) /* the class does not change when row and column i take the same factor */
    for (size_t i = 0; i < ns; i++)
      if (scale[i] > 0 && scale[j] > 0) S[i + j * ns] /= sqrt(scale[i]) * sqrt(scale[j]);
  int sign = definite((int)ns, S, F);
  if (sign >= 0) *class = sign ? NS_POSED_DEFINITE : NS_POSED_SEMIDEFINITE;
  else if (ns <= P_ROWS_MAX) *class = is_p((int)ns, S, F) ? NS_POSED_P : NS_POSED_OTHER;
  return NS_OK;
}

static int problem(whole *w, ns_posed *p, ns_arena *a)
{
  size_t n = w->n, r = w->r;
  const ns_euler_moreau_options *o = &w->m->sim.em;
  double h = w->m->sim.ts.h, *X = ns_arena_get(a, n * r + 1, sizeof *X),
         *H = ns_arena_get(a, r * r + 1, sizeof *H);
  if (!X || !H) return NS_NOMEM;
  memcpy(H, w->D, r * r * sizeof *H);
  int zero = 1;
  for (size_t k = 0; k < r * r; k++) zero = zero && w->D[k] == 0;
  p->singular_D = !zero && ns_dense_lu((int)r, H, (int)r, w->piv) != 0;
  ns_axpy(n * n, -h * o->theta, w->A, w->M);
  memcpy(X, w->B, n * r * sizeof *X);
  if (ns_dense_lu((int)n, w->M, (int)n, w->piv)) return NS_OK;
  ns_dense_lu_solve((int)n, w->M, (int)n, w->piv, (int)r, X, (int)n);
  multiply(r, n, r, w->C, X, H, NULL);
  ns_linear_sum(r * r, w->D, h * o->gamma, H, H);
  return classify(w, a, H, &p->problem);
}

/* ---- initial values -------------------------------------------------------------------------- */

static void initial(const whole *w, ns_posed *p)
{
  for (int i = 0; i < w->m->ninteractions; i++) {
    const ns_interaction *it = &w->m->interactions[i];
    for (int k = 0; k < it->m; k++) {
      size_t row = it->row + (size_t)k;
      p->y0[row] = w->y[row];
      if (p->degree[row] == 0 || !ns_law_is_box(it->law.ops)) continue;
      double tol = 1e-9;
      for (size_t j = 0; j < w->n; j++)
        tol = fmax(tol, 1e-12 * fabs(w->C[row + j * w->r] * w->x[j]));
      /* y > 0 wants lambda = lb, y < 0 lambda = ub: a bound that is not there */
      p->jumps[row] = (w->y[row] > tol && it->law.lb[k] == -INFINITY) ||
                      (w->y[row] < -tol && it->law.ub[k] == INFINITY);
    }
  }
}

/* ---- all ------------------------------------------------------------------------------------- */

static int diagnose(ns_ctx *c, const ns_model *m, ns_posed *p)
{
  whole w = {.m = m, .n = m->nq, .r = m->nrows};
  if (!ns_model_is_first_order(m) || w.n > STATES_MAX || w.r > ROWS_MAX || w.r == 0) return NS_OK;
  const ns_array want[] = {{&p->degree, w.r, sizeof *p->degree},
                           {&p->y0, w.r, sizeof *p->y0},
                           {&p->jumps, w.r, sizeof *p->jumps}};
  ns_arena *a = ns_arena_create(0, 1);
  int rc = a && !ns_arena_arrays(p->mem, want, 3) && get(&w, a) ? NS_OK : NS_NOMEM;
  if (!rc) rc = ns_dense_prepare(c, (int)(w.n > w.r ? w.n : w.r));
  if (!rc) rc = assemble(&w, c);
  if (!rc) rc = degrees(&w, p, a);
  if (!rc) rc = problem(&w, p, a);
  if (!rc) {
    initial(&w, p);
    p->n = (int)w.r;
    p->known = 1;
  }
  ns_arena_destroy(a);
  return rc == NS_NOMEM ? ns_nomem(c, "diagnosis of the interactions") : rc;
}

int ns_posed_create(ns_ctx *c, const ns_model *m, ns_posed **out)
{
  ns_posed *p = *out = NS_ARENA_OBJECT(ns_posed, mem);
  if (!p) return ns_nomem(c, "diagnosis of the interactions");
  p->problem = NS_POSED_UNKNOWN;
  int rc = diagnose(c, m, p);
  if (rc) {
    ns_posed_destroy(p);
    *out = NULL;
  }
  return rc;
}

void ns_posed_destroy(ns_posed *p)
{
  if (p) ns_arena_destroy(p->mem);
}

/* What the check of the model has already said of a row: no lambda in its reach, and a bound that
 * it must keep. */
static int said(const ns_interaction *it, int k)
{
  return ns_law_is_box(it->law.ops) && !ns_law_is_bounded(&it->law, k) &&
         it->fo.C.how == NS_OP_CONSTANT && it->fo.D.how <= NS_OP_CONSTANT &&
         ns_relation_is_linear(it);
}

void ns_posed_warn(const ns_posed *p, const ns_model *m, ns_ctx *c)
{
  int degrees_told = 0, jumps_told = 0;
  for (int i = 0; i < m->ninteractions && p->known; i++) {
    const ns_interaction *it = &m->interactions[i];
    for (int k = 0; k < it->m; k++) {
      size_t row = it->row + (size_t)k;
      if (p->degree[row] >= 2 && !said(it, k) && degrees_told++ < TOLD)
        ns_warn_at(
            c, &it->at,
            "y[%d] has relative degree %d, expected 0 or 1: lambda acts on it only through "
            "%d integrations, and y = 0 cannot be kept in one step; include a derivative in y",
            k, p->degree[row], p->degree[row]);
      if (p->degree[row] == NS_POSED_NO_DEGREE && !said(it, k) && degrees_told++ < TOLD)
        ns_warn_at(c, &it->at,
                   "lambda does not act on y[%d] at the initial state, expected an effect by D or "
                   "by C and B; look for a zero row",
                   k);
      if (p->jumps[row] && jumps_told++ < TOLD)
        ns_warn_at(c, &it->at,
                   "y[%d] is %g at t0, expected %s: the state jumps in the first step, where h "
                   "lambda is the impulse; give consistent initial values if no jump is intended",
                   k, p->y0[row],
                   ns_law_is_free(&it->law, k) ? "0"
                   : p->y0[row] < 0            ? ">= 0"
                                               : "<= 0");
    }
  }
}
