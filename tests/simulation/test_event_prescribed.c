/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Velocities that are prescribed, event-driven: against a row that keeps the same motion, closed
 * forms of walls that strike, impulses where they jump, runs that go on from a checkpoint. */
#include "simulation/simulation.h"
#include "support/interrupted.h"
#include "support/random_model.h"
#include "support/whole.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"
#define FINE \
  "<EventDriven h='0.05'><%s relativeTolerance='1e-11' absoluteTolerance='1e-13'/>" \
  "</EventDriven>"

/* ---- a row that keeps the same motion -------------------------------------------------------- */

/* x(t) = x0 + a sin(w t) + b t^2, its rate; a mass that couples all, springs, a wall and a relay
 * on the others. how 0: prescribed; 1: an equality of x and x(t). Returns 1 where the mass is
 * constant, so that energies are in balance. */
static int coupled(generator *g, int how, const char *integrator)
{
  double x0 = spread(g, 0.1, 20), a = between(g, 0.1, 0.6), w = between(g, 1, 6),
         b = between(g, -0.3, 0.3), m[3];
  int bends = pick(g, 2);
  for (int i = 0; i < 3; i++) m[i] = between(g, -0.4, 0.4);
  char motion[128], rate[128];
  snprintf(motion, sizeof motion, "%.17g+%.17g*sin(%.17g*t)+(%.17g)*t^2", x0, a, w, b);
  snprintf(rate, sizeof rate, "%.17g*%.17g*cos(%.17g*t)+2*(%.17g)*t", a, w, w, b);
  put(g, HEAD "<LagrangianDS id='s' coordinates='x y z'><q0>%.17g 0.3 0.1</q0><v0>%.17g %.17g 0.2",
      x0, a * w, between(g, -1, 1));
  put(g, "</v0><mass>1.5 %.17g %.17g; %.17g 1.2 %.17g; %.17g %.17g 0.9+0.2*%d*cos(y)</mass>", m[0],
      m[1], m[0], m[2], m[1], m[2], bends);
  put(g, "<fInt>%.17g*(x-%.17g)+0.3*v_x-y, %.17g*y-(x-%.17g)+0.2*z^3, %.17g*z+0.1*v_z</fInt>",
      between(g, 1, 5), x0, between(g, 2, 9), x0, between(g, 2, 9));
  put(g, "%s%s%s</LagrangianDS></systems><interactions>", how ? "" : "<prescribed coordinates='x'>",
      how ? "" : rate, how ? "" : "</prescribed>");
  put(g,
      "<interaction id='w' systems='s'><LagrangianLinearTIR><H>%.17g 1 0.2</H><e>%.17g</e>"
      "</LagrangianLinearTIR><NewtonImpactNSL e='%.17g'/></interaction>",
      0.5, 0.05 - 0.5 * x0, between(g, 0, 0.7));
  if (pick(g, 2))
    put(g, "<interaction id='f' systems='s'><LagrangianLinearTIR><H>0.3 0.2 1</H>"
           "</LagrangianLinearTIR><RelayNSL lb='-0.3' ub='0.3'/></interaction>");
  if (how)
    put(g,
        "<interaction id='k' systems='s'><LagrangianRheonomousR><h>x-(%s)</h>"
        "</LagrangianRheonomousR><EqualityConditionNSL/></interaction>",
        motion);
  put(g, "</interactions><simulation T='2'>");
  put(g, FINE "</simulation></model>", integrator);
  return !bends;
}

START_TEST(a_row_moves_it_the_same)
{
  static const char *const integrator[] = {"CVodeOSI", "IDAOSI", "CVodeOSI method='bdf'"};
  double q[2][3], v[2][3], force[2];
  for (int how = 0; how < 2; how++) {
    generator g = {.state = 700 + (unsigned long long)_i};
    int steady = coupled(&g, how, integrator[how ? 0 : _i % 3]);
    run r = whole(g.text);
    memcpy(q[how], r.x->q, sizeof q[how]);
    memcpy(v[how], r.x->v, sizeof v[how]);
    force[how] = how ? r.x->lambda[r.m->nrows - 1] : r.x->support[0];
    if (!how && steady) ck_assert_double_le(fabs(r.x->cert->defect), 1e-8);
    run_end(&r);
  }
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(q[0][i], q[1][i], 2e-8);
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(v[0][i], v[1][i], 1e-7);
  ck_assert_double_eq_tol(force[0], force[1], 3e-7 * fmax(1, fabs(force[1])));
}
END_TEST

