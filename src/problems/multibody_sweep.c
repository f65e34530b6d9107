/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/multibody_sweep.h"

#include "algebra/vector.h"

#include <string.h>

/* Two numbers side by side. */
typedef double pair __attribute__((vector_size(16)));

static inline pair load(const double *x)
{
  pair p;
  memcpy(&p, x, sizeof p);
  return p;
}

static inline void store(pair p, double *x) { memcpy(x, &p, sizeof p); }

/* ---- rows and bodies ------------------------------------------------------------------------- */

/* u [d] of a visit: q + K y. With constant dof and d all of it is unrolled. */
static inline void velocity(int dof, int d, const ns_sweep *s, const ns_visit *x, double *u)
{
  const double *k = s->K + x->from;
  for (int i = 0; i < d; i++) u[i] = s->q[x->at + i];
  for (int e = 0; e < 2; e++, k += dof) {
    if (x->body[e] < 0) continue;
    const double *y = s->y + NS_SWEEP_STRIDE * (size_t)x->body[e];
    for (int i = 0; i < d; i++) {
      const double *h = k + 2 * dof * i;
      if (dof == 6) {
        pair t = load(h) * load(y) + load(h + 2) * load(y + 2) + load(h + 4) * load(y + 4);
        u[i] += t[0] + t[1];
      } else {
        for (int j = 0; j < dof; j++) u[i] += h[j] * y[j];
      }
    }
  }
}

/* y += L^T dr, times W^-1 of round bodies. */
static inline void push(int dof, int d, const ns_sweep *s, const ns_visit *x, const double *dr)
{
  const double *l = s->L + x->from;
  for (int e = 0; e < 2; e++, l += dof) {
    if (x->body[e] < 0) continue;
    double *y = s->y + NS_SWEEP_STRIDE * (size_t)x->body[e];
    if (dof == 6) {
      const pair scale[3] = {
          {y[NS_SWEEP_A], y[NS_SWEEP_A]}, load(y + NS_SWEEP_A), {y[NS_SWEEP_B], y[NS_SWEEP_B]}};
      for (int j = 0; j < 3; j++) {
        pair t = load(l + 2 * j) * (pair){dr[0], dr[0]};
        for (int i = 1; i < d; i++) t += load(l + 12 * i + 2 * j) * (pair){dr[i], dr[i]};
        store(load(y + 2 * j) + t * scale[j], y + 2 * j);
      }
    } else {
      for (int i = 0; i < d; i++)
        for (int j = 0; j < dof; j++)
          y[j] += y[j < 2 ? NS_SWEEP_A : NS_SWEEP_B] * l[2 * dof * i + j] * dr[i];
    }
  }
}

/* t2 of a contact of balls, by its entries. */
static inline void second_tangent(const double *k, double *t2)
{
  const double *n = k, *t1 = k + 3;
  t2[0] = (n[1] * t1[2] - n[2] * t1[1]) * k[NS_BALL_UNIT];
  t2[1] = (n[2] * t1[0] - n[0] * t1[2]) * k[NS_BALL_UNIT];
  t2[2] = (n[0] * t1[1] - n[1] * t1[0]) * k[NS_BALL_UNIT];
}

/* The same of a contact of balls. */
static inline __attribute__((always_inline)) void ball_velocity(const ns_sweep *s,
                                                                const ns_visit *x, double *u)
{
  const double *k = s->K + x->from, *y = s->y + NS_SWEEP_STRIDE * (size_t)x->body[0],
               *q = s->q + x->at, *t1 = k + 3;
  double t2[3], d[3] = {y[0], y[1], y[2]}, c = k[NS_BALL_LEVER],
                w[3] = {c * y[3], c * y[4], c * y[5]};
  second_tangent(k, t2);
  if (x->body[1] >= 0) {
    const double *z = s->y + NS_SWEEP_STRIDE * (size_t)x->body[1];
    c = k[NS_BALL_LEVER + 1];
    d[0] -= z[0];
    d[1] -= z[1];
    d[2] -= z[2];
    w[0] += c * z[3];
    w[1] += c * z[4];
    w[2] += c * z[5];
  }
  u[0] = q[0] + (k[0] * d[0] + k[1] * d[1] + k[2] * d[2]);
  u[1] = q[1] + ((t1[0] * d[0] + t1[1] * d[1] + t1[2] * d[2]) +
                 (t2[0] * w[0] + t2[1] * w[1] + t2[2] * w[2]));
  u[2] = q[2] + ((t2[0] * d[0] + t2[1] * d[1] + t2[2] * d[2]) -
                 (t1[0] * w[0] + t1[1] * w[1] + t1[2] * w[2]));
}

