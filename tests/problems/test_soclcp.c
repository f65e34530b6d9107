/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Complementarity on second-order cones: planted solutions of definite and semi-definite problems,
 * cones of one row against the LCP, one cone in closed form. */
#include "problems/soclcp.h"

#include "support/suite.h"

#include <math.h>
#include <string.h>

enum { MAX = 60 };

typedef struct planted {
  ns_soclcp p;
  double M[MAX * MAX], q[MAX], tau[MAX], z[MAX], w[MAX], x[MAX];
  int first[MAX + 1];
} planted;

static unsigned long long seed;

static double uniform(void)
{
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(seed >> 11) * 0x1p-52 - 1;
}

/* M = A A^T of that rank, and a skew part. */
static void fill_matrix(planted *k, int n, int rank, double skew)
{
  double A[MAX * MAX];
  for (int i = 0; i < n * rank; i++) A[i] = uniform();
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int r = 0; r < rank; r++) sum += A[i + r * n] * A[j + r * n];
      k->M[i + j * n] = sum;
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      double s = skew * uniform();
      k->M[i + j * n] += s;
      k->M[j + i * n] -= s;
    }
}

/* z and w of one cone: inside and 0, 0 and inside of the dual one, or on the edges of both. */
static void plant(planted *k, int a)
{
  int at = k->first[a], d = k->first[a + 1] - at;
  double t = 0, *z = k->z + at, *w = k->w + at, tau = k->tau[a], how = uniform();
  for (int i = 1; i < d; i++) z[i] = uniform();
  for (int i = 1; i < d; i++) t = hypot(t, z[i]);
  memset(w, 0, (size_t)d * sizeof *w);
  if (how < -0.3) {
    z[0] = t / tau + 0.1;
  } else if (how < 0.3) {
    memcpy(w, z, (size_t)d * sizeof *w);
    memset(z, 0, (size_t)d * sizeof *z);
    w[0] = t * tau + 0.1;
  } else {
    double size = 0.1 + fabs(uniform());
    z[0] = t / tau;
    for (int i = 1; i < d; i++) w[i] = -size * z[i];
    w[0] = d > 1 ? tau * size * t : 1;
    if (d == 1) z[0] = 0;
  }
}

static void make(planted *k, int rank, int largest)
{
  int n = 0, nc = 0, size = 10 + (int)(20 * (uniform() + 1));
  memset(k, 0, sizeof *k);
  for (; n < size; nc++) {
    k->first[nc] = n;
    k->tau[nc] = 0.1 + fabs(uniform());
    n += 1 + (int)((uniform() + 1) / 2 * largest);
    if (n > MAX) n = MAX;
  }
  k->first[nc] = n;
  fill_matrix(k, n, rank > 0 ? rank : n, 0.3);
  for (int a = 0; a < nc; a++) plant(k, a);
  for (int i = 0; i < n; i++) {
    k->q[i] = k->w[i];
    for (int j = 0; j < n; j++) k->q[i] -= k->M[i + j * n] * k->z[j];
  }
  k->p = (ns_soclcp){.n = n, .nc = nc, .M = k->M, .q = k->q, .first = k->first, .tau = k->tau};
}

static ns_outcome solve(const ns_soclcp *p, double *z, double *w)
{
  ns_ctx c = {0};
  ns_outcome out;
  ns_soclcp_solver *s = NULL;
  ck_assert_int_eq(ns_soclcp_create(&c, p->n, NULL, &s), NS_OK);
  memset(z, 0, (size_t)p->n * sizeof *z);
  ck_assert_int_eq(ns_soclcp_solve(s, p, z, w, &out), NS_OK);
  ns_soclcp_destroy(s);
  ck_assert_double_eq_tol(out.residual, ns_soclcp_residual(p, z, w), 1e-16);
  return out;
}

/* Definite: the solution is unique. Half the rank: w is that of M z. */
START_TEST(planted_solutions_are_found)
{
  planted k;
  double w[MAX];
  seed = 11;
  for (int trial = 0; trial < 60; trial++) {
    make(&k, _i ? 8 : 0, 6);
    ck_assert_double_le(ns_soclcp_residual(&k.p, k.z, w), 1e-14);
    ns_outcome out = solve(&k.p, k.x, w);
    ck_assert_msg(out.kind == NS_SOLVED, "trial %d, %d rows: residual %g", trial, k.p.n,
                  out.residual);
    ck_assert_double_le(out.residual, 1e-10);
  }
}
END_TEST

/* Of one row each: the LCP. */
START_TEST(cones_of_one_row_are_an_lcp)
{
  planted k;
  double w[MAX], z[MAX], v[MAX];
  seed = 5;
  for (int trial = 0; trial < 20; trial++) {
    make(&k, 0, 1);
    ns_lcp p = {.n = k.p.n, .dense = k.M, .ld = k.p.n, .q = k.q};
    ck_assert_int_eq(solve(&k.p, z, w).kind, NS_SOLVED);
    ck_assert_double_le(ns_lcp_residual(&p, z, v), 1e-8);
  }
}
END_TEST

/* M = 1: z is the projection of -q, w that of q on the dual cone. */
START_TEST(identity_is_a_projection)
{
  static const double q[] = {0.5, 3, 4}, tau = 0.5;
  double M[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, z[3], w[3];
  int first[] = {0, 3};
  ns_soclcp p = {.n = 3, .nc = 1, .M = M, .q = q, .first = first, .tau = &tau};
  ck_assert_int_eq(solve(&p, z, w).kind, NS_SOLVED);
  double n = (-0.5 + 0.5 * 5) / 1.25;
  ck_assert_double_eq_tol(z[0], n, 1e-9);
  ck_assert_double_eq_tol(z[1], -0.5 * n * 0.6, 1e-9);
  ck_assert_double_eq_tol(z[2], -0.5 * n * 0.8, 1e-9);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, planted_solutions_are_found, 0, 2);
  tcase_add_test(t, cones_of_one_row_are_an_lcp);
  tcase_add_test(t, identity_is_a_projection);
}

int main(void) { return suite_run("second-order cones", fill); }
