/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Impacts of many contacts beside constraints: the same mechanism once with constraints, once in
 * coordinates that obey them. */
#include "support/mechanics.h"

#define EVENTS(T) "<simulation T='" T "'><EventDriven h='" T "' impulseStep='1e-4' " \
  "unloading='%s'><CVodeOSI/></EventDriven></simulation>"
#define MARCH(e, eta) "<MultipleImpactNSL e='" e "' eta='" eta "'/>"

/* ---- sliders on rails ------------------------------------------------------------------------ */

/* Balls that touch in a line along x, each on a rail of its own slope, a = 0.8 i - 1: x = s cos a,
 * z = s sin a. */
static run on_rails(const char *e, const char *unloading)
{
  return mechanics(
      "<systems><repeat index='i' from='1' to='3'><LagrangianLinearTIDS id='b{i}' coordinates='x "
      "z'><q0>0 0</q0>"
      "<v0>i == 1 ? cos(-0.2) : 0, i == 1 ? sin(-0.2) : 0</v0><mass diag='i "
      "i'/></LagrangianLinearTIDS></repeat></systems><interactions>"
      "<repeat index='i' from='2' to='3'><interaction id='c{i}' systems='b{i-1} "
      "b{i}'><LagrangianLinearTIR><H>-1 0 1 0</H>"
      "</LagrangianLinearTIR><MultipleImpactNSL e='%s' K='i' eta='1.5'/></interaction></repeat>"
      "<repeat index='i' from='1' to='3'><interaction id='r{i}' "
      "systems='b{i}'><LagrangianLinearTIR>"
      "<H>-sin(0.8*i-1) "
      "cos(0.8*i-1)</H></LagrangianLinearTIR><EqualityConditionNSL/></interaction></repeat></"
      "interactions>" EVENTS("0.1"),
      e, unloading);
}

static run along_rails(const char *e, const char *unloading)
{
  return mechanics(
      "<systems><repeat index='i' from='1' to='3'><LagrangianLinearTIDS id='b{i}' "
      "coordinates='s'><q0>0</q0>"
      "<v0>i == "
      "1</v0><mass>i</mass></LagrangianLinearTIDS></repeat></systems><interactions><repeat "
      "index='i' from='2' to='3'>"
      "<interaction id='c{i}' systems='b{i-1} b{i}'><LagrangianLinearTIR><H>-cos(0.8*i-1.8) "
      "cos(0.8*i-1)</H></LagrangianLinearTIR>"
      "<MultipleImpactNSL e='%s' K='i' eta='1.5'/></interaction></repeat></interactions>" EVENTS(
          "0.1"),
      e, unloading);
}

START_TEST(sliders_on_rails)
{
  static const char *const e[] = {"1", "0.7", "0.7", "0"}, *const unloading[] = {"bi", "bi", "mono",
                                                                                 "bi"};
  static const double a[] = {-0.2, 0.6, 1.4};
  run rails = on_rails(e[_i], unloading[_i]), along = along_rails(e[_i], unloading[_i]);
  run_all(&rails);
  run_all(&along);
  for (int i = 0; i < 3; i++) {
    const double s = along.x->v[i];
    near(rails.x->v + 2 * i, (double[]){s * cos(a[i]), s * sin(a[i])}, 2, 1e-12);
  }
  ck_assert_double_le(fabs(rails.x->cert->defect), 1e-12);
  run_end(&rails);
  run_end(&along);
}
END_TEST

/* ---- links ----------------------------------------------------------------------------------- */

/* Two masses in one, by a link that is said twice: they are hit as one of the sum of both. Two
 * balls on, all in touch. */
