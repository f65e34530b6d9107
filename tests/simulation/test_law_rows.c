/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Laws that are composed of rows with bounds: polyhedra between events and in mechanics, piecewise
 * linear laws of mechanics. Against relays in turned axes, closed forms, steps, and the same
 * equations as a first-order system. */
#include "support/mixed.h"

/* ---- random numbers as texts ----------------------------------------------------------------- */

typedef struct figures {
  char of[300];
} figures;
/* An element. */
typedef struct part {
  char of[1000];
} part;

/* A [m x n] by rows. */
static figures matrix(const double *a, int m, int n)
{
  figures t = {""};
  size_t at = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      at += (size_t)snprintf(t.of + at, sizeof t.of - at, "%s%.17g",
                             j   ? " "
                             : i ? "; "
                                 : "",
                             a[i * n + j]);
  return t;
}

static void fill(double *a, int n, double low, double high)
{
  for (int i = 0; i < n; i++) a[i] = uniform(low, high);
}

/* c = a b, or a^T b, of 2 x 2. */
static void multiply(const double *a, int transposed, const double *b, double *c)
{
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      c[2 * i + j] = 0;
      for (int k = 0; k < 2; k++)
        c[2 * i + j] += (transposed ? a[2 * k + i] : a[2 * i + k]) * b[2 * k + j];
    }
}

/* A box of random bounds around 0, turned by Q: { lambda : low <= Q lambda <= high }; the relay is
 * that of Q lambda. */
typedef struct turned_box {
  double Q[4];
  part cone, relay;
} turned_box;

static turned_box random_box(void)
{
  turned_box b;
  double angle = uniform(0, 6.3), c = cos(angle), s = sin(angle), low[2], high[2];
  const double Q[] = {c, -s, s, c};
  memcpy(b.Q, Q, sizeof Q);
  fill(low, 2, -1, -0.2);
  fill(high, 2, 0.2, 1);
  const double N[] = {c, -s, s, c, -c, s, -s, -c}, k[] = {low[0], low[1], -high[0], -high[1]};
  snprintf(b.cone.of, sizeof b.cone.of, "<NormalConeNSL><H>%s</H><k>%s</k></NormalConeNSL>",
           matrix(N, 4, 2).of, matrix(k, 1, 4).of);
  snprintf(b.relay.of, sizeof b.relay.of, "<RelayNSL lb='%s' ub='%s'/>", matrix(low, 1, 2).of,
           matrix(high, 1, 2).of);
  return b;
}

static void agree(const run *a, const run *b, const char *const *names, double within)
{
  for (; *names; names++)
    ck_assert_msg(fabs(last(a, *names) - last(b, *names)) <= within, "%s: %.12g, %.12g", *names,
                  last(a, *names), last(b, *names));
}

/* Multipliers and outputs of the cone are those of the relay in turned axes. */
static void agree_turned(const run *a, const run *b, const turned_box *k, double within)
{
  for (int i = 0; i < 2; i++) {
    double lambda = k->Q[2 * i] * last(a, "g.lambda[0]") + k->Q[2 * i + 1] * last(a, "g.lambda[1]");
    ck_assert_double_eq_tol(lambda, last(b, i ? "g.lambda[1]" : "g.lambda[0]"), within);
  }
}

/* ---- polyhedra between events ---------------------------------------------------------------- */

#define FORCED \
  "<systems><FirstOrderLinearDS id='s' states='a b'><x0>%s</x0><A>%s</A><b>2*sin(3*t) " \
  "1.5*cos(2*t)" \
  "</b></FirstOrderLinearDS></systems><interactions><interaction id='g' systems='s'>" \
  "<FirstOrderLinearTIR><C>%s</C><B>%s</B>%s</FirstOrderLinearTIR>%s</interaction></interactions>"
static const char *const states[] = {"s.a", "s.b", NULL};

/* C = P, B = -P^T up to a positive factor, so that lambda opposes the motion; D positive definite,
 * or none: then the state slides. */
