/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What controls read: all that has a name in the run; and when they act: from, until, when, offset.
 * Each quantity is written to an entry of z and held against what results show of it in the row of
 * the sample. */
#include "support/interrupted.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"

/* Column `copy` of each row is column `original` of the row before; the rows are those of the grid.
 */
static void same_a_row_later(const run *r, const char *copy, const char *original, double tol)
{
  double max = 0;
  ck_assert_uint_gt(r->got.nrows, 10);
  for (size_t i = 0; i + 1 < r->got.nrows; i++) {
    max = fmax(max, fabs(run_at(r, i, original)));
    ck_assert_msg(fabs(run_at(r, i + 1, copy) - run_at(r, i, original)) <= tol,
                  "%s, row %zu: %.17g, expected %.17g", copy, i, run_at(r, i + 1, copy),
                  run_at(r, i, original));
  }
  ck_assert_double_gt(max, 0); /* it was something */
}

/* ---- what has a name ------------------------------------------------------------------------- */

/* A pendulum on a hinge that a spring pulls, and a filter of first order beside it. */
#define HINGE \
  HEAD "<NewtonEulerDS id='rod' inputs='a w l f r o sum other carried'><q0>0.5 0 0 1 0 0 0</q0>" \
       "<mass>1</mass><inertia diag='0.01 0.1 0.1'/><fExt>0 0 -9.81</fExt></NewtonEulerDS>" \
       "<FirstOrderLinearTIDS id='filter' states='x'><x0>1</x0><A>-2</A></FirstOrderLinearTIDS>" \
       "</systems><interactions><interaction id='hinge' systems='rod'>" \
       "<PivotJointR point='0 0 0' axis='0 1 0'/><EqualityConditionNSL/></interaction>" \
       "<spring id='wire' systems='rod world' point1='0 0 0' point2='0 0 1' stiffness='5' " \
       "restLength='0.3'/>" \
       "</interactions><controls><control id='k' systems='rod'><update>hinge.angle, " \
       "hinge.v_angle," \
       " wire.length, wire.force, wire.rate, twice, heat, filter.x, " \
       "%s</update></control></controls>"

#define OUTPUT \
  "<output><observe id='twice'>2*rod.z</observe><integral id='heat' " \
  "of='rod.z^2'/></output></model>"

static const char *const hinge_steps = HINGE
    "<simulation T='1'><TimeStepping h='0.01'><MoreauJeanDirectProjectionOSI/>"
    "<EulerMoreauOSI theta='0.5'/></TimeStepping></simulation>" OUTPUT;
static const char *const hinge_events = HINGE
    "<simulation T='1'><EventDriven h='0.01'><CVodeOSI/></EventDriven></simulation>" OUTPUT;

/* Time-stepping and event-driven; hinge.lambda is what the table calls its first column. */
START_TEST(all_that_has_a_name)
{
  static const struct {
    const char *copy, *original;
  } row[] = {{"rod.a", "hinge.angle"},  {"rod.w", "hinge.v_angle"}, {"rod.l", "wire.length"},
             {"rod.f", "wire.force"},   {"rod.r", "wire.rate"},     {"rod.o", "twice.value"},
             {"rod.sum", "heat.value"}, {"rod.other", "filter.x"}};
  char model[4000];
  snprintf(model, sizeof model, _i ? hinge_events : hinge_steps, "hinge.lambda[2]");
  run r = run_whole(model);
  for (size_t k = 0; k < sizeof row / sizeof *row; k++)
    same_a_row_later(&r, row[k].copy, row[k].original, 1e-14);
  size_t lambda = capture_column(&r.got, "hinge.lambda[2]");
  for (size_t i = 1; i + 1 < r.got.nrows; i++)
    ck_assert_double_eq_tol(run_at(&r, i + 1, "rod.carried"), r.got.rows[i * r.got.ncols + lambda],
                            1e-12);
  run_end(&r);
}
END_TEST

