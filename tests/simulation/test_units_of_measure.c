/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One motion in other units of length, mass and time: the same numbers times those units, of motes
 * of dust and of ships. The tolerances of solvers and of velocities may not decide which of them is
 * simulated well. */
#include "simulation/simulation.h"
#include "support/random_model.h"
#include "support/whole.h"

typedef struct units {
  double m, kg, s;
} units;

static const units others[] = {{1e3, 1e-3, 1},     /* mm, t, s */
                               {1, 1e-12, 1},      /* dust */
                               {1e-6, 1e-18, 1},   /* in um */
                               {1e-3, 1e-9, 1e-2}, /* light and quick */
                               {1e3, 1e9, 1}};     /* mountains */
enum { OTHERS = sizeof others / sizeof *others, BALLS = 5 };

/* Balls with a spin that fall into a corner of three planes and on each other. */
static void balls(generator *to, unsigned seed, units u, const char *strategy)
{
  generator g = {.state = seed};
  put(to, "<model xmlns='urn:nssim:model:1' name='m'><systems>");
  for (int i = 0; i < BALLS; i++) {
    double r = between(&g, 0.08, 0.13), m = between(&g, 2, 9), I = 0.4 * m * r * r, v[6];
    for (int k = 0; k < 6; k++) v[k] = between(&g, -1, 1);
    double at[] = {between(&g, -0.05, 0.05), between(&g, -0.05, 0.05), 0.35 + 0.27 * i};
    put(to, "<NewtonEulerDS id='b%d'><q0>%.17g %.17g %.17g 1 0 0 0</q0>", i, at[0] * u.m,
        at[1] * u.m, at[2] * u.m);
    put(to, "<v0>%.17g %.17g %.17g %.17g %.17g %.17g</v0><mass>%.17g</mass>", v[0] * u.m / u.s / 2,
        v[1] * u.m / u.s / 2, (v[2] - 2) * u.m / u.s, 4 * v[3] / u.s, 4 * v[4] / u.s,
        4 * v[5] / u.s, m * u.kg);
    put(to, "<inertia diag='%.17g %.17g %.17g'/><fExt>0 0 %.17g</fExt><Sphere radius='%.17g'/>",
        I * u.kg * u.m * u.m, I * u.kg * u.m * u.m, I * u.kg * u.m * u.m,
        -9.81 * m * u.kg * u.m / u.s / u.s, r * u.m);
    put(to, "</NewtonEulerDS>");
  }
  put(to,
      "</systems><contacts><NewtonImpactFrictionNSL en='0.3' mu='0.3'/><Plane normal='0.5 0 1'/>"
      "<Plane normal='-0.5 0.2 1'/><Plane normal='0 -0.5 1'/></contacts>");
  put(to, "<simulation T='%.17g'>", 0.3 * u.s);
  put(to, strategy, 1e-3 * u.s);
  put(to, "</simulation></model>");
}

/* Largest difference of velocities at the end, by the largest of them. */
static double apart(const run *a, const run *b, units u)
{
  double max = 0, size = 0;
  for (size_t i = 0; i < a->m->nv; i++) {
    double unit = i % 6 < 3 ? u.m / u.s : 1 / u.s;
    max = fmax(max, fabs(a->x->v[i] - b->x->v[i] / unit));
    size = fmax(size, fabs(a->x->v[i]));
  }
  return max / size;
}

static void compare(unsigned seed, const char *strategy, double allowed)
{
  generator g = {.state = 1};
  balls(&g, seed, (units){1, 1, 1}, strategy);
  run first = whole(g.text);
  ck_assert_int_gt((int)first.x->cert->impacts, 2);
  for (int k = 0; k < OTHERS; k++) {
    generator h = {.state = 1};
    balls(&h, seed, others[k], strategy);
    run r = whole(h.text);
    ck_assert_double_le(apart(&first, &r, others[k]), allowed);
    run_end(&r);
  }
  run_end(&first);
}

/* Of motions that do not depend on their start ever more. */
static const unsigned seeds[] = {700, 702, 705, 706};

START_TEST(event_driven)
{
  compare(seeds[_i], "<EventDriven h='%.17g'><CVodeOSI/></EventDriven>", 1e-6);
}
END_TEST

START_TEST(time_stepping)
{
  compare(seeds[_i], "<TimeStepping h='%.17g'><MoreauJeanOSI/></TimeStepping>", 1e-4);
}
END_TEST

/* ---- boxes that rest at first ---------------------------------------------------------------- */

