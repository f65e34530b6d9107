/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/events/switching.h"

#include "model/laws/problem.h"
#include "model/measure.h"
#include "simulation/events/event_queue.h"
#include "simulation/events/switching_parts.h"
#include "simulation/step/stepper.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 2048 };               /* most rows: what is held together is a dense matrix */
static const double BY_TIME = 1e-5; /* of tau: tolerance of what t moves */

/* ---- creation -------------------------------------------------------------------------------- */

static void fini(void *of)
{
  switching *o = of;
  ns_sw_problems_destroy(o);
  ns_couplings_destroy(o->k);
  if (o->based) ns_rate_base_fini(&o->base);
}

/* Inputs that do not read the rate that they make; alone: in a run without impacts of mechanics.
 * Laws are boxes: a loaded model has rows for the faces of polyhedra (laws/law_rows.h). */
static int check(const ns_model *m, int alone, ns_ctx *c)
{
  for (int i = 0; i < m->nsystems; i++) {
    const ns_operator *u = &m->systems[i].fo.u;
    if (u->how > NS_OP_CONSTANT && u->uses >> NS_BANK_V & 1u)
      return ns_fail_at(
          c, NS_MODEL, &m->systems[i].at,
          "u reads the rate of the state, which depends on u itself in an "
          "event-driven run, expected a function of state and time; <TimeStepping> uses "
          "the rate of the previous step");
  }
  if (alone && m->sim.ed.accumulation == NS_ACCUMULATION_STEP)
    return ns_fail_at(c, NS_MODEL, &m->sim.at,
                      "accumulation=\"time-stepping\" in a run of first-order systems, expected "
                      "\"stick\" or \"stop\"");
  if (m->nrows <= ROWS) return NS_OK;
  return ns_fail_at(c, NS_MODEL, &m->sim.at,
                    "%zu rows of laws, expected at most %d for an event-driven run; "
                    "<TimeStepping> supports more",
                    m->nrows, (int)ROWS);
}

/* A velocity of mechanics that the rows have as a state. */
static int is_state(const switching *o, const ns_foreign_variable *v)
{
  const ns_event_host *host = o->run.host;
  for (int i = 0; i < o->m->nsystems && host && v->bank == NS_BANK_V; i++)
    if (ns_system_image_of(&o->m->systems[i]) == &host->run->m->systems[v->system]) return 1;
  return 0;
}

/* A formula depends on t, itself or by what it reads of other systems. */
static int reads_time(const switching *o, const ns_operator *f)
{
  int others = 0;
  const ns_foreign *all = ns_operator_foreign(f);
  for (int k = 0; all && k < all->n; k++) others |= !is_state(o, &all->of[k]);
  return others || (f->how > NS_OP_CONSTANT && f->uses >> NS_BANK_T & 1u);
}

/* A relation does; positions of mechanics are functions of t. */
static int moves_by_itself(const switching *o, const ns_interaction *it)
{
  const ns_first_order_relation *f = &it->fo;
  const ns_operator *parts[] = {&f->C, &f->D, &f->F, &f->e, &f->h};
  int some = 0;
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) some |= reads_time(o, parts[k]);
  for (int k = 0; k < it->nsystems && (f->C.how || f->h.how); k++)
    some |= ns_system_image_of(&o->m->systems[it->systems[k]]) != NULL;
  return some;
}

/* A formula does: what a plug-in is at other times is not asked before they have come. */
static int is_forced(const switching *o, const ns_system *s)
{
  const ns_operator *parts[] = {&s->fo.f, &s->fo.A, &s->fo.b, &s->fo.u};
  int some = 0;
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    if (parts[k]->how == NS_OP_PLUGIN) return 0;
    some |= reads_time(o, parts[k]);
  }
  return some;
}

/* What kinds of motion there are. */
static void classify(switching *o)
{
  o->fixed = 1;
  for (int i = 0; i < o->m->ninteractions; i++)
    o->timed |= moves_by_itself(o, &o->m->interactions[i]);
  for (int i = 0; i < o->m->nsystems; i++) {
    o->fixed = o->fixed && o->base.sys[i].mass != MASS_MOVING;
    o->driven |= is_forced(o, &o->m->systems[i]);
    if (ns_system_image_of(&o->m->systems[i])) o->nimages += (size_t)o->m->systems[i].n;
  }
  o->forced = o->driven && o->m->nrows > 0;
  o->timed |= o->laws_vary;
  for (int r = 0; r < o->k->nrows; r++) o->direct[r] = o->k->D.ptr[r + 1] > o->k->D.ptr[r];
}

