/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/rigid_contacts_parts.h"

#include <math.h>
#include <string.h>

/* Gaps up to that part of the smallest shape are closed: corners of a box that stands have gaps
 * of rounding, and all of them carry it. */
static const double CLOSED = 1e-8;
/* A contact that rolled in the last step takes part in this one up to that gap, in parts of the
 * smallest shape: its gap drifts by O(h^3) a step to either side, and one that is left out for a
 * step falls and is caught, which costs energy. The law lets it go. */
static const double LASTING = 1e-3;

/* ---- where bodies are ------------------------------------------------------------------------ */

static pose pose_in_space(const double *q)
{
  pose p = {.x = {q[0], q[1], q[2]}};
  ns_quaternion_matrix(q + 3, p.R);
  return p;
}

static void place_some(void *data, int from, int to)
{
  const task *k = data;
  ns_rigid_contacts *o = k->o;
  size_t n = o->planar ? 3 : 7;
  for (int i = from; i < to; i++) {
    const double *q = coordinates_of(o, i, k->q);
    double *at = o->posed + n * (size_t)i;
    if (memcmp(at, q, n * sizeof *q) == 0) continue;
    int turned = !o->planar || memcmp(at + 2, q + 2, sizeof *q) != 0;
    memcpy(at, q, n * sizeof *q);
    if (!o->planar) o->pose[1 + i] = pose_in_space(q);
    else if (turned) { /* recovery of overlaps moves disks, but does not turn them */
      o->heading[2 * i] = cos(q[2]);
      o->heading[2 * i + 1] = sin(q[2]);
    }
  }
}

/* All bodies are at q; half of the time they are already. */
static void place_shapes(ns_rigid_contacts *o, const double *q)
{
  ns_team_each(o->team, o->m->nsystems, MANY, place_some, &(task){.o = o, .q = q});
}

/* Of a body, -1: the world; in the plane it is written to *made. */
static inline const pose *pose_of(const ns_rigid_contacts *o, int body, pose *made)
{
  if (!o->planar) return &o->pose[1 + body];
  *made = (pose){.R = {[0] = 1, [4] = 1, [8] = 1}};
  if (body < 0) return made;
  const double *at = o->posed + 3 * (size_t)body, *turn = o->heading + 2 * (size_t)body;
  made->x[0] = at[0];
  made->x[1] = at[1];
  made->R[0] = made->R[4] = turn[0];
  made->R[1] = turn[1];
  made->R[3] = -turn[1];
  return made;
}

static void carry(const pose *p, const double *point, double *arm)
{
  double d[3];
  ns_sub3(point, p->x, d);
  ns_mul3t(p->R, d, arm);
}

/* Velocity in the world of the point of a body that moves with `at`. */
static void velocity_by(const ns_rigid_contacts *o, int body, const double *at, const double *point,
                        double *out)
{
  pose made;
  const pose *p = pose_of(o, body, &made);
  double d[3], w[3], turn[3];
  out[2] = 0;
  ns_sub3(point, p->x, d);
  if (o->planar) {
    out[0] = at[0] - at[2] * d[1];
    out[1] = at[1] + at[2] * d[0];
    return;
  }
  ns_mul3(p->R, at + 3, w);
  ns_cross3(w, d, turn);
  ns_axpy3(at, 1, turn, out);
}

static void velocity(const ns_rigid_contacts *o, int body, const double *v, const double *point,
                     double *out)
{
  out[0] = out[1] = out[2] = 0;
  if (body >= 0) velocity_by(o, body, velocities_of(o, body, v), point, out);
}

/* ---- the list -------------------------------------------------------------------------------- */

/* Gaps that may close within the forecast, and enough of those that rest; no more than half of
 * the smallest shape. */
