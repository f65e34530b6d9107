/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/events.h"

#include <math.h>

static const double NEGLIGIBLE = 1e-9;

static int approaches(const ns_state *x, double before, double free_speed)
{
  return -before > fabs(free_speed - before) && -before > NEGLIGIBLE * x->cert->approach_max;
}

int ns_events_impact(ns_state *x, double before, double impulse, double free_speed)
{
  if (!(impulse > 0) || !approaches(x, before, free_speed)) return 0;
  if (-before > x->cert->approach_max) x->cert->approach_max = -before;
  x->cert->impacts++;
  return 1;
}

int ns_events_mode(ns_state *x, int row, double before, double impulse, double free_speed)
{
  unsigned char was = x->mode[row];
  if (!(impulse > 0)) {
    x->mode[row] = NS_MODE_FREE;
    return was == NS_MODE_LASTING ? NS_EVENT_RELEASE : -1;
  }
  if (ns_events_impact(x, before, impulse, free_speed)) {
    x->mode[row] = NS_MODE_LOADED;
    return NS_EVENT_IMPACT;
  }
  x->mode[row] = was == NS_MODE_FREE ? NS_MODE_LOADED : NS_MODE_LASTING;
  return was == NS_MODE_LOADED ? NS_EVENT_CONTACT : -1;
}

int ns_events_row(ns_state *x, int row, ns_event *e, double free_speed)
{
  int was = x->mode[row];
  int kind = ns_events_mode(x, row, e->before, e->impulse, free_speed);
  ns_events_note(e, was, x->mode[row]);
  return kind;
}

int ns_events_slide(unsigned char *mode, double mu, double normal, double friction, double moves)
{
  static const double NEAR = 1e-6;
  unsigned char was = *mode;
  if (friction >= (1 - NEAR) * mu * normal && moves > 0) {
    *mode = NS_SLIDE_SLIP;
    return was == NS_SLIDE_STICK ? NS_EVENT_SLIP : -1;
  }
  *mode = was == NS_SLIDE_SLIP ? NS_SLIDE_PAUSE : NS_SLIDE_STICK;
  return was == NS_SLIDE_PAUSE ? NS_EVENT_STICK : -1;
}
