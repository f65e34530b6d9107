/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control_state_space.c -- linear blocks with a state: <StateSpace> and <TransferFunction>.
 *
 *   y_i = C x_i + D u_i,  x_i+1 = Phi x_i + Gamma u_i
 *
 * Phi, Gamma are given, or those of x' = A x + B u, y = C x + D u at the period T:
 *
 *   zoh     u is held over a period: Phi = exp(T A), Gamma = int_0^T exp(s A) ds B
 *           (algebra/expm.h)
 *   tustin  the trapezoidal rule, s -> 2/T (z-1)/(z+1); with W = (I - T/2 A)^-1
 *           Phi = W (I + T/2 A), Gamma = T W B, C -> C W, D -> D + T/2 C W B, x0 -> (I - T/2 A) x0
 *           (Franklin, Powell & Workman 1998, ch. 6)
 *
 * A transfer function b(s)/a(s), or of z, with deg b <= deg a = n is the state-space form of
 * controllable companion matrices (Kailath 1980, ch. 2). Memory: x. */
#include "algebra/vector.h"
#include "model/controls/control_kinds.h"
#include "model/controls/control_plant.h"

#include "algebra/dense.h"
#include "algebra/expm.h"

#include <stdlib.h>
#include <string.h>

typedef struct state_space {
  int n, p, m; /* state, inputs, outputs */
  const ns_operator *u;
  const double *x0;            /* NULL: zero */
  double *Phi, *Gamma, *C, *D; /* [n x n], [n x p], [m x n], [m x p] by columns */
  double *in, *next, *work;    /* [p], [n] */
  ns_arena *mem;
} state_space;

enum { GIVEN_CONTINUOUS, GIVEN_SAMPLED };
enum { METHOD_ZOH, METHOD_TUSTIN };

/* ---- sizes ----------------------------------------------------------------------------------- */

static int check_method(const ns_control *k, ns_ctx *c)
{
  int sampled = ns_control_number(k, "given", GIVEN_CONTINUOUS) > 0;
  if (!sampled || ns_control_number(k, "method", -1) < 0) return NS_OK;
  return ns_control_fail(k, c,
                         "<%s> has given=\"sampled\" and a method, expected one of them: sampled "
                         "matrices are not discretised",
                         k->kind->name);
}

static int check_size(const ns_control *k, ns_ctx *c, const char *name, int rows, int cols,
                      const char *why)
{
  const ns_operator *o = ns_control_value(k, name);
  if (!o->how || (o->rows == rows && o->cols == cols)) return NS_OK;
  return ns_control_fail(k, c, "<%s> is %d x %d, expected %d x %d: %s", name, o->rows, o->cols,
                         rows, cols, why);
}

static int prepare_matrices(const ns_model *m, ns_control *k, ns_ctx *c)
{
  const ns_operator *A = ns_control_value(k, "A"), *u = ns_control_value(k, "u");
  int n = A->rows, p = u->rows;
  (void)m;
  if (A->rows != A->cols)
    return ns_control_fail(k, c, "<A> is %d x %d, expected a square matrix", A->rows, A->cols);
  k->nmemory = n;
  int rc = check_size(k, c, "B", n, p, "rows of <A> by entries of <u>");
  if (!rc) rc = check_size(k, c, "C", k->nwrites, n, "entries that it writes by columns of <A>");
  if (!rc) rc = check_size(k, c, "D", k->nwrites, p, "entries that it writes by entries of <u>");
  if (!rc) rc = check_size(k, c, "x0", n, 1, "rows of <A>");
  return rc ? rc : check_method(k, c);
}

static int prepare_function(const ns_model *m, ns_control *k, ns_ctx *c)
{
  const ns_operator *num = ns_control_value(k, "numerator"),
                    *den = ns_control_value(k, "denominator");
  (void)m;
  if (k->nwrites != 1)
    return ns_control_fail(k, c,
                           "writes %d entries, expected one: the output of the <TransferFunction>; "
                           "name it in writes=\"...\"",
                           k->nwrites);
  if (den->value[0] == 0)
    return ns_control_fail(k, c,
                           "<denominator> begins with 0, expected the coefficient of its highest "
                           "power; remove the zero");
  int zeros = 0; /* before the highest power of the numerator */
  while (zeros < num->rows - 1 && num->value[zeros] == 0) zeros++;
  if (num->rows - zeros > den->rows)
    return ns_control_fail(
        k, c,
        "<numerator> is of degree %d, expected at most %d, that of <denominator>: it would "
        "differentiate; add a fast pole to the denominator",
        num->rows - zeros - 1, den->rows - 1);
  k->nmemory = den->rows - 1;
  return check_method(k, c);
}

