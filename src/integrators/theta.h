/* SPDX-License-Identifier: GPL-3.0-or-later */
/* theta.h -- the theta scheme for systems of any kind that formulas couple: one iteration matrix
 * per group.
 *
 *   R_i(u) = M_i (u_i - u_i,k) - h [theta_i F_i(s_k+1) + (1 - theta_i) F_i(s_k)] = impulses
 *
 * with s = (t, q, v, x) of all systems. u_i is the velocity of a second-order system, q_i = q_i,k +
 * h (theta_i v_i + (1 - theta_i) v_i,k) follows from it, or the state x_i of a first-order one. A
 * formula of i that reads system j (model/foreign.h) contributes
 *
 *   W_ij = - h theta_i (dF_i/dv_j + h theta_j dF_i/dq_j)    of a second-order j
 *   W_ij = - h theta_i dF_i/dx_j                            of a first-order one
 *
 * (for a body in space, h theta_j T(q_j) replaces h theta_j). Systems that are coupled by such
 * formulas, or by the inputs K of relations, form one group with one dense W (Moreau 1988; Acary &
 * Brogliato 2008, chapters 9 and 10, for each kind separately). W of a skew coupling, such as a
 * motor, is not symmetric, but u^T W u > 0. Multipliers are impulses, z = integral of lambda over
 * the step, for every kind: the gain of a row is W^-1 times its input.
 *
 * Inputs r of relations on a first-order system, A its Jacobian:
 *
 *   Euler-Moreau, standard   h [gamma r_k+1 + (1-gamma) r_k]   relations at the end of the step
 *   Euler-Moreau, full       h r                at t_k + gamma h, x_k + gamma (x - x_k)
 *   zero-order hold          x = x_free + Gamma r              at the end of the step
 *
 * M(t) of first-order systems is evaluated at t_k + theta h; at the end of the step it would reduce
 * the order to 1. A control u uses the rate of the previous step, which avoids an algebraic loop.
 * A system whose matrices are constant and which no formula or K couples, and one under a
 * zero-order hold, have separate steps, by matrices computed once (linear_step.h); what a system
 * under a zero-order hold reads of others is constant over the step, as its inputs are
 * [Moreau1977], [Acary2008].
 *
 * Rigid bodies come after the others (model/part.h): their forces, motion and W are those of
 * rigid_motion.h, which works on the vectors stored here. Prescribed velocities are not unknowns:
 * their rows and columns in W are those of the identity, their effect on the others is part of the
 * residual, and the impulse that enforces them is the residual of their rows (x->support).
 *
 *   begin      F_k; the iterate u becomes u_k
 *   loop:      linearise, free, [driver: one-step problem, set], residual
 *   commit     accept; nothing is written to the state before
 *
 * Vectors [nv] by the places of velocities, q [nq]. SI units. Nothing but create allocates, and
 * begin for a zero-order hold with another h.
 *
 * [Moreau1977] J. Diff. Eq. 26:347-374, doi:10.1016/0022-0396(77)90085-7
 * [Acary2008]  Acary & Brogliato, Numerical methods for nonsmooth dynamical systems, LNACM 35 */
#ifndef NS_INTEGRATORS_THETA_H
#define NS_INTEGRATORS_THETA_H

#include "integrators/groups.h"
#include "integrators/integrator.h"
#include "integrators/rigid_motion.h"
#include "integrators/sparse_step.h"
#include "model/check/diagnose.h"

typedef struct ns_theta ns_theta;

/* View for the driver, borrowed; addresses do not change during a run. */
typedef struct ns_theta_view {
  const double *q; /* the iterate: positions and states [nq] */
  /* velocities; of first-order systems the rate at the end of the last step [nv] */
  const double *v;
  /* weight of the end of a step in inputs of first-order systems; 1 for others [nv] */
  const double *after;
  /* how positions and states follow u where relations are evaluated: h theta of second-order
   * systems, `where` of first-order ones [nv] */
  const double *lever;
  /* relations are evaluated at (1 - where) x_k + where x, where < 1 in the full theta-gamma scheme
   * alone */
  double where;
  const ns_rate_groups *groups;
  int linear; /* every system is of first order with f = A(t,z) x + b, which reads no other one */
} ns_theta_view;

/* Integrators of first-order systems that are cases of it; ends with a name NULL. */
typedef struct ns_theta_scheme {
  const char *name; /* XML element */
  const char *help; /* one line, for `nssim list schemes` */
} ns_theta_scheme;
extern const ns_theta_scheme ns_theta_schemes[];

