/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part as the method of multipliers reads it: rows, laws, and the matrix of a step. */
#include "problems/multibody_augmented.h"

#include "algebra/vector.h"
#include "problems/mechanical_law.h"

#include <float.h>
#include <limits.h>
#include <string.h>

static ns_law law_of(const ns_augmented_part *s, int k)
{
  int a = s->part.block[k];
  return NS_LAW(s->p, a, ns_multibody_dim(s->p, a), s->p->row[a]);
}

/* Entries of row i at the body on side e. */
static inline size_t entries(const ns_augmented_part *s, int i, int e)
{
  return (size_t)s->dof * (size_t)(2 * i + e);
}

/* y += a x */
static inline void add_to(size_t n, double a, const double *x, double *y) { ns_axpy(n, a, x, y); }

/* ---- rows and bodies ------------------------------------------------------------------------- */

static int get(ns_arena *a, ns_augmented_part *s)
{
  size_t n = (size_t)s->part.n, wide;
  s->first = ns_arena_get(a, n + 1, sizeof *s->first);
  s->body = ns_arena_get(a, 2 * n, sizeof *s->body);
  s->at = ns_arena_get(a, 4 * n, sizeof *s->at);
  if (!s->first || !s->body || !s->at) return 0;
  s->first[0] = 0;
  for (int k = 0; k < s->part.n; k++)
    s->first[k + 1] = s->first[k] + ns_multibody_dim(s->p, s->part.block[k]);
  s->rows = s->first[n];
  wide = 2 * (size_t)s->dof * (size_t)s->rows;
  s->K = ns_arena_zero(a, wide, sizeof *s->K);
  s->L = s->p->symmetric ? s->K : ns_arena_zero(a, wide, sizeof *s->L);
  s->q = ns_arena_get(a, (size_t)s->rows, sizeof *s->q);
  s->own = ns_arena_zero(a, (size_t)s->rows, sizeof *s->own);
  return s->K && s->L && s->q && s->own;
}

static void number_bodies(ns_augmented_part *s, int *number)
{
  for (int side = 0; side < 2 * s->part.n; side++) {
    int b = s->p->body[2 * s->part.block[side / 2] + side % 2];
    s->body[side] = -1;
    if (b < 0 || number[b] == NS_BODY_FIXED) continue;
    if (number[b] == -1) number[b] = s->nbodies++;
    s->body[side] = number[b];
  }
  for (int side = 0; side < 2 * s->part.n; side++)
    if (s->body[side] >= 0) number[s->p->body[2 * s->part.block[side / 2] + side % 2]] = -1;
  s->nv = s->dof * s->nbodies;
}

/* K, L and W_ii of block k at one body: K = H C with W^-1 = C C^T, or K = H and L = H W^-T. */
static void load_side(ns_augmented_part *s, int k, int e)
{
  const ns_multibody *p = s->p;
  size_t dof = (size_t)s->dof;
  int a = s->part.block[k];
  double C[36], B[36];
  const double *A = ns_multibody_inverse(p, p->body[2 * a + e], B);
  if (p->symmetric) ns_multibody_root(s->dof, A, C);
  for (int i = s->first[k], from = p->row[a]; i < s->first[k + 1]; i++, from++) {
    const double *h = p->H + dof * (size_t)(2 * from + e);
    double *to = s->K + entries(s, i, e), *l = s->L + entries(s, i, e);
    for (size_t j = 0; j < dof; j++)
      to[j] = p->symmetric ? ns_dot(dof - j, h + j, C + j + j * dof) : h[j];
    if (!p->symmetric) ns_multibody_accelerate(s->dof, A, h, l);
    s->own[i] += ns_dot(dof, to, l);
  }
}

/* Rows at .. at + n - 1 have one alpha: discs stay round. */
static void level(double *own, int at, int n)
{
  if (n == 2) own[at] = own[at + 1] = fmax(own[at], own[at + 1]);
}

