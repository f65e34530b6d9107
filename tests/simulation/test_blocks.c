/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Continuous blocks, integrals and memories that forces read: the same model with its systems of
 * first order written by hand, time-stepping and event by event; order of the steps. Random
 * numbers, fixed seeds. */
#include "support/interrupted.h"
#include "support/mixed.h"

#include <stdarg.h>

#define TRAPEZOID STEPS("<MoreauJeanOSI theta='0.5'/>")
#define TRAPEZOIDS STEPS("<MoreauJeanOSI theta='0.5'/><EulerMoreauOSI theta='0.5'/>")

typedef struct text {
  char s[8000];
  size_t n;
} text;

static void add(text *t, const char *format, ...) NS_PRINTF(2, 3);
static void add(text *t, const char *format, ...)
{
  va_list ap;
  va_start(ap, format);
  t->n += (size_t)vsnprintf(t->s + t->n, sizeof t->s - t->n, format, ap);
  va_end(ap);
  ck_assert_uint_lt(t->n, sizeof t->s);
}

static void matrix(text *t, const char *name, int rows, int cols, const double *M)
{
  add(t, "<%s>", name);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) add(t, "%s%.17g", j ? ", " : i ? "; " : "", M[i + rows * j]);
  add(t, "</%s>", name);
}

/* ---- state space ----------------------------------------------------------------------------- */

enum { N = 3, P = 2, M = 2 };
static const char *const input[P] = {"sin(3*t) - plant.x", "plant.v_y + 0.3*plant.y^2"};

typedef struct numbers {
  double A[N * N], B[N * P], C[M * N], D[M * P], x0[N];
} numbers;

static numbers draw(void)
{
  numbers k;
  for (int i = 0; i < N * N; i++) k.A[i] = uniform(-1, 1) - (i % (N + 1) ? 0 : 2);
  for (int i = 0; i < N * P; i++) k.B[i] = uniform(-1, 1);
  for (int i = 0; i < M * N; i++) k.C[i] = uniform(-1, 1);
  for (int i = 0; i < M * P; i++) k.D[i] = uniform(-0.3, 0.3);
  for (int i = 0; i < N; i++) k.x0[i] = uniform(-1, 1);
  return k;
}

static void plant(text *t, const char *force_x, const char *force_y)
{
  add(t,
      "<LagrangianDS id='plant' coordinates='x y'><q0>0.3 -0.2</q0><v0>0.1 0.4</v0>"
      "<mass diag='1 2'/><fInt>4*x + y - (%s), x + 3*y + 0.1*v_y - (%s)</fInt></LagrangianDS>",
      force_x, force_y);
}

static text as_block(const numbers *k)
{
  text t = {0};
  add(&t, "<systems>");
  plant(&t, "f.y[0]", "f.y[1] + 0.1*f.x1");
  add(&t, "<block id='f'><StateSpace>");
  matrix(&t, "A", N, N, k->A);
  matrix(&t, "B", N, P, k->B);
  matrix(&t, "C", M, N, k->C);
  matrix(&t, "D", M, P, k->D);
  matrix(&t, "x0", N, 1, k->x0);
  add(&t, "<u>%s, %s</u></StateSpace></block></systems>", input[0], input[1]);
  return t;
}

/* Row i of K x + L u. */
static void row(text *t, const char *x, int i, int rows, const double *K, const double *L)
{
  for (int j = 0; j < N; j++) add(t, "%s(%.17g)*%s%d", j ? " + " : "", K[i + rows * j], x, j);
  for (int j = 0; j < P; j++) add(t, " + (%.17g)*(%s)", L[i + rows * j], input[j]);
}

static text by_hand(const numbers *k)
{
  text t = {0}, force[M] = {{{0}, 0}};
  add(&t, "<systems>");
  for (int i = 0; i < M; i++) row(&force[i], "f.x", i, M, k->C, k->D);
  add(&force[1], " + 0.1*f.x1");
  plant(&t, force[0].s, force[1].s);
  add(&t, "<FirstOrderNonLinearDS id='f' states='x0 x1 x2'><x0>%.17g, %.17g, %.17g</x0><f>",
      k->x0[0], k->x0[1], k->x0[2]);
  for (int i = 0; i < N; i++) {
    add(&t, i ? ", (" : "(");
    row(&t, "x", i, N, k->A, k->B);
    add(&t, ")");
  }
  add(&t, "</f></FirstOrderNonLinearDS></systems>");
  return t;
}

