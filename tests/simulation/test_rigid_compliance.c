/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contacts between shapes that give way, and those that remember: closed forms, orders, balances,
 * threads, checkpoints. */
#include "simulation/simulation.h"
#include "support/interrupted.h"
#include "support/random_model.h"

#include <stdarg.h>

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"
#define STEPS \
  "<simulation T='1'><TimeStepping h='1'><MoreauJeanOSI " \
  "theta='0.5'/></TimeStepping></simulation></model>"
#define SPACE 65536

__attribute__((format(printf, 2, 3))) static void write_model(char *text, const char *format, ...)
{
  va_list a;
  va_start(a, format);
  int n = vsnprintf(text, SPACE, format, a);
  va_end(a);
  ck_assert(n > 0 && n < SPACE);
}

/* A run of n steps to T; threads 0: as the model says. */
static run any_steps(const char *model, double T, int n, int threads)
{
  run r = {.c = {.report = no_words}};
  ns_load_options o = {0};
  ns_load_memory(&r.c, "test.xml", model, strlen(model), &o, NULL, &r.m);
  ck_assert_msg(r.m != NULL, "%s", r.c.msg);
  r.m->sim.T = T;
  r.m->sim.ts.h = T / n;
  if (threads) r.m->sim.osnsp.threads = threads;
  int rc = ns_simulation_create(&r.c, r.m, &r.s);
  ck_assert_msg(rc == NS_OK, "%s", r.c.msg);
  r.x = ns_simulation_state(r.s);
  rc = run_keep(&r);
  ck_assert_msg(rc == NS_OK, "%s", r.c.msg);
  return r;
}

/* The same with theta = 1/2, whose energies balance. */
static run steps(const char *model, double T, int n, int threads)
{
  run r = any_steps(model, T, n, threads);
  ck_assert_double_le(r.x->cert->defect_max, 1e-12 * fmax(1, fabs(r.x->cert->energy0)));
  return r;
}

/* ---- steep forces ---------------------------------------------------------------------------- */

/* Random balls fall on a plane or a line, with damping and exponents from 1 on, where the force of
 * the damper all but jumps at an overlap of 0: a step of any length has its solution. */
START_TEST(steep_forces_are_stepped)
{
  static const double exponent[] = {1.001, 1.035, 1.1, 1.2, 1.5, 2.5};
  generator g = {.state = 20261129};
  for (int k = 0; k < 60; k++) {
    char text[SPACE], law[256];
    double eta = exponent[k % 6], m = pow(10, 3 * between(&g, 0, 1) - 2),
           K = pow(10, between(&g, 2, 6)), C = between(&g, 0.05, 2) * sqrt(K * m),
           v = between(&g, 0.1, 3), z = between(&g, 0.1, 0.2), h = pow(10, between(&g, -4.5, -2.5)),
           theta = between(&g, 0.5, 1);
    snprintf(law, sizeof law,
             "<contacts><CompliantFrictionNSL K='%.17g' eta='%g' C='%.17g' Kt='%.17g' mu='%g'/>", K,
             eta, C, K / 2, k % 4 < 2 ? 0.3 : 0);
    if (k % 2)
      write_model(text,
                  HEAD
                  "<RigidBody2dDS id='b'><q0>0 %.17g 0</q0><v0>1 %.17g 0</v0><mass>%.17g</mass>"
                  "<fExt>0 %.17g</fExt><Disk radius='0.1'/></RigidBody2dDS></systems>%s"
                  "<HalfPlane/></contacts><simulation T='1'><TimeStepping h='1'><MoreauJeanOSI "
                  "theta='%.17g'/></TimeStepping></simulation></model>",
                  z, -v, m, -9.8 * m, law, theta);
    else
      write_model(text,
                  HEAD
                  "<NewtonEulerDS id='b'><q0>0 0 %.17g 1 0 0 0</q0><v0>1 0.3 %.17g 0 2 0</v0>"
                  "<mass>%.17g</mass><fExt>0 0 %.17g</fExt><Sphere radius='0.1'/></NewtonEulerDS>"
                  "</systems>%s<Plane/></contacts><simulation T='1'><TimeStepping h='1'>"
                  "<MoreauJeanOSI theta='%.17g'/></TimeStepping></simulation></model>",
                  z, -v, m, -9.8 * m, law, theta);
    run r = any_steps(text, 0.4, (int)ceil(0.4 / h), 0);
    run_end(&r);
  }
}
END_TEST