static void load_block(ns_augmented_part *s, int k)
{
  int a = s->part.block[k], at = s->first[k], d = s->first[k + 1] - at;
  for (int e = 0; e < 2; e++)
    if (s->body[2 * k + e] >= 0) load_side(s, k, e);
  for (int i = 0; i < d; i++)
    s->q[at + i] = ns_multibody_row(s->p, a, s->p->row[a] + i, s->p->vfree);
  if (s->p->kind[a] == NS_BLOCK_FRICTION) level(s->own, at + 1, d - 1);
  if (s->p->kind[a] == NS_BLOCK_ROLLING) {
    level(s->own, at + 1, d / 2);
    level(s->own, at + 1 + d / 2, d / 2);
  }
}

void ns_augmented_velocities(const ns_augmented_part *s, const double *y, double *u)
{
  size_t dof = (size_t)s->dof;
  memcpy(u, s->q, (size_t)s->rows * sizeof *u);
  for (int k = 0; k < s->part.n; k++)
    for (int e = 0; e < 2; e++)
      for (int i = s->first[k]; i < s->first[k + 1] && s->body[2 * k + e] >= 0; i++)
        u[i] += ns_dot(dof, s->K + entries(s, i, e), y + dof * (size_t)s->body[2 * k + e]);
}

void ns_augmented_push(const ns_augmented_part *s, const double *r, double *y)
{
  size_t dof = (size_t)s->dof;
  memset(y, 0, (size_t)s->nv * sizeof *y);
  for (int k = 0; k < s->part.n; k++)
    for (int e = 0; e < 2; e++)
      for (int i = s->first[k]; i < s->first[k + 1] && s->body[2 * k + e] >= 0; i++)
        add_to(dof, r[i], s->L + entries(s, i, e), y + dof * (size_t)s->body[2 * k + e]);
}

/* ---- laws ------------------------------------------------------------------------------------ */

/* Rows at .. at + n - 1 of r on the disc of radius mu r_N, and their rows of G; G [d x d] by
 * columns, NULL: not wanted. */
static void disc(int d, int at, int n, double mu, const double *over, double *r, double *G)
{
  double *t = r + at, size = n == 1 ? fabs(t[0]) : sqrt(t[0] * t[0] + t[1] * t[1]), max = mu * r[0],
         dir[2];
  if (size <= max) {
    for (int i = at; G && i < at + n; i++) G[i + i * d] = over[i];
    return;
  }
  for (int i = 0; i < n; i++) {
    dir[i] = t[i] / size;
    t[i] = max * dir[i];
  }
  for (int i = 0; G && i < n; i++) {
    G[at + i] = mu * dir[i] * over[0];
    for (int j = 0; j < n; j++)
      G[at + i + (at + j) * d] = max / size * ((i == j) - dir[i] * dir[j]) * over[at];
  }
}

/* R and G of one block. */
static void law(const ns_law *l, const double *over, const double *centre, const double *u,
                double *r, double *G)
{
  int d = l->d, n = l->kind == NS_BLOCK_FRICTION ? d - 1 : d / 2;
  if (G) memset(G, 0, (size_t)(d * d) * sizeof *G);
  for (int i = 0; i < d; i++) r[i] = centre[i] - over[i] * u[i];
  if (l->kind == NS_BLOCK_BOX) {
    for (int i = 0; i < d; i++) {
      if (G && r[i] > l->lb[i] && r[i] < l->ub[i]) G[i + i * d] = over[i];
      r[i] = fmin(fmax(r[i], l->lb[i]), l->ub[i]);
    }
    return;
  }
  if (r[0] <= 0) {
    memset(r, 0, (size_t)d * sizeof *r);
    return;
  }
  if (G) G[0] = over[0];
  disc(d, 1, n, l->mu, over, r, G);
  if (l->kind == NS_BLOCK_ROLLING) disc(d, 1 + n, n, l->mu_rolling, over, r, G);
}

void ns_augmented_laws(const ns_augmented_part *s, const double *over, const double *centre,
                       const double *u, double *r)
{
  for (int k = 0; k < s->part.n; k++) {
    ns_law l = law_of(s, k);
    int at = s->first[k];
    law(&l, over + at, centre + at, u + at, r + at, NULL);
  }
}

