/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switching_parts.h -- private to switching*.c.
 *
 *   switching.c         memory, the step of the grid
 *   switching_motion.c  rate and multipliers of a mode at a point
 *   switching_flow.c    the smooth motion and its roots
 *   switching_mode.c    search for the next mode at a point
 *   switching_probe.c   modes of all rows at once
 *   switching_jump.c    jumps of states that violate their laws
 *   switching_event.c   events
 *   switching_user.c    events of the user
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
#include "simulation/rows/held.h"
#include "simulation/step/controls.h"
#include "simulation/step/user_events.h"

#include <float.h>

/* The motion of a mode at a point. */
typedef struct ns_motion {
  double *lambda, *y; /* [nrows] */
  double *lb, *ub;    /* bounds there [nrows] */
  double *r, *v;      /* input; rate M^-1 (f + r) [nq] */
  double *x;          /* where, if it is not that of the caller [nq] */
} ns_motion;

enum { NS_SW_POINTS = 4 };   /* the point of a decision, two after it, one between them */
enum { NS_SW_BRANCHES = 8 }; /* different motions that are told apart; more are more */

/* Search for a mode. */
typedef struct ns_sw_search {
  unsigned char *ask;   /* rows that take part in the event [nrows] */
  unsigned char *drawn; /* rows that no motion suited, though they did not take part [nrows] */
  /* y of rows that have come to 0: what root finding and drift leave of it [nrows] */
  double *reach;
  unsigned char *was;          /* modes before [nrows] */
  unsigned char *base;         /* modes of rows that do not take part [nrows] */
  unsigned char *best;         /* of those found [nrows] */
  unsigned char *asked, *kept; /* ask and base while others are tried [nrows] */
  int moved;                   /* the motion that was tried last could be evaluated */
  int *row;                    /* rows that are asked [nrows] */
  int nrows;
  int told;       /* the row that events with several motions are told of */
  double delta;   /* s: of the steps that tell derivatives */
  double shorter; /* part of their usual length: signs change soon after the event */
  int sharp;      /* small slopes of rows that fired tell, see slope_noise */
  double *size;   /* terms that y is the sum of [nrows] */
  double *force;  /* the same of lambda of held rows [nrows] */
  double *slope;  /* y' of rows without D; 0 of the others [nrows] */
  double *share;  /* tolerance of lambda per that of y [nrows] */
  /* where the motions that were found have come to after two steps, less x [BRANCHES x nq] */
  double *move;
  int branches; /* different motions found */
  int rank[2];  /* of the best: rows changed, rows held */
} ns_sw_search;

/* A problem of some rows: impulses of a jump, or multipliers of a short step. */
typedef struct ns_sw_problem {
  int n, *row;                     /* those rows */
  double *M, *q, *p, *w, *lb, *ub; /* [n x n], then [n] each */
  double *scale, size;             /* the multiplier of a row is p by scale [n] and size */
  int coupled;                     /* D is in M, maybe singular: of many solutions the shortest */
  int solved;                      /* p is a solution */
  const ns_avi_solver_ops *ops;    /* NULL: there are none */
  void *solver;
  int made; /* jump: p is that of the event that is under way */
} ns_sw_problem;

