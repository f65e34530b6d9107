/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accumulating impacts: what accumulation="stick", "time-stepping" and "stop" make of them. */
#include "support/interrupted.h"
#include "support/mechanics.h"

/* A ball that falls from 1 m, e, further balls and interactions, attributes of the strategy. */
#define BALL \
  "<systems><LagrangianLinearTIDS id='ball' " \
  "coordinates='x'><q0>1</q0><mass>1</mass><fExt>-9.81</fExt></LagrangianLinearTIDS>%s" \
  "</systems><interactions><interaction id='ground' " \
  "systems='ball'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>" \
  "<NewtonImpactNSL e='%g'/></interaction>%s</interactions><simulation T='%g'><EventDriven " \
  "h='0.1' %s><CVodeOSI/></EventDriven></simulation>%s"

/* When the bounces of that ball end. */
static double end_of_bounces(double e) { return sqrt(2 / G) * (1 + e) / (1 - e); }

static const ns_event *event_of(const run *r, ns_event_kind kind, int interaction)
{
  for (size_t k = 0; k < r->got.nevents; k++)
    if (r->got.events[k].kind == kind && r->got.events[k].interaction == interaction)
      return &r->got.events[k];
  ck_abort_msg("no event of kind %d at interaction %d", (int)kind, interaction);
  return NULL;
}

static void rests(const run *r)
{
  ck_assert_double_eq_tol(r->x->q[0], 0, 1e-14);
  ck_assert_double_eq(r->x->v[0], 0);
  ck_assert_double_eq_tol(r->x->lambda[0], G, 1e-12);
  ck_assert_double_eq_tol(r->x->cert->kinetic + r->x->cert->potential, 0, 1e-12);
  ck_assert_double_eq_tol(r->x->cert->work_contact, -G, 1e-10);
  ck_assert_double_le(r->x->cert->defect_max, 1e-10);
}

static const double restitutions[] = {0.5, 0.9};

/* The ball rests where its bounces end, whichever way it gets there: to the speed that counts as
 * rest, or to the step of the scheme, over three decades of it. */
START_TEST(a_ball_comes_to_the_same_rest_at_the_same_time)
{
  double e = restitutions[_i], t = end_of_bounces(e), T = ceil(t + 1);
  run r = recorded(mechanics(BALL, "", e, "", T, "accumulation='stick'", ""));
  ck_assert_double_eq_tol(event_of(&r, NS_EVENT_CONTACT, 0)->t, t, 1e-6 / G * 2 / (1 - e) + 1e-7);
  rests(&r);
  run_end(&r);
  for (double h = 1e-2; h > 5e-6; h /= 10) {
    char how[128];
    snprintf(how, sizeof how, "accumulation='time-stepping' hybridStep='%g'", h);
    r = recorded(mechanics(BALL, "", e, "", T, how, ""));
    ck_assert_double_eq_tol(event_of(&r, NS_EVENT_CONTACT, 0)->t, t, 10 * h);
    ck_assert_double_eq_tol(event_of(&r, NS_EVENT_ACCUMULATION, 0)->t, t, 15 * h);
    rests(&r);
    run_end(&r);
  }
}
END_TEST

/* Energy of the lines of the table: impacts up to the interval, and what was taken in it, are all
 * that the ball had. */
START_TEST(the_accumulation_names_its_contact_and_its_energy)
{
  double e = restitutions[_i], h = 1e-3, lost = 0;
  run r = recorded(
      mechanics(BALL, "", e, "", 10., "accumulation='time-stepping' hybridStep='0.001'", ""));
  const ns_event *a = event_of(&r, NS_EVENT_ACCUMULATION, 0);
  double speed = 0, t = 0, flight = 1; /* of the rebound after which time-stepping takes over */
  for (const ns_event *k = r.got.events; k < a && flight > 8 * h; k++)
    lost += k->lost, speed = k->after, flight = k->t - t, t = k->t;
  ck_assert_double_le(speed, 8 * h * G / 2 * (1 + 1e-9));
  /* one flight is the last that was not too short */
  ck_assert_double_ge(speed, e * 8 * h * G / 2 * (e - 1e-9));
  ck_assert_double_gt(a->lost, 0);
  ck_assert_double_eq_tol(lost + a->lost, G, 1e-12 * G);
  /* sinks by h v, which the return lifts */
  ck_assert_double_eq_tol(a->lost, speed * speed / 2, 3e-3 * speed * speed);
  ck_assert_int_eq(a->is, NS_ROW_CLOSED);
  run_end(&r);
}
END_TEST

START_TEST(stop_ends_the_run_there)
{
  double e = restitutions[_i];
  run r = mechanics(BALL, "", e, "", 12., "accumulation='stop'", "");
  r.c.report = NULL;
  ck_assert_int_eq(run_keep(&r), NS_NUMERIC);
  ck_assert_ptr_nonnull(strstr(r.c.msg, "ground"));
  ck_assert_double_eq_tol(*r.x->t, end_of_bounces(e), 1e-5);
  run_end(&r);
}
END_TEST

#define UPPER(x, v) \
  "<LagrangianLinearTIDS id='upper' coordinates='x'><q0>" x "</q0><v0>" v "</v0>" \
  "<mass>0.5</mass><fExt>-4.905</fExt></LagrangianLinearTIDS>"
#define BETWEEN \
  "<interaction id='between' systems='ball upper'><LagrangianLinearTIR><H>-1 " \
  "1</H><e>-0.1</e></LagrangianLinearTIR>" \
  "<NewtonImpactNSL e='0.5'/></interaction>"

/* One ball on the other: impacts of both contacts accumulate together. They rest at the times that
 * events alone say, and carry what is above them. */
