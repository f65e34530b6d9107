/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/record/channels.h"

#include "base/suggest.h"
#include "base/text.h"
#include "model/relations/rigid_relation.h"

#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* One kind of channel: `<group>/<id>/<name>` in the file, `<id>.<name>` in patterns. */
typedef struct quantity {
  const char *name, *unit, *help;
  ns_origin from;
  size_t offset; /* of diagnostics */
  ns_course course;
  ns_column_take take;
} quantity;

#define REPORT(field) \
  NS_FROM_REPORT, offsetof(ns_step_report, field) / sizeof(double), NS_COURSE_STEP, NS_TAKE_NOW
#define CERT(field) NS_FROM_CERT, offsetof(ns_certificate, field), NS_COURSE_CONTINUOUS, NS_TAKE_NOW
#define MOVING 0, NS_COURSE_CONTINUOUS, NS_TAKE_NOW
#define AMOUNT 0, NS_COURSE_STEP, NS_TAKE_SUM /* of steps: summed between rows */
#define USER_VECTOR \
  { \
    "z", NULL, "user vector: inputs that functions read and controls write", NS_FROM_Z, 0, \
        NS_COURSE_HELD, NS_TAKE_NOW \
  }

#define FORCE \
  { \
    "force", "N", "mean force since the previous row, impulse divided by time; N m for a moment", \
        NS_FROM_LAMBDA, 0, NS_COURSE_STEP, NS_TAKE_MEAN \
  }

/* ---- Lagrangian systems ---------------------------------------------------------------------- */

static const quantity of_systems[] = {
    {"q", NULL, "generalised coordinates", NS_FROM_Q, MOVING},
    {"v", NULL, "generalised velocities", NS_FROM_V, MOVING},
    {"p", "N s",
     "generalised impulse (not a force) of all contacts since the previous row (in the step, if "
     "each step has a row); N m s for an angle",
     NS_FROM_P, AMOUNT},
    {"support", "N s",
     "generalised impulse (not a force) since the previous row that enforced prescribed "
     "velocities; N m s for an angle",
     NS_FROM_SUPPORT, AMOUNT}, /* of systems with boundary conditions */
    USER_VECTOR,               /* where it has names, or there are controls */
};

static const quantity of_interactions[] = {
    {"y", "m", "gap", NS_FROM_Y, MOVING},
    {"ydot", "m/s", "velocity of the gap", NS_FROM_YDOT, MOVING},
    {"lambda", "N s",
     "contact impulse (not a force) since the previous row (in the step, if each step has a row)",
     NS_FROM_LAMBDA, AMOUNT},
    FORCE,
};

/* Free coordinates of joints. */
#define OF_JOINTS \
  {"angle", "rad", \
   "angle of the second body relative to the first about the axis of a joint, including full " \
   "turns", \
   NS_FROM_ANGLE, MOVING}, \
      {"slide", \
       "m", \
       "displacement of the second body relative to the first along the axis of a joint", \
       NS_FROM_ANGLE, \
       1, \
       NS_COURSE_CONTINUOUS, \
       NS_TAKE_NOW}, \
      {"v_angle", "rad/s", "rate of this angle", NS_FROM_RATE, MOVING}, \
      {"v_slide",  "m/s", "rate of this displacement", NS_FROM_RATE, 1, NS_COURSE_CONTINUOUS, \
       NS_TAKE_NOW},

/* Rigid bodies: where a joint is, too. */
static const quantity of_joints[] = {
    {"y", "m", "gap; for a joint its position error, m, and rotation error", NS_FROM_Y, MOVING},
    {"ydot", "m/s", "its velocity", NS_FROM_YDOT, MOVING},
    {"lambda", "N s",
     "impulse (not a force) since the previous row (in the step, if each step has a row); N m s "
     "for a moment",
     NS_FROM_LAMBDA, AMOUNT},
    FORCE,
    OF_JOINTS};

/* Event-driven: forces, and impulses at events alone. */
static const quantity of_systems_events[] = {
    {"q", NULL, "generalised coordinates", NS_FROM_Q, MOVING},
    {"v", NULL, "generalised velocities", NS_FROM_V, MOVING},
    {"p", "N", "generalised force of all contacts; N m for an angle", NS_FROM_P, MOVING},
    {"support", "N", "generalised force that keeps fixed coordinates; N m for an angle",
     NS_FROM_SUPPORT, MOVING}, /* of systems with boundary conditions */
    USER_VECTOR,
};

#define OF_EVENTS \
  {"y", "m", "gap", NS_FROM_Y, MOVING}, \
      {"ydot", "m/s", "velocity of the gap", NS_FROM_YDOT, MOVING}, \
      {"lambda", "N", "contact force (not an impulse)", NS_FROM_LAMBDA, MOVING}, \
      {"impulse",       "N s", "contact impulse of the event just before the row; 0 elsewhere", \
       NS_FROM_IMPULSE, 0,     NS_COURSE_EVENT, \
       NS_TAKE_NOW},

