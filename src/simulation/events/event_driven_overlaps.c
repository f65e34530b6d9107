/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_overlaps.c -- contacts between shapes that give way (model/laws/compliant.c) between
 * events: forces of the smooth motion with corners at which a phase ends.
 *
 *   f_N = d^(eta-1) K p,   p = d + (C/K) d'             d: overlap, d' its rate; p: a length
 *   f_T = -d^(eta-1) e,    e = Kt z + Ct z',   |f_T| <= mu f_N
 *
 * z is the spring across the normal (Cundall & Strack 1979), an unknown of the flow: a vector of
 * the world that turns with the normal and with the mean spin about it, in the plane a number.
 * Phases, constant in a flow, and their ends, which are roots that fall through zero:
 *
 *   apart    no force                            -d, until they meet; -d', its nearest
 *   pushes   f_N as above; it ends before d does where C > 0: no tension      p
 *   slack    they overlap and part faster than the spring follows             d, and -p
 *   sticks   z' = u, the velocity across         (mu K p - |Kt z + Ct u|)/K
 *   slips    f_T = -mu f_N s, with s along Kt z + Ct u: z' is what gives that force,
 *            Ct z' = mu K p s - Kt z             (|Kt z + Ct u| - mu K p)/K
 *            Ct = 0: Kt |z| = mu K p stays true, z' = u - w s with s = z/|z|,
 *            w = u.s - rho',  rho = mu K p/Kt    w
 *
 * A corner or an edge pushes along the normal of the region of the other body that it came into, to
 * the end of that region, which is an event: the depth by the nearest side would jump from side to
 * side.
 *
 * The factor d^(eta-1) of Hertz's law has dropped out of all roots. w has the acceleration of
 * the overlap in it where C > 0. Forces are continuous but where a damper meets a velocity at
 * d = 0, and nothing jumps in the motion; z is lost where f_N ends. What springs store is energy
 * of the model, and the work of a contact what it takes beyond that. Across the normal they store
 * d^(eta-1) Kt z^2/2, which for eta near 1 and z > 0 is a jump as d comes to 0: the unknown of the
 * flow is the work of the force, without it. */
#include "simulation/events/event_driven_modes.h"

#include "algebra/rotation.h"
#include "algebra/vector.h"
#include "model/relations/output.h"
#include "model/relations/rigid_relation.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef enum phase { UNKNOWN, APART, PUSHES, SLACK } phase;

struct ns_overlap {
  int interaction, row;
  const ns_nonsmooth_law *law;
  unsigned char phase; /* of these, and whether it slips: the mode */
  unsigned char slips;
  double side; /* in the plane: sign of a bare spring that slips, which it keeps in that mode */
  /* where it was looked at last */
  double depth, rate;      /* d, d' */
  double p, power;         /* p; d^(eta-1) */
  double n[3], u[3], z[3]; /* normal, velocity across, spring, in the world */
  double e[3];             /* Kt z + Ct u */
  double turn[3];          /* angular velocity of the frame of z */
  double bend;             /* of d'': what no acceleration has a part in */
  double zrate[3];         /* after ns_ed_overlaps_rates, without the turn of the frame */
};

/* Times gapTolerance, velocityTolerance: so far below zero roots are, at least. */
static const double BELOW = 1e-4;

enum { BODIES = 2, COORDINATES = 7 * BODIES };

static const ns_interaction *interaction_of(const event_driven *o, const ns_overlap *k)
{
  return &o->s.m->interactions[k->interaction];
}

/* ---- creation -------------------------------------------------------------------------------- */

