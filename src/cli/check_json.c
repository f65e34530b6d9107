/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/check_json.h"

#include "cli/check_shapes.h"
#include "io/json.h"
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
    ns_json_add(&a, ns_json_of(NS_JSON_TEXT("name", p->name), NS_JSON_REAL("value", p->value),
                               NS_JSON_TEXT("unit", p->unit),
                               NS_JSON_FLAG("overridden", p->overridden)));
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
    ns_json_add(
        &a, ns_json_of(NS_JSON_TEXT("kind", y->kind->name), NS_JSON_INTEGER("size", y->n),
                       NS_JSON_INTEGER("count", g->group[k].count), NS_JSON_TEXT("first", y->at.id),
                       NS_JSON_TEXT("last", m->systems[g->group[k].last].at.id),
                       NS_JSON_MEMBER("coordinates", coordinates(y)),
                       NS_JSON_TEXT("differenced", ns_understood_differenced(y, buf, sizeof buf))));
  }
  return a;
}

static ns_json interactions(const ns_model *m, const ns_groups *g)
{
  ns_json a = ns_json_array();
  for (int k = 0; k < g->n; k++) {
    const ns_interaction *i = &m->interactions[g->group[k].first];
    ns_json j = ns_json_of(NS_JSON_TEXT("relation", (i->written ? i->written : i->relation)->name),
                           NS_JSON_TEXT("law", i->law.ops->name));
    for (const ns_law_number *n = i->law.ops->numbers; n && n->attribute; n++) {
      const ns_law_formula *f = ns_law_formula_of(m, &i->law, n->at);
      if (f) ns_json_text(&j, n->key, f->text);
      else ns_json_real(&j, n->key, ns_law_get(&i->law, n));
    }
    ns_json_put(&j, NS_JSON_INTEGER("rows", i->m), NS_JSON_INTEGER("count", g->group[k].count),
                NS_JSON_TEXT("first", i->at.id),
                NS_JSON_TEXT("last", m->interactions[g->group[k].last].at.id));
    ns_json_add(&a, j);
  }
  return a;
}

static ns_json defaults(const ns_model *m)
{
  ns_json a = ns_json_array();
  for (int i = 0; i < m->ndefaults; i++) {
    const ns_default *d = &m->defaults[i];
    ns_json_add(
        &a, ns_json_of(NS_JSON_TEXT("element", d->element), NS_JSON_TEXT("class", d->class_name),
                       NS_JSON_TEXT("attribute", d->attribute), NS_JSON_TEXT("value", d->value),
                       NS_JSON_INTEGER("elements", d->count)));
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
    ns_json_put(&j, NS_JSON_TEXT("id", k->at.id), NS_JSON_TEXT("kind", k->kind->name),
                NS_JSON_REAL("period", k->period), NS_JSON_INTEGER("every", k->every),
                NS_JSON_REAL("offset", k->every ? (double)k->first * m->sim.ts.h : k->offset));
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
    ns_json_add(&a, ns_json_of(NS_JSON_TEXT("id", e->id), NS_JSON_INTEGER("sets", e->nsets),
                               NS_JSON_FLAG("stop", e->stop)));
  }
  return a;
}