static const quantity of_interactions_events[] = {OF_EVENTS};
static const quantity of_joints_events[] = {OF_EVENTS OF_JOINTS};

static const quantity diagnostics_events[] = {
    {"side", "1", "0: row of the grid, 1: just before an event, 2: just after it", NS_FROM_SIDE, 0,
     NS_COURSE_EVENT, NS_TAKE_NOW},
    {"iterations", "1", "iterations of the solver of the problems of an event", REPORT(iterations)},
    {"residual", "1", "complementarity residual of the problems of an event", REPORT(residual)},
    {"penetration", "m", "largest -y over unilateral rows and |y| of equalities",
     REPORT(penetration)},
    {"events", "1", "events since t0 that changed a velocity or a contact", CERT(events)},
    {"steps", "1", "steps of the integrator since t0", CERT(flow_steps)},
    {"evaluations", "1", "evaluations of the accelerations by the integrator since t0",
     CERT(flow_evaluations)},
    {"kinetic", "J", "kinetic energy 1/2 v'Mv", CERT(kinetic)},
    {"potential", "J", "known potential energy 1/2 q'Kq - f'q of stiffness and constant forces",
     CERT(potential)},
    {"work_force", "J", "work since t0 of forces without a known potential and of damping",
     CERT(work_force)},
    {"work_contact", "J", "work since t0 of impacts", CERT(work_contact)},
    {"work_friction", "J", "work since t0 of friction and relays", CERT(work_friction)},
    {"work_driven", "J", "work since t0 of moving obstacles", CERT(work_driven)},
    {"energy_defect", "J",
     "kinetic + potential - their initial value - work_force - work_contact - work_friction - "
     "work_driven",
     CERT(defect)},
};

static const quantity diagnostics[] = {
    {"newton", "1", "Newton iterations of the step", REPORT(newton)},
    {"newton_residual", "1", "residual of Newton's method at acceptance, relative to its tolerance",
     REPORT(newton_residual)},
    {"iterations", "1", "iterations of the solver of the one-step problem", REPORT(iterations)},
    {"residual", "1", "complementarity residual of the one-step problem", REPORT(residual)},
    {"active", "1", "active rows of the one-step problem", REPORT(active)},
    {"penetration", "m", "largest -y over unilateral rows, 0 where all gaps are open",
     REPORT(penetration)},
    {"kinetic", "J", "kinetic energy 1/2 v'Mv", CERT(kinetic)},
    {"potential", "J", "known potential energy 1/2 q'Kq - f'q of stiffness and constant forces",
     CERT(potential)},
    {"work_force", "J", "work since t0 of forces without a known potential and of damping",
     CERT(work_force)},
    {"work_contact", "J", "work since t0 of contact impulses", CERT(work_contact)},
    /* where there are some */
    {"work_friction", "J", "work since t0 of friction and relays", CERT(work_friction)},
    /* where something does */
    {"work_driven", "J", "work since t0 of moving obstacles", CERT(work_driven)},
    {"energy_defect", "J", "kinetic + potential - their initial value - work_force - work_contact",
     CERT(defect)},
};

/* ---- first-order systems --------------------------------------------------------------------- */

static const quantity of_first_order[] = {
    {"x", NULL, "state", NS_FROM_Q, MOVING},
    {"xdot", NULL, "rate x' = M^-1 (f + r) at the end of the step", NS_FROM_V, MOVING},
    {"r", NULL, "input: sum of the contributions of all interactions to M x'", NS_FROM_P, 0,
     NS_COURSE_HELD, NS_TAKE_NOW},
    USER_VECTOR,
};

static const quantity of_laws[] = {
    {"y", NULL, "output of the relation; with the full theta-gamma scheme at t_k + gamma h",
     NS_FROM_Y, MOVING},
    {"lambda", NULL,
     "multiplier (not an impulse, which is h lambda); with the full theta-gamma scheme at t_k + "
     "gamma h",
     NS_FROM_LAMBDA, 0, NS_COURSE_HELD, NS_TAKE_NOW},
};

static const quantity first_order_diagnostics[] = {
    {"newton", "1", "Newton iterations of the step", REPORT(newton)},
    {"newton_residual", "1",
     "residual of Newton's method at acceptance, for state, outputs and inputs, relative to its "
     "tolerance",
     REPORT(newton_residual)},
    {"iterations", "1", "iterations of the solver of the one-step problem", REPORT(iterations)},
    {"residual", "1", "complementarity residual of the one-step problem", REPORT(residual)},
    {"active", "1", "rows whose lambda is not at a bound of its law", REPORT(active)},
    {"violation", NULL,
     "law violation of the state and lambda as recorded: max |lambda - proj(lambda - y)| onto the "
     "bounds of lambda",
     REPORT(penetration)},
};

