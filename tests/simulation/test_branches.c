/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formulas that jump, in event-driven runs: pulses of time against sums of their impulses, formulas
 * of the state against closed forms of Filippov's motions. NSSIM_LONG in the environment: more of
 * the random ones. */
#include "support/interrupted.h"
#include "support/run.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'>"
#define EVENT_DRIVEN(T, h) \
  "<simulation T='" T "'><EventDriven certificate='on' " \
  "h='" h "'><CVodeOSI/></EventDriven></simulation></model>"
#define FIRST_ORDER(states, x0, f) \
  "<systems><FirstOrderNonLinearDS id='s' " \
  "states='" states "'><x0>" x0 "</x0><f>" f "</f></FirstOrderNonLinearDS></systems>"

static unsigned long long seed;

static double uniform(double a, double b)
{
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return a + (b - a) * (double)(seed >> 11) / 9007199254740992.0;
}

static int pick(int n) { return (int)uniform(0, n); }

static int how_many(int quick) { return getenv("NSSIM_LONG") ? 20 * quick : quick; }

static run play(const char *model)
{
  run r = run_load(model, NULL);
  int rc = run_keep(&r);
  ck_assert_msg(rc == NS_OK, "%s\n%s", r.c.msg, model);
  return r;
}

/* The run ends with a sentence that has these words. */
static void refused(const char *model, const char *words)
{
  run r = run_load(model, NULL);
  ck_assert_int_eq(run_keep(&r), NS_NUMERIC);
  ck_assert_msg(strstr(r.c.msg, words), "%s", r.c.msg);
  ck_assert_msg(strstr(r.c.msg, "id=\"s\""), "%s", r.c.msg);
  run_end(&r);
}

static size_t count(const run *r, ns_event_kind kind)
{
  size_t n = 0;
  for (size_t k = 0; k < r->got.nevents; k++) n += r->got.events[k].kind == kind;
  return n;
}

/* Event number i of that kind. */
static const ns_event *event(const run *r, ns_event_kind kind, size_t i)
{
  for (size_t k = 0; k < r->got.nevents; k++)
    if (r->got.events[k].kind == kind && i-- == 0) return &r->got.events[k];
  ck_abort_msg("an event is missing");
  return NULL;
}

/* ---- functions of time ----------------------------------------------------------------------- */

enum { PIECES = 4000, TEXT = 16384 };

/* A force made of pieces, and the formula that says so. */
typedef struct pulses {
  int n;
  double from[PIECES], to[PIECES], F[PIECES], T, h;
  char text[TEXT];
} pulses;

static void piece(pulses *p, double from, double to, double F)
{
  if (from < 0) from = 0;
  if (to > p->T) to = p->T;
  if (!(from < to)) return;
  ck_assert_int_lt(p->n, PIECES);
  p->from[p->n] = from;
  p->to[p->n] = to;
  p->F[p->n++] = F;
}

static void add_text(pulses *p, const char *form, ...)
{
  size_t n = strlen(p->text);
  va_list ap;
  va_start(ap, form);
  if (n) strcpy(p->text + n, " + "), n += 3;
  vsnprintf(p->text + n, sizeof p->text - n, form, ap);
  va_end(ap);
}

static void one_pulse(pulses *p, double a, double b, double F)
{
  static const char *const form[] = {"if(t &gt;= %.17g &amp;&amp; t &lt; %.17g, %.17g, 0)",
                                     "(step(t - %.17g) - step(t - %.17g))*%.17g",
                                     "if(t &gt; %.17g, if(t &lt; %.17g, %.17g, 0), 0)",
                                     "(sign(t - %.17g) - sign(t - %.17g))/2*%.17g",
                                     "(t &gt; %.17g)*!(t &gt;= %.17g)*%.17g",
                                     "if(!(t &lt; %.17g || t &gt; %.17g), %.17g, 0)"};
  add_text(p, form[pick(6)], a, b, F);
  piece(p, a, b, F);
}

/* On from the phase `shift` of each period, for d. */
static void train(pulses *p, double period, double shift, double d, double F)
{
  if (pick(2)) add_text(p, "if(mod(t - %.17g, %.17g) &lt; %.17g, %.17g, 0)", shift, period, d, F);
  else add_text(p, "%.17g*(%.17g &gt; mod(t - %.17g, %.17g))", F, d, shift, period);
  for (int n = -1 - (int)(shift / period); shift + n * period < p->T; n++)
    piece(p, shift + n * period, shift + n * period + d, F);
}

static void stairs(pulses *p, double step, double F)
{
  add_text(p, "%.17g*floor(t/%.17g)", F, step);
  for (int n = 1; n * step < p->T; n++) piece(p, n * step, p->T, F);
}

/* sin(w t) > level, which is no affine function of t. */
static void lobes(pulses *p, double w, double level, double F)
{
  double pi = acos(-1.0), a = asin(level);
  add_text(p, "if(sin(%.17g*t) &gt; %.17g, %.17g, 0)", w, level, F);
  for (int n = -1; (a + 2 * pi * n) / w < p->T; n++)
    piece(p, (a + 2 * pi * n) / w, (pi - a + 2 * pi * n) / w, F);
}

