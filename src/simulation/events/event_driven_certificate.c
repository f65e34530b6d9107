/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the certificate of an event-driven run (event_certificate.h) asks of mechanics.
 *
 *   laws    open: y >= 0;  closed: y = 0, lambda_n >= 0;  stick: |lambda_t| <= mu lambda_n;  slip:
 *           along the velocity; relay: lambda within its bounds, at one of them against the
 *           velocity
 *   energy  what came and went is what there is
 *   events  v+ - v- = M^-1 H^T P;  P_n >= 0;  |P_t| <= mu P_n;  ydot+ >= 0 where there is an
 *           impulse;  a contact that is struck alone rebounds with e, or not at all where the
 *           rebound is slower than restSpeed;  no energy from MultipleImpactNSL
 *
 * Each by what tolerances allow: gaps and velocities what errors of that size in the state make of
 * them, forces a part of the terms that they are the difference of. */
#include "algebra/vector.h"
#include "simulation/events/event_driven_modes.h"

#include "model/model.h"
#include "model/relations/output.h"
#include "model/systems/mechanics.h"

#include <math.h>
#include <string.h>

static const double GROWN = 1e3;        /* errors of the state, by its tolerances */
static const double OF_FORCES = 1e-5;   /* of the terms of a force */
static const double OF_IMPULSES = 1e-7; /* of the largest one, and of velocities that they change */
/* of what impulses of a march exchange: its increments are finite */
static const double ENERGY = 1e-3;

static const double FIXED = 1e-6;
static const double BALANCE = 1e-4; /* of the largest energy */
/* by relativeTolerance: of it, and of the terms of a force */
static const double OF_TOLERANCE = 1e4;

/* Sliding is about to jam: forces are some times those without friction. */
static int is_steep(void *self)
{
  static const double STEEP = 0.1;
  event_driven *o = self;
  int steep = 0;
  ns_ed_find_leans(o);
  for (int u = 0; u < o->s.k->nunits; u++) steep |= o->friction.lean[u] < STEEP;
  return steep;
}

/* ---- memory ---------------------------------------------------------------------------------- */

int ns_ed_certificate_create(event_driven *o, ns_ctx *c)
{
  size_t rows = o->s.m->nrows, nv = o->s.m->nv;
  ns_ed_certified *k = &o->certified;
  ns_certified what = {.judged = o->s.m->nq + nv + (size_t)(o->overlaps.n * o->overlaps.width),
                       .laws = ns_ed_laws,
                       .is_steep = o->friction.wanted ? is_steep : NULL,
                       .passed = ns_ed_passed};
  k->gap = ns_arena_zero(o->run.mem, 3 * rows + 3 * nv + 1, sizeof *k->gap);
  if (!k->gap) return ns_nomem(c, "certificate");
  k->speed = k->gap + rows;
  k->kept = k->speed + rows;
  k->change = k->kept + rows;
  k->accelerations = k->change + nv;
  k->lever = k->accelerations + nv;
  return ns_event_run_certified(&o->run, c, what);
}

/* ---- laws ------------------------------------------------------------------------------------ */

/* A row at which laws are looked at, and the worst so far. */
typedef struct look {
  const event_driven *o;
  const double *gap, *speed, *force;
  /* what tolerances allow of gaps, velocities and forces of the event before */
  double near, slow, weak;
  ns_breach *worst;
} look;

static void note(const look *l, int r, double value, double allowed, const char *what,
                 const char *unit)
{
  double by = value / allowed;
  if (by > l->worst->by)
    *l->worst = (ns_breach){.by = by, .row = r, .value = value, .what = what, .unit = unit};
}

/* Forces within this of a bound are there: of the terms at the last event, and of the forces now.
 */
/* Relative; of flows whose steps have a length and no tolerance what they are good for. */
static double tolerance(const event_driven *o)
{
  return ns_flow_is_fixed(o->run.ops, o->opt) ? FIXED : o->opt->rtol;
}

static double part_of_forces(const event_driven *o)
{
  return OF_FORCES + OF_TOLERANCE * tolerance(o);
}

static double faint(const look *l, int r)
{
  return fmax(l->weak, part_of_forces(l->o) / NS_ED_NOTHING * l->o->slack[r]);
}

/* The gap and the normal force of a contact. */
static void look_at_gap(const look *l, int u)
{
  const event_driven *o = l->o;
  int r = o->s.k->unit[u].first;
  if (o->mode[u] == NS_ED_FREE) {
    double instant = ns_ed_gap_instant(o, l->speed[r]);
    note(l, r, -l->gap[r], l->near + instant, "systems overlap by", "m");
    return;
  }
  note(l, r, fabs(l->gap[r]), l->near, "a closed contact is off its surface by", "m");
  note(l, r, -l->force[r], faint(l, r), "a closed contact pulls with", "N");
}

