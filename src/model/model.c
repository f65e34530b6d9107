/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/model.h"

#include "algebra/rotation.h"
#include "base/grow.h"
#include "model/check/check.h"
#include "model/check/given.h"
#include "model/controls/control.h"
#include "model/foreign.h"
#include "model/law_values.h"
#include "model/measure.h"
#include "model/relations/joint_start.h"
#include "model/relations/rigid_relation.h"
#include "model/systems/rigid_force.h"
#include "model/user_event.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *ns_place_text(const ns_place *p, char *buf, size_t n)
{
  const char *file = p->file ? p->file : "(model)";
  if (p->id) snprintf(buf, n, "%s:%d: <%s id=\"%s\">", file, p->line, p->element, p->id);
  else snprintf(buf, n, "%s:%d: <%s>", file, p->line, p->element ? p->element : "?");
  return buf;
}

int ns_fail_at(ns_ctx *c, int rc, const ns_place *at, const char *fmt, ...)
{
  char place[512], msg[sizeof c->msg];
  NS_FORMAT(msg, fmt);
  return ns_fail(c, rc, "%s: %s", ns_place_text(at, place, sizeof place), msg);
}

void ns_warn_at(ns_ctx *c, const ns_place *at, const char *fmt, ...)
{
  char place[512], msg[sizeof c->msg];
  NS_FORMAT(msg, fmt);
  ns_warn(c, "%s: %s", ns_place_text(at, place, sizeof place), msg);
}

const char *ns_system_coordinate(const ns_system *s, int k, char *buf, size_t n)
{
  if (s->names) return s->names[k];
  snprintf(buf, n, "%c[%d]", ns_system_is_first_order(s) ? 'x' : 'q', k);
  return buf;
}

ns_simulation_options ns_simulation_defaults(void)
{
  return (ns_simulation_options){
      .strategy = "TimeStepping",
      .integrator = "MoreauJeanOSI",
      .problem = NULL,
      .ts = {.newton_atol = 1e-13, .newton_rtol = 1e-10, .newton_max = 50},
      .em = {.theta = 1, .gamma = 1},
      .proj = {.unilateral_tol = 1e-8, .equality_tol = 1e-8, .passes = 50, .activation = 0},
      .d1_tol = 1e-8,
      .ed = {.rtol = 1e-10,
             .atol = 1e-12,
             .max_step = INFINITY,
             .step = INFINITY,
             .rho_inf = 0.9,
             .beta = 0.25,
             .gamma = 0.5,
             .newton_max = 20,
             .method = NS_FLOW_CHOSEN,
             .gap_tol = 1e-10,
             .speed_tol = 1e-8,
             .rest_speed = 1e-6,
             .max_events = 10000,
             .certificate = NS_CERTIFICATE_ON},
      .mj = {.theta = 0.5,
             .gamma = 0.5,
             .mass_gamma = 0.5,
             .rows_gamma = NAN,
             .velocity_threshold = INFINITY},
      .osnsp = {.solver = "auto",
                .tol = 1e-10,
                .granular_tol = 1e-4,
                .accepted = 1e-3,
                .omega = 1,
                .threads = 1}};
}

ns_model *ns_model_create(ns_ctx *c)
{
  ns_model *m = NS_ARENA_OBJECT(ns_model, arena);
  if (!m) {
    ns_nomem(c, "model");
    return NULL;
  }
  m->name = m->title = "";
  m->sim = ns_simulation_defaults();
  m->out.every = 1;
  return m;
}

void ns_model_destroy(ns_model *m)
{
  if (!m) return;
  NS_FREE(m->systems, m->interactions, m->controls, m->observables, m->boundaries, m->forces,
          m->measures, m->user_events, m->given, m->law_formulas);
  ns_arena_destroy(m->arena);
}

/* What ns_append returned; its failure is reported. */
static int added(ns_ctx *c, int index, const char *what)
{
  return index < 0 ? ns_nomem(c, what) : index;
}

int ns_model_add_system(ns_model *m, ns_ctx *c, const ns_system *s)
{
  int k = ns_append(&m->systems, &m->nsystems, s);
  if (k < 0) return ns_nomem(c, "systems of the model");
  m->systems[k].nq = ns_system_coordinates(s);
  if (ns_system_family(s) != ns_system_family(&m->systems[0]) || ns_foreign_reads(s)) m->mixed = 1;
  return k;
}

