/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/cvode.h"

#include "algebra/vector.h"
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
#include <string.h>

/* Vectors of each method: history (13 of Adams, 6 of BDF), work vectors, those of the solvers. */
enum { VECTORS = 48 };
enum { STEPS = 100000 }; /* between two calls; more is a motion that tolerances do not fit */
/* Of one step, each with a fifth of its length or so: the first is as long as a flight allows,
 * which may be far too long for the motion. */
enum { ERROR_TESTS = 40 };

/* Matrices of so many unknowns are sparse where nobody chooses: below that dense ones are as fast
 * (bench/flow_bench), and beyond it sparse ones are faster even where all coordinates meet, because
 * q' = v leaves half of the matrix empty. */
enum { SPARSE_FROM = 10 };

/* The method is chosen at the end of windows of so many steps (see suits_bdf): long ones of Adams,
 * so that a trial of BDF is a tenth of the work at most. After a trial that failed, the next window
 * of Adams is LONGER times as long, up to about LONGEST. */
enum { WINDOW = 2000, TRIAL = 200, LONGER = 4, LONGEST = 1000000 };
/* Max. number of unknowns for which BDF is tried if Jacobians are costly: by finite differences,
 * which require one evaluation per unknown, or outdated after few steps. */
enum { COSTLY = 100 };
/* Products of mean step and largest rate of the motion. Adams is stable up to a few hundredths with
 * high order, up to 2 with order 1; below NO_LONGER, BDF is worse because of its lower order. */
static const double BOUNDED = 0.02, NO_LONGER = 0.2;
/* Cosine between a change of x and that of f: 0 for oscillating motion, -1 for damped motion. */
static const double DAMPED = -0.3;

/* A Jacobian is evaluated again if the step has become so many times longer or shorter: after a
 * restart steps grow by orders of magnitude, and so may df/dx fall. */
static const double OTHER_STEP = 10;

/* Adams by fixed-point iteration, or BDF by Newton's method. */
typedef struct method {
  void *mem; /* of CVODE; NULL: not created */
  SUNNonlinearSolver fixed;
  SUNLinearSolver linear;
  SUNMatrix A;   /* I - gamma df/dx, of a step */
  int sparse;    /* 1: A is sparse */
  double *value; /* df/dx: in the structure of the problem, or by columns [ptr[n]], [n x n] */
  double *at;    /* where it was evaluated [n], */
  double gamma;  /* and for which step */
} method;

typedef struct cvode {
  ns_arena *mem; /* of this, and of what is not SUNDIALS' */
  const ns_flow_problem *p;
  SUNContext sun;
  ns_cvode_vectors *vectors;
  N_Vector x, error, weight;
  method of[2]; /* by ns_flow_method: Adams, BDF; the one given, or both if `chooses` */
  method *now;  /* in use */
  int chooses;  /* 1: the method is chosen during the run */
  /* the window of steps after which the method is checked: time of its beginning, s; number of
   * steps before it; its length if the method is Adams, in steps */
  double window_from;
  long long window_steps, window;
  int windows;                                    /* of the current method, before this one */
  double *direction_of_change, *changed, *f, *f0; /* scratch of largest_rate [n] each */
  /* evaluations of f in largest_rate since CVODE was last restarted */
  long long probed;
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
  /* columns of several parts at once: displacements and what was displaced, the part of each
   * unknown, its turn, how many a part has [n] */
  double *width, *kept;
  int *part, *turn, *count;
  ns_flow_work past; /* before the last restart, whose counters CVODE resets */
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
      double max = ns_flow_coarsest(p, i);
      error = error < max ? error : max;
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
  return CVodeRootInit(o->now->mem, 0, NULL) || CVodeRootInit(o->now->mem, o->p->nroots, roots);
}

/* ---- the matrix of a step -------------------------------------------------------------------- */

/* If a Jacobian is much too large, Newton's corrections are much too small, and CVODE, which
 * measures them, accepts the step. The result is then that of the predictor, which is unstable
 * where the motion is stiff. Therefore the length of the step and the problem decide, too, when a
 * Jacobian is old. */

