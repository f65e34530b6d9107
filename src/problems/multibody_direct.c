/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of equalities alone: W r = -q, W = K K^T with K = H C and W_i^-1 = C C^T, by L D L^T row by row.
 *
 * Joints of a chain couple neighbours alone, so that a row begins where its first neighbour does, and so does that of L. A row that
 * follows from those before it has no pivot: it carries nothing, and is as right as the others where the rows agree. Whether
 * they do is for the residual to say. */
#include "problems/multibody_work.h"

#include "algebra/vector.h"

#include <string.h>

/* Two numbers side by side. */
typedef double pair __attribute__((vector_size(16)));

static inline double dot(int n, const double *x, const double *y)
{
  pair s = {0, 0}, a, b;
  int i = 0;
  for (; i + 1 < n; i += 2) {
    memcpy(&a, x + i, sizeof a);
    memcpy(&b, y + i, sizeof b);
    s += a * b;
  }
  return s[0] + s[1] + (i < n ? x[i] * y[i] : 0);
}

typedef struct direct {
  int m;
  const ns_multibody *p;
  ns_multibody_part part;
  int *first;        /* row of each block of the part [n + 1] */
  int *start;        /* first column of a block's rows [n] */
  double *K;         /* [m][2 dof] */
  double *L, *g;     /* [m][m], a row of L D [m] */
  double *over, *x;  /* 1/D, 0 where a row is redundant; q, then r [m] */
} direct;

static int get(ns_arena *a, direct *s)
{
  size_t n = (size_t)s->part.n, m = 0, dof = (size_t)s->p->dof;
  s->first = ns_arena_get(a, 2 * n + 1, sizeof *s->first);
  if (!s->first) return 0;
  s->start = s->first + n + 1;
  s->first[0] = 0;
  for (size_t k = 0; k < n; k++) {
    m += (size_t)ns_multibody_dim(s->p, s->part.block[k]);
    s->first[k + 1] = (int)m;
  }
  s->m = (int)m;
  s->K = ns_arena_get(a, m * (2 * dof + m + 3), sizeof *s->K);
  if (!s->K) return 0;
  s->L = s->K + 2 * dof * m;
  s->g = s->L + m * m;
  s->over = s->g + m;
  s->x = s->over + m;
  return 1;
}

/* k = C^T h; C by columns. */
static inline void scaled(int dof, const double *C, const double *h, double *k)
{
  for (int j = 0; j < dof; j++) {
    double s = 0;
    for (int i = j; i < dof; i++) s += C[i + j * dof] * h[i];
    k[j] = s;
  }
}

/* K and q; which block begins where, by the first block that each body meets. */
static void load(direct *s, int *number)
{
  const ns_multibody *p = s->p;
  int dof = p->dof;
  for (int k = 0, at = 0; k < s->part.n; k++) {
    int a = s->part.block[k];
    s->start[k] = s->first[k];
    for (int e = 0; e < 2; e++) {
      double C[36];
      int body = p->body[2 * a + e];
      int moves = body >= 0 && number[body] != NS_BODY_FIXED;
      if (moves) ns_multibody_root(dof, p->inverse + (size_t)(dof * dof) * (size_t)body, C);
      if (moves && number[body] == -1) number[body] = s->first[k];
      if (moves && number[body] < s->start[k]) s->start[k] = number[body];
      for (int i = 0; i < s->first[k + 1] - s->first[k]; i++) {
        const double *h = p->H + (size_t)(dof * (2 * (p->row[a] + i) + e));
        double *to = s->K + dof * (2 * (at + i) + e);
        if (!moves) memset(to, 0, (size_t)dof * sizeof *to);
        else if (dof == 6) scaled(6, C, h, to);
        else scaled(dof, C, h, to);
      }
    }
    for (int i = p->row[a]; i < p->row[a + 1]; i++) s->x[at++] = ns_multibody_row(p, a, i, p->vfree);
  }
  for (int k = 0; k < 2 * s->part.n; k++) {
    int body = p->body[2 * s->part.block[k / 2] + k % 2];
    if (body >= 0 && number[body] != NS_BODY_FIXED) number[body] = -1;
  }
}