int ns_model_add_given(ns_model *m, ns_ctx *c, const ns_given *g)
{
  return ns_append(&m->given, &m->ngiven, g) < 0 ? ns_nomem(c, "derivatives of the model") : NS_OK;
}

/* A relation of first order reads other systems, or acts on mechanics. */
static int reads_or_acts(const ns_model *m, const ns_interaction *it)
{
  for (int k = 0; k < it->nsystems; k++)
    if (!ns_system_is_first_order(&m->systems[it->systems[k]])) return 1;
  return ns_operator_foreign(&it->fo.e) || ns_operator_foreign(&it->fo.h);
}

static int drive_reads_others(const ns_joint_drive *d)
{
  return ns_operator_foreign(&d->force[0]) || ns_operator_foreign(&d->force[1]);
}

int ns_model_add_interaction(ns_model *m, ns_ctx *c, const ns_interaction *i)
{
  int at = ns_append(&m->interactions, &m->ninteractions, i);
  if (at < 0) return ns_nomem(c, "interactions of the model");
  ns_interaction *own = &m->interactions[at];
  own->nV = 0;
  for (int k = 0; k < i->nsystems; k++) own->nV += m->systems[i->systems[k]].n;
  if (ns_interaction_is_first_order(i) && reads_or_acts(m, i)) m->mixed = 1;
  if (i->relation->flags & NS_REL_JOINT && i->drive && drive_reads_others(i->drive)) m->mixed = 1;
  return at;
}

int ns_model_add_control(ns_model *m, ns_ctx *c, const ns_control *k)
{
  return added(c, ns_append(&m->controls, &m->ncontrols, k), "controls of the model");
}

int ns_model_add_observable(ns_model *m, ns_ctx *c, const ns_observable *o)
{
  return added(c, ns_append(&m->observables, &m->nobservables, o), "observables of the model");
}

int ns_model_add_force(ns_model *m, ns_ctx *c, const ns_body_force *f)
{
  if (ns_operator_foreign(&f->along) || ns_operator_foreign(&f->vector) ||
      ns_operator_foreign(&f->torque))
    m->mixed = 1;
  return added(c, ns_append(&m->forces, &m->nforces, f), "forces of the model");
}

int ns_model_add_boundary(ns_model *m, ns_ctx *c, const ns_boundary *b)
{
  return added(c, ns_append(&m->boundaries, &m->nboundaries, b),
               "boundary conditions of the model");
}

int ns_model_add_measure(ns_model *m, ns_ctx *c, const ns_measure *s)
{
  return added(c, ns_append(&m->measures, &m->nmeasures, s), "measures of the model");
}

int ns_model_add_user_event(ns_model *m, ns_ctx *c, const ns_user_event *e)
{
  return added(c, ns_append(&m->user_events, &m->nuser_events, e), "events of the model");
}

int ns_model_add_law_formula(ns_model *m, ns_ctx *c, const ns_law_formula *f)
{
  return added(c, ns_append(&m->law_formulas, &m->nlaw_formulas, f), "laws of the model");
}

int ns_interaction_has_friction(const ns_interaction *it)
{
  if (!it->law.ops || !it->relation) return 0; /* built without kinds: plain contact */
  if (ns_law_has_cone(it->law.ops)) return 1;
  return !(it->relation->flags & NS_REL_COMPLIANT) && ns_law_is_box(it->law.ops) &&
         !ns_law_is_free(&it->law, 0);
}

int ns_interaction_is_driven(const ns_interaction *it)
{
  if (!it->relation || it->relation->flags & (NS_REL_LINEAR | NS_REL_FIRST_ORDER | NS_REL_JOINT |
                                              NS_REL_AXIS | NS_REL_SHAPES))
    return 0;
  if (it->relation->flags & NS_REL_POINT)
    return (it->point.P1.uses | it->point.P2.uses | it->point.n.uses) >> NS_BANK_T & 1u;
  return it->lr.ht.how != NS_OP_ABSENT ||
         (it->lr.h.how > NS_OP_CONSTANT && it->lr.h.uses >> NS_BANK_T & 1u);
}

