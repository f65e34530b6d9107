/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CVODE's implicit method with the Jacobian of the motion: what it costs, and that it changes
 * nothing but that. The method that a motion chooses. */
#include "support/cloud.h"
#include "support/mechanics.h"

#include "integrators/flow.h"

/* Masses between walls on springs of 10^6 N/m, with damping, pulled by a slow force. */
enum { MASSES = 12, UNKNOWNS = 2 * MASSES };

typedef struct chain {
  ns_flow_problem p;
  ns_event_driven_options options;
  int ptr[UNKNOWNS + 1], row[8 * UNKNOWNS];
  double atol[UNKNOWNS];
} chain;

static const double k = 1e6, c = 2e3;

static double couple(const double *x, int i)
{
  return (i ? x[i - 1] : 0) - 2 * x[i] + (i + 1 < MASSES ? x[i + 1] : 0);
}

static int rate(void *self, double t, const double *x, double *f)
{
  (void)self;
  for (int i = 0; i < MASSES; i++) {
    f[i] = x[MASSES + i];
    f[MASSES + i] = k * couple(x, i) + c * couple(x + MASSES, i) - k * pow(x[i], 3) +
                    100 * sin(3 * t);
  }
  return 0;
}

static int jacobian(void *self, double t, const double *x, double *value, long long *rates)
{
  (void)t, (void)rates;
  const chain *o = self;
  for (int j = 0; j < UNKNOWNS; j++)
    for (int e = o->ptr[j]; e < o->ptr[j + 1]; e++) {
      int i = o->row[e] - MASSES, of_v = j >= MASSES, d = i == j % MASSES ? -2 : 1;
      value[e] = i < 0 ? of_v : of_v ? c * d : k * d - (d < 0 ? 3 * k * x[j] * x[j] : 0);
    }
  return 0;
}

static const char *name(void *self, size_t i, char *buf, size_t size)
{
  (void)self;
  snprintf(buf, size, "unknown %zu", i);
  return buf;
}

static chain chain_of(ns_flow_linear linear)
{
  chain o = {
      .options = {.rtol = 1e-8, .method = NS_FLOW_BDF, .linear = linear, .max_step = INFINITY}};
  int at = 0;
  for (int j = 0; j < UNKNOWNS; j++) {
    int d = j % MASSES;
    o.ptr[j] = at;
    o.row[at++] = d;
    for (int i = d - 1; i <= d + 1; i++)
      if (i >= 0 && i < MASSES) o.row[at++] = MASSES + i;
    o.atol[j] = 1e-10;
  }
  o.ptr[UNKNOWNS] = at;
  return o;
}

/* From rest to t = 1. */
static ns_flow_work run_chain(chain *o, int known, double *x)
{
  ns_ctx ctx = {0};
  void *flow = NULL;
  ns_flow_work w;
  ns_flow_end why;
  double t = 0;
  o->p = (ns_flow_problem){.of = o,
                           .n = UNKNOWNS,
                           .options = &o->options,
                           .atol = o->atol,
                           .rate = rate,
                           .name = name,
                           .ncoord = MASSES};
  if (known)
    o->p.structure = (ns_flow_structure){.ptr = o->ptr, .row = o->row}, o->p.jacobian = jacobian;
  const ns_flow_ops *ops = ns_flow_find("CVodeOSI");
  memset(x, 0, UNKNOWNS * sizeof *x);
  ck_assert_int_eq(ops->create(&ctx, &o->p, &flow), NS_OK);
  ck_assert_int_eq(ops->restart(flow, &ctx, 0, x, NULL), NS_OK);
  ck_assert_msg(ops->advance(flow, &ctx, 1, 1, &t, x, &why) == NS_OK, "%s", ctx.msg);
  ops->work(flow, &w);
  ops->destroy(flow);
  return w;
}

