/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of laws that are formulas: closed forms, orders, and formulas that are constant
 * against numbers, to the bit. */
#include "simulation/simulation.h"
#include "support/interrupted.h"
#include "support/random_model.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'>"
#define STEPS(osi) \
  "<simulation T='1'><TimeStepping " \
  "h='1'>" osi "</TimeStepping></simulation></model>"

/* Load, run n steps to T; returns the code of the run. */
static int start(const char *model, double T, int n, run *r)
{
  *r = (run){.c = {.report = no_words}};
  ns_load_options o = {0};
  ns_load_memory(&r->c, "test.xml", model, strlen(model), &o, NULL, &r->m);
  ck_assert_msg(r->m != NULL, "%s", r->c.msg);
  r->m->sim.T = T;
  r->m->sim.ts.h = T / n;
  int rc = ns_simulation_create(&r->c, r->m, &r->s);
  if (rc) return rc;
  r->x = ns_simulation_state(r->s);
  return run_keep(r);
}

static run steps(const char *model, double T, int n)
{
  run r;
  int rc = start(model, T, n, &r);
  ck_assert_msg(rc == NS_OK, "%s", r.c.msg);
  return r;
}

static double column(const run *r, size_t row, const char *label)
{
  for (size_t k = 0; k < r->got.ncols; k++)
    if (!strcmp(r->got.labels[k], label)) return r->got.rows[row * r->got.ncols + k];
  ck_abort_msg("no column %s", label);
  return NAN;
}

static double at_end(const char *model, double T, int n, const char *label)
{
  run r = steps(model, T, n);
  double x = column(&r, r.got.nrows - 1, label);
  run_end(&r);
  return x;
}

/* ---- a clutch that is pressed by a force of time: 0.5 and 0.2 kg m^2, 100 and 0 rad/s, capacity
 * 50 t ---- */

#define PAIR \
  "<systems><LagrangianLinearTIDS id='a' " \
  "coordinates='p'><q0>0</q0><v0>100</v0><mass>0.5</mass></LagrangianLinearTIDS>" \
  "<LagrangianLinearTIDS id='b' " \
  "coordinates='p'><q0>0</q0><mass>0.2</mass></LagrangianLinearTIDS></systems>"
#define CLUTCH(allocated) \
  HEAD PAIR "<interactions><interaction id='c' systems='a " \
            "b'><LagrangianLinearTIR><H>1 -1</H></LagrangianLinearTIR>" \
            "<RelayNSL lb='-" allocated "' " \
            "ub='" allocated \
            "'/></interaction></interactions>" STEPS("<MoreauJeanOSI theta='0.5'/>")

START_TEST(clutch_locks_where_it_has_to)
{
  /* 50 t^2/2 (1/0.5 + 1/0.2) = 100 */
  double lock = sqrt(100 / (25 * 7.0)), common = 50 / 0.7;
  run r = steps(CLUTCH("50*t"), 1, 1000);
  ck_assert_double_eq_tol(column(&r, 1000, "a.v_p"), common, 1e-10);
  ck_assert_double_eq_tol(column(&r, 1000, "b.v_p"), common, 1e-10);
  ck_assert_double_eq_tol(column(&r, 700, "a.v_p"), 100 - 25 * 0.49 / 0.5, 1e-10);
  ck_assert_double_eq_tol(-r.x->cert->work_friction, 714.285714285714, 1e-9);
  double difference = column(&r, 1000, "a.p") - column(&r, 1000, "b.p");
  /* the difference of angles: 100 t - 175/3 t^3 until it locks */
  ck_assert_double_eq_tol(difference, 100 * lock - 175.0 / 3 * lock * lock * lock, 1e-4);
  ck_assert_double_le(r.x->cert->defect_max, 1e-9);
  run_end(&r);
}
END_TEST

/* Values of the middle: order 2 before it locks, where values of the begin would be of order 1. */
START_TEST(capacity_of_time_is_of_second_order)
{
  double exact = 100 - 50 * (1 - cos(0.7)) / 0.5, e[3];
  for (int k = 0; k < 3; k++)
    e[k] = fabs(at_end(CLUTCH("50*sin(t)"), 0.7, 20 << k, "a.v_p") - exact);
  ck_assert_double_ge(log2(e[0] / e[1]), 1.95);
  ck_assert_double_ge(log2(e[1] / e[2]), 1.95);
}
END_TEST

