/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/cvode.h"

#include "integrators/cvode_vectors.h"
#include "integrators/sundials_context.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 13 of the history of Adams, 6 of BDF; work vectors; those of the solvers */
enum { VECTORS = 48 };
enum { STEPS = 100000 }; /* between two calls; more is a motion that tolerances do not fit */
/* Of one step, each with a fifth of its length or so: the first is as long as a flight allows,
 * which may be far too long for the motion. */
enum { ERROR_TESTS = 40 };

/* Matrices of so many unknowns are sparse where nobody chooses: below that dense ones are as fast
 * (bench/flow_bench), and beyond it sparse ones are faster even where all coordinates meet, because
 * q' = v leaves half of the matrix empty. */
enum { SPARSE_FROM = 10 };

/* The matrix of steps: its one clone, which CVODE takes without a look at it and then owns, is
 * there before. */
typedef struct matrix {
  struct _generic_SUNMatrix as; /* what CVODE sees */
  SUNMatrix own, spare;
} matrix;

typedef struct cvode {
  const ns_flow_problem *p;
  SUNContext sun;
  void *mem;
  ns_cvode_vectors *vectors;
  N_Vector x, error, weight;
  matrix A;
  int sparse;    /* it is */
  double *value; /* Jacobian of the problem, for a dense matrix [ptr[n]] */
  SUNLinearSolver linear;
  SUNNonlinearSolver fixed;
  int *fired, *direction; /* [nroots] */
  int rc;                 /* of a function of the problem that failed for good */
  double first;           /* step after the last restart, 0: none yet */
  double reached;         /* how far the motion has been looked at: the end of a step, or a root */
  double shown;           /* how far the caller has come */
  int found;              /* that is a root that is not told yet */
  double step_end;        /* where o->x is: the end of a step, or a root of CVODE */
  int at_root;            /* of CVODE */
  int idle;               /* some function of a root was exactly zero */
  int blind;              /* functions of roots could not be evaluated there */
  long long differences;  /* evaluations of f for Jacobians since the last restart */
  ns_flow_work past;      /* before the last restart, whose counters CVODE resets */
} cvode;

/* ---- functions of the problem ---------------------------------------------------------------- */

static int outcome(cvode *o, int rc)
{
  if (rc < 0) o->rc = rc;
  return rc;
}

static int rate(realtype t, N_Vector x, N_Vector f, void *self)
{
  cvode *o = self;
  return outcome(o, o->p->rate(o->p->of, t, NV_DATA_S(x), NV_DATA_S(f)));
}

/* 1/(rtol |x| + atol), with what atol is now. */
static int weights(N_Vector x, N_Vector w, void *self)
{
  const ns_flow_problem *p = ((const cvode *)self)->p;
  const double *at = NV_DATA_S(x);
  double *to = NV_DATA_S(w);
  double rtol = p->options->rtol;
  for (size_t i = 0; i < p->n; i++) {
    double error = rtol * fabs(at[i]) + p->atol[i];
    if (i < p->ncoord && p->coarsest > 0) {
      double rounding = p->origin ? 16 * DBL_EPSILON * fabs(p->origin[i]) : 0,
             most = rounding > p->coarsest ? rounding : p->coarsest;
      error = error < most ? error : most;
    }
    to[i] = 1 / error;
  }
  return 0;
}

static int roots(realtype t, N_Vector x, realtype *g, void *self)
{
  cvode *o = self;
  int rc = outcome(o, o->p->roots(o->p->of, t, NV_DATA_S(x), g));
  for (int k = 0; k < o->p->nroots && !o->idle; k++) o->idle = g[k] == 0;
  return rc;
}

/* CVODE leaves out a function that is exactly zero until a step has ended at which it is not, and
 * also beyond a restart: a root in the first step after that was missed. With new memory all are
 * looked for from the beginning. */
static int forget_idle_roots(cvode *o)
{
  if (!o->idle) return 0;
  o->idle = 0;
  return CVodeRootInit(o->mem, 0, NULL) || CVodeRootInit(o->mem, o->p->nroots, roots);
}

static void to_sparse(const ns_flow_problem *p, SUNMatrix A)
{
  sunindextype *ptr = SM_INDEXPTRS_S(A), *row = SM_INDEXVALS_S(A);
  int nnz = p->structure.ptr[p->n];
  for (size_t j = 0; j <= p->n; j++) ptr[j] = p->structure.ptr[j];
  for (int e = 0; e < nnz; e++) row[e] = p->structure.row[e];
}

