/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bodies and mechanisms in event-driven runs: Euler's top by elliptic functions, a hinge against a
 * coordinate, a slider-crank by quadrature, and the limit of time-stepping at its order. */
#include "algebra/rotation.h"
#include "simulation/simulation.h"
#include "support/random_model.h"
#include "support/run.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"
#define FINE "<CVodeOSI relativeTolerance='1e-11' absoluteTolerance='1e-13'/>"
#define CONSTRAINED "<IDAOSI relativeTolerance='1e-10' absoluteTolerance='1e-12'/>"

/* sn, cn, dn of u with the modulus k, by the arithmetic-geometric mean (Abramowitz & Stegun
 * 1964, 16.4). */
static void elliptic(double u, double k, double *sn, double *cn, double *dn)
{
  double a[20] = {1}, c[20] = {k}, b = sqrt(1 - k * k), phi;
  int n = 0;
  while (fabs(c[n]) > 1e-17 && n < 18) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = sqrt(a[n] * b);
    n++;
  }
  phi = ldexp(a[n] * u, n);
  for (; n > 0; n--) phi = (phi + asin(c[n] / a[n] * sin(phi))) / 2;
  *sn = sin(phi);
  *cn = cos(phi);
  *dn = sqrt(1 - k * k * *sn * *sn);
}

/* Three moments I1 < I2 < I3 and M^2 > 2 E I2 (Landau & Lifshitz 1976, 37): the middle axis does
 * not lead. */
START_TEST(top_of_euler)
{
  generator g = {.state = 11 + (unsigned long long)_i};
  double I1 = between(&g, 0.5, 0.8), I2 = between(&g, 0.9, 1.1), I3 = between(&g, 1.15, 1.25),
         scale = spread(&g, 1e-3, 1e3), T = between(&g, 2, 5);
  double w1 = between(&g, 0.1, 1), w3 = between(&g, 1.5, 4), E2 = I1 * w1 * w1 + I3 * w3 * w3,
         M2 = I1 * I1 * w1 * w1 + I3 * I3 * w3 * w3;
  double k = sqrt((I2 - I1) * (E2 * I3 - M2) / ((I3 - I2) * (M2 - E2 * I1))), s, c, d,
         rate = sqrt((I3 - I2) * (M2 - E2 * I1) / (I1 * I2 * I3));
  put(&g,
      HEAD "<NewtonEulerDS id='b'><q0 axis='%.17g 1 2' angle='%.17g'>1e3 0 3</q0><v0>1 -2 0 %.17g "
           "0 %.17g</v0><mass>%.17g</mass>"
           "<inertia diag='%.17g %.17g %.17g'/></NewtonEulerDS></systems><simulation "
           "T='%.17g'><EventDriven h='0.1'>" FINE "</EventDriven></simulation></model>",
      between(&g, -1, 1), between(&g, 0, 3), w1, w3, scale, scale * I1, scale * I2, scale * I3, T);
  run r = run_whole(g.text);
  elliptic(rate * T, k, &s, &c, &d);
  ck_assert_double_lt(k, 1);
  ck_assert_double_eq_tol(r.x->v[3], w1 * c, 1e-8);
  ck_assert_double_eq_tol(r.x->v[4], sqrt((E2 * I3 - M2) / (I2 * (I3 - I2))) * s, 1e-8);
  ck_assert_double_eq_tol(r.x->v[5], w3 * d, 1e-8);
  run_end(&r);
}
END_TEST