/* Friction that the state sets: x'' = -x', by a relay that always slips, and 1 - mu(z) by a
 * netlist's current is left to others. */
START_TEST(capacity_of_state_is_of_second_order)
{
  static const char *const model = HEAD
      "<systems><LagrangianLinearTIDS id='a' "
      "coordinates='p'><q0>0</q0><v0>1</v0><mass>1</mass></LagrangianLinearTIDS></systems>"
      "<interactions><interaction id='c' "
      "systems='a'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>"
      "<RelayNSL lb='-slip' ub='abs(v_p)'/></interaction></interactions>" STEPS(
          "<MoreauJeanOSI theta='0.5'/>");
  double e[3];
  for (int k = 0; k < 3; k++) e[k] = fabs(at_end(model, 1, 50 << k, "a.v_p") - exp(-1));
  ck_assert_double_ge(log2(e[0] / e[1]), 1.9);
  ck_assert_double_ge(log2(e[1] / e[2]), 1.9);
}
END_TEST

/* ---- Stribeck friction on a belt of 0.1 m/s: m = 1, k = 100, mu = 0.2 + 0.2 exp(-slip/0.05) ----
 */

#define BELT \
  HEAD \
      "<systems><LagrangianLinearTIDS id='b' coordinates='x y'><q0>0 0</q0><v0>0.1 " \
      "0</v0><mass diag='1 1'/><K diag='100 0'/>" \
      "<fExt>0 -9.81</fExt></LagrangianLinearTIDS></systems><interactions><interaction id='belt' " \
      "systems='b'>" \
      "<LagrangianRheonomousR><h>y, x - 0.1*t</h></LagrangianRheonomousR>" \
      "<NewtonImpactFrictionNSL en='0' mu='0.2 + " \
      "0.2*exp(-slip/0.05)'/></interaction></interactions>"

/* Period 0.87489825 s, largest deflection 0.04559932 m, release at 0.03924 m: an integration of the
 * slip to 1e-13. */
START_TEST(stribeck_oscillator_has_its_period)
{
  run r = steps(BELT STEPS("<MoreauJeanOSI theta='0.5'/>"), 5, 10000);
  double max = 0, first = NAN, last = NAN;
  int n = 0, slips = 0;
  for (size_t i = 1; i < r.got.nrows; i++) {
    double x = column(&r, i, "b.x"), v = column(&r, i, "b.v_x"), t = column(&r, i, "time");
    int now = fabs(v - 0.1) > 1e-9;
    max = fmax(max, x);
    if (now && !slips) {
      ck_assert_double_eq_tol(x, 0.03924, 1.2e-4);
      if (n++ == 0) first = t;
      last = t;
    }
    slips = now;
  }
  ck_assert_int_ge(n, 5);
  ck_assert_double_eq_tol((last - first) / (n - 1), 0.87489825, 2e-4);
  ck_assert_double_eq_tol(max, 0.04559932, 2e-5);
  run_end(&r);
}
END_TEST

/* ---- restitution ----------------------------------------------------------------------------- */

#define BALL(e) \
  HEAD "<systems><LagrangianLinearTIDS id='b' " \
       "coordinates='y'><q0>1</q0><v0>0</v0><mass>1</mass><fExt>-9.81</fExt></" \
       "LagrangianLinearTIDS>" \
       "</systems><interactions><interaction id='g' " \
       "systems='b'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e='" e \
       "'/>" \
       "</interaction></interactions>" STEPS("<MoreauJeanOSI/>")