static const char *const shown[] = {"plant.x", "plant.y", "plant.v_x", "f.x0", "f.x1", "f.x2"};
enum { SHOWN = sizeof shown / sizeof *shown };

static void same(const run *a, const run *b, double within)
{
  for (int i = 0; i < SHOWN; i++)
    ck_assert_msg(fabs(last(a, shown[i]) - last(b, shown[i])) <= within, "%s: %.15g, %.15g",
                  shown[i], last(a, shown[i]), last(b, shown[i]));
}

START_TEST(state_space_is_the_system_by_hand)
{
  seed = 100 + (unsigned long)_i;
  numbers k = draw();
  text a = as_block(&k), b = by_hand(&k);
  run sa = run_to(a.s, TRAPEZOID, 2, 200), sb = run_to(b.s, TRAPEZOIDS, 2, 200);
  same(&sa, &sb, 1e-11);
  run ea = events(a.s, 2, 4), eb = events(b.s, 2, 4);
  same(&ea, &eb, 1e-8);
  is_certified(&ea);
  /* the output that is recorded, by the state and input of that row */
  double x[N] = {last(&ea, "f.x0"), last(&ea, "f.x1"), last(&ea, "f.x2")}, y = 0;
  double u[P] = {sin(6.0) - last(&ea, "plant.x"),
                 last(&ea, "plant.v_y") + 0.3 * pow(last(&ea, "plant.y"), 2)};
  for (int j = 0; j < N; j++) y += k.C[M * j] * x[j];
  for (int j = 0; j < P; j++) y += k.D[M * j] * u[j];
  ck_assert_double_eq_tol(last(&ea, "f.y0"), y, 1e-12);
  run_end(&sa), run_end(&sb), run_end(&ea), run_end(&eb);
}
END_TEST

START_TEST(steps_of_blocks_are_of_order_two)
{
  seed = 100 + (unsigned long)_i;
  numbers k = draw();
  text t = as_block(&k);
  run e = events(t.s, 2, 4);
  double error[2] = {0, 0};
  for (int j = 0; j < 2; j++) {
    run s = run_to(t.s, TRAPEZOID, 2, j ? 400 : 100);
    for (int i = 0; i < SHOWN; i++)
      error[j] = fmax(error[j], fabs(last(&s, shown[i]) - last(&e, shown[i])));
    run_end(&s);
  }
  ck_assert_double_ge(log2(error[0] / error[1]) / 2, 1.9);
  run_end(&e);
}
END_TEST

/* ---- transfer functions ---------------------------------------------------------------------- */

/* b/a with poles p and a numerator of lower degree as a sum of fractions r_i/(s - p_i), each a
 * system by hand. */
