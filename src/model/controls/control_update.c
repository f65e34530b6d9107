/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control_update.c -- formulas: w = update(t, X, V, Z). */
#include "model/controls/control_kinds.h"

#include <stdlib.h>

typedef struct update {
  const ns_operator *f;
  double *work;
} update;

static int prepare(const ns_model *m, ns_control *k, ns_ctx *c)
{
  (void)m;
  return ns_control_check_written(k, c, "update");
}

static int create(void *self, ns_ctx *c, const ns_model *m, const ns_control *k, double *work)
{
  (void)c, (void)m;
  *(update *)self = (update){.f = ns_control_value(k, "update"), .work = work};
  return NS_OK;
}

static int sample(void *self, ns_ctx *c, const ns_sample *s, double *w)
{
  update *o = self;
  return ns_operator_eval(o->f, c, &s->p, o->work, w);
}

const ns_control_kind ns_control_update = {.name = "update",
                                           .help = "entries of z as formulas of t, the state and z",
                                           .prepare = prepare,
                                           .size = sizeof(update),
                                           .create = create,
                                           .sample = sample};