/* Each impact by the speed of its approach, which is the one of the row before. */
START_TEST(restitution_of_the_approach_is_exact)
{
  run r = steps(BALL("1/(1 + approach)"), 1.5, 3000);
  int n = 0;
  for (size_t i = 1; i < r.got.nrows; i++) {
    double before = column(&r, i - 1, "b.v_y"), after = column(&r, i, "b.v_y");
    if (!(after > before + 0.1)) continue;
    ck_assert_double_eq_tol(after, -before / (1 - before), 1e-12);
    n++;
  }
  ck_assert_int_ge(n, 2);
  run_end(&r);
}
END_TEST

START_TEST(restitution_of_time)
{
  run r = steps(BALL("t &lt; 1 ? 0.5 : 0.25"), 2, 4000);
  int n = 0;
  for (size_t i = 1; i < r.got.nrows; i++) {
    double before = column(&r, i - 1, "b.v_y"), after = column(&r, i, "b.v_y"),
           t = column(&r, i - 1, "time");
    if (!(after > before + 0.1) || n++ > 2) continue;
    ck_assert_double_eq_tol(after, -(t < 1 ? 0.5 : 0.25) * before, 1e-12);
  }
  ck_assert_int_ge(n, 2);
  run_end(&r);
}
END_TEST

/* ---- constant formulas against numbers ------------------------------------------------------- */

static unsigned long seed;
static double draw(double a, double b)
{
  seed = seed * 6364136223846793005ul + 1442695040888963407ul;
  return a + (b - a) * (double)(seed >> 11) / 9007199254740992.0;
}

/* %1$s ... %4$s: mu, e, bound and another one; %5$g ...: data. */
static const char *const families[] = {
    /* Lagrangian friction, relay, impact */
    HEAD
    "<systems><LagrangianLinearTIDS id='a' coordinates='s n'><q0>0 %5$.17g</q0><v0>%6$.17g "
    "0</v0><mass>1 0.1; 0.1 1</mass>"
    "<fExt>3*sin(9*t), -9.81</fExt></LagrangianLinearTIDS><LagrangianLinearTIDS id='b' "
    "coordinates='x'><q0>%7$.17g</q0><v0>-1</v0><mass>1</mass>"
    "<fExt>-5</fExt></LagrangianLinearTIDS></systems><interactions>"
    "<interaction id='g' systems='a'><LagrangianLinearTIR><H>0 1; 1 "
    "0</H></LagrangianLinearTIR><NewtonImpactFrictionNSL en='%2$s' mu='%1$s'/></interaction>"
    "<interaction id='h' "
    "systems='b'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL "
    "e='%2$s'/></interaction>"
    "<interaction id='r' systems='b'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><RelayNSL "
    "lb='-%3$s' ub='%4$s'/></interaction>"
    "</interactions>",
    /* relays of first order */
    HEAD "<systems><FirstOrderLinearTIDS id='s' states='x y'><x0>%5$.17g %6$.17g</x0><A>0.1 -2; 2 "
         "0</A></FirstOrderLinearTIDS></systems><interactions>"
         "<interaction id='k' systems='s'><FirstOrderLinearTIR><C>1 0; 0 1</C><B>1 0; 0 "
         "1</B></FirstOrderLinearTIR>"
         "<RelayNSL lb='-%3$s, -%4$s' ub='%4$s'/></interaction></interactions>",
    /* shapes in space */
    HEAD "<systems><NewtonEulerDS id='b'><q0>0 0 0.1+%5$.17g 1 0 0 0</q0><v0>%6$.17g 0.3 0 1 2 "
         "%7$.17g</v0>"
         "<mass>1</mass><inertia diag='0.01 0.02 0.015'/><fExt>0 0 -9.81</fExt><Box size='0.3 0.2 "
         "0.1'/></NewtonEulerDS></systems>"
         "<contacts><Plane normal='0 0 1'/><NewtonImpactRollingFrictionNSL en='%2$s' mu='%1$s' "
         "muRolling='0.01'/></contacts>",
    /* interactions of rigid bodies */
    HEAD "<systems><NewtonEulerDS id='b'><q0>0 0 0.1+%5$.17g 1 0 0 0</q0><v0>%6$.17g 0.3 0 1 2 "
         "%7$.17g</v0>"
         "<mass>1</mass><inertia diag='0.01 0.02 0.015'/><fExt>0 0 "
         "-9.81</fExt></NewtonEulerDS></systems>"
         "<interactions><interaction id='c' systems='b'><NewtonEuler3DR><P1>x y z</P1><P2>x y "
         "0</P2><n>0 0 1</n></NewtonEuler3DR>"
         "<NewtonImpactFrictionNSL en='%2$s' et='%1$s' mu='%1$s'/></interaction></interactions>",
    /* several kinds */
    HEAD "<systems><LagrangianLinearTIDS id='a' coordinates='s n'><q0>0 %5$.17g</q0><v0>%6$.17g "
         "0</v0><mass>1 0.1; 0.1 1</mass>"
         "<fExt>c.x, -9.81</fExt></LagrangianLinearTIDS><FirstOrderLinearTIDS id='c' "
         "states='x'><x0>%7$.17g</x0><A>-1</A></FirstOrderLinearTIDS></systems>"
         "<interactions><interaction id='g' systems='a'><LagrangianLinearTIR><H>0 1; 1 "
         "0</H></LagrangianLinearTIR>"
         "<NewtonImpactFrictionNSL en='%2$s' mu='%1$s'/></interaction>"
         "<interaction id='k' "
         "systems='c'><FirstOrderLinearTIR><C>1</C><B>1</B></FirstOrderLinearTIR><RelayNSL "
         "lb='-%3$s' ub='%4$s'/></interaction></interactions>"};