static const quantity first_order_events[] = {
    {"side", "1", "0: row of the grid, 1: just before an event, 2: just after it", NS_FROM_SIDE, 0,
     NS_COURSE_EVENT, NS_TAKE_NOW},
    {"active", "1", "rows whose lambda is not at a bound of its law", REPORT(active)},
    {"violation", NULL,
     "law violation of the state and lambda as recorded: max |lambda - proj(lambda - y)| onto the "
     "bounds of lambda",
     REPORT(penetration)},
    {"events", "1", "events since t0 that changed the mode of a row", CERT(events)},
    {"steps", "1", "steps of the integrator since t0", CERT(flow_steps)},
    {"evaluations", "1", "evaluations of the rates by the integrator since t0",
     CERT(flow_evaluations)},
};

/* Between points of bodies: state.angle has length and force, state.rate rate and power. */
static const quantity of_forces[] = {
    {"length", "m", "length of the line through its points", NS_FROM_ANGLE, MOVING},
    {"rate", "m/s", "rate of this length", NS_FROM_RATE, MOVING},
    {"force", "N", "force along the line, positive if it pushes the points apart", NS_FROM_ANGLE, 1,
     NS_COURSE_CONTINUOUS, NS_TAKE_NOW},
    {"power", "W", "power of the force on its bodies", NS_FROM_RATE, 1, NS_COURSE_CONTINUOUS,
     NS_TAKE_NOW},
};

#define LENGTH(a) (sizeof(a) / sizeof *(a))
#define LIST(a) \
  { \
    a, LENGTH(a) \
  }
enum { GROUPS = 3 };

/* What a family of systems has, group by group. */
typedef struct family {
  struct {
    const quantity *quantity;
    size_t n;
  } of[GROUPS];
} family;
enum { SYSTEMS, INTERACTIONS, DIAGNOSTICS };
/* groups and names of observables: v, i of elements, v of nodes, value */
enum { OBSERVABLES_MAX = 8, TABLES_MAX = 32 + OBSERVABLES_MAX + LENGTH(of_forces) };
static const char *const group_names[GROUPS] = {"systems", "interactions", "diagnostics"};
static const family lagrangian = {{LIST(of_systems), LIST(of_interactions), LIST(diagnostics)}};
static const family rigid = {{LIST(of_systems), LIST(of_joints), LIST(diagnostics)}};
static const family event_driven = {
    {LIST(of_systems_events), LIST(of_interactions_events), LIST(diagnostics_events)}};
static const family rigid_events = {
    {LIST(of_systems_events), LIST(of_joints_events), LIST(diagnostics_events)}};
static const family first_order = {
    {LIST(of_first_order), LIST(of_laws), LIST(first_order_diagnostics)}};
static const family switching = {{LIST(of_first_order), LIST(of_laws), LIST(first_order_events)}};

/* What things of one kind have; mixed models as a whole: what mechanics has. */
static const family *family_of(const ns_model *m, ns_family kind)
{
  if (kind == NS_FAMILY_FIRST_ORDER) return m->sim.event_driven ? &switching : &first_order;
  if (kind == NS_FAMILY_RIGID) return m->sim.event_driven ? &rigid_events : &rigid;
  return m->sim.event_driven ? &event_driven : &lagrangian;
}

/* The kind of object i of a group. */
static ns_family kind_of(const ns_model *m, int group, int i)
{
  if (!m->mixed || group == DIAGNOSTICS) return ns_model_family(m);
  return group == SYSTEMS ? ns_system_family(&m->systems[i])
                          : ns_relation_family(m->interactions[i].relation);
}

/* ---- patterns -------------------------------------------------------------------------------- */

typedef struct filter {
  const char *const *pattern;
  int n;
  char *hit; /* [n] */
} filter;

static int matches(const char *pattern, const char *id, const char *full)
{
  return fnmatch(pattern, strchr(pattern, '.') ? full : id, 0) == 0;
}

/* Every pattern is tried, so that each knows whether it ever matched. */
static int wanted(const filter *f, const char *id, const char *full)
{
  int yes = f->n == 0;
  for (int i = 0; i < f->n; i++)
    if (matches(f->pattern[i], id, full)) yes = f->hit[i] = 1;
  return yes;
}

/* ---- walking over all channels of a model ---------------------------------------------------- */

/* A channel before it is written down. */
typedef struct candidate {
  const char *group, *id;
  const quantity *q;
  const ns_system *system; /* whose it is, NULL: of no system */
  const ns_interaction *interaction;
  const char *const *names; /* of the components, NULL where none */
  int n, vector;
  size_t offset;
} candidate;

typedef int (*visit)(void *to, const candidate *k);

/* The same for the user vector of system i; n = 0 where it is not shown. */
static candidate user_vector(const ns_model *m, int i, const candidate *base)
{
  const ns_system *s = &m->systems[i];
  candidate k = *base;
  /* which of them is written: not worth a search */
  int shown = ns_system_is_first_order(s) || s->znames || m->ncontrols;
  k.names = s->znames;
  k.n = shown ? s->nz : 0;
  k.offset = s->z;
  return k;
}

