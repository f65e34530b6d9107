/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event-driven runs against closed forms: columns and chains of balls, a vibrating table, an impact
 * oscillator, a cam follower, a pendulum as constraint, a double pendulum. */
#include "support/mechanics.h"

#define EVENTS(h, T, strategy, flow) \
  "<simulation T='" T "'><EventDriven h='" h "' " strategy "><CVodeOSI " \
  "" flow "/></EventDriven></simulation>"

/* ---- impacts of several balls ---------------------------------------------------------------- */

#define BEAD(id, q, v, m) \
  "<LagrangianLinearTIDS id='" id "' " \
  "coordinates='q'><q0>" q "</q0><v0>" v "</v0><mass>" m "</mass></LagrangianLinearTIDS>"
#define PAIR(id, a, b, e) \
  "<interaction id='" id "' systems='" a " " b "'><LagrangianLinearTIR><H>-1 " \
  "1</H></LagrangianLinearTIR><NewtonImpactNSL e='" e "'/></interaction>"
#define GROUND(id, a, e) \
  "<interaction id='" id "' " \
  "systems='" a "'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL " \
  "e='" e "'/></interaction>"

#define ONE_BY_ONE "impacts='sequential'"

/* V2. Simultaneous: both leave with 1, whatever the masses; with a tiny gap, or one by one, the
 * collisions are ball 1 with the ground, then both. */
START_TEST(column_of_two_balls)
{
  static const struct {
    const char *gap, *m;
    double v[2];
    const char *rule;
  } c[] = {{"0", "1", {1, 1}, ""},
           {"0", "1/3", {1, 1}, ""},
           {"1e-3", "1/3", {0, 2}, ""},
           {"1e-3", "1", {1, 1}, ""},
           {"0", "1/3", {0, 2}, ONE_BY_ONE},
           {"0", "1", {1, 1}, ONE_BY_ONE},
           {"1e-3", "1/3", {0, 2}, ONE_BY_ONE}};
  run r = recorded(
      mechanics("<systems>" BEAD("a", "0", "-1", "1")
                    BEAD("b", "%s", "-1", "%s") "</systems><interactions>" GROUND("g", "a", "1")
                        PAIR("p", "a", "b", "1") "</interactions>" EVENTS("0.1", "0.1", "%s", ""),
                c[_i].gap, c[_i].m, c[_i].rule));
  near(r.x->v, c[_i].v, 2, 1e-12);
  ck_assert_double_eq_tol(r.x->cert->kinetic, r.x->cert->energy0, 1e-12);
  run_end(&r);
}
END_TEST

/* V3. */
START_TEST(three_balls_in_line)
{
  static const struct {
    const char *gap, *e;
    double v[3];
    const char *rule;
  } c[] = {{"0", "1", {-1. / 3, 2. / 3, 2. / 3}, ""},
           {"0", "0.5", {0, 0.5, 0.5}, ""},
           {"1e-2", "1", {0, 0, 1}, ""},
           {"0", "1", {0, 0, 1}, ONE_BY_ONE},
           {"0", "0", {1. / 3, 1. / 3, 1. / 3}, ONE_BY_ONE}};
  run r = recorded(mechanics(
      "<systems>" BEAD("a", "0", "1", "1") BEAD("b", "0", "0", "1")
          BEAD("c", "%s", "0", "1") "</systems>"
                                    "<interactions>" PAIR("p", "a", "b", "%s")
                                        PAIR("q", "b", "c",
                                             "%s") "</interactions>" EVENTS("0.1", "0.1", "%s", ""),
      c[_i].gap, c[_i].e, c[_i].e, c[_i].rule));
  /* plastic ones come together to velocityTolerance */
  near(r.x->v, c[_i].v, 3, *c[_i].e == '0' && !c[_i].e[1] ? 1e-8 : 1e-12);
  ck_assert_double_eq_tol(r.x->v[0] + r.x->v[1] + r.x->v[2], 1, 1e-12);
  run_end(&r);
}
END_TEST

/* One ball strikes those at rest: each contact has its line, with the momentum that goes through
 * it. */
static void the_row_was_struck(const run *r)
{
  int k = 0;
  for (size_t i = 0; i < r->got.nevents; i++) {
    const ns_event *e = &r->got.events[i];
    if (e->kind != NS_EVENT_IMPACT) continue;
    ck_assert_int_eq(e->interaction, k);
    ck_assert_double_eq_tol(e->before, k == 0 ? -1 : 0, 1e-12);
    ck_assert_double_eq_tol(e->impulse, 1.6 - 0.4 * k++, 1e-12);
  }
  ck_assert_int_eq(k, 4);
}

/* V4: five balls; the problem of all contacts at once, one wave where they are apart, and one by
 * one. */