/* ---- walls that strike ----------------------------------------------------------------------- */

enum { LINEAR, PLANAR, SPATIAL, KINDS };

/* A ball that flies at u towards a wall that comes at V, with a gap of d between them at x = o. */
static void struck(generator *g, int how, double o, double d, double u, double V, double e)
{
  if (how == LINEAR)
    put(g,
        HEAD "<LagrangianLinearTIDS id='w' coordinates='x'><q0>%.17g</q0><v0>%.17g</v0>"
             "<mass>3</mass><K>2</K><prescribed coordinates='x'>%.17g</prescribed>"
             "</LagrangianLinearTIDS><LagrangianLinearTIDS id='b' coordinates='x'><q0>%.17g</q0>"
             "<v0>%.17g</v0><mass>0.7</mass></LagrangianLinearTIDS></systems><interactions>"
             "<interaction id='g' systems='b w'><LagrangianLinearTIR><H>-1 1</H>"
             "</LagrangianLinearTIR><NewtonImpactNSL e='%.17g'/></interaction></interactions>",
        o, V, V, o - d, u, e);
  else if (how == PLANAR)
    put(g,
        HEAD "<RigidBody2dDS id='w'><q0>%.17g 0 0</q0><v0>%.17g 0 0</v0><mass>3</mass>"
             "<inertia>1</inertia><Rectangle size='0.2 2'/><fixed coordinates='y q[2]'/>"
             "<prescribed coordinates='x'>%.17g</prescribed></RigidBody2dDS>"
             "<RigidBody2dDS id='b'><q0>%.17g 0 0</q0><v0>%.17g 0 0</v0><mass>0.7</mass>"
             "<inertia>0.01</inertia><Disk radius='0.1'/></RigidBody2dDS></systems><contacts>"
             "<NewtonImpactFrictionNSL en='%.17g' mu='0.2'/></contacts>",
        o + 0.1, V, V, o - d - 0.1, u, e);
  else
    put(g,
        HEAD "<NewtonEulerDS id='w'><q0>%.17g 0 0 1 0 0 0</q0><v0>%.17g 0 0 0 0 0</v0>"
             "<mass>3</mass><inertia diag='1 1 1'/><Box size='0.2 2 2'/><prescribed "
             "coordinates='x'>%.17g</prescribed><fixed coordinates='y z Omega_x Omega_y Omega_z'/>"
             "</NewtonEulerDS>",
        o + 0.1, V, V);
  if (how < SPATIAL) return;
  put(g,
      "<NewtonEulerDS id='b'><q0>%.17g 0 0 1 0 0 0</q0><v0>%.17g 0 0 0 0 0</v0><mass>0.7</mass>"
      "<inertia diag='0.01 0.01 0.01'/><Sphere radius='0.1'/></NewtonEulerDS></systems><contacts>"
      "<NewtonImpactFrictionNSL en='%.17g' mu='0.2'/></contacts>",
      o - d - 0.1, u, e);
}