START_TEST(a_turned_box_is_a_turned_relay)
{
  char cone[8000], relay[8000], D[2][700] = {"", ""};
  seed = 20350000UL + (unsigned long)_i;
  double A[4], x[2], C[4], B[4], CQ[4], BQ[4], d[4], dQ[4], half[4];
  turned_box k = random_box();
  fill(A, 4, -1, 1);
  fill(x, 2, -1, 1);
  fill(C, 4, -0.4, 0.4);
  C[0] += 1, C[3] += 1;
  for (int i = 0; i < 4; i++) B[i] = 2 * C[(i & 1) * 2 + i / 2];
  multiply(k.Q, 0, C, CQ);
  for (int i = 0; i < 4; i++) BQ[i] = 2 * CQ[(i & 1) * 2 + i / 2];
  if (_i & 1) {
    fill(d, 4, -0.2, 0.2);
    d[0] += 0.6, d[3] += 0.6;
    multiply(k.Q, 0, d, half);
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 2; j++)
        dQ[2 * i + j] = half[2 * i] * k.Q[2 * j] + half[2 * i + 1] * k.Q[2 * j + 1];
    snprintf(D[0], sizeof D[0], "<D>%s</D>", matrix(d, 2, 2).of);
    snprintf(D[1], sizeof D[1], "<D>%s</D>", matrix(dQ, 2, 2).of);
  }
  snprintf(cone, sizeof cone, FORCED, matrix(x, 1, 2).of, matrix(A, 2, 2).of, matrix(C, 2, 2).of,
           matrix(B, 2, 2).of, D[0], k.cone.of);
  snprintf(relay, sizeof relay, FORCED, matrix(x, 1, 2).of, matrix(A, 2, 2).of, matrix(CQ, 2, 2).of,
           matrix(BQ, 2, 2).of, D[1], k.relay.of);
  run a = events(cone, 4, 50), b = events(relay, 4, 50);
  agree(&a, &b, states, 1e-9);
  agree_turned(&a, &b, &k, 1e-8);
  is_certified(&a);
  run_end(&a), run_end(&b);
}
END_TEST

/* Faces in general position, of which some are never active: small steps tend to it. */
START_TEST(events_of_faces_are_the_limit_of_steps)
{
  char text[8000];
  seed = 20360000UL + (unsigned long)_i;
  double A[4], x[2], N[10], k[5], one[] = {1, 0, 0, 1};
  fill(A, 4, -1, 1);
  A[0] -= 1.5, A[3] -= 1.5;
  fill(x, 2, -1, 1);
  for (int i = 0; i < 5; i++) {
    double angle = 6.28 / 5 * (i + uniform(-0.4, 0.4)), length = uniform(0.5, 2);
    N[2 * i] = length * cos(angle), N[2 * i + 1] = length * sin(angle);
    k[i] = -length * uniform(0.3, 1);
  }
  char law[2000];
  snprintf(law, sizeof law, "<NormalConeNSL><H>%s</H><k>%s</k></NormalConeNSL>", matrix(N, 5, 2).of,
           matrix(k, 1, 5).of);
  snprintf(text, sizeof text, FORCED, matrix(x, 1, 2).of, matrix(A, 2, 2).of, matrix(one, 2, 2).of,
           matrix(one, 2, 2).of, "", law);
  run a = events(text, 4, 50);
  for (int n = 4000; n <= 16000; n *= 2) {
    run b = run_to(text,
                   "<simulation T='1'><TimeStepping h='1'><EulerMoreauOSI theta='1'/>"
                   "</TimeStepping></simulation></model>",
                   4, n);
    agree(&a, &b, states, 8.0 / n); /* two steps of length h = 4 / n */
    run_end(&b);
  }
  is_certified(&a);
  run_end(&a);
}
END_TEST

/* ---- mechanics ------------------------------------------------------------------------------- */

#define BODY \
  "<systems><LagrangianLinearTIDS id='s' coordinates='x y'><q0>%s</q0><v0>%s</v0>" \
  "<mass>2 0.3; 0.3 1</mass><K>3 1; 1 2</K></LagrangianLinearTIDS></systems>" \
  "<interactions><interaction id='g' systems='s'>%s%s</interaction></interactions>"
#define MOREAU \
  "<simulation T='1'><TimeStepping h='1'><MoreauJeanOSI theta='0.5'/></TimeStepping>" \
  "</simulation></model>"
static const char *const motion[] = {"s.x", "s.y", "s.v_x", "s.v_y", NULL};

