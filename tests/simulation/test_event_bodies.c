/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rigid bodies between events and at them: closed forms, invariants, the same motion in other
 * coordinates, and the limit of time-stepping. */
#include "algebra/rotation.h"
#include "simulation/simulation.h"
#include "support/random_model.h"
#include "support/run.h"

#include <float.h>

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"
#define EVENTS(T, h, osi) \
  "<simulation T='" T "'><EventDriven " \
  "h='" h "'>" osi "</EventDriven></simulation></model>"
#define STEPS(T, h) \
  "<simulation T='" T "'><TimeStepping h='" h "'><MoreauJeanOSI " \
  "theta='0.5'/></TimeStepping></simulation></model>"
#define FINE "<CVodeOSI relativeTolerance='1e-11' absoluteTolerance='1e-13'/>"
#define CONSTRAINED "<IDAOSI relativeTolerance='1e-10' absoluteTolerance='1e-12'/>"

static size_t column(const run *r, const char *label)
{
  for (size_t k = 0; k < r->got.ncols; k++)
    if (!strcmp(r->got.labels[k], label)) return k;
  ck_abort_msg("no column %s", label);
  return 0;
}

static double at(const run *r, size_t row, const char *label)
{
  return r->got.rows[row * r->got.ncols + column(r, label)];
}
static double last(const run *r, const char *label) { return at(r, r->got.nrows - 1, label); }

/* World moment of momentum of one body about its centre. */
static void moment(const run *r, double *L)
{
  const ns_system *s = &r->m->systems[0];
  double R[9], body[3];
  ns_mul3(s->rigid.inertia, r->x->v + 3, body);
  ns_quaternion_matrix(r->x->q + 3, R);
  ns_mul3(R, body, L);
}

/* ---- free bodies ----------------------------------------------------------------------------- */

/* A body with two equal moments A and C about z: Omega_x + i Omega_y turns at (C - A)/A Omega_z. */
START_TEST(free_top_precesses)
{
  generator g = {.state = 11 + (unsigned long long)_i};
  double A = spread(&g, 0.01, 10), C = A * between(&g, 0.1, 1.9), w[3], T = between(&g, 1, 3);
  for (int k = 0; k < 3; k++) w[k] = between(&g, -8, 8);
  put(&g,
      HEAD "<NewtonEulerDS id='b'><q0 axis='%.17g 1 2' angle='%.17g'>%.17g 0 3</q0><v0>1 -2 %.17g  "
           "%.17g %.17g %.17g</v0><mass>%.17g</mass>"
           "<inertia diag='%.17g %.17g %.17g'/></NewtonEulerDS></systems>",
      between(&g, -1, 1), between(&g, 0, 3), between(&g, -1e3, 1e3), between(&g, -1, 1), w[0], w[1],
      w[2], spread(&g, 0.1, 10), A, A, C);
  put(&g, "<simulation T='%.17g'><EventDriven h='0.1'>" FINE "</EventDriven></simulation></model>",
      T);
  run r = run_whole(g.text);
  double rate = (C - A) / A * w[2], c = cos(rate * r.x->t[0]), s = sin(rate * r.x->t[0]), norm = 0,
         size = ns_norm3(w);
  ck_assert_double_eq_tol(r.x->v[3], c * w[0] - s * w[1], 1e-8 * size);
  ck_assert_double_eq_tol(r.x->v[4], s * w[0] + c * w[1], 1e-8 * size);
  ck_assert_double_eq_tol(r.x->v[5], w[2], 1e-8 * size);
  for (int k = 3; k < 7; k++) norm += r.x->q[k] * r.x->q[k];
  /* Rounding of a normalised quaternion, u each operation: 4 u of the sum of squares, halved by
   * the root, and root and quotient make 4 u of a component, so 8 u of the sum here, and 4 u its
   * own. */
  ck_assert_double_eq_tol(norm, 1, 12 * (DBL_EPSILON / 2));
  ck_assert_double_le(r.x->cert->defect_max, 1e-9 * r.x->cert->energy0);
  run_end(&r);
}
END_TEST