START_TEST(a_column_of_two_balls_comes_to_rest)
{
  double rest[2];
  for (int k = 0; k < 2; k++) {
    run r = recorded(mechanics(BALL, UPPER("1.3", "0"), 0.5, BETWEEN, 4.,
                               k ? "accumulation='time-stepping' hybridStep='1e-4'" : "", ""));
    static const double q[] = {0, 0.1}, v[] = {0, 0}, force[] = {1.5 * G, 0.5 * G};
    near(r.x->q, q, 2, 1e-12);
    near(r.x->v, v, 2, 1e-12);
    near(r.x->lambda, force, 2, 1e-10);
    ck_assert_double_eq_tol(r.x->cert->work_contact, -(G + 0.5 * G * 1.2), 1e-9);
    ck_assert_double_le(r.x->cert->defect_max, 1e-9);
    rest[k] = 0;
    for (size_t i = 0; i < r.got.nevents; i++)
      if (r.got.events[i].kind == NS_EVENT_CONTACT) rest[k] = r.got.events[i].t;
    run_end(&r);
  }
  ck_assert_double_eq_tol(rest[1], rest[0], 1e-3);
}
END_TEST

/* Another ball bounces on, with e = 1, while the first one comes to rest: its impacts are in the
 * table, and after the interval at their times to the step. */
START_TEST(others_go_on_meanwhile)
{
  run r = recorded(mechanics(
      BALL, UPPER("0.2", "0"), 0.5,
      "<interaction id='floor' "
      "systems='upper'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e='1'/>"
      "</interaction>",
      3., "accumulation='time-stepping' hybridStep='1e-4'", ""));
  double first = sqrt(2 * 0.2 / G);
  int n = 0;
  for (size_t k = 0; k < r.got.nevents; k++) {
    const ns_event *e = &r.got.events[k];
    if (e->interaction != 1 || e->kind != NS_EVENT_IMPACT) continue;
    ck_assert_double_eq_tol(e->t, first * (1 + 2 * n), 1e-3);
    n++;
  }
  ck_assert_int_eq(n, (int)((3 / first - 1) / 2) + 1);
  ck_assert_double_eq_tol(event_of(&r, NS_EVENT_CONTACT, 0)->t, end_of_bounces(0.5), 1e-3);
  double above = r.x->cert->kinetic + r.x->cert->potential;
  ck_assert_double_eq_tol(above, 0.5 * G * 0.2, 2e-3 * 0.5 * G * 0.2);
  ck_assert_double_le(r.x->cert->defect_max, 1e-9);
  run_end(&r);
}
END_TEST

/* No rebound is too slow, and the flights end below rounding: more than maxEvents of them are an
 * accumulation, too. */
START_TEST(too_many_events_are_handed_over)
{
  run r = recorded(
      mechanics(BALL, "", 0.9, "", 10.,
                "accumulation='time-stepping' hybridStep='1e-7' restSpeed='0' maxEvents='50'", ""));
  ck_assert_double_eq_tol(event_of(&r, NS_EVENT_CONTACT, 0)->t, end_of_bounces(0.9), 1e-5);
  rests(&r);
  run_end(&r);
}
END_TEST

/* Scheduled times are met exactly inside the interval, conditions to its step; a kick lets the ball
 * fly by events again. */
START_TEST(events_of_the_user_bring_events_back)
{
  run r = recorded(
      mechanics(BALL, "", 0.9, "", 13., "accumulation='time-stepping' hybridStep='1e-3'",
                "<events><event id='kick' at='8.555'><set name='v_x' value='v_x + 1'/></event>"
                "<event id='high' when='x &gt; 0.04' direction='up' from='8.4' until='8.65'><set "
                "name='v_x' value='-1'/></event></events>"));
  double kick = 0, high = 0;
  for (size_t k = 0; k < r.got.nevents; k++) {
    const ns_event *e = &r.got.events[k];
    if (e->kind != NS_EVENT_USER) continue;
    if (e->row == 0) kick = e->t;
    else if (kick > 0 && high == 0) high = e->t;
  }
  ck_assert_double_eq(kick, 8.555);
  ck_assert_double_eq_tol(high, kick + 0.05, 0.02);
  ck_assert_double_eq_tol(r.x->q[0], 0, 1e-14);
  ck_assert_double_eq_tol(r.x->lambda[0], G, 1e-12);
  ck_assert_double_le(r.x->cert->defect_max, 1e-10);
  run_end(&r);
}
END_TEST

/* Stopped anywhere, inside the interval too, and restored in another process, the run goes on to
 * the same bits. */
START_TEST(checkpoints_hold_the_interval)
{
  char text[4096];
  snprintf(text, sizeof text, "<model xmlns='urn:nssim:model:1' name='test'>" BALL "</model>",
           UPPER("1.3", "0"), 0.8, BETWEEN, 6., "accumulation='time-stepping' hybridStep='0.02'",
           "");
  ck_assert_int_eq(goes_on_the_same(text, &(change){0}, 40, 7), 1);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, a_ball_comes_to_the_same_rest_at_the_same_time, 0, 2);
  tcase_add_loop_test(t, the_accumulation_names_its_contact_and_its_energy, 0, 2);
  tcase_add_loop_test(t, stop_ends_the_run_there, 0, 2);
  tcase_add_test(t, a_column_of_two_balls_comes_to_rest);
  tcase_add_test(t, others_go_on_meanwhile);
  tcase_add_test(t, too_many_events_are_handed_over);
  tcase_add_test(t, events_of_the_user_bring_events_back);
  tcase_add_test(t, checkpoints_hold_the_interval);
}

int main(void) { return suite_run("accumulating impacts", fill); }
