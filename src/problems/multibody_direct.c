/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of equalities and at most one block of another law: W r = -q in the rows e of equalities, W = H W^-1 H^T, by L D U row by row,
 * U = L^T where the inverses of the bodies are symmetric; the rows c of that block stand last and keep
 *
 *   S = W_cc - W_ce W_ee^-1 W_ec,   s = q_c - W_ce W_ee^-1 q_e,
 *
 * in which it is alone and solved exactly.
 *
 * Joints of a chain couple neighbours alone, so that a row begins where its first neighbour does, and so do those of L and columns of U.
 * What makes W unsymmetric is gyroscopic, of the order of h beside masses: no pivot is sought, and what that spoils others solve. A
 * row that follows from those before it has no pivot: it carries nothing, and is as right as the others where the rows agree. Whether
 * they do is for the residual to say. */
#include "problems/multibody_work.h"

#include "algebra/pair.h"
#include "algebra/vector.h"

#include <string.h>

typedef struct direct {
  const ns_multibody *p;
  int n, m, rows;    /* blocks, rows of equalities, all rows */
  int *block;        /* equalities in their order, then the other one [n] */
  int *first;        /* row of each block [n + 1] */
  int *body;         /* of each block, -1 where it does not move [2 n] */
  int *start;        /* first column of the rows of L of a block, and first row of its columns of U [n] */
  int *from;         /* the same of each row [rows] */
  double *P;         /* W^-1 H^T of the bodies, in the shape of H [rows][2 dof] */
  double *L, *U;     /* L by rows, U by columns, the same array where W is symmetric; before that W and W^T [rows][rows] */
  double *over, *x;  /* 1/D, 0 where a row is redundant [rows]; q, then r [rows] */
  double qq;         /* |q|^2 */
} direct;

static int is_equality(const ns_multibody *p, int a)
{
  if (p->kind[a] != NS_BLOCK_BOX) return 0;
  for (int i = p->row[a]; i < p->row[a + 1]; i++)
    if (p->lb[i] != -INFINITY || p->ub[i] != INFINITY) return 0;
  return 1;
}

/* The order of the blocks, and their rows. */
static void arrange(direct *s, ns_multibody_part part)
{
  int n = 0, other = -1;
  for (int k = 0; k < part.n; k++)
    if (is_equality(s->p, part.block[k])) s->block[n++] = part.block[k];
    else other = part.block[k];
  s->first[0] = 0;
  for (int k = 0; k < n; k++) s->first[k + 1] = s->first[k] + ns_multibody_dim(s->p, s->block[k]);
  s->m = s->rows = s->first[n];
  if (other < 0) return;
  s->block[n] = other;
  s->rows = s->first[n + 1] = s->m + ns_multibody_dim(s->p, other);
}

static int get(ns_arena *a, direct *s, ns_multibody_part part)
{
  size_t n = (size_t)part.n, dof = (size_t)s->p->dof;
  s->n = part.n;
  s->block = ns_arena_get(a, 5 * n + 1, sizeof *s->block);
  if (!s->block) return 0;
  s->start = s->block + n;
  s->body = s->start + n;
  s->first = s->body + 2 * n;
  arrange(s, part);
  size_t m = (size_t)s->rows, triangles = s->p->symmetric ? 1 : 2;
  s->from = ns_arena_get(a, m, sizeof *s->from);
  s->P = ns_arena_get(a, m * (2 * dof + triangles * m + 2), sizeof *s->P);
  if (!s->from || !s->P) return 0;
  s->L = s->P + 2 * dof * m;
  s->U = s->L + (triangles - 1) * m * m;
  s->over = s->U + m * m;
  s->x = s->over + m;
  return 1;
}

/* ---- W --------------------------------------------------------------------------------------------------------------------- */

/* Which block begins where, by the first one that each body meets. */
static void find_starts(direct *s, int *number)
{
  for (int k = 0; k < s->n; k++) {
    s->start[k] = s->first[k];
    for (int e = 0; e < 2; e++) {
      int body = s->p->body[2 * s->block[k] + e], moves = body >= 0 && number[body] != NS_BODY_FIXED;
      s->body[2 * k + e] = moves ? body : -1;
      if (moves && number[body] == -1) number[body] = s->first[k];
      if (moves && number[body] < s->start[k]) s->start[k] = number[body];
    }
    for (int i = s->first[k]; i < s->first[k + 1]; i++) s->from[i] = s->start[k];
  }
  for (int k = 0; k < 2 * s->n; k++)
    if (s->body[k] >= 0) number[s->body[k]] = -1;
}

