/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Polyhedra, capsules and polygons that meet each other in event-driven runs: closed forms, one
 * motion on several shapes that have the same surface, momentum and energy of what collides in
 * free flight, the limit of time-stepping. */
#include "algebra/rotation.h"
#include "simulation/simulation.h"
#include "support/random_model.h"
#include "support/whole.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"
#define FINE "<CVodeOSI relativeTolerance='1e-11' absoluteTolerance='1e-13'/>"
#define EVENTS(T, h, osi) \
  "<simulation T='" T "'><EventDriven h='" h "'>" osi "</EventDriven></simulation></model>"

static const double G = 9.81;

enum { BOX, HULL, CAPSULE, BOX_AS_HULL, ROUND_BOX, ROUND_HULL, BALL, CYLINDER };

/* A shape about its middle, the same for the same generator whether a box is one or a hull. */
static void put_shape(generator *to, generator *g, int kind)
{
  double a[3];
  for (int i = 0; i < 3; i++) a[i] = between(g, 0.2, 0.5);
  switch (kind) {
  case BOX:
  case ROUND_BOX:
    put(to, "<Box size='%.17g %.17g %.17g' rounding='%.17g'/>", a[0], a[1], a[2],
        kind == BOX ? 0 : a[0] / 4);
    break;
  case CAPSULE: put(to, "<Capsule radius='%.17g' length='%.17g'/>", a[0] / 4, a[1]); break;
  case CYLINDER: put(to, "<Cylinder radius='%.17g' length='%.17g'/>", a[0] / 2, a[1]); break;
  default: {
    int n = kind == BOX_AS_HULL ? 8 : 9;
    put(to, "<ConvexHull points='");
    for (int k = 0; k < n; k++)
      for (int i = 0; i < 3; i++) {
        double corner = (k >> i & 1 ? 0.5 : -0.5) * a[i];
        const char *before = i ? " " : k ? "; " : "";
        put(to, "%s%.17g", before, kind == BOX_AS_HULL ? corner : between(g, -0.3, 0.3));
      }
    put(to, "' rounding='%g'/>", kind == ROUND_HULL ? 0.02 : 0);
  }
  }
}

/* Body k, turned at random, with a velocity and a spin. */
static void put_body(generator *to, generator *g, int k, const double *x, const double *v,
                     double spin)
{
  double axis[3], w[3], turn = between(g, 0, 3);
  for (int i = 0; i < 3; i++) axis[i] = between(g, -1, 1), w[i] = between(g, -spin, spin);
  ns_unit3(axis);
  put(to,
      "<NewtonEulerDS id='b%d'><q0 axis='%.17g %.17g %.17g' angle='%.17g'>%.17g %.17g %.17g</q0>"
      "<v0>%.17g %.17g %.17g %.17g %.17g %.17g</v0><mass>1</mass><inertia diag='0.02 0.03 "
      "0.025'/>",
      k, axis[0], axis[1], axis[2], turn, x[0], x[1], x[2], v[0], v[1], v[2], w[0], w[1], w[2]);
}

/* ---- one motion, whatever the shape of the ground -------------------------------------------- */

/* The next instant of impacts before an accumulation, which ends by tolerances: all impulses of it,
 * for those of corners that strike at once are not unique. 0: there are none. */
static int next_impact(const run *r, size_t *k, double *t, double *impulse)
{
  const ns_event *e = r->got.events;
  *t = -1;
  *impulse = 0;
  for (; *k < r->got.nevents && (*t < 0 || e[*k].t == *t); ++*k) {
    if (e[*k].kind == NS_EVENT_ACCUMULATION) return 0;
    int counts = e[*k].kind == NS_EVENT_IMPACT && (*t >= 0 || e[*k].before < -1e-3);
    if (!counts) continue;
    *t = e[*k].t;
    *impulse += e[*k].impulse;
  }
  return *t >= 0;
}

/* The same impacts at the same times. Returns how many. */
static int same_impacts(const run *a, const run *b)
{
  size_t at[2] = {0};
  double t[2], P[2];
  for (int n = 0;; n++) {
    int first = next_impact(a, &at[0], &t[0], &P[0]), second = next_impact(b, &at[1], &t[1], &P[1]);
    ck_assert_int_eq(first, second);
    if (!first) return n;
    ck_assert_double_eq_tol(t[0], t[1], 1e-7);
    ck_assert_double_eq_tol(P[0], P[1], 1e-6);
  }
}