int ns_ed_overlaps_create(event_driven *o, ns_ctx *c)
{
  const ns_model *m = o->s.m;
  ns_overlaps *s = &o->overlaps;
  int n = 0;
  for (int i = 0; i < m->ninteractions; i++) n += m->interactions[i].law.ops->compliant;
  if (n == 0) return NS_OK;
  s->n = n;
  s->width = ns_system_is_planar(&m->systems[0]) ? 1 : 3;
  const ns_array want[] = {{&s->overlap, (size_t)n, sizeof *s->overlap},
                           {&s->spring, (size_t)(n * s->width), sizeof *s->spring},
                           {&s->of, (size_t)m->ninteractions, sizeof *s->of}};
  if (ns_arena_arrays(o->run.mem, want, sizeof want / sizeof *want))
    return ns_nomem(c, "compliant contacts");
  s->now = s->spring;
  n = 0;
  for (int i = 0; i < m->ninteractions; i++) {
    s->of[i] = m->interactions[i].law.ops->compliant ? n : -1;
    if (s->of[i] >= 0)
      s->overlap[n++] = (ns_overlap){
          .interaction = i, .row = (int)m->interactions[i].row, .law = &m->interactions[i].law};
  }
  for (int u = 0; u < o->s.k->nunits; u++) /* forces of the motion, and no rows of its problems */
    if (ns_ed_is_overlap(o, o->s.k->unit[u].first)) o->s.k->unit[u].always = 0;
  return NS_OK;
}

void ns_ed_overlaps_number(event_driven *o)
{
  o->overlaps.first = (int)o->run.problem.n;
  o->run.problem.n += (size_t)(o->overlaps.n * o->overlaps.width);
}

void ns_ed_overlaps_at(event_driven *o, const double *x)
{
  o->overlaps.now = x ? x + o->overlaps.first : o->overlaps.spring;
}

/* ---- one of them ----------------------------------------------------------------------------- */

static void planar_tangent(const double *n, double *t) { t[0] = -n[1], t[1] = n[0], t[2] = 0; }

static void read_spring(const event_driven *o, const double *from, ns_overlap *k)
{
  double t[3];
  if (o->overlaps.width == 3) {
    memcpy(k->z, from, sizeof k->z);
    return;
  }
  planar_tangent(k->n, t);
  for (int i = 0; i < 3; i++) k->z[i] = *from * t[i];
}

static void write_spring(const event_driven *o, const ns_overlap *k, double *to)
{
  double t[3];
  if (o->overlaps.width == 3) {
    memcpy(to, k->z, sizeof k->z);
    return;
  }
  planar_tangent(k->n, t);
  *to = ns_dot3(k->z, t);
}

static int has_friction(const ns_overlap *k)
{
  return k->law->mu > 0 && (k->law->slip_stiffness > 0 || k->law->slip_damping > 0);
}

/* The force across the normal is at its bound with nothing but a spring to say what z is. */
static int is_bare(const ns_overlap *k) { return !(k->law->slip_damping > 0); }

/* mu K p: what the factor of Hertz is left out of. */
static double bound_of(const ns_overlap *k) { return k->law->mu * k->law->stiffness * k->p; }

/* All but the mode of a contact at (q, v), its spring at z. */
static void look(const event_driven *o, int i, const double *q, const double *v, const double *z)
{
  ns_overlap *k = &o->overlaps.overlap[i];
  const ns_interaction *it = interaction_of(o, k);
  const ns_nonsmooth_law *law = k->law;
  double Q[COORDINATES], V[COORDINATES];
  ns_shape_meeting m;
  ns_interaction_gather(o->s.m, it, q, v, NULL, Q, V, NULL);
  ns_shape_gap_meet(it, Q, V, &m);
  double along = ns_dot3(m.u, m.touch.n), eta = law->exponent;
  k->depth = -m.touch.gap;
  k->rate = -along;
  k->bend = m.bend;
  k->p = k->depth + law->damping / law->stiffness * k->rate;
  k->power = k->depth > 0 ? pow(k->depth, eta - 1) : 0;
  if (eta == 1) k->power = 1;
  memcpy(k->n, m.touch.n, sizeof k->n);
  ns_axpy3(m.u, -along, k->n, k->u);
  ns_cross3(k->n, m.n_rate, k->turn);
  ns_axpy3(k->turn, m.spin, k->n, k->turn);
  read_spring(o, z + i * o->overlaps.width, k);
  for (int j = 0; j < 3; j++) k->e[j] = law->slip_stiffness * k->z[j] + law->slip_damping * k->u[j];
}

/* What the roots of one that is apart need, as its rows have it, where they were just evaluated. */
static void look_apart(const event_driven *o, ns_overlap *k)
{
  k->depth = -o->gap[k->row];
  k->rate = -o->speed[k->row];
}