static const char *const integrators[] = {"<MoreauJeanOSI/>", "<EulerMoreauOSI/>",
                                          "<MoreauJeanOSI/>", "<MoreauJeanOSI/>",
                                          "<MoreauJeanOSI/><EulerMoreauOSI theta='0.5'/>"};
enum { FAMILIES = 5, RANDOM = 8 };

START_TEST(constant_formulas_are_numbers)
{
  char model[2][4096];
  int f = _i % FAMILIES;
  seed = 11 + (unsigned long)_i;
  double mu = draw(0.05, 0.9), e = draw(0, 0.9), lb = draw(0.1, 2), ub = draw(0.1, 2);
  double p = draw(0.05, 0.5), v = draw(-2, 2), w = draw(0.1, 1);
  run r[2];
  for (int k = 0; k < 2; k++) {
    const char *form = k ? "(%.17g + 0*t)" : "(%.17g)";
    char text[4][40];
    const double value[] = {mu, e, lb, ub};
    for (int i = 0; i < 4; i++) snprintf(text[i], sizeof text[i], form, value[i]);
    int n = snprintf(model[k], sizeof model[k], families[f], text[0], text[1], text[2], text[3], p,
                     v, w);
    snprintf(model[k] + n, sizeof model[k] - (size_t)n, STEPS("%s"), integrators[f]);
    r[k] = steps(model[k], 1, 500);
  }
  same_results(&r[0], &r[1], families[f]);
  run_end(&r[0]), run_end(&r[1]);
}
END_TEST

/* A formula of the whole model: the friction of one body by the state of another. */
START_TEST(formulas_read_other_systems)
{
  static const char *const model = HEAD
      "<systems><LagrangianLinearTIDS id='a' "
      "coordinates='x'><q0>0</q0><v0>10</v0><mass>1</mass></LagrangianLinearTIDS>"
      "<LagrangianLinearTIDS id='lever' "
      "coordinates='x'><q0>0</q0><v0>3</v0><mass>1</mass></LagrangianLinearTIDS></systems>"
      "<interactions><interaction id='c' "
      "systems='a'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>"
      "<RelayNSL lb='-2*lever.x' ub='lever.v_x*2*t'/></interaction></interactions>" STEPS(
          "<MoreauJeanOSI/>");
  /* the first step is explicit */
  ck_assert_double_eq_tol(at_end(model, 1, 100, "a.v_x"), 10 - 3, 5e-3);
}
END_TEST

/* ---- checkpoints and failures ---------------------------------------------------------------- */