static int get_motions(switching *o)
{
  size_t nq = o->m->nq, rows = o->m->nrows;
  for (int k = 0; k < NS_SW_POINTS; k++) {
    ns_motion *p = &o->at[k];
    double *mem = ns_arena_zero(o->run.mem, 4 * rows + 3 * nq + 1, sizeof *mem);
    if (!mem) return NS_NOMEM;
    *p = (ns_motion){.lambda = mem,
                     .y = mem + rows,
                     .r = mem + 2 * rows,
                     .v = mem + 2 * rows + nq,
                     .x = mem + 2 * rows + 2 * nq,
                     .lb = mem + 2 * rows + 3 * nq,
                     .ub = mem + 3 * rows + 3 * nq};
  }
  return NS_OK;
}

static int get_bounds(switching *o)
{
  size_t rows = o->m->nrows;
  double *lb = ns_arena_get(o->run.mem, 2 * rows + 1, sizeof *lb), *ub = lb ? lb + rows : NULL;
  if (!lb) return NS_NOMEM;
  ns_laws_bounds(o->m, 1, lb, ub);
  o->lb = lb;
  o->ub = ub;
  for (int k = 0; k < NS_SW_POINTS; k++) {
    memcpy(o->at[k].lb, lb, rows * sizeof *lb);
    memcpy(o->at[k].ub, ub, rows * sizeof *ub);
  }
  for (int i = 0; i < o->m->ninteractions; i++) {
    const ns_interaction *it = &o->m->interactions[i];
    if (!it->law.nformulas) continue;
    o->laws_vary = 1;
    memset(o->varies + it->row, 1, (size_t)it->m);
  }
  return NS_OK;
}

static int get_memory(switching *o)
{
  const ns_model *m = o->m;
  size_t nq = m->nq, rows = m->nrows, d = sizeof(double);
  const ns_array want[] = {{&o->range, rows, d},
                           {&o->field_range, nq, d},
                           {&o->f, nq, d},
                           {&o->zero, nq, d},
                           {&o->speed, nq, d},
                           {&o->b, nq, d},
                           {&o->drift, rows, d},
                           {&o->stencil, rows, d},
                           {&o->times, 5 * rows + 4 * nq, d},
                           {&o->rhs, rows, d},
                           {&o->first, rows, d},
                           {&o->step, rows, d},
                           {&o->below, rows, d},
                           {&o->outside, rows, d},
                           {&o->entered, nq, d},
                           {&o->sizes, nq, d},
                           {&o->atol, nq, d},
                           {&o->holds, rows, sizeof(int)},
                           {&o->place, rows, sizeof(int)},
                           {&o->combine, rows * rows, d},
                           {&o->grain_of_row, rows, d},
                           {&o->grain_of_state, nq, d},
                           {&o->degree, rows, 1},
                           {&o->direct, rows, 1},
                           {&o->fired, rows, 1},
                           {&o->varies, rows, 1},
                           {&o->law_range, rows, d},
                           {&o->still, rows, d},
                           {&o->pushed, nq, d},
                           {&o->unpushed, nq, d},
                           {&o->ending, rows, 1}};
  if (ns_arena_arrays(o->run.mem, want, sizeof want / sizeof *want)) return NS_NOMEM;
  if (get_motions(o) || get_bounds(o) || ns_singular_init(&o->held, o->run.mem, (int)rows))
    return NS_NOMEM;
  return ns_sw_search_create(o);
}

static void come(void *of, double t)
{
  switching *o = of;
  *o->x->t = t;
  memcpy(o->x->q, o->run.unknown, o->m->nq * sizeof *o->run.unknown);
}

static int get_flow(switching *o, ns_ctx *c)
{
  const ns_model *m = o->m;
  const ns_motion *p = &o->at[0];
  ns_event_run *r = &o->run;
  int rc = ns_event_run_problem(r, c,
                                (ns_flow_problem){.n = m->nq + (size_t)(o->timed || o->forced),
                                                  .options = o->opt,
                                                  .first_step = 1e-7 * m->sim.ts.h,
                                                  .rate = ns_sw_rate,
                                                  .name = ns_event_run_name});
  if (rc) return rc;
  r->first_user = 2 * (int)m->nrows;
  r->problem.nroots = r->first_user + r->nuser;
  if (ns_event_run_look(r)) return ns_nomem(c, "event-driven simulation");
  rc = ns_sw_tolerances(o);
  double tau = fmin(o->tau, o->tau_f);
  memcpy(r->atol, o->atol, m->nq * sizeof *o->atol);
  r->atol[m->nq] = isfinite(tau) ? BY_TIME * tau : NS_FLOW_FREE;
  r->trial.v = p->v;
  r->trial.p = p->r;
  r->trial.y = p->y;
  r->trial.lambda = p->lambda;
  return rc ? rc : ns_event_run_flow(r, c);
}

