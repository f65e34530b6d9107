/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Few rows of which none slides: what is open, at a bound, or held (u = 0) makes the problem linear, W_hh r_h = -q_h. States by the map
 * of Alart & Curnier (1991) from the guess on, until they repeat; equalities, whatever else there is, are always held.
 *
 * W_hh is a Gram matrix, semidefinite: joints in closed chains and contacts in fours say some things twice, and what says something
 * again carries nothing (gram.h). Where that leaves the cones, where a contact slides, or where W is nothing of the kind, the residual
 * says so and others take over. */
#include "problems/gram.h"
#include "problems/mechanical_rolling.h"
#include "problems/mechanical_work.h"

#include <math.h>
#include <string.h>

enum { ROWS = NS_GRAM_ROWS, ROUNDS = 6 };
enum { OPEN, HELD, LOWER, UPPER };

typedef struct held {
  int n;                   /* held rows */
  int place[ROWS];         /* of a row among them; -1 */
  int row[ROWS];           /* [n] */
  signed char state[ROWS], next[ROWS];
  double A[ROWS * ROWS];   /* lower triangle by columns, then its factors */
  double b[ROWS];
} held;

static double step(const double *D, int d, int i) { return D[i + i * d] > 0 ? 1 / D[i + i * d] : 1; }

/* |r - rho u| of n rows from i is within the radius; rho of the largest of them. */
static int sticks(const double *D, int d, int i, int n, double radius, const double *r, const double *u)
{
  double rho = n == 2 ? fmin(step(D, d, i), step(D, d, i + 1)) : step(D, d, i), s = 0;
  for (int k = i; k < i + n; k++) s += (r[k] - rho * u[k]) * (r[k] - rho * u[k]);
  return s <= radius * radius;
}

/* State of a contact at (r, u), those of its rows; 0 where it slides or rolls. */
static int contact_state(const ns_mechanical *p, int a, const double *D, const double *r, const double *u, signed char *state)
{
  int d = p->W->dim[a], rolls = ns_mechanical_is_rolling(p, a), n = rolls ? d / 2 : d - 1;
  double normal = r[0] - step(D, d, 0) * u[0];
  memset(state, normal > 0 ? HELD : OPEN, (size_t)d);
  if (!(normal > 0)) return 1;
  return sticks(D, d, 1, n, p->mu[a] * normal, r, u) && (!rolls || sticks(D, d, 1 + n, n, p->mu_rolling[a] * normal, r, u));
}

static int choose(held *k, const ns_mechanical *p, const double *r, const double *u)
{
  const ns_blocks *W = p->W;
  for (int a = 0; a < W->nb; a++) {
    const double *D = ns_blocks_at(W, a, a);
    int at = W->first[a], d = W->dim[a];
    if (!D) return 0;
    if (!p->kind || p->kind[a] != NS_BLOCK_BOX) {
      if (!contact_state(p, a, D, r + at, u + at, k->next + at)) return 0;
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

/* The solution under the present states: r, u, and its residual. Refined where rounding spoilt it. */
static double linear(held *k, const ns_mechanical *p, double tol, double *r, double *u)
{
  double e = INFINITY;
  unknowns(k, p, r);
  matrix(k, p->W);
  ns_gram_factor(k->n, k->A);
  for (int i = 0; i < k->n; i++) r[k->row[i]] = 0;
  memcpy(u, p->q, (size_t)p->W->m * sizeof *u);
  for (int i = 0, any = 0; i < p->W->m && !any; i++)
    if ((any = r[i] != 0)) ns_blocks_gemv(1, p->W, r, u);
  for (int pass = 0; pass < 2 && !(e <= tol); pass++) {
    for (int i = 0; i < k->n; i++) k->b[i] = -u[k->row[i]];
    ns_gram_solve(k->n, k->A, k->b);
    for (int i = 0; i < k->n; i++) r[k->row[i]] += k->b[i];
    e = ns_mechanical_residual(p, r, u, NULL);
  }
  return e;
}

int ns_mechanical_held(const ns_mechanical *p, double tol, double *r, double *u, ns_outcome *out)
{
  held k;
  double x[ROWS], w[ROWS];
  size_t m = (size_t)p->W->m;
  if (m > ROWS || m == 0) return 0;
  memcpy(x, r, m * sizeof *x);
  ns_mechanical_residual(p, x, w, NULL);
  for (int round = 1; round <= ROUNDS && choose(&k, p, x, w); round++) {
    if (round > 1 && !memcmp(k.state, k.next, m)) return 0;
    memcpy(k.state, k.next, m);
    double e = linear(&k, p, tol, x, w);
    if (!(e <= tol)) continue;
    memcpy(r, x, m * sizeof *r);
    memcpy(u, w, m * sizeof *u);
    *out = (ns_outcome){.kind = NS_SOLVED, .iterations = round, .residual = e, .solver = "held"};
    return 1;
  }
  return 0;
}