/* Friction of a closed contact along its plane, or its rolling friction. */
static void look_at_friction(const look *l, int disc)
{
  const event_driven *o = l->o;
  int n = o->s.k->unit[ns_ed_unit_of(o, disc)].first, t = ns_ed_disc_first(o, disc);
  int plane = ns_ed_disc_end(o, disc) - t == 1, rolling = ns_ed_unit_of(o, disc) != disc;
  double held = fabs(ns_ed_along(o, disc, l->force)), max = ns_ed_mu(o, disc) * l->force[n];
  if (o->mode[disc] == NS_ED_STICK) {
    note(l, t, held - max, faint(l, n),
         rolling ? "rolling friction of a contact at rest is beyond its cone by"
                 : "friction of a contact that sticks is beyond its cone by",
         rolling ? "N m" : "N");
    note(l, t, fabs(ns_ed_along(o, disc, l->speed)), l->slow,
         rolling ? "a contact that does not roll turns at"
                 : "a contact that sticks moves along its plane at",
         rolling ? "rad/s" : "m/s");
  } else if (o->mode[disc] == NS_ED_SLIP && plane)
    note(l, t, -o->friction.toward[t] * l->speed[t], l->slow,
         rolling ? "rolling friction accelerates a contact, at"
                 : "friction accelerates a sliding contact, at",
         rolling ? "rad/s" : "m/s");
}

static void look_at_relay(const look *l, int u)
{
  const event_driven *o = l->o;
  int r = o->s.k->unit[u].first, rows = o->s.k->unit[u].rows;
  if (o->mode[u] == NS_ED_SLIP) {
    double along = 0;
    for (int i = r; i < r + rows; i++) along -= l->force[i] * l->speed[i];
    double max = ns_ed_along(o, u, l->force);
    if (rows > 1) along = max > 0 ? along / max : 0;
    else along = o->friction.toward[r] * l->speed[r];
    note(l, r, -along, l->slow, "a relay accelerates the motion that it should oppose, at", "m/s");
    return;
  }
  double over = rows > 1 ? ns_ed_along(o, u, l->force) - o->s.k->ub[r]
                         : fmax(l->force[r] - o->s.k->ub[r], o->s.k->lb[r] - l->force[r]);
  note(l, r, over, faint(l, r), "the force of a relay is beyond its bounds by", "N");
}

static void look_at(const look *l, int u)
{
  const event_driven *o = l->o;
  int first = o->s.k->unit[u].first, last = first + o->s.k->unit[u].rows - 1;
  if (ns_ed_is_unilateral(o, first)) look_at_gap(l, u);
  if (!ns_ed_is_tangential(o, last) || o->mode[u] == NS_ED_FREE) return;
  for (int d = u; d >= 0 && ns_ed_is_friction(o, u); d = ns_ed_next_disc(o, d))
    look_at_friction(l, d);
  if (!ns_ed_is_friction(o, u)) look_at_relay(l, u);
}

/* What is at (q, v), known to within `error`: l->gap, speed and force. */
static void look_at_all(look *l, const double *q, const double *v, double error)
{
  const event_driven *o = l->o;
  const ns_event_driven_options *e = o->opt;
  size_t nv = o->s.m->nv, rows = o->s.m->nrows;
  l->near = 10 * e->gap_tol + GROWN * (e->atol + tolerance(o) * ns_max_abs(o->s.m->nq, q)) + error;
  l->slow = 10 * e->speed_tol + GROWN * (e->atol + tolerance(o) * ns_max_abs(nv, v)) + error;
  l->weak = part_of_forces(o) * ns_max_abs(rows, l->force) + e->atol;
  for (int u = 0; u < o->s.k->nunits; u++) look_at(l, u);
}

void ns_ed_passed(void *self, const double *x)
{
  event_driven *o = self;
  ns_joint_angles(o->s.m, ns_ed_positions(o, x), o->s.relation, o->s.x->angle);
}

int ns_ed_laws(void *self, double t, const double *x, double error, ns_breach *worst)
{
  event_driven *o = self;
  ns_ed_certified *k = &o->certified;
  const double *v = x + o->s.m->nq;
  int rc = ns_ed_gaps(o, t, x, NULL, k->gap, k->speed);
  if (rc) return rc;
  if (o->friction.wanted) ns_ed_share_loads(o);
  for (int r = 0; r < o->s.k->nrows; r++) k->kept[r] = ns_ed_force(o, r);
  look l = {.o = o, .gap = k->gap, .speed = k->speed, .force = k->kept, .worst = worst};
  look_at_all(&l, ns_ed_positions(o, x), v, error);
  return NS_OK;
}

/* Works that the flow integrates without a tolerance of their own, so that steps do not depend on
 * them. */