/* ---- bounce ---------------------------------------------------------------------------------- */

/* A ball of 1 kg and a radius of 0.05 m that meets a wall at 1 m/s, 0.01 m away, with the normal
 * (0, 0, 1) or another; in the plane a disk. */
static void ball_on_wall(char *text, int planar, double shift, const char *law)
{
  if (planar)
    write_model(text,
                HEAD "<RigidBody2dDS id='b'><q0>%.17g %.17g 0</q0><v0>0 -1 "
                     "0</v0><mass>1</mass><inertia>1e-3</inertia>"
                     "<Disk radius='0.05'/></RigidBody2dDS></systems><contacts>%s<HalfPlane "
                     "normal='0 1' at='0 %.17g'/></contacts>" STEPS,
                shift, shift + 0.06, law, shift);
  else
    write_model(
        text,
        HEAD
        "<NewtonEulerDS id='b'><q0>%.17g 0 %.17g 1 0 0 0</q0><v0>0 0 -1 0 0 0</v0><mass>1</mass>"
        "<inertia diag='1e-3 1e-3 1e-3'/><Sphere radius='0.05'/></NewtonEulerDS></systems>"
        "<contacts>%s<Plane normal='0 0 1' at='0 0 %.17g'/></contacts>" STEPS,
        shift, shift + 0.06, law, shift);
}

static double speed_after(int planar, double shift, const char *law, double T, int n)
{
  char text[SPACE];
  ball_on_wall(text, planar, shift, law);
  run r = steps(text, T, n, 0);
  double v = r.x->v[planar ? 1 : 2], lost = 0.5 - v * v / 2;
  ck_assert_double_eq_tol(-r.x->cert->work_contact, lost, 1e-12); /* springs are empty again */
  ck_assert_double_eq_tol(r.x->cert->potential, 0, 1e-15);
  ck_assert_int_eq((int)r.x->cert->impacts, 0);
  run_end(&r);
  return v;
}

/* Restitution by the ratio of damping, without tension (Schwager & Poeschel 2007, eq. 21), zeta <
 * 1/sqrt(2). */
static double restitution(double zeta)
{
  double w = sqrt(1 - zeta * zeta);
  return exp(-zeta / w * (M_PI - atan(2 * zeta * w / (w * w - zeta * zeta))));
}

/* K = 1e5, so that a contact lasts 0.01 s; a dashpot acts at once, so the error is O(h). */
START_TEST(restitution_follows_damping)
{
  static const double ratio[] = {0.05, 0.2, 0.4, 0.6}, shift[] = {0, 3, -50};
  double zeta = ratio[_i % 4], want = restitution(zeta), e[2];
  char law[256];
  int planar = _i / 4;
  snprintf(law, sizeof law, "<CompliantFrictionNSL K='1e5' C='%.17g'/>", 2 * zeta * sqrt(1e5));
  for (int k = 0; k < 2; k++)
    e[k] = fabs(speed_after(planar, shift[_i % 3], law, 0.03, 3000 * (1 + 15 * k)) - want);
  ck_assert_double_le(e[0], 2e-2 * zeta);
  ck_assert_double_le(e[1], 2e-3 * zeta);
}
END_TEST

/* Without damping nothing is lost but what the step in which the contact begins or ends leaves:
 * O(h^2), and with large K too. */
START_TEST(springs_give_back_what_they_took)
{
  static const char *const law[] = {"<CompliantFrictionNSL K='1e5'/>",
                                    "<CompliantFrictionNSL K='2e6' eta='1.5'/>"};
  for (int k = 0; k < 4; k++) {
    int n = 1000 << (2 * k);
    double h = 0.03 / n, e = fabs(speed_after(_i / 2, 0, law[_i % 2], 0.03, n) - 1);
    ck_assert_double_le(e, 1e5 * h * h); /* K h^2/m */
  }
}
END_TEST

/* ---- Hertz ----------------------------------------------------------------------------------- */

