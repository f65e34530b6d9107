/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rolling friction in event-driven runs: closed forms of balls and disks that roll out, or down a
 * slope, at any scale and origin; contacts of shapes against rows of points, the limit of
 * time-stepping, runs that go on from a checkpoint. */
#include "simulation/simulation.h"
#include "support/interrupted.h"
#include "support/random_model.h"
#include "support/whole.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"
#define FINE "<%s relativeTolerance='1e-11' absoluteTolerance='1e-13'/>"

static const double G = 9.81;

/* How a wheel is held on its ground: a shape of each, or points of the two. */
enum { SHAPES, POINTS };

/* A disk of the plane or a ball, radius R, about height z over its ground and x along it, which
 * moves at v and turns at w, with gravity at an angle to the normal of the ground. */
typedef struct wheel {
  int planar, how;
  double R, m, x, z, v, fall, w, heading, slope, mu, rolling, e;
} wheel;

static double inertia(const wheel *k) { return (k->planar ? 0.5 : 0.4) * k->m * k->R * k->R; }

static void put_rows(generator *to, const wheel *k)
{
  if (k->planar)
    put(to,
        "<interactions><interaction id='g' systems='b'><NewtonEuler5DR><P1>x y-%.17g 0</P1>"
        "<P2>x 0 0</P2><n>0 1 0</n></NewtonEuler5DR><NewtonImpactRollingFrictionNSL en='%.17g' "
        "mu='%.17g' muRolling='%.17g'/></interaction></interactions>",
        k->R, k->e, k->mu, k->rolling);
  else
    put(to,
        "<interactions><interaction id='g' systems='b'><NewtonEuler5DR><P1>x y z-%.17g</P1>"
        "<P2>x y 0</P2><n>0 0 1</n></NewtonEuler5DR><NewtonImpactRollingFrictionNSL en='%.17g' "
        "mu='%.17g' muRolling='%.17g'/></interaction></interactions>",
        k->R, k->e, k->mu, k->rolling);
}

static void put_wheel(generator *to, const wheel *k)
{
  double J = inertia(k), c = cos(k->heading), s = sin(k->heading);
  double along = G * sin(k->slope) * k->m, down = G * cos(k->slope) * k->m;
  if (k->planar)
    put(to,
        HEAD "<RigidBody2dDS id='b'><q0>%.17g %.17g 0</q0><v0>%.17g %.17g %.17g</v0><mass>%.17g"
             "</mass><inertia>%.17g</inertia><fExt>%.17g %.17g</fExt>",
        k->x, k->z, k->v, -k->fall, -k->w, k->m, J, along, -down);
  else
    put(to,
        HEAD "<NewtonEulerDS id='b'><q0>%.17g %.17g %.17g 1 0 0 0</q0><v0>%.17g %.17g %.17g %.17g "
             "%.17g 0</v0><mass>%.17g</mass><inertia diag='%.17g %.17g %.17g'/><fExt>%.17g %.17g "
             "%.17g</fExt>",
        k->x * c, k->x * s, k->z, k->v * c, k->v * s, -k->fall, -k->w * s, k->w * c, k->m, J, J, J,
        along * c, along * s, -down);
  if (k->how == SHAPES)
    put(to, k->planar ? "<Disk radius='%.17g'/>" : "<Sphere radius='%.17g'/>", k->R);
  put(to, k->planar ? "</RigidBody2dDS></systems>" : "</NewtonEulerDS></systems>");
  if (k->how == POINTS) put_rows(to, k);
  else
    put(to,
        "<contacts><NewtonImpactRollingFrictionNSL en='%.17g' mu='%.17g' muRolling='%.17g'/>%s"
        "</contacts>",
        k->e, k->mu, k->rolling, k->planar ? "<HalfPlane/>" : "<Plane/>");
}

static void put_events(generator *to, double T, const char *integrator)
{
  put(to, "<simulation T='%.17g'><EventDriven h='%.17g'>", T, T / 20);
  put(to, FINE "</EventDriven></simulation></model>", integrator);
}

/* Of the middle along its way, and its speed. */
static double way_of(const run *r, const wheel *k, int speed)
{
  const double *x = speed ? r->x->v : r->x->q;
  return k->planar ? x[0] : x[0] * cos(k->heading) + x[1] * sin(k->heading);
}

static wheel random_wheel(generator *g, int i)
{
  wheel k = {
      .planar = i % 2, .how = i / 2 % 2, .R = spread(g, 1e-3, 1e3), .m = spread(g, 0.01, 100)};
  k.x = spread(g, 1e-3, 1e3) * k.R;
  k.z = k.R;
  k.heading = between(g, -3, 3);
  k.mu = between(g, 0.2, 0.8);
  k.rolling = spread(g, 0.003, 0.1) * k.R;
  return k;
}

