/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Springs, dampers, tendons and formulas between points of bodies: tangents against differences,
 * what is kept, closed forms. */
#include "model/systems/rigid_force.h"
#include "support/rigid_bodies.h"
#include "support/rigid_runs.h"

#define STEPS(h, T) \
  "<simulation T='" T "'><TimeStepping h='" h \
  "'><MoreauJeanOSI theta='0.5'/></TimeStepping></simulation>"
#define BODY(id, q, v) \
  "<NewtonEulerDS id='" id "' inputs='u'><q0>" q "</q0><v0>" v \
  "</v0><mass>2</mass><inertia diag='1 2 1.5'/></NewtonEulerDS>"
#define DISK(id, q, v) \
  "<RigidBody2dDS id='" id "' inputs='u'><q0>" q "</q0><v0>" v \
  "</v0><mass>2</mass><inertia>1.5</inertia></RigidBody2dDS>"

static void play(run *r) { ck_assert_msg(run_keep(r) == NS_OK, "%s", r->c.msg); }
static double last(const run *r, const char *label) { return run_at(r, r->got.nrows - 1, label); }

/* ---- tangents -------------------------------------------------------------------------------- */

/* Forces on bodies a, b, c in space, then in the plane. */
static const char *const in_space[] = {
    "<spring id='s' systems='a b' point1='0.3 -0.2 0.5' point2='-0.1 0.7 0.2' stiffness='7' "
    "damping='2' restLength='0.4' preload='3'/>",
    "<spring id='s' systems='a' point1='0.3 -0.2 0.5' point2='-1 0.7 0.2' stiffness='7' "
    "damping='2' restLength='0.4'/>",
    "<damper id='s' systems='a b' point1='0.3 -0.2 0.5' point2='-0.1 0.7 0.2' damping='2'/>",
    "<spring id='s' systems='a b' point1='0.3 -0.2 0.5'><along>-length^3*exp(rate/2) + "
    "a.u*t</along></spring>",
    "<tendon id='s' systems='a world b c' points='0.3 -0.2 0.5 -1 0.7 0.2 0.1 0.1 0.1 0.3 0 0.2' "
    "stiffness='7' damping='0.2' restLength='1'/>",
    "<tendon id='s' systems='a b a' points='0.3 -0.2 0.5 -1 0.7 0.2 0.1 0.1 0.1'><along>-length^2 "
    "- 3*rate</along></tendon>",
    "<tendon id='s' systems='a world b c' points='0.3 -0.2 0.5 -1 0.7 0.2 0.1 0.1 0.1 0.3 0 0.2' "
    "strands='2 0 0.5' pushes='true' stiffness='7' damping='0.2' restLength='20'/>",
    "<force id='s' systems='a b' point1='0.3 -0.2 0.5' point2='-0.1 0.7 0.2'><along>-x*v_y/length "
    "+ t*rate</along>"
    "<vector>-x+v_y*z y*length-z*v_z x*y*z-v_x</vector></force>",
    "<force id='s' systems='b' point1='0.3 -0.2 0.5' point2='-0.1 0.7 0.2'><vector>-x+v_y*z "
    "y*length-z*v_z x*y*z-v_x*b.u</vector></force>"};
static const char *const in_plane[] = {
    "<spring id='s' systems='a b' point1='0.3 -0.2' point2='-0.1 0.7' stiffness='7' damping='2' "
    "restLength='0.4'/>",
    "<spring id='s' systems='b' point1='0.3 -0.2' point2='-0.1 "
    "0.7'><along>-length^3*exp(rate/2)</along></spring>",
    "<tendon id='s' systems='a world b c' points='0.3 -0.2 -1 0.7 0.1 0.1 0.3 0.4' stiffness='7' "
    "damping='0.2' restLength='1'/>",
    "<tendon id='s' systems='a world b c' points='0.3 -0.2 -1 0.7 0.1 0.1 0.3 0.4' strands='0.5 3 "
    "1' pushes='true'><along>-length^2 + 3*rate</along></tendon>",
    "<force id='s' systems='a b' point1='0.3 -0.2' point2='-0.1 "
    "0.7'><along>-x*v_y/length*angle</along><vector>-x+v_y*y y*length-v_angle*x</vector>"
    "<torque>-angle^3-v_angle*x+rate</torque></force>",
    "<force id='s' systems='c' point1='0.3 -0.2' point2='-0.1 0.7'><vector>-x*angle+v_y*y "
    "y*length</vector><torque>-angle*v_angle</torque></force>"};
enum { SPACE = sizeof in_space / sizeof *in_space, PLANE = sizeof in_plane / sizeof *in_plane };

typedef struct bodies {
  run r;
  int planar, dof;
  double q[21], v[18], z[3], work[512];
} bodies;