/* ---- set-up ---------------------------------------------------------------------------------- */

static void destroy(void *self)
{
  state_space *o = self;
  ns_arena_destroy(o->mem);
}

static int get_memory(state_space *o, ns_ctx *c)
{
  size_t n = (size_t)o->n, p = (size_t)o->p, m = (size_t)o->m, d = sizeof(double);
  const ns_array want[] = {{&o->Phi, n * n, d}, {&o->Gamma, n * p, d}, {&o->C, m * n, d},
                           {&o->D, m * p, d},   {&o->in, p, d},        {&o->next, n, d}};
  o->mem = ns_arena_create(0, 1);
  if (o->mem && !ns_arena_arrays(o->mem, want, sizeof want / sizeof *want)) return NS_OK;
  return ns_nomem(c, "a block with a state");
}

/* Entries of a constant value, zeros where it is absent. */
static void copy(const ns_operator *o, double *to)
{
  for (int j = 0; o->how && j < o->cols; j++)
    for (int i = 0; i < o->rows; i++) to[i + j * o->rows] = ns_operator_entry(o, i, j);
}

/* Gamma := S Gamma, by scratch of the same size. */
static void multiply(const state_space *o, const double *S, double *T)
{
  size_t bytes = (size_t)o->n * (size_t)o->p * sizeof *T;
  memcpy(T, o->Gamma, bytes);
  memset(o->Gamma, 0, bytes);
  for (int j = 0; j < o->p; j++) ns_gemv(o->n, o->n, 1, S, T + j * o->n, o->Gamma + j * o->n);
}

static int hold(state_space *o, ns_ctx *c, double T, double *Psi, double *scratch)
{
  int rc = ns_expm_hold(c, o->n, o->Phi, T, o->Phi, Psi);
  if (!rc) multiply(o, Psi, scratch);
  return rc;
}

/* W = (I - T/2 A)^-1, Phi = 2 W - I: W (I + T/2 A) = W (2 I - (I - T/2 A)). The memory s, of which
 * y = C W s + ... is made, begins with (I - T/2 A) x0: y is C x0 while u is 0. */
static int trapezoid(state_space *o, ns_ctx *c, const ns_control *k, double T, double *W,
                     double *scratch)
{
  size_t n = (size_t)o->n, m = (size_t)o->m;
  int *piv = ns_arena_get(o->mem, n + 1, sizeof *piv);
  double *LU = ns_arena_get(o->mem, n * n + 1, sizeof *LU),
         *CW = ns_arena_zero(o->mem, m * n + 1, sizeof *CW);
  if (!piv || !LU || !CW) return ns_nomem(c, "a block with a state");
  for (size_t i = 0; i < n * n; i++) {
    W[i] = i % (n + 1) == 0;
    LU[i] = W[i] - T / 2 * o->Phi[i];
  }
  if (o->x0) {
    double *start = ns_arena_zero(o->mem, n + 1, sizeof *start);
    if (!start) return ns_nomem(c, "a block with a state");
    ns_gemv(o->n, o->n, 1, LU, o->x0, start);
    o->x0 = start;
  }
  int rc = ns_dense_prepare(c, o->n);
  if (!rc && ns_dense_lu(o->n, LU, o->n, piv))
    rc = ns_control_fail(
        k, c, "I - T/2 A is singular for the period T = %g s, expected another period", T);
  if (rc) return rc;
  ns_dense_lu_solve(o->n, LU, o->n, piv, o->n, W, o->n);
  for (size_t i = 0; i < n * n; i++) o->Phi[i] = 2 * W[i] - (i % (n + 1) == 0);
  multiply(o, W, scratch); /* W B */
  for (int j = 0; j < o->p; j++)
    ns_gemv(o->m, o->n, T / 2, o->C, o->Gamma + j * o->n, o->D + j * o->m);
  for (int j = 0; j < o->n; j++) ns_gemv(o->m, o->n, 1, o->C, W + j * o->n, CW + j * o->m);
  memcpy(o->C, CW, m * n * sizeof *CW);
  ns_scale(n * (size_t)o->p, T, o->Gamma);
  return NS_OK;
}