static int has_boundary(const ns_model *m, int i)
{
  for (int b = 0; b < m->nboundaries; b++)
    if (m->boundaries[b].system == i) return 1;
  return 0;
}

/* The part of a quantity that is of system i. */
static candidate of_system(const ns_model *m, int i, const quantity *q, const candidate *base)
{
  const ns_system *s = &m->systems[i];
  candidate k = *base;
  if (q->from == NS_FROM_Z) return user_vector(m, i, base);
  int coordinates = q->from == NS_FROM_Q;
  k.names = ns_system_names(s, q->name);
  k.n = coordinates ? s->nq : s->n;
  k.offset = coordinates ? s->q : s->v;
  if (q->from == NS_FROM_SUPPORT && !has_boundary(m, i)) k.n = 0;
  return k;
}

/* The part of a quantity that is of interaction i: all of its rows, or the free coordinate of a
 * joint, angle before slide. */
static candidate of_interaction(const ns_model *m, int i, const quantity *q, const candidate *base)
{
  const ns_interaction *it = &m->interactions[i];
  candidate k = *base;
  if (q->from != NS_FROM_ANGLE && q->from != NS_FROM_RATE) return k;
  int is_joint = it->relation && it->relation->flags & NS_REL_JOINT, slide = q->offset != 0;
  k.n = is_joint && ns_joint_is_free(&it->joint, slide);
  k.offset = it->angle + (slide && ns_joint_is_free(&it->joint, 0));
  return k;
}

/* Sums of the certificate that not every model has. */
static int has_sum(const ns_model *m, const quantity *q)
{
  int friction = q->offset == offsetof(ns_certificate, work_friction),
      driven = q->offset == offsetof(ns_certificate, work_driven);
  if (q->from != NS_FROM_CERT || !(friction || driven)) return 1;
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (!it->law.ops || !it->relation) continue; /* of a model made by hand */
    if (friction ? ns_interaction_has_friction(it) : ns_interaction_is_driven(it)) return 1;
  }
  return 0;
}

/* Which candidates a walk comes to: those of this name in this group; NULL: all. Large models are
 * walked over for each of their tables. */
typedef struct part {
  const quantity *only;
  const char *group;
} part;

static int is_in(const part *w, const char *group)
{
  return !w->group || w->group == group || !strcmp(w->group, group);
}

/* All quantities of an object; i: its number. */
static int walk_list(const ns_model *m, const part *w, int group, int i, const candidate *base,
                     visit fn, void *to)
{
  const family *f = family_of(m, kind_of(m, group, i));
  for (size_t e = 0; e < f->of[group].n; e++) {
    const quantity *q = &f->of[group].quantity[e];
    if (w->only && q != w->only && strcmp(q->name, w->only->name) != 0) continue;
    candidate k = group == SYSTEMS        ? of_system(m, i, q, base)
                  : group == INTERACTIONS ? of_interaction(m, i, q, base)
                                          : *base;
    if (group == DIAGNOSTICS && !has_sum(m, q)) k.n = 0;
    k.group = group_names[group];
    k.q = q;
    if (!k.vector) k.offset = q->offset;
    int rc = fn(to, &k);
    if (rc) return rc;
  }
  return 0;
}

static quantity of_observable(const ns_model *m, const ns_observable *o)
{
  return (quantity){o->name,
                    o->unit,
                    o->help ? o->help : "observable",
                    NS_FROM_OBSERVABLE,
                    0,
                    ns_course_of_formula(m, &o->value),
                    NS_TAKE_NOW};
}

/* Multipliers and inputs of first order are as held as the scheme holds them. */
static ns_course course_of(const ns_model *m, const quantity *q)
{
  int multiplier = q->from == NS_FROM_LAMBDA || q->from == NS_FROM_P;
  return multiplier && ns_model_is_first_order(m) ? ns_course_of_multipliers(m) : q->course;
}

static int walk_force(const ns_body_force *f, visit fn, void *to)
{
  int rc = 0;
  for (size_t e = 0; e < LENGTH(of_forces) && !rc; e++) {
    const quantity *q = &of_forces[e];
    candidate k = {.group = "forces",
                   .id = f->at.id,
                   .q = q,
                   .n = 1,
                   .vector = 1,
                   .offset = f->angle + q->offset};
    rc = fn(to, &k);
  }
  return rc;
}

/* The id of an object, or a made one: systems built without the model language may have none. */
static const char *id_of(const ns_place *at, const char *kind, int i, char *buf, size_t n)
{
  if (at->id) return at->id;
  snprintf(buf, n, "%s%d", kind, i);
  return buf;
}

static int walk_observables(const ns_model *m, const part *w, visit fn, void *to)
{
  int rc = 0;
  for (int i = 0; i < m->nobservables && !rc; i++) {
    const ns_observable *o = &m->observables[i];
    if (!is_in(w, o->group)) continue;
    quantity q = of_observable(m, o);
    candidate k = {
        .group = o->group, .id = o->id, .q = &q, .n = 1, .vector = 1, .offset = (size_t)i};
    rc = fn(to, &k);
  }
  return rc;
}

