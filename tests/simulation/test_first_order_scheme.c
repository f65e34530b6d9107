/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scheme itself: its order, the input that gamma < 1 starts from, Newton's method on nonlinear
 * relations, assembly over interactions that share systems, and what a run says where it fails. */
#include "support/first_order.h"

#include "algebra/dense.h"
#include "simulation/rows/couplings.h"

/* ---- order on a circuit of relative degree 0 ------------------------------------------------- */

typedef struct variant {
  double theta, gamma;
  int full;
  double order, tol;
} variant;

/* v_C, i_L at 5 ms of the oscillator with diode and resistor (exact arcs, 6 digits are not enough:
 * see below). */
static void oscillate(const variant *s, double h, double *x)
{
  ns_ctx c;
  ns_model *m = fo_model(&c, h, 5e-3);
  double L = 1e-2, Cap = 1e-6, R = 1e3, A[] = {0, -1 / Cap, 1 / L, 0}, x0[] = {10, 0},
         C[] = {-1, 0}, B[] = {-1 / Cap, 0};
  fo_linear(m, &c, 2, x0, A, NULL);
  fo_relation(m, &c, FO_COMPLEMENTARITY, 1, 0, INFINITY, fo_first, 1, C, &R, B, NULL);
  m->sim.em.theta = s->theta;
  m->sim.em.gamma = s->gamma;
  m->sim.em.full = s->full;
  run r = fo_ready(m, &c);
  ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, NULL), NS_OK);
  x[0] = r.x->q[0];
  x[1] = r.x->q[1] * 100; /* sqrt(L/C): the same energy */
  run_end(&r);
}

/* The exact state at 5 ms: arcs alternate, damped while v > 0 and undamped while v < 0. */
static void exact(double t, double *x)
{
  double L = 1e-2, Cap = 1e-6, R = 1e3, al = 1 / (2 * R * Cap), w = 1 / sqrt(L * Cap),
         wd = sqrt(w * w - al * al);
  double v = 10, i = 0, end = atan2(wd, al) / wd;
  for (int on = 1;; on = !on) {
    double a = on ? al : 0, b = on ? wd : w, s = t < end ? t : end;
    /* v' = -i/C - 2 a v, i' = v/L: v = e^-as (v cos + (dv + a v)/b sin), the same for i */
    double dv = -i / Cap - 2 * a * v, di = v / L, co = cos(b * s), si = sin(b * s), e = exp(-a * s);
    double v1 = e * (v * co + (dv + a * v) / b * si), i1 = e * (i * co + (di + a * i) / b * si);
    v = v1;
    i = i1;
    if ((t -= s) <= 0) break;
    v = 0;
    end = M_PI / (on ? w : wd);
  }
  x[0] = v;
  x[1] = i * 100;
}

static double error(const variant *s, double h)
{
  double x[2], y[2];
  exact(5e-3, y);
  oscillate(s, h, x);
  return hypot(x[0] - y[0], x[1] - y[1]);
}

START_TEST(exact_arcs_have_their_known_digits)
{
  double x[2];
  exact(2e-3, x);
  ck_assert_double_eq_tol(x[0], 2.208187, 1e-6);
  ck_assert_double_eq_tol(x[1], 5.3547, 1e-4);
  exact(5e-3, x);
  ck_assert_double_eq_tol(x[0], 2.800403, 1e-6);
}
END_TEST

/* theta = gamma = 1/2 is of order 2, with the input at t0 or in the full scheme; gamma = 1 is of
 * order 1. */
static const variant variants[] = {
    {1, 1, 0, 1, 0.06}, {0.5, 1, 0, 1, 0.06}, {0.5, 0.5, 0, 2, 0.06}, {0.5, 0.5, 1, 2, 0.06}};

START_TEST(order)
{
  const variant *s = &variants[_i];
  double h = s->order > 1 ? 2e-6 : 2.5e-7, p = log2(error(s, h) / error(s, h / 4)) / 2;
  ck_assert_double_eq_tol(p, s->order, s->tol);
}
END_TEST

