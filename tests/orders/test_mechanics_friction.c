/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dry friction against closed forms: inclines, oscillators, rolling, rocking, piles, the
 * woodpecker. */
#include "support/mechanics.h"

static double pi(void) { return acos(-1); }

static double cell(const run *r, size_t i, const char *label)
{
  return r->got.rows[i * r->got.ncols + capture_column(&r->got, label)];
}

/* ---- block on an incline --------------------------------------------------------------------- */

static run incline(double alpha, double mu, double v0, double h, double T)
{
  return mechanics(
      "<parameters><parameter name='a' value='%.17g'/></parameters><systems><LagrangianLinearTIDS "
      "id='block' "
      "coordinates='s n'><q0>0 0</q0><v0>%.17g 0</v0><mass>2 0; 0 2</mass><fExt>2*9.81*sin(a), "
      "-2*9.81*cos(a)"
      "</fExt></LagrangianLinearTIDS></systems><interactions><interaction id='c' systems='block'>"
      "<LagrangianLinearTIR><H>0 1; 1 0</H></LagrangianLinearTIR><NewtonImpactFrictionNSL en='0.5' "
      "mu='%.17g'/>"
      "</interaction></interactions><simulation T='%.17g'><TimeStepping h='%.17g'><MoreauJeanOSI/>"
      "</TimeStepping></simulation>",
      alpha, v0, mu, T, h);
}

/* Sliding both ways: the acceleration is constant, so that the scheme is exact. */
START_TEST(block_slides_with_its_acceleration)
{
  static const struct {
    double alpha, mu, v0;
  } row[] = {{0.5, 0.4, 1}, {0.5, 0.4, -5}, {0.3, 0.4, 3}, {0.3, 0, 0}};
  double a = row[_i].alpha, mu = row[_i].mu, v0 = row[_i].v0, T = 0.5;
  run r = incline(a, mu, v0, 1e-3, T);
  double acc = G * (sin(a) - copysign(mu, v0) * cos(a));
  run_all(&r);
  const double want[] = {v0 * T + acc * T * T / 2, v0 + acc * T};
  near(r.x->q, want, 1, 1e-13);
  near(r.x->v, want + 1, 1, 1e-13);
  ck_assert_double_eq_tol(r.x->lambda[0] / 1e-3, 2 * G * cos(a), 1e-11);
  ck_assert_double_eq_tol(r.x->lambda[1], -copysign(mu, v0) * r.x->lambda[0], 1e-16);
  ck_assert_double_eq(r.x->q[1], 0);
  run_end(&r);
}
END_TEST

/* Downhill and uphill it stops within a step of t_s, after v0 t_s / 2, and then does not creep:
 * 10^5 steps. */
START_TEST(block_stops_and_stays)
{
  static const double speed[] = {2, -2};
  double a = 0.3, mu = 0.4, v0 = speed[_i], h = 1e-3;
  double ts = fabs(v0) / (G * (mu * cos(a) - copysign(sin(a), v0))), stopped = -1, at = 0;
  run r = incline(a, mu, v0, h, 100 + 2);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  for (size_t i = 1; i < r.got.nrows; i++) {
    double v = cell(&r, i, "block.v_s");
    if (stopped < 0 && fabs(v) < 1e-12) stopped = cell(&r, i, "time"), at = cell(&r, i, "block.s");
    if (stopped >= 0) ck_assert_double_le(fabs(v), 1e-16);
  }
  ck_assert_double_eq_tol(stopped, ts + h / 2, h / 2 + 1e-12);
  ck_assert_double_eq_tol(at, v0 * ts / 2, fabs(v0) * h);
  ck_assert_double_eq_tol(r.x->q[0], at, 1e-14);
  ck_assert_double_eq_tol(r.x->lambda[1] / h, -2 * G * sin(a), 1e-11);
  ck_assert_double_eq_tol(r.x->lambda[0] / h, 2 * G * cos(a), 1e-11);
  run_end(&r);
}
END_TEST

/* Two corners, four rows for three degrees of freedom: rests up to tan alpha = mu, slides from
 * there on. */