static int walk_part(const ns_model *m, const part *w, visit fn, void *to)
{
  int rc = 0;
  char made[32];
  for (int i = 0; is_in(w, group_names[SYSTEMS]) && i < m->nsystems && !rc; i++) {
    const ns_system *s = &m->systems[i];
    const char *id = id_of(&s->at, "system", i, made, sizeof made);
    candidate k = {.id = id, .system = s, .vector = 1};
    rc = walk_list(m, w, SYSTEMS, i, &k, fn, to);
  }
  for (int i = 0; is_in(w, group_names[INTERACTIONS]) && i < m->ninteractions && !rc; i++) {
    const ns_interaction *it = &m->interactions[i];
    const char *id = id_of(&it->at, "interaction", i, made, sizeof made);
    candidate k = {.id = id, .interaction = it, .n = it->m, .vector = 1, .offset = it->row};
    rc = walk_list(m, w, INTERACTIONS, i, &k, fn, to);
  }
  for (int i = 0; i < m->nforces && !rc; i++) rc = walk_force(&m->forces[i], fn, to);
  if (!rc) rc = walk_observables(m, w, fn, to);
  candidate k = {.id = "diagnostics", .n = 1};
  return rc || !is_in(w, group_names[DIAGNOSTICS]) ? rc
                                                   : walk_list(m, w, DIAGNOSTICS, 0, &k, fn, to);
}

static int walk(const ns_model *m, visit fn, void *to)
{
  return walk_part(m, &(const part){0}, fn, to);
}

/* ---- building -------------------------------------------------------------------------------- */

typedef struct builder {
  const ns_model *m;
  ns_arena *a;
  filter f;
  ns_channels *out;
  const quantity *only; /* of a table; NULL: all */
  const char *group;    /* of `only` */
  size_t fill;          /* columns of the table so far */
  char *texts;          /* room for labels of tables [left] */
  size_t left;
} builder;

enum { TEXTS = 1 << 16 };

/* "a<sep>b" in the arena. */
static char *join(ns_arena *a, const char *x, const char *sep, const char *y)
{
  size_t nx = strlen(x), nsep = strlen(sep), ny = strlen(y) + 1;
  char *s = ns_arena_get(a, nx + nsep + ny, 1);
  if (!s) return NULL;
  memcpy(s, x, nx);
  memcpy(s + nx, sep, nsep);
  memcpy(s + nx + nsep, y, ny);
  return s;
}

const char *ns_channel_label(ns_arena *a, const char *group, const char *id, const char *what,
                             const char *const *names, int n, int i)
{
  char tail[256];
  if (!names && n == 1 && strcmp(group, "systems") != 0) return join(a, id, ".", what);
  int system = strcmp(group, "systems") == 0,
      q = strcmp(what, "q") == 0 || strcmp(what, "x") == 0 || strcmp(what, "z") == 0;
  if (names && !strcmp(what, "v") && !strncmp(names[i], "Omega_", 6))
    snprintf(tail, sizeof tail, "%s", names[i]);
  else if (names) snprintf(tail, sizeof tail, "%s%s%s", q ? "" : what, q ? "" : "_", names[i]);
  else if (system || n > 1) snprintf(tail, sizeof tail, "%s[%d]", what, i);
  else snprintf(tail, sizeof tail, "%s", what);
  return join(a, id, ".", tail);
}

static const char *label(ns_arena *a, const candidate *k, int i)
{
  return ns_channel_label(a, k->group, k->id, k->q->name, k->names, k->n, i);
}

/* ---- units ----------------------------------------------------------------------------------- */

const char *ns_channel_rate_unit(ns_arena *a, const char *u)
{
  static const char *const known[][2] = {{"m", "m/s"},     {"rad", "rad/s"},     {"1", "1/s"},
                                         {"m/s", "m/s^2"}, {"rad/s", "rad/s^2"}, {"V", "V/s"},
                                         {"A", "A/s"},     {"s", "1"},           {"J", "W"}};
  for (size_t i = 0; u && i < LENGTH(known); i++)
    if (!strcmp(known[i][0], u)) return known[i][1];
  return u ? join(a, u, "/", "s") : NULL;
}

/* Of what does work on a coordinate in u; `plain`: of a length, "N" or "N s". */
static const char *force_unit(const char *u, const char *plain)
{
  if (!u || !strcmp(u, "m")) return plain;
  if (strcmp(u, "rad")) return NULL;
  return !strcmp(plain, "N s") ? "N m s" : "N m";
}

static const char *unit_in_system(ns_arena *a, const candidate *k, int i)
{
  const ns_system *s = k->system;
  switch (k->q->from) {
  case NS_FROM_Q: return ns_system_unit(s, i, 0);
  case NS_FROM_V: return ns_channel_rate_unit(a, ns_system_unit(s, i, 1));
  case NS_FROM_Z: return s->zunits ? s->zunits[i] : NULL;
  case NS_FROM_P:
    if (ns_system_is_first_order(s)) /* r of M x' = f + r */
      return s->fo.M.how == NS_OP_ABSENT ? ns_channel_rate_unit(a, ns_system_unit(s, i, 0)) : NULL;
    /* fall through */
  case NS_FROM_SUPPORT: return k->q->unit ? force_unit(ns_system_unit(s, i, 1), k->q->unit) : NULL;
  default: return k->q->unit;
  }
}

