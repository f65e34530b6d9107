/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/summary.h"

#include "cli/check_shapes.h"
#include "cli/console.h"
#include "cli/measured.h"
#include "integrators/flow.h"
#include "io/json.h"
#include "io/results/info.h"
#include "simulation/step/user_events.h"

#include <math.h>
#include <string.h>

enum { SYSTEMS_SHOWN = 4, COORDINATES_SHOWN = 7 };

static long long steps(const ns_summary *s) { return *s->state->step - s->first_step; }

static double per_step(const ns_summary *s)
{
  return steps(s) > 0 ? s->loop / (double)steps(s) : NAN;
}

/* ---- the closing line ------------------------------------------------------------------------ */

/* First order: no energy is known of a state; the laws are. */
static void certify_laws(const ns_summary *s, const char *newton, const char *residual,
                         const char *violation, char *buf, size_t n)
{
  if (s->model->nrows)
    snprintf(buf, n, "%scomplementarity residual <= %s, law violation <= %s", newton, residual,
             violation);
  else if (*newton) snprintf(buf, n, "%.*s", (int)strlen(newton) - 2, newton);
  else snprintf(buf, n, "no interaction");
}

/* What friction has given. Of a rigid body that rolls, work is parted between normal and friction
 * up to O(h^3) a step, of either sign: there a tenth of what the contacts took is no gain. */
static double friction_gain(const ns_summary *s)
{
  const ns_certificate *c = s->state->cert;
  double slack = ns_model_body(s->model) ? 0.1 * fmax(-c->work_contact, 0) : 0;
  return fmax(c->work_friction - slack, 0);
}

/* Energy that contacts and friction have given, which they cannot: 0 where it is rounding.
 * Compliant contacts store some. */
static double gain(const ns_summary *s)
{
  const ns_certificate *c = s->state->cert;
  double rounding = 1e-12 * (double)(c->steps + 1), given = friction_gain(s);
  int compliant = 0;
  for (int i = 0; i < s->model->ninteractions; i++)
    compliant |= (s->model->interactions[i].relation->flags & NS_REL_COMPLIANT) != 0;
  if (!compliant && c->work_contact > 0) given += c->work_contact;
  double scale = fabs(c->energy0) + fabs(c->kinetic) + fabs(c->potential) + fabs(c->work_force) +
                 fabs(c->work_driven);
  return given > rounding * scale ? given : 0;
}

/* No contact and no friction: joints and other equations alone. */
static int only_constraints(const ns_model *m)
{
  int all = !ns_check_shapes_meet(m);
  for (int i = 0; i < m->ninteractions; i++)
    all &= m->interactions[i].law.ops && ns_law_is_free(&m->interactions[i].law, 0);
  return all;
}

/* Whether an event-driven run was checked by a rule of its own, and the worst that was found. */
static int is_certified(const ns_summary *s)
{
  return s->model->sim.event_driven && s->model->sim.ed.certificate != NS_CERTIFICATE_OFF;
}

/* Of flows without a tolerance the motion is told, not judged. */
static double worst_found(const ns_summary *s)
{
  const ns_certificate *c = s->state->cert;
  const ns_flow_ops *flow = ns_flow_find(s->plan->integrator);
  double others = fmax(c->law_breach, c->event_breach);
  return flow && ns_flow_is_fixed(flow, &s->model->sim.ed) ? others
                                                           : fmax(c->motion_defect, others);
}