static void make_pulses(pulses *p)
{
  static const double grids[] = {0.01, 0.037, 0.5, 10};
  p->n = 0;
  p->text[0] = '\0';
  p->T = uniform(0.5, 3);
  p->h = grids[pick(4)];
  for (int k = 1 + pick(4); k > 0; k--) {
    double a = uniform(0, p->T), length = pow(10, uniform(-9, -0.3)), F = uniform(-1, 1) / length;
    switch (pick(6)) {
    case 0:
      train(p, uniform(0.02, 1), uniform(0, 0.3), uniform(0.001, 0.015), uniform(-30, 30));
      break;
    case 1: stairs(p, uniform(0.05, 1), uniform(-3, 3)); break;
    case 2: lobes(p, uniform(3, 60), uniform(-0.95, 0.95), uniform(-5, 5)); break;
    case 3: one_pulse(p, 0, length, F); break; /* at t0 */
    default: one_pulse(p, a, a + length, F);
    }
  }
}

/* Momentum and position of unit mass: of each piece F (b - a), and F (b - a)(T - (a + b)/2); *size:
 * what they are the sums of. */
static void momentum(const pulses *p, double *v, double *x, double *size)
{
  *v = *x = *size = 0;
  for (int k = 0; k < p->n; k++) {
    double P = p->F[k] * (p->to[k] - p->from[k]);
    *v += P;
    *x += P * (p->T - (p->from[k] + p->to[k]) / 2);
    *size += fabs(p->F[k]) * (p->to[k] - p->from[k] + 1e-4 * p->T); /* times are doubles: 1e-15 T */
  }
}

/* Each edge has an event to 4 units in the last place. */
static void edges_are_events(const run *r, const pulses *p, double tol)
{
  for (int k = 0; k < 2 * p->n; k++) {
    double t = k < p->n ? p->from[k] : p->to[k - p->n], nearest = INFINITY;
    if (t <= 0 || t >= p->T) continue;
    for (size_t i = 0; i < r->got.nevents; i++)
      if (r->got.events[i].kind == NS_EVENT_FORMULA)
        nearest = fmin(nearest, fabs(r->got.events[i].t - t));
    ck_assert_msg(nearest <= tol * p->T, "no event at %.17g, but %.3g beside it: %s", t, nearest,
                  p->text);
  }
}

START_TEST(pulses_give_their_momentum)
{
  static pulses p;
  static char model[TEXT + 1000];
  seed = 11;
  for (int n = 0; n < how_many(100); n++) {
    double v, x, size;
    make_pulses(&p);
    momentum(&p, &v, &x, &size);
    if (n % 2)
      snprintf(model, sizeof model,
               HEAD "<systems><LagrangianLinearTIDS "
                    "id='b'><q0>0</q0><fExt>%s</fExt></LagrangianLinearTIDS></systems>"
                    "<simulation T='%.17g'><EventDriven certificate='on' "
                    "h='%g'><CVodeOSI/></EventDriven></simulation></model>",
               p.text, p.T, p.h);
    else
      snprintf(model, sizeof model,
               HEAD "<systems><FirstOrderNonLinearDS id='s'><x0>0 0</x0><f>x[1], "
                    "%s</f></FirstOrderNonLinearDS></systems>"
                    "<simulation T='%.17g'><EventDriven certificate='on' "
                    "h='%g'><CVodeOSI/></EventDriven></simulation></model>",
               p.text, p.T, p.h);
    run r = play(model);
    double got = n % 2 ? r.x->v[0] : r.x->q[1];
    ck_assert_msg(fabs(got - v) <= 1e-11 * size, "v = %.17g for %.17g\n%s", got, v, model);
    ck_assert_msg(fabs(r.x->q[0] - x) <= 1e-8 * size * p.T, "x = %.17g for %.17g\n%s", r.x->q[0], x,
                  model);
    edges_are_events(&r, &p, 1e-14);
    run_end(&r);
  }
}
END_TEST

/* A pulse of 1000 N for 1 ms, wherever it is and whatever the grid is: v = 1 m/s. */
START_TEST(a_pulse_is_not_stepped_over)
{
  static const struct {
    const char *at, *h;
    double x;
  } row[] = {{"0.1", "0.01", 0.8995},
             {"1/3", "0.01", 0.666166666666667},
             {"0.1+0.2", "0.1", 0.6995},
             {"0", "1", 0.9995},
             {"0.5", "0.0005", 0.4995}};
  const char *set[] = {NULL, NULL};
  char at[40];
  snprintf(at, sizeof at, "at=%s", row[_i].at);
  set[0] = at;
  char model[2000];
  snprintf(model, sizeof model,
           HEAD "<parameters><parameter name='at' value='0.7'/></parameters><systems>"
                "<LagrangianLinearTIDS id='b'><q0>0</q0><fExt>if(t &gt; at, if(t &lt; at + 1e-3, "
                "1000, 0), 0)</fExt></LagrangianLinearTIDS></systems>"
                "<interactions><interaction id='g' "
                "systems='b'><LagrangianLinearTIR><H>1</H><e>5</e></"
                "LagrangianLinearTIR><NewtonImpactNSL e='0.5'/>"
                "</interaction></interactions>" EVENT_DRIVEN("1", "%s"),
           row[_i].h);
  run r = run_load(model, set);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  ck_assert_double_eq_tol(r.x->v[0], 1, 2e-12);
  ck_assert_double_eq_tol(r.x->q[0], row[_i].x, 2e-11);
  run_end(&r);
}
END_TEST

