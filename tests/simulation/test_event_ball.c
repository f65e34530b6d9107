/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event-driven balls: times of impact, rest at the end of an accumulation, both sides of an event,
 * roots wherever they fall. */
#include "integrators/flow.h"
#include "support/mechanics.h"

#define BALL(q0, v0, e) \
  "<systems><LagrangianLinearTIDS id='ball' " \
  "coordinates='x'><q0>" q0 "</q0><v0>" v0 "</v0><mass>1</mass>" \
  "<fExt>-9.81</fExt></LagrangianLinearTIDS></systems><interactions><interaction id='ground' " \
  "systems='ball'>" \
  "<LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL " \
  "e='" e "'/></interaction></interactions>"
#define RUN(h, T, strategy, flow) \
  "<simulation T='" T "'><EventDriven h='" h "' " strategy "><CVodeOSI " \
  "" flow "/></EventDriven></simulation>"

/* Time of impact n = 0, 1, ... of a ball dropped from height 1. */
static double impact_time(double e, int n)
{
  double t1 = sqrt(2 / G), t = t1;
  for (int k = 1; k <= n; k++) t += 2 * t1 * pow(e, k);
  return t;
}

static const char *const methods[] = {"method='adams'", "method='bdf'"};

START_TEST(impacts_of_a_ball_come_at_their_times_and_end_in_rest)
{
  char text[2048];
  snprintf(text, sizeof text,
           BALL("1", "0", "0.5") "<simulation T='3'><EventDriven h='0.01'><CVodeOSI "
                                 "%s/></EventDriven></simulation>",
           methods[_i]);
  run r = recorded(mechanics("%s", text));
  int impacts = 0;
  for (size_t k = 0; k < r.got.nevents; k++) {
    const ns_event *e = &r.got.events[k];
    if (e->kind != NS_EVENT_IMPACT) continue;
    double t = impact_time(0.5, impacts), v = sqrt(2 * G) * pow(0.5, impacts++);
    /* errors of BDF's first order add up over restarts */
    double tol = _i ? (impacts < 6 ? 1e-8 : 1e-6) : 1e-10;
    ck_assert_double_eq_tol(e->t, t, tol);
    ck_assert_double_eq_tol(e->before, -v, tol);
    if (_i == 0 || impacts < 6) /* the 23rd rebound is slower than restSpeed */
      ck_assert_double_eq_tol(e->after, impacts < 23 ? v / 2 : 0, tol);
  }
  if (_i == 0) ck_assert_int_eq(impacts, 23);
  size_t last = r.got.nrows - 1;
  ck_assert_double_eq(run_at(&r, last, "time"), 3);
  ck_assert_double_eq_tol(run_at(&r, last, "ball.x"), 0, 1e-12);
  ck_assert_double_eq(run_at(&r, last, "ball.v_x"), 0);
  ck_assert_double_eq_tol(run_at(&r, last, "ground.lambda"), G, 1e-12);
  ck_assert_double_le(r.x->cert->defect_max, _i ? 1e-8 : 1e-9); /* of 9.81 J */
  run_end(&r);
}
END_TEST

/* Two rows of one time at each impact, and the grid as it was asked for. */
START_TEST(both_sides_of_an_impact_stand_between_the_rows_of_the_grid)
{
  run r = recorded(mechanics(BALL("1", "0", "1") RUN("0.1", "1", "", "")));
  ck_assert_uint_eq(r.got.nrows, 11 + 2);
  for (size_t i = 0, k = 0; i < r.got.nrows; i++) {
    double t = run_at(&r, i, "time"), side = run_at(&r, i, "diagnostics.side");
    if (side == 0) {
      ck_assert_double_eq_tol(t, 0.1 * (double)k++, 1e-15);
      ck_assert_double_eq(run_at(&r, i, "ground.impulse"), 0);
      continue;
    }
    ck_assert_double_eq_tol(t, sqrt(2 / G), 1e-12);
    ck_assert_double_eq_tol(run_at(&r, i, "ball.v_x"), (side == 1 ? -1 : 1) * sqrt(2 * G), 1e-11);
    ck_assert_double_eq_tol(run_at(&r, i, "ground.impulse"), side == 1 ? 0 : 2 * sqrt(2 * G),
                            1e-11);
  }
  run_end(&r);
}
END_TEST

