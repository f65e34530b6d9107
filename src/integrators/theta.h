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
 * Rigid bodies come after the others (model/part.h): their forces, motion and W are those of
 * rigid_motion.h, which works on the vectors stored here. Prescribed velocities are not unknowns:
 * their rows and columns in W are those of the identity, their effect on the others is part of the
 * residual, and the impulse that enforces them is the residual of their rows (x->support).
 *
 *   begin      F_k; the iterate u becomes u_k
 *   loop:      linearise, free, [driver: one-step problem, set], residual
 *   commit     accept; nothing is written to the state before
 *
 * Vectors [nv] by the places of velocities, q [nq]. SI units. Nothing but create allocates. */
#ifndef NS_INTEGRATORS_THETA_H
#define NS_INTEGRATORS_THETA_H

#include "integrators/rate.h"
#include "integrators/rigid_motion.h"

typedef struct ns_theta ns_theta;

/* View for the driver, borrowed; addresses do not change during a run. */
typedef struct ns_theta_view {
  const double *q; /* the iterate: positions and states [nq] */
  /* velocities; of first-order systems the rate at the end of the last step [nv] */
  const double *v;
  /* weight of the end of a step in inputs of first-order systems; 1 for others [nv] */
  const double *gamma;
  /* d position / d velocity in a step, h theta; 1 for first-order systems [nv] */
  const double *lever;
  const ns_rate_groups *groups;
} ns_theta_view;

/* bodies: the motion of the rigid bodies, which uses memory of *out from now on; of_bodies: the
 * state of that part. Both NULL: there are no bodies. Both outlive *out. */
int ns_theta_create(ns_ctx *c, const ns_model *m, ns_rigid_motion *bodies,
                    const ns_state *of_bodies, ns_theta **out);
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
/* Compute derivatives and W at the iterate; K [nk]: derivatives of inputs of relations with respect
 * to the state. *changed = 1 if some W has changed. */
int ns_theta_linearise(ns_theta *o, ns_ctx *c, const ns_rate_tangent *K, int nk, int *changed);
/* u without contacts: the free velocities and states, with only these impulses [nv]; NULL: none. */
void ns_theta_free(ns_theta *o, const double *impulse, double *u);
/* B := W_g^-1 B for group g of the ns_theta of; B [size x nrhs] by columns. Entries of prescribed
 * velocities become 0. */
void ns_theta_gain(const void *of, int g, int nrhs, double *B);
/* Set the new iterate u. */
void ns_theta_set(ns_theta *o, const double *u);
/* Update forces after a change of the positions of the iterate. */
void ns_theta_moved(ns_theta *o);
/* Residual of the equations of motion at the iterate with the impulses p of mechanics and the
 * inputs r of first-order relations [nv], which are forces on mechanical systems: max over systems
 * of |R - impulses| / (atol + rtol (|M du| + h |F| + |impulses|) + rounding), 2-norms over a
 * system. w: receives the contribution of each system; may be NULL. */
int ns_theta_residual(ns_theta *o, ns_ctx *c, const double *p, const double *r, double *residual,
                      ns_suspect *w);
/* Write the iterate to x: q, v, f, p (p + h r; r for first-order systems), t, energies and work of
 * forces. NS_NUMERIC: not finite; x is unchanged. */
int ns_theta_commit(ns_theta *o, ns_ctx *c, ns_state *x, const double *p, const double *r);

#endif
