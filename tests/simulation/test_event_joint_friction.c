/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Friction of joints, event-driven: bounds that are not symmetric; of ball joints whose torque is
 * one vector: instants of rest in closed form, a hinge about the same line, time-stepping with ever
 * shorter steps, the law in all rows. */
#include "support/random_model.h"
#include "support/rigid_bodies.h"
#include "support/rigid_runs.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"
#define BALL(id) \
  "<interaction id='" id "'><JointFrictionR joint='k" id "' coordinate='all'/><RelayNSL " \
  "lb='-%.17g' ub='%.17g' norm='euclidean'/></interaction>"

/* h 0: event-driven, by this integrator. */
static run played_by(generator *g, const char *flow, double T, double h)
{
  char how[200];
  size_t model = g->length;
  if (h > 0)
    snprintf(how, sizeof how, "<TimeStepping h='%.17g'><MoreauJeanOSI theta='0.5'/></TimeStepping>",
             h);
  else
    snprintf(how, sizeof how,
             "<EventDriven h='0.05' certificate='on'><%s relativeTolerance='1e-9' "
             "absoluteTolerance='1e-11'/></EventDriven>",
             flow);
  put(g, "<simulation T='%.17g'>%s</simulation></model>", T, how);
  run r = run_load(g->text, NULL);
  g->length = model;
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  return r;
}

static run played(generator *g, double T, double h) { return played_by(g, "CVodeOSI", T, h); }

static double last(const run *r, const char *label) { return run_at(r, r->got.nrows - 1, label); }

static void vector_at(const run *r, size_t row, const char *format, const char *id, double *x)
{
  char label[64];
  for (int i = 0; i < 3; i++) {
    snprintf(label, sizeof label, format, id, i);
    x[i] = run_at(r, row, label);
  }
}

static double length(const double *x) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

/* In every row: the torque is no longer than its bound, and opposes what moves. */
static void obeys(const run *r, const char *id, double tau)
{
  double w[3], torque[3];
  for (size_t row = 0; row < r->got.nrows; row++) {
    vector_at(r, row, "%s.ydot[%d]", id, w);
    vector_at(r, row, "%s.lambda[%d]", id, torque);
    ck_assert_double_le(length(torque), tau * (1 + 1e-6));
    if (length(w) < 1e-4) continue;
    for (int i = 0; i < 3; i++)
      ck_assert_double_eq_tol(torque[i], -tau * w[i] / length(w), 1e-5 * tau);
  }
}

/* Time of event number n of an interaction of this kind; NaN: there is none. */
static double time_of(const run *r, int interaction, ns_event_kind kind, int n)
{
  for (size_t k = 0; k < r->got.nevents; k++) {
    const ns_event *e = &r->got.events[k];
    if (e->interaction == interaction && e->kind == kind && e->t > 0 && n-- == 0) return e->t;
  }
  return NAN;
}

static void any_direction(generator *g, double *d)
{
  do
    for (int i = 0; i < 3; i++) d[i] = between(g, -1, 1);
  while (length(d) > 1 || length(d) < 0.1);
  double l = length(d);
  for (int i = 0; i < 3; i++) d[i] /= l;
}

/* Two spheres that spin about their centres, of very different sizes: |Omega| falls by tau t/J
 * along its own line, to rest at J |Omega|/tau, and that is that. */
