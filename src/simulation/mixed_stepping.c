/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/mixed_stepping.h"

#include "model/foreign.h"
#include "model/law_values.h"
#include "simulation/contact_events.h"
#include "simulation/controls.h"
#include "simulation/couplings.h"
#include "simulation/failure.h"
#include "simulation/law_events.h"
#include "simulation/step_problem.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Newton's equations hold to so many residuals of the one-step problem in them. */
enum { SLACK = 10 };

/* Rows of first order whose offset reads other systems: where its derivative stands in H. */
typedef struct reader {
  int interaction, row; /* the first of its rows, of the problem */
  int m;
  const ns_operator *op;
  double *J; /* [m x op->foreign->n] by columns */
} reader;

typedef struct mixed {
  const ns_model *m;
  ns_state *x;
  ns_model mechanics; /* with the interactions of mechanics alone, the others empty */
  ns_model relations; /* with those of first order */
  ns_theta *osi;
  ns_theta_view view;
  ns_contacts *k;
  ns_couplings *f;
  int nL, nF; /* rows of mechanics, which stand first, and of first order */
  ns_step_problem p;
  int *C_end; /* entries of H of a row of first order before those of readers [nF] */
  reader *read;
  int nread;
  ns_contact_history history;
  ns_controls *controls; /* NULL: none */
  const ns_watch *w;     /* NULL: nobody looks at problems */
  unsigned char *takes_part;
  double h, *u, *free, *impulse, *input, *move; /* [nv] */
  double *lambda, *was, *b, *y, *offset;        /* of rows of first order [nF] */
  double *work;                                 /* of readers */
} mixed;

/* ---- creation -------------------------------------------------------------------------------- */

static void destroy(void *self)
{
  mixed *o = self;
  if (!o) return;
  ns_step_problem_fini(&o->p);
  ns_contacts_destroy(o->k);
  ns_couplings_destroy(o->f);
  ns_theta_destroy(o->osi);
  ns_controls_destroy(o->controls);
  free(o->mechanics.interactions);
  free(o->relations.interactions);
  free(o->history.before);
  for (int i = 0; i < o->nread; i++) free(o->read[i].J);
  free(o->read);
  free(o->C_end);
  free(o->takes_part);
  free(o->work);
  free(o->u);
  free(o);
}

static const ns_relation_kind *relation_named(const char *name)
{
  const ns_relation_kind *const *k = ns_relation_kinds;
  while (strcmp((*k)->name, name)) k++;
  return *k;
}

/* The model with interactions of this family alone, numbered as before: the others have no rows. */
static int view(const ns_model *m, ns_ctx *c, ns_family family, int first, int rows, ns_model *out)
{
  const ns_relation_kind *none = relation_named(
      family == NS_FAMILY_FIRST_ORDER ? "FirstOrderLinearTIR" : "LagrangianLinearTIR");
  *out = *m;
  out->nrows = (size_t)rows;
  out->interactions = malloc(((size_t)m->ninteractions + 1) * sizeof *out->interactions);
  if (!out->interactions) return ns_nomem(c, "time-stepping");
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    ns_interaction *to = &out->interactions[i];
    int mine = ns_interaction_family(it) == family;
    *to = mine ? *it
               : (ns_interaction){.relation = none,
                                  .law = {.ops = ns_law_kinds[0]},
                                  .at = it->at,
                                  .systems = it->systems};
    if (mine) to->row -= (size_t)first;
  }
  return NS_OK;
}

static int make_views(mixed *o, ns_ctx *c)
{
  for (int i = 0; i < o->m->ninteractions; i++) {
    const ns_interaction *it = &o->m->interactions[i];
    *(ns_interaction_family(it) == NS_FAMILY_FIRST_ORDER ? &o->nF : &o->nL) += it->m;
  }
  int rc = view(o->m, c, NS_FAMILY_LAGRANGIAN, 0, o->nL, &o->mechanics);
  return rc ? rc : view(o->m, c, NS_FAMILY_FIRST_ORDER, o->nL, o->nF, &o->relations);
}

static int get_vectors(mixed *o, ns_ctx *c)
{
  size_t nv = o->m->nv, nF = (size_t)o->nF;
  o->u = calloc(5 * nv + 5 * nF + 1, sizeof *o->u);
  o->history.before = calloc((size_t)o->nL + 1, sizeof(double));
  o->takes_part = calloc(o->m->nrows + 1, 1);
  o->C_end = calloc(nF + 1, sizeof *o->C_end);
  o->read = calloc((size_t)o->m->ninteractions + 1, sizeof *o->read);
  if (!o->u || !o->history.before || !o->takes_part || !o->C_end || !o->read)
    return ns_nomem(c, "time-stepping");
  o->free = o->u + nv;
  o->impulse = o->free + nv;
  o->input = o->impulse + nv;
  o->move = o->input + nv;
  o->lambda = o->move + nv;
  o->was = o->lambda + nF;
  o->b = o->was + nF;
  o->y = o->b + nF;
  o->offset = o->y + nF;
  return NS_OK;
}

