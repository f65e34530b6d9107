/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of equalities and at most one block of another law: W r = -q in the rows e of equalities, W
 * = H W^-1 H^T, by L D U row by row; the rows c of that block stand last and keep
 *
 *   S = W_cc - W_ce W_ee^-1 W_ec,   s = q_c - W_ce W_ee^-1 q_e,
 *
 * in which it is alone and solved exactly.
 *
 * Joints of a chain couple neighbours alone, so that a row begins where its first neighbour does,
 * and so do those of L and columns of U. What makes W unsymmetric is gyroscopic, of the order of h
 * beside masses: no pivot is sought, and what that spoils others solve. A row that follows from
 * those before it has no pivot: it carries nothing, and is as right as the others where the rows
 * agree. Whether they do is for the residual to say. */
#include "problems/multibody_work.h"

#include "algebra/pair.h"
#include "algebra/vector.h"

#include <string.h>

/* A thousand joints in a row take 1e5; 240 rows that are all coupled this much. */
static const double MAX = 1e7;

typedef struct direct {
  const ns_multibody *p;
  int n, m, rows; /* blocks, rows of equalities, all rows */
  int *block;     /* equalities in their order, then the other one [n] */
  int *first;     /* row of each block [n + 1] */
  int *body;      /* of each block, -1 where it does not move [2 n] */
  /* first column of the rows of L of a block, and first row of its columns of U [n] */
  int *start;
  int *from;        /* the same of each row [rows] */
  const double **H; /* rows of each block in the problem [n] */
  double *P;        /* W^-1 H^T of the bodies, in the shape of H [rows][2 dof] */
  ns_pair **A;      /* of each row its columns from[i] to the last one of its block; entries j <= i:
                     * (W_ij, W_ji), then (U_ji, L_ij)      over D; of S (S_ij, S_ji) [rows] */
  double *over, *x; /* 1/D, 0 where a row is redundant [rows]; q, then r [rows] */
  double qq;        /* |q|^2 */
} direct;

static int is_equality(const ns_multibody *p, int a)
{
  if (p->kind[a] != NS_BLOCK_BOX) return 0;
  for (int i = p->row[a]; i < p->row[a + 1]; i++)
    if (!ns_multibody_is_free(p, i)) return 0;
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
  size_t m = (size_t)s->rows;
  s->from = ns_arena_get(a, m, sizeof *s->from);
  s->H = ns_arena_get(a, n, sizeof *s->H);
  s->A = ns_arena_get(a, m, sizeof *s->A);
  s->P = ns_arena_get(a, m * (2 * dof + 2), sizeof *s->P);
  if (!s->from || !s->H || !s->A || !s->P) return 0;
  s->over = s->P + 2 * dof * m;
  s->x = s->over + m;
  return 1;
}

/* ---- W --------------------------------------------------------------------------------------- */

/* Where the rows of a block stand, and where they begin, by the first block that each body meets.
 */
static void find_starts(direct *s, int *number)
{
  for (int k = 0; k < s->n; k++) {
    s->H[k] = s->p->H + 2 * (size_t)s->p->dof * (size_t)s->p->row[s->block[k]];
    s->start[k] = s->first[k];
    for (int e = 0; e < 2; e++) {
      int body = s->p->body[2 * s->block[k] + e],
          moves = body >= 0 && number[body] != NS_BODY_FIXED;
      s->body[2 * k + e] = moves ? body : -1;
      if (moves && number[body] == -1) number[body] = s->first[k];
      if (moves && number[body] < s->start[k]) s->start[k] = number[body];
    }
    for (int i = s->first[k]; i < s->first[k + 1]; i++) s->from[i] = s->start[k];
  }
  for (int k = 0; k < 2 * s->n; k++)
    if (s->body[k] >= 0) number[s->body[k]] = -1;
}

/* Columns of the rows of block k. */
static int width(const direct *s, int k) { return s->first[k + 1] - s->start[k]; }

/* Of elimination, about: products of two entries. */
static double work_of(const direct *s)
{
  double sum = 0;
  for (int k = 0; k < s->n; k++)
    sum += (double)(s->first[k + 1] - s->first[k]) * width(s, k) * width(s, k) / 2;
  return sum;
}

