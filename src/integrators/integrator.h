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
 *            iterate   form q, residual of the full equations
 *   commit   accept: q, v, f, energies into the state; nothing is written before
 *
 * SI units, t and h in s; n = degrees of freedom of one system, nv of all. Functions return 0
 * done; > 0 retry with smaller h, state untouched; < 0 fatal, text in c. */
#ifndef NS_INTEGRATORS_INTEGRATOR_H
#define NS_INTEGRATORS_INTEGRATOR_H

#include "base/blob.h"
#include "model/check/diagnose.h"
#include "model/model.h"
#include "model/state.h"

/* What happens to positions after the velocity step, see simulation/rows/projection.h. */
typedef enum ns_projecting { NS_PROJECT_NOT, NS_PROJECT_DIRECT, NS_PROJECT_COMBINED } ns_projecting;

/* What it made of the model, for `nssim check`. */
typedef struct ns_integrator_info {
  int diagonal, dense, sparse, nonlinear; /* systems by kernel */
  int differenced;                        /* systems with a Jacobian by finite differences */
  int linear;                             /* 1: every system is linear, one pass is exact */
  int symmetric;                          /* 1: W = W^T is certain for every system */
  size_t bytes;                           /* of its own memory */
} ns_integrator_info;

/* How W differs from the last call of vfree. The first call says both. */
enum {
  NS_W_ITERATE = 1, /* of systems whose W depends on the state */
  NS_W_CONSTANT = 2 /* of the others: first step, or a new h */
};

/* Diagonal masses under constant forces and nothing else: the velocity gains the same in every
 * step, and a driver may do the step itself, by these vectors of the integrator's [nv], which are
 * right after a step of the same length. */
typedef struct ns_steady_motion {
  const double *gain;         /* vfree - v_k */
  const double *mass, *force; /* E = v^T M v / 2 - f^T q */
  /* the iterate: commit, after a begin, names what is not finite there */
  double *v, *q;
} ns_steady_motion;

typedef struct ns_integrator_ops {
  const char *name; /* XML element */
  const char *help; /* one line, for `nssim list schemes` */
  int order;        /* for smooth motion with the default options; tests/orders measures it */
  int (*create)(ns_ctx *c, const ns_model *m, void **self);
  void (*info)(const void *self, ns_integrator_info *info);
  /* Forces and energies at the initial state, written to x (f, energies of x->cert). Once a run. */
  int (*start)(void *self, ns_ctx *c, ns_state *x);
  /* Begin a step of length h from x; it ends at t1 = *x->t + h, given so that rounding does not add
   * up. */
  int (*begin)(void *self, ns_ctx *c, const ns_state *x, double t1, double h);
  /* The velocity of the iterate [nv], the integrator's own; the same for the whole run. */
  double *(*velocity)(void *self);
  /* Replace the velocity by the free velocity there. *changed |= NS_W_... */
  int (*vfree)(void *self, ns_ctx *c, int *changed);
  /* B := W^-1 B for system s, or for all that stand together with it; B [n x nrhs] by columns. */
  void (*solve)(const void *self, int s, int nrhs, double *B);
  /* 1 where W of system s is constant while h is. */
  int (*constant)(const void *self, int s);
  /* 1 where W of system s is diagonal. */
  int (*diagonal)(const void *self, int s);
  /* The velocity is the new iterate; p [nv]: impulses that led to it. *residual: of the equations
   * of motion, scaled so that <= 1 is converged; 0 where all is linear. */
  int (*iterate)(void *self, ns_ctx *c, const double *p, double *residual);
  /* Write iterate and energies to x: q, v, z, f, *x->t and the energies of x->cert. A state that is
   * not finite is an NS_NUMERIC failure that names system and operator, x untouched. */
  int (*commit)(void *self, ns_ctx *c, ns_state *x);
  void (*destroy)(void *self); /* NULL-safe */
  /* After begin: the first iterate of all systems, for linear ones v = v_k and q = q_k + h v_k,
   * where the velocity and the returned position [nq] stand; the same addresses for the whole run,
   * brought up to date by iterate. */
  const double *(*predict)(void *self);
  /* Schemes that project; NULL and NS_PROJECT_NOT elsewhere. position: that of the iterate [nq],
   * the driver may move it before it commits; then `moved` evaluates forces there. metric: from now
   * on, until then, `solve` is by the mass at the iterate in systems whose W is not constant. */
  ns_projecting projecting;
  double *(*position)(void *self);
  int (*metric)(void *self, ns_ctx *c);
  int (*moved)(void *self, ns_ctx *c);
  /* 1: one-step problems keep the velocities where that is the smaller form
   * (simulation/rows/unreduced_contacts.h) */
  int unreduced;
  /* what it carries from step to step and the state does not; restored instead of start */
  const ns_memory *memory;
  int (*steady)(const void *self, ns_steady_motion *out); /* 1 where all systems are; may be NULL */
  /* After iterate: the part of each system in the residual; NULL: linear schemes. */
  void (*suspects)(const void *self, const double *p, ns_suspect *w);
  /* How many systems have one W in common with system s, itself among them, and which: *out, left
   * alone where it is alone. NULL: all are. */
  int (*together)(const void *self, int s, const int **out);
} ns_integrator_ops;

/* Registry; ends with NULL. */
extern const ns_integrator_ops *const ns_integrators[];
const ns_integrator_ops *ns_integrator_find(const char *name); /* NULL where there is none */

#endif
