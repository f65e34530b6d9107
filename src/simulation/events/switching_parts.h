/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switching_parts.h -- private to switching*.c.
 *
 *   switching.c         memory, the step of the grid
 *   switching_motion.c  rate and multipliers of a mode at a point
 *   switching_flow.c    the smooth motion and its roots
 *   switching_tolerances.c  tolerances that the model does not give
 *   switching_mode.c    search for the next mode at a point
 *   switching_probe.c   modes of all rows at once
 *   switching_jump.c    jumps of states that violate their laws
 *   switching_event.c   events
 *   switching_certificate.c  laws and events, for the certificate
 *   switching_output.c  outputs of the state; rows and events
 *
 * The unknowns of a flow are x [nq] and, if relations or fields depend on t, one more. Rows may
 * change with t while the state is constant, for example those of a source, a diode and a resistor;
 * the integrator would then skip any number of their switches. Therefore it also integrates, with a
 * tolerance based on the time scales tau and tau_f of these changes,
 *
 *   w' = sum_r c_r (y_r + lambda_r / share_r) / range_r + sum_i c_i f_i / range_i,
 *
 * with c between 1/2 and 3/2; range: variation over the run of y_r and of the field f_i (M x' = f +
 * r) due to t only; share_r: change of lambda_r per unit of y_r. Modes of rows are ns_side
 * (events.h), stored in the state.
 *
 * Bounds that are formulas (model/law_values.h) are updated wherever the motion is evaluated:
 * lambda of a row at a bound changes with it, and is tested against the bounds at the same
 * point. */
#ifndef NS_SIMULATION_EVENTS_SWITCHING_PARTS_H
#define NS_SIMULATION_EVENTS_SWITCHING_PARTS_H

#include "integrators/flow.h"
#include "integrators/rate_base.h"
#include "model/observables.h"
#include "problems/avi.h"
#include "simulation/events/branches.h"
#include "simulation/events/event_certificate.h"
#include "simulation/events/event_run.h"
#include "simulation/events/step_roots.h"
#include "simulation/events/switching.h"
#include "simulation/record/events.h"
#include "simulation/rows/couplings.h"
#include "simulation/rows/singular.h"
#include "simulation/step/controls.h"
#include "simulation/step/user_events.h"

#include <float.h>

/* The motion of a mode at a point. */
typedef struct ns_motion {
  double *lambda, *y; /* [nrows] */
  double *lb, *ub;    /* bounds there [nrows] */
  double *r, *v;      /* input; rate M^-1 (f + r) [nq] */
  double *x;          /* point of evaluation, unless it is that of the caller [nq] */
} ns_motion;

enum { NS_SW_POINTS = 4 };   /* the point of a decision, two after it, one between them */
enum { NS_SW_BRANCHES = 8 }; /* maximum number of different motions that are distinguished */

/* Search for a mode. */
typedef struct ns_sw_search {
  unsigned char *ask;   /* rows involved in the event [nrows] */
  unsigned char *drawn; /* further rows, added because no motion was found without them [nrows] */
  /* y of rows at 0: errors of root finding and drift [nrows] */
  double *reach;
  unsigned char *was;          /* modes before [nrows] */
  unsigned char *outside;      /* modes before a change from outside [nrows] */
  unsigned char *base;         /* modes of the other rows [nrows] */
  unsigned char *best;         /* best modes found [nrows] */
  unsigned char *asked, *kept; /* copies of ask and base while others are tried [nrows] */
  int moved;                   /* 1 if the last motion tried could be evaluated */
  int *row;                    /* rows with ask [nrows] */
  int nrows;
  int told;       /* row for which events with several motions are reported */
  double delta;   /* steps for finite differences, s */
  double shorter; /* fraction of their usual length, if signs change soon after the event */
  int sharp;      /* small slopes of rows with roots are significant, see slope_noise */
  int wide;       /* multipliers are at a bound within what is allowed of y, see ns_sw_near */
  double *size;   /* size of the terms of y [nrows] */
  double *force;  /* the same for lambda of held rows [nrows] */
  double *slope;  /* y' of rows without D; 0 of the others [nrows] */
  double *share;  /* tolerance of lambda per that of y [nrows] */
  /* displacement of the motions found after two steps [BRANCHES x nq] */
  double *move;
  int branches; /* different motions found */
  int rank[2];  /* of the best: number of rows changed, number of rows held */
} ns_sw_search;