static int is_old(const cvode *o, double gamma, const double *x)
{
  const method *k = o->now;
  const ns_flow_problem *p = o->p;
  double change = fabs(gamma / k->gamma);
  return !(change < OTHER_STEP && change > 1 / OTHER_STEP) ||
         (p->outdates && p->outdates(p->of, k->at, x));
}

/* A displacement of x_j for differences: as small as rounding of f allows, where it changes x by a
 * step. */
static double displacement(const cvode *o, size_t j, double x, double min)
{
  return fmax(sqrt(DBL_EPSILON) * fabs(x), min / NV_DATA_S(o->weight)[j]);
}

/* Rounding of f in a step, in tolerances, with a margin. */
static double rounding_of_step(cvode *o, N_Vector x, N_Vector f)
{
  double h = 0, n = (double)o->p->n;
  weights(x, o->weight, o);
  CVodeGetCurrentStep(o->now->mem, &h);
  double min = 1000 * fabs(h) * DBL_EPSILON * n * N_VWrmsNorm(f, o->weight);
  return min > 0 ? min : 1;
}

/* The parts of the unknowns, in turns: the first unknown of each, then the second of each. Returns
 * whether all is one part, on which rates of any unknown depend. */
static int take_turns(cvode *o)
{
  const ns_flow_problem *p = o->p;
  int is_one = !p->parts || p->parts(p->of, o->part) <= 1;
  memset(o->count, 0, p->n * sizeof *o->count);
  for (size_t j = 0; j < p->n; j++) {
    if (is_one) o->part[j] = p->atol[j] >= NS_FLOW_FREE ? -1 : 0; /* f does not depend on it */
    o->turn[j] = o->part[j] < 0 ? -1 : o->count[o->part[j]]++;
  }
  return is_one;
}

/* What is displaced for the columns of a turn, to o->width; their number. */
static int displace(cvode *o, int turn, double min, double *x)
{
  int some = 0;
  for (size_t j = 0; j < o->p->n; j++) {
    if (o->turn[j] != turn) continue;
    double xj = o->kept[j] = x[j];
    x[j] += displacement(o, j, xj, min);
    o->width[j] = x[j] - xj; /* as represented */
    some++;
  }
  return some;
}

/* df/dx by columns, of parts that do not depend on each other with one evaluation for all. */
static int differences(cvode *o, double t, N_Vector at, N_Vector f, N_Vector changed)
{
  size_t n = o->p->n;
  double min = rounding_of_step(o, at, f), *x = NV_DATA_S(at), *df = o->now->value;
  int rc = 0, is_one = take_turns(o);
  memset(df, 0, n * n * sizeof *df);
  for (int turn = 0; !rc && displace(o, turn, min, x); turn++) {
    rc = rate(t, at, changed, o);
    o->differences++;
    for (size_t j = 0; j < n; j++) {
      if (o->turn[j] != turn) continue;
      x[j] = o->kept[j];
      for (size_t i = 0; i < n; i++)
        if (is_one || o->part[i] == o->part[j])
          df[i + j * n] = (NV_DATA_S(changed)[i] - NV_DATA_S(f)[i]) / o->width[j];
    }
  }
  return rc;
}

static int jacobian(cvode *o, double t, N_Vector x, N_Vector f, N_Vector scratch, double gamma)
{
  method *k = o->now;
  k->gamma = gamma;
  memcpy(k->at, NV_DATA_S(x), o->p->n * sizeof *k->at);
  if (!o->p->jacobian) return differences(o, t, x, f, scratch);
  return outcome(o, o->p->jacobian(o->p->of, t, NV_DATA_S(x), k->value, &o->differences));
}

static void to_sparse(const ns_flow_problem *p, const double *value, double gamma, SUNMatrix A)
{
  double *to = SM_DATA_S(A);
  for (size_t j = 0; j < p->n; j++)
    for (int e = p->structure.ptr[j]; e < p->structure.ptr[j + 1]; e++)
      to[e] = (p->structure.row[e] == (int)j) - gamma * value[e];
}

