/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Laying out a part for sweeps: bodies, colours, rows, blocks alone. */
#include "problems/multibody_sweep.h"

#include "algebra/vector.h"

#include <float.h>
#include <string.h>

/* Up to so many blocks keep their order. Colours beside the last one; bodies of a line each. */
enum { NATURAL_BLOCKS = 500, WORD = 64, WORDS = 2, COLOURS = WORD * WORDS };

/* ---- bodies and colours ----------------------------------------------------------------------------------------------- */

/* Bodies of the part, numbered as they are met. */
static int number_bodies(const ns_multibody *p, ns_multibody_part part, int *number, ns_arena *a, ns_sweep *s)
{
  s->nbodies = 0;
  if (!(s->body = ns_arena_get(a, 2 * (size_t)part.n, sizeof *s->body))) return 0;
  for (int k = 0; k < 2 * part.n; k++) {
    int body = p->body[2 * part.block[k / 2] + k % 2];
    if (body < 0 || number[body] != -1) continue;
    s->body[s->nbodies] = body;
    number[body] = s->nbodies++;
  }
  return 1;
}

/* The least colour that neither body has, COLOURS where both have all. */
static int least_free(const unsigned long long *i, const unsigned long long *j)
{
  for (int w = 0; w < WORDS; w++) {
    unsigned long long used = (i ? i[w] : 0) | (j ? j[w] : 0);
    if (~used) return w * WORD + __builtin_ctzll(~used);
  }
  return COLOURS;
}

/* colour [n] and how many visits each has, begin[c + 1]. */
static int colours(ns_sweep *s, ns_arena *a, int *colour)
{
  unsigned long long *used = ns_arena_zero(a, (size_t)s->nbodies * WORDS, sizeof *used);
  s->begin = ns_arena_zero(a, COLOURS + 3, sizeof *s->begin);
  if (!used || !s->begin) return 0;
  for (int k = 0; k < s->n; k++) {
    unsigned long long *of[2] = {NULL, NULL};
    for (int e = 0; e < 2; e++)
      if (s->visit[k].body[e] >= 0) of[e] = used + WORDS * (size_t)s->visit[k].body[e];
    int c = colour[k] = s->n <= NATURAL_BLOCKS ? COLOURS : least_free(of[0], of[1]);
    for (int e = 0; e < 2; e++)
      if (of[e] && c < COLOURS) of[e][c / WORD] |= 1ull << c % WORD;
    s->begin[c + 1]++;
  }
  for (int c = 0; c <= COLOURS; c++) s->begin[c + 1] += s->begin[c];
  return 1;
}

/* Colours without visits are left out, but for the last one. */
static void close_up(ns_sweep *s)
{
  int n = 0;
  for (int c = 0; c < COLOURS; c++)
    if (s->begin[c + 1] > s->begin[c]) s->begin[++n] = s->begin[c + 1];
  s->begin[n + 1] = s->n;
  s->ncolours = n + 1;
}

/* Blocks in the order of their colours, and the bodies of each. */
static int arrange(const ns_multibody *p, ns_multibody_part part, const int *number, ns_arena *a, ns_sweep *s)
{
  ns_mark mark;
  s->visit = ns_arena_get(a, (size_t)part.n, sizeof *s->visit);
  s->n = part.n;
  if (!s->visit) return 0;
  int *colour = ns_arena_get(a, (size_t)part.n, sizeof *colour), at[COLOURS + 1];
  for (int k = 0; k < part.n; k++) {
    s->visit[k] = (ns_visit){.block = part.block[k], .law = p->kind[part.block[k]]};
    for (int e = 0; e < 2; e++) {
      int body = p->body[2 * part.block[k] + e];
      s->visit[k].body[e] = body < 0 || number[body] < 0 ? -1 : number[body];
    }
  }
  if (!colour || !colours(s, a, colour)) return 0;
  mark = ns_arena_mark(a);
  ns_visit *old = ns_arena_copy(a, s->visit, (size_t)s->n, sizeof *old);
  if (!old) return 0;
  memcpy(at, s->begin, sizeof at);
  for (int k = 0; k < s->n; k++) s->visit[at[colour[k]]++] = old[k];
  ns_arena_release(a, mark);
  close_up(s);
  return 1;
}

/* ---- rows --------------------------------------------------------------------------------------------------------------- */