double ns_augmented_residual(const ns_augmented_part *s, const double *r, const double *u)
{
  size_t m = (size_t)s->rows;
  double e = 0, own = 0;
  for (int k = 0; k < s->part.n; k++) {
    ns_law l = law_of(s, k);
    int at = s->first[k];
    e = ns_law_add_defect(&l, e, u + at, r + at);
    own = ns_law_max_error(&l, s->q + at, u + at, r + at, own);
  }
  double scale = fmax(ns_norm(m, s->q), fmax(ns_norm(m, u), ns_norm(m, r)));
  if (!(e <= DBL_MAX) || !(scale <= DBL_MAX)) return INFINITY;
  return fmax(scale > DBL_EPSILON ? sqrt(e) / scale : sqrt(e), own);
}

/* ---- the matrix ------------------------------------------------------------------------------ */

/* Bodies that touch each body, itself first among them by number, ascending: near[head[i]] ..
 * near[end[i] - 1]. */
typedef struct neighbours {
  int *head, *end, *near;
} neighbours;

static void meet(neighbours *g, int i, int j)
{
  int x = g->end[i];
  while (x > g->head[i] && g->near[x - 1] > j) x--;
  if (x > g->head[i] && g->near[x - 1] == j) return;
  memmove(g->near + x + 1, g->near + x, (size_t)(g->end[i]++ - x) * sizeof *g->near);
  g->near[x] = j;
}

static int list(const ns_augmented_part *s, ns_arena *a, neighbours *g)
{
  size_t nb = (size_t)s->nbodies;
  const int *body = s->body;
  g->head = ns_arena_zero(a, nb + 1, sizeof *g->head);
  g->end = ns_arena_get(a, nb, sizeof *g->end);
  g->near = ns_arena_get(a, nb + 2 * (size_t)s->part.n, sizeof *g->near);
  if (!g->head || !g->end || !g->near) return 0;
  for (int side = 0; side < 2 * s->part.n; side++)
    if (body[side] >= 0 && body[side ^ 1] >= 0) g->head[body[side] + 1]++;
  for (int i = 0; i < s->nbodies; i++) {
    g->head[i + 1] += g->head[i] + 1;
    g->end[i] = g->head[i];
    meet(g, i, i);
  }
  for (int side = 0; side < 2 * s->part.n; side++)
    if (body[side] >= 0 && body[side ^ 1] >= 0) meet(g, body[side], body[side ^ 1]);
  return 1;
}

static int get_matrix(ns_augmented_part *s, size_t entries_of_all, ns_arena *a)
{
  ns_blocks *J = &s->J;
  size_t n = (size_t)s->nv;
  *J = (ns_blocks){.nb = s->nv, .m = s->nv};
  J->dim = ns_arena_get(a, n, sizeof *J->dim);
  J->first = ns_arena_get(a, n + 1, sizeof *J->first);
  J->row = ns_arena_get(a, n + 1, sizeof *J->row);
  J->col = ns_arena_get(a, entries_of_all, sizeof *J->col);
  J->off = ns_arena_get(a, entries_of_all, sizeof *J->off);
  J->val = ns_arena_get(a, entries_of_all, sizeof *J->val);
  return J->dim && J->first && J->row && J->col && J->off && J->val;
}

static void fill_structure(ns_augmented_part *s, const neighbours *g)
{
  ns_blocks *J = &s->J;
  int at = 0, dof = s->dof;
  J->first[0] = J->row[0] = 0;
  for (int row = 0; row < s->nv; row++) {
    int i = row / dof;
    J->dim[row] = 1;
    J->first[row + 1] = row + 1;
    for (int x = dof * g->head[i]; x < dof * g->end[i]; x++, at++) {
      J->off[at] = (size_t)at;
      J->col[at] = dof * g->near[x / dof] + x % dof;
    }
    J->row[row + 1] = at;
  }
}

/* Where the columns of body j begin in the rows of body i. */
static int place(const ns_augmented_part *s, const neighbours *g, int i, int j)
{
  int x = 0;
  if (i < 0 || j < 0) return -1;
  while (g->near[g->head[i] + x] != j) x++;
  return s->dof * x;
}