/* Of a row whose unit is its own. */
static const char *unit_of_row(ns_arena *a, const candidate *k, int i)
{
  const ns_interaction *it = k->interaction;
  switch (k->q->from) {
  case NS_FROM_Y: return it->row_units[i];
  case NS_FROM_YDOT: return ns_channel_rate_unit(a, it->row_units[i]);
  case NS_FROM_LAMBDA: return it->row_lambda_units[i];
  default: return k->q->unit;
  }
}

static const char *unit_in_interaction(ns_arena *a, const candidate *k, int i)
{
  const ns_interaction *it = k->interaction;
  if (it->row_units) return unit_of_row(a, k, i);
  switch (k->q->from) {
  case NS_FROM_Y: return it->unit ? it->unit : k->q->unit;
  case NS_FROM_YDOT: return it->unit ? ns_channel_rate_unit(a, it->unit) : k->q->unit;
  case NS_FROM_LAMBDA:
  case NS_FROM_IMPULSE:
    if (it->lambda_unit && !strcmp(k->q->name, "lambda")) return it->lambda_unit;
    return it->unit && k->q->unit ? force_unit(it->unit, k->q->unit) : k->q->unit;
  default: return k->q->unit;
  }
}

/* Of component i; NULL where unknown. */
static const char *unit_of(ns_arena *a, const candidate *k, int i)
{
  if (k->system) return unit_in_system(a, k, i);
  return k->interaction ? unit_in_interaction(a, k, i) : k->q->unit;
}

