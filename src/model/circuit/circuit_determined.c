/* SPDX-License-Identifier: GPL-3.0-or-later */
/* circuit_determined.c -- do the formulas of sources determine their values?
 *
 * A source that reads what depends on it is an unknown s of an equality row  y = s - f(x, lambda,
 * t). `B1 b 0 v=v(b)` makes that row 0 = 0: any s does, and a solver would take one of them unseen.
 * In general the response of all rows to all unknowns,
 *
 *   G(p) = D + C (p I - A)^-1 B,
 *
 * with the derivatives of a point, decides: where the equality rows in G depend on each other there
 * are more unknowns than equations, where the columns of their unknowns do some combination of
 * these is seen by nothing. The rank of G is the same at all p and, for formulas without corners,
 * at all points but those of a set without volume; so it is taken at a few points of no meaning,
 * and a circuit is refused where it is too small at all of them. A row that D leaves out and the
 * states bring in (a source that holds the voltage of a capacitor) is well determined. */
#include "algebra/vector.h"
#include "model/circuit/circuit_tableau.h"

#include "algebra/dense.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
  STATES_MAX = 100, /* beyond these sizes nothing is said: dense matrices are slow */
  ROWS_MAX = 400,
  POINTS = 6
};

static const double CANCELLED = 1e-12; /* of coefficients of 1: below it is rounding */
static const double DEPENDENT = 1e-9;  /* of scaled rows: below it a pivot is none */

typedef struct response {
  ns_tableau *t;
  const ns_operator *field; /* derivatives of the rates of all states */
  const ns_first_order_relation *r;
  int n, m, me; /* states, rows, those of the unknowns that are asked about */
  uint64_t seed;
  double p;                /* 1/s */
  double *bank[NS_BANKS];  /* a point */
  double *A, *B, *C, *G;   /* by columns; G [m x m] */
  double *work, *rows, *w; /* of tapes; [me x m]; weights [me x me] by rows */
  int *piv;
} response;

/* Uniform in (-1, 1), by SplitMix64. */
static double next_number(response *o)
{
  uint64_t x = o->seed += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  x ^= x >> 31;
  return (double)(x >> 11) * 0x1p-52 - 1;
}

static int evaluate(const response *o, const ns_operator *op, int rows, int cols, double *out)
{
  size_t n = (size_t)rows * (size_t)cols;
  int finite = 1;
  memset(out, 0, n * sizeof *out);
  if (op->how == NS_OP_CONSTANT) memcpy(out, op->value, n * sizeof *out);
  if (op->how == NS_OP_TAPE)
    ns_tape_eval(op->formula->tape, (const double *const *)o->bank, o->work, out);
  for (size_t k = 0; k < n; k++) finite &= isfinite(out[k]) != 0;
  return finite;
}

/* Values of all that formulas read, of the given size; what keeps its state is 0 or 1. */
static void draw_point(response *o, double size)
{
  const ns_circuit *k = o->t->k;
  const int length[] = {1, o->n, k->ninputs, o->m, k->nforeign},
            bank[] = {NS_BANK_T, NS_BANK_Q, NS_BANK_Z, NS_BANK_LAMBDA, NS_BANK_FOREIGN};
  for (int b = 0; b < 5; b++)
    for (int i = 0; i < length[b]; i++) o->bank[bank[b]][i] = size * next_number(o);
  o->bank[NS_BANK_T][0] = fabs(o->bank[NS_BANK_T][0]);
  for (int i = k->ninputs; i < o->t->nlatches; i++) o->bank[NS_BANK_Z][i] = next_number(o) > 0;
  o->p = size * (1 + fabs(next_number(o)));
}

/* G += C (p I - A)^-1 B; 0: there is none at this p. */
static int add_states(response *o)
{
  size_t n = (size_t)o->n, m = (size_t)o->m;
  if (!evaluate(o, o->field, o->n, o->n, o->A) || !evaluate(o, &o->r->B, o->n, o->m, o->B))
    return 0;
  for (size_t k = 0; k < n * n; k++) o->A[k] = (k % (n + 1) ? 0 : o->p) - o->A[k];
  if (ns_dense_lu(o->n, o->A, o->n, o->piv)) return 0;
  ns_dense_lu_solve(o->n, o->A, o->n, o->piv, o->m, o->B, o->n);
  for (size_t j = 0; j < m; j++)
    for (size_t k = 0; k < n; k++) ns_axpy(m, o->B[k + j * n], o->C + k * m, o->G + j * m);
  return 1;
}

/* Columns of the same size, then rows; what is rounding is 0. */
static void scale(response *o)
{
  double *R = o->rows;
  int rows = o->me, cols = o->m;
  for (int k = 0; k < rows * cols; k++)
    if (fabs(R[k]) < CANCELLED) R[k] = 0;
  for (int j = 0; j < cols; j++) {
    double max = 0;
    for (int i = 0; i < rows; i++) max = fmax(max, fabs(R[i * cols + j]));
    for (int i = 0; i < rows && max > 0; i++) R[i * cols + j] /= max;
  }
  for (int i = 0; i < rows; i++) {
    double max = ns_max_abs((size_t)cols, R + i * cols);
    if (max > 0) ns_divide((size_t)cols, max, R + i * cols);
  }
}

static void swap_rows(double *x, int n, int i, int j)
{
  for (int k = 0; k < n && i != j; k++) ns_swap(&x[i * n + k], &x[j * n + k]);
}

/* Eliminate with complete pivots. The row of o->w that holds the weights of a combination of rows
 * that is 0; -1: they are independent. */