static part relation(const double *H, const double *D)
{
  part t;
  if (D)
    snprintf(t.of, sizeof t.of,
             "<LagrangianCompliantLinearTIR><H>%s</H><D>%s</D></LagrangianCompliantLinearTIR>",
             matrix(H, 2, 2).of, matrix(D, 2, 2).of);
  else
    snprintf(t.of, sizeof t.of, "<LagrangianLinearTIR><H>%s</H></LagrangianLinearTIR>",
             matrix(H, 2, 2).of);
  return t;
}

/* As relay and cone, in steps and between events; rigid and compliant. */
START_TEST(a_turned_box_of_mechanics)
{
  char cone[8000], relay[8000];
  seed = 20370000UL + (unsigned long)_i;
  int compliant = _i & 1, stepping = _i >> 1 & 1;
  double H[4], HQ[4], q[2], v[2], D[] = {0.5, 0.1, 0.1, 0.4}, half[4], DQ[4];
  turned_box k = random_box();
  fill(H, 4, -0.4, 0.4);
  H[0] += 1, H[3] += 1;
  fill(q, 2, -1, 1);
  fill(v, 2, -2, 2);
  multiply(k.Q, 0, H, HQ);
  multiply(k.Q, 0, D, half);
  for (int i = 0; i < 4; i++)
    DQ[i] = half[i & 2] * k.Q[2 * (i & 1)] + half[(i & 2) + 1] * k.Q[2 * (i & 1) + 1];
  snprintf(cone, sizeof cone, BODY, matrix(q, 1, 2).of, matrix(v, 1, 2).of,
           relation(H, compliant ? D : NULL).of, k.cone.of);
  snprintf(relay, sizeof relay, BODY, matrix(q, 1, 2).of, matrix(v, 1, 2).of,
           relation(HQ, compliant ? DQ : NULL).of, k.relay.of);
  const char *by = stepping ? MOREAU : EVENTS;
  run a = run_to(cone, by, 4, 400), b = run_to(relay, by, 4, 400);
  agree(&a, &b, motion, stepping ? 1e-10 : 1e-8);
  if (!stepping) is_certified(&a);
  run_end(&a), run_end(&b);
}
END_TEST

/* A law, as phi of the velocity and of the position of a compliant relation. */
#define SLIDER(relation, law) \
  "<systems><LagrangianLinearTIDS id='s' coordinates='x'><q0>%.17g</q0><v0>%.17g</v0>" \
  "<mass>1.5</mass><K>4</K></LagrangianLinearTIDS></systems><interactions>" \
  "<interaction id='g' systems='s'>" relation law "</interaction></interactions>"
#define OF_VELOCITY "<LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>"
#define OF_POSITION \
  "<LagrangianCompliantLinearTIR><H>1</H><D>0.05</D></LagrangianCompliantLinearTIR>"
/* The same equations of first order: of the velocity by C = 0 1. */
#define FIRST(C, D, law) \
  "<systems><FirstOrderLinearTIDS id='s' states='x v_x'><x0>%.17g %.17g</x0><M diag='1 1.5'/>" \
  "<A>0 1; -4 0</A></FirstOrderLinearTIDS></systems><interactions><interaction id='g' " \
  "systems='s'><FirstOrderLinearTIR><C>" C "</C><D>" D "</D><B>0; 1</B></FirstOrderLinearTIR>" law \
  "</interaction></interactions>"
static const char *const slider[] = {"s.x", "s.v_x", NULL};

/* Friction that falls with the velocity, and a spring with slack, soft and hard sides. */
#define FALLING \
  "<PiecewiseLinearNSL left='-0.1' right='-0.1'><points>-0.8 0.4; 0 1; 0 -1; 0.6 -0.5</points>" \
  "</PiecewiseLinearNSL>"
#define SLACK \
  "<PiecewiseLinearNSL left='-30' right='-5'><points>-0.3 0.5; -0.1 0; 0.2 0</points>" \
  "</PiecewiseLinearNSL>"