START_TEST(newtons_cradle)
{
  static const double all[3][5] = {{-0.6, 0.4, 0.4, 0.4, 0.4},
                                   {0.05, 0.0475, 0.045125, 0.04286875, 0.81450625},
                                   {0, 0, 0, 0, 1}};
  run r = recorded(
      mechanics("<systems><repeat index='i' from='0' to='4'><LagrangianLinearTIDS id='b{i}' "
                "coordinates='q'><q0>i*%s</q0>"
                "<v0>i == 0 ? 1 : "
                "0</v0><mass>1</mass></LagrangianLinearTIDS></repeat></systems><interactions>"
                "<repeat index='i' from='1' to='4'><interaction id='p{i}' systems='b{i-1} "
                "b{i}'><LagrangianLinearTIR><H>-1 1</H>"
                "</LagrangianLinearTIR><NewtonImpactNSL "
                "e='%s'/></interaction></repeat></interactions>" EVENTS("0.01", "0.05", "%s", ""),
                _i == 1 ? "1e-2" : "0", _i == 1 ? "0.9" : "1", _i == 2 ? ONE_BY_ONE : ""));
  near(r.x->v, all[_i], 5, 1e-12);
  if (_i == 0) the_row_was_struck(&r);
  run_end(&r);
}
END_TEST

/* V2 to V4 with the law of multiple impacts, e = 1: velocities of the compliant motion, within the
 * increments. */
START_TEST(multiple_impacts_are_those_of_springs)
{
  static const struct {
    int n;
    const char *eta, *m2;
    double v[5];
  } c[] = {{2, "1", "1", {0.76635, 1.18857}},
           {2, "1.5", "1", {0.81368, 1.15669}},
           {2, "1", "1/3", {0.88812, 1.27817}},
           {2, "1.5", "1/3", {0.73361, 1.54450}},
           {3, "1", "1", {-0.1302617, 0.1502296, 0.9800321}},
           {3, "1.5", "1", {-0.0709524, 0.0764030, 0.9945493}},
           {5, "1.5", "1", {-0.0710850, -0.0302738, -0.0144636, 0.1270450, 0.9887774}}};
  int n = c[_i].n, column = n == 2; /* on the ground, falling; else the first ball comes */
  double err[2];
  for (int fine = 0; fine < 2; fine++) {
    char law[128];
    snprintf(law, sizeof law, "<MultipleImpactNSL e='1' eta='%s'/>", c[_i].eta);
    run r = mechanics(
        "<systems><repeat index='i' from='1' to='%d'><LagrangianLinearTIDS id='b{i}' "
        "coordinates='q'><q0>0</q0><v0>%s</v0>"
        "<mass>i == 2 ? %s : 1</mass></LagrangianLinearTIDS></repeat></systems><interactions>%s%s%s"
        "<repeat index='i' from='2' to='%d'><interaction id='p{i}' systems='b{i-1} "
        "b{i}'><LagrangianLinearTIR><H>-1 1</H>"
        "</LagrangianLinearTIR>%s</interaction></repeat></interactions><simulation "
        "T='0.1'><EventDriven h='0.1' impulseStep='%g'>"
        "<CVodeOSI/></EventDriven></simulation>",
        n, column ? "-1" : "i == 1 ? 1 : 0", c[_i].m2,
        column
            ? "<interaction id='g' systems='b1'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>"
            : "",
        column ? law : "", column ? "</interaction>" : "", n, law, fine ? 1e-5 : 1e-4);
    run_all(&r);
    err[fine] = 0;
    for (int i = 0; i < n; i++) err[fine] = fmax(err[fine], fabs(r.x->v[i] - c[_i].v[i]));
    run_end(&r);
  }
  ck_assert_double_le(err[0], 10 * 1e-4);
  ck_assert_double_le(err[1], 10 * 1e-5 + 6e-6); /* the printed digits */
}
END_TEST

/* One contact: -e times the velocity, whichever way energy is lost. */
START_TEST(a_single_contact_has_its_restitution)
{
  run r = mechanics(
      "<systems>" BEAD("a", "0", "-1", "1") "</systems><interactions><interaction id='g' "
                                            "systems='a'><LagrangianLinearTIR><H>1</H>"
                                            "</LagrangianLinearTIR><MultipleImpactNSL e='0.6' "
                                            "eta='1.5'/></interaction></interactions>" EVENTS(
                                                "0.1", "0.1", "impulseStep='1e-5' unloading='%s'",
                                                ""),
      _i ? "mono" : "bi");
  run_all(&r);
  ck_assert_double_eq_tol(r.x->v[0], 0.6, 1e-4);
  run_end(&r);
}
END_TEST

/* ---- a vibrating table (V5) ------------------------------------------------------------------ */

/* The motion of one impact a period, started on it: phase cos phi = pi (1-e)/((1+e) Gamma),
 * take-off speed V = pi g/w. */
