/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run that was interrupted gives the bytes of one that was not: every scheme and every solver of
 * the registries, at random moments. What is new in a registry is found here, and has to say what
 * it remembers. */
#include "integrators/flow.h"
#include "integrators/integrator.h"
#include "integrators/theta.h"
#include "problems/avi.h"
#include "problems/mechanical.h"
#include "simulation/step/strategy.h"
#include "support/interrupted.h"

#include <glob.h>
#include <malloc.h>

enum { MOMENTS = 20 };

/* ---- models that several schemes and solvers take -------------------------------------------- */

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"
#define STEPS(h, T, osi, problem) \
  "</interactions><simulation T='" T "'><TimeStepping " \
  "h='" h "'><" osi "/>" problem "</TimeStepping></simulation></model>"

/* Beads on a line above the ground, with springs: linear, dense, several contacts that open and
 * close. */
static const char beads[] = HEAD
    "<LagrangianLinearTIDS id='s' coordinates='a b c'><q0>0.1 0.3 0.45</q0><v0>0 0.2 "
    "-0.4</v0><mass>1 0 0; 0 2 0; 0 0 1.5</mass>"
    "<K>4 -1 0; -1 3 -1; 0 -1 5</K><C>0.1 0 0; 0 0 0; 0 0 0</C><fExt>-9.81 - sin(20*t), -19.62, "
    "-14.715</fExt></LagrangianLinearTIDS></systems><interactions>"
    "<interaction id='g' systems='s'><LagrangianLinearTIR><H>1 0 "
    "0</H></LagrangianLinearTIR><NewtonImpactNSL e='0.7'/></interaction>"
    "<interaction id='ab' systems='s'><LagrangianLinearTIR><H>-1 1 "
    "0</H><e>-0.1</e></LagrangianLinearTIR><NewtonImpactNSL e='0.5'/></interaction>"
    "<interaction id='bc' systems='s'><LagrangianLinearTIR><H>0 -1 "
    "1</H><e>-0.1</e></LagrangianLinearTIR><NewtonImpactNSL e='0.3'/></interaction>" STEPS(
        "0.002", "1.2", "MoreauJeanOSI", "<LCP/>");

/* A pendulum of changing mass that hits a moving wall: nonlinear system and relation. */
static const char wall[] = HEAD
    "<LagrangianDS id='p' coordinates='x y'><q0>1 0</q0><v0>0 -1</v0><mass>1 + 0.1*x^2, 0.05*x; "
    "0.05*x, 1 + 0.2*y^2</mass>"
    "<fInt>0.3*x*y + 0.1*v_x, 9.81 + 2*y</fInt></LagrangianDS></systems><interactions>"
    "<interaction id='w' systems='p'><LagrangianRheonomousR><h>y + 1.2 + 0.1*x^2 + "
    "0.05*sin(15*t)</h></LagrangianRheonomousR>"
    "<NewtonImpactNSL e='0.6'/></interaction>"
    "<interaction id='c' systems='p'><LagrangianScleronomousR><h>2 - x - "
    "0.1*y^2</h></LagrangianScleronomousR>"
    "<NewtonImpactNSL e='0.4'/></interaction>" STEPS("0.004", "3", "MoreauJeanOSI", "<LCP/>");

/* The same on a bar: an equality besides. */
static const char bar[] = HEAD
    "<LagrangianDS id='p' coordinates='x y'><q0>1 0</q0><v0>0 1</v0><mass>1 0; 0 "
    "1</mass><fInt>0.1*v_x, 9.81</fInt></LagrangianDS>"
    "</systems><interactions>"
    "<interaction id='rod' systems='p'><LagrangianScleronomousR><h>x^2 + y^2 - "
    "1</h></LagrangianScleronomousR><EqualityConditionNSL/></interaction>"
    "<interaction id='w' systems='p'><LagrangianScleronomousR><h>x + "
    "0.3</h></LagrangianScleronomousR><NewtonImpactNSL e='0.6'/></interaction>" STEPS(
        "0.002", "1.6", "MoreauJeanOSI", "");