/* Three moments, turned axes: energy and the moment of momentum in the world stay, whatever the
 * body does. */
START_TEST(free_body_keeps_its_moment)
{
  generator g = {.state = 77 + (unsigned long long)_i};
  double a = between(&g, 1, 2), b = between(&g, 1, 2), c = between(&g, 1, 2),
         e = between(&g, -0.2, 0.2), f = between(&g, -0.2, 0.2);
  put(&g,
      HEAD "<NewtonEulerDS id='b'><q0 axis='1 2 %.17g' angle='1'>0 0 0</q0><v0>0 0 0  %.17g %.17g "
           "%.17g</v0><mass>1</mass>"
           "<inertia>%.17g %.17g %.17g; %.17g %.17g 0.1; %.17g 0.1 "
           "%.17g</inertia></NewtonEulerDS></systems>",
      between(&g, -1, 1), between(&g, -5, 5), between(&g, -5, 5), between(&g, -5, 5), a, e, f, e, b,
      f, c);
  put(&g, EVENTS("5", "0.5", FINE));
  double L0[3], L[3];
  run r = run_load(g.text, NULL);
  moment(&r, L0);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  moment(&r, L);
  for (int k = 0; k < 3; k++) ck_assert_double_eq_tol(L[k], L0[k], 2e-9 * ns_norm3(L0));
  ck_assert_double_le(r.x->cert->defect_max, 1e-9 * r.x->cert->energy0);
  run_end(&r);
}
END_TEST

/* The same random plane system as rigid bodies and as Lagrangian ones: forces of time, position and
 * velocity, stops of each. */
START_TEST(planar_bodies_are_lagrangian_ones)
{
  static const char *const laws[] = {"<NewtonImpactNSL e='0.6'/>",
                                     "<NewtonImpactFrictionNSL en='0.5' mu='0.3'/>"};
  generator body = {.state = 5 + (unsigned long long)_i}, coordinates = body;
  double m = spread(&body, 0.1, 10), I = spread(&body, 0.01, 1), k = between(&body, 1, 30),
         c = between(&body, 0, 2), w = between(&body, 1, 9);
  double x = between(&body, -50, 50), y = between(&body, 1, 1.5), vx = between(&body, -2, 2),
         turn = between(&body, -3, 3);
  int rubs = _i % 2;
  put(&body,
      HEAD "<RigidBody2dDS id='d'><q0>%.17g %.17g 0.3</q0><v0>%.17g 0 "
           "%.17g</v0><mass>%.17g</mass><inertia>%.17g</inertia>"
           "<fExt>sin(%.17g*t) %.17g</fExt><fInt>%.17g*(x - %.17g) + %.17g*v_x  "
           "0.1*v_y</fInt><mInt>0.2*sin(angle)</mInt></RigidBody2dDS></systems>",
      x, y, vx, turn, m, I, w, -9.81 * m, k, x, c);
  put(&body, "<interactions><interaction id='g' systems='d'>%s%s</interaction></interactions>",
      rubs ? "<NewtonEuler3DR><P1>x y-0.1 0</P1><P2>x 0 0</P2><n>0 1 0</n></NewtonEuler3DR>"
           : "<NewtonEuler1DR><P1>x y-0.1 0</P1><P2>x 0 0</P2><n>0 1 0</n></NewtonEuler1DR>",
      laws[rubs]);
  put(&body, EVENTS("2", "0.1", FINE));
  put(&coordinates,
      HEAD "<LagrangianDS id='d' coordinates='x y angle'><q0>%.17g %.17g 0.3</q0><v0>%.17g 0 "
           "%.17g</v0><mass diag='%.17g %.17g %.17g'/>"
           "<fExt>sin(%.17g*t) %.17g 0</fExt><fInt>%.17g*(x - %.17g) + %.17g*v_x  0.1*v_y  "
           "0.2*sin(angle)</fInt></LagrangianDS></systems>",
      x, y, vx, turn, m, m, I, w, -9.81 * m, k, x, c);
  put(&coordinates,
      "<interactions><interaction id='g' systems='d'><LagrangianLinearTIR><H>0 1 "
      "0%s</H><e>-0.1%s</e></LagrangianLinearTIR>%s</interaction>"
      "</interactions>",
      rubs ? "; 1 0 0.1" : "", rubs ? " 0" : "", laws[rubs]);
  put(&coordinates, EVENTS("2", "0.1", FINE));
  run a = run_whole(body.text), b = run_whole(coordinates.text);
  ck_assert_uint_eq(a.got.nevents, b.got.nevents);
  ck_assert_uint_ge(a.got.nevents, 3);
  for (size_t e = 0; e < a.got.nevents; e++) {
    ck_assert_int_eq(a.got.events[e].kind, b.got.events[e].kind);
    ck_assert_double_eq_tol(a.got.events[e].t, b.got.events[e].t, 1e-8);
  }
  for (int i = 0; i < 6; i++) {
    double p = i < 3 ? a.x->q[i] : a.x->v[i - 3], q = i < 3 ? b.x->q[i] : b.x->v[i - 3];
    ck_assert_double_eq_tol(p, q, 1e-8);
  }
  run_end(&a), run_end(&b);
}
END_TEST

