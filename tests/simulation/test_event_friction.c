/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Friction in event-driven runs against closed forms: blocks that stop and start again, pucks on
 * curved ways, oscillators with dry friction, a belt, rocking blocks, oblique impacts, and rods
 * that no friction lets slide on. */
#include "support/mechanics.h"
#include "support/random_model.h"

#define EVENTS(h, T, strategy, flow) \
  "<simulation T='" T "'><EventDriven h='" h "' " strategy "><CVodeOSI " \
  "" flow "/></EventDriven></simulation>"
#define FINE "relativeTolerance='1e-12' absoluteTolerance='1e-13'"

/* Event number i of a kind; its place in the table. */
static const ns_event *event(const run *r, ns_event_kind kind, int i)
{
  for (size_t k = 0; k < r->got.nevents; k++)
    if (r->got.events[k].kind == kind && i-- == 0) return &r->got.events[k];
  ck_abort_msg("no event \"%s\" with that number", ns_event_text(kind));
  return NULL;
}

static int count(const run *r, ns_event_kind kind)
{
  int n = 0;
  for (size_t k = 0; k < r->got.nevents; k++) n += r->got.events[k].kind == kind;
  return n;
}

static void audit(const run *r, double scale)
{
  ck_assert_double_le(r->x->cert->defect_max, 1e-9 * scale);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

#define BLOCK(v0, force, mu) \
  "<systems><LagrangianLinearTIDS id='b' coordinates='s n'><q0>0 0</q0><v0>" v0 " 0</v0><mass " \
  "diag='2 2'/><fExt>" force "</fExt>" \
  "</LagrangianLinearTIDS></systems><interactions><interaction id='p' " \
  "systems='b'><LagrangianLinearTIR><H>0 1; 1 0</H></LagrangianLinearTIR>" \
  "<NewtonImpactFrictionNSL en='0' mu='" mu "'/></interaction></interactions>"

/* V7. Downhill at tan alpha < mu: stops at v0/(g(mu cos - sin)) after half of that times v0, and
 * stays with m g sin alpha. */
START_TEST(a_block_on_an_incline_comes_to_rest)
{
  double a = 20 * M_PI / 180, ts = 2 / (G * (0.5 * cos(a) - sin(a)));
  run r = recorded(mechanics(BLOCK("2", "%.17g %.17g", "0.5") EVENTS("0.01", "3", "", ""),
                             2 * G * sin(a), -2 * G * cos(a)));
  size_t last = r.got.nrows - 1;
  ck_assert_int_eq(count(&r, NS_EVENT_STICK), 1);
  ck_assert_double_eq_tol(event(&r, NS_EVENT_STICK, 0)->t, ts, 1e-9);
  ck_assert_int_eq(event(&r, NS_EVENT_STICK, 0)->was, NS_ROW_SLIP);
  ck_assert_double_eq_tol(run_at(&r, last, "b.s"), ts, 1e-9); /* v0/2 = 1 */
  ck_assert_double_le(fabs(run_at(&r, last, "b.v_s")), 1e-15);
  ck_assert_double_eq_tol(run_at(&r, last, "p.lambda[0]"), 2 * G * cos(a), 1e-12);
  ck_assert_double_eq_tol(run_at(&r, last, "p.lambda[1]"), -2 * G * sin(a), 1e-12);
  audit(&r, 10);
  run_end(&r);
}
END_TEST

/* Uphill: stops at v0/(g(sin + mu cos)); less friction than the slope: it slides back from there,
 * one event without a rest. */
START_TEST(a_block_slides_back_or_stays)
{
  static const double mu[] = {0.3, 0.5};
  double a = 20 * M_PI / 180, ts = 2 / (G * (sin(a) + mu[_i] * cos(a))),
         back = G * (sin(a) - 0.3 * cos(a)), t = 1 - ts;
  run r = recorded(mechanics(BLOCK("-2", "%.17g %.17g", "%g") EVENTS("0.01", "1", "", ""),
                             2 * G * sin(a), -2 * G * cos(a), mu[_i]));
  const ns_event *e = event(&r, _i ? NS_EVENT_STICK : NS_EVENT_SLIP, 0);
  ck_assert_double_eq_tol(e->t, ts, 1e-9);
  ck_assert_int_eq(e->is, _i ? NS_ROW_STICK : NS_ROW_SLIP);
  ck_assert_double_eq_tol(r.x->v[0], _i ? 0 : back * t, 1e-9);
  ck_assert_double_eq_tol(r.x->q[0], -ts + (_i ? 0 : back * t * t / 2), 1e-9);
  audit(&r, 10);
  run_end(&r);
}
END_TEST

/* A force that grows: slip begins where it is mu N, x = (t-1)^3/6 from there; the same with a
 * relay. */
START_TEST(a_growing_force_begins_to_move_a_block)
{
  run r = recorded(
      _i ? mechanics(
               "<systems><LagrangianLinearTIDS id='b' "
               "coordinates='s'><q0>0</q0><mass>2</mass><fExt>%s2*t</fExt></LagrangianLinearTIDS>"
               "</systems><interactions><interaction id='p' "
               "systems='b'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR>"
               "<RelayNSL lb='-2' ub='2'/></interaction></interactions>" EVENTS("0.1", "2", "", ""),
               _i == 1 ? "" : "-")
         : mechanics(BLOCK("0", "2*t, -4", "0.5") EVENTS("0.1", "2", "", "")));
  double sign = _i == 2 ? -1 : 1;
  ck_assert_double_eq_tol(event(&r, NS_EVENT_SLIP, 0)->t, 1, 1e-9);
  ck_assert_int_eq(event(&r, NS_EVENT_SLIP, 0)->was, NS_ROW_STICK);
  ck_assert_int_eq(event(&r, NS_EVENT_SLIP, 0)->is, NS_ROW_SLIP);
  ck_assert_double_eq_tol(r.x->q[0], sign / 6, 1e-9);
  ck_assert_double_eq_tol(r.x->cert->work_friction, -1. / 3, 1e-9);
  audit(&r, 1);
  run_end(&r);
}
END_TEST

/* Nothing presses, so that friction is none: x = a (T - t0)^(p + 2)/((p + 1)(p + 2)) with a force
 * m a (t - t0)^p, from the beginning or later, on a wall or between two of them, in the plane and
 * in space.
 * Another body has the energy that tolerances are relative to. */
START_TEST(what_nothing_presses_slides_at_once)
{
  generator at = {.state = (unsigned long long)_i};
  for (int i = 0; i < 12; i++) {
    int walls = 1 + i % 2, space = i / 2 % 2, p = 1 + i / 4;
    double t0 = _i % 2 ? between(&at, 0.1, 0.9) : 0, m = spread(&at, 1e-2, 1e4),
           a = between(&at, -3, 3);
    char other[512] = "";
    if (walls == 2)
      snprintf(other, sizeof other,
               "<interaction id='o' systems='b'><LagrangianLinearTIR><H>%s</H>"
               "</LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' mu='%.17g'/></interaction>",
               space ? "0 -1 0; 1 0 0; 0 0 1" : "0 -1; 1 0", between(&at, 0.1, 1));
    run r = recorded(mechanics(
        "<systems><LagrangianDS id='b' coordinates='%s'><q0>%s</q0><mass diag='%.17g %.17g%s'/>"
        "<fExt>%.17g*max(0, t - %.17g)^%d; 0%s</fExt></LagrangianDS><LagrangianDS id='c' "
        "coordinates='s'><q0>0</q0><v0>9</v0>"
        "<mass>%.17g</mass></LagrangianDS></systems><interactions>"
        "<interaction id='u' systems='b'><LagrangianLinearTIR><H>%s</H></LagrangianLinearTIR>"
        "<NewtonImpactFrictionNSL en='0' mu='%.17g'/></interaction>%s</interactions>" EVENTS(
            "0.01", "2", "", ""),
        space ? "x y z" : "x y", space ? "0 0 0" : "0 0", m, m, space ? " 1" : "", m * a, t0, p,
        space ? "; 0" : "", m, space ? "0 1 0; 1 0 0; 0 0 1" : "0 1; 1 0", between(&at, 0.1, 1),
        other));
    ck_assert_double_eq_tol(r.x->q[0], a * pow(2 - t0, p + 2) / ((p + 1) * (p + 2)), 1e-8);
    run_end(&r);
  }
}
END_TEST

/* A point of coupled masses that has slid for 2 ns, in another direction: as if it began to slide
 * then. Its friction is a little less than what it would stick by. */
START_TEST(sliding_that_has_just_begun_turns)
{
  generator at = {.state = (unsigned long long)_i};
  for (int i = 0; i < 8; i++) {
    double A[9], M[9], f[6], x[2][3];
    for (int j = 0; j < 9; j++) A[j] = between(&at, -1, 1);
    for (int j = 0; j < 9; j++) {
      M[j] = j % 4 == 0 ? 0.4 : 0;
      for (int k = 0; k < 3; k++) M[j] += A[j / 3 * 3 + k] * A[j % 3 * 3 + k];
    }
    for (int j = 0; j < 6; j++) f[j] = j % 3 == 2 ? -between(&at, 0.5, 3) : between(&at, -2, 2);
    double mu = hypot(f[3], f[4]) / -f[5] * (1 - spread(&at, 1e-4, 0.1));
    for (int turns = 0; turns < 2; turns++) {
      const double *g = turns ? f : f + 3;
      run r = recorded(mechanics(
          "<systems><LagrangianDS id='b' coordinates='x y z'><q0>0 0 0</q0>"
          "<mass>%.17g %.17g %.17g; %.17g %.17g %.17g; %.17g %.17g %.17g</mass>"
          "<fExt>%.17g + %.17g*step(t - 2e-9); %.17g + %.17g*step(t - 2e-9); %.17g + "
          "%.17g*step(t - 2e-9)</fExt></LagrangianDS></systems><interactions><interaction id='u' "
          "systems='b'><LagrangianLinearTIR><H>0 0 1; 1 0 0; 0 1 0</H></LagrangianLinearTIR>"
          "<NewtonImpactFrictionNSL en='0' mu='%.17g'/></interaction></interactions>" EVENTS(
              "0.01", "1", "", ""),
          M[0], M[1], M[2], M[3], M[4], M[5], M[6], M[7], M[8], g[0], f[3] - g[0], g[1],
          f[4] - g[1], g[2], f[5] - g[2], mu));
      memcpy(x[turns], r.x->q, sizeof x[turns]);
      run_end(&r);
    }
    near(x[1], x[0], 3, 1e-7);
  }
}
END_TEST

/* A force that grows in space, askew. */
START_TEST(a_growing_force_begins_to_move_a_puck)
{
  run r = recorded(mechanics("<systems><LagrangianLinearTIDS id='b' coordinates='x y z'><q0>0 0 "
                             "0</q0><mass diag='2 2 2'/><fExt>1.2*t -1.6*t -4</fExt>"
                             "</LagrangianLinearTIDS></systems><interactions><interaction id='p' "
                             "systems='b'><LagrangianLinearTIR><H>0 0 1; 1 0 0; 0 1 0</H>"
                             "</LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' "
                             "mu='0.5'/></interaction></interactions>" EVENTS("0.1", "2", "", "")));
  ck_assert_double_eq_tol(event(&r, NS_EVENT_SLIP, 0)->t, 1, 1e-9);
  ck_assert_int_eq(count(&r, NS_EVENT_SLIP), 1);
  ck_assert_double_eq_tol(r.x->q[0], 0.6 / 6, 1e-9);
  ck_assert_double_eq_tol(r.x->q[1], -0.8 / 6, 1e-9);
  ck_assert_double_eq_tol(r.x->cert->work_friction, -1. / 3, 1e-9);
  audit(&r, 1);
  run_end(&r);
}
END_TEST

/* 1.2 sin(20 t) against 1: nothing moves but in parts of each half period, of which twenty lie
 * between two rows. */
START_TEST(a_force_that_comes_and_goes_between_rows)
{
  run r = recorded(
      mechanics(BLOCK("0", "1.2*sin(20*t), -2", "0.5") EVENTS("2*pi", "2*pi", "", "")));
  ck_assert_double_eq_tol(event(&r, NS_EVENT_SLIP, 0)->t, asin(1 / 1.2) / 20, 1e-9);
  ck_assert_int_eq(count(&r, NS_EVENT_SLIP), 40);
  ck_assert_int_eq(count(&r, NS_EVENT_STICK), 40);
  for (int i = 0; i < 40; i++)
    ck_assert_double_eq_tol(event(&r, NS_EVENT_SLIP, i)->t, (asin(1 / 1.2) + i * M_PI) / 20, 1e-9);
  run_end(&r);
}
END_TEST

/* Four legs of one slab carry alike, whatever of their rows depends on the others: it stops like a
 * block, and goes on standing. */
START_TEST(a_slab_on_four_legs_slides_and_stops)
{
  run r = recorded(mechanics(
      "<systems><LagrangianLinearTIDS id='b' coordinates='x y z a b'><q0>0 0 0 0 0</q0><v0>3 4 0 0 "
      "0</v0><mass diag='1 1 1 1 1'/>"
      "<fExt>0 0 -9.81 0 0</fExt></LagrangianLinearTIDS></systems><interactions><repeat index='i' "
      "from='0' to='3'>"
      "<interaction id='leg{i}' systems='b'><LagrangianLinearTIR><H>0 0 1 2*(i-2*floor(i/2))-1 "
      "2*floor(i/2)-1; 1 0 0 0 0; 0 1 0 0 0</H></LagrangianLinearTIR>"
      "<NewtonImpactFrictionNSL en='0' mu='0.5'/></interaction></repeat></interactions>" EVENTS(
          "0.05", "2", "", "")));
  double ts = 5 / (0.5 * G);
  ck_assert_int_eq(count(&r, NS_EVENT_STICK), 4);
  for (int i = 0; i < 4; i++) ck_assert_double_eq_tol(event(&r, NS_EVENT_STICK, i)->t, ts, 1e-9);
  ck_assert_double_eq_tol(run_at(&r, 1, "leg1.lambda[0]"), G / 4, 1e-9);
  ck_assert_double_eq_tol(run_at(&r, 1, "leg2.lambda[1]"), -0.5 * 0.6 * G / 4, 1e-9);
  ck_assert_double_eq_tol(hypot(r.x->q[0], r.x->q[1]), 2.5 * ts, 1e-8);
  ck_assert_double_eq_tol(r.x->q[1] / r.x->q[0], 4. / 3, 1e-9);
  audit(&r, 12.5);
  run_end(&r);
}
END_TEST

/* At rest under a force that friction bears; what each leg has of it no equation says, but their
 * sum. */
START_TEST(a_slab_on_four_legs_stands)
{
  run r = recorded(
      mechanics("<systems><LagrangianLinearTIDS id='b' coordinates='x y z a b'><q0>0 0 0 0 "
                "0</q0><mass diag='1 1 1 1 1'/>"
                "<fExt>3 -2 -9.81 0 0</fExt></LagrangianLinearTIDS></systems><interactions><repeat "
                "index='i' from='0' to='3'>"
                "<interaction id='leg{i}' systems='b'><LagrangianLinearTIR><H>0 0 1 "
                "2*(i-2*floor(i/2))-1 2*floor(i/2)-1; 1 0 0 0 0; 0 1 0 0 0</H>"
                "</LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' "
                "mu='0.5'/></interaction></repeat></interactions>" EVENTS("0.5", "1", "", "")));
  double sum[3] = {0};
  for (int i = 0; i < 12; i++) sum[i % 3] += r.x->lambda[i];
  ck_assert_double_eq_tol(sum[0], G, 1e-12);
  ck_assert_double_eq_tol(sum[1], -3, 1e-12);
  ck_assert_double_eq_tol(sum[2], 2, 1e-12);
  for (int i = 0; i < 5; i++) ck_assert_double_le(fabs(r.x->v[i]), 1e-14);
  ck_assert_int_eq(count(&r, NS_EVENT_SLIP), 0);
  run_end(&r);
}
END_TEST

/* A contact with friction, one without, and a joint: one body drags the other, a = (F - mu m g)/(2
 * m). */
START_TEST(all_kinds_of_contact_at_once)
{
  run r = recorded(
      mechanics("<systems><LagrangianLinearTIDS id='a' coordinates='x y'><q0>0 "
                "0</q0><mass diag='1 1'/><fExt>0 -10</fExt></LagrangianLinearTIDS>"
                "<LagrangianLinearTIDS id='b' coordinates='x y'><q0>1 0</q0><mass diag='1 "
                "1'/><fExt>7 -10</fExt></LagrangianLinearTIDS></systems>"
                "<interactions><interaction id='rough' "
                "systems='a'><LagrangianLinearTIR><H>0 1; 1 0</H></LagrangianLinearTIR>"
                "<NewtonImpactFrictionNSL en='0' mu='0.4'/></interaction><interaction "
                "id='smooth' systems='b'><LagrangianLinearTIR><H>0 1</H>"
                "</LagrangianLinearTIR><NewtonImpactNSL e='0'/></interaction><interaction "
                "id='rod' systems='a b'><LagrangianLinearTIR>"
                "<H>-1 0 1 "
                "0</H><e>-1</e></LagrangianLinearTIR><EqualityConditionNSL/></"
                "interaction></interactions>" EVENTS("0.5", "1", "", "")));
  ck_assert_double_eq_tol(r.x->v[0], 1.5, 1e-10);
  ck_assert_double_eq_tol(r.x->q[2] - r.x->q[0], 1, 1e-14);
  ck_assert_double_eq_tol(run_at(&r, 1, "rod.lambda"), -5.5, 1e-12);
  ck_assert_double_eq_tol(run_at(&r, 1, "rough.lambda[1]"), -4, 1e-12);
  ck_assert_double_eq_tol(run_at(&r, 1, "smooth.lambda"), 10, 1e-12);
  audit(&r, 10);
  run_end(&r);
}
END_TEST

/* ---- ladders --------------------------------------------------------------------------------- */

/* theta'' of a ladder that slides off its wall, both ends with friction, and the force of the wall:
 * m = l = 1, J = 1/3. */
static double ladder(double mu, double theta, double omega, double *wall)
{
  double s = sin(theta), c = cos(theta),
         A[3][4] = {{mu, -1, -s, c * omega * omega},
                    {-1, -mu, c, s * omega * omega - G},
                    /* of N1, N2, theta'' */
                    {c - mu * s, -s - mu * c, 1. / 3, 0}};
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) {
      if (i == k) continue;
      double f = A[i][k] / A[k][k];
      for (int j = k; j < 4; j++) A[i][j] -= f * A[k][j];
    }
  *wall = A[1][3] / A[1][1];
  return A[2][3] / A[2][2];
}