/* v' = -mu_r g/(R (1 + J/(m R^2))) until it stands. */
START_TEST(it_rolls_out)
{
  int n = _i % 40; /* beyond these, two whose certificate is slow to follow their turns */
  generator g = {.state = 100 + (unsigned long long)n + (unsigned long long)(_i / 40) * 3000009};
  wheel k = random_wheel(&g, n);
  double c = 1 + inertia(&k) / (k.m * k.R * k.R), a = k.rolling * G / k.R / c;
  k.v = sqrt(G * k.R) * between(&g, 0.3, 2);
  k.w = k.v / k.R;
  double halt = k.v / a, T = halt * between(&g, 0.5, 1.5), t = fmin(T, halt);
  put_wheel(&g, &k);
  put_events(&g, T, n % 3 ? "CVodeOSI" : "IDAOSI");
  run r = whole(g.text);
  ck_assert_double_eq_tol(way_of(&r, &k, 0), k.x + k.v * t - a * t * t / 2, 1e-8 * (k.x + k.v * t));
  ck_assert_double_eq_tol(way_of(&r, &k, 1), k.v - a * t, 1e-8 * k.v);
  ck_assert_int_eq(count_of(&r, NS_EVENT_STICK), T > halt);
  if (T > halt) ck_assert_double_eq_tol(first_of(&r, NS_EVENT_STICK)->t, halt, 1e-8 * halt);
  ck_assert_double_le(fabs(r.x->cert->defect), 1e-8);
  run_end(&r);
}
END_TEST

/* It stands on slopes up to mu_r/R, and rolls down steeper ones. */
START_TEST(slopes_are_rolled_down)
{
  generator g = {.state = 200 + (unsigned long long)_i};
  wheel k = random_wheel(&g, _i);
  double c = 1 + inertia(&k) / (k.m * k.R * k.R), min = atan(k.rolling / k.R), T;
  k.slope = min * (_i / 4 % 2 ? between(&g, 0.1, 0.99) : between(&g, 1.01, 2));
  double a = fmax(0, G * (sin(k.slope) - k.rolling / k.R * cos(k.slope)) / c);
  T = a > 0 ? sqrt(2 * k.R / a) : 1;
  put_wheel(&g, &k);
  put_events(&g, T, "CVodeOSI");
  run r = whole(g.text);
  ck_assert_double_eq_tol(way_of(&r, &k, 0), k.x + a * T * T / 2, 1e-8 * (k.x + k.R));
  ck_assert_double_eq_tol(way_of(&r, &k, 1), a * T, 1e-8 * (sqrt(G * k.R) + a * T));
  run_end(&r);
}
END_TEST

/* Dropped with any speed and spin: impacts, slip, rolling and rest are the same of shapes and of
 * points. */
START_TEST(points_are_shapes)
{
  run r[2];
  int slides = 0;
  for (int how = 0; how < 2; how++) {
    generator g = {.state = 300 + (unsigned long long)_i};
    wheel k = random_wheel(&g, _i);
    double u = sqrt(G * k.R);
    k.how = how;
    k.z = k.R * between(&g, 1.1, 2);
    k.v = u * between(&g, -1, 1), k.w = u / k.R * between(&g, -3, 3);
    k.e = _i % 3 ? between(&g, 0.1, 0.6) : 0;
    k.rolling = spread(&g, 0.02, 0.3) * k.R;
    put_wheel(&g, &k);
    put_events(&g, between(&g, 3, 12) * sqrt(k.R / G), "CVodeOSI");
    r[how] = whole(g.text);
    slides += count_of(&r[how], NS_EVENT_STICK);
    if (!how) continue;
    for (int i = 0; i < 3; i++)
      ck_assert_double_eq_tol(r[0].x->q[i], r[1].x->q[i], 1e-8 * (k.x + k.R));
    for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(r[0].x->v[i], r[1].x->v[i], 1e-7 * u);
  }
  ck_assert_uint_eq(r[0].got.nevents, r[1].got.nevents);
  ck_assert_int_eq(slides % 2, 0);
  for (int how = 0; how < 2; how++) run_end(&r[how]);
}
END_TEST

/* ---- the limit of time-stepping -------------------------------------------------------------- */

enum { BALL, PAIR, DISK, CAPSULE, BOX, KINDS };

/* What comes down on the ground, or on each other, or lies on it, and comes to rest. Which corners
 * of a box strike first, and with them the motion, hangs on the step of time-stepping; and where a
 * capsule does not roll, moments at its ends may take loads off them, so that their friction is not
 * unique: motions of these have no limit. */
