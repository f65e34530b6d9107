/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Springs, dampers, tendons and formulas between points of bodies: tangents against differences, what is kept, closed forms. */
#include "model/rigid_force.h"
#include "support/rigid_bodies.h"
#include "support/rigid_runs.h"

#define STEPS(h, T) "<simulation T='" T "'><TimeStepping h='" h "'><MoreauJeanOSI theta='0.5'/></TimeStepping></simulation>"
#define BODY(id, q, v) \
  "<NewtonEulerDS id='" id "' inputs='u'><q0>" q "</q0><v0>" v "</v0><mass>2</mass><inertia diag='1 1.5 2'/></NewtonEulerDS>"
#define DISK(id, q, v) "<RigidBody2dDS id='" id "' inputs='u'><q0>" q "</q0><v0>" v "</v0><mass>2</mass><inertia>1.5</inertia></RigidBody2dDS>"

static void play(run *r) { ck_assert_msg(run_keep(r) == NS_OK, "%s", r->c.msg); }
static double last(const run *r, const char *label) { return run_at(r, r->got.nrows - 1, label); }

/* ---- tangents -------------------------------------------------------------------------------------------------------- */

/* Forces on bodies a, b, c in space, then in the plane. */
static const char *const in_space[] = {
    "<spring id='s' systems='a b' point1='0.3 -0.2 0.5' point2='-0.1 0.7 0.2' stiffness='7' damping='2' restLength='0.4' preload='3'/>",
    "<spring id='s' systems='a' point1='0.3 -0.2 0.5' point2='-1 0.7 0.2' stiffness='7' damping='2' restLength='0.4'/>",
    "<damper id='s' systems='a b' point1='0.3 -0.2 0.5' point2='-0.1 0.7 0.2' damping='2'/>",
    "<spring id='s' systems='a b' point1='0.3 -0.2 0.5'><along>-length^3*exp(rate/2) + a.u*t</along></spring>",
    "<tendon id='s' systems='a world b c' points='0.3 -0.2 0.5 -1 0.7 0.2 0.1 0.1 0.1 0.3 0 0.2' stiffness='7' damping='0.2' restLength='1'/>",
    "<tendon id='s' systems='a b a' points='0.3 -0.2 0.5 -1 0.7 0.2 0.1 0.1 0.1'><along>-length^2 - 3*rate</along></tendon>",
    "<force id='s' systems='a b' point1='0.3 -0.2 0.5' point2='-0.1 0.7 0.2'><along>-x*v_y/length + t*rate</along>"
    "<vector>-x+v_y*z y*length-z*v_z x*y*z-v_x</vector></force>",
    "<force id='s' systems='b' point1='0.3 -0.2 0.5' point2='-0.1 0.7 0.2'><vector>-x+v_y*z y*length-z*v_z x*y*z-v_x*b.u</vector></force>"};
static const char *const in_plane[] = {
    "<spring id='s' systems='a b' point1='0.3 -0.2' point2='-0.1 0.7' stiffness='7' damping='2' restLength='0.4'/>",
    "<spring id='s' systems='b' point1='0.3 -0.2' point2='-0.1 0.7'><along>-length^3*exp(rate/2)</along></spring>",
    "<tendon id='s' systems='a world b c' points='0.3 -0.2 -1 0.7 0.1 0.1 0.3 0.4' stiffness='7' damping='0.2' restLength='1'/>",
    "<force id='s' systems='a b' point1='0.3 -0.2' point2='-0.1 0.7'><along>-x*v_y/length*angle</along><vector>-x+v_y*y y*length-v_angle*x</vector>"
    "<torque>-angle^3-v_angle*x+rate</torque></force>",
    "<force id='s' systems='c' point1='0.3 -0.2' point2='-0.1 0.7'><vector>-x*angle+v_y*y y*length</vector><torque>-angle*v_angle</torque></force>"};
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
  b.r = b.planar ? mechanics("<systems>" DISK("a", "0 0 0", "0 0 0") DISK("b", "2 0 0", "0 0 0") DISK("c", "0 3 0", "0 0 0")
                             "</systems><interactions>%s</interactions>" STEPS("1e-2", "1"), force)
                 : mechanics("<systems>" BODY("a", "0 0 0 1 0 0 0", "0 0 0 0 0 0") BODY("b", "2 0 0 1 0 0 0", "0 0 0 0 0 0")
                             BODY("c", "0 3 0 1 0 0 0", "0 0 0 0 0 0") "</systems><interactions>%s</interactions>" STEPS("1e-2", "1"), force);
  for (int i = 0; i < 3; i++)
    if (b.planar) any_vector(&seed, 3, b.q + 3 * i);
    else any_pose(&seed, b.q + 7 * i);
  any_vector(&seed, 3 * b.dof, b.v);
  return b;
}

