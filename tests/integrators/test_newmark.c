/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The generalised alpha method as a flow: its order, what it does to frequencies that steps resolve
 * and that they do not, roots on its dense output, its work, its failures; and balls and chains of
 * models by it. */
#include "support/mechanics.h"

#include "integrators/flow.h"

/* One coordinate: q'' = f(t, q, v), of a kind below. */
typedef enum kind { PENDULUM, SPRING, BALL, RUNAWAY, SWITCH, POLE } kind;

enum { ENTRIES = 4 };
static const int ptr[] = {0, 2, 4}, row[] = {0, 1, 0, 1};

typedef struct motion {
  kind kind;
  double w2;    /* of SPRING: omega^2, and RUNAWAY: minus that */
  double level; /* g = q - level */
  ns_flow_problem p;
  ns_event_driven_options options;
  double atol[2];
  ns_ctx c;
  const ns_flow_ops *ops;
  void *flow;
  double t, x[2];
} motion;

static int rate(void *self, double t, const double *x, double *f)
{
  const motion *m = self;
  double q = x[0], v = x[1];
  f[0] = v;
  switch (m->kind) {
  case PENDULUM: f[1] = -sin(q) - 0.2 * v * fabs(v) + cos(t); break;
  case SPRING: f[1] = -m->w2 * q; break;
  case BALL: f[1] = -G; break;
  case RUNAWAY: f[1] = m->w2 * q; break;
  case SWITCH: f[1] = q > 0.5 ? -1e8 : 0; break;
  case POLE: f[1] = sqrt(0.1 - q); break;
  }
  return !isfinite(f[1]);
}

static int jacobian(void *self, double t, const double *x, double *value, long long *rates)
{
  (void)t, (void)rates;
  const motion *m = self;
  double of_q = m->kind == PENDULUM  ? -cos(x[0])
                : m->kind == SPRING  ? -m->w2
                : m->kind == RUNAWAY ? m->w2
                                     : 0;
  double of_v = m->kind == PENDULUM ? -0.4 * fabs(x[1]) : 0;
  memcpy(value, (double[ENTRIES]){0, of_q, 1, of_v}, ENTRIES * sizeof *value);
  return 0;
}

static int roots(void *self, double t, const double *x, double *g)
{
  (void)t;
  g[0] = x[0] - ((const motion *)self)->level;
  return 0;
}

static const char *name(void *self, size_t i, char *buf, size_t size)
{
  return (void)self, (void)buf, (void)size, i ? "speed" : "place";
}

static motion motion_of(kind k, double w2, double h, double rho)
{
  ns_event_driven_options e = ns_simulation_defaults().ed;
  e.step = h;
  e.rho_inf = rho;
  e.rtol = 1e-14;
  return (motion){.kind = k, .w2 = w2, .level = 1e300, .options = e, .atol = {1e-14, 1e-14}};
}

static void begin(motion *m, const char *flow, double q, double v)
{
  m->p = (ns_flow_problem){.of = m,
                           .n = 2,
                           .nroots = 1,
                           .options = &m->options,
                           .atol = m->atol,
                           .rate = rate,
                           .roots = roots,
                           .name = name,
                           .ncoord = 1,
                           .structure = {.ptr = ptr, .row = row},
                           .jacobian = jacobian};
  m->ops = ns_flow_find(flow);
  m->x[0] = q, m->x[1] = v;
  ck_assert_int_eq(m->ops->create(&m->c, &m->p, &m->flow), NS_OK);
  ck_assert_int_eq(m->ops->restart(m->flow, &m->c, 0, m->x, (signed char[]){-1}), NS_OK);
}

/* 1: a root. */
static int go(motion *m, double t)
{
  ns_flow_end why;
  ck_assert_msg(m->ops->advance(m->flow, &m->c, t, 1e9, &m->t, m->x, &why) == NS_OK, "%s",
                m->c.msg);
  return why == NS_FLOW_ROOT;
}

static void end(motion *m) { m->ops->destroy(m->flow); }

enum { POINTS = 40 };

/* q and v at the ends of 40 spans of 1/10 s [POINTS] each, and the time where the pendulum falls
 * through 1/2. */
static void swing(motion m, const char *flow, double (*out)[POINTS])
{
  begin(&m, flow, 1, 0.5);
  m.level = 0.5;
  for (int k = 0; k < POINTS; k++) {
    while (go(&m, (k + 1) / 10.0)) out[2][0] = m.t;
    out[0][k] = m.x[0];
    out[1][k] = m.x[1];
  }
  end(&m);
}

