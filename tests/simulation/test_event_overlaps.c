/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contacts between shapes that give way, event-driven: closed forms, energy, one motion in the
 * plane and in space, the limit of time-stepping, checkpoints. */
#include "algebra/rotation.h"
#include "simulation/simulation.h"
#include "support/interrupted.h"
#include "support/random_model.h"
#include "support/whole.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"
#define FINE "<CVodeOSI relativeTolerance='1e-10' absoluteTolerance='1e-13'/>"

static void events(generator *g, double T, double h)
{
  put(g, "<simulation T='%.17g'><EventDriven h='%.17g'>" FINE "</EventDriven></simulation></model>",
      T, h);
}

/* ---- along the normal ------------------------------------------------------------------------ */

/* A ball, or a disk, of mass m falls on a ground without weight at speed v from a distance. */
static void falls(generator *g, int planar, double m, double v, double away, double origin,
                  const char *law)
{
  if (planar)
    put(g,
        HEAD "<RigidBody2dDS id='b'><q0>%.17g %.17g 0.3</q0><v0>0 %.17g 0</v0><mass>%.17g</mass>"
             "<inertia>0.01</inertia><Disk radius='0.05'/></RigidBody2dDS></systems><contacts>%s"
             "<HalfPlane at='0 %.17g' normal='0 1'/></contacts>",
        origin, origin + 0.05 + away, -v, m, law, origin);
  else
    put(g,
        HEAD
        "<NewtonEulerDS id='b'><q0>0 0 %.17g 1 0 0 0</q0><v0>0 0 %.17g 0 0 0</v0><mass>%.17g</mass>"
        "<inertia diag='0.01 0.01 0.01'/><Sphere "
        "radius='0.05'/></NewtonEulerDS></systems><contacts>%s"
        "<Plane at='0 0 %.17g' normal='0 0 1'/></contacts>",
        origin + 0.05 + away, -v, m, law, origin);
}

/* It leaves at e v, after pi/w without damping: e and time of a damper that never pulls (Schwager &
 * Poeschel 2007, eq. 21; C16 of the cases: K = 1e5, zeta = 0.2). */
START_TEST(linear_contact_has_its_time)
{
  generator g = {.state = 7 + (unsigned long long)_i};
  double m = spread(&g, 0.1, 10), v = spread(&g, 0.1, 5), K = spread(&g, 1e3, 1e7),
         zeta = _i % 3 ? between(&g, 0.02, 0.6) : 0;
  double w0 = sqrt(K / m), w = w0 * sqrt(1 - zeta * zeta), away = between(&g, 0.001, 0.1),
         origin = _i % 2 ? between(&g, -50, 50) : 0;
  double lasts = (M_PI - atan2(2 * zeta * w * w0, w * w - zeta * zeta * w0 * w0)) / w,
         e = exp(-zeta * w0 * lasts);
  if (zeta == 0) lasts = M_PI / w;
  double T = away / v + 3 * lasts;
  char law[256];
  int planar = _i / 2 % 2;
  snprintf(law, sizeof law, "<CompliantFrictionNSL K='%.17g' C='%.17g'/>", K,
           2 * zeta * sqrt(K * m));
  falls(&g, planar, m, v, away, origin, law);
  events(&g, T, T / 10);
  run r = whole(g.text);
  double left = r.x->q[planar ? 1 : 2] - origin - 0.05, speed = r.x->v[planar ? 1 : 2];
  ck_assert_double_eq_tol(speed, e * v, 1e-8 * v);
  /* where it is still inside as the force ends it goes on freely from there */
  double inside = zeta > 0 ? 2 * zeta / w0 * e * v : 0;
  ck_assert_double_eq_tol(T - away / v - (left + inside) / speed, lasts, 1e-7 * lasts);
  ck_assert_double_eq_tol(r.x->cert->potential, 0, 1e-12 * m * v * v);
  ck_assert_double_eq_tol(-r.x->cert->work_contact, m * v * v * (1 - e * e) / 2, 1e-8 * m * v * v);
  ck_assert_uint_eq(r.got.nevents, 0);
  run_end(&r);
}
END_TEST