START_TEST(a_piecewise_law_is_that_of_first_order)
{
  static const struct {
    const char *mechanics, *first;
  } pair[] = {{SLIDER(OF_VELOCITY, FALLING), FIRST("0 1", "0", FALLING)},
              {SLIDER(OF_POSITION, SLACK), FIRST("1 0", "0.05", SLACK)}};
  char a[8000], b[8000];
  seed = 20380000UL + (unsigned long)_i;
  int stepping = _i >> 1 & 1;
  double q = uniform(-1, 1), v = uniform(-2, 2);
  snprintf(a, sizeof a, pair[_i & 1].mechanics, q, v);
  snprintf(b, sizeof b, pair[_i & 1].first, q, v);
  run x = run_to(a, stepping ? MOREAU : EVENTS, 5, 500),
      y = run_to(b,
                 stepping ? "<simulation T='1'><TimeStepping h='1'><EulerMoreauOSI theta='0.5'/>"
                            "</TimeStepping></simulation></model>"
                          : EVENTS,
                 5, 500);
  agree(&x, &y, slider, stepping ? 1e-10 : 1e-8);
  if (!stepping) is_certified(&x);
  run_end(&x), run_end(&y);
}
END_TEST

/* phi = -0.7 ydot is a damper; phi = -2 y, y = x + 0.05 lambda, a spring: closed forms. */
START_TEST(a_line_is_a_damper_or_a_spring)
{
  char text[8000];
  int spring = _i & 1, stepping = _i >> 1;
  const char *line = spring ? SLIDER(OF_POSITION, "<PiecewiseLinearNSL left='-2' right='-2'>"
                                                  "<points>0 0</points></PiecewiseLinearNSL>")
                            : SLIDER(OF_VELOCITY, "<PiecewiseLinearNSL left='-0.7' right='-0.7'>"
                                                  "<points>0 0</points></PiecewiseLinearNSL>");
  double m = 1.5, k = spring ? 4 + 2 / (1 + 2 * 0.05) : 4, c = spring ? 0 : 0.7, T = 3, q = 0.4,
         v = 1.1;
  double w = sqrt(k / m - c * c / (4 * m * m)), s = c / (2 * m);
  double exact = exp(-s * T) * (q * cos(w * T) + (v + s * q) / w * sin(w * T));
  snprintf(text, sizeof text, line, q, v);
  run r = run_to(text, stepping ? MOREAU : EVENTS, T, stepping ? 30000 : 30);
  ck_assert_double_eq_tol(last(&r, "s.x"), exact, stepping ? 2e-4 : 1e-10);
  run_end(&r);
}
END_TEST

/* A point under friction within a triangle K = { lambda : n_i lambda >= -c_i }, n_i of length 1:
 * where it moves along -n_i it is slowed by c_i, and comes to rest after v/c_i. */
START_TEST(a_triangle_of_friction)
{
  char text[8000];
  static const double N[] = {1, 0, -0.5, 0.8660254037844386, -0.5, -0.8660254037844386};
  static const double c[] = {0.5, 0.8, 1};
  int i = _i % 3;
  double v = 1.3, stop = v / c[i];
  snprintf(text, sizeof text,
           "<systems><LagrangianLinearTIDS id='s' coordinates='x y'><q0>0 0</q0>"
           "<v0>%.17g %.17g</v0></LagrangianLinearTIDS></systems><interactions><interaction id='g' "
           "systems='s'><LagrangianLinearTIR><H>1 0; 0 1</H></LagrangianLinearTIR><NormalConeNSL>"
           "<H>%s</H><k>-0.5 -0.8 -1</k></NormalConeNSL></interaction></interactions>",
           N[2 * i] * v, N[2 * i + 1] * v, matrix(N, 3, 2).of);
  run r = events(text, 4, 40);
  ck_assert_double_eq_tol(hypot(last(&r, "s.x"), last(&r, "s.y")), v * stop / 2, 1e-9);
  ck_assert_double_eq_tol(hypot(last(&r, "s.v_x"), last(&r, "s.v_y")), 0, 1e-10);
  ck_assert_double_eq_tol(r.got.events[r.got.nevents - 1].t, stop, 1e-9);
  is_certified(&r);
  run_end(&r);
}
END_TEST

/* Relations by formulas, of a Lagrangian system and of a body in the plane: velocities outwards and
 * about the origin under the bounds of a relay. */
