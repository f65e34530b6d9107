/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Armature, springs, dampers and motors of joints by words: against the same mechanism in joint
 * coordinates, closed forms, energy and momentum, time-stepping beside event-driven. */
#include "support/interrupted.h"
#include "support/random_model.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"
#define STEPS "<TimeStepping h='%.17g'><MoreauJeanOSI/></TimeStepping>"
#define EVENTS \
  "<EventDriven h='%.17g'><CVodeOSI relativeTolerance='1e-11' " \
  "absoluteTolerance='1e-13'/></EventDriven>"

static double last(const run *r, const char *label) { return run_at(r, r->got.nrows - 1, label); }

/* ---- random chains in the plane -------------------------------------------------------------- */

enum { LINKS = 4 };

typedef struct chain {
  int n;
  double length[LINKS], centre[LINKS], mass[LINKS], inertia[LINKS], phi[LINKS], rate[LINKS];
  double armature[LINKS], stiffness[LINKS], damping[LINKS], rest[LINKS];
  double kp[LINKS], kv[LINKS], limit[LINKS], stall[LINKS], no_load[LINKS], gear[LINKS];
  double x0, y0, turn; /* where the world is */
} chain;

static chain random_chain(generator *g)
{
  chain c = {.n = 2 + pick(g, LINKS - 1), .x0 = between(g, -2, 2), .y0 = between(g, -2, 2)};
  for (int i = 0; i < c.n; i++) {
    c.length[i] = between(g, 0.3, 1);
    c.centre[i] = c.length[i] * between(g, 0.2, 0.8);
    c.mass[i] = between(g, 0.5, 2);
    c.inertia[i] = c.mass[i] * c.length[i] * c.length[i] * between(g, 0.05, 0.1);
    c.phi[i] = between(g, -2, 2);
    c.rate[i] = between(g, -1, 1);
    c.armature[i] = pick(g, 3) ? spread(g, 0.01, 2) : 0;
    c.stiffness[i] = between(g, 0, 5);
    c.damping[i] = between(g, 0, 0.5);
    c.rest[i] = between(g, -0.5, 0.5);
    c.kp[i] = between(g, 0.1, 2);
    c.kv[i] = between(g, 0, 0.2);
    c.limit[i] = between(g, 0.1, 1);
    c.stall[i] = between(g, 0.2, 1);
    c.no_load[i] = between(g, 2, 8);
    c.gear[i] = between(g, -3, 3);
  }
  return c;
}

/* Bodies with hinges. */
static void put_bodies(generator *g, const chain *c)
{
  double x = c->x0, y = c->y0, vx = 0, vy = 0, joint[LINKS][2];
  put(g, HEAD);
  for (int i = 0; i < c->n; i++) {
    double a = c->phi[i] + c->turn, C = cos(a), S = sin(a), w = c->rate[i], l = c->centre[i],
           L = c->length[i];
    joint[i][0] = x;
    joint[i][1] = y;
    put(g,
        "<RigidBody2dDS id='b%d'><q0>%.17g %.17g %.17g</q0><v0>%.17g %.17g "
        "%.17g</v0><mass>%.17g</mass><inertia>%.17g</inertia>"
        "<fExt>%.17g %.17g</fExt></RigidBody2dDS>",
        i, x + l * C, y + l * S, a, vx - l * S * w, vy + l * C * w, w, c->mass[i], c->inertia[i],
        9.81 * c->mass[i] * sin(c->turn), -9.81 * c->mass[i] * cos(c->turn));
    x += L * C;
    y += L * S;
    vx -= L * S * w;
    vy += L * C * w;
  }
  put(g, "</systems><interactions>");
  for (int i = 0; i < c->n; i++) {
    char systems[24];
    if (i) snprintf(systems, sizeof systems, "b%d b%d", i - 1, i);
    else snprintf(systems, sizeof systems, "b0");
    put(g,
        "<interaction id='j%d' systems='%s'><PivotJointR point='%.17g %.17g' armature='%.17g' "
        "stiffness='%.17g' damping='%.17g' "
        "rest='%.17g'><motor command='position' kp='%.17g' kv='%.17g' limit='%.17g' stall='%.17g' "
        "noLoad='%.17g' gear='%.17g'>sin(5*t)"
        "</motor></PivotJointR><EqualityConditionNSL/></interaction>",
        i, systems, joint[i][0], joint[i][1], c->armature[i], c->stiffness[i], c->damping[i],
        c->rest[i], c->kp[i], c->kv[i], c->limit[i], c->stall[i], c->no_load[i], c->gear[i]);
  }
  put(g, "</interactions>");
}