/* The impulse of a bounce is known to the sample behind it; of two interactions each by its id. */
START_TEST(impulses_of_contacts)
{
  run r = run_whole(
      HEAD
      "<LagrangianLinearTIDS id='a' coordinates='y' "
      "inputs='p'><q0>0.1</q0><fExt>-10</fExt></LagrangianLinearTIDS>"
      "<LagrangianLinearTIDS id='b' coordinates='y' "
      "inputs='p'><q0>0.2</q0><fExt>-10</fExt></LagrangianLinearTIDS>"
      "</systems><interactions><interaction id='ga' "
      "systems='a'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>"
      "<NewtonImpactNSL e='0.5'/></interaction><interaction id='gb' "
      "systems='b'><LagrangianLinearTIR><H>1</H>"
      "</LagrangianLinearTIR><NewtonImpactNSL e='0.5'/></interaction></interactions><controls>"
      "<control id='k' systems='b' writes='p'><update>gb.lambda[0]</update></control>"
      "<control id='j' systems='a' writes='p'><update>ga.lambda[0]</update></control></controls>"
      "<simulation T='1'><TimeStepping "
      "h='0.01'><MoreauJeanOSI/></TimeStepping></simulation></model>");
  same_a_row_later(&r, "b.p", "gb.lambda", 1e-15);
  same_a_row_later(&r, "a.p", "ga.lambda", 1e-15);
  run_end(&r);
}
END_TEST

/* How often the ball has hit, and how long ago: memories; a formula that observes what a control
 * wrote sees it a row later. */
START_TEST(memories_of_events)
{
  run r = run_whole(HEAD
                    "<LagrangianLinearTIDS id='a' coordinates='y' inputs='n "
                    "s'><q0>0.1</q0><fExt>-10</fExt></LagrangianLinearTIDS>"
                    "</systems><interactions><interaction id='g' "
                    "systems='a'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>"
                    "<NewtonImpactNSL e='0.8'/></interaction></interactions><controls><control "
                    "id='k' systems='a'>"
                    "<update>hits, since</update></control></controls>"
                    "<simulation T='1'><EventDriven h='0.01'><CVodeOSI/></EventDriven></simulation>"
                    "<output><memory id='hits' event='impact' interaction='g' give='count'/>"
                    "<memory id='since' event='impact' interaction='g'/></output></model>");
  double n = 0;
  for (size_t i = 0; i + 1 < r.got.nrows; i++) {
    if (run_at(&r, i, "time") >= run_at(&r, i + 1, "time")) continue; /* both sides of an event */
    double since = run_at(&r, i + 1, "time") - run_at(&r, i, "time");
    if (since < 0.01 - 1e-9) continue; /* an event between two samples */
    n = fmax(n, run_at(&r, i + 1, "a.n"));
    ck_assert_double_eq(run_at(&r, i + 1, "a.n"), run_at(&r, i, "hits.value"));
    ck_assert_double_eq_tol(run_at(&r, i + 1, "a.s"), run_at(&r, i, "since.value"), 1e-15);
  }
  ck_assert_double_ge(n, 2);
  run_end(&r);
}
END_TEST

/* A body stands before a system of first order, which is placed before it: an event sets the entry
 * that it names. */
START_TEST(events_set_entries_of_mixed_models)
{
  run r = run_whole(HEAD
                    "<RigidBody2dDS id='body' inputs='u w'><q0>0 0 "
                    "0</q0><mass>1</mass><inertia>1</inertia><fExt>u 0</fExt></RigidBody2dDS>"
                    "<FirstOrderLinearTIDS id='f' states='x' inputs='k'><x0>0</x0><b>1 + "
                    "0*body.x</b></FirstOrderLinearTIDS></systems>"
                    "<simulation T='1'><TimeStepping "
                    "h='0.1'><MoreauJeanOSI/><EulerMoreauOSI/></TimeStepping></simulation>"
                    "<events><event id='e' at='0.5'><set name='body.w' value='7'/><set name='f.x' "
                    "value='-3'/><set name='body.v_x' value='2'/>"
                    "<set name='f.k' value='5'/></event></events></model>");
  ck_assert_double_eq(run_at(&r, 10, "body.w"), 7);
  ck_assert_double_eq(run_at(&r, 10, "body.u"), 0);
  ck_assert_double_eq(run_at(&r, 10, "f.k"), 5);
  ck_assert_double_eq_tol(run_at(&r, 10, "f.x"), -2.5, 1e-14);
  ck_assert_double_eq_tol(run_at(&r, 10, "body.v_x"), 2, 1e-14);
  run_end(&r);
}
END_TEST

/* A switch with hysteresis makes events of its own; a memory counts the <event> that it names all
 * the same. */
