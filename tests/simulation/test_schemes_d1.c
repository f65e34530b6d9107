/* SPDX-License-Identifier: GPL-3.0-or-later */
/* D1-minus-linear: the published trajectory, order 2 away from impacts and about 1 across them,
 * rest, a pendulum on a circle; rigid bodies. */
#include "support/interrupted.h"
#include "support/random_model.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'>"
#define BALL(q0, e, attributes, h, T) \
  HEAD "<systems><LagrangianLinearTIDS id='ball' coordinates='x y phi'><q0>" q0 " 0 0</q0><v0>0 " \
       "0 0</v0>" \
       "<mass diag='1 1 2/5*0.1^2'/><fExt>-9.81 0 0</fExt></LagrangianLinearTIDS></systems>" \
       "<interactions><interaction id='ground' systems='ball'><LagrangianLinearTIR><H>1 0 0</H>" \
       "</LagrangianLinearTIR><NewtonImpactNSL e='" e \
       "'/></interaction></interactions><simulation " \
       "T='" T "'>" \
       "<TimeStepping h='" h "'><D1MinusLinearOSI " \
       "" attributes "/><LCP/></TimeStepping></simulation></model>"

/* All rows, also where the contact chatters: q drifts down to -1.9e-3, as the scheme has it. lambda
 * is the whole impulse of a step, the published ones are P and the force at its end. */
START_TEST(bouncing_ball_reference)
{
  table t = table_read("tests/data/reference/bouncing-ball-ts-d1-minus-linear.csv.gz");
  run r = run_play(BALL("1", "0.9", "", "5e-4", "10"));
  ck_assert_uint_eq(r.got.nrows, 20001);
  ck_assert_double_le(table_distance(&t, "q", &r.got, "ball.x"), 1e-9);
  ck_assert_double_le(table_distance(&t, "v", &r.got, "ball.v_x"), 1e-9);
  int row = table_column(&t, "row"), P = table_column(&t, "lambda1");
  for (size_t i = 0; i < t.nrows; i++) {
    const double *a = t.data + i * (size_t)t.ncols;
    if (a[row] < 17000)
      ck_assert_double_eq_tol(run_at(&r, (size_t)a[row], "ground.lambda"), a[P], 1e-9);
  }
  double sum = 0;
  for (size_t i = 18000; i < 20000; i++) sum += run_at(&r, i, "ground.lambda");
  ck_assert_double_eq_tol(sum / 1, 9.81, 0.02); /* of the last second: the weight */
  ck_assert_double_le(r.x->cert->penetration_max, 5e-3);
  run_end(&r);
  free(t.data);
}
END_TEST

static const char *const variant[] = {"variant='acceleration'", "variant='velocity'"};

START_TEST(rest_is_exact)
{
  static const char *const text[] = {BALL("0", "0.9", "variant='acceleration'", "1e-3", "1"),
                                     BALL("0", "0.9", "variant='velocity'", "1e-3", "1")};
  run r = run_play(text[_i]);
  for (size_t i = 1; i < r.got.nrows; i++) {
    ck_assert_double_eq(run_at(&r, i, "ball.x"), 0);
    ck_assert_double_eq(run_at(&r, i, "ball.v_x"), 0);
    ck_assert_double_eq_tol(run_at(&r, i, "ground.lambda"), 9.81e-3, 1e-16);
  }
  ck_assert_int_eq((int)r.x->cert->impacts, 0);
  ck_assert_double_eq(r.x->cert->defect_max, 0);
  run_end(&r);
}
END_TEST

/* V12: double pendulum at t = 2, absolute angles from the vertical. */
static double pendulum_error(const char *attributes, const char *h)
{
  char text[2048];
  snprintf(text, sizeof text,
           HEAD "<systems><LagrangianDS id='p' coordinates='a b'><q0>pi/2 pi/2</q0><mass>2 "
                "cos(a-b); cos(a-b) 1</mass>"
                "<fGyr>v_b^2*sin(a-b), -v_a^2*sin(a-b)</fGyr><fInt>2*9.81*sin(a), "
                "9.81*sin(b)</fInt></LagrangianDS></systems>"
                "<simulation T='2'><TimeStepping h='%s'><D1MinusLinearOSI "
                "%s/></TimeStepping></simulation></model>",
           h, attributes);
  run r = run_play(text);
  double e = fmax(fabs(r.x->q[0] + 0.482971534252), fabs(r.x->q[1] + 1.3240487123));
  run_end(&r);
  return e;
}