/* From rest it slides at both ends, until the wall lets it go. */
START_TEST(a_ladder_slides_off_its_wall)
{
  run r = recorded(
      mechanics("<systems><LagrangianLinearTIDS id='b' coordinates='x y th'><q0>cos(1) sin(1) "
                "1</q0><mass diag='1 1 1/3'/><fExt>0 -9.81 0</fExt>"
                "</LagrangianLinearTIDS></systems><interactions><interaction id='floor' "
                "systems='b'><LagrangianScleronomousR><h>y-sin(th), x+cos(th)</h>"
                "</LagrangianScleronomousR><NewtonImpactFrictionNSL en='0' "
                "mu='0.2'/></interaction><interaction id='wall' systems='b'>"
                "<LagrangianScleronomousR><h>x-cos(th), "
                "y+sin(th)</h></LagrangianScleronomousR><NewtonImpactFrictionNSL en='0' mu='0.2'/>"
                "</interaction></interactions>" EVENTS("0.1", "1", "", FINE)));
  double th = 1, om = 0, wall, before, h = 1e-4, t = 0;
  ladder(0.2, th, om, &wall);
  do {
    double k1 = ladder(0.2, th, om, &before),
           k2 = ladder(0.2, th + h / 2 * om, om + h / 2 * k1, &wall);
    double k3 = ladder(0.2, th + h / 2 * om + h * h / 4 * k1, om + h / 2 * k2, &wall);
    double k4 = ladder(0.2, th + h * om + h * h / 2 * k2, om + h * k3, &wall);
    th += h * om + h * h / 6 * (k1 + k2 + k3);
    om += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    t += h;
    ladder(0.2, th, om, &wall);
  } while (wall > 0);
  const ns_event *e = event(&r, NS_EVENT_RELEASE, 0);
  ck_assert_int_eq(e->interaction, 1);
  ck_assert_double_eq_tol(e->t, t - h * wall / (wall - before), 1e-8);
  ck_assert_int_eq(e->was, NS_ROW_SLIP);
  audit(&r, 10);
  run_end(&r);
}
END_TEST