/* v' = V (1 + e) - e u; the support of the wall bears m (1 + e) (u - V). */
START_TEST(walls_strike_with_their_velocity)
{
  static const double origins[] = {0, 100, -3, 1e-3};
  generator g = {.state = 40 + (unsigned long long)_i};
  double o = origins[_i / KINDS % 4], d = between(&g, 0.1, 0.5), u = between(&g, 0.5, 3),
         V = between(&g, -2, 0.3), e = between(&g, 0, 1), after = V * (1 + e) - e * u,
         t = d / (u - V);
  struck(&g, _i % KINDS, o, d, u, V, e);
  put(&g, "<simulation T='%.17g'>" FINE "</simulation></model>", t + 0.2, "CVodeOSI");
  run r = whole(g.text);
  const ns_event *hit = first_of(&r, NS_EVENT_IMPACT);
  size_t b = r.m->systems[1].v;
  ck_assert_int_eq(count_of(&r, NS_EVENT_VELOCITY), 0);
  ck_assert_double_eq_tol(hit->t, t, 1e-9);
  ck_assert_double_eq_tol(hit->impulse, 0.7 * (1 + e) * (u - V), 1e-8);
  ck_assert_double_eq_tol(r.x->v[b], after, 1e-9);
  ck_assert_double_eq_tol(r.x->q[r.m->systems[1].q],
                          r.x->q[0] - (_i % KINDS ? 0.2 : 0) - 0.2 * (V - after), 1e-8);
  ck_assert_double_le(fabs(r.x->cert->defect), 1e-9 * (1 + o * o));
  run_end(&r);
}
END_TEST

/* ---- jumps ----------------------------------------------------------------------------------- */

/* A velocity at t0 that is not what is prescribed becomes it by an impulse of the support, and
 * drags what the mass couples with it: M_yy dv_y = -M_yx dv_x. */
START_TEST(velocities_begin_by_an_impulse)
{
  generator g = {.state = 80 + (unsigned long long)_i};
  double c = between(&g, -0.8, 0.8), vx = between(&g, -2, 2), vy = between(&g, -2, 2),
         V = _i % 2 ? between(&g, -1, 1) : 0;
  put(&g,
      HEAD "<LagrangianDS id='s' coordinates='x y'><q0>0 0</q0><v0>%.17g %.17g</v0><mass>2 %.17g; "
           "%.17g 1</mass>",
      vx, vy, c, c);
  if (_i % 2) put(&g, "<prescribed coordinates='x'>%.17g</prescribed>", V);
  else put(&g, "<fixed coordinates='x'/>");
  put(&g, "</LagrangianDS></systems><simulation T='1'>" FINE "</simulation></model>", "CVodeOSI");
  run r = whole(g.text);
  const ns_event *begin = first_of(&r, NS_EVENT_VELOCITY);
  double dy = -c * (V - vx);
  ck_assert_int_eq(count_of(&r, NS_EVENT_VELOCITY), 1);
  ck_assert_double_eq(begin->t, 0);
  ck_assert_double_eq_tol(begin->before, vx, 1e-15);
  ck_assert_double_eq_tol(begin->after, V, 1e-15);
  ck_assert_double_eq_tol(begin->impulse, 2 * (V - vx) + c * dy, 1e-13);
  ck_assert_double_eq(r.x->v[0], V);
  ck_assert_double_eq_tol(r.x->v[1], vy + dy, 1e-13);
  ck_assert_double_eq_tol(r.x->q[1], vy + dy, 1e-10);
  ck_assert_double_le(fabs(r.x->cert->defect), 1e-12);
  run_end(&r);
}
END_TEST

/* A ball rests on a table that goes up at V from t = a and stops at t = b: kicked it does not
 * rebound, as it had no approach, and leaves with V where the table stops; then it falls back. */