START_TEST(block_on_two_corners_slips_at_its_friction_angle)
{
  static const double part[] = {1 - 1e-7, 1 + 1e-7, 1.2};
  double mu = 0.4, alpha = atan(mu * part[_i]), h = 1e-2;
  run r = mechanics(
      "<parameters><parameter name='a' value='%.17g'/></parameters><systems><LagrangianLinearTIDS "
      "id='block' "
      "coordinates='s n phi'><q0>0 1 0</q0><v0>0 0 0</v0><mass diag='1 1 5/3'/><fExt>9.81*sin(a), "
      "-9.81*cos(a), 0"
      "</fExt></LagrangianLinearTIDS></systems><interactions>"
      "<interaction id='down' systems='block'><LagrangianLinearTIR><H>0 1 2; 1 0 1</H><e>-1.000001 "
      "0</e>"
      "</LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' mu='0.4'/></interaction>"
      "<interaction id='up' systems='block'><LagrangianLinearTIR><H>0 1 -2; 1 0 1</H><e>-1.000001 "
      "0</e>"
      "</LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' "
      "mu='0.4'/></interaction></interactions>"
      "<simulation T='1'><TimeStepping h='%.17g'><MoreauJeanOSI/></TimeStepping></simulation>",
      alpha, h);
  run_all(&r);
  double acc = fmax(0, G * (sin(alpha) - mu * cos(alpha)));
  ck_assert_double_eq_tol(r.x->v[0], acc, 1e-10);
  ck_assert_double_eq_tol(r.x->q[0], acc / 2, 1e-10);
  ck_assert_double_le(fabs(r.x->v[1]) + fabs(r.x->v[2]), 1e-10);
  ck_assert_double_eq_tol(r.x->lambda[0] + r.x->lambda[2], h * G * cos(alpha), 1e-10);
  run_end(&r);
}
END_TEST

/* ---- oscillators ----------------------------------------------------------------------------- */

/* Friction of bounded force as a relay. */
static run relay_oscillator(double h, double T)
{
  return mechanics(
      "<systems><LagrangianLinearTIDS id='m' coordinates='x'><q0>0.103</q0><mass>1</mass><K>100</K>"
      "</LagrangianLinearTIDS></systems><interactions><interaction id='f' "
      "systems='m'><LagrangianLinearTIR>"
      "<H>1</H></LagrangianLinearTIR><RelayNSL lb='-0.5' ub='0.5'/></interaction></interactions>"
      "<simulation T='%.17g'><TimeStepping h='%.17g'><MoreauJeanOSI/></TimeStepping></simulation>",
      T, h);
}

/* Loses 2 f/k in each half period, comes to rest at x = 0.003 and t = pi. */
START_TEST(relay_stops_an_oscillator)
{
  static const double h[] = {1e-2, 1e-3, 1e-4}, want[] = {0.0031288, 0.0030012, 0.0030000147};
  static const double digits[] = {5e-8, 5e-8, 5e-11};
  double err[3];
  for (int k = 0; k < 3; k++) {
    double stop = -1;
    run r = relay_oscillator(h[k], 4);
    ck_assert_int_eq(run_keep(&r), NS_OK);
    near(r.x->q, &want[k], 1, digits[k]);
    ck_assert_double_le(fabs(r.x->v[0]), 1e-16);
    err[k] = r.x->q[0] - 0.003;
    for (size_t i = 0; i < r.got.nrows; i++)
      if (fabs(cell(&r, i, "m.v_x")) > 1e-12) stop = cell(&r, i, "time") + h[k];
    ck_assert_double_eq_tol(stop, pi(), 2.5 * h[k]);
    run_end(&r);
  }
  ck_assert_double_eq_tol(slope(h, err, 3), 2, 0.1);
}
END_TEST

