/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of laws that are formulas, event-driven: closed forms, formulas that are constant
 * against numbers, the limit of time-stepping, checkpoints, what is refused. */
#include "simulation/simulation.h"
#include "support/interrupted.h"
#include "support/random_model.h"
#include "support/whole.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"
#define FINE "<CVodeOSI relativeTolerance='1e-11' absoluteTolerance='1e-13'/>"
#define EVENTS(T) \
  "<simulation T='" T "'><EventDriven " \
  "h='0.05'>" FINE "</EventDriven></simulation></model>"

static const ns_event *nth(const run *r, ns_event_kind kind, int n)
{
  for (size_t k = 0; k < r->got.nevents; k++)
    if (r->got.events[k].kind == kind && n-- == 0) return &r->got.events[k];
  ck_abort_msg("no such %s", ns_event_text(kind));
  return NULL;
}

/* ---- friction -------------------------------------------------------------------------------- */

#define CLUTCH(drive, allocated) \
  HEAD "<LagrangianLinearTIDS id='a' coordinates='p'><q0>0</q0><v0>100</v0><mass>0.5</mass>" \
       "<fExt>" drive "</fExt></LagrangianLinearTIDS>" \
       "<LagrangianLinearTIDS id='b' " \
       "coordinates='p'><q0>0</q0><mass>0.2</mass></LagrangianLinearTIDS></systems><interactions>" \
       "<interaction id='c' systems='a b'><LagrangianLinearTIR><H>1 -1</H></LagrangianLinearTIR>" \
       "<RelayNSL lb='-50*(" allocated ")' ub='50*(" allocated ")'/></interaction></interactions>"

/* A clutch of 0.5 and 0.2 kg m^2, 100 and 0 rad/s (C5): it locks where the capacity has taken the
 * difference; where it is let go again it slips as it cannot carry the drive any more. */
START_TEST(clutch_locks_and_slips)
{
  run r = whole(CLUTCH("0", "t") EVENTS("1"));
  ck_assert_double_eq_tol(nth(&r, NS_EVENT_STICK, 0)->t, 0.755928946018, 1e-10);
  ck_assert_double_eq_tol(r.x->v[0], 71.4285714286, 1e-9);
  ck_assert_double_eq_tol(-r.x->cert->work_friction, 714.285714286, 1e-7);
  run_end(&r);
  r = whole(CLUTCH("3", "min(t, 2-t)") EVENTS("2"));
  ck_assert_double_eq_tol(nth(&r, NS_EVENT_STICK, 0)->t, 0.773266159905, 1e-10);
  ck_assert_double_eq_tol(nth(&r, NS_EVENT_SLIP, 1)->t, 1.98285714286, 1e-9);
  ck_assert_double_eq_tol(r.x->v[0], 80.0146938776, 1e-8);
  ck_assert_double_eq_tol(r.x->v[1], 79.9632653061, 1e-8);
  ck_assert_int_eq(count_of(&r, NS_EVENT_FORMULA), 2); /* both bounds, at t = 1 */
  run_end(&r);
}
END_TEST

/* Friction that falls with the slip, on a belt (C6). */
START_TEST(stribeck_oscillator_has_its_period)
{
  run r = whole(HEAD
                "<LagrangianLinearTIDS id='b' coordinates='x y'><q0>0 0</q0><v0>0.1 0</v0><mass "
                "diag='1 1'/><K diag='100 0'/>"
                "<fExt>0 -9.81</fExt></LagrangianLinearTIDS></systems><interactions><interaction "
                "id='belt' systems='b'>"
                "<LagrangianRheonomousR><h>y, x - 0.1*t</h></LagrangianRheonomousR>"
                "<NewtonImpactFrictionNSL en='0' mu='0.2 + "
                "0.2*exp(-slip/0.05)'/></interaction></interactions>" EVENTS("4"));
  double first = nth(&r, NS_EVENT_SLIP, 0)->t, stick = nth(&r, NS_EVENT_STICK, 0)->t,
         next = nth(&r, NS_EVENT_SLIP, 1)->t;
  ck_assert_double_eq_tol(first, 0.3924, 1e-9);
  /* sliding leaves from an equilibrium: an error of 1e-8 m/s there lasts */
  ck_assert_double_eq_tol(stick - first, 0.43519376, 2e-5);
  ck_assert_double_eq_tol(next - stick, 0.43970449, 1e-5);
  ck_assert_double_le(r.x->cert->defect_max, 1e-8);
  run_end(&r);
}
END_TEST