static void to_dense(const ns_flow_problem *p, const double *value, double gamma, SUNMatrix A)
{
  for (size_t j = 0; j < p->n; j++) {
    double *column = SM_COLUMN_D(A, (sunindextype)j);
    memset(column, 0, p->n * sizeof *column);
    if (p->jacobian)
      for (int e = p->structure.ptr[j]; e < p->structure.ptr[j + 1]; e++)
        column[p->structure.row[e]] = -gamma * value[e];
    else
      for (size_t i = 0; i < p->n; i++) column[i] = -gamma * value[i + j * p->n];
    column[j] += 1;
  }
}

/* A := I - gamma df/dx, as CVLsLinSysFn: may_keep says that CVODE finds the last df/dx good
 * enough. */
static int matrix_of_step(realtype t, N_Vector x, N_Vector f, SUNMatrix A, booleantype may_keep,
                          booleantype *is_new, realtype gamma, void *self, N_Vector u, N_Vector v,
                          N_Vector w)
{
  (void)v, (void)w;
  cvode *o = self;
  *is_new = !may_keep || is_old(o, gamma, NV_DATA_S(x));
  int rc = *is_new ? jacobian(o, t, x, f, u, gamma) : 0;
  if (rc) return rc;
  (o->now->sparse ? to_sparse : to_dense)(o->p, o->now->value, gamma, A);
  return 0;
}

/* ---- creation -------------------------------------------------------------------------------- */

static void destroy_method(method *k)
{
  if (k->mem) CVodeFree(&k->mem);
  if (k->linear) SUNLinSolFree(k->linear);
  if (k->A) SUNMatDestroy(k->A);
  if (k->fixed) SUNNonlinSolFree(k->fixed);
}

static void destroy(void *self)
{
  cvode *o = self;
  if (!o) return;
  for (int k = 0; k < 2; k++) destroy_method(&o->of[k]);
  ns_cvode_vectors_destroy(o->vectors);
  ns_sundials_context_destroy(o->sun);
  ns_arena_destroy(o->mem);
}

static int get_vectors(cvode *o)
{
  size_t roots_ = (size_t)o->p->nroots, n = o->p->n, d = sizeof(double), whole = sizeof(int);
  const ns_array want[] = {{&o->fired, roots_, whole},
                           {&o->direction, roots_, whole},
                           {&o->direction_of_change, n, d},
                           {&o->changed, n, d},
                           {&o->f, n, d},
                           {&o->f0, n, d},
                           {&o->width, n, d},
                           {&o->kept, n, d},
                           {&o->part, n, whole},
                           {&o->turn, n, whole},
                           {&o->count, n, whole}};
  N_Vector *all[] = {&o->x, &o->error, &o->weight};
  if (!(o->sun = ns_sundials_context_create())) return NS_NOMEM;
  if (!(o->vectors = ns_cvode_vectors_create(o->sun, n, (1 + o->chooses) * VECTORS)))
    return NS_NOMEM;
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) *all[k] = ns_cvode_vectors_get(o->vectors);
  return ns_arena_arrays(o->mem, want, sizeof want / sizeof *want);
}

static int is_sparse(const ns_flow_problem *p)
{
  ns_flow_linear linear = p->options->linear;
  return p->jacobian && (linear == NS_FLOW_KLU || (linear == NS_FLOW_AUTO && p->n >= SPARSE_FROM));
}

static void set_structure(const ns_flow_problem *p, SUNMatrix A)
{
  sunindextype *ptr = SM_INDEXPTRS_S(A), *row = SM_INDEXVALS_S(A);
  int nnz = p->structure.ptr[p->n];
  for (size_t j = 0; j <= p->n; j++) ptr[j] = p->structure.ptr[j];
  for (int e = 0; e < nnz; e++) row[e] = p->structure.row[e];
}

