/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nsgs -- nonsmooth Gauss-Seidel: block by block, each solved exactly with the others held (Jean &
 * Touzot 1988; Jourdan, Alart & Jean 1998), by its cases or by the method that the options name.
 * Box blocks go row by row.
 *
 * A sweep reads every block of W once and is bound by memory. The residual of the problem costs a
 * good part of a sweep, so it is computed when its own rate so far says that the tolerance is near,
 * and at the 1st, 2nd and 4th sweep.
 *
 * Large problems are swept by colours: no two blocks of one colour are coupled, so that they can be
 * solved in any order, or by several threads, to the same bytes. One thread takes the same order.
 * Friction of one size is copied into that order first (mechanical_stream.h): a sweep or two of
 * work, which ten sweeps earn. */
#include "problems/mechanical_ball.h"
#include "problems/mechanical_rolling.h"
#include "problems/mechanical_work.h"

#include "base/arena.h"
#include "base/team.h"
#include "problems/mechanical_colours.h"
#include "problems/mechanical_stream.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Up to so many blocks the order is the natural one: chains converge faster along themselves. */
enum { SWEEPS = 10000, NATURAL_BLOCKS = 600 };

typedef struct nsgs {
  ns_arena *mem;
  ns_mechanical_options opt;
  int nb, m;
  ns_contact *k;        /* of friction blocks [nb] */
  ns_rolling *rolling;  /* of rolling blocks [nb]; NULL where the capacity has none */
  double *diagonal;     /* W_ii of the rows of box blocks [m] */
  unsigned long stamp;  /* of what k was prepared for; 0: none */
  int uniform;          /* all blocks of the problem have one size */
  int exact;            /* rolling contacts are solved to rounding in each sweep */
  int ncolours;         /* 0: natural order */
  int *colour;          /* of the blocks of the capacity [nb] */
  int *begin, *order;   /* blocks of the problem by colours [ncolours+1], [nb] */
  ns_stream stream;     /* d = 0: none */
  unsigned long loaded; /* stamp of what stands in stream; 0: none */
  ns_team *team;        /* NULL: one thread */
} nsgs;

