/* SPDX-License-Identifier: GPL-3.0-or-later */
/* integrator.h -- one-step integrators as tables of operations.
 *
 * The driver (simulation/step/time_stepping.c) owns the step: index sets, one-step problem, Newton
 * loop. The integrator owns the smooth dynamics: the velocity without contact, and how an impulse
 * changes it.
 *
 *   begin    forces at t_k, first iterate v^0, q^0
 *   loop:    vfree     free velocity at the iterate:  W (v - vfree) = H^T P
 *            (the driver adds W^-1 H^T P to it, in place)
 *            iterate   compute q and the residual of the equations of motion
 *   commit   accept: write q, v, f and energies to the state, which is unchanged until then
 *
 * SI units, t and h in s; n = degrees of freedom of one system, nv of all. Functions return 0 on
 * success; > 0 to request a smaller h, with the state unchanged; < 0 on a fatal error, with the
 * message in c. */
#ifndef NS_INTEGRATORS_INTEGRATOR_H
#define NS_INTEGRATORS_INTEGRATOR_H

#include "base/blob.h"
#include "model/check/diagnose.h"
#include "model/model.h"
#include "model/state.h"

/* How positions are projected after the velocity step; see simulation/rows/projection.h. */
typedef enum ns_projecting { NS_PROJECT_NOT, NS_PROJECT_DIRECT, NS_PROJECT_COMBINED } ns_projecting;

/* How the integrator treats the systems of a model; printed by `nssim check`. */
typedef struct ns_integrator_info {
  int diagonal, dense, sparse, nonlinear; /* systems by kernel */
  int differenced;                        /* systems with a Jacobian by finite differences */
  int linear;                             /* 1: every system is linear, one pass is exact */
  int symmetric;                          /* 1: W = W^T is certain for every system */
  size_t bytes;                           /* memory of the integrator */
} ns_integrator_info;

/* Which W have changed since the last call of vfree; the first call sets both. */
enum {
  NS_W_ITERATE = 1, /* W of systems in which it depends on the state */
  NS_W_CONSTANT = 2 /* W of the other systems: first step, or a new h */
};

/* A model with only diagonal masses and constant forces: without contact, the velocity changes by
 * the same amount in every step. A driver may then compute the step itself with these vectors of
 * the integrator [nv], which are valid after a step of the same length. */
typedef struct ns_steady_motion {
  const double *gain;         /* vfree - v_k */
  const double *mass, *force; /* E = v^T M v / 2 - f^T q */
  /* the iterate; `commit` after `begin` names an entry that is not finite */
  double *v, *q;
} ns_steady_motion;

typedef struct ns_integrator_ops {
  const char *name; /* XML element */
  const char *help; /* one line, for `nssim list schemes` */
  int order;        /* for smooth motion with the default options; tests/orders measures it */
  int (*create)(ns_ctx *c, const ns_model *m, void **self);
  void (*info)(const void *self, ns_integrator_info *info);
  /* Compute forces and energies at the initial state and write them to x (f, energies of x->cert).
   * Called once per run. */
  int (*start)(void *self, ns_ctx *c, ns_state *x);
  /* Begin a step of length h from x. Its end t1 is an argument, and not *x->t + h, so that rounding
   * errors do not accumulate. */
  int (*begin)(void *self, ns_ctx *c, const ns_state *x, double t1, double h);
  /* The velocity of the iterate [nv], in memory of the integrator; the address does not change
   * during a run. */
  double *(*velocity)(void *self);
  /* Replace the velocity by the free velocity at the iterate. *changed |= NS_W_... */
  int (*vfree)(void *self, ns_ctx *c, int *changed);
  /* B := W^-1 B for system s, or for all systems that share a W with it (`together`); B [n x nrhs]
   * by columns. */
  void (*solve)(const void *self, int s, int nrhs, double *B);
  /* 1 if W of system s is constant as long as h is. */
  int (*constant)(const void *self, int s);
  /* 1 if W of system s is diagonal. */
  int (*diagonal)(const void *self, int s);
  /* Called when the velocity is the new iterate; p [nv]: the impulses that led to it. *residual: of
   * the equations of motion, scaled so that <= 1 means convergence; 0 if all systems are linear. */
  int (*iterate)(void *self, ns_ctx *c, const double *p, double *residual);
  /* Write iterate and energies to x: q, v, z, f, *x->t and the energies of x->cert. If something is
   * not finite, fails with NS_NUMERIC and a message that names system and operator; x is
   * unchanged. */
  int (*commit)(void *self, ns_ctx *c, ns_state *x);
  void (*destroy)(void *self); /* NULL-safe */
  /* After begin: the first iterate of all systems, for linear ones v = v_k and q = q_k + h v_k.
   * Returns the position [nq]; its address, as that of the velocity, does not change during a run,
   * and `iterate` updates it. */
  const double *(*predict)(void *self);
  /* Schemes that project positions; the others have NS_PROJECT_NOT and NULL. position: of the
   * iterate [nq]; the driver may change it before `commit`, and `moved` then evaluates forces
   * there. metric: until then, `solve` uses the mass at the iterate instead of W in systems whose W
   * is not constant. */
  ns_projecting projecting;
  double *(*position)(void *self);
  int (*metric)(void *self, ns_ctx *c);
  int (*moved)(void *self, ns_ctx *c);
  /* 1: one-step problems use the saddle-point form if it is smaller
   * (simulation/rows/unreduced_contacts.h) */
  int unreduced;
  /* data that pass from step to step and are not in the state; restored instead of calling
   * `start` */
  const ns_memory *memory;
  /* 1 if *out describes all systems; may be NULL */
  int (*steady)(const void *self, ns_steady_motion *out);
  /* After iterate: the contribution of each system to the residual; NULL: linear schemes. */
  void (*suspects)(const void *self, const double *p, ns_suspect *w);
  /* Number of systems that share W with system s, including s, and their indices in *out, which is
   * unchanged if s is alone. NULL: no W is shared. */
  int (*together)(const void *self, int s, const int **out);
} ns_integrator_ops;

/* Registry; ends with NULL. */
extern const ns_integrator_ops *const ns_integrators[];
const ns_integrator_ops *ns_integrator_find(const char *name); /* NULL if there is none */

#endif