static double margin_of(const ns_rigid_contacts *o, const double *v, double h)
{
  const ns_contact_model *k = &o->m->contact;
  const ns_moreau_jean_options *mj = &o->m->sim.mj;
  if (!isnan(k->margin)) return k->margin;
  double fastest = 0;
  for (int i = 0; i < o->m->nsystems; i++) {
    const double *u = velocities_of(o, i, v);
    double speed = o->planar ? sqrt(u[0] * u[0] + u[1] * u[1]) : ns_norm3(u),
           spin = o->planar ? fabs(u[2]) : ns_norm3(u + 3);
    if (spin > 0 && isfinite(o->reach[i])) speed += spin * o->reach[i];
    fastest = speed > fastest ? speed : fastest;
  }
  double min = isfinite(o->min) ? o->min : 1,
         wanted = fmax(mj->threshold, 0) + 2 * mj->gamma * h * fastest;
  return fmax(fmin(wanted, min / 2), min / 1000);
}

/* Radius of the skin about the core of the shape that body e of a contact carries: the core of a
 * sphere is its centre. */
static double skin_of(const ns_rigid_contacts *o, const ns_rigid_touch *t, int e)
{
  return o->skin[e == t->flipped ? t->a : t->b];
}

/* A touch of the scene as a contact. */
static void describe(const ns_rigid_contacts *o, const ns_scene_contact *k, const double *v,
                     ns_rigid_touch *t)
{
  int first = o->m->contact.shape[k->a].system, second = o->m->contact.shape[k->b].system;
  *t = (ns_rigid_touch){
      .a = k->a, .b = k->b, .body = {first, second}, .gap = k->touch.gap, .flipped = first < 0};
  if (t->flipped) t->body[0] = second, t->body[1] = -1;
  const double *p[2] = {t->flipped ? k->touch.p2 : k->touch.p1,
                        t->flipped ? k->touch.p1 : k->touch.p2};
  meeting m = meeting_of(o, t);
  double u[2][3];
  for (int i = 0; i < 2; i++) {
    double core[3], arm[3];
    pose made;
    ns_axpy3(p[i], i ? -skin_of(o, t, i) : skin_of(o, t, i), m.normal, core);
    carry(pose_of(o, t->body[i], &made), core, arm);
    memcpy(arm_of(o, t, i), arm, (size_t)o->axes * sizeof *arm);
    velocity(o, t->body[i], v, m.point, u[i]);
  }
  ns_sub3(u[0], u[1], u[0]);
  t->speed = t->forecast = ns_dot3(m.normal, u[0]);
}

static void describe_some(void *data, int from, int to)
{
  const task *k = data;
  for (int i = from; i < to; i++) describe(k->o, &k->list[i], k->v, &k->o->touch[i]);
}

/* Numbers of the list before, `each` a contact, go where their contacts are in the new one, those
 * of new contacts are zero. Both lists have one order: what moves down goes first, from below,
 * then what moves up, from above, and nothing is overwritten that is still to go. */
static void move_numbers(const ns_scene_contact *list, int n, size_t each, double *x)
{
  size_t bytes = each * sizeof *x;
  for (int i = 0; i < n; i++)
    if (list[i].was > i) memcpy(x + each * (size_t)i, x + each * (size_t)list[i].was, bytes);
  for (int i = n - 1; i >= 0; i--)
    if (list[i].was >= 0 && list[i].was < i)
      memcpy(x + each * (size_t)i, x + each * (size_t)list[i].was, bytes);
  for (int i = 0; i < n; i++)
    if (list[i].was < 0) memset(x + each * (size_t)i, 0, bytes);
}

/* Shapes whose life holds in the step that ends at t1, with their bodies. */
static int let_live(ns_rigid_contacts *o, ns_ctx *c, double t1, double h)
{
  const ns_contact_model *k = &o->m->contact;
  int rc = NS_OK;
  for (int i = 0; i < k->nshapes && k->mortal && !rc; i++) {
    int there = ns_model_shape_exists(o->m, i, ns_life_step_end(t1, h));
    rc = ns_scene_set_away(o->scene, c, i, !there);
  }
  return rc;
}

/* Bodies numbered along a curve through their centres; scratch [2 nsystems]. */
static void number_along(ns_rigid_contacts *o, const double *q, ns_keyed *scratch)
{
  size_t n = (size_t)o->m->nsystems, axes = o->planar ? 2 : 3, stride = o->planar ? 3 : 7;
  ns_keys_of_points(n, (int)axes, coordinates_of(o, 0, q), stride, scratch);
  ns_keys_sort(n, scratch, scratch + n);
  for (size_t i = 0; i < n; i++) o->along[scratch[i].index] = (int)i;
}