/* C16: two spheres of E = 1e7, nu = 0.3, R = 0.05 and 1 kg meet at 1 m/s. */
START_TEST(hertz_contact_has_its_time)
{
  const double K = 4.0 / 3 * 1e7 / (2 * 0.91) * sqrt(0.025), lasts = 0.00915478047149,
               depth = 0.00311040589077;
  generator g = {.state = 91 + (unsigned long long)_i};
  double p[3] = {between(&g, -1, 1), between(&g, -1, 1), between(&g, 0.2, 1)}, drift[3],
         away = 1e-3;
  double until = _i % 2 ? 1e-3 + lasts / 2 : 1e-3 + 2 * lasts;
  ns_unit3(p);
  for (int i = 0; i < 3; i++) drift[i] = between(&g, -9, 9);
  put(&g, HEAD);
  for (int k = 0; k < 2; k++) {
    double s = k ? -1 : 1, x[3], v[3];
    for (int i = 0; i < 3; i++) {
      x[i] = s * p[i] * (0.05 + away / 2);
      v[i] = drift[i] - s * p[i] / 2;
    }
    put(&g,
        "<NewtonEulerDS id='b%d'><q0>%.17g %.17g %.17g 1 0 0 0</q0><v0>%.17g %.17g %.17g 0 0 "
        "0</v0><mass>1</mass>"
        "<inertia diag='1e-3 1e-3 1e-3'/><Sphere radius='0.05'/></NewtonEulerDS>",
        k, x[0], x[1], x[2], v[0], v[1], v[2]);
  }
  put(&g,
      "</systems><contacts><CompliantFrictionNSL K='%.17g' eta='1.5' Kt='1e5' "
      "mu='0.5'/></contacts>",
      K);
  events(&g, until, until / 10);
  run r = whole(g.text);
  double gap = -0.1, speed = 0;
  for (int i = 0; i < 3; i++) {
    gap += p[i] * (r.x->q[i] - r.x->q[7 + i]);
    speed += p[i] * (r.x->v[i] - r.x->v[6 + i]);
  }
  if (_i % 2) ck_assert_double_eq_tol(gap, -depth, 1e-9);
  else {
    ck_assert_double_eq_tol(speed, 1, 1e-7);
    ck_assert_double_eq_tol(until - away - gap, lasts, 1e-9);
  }
  ck_assert_double_eq_tol(r.x->cert->defect_max, 0, 1e-7);
  run_end(&r);
}
END_TEST

/* A weight on a spring and damper comes to rest where K d = m g; it never leaves. */
START_TEST(weight_sinks_in)
{
  generator g = {.state = 3 + (unsigned long long)_i};
  double m = spread(&g, 0.2, 5), K = spread(&g, 1e3, 1e5), eta = _i % 2 ? 1.5 : 1,
         due = pow(9.81 * m / K, 1 / eta);
  double slope = eta * K * pow(due, eta - 1), C = 0.6 * sqrt(slope * m) / pow(due, eta - 1);
  put(&g,
      HEAD
      "<NewtonEulerDS id='b'><q0>0 0 0.0501 1 0 0 0</q0><mass>%.17g</mass><inertia diag='1 1 1'/>"
      "<fExt>0 0 %.17g</fExt><Sphere radius='0.05'/></NewtonEulerDS></systems><contacts>"
      "<CompliantFrictionNSL K='%.17g' eta='%.17g' C='%.17g'/><Plane/></contacts>",
      m, -9.81 * m, K, eta, C);
  double T = 60 * sqrt(m / slope);
  events(&g, T, T / 20);
  run r = whole(g.text);
  ck_assert_double_eq_tol(0.05 - r.x->q[2], due, 1e-6 * due);
  ck_assert_uint_eq(r.got.ncontacts, 1);
  ck_assert_double_eq_tol(r.got.contacts[0].force[2], m * 9.81, 1e-5 * m);
  ck_assert_double_le(r.x->cert->defect_max, 1e-8 * m);
  run_end(&r);
}
END_TEST

/* ---- across it ------------------------------------------------------------------------------- */

/* A contact that sticks is a spring: a ball pressed on a ground and given a small slip swings with
 * w^2 = Kt (1/m + R^2/I) and keeps its energy. */
