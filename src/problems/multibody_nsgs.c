/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nsgs -- sweeps over the blocks of a part, with momentum.
 *
 * A sweep is a map r -> G(r); it is taken at r_k + beta_k (r_k - r_k-1), beta_k by Nesterov (1983),
 * restarted where the step turns against the momentum (O'Donoghue & Candes 2015, gradient scheme).
 * y follows along: it is linear in r. The law is not that of a convex problem: beta stays below
 * 0.85, above that only in long runs and as long as the residual goes down. With a bound of 0.8,
 * 0.9, 0.95 a bed of 2000 disks that falls into a box takes 17 %, 11 %, 63 % more visits.
 *
 * Sweeps to a residual of 1e-4, 1e-6, 1e-8 on a pile of 1000 spheres at rest, mu = 0.3, 2473
 * contacts; "moving": one in which contacts have just opened and closed, to 1e-4 (none of these
 * comes to 1e-6 within 1000):
 *
 *                              from the last step     from r = 0        moving, from the last step,
 *                                  from r = 0
 *   plain                        9    162    461       599                 107    >600
 *   forth and back              12    228    764      1024
 *   over-relaxed by 1.5          9     87    227       425
 *   conjugate directions [1]     9     57    110       173
 *   Anderson, 2 terms            8     41     75       120                  39     221
 *   Anderson, 5 terms            8     41     72       108                  39
 *   Nesterov                     8     47    108       156
 *   Nesterov, by colours         6     49     98       163                  36    >600
 *   the same, beta below 0.9     6     43    100        84                  32     115
 *
 * 10,000 spheres at rest come to 1e-6 in 230 sweeps, and from 900 on go round at 9e-8: neither
 * other momentum, nor none, nor solving the 60 contacts around the worst one exactly leads on from
 * there, for what is left is spread over hundreds of contacts.
 *
 * What accelerates less is not stable, or needs more memory than one r and y. Colours cost no
 * sweeps; from the bottom of the pile upwards: no gain. [1] Silcowitz, Niebe & Erleben 2010.
 *
 * Every member of the team goes through the same steps and decides the same from the same sums,
 * which are added over pieces of fixed size in their order: the bytes do not depend on how many
 * members there are. */
#include "problems/multibody_sweep.h"

#include "algebra/four.h"
#include "algebra/pair.h"
#include "algebra/vector.h"

#include <float.h>
#include <string.h>

/* visits, bodies of a piece of work; sweeps after which momentum may grow */
enum { PIECE = 16, BODIES = 128, LONG_RUN = 100 };

/* Sweeps may go round in a circle, as the law is not that of a convex problem. After so many
 * without a better residual each begins half way between the last two. */
enum { STALLED = 400 };
static const double MEAN = -0.5;
/* 1 - largest beta: at first and at most, and at least. */
static const double BRAKE = 0.15, BRAKE_MIN = 0.005;

typedef struct piece {
  int from, to;
} piece;

typedef struct run {
  ns_sweep s;
  ns_team *team;
  const ns_nsgs_limits *limits;
  int *block; /* of each visit, as they are after the load [n] */
  int *first; /* pieces of each colour [ncolours + 1] */
  piece *piece;
  ns_sweep_steps *steps; /* of each piece */
  ns_sweep_sums *sums;
  double *past, *best; /* [rows] */
  int drawn;           /* of a y what momentum draws on: 6, in the plane 4, the last of them zero */
  double *ypast;       /* [nbodies][drawn] */
  /* a limit was reached as this sweep began, or the one before: all members read the one that no
   * member writes */
  int over[2];
  ns_outcome *out;
} run;

/* The least residual after so many sweeps. */
typedef struct progress {
  int done;
  double min;
} progress;

/* What a member of the team knows; the same in all of them but for `me`. */
typedef struct member {
  run *w;
  int me, size;
  int done, next, checked; /* sweeps; before which the residual need not be computed; when it was */
  double theta, beta, e, before, min;
  double brake;       /* 1 - largest beta */
  double step, ratio; /* |r - r before| of the last sweep, and e over it at the last check */
  int calm, give_up;  /* no momentum until the next check; there is no hope */
  int improved;       /* when the least residual was found */
  int near;           /* the guess was */
  progress half, last;
  ns_outcome_kind kind;
} member;

static void meet(const member *m) { ns_team_meet(m->w->team); }

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Where a piece of a colour ends that begins with visit `at`: a pack is not divided. */
static int end_of_piece(const ns_sweep *s, int at, int end)
{
  int to = at + PIECE < end ? at + PIECE : end;
  while (to < end && s->visit[to].packed && !s->visit[to].pack) to++;
  return to;
}

static int cut(ns_arena *a, run *w)
{
  int n = 0;
  const ns_sweep *s = &w->s;
  w->first = ns_arena_get(a, (size_t)s->ncolours + 1, sizeof *w->first);
  w->piece = ns_arena_get(a, (size_t)(s->n / PIECE + s->ncolours + s->nclusters + 1),
                          sizeof *w->piece);
  if (!w->first || !w->piece) return 0;
  w->first[0] = 0;
  for (int k = 0; k < s->nclusters; k++) w->piece[n++] = (piece){s->cluster[k], s->cluster[k + 1]};
  for (int c = s->nclusters > 0; c < s->ncolours; c++) {
    w->first[c] = n;
    for (int at = s->begin[c], to; at < s->begin[c + 1]; at = to) {
      to = end_of_piece(s, at, s->begin[c + 1]);
      w->piece[n++] = (piece){at, to};
    }
  }
  w->first[s->ncolours] = n;
  return 1;
}

/* Memory of visits that stand for others now. */
typedef struct spare {
  ns_visit *at;
  size_t n;
} spare;

/* Visits of packs go: packs hold what is theirs. */
static spare shorten(run *w)
{
  int n = 0;
  for (int k = 0; k < w->first[w->s.ncolours]; k++) {
    int from = n;
    n = ns_sweep_shorten(&w->s, w->piece[k].from, w->piece[k].to, n);
    w->piece[k] = (piece){from, n};
  }
  return (spare){w->s.visit + n, (size_t)(w->s.n - n)};
}

/* n numbers, there or in a. */
static double *numbers(ns_arena *a, spare *left, size_t n)
{
  size_t visits = (n * sizeof(double) + sizeof(ns_visit) - 1) / sizeof(ns_visit);
  if (visits > left->n) return ns_arena_get(a, n, sizeof(double));
  double *x = (void *)left->at;
  left->at += visits;
  left->n -= visits;
  return x;
}

static int get(ns_arena *a, run *w)
{
  size_t m = (size_t)w->s.rows;
  w->drawn = w->s.dof == 6 ? 6 : 4;
  if (!(w->block = ns_arena_get(a, (size_t)w->s.n, sizeof *w->block)) || !cut(a, w)) return 0;
  for (int k = 0; k < w->s.n; k++) w->block[k] = w->s.visit[k].block;
  spare left = shorten(w);
  size_t pieces = (size_t)w->first[w->s.ncolours];
  w->steps = ns_arena_zero(a, pieces, sizeof *w->steps);
  w->sums = ns_arena_get(a, pieces, sizeof *w->sums);
  w->past = numbers(a, &left, m);
  w->best = numbers(a, &left, m);
  w->ypast = numbers(a, &left, (size_t)(w->s.nbodies * w->drawn));
  return w->steps && w->sums && w->past && w->best && w->ypast;
}

/* ---- steps of all members -------------------------------------------------------------------- */

/* Bodies, or rows, that are this member's. */
typedef struct stretch {
  size_t from, to;
} stretch;

static stretch bodies_of(const member *m)
{
  int n = m->w->s.nbodies, pieces = (n + BODIES - 1) / BODIES;
  int from = ns_team_share(pieces, m->me, m->size) * BODIES,
      to = ns_team_share(pieces, m->me + 1, m->size) * BODIES;
  return (stretch){(size_t)from, (size_t)(to < n ? to : n)};
}

static stretch rows_of(const member *m)
{
  int n = m->w->s.rows;
  return (stretch){(size_t)ns_team_share(n, m->me, m->size),
                   (size_t)ns_team_share(n, m->me + 1, m->size)};
}

/* Pieces of colour c that are this member's; the last colour is for one. */
static void pieces_of(const member *m, int c, int *from, int *to)
{
  const run *w = m->w;
  int n = w->first[c + 1] - w->first[c], serial = c == w->s.ncolours - 1;
  *from = w->first[c] + (serial ? 0 : ns_team_share(n, m->me, m->size));
  *to = w->first[c] + (serial ? (m->me == 0) * n : ns_team_share(n, m->me + 1, m->size));
}

/* y = L^T r, and what was before is as it is. */
static void start(const member *m)
{
  run *w = m->w;
  int from, to;
  stretch r = rows_of(m), y = bodies_of(m);
  for (int c = 0; c < w->s.ncolours; c++) {
    pieces_of(m, c, &from, &to);
    if (from < to) ns_sweep_push(&w->s, w->piece[from].from, w->piece[to - 1].to);
    meet(m);
  }
  memcpy(w->past + r.from, w->s.r + r.from, (r.to - r.from) * sizeof *w->past);
  memcpy(w->best + r.from, w->s.r + r.from, (r.to - r.from) * sizeof *w->best);
  for (size_t i = y.from; i < y.to; i++)
    memcpy(w->ypast + i * (size_t)w->drawn, w->s.y + i * NS_SWEEP_STRIDE,
           (size_t)w->drawn * sizeof *w->ypast);
}

/* y of n bodies drawn on by beta, past y what it was; in space. */
static void draw_in_space(double beta, size_t n, double *y, double *past)
{
  ns_pair by = {beta, beta};
  for (; n > 0; n--, y += NS_SWEEP_STRIDE, past += 6)
    for (size_t k = 0; k < 6; k += 2) {
      ns_pair now = ns_pair_at(y + k);
      ns_pair_put(now + by * (now - ns_pair_at(past + k)), y + k);
      ns_pair_put(now, past + k);
    }
}

/* The same in the plane. */
static inline __attribute__((always_inline)) void draw_planar(double beta, size_t n, double *y,
                                                              double *past)
{
  ns_four by = {beta, beta, beta, beta};
  for (; n > 0; n--, y += NS_SWEEP_STRIDE, past += 4) {
    ns_four now = NS_FOUR(y);
    NS_PUT_FOUR(now + by * (now - NS_FOUR(past)), y);
    NS_PUT_FOUR(now, past);
  }
}

static void draw_plain(double beta, size_t n, double *y, double *past)
{
  draw_planar(beta, n, y, past);
}

NS_WIDE static void draw_wide(double beta, size_t n, double *y, double *past)
{
  draw_planar(beta, n, y, past);
}

static void draw(const member *m, stretch bodies)
{
  const run *w = m->w;
  double *y = w->s.y + bodies.from * NS_SWEEP_STRIDE,
         *past = w->ypast + bodies.from * (size_t)w->drawn;
  (w->drawn == 6 ? draw_in_space
   : w->s.wide   ? draw_wide
                 : draw_plain)(m->beta, bodies.to - bodies.from, y, past);
}

static stretch bodies_of_cluster(const run *w, int k)
{
  int from = k * NS_CLUSTER_BODIES, to = from + NS_CLUSTER_BODIES;
  return (stretch){(size_t)from, (size_t)(to < w->s.nbodies ? to : w->s.nbodies)};
}

/* What is c-th in this sweep. Contacts of the first colour are left with the error of all others,
 * and in a stack their overlaps add up from step to step: in small parts the next colour is the
 * first one after each few sweeps. With one order for all sweeps overlaps of 100 boxes are twice as
 * large, from 12 slopes; to turn it round after each two takes a fifth more sweeps on heaps. */
static int colour_of(const member *m, int c)
{
  enum { SMALL = 500, IN_A_ROW = 4 };
  const ns_sweep *s = &m->w->s;
  int many = s->ncolours - 1; /* the last one is the last, and clusters are before all */
  return s->n > SMALL || s->nclusters || c == many ? c : (c + m->done / IN_A_ROW) % many;
}

static ns_sweep_steps sweep(const member *m)
{
  run *w = m->w;
  int from, to;
  ns_sweep_steps sum = {0};
  if (!w->s.nclusters) draw(m, bodies_of(m));
  if (m->me == 0) w->over[m->done % 2] = ns_solve_over(w->limits->watch);
  meet(m); /* also: all have added up the steps of the sweep before */
  for (int i = 0; i < w->s.ncolours; i++) {
    int c = colour_of(m, i);
    pieces_of(m, c, &from, &to);
    for (int k = from; k < to; k++) {
      /* bodies of a cluster just before its visits, which find them in the cache */
      if (k < w->s.nclusters) draw(m, bodies_of_cluster(w, k));
      w->steps[k] = ns_sweep_visit(&w->s, w->piece[k].from, w->piece[k].to, m->beta, w->past);
    }
    if (w->first[c + 1] > w->first[c]) meet(m);
  }
  for (int k = 0; k < w->first[w->s.ncolours]; k++) {
    sum.away += w->steps[k].away;
    sum.moved += w->steps[k].moved;
  }
  return sum;
}

/* *r: the length of r. */
static double residual(const member *m, double *r)
{
  run *w = m->w;
  int n = w->first[w->s.ncolours];
  ns_sweep_sums t = {0};
  for (int k = ns_team_share(n, m->me, m->size); k < ns_team_share(n, m->me + 1, m->size); k++) {
    w->sums[k] = (ns_sweep_sums){0};
    ns_sweep_measure(&w->s, w->piece[k].from, w->piece[k].to, &w->sums[k]);
  }
  meet(m);
  for (int k = 0; k < n; k++) {
    t.map += w->sums[k].map;
    t.r += w->sums[k].r;
    t.u += w->sums[k].u;
    t.q += w->sums[k].q;
    t.own = ns_larger(w->sums[k].own, t.own);
  }
  *r = sqrt(t.r);
  double e = sqrt(t.map), scale = sqrt(ns_larger(t.q, ns_larger(t.r, t.u)));
  meet(m);
  if (!(e <= DBL_MAX) || !(scale <= DBL_MAX)) return INFINITY;
  return ns_larger(scale > DBL_EPSILON ? e / scale : e, t.own);
}

/* The least residual so far: its r is what comes back. */
static void keep(member *m)
{
  run *w = m->w;
  if (!(m->e < m->min)) return;
  stretch r = rows_of(m);
  memcpy(w->best + r.from, w->s.r + r.from, (r.to - r.from) * sizeof *w->best);
  if (m->e < 0.9 * m->min) m->improved = m->done;
  m->min = m->e;
}

/* ---- when to stop ---------------------------------------------------------------------------- */

/* Sweeps that the rate of the last half of them foretells until tol; at least 1. The residual goes
 * up and down: what counts is the least one then and now (an unlucky last check sent a falling pile
 * of 1000 spheres to Newton at 35 % of the time, and a silo at 40 %). */
static double foretold(const member *m)
{
  double rate = log(m->min / m->half.min) / (m->done - m->half.done);
  return rate < 0 ? fmax(log(m->w->limits->tol / m->min) / rate, 1) : INFINITY;
}

/* Half of the sweeps, roughly: the last mark but one, where they double from mark to mark. */
static void mark(member *m)
{
  if (m->done < 2 * m->last.done) return;
  m->half = m->last;
  m->last = (progress){.done = m->done, .min = m->min};
}

/* A check costs half a sweep: it is made at 1, 2 and 4 sweeps, then when the size of the steps says
 * that the tolerance is near, by its share in the last one, or a quarter as many sweeps later. */
static int is_due(const member *m)
{
  if (m->done >= m->w->limits->limit) return 1;
  if (m->done < 4) return m->done != 3;
  return m->done >= m->next &&
         (m->step * m->ratio <= 1.05 * m->w->limits->tol || m->done >= m->checked + m->checked / 2);
}

/* Newton's method takes over: after as many sweeps as a few of its steps cost, and where half as
 * many more do not end them, for what it leaves undone does not come back in the next step. */
static int is_hopeless(const member *m)
{
  enum { SOONER = 6, SHORTER = 2 };
  int patience = m->w->limits->patience, min = m->near ? patience / SOONER : patience;
  return m->done > min && foretold(m) > (double)patience / SHORTER;
}

static void check(member *m)
{
  static const double AT_REST = 4 * DBL_EPSILON; /* a step relative to r: nothing moves */
  double r;
  const ns_nsgs_limits *l = m->w->limits;
  m->e = residual(m, &r);
  if (m->e <= l->tol) m->kind = NS_SOLVED;
  else if (m->e == INFINITY) m->kind = NS_NOT_FINITE;
  else if (m->e == m->before && m->step <= AT_REST * r) m->kind = NS_STATIONARY;
  m->calm = m->e > 2 * m->min;
  if (m->done >= LONG_RUN)
    m->brake = fmin(fmax(m->brake * (m->e < m->before ? 0.8 : 2), BRAKE_MIN), BRAKE);
  keep(m);
  mark(m);
  if (m->done == 0) m->near = m->e <= NS_NEAR * l->tol;
  m->give_up |= m->done >= l->limit || (l->patience && is_hopeless(m));
  m->ratio = m->step > 0 ? m->e / m->step : 0;
  m->next = m->done + 1 + m->done / 16;
  m->before = m->e;
  m->checked = m->done;
}

static void momentum(member *m, double away)
{
  double was = away > 0 || m->calm ? 1 : m->theta;
  m->theta = (1 + sqrt(1 + 4 * was * was)) / 2;
  m->beta = m->done - m->improved > STALLED ? MEAN : fmin((was - 1) / m->theta, 1 - m->brake);
}

static void work(void *data, int me)
{
  run *w = data;
  member m = {.w = w,
              .me = me,
              .size = ns_team_size(w->team),
              .theta = 1,
              .brake = BRAKE,
              .kind = NS_LIMIT};
  m.before = m.min = INFINITY;
  start(&m);
  check(&m);
  while (m.kind == NS_LIMIT && !m.give_up) {
    ns_sweep_steps steps = sweep(&m);
    m.give_up = w->over[m.done % 2];
    m.done++;
    m.step = sqrt(steps.moved);
    if (m.give_up || is_due(&m)) check(&m);
    momentum(&m, steps.away);
  }
  if (me == 0)
    *w->out = (ns_outcome){
        .kind = m.kind, .iterations = m.done, .residual = m.min, .solver = "nsgs"};
}

/* ---- one part -------------------------------------------------------------------------------- */

static int is_finite(size_t n, const double *x)
{
  for (size_t i = 0; i < n; i++)
    if (!(fabs(x[i]) <= DBL_MAX)) return 0;
  return 1;
}

int ns_nsgs_solve(ns_ctx *c, const ns_nsgs_limits *limits, ns_team *team, const ns_multibody *p,
                  ns_multibody_part part, int *number, ns_arena *a, double *r, ns_outcome *out)
{
  enum { ALONE = 1500 }; /* visits that are not worth a second thread */
  run w = {.limits = limits, .out = out};
  if (part.n >= ALONE && !ns_team_is_crowded(team)) w.team = team;
  if (!ns_sweep_load(p, part, limits->contact, number, w.team, a, &w.s))
    return ns_nomem(c, "sweeps over contacts");
  for (int k = 0; k < w.s.n; k++)
    memcpy(w.s.r + w.s.visit[k].at, r + p->row[w.s.visit[k].block], w.s.visit[k].d * sizeof *r);
  if (!is_finite((size_t)w.s.rows, w.s.r)) memset(w.s.r, 0, (size_t)w.s.rows * sizeof *w.s.r);
  if (!get(a, &w)) return ns_nomem(c, "sweeps over contacts");
  ns_team_run(w.team, work, &w);
  for (int k = 0, d; k < w.s.n; k++, w.best += d) {
    d = ns_multibody_dim(p, w.block[k]);
    memcpy(r + p->row[w.block[k]], w.best, (size_t)d * sizeof *r);
  }
  return NS_OK;
}