START_TEST(smooth_motion_is_of_second_order)
{
  double a = pendulum_error(variant[_i], "1e-3"), b = pendulum_error(variant[_i], "5e-4");
  ck_assert_double_le(b, 1e-4);
  ck_assert_double_eq_tol(log2(a / b), 2, 0.1);
}
END_TEST

/* A bead on the outside of a hemisphere, then on the inside of a bowl: a contact that lasts with a
 * curved gap. |y| drifts by O(h^2); the force is that of the circular motion. */
static double bowl_drift(const char *attributes, const char *h, double *lambda)
{
  char text[2048];
  snprintf(text, sizeof text,
           HEAD "<systems><LagrangianLinearTIDS id='p' coordinates='x z'><q0>1 0</q0><mass>1 0; 0 "
                "1</mass><fExt>0 -9.81</fExt>"
                "</LagrangianLinearTIDS></systems><interactions><interaction id='bowl' "
                "systems='p'><LagrangianScleronomousR>"
                "<h>1 - sqrt(x^2 + z^2)</h></LagrangianScleronomousR><NewtonImpactNSL "
                "e='0'/></interaction></interactions>"
                "<simulation T='0.5'><TimeStepping h='%s'><D1MinusLinearOSI %s "
                "tolerance='1e-4'/></TimeStepping></simulation></model>",
           h, attributes);
  run r = run_play(text);
  double max = 0;
  for (size_t i = 0; i < r.got.nrows; i++) max = fmax(max, fabs(run_at(&r, i, "bowl.y")));
  size_t last = r.got.nrows - 1;
  double x = run_at(&r, last, "p.x"), z = run_at(&r, last, "p.z"), v2 = -2 * 9.81 * z;
  *lambda = run_at(&r, last, "bowl.lambda") /
            (run_at(&r, last, "time") - run_at(&r, last - 1, "time")) /
            (v2 + 9.81 * -z / hypot(x, z));
  run_end(&r);
  return max;
}

START_TEST(a_lasting_contact_drifts_by_h_squared)
{
  double f, g, a = bowl_drift(variant[_i], "2e-3", &f), b = bowl_drift(variant[_i], "1e-3", &g);
  ck_assert_double_le(a, 1e-4);
  ck_assert_double_ge(log2(a / b), 1.7);
  ck_assert_double_eq_tol(f, 1, 2e-2);
  ck_assert_double_eq_tol(g, 1, 1e-2);
}
END_TEST

/* A body at rest stays so while another one lands beside it on the same system of rows. */
START_TEST(an_impact_elsewhere_does_not_shake_a_resting_contact)
{
  run r = run_play(
      HEAD
      "<systems><LagrangianLinearTIDS id='s' coordinates='a b'><q0>0 1</q0><mass>1 0; 0 1</mass>"
      "<fExt>-9.81 -9.81</fExt></LagrangianLinearTIDS></systems><interactions><interaction id='g' "
      "systems='s'>"
      "<LagrangianLinearTIR><H>1 0; 0 1</H></LagrangianLinearTIR><NewtonImpactNSL "
      "e='0.5'/></interaction></interactions>"
      "<simulation T='1'><TimeStepping "
      "h='1e-3'><D1MinusLinearOSI/></TimeStepping></simulation></model>");
  for (size_t i = 0; i < r.got.nrows; i++) ck_assert_double_eq(run_at(&r, i, "s.a"), 0);
  ck_assert_int_eq((int)r.x->cert->impacts, 2);
  run_end(&r);
}
END_TEST

/* A mass on a plate that moves as 0.1 sin 5 t, less than g: it follows, and its energy comes from
 * the plate. */
static run plate(const char *kind, double h)
{
  char text[1024];
  snprintf(text, sizeof text,
           "<model xmlns='urn:nssim:model:1' name='plate'><systems><LagrangianLinearTIDS id='b' "
           "coordinates='x'><q0>0</q0><v0>0.5</v0>"
           "<mass>1</mass><fExt>-9.81</fExt></LagrangianLinearTIDS></"
           "systems><interactions><interaction id='p' systems='b'>"
           "<LagrangianRheonomousR><h>x-0.1*sin(5*t)</h></LagrangianRheonomousR><NewtonImpactNSL "
           "e='0.3'/></interaction></interactions>"
           "<simulation T='1'><TimeStepping h='%.17g'><D1MinusLinearOSI "
           "variant='%s'/></TimeStepping></simulation></model>",
           h, kind);
  run r = run_load(text, NULL);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  return r;
}