/* At random places. */
static bodies some_bodies(int k, unsigned seed)
{
  bodies b = {.planar = k >= SPACE, .z = {0.3, -0.7, 1.1}};
  const char *force = b.planar ? in_plane[k - SPACE] : in_space[k];
  b.dof = b.planar ? 3 : 6;
  b.r = b.planar
            ? mechanics("<systems>" DISK("a", "0 0 0", "0 0 0") DISK("b", "2 0 0", "0 0 0") DISK(
                            "c", "0 3 0",
                            "0 0 0") "</systems><interactions>%s</interactions>" STEPS("1e-2", "1"),
                        force)
            : mechanics(
                  "<systems>" BODY("a", "0 0 0 1 0 0 0", "0 0 0 0 0 0") BODY("b", "2 0 0 1 0 0 0",
                                                                             "0 0 0 0 0 0")
                      BODY("c", "0 3 0 1 0 0 0",
                           "0 0 0 0 0 0") "</systems><interactions>%s</interactions>" STEPS("1e-2",
                                                                                            "1"),
                  force);
  for (int i = 0; i < 3; i++)
    if (b.planar) any_vector(&seed, 3, b.q + 3 * i);
    else any_pose(&seed, b.q + 7 * i);
  any_vector(&seed, 3 * b.dof, b.v);
  return b;
}

/* Of all bodies [3 dof]; K, C [(3 dof)^2] by columns unless NULL. Returns what the force is. */
static ns_drive_state at_state(bodies *b, const double *q, const double *v, double *F, double *K,
                               double *C)
{
  double f[NS_DRIVE_WIDTH], k[NS_DRIVE_WIDTH * NS_DRIVE_WIDTH], c[NS_DRIVE_WIDTH * NS_DRIVE_WIDTH],
      turn[NS_DRIVE_WIDTH * NS_DRIVE_WIDTH];
  const ns_body_force *force = &b->r.m->forces[0];
  ns_drive_state s = {.F = f, .K = k, .C = c, .turn = turn};
  int n = 3 * b->dof, width = force->nends * b->dof;
  ck_assert_uint_le(ns_body_force_work(b->r.m), 512);
  ck_assert_msg(ns_body_force_eval(b->r.m, &b->r.c, force, 0.7, q, v, b->z, NULL, b->work, &s) ==
                    NS_OK,
                "%s", b->r.c.msg);
  memset(F, 0, (size_t)n * sizeof *F);
  if (K) memset(K, 0, (size_t)(n * n) * sizeof *K);
  if (C) memset(C, 0, (size_t)(n * n) * sizeof *C);
  for (int j = 0; j < width; j++) {
    int to = force->end[j / b->dof].system * b->dof + j % b->dof;
    if (to < 0) continue;
    F[to] += f[j];
    for (int i = 0; i < width; i++) {
      int row = force->end[i / b->dof].system * b->dof + i % b->dof;
      if (row < 0) continue;
      if (K) K[row + to * n] += k[i + j * width] + turn[i + j * width];
      if (C) C[row + to * n] += c[i + j * width];
    }
  }
  return s;
}

static void displace(const bodies *b, int j, double e, double *q)
{
  double step[6] = {0};
  const ns_system *s = &b->r.m->systems[j / b->dof];
  step[j % b->dof] = 1;
  ns_rigid_move(s, e, step, q + s->q);
}

START_TEST(tangents_are_derivatives)
{
  bodies b = some_bodies(_i % (SPACE + PLANE), 11 + (unsigned)_i);
  double F[18], K[18 * 18], C[18 * 18], up[18], down[18], e = 1e-5;
  int n = 3 * b.dof;
  at_state(&b, b.q, b.v, F, K, C);
  for (int j = 0; j < n; j++)
    for (int of_v = 0; of_v < 2; of_v++) {
      for (int side = 0; side < 2; side++) {
        double q[21], v[18], by = side ? -e : e;
        memcpy(q, b.q, sizeof q);
        memcpy(v, b.v, sizeof v);
        if (of_v) v[j] += by;
        else displace(&b, j, by, q);
        at_state(&b, q, v, side ? down : up, NULL, NULL);
      }
      for (int i = 0; i < n; i++) {
        double got = (of_v ? C : K)[i + j * n], want = -(up[i] - down[i]) / (2 * e);
        ck_assert_msg(fabs(got - want) <= 1e-7 * (1 + fabs(want)),
                      "%s: dF[%d]/d%s[%d] is %.12g, differences give %.12g",
                      b.planar ? in_plane[_i % (SPACE + PLANE) - SPACE]
                               : in_space[_i % (SPACE + PLANE)],
                      i, of_v ? "v" : "q", j, got, want);
      }
    }
  run_end(&b.r);
}
END_TEST