/* A and B stand in Phi and Gamma. */
static int discretise(state_space *o, ns_ctx *c, const ns_control *k)
{
  size_t n = (size_t)o->n, p = (size_t)o->p;
  if (ns_control_number(k, "given", GIVEN_CONTINUOUS) > 0 || o->n == 0) return NS_OK;
  double *S = ns_arena_get(o->mem, n * n, sizeof *S),
         *scratch = ns_arena_get(o->mem, n * p + 1, sizeof *scratch);
  if (!S || !scratch) return ns_nomem(c, "a block with a state");
  int tustin = ns_control_number(k, "method", METHOD_ZOH) > 0;
  return tustin ? trapezoid(o, c, k, k->period, S, scratch) : hold(o, c, k->period, S, scratch);
}

static int begin(state_space *o, ns_ctx *c, const ns_control *k, int inputs, double *work)
{
  *o = (state_space){.n = k->nmemory - k->gated,
                     .p = inputs,
                     .m = k->nwrites,
                     .u = ns_control_value(k, "u"),
                     .work = work};
  return get_memory(o, c);
}

static int create_matrices(void *self, ns_ctx *c, const ns_model *m, const ns_control *k,
                           double *work)
{
  state_space *o = self;
  (void)m;
  int rc = begin(o, c, k, ns_control_value(k, "u")->rows, work);
  if (rc) return rc;
  copy(ns_control_value(k, "A"), o->Phi);
  copy(ns_control_value(k, "B"), o->Gamma);
  copy(ns_control_value(k, "C"), o->C);
  copy(ns_control_value(k, "D"), o->D);
  o->x0 = ns_control_value(k, "x0")->value;
  return discretise(o, c, k);
}

/* Companion matrices of b/a: with a_0 = 1, the last row of A is -a_n ... -a_1, B = e_n, D = b_0,
 * C_j = b_n-j - a_n-j b_0. */
static void companion(const ns_control *k, state_space *o)
{
  const ns_operator *num = ns_control_value(k, "numerator"),
                    *den = ns_control_value(k, "denominator");
  int n = o->n, shift = den->rows - num->rows; /* power of b_i: that of a_i+shift */
  double lead = den->value[0];
  o->D[0] = shift <= 0 ? num->value[-shift] / lead : 0;
  for (int j = 0; j < n; j++) {
    int i = n - j; /* index of the coefficient of power j */
    double a = den->value[i] / lead, b = i >= shift ? num->value[i - shift] / lead : 0;
    o->C[j] = b - a * o->D[0];
    o->Phi[(n - 1) + j * n] = -a;
    if (j > 0) o->Phi[(j - 1) + j * n] = 1;
  }
  if (n) o->Gamma[n - 1] = 1;
}

static int create_function(void *self, ns_ctx *c, const ns_model *m, const ns_control *k,
                           double *work)
{
  state_space *o = self;
  (void)m;
  int rc = begin(o, c, k, 1, work);
  if (rc) return rc;
  companion(k, o);
  return discretise(o, c, k);
}

/* ---- a sample -------------------------------------------------------------------------------- */

static int sample(void *self, ns_ctx *c, const ns_sample *s, double *w)
{
  state_space *o = self;
  double *x = s->memory;
  size_t n = (size_t)o->n;
  int rc = ns_operator_eval(o->u, c, &s->p, o->work, o->in);
  if (rc) return rc;
  if (s->i == 0 && o->x0) memcpy(x, o->x0, n * sizeof *x);
  memset(w, 0, (size_t)o->m * sizeof *w);
  ns_gemv(o->m, o->n, 1, o->C, x, w);
  ns_gemv(o->m, o->p, 1, o->D, o->in, w);
  memset(o->next, 0, n * sizeof *o->next);
  ns_gemv(o->n, o->n, 1, o->Phi, x, o->next);
  ns_gemv(o->n, o->p, 1, o->Gamma, o->in, o->next);
  if (n) memcpy(x, o->next, n * sizeof *x);
  return NS_OK;
}

const ns_control_kind ns_control_state_space = {
    .name = "StateSpace",
    .help = "x+ = Phi x + Gamma u, y = C x + D u, given or discretised exactly",
    .prepare = prepare_matrices,
    .size = sizeof(state_space),
    .create = create_matrices,
    .sample = sample,
    .destroy = destroy};

const ns_control_kind ns_control_transfer_function = {
    .name = "TransferFunction",
    .help = "b(s)/a(s), discretised exactly, or b(z)/a(z)",
    .prepare = prepare_function,
    .size = sizeof(state_space),
    .create = create_function,
    .sample = sample,
    .destroy = destroy};