/* K and L of one row, on one side, whose body has the factor or inverse A. */
static void side(int dof, int symmetric, const double *h, const double *A, double *k, double *l)
{
  for (int j = 0; j < dof; j++) k[j] = symmetric ? ns_dot((size_t)(dof - j), h + j, A + j + j * dof) : h[j];
  if (!symmetric) ns_multibody_accelerate(dof, A, h, l);
}

/* q, bounds, and what else a visit has of its block. */
static void rows(const ns_multibody *p, ns_sweep *s)
{
  int at = 0;
  for (int k = 0; k < s->n; k++) {
    ns_visit *x = &s->visit[k];
    x->at = at;
    x->mu = p->mu ? p->mu[x->block] : 0;
    x->own[1] = p->mu_rolling ? p->mu_rolling[x->block] : 0;
    x->d = (unsigned char)ns_multibody_dim(p, x->block);
    for (int i = p->row[x->block]; i < p->row[x->block + 1]; i++, at++) {
      s->q[at] = ns_multibody_row(p, x->block, i, p->vfree);
      if (s->lb) s->lb[at] = p->lb[i];
      if (s->ub) s->ub[at] = p->ub[i];
    }
  }
}

/* H of a visit. */
static const double *rows_of(const ns_multibody *p, const ns_visit *x) { return p->H + 2 * (size_t)p->dof * (size_t)p->row[x->block]; }

/* The normal does not turn the bodies, and they are pushed apart with one force: ball entries tell all. h [3][12] */
static int is_ball(const ns_visit *x, const double *h)
{
  double turn = 0, apart = 0, arms = 0;
  if (x->kind != NS_VISIT_ROUND || x->body[0] < 0) return 0;
  for (int e = 0; e <= (x->body[1] >= 0); e++)
    for (int j = 0; j < 3; j++) {
      turn += fabs(h[6 * e + 3 + j]);
      arms += fabs(h[12 + 6 * e + 3 + j]);
      for (int i = 0; i < 3 && e; i++) apart += fabs(h[12 * i + j] + h[12 * i + 6 + j]);
    }
  return turn <= 1e-12 * arms && apart <= 1e-14;
}

static void shorten(const ns_visit *x, const double *h, double *k)
{
  for (int i = 0; i < 3; i++) memcpy(k + 3 * i, h + 12 * i, 3 * sizeof *k);
  k += NS_BALL_LINEAR;
  for (int e = 0; e <= (x->body[1] >= 0); e++, k += NS_BALL_ANGULAR)
    for (int i = 0; i < 2; i++) memcpy(k + 3 * i, h + 12 * (i + 1) + 6 * e + 3, 3 * sizeof *k);
}

/* K = H of round bodies, short where that is possible. */
static int get_round(const ns_multibody *p, ns_arena *a, ns_sweep *s)
{
  size_t room = 0, wide = 2 * (size_t)s->dof;
  for (int k = 0; k < s->n; k++) {
    ns_visit *x = &s->visit[k];
    if (s->dof == 6 && is_ball(x, rows_of(p, x))) x->kind = NS_VISIT_BALL;
    x->from = room;
    room += x->kind != NS_VISIT_BALL ? wide * x->d : x->body[1] < 0 ? NS_BALL_LINEAR + NS_BALL_ANGULAR : NS_BALL_LINEAR + 2 * NS_BALL_ANGULAR;
  }
  if (!(s->K = s->L = ns_arena_get(a, room, sizeof *s->K))) return 0;
  for (int k = 0; k < s->n; k++) {
    const ns_visit *x = &s->visit[k];
    if (x->kind == NS_VISIT_BALL) shorten(x, rows_of(p, x), s->K + x->from);
    else memcpy(s->K + x->from, rows_of(p, x), wide * x->d * sizeof *s->K);
  }
  return 1;
}

/* K = H C and L = K of others, or H and H W^-T, by the factors or inverses of the bodies. */
static int get_scaled(const ns_multibody *p, ns_arena *a, ns_sweep *s)
{
  size_t dof = (size_t)s->dof, wide = 2 * dof * (size_t)s->rows, dd = dof * dof;
  s->K = ns_arena_zero(a, wide, sizeof *s->K);
  s->L = p->symmetric ? s->K : ns_arena_zero(a, wide, sizeof *s->L);
  if (!s->K || !s->L) return 0;
  ns_mark mark = ns_arena_mark(a);
  double *F = ns_arena_get(a, dd * (size_t)s->nbodies, sizeof *F);
  for (int i = 0; F && i < s->nbodies; i++) {
    const double *A = p->inverse + dd * (size_t)s->body[i];
    if (p->symmetric) ns_multibody_root(s->dof, A, F + dd * (size_t)i);
    else memcpy(F + dd * (size_t)i, A, dd * sizeof *F);
  }
  for (int k = 0; F && k < s->n; k++) {
    ns_visit *x = &s->visit[k];
    x->from = 2 * dof * (size_t)x->at;
    for (size_t i = 0; i < 2 * (size_t)x->d; i++)
      if (x->body[i % 2] >= 0)
        side(s->dof, p->symmetric, rows_of(p, x) + dof * i, F + dd * (size_t)x->body[i % 2], s->K + x->from + dof * i, s->L + x->from + dof * i);
  }
  ns_arena_release(a, mark);
  return F != NULL;
}

