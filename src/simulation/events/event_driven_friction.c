/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contacts with friction and relays between events. What sticks is all equalities. What slides has
 * the force -mu lambda_n s along its plane, with s = ydot_t/|ydot_t|: in the plane a sign, in space
 *
 *   s = (ydot_t + tau s0)/|ydot_t + tau s0|,   s0 = s at the last event, tau far below
 *       velocityTolerance,
 *
 * which is s0 where sliding begins from rest, and smooth. Where the integrator tries a step beyond
 * rest, before the root there is found, s is that of the mirror image of the slip, on the side of
 * the last step: what stops along a line goes on as it came, and the step is one of a smooth
 * motion. Yet s is stiff, for velocities across s0 decay at the rate mu lambda_n/|ydot_t|, and for
 * long where the velocity grows with the square of the time. So tau is SLOW/2 velocityTolerance
 * until what begins to slide is as fast as SLOW velocityTolerance, and again from where it is as
 * slow as ENDING velocityTolerance: both are events that change nothing else. Contacts with rolling
 * friction keep s0 there. Directions turn from the start, for where a body slides by several
 * contacts, fixed ones would be those of no motion of a body a little later, and hold some of them
 * back. Where forces are not unique, event_driven_friction_loads.c says when sticking ends. Events,
 * all of them falling roots:
 *
 *   stick   mu lambda_n - |lambda_t|; in the plane both of mu lambda_n -+ lambda_t; where forces
 *           are not unique also the velocity
 *   slip    s0 . ydot_t, to just below zero: where sliding begins from rest it is zero; where s0
 *           is stale alone the event changes nothing else
 *   lean    of what slides and is held together: D with friction by D without; where its
 *           determinant is zero no forces fit, or any do (event_driven_friction_jam.c)
 *   relay   the way to both bounds; at a bound the velocity. Of a freewheel one of them is
 *           infinite: what moves towards it is stopped by an impulse (ns_ed_is_against)
 *
 * A relay whose rows are one vector, as the friction of a ball joint, is a contact in space whose
 * normal force is known: its friction is at most its bound ub, -ub s where it slides.
 *
 * Rolling friction is the same for the relative angular velocity and its moment, beside that of the
 * slip: the moment is mu_r lambda_n at most, -mu_r lambda_n s where the contact rolls. */
#include "algebra/vector.h"
#include "simulation/events/event_driven_modes.h"

#include "base/grow.h"
#include "problems/mechanical.h"
#include "simulation/record/events.h"

#include <string.h>

/* by ns_ed_slow: slower than that backwards is not seen */
static const double TOUCH = 5e-4;
static const double KEPT = 2;   /* the same of what follows from rows that hold it for now */
static const double SLOW = 100; /* the same of a speed in space up to which the direction stands, */
static const double ENDING = 25; /* and of one below which it stands again */

/* ---- units ----------------------------------------------------------------------------------- */

static int first_of(const event_driven *o, int disc) { return ns_ed_disc_first(o, disc); }
static int end_of(const event_driven *o, int disc) { return ns_ed_disc_end(o, disc); }
/* It slips in a direction, not with a sign. */
static int in_space(const event_driven *o, int disc)
{
  return end_of(o, disc) - first_of(o, disc) > 1;
}

double ns_ed_length(int n, const double *x)
{
  double length = fabs(x[0]);
  for (int i = 1; i < n; i++) length = hypot(length, x[i]);
  return length;
}

double ns_ed_along(const event_driven *o, int disc, const double *x)
{
  int t = first_of(o, disc);
  return in_space(o, disc) ? ns_ed_length(end_of(o, disc) - t, x + t) : x[t];
}

void ns_ed_friction_aim(event_driven *o, int disc, const double *s, double sign)
{
  int t = first_of(o, disc), n = end_of(o, disc) - t;
  double length = ns_ed_length(n, s);
  for (int i = 0; i < n; i++)
    o->friction.toward[t + i] = length > 0 ? sign * s[i] / length : i == 0;
}