START_TEST(works_of_a_moving_plate_are_apart)
{
  double gain = 0.125 * (cos(5) * cos(5) - 1) + 0.981 * sin(5);
  run a = plate("velocity", 2e-3), b = plate("velocity", 1e-3), c = plate("acceleration", 1e-3);
  ck_assert_double_eq_tol(b.x->cert->work_driven, gain, 2e-4);
  ck_assert_double_eq_tol(c.x->cert->work_driven, gain, 2e-4);
  /* no sliding, no impact: the contact does none */
  ck_assert_double_le(fabs(b.x->cert->work_contact), 5e-5);
  ck_assert_double_le(c.x->cert->work_contact, 0);
  ck_assert_double_eq_tol(log2(a.x->cert->defect / b.x->cert->defect), 2, 0.1);
  run_end(&a);
  run_end(&b);
  run_end(&c);
}
END_TEST

/* ---- rigid bodies ---------------------------------------------------------------------------- */

/* Two bodies that spin, joined by a spring off their middles, the lower one over a plane that a
 * point of it may hit, pulled by forces of time. */
static void two_bodies(generator *g, double T, double fall, const char *strategy)
{
  double w[3], p[3];
  for (int i = 0; i < 3; i++) w[i] = between(g, -3, 3), p[i] = between(g, -0.1, 0.1);
  put(g,
      HEAD "<systems><NewtonEulerDS id='a'><q0>0 0 0.5 1 0 0 0</q0><v0>0.1 0 %.17g %.17g %.17g "
           "%.17g</v0><mass>1.3</mass><inertia>0.1 0.01 0; 0.01 0.2 0; 0 0 0.15</inertia><fExt>"
           "0.3*sin(2*t), 0, %.17g</fExt><mExt>0.05*cos(t), 0.02, 0.1</mExt></NewtonEulerDS>",
      fall, w[0], w[1], w[2], 10 * fall);
  put(g,
      "<NewtonEulerDS id='b'><q0>0.3 0.2 1.2 1 0 0 0</q0><mass>0.6</mass><inertia diag='0.02 0.03 "
      "0.01'/></NewtonEulerDS></systems><interactions><spring id='s' systems='a b' point1='%.17g "
      "%.17g "
      "%.17g' point2='%.17g 0 0.02' stiffness='40' damping='0.3' restLength='0.6'/>",
      p[0], p[1], p[2], p[2]);
  put(g,
      "<interaction id='g' systems='a'><NewtonEuler1DR><P1>x y z-0.1</P1><P2>x y "
      "0</P2><n>0 0 1</n></NewtonEuler1DR><NewtonImpactNSL e='%.17g'/></interaction>"
      "</interactions><simulation T='%.17g'>%s</simulation></model>",
      between(g, 0.2, 0.8), T, strategy);
}

/* Velocities jump at impacts, which the schemes have at different times. */
static double apart(const run *a, const run *b, int velocities)
{
  double max = 0;
  for (size_t i = 0; i < a->m->nq; i++) max = fmax(max, fabs(a->x->q[i] - b->x->q[i]));
  for (size_t i = 0; i < a->m->nv && velocities; i++)
    max = fmax(max, fabs(a->x->v[i] - b->x->v[i]));
  return max;
}

static run bodies_by(int seed, double fall, const char *strategy)
{
  generator g = {.state = 900 + (unsigned long long)seed};
  two_bodies(&g, 0.4, fall, strategy);
  return run_play(g.text);
}

#define STEPS(h) "<TimeStepping h='" h "'><D1MinusLinearOSI variant='%s'/></TimeStepping>"
#define EVENTS \
  "<EventDriven h='0.1'><CVodeOSI relativeTolerance='1e-11' absoluteTolerance='1e-13'/>" \
  "</EventDriven>"

/* Of second order in the air, of quaternions too; with an impact of first order, while energies
 * are in balance to O(h^2). */