/* ---- blocks alone --------------------------------------------------------------------------------------------------------- */

/* W of the block itself, whose rows are k and l. */
static void own_matrix(const ns_sweep *s, const ns_visit *x, const double *k, const double *l, double *D)
{
  size_t dof = (size_t)s->dof, lin = dof == 6 ? 3 : 2;
  memset(D, 0, (size_t)(x->d * x->d) * sizeof *D);
  for (int e = 0; e < 2; e++, k += dof, l += dof) {
    if (x->body[e] < 0) continue;
    double ab[2];
    memcpy(ab, s->y + NS_SWEEP_STRIDE * (size_t)x->body[e] + NS_SWEEP_A, sizeof ab);
    for (int j = 0; j < x->d; j++)
      for (int i = 0; i < x->d; i++) {
        const double *a = k + 2 * dof * (size_t)i, *b = l + 2 * dof * (size_t)j;
        D[i + j * x->d] += s->round ? ab[0] * ns_dot(lin, a, b) + ab[1] * ns_dot(dof - lin, a + lin, b + lin) : ns_dot(dof, a, b);
      }
  }
}

/* Inverse of D; of rows that follow from those before them, where D is a Gram matrix, zero. A = L D L^T without roots. */
static void inverse_of(int d, const double *D, double *inverse)
{
  double A[36], b[6];
  int keep[6], n = 0;
  memset(inverse, 0, (size_t)(d * d) * sizeof *inverse);
  memcpy(A, D, (size_t)(d * d) * sizeof *A);
  for (int c = 0; c < d; c++) {
    double pivot = A[c + c * d];
    if (!(fabs(pivot) > 1e-12 * fabs(D[c + c * d]))) continue;
    keep[n++] = c;
    for (int i = c + 1; i < d; i++)
      for (int j = c + 1; j < d; j++) A[i + j * d] -= A[i + c * d] / pivot * A[c + j * d];
  }
  for (int c = 0; c < n; c++) {
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++) A[i + j * d] = D[keep[i] + keep[j] * d];
    for (int i = 0; i < n; i++) b[i] = i == c;
    if (!ns_contact_eliminate(n, A, d, 0, b)) return;
    for (int i = 0; i < n; i++) inverse[keep[i] + keep[c] * d] = b[i];
  }
}

/* How the block is solved, by W alone. */
static ns_visit_kind kind_of(const ns_visit *x, const double *D)
{
  ns_contact k;
  if (x->body[0] < 0 && x->body[1] < 0) return NS_VISIT_NONE;
  if (x->law == NS_BLOCK_BOX) return x->d > 1 ? NS_VISIT_BOX : D[0] > 0 ? NS_VISIT_ROW : NS_VISIT_NONE;
  if (x->law == NS_BLOCK_ROLLING) return D[0] > 0 && D[0] <= DBL_MAX ? NS_VISIT_ROLLING : NS_VISIT_NONE;
  if (x->d == 3 && ns_multibody_is_round(D)) return NS_VISIT_ROUND;
  return ns_contact_prepare(x->d, D, x->mu, &k) ? NS_VISIT_NONE : NS_VISIT_FRICTION;
}

/* Numbers that hold so many bytes. */
#define NUMBERS(bytes) (((bytes) + sizeof(double) - 1) / sizeof(double))

static size_t room_of(const ns_visit *x)
{
  size_t dd = (size_t)(x->d * x->d);
  if (x->kind == NS_VISIT_BOX) return 2 * dd;
  if (x->kind == NS_VISIT_ROLLING) return dd + NUMBERS(sizeof(ns_rolling));
  return x->kind == NS_VISIT_FRICTION ? NUMBERS(sizeof(ns_contact)) : 0;
}