const int *ns_rigid_contacts_along(const ns_rigid_contacts *o) { return o->along; }

int ns_rigid_contacts_find(ns_rigid_contacts *o, ns_ctx *c, const double *q, const double *v,
                           double t, double h, double *deepest)
{
  int n, rc = let_live(o, c, t + h, h);
  if (!rc) rc = ns_scene_update(o->scene, c, q, margin_of(o, v, h));
  if (rc) return rc;
  const ns_scene_contact *list = ns_scene_contacts(o->scene, &n);
  /* arms are found anew below: until then they have room for two keys of each body */
  _Static_assert(2 * sizeof(ns_keyed) <= 2 * 2 * sizeof *o->arm, "arms of a contact in the plane");
  if ((rc = ns_rigid_contacts_capacity(o, c, o->along && n < o->m->nsystems ? o->m->nsystems : n)))
    return rc;
  move_numbers(list, n, (size_t)o->carried, o->guess);
  if (o->memory) move_numbers(list, n, (size_t)o->memory, o->kept);
  if (o->told) ns_rigid_contacts_move_modes(o, list, n);
  o->list = list;
  o->n = n;
  place_shapes(o, q);
  if (o->along) number_along(o, q, (void *)o->arm);
  ns_team_each(o->team, n, MANY, describe_some, &(task){.o = o, .v = v, .list = list});
  *deepest = 0;
  for (int i = 0; i < n; i++)
    if (-list[i].touch.gap > *deepest) *deepest = -list[i].touch.gap;
  return NS_OK;
}

double ns_rigid_contacts_smallest(const ns_rigid_contacts *o) { return o->min; }

int ns_rigid_contacts_bounces(const ns_rigid_contacts *o, const ns_rigid_touch *t)
{
  return law_now(o, t)->e > 0;
}

int ns_rigid_contacts_keeps_overlap(const ns_rigid_contacts *o, const ns_rigid_touch *t)
{
  return law_of(o, t)->of.ops->compliant || (is_alone(o, t) && ns_rigid_contacts_bounces(o, t));
}

double ns_rigid_contacts_gap_before(const ns_rigid_contacts *o, const ns_rigid_touch *t)
{
  return o->list[t - o->touch].touch.gap;
}

ns_rigid_touch *ns_rigid_contacts_list(const ns_rigid_contacts *o, int *n)
{
  *n = o->n;
  return o->touch;
}

static void measure_some(void *data, int from, int to)
{
  const ns_rigid_contacts *o = ((const task *)data)->o;
  for (int i = from; i < to; i++) {
    ns_rigid_touch *t = &o->touch[i];
    double p[2][3], arm[3] = {0};
    pose made;
    for (int k = 0; k < 2; k++) {
      memcpy(arm, arm_of(o, t, k), (size_t)o->axes * sizeof *arm);
      carried(pose_of(o, t->body[k], &made), arm, p[k]);
    }
    ns_sub3(p[0], p[1], p[0]);
    t->gap = ns_dot3(meeting_of(o, t).normal, p[0]) - skin_of(o, t, 0) - skin_of(o, t, 1);
  }
}

void ns_rigid_contacts_gap_row(const ns_rigid_contacts *o, const ns_rigid_touch *t, double *H)
{
  size_t dof = o->planar ? 3 : 6;
  meeting m = meeting_of(o, t);
  memset(H, 0, 2 * dof * sizeof *H);
  for (int k = 0; k < 2 && t->body[k] >= 0; k++, H += dof) {
    double n[3], turn[3], sign = k ? -1 : 1;
    const double *arm = arm_of(o, t, k), *N = m.normal;
    for (size_t i = 0; i < (o->planar ? 2 : 3); i++) H[i] = sign * N[i];
    if (o->planar) {
      const double *at = o->heading + 2 * (size_t)t->body[k];
      H[2] = sign *
             (arm[0] * (at[0] * N[1] - at[1] * N[0]) - arm[1] * (at[0] * N[0] + at[1] * N[1]));
      continue;
    }
    ns_mul3t(o->pose[1 + t->body[k]].R, N, n);
    ns_cross3(arm, n, turn);
    for (size_t i = 0; i < 3; i++) H[3 + i] = sign * turn[i];
  }
}

