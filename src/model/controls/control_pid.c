/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control_pid.c -- PID controller with a filtered derivative and limits (Astrom & Hagglund 1995,
 * ch. 3 and 8).
 *
 * With e = r - y and the period T, backward differences:
 *
 *   I_i = I_i-1 + Ki T e_i
 *   Tf (D_i - D_i-1) + T D_i = Kd (d_i - d_i-1),   d = e or -y
 *   u_i = sat(Kp (weight r_i - y_i) + I_i + D_i)
 *
 * d_-1 is d_0, so that the first derivative is 0, or given. Where u leaves [lower, upper],
 * anti-windup is
 *
 *   conditional  the integral stays at I_i-1 where Ki e_i would drive u farther out
 *   tracking     the integral follows the limits with the time constant Tt (back-calculation):
 *                I_i += T/Tt (sat(u) - u)
 *   none
 *
 * Memory: I, D, d of the last sample. */
#include "model/controls/control_kinds.h"

#include <math.h>
#include <stdlib.h>

enum { WINDUP_CONDITIONAL, WINDUP_TRACKING, WINDUP_NONE };

typedef struct pid {
  const ns_operator *r, *y;
  double Kp, Ki, Kd, Tf, lower, upper, weight, start, before, Tt;
  int of_measurement, antiwindup;
  double *work;
} pid;

enum { INTEGRAL, DERIVATIVE, DIFFERENTIATED, NMEMORY };

static int prepare(const ns_model *m, ns_control *k, ns_ctx *c)
{
  (void)m;
  double lower = ns_control_number(k, "lower", -INFINITY),
         upper = ns_control_number(k, "upper", INFINITY);
  int tracks = (int)ns_control_number(k, "antiwindup", WINDUP_CONDITIONAL) == WINDUP_TRACKING;
  double Tt = ns_control_number(k, "tracking", NAN);
  k->nmemory = NMEMORY;
  int rc = ns_control_check_one(k, c, "command");
  if (!rc) rc = ns_control_check_limits(k, c, lower, upper);
  if (rc) return rc;
  if (tracks && isnan(Tt))
    return ns_control_fail(
        k, c,
        "<PID> has antiwindup=\"tracking\" and no time constant, expected tracking=\"...\", s");
  if (!tracks && !isnan(Tt))
    return ns_control_fail(k, c,
                           "<PID> has tracking, expected antiwindup=\"tracking\" with it; remove "
                           "one or give the other");
  return NS_OK;
}

static int create(void *self, ns_ctx *c, const ns_model *m, const ns_control *k, double *work)
{
  (void)c, (void)m;
  *(pid *)self = (pid){.r = ns_control_value(k, "reference"),
                       .y = ns_control_value(k, "y"),
                       .Kp = ns_control_number(k, "Kp", 0),
                       .Ki = ns_control_number(k, "Ki", 0),
                       .Kd = ns_control_number(k, "Kd", 0),
                       .Tf = ns_control_number(k, "filter", 0),
                       .lower = ns_control_number(k, "lower", -INFINITY),
                       .upper = ns_control_number(k, "upper", INFINITY),
                       .weight = ns_control_number(k, "weight", 1),
                       .start = ns_control_number(k, "start", 0),
                       .before = ns_control_number(k, "before", NAN),
                       .Tt = ns_control_number(k, "tracking", 1),
                       .of_measurement = ns_control_number(k, "derivative", 0) > 0,
                       .antiwindup = (int)ns_control_number(k, "antiwindup", WINDUP_CONDITIONAL),
                       .work = work};
  return NS_OK;
}

static double limited(const pid *o, double u)
{
  return u > o->upper ? o->upper : fmax(u, o->lower);
}

static int sample(void *self, ns_ctx *c, const ns_sample *s, double *w)
{
  pid *o = self;
  double r, y, *mem = s->memory, T = s->period;
  int rc = ns_operator_eval(o->r, c, &s->p, o->work, &r);
  if (!rc) rc = ns_operator_eval(o->y, c, &s->p, o->work, &y);
  if (rc) return rc;
  double e = r - y, d = o->of_measurement ? -y : e;
  if (s->i == 0) {
    mem[INTEGRAL] = o->start;
    mem[DIFFERENTIATED] = d;
    if (!isnan(o->before)) mem[DIFFERENTIATED] = o->of_measurement ? -o->before : o->before;
  }
  double D = (o->Tf * mem[DERIVATIVE] + o->Kd * (d - mem[DIFFERENTIATED])) / (o->Tf + T);
  double P = o->weight == 1 ? o->Kp * e : o->Kp * (o->weight * r - y),
         I = mem[INTEGRAL] + o->Ki * T * e;
  double u = P + I + D;
  int farther = (u > o->upper && o->Ki * e > 0) || (u < o->lower && o->Ki * e < 0);
  if (o->antiwindup == WINDUP_CONDITIONAL && farther) {
    I = mem[INTEGRAL];
    u = P + I + D;
  }
  *w = isnan(u) ? u : limited(o, u);
  if (o->antiwindup == WINDUP_TRACKING) I += T / o->Tt * (*w - u);
  mem[INTEGRAL] = I;
  mem[DERIVATIVE] = D;
  mem[DIFFERENTIATED] = d;
  return NS_OK;
}

const ns_control_kind ns_control_pid = {
    .name = "PID",
    .help = "proportional, integral, derivative; limits with anti-windup",
    .prepare = prepare,
    .size = sizeof(pid),
    .create = create,
    .sample = sample};