static void fill(const ns_visit *x, const double *D, double *local)
{
  size_t dd = (size_t)(x->d * x->d);
  if (x->kind == NS_VISIT_FRICTION) {
    ns_contact_prepare(x->d, D, x->mu, (void *)local);
    return;
  }
  memcpy(local, D, dd * sizeof *D);
  if (x->kind == NS_VISIT_BOX) inverse_of(x->d, D, local + dd);
  else ns_rolling_prepare(x->d, D, x->mu, x->own[1], (void *)(local + dd));
}

static void matrix_of(const ns_multibody *p, const ns_sweep *s, const ns_visit *x, double *D)
{
  if (s->round) own_matrix(s, x, rows_of(p, x), rows_of(p, x), D);
  else own_matrix(s, x, s->K + x->from, s->L + x->from, D);
}

static int blocks(const ns_multibody *p, ns_arena *a, ns_sweep *s)
{
  size_t room = 0;
  double D[36];
  for (int k = 0; k < s->n; k++) {
    ns_visit *x = &s->visit[k];
    matrix_of(p, s, x, D);
    x->kind = (unsigned char)kind_of(x, D);
    x->own[0] = 1 / D[0];
    if (x->kind == NS_VISIT_ROUND) x->own[1] = 2 / (D[4] + D[8]);
    x->local = room;
    room += room_of(x);
  }
  if (!(s->local = ns_arena_get(a, room, sizeof *s->local))) return 0;
  for (int k = 0; k < s->n; k++) {
    if (room_of(&s->visit[k]) == 0) continue;
    matrix_of(p, s, &s->visit[k], D);
    fill(&s->visit[k], D, s->local + s->visit[k].local);
  }
  return 1;
}

/* ---- all of it -------------------------------------------------------------------------------------------------------------- */

/* diag(a, a, a, b, b, b), in the plane diag(a, a, b), but for rounding. */
static int is_round(int dof, const double *W, double *ab)
{
  double off = 0, a = W[0], b = W[dof * dof - 1];
  for (int j = 0; j < dof; j++)
    for (int i = 0; i < dof; i++) off += fabs(W[i + j * dof] - (i != j ? 0 : i < (dof == 6 ? 3 : 2) ? a : b));
  ab[0] = a;
  ab[1] = b;
  return off <= 1e-14 * fmin(a, b);
}

/* a and b of all bodies beside their y; 0 where one is not round. */
static int all_round(const ns_multibody *p, ns_sweep *s)
{
  size_t dd = (size_t)(s->dof * s->dof);
  for (int i = 0; i < s->nbodies; i++)
    if (!is_round(s->dof, p->inverse + dd * (size_t)s->body[i], s->y + NS_SWEEP_STRIDE * i + NS_SWEEP_A)) return 0;
  return 1;
}

static int get_rows(const ns_multibody *p, ns_arena *a, ns_sweep *s)
{
  int boxes = 0;
  s->rows = 0;
  for (int k = 0; k < s->n; k++) {
    s->rows += ns_multibody_dim(p, s->visit[k].block);
    boxes |= s->visit[k].law == NS_BLOCK_BOX;
  }
  size_t m = (size_t)s->rows;
  s->q = ns_arena_get(a, m, sizeof *s->q);
  s->r = ns_arena_zero(a, m, sizeof *s->r);
  s->lb = boxes ? ns_arena_get(a, m, sizeof *s->lb) : NULL;
  s->ub = boxes ? ns_arena_get(a, m, sizeof *s->ub) : NULL;
  s->y = ns_arena_zero(a, (size_t)s->nbodies * NS_SWEEP_STRIDE, sizeof *s->y);
  return s->q && s->r && (!boxes || (s->lb && s->ub)) && s->y;
}

int ns_sweep_load(const ns_multibody *p, ns_multibody_part part, int *number, ns_arena *a, ns_sweep *s)
{
  int got;
  *s = (ns_sweep){.dof = p->dof};
  got = number_bodies(p, part, number, a, s) && arrange(p, part, number, a, s) && get_rows(p, a, s);
  for (int i = 0; s->body && i < s->nbodies; i++) number[s->body[i]] = -1;
  if (!got) return 0;
  rows(p, s);
  s->round = all_round(p, s);
  if (s->round) return blocks(p, a, s) && get_round(p, a, s);
  for (int i = 0; i < s->nbodies; i++) s->y[NS_SWEEP_STRIDE * i + NS_SWEEP_A] = s->y[NS_SWEEP_STRIDE * i + NS_SWEEP_B] = 0;
  return get_scaled(p, a, s) && blocks(p, a, s);
}
