/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/events/event_driven_modes.h"

#include "algebra/vector.h"
#include "model/systems/mechanics.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum {
  /* impacts at one event; one is enough but for laws that let contacts approach again, */
  ROUNDS = 16,
  PLASTIC = 8,        /* which is a series of its own: after so many of them nothing rebounds */
  IMPACTS_EACH = 1000 /* impacts a contact where they are taken one by one */
};

/* ---- sets ------------------------------------------------------------------------------------ */

static int was_lifted(const event_driven *o, int r)
{
  return o->set && ns_ed_is_unilateral(o, r) && o->gap[r] > NS_ED_JUMP * o->opt->gap_tol;
}

/* I_1: what holds, what has closed, what is closed already. */
static int is_closed(const event_driven *o, int r)
{
  if (ns_ed_is_compliant(o, r)) return 0;
  return (o->held[r] && !was_lifted(o, r)) || o->closing[r] || o->gap[r] <= o->opt->gap_tol;
}

void ns_ed_choose_closed(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  for (int u = 0; u < k->nunits; u++)
    o->s.chosen[u] = (unsigned char)is_closed(o, k->unit[u].first);
}

static int approaches(const event_driven *o, int r)
{
  if (ns_ed_is_unilateral(o, r)) return is_closed(o, r) && o->speed[r] < -o->opt->speed_tol;
  if (ns_ed_is_tangential(o, r)) return ns_ed_is_against(o, r, o->speed[r]);
  return ns_ed_is_joint(o, r) && fabs(o->speed[r]) > o->opt->speed_tol;
}

static int any_approaches(const event_driven *o)
{
  for (int r = 0; r < o->s.k->nrows; r++)
    if (approaches(o, r)) return 1;
  return 0;
}

static void active_speeds(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    o->speed[r] = ns_rows_dot(&k->H, r, o->s.x->v) + k->shift[r];
  }
}

/* ---- impact ---------------------------------------------------------------------------------- */

double ns_ed_diagonal(const ns_contacts *k, int r)
{
  double d = 0;
  for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++)
    for (int g = k->G.ptr[r]; g < k->G.ptr[r + 1]; g++)
      if (k->H.dof[e] == k->G.dof[g]) d += k->H.val[e] * k->G.val[g];
  return d;
}

enum { CHATTER = 300 }; /* impacts without rest; a series of e = 0.95 is at an end before */

/* After many impacts, a rebound that rises by v^2/(2 a) less than the tolerances of the flow
 * resolve: errors of the flight give it back what the impact takes, so that it would never end. */
static int is_noise(const event_driven *o, int r, double rebound)
{
  if (o->flights[r] < CHATTER || o->opt->rest_speed == 0) return 0;
  const ns_rows *H = &o->s.k->H;
  double a = ns_rows_dot(H, r, o->a) + o->bias[r],
         resolved = o->opt->rtol * ns_ed_reach(o, r) + o->opt->atol;
  return rebound * rebound < -2 * a * resolved;
}

/* restSpeed; where the model does not give one, the same part of a series of impacts that begins
 * slowly. */
static double rest_speed(const event_driven *o, int r)
{
  static const double SLOWLY = 4;
  double fastest = fmax(o->fastest[r], -o->speed[r]);
  return o->rest_by_series ? o->opt->rest_speed * fmin(1, fastest / SLOWLY) : o->opt->rest_speed;
}

/* It would rebound slower than restSpeed: so not at all. */
static int sticks(const event_driven *o, int r)
{
  double rebound = -o->s.k->restitution[r] * o->speed[r];
  return ns_ed_is_unilateral(o, r) && o->speed[r] < -o->opt->speed_tol &&
         (o->plastic || rebound < rest_speed(o, r) || is_noise(o, r, rebound));
}

int ns_ed_was_closed(const event_driven *o, int r)
{
  /* what a jump of prescribed velocities strikes has not approached: e times nothing */
  if (o->prescribed.jumped && ns_ed_is_unilateral(o, r))
    return o->speed_before[r] >= -o->opt->speed_tol;
  return o->run.switching && o->begun && ns_ed_is_unilateral(o, r) &&
         o->mode_before[ns_ed_unit(o, r)] != NS_ED_FREE;
}

/* So slow a contact that nothing of it rebounds, along its plane either; of one that never rebounds
 * by its approach. */
static int is_slow(const event_driven *o, int n)
{
  if (o->s.k->restitution[n] > 0 || o->plastic) return sticks(o, n);
  return -o->speed[n] < rest_speed(o, n);
}