static int get_rows(ns_arena *a, direct *s)
{
  size_t all = 0;
  for (int k = 0; k < s->n; k++)
    all += (size_t)(s->first[k + 1] - s->first[k]) * (size_t)width(s, k);
  ns_pair *A = ns_arena_get(a, all, sizeof *A);
  if (!A) return 0;
  for (int k = 0; k < s->n; k++)
    for (int i = s->first[k]; i < s->first[k + 1]; i++, A += width(s, k)) s->A[i] = A;
  return 1;
}

/* Side e of n rows h [2 dof], whose body has the velocity v and, unless it does not move, the
 * inverse A: q += h v, P = A h. */
static inline void side(int n, size_t dof, const double *h, const double *v, const double *A,
                        double *q, double *P)
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
    double B[36];
    const double *A = s->body[2 * k + (int)e] < 0 ? NULL : ns_multibody_inverse(p, body, B),
                 *h = s->H[k] + dof * e;
    const double *v = p->vfree + dof * (size_t)body;
    double *P = s->P + dof * (2 * at + e);
    if (dof == 6) side(n, 6, h, v, A, q, P);
    else side(n, dof, h, v, A, q, P);
  }
  s->qq += ns_dot((size_t)n, q, q);
}

/* One body of blocks k and l: W_ij = H_ki . P_lj and W_ji = P_ki . H_lj, or added to what stands
 * there; rows of H and P are 2 dof apart. */
typedef struct coupling {
  int rows, cols; /* of k, of l */
  int lower;      /* j <= i alone */
  int add;
  const double *hk, *pk, *hl, *pl;
  ns_pair *A;
  int ld;
} coupling;

static void couple6(coupling c)
{
  for (int i = 0; i < c.rows; i++, c.hk += 12, c.pk += 12, c.A += c.ld) {
    const ns_pair h0 = ns_pair_at(c.hk), h1 = ns_pair_at(c.hk + 2), h2 = ns_pair_at(c.hk + 4);
    const ns_pair p0 = ns_pair_at(c.pk), p1 = ns_pair_at(c.pk + 2), p2 = ns_pair_at(c.pk + 4);
    const double *h = c.hl, *p = c.pl;
    for (int j = 0, end = c.lower ? i + 1 : c.cols; j < end; j++, h += 12, p += 12) {
      ns_pair a = h0 * ns_pair_at(p) + h1 * ns_pair_at(p + 2) + h2 * ns_pair_at(p + 4);
      ns_pair b = p0 * ns_pair_at(h) + p1 * ns_pair_at(h + 2) + p2 * ns_pair_at(h + 4);
      ns_pair w = (ns_pair){a[0], b[0]} + (ns_pair){a[1], b[1]};
      c.A[j] = c.add ? c.A[j] + w : w;
    }
  }
}

static void couple_any(int dof, coupling c)
{
  for (int i = 0; i < c.rows; i++, c.hk += 2 * dof, c.pk += 2 * dof, c.A += c.ld)
    for (int j = 0, end = c.lower ? i + 1 : c.cols; j < end; j++) {
      ns_pair w = {ns_dot_pairs(dof, c.hk, c.pl + 2 * dof * j),
                   ns_dot_pairs(dof, c.pk, c.hl + 2 * dof * j)};
      c.A[j] = c.add ? c.A[j] + w : w;
    }
}

static void zero(coupling c)
{
  for (int i = 0; i < c.rows; i++, c.A += c.ld) memset(c.A, 0, (size_t)c.cols * sizeof *c.A);
}

/* W of blocks k and l <= k. */
static void couple(direct *s, int k, int l)
{
  int dof = s->p->dof, i = s->first[k], j = s->first[l];
  const double *pk = s->P + 2 * dof * i, *pl = s->P + 2 * dof * j;
  const int *a = s->body + 2 * k, *b = s->body + 2 * l;
  coupling c = {
      .rows = s->first[k + 1] - i, .cols = s->first[l + 1] - j, .lower = k == l, .ld = width(s, k)};
  c.A = s->A[i] + (j - s->start[k]);
  for (int e = 0; e < 2; e++)
    for (int f = 0; f < 2; f++) {
      if (a[e] < 0 || a[e] != b[f]) continue;
      c.hk = s->H[k] + dof * e, c.pk = pk + dof * e;
      c.hl = s->H[l] + dof * f, c.pl = pl + dof * f;
      if (dof == 6) couple6(c);
      else couple_any(dof, c);
      c.add = 1;
    }
  if (!c.add) zero(c);
}

