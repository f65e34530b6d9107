/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step that fails, in every scheme of contact: the state is that of the step before, to the bit,
 * and the message names what is not finite. */
#include "support/run.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems><LagrangianLinearTIDS id='s' " \
  "coordinates='x y'><q0>0.5 0</q0>" \
  "<v0>0 1</v0><mass>1 0; 0 2</mass>"
#define MIDDLE "</LagrangianLinearTIDS></systems><interactions><interaction id='g' systems='s'>"
#define TAIL "<NewtonImpactNSL e='0.5'/></interaction></interactions><simulation " \
  "T='2'><TimeStepping h='0.0078125'>%s</TimeStepping>" \
  "</simulation></model>"

/* Not a number after t = 1: a gap; the velocity of a gap that is open all the time; a force. */
static const char *const what[] = {
    HEAD "<fExt>-9.81 0</fExt>" MIDDLE "<LagrangianRheonomousR><h>x + 1e-9*sqrt(1.001 - t)</h>"
         "</LagrangianRheonomousR>" TAIL,
    HEAD "<fExt>-9.81 0</fExt>" MIDDLE
         "<LagrangianRheonomousR><h>x + y; 1 + y + 1e-9*sqrt(1 - t)</h>"
         "</LagrangianRheonomousR>" TAIL,
    HEAD "<fExt>-9.81 1e-9*sqrt(1 - t)</fExt>" MIDDLE
         "<LagrangianLinearTIR><H>1 0</H></LagrangianLinearTIR>" TAIL};
static const char *const scheme[] = {"<MoreauJeanOSI/>",
                                     "<MoreauJeanGOSI/>",
                                     "<MoreauJeanDirectProjectionOSI/>",
                                     "<MoreauJeanCombinedProjectionOSI/>",
                                     "<D1MinusLinearOSI variant='velocity'/>",
                                     "<D1MinusLinearOSI variant='acceleration'/>",
                                     "<SchatzmanPaoliOSI/>"};
enum { KINDS = sizeof what / sizeof *what, SCHEMES = sizeof scheme / sizeof *scheme };

static void same(const double *a, const double *b, size_t n)
{
  ck_assert_mem_eq(a, b, n * sizeof *a);
}

START_TEST(a_step_that_fails_leaves_the_last_state)
{
  int kind = _i % KINDS, which = _i / KINDS;
  char text[2048];
  if (which + 1 == SCHEMES && kind + 1 < KINDS) return; /* linear relations only */
  snprintf(text, sizeof text, what[kind], scheme[which]);
  run a = run_load(text, NULL), b = run_load(text, NULL);
  a.c.report = NULL;
  ck_assert_msg(ns_simulation_run(a.s, &a.c, NULL, NULL) == NS_NUMERIC, "%s: %s", scheme[which],
                a.c.msg);
  ck_assert_msg(strstr(a.c.msg, "finite") &&
                    strstr(a.c.msg, kind < 2 ? "<interaction" : "<fExt> of y"),
                "%s", a.c.msg);
  ns_watch w = {.max_steps = *a.x->step};
  ck_assert_int_eq((int)*a.x->step, kind == 1 ? 127 : 128);
  ck_assert_int_eq(ns_simulation_run(b.s, &b.c, NULL, &w), NS_STOPPED);
  size_t nv = a.m->nv, rows = a.m->nrows;
  ck_assert_double_eq(*a.x->t, *b.x->t);
  same(a.x->q, b.x->q, nv);
  same(a.x->v, b.x->v, nv);
  same(a.x->y, b.x->y, rows);
  same(a.x->ydot, b.x->ydot, rows);
  same(a.x->lambda, b.x->lambda, rows);
  ck_assert_mem_eq(a.x->mode, b.x->mode, rows);
  ck_assert_mem_eq(a.x->cert, b.x->cert, sizeof *a.x->cert);
  run_end(&a);
  run_end(&b);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, a_step_that_fails_leaves_the_last_state, 0, KINDS * SCHEMES);
}

int main(void) { return suite_run("failing steps", fill); }