/* On a plane, pushed to and fro until it slips: nothing tells how fast it becomes but forces. */
static void box(generator *to, units u, int planar)
{
  double N = u.kg * u.m / u.s / u.s, I = 0.01 * u.kg * u.m * u.m;
  put(to, "<model xmlns='urn:nssim:model:1' name='m'><systems><%s id='b'><q0>",
      planar ? "RigidBody2dDS" : "NewtonEulerDS");
  if (planar) put(to, "0 %.17g 0</q0><inertia>%.17g</inertia>", 0.1 * u.m, I);
  else put(to, "0 0 %.17g 1 0 0 0</q0><inertia diag='%.17g %.17g %.17g'/>", 0.1 * u.m, I, I, I);
  put(to, "<mass>%.17g</mass><fExt>%.17g*sin(t/%.17g) %s -%.17g</fExt>", u.kg, 8 * N, u.s,
      planar ? "" : "0", 10 * N);
  if (planar) put(to, "<Rectangle size='%.17g %.17g'/></RigidBody2dDS>", 0.4 * u.m, 0.2 * u.m);
  else put(to, "<Box size='%.17g %.17g %.17g'/></NewtonEulerDS>", 0.4 * u.m, 0.4 * u.m, 0.2 * u.m);
  put(to,
      "</systems><contacts><NewtonImpactFrictionNSL en='0.5' mu='0.5'/>%s</contacts><simulation "
      "T='%.17g'><EventDriven h='%.17g' certificate='on'><CVodeOSI/></EventDriven></simulation>"
      "</model>",
      planar ? "<HalfPlane normal='0 1'/>" : "<Plane normal='0 0 1'/>", 7 * u.s, 0.05 * u.s);
}

/* It slips at 8 sin t = 5; then to and fro for as long, so that it ends where it has begun, but for
 * the times at which it slips one way first. */
static void slips_alike(units u, int planar)
{
  generator one = {.state = 1}, other = {.state = 1};
  box(&one, (units){1, 1, 1}, planar);
  box(&other, u, planar);
  run a = whole(one.text), b = whole(other.text);
  ck_assert_double_eq_tol(first_of(&a, NS_EVENT_SLIP)->t, asin(5.0 / 8), 1e-6);
  ck_assert_uint_eq(a.got.nevents, b.got.nevents);
  for (size_t k = 0; k < a.got.nevents; k++)
    ck_assert_double_eq_tol(a.got.events[k].t, b.got.events[k].t / u.s, 1e-6);
  ck_assert_double_eq_tol(a.x->q[0], b.x->q[0] / u.m, 1e-6);
  run_end(&a);
  run_end(&b);
}

START_TEST(rectangles_slip_alike)
{
  generator g = {.state = 900 + (unsigned)_i};
  units u = {.m = pow(10, pick(&g, 18) - 9)};
  u.kg = pow(10, pick(&g, 40) - 15);
  u.s = pow(10, pick(&g, 20) - 10);
  slips_alike(u, 1);
}
END_TEST

/* Parts of machines of 0.1 mm in 1 us and less, to a century; two of which tolerances of spins
 * were below their rounding. */
static const units of_boxes[] = {
    {1, 1, 1e9},
    {0.0009325983416891267, 1, 9.937131849930124e-07},
    {0.00029703559742336373, 0.0023338958432692685, 5.60724258205552e-07}};
enum { BOXES = sizeof of_boxes / sizeof *of_boxes };

START_TEST(boxes_slip_alike)
{
  generator g = {.state = 960 + (unsigned)_i};
  units u = {.m = pow(10, between(&g, -5, 1))};
  u.kg = pow(10, between(&g, -6, 6));
  u.s = pow(10, between(&g, -7, 1));
  slips_alike(_i < BOXES ? of_boxes[_i] : u, 0);
}
END_TEST

/* ---- another origin of time ------------------------------------------------------------------ */

/* A rectangle or a ball that falls and jumps, from t0: a unit in the last place of t is a distance
 * that it moves. */