START_TEST(tables_kick_what_rests_on_them)
{
  generator g = {.state = 120 + (unsigned long long)_i};
  double V = between(&g, 0.3, 2), a = between(&g, 0.1, 0.4), b = a + between(&g, 0.1, 0.3),
         flight = 2 * V / 9.81, e = between(&g, 0, 0.9), o = _i % 3 ? 50 : 0, left = 0.4 * flight;
  put(&g, "%s", HEAD);
  if (_i % 2)
    put(&g,
        "<NewtonEulerDS id='t'><q0>0 0 %.17g 1 0 0 0</q0><mass>5</mass><inertia diag='1 1 1'/>"
        "<Box size='4 4 0.2'/><fixed coordinates='x y Omega_x Omega_y Omega_z'/><prescribed "
        "coordinates='z'>if(t &lt; %.17g, 0, if(t &lt; %.17g, %.17g, 0))</prescribed>"
        "</NewtonEulerDS><NewtonEulerDS id='b'><q0>0.3 0 %.17g 1 0 0 0</q0>"
        "<mass>1.3</mass><inertia diag='0.01 0.01 0.01'/><fExt>0 0 -12.753</fExt>"
        "<Sphere radius='0.1'/></NewtonEulerDS></systems><contacts><NewtonImpactFrictionNSL "
        "en='%.17g' mu='0.3'/></contacts>",
        o - 0.1, a, b, V, o + 0.1, e);
  else
    put(&g,
        "<LagrangianLinearTIDS id='t' coordinates='z'><q0>%.17g</q0><mass>5</mass><prescribed "
        "coordinates='z'>if(t &lt; %.17g, 0, if(t &lt; %.17g, %.17g, 0))</prescribed>"
        "</LagrangianLinearTIDS><LagrangianLinearTIDS id='b' coordinates='z'><q0>%.17g</q0>"
        "<mass>1.3</mass><fExt>-12.753</fExt></LagrangianLinearTIDS></systems><interactions>"
        "<interaction id='g' systems='b t'><LagrangianLinearTIR><H>1 -1</H></LagrangianLinearTIR>"
        "<NewtonImpactNSL e='%.17g'/></interaction></interactions>",
        o, a, b, V, o, e);
  put(&g, "<simulation T='%.17g'>" FINE "</simulation></model>", b + flight + left, "CVodeOSI");
  run r = whole(g.text);
  size_t ball = r.m->systems[1].v + (_i % 2 ? 2 : 0), at = r.m->systems[1].q + (_i % 2 ? 2 : 0);
  double up = e * V, landed = o + V * (b - a) + (_i % 2 ? 0.1 : 0);
  ck_assert_int_eq(count_of(&r, NS_EVENT_VELOCITY), 2);
  ck_assert_int_eq(count_of(&r, NS_EVENT_RELEASE), 1);
  ck_assert_double_eq_tol(first_of(&r, NS_EVENT_IMPACT)->t, a, 1e-15);
  ck_assert_double_eq_tol(first_of(&r, NS_EVENT_IMPACT)->impulse, 1.3 * V, 1e-9);
  ck_assert_double_eq_tol(first_of(&r, NS_EVENT_RELEASE)->t, b, 1e-15);
  if (e * flight > left) { /* it has fallen back and flies again */
    ck_assert_double_eq_tol(r.x->v[ball], up - 9.81 * left, 1e-7);
    ck_assert_double_eq_tol(r.x->q[at], landed + up * left - 9.81 / 2 * left * left, 1e-7);
  }
  ck_assert_double_le(fabs(r.x->cert->defect), 1e-7 * (1 + 13 * o));
  run_end(&r);
}
END_TEST

/* ---- jumps ----------------------------------------------------------------------------------- */

/* A prescribed velocity whose formula jumps is two events of its system, alone and among others. */
START_TEST(jumps_are_named_by_their_system)
{
  static const char *const more[] = {
      "", "<FirstOrderNonLinearDS id='a' states='w'><x0>0</x0><f>other.x-w</f>"
          "</FirstOrderNonLinearDS>"};
  generator g = {.state = 30 + (unsigned long long)_i};
  double at = between(&g, 0.1, 0.9), v = between(&g, -1, 1);
  put(&g,
      HEAD "<LagrangianLinearTIDS id='other' coordinates='x'><q0>0</q0><v0>1</v0><mass>1</mass>"
           "</LagrangianLinearTIDS><LagrangianLinearTIDS id='s' coordinates='x'><q0>0</q0>"
           "<v0>%.17g</v0><mass>2</mass><prescribed coordinates='x'>%.17g+if(t &gt; %.17g, 1, 0)"
           "</prescribed></LagrangianLinearTIDS>%s</systems><simulation T='1'>",
      v, v, at, more[_i % 2]);
  put(&g, FINE "</simulation></model>", "CVodeOSI");
  run r = whole(g.text);
  for (int k = 0; k < 2; k++) {
    const ns_event *e = first_of(&r, k ? NS_EVENT_FORMULA : NS_EVENT_VELOCITY);
    ck_assert_int_eq(count_of(&r, (int)e->kind), 1);
    ck_assert_str_eq(ns_event_id(r.m, e, NULL, 0), "s");
    ck_assert_double_eq_tol(e->t, at, 1e-15);
  }
  run_end(&r);
}
END_TEST