void ns_ed_friction_guess(event_driven *o, int u)
{
  const double *ydot = o->s.x->ydot;
  for (int d = u; d >= 0; d = ns_ed_next_disc(o, d)) {
    int t = first_of(o, d);
    int moves = fabs(ns_ed_along(o, d, ydot)) > ns_ed_slow(o, d) &&
                !(ns_ed_is_relay(o, u) && ns_ed_is_against(o, t, ydot[t]));
    ns_ed_friction_aim(o, d, ydot + t, 1);
    if (ns_ed_is_friction(o, u) && !(ns_ed_mu(o, d) > 0)) ns_ed_set(o, d, NS_ED_CLOSED);
    else ns_ed_set(o, d, moves ? NS_ED_SLIP : NS_ED_STICK);
  }
}

/* ---- directions and forces ------------------------------------------------------------------- */

/* 1: its direction of friction turns with the velocity. */
static int turns(const event_driven *o, int disc)
{
  int fixed = o->friction.frozen[disc] &&
              (ns_ed_rolls(o, ns_ed_unit_of(o, disc)) || ns_ed_looks_for_sizes(o));
  return o->mode[disc] == NS_ED_SLIP && in_space(o, disc) && !fixed;
}

/* w += tau s0 of a disc that slides in space; its length. */
static double bias(const event_driven *o, int disc, double *w)
{
  int t = first_of(o, disc), n = end_of(o, disc) - t;
  double tau = (o->friction.frozen[disc] ? SLOW / 2 : 2 * TOUCH) * ns_ed_slow(o, disc);
  ns_axpy((size_t)n, tau, o->friction.toward + t, w);
  return ns_ed_length(n, w);
}

/* w := ydot_t + tau s0 of such a disc at v; its length. */
static double slip(const event_driven *o, int disc, const double *v, double w[NS_BALL_ROWS])
{
  const ns_contacts *k = o->s.k;
  int t = first_of(o, disc), n = end_of(o, disc) - t;
  for (int i = 0; i < n; i++) w[i] = ns_rows_dot(&k->H, t + i, v) + k->shift[t + i];
  return bias(o, disc, w);
}

/* s . x in the rows of a disc. */
static double part_along(const event_driven *o, int disc, const double *s, const double *x)
{
  int t = first_of(o, disc), n = end_of(o, disc) - t;
  return ns_dot((size_t)n, s + t, x);
}

/* What is tried beyond the last step and whose w leads back from there: x -= 2 s s . x, with s of
 * that step. */
static void mirror(const event_driven *o, int disc, const double *w, double *x)
{
  const double *s = o->friction.last;
  int t = first_of(o, disc), n = end_of(o, disc) - t;
  if (!o->friction.tries || part_along(o, disc, s, w) >= 0) return;
  double twice = 2 * part_along(o, disc, s, x);
  ns_axpy((size_t)n, -twice, s + t, x);
}

/* x := -size s in the rows of a disc that slides at v; x [nrows]. */
static void against(const event_driven *o, int disc, const double *v, double size, double *x)
{
  const double *toward = o->friction.toward;
  int t = first_of(o, disc), n = end_of(o, disc) - t;
  double w[NS_BALL_ROWS] = {0};
  double length = turns(o, disc) ? slip(o, disc, o->friction.aimed_at ? o->friction.aimed_at : v, w)
                                 : 0;
  if (length > 0) mirror(o, disc, w, w);
  for (int i = 0; i < n; i++) x[t + i] = -size * (length > 0 ? w[i] / length : toward[t + i]);
}

void ns_ed_friction_forget(event_driven *o)
{
  size_t rows = (size_t)o->s.k->nrows;
  memcpy(o->friction.last, o->friction.toward, rows * sizeof *o->friction.last);
  o->friction.stepped_t = *o->s.x->t;
}

void ns_ed_friction_stepped(event_driven *o, double t)
{
  const ns_contacts *k = o->s.k;
  ns_ed_leans_stepped(o, t);
  o->friction.stepped_t = t;
  for (int i = 0; i < k->na; i++)
    for (int d = k->active_unit[i]; d >= 0; d = ns_ed_next_disc(o, d)) {
      int first = first_of(o, d), n = end_of(o, d) - first;
      if (!turns(o, d)) continue;
      double *s = o->friction.last + first;
      memcpy(s, o->speed + first, (size_t)n * sizeof *s);
      double length = bias(o, d, s);
      if (length > 0) ns_divide((size_t)n, length, s);
    }
}