/* y += W^-1 of a body times sign the force f, and lever the moment g. */
static inline __attribute__((always_inline)) void ball_push_one(double *y, double sign,
                                                                double lever, const double *f,
                                                                const double *g)
{
  double a = sign * y[NS_SWEEP_A], b = lever * y[NS_SWEEP_B];
  y[0] += a * f[0];
  y[1] += a * f[1];
  y[2] += a * f[2];
  y[3] += b * g[0];
  y[4] += b * g[1];
  y[5] += b * g[2];
}

static inline __attribute__((always_inline)) void ball_push(const ns_sweep *s, const ns_visit *x,
                                                            const double *dr)
{
  const double *k = s->K + x->from, *t1 = k + 3;
  double t2[3], f[3], g[3];
  second_tangent(k, t2);
  for (int i = 0; i < 3; i++) {
    f[i] = k[i] * dr[0] + t1[i] * dr[1] + t2[i] * dr[2];
    g[i] = t2[i] * dr[1] - t1[i] * dr[2];
  }
  ball_push_one(s->y + NS_SWEEP_STRIDE * (size_t)x->body[0], 1, k[NS_BALL_LEVER], f, g);
  if (x->body[1] >= 0)
    ball_push_one(s->y + NS_SWEEP_STRIDE * (size_t)x->body[1], -1, k[NS_BALL_LEVER + 1], f, g);
}

/* The same of a contact of disks; T is n turned by a right angle. Behind a fixed surface stand
 * zeros. */
static inline __attribute__((always_inline)) void disk_velocity(const ns_sweep *s,
                                                                const ns_visit *x, double *u)
{
  const double *k = s->K + x->from, *y = s->y + NS_SWEEP_STRIDE * (size_t)x->body[0],
               *q = s->q + x->at;
  double d[2] = {y[0], y[1]}, turn = k[2] * y[2];
  if (x->body[1] >= 0) {
    const double *z = s->y + NS_SWEEP_STRIDE * (size_t)x->body[1];
    d[0] -= z[0];
    d[1] -= z[1];
    turn += k[3] * z[2];
  }
  u[0] = q[0] + (k[0] * d[0] + k[1] * d[1]);
  u[1] = q[1] + (k[0] * d[1] - k[1] * d[0] + turn);
}

static inline __attribute__((always_inline)) void disk_push(const ns_sweep *s, const ns_visit *x,
                                                            const double *dr)
{
  const double *k = s->K + x->from,
               f[2] = {k[0] * dr[0] - k[1] * dr[1], k[1] * dr[0] + k[0] * dr[1]};
  for (int e = 0; e < 2 && x->body[e] >= 0; e++) {
    double *y = s->y + NS_SWEEP_STRIDE * (size_t)x->body[e], a = e ? -y[NS_SWEEP_A] : y[NS_SWEEP_A];
    y[0] += a * f[0];
    y[1] += a * f[1];
    y[2] += y[NS_SWEEP_B] * k[2 + e] * dr[1];
  }
}

/* The same of a normal row of round bodies, in space or, with a zero behind the normal, in the
 * plane. */
static inline __attribute__((always_inline)) double normal_velocity(const ns_sweep *s,
                                                                    const ns_visit *x)
{
  const double *n = s->K + x->from, *y = s->y + NS_SWEEP_STRIDE * (size_t)x->body[0];
  double d[3] = {y[0], y[1], y[2]};
  if (x->body[1] >= 0) {
    const double *z = s->y + NS_SWEEP_STRIDE * (size_t)x->body[1];
    d[0] -= z[0];
    d[1] -= z[1];
    d[2] -= z[2];
  }
  return s->q[x->at] + (n[0] * d[0] + n[1] * d[1] + n[2] * d[2]);
}