/* So short that no step of a flow fits in between; edges that rounding puts on each other. */
START_TEST(pulses_shorter_than_any_step)
{
  static const struct {
    const char *f;
    double v;
  } row[] = {
      {"1e13*(t &gt;= 0.3)*(t &lt; 0.3 + 1e-13)",
       0.9992007221626409 /* as 0.3 + 1e-13 is rounded */},
      {"1e15*(step(t - 0.7) - step(t - 0.7 - 1e-15))", 1.0},
      {"if(t &gt;= 0.1 + 0.2, 1, 0) - if(t &gt;= 0.3, 1, 0)", 0},
      {"if(mod(t, 0.1) &lt; 0.05, 1, -1)", 0},
      {"1000*((t &gt;= 0.5) - (t &gt;= 0.501)) - 1000*((t &gt;= 0.5) - (t &gt;= 0.501))", 0}};
  char model[1000];
  snprintf(model, sizeof model,
           HEAD "<systems><LagrangianLinearTIDS "
                "id='b'><q0>0</q0><fExt>%s</fExt></LagrangianLinearTIDS></systems>" EVENT_DRIVEN(
                    "1", "0.1"),
           row[_i].f);
  run r = play(model);
  ck_assert_double_eq_tol(r.x->v[0], row[_i].v, _i == 1 ? 0.2 : 1e-3);
  run_end(&r);
}
END_TEST

/* A ball meets the ground in the moment in which a force of twice its weight upwards begins: it
 * flies off for good with e g t1. */
START_TEST(a_pulse_in_the_moment_of_an_impact)
{
  run r = play(
      HEAD
      "<systems><LagrangianLinearTIDS id='b'><q0>1</q0><fExt>-9.81 + if(t &gt; sqrt(2/9.81), "
      "19.62, 0)</fExt></LagrangianLinearTIDS></systems>"
      "<interactions><interaction id='g' "
      "systems='b'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e='0.5'/>"
      "</interaction></interactions>" EVENT_DRIVEN("1", "0.05"));
  double t1 = sqrt(2 / 9.81), s = 1 - t1;
  ck_assert_uint_eq(count(&r, NS_EVENT_IMPACT), 1);
  ck_assert_double_eq_tol(r.x->v[0], 0.5 * 9.81 * t1 + 9.81 * s, 1e-7);
  ck_assert_double_eq_tol(r.x->q[0], 0.5 * 9.81 * t1 * s + 9.81 * s * s / 2, 1e-7);
  run_end(&r);
}
END_TEST

/* Two-level supply of a coil with a freewheel: i(20.15 ms) by exponentials of each part of a
 * period. */
START_TEST(a_modulated_width_is_exact)
{
  run r = play(HEAD FIRST_ORDER("i", "0", "(if(mod(t*1000, 1) &lt; 0.3, 10, 0) - 2*i)/2e-3")
                   EVENT_DRIVEN("20.15e-3", "1e-3"));
  ck_assert_double_eq_tol(r.x->q[0], 1.57270248014, 1e-8);
  /* off, and at the end of a period on and the period itself */
  ck_assert_uint_eq(count(&r, NS_EVENT_FORMULA), 20 + 20 + 20);
  for (int n = 0; n < 20; n++) {
    double off = INFINITY;
    for (size_t k = 0; k < r.got.nevents; k++)
      off = fmin(off, fabs(r.got.events[k].t - (n + 0.3) / 1000));
    ck_assert_double_le(off, 4e-18);
  }
  run_end(&r);
}
END_TEST

/* ---- functions of the state ------------------------------------------------------------------ */