static void certify(const ns_summary *s, char *buf, size_t n)
{
  const ns_certificate *c = s->state->cert;
  char newton[96] = "";
  int touches = s->model->nrows || s->model->contact.nshapes;
  ns_console_words residual = ns_console_bound(c->residual_max);
  ns_console_words penetration = ns_console_bound(c->penetration_max);
  if (!s->plan->linear)
    snprintf(newton, sizeof newton, "Newton residual <= %s of the tolerance, ",
             ns_console_bound(c->newton_residual_max).text);
  if (ns_model_is_first_order(s->model))
    certify_laws(s, newton, residual.text, penetration.text, buf, n);
  else if (touches)
    snprintf(buf, n, "%sresidual <= %s, penetration <= %s m, energy defect %.2g J", newton,
             residual.text, penetration.text, c->defect);
  else snprintf(buf, n, "%senergy defect %.2g J", newton, c->defect);
  size_t used = strlen(buf);
  if (!ns_model_is_first_order(s->model) && gain(s) > 0)
    snprintf(buf + used, n - used, ", %s gave %.2g J",
             only_constraints(s->model) ? "constraints" : "contacts", gain(s));
  used = strlen(buf);
  if (is_certified(s) && used < n)
    snprintf(buf + used, n - used, ", certificate <= %s", ns_console_bound(worst_found(s)).text);
}

/* "written to out.h5", and whether all of it is there. */
static void say_where(const ns_summary *s, int complete, char *buf, size_t n)
{
  const char *name = s->output && strcmp(s->output, "-") == 0 ? "standard output" : s->output;
  if (!name) snprintf(buf, n, "nothing written");
  else if (s->output_bad) snprintf(buf, n, "%s is NOT complete", name);
  else snprintf(buf, n, "%s %s", complete ? "written to" : "results up to there in", name);
}

/* "complete: 2000 steps to t = 10 s in 0.4 ms; residual <= 1.1e-16, ...; written to out.h5" */
static const char *closing_line(const ns_summary *s, char *buf, size_t n)
{
  char certificate[256], until[80] = "", unsolved[96] = "", where[4224];
  int complete = strcmp(s->status, "complete") == 0;
  certify(s, certificate, sizeof certificate);
  say_where(s, complete, where, sizeof where);
  const ns_user_event *stop = ns_user_events_stopped(s->model, s->state, NULL);
  if (!complete) snprintf(until, sizeof until, " of %.6g s", s->model->sim.T);
  else if (stop)
    snprintf(until, sizeof until, ", where <stop>%s%.40s ended it,",
             strcmp(stop->id, "stop") ? " " : "", strcmp(stop->id, "stop") ? stop->id : "");
  long long accepted = s->state->cert->unsolved;
  if (accepted)
    snprintf(unsolved, sizeof unsolved, "%lld step%s NOT solved to the tolerance and accepted; ",
             accepted, accepted == 1 ? "" : "s");
  snprintf(buf, n, "%s: %lld step%s to t = %.6g s%s in %s; %s%s; %s", s->status, steps(s),
           steps(s) == 1 ? "" : "s", *s->state->t, until, ns_console_duration(s->loop).text,
           unsolved, certificate, where);
  return buf;
}

/* ---- for a person ---------------------------------------------------------------------------- */

/* "x = 0.1, y = 0, ..., v_x = 0" of one system, on a line. */
static void show_system(FILE *f, const ns_summary *s, const ns_system *y)
{
  char buf[64];
  int max = y->nq < COORDINATES_SHOWN ? y->nq : COORDINATES_SHOWN, speeds = y->n < max ? y->n : max;
  fprintf(f, "%s: ", y->at.id ? y->at.id : y->kind->name);
  for (int k = 0; k < max; k++)
    fprintf(f, "%s = %.6g, ", ns_system_coordinate(y, k, buf, sizeof buf),
            s->state->q[y->q + (size_t)k]);
  if (max < y->nq) fprintf(f, "... %d more; ", y->nq - max);
  fputs(ns_system_is_first_order(y) ? "rates" : "velocities", f);
  for (int k = 0; k < speeds; k++)
    fprintf(f, "%s %.6g", k ? "," : "", s->state->v[y->v + (size_t)k]);
  fprintf(f, "%s\n", speeds < y->n ? ", ..." : "");
}