/* The direction that a contact slips along; zero where there is none. That of a bare spring is its
 * own up to the root p = 0, where it has no length left, and behind it the same: z = rho s with
 * rho < 0. */
static void direction(const ns_overlap *k, double *s)
{
  if (k->slips && k->side != 0) {
    planar_tangent(k->n, s);
    ns_scale(3, k->side, s);
    return;
  }
  memcpy(s, is_bare(k) ? k->z : k->e, 3 * sizeof *s);
  if (is_bare(k) && k->slips && k->p < 0) ns_scale(3, -1, s);
  if (ns_unit3(s) > 0) return;
  memcpy(s, k->u, sizeof k->u);
  if (!(ns_unit3(s) > 0)) memset(s, 0, 3 * sizeof *s);
}

/* d'' by the accelerations in o->a; 0 where nothing asks for it. */
static double bend(const event_driven *o, const ns_overlap *k)
{
  if (!(k->law->damping > 0)) return 0;
  return -(ns_rows_dot(&o->s.k->H, k->row, o->a) + k->bend);
}

/* w of a bare contact along s, at the rate of rho. */
static double slip_speed(const event_driven *o, const ns_overlap *k, const double *s,
                         double *growth)
{
  const ns_nonsmooth_law *law = k->law;
  *growth = law->mu * (law->stiffness * k->rate + law->damping * bend(o, k)) / law->slip_stiffness;
  return ns_dot3(k->u, s) - *growth;
}

/* A spring whose stiffness is a formula has no energy of its own: all that it does is work. */
static int stores(const ns_overlap *k)
{
  return k->depth > 0 && k->phase != APART && k->law->nformulas == 0;
}

/* Stored across the normal, and along it; J. */
static double across(const ns_overlap *k)
{
  return stores(k) ? k->law->slip_stiffness * k->power * ns_dot3(k->z, k->z) / 2 : 0;
}

static double along(const ns_overlap *k)
{
  double eta = k->law->exponent;
  return stores(k) ? k->law->stiffness * pow(k->depth, eta + 1) / (eta + 1) : 0;
}

/* ---- forces ---------------------------------------------------------------------------------- */

/* Force on body 1, in the world. */
static void force_of(const ns_overlap *k, double *f)
{
  double s[3], push = k->phase == PUSHES ? k->power * k->law->stiffness * k->p : 0;
  for (int i = 0; i < 3; i++) f[i] = push * k->n[i];
  if (k->phase != PUSHES || !has_friction(k)) return;
  if (!k->slips) {
    ns_axpy3(f, -k->power, k->e, f);
    return;
  }
  direction(k, s);
  ns_axpy3(f, -k->law->mu * push, s, f);
}

/* As components along the frame of its rows. */
static void to_rows(const event_driven *o, const ns_overlap *k, const double *f)
{
  double t[2][3], *lambda = o->force + k->row;
  int rows = interaction_of(o, k)->m;
  if (o->overlaps.width == 1) planar_tangent(k->n, t[0]);
  else ns_tangents3(k->n, t[0], t[1]);
  lambda[0] = ns_dot3(f, k->n);
  for (int i = 1; i < rows; i++) lambda[i] = ns_dot3(f, t[i - 1]);
}

int ns_ed_give_way(event_driven *o, double t, const double *q, const double *v)
{
  ns_contacts *k = o->s.k;
  int rc = ns_ed_bonds_pull(o, t, q, v);
  ns_ed_springs_push(o, q);
  for (int i = 0; i < o->overlaps.n && !rc; i++) {
    const ns_overlap *a = &o->overlaps.overlap[i];
    double f[3];
    if (a->phase == APART) {
      memset(o->force + a->row, 0, (size_t)interaction_of(o, a)->m * sizeof *o->force);
      continue;
    }
    look(o, i, q, v, o->overlaps.now);
    force_of(a, f);
    to_rows(o, a, f);
    if (a->phase != PUSHES) continue;
    rc = ns_contacts_linearise_alone(k, o->run.c, interaction_of(o, a), t, q, v, o->s.x->z);
    for (int r = 0; r < interaction_of(o, a)->m && !rc; r++)
      ns_rows_add(&k->H, a->row + r, o->force[a->row + r], o->a);
  }
  return rc;
}