/* bodies: the motion of the rigid bodies, which uses memory of *out from now on; of_bodies: the
 * state of that part. Both NULL: there are no bodies. Both outlive *out. */
int ns_theta_create(ns_ctx *c, const ns_model *m, ns_rigid_motion *bodies,
                    const ns_state *of_bodies, ns_theta **out);
/* For first-order systems with constant matrices that nothing couples but rows: the driver solves
 *     W x+ = b + gain r   (ns_theta_matrix)
 * with its rows, and no memory of size nq^2 is allocated. */
int ns_theta_create_sparse(ns_ctx *c, const ns_model *m, ns_theta **out);
void ns_theta_info(const ns_theta *o, ns_integrator_info *info);
/* W [nq x nq] of _create_sparse, every dim 1, and the factor of r. */
const ns_blocks *ns_theta_matrix(const ns_theta *o, double *gain);
void ns_theta_destroy(ns_theta *o); /* NULL-safe */
size_t ns_theta_bytes(const ns_theta *o);
ns_theta_view ns_theta_look(const ns_theta *o);
/* Derivatives of a variable read by formulas with respect to entries of u at the iterate: indices
 * `entry`, values `by`. Returns their number, which is constant. */
enum { NS_THETA_MOVES = NS_DRIVE_WIDTH };
int ns_theta_moves(const ns_theta *o, const ns_foreign_variable *v, int entry[NS_THETA_MOVES],
                   double by[NS_THETA_MOVES]);
/* Compute F, rates and energies at the state x and write them to x: f, v of first-order systems,
 * energies of x->cert (energy0 if `first`). */
int ns_theta_start(ns_theta *o, ns_ctx *c, ns_state *x, int first);
int ns_theta_begin(ns_theta *o, ns_ctx *c, const ns_state *x, double t1, double h);
double ns_theta_time(const ns_theta *o); /* when relations are evaluated in this step */
/* Compute derivatives and W at the iterate; K [nk]: derivatives of inputs of relations with respect
 * to the state. *changed = 1 if some W has changed. */
int ns_theta_linearise(ns_theta *o, ns_ctx *c, const ns_rate_tangent *K, int nk, int *changed);
/* u without contacts: the free velocities and states, with only these impulses [nv]; NULL: none. Of
 * _create_sparse the right-hand side b. */
void ns_theta_free(ns_theta *o, const double *impulse, double *u);
/* B := W_g^-1 B for group g of the ns_theta of; B [size x nrhs] by columns. Entries of prescribed
 * velocities become 0. */
void ns_theta_gain(const void *of, int g, int nrhs, double *B);
/* B := the change of u by inputs B on first-order systems, W_g^-1 h after B. */
void ns_theta_input_gain(const void *of, int g, int nrhs, double *B);
/* u += the change of u by inputs [nv] on first-order systems. */
void ns_theta_push(const ns_theta *o, const double *input, double *u);
/* Set the new iterate u. */
void ns_theta_set(ns_theta *o, const double *u);
/* Update forces after a change of the positions of the iterate. */
void ns_theta_moved(ns_theta *o);
/* Residual of the equations of motion at the iterate with the impulses p of mechanics and the
 * inputs r of first-order relations [nv], which are forces on mechanical systems (p NULL: there are
 * none): max over systems
 * of |R - impulses| / (atol + rtol (|M du| + h |F| + |impulses|) + rounding), 2-norms over a
 * system; with `apart` the largest over the equations of a system of first order, whose states have
 * units of their own. w: receives the contribution of each system; may be NULL. */
int ns_theta_residual(ns_theta *o, ns_ctx *c, const double *p, const double *r, int apart,
                      double *residual, ns_suspect *w);
/* The same of the iterate u, but for what rounding of u makes of the equations: each entry of R by
 * as much as R changes where entries of u go to the numbers next to them. That is more than the
 * tolerance where formulas have no slope, as sqrt(abs(h1 - h2)) of levels that meet. 2 nv
 * evaluations, of models without bodies that are not sparse; near [nv]: scratch, u in the end. */
int ns_theta_residual_to_rounding(ns_theta *o, ns_ctx *c, const double *u, double *near,
                                  const double *p, const double *r, double *residual);
/* Write the iterate to x: q, v, f, p (p + h r; r for first-order systems), t, energies and work of
 * forces. NS_NUMERIC: not finite; x is unchanged. */
int ns_theta_commit(ns_theta *o, ns_ctx *c, ns_state *x, const double *p, const double *r);
/* What passes from step to step and is not in the state. */
void ns_theta_save(const ns_theta *o, ns_blob *b);
void ns_theta_restore(ns_theta *o, ns_blob *b);

#endif