/* The row at t0 has lambda_0 = v_C / R from the law, and its input. */
START_TEST(gamma_below_one_begins_with_the_law)
{
  ns_ctx c;
  ns_model *m = fo_model(&c, 1e-6, 1e-5);
  double L = 1e-2, Cap = 1e-6, R = 1e3, A[] = {0, -1 / Cap, 1 / L, 0}, x0[] = {10, 0},
         C[] = {-1, 0}, B[] = {-1 / Cap, 0};
  fo_linear(m, &c, 2, x0, A, NULL);
  fo_relation(m, &c, FO_COMPLEMENTARITY, 1, 0, INFINITY, fo_first, 1, C, &R, B, NULL);
  m->sim.em.theta = m->sim.em.gamma = 0.5;
  run r = fo_run(m, &c);
  ck_assert_double_eq_tol(fo_at(&r, 0, "law.lambda"), 0.01, 1e-17);
  ck_assert_double_eq_tol(fo_at(&r, 0, "law.y"), 0, 1e-14);
  ck_assert_double_eq_tol(fo_at(&r, 0, "system.r[0]"), -1e4, 1e-9);
  ck_assert_double_eq_tol(fo_at(&r, 0, "system.xdot[0]"), -1e4, 1e-9);
  run_end(&r);
}
END_TEST

/* The full scheme with theta = gamma = 1/2 takes energy h R lambda^2 a step, to rounding. */
START_TEST(full_scheme_has_an_energy_balance)
{
  ns_ctx c;
  double h = 1e-5, L = 1e-2, Cap = 1e-6, R = 1e3;
  ns_model *m = fo_model(&c, h, 5e-3);
  double A[] = {0, -1 / Cap, 1 / L, 0}, x0[] = {10, 0}, C[] = {-1, 0}, B[] = {-1 / Cap, 0},
         before = 0;
  fo_linear(m, &c, 2, x0, A, NULL);
  fo_relation(m, &c, FO_COMPLEMENTARITY, 1, 0, INFINITY, fo_first, 1, C, &R, B, NULL);
  m->sim.em.theta = m->sim.em.gamma = 0.5;
  m->sim.em.full = 1;
  run r = fo_run(m, &c);
  for (size_t k = 0; k < r.got.nrows; k++) {
    double v = fo_at(&r, k, "system.x[0]"), i = fo_at(&r, k, "system.x[1]"),
           l = fo_at(&r, k, "law.lambda");
    double E = 0.5 * Cap * v * v + 0.5 * L * i * i;
    if (k) ck_assert_double_eq_tol(E - before, -h * R * l * l, 1e-18);
    before = E;
  }
  ck_assert_double_lt(r.x->cert->penetration_max, 1e-11); /* y is where the law is: at t_k + h/2 */
  run_end(&r);
}
END_TEST

/* ---- a nonlinear relation: x' = x + r, y = 1 - x^2, r = -2 x lambda -------------------------- */

static void h_circle(double t, unsigned n, const double *x, unsigned m, const double *l, double *y,
                     unsigned nz, double *z)
{
  (void)t, (void)n, (void)m, (void)l, (void)nz, (void)z;
  *y = 1 - *x * *x;
}
static void g_circle(double t, unsigned n, const double *x, unsigned m, const double *l, double *r,
                     unsigned nz, double *z)
{
  (void)t, (void)n, (void)m, (void)nz, (void)z;
  *r = -2 * *x * *l;
}
static void c_circle(double t, unsigned n, const double *x, unsigned m, const double *l, double *J,
                     unsigned nz, double *z)
{
  (void)t, (void)n, (void)m, (void)l, (void)nz, (void)z;
  *J = -2 * *x;
}
static void k_circle(double t, unsigned n, const double *x, unsigned m, const double *l, double *J,
                     unsigned nz, double *z)
{
  (void)t, (void)n, (void)m, (void)x, (void)nz, (void)z;
  *J = -2 * *l;
}