static inline __attribute__((always_inline)) void normal_push(const ns_sweep *s, const ns_visit *x,
                                                              double dr)
{
  const double *n = s->K + x->from;
  for (int e = 0; e < 2 && x->body[e] >= 0; e++) {
    double *y = s->y + NS_SWEEP_STRIDE * (size_t)x->body[e],
           a = e ? -y[NS_SWEEP_A] * dr : y[NS_SWEEP_A] * dr;
    y[0] += a * n[0];
    y[1] += a * n[1];
    y[2] += a * n[2];
  }
}

static inline void velocity_of(const ns_sweep *s, const ns_visit *x, double *u)
{
  if (x->kind == NS_VISIT_BALL) ball_velocity(s, x, u);
  else if (x->kind == NS_VISIT_DISK) disk_velocity(s, x, u);
  else if (x->kind == NS_VISIT_NORMAL) u[0] = normal_velocity(s, x);
  else if (s->dof == 6 && x->d == 3) velocity(6, 3, s, x, u);
  else if (s->dof == 6) velocity(6, x->d, s, x, u);
  else if (x->d == 2) velocity(3, 2, s, x, u);
  else velocity(s->dof, x->d, s, x, u);
}

static inline void push_of(const ns_sweep *s, const ns_visit *x, const double *dr)
{
  if (x->kind == NS_VISIT_BALL) ball_push(s, x, dr);
  else if (x->kind == NS_VISIT_DISK) disk_push(s, x, dr);
  else if (x->kind == NS_VISIT_NORMAL) normal_push(s, x, dr[0]);
  else if (s->dof == 6 && x->d == 3) push(6, 3, s, x, dr);
  else if (s->dof == 6) push(6, x->d, s, x, dr);
  else if (x->d == 2) push(3, 2, s, x, dr);
  else push(s->dof, x->d, s, x, dr);
}

/* Of d impulses some are other than zero: a recovery of overlaps begins with none. */
static int any(int d, const double *r)
{
  int some = 0;
  for (int i = 0; i < d; i++) some |= r[i] != 0;
  return some;
}

/* Visits of packs, by `one`, which is s but for the entries of one of them in K and L. */
static void push_packs(const ns_sweep *s, const ns_sweep *one, const ns_visit *x)
{
  const double *r = s->r + x->at;
  for (int i = 0; i < NS_PACK_LANES * x->packs; i++, r += x->d) {
    if (!any(x->d, r)) continue;
    ns_visit of = ns_sweep_pack_visit(s, x, x->pack - 1 + i / NS_PACK_LANES, i % NS_PACK_LANES,
                                      one->K);
    push_of(one, &of, r);
  }
}

void ns_sweep_push(ns_sweep *s, int from, int to)
{
  double entries[NS_POINT_ENTRIES];
  ns_sweep one = *s;
  one.K = one.L = entries;
  for (int k = from; k < to; k++) {
    const ns_visit *x = &s->visit[k];
    if (x->pack) push_packs(s, &one, x);
    else if (any(x->d, s->r + x->at)) push_of(s, x, s->r + x->at);
  }
}

/* ---- one block ------------------------------------------------------------------------------- */

static void solve_friction(int d, const ns_contact_solver *by, const ns_contact *k, const double *u,
                           double *r)
{
  double q[3] = {0};
  for (int i = 0; i < d; i++) {
    q[i] = u[i];
    for (int j = 0; j < d; j++) q[i] -= k->W[i + j * d] * r[j];
  }
  if (by) {
    ns_contact_solve_by(by, d, k, q, r);
    return;
  }
  if (!ns_contact_cases_plane(k, q, r)) ns_contact_solve_plane(k, q, r);
}