static void destroy(void *self)
{
  nsgs *s = self;
  if (!s) return;
  ns_team_destroy(s->team);
  ns_arena_destroy(s->mem);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* The blocks of this problem by their colours. */
static void arrange(nsgs *s, const ns_mechanical *p, const int *block)
{
  int nb = p->W->nb, *begin = s->begin;
  memset(begin, 0, ((size_t)s->ncolours + 1) * sizeof *begin);
  for (int a = 0; a < nb; a++) begin[s->colour[block ? block[a] : a] + 1]++;
  for (int c = 0; c < s->ncolours; c++) begin[c + 1] += begin[c];
  for (int a = 0; a < nb; a++) s->order[begin[s->colour[block ? block[a] : a]]++] = a;
  memmove(begin + 1, begin, (size_t)s->ncolours * sizeof *begin);
  begin[0] = 0;
}

/* One contact by a method that the user named. */
static int is_named(const nsgs *s) { return s->opt.contact && s->opt.contact->solve; }

static int get_colours(nsgs *s, const ns_blocks *W, const unsigned char *kind)
{
  size_t nb = (size_t)W->nb;
  s->colour = ns_arena_get(s->mem, nb + 1, sizeof *s->colour);
  s->order = ns_arena_get(s->mem, nb + 1, sizeof *s->order);
  s->begin = ns_arena_zero(s->mem, nb + 2, sizeof *s->begin);
  if (!s->colour || !s->order || !s->begin || !(s->ncolours = ns_colours_of(W, s->colour)))
    return 0;
  return is_named(s) || ns_stream_get(s->mem, W, kind, &s->stream);
}

static int get(nsgs *s, const ns_blocks *W, const unsigned char *kind)
{
  s->k = ns_arena_zero(s->mem, (size_t)s->nb + 1, sizeof *s->k);
  s->diagonal = ns_arena_zero(s->mem, (size_t)s->m + 1, sizeof *s->diagonal);
  if (!s->k || !s->diagonal) return 0;
  if (ns_mechanical_any(W, kind, NS_BLOCK_ROLLING) &&
      !(s->rolling = ns_arena_zero(s->mem, (size_t)s->nb, sizeof *s->rolling)))
    return 0;
  if (s->nb <= NATURAL_BLOCKS) return 1;
  if (!get_colours(s, W, kind)) return 0;
  int threads = ns_team_possible(s->opt.threads);
  return threads < 2 || (s->team = ns_team_create(threads)) != NULL;
}

static int create(ns_ctx *c, const ns_mechanical_capacity *cap, const ns_mechanical_options *opt,
                  void **self)
{
  nsgs *s = NS_ARENA_OBJECT(nsgs, mem);
  *self = NULL;
  if (!s) return ns_nomem(c, "nonsmooth Gauss-Seidel");
  *s = (nsgs){.mem = s->mem,
              .opt = opt ? *opt : ns_mechanical_defaults(),
              .nb = cap->structure->nb,
              .m = cap->structure->m};
  if (!get(s, cap->structure, cap->kind)) {
    destroy(s);
    return ns_nomem(c, "nonsmooth Gauss-Seidel");
  }
  *self = s;
  return NS_OK;
}

/* Diagonal blocks; 1 where all of them are fit: a normal or a row without W_ii > 0 cannot be solved
 * alone. */
static int prepare(nsgs *s, const ns_mechanical *p)
{
  if (p->stamp && p->stamp == s->stamp) return 1;
  s->stamp = 0;
  for (int a = 0; a < p->W->nb; a++) {
    const double *B = ns_blocks_at(p->W, a, a);
    int d = p->W->dim[a];
    if (!B) return 0;
    if (ns_mechanical_is_friction(p, a)) {
      if (ns_contact_prepare(d, B, p->mu[a], &s->k[a])) return 0;
      continue;
    }
    if (ns_mechanical_is_rolling(p, a)) {
      if (!s->rolling || ns_rolling_prepare(d, B, p->mu[a], p->mu_rolling[a], &s->rolling[a]))
        return 0;
      continue;
    }
    for (int i = 0; i < d; i++)
      if (!((s->diagonal[p->W->first[a] + i] = B[i + i * d]) > 0)) return 0;
  }
  s->stamp = p->stamp;
  return 1;
}

/* Local q of block a, q_a + sum_{b != a} W_ab r_b, where every block of the problem is d x d. */
static void gather(int d, const ns_mechanical *p, int a, const double *r, double *q)
{
  const ns_blocks *W = p->W;
  double q0 = p->q[d * a], q1 = p->q[d * a + 1], q2 = d == 3 ? p->q[3 * a + 2] : 0;
  for (int b = W->row[a], end = W->row[a + 1]; b < end; b++) {
    int j = W->col[b];
    if (j == a) continue;
    const double *B = W->val + W->off[b], *x = r + d * j;
    if (d == 2) {
      q0 += B[0] * x[0] + B[2] * x[1];
      q1 += B[1] * x[0] + B[3] * x[1];
      continue;
    }
    q0 += B[0] * x[0] + B[3] * x[1] + B[6] * x[2];
    q1 += B[1] * x[0] + B[4] * x[1] + B[7] * x[2];
    q2 += B[2] * x[0] + B[5] * x[1] + B[8] * x[2];
  }
  q[0] = q0;
  q[1] = q1;
  if (d == 3) q[2] = q2;
}

/* The same where blocks have any sizes, block a d rows. */
static inline void gather_any(int d, const ns_mechanical *p, int a, const double *r, double *q)
{
  const ns_blocks *W = p->W;
  memcpy(q, p->q + W->first[a], (size_t)d * sizeof *q);
  for (int b = W->row[a]; b < W->row[a + 1]; b++) {
    const double *B = W->val + W->off[b], *x = r + W->first[W->col[b]];
    for (int c = 0; c < W->dim[W->col[b]] && W->col[b] != a; c++, B += d)
      for (int i = 0; i < d; i++) q[i] += B[i] * x[c];
  }
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

static void friction(const nsgs *s, const ns_mechanical *p, int a, double *r)
{
  double q[3], *x = r + p->W->first[a], was[3];
  if (p->W->dim[a] == 2) {
    if (s->uniform) gather(2, p, a, r, q);
    else gather_any(2, p, a, r, q);
    if (is_named(s)) ns_contact_solve_by(s->opt.contact, 2, &s->k[a], q, x);
    else if (!ns_contact_cases_plane(&s->k[a], q, x)) ns_contact_solve_plane(&s->k[a], q, x);
    return;
  }
  memcpy(was, x, sizeof was);
  if (s->uniform) gather(3, p, a, r, q);
  else gather_any(3, p, a, r, q);
  if (is_named(s)) {
    ns_contact_solve_by(s->opt.contact, 3, &s->k[a], q, x);
    return;
  }
  if (ns_contact_cases_space(&s->k[a], q, x)) return;
  double e = ns_contact_solve_space(&s->k[a], q, x);
  if (!(e < 1)) memcpy(x, was, sizeof was); /* worse than nothing: next sweep */
}

static void rolling(const nsgs *s, const ns_mechanical *p, int a, double *r)
{
  double q[NS_ROLLING_ROWS], *x = r + p->W->first[a];
  gather_any(p->W->dim[a], p, a, r, q);
  (s->exact ? ns_rolling_solve : ns_rolling_sweep)(&s->rolling[a], q, x);
}

static void ball(const ns_mechanical *p, int a, double *r)
{
  int d = p->W->dim[a], at = p->W->first[a];
  double q[NS_BALL_ROWS];
  gather_any(d, p, a, r, q);
  ns_ball_solve(d, ns_blocks_at(p->W, a, a), p->ub[at], q, r + at);
}

static void box(const nsgs *s, const ns_mechanical *p, int a, double *r)
{
  const ns_blocks *W = p->W;
  int d = W->dim[a];
  for (int i = 0; i < d; i++) {
    int at = W->first[a] + i;
    double u = p->q[at];
    for (int b = W->row[a]; b < W->row[a + 1]; b++) {
      const double *B = W->val + W->off[b] + i, *x = r + W->first[W->col[b]];
      for (int c = 0; c < W->dim[W->col[b]]; c++) u += B[c * d] * x[c];
    }
    r[at] = fmin(fmax(r[at] - u / s->diagonal[at], p->lb[at]), p->ub[at]);
  }
}

static void one(const nsgs *s, const ns_mechanical *p, int a, double *r)
{
  if (ns_mechanical_is_friction(p, a)) friction(s, p, a, r);
  else if (ns_mechanical_is_rolling(p, a)) rolling(s, p, a, r);
  else if (ns_mechanical_is_ball(p, a)) ball(p, a, r);
  else box(s, p, a, r);
}

typedef struct sweeps {
  nsgs *s;
  const ns_mechanical *p;
  double *r;
  int count;
  /* its watch ends it after this sweep; by turns, so that what is read is not yet written again */
  int over[2];
} sweeps;

/* Parts of a colour meet at whole lines of r, so that no line is written by two. */
static int cut(const nsgs *s, int colour, int member, int size)
{
  enum { LINE = 8 }; /* contacts in the plane in two lines */
  int from = s->begin[colour], to = s->begin[colour + 1];
  int at = from + (int)((long long)(to - from) * member / size);
  return member == 0 ? from : member == size || at + LINE > to ? to : (at + LINE - 1) / LINE * LINE;
}

/* Each member takes a part of every colour. */
static void by_colours(void *data, int member)
{
  sweeps *w = data;
  nsgs *s = w->s;
  int size = ns_team_size(s->team);
  for (int k = 0; k < w->count && !(k > 0 && w->over[(k - 1) % 2]); k++)
    for (int c = 0; c < s->ncolours; c++) {
      int from = cut(s, c, member, size), to = cut(s, c, member + 1, size);
      if (s->stream.d) ns_stream_sweep(&s->stream, s->k, from, to);
      for (int a = from; a < to && !s->stream.d; a++) one(s, w->p, s->order[a], w->r);
      if (member == 0 && c + 1 == s->ncolours) w->over[k % 2] = ns_solve_over(w->p->watch);
      ns_team_meet(s->team);
    }
}

static void sweep(nsgs *s, const ns_mechanical *p, double *r, int count)
{
  sweeps w = {.s = s, .p = p, .r = r, .count = count};
  if (s->ncolours) {
    if (s->stream.d) ns_stream_begin(&s->stream, p, r);
    ns_team_run(s->team, by_colours, &w);
    if (s->stream.d) ns_stream_end(&s->stream, p->W->nb, r);
    return;
  }
  for (int k = 0; k < count && (k == 0 || !ns_solve_over(p->watch)); k++)
    for (int a = 0; a < p->W->nb; a++) one(s, p, a, r);
}

/* u += W r, each member a part of the rows. */
typedef struct product {
  const nsgs *s;
  const ns_blocks *W;
  const double *r;
  double *u;
} product;

static void multiply(void *data, int member)
{
  const product *k = data;
  int size = ns_team_size(k->s->team), nb = k->W->nb;
  int from = (int)((long long)nb * member / size), to = (int)((long long)nb * (member + 1) / size);
  ns_blocks_gemv_part(1, k->W, from, to, k->r, k->u);
}

/* ns_mechanical_residual, to the bit, by the team where there is one. */
static double residual(const nsgs *s, const ns_mechanical *p, const double *r, double *u)
{
  product k = {s, p->W, r, u};
  if (!s->team) return ns_mechanical_residual(p, r, u, NULL);
  memcpy(u, p->q, (size_t)p->W->m * sizeof *u);
  ns_team_run(s->team, multiply, &k);
  return ns_mechanical_defect(p, r, u);
}

/* What stands there already is left: problems of one stamp have one W and one list of blocks. */
static void order(nsgs *s, const ns_mechanical *p, const int *block)
{
  if (p->stamp && p->stamp == s->loaded) return;
  arrange(s, p, block);
  if (s->stream.d) ns_stream_load(&s->stream, p->W, s->k, s->order);
  s->loaded = p->stamp;
}

/* Where impulses of rolling contacts are not unique, as of a box on four corners, and the residual
 * is to fall to rounding, what sweeps leave of each may lead to where no method gets there. */
static const double ROUNDING = 1e-9;

/* Sweeps that the rate from e0 to e in n of them foretells until tol; at least 1. */
static double foretold(double e0, double e, int n, double tol)
{
  double rate = e0 > 0 && e < e0 ? log(e / e0) / n : 0;
  return rate < 0 ? fmax(log(tol / e) / rate, 1) : INFINITY;
}

/* Of contacts in space each such forecast is above the one before, as far as sweeps slow down:
 * their rate is that of ever weaker modes. As much growth is expected once more. In the plane
 * states settle at last, and what was foretold is more than it takes. */
static double expected(double before, double left, int since, int space)
{
  double growth = before > 0 && before < INFINITY ? (left + since) / before : 1;
  return space && growth > 1 ? left * growth : left;
}

void ns_mechanical_sweeps(void *self, const ns_mechanical *p, const int *block, int limit,
                          int patience, double *r, double *u, ns_outcome *out)
{
  nsgs *s = self;
  double tol = ns_mechanical_tolerance(p, &s->opt), before = out->residual;
  double left = INFINITY;
  int checked = 0, space = !ns_mechanical_is_planar(p->W, p->kind);
  out->solver = "nsgs";
  out->iterations = 0;
  out->kind = out->residual <= tol ? NS_SOLVED : prepare(s, p) ? NS_LIMIT : NS_SINGULAR;
  if (out->kind != NS_LIMIT) return;
  s->exact = s->opt.tol < ROUNDING;
  s->uniform = 1;
  for (int a = 1; a < p->W->nb && s->uniform; a++) s->uniform = p->W->dim[a] == p->W->dim[0];
  if (s->ncolours) order(s, p, block);
  for (int it = 0, next = 1; it < limit && !ns_solve_over(p->watch);) {
    if (!ns_solve_afford(p->watch, (next - it) * ns_mechanical_sweep_cost(s, p->W))) return;
    sweep(s, p, r, next - it);
    it = next;
    out->iterations = it;
    out->residual = residual(s, p, r, u);
    if (out->residual <= tol) out->kind = NS_SOLVED;
    else if (out->residual == INFINITY) out->kind = NS_NOT_FINITE;
    else if (out->residual == before && it > 2) out->kind = NS_STATIONARY;
    if (out->kind != NS_LIMIT) return;
    double last = left;
    left = foretold(before, out->residual, it - checked, tol);
    if (patience && it >= 8 && expected(last, left, it - checked, space) > patience) return;
    before = out->residual;
    checked = it;
    int near = left < (space ? 1.5 * it : it / 2 + 1), ahead = it / 2;
    if (it < 4) ahead = it;
    else if (near) ahead = (int)(0.9 * left) + 1;
    next = it + ahead < limit ? it + ahead : limit;
  }
}

double ns_mechanical_sweep_cost(const void *self, const ns_blocks *W)
{
  const nsgs *s = self;
  double one = s->rolling ? 2500.0 : 60.0; /* a contact that rolls is the root of an equation */
  return s->stream.d ? 10.0 * W->nb + 2.0 * W->row[W->nb] : one * W->nb + 5.0 * W->row[W->nb];
}

static int solve(void *self, ns_ctx *c, const ns_mechanical *p, const int *block, double *r,
                 double *u, ns_outcome *out)
{
  nsgs *s = self;
  if (p->W->nb > s->nb || p->W->m > s->m)
    return ns_fail(c, NS_USAGE, "mechanical problem of %d rows, expected at most %d", p->W->m,
                   s->m);
  out->residual = ns_mechanical_residual(p, r, u, NULL);
  ns_mechanical_sweeps(s, p, block, s->opt.max_iterations ? s->opt.max_iterations : SWEEPS, 0, r, u,
                       out);
  return NS_OK;
}

const ns_mechanical_solver_ops ns_mechanical_nsgs = {
    .name = "nsgs",
    .help = "nonsmooth Gauss-Seidel, blocks solved exactly: robust, linear rate",
    .create = create,
    .solve = solve,
    .destroy = destroy,
    .memory = &ns_memory_none,
    .sweeps = 1};