static ns_model *circle(ns_ctx *c, double h, int differenced)
{
  ns_model *m = fo_model(c, h, 2);
  double x0 = 0.5, A = 1;
  unsigned X = 1u << NS_BANK_Q, l = 1u << NS_BANK_LAMBDA;
  fo_linear(m, c, 1, &x0, &A, NULL);
  ns_interaction *it = fo_interaction(m, c, "FirstOrderNonLinearR", FO_COMPLEMENTARITY, 1, 0,
                                      INFINITY, fo_first, 1);
  it->fo.h = fo_function(m, 1, 1, (any_function)h_circle, NS_SIG_HG, X);
  it->fo.g = fo_function(m, 1, 1, (any_function)g_circle, NS_SIG_HG, X | l);
  if (differenced) return m;
  it->fo.C = it->fo.B = fo_function(m, 1, 1, (any_function)c_circle, NS_SIG_HG, X);
  it->fo.K = fo_function(m, 1, 1, (any_function)k_circle, NS_SIG_HG, l);
  return m;
}

static double circle_error(double h)
{
  ns_ctx c;
  run r = fo_run(circle(&c, h, 0), &c);
  double worst = 0;
  for (size_t k = 0; k < r.got.nrows; k++) {
    double t = fo_at(&r, k, "time"), x = fmin(0.5 * exp(t), 1);
    worst = fmax(worst, fabs(fo_at(&r, k, "system.x[0]") - x));
  }
  run_end(&r);
  return worst;
}

START_TEST(nonlinear_relation_has_order_one)
{
  /* at these h the corner at ln 2 falls at about the same place of its step */
  double p = log2(circle_error(1e-3) / circle_error(1e-3 / 16)) / 4;
  ck_assert_double_eq_tol(p, 1, 0.1);
}
END_TEST

START_TEST(nonlinear_relation_takes_few_iterations)
{
  ns_ctx c;
  run r = fo_run(circle(&c, 0.02, _i), &c);
  size_t last = r.got.nrows - 1;
  ck_assert_int_le(r.x->cert->newton_max, 5);
  ck_assert_double_le(r.x->cert->newton_residual_max, 1);
  ck_assert_double_eq_tol(fo_at(&r, last, "system.x[0]"), 1, 1e-10);
  ck_assert_double_eq_tol(fo_at(&r, last, "law.lambda"), 0.5, 1e-9);
  ck_assert_double_lt(r.x->cert->penetration_max, 1e-9);
  ck_assert_int_eq(ns_simulation_plan(r.s)->relations_differenced, _i);
  run_end(&r);
}
END_TEST

/* The law at t_k + gamma h: the same Newton's method, with tangents there. */
START_TEST(nonlinear_relation_in_the_full_scheme)
{
  ns_ctx c;
  ns_model *m = circle(&c, 0.02, 0);
  m->sim.em.gamma = 0.75;
  m->sim.em.full = 1;
  run r = fo_run(m, &c);
  size_t last = r.got.nrows - 1;
  ck_assert_int_le(r.x->cert->newton_max, 6);
  ck_assert_double_eq_tol(fo_at(&r, last, "system.x[0]"), 1, 1e-9); /* (1 - gamma) / gamma a step */
  ck_assert_double_eq_tol(fo_at(&r, last, "law.y"), 0, 1e-9);
  ck_assert_double_lt(r.x->cert->penetration_max, 1e-9);
  run_end(&r);
}
END_TEST

/* ---- a nonlinear system: x' = 1 + x^2 - lambda, 0 <= 1 - x _|_ lambda >= 0: tan t, then x = 1 and
 * lambda = 2 ---- */

static void f_tan(double t, unsigned n, const double *x, double *f, unsigned nz, double *z)
{
  (void)t, (void)n, (void)nz, (void)z;
  *f = 1 + *x * *x;
}
static void j_tan(double t, unsigned n, const double *x, double *J, unsigned nz, double *z)
{
  (void)t, (void)n, (void)nz, (void)z;
  *J = 2 * *x;
}

