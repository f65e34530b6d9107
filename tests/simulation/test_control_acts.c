/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What controls act on: each kind of input does the same whether a control writes it at its sample
 * or an event sets it then, and not what it does when nobody changes it. */
#include "support/run.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'>"
#define FORCE "coordinates='x' inputs='u'><q0>0.1</q0><v0>1</v0><z>0.7</z><mass>1</mass>"
#define STEPS(osi) "<simulation T='1'><TimeStepping h='0.01'>" osi "</TimeStepping></simulation>"
#define EVENTS(osi) "<simulation T='1'><EventDriven h='0.01'>" osi "</EventDriven></simulation>"
#define CIRCUIT "<netlist id='s' inputs='u w' z='0.7 0'>V1 a 0 {3*u + sin(9*t)}\nR1 a b 2\nS1 b " \
  "0 {u}\nL1 b c 0.3\nC1 c 0 0.1 ic=1\nR2 c 0 4</netlist>"
#define ROD \
  "<systems><RigidBody2dDS id='s' inputs='u'><q0>0.5 0 " \
    "0</q0><z>0.7</z><mass>1</mass><inertia>0.1</inertia><fExt>0 " \
    "-9.81</fExt></RigidBody2dDS></systems>"
#define BLOCK(mu, force) \
  "<systems><LagrangianLinearTIDS id='s' coordinates='x y' inputs='u'><q0>0 0</q0><v0>3 " \
    "0</v0><z>0.7</z><mass diag='1 1'/><fExt>" force " " \
    "-9.81</fExt></LagrangianLinearTIDS></systems>" \
  "<interactions><interaction id='g' systems='s'><LagrangianLinearTIR><H>0 1; 1 " \
    "0</H></LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' " \
    "mu='" mu "'/></interaction></interactions>"

static const char *const models[] = {
    /* first order: b of z, a nonlinear field, offset and bounds of a relay */
    HEAD "<systems><FirstOrderLinearTIDS id='s' states='x' "
         "inputs='u'><x0>1</x0><z>0.7</z><A>-1</A><b>u</b></FirstOrderLinearTIDS></systems>" STEPS(
             "<ZeroOrderHoldOSI/>"),
    HEAD "<systems><FirstOrderNonLinearDS id='s' states='x' inputs='u'><x0>1</x0><z>0.7</z><f>-x^3 "
         "+ u*x</f></FirstOrderNonLinearDS></systems>" STEPS("<EulerMoreauOSI/>"),
    HEAD "<systems><FirstOrderNonLinearDS id='s' states='x' inputs='u'><x0>1</x0><z>0.7</z><f>-x^3 "
         "+ u*x</f></FirstOrderNonLinearDS></systems>" EVENTS("<CVodeOSI/>"),
    HEAD "<systems><FirstOrderLinearTIDS id='s' states='x' "
         "inputs='u'><x0>1</x0><z>0.7</z></FirstOrderLinearTIDS></"
         "systems><interactions><interaction id='r' systems='s'>"
         "<FirstOrderLinearR><C>1</C><B>1</B><e>-u</e></FirstOrderLinearR><RelayNSL/></"
         "interaction></interactions>" STEPS("<EulerMoreauOSI/>"),
    /* mechanics: external and internal force, friction coefficient */
    HEAD "<systems><LagrangianLinearTIDS id='s' " FORCE
         "<K>4</K><fExt>u</fExt></LagrangianLinearTIDS></systems>" STEPS("<MoreauJeanOSI/>"),
    HEAD "<systems><LagrangianDS id='s' " FORCE
         "<fInt>4*sin(x) - u*x</fInt></LagrangianDS></systems>" STEPS("<MoreauJeanOSI/>"),
    HEAD "<systems><LagrangianDS id='s' " FORCE
         "<fInt>4*sin(x) - u*x</fInt></LagrangianDS></systems>" EVENTS("<CVodeOSI/>"),
    HEAD BLOCK("0.3 + 0.2*s.u", "0") STEPS("<MoreauJeanOSI/>"),
    /* rigid bodies: the motor of a joint, a spring */
    HEAD ROD
    "<interactions><interaction id='j' systems='s'><PivotJointR point='0 0'><torque>5*u - "
    "v_angle</torque></PivotJointR><EqualityConditionNSL/></interaction></interactions>" STEPS(
        "<MoreauJeanOSI/>"),
    HEAD ROD "<interactions><spring id='j' systems='s' point2='1 1'><along>-20*(length - "
             "u)</along></spring></interactions>" STEPS("<MoreauJeanOSI/>"),
    /* circuits: source and switch */
    HEAD CIRCUIT STEPS("<EulerMoreauOSI theta='1' gamma='1'/>"),
    HEAD CIRCUIT EVENTS("<CVodeOSI/>"),
};
enum { MODELS = sizeof models / sizeof *models };

static const char *const by_control =
    "<controls><control id='k' systems='s' period='0.1' writes='u'><update>if(t &lt; 0.45, 0.7, "
    "-0.4)</update></control></controls>";