/* e of a row in this impact: none, neither along the plane, for what separates already. */
static double restitution(const event_driven *o, int r)
{
  int n = ns_ed_is_friction(o, ns_ed_unit(o, r)) ? o->s.k->unit[ns_ed_unit(o, r)].first : r;
  if (o->speed[n] >= -o->opt->speed_tol || is_slow(o, n) || ns_ed_was_closed(o, n)) return 0;
  return o->s.k->restitution[r];
}

void ns_ed_strike(event_driven *o)
{
  ns_contacts *k = o->s.k;
  ns_state *x = o->s.x;
  ns_ed_before_impulses(o);
  ns_contacts_apply(k, x->v);
  ns_ed_after_impulses(o);
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    double P = k->z[i], before = o->speed[r], after = ns_rows_dot(&k->H, r, x->v) + k->shift[r],
           e = k->restitution[r];
    if (sticks(o, r)) o->removed[r] += e * e * before * before / (2 * ns_ed_diagonal(k, r));
    o->lost[r] -= P * (before + after) / 2;
    x->impulse[r] += P;
    *(ns_ed_is_tangential(o, r) ? &x->cert->work_friction
                                : &x->cert->work_contact) += P * (before + after) / 2;
    x->cert->work_driven -= P * k->shift[r];
  }
  active_speeds(o);
}

/* Onto their cones: impulses are solved for to what is little beside velocities, those along the
 * plane and spins among them, but may not be beside small impulses. */
static void keep_to_cones(event_driven *o)
{
  ns_contacts *k = o->s.k;
  for (int a = 0; a < k->na; a++) {
    int u = k->active_unit[a];
    if (!ns_ed_is_friction(o, u)) continue;
    int rows = k->unit[u].rows, rolling = ns_ed_next_disc(o, u);
    double *z = k->z + k->position[k->unit[u].first];
    if (rolling < 0) ns_mechanical_cone(rows, ns_ed_mu(o, u), z);
    else ns_mechanical_rolling_cone(rows, ns_ed_mu(o, u), ns_ed_mu(o, rolling), z);
  }
}

/* The problem of the active rows for o->rhs, of impacts or of accelerations, is homogeneous: values
 * far from 1, which the tolerance of its solver would take for 0, or would be rounding of, are
 * brought there, to the bit. */
static int solve_rows(event_driven *o)
{
  ns_contacts *k = o->s.k;
  double scale = ns_ed_scale(o->rhs, k->n);
  ns_divide((size_t)k->n, scale, o->rhs);
  int rc = ns_stepper_solve(&o->s, o->run.c, o->rhs, o->s.x->report);
  ns_scale((size_t)k->n, scale, k->z);
  ns_scale((size_t)k->n, scale, k->w);
  return rc;
}

/* Impulses on the active rows. */
static int impact(event_driven *o)
{
  ns_contacts *k = o->s.k;
  int marching = o->marching.wanted, rc = ns_ed_renew_laws(o, *o->s.x->t, o->s.x->q, o->s.x->v);
  if (rc) return rc;
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    /* contacts at rest take part, too */
    if (marching) o->rhs[i] = sticks(o, r) ? 0 : k->restitution[r];
    else o->rhs[i] = (1 + restitution(o, r)) * o->speed[r];
    k->z[i] = 0;
  }
  rc = marching ? ns_ed_march(o, o->rhs) : solve_rows(o);
  if (!marching) keep_to_cones(o);
  if (!rc) ns_ed_note_struck(o);
  if (!rc) ns_ed_strike(o);
  return rc;
}

/* The closed contact that approaches fastest, the first of equals; -1: none. */
static int fastest(const event_driven *o)
{
  int best = -1;
  for (int r = 0; r < o->s.k->nrows; r++)
    if (ns_ed_is_unilateral(o, r) && approaches(o, r) && (best < 0 || o->speed[r] < o->speed[best]))
      best = r;
  return best;
}

/* Contacts that approach without end: the closed one that is the fastest. */
static int still_approach(event_driven *o, int impacts, const char *how, const char *remedy)
{
  const ns_model *m = o->s.m;
  const ns_contacts *k = o->s.k;
  int worst = -1;
  for (int r = 0; r < k->nrows; r++) {
    int counts = ns_ed_is_unilateral(o, r) && approaches(o, r);
    if (counts && (worst < 0 || o->speed[r] < o->speed[worst])) worst = r;
  }
  const ns_place *place = worst < 0 ? &m->sim.at : &m->interactions[k->interaction[worst]].at;
  return ns_fail_at(o->run.c, NS_NUMERIC, place,
                    "at t = %.10g s contacts still approach each other after %d impacts %s, this "
                    "one the fastest (ydot = %.3g); the results so far are kept; %s",
                    *o->s.x->t, impacts, how, worst < 0 ? 0 : o->speed[worst], remedy);
}