static void show_states(FILE *f, const ns_summary *s)
{
  const ns_model *m = s->model;
  for (int k = 0; k < m->nsystems && k < SYSTEMS_SHOWN; k++) {
    ns_info_row(f, k ? "" : "final state", "%s", "");
    show_system(f, s, &m->systems[k]);
  }
  if (m->nsystems > SYSTEMS_SHOWN) {
    ns_info_row(f, "", "... %d more\n", m->nsystems - SYSTEMS_SHOWN);
  }
}

static void show_scheme(FILE *f, const ns_summary *s)
{
  const ns_plan *p = s->plan;
  ns_info_row(f, "scheme", "%s, %s", p->strategy, p->integrator);
  if (s->model->contact.nshapes) fprintf(f, ", %s by %s", p->problem, p->solver);
  else if (p->rows)
    fprintf(f, ", %s of %d row%s by %s", p->problem, p->rows, p->rows == 1 ? "" : "s", p->solver);
  if (s->model->contact.nshapes || p->rows)
    fprintf(f, "%s%s%s", p->solver_note && *p->solver_note ? " (" : "",
            p->solver_note ? p->solver_note : "", p->solver_note && *p->solver_note ? ")" : "");
  fputc('\n', f);
}

/* Where the time went. */
static void show_shares(FILE *f, const ns_summary *s)
{
  double all = s->loop > 0 ? s->loop : 1;
  if (!(s->shares.solver > 0)) return;
  ns_info_row(f, "shares", "collision %.0f %%, solver %.0f %% of the wall time, %d thread%s\n",
              100 * s->shares.collision / all, 100 * s->shares.solver / all,
              s->model->sim.osnsp.threads, s->model->sim.osnsp.threads == 1 ? "" : "s");
}

static void show_gain(FILE *f, const ns_summary *s)
{
  double given = gain(s);
  if (given == 0) return;
  if (only_constraints(s->model)) {
    ns_info_row(f, "", "constraints added %.2g J, expected none: use a smaller h%s\n", given,
                s->model->sim.event_driven ? " or smaller tolerances" : "");
    return;
  }
  ns_info_row(f, "", "contacts and friction added %.2g J, expected dissipation: %s\n", given,
              s->model->sim.event_driven
                  ? "use the same e for all contacts, or the law of multiple impacts"
                  : "use a smaller h, check et and theta");
}

static void show_work(FILE *f, const ns_summary *s)
{
  const ns_certificate *c = s->state->cert;
  ns_info_row(f, "energy",
              "%.6g J at the start, %.6g J at the end (kinetic %.6g J, potential %.6g J)\n",
              c->energy0, c->kinetic + c->potential, c->kinetic, c->potential);
  ns_info_row(f, "work", "contacts %.6g J, ", c->work_contact);
  if (c->work_friction != 0) fprintf(f, "friction %.6g J, ", c->work_friction);
  if (c->work_driven != 0) fprintf(f, "moving obstacles %.6g J, ", c->work_driven);
  fprintf(f, "forces %.6g J; energy defect %.2g J (largest %.2g J)\n", c->work_force, c->defect,
          c->defect_max);
  show_gain(f, s);
}

static void show_laws(FILE *f, const ns_summary *s)
{
  const ns_certificate *c = s->state->cert;
  if (!s->model->nrows) return;
  ns_info_row(f, "switches", "%lld; at most %d of %zu multipliers not at a bound\n", c->impacts,
              c->active_max, s->model->nrows);
  if (!s->model->sim.event_driven) {
    ns_info_row(f, "residual",
                "<= %s in each one-step problem; %lld solver iterations, at most %d in a step\n",
                ns_console_bound(c->residual_max).text, c->solver, c->solver_max);
  }
  ns_info_row(f, "laws", "violated by <= %s, from the state and multipliers as recorded\n",
              ns_console_bound(c->penetration_max).text);
}