static int get_matrix(cvode *o)
{
  const ns_flow_problem *p = o->p;
  method *k = o->now;
  sunindextype n = (sunindextype)p->n;
  size_t values = p->jacobian ? (size_t)p->structure.ptr[p->n] : p->n * p->n;
  k->sparse = is_sparse(p);
  k->A = k->sparse ? SUNSparseMatrix(n, n, p->structure.ptr[p->n], CSC_MAT, o->sun)
                   : SUNDenseMatrix(n, n, o->sun);
  const ns_array want[] = {{&k->value, values, sizeof *k->value}, {&k->at, p->n, sizeof *k->at}};
  if (!k->A || ns_arena_arrays(o->mem, want, sizeof want / sizeof *want)) return NS_NOMEM;
  if (k->sparse) set_structure(p, k->A);
  return NS_OK;
}

static int get_solver(cvode *o, ns_flow_method which)
{
  if (which == NS_FLOW_ADAMS) {
    o->now->fixed = SUNNonlinSol_FixedPoint(o->x, 0, o->sun);
    return o->now->fixed && !CVodeSetNonlinearSolver(o->now->mem, o->now->fixed) ? NS_OK : NS_NOMEM;
  }
  if (get_matrix(o)) return NS_NOMEM;
  o->now->linear = o->now->sparse ? SUNLinSol_KLU(o->x, o->now->A, o->sun)
                                  : SUNLinSol_Dense(o->x, o->now->A, o->sun);
  int bad = !o->now->linear || CVodeSetLinearSolver(o->now->mem, o->now->linear, o->now->A) ||
            CVodeSetLinSysFn(o->now->mem, matrix_of_step) ||
            (o->p->outdates && CVodeSetLSetupFrequency(o->now->mem, 1));
  return bad ? NS_NOMEM : NS_OK;
}

static int get_method(cvode *o, ns_flow_method which)
{
  double longest = ns_flow_longest_step(o->p, o->p->inspect != NULL);
  o->now = &o->of[which];
  void *mem = o->now->mem = CVodeCreate(which == NS_FLOW_ADAMS ? CV_ADAMS : CV_BDF, o->sun);
  int bad = !mem || CVodeSetErrFile(mem, NULL) || CVodeInit(mem, rate, 0, o->x) ||
            CVodeSetUserData(mem, o) || CVodeWFtolerances(mem, weights) || get_solver(o, which) ||
            CVodeSetMaxNumSteps(mem, o->chooses ? TRIAL : STEPS) ||
            CVodeSetMinStep(mem, o->p->min_step) || CVodeSetMaxErrTestFails(mem, ERROR_TESTS) ||
            (isfinite(longest) && CVodeSetMaxStep(mem, longest)) ||
            (o->p->nroots &&
             (CVodeRootInit(mem, o->p->nroots, roots) || CVodeSetNoInactiveRootWarn(mem)));
  return bad ? NS_NOMEM : NS_OK;
}

static int get_memory(cvode *o)
{
  ns_flow_method given = o->p->options->method;
  int is_costly = !o->p->jacobian || o->p->outdates;
  o->chooses = given == NS_FLOW_CHOSEN && (!is_costly || o->p->n <= COSTLY);
  o->window = WINDOW;
  if (get_vectors(o) || (o->chooses && get_method(o, NS_FLOW_BDF))) return NS_NOMEM;
  return get_method(o, given == NS_FLOW_CHOSEN ? NS_FLOW_ADAMS : given);
}

static int create(ns_ctx *c, const ns_flow_problem *p, void **self)
{
  cvode *o = *self = NS_ARENA_OBJECT(cvode, mem);
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
  long steps = 0, rates = 0, calls = 0, errors = 0, convergence = 0, jacobians = 0;
  CVodeGetNumSteps(o->now->mem, &steps);
  CVodeGetNumRhsEvals(o->now->mem, &rates);
  CVodeGetNumGEvals(o->now->mem, &calls);
  CVodeGetNumErrTestFails(o->now->mem, &errors);
  CVodeGetNumNonlinSolvConvFails(o->now->mem, &convergence);
  /* CVODE keeps this count over a restart, up to the first step after it */
  if (o->now->linear && steps > 0) CVodeGetNumJacEvals(o->now->mem, &jacobians);
  *w = o->past;
  w->steps += steps;
  w->rates += rates + o->differences + o->probed;
  w->jacobians += jacobians;
  w->jacobian_rates += o->differences;
  w->roots += calls;
  w->error_failures += errors;
  w->convergence_failures += convergence;
}

