/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps that are easy to state and were hard to solve: contacts and joints that hold each other,
 * small inertias. */
#include "support/cloud.h"
#include "support/mechanics.h"

#include <string.h>

/* ---- wheels on one axle ---------------------------------------------------------------------- */

/* A cart of two wheels on hinges, pushed up an incline by torques: joints and contacts hold the
 * axle along it several times, and the impulses are not unique. They roll: (M + sum I/r^2) a = 2
 * tau / r - M g sin(alpha), M with the wheels. */
typedef struct cart {
  double r, mass, wheel, alpha, tau, length, mu;
  int cylinders; /* 0 to 2 */
} cart;

static void add_wheel(char *text, size_t capacity, const cart *k, const char *id, double y,
                      int cylinder)
{
  size_t n = strlen(text);
  double own = k->wheel * k->r * k->r;
  n += (size_t)snprintf(
      text + n, capacity - n,
      "<NewtonEulerDS id='%s'><q0>0 %.17g %.17g 1 0 0 0</q0><mass>%.17g</mass>"
      "<inertia diag='%.17g %.17g %.17g'/><fExt>%.17g 0 %.17g</fExt><mExt>0 %.17g 0</mExt>",
      id, y, k->r, k->wheel, 0.4 * own, 0.5 * own, 0.4 * own, -k->wheel * G * sin(k->alpha),
      -k->wheel * G * cos(k->alpha), k->tau);
  if (cylinder)
    snprintf(text + n, capacity - n,
             "<Cylinder radius='%.17g' length='%.17g' axis='1 0 0' angle='pi/2'/></NewtonEulerDS>",
             k->r, k->length);
  else snprintf(text + n, capacity - n, "<Sphere radius='%.17g'/></NewtonEulerDS>", k->r);
}

static run drive(const cart *k, double y0, double T)
{
  char text[4096];
  double d = 2 * k->r;
  size_t n = (size_t)snprintf(
      text, sizeof text,
      "<systems><NewtonEulerDS id='body'><q0>0 %.17g %.17g 1 0 0 0</q0><mass>%.17g</mass>"
      "<inertia diag='0.01 0.01 0.01'/><fExt>%.17g 0 %.17g</fExt></NewtonEulerDS>",
      y0, k->r, k->mass, -k->mass * G * sin(k->alpha), -k->mass * G * cos(k->alpha));
  add_wheel(text, sizeof text, k, "left", y0 + d, k->cylinders > 1);
  add_wheel(text, sizeof text, k, "right", y0 - d, k->cylinders > 0);
  n = strlen(text);
  snprintf(
      text + n, sizeof text - n,
      "</systems><interactions>"
      "<interaction id='hl' systems='body left'><PivotJointR point='0 %.17g %.17g' axis='0 1 "
      "0'/><EqualityConditionNSL/></interaction>"
      "<interaction id='hr' systems='body right'><PivotJointR point='0 %.17g %.17g' axis='0 1 "
      "0'/><EqualityConditionNSL/></interaction>"
      "</interactions><contacts><NewtonImpactFrictionNSL en='0' mu='%.17g'/><Plane/></contacts>"
      "<simulation T='%.17g'><TimeStepping h='0.002'><MoreauJeanOSI/></TimeStepping></simulation>",
      y0 + d, k->r, y0 - d, k->r, k->mu, T);
  return mechanics("%s", text);
}

static cart random_cart(void)
{
  cart k = {.r = uniform(0.05, 0.3),
            .mass = uniform(1, 5),
            .wheel = uniform(0.2, 1),
            .alpha = uniform(0, 0.25),
            .length = uniform(0.02, 0.1)};
  k.mu = uniform(0.6, 1.2);
  k.tau = k.r * G * (k.mass + 2 * k.wheel) * uniform(sin(k.alpha), sin(k.alpha) + 0.2) / 2;
  k.cylinders = (int)uniform(0, 3);
  return k;
}

static void rolls(int i)
{
  enum { STEPS = 500 };
  cloud_seed = (uint64_t)i + 1;
  cart k = random_cart();
  if (i == 0)
    k = (cart){.r = 0.1,
               .mass = 2,
               .wheel = 0.5,
               .alpha = acos(-1) / 18,
               .tau = 1,
               .length = 0.05,
               .mu = 0.8,
               .cylinders = 1};
  double all = k.mass + 2 * k.wheel,
         a = (2 * k.tau / k.r - all * G * sin(k.alpha)) / (all + k.wheel), T = STEPS * 0.002;
  run r = drive(&k, i % 3 ? uniform(-50, 50) : 0, T);
  run_all(&r);
  const ns_certificate *c = r.x->cert;
  ck_assert_double_eq_tol(r.x->q[0], a * T * T / 2, 1e-7 * (1 + fabs(a)));
  ck_assert_double_le(c->newton_residual_max, 1);
  ck_assert_msg(c->newton <= 12 * STEPS, "%lld passes in %d steps", c->newton, STEPS);
  ck_assert_msg(c->solver <= 150 * STEPS, "%lld iterations in %d steps", c->solver, STEPS);
  run_end(&r);
}

START_TEST(axle_rolls) { rolls(_i); }
END_TEST

/* A sphere and a cylinder: where wheels got out of line by rounding of the positions the impulses
 * of each pass were others, and what those left of the line was more. */
static const int out_of_line[] = {88, 98, 105, 136, 157, 212, 329, 332, 343, 353};
START_TEST(axle_stays_in_line) { rolls(out_of_line[_i]); }
END_TEST

/* ---- small inertias -------------------------------------------------------------------------- */

/* An octagon that falls on a corner: the impulse turns it by 1/inertia, so that u is known to
 * rounding of that. */
START_TEST(small_inertia_is_solved)
{
  static const double inertia[] = {1e-4, 1e-6, 1e-7, 1e-8};
  run r = mechanics(
      "<systems><RigidBody2dDS id='w'><q0>%g cos(pi/8)+1e-9 0</q0><v0>1.4 0 "
      "-1.5</v0><mass>1</mass><inertia>%g</inertia>"
      "<fExt>9.81*sin(0.08) -9.81*cos(0.08)</fExt><Polygon points='cos(pi/8) sin(pi/8); "
      "cos(3*pi/8) sin(3*pi/8); cos(5*pi/8) "
      "sin(5*pi/8); cos(7*pi/8) sin(7*pi/8); cos(9*pi/8) sin(9*pi/8); cos(11*pi/8) sin(11*pi/8); "
      "cos(13*pi/8) sin(13*pi/8); "
      "cos(15*pi/8) sin(15*pi/8)'/></RigidBody2dDS></systems><contacts><NewtonImpactFrictionNSL "
      "en='0' mu='10'/>"
      "<HalfPlane normal='0 1'/></contacts><simulation T='0.5'><TimeStepping "
      "h='1e-4'><MoreauJeanOSI theta='0.5'/>"
      "</TimeStepping></simulation>",
      _i % 2 ? 0. : 7., inertia[_i]);
  run_all(&r);
  ck_assert_double_le(r.x->cert->residual_max, 1e-10);
  ck_assert_double_le(r.x->cert->defect_max, 1e-9);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  int more = getenv("NSSIM_LONG") ? 20 : 1;
  tcase_set_timeout(t, 300);
  tcase_add_loop_test(t, axle_rolls, 0, 20 * more);
  tcase_add_loop_test(t, axle_stays_in_line, 0, sizeof out_of_line / sizeof *out_of_line);
  tcase_add_loop_test(t, small_inertia_is_solved, 0, 4);
}

int main(void) { return suite_run("steps that are solved", fill); }