START_TEST(a_jacobian_spares_evaluations_and_changes_no_result)
{
  static const ns_flow_linear ways[] = {NS_FLOW_DENSE, NS_FLOW_KLU, NS_FLOW_AUTO};
  chain o = chain_of(NS_FLOW_DENSE);
  double want[UNKNOWNS], x[UNKNOWNS];
  ns_flow_work differenced = run_chain(&o, 0, want), known;
  ck_assert_int_gt((int)differenced.jacobians, 0);
  ck_assert_int_eq((int)differenced.jacobian_rates, UNKNOWNS * (int)differenced.jacobians);
  o = chain_of(ways[_i]);
  known = run_chain(&o, 1, x);
  ck_assert_int_gt((int)known.jacobians, 0);
  ck_assert_int_eq((int)known.jacobian_rates, 0);
  ck_assert_int_lt((int)known.rates, (int)differenced.rates);
  /* 10 local errors of the largest */
  for (int i = 0; i < UNKNOWNS; i++)
    ck_assert_double_eq_tol(x[i], want[i], 1e-7 * (i < MASSES ? 1e-3 : 1));
}
END_TEST

/* Without a Jacobian there is no structure: dense, whatever was asked for. */
START_TEST(an_unknown_jacobian_is_dense)
{
  chain o = chain_of(NS_FLOW_KLU);
  double x[UNKNOWNS];
  ns_flow_work w = run_chain(&o, 0, x);
  ck_assert_int_gt((int)w.jacobian_rates, 0);
}
END_TEST

/* The same at the level of models: a chain that hits a wall and rests against it, damped. Three
 * ways, one motion. */
START_TEST(models_have_one_motion_by_all_solvers)
{
  static const char *const ways[] = {"method='adams'", "method='bdf' linearSolver='dense'",
                                     "method='bdf' linearSolver='klu'", "method='bdf'"};
  double q[4][5];
  long long impacts[4];
  for (int w = 0; w < 4; w++) {
    run r = mechanics("<systems><LagrangianLinearTIDS id='a' coordinates='a b c d e'><q0>0.05 0.05 "
                      "0.05 0.05 0.05</q0><v0>-1 -1 -1 -1 -1</v0>"
                      "<mass diag='1 1 1 1 1'/><K>400 -400 0 0 0; -400 800 -400 0 0; 0 -400 800 "
                      "-400 0; 0 0 -400 800 -400; 0 0 0 -400 400</K>"
                      "<C>40 -40 0 0 0; -40 80 -40 0 0; 0 -40 80 -40 0; 0 0 -40 80 -40; 0 0 0 -40 "
                      "40</C><fExt>-50 0 0 0 0</fExt>"
                      "</LagrangianLinearTIDS></systems><interactions><interaction id='w' "
                      "systems='a'><LagrangianLinearTIR><H>1 0 0 0 0</H>"
                      "</LagrangianLinearTIR><NewtonImpactNSL "
                      "e='0'/></interaction></interactions><simulation T='1'><EventDriven h='0.1'>"
                      "<CVodeOSI %s relativeTolerance='1e-9'/></EventDriven></simulation>",
                      ways[w]);
    run_all(&r);
    memcpy(q[w], r.x->q, sizeof q[w]);
    impacts[w] = r.x->cert->impacts;
    ck_assert_double_le(r.x->cert->defect_max, 1e-6); /* of 2.5 J: works are integrated, too */
    run_end(&r);
    ck_assert_int_eq((int)impacts[w], (int)impacts[0]);
    near(q[w], q[0], 5, 2e-7);
  }
}
END_TEST

/* x' = R B R' x with a rotation R, and y' = B y an oscillation of angular frequency w and damping d
 * beside two decays at rates of their own: x(t) is known. */
typedef struct modes {
  ns_flow_problem p;
  ns_event_driven_options options;
  double R[4][4], w, d, decay[2], x0[4];
} modes;

static void to_modes(const modes *o, const double *x, double *y)
{
  for (int i = 0; i < 4; i++) {
    y[i] = 0;
    for (int j = 0; j < 4; j++) y[i] += o->R[j][i] * x[j];
  }
}

static void from_modes(const modes *o, const double *y, double *x)
{
  for (int i = 0; i < 4; i++) {
    x[i] = 0;
    for (int j = 0; j < 4; j++) x[i] += o->R[i][j] * y[j];
  }
}