/* The same by Coulomb under the weight: mu m g = 0.3 * 9.81, three half periods. */
START_TEST(coulomb_stops_an_oscillator)
{
  static const double h[] = {1e-3, 1e-4};
  double err[2], delta = 0.3 * G / 100;
  for (int k = 0; k < 2; k++) {
    double stop = -1;
    run r = mechanics(
        "<systems><LagrangianLinearTIDS id='m' coordinates='x y'><q0>0.2 0</q0><mass>1 0; 0 "
        "1</mass>"
        "<K>100 0; 0 0</K><fExt>0 "
        "-9.81</fExt></LagrangianLinearTIDS></systems><interactions><interaction id='c' "
        "systems='m'><LagrangianLinearTIR><H>0 1; 1 "
        "0</H></LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' "
        "mu='0.3'/></interaction></interactions><simulation T='1.2'><TimeStepping "
        "h='%.17g'><MoreauJeanOSI/>"
        "</TimeStepping></simulation>",
        h[k]);
    ck_assert_int_eq(run_keep(&r), NS_OK);
    err[k] = fabs(r.x->q[0] + 0.2 - 6 * delta);
    for (size_t i = 0; i < r.got.nrows; i++)
      if (fabs(cell(&r, i, "m.v_x")) > 1e-12) stop = cell(&r, i, "time") + h[k];
    ck_assert_double_eq_tol(stop, 0.9424777961, 2 * h[k]);
    /* what is lost of the energy of the spring is what friction took */
    ck_assert_double_eq_tol(r.x->cert->work_friction, 50 * (r.x->q[0] * r.x->q[0] - 0.04), 1e-12);
    run_end(&r);
  }
  ck_assert_double_le(err[0], 1e-4);
  ck_assert_double_le(err[1], 1e-6);
}
END_TEST

/* A spring pulled at V = 0.1: sticks until t1 = 0.2943, then v = V (1 - cos w (t - t1)), which
 * touches zero and never passes. */
START_TEST(pulled_block_slips_without_going_back)
{
  double h[3] = {1e-3, 5e-4, 2.5e-4}, err[3] = {0};
  for (int k = 0; k < 3; k++) {
    run r = mechanics(
        "<systems><LagrangianLinearTIDS id='m' coordinates='x y'><q0>0 0</q0><mass>1 0; 0 1</mass>"
        "<K>100 0; 0 0</K><fExt>100*0.1*t, "
        "-9.81</fExt></LagrangianLinearTIDS></systems><interactions>"
        "<interaction id='c' systems='m'><LagrangianLinearTIR><H>0 1; 1 0</H></LagrangianLinearTIR>"
        "<NewtonImpactFrictionNSL en='0' mu='0.3'/></interaction></interactions><simulation "
        "T='0.9'>"
        "<TimeStepping h='%.17g'><MoreauJeanOSI/></TimeStepping></simulation>",
        h[k]);
    ck_assert_int_eq(run_keep(&r), NS_OK);
    for (size_t i = 0; i < r.got.nrows; i++) {
      double t = cell(&r, i, "time"), v = cell(&r, i, "m.v_x"), t1 = 0.3 * G / 10;
      ck_assert_double_ge(v, -1e-15);
      err[k] = fmax(err[k], fabs(v - (t > t1 ? 0.1 * (1 - cos(10 * (t - t1))) : 0)));
    }
    run_end(&r);
  }
  ck_assert_double_le(err[2], 0.1 * 10 * h[2]);
  ck_assert_double_ge(slope(h, err, 3), 0.9);
}
END_TEST