/* What tumbles on a plane and on the faces of a large box and of a large hull; a box as a hull. */
START_TEST(table_is_a_ground)
{
  static const char *const grounds[] = {
      "<Plane/>", "<Box at='0 0 -5' size='30 40 10'/>",
      "<ConvexHull points='-20 -20 0; 25 -20 0; 0 30 0; 20 20 0; 0 0 -9; 5 5 -9'/>"};
  static const int kinds[] = {BOX, HULL, CAPSULE, ROUND_BOX, ROUND_HULL};
  enum { RUNS = 4 };
  int kind = kinds[_i % 5], runs = kind == BOX ? RUNS : RUNS - 1;
  run r[RUNS];
  for (int k = 0; k < runs; k++) {
    generator g = {.state = 301 + (unsigned long long)_i}, text = {.state = 1};
    double mu = between(&g, 0, 0.4), e = between(&g, 0.2, 0.6);
    put(&text, HEAD);
    put_body(&text, &g, 0, (double[]){0, 0, 0.7},
             (double[]){between(&g, -1, 1), between(&g, -1, 1), 0}, 6);
    put(&text, "<fExt>0 0 -9.81</fExt>");
    put_shape(&text, &g, k == RUNS - 1 ? BOX_AS_HULL : kind);
    put(&text,
        "</NewtonEulerDS></systems><contacts><NewtonImpactFrictionNSL en='%.17g' "
        "mu='%.17g'/>%s</contacts>" EVENTS("0.8", "0.1", FINE),
        e, mu, grounds[k % 3]);
    r[k] = whole(text.text);
  }
  for (int k = 1; k < runs; k++) {
    ck_assert_int_ge(same_impacts(&r[0], &r[k]), 2);
    for (int i = 0; i < 7 && count_of(&r[0], NS_EVENT_ACCUMULATION) == 0; i++)
      ck_assert_double_eq_tol(r[0].x->q[i], r[k].x->q[i], 1e-6);
  }
  for (int k = 0; k < runs; k++) run_end(&r[k]);
}
END_TEST

/* A ball, or a body with edges, on a box, from which it may fall, and on the surface of that as
 * triangles. */
static void fall_on_block(int i, int shape)
{
  static const char *const grounds[] = {"<Box size='1 0.8 1'/>",
                                        "<Mesh file='tests/data/block.stl'/>"};
  run r[2];
  for (int k = 0; k < 2; k++) {
    generator g = {.state = 501 + (unsigned long long)i}, text = {.state = 1};
    double mu = between(&g, 0, 0.4), e = between(&g, 0, 0.6), way = between(&g, 0, 6);
    put(&text, HEAD);
    put_body(&text, &g, 0, (double[]){between(&g, -0.3, 0.3), between(&g, -0.3, 0.3), 0.9},
             (double[]){cos(way), sin(way), 0}, 6);
    put(&text, "<fExt>0 0 -9.81</fExt>");
    if (shape == BALL) put(&text, "<Sphere radius='0.1'/>");
    else put_shape(&text, &g, shape);
    put(&text,
        "</NewtonEulerDS></systems><contacts><NewtonImpactFrictionNSL en='%.17g' mu='%.17g'/>%s"
        "</contacts>" EVENTS("0.6", "0.1", FINE),
        e, mu, grounds[k]);
    r[k] = whole(text.text);
  }
  ck_assert_int_ge(same_impacts(&r[0], &r[1]), 1);
  for (int j = 0; j < 7 && count_of(&r[0], NS_EVENT_ACCUMULATION) == 0; j++)
    ck_assert_double_eq_tol(r[0].x->q[j], r[1].x->q[j], 1e-5);
  run_end(&r[0]), run_end(&r[1]);
}

START_TEST(mesh_is_its_surface)
{
  static const int shapes[] = {BOX, HULL, CAPSULE, ROUND_HULL, BALL};
  fall_on_block(_i, shapes[_i % (int)(sizeof shapes / sizeof *shapes)]);
}
END_TEST

START_TEST(mesh_is_its_surface_to_cylinders) { fall_on_block(_i, CYLINDER); }
END_TEST

/* A roof along y as a field of n x n heights over 4 m: of many parts the near ones have rows. */
static void put_roof(generator *to, int n)
{
  put(to, "<HeightField spacing='%.17g' heights='", 4.0 / (n - 1));
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++)
      put(to, "%s%.17g", i ? " " : j ? "; " : "", 0.3 * (1 - fabs(2.0 * i / (n - 1) - 1)));
  }
  put(to, "'/>");
}

