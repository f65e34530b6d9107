/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suite.h -- the end of every Check program. */
#ifndef TESTS_SUPPORT_SUITE_H
#define TESTS_SUPPORT_SUITE_H

#include <check.h>

/* Run the suite; status of main: 0 where no test failed. */
static inline int suite_end(Suite *s)
{
  SRunner *r = srunner_create(s);
  srunner_run_all(r, CK_NORMAL);
  int failed = srunner_ntests_failed(r);
  srunner_free(r);
  return failed != 0;
}

/* A suite of one case. */
static inline int suite_run(const char *name, void (*fill)(TCase *))
{
  Suite *s = suite_create(name);
  TCase *t = tcase_create(name);
  fill(t);
  suite_add_tcase(s, t);
  return suite_end(s);
}

#endif