/* ---- joints ---------------------------------------------------------------------------------- */

/* A rod of 1 m and 1 kg on a hinge whose axis is turned about z, from the horizontal: quarter
 * period, speed at the bottom, and from there a stop that gives back 0.7. */
static void put_rod(generator *g, const char *osi, const char *more)
{
  double a = between(g, 0, 6), x = between(g, -5, 5), y = between(g, -5, 5);
  put(g,
      HEAD "<NewtonEulerDS id='rod'><q0 axis='0 0 1' angle='%.17g'>%.17g %.17g "
           "2</q0><mass>1</mass><inertia diag='1e-3 1/12 1/12'/>"
           "<fExt>0 0 -9.81</fExt></NewtonEulerDS></systems><interactions>"
           "<interaction id='hinge' systems='rod'><PivotJointR point='%.17g %.17g 2' axis='%.17g "
           "%.17g 0'/><EqualityConditionNSL/></interaction>",
      a, x + cos(a) / 2, y + sin(a) / 2, x, y, -sin(a), cos(a));
  put(g,
      "%s</interactions><simulation T='1.4'><EventDriven "
      "h='0.1'>%s</EventDriven></simulation></model>",
      more, osi);
}

static const char *const joined[] = {
    FINE, CONSTRAINED,
    "<IDAOSI formulation='index1' relativeTolerance='1e-10' absoluteTolerance='1e-12'/>"};

START_TEST(rod_strikes_its_stop)
{
  generator g = {.state = 3 + (unsigned long long)_i};
  put_rod(&g, joined[_i % 3],
          "<interaction id='stop'><JointStopR joint='hinge' lower='-pi/2'/><NewtonImpactNSL "
          "e='0.7'/></interaction>");
  run r = run_whole(g.text);
  const ns_event *first = NULL;
  for (size_t k = 0; k < r.got.nevents && !first; k++)
    if (r.got.events[k].kind == NS_EVENT_IMPACT) first = &r.got.events[k];
  ck_assert_ptr_nonnull(first);
  ck_assert_double_eq_tol(first->t, 0.483333713593, 2e-9);
  ck_assert_double_eq_tol(first->before, -5.42494239601, 2e-8);
  ck_assert_double_eq_tol(first->after, 0.7 * 5.42494239601, 2e-8);
  ck_assert_double_eq_tol(first->impulse, 5.42494239601 * 1.7 / 3, 2e-8);
  ck_assert_double_le(r.x->cert->penetration_max, 1e-9);
  ck_assert_double_le(r.x->cert->defect_max, 2e-8);
  run_end(&r);
}
END_TEST

/* Two links in space on ball joints, with random places and spins, by all formulations; energy,
 * joints together, two ways agree. */
