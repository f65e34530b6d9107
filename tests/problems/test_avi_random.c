/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random problems, a thousand of each class and shape: what has a solution is solved, what has none
 * is a ray, and nothing is claimed that is not so. */
#include "problems/avi_tools.h"

#define MAX 12
#define TRIALS 1000

typedef enum shape { LCP, MLCP, BOX, SHAPES } shape;

static double chance(void) { return 0.5 * (uniform() + 1); }

/* Bounds of a row. */
static void bound(shape s, double *lb, double *ub)
{
  double c = chance();
  *lb = 0;
  *ub = INFINITY;
  if (s == MLCP && c < 0.4) *lb = -INFINITY;
  if (s != BOX) return;
  *lb = uniform();
  if (c < 0.4) *ub = *lb + chance();
  else if (c < 0.5) *ub = *lb;
  else if (c < 0.6) {
    *ub = *lb;
    *lb = -INFINITY;
  } else if (c < 0.7) *lb = -INFINITY;
}

/* A solution z, w that fits the bounds, and q for it. degenerate: chance of a bounded row to be at
 * its bound with w = 0. */
static void plant(avi_data *d, double degenerate, double *z, double *w)
{
  int n = d->n;
  for (int i = 0; i < n; i++) {
    double lb = d->lb[i], ub = d->ub[i], c = chance();
    w[i] = 0;
    if (lb == -INFINITY && ub == INFINITY) z[i] = uniform();
    else if (lb > -INFINITY && (c < 0.4 || ub == lb)) {
      z[i] = lb;
      w[i] = ub == lb ? uniform() : chance();
    } else if (ub < INFINITY && c < 0.7) {
      z[i] = ub;
      w[i] = -chance();
    } else
      z[i] = ub == INFINITY    ? lb + chance()
             : lb == -INFINITY ? ub - chance()
                               : lb + chance() * (ub - lb);
    if (chance() < degenerate && (lb > -INFINITY || ub < INFINITY)) {
      z[i] = lb > -INFINITY ? lb : ub;
      w[i] = 0;
    }
  }
  for (int i = 0; i < n; i++) {
    d->q[i] = w[i];
    for (int j = 0; j < n; j++) d->q[i] -= d->M[i + j * n] * z[j];
  }
}

typedef enum kind {
  DEFINITE,
  P_MATRIX,
  SEMIDEFINITE,
  COPOSITIVE,
  DEGENERATE,
  SCALED,
  SMALL_STEP,
  KINDS
} kind;
static const char *const kind_name[] = {"definite",   "P",      "semidefinite", "copositive-plus",
                                        "degenerate", "scaled", "small step"};

/* L (strictly lower, large) + positive diagonal, rows and columns permuted alike: a P-matrix,
 * hardly ever definite. */
static void p_matrix(int n, double *M)
{
  int at[MAX];
  for (int i = 0; i < n; i++) at[i] = i;
  for (int i = n - 1; i > 0; i--) {
    int j = (int)(chance() * (i + 1)), t = at[i];
    at[i] = at[j];
    at[j] = t;
  }
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      M[at[i] + at[j] * n] = i == j ? 0.2 + chance() : i > j ? 3 * uniform() : 0;
}

static void fill(kind k, int n, double *M)
{
  switch (k) {
  case P_MATRIX: p_matrix(n, M); return;
  case SEMIDEFINITE: semidefinite(n, (int)(chance() * n), chance() < 0.5 ? 0 : 0.5, 0, M); return;
  case COPOSITIVE:
    for (int j = 0; j < n; j++)
      for (int i = 0; i <= j; i++) M[i + j * n] = M[j + i * n] = i == j ? 0.1 + chance() : chance();
    return;
  case DEGENERATE: semidefinite(n, 1 + (int)(chance() * n), 0, chance() < 0.5 ? 0 : 0.1, M); return;
  default: semidefinite(n, n, 0.5, 0.1, M); return;
  }
}

