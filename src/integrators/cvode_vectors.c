/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/cvode_vectors.h"

#include "algebra/pair.h"
#include "base/grow.h"

#include <nvector/nvector_serial.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A vector; as SUNDIALS sees it, it is of the serial kind. */
typedef struct slot {
  struct _generic_N_Vector vector;
  struct _N_VectorContent_Serial content;
  ns_cvode_vectors *pool;
  int used; /* of those without data, which come and go */
} slot;

enum { EMPTY = 4 };

struct ns_cvode_vectors {
  N_Vector model; /* whose operations all have */
  struct _generic_N_Vector_Ops ops;
  size_t n, capacity; /* unknowns, and at most */
  int max, taken;
  slot *slots;  /* [most] */
  double *data; /* [most x room] */
  slot empty[EMPTY];
};

/* ---- arithmetic ------------------------------------------------------------------------------ */

static const double *of(N_Vector v) { return NV_DATA_S(v); }
static int length(N_Vector v) { return (int)NV_LENGTH_S(v); }
static ns_pair both(double a) { return (ns_pair){a, a}; }

/* z = a (x + y) */
static void scaled_sum(int n, double a, const double *x, const double *y, double *z)
{
  for (int i = 0; i < n; i++) z[i] = a * (x[i] + y[i]);
}

static void scaled_difference(int n, double a, const double *x, const double *y, double *z)
{
  for (int i = 0; i < n; i++) z[i] = a * (x[i] - y[i]);
}

/* z = a x + b y, rounded as the serial vectors of SUNDIALS do. */
static void linear_sum(realtype a, N_Vector vx, realtype b, N_Vector vy, N_Vector vz)
{
  int n = length(vz), i = 0;
  const double *x = of(vx), *y = of(vy);
  double *z = NV_DATA_S(vz);
  if (a == b && fabs(a) != 1) scaled_sum(n, a, x, y, z);
  else if (a == -b && fabs(a) != 1) scaled_difference(n, a, x, y, z);
  else {
    for (; i + 1 < n; i += 2)
      ns_pair_put(both(a) * ns_pair_at(x + i) + both(b) * ns_pair_at(y + i), z + i);
    if (i < n) z[i] = a * x[i] + b * y[i];
  }
}

static void scale(realtype a, N_Vector vx, N_Vector vz)
{
  int n = length(vz), i = 0;
  const double *x = of(vx);
  double *z = NV_DATA_S(vz);
  for (; i + 1 < n; i += 2) ns_pair_put(both(a) * ns_pair_at(x + i), z + i);
  if (i < n) z[i] = a * x[i];
}

static double weighted_squares(N_Vector vx, N_Vector vw)
{
  const double *x = of(vx), *w = of(vw);
  double sum = 0;
  for (int i = 0, n = length(vx); i < n; i++) {
    double a = x[i] * w[i];
    sum += a * a;
  }
  return sum;
}

static double weighted_norm(N_Vector x, N_Vector w)
{
  return sqrt(weighted_squares(x, w) / length(x));
}

enum { TERMS = 16 }; /* of a sum that is made at once: the history of a step and one more */

/* z = sum c_i x_i over the first n of them, which may be added to z. */
static void sum_of_some(int n, const double *c, N_Vector *X, int add, N_Vector vz)
{
  const double *x[TERMS];
  double *z = NV_DATA_S(vz);
  int size = length(vz), j = 0;
  for (int i = 0; i < n; i++) x[i] = of(X[i]);
  for (; j + 1 < size; j += 2) {
    ns_pair sum = add ? ns_pair_at(z + j) : both(c[0]) * ns_pair_at(x[0] + j);
    for (int i = !add; i < n; i++) sum += both(c[i]) * ns_pair_at(x[i] + j);
    ns_pair_put(sum, z + j);
  }
  for (; j < size; j++) {
    double sum = add ? z[j] : c[0] * x[0][j];
    for (int i = !add; i < n; i++) sum += c[i] * x[i][j];
    z[j] = sum;
  }
}

/* z may be the first of X. */
static int linear_combination(int n, realtype *c, N_Vector *X, N_Vector z)
{
  for (int from = 0; from < n; from += TERMS)
    sum_of_some(n - from < TERMS ? n - from : TERMS, c + from, X + from, from > 0, z);
  return 0;
}

/* Z_i = a_i x + Y_i */
static int scale_add_multi(int n, realtype *a, N_Vector x, N_Vector *Y, N_Vector *Z)
{
  for (int i = 0; i < n; i++) linear_sum(a[i], x, 1, Y[i], Z[i]);
  return 0;
}

static int scale_array(int n, realtype *a, N_Vector *X, N_Vector *Z)
{
  for (int i = 0; i < n; i++) scale(a[i], X[i], Z[i]);
  return 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static N_Vector fill(ns_cvode_vectors *p, slot *s, double *data)
{
  s->content = (struct _N_VectorContent_Serial){
      .length = (sunindextype)p->n, .own_data = SUNFALSE, .data = data};
  s->vector = (struct _generic_N_Vector){
      .content = &s->content, .ops = &p->ops, .sunctx = p->model->sunctx};
  s->pool = p;
  s->used = 1;
  return &s->vector;
}

static N_Vector clone(N_Vector v)
{
  slot *s = (slot *)(void *)v;
  return ns_cvode_vectors_get(s->pool);
}

/* For the columns of a Jacobian: one at a time. */
static N_Vector clone_empty(N_Vector v)
{
  ns_cvode_vectors *p = ((slot *)(void *)v)->pool;
  for (int k = 0; k < EMPTY; k++)
    if (!p->empty[k].used) return fill(p, &p->empty[k], NULL);
  return NULL;
}

static void forget(N_Vector v) { ((slot *)(void *)v)->used = 0; }

ns_cvode_vectors *ns_cvode_vectors_create(void *sun, size_t n, int max)
{
  ns_cvode_vectors *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->n = p->capacity = n;
  p->max = max;
  p->model = N_VNewEmpty_Serial((sunindextype)n, sun);
  p->slots = calloc((size_t)max, sizeof *p->slots);
  p->data = calloc((size_t)max * n + 1, sizeof *p->data);
  if (!p->model || !p->slots || !p->data) {
    ns_cvode_vectors_destroy(p);
    return NULL;
  }
  p->ops = *p->model->ops;
  p->ops.nvclone = clone;
  p->ops.nvcloneempty = clone_empty;
  p->ops.nvdestroy = forget;
  p->ops.nvlinearsum = linear_sum;
  p->ops.nvscale = scale;
  p->ops.nvwrmsnorm = weighted_norm;
  p->ops.nvwsqrsumlocal = weighted_squares;
  p->ops.nvlinearcombination = linear_combination;
  p->ops.nvscaleaddmulti = scale_add_multi;
  p->ops.nvscalevectorarray = scale_array;
  return p;
}

void ns_cvode_vectors_destroy(ns_cvode_vectors *p)
{
  if (!p) return;
  if (p->model) N_VDestroy(p->model);
  NS_FREE(p->slots, p->data, p);
}

void *ns_cvode_vectors_get(ns_cvode_vectors *p)
{
  if (p->taken == p->max) return NULL;
  N_Vector v = fill(p, &p->slots[p->taken], p->data + (size_t)p->taken * p->capacity);
  p->taken++;
  return v;
}

void ns_cvode_vectors_resize(ns_cvode_vectors *p, size_t n)
{
  p->n = n;
  for (int k = 0; k < p->taken; k++) p->slots[k].content.length = (sunindextype)n;
}