static run table_run(double e, double gamma, double kick, double periods)
{
  double w = 10, A = gamma * G / (w * w), phi = acos(M_PI * (1 - e) / ((1 + e) * gamma)),
         V = M_PI * G / w;
  return mechanics("<systems><LagrangianLinearTIDS id='b' "
                   "coordinates='x'><q0>%.17g</q0><v0>%.17g</v0><mass>1</mass>"
                   "<fExt>-9.81</fExt></LagrangianLinearTIDS></systems><interactions><interaction "
                   "id='t' systems='b'><LagrangianRheonomousR>"
                   "<h>x - %.17g*sin(10*t + %.17g)</h></LagrangianRheonomousR><NewtonImpactNSL "
                   "e='%.17g'/></interaction></interactions>" EVENTS("2*pi/10", "%.17g", "", ""),
                   A * sin(phi), V + kick, A, phi, e, 2 * M_PI / w * periods);
}

START_TEST(the_ball_keeps_the_period_of_the_table)
{
  run r = recorded(table_run(0.5, 1.3, 0, 20.5));
  int n = 0;
  for (size_t k = 0; k < r.got.nevents; k++) {
    const ns_event *e = &r.got.events[k];
    if (e->kind != NS_EVENT_IMPACT) continue;
    n++;
    ck_assert_double_eq_tol(e->t, 2 * M_PI / 10 * n, 1e-9);
  }
  ck_assert_int_eq(n, 20);
  run_end(&r);
}
END_TEST

/* Doubling at Gamma_pd: just below, a kick dies out; just above, impacts come in pairs. */
START_TEST(the_period_doubles_where_it_should)
{
  static const double e[] = {0.5, 0.8}, pd[] = {1.52682370052, 1.07083646825};
  for (int above = 0; above < 2; above++) {
    run r = recorded(table_run(e[_i], pd[_i] * (above ? 1.01 : 0.99), 1e-3, 400));
    double last[3] = {0};
    for (size_t k = 0; k < r.got.nevents; k++) {
      if (r.got.events[k].kind != NS_EVENT_IMPACT) continue;
      last[0] = last[1], last[1] = last[2], last[2] = r.got.events[k].t;
    }
    double odd = fabs((last[2] - last[1]) - (last[1] - last[0])) * 10 / (2 * M_PI);
    if (above) ck_assert_double_ge(odd, 1e-2);
    else ck_assert_double_le(odd, 1e-3);
    run_end(&r);
  }
}
END_TEST

/* ---- impact oscillator (V6) ------------------------------------------------------------------ */

/* Started just after an impact of the periodic motion: speed V before each impact, one a period.
 * The phase follows from x(0) = x(T) = 0 and the speeds at both ends. */
START_TEST(impact_oscillator_of_one_impact_a_period)
{
  static const struct {
    double w, r, V;
  } c[] = {{2.2, 0.8, 1.89874873831}, {2.2, 0.6, 1.77624713545}, {1.8, 0.7, 2.60327724637}};
  double w = c[_i].w, e = c[_i].r, V = c[_i].V, T = 2 * M_PI / w, p = 1 / (1 - w * w);
  /* x = a cos t + b sin t + p cos(w t + f): x(0) = x(T) = 0, x'(0) = -e V, x'(T) = V */
  double s = sin(T), k = cos(T);
  double B = 0, A = 0; /* a = A, b = B: a (1 - k) = b s, and b (k - 1) - a s = (1 + e) V */
  A = -(1 + e) * V / (s + (1 - k) * (1 - k) / s);
  B = A * (1 - k) / s;
  double f = atan2(-(-e * V - B) / (p * w), -A / p); /* p cos f = -a, -p w sin f = -e V - b */
  run r = recorded(mechanics(
      "<systems><LagrangianLinearTIDS id='b' "
      "coordinates='x'><q0>0</q0><v0>%.17g</v0><mass>1</mass><K>1</K>"
      "<fExt>cos(%.17g*t + "
      "%.17g)</fExt></LagrangianLinearTIDS></systems><interactions><interaction id='w' systems='b'>"
      "<LagrangianLinearTIR><H>-1</H></LagrangianLinearTIR><NewtonImpactNSL "
      "e='%.17g'/></interaction></interactions>" EVENTS(
          "0.1", "%.17g", "", "relativeTolerance='1e-12' absoluteTolerance='1e-14'"),
      -e * V, w, f, e, 100.5 * T));
  int n = 0;
  for (size_t i = 0; i < r.got.nevents; i++) {
    if (r.got.events[i].kind != NS_EVENT_IMPACT) continue;
    n++;
    ck_assert_double_eq_tol(r.got.events[i].before, -V, 1e-9);
    ck_assert_double_eq_tol(r.got.events[i].t, n * T, 1e-9);
  }
  ck_assert_int_eq(n, 100);
  /* of 180 J that the force gives and impacts take */
  ck_assert_double_le(r.x->cert->defect_max, 1e-7);
  run_end(&r);
}
END_TEST