/* Rows of block k in the problem. */
static inline const double *rows_of(const direct *s, int k) { return s->p->H + 2 * (size_t)s->p->dof * (size_t)s->p->row[s->block[k]]; }

/* Side e of n rows h [2 dof], whose body has the velocity v and, unless it does not move, the inverse A: q += h v, P = A h. */
static inline void side(int n, size_t dof, const double *h, const double *v, const double *A, double *q, double *P)
{
  for (int i = 0; i < n; i++, h += 2 * dof, P += 2 * dof) {
    q[i] += ns_dot_pairs((int)dof, h, v);
    if (!A) continue;
    if (dof == 6) ns_mul6(A, h, P);
    else ns_multibody_accelerate((int)dof, A, h, P);
  }
}

/* P and q of block k. */
static void load(direct *s, int k)
{
  const ns_multibody *p = s->p;
  size_t dof = (size_t)p->dof, at = (size_t)s->first[k];
  int n = s->first[k + 1] - s->first[k];
  double *q = s->x + at;
  memcpy(q, p->b + p->row[s->block[k]], (size_t)n * sizeof *q);
  for (size_t e = 0; e < 2; e++) {
    int body = p->body[2 * s->block[k] + (int)e];
    if (body < 0) continue;
    const double *A = s->body[2 * k + (int)e] < 0 ? NULL : p->inverse + dof * dof * (size_t)body, *h = rows_of(s, k) + dof * e;
    const double *v = p->vfree + dof * (size_t)body;
    double *P = s->P + dof * (2 * at + e);
    if (dof == 6) side(n, 6, h, v, A, q, P);
    else side(n, dof, h, v, A, q, P);
  }
  s->qq += ns_dot((size_t)n, q, q);
}

/* Z_ij += X_i . Y_j, j <= i alone where `lower`; rows of X and Y are 2 dof apart, those of Z ld. */
typedef struct product {
  int rows, cols, lower;
  const double *X, *Y;
  double *Z;
  size_t ld;
} product;

static void multiply6(product p)
{
  for (int i = 0; i < p.rows; i++, p.X += 12, p.Z += p.ld) {
    const ns_pair a = ns_pair_at(p.X), b = ns_pair_at(p.X + 2), c = ns_pair_at(p.X + 4);
    const double *y = p.Y, *end = p.Y + 12 * (p.lower ? i + 1 : p.cols);
    for (double *z = p.Z; y < end; y += 12, z++) {
      ns_pair t = a * ns_pair_at(y) + b * ns_pair_at(y + 2) + c * ns_pair_at(y + 4);
      *z += t[0] + t[1];
    }
  }
}

static void multiply(int dof, product p)
{
  for (int i = 0; i < p.rows; i++, p.Z += p.ld)
    for (int j = 0; j < (p.lower ? i + 1 : p.cols); j++) p.Z[j] += ns_dot_pairs(dof, p.X + 2 * dof * i, p.Y + 2 * dof * j);
}

/* W of blocks k and l <= k: to L, and its transpose to U. */
static void couple(direct *s, int k, int l)
{
  size_t dof = (size_t)s->p->dof, ld = (size_t)s->rows, i = (size_t)s->first[k], j = (size_t)s->first[l];
  const double *hk = rows_of(s, k), *hl = rows_of(s, l), *pk = s->P + 2 * dof * i, *pl = s->P + 2 * dof * j;
  const int *a = s->body + 2 * k, *b = s->body + 2 * l;
  product p = {.rows = s->first[k + 1] - s->first[k], .cols = s->first[l + 1] - s->first[l], .lower = k == l, .ld = ld};
  for (size_t e = 0; e < 2; e++)
    for (size_t f = 0; f < 2; f++) {
      if (a[e] < 0 || a[e] != b[f]) continue;
      for (int transposed = 0; transposed <= (s->U != s->L); transposed++) {
        p.X = (transposed ? pk : hk) + dof * e;
        p.Y = (transposed ? hl : pl) + dof * f;
        p.Z = (transposed ? s->U : s->L) + i * ld + j;
        if (dof == 6) multiply6(p);
        else multiply((int)dof, p);
      }
    }
}

/* Rows of block k of W and its columns, as far as they are in the triangles; and q. */
static void fill(direct *s, int k)
{
  load(s, k);
  for (int i = s->first[k]; i < s->first[k + 1]; i++) {
    size_t at = (size_t)i * (size_t)s->rows + (size_t)s->start[k], n = (size_t)(i + 1 - s->start[k]);
    memset(s->L + at, 0, n * sizeof *s->L);
    if (s->U != s->L) memset(s->U + at, 0, n * sizeof *s->U);
  }
  for (int l = k; l >= 0 && s->first[l] >= s->start[k]; l--) couple(s, k, l);
}

