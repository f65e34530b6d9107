/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Projected schemes: where the origin is has no say. Random bodies that bounce and come to rest,
 * with fixed seeds, run once with the ground at 0 and once with everything moved: velocities and
 * positions agree but for rounding in every row.
 *
 * Half of them have steps, weights and heights that are round numbers: gaps are then multiples of
 * g h^2 / 2^k and meet the tests of the schemes with equality.
 *
 * The rule of direct projection is tried by its formulas, and rest in steps of any length. More
 * models in `make check-long`. */
#include "support/random_model.h"
#include "support/run.h"

enum { MODELS = 150, OFFSETS = 4 };

/* Times more models. */
static int longer(void) { return getenv("NSSIM_LONG") ? 20 : 1; }

typedef struct scene {
  int planar, bodies; /* planar: disks; points: the gap is a formula */
  double h, g, e, height[2], mass[2], speed;
  char integrator[160];
} scene;

static void choose_integrator(generator *r, scene *s)
{
  static const char *const theta[] = {"0.5", "0.5", "0.5", "1", "0.75"};
  static const char *const option[] = {"DirectProjectionOSI",
                                       "DirectProjectionOSI activation='1e-7'",
                                       "DirectProjectionOSI activation='1e-3'",
                                       "DirectProjectionOSI gamma='1'",
                                       "DirectProjectionOSI metric='identity'",
                                       "CombinedProjectionOSI",
                                       "CombinedProjectionOSI",
                                       "CombinedProjectionOSI metric='identity'"};
  snprintf(s->integrator, sizeof s->integrator, "<MoreauJean%s theta='%s'/>", option[pick(r, 8)],
           theta[pick(r, 5)]);
}

static scene choose(unsigned long long seed)
{
  static const double restitution[] = {0, 0.25, 0.5, 0.5, 0.5, 0.75, 0.9, 1};
  generator r = {.state = seed};
  int round = uniform(&r) < 0.5;
  scene s = {.planar = pick(&r, 2), .bodies = 1 + pick(&r, 2), .speed = between(&r, -1, 1)};
  s.h = round ? 1. / 128 : spread(&r, 2e-3, 1e-2);
  s.g = round ? 8 : between(&r, 1, 20);
  s.e = restitution[pick(&r, 8)];
  double lift = 0;
  for (int i = 0; i < 2; i++) {
    double drop = s.g * s.h * s.h / 2;
    lift += round ? drop * pick(&r, 600) : between(&r, 0, 0.3);
    s.height[i] = lift;
    s.mass[i] = round ? 1 + pick(&r, 4) : between(&r, 0.3, 3);
  }
  choose_integrator(&r, &s);
  return s;
}

static void put_steps(generator *m, const scene *s)
{
  put(m, "<simulation T='256*%.17g'><TimeStepping h='%.17g'>%s</TimeStepping></simulation>", s->h,
      s->h, s->integrator);
}

/* Points above each other on a line; the ground is at `at`, by constants or in a formula. */
static void write_points(generator *m, const scene *s, double at)
{
  put(m, "<systems>");
  for (int i = 0; i < s->bodies; i++)
    put(m,
        "<LagrangianLinearTIDS id='p%d' coordinates='z'><q0>%.17g+(%.17g)</q0><mass>%.17g</mass>"
        "<fExt>-%.17g*%.17g</fExt></LagrangianLinearTIDS>",
        i, s->height[i], at, s->mass[i], s->mass[i], s->g);
  put(m, "</systems><interactions><interaction id='ground' systems='p0'>");
  if (s->planar) put(m, "<LagrangianScleronomousR><h>z-(%.17g)</h></LagrangianScleronomousR>", at);
  else put(m, "<LagrangianLinearTIR><H>1</H><e>-(%.17g)</e></LagrangianLinearTIR>", at);
  put(m, "<NewtonImpactNSL e='%g'/></interaction>", s->e);
  if (s->bodies == 2)
    put(m,
        "<interaction id='pair' systems='p0 p1'><LagrangianLinearTIR><H>-1 "
        "1</H></LagrangianLinearTIR>"
        "<NewtonImpactNSL e='%g'/></interaction>",
        s->e);
  put(m, "</interactions>");
  put_steps(m, s);
}

