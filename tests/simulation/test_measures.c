/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures against closed forms. Differences are absolute; times and values are of order 1. */
#include "simulation/record/measures.h"
#include "support/run.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'>"
#define LINE \
  "<systems><FirstOrderLinearTIDS id='s' " \
  "states='x'><x0>0</x0><b>1</b></FirstOrderLinearTIDS></systems>"
#define RATE(T, h) \
  "<simulation T='" T "'><TimeStepping " \
  "h='" h "'><EulerMoreauOSI/></TimeStepping></simulation>"
#define MECHANICS(T, h) \
  "<simulation T='" T "'><TimeStepping " \
  "h='" h "'><MoreauJeanOSI/></TimeStepping></simulation>"
#define MEASURES(list) "<measures>" list "</measures></model>"
#define SPRING \
  "<systems><LagrangianLinearTIDS id='s' " \
  "coordinates='x'><q0>1</q0><K>1</K></LagrangianLinearTIDS></systems>"

static run play(const char *model, const char *const *set)
{
  run r = run_load(model, set);
  ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, NULL), NS_OK);
  return r;
}

static int find(const run *r, const char *id)
{
  ns_measured s;
  for (int k = 0; k < ns_measures_count(r->m); k++) {
    ns_measures_get(r->m, r->x, k, &s);
    if (!strcmp(s.id, id)) return k;
  }
  ck_abort_msg("no measure %s", id);
  return -1;
}

static ns_measured get(const run *r, const char *id)
{
  ns_measured s;
  ns_measures_get(r->m, r->x, find(r, id), &s);
  return s;
}

static double number(const run *r, const char *id)
{
  ns_measured s = get(r, id);
  ck_assert_msg(s.why == NULL, "%s is undefined: %s", id, s.why);
  return s.value;
}

#define NEAR(r, id, want, tol) ck_assert_double_eq_tol(number(r, id), want, tol)

/* ---- linear motion: exact, wherever window and condition fall in a step ---------------------- */

/* x = t in steps of 0.01; no number below lies on the grid. */
static const char line[] = HEAD LINE RATE("1", "0.01") MEASURES(
    "<measure id='final' kind='final' until='0.777'>x</measure>"
    "<measure id='min' kind='min' from='0.333'>x</measure>"
    "<measure id='max' kind='max' from='0.111' until='0.777'>x</measure>"
    "<measure id='mean' kind='mean' from='0.333' until='0.777'>x</measure>"
    "<measure id='rms' kind='rms' from='0.333' until='0.777'>x</measure>"
    "<measure id='integral' kind='integral' from='0.333' until='0.777'>2*x</measure>"
    "<measure id='settling' kind='settling' target='1' band='0.123'>x</measure>"
    "<measure id='first' kind='first' when='x > 0.405'/>"
    "<measure id='begin' kind='first' when='x > 0.405' from='0.5077'/>"
    "<measure id='last' kind='last' when='0.6123 >= x'/>"
    "<measure id='end' kind='last' when='x'/>"
    "<measure id='fraction' kind='fraction' when='x > 0.2503 &amp;&amp; 0.7511 > x'/>"
    "<measure id='outside' kind='fraction' when='!(x > 0.2503 &amp;&amp; 0.7511 > x)'/>"
    "<measure id='either' kind='fraction' when='0.2503 > x || x > 0.7511' from='0.1' until='0.6'/>"
    "<measure id='strobe' kind='sample' every='0.0703' from='0.301' keep='4'>x</measure>"
    "<measure id='fast' kind='sample' every='1e-6' keep='3'>x</measure>"
    "<measure id='few' kind='sample' every='0.4' keep='100'>x</measure>"
    "<measure id='section' kind='sample' when='x - 0.3333' keep='2'>x^2 + 0*t</measure>");