/* Slopes 2 at every rho, and of Newmark's method; 1 where its gamma is not 1/2. */
START_TEST(order_in_positions_velocities_and_roots)
{
  static const struct {
    double rho;
    int newmark;
    double gamma, order;
  } c[] = {{1, 0, 0, 2}, {0.9, 0, 0, 2}, {0.5, 0, 0, 2},
           {0, 0, 0, 2}, {0, 1, 0.5, 2}, {0, 1, 0.6, 1}};
  double exact[3][POINTS] = {{0}}, h[4], error[3][4] = {{0}};
  motion fine = motion_of(PENDULUM, 0, 1, 1);
  fine.options.rtol = 1e-12;
  swing(fine, "CVodeOSI", exact);
  for (int k = 0; k < 4; k++) {
    double got[3][POINTS] = {{0}};
    h[k] = 0.01 / (1 << k);
    motion m = motion_of(PENDULUM, 0, h[k], c[_i].rho);
    m.options.newmark = c[_i].newmark;
    if (c[_i].newmark) m.options.gamma = c[_i].gamma;
    swing(m, "NewMarkAlphaOSI", got);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < POINTS; j++)
        error[i][k] = fmax(error[i][k], fabs(got[i][j] - exact[i][j]));
  }
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(slope(h, error[i], 4), c[_i].order, 0.05);
}
END_TEST

/* q'' = -omega^2 q with omega h = 10^5: all three roots of the amplification are -rho, so that q
 * and v obey (z + rho)^3 = 0 from step to step. */
START_TEST(what_no_step_resolves_is_multiplied_by_rho)
{
  static const double rhos[] = {1, 0.9, 0.6, 0.3, 0};
  double rho = rhos[_i], q[8], v[8];
  motion m = motion_of(SPRING, 1e10, 1, rho);
  begin(&m, "NewMarkAlphaOSI", 1, 0);
  for (int k = 0; k < 8; k++) {
    go(&m, k + 1);
    q[k] = m.x[0], v[k] = m.x[1];
  }
  end(&m);
  for (int k = 0; k < 5; k++) {
    double of_v = v[k + 3] + 3 * rho * v[k + 2] + 3 * rho * rho * v[k + 1] + pow(rho, 3) * v[k];
    double of_q = q[k + 3] + 3 * rho * q[k + 2] + 3 * rho * rho * q[k + 1] + pow(rho, 3) * q[k];
    ck_assert_double_le(fabs(of_v), 1e-7 * (fabs(v[k]) + fabs(v[k + 1])));
    ck_assert_double_le(fabs(of_q), 1e-4);
  }
}
END_TEST

/* The largest root of the amplification: power of its matrix on (q, h v, h^2 a). */
static double radius(double rho, double w2)
{
  double am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1), gamma = 0.5 + af - am,
         beta = pow(0.5 + gamma, 2) / 4;
  double q = 1, v = 0.3, a = -w2, size = 0;
  enum { STEPS = 20000 };
  for (int k = 0; k < STEPS; k++) {
    double free = q + v + (0.5 - beta) * a;
    double b = (-(1 - af) * w2 * free - af * w2 * q - am * a) / (1 - am + (1 - af) * w2 * beta);
    q = free + beta * b;
    v += (1 - gamma) * a + gamma * b;
    a = b;
    double s = sqrt(w2 * q * q + v * v);
    size += log(s);
    q /= s, v /= s, a /= s;
  }
  return exp(size / STEPS);
}

START_TEST(energy_decays_as_the_spectral_radius_says)
{
  static const struct {
    double rho, w2;
  } c[] = {{0.9, 0.01}, {0.9, 1}, {0.9, 100}, {0.5, 0.01}, {0.5, 1}, {0, 0.04}};
  double w2 = c[_i].w2, per_step = radius(c[_i].rho, w2);
  enum { STEPS = 400 };
  motion m = motion_of(SPRING, w2, 1, c[_i].rho);
  begin(&m, "NewMarkAlphaOSI", 1, 0);
  go(&m, 40); /* what dies at once is gone */
  double from = w2 * m.x[0] * m.x[0] + m.x[1] * m.x[1];
  go(&m, 40 + STEPS);
  double to = w2 * m.x[0] * m.x[0] + m.x[1] * m.x[1];
  /* the phase has a say in 1/STEPS */
  ck_assert_double_eq_tol(pow(to / from, 0.5 / STEPS), per_step, 5e-3 * fmin(1, sqrt(w2)));
  ck_assert_double_lt(per_step, 1);
  end(&m);
}
END_TEST

