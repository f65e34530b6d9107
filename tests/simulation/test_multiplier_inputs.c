/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Right-hand sides and integrals that read multipliers: currents through diodes and switches in
 * forces, rates and heat. A mass on a spring is a capacitor with an inductor, an integral a
 * capacitor: each model is run as mechanics beside a circuit, and as one circuit. */
#include "support/mixed.h"

#define BY_STEPS STEPS(BOTH("0.5"))

enum { NODES = 3, TEXT = 5000, MODELS = 40 };

typedef struct writer {
  char named[TEXT], one[TEXT];
} writer;

static int any(int n) { return (int)uniform(0, n - 1e-9); }

static void put(writer *w, const char *named, const char *one)
{
  strncat(w->named, named, TEXT - strlen(w->named) - 1);
  strncat(w->one, one, TEXT - strlen(w->one) - 1);
}

/* A current of the chain, of a diode where there is one; in the netlist and outside of it. */
static void reading(const int *kind, char *inside, char *outside)
{
  int k = 1 + any(NODES);
  const char *what = kind[k] == 0 ? "D" : kind[k] == 1 ? "S" : "R";
  snprintf(inside, 40, "i(%s%d)", what, k);
  snprintf(outside, 40, "c.%s%d.i", what, k);
}

/* A chain of nodes from a source to ground, with diodes, switches, capacitors and inductors; a
 * source that a velocity moves, and a resistor that an integral heats. */
static void circuit(writer *w, int *kind)
{
  char line[300], other[300];
  snprintf(line, sizeof line, "V0 n0 0 %.6g*sin(%.6g*t)\nB0 n%d e v=%.6g*", uniform(2, 5),
           uniform(2, 6), NODES, uniform(-0.4, 0.4));
  put(w, line, line);
  put(w, "k.v_x\n", "v(m)\n");
  snprintf(line, sizeof line, "Re e 0 %.6g\nBh n1 h v=(1+%.6g*", uniform(1, 3), uniform(0.1, 0.4));
  put(w, line, line);
  put(w, "heat)*i(Bh)\nRh h 0 1\n", "v(q))*i(Bh)\nRh h 0 1\n");
  for (int k = 1; k <= NODES; k++) {
    snprintf(line, sizeof line, "R%d n%d n%d %.6g\n", k, k - 1, k, uniform(0.5, 3));
    put(w, line, line);
    kind[k] = any(4);
    *other = 0;
    if (kind[k] == 0)
      snprintf(other, sizeof other, "D%d n%d 0 vf=%.6g ron=%.6g\n", k, k, uniform(0.1, 1),
               uniform(0.2, 2));
    if (kind[k] == 1)
      snprintf(other, sizeof other, "S%d n%d 0 sin(%.6g*t)-%.6g ron=%.6g\n", k, k, uniform(3, 9),
               uniform(-0.5, 0.5), uniform(0.5, 2));
    if (kind[k] == 2)
      snprintf(other, sizeof other, "C%d n%d 0 %.6g ic=%.6g\n", k, k, uniform(0.05, 0.5),
               uniform(-1, 1));
    put(w, other, other);
  }
}

