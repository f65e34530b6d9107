/* SPDX-License-Identifier: GPL-3.0-or-later */
/* whole.h -- for tests: an event-driven run of a model text to its end, which has to be certified.
 */
#ifndef TESTS_SUPPORT_WHOLE_H
#define TESTS_SUPPORT_WHOLE_H

#include "support/run.h"

/* NULL: it is refused, *c says why. */
static inline ns_model *load(const char *model, ns_ctx *c) { return load_model(c, model, NULL); }

static inline run whole(const char *model)
{
  run r = run_whole(model);
  ck_assert_double_le(r.x->cert->motion_defect, 1);
  ck_assert_double_le(r.x->cert->law_breach, 1);
  return r;
}

static inline const ns_event *first_of(const run *r, ns_event_kind kind)
{
  for (size_t k = 0; k < r->got.nevents; k++)
    if (r->got.events[k].kind == kind) return &r->got.events[k];
  ck_abort_msg("no %s", ns_event_text(kind));
  return NULL;
}

static inline int count_of(const run *r, ns_event_kind kind)
{
  int n = 0;
  for (size_t k = 0; k < r->got.nevents; k++) n += r->got.events[k].kind == kind;
  return n;
}

#endif