/* Two spheres of 1 kg, E = 1e7, nu = 0.3, R = 0.05 m that meet at 1 m/s: depth (15/16 m* v^2/(E*
 * sqrt(R*)))^(2/5), time 2.943275 depth/v; turned in space and moving together. */
START_TEST(spheres_of_hertz_meet)
{
  static const double axis[4][3] = {{1, 0, 0}, {0, 0.6, 0.8}, {0.48, -0.6, 0.64}, {-1, 0, 0}},
                      drift[3] = {0.3, -2, 7};
  const double E = 1e7 / (2 * (1 - 0.09)), K = 4.0 / 3 * E * sqrt(0.025), depth = 0.00311040589077,
               lasts = 0.00915478047149;
  const double *a = axis[_i % 4];
  double with = _i / 4, e[3];
  char text[SPACE];
  for (int k = 0; k < 3; k++) {
    int n = 100 << (2 * k);
    double T = 1.5 * lasts, h = T / n, open = 0.5003 * 1e-4; /* touches at 1e-4 s */
    char body[2][512];
    for (int s = 0; s < 2; s++) {
      double side = s ? -1 : 1, x[3], v[3];
      for (int i = 0; i < 3; i++) {
        x[i] = side * a[i] * (0.05 + open);
        v[i] = -side * a[i] / 2 + with * drift[i];
      }
      snprintf(
          body[s], sizeof body[s],
          "<NewtonEulerDS id='s%d'><q0>%.17g %.17g %.17g 1 0 0 0</q0><v0>%.17g %.17g %.17g 0 0 "
          "0</v0>"
          "<mass>1</mass><inertia diag='1e-3 1e-3 1e-3'/><Sphere radius='0.05'/></NewtonEulerDS>",
          s, x[0], x[1], x[2], v[0], v[1], v[2]);
    }
    write_model(
        text,
        HEAD "%s%s</systems><contacts><CompliantFrictionNSL K='%.17g' eta='1.5'/></contacts>" STEPS,
        body[0], body[1], K);
    run r = steps(text, T, n, 0);
    double u = 0;
    for (int i = 0; i < 3; i++) u += a[i] * (r.x->v[i] - r.x->v[6 + i]);
    e[k] = fabs(u - 1);
    ck_assert_double_le(fabs(r.x->cert->penetration_max - depth),
                        0.51 * h * h * 0.75 * K * pow(depth, 1.5) + 1e-5 * depth);
    for (int i = 0; i < 3; i++)
      ck_assert_double_eq_tol(r.x->v[i] + r.x->v[6 + i], 2 * with * drift[i], 1e-12);
    run_end(&r);
  }
  ck_assert_double_le(e[1], e[0] / 8);
  ck_assert_double_le(e[2], e[1] / 8);
}
END_TEST

/* ---- friction -------------------------------------------------------------------------------- */

/* A ball that is pressed onto a plane and starts with v along it: v = v0 (1 - 2/7 (1 - cos(t
 * sqrt(3.5 Kt/m)))) while it sticks, of second order, and its energy goes into the spring and back.
 */
static const char pressed[] = HEAD
    "<NewtonEulerDS id='b'><q0>%.17g %.17g 0.0499 1 0 0 0</q0><v0>%.17g %.17g 0 0 0 "
    "0</v0><mass>2</mass>"
    "<inertia diag='0.002 0.002 0.002'/><fExt>0 0 -10</fExt><Sphere "
    "radius='0.05'/></NewtonEulerDS></systems><contacts>"
    "<CompliantFrictionNSL K='1e5' Kt='4e4' mu='100' %s/><Plane normal='0 0 1'/></contacts>" STEPS;

START_TEST(a_stuck_contact_is_a_spring)
{
  double angle = 0.7 * _i, x = 10 * _i, e[3];
  char text[SPACE];
  for (int k = 0; k < 3; k++) {
    write_model(text, pressed, x, -x, 0.01 * cos(angle), 0.01 * sin(angle), "");
    run r = steps(text, 0.02, 100 << k, 0);
    double v = 0.01 * (1 - 2.0 / 7 * (1 - cos(0.02 * sqrt(3.5 * 4e4 / 2))));
    e[k] = hypot(r.x->v[0] - v * cos(angle), r.x->v[1] - v * sin(angle));
    ck_assert_double_le(fabs(r.x->cert->work_friction), 1e-14);
    ck_assert_double_le(fabs(r.x->cert->work_contact), 1e-14);
    ck_assert_double_eq_tol(r.x->v[2], 0, 1e-12); /* its weight is carried: 10 N by 1e-4 m */
    run_end(&r);
  }
  ck_assert_double_ge(log2(e[0] / e[1]), 1.9);
  ck_assert_double_ge(log2(e[1] / e[2]), 1.97);
}
END_TEST