START_TEST(exact_where_formulas_are_linear)
{
  const double tol = 1e-13;
  run r = play(line, NULL);
  NEAR(&r, "final", 0.777, tol);
  NEAR(&r, "min", 0.333, tol);
  NEAR(&r, "max", 0.777, tol);
  ck_assert_double_eq_tol(get(&r, "max").time, 0.777, tol);
  NEAR(&r, "mean", 0.555, tol);
  NEAR(&r, "rms", sqrt((0.777 * 0.777 * 0.777 - 0.333 * 0.333 * 0.333) / 3 / 0.444), tol);
  NEAR(&r, "integral", 2 * 0.555 * 0.444, tol);
  NEAR(&r, "settling", 0.877, tol);
  NEAR(&r, "first", 0.405, tol);
  NEAR(&r, "begin", 0.5077, tol);
  NEAR(&r, "last", 0.6123, tol);
  NEAR(&r, "end", 1, tol);
  NEAR(&r, "fraction", 0.5008, tol);
  NEAR(&r, "outside", 0.4992, tol);
  NEAR(&r, "either", (0.2503 - 0.1) / 0.5, tol);
  run_end(&r);
}
END_TEST

START_TEST(samples_are_the_last_in_order)
{
  double value[4], time[4];
  run r = play(line, NULL);
  /* at 0.301 + 0.0703 k, k = 0..9: the last four of ten */
  ck_assert_int_eq(get(&r, "strobe").samples, 4);
  ns_measures_samples(r.m, r.x, find(&r, "strobe"), value, time);
  for (int i = 0; i < 4; i++) {
    ck_assert_double_eq_tol(time[i], 0.301 + 0.0703 * (6 + i), 1e-13);
    ck_assert_double_eq_tol(value[i], time[i], 1e-13);
  }
  ck_assert_int_eq(get(&r, "few").samples, 3); /* 0, 0.4, 0.8 */
  ns_measures_samples(r.m, r.x, find(&r, "few"), value, NULL);
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(value[i], 0.4 * i, 1e-13);
  ck_assert_int_eq(get(&r, "fast").samples, 3); /* many in each step */
  ns_measures_samples(r.m, r.x, find(&r, "fast"), value, time);
  for (int i = 0; i < 3; i++) {
    ck_assert_double_eq_tol(value[i], 1 - (2 - i) * 1e-6, 1e-12);
    ck_assert_double_eq_tol(time[i], value[i], 1e-12);
  }
  ck_assert_int_eq(get(&r, "section").samples, 1);
  ns_measures_samples(r.m, r.x, find(&r, "section"), NULL, time);
  ck_assert_double_eq_tol(time[0], 0.3333, 1e-13);
  run_end(&r);
}
END_TEST

/* ---- undefined: never a number --------------------------------------------------------------- */

START_TEST(what_is_undefined_says_why)
{
  static const struct {
    const char *id, *why;
  } row[] = {{"late", "its window was not reached"},
             {"never", "its condition was never true"},
             {"once", "its condition became true fewer than two times"},
             {"quiet", "no such event"},
             {"lone", "fewer than two events"},
             {"unsettled", "it was outside the band at the end"},
             {"nan", "its formula was not a number at some time"},
             {"none", "no sample was taken"},
             {"count", "its window was not reached"}};
  run r = play(HEAD LINE RATE("1", "0.01")
                   MEASURES("<measure id='late' kind='max' from='2'>x</measure>"
                            "<measure id='never' kind='first' when='x > 2'/>"
                            "<measure id='once' kind='period' when='x > 0.5'/>"
                            "<measure id='quiet' kind='last' event='switch'/>"
                            "<measure id='lone' kind='period' event='any'/>"
                            "<measure id='unsettled' kind='settling' band='0.1'>x</measure>"
                            "<measure id='nan' kind='mean'>sqrt(0.5 - x)</measure>"
                            "<measure id='none' kind='sample' event='any'>x</measure>"
                            "<measure id='count' kind='count' when='x > 0.5' from='1.5'/>"),
               NULL);
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    ns_measured s = get(&r, row[i].id);
    ck_assert_msg(isnan(s.value), "%s = %g", row[i].id, s.value);
    ck_assert_ptr_nonnull(s.why);
    ck_assert_str_eq(s.why, row[i].why);
  }
  run_end(&r);
  run fresh = run_load(line, NULL);
  for (int k = 0; k < ns_measures_count(fresh.m); k++) {
    ns_measured s;
    ns_measures_get(fresh.m, fresh.x, k, &s);
    ck_assert(isnan(s.value) && s.why);
  }
  run_end(&fresh);
}
END_TEST

