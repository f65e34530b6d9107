/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control_pid.c -- PID controller with a filtered derivative and limits (Astrom & Hagglund 1995, ch. 3 and 8).
 *
 * With e = r - y and the period T, backward differences:
 *
 *   I_i = I_i-1 + Ki T e_i
 *   Tf (D_i - D_i-1) + T D_i = Kd (e_i - e_i-1),   D_0 = 0
 *   u_i = sat(Kp e_i + I_i + D_i)
 *
 * Where u would leave [lower, upper] and Ki e_i would drive it farther out, the integral stays at I_i-1 (anti-windup by
 * conditional integration). Memory: I, D, e of the last sample. */
#include "model/controls/control_kinds.h"

#include <math.h>
#include <stdlib.h>

typedef struct pid {
  const ns_operator *r, *y;
  double Kp, Ki, Kd, Tf, lower, upper;
  double *work;
} pid;

enum { INTEGRAL, DERIVATIVE, ERROR, NMEMORY };

static int prepare(const ns_model *m, ns_control *k, ns_ctx *c)
{
  (void)m;
  double lower = ns_control_number(k, "lower", -INFINITY), upper = ns_control_number(k, "upper", INFINITY);
  k->nmemory = NMEMORY;
  if (k->nwrites != 1)
    return ns_control_fail(k, c, "writes %d entries, expected one: the command of the <PID>; name it in writes=\"...\"",
                           k->nwrites);
  if (!(lower < upper))
    return ns_control_fail(k, c, "<PID> has lower = %g, expected less than upper = %g", lower, upper);
  return NS_OK;
}

static int create(ns_ctx *c, const ns_model *m, const ns_control *k, void **self)
{
  (void)m;
  double *work;
  pid *o = *self = ns_control_object(c, k, sizeof *o, &work);
  if (!o) return NS_NOMEM;
  *o = (pid){.r = ns_control_value(k, "reference"), .y = ns_control_value(k, "y"),
      .Kp = ns_control_number(k, "Kp", 0), .Ki = ns_control_number(k, "Ki", 0),
      .Kd = ns_control_number(k, "Kd", 0), .Tf = ns_control_number(k, "filter", 0),
      .lower = ns_control_number(k, "lower", -INFINITY), .upper = ns_control_number(k, "upper", INFINITY),
      .work = work};
  return NS_OK;
}

static int sample(void *self, ns_ctx *c, const ns_sample *s, double *w)
{
  pid *o = self;
  double r, y, *mem = s->memory, T = s->period;
  int rc = ns_operator_eval(o->r, c, &s->p, o->work, &r);
  if (!rc) rc = ns_operator_eval(o->y, c, &s->p, o->work, &y);
  if (rc) return rc;
  double e = r - y, slope = s->i ? o->Kd * (e - mem[ERROR]) : 0;
  double D = (o->Tf * mem[DERIVATIVE] + slope) / (o->Tf + T), I = mem[INTEGRAL] + o->Ki * T * e;
  double u = o->Kp * e + I + D;
  if ((u > o->upper && o->Ki * e > 0) || (u < o->lower && o->Ki * e < 0)) {
    I = mem[INTEGRAL];
    u = o->Kp * e + I + D;
  }
  mem[INTEGRAL] = I;
  mem[DERIVATIVE] = D;
  mem[ERROR] = e;
  *w = u > o->upper ? o->upper : u < o->lower ? o->lower : u;
  return NS_OK;
}

const ns_control_kind ns_control_pid = {.size = sizeof ns_control_pid,
                                        .name = "PID",
                                        .help = "proportional, integral, derivative; limits with anti-windup",
                                        .prepare = prepare,
                                        .create = create,
                                        .sample = sample,
                                        .destroy = free};