/* sum_k m_k a_ki a_kj: a_ki is what link k's centre turns by where link i does. */
static double coupled(const chain *c, int i, int j)
{
  double sum = 0;
  for (int k = 0; k < c->n; k++) {
    double a = i < k    ? c->length[i]
               : i == k ? c->centre[i]
                        : 0,
           b = j < k    ? c->length[j]
               : j == k ? c->centre[j]
                        : 0;
    sum += c->mass[k] * a * b;
  }
  return sum;
}

/* The coordinate of joint i and its rate as formulas of the angles p0, p1, ...; of the first joint
 * the world's, as the body sees it. */
static void coordinate(const chain *c, int i, char *d, char *v, size_t size)
{
  if (i) {
    snprintf(d, size, "(p%d - p%d - %.17g)", i, i - 1, c->phi[i] - c->phi[i - 1]);
    snprintf(v, size, "(v_p%d - v_p%d)", i, i - 1);
  } else {
    snprintf(d, size, "(%.17g - p0)", c->phi[0]);
    snprintf(v, size, "(-v_p0)");
  }
}

/* Its torque. */
static void put_torque(generator *g, const chain *c, int i)
{
  char d[80], v[80];
  coordinate(c, i, d, v, sizeof d);
  double G = c->gear[i], S = c->stall[i], N = c->no_load[i], L = c->limit[i];
  put(g,
      "(-%.17g*(%s - %.17g) - %.17g*%s + %.17g*max(min(max(min(%.17g*(sin(5*t) - %.17g*%s) - "
      "%.17g*%.17g*%s, %.17g - %.17g*%s), "
      "-%.17g - %.17g*%s), %.17g), -%.17g))",
      c->stiffness[i], d, c->rest[i], c->damping[i], v, G, c->kp[i], G, d, c->kv[i], G, v, S,
      S * G / N, v, S, S * G / N, v, L, L);
}

/* The same in angles. */
static void put_angles(generator *g, const chain *c)
{
  put(g, HEAD "<LagrangianDS id='u' coordinates='");
  for (int i = 0; i < c->n; i++) put(g, "p%d ", i);
  put(g, "'><q0>");
  for (int i = 0; i < c->n; i++) put(g, "%.17g ", c->phi[i]);
  put(g, "</q0><v0>");
  for (int i = 0; i < c->n; i++) put(g, "%.17g ", c->rate[i]);
  put(g, "</v0><mass>");
  for (int i = 0; i < c->n; i++) {
    for (int j = 0; j < c->n; j++) {
      double constant =
          i == j ? c->inertia[i] + c->armature[i] + (i + 1 < c->n ? c->armature[i + 1] : 0) : 0;
      if (abs(i - j) == 1) constant -= c->armature[i > j ? i : j];
      put(g, "%.17g*cos(p%d-p%d)+%.17g ", coupled(c, i, j), i, j, constant);
    }
    put(g, "%s", i + 1 < c->n ? "; " : "");
  }
  put(g, "</mass><fGyr>");
  for (int i = 0; i < c->n; i++) {
    put(g, "0");
    for (int j = 0; j < c->n; j++) put(g, "+%.17g*sin(p%d-p%d)*v_p%d^2", coupled(c, i, j), i, j, j);
    put(g, " ");
  }
  put(g, "</fGyr><fInt>");
  for (int i = 0; i < c->n; i++) {
    double weight = 0;
    for (int k = i; k < c->n; k++)
      weight += 9.81 * c->mass[k] * (i < k ? c->length[i] : c->centre[i]);
    put(g, "%.17g*cos(p%d) %s ", weight, i, i ? "-" : "+");
    put_torque(g, c, i);
    if (i + 1 < c->n) {
      put(g, "+");
      put_torque(g, c, i + 1);
    }
    put(g, "\n, ");
  }
  g->length -= 2;
  put(g, "</fInt></LagrangianDS></systems>");
}

static run play_chain(const chain *c, int bodies, int events, double h, double T)
{
  generator g = {0};
  if (bodies) put_bodies(&g, c);
  else put_angles(&g, c);
  put(&g, "<simulation T='%.17g'>", T);
  if (events) put(&g, EVENTS, h);
  else put(&g, STEPS, h);
  put(&g, "</simulation></model>");
  return run_whole(g.text);
}