/* own: rho_n, rho_t; tn: W_TN. */
static inline void solve_point(const double *own, double mu, const double *tn, const double *u,
                               double *r)
{
  double n = r[0] - u[0] * own[0], dn = (n > 0 ? n : 0) - r[0];
  const double then[3] = {u[0], u[1] + tn[0] * dn, u[2] + tn[1] * dn};
  ns_multibody_solve_round(own, mu, then, r);
}

static void solve_rolling(int d, const double *D, const ns_rolling *k, const double *u, double *r)
{
  double q[NS_ROLLING_ROWS];
  for (int i = 0; i < d; i++) {
    q[i] = u[i];
    for (int j = 0; j < d; j++) q[i] -= D[i + j * d] * r[j];
  }
  ns_rolling_solve(k, q, r);
}

static inline double between(double x, double lb, double ub)
{
  return x < lb ? lb : x > ub ? ub : x;
}

/* x within the bounds of row i. */
static inline double bounded(const ns_sweep *s, int i, double x)
{
  return between(x, *ns_sweep_lower(s, i), *ns_sweep_upper(s, i));
}

/* Rows with bounds: all of them at once where that keeps to the bounds, else one by one until they
 * rest. */
static void solve_box(int d, const double *local, const double *lb, const double *ub, double *u,
                      double *r)
{
  enum { ROUNDS = 40 };
  const double *D = local, *inverse = local + d * d;
  double x[6];
  int inside = 1;
  for (int i = 0; i < d; i++) {
    x[i] = r[i];
    for (int j = 0; j < d; j++) x[i] -= inverse[i + j * d] * u[j];
    inside &= x[i] >= lb[i] && x[i] <= ub[i];
  }
  if (inside) {
    memcpy(r, x, (size_t)d * sizeof *r);
    return;
  }
  for (int round = 0, moved = 1; round < ROUNDS && moved; round++) {
    moved = 0;
    for (int i = 0; i < d; i++) {
      if (!(D[i + i * d] > 0)) continue;
      double next = between(r[i] - u[i] / D[i + i * d], lb[i], ub[i]), step = next - r[i];
      r[i] = next;
      moved |= fabs(step) > 1e-14 * fabs(next);
      for (int j = 0; j < d; j++) u[j] += D[j + i * d] * step;
    }
  }
}

/* W is diag(n, t). */
static inline void solve_disk(const ns_visit *x, const double *u, double *r)
{
  double n = r[0] - u[0] * x->own[0], max;
  r[0] = n > 0 ? n : 0;
  max = x->mu * r[0];
  r[1] = between(r[1] - u[1] * x->own[1], -max, max);
}

static inline void solve(const ns_sweep *s, const ns_visit *x, double *u, double *r)
{
  const double *local = s->local + x->local;
  switch ((ns_visit_kind)x->kind) {
  case NS_VISIT_NONE: break;
  case NS_VISIT_BALL:
  case NS_VISIT_ROUND: ns_multibody_solve_round(x->own, x->mu, u, r); break;
  case NS_VISIT_DISK: solve_disk(x, u, r); break;
  case NS_VISIT_POINT: break; /* visit_point */
  case NS_VISIT_FRICTION: solve_friction(x->d, s->contact, (const void *)local, u, r); break;
  case NS_VISIT_ROLLING:
    solve_rolling(x->d, local, (const void *)(local + x->d * x->d), u, r);
    break;
  case NS_VISIT_NORMAL:
  case NS_VISIT_ROW: r[0] = bounded(s, x->at, r[0] - u[0] * x->own[0]); break;
  case NS_VISIT_BOX:
    solve_box(x->d, local, ns_sweep_lower(s, x->at), ns_sweep_upper(s, x->at), u, r);
    break;
  }
}

/* One row of a visit of balls: r drawn on, and what it was before. */
static inline double draw(double beta, double *r, double *old, double *was)
{
  *was = *r;
  double drawn = *was + beta * (*was - *old);
  *old = *was;
  return drawn;
}

/* A visit of balls. Most of the time of dense scenes is spent here: it is written out, so that its
 * numbers stay in registers, and adds to the sums once, as visits that follow each other wait for
 * nothing else. */