void ns_ed_friction_freeze(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  for (int u = 0; u < k->nunits; u++)
    for (int d = u; d >= 0; d = ns_ed_next_disc(o, d))
      o->friction.frozen[d] = ns_ed_is_tangential(o, end_of(o, d) - 1) && in_space(o, d) &&
                              fabs(ns_ed_along(o, d, o->speed)) < SLOW / 2 * ns_ed_slow(o, d);
}

/* Its rows follow from what holds, and for more than an instant: at a dead point, where it has no
 * velocity because of its direction alone, it is accelerated. */
static int is_kept(event_driven *o, int disc)
{
  const ns_state *x = o->s.x;
  if (o->mode[disc] != NS_ED_SLIP || ns_ed_along(o, disc, o->speed) > ns_ed_slow(o, disc)) return 0;
  int all = 1;
  for (int r = first_of(o, disc); r < end_of(o, disc) && all; r++)
    all = ns_acceleration_follows(&o->hold, o->s.k, &o->equal, r, o->rhs);
  return all && ns_ed_motion(o, *x->t, x->q, x->v, o->rate) == NS_OK && ns_ed_is_held(o, disc);
}

void ns_ed_friction_keep(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  memset(o->friction.kept, 0, 2 * (size_t)k->nunits);
  for (int a = 0; a < k->na; a++) {
    int u = k->active_unit[a];
    if (!ns_ed_is_friction(o, u) && !ns_ed_is_relay(o, u)) continue;
    for (int d = u; d >= 0; d = ns_ed_next_disc(o, d))
      o->friction.kept[d] = (unsigned char)is_kept(o, d);
  }
}

void ns_ed_friction_slopes(event_driven *o, const double *v)
{
  const ns_contacts *k = o->s.k;
  o->equal.slope = NULL;
  o->friction.turning = 0;
  for (int a = 0; a < k->na; a++) {
    int u = k->active_unit[a];
    for (int d = u; d >= 0 && ns_ed_is_friction(o, u); d = ns_ed_next_disc(o, d)) {
      if (o->mode[d] != NS_ED_SLIP) continue;
      against(o, d, v, ns_ed_mu(o, d), o->slope);
      o->equal.slope = o->slope;
      o->friction.turning += turns(o, d) || o->laws.wanted;
    }
  }
}

double ns_ed_friction_bound(const event_driven *o, int r)
{
  const ns_contacts *k = o->s.k;
  if (in_space(o, k->unit_of[r])) return -k->ub[r] * o->friction.toward[r];
  return o->friction.toward[r] > 0 ? k->lb[r] : k->ub[r];
}

void ns_ed_friction_push(event_driven *o, const double *v, const ns_rows *R)
{
  const ns_contacts *k = o->s.k;
  for (int a = 0; a < k->na; a++) {
    int u = k->active_unit[a], first = k->unit[u].first;
    if (!ns_ed_is_relay(o, u) || o->mode[u] != NS_ED_SLIP) continue;
    if (in_space(o, u)) against(o, u, v, k->ub[first], o->force);
    else o->force[first] = ns_ed_friction_bound(o, first);
    for (int r = first; r < end_of(o, u); r++) ns_rows_add(R, r, o->force[r], o->a);
  }
}

void ns_ed_friction_slide(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  for (int a = 0; a < k->na; a++) {
    int u = k->active_unit[a];
    for (int d = u; d >= 0 && ns_ed_is_friction(o, u); d = ns_ed_next_disc(o, d))
      for (int t = first_of(o, d); t < end_of(o, d) && o->mode[d] != NS_ED_STICK; t++)
        o->force[t] = o->slope[t] * o->force[k->unit[u].first];
  }
}

double ns_ed_friction_power(const event_driven *o, const double *v)
{
  const ns_contacts *k = o->s.k;
  double w = 0;
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    if (ns_ed_is_tangential(o, r)) w += o->force[r] * (ns_rows_dot(&k->H, r, v) + k->shift[r]);
  }
  return w;
}