/* A body on a hinge of any direction, and the angle alone as a coordinate. */
START_TEST(hinge_is_a_coordinate)
{
  static const char *const osi[] = {FINE, CONSTRAINED};
  generator g = {.state = 23 + (unsigned long long)_i}, one = {.state = 1};
  double m = spread(&g, 0.1, 10), l = spread(&g, 0.1, 3), J = m * l * l * between(&g, 0.1, 1),
         phi = between(&g, -2, 2), w = between(&g, -2, 2) / sqrt(l);
  double turn = between(&g, 0, 6), c = cos(turn), s = sin(turn), T = 3 * sqrt(l),
         x[3] = {between(&g, -9, 9), between(&g, -9, 9), between(&g, -9, 9)};
  double out[3] = {c * sin(phi), s * sin(phi), -cos(phi)}, axis[3] = {s, -c, 0}, v[3];
  ns_cross3(axis, out, v);
  put(&g,
      HEAD "<NewtonEulerDS id='b'><q0>%.17g %.17g %.17g 1 0 0 0</q0><v0>%.17g %.17g %.17g %.17g "
           "%.17g 0</v0><mass>%.17g</mass>"
           "<inertia diag='%.17g %.17g %.17g'/><fExt>0 0 %.17g</fExt></NewtonEulerDS></systems>",
      x[0] + l * out[0], x[1] + l * out[1], x[2] + l * out[2], w * l * v[0], w * l * v[1],
      w * l * v[2], w * axis[0], w * axis[1], m, J, J, J, -9.81 * m);
  put(&g,
      "<interactions><interaction id='h' systems='b'><PivotJointR point='%.17g %.17g %.17g' "
      "axis='%.17g %.17g 0'/><EqualityConditionNSL/></interaction>"
      "</interactions><simulation T='%.17g'><EventDriven "
      "h='%.17g'>%s</EventDriven></simulation></model>",
      x[0], x[1], x[2], axis[0], axis[1], T, T / 20, osi[_i % 2]);
  put(&one,
      HEAD "<LagrangianDS id='p' "
           "coordinates='phi'><q0>%.17g</q0><v0>%.17g</v0><mass>%.17g</mass><fInt>%.17g*sin(phi)</"
           "fInt></LagrangianDS></systems>"
           "<simulation T='%.17g'><EventDriven h='%.17g'>" FINE
           "</EventDriven></simulation></model>",
      phi, w, J + m * l * l, 9.81 * m * l, T, T / 20);
  run a = run_whole(g.text), b = run_whole(one.text);
  double is = b.x->q[0],
         at[3] = {x[0] + l * c * sin(is), x[1] + l * s * sin(is), x[2] - l * cos(is)};
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(a.x->q[i], at[i], 1e-8 * (1 + l));
  ck_assert_double_eq_tol(ns_dot3(a.x->v + 3, axis), b.x->v[0],
                          2e-8 * (1 + fabs(w)) * sqrt(9.81 / l));
  run_end(&a), run_end(&b);
}
END_TEST

/* Crank, rod and slider without gravity: J(phi) phi'^2 stays, so a turn takes the integral of
 * 1/phi' (Flores, Leine & Glocker 2010; data of the model slider-crank-joints). 20 rows, of which
 * 17 count. */
static double crank_rate(double phi)
{
  double r = 0.153, l = 0.306, m1 = 0.038, m2 = 0.038, m3 = 0.076, J1 = 7.4e-5, J2 = 5.9e-4,
         inertia[2];
  for (int k = 0; k < 2; k++) {
    double p = k ? 0 : phi, th = -asin(r / l * sin(p)),
           dth = -r * cos(p) / (l * cos(th)); /* of the rod, and by phi */
    double sx = -r * sin(p) - l * sin(th) * dth, gx = -r * sin(p) - l / 2 * sin(th) * dth,
           gy = r * cos(p) + l / 2 * cos(th) * dth;
    inertia[k] = J1 + m1 * r * r / 4 + J2 * dth * dth + m2 * (gx * gx + gy * gy) + m3 * sx * sx;
  }
  return 150 * sqrt(inertia[1] / inertia[0]);
}