static const char relays[] = HEAD
    "<LagrangianLinearTIDS id='s' coordinates='a b'><q0>0.2 0.1</q0><v0>1 -1</v0><mass>1 0; 0 "
    "2</mass><K>3 -1; -1 2</K>"
    "<fExt>sin(7*t), 0</fExt></LagrangianLinearTIDS></systems><interactions>"
    "<interaction id='r' systems='s'><LagrangianLinearTIR><H>1 0.2; 0.1 "
    "1</H></LagrangianLinearTIR><RelayNSL lb='-0.4' ub='0.4'/></interaction>"
    "<interaction id='g' systems='s'><LagrangianLinearTIR><H>1 "
    "-0.5</H><e>0.1</e></LagrangianLinearTIR><NewtonImpactNSL e='0.5'/></interaction>" STEPS(
        "0.005", "5", "MoreauJeanOSI", "");

static const char rubbing[] = HEAD
    "<repeat index='k' from='1' to='3'><LagrangianLinearTIDS id='b{k}' coordinates='s n'><q0>0 "
    "0.02*k</q0><v0>1 - 0.7*k, 0</v0>"
    "<mass>1 0.1; 0.1 1</mass><fExt>3*sin(9*t + k), "
    "-9.81</fExt></LagrangianLinearTIDS></repeat></systems><interactions>"
    "<repeat index='k' from='1' to='3'><interaction id='g{k}' "
    "systems='b{k}'><LagrangianLinearTIR><H>0 1; 1 0</H></LagrangianLinearTIR>"
    "<NewtonImpactFrictionNSL en='0.5' mu='0.3'/></interaction></repeat>"
    "<interaction id='t' systems='b1 b2'><LagrangianLinearTIR><H>1 0 -1 0; 0 1 0 -1</H><e>1 "
    "0</e></LagrangianLinearTIR>"
    "<NewtonImpactFrictionNSL en='0.2' mu='0.2'/></interaction>" STEPS("0.005", "2",
                                                                       "MoreauJeanOSI", "");

/* Diodes and a relay, with a control that varies. */
static const char circuit[] = HEAD
    "<FirstOrderLinearDS id='c' states='u i w'><x0>1 0 0.2</x0><A>0 -1 0; 1 -0.2 0.3; 0.1 0 "
    "-0.5</A><b>sin(3*t), 0, 0.1</b>"
    "</FirstOrderLinearDS></systems><interactions>"
    "<interaction id='d' systems='c'><FirstOrderLinearTIR><C>-1 0 0; 0 0.5 1</C><D>0.5 -1; 1 "
    "0.2</D><B>0 0; -1 0; 0 1</B></FirstOrderLinearTIR>"
    "<ComplementarityConditionNSL/></interaction>"
    "<interaction id='r' systems='c'><FirstOrderLinearTIR><C>0 0 1</C><B>0; 0; "
    "-1</B></FirstOrderLinearTIR><RelayNSL lb='-0.3' ub='0.3'/></interaction>" STEPS(
        "0.01", "12", "EulerMoreauOSI", "");

static const char corner[] = HEAD
    "<FirstOrderLinearTIDS id='s'><x0>1 -0.5</x0><A>0.1 -2; 2 "
    "0</A></FirstOrderLinearTIDS></systems><interactions>"
    "<interaction id='k' systems='s'><FirstOrderLinearTIR><C>1 0; 0 1</C><B>1 0; 0 "
    "1</B></FirstOrderLinearTIR>"
    "<NormalConeNSL><H>1 0; -1 0; 0 1; -1 -1</H><k>-0.5 -1 -0.7 "
    "-1.2</k></NormalConeNSL></interaction>" STEPS("0.01", "6", "EulerMoreauOSI", "");

/* ---- registries ------------------------------------------------------------------------------ */

