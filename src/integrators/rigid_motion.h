/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_motion.h -- one step of rigid bodies without their contacts: iterate, residual, iteration
 * matrix, energy.
 *
 *   M (v+ - v) = h theta F+ + h (1-theta) F - h g + p,   q+ = q (+) h (theta v+ + (1-theta) v)
 *
 * with q (+) d of model/systems/rigid_body.h and p = H^T r the impulses of contacts and joints. The
 * torque g = Omega x I Omega of a step is computed for each body (ns_gyroscopic) by the theta rule,
 * at the mean angular velocity, or at the beginning of the step. Newton's method on v+, with the
 * iterate v and q(v):
 *
 *   r = M (v - v_k) - h F_theta + h g,   W = M + h theta C + h^2 theta^2 K + h dg/dv
 *   vfree = v - W^-1 r,   v+ = vfree + W^-1 p
 *
 * (Moreau 1988; Acary & Brogliato 2008, ch. 10; K is the derivative with respect to the increment
 * of q; the differential of the exponential map, I + O(h), is omitted, which changes the rate of
 * convergence but not the solution.)
 *
 * Armatures of joints (model/systems/rigid_armature.h) add J g_theta^T (g+ v+ - g v) to r and J g^T
 * g to W.
 *
 * Forces between bodies (rigid_drives.h) couple them: W of a group of joined bodies is one dense
 * block. If the problem has contacts or joints and the coupling is soft, W omits the coupling and
 * Newton's passes iterate over it: with a = (h theta c + h^2 theta^2 k) / inertia, each pass
 * multiplies the error by at most a/(1 + a).
 *
 * A body that does not exist at the time (ns_life) has W^-1 = 0 and r = 0: it keeps its velocity
 * and does not move.
 *
 * Velocities may be prescribed (ns_boundary): their rows and columns in W are those of the
 * identity, and zero in its inverse, so that contacts do not change them; the impulse that enforces
 * them is r - p in their rows. */
#ifndef NS_INTEGRATORS_RIGID_MOTION_H
#define NS_INTEGRATORS_RIGID_MOTION_H

#include "base/team.h"
#include "integrators/rigid_drives.h"
#include "model/check/diagnose.h"
#include "model/model.h"
#include "model/state.h"
#include "problems/multibody.h"

#include <float.h>

typedef struct ns_rigid_part ns_rigid_part; /* what is constant about one body */

typedef struct ns_rigid_motion {
  const ns_model *m;
  ns_arena *mem;
  ns_team *team;    /* NULL: one thread */
  int nbodies, dof; /* dof: velocities of a body, 6 or 3 */
  double theta;
  const ns_state *x; /* state at the beginning of the step */
  double t1, h;      /* its end and its length */
  double *q, *v;     /* the iterate [nq], [nv] */
  /* position within the step at which rows are evaluated, 0..1: theta, or the attribute
   * rowsGamma */
  double part_within;
  /* q_k (+) part_within h (theta v + (1-theta) v_k), set by _place_within [nq] */
  double *within;
  double *f;       /* F at the iterate, without g; `known` if that is all of it [nv] */
  double *r;       /* [nv] */
  double *vfree;   /* [nv] */
  double *inverse; /* W^-1 of each body [nbodies x dof x dof] by columns */
  int diagonal;    /* 1: all are M^-1 and diagonal, of which `inverse` is [nbodies x dof] */
  /* M^-1 in the same layout, zero for prescribed velocities; used by projections; equal to
   * `inverse` where both are the same */
  double *rest;
  int symmetric;              /* 1: the blocks of `inverse` are symmetric */
  int one_pass;               /* r is affine in v and nothing depends on q */
  int steady;                 /* 1: also, forces are constant */
  int conservative;           /* 1: also, `known` contains all forces */
  ns_rigid_part *part;        /* [nbodies] */
  double unit;                /* min over bodies of 1, m k, 1/k (ns_rigid_motion_equation) */
  ns_rigid_drives *drives;    /* forces between bodies; NULL: none */
  double *group;              /* scratch of a group of bodies: W, right-hand side */
  int *pivots;                /* of W of a group */
  int joined;                 /* 1: in this pass, some groups have one W, listed in `groups` */
  ns_multibody_groups groups; /* the groups with one W */
  int *group_of;              /* group of each body; -1: none [nbodies] */
  double **whole;             /* W^-1 of each group [ngroups]; NULL: too large, see `sparse` */
  /* sparse W of large groups, for steps without a one-step problem [ngroups] */
  struct ns_group_sparse *sparse;
  /* forces between bodies that have a potential, at the beginning and at the end of a step [nv];
   * NULL: none */
  double *known0, *known1;
  double potential; /* potential of known1, J */
  double *known;    /* constant forces, which have a potential [nv] */
  /* g at the beginning of the step, at the entries of the angular velocities [nv]; NULL: no body
   * has g */
  double *spin;
  double *work; /* scratch of forces and tangents, and K, C, W */
  int lent;     /* 1: the vectors belong to a mixed step (ns_rigid_motion_lend) */
  /* 1: the body does not exist in this step (ns_life) [nbodies]; NULL: all bodies always exist */
  unsigned char *away;
  int came_or_went;    /* some entry of it has changed at the begin of this step */
  int nheld;           /* number of prescribed velocities */
  unsigned char *held; /* [nv] */
  double *target;      /* their values at t1 [nv] */
} ns_rigid_motion;