START_TEST(stuck_contact_swings)
{
  generator g = {.state = 17 + (unsigned long long)_i};
  double m = spread(&g, 0.2, 5), I = m * 0.0025 * between(&g, 0.3, 0.5), Kt = spread(&g, 1e3, 1e5),
         K = 1e8, u = 1e-3;
  double w = sqrt(Kt * (1 / m + 0.0025 / I)), T = between(&g, 1, 3) * 2 * M_PI / w,
         depth = 9.81 * m / K;
  if (_i % 2)
    put(&g,
        HEAD "<RigidBody2dDS id='b'><q0>0 %.17g 0</q0><v0>%.17g 0 "
             "0</v0><mass>%.17g</mass><inertia>%.17g</inertia>"
             "<fExt>0 %.17g</fExt><Disk "
             "radius='0.05'/></RigidBody2dDS></systems><contacts><CompliantFrictionNSL K='%.17g' "
             "Kt='%.17g' mu='100'/><HalfPlane/></contacts>",
        0.05 - depth, u, m, I, -9.81 * m, K, Kt);
  else
    put(&g,
        HEAD
        "<NewtonEulerDS id='b'><q0>0 0 %.17g 1 0 0 0</q0><v0>%.17g 0 0 0 0 3</v0><mass>%.17g</mass>"
        "<inertia diag='%.17g %.17g %.17g'/><fExt>0 0 %.17g</fExt><Sphere "
        "radius='0.05'/></NewtonEulerDS></systems><contacts>"
        "<CompliantFrictionNSL K='%.17g' Kt='%.17g' mu='100'/><Plane/></contacts>",
        0.05 - depth, u, m, I, I, I, -9.81 * m, K, Kt);
  events(&g, T, T / 20);
  run r = whole(g.text);
  double share = 1 / m / (1 / m + 0.0025 / I);
  /* a spin about the normal turns the spring and what it pushes: half as fast as the ball */
  double spin = _i % 2 ? 0 : 3;
  if (spin == 0) ck_assert_double_eq_tol(r.x->v[0], u * (1 - share * (1 - cos(w * T))), 1e-6 * u);
  ck_assert_double_le(r.x->cert->defect_max, 1e-11);
  ck_assert_double_eq_tol(r.x->cert->work_friction, 0, 1e-12);
  run_end(&r);
}
END_TEST

/* Laws along and across the normal: a spring alone, with dampers, a damper alone, of Hertz. */
static const char *const laws[] = {"K='2e4' Kt='1e4' mu='0.3'",
                                   "K='2e4' C='4' Kt='1e4' mu='0.3'",
                                   "K='2e4' C='4' Kt='1e4' Ct='2' mu='0.2'",
                                   "K='2e4' Ct='3' mu='0.4'",
                                   "K='1e6' eta='1.5' C='40' Kt='8e5' mu='0.3'",
                                   "K='1e6' eta='1.5' C='40' Kt='8e5' Ct='30' mu='0.15'"};

/* A ball that spins flies at a ground; time: its strategy. */
static void oblique(generator *g, int planar, const char *law, const char *strategy)
{
  double v[3], w[3];
  for (int i = 0; i < 3; i++) v[i] = between(g, -2, 2), w[i] = between(g, -30, 30);
  v[2] = between(g, -2, -0.5);
  if (planar) v[1] = w[0] = w[2] = 0;
  if (planar == 1)
    put(g,
        HEAD "<RigidBody2dDS id='b'><q0>0 0.11 0</q0><v0>%.17g %.17g "
             "%.17g</v0><mass>1</mass><inertia>0.004</inertia>"
             "<fExt>0 -9.81</fExt><Disk radius='0.1'/></RigidBody2dDS></systems><contacts>"
             "<CompliantFrictionNSL %s/><HalfPlane/></contacts>",
        v[0], v[2], -w[1], law);
  else
    put(g,
        HEAD "<NewtonEulerDS id='b'><q0>0 0 0.11 1 0 0 0</q0><v0>%.17g %.17g %.17g %.17g %.17g "
             "%.17g</v0><mass>1</mass>"
             "<inertia diag='0.004 0.004 0.004'/><fExt>0 0 -9.81</fExt><Sphere "
             "radius='0.1'/></NewtonEulerDS></systems><contacts>"
             "<CompliantFrictionNSL %s/><Plane/></contacts>",
        v[0], v[1], v[2], w[0], w[1], w[2], law);
  put(g, "<simulation T='0.12'>%s</simulation></model>", strategy);
}