/* A brake that a pressure presses, a state that stays at 0 until it is let in: there it is what
 * errors of the integrator make of it, and bounds by it may cross. It stops the rotor where
 *   w = w0 - a k p0/J (d - (1 - exp(-r d))/r),  d = t - t1. */
START_TEST(brake_by_a_pressure_that_is_zero)
{
  generator g = {.state = 300 + (unsigned long long)_i}, h = {.state = 1};
  double J = spread(&g, 0.01, 100), p0 = spread(&g, 1e-3, 1e5), r = between(&g, 2, 20),
         t1 = between(&g, 0.1, 0.4), a = between(&g, 0.5, 2), w0 = between(&g, 10, 50);
  put(&h,
      HEAD "<LagrangianLinearTIDS id='w' coordinates='phi'><q0>0</q0><v0>%.17g</v0>"
           "<mass>%.17g</mass></LagrangianLinearTIDS>",
      w0, J);
  put(&h,
      "<FirstOrderNonLinearDS id='p' states='y x'><x0>%.17g 0</x0><f>-0.3*y*y, "
      "%.17g*(%.17g*step(t-%.17g)-x)</f></FirstOrderNonLinearDS></systems>",
      p0, r, p0, t1);
  double k = a * J * w0 / p0;
  put(&h,
      "<interactions><interaction id='b' systems='w'><LagrangianLinearTIR><H>1</H>"
      "</LagrangianLinearTIR><RelayNSL lb='-%.17g*p.x' ub='%.17g*p.x'/></interaction>"
      "</interactions>",
      k, k);
  put(&h, "<simulation T='1'><EventDriven h='0.05'><%s/></EventDriven></simulation></model>",
      _i % 2 ? "IDAOSI" : "CVodeOSI");
  run R = whole(h.text);
  double d = 1 - t1, due = w0 - k * p0 / J * (d - (1 - exp(-r * d)) / r);
  ck_assert_double_eq_tol(R.x->v[0], fmax(due, 0), 1e-7 * w0);
  ck_assert_double_eq_tol(R.x->cert->work_friction, J / 2 * (pow(fmax(due, 0), 2) - w0 * w0),
                          1e-7 * J * w0 * w0);
  run_end(&R);
}
END_TEST

/* What crosses by more is a fault of the formula. */
START_TEST(bounds_that_cross_are_refused)
{
  ns_ctx c = {0};
  ns_model *m = load(CLUTCH("0", "(0.2 - t)") EVENTS("1"), &c);
  run r = {.m = m};
  ck_assert_int_eq(ns_simulation_create(&r.c, m, &r.s), NS_OK);
  r.x = ns_simulation_state(r.s);
  ck_assert_int_eq(run_keep(&r), NS_NUMERIC);
  ck_assert_msg(strstr(r.c.msg, "expected lb <= ub") != NULL, "%s", r.c.msg);
  run_end(&r);
}
END_TEST

/* ---- restitution ----------------------------------------------------------------------------- */

/* The same ball as coordinates, as a body with points, as a shape, in space and in the plane. */
static void ball(generator *g, int how, const char *e)
{
  if (how == 0)
    put(g,
        HEAD "<LagrangianLinearTIDS id='b' coordinates='x y'><q0>0 1</q0><v0>0.5 0</v0><mass "
             "diag='1 1'/><fExt>0 -9.81</fExt></LagrangianLinearTIDS>"
             "</systems><interactions><interaction id='g' systems='b'><LagrangianLinearTIR><H>0 "
             "1</H></LagrangianLinearTIR><NewtonImpactNSL "
             "e='%s'/></interaction></interactions>",
        e);
  else if (how == 1)
    put(g,
        HEAD "<NewtonEulerDS id='b'><q0>0 0 1 1 0 0 0</q0><v0>0.5 0 0 0 0 "
             "0</v0><mass>1</mass><inertia diag='1 1 1'/><fExt>0 0 -9.81</fExt>"
             "</NewtonEulerDS></systems><interactions><interaction id='g' "
             "systems='b'><NewtonEuler1DR><P1>x y z</P1><P2>x y 0</P2><n>0 0 1</n>"
             "</NewtonEuler1DR><NewtonImpactNSL e='%s'/></interaction></interactions>",
        e);
  else if (how == 2)
    put(g,
        HEAD "<NewtonEulerDS id='b'><q0>0 0 1.1 1 0 0 0</q0><v0>0.5 0 0 0 0 "
             "0</v0><mass>1</mass><inertia diag='1 1 1'/><fExt>0 0 -9.81</fExt>"
             "<Sphere radius='0.1'/></NewtonEulerDS></systems><contacts><NewtonImpactNSL "
             "e='%s'/><Plane/></contacts>",
        e);
  else
    put(g,
        HEAD "<RigidBody2dDS id='b'><q0>0 1.1 0</q0><v0>0.5 0 "
             "0</v0><mass>1</mass><inertia>1</inertia><fExt>0 -9.81</fExt><Disk radius='0.1'/>"
             "</RigidBody2dDS></systems><contacts><NewtonImpactNSL e='%s'/><HalfPlane/></contacts>",
        e);
  put(g, EVENTS("1.6"));
}