START_TEST(masses_linked_twice_are_one)
{
  run linked = mechanics(
      "<systems><repeat index='i' from='1' to='4'><LagrangianLinearTIDS id='b{i}' "
      "coordinates='x'><q0>0</q0>"
      "<v0>i == 1</v0><mass>1</mass></LagrangianLinearTIDS></repeat></systems><interactions>"
      "<interaction id='c1' systems='b1 b2'><LagrangianLinearTIR><H>-1 "
      "1</H></LagrangianLinearTIR>" MARCH(
          "1",
          "1") "</interaction><interaction id='c3' systems='b3 b4'><LagrangianLinearTIR><H>-1 "
               "1</H></LagrangianLinearTIR>" MARCH("1",
                                                   "1") "</interaction><repeat index='k' from='1' "
                                                        "to='2'><interaction id='l{k}' systems='b2 "
                                                        "b3'>"
                                                        "<LagrangianLinearTIR><H>-k "
                                                        "k</H></"
                                                        "LagrangianLinearTIR><EqualityConditionNSL/"
                                                        "></interaction></repeat></"
                                                        "interactions>" EVENTS("0.1"),
      "bi");
  run one = mechanics("<systems><repeat index='i' from='1' to='3'><LagrangianLinearTIDS id='b{i}' "
                      "coordinates='x'><q0>0</q0>"
                      "<v0>i == 1</v0><mass>i == 2 ? 2 : "
                      "1</mass></LagrangianLinearTIDS></repeat></systems><interactions>"
                      "<repeat index='i' from='2' to='3'><interaction id='c{i}' systems='b{i-1} "
                      "b{i}'><LagrangianLinearTIR><H>-1 1</H>"
                      "</LagrangianLinearTIR>" MARCH(
                          "1", "1") "</interaction></repeat></interactions>" EVENTS("0.1"),
                      "bi");
  run_all(&linked);
  run_all(&one);
  const double *v = one.x->v;
  near(linked.x->v, (double[]){v[0], v[1], v[1], v[2]}, 4, 1e-12);
  run_end(&linked);
  run_end(&one);
}
END_TEST

/* A start against the constraint: the constraint is first, then the contact meets what is left of
 * the velocity. */
START_TEST(constraints_hold_before_contacts_are_met)
{
  run r = mechanics(
      "<systems><LagrangianLinearTIDS id='b' coordinates='x z'><q0>0 0</q0><v0>-1 0</v0><mass "
      "diag='1 1'/></LagrangianLinearTIDS>"
      "</systems><interactions><interaction id='wall' systems='b'><LagrangianLinearTIR><H>1 "
      "0</H></LagrangianLinearTIR>" MARCH(
          "0.5", "1") "</interaction><interaction id='rail' systems='b'><LagrangianLinearTIR><H>1 "
                      "-1</H></LagrangianLinearTIR>"
                      "<EqualityConditionNSL/></interaction></interactions>" EVENTS("0.1"),
      "bi");
  run_all(&r);
  /* one half of it goes to the rail, one half of the rest comes back */
  near(r.x->v, (double[]){0.25, 0.25}, 2, 1e-4);
  ck_assert_double_le(fabs(r.x->v[0] - r.x->v[1]), 1e-14);
  run_end(&r);
}
END_TEST

/* A wall that comes down on a ball that a constraint holds: no impulse moves it, and the impact
 * says so instead of marching on. */
START_TEST(a_contact_that_cannot_move)
{
  run r = mechanics(
      "<systems><LagrangianLinearTIDS id='b' coordinates='x z'><q0>0 0</q0><v0>0 1</v0><mass "
      "diag='1 1'/></LagrangianLinearTIDS>"
      "</systems><interactions><interaction id='wall' systems='b'><LagrangianRheonomousR><h>x + "
      "0.1 - t</h></LagrangianRheonomousR>" MARCH(
          "0.5", "1") "</interaction><interaction id='rail' systems='b'><LagrangianLinearTIR><H>1 "
                      "0</H></LagrangianLinearTIR>"
                      "<EqualityConditionNSL/></interaction></interactions>" EVENTS("0.2"),
      "bi");
  r.c.report = NULL;
  ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, NULL), NS_NUMERIC);
  ck_assert_msg(strstr(r.c.msg, "at t = 0.1 s contacts still approach") != NULL, "%s", r.c.msg);
  run_end(&r);
}
END_TEST

