/* SPDX-License-Identifier: GPL-3.0-or-later */
/* accumulation="time-stepping" with systems of several kinds: impacts of mechanics accumulate, and
 * time-stepping takes all systems on until they rest. The other way, "stick", comes to the same. */
#include "support/interrupted.h"
#include "support/slope.h"

#define RUN(T, how) \
  "<simulation T='" T "'><EventDriven h='0.01' " how \
  "><CVodeOSI relativeTolerance='1e-11' absoluteTolerance='1e-13'/></EventDriven></simulation>"

/* A ball that drags a state behind it, which pulls it back, a rigid ball on a plane, and a diode
 * whose source reads the ball: it switches all the time. */
#define BALLS \
  "<systems><LagrangianDS id='ball' coordinates='x'><q0>1</q0><mass>1</mass><fExt>-9.81 - " \
  "0.5*c.z</fExt></LagrangianDS><FirstOrderNonLinearDS id='c' states='z'><x0>0</x0><f>-c.z + " \
  "ball.v_x</f></FirstOrderNonLinearDS><NewtonEulerDS id='b'><q0>0 0 1.2 1 0 0 0</q0>" \
  "<mass>1</mass><inertia diag='0.004 0.004 0.004'/><fExt>0 0 -9.81 + c.z</fExt><Sphere " \
  "radius='0.1'/></NewtonEulerDS><netlist id='n'>\nV1 s 0 5*sin(200*t)+ball.x\nR1 s a 1\nD1 a b\n" \
  "R2 b 0 1\nL1 b 0 1e-2\n</netlist></systems><interactions><interaction id='floor' " \
  "systems='ball'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e='0.5'/>" \
  "</interaction></interactions><contacts><NewtonImpactFrictionNSL en='0.6' mu='0.3'/><Plane/>" \
  "</contacts>"
#define CONDITION "<events><event id='up' when='n.i_L1 &gt; 0.5' record='row'/></events>"

/* A relation of first order that pushes the ball: a damper that acts one way. */
#define PUSHED \
  "<systems><LagrangianDS id='ball' coordinates='x'><q0>1</q0><mass>1</mass><fExt>-9.81 + " \
  "0.3*c.z</fExt></LagrangianDS><FirstOrderNonLinearDS id='c' states='z'><x0>0</x0><f>-4*c.z + " \
  "ball.v_x</f></FirstOrderNonLinearDS></systems><interactions><interaction id='floor' " \
  "systems='ball'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e='0.7'/>" \
  "</interaction><interaction id='rub' systems='ball c'><FirstOrderLinearTIR><C>1 " \
  "0.2</C><B>-0.4; " \
  "0.1</B></FirstOrderLinearTIR><RelayNSL lb='-1' ub='1'/></interaction></interactions>"

static run play(const char *model, const char *how)
{
  char text[8000];
  snprintf(text, sizeof text, "<model xmlns='urn:nssim:model:1' name='m'>%s%s</model>", model, how);
  return run_play(text);
}

static int count(const run *r, ns_event_kind kind, const char *interaction)
{
  int n = 0;
  for (size_t k = 0; k < r->got.nevents; k++) {
    const ns_event *e = &r->got.events[k];
    const char *id = e->interaction >= 0 ? r->m->interactions[e->interaction].at.id : "";
    n += e->kind == kind && (!interaction || (id && !strcmp(id, interaction)));
  }
  return n;
}

/* Of the floor, or of the contact between shapes. */
static const ns_event *rest_of(const run *r, int floor)
{
  for (size_t k = 0; k < r->got.nevents; k++) {
    const ns_event *e = &r->got.events[k];
    const char *id = e->interaction >= 0 ? r->m->interactions[e->interaction].at.id : NULL;
    if (e->kind == NS_EVENT_CONTACT && (id && !strcmp(id, "floor")) == floor) return e;
  }
  ck_abort_msg("it does not come to rest");
  return NULL;
}

static double worst_difference(const run *a, const run *b)
{
  double worst = 0;
  for (size_t i = 0; i < a->m->nq; i++) worst = fmax(worst, fabs(a->x->q[i] - b->x->q[i]));
  for (size_t i = 0; i < a->m->nv; i++) worst = fmax(worst, fabs(a->x->v[i] - b->x->v[i]));
  return worst;
}

/* Rest at the same time to O(h), the same events of first order and of the user, and the same state
 * in the end. */