/* Motions by hand: cross, slide, leave. */
START_TEST(filippov_motions)
{
  static const struct {
    const char *x0, *f, *T;
    double x;
  } row[] = {{"-1", "1 - 2*sign(x)", "1", 0},
             {"1", "1 - 2*sign(x)", "3", 0},
             {"-1", "2 - sign(x)", "1", 2.0 / 3},
             {"0", "t - sign(x)", "2", 0.5},
             {"0", "2*sin(t) - sign(x)", "4.5", -0.456362650157},
             {"0", "2*sin(t) - sign(x)", "2.6179938779914944", 1.36970651274},
             {"-1", "if(x &lt; 0, 3, -1)", "2", 0},
             {"0.5", "-1.5*(x &gt; 0) + 1.25*(x &lt;= 0)", "2", 0},
             {"1", "-abs(x)", "3", 0.049787068367863944},
             {"2", "-max(x, 1)", "2", -0.30685281944005471},
             {"3", "-floor(x)", "1", 1.4999999999999998 /* 3 to 2 in 1/2 */},
             {"0", "2*(0.3 - sign(x - t))", "1", 1},
             /* roots whose zero is that of a corner or a jump: integrators look beyond it */
             {"1", "-1 - sqrt(max(x, 0))", "2", -1.3862943611198906 /* -2 log 2 */},
             {"1", "-1 - if(x &gt; 0, sqrt(x), 0)", "2", -1.3862943611198906},
             {"1.5", "-1 - if(x &lt;= 0.5 || t &gt; 9, 0, (2*(x - 0.5))^0.5/sqrt(2))", "2",
              -0.8862943611198906},
             {"1", "if(x &lt; 0, sqrt(-x), -sqrt(x))", "4", 0 /* from t = 2 on */},
             {"1", "-1 - sqrt(if(x &gt; 0, x, 0))", "2", -1.3862943611198906},
             {"1", "-1 - sqrt(x*(x &gt; 0))", "2", -1.3862943611198906},
             {"1", "-1 - if(x &gt; 0.5, sqrt(2*x - 1), 0)", "2", -1.1931471805599454},
             {"-1.1", "1 + if(x &lt; -0.1, sqrt(-x - 0.1), 0)", "2", 1.2862943611198906},
             {"0.5", "1 + if(0&lt;x &amp;&amp; x&lt;1, sqrt(x*(1 - x)), 0)", "1", 1.638403249},
             {"1", "-0.4*sqrt(2*max(x, 0)/2)", "8", 0 /* from t = 5 on */},
             {"3", "-sign(x)*sqrt(abs(x))", "8", 0 /* from 2 sqrt(3) on */},
             {"1", "-sign(x)*pow(abs(x), 0.6)", "4", 0 /* from t = 2.5 on */}};
  char model[1000];
  snprintf(model, sizeof model,
           HEAD "<systems><FirstOrderNonLinearDS id='s' "
                "states='x'><x0>%s</x0><f>%s</f></FirstOrderNonLinearDS></systems>"
                "<simulation T='%s'><EventDriven certificate='on' "
                "h='0.1'><CVodeOSI/></EventDriven></simulation></model>",
           row[_i].x0, row[_i].f, row[_i].T);
  run r = play(model);
  ck_assert_msg(fabs(r.x->q[0] - row[_i].x) <= 2e-7, "%s: %.12g, expected %.12g", row[_i].f,
                r.x->q[0], row[_i].x);
  run_end(&r);
}
END_TEST

START_TEST(what_has_no_motion_or_several_is_refused)
{
  refused(HEAD FIRST_ORDER("x", "0", "sign(x)") EVENT_DRIVEN("1", "0.1"), "more than one motion");
  refused(HEAD FIRST_ORDER("x", "1", "0.2 - sin(2*sign(x))") EVENT_DRIVEN("2", "0.1"),
          "not affine");
  refused(HEAD FIRST_ORDER("x y", "0.5 -1", "-sign(x)*(2 + sign(x)*0.5)*(1.5 + sign(x)), 0")
              EVENT_DRIVEN("2", "0.1"),
          "x = 0");
}
END_TEST

/* A block under a slowly growing force: it slides on, comes to rest, sticks, and slips when the
 * force is mu m g. */
START_TEST(friction_by_a_formula_sticks)
{
  run r = play(HEAD
               "<systems><LagrangianDS id='s' "
               "coordinates='x'><q0>0</q0><v0>1</v0><mass>2</mass><fInt>0.3*2*9.81*sign(v_x)</fInt>"
               "<fExt>t</fExt></LagrangianDS></systems>" EVENT_DRIVEN("8", "0.1"));
  /* v = 1 - (N t - t^2/2)/2 */
  double N = 0.3 * 2 * 9.81, rest = N - sqrt(N * N - 2 * 2.0), s = 8 - N;
  ck_assert_uint_eq(count(&r, NS_EVENT_FORMULA), 2);
  ck_assert_double_eq_tol(event(&r, NS_EVENT_FORMULA, 0)->t, rest, 1e-7);
  ck_assert_int_eq(event(&r, NS_EVENT_FORMULA, 0)->is, NS_ROW_BETWEEN);
  ck_assert_double_eq_tol(event(&r, NS_EVENT_FORMULA, 1)->t, N, 1e-7);
  ck_assert_double_eq_tol(r.x->v[0], s * s / 4, 1e-6);
  run_end(&r);
}
END_TEST

