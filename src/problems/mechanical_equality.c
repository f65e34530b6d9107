/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Few rows of which none slides: what is open, at a bound, or held (u = 0) makes the problem
 * linear, W_hh r_h = -q_h. States by the map of Alart & Curnier (1991) from the guess on, until
 * they repeat; equalities, whatever else there is, are always held.
 *
 * W_hh is a Gram matrix, semidefinite: joints in closed chains and contacts in fours say some
 * things twice, and what says something again carries nothing (gram.h). Where that leaves the
 * cones, the least of all solutions, min sum W_ii r_i^2: it lies well inside, and moves with the
 * problem, where iterations end at another one of many in each pass of Newton's method. Where no
 * solution is in the cones, where a contact slides, or where W is nothing of the kind, the residual
 * says so and others take over. */
#include "algebra/vector.h"
#include "problems/gram.h"

#include "algebra/dense.h"
#include "problems/mechanical_rolling.h"
#include "problems/mechanical_work.h"

#include <math.h>
#include <string.h>

enum { ROWS = NS_GRAM_ROWS, ROUNDS = 6 };
enum { OPEN, HELD, LOWER, UPPER };

/* Rows that all but follow from others: wheels on one axle that are out of line by 1e-4 have a
 * pivot of its square, of rows that say the same where they are in line. What is left of u where
 * such rows carry nothing is most often below the tolerance; impulses that made it vanish would be
 * large, and others in each pass. Where it is not below, the rows of the largest such pivots have
 * their say, too, some at a time, down to the second, below which pivots are of rounding: joints
 * hold to that. */
static const double NEARLY = 1e-6, NEARLY_MIN = 1e-10;
enum { TRIES = 4 };

typedef struct held {
  int n;           /* held rows */
  int place[ROWS]; /* of a row among them; -1 */
  int row[ROWS];   /* [n] */
  signed char state[ROWS], next[ROWS];
  /* of all solutions that of least norm; contacts are held to begin with */
  int min;
  int begun;
  double A[ROWS * ROWS]; /* lower triangle by columns, then its factors */
  double F[ROWS * ROWS]; /* where that is wanted: W_hh by columns */
  double N[ROWS * ROWS]; /* what a unit of a redundant row changes in the others */
  double T[ROWS * ROWS]; /* N^T D N of these columns, and its factors */
  double size[ROWS];     /* D, the diagonal of W_hh */
  /* pivots that count as none; the largest of them where all contacts are held */
  double nearly, left;
  double b[ROWS];
} held;

static double step(const double *D, int d, int i)
{
  return D[i + i * d] > 0 ? 1 / D[i + i * d] : 1;
}

/* |r - rho u| of n rows from i is within the radius; rho of the largest of them. */
static int sticks(const double *D, int d, int i, int n, double radius, const double *r,
                  const double *u)
{
  double rho = n == 2 ? fmin(step(D, d, i), step(D, d, i + 1)) : step(D, d, i), s = 0;
  for (int k = i; k < i + n; k++) s += (r[k] - rho * u[k]) * (r[k] - rho * u[k]);
  return s <= radius * radius;
}

/* State of a contact at (r, u), those of its rows; 0 where it slides or rolls. */
static int contact_state(const ns_mechanical *p, int a, const double *D, const double *r,
                         const double *u, signed char *state)
{
  int d = p->W->dim[a], rolls = ns_mechanical_is_rolling(p, a), n = rolls ? d / 2 : d - 1;
  double normal = r[0] - step(D, d, 0) * u[0];
  memset(state, normal > 0 ? HELD : OPEN, (size_t)d);
  if (!(normal > 0)) return 1;
  return sticks(D, d, 1, n, p->mu[a] * normal, r, u) &&
         (!rolls || sticks(D, d, 1 + n, n, p->mu_rolling[a] * normal, r, u));
}

/* Where the least solution is wanted all contacts are held to begin with, whatever the guess: the
 * same problem has the same solution. */
static int state_of(const held *k, const ns_mechanical *p, int a, const double *D, const double *r,
                    const double *u, signed char *state)
{
  if (!k->min || k->begun) return contact_state(p, a, D, r, u, state);
  memset(state, HELD, (size_t)p->W->dim[a]);
  return 1;
}

static int choose(held *k, const ns_mechanical *p, const double *r, const double *u)
{
  const ns_blocks *W = p->W;
  for (int a = 0; a < W->nb; a++) {
    const double *D = ns_blocks_at(W, a, a);
    int at = W->first[a], d = W->dim[a];
    if (!D) return 0;
    if (!p->kind || p->kind[a] != NS_BLOCK_BOX) {
      if (!state_of(k, p, a, D, r + at, u + at, k->next + at)) return 0;
      continue;
    }
    for (int i = 0; i < d; i++) {
      double z = r[at + i] - step(D, d, i) * u[at + i];
      k->next[at + i] = z <= p->lb[at + i] ? LOWER : z >= p->ub[at + i] ? UPPER : HELD;
    }
  }
  return 1;
}