static void to_dense(const ns_flow_problem *p, const double *value, SUNMatrix A)
{
  for (size_t j = 0; j < p->n; j++) {
    double *column = SM_COLUMN_D(A, (sunindextype)j);
    memset(column, 0, p->n * sizeof *column);
    for (int e = p->structure.ptr[j]; e < p->structure.ptr[j + 1]; e++)
      column[p->structure.row[e]] = value[e];
  }
}

static int jacobian(realtype t, N_Vector x, N_Vector f, SUNMatrix A, void *self, N_Vector u,
                    N_Vector v, N_Vector w)
{
  (void)f, (void)u, (void)v, (void)w;
  cvode *o = self;
  double *value = o->sparse ? SM_DATA_S(A) : o->value;
  int rc = outcome(o, o->p->jacobian(o->p->of, t, N_VGetArrayPointer(x), value, &o->differences));
  if (o->sparse) to_sparse(o->p, A); /* CVODE clears it, indices too */
  else if (!rc) to_dense(o->p, value, A);
  return rc;
}

/* ---- creation -------------------------------------------------------------------------------- */

static void destroy(void *self)
{
  cvode *o = self;
  if (!o) return;
  if (o->mem) CVodeFree(&o->mem);
  if (o->linear) SUNLinSolFree(o->linear);
  if (o->A.own) SUNMatDestroy(o->A.own);
  if (o->A.spare) SUNMatDestroy(o->A.spare);
  if (o->fixed) SUNNonlinSolFree(o->fixed);
  ns_cvode_vectors_destroy(o->vectors);
  ns_sundials_context_destroy(o->sun);
  free(o->value);
  free(o->fired);
  free(o->direction);
  free(o);
}

static int get_vectors(cvode *o)
{
  size_t roots_ = (size_t)o->p->nroots + 1;
  N_Vector *all[] = {&o->x, &o->error, &o->weight};
  if (!(o->sun = ns_sundials_context_create())) return NS_NOMEM;
  if (!(o->vectors = ns_cvode_vectors_create(o->sun, o->p->n, VECTORS))) return NS_NOMEM;
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) *all[k] = ns_cvode_vectors_get(o->vectors);
  o->fired = calloc(roots_, sizeof *o->fired);
  o->direction = calloc(roots_, sizeof *o->direction);
  return o->fired && o->direction ? NS_OK : NS_NOMEM;
}

static SUNMatrix take_spare(SUNMatrix A)
{
  matrix *m = (matrix *)(void *)A;
  SUNMatrix s = m->spare;
  m->spare = NULL;
  return s;
}

static int is_sparse(const ns_flow_problem *p)
{
  ns_flow_linear linear = p->options->linear;
  return p->jacobian && (linear == NS_FLOW_KLU || (linear == NS_FLOW_AUTO && p->n >= SPARSE_FROM));
}

static int get_matrices(cvode *o)
{
  const ns_flow_problem *p = o->p;
  sunindextype n = (sunindextype)p->n;
  SUNMatrix *both[] = {&o->A.own, &o->A.spare};
  o->sparse = is_sparse(p);
  for (int k = 0; k < 2; k++) {
    *both[k] = o->sparse ? SUNSparseMatrix(n, n, p->structure.ptr[p->n], CSC_MAT, o->sun)
                         : SUNDenseMatrix(n, n, o->sun);
    if (!*both[k]) return NS_NOMEM;
  }
  if (o->sparse) to_sparse(p, o->A.own);
  o->A.as = *o->A.own;
  o->A.own->ops->clone = take_spare;
  if (p->jacobian && !o->sparse)
    o->value = calloc((size_t)p->structure.ptr[p->n] + 1, sizeof *o->value);
  return !p->jacobian || o->sparse || o->value ? NS_OK : NS_NOMEM;
}

static int get_solver(cvode *o)
{
  if (o->p->options->method == NS_FLOW_ADAMS) {
    o->fixed = SUNNonlinSol_FixedPoint(o->x, 0, o->sun);
    return o->fixed && !CVodeSetNonlinearSolver(o->mem, o->fixed) ? NS_OK : NS_NOMEM;
  }
  if (get_matrices(o)) return NS_NOMEM;
  o->linear = o->sparse ? SUNLinSol_KLU(o->x, &o->A.as, o->sun)
                        : SUNLinSol_Dense(o->x, &o->A.as, o->sun);
  int bad = !o->linear || CVodeSetLinearSolver(o->mem, o->linear, &o->A.as) ||
            (o->p->jacobian && CVodeSetJacFn(o->mem, jacobian));
  return bad ? NS_NOMEM : NS_OK;
}

