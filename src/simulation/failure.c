/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/failure.h"

#include <stdio.h>

void ns_involved_add(ns_involved *w, const ns_model *m, int interaction)
{
  enum { FEW = 4 };
  if (w->some > FEW || (w->some && interaction == w->last)) return;
  const char *id = m->interactions[interaction].at.id, *name = w->some == FEW ? "..." : id ? id : "one without id";
  if (w->used < sizeof w->text)
    w->used += (size_t)snprintf(w->text + w->used, sizeof w->text - w->used, "%s%s", w->some ? ", " : "", name);
  w->some++;
  w->last = interaction;
}

int ns_fail_unsolved(ns_ctx *c, const ns_model *m, const char *problem, int rows, double t, const ns_outcome *out,
                     const char *look_for, const char *whose)
{
  return ns_fail(c, NS_NUMERIC,
                 "the one-step problem of %d rows in the step from t = %.10g s was not solved: %s (%s, %d iterations, residual %.3g, "
                 "tolerance %.3g); the last good state is kept; try another solver or tolerance on <%s>, or look for %s%s",
                 rows, t, ns_outcome_text(out->kind), out->solver, out->iterations, out->residual, m->sim.osnsp.tol,
                 m->sim.problem ? m->sim.problem : problem, look_for, whose);
}

int ns_fail_newton(ns_ctx *c, double t, double residual, const char *of, int passes)
{
  return ns_fail(c, NS_NUMERIC,
                 "Newton's method did not converge in the step from t = %.10g s: scaled residual %.3g%s after %d iterations, "
                 "expected <= 1; the last good state is kept; take a smaller h, check the Jacobians, or raise newtonMaxIterations",
                 t, residual, of, passes);
}
