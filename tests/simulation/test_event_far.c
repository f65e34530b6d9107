/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes that are far from each other in event-driven runs, whose gaps are not looked at: none of
 * them meets another unseen, however long the steps of the flow are. */
#include "simulation/simulation.h"
#include "support/random_model.h"
#include "support/whole.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"
#define FINE "<CVodeOSI relativeTolerance='1e-11' absoluteTolerance='1e-13'/>"

/* ---- a gas ----------------------------------------------------------------------------------- */

enum { PLANE, SPACE, ECCENTRIC, LOOSE, KINDS };

/* Body i of them in a cell of its own of a grid of side 3. */
static void put_body(generator *g, int kind, int i)
{
  double x = i % 3 - 1 + between(g, -0.1, 0.1), y = i / 3 % 3 - 1 + between(g, -0.1, 0.1),
         z = i / 9 - 0.5 + between(g, -0.1, 0.1), m = spread(g, 0.2, 5);
  if (kind == PLANE) {
    put(g,
        "<RigidBody2dDS id='b%d'><q0>%.17g %.17g 0</q0><v0>%.17g %.17g %.17g</v0><mass>%.17g</mass>"
        "<inertia>0.02</inertia><Disk radius='%.17g'/></RigidBody2dDS>",
        i, x, y, between(g, -2, 2), between(g, -2, 2), between(g, -5, 5), m, between(g, 0.1, 0.3));
    return;
  }
  double off = kind == ECCENTRIC ? between(g, 0.05, 0.15) : 0;
  put(g,
      "<NewtonEulerDS id='b%d'><q0>%.17g %.17g %.17g 1 0 0 0</q0><v0>%.17g %.17g %.17g %.17g %.17g "
      "%.17g</v0><mass>%.17g</mass><inertia diag='0.02 0.03 0.04'/>"
      "<fExt>0 0 %.17g</fExt><Sphere radius='%.17g' at='%.17g 0 0'/></NewtonEulerDS>",
      i, x, y, z, between(g, -2, 2), between(g, -2, 2), between(g, -2, 2), between(g, -9, 9),
      between(g, -9, 9), between(g, -9, 9), m, kind == LOOSE ? -9.81 * m : 0, between(g, 0.1, 0.25),
      off);
}

/* Bodies in a box that keep their energy. Rows and their certificate compute all gaps: an impact
 * that was missed is an overlap there. */
START_TEST(a_gas_misses_nothing)
{
  generator g = {.state = 700 + (unsigned long long)_i};
  int kind = _i % KINDS, n = kind == PLANE ? 9 : 18;
  put(&g, HEAD);
  for (int i = 0; i < n; i++) put_body(&g, kind, i);
  put(&g, "</systems><contacts><NewtonImpactNSL e='1'/>");
  for (int k = 0; k < (kind == PLANE ? 4 : 6); k++) {
    int sign = k % 2 ? -1 : 1, to[3] = {0};
    to[k / 2] = sign;
    if (kind == PLANE)
      put(&g, "<HalfPlane normal='%d %d' at='%g %g'/>", to[0], to[1], -1.6 * to[0], -1.6 * to[1]);
    else
      put(&g, "<Plane normal='%d %d %d' at='%g %g %g'/>", to[0], to[1], to[2], -1.6 * to[0],
          -1.6 * to[1], -1.6 * to[2]);
  }
  put(&g, "</contacts><simulation T='1.5'><EventDriven h='0.01'>" FINE
          "</EventDriven></simulation></model>");
  run r = whole(g.text);
  const ns_certificate *k = r.x->cert;
  ck_assert_int_ge((int)k->impacts, n);
  ck_assert_double_eq_tol(k->kinetic + k->potential, k->energy0, 1e-8 * k->energy0);
  run_end(&r);
}
END_TEST

/* ---- one long step --------------------------------------------------------------------------- */

/* A ball thrown against a ceiling that it touches near the top of its flight, which one step of the
 * flow goes over, with a row at the end alone: it comes back from there when it should. */
