/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Netlists that read nodes and elements of each other are the one netlist of both: random circuits,
 * written in two ways, run by steps and by events. */
#include "support/mixed.h"

#define BY_STEPS STEPS("<EulerMoreauOSI theta='0.5'/>")

enum { NODES = 4, TEXT = 6000, MODEL = 2 * TEXT + 200 };

typedef struct writer {
  char two[2][TEXT], one[TEXT]; /* the lines of each netlist, and of both */
} writer;

/* A line of circuit p; %s in it: `other` in the netlist of its own, "" in that of both. */
static void put(writer *w, int p, const char *other, const char *line)
{
  char own[400], whole[400];
  const char *at = strchr(line, '@');
  int n = at ? (int)(at - line) : (int)strlen(line);
  snprintf(own, sizeof own, "%.*s%s%s\n", n, line, at ? other : "", at ? at + 1 : "");
  snprintf(whole, sizeof whole, "%.*s%s\n", n, line, at ? at + 1 : "");
  strncat(w->two[p], own, TEXT - strlen(w->two[p]) - 1);
  strncat(w->one, whole, TEXT - strlen(w->one) - 1);
}

static int any(int n) { return (int)uniform(0, n - 1e-9); }

/* What a source reads of circuit q: a voltage, that between two nodes, a current; by the names of
 * formulas in netlists, and of results. */
static void reading(int q, char *buf, size_t size)
{
  char c = "ab"[q];
  switch (any(5)) {
  case 0: snprintf(buf, size, "@v(%c%d)", c, 1 + any(NODES)); break;
  case 1: snprintf(buf, size, "@v(%c1,%c%d)", c, c, 2 + any(NODES - 1)); break;
  case 2: snprintf(buf, size, "@i(R%c%d)", c, 1 + any(NODES)); break;
  case 3: snprintf(buf, size, "@v(%c%d)", c, NODES); break;
  default: snprintf(buf, size, "@i(V%c)", c); break;
  }
}

/* A chain of nodes from a source to ground, each with a capacitor, an inductor, a diode or nothing;
 * in it and at its end sources that read the other circuit. */
static void circuit(writer *w, int p, int devices)
{
  char c = "ab"[p], line[300], read[60];
  const char *other = p ? "A." : "B.";
  snprintf(line, sizeof line, "V%c %c0 0 %.6g*sin(%.6g*t)", c, c, uniform(1, 5), uniform(1, 6));
  put(w, p, other, line);
  for (int k = 1; k <= NODES; k++) {
    snprintf(line, sizeof line, "R%c%d %c%d %c%d %.6g", c, k, c, k - 1, c, k, uniform(0.5, 3));
    put(w, p, other, line);
    int kind = any(devices ? 4 : 3);
    if (kind == 0)
      snprintf(line, sizeof line, "C%c%d %c%d 0 %.6g ic=%.6g", c, k, c, k, uniform(0.05, 0.5),
               uniform(-1, 1));
    if (kind == 1) snprintf(line, sizeof line, "L%c%d %c%d 0 %.6g", c, k, c, k, uniform(0.05, 0.5));
    if (kind == 2) snprintf(line, sizeof line, "Q%c%d", c, k);
    if (kind == 3)
      snprintf(line, sizeof line, "D%c%d %c%d 0 vf=%.6g ron=%.6g", c, k, c, k, uniform(0.1, 1),
               uniform(0.2, 2));
    if (kind != 2) put(w, p, other, line);
    if (any(2)) continue;
    reading(1 - p, read, sizeof read);
    snprintf(line, sizeof line, "B%c%d %c%d 0 i=%.6g*%s", c, k, c, k, uniform(-0.2, 0.2), read);
    put(w, p, other, line);
  }
  reading(1 - p, read, sizeof read);
  snprintf(line, sizeof line, "B%cv %ce 0 v=%.6g*%s", c, c, uniform(-0.3, 0.3), read);
  put(w, p, other, line);
  snprintf(line, sizeof line, "R%ce %c%d %ce %.6g", c, c, NODES, c, uniform(0.5, 3));
  put(w, p, other, line);
  snprintf(line, sizeof line, "C%ce %c%d 0 0.2", c, c, NODES);
  put(w, p, other, line);
}

/* Entry `label` of both runs, without the id of the netlist before it. */
static double of_whole(const run *r, const char *label)
{
  char name[80];
  const char *dot = strchr(label, '.');
  snprintf(name, sizeof name, "W%s", dot ? dot : label);
  return last(r, name);
}

/* All states, and all voltages and currents: their number. */
static int compare_runs(const run *two, const run *one, double within)
{
  int seen = 0;
  for (size_t k = 0; k < two->got.ncols; k++) {
    const char *label = two->got.labels[k];
    int state = label[0] && label[1] == '.' &&
                (!strncmp(label + 2, "v_", 2) || !strncmp(label + 2, "i_", 2));
    size_t n = strlen(label);
    int shown = !state && n > 2 && (!strcmp(label + n - 2, ".v") || !strcmp(label + n - 2, ".i"));
    if (!state && !shown) continue;
    double a = last(two, label), b = state ? of_whole(one, label) : last(one, label);
    ck_assert_msg(fabs(a - b) <= within * (1 + fabs(b)), "%s: %.17g, in one netlist %.17g", label,
                  a, b);
    seen++;
  }
  return seen;
}

