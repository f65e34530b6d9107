/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event-driven runs of first-order systems against closed forms: relays that cross, slide and
 * leave, genes, circuits with diodes, the play operator, series of switches that end in finite
 * time. */
#include "support/random_model.h"
#include "support/run.h"

#define HEAD(states, x0, rest) \
  "<model xmlns='urn:nssim:model:1' name='m'><systems><FirstOrderLinearDS id='s' " \
  "states='" states "'><x0>" x0 "</x0>" rest "</FirstOrderLinearDS></systems><interactions>"
#define ROW(id, C, D, B, e, law) \
  "<interaction id='" id "' systems='s'><FirstOrderLinearR><C>" C "</C>" D "<B>" B "</B>" e \
  "</FirstOrderLinearR>" law "</interaction>"
#define TAIL(h, T, strategy, flow) \
  "</interactions><simulation T='" T "'><EventDriven h='" h "' " strategy "><CVodeOSI " \
  "" flow "/></EventDriven></simulation></model>"
#define FINE "relativeTolerance='1e-12' absoluteTolerance='1e-14'"

/* Event k, its time and the modes of its row. */
static void happens(const run *r, size_t k, double t, double within, ns_row_mode was,
                    ns_row_mode is)
{
  ck_assert_uint_lt(k, r->got.nevents);
  const ns_event *e = &r->got.events[k];
  ck_assert_double_eq_tol(e->t, t, within);
  ck_assert_int_eq((int)e->was, (int)was);
  ck_assert_int_eq((int)e->is, (int)is);
}

/* ---- relays ---------------------------------------------------------------------------------- */

/* x' = x/2 + 0.8 + 2 lambda from 1: 0 at 2 ln(2.4/1.4), then it slides with lambda = -0.4. */
START_TEST(a_relay_is_reached_and_slides)
{
  run r = run_play(HEAD("x", "1", "<A>0.5</A><b>0.8</b>") ROW("r", "1", "", "2", "", "<RelayNSL/>")
                       TAIL("0.1", "2", "", FINE));
  double hit = 2 * log(2.4 / 1.4);
  ck_assert_uint_eq(r.got.nevents, 1);
  happens(&r, 0, hit, 1e-11, NS_ROW_LOWER, NS_ROW_BETWEEN);
  for (size_t k = 0; k < r.got.nrows; k++) {
    double t = run_at(&r, k, "time"), x = run_at(&r, k, "s.x");
    if (t < hit - 1e-9) ck_assert_double_eq_tol(x, 2.4 - 1.4 * exp(t / 2), 1e-11);
    if (t <= hit + 1e-9) continue;
    ck_assert_double_eq(x, 0);
    ck_assert_double_eq_tol(run_at(&r, k, "r.lambda"), -0.4, 1e-15);
  }
  run_end(&r);
}
END_TEST

/* x1' = x2, x2' = -x2 + 2 lambda, y = x1 + x2 from (1, 1): y = 2 - 2t, x1 = 4 - 2t - 3 exp(-t) to t
 * = 1, then x1(1) exp(1-t). */
START_TEST(sliding_has_the_dynamics_of_its_surface)
{
  run r = run_play(HEAD("a b", "1 1", "<A>0 1; 0 -1</A>")
                       ROW("r", "1 1", "", "0; 2", "", "<RelayNSL/>") TAIL("0.1", "3", "", FINE));
  ck_assert_uint_eq(r.got.nevents, 1);
  happens(&r, 0, 1, 1e-11, NS_ROW_LOWER, NS_ROW_BETWEEN);
  double at1 = 2 - 3 * exp(-1);
  for (size_t k = 0; k < r.got.nrows; k++) {
    double t = run_at(&r, k, "time");
    ck_assert_double_eq_tol(run_at(&r, k, "s.a"),
                            t <= 1 ? 4 - 2 * t - 3 * exp(-t) : at1 * exp(1 - t), 1e-10);
    if (t > 1.01) ck_assert_double_eq_tol(run_at(&r, k, "r.y"), 0, 1e-10);
  }
  run_end(&r);
}
END_TEST

/* A converter with u in [0, 1]: its surface is met at 1e-4 s and then held, v -> Vr as exp(-t/tau);
 * from v = 0 the first hit, at which the duty that would hold it is beyond 1, is crossed. */