static void show_contacts(FILE *f, const ns_summary *s)
{
  const ns_certificate *c = s->state->cert;
  if (!s->model->nrows && !s->model->contact.nshapes) return;
  ns_info_row(f, "impacts", "%s", "");
  if (s->model->contact.nshapes)
    fprintf(f, "%lld; at most %d rows active\n", c->impacts, c->active_max);
  else
    fprintf(f, "%lld; at most %d of %zu contact rows active\n", c->impacts, c->active_max,
            s->model->nrows);
  ns_info_row(f, "residual",
              "<= %s in each one-step problem; %lld solver iterations, at most %d in a step\n",
              ns_console_bound(c->residual_max).text, c->solver, c->solver_max);
  ns_info_row(f, "penetration", "<= %s m\n", ns_console_bound(c->penetration_max).text);
}

/* Event-driven runs. */
static void show_flow(FILE *f, const ns_summary *s)
{
  const ns_certificate *c = s->state->cert;
  if (!s->model->sim.event_driven) return;
  ns_info_row(f, "events", "%.0f; %.0f steps of the integrator between them, %.0f evaluations\n",
              c->events, c->flow_steps, c->flow_evaluations);
  if (!is_certified(s)) return;
  double time = *s->state->t - s->model->sim.t0;
  ns_info_row(f, "certificate",
              "motion %.2g, laws %.2g, events %.2g of what the tolerances allow; motion checked in "
              "%.3g %% of the time, %.0f evaluations\n",
              c->motion_defect, c->law_breach, c->event_breach,
              time > 0 ? 100 * c->checked / time : 0, c->certificate_rates);
}

static void show_newton(FILE *f, const ns_summary *s)
{
  const ns_certificate *c = s->state->cert;
  if (s->plan->linear || s->model->sim.event_driven) return;
  ns_info_row(f, "Newton",
              "%lld iterations, at most %d in a step; residual <= %s of the tolerance\n", c->newton,
              c->newton_max, ns_console_bound(c->newton_residual_max).text);
  if (!s->plan->systems_differenced) return;
  ns_info_row(f, "Jacobians", "by finite differences in %d system%s: nssim check lists them\n",
              s->plan->systems_differenced, s->plan->systems_differenced == 1 ? "" : "s");
}

static void show_user_events(FILE *f, const ns_summary *s)
{
  enum { SHOWN = 12 };
  const ns_model *m = s->model;
  double t;
  for (int k = 0; k < m->nuser_events && k < SHOWN; k++) {
    long long n = ns_user_events_count(m, s->state, k);
    ns_info_row(f, k ? "" : "events", "%s: %lld time%s", m->user_events[k].id, n,
                n == 1 ? "" : "s");
    if (ns_user_events_stopped(m, s->state, &t) == &m->user_events[k])
      fprintf(f, "; stopped the run at t = %.8g s", t);
    fputc('\n', f);
  }
  if (m->nuser_events > SHOWN) {
    ns_info_row(f, "", "... %d more\n", m->nuser_events - SHOWN);
  }
}

/* Commands that show something of this very output: of bodies with shapes the scene first. */
static void show_hint(FILE *f, const ns_summary *s)
{
  char buf[64];
  const ns_model *m = s->model;
  if (!s->output || strcmp(s->output, "-") == 0 || s->output_bad || !m->nsystems ||
      !m->systems[0].at.id)
    return;
  ns_info_row(f, "look at it", "%s", "");
  if (m->contact.nshapes) {
    fprintf(f, "nssim view %s\n", s->output);
    ns_info_row(f, "", "%s", "");
  }
  fprintf(f, "nssim plot %s %s.%s\n", s->output, m->systems[0].at.id,
          ns_system_coordinate(&m->systems[0], 0, buf, sizeof buf));
}