static void fall(generator *to, unsigned seed, double t0, double *length)
{
  generator g = {.state = seed};
  double h = pow(10, between(&g, -2, 1.5)), weight = between(&g, 1, 20), e = between(&g, 0.3, 0.9);
  *length = 2 * sqrt(2 * h / weight);
  put(to, "<model xmlns='urn:nssim:model:1' name='m'><systems><RigidBody2dDS id='b'>");
  put(to, "<q0>%.17g %.17g 0</q0><mass>1</mass><inertia>0.05</inertia><fExt>0 -%.17g</fExt>",
      between(&g, -50, 50), h + 0.1, weight);
  put(to, "%s</RigidBody2dDS></systems><contacts><NewtonImpactNSL e='%.17g'/>",
      pick(&g, 2) ? "<Disk radius='0.1'/>" : "<Rectangle size='0.4 0.2'/>", e);
  put(to, "<HalfPlane normal='0 1'/></contacts><simulation t0='%.17g' T='%.17g'>", t0,
      t0 + *length);
  put(to, "<EventDriven h='%.17g' certificate='on'><CVodeOSI/></EventDriven></simulation></model>",
      *length / 20);
}

START_TEST(late_falls_are_falls)
{
  generator g = {.state = 980 + (unsigned)_i}, one = {.state = 1}, late = {.state = 1};
  double t0 = pow(10, between(&g, 3, 8)), length;
  fall(&one, 980 + (unsigned)_i, 0, &length);
  fall(&late, 980 + (unsigned)_i, t0, &length);
  run a = whole(one.text), b = whole(late.text);
  double t = first_of(&b, NS_EVENT_IMPACT)->t - t0;
  ck_assert_double_eq_tol(first_of(&a, NS_EVENT_IMPACT)->t, t, 1e-6 * length + 1e-15 * t0);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* ---- mechanisms ------------------------------------------------------------------------------ */

/* In km and t an impulse of 1 turns a joint by 1e11 rad/s and moves it by 1e3 km/s: one measure for
 * both took what moves it for nothing beside what turns it. */
static const units of_mechanisms[] = {{1e-3, 1e-3, 1}, /* km, t */
                                      {1e-3, 1e3, 1},  /* km, g */
                                      {1e3, 1e3, 1},   /* mm, g */
                                      {1e3, 1e-3, 1}}; /* mm, t */
enum { MECHANISMS = sizeof of_mechanisms / sizeof *of_mechanisms, LINKS = 4 };

static void joint(generator *to, generator *g, units u, int i)
{
  static const char *const kind[] = {"Pivot", "Pivot", "Cylindrical", "Prismatic"};
  int k = i == 0 ? 0 : pick(g, 4);
  double a[3];
  for (int j = 0; j < 3; j++) a[j] = between(g, -1, 1);
  put(to, "<interaction id='j%d' systems='b%d", i, i);
  if (i > 0) put(to, " b%d", i - 1);
  put(to, "'><%sJointR axis='%.17g %.17g %.17g'", kind[k], a[0], a[1], a[2]);
  if (k < 3) put(to, " point='%.17g 0 0'", 0.3 * i * u.m);
  put(to, "/><EqualityConditionNSL/></interaction>");
}

/* A chain that hangs at a hinge, falls on a plane and jumps on it; some roll with friction. */
static void chain(generator *to, unsigned seed, units u)
{
  generator g = {.state = seed};
  double N = u.kg * u.m / u.s / u.s;
  put(to, "<model xmlns='urn:nssim:model:1' name='m'><systems>");
  for (int i = 0; i < LINKS; i++) {
    double m = between(&g, 0.3, 2), I[3];
    for (int k = 0; k < 3; k++) I[k] = m * between(&g, 0.005, 0.02) * u.kg * u.m * u.m;
    put(to, "<NewtonEulerDS id='b%d'><q0>%.17g 0 0 1 0 0 0</q0><mass>%.17g</mass>", i,
        (0.3 * i + 0.15) * u.m, m * u.kg);
    put(to, "<inertia diag='%.17g %.17g %.17g'/><fExt>%.17g 0 %.17g</fExt>", I[0], I[1], I[2],
        between(&g, -1, 1) * N, -9.81 * m * N);
    put(to, "<Sphere radius='%.17g'/></NewtonEulerDS>", between(&g, 0.03, 0.08) * u.m);
  }
  put(to, "</systems><interactions>");
  for (int i = 0; i < LINKS; i++) joint(to, &g, u, i);
  put(to, "</interactions><contacts>");
  double e = between(&g, 0, 0.8), mu = between(&g, 0, 0.8);
  if (pick(&g, 2)) put(to, "<NewtonImpactFrictionNSL en='%.17g' mu='%.17g'/>", e, mu);
  else
    put(to, "<NewtonImpactRollingFrictionNSL en='%.17g' mu='%.17g' muRolling='%.17g'/>", e, mu,
        0.01 * u.m);
  put(to, "<Plane at='0 0 %.17g' normal='%.17g 0 1'/></contacts>", -0.12 * u.m,
      between(&g, 0, 0.3));
  put(to, "<simulation T='%.17g'><TimeStepping h='%.17g'><MoreauJeanOSI/>", 0.6 * u.s, 1e-3 * u.s);
  /* where two ends stick and roll at the edges of their cones, a step of one of them ends at
   * 1.05e-10 on some processors: that it moves alike is asked all the same */
  put(to, "<GenericMechanical onUnsolved='accept' unsolvedBound='1e-9'/>");
  put(to, "</TimeStepping></simulation></model>");
}

/* Largest difference of positions at the end, m. */
static double places_apart(const run *a, const run *b, units u)
{
  double max = 0;
  for (size_t i = 0; i < a->m->nq; i++)
    max = fmax(max, fabs(a->x->q[i] - b->x->q[i] / (i % 7 < 3 ? u.m : 1)));
  return max;
}

START_TEST(mechanisms_move_alike)
{
  static const unsigned chains[] = {1218, 1220, 1234, 1236, 1238, 1258};
  generator one = {.state = 1}, other = {.state = 1};
  units u = of_mechanisms[chains[_i] % MECHANISMS];
  chain(&one, chains[_i], (units){1, 1, 1});
  chain(&other, chains[_i], u);
  run a = whole(one.text), b = whole(other.text);
  ck_assert_int_gt((int)a.x->cert->impacts, 1);
  ck_assert_double_le(places_apart(&a, &b, u), 2e-9);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* ---- states of one system -------------------------------------------------------------------- */

enum { STATES = 4 };

/* x_i' = a_i (x_j x_k + sin 3 t) - b_i x_i - c_i x_i^3, with x_i = unit_i y_i; x_0 is linear
 * and alone. */
static void states(generator *to, unsigned seed, const double *unit, const char *strategy)
{
  generator g = {.state = seed};
  put(to, "<model xmlns='urn:nssim:model:1' name='m'><systems><FirstOrderNonLinearDS id='s' "
          "states='y0 y1 y2 y3'><x0>");
  for (int i = 0; i < STATES; i++) put(to, "%.17g ", between(&g, -1, 1) / unit[i]);
  put(to, "</x0><f>");
  for (int i = 0; i < STATES; i++) {
    int j = 1 + pick(&g, STATES - 1), k = i ? 1 + pick(&g, STATES - 1) : j;
    double a = between(&g, -4, 4), b = between(&g, 0, 3) * pow(10, pick(&g, 2) - 1),
           c = between(&g, 0, 2);
    put(to, "%s(%.17g*(%.17g*y%d*y%d + sin(3*t)) - %.17g*y%d - %.17g*y%d^3)", i ? ", " : "",
        a / unit[i], i ? unit[j] * unit[k] : 0, j, k, b, i, i ? c * unit[i] * unit[i] : 0, i);
  }
  put(to, "</f></FirstOrderNonLinearDS></systems><simulation T='2'>%s</simulation></model>",
      strategy);
}

/* Tolerances of the equations are those of each state: else 1e6 V hide what a microampere does. */
START_TEST(states_have_units_of_their_own)
{
  static const char *const by = "<TimeStepping h='0.1'><EulerMoreauOSI/></TimeStepping>";
  const double ones[STATES] = {1, 1, 1, 1};
  double unit[STATES];
  generator g = {.state = 900U + (unsigned)_i}, a = {.state = 1}, b = {.state = 1};
  for (int i = 0; i < STATES; i++) unit[i] = pow(10, pick(&g, 19) - 12);
  states(&a, 900U + (unsigned)_i, ones, by);
  states(&b, 900U + (unsigned)_i, unit, by);
  run one = whole(a.text), two = whole(b.text);
  for (int i = 0; i < STATES; i++)
    ck_assert_double_le(fabs(one.x->q[i] - two.x->q[i] * unit[i]), 1e-9);
  run_end(&one);
  run_end(&two);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, rectangles_slip_alike, 0, some_of(20));
  tcase_add_loop_test(t, boxes_slip_alike, 0, some_of(40));
  tcase_add_loop_test(t, late_falls_are_falls, 0, some_of(40));
  tcase_add_loop_test(t, event_driven, 0, 4);
  tcase_add_loop_test(t, time_stepping, 0, 4);
  tcase_add_loop_test(t, mechanisms_move_alike, 0, 6);
  tcase_add_loop_test(t, states_have_units_of_their_own, 0, some_of(40));
}

int main(void) { return suite_run("units of measure", fill); }