START_TEST(slider_crank_turns)
{
  enum { N = 4000 };
  static const char *const osi[] = {
      "<CVodeOSI relativeTolerance='1e-10' absoluteTolerance='1e-12'/>", CONSTRAINED};
  generator g = {.state = 1};
  double sum = 0, pi = acos(-1.0);
  for (int i = 0; i < N; i++)
    sum += 1 / crank_rate(2 * pi * i / N); /* periodic: the trapezoidal rule is exact */
  double T = 2 * pi * sum / N;
  ck_assert_double_eq_tol(T, 0.06788626631, 1e-11);
  put(&g, HEAD "<NewtonEulerDS id='crank'><q0>0.153/2 0 0 1 0 0 0</q0><v0>0 150*0.153/2 0 0 0 "
               "150</v0><mass>0.038</mass><inertia diag='3.7e-6 7.4e-5 7.4e-5'/></NewtonEulerDS>"
               "<NewtonEulerDS id='rod'><q0>0.306 0 0 1 0 0 0</q0><v0>0 150*0.153/2 0 0 0 "
               "-75</v0><mass>0.038</mass><inertia diag='2.95e-5 5.9e-4 5.9e-4'/></NewtonEulerDS>"
               "<NewtonEulerDS id='slider'><q0>0.459 0 0 1 0 0 0</q0><mass>0.076</mass><inertia "
               "diag='2.7e-6 2.7e-6 2.7e-6'/></NewtonEulerDS></systems><interactions>"
               "<interaction id='a' systems='crank'><PivotJointR point='0 0 0' axis='0 0 "
               "1'/><EqualityConditionNSL/></interaction>"
               "<interaction id='b' systems='crank rod'><PivotJointR point='0.153 0 0' axis='0 0 "
               "1'/><EqualityConditionNSL/></interaction>"
               "<interaction id='c' systems='rod slider'><PivotJointR point='0.459 0 0' axis='0 0 "
               "1'/><EqualityConditionNSL/></interaction>"
               "<interaction id='d' systems='slider'><PrismaticJointR axis='1 0 "
               "0'/><EqualityConditionNSL/></interaction></interactions>");
  put(&g, "<simulation T='%.17g'><EventDriven h='%.17g'>%s</EventDriven></simulation></model>", T,
      T / 50, osi[_i]);
  run r = run_whole(g.text);
  ck_assert_double_eq_tol(r.x->q[0], 0.153 / 2, 1e-8);
  ck_assert_double_eq_tol(r.x->q[1], 0, 2e-8);
  ck_assert_double_eq_tol(r.x->v[5], 150, 1e-4);
  ck_assert_double_eq_tol(r.x->q[14], 0.459, 1e-8);
  ck_assert_double_le(r.x->cert->defect_max, 1e-6 * r.x->cert->energy0);
  run_end(&r);
}
END_TEST

/* A random chain of two bodies in space with forces of time, position and velocity: steps of h and
 * h/2 are off by c h^2, so that what both lead to is the event-driven motion. */
START_TEST(time_stepping_leads_to_it)
{
  generator g = {.state = 31 + (unsigned long long)_i};
  double q[3][14], h = 2e-3, coarse = 0, fine = 0, limit = 0;
  put(&g, HEAD);
  for (int k = 0; k < 2; k++)
    put(&g,
        "<NewtonEulerDS id='b%d'><q0>%.17g 0 0 1 0 0 0</q0><v0>0 0 0 0 0 "
        "%.17g</v0><mass>%.17g</mass><inertia diag='%.17g %.17g %.17g'/>"
        "<fExt>0 sin(%.17g*t) -9.81</fExt><fInt>0.1*v_x  0.2*v_y  0</fInt><mInt>0.01*Omega_x "
        "0.02*Omega_y 0</mInt></NewtonEulerDS>",
        k, 0.5 + k, 0.0, between(&g, 0.5, 2), between(&g, 0.05, 0.1), between(&g, 0.06, 0.1),
        between(&g, 0.07, 0.1), between(&g, 1, 5));
  put(&g,
      "</systems><interactions><interaction id='s' systems='b0'><KneeJointR point='0 0 "
      "0'/><EqualityConditionNSL/></interaction>"
      "<interaction id='e' systems='b0 b1'><PivotJointR point='1 0 0' axis='0.3 1 "
      "%.17g'/><EqualityConditionNSL/></interaction></interactions>",
      between(&g, -1, 1));
  for (int k = 0; k < 3; k++) {
    generator text = {.state = 1};
    if (k == 0)
      put(&text,
          "%s<simulation T='0.6'><EventDriven h='0.1'>" FINE "</EventDriven></simulation></model>",
          g.text);
    else
      put(&text,
          "%s<simulation T='0.6'><TimeStepping h='%.17g'><MoreauJeanDirectProjectionOSI "
          "theta='0.5'/></TimeStepping></simulation></model>",
          g.text, h / k);
    run r = run_whole(text.text);
    memcpy(q[k], r.x->q, sizeof q[k]);
    run_end(&r);
  }
  for (int i = 0; i < 14; i++) {
    coarse = fmax(coarse, fabs(q[1][i] - q[0][i]));
    fine = fmax(fine, fabs(q[2][i] - q[0][i]));
    limit = fmax(limit, fabs((4 * q[2][i] - q[1][i]) / 3 - q[0][i]));
  }
  ck_assert_double_ge(coarse, 3.5 * fine);
  ck_assert_double_le(coarse, 4.5 * fine);
  ck_assert_double_le(limit, 0.05 * fine);
}
END_TEST

/* ---- units ----------------------------------------------------------------------------------- */

/* A pendulum on a hinge in space is one motion in any units of length and mass: rows of the hinge
 * that are of lengths stand beside those of angles. */