/* The same with a cart, a first-order system and an integral that read it. */
static void write_models(writer *w)
{
  int kind[NODES + 1];
  char in[5][40], out[5][40], line[1000];
  double mass = uniform(0.5, 2), spring = uniform(0.5, 3), damper = uniform(0, 0.5);
  double a = uniform(-1, 1), b = uniform(-0.3, 0.3), d = uniform(-0.2, 0.2), tau = uniform(0.3, 2);
  memset(w, 0, sizeof *w);
  put(w, "<systems><netlist id='c'>\n", "<systems><netlist id='c'>\n");
  circuit(w, kind);
  for (int k = 0; k < 5; k++) reading(kind, in[k], out[k]);
  snprintf(line, sizeof line,
           "Cm m 0 %.17g\nLm m 0 1/%.17g\nBm m 0 i=%.17g*v(m)\nBf 0 m i=%.17g*%s + "
           "%.17g*%s*i(Lm)/%.17g + %.17g*%s^2*v(m)\n"
           "Co o 0 1\nBo 0 o i=(%s - v(o))/%.17g\nCq q 0 1\nBq 0 q i=%s^2\n</netlist></systems>",
           mass, spring, damper, a, in[0], b, in[1], spring, d, in[2], in[3], tau, in[4]);
  put(w, "", line);
  snprintf(line, sizeof line,
           "</netlist><LagrangianDS id='k' coordinates='x'><q0>0</q0><mass>%.17g</mass>"
           "<fInt>%.17g*x + %.17g*v_x - %.17g*%s - %.17g*%s*x - %.17g*%s^2*v_x</fInt>"
           "</LagrangianDS><FirstOrderNonLinearDS id='o' states='y'><x0>0</x0>"
           "<f>(%s - y)/%.17g</f></FirstOrderNonLinearDS></systems>",
           mass, spring, damper, a, out[0], b, out[1], d, out[2], out[3], tau);
  put(w, line, "");
  snprintf(line, sizeof line, "%s^2", out[4]);
  put(w, "<output><integral id='heat' of='", "");
  put(w, line, "");
  put(w, "'/></output>", "");
}

static double worst_of(const run *a, const run *b)
{
  static const char *const same[][2] = {
      {"k.v_x", "c.v_Cm"}, {"o.y", "c.v_Co"}, {"heat.value", "c.v_Cq"}};
  double worst = 0;
  for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
    double x = last(a, same[k][0]), y = last(b, same[k][1]);
    ck_assert_msg(fabs(x) < 1e3, "%s is %g", same[k][0], x);
    worst = fmax(worst, fabs(x - y) / (1 + fabs(y)));
  }
  return worst;
}

static double by_steps(const writer *w, int n)
{
  run a = run_to(w->named, BY_STEPS, 2, n);
  run b = run_to(w->one, STEPS("<EulerMoreauOSI theta='0.5'/>"), 2, n);
  double worst = worst_of(&a, &b);
  run_end(&a), run_end(&b);
  return worst;
}

/* By steps what is input and what is right-hand side differs, and with it the error of first order:
 * a quarter of the step leaves a quarter of the difference, where that is not small because orders
 * cancel in it. */
START_TEST(mechanics_is_a_circuit)
{
  static const int begins[] = {69, 126, 327}; /* with currents that are the only forces */
  static writer w;
  int more = _i - MODELS;
  seed = 77000 + (unsigned long)(more >= 0 ? begins[more] : _i);
  write_models(&w);
  run a = events(w.named, 2, 4), b = events(w.one, 2, 4);
  double by_events = worst_of(&a, &b), coarse = by_steps(&w, 400), fine = by_steps(&w, 1600);
  is_certified(&a);
  run_end(&a), run_end(&b);
  ck_assert_msg(by_events < 1e-8, "by events %g:\n%s\n%s", by_events, w.named, w.one);
  ck_assert_msg(coarse < 0.05 && fine < 0.35 * coarse + 1e-6, "by steps %g, %g:\n%s\n%s", coarse,
                fine, w.named, w.one);
}
END_TEST

/* ---- relations written by hand --------------------------------------------------------------- */

#define PLANT(w) \
  "<systems><FirstOrderNonLinearDS id='p' states='x y'><x0>1 0.5</x0><f>y - 0.3*" w \
  ", -x - 0.2*y</f></FirstOrderNonLinearDS>"
#define LINEAR "<FirstOrderLinearTIR><C>1 1</C><D>0.5</D><B>0.4; 1</B></FirstOrderLinearTIR>"
#define RELAY "<RelayNSL lb='-1' ub='1'/></interaction></interactions>"