/* Rows in units of 10^-6 to 10^6, columns as well; bounds and solution go with the columns. */
static void rescale(avi_data *d, double max)
{
  int n = d->n;
  for (int i = 0; i < n; i++) {
    double r = pow(10, max * uniform()), c = pow(10, max * uniform());
    for (int j = 0; j < n; j++) d->M[i + j * n] *= r;
    for (int j = 0; j < n; j++) d->M[j + i * n] *= c;
    d->q[i] *= r;
    d->lb[i] /= c;
    d->ub[i] /= c;
  }
}

/* M = D + h W as in circuits: D singular, skew with entries 0, 1, -1, resistances on the diagonal;
 * W definite. */
static void small_step(int n, double *M)
{
  double W[MAX * MAX];
  semidefinite(n, n, 0.3, 0.1, W);
  memset(M, 0, (size_t)n * (size_t)n * sizeof *M);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < j; i++) {
      double c = chance();
      M[i + j * n] = c < 0.3 ? 1 : c < 0.5 ? -1 : 0;
      M[j + i * n] = -M[i + j * n];
    }
  for (int i = 0; i < n; i++) M[i + i * n] = chance() < 0.5 ? chance() : 0;
  for (int i = 0; i < n * n; i++) M[i] += 1e-9 * W[i];
}

static avi_data make_problem(kind k, shape s, int n)
{
  avi_data d = avi_alloc(n);
  double z[MAX], w[MAX];
  if (k == SMALL_STEP) small_step(n, d.M);
  else fill(k, n, d.M);
  for (int i = 0; i < n; i++) bound(s, &d.lb[i], &d.ub[i]);
  plant(&d, k == DEGENERATE ? 0.6 : 0.05, z, w);
  if (k == SCALED) rescale(&d, 5);
  return d;
}

/* auto must solve all of them, from any guess, the answer the same bytes from the same guess; the
 * others may not claim falsely. */
START_TEST(solvable_problems_are_solved)
{
  int unsolved = 0, k = _i / SHAPES, s = _i % SHAPES, failed[8] = {0};
  lcp_state = (uint64_t)_i + 7;
  for (int trial = 0; trial < TRIALS; trial++) {
    int n = 1 + trial % MAX;
    avi_data d = make_problem((kind)k, (shape)s, n);
    ns_avi p = avi_of(&d);
    double z[MAX], x[MAX], guess[MAX], w[MAX];
    for (int i = 0; i < n; i++) guess[i] = z[i] = x[i] = trial % 2 ? 2 * uniform() : 0;
    ns_outcome out = avi_once("auto", &p, 0, z, w);
    avi_check("auto", &d, guess, z, w, &out);
    unsolved += out.kind != NS_SOLVED;
    avi_once("auto", &p, 0, x, w);
    ck_assert_int_eq(memcmp(x, z, (size_t)n * sizeof *x), 0);
    for (int o = 1; trial % 10 == 0 && avi_dense(o); o++) {
      if (!strcmp(ns_avi_solvers[o]->name, "enumeration") && n > 7) continue;
      memcpy(x, guess, sizeof x);
      out = avi_once(ns_avi_solvers[o]->name, &p, 0, x, w);
      avi_check(ns_avi_solvers[o]->name, &d, guess, x, w, &out);
      failed[o] += out.kind != NS_SOLVED;
    }
    avi_free(&d);
  }
  if (k <= P_MATRIX) ck_assert_int_eq(failed[1], 0); /* lemke */
  /* newton-min, from near enough */
  if (k <= P_MATRIX) ck_assert_int_eq(failed[2], 0);
  ck_assert_int_eq(k == COPOSITIVE ? 0 : failed[5], 0);     /* enumeration */
  int any = k == COPOSITIVE && s != LCP ? TRIALS / 100 : 0; /* no theorem there */
  ck_assert_msg(unsolved <= any, "%s, shape %d: %d of %d unsolved", kind_name[k], s, unsolved,
                TRIALS);
}
END_TEST