static int find_readers(mixed *o, ns_ctx *c)
{
  size_t work = 1;
  for (int i = 0; i < o->m->ninteractions; i++) {
    const ns_interaction *it = &o->relations.interactions[i];
    const ns_operator *e = &it->fo.e;
    if (!it->m || !e->foreign) continue;
    reader *r = &o->read[o->nread++];
    *r = (reader){.interaction = i,
                  .row = o->nL + (int)it->row,
                  .m = it->m,
                  .op = e,
                  .J = calloc((size_t)it->m * (size_t)e->foreign->n + 1, sizeof *r->J)};
    if (!r->J) return ns_nomem(c, "time-stepping");
    if (ns_operator_work(e) > work) work = ns_operator_work(e);
  }
  if (!(o->work = calloc(work, sizeof *o->work))) return ns_nomem(c, "time-stepping");
  return NS_OK;
}

/* ---- structure of the problem ---------------------------------------------------------------- */

static const reader *reader_of(const mixed *o, int row)
{
  for (int i = 0; i < o->nread; i++)
    if (row >= o->read[i].row && row < o->read[i].row + o->read[i].m) return &o->read[i];
  return NULL;
}

/* Where a variable of another system stands in u. */
static int place_of(const ns_model *m, const ns_foreign_variable *v)
{
  return (int)m->systems[v->system].v + (v->bank == NS_BANK_Z ? 0 : v->k);
}

static void copy_row(const ns_rows *from, int r, ns_rows *to, int row)
{
  int n = from->ptr[r + 1] - from->ptr[r], at = to->ptr[row];
  memcpy(to->dof + at, from->dof + from->ptr[r], (size_t)n * sizeof *to->dof);
  to->ptr[row + 1] = at + n;
}

static void laws_of_mechanics(mixed *o)
{
  ns_step_problem *p = &o->p;
  for (int a = 0; a < o->k->nunits; a++) {
    const ns_unit *u = &o->k->unit[a];
    if (u->kind == NS_UNIT_FRICTION)
      p->mu[a] = ns_law_mu(&o->m->interactions[o->k->interaction[u->first]].law);
  }
  memcpy(p->lb, o->k->lb, (size_t)o->nL * sizeof *p->lb);
  memcpy(p->ub, o->k->ub, (size_t)o->nL * sizeof *p->ub);
}

static void laws_of_relations(mixed *o)
{
  ns_step_problem *p = &o->p;
  for (int e = 0; e < o->nF; e++) {
    const ns_interaction *it = &o->relations.interactions[o->f->interaction[e]];
    int r = o->nL + e;
    ns_law_bounds(&it->law, e - (int)it->row, 1, &p->lb[r], &p->ub[r]);
    p->lb[r] *= o->h;
    p->ub[r] *= o->h;
  }
}

static void rows_of_mechanics(mixed *o)
{
  ns_step_problem *p = &o->p;
  for (int r = 0; r < o->nL; r++) {
    const ns_interaction *it = &o->mechanics.interactions[o->k->interaction[r]];
    copy_row(&o->k->H, r, &p->H, r);
    copy_row(&o->k->H, r, &p->G, r);
    int m = o->k->unit[o->k->unit_of[r]].kind == NS_UNIT_COMPLIANT ? it->m : 0;
    for (int j = 0; j < m; j++) p->D.dof[p->D.ptr[r] + j] = (int)it->row + j;
    p->D.ptr[r + 1] = p->D.ptr[r] + m;
  }
  for (int a = 0; a < o->k->nunits; a++) {
    const ns_unit *u = &o->k->unit[a];
    p->unit[a] = (ns_step_unit){.first = u->first,
                                .rows = u->rows,
                                .kind = u->kind == NS_UNIT_FRICTION ? NS_BLOCK_FRICTION
                                                                    : NS_BLOCK_BOX};
  }
  laws_of_mechanics(o);
}

