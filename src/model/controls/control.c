/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/controls/control.h"

#include "base/grow.h"
#include "base/text.h"
#include "expression/freeze.h"
#include "model/controls/control_kinds.h"
#include "model/language/language.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const ns_control_kind *const ns_control_kinds[] = {&ns_control_update,
                                                   &ns_control_sensor,
                                                   &ns_control_pid,
                                                   &ns_control_state_space,
                                                   &ns_control_transfer_function,
                                                   &ns_control_limiter,
                                                   &ns_control_hysteresis,
                                                   &ns_control_smc,
                                                   &ns_control_smc_ot2,
                                                   &ns_control_twisting,
                                                   &ns_control_super_twisting,
                                                   &ns_control_observer,
                                                   &ns_control_sliding_observer,
                                                   &ns_control_kalman,
                                                   &ns_control_plugin,
                                                   NULL};

const ns_control_kind *ns_control_kind_find(const char *name)
{
  return NS_NAMED_KIND(ns_control_kind, ns_control_kinds, name);
}

int ns_control_fail(const ns_control *k, ns_ctx *c, const char *fmt, ...)
{
  char what[400];
  NS_FORMAT(what, fmt);
  return ns_fail_at(c, NS_MODEL, &k->at, "%s", what);
}

int ns_control_check_written(const ns_control *k, ns_ctx *c, const char *name)
{
  int rows = ns_control_value(k, name)->rows;
  if (rows == k->nwrites) return NS_OK;
  return ns_control_fail(k, c, "<%s> has %d entr%s, expected %d: one for each entry that it writes",
                         name, rows, rows == 1 ? "y" : "ies", k->nwrites);
}

int ns_control_check_one(const ns_control *k, ns_ctx *c, const char *what)
{
  if (k->nwrites == 1) return NS_OK;
  return ns_control_fail(k, c,
                         "writes %d entries, expected one: the %s of the <%s>; name it in "
                         "writes=\"...\"",
                         k->nwrites, what, k->kind->name);
}

int ns_control_check_limits(const ns_control *k, ns_ctx *c, double lower, double upper)
{
  if (lower < upper) return NS_OK;
  return ns_control_fail(k, c, "<%s> has lower = %g, expected less than upper = %g", k->kind->name,
                         lower, upper);
}

/* The row of the language that numbers and values are ordered by: formulas stand in <control>
 * itself. */
static const ns_lang_element *element(const ns_control *k)
{
  return ns_lang_find(k->kind == &ns_control_update ? "control" : k->kind->name);
}

double ns_control_number(const ns_control *k, const char *attribute, double otherwise)
{
  const ns_lang_element *e = element(k);
  const ns_lang_item *i = ns_lang_attribute(e, attribute);
  double x = i ? k->number[i - e->attributes] : NAN;
  return isnan(x) ? otherwise : x;
}

const ns_operator *ns_control_value(const ns_control *k, const char *name)
{
  const ns_lang_element *e = element(k);
  return &k->value[ns_lang_value(e, name) - e->values];
}

const ns_operator *ns_control_jacobian(const ns_control *k, const char *name)
{
  const ns_lang_element *e = element(k);
  return &k->jacobian[ns_lang_value(e, name) - e->values];
}

int ns_control_begin(ns_ctx *c, const ns_model *m, const ns_control *k, void **self)
{
  size_t max = 0, head = (k->kind->size + 63) & ~(size_t)63;
  const ns_lang_element *e = element(k);
  for (int i = 0; e->values && e->values[i].name; i++) {
    size_t w = ns_operator_work(&k->value[i]),
           d = k->jacobian ? ns_operator_work(&k->jacobian[i]) : 0;
    if (w > max) max = w;
    if (d > max) max = d;
  }
  char *o = *self = calloc(1, head + max * sizeof(double));
  if (!o) return ns_nomem(c, k->kind->name);
  return k->kind->create(o, c, m, k, (double *)(void *)(o + head));
}

void ns_control_end(const ns_control *k, void *self)
{
  if (self && k->kind->destroy) k->kind->destroy(self);
  free(self);
}

const char *ns_control_entry(const ns_model *m, const ns_control *k, int j, char *buf, size_t n)
{
  int i = 0;
  while (j >= m->systems[k->systems[i]].nz) j -= m->systems[k->systems[i++]].nz;
  const ns_system *s = &m->systems[k->systems[i]];
  const char *id = k->nsystems > 1 && s->at.id ? s->at.id : "", *dot = *id ? "." : "";
  if (s->znames) snprintf(buf, n, "%s%s%s", id, dot, s->znames[j]);
  else snprintf(buf, n, "%s%sz[%d]", id, dot, j);
  return buf;
}

/* A time in steps, to a billionth of a step: such samples are counted and do not drift from the
 * grid. 0: it is no whole number of them. */
static int whole_steps(double time, double h, long long *steps)
{
  double n = time / h, whole = round(n);
  *steps = (long long)whole;
  return fabs(n - whole) <= 1e-9 * fmax(n, 1);
}

/* Number of steps, or NS_MODEL. */
static int check_time(const ns_control *k, ns_ctx *c, const char *what, double time, double h)
{
  if (time >= 0 && time / h < 9e15) return NS_OK;
  return ns_control_fail(k, c, "%s is %g s, expected a positive number of at most 9e15 steps", what,
                         time);
}

