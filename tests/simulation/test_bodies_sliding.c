/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rigid bodies that slide, stick and spin on dry ground against closed forms: oscillators, discs.
 */
#include "support/rigid_runs.h"

/* ---- V6: stick and slip against a spring ----------------------------------------------------- */

/* A block of 1 kg on four corners, from x0 at rest; its spring of 100 N/m pulls with `spring`. */
static run block(const char *x0, const char *spring, double h, double T)
{
  run r = mechanics(
      "<systems><NewtonEulerDS id='block'><q0>%s 0 0.05 1 0 0 0</q0><mass>1</mass><inertia "
      "diag='0.02 0.02 0.02'/>"
      "<fExt>0 0 -9.81</fExt><fInt>%s, 0, 0</fInt><Box size='0.4 0.4 "
      "0.1'/></NewtonEulerDS></systems>"
      "<contacts><NewtonImpactFrictionNSL en='0' mu='0.3'/><Plane normal='0 0 1'/></contacts>"
      "<simulation T='%.17g'><TimeStepping h='%.17g'><MoreauJeanOSI/></TimeStepping></simulation>",
      x0, spring, T, h);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  return r;
}

/* With delta = mu m g/k it turns at -(x0 - 2 delta), x0 - 4 delta, and stops at the third, after
 * three half cycles. */
START_TEST(block_on_a_spring_stops)
{
  static const double turn[] = {-0.14114, 0.08228, -0.02342};
  run r = block("0.2", "100*x", 1e-4, 1.2);
  size_t k = r.got.nrows - 1;
  ck_assert_double_eq_tol(r.x->q[0], turn[2], 1e-5);
  ck_assert_double_le(fabs(r.x->v[0]), 1e-12);
  while (k > 0 && fabs(run_at(&r, k, "block.v_x")) < 1e-9) k--;
  ck_assert_double_eq_tol(run_at(&r, k, "time"), 0.9424777961, 2e-4);
  for (int half = 1; half < 3; half++) {
    k = (size_t)lround(half * 0.314159265359 / 1e-4);
    ck_assert_double_eq_tol(run_at(&r, k, "block.x"), turn[half - 1], 1e-5);
    /* of 1.7 m/s: it turns within two steps */
    ck_assert_double_le(fabs(run_at(&r, k, "block.v_x")), 5e-3);
  }
  run_end(&r);
}
END_TEST

/* The end of the spring moves with V = 0.1. When it slips first; the largest and smallest velocity;
 * the largest error of V (1 - cos w (t - t1)). */
static void pulled(double h, double *first, double *max, double *min, double *error)
{
  run r = block("0", "100*(x-0.1*t)", h, 2.5);
  *first = *max = *min = *error = 0;
  for (size_t k = 0; k < r.got.nrows; k++) {
    double t = run_at(&r, k, "time"), v = run_at(&r, k, "block.v_x");
    if (*first == 0 && v > 1e-9) *first = t;
    *max = fmax(*max, v);
    *min = fmin(*min, v);
    *error = fmax(*error, fabs(v - (t < 0.2943 ? 0 : 0.1 * (1 - cos(10 * (t - 0.2943))))));
  }
  run_end(&r);
}

/* Three cycles, at whose ends it is just at rest. */
START_TEST(pulled_block_slips_and_grazes)
{
  double error[3];
  for (int i = 0; i < 3; i++) {
    double h = 2e-3 / (1 << i), first, max, min;
    pulled(h, &first, &max, &min, &error[i]);
    ck_assert_double_eq_tol(first, 0.2943, 1.5 * h);
    ck_assert_double_eq_tol(max, 0.2, 1e-3 * h);
    ck_assert_double_ge(min, -1e-11); /* it does not go back */
    ck_assert_double_le(error[i], 0.04 * h);
  }
}
END_TEST

/* ---- V7: discs that slide and spin ----------------------------------------------------------- */

/* A disc of 1 kg, R = 0.5, on three points of its rim, its centre as high as the ground: each
 * carries a third whatever friction does. */
#define THREE_POINTS \
  "<systems><NewtonEulerDS id='disc'><q0>0 0 0 1 0 0 0</q0><v0>%.17g 0 0 0 0 " \
  "%.17g</v0><mass>1</mass>" \
  "<inertia diag='0.0625 0.0625 0.125'/><fExt>0 0 -9.81</fExt><Sphere radius='0.1' at='0.5 0 " \
  "0.1'/>" \
  "<Sphere radius='0.1' at='-0.25 sqrt(0.1875) 0.1'/><Sphere radius='0.1' at='-0.25 " \
  "-sqrt(0.1875) 0.1'/></NewtonEulerDS></systems>"

/* The same on three rings of three feet each. A foot carries its own weight, being free to rise and
 * sink, and nothing else has any: so pressure is uniform. A ring stands where the mean of r over
 * its share of the disc is, so that its torque is that of the share. The feet have half the mass,
 * the plate the rest of it and of the moment of inertia. */