static ns_model *tangent(ns_ctx *c, double h, int differenced)
{
  ns_model *m = fo_model(c, h, 1);
  double x0 = 0, C = -1, B = -1, e = 1;
  ns_system *s = fo_system(m, c, "FirstOrderNonLinearDS", 1, &x0);
  s->fo.f = fo_function(m, 1, 1, (any_function)f_tan, NS_SIG_F, 1u << NS_BANK_Q);
  if (!differenced)
    s->fo.dx_f = fo_function(m, 1, 1, (any_function)j_tan, NS_SIG_F, 1u << NS_BANK_Q);
  fo_relation(m, c, FO_COMPLEMENTARITY, 1, 0, INFINITY, fo_first, 1, &C, NULL, &B, &e);
  return m;
}

static double tangent_error(double h, int differenced)
{
  ns_ctx c;
  double worst = 0;
  run r = fo_run(tangent(&c, h, differenced), &c);
  for (size_t k = 0; k < r.got.nrows; k++) {
    double t = fo_at(&r, k, "time");
    worst = fmax(worst, fabs(fo_at(&r, k, "system.x[0]") - (t < M_PI / 4 ? tan(t) : 1)));
  }
  ck_assert_double_eq_tol(fo_at(&r, r.got.nrows - 1, "system.x[0]"), 1, 1e-12);
  ck_assert_double_eq_tol(fo_at(&r, r.got.nrows - 1, "law.lambda"), 2, 1e-9);
  ck_assert_int_le(r.x->cert->newton_max, 5);
  ck_assert_int_ge(r.x->cert->newton_max, 2);
  ck_assert_uint_eq(r.got.nevents, 1);
  run_end(&r);
  return worst;
}

START_TEST(nonlinear_system_is_stopped_at_its_bound)
{
  double p = log2(tangent_error(1e-2, _i) / tangent_error(1e-2 / 16, _i)) / 4;
  ck_assert_double_eq_tol(p, 1, 0.1);
}
END_TEST

/* ---- assembly -------------------------------------------------------------------------------- */

static double noise(unsigned long *s)
{
  *s = *s * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(*s >> 11) / 4503599627370496.0 - 1;
}

static void random_matrix(unsigned long *s, int n, double *A)
{
  for (int i = 0; i < n; i++) A[i] = noise(s);
}

/* Three systems of 2, 3, 1 states, interactions {0, 2} of 3 rows, {1, 2} of 2, {2, 2} of 1: blocks
 * and the whole. */
