/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mixed.h -- for tests: models of systems of several kinds as texts, run in n steps. */
#ifndef TESTS_SUPPORT_MIXED_H
#define TESTS_SUPPORT_MIXED_H

#include "simulation/simulation.h"
#include "support/run.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'>"
#define BOTH(theta) "<EulerMoreauOSI theta='" theta "'/><MoreauJeanOSI theta='" theta "'/>"
#define STEPS(integrators) \
  "<simulation T='1'><TimeStepping " \
  "h='1'>" integrators "</TimeStepping></simulation></model>"

#define TIGHT "<CVodeOSI relativeTolerance='1e-12' absoluteTolerance='1e-14'/>"
#define EVENTS_BY(flow) \
  "<simulation T='1'><EventDriven h='1'>" flow "</EventDriven></simulation></model>"
#define EVENTS EVENTS_BY(TIGHT)

/* The run of a model with n steps to T; options: another end and step than those written. */
static inline run steps(const char *model, double T, int n)
{
  return run_whole_as(model, T, T / n);
}

/* The same of systems, what is between them, and a simulation as EVENTS. */
static inline run run_to(const char *systems, const char *simulation, double T, int n)
{
  char text[16000];
  ck_assert_int_lt(snprintf(text, sizeof text, HEAD "%s%s", systems, simulation), (int)sizeof text);
  return steps(text, T, n);
}

static inline run events(const char *systems, double T, int n)
{
  return run_to(systems, EVENTS, T, n);
}

/* Column of the last row. */
static inline double last(const run *r, const char *label)
{
  for (size_t k = 0; k < r->got.ncols; k++)
    if (!strcmp(r->got.labels[k], label)) return r->got.rows[(r->got.nrows - 1) * r->got.ncols + k];
  ck_abort_msg("no column %s", label);
  return NAN;
}

/* Columns of both end alike: names [n] in the one and in the other. */
static inline void ends_alike(const run *a, const run *b, const char *const (*names)[2], int n,
                              double within)
{
  for (int i = 0; i < n; i++)
    ck_assert_msg(fabs(last(a, names[i][0]) - last(b, names[i][1])) <= within,
                  "%s: %.12g, %s: %.12g", names[i][0], last(a, names[i][0]), names[i][1],
                  last(b, names[i][1]));
}

static inline double at_end(const char *model, double T, int n, const char *label)
{
  run r = steps(model, T, n);
  double x = last(&r, label);
  run_end(&r);
  return x;
}

/* Event number k of an interaction of one kind, -1: of none. */
static inline const ns_event *event_of(const run *r, int interaction, ns_event_kind kind, int k)
{
  for (size_t i = 0; i < r->got.nevents; i++) {
    const ns_event *e = &r->got.events[i];
    if (e->interaction == interaction && e->kind == kind && k-- == 0) return e;
  }
  ck_abort_msg("no such event of interaction %d", interaction);
  return NULL;
}

/* What is certified was found good, and looked at all the way. */
static inline void is_certified(const run *r)
{
  const ns_certificate *k = r->x->cert;
  ck_assert_double_le(k->motion_defect, 1);
  ck_assert_double_le(k->law_breach, 1);
  ck_assert_double_le(k->event_breach, 1);
  ck_assert_double_eq_tol(k->checked, *r->x->t - r->m->sim.t0, 1e-9 * *r->x->t);
}

static unsigned long seed;
static inline double uniform(double a, double b)
{
  seed = seed * 6364136223846793005UL + 1442695040888963407UL;
  return a + (b - a) * (double)(seed >> 11) / (double)(1UL << 53);
}

/* ---- a model alone, and beside an idle system ------------------------------------------------ */

#define DUMMY "<FirstOrderLinearDS id='d' states='s'><x0>1</x0><A>-1</A></FirstOrderLinearDS>"

static inline void same_certificate(const ns_certificate *a, const ns_certificate *b, double within)
{
  ck_assert_int_eq(a->impacts, b->impacts);
  ck_assert_double_eq_tol(a->kinetic, b->kinetic, within);
  ck_assert_double_eq_tol(a->potential, b->potential, within);
  ck_assert_double_eq_tol(a->work_force, b->work_force, within);
  ck_assert_double_eq_tol(a->work_contact, b->work_contact, within);
  ck_assert_double_eq_tol(a->work_friction, b->work_friction, within);
  ck_assert_double_eq_tol(a->defect, b->defect, within);
}

/* Events, but for friction at rest: whether that sticks or slips at 1e-17 m/s is rounding. */
static inline int told(const run *r)
{
  int n = 0;
  for (size_t i = 0; i < r->got.nevents; i++) {
    const ns_event *e = &r->got.events[i];
    int at_rest = e->kind == NS_EVENT_STICK || (e->kind == NS_EVENT_SLIP && fabs(e->after) < 1e-12);
    n += !at_rest;
  }
  return n;
}

/* Runs it alone, and with a system beside it that has nothing to do with it; labels: NULL at the
 * end. */
static inline void is_alone_by(const char *systems, const char *rest, const char *integrator,
                               double T, int n, const char *const *labels, double within)
{
  char text[2][8000];
  snprintf(text[0], sizeof text[0], HEAD "<systems>%s</systems>%s" STEPS("%s"), systems, rest,
           integrator);
  snprintf(text[1], sizeof text[1],
           HEAD "<systems>" DUMMY "%s</systems>%s" STEPS("%s<EulerMoreauOSI/>"), systems, rest,
           integrator);
  run a = steps(text[0], T, n), b = steps(text[1], T, n);
  for (; *labels; labels++)
    ck_assert_msg(fabs(last(&a, *labels) - last(&b, *labels)) <= within, "%s: %.12g, %.12g",
                  *labels, last(&a, *labels), last(&b, *labels));
  ck_assert_double_eq_tol(last(&b, "d.s"), pow(1 + T / n, -n), 1e-12);
  ck_assert_int_eq(told(&a), told(&b));
  same_certificate(a.x->cert, b.x->cert, 10 * within);
  run_end(&a), run_end(&b);
}

static inline void is_alone(const char *systems, const char *rest, double T, int n,
                            const char *const *labels, double within)
{
  is_alone_by(systems, rest, "<MoreauJeanOSI/>", T, n, labels, within);
}

#endif