static const char *const by_event =
    "<events><event id='e' at='0.5'><set name='s.u' value='-0.4'/></event></events>";

static run play(int k, const char *what)
{
  char model[5000];
  snprintf(model, sizeof model, "%s%s</model>", models[k], what);
  run r = run_load(model, NULL);
  ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, NULL), NS_OK);
  return r;
}

START_TEST(inputs_of_each_kind)
{
  run a = play(_i, by_control), b = play(_i, by_event), c = play(_i, "");
  double differs = 0, tol = a.m->sim.event_driven ? 1e-5 : 1e-13;
  for (size_t i = 0; i < a.m->nq; i++) {
    ck_assert_double_eq_tol(a.x->q[i], b.x->q[i], tol * fmax(1, fabs(b.x->q[i])));
    differs = fmax(differs, fabs(a.x->q[i] - c.x->q[i]));
  }
  ck_assert_double_eq(a.x->z[0], -0.4);
  ck_assert_double_gt(differs, 1e-3);
  run_end(&a);
  run_end(&b);
  run_end(&c);
}
END_TEST

/* A circuit and the equations that it stands for, at the same samples of the same controller. */
START_TEST(a_circuit_is_its_equations)
{
  static const char *const text[] = {
      HEAD "<netlist id='s' inputs='u' z='0.5'>V1 a 0 {u}\nR1 a b 2\nC1 b 0 0.5 ic=1\nR2 b 0 "
           "4</netlist>",
      HEAD "<systems><FirstOrderLinearTIDS id='s' states='v_C1' "
           "inputs='u'><x0>1</x0><z>0.5</z><A>-1/(0.5*2) - "
           "1/(0.5*4)</A><b>u/(0.5*2)</b></FirstOrderLinearTIDS></systems>"};
  run r[2];
  char model[3000];
  for (int k = 0; k < 2; k++) {
    snprintf(model, sizeof model,
             "%s<controls><control id='k' systems='s' period='0.2'><PID Kp='3' Ki='5' Kd='0.1' "
             "filter='0.1'><reference>sin(2*t)</reference><y>v_C1</y></PID></control>"
             "</controls><simulation T='5'><TimeStepping "
             "h='0.05'><ZeroOrderHoldOSI/></TimeStepping></simulation></model>",
             text[k]);
    r[k] = run_load(model, NULL);
    ck_assert_int_eq(ns_simulation_run(r[k].s, &r[k].c, NULL, NULL), NS_OK);
  }
  ck_assert_double_eq_tol(r[0].x->q[0], r[1].x->q[0], 1e-13);
  ck_assert_double_eq_tol(r[0].x->z[0], r[1].x->z[0], 1e-12);
  ck_assert_double_gt(fabs(r[0].x->z[0]), 0.01);
  run_end(&r[0]);
  run_end(&r[1]);
}
END_TEST

/* A controller of continuous time is a system of its own: a PI controller that moves a mass, and
 * the same as one linear system, whose motion is exact. The integral of the error is a state that
 * the force reads. */
START_TEST(a_continuous_controller_is_a_system)
{
  run a = run_load(HEAD
                   "<systems><LagrangianLinearTIDS id='m' "
                   "coordinates='x'><q0>0</q0><v0>0.5</v0><mass>2</mass><fExt>9*(1 - m.x) - "
                   "5*m.v_x + 3*c.e</fExt></LagrangianLinearTIDS>"
                   "<FirstOrderNonLinearDS id='c' states='e'><x0>0.2</x0><f>1 - "
                   "m.x</f></FirstOrderNonLinearDS></systems>"
                   "<simulation T='3'><EventDriven h='0.1'><CVodeOSI relativeTolerance='1e-12' "
                   "absoluteTolerance='1e-13'/></EventDriven></simulation></model>",
                   NULL);
  run b = run_load(HEAD
                   "<systems><FirstOrderLinearTIDS id='s' states='x v e'><x0>0 0.5 0.2</x0><A>0 1 "
                   "0; -4.5 -2.5 1.5; -1 0 0</A><b>0 4.5 1</b></FirstOrderLinearTIDS></systems>"
                   "<simulation T='3'><TimeStepping "
                   "h='0.1'><ZeroOrderHoldOSI/></TimeStepping></simulation></model>",
                   NULL);
  ck_assert_int_eq(ns_simulation_run(a.s, &a.c, NULL, NULL), NS_OK);
  ck_assert_int_eq(ns_simulation_run(b.s, &b.c, NULL, NULL), NS_OK);
  ck_assert_double_eq_tol(a.x->q[0], b.x->q[0], 1e-10);
  ck_assert_double_eq_tol(a.x->v[0], b.x->q[1], 1e-10);
  ck_assert_double_eq_tol(a.x->q[1], b.x->q[2], 1e-10);
  run_end(&a);
  run_end(&b);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, inputs_of_each_kind, 0, MODELS);
  tcase_add_test(t, a_circuit_is_its_equations);
  tcase_add_test(t, a_continuous_controller_is_a_system);
}

int main(void) { return suite_run("control acts", fill); }