static int is_work_rough(const event_driven *o)
{
  return (o->work_at >= 0 || o->drive_at >= 0) && !o->friction.wanted;
}

/* J: what absolute tolerances leave of the balance
 *
 *   T + V - W,   d(T + V - W) = p . dv + dV/dq . dq - sum dW,   p = M v
 *
 * where the unknowns v and W of the flow are wrong by dv and dW, GROWN tolerances of each. A work
 * is a sum of what steps give, each with an error of its own: beside energies that are small yet
 * it is known to no more than that. */
static double left_by_tolerances(event_driven *o)
{
  const int work[] = {o->work_at, o->drive_at, o->friction_at, o->spring_at};
  const double *atol = o->run.atol;
  size_t nv = o->s.m->nv;
  double *p = o->certified.change, sum = 0;
  memset(p, 0, nv * sizeof *p);
  ns_matrices_multiply(o->s.matrices, 1, o->s.x->v, p);
  for (size_t i = 0; i < nv; i++) sum += fabs(p[i]) * atol[o->s.m->nq + i];
  for (size_t i = 0; i < sizeof work / sizeof *work; i++)
    if (work[i] >= 0 && atol[work[i]] < NS_FLOW_FREE) sum += atol[work[i]];
  return GROWN * sum;
}

/* What came and went against what there is, where both are known to tolerance: positions are, and a
 * force that moves by as little as that does a work that nobody can account for, however small the
 * energies are (a heavy body at rest). What relative tolerances and the rounding of the sums leave
 * are parts of the largest energy, far below BALANCE. Flows whose steps have a length may lose
 * energy; and where masses depend on the state by formulas it is kept by the gyroscopic forces that
 * belong to them alone, which are the model's to give. */
static void look_at_balance(event_driven *o, ns_breach *worst)
{
  const ns_certificate *k = o->s.x->cert;
  double now = fabs(k->kinetic) + fabs(k->potential) + fabs(k->work_force) + fabs(k->work_contact) +
               fabs(k->work_friction) + fabs(k->work_driven);
  double *max = &o->certified.energy;
  *max = fmax(*max, fmax(now, fabs(k->energy0)));
  if (ns_flow_is_fixed(o->run.ops, o->opt) || ns_matrices_given(o->s.matrices) || is_work_rough(o))
    return;
  look l = {.o = o, .worst = worst};
  double near = GROWN * (o->opt->atol + o->opt->rtol * ns_max_abs(o->s.m->nq, o->s.x->q));
  double known = (BALANCE + OF_TOLERANCE * o->opt->rtol) * *max + left_by_tolerances(o) +
                 near * ns_max_abs(o->s.m->nrows, o->s.x->lambda);
  note(&l, -1, fabs(k->defect), known, "energy defect:", "J");
}

int ns_ed_certify_row(event_driven *o)
{
  const ns_state *x = o->s.x;
  ns_breach b = {0};
  if (!o->run.certificate || o->hybrid.active) return NS_OK;
  look_at_balance(o, &b);
  for (int r = 0; r < o->s.k->nrows; r++) o->certified.kept[r] = x->lambda[r] + ns_ed_tension(o, r);
  look l = {.o = o, .gap = x->y, .speed = x->ydot, .force = o->certified.kept, .worst = &b};
  look_at_all(&l, x->q, x->v, 0);
  b.row = ns_event_run_row(&o->run, b.row);
  return ns_event_certificate_laws(o->run.certificate, o->run.c, *x->t, &b);
}

/* ---- motion ---------------------------------------------------------------------------------- */