/* ---- pucks ----------------------------------------------------------------------------------- */

#define PUCK(v, force, T) \
  mechanics("<systems><LagrangianLinearTIDS id='b' coordinates='x y z'><q0>0 0 0</q0><v0>%.17g " \
            "%.17g 0</v0><mass diag='1 1 1'/>" \
            "<fExt>%.17g 0 " \
            "-10</fExt></LagrangianLinearTIDS></systems><interactions><interaction id='p' " \
            "systems='b'><LagrangianLinearTIR>" \
            "<H>0 0 1; 1 0 0; 0 1 0</H></LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' " \
            "mu='0.3'/></interaction></interactions>" EVENTS("0.01", "%.17g", "", FINE), \
            (v)[0], (v)[1], force, T)

/* The same motion by Runge-Kutta steps of fourth order. */
static void puck(const double *v0, double force, double T, int n, double *x)
{
  double h = T / n, k[4][4], y[4];
  x[0] = x[1] = 0;
  x[2] = v0[0];
  x[3] = v0[1];
  for (int s = 0; s < n; s++) {
    for (int j = 0; j < 4; j++) {
      for (int i = 0; i < 4; i++) y[i] = x[i] + (j == 0 ? 0 : (j == 3 ? h : h / 2) * k[j - 1][i]);
      double f = 3 / hypot(y[2], y[3]);
      k[j][0] = y[2];
      k[j][1] = y[3];
      k[j][2] = force - f * y[2];
      k[j][3] = -f * y[3];
    }
    for (int i = 0; i < 4; i++) x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  }
}

