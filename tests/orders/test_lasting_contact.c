/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contacts and constraints that last, at theta = 1/2: bodies that roll, tip, slide and swing are
 * of second order, whatever their shapes and however the relation is written, and what holds
 * them does no work. */
#include "support/mechanics.h"

enum { RUNS = 4 };

static double last(const run *r, const char *label)
{
  return r->got.rows[(r->got.nrows - 1) * r->got.ncols + capture_column(&r->got, label)];
}

/* Kinetic and potential energy now over those of the begin, less one. */
static double energy_change(const run *r)
{
  size_t T = capture_column(&r->got, "diagnostics.kinetic"),
         V = capture_column(&r->got, "diagnostics.potential");
  const double *first = r->got.rows, *end = r->got.rows + (r->got.nrows - 1) * r->got.ncols;
  return (end[T] + end[V]) / (first[T] + first[V]) - 1;
}

/* Errors at n, 2n, 4n, 8n steps have the order 2 by least squares, and the last one is below
 * `small`. */
static void is_of_second_order(const double *err, double small)
{
  double h[RUNS];
  for (int k = 0; k < RUNS; k++) h[k] = pow(0.5, k);
  double order = slope(h, err, RUNS);
  ck_assert_msg(order > 1.85 && order < 2.4, "order %.3f from errors %g %g %g %g", order, err[0],
                err[1], err[2], err[3]);
  ck_assert_msg(err[RUNS - 1] < small, "error %g, expected below %g", err[RUNS - 1], small);
}

/* An angle and its rate. */
typedef struct swing {
  double x, v;
} swing;

