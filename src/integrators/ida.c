/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/ida.h"

#include "algebra/vector.h"
#include "integrators/cvode.h"
#include "integrators/cvode_vectors.h"
#include "integrators/ida_matrix.h"
#include "integrators/sundials_context.h"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VECTORS = 48 };   /* 6 of the history, work vectors, those of the solvers */
enum { STEPS = 100000 }; /* between two calls; more is a motion that tolerances do not fit */
/* How far below the local error Newton's iteration has to come. With IDA's own 0.33 what is left of
 * it is taken for motion by the multipliers, and a pendulum needs twice as many steps. */
static const double NEWTON = 0.01;

/* Of the absolute tolerance, for unknowns that have no say in the steps of others (work): where
 * constraints leave no freedom, nothing else limits the steps. */
static const double COARSE = 1e4;

/* Unknowns: x [n], lambda [rows], and mu [positions] in the form of index 2; equations in the same
 * order. */
typedef struct ida {
  ns_arena *arena; /* of this, and of what is not SUNDIALS' */
  const ns_flow_problem *p;
  void *free;             /* CVODE, for motion that nothing restricts */
  int held;               /* the flow is IDA's since the last restart */
  int fresh;              /* it has not moved since */
  size_t rows, positions; /* that hold */
  SUNContext sun;         /* CVODE's */
  void *mem;
  ns_cvode_vectors *vectors;
  ns_ida_matrix *matrix;
  N_Vector x, rate, atol, id, error, weight;
  double *f, *yddot;      /* scratch [n], [2 most] */
  int *fired, *direction; /* [nroots] */
  signed char *given;     /* the directions, as they came [nroots] */
  int idle;               /* some function of a root was exactly zero */
  int at_root;            /* the last call ended at a root, at root_t */
  double root_t;
  double reached, shown; /* each_step: where the last call ended; how far the caller knows of it */
  int rc;                /* of a function of the problem that failed for good */
  long long jacobians, evaluations; /* matrices, and evaluations for them, since the last restart */
  ns_flow_work past;                /* before the last restart, whose counters IDA resets */
} ida;

static int index1(const ida *o) { return o->p->options->formulation == NS_DAE_INDEX1; }
static double *values(N_Vector v) { return N_VGetArrayPointer(v); }

/* f does not depend on it. */
static int is_free(const ida *o, size_t i) { return o->p->atol[i] >= NS_FLOW_FREE; }

/* ---- functions of the problem ---------------------------------------------------------------- */

static int outcome(ida *o, int rc)
{
  if (rc < 0) o->rc = rc;
  return rc;
}

/* yddot + 2 a ydot + a^2 y, in place of yddot; speed and y are free for use. */
static void stabilise(const ida *o, const double *y, const double *speed, double *yddot)
{
  double a = o->p->options->stabilisation;
  for (size_t i = 0; i < o->rows; i++)
    yddot[i] += 2 * a * speed[i] + (i < o->positions ? a * a * y[i] : 0);
}

/* F(t, x, x') = 0 [all]. */
static int equations(ida *o, double t, const double *x, const double *rate, double *F)
{
  const ns_flow_problem *p = o->p;
  size_t n = p->n;
  const double *lambda = x + n, *mu = index1(o) ? NULL : lambda + o->rows;
  double *speed = F + n, *y = speed + o->rows;
  int rc;
  if (index1(o)) {
    y = o->yddot + o->rows;
    rc = p->constraints->motion(p->of, t, x, lambda, mu, o->f, y, speed, o->yddot);
    if (!rc) stabilise(o, y, speed, o->yddot);
    memcpy(F + n, o->yddot, o->rows * sizeof *F);
  } else rc = p->constraints->motion(p->of, t, x, lambda, mu, o->f, y, speed, NULL);
  ns_linear_sum(n, rate, -1, o->f, F);
  return outcome(o, rc);
}

static int residual(realtype t, N_Vector x, N_Vector rate, N_Vector F, void *self)
{
  return equations(self, t, values(x), values(rate), values(F));
}

static int roots(realtype t, N_Vector x, N_Vector rate, realtype *g, void *self)
{
  ida *o = self;
  (void)rate;
  int rc = outcome(o, o->p->roots(o->p->of, t, values(x), g));
  for (int k = 0; k < o->p->nroots && !o->idle; k++) o->idle = g[k] == 0;
  return rc;
}