static int same_unit(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

/* Of all components in ch->unit where they have one, else in `all` [ncol], which may be NULL: out
 * of memory. */
static int put_units(ns_channel *ch, const char **all)
{
  int same = 1;
  if (!all) return -1;
  for (int i = 1; i < ch->ncol && same; i++) same = same_unit(all[i], all[0]);
  ch->unit = same && ch->ncol ? all[0] : NULL;
  ch->units = same ? NULL : all;
  return 0;
}

/* systems/ball/q, but diagnostics/newton */
static const char *path(ns_arena *a, const candidate *k)
{
  if (!k->vector) return join(a, k->group, "/", k->q->name);
  char *head = join(a, k->group, "/", k->id);
  return head ? join(a, head, "/", k->q->name) : NULL;
}

/* Whether a candidate is wanted; its full name is only made where there are patterns. */
static int is_wanted(const builder *b, const candidate *k)
{
  char full[512];
  if (b->f.n) snprintf(full, sizeof full, "%s.%s", k->id, k->q->name);
  return wanted(&b->f, k->id, full);
}

static int chosen(const builder *b, const candidate *k)
{
  if (b->only && (strcmp(k->q->name, b->only->name) != 0 || strcmp(k->group, b->group) != 0))
    return 0;
  return k->n > 0 && is_wanted(b, k);
}

static int count(void *to, const candidate *k)
{
  builder *b = to;
  if (!chosen(b, k)) return 0;
  b->out->n++;
  b->out->ncols += (size_t)k->n;
  return 0;
}

/* A label. Those of tables, of which there may be millions, stand side by side: a text of its own
 * takes at least 32 bytes of an arena. */
static const char *add_label(builder *b, const candidate *k, int i)
{
  ns_mark mark = ns_arena_mark(b->a);
  const char *own = label(b->a, k, i);
  size_t n = own ? strlen(own) + 1 : 0;
  if (!own || !b->only) return own;
  if (n > b->left) {
    b->texts = ns_arena_get(b->a, TEXTS, 1);
    b->left = b->texts ? TEXTS : 0;
    return own;
  }
  const char *packed = memcpy(b->texts, own, n);
  ns_arena_release(b->a, mark);
  b->texts += n;
  b->left -= n;
  return packed;
}

/* Columns of a candidate: their labels, and their places behind those already there. */
static int add_columns(builder *b, const candidate *k, const char **labels)
{
  ns_channels *o = b->out;
  for (int i = 0; i < k->n; i++) {
    if (!(labels[i] = add_label(b, k, i))) return -1;
    o->source[o->ncols++] = (ns_column_source){
        .from = k->q->from, .take = k->q->take, .offset = k->offset + (k->vector ? (size_t)i : 0)};
  }
  return 0;
}

static int add(void *to, const candidate *k)
{
  builder *b = to;
  ns_channels *o = b->out;
  if (!chosen(b, k)) return 0;
  const char **labels = ns_arena_get(b->a, (size_t)k->n, sizeof *labels);
  ns_channel ch = {.path = path(b->a, k),
                   .help = k->q->help,
                   .col = o->ncols,
                   .ncol = k->n,
                   .vector = k->vector,
                   .labels = labels,
                   .unit = k->q->unit,
                   .course = course_of(b->m, k->q)};
  const char *one, **units = k->n == 1 ? &one : ns_arena_get(b->a, (size_t)k->n, sizeof *units);
  if (!labels || !ch.path || !units) return -1;
  ch.names = k->names;
  for (int i = 0; i < k->n; i++) units[i] = unit_of(b->a, k, i);
  if (put_units(&ch, units)) return -1;
  o->channel[o->n++] = ch;
  return add_columns(b, k, labels);
}

static int add_to_table(void *to, const candidate *k)
{
  builder *b = to;
  if (!chosen(b, k)) return 0;
  const ns_channel *table = &b->out->channel[b->out->n];
  const char **labels = (const char **)(uintptr_t)table->labels + b->fill,
             **units = (const char **)(uintptr_t)table->units + b->fill;
  for (int i = 0; i < k->n; i++) units[i] = unit_of(b->a, k, i);
  b->fill += (size_t)k->n;
  return add_columns(b, k, labels);
}

static int add_table(builder *b, const ns_model *m, const char *group, const quantity *q)
{
  ns_channels *o = b->out, counted = {0};
  const part w = {.only = q, .group = group};
  b->only = q;
  b->group = group;
  b->fill = 0;
  builder counter = *b;
  counter.out = &counted;
  walk_part(m, &w, count, &counter);
  if (!counted.n) return 0;
  const char **labels = ns_arena_get(b->a, counted.ncols, sizeof *labels);
  const char **units = ns_arena_get(b->a, counted.ncols, sizeof *units);
  o->channel[o->n] = (ns_channel){.path = join(b->a, group, "/", q->name),
                                  .help = q->help,
                                  .col = o->ncols,
                                  .ncol = (int)counted.ncols,
                                  .vector = 1,
                                  .labels = labels,
                                  .names = labels,
                                  .units = units,
                                  .course = course_of(m, q)};
  if (!labels || !units || !o->channel[o->n].path || walk_part(m, &w, add_to_table, b)) return -1;
  return put_units(&o->channel[o->n++], units);
}

/* One table for all observables of a group and name. */
static int add_observable_tables(builder *b, const ns_model *m)
{
  int first[OBSERVABLES_MAX], n = 0, rc = 0;
  for (int i = 0; i < m->nobservables && !rc; i++) {
    const ns_observable *o = &m->observables[i];
    int known = 0;
    for (int k = 0; k < n && !known; k++)
      known = !strcmp(m->observables[first[k]].group, o->group) &&
              !strcmp(m->observables[first[k]].name, o->name);
    if (known || n == OBSERVABLES_MAX) continue;
    quantity q = of_observable(m, o);
    first[n++] = i;
    rc = add_table(b, m, o->group, &q);
  }
  return rc;
}

/* A quantity of this name is in the list. */
static int has_name(const family *f, int group, const char *name)
{
  return NS_NAMED_INDEX(quantity, name, f->of[group].quantity, f->of[group].n, name) >= 0;
}

/* Quantities that the others of a mixed model have beside those of f. */
static int add_tables_beside(builder *b, const ns_model *m, const family *f, int g)
{
  static const ns_family kinds[] = {NS_FAMILY_FIRST_ORDER, NS_FAMILY_RIGID};
  int rc = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds && m->mixed; k++) {
    const family *beside = family_of(m, kinds[k]);
    const family *before = k ? family_of(m, kinds[0]) : f;
    for (size_t i = 0; i < beside->of[g].n && !rc; i++) {
      const quantity *q = &beside->of[g].quantity[i];
      if (!has_name(f, g, q->name) && !(k && has_name(before, g, q->name)))
        rc = add_table(b, m, group_names[g], q);
    }
  }
  return rc;
}

static int add_tables(builder *b, const ns_model *m)
{
  const family *f = family_of(m, ns_model_family(m));
  int rc = 0;
  for (int g = SYSTEMS; g <= INTERACTIONS; g++) {
    for (size_t i = 0; i < f->of[g].n && !rc; i++)
      rc = add_table(b, m, group_names[g], &f->of[g].quantity[i]);
    if (!rc) rc = add_tables_beside(b, m, f, g);
  }
  for (size_t i = 0; i < LENGTH(of_forces) && m->nforces && !rc; i++)
    rc = add_table(b, m, "forces", &of_forces[i]);
  if (!rc) rc = add_observable_tables(b, m);
  for (size_t i = 0; i < f->of[DIAGNOSTICS].n && !rc; i++) {
    b->only = &f->of[DIAGNOSTICS].quantity[i];
    b->group = group_names[DIAGNOSTICS];
    rc = walk_part(m, &(const part){b->only, b->group}, add, b);
  }
  return rc;
}