static void rows_of_relations(mixed *o)
{
  ns_step_problem *p = &o->p;
  for (int e = 0; e < o->nF; e++) {
    int r = o->nL + e;
    const reader *read = reader_of(o, r);
    copy_row(&o->f->C, e, &p->H, r);
    copy_row(&o->f->B, e, &p->G, r);
    copy_row(&o->f->D, e, &p->D, r);
    for (int j = p->D.ptr[r]; j < p->D.ptr[r + 1]; j++) p->D.dof[j] += o->nL;
    o->C_end[e] = p->H.ptr[r + 1];
    for (int j = 0; read && j < read->op->foreign->n; j++)
      p->H.dof[p->H.ptr[r + 1]++] = place_of(o->m, &read->op->foreign->of[j]);
    p->unit[o->k->nunits + e] = (ns_step_unit){.first = r, .rows = 1, .kind = NS_BLOCK_BOX};
  }
  laws_of_relations(o);
}

static size_t entries(const ns_rows *R, int n) { return n ? (size_t)R->ptr[n] : 0; }

static int make_problem(mixed *o, ns_ctx *c)
{
  size_t H = entries(&o->k->H, o->nL), D = 0, foreign = 0;
  for (int i = 0; i < o->m->ninteractions; i++)
    D += (size_t)(o->m->interactions[i].m * o->m->interactions[i].m);
  for (int i = 0; i < o->nread; i++) foreign += (size_t)(o->read[i].m * o->read[i].op->foreign->n);
  int rc = ns_step_problem_init(&o->p, c, o->m, o->osi, o->nL + o->nF, o->k->nunits + o->nF,
                                H + entries(&o->f->C, o->nF) + foreign,
                                H + entries(&o->f->B, o->nF), D);
  if (rc) return rc;
  rows_of_mechanics(o);
  rows_of_relations(o);
  return ns_step_problem_create(&o->p, c);
}

static void describe(const mixed *o, ns_plan *plan)
{
  const ns_simulation_options *s = &o->m->sim;
  *plan = (ns_plan){.strategy = ns_mixed_stepping.name,
                    .integrator = o->m->schemes ? o->m->schemes : s->integrator,
                    .problem = o->p.nrows ? s->problem ? s->problem : o->p.name : "none",
                    .solver = s->osnsp.solver,
                    .solver_note = o->p.nrows ? "rows of all systems in one problem"
                                              : "no interaction: nothing to solve",
                    .storage = o->p.nrows == 0   ? "none"
                               : o->p.mechanical ? "block-sparse"
                               : o->p.dense      ? "dense"
                                                 : "block-sparse",
                    .rows = o->p.nrows,
                    .nnz = o->p.nrows ? (size_t)o->p.A.row[o->p.nrows] : 0,
                    .systems_nonlinear = o->m->nsystems,
                    .state_bytes = o->x->bytes,
                    .work_bytes = ns_theta_bytes(o->osi) + ns_contacts_bytes(o->k) +
                                  ns_couplings_bytes(o->f) + ns_step_problem_bytes(&o->p) +
                                  ns_controls_bytes(o->controls)};
}

static int create(ns_ctx *c, const ns_model *m, ns_state *x, ns_plan *plan, void **self)
{
  mixed *o = *self = calloc(1, sizeof *o);
  if (!o) return ns_nomem(c, "time-stepping");
  *o = (mixed){.m = m, .x = x, .h = m->sim.ts.h};
  int rc = make_views(o, c);
  if (!rc) rc = get_vectors(o, c);
  if (!rc) rc = find_readers(o, c);
  if (!rc) rc = ns_theta_create(c, m, &o->osi);
  if (!rc) rc = ns_contacts_create(c, &o->mechanics, NULL, NULL, 0, &o->k);
  if (!rc) rc = ns_couplings_create(c, &o->relations, NULL, NULL, 0, &o->f);
  if (!rc) rc = make_problem(o, c);
  if (!rc) rc = ns_controls_create(c, m, &o->controls);
  if (rc) {
    destroy(o);
    *self = NULL;
    return rc;
  }
  o->view = ns_theta_look(o->osi);
  o->history.k = o->k;
  o->history.x = x;
  describe(o, plan);
  return NS_OK;
}

/* ---- the state from outside ------------------------------------------------------------------ */

/* Relations at the state, with its multipliers. */
static ns_relation_point at_state(const mixed *o)
{
  const ns_state *x = o->x;
  return (ns_relation_point){
      .t = *x->t, .x = x->q, .z = x->z, .lambda = x->lambda + o->nL, .v = x->v};
}

