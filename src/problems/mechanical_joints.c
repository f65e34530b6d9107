/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Few rows with joints: the equalities drop out. With e the rows of equalities, c the others,
 *
 *   r_e = -W_ee^+ (q_e + W_ec r_c),   S = W_cc - W_ce W_ee^+ W_ec,   s = q_c - W_ce W_ee^+ q_e,
 *
 * and (S, s) is a problem of contacts alone, on which sweeps over blocks that are solved exactly do
 * not crawl along the joints. One contact is solved by one visit. What equalities say twice carries
 * nothing (gram.h). */
#include "algebra/vector.h"
#include "problems/gram.h"
#include "problems/mechanical_law.h"

#include <math.h>
#include <string.h>

enum { ROWS = NS_GRAM_ROWS, SWEEPS = 40 };

typedef struct joints {
  const ns_mechanical *p;
  int n, m;                       /* equalities, other rows */
  int row[ROWS], other[ROWS];     /* [n], [m] */
  double W[ROWS * ROWS];          /* of the problem, by columns [M x M] */
  double A[ROWS * ROWS];          /* factors of W_ee */
  double Y[ROWS * (ROWS + 1)];    /* W_ee^+ (W_ec, q_e), by columns [n x (m + 1)] */
  double S[ROWS * ROWS], s[ROWS]; /* by columns [m x m] */
  double x[ROWS];                 /* r_c */
} joints;

/* Rows of equalities and others; 0 where one of them is not there. */
static int divide(joints *k)
{
  const ns_mechanical *p = k->p;
  k->n = k->m = 0;
  if (p->W->m > ROWS || !p->kind) return 0;
  for (int a = 0; a < p->W->nb; a++)
    for (int i = p->W->first[a]; i < p->W->first[a + 1]; i++) {
      int equality = p->kind[a] == NS_BLOCK_BOX && p->lb[i] == -INFINITY && p->ub[i] == INFINITY;
      if (equality) k->row[k->n++] = i;
      else k->other[k->m++] = i;
    }
  return k->n > 0;
}

static void factor(joints *k)
{
  int n = k->n, M = k->p->W->m;
  ns_blocks_dense(k->p->W, k->W, M);
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) k->A[i + j * ROWS] = k->W[k->row[i] + k->row[j] * M];
  ns_gram_factor(n, NS_GRAM_VANISHED, k->A);
}

static void eliminate(joints *k)
{
  int n = k->n, m = k->m, M = k->p->W->m;
  factor(k);
  for (int j = 0; j <= m; j++) {
    for (int i = 0; i < n; i++)
      k->Y[i + j * n] = j < m ? k->W[k->row[i] + k->other[j] * M] : k->p->q[k->row[i]];
    ns_gram_solve(n, k->A, k->Y + j * n);
  }
  for (int j = 0; j <= m; j++)
    for (int i = 0; i < m; i++) {
      double t = j < m ? k->W[k->other[i] + k->other[j] * M] : k->p->q[k->other[i]];
      for (int l = 0; l < n; l++) t -= k->W[k->other[i] + k->row[l] * M] * k->Y[l + j * n];
      if (j < m) k->S[i + j * m] = t;
      else k->s[i] = t;
    }
}

/* W_ee is symmetric to rounding. */
static int symmetric(const joints *k)
{
  int M = k->p->W->m;
  for (int j = 0; j < k->n; j++)
    for (int i = 0; i < j; i++) {
      double a = k->W[k->row[i] + k->row[j] * M], b = k->W[k->row[j] + k->row[i] * M];
      if (!(fabs(a - b) <= 1e-13 * (fabs(a) + fabs(b)))) return 0;
    }
  return 1;
}

double ns_mechanical_contradiction(const ns_mechanical *p, double tol)
{
  joints k;
  double y[ROWS], open = 0, size = 0;
  k.p = p;
  if (!divide(&k)) return 0;
  factor(&k);
  if (!symmetric(&k)) return 0;
  ns_gather((size_t)k.n, p->q, k.row, y);
  ns_gram_solve(k.n, k.A, y);
  size = fmax(size, ns_max_abs((size_t)p->W->m, p->q));
  for (int i = 0; i < k.n; i++) {
    double u = p->q[k.row[i]];
    for (int j = 0; j < k.n; j++) u -= k.W[k.row[i] + k.row[j] * p->W->m] * y[j];
    open = fmax(open, fabs(u));
  }
  return open > sqrt(tol) * size ? open : 0;
}

/* What is solved in one visit: a contact or a ball of d rows, or a row of a box. */
typedef struct visit {
  int at, d, block;
  ns_contact friction;
  ns_rolling rolling;
} visit;

