/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Limits of ball joints: a cone of swing against a hinge with a stop, twist against a closed form,
 * event-driven beside time-stepping. */
#include "support/random_model.h"
#include "support/run.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"
#define STEPS "<TimeStepping h='%.17g'><MoreauJeanOSI/></TimeStepping>"
#define EVENTS \
  "<EventDriven h='%.17g'><CVodeOSI relativeTolerance='1e-10' " \
  "absoluteTolerance='1e-12'/></EventDriven>"

static run played(generator *g, const char *T, int events, double h)
{
  put(g, "<simulation T='%s'>", T);
  if (events) put(g, EVENTS, h);
  else put(g, STEPS, h);
  put(g, "</simulation></model>");
  run r = run_load(g->text, NULL);
  int rc = run_keep(&r);
  ck_assert_msg(rc == NS_OK, "%s", r.c.msg);
  return r;
}

/* A rod that hangs and swings about y with 3 rad/s, its swing at most 0.5: on a ball joint as on a
 * hinge. */
static run rod(int ball, int events)
{
  generator g = {0};
  put(&g, HEAD "<NewtonEulerDS id='rod'><q0>0 0 -0.5 1 0 0 0</q0><v0>-1.5 0 0  0 3 "
               "0</v0><mass>1</mass><inertia diag='0.1 0.1 0.01'/>"
               "<fExt>0 0 -9.81</fExt></NewtonEulerDS></systems><interactions><interaction id='j' "
               "systems='rod'>");
  if (ball) put(&g, "<KneeJointR point='0 0 0' axis='0 0 2'/>");
  else put(&g, "<PivotJointR point='0 0 0' axis='0 1 0'/>");
  put(&g,
      "<EqualityConditionNSL/></interaction><interaction id='stop'><JointStopR joint='j' "
      "%s/><NewtonImpactNSL e='0.6'/></interaction></interactions>",
      ball ? "coordinate='swing' upper='0.5'" : "lower='-0.5' upper='0.5'");
  return played(&g, "1.2", events, events ? 0.05 : 1e-3);
}

START_TEST(cone_of_swing_is_a_stop_in_its_plane)
{
  run a = rod(1, _i), b = rod(0, _i);
  ck_assert_double_ge(a.x->cert->impacts, 2);
  ck_assert_double_eq(a.x->cert->impacts, b.x->cert->impacts);
  for (int k = 0; k < 6; k++) ck_assert_double_eq_tol(a.x->v[k], b.x->v[k], _i ? 1e-7 : 1e-8);
  for (int k = 0; k < 7; k++) ck_assert_double_eq_tol(a.x->q[k], b.x->q[k], _i ? 1e-7 : 1e-8);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* A round body spins about the axis of its ball joint, which stands askew, between limits of twist:
 * it comes to the first at 1/w, then goes to the other with e w. */
START_TEST(twist_is_limited)
{
  for (int events = 0; events < 2; events++) {
    generator g = {.state = 5 + (unsigned long long)_i};
    double angle = between(&g, -2, 2), w = between(&g, 2, 4);
    put(&g,
        HEAD "<NewtonEulerDS id='b'><q0 axis='1 2 0' angle='%.17g'>3 1 2</q0><v0>0 0 0  0 0 "
             "%.17g</v0><mass>1</mass><inertia diag='1 1 0.3'/>"
             "</NewtonEulerDS></systems><interactions><interaction id='j' systems='b'><KneeJointR "
             "point='0 0 0' axis='0 0 1' axes='body'/><EqualityConditionNSL/>"
             "</interaction><interaction id='stop'><JointStopR joint='j' coordinate='twist' "
             "lower='-1' upper='0.5'/><NewtonImpactNSL e='0.5'/></interaction>"
             "<interaction id='cone'><JointStopR joint='j' upper='1'/><NewtonImpactNSL "
             "e='0'/></interaction></interactions>",
        angle, w);
    run r = played(&g, "1.2", events, events ? 0.05 : 1e-3);
    /* the twist is that of the world as the body sees it: lower first */
    double t1 = 1 / w, t2 = t1 + 1.5 / (0.5 * w), speed = 1.2 < t2 ? -0.5 * w : 0.25 * w;
    ck_assert_double_eq_tol(r.x->v[5], speed, events ? 1e-8 : 1e-9);
    ck_assert_int_eq((int)r.x->cert->impacts, 1.2 < t2 ? 1 : 2);
    run_end(&r);
  }
}
END_TEST

/* In any direction the swing stays in its cone, whatever twists. */
START_TEST(swing_stays_in_its_cone)
{
  generator g = {.state = 60 + (unsigned long long)_i};
  put(&g,
      HEAD "<NewtonEulerDS id='a'><q0>0 0 0.5 1 0 0 0</q0><v0>%.17g 0 0  0 0 "
           "1</v0><mass>1</mass><inertia diag='0.1 0.12 0.02'/><fExt>0 0 -9.81</fExt>"
           "</NewtonEulerDS><NewtonEulerDS id='b'><q0 axis='1 1 0' angle='0.2'>0 0 "
           "1.5</q0><v0>%.17g %.17g 0  1 2 3</v0><mass>1</mass>"
           "<inertia diag='0.1 0.12 0.02'/><fExt>0 0 "
           "-9.81</fExt></NewtonEulerDS></systems><interactions>",
      between(&g, -1, 1), between(&g, -2, 2), between(&g, -2, 2));
  put(&g, "<interaction id='foot' "
          "systems='a'><FixedJointR/><EqualityConditionNSL/></interaction><interaction id='j' "
          "systems='a b'>"
          "<KneeJointR point='0 0 1' axis='0 0 "
          "1'/><EqualityConditionNSL/></interaction><interaction id='cone'>"
          "<JointStopR joint='j' coordinate='swing' upper='0.4'/><NewtonImpactNSL "
          "e='0.3'/></interaction></interactions>");
  run r = played(&g, "1.5", 0, 5e-4);
  double min = 1;
  for (size_t k = 0; k < r.got.nrows; k++) min = fmin(min, run_at(&r, k, "cone.y"));
  ck_assert_double_ge(min, -6e-3);
  ck_assert_double_ge(r.x->cert->impacts, 1);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, cone_of_swing_is_a_stop_in_its_plane, 0, 2);
  tcase_add_loop_test(t, twist_is_limited, 0, 4);
  tcase_add_loop_test(t, swing_stays_in_its_cone, 0, 6);
}

int main(void) { return suite_run("limits of ball joints", fill); }