START_TEST(transfer_function_is_its_partial_fractions)
{
  seed = 300 + (unsigned long)_i;
  double p[3], r[3], a[4] = {1, 0, 0, 0}, b[4] = {0, 0, 0, 0};
  for (int i = 0; i < 3; i++) p[i] = uniform(-4, -0.3), r[i] = uniform(-2, 2);
  double d = _i % 2 ? uniform(-1, 1) : 0, scale = uniform(0.5, 3);
  for (int i = 0; i < 3; i++)
    for (int j = i + 1; j >= 1; j--) a[j] -= p[i] * a[j - 1];
  for (int i = 0; i < 3; i++) { /* r_i times the product of the other s - p */
    double e = -(p[(i + 1) % 3] + p[(i + 2) % 3]), f = p[(i + 1) % 3] * p[(i + 2) % 3];
    b[1] += r[i], b[2] += r[i] * e, b[3] += r[i] * f;
  }
  for (int j = 0; j < 4; j++) b[j] += d * a[j];
  text t = {0}, h = {0};
  add(&t, "<systems>");
  plant(&t, "0.3*F", "-0.2*F");
  add(&t,
      "<block id='F'><TransferFunction><numerator>%.17g %.17g %.17g %.17g</numerator>"
      "<denominator>%.17g %.17g %.17g %.17g</denominator><u>1 - plant.x</u></TransferFunction>"
      "</block></systems>",
      scale * b[0], scale * b[1], scale * b[2], scale * b[3], scale * a[0], scale * a[1],
      scale * a[2], scale * a[3]);
  text sum = {0};
  add(&sum, "(c.a + c.b + c.c + (%.17g)*(1 - plant.x))", d);
  text fx = {0}, fy = {0};
  add(&fx, "0.3*%s", sum.s), add(&fy, "-0.2*%s", sum.s);
  add(&h, "<systems>");
  plant(&h, fx.s, fy.s);
  add(&h, "<FirstOrderNonLinearDS id='c' states='a b c'><x0>0 0 0</x0><f>");
  for (int i = 0; i < 3; i++)
    add(&h, "%s(%.17g)*x[%d] + (%.17g)*(1 - plant.x)", i ? ", " : "", p[i], i, r[i]);
  add(&h, "</f></FirstOrderNonLinearDS></systems>");
  run ea = events(t.s, 2, 4), eb = events(h.s, 2, 4);
  for (int i = 0; i < 3; i++)
    ck_assert_double_eq_tol(last(&ea, shown[i]), last(&eb, shown[i]), 1e-8);
  ck_assert_double_eq_tol(last(&ea, "F.value"),
                          last(&eb, "c.a") + last(&eb, "c.b") + last(&eb, "c.c") +
                              d * (1 - last(&eb, "plant.x")),
                          1e-8);
  /* the trapezoidal rule is the same for all forms of a linear system */
  run sa = run_to(t.s, TRAPEZOID, 2, 100), sb = run_to(h.s, TRAPEZOIDS, 2, 100);
  for (int i = 0; i < 3; i++)
    ck_assert_double_eq_tol(last(&sa, shown[i]), last(&sb, shown[i]), 1e-9);
  run_end(&ea), run_end(&eb), run_end(&sa), run_end(&sb);
}
END_TEST

/* Blocks in a row, one named before it stands there, in a <repeat>, and beside rigid bodies. */
START_TEST(blocks_read_blocks)
{
  static const char *const chain =
      "<systems><block id='last'><TransferFunction><numerator>1 2</numerator><denominator>1 4"
      "</denominator><u>lag3 - 0.5*lag1</u></TransferFunction></block>"
      "<repeat index='i' from='1' to='3'><block id='lag{i}'><StateSpace><A>-i</A><B>1</B><C>2*i</C>"
      "<u>if(i &lt; 2, body.x, 0) + if(i == 2, lag1, 0) + if(i == 3, lag2, 0)</u></StateSpace>"
      "</block></repeat>"
      "<RigidBody2dDS id='body'><q0>1 0 0</q0><mass>2</mass><inertia>1</inertia>"
      "<fInt>3*x + last, 0</fInt></RigidBody2dDS></systems>";
  static const char *const hand =
      "<systems><FirstOrderNonLinearDS id='c' states='a b d e'><x0>0 0 0 0</x0>"
      "<f>-a + body.x, -2*b + 2*a, -3*d + 4*b, -4*e + 6*d - a</f></FirstOrderNonLinearDS>"
      "<RigidBody2dDS id='body'><q0>1 0 0</q0><mass>2</mass><inertia>1</inertia>"
      "<fInt>3*x + 6*c.d - c.a - 2*c.e, 0</fInt></RigidBody2dDS></systems>";
  run a = events(chain, 3, 4), b = events(hand, 3, 4);
  ck_assert_double_eq_tol(last(&a, "body.x"), last(&b, "body.x"), 1e-8);
  ck_assert_double_eq_tol(last(&a, "lag3.value"), 6 * last(&b, "c.d"), 1e-8);
  ck_assert_double_eq_tol(last(&a, "last.value"),
                          6 * last(&b, "c.d") - last(&b, "c.a") - 2 * last(&b, "c.e"), 1e-8);
  run_end(&a), run_end(&b);
}
END_TEST