/* ---- friction -------------------------------------------------------------------------------- */

enum { RELAY, SLIDER, BLOCK, POINT, HINGE, PLANK, BOX, DRAGGED };
#define WEIGHT 12.0
#define FRICTION 0.25

/* A system that slides with the velocity `rate` and has the friction WEIGHT FRICTION, prescribed or
 * by a row of X(t), its integral from o. */
static void driven(generator *g, int kind, double o, const char *X, const char *rate)
{
  static const char *const way = "<interaction id='d' systems='s'><%s><h>%s-(%s)</h></%s>"
                                 "<EqualityConditionNSL/></interaction>";
  const char *relation = kind >= HINGE ? "NewtonEulerR" : "LagrangianRheonomousR";
  int shaped = kind == PLANK || kind == BOX, in_space = kind == POINT || kind == BOX;
  put(g, HEAD);
  if (kind == RELAY || kind == SLIDER)
    put(g, "<LagrangianLinearTIDS id='s' coordinates='x'><q0>%.17g</q0><mass>1.5</mass>", o);
  else if (kind == BLOCK)
    put(g,
        "<LagrangianLinearTIDS id='s' coordinates='x y'><q0>%.17g 0</q0><mass diag='1.5 1.5'/>"
        "<fExt>0 -%g</fExt>",
        o, WEIGHT);
  else if (kind == POINT)
    put(g,
        "<LagrangianLinearTIDS id='s' coordinates='x y z'><q0>%.17g 0 0</q0>"
        "<mass diag='1.5 1.5 1.5'/><fExt>0 0 -%g</fExt>",
        o, WEIGHT);
  else if (kind == HINGE)
    put(g, "<NewtonEulerDS id='s'><q0>0 0 0 1 0 0 0</q0><mass>1.5</mass><inertia diag='1 1 1'/>");
  else if (kind == PLANK)
    put(g,
        "<RigidBody2dDS id='s'><q0>%.17g 0.1 0</q0><mass>1.5</mass><inertia>1</inertia>"
        "<Rectangle size='3 0.2'/><fExt>0 -%g</fExt>",
        o, WEIGHT);
  else
    put(g,
        "<NewtonEulerDS id='s'><q0>%.17g 0 0.1 1 0 0 0</q0><mass>1.5</mass>"
        "<inertia diag='1 1 1'/>%s<fExt>0 0 -%g</fExt>",
        o, kind == BOX ? "<Box size='3 3 0.2'/>" : "<Sphere radius='0.1'/>", WEIGHT);
  if (kind == RELAY || kind == BLOCK || kind == PLANK || kind == DRAGGED)
    put(g, "<prescribed coordinates='x%s'>%s%s</prescribed>",
        kind == DRAGGED ? " y Omega_x Omega_y Omega_z" : "", rate,
        kind == DRAGGED ? " 0 0 0 0" : "");
  if (kind == HINGE)
    put(g, "<prescribed coordinates='x y z Omega_x Omega_y Omega_z'>0 0 0 0 0 %s</prescribed>",
        rate);
  put(g, "</%s></systems><interactions>",
      kind < HINGE    ? "LagrangianLinearTIDS"
      : kind == PLANK ? "RigidBody2dDS"
                      : "NewtonEulerDS");
  if (kind == SLIDER || kind == POINT || kind == BOX) put(g, way, relation, "x", X, relation);
  if (kind == HINGE)
    put(g, "<interaction id='h' systems='s'><PivotJointR point='0 0 0' axis='0 0 1'/>"
           "<EqualityConditionNSL/></interaction>");
  if (kind == RELAY || kind == SLIDER || kind == HINGE)
    put(g, "<interaction id='f' %s<RelayNSL lb='-%g' ub='%g'/></interaction>",
        kind == HINGE ? "><JointFrictionR joint='h'/>"
                      : "systems='s'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>",
        WEIGHT * FRICTION, WEIGHT * FRICTION);
  if (kind == BLOCK || kind == POINT)
    put(g,
        "<interaction id='f' systems='s'><LagrangianLinearTIR><H>%s</H></LagrangianLinearTIR>"
        "<NewtonImpactFrictionNSL en='0' mu='%g'/></interaction>",
        in_space ? "0 0 1; 1 0 0; 0 1 0" : "0 1; 1 0", FRICTION);
  put(g, "</interactions>");
  if (shaped || kind == DRAGGED)
    put(g, "<contacts><NewtonImpactFrictionNSL en='0' mu='%g'/>%s</contacts>", FRICTION,
        kind == PLANK ? "<HalfPlane normal='0 1'/>" : "<Plane normal='0 0 1'/>");
}