ns_family ns_system_family(const ns_system *s)
{
  if (ns_system_is_rigid(s)) return NS_FAMILY_RIGID;
  return ns_system_is_first_order(s) ? NS_FAMILY_FIRST_ORDER : NS_FAMILY_LAGRANGIAN;
}

ns_family ns_relation_family(const ns_relation_kind *k)
{
  if (k->flags & NS_REL_RIGID) return NS_FAMILY_RIGID;
  return k->flags & NS_REL_FIRST_ORDER ? NS_FAMILY_FIRST_ORDER : NS_FAMILY_LAGRANGIAN;
}

ns_family ns_interaction_family(const ns_interaction *it)
{
  return it->relation ? ns_relation_family(it->relation) : NS_FAMILY_LAGRANGIAN;
}

ns_family ns_model_family(const ns_model *m)
{
  if (m->mixed) return NS_FAMILY_MIXED;
  return m->nsystems > 0 ? ns_system_family(&m->systems[0]) : NS_FAMILY_LAGRANGIAN;
}

size_t ns_model_joint_angles(const ns_model *m)
{
  return m->nangles - (size_t)m->nforces * NS_FORCE_SHOWN;
}

int ns_model_is_mortal(const ns_model *m)
{
  int mortal = m->contact.mortal;
  for (int i = 0; i < m->nsystems && !mortal; i++) mortal = ns_system_life(&m->systems[i]) != NULL;
  return mortal;
}

static void keep_next(const ns_life *l, double t, double *next)
{
  if (l && l->birth > t) *next = fmin(*next, l->birth);
  if (l && l->death > t) *next = fmin(*next, l->death);
}

double ns_model_next_life(const ns_model *m, double t)
{
  double next = INFINITY;
  for (int i = 0; i < m->nsystems; i++) keep_next(ns_system_life(&m->systems[i]), t, &next);
  for (int i = 0; i < m->contact.nshapes; i++) keep_next(m->contact.shape[i].life, t, &next);
  return next;
}

int ns_model_shape_exists(const ns_model *m, int shape, double t)
{
  const ns_body_shape *s = &m->contact.shape[shape];
  const ns_life *body = s->system < 0 ? NULL : m->systems[s->system].rigid.life;
  return ns_life_holds(s->life, t) && ns_life_holds(body, t);
}

int ns_model_has_rates(const ns_model *m)
{
  int some = 0;
  for (int i = 0; i < m->nsystems; i++) some |= ns_system_is_first_order(&m->systems[i]);
  return some;
}

int ns_model_is_first_order(const ns_model *m)
{
  return ns_model_family(m) == NS_FAMILY_FIRST_ORDER;
}

const ns_system *ns_model_body(const ns_model *m)
{
  for (int i = 0; i < m->nsystems; i++)
    if (ns_system_is_rigid(&m->systems[i])) return &m->systems[i];
  return NULL;
}

const ns_integrator_use *ns_model_integrator(const ns_model *m, const ns_system *s)
{
  return m->nintegrators ? &m->integrators[s->integrator] : NULL;
}

int ns_system_entries(const ns_system *s, int bank)
{
  if (bank == NS_BANK_Z) return s->nz;
  return bank == NS_BANK_V ? s->n : s->nq;
}

size_t ns_system_place(const ns_system *s, int bank)
{
  if (bank == NS_BANK_Z) return s->z;
  return bank == NS_BANK_V ? s->v : s->q;
}

size_t ns_model_entry(const ns_model *m, const int *systems, int n, int bank, int k)
{
  const ns_system *s = &m->systems[*systems];
  for (int i = 1; i < n && k >= ns_system_entries(s, bank); i++) {
    k -= ns_system_entries(s, bank);
    s = &m->systems[systems[i]];
  }
  return ns_system_place(s, bank) + (size_t)k;
}

int ns_system_coordinates(const ns_system *s)
{
  unsigned flags = s->kind ? s->kind->flags : 0; /* built without a kind: Lagrangian */
  return flags & NS_SYS_RIGID && !(flags & NS_SYS_PLANAR) ? 7 : s->n;
}

void ns_system_start(const ns_system *s, double *q)
{
  memcpy(q, s->q0, (size_t)s->nq * sizeof *q);
  if (s->nq != s->n) ns_quaternion_unit(q + 3);
}