/* As in cvode.c: functions that IDA left out are looked for again. */
static int forget_idle_roots(ida *o)
{
  if (!o->idle) return 0;
  o->idle = 0;
  return IDARootInit(o->mem, 0, NULL) || IDARootInit(o->mem, o->p->nroots, roots);
}

/* ---- the matrix of a step -------------------------------------------------------------------- */

/* Of unknown j: so that the difference has half of all digits. Multipliers stand in the equations
 * linearly. */
static double increment(const ida *o, size_t j, double x, double change)
{
  if (j >= o->p->n) return fmax(fabs(x), 1);
  double small = o->p->atol[j] / o->p->options->rtol; /* up to it x is near zero */
  double whole = j < o->p->ncoord && o->p->origin ? o->p->origin[j] + x : x;
  return sqrt(DBL_EPSILON) * fmax(fmax(fabs(whole), fabs(change)), small);
}

/* dF/dx + cj dF/dx' by differences. */
static int jacobian(realtype t, realtype cj, N_Vector x, N_Vector rate, N_Vector F, SUNMatrix A,
                    void *self, N_Vector w1, N_Vector w2, N_Vector w3)
{
  ida *o = self;
  size_t n = o->p->n, all = (size_t)N_VGetLength(x);
  double *a = ns_ida_matrix_entries(o->matrix), *at = values(x), *moved = values(w1);
  const double *here = values(F);
  (void)A, (void)w2, (void)w3;
  o->jacobians++;
  for (size_t j = 0; j < all; j++) {
    double keep = at[j], d = increment(o, j, keep, j < n ? values(rate)[j] / cj : 0);
    if (j >= n || !is_free(o, j)) {
      at[j] = keep + d;
      d = at[j] - keep;
      int rc = equations(o, t, at, values(rate), moved);
      at[j] = keep;
      o->evaluations++;
      if (rc) return rc;
      for (size_t i = 0; i < all; i++) a[i + j * all] = (moved[i] - here[i]) / d;
    }
    if (j < n) a[j + j * all] += cj;
  }
  return 0;
}

/* ---- creation -------------------------------------------------------------------------------- */

static void destroy(void *self)
{
  ida *o = self;
  if (!o) return;
  if (o->mem) IDAFree(&o->mem);
  ns_ida_matrix_destroy(o->matrix);
  ns_cvode_vectors_destroy(o->vectors);
  ns_cvode.destroy(o->free);
  ns_arena_destroy(o->arena);
}

/* Absolute tolerance of unknown i. Low flights are from positions measured where they begin, so
 * that the relative one has no part in them. */
static double tolerance(const ida *o, size_t i)
{
  const ns_flow_problem *p = o->p;
  int is_low = i < p->ncoord && p->coarsest > 0;
  return is_low ? fmin(p->atol[i], ns_flow_coarsest(p, i)) : p->atol[i];
}

/* The tolerances of x, which may have changed. */
static void read_tolerances(ida *o)
{
  for (size_t i = 0; i < o->p->n; i++)
    values(o->atol)[i] = is_free(o, i) ? COARSE * o->p->options->atol : tolerance(o, i);
}

static int get_vectors(ida *o)
{
  size_t n = o->p->n, max = o->p->constraints->max, roots_ = (size_t)o->p->nroots;
  const ns_array want[] = {{&o->f, n, sizeof *o->f},
                           {&o->yddot, 2 * max, sizeof *o->yddot},
                           {&o->fired, roots_, sizeof *o->fired},
                           {&o->direction, roots_, sizeof *o->direction},
                           {&o->given, roots_, 1}};
  N_Vector *all[] = {&o->x, &o->rate, &o->atol, &o->id, &o->error, &o->weight};
  o->sun = ns_cvode_context(o->free);
  if (!(o->vectors = ns_cvode_vectors_create(o->sun, n + 2 * max, VECTORS))) return NS_NOMEM;
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) *all[k] = ns_cvode_vectors_get(o->vectors);
  for (size_t i = 0; i < n + 2 * max; i++) {
    values(o->atol)[i] = NS_FLOW_FREE;
    values(o->id)[i] = i < n;
  }
  read_tolerances(o);
  return ns_arena_arrays(o->arena, want, sizeof want / sizeof *want);
}

static int get_solver(ida *o, ns_ctx *c)
{
  int rc = ns_ida_matrix_create(c, o->sun, o->p->n + 2 * o->p->constraints->max, &o->matrix);
  if (rc) return rc;
  int bad = IDASetLinearSolver(o->mem, ns_ida_matrix_as_solver(o->matrix),
                               ns_ida_matrix_as_matrix(o->matrix)) ||
            IDASetJacFn(o->mem, jacobian);
  return bad ? NS_NOMEM : NS_OK;
}

