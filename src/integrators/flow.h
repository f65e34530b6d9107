/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flow.h -- smooth motion between events: integrators of x' = f(t, x) that find roots, as tables of
 * operations.
 *
 * The driver (simulation/events/event_run.h) owns modes and events; a flow owns steps, their error,
 * dense output and roots. Between events f is smooth. Any change of f is an event, after which the
 * flow is restarted.
 *
 *   restart   start from (t, x): discard history and order, set the directions of roots
 *   advance   integrate to `end`, to the first root before it, or, if the problem requests it, to
 *             the end of the next step
 *   dense     evaluate x or a derivative inside the last step
 *
 * t in s. Functions return 0 on success, < 0 on a fatal error, whose message is in the context.
 * Only `create` allocates. */
#ifndef NS_INTEGRATORS_FLOW_H
#define NS_INTEGRATORS_FLOW_H

#include "base/blob.h"
#include "base/context.h"
#include "model/model.h"

#include <stddef.h>

#define NS_FLOW_FREE 1e300
enum { NS_FLOW_PLACE = 512 };

/* Sparsity pattern of df/dx by columns, borrowed. It includes the whole diagonal, so that a I + b
 * df/dx has the same pattern. */
typedef struct ns_flow_structure {
  const int *ptr; /* column j: ptr[j] .. ptr[j+1) [n+1] */
  const int *row; /* ascending in a column [ptr[n]] */
} ns_flow_structure;

/* Constraints that the motion satisfies, for flows that integrate them as equations; for the other
 * flows, `rate` contains the constraint forces. With the multipliers lambda, and mu, which is zero
 * except for rounding and keeps positions on the constraints,
 *
 *   x' = f(t, x, lambda, mu),   0 = y(t, x),   0 = ydot(t, x),   0 = yddot(t, x, lambda)
 *
 * Rows that constrain only velocities have no y. */
typedef struct ns_flow_constraints {
  size_t max; /* max. number of rows at any time */
  /* Called after a restart at (t, x), where x satisfies the constraints. Returns the linearly
   * independent rows that are active from now on: *rows, and *positions, the number of those with a
   * y, which come first. Also computes lambda [rows] and x' in f [n]. */
  int (*hold)(void *of, double t, const double *x, size_t *rows, size_t *positions, double *lambda,
              double *f);
  /* f [n]; y [positions], ydot [rows] and yddot [rows] where not NULL. Return codes as of
   * `rate`. */
  int (*motion)(void *of, double t, const double *x, const double *lambda, const double *mu,
                double *f, double *y, double *ydot, double *yddot);
} ns_flow_constraints;

/* The equations to integrate; borrowed, outlives the flow. */
typedef struct ns_flow_problem {
  void *of; /* passed to the functions */
  size_t n; /* unknowns */
  int nroots;
  const ns_event_driven_options *options; /* tolerances, method, max. step */
  /* absolute tolerance of each unknown [n], read again after each restart. NS_FLOW_FREE: the
   * unknown does not affect the step length, and f does not depend on it */
  const double *atol;
  double min_step; /* min. step, s: a shorter one would not change t */
  /* min. first step after a restart, s; CVODE chooses its very first step freely, and that after a
   * change of its method. Shorter first steps, as for unknowns at 0, would move roots by rounding
   * only. 0: none */
  double first_step;
  /* max. first step after the next restart, s; read by flows that choose their steps. 0: none */
  double longest_first;
  /* 1: after the next restart the motion is damped at rates far above its own; flows that choose
   * between an explicit and a stiff method begin with the stiff one */
  int begins_stiff;
  /* max. error of q in a step, m, if that is smaller than the tolerances; read by cvode.c and
   * ida.c. 0: only the tolerances count */
  double coarsest;
  const ns_flow_constraints *constraints; /* NULL: none */
  double grid;                            /* interval between recorded rows, s */
  double stride; /* max. step, s, so that no step skips a short force. 0: none */
  /* 1: advance also returns at the end of each step, so that dense output covers the whole step */
  int each_step;
  /* f [n]. Returns 0; > 0 if f cannot be evaluated at (t, x), where a smaller step may help; < 0 on
   * a fatal error, whose message `of` has. */
  int (*rate)(void *of, double t, const double *x, double *f);
  /* g [nroots]. Return codes as of `rate`. After a root the functions are evaluated there again,
   * because their meaning may have changed. */
  int (*roots)(void *of, double t, const double *x, double *g);
  /* Called after each step for (from, to], the part of it not yet inspected, which dense output
   * covers. Returns 1 if there is a root in it that the signs of g at both ends do not show, with
   * its time in *root; 0 if there is none; < 0 on a fatal error. NULL: no inspection. Only flows
   * with `inspects` call it. */
  int (*inspect)(void *of, double from, double to, double *root);
  /* Name of unknown i for messages; written to buf if it has to be composed. */
  const char *(*name)(void *of, size_t i, char *buf, size_t size);
  /* Place of the element that has unknown i, written to buf [NS_FLOW_PLACE]; NULL: there are no
   * elements. */
  const char *(*place)(void *of, size_t i, char *buf);
  /* Called if the flow cannot continue: fails with the message that names what is not finite at (t,
   * x), or was not when `rate` last could not be evaluated within `within` s of t. NS_OK:
   * everything is finite. NULL: not available. */
  int (*blame)(void *of, ns_ctx *c, double t, const double *x, double within);
  size_t ncoord; /* x = (q [ncoord], v, rest); 0: x is not known to have this form */
  int curved;    /* 1: q' = T(q) v; 0: q' = v [ncoord] */
  /* q is measured from this point, whose size determines rounding errors of q; NULL: 0 [ncoord] */
  const double *origin;
  ns_flow_structure structure; /* of `jacobian`; ptr NULL: unknown */
  /* df/dx in that structure, for Newton's method; NULL: flows use finite differences of f. Rates of
   * `rest` may be omitted if no other rate depends on `rest`: these unknowns then lag by one
   * iteration. Adds the number of evaluations of f to *rates. Return codes as of `rate`. */
  int (*jacobian)(void *of, double t, const double *x, double *value, long long *rates);
  /* Without `jacobian`: parts of the unknowns whose rates depend on their own unknowns alone. Sets
   * the part of each [n], -1 of those on which no rate depends, which then lag as above. Returns
   * the number of parts. Differences displace unknowns of all of them at once. NULL: one part. */
  int (*parts)(void *of, int *part);
  /* 1 if df/dx at x, where f has just been evaluated, is so different from that at x0 that Newton's
   * method with the latter would converge slowly or stop early. NULL: the flow decides alone. */
  int (*outdates)(void *of, const double *x0, const double *x);
} ns_flow_problem;