/* ---- limiters -------------------------------------------------------------------------------- */

/* a sin(w t) is faster than the rate r at first: x = r t until they meet, then a sin(w t), which is
 * as fast again where cos(w t) = r/(a w), and x = ... + r (t - t2) from there. It may fall as fast
 * as it likes. */
static double limited_sine(double a, double w, double r, double *T)
{
  double low = acos(r / (a * w)) / w, high = M_PI / w, t2 = 2 * M_PI / w - low;
  for (int k = 0; k < 200; k++) { /* where they meet */
    double t = (low + high) / 2;
    if (a * sin(w * t) > r * t) low = t;
    else high = t;
  }
  ck_assert_double_lt(low, t2);
  *T = t2 + 0.3 * (2 * M_PI / w - t2);
  return a * sin(w * t2) + r * (*T - t2);
}

/* Of time and of a coordinate that moves like that; in steps, with an error of theirs, and event by
 * event. A ramp that is faster than the rate is left behind at the rate. */
START_TEST(limiter_has_its_closed_form)
{
  char model[3000];
  seed = 2900 + (unsigned long)_i;
  double a = uniform(0.5, 2), w = uniform(1, 5), r = uniform(0.2, 0.8) * a * w, T;
  double x = limited_sine(a, w, r, &T), slope = uniform(1.5, 4) * r, from = uniform(0.5, 2);
  snprintf(
      model, sizeof model,
      "<systems><LagrangianLinearTIDS id='osc' coordinates='q'><q0>0</q0><v0>%.17g</v0>"
      "<K>%.17g</K></LagrangianLinearTIDS>"
      "<block id='sine'><Limiter rate='%.17g' fall='1000'><u>%.17g*sin(%.17g*t)</u></Limiter>"
      "</block><block id='two'><Limiter rate='%.17g' fall='1000' upper='%.17g'>"
      "<u>osc.q, %.17g*t</u></Limiter></block>"
      "<block id='slow' start='%.17g'><Limiter rate='9' fall='%.17g'><u>0</u></Limiter></block>"
      "<block id='down' start='%.17g'><Limiter rate='%.17g'><u>-slow</u></Limiter></block>"
      "<block id='bound'><Limiter lower='-0.2' upper='0.3'><u>sin(t)</u></Limiter></block>"
      "</systems>",
      a * w, w * w, r, a, w, r, 0.5 * r * T, slope, from, 0.4 * from / T, from, 3 * from / T);
  int n = 20000;
  run e = events(model, T, 7), s = run_to(model, TRAPEZOID, T, n);
  const run *const both[] = {&e, &s};
  for (int k = 0; k < 2; k++) {
    const run *b = both[k];
    double tol = k ? 3 * (slope + r + a * w * w) * T / n : 2e-7 * a;
    ck_assert_double_eq_tol(last(b, "sine.x0"), x, tol);
    ck_assert_double_eq_tol(last(b, "two.x0"), x, tol);
    ck_assert_double_eq_tol(last(b, "two.x1"), r * T, 1e-9 * r * T);
    ck_assert_double_eq(last(b, "two.y1"), 0.5 * r * T);
    ck_assert_double_eq_tol(last(b, "slow.value"), 0.6 * from, 1e-9);
    /* falls by 3 until it meets -slow, which rises by 0.4: 1 - 3 s = -1 + 0.4 s at s = 2/3.4 */
    ck_assert_double_eq_tol(last(b, "down.value"), -0.6 * from, k ? tol : 1e-9);
    ck_assert_double_eq(last(b, "bound.value"), fmax(-0.2, fmin(0.3, sin(T))));
  }
  is_certified(&e);
  run_end(&e), run_end(&s);
}
END_TEST