START_TEST(everything_in_a_registry_says_what_it_remembers)
{
  for (int i = 0; ns_lcp_solvers[i]; i++)
    ck_assert_msg(ns_lcp_solvers[i]->memory != NULL, "LCP solver %s", ns_lcp_solvers[i]->name);
  for (int i = 0; ns_avi_solvers[i]; i++)
    ck_assert_msg(ns_avi_solvers[i]->memory != NULL, "AVI solver %s", ns_avi_solvers[i]->name);
  for (int i = 0; ns_mechanical_solvers[i]; i++)
    ck_assert_msg(ns_mechanical_solvers[i]->memory != NULL, "mechanical solver %s",
                  ns_mechanical_solvers[i]->name);
  for (int i = 0; ns_integrators[i]; i++)
    ck_assert_msg(ns_integrators[i]->memory != NULL, "integrator %s", ns_integrators[i]->name);
  for (int i = 0; ns_flows[i]; i++)
    ck_assert_msg(ns_flows[i]->memory != NULL, "flow %s", ns_flows[i]->name);
  for (int i = 0; ns_strategies[i]; i++)
    ck_assert_msg(ns_strategies[i]->save && ns_strategies[i]->restore, "strategy %s for %s",
                  ns_strategies[i]->name,
                  ns_strategies[i]->integrator ? ns_strategies[i]->integrator : "others");
}
END_TEST

/* At least one of the models goes with the change; every row, and every third: MOMENTS in all where
 * two models go. */
static void some_model(const char *const *models, change k, const char *what)
{
  int good = 0;
  for (int i = 0; models[i]; i++)
    for (k.every = 1; k.every <= 3; k.every += 2)
      good += goes_on_the_same(models[i], &k, MOMENTS / 4, 7 + (unsigned long)(i + 2 * k.every));
  ck_assert_msg(good > 0, "%s: no model of this test runs with it", what);
}

START_TEST(every_scheme_of_mechanics)
{
  static const char *const models[] = {beads, wall, bar, relays, rubbing, NULL};
  for (int i = 0; ns_integrators[i]; i++)
    some_model(models, (change){.integrator = ns_integrators[i]->name}, ns_integrators[i]->name);
}
END_TEST

START_TEST(every_strategy_with_an_integrator_of_its_own)
{
  static const char *const models[] = {beads, wall, bar, NULL};
  for (int i = 0; ns_strategies[i]; i++) {
    const ns_strategy_ops *o = ns_strategies[i];
    if (!o->integrator) continue;
    some_model(models, (change){.strategy = o->name, .integrator = o->integrator}, o->integrator);
    some_model(models, (change){.strategy = o->name, .integrator = o->integrator, .d1 = 1},
               o->integrator);
  }
}
END_TEST

START_TEST(every_scheme_of_first_order)
{
  static const char *const models[] = {circuit, corner, NULL};
  for (int i = 0; ns_theta_schemes[i].name; i++)
    some_model(models, (change){.integrator = ns_theta_schemes[i].name}, ns_theta_schemes[i].name);
}
END_TEST

static const ns_storage storages[] = {NS_STORAGE_DENSE, NS_STORAGE_SPARSE};

START_TEST(every_solver_of_unilateral_contacts)
{
  static const char *const models[] = {beads, wall, NULL};
  for (int i = 0; ns_lcp_solvers[i]; i++)
    some_model(models, (change){.solver = ns_lcp_solvers[i]->name, .storage = storages[_i]},
               ns_lcp_solvers[i]->name);
}
END_TEST

START_TEST(every_solver_of_boxes)
{
  static const char *const models[] = {relays, circuit, NULL};
  for (int i = 0; ns_avi_solvers[i]; i++) {
    if (!strcmp(ns_avi_solvers[i]->name, "sparse-newton") && storages[_i] != NS_STORAGE_SPARSE)
      continue;
    some_model(models, (change){.solver = ns_avi_solvers[i]->name, .storage = storages[_i]},
               ns_avi_solvers[i]->name);
  }
}
END_TEST

START_TEST(every_solver_of_friction)
{
  change k = {.solver = ns_mechanical_solvers[_i]->name};
  for (k.every = 1; k.every <= 3; k.every += 2)
    ck_assert_msg(goes_on_the_same(rubbing, &k, MOMENTS / 2, 7 + (unsigned long)k.every),
                  "%s does not solve it", k.solver);
}
END_TEST