START_TEST(memories_behind_the_switches_of_a_netlist)
{
  run r = run_whole(
      "<model xmlns='urn:nssim:model:1' name='m'><netlist id='c'>V1 a 0 SIN(0 1 1)\nR1 a b 1\n"
      "S1 b 0 v(b) on=0.3 off=0.1\nC1 b 0 1</netlist>"
      "<simulation T='1'><TimeStepping h='0.01'><EulerMoreauOSI/></TimeStepping></simulation>"
      "<events><event id='tick' every='0.3'/><event id='other' every='0.1'/></events>"
      "<output><memory id='ticks' event='tick' give='count'/></output></model>");
  ck_assert_int_gt(r.m->nuser_events, 2);
  ck_assert_double_eq(run_at(&r, r.got.nrows - 1, "ticks.value"), 3);
  run_end(&r);
}
END_TEST

/* ---- when ------------------------------------------------------------------------------------ */

/* Each counts how often it acts over 20 steps of 0.05. */
START_TEST(windows_and_offsets)
{
  static const struct {
    const char *attributes;
    double count, last;
  } row[] = {{"", 20, 0.95},
             {"period='0.2'", 5, 0.8},
             {"period='0.2' offset='0.05'", 5, 0.85},
             {"period='0.2' offset='0.2'", 4, 0.8},
             {"offset='0.5'", 10, 0.95},
             {"from='0.5'", 10, 0.95},
             {"until='0.5'", 11, 0.5},
             {"from='0.31' until='0.5'", 4, 0.5},
             {"period='0.1' from='0.25' until='0.75'", 5, 0.7},
             {"when='x &gt; 0.5'", 9, 0.95},
             {"when='x - 0.5'", 9, 0.95},
             {"when='twice &gt; 1.2' until='0.8'", 4, 0.8},
             {"when='s.x &lt; 0.5 || p.y &gt; 1.75'", 14, 0.95}};
  char model[2000];
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    for (int events = 0; events < 2; events++) {
      snprintf(model, sizeof model,
               HEAD
               "<FirstOrderLinearTIDS id='s' states='x' inputs='n "
               "last'><x0>0</x0><b>1</b></FirstOrderLinearTIDS>"
               "<FirstOrderLinearTIDS id='p' "
               "states='y'><x0>0</x0><b>2</b></FirstOrderLinearTIDS></systems><controls>"
               "<control id='k' systems='s' %s><update>n + 1, "
               "t</update></control></controls><simulation T='1'>%s"
               "</simulation><output><observe id='twice'>2*s.x + 1e-9</observe></output></model>",
               row[k].attributes,
               events ? "<EventDriven h='0.05'><CVodeOSI/></EventDriven>"
                      : "<TimeStepping h='0.05'><EulerMoreauOSI/></TimeStepping>");
      run r = run_load(model, NULL);
      ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, NULL), NS_OK);
      /* conditions at 0.5, 0.6 exactly are a matter of rounding: x there is a sum of steps */
      double slack = strstr(row[k].attributes, "when") ? 1 : 0;
      ck_assert_msg(fabs(r.x->z[0] - row[k].count) <= slack, "%s: %g", row[k].attributes,
                    r.x->z[0]);
      ck_assert_double_eq_tol(r.x->z[1], row[k].last, 1e-15);
      run_end(&r);
    }
  }
}
END_TEST

/* What it writes while it does not act. */
START_TEST(otherwise_is_written)
{
  run r = run_whole(HEAD "<FirstOrderLinearTIDS id='s' states='x' inputs='u w'><x0>0</x0><z>5 "
                         "6</z></FirstOrderLinearTIDS></systems><controls>"
                         "<control id='k' systems='s' writes='u' from='0.2' until='0.5' "
                         "otherwise='-3'><update>t</update></control>"
                         "<control id='l' systems='s' writes='w' from='0.2' "
                         "until='0.5'><update>t</update></control></controls>"
                         "<simulation T='1'><TimeStepping "
                         "h='0.1'><EulerMoreauOSI/></TimeStepping></simulation></model>");
  static const double u[] = {5, -3, -3, 0.2, 0.3, 0.4, 0.5, -3, -3, -3, -3};
  static const double w[] = {6, 6, 6, 0.2, 0.3, 0.4, 0.5, 0.5, 0.5, 0.5, 0.5};
  for (size_t i = 0; i < 11; i++) {
    ck_assert_double_eq_tol(run_at(&r, i, "s.u"), u[i], 1e-15);
    ck_assert_double_eq_tol(run_at(&r, i, "s.w"), w[i], 1e-15);
  }
  run_end(&r);
}
END_TEST

