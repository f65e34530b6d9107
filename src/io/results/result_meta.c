/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/results/result_meta.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define F(kind, name, field, unit, help) \
  { \
    name, unit, help, NS_CERT_##kind, offsetof(ns_certificate, field), 0 \
  }
#define OPTIONAL(kind, name, field, unit, help) \
  { \
    name, unit, help, NS_CERT_##kind, offsetof(ns_certificate, field), 1 \
  }
/* Event-driven runs: simulation/events/event_certificate.h. */
#define CERTIFIED \
  OPTIONAL(DOUBLE, "motion_defect_max", motion_defect, "1", \
           "largest difference of states from the solution of their equations, relative to the " \
           "tolerances"), \
      OPTIONAL(DOUBLE, "law_breach_max", law_breach, "1", \
               "largest violation of a law, at rows and elsewhere, relative to the tolerances"), \
      OPTIONAL(DOUBLE, "event_breach_max", event_breach, "1", \
               "largest violation of an impact law, relative to the tolerances"), \
      OPTIONAL(DOUBLE, "checked_time", checked, "s", \
               "time of the intervals whose motion was integrated again"), \
      OPTIONAL(DOUBLE, "certificate_evaluations", certificate_rates, "1", \
               "evaluations of the rates for this check")

static const ns_cert_field mechanics[] = {
    F(LONG, "steps", steps, "1", "steps made"),
    F(LONG, "impacts", impacts, "1", "impulses on approaching contacts"),
    F(LONG, "newton_iterations", newton, "1", "Newton iterations, all steps"),
    F(LONG, "solver_iterations", solver, "1", "iterations of one-step problems, all steps"),
    F(INT, "newton_iterations_max", newton_max, "1", "most Newton iterations in a step"),
    F(INT, "solver_iterations_max", solver_max, "1", "most solver iterations in a step"),
    F(INT, "active_max", active_max, "1", "most active rows in a step"),
    F(DOUBLE, "residual_max", residual_max, "1", "largest residual of a one-step problem"),
    F(DOUBLE, "newton_residual_max", newton_residual_max, "1",
      "largest residual of Newton's method at acceptance, relative to its tolerance"),
    OPTIONAL(LONG, "unsolved", unsolved, "1",
             "steps that were accepted although not solved to their tolerances"),
    F(DOUBLE, "penetration_max", penetration_max, "m", "largest penetration of a unilateral row"),
    F(DOUBLE, "approach_max", approach_max, "m/s", "fastest approach at an impulse"),
    F(DOUBLE, "energy_initial", energy0, "J", "kinetic + potential energy at t0"),
    F(DOUBLE, "energy_kinetic", kinetic, "J", "kinetic energy at the end"),
    F(DOUBLE, "energy_potential", potential, "J", "known potential energy at the end"),
    F(DOUBLE, "work_force", work_force, "J",
      "work of forces without a known potential and of damping"),
    F(DOUBLE, "work_contact", work_contact, "J", "work of contact impulses"),
    OPTIONAL(DOUBLE, "work_friction", work_friction, "J", "work of friction and relays"),
    OPTIONAL(DOUBLE, "work_driven", work_driven, "J", "work of moving obstacles"),
    F(DOUBLE, "energy_defect", defect, "J", "energy defect at the end"),
    F(DOUBLE, "energy_defect_max", defect_max, "J", "largest |energy_defect| of the run"),
    OPTIONAL(DOUBLE, "events", events, "1", "events that changed a velocity or a contact"),
    OPTIONAL(DOUBLE, "integrator_steps", flow_steps, "1", "steps of the integrator between events"),
    OPTIONAL(DOUBLE, "evaluations", flow_evaluations, "1",
             "evaluations of the accelerations by the integrator"),
    CERTIFIED,
    {0},
};

static const ns_cert_field first_order[] = {
    F(LONG, "steps", steps, "1", "steps made"),
    F(LONG, "switches", impacts, "1", "multipliers that reached or left a bound of their law"),
    F(LONG, "newton_iterations", newton, "1", "Newton iterations, all steps"),
    F(LONG, "solver_iterations", solver, "1", "iterations of one-step problems, all steps"),
    F(INT, "newton_iterations_max", newton_max, "1", "most Newton iterations in a step"),
    F(INT, "solver_iterations_max", solver_max, "1", "most solver iterations in a step"),
    F(INT, "active_max", active_max, "1", "most rows whose lambda is not at a bound"),
    F(DOUBLE, "residual_max", residual_max, "1", "largest residual of a one-step problem"),
    F(DOUBLE, "newton_residual_max", newton_residual_max, "1",
      "largest residual of Newton's method at acceptance, relative to its tolerance"),
    OPTIONAL(LONG, "unsolved", unsolved, "1",
             "steps that were accepted although not solved to their tolerances"),
    F(DOUBLE, "violation_max", penetration_max, "1",
      "largest law violation of state and lambda as recorded"),
    CERTIFIED,
    {0},
};