static int get_memory(cvode *o)
{
  double longest = ns_flow_longest_step(o->p, o->p->inspect != NULL);
  const ns_event_driven_options *e = o->p->options;
  if (get_vectors(o)) return NS_NOMEM;
  o->mem = CVodeCreate(e->method == NS_FLOW_ADAMS ? CV_ADAMS : CV_BDF, o->sun);
  int bad = !o->mem || CVodeSetErrFile(o->mem, NULL) || CVodeInit(o->mem, rate, 0, o->x) ||
            CVodeSetUserData(o->mem, o) || CVodeWFtolerances(o->mem, weights) || get_solver(o) ||
            CVodeSetMaxNumSteps(o->mem, STEPS) || CVodeSetMinStep(o->mem, o->p->min_step) ||
            CVodeSetMaxErrTestFails(o->mem, ERROR_TESTS) ||
            (isfinite(longest) && CVodeSetMaxStep(o->mem, longest)) ||
            (o->p->nroots &&
             (CVodeRootInit(o->mem, o->p->nroots, roots) || CVodeSetNoInactiveRootWarn(o->mem)));
  return bad ? NS_NOMEM : NS_OK;
}

static int create(ns_ctx *c, const ns_flow_problem *p, void **self)
{
  cvode *o = *self = calloc(1, sizeof *o);
  if (!o) return ns_nomem(c, "CVODE");
  o->p = p;
  if (!get_memory(o)) return NS_OK;
  destroy(o);
  *self = NULL;
  return ns_nomem(c, "CVODE");
}

/* ---- work ------------------------------------------------------------------------------------ */

/* CVODE forgets its counters when it is reinitialised. */
static void work(const void *self, ns_flow_work *w)
{
  const cvode *o = self;
  long steps = 0, rates = 0, more = 0, calls = 0, errors = 0, convergence = 0, jacobians = 0;
  CVodeGetNumSteps(o->mem, &steps);
  CVodeGetNumRhsEvals(o->mem, &rates);
  CVodeGetNumGEvals(o->mem, &calls);
  CVodeGetNumErrTestFails(o->mem, &errors);
  CVodeGetNumNonlinSolvConvFails(o->mem, &convergence);
  /* CVODE keeps these counts over a restart, up to the first step after it */
  if (o->linear && steps > 0) {
    CVodeGetNumLinRhsEvals(o->mem, &more);
    CVodeGetNumJacEvals(o->mem, &jacobians);
  }
  *w = o->past;
  w->steps += steps;
  w->rates += rates + more + o->differences;
  w->jacobians += jacobians;
  w->jacobian_rates += more + o->differences;
  w->roots += calls;
  w->error_failures += errors;
  w->convergence_failures += convergence;
}

/* ---- failures -------------------------------------------------------------------------------- */

/* The unknown with the largest part in the local error. */
static size_t worst(cvode *o, double *share)
{
  *share = 0;
  if (CVodeGetEstLocalErrors(o->mem, o->error) || CVodeGetErrWeights(o->mem, o->weight)) return 0;
  return ns_flow_worst(o->p, N_VGetArrayPointer(o->error), N_VGetArrayPointer(o->weight), share);
}

static const char *reason(int flag)
{
  switch (flag) {
  case CV_TOO_MUCH_WORK: return "too many steps were needed";
  case CV_TOO_MUCH_ACC: return "the tolerances are below rounding, expected larger ones";
  case CV_ERR_FAILURE: return "the error test fails even with the smallest step";
  case CV_CONV_FAILURE:
    return "the iteration of a step does not converge even with the smallest step";
  case CV_LSETUP_FAIL:
  case CV_LSOLVE_FAIL: return "the matrix of a step is singular";
  case CV_FIRST_RHSFUNC_ERR:
  case CV_REPTD_RHSFUNC_ERR:
  case CV_UNREC_RHSFUNC_ERR: return "accelerations are not finite";
  case CV_RTFUNC_FAIL: return "a function whose root is an event is not a number";
  default: return "it cannot continue";
  }
}

/* KLU gets memory for its factors when it sees the first matrix. */
static int out_of_memory(const cvode *o)
{
  return o->sparse && SUNLinSol_KLUGetCommon(o->linear)->status == KLU_OUT_OF_MEMORY;
}