START_TEST(blocks_are_the_monolithic_matrix)
{
  enum { NQ = 6, NR = 6 };
  static const int size[] = {2, 3, 1}, at[] = {0, 2, 5}, rows[] = {3, 2, 1}, row[] = {0, 3, 5};
  static const int pair[3][2] = {{0, 2}, {1, 2}, {2, 2}};
  unsigned long seed = 7 + (unsigned long)_i;
  double h = 0.01, W[NQ * NQ] = {0}, C[NR * NQ] = {0}, B[NQ * NR] = {0}, D[NR * NR] = {0};
  ns_ctx c;
  ns_model *m = fo_model(&c, h, 3 * h);
  m->sim.osnsp.storage = _i % 2 ? NS_STORAGE_SPARSE : NS_STORAGE_DENSE;
  for (int s = 0; s < 3; s++) {
    double A[9], x0[3];
    random_matrix(&seed, size[s] * size[s], A);
    random_matrix(&seed, size[s], x0);
    fo_linear(m, &c, size[s], x0, A, NULL);
    for (int i = 0; i < size[s]; i++)
      for (int j = 0; j < size[s]; j++)
        W[at[s] + i + (at[s] + j) * NQ] = (i == j) - h * A[i * size[s] + j];
  }
  for (int k = 0; k < 3; k++) {
    double Ck[18], Bk[18], Dk[9];
    int n = size[pair[k][0]] + size[pair[k][1]], col = 0;
    random_matrix(&seed, rows[k] * n, Ck);
    random_matrix(&seed, rows[k] * n, Bk);
    random_matrix(&seed, rows[k] * rows[k], Dk);
    for (int i = 0; i < rows[k]; i++) Dk[i * rows[k] + i] += 3;
    fo_relation(m, &c, FO_RELAY, rows[k], -1, 1, pair[k], 2, Ck, Dk, Bk, NULL);
    for (int p = 0; p < 2; p++)
      for (int j = 0; j < size[pair[k][p]]; j++, col++)
        for (int i = 0; i < rows[k]; i++) {
          C[row[k] + i + (at[pair[k][p]] + j) * NR] += Ck[i * n + col];
          B[at[pair[k][p]] + j + (row[k] + i) * NQ] += Bk[col * rows[k] + i];
        }
    for (int i = 0; i < rows[k]; i++)
      for (int j = 0; j < rows[k]; j++) D[row[k] + i + (row[k] + j) * NR] = Dk[i * rows[k] + j];
  }
  run r = fo_run(m, &c);
  /* y = C x_free + S lambda in the first step, with S = h C W^-1 B + D of the whole */
  int piv[NQ];
  double x[NQ], S[NR * NR];
  ck_assert_int_eq(ns_dense_lu(NQ, W, NQ, piv), 0);
  ns_dense_lu_solve(NQ, W, NQ, piv, NR, B, NQ);
  for (int i = 0; i < NR; i++)
    for (int j = 0; j < NR; j++) {
      S[i + j * NR] = D[i + j * NR];
      for (int q = 0; q < NQ; q++) S[i + j * NR] += h * C[i + q * NR] * B[q + j * NQ];
    }
  int s = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < size[i]; j++) x[s++] = m->systems[i].q0[j];
  ns_dense_lu_solve(NQ, W, NQ, piv, 1, x, NQ);
  double lambda[NR], y[NR];
  /* the first step; y and lambda, one interaction after the other */
  const double *first = r.got.rows + r.got.ncols;
  for (int k = 0, col = (int)capture_column(&r.got, "law.y[0]"); k < 3; col += 2 * rows[k], k++)
    for (int i = 0; i < rows[k]; i++) {
      y[row[k] + i] = first[col + i];
      lambda[row[k] + i] = first[col + rows[k] + i];
    }
  for (int i = 0; i < NR; i++) {
    double want = 0;
    for (int j = 0; j < NR; j++) want += S[i + j * NR] * lambda[j];
    for (int j = 0; j < NQ; j++) want += C[i + j * NR] * x[j];
    ck_assert_double_eq_tol(y[i], want, 1e-13);
  }
  run_end(&r);
}
END_TEST

/* ---- the unreduced kernel -------------------------------------------------------------------- */

/* A ladder of n nodes with a source at one end; every 8th node has a diode (with resistance) to
 * ground, the node after it a relay. The sparse problem with the state in it and the reduced dense
 * one are the same problem. */
static ns_model *ladder(ns_ctx *c, int n, const variant *s, ns_storage storage)
{
  ns_model *m = fo_model(c, 0.02, 4);
  double *A = calloc((size_t)n * (size_t)n, sizeof *A), *x0 = calloc((size_t)n, sizeof *x0),
         *b = calloc((size_t)n, sizeof *b);
  for (int i = 0; i < n; i++) {
    A[i * n + i] = -2.1;
    if (i) A[i * n + i - 1] = A[(i - 1) * n + i] = 1;
    x0[i] = sin(0.7 * i);
  }
  b[0] = -2;
  fo_linear(m, c, n, x0, A, b);
  for (int i = 4; i + 1 < n; i += 8) {
    double C[400] = {0}, B[400] = {0}, one = 1, R = 0.05;
    ck_assert_int_le(n, 400);
    C[i] = B[i] = 1;
    fo_relation(m, c, FO_COMPLEMENTARITY, 1, 0, INFINITY, fo_first, 1, C, &R, B, NULL);
    C[i] = B[i] = 0;
    C[i + 1] = B[i + 1] = one;
    fo_relation(m, c, FO_RELAY, 1, -0.1, 0.1, fo_first, 1, C, NULL, B, NULL);
  }
  m->sim.osnsp.storage = storage;
  m->sim.em.theta = s->theta;
  m->sim.em.gamma = s->gamma;
  m->sim.em.full = s->full;
  free(A);
  free(x0);
  free(b);
  return m;
}