static void fall_on_roofs(int i, int shape)
{
  static const int sides[] = {3, 41};
  run r[2];
  for (int k = 0; k < 2; k++) {
    generator g = {.state = 601 + (unsigned long long)i}, text = {.state = 1};
    double mu = between(&g, 0, 0.4), e = between(&g, 0, 0.6), way = between(&g, 0, 6);
    put(&text, HEAD);
    put_body(&text, &g, 0, (double[]){between(&g, -0.5, 0.5), between(&g, -0.3, 0.3), 0.8},
             (double[]){2 * cos(way), 2 * sin(way), 0}, 6);
    put(&text, "<fExt>0 0 -9.81</fExt>");
    if (shape == BALL) put(&text, "<Sphere radius='0.1'/>");
    else put_shape(&text, &g, shape);
    put(&text,
        "</NewtonEulerDS></systems><contacts><NewtonImpactFrictionNSL en='%.17g' "
        "mu='%.17g'/>",
        e, mu);
    put_roof(&text, sides[k]);
    put(&text, "</contacts>" EVENTS("0.6", "0.1", FINE));
    r[k] = whole(text.text);
  }
  ck_assert_int_ge(same_impacts(&r[0], &r[1]), 1);
  for (int j = 0; j < 7 && count_of(&r[0], NS_EVENT_ACCUMULATION) == 0; j++)
    ck_assert_double_eq_tol(r[0].x->q[j], r[1].x->q[j], 1e-5);
  run_end(&r[0]), run_end(&r[1]);
}

START_TEST(fine_roof_is_a_coarse_one)
{
  static const int shapes[] = {BOX, HULL, CAPSULE, BALL};
  fall_on_roofs(_i, shapes[_i % 4]);
}
END_TEST

START_TEST(fine_roof_is_a_coarse_one_to_cylinders) { fall_on_roofs(_i, CYLINDER); }
END_TEST

/* ---- closed forms ---------------------------------------------------------------------------- */

/* A crate slides off a table, all turned at random: its front corners leave at the edge, its hind
 * ones as the centre is mu h/2 before it, h the height: from there on it tips about the edge. */
START_TEST(crate_slides_off_a_table)
{
  generator g = {.state = 91 + (unsigned long long)_i};
  double w = spread(&g, 0.1, 3), h = w * between(&g, 0.2, 0.8), mu = between(&g, 0.05, 0.3), b = 9;
  double x = -w * between(&g, 0.7, 1.2), v = sqrt(2 * mu * G * (w - x)) + between(&g, 0.5, 2);
  double wide = w * between(&g, 0.3, 2), leaves[2], to[2] = {-w / 2 - x, -mu * h / 2 - x};
  double axis[3] = {between(&g, -1, 1), between(&g, -1, 1), between(&g, 0.2, 1)};
  double p[4], M[9], at[3], vel[3], f[3], middle[3], angle = between(&g, 0.3, 3);
  for (int k = 0; k < 2; k++) leaves[k] = (v - sqrt(v * v - 2 * mu * G * to[k])) / (mu * G);
  ns_unit3(axis);
  for (int i = 0; i < 3; i++) axis[i] *= angle;
  ns_quaternion_exp(axis, p);
  ns_quaternion_matrix(p, M);
  b *= w;
  ns_mul3(M, (double[]){x, 0.2 * w, h / 2}, at);
  ns_mul3(M, (double[]){v, 0, 0}, vel);
  ns_mul3(M, (double[]){0, 0, -G}, f);
  ns_mul3(M, (double[]){-b / 2, 0, -b / 2}, middle);
  put(&g,
      HEAD "<NewtonEulerDS id='crate'><q0>%.17g %.17g %.17g %.17g %.17g %.17g %.17g</q0><v0>%.17g "
           "%.17g %.17g 0 0 0</v0><mass>1</mass><inertia diag='%.17g %.17g %.17g'/><fExt>%.17g "
           "%.17g %.17g</fExt><Box size='%.17g %.17g %.17g'/></NewtonEulerDS></systems>",
      at[0], at[1], at[2], p[0], p[1], p[2], p[3], vel[0], vel[1], vel[2],
      (wide * wide + h * h) / 12, (w * w + h * h) / 12, (w * w + wide * wide) / 12, f[0], f[1],
      f[2], w, wide, h);
  put(&g,
      "<contacts overlap='1e-6'><NewtonImpactFrictionNSL en='0.3' mu='%.17g'/><Box id='table' "
      "at='%.17g %.17g %.17g' turn='%.17g %.17g %.17g %.17g' size='%.17g %.17g %.17g'/></contacts>",
      mu, middle[0], middle[1], middle[2], p[0], p[1], p[2], p[3], b, b, b);
  put(&g,
      "<simulation T='%.17g'><EventDriven h='%.17g' gapTolerance='1e-9'>" FINE
      "</EventDriven></simulation></model>",
      leaves[1] + 0.02 * sqrt(w), leaves[1] / 9);
  run r = whole(g.text);
  const ns_event *last = NULL;
  for (size_t k = 0; k < r.got.nevents; k++)
    if (r.got.events[k].kind == NS_EVENT_RELEASE) last = &r.got.events[k];
  ck_assert_double_eq_tol(first_of(&r, NS_EVENT_RELEASE)->t, leaves[0], 1e-7 * leaves[0] + 1e-8);
  ck_assert_double_eq_tol(last->t, leaves[1], 1e-7 * leaves[1] + 1e-8);
  ck_assert_int_eq(count_of(&r, NS_EVENT_IMPACT), 0);
  ck_assert_double_le(fabs(r.x->cert->defect_max), 1e-7 * (1 + G * w));
  run_end(&r);
}
END_TEST

