/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_check.c -- nssim check: validate a model, say what was understood, step nothing. */
#include "base/plural.h"
#include "cli/check_formulas.h"
#include "cli/check_json.h"
#include "cli/check_shapes.h"
#include "cli/cli.h"
#include "cli/console.h"
#include "cli/progress.h"
#include "cli/understood.h"
#include "io/json.h"
#include "io/load/load.h"
#include "model/controls/control.h"
#include "model/law_values.h"
#include "model/measure.h"
#include "model/relations/lagrangian_relation.h"
#include "model/relations/rigid_rank.h"
#include "model/relations/rigid_relation.h"
#include "model/systems/first_order.h"
#include "model/user_event.h"

#include <stdio.h>
#include <string.h>

typedef struct check {
  ns_job s;
  int json;
  ns_progress progress; /* of the loading */
} check;

/* ---- options --------------------------------------------------------------------------------- */

enum { KEY_JSON = 0x200, KEY_UNITS };

static const struct argp_option options[] = {
    {0, 0, 0, 0, "Messages:", 3},
    {"json", KEY_JSON, 0, 0, "Print a JSON object", 0},
    {"units", KEY_UNITS, 0, 0,
     "Check the units of all formulas, and treat every number in them as dimensionless", 0},
    {0},
};

static const char doc[] =
    "Validate a model without running it, and print how nssim interprets it.\n\n"
    "Examples:\n"
    "  nssim check model.xml\n"
    "  nssim check model.xml -p n=1000 --json\n"
    "\vStatus 0: the model is valid. 65: it is not; every error is reported with its line.";

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
  check *k = state->input;
  (void)arg;
  switch (key) {
  case ARGP_KEY_INIT: state->child_inputs[0] = &k->s; return 0;
  case KEY_JSON: k->json = 1; return 0;
  case KEY_UNITS: k->s.units = 2; return 0;
  default: return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_child children[] = {{&ns_job_argp, 0, 0, 0}, {0}};
static const struct argp check_argp = {options, parse_option, "MODEL.xml", doc, children, 0, 0};

/* ---- for a person ---------------------------------------------------------------------------- */

static void show_parameters(const ns_model *m)
{
  if (!m->nparameters) return;
  puts("parameters");
  for (int k = 0; k < m->nparameters; k++) {
    const ns_parameter *p = &m->parameters[k];
    printf("  %-12s %.15g%s%s%s\n", p->name, p->value, p->unit ? " " : "", p->unit ? p->unit : "",
           p->overridden ? "   (given by -p)" : "");
  }
}

/* Each attribute that <defaults> give, and the lines of the elements that took it. */
static void show_defaults(const ns_model *m)
{
  if (m->ndefaults) puts("defaults");
  for (int k = 0; k < m->ndefaults; k++) {
    const ns_default *d = &m->defaults[k];
    int shown = d->count < NS_DEFAULT_LINES ? d->count : NS_DEFAULT_LINES;
    printf("  %s%s%s%s %s=\"%s\": ", d->element, d->class_name ? " class=\"" : "",
           d->class_name ? d->class_name : "", d->class_name ? "\"" : "", d->attribute, d->value);
    if (!d->count) puts("used by no element");
    if (!d->count) continue;
    printf("%d %s, %s ", d->count, ns_plural(d->count, "element", "elements"),
           ns_plural(d->count, "line", "lines"));
    for (int i = 0; i < shown; i++) {
      int skips = i + 1 == shown && shown < d->count;
      if (i) fputs(skips ? " ... " : ", ", stdout);
      printf("%d", d->line[i]);
    }
    putchar('\n');
  }
}

/* "ball" or "bead1 ... bead1000". */
static void show_members(const ns_place *first, const ns_place *last, long long count)
{
  if (!first->id) return;
  printf(": %s", first->id);
  if (count > 1 && last->id) printf("%s%s", count > 2 ? " ... " : ", ", last->id);
}

static void show_system_group(const ns_model *m, const ns_group *g)
{
  enum { SHOWN = 7 };
  char buf[64];
  const ns_system *y = &m->systems[g->first];
  printf("  %lld %s of %d", g->count, y->kind->name, y->n);
  show_members(&y->at, &m->systems[g->last].at, g->count);
  fputs(" (", stdout);
  for (int k = 0; k < y->nq && k < SHOWN; k++)
    printf("%s%s", k ? ", " : "", ns_system_coordinate(y, k, buf, sizeof buf));
  printf("%s)\n", y->nq > SHOWN ? ", ..." : "");
}

static void show_systems(const ns_model *m, const ns_groups *g)
{
  printf("%d %s, %zu ", m->nsystems, ns_plural(m->nsystems, "system", "systems"), m->nv);
  if (ns_model_is_first_order(m)) puts(ns_plural(m->nv, "state", "states"));
  else puts(ns_plural(m->nv, "degree of freedom", "degrees of freedom"));
  for (int k = 0; k < g->n; k++) show_system_group(m, &g->group[k]);
  if (g->others) printf("  %lld of other kinds\n", g->others);
}

/* "20 constraints of rank 17, ..." */
static void show_rank(const ns_model *m, const ns_understood *u)
{
  int extra = u->constraints - u->rank, left = (int)m->nv - ns_model_count_held(m) - u->rank;
  if (!u->constraints) return;
  printf("  %d %s", u->constraints, ns_plural(u->constraints, "constraint", "constraints"));
  if (u->rank < 0) {
    printf(": more than %d in one mechanism, its rank is not computed\n", (int)NS_RIGID_RANK_MAX);
    return;
  }
  printf(" of rank %d: %d %s left", u->rank, left,
         ns_plural(left, "degree of freedom is", "degrees of freedom are"));
  if (extra)
    printf("; %d %s redundant, so that impulses of joints are not unique", extra,
           ns_plural(extra, "is", "are"));
  putchar('\n');
}

static void show_numbers(const ns_model *m, const ns_nonsmooth_law *l)
{
  const char *comma = " ";
  for (const ns_law_number *n = l->ops->numbers; n && n->attribute; n++, comma = ", ") {
    const ns_law_formula *f = ns_law_formula_of(m, l, n->at);
    if (f) printf("%s%s = %s", comma, n->attribute, f->text);
    else
      printf("%s%s = %g%s%s", comma, n->attribute, ns_law_get(l, n), n->unit ? " " : "",
             n->unit ? n->unit : "");
  }
  for (int k = l->formula; k < l->formula + l->nformulas; k++, comma = ", ")
    if (m->law_formulas[k].bound)
      printf("%s%s = %s", comma, m->law_formulas[k].attribute, m->law_formulas[k].text);
}

static void show_forces(const ns_model *m)
{
  if (!m->nforces) return;
  printf("%d %s between bodies", m->nforces, ns_plural(m->nforces, "force", "forces"));
  show_members(&m->forces[0].at, &m->forces[m->nforces - 1].at, m->nforces);
  putchar('\n');
}

static void show_interactions(const ns_model *m, const ns_groups *g)
{
  printf("%d %s, %zu %s\n", m->ninteractions,
         ns_plural(m->ninteractions, "interaction", "interactions"), m->nrows,
         ns_plural(m->nrows, "row", "rows"));
  for (int k = 0; k < g->n; k++) {
    const ns_interaction *i = &m->interactions[g->group[k].first];
    printf("  %lld %s with %s", g->group[k].count, (i->written ? i->written : i->relation)->name,
           i->law.ops->name);
    show_numbers(m, &i->law);
    printf(", %d %s", i->m, ns_plural(i->m, "row", "rows"));
    show_members(&i->at, &m->interactions[g->group[k].last].at, g->group[k].count);
    putchar('\n');
  }
  if (g->others) printf("  %lld of other kinds\n", g->others);
}

/* "0 0 1 1": the relative degree of each row of the first interactions. */
static void show_posed(const ns_model *m, const ns_posed *p)
{
  enum { SHOWN = 6, ROWS = 24 };
  if (!p || !p->known) return;
  for (int i = 0; i < m->ninteractions && i < SHOWN; i++) {
    const ns_interaction *it = &m->interactions[i];
    printf("  relative degree of %s:", it->at.id ? it->at.id : it->relation->name);
    for (int r = 0; r < it->m && r < ROWS; r++) {
      int d = p->degree[it->row + (size_t)r];
      if (d == NS_POSED_NO_DEGREE) fputs(" none", stdout);
      else printf(" %d", d);
    }
    puts(it->m > ROWS ? " ..." : "");
  }
  if (m->ninteractions > SHOWN) puts("  ...");
  printf("  matrix of a step: %s\n", ns_posed_text(p->problem));
  if (p->singular_D) puts("  D is singular");
}

static int is_differenced(const ns_interaction *it)
{
  if (ns_interaction_is_rigid(it)) return ns_rigid_relation_differenced(it);
  return ns_interaction_is_first_order(it) ? ns_relation_differenced(it)
                                           : ns_lagrangian_relation_differenced(it);
}

/* The number of relations with a Jacobian that is differenced. */
static int show_differenced_relations(const ns_model *m)
{
  const ns_interaction *first = NULL;
  int n = 0;
  for (int k = 0; k < m->ninteractions; k++)
    if (is_differenced(&m->interactions[k]) && n++ == 0) first = &m->interactions[k];
  if (n)
    printf("  Jacobians    by finite differences in %d %s: %s%s\n", n,
           ns_plural(n, "relation", "relations"),
           first->at.id ? first->at.id : first->relation->name, n > 1 ? ", ..." : "");
  return n;
}

/* "u of plant" as what is written: at most a few names. */
static void show_writes(const ns_model *m, const ns_control *k)
{
  enum { SHOWN = 4 };
  char name[128];
  for (int j = 0; j < k->nwrites && j < SHOWN; j++)
    printf("%s%s", j ? ", " : "", ns_control_entry(m, k, k->writes[j], name, sizeof name));
  if (k->nwrites > SHOWN) fputs(", ...", stdout);
  for (int i = 0; i < k->nsystems && i < SHOWN; i++)
    printf("%s%s", i ? ", " : " of ",
           m->systems[k->systems[i]].at.id ? m->systems[k->systems[i]].at.id : "a system");
  puts(k->nsystems > SHOWN ? ", ..." : "");
}

/* When a control acts, beside its period. */
static void show_window(const ns_control *k)
{
  if (k->first > 0) printf("offset %.6g s, ", k->offset);
  if (k->from > -INFINITY) printf("from %.6g s, ", k->from);
  if (k->until < INFINITY) printf("until %.6g s, ", k->until);
  if (k->when.how != NS_OP_ABSENT) printf("under a condition, ");
}

static void show_controls(const ns_model *m)
{
  enum { SHOWN = 20 };
  if (!m->ncontrols) return;
  printf("%d %s, in the order in which they act\n", m->ncontrols,
         ns_plural(m->ncontrols, "control", "controls"));
  for (int i = 0; i < m->ncontrols && i < SHOWN; i++) {
    const ns_control *k = &m->controls[i];
    printf("  %s: %s each %.6g s, ", k->at.id ? k->at.id : "control", k->kind->name, k->period);
    if (k->every == 1) printf("every step, ");
    else if (k->every) printf("every %lld steps, ", k->every);
    show_window(k);
    printf("writes ");
    show_writes(m, k);
  }
  if (m->ncontrols > SHOWN) printf("  and %d more\n", m->ncontrols - SHOWN);
}

static void show_events(const ns_model *m)
{
  enum { SHOWN = 20 };
  if (!m->nuser_events) return;
  printf("%d %s of the model\n", m->nuser_events, ns_plural(m->nuser_events, "event", "events"));
  for (int i = 0; i < m->nuser_events && i < SHOWN; i++) {
    const ns_user_event *e = &m->user_events[i];
    printf("  %s: ", e->id);
    if (e->ntimes) printf("at %d %s", e->ntimes, ns_plural(e->ntimes, "time", "times"));
    else if (e->every > 0) printf("each %.6g s", e->every);
    else
      fputs(e->direction > 0   ? "when a condition becomes true"
            : e->direction < 0 ? "when a condition becomes false"
                               : "when a condition changes",
            stdout);
    if (e->nsets)
      printf(", sets %d %s", e->nsets,
             ns_plural(e->nsets, "entry of the state", "entries of the state"));
    puts(e->stop ? ", stops the run" : "");
  }
  if (m->nuser_events > SHOWN) printf("  and %d more\n", m->nuser_events - SHOWN);
}

static void show_measures(const ns_model *m)
{
  enum { SHOWN = 20 };
  if (!m->nmeasures) return;
  printf("%d %s:", m->nmeasures, ns_plural(m->nmeasures, "measure", "measures"));
  for (int i = 0; i < m->nmeasures && i < SHOWN; i++)
    printf("%s %s (%s)", i ? "," : "", m->measures[i].id, m->measures[i].kind->name);
  if (m->nmeasures > SHOWN) printf(", and %d more", m->nmeasures - SHOWN);
  putchar('\n');
}

/* Which functions have no Jacobian of their own: the first systems, and how many. */
static void show_jacobians(const ns_model *m, const ns_plan *p)
{
  enum { SHOWN = 3 };
  char buf[64];
  int shown = 0;
  if (p->linear) return;
  int relations = show_differenced_relations(m);
  if (!p->systems_differenced) {
    if (!relations) puts("  Jacobians    exact");
    return;
  }
  printf("  Jacobians    by finite differences in %d %s:", p->systems_differenced,
         ns_plural(p->systems_differenced, "system", "systems"));
  for (int k = 0; k < m->nsystems && shown < SHOWN; k++)
    if (*ns_understood_differenced(&m->systems[k], buf, sizeof buf))
      printf("%s %s of %s", shown++ ? ";" : "", buf,
             m->systems[k].at.id ? m->systems[k].at.id : m->systems[k].kind->name);
  puts(p->systems_differenced > shown ? "; ..." : "");
}

/* What is accepted of a one-step problem. */
static void show_tolerance(const ns_model *m)
{
  const ns_problem_options *o = &m->sim.osnsp;
  int friction = m->contact.nshapes > 0;
  for (int k = 0; k < m->ninteractions; k++)
    friction |= m->interactions[k].law.ops && ns_law_has_cone(m->interactions[k].law.ops);
  printf("  tolerance    %g", o->tol);
  if (friction && o->granular_tol != o->tol)
    printf(", and %g with more than %d contacts with friction", o->granular_tol, NS_GRANULAR);
  if (o->accept) printf("; steps with a residual up to %g are accepted and counted", o->accepted);
  putchar('\n');
}

static void show_problem(const ns_plan *p, int meet)
{
  if (!p->rows && !meet) {
    puts("  problem      none: there are no interactions");
    return;
  }
  if (!p->rows)
    printf("  problem      %s, for the contacts of each step\n",
           p->problem ? p->problem : "by the laws");
  else if (!p->nnz)
    printf("  problem      %s, %d %s, %s, of those that are active\n", p->problem, p->rows,
           ns_plural(p->rows, "row", "rows"), p->storage);
  else
    printf("  problem      %s, %d %s, %s, %zu %s\n", p->problem, p->rows,
           ns_plural(p->rows, "row", "rows"), p->storage, p->nnz,
           ns_plural(p->nnz, "entry", "entries"));
  printf("  solver       %s%s%s\n", p->solver, p->solver_note && *p->solver_note ? ": " : "",
         p->solver_note ? p->solver_note : "");
}

/* What distinguishes the schemes of mechanics. */
static void show_scheme(const ns_model *m, const ns_plan *p)
{
  const ns_simulation_options *s = &m->sim;
  if (strcmp(p->integrator, "D1MinusLinearOSI") == 0)
    printf(", contact forces from the %s, tolerance %g",
           s->d1 == NS_D1_VELOCITY ? "velocity" : "acceleration", s->d1_tol);
  else printf(", theta = %g", s->mj.theta);
  if (strstr(p->integrator, "Projection"))
    printf(", gaps to %g m, equalities to %g m, by the %s", s->proj.unilateral_tol,
           s->proj.equality_tol, s->proj.metric == NS_METRIC_MASS ? "mass" : "identity");
  if (strstr(p->integrator, "DirectProjection") && s->proj.activation > 0)
    printf(", loaded contacts stay active up to %g m", s->proj.activation);
  if (strcmp(p->integrator, "SchatzmanPaoliOSI") == 0)
    printf(", first step from the %s", s->sp_start == NS_SP_VELOCITY ? "velocity" : "acceleration");
}

static void show_integrator(const ns_model *m, const ns_plan *p)
{
  const ns_euler_moreau_options *e = &m->sim.em;
  printf("  integrator   %s", p->integrator);
  const ns_event_driven_options *f = &m->sim.ed;
  static const char *const method[] = {[NS_FLOW_ADAMS] = "Adams",
                                       [NS_FLOW_BDF] = "BDF",
                                       [NS_FLOW_CHOSEN] = "Adams, BDF while the motion is stiff"};
  if (m->sim.event_driven)
    printf(", %s%s, tolerance %g relative, %g absolute", method[f->method],
           strcmp(p->integrator, "IDAOSI") ? ""
           : f->formulation == NS_DAE_GGL  ? ", constraints of index 2"
                                           : ", constraints of index 1",
           f->rtol, f->atol);
  else if (!ns_model_is_first_order(m)) show_scheme(m, p);
  else if (strcmp(p->integrator, "EulerMoreauOSI") == 0)
    printf(", theta = %g, gamma = %g%s", e->theta, e->gamma,
           e->full ? ", laws at t + gamma h" : "");
  putchar('\n');
}

/* "  options      TimeStepping h = 0.005, ..."; an element a line. */
typedef struct option_list {
  const char *element;
} option_list;

static void show_option(void *to, const char *element, const char *attribute, const char *value)
{
  option_list *l = to;
  int first = !l->element, next = first || strcmp(l->element, element);
  if (next) printf("%s%s ", first ? "  options      " : "\n               ", element);
  printf("%s%s = %s", next ? "" : ", ", attribute, value);
  l->element = element;
}

static void show_options(const ns_model *m, const ns_plan *p)
{
  option_list l = {NULL};
  ns_options_each(m, p->problem, show_option, &l);
  if (l.element) putchar('\n');
}

static void show_simulation(const ns_model *m, const ns_plan *p)
{
  puts("simulation");
  printf("  time         %.6g s to %.6g s in %lld %s of %.6g s\n", m->sim.t0, m->sim.T, p->steps,
         ns_plural(p->steps, "step", "steps"), m->sim.ts.h);
  printf("  strategy     %s\n", p->strategy);
  show_integrator(m, p);
  show_options(m, p);
  show_problem(p, ns_check_shapes_meet(m));
  if (!m->sim.event_driven && (p->rows || ns_check_shapes_meet(m))) show_tolerance(m);
  if (m->sim.event_driven)
    puts("  a step       smooth motion to tolerance, events at their times; rows of the grid "
         "between them");
  else if (p->linear) puts("  a step       one pass, exact for this linear model");
  else if (m->sim.ts.newton_linear) puts("  a step       one pass, as the model requests");
  else printf("  a step       Newton loop, at most %d iterations\n", m->sim.ts.newton_max);
  if (p->kernel) printf("  kernel       %s\n", p->kernel);
  printf("  %s %d diagonal, %d dense, ", p->kernel ? "systems     " : "kernels     ",
         p->systems_diagonal, p->systems_dense);
  if (p->systems_sparse) printf("%d sparse, ", p->systems_sparse);
  printf("%d nonlinear\n", p->systems_nonlinear);
  show_jacobians(m, p);
}

static void show_plugins(const ns_plugins *p)
{
  const char *path = p ? ns_plugins_path(p, 0) : NULL;
  if (!path) return;
  puts("plug-ins");
  for (int k = 0; path; path = ns_plugins_path(p, ++k))
    printf("  %s: %s\n", path, ns_plugins_about(p, k));
}

static void show_cost(const ns_job *s, const ns_understood *u)
{
  const ns_plan *p = ns_simulation_plan(s->sim);
  int every = ns_job_every(s);
  puts("output");
  printf("  recorded     %d %s, %zu %s per row\n", u->nchannels,
         ns_plural(u->nchannels, "quantity", "quantities"), u->ncols,
         ns_plural(u->ncols, "number", "numbers"));
  printf("  rows         %lld, ", u->nrows);
  if (every == 1) printf("each step");
  else printf("every %dth step", every);
  printf(": %s as HDF5, and the events\n", ns_console_bytes(u->output_bytes).text);
  printf("  memory       model %s, run %s\n", ns_console_bytes(u->model_bytes).text,
         ns_console_bytes((double)(p->state_bytes + p->work_bytes)).text);
}

static void show(const ns_job *s, const ns_understood *u)
{
  const ns_model *m = s->model;
  const char *title = m->title && *m->title ? m->title : NULL;
  if (title) puts(title);
  printf("model %s in %s%s\n", m->name ? m->name : "without a name", s->path,
         m->nsources > 1 ? " and other files" : "");
  show_parameters(m);
  show_defaults(m);
  show_systems(m, &u->systems);
  ns_check_shapes_show(m);
  show_interactions(m, &u->interactions);
  show_forces(m);
  show_rank(m, u);
  show_posed(m, u->posed);
  show_controls(m);
  show_events(m);
  ns_check_formulas_show(ns_simulation_frozen(s->sim));
  show_measures(m);
  show_simulation(m, ns_simulation_plan(s->sim));
  show_plugins(s->plugins);
  show_cost(s, u);
  if (s->ctx.nwarnings)
    printf("good, with %d %s\n", s->ctx.nwarnings,
           ns_plural(s->ctx.nwarnings, "warning", "warnings"));
  else puts("good");
}

static void report(void *to, ns_severity sev, const char *msg)
{
  check *k = to;
  ns_progress_clear(&k->progress);
  ns_console_report(NULL, sev, msg);
}

static void alive(void *to, const char *doing, long done, long of)
{
  check *k = to;
  ns_progress_alive(&k->progress, doing, done, of);
}

static int open_model(check *k)
{
  k->s.ctx.report = report;
  k->s.ctx.alive = alive;
  k->s.ctx.to = k;
  ns_progress_load(&k->progress, ns_console_terminal(stderr) ? NS_PROGRESS_BAR : NS_PROGRESS_NONE);
  int rc = ns_job_open(&k->s);
  ns_progress_clear(&k->progress);
  return rc;
}

static int check_model(check *k)
{
  ns_understood u;
  int rc = open_model(k);
  if (rc == NS_OK) rc = ns_understand(&k->s, &u);
  if (rc == NS_OK) rc = ns_posed_create(&k->s.ctx, k->s.model, &u.posed);
  if (rc != NS_OK) return rc;
  ns_understood_warn(k->s.model, &k->s.ctx);
  ns_understood_warn_plugins(k->s.model, &k->s.ctx);
  rc = ns_simulation_warn(k->s.sim, &k->s.ctx);
  if (rc != NS_OK) return rc;
  ns_posed_warn(u.posed, k->s.model, &k->s.ctx);
  if (!k->json) show(&k->s, &u);
  else if (ns_json_page(ns_check_json(&k->s, &u), 15, stdout) != 0)
    rc = ns_nomem(&k->s.ctx, "JSON");
  ns_posed_destroy(u.posed);
  return rc;
}

int ns_cmd_check(int argc, char **argv)
{
  check k = {.json = 0};
  int rc = ns_job_init(&k.s);
  int status = rc == NS_OK ? ns_console_parse(&check_argp, argc, argv, &k) : ns_status_exit(rc);
  if (rc == NS_OK && status == 0) status = ns_status_exit(check_model(&k));
  ns_job_fini(&k.s);
  return status;
}