/* The rows of S of one block; their number there, or -1 where they cannot be solved alone. */
static int prepare(const joints *k, visit *v)
{
  const ns_mechanical *p = k->p;
  double D[NS_BALL_ROWS * NS_BALL_ROWS];
  int kind = p->kind[v->block], d = v->d;
  for (int j = 0; j < d; j++)
    for (int i = 0; i < d; i++) D[i + j * d] = k->S[v->at + i + (v->at + j) * k->m];
  if (kind == NS_BLOCK_FRICTION)
    return ns_contact_prepare(d, D, p->mu[v->block], &v->friction) == 0;
  if (kind == NS_BLOCK_ROLLING)
    return ns_rolling_prepare(d, D, p->mu[v->block], p->mu_rolling[v->block], &v->rolling) == 0;
  for (int i = 0; i < d && kind == NS_BLOCK_BALL; i++)
    if (!(D[i + i * d] > 0)) return 0;
  return D[0] > 0;
}

/* Visits in the order of the rows; their number, 0 where one cannot be. */
static int visits_of(const joints *k, visit *v)
{
  const ns_mechanical *p = k->p;
  int n = 0;
  for (int at = 0, a = 0; at < k->m; at += v[n++].d) {
    while (k->other[at] >= p->W->first[a + 1]) a++;
    v[n].at = at;
    v[n].block = a;
    v[n].d = p->kind[a] == NS_BLOCK_BOX ? 1 : p->W->dim[a];
    if (!prepare(k, &v[n])) return 0;
  }
  return n;
}

static void visit_one(joints *k, const visit *v)
{
  const ns_mechanical *p = k->p;
  double q[NS_BALL_ROWS], *x = k->x + v->at;
  int d = v->d, kind = p->kind[v->block];
  for (int i = 0; i < d; i++) {
    q[i] = k->s[v->at + i];
    for (int j = 0; j < k->m; j++)
      if (j < v->at || j >= v->at + d) q[i] += k->S[v->at + i + j * k->m] * k->x[j];
  }
  if (kind == NS_BLOCK_ROLLING) {
    ns_rolling_solve(&v->rolling, q, x);
  } else if (kind == NS_BLOCK_FRICTION) {
    if (d == 2) ns_contact_solve_plane(&v->friction, q, x);
    else ns_contact_solve_space(&v->friction, q, x);
  } else if (kind == NS_BLOCK_BALL) {
    double D[NS_BALL_ROWS * NS_BALL_ROWS];
    for (int j = 0; j < d; j++)
      for (int i = 0; i < d; i++) D[i + j * d] = k->S[v->at + i + (v->at + j) * k->m];
    ns_ball_solve(d, D, p->ub[k->other[v->at]], q, x);
  } else {
    int i = k->other[v->at];
    *x = fmin(fmax(-*q / k->S[v->at * (k->m + 1)], p->lb[i]), p->ub[i]);
  }
}

/* Sweeps until nothing changes any more. */
static void sweep(joints *k, const visit *v, int n)
{
  for (int it = 0; it < SWEEPS; it++) {
    double was[ROWS], change = 0, size = 0;
    memcpy(was, k->x, (size_t)k->m * sizeof *was);
    for (int i = 0; i < n; i++) visit_one(k, &v[i]);
    if (n == 1) return;
    for (int i = 0; i < k->m; i++) {
      change = fmax(change, fabs(k->x[i] - was[i]));
      size = fmax(size, fabs(k->x[i]));
    }
    if (!(change > 1e-12 * size)) return;
  }
}

int ns_mechanical_joints(const ns_mechanical *p, double tol, double *r, double *u, ns_outcome *out)
{
  joints k; /* large: no more of it is written than is used */
  visit v[ROWS];
  double y[ROWS], w[ROWS];
  k.p = p;
  if (!divide(&k) || !k.m) return 0;
  eliminate(&k);
  int n = visits_of(&k, v);
  ns_gather((size_t)k.m, r, k.other, k.x);
  if (!n) return 0;
  sweep(&k, v, n);
  ns_scatter((size_t)k.m, k.x, k.other, y);
  for (int i = 0; i < k.n; i++) {
    double s = -k.Y[i + k.m * k.n];
    for (int j = 0; j < k.m; j++) s -= k.Y[i + j * k.n] * k.x[j];
    y[k.row[i]] = s;
  }
  double e = ns_mechanical_residual(p, y, w, NULL);
  if (!ns_mechanical_accepts(p, tol, e, y, w)) return 0;
  memcpy(r, y, (size_t)p->W->m * sizeof *r);
  memcpy(u, w, (size_t)p->W->m * sizeof *u);
  *out = (ns_outcome){.kind = NS_SOLVED, .iterations = 1, .residual = e, .solver = "joints"};
  return 1;
}