/* ---- failures -------------------------------------------------------------------------------- */

/* The unknown with the largest part in the local error. */
static size_t worst(cvode *o, double *share)
{
  *share = 0;
  if (CVodeGetEstLocalErrors(o->now->mem, o->error) || CVodeGetErrWeights(o->now->mem, o->weight))
    return 0;
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
  return o->now->sparse && SUNLinSol_KLUGetCommon(o->now->linear)->status == KLU_OUT_OF_MEMORY;
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
  CVodeGetCurrentStep(o->now->mem, &h);
  const char *stiff = o->now == &o->of[NS_FLOW_ADAMS] ? "method=\"bdf\" for stiff motion, " : "";
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
  CVodeGetNumSteps(o->now->mem, &steps);
  if (steps > 0 && !CVodeGetActualInitStep(o->now->mem, &first))
    return fmax(first, o->p->first_step);
  return o->first;
}

/* Before CVODE is restarted, which resets its counters: add them to `past`. */
static void add_to_past(cvode *o)
{
  o->first = first_step(o);
  work(o, &o->past);
  o->differences = o->probed = 0;
}

/* Restart CVODE at (t, o->x) with this first step; 0: CVODE chooses it. Returns 0 on success. */
static int begin_with(cvode *o, double t, double first)
{
  o->rc = 0;
  o->found = o->at_root = o->blind = 0;
  o->reached = o->step_end = o->shown = t;
  /* pivots, too, are those of what follows */
  if (o->now->sparse) SUNLinSol_KLUReInit(o->now->linear, o->now->A, 0, SUNKLU_REINIT_PARTIAL);
  return CVodeReInit(o->now->mem, t, o->x) || forget_idle_roots(o) ||
         CVodeSetInitStep(o->now->mem, first) || CVodeSetMinStep(o->now->mem, o->p->min_step) ||
         (o->p->nroots && CVodeSetRootDirection(o->now->mem, o->direction));
}

static long long steps_taken(const cvode *o)
{
  long steps = 0;
  CVodeGetNumSteps(o->now->mem, &steps);
  return o->past.steps + steps;
}

static void begin_window(cvode *o)
{
  o->window_from = o->step_end;
  o->window_steps = steps_taken(o);
}

/* Counters are those of the past already. windows: how many count as past. */
static void set_method(cvode *o, ns_flow_method which, int windows)
{
  o->now = &o->of[which];
  o->windows = windows;
  o->idle = o->p->nroots > 0; /* its root functions are those of its last use */
}

static int begin(cvode *o, double t)
{
  const ns_flow_problem *p = o->p;
  add_to_past(o);
  o->past.restarts++;
  double longest = p->longest_first,
         first = longest > 0 && !(o->first < longest && o->first > 0) ? longest : o->first;
  int changes = o->chooses && p->begins_stiff && o->now != &o->of[NS_FLOW_BDF];
  if (changes) set_method(o, NS_FLOW_BDF, 1);
  if (p->begins_stiff && o->now == &o->of[NS_FLOW_BDF]) first = 0;
  int bad = begin_with(o, t, first);
  if (changes) begin_window(o);
  return bad;
}

/* ---- the method that a motion needs ---------------------------------------------------------- */

/* The largest rate of a stiff motion limits the steps of Adams, even long after the fast components
 * have decayed. It does not limit those of BDF, which are much shorter, though, if the motion
 * oscillates. As in LSODA (Petzold 1983) the method is chosen during the run, here by windows of
 * steps. */

static double product(const cvode *o, const double *a, const double *b)
{
  const double *weight = NV_DATA_S(o->weight);
  double sum = 0;
  for (size_t i = 0; i < o->p->n; i++) sum += weight[i] * a[i] * weight[i] * b[i];
  return sum;
}

static double norm(const cvode *o, const double *of) { return sqrt(product(o, of, of)); }

/* d := a change of x by up to size/2 tolerances, in a direction that is not special for any
 * motion. */