#define PRECISELY "<EventDriven h='0.01'>" FINE "</EventDriven>"

/* A sphere whose motion stays in a plane is a disk. */
START_TEST(plane_is_a_part_of_space)
{
  run r[2];
  for (int k = 0; k < 2; k++) {
    generator g = {.state = 1000 + (unsigned long long)_i};
    oblique(&g, 1 + k, laws[_i % 6], PRECISELY);
    r[k] = whole(g.text);
    ck_assert_double_le(r[k].x->cert->defect_max, 1e-7);
  }
  const double *v = r[0].x->v, *u = r[1].x->v;
  ck_assert_double_eq_tol(v[0], u[0], 1e-7);
  ck_assert_double_eq_tol(v[1], u[2], 1e-7);
  ck_assert_double_eq_tol(v[2], -u[4], 1e-6);
  ck_assert_double_eq_tol(r[0].x->q[0], r[1].x->q[0], 1e-8);
  ck_assert_double_gt(v[1], r[0].m->systems[0].v0[1] - 9.81 * 0.12 + 0.1);
  for (int k = 0; k < 2; k++) run_end(&r[k]);
}
END_TEST

/* Steps come to it as they become short: half the step, half the difference, or less. */
START_TEST(steps_come_to_it)
{
  static const char *const h[] = {"2e-5", "5e-6"};
  double u[3][6] = {{0}};
  int planar = _i % 2;
  for (int k = 0; k < 3; k++) {
    generator g = {.state = 500 + (unsigned long long)_i};
    char strategy[128];
    snprintf(strategy, sizeof strategy,
             "<TimeStepping h='%s'><MoreauJeanOSI theta='0.5'/></TimeStepping>", k ? h[k - 1] : "");
    oblique(&g, planar, laws[_i / 2 % 6], k ? strategy : PRECISELY);
    run r = whole(g.text);
    memcpy(u[k], r.x->v, (planar ? 3 : 6) * sizeof(double));
    run_end(&r);
  }
  for (int i = 0; i < 6; i++) {
    double size = i < (planar ? 2 : 3) ? 1 : 10; /* the last are turns */
    ck_assert_double_eq_tol(u[1][i], u[0][i], 1.5e-3 * size);
    ck_assert_double_eq_tol(u[2][i], u[0][i], 4e-4 * size);
  }
}
END_TEST

/* eta near 1 and a damper across alone: the spring there has a length where the contact ends, and
 * what it stores, d^(eta-1) of it, falls to 0 in no time. */
START_TEST(nearly_linear_contacts_end)
{
  double u[2][6] = {{0}};
  int planar = _i % 2;
  for (int k = 0; k < 2; k++) {
    generator g = {.state = 2000 + (unsigned long long)_i};
    char law[192];
    double eta = 1 + spread(&g, 0.002, 0.1), sinks = spread(&g, 3e-5, 1e-3),
           K = 9.81 / pow(sinks, eta), Kt = K * between(&g, 0.2, 1),
           Ct = K * pow(sinks, eta - 1) * spread(&g, 1e-4, 1e-2);
    snprintf(law, sizeof law, "K='%.17g' eta='%.17g' Kt='%.17g' Ct='%.17g' mu='%.17g'", K, eta, Kt,
             Ct, between(&g, 0.1, 0.8));
    oblique(&g, planar, law,
            k ? "<TimeStepping h='1e-5'><MoreauJeanOSI theta='0.5'/></TimeStepping>"
              : "<EventDriven h='0.01'><CVodeOSI/></EventDriven>");
    run r = whole(g.text);
    memcpy(u[k], r.x->v, (planar ? 3 : 6) * sizeof(double));
    run_end(&r);
  }
  for (int i = 0; i < 6; i++)
    ck_assert_double_eq_tol(u[1][i], u[0][i], i < (planar ? 2 : 3) ? 0.02 : 0.2);
}
END_TEST