const ns_cert_field *ns_cert_fields(int of_first_order)
{
  return of_first_order ? first_order : mechanics;
}

int ns_cert_shown(const ns_cert_field *f, const ns_certificate *c)
{
  double x = ns_cert_get(f, c);
  return !f->optional || (x != 0 && !isnan(x));
}

double ns_cert_get(const ns_cert_field *f, const ns_certificate *c)
{
  const void *p = (const char *)c + f->offset;
  switch (f->kind) {
  case NS_CERT_INT: return *(const int *)p;
  case NS_CERT_LONG: return (double)*(const long long *)p;
  case NS_CERT_DOUBLE: return *(const double *)p;
  }
  return NAN;
}

void ns_cert_set(const ns_cert_field *f, ns_certificate *c, double x)
{
  void *p = (char *)c + f->offset;
  switch (f->kind) {
  case NS_CERT_INT: *(int *)p = (int)x; break;
  case NS_CERT_LONG: *(long long *)p = (long long)x; break;
  case NS_CERT_DOUBLE: *(double *)p = x; break;
  }
}

#define AT(member) offsetof(ns_provenance, member)
const ns_provenance_text ns_provenance_texts[] = {
    {"version", AT(version), 1},     {"command", AT(command), 1},
    {"host", AT(host), 1},           {"user", AT(user), 1},
    {"started", AT(started), 1},     {"finished", AT(finished), 0},
    {"libraries", AT(libraries), 1}, {"status", AT(status), 0},
    {"message", AT(message), 0},     {NULL, 0, 0}};
#undef AT

const char *ns_provenance_get(const ns_provenance_text *f, const ns_provenance *p)
{
  return *(const char *const *)((const char *)p + f->offset);
}

void ns_provenance_set(const ns_provenance_text *f, ns_provenance *p, const char *text)
{
  *(const char **)((char *)p + f->offset) = text;
}

ns_result_meta ns_result_meta_of_run(const ns_run_info *info, const ns_channel *channels,
                                     int nchannels, size_t ncols, const ns_run_result *r)
{
  const ns_model *m = info->model;
  ns_result_meta o = {.format = NS_OUTPUT_FORMAT,
                      .first_order = ns_model_is_first_order(m),
                      .name = m->name,
                      .title = m->title,
                      .xml = m->xml,
                      .t0 = m->sim.t0,
                      .T = m->sim.T,
                      .h = m->sim.ts.h,
                      .nparameters = m->nparameters,
                      .nsources = m->nsources,
                      .parameters = m->parameters,
                      .sources = m->sources,
                      .nchannels = nchannels,
                      .channels = channels,
                      .ncols = ncols};
  o.provenance = (ns_provenance){.version = info->version,
                                 .command = info->command,
                                 .host = info->host,
                                 .user = info->user,
                                 .started = info->started,
                                 .libraries = info->libraries,
                                 .status = "running",
                                 .message = "",
                                 .wall = NAN};
  if (!r) return o;
  o.provenance.finished = r->finished;
  o.provenance.status = r->status;
  o.provenance.message = r->message ? r->message : "";
  o.provenance.exit = r->exit;
  o.provenance.wall = r->wall;
  if (r->state) {
    o.has_certificate = 1;
    o.certificate = *r->state->cert;
    o.nmeasures = ns_measures_count(m);
    o.model = m;
    o.state = r->state;
  }
  return o;
}

void ns_result_measure_get(const ns_result_meta *m, int k, ns_measured *out)
{
  if (m->measures) *out = m->measures[k].m;
  else ns_measures_get(m->model, m->state, k, out);
}

void ns_result_measure_samples(const ns_result_meta *m, int k, double *value, double *time)
{
  if (!m->measures) {
    ns_measures_samples(m->model, m->state, k, value, time);
    return;
  }
  const ns_result_measure *s = &m->measures[k];
  size_t n = s->m.samples > 0 ? (size_t)s->m.samples * sizeof(double) : 0;
  if (value && n) memcpy(value, s->sample, n);
  if (time && n) memcpy(time, s->time, n);
}

int ns_result_extent_shows(const ns_result_extent *x, int kind)
{
  size_t switches = x->events[NS_EVENT_SWITCH];
  if (kind > NS_EVENT_SWITCH) return x->events[kind] > 0;
  return kind == NS_EVENT_SWITCH ? switches > 0 : switches == 0 || x->events[kind] > 0;
}