START_TEST(a_hinge_holds_in_any_unit)
{
  static const double length[] = {1, 1e-7, 1e-6, 1e-5, 1e-4, 1e3, 1e4, 1e7},
                      mass[] = {1, 1e-6, 1e6};
  static const char *const flow[] = {"<CVodeOSI/>", "<IDAOSI/>"};
  double angle[2];
  for (int k = 0; k < 2; k++) {
    double L = k ? length[_i % 8] : 1, M = k ? mass[_i / 8 % 3] : 1;
    char model[2000];
    snprintf(model, sizeof model,
             "<model xmlns='urn:nssim:model:1' name='m'><systems><NewtonEulerDS id='p'>"
             "<q0>%.17g 0 0 1 0 0 0</q0><mass>%.17g</mass><inertia diag='%.17g %.17g %.17g'/>"
             "<fExt>0 0 %.17g</fExt></NewtonEulerDS></systems><interactions><interaction id='h' "
             "systems='p'><PivotJointR point='0 0 0' axis='0 1 0'/><EqualityConditionNSL/>"
             "</interaction></interactions><simulation T='1.3'><EventDriven h='0.1'>%s"
             "</EventDriven></simulation></model>",
             0.5 * L, M, 0.1 * M * L * L, 0.2 * M * L * L, 0.25 * M * L * L, -3 * M * L,
             flow[_i / 24]);
    run r = run_load(model, NULL);
    ck_assert_msg(run_keep(&r) == NS_OK, "%g m, %g kg: %s", L, M, r.c.msg);
    angle[k] = r.x->angle[0];
    for (int j = 0; j < 3; j++) ck_assert_double_le(fabs(r.x->y[j]), 1e-6 * L);
    run_end(&r);
  }
  ck_assert_double_eq_tol(angle[0], angle[1], 1e-7);
}
END_TEST

/* Rows of a joint change their sign where its rotation passes half a turn: what the motion is there
 * must not depend on it. Two bodies, driven over half a turn and more, in steps so short that some
 * of them end in every thousandth of a turn. */
START_TEST(joints_pass_half_a_turn)
{
  generator g = {.state = 5100 + (unsigned long long)_i};
  const char *joint = _i % 2 ? "CylindricalJointR" : "PivotJointR";
  double tilt[4], torque[2];
  for (int i = 0; i < 4; i++) tilt[i] = between(&g, -0.4, 0.4);
  for (int i = 0; i < 2; i++) torque[i] = between(&g, 3, 7);
  char model[4000];
  snprintf(
      model, sizeof model,
      "<model xmlns='urn:nssim:model:1' name='m'><systems><NewtonEulerDS id='a'><q0>0.5 0.2 0 1 0 "
      "0 "
      "0</q0><mass>2</mass><inertia diag='0.3 0.4 0.2'/><fExt>0 0 -19.62</fExt></NewtonEulerDS>"
      "<NewtonEulerDS id='b'><q0>1.2 0.1 0.3 1 0 0 0</q0><mass>2</mass><inertia diag='0.3 0.4 "
      "0.2'/></NewtonEulerDS></systems><interactions><interaction id='u' systems='a'><PivotJointR "
      "point='0 0 0' axis='%.17g 1 %.17g'><torque>%.17g</torque></PivotJointR>"
      "<EqualityConditionNSL/></interaction><interaction id='w' systems='a b'><%s point='1 0 0' "
      "axis='%.17g 1 %.17g'><torque>%.17g</torque></%s><EqualityConditionNSL/></interaction>"
      "</interactions><simulation T='3'><EventDriven h='0.05'><CVodeOSI relativeTolerance='1e-10' "
      "absoluteTolerance='1e-11' maxStep='1e-3'/></EventDriven></simulation></model>",
      tilt[0], tilt[1], torque[0], joint, tilt[2], tilt[3], torque[1], joint);
  run r = run_load(model, NULL);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  ck_assert_double_gt(fabs(run_at(&r, r.got.nrows - 1, "w.angle")), 4);
  ck_assert_double_le(r.x->cert->motion_defect, 0.05);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, top_of_euler, 0, 8);
  tcase_add_loop_test(t, hinge_is_a_coordinate, 0, 8);
  tcase_add_loop_test(t, slider_crank_turns, 0, 2);
  tcase_add_loop_test(t, time_stepping_leads_to_it, 0, 4);
  tcase_add_loop_test(t, a_hinge_holds_in_any_unit, 0, 48);
  tcase_add_loop_test(t, joints_pass_half_a_turn, 0, 8);
}

int main(void) { return suite_run("event-driven mechanisms", fill); }