/* The contact with the largest force. */
static const char *place_of_hardest(const event_driven *o, char *buf)
{
  const ns_contacts *k = o->s.k;
  int hardest = -1;
  for (int r = 0; r < k->nrows; r++)
    if (hardest < 0 || fabs(o->force[r]) > fabs(o->force[hardest])) hardest = r;
  const ns_place *place = hardest < 0 ? &o->s.m->sim.at
                                      : &o->s.m->interactions[k->interaction[hardest]].at;
  return ns_place_text(place, buf, NS_FLOW_PLACE);
}

/* One contact at a time, with the joints, until none approaches. */
static int one_by_one(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  ns_state *x = o->s.x;
  int rc = NS_OK, max = IMPACTS_EACH * (k->nunits + 1);
  for (int pass = 0; pass < max && !rc; pass++) {
    int r = fastest(o);
    if (r < 0 && !any_approaches(o)) return NS_OK;
    memset(o->s.chosen, 0, (size_t)k->nunits);
    if (r >= 0) o->s.chosen[k->unit_of[r]] = 1;
    rc = ns_ed_select_impulses(o, *x->t, x->q, x->v);
    if (!rc) rc = impact(o);
    if (!rc) rc = ns_ed_rows(o, *x->t, x->q, x->v, o->gap, o->speed);
  }
  return rc ? rc
            : still_approach(o, max, "one by one",
                             "try impacts=\"simultaneous\", or a larger restSpeed");
}

static int impacts(event_driven *o)
{
  ns_state *x = o->s.x;
  int rc = NS_OK;
  if (!any_approaches(o)) return NS_OK;
  if (o->opt->sequential) return one_by_one(o);
  ns_ed_choose_closed(o);
  rc = ns_ed_select_impulses(o, *x->t, x->q, x->v);
  if (!rc && o->s.k->nmoving) rc = ns_contacts_bias(o->s.k, o->run.c, x, x->q, x->v, o->bias);
  for (int round = 0; round < ROUNDS && !rc; round++) {
    o->plastic = round >= PLASTIC;
    rc = impact(o);
    o->plastic = 0;
    if (!any_approaches(o)) return rc;
  }
  return rc ? rc
            : still_approach(o, ROUNDS, "at one instant",
                             "give them the same coefficient of restitution, or a smaller one");
}

/* ---- accelerations --------------------------------------------------------------------------- */

/* I_2: closed and at rest. */
static void choose_resting(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  for (int u = 0; u < k->nunits; u++) {
    int r = k->unit[u].first;
    o->s.chosen[u] = is_closed(o, r) && fabs(o->speed[r]) <= o->opt->speed_tol;
  }
}

double ns_ed_acceleration_of(const event_driven *o, int r)
{
  return ns_rows_dot(&o->s.k->H, r, o->a) + o->bias[r];
}

double ns_ed_size_of(const event_driven *o, int r)
{
  return fabs(o->bias[r]) + ns_rows_size(&o->s.k->H, r, o->a);
}

double ns_ed_size(const event_driven *o)
{
  double max = 0;
  for (int i = 0; i < o->s.k->n; i++) max = fmax(max, ns_ed_size_of(o, o->s.k->active[i]));
  return max;
}

int ns_ed_leaves(const event_driven *o, int r, double force, double acceleration, double nothing)
{
  if (force > 10 * o->slack[r]) return 0;
  if (acceleration > nothing || o->opening[r]) return 1;
  int was_open = o->begun && o->mode_before[ns_ed_unit(o, r)] == NS_ED_FREE;
  return was_open && !o->closing[r] && o->speed_before[r] >= -o->opt->speed_tol;
}

/* Which of them stay: forces and accelerations of the problem say so, and the rest of them do not.
 */
static void keep(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  double max = ns_ed_size(o);
  for (int u = 0; u < k->nunits; u++)
    ns_ed_set(o, u, ns_ed_is_unilateral(o, k->unit[u].first) ? NS_ED_FREE : NS_ED_CLOSED);
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    double d = ns_ed_diagonal(k, r), nothing = NS_ED_NOTHING * max;
    o->slack[r] = d > 0 ? nothing / d : 0;
    if (!ns_ed_is_unilateral(o, r)) continue;
    int leaves = ns_ed_leaves(o, r, k->z[i], k->w[i], 10 * nothing);
    ns_ed_set(o, ns_ed_unit(o, r), leaves ? NS_ED_FREE : NS_ED_CLOSED);
  }
}