/* z' without the turn of its frame. */
static void stretch(const event_driven *o, ns_overlap *k)
{
  const ns_nonsmooth_law *law = k->law;
  double s[3], growth;
  memset(k->zrate, 0, sizeof k->zrate);
  if (k->phase != PUSHES || !has_friction(k) || !(law->slip_stiffness > 0)) return;
  memcpy(k->zrate, k->u, sizeof k->u);
  if (!k->slips) return;
  direction(k, s);
  if (is_bare(k)) {
    ns_axpy3(k->u, -slip_speed(o, k, s, &growth), s, k->zrate);
    return;
  }
  double bound = bound_of(k);
  for (int i = 0; i < 3; i++)
    k->zrate[i] = (bound * s[i] - law->slip_stiffness * k->z[i]) / law->slip_damping;
}

void ns_ed_overlaps_rates(event_driven *o, double *f)
{
  double turned[3], t[3];
  for (int i = 0; i < o->overlaps.n; i++) {
    ns_overlap *k = &o->overlaps.overlap[i];
    double *rate = f + o->overlaps.first + i * o->overlaps.width;
    stretch(o, k);
    if (o->overlaps.width == 1) {
      planar_tangent(k->n, t);
      *rate = ns_dot3(k->zrate, t);
      continue;
    }
    ns_cross3(k->turn, k->z, turned);
    ns_linear_sum(3, k->zrate, 1, turned, rate);
  }
}

/* The rate of `along`. */
static double storing(const ns_overlap *k)
{
  return stores(k) ? k->law->stiffness * k->power * k->depth * k->rate : 0;
}

void ns_ed_overlaps_power(const event_driven *o, const double *v, double *normal, double *friction)
{
  const ns_rows *H = &o->s.k->H;
  *normal = *friction = 0;
  for (int i = 0; i < o->overlaps.n; i++) {
    const ns_overlap *k = &o->overlaps.overlap[i];
    *normal += storing(k);
    for (int j = 0; j < interaction_of(o, k)->m && k->phase == PUSHES; j++)
      *(j ? friction : normal) += o->force[k->row + j] * ns_rows_dot(H, k->row + j, v);
  }
}

double ns_ed_overlaps_across(event_driven *o)
{
  double U = 0;
  for (int i = 0; i < o->overlaps.n; i++) {
    if (o->overlaps.overlap[i].phase == APART) continue;
    look(o, i, o->s.x->q, o->s.x->v, o->overlaps.spring);
    U += across(&o->overlaps.overlap[i]);
  }
  return U;
}

double ns_ed_overlaps_energy(event_driven *o)
{
  double U = 0;
  for (int i = 0; i < o->overlaps.n; i++) {
    look(o, i, o->s.x->q, o->s.x->v, o->overlaps.spring);
    U += along(&o->overlaps.overlap[i]) + across(&o->overlaps.overlap[i]);
  }
  return U;
}

/* ---- phases ---------------------------------------------------------------------------------- */

/* Length that a contact may be beyond its phase by. */
static double min(const event_driven *o, const ns_overlap *k)
{
  return BELOW * o->opt->gap_tol + 16 * DBL_EPSILON * ns_ed_reach(o, k->row);
}

static phase after_pushing(const ns_overlap *k, double within)
{
  return k->law->damping > 0 && k->depth > within ? SLACK : APART;
}

/* closing, opening: its root of the first and of the second function was found. */
static phase next_phase(const event_driven *o, const ns_overlap *k, double within)
{
  int first = o->closing[k->row], second = o->opening[k->row];
  switch ((phase)k->phase) {
  case UNKNOWN:
    if (!(k->depth > within)) return APART;
    return k->p > 0 ? PUSHES : SLACK;
  case APART:
    if (!first && !(k->depth > within)) return APART;
    return k->p >= -within ? PUSHES : SLACK;
  case PUSHES: return first || k->p < -within ? after_pushing(k, within) : PUSHES;
  case SLACK: break;
  }
  if (second || k->p > within) return PUSHES;
  return first || k->depth < -within ? APART : SLACK;
}