static int structure(ns_augmented_part *s, ns_arena *a)
{
  neighbours g;
  size_t all = 0;
  if (!list(s, a, &g)) return 0;
  for (int i = 0; i < s->nbodies; i++)
    all += (size_t)(g.end[i] - g.head[i]) * (size_t)(s->dof * s->dof);
  if (all > INT_MAX || !get_matrix(s, all, a)) return 0;
  fill_structure(s, &g);
  for (int k = 0; k < s->part.n; k++)
    for (int x = 0; x < 4; x++)
      s->at[4 * k + x] = place(s, &g, s->body[2 * k + x / 2], s->body[2 * k + x % 2]);
  return 1;
}

/* J += L_e^T (G K_f) of block k, d rows; GK [d][dof] */
static inline void add(ns_augmented_part *s, int dof, int d, int k, int e, int f, const double *GK)
{
  ns_blocks *J = &s->J;
  const double *L = s->L + entries(s, s->first[k], e);
  for (int row = 0; row < dof; row++) {
    double *to = J->val + J->row[dof * s->body[2 * k + e] + row] + s->at[4 * k + 2 * e + f];
    for (int i = 0; i < d; i++) add_to((size_t)dof, L[2 * dof * i + row], GK + i * dof, to);
  }
}

static inline void add_sized(ns_augmented_part *s, int dof, int d, int k, const double *G)
{
  double GK[36];
  for (int f = 0; f < 2; f++) {
    if (s->body[2 * k + f] < 0) continue;
    const double *K = s->K + entries(s, s->first[k], f);
    memset(GK, 0, (size_t)(d * dof) * sizeof *GK);
    for (int i = 0; i < d; i++)
      for (int j = 0; j < d; j++)
        if (G[i + j * d] != 0) add_to((size_t)dof, G[i + j * d], K + 2 * dof * j, GK + i * dof);
    for (int e = 0; e < 2; e++)
      if (s->body[2 * k + e] >= 0) add(s, dof, d, k, e, f, GK);
  }
}

static int is_zero(int n, const double *G)
{
  for (int i = 0; i < n; i++)
    if (G[i] != 0) return 0;
  return 1;
}

/* J += L^T G K of block k; G by columns. Most are contacts in space, or in the plane: sizes that
 * the compiler knows. */
static void add_block(ns_augmented_part *s, int k, const double *G)
{
  int d = s->first[k + 1] - s->first[k];
  if (is_zero(d * d, G)) return;
  if (s->dof == 6 && d == 3) add_sized(s, 6, 3, k, G);
  else if (s->dof == 3 && d == 2) add_sized(s, 3, 2, k, G);
  else add_sized(s, s->dof, d, k, G);
}

static void set_unit(ns_augmented_part *s)
{
  ns_blocks *J = &s->J;
  for (int row = 0; row < s->nv; row++)
    for (int e = J->row[row]; e < J->row[row + 1]; e++) J->val[e] = J->col[e] == row;
}

void ns_augmented_matrix(ns_augmented_part *s, const double *over, const double *centre,
                         const double *u)
{
  double G[36], r[6];
  set_unit(s);
  for (int k = 0; k < s->part.n; k++) {
    ns_law l = law_of(s, k);
    int at = s->first[k];
    law(&l, over + at, centre + at, u + at, r, G);
    add_block(s, k, G);
  }
}

void ns_augmented_matrix_of(ns_augmented_part *s, const size_t *at, const double *G)
{
  set_unit(s);
  for (int k = 0; k < s->part.n; k++) add_block(s, k, G + at[k]);
}

void ns_augmented_copy(const ns_augmented_part *s, double *part, double *r, int back)
{
  for (int k = 0; k < s->part.n; k++) {
    double *x = part + s->first[k], *y = r + s->p->row[s->part.block[k]];
    memcpy(back ? y : x, back ? x : y, (size_t)(s->first[k + 1] - s->first[k]) * sizeof *r);
  }
}

int ns_augmented_load(const ns_multibody *p, ns_multibody_part part, int *number, ns_arena *a,
                      ns_augmented_part *s)
{
  *s = (ns_augmented_part){.p = p, .part = part, .dof = p->dof};
  if (!get(a, s)) return 0;
  number_bodies(s, number);
  for (int k = 0; k < part.n; k++) load_block(s, k);
  return structure(s, a);
}