/* 0 <= yddot _|_ lambda >= 0 on I_2, and friction there. *jam: as ns_ed_rest. */
static int accelerations(event_driven *o, int *jam)
{
  ns_contacts *k = o->s.k;
  ns_state *x = o->s.x;
  *jam = 0;
  choose_resting(o);
  int rc = ns_ed_free(o, *x->t, x->q, x->v);
  if (!rc) rc = ns_ed_give_way(o, *x->t, x->q, x->v);
  if (!rc) rc = ns_ed_accelerate(o, *x->t, 0);
  if (!rc) rc = ns_ed_select(o, *x->t, x->q, x->v);
  if (!rc && k->n && k->nmoving) rc = ns_contacts_bias(k, o->run.c, x, x->q, x->v, o->bias);
  if (rc) return rc;
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    o->rhs[i] = ns_ed_acceleration_of(o, r);
    k->z[i] = 0;
  }
  if (o->friction.wanted) return ns_ed_rest(o, jam);
  if (k->n) rc = solve_rows(o);
  if (!rc) keep(o);
  return rc;
}

/* Some forces in all cones hold the contact of a normal row, and what it is wedged with. */
static int is_wedged(const event_driven *o, int r)
{
  return ns_ed_carries(o, ns_ed_unit(o, r)) == NS_LOADS_WEDGED;
}

/* The contact that holds with the most negative force, of those that would not be seen to open:
 * they are below zero already. -1: none. */
static int strongest_pull(const event_driven *o)
{
  int worst = -1;
  double max = 0;
  for (int i = 0; i < o->equal.n; i++) {
    int r = o->equal.row[i];
    double excess = ns_ed_is_unilateral(o, r) ? -(o->force[r] + o->slack[r] / 2) : 0;
    if (excess > max && !is_wedged(o, r)) max = excess, worst = r;
  }
  return worst;
}

/* The force of a row a part of the way from the problem of the event to the motion of the modes. */
static double on_way(const event_driven *o, int r, double part)
{
  return o->good[r] + part * (o->force[r] - o->good[r]);
}

/* Of friction at its bound, relative. */
static const double CONE = 1e-6;
static const double AT_BOUND = 1e-3; /* of the way to other forces */

/* It has friction, or is a relay. */
static int has_bound(const event_driven *o, int u)
{
  return ns_ed_is_friction(o, u) || ns_ed_is_relay(o, u);
}

/* A relay of one row: an interval, which may be infinite. */
static int is_interval(const event_driven *o, int disc)
{
  return ns_ed_is_relay(o, ns_ed_unit_of(o, disc)) &&
         ns_ed_disc_end(o, disc) - ns_ed_disc_first(o, disc) == 1;
}

static double size_of_bound(double bound) { return isfinite(bound) ? fabs(bound) : 0; }

/* Friction of a disc that sticks, or the force of a relay at rest, by its bound, less what may be;
 * > 0: beyond it. At its root that is what has come to the bound. */
static double beyond_bound(const event_driven *o, int disc, double part)
{
  const ns_contacts *k = o->s.k;
  int u = ns_ed_unit_of(o, disc), n = k->unit[u].first, t = ns_ed_disc_first(o, disc);
  double force = 0, beyond, scale;
  if (is_interval(o, disc)) {
    force = on_way(o, t, part);
    beyond = fmax(force - k->ub[t], k->lb[t] - force) - o->slack[t];
    scale = size_of_bound(k->ub[t]) + size_of_bound(k->lb[t]);
  } else {
    scale = ns_ed_is_friction(o, u) ? ns_ed_mu(o, disc) * (on_way(o, n, part) + o->slack[n])
                                    : k->ub[n];
    for (int r = t; r < ns_ed_disc_end(o, disc); r++) force = hypot(force, on_way(o, r, part));
    beyond = force - scale;
  }
  return beyond + (o->opening[t] ? CONE : -CONE) * fabs(scale);
}

/* The disc that sticks with the most force beyond its bound. -1: none. */
static int farthest_beyond_bound(const event_driven *o)
{
  const ns_contacts *k = o->s.k;
  int worst = -1;
  double max = 0;
  for (int a = 0; a < k->na; a++) {
    int u = k->active_unit[a];
    for (int d = u; d >= 0 && has_bound(o, u); d = ns_ed_next_disc(o, d)) {
      double excess = o->mode[d] == NS_ED_STICK ? beyond_bound(o, d, 1) : 0;
      if (excess > max && !ns_ed_carries(o, d)) max = excess, worst = d;
    }
  }
  return worst;
}