#define LIMITED(how) \
  HEAD "<systems><LagrangianLinearTIDS id='osc' coordinates='q'><q0>0</q0><v0>2</v0><K>1</K>" \
       "<fExt>0.2*t</fExt></LagrangianLinearTIDS><block id='r'><Limiter rate='1' fall='0.7'>" \
       "<u>osc.q, 2*sin(3*t)</u></Limiter></block><LagrangianDS id='b' coordinates='x'><q0>1</q0>" \
       "<fInt>9 + r.y[1]</fInt></LagrangianDS></systems><interactions><interaction id='g' " \
       "systems='b'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e='0.7'/>" \
       "</interaction></interactions><simulation T='3'>" how "</simulation></model>"

START_TEST(interrupted_limiters)
{
  static const char *const models[] = {
      LIMITED("<TimeStepping h='0.01'><MoreauJeanOSI/></TimeStepping>"),
      LIMITED("<EventDriven h='0.01'><CVodeOSI/></EventDriven>"),
      LIMITED("<EventDriven h='0.01'><LsodarOSI/></EventDriven>")};
  const change none = {0};
  ck_assert_int_eq(goes_on_the_same(models[_i], &none, 6, 3100 + (unsigned long)_i), 1);
}
END_TEST

/* Blocks without a state are formulas: the model has no system of theirs, and moves as with the
 * formula written in place, alone, in each other and in a <repeat>. */
START_TEST(blocks_without_a_state_are_formulas)
{
  static const char force[] = "<systems>%s<LagrangianDS id='p' coordinates='q'><q0>1</q0><v0>0</v0>"
                              "<mass>1</mass><fInt>4*q + %s</fInt></LagrangianDS></systems>";
  static const char blocks[] =
      "<block id='bound'><Limiter lower='-0.2' upper='0.3'><u>p.q</u></Limiter></block>"
      "<block id='twice'><TransferFunction><numerator>2</numerator><denominator>1</denominator>"
      "<u>bound + sin(t)</u></TransferFunction></block><repeat index='i' from='1' to='3'>"
      "<block id='b{i}'><Limiter upper='i/4'><u>t</u></Limiter></block></repeat>";
  static const char plain[] = "(max(-0.2, min(0.3, q)) + 2*(max(-0.2, min(0.3, q)) + sin(t)) + "
                              "min(0.5, t))";
  char one[2000], two[2000];
  snprintf(one, sizeof one, force, blocks, "bound + twice + b2");
  snprintf(two, sizeof two, force, "", plain);
  for (int by_steps = 0; by_steps < 2; by_steps++) {
    run a = run_to(one, by_steps ? TRAPEZOID : EVENTS, 1, 100);
    run b = run_to(two, by_steps ? TRAPEZOID : EVENTS, 1, 100);
    ck_assert_int_eq(a.m->nsystems, 1);
    ck_assert_double_eq_tol(last(&a, "p.q"), last(&b, "p.q"), by_steps ? 1e-12 : 1e-8);
    ck_assert_double_eq(last(&a, "b3.value"), 0.75);
    run_end(&a);
    run_end(&b);
  }
}
END_TEST

/* ---- integrals ------------------------------------------------------------------------------- */

/* Forces that an integral weakens, from t = 0.4 until t = 1.3, by names of one system alone and by
 * an <observe>. */
static text with_integral(int hand)
{
  text t = {0};
  double k = uniform(1, 4), c = uniform(0.1, 0.5), w = uniform(0.3, 1.5);
  const char *heat = hand ? "h.w" : "heat";
  add(&t,
      "<systems><LagrangianDS id='osc' coordinates='x'><q0>1</q0><v0>0.3</v0><mass>1</mass>"
      "<fInt>%.17g*x + %.17g*v_x*exp(-%.17g*%s)</fInt></LagrangianDS>"
      "<FirstOrderNonLinearDS id='tank' states='T'><x0>1</x0><f>-T + 0.2*%s</f>"
      "</FirstOrderNonLinearDS>",
      k, c, w, heat, heat);
  if (hand)
    add(&t, "<FirstOrderNonLinearDS id='h' states='w'><x0>0</x0><f>if(t &lt; 0.4, 0, if(t &lt; 1.3,"
            " osc.v_x^2*tank.T + osc.x, 0))</f></FirstOrderNonLinearDS>");
  add(&t, "</systems>");
  return t;
}