START_TEST(a_surface_is_held_or_crossed)
{
  run r = run_play(HEAD("i v", "0 8", "<A>0 -1e3; 1e4 -1e3</A>")
                       ROW("r", "5 0.5", "", "2e4; 0", "<e>-10</e>", "<RelayNSL lb='0' ub='1'/>")
                           TAIL("5e-6", "2e-3", "", FINE));
  /* to the surface u = 1: v'' + 1000 v' + 1e7 v = 2e8, and y falls linearly only where the book
   * says so: the time is measured */
  ck_assert_uint_ge(r.got.nevents, 1);
  const ns_event *e = &r.got.events[0];
  ck_assert_int_eq((int)e->is, NS_ROW_BETWEEN);
  double hold = e->t, v0 = NAN;
  for (size_t k = 0; k < r.got.nrows; k++) {
    double t = run_at(&r, k, "time"), v = run_at(&r, k, "s.v");
    if (t == hold) v0 = v;
    if (t <= hold) continue;
    ck_assert_double_eq_tol(v - 10, (v0 - 10) * exp(-(t - hold) / 5e-4), 1e-9);
    ck_assert_double_eq_tol(run_at(&r, k, "r.y"), 0, 1e-10 * 10);
  }
  run_end(&r);
  r = run_play(HEAD("i v", "0 0", "<A>0 -1e3; 1e4 -1e3</A>")
                   ROW("r", "5 0.5", "", "2e4; 0", "<e>-10</e>", "<RelayNSL lb='0' ub='1'/>")
                       TAIL("5e-6", "2e-3", "", FINE));
  ck_assert_int_eq((int)r.got.events[0].was, NS_ROW_UPPER);
  ck_assert_int_eq((int)r.got.events[0].is, NS_ROW_LOWER);
  run_end(&r);
}
END_TEST

/* A gene that represses itself: x = 3 - 2.8 exp(-t) to ln 1.4, then x = 1, lambda = 1/3. */
START_TEST(a_gene_keeps_its_threshold)
{
  run r = run_play(HEAD("x", "0.2", "<A>-1</A>") ROW(
      "r", "1", "", "3", "<e>-1</e>", "<RelayNSL lb='0' ub='1'/>") TAIL("0.01", "1", "", FINE));
  ck_assert_uint_eq(r.got.nevents, 1);
  happens(&r, 0, log(1.4), 1e-11, NS_ROW_UPPER, NS_ROW_BETWEEN);
  for (size_t k = 0; k < r.got.nrows; k++) {
    double t = run_at(&r, k, "time");
    ck_assert_double_eq_tol(run_at(&r, k, "s.x"), t < log(1.4) ? 3 - 2.8 * exp(-t) : 1, 1e-11);
  }
  ck_assert_double_eq_tol(run_at(&r, r.got.nrows - 1, "r.lambda"), 1. / 3, 1e-14);
  run_end(&r);
}
END_TEST

/* Two genes in a negative loop: the n-th axis is crossed at ln(1 + n) with the amplitude 1/(1 + n).
 */
START_TEST(a_loop_of_genes_crosses_its_thresholds)
{
  run r = run_play(HEAD("a b", "1 0", "<A>-1 0; 0 -1</A>") ROW(
      "r", "1 0; 0 1", "", "0 1; -1 0", "", "<RelayNSL/>") TAIL("0.01", "3", "", FINE));
  ck_assert_uint_ge(r.got.nevents, 18);
  for (size_t n = 1; n <= 18; n++) {
    ck_assert_double_eq_tol(r.got.events[n - 1].t, log(1 + (double)n), 1e-9);
    ck_assert_int_eq(r.got.events[n - 1].row, n % 2 ? 0 : 1);
  }
  run_end(&r);
}
END_TEST

/* Dry friction as a relay of first order, x' = v, v' = -100 x - f sgn v: the amplitude loses 2 f/k
 * a half period; rest at pi, 3 mm off. */
START_TEST(dry_friction_stops)
{
  run r = run_play(HEAD("x v", "0.103 0", "<A>0 1; -100 0</A>") ROW(
      "r", "0 1", "", "0; 0.5", "", "<RelayNSL/>") TAIL("0.01", "4", "", FINE));
  ck_assert_uint_eq(r.got.nevents, 10);
  for (size_t k = 0; k < 9; k++)
    happens(&r, k, 0.1 * M_PI * (double)(k + 1), 1e-10, k % 2 ? NS_ROW_LOWER : NS_ROW_UPPER,
            k % 2 ? NS_ROW_UPPER : NS_ROW_LOWER);
  happens(&r, 9, M_PI, 1e-10, NS_ROW_LOWER, NS_ROW_BETWEEN);
  ck_assert_double_eq_tol(r.x->q[0], 0.003, 1e-10);
  ck_assert_double_eq_tol(r.x->lambda[0], 0.6, 1e-7);
  run_end(&r);
}
END_TEST

/* x' = 1.5 cos t + lambda: from 0 it slides while |1.5 cos t| < 1 and leaves at 2 pi - acos(2/3),
 * where lambda comes to its bound. */
START_TEST(sliding_ends_at_a_bound)
{
  run r = run_play(HEAD("x", "0", "<A>0</A><b>1.5*cos(t + pi/2)</b>")
                       ROW("r", "1", "", "1", "", "<RelayNSL/>") TAIL("0.01", "1.5", "", FINE));
  ck_assert_uint_eq(r.got.nevents, 1);
  double leave = asin(1 / 1.5);
  happens(&r, 0, leave, 1e-10, NS_ROW_BETWEEN, NS_ROW_UPPER);
  ck_assert_double_eq_tol(r.x->q[0], 1.5 * (cos(1.5) - cos(leave)) + (1.5 - leave), 1e-10);
  run_end(&r);
}
END_TEST