int ns_ed_certify(event_driven *o, int event)
{
  if (!o->run.certificate || o->hybrid.active) return NS_OK;
  size_t bytes = o->s.m->nv * sizeof *o->a;
  memcpy(o->certified.accelerations, o->a, bytes);
  int rc = ns_event_run_certify(&o->run, event);
  memcpy(o->a, o->certified.accelerations, bytes);
  return rc;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* The largest lever of each rotation in the rows that were struck: their speeds are known to a
 * tolerance in m/s, and rotations to that by the lever. */
static void find_levers(event_driven *o)
{
  const ns_model *m = o->s.m;
  const ns_rows *H = &o->s.k->H;
  double *lever = o->certified.lever;
  memset(lever, 0, m->nv * sizeof *lever);
  for (int r = 0; r < o->s.k->nrows; r++)
    for (int e = H->ptr[r]; e < H->ptr[r + 1] && o->s.x->impulse[r] != 0; e++)
      lever[H->dof[e]] = fmax(lever[H->dof[e]], fabs(H->val[e]));
  for (int k = 0; k < m->nsystems; k++) {
    const ns_system *s = &m->systems[k];
    for (int i = 0; i < s->n; i++) {
      double *l = &lever[s->v + (size_t)i];
      if (i < ns_system_translations(s) || *l == 0) *l = 1;
    }
  }
}

/* Velocities change as impulses say: the coordinate where that is least true. */
static void look_at_change(event_driven *o, ns_breach *worst)
{
  const ns_state *x = o->s.x;
  size_t nv = o->s.m->nv;
  double *d = o->certified.change, size = 0;
  const double *was = ns_event_run_before(&o->run, x->v), *lever = o->certified.lever;
  memset(d, 0, nv * sizeof *d);
  for (int r = 0; r < o->s.k->nrows; r++)
    if (x->impulse[r] != 0) ns_rows_add(&o->s.k->H, r, x->impulse[r], d);
  ns_matrices_solve(o->s.matrices, d);
  if (o->prescribed.jumped) ns_axpy(nv, 1, o->prescribed.jump, d);
  find_levers(o);
  for (size_t i = 0; i < nv; i++) size = fmax(size, fmax(fabs(d[i]), fabs(was[i])));
  int r = 0;
  while (r + 1 < o->s.k->nrows && x->impulse[r] == 0) r++;
  look l = {.o = o, .worst = worst};
  for (size_t i = 0; i < nv; i++)
    note(&l, r, fabs(d[i] - (x->v[i] - was[i])),
         GROWN * o->opt->speed_tol / lever[i] + OF_IMPULSES * size,
         "impulses do not explain velocities, by", lever[i] == 1 ? "m/s" : "rad/s");
}

/* Rebound of a contact that is struck alone. */
static void look_at_rebound(const look *l, int r)
{
  const event_driven *o = l->o;
  double was = o->speed_before[r], e = ns_ed_struck_e(o, r);
  if (o->s.m->interactions[o->s.k->interaction[r]].law.ops->march || was >= -o->opt->speed_tol)
    return;
  int rebounds = o->removed[r] == 0 &&
                 !ns_ed_was_closed(o, r); /* removed: it would be slower than restSpeed */
  double due = rebounds ? -e * was : 0;
  note(l, r, fabs(l->speed[r] - due), l->slow, "a rebound is not that of its law, by", "m/s");
}

/* Impulses of a contact; 1 where it has some. */
static int look_at_impulse(const look *l, int u)
{
  const event_driven *o = l->o;
  int r = o->s.k->unit[u].first;
  const double *P = l->force;
  if (!ns_ed_is_unilateral(o, r) || P[r] == 0) return 0;
  note(l, r, -P[r], l->weak, "an impulse pulls with", "N s");
  note(l, r, -l->speed[r], l->slow, "after its impulse a contact approaches at", "m/s");
  for (int d = u; d >= 0 && ns_ed_is_friction(o, u); d = ns_ed_next_disc(o, d))
    if (!o->friction.jammed[u])
      note(l, r, fabs(ns_ed_along(o, d, P)) - ns_ed_struck_mu(o, d) * P[r], l->weak,
           "an impulse is beyond its cone by", "N s");
  return 1;
}

/* MultipleImpactNSL takes energy. */
static void look_at_energy(const look *l)
{
  const event_driven *o = l->o;
  double given = 0, size = 0;
  int last = 0;
  for (int r = 0; r < o->s.k->nrows; r++) {
    double P = l->force[r], was = o->speed_before[r], is = l->speed[r];
    given += P * (was + is) / 2;
    size += fabs(P) * (fabs(was) + fabs(is)) / 2;
    if (P != 0) last = r;
  }
  note(l, last, given, ENERGY * size + o->opt->atol, "impacts have added energy:", "J");
}

int ns_ed_certify_event(event_driven *o)
{
  const ns_state *x = o->s.x;
  ns_breach b = {0};
  size_t rows = o->s.m->nrows;
  double max = ns_max_abs(rows, x->impulse),
         fastest = fmax(ns_max_abs(rows, o->speed_before), ns_max_abs(rows, x->ydot));
  if (!o->run.certificate || max == 0 || o->hybrid.settling || o->hybrid.active) return NS_OK;
  look l = {.o = o,
            .speed = x->ydot,
            .force = x->impulse,
            .worst = &b,
            .weak = OF_IMPULSES * max,
            .slow = 100 * o->opt->speed_tol + OF_IMPULSES * fastest};
  int struck = 0, alone = -1;
  for (int u = 0; u < o->s.k->nunits; u++)
    if (look_at_impulse(&l, u)) struck++, alone = u;
  int others = 0;
  for (size_t r = 0; r < rows; r++) others += x->impulse[r] != 0 && o->s.k->unit_of[r] != alone;
  if (struck == 1 && !others) look_at_rebound(&l, o->s.k->unit[alone].first);
  if (o->marching.wanted) look_at_energy(&l);
  look_at_change(o, &b);
  b.row = ns_event_run_row(&o->run, b.row);
  return ns_event_certificate_event(o->run.certificate, o->run.c, *x->t, &b);
}