/* x' = c (t - a)^p, or 0 before t = a: it passes through rest, or begins from there, and no force
 * changes before it moves. The work of friction is that of its force on all of the way. */
START_TEST(friction_opposes_what_is_driven)
{
  enum { ALL = DRAGGED + 1 };
  static const char *const integrator[] = {"CVodeOSI", "IDAOSI", "CVodeOSI method='bdf'"};
  generator g = {.state = 90 + (unsigned long long)_i};
  int p = 1 + _i / ALL % 5, begins = pick(&g, 2);
  double o = pick(&g, 2) ? between(&g, -20, 20) : 0, c = spread(&g, 0.1, 5),
         a = pick(&g, 4) ? between(&g, 0.1, 1.5) : 0;
  if (pick(&g, 2)) c = -c;
  char X[200], rate[200];
  const char *since = begins ? "max(0,t-" : "(t-";
  double x0 = begins ? 0 : -c * pow(-a, p + 1) / (p + 1);
  snprintf(rate, sizeof rate, "(%.17g)*%s%.17g)^%d", c, since, a, p);
  snprintf(X, sizeof X, "%.17g+(%.17g)+(%.17g)/%d*%s%.17g)^%d", o, x0, c, p + 1, since, a, p + 1);
  driven(&g, _i % ALL, o, X, rate);
  put(&g, "<simulation T='2'>" FINE "</simulation></model>", integrator[pick(&g, 3)]);
  run r = whole(g.text);
  double way = fabs(c) * ((begins ? 0 : pow(a, p + 1)) + pow(2 - a, p + 1)) / (p + 1);
  ck_assert_double_eq_tol(r.x->cert->work_friction, -WEIGHT * FRICTION * way, 1e-6 * (1 + way));
  run_end(&r);
}
END_TEST

/* Joints of a slider crank. */
enum { CRANK = 1, PIN = 2, WRIST = 4, SLIDE = 8 };
static const double BOUND[] = {0.2, 0.1, 0.15, 5};

/* The friction of joints and that of its guide, which follow from what drives the crank, from rest
 * at its dead point or elsewhere: angles and the way of the slider are monotonous. */
