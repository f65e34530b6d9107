/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exp(A) and the zero-order hold against closed forms; error relative to the norm of the result. */
#include "algebra/expm.h"
#include "support/suite.h"

#include <math.h>
#include <string.h>

static double apart(int n, const double *a, const double *b)
{
  double d = 0, s = 0;
  for (int i = 0; i < n; i++) d = fmax(d, fabs(a[i] - b[i])), s = fmax(s, fabs(b[i]));
  return d / s;
}

START_TEST(nilpotent_and_zero_are_exact)
{
  ns_ctx c = {0};
  double E[4], zero[4] = {0}, chain[4] = {0, 0, 0.3, 0};
  ck_assert_int_eq(ns_expm(&c, 2, zero, E), NS_OK);
  ck_assert(E[0] == 1 && E[1] == 0 && E[2] == 0 && E[3] == 1);
  ck_assert_int_eq(ns_expm(&c, 2, chain, E), NS_OK);
  ck_assert(E[0] == 1 && E[1] == 0 && E[2] == 0.3 && E[3] == 1);
}
END_TEST

/* [0, 1; -w^2, 0] turns; any scale of the norm. */
START_TEST(rotation_has_its_closed_form)
{
  static const double w[] = {1e-6, 0.1, 1, 5, 30, 300};
  ns_ctx c = {0};
  double a = w[_i], A[4] = {0, -a, a, 0}, E[4], want[4] = {cos(a), -sin(a), sin(a), cos(a)};
  ck_assert_int_eq(ns_expm(&c, 2, A, E), NS_OK);
  /* rounding grows with the squarings */
  ck_assert_double_le(apart(4, E, want), 4e-16 * fmax(4, a));
}
END_TEST

/* x' = A x + w, A = [0, 1; -4, -0.4]: Phi = exp(hA) of the damped oscillator, Psi = A^-1 (Phi - I).
 */
START_TEST(hold_of_an_oscillator)
{
  ns_ctx c = {0};
  double h = 0.3, A[4] = {0, -4, 1, -0.4}, Phi[4], Psi[4], s = 0.2, wd = sqrt(4 - s * s);
  double e = exp(-s * h), co = cos(wd * h), si = sin(wd * h) / wd;
  double want[4] = {e * (co + s * si), -4 * e * si, e * si, e * (co - s * si)}, hold[4];
  const double inv[4] = {-0.1, 1, -0.25, 0}; /* A^-1 by columns */
  for (int j = 0; j < 2; j++)
    for (int i = 0; i < 2; i++)
      hold[i + 2 * j] = inv[i] * (want[2 * j] - (j == 0)) +
                        inv[i + 2] * (want[1 + 2 * j] - (j == 1));
  ck_assert_int_eq(ns_expm_hold(&c, 2, A, h, Phi, Psi), NS_OK);
  ck_assert_double_le(apart(4, Phi, want), 1e-15);
  ck_assert_double_le(apart(4, Psi, hold), 2e-15);
}
END_TEST

START_TEST(hold_of_a_singular_matrix)
{
  ns_ctx c = {0};
  double T = 0.25, A[4] = {0, 0, 1, 0}, Phi[4], Psi[4];
  ck_assert_int_eq(ns_expm_hold(&c, 2, A, T, Phi, Psi), NS_OK);
  ck_assert(Phi[0] == 1 && Phi[1] == 0 && Phi[2] == T && Phi[3] == 1);
  ck_assert_double_le(fabs(Psi[2] - T * T / 2), 1e-17);
  ck_assert(Psi[0] == T && Psi[1] == 0 && Psi[3] == T);
}
END_TEST

START_TEST(what_is_not_finite_is_refused)
{
  ns_ctx c = {0};
  double A[1] = {NAN}, E[1];
  ck_assert_int_eq(ns_expm(&c, 1, A, E), NS_NUMERIC);
  A[0] = 1e3; /* e^1000 */
  c = (ns_ctx){0};
  ck_assert_int_eq(ns_expm(&c, 1, A, E), NS_NUMERIC);
  A[0] = -1e3;
  c = (ns_ctx){0};
  ck_assert_int_eq(ns_expm(&c, 1, A, E), NS_OK);
  ck_assert_double_eq(E[0], 0);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, nilpotent_and_zero_are_exact);
  tcase_add_loop_test(t, rotation_has_its_closed_form, 0, 6);
  tcase_add_test(t, hold_of_an_oscillator);
  tcase_add_test(t, hold_of_a_singular_matrix);
  tcase_add_test(t, what_is_not_finite_is_refused);
}

int main(void) { return suite_run("expm", fill); }
