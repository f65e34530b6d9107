/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of rigid bodies that cannot begin or cannot go on: what is said, and that the last good
 * state is kept. */
#include "algebra/rotation.h"
#include "support/cloud.h"
#include "support/mechanics.h"

#define BALL(position, velocity) \
  "<NewtonEulerDS id='ball'><q0>" position " 1 0 0 0</q0><v0>" velocity " 0 0 0</v0><Sphere " \
  "id='skin' radius='0.1' density='1000'/></NewtonEulerDS>"
#define CONTACTS(attributes, more) \
  "<contacts " attributes "><NewtonImpactNSL e='0'/><Plane " \
  "id='floor'/>" more "</contacts>"
#define STEPS \
  "<simulation T='1'><TimeStepping " \
  "h='0.01'><MoreauJeanOSI/></TimeStepping></simulation>"

/* A run that ends with rc and a sentence that has all of `words`. */
static run fails(const char *text, int rc, const char *const *words)
{
  run r = mechanics("%s", text);
  r.c.report = NULL;
  ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, NULL), rc);
  for (; *words; words++)
    ck_assert_msg(strstr(r.c.msg, *words) != NULL, "\"%s\" lacks \"%s\"", r.c.msg, *words);
  return r;
}

START_TEST(overlap_at_the_start_names_the_shapes)
{
  run r = fails("<systems>" BALL("0 0 0.07", "0 0 0") "</systems>" CONTACTS("", "") STEPS, NS_MODEL,
                (const char *const[]){"\"skin\" of ball", "\"floor\"", "overlap by 0.03 m",
                                      "1e-06 m at most", "separate", NULL});
  ck_assert_int_eq((int)*r.x->step, 0);
  run_end(&r);
}
END_TEST

START_TEST(overlap_that_is_allowed)
{
  run r = mechanics("%s", "<systems>" BALL("0 0 0.07", "0 0 0") "</systems>" CONTACTS(
                              "overlap='0.05'", "") STEPS);
  run_all(&r);
  run_end(&r);
}
END_TEST

/* A row of balls too near to each other, and to the floor. */
START_TEST(overlap_is_taken_apart)
{
  run r = mechanics(
      "%s", "<systems><repeat index='i' from='1' to='5'><NewtonEulerDS id='b{i}'><q0>0.15*i 0.01*i "
            "0.08 1 0 0 0</q0>"
            "<Sphere radius='0.1' density='1000'/></NewtonEulerDS></repeat></systems>" CONTACTS(
                "separate='true'", "") STEPS);
  run_all(&r);
  for (int i = 0; i < 5; i++) {
    const double *q = r.x->q + 7 * i;
    ck_assert_double_ge(q[2], 0.1 - 1e-6);
    for (int k = 0; k < i; k++) {
      double d[3];
      ns_sub3(q, r.x->q + 7 * k, d);
      ck_assert_double_ge(ns_norm3(d), 0.2 - 1e-6);
    }
  }
  ck_assert_double_le(r.x->cert->penetration_max, 1e-6);
  ck_assert_double_le(ns_norm3(r.x->v), 1e-12); /* no velocity came of it */
  run_end(&r);
}
END_TEST

START_TEST(a_body_leaves_the_domain)
{
  run r = fails(
      "<systems>" BALL("0 0 1", "3 0 0") "</systems>" CONTACTS(
          "", "<domain low='-1 -1 -inf' high='1 1 inf'/>") STEPS,
      NS_NUMERIC,
      (const char *const[]){"id=\"ball\"", "leaves the domain", "t = 0.34", "x = 1.02", NULL});
  ck_assert_double_le(r.x->q[0], 1);
  ck_assert_double_eq_tol(*r.x->t, 0.33, 1e-12);
  run_end(&r);
}
END_TEST

START_TEST(a_force_that_is_no_number)
{
  run r = fails("<systems><NewtonEulerDS id='b'><q0>1 0 0 1 0 0 0</q0><v0>-1 0 0 0 0 "
                "0</v0><mass>1</mass><inertia diag='1 1 1'/>"
                "<fInt>0.001*sqrt(x-0.5), 0, 0</fInt></NewtonEulerDS></systems>" STEPS,
                NS_NUMERIC,
                (const char *const[]){"id=\"b\"", "not finite", "last good state", NULL});
  ck_assert_double_ge(r.x->q[0], 0.49);
  run_end(&r);
}
END_TEST