static int count_steps(const ns_model *m, ns_control *k, ns_ctx *c)
{
  double h = m->sim.ts.h;
  if (!(h > 0)) return NS_OK; /* reported with the options */
  if (!(k->period >= 0))
    return ns_control_fail(k, c, "period is %g s, expected a positive number of at most 9e15 steps",
                           k->period);
  int rc = check_time(k, c, "period", k->period, h);
  if (!rc) rc = check_time(k, c, "offset", k->offset, h);
  if (rc) return rc;
  int events = m->sim.event_driven;
  if (k->period == 0) k->period = h;
  int whole = whole_steps(k->period, h, &k->every) && k->every > 0;
  whole &= whole_steps(k->offset, h, &k->first);
  if (whole) k->period = (double)k->every * h;
  else k->every = 0;
  if (k->period >= h || whole || (events && k->period >= 1e-6 * h)) return NS_OK;
  return ns_control_fail(
      k, c,
      events ? "period is %.10g s, expected at least 1e-6 of h = %.10g s, the "
               "distance of the rows"
             : "period is %.10g s, expected at least the step h = %.10g s: a block acts once "
               "before a step; use a smaller step, or <EventDriven>, which stops at each sample",
      k->period, h);
}

/* Whether it acts at each sample; else it counts how often it did. */
static int prepare_window(ns_control *k, ns_ctx *c)
{
  k->gated = k->from > -INFINITY || k->until < INFINITY || k->when.how != NS_OP_ABSENT;
  if (k->from > k->until)
    return ns_control_fail(k, c, "from is %.10g s and until %.10g s, expected a later until",
                           k->from, k->until);
  if (!k->gated && !isnan(k->otherwise))
    return ns_control_fail(
        k, c,
        "has otherwise, but is active at each sample; give from, until or when, or remove it");
  return NS_OK;
}

static int prepare(const ns_model *m, ns_control *k, ns_ctx *c)
{
  k->nmemory = 0;
  int rc = count_steps(m, k, c);
  if (k->nZ == 0)
    return ns_control_fail(
        k, c,
        "has no entry to write to: its system%s no user vector; give <z> or inputs=\"u\" there",
        k->nsystems == 1 ? " has" : "s have");
  int rc2 = k->kind->prepare(m, k, c), rc3 = prepare_window(k, c);
  k->nmemory += k->gated;
  if (!rc) rc = rc2;
  return rc ? rc : rc3;
}

int ns_control_reads_run(const ns_control *k)
{
  const unsigned run = 1u << NS_BANK_OBSERVABLE | 1u << NS_BANK_JOINT;
  const ns_lang_element *e = element(k);
  unsigned uses = k->when.uses;
  for (int i = 0; e->values && e->values[i].name; i++) uses |= k->value[i].uses;
  return (uses & run) != 0;
}

static int jumps(const ns_operator *f)
{
  return f->how == NS_OP_TAPE && !ns_tape_is_smooth_in(f->formula->tape, NS_BANK_T);
}

int ns_control_jumps(const ns_control *k)
{
  const ns_lang_element *e = element(k);
  int some = jumps(&k->when);
  for (int i = 0; e->values && e->values[i].name; i++) some |= jumps(&k->value[i]);
  return some;
}

size_t ns_control_target(const ns_model *m, const ns_control *k, int j)
{
  int i = 0;
  while (j >= m->systems[k->systems[i]].nz) j -= m->systems[k->systems[i++]].nz;
  return m->systems[k->systems[i]].z + (size_t)j;
}

/* Two blocks that write one entry would hide each other's work. */
static int check_writers(const ns_model *m, ns_ctx *c)
{
  int rc = NS_OK, *writer = m->ncontrols ? calloc(m->nz + 1, sizeof *writer) : NULL;
  char name[64];
  if (!m->ncontrols) return NS_OK;
  if (!writer) return ns_nomem(c, "check of the controls");
  for (int a = 0; a < m->ncontrols; a++) {
    const ns_control *k = &m->controls[a];
    for (int i = 0; i < k->nwrites; i++) {
      int *by = &writer[ns_control_target(m, k, k->writes[i])];
      if (*by) ns_control_entry(m, k, k->writes[i], name, sizeof name);
      if (*by == a + 1)
        rc = ns_control_fail(k, c, "writes %s twice, expected different entries", name);
      else if (*by)
        rc = ns_control_fail(k, c,
                             "writes %s, which %s writes too, expected one writer for each entry",
                             name, m->controls[*by - 1].at.id);
      *by = a + 1;
    }
  }
  free(writer);
  return rc;
}

int ns_controls_prepare(ns_model *m, ns_ctx *c)
{
  int first = NS_OK;
  m->nmemory = 0;
  for (int i = 0; i < m->ncontrols; i++) {
    ns_control *k = &m->controls[i];
    int rc = prepare(m, k, c);
    if (!first) first = rc;
    k->memory = m->nmemory;
    m->nmemory += (size_t)k->nmemory;
  }
  int rc = check_writers(m, c);
  return first ? first : rc;
}
