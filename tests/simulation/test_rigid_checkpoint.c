/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run of rigid bodies that was interrupted gives the bytes of one that was not: joints and their
 * axes, contacts between shapes that come and go, projections. */
#include "support/interrupted.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOMENTS = 12 };

#define MODEL(systems, \
  rest) "<model xmlns='urn:nssim:model:1' name='m'><systems>" systems "</systems>" rest "</model>"
#define STEPS(h, T, osi) "<simulation T='" T "'><TimeStepping " \
  "h='" h "'>" osi "</TimeStepping></simulation>"
#define WEIGHT "<fExt>0 0 -9.81</fExt>"
#define BALLS \
  "<repeat index='i' from='1' to='5'><NewtonEulerDS id='b{i}'><q0>0.02*sin(i) 0.03*cos(2*i) " \
    "0.15+0.22*i 1 0 0 0</q0>" \
  "<v0>0.1*i 0 0  1 2 i</v0>" WEIGHT "<Sphere radius='0.1' " \
    "density='1000'/></NewtonEulerDS></repeat>" \
  "<NewtonEulerDS id='crate'><q0 axis='1 1 0' angle='0.3'>0.6 0 0.5</q0>" WEIGHT "<Box " \
    "size='0.3 0.4 0.2' density='700'/></NewtonEulerDS>"
#define CONTACTS \
  "<contacts><NewtonImpactRollingFrictionNSL en='0.4' mu='0.4' " \
    "muRolling='0.001'/><Plane/></contacts>"
#define FLAT \
  "<repeat index='i' from='1' to='6'><RigidBody2dDS id='d{i}'><q0>0.06*sin(i) 0.15+0.22*i " \
    "i</q0><v0>0.1*i 0 2</v0><fExt>0 -9.81*10</fExt>" \
  "<Disk radius='0.1' density='300'/></RigidBody2dDS></repeat>" \
  "<RigidBody2dDS id='crate'><q0>0.6 0.5 0.3</q0><fExt>0 -9.81*60</fExt><Polygon points='-0.2 " \
    "0; 0.2 -0.1; 0.3 0.2; -0.1 0.3' density='700'/></RigidBody2dDS>"
#define VALLEY \
  "<contacts><NewtonImpactRollingFrictionNSL en='0.4' mu='0.4' muRolling='0.001'/><Polyline " \
    "points='-1 1; -0.3 0; 0.4 0; 0.5 0; 1.5 0.7'/></contacts>"
#define ARM \
  "<NewtonEulerDS id='arm'><q0>0.5 0 0 1 0 0 0</q0><mass>1</mass><inertia diag='0.01 0.09 " \
    "0.09'/>" WEIGHT "</NewtonEulerDS>" \
  "<NewtonEulerDS id='hand'><q0>1.5 0 0 1 0 0 0</q0><mass>0.5</mass><inertia diag='0.01 0.04 " \
    "0.04'/>" WEIGHT \
  "<mInt>0.1*Omega_x 0.05*Omega_y 0</mInt></NewtonEulerDS>"
#define JOINTS \
  "<interactions><interaction id='shoulder' systems='arm'><PivotJointR point='0 0 0' axis='0 1 " \
    "0'/><EqualityConditionNSL/></interaction>" \
  "<interaction id='elbow' systems='arm hand'><PivotJointR point='1 0 0' axis='0 1 " \
    "0.2'/><EqualityConditionNSL/></interaction>" \
  "<interaction id='stop'><JointStopR joint='elbow' lower='-1' upper='0.7'/><NewtonImpactNSL " \
    "e='0.4'/></interaction>" \
  "<interaction id='rub'><JointFrictionR joint='shoulder'/><RelayNSL lb='-0.2' " \
    "ub='0.2'/></interaction></interactions>"

/* Event-driven: the same arm, and a ball that slides and bounces on the world and on a wall given
 * by formulas. */
#define EVENTS(h, T, osi) "<simulation T='" T "'><EventDriven " \
  "h='" h "'>" osi "</EventDriven></simulation>"
#define BALL \
  "<NewtonEulerDS id='ball'><q0>0 0 0.4 1 0 0 0</q0><v0>1 0.3 0  1 2 " \
    "30</v0><mass>1</mass><inertia diag='0.004 0.005 0.004'/>" WEIGHT \
  "<fInt>0.1*v_x 0 0</fInt></NewtonEulerDS>"
#define FLOOR \
  "<interactions><interaction id='floor' systems='ball'><NewtonEuler3DR><P1>x y z-0.1</P1><P2>x " \
    "y 0</P2><n>0 0 1</n></NewtonEuler3DR>" \
  "<NewtonImpactFrictionNSL en='0.6' mu='0.2'/></interaction>" \
  "<interaction id='wall' systems='ball'><NewtonEuler1DR><P1>x+0.1 y z</P1><P2>1+0.1*sin(9*t) y " \
    "z</P2><n>-1 0 0</n></NewtonEuler1DR>" \
  "<NewtonImpactNSL e='0.5'/></interaction></interactions>"