START_TEST(friction_opposes_driven_mechanisms)
{
  static const char *const integrator[] = {"CVodeOSI", "IDAOSI"};
  static const char joint[] = "ABCD";
  generator g = {.state = 400 + (unsigned long long)_i};
  int with = 1 + _i % 15, p = 1 + pick(&g, 3);
  double r = between(&g, 0.05, 0.2), l = r * between(&g, 2, 5), o = pick(&g, 2) ? 3 : 0,
         from = pick(&g, 3) ? 0 : between(&g, 0.1, 0.5), to = between(&g, 0.7, 1.5),
         c = (to - from) * (p + 1);
  double y = r * sin(from), b = asin(y / l), x = r * cos(from), end = l * cos(b);
  put(&g, HEAD);
  put(&g,
      "<RigidBody2dDS id='c'><q0>%.17g %.17g %.17g</q0><mass>1</mass><inertia>0.01</inertia>"
      "<prescribed coordinates='angle'>%.17g*t^%d</prescribed></RigidBody2dDS>",
      o + x / 2, y / 2, from, c, p);
  put(&g,
      "<RigidBody2dDS id='b'><q0>%.17g %.17g %.17g</q0><mass>0.5</mass><inertia>0.01</inertia>"
      "</RigidBody2dDS><RigidBody2dDS id='s'><q0>%.17g 0 0</q0><mass>2</mass><inertia>0.01"
      "</inertia></RigidBody2dDS></systems><interactions>",
      o + x + end / 2, y / 2, -b, o + x + end);
  put(&g,
      "<interaction id='A' systems='c'><PivotJointR point='%.17g 0'/><EqualityConditionNSL/>"
      "</interaction><interaction id='B' systems='c b'><PivotJointR point='%.17g %.17g'/>"
      "<EqualityConditionNSL/></interaction>",
      o, o + x, y);
  put(&g,
      "<interaction id='C' systems='b s'><PivotJointR point='%.17g 0'/><EqualityConditionNSL/>"
      "</interaction><interaction id='D' systems='s'><PrismaticJointR axis='1 0'/>"
      "<EqualityConditionNSL/></interaction>",
      o + x + end);
  for (int j = 0; j < 4; j++)
    if (with >> j & 1)
      put(&g,
          "<interaction id='f%c'><JointFrictionR joint='%c'/><RelayNSL lb='-%g' ub='%g'/>"
          "</interaction>",
          joint[j], joint[j], BOUND[j], BOUND[j]);
  put(&g, "</interactions><simulation T='1'>" FINE "</simulation></model>",
      integrator[pick(&g, 2)]);
  run k = whole(g.text);
  double turned = asin(r * sin(to) / l), work = 0;
  if (with & CRANK) work -= BOUND[0] * (to - from);
  if (with & PIN) work -= BOUND[1] * (to + turned - from - b);
  if (with & WRIST) work -= BOUND[2] * (turned - b);
  if (with & SLIDE) work -= BOUND[3] * (x + end - r * cos(to) - l * cos(turned));
  ck_assert_double_eq_tol(k.x->cert->work_friction, work, 1e-6);
  run_end(&k);
}
END_TEST

/* ---- checkpoints ----------------------------------------------------------------------------- */

START_TEST(runs_go_on)
{
  if (_i < 12) {
    generator g = {.state = 700 + (unsigned long long)_i};
    coupled(&g, 0, _i % 2 ? "IDAOSI" : "CVodeOSI");
    ck_assert_int_gt(goes_on_the_same(g.text, &(change){0}, 4, 7 + (unsigned long)_i), 0);
  } else {
    generator g = {.state = 40 + (unsigned long long)_i};
    struck(&g, _i % KINDS, 0, 0.3, 1.5, -0.7, 0.6);
    put(&g, "<simulation T='1'>" FINE "</simulation></model>", "CVodeOSI");
    ck_assert_int_gt(goes_on_the_same(g.text, &(change){0}, 4, 7 + (unsigned long)_i), 0);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, a_row_moves_it_the_same, 0, 40);
  tcase_add_loop_test(t, walls_strike_with_their_velocity, 0, 30);
  tcase_add_loop_test(t, velocities_begin_by_an_impulse, 0, 20);
  tcase_add_loop_test(t, tables_kick_what_rests_on_them, 0, 24);
  tcase_add_loop_test(t, jumps_are_named_by_their_system, 0, 4);
  tcase_add_loop_test(t, friction_opposes_what_is_driven, 0, 80);
  tcase_add_loop_test(t, friction_opposes_driven_mechanisms, 0, 45);
  tcase_add_loop_test(t, runs_go_on, 0, 16);
}

int main(void) { return suite_run("event-driven prescribed velocities", fill); }
