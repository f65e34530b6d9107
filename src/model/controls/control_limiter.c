/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control_limiter.c -- limits of a command: how fast it changes, and between what it stays.
 *
 *   r_i = min(max(u_i, w_i-1 - fall T), w_i-1 + rise T),  w_i = min(max(r_i, lower), upper)
 *
 * w_i-1 is what stands in the entry: what it wrote at the sample before, at first the initial
 * value. No memory. */
#include "model/controls/control_kinds.h"

#include <math.h>
#include <stdlib.h>

typedef struct limiter {
  const ns_operator *u;
  const int *writes;
  int n;
  double lower, upper, rise, fall;
  double *work;
} limiter;

static int prepare(const ns_model *m, ns_control *k, ns_ctx *c)
{
  double lower = ns_control_number(k, "lower", -INFINITY),
         upper = ns_control_number(k, "upper", INFINITY);
  (void)m;
  int rc = ns_control_check_written(k, c, "u");
  if (!rc) rc = ns_control_check_limits(k, c, lower, upper);
  if (rc) return rc;
  if (isnan(ns_control_number(k, "rate", NAN)) && !isnan(ns_control_number(k, "fall", NAN)))
    return ns_control_fail(k, c,
                           "<Limiter> has fall without rate, expected both; for an unlimited "
                           "increase give a large rate");
  return NS_OK;
}

static int create(void *self, ns_ctx *c, const ns_model *m, const ns_control *k, double *work)
{
  (void)c, (void)m;
  double rise = ns_control_number(k, "rate", INFINITY);
  *(limiter *)self = (limiter){.u = ns_control_value(k, "u"),
                               .writes = k->writes,
                               .n = k->nwrites,
                               .rise = rise,
                               .fall = ns_control_number(k, "fall", rise),
                               .lower = ns_control_number(k, "lower", -INFINITY),
                               .upper = ns_control_number(k, "upper", INFINITY),
                               .work = work};
  return NS_OK;
}

static int sample(void *self, ns_ctx *c, const ns_sample *s, double *w)
{
  limiter *o = self;
  int rc = ns_operator_eval(o->u, c, &s->p, o->work, w);
  for (int j = 0; j < o->n && !rc; j++) {
    double before = s->p.z[o->writes[j]];
    if (isnan(w[j])) continue; /* which is told as such */
    w[j] = fmin(fmax(w[j], before - o->fall * s->period), before + o->rise * s->period);
    w[j] = fmin(fmax(w[j], o->lower), o->upper);
  }
  return rc;
}

const ns_control_kind ns_control_limiter = {.name = "Limiter",
                                            .help = "saturation and limits of the rate",
                                            .prepare = prepare,
                                            .size = sizeof(limiter),
                                            .create = create,
                                            .sample = sample};
