/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schatzman-Paoli with gaps that are not linear, and with bodies in the plane: the equations of a
 * step, the same motion as a Lagrangian system, the limit of short steps. */
#include "support/mixed.h"

#define PAOLI \
  "<simulation T='1'><TimeStepping h='1'><SchatzmanPaoliOSI/></TimeStepping></simulation></model>"
/* A bar whose end, at the distance r from its middle, meets the ground. */
#define BODY \
  "<systems><RigidBody2dDS id='s'><q0>%.17g %.17g %.17g</q0><v0>%.17g %.17g %.17g</v0>" \
  "<mass>%.17g</mass><inertia>%.17g</inertia><fExt>0.3*sin(5*t), -9.81</fExt><mExt>0.02</mExt>" \
  "</RigidBody2dDS></systems><interactions><interaction id='g' systems='s'><NewtonEuler1DR>" \
  "<P1>x+%.17g*cos(angle) y+%.17g*sin(angle) 0</P1><P2>x 0 0</P2><n>0 1 0</n></NewtonEuler1DR>" \
  "<NewtonImpactNSL e='%.17g'/></interaction></interactions>"
#define SYSTEM \
  "<systems><LagrangianLinearTIDS id='s' coordinates='x y angle'><q0>%.17g %.17g %.17g</q0>" \
  "<v0>%.17g %.17g %.17g</v0><mass diag='%.17g %.17g %.17g'/>" \
  "<fExt>0.3*sin(5*t), -9.81, 0.02</fExt></LagrangianLinearTIDS></systems><interactions>" \
  "<interaction id='g' systems='s'>%s<NewtonImpactNSL e='%.17g'/></interaction></interactions>"

typedef struct bar {
  double q[3], v[3], m, I, r, e;
} bar;

static bar random_bar(int i)
{
  bar b;
  seed = 20400000UL + (unsigned long)i;
  for (int k = 0; k < 3; k++) b.q[k] = uniform(-1, 1), b.v[k] = uniform(-2, 2);
  b.q[1] = uniform(0.5, 1);
  b.m = uniform(0.5, 2), b.I = uniform(0.05, 0.1), b.r = uniform(0.1, 0.3), b.e = uniform(0, 1);
  return b;
}

static void as_body(const bar *b, char text[4000])
{
  snprintf(text, 4000, BODY, b->q[0], b->q[1], b->q[2], b->v[0], b->v[1], b->v[2], b->m, b->I, b->r,
           b->r, b->e);
}

static void as_system(const bar *b, char text[4000])
{
  char relation[300];
  snprintf(relation, sizeof relation,
           b->r > 0 ? "<LagrangianScleronomousR><h>y + %.17g*sin(angle)</h>"
                      "</LagrangianScleronomousR>"
                    : "<LagrangianLinearTIR><H>0 1 0</H></LagrangianLinearTIR>",
           b->r);
  snprintf(text, 4000, SYSTEM, b->q[0], b->q[1], b->q[2], b->v[0], b->v[1], b->v[2], b->m, b->m,
           b->I, relation, b->e);
}

/* M (q+ - 2 q + q-) = h^2 F + h H(z)^T P,  0 <= y(z) _|_ P >= 0,  z = (q+ + e q-)/(1 + e) of each
 * step of a body. */
START_TEST(the_equations_of_a_step_hold)
{
  enum { STEPS_OF = 800 };
  char text[4000];
  bar b = random_bar(_i);
  as_body(&b, text);
  run r = run_to(text, PAOLI, 2, STEPS_OF);
  double h = 2. / STEPS_OF, worst = 0, deepest = 0, slack = 0;
  int pushed = 0;
  static const char *const name[] = {"s.x", "s.y", "s.angle"};
  const double mass[] = {b.m, b.m, b.I};
  for (size_t k = 1; k + 1 < r.got.nrows; k++) {
    double z[3], P = run_at(&r, k + 1, "g.lambda"), t = h * (double)k;
    for (int i = 0; i < 3; i++)
      z[i] = (run_at(&r, k + 1, name[i]) + b.e * run_at(&r, k - 1, name[i])) / (1 + b.e);
    const double H[] = {0, 1, b.r * cos(z[2])};
    const double F[] = {0.15 * (sin(5 * t) + sin(5 * (t + h))), -9.81, 0.02};
    for (int i = 0; i < 3; i++) {
      double second = run_at(&r, k + 1, name[i]) - 2 * run_at(&r, k, name[i]) +
                      run_at(&r, k - 1, name[i]);
      worst = fmax(worst, fabs(mass[i] * second - h * h * F[i] - h * H[i] * P));
    }
    double y = z[1] + b.r * sin(z[2]);
    deepest = fmax(deepest, -y);
    slack = fmax(slack, fmin(fabs(y), P));
    pushed += P > 0;
  }
  ck_assert_int_gt(pushed, 1);
  ck_assert_double_le(worst, 1e-14);
  ck_assert_double_le(deepest, 1e-11);
  ck_assert_double_le(slack, 1e-11);
  ck_assert_double_le(r.x->cert->defect_max, 1e-10);
  run_end(&r);
}
END_TEST

