/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bounds of first-order rows that are formulas, event-driven: the same force by an input that is
 * multiplied by them, closed forms, time-stepping that converges to it. */
#include "support/mixed.h"

static double clear_of(const char *model, const char *label)
{
  run r = steps(model, 3, 30);
  double x = last(&r, label);
  is_certified(&r);
  run_end(&r);
  return x;
}

/* Two relays on a forced system: bounds +-c(t, x, z), or g = c lambda with lambda in [-1, 1]. */
START_TEST(bounds_are_what_inputs_are_multiplied_by)
{
  char cap[300], model[2][3000];
  seed = 20510000UL + (unsigned long)_i;
  double k[6], x[3];
  for (int i = 0; i < 6; i++) k[i] = uniform(0.2, 1.5);
  for (int i = 0; i < 3; i++) x[i] = uniform(-1, 1);
  const char *beside = _i % 2 ? "<LagrangianDS id='o' coordinates='q'><q0>1</q0><fInt>9*q</fInt>"
                                "</LagrangianDS>"
                              : "";
  for (int n = 0; n < 2; n++) {
    const char *of = n ? "" : "s.";
    snprintf(cap, sizeof cap, "(%.17g + %.17g*%sa^2 + 0.4*sin(%.17g*t)%s)", k[0] + 0.2, k[1], of,
             4 * k[2], n || !*beside ? "" : " + 0*o.q");
    snprintf(model[n], sizeof model[n],
             HEAD
             "<systems>%s<FirstOrderNonLinearDS id='s' states='a b c'><x0>%.17g %.17g %.17g</x0>"
             "<f>-a + 2*b + 3*sin(2*t), -2*a - b + c, -c + 2*cos(%.17g*t)</f>"
             "</FirstOrderNonLinearDS></systems><interactions><interaction id='i' systems='s'>"
             "<FirstOrderNonLinearR><h>a + %.17g*c, b - 0.3*a</h>"
             "<g>%s*lambda[0], 1.5*%s*lambda[1], 0.3*%s*lambda[0]</g></FirstOrderNonLinearR>",
             beside, x[0], x[1], x[2], 5 * k[3], k[4], n ? cap : "1", n ? cap : "1", n ? cap : "1");
    size_t at = strlen(model[n]);
    snprintf(model[n] + at, sizeof model[n] - at,
             "<RelayNSL lb='%s%s' ub='%s'/></interaction></interactions>" EVENTS, n ? "-1" : "-",
             n ? "" : cap, n ? "1" : cap);
  }
  static const char *const states[] = {"s.a", "s.b", "s.c"};
  for (int i = 0; i < 3; i++)
    ck_assert_double_eq_tol(clear_of(model[0], states[i]), clear_of(model[1], states[i]), 1e-9);
}
END_TEST

/* Two wheels and a clutch pressed by 50 t from nothing (case C5 of theory). */
START_TEST(a_clutch_that_is_pressed)
{
  static const char *const clutch = HEAD
      "<systems><FirstOrderLinearTIDS id='s' states='a b'><x0>100 0</x0><M diag='0.5 0.2'/>"
      "</FirstOrderLinearTIDS></systems><interactions><interaction id='i' systems='s'>"
      "<FirstOrderLinearTIR><C>1 -1</C><B>1; -1</B></FirstOrderLinearTIR>"
      "<RelayNSL lb='-50*t' ub='50*t'/></interaction></interactions>" EVENTS;
  run r = steps(clutch, 1, 10);
  ck_assert_double_eq_tol(event_of(&r, 0, NS_EVENT_SWITCH, 0)->t, 0.755928946018, 1e-10);
  ck_assert_double_eq_tol(last(&r, "s.a"), 71.4285714286, 1e-8);
  ck_assert_double_eq_tol(last(&r, "s.b"), 71.4285714286, 1e-8);
  is_certified(&r);
  run_end(&r);
}
END_TEST

/* A capacity that comes and goes: with a drive of 3 on the first wheel it locks, carries 6/7, slips
 * again where the capacity has come down to that. */
START_TEST(a_clutch_that_is_let_go)
{
  static const char *const clutch = HEAD
      "<systems><FirstOrderLinearTIDS id='s' states='a b'><x0>100 0</x0><M diag='0.5 0.2'/>"
      "<b>3 0</b></FirstOrderLinearTIDS></systems><interactions><interaction id='i' "
      "systems='s'><FirstOrderLinearTIR><C>1 -1</C><B>1; -1</B></FirstOrderLinearTIR>"
      "<RelayNSL lb='-50*min(t, 2 - t)' ub='50*min(t, 2 - t)'/></interaction>"
      "</interactions>" EVENTS;
  run r = steps(clutch, 2, 10);
  ck_assert_double_eq_tol(event_of(&r, 0, NS_EVENT_SWITCH, 0)->t, 0.773266159905, 1e-10);
  ck_assert_double_eq_tol(event_of(&r, 0, NS_EVENT_SWITCH, 1)->t, 1.98285714286, 1e-10);
  ck_assert_double_eq_tol(last(&r, "s.a"), 80.0146938776, 1e-8);
  ck_assert_double_eq_tol(last(&r, "s.b"), 79.9632653061, 1e-8);
  is_certified(&r);
  run_end(&r);
}
END_TEST

/* Bounds that a formula of another kind of system makes: a brake pressed by a mass on a spring. */
START_TEST(a_brake_pressed_by_a_mass)
{
  static const char *const brake =
      "<systems><LagrangianDS id='m' coordinates='x'><q0>0.5</q0><fInt>25*x</fInt></LagrangianDS>"
      "<FirstOrderLinearDS id='w' states='r'><x0>3</x0><M>2</M><b>4*sin(2*t)</b>"
      "</FirstOrderLinearDS></systems><interactions><interaction id='i' systems='w'>"
      "<FirstOrderLinearTIR><C>1</C><B>1</B></FirstOrderLinearTIR>"
      "<RelayNSL lb='-3 - 2*m.x' ub='3 + 2*m.x'/></interaction></interactions>";
  run r = events(brake, 5, 20);
  is_certified(&r);
  ck_assert_int_ge(r.x->cert->impacts, 3);
  double error[2];
  for (int k = 0; k < 2; k++) {
    run s = run_to(brake, STEPS(BOTH("0.5")), 5, k ? 20000 : 2000);
    error[k] = fabs(last(&s, "w.r") - last(&r, "w.r"));
    run_end(&s);
  }
  ck_assert_double_le(error[1], 1e-3);
  ck_assert_double_le(error[1], error[0] / 3 + 1e-9);
  run_end(&r);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("switching_laws");
  TCase *t = tcase_create("switching_laws");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, bounds_are_what_inputs_are_multiplied_by, 0, 24);
  tcase_add_test(t, a_clutch_that_is_pressed);
  tcase_add_test(t, a_clutch_that_is_let_go);
  tcase_add_test(t, a_brake_pressed_by_a_mass);
  suite_add_tcase(s, t);
  return suite_end(s);
}