/* A bounded box and any matrix at all: Lemke's method alone finds a solution (Cao & Ferris 1996).
 */
START_TEST(bounded_boxes_are_solved_for_any_matrix)
{
  for (int trial = 0; trial < TRIALS; trial++) {
    int n = 1 + trial % MAX, whole = trial % 3 == 0;
    avi_data d = avi_alloc(n);
    double z[MAX], guess[MAX], w[MAX];
    for (int i = 0; i < n * n; i++) d.M[i] = whole ? floor(3 * uniform() + 0.5) : uniform();
    for (int i = 0; i < n; i++) {
      d.q[i] = whole ? floor(3 * uniform() + 0.5) : uniform();
      d.lb[i] = whole ? -1 : uniform();
      d.ub[i] = whole ? 1 : d.lb[i] + chance();
      guess[i] = z[i] = uniform();
    }
    ns_avi p = avi_of(&d);
    for (int o = 0; o < 2; o++) {
      memcpy(z, guess, sizeof z);
      ns_outcome out = avi_once(ns_avi_solvers[o]->name, &p, 0, z, w);
      avi_check(ns_avi_solvers[o]->name, &d, guess, z, w, &out);
      ck_assert_msg(out.kind == NS_SOLVED, "%s, trial %d: %s, residual %g", ns_avi_solvers[o]->name,
                    trial, ns_outcome_text(out.kind), out.residual);
    }
    avi_free(&d);
  }
}
END_TEST

/* M = P G P with P the projection along v, so that v^T M = 0 and v^T w = v^T q for every z; v_i = 0
 * where z_i is bounded from both sides, v_i >= 0 at lower and <= 0 at upper bounds. Where v^T q < 0
 * there is no solution: a ray. */
START_TEST(infeasible_semidefinite_problems_are_rays)
{
  for (int trial = 0; trial < TRIALS; trial++) {
    int n = 2 + trial % (MAX - 1), s = trial % SHAPES;
    avi_data d = avi_alloc(n);
    double v[MAX], guess[MAX], z[MAX], w[MAX], vv = 0, qv = 0, G[MAX * MAX];
    for (int i = 0; i < n; i++) {
      bound((shape)s, &d.lb[i], &d.ub[i]);
      int below = d.lb[i] > -INFINITY, above = d.ub[i] < INFINITY;
      v[i] = below && above ? 0 : below ? chance() : above ? -chance() : uniform();
      vv += v[i] * v[i];
      d.q[i] = uniform();
      guess[i] = z[i] = trial % 2 ? uniform() : 0;
    }
    if (vv < 0.1) {
      avi_free(&d);
      continue;
    }
    semidefinite(n, n, trial % 2 ? 0.5 : 0, 0.1, G);
    for (int j = 0; j < n; j++) /* M = P G P, P = I - v v^T / v^T v */
      for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int a = 0; a < n; a++)
          for (int b = 0; b < n; b++)
            sum += ((i == a) - v[i] * v[a] / vv) * G[a + b * n] * ((b == j) - v[b] * v[j] / vv);
        d.M[i + j * n] = sum;
      }
    for (int i = 0; i < n; i++) qv += d.q[i] * v[i];
    for (int i = 0; i < n; i++) d.q[i] -= (qv + vv) * v[i] / vv; /* v^T q = -v^T v */
    ns_avi p = avi_of(&d);
    for (int o = 0; avi_dense(o); o++) {
      const char *name = ns_avi_solvers[o]->name;
      if (o > 1 && trial % 20) break;
      if (!strcmp(name, "enumeration") && n > 7) continue;
      memcpy(z, guess, sizeof z);
      ns_outcome out = avi_once(name, &p, 0, z, w);
      avi_check(name, &d, guess, z, w, &out);
      ck_assert_msg(out.kind != NS_SOLVED, "%s, trial %d", name, trial);
      if (o < 2)
        ck_assert_msg(out.kind == NS_RAY, "%s, trial %d: %s", name, trial,
                      ns_outcome_text(out.kind));
    }
    avi_free(&d);
  }
}
END_TEST