/* x'' + x + rho Sgn x' = cos(beta t) without stops: the amplitude of Den Hartog (1931). */
START_TEST(forced_oscillator_has_its_amplitude)
{
  static const struct {
    double beta, rho, max, steps;
  } row[] = {
      {0.6, 0.2, 1.55060285469, 0.5}, {1.3, 0.5, 1.0353280077, 0.5}, {0.8, 0.3, 2.62610487572, 2}};
  double b = row[_i].beta, V = 1 / (1 - b * b), U = sin(pi() / b) / (b * (1 + cos(pi() / b)));
  ck_assert_double_eq_tol(row[_i].max, sqrt(V * V - row[_i].rho * row[_i].rho * U * U), 1e-10);
  /* it starts from its turning point */
  double phase = atan2(row[_i].rho * U / V, row[_i].max / V);
  double T = 2 * pi() / b, h[2] = {T / 1000, T / 10000}, err[2];
  for (int k = 0; k < 2; k++) {
    double max = 0;
    run r = mechanics(
        "<systems><LagrangianLinearTIDS id='m' "
        "coordinates='x'><q0>%.17g</q0><mass>1</mass><K>1</K><fExt>cos(%.17g*t+%.17g)"
        "</fExt></LagrangianLinearTIDS></systems><interactions><interaction id='f' systems='m'>"
        "<LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><RelayNSL lb='%.17g' "
        "ub='%.17g'/></interaction>"
        "</interactions><simulation T='%.17g'><TimeStepping "
        "h='%.17g'><MoreauJeanOSI/></TimeStepping></simulation>",
        row[_i].max, b, phase, -row[_i].rho, row[_i].rho, 20 * T, h[k]);
    ck_assert_int_eq(run_keep(&r), NS_OK);
    for (size_t i = r.got.nrows * 9 / 10; i < r.got.nrows; i++)
      max = fmax(max, fabs(cell(&r, i, "m.x")));
    err[k] = fabs(max - row[_i].max);
    /* it is one instant in the grid where it turns: no slope */
    ck_assert_double_le(err[k], row[_i].steps * h[k]);
    run_end(&r);
  }
}
END_TEST

/* ---- slip to roll ---------------------------------------------------------------------------- */

/* A sphere that slides begins to roll at t = 2 v0/(7 mu g) with v = 5 v0/7, exactly; positions by
 * theta = 1 as computed with an independent program. */
START_TEST(sphere_begins_to_roll)
{
  static const double h[] = {1e-2, 1e-3, 1e-4}, x[] = {1.89725, 1.90109, 1.90147};
  double err[3];
  for (int k = 0; k < 3; k++) {
    double rolls = -1;
    run r = mechanics(
        "<systems><LagrangianLinearTIDS id='s' coordinates='x y phi'><q0>0 0 0</q0><v0>3 0 0</v0>"
        "<mass diag='1 1 0.004'/><fExt>0 -9.81 "
        "0</fExt></LagrangianLinearTIDS></systems><interactions>"
        "<interaction id='c' systems='s'><LagrangianLinearTIR><H>0 1 0; 1 0 "
        "0.1</H></LagrangianLinearTIR>"
        "<NewtonImpactFrictionNSL en='0' mu='0.2'/></interaction></interactions><simulation "
        "T='0.8'>"
        "<TimeStepping h='%.17g'><MoreauJeanOSI theta='1'/></TimeStepping></simulation>",
        h[k]);
    ck_assert_int_eq(run_keep(&r), NS_OK);
    ck_assert_double_eq_tol(r.x->v[0], 15. / 7, 1e-12); /* rounding of 4400 steps that slide */
    ck_assert_double_eq_tol(r.x->v[2], -150. / 7, 1e-11);
    for (size_t i = 0; i < r.got.nrows && rolls < 0; i++)
      if (fabs(r.got.rows[i * r.got.ncols + capture_column(&r.got, "s.v_x")] - 15. / 7) < 1e-9)
        rolls = cell(&r, i, "time");
    ck_assert_double_eq_tol(rolls, 0.4368719965 + h[k] / 2, h[k] / 2 + 1e-9);
    ck_assert_double_eq_tol(r.x->q[0], x[k], 5.1e-6);
    err[k] = fabs(r.x->q[0] - 1.901516570);
    run_end(&r);
  }
  ck_assert_double_eq_tol(slope(h, err, 3), 1, 0.05);
}
END_TEST

/* ---- rocking block --------------------------------------------------------------------------- */

/* Housner (1963): from theta0 = alpha/2, tan alpha = 1/4, R = 1, the block lands after
 * 0.486375486873 s at -0.573673955266 rad/s and keeps r = 1 - 3/2 sin^2 alpha = 0.911764705882 of
 * it about the other corner. */