/* On a slope of angle a, tan a on both sides of mu, 3.5 mu (ball), 3 mu (disk): once the springs
 * have come to rest the acceleration is g (sin a - mu cos a) where it slides, and 5/7 or 2/3 of g
 * sin a where it rolls; a box sticks, or slides. */
static double acceleration(const char *body, const char *fixed, double mu, const char *eta)
{
  char text[SPACE];
  write_model(text,
              HEAD "%s</systems><contacts><CompliantFrictionNSL K='1e5' C='600' Kt='4e4' Ct='300' "
                   "mu='%.17g' %s/>%s</contacts>" STEPS,
              body, mu, eta, fixed);
  run r = steps(text, 0.6, 6000, 0);
  size_t v = 0, n = r.got.nrows;
  while (v < r.got.ncols && strcmp(r.got.labels[v], "b.v_x")) v++;
  ck_assert_uint_lt(v, r.got.ncols);
  double a = (r.got.rows[(n - 1) * r.got.ncols + v] - r.got.rows[(n / 2) * r.got.ncols + v]) / 0.3;
  run_end(&r);
  return a;
}

START_TEST(slopes)
{
  static const struct {
    double tangent, mu;
  } row[] = {{0.29, 0.3}, {0.31, 0.3}, {0.4, 0.2}, {0.58, 0.2},
             {0.62, 0.2}, {0.68, 0.2}, {0.72, 0.2}};
  double tangent = row[_i % 7].tangent, mu = row[_i % 7].mu, angle = atan(tangent),
         sine = sin(angle), cosine = cos(angle), m = 0.5, g = 9.81;
  double slides = g * (sine - mu * cosine), along = m * g * sine, down = -m * g * cosine, got, want;
  char body[1024];
  if (_i / 7 == 0) { /* a ball */
    snprintf(body, sizeof body,
             "<NewtonEulerDS id='b'><q0>0 0 0.05 1 0 0 0</q0><mass>0.5</mass><inertia diag='0.0005 "
             "0.0005 0.0005'/>"
             "<fExt>%.17g 0 %.17g</fExt><Sphere radius='0.05'/></NewtonEulerDS>",
             along, down);
    want = tangent < 3.5 * mu ? 5.0 / 7 * g * sine : slides;
    got = acceleration(body, "<Plane normal='0 0 1'/>", mu, _i % 2 ? "" : "eta='1'");
  } else if (_i / 7 == 1) { /* a disk */
    snprintf(body, sizeof body,
             "<RigidBody2dDS id='b'><q0>0 0.05 0</q0><mass>0.5</mass><inertia>0.000625</inertia>"
             "<fExt>%.17g %.17g</fExt><Disk radius='0.05'/></RigidBody2dDS>",
             along, down);
    want = tangent < 3 * mu ? 2.0 / 3 * g * sine : slides;
    got = acceleration(body, "<HalfPlane normal='0 1'/>", mu, "");
  } else { /* a box on its corners */
    snprintf(body, sizeof body,
             "<RigidBody2dDS id='b'><q0>0 0.02 0</q0><mass>0.5</mass><inertia>0.001</inertia>"
             "<fExt>%.17g %.17g</fExt><Rectangle size='0.2 0.04'/></RigidBody2dDS>",
             along, down);
    want = tangent < mu ? 0 : slides;
    got = acceleration(body, "<HalfPlane normal='0 1'/>", mu, "");
  }
  ck_assert_double_eq_tol(got, want, 2e-7);
}
END_TEST

/* ---- many ------------------------------------------------------------------------------------ */

/* n x n disks or balls in a lattice that is too narrow by up to 2 %, with speeds of a fixed seed:
 * all contacts have friction. */