START_TEST(a_ceiling_is_struck_in_a_long_step)
{
  generator g = {.state = 900 + (unsigned long long)_i};
  double G = 9.81, v = between(&g, 4, 12), R = between(&g, 0.05, 0.3),
         top = v * v / (2 * G) * between(&g, 0.3, 0.999), e = between(&g, 0.2, 1),
         slow = sqrt(v * v - 2 * G * top), strikes = (v - slow) / G, down = e * slow,
         T = strikes + 0.9 * (sqrt(down * down + 2 * G * (top + 1)) - down) / G, t = T - strikes,
         z = top - down * t - G * t * t / 2;
  put(&g,
      HEAD "<NewtonEulerDS id='b'><q0>0 0 0 1 0 0 0</q0><v0>0 0 %.17g %.17g %.17g 0</v0>"
           "<mass>2</mass><inertia diag='1 1 1'/><fExt>0 0 %.17g</fExt><Sphere radius='%.17g'/>"
           "</NewtonEulerDS></systems><contacts><NewtonImpactNSL e='%.17g'/>"
           "<Plane normal='0 0 -1' at='0 0 %.17g'/><Plane normal='0 0 1' at='0 0 -9'/></contacts>"
           "<simulation T='%.17g'><EventDriven h='%.17g'>" FINE
           "</EventDriven></simulation></model>",
      v, between(&g, -3, 3), between(&g, -3, 3), -2 * G, R, e, top + R, T, T);
  run r = whole(g.text);
  ck_assert_int_eq((int)r.x->cert->impacts, 1);
  ck_assert_double_eq_tol(first_of(&r, NS_EVENT_IMPACT)->t, strikes, 1e-8);
  ck_assert_double_eq_tol(r.x->q[2], z, 1e-7);
  run_end(&r);
}
END_TEST

/* Two disks on a spring near a wall: the one at rest is fast on its way to it, slow where it is. */
START_TEST(a_wall_is_struck_on_a_spring)
{
  run r = whole(
      HEAD "<RigidBody2dDS id='a'><q0>0 0 0</q0><v0>3 0 0</v0><mass>1</mass><inertia>1</inertia>"
           "<Disk radius='0.1'/></RigidBody2dDS><RigidBody2dDS id='b'><q0>1 0 0</q0><mass>2</mass>"
           "<inertia>1</inertia><Disk radius='0.1'/></RigidBody2dDS></systems><interactions>"
           "<spring id='s' systems='a b' stiffness='100' restLength='1'/></interactions>"
           "<contacts><NewtonImpactNSL e='0.7'/><HalfPlane at='1.6 0' normal='-1 0'/></contacts>"
           "<simulation T='1'><EventDriven h='0.015'><CVodeOSI relativeTolerance='1e-10'/>"
           "</EventDriven></simulation></model>");
  ck_assert_int_ge((int)r.x->cert->impacts, 1);
  run_end(&r);
}
END_TEST

/* ---- many gaps ------------------------------------------------------------------------------- */

/* Twelve boxes that slide on a plane far from each other, with 4300 gaps and 13,000 rows: each
 * comes to rest after v^2/(2 mu g) along its velocity, as its pressure is ahead of its centre. */