#define INTEGRAL(strategy) \
  "<simulation T='1'>" strategy "</simulation><output><observe id='power'>v_x^2*T</observe>" \
  "<integral id='heat' of='power + x' from='0.4' until='1.3'/></output></model>"

START_TEST(integral_is_the_state_by_hand)
{
  text t[2];
  for (int i = 0; i < 2; i++) {
    seed = 500 + (unsigned long)_i;
    t[i] = with_integral(i);
  }
  const char *both = "<TimeStepping h='1'><MoreauJeanOSI theta='0.5'/><EulerMoreauOSI theta='0.5'/>"
                     "</TimeStepping>";
  char simulation[2][1200];
  snprintf(simulation[0], sizeof simulation[0], INTEGRAL("%s"), both);
  run sa = run_to(t[0].s, simulation[0], 2, 500), sb = run_to(t[1].s, TRAPEZOIDS, 2, 500);
  run ea = run_to(t[0].s, INTEGRAL("<EventDriven h='1'>" TIGHT "</EventDriven>"), 2, 4),
      eb = events(t[1].s, 2, 4);
  ck_assert_double_eq_tol(last(&sa, "osc.x"), last(&sb, "osc.x"), 1e-11);
  ck_assert_double_eq_tol(last(&sa, "heat.value"), last(&sb, "h.w"), 1e-11);
  ck_assert_double_eq_tol(last(&ea, "osc.x"), last(&eb, "osc.x"), 1e-8);
  ck_assert_double_eq_tol(last(&ea, "tank.T"), last(&eb, "tank.T"), 1e-8);
  ck_assert_double_eq_tol(last(&ea, "heat.value"), last(&eb, "h.w"), 1e-8);
  is_certified(&ea);
  run_end(&sa), run_end(&sb), run_end(&ea), run_end(&eb);
}
END_TEST

/* ---- memories -------------------------------------------------------------------------------- */

#define BALL(strategy, since, n, memories, events) \
  HEAD "<systems><LagrangianDS id='ball' coordinates='x'><q0>1</q0><mass>1</mass>" \
       "<fInt>10 - 3*exp(-2*" since ") + 0.1*" n "</fInt></LagrangianDS>%s</systems>" \
       "<interactions><interaction id='ground' systems='ball'><LagrangianLinearTIR><H>1</H>" \
       "</LagrangianLinearTIR><NewtonImpactNSL e='0.9'/></interaction></interactions>" \
       "<simulation T='1'>" strategy "</simulation><output>" memories "</output>" events \
       "</model>"
#define EVENT_BY_EVENT "<EventDriven h='1'>" TIGHT "</EventDriven>"
#define BY_STEPS "<TimeStepping h='1'><MoreauJeanOSI theta='0.5'/><LCP/></TimeStepping>"
#define MEMORIES \
  "<memory id='since' event='impact' interaction='ground'/>" \
  "<memory id='n' event='impact' give='count'/>"

/* A force that depends on the time since the last impact and on how many there were: arc by arc in
 * closed form (x'' = -10 - 0.1 n + 3 exp(-2 s)), found by bisection. */
static void arcs(double T, double *x, double *v, int *n)
{
  double t = 0, q = 1, w = 0;
  for (*n = 0;; ++*n) {
    double g = 10 + 0.1 * *n, s, low = 0, high = 0;
#define POSITION(s) (q + (w + 1.5) * (s)-g * (s) * (s) / 2 + 0.75 * (exp(-2 * (s)) - 1))
#define VELOCITY(s) (w + 1.5 - g * (s)-1.5 * exp(-2 * (s)))
    for (high = 1e-3; POSITION(high) > 0 && t + high < T + 1; high += 1e-3) low = high;
    for (int k = 0; k < 100; k++) {
      s = (low + high) / 2;
      if (POSITION(s) > 0) low = s;
      else high = s;
    }
    if (t + low >= T) {
      *x = POSITION(T - t);
      *v = VELOCITY(T - t);
      return;
    }
    t += low;
    w = -0.9 * VELOCITY(low);
    q = 0;
  }
}