/* The impact falls on a point of the grid: h = t1/10. Both sides and the row of the grid are there,
 * and nothing is lost. */
START_TEST(an_impact_on_an_output_time)
{
  run r = recorded(
      mechanics(BALL("1", "0", "0.5") RUN("sqrt(2/9.81)/10", "sqrt(2/9.81)*1.2", "", "")));
  ck_assert_int_eq((int)r.x->cert->impacts, 1);
  size_t pre = 0;
  while (run_at(&r, pre, "diagnostics.side") != 1) pre++;
  ck_assert_uint_eq(r.got.nrows, 13 + 2);
  ck_assert_double_eq_tol(run_at(&r, pre, "time"), sqrt(2 / G), 1e-12);
  ck_assert_double_eq_tol(run_at(&r, pre + 1, "ball.v_x"), sqrt(2 * G) / 2, 1e-11);
  double s = run_at(&r, r.got.nrows - 1, "time") - sqrt(2 / G);
  ck_assert_double_eq_tol(run_at(&r, r.got.nrows - 1, "ball.x"),
                          sqrt(2 * G) / 2 * s - G / 2 * s * s, 1e-10);
  run_end(&r);
}
END_TEST

START_TEST(a_ball_at_rest_stays_there_without_an_impact)
{
  run r = recorded(mechanics(BALL("0", "0", "0.9") RUN("0.1", "1", "", "")));
  ck_assert_int_eq((int)r.x->cert->impacts, 0);
  ck_assert_uint_eq(r.got.nrows, 11);
  for (size_t i = 0; i < r.got.nrows; i++) {
    ck_assert_double_eq(run_at(&r, i, "ball.x"), 0);
    ck_assert_double_eq_tol(run_at(&r, i, "ground.lambda"), G, 1e-14);
  }
  run_end(&r);
}
END_TEST

/* A root at the start: closed and approaching is an impact at t0; closed and separating is none. */
START_TEST(contacts_that_are_closed_at_the_start)
{
  run r = recorded(mechanics(BALL("0", "-1", "0.5") RUN("0.01", "0.11", "", "")));
  ck_assert_double_eq(r.got.events[0].t, 0);
  ck_assert_int_eq(r.got.events[0].kind, NS_EVENT_IMPACT);
  ck_assert_double_eq_tol(r.got.events[0].after, 0.5, 1e-15);
  ck_assert_double_eq_tol(r.got.events[1].t, 1 / G, 1e-11);
  run_end(&r);
  r = recorded(mechanics(BALL("0", "1", "0.5") RUN("0.01", "0.21", "", "")));
  ck_assert_uint_eq(r.got.nevents, 1);
  ck_assert_double_eq_tol(r.got.events[0].t, 2 / G, 1e-11);
  run_end(&r);
}
END_TEST

/* Upwards to a ceiling: that of the touching height, and one just below or above it. */
START_TEST(a_double_root_is_no_impact_and_its_neighbours_are_what_they_are)
{
  static const double miss[] = {0, 1e-6, -1e-6};
  static const char model[] =
      "<systems><LagrangianLinearTIDS id='ball' "
      "coordinates='x'><q0>0</q0><v0>1</v0><mass>1</mass><fExt>-9.81</fExt>"
      "</LagrangianLinearTIDS></systems><interactions><interaction id='ceiling' "
      "systems='ball'><LagrangianLinearTIR><H>-1</H>"
      "<e>%.17g</e></LagrangianLinearTIR><NewtonImpactNSL e='1'/></interaction></interactions>" RUN(
          "0.2", "0.2", "", "");
  run r = recorded(mechanics(model, 1 / (2 * G) + miss[_i]));
  int hit = miss[_i] < 0;
  ck_assert_int_eq((int)r.x->cert->impacts, hit);
  double v = hit ? sqrt(2 * G * 1e-6) : 0; /* at the ceiling */
  if (hit) ck_assert_double_eq_tol(r.got.events[0].before, -v, 1e-8);
  /* time that the motion without a ceiling would need to come here: it turns early by 2 v/g */
  double t = 0.2 + 2 * v / G;
  ck_assert_double_eq_tol(r.x->q[0], t - G / 2 * t * t, 1e-9);
  run_end(&r);
}
END_TEST