/* How much a disc that is to slide from rest is accelerated against where it would slide. */
static double turns_back(const event_driven *o, int disc)
{
  double against = 0;
  if (o->mode[disc] != NS_ED_SLIP || fabs(ns_ed_along(o, disc, o->speed)) > ns_ed_slow(o, disc))
    return 0;
  /* at the end of sticking that is rounding */
  if (o->friction.loads.ended[disc] && o->mode_before[disc] == NS_ED_STICK) return 0;
  for (int r = ns_ed_disc_first(o, disc); r < ns_ed_disc_end(o, disc); r++)
    against -= o->friction.toward[r] * ns_ed_acceleration_of(o, r);
  return against;
}

/* The disc that is to slide from rest but is accelerated against where it would slide: it sticks.
 * -1: none. */
static int strongest_reversal(const event_driven *o)
{
  const ns_contacts *k = o->s.k;
  double max = 0;
  int worst = -1;
  for (int a = 0; a < k->na; a++) {
    int u = k->active_unit[a], n = k->unit[u].first;
    double nothing = 10 * o->slack[n] * ns_ed_diagonal(k, n);
    for (int d = u; d >= 0 && has_bound(o, u); d = ns_ed_next_disc(o, d)) {
      double against = turns_back(o, d) - nothing;
      if (against > max) max = against, worst = d;
    }
  }
  return worst;
}

/* What would be beyond its bound is there. */
static void let_slip(event_driven *o, int disc, const double *force)
{
  const ns_contacts *k = o->s.k;
  int t = ns_ed_disc_first(o, disc);
  double upper = force[t] - k->ub[t] > k->lb[t] - force[t] ? 1 : -1;
  ns_ed_friction_aim(o, disc, is_interval(o, disc) ? &upper : force + t, -1);
  ns_ed_set(o, disc, NS_ED_SLIP);
}

/* One mode that the motion of all of them contradicts becomes another: first of contacts that would
 * pull, then of what is beyond its bound, then of what would slide backwards. 0: there is none. */
static int correct_mode(event_driven *o)
{
  int pulls = strongest_pull(o);
  if (pulls >= 0) {
    ns_ed_set(o, ns_ed_unit(o, pulls), NS_ED_FREE);
    return 1;
  }
  int exceeds = farthest_beyond_bound(o);
  if (exceeds >= 0) {
    let_slip(o, exceeds, o->force);
    return 1;
  }
  int reverses = strongest_reversal(o);
  if (reverses >= 0) ns_ed_set(o, reverses, NS_ED_STICK);
  return reverses >= 0;
}

/* How much of the way row r can go before its contact pulls. */
static double way_to_pull(const event_driven *o, int r)
{
  double min = -o->slack[r] / 2;
  if (!ns_ed_is_unilateral(o, r) || o->force[r] >= min || is_wedged(o, r)) return 1;
  return fmax(0, (o->good[r] - min) / (o->good[r] - o->force[r]));
}

/* How much of the way a disc can go before its force is beyond its bound: what is beyond is a
 * convex function of the part. */
static double way_to_bound(const event_driven *o, int disc)
{
  double within = 0, beyond = 1;
  if (o->mode[disc] != NS_ED_STICK || ns_ed_carries(o, disc)) return 1;
  if (!(beyond_bound(o, disc, 1) > 0)) return 1;
  for (int halving = 0; halving < DBL_MANT_DIG; halving++) {
    double part = (within + beyond) / 2;
    *(beyond_bound(o, disc, part) > 0 ? &beyond : &within) = part;
  }
  return within;
}

/* Forces that are not unique: from those of the problem of the event, which contacts can have,
 * towards those of the flow, which are the smallest of the same motion, up to the first contact
 * that would have to pull or is at the bound of its friction. That one lets go, or stays at its
 * bound: one force less that the others leave open. It is the step of a method of active sets
 * (Nocedal & Wright 2006, alg. 16.3). The disc that is at its bound, or a unit that lets go, or -1:
 * the forces of the flow can be. *gone: how much of the way. */
static int go_towards_flow(event_driven *o, double *gone)
{
  const ns_contacts *k = o->s.k;
  double way = 1;
  int pulls = -1, exceeds = -1;
  for (int a = 0; a < k->na; a++) {
    int u = k->active_unit[a], r = k->unit[u].first;
    double part = o->held[r] ? way_to_pull(o, r) : 1;
    if (part < way) way = part, pulls = u, exceeds = -1;
    for (int d = u; d >= 0 && has_bound(o, u); d = ns_ed_next_disc(o, d)) {
      part = way_to_bound(o, d);
      if (part < way) way = part, exceeds = d, pulls = -1;
    }
  }
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    o->stress[r] = on_way(o, r, way / 2);
    o->good[r] = on_way(o, r, way);
  }
  *gone = way;
  if (pulls >= 0) ns_ed_set(o, pulls, NS_ED_FREE);
  if (exceeds >= 0) let_slip(o, exceeds, o->good);
  return pulls >= 0 ? pulls : exceeds;
}

