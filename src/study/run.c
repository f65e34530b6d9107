/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/run.h"

#include "base/clock.h"
#include "base/guard.h"
#include "base/text.h"
#include "io/number.h"
#include "simulation/record/channels.h"
#include "simulation/record/measures.h"
#include "simulation/simulation.h"
#include "study/journal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { COORDINATES_MAX = 1000 }; /* of a final state that is collected */

/* A call of a plug-in that goes on so long after the sweep was asked to end is given up, s. */
static const double GRACE = 2;

typedef struct run {
  const ns_sweep_job *j;
  ns_ctx *c;
  long long k;
  ns_arena *arena;     /* of NAME=VALUE and labels */
  ns_plugins *plugins; /* of this run: variables of its plug-ins are as new */
  ns_model *model;
  ns_simulation *sim;
  ns_recorder *recorder;
  double wall;
} run;

const char *ns_sweep_trajectory(const ns_sweep_job *j, long long k, char *buf)
{
  snprintf(buf, NS_TRAJECTORY_PATH, "%s/runs/%s%s", j->dir, j->m->key[k], j->trajectories);
  return buf;
}

/* ---- the model ------------------------------------------------------------------------------- */

static const char *word(run *r, const char *name, const char *value)
{
  return ns_arena_format(r->arena, "%s=%s", name, value);
}

/* What the run changes, to the parameters and options of a load. */
static int words(run *r, ns_load_options *o)
{
  const ns_study *s = r->j->m->study;
  const ns_study_cell *row = s->cell + (size_t)r->k * (size_t)s->ncolumns;
  char number[NS_NUMBER_SIZE];
  const char **set = ns_arena_zero(r->arena, (size_t)s->ncolumns, sizeof *set);
  const char **option = ns_arena_zero(r->arena, (size_t)s->ncolumns, sizeof *option);
  unsigned char *si = ns_arena_zero(r->arena, (size_t)s->ncolumns, sizeof *si);
  if (!set || !option || !si) return ns_nomem(r->c, "parameters of a run");
  for (int k = 0; k < s->ncolumns; k++) {
    const char *text = ns_study_cell_text(&row[k], number);
    const char *w = text ? word(r, s->column[k].name, text) : NULL;
    if (text && !w) return ns_nomem(r->c, "parameters of a run");
    if (w && s->column[k].option) option[o->noption++] = w;
    else if (w) si[o->nset] = !row[k].text, set[o->nset++] = w;
  }
  o->set = set;
  o->si = si;
  o->option = option;
  return NS_OK;
}

static int make(run *r)
{
  const ns_study_options *o = r->j->options;
  ns_load_options load = {0};
  int rc = words(r, &load);
  if (rc) return rc;
  if (r->j->m->study->uses_plugins &&
      !(r->plugins = ns_plugins_create(r->c, o->plugin_path, o->nplugin_path)))
    return NS_NOMEM;
  if ((rc = ns_base_make(r->j->base, r->c, &load, r->plugins, &r->model))) return rc;
  if (r->plugins && (rc = ns_plugins_begin(r->plugins, r->c))) return rc;
  return ns_simulation_create(r->c, r->model, &r->sim);
}

/* ---- stepping -------------------------------------------------------------------------------- */

static int open_recorder(run *r)
{
  char path[NS_TRAJECTORY_PATH];
  const ns_output_options *out = &r->model->out;
  ns_run_info info = *r->j->info;
  info.model = r->model;
  snprintf(path, sizeof path, "%s/runs", r->j->dir);
  mkdir(path, 0777); /* a failure is told by the sink */
  return ns_recorder_create(r->c, r->model, ns_simulation_state(r->sim), r->j->sink,
                            ns_sweep_trajectory(r->j, r->k, path), &info, out->record, out->nrecord,
                            out->every, &r->recorder);
}

static int close_recorder(run *r, int rc)
{
  char date[32];
  time_t t = time(NULL);
  struct tm utc;
  if (!r->recorder) return rc;
  gmtime_r(&t, &utc);
  strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
  ns_run_result result = {.status = rc == NS_OK        ? "complete"
                                    : rc == NS_STOPPED ? "interrupted"
                                                       : "failed",
                          .message = rc == NS_OK ? "" : r->c->msg,
                          .exit = ns_status_exit(rc),
                          .finished = date,
                          .wall = r->wall,
                          .state = ns_simulation_state(r->sim)};
  int closed = ns_recorder_close(r->recorder, r->c, &result);
  r->recorder = NULL;
  return closed < 0 && (rc == NS_OK || rc == NS_STOPPED) ? closed : rc;
}

static int steps(void *arg)
{
  run *r = arg;
  int rc = make(r);
  if (!rc && r->j->sink) rc = open_recorder(r);
  if (rc) return rc;
  const ns_watch watch = {.stop = r->j->stop};
  double begin = ns_clock();
  rc = ns_simulation_run(r->sim, r->c, r->recorder, &watch);
  r->wall = ns_clock() - begin;
  return rc;
}