static int failed(cvode *o, ns_ctx *c, int flag, double t)
{
  double h = 0, share;
  char name[256], at[NS_FLOW_PLACE];
  if (flag == CV_LSETUP_FAIL && out_of_memory(o)) return ns_nomem(c, "KLU");
  if (o->rc < 0) {
    int rc = o->rc;
    o->rc = 0;
    return ns_flow_refused(c, rc, t);
  }
  int rc = ns_flow_blame(o->p, c, t, N_VGetArrayPointer(o->x));
  if (rc) return rc;
  size_t i = worst(o, &share);
  CVodeGetCurrentStep(o->mem, &h);
  const char *stiff = o->p->options->method == NS_FLOW_ADAMS ? "method=\"bdf\" for stiff motion, "
                                                             : "";
  return ns_fail(c, NS_NUMERIC,
                 "%sCVODE stopped at t = %.10g s with a step of %.3g s: %s (%s contributes most to "
                 "the error, %.2g times the tolerance); the results so far are kept; try %slarger "
                 "tolerances, or look for a force that jumps or grows without bound there",
                 ns_flow_at(o->p, i, at), t, h, reason(flag),
                 o->p->name(o->p->of, i, name, sizeof name), share, stiff);
}

/* ---- flow ------------------------------------------------------------------------------------ */

/* Of the motion since the last restart, or before it. */
static double first_step(const void *self)
{
  const cvode *o = self;
  double first = 0;
  long steps = 0;
  CVodeGetNumSteps(o->mem, &steps);
  if (steps > 0 && !CVodeGetActualInitStep(o->mem, &first)) return fmax(first, o->p->first_step);
  return o->first;
}

/* CVODE begins anew at (t, o->x). 0: done. */
static int begin(cvode *o, double t)
{
  o->first = first_step(o);
  work(o, &o->past);
  o->past.restarts++;
  o->differences = 0;
  o->rc = 0;
  o->found = o->at_root = o->blind = 0;
  o->reached = o->step_end = o->shown = t;
  double longest = o->p->longest_first,
         first = longest > 0 && !(o->first < longest && o->first > 0) ? longest : o->first;
  /* pivots, too, are those of what follows */
  if (o->sparse) SUNLinSol_KLUReInit(o->linear, &o->A.as, 0, SUNKLU_REINIT_PARTIAL);
  return CVodeReInit(o->mem, t, o->x) || forget_idle_roots(o) || CVodeSetInitStep(o->mem, first) ||
         CVodeSetMinStep(o->mem, o->p->min_step) ||
         (o->p->nroots && CVodeSetRootDirection(o->mem, o->direction));
}

static int restart(void *self, ns_ctx *c, double t, const double *x, const signed char *direction)
{
  cvode *o = self;
  memcpy(N_VGetArrayPointer(o->x), x, o->p->n * sizeof *x);
  for (int k = 0; k < o->p->nroots; k++) o->direction[k] = direction[k];
  return begin(o, t) ? ns_flow_cannot(o->p, c, "CVODE", "cannot begin", t, x) : NS_OK;
}

/* Motion that begins stiff takes first steps that are too short for the end of a long run, where
 * time would not move by them: the first step is tried anew without that bound. 1: it is to be. */
static int begins_shorter(cvode *o, int flag)
{
  double shortest = DBL_EPSILON / 4 * fabs(o->step_end);
  long steps = 0;
  CVodeGetNumSteps(o->mem, &steps);
  if (flag != CV_ERR_FAILURE || steps > 0 || !(shortest < o->p->min_step)) return 0;
  return !begin(o, o->step_end) && !CVodeSetMinStep(o->mem, shortest);
}

/* A step where somebody looks into it or wants each, else to `end`; or a part of it up to a root.
 * CVODE does not go on from a root where a function is exactly zero and still is a moment later
 * (CV_ILL_INPUT), as at an equilibrium that has been reached to rounding. After a restart such a
 * function waits until it has moved. */