/* x'' = -sign(x) crosses for ever: periods of 4 sqrt(2 x0), and energy 1/2 v^2 + |x|. */
START_TEST(positions_are_crossed)
{
  run r = play(HEAD "<systems><LagrangianDS id='s' "
                    "coordinates='x'><q0>0.5</q0><mass>1</mass><fInt>sign(x)</fInt></"
                    "LagrangianDS></systems>" EVENT_DRIVEN("20", "0.5"));
  ck_assert_uint_eq(count(&r, NS_EVENT_FORMULA), 10);
  for (size_t k = 0; k < 10; k++)
    ck_assert_double_eq_tol(event(&r, NS_EVENT_FORMULA, k)->t, 1 + 2.0 * (double)k, 1e-6);
  ck_assert_double_eq_tol(r.x->q[0], 0.5, 1e-6);
  run_end(&r);
}
END_TEST

/* Blocks in a row, all at rest and all with friction: only the one that is pulled hard enough
 * moves. */
START_TEST(many_stick_at_once)
{
  run r = play(HEAD "<systems><LagrangianDS id='s' coordinates='a b c d e f g h'><q0>0 0 0 0 0 0 0 "
                    "0</q0><mass diag='1 1 1 1 1 1 1 1'/>"
                    "<fInt>sign(v_a), sign(v_b), sign(v_c), sign(v_d), sign(v_e), sign(v_f), "
                    "sign(v_g), sign(v_h)</fInt>"
                    "<fExt>0.5 -0.9 0 0.2 2 -3 0.99 0</fExt></LagrangianDS></systems>" EVENT_DRIVEN(
                        "1", "0.1"));
  static const double v[] = {0, 0, 0, 0, 1, -2, 0, 0};
  for (int i = 0; i < 8; i++) ck_assert_double_eq_tol(r.x->v[i], v[i], 1e-9);
  run_end(&r);
}
END_TEST

/* Two surfaces at once: x' = -sign(x) - sign(y)/2, y' = sign(x)/2 - sign(y) comes to the origin and
 * stays. */
START_TEST(two_surfaces_at_once)
{
  run r = play(HEAD FIRST_ORDER("x y", "0.4 0.1", "-sign(x) - sign(y)/2, sign(x)/2 - sign(y)")
                   EVENT_DRIVEN("3", "0.1"));
  ck_assert_double_eq_tol(r.x->q[0], 0, 1e-9);
  ck_assert_double_eq_tol(r.x->q[1], 0, 1e-9);
  run_end(&r);
}
END_TEST

/* A window in a state, which the motion passes within one step of the integrator: both of its ends
 * are met, wherever it is, in each kind of run and by each integrator. */
START_TEST(a_window_of_the_state_is_not_stepped_over)
{
  static const char *const by[] = {"<CVodeOSI/>", "<CVodeOSI method='bdf'/>", "<LsodarOSI/>"};
  static const char *const of[] = {
      "<FirstOrderNonLinearDS id='s' states='x y'><x0>0 0</x0><f>1, %s</f></FirstOrderNonLinearDS>",
      "<LagrangianDS id='s' coordinates='x y'><q0>0 0</q0><v0>1 0</v0><mass diag='1 1'/>"
      "<fInt>0, -(%s)</fInt></LagrangianDS>",
      "<LagrangianDS id='s' coordinates='x y'><q0>0 0</q0><v0>1 0</v0><mass diag='1 1'/>"
      "<fInt>0, -(%s)</fInt></LagrangianDS><FirstOrderLinearDS id='z' states='z'><x0>0</x0>"
      "<A>-1</A></FirstOrderLinearDS>"};
  int kind = _i / 3;
  seed = 77 + (unsigned)_i;
  for (int k = 0; k < how_many(10); k++) {
    double a = uniform(0.05, 0.9), width = 1e-3 * pow(10, -2 * uniform(0, 1));
    char f[200], systems[1000], model[2000];
    snprintf(f, sizeof f, "((x - %.17g)*(x - %.17g) &lt; 0 ? 2 : 0)", a, a + width);
    snprintf(systems, sizeof systems, of[kind], f);
    snprintf(model, sizeof model,
             HEAD "<systems>%s</systems><simulation T='1'><EventDriven h='0.1'>%s</EventDriven>"
                  "</simulation></model>",
             systems, by[_i % 3]);
    run r = play(model);
    double y = kind == 0 ? r.x->q[1] : r.x->v[1];
    ck_assert_msg(fabs(y - 2 * width) < 1e-9, "%.12g, not %.12g: %s", y, 2 * width, model);
    run_end(&r);
  }
}
END_TEST

/* A condition that holds for less than a step happens where it begins and where it ends, or where
 * its direction says; the run goes on between, or begins anew as the event sets something. */