static int start(void *self, ns_ctx *c)
{
  mixed *o = self;
  ns_state *x = o->x;
  ns_relation_point at = at_state(o);
  int changed = 0, rc = ns_couplings_offsets(o->f, c, &at, 1);
  ns_contact_history_begin(&o->history);
  memset(o->impulse, 0, o->m->nv * sizeof *o->impulse);
  if (!rc) rc = ns_couplings_values(o->f, c, &at);
  if (!rc) rc = ns_couplings_tangents(o->f, c, &at, 1, &changed);
  if (rc) return rc;
  if (*x->step == 0) ns_couplings_output(o->f, x->q, x->lambda + o->nL, x->y + o->nL);
  return ns_theta_start(o->osi, c, x, *x->step == 0);
}

/* Forces of another z or state; energies are left. */
static int restart(mixed *o, ns_ctx *c, double *kinetic, double *potential)
{
  ns_certificate keep = *o->x->cert;
  int rc = ns_theta_start(o->osi, c, o->x, 0);
  *kinetic = o->x->cert->kinetic;
  *potential = o->x->cert->potential;
  *o->x->cert = keep;
  return rc;
}

static int changed(void *self, ns_ctx *c)
{
  mixed *o = self;
  double kinetic, potential;
  ns_certificate *k = o->x->cert;
  ns_relation_point at = at_state(o);
  int rc = restart(o, c, &kinetic, &potential);
  if (!rc) rc = ns_couplings_offsets(o->f, c, &at, 1);
  if (rc) return rc;
  k->work_force += kinetic + potential - k->kinetic - k->potential;
  k->kinetic = kinetic;
  k->potential = potential;
  return NS_OK;
}

/* ---- one linearisation ----------------------------------------------------------------------- */

static ns_relation_point at_iterate(const mixed *o, double t1)
{
  return (ns_relation_point){
      .t = t1, .x = o->view.q, .z = o->x->z, .lambda = o->lambda, .v = o->view.v};
}

/* d offset / d u of the rows that read other systems: of a position by theta h. */
static void derive_readers(mixed *o, double t1)
{
  for (int i = 0; i < o->nread; i++) {
    const reader *r = &o->read[i];
    const ns_interaction *it = &o->relations.interactions[r->interaction];
    const ns_system *first = &o->m->systems[it->systems[0]];
    ns_point at = {.t = t1,
                   .n = it->nQ,
                   .q = o->view.q + first->q,
                   .nz = it->nZ,
                   .z = o->x->z + first->z,
                   .index = it->index,
                   .model_q = o->view.q,
                   .model_v = o->view.v,
                   .model_z = o->x->z};
    ns_operator_eval_foreign(r->op, &at, o->work, r->J);
    for (int j = 0; j < r->op->foreign->n; j++) {
      const ns_foreign_variable *v = &r->op->foreign->of[j];
      int second = ns_system_family(&o->m->systems[v->system]) != NS_FAMILY_FIRST_ORDER;
      double by = v->bank == NS_BANK_Z             ? 0
                  : v->bank == NS_BANK_Q && second ? o->h * ns_theta_weight(o->osi, v->system)
                                                   : 1;
      for (int e = 0; e < r->m; e++) r->J[e + j * r->m] *= by;
    }
  }
}

static void values_of_mechanics(mixed *o)
{
  ns_step_problem *p = &o->p;
  const ns_contacts *k = o->k;
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i], n = k->H.ptr[r + 1] - k->H.ptr[r];
    double *H = p->H.val + p->H.ptr[r], *G = p->G.val + p->G.ptr[r];
    const double *from = ns_contacts_push(k, r) + k->H.ptr[r];
    for (int e = 0; e < n; e++) {
      G[e] = from[e];
      H[e] = k->factor[r] * from[e];
    }
    p->b[r] = k->q[i];
    p->z[r] = k->z[i];
    const ns_interaction *it = &o->mechanics.interactions[k->interaction[r]];
    const double *D = k->compliance + k->compliance_at[k->interaction[r]];
    for (int e = p->D.ptr[r], j = 0; e < p->D.ptr[r + 1]; e++, j++)
      p->D.val[e] = D[(r - (int)it->row) + j * it->m] / o->h;
  }
}