/* Blocks and dense, the same bytes; blocks of mixed sizes. */
START_TEST(blocks_and_dense_agree)
{
  static const int dim[] = {1, 2, 3, 4, 2};
  for (int trial = 0; trial < 100; trial++) {
    avi_data d = make_problem((kind)(trial % KINDS), BOX, 12);
    double x[MAX] = {0}, y[MAX] = {0}, v[MAX], w[MAX];
    sparse s = sparse_of(12, d.M, trial % 2 ? 5 : 12, trial % 2 ? dim : NULL);
    ns_avi p = avi_of(&d), b = p;
    b.dense = NULL;
    b.blocks = &s.A;
    for (int o = 0; avi_dense(o); o++) {
      if (!strcmp(ns_avi_solvers[o]->name, "enumeration")) continue;
      ns_outcome one = avi_once(ns_avi_solvers[o]->name, &p, 0, x, v);
      ns_outcome two = avi_once(ns_avi_solvers[o]->name, &b, 0, y, w);
      ck_assert_int_eq(one.kind, two.kind);
      ck_assert_int_eq(memcmp(x, y, sizeof x), 0);
      ck_assert_double_eq(one.residual, two.residual);
      ck_assert_double_eq(one.residual, ns_avi_residual(&p, x, v));
      ck_assert_double_eq(one.residual, ns_avi_residual(&b, x, w));
    }
    sparse_free(&s);
    avi_free(&d);
  }
}
END_TEST

/* A NaN or an infinity anywhere in M or q, a bound that is none: an end, no claim, the guess back.
 */
START_TEST(nonsense_is_reported)
{
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int trial = 0; trial < 60; trial++) {
    int n = 1 + trial % 6;
    avi_data d = make_problem(DEFINITE, BOX, n);
    double z[MAX], guess[MAX], w[MAX];
    ns_avi p = avi_of(&d);
    for (int o = 0; avi_dense(o); o++)
      for (int b = 0; b < 3; b++)
        for (int at = 0; at < n * n + n; at += 1 + n / 3) {
          double *x = at < n * n ? &d.M[at] : &d.q[at - n * n], keep = *x;
          for (int i = 0; i < n; i++) guess[i] = z[i] = uniform();
          *x = bad[b];
          ns_outcome out = avi_once(ns_avi_solvers[o]->name, &p, 0, z, w);
          ck_assert_msg(out.kind == NS_NOT_FINITE, "%s, %g at %d, n %d: %s",
                        ns_avi_solvers[o]->name, bad[b], at, n, ns_outcome_text(out.kind));
          ck_assert_int_eq(memcmp(z, guess, sizeof(double) * (size_t)n), 0);
          *x = keep;
        }
    for (int o = 0; avi_dense(o); o++) { /* a NaN in the guess is no more than a bad guess */
      if (!strcmp(ns_avi_solvers[o]->name, "pgs")) continue;
      for (int i = 0; i < n; i++) z[i] = NAN;
      ck_assert_int_eq(avi_once(ns_avi_solvers[o]->name, &p, 0, z, w).kind, NS_SOLVED);
      ck_assert_double_le(avi_oracle(&d, z), 1.01e-10);
    }
    avi_free(&d);
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("avi_random");
  TCase *t = tcase_create("avi_random");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, solvable_problems_are_solved, 0, KINDS * SHAPES);
  tcase_add_test(t, bounded_boxes_are_solved_for_any_matrix);
  tcase_add_test(t, infeasible_semidefinite_problems_are_rays);
  tcase_add_test(t, blocks_and_dense_agree);
  tcase_add_test(t, nonsense_is_reported);
  suite_add_tcase(s, t);
  return suite_end(s);
}