static int get_memory(ida *o, ns_ctx *c)
{
  const ns_event_driven_options *e = o->p->options;
  double longest = ns_flow_longest_step(o->p, 0);
  if (get_vectors(o)) return NS_NOMEM;
  o->mem = IDACreate(o->sun);
  int bad = !o->mem || IDASetErrFile(o->mem, NULL) || IDAInit(o->mem, residual, 0, o->x, o->rate) ||
            IDASetUserData(o->mem, o) || IDASVtolerances(o->mem, e->rtol, o->atol) ||
            IDASetId(o->mem, o->id) || IDASetSuppressAlg(o->mem, SUNTRUE) || get_solver(o, c) ||
            IDASetNonlinConvCoef(o->mem, NEWTON) || IDASetMaxNumSteps(o->mem, STEPS) ||
            IDASetMinStep(o->mem, o->p->min_step) ||
            (isfinite(longest) && IDASetMaxStep(o->mem, longest)) ||
            (o->p->nroots &&
             (IDARootInit(o->mem, o->p->nroots, roots) || IDASetNoInactiveRootWarn(o->mem)));
  return bad ? NS_NOMEM : NS_OK;
}

static int create(ns_ctx *c, const ns_flow_problem *p, void **self)
{
  ida *o = *self = NS_ARENA_OBJECT(ida, arena);
  if (!o) return ns_nomem(c, "IDA");
  o->p = p;
  int rc = ns_cvode.create(c, p, &o->free);
  if (!rc && p->constraints && p->constraints->max > 0 && get_memory(o, c))
    rc = c->rc ? c->rc : ns_nomem(c, "IDA");
  if (rc) {
    destroy(o);
    *self = NULL;
  }
  return rc;
}

/* ---- work ------------------------------------------------------------------------------------ */

/* Of IDA alone. */
static void own_work(const ida *o, ns_flow_work *w)
{
  long steps = 0, rates = 0, calls = 0, errors = 0, convergence = 0;
  *w = o->past;
  if (!o->held) return;
  IDAGetNumSteps(o->mem, &steps);
  IDAGetNumResEvals(o->mem, &rates);
  IDAGetNumGEvals(o->mem, &calls);
  IDAGetNumErrTestFails(o->mem, &errors);
  IDAGetNumNonlinSolvConvFails(o->mem, &convergence);
  w->steps += steps;
  w->rates += rates + o->evaluations;
  w->jacobians += o->jacobians;
  w->jacobian_rates += o->evaluations;
  w->roots += calls;
  w->error_failures += errors;
  w->convergence_failures += convergence;
}

static void work(const void *self, ns_flow_work *w)
{
  const ida *o = self;
  ns_flow_work own;
  own_work(o, &own);
  ns_cvode.work(o->free, w);
  ns_flow_work_add(w, &own);
}

/* ---- failures -------------------------------------------------------------------------------- */

/* The unknown with the largest part in the local error. */
static size_t worst(ida *o, double *share)
{
  *share = 0;
  if (IDAGetEstLocalErrors(o->mem, o->error) || IDAGetErrWeights(o->mem, o->weight)) return 0;
  return ns_flow_worst(o->p, values(o->error), values(o->weight), share);
}

static const char *reason(int flag)
{
  switch (flag) {
  case IDA_TOO_MUCH_WORK: return "too many steps were needed";
  case IDA_TOO_MUCH_ACC: return "the tolerances are below rounding, expected larger ones";
  case IDA_ERR_FAIL: return "the error test fails even with the smallest step";
  case IDA_FIRST_RES_FAIL:
  case IDA_REP_RES_ERR:
  case IDA_RES_FAIL: return "accelerations or gaps are not finite";
  default: return "it cannot continue";
  }
}

static int failed(ida *o, ns_ctx *c, int flag, double t)
{
  double h = 0, share;
  char name[256], at[NS_FLOW_PLACE], part[400] = "";
  if (o->rc < 0) {
    int rc = o->rc;
    o->rc = 0;
    return ns_flow_refused(c, rc, t);
  }
  int rc = ns_flow_blame(o->p, c, t, values(o->x));
  if (rc) return rc;
  size_t i = worst(o, &share);
  IDAGetCurrentStep(o->mem, &h);
  if (share > 0)
    snprintf(part, sizeof part, " (%s contributes most to the error, %.2g times the tolerance)",
             o->p->name(o->p->of, i, name, sizeof name), share);
  return ns_fail(c, NS_NUMERIC,
                 "%sIDA stopped at t = %.10g s with a step of %.3g s, %zu %s of constraints "
                 "enforced: %s%s; the results so far are kept; try larger tolerances, or look for "
                 "a force that jumps or grows without bound there",
                 ns_flow_at(o->p, i, at), t, h, o->rows, o->rows == 1 ? "row" : "rows",
                 reason(flag), part);
}