/* ---- what is collected ----------------------------------------------------------------------- */

static double parameter(const ns_model *m, const char *name)
{
  int k = NS_NAMED_INDEX(ns_parameter, name, m->parameters, m->nparameters, name);
  return k < 0 ? NAN : m->parameters[k].value;
}

/* Values of what is an expression in the study: only the model knows them. */
static void collect_texts(const run *r, ns_record *out)
{
  const ns_study *s = r->j->m->study;
  const ns_study_cell *row = s->cell + (size_t)r->k * (size_t)s->ncolumns;
  for (int k = 0; k < s->ncolumns; k++) {
    if (!row[k].text || s->column[k].values != NS_SETTING_NUMBERS) continue;
    const char *name = s->column[k].name;
    double x = s->column[k].option ? ns_base_option(r->j->base, r->model, name)
                                   : parameter(r->model, name);
    ns_record_value(out, name, x);
  }
}

static void collect_certificate(const run *r, ns_record *out)
{
  const ns_state *x = ns_simulation_state(r->sim);
  const ns_certificate *k = x->cert;
  const struct {
    const char *name;
    double value;
  } list[] = {{"certificate.t", *x->t},
              {"certificate.steps", (double)k->steps},
              {"certificate.impacts", (double)k->impacts},
              {"certificate.residual_max", k->residual_max},
              {"certificate.penetration_max", k->penetration_max},
              {"certificate.defect_max", k->defect_max}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    ns_record_value(out, list[i].name, list[i].value);
}

/* q and v, or x, of each system. */
static int collect_state(run *r, ns_record *out)
{
  const ns_model *m = r->model;
  const ns_state *x = ns_simulation_state(r->sim);
  if (m->nq > COORDINATES_MAX) return NS_OK;
  for (int v = 0; v < 2; v++)
    for (int k = 0; k < m->nsystems; k++) {
      const ns_system *s = &m->systems[k];
      int first_order = ns_system_is_first_order(s), n = !v ? s->nq : first_order ? 0 : s->n;
      const char *what = first_order ? "x" : v ? "v" : "q";
      for (int i = 0; i < n; i++) {
        const char *label = ns_channel_label(r->arena, "systems", s->at.id, what,
                                             ns_system_names(s, what), n, i);
        if (!label) return ns_nomem(r->c, "names of results");
        ns_record_value(out, label, v ? x->v[s->v + (size_t)i] : x->q[s->q + (size_t)i]);
      }
    }
  return NS_OK;
}

static int collect_measures(run *r, ns_record *out)
{
  const ns_state *x = ns_simulation_state(r->sim);
  for (int k = 0; k < ns_measures_count(r->model); k++) {
    ns_measured one;
    ns_measures_get(r->model, x, k, &one);
    if (one.samples < 0) {
      ns_record_value(out, one.id, one.value);
      continue;
    }
    double *value = ns_arena_get(r->arena, (size_t)one.samples, sizeof *value);
    if (!value) return ns_nomem(r->c, "samples of a measure");
    ns_measures_samples(r->model, x, k, value, NULL);
    ns_record_array(out, one.id, value, (size_t)one.samples);
  }
  return NS_OK;
}

static int collect(run *r, ns_record *out)
{
  collect_texts(r, out);
  collect_certificate(r, out);
  return ns_measures_count(r->model) ? collect_measures(r, out) : collect_state(r, out);
}

/* ---- the run --------------------------------------------------------------------------------- */

static void destroy(run *r)
{
  ns_simulation_destroy(r->sim);
  ns_model_destroy(r->model);
  ns_plugins_destroy(r->plugins);
  ns_arena_destroy(r->arena);
}

int ns_sweep_run(const ns_sweep_job *j, ns_ctx *c, long long k, ns_record *out, int *failed,
                 int *crashed)
{
  run r = {.j = j, .c = c, .k = k, .arena = ns_arena_create(0, 1)};
  *failed = *crashed = 0;
  if (!r.arena) return ns_nomem(c, "a run");
  ns_guard_limit limit = {.stop = j->stop, .grace = GRACE};
  int rc = j->m->study->uses_plugins ? ns_guard_run_limited(c, steps, &r, &limit) : steps(&r);
  *crashed = rc == NS_PLUGIN || limit.stuck;
  rc = close_recorder(&r, rc);
  if (rc != NS_STOPPED && rc != NS_NOMEM && rc != NS_OUTPUT && rc != NS_NOCREATE) {
    *failed = rc != NS_OK;
    ns_journal_record(out, j->m->key[k], *failed ? NS_RUN_END_FAILED : NS_RUN_END_COMPLETE,
                      ns_status_exit(rc), r.wall, *failed ? c->msg : "");
    rc = r.sim ? collect(&r, out) : NS_OK; /* of a failed run: its last good state */
    if (!rc && !ns_record_seal(out)) rc = ns_nomem(c, "record of a run");
  }
  destroy(&r);
  return rc;
}
