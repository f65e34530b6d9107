/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mixed.h -- for tests: models of systems of several kinds as texts, run in n steps. */
#ifndef TESTS_SUPPORT_MIXED_H
#define TESTS_SUPPORT_MIXED_H

#include "simulation/simulation.h"
#include "support/run.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'>"
#define BOTH(theta) "<EulerMoreauOSI theta='" theta "'/><MoreauJeanOSI theta='" theta "'/>"
#define STEPS(integrators) "<simulation T='1'><TimeStepping h='1'>" integrators "</TimeStepping></simulation></model>"

/* The run of a model with n steps to T; options: another end and step than those written. */
static inline run steps(const char *model, double T, int n)
{
  run r = {.c = {.report = to_stderr}};
  ns_load_options o = {0};
  ns_load_memory(&r.c, "test.xml", model, strlen(model), &o, NULL, &r.m);
  ck_assert_msg(r.m != NULL, "%s", r.c.msg);
  r.m->sim.T = T;
  r.m->sim.ts.h = T / n;
  ck_assert_msg(ns_simulation_create(&r.c, r.m, &r.s) == NS_OK, "%s", r.c.msg);
  r.x = ns_simulation_state(r.s);
  int rc = run_keep(&r);
  ck_assert_msg(rc == NS_OK, "%s", r.c.msg);
  return r;
}

/* Column of the last row. */
static inline double last(const run *r, const char *label)
{
  for (size_t k = 0; k < r->got.ncols; k++)
    if (!strcmp(r->got.labels[k], label)) return r->got.rows[(r->got.nrows - 1) * r->got.ncols + k];
  ck_abort_msg("no column %s", label);
  return NAN;
}

static inline double at_end(const char *model, double T, int n, const char *label)
{
  run r = steps(model, T, n);
  double x = last(&r, label);
  run_end(&r);
  return x;
}

static unsigned long seed;
static inline double uniform(double a, double b)
{
  seed = seed * 6364136223846793005UL + 1442695040888963407UL;
  return a + (b - a) * (double)(seed >> 11) / (double)(1UL << 53);
}

#endif