/* Power is F V; bodies alone get no momentum and no angular momentum. */
START_TEST(forces_react)
{
  bodies b = some_bodies(_i % (SPACE + PLANE), 23 + (unsigned)_i);
  const ns_body_force *f = &b.r.m->forces[0];
  double F[18], power = 0, force[3] = {0}, moment[3] = {0}, world = 0;
  ns_drive_state s = at_state(&b, b.q, b.v, F, NULL, NULL);
  for (int i = 0; i < 3 * b.dof; i++) power += F[i] * b.v[i];
  ck_assert_double_eq_tol(power, s.power, 1e-12 * (1 + fabs(power)));
  for (int k = 0; k < f->nends; k++) world += f->end[k].system < 0;
  for (int k = 0; k < 3 && !world; k++) {
    double w[3] = {F[b.dof * k], F[b.dof * k + 1], b.planar ? 0 : F[b.dof * k + 2]},
           turn[3] = {0, 0, F[b.dof * k + b.dof - 1]}, about[3], R[9];
    double x[3] = {b.q[b.planar ? 3 * k : 7 * k], b.q[b.planar ? 3 * k + 1 : 7 * k + 1],
                   b.planar ? 0 : b.q[7 * k + 2]};
    if (!b.planar) ns_quaternion_matrix(b.q + 7 * k + 3, R);
    if (!b.planar) ns_mul3(R, F + 6 * k + 3, turn);
    ns_cross3(x, w, about);
    for (int i = 0; i < 3; i++) {
      force[i] += w[i];
      moment[i] += turn[i] + about[i];
    }
  }
  for (int i = 0; i < 3; i++) {
    ck_assert_double_le(fabs(force[i]), 1e-13);
    ck_assert_double_le(fabs(moment[i]), 1e-13 * (1 + fabs(power)));
  }
  run_end(&b.r);
}
END_TEST

/* ---- closed forms ---------------------------------------------------------------------------- */

/* Masses 2 and 2, reduced 1, on a spring of k = 9 at rest length 1, along a line off every axis:
 * stretch 0.3 cos(3 t). */
static double oscillator_error(const char *h)
{
  run r = mechanics(
      "<systems>" BODY("a", "0.3 0.4 0.5 1 0 0 0", "0.1 0.2 0.3 0 0 0")
          BODY("b", "0.3+1.3*2/3 0.4+1.3*2/3 0.5+1.3/3 1 0 0 0",
               "0.1 0.2 0.3 0 0 0") "</systems><interactions>"
                                    "<spring id='s' systems='a b' stiffness='9' "
                                    "restLength='1'/></interactions>"
                                    "<simulation T='2'><TimeStepping h='%s'><MoreauJeanOSI "
                                    "theta='0.5'/></TimeStepping></simulation>",
      h);
  play(&r);
  double e = fabs(last(&r, "s.length") - 1 - 0.3 * cos(3 * 2.));
  ck_assert_double_eq_tol(last(&r, "s.force"), -9 * (last(&r, "s.length") - 1), 1e-13);
  ck_assert_double_eq_tol(last(&r, "a.v_x") + last(&r, "b.v_x"), 0.2, 1e-14);
  ck_assert_double_eq_tol(last(&r, "a.v_z") + last(&r, "b.v_z"), 0.6, 1e-14);
  /* on a line the energy of the trapezoidal rule is exact */
  ck_assert_double_le(r.x->cert->defect_max, 1e-13);
  ck_assert_double_eq_tol(r.x->cert->potential, 4.5 * pow(last(&r, "s.length") - 1, 2), 1e-13);
  run_end(&r);
  return e;
}

START_TEST(two_masses_swing_with_the_reduced_mass)
{
  double a = oscillator_error("1e-2"), b = oscillator_error("5e-3");
  ck_assert_double_eq_tol(log2(a / b), 2, 0.01);
  ck_assert_double_le(b, 0.3 * 27. / 12 * 25e-6 * 2); /* phase omega^3 h^2 t/12 */
}
END_TEST

/* Relative velocity of two bodies: a step multiplies it by (1 - x)/(1 + x), x = h c/(2 mu), mu = 1.
 */
START_TEST(damper_decays)
{
  run r = mechanics("<systems>" BODY("a", "0 0 0 1 0 0 0", "1 0 0 0 0 0") BODY(
      "b", "5 0 0 1 0 0 0", "0.5 0 0 0 0 0") "</systems>"
                                             "<interactions><damper id='s' systems='a b' "
                                             "damping='40'/></interactions>" STEPS("1e-2", "1"));
  play(&r);
  double x = 1e-2 * 40 / 2, want = -0.5;
  for (size_t k = 1; k < r.got.nrows; k++) {
    want *= (1 - x) / (1 + x);
    ck_assert_double_eq_tol(run_at(&r, k, "s.rate"), want, 1e-14);
  }
  ck_assert_double_le(r.x->cert->defect_max, 1e-14);
  ck_assert_double_eq_tol(r.x->cert->work_force, (want * want - 0.25) / 2,
                          1e-13); /* mu/2 of the squares of rates */
  run_end(&r);
}
END_TEST

