/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/check_json.h"

#include "cli/check_shapes.h"
#include "cli/json.h"
#include "io/load/load.h"
#include "model/controls/control.h"
#include "model/law_values.h"
#include "model/measure.h"
#include "model/user_event.h"

#include <stdio.h>
#include <string.h>

static ns_json parameters(const ns_model *m)
{
  ns_json a = ns_json_array();
  for (int k = 0; k < m->nparameters; k++) {
    const ns_parameter *p = &m->parameters[k];
    ns_json j = ns_json_object();
    ns_json_text(&j, "name", p->name);
    ns_json_real(&j, "value", p->value);
    ns_json_text(&j, "unit", p->unit);
    ns_json_flag(&j, "overridden", p->overridden);
    ns_json_add(&a, j);
  }
  return a;
}

static ns_json coordinates(const ns_system *y)
{
  char buf[64];
  ns_json a = ns_json_array();
  for (int k = 0; k < y->nq; k++) ns_json_add_text(&a, ns_system_coordinate(y, k, buf, sizeof buf));
  return a;
}

static ns_json systems(const ns_model *m, const ns_groups *g)
{
  ns_json a = ns_json_array();
  for (int k = 0; k < g->n; k++) {
    const ns_system *y = &m->systems[g->group[k].first];
    char buf[64];
    ns_json j = ns_json_object();
    ns_json_text(&j, "kind", y->kind->name);
    ns_json_integer(&j, "size", y->n);
    ns_json_integer(&j, "count", g->group[k].count);
    ns_json_text(&j, "first", y->at.id);
    ns_json_text(&j, "last", m->systems[g->group[k].last].at.id);
    ns_json_member(&j, "coordinates", coordinates(y));
    ns_json_text(&j, "differenced", ns_understood_differenced(y, buf, sizeof buf));
    ns_json_add(&a, j);
  }
  return a;
}

static ns_json interactions(const ns_model *m, const ns_groups *g)
{
  ns_json a = ns_json_array();
  for (int k = 0; k < g->n; k++) {
    const ns_interaction *i = &m->interactions[g->group[k].first];
    ns_json j = ns_json_object();
    ns_json_text(&j, "relation", (i->written ? i->written : i->relation)->name);
    ns_json_text(&j, "law", i->law.ops->name);
    for (const ns_law_number *n = i->law.ops->numbers; n && n->attribute; n++) {
      const ns_law_formula *f = ns_law_formula_of(m, &i->law, n->at);
      if (f) ns_json_text(&j, n->key, f->text);
      else ns_json_real(&j, n->key, ns_law_get(&i->law, n));
    }
    ns_json_integer(&j, "rows", i->m);
    ns_json_integer(&j, "count", g->group[k].count);
    ns_json_text(&j, "first", i->at.id);
    ns_json_text(&j, "last", m->interactions[g->group[k].last].at.id);
    ns_json_add(&a, j);
  }
  return a;
}

static ns_json defaults(const ns_model *m)
{
  ns_json a = ns_json_array();
  for (int i = 0; i < m->ndefaults; i++) {
    const ns_default *d = &m->defaults[i];
    ns_json j = ns_json_object();
    ns_json_text(&j, "element", d->element);
    ns_json_text(&j, "class", d->class_name);
    ns_json_text(&j, "attribute", d->attribute);
    ns_json_text(&j, "value", d->value);
    ns_json_integer(&j, "elements", d->count);
    ns_json_add(&a, j);
  }
  return a;
}