START_TEST(interrupted_runs_go_on)
{
  static const char *const models[] = {
      HEAD
      "<systems><LagrangianLinearTIDS id='b' coordinates='s n'><q0>0 0.02</q0><v0>1 0</v0><mass>1 "
      "0.1; 0.1 1</mass>"
      "<fExt>3*sin(9*t), -9.81</fExt></LagrangianLinearTIDS></systems><interactions>"
      "<interaction id='g' systems='b'><LagrangianLinearTIR><H>0 1; 1 0</H></LagrangianLinearTIR>"
      "<NewtonImpactFrictionNSL en='0.5/(1+approach)' mu='0.3+0.1*exp(-slip)'/></interaction>"
      "<interaction id='r' systems='b'><LagrangianLinearTIR><H>1 "
      "0.5</H></LagrangianLinearTIR><RelayNSL lb='-abs(s)' ub='1+sin(t)'/></interaction>"
      "</interactions><simulation T='2'><TimeStepping "
      "h='0.005'><MoreauJeanOSI/></TimeStepping></simulation></model>",
      HEAD "<systems><NewtonEulerDS id='b'><q0>0 0 0.2 1 0 0 0</q0><v0>1 0.3 0 1 2 3</v0>"
           "<mass>1</mass><inertia diag='0.01 0.02 0.015'/><fExt>0 0 -9.81</fExt><Box size='0.3 "
           "0.2 0.1'/></NewtonEulerDS></systems>"
           "<contacts><Plane normal='0 0 1'/><NewtonImpactFrictionNSL en='0.5/(1+approach)' "
           "mu='0.3+0.1*exp(-slip)'/></contacts>"
           "<simulation T='0.6'><TimeStepping "
           "h='0.002'><MoreauJeanOSI/></TimeStepping></simulation></model>",
      HEAD "<systems><FirstOrderLinearTIDS id='s' states='x y'><x0>1 -0.5</x0><A>0.1 -2; 2 "
           "0</A></FirstOrderLinearTIDS></systems><interactions>"
           "<interaction id='k' systems='s'><FirstOrderLinearTIR><C>1 0; 0 1</C><B>1 0; 0 "
           "1</B></FirstOrderLinearTIR>"
           "<RelayNSL lb='-abs(x), -1-sin(t)' ub='0.5'/></interaction></interactions>"
           "<simulation T='3'><TimeStepping h='0.01'><EulerMoreauOSI "
           "theta='0.5'/></TimeStepping></simulation></model>"};
  change k = {.every = 1};
  ck_assert_int_eq(goes_on_the_same(models[_i], &k, 10, 3), 1);
}
END_TEST

/* ---- event-driven: relations whose rows are constant ----------------------------------------- */

/* A mass that slides under friction by a formula, on a linear relation or the same as formulas, in
 * the plane or in space. */
static void put_slider(generator *g, int linear)
{
  static const char *const mu[] = {"%.17g*(1+t)", "%.17g*(1+exp(-2*slip))", "%.17g*(1+tanh(x))",
                                   "%.17g*(2+cos(5*t)*tanh(y))"};
  int space = pick(g, 2);
  const char *row = linear  ? space
                                  ? "<LagrangianLinearTIR><H>0 0 1; 1 0 0; 0 1 0</H>"
                                    "</LagrangianLinearTIR>"
                                  : "<LagrangianLinearTIR><H>0 0 1; 1 0 0</H></LagrangianLinearTIR>"
                    : space ? "<LagrangianScleronomousR><h>z, x, y</h></LagrangianScleronomousR>"
                            : "<LagrangianScleronomousR><h>z, x</h></LagrangianScleronomousR>";
  put(g, HEAD "<systems><LagrangianLinearTIDS id='s' coordinates='x y z'><q0>0 0 0</q0><v0>%.17g ",
      between(g, -3, 3));
  put(g, "%.17g 0</v0><mass diag='1 1.3 1'/><K diag='%.17g 3 0'/>", between(g, -3, 3),
      between(g, 0, 9));
  put(g, "<fExt>%.17g*sin(4*t), 0, -%.17g</fExt></LagrangianLinearTIDS></systems>",
      between(g, 0, 9), between(g, 3, 12));
  put(g, "<interactions><interaction id='c' systems='s'>%s<NewtonImpactFrictionNSL en='0' mu='",
      row);
  double size = between(g, 0.05, 0.4);
  int which = pick(g, 4);
  char text[64];
  snprintf(text, sizeof text, "%.17g", size);
  put(g, "%s%s'/></interaction></interactions>", text, mu[which] + strlen("%.17g"));
  put(g, "<simulation T='1'><EventDriven h='1'><CVodeOSI relativeTolerance='1e-11' "
         "absoluteTolerance='1e-13'/></EventDriven></simulation></model>");
}