/* x'' = a sin(x) over T, by the classical Runge-Kutta method. */
static swing swing_of(double a, double x, double v, double T)
{
  enum { N = 20000 };
  double h = T / N;
  for (int i = 0; i < N; i++) {
    double k1 = a * sin(x), k2 = a * sin(x + h / 2 * v),
           k3 = a * sin(x + h / 2 * v + h * h / 4 * k1);
    double k4 = a * sin(x + h * v + h * h / 2 * k2);
    x += h * v + h * h / 6 * (k1 + k2 + k3);
    v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return (swing){x, v};
}

/* ---- a ball on a ball ------------------------------------------------------------------------ */

/* From angle x0 to the vertical, rolling: (1 + k) (R + r) x'' = g sin(x), k = I/(m r^2); c: the
 * centre of the fixed one. */
typedef struct rolls_on {
  const char *name;
  int planar;
  double R, r, k, c;
} rolls_on;
static const rolls_on roller[] = {{"spheres", 0, 1, 0.5, 0.4, 0},
                                  {"spheres elsewhere", 0, 0.3, 0.4, 0.5, 20},
                                  {"disks", 1, 1, 0.5, 0.5, -3}};

static double angle_of_roller(const rolls_on *o, double x0, int steps, double T)
{
  double m = 2, x = o->c + (o->R + o->r) * sin(x0), z = (o->R + o->r) * cos(x0),
         J = o->k * m * o->r * o->r;
  run r = o->planar
              ? mechanics("<systems><RigidBody2dDS id='b'><q0>%.17g %.17g "
                          "0</q0><mass>%g</mass><inertia>%.17g</inertia><fExt>0 %.17g"
                          "</fExt><Disk "
                          "radius='%g'/></RigidBody2dDS></"
                          "systems><contacts><NewtonImpactFrictionNSL en='0' mu='5'/>"
                          "<Disk radius='%g' at='%g 0'/></contacts><simulation "
                          "T='%g'><TimeStepping h='%.17g'><MoreauJeanOSI/>"
                          "</TimeStepping></simulation>",
                          x, z, m, J, -m * G, o->r, o->R, o->c, T, T / steps)
              : mechanics("<systems><NewtonEulerDS id='b'><q0>%.17g 1 %.17g 1 0 0 "
                          "0</q0><mass>%g</mass><inertia diag='%.17g %.17g "
                          "%.17g'/><fExt>0 0 %.17g</fExt><Sphere "
                          "radius='%g'/></NewtonEulerDS></systems><contacts>"
                          "<NewtonImpactFrictionNSL en='0' mu='5'/><Sphere radius='%g' at='%g 1 "
                          "0'/></contacts><simulation T='%g'>"
                          "<TimeStepping h='%.17g'><MoreauJeanOSI/></TimeStepping></simulation>",
                          x, z, m, J, J, J, -m * G, o->r, o->R, o->c, T, T / steps);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  double angle = atan2(last(&r, "b.x") - o->c, last(&r, o->planar ? "b.y" : "b.z"));
  run_end(&r);
  return angle;
}

START_TEST(ball_rolls_on_ball)
{
  const rolls_on *o = &roller[_i];
  double err[RUNS], x0 = 0.3, T = 0.3, x = swing_of(G / ((1 + o->k) * (o->R + o->r)), x0, 0, T).x;
  for (int k = 0; k < RUNS; k++) err[k] = fabs(angle_of_roller(o, x0, 100 << k, T) - x);
  is_of_second_order(err, 1e-6);
}
END_TEST

/* ---- a block on its edge --------------------------------------------------------------------- */

/* A box of width w and height 2 c tips about its edge, a polygon about its corner: (J + m l^2)
 * x'' = m g l sin(x), x the angle of the way from the edge to the centre. turn: about the
 * vertical, so that no axis is special. */
static double angle_of_block(int planar, double turn, int steps, double T)
{
  const double w = 1, c = 1, m = 2, J = 1, tilt = 0.3;
  double x = w / 2 * cos(tilt) - c * sin(tilt),
         z = w / 2 * sin(tilt) + c * cos(tilt); /* the edge is at 0 */
  run r = planar
              ? mechanics("<systems><RigidBody2dDS id='b'><q0>%.17g %.17g "
                          "%.17g</q0><mass>%g</mass><inertia>%g</inertia><fExt>0 %.17g</fExt>"
                          "<Polygon points='0.5 1; -0.5 1; -0.5 -1; 0.5 "
                          "-1'/></RigidBody2dDS></systems><contacts><NewtonImpactFrictionNSL "
                          "en='0' mu='4'/><HalfPlane normal='0 1'/></contacts><simulation "
                          "T='%g'><TimeStepping h='%.17g'><MoreauJeanOSI/>"
                          "</TimeStepping></simulation>",
                          x, z, tilt, m, J, -m * G, T, T / steps)
              : mechanics("<systems><NewtonEulerDS id='b'><q0>%.17g %.17g %.17g %.17g %.17g %.17g "
                          "%.17g</q0><mass>%g</mass><inertia "
                          "diag='%g %g %g'/><fExt>0 0 %.17g</fExt><Box size='1 1 "
                          "2'/></NewtonEulerDS></systems><contacts>"
                          "<NewtonImpactFrictionNSL en='0' mu='4'/><Plane/></contacts><simulation "
                          "T='%g'><TimeStepping h='%.17g'>"
                          "<MoreauJeanOSI/></TimeStepping></simulation>",
                          x * cos(turn), x * sin(turn), z, cos(turn / 2) * cos(tilt / 2),
                          sin(turn / 2) * sin(tilt / 2), -cos(turn / 2) * sin(tilt / 2),
                          sin(turn / 2) * cos(tilt / 2), m, J, J, J, -m * G, T, T / steps);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  double far = planar ? last(&r, "b.x") : last(&r, "b.x") * cos(turn) + last(&r, "b.y") * sin(turn);
  double angle = atan2(far, last(&r, planar ? "b.y" : "b.z"));
  run_end(&r);
  return angle;
}

START_TEST(block_tips_about_its_edge)
{
  const double w = 1, c = 1, m = 2, J = 1, tilt = 0.3, T = 0.3, l2 = w * w / 4 + c * c;
  double err[RUNS], x = swing_of(m * G * sqrt(l2) / (J + m * l2), atan2(w / 2, c) - tilt, 0, T).x;
  for (int k = 0; k < RUNS; k++) err[k] = fabs(angle_of_block(_i == 2, 0.7 * _i, 100 << k, T) - x);
  is_of_second_order(err, 1e-6);
}
END_TEST

/* ---- a ball on a plane ----------------------------------------------------------------------- */

/* With any spin: it slides with the friction against its slip, whose direction stays; or rolls
 * on a slope, whose pull is 1/(1 + k) of what it is without friction. Positions are parabolas,
 * while the angular velocity turns with the body. */
START_TEST(ball_slides_and_rolls_with_any_spin)
{
  const double R = 0.1, mu = _i ? 5 : 0.2, pull = _i ? 3 : 0, T = 0.5, v[2] = {_i ? 0.5 : 2, 1},
               w[3] = {_i ? -v[1] / R : 30, _i ? v[0] / R : -10, 50};
  double err[RUNS], slip[2] = {v[0] - R * w[1], v[1] + R * w[0]}, size = hypot(slip[0], slip[1]),
                    far[2];
  for (int i = 0; i < 2; i++)
    far[i] = v[i] * T + (_i ? (i == 0) * pull / 1.4 : -mu * G * slip[i] / size) * T * T / 2;
  for (int k = 0; k < RUNS; k++) {
    run r = mechanics(
        "<systems><NewtonEulerDS id='b'><q0>0 0 %g 1 0 0 0</q0><v0>%g %g 0 %g %g "
        "%g</v0><mass>1</mass><inertia diag='0.004 0.004 "
        "0.004'/><fExt>%g 0 %.17g</fExt><Sphere "
        "radius='%g'/></NewtonEulerDS></systems><contacts><NewtonImpactFrictionNSL en='0' "
        "mu='%g'/><Plane/></contacts><simulation T='%g'><TimeStepping "
        "h='%.17g'><MoreauJeanOSI/></TimeStepping></simulation>",
        R, v[0], v[1], w[0], w[1], w[2], pull, -G, R, mu, T, T / (200 << k));
    ck_assert_int_eq(run_keep(&r), NS_OK);
    err[k] = hypot(last(&r, "b.x") - far[0], last(&r, "b.y") - far[1]);
    run_end(&r);
  }
  is_of_second_order(err, 5e-6);
}
END_TEST

/* ---- relations between coordinates ----------------------------------------------------------- */

/* A bead in a bowl z = x^2/2, by a unilateral law or an equality: without friction what holds it
 * does no work. */
START_TEST(bead_in_a_bowl_keeps_its_energy)
{
  static const char *const law[] = {"<NewtonImpactNSL e='0'/>", "<EqualityConditionNSL/>",
                                    "<NewtonImpactNSL e='0.5'/>"};
  double err[RUNS], lost[RUNS], fine = 0;
  for (int k = RUNS; k >= 0; k--) { /* the finest first: what the others are held against */
    int n = k == RUNS ? 12800 : 100 << k;
    run r = mechanics("<systems><LagrangianLinearTIDS id='b' coordinates='x z'><q0>1 "
                      "0.5</q0><mass>3 0; 0 3</mass><fExt>0 -3*9.81</fExt>"
                      "</LagrangianLinearTIDS></systems><interactions><interaction id='bowl' "
                      "systems='b'><LagrangianScleronomousR><h>z-x^2/2"
                      "</h></LagrangianScleronomousR>%s</interaction></interactions><simulation "
                      "T='2'><TimeStepping h='%.17g'><MoreauJeanOSI/>"
                      "</TimeStepping></simulation>",
                      law[_i], 2. / n);
    ck_assert_int_eq(run_keep(&r), NS_OK);
    if (k == RUNS) fine = last(&r, "b.x");
    else err[k] = fabs(last(&r, "b.x") - fine), lost[k] = fabs(energy_change(&r));
    ck_assert_double_le(r.x->cert->defect_max, 1e-9);
    run_end(&r);
  }
  is_of_second_order(err, 1e-4);
  ck_assert_double_le(lost[0], 5e-3);
  ck_assert_double_le(lost[RUNS - 1], 1e-4);
}
END_TEST

/* Coulomb friction on a circle, sliding down from x0 by the vertical: with u = v^2 (x'^2), du/dx
 * = 2 (g/R) (cos x - mu sin x) - 2 mu u for an angle x below the horizontal, a linear equation:
 * u(x) in closed form; that the height reached fits it. */
static double square_of_rate(double mu, double x)
{
  /* u = A sin x + B cos x + C exp(-2 mu x), u(0) = 0, in units of g/R */
  double d = 1 + 4 * mu * mu, A = (2 - 4 * mu * mu) / d, B = 6 * mu / d;
  return A * sin(x) + B * cos(x) - B * exp(-2 * mu * x);
}

START_TEST(block_slides_on_a_circle_with_friction)
{
  const double mu = _i ? 0.3 : 0.1, R = _i ? 2 : 0.5;
  double err[RUNS];
  for (int k = 0; k < RUNS; k++) {
    run r = mechanics(
        "<systems><LagrangianLinearTIDS id='b' coordinates='x y'><q0>%.17g 0</q0><mass>1 0; 0 "
        "1</mass><fExt>0 -9.81</fExt>"
        "</LagrangianLinearTIDS></systems><interactions><interaction id='c' "
        "systems='b'><LagrangianScleronomousR>"
        "<h>%.17g-hypot(x, y)</h><H>-x/hypot(x, y), -y/hypot(x, y); -y/hypot(x, y), x/hypot(x, "
        "y)</H></LagrangianScleronomousR>"
        "<NewtonImpactFrictionNSL en='0' mu='%g'/></interaction></interactions><simulation "
        "T='%.17g'><TimeStepping h='%.17g'>"
        "<MoreauJeanOSI/></TimeStepping></simulation>",
        R, R, mu, 0.9 * sqrt(R / G), 0.9 * sqrt(R / G) / (100 << k));
    ck_assert_int_eq(run_keep(&r), NS_OK);
    double x = atan2(-last(&r, "b.y"), last(&r, "b.x")),
           v = hypot(last(&r, "b.v_x"), last(&r, "b.v_y"));
    err[k] = fabs(v * v / (R * G) - square_of_rate(mu, x));
    run_end(&r);
  }
  is_of_second_order(err, 1e-5);
}
END_TEST

/* A bead on a wire that turns with w: r = cosh(w t), and the wire drives it by 2 m w r' = 2 m
 * w^2 sinh(w t), met in the middle of steps. */
START_TEST(bead_on_a_turning_wire)
{
  const double w = _i ? -2 : 3, T = 0.5;
  double err[RUNS], force[RUNS];
  for (int k = 0; k < RUNS; k++) {
    int n = 50 << k;
    run r = mechanics(
        "<systems><LagrangianLinearTIDS id='b' coordinates='x y'><q0>1 0</q0><v0>0 %g</v0><mass>1 "
        "0; 0 1</mass>"
        "</LagrangianLinearTIDS></systems><interactions><interaction id='wire' "
        "systems='b'><LagrangianRheonomousR><h>"
        "y*cos((%g)*t)-x*sin((%g)*t)</h></LagrangianRheonomousR><EqualityConditionNSL/></"
        "interaction></interactions>"
        "<simulation T='%g'><TimeStepping h='%.17g'><MoreauJeanOSI/></TimeStepping></simulation>",
        w, w, w, T, T / n);
    ck_assert_int_eq(run_keep(&r), NS_OK);
    err[k] = fabs(hypot(last(&r, "b.x"), last(&r, "b.y")) - cosh(w * T));
    force[k] = fabs(last(&r, "wire.lambda") * n / T - 2 * w * w * sinh(w * (T - T / (2 * n))));
    ck_assert_double_le(r.x->cert->defect_max, 1e-9);
    run_end(&r);
  }
  is_of_second_order(err, 1e-4);
  is_of_second_order(force, 2e-2);
}
END_TEST

/* ---- pendulums: positions and what holds them ------------------------------------------------ */

/* A point on a rod by an equality, let go from horizontal: the multiplier of x^2 + z^2 - 1 is half
 * of the pull x'^2 + g cos(x), met in the middle of steps; with projections, too. */
START_TEST(pendulum_and_its_multiplier)
{
  static const char *const scheme[] = {"MoreauJeanOSI", "MoreauJeanGOSI",
                                       "MoreauJeanDirectProjectionOSI",
                                       "MoreauJeanCombinedProjectionOSI"};
  const double T = 0.7;
  double err[RUNS], force[RUNS];
  for (int k = 0; k < RUNS; k++) {
    double h = T / (50 << k);
    run r = mechanics(
        "<systems><LagrangianLinearTIDS id='m' coordinates='x z'><q0>1 0</q0><mass>1 0; 0 1</mass>"
        "<fExt>0 -9.81</fExt></LagrangianLinearTIDS></systems><interactions><interaction id='rod' "
        "systems='m'><LagrangianScleronomousR><h>x^2+z^2-1</h></LagrangianScleronomousR>"
        "<EqualityConditionNSL/></interaction></interactions><simulation T='%g'><TimeStepping "
        "h='%.17g'><%s/></TimeStepping></simulation>",
        T, h, scheme[_i]);
    ck_assert_int_eq(run_keep(&r), NS_OK);
    swing middle = swing_of(-G, M_PI / 2, 0, T - h / 2);
    double pull = middle.v * middle.v + G * cos(middle.x);
    err[k] = fabs(atan2(last(&r, "m.x"), -last(&r, "m.z")) - swing_of(-G, M_PI / 2, 0, T).x);
    force[k] = fabs(2 * fabs(last(&r, "rod.lambda")) / h - pull);
    run_end(&r);
  }
  is_of_second_order(err, 1e-5);
  is_of_second_order(force, 1e-3);
}
END_TEST

/* A uniform rod on a hinge: it bears m (L x'^2/2 + g cos(x)) along the rod, m g sin(x)/4 across. */
START_TEST(hinge_and_its_force)
{
  const double T = 0.4, a = -1.5 * G;
  double err[RUNS], force[RUNS];
  for (int k = 0; k < RUNS; k++) {
    double h = T / (50 << k);
    run r = mechanics(
        "<systems><NewtonEulerDS id='rod'><q0>0.5 0 0 1 0 0 0</q0><mass>1</mass><inertia "
        "diag='1e-3 1/12 1/12'/><fExt>0 0 -9.81</fExt></NewtonEulerDS></systems><interactions>"
        "<interaction id='hinge' systems='rod'><PivotJointR point='0 0 0' axis='0 1 0'/>"
        "<EqualityConditionNSL/></interaction></interactions><simulation T='%g'><TimeStepping "
        "h='%.17g'><MoreauJeanOSI/></TimeStepping></simulation>",
        T, h);
    ck_assert_int_eq(run_keep(&r), NS_OK);
    swing middle = swing_of(a, M_PI / 2, 0, T - h / 2);
    double along = middle.v * middle.v / 2 + G * cos(middle.x), across = G * sin(middle.x) / 4;
    double found = hypot(hypot(last(&r, "hinge.lambda[0]"), last(&r, "hinge.lambda[1]")),
                         last(&r, "hinge.lambda[2]")) /
                   h;
    err[k] = fabs(atan2(last(&r, "rod.x"), -last(&r, "rod.z")) - swing_of(a, M_PI / 2, 0, T).x);
    force[k] = fabs(found - hypot(along, across));
    run_end(&r);
  }
  is_of_second_order(err, 1e-6);
  is_of_second_order(force, 1e-4);
}
END_TEST

/* rowsGamma = 1 is the scheme of before: of first order. It is what is written that is done. */
START_TEST(rows_of_the_end_are_of_first_order)
{
  const double period = 2.36784194758;
  double h[3], lost[3];
  for (int k = 0; k < 3; k++) {
    h[k] = period / (800 << k);
    run r = mechanics("<systems><LagrangianLinearTIDS id='m' coordinates='x z'><q0>1 0</q0><mass>1 "
                      "0; 0 1</mass><fExt>0 -9.81</fExt>"
                      "</LagrangianLinearTIDS></systems><interactions><interaction id='rod' "
                      "systems='m'><LagrangianScleronomousR><h>x^2+z^2-1"
                      "</h></LagrangianScleronomousR><EqualityConditionNSL/></interaction></"
                      "interactions><simulation T='%.17g'><TimeStepping "
                      "h='%.17g'><MoreauJeanOSI rowsGamma='1'/></TimeStepping></simulation>",
                      period, h[k]);
    ck_assert_int_eq(run_keep(&r), NS_OK);
    ck_assert_double_le(r.x->cert->defect_max, 1e-9);
    lost[k] = -r.x->cert->work_contact; /* what the energy loses is the work of that impulse */
    run_end(&r);
  }
  ck_assert_double_eq_tol(slope(h, lost, 3), 1, 0.1);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, ball_rolls_on_ball, 0, sizeof roller / sizeof *roller);
  tcase_add_loop_test(t, block_tips_about_its_edge, 0, 3);
  tcase_add_loop_test(t, ball_slides_and_rolls_with_any_spin, 0, 2);
  tcase_add_loop_test(t, bead_in_a_bowl_keeps_its_energy, 0, 3);
  tcase_add_loop_test(t, block_slides_on_a_circle_with_friction, 0, 2);
  tcase_add_loop_test(t, bead_on_a_turning_wire, 0, 2);
  tcase_add_loop_test(t, pendulum_and_its_multiplier, 0, 4);
  tcase_add_test(t, hinge_and_its_force);
  tcase_add_test(t, rows_of_the_end_are_of_first_order);
}

int main(void) { return suite_run("contacts that last", fill); }