/* Each impact by the speed of its own approach: -u becomes u/(1 + u). */
START_TEST(restitution_of_the_approach)
{
  generator g = {.state = 1};
  ball(&g, _i, "1/(1 + approach)");
  run r = whole(g.text);
  double u = sqrt(2 * 9.81), t = u / 9.81;
  for (int n = 0; n < 4; n++) {
    const ns_event *e = nth(&r, NS_EVENT_IMPACT, n);
    ck_assert_double_eq_tol(e->t, t, 1e-9);
    ck_assert_double_eq_tol(-e->before, u, 1e-9);
    ck_assert_double_eq_tol(e->after, u / (1 + u), 1e-9);
    u = u / (1 + u);
    t += 2 * u / 9.81;
  }
  ck_assert_double_le(r.x->cert->event_breach, 1);
  run_end(&r);
}
END_TEST

/* A restitution that jumps with time is that of the side of the impact. */
START_TEST(restitution_that_jumps)
{
  generator g = {.state = 1};
  ball(&g, 0, "t &lt; 1 ? 0.5 : 0.25");
  run r = whole(g.text);
  for (int n = 0; n < 3; n++) {
    const ns_event *e = nth(&r, NS_EVENT_IMPACT, n);
    ck_assert_double_eq_tol(e->after, -(e->t < 1 ? 0.5 : 0.25) * e->before, 1e-9);
  }
  ck_assert_double_lt(nth(&r, NS_EVENT_IMPACT, 1)->t, 1);
  ck_assert_double_gt(nth(&r, NS_EVENT_IMPACT, 2)->t, 1);
  run_end(&r);
}
END_TEST

/* ---- between shapes -------------------------------------------------------------------------- */

static const char *const laws[] = {
    "<NewtonImpactFrictionNSL en='%s' mu='0.3*%s'/>",
    "<CompliantFrictionNSL K='2e4*%s' C='4' Kt='1e4' Ct='2' mu='0.2*%s'/>"};

/* A spinning ball on a plane or a disk on a line. */
static void spinning(generator *g, int how, const char *law, const char *one, const char *other,
                     const char *strategy)
{
  double v[3], w[3];
  for (int i = 0; i < 3; i++) v[i] = between(g, -2, 2), w[i] = between(g, -30, 30);
  if (how % 2)
    put(g,
        HEAD
        "<RigidBody2dDS id='b'><q0>0 0.13 0</q0><v0>%.17g -1 "
        "%.17g</v0><mass>1</mass><inertia>0.004</inertia>"
        "<fExt>0 -9.81</fExt><Disk radius='0.1'/></RigidBody2dDS></systems><contacts><HalfPlane/>",
        v[0], -w[1]);
  else
    put(g,
        HEAD "<NewtonEulerDS id='b'><q0>0 0 0.13 1 0 0 0</q0><v0>%.17g %.17g -1 %.17g %.17g "
             "%.17g</v0><mass>1</mass>"
             "<inertia diag='0.004 0.004 0.004'/><fExt>0 0 -9.81</fExt><Sphere "
             "radius='0.1'/></NewtonEulerDS></systems><contacts>"
             "<Plane/>",
        v[0], v[1], w[0], w[1], w[2]);
  put(g, law, one, other);
  put(g, "</contacts><simulation T='0.25'>%s</simulation></model>", strategy);
}

#define PRECISELY "<EventDriven h='0.01'>" FINE "</EventDriven>"