/* An integral, and a system that reads by name, of a relation of first order: as its g. */
START_TEST(relations_by_hand)
{
  static const char
      named[] =
          PLANT("w") "<FirstOrderNonLinearDS id='s' states='a'><x0>0</x0><f>p.x*r.lambda[0] - a</f>"
                     "</FirstOrderNonLinearDS></systems><interactions><interaction id='r' "
                     "systems='p'>" LINEAR RELAY
                     "<output><integral id='w' interaction='r' of='lambda[0]*x + lambda[0]^2'/>"
                     "</output>",
      by_hand[] =
          PLANT("w.w") "<FirstOrderNonLinearDS id='s' states='a'><x0>0</x0><f>-a</f>"
                       "</FirstOrderNonLinearDS><FirstOrderNonLinearDS id='w' states='w'><x0>0</x0>"
                       "</FirstOrderNonLinearDS></systems><interactions><interaction id='r' "
                       "systems='p s w'><FirstOrderNonLinearR><h>x[0] + x[1] + 0.5*lambda[0]</h>"
                       "<g>0.4*lambda[0], lambda[0], x[0]*lambda[0], lambda[0]*x[0] + lambda[0]^2"
                       "</g></FirstOrderNonLinearR>" RELAY;
  for (int by_events = 0; by_events < 2; by_events++) {
    const char *how = by_events ? EVENTS : STEPS("<EulerMoreauOSI theta='0.5'/>");
    run a = run_to(named, how, 2, by_events ? 4 : 200),
        b = run_to(by_hand, how, 2, by_events ? 4 : 200);
    ck_assert_double_eq_tol(last(&a, "w.integral"), last(&b, "w.w"), 1e-9);
    ck_assert_double_eq_tol(last(&a, "s.a"), last(&b, "s.a"), 1e-9);
    ck_assert_double_eq_tol(last(&a, "p.x"), last(&b, "p.x"), 1e-9);
    run_end(&a), run_end(&b);
  }
}
END_TEST

/* Two circuits drive a body in the plane, each by its diode: the sum of what each does alone, as
 * formulas say. */
START_TEST(two_circuits_and_a_body)
{
#define SOURCE(id, k) "<netlist id='" id "'>V1 s 0 3*sin(" k "*t)\nD1 s a\nR1 a 0 2\n</netlist>"
#define BODY(x, m) \
  "<RigidBody2dDS id='b'><q0>0 0 0</q0><mass>2</mass><inertia>0.5</inertia><fExt>" x "</fExt>" \
  "<mInt>" m "</mInt></RigidBody2dDS></systems>"
  static const char named[] = "<systems>" SOURCE("c", "2") SOURCE("d", "5")
      BODY("c.D1.i, 2*c.D1.i + d.D1.i^2", "angle*d.D1.i"),
                    by_hand[] = "<systems>" SOURCE("c", "2") SOURCE("d", "5") BODY(
                        "max(0, 1.5*sin(2*t)), 2*max(0, 1.5*sin(2*t)) + max(0, 1.5*sin(5*t))^2",
                        "angle*max(0, 1.5*sin(5*t))");
  run a = events(named, 2, 4), b = events(by_hand, 2, 4);
  static const char *const of[] = {"b.x", "b.y", "b.v_x", "b.v_y", "b.angle"};
  for (int k = 0; k < 5; k++) ck_assert_double_eq_tol(last(&a, of[k]), last(&b, of[k]), 1e-9);
  run_end(&a), run_end(&b);
  a = run_to(named, BY_STEPS, 2, 4000);
  b = run_to(by_hand, BY_STEPS, 2, 4000);
  for (int k = 0; k < 5; k++) ck_assert_double_eq_tol(last(&a, of[k]), last(&b, of[k]), 2e-3);
  run_end(&a), run_end(&b);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("multiplier_inputs");
  TCase *t = tcase_create("multiplier_inputs");
  tcase_add_loop_test(t, mechanics_is_a_circuit, 0, some_of(MODELS));
  tcase_add_loop_test(t, mechanics_is_a_circuit, MODELS, MODELS + 3);
  tcase_add_test(t, relations_by_hand);
  tcase_add_test(t, two_circuits_and_a_body);
  suite_add_tcase(s, t);
  return suite_end(s);
}