static void values_of_relations(mixed *o)
{
  ns_step_problem *p = &o->p;
  const ns_couplings *f = o->f;
  for (int e = 0; e < o->nF; e++) {
    int r = o->nL + e;
    const reader *read = reader_of(o, r);
    memcpy(p->H.val + p->H.ptr[r], f->C.val + f->C.ptr[e],
           (size_t)(f->C.ptr[e + 1] - f->C.ptr[e]) * sizeof(double));
    double *J = p->H.val + o->C_end[e];
    for (int j = 0; read && j < read->op->foreign->n; j++)
      J[j] = read->J[(r - read->row) + j * read->m];
    for (int j = 0; j < f->B.ptr[e + 1] - f->B.ptr[e]; j++)
      p->G.val[p->G.ptr[r] + j] = o->view.gamma[f->B.dof[f->B.ptr[e] + j]] *
                                  f->B.val[f->B.ptr[e] + j];
    for (int j = 0; j < f->D.ptr[e + 1] - f->D.ptr[e]; j++)
      p->D.val[p->D.ptr[r] + j] = f->D.val[f->D.ptr[e] + j] / o->h;
    double b = o->b[e];
    for (int j = o->C_end[e]; j < p->H.ptr[r + 1]; j++) b += p->H.val[j] * o->move[p->H.dof[j]];
    p->b[r] = b;
    p->z[r] = o->h * o->lambda[e];
  }
}

/* u_free += W^-1 h gamma sum (g - B lambda) of nonlinear inputs. */
static void push(mixed *o)
{
  const ns_rate_groups *g = o->view.groups;
  memset(o->input, 0, o->m->nv * sizeof *o->input);
  ns_couplings_surplus(o->f, o->lambda, o->input);
  for (int k = 0; k < g->n; k++) {
    double *w = o->move;
    for (int e = g->first[k]; e < g->first[k + 1]; e++) {
      const ns_system *s = &o->m->systems[g->list[e]];
      for (int i = 0; i < s->n; i++)
        w[g->at[g->list[e]] + i] = o->h * o->view.gamma[s->v + (size_t)i] *
                                   o->input[s->v + (size_t)i];
    }
    ns_theta_gain(o->osi, k, w);
    for (int e = g->first[k]; e < g->first[k + 1]; e++) {
      const ns_system *s = &o->m->systems[g->list[e]];
      for (int i = 0; i < s->n; i++) o->free[s->v + (size_t)i] += w[g->at[g->list[e]] + i];
    }
  }
}

/* Rows, matrices and u_free of the iterate. */
static int linearise(mixed *o, ns_ctx *c, double t1, int first)
{
  ns_relation_point at = at_iterate(o, t1);
  int changed = 0, rc = o->k->nmoving || o->k->compliant
                            ? ns_contacts_follow(o->k, c, o->x, o->view.q, o->view.v)
                            : NS_OK;
  if (!rc) rc = ns_couplings_tangents(o->f, c, &at, first, &changed);
  if (!rc) rc = ns_theta_linearise(o->osi, c, o->f->K, o->f->nK, &changed);
  if (rc) return rc;
  derive_readers(o, t1);
  ns_theta_free(o->osi, o->free);
  if (!o->f->linear) push(o);
  return NS_OK;
}

/* Laws with memory bear a tension c: the law holds for z + c (bonds.h). */
static void pull(mixed *o)
{
  ns_step_problem *p = &o->p;
  for (int i = 0; i < o->k->n; i++) {
    int r = o->k->active[i];
    p->z[r] += o->k->tension[r];
    for (int b = p->A.row[r]; b < p->A.row[r + 1]; b++) {
      int j = p->A.col[b];
      if (j < o->nL && p->position[j] >= 0) p->b[r] -= p->A.val[b] * o->k->tension[j];
    }
  }
  for (int i = o->k->n; i < p->n; i++) {
    int r = p->active[i];
    for (int b = p->A.row[r]; b < p->A.row[r + 1] && p->A.col[b] < o->nL; b++)
      if (p->position[p->A.col[b]] >= 0) p->b[r] -= p->A.val[b] * o->k->tension[p->A.col[b]];
  }
}

/* The problem of the linearisation. */
static void assemble(mixed *o)
{
  for (size_t i = 0; i < o->m->nv; i++) o->move[i] = o->free[i] - o->u[i];
  ns_contacts_assemble(o->k, o->x, o->free, NS_W_ITERATE);
  ns_couplings_q(o->f, o->free, o->move, o->lambda, o->b);
  values_of_mechanics(o);
  values_of_relations(o);
  ns_step_problem_assemble(&o->p);
  if (o->k->tension) pull(o);
}

/* The next iterate from the solution, and what led to it. */
static void advance(mixed *o)
{
  ns_step_problem *p = &o->p;
  for (int i = 0; i < o->k->n && o->k->tension; i++)
    p->z[o->k->active[i]] -= o->k->tension[o->k->active[i]];
  for (int i = 0; i < o->k->n; i++) {
    o->k->z[i] = p->z[o->k->active[i]];
    o->k->w[i] = p->w[o->k->active[i]];
  }
  memcpy(o->was, o->lambda, (size_t)o->nF * sizeof *o->was);
  for (int e = 0; e < o->nF; e++) o->lambda[e] = p->z[o->nL + e] / o->h;
  ns_step_problem_apply(p, o->free);
  for (size_t i = 0; i < o->m->nv; i++) o->move[i] = o->free[i] - o->u[i];
  memcpy(o->u, o->free, o->m->nv * sizeof *o->u);
  ns_theta_set(o->osi, o->u);
  ns_contacts_impulse(o->k, o->impulse);
  ns_couplings_input(o->f, o->lambda, o->was, o->move, o->input);
}