/* ---- relay feedback -------------------------------------------------------------------------- */

/* Last entry of x = -(1 + E)^-1 (1 - E) (1, 1, 1), E = exp(A T) of three equal lags: the state at a
 * switch of a cycle of period 2 T. */
static double at_switch(double T)
{
  double e = exp(-T), E[3][3] = {{e, 0, 0}, {e * T, e, 0}, {e * T * T / 2, e * T, e}}, x[3];
  for (int i = 0; i < 3; i++) {
    double s = -1;
    for (int j = 0; j <= i; j++) s += E[i][j] - (j < i ? E[i][j] * x[j] : 0);
    x[i] = s / (1 + e);
  }
  return x[2];
}

/* Three lags: the cycle has the period that the exact condition gives, not that of the describing
 * function, 2 pi/sqrt(3). */
START_TEST(three_lags_have_the_period_of_their_cycle)
{
  double lo = 1.5, hi = 3;
  for (int k = 0; k < 60; k++) {
    double mid = (lo + hi) / 2;
    if (at_switch(mid) * at_switch(lo) > 0) lo = mid;
    else hi = mid;
  }
  run r = run_load("models/relay-feedback/relay-feedback.xml", NULL);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  ck_assert_uint_ge(r.got.nevents, 30);
  for (size_t k = r.got.nevents - 8; k < r.got.nevents; k++)
    ck_assert_double_eq_tol(r.got.events[k].t - r.got.events[k - 1].t, lo, 2e-9);
  run_end(&r);
}
END_TEST

/* A third-order plant that slides: on x1 = 0 the control is -x2, x2' = x3 + 2 x2, x3' = -x2, so
 * that after a time d x2 = exp(d) ((1 + d) x2 + d x3), and the plane is left where |x2| = 1. */
START_TEST(sliding_segments_are_exponentials)
{
  run r = run_load_until("models/relay-oscillator/relay-oscillator-events.xml", NULL, 30);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  double since = 0, x2 = 0.5, x3 = 0;
  int segments = 0;
  for (size_t k = 0, e = 0; k + 1 < r.got.nrows && e < r.got.nevents; k++) {
    if (run_at(&r, k, "diagnostics.side") != 1) continue;
    const ns_event *ev = &r.got.events[e++];
    double d = ev->t - since;
    ck_assert_double_eq(run_at(&r, k, "time"), ev->t);
    if (ev->was == NS_ROW_BETWEEN) {
      segments++;
      /* the segment grows, the tolerance is 1e-10 */
      ck_assert_double_eq_tol(exp(d) * ((1 + d) * x2 + d * x3), run_at(&r, k, "plant.x2"), 5e-8);
      ck_assert_double_eq_tol(fabs(run_at(&r, k, "plant.x2")), 1, 1e-9);
    }
    since = ev->t;
    x2 = run_at(&r, k + 1, "plant.x2");
    x3 = run_at(&r, k + 1, "plant.x3");
  }
  ck_assert_int_ge(segments, 20);
  ck_assert_double_le(r.x->cert->penetration_max, 1e-12);
  run_end(&r);
}
END_TEST

/* ---- events of the user ---------------------------------------------------------------------- */

/* Conditions are roots, too, and scheduled times are met: a heater between 1 and 2, kicked at 0.3.
 */
START_TEST(events_of_the_user_have_their_times)
{
  run r = run_play(
      "<model xmlns='urn:nssim:model:1' name='m'><systems><FirstOrderNonLinearDS id='s' states='x' "
      "inputs='u'><x0>1</x0>"
      "<f>3*u - x</f><z>1</z></FirstOrderNonLinearDS></systems><interactions><interaction "
      "id='floor' systems='s'>"
      "<FirstOrderLinearR><C>1</C><B>1</B><e>-0.5</e></"
      "FirstOrderLinearR><ComplementarityConditionNSL/></interaction></interactions>"
      "<events><event id='off' when='x > 2'><set name='u' value='0'/></event><event id='low' "
      "when='0.75 > x'/>"
      "<event id='up' at='0.3'><set name='x' value='x + 0.25'/></event></events>"
      "<simulation T='3'><EventDriven h='0.5'><CVodeOSI " FINE
      "/></EventDriven></simulation></model>");
  /* 3 - (3 - x) exp(-t) = 2 */
  double kicked = 3.25 - 2 * exp(-0.3), off = 0.3 + log(3 - kicked), low, hit;
  low = off + log(2 / 0.75);
  hit = off + log(2 / 0.5);
  const double times[] = {0.3, off, low, hit};
  ck_assert_uint_eq(r.got.nevents, 4);
  for (size_t k = 0; k < 4; k++) ck_assert_double_eq_tol(r.got.events[k].t, times[k], 1e-10);
  happens(&r, 3, hit, 1e-10, NS_ROW_LOWER, NS_ROW_BETWEEN);
  ck_assert_double_eq_tol(r.x->q[0], 0.5, 1e-12);
  run_end(&r);
}
END_TEST

