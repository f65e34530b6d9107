/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Impacts of many contacts: random chains make no energy, and come to what fine increments of the
 * published scheme come to. NSSIM_CHAINS: number of random chains (30). */
#include "problems/multiple_impact.h"

#include "support/suite.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BALLS = 100 };

typedef struct chain {
  ns_multiple_impact p;
  int row[BALLS + 1], col[3 * BALLS];
  double val[3 * BALLS], K[BALLS], eta[BALLS], e[BALLS];
  double ydot[BALLS], before[BALLS], P[BALLS], work[NS_MULTIPLE_IMPACT_WORK(BALLS)];
} chain;

static unsigned long long seed;

static double uniform(void)
{
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(seed >> 11) * 0x1p-53;
}

/* n balls in touch in a line, the first of which comes with 1 m/s; spread: decades of masses and
 * stiffnesses. */
static void make(chain *c, int n, double spread, double e)
{
  double w[BALLS + 1];
  int at = 0, m = n - 1;
  memset(c, 0, sizeof *c);
  for (int i = 0; i < n; i++) w[i] = pow(10, spread * (uniform() - 0.5));
  for (int i = 0; i < m; i++) {
    c->row[i] = at;
    for (int j = i - 1; j <= i + 1; j++) {
      if (j < 0 || j >= m) continue;
      c->col[at] = j;
      c->val[at++] = i == j ? w[i] + w[i + 1] : -w[i < j ? j : i];
    }
    c->K[i] = pow(10, 2 * spread * (uniform() - 0.5));
    c->eta[i] = uniform() < 0.5 ? 1.5 : 1;
    c->e[i] = e >= 0 ? e : uniform();
  }
  c->row[m] = at;
  c->before[0] = -1;
  c->p = (ns_multiple_impact){.n = m,
                              .row = c->row,
                              .col = c->col,
                              .val = c->val,
                              .K = c->K,
                              .eta = c->eta,
                              .e = c->e,
                              .max = 2000000};
}

static double kinetic_gain(const chain *c)
{
  double gain = 0;
  for (int i = 0; i < c->p.n; i++) gain += c->P[i] * (c->before[i] + c->ydot[i]) / 2;
  return gain;
}

static long solve(chain *c)
{
  memcpy(c->ydot, c->before, sizeof c->ydot);
  return ns_multiple_impact_solve(&c->p, c->work, c->ydot, c->P);
}

static void is_an_impact(const chain *c)
{
  double brought = 1 / (2 * c->val[0]);
  ck_assert_double_le(kinetic_gain(c), 1e-12 * brought);
  for (int i = 0; i < c->p.n; i++) {
    ck_assert_double_ge(c->P[i], -1e-12 * c->P[0]);
    ck_assert_double_ge(c->ydot[i], -1e-8 * sqrt(c->val[0]) * 100);
  }
}

/* Any length, masses, stiffnesses, restitutions; the largest increment small, larger than the
 * impact, or left out. */
START_TEST(no_chain_makes_energy)
{
  const char *wish = getenv("NSSIM_CHAINS");
  int chains = wish ? atoi(wish) : 30;
  chain c;
  seed = 7;
  for (int k = 0; k < chains; k++) {
    int n = 2 + (int)(uniform() * (BALLS - 1));
    double spread = 2 * uniform();
    make(&c, k % 4 ? n : 2 + n % 5, spread, k % 3 == 0 ? 1 : k % 7 == 0 ? 0 : -1);
    c.p.mono = k % 5 == 0;
    c.p.dP = k % 6 == 1 ? 1e-3 / c.val[0] : k % 6 == 2 ? 1e3 : 0;
    long steps = solve(&c);
    ck_assert_msg(steps > 0, "chain %d of %d balls: %ld", k, n, steps);
    is_an_impact(&c);
    if (k % 3 == 0) ck_assert_double_le(fabs(kinetic_gain(&c)), 1e-12 / c.val[0]);
  }
}
END_TEST

/* The chains that made up to 18 J of 0.016 J. */
START_TEST(long_chains_of_equal_balls_keep_energy)
{
  static const int length[] = {50, 68, 80, 100};
  chain c;
  make(&c, length[_i], 0, 1);
  for (int i = 0; i < c.p.n; i++) c.eta[i] = 1.5;
  ck_assert_int_gt(solve(&c), 0);
  ck_assert_double_le(fabs(kinetic_gain(&c)), 1e-15);
}
END_TEST

/* Two ways: first-order increments, the finer the nearer. */
START_TEST(fine_increments_come_to_the_same)
{
  chain c, fine;
  seed = 100 + (unsigned)_i;
  make(&c, 2 + _i % 4, 0.6, _i % 3 == 0 ? 1 : _i % 3 == 1 ? 0.3 + 0.6 * uniform() : -1);
  c.p.mono = _i % 2;
  ck_assert_int_gt(solve(&c), 0);
  double error[2], brought = 1 / c.val[0];
  for (int k = 0; k < 2; k++) {
    fine = c;
    fine.p.row = fine.row, fine.p.col = fine.col, fine.p.val = fine.val;
    fine.p.K = fine.K, fine.p.eta = fine.eta, fine.p.e = fine.e;
    fine.p.dP = brought * (k ? 1e-5 : 1e-4);
    fine.p.max = 100000000;
    memcpy(fine.ydot, fine.before, sizeof fine.ydot);
    ck_assert_int_gt(ns_multiple_impact_march(&fine.p, fine.work, fine.ydot, fine.P), 0);
    error[k] = 0;
    for (int i = 0; i < c.p.n; i++) error[k] = fmax(error[k], fabs(fine.ydot[i] - c.ydot[i]));
  }
  ck_assert_double_le(error[0], 1e-3);
  ck_assert_double_le(error[1], 1e-4);
}
END_TEST

/* One contact gives back e of its velocity, whatever its law. */
START_TEST(a_single_contact_has_its_restitution)
{
  static const double e[] = {0, 1e-9, 1e-3, 0.1, 0.5, 0.9, 0.999, 1};
  chain c;
  for (int mono = 0; mono < 2; mono++)
    for (size_t k = 0; k < sizeof e / sizeof *e; k++) {
      make(&c, 2, 1, e[k]);
      c.p.mono = mono;
      ck_assert_int_gt(solve(&c), 0);
      ck_assert_double_eq_tol(c.ydot[0], e[k], 1e-8);
    }
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 900);
  tcase_add_test(t, no_chain_makes_energy);
  tcase_add_loop_test(t, long_chains_of_equal_balls_keep_energy, 0, 4);
  tcase_add_loop_test(t, fine_increments_come_to_the_same, 0, 12);
  tcase_add_test(t, a_single_contact_has_its_restitution);
}

int main(void) { return suite_run("multiple impacts", fill); }