static void describe(const void *of, ns_plan *plan)
{
  const switching *o = of;
  const ns_model *m = o->m;
  *plan = (ns_plan){.problem = m->nrows ? "modes" : "none",
                    .solver = "search",
                    .solver_note = m->nrows ? "modes whose motion satisfies the laws"
                                            : "no interaction: nothing to solve",
                    .storage = m->nrows ? "dense" : "none",
                    .rows = (int)m->nrows,
                    .nnz = m->nrows * m->nrows,
                    .relations_differenced = o->k->differenced,
                    .linear = o->k->linear,
                    .state_bytes = o->x->bytes,
                    .work_bytes = ns_arena_used(o->base.mem) + ns_couplings_bytes(o->k),
                    .kernel = m->nrows ? "dense: multipliers of the active rows" : "none"};
  for (int i = 0; i < m->nsystems; i++) {
    int nonlinear = !ns_first_order_is_linear(&m->systems[i]);
    plan->systems_nonlinear += nonlinear;
    plan->systems_dense += !nonlinear;
    plan->systems_differenced += ns_first_order_differenced(&m->systems[i]);
  }
}

/* What holds a row of degree 1 is its rate, which has that of lambda at a bound in it where D takes
 * that to y. */
static int check_bounds(const switching *o, ns_ctx *c)
{
  char at[512];
  const ns_rows *D = &o->k->D;
  for (int r = 0; r < o->k->nrows; r++)
    for (int e = D->ptr[r]; e < D->ptr[r + 1]; e++)
      if (D->dof[e] != r && o->varies[D->dof[e]])
        return ns_fail(c, NS_MODEL,
                       "%s: y of row %d depends on lambda of row %d, whose bounds are formulas, "
                       "expected such a lambda only in y of the same row in an event-driven run; "
                       "use <TimeStepping>",
                       ns_event_run_place(&o->run, r, at),
                       r - (int)o->m->interactions[o->k->interaction[r]].row,
                       D->dof[e] - (int)o->m->interactions[o->k->interaction[D->dof[e]]].row);
  return NS_OK;
}

static int fill(void *of, ns_ctx *c)
{
  switching *o = of;
  const ns_model *m = o->m = o->run.m;
  o->x = o->run.x;
  o->own = m->sim.ed;
  o->opt = &o->own;
  o->search.shorter = 1;
  int rc = check(m, !o->run.host, c);
  if (!rc && get_memory(o)) rc = ns_nomem(c, "event-driven simulation");
  if (!rc) {
    o->based = 1;
    rc = ns_rate_base_init(&o->base, c, m);
    o->base.x = o->x;
  }
  if (!rc) rc = ns_rate_base_masses(&o->base, c, NULL);
  if (!rc) rc = ns_couplings_create(c, m, &o->k);
  if (!rc) rc = ns_event_run_init(&o->run, c);
  if (!rc) classify(o);
  if (!rc && o->laws_vary) rc = check_bounds(o, c);
  if (!rc) rc = ns_sw_time_ranges(o);
  if (!rc) rc = get_flow(o, c);
  if (!rc) rc = ns_sw_certificate_create(o, c);
  if (!rc) rc = ns_sw_jump_create(o, c);
  return rc ? rc : ns_sw_probe_create(o, c);
}

/* ---- start ----------------------------------------------------------------------------------- */

static int start(void *of)
{
  switching *o = of;
  int rc = ns_event_run_keep(o);
  if (!rc) rc = ns_sw_changed(o, 0);
  o->begun = !rc;
  return rc;
}

/* ---- the step -------------------------------------------------------------------------------- */

/* Whose root it is. 1: some row's. */
static int classify_roots(switching *o)
{
  const int *fired = o->run.ops->fired(o->run.flow);
  int rows = o->k->nrows, some = 0;
  for (int r = 0; r < rows; r++) {
    o->fired[r] = fired[r] || fired[rows + r];
    some |= o->fired[r];
  }
  return some;
}

static int too_many(switching *o)
{
  char at[512];
  int r = 0;
  while (r < o->k->nrows && !o->fired[r]) r++;
  if (r == o->k->nrows)
    return ns_fail_at(
        o->run.c, NS_NUMERIC, &o->m->sim.at,
        "more than %d events between two points of the grid, the last at t = %.17g s; look for "
        "events that undo each other, or raise maxEvents if so many are expected",
        o->opt->max_events, *o->x->t);
  return ns_fail(o->run.c, NS_NUMERIC,
                 "%s: more than %d switches between two points of the grid, the last at t = %.17g "
                 "s: they accumulate or chatter; raise gapTolerance (%.3g), within which rows are "
                 "kept at 0 together, or maxEvents if so many are expected",
                 ns_event_run_place(&o->run, r, at), o->opt->max_events, *o->x->t, o->opt->gap_tol);
}

