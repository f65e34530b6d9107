/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control_hysteresis.c -- a relay with two thresholds, sampled: w is `on` from a sample at which
 * y >= upper until one at which y <= lower, and `off` else. At the first sample y between them
 * leaves it as start= says. Memory: whether it is on. Event-driven without a period it is two
 * events (io/load/load_controls.c). */
#include "model/controls/control_kinds.h"

#include <stdlib.h>

typedef struct hysteresis {
  const ns_operator *y;
  double lower, upper, off, on;
  int starts_on;
  double *work;
} hysteresis;

static int prepare(const ns_model *m, ns_control *k, ns_ctx *c)
{
  double lower = ns_control_number(k, "lower", 0), upper = ns_control_number(k, "upper", 0);
  (void)m;
  k->nmemory = 1;
  int rc = ns_control_check_one(k, c, "output");
  return rc ? rc : ns_control_check_limits(k, c, lower, upper);
}

static int create(void *self, ns_ctx *c, const ns_model *m, const ns_control *k, double *work)
{
  (void)c, (void)m;
  *(hysteresis *)self = (hysteresis){.y = ns_control_value(k, "y"),
                                     .lower = ns_control_number(k, "lower", 0),
                                     .upper = ns_control_number(k, "upper", 0),
                                     .off = ns_control_number(k, "off", 0),
                                     .on = ns_control_number(k, "on", 1),
                                     .starts_on = ns_control_number(k, "start", 0) > 0,
                                     .work = work};
  return NS_OK;
}

static int sample(void *self, ns_ctx *c, const ns_sample *s, double *w)
{
  hysteresis *o = self;
  double y;
  int rc = ns_operator_eval(o->y, c, &s->p, o->work, &y),
      is_on = s->i ? s->memory[0] > 0 : o->starts_on;
  if (rc) return rc;
  if (y >= o->upper) is_on = 1;
  if (y <= o->lower) is_on = 0;
  s->memory[0] = is_on;
  *w = is_on ? o->on : o->off;
  return NS_OK;
}

const ns_control_kind ns_control_hysteresis = {
    .name = "Hysteresis",
    .help = "relay with hysteresis: two thresholds and a memory",
    .prepare = prepare,
    .size = sizeof(hysteresis),
    .create = create,
    .sample = sample};