/* The friction of a disc is one that no other contact can take over, and at its bound because a
 * normal force is small that others would do without: it sticks, and forces between the contacts
 * that move nothing keep it within. */
static int keep_stress(event_driven *o, int disc)
{
  const ns_contacts *k = o->s.k;
  ns_state *x = o->s.x;
  ns_ed_set(o, disc, NS_ED_STICK);
  int rc = ns_ed_hold(o, *x->t, x->q, x->v);
  if (!rc) rc = ns_ed_motion(o, *x->t, x->q, x->v, o->rate);
  if (rc) return rc < 0 ? rc : NS_OK;
  for (int i = 0; i < k->n; i++) o->stress[k->active[i]] -= o->force[k->active[i]];
  o->stressed = 1;
  return NS_OK;
}

/* The motion of the modes is to be one of contacts: what rounding left undecided and holds may have
 * to pull, and where rows depend on each other the smallest forces may be none of contacts. */
static int keep_forces_good(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  ns_state *x = o->s.x;
  int at_bound = -1, rank = 0;
  double gone = 0;
  for (int pass = 0; pass <= 4 * k->nunits; pass++) {
    int rc = ns_ed_hold(o, *x->t, x->q, x->v);
    if (rc || !o->equal.n) return rc;
    int alone = at_bound >= 0 && o->mode[at_bound] == NS_ED_SLIP && o->hold.rank < rank;
    if (alone && gone > AT_BOUND) /* else it was there: it may go */
      return keep_stress(o, at_bound);
    rc = ns_ed_motion(o, *x->t, x->q, x->v, o->rate);
    if (rc) return rc < 0 ? rc : NS_OK;
    if (o->friction.wanted) ns_ed_share_loads(o);
    rank = o->hold.rank;
    at_bound = -1;
    if (rank < o->equal.n) at_bound = go_towards_flow(o, &gone);
    if (rank < o->equal.n ? at_bound < 0 : !correct_mode(o)) return NS_OK;
  }
  return NS_OK;
}

/* Modes. Contacts that jam have other velocities after that; so has what comes to rest with a disc
 * that begins to slide, as all of a mechanism with one degree of freedom. */
static int settle(event_driven *o)
{
  int jam = 1, stopped = 0, rc = NS_OK;
  char at[NS_FLOW_PLACE];
  o->stressed = 0;
  for (int round = 0; round < ROUNDS && (jam || stopped) && !rc; round++) {
    stopped = 0;
    rc = accelerations(o, &jam);
    if (rc || (jam && o->starting)) return rc; /* that jam is the first step's */
    if (jam) rc = ns_ed_jam(o);
    else ns_scatter((size_t)o->s.k->n, o->s.k->z, o->s.k->active, o->good);
    if (!jam && o->friction.wanted) rc = ns_ed_slide_from_rest(o, &stopped);
  }
  if (!rc && !jam && o->friction.wanted) rc = ns_ed_stick_together(o);
  if (!rc && !jam) rc = keep_forces_good(o);
  if (rc || !jam) return rc;
  return ns_fail(o->run.c, NS_NUMERIC,
                 "%s: at t = %.10g s this contact and others jam again after %d impacts without "
                 "collision; the results so far are kept; reduce their friction",
                 place_of_hardest(o, at), *o->s.x->t, (int)ROUNDS);
}

/* ---- back to the constraints ----------------------------------------------------------------- */

/* What is wrong with a row that holds: a gap or joint that is not zero, or a velocity; nothing asks
 * for the position of a contact along its plane. */
static double wrong(const event_driven *o, const double *what, int r)
{
  return what == o->gap && ns_ed_is_tangential(o, r) ? 0 : what[r];
}

/* The smallest change in the metric of the mass, without friction, which multiplies forces where
 * sliding is about to jam: x += M^-1 H^T z, H M^-1 H^T z = -what. */
static void correct(event_driven *o, const double *what, double *x)
{
  const ns_equalities *e = &o->equal;
  for (int i = 0; i < e->n; i++) o->rhs[i] = -wrong(o, what, e->row[i]);
  ns_acceleration_solve(ns_ed_straight(o), o->rhs);
  for (int i = 0; i < e->n; i++) ns_rows_add(&o->s.k->G, e->row[i], o->rhs[i], x);
}

static void correct_positions(event_driven *o)
{
  ns_state *x = o->s.x;
  if (!o->curved) {
    correct(o, o->gap, x->q);
    return;
  }
  memset(o->turned, 0, o->s.m->nv * sizeof *o->turned);
  correct(o, o->gap, o->turned);
  ns_mechanics_move(o->s.m, 1, o->turned, x->q);
}