static void any_direction(const cvode *o, double size, double *d)
{
  const double golden = 0.6180339887498949, *weight = NV_DATA_S(o->weight);
  for (size_t i = 0; i < o->p->n; i++) {
    double part = fmod((double)(i + 1) * golden, 1);
    d[i] = o->p->atol[i] >= NS_FLOW_FREE ? 0 : size * (part - 0.5) / weight[i];
  }
}

/* The largest rate of the motion at (t, x), 1/s, by the power method on df/dx, and the mean cosine
 * between changes of x and those of f in its last iterations. Returns 0 if f cannot be
 * evaluated. */
static int largest_rate(cvode *o, double *largest, double *cosine)
{
  enum { TIMES = 8, LAST = 4 };
  static const double SIZE = 1e3; /* tolerances */
  double t = o->step_end, *d = o->direction_of_change;
  const double *x = NV_DATA_S(o->x);
  *largest = *cosine = 0;
  if (weights(o->x, o->weight, o) || o->p->rate(o->p->of, t, x, o->f0)) return 0;
  any_direction(o, SIZE, d);
  double size = norm(o, d);
  for (int k = 0; k < TIMES && size > 0; k++) {
    ns_linear_sum(o->p->n, x, 1, d, o->changed);
    if (o->p->rate(o->p->of, t, o->changed, o->f)) return 0;
    for (size_t i = 0; i < o->p->n; i++)
      o->f[i] = o->p->atol[i] >= NS_FLOW_FREE ? 0 : o->f[i] - o->f0[i];
    double answer = norm(o, o->f);
    *largest = answer / size;
    if (!(answer > 0 && isfinite(answer))) return answer == 0;
    if (k >= TIMES - LAST) *cosine += product(o, d, o->f) / (size * answer) / LAST;
    for (size_t i = 0; i < o->p->n; i++) d[i] = o->f[i] * (size / answer);
  }
  o->probed += 1 + TIMES;
  return 1;
}

/* step: mean step of the last window, s. Returns 1 if BDF suits the motion, 0 if Adams does; -1:
 * unknown. */
static int suits_bdf(cvode *o, double step)
{
  double largest, cosine;
  int rc = o->rc, known = largest_rate(o, &largest, &cosine);
  o->rc = rc;
  if (!known) return -1;
  if (o->now == &o->of[NS_FLOW_BDF]) return step * largest >= NO_LONGER;
  return step * largest >= BOUNDED && cosine <= DAMPED;
}

/* Continue with the other method from here. If BDF is left at the end of its first window, the
 * next window of Adams is longer. Returns 0 on success. */
static int change_method(cvode *o)
{
  int is_bdf = o->now == &o->of[NS_FLOW_BDF];
  add_to_past(o);
  if (is_bdf && o->windows > 0) o->window = WINDOW;
  else if (is_bdf) o->window = o->window < LONGEST ? LONGER * o->window : LONGEST;
  set_method(o, is_bdf ? NS_FLOW_ADAMS : NS_FLOW_BDF, 0);
  return begin_with(o, o->step_end, 0);
}

/* Called at the end of a step that has been inspected completely. Returns 0 on success. */
static int choose_method(cvode *o)
{
  int is_bdf = o->now == &o->of[NS_FLOW_BDF];
  long long steps = steps_taken(o) - o->window_steps;
  if (!o->chooses || o->at_root || steps < (is_bdf ? TRIAL : o->window)) return 0;
  int suits = suits_bdf(o, (o->step_end - o->window_from) / (double)steps);
  int rc = suits >= 0 && suits != is_bdf ? change_method(o) : 0;
  if (suits == is_bdf) o->windows++;
  begin_window(o);
  return rc;
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
  CVodeGetNumSteps(o->now->mem, &steps);
  if (flag != CV_ERR_FAILURE || steps > 0 || !(shortest < o->p->min_step)) return 0;
  return !begin(o, o->step_end) && !CVodeSetMinStep(o->now->mem, shortest);
}