/* A box slides on another, askew, which slides on a ground without friction, until both go on as
 * one: after v/(mu g (1 + m/M)). */
START_TEST(box_slides_on_a_box)
{
  generator g = {.state = 41 + (unsigned long long)_i};
  double m = spread(&g, 0.2, 2), M = spread(&g, 0.5, 5), mu = between(&g, 0.1, 0.5),
         a = between(&g, 0.1, 0.3), v = between(&g, 0.3, 0.8), way = between(&g, 0, 6);
  double stops = v / (mu * G * (1 + m / M)), c = cos(way), s = sin(way);
  put(&g,
      HEAD "<NewtonEulerDS id='low'><q0 axis='0 0 1' angle='%.17g'>0 0 0.15</q0><mass>%.17g</mass>"
           "<inertia diag='%.17g %.17g %.17g'/><fExt>0 0 %.17g</fExt><Box size='2 2 0.3' "
           "material='ice'/></NewtonEulerDS>",
      between(&g, 0, 1), M, 0.34 * M, 0.34 * M, 0.67 * M, -G * M);
  put(&g,
      "<NewtonEulerDS id='high'><q0 axis='0 0 1' angle='%.17g'>%.17g 0 %.17g</q0><v0>%.17g %.17g "
      "0 0 0 0</v0><mass>%.17g</mass><inertia diag='%.17g %.17g %.17g'/><fExt>0 0 %.17g</fExt>"
      "<Box size='%.17g %.17g %.17g' material='wood'/></NewtonEulerDS></systems>",
      between(&g, 1, 2), 0.0, 0.3 + a / 2, v * c, v * s, m, m * a * a / 6, m * a * a / 6,
      m * a * a / 6, -G * m, a, a, a);
  put(&g,
      "<contacts overlap='1e-6'><NewtonImpactFrictionNSL en='0' mu='%.17g'/>"
      "<between materials='ice ground'><NewtonImpactFrictionNSL en='0' mu='0'/></between>"
      "<Plane material='ground'/></contacts><simulation T='%.17g'><EventDriven "
      "h='%.17g'>" FINE "</EventDriven></simulation></model>",
      mu, 1.2 * stops, stops / 5);
  run r = whole(g.text);
  ck_assert_double_eq_tol(first_of(&r, NS_EVENT_STICK)->t, stops, 1e-6 * stops);
  for (int b = 0; b < 2; b++) {
    ck_assert_double_eq_tol(r.x->v[6 * b], m * v * c / (m + M), 1e-6);
    ck_assert_double_eq_tol(r.x->v[6 * b + 1], m * v * s / (m + M), 1e-6);
  }
  ck_assert_int_eq(count_of(&r, NS_EVENT_IMPACT), 0);
  run_end(&r);
}
END_TEST

/* ---- collisions ------------------------------------------------------------------------------ */

/* Two of all kinds that fly at each other: with e = 1 and without friction energy stays, with both
 * momenta always; the second velocity is that of time-stepping with short steps. */