static double largest(const event_driven *o, const double *what)
{
  double max = 0;
  for (int i = 0; i < o->equal.n; i++) max = fmax(max, fabs(wrong(o, what, o->equal.row[i])));
  return max;
}

/* Positions of what holds to y = 0. */
int ns_ed_project_positions(event_driven *o)
{
  ns_state *x = o->s.x;
  int rc = ns_ed_hold(o, *x->t, x->q, x->v);
  for (int pass = 0; pass < 3 && !rc && largest(o, o->gap) > 0; pass++) {
    correct_positions(o);
    rc = ns_ed_rows(o, *x->t, x->q, x->v, o->gap, o->speed);
    if (!rc && o->varying) rc = ns_ed_hold(o, *x->t, x->q, x->v);
    if (!o->varying) break;
  }
  return rc;
}

void ns_ed_stop(event_driven *o)
{
  if (!(largest(o, o->speed) > 0)) return;
  correct(o, o->speed, o->s.x->v);
  active_speeds(o);
}

/* Positions and velocities of what holds to y = ydot = 0. */
int ns_ed_project(event_driven *o)
{
  if (o->friction.wanted) ns_ed_friction_freeze(o);
  int rc = ns_ed_project_positions(o);
  if (!rc) ns_ed_stop(o);
  if (!rc && o->friction.wanted) ns_ed_friction_keep(o);
  return rc;
}

int ns_ed_put_back(event_driven *o)
{
  const ns_state *x = o->s.x;
  int rc = ns_ed_certify(o, 1);
  if (!rc) rc = ns_ed_rows(o, *x->t, x->q, x->v, o->gap, o->speed);
  if (!rc) rc = ns_ed_project(o);
  return rc ? rc : ns_ed_restart(o);
}

int ns_ed_correct_drift(event_driven *o)
{
  return ns_ed_drifted(o, o->s.x->y) <= o->opt->gap_tol ? NS_OK : ns_ed_put_back(o);
}

int ns_ed_impact_at_start(event_driven *o)
{
  memcpy(o->gap, o->s.x->y, o->s.m->nrows * sizeof *o->gap);
  memcpy(o->speed, o->s.x->ydot, o->s.m->nrows * sizeof *o->speed);
  ns_ed_choose_closed(o);
  return any_approaches(o) || ns_ed_velocities_jump(o);
}

int ns_ed_impact_at_end(const event_driven *o)
{
  const ns_state *x = o->s.x;
  for (int r = 0; r < o->s.k->nrows; r++)
    if (ns_ed_is_unilateral(o, r) && !o->held[r] && x->y[r] <= o->opt->gap_tol &&
        x->ydot[r] < -o->opt->speed_tol)
      return 1;
  return 0;
}

/* Where contacts between shapes are, and rows there. */
static int turn_regions(event_driven *o, int *changed)
{
  const ns_state *x = o->s.x;
  *changed = 0;
  int rc = ns_ed_near_look(o, NS_ED_NEAR_ENOUGH, changed);
  if (rc) return rc;
  *changed |= ns_ed_regions_choose(o);
  if (*changed) rc = ns_ed_rows(o, *x->t, x->q, x->v, o->gap, o->speed);
  if (!rc && *changed) ns_ed_regions_chosen(o);
  return rc;
}

/* Impacts; shapes meet with other parts of them after these, which may approach in turn: a corner
 * in a valley goes from one of its sides to the other. */
static int collide(event_driven *o)
{
  int rc = impacts(o), changed = !rc;
  for (int round = 0; round < ROUNDS && changed && !rc; round++) {
    rc = turn_regions(o, &changed);
    if (!rc && changed) rc = impacts(o);
  }
  return rc;
}

/* ---- the event ------------------------------------------------------------------------------- */

/* What has held up to now goes into the event without the drift of the flow: a contact that opens
 * leaves from rest. */
static int take_out_drift(event_driven *o)
{
  ns_state *x = o->s.x;
  if (!o->begun || o->set || !o->equal.n) return NS_OK;
  if (o->friction.wanted) ns_ed_friction_release(o);
  int rc = ns_ed_project(o);
  return rc ? rc : ns_ed_rows(o, *x->t, x->q, x->v, o->gap, o->speed);
}

/* It closes at this event, and ends with its region. */
static int takes_over(const event_driven *o, int r)
{
  const ns_shape_gaps *g = o->s.m->gaps;
  int i = o->s.k->interaction[r];
  return o->closing[r] && o->mode_before[ns_ed_unit(o, r)] == NS_ED_FREE && i >= g->first &&
         g->sharp[i - g->first];
}