/* Models that take special ways: unreduced contacts, all kinds of contacts at once, sparse systems,
 * controls, measures. */
START_TEST(special_ways)
{
  static const char *const models[] = {
      "tests/memory/unreduced.xml",   "tests/memory/friction.xml", "tests/memory/mechanics.xml",
      "tests/memory/sparse.xml",      "tests/memory/controls.xml", "tests/memory/measures.xml",
      "tests/memory/first-order.xml", "tests/memory/netlist.xml",  "tests/memory/events.xml",
      "tests/memory/branches.xml",    "tests/memory/mixed.xml",    "tests/memory/mixed-events.xml"};
  ck_assert_msg(goes_on_the_same(models[_i], &(change){0}, MOMENTS / 4, 17), "%s", models[_i]);
}
END_TEST

START_TEST(polyhedra) { ck_assert_int_eq(goes_on_the_same(corner, &(change){0}, MOMENTS, 3), 1); }
END_TEST

/* ---- examples -------------------------------------------------------------------------------- */

/* Its steps take long. */
static int is_large(const char *model)
{
  static const char *const large[] = {"1000",      "ladder",    "sphere-pile",
                                      "sand-heap", "hourglass", "masonry-tower"};
  for (size_t i = 0; i < sizeof large / sizeof *large; i++)
    if (strstr(model, large[i])) return 1;
  return 0;
}

START_TEST(every_example)
{
  glob_t g;
  char pattern[4096];
  const char *top = getenv("TOP");
  size_t cut = strlen(top ? top : ".") + 1;
  snprintf(pattern, sizeof pattern, "%s/models/*/*.xml", top ? top : ".");
  ck_assert_int_eq(glob(pattern, 0, NULL, &g), 0);
  int good = 0;
  for (size_t i = 0; i < g.gl_pathc; i++) {
    change k = {.steps = is_large(g.gl_pathv[i]) ? 40 : 300, .every = 1 + (int)i % 3};
    good += goes_on_the_same(g.gl_pathv[i] + cut, &k, 2, 11 + (unsigned long)i);
  }
  ck_assert_int_ge(good, 40); /* the others are plug-ins and studies */
  globfree(&g);
}
END_TEST

/* Steps since the last event are repeated: few events, many, friction and relays, forces that do
 * work, a relation that moves. */
START_TEST(every_flow_of_event_driven_runs)
{
  static const char springs[] = HEAD
      "<LagrangianLinearTIDS id='m' coordinates='x y'><q0>0.1 0.2</q0><v0>-1 0.3</v0><mass diag='1 "
      "2'/>"
      "<fExt>-9.81, 3*sin(40*t)</fExt></LagrangianLinearTIDS></systems><interactions><interaction "
      "id='k' systems='m'>"
      "<LagrangianCompliantLinearTIR><H>1 0; 0.5 1</H><e>0 -0.1</e><D>1e-3 2e-4; 1e-4 "
      "2e-3</D></LagrangianCompliantLinearTIR>"
      "<ComplementarityConditionNSL/></interaction><interaction id='c' "
      "systems='m'><LagrangianLinearTIR><H>0 -1</H><e>0.22</e>"
      "</LagrangianLinearTIR><NewtonImpactNSL e='0.5'/></interaction></interactions><simulation "
      "T='0.5'><TimeStepping h='0.005'>"
      "<MoreauJeanOSI/></TimeStepping></simulation></model>";
  static const char *const models[] = {"models/bouncing-ball/bouncing-ball-events.xml",
                                       beads,
                                       wall,
                                       "models/rocking-block/rocking-block-friction-events.xml",
                                       "models/dry-friction/dry-friction-relay-events.xml",
                                       bar,
                                       springs,
                                       NULL};
  /* the last is that of plug-ins: tests/cases/plugin-integrator.tst */
  for (int i = 0; ns_flows[i + 1]; i++) {
    change k = {.strategy = "EventDriven", .integrator = ns_flows[i]->name};
    some_model(models, k, ns_flows[i]->name);
    for (int j = 0; models[j]; j++)
      ck_assert_msg(goes_on_the_same(models[j], &k, 2, 1), "%s: model %d of this test",
                    ns_flows[i]->name, j);
  }
}
END_TEST