/* ---- cam follower (V10) ---------------------------------------------------------------------- */

#define CAM(w, h, T) \
  CAM_FOLLOWER(w) EVENTS(h, T, "", "relativeTolerance='1e-11' absoluteTolerance='1e-13'")

START_TEST(a_slow_follower_stays_on_its_cam)
{
  run r = recorded(mechanics(CAM("60", "1e-3", "1")));
  cam_is_followed(&r, 1e-10, 5e-7); /* k times the error of x, and more */
  run_end(&r);
}
END_TEST

START_TEST(a_fast_follower_takes_off_and_lands)
{
  run r = recorded(mechanics(CAM(CAM_FAST, "1e-3", "0.13")));
  cam_is_left(&r);
  run_end(&r);
}
END_TEST

/* ---- smooth motion and constraints ----------------------------------------------------------- */

/* V12: no interactions at all. */
START_TEST(double_pendulum)
{
  static const double end[2][4] = {{-0.482971534252, -1.3240487123, 3.06528819207, 2.94927154757},
                                   {-0.568474664018, -0.52639372793, 6.07838488576, -9.6813606817}};
  run r = mechanics("<systems><LagrangianDS id='p' coordinates='a b'><q0>pi/2 pi/2</q0><mass>2 "
                    "cos(a-b); cos(a-b) 1</mass>"
                    "<fGyr>v_b^2*sin(a-b), -v_a^2*sin(a-b)</fGyr><fInt>2*9.81*sin(a), "
                    "9.81*sin(b)</fInt></LagrangianDS></systems>"
                    "<simulation T='%d'><EventDriven h='0.1'><CVodeOSI relativeTolerance='1e-12' "
                    "absoluteTolerance='1e-13' method='%s'/>"
                    "</EventDriven></simulation>",
                    _i % 2 ? 10 : 2, _i < 2 ? "adams" : "bdf");
  run_all(&r);
  double tol = _i % 2 ? 1e-7 : 1e-8;
  near(r.x->q, end[_i % 2], 2, _i < 2 ? tol : 30 * tol);
  near(r.x->v, end[_i % 2] + 2, 2, _i < 2 ? 10 * tol : 300 * tol);
  ck_assert_double_le(r.x->cert->defect_max, _i < 2 ? 1e-8 : 1e-6);
  run_end(&r);
}
END_TEST

/* V13: an equality, released from horizontal; period 4 K(1/2)/sqrt g, tension 3 m g at the bottom.
 */
START_TEST(pendulum_as_constraint)
{
  run r = recorded(mechanics(
      "<systems><LagrangianLinearTIDS id='p' coordinates='x z'><q0>1 0</q0><mass diag='1 "
      "1'/><fExt>0 -9.81</fExt>"
      "</LagrangianLinearTIDS></systems><interactions><interaction id='rod' "
      "systems='p'><LagrangianScleronomousR>"
      "<h>x^2 + z^2 - "
      "1</h></LagrangianScleronomousR><EqualityConditionNSL/></interaction></interactions>" EVENTS(
          "2.36784194758/4", "2.36784194758*5", "",
          "relativeTolerance='1e-11' absoluteTolerance='1e-12'")));
  size_t n = r.got.nrows;
  ck_assert_double_eq_tol(run_at(&r, n - 1, "p.x"), 1, 1e-8);
  ck_assert_double_eq_tol(run_at(&r, n - 1, "p.z"), 0, 1e-8);
  ck_assert_double_eq_tol(run_at(&r, 1, "rod.lambda"), -1.5 * G, 1e-8);
  for (size_t i = 0; i < n; i++) ck_assert_double_le(fabs(run_at(&r, i, "rod.y")), 1e-8);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, column_of_two_balls, 0, 7);
  tcase_add_loop_test(t, three_balls_in_line, 0, 5);
  tcase_add_loop_test(t, newtons_cradle, 0, 3);
  tcase_add_loop_test(t, multiple_impacts_are_those_of_springs, 0, 7);
  tcase_add_loop_test(t, a_single_contact_has_its_restitution, 0, 2);
  tcase_add_test(t, the_ball_keeps_the_period_of_the_table);
  tcase_add_loop_test(t, the_period_doubles_where_it_should, 0, 2);
  tcase_add_loop_test(t, impact_oscillator_of_one_impact_a_period, 0, 3);
  tcase_add_test(t, a_slow_follower_stays_on_its_cam);
  tcase_add_test(t, a_fast_follower_takes_off_and_lands);
  tcase_add_loop_test(t, double_pendulum, 0, 4);
  tcase_add_test(t, pendulum_as_constraint);
}

int main(void) { return suite_run("event-driven verification", fill); }