/* It was closed in another region up to this event. */
static int has_turned(const event_driven *o, int r)
{
  int i = o->s.k->interaction[r] - o->s.m->gaps->first;
  return i >= 0 && o->regions.turns[i];
}

/* What takes over from a contact that has come to an end begins on its surface, before its velocity
 * is looked at: next to the tip of a cone that is another one if positions are off by a tolerance.
 * A contact that holds and is in another region now has another normal there, which it may leave
 * or approach: its velocity is left to that. */
static int put_on_surface(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  ns_state *x = o->s.x;
  int some = 0;
  for (int u = 0; u < k->nunits && o->regions.turned; u++) {
    if (!takes_over(o, k->unit[u].first)) continue;
    ns_ed_set(o, u, NS_ED_CLOSED);
    some = 1;
  }
  if (!some) return NS_OK;
  int rc = ns_ed_project_positions(o);
  for (int u = 0; u < k->nunits; u++)
    if (takes_over(o, k->unit[u].first) || has_turned(o, k->unit[u].first))
      ns_ed_set(o, u, NS_ED_FREE);
  if (!rc) rc = ns_ed_project(o);
  if (!rc) rc = ns_ed_rows(o, *x->t, x->q, x->v, o->gap, o->speed);
  memcpy(o->speed_before, o->speed, (size_t)k->nrows * sizeof *o->speed);
  return rc;
}

/* What the event starts from, and is compared with: modes, directions of friction, gaps and
 * velocities before it. Impulses and losses begin at 0. */
static int open_event(event_driven *o)
{
  ns_state *x = o->s.x;
  size_t rows = o->s.m->nrows;
  int rc = ns_event_run_open(&o->run);
  if (rc) return rc;
  memcpy(o->mode_before, o->mode, 2 * (size_t)o->s.k->nunits);
  if (o->friction.wanted) {
    memcpy(o->friction.toward_before, o->friction.toward, rows * sizeof(double));
    memset(o->friction.jammed, 0, rows);
    ns_ed_friction_forget(o);
  }
  memcpy(o->gap, x->y, rows * sizeof *o->gap);
  memcpy(o->speed, x->ydot, rows * sizeof *o->speed);
  memcpy(o->speed_before, x->ydot, rows * sizeof *o->speed);
  memset(x->impulse, 0, rows * sizeof *x->impulse);
  memset(o->lost, 0, rows * sizeof *o->lost);
  memset(o->removed, 0, rows * sizeof *o->removed);
  *x->report = (ns_step_report){0};
  return ns_event_run_jumped(&o->run);
}

/* Modes until no bond breaks: contacts have other forces without it. */
static int settle_with_bonds(event_driven *o)
{
  int rc, some = 0;
  do {
    rc = settle(o);
    if (!rc) rc = ns_ed_bonds_break(o, &some);
  } while (!rc && some);
  return rc;
}

int ns_ed_event(event_driven *o)
{
  int changed, rc = open_event(o);
  if (rc) return rc;

  /* Positions: on the constraints that have held up to now, then on those that take over. */
  if (!o->hybrid.settling) rc = take_out_drift(o);
  if (!rc) rc = turn_regions(o, &changed);
  if (!rc) rc = o->hybrid.settling ? ns_ed_hybrid_settle(o) : put_on_surface(o);

  /* Velocities: prescribed ones, impacts. */
  if (!rc && !o->starting) rc = ns_ed_take_velocities(o);
  if (!rc) rc = collide(o);

  /* What follows from these: sides of compliant rows, overlaps, branches of formulas. */
  if (!rc) rc = ns_ed_springs_decide(o);
  if (!rc) rc = ns_ed_overlaps_decide(o);
  if (!rc) rc = ns_event_run_jumped(&o->run);

  /* Forces and accelerations: modes of contacts, and the state on the constraints of these. */
  if (!rc) rc = settle_with_bonds(o);
  if (!rc) rc = ns_ed_project(o);
  if (!o->starting) o->set = 0;
  return ns_event_run_close(&o->run, rc);
}

void ns_ed_over(void *of)
{
  event_driven *o = of;
  size_t rows = o->s.m->nrows;
  memset(o->s.x->impulse, 0, rows * sizeof *o->s.x->impulse);
  memset(o->closing, 0, rows);
  memset(o->opening, 0, rows);
  if (o->friction.wanted) memset(o->friction.loads.ended, 0, 2 * (size_t)o->s.k->nunits);
  o->prescribed.jumped = 0;
  if (o->life.away && o->s.m->gaps) memset(o->life.comes, 0, (size_t)o->s.m->gaps->n);
  ns_ed_regions_over(o);
  if (!o->starting) o->begun = 1; /* what is taken now goes on from here */
}