/* Whether a contact that pushes slips; begins: it has not pushed before. */
static int is_to_slip(const event_driven *o, const ns_overlap *k, int begins, double within)
{
  double s[3], growth, excess = (ns_norm3(k->e) - bound_of(k)) / k->law->stiffness;
  if (!begins && o->closing[k->row + 1]) return !k->slips;
  if (excess > within) return 1;
  if (excess < -within) return 0;
  if (!begins || !is_bare(k)) return k->slips;
  direction(k, s); /* bare, with no length yet: the one that grows faster */
  return slip_speed(o, k, s, &growth) > 0;
}

int ns_ed_overlap_lasts(const event_driven *o, int interaction)
{
  int i = o->overlaps.n ? o->overlaps.of[interaction] : -1;
  return i >= 0 &&
         (o->overlaps.overlap[i].phase == PUSHES || o->overlaps.overlap[i].phase == SLACK);
}

void ns_ed_overlap_ends(event_driven *o, int interaction)
{
  int i = o->overlaps.n ? o->overlaps.of[interaction] : -1;
  if (i < 0) return;
  o->overlaps.overlap[i].phase = APART;
  o->overlaps.overlap[i].slips = 0;
  memset(o->overlaps.spring + i * o->overlaps.width, 0,
         (size_t)o->overlaps.width * sizeof *o->overlaps.spring);
}

/* A corner or an edge that comes to another region of the other body has another normal and depth
 * there. */
static void turn(event_driven *o, int i)
{
  ns_overlap *k = &o->overlaps.overlap[i];
  if (!ns_ed_region_turns(o, k->interaction)) return;
  look(o, i, o->s.x->q, o->s.x->v, o->overlaps.spring);
  ns_axpy3(k->z, -ns_dot3(k->z, k->n), k->n, k->z);
}

/* Its spring after the event: none without a force, at its bound where it slips by that alone. */
static void set_spring(const event_driven *o, int i)
{
  ns_overlap *k = &o->overlaps.overlap[i];
  double s[3], t[3];
  k->side = 0;
  if (k->phase != PUSHES) memset(k->z, 0, sizeof k->z);
  else if (k->slips && is_bare(k)) {
    direction(k, s);
    planar_tangent(k->n, t);
    double along = ns_dot3(s, t);
    if (o->overlaps.width == 1 && along != 0) k->side = copysign(1, along);
    double length = fmax(0, bound_of(k)) / k->law->slip_stiffness;
    for (int j = 0; j < 3; j++) k->z[j] = length * s[j];
  }
  write_spring(o, k, o->overlaps.spring + i * o->overlaps.width);
}

/* What springs store jumps with their lengths, and with regions: that is work of the contact. */
int ns_ed_overlaps_decide(event_driven *o)
{
  ns_certificate *of = o->s.x->cert;
  for (int i = 0; i < o->overlaps.n; i++) {
    ns_overlap *k = &o->overlaps.overlap[i];
    int pushed = k->phase == PUSHES;
    double within = min(o, k);
    look(o, i, o->s.x->q, o->s.x->v, o->overlaps.spring);
    double before = along(k), before_across = across(k);
    turn(o, i);
    k->phase = (unsigned char)next_phase(o, k, within);
    int rubs = k->phase == PUSHES && has_friction(k);
    k->slips = (unsigned char)(rubs && is_to_slip(o, k, !pushed, within));
    set_spring(o, i);
    of->work_contact += along(k) - before;
    of->work_friction += across(k) - before_across;
  }
  return NS_OK;
}

/* ---- roots ----------------------------------------------------------------------------------- */

static int asks(const ns_overlap *k)
{
  return k->phase == PUSHES && k->slips && is_bare(k) && k->law->damping > 0;
}

int ns_ed_overlaps_query(const event_driven *o)
{
  for (int i = 0; i < o->overlaps.n; i++)
    if (asks(&o->overlaps.overlap[i])) return 1;
  return 0;
}

static void phase_roots(const event_driven *o, const ns_overlap *k, double *g, double *more)
{
  switch ((phase)k->phase) {
  case PUSHES: *g = k->p; return;
  case SLACK:
    *g = k->depth;
    *more = -k->p;
    return;
  default: *g = -k->depth; *more = o->opt->speed_tol + k->rate;
  }
}