/* A force across the way bends it. With f = mu g and the force a, f v + a v cos psi falls at the
 * rate f^2 - a^2: it stops at v0 (f + a cos psi)/(f^2 - a^2), and where a > f never. */
START_TEST(a_puck_slides_on_a_curve)
{
  static const struct {
    double v[2], a;
  } c[] = {{{0, 2}, 2}, {{-1, 1.5}, 2.5}, {{-3, 1}, 5}, {{1, 0}, 0}, {{-2, 0}, 2}, {{-2, 0}, 5}};
  double v = hypot(c[_i].v[0], c[_i].v[1]), a = c[_i].a,
         ts = (3 * v + a * c[_i].v[0]) / (9 - a * a), x[4];
  run r = recorded(PUCK(c[_i].v, a, a < 3 ? 1.2 * ts : 1.5));
  if (a < 3) {
    ck_assert_double_eq_tol(event(&r, NS_EVENT_STICK, 0)->t, ts, 1e-9);
    ck_assert_double_eq_tol(run_at(&r, r.got.nrows - 1, "p.lambda[1]"), -a, 1e-9);
    ck_assert_int_eq(count(&r, NS_EVENT_SLIP), 0);
  } else if (_i == 5) { /* straight back: it turns where it stops */
    ck_assert_double_eq_tol(event(&r, NS_EVENT_SLIP, 0)->t, 2. / 8, 1e-9);
    ck_assert_double_eq_tol(r.x->v[0], 2 * 1.25, 1e-9);
  } else {
    puck(c[_i].v, a, 1.5, 20000, x);
    near(r.x->q, x, 2, 1e-9);
    near(r.x->v, x + 2, 2, 1e-9);
    ck_assert_int_eq(count(&r, NS_EVENT_STICK), 0);
  }
  audit(&r, 10);
  run_end(&r);
  if (a >= 3 || ts < 0.5) return;
  r = recorded(PUCK(c[_i].v, a, 0.5));
  puck(c[_i].v, a, 0.5, 20000, x);
  near(r.x->q, x, 2, 1e-9);
  near(r.x->v, x + 2, 2, 1e-9);
  run_end(&r);
}
END_TEST

/* A sin(w t) along a line sets a puck off and turns it back again and again. What is across the
 * line decays at the rate mu g/|v|, 10^7/s where it begins to slide: that is stiff, and with the
 * derivative of the direction of friction the implicit method keeps it at rounding. */
START_TEST(a_puck_stays_on_its_line)
{
  static const struct {
    double angle, mu, A, w;
  } c[] = {{-2.97, 0.27, 8.3, 3.15}, {0.07, 0.38, 4.2, 8.7}, {2.9, 0.02, 0.5, 4.3},
           {0.3, 0.23, 3.6, 7.1},    {-0.8, 0.13, 4.1, 5.2}, {1.57, 0.37, 9.1, 6.3}};
  double x = cos(c[_i].angle), y = sin(c[_i].angle), A = c[_i].A, w = c[_i].w;
  for (int bdf = 0; bdf < 2; bdf++) {
    run r = recorded(mechanics(
        "<systems><LagrangianDS id='b' coordinates='x y z'><q0>0 0 0</q0><mass diag='1 1 1'/>"
        "<fExt>%.17g*sin(%.17g*t) %.17g*sin(%.17g*t) -10</fExt></LagrangianDS></systems>"
        "<interactions><interaction id='p' systems='b'><LagrangianLinearTIR><H>0 0 1; 1 0 0; 0 1 "
        "0</H></LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' mu='%.17g'/></interaction>"
        "</interactions><simulation T='3'><EventDriven h='0.05'><CVodeOSI method='%s' "
        "relativeTolerance='1e-9' absoluteTolerance='1e-11'/></EventDriven></simulation>",
        A * x, w, A * y, w, c[_i].mu, bdf ? "bdf" : "adams"));
    ck_assert_double_eq_tol(event(&r, NS_EVENT_SLIP, 0)->t, asin(10 * c[_i].mu / A) / w, 1e-8);
    for (size_t row = 0; row < r.got.nrows; row++) {
      double across = y * run_at(&r, row, "b.v_x") - x * run_at(&r, row, "b.v_y");
      ck_assert_double_le(fabs(across), bdf ? 1e-12 : 1e-8);
    }
    run_end(&r);
  }
}
END_TEST

/* Constraints as equations: the same curve and the same rest, to the tolerance there. */
START_TEST(a_puck_by_ida)
{
  double ts = 3 * 2 / (9. - 4);
  run r = recorded(mechanics("<systems><LagrangianLinearTIDS id='b' coordinates='x y z'><q0>0 0 "
                             "0</q0><v0>0 2 0</v0><mass diag='1 1 1'/><fExt>2 0 -10</fExt>"
                             "</LagrangianLinearTIDS></systems><interactions><interaction id='p' "
                             "systems='b'><LagrangianLinearTIR><H>0 0 1; 1 0 0; 0 1 0</H>"
                             "</LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' "
                             "mu='0.3'/></interaction></interactions><simulation T='1.5'>"
                             "<EventDriven h='0.01'><IDAOSI relativeTolerance='1e-9' "
                             "absoluteTolerance='1e-10'/></EventDriven></simulation>"));
  ck_assert_double_eq_tol(event(&r, NS_EVENT_STICK, 0)->t, ts, 1e-6);
  ck_assert_double_eq_tol(run_at(&r, r.got.nrows - 1, "p.lambda[1]"), -2, 1e-9);
  ck_assert_double_le(r.x->cert->defect_max, 1e-6);
  run_end(&r);
}
END_TEST

/* ---- oscillators ----------------------------------------------------------------------------- */

/* V8a: the amplitude falls by 2 f/k in each half period; it stops at t = pi, x = 0.003. */
START_TEST(dry_friction_stops_an_oscillator)
{
  const char *model[] = {"models/dry-friction/dry-friction-events.xml",
                         "models/dry-friction/dry-friction-relay-events.xml"};
  run r = run_load(model[_i], NULL);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  ck_assert_double_eq_tol(event(&r, NS_EVENT_STICK, 0)->t, M_PI, 1e-9);
  ck_assert_double_eq_tol(r.x->q[0], 0.003, 1e-9);
  for (int k = 0; k < 9; k++)
    ck_assert_double_eq_tol(event(&r, NS_EVENT_SLIP, k + _i)->t, 0.1 * M_PI * (k + 1), 1e-9);
  audit(&r, 20);
  run_end(&r);
}
END_TEST