/* Its gap is linear where its middle meets the ground. */
START_TEST(a_body_in_the_plane_is_a_lagrangian_system)
{
  static const char *const names[] = {"s.x",   "s.y",       "s.angle",  "s.v_x",
                                      "s.v_y", "s.v_angle", "g.lambda", NULL};
  char body[4000], system[4000];
  bar b = random_bar(100 + _i);
  if (_i & 1) b.r = 0;
  as_body(&b, body);
  as_system(&b, system);
  run x = run_to(body, PAOLI, 1, 500), y = run_to(system, PAOLI, 1, 500);
  for (int i = 0; names[i]; i++)
    ck_assert_msg(fabs(last(&x, names[i]) - last(&y, names[i])) <= 1e-10, "%s: %.12g, %.12g",
                  names[i], last(&x, names[i]), last(&y, names[i]));
  run_end(&x), run_end(&y);
}
END_TEST

static double distance(const char *systems, double T, int n)
{
  run x = run_to(systems, PAOLI, T, n), y = events(systems, T, 10);
  double d = hypot(last(&x, "s.x") - last(&y, "s.x"), last(&x, "s.y") - last(&y, "s.y"));
  d = hypot(d, last(&x, "s.angle") - last(&y, "s.angle"));
  run_end(&x), run_end(&y);
  return d;
}

/* Order 1, with rebounds of the end of the bar, and of a pendulum on a joint, whose point stays. */
START_TEST(short_steps_tend_to_events)
{
  static const char *const systems[] = {
      "<systems><RigidBody2dDS id='s'><q0>0.1 0.5 0.2</q0><v0>0.3 0 1</v0><mass>2</mass>"
      "<inertia>0.05</inertia><fExt>0, -19.62</fExt></RigidBody2dDS></systems><interactions>"
      "<interaction id='g' systems='s'><NewtonEuler1DR><P1>x+0.1*cos(angle) y+0.1*sin(angle) "
      "0</P1><P2>x 0 0</P2><n>0 1 0</n></NewtonEuler1DR><NewtonImpactNSL e='0.5'/></interaction>"
      "</interactions>",
      "<systems><RigidBody2dDS id='s'><q0>0.5 0 0.2</q0><mass>2</mass><inertia>0.05</inertia>"
      "<fExt>0, -19.62</fExt></RigidBody2dDS></systems><interactions><interaction id='j' "
      "systems='s'><PivotJointR point='0 0'/><EqualityConditionNSL/></interaction></interactions>"};
  double a = distance(systems[_i], 0.6, 1200), b = distance(systems[_i], 0.6, 4800);
  ck_assert_double_le(a, _i ? 0.01 : 0.006);
  ck_assert_double_le(b, 0.35 * a);
  run r = run_to(systems[_i], PAOLI, 0.6, 600);
  if (_i == 1) ck_assert_double_eq_tol(hypot(last(&r, "s.x"), last(&r, "s.y")), 0.5, 1e-12);
  run_end(&r);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("schemes in the plane");
  TCase *t = tcase_create("schemes in the plane");
  tcase_add_loop_test(t, the_equations_of_a_step_hold, 0, some_of(20));
  tcase_add_loop_test(t, a_body_in_the_plane_is_a_lagrangian_system, 0, some_of(20));
  tcase_add_loop_test(t, short_steps_tend_to_events, 0, 2);
  suite_add_tcase(s, t);
  return suite_end(s);
}