static ns_json controls(const ns_model *m)
{
  ns_json a = ns_json_array();
  char name[128];
  for (int i = 0; i < m->ncontrols; i++) {
    const ns_control *k = &m->controls[i];
    ns_json j = ns_json_object(), writes = ns_json_array();
    ns_json_text(&j, "id", k->at.id);
    ns_json_text(&j, "kind", k->kind->name);
    ns_json_real(&j, "period", k->period);
    ns_json_integer(&j, "every", k->every);
    ns_json_real(&j, "offset", k->every ? (double)k->first * m->sim.ts.h : k->offset);
    if (k->from > -INFINITY) ns_json_real(&j, "from", k->from);
    if (k->until < INFINITY) ns_json_real(&j, "until", k->until);
    ns_json_flag(&j, "conditional", k->when.how != NS_OP_ABSENT);
    for (int w = 0; w < k->nwrites; w++)
      ns_json_add_text(&writes, ns_control_entry(m, k, k->writes[w], name, sizeof name));
    ns_json_member(&j, "writes", writes);
    ns_json_add(&a, j);
  }
  return a;
}

static ns_json events(const ns_model *m)
{
  ns_json a = ns_json_array();
  for (int i = 0; i < m->nuser_events; i++) {
    const ns_user_event *e = &m->user_events[i];
    ns_json j = ns_json_object();
    ns_json_text(&j, "id", e->id);
    ns_json_integer(&j, "sets", e->nsets);
    ns_json_flag(&j, "stop", e->stop);
    ns_json_add(&a, j);
  }
  return a;
}

static ns_json measures(const ns_model *m)
{
  ns_json a = ns_json_array();
  for (int i = 0; i < m->nmeasures; i++) {
    ns_json j = ns_json_object();
    ns_json_text(&j, "id", m->measures[i].id);
    ns_json_text(&j, "kind", m->measures[i].kind->name);
    ns_json_text(&j, "unit", m->measures[i].unit);
    ns_json_add(&a, j);
  }
  return a;
}

static void add_option(void *to, const char *element, const char *attribute, const char *value)
{
  char name[128];
  snprintf(name, sizeof name, "%s.%s", element, attribute);
  ns_json_text(to, name, value);
}

/* "TimeStepping.h": "0.005": as they would be written. */
static ns_json options(const ns_model *m, const ns_plan *p)
{
  ns_json j = ns_json_object();
  ns_options_each(m, p->problem, add_option, &j);
  return j;
}

static ns_json simulation(const ns_model *m, const ns_plan *p)
{
  ns_json j = ns_json_object();
  ns_json_real(&j, "t0", m->sim.t0);
  ns_json_real(&j, "T", m->sim.T);
  ns_json_real(&j, "h", m->sim.ts.h);
  ns_json_integer(&j, "steps", p->steps);
  ns_json_text(&j, "strategy", p->strategy);
  ns_json_member(&j, "options", options(m, p));
  ns_json_text(&j, "integrator", p->integrator);
  int first_order = ns_model_first_order(m),
      euler = first_order && strcmp(p->integrator, "EulerMoreauOSI") == 0;
  if (m->sim.event_driven) {
    ns_json_real(&j, "relative_tolerance", m->sim.ed.rtol);
    ns_json_real(&j, "absolute_tolerance", m->sim.ed.atol);
  } else if (!first_order) ns_json_real(&j, "theta", m->sim.mj.theta);
  if (euler) ns_json_real(&j, "theta", m->sim.em.theta);
  if (euler) ns_json_real(&j, "gamma", m->sim.em.gamma);
  if (euler) ns_json_flag(&j, "full", m->sim.em.full);
  if (p->kernel) ns_json_text(&j, "kernel", p->kernel);
  ns_json_text(&j, "problem", p->problem);
  ns_json_text(&j, "solver", p->solver);
  ns_json_real(&j, "tolerance", m->sim.osnsp.tol);
  if (m->sim.osnsp.granular_tol != m->sim.osnsp.tol)
    ns_json_real(&j, "granular_tolerance", m->sim.osnsp.granular_tol);
  if (m->sim.osnsp.accept) ns_json_real(&j, "unsolved_bound", m->sim.osnsp.accepted);
  ns_json_text(&j, "solver_note", p->solver_note);
  ns_json_text(&j, "storage", p->storage);
  ns_json_integer(&j, "rows", p->rows);
  ns_json_integer(&j, "entries", (long long)p->nnz);
  ns_json_flag(&j, "linear", p->linear);
  ns_json_integer(&j, "systems_diagonal", p->systems_diagonal);
  ns_json_integer(&j, "systems_dense", p->systems_dense);
  if (!first_order) ns_json_integer(&j, "systems_sparse", p->systems_sparse);
  ns_json_integer(&j, "systems_nonlinear", p->systems_nonlinear);
  ns_json_integer(&j, "systems_differenced", p->systems_differenced);
  if (first_order) ns_json_integer(&j, "relations_differenced", p->relations_differenced);
  return j;
}