/* A gap that closes and opens again within one long step, x = 1 - t + t^2/2 over a wall at 0.5 +
 * depth: seen by its minimum, and the impact is at the first of both roots. */
START_TEST(a_touch_within_one_step_is_seen)
{
  static const double depth[] = {1e-3, 1e-6, 1e-8};
  run r = recorded(mechanics(
      "<systems><LagrangianLinearTIDS id='b' "
      "coordinates='x'><q0>1</q0><v0>-1</v0><mass>1</mass><fExt>1</fExt>"
      "</LagrangianLinearTIDS></systems><interactions><interaction id='w' "
      "systems='b'><LagrangianLinearTIR><H>1</H>"
      "<e>%.17g</e></LagrangianLinearTIR><NewtonImpactNSL e='0'/></interaction></interactions>" RUN(
          "10", "10", "", ""),
      -0.5 - depth[_i]));
  double touch = sqrt(2 * depth[_i]);
  ck_assert_int_eq((int)r.x->cert->impacts, 1);
  /* error of the position over the speed */
  ck_assert_double_eq_tol(r.got.events[0].t, 1 - touch, 2e-10 / touch);
  ck_assert_double_eq_tol(r.got.events[0].before, -touch, 2e-10 / touch);
  run_end(&r);
}
END_TEST

/* A thousand balls that are thrown up under ceilings; two of them reach theirs, with every
 * integrator. Nobody else has an event. */
START_TEST(of_a_thousand_contacts_two_fire)
{
  run r = recorded(mechanics(
      "<systems><repeat index='i' from='1' to='1000'><LagrangianLinearTIDS id='b{i}' "
      "coordinates='x'><q0>0</q0><v0>1</v0>"
      "<mass>1</mass><fExt>-1</fExt></LagrangianLinearTIDS></repeat></systems><interactions>"
      "<repeat index='i' from='1' to='1000'><interaction id='w{i}' "
      "systems='b{i}'><LagrangianLinearTIR><H>-1</H>"
      "<e>i == 17 || i == 900 ? 0.375 - 0.155*(i == 900) : "
      "1.5</e></LagrangianLinearTIR><NewtonImpactNSL e='0.5'/></interaction>"
      "</repeat></interactions><simulation T='0.75'><EventDriven "
      "h='0.25'><%s/></EventDriven></simulation>",
      ns_flows[_i]->name));
  double first = 1 - sqrt(1 - 2 * 0.22);
  ck_assert_uint_eq(r.got.nevents, 2);
  ck_assert_int_eq(r.got.events[0].interaction, 899);
  ck_assert_double_eq_tol(r.got.events[0].t, first, 1e-9);
  ck_assert_double_eq_tol(r.got.events[0].after, (1 - first) / 2, 1e-9);
  ck_assert_int_eq(r.got.events[1].interaction, 16);
  ck_assert_double_eq_tol(r.got.events[1].t, 0.5, 1e-9);
  ck_assert_double_eq_tol(r.got.events[1].after, 0.25, 1e-9);
  run_end(&r);
}
END_TEST

/* How many integrators there are. */
/* The impact falls on T, its root by rounding before or beyond it: it is in the table, and the last
 * row is after it. */