/* Problem for some rows: impulses of a jump, or multipliers of a short step. */
typedef struct ns_sw_problem {
  int n, *row;                     /* those rows */
  double *M, *q, *p, *w, *lb, *ub; /* [n x n], then [n] each */
  double *scale, size;             /* lambda of a row is p times scale [n] and size */
  /* M includes D and may be singular: of several solutions the shortest is used */
  int coupled;
  int solved;                   /* p is a solution */
  const ns_avi_solver_ops *ops; /* NULL: there are none */
  void *solver;
  int made; /* jump: p belongs to the current event */
} ns_sw_problem;

typedef struct switching {
  ns_event_run run; /* first */
  const ns_model *m;
  ns_state *x;
  ns_event_driven_options own; /* the tolerances of this run */
  const ns_event_driven_options *opt;
  rate_base base;
  int based; /* base was initialised */
  ns_couplings *k;
  int begun;           /* the modes are known and the flow is ready */
  int untold;          /* several motions were possible at t0, to be reported in the first step */
  int timed;           /* some relation depends on time itself */
  int differencing;    /* relations are evaluated at times near `about` of a fixed state */
  double about;        /* s */
  double *atol;        /* of states, without those of event_sizes.h [nq] */
  double *sizes;       /* of states, by which their tolerances are chosen [nq] */
  int driven;          /* some formula of a field depends on t */
  int forced;          /* so, and there are rows */
  double *range;       /* variation of y due to t only, over the run; 0: none [nrows] */
  double *field_range; /* the same of fields [nq] */
  /* shortest time, s, in which a row or its bounds (tau) or a field (tau_f) vary by their range;
   * INFINITY: none varies */
  double tau, tau_f;
  /* states that are velocities of mechanical systems, the last ones; their rates with forces, and
   * without [nimages] */
  size_t nimages;
  double *pushed, *unpushed;
  int fixed;             /* masses are constant */
  int factored;          /* `held` has been factored for the mode; only if fixed */
  double *lb, *ub;       /* bounds of all rows at the last evaluation [nrows] */
  unsigned char *varies; /* 1: bounds of the row are formulas [nrows] */
  int laws_vary;         /* 1 if there are any */
  /* variation of lb + ub due to t only, over the run; 0: none [nrows] */
  double *law_range;
  double *still;        /* zeros [nrows] */
  double *f, *zero, *b; /* field; zeros; scratch [nq] */
  double *drift;        /* dy/dt at fixed x and lambda [nrows] */
  double *speed;        /* size of the terms of rates (ns_sw_speed_sizes) [nq] */
  double *stencil;      /* scratch: y, or slopes of rows [nrows] */
  double *times;        /* y at five times around [5 nrows] */
  double *rhs;          /* [nrows] */
  /* lambda where the flow began or at the last row of the grid, at which Newton's method begins:
   * looks at a state change nothing [nrows] */
  double *first;
  double *step; /* of Newton's method for held rows [nrows] */
  ns_motion at[NS_SW_POINTS];
  ns_singular held; /* what holds the rows of the mode */
  int *holds;       /* those rows [nrows] */
  int *place;       /* position of a held row among them [nrows] */
  /* for held rows: 0: solved for y, 1: for the derivative of a combination of held rows [nrows] */
  unsigned char *degree;
  double *combine; /* weights of those combinations, by columns [held.n x held.n] */
  /* sizes by which entries of C are rounding, see switching_motion.c [nrows], [nq] */
  double *grain_of_row, *grain_of_state;
  unsigned char *direct; /* rows with some D [nrows] */
  /* maximum y' in the last evaluation that no multiplier could make 0, relative to its tolerance */
  double loose;
  double extent; /* maximum 1-norm of x */
  /* distance beyond the surface at which roots of rows off it are placed, larger than rounding
   * [nrows] */
  double *below;
  ns_sw_search search;
  ns_sw_problem jump, probe;
  long long leaps; /* number of rows that made the state jump */
  double *change;  /* change of the state by impulses, for the certificate [nq] */
  /* data of the current event */
  unsigned char *fired;  /* rows whose roots it is [nrows] */
  double *entered;       /* the state at its beginning, after changes from outside [nq] */
  double *outside;       /* y before the state jumped [nrows] */
  unsigned char *ending; /* rows held at the end of a series of switches [nrows] */
  long long choices;     /* number of events with more than one motion */
  long long jumps;       /* number of grid points at which a law was violated */
} switching;