static int rate_of_modes(void *self, double t, const double *x, double *f)
{
  const modes *o = self;
  double y[4];
  (void)t;
  to_modes(o, x, y);
  const double g[] = {-o->d * y[0] + o->w * y[1], -o->w * y[0] - o->d * y[1], -o->decay[0] * y[2],
                      -o->decay[1] * y[3]};
  from_modes(o, g, f);
  return 0;
}

static void exactly(const modes *o, double t, double *x)
{
  double y[4], cosine = cos(o->w * t), sine = sin(o->w * t), e = exp(-o->d * t);
  to_modes(o, o->x0, y);
  const double at[] = {e * (cosine * y[0] + sine * y[1]), e * (cosine * y[1] - sine * y[0]),
                       exp(-o->decay[0] * t) * y[2], exp(-o->decay[1] * t) * y[3]};
  from_modes(o, at, x);
}

/* Of a seed; R by the method of Gram and Schmidt. */
static modes modes_of(uint64_t seed)
{
  cloud_seed = seed;
  modes o = {.options = {.rtol = 1e-9, .max_step = INFINITY}, .w = 1};
  for (int i = 0; i < 4; i++) {
    o.x0[i] = uniform(-1, 1);
    for (int j = 0; j < 4; j++) o.R[i][j] = uniform(-1, 1);
    for (int before = 0; before < i; before++) {
      double dot = 0;
      for (int j = 0; j < 4; j++) dot += o.R[i][j] * o.R[before][j];
      for (int j = 0; j < 4; j++) o.R[i][j] -= dot * o.R[before][j];
    }
    double size = 0;
    for (int j = 0; j < 4; j++) size += o.R[i][j] * o.R[i][j];
    for (int j = 0; j < 4; j++) o.R[i][j] /= sqrt(size);
  }
  return o;
}

/* To `end` in ten parts; the largest error of x. */
static double error_of(modes *o, ns_flow_method method, double end, int each_step, double *x,
                       ns_flow_work *w)
{
  static const double atol[] = {1e-11, 1e-11, 1e-11, 1e-11};
  ns_ctx ctx = {0};
  void *flow = NULL;
  ns_flow_end why;
  double t = 0, want[4], worst = 0;
  o->options.method = method;
  o->p = (ns_flow_problem){.of = o,
                           .n = 4,
                           .options = &o->options,
                           .atol = atol,
                           .rate = rate_of_modes,
                           .name = name,
                           .each_step = each_step};
  const ns_flow_ops *ops = ns_flow_find("CVodeOSI");
  memcpy(x, o->x0, sizeof o->x0);
  ck_assert_int_eq(ops->create(&ctx, &o->p, &flow), NS_OK);
  ck_assert_int_eq(ops->restart(flow, &ctx, 0, x, NULL), NS_OK);
  for (int part = 1; part <= 10; part++) {
    while (t < part * end / 10)
      ck_assert_msg(ops->advance(flow, &ctx, part * end / 10, end, &t, x, &why) == NS_OK, "%s",
                    ctx.msg);
    exactly(o, t, want);
    for (int i = 0; i < 4; i++) worst = fmax(worst, fabs(x[i] - want[i]));
  }
  ops->work(flow, w);
  ops->destroy(flow);
  return worst;
}

/* u' = 1.2 + cos 6u from 0 and w' = -c w/(u + b) from next to nothing, as friction turns a velocity
 * that grows from 0. The Jacobian of the first steps is soon too large by up to 10^9. If Newton's
 * method continues with it, w is that of the predictor, and grows. */
typedef struct falling {
  ns_flow_problem p;
  ns_event_driven_options options;
  double c, b;
} falling;

static int rate_of_falling(void *self, double t, const double *x, double *f)
{
  const falling *o = self;
  (void)t;
  f[0] = 1.2 + cos(6 * x[0]);
  f[1] = -o->c * x[1] / (x[0] + o->b);
  return 0;
}