START_TEST(what_collides_keeps_its_momentum)
{
  static const int kinds[][2] = {
      {BOX, BOX},           {BOX, HULL},      {HULL, HULL},           {CAPSULE, BOX},
      {CAPSULE, HULL},      {ROUND_BOX, BOX}, {ROUND_BOX, ROUND_BOX}, {HULL, ROUND_BOX},
      {ROUND_HULL, CAPSULE}};
  generator g = {.state = 700 + (unsigned long long)_i}, text = {.state = 1};
  double velocity[2][3];
  int elastic = _i % 2;
  put(&text, HEAD);
  for (int b = 0; b < 2; b++) {
    double side = b ? 0.6 : -0.6;
    double *v = velocity[b], x[3] = {side, between(&g, -0.1, 0.1), between(&g, -0.1, 0.1)};
    v[0] = -side * between(&g, 2, 3);
    v[1] = between(&g, -0.2, 0.2), v[2] = between(&g, -0.2, 0.2);
    put_body(&text, &g, b, x, v, 4);
    put_shape(&text, &g, kinds[_i / 2 % 9][b]);
    put(&text, "</NewtonEulerDS>");
  }
  put(&text, "</systems><contacts><NewtonImpactFrictionNSL en='%d' mu='%s'/></contacts>", elastic,
      elastic ? "0" : "0.4");
  generator steps = {.state = 1};
  int is_round = _i / 2 % 9 > 4; /* the normal of a step late is another one */
  put(&steps,
      "%s<simulation T='0.6'><TimeStepping h='%s'><MoreauJeanOSI theta='0.5'/>"
      "</TimeStepping></simulation></model>",
      text.text, is_round ? "5e-6" : "2e-5");
  put(&text, "%s", EVENTS("0.6", "0.05", FINE));
  run r = whole(text.text);
  double momentum[2][3] = {{0}};
  for (int b = 0; b < 2; b++)
    for (int i = 0; i < 3; i++) {
      momentum[0][i] += velocity[b][i];
      momentum[1][i] += r.x->v[6 * b + i];
    }
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(momentum[0][i], momentum[1][i], 1e-9);
  ck_assert_double_le(fabs(r.x->cert->defect_max), 1e-8);
  if (elastic) {
    double lost = r.x->cert->work_contact + r.x->cert->work_friction;
    ck_assert_double_eq_tol(lost, 0, 1e-8);
  }
  run by = {.c = {.report = to_stderr}};
  by.m = load(steps.text, &by.c);
  ck_assert_msg(by.m && ns_simulation_create(&by.c, by.m, &by.s) == NS_OK, "%s", by.c.msg);
  by.x = ns_simulation_state(by.s);
  ck_assert_int_eq(run_keep(&by), NS_OK);
  /* with an impact or two; with more of them small differences grow */
  for (int i = 0; i < 14 && count_of(&r, NS_EVENT_IMPACT) <= 2; i++)
    ck_assert_double_eq_tol(by.x->q[i], r.x->q[i], 2e-3);
  run_end(&by);
  run_end(&r);
}
END_TEST

/* ---- polygons on lines ----------------------------------------------------------------------- */

/* What tumbles or slides in a valley of links, whose middle goes straight on, and in one of
 * polygons with its surface. */
START_TEST(valley_of_links_is_one_of_polygons)
{
  static const char *const valleys[] = {
      "<Polyline points='-3 1; -1 0; 1 0; 1.5 0; 4 1.5'/>",
      "<Polygon points='-3 -1; -1 -1; -1 0; -3 1'/><Polygon points='-1 -1; 1.5 -1; 1.5 0; -1 0'/>"
      "<Polygon points='1.5 -1; 4 -1; 4 1.5; 1.5 0'/>"};
  run r[2];
  for (int k = 0; k < 2; k++) {
    generator g = {.state = 411 + (unsigned long long)_i};
    int slides = _i % 2, n = slides ? 4 : 3 + pick(&g, 4);
    double turn = slides ? 0 : between(&g, -3, 3);
    put(&g,
        HEAD "<RigidBody2dDS id='d'><q0>%.17g %.17g %.17g</q0><v0>%.17g 0 %.17g</v0>"
             "<mass>1</mass><inertia>0.01</inertia><fExt>0 -9.81</fExt><Polygon points='",
        between(&g, -0.5, 0.5), slides ? 0.1 : 0.7, turn, slides ? 1.5 : between(&g, -1, 1),
        slides ? 0 : between(&g, -5, 5));
    for (int i = 0; i < n; i++) {
      double angle = 2 * acos(-1.0) * (i + (slides ? 0.5 : between(&g, -0.2, 0.2))) / n;
      double size = slides ? 0.1 * sqrt(2) : 0.2;
      put(&g, "%s%.17g %.17g", i ? "; " : "", size * cos(angle), size * sin(angle));
    }
    put(&g,
        "'/></RigidBody2dDS></systems><contacts overlap='1e-6'><NewtonImpactFrictionNSL "
        "en='%.17g' mu='%.17g'/>%s</contacts>" EVENTS("0.9", "0.1", FINE),
        between(&g, 0.1, 0.5), between(&g, 0, 0.2), valleys[k]);
    r[k] = whole(g.text);
    ck_assert_double_le(r[k].x->cert->defect_max, 1e-7);
  }
  same_impacts(&r[0], &r[1]);
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(r[0].x->q[i], r[1].x->q[i], 1e-6);
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(r[0].x->v[i], r[1].x->v[i], 1e-5);
  run_end(&r[0]), run_end(&r[1]);
}
END_TEST