START_TEST(an_impact_at_the_end)
{
  static const char *const height[] = {"1", "0.7", "0.3", "0.1", "2", "3", "0.05", "7"};
  double h = strtod(height[_i], NULL);
  run r = recorded(mechanics("<parameters><parameter name='h' value='%s'/></parameters>" BALL(
                                 "h", "0", "0.5") RUN("0.01", "sqrt(2*h/9.81)", "", ""),
                             height[_i]));
  size_t last = r.got.nrows - 1;
  ck_assert_uint_eq(r.got.nevents, 1);
  ck_assert_int_eq(r.got.events[0].kind, NS_EVENT_IMPACT);
  ck_assert_double_eq_tol(r.got.events[0].t, sqrt(2 * h / G), 1e-10);
  ck_assert_double_eq_tol(run_at(&r, last, "ball.v_x"), sqrt(2 * G * h) / 2, 1e-9);
  ck_assert_double_eq(run_at(&r, last, "diagnostics.side"), 0);
  run_end(&r);
}
END_TEST

/* Those that an element names; the last is that of plug-ins. */
static int flows(void)
{
  int n = 0;
  while (ns_flows[n + 1]) n++;
  return n;
}

/* Ten balls fall on ten floors at once: one event, as many impacts. */
START_TEST(simultaneous_impacts_are_one_event)
{
  run r = recorded(mechanics(
      "<systems><repeat index='i' from='1' to='10'><LagrangianLinearTIDS id='b{i}' "
      "coordinates='x'><q0>i</q0><mass>i</mass>"
      "<fExt>-9.81*i</fExt></LagrangianLinearTIDS></repeat></systems><interactions><repeat "
      "index='i' from='1' to='10'>"
      "<interaction id='w{i}' systems='b{i}'><LagrangianLinearTIR><H>1</H><e>-(i - "
      "1)</e></LagrangianLinearTIR>"
      "<NewtonImpactNSL e='0.1*i'/></interaction></repeat></interactions>" RUN("0.1", "0.5", "",
                                                                               "")));
  ck_assert_int_eq((int)r.x->cert->events, 1);
  ck_assert_int_eq((int)r.x->cert->impacts, 10);
  ck_assert_uint_eq(r.got.nrows, 6 + 2);
  for (int i = 0; i < 10; i++) {
    ck_assert_double_eq_tol(r.got.events[i].t, sqrt(2 / G), 1e-11);
    ck_assert_double_eq_tol(r.got.events[i].after, 0.1 * (i + 1) * sqrt(2 * G), 1e-10);
  }
  run_end(&r);
}
END_TEST

/* Events of the user are located, too: a kick as the ball passes 0.5 downwards, a new weight at t =
 * 0.1, a stop where it is 0.4 high. g = 9.81 until then, 5 after it. */
START_TEST(events_of_the_user_have_their_times)
{
  run r = recorded(
      mechanics("<systems><LagrangianLinearTIDS id='ball' coordinates='x' "
                "inputs='w'><q0>1</q0><mass>1</mass><fExt>-w</fExt><z>9.81</z>"
                "</LagrangianLinearTIDS></systems><interactions><interaction id='ground' "
                "systems='ball'><LagrangianLinearTIR><H>1</H>"
                "</LagrangianLinearTIR><NewtonImpactNSL e='1'/></interaction></interactions>" RUN(
                    "0.03", "3", "",
                    "") "<events><event id='lighter' at='0.1'><set name='w' value='5'/></event>"
                        "<event id='kick' when='x &lt; 0.5' direction='up'><set name='v_x' "
                        "value='v_x + 1'/></event>"
                        "<stop id='low' when='x &lt; 0.4'/></events>"));
  double x1 = 1 - 9.81 * 0.01 / 2, v1 = -0.981, t2, v2, t3;
  v2 = -sqrt(v1 * v1 + 10 * (x1 - 0.5)), t2 = 0.1 + (v1 - v2) / 5;
  /* it may rise above 0.5 once more, then it is kicked again */
  double v = v2 + 1, down = v > 0 ? 2 * v / 5 : 0;
  ck_assert_double_eq(down, 0);
  t3 = t2 + (v + sqrt(v * v + 10 * 0.1)) / 5;
  ck_assert_uint_eq(r.got.nevents, 3);
  static const double tol = 1e-10;
  ck_assert_int_eq(r.got.events[0].kind, NS_EVENT_USER);
  ck_assert_double_eq_tol(r.got.events[0].t, 0.1, 1e-15);
  ck_assert_double_eq_tol(r.got.events[1].t, t2, tol);
  ck_assert_double_eq_tol(r.got.events[2].t, t3, tol);
  ck_assert_double_eq_tol(*r.x->t, t3, tol);
  size_t last = r.got.nrows - 1;
  ck_assert_double_eq_tol(run_at(&r, last, "time"), t3, tol);
  ck_assert_double_eq_tol(run_at(&r, last, "ball.x"), 0.4, tol);
  ck_assert_double_le(fabs(r.x->cert->defect), 1e-9);
  run_end(&r);
}
END_TEST