/* Disks or spheres side by side that move along their ground. */
static void write_shapes(generator *m, const scene *s, double at)
{
  put(m, "<systems>");
  for (int i = 0; i < s->bodies; i++) {
    double z = 0.125 + s->height[i] + at;
    if (s->planar)
      put(m,
          "<RigidBody2dDS id='p%d'><q0>%d %.17g 0</q0><v0>%.17g 0 "
          "0</v0><mass>%.17g</mass><inertia>0.01</inertia>"
          "<fExt>0 -%.17g*%.17g</fExt><Disk radius='0.125'/></RigidBody2dDS>",
          i, i * 4, z, s->speed, s->mass[i], s->mass[i], s->g);
    else
      put(m,
          "<NewtonEulerDS id='p%d'><q0>%d 0 %.17g 1 0 0 0</q0><v0>%.17g 0 0 0 0 "
          "0</v0><mass>%.17g</mass>"
          "<inertia diag='0.01 0.01 0.01'/><fExt>0 0 -%.17g*%.17g</fExt><Sphere "
          "radius='0.125'/></NewtonEulerDS>",
          i, i * 4, z, s->speed, s->mass[i], s->mass[i], s->g);
  }
  put(m, "</systems><contacts><NewtonImpactFrictionNSL en='%g' mu='0.3'/>", s->e);
  if (s->planar) put(m, "<HalfPlane at='0 %.17g'/></contacts>", at);
  else put(m, "<Plane at='0 0 %.17g'/></contacts>", at);
  put_steps(m, s);
}

/* Bodies in space over a plane, by rows of interactions. */
static void write_rows(generator *m, const scene *s, double at)
{
  put(m, "<systems>");
  for (int i = 0; i < s->bodies; i++)
    put(m,
        "<NewtonEulerDS id='p%d'><q0>%d 0 %.17g 1 0 0 0</q0><v0>%.17g 0 0 0 0 "
        "0</v0><mass>%.17g</mass>"
        "<inertia diag='0.01 0.01 0.01'/><fExt>0 0 -%.17g*%.17g</fExt></NewtonEulerDS>",
        i, i, s->height[i] + at, s->speed, s->mass[i], s->mass[i], s->g);
  put(m, "</systems><interactions>");
  for (int i = 0; i < s->bodies; i++)
    put(m,
        "<interaction id='ground%d' systems='p%d'><NewtonEuler1DR><P1>x y z</P1>"
        "<P2>x y %.17g</P2><n>0 0 1</n></NewtonEuler1DR><NewtonImpactNSL e='%g'/></interaction>",
        i, i, at, s->e);
  put(m, "</interactions>");
  put_steps(m, s);
}

static run play(void (*write)(generator *, const scene *, double), const scene *s, double at)
{
  generator m = {0};
  put(&m, "<model xmlns='urn:nssim:model:1' name='m'>");
  write(&m, s, at);
  put(&m, "</model>");
  return run_play(m.text);
}

/* The column of a height or velocity of body i. */
static size_t column(const run *r, int shapes, const scene *s, int i, int speed)
{
  char label[32];
  const char *axis = shapes && s->planar ? "y" : "z";
  snprintf(label, sizeof label, speed ? "p%d.v_%s" : "p%d.%s", i, axis);
  return capture_column(&r->got, label);
}

static void agree(const run *a, const run *b, int shapes, const scene *s, double at, int seed)
{
  double fastest = s->g * s->h, worst = 0, apart = 0;
  ck_assert_uint_eq(a->got.nrows, b->got.nrows);
  for (int i = 0; i < s->bodies; i++) {
    size_t z = column(a, shapes, s, i, 0), v = column(a, shapes, s, i, 1);
    for (size_t k = 0; k < a->got.nrows; k++) {
      const double *ra = a->got.rows + k * a->got.ncols, *rb = b->got.rows + k * b->got.ncols;
      fastest = fmax(fastest, fabs(ra[v]));
      worst = fmax(worst, fabs(ra[v] - rb[v]));
      apart = fmax(apart, fabs(ra[z] + at - rb[z]));
    }
  }
  ck_assert_msg(worst <= 1e-9 * fastest,
                "seed %d, %s e = %g, moved by %g: speeds differ by %g of %g", seed, s->integrator,
                s->e, at, worst, fastest);
  ck_assert_msg(apart <= 1e-9, "seed %d, %s e = %g, moved by %g: heights differ by %g", seed,
                s->integrator, s->e, at, apart);
}

static void moved_ground(void (*write)(generator *, const scene *, double), int shapes)
{
  for (int seed = 1; seed <= MODELS * longer(); seed++) {
    scene s = choose((unsigned long long)seed + (shapes ? 7000 : 0));
    generator r = {.state = (unsigned long long)seed};
    double at[OFFSETS] = {0.1, -0.3, 1. / 3, shapes ? 100.1 : 1000};
    double offset = seed % 5 ? at[seed % OFFSETS] : between(&r, -50, 50);
    run a = play(write, &s, 0), b = play(write, &s, offset);
    agree(&a, &b, shapes, &s, offset, seed);
    run_end(&a);
    run_end(&b);
  }
}