/* A controller with memory that begins late is the one of a run that begins late: its first sample
 * is its own. */
#define LATE(t0, T, from, y) \
  HEAD "<FirstOrderLinearTIDS id='s' states='x' inputs='u y'><x0>1</x0><z>0 " \
       "" y "</z><b>u</b></FirstOrderLinearTIDS></systems><controls>" \
       "<control id='e' systems='s' period='0.02' writes='y'" from "><Sensor " \
       "delay='3'><y>x</y></Sensor></control>" \
       "<control id='k' systems='s' period='0.04' writes='u'" from "><PID Kp='2' Ki='3' " \
       "Kd='0.2' filter='0.1'><y>y</y></PID></control>" \
       "</controls><simulation t0='" t0 "' T='" T "'><TimeStepping " \
       "h='0.01'><ZeroOrderHoldOSI/></TimeStepping></simulation></model>"

START_TEST(a_late_block_begins_anew)
{
  run a = run_whole(LATE("0", "2", " from='0.4'", "1")), b = run_whole(LATE("0.4", "2", "", "1"));
  for (size_t i = 0; i < b.got.nrows; i++) {
    ck_assert_double_eq_tol(run_at(&a, i + 40, "s.x"), run_at(&b, i, "s.x"), 1e-13);
    ck_assert_double_eq_tol(run_at(&a, i + 40, "s.u"), run_at(&b, i, "s.u"), 1e-12);
  }
  ck_assert_double_gt(fabs(run_at(&b, 100, "s.x")), 1e-3);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* ---- checkpoints ----------------------------------------------------------------------------- */

/* Blocks of three periods, one of them with a window, another with a condition, all with memory. */
#define MANY(how) \
  HEAD "<LagrangianLinearTIDS id='m' coordinates='x' inputs='u y n'><q0>1</q0><K>4</K><fExt>u - " \
       "0.1*n</fExt></LagrangianLinearTIDS>" \
       "</systems><interactions><interaction id='g' " \
       "systems='m'><LagrangianLinearTIR><H>1</H><e>0.3</e></LagrangianLinearTIR>" \
       "<NewtonImpactNSL e='0.7'/></interaction></interactions><controls>" \
       "<control id='e' systems='m' period='0.02' offset='0.01' writes='y'><Sensor delay='3' " \
       "quantum='1e-3'><y>x + heat</y></Sensor></control>" \
       "<control id='k' systems='m' period='0.05' writes='u' from='0.3'><PID Kp='2' Ki='3' " \
       "Kd='0.2' filter='0.1'><y>y</y></PID></control>" \
       "<control id='c' systems='m' period='0.03' writes='n' when='v_x &lt; 0 &amp;&amp; heat " \
       "&gt; 0.1'><update>n + 1</update></control>" \
       "</controls><simulation T='3'>" how "</simulation><output><integral id='heat' " \
       "of='m.x^2'/></output></model>"

START_TEST(interrupted_runs)
{
  static const char *const models[] = {
      MANY("<TimeStepping h='0.01'><MoreauJeanOSI/></TimeStepping>"),
      MANY("<EventDriven h='0.01'><CVodeOSI/></EventDriven>"),
      MANY("<EventDriven h='0.01'><LsodarOSI/></EventDriven>")};
  const change none = {0};
  ck_assert_int_eq(goes_on_the_same(models[_i], &none, 6, 71 + (unsigned long)_i), 1);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, all_that_has_a_name, 0, 2);
  tcase_add_test(t, impulses_of_contacts);
  tcase_add_test(t, memories_of_events);
  tcase_add_test(t, events_set_entries_of_mixed_models);
  tcase_add_test(t, memories_behind_the_switches_of_a_netlist);
  tcase_add_test(t, windows_and_offsets);
  tcase_add_test(t, otherwise_is_written);
  tcase_add_test(t, a_late_block_begins_anew);
  tcase_add_loop_test(t, interrupted_runs, 0, 3);
}

int main(void) { return suite_run("control reads", fill); }