/* Why advance returned. SWITCH: a formula changes its branch; only from flows of
 * simulation/events/branches.h. */
typedef enum ns_flow_end { NS_FLOW_REACHED, NS_FLOW_ROOT, NS_FLOW_SWITCH } ns_flow_end;

/* Work since `create`. */
typedef struct ns_flow_work {
  long long steps, rates, roots, restarts, error_failures, convergence_failures;
  long long jacobians, jacobian_rates; /* evaluations of f for Jacobians, also counted in `rates` */
} ns_flow_work;

/* Max. step, s. If steps are not inspected (looks = 0) and each step ends an advance, a pair of
 * roots within one step is missed; steps are then limited to the interval between recorded rows. */
double ns_flow_longest_step(const ns_flow_problem *p, int looks);
/* Max. error of coordinate i in a step by p->coarsest, m, but not less than its rounding. */
double ns_flow_coarsest(const ns_flow_problem *p, size_t i);
/* w += more. */
void ns_flow_work_add(ns_flow_work *w, const ns_flow_work *more);
/* The failure after a function of the problem returned rc < 0 at t: returns rc if c has its
 * message, otherwise adds one. */
int ns_flow_refused(ns_ctx *c, int rc, double t);
/* Beginning of a message about unknown i, such as "m.xml:4: <LagrangianDS id="ball">: ", written to
 * buf [NS_FLOW_PLACE]. */
const char *ns_flow_at(const ns_flow_problem *p, size_t i, char *buf);
/* The failure if `rate` returns > 0 where the integrator cannot avoid the evaluation; does: what it
 * cannot do ("cannot begin"). */
int ns_flow_cannot(const ns_flow_problem *p, ns_ctx *c, const char *integrator, const char *does,
                   double t, const double *x);
/* Fails with the message of ns_flow_problem.blame if it finds a cause; otherwise returns NS_OK. */
int ns_flow_blame(const ns_flow_problem *p, ns_ctx *c, double t, const double *x);

typedef struct ns_flow_ops {
  const char *name; /* XML element */
  const char *help;
  int (*create)(ns_ctx *c, const ns_flow_problem *p, void **self);
  /* direction [nroots]: +1 rising roots only, -1 falling, 0 both. */
  int (*restart)(void *self, ns_ctx *c, double t, const double *x, const signed char *direction);
  /* Integrate to `end` or, with each_step, less far; f is not evaluated beyond `stop` (>= end).
   * Out: the time *t reached and x [n] there; after a failure, the last valid point. */
  int (*advance)(void *self, ns_ctx *c, double end, double stop, double *t, double *x,
                 ns_flow_end *why);
  /* After NS_FLOW_ROOT: +1 rising root, -1 falling root, 0 no root [nroots]. */
  const int *(*fired)(const void *self);
  /* Derivative k of x at t, which is in [*from, *to] of `span`, the last step. */
  int (*dense)(void *self, ns_ctx *c, double t, int k, double *x);
  void (*span)(const void *self, double *from, double *to);
  void (*work)(const void *self, ns_flow_work *w);
  void (*destroy)(void *self); /* NULL-safe */
  /* Data that a restart does not set: saved just after a restart, and restored just before that
   * restart is repeated. */
  const ns_memory *memory;
  /* 1 if the flow uses df/dx with these options; NULL: never. */
  int (*newton)(const ns_event_driven_options *e);
  /* 1 if the flow currently integrates constraints of positions as equations; NULL: never. */
  int (*keeps)(const void *self);
  /* 1 if steps have a fixed length with these options and no tolerance controls them: the user has
   * to check the accuracy. NULL: never. */
  int (*fixed)(const ns_event_driven_options *e);
  /* First step after a restart that is made now, s; 0: unknown. NULL: always unknown. */
  double (*first)(const void *self);
  int inspects; /* 1: it calls `inspect` */
} ns_flow_ops;

/* Registry; ends with NULL. */
extern const ns_flow_ops *const ns_flows[];
const ns_flow_ops *ns_flow_find(const char *name); /* NULL if there is none */
/* The flow named by the model. NS_MODEL: there is none of this name. */
int ns_flow_of_model(ns_ctx *c, const ns_model *m, const ns_flow_ops **ops);

/* 1 if ops->fixed says that steps have a fixed length. */
int ns_flow_is_fixed(const ns_flow_ops *ops, const ns_event_driven_options *e);

/* For messages: the unknown with the largest product of error [n] and weight [n], 1/tolerance as in
 * SUNDIALS; a product that is not a number counts as the largest. Unknowns with NS_FLOW_FREE are
 * ignored. *share: the product. */
size_t ns_flow_worst(const ns_flow_problem *p, const double *error, const double *weight,
                     double *share);

#endif