START_TEST(a_condition_of_the_state_holds_for_a_moment)
{
  static const char *const by[] = {"<CVodeOSI/>", "<CVodeOSI method='bdf'/>", "<LsodarOSI/>"};
  static const char *const of[] = {
      "<FirstOrderNonLinearDS id='s' states='x y' inputs='u'><x0>0 0</x0><f>1, 0*x + 0*u</f>"
      "</FirstOrderNonLinearDS>",
      "<LagrangianDS id='s' coordinates='x y' inputs='u'><q0>0 0</q0><v0>1 0</v0>"
      "<mass diag='1 1'/><fInt>0*u, 0</fInt></LagrangianDS>",
      "<LagrangianDS id='s' coordinates='x y' inputs='u'><q0>0 0</q0><v0>1 0</v0>"
      "<mass diag='1 1'/><fInt>0*u, 0</fInt></LagrangianDS><FirstOrderLinearDS id='z' states='z'>"
      "<x0>0</x0><A>-1</A></FirstOrderLinearDS>"};
  static const char *const direction[] = {"up", "down", "both"};
  seed = 99 + (unsigned)_i;
  for (int k = 0; k < how_many(12); k++) {
    double a = uniform(0.05, 0.9), width = 1e-3 * pow(10, -2 * uniform(0, 1));
    int way = k % 3, inverted = pick(2), sets = pick(2);
    char model[2000];
    snprintf(model, sizeof model,
             HEAD "<systems>%s</systems><events><event id='e' when='(s.x - %.17g)*(s.x - %.17g) %s "
                  "0' direction='%s'>%s</event></events><simulation T='1'><EventDriven h='0.1'>%s"
                  "</EventDriven></simulation></model>",
             of[_i / 3], a, a + width, inverted ? "&gt;" : "&lt;", direction[way],
             sets ? "<set name='s.u' value='s.u + 1'/>" : "", by[_i % 3]);
    run r = play(model);
    ck_assert_msg(count(&r, NS_EVENT_USER) == (way == 2 ? 2 : 1), "%zu events: %s",
                  count(&r, NS_EVENT_USER), model);
    double first = way == 2 || (way == 0) == !inverted ? a : a + width;
    ck_assert_double_eq_tol(event(&r, NS_EVENT_USER, 0)->t, first, 1e-9);
    if (way == 2) ck_assert_double_eq_tol(event(&r, NS_EVENT_USER, 1)->t, a + width, 1e-9);
    run_end(&r);
  }
}
END_TEST

/* Conditions of t alone happen on both sides of a narrow window, and where they jump. */
START_TEST(conditions_of_time_are_not_stepped_over)
{
  run r = play(HEAD FIRST_ORDER(
      "x", "0",
      "1") "<events><event id='in' when='t &gt; 0.3 &amp;&amp; t &lt; 0.30001' direction='both'/>"
           "<event id='wrap' when='mod(t, 0.25) &gt; 0.2' direction='both'/></events>" EVENT_DRIVEN(
               "1", "0.5"));
  static const double want[] = {0.2, 0.25, 0.3, 0.30001, 0.45, 0.5, 0.7, 0.75, 0.95, 1};
  ck_assert_uint_eq(count(&r, NS_EVENT_USER), 10);
  for (size_t k = 0; k < 10; k++)
    ck_assert_double_eq_tol(event(&r, NS_EVENT_USER, k)->t, want[k], 1e-13);
  run_end(&r);
}
END_TEST

/* Formulas of t whose inner branches make a difference 0 for a while, and others that say the same
 * plainly: f and g are waves. */
START_TEST(differences_that_vanish_for_a_while)
{
  static const char *const form[][2] = {
      {"max(min(%1$s, %2$s), min(%2$s, %1$s))", "min(%1$s, %2$s)"},
      {"min(max(%1$s, min(%1$s, %2$s)), max(%1$s, %2$s))", "%1$s"},
      {"if(max(%1$s, 0) &gt; 0, 1, %2$s)", "if(%1$s &gt; 0, 1, %2$s)"},
      {"if(min(%1$s, 0) &gt;= 0, 1, %2$s)", "if(%1$s &gt;= 0, 1, %2$s)"},
      {"abs(max(%1$s, %2$s) - %1$s) + min(%1$s, %2$s)*step(max(%1$s, %2$s) - %2$s)",
       "max(0, %2$s - %1$s) + min(%1$s, %2$s)"},
      {"max(-1, min(%1$s, max(-1, %2$s)))", "max(-1, min(%1$s, %2$s))"},
      {"sign(max(%1$s, 0)) + %2$s", "if(%1$s &gt; 0, 1, 0) + %2$s"},
      {"sign(min(%1$s, 0)) - 2*sign(-max(%2$s, 0))",
       "2*if(%2$s &gt; 0, 1, 0) - if(%1$s &gt; 0, 0, 1)"},
      {"%2$s*sign(sin(t)^2 + cos(t)^2 - 1) + %1$s", "%1$s"}};
  enum { FORMS = sizeof form / sizeof *form };
  seed = 90100u + (unsigned)_i;
  for (int k = 0; k < how_many(3); k++) {
    char f[256], g[256], model[4096], formula[2048];
    double end[2];
    for (int i = 0; i < 2; i++)
      snprintf(i ? g : f, sizeof f, "(%.17g*sin(%.17g*t + %.17g) + %.17g)", uniform(-2, 2),
               uniform(1, 9), uniform(0, 6), uniform(-0.3, 0.3));
    for (int plain = 0; plain < 2; plain++) {
      snprintf(formula, sizeof formula, form[_i % FORMS][plain], f, g);
      snprintf(model, sizeof model, HEAD FIRST_ORDER("x", "0.2", "%s - 2*x") EVENT_DRIVEN("3", "1"),
               formula);
      run r = play(model);
      end[plain] = r.x->q[0];
      run_end(&r);
    }
    ck_assert_double_eq_tol(end[0], end[1], 1e-9);
  }
}
END_TEST