/* ---- series that end ------------------------------------------------------------------------- */

/* Two relays, B = [1 -2; 2 1], from (1, 0.5): |x1| + |x2| falls with 2, so all rests at the origin
 * from 0.75 on, after a geometric series. */
START_TEST(two_relays_end_at_the_origin)
{
  run r = run_play(HEAD("a b", "1 0.5", "<A>0 0; 0 0</A>") ROW(
      "r", "1 0; 0 1", "", "1 -2; 2 1", "", "<RelayNSL/>") TAIL("0.01", "2", "", FINE));
  int ended = 0;
  for (size_t k = 0; k < r.got.nevents; k++) ended += r.got.events[k].is == NS_ROW_BETWEEN;
  for (size_t k = 0; k < r.got.nrows; k++) {
    double t = run_at(&r, k, "time"), V = fabs(run_at(&r, k, "s.a")) + fabs(run_at(&r, k, "s.b"));
    ck_assert_double_eq_tol(V, fmax(1.5 - 2 * t, 0), 1e-9);
  }
  ck_assert_int_eq(ended, 2);
  ck_assert_double_eq_tol(r.got.events[r.got.nevents - 1].t, 0.75, 1e-9);
  run_end(&r);
}
END_TEST

/* Twisting, v' = -2 sgn x - sgn v: the origin after v0/(1-q) (1/3 + q/1), q = sqrt(1/3); then x = v
 * = 0 exactly. */
START_TEST(twisting_ends_in_finite_time)
{
  run r = run_play(HEAD("x v", "0 1", "<A>0 1; 0 0</A>")
                       ROW("r", "1 0; 0 1", "", "0 0; 2 1", "", "<RelayNSL/>")
                           TAIL("0.01", "3", "gapTolerance='1e-14'", FINE));
  double q = sqrt(1. / 3), settle = 1 / (1 - q) * (1. / 3 + q);
  /* |x| = 1e-14 is 1e-7 s before it */
  ck_assert_double_eq_tol(r.got.events[r.got.nevents - 1].t, settle, 1e-6);
  ck_assert_double_eq(r.x->q[0], 0);
  ck_assert_double_eq(r.x->q[1], 0);
  int series = 0;
  for (size_t k = 0; k < r.got.nevents; k++)
    series += r.got.events[k].kind == NS_EVENT_ACCUMULATION;
  ck_assert_int_ge(series, 1);
  run_end(&r);
}
END_TEST

static void fails_at(const char *text, const char *at, const char *what)
{
  run r = run_load(text, NULL);
  r.c.report = NULL;
  int rc = run_keep(&r);
  ck_assert_int_eq(rc, NS_NUMERIC);
  ck_assert_msg(strstr(r.c.msg, at) != NULL, "%s", r.c.msg);
  ck_assert_msg(strstr(r.c.msg, what) != NULL, "%s", r.c.msg);
  run_end(&r);
}

static void fails(const char *text, const char *what) { fails_at(text, "", what); }

/* It may be asked to end there; a relay of degree 2 alone turns for ever and faster (x'' = -sgn x -
 * x'/10): the bound says so. */
START_TEST(series_may_end_the_run)
{
  fails(HEAD("x v", "0 1", "<A>0 1; 0 0</A>")
            ROW("r", "1 0; 0 1", "", "0 0; 2 1", "", "<RelayNSL/>")
                TAIL("0.01", "3", "accumulation='stop'", ""),
        "accumulate");
  fails(HEAD("x v", "0 1", "<A>0 1; 0 -1</A>") ROW("r", "1 0", "", "0; 1", "", "<RelayNSL/>")
            TAIL("100", "100", "maxEvents='50'", ""),
        "more than 50 switches");
}
END_TEST

/* ---- circuits -------------------------------------------------------------------------------- */

/* An LC oscillator with a resistor behind a diode: half waves of pi/w_d and pi/w, and the state at
 * 5 ms in closed form. */
START_TEST(a_diode_conducts_half_waves)
{
  run r = run_play(HEAD("v i", "10 0", "<A>0 -1e6; 100 0</A>")
                       ROW("d", "-1 0", "<D>1e3</D>", "-1e6; 0", "",
                           "<ComplementarityConditionNSL/>") TAIL("1e-4", "5e-3", "", FINE));
  double a = 500, w = 1e4, wd = sqrt(1e8 - a * a), first = atan(wd / a) / wd;
  ck_assert_uint_ge(r.got.nevents, 15);
  for (size_t k = 0; k < 15; k++) {
    double t = first + (double)((k + 1) / 2) * M_PI / w + (double)(k / 2) * M_PI / wd;
    happens(&r, k, t, 1e-12, k % 2 ? NS_ROW_LOWER : NS_ROW_BETWEEN,
            k % 2 ? NS_ROW_BETWEEN : NS_ROW_LOWER);
  }
  ck_assert_double_eq_tol(r.x->q[0], 2.800403, 1e-6);
  ck_assert_double_eq_tol(r.x->q[1], -0.00844, 1e-6);
  run_end(&r);
}
END_TEST