/* What happens to the rows, then what the user asks for. */
static int root(void *of, double since, double t)
{
  switching *o = of;
  int users = ns_event_run_note(&o->run, t, o->run.ops->fired(o->run.flow)), rc = ns_sw_output(o),
      rows = !rc && classify_roots(o);
  (void)since;
  if (rc) return rc;
  if (++o->run.events > o->opt->max_events) return too_many(o);
  rc = ns_event_run_certify(o, rows || users);
  if (!rc && rows) rc = ns_sw_event(o);
  return rc || !o->run.nuser ? rc : ns_event_run_fired(&o->run);
}

static int sampling(void *of)
{
  int rc = ns_event_run_certify(of, 1);
  return rc ? rc : ns_event_run_keep(of);
}

/* Inputs are others from now on. */
static int sampled(void *of) { return ns_sw_changed(of, 1); }

/* A law is broken though no root was found: what depends on time has jumped since the last point of
 * the grid. */
static int jumped(switching *o, int r)
{
  char at[512];
  if (o->jumps++ == 0)
    ns_warn(o->run.c,
            "%s: its law is violated by %.3g at t = %.10g s although nothing reached a bound: a "
            "formula of time jumps, expected smooth formulas between events; the mode is chosen "
            "again at points of the grid, so the times of such jumps are only accurate to h",
            ns_event_run_place(&o->run, r, at), o->x->report->penetration, *o->x->t);
  int rc = ns_event_run_keep(o);
  return rc ? rc : ns_sw_changed(o, 1);
}

static int begin(void *of)
{
  switching *o = of;
  int rc = o->untold ? ns_sw_report_branch(o) : NS_OK;
  o->untold = 0;
  /* measures and events of the user have begun since the start */
  if (*o->x->step == 0) ns_event_run_anchor(&o->run);
  return rc;
}

static int show_row(void *of, double t1)
{
  switching *o = of;
  int rc = ns_event_run_certify(o, t1 >= o->m->sim.T);
  if (!rc) rc = ns_sw_output(o);
  int broken = rc ? -1 : ns_sw_broken(o);
  if (broken >= 0) rc = jumped(o, broken);
  return rc ? rc : ns_sw_certify_row(o);
}

static int output(void *of) { return ns_sw_output(of); }
static int altered(void *of) { return ns_sw_changed(of, 0); } /* the user's rows are around it */
static int mend(void *of) { return ns_sw_correct_drift(of); }

/* ---- checkpoints ----------------------------------------------------------------------------- */

/* Modes are in the state; what the flow was restarted with. */
static void pass(switching *o, ns_blob *b, int restore)
{
  size_t rows = o->m->nrows * sizeof(double);
  const ns_kept list[] = {{&o->choices, sizeof o->choices},
                          {&o->untold, sizeof o->untold},
                          {&o->search.told, sizeof o->search.told},
                          {&o->jumps, sizeof o->jumps},
                          {&o->leaps, sizeof o->leaps},
                          {o->k->offset, rows},
                          {o->search.force, rows},
                          {o->below, rows},
                          {o->first, rows},
                          {&o->extent, sizeof o->extent}};
  ns_blob_pass(b, restore, list, sizeof list / sizeof *list);
}

static void save(const void *of, ns_blob *b) { pass((switching *)of, b, 0); }
static void restore(void *of, ns_blob *b) { pass(of, b, 1); }

static int resume(void *of)
{
  ((switching *)of)->begun = 1;
  return ns_sw_resume(of);
}

const ns_event_family ns_switching = {.size = sizeof(switching),
                                      .fill = fill,
                                      .fini = fini,
                                      .describe = describe,
                                      .start = start,
                                      .save = save,
                                      .restore = restore,
                                      .resume = resume,
                                      .begin = begin,
                                      .sampling = sampling,
                                      .sampled = sampled,
                                      .roots = ns_sw_roots,
                                      .point = ns_sw_point,
                                      .come = come,
                                      .root = root,
                                      .certify = ns_event_run_certify,
                                      .go_on = ns_sw_restart,
                                      .decided = ns_sw_decided,
                                      .tell = ns_sw_tell,
                                      .over = ns_sw_event_over,
                                      .output = output,
                                      .changed = altered,
                                      .show = show_row,
                                      .mend = mend};