/* ---- Newton loop ----------------------------------------------------------------------------- */

static void worsen(double *residual, double a)
{
  if (!(a <= *residual)) *residual = a; /* a NaN stays */
}

/* Offsets at the new iterate, and how far they are from what the linearisation said. */
static int judge_offsets(mixed *o, ns_ctx *c, const ns_relation_point *at, double *residual)
{
  const ns_time_stepping_options *t = &o->m->sim.ts;
  memcpy(o->offset, o->f->offset, (size_t)o->nF * sizeof *o->offset);
  int rc = o->f->offset_varies ? ns_couplings_offsets(o->f, c, at, 0) : NS_OK;
  for (int i = 0; i < o->nread && !rc; i++)
    for (int e = 0; e < o->read[i].m; e++) {
      int r = o->read[i].row + e, k = r - o->nL;
      double said = o->offset[k];
      for (int j = o->C_end[k]; j < o->p.H.ptr[r + 1]; j++)
        said += o->p.H.val[j] * o->move[o->p.H.dof[j]];
      worsen(residual, fabs(o->f->offset[k] - said) /
                           (t->newton_atol + t->newton_rtol * (1 + fabs(o->p.w[r]))));
    }
  return rc;
}

/* How far the iterate is from the equations: of motion, of rows that moved with it, of relations.
 * */
static int judge(mixed *o, ns_ctx *c, double t1, double *residual)
{
  double moved = 0;
  ns_relation_point at = at_iterate(o, t1);
  int rc = ns_theta_residual(o->osi, c, o->impulse, o->input, residual, NULL);
  if (!rc && o->k->nmoving)
    rc = ns_contacts_settled(o->k, c, o->x, o->view.q, o->view.v, o->impulse, &moved);
  worsen(residual, moved);
  if (!rc) rc = judge_offsets(o, c, &at, residual);
  if (rc || o->f->linear) return rc;
  rc = ns_couplings_values(o->f, c, &at);
  worsen(residual, ns_couplings_residual(o->f, &at, o->p.w + o->nL));
  return rc;
}

/* The interaction of a row of the problem. */
static const ns_interaction *interaction_of(const mixed *o, int r)
{
  int k = r < o->nL ? o->k->interaction[r] : o->f->interaction[r - o->nL];
  return &o->m->interactions[k];
}

static ns_moment moment(const mixed *o, double t1)
{
  const ns_state *x = o->x;
  return (ns_moment){.from = *x->t,
                     .t = t1,
                     .q = o->view.q,
                     .v = o->view.v,
                     .z = x->z,
                     .lambda = x->lambda,
                     .q0 = x->q,
                     .v0 = x->v};
}

static int unsolved(const mixed *o, ns_ctx *c, double t1, const ns_outcome *out)
{
  const ns_step_problem *p = &o->p;
  ns_moment at = moment(o, t1);
  ns_suspect worst = {0};
  ns_involved who = {0};
  char numbers[40];
  for (int i = 0; i < p->n; i++) {
    int r = p->active[i];
    const ns_interaction *it = interaction_of(o, r);
    snprintf(numbers, sizeof numbers, "y = %g", p->b[r]);
    if (!isfinite(p->b[r])) return ns_fail_row(c, o->m, &at, (size_t)r, numbers);
    ns_involved_add(&who, o->m, (int)(it - o->m->interactions));
    if (p->unit[p->unit_of[r]].kind == NS_BLOCK_BOX)
      ns_suspect_row(&worst, it, r - (int)it->row,
                     ns_law_distance(p->z[r], p->w[r], p->lb[r], p->ub[r]));
  }
  ns_unsolved_problem said = {.problem = p->name,
                              .rows = p->n,
                              .t = *o->x->t,
                              .tolerance = o->m->sim.osnsp.tol,
                              .worst = worst.at,
                              .what = worst.what,
                              .whose = who.text,
                              .look_for = "laws that contradict each other: "};
  return ns_fail_unsolved(c, o->m, &said, out);
}

