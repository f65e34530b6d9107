/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flow.h -- smooth motion between events: integrators of x' = f(t, x) that find roots, as tables of
 * operations.
 *
 * The driver (simulation/events/event_run.h) owns modes and events; a flow owns steps, their error,
 * dense output and roots. Between events f is smooth. Any change of f is an event, after which the
 * flow is restarted.
 *
 *   restart   from (t, x): history and order are dropped, roots and their directions set
 *   advance   to `end`, or to the first root before it, or to the end of a step where the problem
 *             requests each
 *   dense     x or a derivative inside the last step
 *
 * t in s. Functions return 0 done, < 0 fatal with a sentence in the context. Nothing but `create`
 * allocates. */
#ifndef NS_INTEGRATORS_FLOW_H
#define NS_INTEGRATORS_FLOW_H

#include "base/blob.h"
#include "base/context.h"
#include "model/model.h"

#include <stddef.h>

#define NS_FLOW_FREE 1e300
enum { NS_FLOW_PLACE = 512 };

/* Where df/dx may have entries, by columns; borrowed. The whole diagonal is there, so that a I + b
 * df/dx fits. */
typedef struct ns_flow_structure {
  const int *ptr; /* column j: ptr[j] .. ptr[j+1) [n+1] */
  const int *row; /* ascending in a column [ptr[n]] */
} ns_flow_structure;

/* Equations that hold in the flow, for tables that integrate them as such; to the others `rate` has
 * them already. With forces lambda of the equations and mu, which is zero but for rounding and
 * keeps positions where they belong,
 *
 *   x' = f(t, x, lambda, mu),   0 = y(t, x),   0 = ydot(t, x),   0 = yddot(t, x, lambda)
 *
 * Some rows restrict velocities alone: they have no y. */
typedef struct ns_flow_constraints {
  size_t most; /* rows at a time, at most */
  /* After a restart: the number of rows that hold from now on, none of which follows from others,
   * and of those that have a y: these come first. Also lambda [rows] and x' [n] at (t, x), which
   * obeys them. */
  int (*hold)(void *of, double t, const double *x, size_t *rows, size_t *positions, double *lambda,
              double *f);
  /* f [n]; y [positions], ydot [rows], yddot [rows] where not NULL. The codes of `rate`. */
  int (*motion)(void *of, double t, const double *x, const double *lambda, const double *mu,
                double *f, double *y, double *ydot, double *yddot);
} ns_flow_constraints;

/* What is integrated; borrowed, outlives the flow. */
typedef struct ns_flow_problem {
  void *of; /* handed to the functions */
  size_t n; /* unknowns */
  int nroots;
  const ns_event_driven_options *options; /* tolerances, method, largest step */
  const double *atol; /* absolute tolerance of each unknown [n], read anew after a restart;
                       * NS_FLOW_FREE: it has no say in the step, and f does not depend on it */
  double min_step;    /* s: below it time does not move */
  double first_step;  /* s: least to begin with after the first restart; shorter ones, as from
                       * unknowns at 0, move roots by  rounding alone. 0: any */
  /* s: longest first step after the restart that comes, of tables that choose their steps; 0: any
   */
  double longest_first;
  /* m: errors of q that tables which choose their steps allow are at most that; 0: whatever
   * tolerances say */
  double coarsest;
  const ns_flow_constraints *constraints; /* NULL: none */
  double grid;                            /* s: distance of the rows that are recorded */
  double stride; /* s: a step is no longer, lest it passes over a force; 0: no bound */
  /* 1: advance also ends where a step does, so that dense output reaches back to where it began */
  int each_step;
  /* f [n]. 0; > 0: cannot be evaluated there, a smaller step may help; < 0: fatal, `of` knows the
   * sentence. */
  int (*rate)(void *of, double t, const double *x, double *f);
  /* g [nroots]; the same codes. After a root they are evaluated there again: from then on they may
   * mean something else. */
  int (*roots)(void *of, double t, const double *x, double *g);
  /* A step has been taken, of which (from, to] is left: 1 where there is a root in between that the
   * signs of g at both ends do not tell, *root its time. < 0: fatal. Dense output reaches there.
   * NULL: nobody looks; tables of fixed steps do not call it. */
  int (*inspect)(void *of, double from, double to, double *root);
  /* Name of unknown i in a sentence; to buf where made. */
  const char *(*name)(void *of, size_t i, char *buf, size_t size);
  /* Place of its element, to buf [NS_FLOW_PLACE]; NULL: there are no elements. */
  const char *(*place)(void *of, size_t i, char *buf);
  /* The flow cannot go on: the sentence of what is not finite at (t, x), or was when `rate` last
   * could not be evaluated, no farther than `within` s from t. NS_OK: nothing is. NULL: nobody
   * knows. */
  int (*blame)(void *of, ns_ctx *c, double t, const double *x, double within);
  size_t ncoord; /* x = (q [ncoord], v, rest); 0: not known to be of this form */
  int curved;    /* 1: q' is a product T(q) v, else it is v [ncoord] */
  /* of q: its unknowns are displacements from there, for sizes of rounding; NULL: 0 [ncoord] */
  const double *origin;
  ns_flow_structure structure; /* of the jacobian; ptr NULL: not known */
  /* df/dx in that structure, for Newton's iteration; NULL: flows difference f. Rates of the rest
   * may be left out where no other rate depends on it: it then lags by one iteration. Adds the
   * evaluations of f that it needed to *rates. The same codes. */
  int (*jacobian)(void *of, double t, const double *x, double *value, long long *rates);
} ns_flow_problem;