/* Columns of block l in row i of W, a row of block k. */
static void couple(const direct *s, int k, int i, int l, double *w)
{
  const int *a = s->p->body + 2 * s->part.block[k], *b = s->p->body + 2 * s->part.block[l];
  int dof = s->p->dof, end = s->first[l + 1] < i + 1 ? s->first[l + 1] : i + 1;
  for (int j = s->first[l]; j < end; j++) w[j] = 0;
  for (int e = 0; e < 2; e++)
    for (int f = 0; f < 2; f++) {
      if (a[e] < 0 || a[e] != b[f]) continue;
      for (int j = s->first[l]; j < end; j++) {
        const double *x = s->K + dof * (2 * i + e), *y = s->K + dof * (2 * j + f);
        w[j] += dof == 6 ? dot(6, x, y) : dot(dof, x, y);
      }
    }
}

/* Row i of L from that of W in g, and 1/D. x := L^-1 x on the way. */
static void eliminate(direct *s, int i, int start, const int *starts)
{
  double *l = s->L + (size_t)i * (size_t)s->m, *g = s->g, whole = g[i];
  for (int j = start; j < i; j++) {
    int from = starts[j] > start ? starts[j] : start;
    g[j] -= dot(j - from, g + from, s->L + (size_t)j * (size_t)s->m + from);
    l[j] = g[j] * s->over[j];
  }
  double d = whole - dot(i - start, g + start, l + start);
  s->over[i] = d > 1e-12 * whole ? 1 / d : 0;
  s->x[i] -= dot(i - start, l + start, s->x + start);
}

/* x := -L^-T D^-1 x; returns what the redundant rows of x were. */
static double back(direct *s, const int *starts)
{
  double odds = 0;
  for (int i = 0; i < s->m; i++) {
    if (s->over[i] == 0) odds += s->x[i] * s->x[i];
    s->x[i] *= -s->over[i];
  }
  for (int i = s->m - 1; i >= 0; i--) {
    const double *l = s->L + (size_t)i * (size_t)s->m;
    if (s->over[i] == 0) s->x[i] = 0;
    for (int j = starts[i]; j < i; j++) s->x[j] -= l[j] * s->x[i];
  }
  return sqrt(odds);
}

int ns_multibody_is_direct(const ns_multibody *p, ns_multibody_part part)
{
  if (!p->symmetric) return 0;
  for (int k = 0; k < part.n; k++) {
    int a = part.block[k];
    if (p->kind[a] != NS_BLOCK_BOX) return 0;
    for (int i = p->row[a]; i < p->row[a + 1]; i++)
      if (p->lb[i] != -INFINITY || p->ub[i] != INFINITY) return 0;
  }
  return 1;
}

int ns_multibody_direct(const ns_multibody *p, ns_multibody_part part, int *number, ns_arena *a, double *r, double *odds)
{
  direct s = {.p = p, .part = part};
  int *starts;
  if (!get(a, &s) || !(starts = ns_arena_get(a, (size_t)s.m, sizeof *starts))) return 0;
  load(&s, number);
  double q = ns_norm((size_t)s.m, s.x);
  for (int k = 0; k < part.n; k++)
    for (int i = s.first[k]; i < s.first[k + 1]; i++) {
      starts[i] = s.start[k];
      for (int l = 0; l <= k; l++)
        if (s.first[l] >= s.start[k]) couple(&s, k, i, l, s.g);
      eliminate(&s, i, s.start[k], starts);
    }
  *odds = back(&s, starts) / (q > 0 ? q : 1);
  for (int k = 0; k < part.n; k++)
    memcpy(r + p->row[part.block[k]], s.x + s.first[k], (size_t)(s.first[k + 1] - s.first[k]) * sizeof *r);
  return 1;
}
