/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control_sensor.c -- a measurement that is sampled: w_i = Q(y(t_i-d)), with Q the rounding to
 * multiples of a quantum and d a number of samples. Before the sample d the entries keep their
 * initial values. Memory: the last d measurements, a ring. */
#include "model/controls/control_kinds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct sensor {
  const ns_operator *y;
  const int *writes;
  int n, delay;
  double quantum; /* 0: none */
  double *work;
} sensor;

static int prepare(const ns_model *m, ns_control *k, ns_ctx *c)
{
  (void)m;
  k->nmemory = (int)ns_control_number(k, "delay", 0) * k->nwrites;
  return ns_control_check_written(k, c, "y");
}

static int create(void *self, ns_ctx *c, const ns_model *m, const ns_control *k, double *work)
{
  (void)c, (void)m;
  *(sensor *)self = (sensor){.y = ns_control_value(k, "y"),
                             .writes = k->writes,
                             .n = k->nwrites,
                             .delay = (int)ns_control_number(k, "delay", 0),
                             .quantum = ns_control_number(k, "quantum", 0),
                             .work = work};
  return NS_OK;
}

static int sample(void *self, ns_ctx *c, const ns_sample *s, double *w)
{
  sensor *o = self;
  int rc = ns_operator_eval(o->y, c, &s->p, o->work, w);
  for (int j = 0; j < o->n && o->quantum > 0; j++) w[j] = o->quantum * round(w[j] / o->quantum);
  if (rc || !o->delay) return rc;
  double *slot = s->memory + (size_t)(s->i % o->delay) * (size_t)o->n;
  for (int j = 0; j < o->n; j++) {
    double now = w[j];
    w[j] = s->i < o->delay ? s->p.z[o->writes[j]] : slot[j];
    slot[j] = now;
  }
  return NS_OK;
}

const ns_control_kind ns_control_sensor = {
    .name = "Sensor",
    .help = "sampled measurement, optionally quantised and delayed",
    .prepare = prepare,
    .size = sizeof(sensor),
    .create = create,
    .sample = sample};
