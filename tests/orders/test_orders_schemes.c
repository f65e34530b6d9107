/* SPDX-License-Identifier: GPL-3.0-or-later */
/* V1: orders across impacts of the schemes beside Moreau-Jean, on a ball dropped from 1 m with e =
 * 1/2.
 *
 * Errors scatter with the place of the impact in the grid, so slopes are least-squares fits over
 * many step lengths: positions in the maximum norm, where a scheme holds them (D1-minus: in L1).
 * Past the accumulation at 1.3546 s every scheme rests: gap and velocity are small, and the mean
 * force is the weight. */
#include "support/run.h"

#define G 9.81

static const char *const scheme[] = {"MoreauJeanOSI",
                                     "MoreauJeanDirectProjectionOSI",
                                     "MoreauJeanCombinedProjectionOSI",
                                     "SchatzmanPaoliOSI",
                                     "D1MinusLinearOSI",
                                     "D1MinusLinearOSI variant='velocity'",
                                     "MoreauJeanGOSI"};
enum { SCHEMES = sizeof scheme / sizeof *scheme };

static run drop(const char *integrator, double h, double T)
{
  char text[2048];
  snprintf(
      text, sizeof text,
      "<model xmlns='urn:nssim:model:1' name='ball'><systems><LagrangianLinearTIDS id='ball' "
      "coordinates='x'><q0>1</q0>"
      "<mass>1</mass><fExt>-9.81</fExt></LagrangianLinearTIDS></systems><interactions><interaction "
      "id='ground' systems='ball'>"
      "<LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL "
      "e='0.5'/></interaction></interactions>"
      "<simulation T='%.17g'><TimeStepping h='%.17g'><%s/></TimeStepping></simulation></model>",
      T, h, integrator);
  run r = run_load(text, NULL);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  return r;
}

static double height(double t)
{
  double begin = sqrt(2 / G), v = 0.5 * G * begin;
  if (t < begin) return 1 - G * t * t / 2;
  while (t > begin + 2 * v / G) {
    begin += 2 * v / G;
    v *= 0.5;
  }
  t -= begin;
  return v * t - G * t * t / 2;
}

/* Mean of |q - exact| over (0, 1). */
static double distance(const char *integrator, double h)
{
  run r = drop(integrator, h, 1);
  size_t t = capture_column(&r.got, "time"), x = capture_column(&r.got, "ball.x");
  double e = 0;
  for (size_t i = 0; i < r.got.nrows; i++)
    e += h * fabs(r.got.rows[i * r.got.ncols + x] - height(r.got.rows[i * r.got.ncols + t]));
  run_end(&r);
  return e;
}

START_TEST(across_impacts_the_order_is_about_one)
{
  enum { N = 24 };
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int i = 0; i < N; i++) {
    /* 5e-3 ... 1.25e-4 */
    double h = 1 / floor(200 * pow(40, i / (N - 1.0))), a = log(h),
           b = log(distance(scheme[_i], h));
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  double slope = (N * sxy - sx * sy) / (N * sxx - sx * sx);
  ck_assert_msg(fabs(slope - 1.05) <= 0.2, "%s: order %.3f", scheme[_i], slope);
}
END_TEST

START_TEST(past_the_accumulation_it_rests)
{
  double h = 1e-3, sum = 0;
  run r = drop(scheme[_i], h, 3);
  size_t l = capture_column(&r.got, "ground.lambda");
  for (size_t i = 2001; i < r.got.nrows; i++) sum += r.got.rows[i * r.got.ncols + l];
  ck_assert_msg(fabs(sum - 9.81) <= 9.81 * 5e-3, "%s: mean force %.4f N", scheme[_i], sum);
  ck_assert_msg(fabs(r.x->q[0]) <= 1e-2, "%s: rests at %g m", scheme[_i], r.x->q[0]);
  ck_assert_msg(fabs(r.x->v[0]) <= 2 * h * G, "%s: moves at %g m/s", scheme[_i], r.x->v[0]);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, across_impacts_the_order_is_about_one, 0, SCHEMES);
  tcase_add_loop_test(t, past_the_accumulation_it_rests, 0, SCHEMES);
}

int main(void) { return suite_run("orders of schemes", fill); }
