/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_findings.h -- records the findings of a comparison; the report outlives the results. */
#ifndef NS_IO_COMPARE_COMPARE_FINDINGS_H
#define NS_IO_COMPARE_COMPARE_FINDINGS_H

#include "io/compare/compare.h"

typedef struct ns_compare_pen {
  ns_arena *kept; /* of the report */
  ns_compare_report *rep;
} ns_compare_pen;

/* 1 if the options ask for a label: by a pattern of --only, where there is one, and by none of
 * --ignore. means: a pattern means the label. */
int ns_compare_asks(const ns_compare_options *o, const char *label,
                    int (*means)(const char *pattern, const char *label));
/* Copy a text; NULL for NULL. On failure, reported in c, "" is returned. */
const char *ns_compare_keep(const ns_compare_pen *p, ns_ctx *c, const char *text);
/* Add a finding that is not about values, with its message; those beyond NS_COMPARE_MAX are only
 * counted. */
void ns_compare_find(const ns_compare_pen *p, ns_ctx *c, ns_compare_kind kind, const char *quantity,
                     double t, const char *fmt, ...) NS_PRINTF(6, 7);
/* Add a message about what was not compared. */
void ns_compare_note(const ns_compare_pen *p, ns_ctx *c, const char *fmt, ...) NS_PRINTF(3, 4);

#endif