START_TEST(unreduced_is_reduced)
{
  ns_ctx c;
  run a = fo_run(ladder(&c, 120, &variants[_i], NS_STORAGE_AUTO), &c);
  run b = fo_run(ladder(&c, 120, &variants[_i], NS_STORAGE_DENSE), &c);
  ck_assert_ptr_nonnull(strstr(ns_simulation_plan(a.s)->kernel, "saddle-point"));
  ck_assert_ptr_nonnull(strstr(ns_simulation_plan(b.s)->kernel, "dense"));
  ck_assert_str_eq(ns_simulation_plan(a.s)->solver, "sparse-newton");
  ck_assert_int_eq(ns_simulation_plan(a.s)->rows, 120 + 30 - 1 + 1);
  ck_assert_uint_eq(a.got.nevents, b.got.nevents);
  ck_assert_uint_gt(a.got.nevents, 15);
  for (size_t k = 0; k < a.got.nevents; k++)
    ck_assert_double_eq(a.got.events[k].t, b.got.events[k].t);
  size_t x0 = capture_column(&a.got, "system.x[0]");
  for (size_t k = 0; k < a.got.nrows; k++)
    for (size_t i = 0; i < 120; i++)
      ck_assert_double_eq_tol(a.got.rows[k * a.got.ncols + x0 + i],
                              b.got.rows[k * b.got.ncols + x0 + i], 1e-11);
  ck_assert_double_lt(a.x->cert->penetration_max, 1e-11);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* A full matrix of 60 states with 40 relays: the problem is full too, and is solved as one. Storage
 * changes nothing. */
START_TEST(full_problems_are_dense)
{
  enum { N = 60, M = 40 };
  ns_ctx c;
  run r[2];
  for (int s = 0; s < 2; s++) {
    static double A[N * N], x0[N], C[M * N], B[N * M];
    unsigned long seed = 3;
    ns_model *m = fo_model(&c, 0.01, 0.5);
    random_matrix(&seed, N * N, A);
    random_matrix(&seed, N, x0);
    random_matrix(&seed, M * N, C);
    for (int i = 0; i < N; i++) A[i * N + i] -= 8;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < M; j++) B[i * M + j] = C[j * N + i]; /* passive */
    fo_linear(m, &c, N, x0, A, NULL);
    fo_relation(m, &c, FO_RELAY, M, -0.05, 0.05, fo_first, 1, C, NULL, B, NULL);
    m->sim.osnsp.storage = s ? NS_STORAGE_SPARSE : NS_STORAGE_AUTO;
    r[s] = fo_run(m, &c);
    ck_assert_str_eq(ns_simulation_plan(r[s].s)->storage, s ? "block-sparse" : "dense");
    ck_assert_double_lt(r[s].x->cert->penetration_max, 1e-10);
  }
  for (size_t i = 0; i < N; i++) ck_assert_double_eq_tol(r[0].x->q[i], r[1].x->q[i], 1e-10);
  run_end(&r[0]);
  run_end(&r[1]);
}
END_TEST

/* ---- failures -------------------------------------------------------------------------------- */

typedef struct seen {
  int problems, n, solved;
  long long step;
} seen;

static void look(void *to, long long step, double t, const ns_shown *p, const ns_outcome *out)
{
  seen *s = to;
  (void)t;
  s->problems++;
  s->n = p->box->n;
  s->step = step;
  s->solved = out->kind == NS_SOLVED;
}