double ns_ed_friction_size(const event_driven *o)
{
  /* of the forces that a row is the sum of, which its slack is NS_ED_NOTHING of */
  static const double PART = 0.02;
  double s = 0;
  for (int i = 0; i < o->equal.n; i++) {
    int r = o->row[i];
    double unit = o->slack[r] > 0 ? PART * o->slack[r] / NS_ED_NOTHING : 1,
           force = o->force[r] / unit;
    s += force * force;
  }
  return asinh(s);
}

/* ---- derivatives ----------------------------------------------------------------------------- */

/* a += the accelerations by what the force -F s of a disc changes by if w changes by dw: with s =
 * w/|w|,
 *
 *   d(-F s) = -F/|w| (dw - s (s . dw)) */
static void turn_disc(const event_driven *o, int disc, const double *v, double *dw, double *a)
{
  const ns_contacts *k = o->s.k;
  double w[NS_BALL_ROWS], length = slip(o, disc, v, w), along = 0;
  int t = first_of(o, disc), n = end_of(o, disc) - t,
      normal = k->unit[ns_ed_unit_of(o, disc)].first;
  double force = ns_ed_is_friction(o, ns_ed_unit_of(o, disc)) ? ns_ed_mu(o, disc) * o->force[normal]
                                                              : k->ub[normal];
  if (!(length > 0)) return;
  mirror(o, disc, w, dw);
  mirror(o, disc, w, w);
  for (int i = 0; i < n; i++) along += w[i] / length * dw[i];
  for (int i = 0; i < n; i++)
    ns_rows_add(&k->G, t + i, -force / length * (dw[i] - along * w[i] / length), a);
}

/* dw := what v_dof changes w of a disc by; 1: it does. */
static int slip_by(const event_driven *o, int disc, int dof, double *dw)
{
  const ns_rows *H = &o->s.k->H;
  int t = first_of(o, disc), some = 0;
  for (int r = t; r < end_of(o, disc); r++) {
    dw[r - t] = 0;
    for (int e = H->ptr[r]; e < H->ptr[r + 1]; e++)
      if (H->dof[e] == dof) dw[r - t] = H->val[e];
    some |= dw[r - t] != 0;
  }
  return some;
}

void ns_ed_friction_turn(const event_driven *o, const double *v, int dof, double *a)
{
  const ns_contacts *k = o->s.k;
  double dw[NS_BALL_ROWS];
  for (int i = 0; i < k->na; i++)
    for (int d = k->active_unit[i]; d >= 0; d = ns_ed_next_disc(o, d))
      if (turns(o, d) && slip_by(o, d, dof, dw)) turn_disc(o, d, v, dw, a);
}

int ns_ed_friction_is_stiff(const event_driven *o)
{
  const ns_contacts *k = o->s.k;
  double w[NS_BALL_ROWS];
  for (int i = 0; i < k->na; i++)
    for (int d = k->active_unit[i]; d >= 0; d = ns_ed_next_disc(o, d))
      if (turns(o, d) && !o->friction.kept[d] &&
          slip(o, d, o->s.x->v, w) < 2 * SLOW * ns_ed_slow(o, d))
        return 1;
  return 0;
}

int ns_ed_friction_turned(const event_driven *o, const double *v0, const double *v)
{
  static const double MUCH = 0.25; /* of |w|, which the derivative of s is inverse to */
  const ns_contacts *k = o->s.k;
  for (int i = 0; i < k->na; i++)
    for (int d = k->active_unit[i]; d >= 0; d = ns_ed_next_disc(o, d)) {
      double w0[NS_BALL_ROWS], w[NS_BALL_ROWS];
      if (!turns(o, d)) continue;
      double min = fmin(slip(o, d, v0, w0), slip(o, d, v, w));
      int n = end_of(o, d) - first_of(o, d);
      ns_axpy((size_t)n, -1, w0, w);
      if (ns_ed_length(n, w) > MUCH * min) return 1;
    }
  return 0;
}

/* ---- roots ----------------------------------------------------------------------------------- */

/* What is left to a disc of what it shares loads with. */
static double left(const event_driven *o, int disc)
{
  const ns_loads *l = &o->friction.loads;
  return ns_ed_mu(o, disc) * l->sigma[disc] * (1 - l->kappa[disc]);
}