/* Implicit flows: a chain that hits a wall, by each solver of their linear systems. */
START_TEST(matrices_of_flows)
{
  static const char *const flows[] = {
      "CVodeOSI method='bdf' linearSolver='dense' relativeTolerance='1e-6'",
      "CVodeOSI method='bdf' linearSolver='klu' relativeTolerance='1e-6'",
      "NewMarkAlphaOSI step='7e-4' linearSolver='dense'",
      "NewMarkAlphaOSI step='7e-4' linearSolver='sparse'"};
  char model[2048];
  snprintf(model, sizeof model,
           HEAD "<LagrangianDS id='a' coordinates='a b c d'><q0>0.01 ...</q0><v0>-1 ...</v0><mass "
                "diag='1 2 1 3'/>"
                "<fInt>400*(a-b)+a^3, 400*(2*b-a-c)+v_b, 400*(2*c-b-d), "
                "400*(d-c)+sin(d)</fInt><fExt>-50 0 0 0</fExt></LagrangianDS></systems>"
                "<interactions><interaction id='w' systems='a'><LagrangianLinearTIR><H>1 0 0 "
                "0</H></LagrangianLinearTIR><NewtonImpactNSL e='0.5'/>"
                "</interaction></interactions><simulation T='0.4'><EventDriven "
                "h='0.002'><%s/></EventDriven></simulation></model>",
           flows[_i]);
  ck_assert_msg(goes_on_the_same(model, &(change){0}, MOMENTS / 2, 5), "%s", flows[_i]);
}
END_TEST

/* The same of first order: rows that slide, cross and conduct, with an input that varies. */
START_TEST(every_flow_of_switching_runs)
{
  static const char *const models[] = {circuit, "models/relay-oscillator/relay-oscillator.xml",
                                       "models/gene-two/gene-two.xml",
                                       "tests/memory/switching.xml"};
  for (int i = 0; ns_flows[i + 1]; i++)
    for (int j = 0; j < 4 && strcmp(ns_flows[i]->name, "NewMarkAlphaOSI"); j++) { /* of motion */
      change k = {.strategy = "EventDriven",
                  .integrator = ns_flows[i]->name,
                  .steps = 1000,
                  .every = 1 + j};
      ck_assert_msg(goes_on_the_same(models[j], &k, 3, 5), "%s: model %d of this test",
                    k.integrator, j);
    }
}
END_TEST

static void fill(TCase *t)
{
  int n = 0;
  while (ns_mechanical_solvers[n]) n++;
  tcase_set_timeout(t, 300);
  tcase_add_test(t, everything_in_a_registry_says_what_it_remembers);
  tcase_add_test(t, every_scheme_of_mechanics);
  tcase_add_test(t, every_strategy_with_an_integrator_of_its_own);
  tcase_add_test(t, every_scheme_of_first_order);
  tcase_add_loop_test(t, every_solver_of_unilateral_contacts, 0, 2);
  tcase_add_loop_test(t, every_solver_of_boxes, 0, 2);
  tcase_add_loop_test(t, every_solver_of_friction, 0, n);
  tcase_add_loop_test(t, special_ways, 0, 12);
  tcase_add_test(t, polyhedra);
  tcase_add_test(t, every_example);
  tcase_add_test(t, every_flow_of_event_driven_runs);
  tcase_add_loop_test(t, matrices_of_flows, 0, 4);
  tcase_add_test(t, every_flow_of_switching_runs);
}

/* Thousands of simulations come and go: their memory is not handed back to the system in between.
 */
int main(void)
{
  mallopt(M_MMAP_THRESHOLD, 1 << 28);
  mallopt(M_TRIM_THRESHOLD, 1 << 29);
  return suite_run("checkpoint", fill);
}