static double slip_root(const event_driven *o, const ns_overlap *k)
{
  double s[3], growth, margin = (bound_of(k) - ns_norm3(k->e)) / k->law->stiffness;
  if (!k->slips) return margin;
  if (!is_bare(k)) return -margin;
  direction(k, s);
  return slip_speed(o, k, s, &growth);
}

static void roots_of(const event_driven *o, const ns_overlap *k, double *g)
{
  int rows = o->s.k->nrows, r = k->row;
  for (int j = r; j < r + interaction_of(o, k)->m; j++) g[j] = g[rows + j] = 1;
  phase_roots(o, k, g + r, g + rows + r);
  if (k->phase == PUSHES && has_friction(k)) g[r + 1] = slip_root(o, k);
}

int ns_ed_overlaps_roots(event_driven *o, double t, const double *x, double *g)
{
  const double *q = o->overlaps.n ? ns_ed_positions(o, x) : NULL, *v = x + o->s.m->nq;
  (void)t;
  for (int i = 0; i < o->overlaps.n; i++) {
    ns_overlap *k = &o->overlaps.overlap[i];
    if (k->phase == APART) look_apart(o, k);
    else look(o, i, q, v, x + o->overlaps.first);
    roots_of(o, k, g);
  }
  return NS_OK;
}

int ns_ed_overlaps_begin(event_driven *o)
{
  int rows = o->s.k->nrows, rc = NS_OK;
  double *g = o->below;
  if (!o->overlaps.n) return NS_OK;
  if (ns_ed_overlaps_query(o)) rc = ns_ed_motion(o, *o->s.x->t, o->s.x->q, o->s.x->v, o->rate);
  if (rc < 0) return rc;
  for (int i = 0; i < o->overlaps.n; i++) {
    const ns_overlap *k = &o->overlaps.overlap[i];
    double first = min(o, k), slow = k->slips && is_bare(k) ? BELOW * o->opt->speed_tol : first;
    look(o, i, o->s.x->q, o->s.x->v, o->overlaps.spring);
    roots_of(o, k, g);
    for (int r = k->row; r < k->row + interaction_of(o, k)->m; r++) {
      double beyond = fmax(0, -g[r]);
      /* more: it is about to leave a region at its end */
      if (k->phase == APART) beyond = fmin(beyond, first);
      g[r] = (r == k->row ? first : slow) + 2 * beyond;
      g[rows + r] = k->phase == APART ? 0 : first + ns_ed_lead(g[rows + r], 0, 0);
      o->run.direction[r] = o->run.direction[rows + r] = -1;
    }
  }
  return NS_OK;
}

int ns_ed_overlaps_fired(event_driven *o, const int *fired)
{
  int rows = o->s.k->nrows, some = 0;
  for (int i = 0; i < o->overlaps.n; i++) {
    const ns_overlap *k = &o->overlaps.overlap[i];
    int r = k->row, last = r + interaction_of(o, k)->m, apart = k->phase == APART;
    o->opening[r] = !apart && fired[rows + r];
    for (int j = r; j < last; j++) {
      o->closing[j] = fired[j] != 0;
      some |= o->closing[j] || o->opening[j];
    }
    /* it was: ns_ed_look_back */
    some |= apart && fired[rows + r] && o->s.x->y[r] < -o->opt->gap_tol;
  }
  return some;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

void ns_ed_overlaps_save(const event_driven *o, ns_blob *b)
{
  const ns_overlaps *s = &o->overlaps;
  if (!s->n) return;
  for (int i = 0; i < s->n; i++) {
    ns_blob_put(b, &s->overlap[i].phase, 1);
    ns_blob_put(b, &s->overlap[i].slips, 1);
    ns_blob_put_reals(b, &s->overlap[i].side, 1);
  }
  ns_blob_put_reals(b, s->spring, (size_t)(s->n * s->width));
}

void ns_ed_overlaps_restore(event_driven *o, ns_blob *b)
{
  ns_overlaps *s = &o->overlaps;
  if (!s->n) return;
  for (int i = 0; i < s->n; i++) {
    ns_blob_get(b, &s->overlap[i].phase, 1);
    ns_blob_get(b, &s->overlap[i].slips, 1);
    ns_blob_get_reals(b, &s->overlap[i].side, 1);
  }
  ns_blob_get_reals(b, s->spring, (size_t)(s->n * s->width));
}