void ns_model_mark_held(const ns_model *m, unsigned char *held)
{
  for (int i = 0; i < m->nboundaries; i++) {
    const ns_boundary *b = &m->boundaries[i];
    for (int k = 0; k < b->n; k++) held[m->systems[b->system].v + (size_t)b->dof[k]] = 1;
  }
}

int ns_model_count_held(const ns_model *m)
{
  int n = 0;
  for (int i = 0; i < m->nboundaries; i++) n += m->boundaries[i].n;
  return n;
}

size_t ns_model_targets_work(const ns_model *m)
{
  size_t max = 0;
  for (int i = 0; i < m->nboundaries; i++) {
    const ns_boundary *b = &m->boundaries[i];
    size_t value = ns_operator_work(&b->value), rate = ns_operator_work(&b->rate),
           w = 2 * (size_t)b->n + (value > rate ? value : rate);
    max = w > max ? w : max;
  }
  return max;
}

/* A function of a boundary condition at t to out [n]; work behind it. */
static int eval_boundary(const ns_boundary *b, ns_ctx *c, const ns_operator *of, double t,
                         double *work, double *out)
{
  ns_point p = {.t = t, .n = b->n, .index = b->index};
  if (of->how) return ns_operator_eval(of, c, &p, work, out);
  memset(out, 0, (size_t)b->n * sizeof *out);
  return NS_OK;
}

/* What a plug-in prescribes has no formula of its rate: (8 (f_1 - f_-1) - f_2 + f_-2)/(12 d), whose
 * truncation and rounding are both next to nothing for d of 3/1000 of a step of the grid. */
static int difference_boundary(const ns_boundary *b, ns_ctx *c, double t, double d, double *work,
                               double *out)
{
  static const double weight[] = {1, -8, 0, 8, -1};
  double *f = work;
  int rc = NS_OK;
  memset(out, 0, (size_t)b->n * sizeof *out);
  for (int at = -2; at <= 2 && !rc; at++) {
    if (at != 0) rc = eval_boundary(b, c, &b->value, t + at * d, work + b->n, f);
    for (int k = 0; k < b->n && at != 0 && !rc; k++) out[k] += weight[at + 2] * f[k] / (12 * d);
  }
  return rc;
}

static void scatter_boundary(const ns_model *m, const ns_boundary *b, const double *from,
                             double *to)
{
  for (int k = 0; k < b->n; k++) to[m->systems[b->system].v + (size_t)b->dof[k]] = from[k];
}

int ns_model_targets(const ns_model *m, ns_ctx *c, double t, double *work, double *target)
{
  int rc = NS_OK;
  for (int i = 0; i < m->nboundaries && !rc; i++) {
    const ns_boundary *b = &m->boundaries[i];
    rc = eval_boundary(b, c, &b->value, t, work + b->n, work);
    if (!rc) scatter_boundary(m, b, work, target);
  }
  return rc;
}

int ns_model_target_rates(const ns_model *m, ns_ctx *c, double t, double *work, double *rate)
{
  static const double PART = 3e-3; /* of a step of the grid */
  int rc = NS_OK;
  for (int i = 0; i < m->nboundaries && !rc; i++) {
    const ns_boundary *b = &m->boundaries[i];
    if (b->value.how == NS_OP_PLUGIN)
      rc = difference_boundary(b, c, t, PART * m->sim.ts.h, work + b->n, work);
    else rc = eval_boundary(b, c, &b->rate, t, work + b->n, work);
    if (!rc) scatter_boundary(m, b, work, rate);
  }
  return rc;
}

const char *const *ns_system_names(const ns_system *s, const char *quantity)
{
  static const char *const twist[] = {"x", "y", "z", "Omega_x", "Omega_y", "Omega_z"};
  int q = !strcmp(quantity, "q") || !strcmp(quantity, "x");
  return q || s->nq == s->n ? s->names : twist;
}

/* "x2", "phi_l" without what stands behind the letters. */
static int is_called(const char *name, const char *word)
{
  size_t n = strlen(word);
  return !strncmp(name, word, n) &&
         !((name[n] >= 'a' && name[n] <= 'z') || (name[n] >= 'A' && name[n] <= 'Z'));
}