/* Balls in a bowl of planes, with many contacts at once: against steps, and in balance. */
static void bowl(generator *g, int planar, const char *law, const char *strategy)
{
  put(g, HEAD);
  for (int k = 0; k < 5; k++) {
    double x = between(g, -0.1, 0.1), y = between(g, -0.1, 0.1), z = 0.06 + 0.11 * k,
           a = between(g, -3, 3);
    if (planar)
      put(g,
          "<RigidBody2dDS id='b%d'><q0>%.17g %.17g 0</q0><v0>%.17g -1 "
          "%.17g</v0><mass>0.5</mass><inertia>5e-4</inertia><fExt>0 -4.9"
          "</fExt><Disk radius='0.05'/></RigidBody2dDS>",
          k, x, z, y, a);
    else
      put(g,
          "<NewtonEulerDS id='b%d'><q0>%.17g %.17g %.17g 1 0 0 0</q0><v0>%.17g 0 -1 %.17g 1 "
          "2</v0><mass>0.5</mass>"
          "<inertia diag='5e-4 5e-4 5e-4'/><fExt>0 0 -4.9</fExt><Sphere "
          "radius='0.05'/></NewtonEulerDS>",
          k, x, y, z, y, a);
  }
  put(g, "</systems><contacts><CompliantFrictionNSL %s/>", law);
  if (planar) put(g, "<HalfPlane normal='0.3 1'/><HalfPlane normal='-0.4 1'/></contacts>");
  else
    put(g, "<Plane normal='0.3 0.1 1'/><Plane normal='-0.4 0.2 1'/><Plane normal='0 -0.5 "
           "1'/></contacts>");
  put(g, "<simulation T='0.12'>%s</simulation></model>", strategy);
}

START_TEST(crowd_is_in_balance)
{
  double u[2][30];
  int planar = _i % 2;
  size_t n = planar ? 15 : 30;
  for (int k = 0; k < 2; k++) {
    generator g = {.state = 800 + (unsigned long long)_i};
    bowl(&g, planar, laws[_i / 2 % 6],
         k ? "<TimeStepping h='1e-5'><MoreauJeanOSI theta='0.5'/></TimeStepping>" : PRECISELY);
    run r = whole(g.text);
    memcpy(u[k], r.x->v, n * sizeof(double));
    if (k == 0) ck_assert_double_le(r.x->cert->defect_max, 1e-6);
    if (k == 0) ck_assert_double_le(r.x->cert->work_friction, 1e-9);
    run_end(&r);
  }
  for (size_t i = 0; i < n; i++) {
    int turns = planar ? i % 3 == 2 : i % 6 > 2;
    double within = turns ? 1e-1 : 1e-2; /* of 1 m/s; errors grow from contact to contact */
    ck_assert_double_eq_tol(u[1][i], u[0][i], within);
  }
}
END_TEST

/* ---- corners --------------------------------------------------------------------------------- */

/* A box, or a rectangle, that lands askew on a ground and slides: a plane, or the top of another
 * one. */
static void lands(generator *g, int planar, const char *law, double wide, int on_box, double T)
{
  double v = between(g, 0.3, 1), w[3] = {between(g, -2, 2), between(g, -2, 2), between(g, -2, 2)},
         a = between(g, -0.1, 0.1);
  if (planar)
    put(g,
        HEAD "<RigidBody2dDS id='b'><q0>0 0.12 %.17g</q0><v0>%.17g -0.3 "
             "%.17g</v0><mass>0.5</mass><inertia>2e-3</inertia>"
             "<fExt>0 -4.9</fExt><Rectangle size='0.2 0.1'/></RigidBody2dDS></systems>",
        a, v, w[2]);
  else
    put(g,
        HEAD "<NewtonEulerDS id='b'><q0 axis='1 0.4 0.2' angle='%.17g'>0 0 0.12</q0><v0>%.17g 0 "
             "-0.3 %.17g %.17g %.17g</v0>"
             "<mass>0.5</mass><inertia diag='2e-3 2e-3 3e-3'/><fExt>0 0 -4.9</fExt><Box size='0.2 "
             "0.2 0.1'/></NewtonEulerDS></systems>",
        a, v, w[0], w[1], w[2]);
  put(g, "<contacts><CompliantFrictionNSL %s/>", law);
  if (planar && on_box) put(g, "<Rectangle size='%.17g 0.2' at='0 -0.1'/>", wide);
  if (planar && !on_box) put(g, "<HalfPlane normal='0 1'/>");
  if (!planar && on_box) put(g, "<Box size='%.17g %.17g 0.2' at='0 0 -0.1'/>", wide, wide);
  if (!planar && !on_box) put(g, "<Plane normal='0 0 1'/>");
  put(g, "</contacts><simulation T='%.17g'>%s</simulation></model>", T, PRECISELY);
}