START_TEST(points_on_a_ground_anywhere) { moved_ground(write_points, 0); }
END_TEST

START_TEST(shapes_on_a_ground_anywhere) { moved_ground(write_shapes, 1); }
END_TEST

START_TEST(rows_on_a_ground_anywhere) { moved_ground(write_rows, 0); }
END_TEST

/* ---- the rule of direct projection ----------------------------------------------------------- */

/* The scheme with theta = gamma = 1/2, y in g h^2, v in g h: tau, far above rounding and far below
 * a gap, decides where there is equality. */
static void follow_the_rule(double e, double at)
{
  scene s = {.bodies = 1, .h = 5e-3, .g = 9.81, .e = e, .height = {0.3}, .mass = {2}};
  snprintf(s.integrator, sizeof s.integrator, "<MoreauJeanDirectProjectionOSI/>");
  run r = play(write_points, &s, at);
  double y = 0.3 / (s.g * s.h * s.h), v = 0, tau = 1e-8 / (s.g * s.h * s.h);
  for (size_t k = 1; k < r.got.nrows; k++) {
    int active = y + v / 2 <= tau;
    double after = active ? fmax(v - 1, -e * v) : v - 1;
    y += (v + after) / 2;
    v = after;
    if (active && y < -tau) y = 0;
    ck_assert_double_eq_tol(run_at(&r, k, "p0.v_z"), v * s.g * s.h, 1e-10);
    ck_assert_double_eq_tol(run_at(&r, k, "p0.z") - at, y * s.g * s.h * s.h, 1e-10);
  }
  run_end(&r);
}

START_TEST(a_contact_that_leaves_flies)
{
  static const double e[] = {0, 0.3, 0.5, 0.9}, at[] = {0, 0.1, -0.3, 1e3};
  for (int k = 0; k < 4; k++) follow_the_rule(e[_i], at[k]);
}
END_TEST

/* Where the rule would let go: a loaded contact at y = 0 that moves away keeps its impulse with
 * activation, and has none without. */
START_TEST(activation_can_be_switched_off)
{
  static const char *const option[] = {"activation='0'", "activation='1e-7'"};
  scene s = {.bodies = 1, .h = 5e-3, .g = 9.81, .e = 0.5, .height = {0.3}, .mass = {2}};
  int kept = 0;
  snprintf(s.integrator, sizeof s.integrator, "<MoreauJeanDirectProjectionOSI %s/>", option[_i]);
  run r = play(write_points, &s, 0.1);
  for (size_t k = 1; k < r.got.nrows; k++) {
    double y = run_at(&r, k - 1, "p0.z") - 0.1, v = run_at(&r, k - 1, "p0.v_z");
    if (y + s.h * v / 2 > 1e-7 && run_at(&r, k, "ground.lambda") > 0) kept++;
  }
  if (_i == 0) ck_assert_int_eq(kept, 0);
  else ck_assert_int_gt(kept, 0);
  run_end(&r);
}
END_TEST

/* A ball at rest is at rest from the first step, however short that is. */
START_TEST(rest_in_steps_of_any_length)
{
  static const double h[] = {1e-2, 1e-4, 1e-5, 1e-6}, at[] = {0, 0.1, 1. / 3, 1e3};
  static const char *const integrator[] = {"Direct", "Combined"};
  scene s = {.bodies = 1, .h = h[_i % 4], .g = 9.81, .e = 0.5, .mass = {2}};
  snprintf(s.integrator, sizeof s.integrator, "<MoreauJean%sProjectionOSI/>", integrator[_i / 4]);
  for (int k = 0; k < 4; k++) {
    run r = play(write_points, &s, at[k]);
    for (size_t i = 1; i < r.got.nrows; i++) {
      ck_assert_double_le(fabs(run_at(&r, i, "p0.v_z")), 1e-15);
      ck_assert_double_eq_tol(run_at(&r, i, "ground.lambda"), s.h * 2 * s.g, 1e-14 * s.h);
    }
    run_end(&r);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, points_on_a_ground_anywhere);
  tcase_add_test(t, rows_on_a_ground_anywhere);
  tcase_add_test(t, shapes_on_a_ground_anywhere);
  tcase_add_loop_test(t, a_contact_that_leaves_flies, 0, 4);
  tcase_add_loop_test(t, activation_can_be_switched_off, 0, 2);
  tcase_add_loop_test(t, rest_in_steps_of_any_length, 0, 8);
}

int main(void) { return suite_run("projection origin", fill); }