/* Newton's method has not come to an end. */
static int diverged(mixed *o, ns_ctx *c, double t1, double residual)
{
  double again;
  ns_suspect w = {0};
  ns_moment at = moment(o, t1);
  ns_relation_point p = at_iterate(o, t1);
  int rc = isnan(residual) ? ns_fail_not_finite(c, o->m, &at) : NS_OK;
  if (!rc) rc = ns_theta_residual(o->osi, c, o->impulse, o->input, &again, &w);
  if (rc) return rc;
  if (o->k->nmoving) ns_contacts_suspects(o->k, o->impulse, &w);
  if (!o->f->linear) ns_couplings_suspects(o->f, &p, o->p.w + o->nL, &w);
  return ns_fail_newton(c, o->m, *o->x->t, residual, &w, o->m->sim.ts.newton_max);
}

static int newton(mixed *o, ns_ctx *c, double t1, ns_step_report *report)
{
  const ns_time_stepping_options *t = &o->m->sim.ts;
  double residual = 0;
  int iterations = 0, rc = NS_OK;
  ns_outcome out;
  ns_relation_point at = at_iterate(o, t1);
  if (o->f->offset_varies) rc = ns_couplings_offsets(o->f, c, &at, 0);
  if (!rc && !o->f->linear) rc = ns_couplings_values(o->f, c, &at);
  for (int it = 1; it <= t->newton_max && !rc; it++) {
    if ((rc = linearise(o, c, t1, it == 1))) return rc;
    assemble(o);
    if ((rc = ns_step_problem_solve(&o->p, c, o->x, o->w, &out))) return rc;
    if (out.kind != NS_SOLVED && !ns_accept_unsolved(c, o->m, o->x, &out))
      return unsolved(o, c, t1, &out);
    iterations += out.iterations;
    advance(o);
    if ((rc = judge(o, c, t1, &residual))) return rc;
    residual /= 1 + SLACK * out.residual /
                        (t->newton_rtol + DBL_EPSILON); /* impulses are not known better */
    *report = (ns_step_report){.newton = it,
                               .newton_residual = residual,
                               .iterations = iterations,
                               .residual = out.residual,
                               .active = o->p.n,
                               .unsolved = out.kind != NS_SOLVED};
    if (t->newton_linear || residual <= 1) return NS_OK;
    if (isnan(residual)) break;
  }
  if (rc) return rc;
  if (isnan(residual) || !ns_accept_newton(c, o->m, o->x, residual))
    return diverged(o, c, t1, residual);
  report->unsolved = 1;
  return NS_OK;
}

/* ---- the step -------------------------------------------------------------------------------- */

/* Laws of the step, in the views too. */
static int renew_laws(mixed *o, ns_ctx *c)
{
  int rc = ns_law_values_step(o->m, c, o->x, o->h);
  for (int i = 0; i < o->m->ninteractions; i++) {
    ns_interaction *mechanics = &o->mechanics.interactions[i];
    ns_interaction *relation = &o->relations.interactions[i];
    if (mechanics->m) mechanics->law = o->m->interactions[i].law;
    if (relation->m) relation->law = o->m->interactions[i].law;
  }
  ns_contacts_take_laws(o->k, o->h);
  laws_of_mechanics(o);
  laws_of_relations(o);
  return rc;
}

static int sample(mixed *o, ns_ctx *c)
{
  double kinetic, potential;
  int acted, rc = ns_controls_sample(o->controls, c, o->x, &acted);
  return rc || !acted ? rc : restart(o, c, &kinetic, &potential);
}

/* The first iterate, and who takes part. */
static int begin(mixed *o, ns_ctx *c, double t1)
{
  ns_state *x = o->x;
  int rc = ns_theta_begin(o->osi, c, x, t1, o->h);
  for (int i = 0; i < o->m->nsystems; i++) {
    const ns_system *s = &o->m->systems[i];
    int second = ns_system_family(s) != NS_FAMILY_FIRST_ORDER;
    memcpy(o->u + s->v, second ? x->v + s->v : x->q + s->q, (size_t)s->n * sizeof *o->u);
  }
  memcpy(o->lambda, x->lambda + o->nL, (size_t)o->nF * sizeof *o->lambda);
  ns_contacts_activate(o->k, x, t1, o->h);
  memset(o->takes_part, 0, (size_t)o->k->nunits);
  for (int i = 0; i < o->k->na; i++) o->takes_part[o->k->active_unit[i]] = 1;
  for (int i = 0; i < o->k->n && o->k->plain; i++)
    o->takes_part[o->k->unit_of[o->k->active[i]]] = 1; /* which lists no units */
  memset(o->takes_part + o->k->nunits, 1, (size_t)o->nF);
  ns_step_problem_select(&o->p, o->takes_part);
  return rc;
}