static int dependent_row(response *o)
{
  double *R = o->rows, *W = o->w;
  int rows = o->me, cols = o->m;
  scale(o);
  for (int k = 0; k < rows * rows; k++) W[k] = k % (rows + 1) == 0;
  for (int k = 0; k < rows; k++) {
    int pi = k, pj = 0;
    for (int i = k; i < rows; i++)
      for (int j = 0; j < cols; j++)
        if (fabs(R[i * cols + j]) > fabs(R[pi * cols + pj])) pi = i, pj = j;
    if (fabs(R[pi * cols + pj]) <= DEPENDENT) return k;
    swap_rows(R, cols, k, pi);
    swap_rows(W, rows, k, pi);
    for (int i = k + 1; i < rows; i++) {
      double a = R[i * cols + pj] / R[k * cols + pj];
      for (int j = 0; j < cols; j++) R[i * cols + j] -= a * R[k * cols + j];
      for (int j = 0; j < rows; j++) W[i * rows + j] -= a * W[k * rows + j];
      R[i * cols + pj] = 0;
    }
  }
  return -1;
}

/* Rows of the unknowns in G, or their columns. */
static int dependent(response *o)
{
  int found = -1;
  for (int turned = 0; turned < 2 && found < 0; turned++) {
    for (int i = 0; i < o->me; i++)
      for (int j = 0; j < o->m; j++)
        o->rows[i * o->m + j] = turned ? o->G[j + i * o->m] : o->G[i + j * o->m];
    found = dependent_row(o);
  }
  return found;
}

/* ---- the sentence ---------------------------------------------------------------------------- */

/* Element whose value, or whose port, is unknown i. */
static int element_of(const ns_tableau *t, int i)
{
  for (int e = 0; e < t->k->n; e++)
    if (t->rank[e] < 0 && t->row_of[e] == i) return e;
  for (int d = 0; d < t->ndevices; d++)
    if (t->device[d].p == t->mu[i]) return t->device[d].element;
  return 0;
}

static int report(const response *o, int row)
{
  const ns_tableau *t = o->t;
  const double *w = o->w + row * o->me;
  char names[300] = "";
  int first = -1, several = 0;
  double max = ns_max_abs((size_t)o->me, w);
  for (int i = 0; i < o->me; i++) {
    size_t n = strlen(names);
    if (fabs(w[i]) < 1e-6 * max) continue;
    int e = element_of(t, i);
    several |= first >= 0;
    if (first < 0) first = e;
    snprintf(names + n, sizeof names - n, "%s%.40s", n ? ", " : "", t->k->element[e].name);
  }
  return ns_tableau_fail(
      t, first,
      "the value%s of %s %s not determined: with the rest of the circuit %s formula%s hold%s for "
      "any value or for none, expected a formula that does not reproduce what it reads; change its "
      "gain, or add a resistor in series with a voltage, in parallel with a current",
      several ? "s" : "", names, several ? "are" : "is", several ? "their" : "its",
      several ? "s" : "", several ? "" : "s");
}

/* ---- the check ------------------------------------------------------------------------------- */

static size_t work_of(const ns_operator *o)
{
  return o->how == NS_OP_TAPE ? ns_tape_work(o->formula->tape) : 0;
}

static int get_memory(response *o)
{
  ns_arena *a = o->t->a;
  const ns_circuit *k = o->t->k;
  size_t n = (size_t)o->n, m = (size_t)o->m, me = (size_t)o->me, work = 1;
  const ns_operator *op[] = {o->field, &o->r->B, &o->r->C, &o->r->D};
  for (int i = 0; i < 4; i++) work = work_of(op[i]) > work ? work_of(op[i]) : work;
  for (int b = 0; b < NS_BANKS; b++) {
    size_t length = 1;
    if (b == NS_BANK_Q) length = n;
    if (b == NS_BANK_Z) length = (size_t)o->t->nlatches + 1;
    if (b == NS_BANK_LAMBDA) length = m;
    if (b == NS_BANK_FOREIGN) length = (size_t)k->nforeign + 1;
    if (!(o->bank[b] = ns_arena_zero(a, length, sizeof(double)))) return -1;
  }
  double **matrix[] = {&o->A, &o->B, &o->C, &o->G, &o->work, &o->rows, &o->w};
  const size_t size[] = {n * n, n * m, n * m, m * m, work, me * m, me * me};
  for (int i = 0; i < 7; i++)
    if (!(*matrix[i] = ns_arena_get(a, size[i], sizeof(double)))) return -1;
  o->piv = ns_arena_get(a, n, sizeof *o->piv);
  return o->piv ? 0 : -1;
}

int ns_tableau_determined(ns_tableau *t, const ns_model *m, const ns_operator *field, int n,
                          int interaction)
{
  static const double size[POINTS] = {1, 0.1, 10, 1e-3, 1e3, 1};
  const ns_interaction *it = &m->interactions[interaction];
  response o = {.t = t, .field = field, .r = &it->fo, .n = n, .m = it->m, .me = t->nunsettled};
  for (int e = 0; e < t->k->n; e++) o.me += t->rank[e] < 0;
  if (o.me == 0 || o.m > ROWS_MAX) return NS_OK;
  if (get_memory(&o)) return ns_nomem(t->c, "circuit");
  int found = -1;
  for (int k = 0; k < POINTS; k++) {
    draw_point(&o, size[k]);
    if (!evaluate(&o, &o.r->C, o.m, o.n, o.C) || !evaluate(&o, &o.r->D, o.m, o.m, o.G)) continue;
    int row = dependent(&o);
    if (row < 0) return NS_OK;
    if (o.n > STATES_MAX) return NS_OK;
    int rc = ns_dense_prepare(t->c, o.n);
    if (rc) return rc;
    if (!add_states(&o)) continue;
    if ((row = dependent(&o)) < 0) return NS_OK;
    found = row;
  }
  return found < 0 ? NS_OK : report(&o, found);
}