START_TEST(chain_is_the_same_by_every_formulation)
{
  double q[3][14];
  for (int k = 0; k < 3; k++) {
    generator g = {.state = 91 + (unsigned long long)_i};
    double a = between(&g, -1, 1), b = between(&g, -1, 1), w = between(&g, -4, 4);
    put(&g,
        HEAD "<NewtonEulerDS id='a'><q0>0.5 0 0  1 0 0 0</q0><v0>0 0 0  %.17g 0 "
             "0</v0><mass>1</mass><inertia diag='0.02 0.09 0.1'/>"
             "<fExt>0 0 -9.81</fExt></NewtonEulerDS>"
             "<NewtonEulerDS id='b'><q0 axis='1 %.17g %.17g' angle='0.7'>1.3 0.2 "
             "0</q0><mass>0.5</mass><inertia diag='0.01 0.04 0.03'/>"
             "<fExt>0 0 -9.81*0.5</fExt><mInt>0.02*Omega_x 0.01*Omega_y "
             "0</mInt></NewtonEulerDS></systems><interactions>"
             "<interaction id='s' systems='a'><KneeJointR point='0 0 "
             "0'/><EqualityConditionNSL/></interaction>"
             "<interaction id='e' systems='a b'><KneeJointR point='1 0 "
             "0'/><EqualityConditionNSL/></interaction></interactions>",
        w, a, b);
    put(&g, "<simulation T='1.5'><EventDriven h='0.1'>%s</EventDriven></simulation></model>",
        joined[k]);
    run r = run_whole(g.text);
    memcpy(q[k], r.x->q, sizeof q[k]);
    ck_assert_double_le(r.x->cert->penetration_max, 1e-9);
    ck_assert_double_le(r.x->cert->defect_max, 1e-7);
    run_end(&r);
  }
  for (int k = 1; k < 3; k++)
    for (int i = 0; i < 14; i++) ck_assert_double_eq_tol(q[k][i], q[0][i], 2e-7);
}
END_TEST

/* A hinge driven to turn many times: its angle counts turns, friction of a given torque stops it.
 */
START_TEST(hinge_turns_and_stops_by_friction)
{
  generator g = {.state = 17};
  put(&g, HEAD "<NewtonEulerDS id='w'><q0>0 0 0 1 0 0 0</q0><v0>0 0 0  0 0 "
               "30</v0><mass>1</mass><inertia diag='0.1 0.1 0.2'/></NewtonEulerDS></systems>"
               "<interactions><interaction id='hinge' systems='w'><PivotJointR point='0 0 0' "
               "axis='0 0 1'/><EqualityConditionNSL/></interaction>"
               "<interaction id='brake'><JointFrictionR joint='hinge'/><RelayNSL lb='-1.5' "
               "ub='1.5'/></interaction></interactions>" EVENTS("6", "0.5", "<CVodeOSI/>"));
  run r = run_whole(g.text);
  double stop = 30 * 0.2 / 1.5;
  /* of the world relative to the wheel */
  ck_assert_double_eq_tol(last(&r, "hinge.angle"), -30 * stop / 2, 1e-7);
  ck_assert_double_eq_tol(last(&r, "w.Omega_z"), 0, 1e-9);
  ck_assert_double_eq_tol(r.x->cert->work_friction, -90, 1e-7);
  ck_assert_double_eq_tol(r.got.events[r.got.nevents - 1].t, stop, 1e-8);
  run_end(&r);
}
END_TEST

/* ---- contacts -------------------------------------------------------------------------------- */

#define BALL(q0, v0) \
  HEAD "<NewtonEulerDS " \
       "id='b'><q0>" q0 "</q0><v0>" v0 "</v0><mass>1</mass><inertia diag='0.004 0.004 0.004'/>" \
       "<fExt>0 0 -9.81</fExt></NewtonEulerDS></systems>"
#define GROUND(law) \
  "<interactions><interaction id='g' systems='b'><NewtonEuler3DR><P1>x y " \
  "z-0.1</P1><P2>x y 0</P2><n>0 0 1</n></NewtonEuler3DR>" law "</interaction></interactions>"