static void crowd(char *text, int planar, int n, const char *law, double h)
{
  unsigned long seed = 7;
  size_t at = (size_t)snprintf(text, SPACE, HEAD);
  for (int k = 0; k < n * n; k++) {
    double x[4];
    for (int i = 0; i < 4; i++) x[i] = (double)(next_random(&seed) % 1000) / 1000;
    const char *body =
        planar ? "<RigidBody2dDS id='b%d'><q0>%.17g %.17g 0</q0><v0>%.17g %.17g "
                 "3</v0><mass>0.1</mass><inertia>1e-5</inertia>"
                 "<Disk radius='0.01'/></RigidBody2dDS>"
               : "<NewtonEulerDS id='b%d'><q0>%.17g %.17g 0 1 0 0 0</q0><v0>%.17g %.17g 0.2 1 2 "
                 "3</v0><mass>0.1</mass>"
                 "<inertia diag='1e-5 1e-5 1e-5'/><Sphere radius='0.01'/></NewtonEulerDS>";
    at += (size_t)snprintf(text + at, SPACE - at, body, k, 0.0199 * (k % n) + 1e-4 * x[0],
                           0.0199 * (k / n) + 1e-4 * x[1], x[2] - 0.5, x[3] - 0.5);
    ck_assert_uint_lt(at, SPACE);
  }
  snprintf(text + at, SPACE - at,
           "</systems><contacts>%s</contacts><simulation T='1'><TimeStepping h='%g'><MoreauJeanOSI "
           "theta='0.5'/>"
           "</TimeStepping></simulation></model>",
           law, h);
}

static const char *const crowds[] = {
    "<CompliantFrictionNSL K='1e4' C='1' Kt='5e3' Ct='0.5' mu='0.3'/>",
    "<CompliantFrictionNSL K='1e5' eta='1.5' C='10' Kt='8e4' mu='0.5'/>"};

START_TEST(momentum_is_kept)
{
  char text[SPACE];
  int planar = _i % 2;
  size_t dof = planar ? 3 : 6, n = 36;
  double P[3] = {0};
  crowd(text, planar, 6, crowds[_i / 2], 1);
  run r = steps(text, 0.02, 200, 0);
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < (planar ? 2u : 3u); i++)
      P[i] += 0.1 * (r.x->v[dof * k + i] - r.m->systems[k].v0[i]);
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(P[i], 0, 1e-13);
  ck_assert_double_le(r.x->cert->work_friction, 0);
  ck_assert_double_lt(r.x->cert->kinetic + r.x->cert->potential, r.x->cert->energy0);
  run_end(&r);
}
END_TEST

START_TEST(threads_leave_the_bytes)
{
  static const int threads[] = {2, 3, 8};
  char *text = malloc(8 * SPACE);
  size_t at = (size_t)snprintf(text, SPACE, HEAD);
  for (int k = 0; k < 324; k++) /* 612 contacts */
    at += (size_t)snprintf(
        text + at, 8 * SPACE - at,
        "<NewtonEulerDS id='b%d'><q0>%.17g %.17g 0 1 0 0 0</q0><v0>%d 0 0.2 1 2 "
        "3</v0><mass>0.1</mass>"
        "<inertia diag='1e-5 1e-5 1e-5'/><Sphere radius='0.01'/></NewtonEulerDS>",
        k, 0.0199 * (k % 18), 0.0199 * (k / 18), k % 3 - 1);
  snprintf(text + at, 8 * SPACE - at, "</systems><contacts>%s</contacts>" STEPS, crowds[_i]);
  run one = steps(text, 1e-3, 10, 1);
  for (int k = 0; k < 3; k++) {
    run r = steps(text, 1e-3, 10, threads[k]);
    ck_assert(one.x->bytes == r.x->bytes && !memcmp(one.x->block, r.x->block, r.x->bytes));
    run_end(&r);
  }
  run_end(&one);
  free(text);
}
END_TEST

START_TEST(checkpoints_keep_springs)
{
  char text[SPACE];
  change k = {.steps = 60};
  crowd(text, _i % 2, 4, crowds[_i / 2], 2e-4);
  ck_assert_int_eq(goes_on_the_same(text, &k, 6, 11), 1);
}
END_TEST

/* ---- bonds ----------------------------------------------------------------------------------- */