/* What cannot go on says where, when and of what, and keeps what there is; what cannot begin says
 * by how much. */
START_TEST(failures_are_explained)
{
  static const struct {
    const char *model, *words[4];
    int rc;
  } c[] = {{"<systems><LagrangianDS id='m' "
            "coordinates='x'><q0>1</q0><v0>1</v0><mass>1</mass><fInt>-x^2</fInt></LagrangianDS></"
            "systems>" RUN("0.1", "10", "", ""),
            {"t = 2.3758", "step", "x of m", "results so far are kept"},
            NS_NUMERIC},
           {"<systems><LagrangianDS id='m' "
            "coordinates='x'><q0>1</q0><v0>1</v0><mass>1</mass><fInt>3*sqrt(x-0.5)</fInt></"
            "LagrangianDS></systems>" RUN("0.1", "10", "", ""),
            {"t = 1.2093", "<fInt> of x is not finite", "sqrt(x - 0.5) is nan with x = 0.4999",
             "last good state"},
            NS_NUMERIC},
           {BALL("1", "0", "0.9") RUN("0.1", "20", "restSpeed='0' maxEvents='100'", ""),
            {"more than 100 events", "t = 8.5", "ground", "restSpeed"},
            NS_NUMERIC},
           {BALL("1", "0", "0.5") RUN("0.1", "20", "accumulation='stop'", ""),
            {"accumulate at t = 1.35457", "23 since", "ground", "stick"},
            NS_NUMERIC}};
  run r = mechanics("%s", c[_i].model);
  r.c.report = NULL;
  ck_assert_int_eq(run_keep(&r), c[_i].rc);
  for (int k = 0; k < 4; k++)
    ck_assert_msg(strstr(r.c.msg, c[_i].words[k]) != NULL, "no \"%s\" in: %s", c[_i].words[k],
                  r.c.msg);
  ck_assert_uint_ge(r.got.nrows, 12);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, impacts_of_a_ball_come_at_their_times_and_end_in_rest, 0, 2);
  tcase_add_test(t, both_sides_of_an_impact_stand_between_the_rows_of_the_grid);
  tcase_add_test(t, an_impact_on_an_output_time);
  tcase_add_loop_test(t, an_impact_at_the_end, 0, 8);
  tcase_add_test(t, a_ball_at_rest_stays_there_without_an_impact);
  tcase_add_test(t, contacts_that_are_closed_at_the_start);
  tcase_add_loop_test(t, a_double_root_is_no_impact_and_its_neighbours_are_what_they_are, 0, 3);
  tcase_add_loop_test(t, a_touch_within_one_step_is_seen, 0, 3);
  tcase_add_loop_test(t, of_a_thousand_contacts_two_fire, 0, flows());
  tcase_add_test(t, simultaneous_impacts_are_one_event);
  tcase_add_test(t, events_of_the_user_have_their_times);
  tcase_add_loop_test(t, failures_are_explained, 0, 4);
}

int main(void) { return suite_run("event-driven balls", fill); }