/* Largest difference between angles of bodies and coordinates, and between their rates. */
static double differ(const chain *c, const run *bodies, const run *angles)
{
  double worst = 0;
  for (int i = 0; i < c->n; i++) {
    double turn = bodies->x->q[3 * i + 2] - c->turn;
    worst = fmax(
        worst, fmax(fabs(turn - angles->x->q[i]), fabs(bodies->x->v[3 * i + 2] - angles->x->v[i])));
  }
  return worst;
}

START_TEST(chains_move_as_in_their_angles)
{
  generator g = {.state = 400 + (unsigned long long)_i};
  const double T = 0.5;
  chain c = random_chain(&g), turned = c;
  run angles = play_chain(&c, 0, 1, 0.05, T), bodies = play_chain(&c, 1, 1, 0.05, T);
  ck_assert_double_le(differ(&c, &bodies, &angles), 2e-8);
  ck_assert_double_le(bodies.x->cert->defect_max, 1e-6);
  double error[2];
  for (int k = 0; k < 2; k++) {
    run r = play_chain(&c, 1, 0, 1e-3 / (k + 1), T);
    error[k] = differ(&c, &r, &angles);
    run_end(&r);
  }
  /* corners of motors fall within steps */
  ck_assert_msg(log2(error[0] / error[1]) > 1.6, "errors %g, %g", error[0], error[1]);
  ck_assert_double_le(error[1], 5e-4);
  /* the world elsewhere and turned, gravity with it */
  turned.x0 += 3;
  turned.turn = 0.7;
  run there = play_chain(&turned, 1, 1, 0.05, T);
  ck_assert_double_le(differ(&turned, &there, &angles), 2e-8);
  run_end(&there);
  run_end(&bodies);
  run_end(&angles);
}
END_TEST

/* ---- slides ---------------------------------------------------------------------------------- */

/* A bead with the armature a on a guide of inertia I that turns about the world's z: r'' (m + a) =
 * m r w^2, (I + m r^2) w is kept. */
static void bead_rates(const double *x, double *f)
{
  const double I = 0.7, m = 0.4, a = 0.9, L = (I + m) * 2;
  double w = L / (I + m * x[0] * x[0]);
  f[0] = x[1];
  f[1] = m * x[0] * w * w / (m + a);
}