START_TEST(memory_of_impacts_acts_on_the_force)
{
  char model[4000];
  double x, v, error[2];
  int n;
  arcs(3, &x, &v, &n);
  snprintf(model, sizeof model, BALL(EVENT_BY_EVENT, "since", "n", MEMORIES, ""), "");
  run e = steps(model, 3, 6);
  ck_assert_double_eq_tol(last(&e, "ball.x"), x, 1e-8);
  ck_assert_double_eq_tol(last(&e, "ball.v_x"), v, 1e-8);
  ck_assert_double_eq(last(&e, "n.value"), n);
  ck_assert_double_eq_tol(last(&e, "since.since"), last(&e, "since.value"), 1e-10);
  is_certified(&e);
  run_end(&e);
  snprintf(model, sizeof model, BALL(BY_STEPS, "since", "n", MEMORIES, ""), "");
  /* where in its step an impact falls differs from run to run: a mean over several */
  for (int k = 0; k < 2; k++) {
    error[k] = 0;
    for (int i = 0; i < 6; i++) {
      int steps = (k ? 16 : 1) * (3000 + 101 * i);
      error[k] += fabs(at_end(model, 3, steps, "ball.x") - x) / 6;
    }
  }
  ck_assert_double_le(error[1], error[0] / 8);
  ck_assert_double_le(error[1], 1e-3);
}
END_TEST

/* A condition is found at its own moment: the same as an event that is written by hand. */
START_TEST(memory_of_a_condition_is_an_event_by_hand)
{
  char a[4000], b[4000];
  snprintf(a, sizeof a,
           BALL(EVENT_BY_EVENT, "since", "n",
                "<memory id='since' when='0.5 > ball.x'/><memory id='n' when='0.5 > ball.x' "
                "give='count' from='0.5'/>",
                ""),
           "");
  snprintf(b, sizeof b,
           BALL(EVENT_BY_EVENT, "s.a", "s.n", "",
                "<events><event id='e' when='0.5 > ball.x'><set name='a' value='0'/></event>"
                "<event id='f' when='0.5 > ball.x' from='0.5'><set name='s.n' value='s.n + 1'/>"
                "</event></events>"),
           "<FirstOrderNonLinearDS id='s' states='a' inputs='n'><x0>0</x0><z>0</z><f>1</f>"
           "</FirstOrderNonLinearDS>");
  run r = steps(a, 3, 6), s = steps(b, 3, 6);
  ck_assert_double_eq_tol(last(&r, "ball.x"), last(&s, "ball.x"), 1e-9);
  ck_assert_double_eq_tol(last(&r, "since.value"), last(&s, "s.a"), 1e-9);
  ck_assert_double_eq(last(&r, "n.value"), last(&s, "s.n"));
  run_end(&r), run_end(&s);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("blocks");
  TCase *tc = tcase_create("blocks");
  tcase_set_timeout(tc, 60);
  tcase_add_loop_test(tc, state_space_is_the_system_by_hand, 0, 8);
  tcase_add_loop_test(tc, steps_of_blocks_are_of_order_two, 0, 3);
  tcase_add_loop_test(tc, transfer_function_is_its_partial_fractions, 0, 6);
  tcase_add_test(tc, blocks_read_blocks);
  tcase_add_loop_test(tc, limiter_has_its_closed_form, 0, 8);
  tcase_add_loop_test(tc, interrupted_limiters, 0, 3);
  tcase_add_test(tc, blocks_without_a_state_are_formulas);
  tcase_add_loop_test(tc, integral_is_the_state_by_hand, 0, 4);
  tcase_add_test(tc, memory_of_impacts_acts_on_the_force);
  tcase_add_test(tc, memory_of_a_condition_is_an_event_by_hand);
  suite_add_tcase(s, tc);
  return suite_end(s);
}