/* A step where somebody looks into it or wants each, else to `end`; or a part of it up to a root.
 * CVODE does not go on from a root where a function is exactly zero and still is a moment later
 * (CV_ILL_INPUT), as at an equilibrium that has been reached to rounding. After a restart such a
 * function waits until it has moved. */
static int take_step(cvode *o, double end, double stop)
{
  int single = o->p->inspect || o->p->each_step;
  int how = single ? CV_ONE_STEP : CV_NORMAL;
  if (choose_method(o)) return CV_ILL_INPUT;
  double at = o->step_end;
  CVodeSetStopTime(o->now->mem, stop);
  double ahead = single ? stop : end;
  int flag = CVode(o->now->mem, ahead, o->x, &at, how);
  if (flag == CV_ILL_INPUT && o->at_root && !begin(o, o->step_end)) {
    at = o->step_end;
    CVodeSetStopTime(o->now->mem, stop);
    flag = CVode(o->now->mem, ahead, o->x, &at, how);
  }
  if (begins_shorter(o, flag)) {
    CVodeSetStopTime(o->now->mem, stop);
    flag = CVode(o->now->mem, ahead, o->x, &at, how);
  }
  o->step_end = at;
  if (flag == CV_TOO_MUCH_WORK && o->chooses) flag = 0; /* a window has ended */
  o->at_root = flag == CV_ROOT_RETURN;
  if (flag != CV_RTFUNC_FAIL || o->rc < 0) return flag;
  o->blind = 1; /* the step is good, and can be shown: only what comes at its end is not known */
  CVodeGetCurrentTime(o->now->mem, &o->step_end);
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
  long long last = steps_taken(o) + STEPS;
  while (!rest && o->reached < end && !o->found && flag >= 0) {
    if (o->blind) flag = CV_RTFUNC_FAIL;
    else if (o->reached >= o->step_end)
      flag = steps_taken(o) < last ? take_step(o, end, stop) : CV_TOO_MUCH_WORK;
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
  else CVodeGetRootInfo(o->now->mem, o->fired);
  o->found = 0;
  return NS_OK;
}

static const int *fired(const void *self) { return ((const cvode *)self)->fired; }

static int dense(void *self, ns_ctx *c, double t, int k, double *x)
{
  cvode *o = self;
  if (CVodeGetDky(o->now->mem, t, k, o->error))
    return ns_flow_cannot(o->p, c, "CVODE", "has no values", t, NULL);
  memcpy(x, N_VGetArrayPointer(o->error), o->p->n * sizeof *x);
  return NS_OK;
}

static void span(const void *self, double *from, double *to)
{
  const cvode *o = self;
  double h = 0;
  *to = 0;
  CVodeGetCurrentTime(o->now->mem, to);
  CVodeGetLastStep(o->now->mem, &h);
  *from = *to - h;
}

void *ns_cvode_context(const void *self) { return ((const cvode *)self)->sun; }

/* ---- checkpoints ----------------------------------------------------------------------------- */

static void save(const void *self, ns_blob *b)
{
  const cvode *o = self;
  const double kept[] = {first_step(o), o->window_from};
  const long long counts[] = {o->window_steps, o->window, o->windows, o->now - o->of};
  ns_flow_work sum;
  work(o, &sum);
  ns_blob_put_reals(b, kept, 2);
  ns_blob_put(b, counts, sizeof counts);
  ns_blob_put(b, &sum, sizeof sum);
}

static void restore(void *self, ns_blob *b)
{
  cvode *o = self;
  double kept[2];
  long long counts[4];
  ns_blob_get_reals(b, kept, 2);
  ns_blob_get(b, counts, sizeof counts);
  ns_blob_get(b, &o->past, sizeof o->past);
  o->first = kept[0];
  o->window_from = kept[1];
  o->window_steps = counts[0];
  o->window = counts[1];
  o->windows = (int)counts[2];
  if (o->chooses) o->now = &o->of[counts[3] == NS_FLOW_BDF];
  o->past.restarts--; /* that is counted again */
}

static const ns_memory memory = {.save = save, .restore = restore};

static int newton(const ns_event_driven_options *e) { return e->method != NS_FLOW_ADAMS; }

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