#define UNIFORM_PRESSURE \
  "<parameters><parameter name='v' value='%.17g'/><parameter name='w' value='%.17g'/><parameter " \
  "name='R' value='0.5'/></parameters>" \
  "<systems><NewtonEulerDS id='disc'><q0>0 0 0 1 0 0 0</q0><v0>v 0 0 0 0 w</v0><mass>1/2</mass>" \
  "<inertia diag='0.03 0.03 (1/2-1/2*5372/10935)*R^2-9e-3'/></NewtonEulerDS>" \
  "<repeat index='k' from='0' to='2'><repeat index='j' from='0' to='2'><NewtonEulerDS " \
  "id='foot{k}{j}'>" \
  "<q0>2/9*R*(3*k^2+3*k+1)/(2*k+1)*cos(2*pi/9*(3*j+k)) " \
  "2/9*R*(3*k^2+3*k+1)/(2*k+1)*sin(2*pi/9*(3*j+k)) 0 1 0 0 0</q0>" \
  "<v0>v-w*2/9*R*(3*k^2+3*k+1)/(2*k+1)*sin(2*pi/9*(3*j+k)) " \
  "w*2/9*R*(3*k^2+3*k+1)/(2*k+1)*cos(2*pi/9*(3*j+k)) 0 0 0 w</v0>" \
  "<mass>(2*k+1)/54</mass><inertia diag='1e-3 1e-3 1e-3'/><fExt>0 0 " \
  "-9.81*(2*k+1)/27</fExt><Sphere radius='0.01' at='0 0 0.01'/>" \
  "</NewtonEulerDS></repeat></repeat></systems><interactions><repeat index='k' from='0' " \
  "to='2'><repeat index='j' from='0' to='2'>" \
  "<interaction id='guide{k}{j}' systems='foot{k}{j} disc'><PrismaticJointR axis='0 0 " \
  "1'/><EqualityConditionNSL/></interaction>" \
  "</repeat></repeat></interactions>"

#define DRY_GROUND \
  "<contacts><NewtonImpactFrictionNSL en='0' mu='0.3'/><Plane normal='0 0 1'/></contacts>" \
  "<simulation T='%.17g'><TimeStepping h='%.17g'><MoreauJeanOSI " \
  "theta='1'/></TimeStepping></simulation>"

/* Times at which a disc ceases to spin and to slide. */
static void instants(run *r, double *spin, double *slide)
{
  ck_assert_int_eq(run_keep(r), NS_OK);
  *spin = *slide = 0;
  for (size_t k = 0; k < r->got.nrows; k++) {
    double t = run_at(r, k, "time");
    if (fabs(run_at(r, k, "disc.Omega_z")) > 1e-6) *spin = t;
    if (hypot(run_at(r, k, "disc.v_x"), run_at(r, k, "disc.v_y")) > 1e-6) *slide = t;
  }
  run_end(r);
}

/* Spin alone stops after R w/(2 mu g); with translation the last step of one is the last of the
 * other, and it is the same for any step but for O(h). */
START_TEST(disc_on_three_points_comes_to_rest_at_once)
{
  static const double v0[] = {0, 0.25, 1, 2, 5, 10};
  double spin[2], slide[2], h[2] = {1e-3, 5e-4};
  for (int i = 0; i < 2; i++) {
    run r = mechanics(THREE_POINTS DRY_GROUND, v0[_i], 10., 1 + v0[_i] / 3, h[i]);
    instants(&r, &spin[i], &slide[i]);
    ck_assert_double_eq_tol(slide[i], v0[_i] > 0 ? spin[i] : 0, 1e-9);
  }
  ck_assert_double_eq_tol(spin[1], spin[0], h[0]);
  if (v0[_i] == 0) ck_assert_double_eq_tol(spin[1], 0.8494733, h[1]);
}
END_TEST

/* Spin alone: after 3 R w/(4 mu g). */
START_TEST(disc_under_uniform_pressure_comes_to_rest_at_once)
{
  static const double v0[] = {0, 0.25, 2, 5}, h = 2e-3;
  double spin, slide;
  run r = mechanics(UNIFORM_PRESSURE DRY_GROUND, v0[_i], 10., 1.3 + v0[_i] / 4, h);
  instants(&r, &spin, &slide);
  ck_assert_double_eq_tol(slide, v0[_i] > 0 ? spin : 0, 1e-9);
  if (v0[_i] == 0) ck_assert_double_eq_tol(spin, 1.2742100, h);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 120);
  tcase_add_test(t, block_on_a_spring_stops);
  tcase_add_test(t, pulled_block_slips_and_grazes);
  tcase_add_loop_test(t, disc_on_three_points_comes_to_rest_at_once, 0, 6);
  tcase_add_loop_test(t, disc_under_uniform_pressure_comes_to_rest_at_once, 0, 4);
}

int main(void) { return suite_run("rigid bodies that slide", fill); }