/* ---- elimination -------------------------------------------------------------------------------------------------------------- */

/* Row i of L D and of (D U)^T from those of W and W^T, left of the diagonal; in columns of the other block, of S and S^T. */
static void eliminate(const direct *s, int i, double *l, double *u)
{
  int start = s->from[i];
  for (int j = start; j < i; j++) {
    int from = s->from[j] > start ? s->from[j] : start, n = (j < s->m ? j : s->m) - from;
    size_t at = (size_t)j * (size_t)s->rows + (size_t)from;
    if (n <= 0) continue;
    l[j] -= ns_dot_pairs(n, l + from, s->U + at);
    if (u != l) u[j] -= ns_dot_pairs(n, u + from, s->L + at);
  }
}

/* Row i of L, column i of U, the pivot or diagonal entry of S, and x := L^-1 x. */
static void factor(direct *s, int i)
{
  int start = s->from[i], end = i < s->m ? i : s->m;
  double *l = s->L + (size_t)i * (size_t)s->rows, *u = s->U + (size_t)i * (size_t)s->rows;
  double whole = l[i], d = whole, x = s->x[i];
  eliminate(s, i, l, u);
  for (int j = start; j < end; j++) {
    double g = l[j];
    l[j] = g * s->over[j];
    if (u != l) u[j] *= s->over[j];
    d -= g * u[j];
    x -= l[j] * s->x[j];
  }
  l[i] = d;
  s->x[i] = x;
  s->over[i] = d > 1e-12 * whole ? 1 / d : 0;
}

/* What redundant rows of x = L^-1 q are, over |q|. */
static double odds_of(const direct *s)
{
  double sum = 0;
  for (int i = 0; i < s->m; i++)
    if (s->over[i] == 0) sum += s->x[i] * s->x[i];
  return sqrt(s->qq > 0 ? sum / s->qq : sum);
}

/* The block that is no equality: S, and its impulses in the place of s. 0 where they are not found. */
static int other(direct *s)
{
  double S[36], r[6] = {0};
  int m = s->m, d = s->rows - m;
  if (!d) return 1;
  fill(s, s->n - 1);
  for (int i = 0; i < d; i++) {
    const double *l = s->L + (size_t)(m + i) * (size_t)s->rows + m, *u = s->U + (size_t)(m + i) * (size_t)s->rows + m;
    factor(s, m + i);
    if (s->over[m + i] == 0) return 0;
    for (int j = 0; j <= i; j++) {
      S[j + i * d] = u[j];
      S[i + j * d] = l[j];
    }
  }
  if (!ns_multibody_law(s->p, s->block[s->n - 1], d, S, s->x + m, r)) return 0;
  memcpy(s->x + m, r, (size_t)d * sizeof *r);
  return 1;
}

/* Equalities: x := -U^-1 D^-1 x, where the other rows of x carry what they carry. */
static void back(direct *s)
{
  for (int i = 0; i < s->m; i++) s->x[i] *= -s->over[i];
  for (int i = s->rows - 1; i >= 0; i--) {
    const double *u = s->U + (size_t)i * (size_t)s->rows;
    if (i < s->m && s->over[i] == 0) s->x[i] = 0;
    for (int j = s->from[i]; j < i && j < s->m; j++) s->x[j] -= u[j] * s->x[i];
  }
}

int ns_multibody_is_direct(const ns_multibody *p, ns_multibody_part part)
{
  int others = 0;
  for (int k = 0; k < part.n && others < 2; k++) {
    int a = part.block[k];
    if (is_equality(p, a)) continue;
    others += p->kind[a] == NS_BLOCK_BOX && ns_multibody_dim(p, a) > 1 ? 2 : 1;
  }
  return others < 2 && others < part.n;
}

int ns_multibody_direct(const ns_multibody *p, ns_multibody_part part, int *number, ns_arena *a, double *r, double *odds)
{
  direct s = {.p = p};
  if (!get(a, &s, part)) return 0;
  find_starts(&s, number);
  for (int k = 0; k < s.n && s.first[k] < s.m; k++) {
    fill(&s, k);
    for (int i = s.first[k]; i < s.first[k + 1]; i++) factor(&s, i);
  }
  *odds = INFINITY;
  if (!other(&s)) return 1;
  *odds = odds_of(&s);
  back(&s);
  for (int k = 0; k < s.n; k++) memcpy(r + p->row[s.block[k]], s.x + s.first[k], (size_t)(s.first[k + 1] - s.first[k]) * sizeof *r);
  return 1;
}