static inline __attribute__((always_inline)) ns_sweep_steps visit_balls(const ns_sweep *s,
                                                                        const ns_visit *x,
                                                                        double beta, double *past)
{
  double u[3], was[3], drawn[3], now[3], *r = s->r + x->at, *old = past + x->at;
  ball_velocity(s, x, u);
  drawn[0] = now[0] = draw(beta, r, old, was);
  drawn[1] = now[1] = draw(beta, r + 1, old + 1, was + 1);
  drawn[2] = now[2] = draw(beta, r + 2, old + 2, was + 2);
  ns_multibody_solve_round(x->own, x->mu, u, now);
  r[0] = now[0];
  r[1] = now[1];
  r[2] = now[2];
  double dr[3] = {now[0] - drawn[0], now[1] - drawn[1], now[2] - drawn[2]};
  ball_push(s, x, dr);
  return (ns_sweep_steps){
      .away = -(dr[0] * (now[0] - was[0]) + dr[1] * (now[1] - was[1]) + dr[2] * (now[2] - was[2])),
      .moved = dr[0] * dr[0] + dr[1] * dr[1] + dr[2] * dr[2]};
}

/* Likewise one of a point. */
static inline __attribute__((always_inline)) ns_sweep_steps visit_point(const ns_sweep *s,
                                                                        const ns_visit *x,
                                                                        double beta, double *past)
{
  double u[3], was[3], drawn[3], now[3], dr[3], *r = s->r + x->at, *old = past + x->at;
  ns_sweep_steps one = {0};
  velocity(6, 3, s, x, u);
  for (int i = 0; i < 3; i++) drawn[i] = now[i] = draw(beta, r + i, old + i, was + i);
  solve_point(x->own, x->mu, s->local + x->local, u, now);
  for (int i = 0; i < 3; i++) {
    r[i] = now[i];
    dr[i] = now[i] - drawn[i];
    one.away -= dr[i] * (now[i] - was[i]);
    one.moved += dr[i] * dr[i];
  }
  push(6, 3, s, x, dr);
  return one;
}

/* Likewise one of disks. */
static inline __attribute__((always_inline)) ns_sweep_steps visit_disks(const ns_sweep *s,
                                                                        const ns_visit *x,
                                                                        double beta, double *past)
{
  double u[2], was[2], drawn[2], now[2], *r = s->r + x->at, *old = past + x->at;
  disk_velocity(s, x, u);
  drawn[0] = now[0] = draw(beta, r, old, was);
  drawn[1] = now[1] = draw(beta, r + 1, old + 1, was + 1);
  solve_disk(x, u, now);
  r[0] = now[0];
  r[1] = now[1];
  double dr[2] = {now[0] - drawn[0], now[1] - drawn[1]};
  disk_push(s, x, dr);
  return (ns_sweep_steps){.away = -(dr[0] * (now[0] - was[0]) + dr[1] * (now[1] - was[1])),
                          .moved = dr[0] * dr[0] + dr[1] * dr[1]};
}

/* Likewise a normal row. */
static inline __attribute__((always_inline)) ns_sweep_steps visit_normal(const ns_sweep *s,
                                                                         const ns_visit *x,
                                                                         double beta, double *past)
{
  int i = x->at;
  double was, u = normal_velocity(s, x), drawn = draw(beta, s->r + i, past + i, &was),
              now = bounded(s, i, drawn - u * x->own[0]), dr = now - drawn;
  s->r[i] = now;
  normal_push(s, x, dr);
  return (ns_sweep_steps){.away = -dr * (now - was), .moved = dr * dr};
}

/* Of a kind that is written out: 1, and its steps. */
static inline __attribute__((always_inline)) int visit_usual(const ns_sweep *s, const ns_visit *x,
                                                             double beta, double *past,
                                                             ns_sweep_steps *one)
{
  if (x->kind == NS_VISIT_BALL) *one = visit_balls(s, x, beta, past);
  else if (x->kind == NS_VISIT_POINT) *one = visit_point(s, x, beta, past);
  else if (x->kind == NS_VISIT_DISK) *one = visit_disks(s, x, beta, past);
  else if (x->kind == NS_VISIT_NORMAL) *one = visit_normal(s, x, beta, past);
  else return 0;
  return 1;
}