/* SWITCH: a formula changes its branch here; only of flows made by simulation/events/branches.h. */
typedef enum ns_flow_end { NS_FLOW_REACHED, NS_FLOW_ROOT, NS_FLOW_SWITCH } ns_flow_end;

/* Work since create. */
typedef struct ns_flow_work {
  long long steps, rates, roots, restarts, error_failures, convergence_failures;
  long long jacobians, jacobian_rates; /* evaluations of f for them, counted in rates, too */
} ns_flow_work;

/* The longest step. Where nobody looks into steps and each ends an advance, roots that come in
 * pairs are seen as far as rows of the output are close: steps are no longer than their distance.
 */
double ns_flow_longest_step(const ns_flow_problem *p, int looks);
/* w += more. */
void ns_flow_work_add(ns_flow_work *w, const ns_flow_work *more);
/* A function of the problem ended the motion with rc < 0 at t: rc where it said why, else a
 * sentence. */
int ns_flow_refused(ns_ctx *c, int rc, double t);
/* Begin of a sentence about unknown i, "m.xml:4: <LagrangianDS id="ball">: ", to buf
 * [NS_FLOW_PLACE]. */
const char *ns_flow_at(const ns_flow_problem *p, size_t i, char *buf);
/* `rate` says > 0 where the integrator has to go on, or does ("cannot begin"): the sentence. */
int ns_flow_cannot(const ns_flow_problem *p, ns_ctx *c, const char *integrator, const char *does,
                   double t, const double *x);
/* Where the cause is known: its sentence. */
int ns_flow_blame(const ns_flow_problem *p, ns_ctx *c, double t, const double *x);

typedef struct ns_flow_ops {
  const char *name; /* XML element */
  const char *help;
  int (*create)(ns_ctx *c, const ns_flow_problem *p, void **self);
  /* direction [nroots]: +1 rising roots only, -1 falling, 0 both. */
  int (*restart)(void *self, ns_ctx *c, double t, const double *x, const signed char *direction);
  /* From where it is to `end`, or less (each_step); f is not evaluated beyond `stop` (>= end). Out:
   * where it came to, x there [n]; also after a failure, where it is the last good point. */
  int (*advance)(void *self, ns_ctx *c, double end, double stop, double *t, double *x,
                 ns_flow_end *why);
  /* After NS_FLOW_ROOT: +1, -1 rising or falling root, 0 none [nroots]. */
  const int *(*fired)(const void *self);
  /* Derivative k of x at t in [*from, *to] of the last step. */
  int (*dense)(void *self, ns_ctx *c, double t, int k, double *x);
  void (*span)(const void *self, double *from, double *to);
  void (*work)(const void *self, ns_flow_work *w);
  void (*destroy)(void *self); /* NULL-safe */
  /* What a restart does not set: saved just after one, restored just before the same one is made
   * again. */
  const ns_memory *memory;
  /* 1 where these options ask for df/dx; NULL: never. */
  int (*newton)(const ns_event_driven_options *e);
  /* 1 where the present flow has constraints of positions as its equations; NULL: never. */
  int (*keeps)(const void *self);
  /* 1: with these options its steps have a length and no tolerance: the motion is theirs to
   * judge who chose it. NULL: never. */
  int (*fixed)(const ns_event_driven_options *e);
  /* Length of the first step after a restart that is made now, s; 0: not known. NULL: never known.
   */
  double (*first)(const void *self);
  int inspects; /* it calls inspect */
} ns_flow_ops;

/* Registry; ends with NULL. */
extern const ns_flow_ops *const ns_flows[];
const ns_flow_ops *ns_flow_find(const char *name); /* NULL where there is none */
/* The one that the model names. NS_MODEL: there is none. */
int ns_flow_of_model(ns_ctx *c, const ns_model *m, const ns_flow_ops **ops);

/* 1: steps of this table have a length and no tolerance. */
int ns_flow_is_fixed(const ns_flow_ops *ops, const ns_event_driven_options *e);

/* For messages: the unknown whose error [n] by its weight [n] is the largest, or no number; *share:
 * that. */
size_t ns_flow_worst(const ns_flow_problem *p, const double *error, const double *weight,
                     double *share);

#endif