/* Kepler: 1/length^2 between masses, mu = G (m1 + m2) = 1, eccentricity 0.5, semi-axis 1, from the
 * far point: after a half turn, pi, the near one. */
static double kepler_error(const char *steps, double *drift)
{
  run r = mechanics(
      "<systems>" BODY("a", "3 -2 1 1 0 0 0", "0 -sqrt(1./3)/2 0 0 0 0") BODY(
          "b", "4.5 -2 1 1 0 0 0",
          "0 sqrt(1./3)/2 0 0 0 0") "</systems><interactions><force id='s' systems='a "
                                    "b'><along>-1/length^2</along></force></interactions>"
                                    "<simulation T='pi'><TimeStepping h='pi/%s'><MoreauJeanOSI "
                                    "theta='0.5'/></TimeStepping></simulation>",
      steps);
  play(&r);
  double d[2] = {last(&r, "b.x") - last(&r, "a.x") + 0.5, last(&r, "b.y") - last(&r, "a.y")};
  double now = 0; /* angular momentum about the centre of mass, at 3.75 -2 */
  const char *id[] = {"a", "b"};
  for (int k = 0; k < 2; k++) {
    double q[7], v[6];
    body_at(&r, r.got.nrows - 1, id[k], q, v);
    now += 2 * ((q[0] - 3.75) * v[1] - (q[1] + 2) * v[0]);
  }
  *drift = fabs(now - 1.5 * sqrt(1. / 3));
  run_end(&r);
  return hypot(d[0], d[1]);
}

START_TEST(kepler_is_of_second_order)
{
  double L[2], a = kepler_error("400", &L[0]), b = kepler_error("800", &L[1]);
  ck_assert_double_eq_tol(log2(a / b), 2, 0.05);
  ck_assert_double_le(b, 1e-3);
  ck_assert_double_le(L[1], fmax(1e-12, 0.3 * L[0])); /* kept to the order of the scheme: forces are
                                                         taken at both ends of a step */
}
END_TEST

/* ---- two ways to say the same ---------------------------------------------------------------- */

static void agree(const run *a, const run *b, const char *const *label, size_t n, double tol)
{
  ck_assert_uint_eq(a->got.nrows, b->got.nrows);
  for (size_t k = 0; k < a->got.nrows; k++)
    for (size_t i = 0; i < n; i++) {
      double x = run_at(a, k, label[2 * i]), y = run_at(b, k, label[2 * i + 1]);
      ck_assert_msg(fabs(x - y) <= tol * (1 + fabs(x)), "row %zu: %s is %.15g, %s %.15g", k,
                    label[2 * i], x, label[2 * i + 1], y);
    }
}
#define BOTH(name) name, name