START_TEST(spheres_come_to_rest_at_their_instants)
{
  generator g = {.state = 100 + (unsigned long long)_i};
  double spin[2][3], J[2], tau[2], stop[2];
  put(&g, HEAD);
  for (int b = 0; b < 2; b++) {
    any_direction(&g, spin[b]);
    double speed = between(&g, 0.5, 20);
    J[b] = spread(&g, 1e-3, 1);
    stop[b] = between(&g, 0.2, 0.9);
    tau[b] = J[b] * speed / stop[b];
    for (int i = 0; i < 3; i++) spin[b][i] *= speed;
    put(&g,
        "<NewtonEulerDS id='b%d'><q0 axis='1 2 3' angle='%.17g'>%d 1 2</q0><v0>0 0 0 %.17g %.17g "
        "%.17g</v0><mass>%.17g</mass><inertia diag='%.17g %.17g %.17g'/></NewtonEulerDS>",
        b, between(&g, -3, 3), b, spin[b][0], spin[b][1], spin[b][2], J[b], J[b], J[b], J[b]);
  }
  put(&g, "</systems><interactions><interaction id='kf' systems='b0'><KneeJointR point='0 1 "
          "2'/><EqualityConditionNSL/></interaction><interaction id='kg' systems='b1'>"
          "<KneeJointR point='1 1 2'/><EqualityConditionNSL/></interaction>");
  put(&g, BALL("f") BALL("g") "</interactions>", tau[0], tau[0], tau[1], tau[1]);
  run r = played(&g, 1, 0);
  int stick[2] = {0};
  for (size_t k = 0; k < r.got.nevents; k++) {
    const ns_event *e = &r.got.events[k];
    int b = e->interaction - 2;
    if (e->kind != NS_EVENT_STICK) continue;
    ck_assert_double_eq_tol(e->t, stop[b], 1e-7);
    stick[b]++;
  }
  for (int b = 0; b < 2; b++) {
    char id[] = {'b', (char)('0' + b), 0};
    ck_assert_int_eq(stick[b], 1);
    for (size_t row = 0; row < r.got.nrows; row++) {
      double t = run_at(&r, row, "time"), left = fmax(0, 1 - t / stop[b]), q[7], v[6];
      body_at(&r, row, id, q, v);
      for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(v[3 + i], left * spin[b][i], 1e-6);
    }
  }
  obeys(&r, "f", tau[0]);
  obeys(&r, "g", tau[1]);
  run_end(&r);
}
END_TEST

/* A torque A sin(w t) along one line sets a sphere off at rest where it is tau, one way and then
 * the other: as a hinge about that line, whose friction has a sign. */
START_TEST(load_sets_it_off_as_a_hinge)
{
  generator g = {.state = 200 + (unsigned long long)_i};
  double d[3], tau = spread(&g, 1e-2, 10), A = tau * between(&g, 1.05, 4), w = between(&g, 3, 9),
               J = tau * between(&g, 0.02, 0.3);
  any_direction(&g, d);
  run r[2], stiff;
  for (int hinge = 0; hinge < 2; hinge++) {
    g.length = 0;
    put(&g,
        HEAD "<NewtonEulerDS id='a'><q0>0 0 0 1 0 0 0</q0><mass>1</mass><inertia diag='%.17g "
             "%.17g %.17g'/><mExt>",
        J, J, J);
    for (int i = 0; i < 3; i++) put(&g, "%s%.17g*sin(%.17g*t)", i ? ", " : "", A * d[i], w);
    put(&g, "</mExt></NewtonEulerDS></systems><interactions><interaction id='kf' systems='a'>");
    if (hinge) put(&g, "<PivotJointR point='0 0 0' axis='%.17g %.17g %.17g'/>", d[0], d[1], d[2]);
    else put(&g, "<KneeJointR point='0 0 0'/>");
    put(&g, "<EqualityConditionNSL/></interaction>");
    if (!hinge) put(&g, BALL("f"), tau, tau);
    else
      put(&g,
          "<interaction id='f'><JointFrictionR joint='kf'/><RelayNSL lb='-%.17g' ub='%.17g'/>"
          "</interaction>",
          tau, tau);
    put(&g, "</interactions>");
    r[hinge] = played(&g, 3, 0);
    if (!hinge) stiff = played_by(&g, "CVodeOSI method='bdf'", 3, 0);
  }
  ck_assert_double_eq_tol(time_of(&r[0], 1, NS_EVENT_SLIP, 0), asin(tau / A) / w, 1e-7);
  for (ns_event_kind kind = NS_EVENT_STICK; kind <= NS_EVENT_SLIP; kind++)
    for (int n = 0; !isnan(time_of(&r[1], 1, kind, n)); n++)
      ck_assert_double_eq_tol(time_of(&r[0], 1, kind, n), time_of(&r[1], 1, kind, n), 1e-5);
  ck_assert_uint_ge(r[1].got.nevents, 3);
  for (double t = 0; t < 3; t += 0.05) {
    size_t row[2] = {0};
    for (int k = 0; k < 2; k++)
      while (run_at(&r[k], row[k], "time") < t - 1e-9) row[k]++;
    for (int k = 0; k < 3; k++) {
      static const char *const label[] = {"a.Omega_x", "a.Omega_y", "a.Omega_z"};
      ck_assert_double_eq_tol(run_at(&r[0], row[0], label[k]), run_at(&r[1], row[1], label[k]),
                              1e-5 * A / (J * w));
    }
  }
  obeys(&r[0], "f", tau);
  /* by the implicit method it keeps to its line, too, and the certificate agrees */
  ck_assert_uint_eq(stiff.got.nevents, r[0].got.nevents);
  for (size_t k = 0; k < stiff.got.nevents; k++)
    ck_assert_double_eq_tol(stiff.got.events[k].t, r[0].got.events[k].t, 1e-6);
  obeys(&stiff, "f", tau);
  run_end(&stiff);
  run_end(&r[0]), run_end(&r[1]);
}
END_TEST