/* ---- formulas that read what others jump to ----------------------------------------------------
 */

/* An oscillator whose force jumps, or bends, at x = a: written plainly, and so that a formula that
 * jumps makes another one jump, or lies on its corner all the time until then. */
START_TEST(jumps_make_others_jump)
{
  static const char *const form[][2] = {
      {"if(step(x-%1$.17g)*x > %1$.17g/2, %2$.17g, %3$.17g)", "if(x > %1$.17g, %2$.17g, %3$.17g)"},
      {"%2$.17g*step(step(step(x-%1$.17g)*x - %1$.17g/2)*x - %1$.17g/2) + %3$.17g",
       "%2$.17g*step(x-%1$.17g) + %3$.17g"},
      {"max(min(2, max(-1, %2$.17g*(x-%1$.17g))), -1)", "min(2, max(-1, %2$.17g*(x-%1$.17g)))"},
      {"min(max(-2, min(1, %2$.17g*(x-%1$.17g))), 1)", "max(-2, min(1, %2$.17g*(x-%1$.17g)))"},
      {"max(max(max(0, x-%1$.17g), 0) - 0*%2$.17g, 0)", "max(0, x-%1$.17g)"},
      {"if(if(x > %1$.17g, x, -x) > 0, if(x*step(x-%1$.17g) > %1$.17g/3, %2$.17g, %3$.17g), "
       "%3$.17g)",
       "if(x > %1$.17g, %2$.17g, %3$.17g)"}};
  static const char *const flow[] = {"CVodeOSI", "IDAOSI"};
  enum { FORMS = sizeof form / sizeof *form };
  seed = 77001u + (unsigned)_i;
  for (int k = 0; k < how_many(6); k++) {
    double a = uniform(0.2, 1), g = uniform(-3, 3), h = uniform(-3, 3), v = uniform(1.5, 4),
           end[2][2];
    for (int plain = 0; plain < 2; plain++) {
      char model[4096], F[1024];
      snprintf(F, sizeof F, form[_i % FORMS][plain], a, g, h);
      snprintf(model, sizeof model,
               HEAD "<systems><LagrangianDS id='s' coordinates='x'><q0>0</q0><v0>%.17g</v0>"
                    "<mass>1</mass><fInt>4*x - (%s)</fInt></LagrangianDS></systems>"
                    "<simulation T='6'><EventDriven h='0.5'><%s relativeTolerance='1e-10' "
                    "absoluteTolerance='1e-12'/></EventDriven></simulation></model>",
               v, F, flow[_i / FORMS]);
      run r = play(model);
      end[plain][0] = r.x->q[0];
      end[plain][1] = r.x->v[0];
      run_end(&r);
    }
    ck_assert_double_eq_tol(end[0][0], end[1][0], 1e-7);
    ck_assert_double_eq_tol(end[0][1], end[1][1], 1e-7);
  }
}
END_TEST

/* A corner that an input moves, which events of the user set and plain formulas have by t: of
 * mechanics, of first order, of both. It goes on from a checkpoint, too. */
START_TEST(inputs_move_corners)
{
  static const char *const of[] = {
      "<LagrangianDS id='s' coordinates='x' inputs='u'><q0>%2$.17g</q0><z>1</z><mass>1</mass>"
      "<fInt>20*x + v_x - 9*max(x, %1$s) + if(x > %1$s, 2, 0)</fInt></LagrangianDS>",
      "<FirstOrderNonLinearDS id='s' states='x' inputs='u'><x0>%2$.17g</x0><z>1</z>"
      "<f>2*min(x, max(-x, %1$s)) - 3*x + if(x > %1$s, 0.5, 0) + sin(9*t)</f>"
      "</FirstOrderNonLinearDS>",
      "<LagrangianDS id='s' coordinates='x' inputs='u'><q0>%2$.17g</q0><z>1</z><mass>1</mass>"
      "<fInt>20*x + v_x - a.p</fInt></LagrangianDS><FirstOrderNonLinearDS id='a' states='p'>"
      "<x0>0</x0><f>3*max(s.x, 0.3*%1$s) - p + if(p &lt; 0.4*%1$s, 2, 0)</f>"
      "</FirstOrderNonLinearDS>"};
  static const char *const input[] = {"u*0.3", "u*0.3", "s.u*0.3"};
  double x0 = 0.05 + 0.1 * (_i / 3), end[2];
  for (int plain = 0; plain < 2; plain++) {
    const char *u = plain ? "if(mod(t, 0.5) &lt; 0.25, 1, -1)*0.3" : input[_i % 3];
    char model[4096], systems[2048];
    snprintf(systems, sizeof systems, of[_i % 3], u, x0);
    snprintf(model, sizeof model,
             HEAD "<systems>%s</systems><events><event id='e' every='0.25'><set name='s.u' "
                  "value='-s.u'/></event></events>" EVENT_DRIVEN("1.9", "0.1"),
             systems);
    run r = play(model);
    end[plain] = r.x->q[0];
    run_end(&r);
    if (!plain) ck_assert(goes_on_the_same(model, &(change){0}, 3, 515 + _i));
  }
  ck_assert_double_eq_tol(end[0], end[1], 1e-8);
}
END_TEST