/* Rows that are held; r where they are not. */
static void unknowns(held *k, const ns_mechanical *p, double *r)
{
  k->n = 0;
  for (int i = 0; i < p->W->m; i++) {
    k->place[i] = k->state[i] == HELD ? k->n : -1;
    if (k->state[i] == HELD) k->row[k->n++] = i;
    else r[i] = k->state[i] == LOWER ? p->lb[i] : k->state[i] == UPPER ? p->ub[i] : 0;
  }
}

/* Lower triangle of W_hh: where a pair of blocks is held as a whole, its columns as they are. */
static void matrix(held *k, const ns_blocks *W)
{
  for (int j = 0; j < k->n; j++) memset(k->A + j + j * ROWS, 0, (size_t)(k->n - j) * sizeof *k->A);
  for (int a = 0; a < W->nb; a++)
    for (int e = W->row[a]; e < W->row[a + 1] && W->col[e] <= a; e++) {
      const double *v = W->val + W->off[e];
      int d = W->dim[a], i0 = W->first[a];
      for (int j = W->first[W->col[e]]; j < W->first[W->col[e] + 1]; j++, v += d) {
        int c = k->place[j];
        for (int i = 0; i < d && c >= 0; i++)
          if (k->place[i0 + i] >= c) k->A[k->place[i0 + i] + c * ROWS] = v[i];
      }
    }
}

/* W_hh. */
static void whole_matrix(held *k, const ns_blocks *W)
{
  for (int j = 0; j < k->n; j++) memset(k->F + j * ROWS, 0, (size_t)k->n * sizeof *k->F);
  for (int a = 0; a < W->nb; a++)
    for (int e = W->row[a]; e < W->row[a + 1]; e++) {
      const double *v = W->val + W->off[e];
      int d = W->dim[a], i0 = W->first[a];
      for (int j = W->first[W->col[e]]; j < W->first[W->col[e] + 1]; j++, v += d) {
        int c = k->place[j];
        for (int i = 0; i < d && c >= 0; i++)
          if (k->place[i0 + i] >= 0) k->F[k->place[i0 + i] + c * ROWS] = v[i];
      }
    }
}

/* The held rows in that order. */
static void reorder(held *k, const int *order)
{
  int row[ROWS];
  memcpy(row, k->row, (size_t)k->n * sizeof *row);
  for (int i = 0; i < k->n; i++) {
    k->row[i] = row[order[i]];
    k->place[k->row[i]] = i;
  }
}

/* W_hh, and the factors of its symmetric part, in the order of the pivots. What W_hh does not see
 * is what that does not see: W = H A^-1 H^T with a definite A. */
static void whole_factors(held *k, const ns_blocks *W)
{
  int order[ROWS];
  whole_matrix(k, W);
  for (int j = 0; j < k->n; j++)
    for (int i = j; i < k->n; i++)
      k->A[i + j * ROWS] = (k->F[i + j * ROWS] + k->F[j + i * ROWS]) / 2;
  double left = ns_gram_factor_pivoted(k->n, k->nearly, k->A, order);
  if (!k->begun) k->left = left;
  reorder(k, order);
  whole_matrix(k, W);
  for (int j = 0; j < k->n; j++) k->size[j] = k->F[j + j * ROWS];
}

/* x := x + N y with the least sum of W_ii x_i^2, where the columns of N span what W_hh does not
 * see: a unit of each redundant row, and what the others do against it. */
static void shrink(held *k, double *x)
{
  int free = 0;
  double *y = k->b;
  for (int c = 0; c < k->n; c++) {
    if (k->A[c + c * ROWS] != 0) continue;
    double *column = k->N + free * ROWS;
    for (int i = 0; i < k->n; i++) column[i] = (k->F[i + c * ROWS] + k->F[c + i * ROWS]) / 2;
    ns_gram_solve(k->n, k->A, column);
    ns_scale((size_t)k->n, -1, column);
    column[c] = 1;
    free++;
  }
  for (int j = 0; j < free; j++) {
    y[j] = 0;
    for (int i = 0; i < k->n; i++) y[j] -= k->N[i + j * ROWS] * k->size[i] * x[i];
    for (int l = j; l < free; l++) {
      double sum = 0;
      for (int i = 0; i < k->n; i++) sum += k->N[i + j * ROWS] * k->size[i] * k->N[i + l * ROWS];
      k->T[l + j * ROWS] = sum;
    }
  }
  ns_gram_factor(free, NS_GRAM_VANISHED, k->T);
  ns_gram_solve(free, k->T, y);
  for (int j = 0; j < free; j++)
    for (int i = 0; i < k->n; i++) x[i] += k->N[i + j * ROWS] * y[j];
}

/* r of the held rows with W_hh r_h = -q_h, and u; the residual. Refined where rounding spoilt it.
 */
