/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collect.h -- collects manifest and journals in one table, with one row per run in the order of
 * run numbers, independent of which process did a run and when. */
#ifndef NS_STUDY_COLLECT_H
#define NS_STUDY_COLLECT_H

#include "io/results/run_table.h"
#include "study/journal.h"
#include "study/manifest.h"

/* Write DIR/measures.csv and DIR/measures.h5. NS_NOCREATE, NS_OUTPUT, NS_NOMEM. */
int ns_collect_write(ns_ctx *c, const char *dir, const ns_manifest *m, const ns_journal *j);

#endif