static void add_time(ns_channels *o)
{
  static const char *const name[] = {"time"};
  o->channel[0] = (ns_channel){.path = "time",
                               .help = "time; values are those at the end of a step",
                               .ncol = 1,
                               .labels = name,
                               .unit = "s"};
  o->source[0] = (ns_column_source){.from = NS_FROM_T, .take = NS_TAKE_NOW};
  o->n = 1;
  o->ncols = 1;
}

/* ---- a pattern that matches nothing ---------------------------------------------------------- */

typedef struct hint {
  ns_arena *a;
  const char *pattern;
  ns_suggest s;
  const char *whole; /* the channel that the pattern is a component of */
} hint;

static int offer(void *to, const candidate *k)
{
  hint *h = to;
  const char *full = join(h->a, k->id, ".", k->q->name);
  const char *id = ns_arena_text(h->a, k->id);
  if (!full || !id) return -1;
  ns_suggest_offer(&h->s, strchr(h->pattern, '.') ? full : id);
  for (int i = 0; i < k->n && k->vector; i++) {
    const char *l = label(h->a, k, i);
    if (!l) return -1;
    if (strcmp(l, h->pattern) == 0) {
      h->whole = full;
      return 1;
    }
  }
  return 0;
}

static int unmatched(ns_ctx *c, const ns_model *m, ns_arena *a, const char *pattern)
{
  static const char form[] =
      "a pattern is `id.quantity` with * and ?, such as \"ball.q\" or \"*.lambda\"";
  hint h = {.a = a, .pattern = pattern, .s = ns_suggest_for(pattern, strlen(pattern))};
  if (walk(m, offer, &h) < 0) return ns_nomem(c, "names of channels");
  if (h.whole)
    return ns_fail(c, NS_USAGE, "record \"%s\": components are recorded together; write \"%s\"",
                   pattern, h.whole);
  if (h.s.best)
    return ns_fail(c, NS_USAGE, "record \"%s\" matches no quantity; did you mean \"%s\"? (%s)",
                   pattern, h.s.best, form);
  return ns_fail(c, NS_USAGE, "record \"%s\" matches no quantity; %s", pattern, form);
}

static int all_hit(ns_ctx *c, const ns_model *m, ns_arena *a, const filter *f)
{
  for (int i = 0; i < f->n; i++)
    if (!f->hit[i] && strcmp(f->pattern[i], "time") != 0) return unmatched(c, m, a, f->pattern[i]);
  return NS_OK;
}

int ns_channels_list(ns_ctx *c, const ns_model *m, const char *const *patterns, int npatterns,
                     ns_arena *a, ns_channels *out)
{
  *out = (ns_channels){0};
  int np = patterns && npatterns > 0 ? npatterns : 0;
  builder b = {
      .m = m, .a = a, .f = {patterns, np, ns_arena_zero(a, (size_t)np + 1, 1)}, .out = out};
  if (!b.f.hit) return ns_nomem(c, "patterns of --record");
  walk(m, count, &b);
  ns_mark mark = ns_arena_mark(a);
  int rc = all_hit(c, m, a, &b.f);
  ns_arena_release(a, mark);
  if (rc) return rc;
  int many = out->n > NS_CHANNELS_MANY;
  out->channel = ns_arena_get(a, many ? TABLES_MAX : (size_t)out->n + 1, sizeof *out->channel);
  out->source = ns_arena_get(a, out->ncols + 1, sizeof *out->source);
  if (!out->channel || !out->source) return ns_nomem(c, "channels of the output");
  add_time(out);
  rc = many ? add_tables(&b, m) : walk(m, add, &b);
  return rc ? ns_nomem(c, "channels of the output") : NS_OK;
}

_Static_assert(1 + LENGTH(of_systems) + LENGTH(of_interactions) + LENGTH(diagnostics) <= 32,
               "channels of many objects");
_Static_assert(1 + LENGTH(of_first_order) + LENGTH(of_laws) + LENGTH(first_order_diagnostics) <= 32,
               "channels of many first-order objects");

const double *ns_column_address(const ns_column_source *s, const ns_state *x,
                                const ns_step_report *report)
{
  const double *base[] = {[NS_FROM_T] = x->t,
                          [NS_FROM_Q] = x->q,
                          [NS_FROM_V] = x->v,
                          [NS_FROM_P] = x->p,
                          [NS_FROM_Z] = x->z,
                          [NS_FROM_Y] = x->y,
                          [NS_FROM_YDOT] = x->ydot,
                          [NS_FROM_LAMBDA] = x->lambda,
                          [NS_FROM_IMPULSE] = x->impulse,
                          [NS_FROM_SIDE] = x->side,
                          [NS_FROM_OBSERVABLE] = x->observable,
                          [NS_FROM_SUPPORT] = x->support,
                          [NS_FROM_ANGLE] = x->angle,
                          [NS_FROM_RATE] = x->rate,
                          [NS_FROM_REPORT] = (const double *)report};
  if (s->from == NS_FROM_CERT)
    return (const double *)(const void *)((const char *)x->cert + s->offset);
  return base[s->from] + s->offset;
}