/* V8b (den Hartog 1931): the largest deflection of a driven one that does not stop. */
START_TEST(dry_friction_of_a_driven_oscillator)
{
  static const struct {
    double beta, rho, max;
    const char *T;
  } c[] = {{0.6, 0.2, 1.55060285469, "400"},
           {0.8, 0.3, 2.62610487572, "700"},
           {1.3, 0.5, 1.0353280077, "400"}};
  run r = recorded(mechanics(
      "<systems><LagrangianLinearTIDS id='b' "
      "coordinates='x'><q0>0</q0><mass>1</mass><K>1</K><fExt>cos(%g*t)</fExt>"
      "</LagrangianLinearTIDS></systems><interactions><interaction id='f' "
      "systems='b'><LagrangianLinearTIR><H>1</H>"
      "</LagrangianLinearTIR><RelayNSL lb='-%g' ub='%g'/></interaction></interactions>" EVENTS(
          "1", "%s", "", FINE),
      c[_i].beta, c[_i].rho, c[_i].rho, c[_i].T));
  double max = 0, T = run_at(&r, r.got.nrows - 1, "time");
  for (size_t k = 0; k < r.got.nrows; k++) /* turning points are events, and rows */
    if (run_at(&r, k, "time") > T - 4 * M_PI / c[_i].beta)
      max = fmax(max, fabs(run_at(&r, k, "b.x")));
  ck_assert_double_eq_tol(max, c[_i].max, 1e-8);
  run_end(&r);
}
END_TEST

/* Friction that falls with the speed of slip: stick up to x = mu g/k, then z'' - c z' + k z = 0
 * with z = x - (mu g - c u)/k from there, until the block is as fast as the belt. */
START_TEST(a_block_sticks_and_slips_on_a_belt)
{
  double k = 100, c = 1.5, u = 0.2, max = 0.4 * G / k, w = sqrt(k - c * c / 4), a = c * u / k,
         b = (u - c / 2 * a) / w, lo = 0.3, hi = 0.6, x = 0;
  for (int i = 0; i < 60; i++) { /* z' - u changes its sign once there */
    double t = (lo + hi) / 2, e = exp(c / 2 * t), z = e * (a * cos(w * t) + b * sin(w * t));
    double v = c / 2 * z + e * w * (b * cos(w * t) - a * sin(w * t));
    x = z + max - a;
    if (v < u) lo = t;
    else hi = t;
  }
  run r = run_load("models/stick-slip-belt/stick-slip-belt.xml", NULL);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  double t = max / u;
  for (int i = 0; i < 7; i++) {
    ck_assert_double_eq_tol(event(&r, NS_EVENT_SLIP, i)->t, t, 1e-9);
    ck_assert_double_eq_tol(event(&r, NS_EVENT_STICK, i)->t, t + lo, 1e-9);
    t += lo + (max - x) / u;
  }
  audit(&r, 1);
  run_end(&r);
}
END_TEST

/* ---- mechanisms ------------------------------------------------------------------------------ */

/* V9: the first revolution in the limit of no clearance, without friction, e = 0; its time is of
 * first order in the clearance. */
START_TEST(slider_crank_without_friction_has_the_time_of_its_limit)
{
  static const char *const c[] = {"c=1e-4", "c=1e-5"};
  double late[2];
  for (int i = 0; i < 2; i++) {
    run r = run_load_until("models/slider-crank/slider-crank-events.xml",
                           (const char *[]){"mu=0", "en=0", c[i], NULL}, 0.068);
    ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
    size_t k = 0;
    while (run_at(&r, k, "mechanism.theta1") < 2 * M_PI) k++;
    double t = run_at(&r, k, "time") -
               (run_at(&r, k, "mechanism.theta1") - 2 * M_PI) / run_at(&r, k, "mechanism.v_theta1");
    late[i] = t - 0.0678871257564;
    audit(&r, 1000);
    run_end(&r);
  }
  ck_assert_double_le(fabs(late[1]), 3e-6);
  ck_assert_double_eq_tol(late[0] / late[1], 10, 8);
}
END_TEST

/* With friction and e = 0.4: corners hit, rest, slide and leave; what they take is in the audit to
 * the tolerance. */
START_TEST(slider_crank_with_friction)
{
  run r = run_load_until("models/slider-crank/slider-crank-events.xml", NULL, 0.08);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  size_t k = 0;
  while (run_at(&r, k, "mechanism.theta1") < 2 * M_PI) k++;
  ck_assert_double_eq_tol(run_at(&r, k, "time"), 0.0683, 2e-4);
  ck_assert_int_gt(count(&r, NS_EVENT_IMPACT), 50);
  ck_assert_double_lt(r.x->cert->work_friction, -0.01);
  for (size_t i = 0; i < r.got.nevents; i++)
    if (r.got.events[i].kind == NS_EVENT_IMPACT) ck_assert_double_ge(r.got.events[i].lost, 0);
  audit(&r, 100);
  run_end(&r);
}
END_TEST

/* V15 (Glocker & Pfeiffer 1995): the cycle of the toy, 0.1460 s and 19.5 mm; in each the beak hits
 * once. */
START_TEST(the_woodpecker_walks_down)
{
  run r = run_load("models/woodpecker/woodpecker-events.xml", NULL);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  double t[2] = {0}, y[2] = {0};
  for (size_t k = 0, e = 0; k < r.got.nevents; k++) { /* the last two hits */
    if (r.got.events[k].kind != NS_EVENT_IMPACT || r.got.events[k].interaction != 0) continue;
    while (run_at(&r, e, "time") < r.got.events[k].t) e++;
    t[0] = t[1], y[0] = y[1];
    t[1] = r.got.events[k].t, y[1] = run_at(&r, e, "bird.y");
  }
  ck_assert_double_eq_tol(t[1] - t[0], 0.146, 2e-4);
  ck_assert_double_eq_tol(y[0] - y[1], 0.0195, 1e-4);
  ck_assert_int_gt(count(&r, NS_EVENT_STICK), 15);
  audit(&r, 10);
  run_end(&r);
}
END_TEST

/* ---- impacts --------------------------------------------------------------------------------- */

/* V17: a disk meets the ground obliquely; it sticks where |vx| <= 3 mu (1+e) vn. */
START_TEST(oblique_impact_of_a_disk)
{
  static const struct {
    double vx, after[2];
  } c[] = {
      {0.5, {1. / 3, -2. / 3}}, {3, {2.64, -1.44}}, {-0.5, {-1. / 3, 2. / 3}}, {-3, {-2.64, 1.44}}};
  run r = recorded(
      mechanics("<systems><LagrangianLinearTIDS id='d' coordinates='x y phi'><q0>0 0.5 "
                "0</q0><v0>%g -1 0</v0><mass diag='1 1 1/8'/>"
                "</LagrangianLinearTIDS></systems><interactions><interaction id='g' "
                "systems='d'><LagrangianLinearTIR><H>0 1 0; 1 0 0.5</H>"
                "<e>-0.5 0</e></LagrangianLinearTIR><NewtonImpactFrictionNSL en='0.8' "
                "mu='0.2'/></interaction></interactions>" EVENTS("0.1", "0.5", "", ""),
                c[_i].vx));
  ck_assert_double_eq_tol(r.x->v[0], c[_i].after[0], 1e-14);
  ck_assert_double_eq_tol(r.x->v[1], 0.8, 1e-14);
  ck_assert_double_eq_tol(r.x->v[2], c[_i].after[1], 1e-14);
  const ns_event *e = event(&r, NS_EVENT_IMPACT, 0);
  /* with that of friction */
  ck_assert_double_eq_tol(e->lost, r.x->cert->energy0 - r.x->cert->kinetic, 1e-14);
  audit(&r, 1);
  run_end(&r);
}
END_TEST

