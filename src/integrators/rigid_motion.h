/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_motion.h -- one step of rigid bodies apart from their contacts: iterate, residual,
 * iteration matrix, energy.
 *
 *   M (v+ - v) = h theta F+ + h (1-theta) F - h g + p,   q+ = q (+) h (theta v+ + (1-theta) v)
 *
 * with q (+) d of model/systems/rigid_body.h and p = H^T r the impulses of contacts and joints. The
 * torque g = Omega x I Omega of a step is computed for each body (ns_gyroscopic) by the theta rule,
 * at the mean angular velocity, or at the beginning of the step. Newton's method on v+, with the
 * iterate v and q(v):
 *
 *   r = M (v - v_k) - h F_theta + h g,   W = M + h theta C + h^2 theta^2 K + h dg/dv,   vfree = v -
 *       W^-1 r,   v+ = vfree + W^-1 p
 *
 * (Moreau 1988; Acary & Brogliato 2008, ch. 10; K is the derivative with respect to the increment
 * of q; the differential of the exponential map, I + O(h), is omitted, which changes the rate of
 * convergence but not the solution.)
 *
 * Armatures of joints (model/rigid_armature.h) add J g_theta^T (g+ v+ - g v) to r and J g^T g to W.
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
  const ns_state *x;  /* begin of the step */
  double t1, h;       /* its end and its length */
  double *q, *v;      /* the iterate [nq], [nv] */
  double part_within; /* theta, or rowsGamma: */
  double *
      /* q_k (+) part_within h (theta v + (1-theta) v_k), between both ends; of _place_within [nq]
       */
      within;
  double *f;       /* F there, without g [nv] */
  double *r;       /* [nv] */
  double *vfree;   /* [nv] */
  double *inverse; /* W^-1 of each body [nbodies x dof x dof] by columns */
  /* M^-1, the same, zero where a velocity is prescribed: for projections; `inverse` where they are
   * equal */
  double *rest;
  int symmetric;                  /* the blocks of `inverse` are */
  int one_pass;                   /* r is affine in v and nothing depends on q */
  int steady;                     /* and forces are constant */
  int conservative;               /* and `known` are all of them */
  ns_rigid_part *part;            /* [nbodies] */
  ns_rigid_drives *drives;        /* what acts between bodies; NULL: nothing */
  double *group;                  /* scratch of a group of bodies: W, right-hand side */
  int *pivots;                    /* of it */
  int joined;                     /* some groups have their W in this pass: */
  ns_multibody_groups groups;     /* those */
  int *group_of;                  /* -1 for bodies of the others [nbodies] */
  double **whole;                 /* W^-1 of each group [ngroups]; NULL: it is too large */
  struct ns_group_sparse *sparse; /* W of large groups without a problem [ngroups] */
  /* forces between bodies with a potential at the begin and at the end of a step [nv]; NULL: none
   */
  double *known0, *known1;
  double potential; /* theirs at the end, J */
  double *known;    /* constant forces, which have a potential [nv] */
  /* g at the begin of the step, in the places of the angular velocities [nv]; NULL: no body has it
   */
  double *spin;
  double *work; /* scratch of forces and tangents, and K, C, W */
  int lent;     /* vectors are those of a mixed step */
  /* bodies that are not there in the step (ns_life); NULL: all are always [nbodies] */
  unsigned char *away;
  int nheld;           /* prescribed velocities */
  unsigned char *held; /* [nv] */
  double *target;      /* their values at t1 [nv] */
} ns_rigid_motion;

/* The team outlives it. */
int ns_rigid_motion_create(ns_ctx *c, const ns_model *m, ns_team *team, ns_rigid_motion **out);
void ns_rigid_motion_destroy(ns_rigid_motion *o); /* NULL-safe */

/* Forces at the state go to x->f, energies to x->cert. Quaternions of x->q that a user has set get
 * norm 1. */
int ns_rigid_motion_start(ns_rigid_motion *o, ns_ctx *c, ns_state *x);
/* First iterate of a step: v = v_k, its forces and residual; q = q_k (+) h v_k where forces depend
 * on it, else it is left to _place. */
int ns_rigid_motion_begin(ns_rigid_motion *o, ns_ctx *c, const ns_state *x, double t1, double h);
/* q of the iterate v; the configuration within the step. */
void ns_rigid_motion_place(ns_rigid_motion *o);
void ns_rigid_motion_place_within(ns_rigid_motion *o);
/* v - M^-1 r: to first order what v becomes where nothing touches [nv]. */
void ns_rigid_motion_loose(const ns_rigid_motion *o, double *v);
/* W of body k at the iterate, without prescribed velocities [dof x dof] by columns: what a mixed
 * step makes its groups of (theta.h). */
int ns_rigid_motion_matrix(ns_rigid_motion *o, ns_ctx *c, int k, double *W);
/* q, v, f and r live in these vectors of a mixed step, for which the model is a part
 * (model/part.h), and the values of prescribed velocities in target, where they are evaluated
 * before _begin. */
void ns_rigid_motion_lend(ns_rigid_motion *o, double *q, double *v, double *f, double *r,
                          double *target);
/* W^-1 and vfree at the iterate. NS_NUMERIC: W is singular, or something is not finite. */
int ns_rigid_motion_free(ns_rigid_motion *o, ns_ctx *c);
/* After _free: vfree of groups of bodies with the W of each whole group; with rows, W^-1 of those
 * that are coupled stiffly, for a problem, whose `groups` they are where o->joined. NS_NUMERIC as
 * there. */
int ns_rigid_motion_join(ns_rigid_motion *o, ns_ctx *c, int rows);
/* vfree += W^-1 p [nv]. */
void ns_rigid_motion_push(ns_rigid_motion *o, const double *p);
/* After a change of v: q(v), forces and residual there. */
int ns_rigid_motion_iterate(ns_rigid_motion *o, ns_ctx *c);
/* What forces between bodies store at the iterate, of their last evaluation: to o->potential. */
void ns_rigid_motion_store(ns_rigid_motion *o);
/* After a change of q alone. */
int ns_rigid_motion_moved(ns_rigid_motion *o, ns_ctx *c);
/* max over bodies of |r - p| / (atol + rtol (|p| + h |F|) + 16 eps (|M v|_1 + h |K| |P|)), 2-norms,
 * |F| or, where they cancel, the sum of those of forces between bodies, |K| |P| what rounding of
 * their points makes of them; of the absolute test / atol alone. */
double ns_rigid_motion_residual(const ns_rigid_motion *o, const double *p);
/* The part of each body in it. */
void ns_rigid_motion_suspects(const ns_rigid_motion *o, const double *p, ns_suspect *w);
/* The sentence of an iterate that is not finite. */
int ns_rigid_motion_blame(const ns_rigid_motion *o, ns_ctx *c);
/* Energy of forces that have a potential at the iterate, J. */
double ns_rigid_motion_potential(ns_rigid_motion *o);
/* The iterate is the new state, p what led to it: q, v, f, t, energies and work of forces, impulses
 * of supports. NS_NUMERIC: it is not finite; x is as it was. */
int ns_rigid_motion_commit(ns_rigid_motion *o, ns_ctx *c, ns_state *x, const double *p);

#endif