static int take_step(cvode *o, double end, double stop)
{
  double at = o->step_end;
  int single = o->p->inspect || o->p->each_step;
  int how = single ? CV_ONE_STEP : CV_NORMAL;
  CVodeSetStopTime(o->mem, stop);
  double ahead = single ? stop : end;
  int flag = CVode(o->mem, ahead, o->x, &at, how);
  if (flag == CV_ILL_INPUT && o->at_root && !begin(o, o->step_end)) {
    at = o->step_end;
    CVodeSetStopTime(o->mem, stop);
    flag = CVode(o->mem, ahead, o->x, &at, how);
  }
  if (begins_shorter(o, flag)) {
    CVodeSetStopTime(o->mem, stop);
    flag = CVode(o->mem, ahead, o->x, &at, how);
  }
  o->step_end = at;
  o->at_root = flag == CV_ROOT_RETURN;
  if (flag != CV_RTFUNC_FAIL || o->rc < 0) return flag;
  o->blind = 1; /* the step is good, and can be shown: only what comes at its end is not known */
  CVodeGetCurrentTime(o->mem, &o->step_end);
  return 0;
}

/* Look at what is left of the step. */
static int look(cvode *o)
{
  double root;
  int rc = o->p->inspect && !o->blind && o->reached < o->step_end
               ? o->p->inspect(o->p->of, o->reached, o->step_end, &root)
               : 0;
  if (rc < 0) return outcome(o, rc);
  o->reached = rc ? root : o->step_end;
  o->found = rc || o->at_root;
  return 0;
}

static int dense(void *self, ns_ctx *c, double t, int k, double *x);

/* Steps do not end where the caller wants to see the motion: where that is has no say in it, where
 * steps are looked into. */
static int advance(void *self, ns_ctx *c, double end, double stop, double *t, double *x,
                   ns_flow_end *why)
{
  cvode *o = self;
  int flag = 0, rest = o->p->each_step && o->shown < o->reached; /* of the step before */
  for (int steps = 0; !rest && o->reached < end && !o->found && flag >= 0; steps++) {
    if (o->blind) flag = CV_RTFUNC_FAIL;
    else if (o->reached >= o->step_end)
      flag = steps < STEPS ? take_step(o, end, stop) : CV_TOO_MUCH_WORK;
    if (flag >= 0 && look(o)) flag = CV_RTFUNC_FAIL;
    if (o->p->each_step) break;
  }
  int root = flag >= 0 && o->found && o->reached <= end;
  *why = root ? NS_FLOW_ROOT : NS_FLOW_REACHED;
  *t = o->shown = flag < 0 ? o->step_end : fmin(o->reached, end);
  if (flag >= 0 && *t < o->step_end && dense(o, c, *t, 0, x)) return c->rc;
  if (*t >= o->step_end) memcpy(x, N_VGetArrayPointer(o->x), o->p->n * sizeof *x);
  if (!root) return flag >= 0 ? NS_OK : failed(o, c, flag, *t);
  if (o->reached < o->step_end) memset(o->fired, 0, (size_t)o->p->nroots * sizeof *o->fired);
  else CVodeGetRootInfo(o->mem, o->fired);
  o->found = 0;
  return NS_OK;
}

static const int *fired(const void *self) { return ((const cvode *)self)->fired; }

static int dense(void *self, ns_ctx *c, double t, int k, double *x)
{
  cvode *o = self;
  if (CVodeGetDky(o->mem, t, k, o->error))
    return ns_flow_cannot(o->p, c, "CVODE", "has no values", t, NULL);
  memcpy(x, N_VGetArrayPointer(o->error), o->p->n * sizeof *x);
  return NS_OK;
}

static void span(const void *self, double *from, double *to)
{
  const cvode *o = self;
  double h = 0;
  *to = 0;
  CVodeGetCurrentTime(o->mem, to);
  CVodeGetLastStep(o->mem, &h);
  *from = *to - h;
}

void *ns_cvode_context(const void *self) { return ((const cvode *)self)->sun; }

/* ---- checkpoints ----------------------------------------------------------------------------- */

static void save(const void *self, ns_blob *b)
{
  const cvode *o = self;
  double first = first_step(o);
  ns_flow_work sum;
  work(o, &sum);
  ns_blob_put_reals(b, &first, 1);
  ns_blob_put(b, &sum, sizeof sum);
}

static void restore(void *self, ns_blob *b)
{
  cvode *o = self;
  ns_blob_get_reals(b, &o->first, 1);
  ns_blob_get(b, &o->past, sizeof o->past);
  o->past.restarts--; /* that is counted again */
}

static const ns_memory memory = {.save = save, .restore = restore};

static int newton(const ns_event_driven_options *e) { return e->method == NS_FLOW_BDF; }

const ns_flow_ops ns_cvode = {
    .name = "CVodeOSI",
    .help = "CVODE of SUNDIALS between events: Adams or BDF, with root finding",
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
    .first = first_step,
    .inspects = 1};
