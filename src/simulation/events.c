/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/events.h"

#include <math.h>

static const double NEGLIGIBLE = 1e-9;

int ns_events_row(ns_state *x, ns_ctx *c, ns_recorder *rec, int interaction, int row_in_interaction,
                  size_t row, double before, double free_speed, double after, double impulse)
{
  unsigned char was = x->mode[row], now = NS_MODE_FREE;
  int kind = -1;
  if (impulse > 0) {
    double *fastest = &x->cert->approach_max, speed = fabs(free_speed);
    if (before < -NEGLIGIBLE * (speed > *fastest ? speed : *fastest)) {
      if (-before > *fastest) *fastest = -before;
      x->cert->impacts++;
      kind = NS_EVENT_IMPACT;
      now = NS_MODE_LOADED;
    } else if (was != NS_MODE_FREE) {
      now = NS_MODE_LASTING;
      if (was != NS_MODE_LASTING) kind = NS_EVENT_CONTACT;
    } else {
      now = NS_MODE_LOADED;
    }
  } else if (was == NS_MODE_LASTING) {
    kind = NS_EVENT_RELEASE;
  }
  x->mode[row] = now;
  if (kind < 0 || !rec) return NS_OK;
  ns_event e = {.t = *x->t,
                .kind = (ns_event_kind)kind,
                .interaction = interaction,
                .row = row_in_interaction,
                .before = before,
                .after = after,
                .impulse = impulse};
  return ns_recorder_event(rec, c, &e);
}
