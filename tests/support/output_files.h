/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output_files.h -- tests that write and read outputs: a scratch folder, the module, a run by hand.
 */
#ifndef NS_TESTS_OUTPUT_FILES_H
#define NS_TESTS_OUTPUT_FILES_H

#include "io/results/result.h"
#include "io/results/sinks.h"
#include "support/output_fixture.h"

#include <check.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* The HDF5 module of this build stands in modules/, two folders above the test. */
static inline void use_own_module(void)
{
  char exe[3000], dir[3200];
  ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
  exe[n > 0 ? n : 0] = 0;
  char *slash = strrchr(exe, '/');
  if (slash) *slash = 0;
  snprintf(dir, sizeof dir, "%s/../../modules", exe);
  setenv("NSSIM_MODULE_PATH", dir, 0);
}

static inline int have_module(void)
{
  char path[3300];
  snprintf(path, sizeof path, "%s/nssim-hdf5.so", getenv("NSSIM_MODULE_PATH"));
  return access(path, R_OK) == 0;
}

/* A new folder and the process in it; removed by leave_scratch. */
static inline void enter_scratch(char dir[64])
{
  strcpy(dir, "/tmp/nssim-test-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(dir));
  ck_assert_int_eq(chdir(dir), 0);
}

static inline void leave_scratch(const char *dir)
{
  char cmd[192];
  snprintf(cmd, sizeof cmd, "chmod -R u+w %s; rm -rf %s", dir, dir);
  ck_assert_int_eq(chdir("/"), 0);
  ck_assert_int_eq(system(cmd), 0);
}

static inline int open_recorder(fixture *f, ns_ctx *c, const char *path, ns_recorder **r)
{
  const ns_sink_ops *ops;
  *r = NULL;
  memset(c, 0, sizeof *c);
  int rc = ns_sink_find(c, path, &ops);
  return rc ? rc : ns_recorder_create(c, &f->model, &f->state, ops, path, &f->info, NULL, 0, 1, r);
}

static inline ns_event fixture_event(int k)
{
  return (ns_event){.t = 0.1 * k,
                    .kind = (ns_event_kind)(k % 3),
                    .interaction = k % 2,
                    .row = k % 2,
                    .before = -1.0 / (k + 1),
                    .after = 0.7 / (k + 1),
                    .impulse = 0.1 + k};
}

/* Rows 0..last and some events. */
static inline int write_run(fixture *f, ns_ctx *c, const char *path, int last, int nevents)
{
  ns_recorder *r;
  int rc = open_recorder(f, c, path, &r);
  for (int k = 0; k <= last && !rc; k++) {
    fixture_step(f, k);
    ns_recorder_step(r);
    rc = ns_recorder_row(r, c);
  }
  for (int k = 0; k < nevents && !rc; k++) {
    ns_event e = fixture_event(k);
    rc = ns_recorder_event(r, c, &e);
  }
  int end = ns_recorder_close(r, c, &f->result);
  return rc ? rc : end;
}

static inline ns_result *open_result(ns_ctx *c, const char *path)
{
  ns_result *r = NULL;
  memset(c, 0, sizeof *c);
  int rc = ns_result_open(c, path, &r);
  ck_assert_msg(rc == NS_OK, "%s", c->msg);
  return r;
}

/* One column by its label, to be freed. */
static inline double *read_column(ns_result *r, ns_ctx *c, const char *label)
{
  ns_column col;
  double *x = malloc((ns_result_get_meta(r)->nrows + 1) * sizeof *x);
  int rc = ns_result_find(r, c, label, &col);
  if (!rc) rc = ns_result_read(r, c, &col, x);
  ck_assert_msg(rc == NS_OK, "%s", c->msg);
  return x;
}

#endif