/* V11 (Housner 1963): the first change of corners, and the factor of the rate, which the old corner
 * leaves without an impulse. */
START_TEST(a_block_rocks)
{
  run r = run_load("models/rocking-block/rocking-block-friction-events.xml", NULL);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  size_t k = 0;
  while (run_at(&r, k, "diagnostics.side") != 1) k++;
  double t0 = run_at(&r, k, "time"), before = run_at(&r, k, "block.v_theta"),
         after = run_at(&r, k + 1, "block.v_theta");
  ck_assert_double_eq_tol(t0, 0.486375486873, 1e-8);
  ck_assert_double_eq_tol(before, -0.573673955266, 1e-8);
  ck_assert_double_eq_tol(after / before, 0.911764705882, 1e-9);
  ck_assert_double_eq(run_at(&r, k + 1, "left.impulse[0]"), 0);
  /* the next amplitude: cos(alpha - theta) - cos alpha falls by r^2 */
  double alpha = atan(0.25), rr = 0.911764705882 * 0.911764705882, theta = 0;
  for (size_t i = k; run_at(&r, i, "time") < 1.4; i++)
    theta = fmin(theta, run_at(&r, i, "block.theta"));
  double top = alpha - acos(cos(alpha) + rr * (cos(alpha / 2) - cos(alpha)));
  ck_assert_double_eq_tol(-theta, top, 1e-5); /* on the rows of the grid */
  audit(&r, 10);
  run_end(&r);
}
END_TEST

/* ---- rods ------------------------------------------------------------------------------------ */

#define ROD(v) \
  mechanics("<systems><LagrangianLinearTIDS id='rod' coordinates='x y theta'><q0>0, " \
    "sin(atan(2)), atan(2)</q0><v0>%g-sin(atan(2)), cos(atan(2)), 1</v0>" \
            "<mass diag='1 1 1/3'/><fExt>0 -9.81 " \
              "0</fExt></LagrangianLinearTIDS></systems><interactions><interaction id='tip' " \
              "systems='rod'>" \
            "<LagrangianScleronomousR><h>y-sin(theta), " \
              "x-cos(theta)</h></LagrangianScleronomousR><NewtonImpactFrictionNSL en='0' " \
              "mu='%g'/>" \
            "</interaction></interactions>" EVENTS("0.01", "0.05", "", ""), v

/* V16 (Genot & Brogliato 1999), mu = 1: forces of the tip that slides to either side. */
START_TEST(a_rod_slides)
{
  static const double v[] = {-1, 1}, force[] = {22.28893202, 3.18413315};
  run r = recorded(ROD(v[_i]), 1.));
  ck_assert_double_eq_tol(run_at(&r, 0, "tip.lambda[0]"), force[_i], 1e-8);
  ck_assert_double_eq_tol(run_at(&r, 0, "tip.lambda[1]"), -v[_i] * force[_i], 1e-8);
  ck_assert_int_eq(count(&r, NS_EVENT_JAM), 0);
  run_end(&r);
}
END_TEST

static void note(void *to, ns_severity sev, const char *msg)
{
  if (sev == NS_SEV_WARNING && strstr(msg, "jams")) ++*(int *)to;
}

/* mu = 1.4: none. The tip stops at once, by 0.3 m v and 0.4 m v, and the run says so, once. */
START_TEST(a_rod_jams)
{
  int told = 0;
  run r = ROD(-1.), 1.4);
  r.c.report = note;
  r.c.to = &told;
  r = recorded(r);
  const ns_event *e = event(&r, NS_EVENT_JAM, 0);
  ck_assert_int_eq(count(&r, NS_EVENT_JAM), 1);
  ck_assert_double_eq(e->t, 0);
  ck_assert_double_eq_tol(e->impulse, 0.3, 1e-14);
  ck_assert_double_eq_tol(e->lost, 0.2, 1e-14);
  ck_assert_double_eq_tol(run_at(&r, 2, "tip.impulse[1]"), 0.4, 1e-14);
  ck_assert_double_le(fabs(run_at(&r, 2, "tip.ydot[1]")), 1e-14);
  ck_assert_int_eq(told, 1);
  audit(&r, 10);
  run_end(&r);
}
END_TEST

/* A normal force that friction multiplies until it has no bound: coordinates x along and y off the
 * ground with the mass (1, c; c, 1), c = -x, mu = 2 and the force -g on y slide under g/(1 - 2 x).
 * The way to x = 1/2 takes any speed in the end; a fast one arrives within what counts as upright,
 * and jams there. */
START_TEST(sliding_jams_on_the_way)
{
  run r = mechanics("<systems><LagrangianDS id='b' coordinates='x y'><q0>0 0</q0><v0>%g "
                    "0</v0><mass>1 -x; -x 1</mass><fExt>0 -1</fExt></LagrangianDS>"
                    "</systems><interactions><interaction id='g' "
                    "systems='b'><LagrangianLinearTIR><H>0 1; 1 0</H></LagrangianLinearTIR>"
                    "<NewtonImpactFrictionNSL en='0' mu='2'/></interaction></interactions>" EVENTS(
                        "0.01", "0.5", "", ""),
                    _i ? 1. : 8.);
  r.c.report = NULL;
  r = recorded(r);
  ck_assert_int_eq(count(&r, NS_EVENT_JAM), !_i);
  ck_assert_double_le(r.x->q[0], 0.5);
  ck_assert_double_le(fabs(r.x->v[0]), 1e-12);
  if (!_i) {
    const ns_event *e = event(&r, NS_EVENT_JAM, 0);
    ck_assert_double_gt(e->t, 0.05);
    ck_assert_double_eq_tol(r.x->q[0], 0.5, 1e-6);
    ck_assert_int_eq(e->was, NS_ROW_SLIP);
    ck_assert_int_eq(e->is, NS_ROW_STICK);
    ck_assert_double_gt(e->impulse, 0.1);
  }
  run_end(&r);
}
END_TEST

/* Two contacts that jam together, though none of them does alone: coordinates x, z along two
 * grounds and y1, y2 off them, y_i coupled by c_i to x, masses 1 of x and y_i, m of z, forces -p_i.
 * With the slip s along x,
 *
 *   x'' = -s Sum mu_i lambda_i,   lambda_i = p_i + c_i x'',   x'' = -s Sum mu_i p_i/(1 + s Sum mu_i
 *   c_i),
 *
 * while one alone has 1 + s mu_1 c_1/(1 - c_2^2), above 0.2. In units of length, time and mass of
 * its own, from a place of its own. */
typedef struct pair {
  double mu[2], k[2], p[2], m, v[2], frame, length, time, mass, t0, T;
  int mirrored, moves; /* c_i = -k_i x; else -k_i */
} pair;