static void bead_exact(double T, double *x)
{
  enum { N = 4000 };
  double h = T / N, k[4][2], y[2];
  x[0] = 1;
  x[1] = 0.3;
  for (int i = 0; i < N; i++) {
    bead_rates(x, k[0]);
    for (int s = 1; s < 4; s++) {
      for (int j = 0; j < 2; j++) y[j] = x[j] + h * (s < 3 ? 0.5 : 1) * k[s - 1][j];
      bead_rates(y, k[s]);
    }
    for (int j = 0; j < 2; j++) x[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
  }
}

/* kind 0: prismatic in space, 1: in the plane, 2: cylindrical, which the bead's turn is free of. */
static run bead(int kind, int events, double h)
{
  generator g = {0};
  const char *joint = kind == 2 ? "CylindricalJointR point='1 0 0' armature='0 0.9'"
                                : "PrismaticJointR armature='0.9'";
  if (kind == 1)
    put(&g,
        HEAD "<RigidBody2dDS id='guide'><q0>0 0 0</q0><v0>0 0 "
             "2</v0><mass>1</mass><inertia>0.5</inertia></RigidBody2dDS>"
             "<RigidBody2dDS id='bead'><q0>1 0 0</q0><v0>0.3 2 "
             "2</v0><mass>0.4</mass><inertia>0.2</inertia></RigidBody2dDS></systems>"
             "<interactions><interaction id='pin' systems='guide'><PivotJointR point='0 "
             "0'/><EqualityConditionNSL/></interaction>"
             "<interaction id='rail' systems='guide bead'><%s axis='1 "
             "0'/><EqualityConditionNSL/></interaction></interactions>",
        joint);
  else
    put(&g,
        HEAD "<NewtonEulerDS id='guide'><q0>0 0 0 1 0 0 0</q0><v0>0 0 0 0 0 "
             "2</v0><mass>1</mass><inertia diag='1 1 0.5'/></NewtonEulerDS>"
             "<NewtonEulerDS id='bead'><q0>1 0 0 1 0 0 0</q0><v0>0.3 2 0 0 0 "
             "2</v0><mass>0.4</mass><inertia diag='0.2 0.2 0.2'/></NewtonEulerDS></systems>"
             "<interactions><interaction id='pin' systems='guide'><PivotJointR point='0 0 0' "
             "axis='0 0 1'/><EqualityConditionNSL/></interaction>"
             "<interaction id='rail' systems='guide bead'><%s axis='1 0 "
             "0'/><EqualityConditionNSL/></interaction></interactions>",
        joint);
  put(&g, "<simulation T='1'>");
  if (events) put(&g, EVENTS, h);
  else put(&g, STEPS, h);
  put(&g, "</simulation></model>");
  return run_whole(g.text);
}

START_TEST(slides_on_what_turns)
{
  double exact[2], error[2];
  bead_exact(1, exact);
  run r = bead(_i, 1, 0.1);
  ck_assert_double_eq_tol(1 + last(&r, "rail.slide"), exact[0], 1e-9);
  ck_assert_double_eq_tol(last(&r, "rail.v_slide"), exact[1], 1e-9);
  ck_assert_double_le(r.x->cert->defect_max, 1e-9);
  run_end(&r);
  for (int k = 0; k < 2; k++) {
    r = bead(_i, 0, 2e-3 / (k + 1));
    error[k] = hypot(1 + last(&r, "rail.slide") - exact[0], last(&r, "rail.v_slide") - exact[1]);
    ck_assert_double_le(r.x->cert->defect_max, 1e-5 / (k + 1) / (k + 1));
    run_end(&r);
  }
  ck_assert_double_eq_tol(log2(error[0] / error[1]), 2, 0.05);
}
END_TEST

/* ---- impacts --------------------------------------------------------------------------------- */

/* A ball of 0.5 kg at 3 m/s hits a rod on a hinge, 0.8 from it, inertia about it J = 1/3 + 0.25
 * with the armature: with u = v - 0.8 w, P = (1 + e) u/(1/m + 0.64/J). */
static run ball_on_rod(int events, double h)
{
  generator g = {0};
  put(&g, HEAD "<RigidBody2dDS id='rod'><q0>0.5 0 "
               "0</q0><mass>1</mass><inertia>1/12</inertia></RigidBody2dDS>"
               "<RigidBody2dDS id='ball'><q0>0.8 -0.3 0</q0><v0>0 3 "
               "0</v0><mass>0.5</mass><inertia>1</inertia></RigidBody2dDS></systems><interactions>"
               "<interaction id='hinge' systems='rod'><PivotJointR point='0 0' "
               "armature='0.25'/><EqualityConditionNSL/></interaction>"
               "<interaction id='hit' systems='ball rod'><NewtonEuler1DR><P1>ball.x ball.y "
               "0</P1><P2>ball.x rod.y + (ball.x - rod.x)*tan(rod.angle) 0</P2>"
               "<n>sin(rod.angle) -cos(rod.angle) 0</n></NewtonEuler1DR><NewtonImpactNSL "
               "e='0.6'/></interaction></interactions><simulation T='0.12'>");
  if (events) put(&g, EVENTS, h);
  else put(&g, STEPS, h);
  put(&g, "</simulation></model>");
  return run_whole(g.text);
}

START_TEST(armature_takes_part_in_impacts)
{
  double J = 1. / 3 + 0.25, P = 1.6 * 3 / (1 / 0.5 + 0.64 / J);
  run r = ball_on_rod(_i, _i ? 0.01 : 1e-3);
  /* no force after it but along the rod */
  ck_assert_double_eq_tol(last(&r, "ball.v_y"), 3 - P / 0.5, _i ? 1e-9 : 2e-3);
  ck_assert_double_eq_tol(last(&r, "rod.v_angle"), 0.8 * P / J, _i ? 1e-9 : 2e-3);
  double kinetic = 0.25 * pow(3 - P / 0.5, 2) + J * pow(0.8 * P / J, 2) / 2;
  ck_assert_double_eq_tol(r.x->cert->kinetic, kinetic, _i ? 1e-8 : 1e-2);
  ck_assert_double_le(r.x->cert->defect_max, _i ? 1e-9 : 1e-5);
  run_end(&r);
}
END_TEST

/* A rotor on a shaft of its own with a gear of 20 gives the joint its inertia 400 times: the
 * armature is that of the rotor. */
START_TEST(gear_of_a_rotor_is_an_armature)
{
  static const char *const hinge[2] = {
      "<interaction id='j' systems='arm'><PivotJointR point='0 0 0' axis='0 1 0' "
      "armature='400*5e-4'/><EqualityConditionNSL/></interaction>",
      "<interaction id='j' systems='arm'><PivotJointR point='0 0 0' axis='0 1 "
      "0'/><EqualityConditionNSL/></interaction>"
      "<interaction id='shaft' systems='rotor'><PivotJointR point='0 0 0' axis='0 1 "
      "0'/><EqualityConditionNSL/></interaction>"
      "<interaction id='gear'><CouplerJointR joints='j shaft' "
      "ratio='20'/><EqualityConditionNSL/></interaction>"};
  double angle[2];
  for (int k = 0; k < 2; k++) {
    generator g = {0};
    put(&g,
        HEAD "<NewtonEulerDS id='arm'><q0>0.5 0 0 1 0 0 0</q0><mass>1</mass><inertia diag='0.01 "
             "0.1 0.1'/><fExt>0 0 -9.81</fExt></NewtonEulerDS>"
             "<NewtonEulerDS id='rotor'><q0>0 0 0 1 0 0 0</q0><mass>0.1</mass><inertia diag='5e-4 "
             "5e-4 5e-4'/></NewtonEulerDS></systems><interactions>%s"
             "</interactions><simulation T='1'>",
        hinge[k]);
    if (_i) put(&g, EVENTS, 0.1);
    else put(&g, STEPS, 1e-3);
    put(&g, "</simulation></model>");
    run r = run_whole(g.text);
    angle[k] = last(&r, "j.angle");
    run_end(&r);
  }
  ck_assert_double_ge(fabs(angle[0]), 0.5);
  ck_assert_double_eq_tol(angle[0], angle[1], _i ? 1e-8 : 1e-9);
}
END_TEST

/* ---- motors ---------------------------------------------------------------------------------- */

/* At full command a motor with the line runs up as w = w0 (1 - exp(-t/tau)), tau = J w0/(gear
 * stall), w0 = noLoad/gear. */
START_TEST(motor_runs_up_its_line)
{
  generator g = {0};
  const double gear = 5, stall = 0.4, no_load = 100, J = 0.3 + 25 * 2e-3;
  put(&g,
      HEAD
      "<RigidBody2dDS id='base'><q0>0 0 0</q0><mass>1</mass><inertia>1</inertia><fixed "
      "coordinates='x y angle'/></RigidBody2dDS>"
      "<RigidBody2dDS id='wheel'><q0>0 0 "
      "0</q0><mass>1</mass><inertia>0.3</inertia></RigidBody2dDS></systems><interactions>"
      "<interaction id='j' systems='base wheel'><PivotJointR point='0 0' "
      "armature='5^2*2e-3'><motor stall='0.4' noLoad='100' gear='5'>10</motor>"
      "</PivotJointR><EqualityConditionNSL/></interaction></interactions><simulation T='4'>" STEPS
      "</simulation></model>",
      5e-3);
  run r = run_whole(g.text);
  double w0 = no_load / gear, tau = J * w0 / (gear * stall), x = 5e-3 / (2 * tau), want = 0;
  for (size_t k = 1; k < r.got.nrows; k++) {
    want = w0 + (want - w0) * (1 - x) / (1 + x); /* the scheme's own run-up */
    ck_assert_double_eq_tol(run_at(&r, k, "j.v_angle"), want, 1e-10 * w0);
  }
  ck_assert_double_eq_tol(want, w0 * (1 - exp(-4 / tau)), 1e-5 * w0);
  ck_assert_double_le(r.x->cert->defect_max, 1e-10);
  run_end(&r);
}
END_TEST

/* A servo of velocity with a limit: torque at the limit until w = u - limit/kv, then an
 * exponential. Event-driven: the corner is an event. */
START_TEST(servo_leaves_its_limit)
{
  const double J = 0.5, kv = 2, u = 3, L = 1.5, t1 = (u - L / kv) * J / L, T = 2,
               w = u - L / kv * exp(-kv / J * (T - t1));
  for (int events = 0; events < 2; events++) {
    generator g = {0};
    put(&g, HEAD "<NewtonEulerDS id='wheel'><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag='1 1 "
                 "0.3'/></NewtonEulerDS></systems><interactions>"
                 "<interaction id='j' systems='wheel'><PivotJointR point='0 0 0' axis='0 0 1' "
                 "armature='0.2'>"
                 "<motor command='velocity' kv='2' "
                 "limit='1.5'>-3</motor></PivotJointR><EqualityConditionNSL/></interaction></"
                 "interactions><simulation T='2'>");
    if (events) put(&g, EVENTS, 0.1);
    else put(&g, STEPS, 1e-3);
    put(&g, "</simulation></model>");
    run r = run_whole(g.text);
    ck_assert_double_eq_tol(last(&r, "wheel.Omega_z"), w, events ? 1e-9 : 1e-6);
    run_end(&r);
  }
}
END_TEST

/* A servo 10^4 times stiffer than the step asks for is implicit: it stands where it is told to. */
START_TEST(stiff_servo_stands)
{
  generator g = {0};
  put(&g, HEAD
      "<NewtonEulerDS id='arm'><q0>0.5 0 0 1 0 0 0</q0><mass>1</mass><inertia diag='0.01 0.1 "
      "0.1'/><fExt>0 0 -9.81</fExt></NewtonEulerDS>"
      "</systems><interactions><interaction id='j' systems='arm'><PivotJointR point='0 0 0' "
      "axis='0 1 0' armature='0.05'>"
      "<motor command='position' kp='1e6' kv='1e5' "
      "limit='50'>0.2</motor></PivotJointR><EqualityConditionNSL/></interaction></interactions>"
      "<simulation T='3'><TimeStepping h='1e-2'><MoreauJeanOSI "
      "theta='1'/></TimeStepping></simulation></model>");
  run r = run_whole(g.text);
  ck_assert_double_eq_tol(last(&r, "j.angle"), 0.2, 1e-5); /* the weight bends it by 5e-6 */
  ck_assert_double_eq_tol(last(&r, "j.v_angle"), 0, 1e-9);
  run_end(&r);
}
END_TEST

/* ---- by numbers for each instance; a run that is interrupted --------------------------------- */

START_TEST(numbers_may_depend_on_indices)
{
  generator g = {0};
  put(&g,
      HEAD "<repeat index='i' from='1' to='3'><NewtonEulerDS id='w{i}'><q0>0 0 i 1 0 0 0</q0><v0>0 "
           "0 0 0 0 1</v0><mass>1</mass>"
           "<inertia diag='1 1 1'/></NewtonEulerDS></repeat></systems><interactions><repeat "
           "index='i' from='1' to='3'><interaction id='j{i}' systems='w{i}'>"
           "<PivotJointR point='0 0 0' axis='0 0 1' armature='i' damping='2*i^2'><motor "
           "limit='i'>-100</motor></PivotJointR><EqualityConditionNSL/>"
           "</interaction></repeat></interactions><simulation T='0.5'>" EVENTS
           "</simulation></model>",
      0.1);
  run r = run_whole(g.text);
  for (int i = 1; i <= 3; i++) { /* (1 + i) w' = -2 i^2 w + i; the world turns against the wheel */
    char label[16];
    snprintf(label, sizeof label, "w%d.Omega_z", i);
    double end = i / (2. * i * i), rate = 2. * i * i / (1 + i);
    ck_assert_double_eq_tol(last(&r, label), end + (1 - end) * exp(-rate * 0.5), 1e-9);
  }
  run_end(&r);
}
END_TEST

static void put_simulation(generator *g, int events)
{
  put(g, "<simulation T='0.5'>");
  if (events) put(g, "<EventDriven h='0.02'><CVodeOSI/></EventDriven>");
  else put(g, "<TimeStepping h='0.01'><MoreauJeanOSI/></TimeStepping>");
  put(g, "</simulation></model>");
}

START_TEST(goes_on_as_if_never_stopped)
{
  generator g = {.state = 77}, text = {0};
  chain c = random_chain(&g);
  put_bodies(&text, &c);
  put_simulation(&text, _i);
  ck_assert(goes_on_the_same(text.text, &(change){.every = 1}, 10, 5));
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, chains_move_as_in_their_angles, 0, 12);
  tcase_add_loop_test(t, slides_on_what_turns, 0, 3);
  tcase_add_loop_test(t, armature_takes_part_in_impacts, 0, 2);
  tcase_add_loop_test(t, gear_of_a_rotor_is_an_armature, 0, 2);
  tcase_add_test(t, motor_runs_up_its_line);
  tcase_add_test(t, servo_leaves_its_limit);
  tcase_add_test(t, stiff_servo_stands);
  tcase_add_test(t, numbers_may_depend_on_indices);
  tcase_add_loop_test(t, goes_on_as_if_never_stopped, 0, 2);
}

int main(void) { return suite_run("armature and motors of joints", fill); }
