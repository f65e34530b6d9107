/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Few rows in the plane: the cases of the laws, take-off, stick and two directions of slip, a bound
 * or none, make the problem linear. Cases by the map of Alart & Curnier (1991) from the guess on,
 * until they repeat: a handful of small linear systems, and what comes out is exact to rounding.
 * Equalities that say what others say carry nothing. Where the cases do not repeat, or other rows
 * are redundant, others take over. */
#include "problems/mechanical_work.h"

#include "algebra/dense.h"

#include <math.h>
#include <string.h>

enum { ROWS = 12, ROUNDS = 10 };

/* Of a normal or box row: how it enters the linear system. */
enum { OUT, IN, LOWER, UPPER };
/* Of a row of slip. */
enum { STICK, FORWARD, BACKWARD };

typedef struct cases {
  int m, n;
  double W[ROWS * ROWS]; /* by columns */
  signed char state[ROWS];
  signed char next[ROWS];
  signed char said[ROWS]; /* equality that follows from those before it */
  int row[ROWS];          /* of the unknowns [n] */
  double A[ROWS * ROWS], b[ROWS];
} cases;

static int fits(const ns_mechanical *p)
{
  if (p->W->m > ROWS) return 0;
  for (int a = 0; a < p->W->nb; a++)
    if (ns_mechanical_is_rolling(p, a) || ns_mechanical_is_ball(p, a) ||
        (ns_mechanical_is_friction(p, a) && p->W->dim[a] != 2))
      return 0;
  return 1;
}

static void matrix(const ns_blocks *W, cases *k)
{
  k->m = W->m;
  memset(k->W, 0, (size_t)(k->m * k->m) * sizeof *k->W);
  for (int a = 0; a < W->nb; a++)
    for (int e = W->row[a]; e < W->row[a + 1]; e++) {
      const double *v = W->val + W->off[e];
      int c = W->col[e], i0 = W->first[a], j0 = W->first[c];
      for (int j = 0; j < W->dim[c]; j++)
        for (int i = 0; i < W->dim[a]; i++) k->W[i0 + i + (j0 + j) * k->m] = *v++;
    }
}

static int is_equality(const ns_mechanical *p, int a, int i)
{
  return !ns_mechanical_is_friction(p, a) && p->lb[i] == -INFINITY && p->ub[i] == INFINITY;
}

/* Equalities whose row of W, a Gram matrix, follows from those of the ones before it: their pivot
 * vanishes. */
static void find_said(cases *k, const ns_mechanical *p)
{
  int n = 0, *row = k->row;
  memset(k->said, 0, sizeof k->said);
  for (int a = 0; a < p->W->nb; a++)
    for (int i = p->W->first[a]; i < p->W->first[a + 1]; i++)
      if (is_equality(p, a, i)) row[n++] = i;
  for (int j = 0; j < n && n > 1; j++)
    for (int i = 0; i < n; i++) k->A[i + j * ROWS] = k->W[row[i] + row[j] * k->m];
  for (int c = 0; c < n && n > 1; c++) {
    double d = k->A[c + c * ROWS];
    k->said[row[c]] = !(fabs(d) > 1e-12 * k->W[row[c] + row[c] * k->m]);
    for (int i = c + 1; i < n && !k->said[row[c]]; i++)
      for (int j = c + 1; j < n; j++)
        k->A[i + j * ROWS] -= k->A[i + c * ROWS] / d * k->A[c + j * ROWS];
  }
}

static void product(const cases *k, const double *q, const double *r, double *u)
{
  memcpy(u, q, (size_t)k->m * sizeof *u);
  for (int j = 0; j < k->m; j++)
    for (int i = 0; i < k->m && r[j] != 0; i++) u[i] += k->W[i + j * k->m] * r[j];
}

static double step(const cases *k, int i)
{
  double w = k->W[i + i * k->m];
  return w > 0 ? 1 / w : 1;
}

