/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/feasible.h"

#include "algebra/vector.h"
#include "problems/gram.h"
#include "problems/mechanical_work.h"

#include <string.h>

enum { ROWS = NS_GRAM_ROWS, ROUNDS = 100, BLOCKWISE = 10 };

/* eps of the two problems that are compared; what is missed goes with eps where there is a
 * solution. */
static const double LARGE = 1e-7, SMALL = 1e-9;

typedef struct wants {
  const ns_mechanical *p;
  int n;
  int row[ROWS];          /* rows that want something [n] */
  signed char sign[ROWS]; /* 1: u >= 0; -1: u <= 0; 0: u = 0 */
  int place[ROWS];        /* in the problem of those that push, -1: does not */
  /* symmetric part, by columns, rows with sign -1 turned; diagonal of ones */
  double W[ROWS * ROWS];
  double q[ROWS], size[ROWS]; /* over sqrt W_ii; sqrt W_ii */
  double r[ROWS];
  double A[ROWS * ROWS], b[ROWS];
} wants;

/* What row i, the first of a block or not, wants. 0: nothing, else *sign. */
static int wants_what(const ns_mechanical *p, int a, int i, signed char *sign)
{
  *sign = 1;
  if (ns_mechanical_is_friction(p, a) || ns_mechanical_is_rolling(p, a)) return i == p->W->first[a];
  int below = p->lb[i] == -INFINITY, above = p->ub[i] == INFINITY;
  if (below && above) *sign = 0;
  else if (below) *sign = -1;
  return below || above;
}

/* The rows; 0 where there are too many. */
static int collect(wants *k)
{
  const ns_blocks *W = k->p->W;
  k->n = 0;
  for (int a = 0; a < W->nb; a++)
    for (int i = W->first[a]; i < W->first[a + 1]; i++) {
      signed char sign;
      if (!wants_what(k->p, a, i, &sign)) continue;
      if (k->n == ROWS) return 0;
      k->sign[k->n] = sign;
      k->row[k->n++] = i;
    }
  return k->n > 0;
}

/* Entry (i, j) of W of the problem. */
static double entry(const ns_blocks *W, const int *block, int i, int j)
{
  const double *D = ns_blocks_at(W, block[i], block[j]);
  return D ? D[i - W->first[block[i]] + (j - W->first[block[j]]) * W->dim[block[i]]] : 0;
}

/* W and q of the rows, each row over sqrt(W_ii); what nothing moves has 1 on its diagonal. */
static void scale(wants *k, const int *block)
{
  const ns_blocks *W = k->p->W;
  double largest = 0;
  for (int i = 0; i < k->n; i++) {
    k->size[i] = sqrt(fmax(entry(W, block, k->row[i], k->row[i]), 0));
    largest = fmax(largest, k->size[i]);
  }
  for (int i = 0; i < k->n; i++) {
    double turn = k->sign[i] < 0 ? -1 : 1;
    if (!(k->size[i] > 1e-12 * largest)) k->size[i] = largest > 0 ? largest : 1;
    k->q[i] = turn * k->p->q[k->row[i]] / k->size[i];
  }
  for (int j = 0; j < k->n; j++)
    for (int i = 0; i < k->n; i++) {
      int e = k->row[i], f = k->row[j], turned = (k->sign[i] < 0) != (k->sign[j] < 0);
      double w = (entry(W, block, e, f) + entry(W, block, f, e)) / (2 * k->size[i] * k->size[j]);
      k->W[i + j * ROWS] = turned ? -w : w;
    }
}

/* r of the rows that push. */
static void push(wants *k, double eps)
{
  int n = 0, row[ROWS];
  for (int i = 0; i < k->n; i++)
    if (k->place[i] >= 0) row[n++] = i;
  for (int j = 0; j < n; j++) {
    k->b[j] = -k->q[row[j]];
    for (int i = j; i < n; i++)
      k->A[i + j * ROWS] = k->W[row[i] + row[j] * ROWS] + (i == j ? eps : 0);
  }
  ns_gram_factor(n, 0, k->A);
  ns_gram_solve(n, k->A, k->b);
  memset(k->r, 0, (size_t)k->n * sizeof *k->r);
  ns_scatter((size_t)n, k->b, row, k->r);
}