ns_sweep_steps ns_sweep_visit(ns_sweep *s, int from, int to, double beta, double *past)
{
  ns_sweep_steps sum = {0};
  for (const ns_visit *x = s->visit + from, *end = s->visit + to; x < end; x++) {
    ns_sweep_steps one;
    if (x->pack) {
      ns_sweep_visit_packs(s, x->kind, x->pack - 1, x->pack - 1 + x->packs, beta, past, &sum);
      continue;
    }
    if (visit_usual(s, x, beta, past, &one)) {
      sum.away += one.away;
      sum.moved += one.moved;
      continue;
    }
    double u[6], was[6], drawn[6], dr[6], *r = s->r + x->at, *old = past + x->at;
    int d = x->d;
    velocity_of(s, x, u);
    for (int i = 0; i < d; i++) {
      was[i] = r[i];
      drawn[i] = r[i] += beta * (r[i] - old[i]);
      old[i] = was[i];
    }
    solve(s, x, u, r);
    for (int i = 0; i < d; i++) {
      dr[i] = r[i] - drawn[i];
      sum.away -= dr[i] * (r[i] - was[i]);
      sum.moved += dr[i] * dr[i];
    }
    push_of(s, x, dr);
  }
  return sum;
}

/* ---- measure --------------------------------------------------------------------------------- */

static double defect(const ns_sweep *s, const ns_visit *x, const double *u, const double *r,
                     ns_sweep_sums *sum)
{
  ns_law law = {.kind = x->law, .d = x->d, .mu = x->mu, .mu_rolling = x->own[1]};
  if (x->law == NS_BLOCK_BOX) law.lb = ns_sweep_lower(s, x->at), law.ub = ns_sweep_upper(s, x->at);
  sum->own = ns_law_max_error(&law, s->q + x->at, u, r, sum->own);
  return ns_law_add_defect(&law, 0, u, r);
}

static inline __attribute__((always_inline)) void add_sums(const ns_sweep *s, const ns_visit *x,
                                                           int d, double map, const double *u,
                                                           ns_sweep_sums *sum)
{
  const double *r = s->r + x->at, *q = s->q + x->at;
  sum->map += map;
  sum->u += ns_dot((size_t)d, u, u);
  sum->r += ns_dot((size_t)d, r, r);
  sum->q += ns_dot((size_t)d, q, q);
}

/* Written out for what most scenes have, as their visits are. */
void ns_sweep_measure(const ns_sweep *s, int from, int to, ns_sweep_sums *sum)
{
  for (const ns_visit *x = s->visit + from, *end = s->visit + to; x < end; x++) {
    double u[6], *r = s->r + x->at;
    if (x->pack) {
      ns_sweep_measure_packs(s, x->kind, x->pack - 1, x->pack - 1 + x->packs, sum);
    } else if (x->kind == NS_VISIT_DISK) {
      disk_velocity(s, x, u);
      add_sums(s, x, 2, ns_contact_defect(2, x->mu, u, r), u, sum);
    } else if (x->kind == NS_VISIT_BALL) {
      ball_velocity(s, x, u);
      add_sums(s, x, 3, ns_contact_defect(3, x->mu, u, r), u, sum);
    } else if (x->kind == NS_VISIT_POINT) {
      velocity(6, 3, s, x, u);
      add_sums(s, x, 3, ns_contact_defect(3, x->mu, u, r), u, sum);
    } else if (x->kind == NS_VISIT_NORMAL) {
      double n = normal_velocity(s, x);
      add_sums(s, x, 1, defect(s, x, &n, r, sum), &n, sum);
    } else {
      velocity_of(s, x, u);
      add_sums(s, x, x->d, defect(s, x, u, r, sum), u, sum);
    }
  }
}