/* A half-wave rectifier with R and L: i = V/Z (sin(w t - phi) + sin phi exp(-R t/L)) to w t = beta,
 * then blocked to 2 pi. */
START_TEST(a_rectifier_blocks)
{
  run r = run_play(HEAD("i", "0", "<A>-200</A><b>2000*sin(100*pi*t)</b>") ROW(
      "d", "1", "", "20", "", "<ComplementarityConditionNSL/>") TAIL("1e-4", "0.04", "", FINE));
  double w = 100 * M_PI, Z = hypot(10, w * 0.05), phi = atan(w * 0.05 / 10), beta = 4.20357477;
  for (size_t k = 0; k < r.got.nrows; k++) {
    double t = fmod(run_at(&r, k, "time"), 0.02), angle = w * t;
    double i = angle < beta && t < 0.02 - 1e-12
                   ? 100 / Z * (sin(angle - phi) + sin(phi) * exp(-200 * t))
                   : 0;
    ck_assert_double_eq_tol(run_at(&r, k, "s.i"), i, 1e-9);
    if (angle > beta + 1e-6 && t < 0.0199)
      ck_assert_double_eq_tol(run_at(&r, k, "d.lambda"), -100 * sin(angle), 1e-9);
  }
  ck_assert_double_eq_tol(r.got.events[0].t, beta / w, 1e-8 / w);
  run_end(&r);
}
END_TEST

/* A bridge, D singular: the source sees a linear circuit. Four diodes switch at once. */
START_TEST(a_bridge_is_linear_for_its_source)
{
  run r = run_play(HEAD("v i", "10 0", "<A>0 -1e6; 100 0</A>") ROW(
      "d", "0 0; 0 0; -1 0; 1 0", "<D>1e-3 1e-3 -1 0; 1e-3 1e-3 0 -1; 1 0 0 0; 0 1 0 0</D>",
      "0 0 -1e6 1e6; 0 0 0 0", "", "<ComplementarityConditionNSL/>")
                       TAIL("1e-4", "2e-3", "", FINE));
  double a = 500, wd = sqrt(1e8 - a * a);
  for (size_t k = 0; k < r.got.nrows; k++) {
    double t = run_at(&r, k, "time");
    ck_assert_double_eq_tol(run_at(&r, k, "s.v"),
                            10 * exp(-a * t) * (cos(wd * t) - a / wd * sin(wd * t)), 1e-8);
  }
  ck_assert_double_eq_tol(r.x->q[0], 1.418583, 1e-6);
  run_end(&r);
}
END_TEST

/* The play operator x in [u - 0.3, u + 0.3], u = sin t: two complementarity rows of index 2, x =
 * clip. */
START_TEST(the_play_operator_is_followed)
{
  run r = run_play(HEAD("x", "0", "<A>0</A>")
                       ROW("p", "1; -1", "", "1 -1", "<e>0.3 - sin(t); 0.3 + sin(t)</e>",
                           "<ComplementarityConditionNSL/>") TAIL("0.01", "12", "", FINE));
  for (size_t k = 0; k < r.got.nrows; k++) {
    double t = run_at(&r, k, "time"), u = sin(t), turns = floor(t / M_PI + 0.5);
    /* from the last extremum of u on */
    double x = turns == 0 ? 0 : fmod(turns, 2) != 0 ? 0.7 : -0.7;
    ck_assert_double_eq_tol(run_at(&r, k, "s.x"), fmin(fmax(x, u - 0.3), u + 0.3), 1e-9);
  }
  run_end(&r);
}
END_TEST

/* ---- against time-stepping ------------------------------------------------------------------- */

/* The last state of an example at `steps` of its steps, with steps of h/fine, or event by event
 * where fine is 0. */
static size_t last_state(const char *model, long long steps, int fine, double *x, size_t max)
{
  run r = {.c = {.report = to_stderr}};
  ns_load_options none = {0};
  char path[4096];
  const char *top = getenv("TOP");
  snprintf(path, sizeof path, "%s/models/%s/%s.xml", top ? top : ".", model, model);
  ck_assert_int_eq(ns_load_file(&r.c, path, &none, NULL, &r.m), NS_OK);
  ns_simulation_options *s = &r.m->sim;
  s->T = s->t0 + (double)steps * s->ts.h;
  if (fine) s->ts.h /= fine;
  else
    s->strategy = "EventDriven", s->integrator = "CVodeOSI", s->event_driven = 1, s->problem = NULL;
  ck_assert_int_eq(ns_simulation_create(&r.c, r.m, &r.s), NS_OK);
  r.x = ns_simulation_state(r.s);
  ck_assert_msg(ns_simulation_run(r.s, &r.c, NULL, NULL) == NS_OK, "%s", r.c.msg);
  size_t n = r.m->nq < max ? r.m->nq : max;
  memcpy(x, r.x->q, n * sizeof *x);
  run_end(&r);
  return n;
}