/* 1 if velocity i is that of a body that does not exist in this step. */
static inline int ns_rigid_motion_is_away(const ns_rigid_motion *o, size_t i)
{
  return o->away && o->away[i / (size_t)o->dof];
}

/* Numbers of `inverse` of a body. */
static inline size_t ns_rigid_inverse_size(const ns_rigid_motion *o)
{
  return (size_t)(o->diagonal ? o->dof : o->dof * o->dof);
}

/* Create; the team is borrowed and outlives *out. */
int ns_rigid_motion_create(ns_ctx *c, const ns_model *m, ns_team *team, ns_rigid_motion **out);
void ns_rigid_motion_destroy(ns_rigid_motion *o); /* NULL-safe */

/* Compute forces and energies at the initial state, to x->f and x->cert. Quaternions set by the
 * user are normalised in x->q. */
int ns_rigid_motion_start(ns_rigid_motion *o, ns_ctx *c, ns_state *x);
/* Begin a step with the first iterate v = v_k, its forces and residual; q = q_k (+) h v_k if forces
 * depend on it, otherwise _place computes it. */
int ns_rigid_motion_begin(ns_rigid_motion *o, ns_ctx *c, const ns_state *x, double t1, double h);
/* _place: q of the iterate v. _place_within: the configuration `within` the step. */
void ns_rigid_motion_place(ns_rigid_motion *o);
void ns_rigid_motion_place_within(ns_rigid_motion *o);
/* Output: v [nv], the free velocity to first order, o->v - M^-1 r. */
void ns_rigid_motion_loose(const ns_rigid_motion *o, double *v);
/* W of body k at the iterate, ignoring prescribed velocities [dof x dof] by columns; the diagonal
 * block of a group in a mixed step (theta.h). */
int ns_rigid_motion_matrix(ns_rigid_motion *o, ns_ctx *c, int k, double *W);
/* For a mixed step, in which the model is a part (model/part.h): q, v, f, r and the values of
 * prescribed velocities, target, are stored in these vectors of the caller. target is set before
 * _begin. */
void ns_rigid_motion_lend(ns_rigid_motion *o, double *q, double *v, double *f, double *r,
                          double *target);
/* W^-1 and vfree at the iterate. NS_NUMERIC: W is singular, or something is not finite. */
int ns_rigid_motion_free(ns_rigid_motion *o, ns_ctx *c);
/* After _free: vfree of groups of bodies with the W of the whole group. With `rows`, for a one-step
 * problem, only of stiffly coupled groups, and W^-1 of these; if o->joined, there are some, and
 * they are `groups` of the problem. NS_NUMERIC as in _free. */
int ns_rigid_motion_join(ns_rigid_motion *o, ns_ctx *c, int rows);
/* vfree += W^-1 p [nv]. */
void ns_rigid_motion_push(ns_rigid_motion *o, const double *p);
/* After a change of v: q(v), forces and residual there. */
int ns_rigid_motion_iterate(ns_rigid_motion *o, ns_ctx *c);
/* Write the potential energy of forces between bodies in their last evaluation to o->potential. */
void ns_rigid_motion_store(ns_rigid_motion *o);
/* Update forces and residual after a change of q only. */
int ns_rigid_motion_moved(ns_rigid_motion *o, ns_ctx *c);
/* Equations of motion of body k, impulse p [dof] on it:
 *   |r - p| / (atol min(1, m k, 1/k) + rtol (|p| + h |F|) + 16 eps (S + h |F0| + h |K| |P|)),
 * 2-norms in which moments are divided by the radius of gyration k (ns_rigid_radius), so that the
 * test does not depend on the unit of length. |F|: norm of the force or, if forces between bodies
 * cancel, the sum of their norms; S: size of the inertial terms, |M v|_1; F0: constant forces;
 * |K| |P|: effect of rounding errors of the points of forces. With the absolute test, |r - p| /
 * atol in N s and N m s. */
double ns_rigid_motion_equation(const ns_rigid_motion *o, int k, const double *p, double inertial);
/* Its maximum over bodies, p [nv]. */
double ns_rigid_motion_residual(const ns_rigid_motion *o, const double *p);
/* Divisor of entry j of the equations of a body: 1, or its radius of gyration. */
double ns_rigid_motion_lever(const ns_rigid_motion *o, int body, int j);
/* 2-norm of impulses x [nv] with moments over those radii. */
double ns_rigid_motion_norm(const ns_rigid_motion *o, const double *x);
/* Contribution of each body to the residual. */
void ns_rigid_motion_suspects(const ns_rigid_motion *o, const double *p, ns_suspect *w);
/* Fail with a message that names what is not finite at the iterate. */
int ns_rigid_motion_blame(const ns_rigid_motion *o, ns_ctx *c);
/* Energy of forces that have a potential at the iterate, J. */
double ns_rigid_motion_potential(ns_rigid_motion *o);
/* Accept the iterate as the new state; p: the impulses that led to it. Writes q, v, f, t, energies,
 * work of forces, and impulses of supports. NS_NUMERIC: not finite; x is unchanged. */
int ns_rigid_motion_commit(ns_rigid_motion *o, ns_ctx *c, ns_state *x, const double *p);

#endif
