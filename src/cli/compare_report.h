/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_report.h -- comparisons in JSON, and in the XML of JUnit, which CI servers display. */
#ifndef NS_CLI_COMPARE_REPORT_H
#define NS_CLI_COMPARE_REPORT_H

#include "io/compare/compare.h"
#include "io/json.h"

/* One pair of files. report: valid if rc = NS_OK, else message gives the reason. */
typedef struct ns_compared {
  const char *a, *b, *name; /* paths of the files; name in the suite */
  /* result of ns_compare; NS_DIFFER with a message: one of the files is missing */
  int rc;
  const char *message;
  ns_compare_report report;
} ns_compared;

ns_json ns_compared_json(const ns_compared *x, const ns_compare_options *o);
/* Write a <testsuite> for each pair, with a <testcase> for the run, the events and each quantity.
 * NS_NOCREATE, NS_OUTPUT. */
int ns_compared_junit(ns_ctx *c, const ns_compared *x, size_t n, const char *path);

#endif