/* ---- switching_motion.c ---------------------------------------------------------------------- */
/* Variables of other systems that formulas read at (t, x). */
static inline ns_others ns_sw_others(const switching *o, double t, const double *x)
{
  const ns_event_host *host = o->run.host;
  return host ? host->others(host->of, t, x, NULL) : (ns_others){0};
}

/* y of rows at the state and t, without multipliers, to `y`. */
int ns_sw_rows_at(switching *o, double t, double *y);
/* Fields at (t, x), to o->f. */
int ns_sw_field(switching *o, double t, const double *x);
/* Convert o->b from impulses to jumps of x. */
int ns_sw_leap(switching *o);
/* 1 if lambda of row r has a single admissible value in all modes. */
static inline int ns_sw_is_given(const switching *o, int r)
{
  return o->lb[r] == o->ub[r] && !o->varies[r];
}
/* The motion of the modes in the state's `mode` at (t, x). > 0: cannot be evaluated there; < 0
 * fatal. */
int ns_sw_motion(switching *o, double t, const double *x, ns_motion *p);
/* Compute the variation of rows with t, for flows and finite differences; call once relations and
 * bounds are known. */
int ns_sw_time_ranges(switching *o);
/* w' (above) along a motion. */
double ns_sw_moved_by_time(const switching *o, const ns_motion *p);
/* y' of a row that has no D, along that motion. */
double ns_sw_slope(const switching *o, int r, const ns_motion *p);
/* o->speed := size of the terms of the rates v with inputs r, |v| + 2 |M(t)^-1 r|; only |v| for
 * velocities of mechanical systems. If inputs keep a state constant they cancel the field, and v
 * contains only rounding errors of these terms. */
int ns_sw_speed_sizes(switching *o, double t, const double *r, const double *v);
/* Rounding error of y' of row r, after ns_sw_speed_sizes. */
double ns_sw_slope_rounding(const switching *o, int r);
/* o->b = M(t)^-1 B of row r at x. */
int ns_sw_response(switching *o, double t, const double *x, int r);
/* From now on Newton's method begins at lambda of the state. */
void ns_sw_begin_near(switching *o);
/* Call when the modes have changed. */
void ns_sw_forget(switching *o);
/* 1 if the gradient of row r is a linear combination of those of held rows, which determine its
 * y. */
int ns_sw_depends(switching *o, int r);
/* _project: the smallest change of x that gives y = 0 for held rows of degree 1. _strike: by
 * impulses of the held rows, which are written to `impulse` [nrows]. */
int ns_sw_project(switching *o);
int ns_sw_strike(switching *o, double *impulse);

/* ---- switching_tolerances.c ------------------------------------------------------------------ */
/* Choose those of a run: o->atol of the states, gap_tol and speed_tol of `own`. The state is that
 * at t0. */
int ns_sw_tolerances(switching *o);

/* ---- switching_flow.c ------------------------------------------------------------------------ */
int ns_sw_rate(void *self, double t, const double *x, double *f);
int ns_sw_roots(void *self, double t, const double *x, double *g); /* ns_event_family.roots */
/* Those of the rows [2 nrows] at x, where the motion is at[0]. */
void ns_sw_row_roots(const switching *o, const double *x, double *g);
int ns_sw_point(void *of, const double *x, const double **q, const double **v);
/* Restart the flow from the state, with y of that state; _resume keeps the roots. */
int ns_sw_restart(void *of); /* ns_event_family.go_on */
int ns_sw_resume(switching *o);

/* ---- switching_mode.c ------------------------------------------------------------------------ */
int ns_sw_search_create(switching *o);
/* Modes of rows without D by the sign of y, where it has one: at t0, and after the state was set.
 */
int ns_sw_guess(switching *o);
/* Determine the next modes at the state for the rows with search.ask. If no motion exists, the run
 * ends. */
int ns_sw_decide(switching *o);
/* The same for these rows only, and for the complementarity problem of all; *found = 0: the modes
 * are unchanged. */
int ns_sw_goes_on(switching *o, int *found);

/* ---- switching_probe.c ----------------------------------------------------------------------- */
int ns_sw_probe_create(switching *o, ns_ctx *c);
/* Modes of all rows from a step of length h; where that has no solution *solved is 0, and the modes
 * stay. */
int ns_sw_probe(switching *o, double h, int *solved);
/* 1: some choice of sides solves the problem that was probed last, 0: none does, all of them tried;
 * -1: they are too many. */