void ns_rigid_contacts_gaps(ns_rigid_contacts *o, const double *q)
{
  place_shapes(o, q);
  ns_team_each(o->team, o->n, MANY, measure_some, &(task){.o = o});
}

/* ---- which of it takes part ------------------------------------------------------------------ */

static void forecast_some(void *data, int from, int to)
{
  const task *k = data;
  for (int i = from; i < to; i++) {
    ns_rigid_touch *t = &k->o->touch[i];
    meeting at = meeting_of(k->o, t);
    t->forecast = t->speed;
    for (int e = 0; e < 2 && t->body[e] >= 0; e++) {
      double change[6], u[3];
      const double *was = velocities_of(k->o, t->body[e], k->v),
                   *is = velocities_of(k->o, t->body[e], k->loose);
      for (int j = 0; j < (k->o->planar ? 3 : 6); j++) change[j] = is[j] - was[j];
      velocity_by(k->o, t->body[e], change, at.point, u);
      t->forecast -= ns_norm3(u);
    }
  }
}

void ns_rigid_contacts_forecast(ns_rigid_contacts *o, const double *q, const double *v,
                                const double *loose)
{
  place_shapes(o, q);
  ns_team_each(o->team, o->n, MANY, forecast_some, &(task){.o = o, .v = v, .loose = loose});
}

static void count_touches(ns_rigid_contacts *o)
{
  memset(o->touches, 0, (size_t)o->m->nsystems * sizeof *o->touches);
  for (int i = 0; i < o->n; i++)
    for (int e = 0; e < 2; e++)
      if (o->touch[i].body[e] >= 0) o->touches[o->touch[i].body[e]]++;
}

/* Gaps up to that are closed. */
static double closed_gap(const ns_rigid_contacts *o, double closed)
{
  double by_rounding = isfinite(o->min) ? CLOSED * o->min : 0;
  return fmax(o->m->sim.mj.threshold + closed, by_rounding);
}

/* A contact that turns and does not bounce. */
static int may_last(const ns_rigid_contacts *o, const ns_rigid_touch *t, const double *v, double h)
{
  static const double BOUNCE = 1e-3; /* of what forces add to the approach */
  int bounces = t->speed > BOUNCE * (t->speed - t->forecast);
  return may_roll(o, t) && !bounces && ns_rigid_contacts_turns(o, t, v, h);
}

/* A contact alone takes part by the rule of the rows of interactions, y + gamma h ydot <=
 * threshold, so that one ball has one motion however it is modelled. Where bodies have several
 * contacts their forces are foreseen: those that carry each other would open by turns. */
void ns_rigid_contacts_activate(ns_rigid_contacts *o, const double *v, double h, double closed,
                                double held)
{
  const ns_moreau_jean_options *mj = &o->m->sim.mj;
  double closed_at = closed_gap(o, closed);
  count_touches(o);
  for (int i = 0; i < o->n; i++) {
    ns_rigid_touch *t = &o->touch[i];
    double speed = is_alone(o, t) ? t->speed : t->forecast;
    double predicted_gap = t->gap + mj->gamma * h * speed;
    int closes = predicted_gap <= closed_at && t->speed <= mj->velocity_threshold;
    double guess;
    ns_rigid_contacts_guess(o, t, 1, &guess);
    int was_loaded = guess > 0;
    if (law_of(o, t)->of.ops->compliant) { /* the law itself finds that it does not reach */
      t->active = t->gap + h * fmin(t->forecast, 0) <= 0;
      continue;
    }
    int bonded = o->memory && ns_rigid_contacts_tension(o, t) > 0;
    t->active = closes || bonded || (was_loaded && t->gap <= held);
    if (t->active || !was_loaded || t->gap > LASTING * o->min) continue;
    t->active = may_last(o, t, v, h) != 0;
  }
}