/* Bodies in the plane, and the same in space. */
START_TEST(plane_and_space_agree)
{
#define FLAT(id, x, phi, v, omega) \
  BODY(id, x " 0 cos(" phi "/2) 0 0 sin(" phi "/2)", v " 0 0 0 " omega)
  static const char *const label[] = {BOTH("a.x"),
                                      BOTH("a.y"),
                                      BOTH("b.v_x"),
                                      BOTH("b.v_y"),
                                      BOTH("c.x"),
                                      BOTH("c.v_y"),
                                      BOTH("s.length"),
                                      BOTH("s.rate"),
                                      BOTH("s.force"),
                                      BOTH("s.power"),
                                      BOTH("t.length"),
                                      BOTH("t.force"),
                                      BOTH("f.length"),
                                      BOTH("f.power"),
                                      BOTH("d.rate"),
                                      BOTH("diagnostics.potential"),
                                      BOTH("diagnostics.work_force"),
                                      "a.v_angle",
                                      "a.Omega_z"};
  run a = mechanics(
      "<systems>" DISK("a", "0 0 0.3", "1 0.2 3") DISK("b", "2 0.5 -0.2", "0 -1 -2")
          DISK("c", "1 2 1",
               "0 0 1") "</systems><interactions>"
                        "<spring id='s' systems='a b' point1='0.3 0.1' point2='-0.4 0.2' "
                        "stiffness='30' damping='0.4' restLength='1'/>"
                        "<tendon id='t' systems='b world c a' points='0.1 0.2 1 3 0.3 0.3 0 -0.5' "
                        "stiffness='20' restLength='4'/>"
                        "<force id='f' systems='c a' point1='0.1 0' point2='0.5 "
                        "0.5'><along>-3/length^2</along><vector>-x*y -5*y-v_x</vector></force>"
                        "<damper id='d' systems='c' point1='0.1 0' point2='-1 0.5' "
                        "damping='0.3'/></interactions>" STEPS("1e-2", "2"));
  run b = mechanics(
      "<systems>" FLAT("a", "0 0", "0.3", "1 0.2", "3") FLAT("b", "2 0.5", "-0.2", "0 -1", "-2")
          FLAT("c", "1 2", "1", "0 0",
               "1") "</systems><interactions>"
                    "<spring id='s' systems='a b' point1='0.3 0.1 0' point2='-0.4 0.2 0' "
                    "stiffness='30' damping='0.4' restLength='1'/>"
                    "<tendon id='t' systems='b world c a' points='0.1 0.2 0 1 3 0 0.3 0.3 0 0 -0.5 "
                    "0' stiffness='20' restLength='4'/>"
                    "<force id='f' systems='c a' point1='0.1 0 0' point2='0.5 0.5 "
                    "0'><along>-3/length^2</along><vector>-x*y -5*y-v_x 0</vector></force>"
                    "<damper id='d' systems='c' point1='0.1 0 0' point2='-1 0.5 0' "
                    "damping='0.3'/></interactions>" STEPS("1e-2", "2"));
  play(&a);
  play(&b);
  agree(&a, &b, label, sizeof label / sizeof *label / 2, 1e-10);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* Two masses that do not turn, and the same as a Lagrangian system with a formula: the same scheme,
 * the same numbers. */
START_TEST(rigid_and_lagrangian_agree)
{
  static const char *const label[] = {"a.x",
                                      "u.x",
                                      "a.y",
                                      "u.y",
                                      "b.x",
                                      "u.X",
                                      "b.v_y",
                                      "u.v_Y",
                                      "diagnostics.kinetic",
                                      "diagnostics.kinetic"};
  run a = mechanics("<systems>" BODY("a", "0 0 0 1 0 0 0", "0 0.5 0 0 0 0") BODY(
      "b", "1 0.2 0 1 0 0 0",
      "0 -1 0 0 0 0") "</systems><interactions>"
                      "<spring id='s' systems='a b' stiffness='40' damping='0.3' "
                      "restLength='0.8'/></interactions>" STEPS("1e-2", "3"));
  run b = mechanics("<systems><LagrangianDS id='u' coordinates='x y X Y'><q0>0 0 1 0.2</q0><v0>0 "
                    "0.5 0 -1</v0><mass diag='2 2 2 2'/><fInt>"
#define LENGTH "sqrt((x-X)^2+(y-Y)^2)"
#define TENSION "(40*(" LENGTH "-0.8)+0.3*((x-X)*(v_x-v_X)+(y-Y)*(v_y-v_Y))/" LENGTH ")/" LENGTH
                    TENSION "*(x-X) " TENSION "*(y-Y) -" TENSION "*(x-X) -" TENSION "*(y-Y)"
                    "</fInt></LagrangianDS></systems>" STEPS("1e-2", "3"));
  play(&a);
  play(&b);
  agree(&a, &b, label, sizeof label / sizeof *label / 2, 1e-10);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* A body that hangs at a point by a spring without rest length, at its zero length at first, and by
 * a ball joint: they differ by the stretch, weight over stiffness. */
static double hung_error(const char *hold)
{
  run r = mechanics(
      "<systems><NewtonEulerDS id='a'><q0 axis='1 0 0' angle='1'>0 0 0</q0><v0>0 0 0 0 0 "
      "3</v0><mass>2</mass><inertia diag='1 2 1.5'/>"
      "<fExt>0 0 -20</fExt></NewtonEulerDS></systems><interactions>%s</interactions>" STEPS("1e-3",
                                                                                            "1"),
      hold);
  play(&r);
  double x = last(&r, "a.Omega_x");
  run_end(&r);
  return x;
}

START_TEST(stiff_spring_is_a_ball_joint)
{
  double joint = hung_error("<interaction id='j' systems='a'><KneeJointR point='0 0 0.5' "
                            "axes='body'/><EqualityConditionNSL/></interaction>");
  double p2[] = {0, -0.5 * sin(1.), 0.5 * cos(1.)}, error[3];
  static const double stiffness[] = {1e4, 1e6, 1e8};
  for (int k = 0; k < 3; k++) {
    char hold[256];
    snprintf(hold, sizeof hold,
             "<spring id='s' systems='a' point1='0 0 0.5' point2='%.17g %.17g %.17g' "
             "stiffness='%g' damping='%g' restLength='0'/>",
             p2[0], p2[1], p2[2], stiffness[k], 2 * sqrt(stiffness[k]));
    error[k] = fabs(hung_error(hold) - joint);
  }
  ck_assert_double_le(error[1], error[0] / 30);
  ck_assert_double_le(error[2], 1e-4);
}
END_TEST

/* ---- networks -------------------------------------------------------------------------------- */

/* Seven bodies at random places, joined by springs between random points and by a tendon; at an
 * origin of its own. Drifts of momentum, angular momentum and energy. */
typedef struct drifts {
  double momentum, angular, energy, newton;
} drifts;

static drifts network(unsigned seed, double h, double stiffness, double origin, double theta)
{
  enum { N = 7 };
  char systems[4096], forces[4096];
  size_t n = 0, m = 0;
  for (int i = 0; i < N; i++) {
    double q[7], v[6];
    any_pose(&seed, q);
    any_vector(&seed, 6, v);
    n += (size_t)snprintf(systems + n, sizeof systems - n,
                          "<NewtonEulerDS id='b%d' gyroscopic='midpoint'><q0>%.17g %.17g %.17g "
                          "%.17g %.17g %.17g %.17g</q0>"
                          "<v0>%.17g %.17g %.17g %.17g %.17g %.17g</v0><mass>%g</mass><inertia "
                          "diag='1 1.2 1.4'/></NewtonEulerDS>",
                          i, origin + 3 * q[0], origin + 3 * q[1], 3 * q[2], q[3], q[4], q[5], q[6],
                          v[0], v[1], v[2], v[3], v[4], v[5], 1 + 0.3 * i);
    double p[6];
    any_vector(&seed, 6, p);
    for (int j = 1; j < 3 && i + j < N; j++)
      m += (size_t)snprintf(forces + m, sizeof forces - m,
                            "<spring id='s%d_%d' systems='b%d b%d' point1='%g %g %g' point2='%g %g "
                            "%g' stiffness='%g'%s/>",
                            i, j, i, i + j, p[0], p[1], p[2], p[3], p[4], p[5], stiffness,
                            stiffness > 1e6 ? "" : " restLength='0.5'");
  }
  run r = mechanics("<systems>%s</systems><interactions>%s<tendon id='t' systems='b0 b3 b6' "
                    "stiffness='20' restLength='3'/></interactions>"
                    "<simulation T='1'><TimeStepping h='%.17g'><MoreauJeanOSI "
                    "theta='%g'/></TimeStepping></simulation>",
                    systems, forces, h, theta);
  double sum[2][6] = {{0}};
  drifts d = {0};
  play(&r);
  for (int row = 0; row < 2; row++)
    for (int i = 0; i < N; i++) {
      double q[7], v[6], l[3], R[9], spin[3], turn[3], mass = 1 + 0.3 * i;
      char id[8];
      snprintf(id, sizeof id, "b%d", i);
      body_at(&r, row ? r.got.nrows - 1 : 0, id, q, v);
      q[0] -= origin, q[1] -= origin;
      ns_cross3(q, v, l);
      ns_quaternion_matrix(q + 3, R);
      for (int k = 0; k < 3; k++) spin[k] = (1 + 0.2 * k) * v[3 + k];
      ns_mul3(R, spin, turn);
      for (int k = 0; k < 3; k++) {
        sum[row][k] += mass * v[k];
        sum[row][3 + k] += mass * l[k] + turn[k];
      }
    }
  for (int k = 0; k < 3; k++) {
    d.momentum = fmax(d.momentum, fabs(sum[1][k] - sum[0][k]));
    d.angular = fmax(d.angular, fabs(sum[1][3 + k] - sum[0][3 + k]));
  }
  d.energy = fabs(r.x->cert->defect);
  for (size_t k = 1; k < r.got.nrows; k++)
    d.newton = fmax(d.newton, run_at(&r, k, "diagnostics.newton"));
  run_end(&r);
  return d;
}

START_TEST(networks_keep_what_they_have)
{
  double origin = _i % 2 ? 100 : 0;
  drifts a = network(5 + (unsigned)_i, 4e-3, 20, origin, 0.5),
         b = network(5 + (unsigned)_i, 2e-3, 20, origin, 0.5),
         c = network(5 + (unsigned)_i, 1e-3, 20, origin, 0.5);
  ck_assert_double_le(b.momentum, 1e-10);
  ck_assert_double_le(c.momentum, 1e-10);
  ck_assert_double_le(b.energy, 0.4 * a.energy + 1e-9);
  ck_assert_double_le(c.energy, 0.4 * b.energy + 1e-9); /* order 2 */
  ck_assert_double_le(c.angular, 0.4 * b.angular + 1e-9);
  ck_assert_double_le(c.newton, 4);
}
END_TEST

/* k h^2/m = 1e6 at random, at rest lengths, with velocities of 1 m/s: passes stay few, and theta =
 * 1 takes the vibrations away. */
START_TEST(stiff_networks_take_few_passes)
{
  drifts a = network(50 + (unsigned)_i, 1e-2, 1e10, 0, 1);
  ck_assert_double_le(a.newton, 12);
  ck_assert_double_le(a.momentum, 1e-5); /* what the tolerance leaves of forces of 1e10 N/m */
}
END_TEST

/* ---- beside contacts; event by event --------------------------------------------------------- */

/* Two boxes that slide on a floor, a third body upon one of them, all joined by springs: however
 * stiff these are, a step takes few passes, and what slides comes to rest at the same place. */
static double boxes_rest(double stiffness, double *newton)
{
#define BOX(id, x, v) \
  "<NewtonEulerDS id='" id "'><q0>" x " 0 0.5 1 0 0 0</q0><v0>" v \
  " 0 0 0 0 0</v0><mass>1</mass><inertia diag='0.1 0.1 0.1'/>" \
  "<fExt>0 0 -9.81</fExt><Box size='1 1 1'/></NewtonEulerDS>"
  run r = mechanics(
      "<systems>" BOX("a", "0",
                      "1") "<NewtonEulerDS id='b'><q0>0 0 2 1 0 0 0</q0><fExt>0 0 "
                           "-9.81</fExt><mass>1</mass><inertia diag='0.3 0.2 0.25'/>"
                           "</NewtonEulerDS>" BOX(
                               "d", "3",
                               "0") "</systems><interactions>"
                                    "<spring id='s1' systems='a b' point1='0.5 0.5 0.5' "
                                    "stiffness='%g' damping='1'/>"
                                    "<spring id='s2' systems='a b' point1='-0.5 0.5 0.5' "
                                    "stiffness='%g' damping='1'/>"
                                    "<spring id='s3' systems='a b' point1='0 -0.5 0.5' "
                                    "stiffness='%g' damping='1'/>"
                                    "<spring id='s4' systems='a d' point1='0.5 0 0' point2='-0.5 0 "
                                    "0' stiffness='%g'/></interactions>"
                                    "<contacts><NewtonImpactFrictionNSL en='0' mu='0.3'/><Plane "
                                    "id='floor'/></contacts>"
                                    "<simulation T='0.5'><TimeStepping h='1e-3'><MoreauJeanOSI "
                                    "theta='0.55'/></TimeStepping></simulation>",
      stiffness, stiffness, stiffness, stiffness);
  play(&r);
  *newton = 0;
  for (size_t k = 1; k < r.got.nrows; k++)
    *newton += run_at(&r, k, "diagnostics.newton") / (double)(r.got.nrows - 1);
  ck_assert_double_le(fabs(last(&r, "a.v_x")), 1e-3);
  double x = last(&r, "a.x");
  ck_assert_double_eq_tol(last(&r, "d.x") - x, 3, 2e-3);
  run_end(&r);
  return x;
}

START_TEST(stiff_springs_beside_contacts)
{
  static const double stiffness[] = {1e7, 1e9, 1e12};
  double newton, x = boxes_rest(stiffness[_i], &newton);
  ck_assert_double_le(newton, 4);
  ck_assert_double_eq_tol(
      x, 0.017,
      0.003); /* (m v)^2 / (2 M mu M g): 1/(2 3 0.3 3 9.81) = 0.0189 without what tilts the boxes */
}
END_TEST

/* Time-stepping goes to what CVODE makes of the same forces, by its order. */
static void last_place(const char *simulation, double *q)
{
  run r = mechanics(
      "<systems>" BODY("a", "0 0 0 1 0 0 0", "0.1 0.3 0 1 2 3")
          BODY("b", "1 0.5 0.2 1 0 0 0",
               "0 0 1 -1 2 0") "</systems><interactions>"
                               "<spring id='s' systems='a b' point1='0.1 0.2 0' point2='0 0.1 "
                               "-0.3' stiffness='100' damping='1' restLength='0.5'/>"
                               "<force id='g' systems='b a' point1='0 0 0.1'><along>3/length^2 + "
                               "t*rate</along><vector>-x+v_y -2*y*z -z*z+length</vector></force>"
                               "<tendon id='w' systems='a world b' points='0 0 0 0 0 2 0.1 0 0' "
                               "stiffness='50' restLength='0'/></interactions>%s",
      simulation);
  play(&r);
  double v[6];
  body_at(&r, r.got.nrows - 1, "a", q, v);
  body_at(&r, r.got.nrows - 1, "b", q + 7, v);
  run_end(&r);
}

START_TEST(event_driven_runs_agree)
{
  double want[14], got[14], error[2] = {0};
  last_place("<simulation T='1'><EventDriven h='0.1'><CVodeOSI relativeTolerance='1e-11' "
             "absoluteTolerance='1e-13'/></EventDriven></simulation>",
             want);
  for (int k = 0; k < 2; k++) {
    last_place(k ? STEPS("5e-4", "1") : STEPS("1e-3", "1"), got);
    for (int i = 0; i < 14; i++) error[k] = fmax(error[k], fabs(got[i] - want[i]));
  }
  ck_assert_double_eq_tol(log2(error[0] / error[1]), 2, 0.05);
  ck_assert_double_le(error[1], 1e-4);
}
END_TEST

/* ---- nets ------------------------------------------------------------------------------------ */

/* A net of n x n masses in the plane, hung at two corners by bodies that are held, on springs, with
 * sparse factors where it is large. stone: a disk that lies on a floor far away, so that there is a
 * problem with rows, for which factors are dense. */
static double net_bottom(int n, double stiffness, int stone, double *newton)
{
  const char *disk =
      "<RigidBody2dDS id='stone'><q0>50 -99.5 0</q0><fExt>0 "
      "-9.81</fExt><mass>1</mass><inertia>0.1</inertia><Disk radius='0.5'/></RigidBody2dDS>";
  const char *floor = "<contacts><NewtonImpactFrictionNSL en='0' mu='0.3'/><HalfPlane id='floor' "
                      "at='0 -100'/></contacts>";
  run r = mechanics(
      "<parameters><parameter name='k' value='%g'/><parameter name='n' "
      "value='%d'/></parameters><systems>"
      "<repeat index='i' from='0' to='n*n-1'><RigidBody2dDS id='m{i}'><q0>mod(i, n) -floor(i/n) "
      "0</q0><mass>1</mass><inertia>0.1</inertia>"
      "<fExt>0 -9.81</fExt></RigidBody2dDS></repeat>"
      "<RigidBody2dDS id='left'><q0>-0.5 1 0</q0><mass>1</mass><inertia>1</inertia><fixed "
      "coordinates='x y angle'/></RigidBody2dDS>"
      "<RigidBody2dDS id='right'><q0>n-0.5 1 0</q0><mass>1</mass><inertia>1</inertia><prescribed "
      "coordinates='x y angle'>0.1 0 0</prescribed>"
      "</RigidBody2dDS>%s</systems>%s<interactions>"
      "<repeat index='i' from='0' to='n-1'><repeat index='j' from='0' to='n-2'>"
      "<spring id='h{i}_{j}' systems='m{n*i+j} m{n*i+j+1}' point1='0.1 0.02' stiffness='k' "
      "damping='1'/>"
      "<spring id='v{i}_{j}' systems='m{n*j+i} m{n*j+n+i}' point2='0.02 0.1' stiffness='k' "
      "damping='1'/></repeat></repeat>"
      "<spring id='a' systems='m0 left' stiffness='k' damping='1'/><spring id='b' systems='m{n-1} "
      "right' stiffness='k' damping='1'/></interactions>"
      "<simulation T='0.4'><TimeStepping h='0.01'><MoreauJeanOSI "
      "theta='0.6'/></TimeStepping></simulation>",
      stiffness, n, stone ? disk : "", stone ? floor : "");
  char label[32];
  play(&r);
  for (size_t k = 1; k < r.got.nrows; k++)
    *newton = fmax(*newton, run_at(&r, k, "diagnostics.newton"));
  snprintf(label, sizeof label, "m%d.y", n * n - 1);
  double y = last(&r, label);
  ck_assert_double_eq_tol(last(&r, "right.x"), n - 0.5 + 0.04, 1e-12);
  run_end(&r);
  return y;
}

START_TEST(nets_of_any_size)
{
  double newton = 0, soft = net_bottom(_i, 2e3, 0, &newton),
         stiff = net_bottom(_i, 1e9, 0, &newton);
  ck_assert_double_le(newton, 8);
  ck_assert_double_eq_tol(net_bottom(_i, 2e3, 1, &newton), soft, 1e-9);
  ck_assert_double_eq_tol(net_bottom(_i, 1e9, 1, &newton), stiff, 1e-8);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, tangents_are_derivatives, 0, 4 * (SPACE + PLANE));
  tcase_add_loop_test(t, forces_react, 0, 4 * (SPACE + PLANE));
  tcase_add_test(t, two_masses_swing_with_the_reduced_mass);
  tcase_add_test(t, damper_decays);
  tcase_add_test(t, kepler_is_of_second_order);
  tcase_add_test(t, plane_and_space_agree);
  tcase_add_test(t, rigid_and_lagrangian_agree);
  tcase_add_test(t, stiff_spring_is_a_ball_joint);
  tcase_add_loop_test(t, networks_keep_what_they_have, 0, 6);
  tcase_add_loop_test(t, stiff_networks_take_few_passes, 0, 3);
  tcase_add_loop_test(t, stiff_springs_beside_contacts, 0, 3);
  tcase_add_test(t, event_driven_runs_agree);
  tcase_add_loop_test(t, nets_of_any_size, 8, 11); /* dense, then sparse */
}

int main(void) { return suite_run("forces between bodies", fill); }