int ns_sw_probe_exhaust(const switching *o);
/* M = a C M^-1 B + d D of the rows of k. */
int ns_sw_problem_matrix(switching *o, ns_sw_problem *k, double a, double d);
/* Solve it for k->p, which with scale and size is within lb, ub [nrows] (NULL: k->lb, k->ub are 0
 * or infinite, and stay). M is scaled. */
int ns_sw_problem_solve(switching *o, ns_sw_problem *k, const double *lb, const double *ub);

/* ---- switching_jump.c ------------------------------------------------------------------------ */
int ns_sw_jump_create(switching *o, ns_ctx *c);
/* Memory of a problem of n rows (`what` in a sentence), and its solver for such bounds, once they
 * stand. */
int ns_sw_problem_get(switching *o, ns_ctx *c, ns_sw_problem *j, size_t n, const char *what);
int ns_sw_problem_solver(ns_ctx *c, ns_sw_problem *j, double tol, const double *lb,
                         const double *ub);
void ns_sw_problems_destroy(switching *o); /* that of the probe, too */
/* The state that was output last, onto laws that it contradicts; rows that give an impulse take
 * part in the event. direct: rows with D may have to, too. */
int ns_sw_jump_state(switching *o, int direct);

/* ---- switching_event.c ----------------------------------------------------------------------- */
/* The event at the state, fired[] being the rows whose root it is; the flow is ready for more after
 * it. */
int ns_sw_event(switching *o);
/* The event at a state that was set from outside, or what acts on it, after ns_event_run_keep:
 * offsets of relations are renewed. rows: the rows of both sides are recorded here, not by who
 * has set it. */
int ns_sw_changed(switching *o, int rows);
void ns_sw_event_over(void *of); /* ns_event_family.over */
/* After a row of the grid: put back what is held where it has drifted. */
int ns_sw_correct_drift(switching *o);

/* ---- switching_certificate.c ----------------------------------------------------------------- */
int ns_sw_certificate_create(switching *o, ns_ctx *c);
/* Laws of the mode at x, where ns_sw_rate was evaluated last; x is known to within `error`. */
int ns_sw_laws(void *self, double t, const double *x, double error, ns_breach *worst);
/* Laws of the state that was output last; what the event that led to it did. */
int ns_sw_certify_row(switching *o);
int ns_sw_certify_event(switching *o);

/* ---- switching_output.c ---------------------------------------------------------------------- */
/* y, lambda, r and rates of the state. */
int ns_sw_output(switching *o);
/* The row whose law the state that was output violates most, beyond tolerance and rounding; -1:
 * none. */
int ns_sw_broken(const switching *o);
/* Several motions go on from here: the line in the table. */
int ns_sw_report_branch(switching *o);
/* ns_event_family.decided, .tell. */
int ns_sw_decided(void *of, int *some);
int ns_sw_tell(void *of);

static inline int ns_sw_is_equality(const switching *o, int r)
{
  return o->x->mode[r] == NS_SIDE_BETWEEN;
}

/* +1 where y is above its surface in the mode of the row, -1 below. */
static inline double ns_sw_over(const switching *o, int r)
{
  return o->x->mode[r] == NS_SIDE_UPPER ? -1 : 1;
}

/* Terms that y of a linear relation is the sum of. */
static inline double ns_sw_size(const switching *o, int r, const double *x, const double *lambda)
{
  return fabs(o->k->offset[r]) + ns_rows_size(&o->k->C, r, x) + ns_rows_size(&o->k->D, r, lambda);
}

/* Up to which |y| is on its surface: rounding of its terms has no say, wherever coordinates begin.
 * */
static inline double ns_sw_touch(const switching *o, int r)
{
  return o->opt->gap_tol + 64 * DBL_EPSILON * ns_sw_size(o, r, o->x->q, o->x->lambda);
}

/* Up to which y counts as held. */
static inline double ns_sw_near(const switching *o, int r, const double *x, const double *lambda)
{
  return o->opt->gap_tol + 1e-6 * ns_sw_size(o, r, x, lambda);
}

/* To which roots are found at the time of the state, s. */
static inline double ns_sw_within(const switching *o)
{
  return 1000 * DBL_EPSILON * (fabs(*o->x->t) + o->m->sim.ts.h);
}

/* Why row r has no solution (ns_interaction.row_faults); NULL: not known. */
const char *ns_sw_fault(const switching *o, int r);

#endif