#define CURVED \
  "<systems><%s</systems><interactions><interaction id='g' systems='s'>%s%s</interaction>" \
  "</interactions>"
#define POLAR(name) "<" name "><h>sqrt(x^2 + y^2), atan2(y, x)</h></" name ">"

START_TEST(a_cone_of_formulas)
{
  char system[1000], model[2][8000], cone[1000], relay[2000];
  seed = 20390000UL + (unsigned long)_i;
  int stepping = _i & 1, plane = _i >> 1 & 1;
  double v[2], low[2], high[2];
  fill(v, 2, -2, 2);
  fill(low, 2, -1, -0.2);
  fill(high, 2, 0.2, 1);
  snprintf(cone, sizeof cone,
           "<NormalConeNSL><H>1 0; 0 1; -1 0; 0 -1</H><k>%.17g %.17g %.17g %.17g</k>"
           "</NormalConeNSL>",
           low[0], low[1], -high[0], -high[1]);
  snprintf(relay, sizeof relay, "<RelayNSL lb='%s' ub='%s'/>", matrix(low, 1, 2).of,
           matrix(high, 1, 2).of);
  if (plane)
    snprintf(system, sizeof system,
             "RigidBody2dDS id='s'><q0>1 0.8 0</q0><v0>%.17g %.17g 0</v0><mass>1.2</mass>"
             "<inertia>1</inertia><fInt>2*x, 3*y</fInt></RigidBody2dDS>",
             v[0], v[1]);
  else
    snprintf(system, sizeof system,
             "LagrangianDS id='s' coordinates='x y'><q0>1 0.8</q0><v0>%.17g %.17g</v0>"
             "<mass diag='1.2 1.2'/><fInt>2*x, 3*y</fInt></LagrangianDS>",
             v[0], v[1]);
  for (int i = 0; i < 2; i++)
    snprintf(model[i], sizeof model[i], CURVED, system,
             plane ? POLAR("NewtonEulerR") : POLAR("LagrangianScleronomousR"), i ? relay : cone);
  run a = run_to(model[0], stepping ? MOREAU : EVENTS, 2, stepping ? 20000 : 40),
      b = run_to(model[1], stepping ? MOREAU : EVENTS, 2, stepping ? 20000 : 40);
  agree(&a, &b, motion, stepping ? 1e-4 : 1e-8);
  run_end(&a), run_end(&b);
}
END_TEST

/* Of bodies in space, with rows of position and orientation: one alone, and two against each other.
 * A turned box as cone, and as relay in turned axes; of steps both are of first order. */
#define TURNS "2*(p1*p2 + p0*p3)"
#define SPIN_BODY(id) \
  "<NewtonEulerDS id='" id "'><q0>%.17g 0.8 0.3 0.9 0.1 -0.3 0.3</q0><v0>%.17g %.17g 0 0.3 -0.2 " \
  "%.17g</v0><mass>1.2</mass><inertia diag='0.8 1 1.3'/><fExt>cos(3*t) 0 0</fExt></NewtonEulerDS>"
static const char *const in_space[] = {"s.x",   "s.y",   "s.z",       "s.p0",      "s.p3",
                                       "s.v_x", "s.v_y", "s.Omega_x", "s.Omega_z", NULL};

START_TEST(a_cone_in_space)
{
  char bodies[4000], model[8000];
  seed = 20430000UL + (unsigned long)_i;
  int stepping = _i & 1, two = _i >> 1 & 1;
  double v[6];
  fill(v, 6, -2, 2);
  turned_box k = random_box();
  int n = snprintf(bodies, sizeof bodies, SPIN_BODY("s"), 1.0, v[0], v[1], v[2]);
  if (two) snprintf(bodies + n, sizeof bodies - (size_t)n, SPIN_BODY("r"), -1.0, v[3], v[4], v[5]);
  const char *y0 = two ? "sqrt((s.x-r.x)^2 + (s.y-r.y)^2)" : "sqrt(x^2 + y^2)",
             *y1 = two ? "2*(s.p1*r.p2 + s.p0*r.p3) - s.z" : TURNS " + 0.2*x^2";
  run r[2];
  for (int i = 0; i < 2; i++) {
    /* rows of the relay: Q y */
    const double one[] = {1, 0, 0, 1}, *Q = i ? k.Q : one;
    snprintf(model, sizeof model,
             "<systems>%s</systems><interactions><interaction id='g' systems='%s'><NewtonEulerR>"
             "<h>%.17g*(%s) + %.17g*(%s), %.17g*(%s) + %.17g*(%s)</h></NewtonEulerR>%s"
             "</interaction></interactions>",
             bodies, two ? "s r" : "s", Q[0], y0, Q[1], y1, Q[2], y0, Q[3], y1,
             i ? k.relay.of : k.cone.of);
    r[i] = run_to(model, stepping ? MOREAU : EVENTS, 2, stepping ? 8000 : 40);
  }
  agree(&r[0], &r[1], in_space, stepping ? 2e-4 : 1e-8);
  if (!stepping) agree_turned(&r[0], &r[1], &k, 1e-7);
  if (!stepping) is_certified(&r[0]);
  run_end(&r[0]), run_end(&r[1]);
}
END_TEST