/* Row i is on the wrong side: it pulls, or is left though it is approached. */
static int is_wrong(const wants *k, int i)
{
  if (k->sign[i] == 0) return 0;
  if (k->place[i] >= 0) return k->r[i] < 0;
  double u = k->q[i];
  for (int j = 0; j < k->n; j++) u += k->W[i + j * ROWS] * k->r[j];
  return u < -1e-13;
}

/* The regularised problem by block principal pivoting (Judice & Pires 1994): all wrong rows change
 * sides, or the last one alone where that does not lead on. 0: not within so many rounds. */
static int solve(wants *k, double eps)
{
  int min = ROWS + 1, idle = 0;
  for (int i = 0; i < k->n; i++) k->place[i] = k->sign[i] == 0 || k->q[i] < 0 ? 0 : -1;
  for (int round = 0; round < ROUNDS; round++) {
    int wrong[ROWS], n = 0;
    push(k, eps);
    for (int i = 0; i < k->n; i++)
      if (is_wrong(k, i)) wrong[n++] = i;
    if (n == 0) return 1;
    idle = n < min ? 0 : idle + 1;
    if (n < min) min = n;
    for (int i = idle > BLOCKWISE ? n - 1 : 0; i < n; i++)
      k->place[wrong[i]] = -1 - k->place[wrong[i]];
  }
  return 0;
}

/* The largest of what rows miss, eps D r, m/s. */
static double missed(const wants *k, double eps)
{
  double max = 0;
  for (int i = 0; i < k->n; i++) max = fmax(max, eps * fabs(k->r[i]) * k->size[i]);
  return max;
}

/* z W = 0 also with the part of W that is not symmetric, as of faces of polyhedra: these have
 * entries of opposite signs there, which the regularised problem does not see. */
static int moves_nothing(const wants *k, const int *block)
{
  static const double NOTHING = 0.01;
  const ns_blocks *W = k->p->W;
  double largest = ns_max_abs((size_t)k->n, k->r);
  for (int i = 0; i < W->m; i++) {
    double skew = 0, all = 0;
    for (int j = 0; j < k->n; j++) {
      double turn = k->sign[j] < 0 ? -1 : 1, w = entry(W, block, k->row[j], i) / k->size[j];
      skew += (w - entry(W, block, i, k->row[j]) / k->size[j]) * turn * k->r[j];
      all = fmax(all, fabs(w));
    }
    if (fabs(skew) > NOTHING * all * largest) return 0;
  }
  return 1;
}

static void tell(const wants *k, unsigned char *part)
{
  double max = ns_max_abs((size_t)k->n, k->r);
  for (int i = 0; i < k->n; i++) part[k->row[i]] = fabs(k->r[i]) > 0.01 * max;
}

int ns_mechanical_infeasible(const ns_mechanical *p, double tol, unsigned char *part)
{
  wants k = {.p = p};
  const ns_blocks *W = p->W;
  enum { MAX = 400 };
  int block[MAX];
  double size = 0;
  if (part) memset(part, 0, (size_t)W->m);
  if (W->m > MAX || !collect(&k)) return 0;
  for (int a = 0; a < W->nb; a++)
    for (int i = W->first[a]; i < W->first[a + 1]; i++) block[i] = a;
  scale(&k, block);
  for (int i = 0; i < k.n; i++) size = fmax(size, fabs(p->q[k.row[i]]));
  if (!solve(&k, LARGE)) return 0;
  double before = missed(&k, LARGE);
  if (!(before > sqrt(tol) * size) || !solve(&k, SMALL)) return 0;
  double after = missed(&k, SMALL);
  if (!(after > sqrt(tol) * size) || !(after > before / 2) || !moves_nothing(&k, block)) return 0;
  if (part) tell(&k, part);
  return 1;
}