/* The force of what sticks does not say that it is moved where it follows from what holds, as from
 * joints that are driven: then its velocity does, where that is KEPT velocityTolerance. Up to half
 * of this the root is that of the force. */
static void moved_root(const event_driven *o, int disc, double *g)
{
  int t = first_of(o, disc);
  double speed = fabs(ns_ed_along(o, disc, o->speed)) / (KEPT * o->friction.slow[disc]);
  if (o->hold.rank < o->equal.n && g[t] > 0) g[t] *= fmin(1, 2 * (1 - speed));
}

void ns_ed_friction_release(event_driven *o)
{
  for (int u = 0; u < o->s.k->nunits; u++)
    for (int d = u; d >= 0; d = ns_ed_next_disc(o, d)) {
      int t = first_of(o, d);
      if (o->mode[d] != NS_ED_STICK || !o->opening[t]) continue;
      if (fabs(ns_ed_along(o, d, o->speed)) <= ns_ed_slow(o, d)) continue;
      ns_ed_friction_aim(o, d, o->speed + t, 1);
      ns_ed_set(o, d, NS_ED_SLIP);
    }
}

static void stick_roots(const event_driven *o, int disc, double *g, double *more)
{
  int n = o->s.k->unit[ns_ed_unit_of(o, disc)].first, t = first_of(o, disc);
  double mu = ns_ed_mu(o, disc), max = mu * (o->force[n] + o->slack[n]),
         along = ns_ed_along(o, disc, o->force);
  int shared = o->friction.loads.shared[disc];
  g[t] = shared ? left(o, disc) : max - along;
  if (!in_space(o, disc)) more[t] = shared ? g[t] : max + along;
  moved_root(o, disc, g);
}

/* Of a disc in the plane and in space; g and more are 1 where there is none. */
static void slip_roots(const event_driven *o, int disc, double *g, double *more)
{
  int t = first_of(o, disc);
  double slow = ns_ed_slow(o, disc);
  if (o->friction.kept[disc]) {
    g[t] = KEPT * slow + part_along(o, disc, o->friction.toward, o->speed + t);
    return;
  }
  g[t] = TOUCH * slow + part_along(o, disc, o->friction.toward, o->speed + t);
  if (o->friction.frozen[disc]) more[t] = SLOW * slow - ns_ed_along(o, disc, o->speed);
  else if (in_space(o, disc)) more[t] = ns_ed_along(o, disc, o->speed) - ENDING * slow;
}

static void relay_roots(const event_driven *o, int u, double *g, double *more)
{
  const ns_contacts *k = o->s.k;
  int r = k->unit[u].first;
  if (o->mode[u] != NS_ED_STICK) {
    slip_roots(o, u, g, more);
    return;
  }
  if (isfinite(k->ub[r])) g[r] = k->ub[r] - ns_ed_along(o, u, o->force);
  if (!in_space(o, u) && isfinite(k->lb[r])) more[r] = o->force[r] - k->lb[r];
  moved_root(o, u, g);
}

static void friction_roots(const event_driven *o, int u, double *g, double *more)
{
  int slips = 0;
  for (int d = u; d >= 0; d = ns_ed_next_disc(o, d)) {
    if (o->mode[d] == NS_ED_STICK) stick_roots(o, d, g, more);
    if (o->mode[d] != NS_ED_SLIP) continue;
    slip_roots(o, d, g, more);
    slips = 1;
  }
  if (slips) more[o->s.k->unit[u].first] = o->friction.lean[u] - o->friction.upright[u];
}

void ns_ed_friction_skip_wedged(const event_driven *o, double *g)
{
  for (int d = 0; d < 2 * o->s.k->nunits && o->friction.loads.some; d++)
    if (o->friction.loads.shared[d] == NS_LOADS_WEDGED)
      g[o->s.k->unit[ns_ed_unit_of(o, d)].first] = 1;
}

static void unit_roots(const event_driven *o, int u, double *g, double *more)
{
  const ns_contacts *k = o->s.k;
  int relay = ns_ed_is_relay(o, u), last = k->unit[u].first + k->unit[u].rows;
  if (!relay && !ns_ed_is_friction(o, u)) return;
  for (int r = first_of(o, u); r < last; r++) g[r] = more[r] = 1;
  (relay ? relay_roots : friction_roots)(o, u, g, more);
}