START_TEST(block_rocks)
{
  double h[3] = {1e-3, 5e-4, 2.5e-4}, err[3];
  for (int k = 0; k < 3; k++) {
    run r = mechanics(
        "<parameters><parameter name='b' value='1/sqrt(17)'/><parameter name='c' "
        "value='4/sqrt(17)'/>"
        "<parameter name='th' value='-atan(1/4)/2'/></parameters><systems><LagrangianDS id='b' "
        "coordinates='x y a'>"
        "<q0>0, c*cos(th)-b*sin(th), th</q0><v0>0 0 0</v0><mass>1 0 0; 0 1 0; 0 0 1/3</mass>"
        "<fInt>0, 9.81, 0</fInt></LagrangianDS></systems><interactions>"
        "<interaction id='right' systems='b'><LagrangianScleronomousR><h>y+b*sin(a)-c*cos(a)</h>"
        "<H>0, 1, b*cos(a)+c*sin(a); 1, 0, -b*sin(a)+c*cos(a)</H></LagrangianScleronomousR>"
        "<NewtonImpactFrictionNSL en='0' mu='3'/></interaction>"
        "<interaction id='left' systems='b'><LagrangianScleronomousR><h>y-b*sin(a)-c*cos(a)</h>"
        "<H>0, 1, -b*cos(a)+c*sin(a); 1, 0, b*sin(a)+c*cos(a)</H></LagrangianScleronomousR>"
        "<NewtonImpactFrictionNSL en='0' mu='3'/></interaction></interactions><simulation T='0.6'>"
        "<TimeStepping h='%.17g'><MoreauJeanOSI gamma='0.5'/></TimeStepping></simulation>",
        h[k]);
    ck_assert_int_eq(run_keep(&r), NS_OK);
    size_t hit = 0;
    for (size_t i = 1; i < r.got.nrows && !hit; i++)
      if (cell(&r, i, "b.a") >= -2e-3 && cell(&r, i, "left.lambda[0]") > 0) hit = i;
    ck_assert_uint_gt(hit, 0);
    ck_assert_double_eq_tol(cell(&r, hit, "time"), 0.486375486873, 2 * h[k]);
    ck_assert_double_eq_tol(cell(&r, hit - 1, "b.v_a"), 0.573673955266, 2 * h[k]);
    ck_assert_double_eq(cell(&r, hit, "right.lambda[0]"), 0); /* the old corner is free */
    err[k] = fabs(cell(&r, hit, "b.v_a") / cell(&r, hit - 1, "b.v_a") - 0.911764705882);
    run_end(&r);
  }
  ck_assert_double_le(err[2], 4 * h[2]);
  ck_assert_double_eq_tol(slope(h, err, 3), 1, 0.05);
}
END_TEST

/* ---- three cylinders ------------------------------------------------------------------------- */

/* Two on the ground that touch without force, one on top: rests where mu >= tan 15 degrees between
 * cylinders and a third of that on the ground. */