static const char *const models[] = {
    MODEL(BALL, FLOOR EVENTS("0.05", "2.5", "<CVodeOSI/>")),
    MODEL(BALL, FLOOR EVENTS("0.05", "2.5", "<IDAOSI/>")),
    MODEL(ARM, JOINTS EVENTS("0.05", "2", "<CVodeOSI/>")),
    MODEL(ARM, JOINTS EVENTS("0.05", "2", "<IDAOSI/>")),
    MODEL(BALLS, CONTACTS STEPS("0.004", "1.2", "<MoreauJeanOSI/>")),
    MODEL(BALLS, CONTACTS STEPS("0.004", "0.8", "<MoreauJeanDirectProjectionOSI/>")),
    MODEL(BALLS, CONTACTS STEPS("0.004", "0.8", "<MoreauJeanCombinedProjectionOSI/>")),
    MODEL(FLAT, VALLEY STEPS("0.004", "1.2", "<MoreauJeanOSI/>")),
    MODEL(FLAT, VALLEY STEPS("0.004", "0.8", "<MoreauJeanDirectProjectionOSI/>")),
    MODEL(ARM, JOINTS STEPS("0.004", "2", "<MoreauJeanOSI/>")),
    MODEL(ARM, JOINTS STEPS("0.004", "2", "<MoreauJeanDirectProjectionOSI/>"))};

START_TEST(goes_on_as_if_never_stopped)
{
  for (int every = 1; every <= 3; every += 2)
    ck_assert_msg(
        goes_on_the_same(models[_i], &(change){.every = every}, MOMENTS, 7 + (unsigned long)every),
        "model %d does not run", _i);
}
END_TEST

/* ---- a stop in the midst of a solve ---------------------------------------------------------- */

/* Boxes on each other, pushed sideways: solvers take most of the time. */
#define TOWER(n, h) \
  "<repeat index='i' from='1' to='" n "'><NewtonEulerDS id='b{i}'><q0 axis='0 0 1' " \
  "angle='i'>0.01*sin(7*i) 0.01*cos(5*i) " h "*(i-1/2)</q0>" \
  "<fExt>0.5 0.2 -117.72</fExt><Box size='0.4 0.3 " h "' density='1000'/></NewtonEulerDS>" \
  "</repeat>"
#define GROUND "<contacts><NewtonImpactFrictionNSL en='0' mu='0.3'/><Plane/></contacts>"

static volatile sig_atomic_t alarmed;
static long rings_in; /* looks at the clock; 0: never */

/* The clock of this program: the alarm rings after some looks at it, so that a run is stopped at
 * the same places on any machine. */
int clock_gettime(clockid_t id, struct timespec *t)
{
  if (rings_in && !--rings_in) alarmed = 1;
  return (int)syscall(SYS_clock_gettime, id, t);
}

static void ring_after(long looks)
{
  alarmed = 0;
  rings_in = looks;
}

/* Stopped again and again after random times, many of them in the midst of a solve, which has a
 * limit of time that makes it look at the clock: to the end it gives the bytes of a run that was
 * not. */
START_TEST(a_step_that_is_given_up_is_made_again)
{
  static const char *const model[] = {
      MODEL(TOWER("10", "0.1"), GROUND STEPS("0.005", "0.6", "<MoreauJeanOSI/>")),
      MODEL(BALLS, CONTACTS STEPS("0.004", "0.6", "<MoreauJeanOSI/>")),
      MODEL(TOWER("5", "0.1"), GROUND STEPS("0.005", "0.2", "<MoreauJeanDirectProjectionOSI/>"))};
  const ns_watch w = {.stop = &alarmed, .until = 1e300};
  run whole = changed_run(model[_i], &(change){0}), r = changed_run(model[_i], &(change){0});
  ns_blob b = {0};
  unsigned long seed = 5 + (unsigned long)_i;
  int rc = NS_STOPPED, given_up = 0;
  ck_assert_int_eq(run_part(&whole, 1, NULL, 0, NULL), NS_OK);
  for (int k = 0; rc == NS_STOPPED; k++) {
    ring_after(1 + (long)(next_random(&seed) % 40) + k); /* so that each step ends some day */
    rc = run_watched(&r, 1, b.n ? &b : NULL, w, &b);
    ck_assert_msg(rc == NS_OK || rc == NS_STOPPED, "%s", r.c.msg);
    given_up += rc && strstr(r.c.msg, "in a one-step problem") != NULL;
    if (!rc) break;
    run next = changed_run(model[_i], &(change){0});
    next.got = r.got;
    r.got = (capture){0};
    run_end(&r);
    r = next;
  }
  ring_after(0);
  same_results(&whole, &r, "given up");
  ck_assert_int_gt(given_up, 50);
  run_end(&whole);
  run_end(&r);
  ns_blob_fini(&b);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, a_step_that_is_given_up_is_made_again, 0, 3);
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, goes_on_as_if_never_stopped, 0, (int)(sizeof models / sizeof *models));
}

int main(void) { return suite_run("rigid checkpoint", fill); }