/* Rows of block k of W and its columns, as far as they are in the triangles; and q. */
static void fill(direct *s, int k)
{
  load(s, k);
  for (int l = k; l >= 0 && s->first[l] >= s->start[k]; l--) couple(s, k, l);
}

/* ---- elimination ----------------------------------------------------------------------------- */

/* Row i of L D and column i of D U from those of W, left of the diagonal; beside the other block,
 * of S. */
static inline void eliminate(const direct *s, int i)
{
  int start = s->from[i];
  ns_pair *row = s->A[i];
  for (int j = start; j < i; j++) {
    int from = s->from[j] > start ? s->from[j] : start, n = (j < s->m ? j : s->m) - from;
    const ns_pair *g = row + (from - start), *t = s->A[j] + (from - s->from[j]);
    ns_pair w = row[j - start];
    for (int k = 0; k < n; k++) w -= g[k] * t[k];
    row[j - start] = w;
  }
}

/* Row i of L, column i of U, the pivot or diagonal entry of S, and x := L^-1 x. */
static void factor(direct *s, int i)
{
  int start = s->from[i], n = (i < s->m ? i : s->m) - start;
  ns_pair *g = s->A[i], *diagonal = g + (i - start);
  const double *over = s->over + start, *y = s->x + start;
  double whole = (*diagonal)[0], d = whole, x = s->x[i];
  eliminate(s, i);
  for (int j = 0; j < n; j++) {
    double l = g[j][0] * over[j], u = g[j][1] * over[j];
    d -= g[j][0] * u;
    x -= l * y[j];
    g[j] = (ns_pair){u, l};
  }
  *diagonal = (ns_pair){d, d};
  s->x[i] = x;
  s->over[i] = d > 1e-12 * whole ? 1 / d : 0;
}

/* What redundant rows of x = L^-1 q are, over |q|. */
static double remainder_of(const direct *s)
{
  double sum = 0;
  for (int i = 0; i < s->m; i++)
    if (s->over[i] == 0) sum += s->x[i] * s->x[i];
  return sqrt(s->qq > 0 ? sum / s->qq : sum);
}

/* The block that is no equality: S, and its impulses in the place of s. 0 where they are not found.
 */
static int other(direct *s)
{
  double S[36], r[6] = {0};
  int m = s->m, d = s->rows - m;
  if (!d) return 1;
  fill(s, s->n - 1);
  for (int i = 0; i < d; i++) {
    const ns_pair *g = s->A[m + i] + (m - s->from[m + i]);
    factor(s, m + i);
    if (s->over[m + i] == 0) return 0;
    for (int j = 0; j <= i; j++) {
      S[i + j * d] = g[j][0];
      S[j + i * d] = g[j][1];
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
    const ns_pair *t = s->A[i];
    double x = s->x[i], *y = s->x + s->from[i];
    int n = (i < s->m ? i : s->m) - s->from[i];
    if (i < s->m && s->over[i] == 0) x = s->x[i] = 0;
    for (int j = 0; j < n; j++) y[j] -= t[j][0] * x;
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

int ns_multibody_direct(const ns_multibody *p, ns_multibody_part part, int *number, ns_arena *a,
                        double *r, double *remainder)
{
  direct s = {.p = p};
  *remainder = INFINITY;
  if (!get(a, &s, part)) return 0;
  find_starts(&s, number);
  if (work_of(&s) > MAX) return 1;
  if (!get_rows(a, &s)) return 0;
  for (int k = 0; k < s.n && s.first[k] < s.m; k++) {
    fill(&s, k);
    for (int i = s.first[k]; i < s.first[k + 1]; i++) factor(&s, i);
  }
  if (!other(&s)) return 1;
  *remainder = remainder_of(&s);
  back(&s);
  for (int k = 0; k < s.n; k++)
    memcpy(r + p->row[s.block[k]], s.x + s.first[k],
           (size_t)(s.first[k + 1] - s.first[k]) * sizeof *r);
  return 1;
}