/* ---- flow ------------------------------------------------------------------------------------ */

/* The present phase ends. */
static void leave(ida *o)
{
  own_work(o, &o->past);
  o->held = 0;
  o->jacobians = o->evaluations = 0;
  o->rc = 0;
}

static int resume(ida *o, ns_ctx *c, double t, const signed char *direction)
{
  size_t n = o->p->n, extra = o->rows + (index1(o) ? 0 : o->positions);
  memset(values(o->x) + n + o->rows, 0, o->positions * sizeof(double));
  memset(values(o->rate) + n, 0, extra * sizeof(double));
  ns_cvode_vectors_resize(o->vectors, n + extra);
  ns_ida_matrix_resize(o->matrix, n, extra);
  for (int k = 0; k < o->p->nroots; k++) o->direction[k] = o->given[k] = direction[k];
  o->past.restarts++;
  o->fresh = 1;
  o->reached = o->shown = t;
  o->at_root = 0;
  read_tolerances(o);
  int bad = IDAReInit(o->mem, t, o->x, o->rate) || forget_idle_roots(o) ||
            IDASVtolerances(o->mem, o->p->options->rtol, o->atol) ||
            (o->p->nroots && IDASetRootDirection(o->mem, o->direction));
  return bad ? ns_flow_cannot(o->p, c, "IDA", "cannot begin", t, values(o->x)) : NS_OK;
}

static int restart(void *self, ns_ctx *c, double t, const double *x, const signed char *direction)
{
  ida *o = self;
  const ns_flow_problem *p = o->p;
  size_t n = p->n;
  leave(o);
  o->rows = o->positions = 0;
  int rc = o->mem ? p->constraints->hold(p->of, t, x, &o->rows, &o->positions, values(o->x) + n,
                                         values(o->rate))
                  : NS_OK;
  if (rc) return rc < 0 && c->rc ? rc : ns_flow_cannot(p, c, "IDA", "cannot begin", t, x);
  if (!o->rows) return ns_cvode.restart(o->free, c, t, x, direction);
  o->held = 1;
  memcpy(values(o->x), x, n * sizeof *x);
  return resume(o, c, t, direction);
}

/* The first step, of order 1, from the second derivative along the motion: |h^2 x''/2| is a tenth
 * of what is allowed. IDA's own rule looks at x' alone, and begins with steps in which gaps that
 * have just opened are rounding [Hairer1993, II.4]. */
static int first_step(ida *o, ns_ctx *c, double t, double end)
{
  const ns_flow_problem *p = o->p;
  size_t n = p->n;
  const double *x = values(o->x), *rate = values(o->rate);
  double d = 1e-6 * (end - t), *moved = values(o->error), change = 0;
  ns_linear_sum((size_t)N_VGetLength(o->x), x, d, rate, moved);
  int rc = equations(o, t + d, moved, rate, values(o->weight));
  if (rc < 0) return failed(o, c, IDA_RES_FAIL, t);
  for (size_t i = 0; i < n && !rc; i++)
    change = fmax(change, fabs(values(o->weight)[i] / d) /
                              (p->options->rtol * fabs(x[i]) + tolerance(o, i)));
  double h = change > 0 ? fmin(sqrt(0.2 / change), 0.1 * (end - t)) : 0;
  if (p->longest_first > 0) h = h > 0 ? fmin(h, p->longest_first) : p->longest_first;
  IDASetInitStep(o->mem, h);
  o->evaluations++;
  o->fresh = 0;
  return NS_OK;
}

/* The equations no longer determine the multipliers: constraints have come to depend on each other.
 * CVODE, to which that is no matter, goes on from the last good point. */
static int is_singular(int flag)
{
  return flag == IDA_CONV_FAIL || flag == IDA_LSETUP_FAIL || flag == IDA_LSOLVE_FAIL;
}

static int hand_over(ida *o, ns_ctx *c, double t, const double *x)
{
  leave(o);
  return ns_cvode.restart(o->free, c, t, x, o->given);
}