static ns_json measures(const ns_model *m)
{
  ns_json a = ns_json_array();
  for (int i = 0; i < m->nmeasures; i++) {
    ns_json_add(&a, ns_json_of(NS_JSON_TEXT("id", m->measures[i].id),
                               NS_JSON_TEXT("kind", m->measures[i].kind->name),
                               NS_JSON_TEXT("unit", m->measures[i].unit)));
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
  ns_json j = ns_json_of(
      NS_JSON_REAL("t0", m->sim.t0), NS_JSON_REAL("T", m->sim.T), NS_JSON_REAL("h", m->sim.ts.h),
      NS_JSON_INTEGER("steps", p->steps), NS_JSON_TEXT("strategy", p->strategy),
      NS_JSON_MEMBER("options", options(m, p)), NS_JSON_TEXT("integrator", p->integrator));
  int first_order = ns_model_is_first_order(m),
      euler = first_order && strcmp(p->integrator, "EulerMoreauOSI") == 0;
  if (m->sim.event_driven) {
    ns_json_put(&j, NS_JSON_REAL("relative_tolerance", m->sim.ed.rtol),
                NS_JSON_REAL("absolute_tolerance", m->sim.ed.atol));
  } else if (!first_order) ns_json_real(&j, "theta", m->sim.mj.theta);
  if (euler) ns_json_real(&j, "theta", m->sim.em.theta);
  if (euler) ns_json_real(&j, "gamma", m->sim.em.gamma);
  if (euler) ns_json_flag(&j, "full", m->sim.em.full);
  if (p->kernel) ns_json_text(&j, "kernel", p->kernel);
  ns_json_put(&j, NS_JSON_TEXT("problem", p->problem), NS_JSON_TEXT("solver", p->solver),
              NS_JSON_REAL("tolerance", m->sim.osnsp.tol));
  if (m->sim.osnsp.granular_tol != m->sim.osnsp.tol)
    ns_json_real(&j, "granular_tolerance", m->sim.osnsp.granular_tol);
  if (m->sim.osnsp.accept) ns_json_real(&j, "unsolved_bound", m->sim.osnsp.accepted);
  ns_json_put(&j, NS_JSON_TEXT("solver_note", p->solver_note), NS_JSON_TEXT("storage", p->storage),
              NS_JSON_INTEGER("rows", p->rows), NS_JSON_INTEGER("entries", (long long)p->nnz),
              NS_JSON_FLAG("linear", p->linear),
              NS_JSON_INTEGER("systems_diagonal", p->systems_diagonal),
              NS_JSON_INTEGER("systems_dense", p->systems_dense));
  if (!first_order) ns_json_integer(&j, "systems_sparse", p->systems_sparse);
  ns_json_put(&j, NS_JSON_INTEGER("systems_nonlinear", p->systems_nonlinear),
              NS_JSON_INTEGER("systems_differenced", p->systems_differenced));
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
  ns_json_put(&j, NS_JSON_MEMBER("relative_degree", degrees),
              NS_JSON_TEXT("matrix", ns_posed_text(p->problem)),
              NS_JSON_FLAG("singular_D", p->singular_D));
  return j;
}

static ns_json plugins(const ns_plugins *p)
{
  ns_json a = ns_json_array();
  const char *path = p ? ns_plugins_path(p, 0) : NULL;
  for (int k = 0; path; path = ns_plugins_path(p, ++k)) {
    ns_json_add(
        &a, ns_json_of(NS_JSON_TEXT("path", path), NS_JSON_TEXT("about", ns_plugins_about(p, k))));
  }
  return a;
}

static ns_json output(const ns_job *s, const ns_understood *u)
{
  return ns_json_of(NS_JSON_INTEGER("quantities", u->nchannels),
                    NS_JSON_INTEGER("columns", (long long)u->ncols),
                    NS_JSON_INTEGER("every", ns_job_every(s)), NS_JSON_INTEGER("rows", u->nrows),
                    NS_JSON_REAL("bytes", u->output_bytes));
}

ns_json ns_check_json(const ns_job *s, const ns_understood *u)
{
  const ns_model *m = s->model;
  const ns_plan *p = ns_simulation_plan(s->sim);
  ns_json j = ns_json_of(NS_JSON_TEXT("model", m->name), NS_JSON_TEXT("title", m->title),
                         NS_JSON_TEXT("file", s->path),
                         NS_JSON_MEMBER("parameters", parameters(m)));
  if (m->ndefaults) ns_json_member(&j, "defaults", defaults(m));
  ns_json_put(&j, NS_JSON_INTEGER("systems", m->nsystems),
              NS_JSON_INTEGER("degrees_of_freedom", (long long)m->nv),
              NS_JSON_MEMBER("system_groups", systems(m, &u->systems)));
  ns_check_shapes_json(m, &j);
  ns_json_put(&j, NS_JSON_INTEGER("interactions", m->ninteractions),
              NS_JSON_INTEGER("rows", (long long)m->nrows),
              NS_JSON_MEMBER("interaction_groups", interactions(m, &u->interactions)));
  if (m->nforces) ns_json_integer(&j, "forces", m->nforces);
  if (u->constraints) {
    ns_json_integer(&j, "constraints", u->constraints);
    if (u->rank >= 0) ns_json_integer(&j, "rank", u->rank);
  }
  ns_json_put(&j, NS_JSON_MEMBER("controls", controls(m)), NS_JSON_MEMBER("events", events(m)),
              NS_JSON_MEMBER("measures", measures(m)));
  if (u->posed && u->posed->known) ns_json_member(&j, "well_posed", posed(m, u->posed));
  ns_json_put(&j, NS_JSON_MEMBER("simulation", simulation(m, p)),
              NS_JSON_MEMBER("plugins", plugins(s->plugins)),
              NS_JSON_MEMBER("output", output(s, u)), NS_JSON_REAL("model_bytes", u->model_bytes),
              NS_JSON_INTEGER("run_bytes", (long long)(p->state_bytes + p->work_bytes)),
              NS_JSON_INTEGER("warnings", s->ctx.nwarnings));
  return j;
}