/* A sphere that slides and spins until it rolls (mixed motion in closed form): 2 |u|/(7 mu g). */
START_TEST(sphere_slides_until_it_rolls)
{
  run r = run_whole(BALL("0 0 0.1 1 0 0 0", "2 1 0 30 -10 50") GROUND(
      "<NewtonImpactFrictionNSL en='0' mu='0.2'/>") EVENTS("1", "0.1", FINE));
  double rolls = 0, w[3], R[9];
  for (size_t k = 0; k < r.got.nevents; k++)
    if (r.got.events[k].kind == NS_EVENT_STICK) rolls = r.got.events[k].t;
  ck_assert_double_eq_tol(rolls, 0.728119994175, 2e-7);
  ck_assert_double_eq_tol(r.x->q[0], 1.45490857, 1e-7);
  ck_assert_double_eq_tol(r.x->q[1], 0.27321143, 1e-7);
  ck_assert_double_eq_tol(r.x->v[0], 8 / 7.0, 1e-8);
  ck_assert_double_eq_tol(r.x->v[1], -1 / 7.0, 1e-8);
  ns_quaternion_matrix(r.x->q + 3, R);
  ns_mul3(R, r.x->v + 3, w);
  ck_assert_double_eq_tol(w[0], 10 / 7.0, 1e-7);
  ck_assert_double_eq_tol(w[1], 80 / 7.0, 1e-7);
  ck_assert_double_eq_tol(w[2], 50, 1e-7);
  ck_assert_double_eq_tol(r.x->cert->work_friction, -3.57142857, 1e-7);
  run_end(&r);
}
END_TEST

/* Impact with friction that slips, and one that sticks. */
START_TEST(sphere_bounces_with_spin)
{
  static const struct {
    const char *model;
    double v[6];
  } of[] = {
      {BALL("0 0 0.1 1 0 0 0", "2 1 -3 30 -10 50")
           GROUND("<NewtonImpactFrictionNSL en='0.8' mu='0.2'/>") EVENTS("0.01", "0.01", FINE),
       {1.352, 0.136, 2.4 - 0.0981, 8.4, 6.2, 50}},
      {BALL("0 0 0.1 1 0 0 0", "1 0.5 -3 5 20 50")
           GROUND("<NewtonImpactFrictionNSL en='0.8' mu='0.2'/>") EVENTS("0.01", "0.01", FINE),
       {1.28571429, 0.21428571, 2.4 - 0.0981, -2.14285714, 12.85714286, 50}}};
  run r = run_whole(of[_i].model);
  double R[9], w[3];
  ns_quaternion_matrix(r.x->q + 3, R);
  ns_mul3(R, r.x->v + 3, w);
  for (int k = 0; k < 3; k++) ck_assert_double_eq_tol(r.x->v[k], of[_i].v[k], 6e-9);
  for (int k = 0; k < 3; k++) ck_assert_double_eq_tol(w[k], of[_i].v[3 + k], 6e-9 * 50);
  run_end(&r);
}
END_TEST

/* Dropped from H on a ground at any height: impacts come closer until rest, at sqrt(2 H/g) (1 +
 * e)/(1 - e). */
START_TEST(sphere_comes_to_rest)
{
  generator g = {.state = 41 + (unsigned long long)_i};
  double scale = spread(&g, 0.01, 100), ground = scale * between(&g, -1e3, 1e3),
         H = scale * between(&g, 0.5, 2), e = between(&g, 0.3, 0.85);
  double rest = sqrt(2 * H / 9.81) * (1 + e) / (1 - e);
  put(&g,
      HEAD "<NewtonEulerDS id='b'><q0 axis='1 2 3' angle='1'>%.17g 0 "
           "%.17g</q0><mass>1</mass><inertia diag='%.17g %.17g %.17g'/>"
           "<fExt>0 0 -9.81</fExt></NewtonEulerDS></systems>",
      ground, ground + 0.1 * scale + H, scale * scale, scale * scale, scale * scale);
  put(&g,
      "<interactions><interaction id='g' systems='b'><NewtonEuler1DR><P1>x y z-%.17g</P1><P2>x y "
      "%.17g</P2><n>0 0 1</n></NewtonEuler1DR>"
      "<NewtonImpactNSL e='%.17g'/></interaction></interactions><simulation T='%.17g'><EventDriven "
      "h='%.17g'><CVodeOSI/></EventDriven></simulation></model>",
      0.1 * scale, ground, e, 1.3 * rest, rest / 10);
  run r = run_whole(g.text);
  double contact = 0;
  for (size_t k = 0; k < r.got.nevents; k++)
    if (r.got.events[k].kind == NS_EVENT_CONTACT) contact = r.got.events[k].t;
  ck_assert_double_eq_tol(contact, rest, 1e-5 * rest);
  ck_assert_double_eq_tol(r.x->q[2], ground + 0.1 * scale, 1e-9 * (fabs(ground) + scale));
  ck_assert_double_eq_tol(r.x->v[2], 0, 1e-9);
  run_end(&r);
}
END_TEST

