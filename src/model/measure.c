/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/measure.h"

#include "base/text.h"
#include "model/course.h"

#include <math.h>
#include <string.h>

const ns_measure_kind *ns_measure_kind_find(const char *name)
{
  return NS_NAMED_KIND(ns_measure_kind, ns_measure_kinds, name);
}

int ns_measure_takes(const ns_measure_kind *k, const char *attribute)
{
  static const struct {
    const char *name;
    unsigned flags;
  } special[] = {{"when", NS_MEASURE_CONDITION}, {"event", NS_MEASURE_EVENT},
                 {"every", NS_MEASURE_EVERY},    {"target", NS_MEASURE_BAND},
                 {"band", NS_MEASURE_BAND},      {"take", NS_MEASURE_TAKE},
                 {"keep", NS_MEASURE_KEEP}};
  for (size_t i = 0; i < sizeof special / sizeof *special; i++)
    if (!strcmp(special[i].name, attribute)) return (k->flags & special[i].flags) != 0;
  return 1;
}

/* Whether its formula or condition reads what is held over a step. */
static int reads_held(const ns_model *m, const ns_measure *s)
{
  return ns_course_of_formula(m, &s->of.value) != NS_COURSE_CONTINUOUS ||
         ns_course_of_formula(m, &s->when.value) != NS_COURSE_CONTINUOUS;
}

const char *const ns_of_event_names[NS_OF_EVENT] = {
    [NS_OF_EVENT_BEFORE] = "velocity_before",
    [NS_OF_EVENT_AFTER] = "velocity_after",
    [NS_OF_EVENT_IMPULSE] = "impulse",
    [NS_OF_EVENT_LOST] = "energy_lost",
};

void ns_measures_prepare(ns_model *m)
{
  size_t top = NS_MEASURED_HEAD;
  for (int i = 0; i < m->nmeasures; i++) {
    m->measures[i].slots = top;
    m->measures[i].of_event = (m->measures[i].of.value.uses >> NS_BANK_EVENT & 1u) != 0;
    top += NS_SLOTS + 2 * (size_t)m->measures[i].keep;
  }
  m->measured_past = top;
  int held = 0;
  for (int i = 0; i < m->nmeasures; i++)
    held |= m->measures[i].held = reads_held(m, &m->measures[i]);
  if (held) top += m->nq + m->nv + m->nrows + 2 * m->nangles;
  m->nmeasured = m->nmeasures ? top : 0;
}

/* What events or the end of the run tell alone, and shares of modes, which change at events. */
static int is_of_events(const ns_measure *s)
{
  if (s->listens || s->kind->flags & NS_MEASURE_SLIDING) return 1;
  return !strcmp(s->kind->name, "final") && !isfinite(s->until);
}

int ns_measures_of_motion(const ns_model *m)
{
  for (int i = 0; i < m->nmeasures; i++)
    if (!is_of_events(&m->measures[i])) return 1;
  return 0;
}

/* Banks that a formula reads, of plug-ins all; those of observables are added where it reads these.
 */
static unsigned banks_of(const ns_model *m, const ns_operator *formula)
{
  unsigned banks = formula->how == NS_OP_PLUGIN ? ~0u : formula->uses;
  for (int k = 0; k < m->nobservables && (banks >> NS_BANK_OBSERVABLE & 1u); k++) {
    const ns_operator *of = &m->observables[k].value;
    banks |= of->how == NS_OP_PLUGIN ? ~0u : of->uses;
  }
  return banks;
}

int ns_measures_of_forces(const ns_model *m, int jumps)
{
  unsigned of_motion = 1u << NS_BANK_T | 1u << NS_BANK_Q | 1u << NS_BANK_Z | 1u << NS_BANK_INDEX |
                       1u << NS_BANK_OBSERVABLE | 1u << NS_BANK_EVENT;
  if (!ns_model_has_rates(m)) of_motion |= 1u << NS_BANK_V;
  if (!jumps) of_motion |= 1u << NS_BANK_JOINT;
  for (int k = 0; k < m->nmeasures; k++) {
    const ns_measure *s = &m->measures[k];
    unsigned banks = banks_of(m, &s->of.value) | banks_of(m, &s->when.value);
    if (banks & ~of_motion || s->kind->flags & NS_MEASURE_SLIDING) return 1;
  }
  return 0;
}
