/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A circuit beside mechanics that it has nothing to do with, event-driven: impacts there are events
 * of the whole model, at which its diodes carry what they have carried, and it goes on as alone. */
#include "simulation/simulation.h"
#include "support/random_model.h"
#include "support/whole.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"

/* A rectifier whose capacitor is at the source itself while its diode conducts, so that what errors
 * of its voltage leave of the diode's is no sum of currents: of one diode or two, and a load. */
static void put_rectifier(generator *g)
{
  double R = spread(g, 0.5, 50), V = spread(g, 1, 100), w = between(g, 20, 60);
  put(g, "<netlist id='k'>\nV1 in 0 %.17g*sin(%.17g*t+%.17g)\nD1 in a\n", V, w, between(g, 0, 3));
  put(g, "C1 a 0 %.17g\nR1 a b %.17g\nL1 b 0 %.17g\n", between(g, 0.02, 0.1) / R, R,
      between(g, 0.005, 0.1) * R);
  if (pick(g, 2)) put(g, "D2 c in\nC2 c 0 %.17g\nR2 c b %.17g\n", between(g, 0.02, 0.1) / R, 3 * R);
  put(g, "</netlist>");
}

/* Bounces through the run. */
static void put_masses(generator *g)
{
  for (int i = 0; i < 2; i++)
    put(g,
        "<LagrangianLinearTIDS id='m%d' coordinates='x'><q0>%.17g</q0><mass>1</mass>"
        "<K>%.17g</K></LagrangianLinearTIDS>",
        i, between(g, 0.2, 1), spread(g, 300, 3000));
  put(g, "</systems><interactions>");
  for (int i = 0; i < 2; i++)
    put(g,
        "<interaction id='c%d' systems='m%d'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>"
        "<NewtonImpactNSL e='%.17g'/></interaction>",
        i, i, between(g, 0.6, 0.95));
  put(g, "</interactions>");
}

START_TEST(a_circuit_is_as_alone)
{
  static const char *const end =
      "<simulation T='0.5'><EventDriven h='0.01'><CVodeOSI%s/></EventDriven></simulation></model>";
  static const char *const how[] = {"", " method='bdf'", " relativeTolerance='1e-9'"};
  run r[2];
  for (int both = 0; both < 2; both++) {
    generator g = {.state = 5000 + (unsigned long long)_i};
    put(&g, HEAD);
    put_rectifier(&g);
    if (both) put_masses(&g);
    else put(&g, "</systems>");
    put(&g, end, how[_i % 3]);
    r[both] = whole(g.text);
  }
  double size = 0;
  for (size_t i = 0; i < r[0].m->nq; i++) size = fmax(size, fabs(r[0].x->q[i]));
  for (size_t i = 0; i < r[0].m->nq; i++)
    ck_assert_double_eq_tol(r[0].x->q[i], r[1].x->q[i], 1e-6 * size);
  ck_assert_int_ge(count_of(&r[1], NS_EVENT_IMPACT), 2);
  for (int both = 0; both < 2; both++) run_end(&r[both]);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, a_circuit_is_as_alone, 0, 24);
}

int main(void) { return suite_run("event-driven, systems beside each other", fill); }