/* Newmark's method with beta = 1/4, gamma = 1/2 keeps v^2 + omega^2 q^2. */
START_TEST(newmark_keeps_energy)
{
  motion m = motion_of(SPRING, 4, 0.3, 1);
  m.options.newmark = 1;
  begin(&m, "NewMarkAlphaOSI", 1, 0);
  go(&m, 3000);
  ck_assert_double_eq_tol(m.x[1] * m.x[1] + 4 * m.x[0] * m.x[0], 4, 1e-11);
  end(&m);
}
END_TEST

/* Steps of 0.7 s, in which the ball lands; the root of the parabola is its root. */
START_TEST(a_parabola_is_exact)
{
  static const double rhos[] = {1, 0.9, 0};
  motion m = motion_of(BALL, 0, 0.7, rhos[_i]);
  begin(&m, "NewMarkAlphaOSI", 1, 2);
  m.level = 0;
  ck_assert(go(&m, 5));
  double t = (2 + sqrt(4 + 2 * G)) / G;
  ck_assert_double_eq_tol(m.t, t, 4e-16);
  ck_assert_double_eq_tol(m.x[1], 2 - G * t, 4e-15);
  double x[2];
  for (int k = 1; k <= 3; k++) {
    static const double a[] = {0, 0, -G, 0};
    ck_assert_int_eq(m.ops->dense(m.flow, &m.c, m.t, k, x), NS_OK);
    ck_assert_double_eq_tol(x[0], k == 1 ? m.x[1] : a[k], 1e-13);
  }
  end(&m);
}
END_TEST

/* Linear motion: two evaluations a step, one matrix as long as the step stays. */
START_TEST(work_of_linear_motion)
{
  motion m = motion_of(SPRING, 1, 0.25, 0.8);
  ns_flow_work w;
  begin(&m, "NewMarkAlphaOSI", 1, 0);
  go(&m, 25);
  m.ops->work(m.flow, &w);
  ck_assert_int_eq((int)w.steps, 100);
  ck_assert_int_eq((int)w.rates, 200 + 2); /* at the start, and ahead of it */
  ck_assert_int_eq((int)w.jacobians, 1);
  ck_assert_int_eq((int)w.jacobian_rates, 0);
  end(&m);
}
END_TEST

START_TEST(failures_say_where_when_and_what_to_do)
{
  static const struct {
    kind kind;
    double w2;
    int newmark;
    const char *words[4];
  } c[] = {{SWITCH,
            0,
            0,
            {"does not converge in 20 iterations", "speed", "step of 1 s", "smaller step"}},
           {RUNAWAY, 4, 1, {"singular", "no pivot for speed", "t = 0 s", "stiffness below zero"}},
           {POLE, 0, 0, {"not finite", "step of 1 s", "t = ", "results so far are kept"}}};
  motion m = motion_of(c[_i].kind, c[_i].w2, 1, 0.9);
  ns_flow_end why;
  m.options.newmark = c[_i].newmark;
  begin(&m, "NewMarkAlphaOSI", 0, 0.2);
  ck_assert_int_eq(m.ops->advance(m.flow, &m.c, 10, 10, &m.t, m.x, &why), NS_NUMERIC);
  for (int k = 0; k < 4; k++)
    ck_assert_msg(strstr(m.c.msg, c[_i].words[k]) != NULL, "no \"%s\" in: %s", c[_i].words[k],
                  m.c.msg);
  end(&m);
}
END_TEST

/* ---- models ---------------------------------------------------------------------------------- */

/* Every impact of a bouncing ball at its time, whatever the step, until it rests. */
START_TEST(impacts_of_a_ball_are_exact)
{
  static const char *const steps[] = {"", "step='0.003'", "step='0.17' rhoInf='0'",
                                      "variant='newmark'"};
  run r = mechanics(
      "<systems><LagrangianLinearTIDS id='b' "
      "coordinates='x'><q0>1</q0><mass>1</mass><fExt>-9.81</fExt></LagrangianLinearTIDS>"
      "</systems><interactions><interaction id='g' "
      "systems='b'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>"
      "<NewtonImpactNSL e='0.5'/></interaction></interactions><simulation T='3'><EventDriven "
      "h='0.01'><NewMarkAlphaOSI %s/>"
      "</EventDriven></simulation>",
      steps[_i]);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  double t = sqrt(2 / G), flight = t;
  int impacts = 0;
  for (size_t k = 0; k < r.got.nevents; k++) {
    if (r.got.events[k].kind != NS_EVENT_IMPACT) continue;
    ck_assert_double_eq_tol(r.got.events[k].t, t, 2e-15 * (impacts + 1));
    t += flight;
    flight /= 2;
    impacts++;
  }
  ck_assert_int_eq(impacts, 23);
  ck_assert_double_eq(r.x->q[0], 0);
  ck_assert_double_eq_tol(r.x->lambda[0], G, 1e-12);
  run_end(&r);
}
END_TEST