/* The disk of a plane as coordinates and as a body; references by the closed form of each flight.
 */
START_TEST(same_disk_twice)
{
  static const char *const body = HEAD
      "<RigidBody2dDS id='d'><q0>0 1 0</q0><v0>1 0 "
      "3</v0><mass>1</mass><inertia>0.005</inertia><fExt>0 -9.81</fExt></RigidBody2dDS></systems>"
      "<interactions><interaction id='g' systems='d'><NewtonEuler3DR><P1>x y-0.1 0</P1><P2>x 0 "
      "0</P2><n>0 1 0</n></NewtonEuler3DR>"
      "<NewtonImpactFrictionNSL en='0.7' mu='0.2'/></interaction></interactions>" EVENTS("3", "0.1",
                                                                                         FINE);
  static const char *const coordinates = HEAD
      "<LagrangianLinearTIDS id='d' coordinates='x y phi'><q0>0 1 0</q0><v0>1 0 3</v0><mass "
      "diag='1 1 0.005'/><fExt>0 -9.81 0</fExt></LagrangianLinearTIDS>"
      "</systems><interactions><interaction id='g' systems='d'><LagrangianLinearTIR><H>0 1 0; 1 0 "
      "0.1</H><e>-0.1 0</e></LagrangianLinearTIR>"
      "<NewtonImpactFrictionNSL en='0.7' mu='0.2'/></interaction></interactions>" EVENTS("3", "0.1",
                                                                                         FINE);
  run a = run_whole(body), b = run_whole(coordinates);
  ck_assert_uint_eq(a.got.nevents, b.got.nevents);
  for (size_t e = 0; e < a.got.nevents; e++) {
    ck_assert_int_eq(a.got.events[e].kind, b.got.events[e].kind);
    ck_assert_double_eq_tol(a.got.events[e].t, b.got.events[e].t, 1e-9);
    ck_assert_double_eq_tol(a.got.events[e].impulse, b.got.events[e].impulse, 1e-8);
  }
  for (int k = 0; k < 3; k++) ck_assert_double_eq_tol(a.x->q[k], b.x->q[k], 1e-9);
  ck_assert_double_eq_tol(a.got.events[0].t, 0.428352936878, 1e-10);
  ck_assert_double_eq_tol(a.x->q[0], 1.88561960598, 1e-8);
  ck_assert_double_eq_tol(a.x->q[2], -13.2876078804, 1e-7);
  run_end(&a), run_end(&b);
}
END_TEST

/* An incline as a turned force: a sphere rolls down with 5/7 g sin a where it grips, mu >= 2/7 tan
 * a; else it slips. */