START_TEST(boxes_slide_as_if_alone)
{
  enum { N = 12 };
  generator g = {.state = 800 + (unsigned long long)_i};
  double G = 9.81, mu = between(&g, 0.2, 0.5), to[N][3], T = 2 / (mu * G);
  double at[3] = {between(&g, -1, 1), between(&g, -1, 1), between(&g, -100, 100)};
  put(&g, HEAD);
  for (int i = 0; i < N; i++) {
    double x = i % 4 * 9 + 10 * at[0], y = i / 4 * 9 + 10 * at[1], a = between(&g, 0, 3),
           way = between(&g, 0, 6), v = between(&g, 0.5, 1.8), half = between(&g, 0.05, 0.15),
           m = spread(&g, 0.1, 10), rest = v * v / (2 * mu * G);
    to[i][0] = x + rest * cos(way);
    to[i][1] = y + rest * sin(way);
    to[i][2] = a;
    put(&g,
        "<NewtonEulerDS id='b%d'><q0>%.17g %.17g %.17g %.17g 0 0 %.17g</q0><v0>%.17g %.17g 0 0 0 "
        "0</v0><fExt>0 0 %.17g</fExt><mass>%.17g</mass><inertia diag='%.17g %.17g %.17g'/>"
        "<Box size='%.17g %.17g %.17g'/></NewtonEulerDS>",
        i, x, y, at[2] + half, cos(a / 2), sin(a / 2), v * cos(way), v * sin(way), -m * G, m,
        0.1 * m, 0.2 * m, 0.2 * m, 1.0, between(&g, 0.7, 1.2), 2 * half);
  }
  put(&g,
      "</systems><contacts><NewtonImpactFrictionNSL en='0' mu='%.17g'/><Plane normal='0 0 1' "
      "at='0 0 %.17g'/></contacts><simulation T='%.17g'><EventDriven h='%.17g'>" FINE
      "</EventDriven></simulation></model>",
      mu, at[2], T, T / 10);
  run r = whole(g.text);
  for (int i = 0; i < N; i++) {
    const double *q = r.x->q + r.m->systems[i].q;
    for (int k = 0; k < 2; k++) ck_assert_double_eq_tol(q[k], to[i][k], 1e-8);
    ck_assert_double_eq_tol(2 * atan2(q[6], q[3]), to[i][2], 1e-8);
  }
  ck_assert_int_eq(count_of(&r, NS_EVENT_STICK), 4 * N);
  run_end(&r);
}
END_TEST

/* When domino i begins to turn, s. */
static double struck_at(const run *r, int i)
{
  char label[40];
  size_t column = 0, row = 0;
  snprintf(label, sizeof label, "domino%d.Omega_y", i);
  while (strcmp(r->got.labels[column], label) != 0) column++;
  while (row < r->got.nrows && r->got.rows[row * r->got.ncols + column] < 0.3) row++;
  ck_assert_uint_lt(row, r->got.nrows);
  return r->got.rows[row * r->got.ncols];
}

/* Dominoes by events fall as by steps whose length goes to 0. */
START_TEST(dominoes_fall_as_by_steps)
{
  enum { N = 3 };
  const char *const set[] = {"n=3", NULL};
  double when[3][N + 1], h[] = {NAN, 4e-4, 1e-4};
  for (int k = 0; k < 3; k++) {
    run r = run_load_as(k ? "models/dominoes/dominoes.xml" : "models/dominoes/dominoes-events.xml",
                        set, 0.2, h[k]);
    r.m->out.every = 1;
    ck_assert_int_eq(run_keep(&r), NS_OK);
    if (k == 0) ck_assert_double_le(fmax(r.x->cert->motion_defect, r.x->cert->law_breach), 1);
    for (int i = 2; i <= N; i++) when[k][i] = struck_at(&r, i);
    run_end(&r);
  }
  for (int i = 2; i <= N; i++) {
    double coarse = fabs(when[1][i] - when[0][i]), fine = fabs(when[2][i] - when[0][i]);
    ck_assert_double_gt(when[0][i], i == 2 ? 0.05 : when[0][i - 1] + 0.03);
    ck_assert_double_le(fine, 8 * h[2]);
    ck_assert_double_le(fine, 0.6 * coarse + h[2]);
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("far shapes");
  TCase *t = tcase_create("far shapes");
  tcase_add_loop_test(t, a_gas_misses_nothing, 0, 5 * KINDS);
  tcase_add_loop_test(t, a_ceiling_is_struck_in_a_long_step, 0, 60);
  tcase_add_test(t, a_wall_is_struck_on_a_spring);
  tcase_add_loop_test(t, boxes_slide_as_if_alone, 0, 3);
  tcase_add_test(t, dominoes_fall_as_by_steps);
  tcase_set_timeout(t, 120);
  suite_add_tcase(s, t);
  return suite_end(s);
}
