/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collect.h -- from manifest and journals to one table: a row a run, by run number, whoever did it
 * and when. */
#ifndef NS_STUDY_COLLECT_H
#define NS_STUDY_COLLECT_H

#include "io/results/run_table.h"
#include "study/journal.h"
#include "study/manifest.h"

/* Memory of a, but for t->value: malloced, to be freed. NS_NOMEM. */
int ns_collect_table(ns_ctx *c, const ns_manifest *m, const ns_journal *j, ns_arena *a,
                     ns_run_table *t);
/* DIR/measures.csv and DIR/measures.h5. NS_NOCREATE, NS_OUTPUT, NS_NOMEM. */
int ns_collect_write(ns_ctx *c, const char *dir, const ns_manifest *m, const ns_journal *j);

#endif
