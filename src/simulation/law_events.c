/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/law_events.h"

#include <float.h>
#include <math.h>

/* A multiplier is at a bound up to this: of a finite box by its width, else by the largest that the
 * row ever had. */
static double nearness(double lb, double ub, double largest)
{
  return ub - lb <= DBL_MAX ? 1e-9 * (ub - lb) : 1e-12 * largest;
}

static int switched(const ns_model *m, ns_ctx *c, ns_state *x, ns_recorder *rec, int interaction,
                    int r, double before, int was)
{
  ns_event e = {.t = *x->t,
                .before = before,
                .after = x->lambda[r],
                .was = ns_events_side_mode(was),
                .is = ns_events_side_mode(x->mode[r])};
  x->cert->impacts++;
  return rec ? ns_events_tell(rec, c, m, interaction, r, NS_EVENT_SWITCH, &e) : NS_OK;
}

int ns_law_events(const ns_model *m, ns_ctx *c, ns_state *x, const ns_law_rows *k, ns_recorder *rec,
                  int *between)
{
  double level = -1;
  int rc = NS_OK;
  *between = 0;
  for (int i = 0; i < k->n; i++) {
    int r = k->first + i;
    double before = x->lambda[r], l = x->lambda[r] = k->lambda[i], lb = k->lb[i], ub = k->ub[i],
           within = 0;
    int was = x->mode[r], side = NS_SIDE_LOWER;
    if (fabs(l) > x->ydot[r]) x->ydot[r] = fabs(l);
    if (!(l <= lb)) {
      within = nearness(lb, ub, x->ydot[r]);
      side = (int)ns_events_side(lb, ub, l, within);
    }
    if (side != was) {
      if (level < 0) level = k->level(k->of);
      side = (int)ns_events_side(lb, ub, l, fmax(within, fmin(level, 1e-3 * (ub - lb))));
      x->mode[r] = (unsigned char)side;
      if (was != NS_SIDE_UNKNOWN && side != was && !rc)
        rc = switched(m, c, x, rec, k->interaction[i], r, before, was);
    }
    *between += side == NS_SIDE_BETWEEN;
  }
  return rc;
}