/* ---- pendulums ------------------------------------------------------------------------------- */

/* Three bobs on rods of length 1, pivots 0.2 apart. The second hangs down, the third leans on it at
 * the angle 0.1, and the first swings towards them. */
#define HANGING "<parameters><parameter name='c' value='0.1'/><parameter name='d' " \
  "value='hypot(0.2 + sin(c), 1 - cos(c))'/></parameters>"

static run bobs_on_rods(void)
{
  return mechanics(
      HANGING
      "<systems><repeat index='i' from='0' to='2'><LagrangianLinearTIDS id='b{i}' coordinates='x "
      "z'>"
      "<q0>0.2*i + sin(i == 0 ? -0.3 : i == 2 ? c : 0), -cos(i == 0 ? -0.3 : i == 2 ? c : 0)</q0>"
      "<v0>i == 0 ? 2*cos(-0.3) : 0, i == 0 ? 2*sin(-0.3) : 0</v0><mass diag='1 1'/><fExt>0 "
      "-9.81</fExt></LagrangianLinearTIDS>"
      "</repeat></systems><interactions><repeat index='i' from='0' to='2'><interaction id='rod{i}' "
      "systems='b{i}'>"
      "<LagrangianScleronomousR><h>(x - 0.2*i)^2 + z^2 - "
      "1</h></LagrangianScleronomousR><EqualityConditionNSL/></interaction>"
      "</repeat><repeat index='i' from='1' to='2'><interaction id='c{i}' systems='b{i-1} "
      "b{i}'><LagrangianScleronomousR>"
      "<h>hypot(q[2] - q[0], q[3] - q[1]) - d</h></LagrangianScleronomousR>" MARCH(
          "0.9", "1.5") "</interaction></repeat></interactions>" EVENTS("0.25"),
      "bi");
}

static run bobs_by_angles(void)
{
  return mechanics(
      HANGING "<systems><repeat index='i' from='0' to='2'><LagrangianDS id='b{i}' coordinates='a'>"
              "<q0>i == 0 ? -0.3 : i == 2 ? c : 0</q0><v0>i == 0 ? 2 : "
              "0</v0><mass>1</mass><fInt>9.81*sin(a)</fInt></LagrangianDS>"
              "</repeat></systems><interactions><repeat index='i' from='1' to='2'><interaction "
              "id='c{i}' systems='b{i-1} b{i}'>"
              "<LagrangianScleronomousR><h>hypot(0.2 + sin(q[1]) - sin(q[0]), cos(q[1]) - "
              "cos(q[0])) - d</h>"
              "</LagrangianScleronomousR>" MARCH(
                  "0.9", "1.5") "</interaction></repeat></interactions>" EVENTS("0.25"),
      "bi");
}

START_TEST(pendulums_on_rods_and_by_their_angles)
{
  run rods = bobs_on_rods(), angles = bobs_by_angles();
  ck_assert_msg(run_keep(&rods) == NS_OK, "%s", rods.c.msg);
  ck_assert_msg(run_keep(&angles) == NS_OK, "%s", angles.c.msg);
  ck_assert_int_ge((int)angles.x->cert->impacts, 1);
  ck_assert_double_eq(rods.x->cert->impacts, angles.x->cert->impacts);
  for (int i = 0; i < 3; i++) {
    double a = angles.x->q[i], w = angles.x->v[i];
    near(rods.x->q + 2 * i, (double[]){0.2 * i + sin(a), -cos(a)}, 2, 1e-9);
    near(rods.x->v + 2 * i, (double[]){w * cos(a), w * sin(a)}, 2, 1e-8);
  }
  run_end(&rods);
  run_end(&angles);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, sliders_on_rails, 0, 4);
  tcase_add_test(t, masses_linked_twice_are_one);
  tcase_add_test(t, constraints_hold_before_contacts_are_met);
  tcase_add_test(t, a_contact_that_cannot_move);
  tcase_add_test(t, pendulums_on_rods_and_by_their_angles);
}

int main(void) { return suite_run("event-driven models with constraints", fill); }