static double apart(size_t n, const double *a, const double *b)
{
  double max = 0;
  for (size_t i = 0; i < n; i++) max = fmax(max, fabs(a[i] - b[i]) / (1e-3 + fabs(b[i])));
  return max;
}

/* Time-stepping comes to the state of the event-driven run at first order: the error at h/3 is at
 * most 0.6 of that at h. Diodes, singular D, a switch that formulas of time open and close,
 * products of step functions, piecewise-linear transistors. */
START_TEST(time_stepping_converges_to_it)
{
  static const struct {
    const char *model;
    long long steps;
    double error; /* at h/3 */
  } row[] = {{"rlc-diode", 400, 3e-2},
             {"diode-bridge", 4000, 5e-3},
             {"diode-bridge-netlist", 4000, 5e-3},
             {"bridge-filter", 3000, 5e-3},
             {"gene-two", 400, 1e-3},
             {"colpitts", 800, 2e-2},
             {"boost-converter", 3000, 5e-3},
             {"relay-oscillator", 300, 1e-2}};
  double exact[16], coarse[16], fine[16];
  size_t n = last_state(row[_i].model, row[_i].steps, 0, exact, 16);
  last_state(row[_i].model, row[_i].steps, 1, coarse, 16);
  last_state(row[_i].model, row[_i].steps, 3, fine, 16);
  double first = apart(n, coarse, exact), second = apart(n, fine, exact);
  ck_assert_msg(second <= row[_i].error && (second <= 0.6 * first || second < 1e-9),
                "%s: %.3g, then %.3g", row[_i].model, first, second);
}
END_TEST

/* ---- several motions, or none ---------------------------------------------------------------- */

static int warned;
static void count_warnings(void *to, ns_severity sev, const char *msg)
{
  (void)to, (void)msg;
  warned += sev == NS_SEV_WARNING;
}

/* x' = sgn x from 0 may leave to both sides, or stay: it leaves upwards, and says so. */
START_TEST(a_surface_that_repels_is_told)
{
  run r = run_load(HEAD("x", "0", "<A>0</A>") ROW("r", "1", "", "-1", "", "<RelayNSL/>")
                       TAIL("0.1", "1", "", ""),
                   NULL);
  warned = 0;
  r.c.report = count_warnings;
  ck_assert_int_eq(run_keep(&r), NS_OK);
  ck_assert_int_eq(warned, 1);
  ck_assert_double_eq_tol(r.x->q[0], 1, 1e-12);
  ck_assert_uint_eq(r.got.nevents, 1);
  ck_assert_int_eq(r.got.events[0].kind, NS_EVENT_BRANCH);
  run_end(&r);
}
END_TEST

/* A passive system from C x < 0: the nearest state in its metric, x+ = x + B p; and a step of an
 * obstacle, by which the state is pushed. */
START_TEST(a_state_outside_of_its_laws_jumps)
{
  run r = run_load(HEAD("a b", "-1 0", "<A>-1 0; 0 -1</A>")
                       ROW("d", "1 0", "", "2/3; -1/3", "", "<ComplementarityConditionNSL/>")
                           TAIL("0.1", "1", "", FINE),
                   NULL);
  warned = 0;
  r.c.report = count_warnings;
  ck_assert_int_eq(run_keep(&r), NS_OK);
  ck_assert_int_eq(warned, 1);
  ck_assert_double_eq_tol(run_at(&r, 0, "s.a"), 0, 1e-15);
  ck_assert_double_eq_tol(run_at(&r, 0, "s.b"), -0.5, 1e-15);
  ck_assert_double_eq_tol(r.x->q[1], -0.5 * exp(-1), 1e-11);
  run_end(&r);
  r = run_load(HEAD("x", "0.5", "<A>0</A>") ROW("d", "1", "", "1", "<e>-(t > 0.55 ? 2 : 0)</e>",
                                                "<ComplementarityConditionNSL/>")
                   TAIL("0.1", "1", "", FINE),
               NULL);
  r.c.report = count_warnings;
  ck_assert_int_eq(run_keep(&r), NS_OK);
  ck_assert_double_eq_tol(r.x->q[0], 2, 1e-12);
  const ns_event *e = &r.got.events[0];
  ck_assert_int_eq(e->kind, NS_EVENT_IMPACT);
  ck_assert_double_eq_tol(e->t, 0.55, 1e-13);
  ck_assert_double_eq_tol(e->impulse, 1.5, 1e-12);
  ck_assert_double_eq_tol(e->before, -1.5, 1e-12);
  run_end(&r);
}
END_TEST