START_TEST(friction_changes_while_it_slides)
{
  double q[2][3], v[2][3];
  for (int linear = 0; linear < 2; linear++) {
    generator g = {.state = 90 + (unsigned long long)_i};
    put_slider(&g, linear);
    run r = steps(g.text, 2, 20);
    memcpy(q[linear], r.x->q, sizeof q[linear]);
    memcpy(v[linear], r.x->v, sizeof v[linear]);
    run_end(&r);
  }
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(q[0][i], q[1][i], 1e-8);
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(v[0][i], v[1][i], 1e-7);
}
END_TEST

/* v = v0 - g (a t + b t^2/2) */
START_TEST(friction_of_time_slows_as_its_integral)
{
  static const char *const model = HEAD
      "<systems><LagrangianLinearTIDS id='s' coordinates='x y'><q0>0 0</q0><v0>3 0</v0>"
      "<mass diag='1 1'/><fExt>0 -10</fExt></LagrangianLinearTIDS></systems><interactions>"
      "<interaction id='c' systems='s'><LagrangianLinearTIR><H>0 1; 1 0</H></LagrangianLinearTIR>"
      "<NewtonImpactFrictionNSL en='0' mu='0.1 + 0.2*t'/></interaction></interactions>"
      "<simulation T='1'><EventDriven h='1'><CVodeOSI/></EventDriven></simulation></model>";
  ck_assert_double_eq_tol(at_end(model, 0.9, 9, "s.v_x"), 3 - 0.9 - 0.81, 1e-8);
}
END_TEST

/* A value that is out of its range ends the run with formula, element and value. */
START_TEST(values_out_of_range_are_told)
{
  static const struct {
    const char *model;
    const char *said[4];
  } list[] = {
      {BALL("0.5 - t"), {"NewtonImpactNSL", "\"g\"", "attribute e, 0.5 - t, is -0.0", "in [0, 1]"}},
      {CLUTCH("50*(0.25-t)"), {"RelayNSL", "\"c\"", "lb is", "lb <= ub"}},
      {BALL("sqrt(0.3 - t)"),
       {"attribute e, sqrt(0.3 - t), is ", "nan at t = 0.3", "NewtonImpactNSL", "\"g\""}}};
  run r;
  int rc = start(list[_i].model, 1, 100, &r);
  ck_assert_int_eq(rc, NS_NUMERIC);
  for (int k = 0; k < 4; k++)
    ck_assert_msg(strstr(r.c.msg, list[_i].said[k]) != NULL, "%s: no %s", r.c.msg,
                  list[_i].said[k]);
  run_end(&r);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("law values");
  TCase *t = tcase_create("formulas");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, clutch_locks_where_it_has_to);
  tcase_add_test(t, capacity_of_time_is_of_second_order);
  tcase_add_test(t, capacity_of_state_is_of_second_order);
  tcase_add_test(t, stribeck_oscillator_has_its_period);
  tcase_add_test(t, restitution_of_the_approach_is_exact);
  tcase_add_test(t, restitution_of_time);
  tcase_add_loop_test(t, constant_formulas_are_numbers, 0, FAMILIES * RANDOM);
  tcase_add_test(t, formulas_read_other_systems);
  tcase_add_loop_test(t, friction_changes_while_it_slides, 0, 24);
  tcase_add_test(t, friction_of_time_slows_as_its_integral);
  tcase_add_loop_test(t, interrupted_runs_go_on, 0, 3);
  tcase_add_loop_test(t, values_out_of_range_are_told, 0, 3);
  suite_add_tcase(s, t);
  return suite_end(s);
}