/* Pulled by a force that grows with 60 N/s each contact bears sigma: a disk has one, a box in the
 * plane two, one in space four; a body that comes to the ground later has none. */
START_TEST(bonds_of_shapes_break_once)
{
  static const char *const body[] = {
      "<RigidBody2dDS id='b'><q0>0 0.05 0</q0><mass>2</mass><inertia>0.01</inertia><fExt>0 "
      "-19.62+60*t</fExt><Disk radius='0.05'/></RigidBody2dDS>",
      "<RigidBody2dDS id='b'><q0>0 0.05 0</q0><mass>2</mass><inertia>0.01</inertia><fExt>0 "
      "-19.62+60*t</fExt><Rectangle size='0.1 0.1'/></RigidBody2dDS>",
      "<NewtonEulerDS id='b'><q0>0 0 0.05 1 0 0 0</q0><mass>2</mass><inertia diag='0.01 0.01 "
      "0.01'/><fExt>0 0 -19.62+60*t</fExt>"
      "<Box size='0.1 0.1 0.1'/></NewtonEulerDS>",
      "<RigidBody2dDS id='b'><q0>0 0.0501 0</q0><mass>2</mass><inertia>0.01</inertia><fExt>0 "
      "-19.62+60*t</fExt><Disk radius='0.05'/></RigidBody2dDS>"};
  static const int contacts[] = {1, 2, 4, 0};
  char text[SPACE];
  write_model(
      text,
      HEAD
      "%s</systems><contacts><CohesiveFrictionNSL en='0' mu='0.3' sigma='10'/>%s</contacts>" STEPS,
      body[_i], _i == 2 ? "<Plane normal='0 0 1'/>" : "<HalfPlane normal='0 1'/>");
  run r = steps(text, 1.2, 1200, 0);
  size_t v = 0;
  const char *label = _i == 2 ? "b.v_z" : "b.v_y";
  while (v < r.got.ncols && strcmp(r.got.labels[v], label)) v++;
  double due = (10 * contacts[_i] + 19.62) / 60;
  size_t row = r.got.nrows;
  while (row > 0 && r.got.rows[(row - 1) * r.got.ncols + v] > 1e-9) row--;
  double left = (double)row * 1e-3;
  ck_assert_double_ge(left, due);
  ck_assert_double_le(left, due + 3e-3);
  run_end(&r);
}
END_TEST

START_TEST(checkpoints_keep_bonds)
{
  static const char model[] = HEAD
      "<RigidBody2dDS id='b'><q0>0 0.05 0</q0><mass>2</mass><inertia>0.01</inertia><fExt>3*t "
      "-19.62+60*t</fExt>"
      "<Rectangle size='0.1 0.1'/></RigidBody2dDS></systems><contacts><CohesiveFrictionNSL en='0' "
      "mu='0.3' sigma='10'/><HalfPlane normal='0 1'/>"
      "</contacts><simulation T='1'><TimeStepping h='0.002'><MoreauJeanOSI "
      "theta='0.5'/></TimeStepping></simulation></model>";
  change k = {0};
  ck_assert_int_eq(goes_on_the_same(model, &k, 8, 3), 1);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("rigid compliance");
  TCase *t = tcase_create("rigid compliance");
  tcase_set_timeout(t, 240);
  tcase_add_test(t, steep_forces_are_stepped);
  tcase_add_loop_test(t, restitution_follows_damping, 0, 8);
  tcase_add_loop_test(t, springs_give_back_what_they_took, 0, 4);
  tcase_add_loop_test(t, spheres_of_hertz_meet, 0, 8);
  tcase_add_loop_test(t, a_stuck_contact_is_a_spring, 0, 3);
  tcase_add_loop_test(t, slopes, 0, 21);
  tcase_add_loop_test(t, momentum_is_kept, 0, 4);
  tcase_add_loop_test(t, threads_leave_the_bytes, 0, 2);
  tcase_add_loop_test(t, checkpoints_keep_springs, 0, 4);
  tcase_add_loop_test(t, bonds_of_shapes_break_once, 0, 4);
  tcase_add_test(t, checkpoints_keep_bonds);
  suite_add_tcase(s, t);
  return suite_end(s);
}