/* x' = 1 + lambda, y = 1 - x: lambda cannot keep y >= 0, as it pushes the wrong way. */
START_TEST(unsolvable_problem_ends_the_run_and_is_shown)
{
  ns_ctx c;
  ns_model *m = fo_model(&c, 0.25, 3);
  double x0 = 0, b = 1, C = -1, B = 1, e = 1;
  fo_linear(m, &c, 1, &x0, NULL, &b);
  fo_relation(m, &c, FO_COMPLEMENTARITY, 1, 0, INFINITY, fo_first, 1, &C, NULL, &B, &e);
  run r = fo_ready(m, &c);
  r.c.report = NULL;
  seen s = {0};
  ns_watch w = {.to = &s, .problem = look};
  ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, &w), NS_NUMERIC);
  ck_assert_ptr_nonnull(strstr(r.c.msg, "was not solved"));
  ck_assert_ptr_nonnull(strstr(r.c.msg, "<LCP>"));
  ck_assert_int_eq((int)*r.x->step, 4); /* y = 0 at the fourth; the fifth is refused */
  ck_assert_double_eq_tol(*r.x->q, 1, 1e-15);
  ck_assert_int_eq(s.problems, 5);
  ck_assert_int_eq(s.n, 1);
  ck_assert_int_eq((int)s.step, 4);
  ck_assert_int_eq(s.solved, 0);
  run_end(&r);
}
END_TEST

START_TEST(too_few_newton_iterations_are_a_failure)
{
  ns_ctx c;
  ns_model *m = circle(&c, 0.02, 0);
  m->sim.ts.newton_max = 1;
  run r = fo_ready(m, &c);
  r.c.report = NULL;
  ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, NULL), NS_NUMERIC);
  ck_assert_ptr_nonnull(strstr(r.c.msg, "did not converge"));
  ck_assert_int_eq((int)r.x->cert->steps, (int)*r.x->step);
  run_end(&r);
}
END_TEST

START_TEST(unknown_names_are_told)
{
  ns_ctx c;
  ns_model *m = circle(&c, 0.02, 0);
  ns_simulation *s;
  ck_assert_int_eq(ns_model_finish(m, &c), NS_OK);
  c.report = NULL;
  if (_i == 0) m->sim.integrator = "MoreauJeanOSI";
  if (_i == 1) m->sim.osnsp.solver = "magic";
  if (_i == 2) m->sim.strategy = "EventDriven";
  static const char *const want[] = {
      "no integrator \"MoreauJeanOSI\" for first-order", "solver is \"magic\"",
      "<EventDriven> has no integrator \"EulerMoreauOSI\", expected <CVodeOSI/>"};
  ck_assert_int_eq(ns_simulation_create(&c, m, &s), NS_MODEL);
  ck_assert_msg(strstr(c.msg, want[_i]) != NULL, "%s", c.msg);
  ck_assert_ptr_null(s);
  ns_model_destroy(m);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_test(t, exact_arcs_have_their_known_digits);
  tcase_add_loop_test(t, order, 0, 4);
  tcase_add_test(t, gamma_below_one_begins_with_the_law);
  tcase_add_test(t, full_scheme_has_an_energy_balance);
  tcase_add_test(t, nonlinear_relation_has_order_one);
  tcase_add_loop_test(t, nonlinear_relation_takes_few_iterations, 0, 2);
  tcase_add_test(t, nonlinear_relation_in_the_full_scheme);
  tcase_add_loop_test(t, nonlinear_system_is_stopped_at_its_bound, 0, 2);
  tcase_add_loop_test(t, blocks_are_the_monolithic_matrix, 0, 20);
  tcase_add_loop_test(t, unreduced_is_reduced, 0, 4);
  tcase_add_test(t, full_problems_are_dense);
  tcase_add_test(t, unsolvable_problem_ends_the_run_and_is_shown);
  tcase_add_test(t, too_few_newton_iterations_are_a_failure);
  tcase_add_loop_test(t, unknown_names_are_told, 0, 3);
}

int main(void) { return suite_run("first order, scheme", fill); }