void ns_summary_text(const ns_summary *s, FILE *f)
{
  const ns_model *m = s->model;
  char line[5120];
  const char *title = m->title && *m->title ? m->title : m->name;
  fprintf(f, "%s\n", title ? title : "model");
  ns_info_row(f, "time", "%.6g s to %.6g s in %lld steps of %.6g s\n", m->sim.t0, *s->state->t,
              steps(s), m->sim.ts.h);
  ns_info_row(f, "wall time", "%s", ns_console_duration(s->loop).text);
  if (steps(s) > 0) fprintf(f, ", %s a step", ns_console_duration(per_step(s)).text);
  fprintf(f, "; %s for loading and setup\n", ns_console_duration(s->load + s->setup).text);
  show_shares(f, s);
  show_scheme(f, s);
  int first_order = ns_model_is_first_order(m);
  show_flow(f, s);
  if (first_order) show_laws(f, s);
  else show_contacts(f, s);
  show_newton(f, s);
  if (!first_order) show_work(f, s);
  show_states(f, s);
  show_user_events(f, s);
  ns_measured_text(m, s->state, "measures", f);
  show_hint(f, s);
  fprintf(f, "%s\n", closing_line(s, line, sizeof line));
}

/* ---- for a program --------------------------------------------------------------------------- */

static void certificate_of_laws(const ns_certificate *c, ns_json *j)
{
  ns_json_put(j, NS_JSON_REAL("residual_max", c->residual_max),
              NS_JSON_REAL("newton_residual_max", c->newton_residual_max));
  if (c->unsolved) ns_json_integer(j, "unsolved", c->unsolved);
  ns_json_put(j, NS_JSON_REAL("violation_max", c->penetration_max),
              NS_JSON_INTEGER("switches", c->impacts),
              NS_JSON_INTEGER("newton_iterations", c->newton),
              NS_JSON_INTEGER("newton_iterations_max", c->newton_max),
              NS_JSON_INTEGER("solver_iterations", c->solver),
              NS_JSON_INTEGER("solver_iterations_max", c->solver_max),
              NS_JSON_INTEGER("active_max", c->active_max));
}

static void certificate_of_flow(const ns_certificate *c, int certified, ns_json *j)
{
  ns_json_put(j, NS_JSON_INTEGER("events", (long long)c->events),
              NS_JSON_INTEGER("integrator_steps", (long long)c->flow_steps),
              NS_JSON_INTEGER("evaluations", (long long)c->flow_evaluations));
  if (!certified) return;
  ns_json_put(j, NS_JSON_REAL("motion_defect_max", c->motion_defect),
              NS_JSON_REAL("law_breach_max", c->law_breach),
              NS_JSON_REAL("event_breach_max", c->event_breach),
              NS_JSON_REAL("checked_time", c->checked),
              NS_JSON_INTEGER("certificate_evaluations", (long long)c->certificate_rates));
}

static ns_json certificate(const ns_summary *s)
{
  const ns_certificate *c = s->state->cert;
  ns_json j = ns_json_object();
  if (ns_model_is_first_order(s->model)) {
    certificate_of_laws(c, &j);
    if (s->model->sim.event_driven) certificate_of_flow(c, is_certified(s), &j);
    return j;
  }
  ns_json_put(&j, NS_JSON_REAL("residual_max", c->residual_max),
              NS_JSON_REAL("newton_residual_max", c->newton_residual_max));
  if (c->unsolved) ns_json_integer(&j, "unsolved", c->unsolved);
  ns_json_put(&j, NS_JSON_REAL("penetration_max", c->penetration_max),
              NS_JSON_REAL("energy_initial", c->energy0),
              NS_JSON_REAL("energy_kinetic", c->kinetic),
              NS_JSON_REAL("energy_potential", c->potential),
              NS_JSON_REAL("work_contact", c->work_contact));
  if (c->work_friction != 0) ns_json_real(&j, "work_friction", c->work_friction);
  if (c->work_driven != 0) ns_json_real(&j, "work_driven", c->work_driven);
  ns_json_put(
      &j, NS_JSON_REAL("work_force", c->work_force), NS_JSON_REAL("energy_defect", c->defect),
      NS_JSON_REAL("energy_defect_max", c->defect_max), NS_JSON_INTEGER("impacts", c->impacts));
  if (s->model->sim.event_driven) certificate_of_flow(c, is_certified(s), &j);
  ns_json_put(&j, NS_JSON_INTEGER("newton_iterations", c->newton),
              NS_JSON_INTEGER("newton_iterations_max", c->newton_max),
              NS_JSON_INTEGER("solver_iterations", c->solver),
              NS_JSON_INTEGER("solver_iterations_max", c->solver_max),
              NS_JSON_INTEGER("active_max", c->active_max));
  return j;
}