void ns_ed_friction_roots(event_driven *o, double *g)
{
  const ns_contacts *k = o->s.k;
  double *more = g + k->nrows;
  ns_ed_find_leans(o);
  for (int a = 0; a < o->life.nthere; a++) {
    const ns_interaction *it = &o->s.m->interactions[o->life.there[a]];
    int end = (int)it->row + it->m;
    for (int u = k->unit_of[it->row]; u < k->nunits && k->unit[u].first < end; u++)
      unit_roots(o, u, g, more);
  }
}

/* A relay at rest at a bound, as where both bounds are 0 and so is what acts on it: it leaves that
 * where the force is beyond by what an event leaves undecided; one that begins to move, where it
 * moves backwards by what counts as none. */
static void relay_begins(event_driven *o, int u, const double *g)
{
  int r = o->s.k->unit[u].first, n = o->s.k->nrows;
  double min = fmax(o->slack[r], NS_ED_ABOVE_ZERO);
  if (o->mode[u] != NS_ED_STICK) min = TOUCH * ns_ed_slow(o, u);
  o->below[r] = ns_ed_lead(g[r], 0, min);
  o->below[n + r] = ns_ed_lead(g[n + r], 0, min);
}

/* A disc at its bound, by what the event leaves undecided. */
static void disc_begins(event_driven *o, int disc, const double *g)
{
  int t = first_of(o, disc), n = o->s.k->nrows, sticks = o->mode[disc] == NS_ED_STICK;
  double near = 0, min = TOUCH * ns_ed_slow(o, disc);
  if (sticks) min = ns_ed_mu(o, disc) * o->slack[o->s.k->unit[ns_ed_unit_of(o, disc)].first];
  if (sticks && o->friction.loads.shared[disc])
    min = near = NS_LOADS_NEAR * ns_ed_mu(o, disc) * o->friction.loads.sigma[disc];
  min = fmax(min, NS_ED_ABOVE_ZERO); /* nothing acts there yet */
  o->below[t] = ns_ed_lead(g[t], near, min);
  if (sticks && !in_space(o, disc)) o->below[n + t] = ns_ed_lead(g[n + t], near, min);
}

int ns_ed_friction_begin(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  double *g = o->inspection.trial;
  int rc = ns_ed_rate(o, *o->s.x->t, o->run.unknown, o->rate);
  if (rc) return rc < 0 ? rc : NS_OK;
  ns_ed_share_loads(o);
  ns_ed_leans_begin(o);
  ns_ed_friction_roots(o, g);
  for (int u = 0; u < k->nunits; u++) {
    if (ns_ed_is_relay(o, u)) relay_begins(o, u, g);
    if (!ns_ed_is_friction(o, u) || o->mode[u] == NS_ED_FREE) continue;
    for (int d = u; d >= 0; d = ns_ed_next_disc(o, d)) disc_begins(o, d, g);
  }
  return NS_OK;
}

void ns_ed_friction_directions(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  for (int u = 0; u < k->nunits; u++) {
    if (!ns_ed_is_friction(o, u) && !ns_ed_is_relay(o, u)) continue;
    for (int r = k->unit[u].first; r < k->unit[u].first + k->unit[u].rows; r++)
      if (r >= first_of(o, u) || o->mode[u] != NS_ED_FREE)
        o->run.direction[r] = o->run.direction[k->nrows + r] = -1;
  }
}

/* In space the root of s0 . ydot_t is no rest but where s is frozen, and what moves on across s0
 * only turns; nor is that of what others move. */
static int comes_to_rest(const event_driven *o, int disc)
{
  if (o->friction.kept[disc]) return 0;
  if (!in_space(o, disc)) return 1;
  return o->friction.frozen[disc] &&
         (!turns(o, disc) || ns_ed_along(o, disc, o->speed) <= ns_ed_slow(o, disc));
}

static int disc_fired(event_driven *o, int disc, const int *fired, const int *more)
{
  int t = first_of(o, disc), any = fired[t] || more[t];
  if (o->mode[disc] == NS_ED_STICK) o->opening[t] = (unsigned char)any;
  else if (fired[t] && comes_to_rest(o, disc)) o->closing[t] = 1;
  return any;
}

