/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A chain of N masses as one system: by sparse rows and as a dense matrix, which entries too small
 * to act make of it. */
#include "support/interrupted.h"
#include "support/run.h"

enum { N = 60 };

typedef struct chain {
  double far;        /* entries far from the diagonal */
  double gyroscopic; /* C_ij = -C_ji beside the diagonal */
  const char *held, *scheme;
} chain;

static double stiffness(const chain *k, int i, int j)
{
  if (i == j) return i == 0 || i == N - 1 ? 500 : 1000;
  return abs(i - j) == 1 ? -500 : k->far;
}

static double damping(const chain *k, int i, int j)
{
  if (i == j) return 0.3;
  return abs(i - j) == 1 ? (i < j ? 1 : -1) * k->gyroscopic : k->far;
}

static size_t matrix(char *text, size_t capacity, const chain *k,
                     double (*entry)(const chain *, int, int))
{
  size_t w = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      w += (size_t)snprintf(text + w, capacity - w, "%.17g%s", entry(k, i, j),
                            j < N - 1   ? " "
                            : i < N - 1 ? ";"
                                        : "");
  return w;
}

/* Two walls, at the first and at the second mass. */
static size_t walls(char *text, size_t capacity)
{
  size_t w = 0;
  for (int r = 0; r < 2; r++)
    for (int j = 0; j < N; j++)
      w += (size_t)snprintf(text + w, capacity - w, "%d%s", j == r,
                            j < N - 1 ? " "
                            : r < 1   ? ";"
                                      : "");
  return w;
}

static run play(const chain *k)
{
  size_t capacity = 200000, w = 0;
  char *text = malloc(capacity);
  w += (size_t)snprintf(text, capacity,
                        "<model xmlns='urn:nssim:model:1' name='m'><systems><LagrangianLinearTIDS "
                        "id='s'><q0>0.1 ...(%d)"
                        "</q0><v0>-1 ...</v0><mass band='1 ...; 4 ...; 1 ...'/><K>",
                        N);
  w += matrix(text + w, capacity - w, k, stiffness);
  w += (size_t)snprintf(text + w, capacity - w, "</K><C>");
  w += matrix(text + w, capacity - w, k, damping);
  w += (size_t)snprintf(
      text + w, capacity - w,
      "</C><fExt>-1 ...(%d)</fExt>%s</LagrangianLinearTIDS></systems><interactions>"
      "<interaction id='w' systems='s'><LagrangianLinearTIR><H>",
      N, k->held);
  w += walls(text + w, capacity - w);
  snprintf(text + w, capacity - w,
           "</H></LagrangianLinearTIR><NewtonImpactNSL "
           "e='0.4'/></interaction></interactions><simulation T='1'>"
           "<TimeStepping h='1e-3'><%s/></TimeStepping></simulation></model>",
           k->scheme);
  run r = run_load(text, NULL);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  ck_assert_int_gt((int)r.x->cert->impacts, 0);
  free(text);
  return r;
}

/* Columns over all rows agree to tol of their largest value, or to rounding of what is zero. */
static void agree(const run *a, const run *b, double tol)
{
  ck_assert_uint_eq(a->got.nrows, b->got.nrows);
  for (size_t c = 0; c < a->got.ncols; c++) {
    double worst = 0, max = 0;
    if (strncmp(a->got.labels[c], "s.", 2) != 0 && strncmp(a->got.labels[c], "w.", 2) != 0)
      continue;
    for (size_t i = 0; i < a->got.nrows; i++) {
      double x = a->got.rows[i * a->got.ncols + c];
      worst = fmax(worst, fabs(x - b->got.rows[i * b->got.ncols + c]));
      max = fmax(max, fabs(x));
    }
    ck_assert_msg(worst <= tol * max + 1e-16, "%s: %g apart, of %g", a->got.labels[c], worst, max);
  }
}