/* The cases at (r, u). */
static void choose(cases *k, const ns_mechanical *p, const double *r, const double *u)
{
  for (int a = 0; a < p->W->nb; a++) {
    int i = p->W->first[a];
    if (ns_mechanical_is_friction(p, a)) {
      double n = r[i] - step(k, i) * u[i], t = r[i + 1] - step(k, i + 1) * u[i + 1], mu = p->mu[a];
      k->next[i] = n > 0 ? IN : OUT;
      k->next[i + 1] = mu > 0 && fabs(t) <= mu * n ? STICK : t < 0 && mu > 0 ? BACKWARD : FORWARD;
      if (!(n > 0)) k->next[i + 1] = STICK;
      continue;
    }
    for (int e = 0; e < p->W->dim[a]; e++, i++) {
      double z = r[i] - step(k, i) * u[i];
      k->next[i] = z <= p->lb[i] ? LOWER : z >= p->ub[i] ? UPPER : IN;
    }
  }
}

static void unknowns(cases *k, const ns_mechanical *p, double *r)
{
  k->n = 0;
  for (int a = 0; a < p->W->nb; a++) {
    int i = p->W->first[a], friction = ns_mechanical_is_friction(p, a);
    for (int e = 0; e < (friction ? 1 : p->W->dim[a]); e++) {
      r[i + e] = k->state[i + e] == LOWER   ? p->lb[i + e]
                 : k->state[i + e] == UPPER ? p->ub[i + e]
                                            : 0;
      if (k->state[i + e] == IN && !k->said[i + e]) k->row[k->n++] = i + e;
    }
    if (!friction) continue;
    r[i + 1] = 0;
    if (k->state[i] == IN && k->state[i + 1] == STICK) k->row[k->n++] = i + 1;
  }
}

/* r_T per r_N of the normal row i. */
static double slope_of(const cases *k, const ns_mechanical *p, const int *block, int i)
{
  int a = block[i];
  if (!ns_mechanical_is_friction(p, a) || i != p->W->first[a] || k->state[i + 1] == STICK) return 0;
  return k->state[i + 1] == FORWARD ? p->mu[a] : -p->mu[a];
}

/* A x = b in place; 0 where A is singular to rounding. */
static int solve(cases *k)
{
  double max = 0;
  for (int j = 0; j < k->n; j++)
    for (int i = 0; i < k->n; i++) max = fmax(max, fabs(k->A[i + j * ROWS]));
  return ns_dense_eliminate(k->n, k->A, ROWS, 1e-13 * max, k->b);
}

/* The solution under the present cases. */
static int linear(cases *k, const ns_mechanical *p, const int *block, double *r, double *u)
{
  unknowns(k, p, r);
  product(k, p->q, r, u);
  for (int j = 0; j < k->n; j++) {
    int c = k->row[j];
    double s = slope_of(k, p, block, c);
    for (int i = 0; i < k->n; i++) {
      int e = k->row[i];
      k->A[i + j * ROWS] = k->W[e + c * k->m] + (s != 0 ? s * k->W[e + (c + 1) * k->m] : 0);
    }
    k->b[j] = -u[c];
  }
  if (!solve(k)) return 0;
  for (int j = 0; j < k->n; j++) {
    int c = k->row[j];
    double s = slope_of(k, p, block, c);
    r[c] = k->b[j];
    if (s != 0) r[c + 1] = s * r[c];
  }
  product(k, p->q, r, u);
  return 1;
}

int ns_mechanical_cases(const ns_mechanical *p, double tol, double *r, double *u, ns_outcome *out)
{
  cases k;
  int block[ROWS];
  double x[ROWS], w[ROWS];
  size_t states;
  if (!fits(p)) return 0;
  matrix(p->W, &k);
  find_said(&k, p);
  states = (size_t)k.m * sizeof *k.state;
  for (int a = 0; a < p->W->nb; a++)
    for (int e = 0; e < p->W->dim[a]; e++) block[p->W->first[a] + e] = a;
  product(&k, p->q, r, w);
  memcpy(x, r, (size_t)k.m * sizeof *x);
  choose(&k, p, x, w);
  for (int round = 1; round <= ROUNDS; round++) {
    memcpy(k.state, k.next, states);
    if (!linear(&k, p, block, x, w)) return 0;
    choose(&k, p, x, w);
    if (memcmp(k.state, k.next, states) != 0 && round < ROUNDS) continue;
    double e = ns_mechanical_residual(p, x, w, NULL);
    if (!ns_mechanical_accepts(p, tol, e, x, w)) return 0;
    memcpy(r, x, (size_t)k.m * sizeof *r);
    memcpy(u, w, (size_t)k.m * sizeof *u);
    *out = (ns_outcome){.kind = NS_SOLVED, .iterations = round, .residual = e, .solver = "cases"};
    return 1;
  }
  return 0;
}