/* x' = v + lambda, y = x - x_c + D lambda, from beside the corner of the law, at any distance: with
 * v > 0 lambda is 0 soon, with v < 0 the row is held, and lambda goes to -v by exp(-t/D). */
START_TEST(any_distance_from_a_corner_has_a_motion)
{
  static const char *const laws[] = {
      "<RelayNSL lb='0' ub='1.5'/>", "<ComplementarityConditionNSL/>",
      "<PiecewiseLinearNSL left='-1'><points>0 0; 1 0</points></PiecewiseLinearNSL>"};
  generator g = {.state = (unsigned long long)_i};
  double v = (pick(&g, 2) ? 1 : -1) * between(&g, 0.1, 0.9), D = spread(&g, 0.05, 2),
         away = (pick(&g, 4) ? -1 : 1) * spread(&g, 1e-12, 1e-6), place = between(&g, -3, 3);
  put(&g,
      "<model xmlns='urn:nssim:model:1'><systems><FirstOrderLinearTIDS id='s' states='x'><x0>%.17g"
      "</x0><b>%.17g</b></FirstOrderLinearTIDS></systems><interactions><interaction id='r' "
      "systems='s'><FirstOrderLinearTIR><C>1</C><B>1</B><D>%.17g</D><e>%.17g</e>"
      "</FirstOrderLinearTIR>",
      place + away, v, D, -place);
  size_t length = g.length;
  for (int law = 0; law < 3; law++) {
    g.length = length;
    put(&g,
        "%s</interaction></interactions><simulation T='1'><EventDriven h='0.1'><CVodeOSI/>"
        "</EventDriven></simulation></model>",
        laws[law]);
    run r = run_play(g.text);
    /* left='-1': lambda = -y, and 1 + D for D */
    double lag = law == 2 ? 1 + D : D, x = v > 0 ? v : lag * v * (1 - exp(-1 / lag));
    ck_assert_double_eq_tol(r.x->q[0] - place, x, 2e-6);
    run_end(&r);
  }
}
END_TEST

/* A row without D that is outside by less than another one with D, which is far from its corner,
 * moves it in a short step: the motion is that from the nearest state that the laws allow. */
START_TEST(small_and_large_violations_jump_together)
{
  double end[2];
  for (int moved = 0; moved < 2; moved++) {
    generator g = {.state = (unsigned long long)_i};
    double b = between(&g, -0.6, 0.6), D = spread(&g, 0.05, 2), away = -spread(&g, 2e-10, 1e-7),
           far = -between(&g, 0.3, 3), a = between(&g, -0.6, 0.6);
    put(&g,
        "<model xmlns='urn:nssim:model:1'><systems><FirstOrderLinearTIDS id='s' states='x y'><x0>"
        "%.17g %.17g</x0><A>-1 %.17g; 0.3 -1</A><b>%.17g %.17g</b></FirstOrderLinearTIDS></systems>"
        "<interactions>",
        moved ? 0 : away, far, between(&g, -1, 1), between(&g, -1, 1), between(&g, -1, 1));
    put(&g,
        "<interaction id='r' systems='s'><FirstOrderLinearTIR><C>1 0</C><B>1; %.17g</B>"
        "</FirstOrderLinearTIR><ComplementarityConditionNSL/></interaction><interaction id='f' "
        "systems='s'><FirstOrderLinearTIR><C>%.17g 1</C><B>%.17g; 1</B><D>%.17g</D>"
        "</FirstOrderLinearTIR><ComplementarityConditionNSL/></interaction></interactions>"
        "<simulation T='1'><EventDriven h='0.1'><CVodeOSI/></EventDriven></simulation></model>",
        b, a, b, D);
    run r = run_load(g.text, NULL);
    r.c.report = count_warnings;
    int rc = run_keep(&r);
    ck_assert_msg(rc == NS_OK, "%s", r.c.msg);
    end[moved] = r.x->q[0] + 2 * r.x->q[1];
    run_end(&r);
  }
  ck_assert_double_eq_tol(end[0], end[1], 1e-6);
}
END_TEST

static void refused(const char *text, const char *what)
{
  run r = {0};
  ns_load_options o = {0};
  int rc = ns_load_memory(&r.c, "test.xml", text, strlen(text), &o, NULL, &r.m);
  if (!rc) rc = ns_simulation_create(&r.c, r.m, &r.s);
  if (!rc) rc = ns_simulation_run(r.s, &r.c, NULL, NULL);
  ck_assert_int_eq(rc, NS_MODEL);
  ck_assert_msg(strstr(r.c.msg, what) != NULL, "%s", r.c.msg);
  run_end(&r);
}