/* The turns of a twisting controller take q^k of the first, with q^2 = (a - b)/(a + b): the run
 * that counts its jumps ends there, and says what passes that instant: relays. */
START_TEST(turns_that_accumulate_are_told)
{
  seed = 830 + (unsigned)_i;
  uniform(0, 1);
  double a = uniform(1, 9), b = a * uniform(0.2, 0.7), q = sqrt((a - b) / (a + b));
  double v0 = uniform(0.5, 3), due = v0 / (1 - q) * (1 / (a + b) + q / (a - b));
  char model[1500];
  for (int second = 0; second < 2; second++) {
    snprintf(model, sizeof model,
             second ? HEAD
                 "<systems><LagrangianDS id='s' coordinates='x'><q0>0</q0><v0>%.17g</v0>"
                 "<mass>1</mass><fInt>%.17g*sign(x) + %.17g*sign(v_x)</fInt></LagrangianDS>"
                 "</systems><simulation T='%.17g'><EventDriven h='0.1'><CVodeOSI/>"
                 "</EventDriven></simulation></model>"
                    : HEAD "<systems><FirstOrderNonLinearDS id='s' states='x v'><x0>0 %.17g</x0>"
                           "<f>v, -(%.17g*sign(x) + %.17g*sign(v))</f></FirstOrderNonLinearDS>"
                           "</systems><simulation T='%.17g'><EventDriven h='0.1'><CVodeOSI/>"
                           "</EventDriven></simulation></model>",
             v0, a, b, due + 1);
    run r = run_load(model, NULL);
    ck_assert_int_eq(run_keep(&r), NS_NUMERIC);
    ck_assert_msg(strstr(r.c.msg, "twisting controller, as <RelayNSL>") != NULL, "%s", r.c.msg);
    ck_assert_double_eq_tol(*r.x->t, due, 1e-3 * due);
    run_end(&r);
  }
  snprintf(model, sizeof model,
           HEAD "<systems><FirstOrderLinearDS id='s' states='x v'><x0>0 %.17g</x0><A>0 1; 0 0</A>"
                "</FirstOrderLinearDS></systems><interactions><interaction id='r' systems='s'>"
                "<FirstOrderLinearTIR><C>1 0; 0 1</C><B>0 0; %.17g %.17g</B></FirstOrderLinearTIR>"
                "<RelayNSL/></interaction></interactions><simulation T='%.17g'>"
                "<EventDriven h='0.1'><CVodeOSI/></EventDriven></simulation></model>",
           v0, a, b, due + 1);
  run r = play(model);
  ck_assert_double_le(fabs(r.x->q[0]) + fabs(r.x->q[1]), 1e-9);
  ck_assert_double_eq_tol(r.got.events[r.got.nevents - 1].t, due, 1e-3 * due);
  run_end(&r);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("branches");
  TCase *t = tcase_create("branches");
  tcase_set_timeout(t, 600);
  tcase_add_test(t, pulses_give_their_momentum);
  tcase_add_loop_test(t, a_pulse_is_not_stepped_over, 0, 5);
  tcase_add_loop_test(t, pulses_shorter_than_any_step, 0, 5);
  tcase_add_test(t, a_pulse_in_the_moment_of_an_impact);
  tcase_add_test(t, a_modulated_width_is_exact);
  tcase_add_loop_test(t, filippov_motions, 0, 24);
  tcase_add_test(t, what_has_no_motion_or_several_is_refused);
  tcase_add_test(t, friction_by_a_formula_sticks);
  tcase_add_test(t, positions_are_crossed);
  tcase_add_test(t, many_stick_at_once);
  tcase_add_test(t, two_surfaces_at_once);
  tcase_add_loop_test(t, a_window_of_the_state_is_not_stepped_over, 0, 9);
  tcase_add_loop_test(t, a_condition_of_the_state_holds_for_a_moment, 0, 9);
  tcase_add_test(t, conditions_of_time_are_not_stepped_over);
  tcase_add_loop_test(t, differences_that_vanish_for_a_while, 0, 27);
  tcase_add_loop_test(t, jumps_make_others_jump, 0, 12);
  tcase_add_loop_test(t, inputs_move_corners, 0, 9);
  tcase_add_loop_test(t, turns_that_accumulate_are_told, 0, 8);
  suite_add_tcase(s, t);
  return suite_end(s);
}