START_TEST(three_cylinders_stand_or_fall)
{
  static const struct {
    double part, ground;
    int stands;
  } row[] = {{1.02, 1, 1}, {0.98, 1, 0}, {2, 1.02, 1}, {2, 0.98, 0}};
  double mu = row[_i].part * (2 - sqrt(3)),
         mg = row[_i].ground * (2 - sqrt(3)) / 3 * (row[_i].ground == 1 ? 3 : 1), fall = 0;
  run r = mechanics(
      "<parameters><parameter name='s' value='sqrt(3)/2'/></parameters><systems>"
      "<LagrangianLinearTIDS id='l' coordinates='x y a'><q0>-1 0 0</q0><mass diag='1 1 "
      "0.5'/><fExt>0 -9.81 0</fExt></LagrangianLinearTIDS>"
      "<LagrangianLinearTIDS id='r' coordinates='x y a'><q0>1 0 0</q0><mass diag='1 1 "
      "0.5'/><fExt>0 -9.81 0</fExt></LagrangianLinearTIDS>"
      "<LagrangianLinearTIDS id='t' coordinates='x y a'><q0>0, 2*s, 0</q0><mass diag='1 1 "
      "0.5'/><fExt>0 -9.81 0</fExt>"
      "</LagrangianLinearTIDS></systems><interactions>"
      "<interaction id='gl' systems='l'><LagrangianLinearTIR><H>0 1 0; 1 0 1</H><e>-1e-6 "
      "0</e></LagrangianLinearTIR>"
      "<NewtonImpactFrictionNSL en='0' mu='%.17g'/></interaction>"
      "<interaction id='gr' systems='r'><LagrangianLinearTIR><H>0 1 0; 1 0 1</H><e>-1e-6 "
      "0</e></LagrangianLinearTIR>"
      "<NewtonImpactFrictionNSL en='0' mu='%.17g'/></interaction>"
      "<interaction id='lt' systems='l t'><LagrangianLinearTIR><H>-1/2, -s, 0, 1/2, s, 0; s, -1/2, "
      "-1, -s, 1/2, -1</H><e>-2-1e-6, 0</e>"
      "</LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' mu='%.17g'/></interaction>"
      "<interaction id='rt' systems='r t'><LagrangianLinearTIR><H>1/2, -s, 0, -1/2, s, 0; s, 1/2, "
      "-1, -s, -1/2, -1</H><e>-2-1e-6, 0</e>"
      "</LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' "
      "mu='%.17g'/></interaction></interactions>"
      "<simulation T='0.1'><TimeStepping h='1e-3'><MoreauJeanOSI/></TimeStepping></simulation>",
      mg, mg, mu, mu);
  run_all(&r);
  for (int i = 0; i < 9; i++) fall = fmax(fall, fabs(r.x->v[i]));
  if (row[_i].stands) ck_assert_double_le(fall, 1e-12);
  else ck_assert_double_ge(fall, 1e-3);
  run_end(&r);
}
END_TEST

/* ---- the woodpecker -------------------------------------------------------------------------- */

/* No closed form: an independent program of the same scheme gives a cycle of 0.1460 s and 19.5 mm.
 */
START_TEST(woodpecker_walks_down)
{
  run r = run_load_until("models/woodpecker/woodpecker.xml", NULL, 4);
  r.m->out.every = 1;
  ck_assert_int_eq(run_keep(&r), NS_OK);
  double t[64], y[64];
  int n = 0;
  for (size_t i = 1; i < r.got.nrows && n < 64; i++)
    if (cell(&r, i - 1, "bird.phi_S") < -0.2 && cell(&r, i, "bird.phi_S") >= -0.2)
      t[n] = cell(&r, i, "time"), y[n++] = cell(&r, i, "bird.y");
  ck_assert_int_ge(n, 20);
  ck_assert_double_eq_tol((t[n - 1] - t[n - 11]) / 10, 0.1460, 2e-4);
  ck_assert_double_eq_tol((y[n - 11] - y[n - 1]) / 10, 0.0195, 5e-5);
  ck_assert_double_lt(r.x->cert->work_friction, 0);
  ck_assert_double_le(r.x->cert->defect_max, 1e-15);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, three_cylinders_stand_or_fall, 0, 4);
  tcase_add_test(t, woodpecker_walks_down);
  tcase_add_loop_test(t, block_slides_with_its_acceleration, 0, 4);
  tcase_add_loop_test(t, block_stops_and_stays, 0, 2);
  tcase_add_loop_test(t, block_on_two_corners_slips_at_its_friction_angle, 0, 3);
  tcase_add_test(t, relay_stops_an_oscillator);
  tcase_add_test(t, coulomb_stops_an_oscillator);
  tcase_add_test(t, pulled_block_slips_without_going_back);
  tcase_add_loop_test(t, forced_oscillator_has_its_amplitude, 0, 3);
  tcase_add_test(t, sphere_begins_to_roll);
  tcase_add_test(t, block_rocks);
}

int main(void) { return suite_run("mechanics, friction", fill); }
