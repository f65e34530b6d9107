/* SPDX-License-Identifier: GPL-3.0-or-later */
/* linear_step.h -- the step of one linear first-order system, by matrices that stay as long as the
 * length of a step does.
 *
 *   M x' = A x + b + T u + r:   x+ = x_free + G r,   x_free = keep x + share P x + G w
 *
 * Euler-Moreau, constant M and A, no u: W = M - h theta A, P = h W^-1 A, G = h W^-1, keep = 1. The
 * equation W x_free = (M + h (1-theta) A) x + ... is solved for x_free - x, so that what has been
 * multiplied out is rounded relative to the increment, not to x:
 *
 *   share = theta,  w = (1-theta) f_k + theta b+ + before r_k   in general
 *   share = 1,      w = b                      constant b, no input of the last step
 *
 * Zero-order hold, inputs constant over the step: P + keep I = Phi = exp(h M^-1 A), G = Gamma =
 * int_0^h exp(s M^-1 A) ds M^-1 (Van Loan 1978, Higham 2005; A may be singular), share = 1. Small
 * steps take keep = 1 and P = Phi - I = Gamma A, which is rounded relative to the increment; else
 * keep = 0, so that what has decayed stays decayed. If M or A depend on t or z, both are integrated
 * over every step (propagator.h). w = T u of the state where the step begins + b(t) at its middle,
 * which is exact for inputs that jump only at the ends of steps, and of second order for smooth
 * ones. */
#ifndef NS_INTEGRATORS_LINEAR_STEP_H
#define NS_INTEGRATORS_LINEAR_STEP_H

#include "base/arena.h"
#include "base/context.h"
#include "integrators/propagator.h"
#include "model/model.h"

typedef struct ns_linear_step {
  const ns_system *s;
  int hold;  /* 1: zero-order hold; 0: Euler-Moreau */
  int timed; /* b depends on time */
  double h;  /* of P and G; 0: of none */
  double keep;
  double *P, *G; /* [n x n] by columns; G NULL: w is constant, and g = G w */
  double *w, *g; /* [n] */
  /* Euler-Moreau */
  double theta, before; /* before: weight of the input r_k of the last step */
  double *b;            /* at the end of the step [n] */
  double *LU;           /* of W */
  int *piv;
  double *weight; /* column sums of |W| + |M|: how x is rounded in the residual [n] */
  /* zero-order hold */
  int moving;        /* M or A depend on t or z */
  ns_system control; /* the system without A and b: its field is T u */
  propagator *way;   /* moving */
} ns_linear_step;

/* Doubles of scratch for the functions below. */
size_t ns_linear_step_work(const ns_system *s, int hold);
/* Create in memory of a; NS_NOMEM, without a message. */
int ns_linear_step_euler(ns_linear_step *o, ns_arena *a, const ns_system *s, double theta,
                         double before);
int ns_linear_step_hold(ns_linear_step *o, ns_arena *a, const ns_system *s);
/* P and G for steps of length h; does nothing where they are there. NS_NUMERIC without a message
 * and with *pivot in 1..n: W or M is singular. Allocates for a zero-order hold alone. */
int ns_linear_step_build(ns_linear_step *o, ns_ctx *c, double h, double *work, int *pivot);
/* w of a step of length h from the point p of the system, whose time is that of the begin for a
 * zero-order hold, else that of the end; at the begin f_k is f, and the input was r. For moving
 * matrices P and G, too: *changed = 1. Errors of build. */
int ns_linear_step_begin(ns_linear_step *o, ns_ctx *c, const ns_point *p, const double *f,
                         const double *r, double *work, int *changed, int *pivot);
/* x_free [n] */
void ns_linear_step_free(const ns_linear_step *o, const double *x, double *xfree);
/* B := G/h B [n x nrhs] by columns. */
void ns_linear_step_gain(const ns_linear_step *o, int nrhs, double *B, double *work);
/* Euler-Moreau: R = Mdx - h [theta f + (1-theta) f0] with Mdx = M (x - x0) of a step from x0 to x,
 * f0 and f there; returns the size of the terms by which R is rounded. */
double ns_linear_step_residual(const ns_linear_step *o, const double *x, const double *x0,
                               const double *f0, const double *f, double *Mdx, double *R);
/* f = A x + b at the end of a step of Euler-Moreau. */
void ns_linear_step_field(const ns_linear_step *o, const double *x, double *f);

#endif