/* Of all bodies [3 dof]; K, C [(3 dof)^2] by columns unless NULL. Returns what the force is. */
static ns_drive_state at_state(bodies *b, const double *q, const double *v, double *F, double *K, double *C)
{
  double f[NS_DRIVE_WIDTH], k[NS_DRIVE_WIDTH * NS_DRIVE_WIDTH], c[NS_DRIVE_WIDTH * NS_DRIVE_WIDTH];
  const ns_body_force *force = &b->r.m->forces[0];
  ns_drive_state s = {.F = f, .K = k, .C = c};
  int n = 3 * b->dof, width = force->nends * b->dof;
  ck_assert_uint_le(ns_body_force_work(b->r.m), 512);
  ck_assert_msg(ns_body_force_eval(b->r.m, &b->r.c, force, 0.7, q, v, b->z, b->work, &s) == NS_OK, "%s", b->r.c.msg);
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
      if (K) K[row + to * n] += k[i + j * width];
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
        ck_assert_msg(fabs(got - want) <= 1e-7 * (1 + fabs(want)), "%s: dF[%d]/d%s[%d] is %.12g, differences give %.12g",
                      b.planar ? in_plane[_i % (SPACE + PLANE) - SPACE] : in_space[_i % (SPACE + PLANE)], i, of_v ? "v" : "q", j, got, want);
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
    double w[3] = {F[b.dof * k], F[b.dof * k + 1], b.planar ? 0 : F[b.dof * k + 2]}, turn[3] = {0, 0, F[b.dof * k + b.dof - 1]}, about[3], R[9];
    double x[3] = {b.q[b.planar ? 3 * k : 7 * k], b.q[b.planar ? 3 * k + 1 : 7 * k + 1], b.planar ? 0 : b.q[7 * k + 2]};
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

/* ---- closed forms ------------------------------------------------------------------------------------------------------ */

/* Masses 2 and 2, reduced 1, on a spring of k = 9 at rest length 1, along a line off every axis: stretch 0.3 cos(3 t). */
static double oscillator_error(const char *h)
{
  run r = mechanics("<systems>" BODY("a", "0.3 0.4 0.5 1 0 0 0", "0.1 0.2 0.3 0 0 0")
                    BODY("b", "0.3+1.3*2/3 0.4+1.3*2/3 0.5+1.3/3 1 0 0 0", "0.1 0.2 0.3 0 0 0") "</systems><interactions>"
                    "<spring id='s' systems='a b' stiffness='9' restLength='1'/></interactions>"
                    "<simulation T='2'><TimeStepping h='%s'><MoreauJeanOSI theta='0.5'/></TimeStepping></simulation>", h);
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

/* Relative velocity of two bodies: a step multiplies it by (1 - x)/(1 + x), x = h c/(2 mu), mu = 1. */
START_TEST(damper_decays)
{
  run r = mechanics("<systems>" BODY("a", "0 0 0 1 0 0 0", "1 0 0 0 0 0") BODY("b", "5 0 0 1 0 0 0", "0.5 0 0 0 0 0") "</systems>"
                    "<interactions><damper id='s' systems='a b' damping='40'/></interactions>" STEPS("1e-2", "1"));
  play(&r);
  double x = 1e-2 * 40 / 2, want = -0.5;
  for (size_t k = 1; k < r.got.nrows; k++) {
    want *= (1 - x) / (1 + x);
    ck_assert_double_eq_tol(run_at(&r, k, "s.rate"), want, 1e-14);
  }
  ck_assert_double_le(r.x->cert->defect_max, 1e-14);
  ck_assert_double_eq_tol(r.x->cert->work_force, (want * want - 0.25) / 2, 1e-13); /* mu/2 of the squares of rates */
  run_end(&r);
}
END_TEST

/* Kepler: 1/length^2 between masses, mu = G (m1 + m2) = 1, eccentricity 0.5, semi-axis 1, from the far point: after a half turn, pi, the
 * near one. */
static double kepler_error(const char *steps, double *drift)
{
  run r = mechanics("<systems>" BODY("a", "3 -2 1 1 0 0 0", "0 -sqrt(1./3)/2 0 0 0 0") BODY("b", "4.5 -2 1 1 0 0 0", "0 sqrt(1./3)/2 0 0 0 0")
                    "</systems><interactions><force id='s' systems='a b'><along>-1/length^2</along></force></interactions>"
                    "<simulation T='pi'><TimeStepping h='pi/%s'><MoreauJeanOSI theta='0.5'/></TimeStepping></simulation>", steps);
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
  ck_assert_double_le(L[1], fmax(1e-12, 0.3 * L[0])); /* kept to the order of the scheme: forces are taken at both ends of a step */
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, tangents_are_derivatives, 0, 4 * (SPACE + PLANE));
  tcase_add_loop_test(t, forces_react, 0, 4 * (SPACE + PLANE));
  tcase_add_test(t, two_masses_swing_with_the_reduced_mass);
  tcase_add_test(t, damper_decays);
  tcase_add_test(t, kepler_is_of_second_order);
}

int main(void) { return suite_run("forces between bodies", fill); }
