/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/record/law_events.h"

#include <math.h>

static int switched(const ns_model *m, ns_ctx *c, ns_state *x, ns_recorder *rec, int interaction,
                    int r, double before, int was)
{
  ns_event e = {.t = *x->t,
                .before = before,
                .after = x->lambda[r],
                .was = ns_events_side_mode(was),
                .is = ns_events_side_mode(x->mode[r])};
  x->cert->impacts++;
  return rec ? ns_events_report(rec, c, m, interaction, r, NS_EVENT_SWITCH, &e) : NS_OK;
}

int ns_law_events_changed(const ns_model *m, ns_ctx *c, ns_state *x, const ns_law_rows *k,
                          ns_recorder *rec, int i, double before, double within, double *level,
                          int *side)
{
  int r = k->first + i, was = x->mode[r];
  double lb = k->lb[i], ub = k->ub[i];
  if (*level < 0) *level = k->level(k->of);
  *side = (int)ns_events_side(lb, ub, k->lambda[i], fmax(within, fmin(*level, 1e-3 * (ub - lb))));
  x->mode[r] = (unsigned char)*side;
  if (was == NS_SIDE_UNKNOWN || *side == was) return NS_OK;
  return switched(m, c, x, rec, k->interaction[i], r, before, was);
}