static void write_models(writer *w, int devices, char *two, char *one)
{
  memset(w, 0, sizeof *w);
  for (int p = 0; p < 2; p++) circuit(w, p, devices);
  snprintf(two, MODEL,
           "<systems><netlist id='A'>%s</netlist><netlist id='B'>%s</netlist></systems>", w->two[0],
           w->two[1]);
  snprintf(one, MODEL, "<systems><netlist id='W'>%s</netlist></systems>", w->one);
}

/* Newton's residuals are 1e-10 and less; by events both are within the integrator's tolerance. */
START_TEST(two_are_one)
{
  static writer w;
  static char two[MODEL], one[MODEL];
  for (int devices = 0; devices < 2; devices++) {
    seed = 1000 * (unsigned long)devices + (unsigned long)_i;
    write_models(&w, devices, two, one);
    run a = run_to(two, BY_STEPS, 2, 200), b = run_to(one, BY_STEPS, 2, 200);
    ck_assert_int_ge(compare_runs(&a, &b, 1e-9), 20);
    run_end(&a), run_end(&b);
    a = events(two, 2, 4), b = events(one, 2, 4);
    ck_assert_int_ge(compare_runs(&a, &b, 1e-8), 20);
    is_certified(&a);
    ck_assert_int_eq((int)a.got.nevents, (int)b.got.nevents);
    run_end(&a), run_end(&b);
  }
}
END_TEST

/* ---- what a machine reads of a circuit ------------------------------------------------------- */

#define SUPPLY \
  "<netlist id='c'>V1 s 0 SIN(1 2 0.5)\nR1 s a 2\nC1 a 0 0.5\nR2 a b 1\nR3 b 0 3\n" \
  "E1 e 0 {k.v_x}\nR4 e a 4\n</netlist>"
#define CART \
  "<LagrangianDS id='k' coordinates='x'><q0>0.5</q0><v0>1</v0><mass>2</mass><fInt>%s" \
  "</fInt></LagrangianDS>"

/* A force by a node, a current, the voltage of a source: by hand as what they are of the state. */
START_TEST(forces_by_nodes_and_currents)
{
  static const struct {
    const char *named, *by_hand;
  } force[] = {{"c.node_b.v", "0.75*c.v_C1"},
               {"c.R2.i*x", "c.v_C1/4*x"},
               {"c.R1.i + v_x", "(1 + 2*sin(pi*t) - c.v_C1)/2 + v_x"},
               {"c.V1.v", "1 + 2*sin(pi*t)"},
               {"c.C1.i", "(1 + 2*sin(pi*t) - c.v_C1)/2 - c.v_C1/4 + (v_x - c.v_C1)/4"},
               {"c.E1.v*c.E1.i", "v_x*(c.v_C1 - v_x)/4"}};
  for (size_t k = 0; k < sizeof force / sizeof *force; k++) {
    char named[2000], by_hand[2000];
    snprintf(named, sizeof named, "<systems>" SUPPLY CART "</systems>", force[k].named);
    snprintf(by_hand, sizeof by_hand, "<systems>" SUPPLY CART "</systems>", force[k].by_hand);
    for (int by_events = 0; by_events < 2; by_events++) {
      const char *how = by_events ? EVENTS : STEPS(BOTH("0.5"));
      run a = run_to(named, how, 1, by_events ? 2 : 50),
          b = run_to(by_hand, how, 1, by_events ? 2 : 50);
      ck_assert_double_eq_tol(last(&a, "k.x"), last(&b, "k.x"), 1e-10);
      ck_assert_double_eq_tol(last(&a, "k.v_x"), last(&b, "k.v_x"), 1e-10);
      ck_assert_double_eq_tol(last(&a, "c.v_C1"), last(&b, "c.v_C1"), 1e-10);
      run_end(&a), run_end(&b);
    }
  }
}
END_TEST

/* Voltages and currents of a rectifier on a generator in any unit: the source reads the rotor, and
 * how far a pass may be from it is no number of volts. */
START_TEST(volts_of_any_size)
{
  seed = 20340000UL + (unsigned long)_i;
  double R = uniform(0.5, 3), C = uniform(0.01, 0.1), V = uniform(2, 9), K = uniform(0.1, 0.5);
  double k = uniform(0.5, 3), w = uniform(5, 20), end[2];
  for (int other = 0; other < 2; other++) {
    double unit = other ? pow(10, uniform(-9, 9)) : 1;
    char text[2000];
    snprintf(text, sizeof text,
             "<systems><netlist id='c'>V1 s 0 %.17g*(%.17g*sin(%.17g*t) - %.17g*g.v_phi)\n"
             "R1 s d %.17g\nD1 d o\nC1 o 0 %.17g\nR2 o 0 %.17g\n</netlist>"
             "<LagrangianDS id='g' coordinates='phi'><q0>0.3</q0><v0>2</v0><mass>0.05</mass>"
             "<fInt>%.17g*sin(phi) - 0.2*c.v_C1/%.17g</fInt></LagrangianDS></systems>",
             unit, V, w, K, R, C, 4 * R, k, unit);
    run r = run_to(text, STEPS(BOTH("0.5")), 1, 200);
    end[other] = last(&r, "c.v_C1") / unit;
    ck_assert_int_le(r.x->cert->newton, 5 * 200);
    run_end(&r);
  }
  ck_assert_double_eq_tol(end[0], end[1], 1e-9);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("mixed_netlists");
  TCase *t = tcase_create("mixed_netlists");
  tcase_add_loop_test(t, two_are_one, 0, some_of(60));
  tcase_add_test(t, forces_by_nodes_and_currents);
  tcase_add_loop_test(t, volts_of_any_size, 0, 40);
  suite_add_tcase(s, t);
  return suite_end(s);
}