START_TEST(a_relation_that_is_no_number)
{
  run r = fails("<systems><NewtonEulerDS id='b'><q0>1 0 0 1 0 0 0</q0><v0>-1 0 0 0 0 "
                "0</v0><mass>1</mass><inertia diag='1 1 1'/>"
                "</NewtonEulerDS></systems><interactions><interaction id='wall' "
                "systems='b'><NewtonEulerR><h>1 + sqrt(x-0.5)</h></NewtonEulerR>"
                "<NewtonImpactNSL e='0'/></interaction></interactions>" STEPS,
                NS_NUMERIC,
                (const char *const[]){"id=\"wall\"", "<h> is not finite",
                                      "sqrt(x - 0.5) is nan with x = 0.", "last good state", NULL});
  ck_assert_double_ge(r.x->q[0], 0.49);
  run_end(&r);
}
END_TEST

START_TEST(joints_that_contradict_each_other)
{
  /* two bodies, each held to the world by a rheonomous row: one says stand, one says go */
  run r = fails(
      "<systems><NewtonEulerDS id='b'><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag='1 1 "
      "1'/></NewtonEulerDS></systems>"
      "<interactions><interaction id='stand' "
      "systems='b'><NewtonEulerR><h>x</h></NewtonEulerR><EqualityConditionNSL/></interaction>"
      "<interaction id='go' systems='b'><NewtonEulerR><h>x - "
      "t</h></NewtonEulerR><EqualityConditionNSL/></interaction>"
      "</interactions>" STEPS,
      NS_NUMERIC, (const char *const[]){"one-step problem", "stand, go", NULL});
  run_end(&r);
}
END_TEST

/* A rod on a pivot whose tip strikes the floor; the tip moves by (1, slope) u. */
static run rod(int lagrangian, double slope, double mu, double e)
{
  const double speed = -0.7, gap = 1e-4;
  const char *const steps = "<simulation T='0.01'><TimeStepping h='1e-3'><MoreauJeanOSI/>"
                            "</TimeStepping></simulation>";
  if (lagrangian)
    return mechanics(
        "<systems><LagrangianLinearTIDS id='rod' coordinates='u'><q0>%.17g</q0><v0>%g</v0>"
        "<mass>1.3</mass></LagrangianLinearTIDS></systems><interactions><interaction id='tip' "
        "systems='rod'><LagrangianLinearTIR><H>%.17g; 1</H></LagrangianLinearTIR>"
        "<NewtonImpactFrictionNSL en='%g' mu='%.17g'/></interaction></interactions>%s",
        gap / slope, speed, slope, e, mu, steps);
  return mechanics(
      "<systems><RigidBody2dDS id='rod'><q0>0 0 0</q0><v0>0 0 %g</v0><mass>0.4</mass>"
      "<inertia>0.9</inertia><Disk radius='1e-3' at='%.17g -1'/></RigidBody2dDS></systems>"
      "<contacts><NewtonImpactFrictionNSL en='%g' mu='%.17g'/><HalfPlane id='floor' at='0 %.17g'/>"
      "</contacts><interactions><interaction id='pivot' systems='rod'><PivotJointR point='0 0'/>"
      "<EqualityConditionNSL/></interaction></interactions>%s",
      speed, slope, e, mu, -1.001 - gap, steps);
}

/* Where the slope is below mu no impulse lets it rebound, and the run says so; without restitution
 * it sticks there, and with less friction it rebounds. */
START_TEST(an_impact_that_friction_wedges)
{
  cloud_seed = 700 + (uint64_t)_i;
  double slope = uniform(0.1, 0.6), e = uniform(0.2, 0.9), mu = slope * uniform(1.1, 3);
  int lagrangian = _i % 2;
  run wedged = rod(lagrangian, slope, mu, e), sticks = rod(lagrangian, slope, mu, 0),
      free = rod(lagrangian, slope, 0.9 * slope, e);
  wedged.c.report = NULL;
  ck_assert_int_eq(ns_simulation_run(wedged.s, &wedged.c, NULL, NULL), NS_NUMERIC);
  ck_assert_msg(strstr(wedged.c.msg, "an impact in which friction jams") != NULL, "%s",
                wedged.c.msg);
  run_all(&sticks);
  ck_assert_double_eq_tol(sticks.x->v[lagrangian ? 0 : 2], 0, 1e-9);
  run_all(&free);
  ck_assert_double_eq_tol(free.x->v[lagrangian ? 0 : 2], 0.7 * e, 1e-3);
  run_end(&wedged), run_end(&sticks), run_end(&free);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, overlap_at_the_start_names_the_shapes);
  tcase_add_test(t, overlap_that_is_allowed);
  tcase_add_test(t, overlap_is_taken_apart);
  tcase_add_test(t, a_body_leaves_the_domain);
  tcase_add_test(t, a_force_that_is_no_number);
  tcase_add_test(t, a_relation_that_is_no_number);
  tcase_add_test(t, joints_that_contradict_each_other);
  tcase_add_loop_test(t, an_impact_that_friction_wedges, 0, 4);
  tcase_set_timeout(t, 120); /* to give up takes seconds */
}

int main(void) { return suite_run("rigid failure", fill); }