static void put_scene(generator *to, generator *g, int kind)
{
  static const char *const shape[KINDS] = {[BALL] = "<Sphere radius='0.1'/>",
                                           [PAIR] = "<Sphere radius='0.1'/>",
                                           [DISK] = "",
                                           [CAPSULE] = "<Capsule radius='0.1' length='0.3'/>",
                                           [BOX] = "<Box size='0.3 0.2 0.2'/>"};
  double mu = between(g, 0.2, 0.6), rolling = spread(g, 0.002, 0.02), v = between(g, -1, 1),
         u = between(g, -1, 1), w = between(g, -8, 8), turn = between(g, -1, 1);
  int lies = kind == CAPSULE;
  put(to, HEAD);
  if (kind == DISK)
    put(to,
        "<RigidBody2dDS id='b'><q0>0 0.13 0</q0><v0>%.17g 0 %.17g</v0><mass>1</mass><inertia>0.005"
        "</inertia><fExt>0 -9.81</fExt><Disk radius='0.1'/></RigidBody2dDS>",
        v, w);
  else
    put(to,
        "<NewtonEulerDS id='b'><q0 axis='%s' angle='%.17g'>0 0 %g</q0><v0>%.17g %.17g 0 %.17g "
        "%.17g %g</v0><mass>1</mass><inertia diag='0.004 0.006 0.006'/><fExt>0 0 -9.81</fExt>%s"
        "</NewtonEulerDS>",
        lies ? "1 0 0" : "0.1 0.2 1", lies ? acos(0) : turn, lies ? 0.1 : 0.25, v, u, lies ? 0 : w,
        lies ? w : between(g, -8, 8), lies ? w / 5 : 1, shape[kind]);
  if (kind == PAIR)
    put(to,
        "<NewtonEulerDS id='c'><q0>%.17g 0.02 0.1 1 0 0 0</q0><mass>2</mass><inertia "
        "diag='0.008 0.008 0.008'/><fExt>0 0 -19.62</fExt><Sphere radius='0.1'/>"
        "</NewtonEulerDS>",
        v > 0 ? 0.4 : -0.4);
  put(to,
      "</systems><contacts recover='0'><NewtonImpactRollingFrictionNSL en='0' mu='%.17g' "
      "muRolling='%.17g'/>%s"
      "</contacts>",
      mu, rolling, kind == DISK ? "<HalfPlane/>" : "<Plane/>");
}

/* Event by event where h is 0. */
static run limit_of(generator *g, int kind, double h)
{
  generator text = {.state = 1}, numbers = *g;
  put_scene(&text, &numbers, kind);
  if (h == 0) {
    put_events(&text, 0.6, "CVodeOSI");
    return whole(text.text);
  }
  put(&text,
      "<simulation T='0.6'><TimeStepping h='%.17g'><MoreauJeanOSI theta='0.5'/></TimeStepping>"
      "</simulation></model>",
      h);
  return whole(text.text);
}

/* Overlaps of impacts stay as they are, recover='0': an error of the order of the step, too. */
START_TEST(steps_come_to_it)
{
  generator g = {.state = 900 + (unsigned long long)_i};
  int kind = _i % CAPSULE;
  double error[2] = {0};
  run events = limit_of(&g, kind, 0);
  for (int k = 0; k < 2; k++) {
    run steps = limit_of(&g, kind, k ? 1e-4 : 1e-3);
    for (int i = 0; i < 3; i++) error[k] = fmax(error[k], fabs(steps.x->q[i] - events.x->q[i]));
    run_end(&steps);
  }
  ck_assert_double_le(error[1], 0.3 * error[0] + 1e-6);
  ck_assert_double_le(error[1], 1e-3);
  run_end(&events);
}
END_TEST

START_TEST(runs_go_on)
{
  generator g = {.state = 500 + (unsigned long long)_i}, text = {.state = 1};
  put_scene(&text, &g, _i % KINDS);
  put_events(&text, 0.6, "CVodeOSI");
  ck_assert_int_gt(goes_on_the_same(text.text, &(change){0}, 4, 3 + (unsigned long)_i), 0);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, it_rolls_out, 0, 67);
  tcase_add_loop_test(t, slopes_are_rolled_down, 0, 32);
  tcase_add_loop_test(t, points_are_shapes, 0, 40);
  tcase_add_loop_test(t, steps_come_to_it, 0, 20);
  tcase_add_loop_test(t, runs_go_on, 0, 10);
}

int main(void) { return suite_run("event-driven rolling friction", fill); }
