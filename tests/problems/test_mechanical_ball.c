/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of bounded length: one block against its law, its map against differences, many with
 * known solutions by every solver. */
#include "problems/mechanical_ball.h"
#include "problems/mechanical_work.h"
#include "problems/posed_tools.h"
#include "support/suite.h"

#include <stdio.h>

/* |r - P(r - u/scale)| over the size of r, u = W r + q. */
static double defect(int d, const double *W, double scale, double radius, const double *q,
                     const double *r)
{
  double u[6], F[6], s = 0, size = radius;
  for (int i = 0; i < d; i++) {
    u[i] = q[i];
    for (int j = 0; j < d; j++) u[i] += W[i + j * d] * r[j];
  }
  ns_ball_map(d, radius, 1 / scale, r, u, F, NULL, NULL);
  for (int i = 0; i < d; i++) s += F[i] * F[i], size = fmax(size, fabs(q[i]) / scale);
  return sqrt(s) / fmax(size, 1e-300);
}

/* W = A A^T [d x d] of so many columns, times 10^-6 ... 10^6: of full rank from d on; nearly
 * parallel columns are near 1e-8. */
static double random_matrix(int d, int columns, int near, double *W)
{
  double A[36], by = pow(10, 6 * signedu()), scale = 0;
  for (int k = 0; k < 36; k++) A[k] = signedu();
  for (int k = d; near && k < d * columns; k++) A[k] = A[k % d] + 1e-8 * A[k];
  for (int j = 0; j < d; j++)
    for (int i = 0; i < d; i++) {
      double s = 0;
      for (int k = 0; k < columns; k++) s += A[i + k * d] * A[j + k * d];
      W[i + j * d] = by * s;
      scale = fmax(scale, fabs(by * s));
    }
  return scale;
}

START_TEST(one_block_is_exact)
{
  int inside = 0, slips = 0;
  for (int n = 0; n < 20000; n++) {
    int d = 1 + n % 6, columns = n % 4 == 3 ? 1 + n / 6 % 6 : 6;
    double W[36], q[6], r[6], scale = random_matrix(d, columns, n % 7 == 5, W),
                              radius = pow(10, 3 * signedu());
    for (int i = 0; i < d; i++) {
      q[i] = scale * signedu();
      r[i] = signedu();
    }
    if (n % 11 == 0) memset(q, 0, sizeof q);
    if (n % 13 == 0) radius = 0;
    ck_assert_msg(ns_ball_solve(d, W, radius, q, r), "problem %d", n);
    double e = defect(d, W, scale, radius, q, r), length = 0;
    for (int i = 0; i < d; i++) length += r[i] * r[i];
    ck_assert_msg(e <= 1e-9, "problem %d, %d rows of rank %d: %g", n, d, columns, e);
    ck_assert_double_le(sqrt(length), radius * (1 + 1e-12));
    if (sqrt(length) < 0.999 * radius) inside++;
    else slips++;
  }
  ck_assert(inside > 2000 && slips > 2000);
}
END_TEST

/* W = 0: nothing moves, whatever r is. */
START_TEST(nothing_that_moves_is_left_alone)
{
  double W[9] = {0}, q[3] = {1, 2, 3}, r[3] = {4, 5, 6};
  ck_assert(!ns_ball_solve(3, W, 1, q, r));
  ck_assert(r[0] == 4 && r[1] == 5 && r[2] == 6);
}
END_TEST

/* A and B are the derivatives of F. */
START_TEST(map_has_its_derivatives)
{
  for (int n = 0; n < 500; n++) {
    int d = 1 + n % 6;
    double r[6], u[6], F[6], A[36], B[36], radius = n % 2 ? 0.3 : 3, rho = 0.2 + uniform();
    for (int i = 0; i < d; i++) r[i] = signedu(), u[i] = signedu();
    ns_ball_map(d, radius, rho, r, u, F, A, B);
    for (int j = 0; j < 2 * d; j++) {
      double *x = j < d ? &r[j] : &u[j - d], was = *x, up[6], down[6], h = 1e-6;
      *x = was + h;
      ns_ball_map(d, radius, rho, r, u, up, NULL, NULL);
      *x = was - h;
      ns_ball_map(d, radius, rho, r, u, down, NULL, NULL);
      *x = was;
      for (int i = 0; i < d; i++)
        ck_assert_double_eq_tol((up[i] - down[i]) / (2 * h),
                                j < d ? B[i + j * d] : A[i + (j - d) * d], 1e-7);
    }
  }
}
END_TEST

/* Balls, joints and rows with bounds, W regular or not: auto solves all, no solver says more than
 * is true, those that do not know balls say so. */
START_TEST(certified_problems)
{
  const ns_mechanical_solver_ops *ops = ns_mechanical_solvers[_i];
  int automatic = !strcmp(ops->name, "auto"), solved = 0, count = automatic ? 300 : 60,
      knows = strcmp(ops->name, "pivot") && strcmp(ops->name, "interior");
  for (int n = 0; n < count; n++) {
    static const part of[] = {{BALL, 3}, {BALL, 2}, {EQUALITY, 3}, {UNILATERAL, 1}, {RELAY, 1}};
    part parts[20];
    int nb = 1 + n % 12;
    for (int a = 0; a < nb; a++) parts[a] = of[a == 0 ? 0 : (int)(5 * uniform())];
    posed *m = posed_make(nb, parts, n % 3 ? nb + 1 : 1 + nb / 2, 0.2);
    size_t rows = (size_t)m->W.m;
    double *r = calloc(rows, sizeof *r), *u = calloc(rows, sizeof *u);
    ns_mechanical_capacity cap = {.structure = &m->W, .kind = m->kind, .symmetric = 1};
    ns_ctx c = {0};
    ns_outcome out = {.kind = NS_LIMIT};
    void *s;
    ck_assert_double_le(ns_mechanical_residual(&m->p, m->r, m->u, NULL), 1e-14);
    int rc = ops->create(&c, &cap, NULL, &s);
    if (!rc) {
      rc = ops->solve(s, &c, &m->p, NULL, r, u, &out);
      ops->destroy(s);
    }
    ck_assert_msg((rc == NS_OK) == knows, "%s: %d, %s", ops->name, rc, c.msg);
    double e = ns_mechanical_residual(&m->p, r, u, NULL);
    ck_assert_msg(rc || out.kind != NS_SOLVED || e <= 1e-8, "%s: %g", ops->name, e);
    ck_assert_msg(!automatic || out.kind == NS_SOLVED, "problem %d, %d blocks: %s, %g", n, nb,
                  ns_outcome_text(out.kind), e);
    solved += out.kind == NS_SOLVED;
    free(r), free(u);
    posed_free(m);
  }
  if (getenv("NSSIM_TALK")) printf("%-14s %d of %d\n", ops->name, solved, count);
  ck_assert_msg(solved >= (knows ? count / 2 : 0), "%s solves %d of %d", ops->name, solved, count);
}
END_TEST

static void fill(TCase *t)
{
  int n = 0;
  while (ns_mechanical_solvers[n]) n++;
  tcase_set_timeout(t, 120);
  tcase_add_test(t, one_block_is_exact);
  tcase_add_test(t, nothing_that_moves_is_left_alone);
  tcase_add_test(t, map_has_its_derivatives);
  tcase_add_loop_test(t, certified_problems, 0, n);
}

int main(void) { return suite_run("balls", fill); }