static double correct(held *k, const ns_mechanical *p, double tol, double *r, double *u)
{
  double e = INFINITY;
  for (int pass = 0; pass < 2 && !(e <= tol); pass++) {
    for (int i = 0; i < k->n; i++) k->b[i] = -u[k->row[i]];
    ns_gram_solve(k->n, k->A, k->b);
    for (int i = 0; i < k->n; i++) r[k->row[i]] += k->b[i];
    e = ns_mechanical_residual(p, r, u, NULL);
  }
  return e;
}

/* The same of rows with a pivot by row pivots, whether W is symmetric or not. */
static double correct_any(held *k, const ns_mechanical *p, double *r, double *u)
{
  int n = 0, row[ROWS];
  for (int c = 0; c < k->n; c++)
    if (k->A[c + c * ROWS] != 0) row[n++] = c;
  for (int j = 0; j < n; j++) {
    k->b[j] = -u[k->row[row[j]]];
    for (int i = 0; i < n; i++) k->T[i + j * ROWS] = k->F[row[i] + row[j] * ROWS];
  }
  if (!ns_dense_eliminate(n, k->T, ROWS, 0, k->b)) return INFINITY;
  for (int i = 0; i < n; i++) r[k->row[row[i]]] += k->b[i];
  return ns_mechanical_residual(p, r, u, NULL);
}

/* The least solution. */
static double min(held *k, const ns_mechanical *p, double tol, double *r, double *u)
{
  double x[ROWS], e;
  correct_any(k, p, r, u);
  ns_gather((size_t)k->n, r, k->row, x);
  shrink(k, x);
  ns_scatter((size_t)k->n, x, k->row, r);
  e = ns_mechanical_residual(p, r, u, NULL);
  return e <= tol ? e : correct_any(k, p, r, u);
}

/* Joints and contacts hold each other: rows without a pivot. */
static int is_braced(const held *k, const ns_mechanical *p)
{
  int redundant = 0;
  for (int c = 0; c < k->n; c++) redundant |= k->A[c + c * ROWS] == 0;
  return redundant && ns_mechanical_any(p->W, p->kind, NS_BLOCK_BOX) &&
         (ns_mechanical_any(p->W, p->kind, NS_BLOCK_FRICTION) ||
          ns_mechanical_any(p->W, p->kind, NS_BLOCK_ROLLING));
}

/* The solution under the present states: r, u, and its residual. */
static double linear(held *k, const ns_mechanical *p, double tol, double *r, double *u)
{
  unknowns(k, p, r);
  if (k->min) {
    whole_factors(k, p->W);
  } else {
    matrix(k, p->W);
    ns_gram_factor(k->n, NS_GRAM_VANISHED, k->A);
    if (is_braced(k, p)) return INFINITY;
  }
  for (int i = 0; i < k->n; i++) r[k->row[i]] = 0;
  memcpy(u, p->q, (size_t)p->W->m * sizeof *u);
  for (int i = 0, any = 0; i < p->W->m && !any; i++)
    if ((any = r[i] != 0)) ns_blocks_gemv(1, p->W, r, u);
  return k->min ? min(k, p, tol, r, u) : correct(k, p, tol, r, u);
}

/* States from the guess x on, until they repeat. */
static int settle(held *k, const ns_mechanical *p, double tol, int min, double *x, double *w,
                  ns_outcome *out)
{
  size_t m = (size_t)p->W->m;
  k->min = min;
  k->begun = 0;
  k->left = 0;
  ns_mechanical_residual(p, x, w, NULL);
  for (int round = 1; round <= ROUNDS && choose(k, p, x, w); round++) {
    if (round > 1 && !memcmp(k->state, k->next, m)) return 0;
    memcpy(k->state, k->next, m);
    double e = linear(k, p, tol, x, w);
    k->begun = 1;
    if (!ns_mechanical_accepts(p, tol, e, x, w)) continue;
    *out = (ns_outcome){.kind = NS_SOLVED, .iterations = round, .residual = e, .solver = "held"};
    return 1;
  }
  return 0;
}

int ns_mechanical_equality(const ns_mechanical *p, double tol, double *r, double *u,
                           ns_outcome *out)
{
  held k;
  double x[ROWS], w[ROWS];
  size_t m = (size_t)p->W->m;
  if (m > ROWS || m == 0) return 0;
  if (p->kind && ns_mechanical_any(p->W, p->kind, NS_BLOCK_BALL)) return 0;
  memcpy(x, r, m * sizeof *x);
  int done = settle(&k, p, tol, 0, x, w, out);
  k.nearly = NEARLY;
  for (int try = 0; !done && try < TRIES; try++, k.nearly = fmax(k.left / 2, NEARLY_MIN)) {
    if (try && !(k.left > NEARLY_MIN)) return 0;
    memcpy(x, r, m * sizeof *x);
    done = settle(&k, p, tol, 1, x, w, out);
  }
  if (!done) return 0;
  memcpy(r, x, m * sizeof *r);
  memcpy(u, w, m * sizeof *u);
  return 1;
}