/* Formulas that are constant are numbers. */
START_TEST(constant_formulas_are_numbers)
{
  run r[2];
  for (int k = 0; k < 2; k++) {
    generator g = {.state = 70 + (unsigned long long)_i};
    spinning(&g, _i, laws[_i / 2 % 2], k ? "cos(0*t)^2*0.5" : "0.5", k ? "(1 + 0*slip + 0*t)" : "1",
             PRECISELY);
    r[k] = whole(g.text);
  }
  ck_assert_uint_eq(r[0].got.nevents, r[1].got.nevents);
  for (size_t i = 0; i < r[0].got.nevents; i++) {
    ck_assert_int_eq(r[0].got.events[i].kind, r[1].got.events[i].kind);
    ck_assert_double_eq_tol(r[0].got.events[i].t, r[1].got.events[i].t, 1e-9);
  }
  for (size_t i = 0; i < r[0].m->nv; i++) ck_assert_double_eq_tol(r[0].x->v[i], r[1].x->v[i], 1e-8);
  for (int k = 0; k < 2; k++) run_end(&r[k]);
}
END_TEST

/* Steps come to it as they become short. */
START_TEST(steps_come_to_it)
{
  double u[2][6] = {{0}};
  size_t n = 0;
  for (int k = 0; k < 2; k++) {
    generator g = {.state = 300 + (unsigned long long)_i};
    spinning(&g, _i, laws[_i / 2 % 2], _i / 2 % 2 ? "(1 + 0.5*sin(9*t))" : "0.5/(1+approach)",
             "(0.6 + 0.3*exp(-slip) + 2*t)",
             k ? "<TimeStepping h='5e-6'><MoreauJeanOSI theta='0.5'/></TimeStepping>" : PRECISELY);
    run r = whole(g.text);
    n = r.m->nv;
    memcpy(u[k], r.x->v, n * sizeof(double));
    run_end(&r);
  }
  for (size_t i = 0; i < n; i++)
    ck_assert_double_eq_tol(u[1][i], u[0][i], i < n / 2 + n % 2 ? 1e-3 : 1e-2);
}
END_TEST

START_TEST(goes_on_as_if_never_stopped)
{
  generator g = {.state = 60 + (unsigned long long)_i};
  spinning(&g, _i, laws[_i / 2], "0.5/(1+t)", "(0.6 + 0.3*exp(-slip) + t)",
           "<EventDriven h='0.01'><CVodeOSI/></EventDriven>");
  change k = {0};
  ck_assert_int_eq(goes_on_the_same(g.text, &k, 2, 5), 1);
}
END_TEST

/* ---- refusals -------------------------------------------------------------------------------- */

static const struct {
  const char *law, *says;
} refused[] = {
    {"<NewtonImpactFrictionNSL en='0' mu='max(0.2, 0.5-slip)'/>", "in the speed of this contact"},
    {"<CompliantFrictionNSL K='1e5*(1+t)' Kt='1e4' mu='0.3'/>", "at the rate of that bound"}};

START_TEST(what_modes_cannot_hold_is_refused)
{
  generator g = {.state = 1};
  ns_ctx c = {.report = no_words};
  put(&g,
      HEAD "<RigidBody2dDS id='b'><q0>0 2 0</q0><mass>1</mass><inertia>1</inertia><Disk "
           "radius='0.1'/></RigidBody2dDS></systems><contacts>"
           "<HalfPlane/>%s</contacts>" EVENTS("1"),
      refused[_i].law);
  ns_model *m = load(g.text, &c);
  ck_assert(m == NULL);
  ck_assert_msg(strstr(c.msg, refused[_i].says) && strstr(c.msg, "expected"), "%s", c.msg);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 120);
  tcase_add_test(t, clutch_locks_and_slips);
  tcase_add_test(t, stribeck_oscillator_has_its_period);
  tcase_add_loop_test(t, brake_by_a_pressure_that_is_zero, 0, 8);
  tcase_add_test(t, bounds_that_cross_are_refused);
  tcase_add_loop_test(t, restitution_of_the_approach, 0, 4);
  tcase_add_test(t, restitution_that_jumps);
  tcase_add_loop_test(t, constant_formulas_are_numbers, 0, 8);
  tcase_add_loop_test(t, steps_come_to_it, 0, 8);
  tcase_add_loop_test(t, goes_on_as_if_never_stopped, 0, 4);
  tcase_add_loop_test(t, what_modes_cannot_hold_is_refused, 0, 2);
}

int main(void) { return suite_run("event-driven laws by formulas", fill); }