/* A pendulum as a constraint, mass and relation moving, in two step lengths: order 2 in the angle
 * at t = 1; the rod keeps its length as the driver mends it. A chain that hits a wall by dense and
 * by sparse matrices: one motion. */
START_TEST(constraints_keep_the_order)
{
  double error[3], h[3];
  for (int k = 0; k < 4; k++) {
    static double best[2];
    run r = mechanics("<systems><LagrangianDS id='p' coordinates='x y'><q0>1 0</q0><mass diag='2 "
                      "2'/><fExt>0 -19.62</fExt></LagrangianDS>"
                      "</systems><interactions><interaction id='rod' "
                      "systems='p'><LagrangianScleronomousR><h>x^2+y^2-1</h>"
                      "</LagrangianScleronomousR><EqualityConditionNSL/></interaction></"
                      "interactions><simulation T='1'><EventDriven h='0.5' "
                      "gapTolerance='1e-5'>%s</EventDriven></simulation>",
                      k ? k == 1   ? "<NewMarkAlphaOSI step='0.01'/>"
                          : k == 2 ? "<NewMarkAlphaOSI step='0.005'/>"
                                   : "<NewMarkAlphaOSI step='0.0025'/>"
                        : "<CVodeOSI relativeTolerance='1e-11'/>");
    run_all(&r);
    ck_assert_double_eq_tol(hypot(r.x->q[0], r.x->q[1]), 1, 1e-5);
    if (k == 0) memcpy(best, r.x->q, sizeof best);
    else {
      h[k - 1] = 0.01 / (1 << (k - 1));
      error[k - 1] = fabs(atan2(r.x->q[1], r.x->q[0]) - atan2(best[1], best[0]));
    }
    run_end(&r);
  }
  ck_assert_double_eq_tol(slope(h, error, 3), 2, 0.1);
}
END_TEST

START_TEST(dense_and_sparse_matrices_have_one_motion)
{
  double q[2][5];
  for (int w = 0; w < 2; w++) {
    run r = mechanics(
        "<systems><LagrangianLinearTIDS id='a' coordinates='a b c d e'><q0>0.05 0.05 0.05 0.05 "
        "0.05</q0><v0>-1 -1 -1 -1 -1</v0>"
        "<mass diag='1 1 1 1 1'/><K>4e4 -4e4 0 0 0; -4e4 8e4 -4e4 0 0; 0 -4e4 8e4 -4e4 0; 0 0 -4e4 "
        "8e4 -4e4; 0 0 0 -4e4 4e4</K>"
        "<fExt>-50 0 0 0 0</fExt></LagrangianLinearTIDS></systems><interactions><interaction "
        "id='w' systems='a'>"
        "<LagrangianLinearTIR><H>1 0 0 0 0</H></LagrangianLinearTIR><NewtonImpactNSL "
        "e='0'/></interaction></interactions>"
        "<simulation T='0.3'><EventDriven h='0.1'><NewMarkAlphaOSI step='1e-3' "
        "linearSolver='%s'/></EventDriven></simulation>",
        w ? "sparse" : "dense");
    run_all(&r);
    memcpy(q[w], r.x->q, sizeof q[w]);
    ck_assert_int_gt((int)r.x->cert->impacts, 0);
    run_end(&r);
  }
  near(q[1], q[0], 5, 1e-11);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, order_in_positions_velocities_and_roots, 0, 6);
  tcase_add_loop_test(t, what_no_step_resolves_is_multiplied_by_rho, 0, 5);
  tcase_add_loop_test(t, energy_decays_as_the_spectral_radius_says, 0, 6);
  tcase_add_test(t, newmark_keeps_energy);
  tcase_add_loop_test(t, a_parabola_is_exact, 0, 3);
  tcase_add_test(t, work_of_linear_motion);
  tcase_add_loop_test(t, failures_say_where_when_and_what_to_do, 0, 3);
  tcase_add_loop_test(t, impacts_of_a_ball_are_exact, 0, 4);
  tcase_add_test(t, constraints_keep_the_order);
  tcase_add_test(t, dense_and_sparse_matrices_have_one_motion);
}

int main(void) { return suite_run("newmark", fill); }