static pair random_pair(generator *g, double X)
{
  double share = between(g, 0.4, 0.6);
  pair d = {.length = exp(between(g, -4, 4)),
            .time = exp(between(g, -3, 3)),
            .mass = exp(between(g, -4, 4)),
            .m = between(g, 0.2, 0.6),
            .t0 = pick(g, 2) ? between(g, 1, 100) : 0,
            .mirrored = pick(g, 2)};
  d.t0 *= d.time;
  for (int i = 0; i < 2; i++) {
    d.mu[i] = between(g, 2, 3);
    d.k[i] = (i ? 1 - share : share) * X / d.mu[i];
    d.p[i] = between(g, 0.5, 2);
  }
  return d;
}

static double sum_of(const pair *d, const double *x) { return d->mu[0] * x[0] + d->mu[1] * x[1]; }

static run run_pair(generator *g, const pair *d)
{
  double force = d->mass * d->length / (d->time * d->time), to = d->length / d->time,
         sign = d->mirrored ? -1 : 1;
  put(g,
      "<model xmlns='urn:nssim:model:1'><parameters><parameter name='at' value='%.17g'/><parameter "
      "name='m' value='%.17g'/><parameter name='k' value='%.17g'/><parameter name='l' "
      "value='%.17g'/><parameter name='V' value='%.17g'/></parameters><systems><LagrangianDS "
      "id='b' coordinates='x z y w'><q0>at 0 0 "
      "0</q0><v0>%.17g %.17g 0 0</v0>",
      between(g, -2, 2) * d->length, d->mass * d->m, -d->mass * (d->moves ? 1 : sign),
      d->moves ? d->length : 1, d->frame * to, (sign * d->v[0] + d->frame) * to, d->v[1] * to);
  const char *c = d->moves ? "k*(x - at)/l" : "k";
  put(g, "<mass>%.17g 0 %.17g*%s %.17g*%s; 0 m 0 0; ", d->mass, d->k[0], c, d->k[1], c);
  put(g, "%.17g*%s 0 %.17g 0; %.17g*%s 0 0 %.17g</mass>", d->k[0], c, d->mass, d->k[1], c, d->mass);
  put(g, "<fExt>0 0 %.17g %.17g</fExt></LagrangianDS></systems><interactions>", -d->p[0] * force,
      -d->p[1] * force);
  for (int i = 0; i < 2; i++)
    put(g,
        "<interaction id='g%d' systems='b'><LagrangianRheonomousR><h>%s, x - at - V*(t - %.17g), "
        "z</h></LagrangianRheonomousR><NewtonImpactFrictionNSL en='0' mu='%.17g'/></interaction>",
        i, i ? "w" : "y", d->t0, d->mu[i]);
  put(g,
      "</interactions><simulation t0='%.17g' T='%.17g'><EventDriven h='%.17g'><CVodeOSI/>"
      "</EventDriven></simulation></model>",
      d->t0, d->t0 + d->T * d->time, d->T / 20 * d->time);
  run r = run_load(g->text, NULL);
  r.c.report = NULL;
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  return r;
}

/* It has come to rest, after a jam with this velocity before it or without one; forces that grow
 * like 1/(t - t*) take the rest of it to where that counts as reached. */
static void comes_to_rest(run *r, const pair *d, int jams, const double *v)
{
  static const double NEAR = 5e-4;
  size_t k = 0;
  double unit = d->length / d->time;
  ck_assert_int_eq(count(r, NS_EVENT_JAM), jams ? 2 : 0);
  ck_assert_double_le(fabs(r->x->v[0] - d->frame * unit) + fabs(r->x->v[1]),
                      1e-9 * unit * (1 + d->frame));
  if (!jams) return;
  while (run_at(r, k + 1, "time") < event(r, NS_EVENT_JAM, 0)->t) k++;
  ck_assert_double_eq_tol(fabs(run_at(r, k + 1, "b.v_x") / unit - d->frame), v[0], NEAR * v[0]);
  ck_assert_double_eq_tol(run_at(r, k + 1, "b.v_z") / unit, v[1], NEAR * v[0]);
}

/* c_i = -k_i x: without z, by v^2 = v0^2 + 2 (p/k) log(1 - k x), p and k for Sum mu_i p_i and Sum
 * mu_i k_i. Fast motion arrives at 1/k within what counts as upright, and jams there. */
START_TEST(two_contacts_jam_on_the_way)
{
  generator g = {.state = (unsigned long long)_i};
  pair d = random_pair(&g, between(&g, 0.5, 2));
  int jams = _i % 2;
  double p = sum_of(&d, d.p), k = sum_of(&d, d.k), end = log(1e6);
  double fall = jams ? between(&g, 1.5, 4) * end : between(&g, 0.1, 0.8) * end;
  d.moves = 1;
  d.v[0] = sqrt(2 * p / k * fall);
  d.T = 4 / (k * sqrt(2 * p / k * fabs(fall - end)));
  run r = run_pair(&g, &d);
  const double v[] = {sqrt(2 * p / k * fmax(0, fall - end)), 0};
  comes_to_rest(&r, &d, jams, v);
  run_end(&r);
}
END_TEST

/* c_i = -k_i: friction turns the slip towards x, for z is lighter: v_x is as v_z^m, and forces grow
 * like 1/sqrt(t* - t) until s = 1/Sum mu_i k_i; in a frame that moves fast t* is known to what
 * tolerances of its velocity leave of the slip. */
START_TEST(forces_turn_the_slip_until_it_jams)
{
  generator g = {.state = (unsigned long long)_i};
  double X = between(&g, 1.2, 1.6), ratio = sqrt(X * X - 1), from = ratio * between(&g, 1.2, 2.5);
  pair d = random_pair(&g, X);
  d.v[0] = between(&g, 0.5, 5);
  d.v[1] = d.v[0] * from;
  d.T = 3 * (d.v[0] + d.v[1]) / sum_of(&d, d.p);
  d.frame = _i % 2 ? spread(&g, 1e2, 1e4) * d.v[0] : 0;
  run r = run_pair(&g, &d);
  double z = d.v[1] * pow(ratio / from, 1 / (1 - d.m));
  const double v[] = {z / ratio, z};
  comes_to_rest(&r, &d, 1, v);
  run_end(&r);
}
END_TEST

/* A cone under a box jams twice in a fall on a height field: three contacts of both, which slide in
 * space, and later two that slide slowly beside what spins, so that errors within tolerance shift
 * the time of the jam by more than the flow takes for its last steps. */