START_TEST(it_comes_to_what_stick_comes_to)
{
  run r = play(BALLS, RUN("2.5", "") CONDITION), s[2];
  for (int k = 0; k < 2; k++) {
    s[k] = play(BALLS, k ? RUN("2.5", "accumulation='time-stepping' hybridStep='1e-5'") CONDITION
                         : RUN("2.5", "accumulation='time-stepping' hybridStep='1e-4'") CONDITION);
    double h = k ? 1e-5 : 1e-4;
    for (int floor = 0; floor < 2; floor++)
      ck_assert_double_eq_tol(rest_of(&s[k], floor)->t, rest_of(&r, floor)->t, 15 * h);
    ck_assert_int_eq(count(&s[k], NS_EVENT_SWITCH, NULL), count(&r, NS_EVENT_SWITCH, NULL));
    ck_assert_int_eq(count(&s[k], NS_EVENT_USER, NULL), count(&r, NS_EVENT_USER, NULL));
    ck_assert_int_lt(count(&s[k], NS_EVENT_IMPACT, "floor"), count(&r, NS_EVENT_IMPACT, "floor"));
    ck_assert_double_le(s[k].x->cert->defect_max, 1e-5);
  }
  double coarse = worst_difference(&s[0], &r), fine = worst_difference(&s[1], &r);
  ck_assert_msg(coarse < 1e-5 && fine < 1e-7, "%g, %g", coarse, fine);
  for (int k = 0; k < 2; k++) run_end(&s[k]);
  run_end(&r);
}
END_TEST

/* Multipliers of first order are forces on the ball, in the steps as between events. */
START_TEST(what_first_order_pushes_is_pushed_in_the_steps_too)
{
  run r = play(PUSHED, RUN("3.5", "")),
      s = play(PUSHED, RUN("3.5", "accumulation='time-stepping' hybridStep='2e-5'"));
  ck_assert_double_eq_tol(rest_of(&s, 1)->t, rest_of(&r, 1)->t, 15 * 2e-5);
  ck_assert_double_le(worst_difference(&s, &r), 1e-6);
  for (size_t i = 0; i < r.m->nrows; i++)
    ck_assert_double_eq_tol(s.x->lambda[i], r.x->lambda[i], 1e-5);
  ck_assert_int_lt(count(&s, NS_EVENT_IMPACT, "floor"), count(&r, NS_EVENT_IMPACT, "floor"));
  run_end(&s);
  run_end(&r);
}
END_TEST

/* maxEvents is of a step of the grid, which has two here; the run has more. */
START_TEST(events_are_counted_by_the_step)
{
  run r = play(
      "<systems><LagrangianDS id='ball' coordinates='x'><q0>0.001</q0><mass>1</mass><fExt>-9.81"
      "</fExt></LagrangianDS><FirstOrderNonLinearDS id='c' states='z'><x0>0</x0><f>ball.v_x</f>"
      "</FirstOrderNonLinearDS></systems><interactions><interaction id='floor' systems='ball'>"
      "<LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e='1'/></interaction>"
      "</interactions>",
      "<simulation T='1.2'><EventDriven h='0.05' maxEvents='10'><CVodeOSI/></EventDriven>"
      "</simulation>");
  ck_assert_int_eq(count(&r, NS_EVENT_IMPACT, "floor"),
                   1 + (int)((1.2 - sqrt(2e-3 / 9.81)) / sqrt(8e-3 / 9.81)));
  run_end(&r);
}
END_TEST

/* Saved within the steps too, whose table and state are the same bits then. */
START_TEST(it_goes_on_from_a_checkpoint)
{
  char text[8000];
  snprintf(text, sizeof text, "<model xmlns='urn:nssim:model:1' name='m'>%s%s</model>",
           _i ? PUSHED : BALLS,
           _i ? RUN("2.6", "accumulation='time-stepping' hybridStep='5e-4'")
              : RUN("2", "accumulation='time-stepping' hybridStep='5e-4'") CONDITION);
  ck_assert_int_eq(goes_on_the_same(text, &(change){0}, some_of(24), 5 + (unsigned long)_i), 1);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 120);
  tcase_add_test(t, it_comes_to_what_stick_comes_to);
  tcase_add_test(t, what_first_order_pushes_is_pushed_in_the_steps_too);
  tcase_add_test(t, events_are_counted_by_the_step);
  tcase_add_loop_test(t, it_goes_on_from_a_checkpoint, 0, 2);
}

int main(void) { return suite_run("mixed accumulation", fill); }