/* Two bars on two ball joints fall and spin, with friction of one vector in both, and come to rest
 * against their weight: time-stepping converges to it. */
START_TEST(two_at_once_are_the_limit_of_steps)
{
  generator g = {.state = 300 + (unsigned long long)_i};
  double tau[2] = {between(&g, 2, 8), between(&g, 1, 5)}, a[3], b[3];
  for (int i = 0; i < 3; i++) {
    a[i] = between(&g, -3, 3);
    b[i] = between(&g, -3, 3);
  }
  put(&g,
      HEAD "<NewtonEulerDS id='a'><q0>0.5 0 0 1 0 0 0</q0><v0>0 %.17g %.17g %.17g %.17g %.17g"
           "</v0><mass>2</mass><inertia diag='0.2 0.3 0.25'/><fExt>0 0 -19.62</fExt>"
           "</NewtonEulerDS>",
      0.5 * a[2], -0.5 * a[1], a[0], a[1], a[2]);
  put(&g,
      "<NewtonEulerDS id='b'><q0>1.5 0 0 1 0 0 0</q0><v0>0 %.17g %.17g %.17g %.17g %.17g</v0><mass>"
      "1</mass><inertia diag='0.1 0.15 0.2'/><fExt>0 0 -9.81</fExt></NewtonEulerDS></systems>"
      "<interactions><interaction id='kf' systems='a'><KneeJointR point='0 0 0'/>"
      "<EqualityConditionNSL/></interaction><interaction id='kg' systems='%s'>"
      "<KneeJointR point='1 0 0'/><EqualityConditionNSL/></interaction>",
      a[2] + 0.5 * b[2], -a[1] - 0.5 * b[1], b[0], b[1], b[2], _i % 2 ? "b a" : "a b");
  put(&g, BALL("f") BALL("g") "</interactions>", tau[0], tau[0], tau[1], tau[1]);
  run r = played(&g, 1.5, 0);
  double error[2];
  static const char *const label[] = {"a.x", "a.y", "a.z", "b.x", "b.y", "b.z", "b.p1", "b.p3"};
  for (int k = 0; k < 2; k++) {
    run s = played(&g, 1.5, k ? 2.5e-4 : 1e-3);
    error[k] = 0;
    for (int i = 0; i < 8; i++)
      error[k] = fmax(error[k], fabs(last(&s, label[i]) - last(&r, label[i])));
    run_end(&s);
  }
  ck_assert_double_le(error[0], 2e-2);
  ck_assert_double_le(error[1], 0.4 * error[0] + 1e-5);
  ck_assert_double_le(fabs(last(&r, "diagnostics.energy_defect")), 1e-6);
  obeys(&r, "f", tau[0]);
  obeys(&r, "g", tau[1]);
  /* constraints as equations of the integrator: the same events */
  run other = played_by(&g, "IDAOSI", 1.5, 0);
  ck_assert_uint_eq(other.got.nevents, r.got.nevents);
  for (size_t k = 0; k < r.got.nevents; k++) {
    ck_assert_int_eq(other.got.events[k].kind, r.got.events[k].kind);
    ck_assert_double_eq_tol(other.got.events[k].t, r.got.events[k].t, 1e-6);
  }
  run_end(&other);
  run_end(&r);
}
END_TEST

/* A bar that its joint carries as it is, as long as the torque of its weight is within the bound:
 * here the length of that, m g l, though it stands askew to every axis. */