START_TEST(bodies_come_to_the_motion_between_events)
{
  static const char *const step[] = {STEPS("1e-3"), STEPS("5e-4"), STEPS("2.5e-4")};
  double error[3], defect[3], fall = _i % 2 ? -2 : 0.5;
  run exact = bodies_by(_i, fall, EVENTS);
  for (int k = 0; k < 3; k++) {
    char text[256];
    snprintf(text, sizeof text, step[k], _i / 2 % 2 ? "velocity" : "acceleration");
    run r = bodies_by(_i, fall, text);
    error[k] = apart(&r, &exact, _i % 2 == 0);
    defect[k] = fabs(r.x->cert->defect);
    ck_assert_int_eq(r.x->cert->impacts > 0, _i % 2);
    run_end(&r);
  }
  if (_i % 2) ck_assert_double_le(error[2], 5e-3);
  else ck_assert_double_eq_tol(log2(error[1] / error[2]), 2, 0.15);
  ck_assert_double_le(defect[2], 2e-4);
  ck_assert_double_le(defect[2], 0.35 * defect[1] + 1e-9);
  run_end(&exact);
}
END_TEST

/* The same ball of three kinds, with a force of time: the same bits. */
START_TEST(a_ball_of_any_kind_is_one_ball)
{
  static const char *const kind[] = {
      "<LagrangianLinearTIDS id='b' coordinates='z'><q0>1</q0><v0>0.5</v0><mass>1.3</mass><fExt>"
      "-9.81-sin(3*t)</fExt></LagrangianLinearTIDS></systems><interactions><interaction id='g' "
      "systems='b'><LagrangianLinearTIR><H>1</H><e>-0.1</e></LagrangianLinearTIR>",
      "<RigidBody2dDS id='b'><q0>0 1 0</q0><v0>0 0.5 0</v0><mass>1.3</mass><inertia>1</inertia>"
      "<fExt>0, -9.81-sin(3*t)</fExt></RigidBody2dDS></systems><interactions><interaction id='g' "
      "systems='b'><NewtonEuler1DR><P1>x y-0.1 0</P1><P2>x 0 0</P2><n>0 1 0</n></NewtonEuler1DR>",
      "<NewtonEulerDS id='b'><q0>0 0 1 1 0 0 0</q0><v0>0 0 0.5 0 0 0</v0><mass>1.3</mass>"
      "<inertia diag='1 1 1'/><fExt>0, 0, -9.81-sin(3*t)</fExt></NewtonEulerDS></systems>"
      "<interactions><interaction id='g' systems='b'><NewtonEuler1DR><P1>x y z-0.1</P1><P2>x y "
      "0</P2><n>0 0 1</n></NewtonEuler1DR>"};
  double q[3], v[3];
  for (int k = 0; k < 3; k++) {
    char text[2048];
    snprintf(text, sizeof text,
             HEAD "<systems>%s<NewtonImpactNSL e='0.5'/></interaction></interactions><simulation "
                  "T='2'><TimeStepping h='1e-3'><D1MinusLinearOSI %s/></TimeStepping>"
                  "</simulation></model>",
             kind[k], variant[_i]);
    run r = run_play(text);
    q[k] = r.x->q[k]; /* z is the coordinate of that number */
    v[k] = r.x->v[k];
    ck_assert_double_le(fabs(r.x->cert->defect), _i ? 0.05 : 0.2);
    run_end(&r);
  }
  for (int k = 1; k < 3; k++) ck_assert_double_eq_tol(q[k], q[0], 1e-12);
  for (int k = 1; k < 3; k++) ck_assert_double_eq_tol(v[k], v[0], 1e-11);
}
END_TEST

START_TEST(bodies_go_on)
{
  generator g = {.state = 900 + (unsigned long long)_i};
  two_bodies(&g, 0.1, -2, "<TimeStepping h='1e-3'><D1MinusLinearOSI/></TimeStepping>");
  ck_assert_int_gt(goes_on_the_same(g.text, &(change){0}, 4, 7 + (unsigned long)_i), 0);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, bodies_come_to_the_motion_between_events, 0, 16);
  tcase_add_loop_test(t, a_ball_of_any_kind_is_one_ball, 0, 2);
  tcase_add_loop_test(t, bodies_go_on, 0, 6);
  tcase_add_test(t, works_of_a_moving_plate_are_apart);
  tcase_add_test(t, bouncing_ball_reference);
  tcase_add_loop_test(t, rest_is_exact, 0, 2);
  tcase_add_loop_test(t, smooth_motion_is_of_second_order, 0, 2);
  tcase_add_loop_test(t, a_lasting_contact_drifts_by_h_squared, 0, 2);
  tcase_add_test(t, an_impact_elsewhere_does_not_shake_a_resting_contact);
}

int main(void) { return suite_run("D1-minus-linear", fill); }