/* ---- the order of the scheme ----------------------------------------------------------------- */

static const char spring[] = HEAD SPRING
    "<parameters><parameter name='h' value='0.1'/></parameters>"
    "<simulation T='20'><TimeStepping h='h'><MoreauJeanOSI/></TimeStepping></simulation>" MEASURES(
        "<measure id='mean' kind='mean' until='1'>x</measure>"
        "<measure id='square' kind='integral' until='10'>x^2</measure>"
        "<measure id='rms' kind='rms' until='2*pi'>v_x</measure>"
        "<measure id='period' kind='period' when='v_x > 0'/>"
        "<measure id='first' kind='first' when='0 > x'/>"
        "<measure id='section' kind='sample' keep='8' when='x > 0'>v_x</measure>");

/* x = cos t: order 2 of each, from the factor by which the error falls with h/2 (4 + O(h)). */
START_TEST(order_of_the_scheme)
{
  static const struct {
    const char *id;
    double exact;
  } row[] = {{"mean", 0.8414709848078965},  {"square", 5 + 0.9129452507276277 / 4},
             {"rms", 0.7071067811865476},   {"period", 6.283185307179586},
             {"first", 1.5707963267948966}, {"section", 1}};
  static const char *const coarse[] = {"h=0.1", NULL}, *const fine[] = {"h=0.05", NULL};
  run a = play(spring, coarse), b = play(spring, fine);
  double e = fabs(number(&a, row[_i].id) - row[_i].exact),
         f = fabs(number(&b, row[_i].id) - row[_i].exact);
  /* the section is at the top of v, where what the chord is below the arc depends on where in the
   * step it is */
  int bounded = !strcmp(row[_i].id, "section") ? e < 0.1 * 0.1 / 8 && f < 0.05 * 0.05 / 8
                                               : f < 4e-3 && f < e / 2.8;
  ck_assert_msg(bounded, "%s: %g, then %g", row[_i].id, e, f);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* ---- contacts -------------------------------------------------------------------------------- */

/* Dropped from 1 with e = 1/2: impacts at s, 2 s, 2.5 s, ... with s = sqrt(2/g) = 0.4515 s; heights
 * 1/4, 1/16 between. */
START_TEST(bouncing_ball)
{
  run r = play(
      HEAD
      "<systems><LagrangianLinearTIDS id='ball' "
      "coordinates='x'><q0>1</q0><fExt>-9.81</fExt></LagrangianLinearTIDS>"
      "</systems><interactions><interaction id='ground' "
      "systems='ball'><LagrangianLinearTIR><H>1</H>"
      "</LagrangianLinearTIR><NewtonImpactNSL e='0.5'/></interaction></interactions>" MECHANICS(
          "1.1",
          "1e-4") "<output><observe id='height' interaction='ground'>x + "
                  "0*lambda[0]</observe></output>" MEASURES("<measure id='hits' kind='count' "
                                                            "event='impact' interaction='ground'/>"
                                                            "<measure id='early' kind='count' "
                                                            "event='impact' until='0.5'/>"
                                                            "<measure id='first' kind='first' "
                                                            "event='impact'/>"
                                                            "<measure id='last' kind='last' "
                                                            "event='impact'/>"
                                                            "<measure id='period' kind='period' "
                                                            "event='impact' take='last'/>"
                                                            "<measure id='top' kind='max' "
                                                            "from='0.5'>height</measure>"
                                                            "<measure id='speed' kind='sample' "
                                                            "event='impact' "
                                                            "keep='1'>v_x</measure>"),
      NULL);
  double s = sqrt(2 / 9.81), h = 1e-4;
  ck_assert_double_eq(number(&r, "hits"), 2);
  ck_assert_double_eq(number(&r, "early"), 1);
  NEAR(&r, "first", s, 2 * h);
  NEAR(&r, "last", 2 * s, 6 * h);
  NEAR(&r, "period", s, 4 * h);
  NEAR(&r, "top", 0.25, 10 * h);
  ck_assert_double_eq_tol(get(&r, "top").time, 1.5 * s, 10 * h);
  NEAR(&r, "speed", 9.81 * s / 4, 20 * h);
  run_end(&r);
}
END_TEST

/* Events inside of steps: the velocity is linear between them, so its integral is the way, whatever
 * the grid. */
START_TEST(event_driven_ball)
{
  run r = play(
      HEAD
      "<systems><LagrangianLinearTIDS id='ball' "
      "coordinates='x'><q0>1</q0><fExt>-9.81</fExt></LagrangianLinearTIDS>"
      "</systems><interactions><interaction id='ground' "
      "systems='ball'><LagrangianLinearTIR><H>1</H>"
      "</LagrangianLinearTIR><NewtonImpactNSL e='0.5'/></interaction></interactions>"
      "<simulation T='1'><EventDriven h='0.07'><CVodeOSI/></EventDriven></simulation>" MEASURES(
          "<measure id='way' kind='integral'>v_x</measure>"
          "<measure id='hits' kind='count' event='impact'/>"
          "<measure id='period' kind='period' event='impact'/>"
          "<measure id='fast' kind='min'>v_x</measure>"
          "<measure id='after' kind='sample' event='impact'>v_x</measure>"),
      NULL);
  double s = sqrt(2 / 9.81), after[2], time[2];
  ck_assert_double_eq(number(&r, "hits"), 2);
  NEAR(&r, "way", r.x->q[0] - 1, 1e-9);
  NEAR(&r, "period", s, 1e-8);
  NEAR(&r, "fast", -9.81 * s, 1e-7);
  ck_assert_int_eq(get(&r, "after").samples, 2);
  ns_measures_samples(r.m, r.x, find(&r, "after"), after, time);
  for (int i = 0; i < 2; i++) {
    ck_assert_double_eq_tol(after[i], 9.81 * s / (2 << i), 1e-7);
    ck_assert_double_eq_tol(time[i], s * (1 + i), 1e-8);
  }
  run_end(&r);
}
END_TEST

/* x' = -sign x from 1: |x| falls to 0.1 at 0.9, exactly, and rests from 1 on. */
START_TEST(relay)
{
  run r = play(
      HEAD
      "<systems><FirstOrderLinearTIDS id='s' "
      "states='x'><x0>1</x0></FirstOrderLinearTIDS></systems><interactions>"
      "<interaction id='relay' "
      "systems='s'><FirstOrderLinearTIR><C>1</C><B>1</B></FirstOrderLinearTIR><RelayNSL/>"
      "</interaction></interactions>" RATE("2", "0.03") MEASURES(
          "<measure id='settled' kind='settling' band='0.1'>x</measure>"
          "<measure id='slides' kind='first' event='switch'/>"
          "<measure id='push' kind='mean' interaction='relay' until='0.9'>lambda[0]</measure>"),
      NULL);
  NEAR(&r, "settled", 0.9, 1e-12);
  NEAR(&r, "slides", 1.02, 1e-12); /* end of the step that holds 1 */
  NEAR(&r, "push", -1, 1e-12);
  run_end(&r);
}
END_TEST

/* ---- held over the step ---------------------------------------------------------------------- */

/* A command of 3, then -1: what is constant over steps is integrated as such, and what it was
 * before the first sample was never in force. */
START_TEST(commands_are_held)
{
  static const char *const step[][2] = {{"h=0.1", NULL}, {"h=0.02", NULL}, {"h=0.5", NULL}};
  run r = play(
      HEAD "<parameters><parameter name='h' value='0.1'/></parameters>"
           "<systems><FirstOrderLinearTIDS id='s' states='x' "
           "inputs='u'><x0>0</x0><A>0</A><b>u</b></FirstOrderLinearTIDS></systems>"
           "<controls><control id='c' systems='s' period='0.5' writes='u'><update>t > 0.25 ? -1 : "
           "3</update></control></controls>"
           "<simulation T='1'><TimeStepping h='h'><ZeroOrderHoldOSI/></TimeStepping></simulation>"
           "<output><observe id='double'>2*u</observe></output>" MEASURES(
               "<measure id='U' kind='integral'>u</measure>"
               "<measure id='part' kind='integral' from='0.37' until='0.61'>u</measure>"
               "<measure id='observed' kind='integral'>double</measure>"
               "<measure id='work' kind='integral'>u*x</measure>"
               "<measure id='mean' kind='mean'>u</measure>"
               "<measure id='rms' kind='rms'>u</measure>"
               "<measure id='min' kind='min'>u*u</measure>"
               "<measure id='max' kind='max'>u</measure>"
               "<measure id='final' kind='final'>u</measure>"
               "<measure id='first' kind='first' when='u > 1'/>"
               "<measure id='last' kind='last' when='u > 1'/>"
               "<measure id='turn' kind='first' when='0 > u'/>"
               "<measure id='times' kind='count' when='0 > u'/>"
               "<measure id='settled' kind='settling' target='-1' band='0.5'>u</measure>"
               "<measure id='share' kind='fraction' when='u > 1'/>"),
      step[_i]);
  static const struct {
    const char *id;
    double value;
  } want[] = {{"U", 1},        {"part", 3 * 0.13 - 0.11},
              {"observed", 2}, {"work", 0.5},
              {"mean", 1},     {"rms", 2.2360679774997896},
              {"min", 1},      {"max", 3},
              {"final", -1},   {"first", 0},
              {"last", 0.5},   {"turn", 0.5},
              {"times", 1},    {"settled", 0.5},
              {"share", 0.5}};
  for (size_t i = 0; i < sizeof want / sizeof *want; i++)
    NEAR(&r, want[i].id, want[i].value, 2e-14);
  run_end(&r);
}
END_TEST

/* What a relay takes is what the energy lost, for any theta; x is v_x of a mass on a spring. */
START_TEST(multipliers_are_held)
{
  static const char *const step[][3] = {
      {"h=0.1", "th=0.5", NULL}, {"h=0.03", "th=0.5", NULL}, {"h=0.1", "th=1", NULL}};
  run r = play(
      HEAD
      "<parameters><parameter name='h' value='0.1'/><parameter name='th' value='0.5'/></parameters>"
      "<systems><FirstOrderLinearDS id='m' states='x v'><x0>12 6</x0><A>0 1; -1 "
      "0</A></FirstOrderLinearDS></systems>"
      "<interactions><interaction id='f' systems='m'><FirstOrderLinearTIR><C>0 1</C><B>0; "
      "1</B></FirstOrderLinearTIR>"
      "<RelayNSL/></interaction></interactions>"
      "<simulation T='0.9'><TimeStepping h='h'><EulerMoreauOSI "
      "theta='th'/></TimeStepping></simulation>" MEASURES(
          "<measure id='lost' kind='integral' interaction='f'>-lambda[0]*v</measure>"
          "<measure id='kept' kind='final'>(x*x+v*v)/2</measure>"),
      step[_i]);
  /* theta = 1 loses energy of its own */
  if (_i < 2) NEAR(&r, "lost", 90 - number(&r, "kept"), 1e-12 * 90);
  else ck_assert(number(&r, "lost") < 90 - number(&r, "kept"));
  run_end(&r);
}
END_TEST

static double uniform(unsigned long long *seed)
{
  *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(*seed >> 33) / 2147483648.0;
}

/* Random plants with random commands: each integral is the sum over the steps, done by hand with
 * states and commands as they are after each step; a window cuts steps in any place. */
START_TEST(sums_by_hand)
{
  unsigned long long seed = 20 + (unsigned long long)_i;
  char text[4096];
  double a = uniform(&seed), b = uniform(&seed), from = 0.9 * uniform(&seed),
         every = 1 + floor(4 * uniform(&seed));
  snprintf(text, sizeof text,
           HEAD "<systems><FirstOrderLinearTIDS id='s' states='x v' inputs='u w'><x0>%.17g "
                "%.17g</x0><A>0 1; %.17g -0.3</A>"
                "<b>u u-w</b></FirstOrderLinearTIDS></systems>"
                "<controls><control id='c' systems='s' period='%.17g' writes='u "
                "w'><update>sin(40*t)-x, cos(%.17g*t)*v</update></control>"
                "</controls><simulation T='1'><TimeStepping "
                "h='0.01'><ZeroOrderHoldOSI/></TimeStepping></simulation>" MEASURES(
                    "<measure id='work' kind='integral' from='%.17g'>u*v + 2*w</measure>"
                    "<measure id='top' kind='max' from='%.17g'>u*w + v</measure>"),
           a, b, -5 * a, 0.01 * every, 100 * b, from, from);
  run r = run_load(text, NULL);
  double sum = 0, top = -INFINITY, t = 0, v = b;
  for (int rc = NS_STOPPED; rc == NS_STOPPED;) {
    ns_ctx c = {0};
    rc = ns_simulation_run(r.s, &c, NULL, &(ns_watch){.max_steps = 1});
    double end = *r.x->t, begin = fmax(t, from), u = r.x->z[0], w = r.x->z[1];
    double first = v + (r.x->q[1] - v) * (begin - t) / (end - t);
    if (end > begin) {
      sum += (end - begin) * (u * (first + r.x->q[1]) / 2 + 2 * w);
      top = fmax(top, u * w + fmax(first, r.x->q[1]));
    }
    t = end;
    v = r.x->q[1];
  }
  NEAR(&r, "work", sum, 1e-12);
  NEAR(&r, "top", top, 1e-12);
  run_end(&r);
}
END_TEST

/* The block of the incline stops at v0/(g (mu cos a - sin a)), or never does, or never moves. */
START_TEST(sliding)
{
  static const struct {
    const char *set[3];
    double share;
  } row[] = {{{"mu=0.5", "v0=2", NULL}, 1.594928 / 3},
             {{"mu=0.3", "v0=0", NULL}, 1},
             {{"mu=0.5", "v0=0", NULL}, 0}};
  char path[4096], text[8192];
  const char *top = getenv("TOP");
  snprintf(path, sizeof path, "%s/models/incline/incline.xml", top ? top : ".");
  FILE *f = fopen(path, "r");
  ck_assert_ptr_nonnull(f);
  size_t n = fread(text, 1, 4096, f);
  fclose(f);
  text[n] = 0;
  char *list = strstr(text, "<measures>"), *end = list ? list : strstr(text, "</model>");
  ck_assert_ptr_nonnull(end);
  strcpy(end, MEASURES("<measure id='slides' kind='sliding' interaction='plane'/>"));
  run r = play(strchr(strstr(text, "<model"), '<'), row[_i].set);
  NEAR(&r, "slides", row[_i].share, 2e-3 / 3);
  run_end(&r);
}
END_TEST

/* ---- the state has it all -------------------------------------------------------------------- */

static run in_pieces(const char *model, long long steps)
{
  run r = run_load(model, NULL);
  ns_watch w = {.max_steps = steps};
  int rc;
  do {
    ns_ctx c = {0};
    rc = ns_simulation_run(r.s, &c, NULL, &w);
  } while (rc == NS_STOPPED);
  ck_assert_int_eq(rc, NS_OK);
  return r;
}

static const char commanded[] = HEAD
    "<systems><FirstOrderLinearTIDS id='s' states='x' "
    "inputs='u'><x0>1</x0><A>-1</A><b>u</b></FirstOrderLinearTIDS></systems>"
    "<controls><control id='c' systems='s' period='0.03' "
    "writes='u'><update>-x*x</update></control></controls>"
    "<interactions><interaction id='r' "
    "systems='s'><FirstOrderLinearTIR><C>1</C><B>1</B></FirstOrderLinearTIR><RelayNSL lb='-0.2' "
    "ub='0.2'/>"
    "</interaction></interactions>" RATE("1", "0.01")
        MEASURES("<measure id='k' kind='integral'>u*x</measure><measure id='l' kind='rms' "
                 "interaction='r'>lambda[0]+x</measure>"
                 "<measure id='n' kind='min'>u+x</measure>");

/* A run in pieces, and one into another simulation's block in its midst, end with the same bytes.
 */
START_TEST(a_run_that_goes_on_gives_the_same_bytes)
{
  const char *const model[] = {line, spring, commanded};
  run whole = play(model[_i], NULL), pieces = in_pieces(model[_i], 7);
  ck_assert_uint_eq(whole.x->bytes, pieces.x->bytes);
  ck_assert_int_eq(memcmp(whole.x->block, pieces.x->block, whole.x->bytes), 0);
  run half = run_load(model[_i], NULL), rest = run_load(model[_i], NULL);
  ns_ctx c = {0};
  ck_assert_int_eq(ns_simulation_run(half.s, &c, NULL, &(ns_watch){.max_steps = 43}), NS_STOPPED);
  memcpy(rest.x->block, half.x->block, half.x->bytes);
  ck_assert_int_eq(ns_simulation_run(rest.s, &rest.c, NULL, NULL), NS_OK);
  ck_assert_int_eq(memcmp(whole.x->measured, rest.x->measured, whole.m->nmeasured * sizeof(double)),
                   0);
  run_end(&whole);
  run_end(&pieces);
  run_end(&half);
  run_end(&rest);
}
END_TEST

/* What is recorded, and how often, does not matter. */
START_TEST(recording_changes_nothing)
{
  run a = play(line, NULL), b = run_load(line, NULL);
  b.m->out.every = 7;
  ck_assert_int_eq(run_keep(&b), NS_OK);
  ck_assert_int_eq(memcmp(a.x->measured, b.x->measured, a.m->nmeasured * sizeof(double)), 0);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* A velocity that an event sets off the grid jumps there for a measure, too: 1 until 0.55, then 3.
 */
START_TEST(what_an_event_sets_is_seen_from_both_sides)
{
  run r = play(HEAD "<systems><LagrangianLinearTIDS id='s' "
                    "coordinates='x'><q0>0</q0><v0>1</v0></LagrangianLinearTIDS></systems>"
                    "<simulation T='1'><EventDriven h='0.1'><CVodeOSI/></EventDriven></simulation>"
                    "<events><event id='push' when='x > 0.55'><set name='v_x' "
                    "value='3'/></event></events>" MEASURES(
                        "<measure id='mean' kind='mean'>v_x</measure><measure id='fast' "
                        "kind='fraction' when='v_x > 2'/>"),
               NULL);
  NEAR(&r, "mean", 0.55 + 0.45 * 3, 1e-10);
  NEAR(&r, "fast", 0.45, 1e-10);
  run_end(&r);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("measures");
  TCase *t = tcase_create("measures");
  tcase_add_test(t, exact_where_formulas_are_linear);
  tcase_add_test(t, samples_are_the_last_in_order);
  tcase_add_test(t, what_is_undefined_says_why);
  tcase_add_loop_test(t, order_of_the_scheme, 0, 6);
  tcase_add_test(t, bouncing_ball);
  tcase_add_test(t, event_driven_ball);
  tcase_add_test(t, relay);
  tcase_add_loop_test(t, commands_are_held, 0, 3);
  tcase_add_loop_test(t, multipliers_are_held, 0, 3);
  tcase_add_loop_test(t, sums_by_hand, 0, 20);
  tcase_add_loop_test(t, sliding, 0, 3);
  tcase_add_loop_test(t, a_run_that_goes_on_gives_the_same_bytes, 0, 3);
  tcase_add_test(t, recording_changes_nothing);
  tcase_add_test(t, what_an_event_sets_is_seen_from_both_sides);
  suite_add_tcase(s, t);
  return suite_end(s);
}