static double rounding_level(const void *self)
{
  const mixed *o = self;
  double most = 0;
  for (int i = 0; i < o->p.n; i++) {
    int r = o->p.active[i];
    if (r >= o->nL) most = fmax(most, fabs(o->p.b[r]) * o->p.scale[r] * o->p.scale[r] / o->h);
  }
  return 64 * DBL_EPSILON * most;
}

static int events(mixed *o, ns_ctx *c, ns_recorder *rec)
{
  ns_law_rows rows = {.n = o->nF,
                      .first = o->nL,
                      .interaction = o->f->interaction,
                      .lambda = o->lambda,
                      .lb = o->p.lb + o->nL,
                      .ub = o->p.ub + o->nL,
                      .level = rounding_level,
                      .of = o};
  int between,
      rc = o->k->n || o->history.loaded ? ns_contact_history_events(&o->history, c, rec) : NS_OK;
  for (int e = 0; e < o->nF; e++) { /* of multipliers, not of impulses */
    o->was[e] = o->p.lb[o->nL + e] / o->h;
    o->offset[e] = o->p.ub[o->nL + e] / o->h;
  }
  rows.lb = o->was;
  rows.ub = o->offset;
  int law = ns_law_events(o->m, c, o->x, &rows, rec, &between);
  return rc ? rc : law;
}

static int accepted(mixed *o, ns_ctx *c, ns_recorder *rec)
{
  ns_state *x = o->x;
  ns_contact_history_keep(&o->history);
  int rc = ns_contacts_output(o->k, c, x);
  if (rc) return rc;
  if (!o->k->plain) ns_contacts_work(o->k, x);
  memcpy(x->y + o->nL, o->y, (size_t)o->nF * sizeof *x->y);
  *x->step += 1;
  ns_certify(x, x->report);
  return events(o, c, rec);
}

static int step(void *self, ns_ctx *c, ns_recorder *rec)
{
  mixed *o = self;
  ns_state *x = o->x;
  double t1 = o->m->sim.t0 + (double)(*x->step + 1) * o->h;
  int rc = o->controls ? sample(o, c) : NS_OK;
  if (!rc && o->m->values) rc = renew_laws(o, c);
  if (!rc) rc = begin(o, c, t1);
  if (!rc) rc = newton(o, c, t1, x->report);
  if (!rc && o->k->nmoving) rc = ns_contacts_foresee(o->k, c, x, o->view.q, o->view.v);
  if (!rc && !o->k->plain) ns_contacts_before(o->k, x);
  if (!rc) ns_couplings_output(o->f, o->view.q, o->lambda, o->y);
  if (!rc) rc = ns_theta_commit(o->osi, c, x, o->impulse, o->input);
  if (rc && o->controls) ns_controls_undo(o->controls, x);
  return rc ? rc : accepted(o, c, rec);
}

static void report(void *self) { (void)self; /* p is up to date */ }

static int watch(void *self, ns_ctx *c, const ns_watch *w)
{
  mixed *o = self;
  (void)c;
  o->w = w;
  return NS_OK;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

static int savable(const void *self)
{
  return ns_step_problem_memory(&((const mixed *)self)->p) != NULL;
}

static void save(const void *self, ns_blob *b)
{
  const mixed *o = self;
  ns_blob_put_reals(b, o->history.before, (size_t)o->nL);
  ns_blob_put_reals(b, o->f->offset, (size_t)o->nF);
  ns_contacts_save(o->k, b);
  ns_step_problem_memory(&o->p)->save(o->p.solver, b);
}

static void restore(void *self, ns_blob *b)
{
  mixed *o = self;
  ns_ctx c = {0};
  int rc = start(o, &c); /* what follows from the state */
  ns_blob_get_reals(b, o->history.before, (size_t)o->nL);
  ns_blob_get_reals(b, o->f->offset, (size_t)o->nF);
  ns_contacts_restore(o->k, b);
  ns_step_problem_memory(&o->p)->restore(o->p.solver, b);
  if (rc) b->failed = rc;
}

static const ns_memory memory = {.save = save, .restore = restore};

const ns_strategy_ops ns_mixed_stepping = {
    .size = sizeof ns_mixed_stepping,
    .name = "TimeStepping",
    .help = "event-capturing: steps of one length, impacts inside them; systems of several kinds",
    .family = NS_FAMILY_MIXED,
    .create = create,
    .start = start,
    .step = step,
    .report = report,
    .destroy = destroy,
    .changed = changed,
    .watch = watch,
    .memory = &memory,
    .savable = savable};