START_TEST(carries_what_its_bound_allows)
{
  generator g = {.state = 400 + (unsigned long long)_i};
  double angle = between(&g, -3, 3), load = 9.81 * 0.5, tau = load * (_i % 2 ? 1.001 : 0.999);
  put(&g,
      HEAD "<NewtonEulerDS id='a'><q0>%.17g %.17g 0 0.6 0 0.8 0</q0><mass>1</mass><inertia "
           "diag='0.1 0.2 0.3'/><fExt>0 0 -9.81</fExt></NewtonEulerDS></systems><interactions>"
           "<interaction id='kf' systems='a'><KneeJointR point='0 0 0'/><EqualityConditionNSL/>"
           "</interaction>" BALL("f") "</interactions>",
      0.5 * cos(angle), 0.5 * sin(angle), tau, tau);
  run r = played(&g, 1, 0);
  double fell = last(&r, "a.z"), torque[3];
  vector_at(&r, 0, "%s.lambda[%d]", "f", torque);
  ck_assert_double_eq_tol(length(torque), fmin(load, tau), 1e-9);
  if (_i % 2) ck_assert_double_eq_tol(fell, 0, 1e-13);
  else ck_assert_double_le(fell, -1e-4);
  obeys(&r, "f", tau);
  run_end(&r);
}
END_TEST

/* Bounds that are not symmetric: y' is minus the rate of the coordinate, or of the length of a
 * tendon, and friction is at ub where that increases. A hinge or a slide, of a body or of two in
 * either order. */
START_TEST(bounds_belong_to_the_direction)
{
  generator g = {.state = 500 + (unsigned long long)_i};
  int slide = pick(&g, 2), two = pick(&g, 2), tendon = pick(&g, 2), first = pick(&g, 2);
  double I[2] = {between(&g, 0.5, 3), between(&g, 0.5, 3)}, d[3],
         reduced = two ? I[0] * I[1] / (I[0] + I[1]) : I[0],
         arm = tendon ? (pick(&g, 2) ? 1 : -1) * between(&g, 0.2, 2) : 1, lb = -between(&g, 0.2, 3),
         ub = between(&g, 0.2, 3), v = (pick(&g, 2) ? 1 : -1) * 10 / reduced,
         law = arm * v > 0 ? ub : lb;
  any_direction(&g, d);
  put(&g, HEAD);
  for (int i = 0; i <= two; i++)
    put(&g,
        "<NewtonEulerDS id='%c'><q0>0 0 0 1 0 0 0</q0><mass>%.17g</mass><inertia diag='%.17g %.17g "
        "%.17g'/></NewtonEulerDS>",
        'a' + i, I[i], I[i], I[i], I[i]);
  put(&g,
      "</systems><interactions><interaction id='k' systems='%s'><%s %s axis='%.17g %.17g %.17g' "
      "initialRate='%.17g'/><EqualityConditionNSL/></interaction>",
      !two    ? "a"
      : first ? "a b"
              : "b a",
      slide ? "PrismaticJointR" : "PivotJointR", slide ? "" : "point='0 0 0'", d[0], d[1], d[2], v);
  if (tendon) put(&g, "<tendon id='w' joints='k' coefficients='%.17g' stiffness='0'/>", arm);
  put(&g, "<interaction id='f'><%s/><RelayNSL lb='%.17g' ub='%.17g'/></interaction></interactions>",
      tendon ? "TendonFrictionR tendon='w'" : "JointFrictionR joint='k'", lb, ub);
  for (int steps = 0; steps < 2; steps++) {
    run r = played(&g, 1, steps ? 0.01 : 0);
    const char *rate = slide ? "k.v_slide" : "k.v_angle";
    ck_assert_double_eq_tol(run_at(&r, 0, rate), v, 1e-12 * fabs(v));
    ck_assert_double_eq_tol(last(&r, "f.ydot"), -arm * last(&r, rate), 1e-12 * fabs(v));
    ck_assert_double_eq_tol(last(&r, "f.lambda"), steps ? 0.01 * law : law, 1e-9);
    ck_assert_double_eq_tol(last(&r, rate), v - arm * law / reduced, 1e-7 * fabs(v));
    run_end(&r);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, spheres_come_to_rest_at_their_instants, 0, some_of(20));
  tcase_add_loop_test(t, load_sets_it_off_as_a_hinge, 0, some_of(16));
  tcase_add_loop_test(t, two_at_once_are_the_limit_of_steps, 0, some_of(8));
  tcase_add_loop_test(t, carries_what_its_bound_allows, 0, some_of(8));
  tcase_add_loop_test(t, bounds_belong_to_the_direction, 0, some_of(40));
}

int main(void) { return suite_run("event-driven friction of ball joints", fill); }