/* Sticking has ended where loads are shared with a disc: for all discs that slide then, and for
 * contacts that lift. */
static void end_with(event_driven *o, int disc)
{
  const ns_contacts *k = o->s.k;
  ns_loads *l = &o->friction.loads;
  for (int a = 0; a < k->na; a++)
    for (int d = k->active_unit[a]; d >= 0; d = ns_ed_next_disc(o, d)) {
      if (l->ended[d] || !ns_ed_same_loads(o, d, disc)) continue;
      l->ended[d] = l->shared[d];
      if (o->mode[d] == NS_ED_STICK) o->opening[first_of(o, d)] = l->goes[d];
      if (l->lifts[d]) o->opening[k->unit[ns_ed_unit_of(o, d)].first] = 1;
    }
}

static void end_sticking(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  const ns_loads *l = &o->friction.loads;
  memset(l->ended, NS_LOADS_OWN, 2 * (size_t)k->nunits);
  for (int a = 0; a < k->na && l->some; a++)
    for (int d = k->active_unit[a]; d >= 0; d = ns_ed_next_disc(o, d))
      if (l->shared[d] && !l->ended[d] && o->mode[d] == NS_ED_STICK && o->opening[first_of(o, d)])
        end_with(o, d);
}

int ns_ed_friction_fired(event_driven *o, const int *fired)
{
  const ns_contacts *k = o->s.k;
  const int *more = fired + k->nrows;
  int some = 0;
  for (int u = 0; u < k->nunits; u++) {
    int slips = 0;
    if (o->mode[u] == NS_ED_FREE || (!ns_ed_is_friction(o, u) && !ns_ed_is_relay(o, u))) continue;
    for (int d = u; d >= 0; d = ns_ed_next_disc(o, d)) {
      some |= disc_fired(o, d, fired, more);
      slips |= o->mode[d] == NS_ED_SLIP;
    }
    some |= slips && ns_ed_is_friction(o, u) && more[k->unit[u].first];
  }
  end_sticking(o);
  return some;
}

/* ---- creation -------------------------------------------------------------------------------- */

int ns_ed_friction_turns(const event_driven *o, int u)
{
  for (int d = u; d >= 0; d = ns_ed_next_disc(o, d))
    if (in_space(o, d) && ns_ed_is_tangential(o, first_of(o, d))) return 1;
  return 0;
}

int ns_ed_friction_wanted(const event_driven *o)
{
  int some = 0;
  for (int r = 0; r < o->s.k->nrows; r++) some |= ns_ed_is_tangential(o, r);
  return some;
}

int ns_ed_friction_create(event_driven *o, ns_ctx *c)
{
  enum { FEW = 16 }; /* that slide: memory for more is taken when they do */
  size_t rows = (size_t)o->s.k->nrows, d = sizeof(double);
  size_t some = (size_t)(o->s.k->nunits < FEW ? o->s.k->nunits : FEW);
  ns_ed_friction *f = &o->friction;
  const ns_array want[] = {
      {&f->slow, 2 * rows + 1, d},   {&f->toward, rows, d},       {&f->toward_before, rows, d},
      {&f->last, rows, d},           {&f->jams, rows, 1},         {&f->jammed, rows, 1},
      {&f->frozen, 2 * rows + 1, 1}, {&f->kept, 2 * rows + 1, 1}, {&f->lean, rows, d},
      {&f->lean_before, rows, d},    {&f->upright, rows, d},      {&f->slider, rows, sizeof(int)},
      {&f->pushed, rows, d}};
  if (!f->wanted) return NS_OK;
  if (ns_arena_arrays(o->run.mem, want, sizeof want / sizeof *want) || ns_ed_loads_create(o))
    return ns_nomem(c, "friction");
  if (ns_reserve(&f->C, &f->room, 2 * some * some)) return ns_nomem(c, "friction");
  ns_ed_slow_begin(o);
  int rc = ns_acceleration_create(c, o->s.m, &f->straight);
  return rc ? rc : ns_ed_rest_create(o, c);
}