START_TEST(sparse_rows_move_as_the_dense_matrix_does)
{
  static const char swing[] = "<prescribed coordinates='q[30]'>cos(3*t)</prescribed>";
  static const chain of[] = {{0, 0, "", "MoreauJeanOSI"},
                             {0, 2, "", "MoreauJeanOSI"},
                             {0, 0, "", "MoreauJeanOSI theta='1'"},
                             {0, 0, swing, "MoreauJeanOSI"},
                             {0, 2, swing, "MoreauJeanOSI"},
                             {0, 0, "", "MoreauJeanGOSI"},
                             {0, 2, "", "MoreauJeanGOSI"},
                             {0, 0, "", "MoreauJeanDirectProjectionOSI"},
                             {0, 0, "", "MoreauJeanCombinedProjectionOSI"}};
  chain full = of[_i];
  full.far = 1e-300;
  run a = play(&of[_i]), b = play(&full);
  ck_assert_int_eq(ns_simulation_plan(a.s)->systems_sparse, 1);
  ck_assert_int_eq(ns_simulation_plan(b.s)->systems_dense, 1);
  agree(&a, &b, 1e-12);
  ck_assert_double_eq_tol(a.x->cert->work_force, b.x->cert->work_force, 1e-11);
  ck_assert_double_eq_tol(a.x->cert->kinetic, b.x->cert->kinetic, 1e-11);
  ck_assert_double_eq_tol(a.x->cert->potential, b.x->cert->potential, 1e-11);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* i j mod 61 below 6: an expander, whose factor fills though its matrix is mostly zero. A dense
 * matrix is the smaller one. */
static double expander(const chain *k, int i, int j)
{
  (void)k;
  return i == j ? 40 : ((i + 1) * (j + 1)) % 61 < 6 ? -1 : 0;
}

START_TEST(what_fills_is_dense)
{
  size_t capacity = 20000, w;
  char *text = malloc(capacity);
  w = (size_t)snprintf(text, capacity,
                       "<model xmlns='urn:nssim:model:1' name='m'><systems><LagrangianLinearTIDS "
                       "id='s'><q0>0 ...(%d)</q0><K>",
                       N);
  w += matrix(text + w, capacity - w, NULL, expander);
  snprintf(text + w, capacity - w,
           "</K></LagrangianLinearTIDS></systems><simulation T='1'><TimeStepping "
           "h='0.1'><MoreauJeanOSI/>"
           "</TimeStepping></simulation></model>");
  run r = run_load(text, NULL);
  ck_assert_int_eq(ns_simulation_plan(r.s)->systems_dense, 1);
  run_end(&r);
  free(text);
}
END_TEST

/* A string of N masses falls on a floor under each of them but one; of more, one is held, and the
 * one without a floor rubs. */
static char *string_model(const char *scheme, int more)
{
  size_t capacity = 60000, w;
  char *text = malloc(capacity), laws[2048] = "", at[2][4 * N];
  for (int k = 0; k < 2; k++)
    for (int j = 0; j < N; j++) snprintf(at[k] + 2 * j, 4, "%d ", j == (k ? 50 : 29));
  if (more)
    snprintf(laws, sizeof laws,
             "<interaction id='h' systems='s'><LagrangianLinearTIR><H>%s</H></LagrangianLinearTIR>"
             "<EqualityConditionNSL/></interaction><interaction id='r' "
             "systems='s'><LagrangianLinearTIR><H>%s</H>"
             "</LagrangianLinearTIR><RelayNSL lb='-0.005' ub='0.005'/></interaction>",
             at[0], at[1]);
  w = (size_t)snprintf(text, capacity,
                       "<model xmlns='urn:nssim:model:1' name='m'><systems><LagrangianLinearTIDS "
                       "id='s'><q0>0.02 ...(%d)"
                       "</q0><mass band='0 ...; 0.001 ...(%d); 0 ...'/><K band='-3.6 ...; 7.2 "
                       "...(%d); -3.6 ...'/><fExt>-0.00981 ...(%d)"
                       "</fExt></LagrangianLinearTIDS></systems><interactions><interaction id='w' "
                       "systems='s'><LagrangianLinearTIR><H>",
                       N, N, N, N);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      w += (size_t)snprintf(text + w, capacity - w, "%d%s", i == j,
                            j < N - 1   ? " "
                            : i < N - 1 ? ";"
                                        : "");
  w += (size_t)snprintf(text + w, capacity - w, "</H><e>");
  for (int j = 0; j < N; j++)
    w += (size_t)snprintf(text + w, capacity - w, "%d ", j == 50 ? 10 : 0);
  snprintf(text + w, capacity - w,
           "</e></LagrangianLinearTIR><NewtonImpactNSL "
           "e='0.5'/></interaction>%s</interactions><simulation T='0.4'>"
           "<TimeStepping h='1e-3'><%s/></TimeStepping></simulation></model>",
           laws, scheme);
  return text;
}

static run string(const char *scheme, int more)
{
  char *text = string_model(scheme, more);
  run r = run_load(text, NULL);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  ck_assert_int_gt((int)r.x->cert->impacts, N);
  free(text);
  return r;
}

START_TEST(velocities_and_impulses_together_give_the_same)
{
  run a = string("MoreauJeanOSI", _i), b = string("MoreauJeanGOSI", _i);
  ck_assert_str_ne(ns_simulation_plan(a.s)->storage, "unreduced");
  ck_assert_str_eq(ns_simulation_plan(b.s)->storage, "unreduced");
  ck_assert_uint_lt(ns_simulation_plan(b.s)->nnz * 4, ns_simulation_plan(a.s)->nnz);
  agree(&a, &b, 1e-10);
  ck_assert_uint_eq(a.got.nevents, b.got.nevents);
  run_end(&a);
  run_end(&b);
}
END_TEST

/* At random moments: the same bytes. */
START_TEST(an_interrupted_run_goes_on_the_same)
{
  char *text = string_model("MoreauJeanGOSI", 1);
  ck_assert_int_eq(goes_on_the_same(text, &(change){0}, 2, 7), 1);
  free(text);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, an_interrupted_run_goes_on_the_same);
  tcase_add_loop_test(t, velocities_and_impulses_together_give_the_same, 0, 2);
  tcase_add_loop_test(t, sparse_rows_move_as_the_dense_matrix_does, 0, 9);
  tcase_add_test(t, what_fills_is_dense);
}

int main(void) { return suite_run("sparse systems", fill); }