START_TEST(what_has_no_motion_is_refused)
{
  refused(HEAD("x v", "-1 0", "<A>0 1; 0 0</A>")
              ROW("d", "1 0", "", "0; 1", "", "<ComplementarityConditionNSL/>")
                  TAIL("0.1", "1", "", ""),
          "expected y >= 0");
  refused(HEAD("x v", "1 0", "<A>0 1; 0 0</A>")
              ROW("d", "1 0", "", "0; 1", "", "<EqualityConditionNSL/>") TAIL("0.1", "1", "", ""),
          "expected y = 0");
  fails(HEAD("x v", "0.5 -1", "<A>0 1; 0 0</A>")
            ROW("d", "1 0", "", "0; 1", "", "<ComplementarityConditionNSL/>")
                TAIL("0.1", "1", "", ""),
        "the motion cannot continue");
}
END_TEST

/* Several sources that switches connect to their loads one after the other, one of them to a diode
 * that short-circuits it: the message names that one. */
START_TEST(a_short_circuit_is_told_by_its_devices)
{
  generator g = {.state = (unsigned long long)_i};
  int n = 2 + pick(&g, 3), bad = pick(&g, n);
  char at[40], what[80];
  put(&g, "<model xmlns='urn:nssim:model:1'><systems><netlist id='k'>\n");
  for (int i = 0; i < n; i++) {
    put(&g, "V%d p%d 0 %.17g\nS%d p%d a%d %s-%.17g\nR%d a%d b%d %.17g\nL%d b%d 0 0.1\n", i, i,
        between(&g, 2, 9), i, i, i, pick(&g, 2) ? "t" : "2*t", 0.1 + 0.2 * i, i, i, i,
        between(&g, 0.5, 3), i, i);
    put(&g, "D%d %s%d %s\n", i, i == bad ? "a" : "0 a", i, i == bad ? "0" : "");
  }
  put(&g, "</netlist></systems><simulation T='2'><EventDriven h='0.1'><CVodeOSI/></EventDriven>"
          "</simulation></model>");
  snprintf(at, sizeof at, ": S%d:", bad);
  snprintf(what, sizeof what, "V%d is short-circuited: S%d conducts", bad, bad);
  fails_at(g.text, at, what);
}
END_TEST

/* ---- nonlinear relations --------------------------------------------------------------------- */

/* x' = x - 2 x lambda, y = 1 - x^2: x = min(exp(t)/2, 1), lambda = 1/2 there. */
START_TEST(a_nonlinear_relation_holds)
{
  run r = run_play(
      "<model xmlns='urn:nssim:model:1' name='m'><systems><FirstOrderLinearDS id='s' "
      "states='x'><x0>0.5</x0><A>1</A></FirstOrderLinearDS>"
      "</systems><interactions><interaction id='d' systems='s'><FirstOrderNonLinearR><h>1 - "
      "x^2</h><g>-2*x*lambda[0]</g></FirstOrderNonLinearR>"
      "<ComplementarityConditionNSL/></interaction>" TAIL("0.01", "2", "", FINE));
  ck_assert_uint_eq(r.got.nevents, 1);
  happens(&r, 0, log(2), 1e-11, NS_ROW_LOWER, NS_ROW_BETWEEN);
  for (size_t k = 0; k < r.got.nrows; k++)
    ck_assert_double_eq_tol(run_at(&r, k, "s.x"), fmin(exp(run_at(&r, k, "time")) / 2, 1), 1e-10);
  ck_assert_double_eq_tol(r.x->lambda[0], 0.5, 1e-12);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, a_relay_is_reached_and_slides);
  tcase_add_test(t, sliding_has_the_dynamics_of_its_surface);
  tcase_add_test(t, a_surface_is_held_or_crossed);
  tcase_add_test(t, a_gene_keeps_its_threshold);
  tcase_add_test(t, a_loop_of_genes_crosses_its_thresholds);
  tcase_add_test(t, dry_friction_stops);
  tcase_add_test(t, sliding_ends_at_a_bound);
  tcase_add_test(t, three_lags_have_the_period_of_their_cycle);
  tcase_add_test(t, sliding_segments_are_exponentials);
  tcase_add_test(t, events_of_the_user_have_their_times);
  tcase_add_test(t, two_relays_end_at_the_origin);
  tcase_add_test(t, twisting_ends_in_finite_time);
  tcase_add_test(t, series_may_end_the_run);
  tcase_add_test(t, a_diode_conducts_half_waves);
  tcase_add_test(t, a_rectifier_blocks);
  tcase_add_test(t, a_bridge_is_linear_for_its_source);
  tcase_add_test(t, the_play_operator_is_followed);
  tcase_add_loop_test(t, time_stepping_converges_to_it, 0, 8);
  tcase_add_test(t, a_surface_that_repels_is_told);
  tcase_add_test(t, a_state_outside_of_its_laws_jumps);
  tcase_add_loop_test(t, any_distance_from_a_corner_has_a_motion, 0, some_of(60));
  tcase_add_loop_test(t, small_and_large_violations_jump_together, 0, some_of(40));
  tcase_add_test(t, what_has_no_motion_is_refused);
  tcase_add_loop_test(t, a_short_circuit_is_told_by_its_devices, 0, some_of(12));
  tcase_add_test(t, a_nonlinear_relation_holds);
}

int main(void) { return suite_run("switching", fill); }