START_TEST(a_rate_that_falls_fast_stays_damped)
{
  static const double rates[] = {1, 1, 3}, offsets[] = {1e-6, 1e-9, 1e-9}, atol[] = {1e-11, 1e-11};
  falling o = {.options = {.rtol = 1e-9, .max_step = INFINITY, .method = NS_FLOW_BDF},
               .c = rates[_i],
               .b = offsets[_i]};
  const ns_flow_ops *ops = ns_flow_find("CVodeOSI");
  ns_ctx ctx = {0};
  void *flow = NULL;
  double x[] = {0, 1e-12}, t = 0, worst = 0;
  ns_flow_end why;
  o.p = (ns_flow_problem){.of = &o,
                          .n = 2,
                          .options = &o.options,
                          .atol = atol,
                          .rate = rate_of_falling,
                          .name = name,
                          .each_step = 1};
  ck_assert_int_eq(ops->create(&ctx, &o.p, &flow), NS_OK);
  ck_assert_int_eq(ops->restart(flow, &ctx, 0, x, NULL), NS_OK);
  while (t < 2) {
    ck_assert_msg(ops->advance(flow, &ctx, 2, 2, &t, x, &why) == NS_OK, "%s", ctx.msg);
    worst = fmax(worst, fabs(x[1]));
  }
  ops->destroy(flow);
  ck_assert_double_le(worst, 10 * atol[1]);
}
END_TEST

enum { STIFF = 20 };

/* A decay ten thousand times as fast as the oscillation or more: BDF takes over after the first
 * 2000 steps, with less than a tenth of those that Adams takes, and as exact. */
START_TEST(a_stiff_motion_chooses_bdf)
{
  modes o = modes_of(9000 + (uint64_t)_i);
  ns_flow_work adams, chosen;
  double x[4];
  o.d = 0.1;
  o.decay[0] = pow(10, 4 + uniform(0, 0.7));
  o.decay[1] = pow(10, uniform(0, 4));
  ck_assert_double_le(error_of(&o, NS_FLOW_ADAMS, 1, _i % 2, x, &adams), 1e-7);
  ck_assert_double_le(error_of(&o, NS_FLOW_CHOSEN, 1, _i % 2, x, &chosen), 1e-7);
  ck_assert_int_gt((int)chosen.jacobians, 0);
  ck_assert_int_lt(10 * ((int)chosen.steps - 2000), (int)adams.steps);
}
END_TEST

/* Without damping the motion is that of Adams to the last bit, however long; so is a damped one
 * whose decays are no faster than its oscillation. */
START_TEST(other_motions_choose_adams)
{
  modes o = modes_of(9100 + (uint64_t)_i);
  ns_flow_work adams, chosen;
  double x[4], same[4];
  o.w = 20 + 20 * _i;
  o.d = _i % 3 == 2 ? 0.2 : 0;
  o.decay[0] = _i % 3 ? 0 : 0.1;
  o.decay[1] = _i % 3 == 2 ? o.w / 10 : 0;
  ck_assert_double_le(error_of(&o, NS_FLOW_ADAMS, 10, _i % 2, x, &adams), 1e-6);
  error_of(&o, NS_FLOW_CHOSEN, 10, _i % 2, same, &chosen);
  ck_assert_int_gt((int)adams.steps, 1000);
  ck_assert_int_eq((int)chosen.steps, (int)adams.steps);
  ck_assert_int_eq((int)chosen.jacobians, 0);
  ck_assert_int_le((int)(chosen.rates - adams.rates), (int)adams.rates / 20);
  ck_assert_mem_eq(x, same, sizeof x);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, a_rate_that_falls_fast_stays_damped, 0, 3);
  tcase_add_loop_test(t, a_stiff_motion_chooses_bdf, 0, STIFF);
  tcase_add_loop_test(t, other_motions_choose_adams, 0, 9);
  tcase_add_loop_test(t, a_jacobian_spares_evaluations_and_changes_no_result, 0, 3);
  tcase_add_test(t, an_unknown_jacobian_is_dense);
  tcase_add_test(t, models_have_one_motion_by_all_solvers);
}

int main(void) { return suite_run("cvode", fill); }
