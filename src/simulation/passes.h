/* SPDX-License-Identifier: GPL-3.0-or-later */
/* passes.h -- whether passes of Newton's method come nearer to their end.
 *
 * Where impulses are not unique, as of wheels of one axle that push against each other, passes may go
 * from one solution to another for ever, with the same motion, or creep along them. After so many in
 * which the residual was not halved they have stalled: what bends the free velocity stays as it is
 * (rested, from the pass after), their own change is no matter, and the motion alone has to rest. */
#ifndef NS_SIMULATION_PASSES_H
#define NS_SIMULATION_PASSES_H

#include "model/model.h"
#include "model/state.h"
#include "problems/box/box.h"

#include <float.h>
#include <math.h>

typedef struct ns_passes {
  double halved; /* the residual when it was last halved */
  int idle;      /* passes since then */
  int stalled, rested;
  int iterations; /* of solvers */
} ns_passes;

static inline ns_passes ns_passes_begin(void) { return (ns_passes){.halved = INFINITY}; }

/* One more of them; may_stall 0: they never do. */
static inline void ns_passes_next(ns_passes *p, int may_stall)
{
  enum { STALLED = 8 };
  p->rested = p->stalled;
  p->stalled |= p->idle >= STALLED && may_stall;
}

/* Newton's equations hold to so many residuals of the one-step problem in them: impulses are not
 * known better. */
static inline double ns_passes_scaled(double residual, const ns_outcome *out,
                                      const ns_time_stepping_options *t)
{
  enum { SLACK = 10 };
  return residual / (1 + SLACK * out->residual / (t->newton_rtol + DBL_EPSILON));
}

/* Its residual, scaled so that <= 1 is converged. */
static inline void ns_passes_judge(ns_passes *p, double residual)
{
  p->idle++;
  if (!(residual < p->halved / 2)) return;
  p->halved = residual;
  p->idle = 0;
}

/* What pass number `it` tells of itself; active: rows of the problem. */
static inline ns_step_report ns_passes_report(ns_passes *p, int it, double residual, int active,
                                              const ns_outcome *out)
{
  p->iterations += out->iterations;
  return (ns_step_report){.newton = it,
                          .newton_residual = residual,
                          .iterations = p->iterations,
                          .residual = out->residual,
                          .active = active,
                          .unsolved = out->kind != NS_SOLVED};
}

#endif