/* {"kick": 3, ...}: how often each happened. */
static ns_json user_events(const ns_summary *s)
{
  ns_json j = ns_json_object();
  for (int k = 0; k < s->model->nuser_events; k++)
    ns_json_integer(&j, s->model->user_events[k].id, ns_user_events_count(s->model, s->state, k));
  return j;
}

static ns_json stopped(const ns_summary *s)
{
  double t = NAN;
  const ns_user_event *e = ns_user_events_stopped(s->model, s->state, &t);
  return ns_json_of(NS_JSON_TEXT("event", e ? e->id : NULL), NS_JSON_REAL("t", t));
}

static ns_json systems(const ns_summary *s)
{
  ns_json j = ns_json_object();
  for (int k = 0; k < s->model->nsystems; k++) {
    const ns_system *y = &s->model->systems[k];
    char made[32];
    ns_json one = ns_json_object();
    int first_order = ns_system_is_first_order(y);
    ns_json_put(
        &one, NS_JSON_MEMBER(first_order ? "x" : "q", ns_json_reals(s->state->q + y->q, y->nq)),
        NS_JSON_MEMBER(first_order ? "xdot" : "v", ns_json_reals(s->state->v + y->v, y->n)));
    snprintf(made, sizeof made, "%d", k);
    ns_json_member(&j, y->at.id ? y->at.id : made, one);
  }
  return j;
}

ns_json ns_summary_timing(const ns_summary *s)
{
  ns_json j = ns_json_of(
      NS_JSON_INTEGER("steps", steps(s)), NS_JSON_REAL("loop_seconds", s->loop),
      NS_JSON_REAL("load_seconds", s->load), NS_JSON_REAL("setup_seconds", s->setup),
      NS_JSON_REAL("total_seconds", s->total), NS_JSON_REAL("ns_per_step", 1e9 * per_step(s)));
  if (!(s->shares.solver > 0)) return j;
  ns_json_put(&j, NS_JSON_REAL("collision_seconds", s->shares.collision),
              NS_JSON_REAL("solver_seconds", s->shares.solver));
  return j;
}

ns_json ns_summary_json(const ns_summary *s)
{
  ns_json j = ns_json_of(
      NS_JSON_TEXT("model", s->model->name), NS_JSON_TEXT("title", s->model->title),
      NS_JSON_TEXT("status", s->status), NS_JSON_TEXT("message", *s->message ? s->message : NULL),
      NS_JSON_INTEGER("exit", s->exit), NS_JSON_TEXT("output", s->output),
      NS_JSON_REAL("t0", s->model->sim.t0), NS_JSON_REAL("t", *s->state->t),
      NS_JSON_REAL("T", s->model->sim.T), NS_JSON_REAL("h", s->model->sim.ts.h),
      NS_JSON_TEXT("strategy", s->plan->strategy), NS_JSON_TEXT("integrator", s->plan->integrator),
      NS_JSON_TEXT("problem", s->plan->problem), NS_JSON_TEXT("solver", s->plan->solver),
      NS_JSON_MEMBER("certificate", certificate(s)), NS_JSON_MEMBER("timing", ns_summary_timing(s)),
      NS_JSON_MEMBER("systems", systems(s)));
  if (s->model->nuser_events) ns_json_member(&j, "events", user_events(s));
  if (ns_user_events_stopped(s->model, s->state, NULL))
    ns_json_member(&j, "stopped_by", stopped(s));
  if (s->model->nmeasures) ns_json_member(&j, "measures", ns_measured_json(s->model, s->state));
  return j;
}