START_TEST(side_of_a_box_is_a_plane)
{
  double u[2][13];
  int planar = _i % 2;
  for (int k = 0; k < 2; k++) {
    generator g = {.state = 900 + (unsigned long long)_i};
    lands(&g, planar, laws[_i / 2 % 6], 4, k, 0.3);
    run r = whole(g.text);
    memcpy(u[k], r.x->q, (planar ? 3 : 7) * sizeof(double));
    memcpy(u[k] + 7, r.x->v, (planar ? 3 : 6) * sizeof(double));
    ck_assert_double_le(r.x->cert->defect_max, 1e-7);
    run_end(&r);
  }
  for (int i = 0; i < 13; i++)
    if (!planar || i % 7 < 3) ck_assert_double_eq_tol(u[1][i], u[0][i], 1e-6);
}
END_TEST

/* Off its end it falls, and what corners store there is accounted for. */
START_TEST(slides_off_a_box)
{
  generator g = {.state = 950 + (unsigned long long)_i};
  lands(&g, _i % 2, laws[_i / 2 % 6], 0.25, 1, 0.8);
  run r = whole(g.text);
  ck_assert_double_le(r.x->cert->defect_max, 1e-6);
  run_end(&r);
}
END_TEST

/* ---- checkpoints, refusals ------------------------------------------------------------------- */

START_TEST(goes_on_as_if_never_stopped)
{
  generator g = {.state = 60 + (unsigned long long)_i};
  bowl(&g, _i % 2, laws[_i / 2 % 6], "<EventDriven h='0.004'><CVodeOSI/></EventDriven>");
  change k = {0};
  ck_assert_int_eq(goes_on_the_same(g.text, &k, 2, 5), 1);
  g.length = 0;
  lands(&g, _i % 2, laws[_i / 2 % 6], 0.25, 1, 0.5); /* in regions, off one of them */
  ck_assert_int_eq(goes_on_the_same(g.text, &k, 3, 5), 1);
}
END_TEST

static const struct {
  const char *shapes, *fixed, *says;
} rough[] = {{"<Rectangle size='1 1'/>", "<Polyline points='-4 0; 0 0; 4 0'/>",
              "two segments or triangles would push at once"},
             {"<Disk radius='0.5'/>", "<Polyline points='-4 0; 0 0; 4 0'/>",
              "two segments or triangles would push at once"}};

START_TEST(what_is_not_smooth_is_refused)
{
  generator g = {.state = 1};
  ns_ctx c = {.report = no_words};
  put(&g,
      HEAD "<RigidBody2dDS id='b'><q0>0 2 "
           "0</q0><mass>1</mass><inertia>1</inertia>%s</RigidBody2dDS></systems><contacts>"
           "<CompliantFrictionNSL K='1e4'/>%s</contacts>",
      rough[_i].shapes, rough[_i].fixed);
  events(&g, 1, 0.1);
  ns_model *m = load(g.text, &c);
  ck_assert(m == NULL);
  ck_assert_msg(strstr(c.msg, rough[_i].says), "%s", c.msg);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, linear_contact_has_its_time, 0, some_of(12));
  tcase_add_loop_test(t, hertz_contact_has_its_time, 0, 4);
  tcase_add_loop_test(t, weight_sinks_in, 0, 4);
  tcase_add_loop_test(t, stuck_contact_swings, 0, 6);
  tcase_add_loop_test(t, plane_is_a_part_of_space, 0, some_of(12));
  tcase_add_loop_test(t, steps_come_to_it, 0, some_of(12));
  tcase_add_loop_test(t, nearly_linear_contacts_end, 0, 16);
  tcase_add_loop_test(t, crowd_is_in_balance, 0, some_of(12));
  tcase_add_loop_test(t, side_of_a_box_is_a_plane, 0, some_of(12));
  tcase_add_loop_test(t, slides_off_a_box, 0, some_of(12));
  tcase_add_loop_test(t, goes_on_as_if_never_stopped, 0, 4);
  tcase_add_loop_test(t, what_is_not_smooth_is_refused, 0, 2);
}

int main(void) { return suite_run("event-driven contacts that give way", fill); }