typedef struct switching {
  ns_event_run run; /* first */
  const ns_model *m;
  ns_state *x;
  const ns_event_driven_options *opt;
  ns_flow_problem problem;
  rate_base base;
  int based; /* base was initialised */
  ns_couplings *k;
  ns_arena *mem;
  int begun;           /* the modes stand, the flow is ready */
  int untold;          /* several motions went on from t0, which is told in the first step */
  int timed;           /* some relation depends on time itself */
  int differencing;    /* relations are looked at about the time `about` of a state, which stays */
  double about;        /* s */
  int forced;          /* some formula of a field does */
  double *range;       /* of y by t alone, over the run; 0: t does not move it [nrows] */
  double *field_range; /* the same of fields [nq] */
  double tau,
      tau_f; /* s: in which the quickest of rows, of fields goes through it; INFINITY: none moves */
  /* states that are velocities of mechanics, the last ones; their rates under some forces, and
   * without them [nimages] */
  size_t nimages;
  double *pushed, *unpushed;
  int fixed;    /* masses and tangents are constant */
  int factored; /* held is that of the mode; only where fixed */
  int bad;      /* unknown that was not finite when the motion was last evaluated, -1 */
  int lapsed;   /* it, or an output, was not at some time: */
  double bad_t, *bad_x, *bad_lambda; /* where it was so last [nq], [nrows] */
  double *lb, *ub;                   /* bounds of all rows where it was last evaluated [nrows] */
  unsigned char *varies;             /* those of a row are formulas [nrows] */
  int laws_vary;                     /* some are */
  double *law_range;                 /* of lb + ub by t alone, over the run; 0: none [nrows] */
  double *still;                     /* zeros [nrows] */
  double *unknown, *atol;            /* [nq + 1] */
  double *f, *zero, *b;              /* field; zeros; scratch [nq] */
  double *drift;                     /* dy/dt at fixed x and lambda [nrows] */
  double *stencil;                   /* scratch: y, or slopes of rows [nrows] */
  double *times;                     /* y at five times around [5 nrows] */
  double *rhs;                       /* [nrows] */
  double *step;                      /* of Newton's method for held rows [nrows] */
  ns_motion at[NS_SW_POINTS];
  ns_held held; /* what holds the rows of the mode */
  int *holds;   /* those rows [nrows] */
  int *place;   /* where a held row stands among them [nrows] */
  /* of held rows: 0 y is solved for, 1 the derivative of a combination of held rows is [nrows] */
  unsigned char *degree;
  double *combine;       /* weights of those combinations, by columns [held.n x held.n] */
  unsigned char *direct; /* rows with some D [nrows] */
  /* largest y' that no multiplier could make 0 when the motion was last evaluated, by its tolerance
   */
  double loose;
  double extent; /* 1-norm of x where it was largest */
  /* roots of rows off their surface are at this y beyond it: more than rounding left there [nrows]
   */
  double *below;
  signed char *direction; /* of roots [2 nrows + nuser] */
  int nsteady;            /* roots of rows: 2 nrows */
  ns_step_roots dips;      /* of rows */
  double *within;         /* scratch: unknowns within a step [nq + 2] */
  ns_sw_search search;
  ns_sw_problem jump, probe;
  long long leaps; /* rows that made the state jump */
  double *change;  /* of the state, by impulses: for the certificate [nq] */
  /* events of the user */
  double *observed; /* observables where the flow tries [nobservables] */
  /* of the event that is under way */
  void *before;          /* copy of the state [x->bytes] */
  unsigned char *fired;  /* rows whose root it is [nrows] */
  double *entered;       /* the state that it found, after what others set [nq] */
  double *outside;       /* y before the state jumped [nrows] */
  int rows;              /* both of its rows are to be recorded */
  unsigned char *ending; /* rows that are held as the end of a series of switches [nrows] */
  long long choices;     /* events with more than one motion */
  long long jumps;       /* points of the grid where a law was found broken */
} switching;

/* ---- switching.c ----------------------------------------------------------------------------- */
/* The run of a model, which is a part of `host` (NULL: of none). */
int ns_sw_create(ns_ctx *c, const ns_model *m, ns_state *x, const ns_event_host *host,
                 ns_plan *plan, void **self);

/* ---- switching_motion.c ---------------------------------------------------------------------- */
/* What formulas read of other systems at (t, x). */
static inline ns_others ns_sw_others(const switching *o, double t, const double *x)
{
  const ns_event_host *host = o->run.host;
  return host ? host->others(host->of, t, x, NULL) : (ns_others){0};
}

/* v = M(t)^-1 (f + r) at x; images move as the host tells. > 0: cannot be evaluated there. */
int ns_sw_rates(switching *o, double t, const double *x, const double *f, const double *r,
                double *v);