START_TEST(bodies_jam_in_a_fall)
{
  run r = run_load(
      "<model xmlns='urn:nssim:model:1'><systems>"
      "<NewtonEulerDS id='b0' gyroscopic='midpoint'><q0>0.0191 -0.0038 0.5000 -0.665809 0.298371 "
      "0.673203 -0.120296</q0><v0>-0.042 0.114 -1 0.424 -2.210 -2.196</v0>"
      "<fExt>0 0 -4.00177</fExt><Cone radius='0.0520' length='0.1803' "
      "density='800'/></NewtonEulerDS>"
      "<NewtonEulerDS id='b1' gyroscopic='midpoint'><q0>0.0331 -0.0194 0.8500 -0.539474 -0.795454 "
      "-0.264334 -0.079677</q0><v0>0.116 0.043 -1 1.215 -2.768 -3.100</v0>"
      "<fExt>0 0 -26.3469</fExt><Box size='0.1543 0.1292 0.1684' density='800'/></NewtonEulerDS>"
      "<NewtonEulerDS id='b2' gyroscopic='midpoint'><q0>-0.0216 0.0113 1.2000 -0.280517 0.235267 "
      "0.517617 -0.773325</q0><v0>0.111 0.003 -1 -1.083 -3.961 -0.263</v0>"
      "<fExt>0 0 -6.28227</fExt><Capsule radius='0.0457' length='0.0613' "
      "density='800'/></NewtonEulerDS>"
      "</systems><contacts><NewtonImpactFrictionNSL en='0' mu='1'/><HeightField spacing='0.15 "
      "0.15' "
      "heights='0.001 -0.044 -0.057 -0.041 0.017 -0.030; 0.020 0.026 0.007 -0.052 -0.047 -0.025; "
      "-0.015 0.049 0.026 -0.007 -0.040 -0.012; 0.050 0.041 -0.021 -0.022 -0.018 0.021; "
      "0.041 -0.036 0.008 -0.060 0.008 -0.052; 0.009 -0.028 0.032 -0.015 0.028 0.008'/></contacts>"
      "<simulation T='0.325'><EventDriven h='0.005' certificate='on'><CVodeOSI/></EventDriven>"
      "</simulation></model>",
      NULL);
  r.c.report = NULL;
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  ck_assert_int_eq(count(&r, NS_EVENT_JAM), 5);
  ck_assert_double_eq_tol(event(&r, NS_EVENT_JAM, 0)->t, 0.312666210623, 1e-8);
  ck_assert_double_eq_tol(event(&r, NS_EVENT_JAM, 4)->t, 0.324278899, 1e-7);
  run_end(&r);
}
END_TEST

/* ---- dead points ----------------------------------------------------------------------------- */

/* A crank turns through its dead points and back, dry friction on the slider; q at the end. The
 * slider is a coordinate of its own with a constraint, or its mass is one of q. */
static double crank(int seed, int own)
{
  generator g = {.state = (unsigned long long)seed};
  double a = between(&g, 0.1, 0.4), l = a + between(&g, 0.05, 0.5), J = between(&g, 0.05, 0.3),
         m = between(&g, 0.3, 2), F = between(&g, 0.3, 3), k = between(&g, 0, 5),
         torque = between(&g, -1, 1), q = between(&g, -2, 2),
         w = (pick(&g, 2) ? 1 : -1) * between(&g, 4, 12), s = sqrt(l * l - a * a * sin(q) * sin(q));
  put(&g,
      "<model xmlns='urn:nssim:model:1'><parameters><parameter name='a' value='%.17g'/>"
      "<parameter name='l' value='%.17g'/><parameter name='J' value='%.17g'/><parameter name='m' "
      "value='%.17g'/><parameter name='k' value='%.17g'/><parameter name='F' value='%.17g'/>",
      a, l, J, m, k, F);
  put(&g, "<function name='S' of='q'>sqrt(l^2 - (a*sin(q))^2)</function><function name='X' of='q'>"
          "a*cos(q) + S(q)</function><function name='X1' of='q'>-a*sin(q) - a^2*sin(q)*cos(q)/S(q)"
          "</function><function name='X2' of='q'>-a*cos(q) - a^2*cos(2*q)/S(q) - "
          "a^4*(sin(q)*cos(q))^2/S(q)^3</function></parameters>");
  if (own)
    put(&g,
        "<systems><LagrangianDS id='s' coordinates='q x'><q0>%.17g %.17g</q0><v0>%.17g %.17g</v0>"
        "<mass diag='J m'/><fInt>0.1*v_q, k*(x - l)</fInt><fExt>%.17g, 0</fExt></LagrangianDS>"
        "</systems><interactions><interaction id='rod' systems='s'><LagrangianScleronomousR><h>x - "
        "X(q)</h></LagrangianScleronomousR><EqualityConditionNSL/></interaction>",
        q, a * cos(q) + s, w, w * (-a * sin(q) - a * a * sin(q) * cos(q) / s), torque);
  else
    put(&g,
        "<systems><LagrangianDS id='s' coordinates='q'><q0>%.17g</q0><v0>%.17g</v0><mass>J + "
        "m*X1(q)^2</mass><fGyr>m*X1(q)*X2(q)*v_q^2</fGyr><fInt>0.1*v_q + k*(X(q) - l)*X1(q)</fInt>"
        "<fExt>%.17g</fExt></LagrangianDS></systems><interactions>",
        q, w, torque);
  put(&g,
      "<interaction id='slide' systems='s'><LagrangianScleronomousR><h>%s</h>"
      "</LagrangianScleronomousR><RelayNSL lb='-F' ub='F'/></interaction></interactions>"
      "<simulation T='2'><EventDriven h='0.01'><CVodeOSI/></EventDriven></simulation></model>",
      own ? "x" : "X(q)");
  run r = run_load(g.text, NULL);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  double end = r.x->q[0];
  run_end(&r);
  return end;
}

/* There the slider has no velocity, in the direction of the constraint, for an instant only: its
 * friction turns. */
START_TEST(friction_turns_at_dead_points)
{
  ck_assert_double_eq_tol(crank(_i, 1), crank(_i, 0), 1e-6);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, a_block_on_an_incline_comes_to_rest);
  tcase_add_loop_test(t, a_block_slides_back_or_stays, 0, 2);
  tcase_add_loop_test(t, a_growing_force_begins_to_move_a_block, 0, 3);
  tcase_add_loop_test(t, what_nothing_presses_slides_at_once, 0, 4);
  tcase_add_loop_test(t, sliding_that_has_just_begun_turns, 0, 6);
  tcase_add_test(t, a_growing_force_begins_to_move_a_puck);
  tcase_add_test(t, a_force_that_comes_and_goes_between_rows);
  tcase_add_test(t, a_slab_on_four_legs_slides_and_stops);
  tcase_add_test(t, a_slab_on_four_legs_stands);
  tcase_add_test(t, all_kinds_of_contact_at_once);
  tcase_add_test(t, a_ladder_slides_off_its_wall);
  tcase_add_loop_test(t, a_puck_slides_on_a_curve, 0, 6);
  tcase_add_loop_test(t, a_puck_stays_on_its_line, 0, 6);
  tcase_add_test(t, a_puck_by_ida);
  tcase_add_loop_test(t, dry_friction_stops_an_oscillator, 0, 2);
  tcase_add_loop_test(t, dry_friction_of_a_driven_oscillator, 0, 3);
  tcase_add_test(t, a_block_sticks_and_slips_on_a_belt);
  tcase_add_test(t, slider_crank_without_friction_has_the_time_of_its_limit);
  tcase_add_test(t, slider_crank_with_friction);
  tcase_add_test(t, the_woodpecker_walks_down);
  tcase_add_loop_test(t, oblique_impact_of_a_disk, 0, 4);
  tcase_add_test(t, a_block_rocks);
  tcase_add_loop_test(t, a_rod_slides, 0, 2);
  tcase_add_test(t, a_rod_jams);
  tcase_add_loop_test(t, sliding_jams_on_the_way, 0, 2);
  tcase_add_loop_test(t, two_contacts_jam_on_the_way, 0, 24);
  tcase_add_loop_test(t, forces_turn_the_slip_until_it_jams, 0, 24);
  tcase_add_test(t, bodies_jam_in_a_fall);
  tcase_add_loop_test(t, friction_turns_at_dead_points, 0, 20);
}

int main(void) { return suite_run("event-driven friction", fill); }