static const char *unit_of_name(const char *name)
{
  static const char *const length[] = {"x", "y", "z"}, *const angle[] = {"phi",   "theta", "psi",
                                                                         "alpha", "beta",  "gamma",
                                                                         "angle"};
  for (size_t i = 0; i < sizeof length / sizeof *length; i++)
    if (is_called(name, length[i])) return "m";
  for (size_t i = 0; i < sizeof angle / sizeof *angle; i++)
    if (is_called(name, angle[i])) return "rad";
  return NULL;
}

const char *ns_system_unit(const ns_system *s, int k, int of_velocity)
{
  unsigned flags = s->kind ? s->kind->flags : 0;
  if (flags & NS_SYS_PLANAR) return k < 2 ? "m" : "rad";
  if (flags & NS_SYS_RIGID && of_velocity) return k < 3 ? "m" : "rad";
  if (flags & NS_SYS_RIGID) return k < 3 ? "m" : "1";
  if (s->units) return s->units[k];
  return s->names && !(flags & NS_SYS_FIRST_ORDER) ? unit_of_name(s->names[k]) : NULL;
}

/* Where the quantities of systems begin. In models of several kinds, and in their parts, bodies
 * come last: one in space has more coordinates than velocities, and those of all others begin at
 * the same place in q and in v, as rows over both require. */
static int is_late(const ns_model *m, int i) { return ns_system_is_rigid(&m->systems[i]); }

void ns_model_order(const ns_model *m, int *systems)
{
  for (int late = 0; late <= 1; late++)
    for (int i = 0; i < m->nsystems; i++)
      if (is_late(m, i) == late) *systems++ = i;
}

static void place_systems(ns_model *m)
{
  size_t q = 0, v = 0, z = 0;
  for (int late = 0; late <= 1; late++)
    for (int i = 0; i < m->nsystems; i++) {
      ns_system *s = &m->systems[i];
      if (is_late(m, i) != late) continue;
      s->q = q;
      s->v = v;
      s->z = z;
      q += (size_t)s->nq;
      v += (size_t)s->n;
      z += (size_t)s->nz;
    }
  m->nq = q;
  m->nv = v;
  m->nz = z;
}

/* In mixed models the rows of Lagrangian systems stand first, then those of first order, then those
 * of bodies. */
static int turn_of(const ns_model *m, const ns_interaction *it)
{
  static const int turn[] = {
      [NS_FAMILY_LAGRANGIAN] = 0, [NS_FAMILY_FIRST_ORDER] = 1, [NS_FAMILY_RIGID] = 2};
  return m->mixed ? turn[ns_interaction_family(it)] : 0;
}

/* Where rows of interactions begin, and what their laws remember. */
static void place_rows(ns_model *m)
{
  size_t row = 0, angle = 0, bond = 0;
  for (int turn = 0; turn <= 2; turn++)
    for (int i = 0; i < m->ninteractions; i++) {
      ns_interaction *it = &m->interactions[i];
      if (turn_of(m, it) != turn) continue;
      it->row = row;
      it->angle = angle;
      it->bond = bond;
      if (it->law.ops) bond += (size_t)it->law.ops->memory;
      row += (size_t)it->m;
      angle += (size_t)ns_interaction_angles(it);
    }
  m->nrows = row;
  m->nangles = angle;
  m->nbonds = bond;
}

void ns_model_place(ns_model *m)
{
  place_systems(m);
  place_rows(m);
  for (int i = 0; i < m->nforces; i++, m->nangles += NS_FORCE_SHOWN)
    m->forces[i].angle = m->nangles;
  m->npast = ns_law_values_past(m);
}

int ns_model_finish(ns_model *m, ns_ctx *c)
{
  ns_alive(c, "checking the model", 0, 0);
  ns_model_place(m);
  int rc = ns_joint_starts(m, c);
  if (rc) return rc;
  ns_foreign_finish(m);
  ns_body_forces_finish(m);
  m->sim.event_driven = strcmp(m->sim.strategy, "EventDriven") == 0;
  m->sim.two_steps = strcmp(m->sim.integrator, "SchatzmanPaoliOSI") == 0;
  ns_measures_prepare(m);
  ns_user_events_prepare(m);
  rc = ns_controls_prepare(m, c);
  int checked = ns_model_check(m, c);
  return rc ? rc : checked;
}