/* A box that turns and slides on its four corners, whose load is not unique, and friction by how it
 * is shared: one rule for both integrators, by the equations of which the four loads depend on each
 * other. */
static void turning_box(generator *to, unsigned seed, const char *osi)
{
  generator g = {.state = seed};
  double a[3], v[3], m = spread(&g, 0.1, 100), turn = between(&g, -3, 3);
  for (int i = 0; i < 3; i++) a[i] = between(&g, 0.1, 0.3), v[i] = between(&g, -1, 1);
  put(to,
      HEAD "<NewtonEulerDS id='b'><q0 axis='0 0 1' angle='%.17g'>0 0 %.17g</q0><v0>%.17g %.17g 0 0 "
           "0 %.17g</v0>",
      turn, a[2] / 2, v[0], v[1], 10 * v[2]);
  put(to,
      "<mass>%.17g</mass><inertia diag='%.17g %.17g %.17g'/><fExt>0 0 %.17g</fExt><Box size='%.17g "
      "%.17g %.17g'/></NewtonEulerDS></systems>",
      m, m * (a[1] * a[1] + a[2] * a[2]) / 12, m * (a[0] * a[0] + a[2] * a[2]) / 12,
      m * (a[0] * a[0] + a[1] * a[1]) / 12, -m * G, a[0], a[1], a[2]);
  put(to,
      "<contacts><NewtonImpactFrictionNSL en='0' mu='%.17g'/><Plane/></contacts>" EVENTS("1", "0.1",
                                                                                         "%s"),
      between(&g, 0.1, 0.25), osi);
}

START_TEST(box_turns_on_four_corners)
{
  run r[2];
  for (int k = 0; k < 2; k++) {
    generator g = {.state = 1};
    turning_box(&g, 900 + (unsigned)_i, k ? "<IDAOSI/>" : "<CVodeOSI/>");
    r[k] = whole(g.text);
    ck_assert_double_le(r[k].x->cert->defect_max, 1e-7 * r[k].x->cert->energy0);
  }
  for (size_t i = 0; i < r[0].m->nq; i++) ck_assert_double_eq_tol(r[0].x->q[i], r[1].x->q[i], 1e-7);
  for (size_t i = 0; i < r[0].m->nv; i++) ck_assert_double_eq_tol(r[0].x->v[i], r[1].x->v[i], 1e-6);
  run_end(&r[0]), run_end(&r[1]);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 240);
  tcase_add_loop_test(t, table_is_a_ground, 0, few_of(20));
  tcase_add_loop_test(t, mesh_is_its_surface, 0, few_of(20));
  tcase_add_loop_test(t, mesh_is_its_surface_to_cylinders, 0, some_of(12));
  tcase_add_loop_test(t, fine_roof_is_a_coarse_one, 0, 8);
  tcase_add_loop_test(t, fine_roof_is_a_coarse_one_to_cylinders, 0, some_of(8));
  tcase_add_loop_test(t, crate_slides_off_a_table, 0, 8);
  tcase_add_loop_test(t, box_slides_on_a_box, 0, 6);
  tcase_add_loop_test(t, box_turns_on_four_corners, 0, 6);
  tcase_add_loop_test(t, what_collides_keeps_its_momentum, 0, few_of(36));
  tcase_add_loop_test(t, valley_of_links_is_one_of_polygons, 0, some_of(10));
}

int main(void) { return suite_run("event-driven polyhedra", fill); }