/* Relative degrees by interaction (-1: none), and the class of the one-step matrix. */
static ns_json posed(const ns_model *m, const ns_posed *p)
{
  ns_json j = ns_json_object(), degrees = ns_json_object();
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    ns_json a = ns_json_array();
    for (int r = 0; r < it->m; r++) ns_json_add_real(&a, p->degree[it->row + (size_t)r]);
    ns_json_member(&degrees, it->at.id ? it->at.id : it->relation->name, a);
  }
  ns_json_member(&j, "relative_degree", degrees);
  ns_json_text(&j, "matrix", ns_posed_text(p->problem));
  ns_json_flag(&j, "singular_D", p->singular_D);
  return j;
}

static ns_json plugins(const ns_plugins *p)
{
  ns_json a = ns_json_array();
  const char *path = p ? ns_plugins_path(p, 0) : NULL;
  for (int k = 0; path; path = ns_plugins_path(p, ++k)) {
    ns_json j = ns_json_object();
    ns_json_text(&j, "path", path);
    ns_json_text(&j, "about", ns_plugins_about(p, k));
    ns_json_add(&a, j);
  }
  return a;
}

static ns_json output(const ns_job *s, const ns_understood *u)
{
  ns_json j = ns_json_object();
  ns_json_integer(&j, "quantities", u->nchannels);
  ns_json_integer(&j, "columns", (long long)u->ncols);
  ns_json_integer(&j, "every", ns_job_every(s));
  ns_json_integer(&j, "rows", u->nrows);
  ns_json_real(&j, "bytes", u->output_bytes);
  return j;
}

ns_json ns_check_json(const ns_job *s, const ns_understood *u)
{
  const ns_model *m = s->model;
  const ns_plan *p = ns_simulation_plan(s->sim);
  ns_json j = ns_json_object();
  ns_json_text(&j, "model", m->name);
  ns_json_text(&j, "title", m->title);
  ns_json_text(&j, "file", s->path);
  ns_json_member(&j, "parameters", parameters(m));
  if (m->ndefaults) ns_json_member(&j, "defaults", defaults(m));
  ns_json_integer(&j, "systems", m->nsystems);
  ns_json_integer(&j, "degrees_of_freedom", (long long)m->nv);
  ns_json_member(&j, "system_groups", systems(m, &u->systems));
  ns_check_shapes_json(m, &j);
  ns_json_integer(&j, "interactions", m->ninteractions);
  ns_json_integer(&j, "rows", (long long)m->nrows);
  ns_json_member(&j, "interaction_groups", interactions(m, &u->interactions));
  if (m->nforces) ns_json_integer(&j, "forces", m->nforces);
  if (u->constraints) {
    ns_json_integer(&j, "constraints", u->constraints);
    if (u->rank >= 0) ns_json_integer(&j, "rank", u->rank);
  }
  ns_json_member(&j, "controls", controls(m));
  ns_json_member(&j, "events", events(m));
  ns_json_member(&j, "measures", measures(m));
  if (u->posed && u->posed->known) ns_json_member(&j, "well_posed", posed(m, u->posed));
  ns_json_member(&j, "simulation", simulation(m, p));
  ns_json_member(&j, "plugins", plugins(s->plugins));
  ns_json_member(&j, "output", output(s, u));
  ns_json_real(&j, "model_bytes", u->model_bytes);
  ns_json_integer(&j, "run_bytes", (long long)(p->state_bytes + p->work_bytes));
  ns_json_integer(&j, "warnings", s->ctx.nwarnings);
  return j;
}