/* To `end`, or a step where each is wanted. As CVODE, IDA does not go on from a root where a
 * function is exactly zero and still is a moment later (integrators/cvode.c). */
static int call(ida *o, ns_ctx *c, double end, double stop, double *at)
{
  int how = o->p->each_step ? IDA_ONE_STEP : IDA_NORMAL;
  double ahead = o->p->each_step ? stop : end;
  IDASetStopTime(o->mem, stop);
  int flag = IDASolve(o->mem, ahead, at, o->x, o->rate, how);
  if (flag == IDA_ILL_INPUT && o->at_root) {
    leave(o);
    o->held = 1;
    *at = o->root_t;
    if (!resume(o, c, *at, o->given) && !first_step(o, c, *at, end)) {
      IDASetStopTime(o->mem, stop);
      flag = IDASolve(o->mem, ahead, at, o->x, o->rate, how);
    }
  }
  o->at_root = flag == IDA_ROOT_RETURN;
  o->root_t = *at;
  return flag;
}

static int dense(void *self, ns_ctx *c, double t, int k, double *x);

/* A step may have led beyond `end`: the rest of it is shown before the next one is made. */
static int advance(void *self, ns_ctx *c, double end, double stop, double *t, double *x,
                   ns_flow_end *why)
{
  ida *o = self;
  if (!o->held) return ns_cvode.advance(o->free, c, end, stop, t, x, why);
  int flag = 0, rest = o->shown < o->reached;
  if (o->fresh && first_step(o, c, *t, end)) return c->rc;
  if (!rest) flag = call(o, c, end, stop, &o->reached);
  if (is_singular(flag) && o->rc == 0) {
    *t = o->reached;
    memcpy(x, values(o->x), o->p->n * sizeof *x);
    int rc = hand_over(o, c, *t, x);
    return rc ? rc : ns_cvode.advance(o->free, c, end, stop, t, x, why);
  }
  *t = o->shown = flag < 0 ? o->reached : fmin(o->reached, end);
  if (*t >= o->reached) memcpy(x, values(o->x), o->p->n * sizeof *x);
  else if (dense(o, c, *t, 0, x)) return c->rc;
  int root = o->at_root && *t >= o->reached;
  *why = root ? NS_FLOW_ROOT : NS_FLOW_REACHED;
  if (root) IDAGetRootInfo(o->mem, o->fired);
  return flag >= 0 ? NS_OK : failed(o, c, flag, *t);
}

static const int *fired(const void *self)
{
  const ida *o = self;
  return o->held ? o->fired : ns_cvode.fired(o->free);
}

static int dense(void *self, ns_ctx *c, double t, int k, double *x)
{
  ida *o = self;
  if (!o->held) return ns_cvode.dense(o->free, c, t, k, x);
  if (IDAGetDky(o->mem, t, k, o->error))
    return ns_flow_cannot(o->p, c, "IDA", "has no values", t, NULL);
  memcpy(x, values(o->error), o->p->n * sizeof *x);
  return NS_OK;
}

static void span(const void *self, double *from, double *to)
{
  const ida *o = self;
  double h = 0;
  if (!o->held) {
    ns_cvode.span(o->free, from, to);
    return;
  }
  *to = 0;
  IDAGetCurrentTime(o->mem, to);
  IDAGetLastStep(o->mem, &h);
  *from = *to - h;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

static void save(const void *self, ns_blob *b)
{
  const ida *o = self;
  ns_flow_work own;
  own_work(o, &own);
  ns_blob_put(b, &own, sizeof own);
  ns_cvode.memory->save(o->free, b);
}

/* The restart that is made again is taken from those of CVODE, whose ever it was. */
static void restore(void *self, ns_blob *b)
{
  ida *o = self;
  ns_blob_get(b, &o->past, sizeof o->past);
  ns_cvode.memory->restore(o->free, b);
}

static const ns_memory memory = {.save = save, .restore = restore};

/* For the motion that nothing restricts. */
static int newton(const ns_event_driven_options *e) { return ns_cvode.newton(e); }

static int keeps(const void *self) { return ((const ida *)self)->held && !index1(self); }

const ns_flow_ops ns_ida = {
    .name = "IDAOSI",
    .help =
        "IDA of SUNDIALS between events: constraints hold without drift; CVODE if there are none",
    .create = create,
    .restart = restart,
    .advance = advance,
    .fired = fired,
    .dense = dense,
    .span = span,
    .work = work,
    .destroy = destroy,
    .memory = &memory,
    .newton = newton,
    .keeps = keeps};