/* o->b: impulses to jumps of x. */
int ns_sw_leap(switching *o);
/* lambda of row r has one value, whichever mode it is in. */
static inline int ns_sw_is_given(const switching *o, int r)
{
  return o->lb[r] == o->ub[r] && !o->varies[r];
}
/* The motion of the modes in the state's `mode` at (t, x). > 0: cannot be evaluated there; < 0
 * fatal. */
int ns_sw_motion(switching *o, double t, const double *x, ns_motion *p);
/* How t moves rows, for flows and differences; once relations and bounds stand. */
int ns_sw_time_ranges(switching *o);
/* w' (above) along a motion. */
double ns_sw_moved_by_time(const switching *o, const ns_motion *p);
/* y' of a row that has no D, along that motion. */
double ns_sw_slope(const switching *o, int r, const ns_motion *p);
/* o->b = M(t)^-1 B of row r at x. */
int ns_sw_response(switching *o, double t, const double *x, int r);
/* The modes have changed. */
void ns_sw_forget(switching *o);
/* The gradient of row r is a combination of those of held rows: these move its y with theirs. */
int ns_sw_depends(switching *o, int r);
/* x to y = 0 of held rows of degree 1, by the smallest change; by impulses of the held rows, to
 * those of `impulse` [nrows]. */
int ns_sw_project(switching *o);
int ns_sw_strike(switching *o, double *impulse);

/* ---- switching_flow.c ------------------------------------------------------------------------ */
int ns_sw_rate(void *self, double t, const double *x, double *f);
int ns_sw_roots(void *self, double t, const double *x, double *g);
/* Those of the rows alone [2 nrows]. */
int ns_sw_row_roots(switching *o, double t, const double *x, double *g);
/* The same within the last step of the flow (ns_step_roots.look). */
int ns_sw_look_within(void *self, double t, double *g);
const char *ns_sw_unknown_place(void *self, size_t i, char *buf);
/* The sentence of what was not finite when the motion was last evaluated. */
int ns_sw_blame(void *self, ns_ctx *c, double t, const double *x, double within);
const char *ns_sw_name(void *self, size_t i, char *buf, size_t size);
/* Begin the flow anew from the state, y being that of it; with the same roots as before. */
int ns_sw_restart(switching *o);
int ns_sw_resume(switching *o);

/* ---- switching_mode.c ------------------------------------------------------------------------ */
int ns_sw_search_create(switching *o);
/* Modes of rows without D by the sign of y, where it has one: at t0, and after the state was set.
 */
int ns_sw_guess(switching *o);
/* The next modes at the state; search.ask says which rows take part. Where no motion goes on the
 * run ends. */
int ns_sw_decide(switching *o);
/* The same of these rows alone, and of the complementarity problem of all; *found 0: the modes
 * stay. */
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
/* The state is that before an event, from which `before` is kept. */
int ns_sw_keep(switching *o);
/* The event at a state that was set from outside, or what acts on it, after ns_sw_keep: offsets of
 * relations are renewed. rows: the rows of both sides are recorded here, not by who has set it. */
int ns_sw_changed(switching *o, int rows);
/* After a row of the grid: put back what is held where it has drifted. */
int ns_sw_mend(switching *o);

/* ---- switching_user.c ------------------------------------------------------------------------ */
/* g [nuser] at x, where the motion is at[0]. */
int ns_sw_user_roots(switching *o, double t, const double *x, double *g);

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
int ns_sw_tell_branch(switching *o);
/* Both rows of an event that changed something, and its lines in the table. */
int ns_sw_record(switching *o);

static inline int ns_sw_is_held(const switching *o, int r)
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

/* "file.xml:3: <interaction id="d">" of a row; buf [512]. */
const char *ns_sw_place(const switching *o, int r, char *buf);
/* Why row r has no solution (ns_interaction.row_faults); NULL: not known. */
const char *ns_sw_fault(const switching *o, int r);

#endif