START_TEST(sphere_rolls_down_an_incline)
{
  generator g = {.state = 61 + (unsigned long long)_i};
  double a = between(&g, 0.1, 0.7), grip = 2.0 / 7 * tan(a), mu = _i % 2 ? 1.3 * grip : 0.6 * grip,
         gx = 9.81 * sin(a), gz = 9.81 * cos(a);
  double ax = _i % 2 ? 5.0 / 7 * gx : gx - mu * gz, spin = _i % 2 ? ax / 0.1 : 2.5 * mu * gz / 0.1;
  put(&g,
      HEAD "<NewtonEulerDS id='b'><q0 axis='0 1 1' angle='2'>0 0 0.1</q0><mass>1</mass><inertia "
           "diag='0.004 0.004 0.004'/>"
           "<fExt>%.17g 0 %.17g</fExt></NewtonEulerDS></systems>",
      gx, -gz);
  put(&g,
      "<interactions><interaction id='g' systems='b'><NewtonEuler3DR><P1>x y z-0.1</P1><P2>x y "
      "0</P2><n>0 0 1</n></NewtonEuler3DR>"
      "<NewtonImpactFrictionNSL en='0.3' mu='%.17g'/></interaction></interactions>" EVENTS(
          "1", "0.2", FINE),
      mu);
  run r = run_whole(g.text);
  double R[9], w[3];
  ns_quaternion_matrix(r.x->q + 3, R);
  ns_mul3(R, r.x->v + 3, w);
  ck_assert_double_eq_tol(r.x->q[0], ax / 2, 1e-8);
  ck_assert_double_eq_tol(r.x->v[0], ax, 1e-8);
  ck_assert_double_eq_tol(w[1], spin, 1e-6);
  run_end(&r);
}
END_TEST

/* ---- a structure that holds itself ----------------------------------------------------------  */

/* A hinged arm swings onto a box and presses it on the ground: friction at three contacts, of which
 * no equation says how they share it. Whatever they do, the arm lets go when its own moments are in
 * balance, 3.2 sin(3 t) = -9.81 0.3 cos(angle). */
START_TEST(an_arm_leaves_the_box_it_lies_on)
{
  static const char *flows[] = {FINE, "<CVodeOSI/>"};
  generator g = {0};
  put(&g,
      HEAD "<RigidBody2dDS id='arm'><q0>0.3 0.5 0</q0><mass>1</mass><inertia>0.03</inertia>"
           "<fExt>0 -9.81</fExt><mExt>-3.2*sin(3*t)</mExt><Rectangle size='0.6 0.05'/>"
           "</RigidBody2dDS><RigidBody2dDS id='box'><q0>0.5 0.1 0</q0><mass>0.8</mass>"
           "<inertia>0.0053</inertia><fExt>0 -7.848</fExt><Rectangle size='0.2 0.2'/>"
           "</RigidBody2dDS></systems><interactions><interaction id='hinge' systems='arm'>"
           "<PivotJointR point='0 0.5'/><EqualityConditionNSL/></interaction></interactions>"
           "<contacts><NewtonImpactFrictionNSL en='0.1' mu='0.3'/>"
           "<HalfPlane id='g' normal='0 1'/></contacts>"
           "<simulation T='2'><EventDriven h='0.0032'>%s</EventDriven></simulation></model>",
      flows[_i]);
  run r = run_whole(g.text);
  double released = -1, angle = 0;
  for (size_t k = 0; k < r.got.nevents; k++)
    if (r.got.events[k].kind == NS_EVENT_RELEASE) released = r.got.events[k].t;
  for (size_t k = 0; k < r.got.nrows && at(&r, k, "time") <= 1.2; k++)
    angle = at(&r, k, "arm.angle");
  ck_assert_double_eq_tol(released, (M_PI + asin(9.81 * 0.3 * cos(angle) / 3.2)) / 3, 1e-7);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, free_top_precesses, 0, 8);
  tcase_add_loop_test(t, free_body_keeps_its_moment, 0, 4);
  tcase_add_loop_test(t, planar_bodies_are_lagrangian_ones, 0, 12);
  tcase_add_loop_test(t, rod_strikes_its_stop, 0, 6);
  tcase_add_loop_test(t, chain_is_the_same_by_every_formulation, 0, 3);
  tcase_add_test(t, hinge_turns_and_stops_by_friction);
  tcase_add_test(t, sphere_slides_until_it_rolls);
  tcase_add_loop_test(t, sphere_bounces_with_spin, 0, 2);
  tcase_add_loop_test(t, sphere_comes_to_rest, 0, 10);
  tcase_add_test(t, same_disk_twice);
  tcase_add_loop_test(t, sphere_rolls_down_an_incline, 0, 8);
  tcase_add_loop_test(t, an_arm_leaves_the_box_it_lies_on, 0, 2);
}

int main(void) { return suite_run("event-driven bodies", fill); }