/* A relay of one row as a cone: on a wall that moves, on a compliant relation by a formula, and
 * beside a contact with friction, whose problem is then one of blocks. */
START_TEST(a_cone_among_others)
{
  static const char *const relations[] = {
      "<LagrangianRheonomousR><h>x - 0.3*sin(2*t)</h></LagrangianRheonomousR>",
      "<LagrangianCompliantR><h>x + 0.1*x^3 + 0.2*lambda[0]</h></LagrangianCompliantR>",
      "<LagrangianLinearTIR><H>1 0</H></LagrangianLinearTIR>"};
  static const char *const beside =
      "<interaction id='f' systems='s'><LagrangianLinearTIR><H>0 1; 1 0</H></LagrangianLinearTIR>"
      "<NewtonImpactFrictionNSL en='0.5' mu='0.2'/></interaction>";
  char law[2][300], model[8000];
  int what = _i % 3, stepping = what == 1 || (_i / 3) % 2; /* relays of formulas have no modes */
  seed = 20410000UL + (unsigned long)_i;
  double low = uniform(-0.6, -0.1), high = uniform(0.1, 0.6), v = uniform(0.5, 2);
  run r[2];
  snprintf(law[0], sizeof law[0], "<NormalConeNSL><H>1; -1</H><k>%.17g %.17g</k></NormalConeNSL>",
           low, -high);
  snprintf(law[1], sizeof law[1], "<RelayNSL lb='%.17g' ub='%.17g'/>", low, high);
  for (int i = 0; i < 2; i++) {
    snprintf(model, sizeof model,
             "<systems><LagrangianDS id='s' coordinates='x y'><q0>0 0.3</q0><v0>%.17g -0.7</v0>"
             "<mass diag='2 1'/><fInt>3*x, 9.81 + 0.1*y</fInt></LagrangianDS></systems>"
             "<interactions><interaction id='g' systems='s'>%s%s</interaction>%s</interactions>",
             v, relations[what], law[i], what == 2 ? beside : "");
    r[i] = run_to(model, stepping ? MOREAU : EVENTS, 2, stepping ? 1000 : 40);
  }
  agree(&r[0], &r[1], motion, 1e-8);
  if (!stepping) is_certified(&r[0]);
  run_end(&r[0]), run_end(&r[1]);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("law_rows");
  TCase *t = tcase_create("law_rows");
  tcase_add_loop_test(t, a_turned_box_is_a_turned_relay, 0, some_of(20));
  tcase_add_loop_test(t, events_of_faces_are_the_limit_of_steps, 0, some_of(10));
  tcase_add_loop_test(t, a_turned_box_of_mechanics, 0, some_of(300));
  tcase_add_loop_test(t, a_piecewise_law_is_that_of_first_order, 0, some_of(40));
  tcase_add_loop_test(t, a_line_is_a_damper_or_a_spring, 0, 4);
  tcase_add_loop_test(t, a_triangle_of_friction, 0, 3);
  tcase_add_loop_test(t, a_cone_of_formulas, 0, 8);
  tcase_add_loop_test(t, a_cone_in_space, 0, some_of(12));
  tcase_add_loop_test(t, a_cone_among_others, 0, some_of(18));
  suite_add_tcase(s, t);
  return suite_end(s);
}
