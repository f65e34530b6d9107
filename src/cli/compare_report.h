/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_report.h -- comparisons for programs: JSON, and the XML of JUnit that CI servers show. */
#ifndef NS_CLI_COMPARE_REPORT_H
#define NS_CLI_COMPARE_REPORT_H

#include "cli/json.h"
#include "io/compare/compare.h"

/* One pair of files. report: valid where rc = NS_OK, else message says why there is none. */
typedef struct ns_compared {
  const char *a, *b, *name; /* paths; of the suite's line */
  int rc;                   /* of ns_compare; NS_DIFFER with a message: no partner file */
  const char *message;
  ns_compare_report report;
} ns_compared;

ns_json ns_compared_json(const ns_compared *x, const ns_compare_options *o);
/* A <testsuite> a pair with a <testcase> for the run, the events and each quantity. NS_NOCREATE,
 * NS_OUTPUT. */
int ns_compared_junit(ns_ctx *c, const ns_compared *x, size_t n, const char *path);

#endif
