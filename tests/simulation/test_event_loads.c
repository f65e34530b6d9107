/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bodies that stick by several contacts, whose forces are not unique, in event-driven runs: they
 * begin to slide with all contacts at once, when no friction within all bounds holds them. Closed
 * forms of tables with legs that are pulled and turned, of boxes on a plate that shakes and of
 * slides that a guide wedges; sums of forces along edges of cones for bodies between walls; the
 * limit of time-stepping for boxes on a table that spins up. */
#include "simulation/simulation.h"
#include "support/random_model.h"
#include "support/whole.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"

static const double G = 9.81;
enum { LEGS = 8 };

static int count(const run *r, ns_event_kind kind)
{
  int n = 0;
  for (size_t i = 0; i < r->got.nevents; i++) n += r->got.events[i].kind == kind;
  return n;
}

static double time_of(const run *r, ns_event_kind kind, int which)
{
  for (size_t i = 0; i < r->got.nevents; i++)
    if (r->got.events[i].kind == kind && which-- == 0) return r->got.events[i].t;
  return NAN;
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* A table of small rotations on n legs at p, its centre at `height`, pulled by t F and turned by t
 * torque about the vertical. */
typedef struct tripod {
  int n;
  double p[LEGS][2], height, m, mu, F[2], torque;
} tripod;

/* beside: with a system of first order, so that the model is one of several kinds. */
static void put_table(generator *to, const tripod *k, double T, int beside)
{
  put(to,
      HEAD "<LagrangianDS id='b' coordinates='x y z a b c'><q0>0 0 0 0 0 0</q0><mass>%.17g 0 0 0 0 "
           "0; 0 %.17g 0 0 0 0; "
           "0 0 %.17g 0 0 0; 0 0 0 %.17g 0 0; 0 0 0 0 %.17g 0; 0 0 0 0 0 %.17g</mass><fExt>"
           "%.17g*t; %.17g*t; %.17g; 0; 0; %.17g*t</fExt></LagrangianDS>",
      k->m, k->m, k->m, 0.1 * k->m, 0.1 * k->m, 0.2 * k->m, k->F[0], k->F[1], -G * k->m, k->torque);
  if (beside) put(to, "<FirstOrderLinearTIDS id='f'><x0>1</x0><A>-1</A></FirstOrderLinearTIDS>");
  put(to, "</systems><interactions>");
  for (int i = 0; i < k->n; i++)
    put(to,
        "<interaction id='l%d' systems='b'><LagrangianLinearTIR><H>0 0 1 %.17g %.17g 0; 1 0 0 0 "
        "%.17g %.17g; 0 1 0 %.17g 0 %.17g</H></LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' "
        "mu='%.17g'/></interaction>",
        i, k->p[i][1], -k->p[i][0], -k->height, -k->p[i][1], k->height, k->p[i][0], k->mu);
  put(to,
      "</interactions><simulation T='%.17g'><EventDriven h='%.17g'><CVodeOSI "
      "relativeTolerance='1e-10' absoluteTolerance='1e-12'/></EventDriven></simulation></model>",
      T, T / 20);
}

static run play(const tripod *k, double T, int beside)
{
  generator to = {.state = 1};
  put_table(&to, k, T, beside);
  run r = run_load(to.text, NULL);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s\n%s", r.c.msg, to.text);
  return r;
}

/* Legs anywhere about the centre, which is not low: a pull along the plane moves them all by the
 * same way, so that friction is mu m g however loads are shared. */
START_TEST(tables_are_pulled)
{
  generator g = {.state = 900 + (unsigned long long)_i};
  tripod k = {.n = 3 + pick(&g, LEGS - 2), .m = between(&g, 0.2, 5), .mu = between(&g, 0.1, 0.8)};
  double turn = between(&g, 0, 6), at = between(&g, 0, 6), F = between(&g, 1, 20) * k.m;
  for (int i = 0; i < k.n; i++) {
    double angle = turn + 2 * M_PI * i / k.n + between(&g, -0.3, 0.3), far = between(&g, 0.3, 0.5);
    k.p[i][0] = far * cos(angle);
    k.p[i][1] = far * sin(angle);
  }
  k.height = between(&g, 0, 0.15) / k.mu * 0.5;
  k.F[0] = F * cos(at);
  k.F[1] = F * sin(at);
  double begins = k.mu * k.m * G / F, T = 1.5 * begins;
  run r = play(&k, T, _i % 2);
  ck_assert_int_eq(count(&r, NS_EVENT_SLIP), k.n);
  ck_assert_int_eq(count(&r, NS_EVENT_STICK), 0);
  for (int i = 0; i < k.n; i++)
    ck_assert_double_eq_tol(time_of(&r, NS_EVENT_SLIP, i), begins, 1e-9 * begins);
  double way = F / k.m * pow(T - begins, 3) / 6;
  ck_assert_double_eq_tol(r.x->q[0], way * cos(at), 1e-7 * (1 + way));
  ck_assert_double_eq_tol(r.x->q[1], way * sin(at), 1e-7 * (1 + way));
  run_end(&r);
}
END_TEST

/* Power of the load by that of friction, of equally loaded legs, in a motion. */
static double use_in(const tripod *k, double x, double y, double c)
{
  double power = k->F[0] * x + k->F[1] * y + k->torque * c, friction = 0;
  for (int i = 0; i < k->n; i++)
    friction += k->mu * k->m * G / k->n * hypot(x - c * k->p[i][1], y + c * k->p[i][0]);
  return power / friction;
}

static double use_at(const tripod *k, const double *s)
{
  return use_in(k, cos(s[0]) * cos(s[1]), cos(s[0]) * sin(s[1]), sin(s[0]) / 0.3);
}

/* The largest one of all motions: kappa by t. */
static double needed(const tripod *k)
{
  double best[2] = {0, 0}, max = 0, width = 0.05;
  for (double a = -1.57; a < 1.58; a += width)
    for (double b = 0; b < 6.3; b += width) {
      double s[2] = {a, b}, use = use_at(k, s);
      if (use > max) max = use, best[0] = a, best[1] = b;
    }
  for (; width > 1e-9; width *= 0.7)
    for (int i = 0; i < 16; i++) {
      double s[2] = {best[0] + width * cos(i * M_PI / 8), best[1] + width * sin(i * M_PI / 8)},
             use = use_at(k, s);
      if (use > max) max = use, best[0] = s[0], best[1] = s[1];
    }
  return max;
}

/* Legs at the corners of a regular polygon carry equal loads; a pull and a torque, where the
 * motion that begins is a rotation about some point, in a few cases about a leg. */
START_TEST(tables_are_turned)
{
  generator g = {.state = 1300 + (unsigned long long)_i};
  tripod k = {.n = 3 + _i % (LEGS - 2), .m = between(&g, 0.2, 5), .mu = between(&g, 0.1, 0.8)};
  double turn = between(&g, 0, 6), at = between(&g, 0, 6), F = between(&g, 0, 10) * k.m;
  for (int i = 0; i < k.n; i++) {
    k.p[i][0] = 0.4 * cos(turn + 2 * M_PI * i / k.n);
    k.p[i][1] = 0.4 * sin(turn + 2 * M_PI * i / k.n);
  }
  k.F[0] = F * cos(at);
  k.F[1] = F * sin(at);
  k.torque = between(&g, 1, 4) * k.m;
  double begins = 1 / needed(&k);
  run r = play(&k, 1.2 * begins, _i % 2);
  ck_assert_int_ge(count(&r, NS_EVENT_SLIP), k.n - 1);
  ck_assert_int_le(count(&r, NS_EVENT_SLIP), k.n);
  ck_assert_double_eq_tol(time_of(&r, NS_EVENT_SLIP, 0), begins, 1e-8 * begins);
  run_end(&r);
}
END_TEST

/* ---- slides in a guide ----------------------------------------------------------------------- */

/* A body that a guide keeps to the plane y = y0, on a floor that leans by `lean` about x, pulled
 * along x by F t. y is a coordinate with a bilateral row, or there is none. */
typedef struct slide {
  double lean, mu, m, F, at[3];
  int has_row;
} slide;

static run pull_slide(const slide *k, double T)
{
  generator to = {.state = 1};
  double c = cos(k->lean), s = sin(k->lean), m = k->m;
  if (k->has_row)
    put(&to,
        HEAD "<LagrangianDS id='b' coordinates='x y z'><q0>%.17g %.17g %.17g</q0><mass>%.17g 0 0; "
             "0 %.17g 0; 0 0 %.17g</mass><fExt>%.17g*t; 0; %.17g</fExt></LagrangianDS></systems>"
             "<interactions><interaction id='guide' systems='b'><LagrangianLinearTIR><H>0 1 0</H>"
             "<e>%.17g</e></LagrangianLinearTIR><EqualityConditionNSL/></interaction><interaction "
             "id='floor' systems='b'><LagrangianLinearTIR><H>0 %.17g %.17g; 1 0 0; 0 %.17g %.17g"
             "</H><e>%.17g; 0; 0</e>",
        k->at[0], k->at[1], k->at[2], m, m, m, k->F, -G * m, -k->at[1], -s, c, c, s,
        s * k->at[1] - c * k->at[2]);
  else
    put(&to,
        HEAD "<LagrangianDS id='b' coordinates='x z'><q0>%.17g %.17g</q0><mass>%.17g 0; 0 %.17g"
             "</mass><fExt>%.17g*t; %.17g</fExt></LagrangianDS></systems><interactions>"
             "<interaction id='floor' systems='b'><LagrangianLinearTIR><H>0 %.17g; 1 0; 0 %.17g"
             "</H><e>%.17g; 0; 0</e>",
        k->at[0], k->at[2], m, m, k->F, -G * m, c, s, -c * k->at[2]);
  put(&to,
      "</LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' mu='%.17g'/></interaction>"
      "</interactions><simulation T='%.17g'><EventDriven h='%.17g'><CVodeOSI "
      "relativeTolerance='1e-10' absoluteTolerance='1e-12'/></EventDriven></simulation></model>",
      k->mu, T, T / 20);
  run r = run_load(to.text, NULL);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s\n%s", r.c.msg, to.text);
  return r;
}

/* Friction across x and the guide can push against each other, and press the body to the floor with
 * that: with c, s of `lean` it holds up to mu m g/sqrt(c^2 - mu^2 s^2), any pull where mu > c/s. It
 * slides with mu m g/c. */
START_TEST(slides_are_wedged)
{
  generator g = {.state = 2100 + (unsigned long long)_i};
  slide k = {.lean = between(&g, 0, 1.2),
             .mu = between(&g, 0.1, 0.8),
             .m = between(&g, 0.1, 10),
             .has_row = _i % 2};
  double c = cos(k.lean), s = sin(k.lean), W = k.m * G, room = c * c - k.mu * k.mu * s * s;
  for (int i = 0; i < 3; i++) k.at[i] = between(&g, -10, 10);
  k.F = between(&g, 0.5, 5) * W;
  double holds = room > 0 ? k.mu * W / sqrt(room) : INFINITY, slides = k.mu * W / c;
  double T = fmin(1.5 * holds, 20 * slides) / k.F, t0 = fmin(holds / k.F, T);
  run r = pull_slide(&k, T);
  ck_assert_int_eq(count(&r, NS_EVENT_SLIP), t0 < T);
  ck_assert_int_eq(count(&r, NS_EVENT_STICK), 0);
  if (t0 < T) ck_assert_double_eq_tol(time_of(&r, NS_EVENT_SLIP, 0), t0, 1e-9 * t0);
  double way = (k.F * (pow(T, 3) - pow(t0, 3)) / 6 - slides * (T * T - t0 * t0) / 2 -
                (k.F * t0 * t0 / 2 - slides * t0) * (T - t0)) /
               k.m;
  ck_assert_double_eq_tol(r.x->q[0], k.at[0] + way, 1e-7 * (1 + way));
  run_end(&r);
}
END_TEST

/* ---- wedges ---------------------------------------------------------------------------------- */

enum { MOST_WALLS = 5 };

/* A body in the plane between walls that it touches at p, in directions n, with a load f0 + t f1 of
 * forces and a moment. */
typedef struct wedge {
  int n;
  double p[MOST_WALLS][2], normal[MOST_WALLS][2], mu[MOST_WALLS], m, inertia, f0[3], f1[3];
} wedge;

/* What a unit force at p along d is of: forces and a moment. */
static void wrench(const double *p, double dx, double dy, double *w)
{
  w[0] = dx;
  w[1] = dy;
  w[2] = p[0] * dy - p[1] * dx;
}

static double determinant(const double *a, const double *b, const double *c)
{
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* 1: the load at t is held by forces along three of the edges of all cones: of such forces all
 * others are sums (Caratheodory). */
static int can_hold(const wedge *k, double t)
{
  double edge[2 * MOST_WALLS][3], f[3];
  int m = 2 * k->n, held = 0;
  for (int i = 0; i < m; i++) {
    const double *n = k->normal[i / 2];
    double mu = i % 2 ? k->mu[i / 2] : -k->mu[i / 2];
    wrench(k->p[i / 2], n[0] - mu * n[1], n[1] + mu * n[0], edge[i]);
  }
  for (int j = 0; j < 3; j++) f[j] = -k->f0[j] - t * k->f1[j];
  for (int a = 0; a < m; a++)
    for (int b = a + 1; b < m; b++)
      for (int c = b + 1; c < m; c++) {
        double d = determinant(edge[a], edge[b], edge[c]);
        held |= determinant(f, edge[b], edge[c]) / d >= 0 &&
                determinant(edge[a], f, edge[c]) / d >= 0 &&
                determinant(edge[a], edge[b], f) / d >= 0;
      }
  return held;
}

/* When no forces hold it any more; the load can be held at 0, and up to one time. */
static double held_until(const wedge *k, double T)
{
  double in = 0, out = T;
  if (can_hold(k, T)) return INFINITY;
  while (out - in > 1e-13 * T) *(can_hold(k, (in + out) / 2) ? &in : &out) = (in + out) / 2;
  return in;
}

static wedge any_wedge(generator *g)
{
  wedge k = {.n = 2 + pick(g, 2) * pick(g, MOST_WALLS - 1), .m = between(g, 0.2, 5)};
  double size = pow(10, between(g, -2, 1)), weight = k.m * G, first = between(g, 0, 6);
  k.inertia = k.m * size * size * between(g, 0.1, 0.5);
  for (int i = 0; i < k.n; i++) {
    double at = first + 2 * M_PI * (i + between(g, -0.3, 0.3)) / k.n,
           far = size * between(g, 0.5, 1), to = at + M_PI + between(g, -0.6, 0.6),
           N = weight * between(g, 0.2, 1), T, w[3];
    k.p[i][0] = far * cos(at), k.p[i][1] = far * sin(at);
    k.normal[i][0] = cos(to), k.normal[i][1] = sin(to);
    k.mu[i] = between(g, 0.05, 0.6);
    T = N * k.mu[i] * between(g, -0.6, 0.6);
    wrench(k.p[i], N * cos(to) - T * sin(to), N * sin(to) + T * cos(to), w);
    for (int j = 0; j < 3; j++) k.f0[j] -= w[j];
  }
  for (int j = 0; j < 3; j++) k.f1[j] = weight * between(g, -1, 1) * (j == 2 ? size : 1);
  return k;
}

/* Rows of a contact in the plane along d. */
static void put_row(generator *to, const double *p, double dx, double dy)
{
  double w[3];
  wrench(p, dx, dy, w);
  put(to, "%.17g %.17g %.17g", w[0], w[1], w[2]);
}

/* By events, by steps, by steps in a model of several kinds. */
enum { EVENTS, STEPS, BESIDE };

static const char *beside(int steps)
{
  return steps == BESIDE ? "<FirstOrderLinearTIDS id='d' states='s'><x0>1</x0><A>-1</A>"
                           "</FirstOrderLinearTIDS>"
                         : "";
}

static void put_simulation(generator *to, double T, int steps)
{
  if (steps)
    put(to,
        "<simulation T='%.17g'><TimeStepping h='%.17g'><MoreauJeanOSI/>%s</TimeStepping>"
        "</simulation></model>",
        T, T / 100, steps == BESIDE ? "<EulerMoreauOSI/>" : "");
  else
    put(to,
        "<simulation T='%.17g'><EventDriven h='%.17g'><CVodeOSI/></EventDriven></simulation>"
        "</model>",
        T, T / 20);
}

static run hold_in_plane(const wedge *k, double T, int steps)
{
  generator to = {.state = 1};
  put(&to,
      HEAD "<LagrangianDS id='b' coordinates='x y a'><q0>0 0 0</q0><mass>%.17g 0 0; 0 %.17g 0; "
           "0 0 %.17g</mass><fExt>%.17g + t*(%.17g); %.17g + t*(%.17g); %.17g + t*(%.17g)"
           "</fExt></LagrangianDS>%s</systems><interactions>",
      k->m, k->m, k->inertia, k->f0[0], k->f1[0], k->f0[1], k->f1[1], k->f0[2], k->f1[2],
      beside(steps));
  for (int i = 0; i < k->n; i++) {
    const double *n = k->normal[i];
    put(&to, "<interaction id='w%d' systems='b'><LagrangianLinearTIR><H>", i);
    put_row(&to, k->p[i], n[0], n[1]);
    put(&to, "; ");
    put_row(&to, k->p[i], -n[1], n[0]);
    put(&to, "</H></LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' mu='%.17g'/></interaction>",
        k->mu[i]);
  }
  put(&to, "</interactions>");
  put_simulation(&to, T, steps);
  run r = run_load(to.text, NULL);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s\n%s", r.c.msg, to.text);
  return r;
}

static void put_row_in_space(generator *to, const double *p, const double *d)
{
  put(to, "%.17g %.17g %.17g %.17g %.17g %.17g", d[0], d[1], d[2], p[1] * d[2] - p[2] * d[1],
      p[2] * d[0] - p[0] * d[2], p[0] * d[1] - p[1] * d[0]);
}

/* (x, y) in the plane of the first two of three axes. */
static void turn(double axis[3][3], double x, double y, double *to)
{
  for (int j = 0; j < 3; j++) to[j] = x * axis[0][j] + y * axis[1][j];
}

/* The same in a plane of space: friction across it has nothing to hold, for with each forces their
 * mirror image holds, and so does their mean. */
static run hold_in_space(const wedge *k, double axis[3][3], double T, int steps)
{
  generator to = {.state = 1};
  double f0[3], f1[3], p[3], d[3];
  turn(axis, k->f0[0], k->f0[1], f0);
  turn(axis, k->f1[0], k->f1[1], f1);
  put(&to,
      HEAD
      "<LagrangianDS id='b' coordinates='x y z a b c'><q0>0 0 0 0 0 0</q0><mass diag='%.17g %.17g "
      "%.17g %.17g %.17g %.17g'/><fExt>",
      k->m, k->m, k->m, k->inertia, k->inertia, k->inertia);
  for (int j = 0; j < 3; j++) put(&to, "%.17g + t*(%.17g); ", f0[j], f1[j]);
  for (int j = 0; j < 3; j++)
    put(&to, "%s%.17g + t*(%.17g)", j ? "; " : "", axis[2][j] * k->f0[2], axis[2][j] * k->f1[2]);
  put(&to, "</fExt></LagrangianDS>%s</systems><interactions>", beside(steps));
  for (int i = 0; i < k->n; i++) {
    const double *n = k->normal[i];
    turn(axis, k->p[i][0], k->p[i][1], p);
    put(&to, "<interaction id='w%d' systems='b'><LagrangianLinearTIR><H>", i);
    turn(axis, n[0], n[1], d);
    put_row_in_space(&to, p, d);
    put(&to, "; ");
    turn(axis, -n[1], n[0], d);
    put_row_in_space(&to, p, d);
    put(&to, "; ");
    put_row_in_space(&to, p, axis[2]);
    put(&to, "</H></LagrangianLinearTIR><NewtonImpactFrictionNSL en='0' mu='%.17g'/></interaction>",
        k->mu[i]);
  }
  put(&to, "</interactions>");
  put_simulation(&to, T, steps);
  run r = run_load(to.text, NULL);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s\n%s", r.c.msg, to.text);
  return r;
}

/* Three axes at right angles. */
static void any_axes(generator *g, double axis[3][3])
{
  double a = between(g, 0, 6), b = between(g, 0, 6), c = between(g, 0, 6), ca = cos(a), sa = sin(a),
         cb = cos(b), sb = sin(b), cc = cos(c), sc = sin(c);
  const double R[3][3] = {{cb * cc, cb * sc, -sb},
                          {sa * sb * cc - ca * sc, sa * sb * sc + ca * cc, sa * cb},
                          {ca * sb * cc + sa * sc, ca * sb * sc - sa * cc, ca * cb}};
  memcpy(axis, R, sizeof R);
}

/* Sticks, with forces in all cones, up to the time when no such forces exist; what is beyond is a
 * motion. */
static void check_wedge(const run *r, const wedge *k, double until)
{
  double ends = INFINITY;
  for (size_t i = 0; i < r->got.nevents; i++)
    if (r->got.events[i].t > 0 && r->got.events[i].t < ends) ends = r->got.events[i].t;
  if (isinf(until)) ck_assert_msg(isinf(ends), "it is wedged, and ends at %.12g", ends);
  else ck_assert_msg(fabs(ends - until) < 1e-7 * until, "%.12g, not %.12g", ends, until);
  for (size_t i = 0; i < r->got.nrows; i++)
    for (int c = 0; c < k->n; c++) {
      char name[3][32];
      for (int j = 0; j < 3; j++) snprintf(name[j], sizeof name[j], "w%d.lambda[%d]", c, j);
      double N = run_at(r, i, name[0]), T = run_at(r, i, name[1]);
      if (r->m->nv == 6) T = hypot(T, run_at(r, i, name[2]));
      ck_assert_msg(N >= -1e-5 * k->m * G && T <= k->mu[c] * N + 1e-5 * k->m * G,
                    "contact %d at %g: %g, %g", c, r->got.rows[i * r->got.ncols], N, T);
    }
}

/* The same by steps: at rest a little before it ends, and moving beyond. */
static void check_steps(run r, const wedge *k, double t, double until)
{
  double speed = 0, size = sqrt(k->inertia / k->m);
  for (int i = 0, n = r.m->systems[0].n; i < n; i++)
    speed = fmax(speed, fabs(r.x->v[i]) * (i < n / 2 ? 1 : size));
  ck_assert_msg((speed <= 1e-6 * G * t) == (t < until), "%g m/s after %g of %g", speed, t, until);
  run_end(&r);
}

START_TEST(wedges_hold_as_long_as_some_forces_do)
{
  generator g = {.state = 3100 + (unsigned long long)_i};
  double axis[3][3];
  wedge k = any_wedge(&g);
  any_axes(&g, axis);
  double until = held_until(&k, 10), T = isinf(until) ? 10 : 1.05 * until;
  run plane = hold_in_plane(&k, T, 0), space = hold_in_space(&k, axis, T, 0);
  check_wedge(&plane, &k, until);
  check_wedge(&space, &k, until);
  double size = sqrt(k.inertia / k.m), q[3], way = 0;
  for (int j = 0; j < 3; j++) {
    const double *by = axis[j], *to = space.x->q + (j == 2 ? 3 : 0);
    q[j] = (by[0] * to[0] + by[1] * to[1] + by[2] * to[2]) * (j == 2 ? size : 1);
    way = fmax(way, fabs(q[j]));
  }
  ck_assert(isfinite(until) || way < 1e-9 * size);
  for (int j = 0; j < 3; j++)
    ck_assert_double_eq_tol(plane.x->q[j] * (j == 2 ? size : 1), q[j], 1e-5 * way + 1e-9 * size);
  run_end(&plane), run_end(&space);
  for (int i = 0; i < (isinf(until) ? 1 : 2); i++) {
    double t = isinf(until) ? T : i ? 1.05 * until : 0.98 * until;
    for (int how = STEPS; how <= BESIDE; how++) {
      check_steps(hold_in_plane(&k, t, how), &k, t, until);
      check_steps(hold_in_space(&k, axis, t, how), &k, t, until);
    }
  }
}
END_TEST

/* A disk, or a sphere, between two walls of a groove that lean by b from the vertical, at a place;
 * turned by t torque. */
static run turn_in_groove(const wedge *k, double b, const double *at, int in_space, double T,
                          int steps)
{
  generator to = {.state = 1};
  double R = hypot(k->p[0][0], k->p[0][1]), z = in_space ? at[2] : at[1];
  put(&to, "<model xmlns='urn:nssim:model:1' name='m'><systems>");
  if (in_space)
    put(&to,
        "<NewtonEulerDS id='b'><q0>%.17g %.17g %.17g 1 0 0 0</q0><mass>%.17g</mass><inertia "
        "diag='%.17g %.17g %.17g'/><fExt>0 0 %.17g</fExt><mExt>0 %.17g*t 0</mExt><Sphere "
        "radius='%.17g'/></NewtonEulerDS>",
        at[0], at[1], z, k->m, k->inertia, k->inertia, k->inertia, k->f0[1], -k->f1[2], R);
  else
    put(&to,
        "<RigidBody2dDS id='b'><q0>%.17g %.17g 0</q0><mass>%.17g</mass><inertia>%.17g"
        "</inertia><fExt>0 %.17g</fExt><mExt>%.17g*t</mExt><Disk radius='%.17g'/>"
        "</RigidBody2dDS>",
        at[0], z, k->m, k->inertia, k->f0[1], k->f1[2], R);
  put(&to, "</systems><contacts><NewtonImpactFrictionNSL en='0' mu='%.17g'/>", k->mu[0]);
  for (int i = 0; i < 2; i++) {
    double c = i ? -cos(b) : cos(b), s = sin(b), x = at[0] - R * c, y = z - R * s;
    if (in_space)
      put(&to, "<Plane at='%.17g %.17g %.17g' normal='%.17g 0 %.17g'/>", x, at[1], y, c, s);
    else put(&to, "<HalfPlane at='%.17g %.17g' normal='%.17g %.17g'/>", x, y, c, s);
  }
  put(&to, "</contacts>");
  put_simulation(&to, T, steps);
  run r = run_load(to.text, NULL);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s\n%s", r.c.msg, to.text);
  return r;
}

/* The angular velocity about the axis of the groove. */
static double spin_of(const run *r) { return r->m->nv == 6 ? -r->x->v[4] : r->x->v[2]; }

/* Where mu > tan b it holds any torque, though to slide, or to roll up a wall, is another solution
 * of each step. Steps agree with events a little before and after the end of rest. */
START_TEST(grooves_hold_what_they_wedge)
{
  generator g = {.state = 3700 + (unsigned long long)_i};
  double b = between(&g, 0.2, 1.2), R = pow(10, between(&g, -2, 1)), mu = between(&g, 0.1, 1.4),
         at[3] = {between(&g, -5, 5) * R, between(&g, -5, 5) * R, between(&g, -5, 5) * R};
  wedge k = {.n = 2, .m = between(&g, 0.2, 5), .mu = {mu, mu}};
  for (int i = 0; i < 2; i++) {
    k.normal[i][0] = i ? -cos(b) : cos(b), k.normal[i][1] = sin(b);
    for (int j = 0; j < 2; j++) k.p[i][j] = -R * k.normal[i][j];
  }
  k.inertia = 0.4 * k.m * R * R;
  k.f0[1] = -k.m * G;
  k.f1[2] = k.m * G * R * between(&g, 0.2, 1);
  double until = held_until(&k, 10), T = isinf(until) ? 10 : until;
  ck_assert(!(mu > tan(b)) || isinf(until));
  for (int in_space = 0; in_space < 2; in_space++) {
    run events = turn_in_groove(&k, b, at, in_space, 1.05 * T, 0),
        before = turn_in_groove(&k, b, at, in_space, 0.98 * T, 1),
        after = turn_in_groove(&k, b, at, in_space, 1.05 * T, 1);
    double ends = INFINITY;
    for (size_t i = 0; i < events.got.nevents; i++)
      if (events.got.events[i].t > 0) ends = fmin(ends, events.got.events[i].t);
    ck_assert_msg(isinf(until) ? isinf(ends) : fabs(ends - until) < 1e-7 * until, "%g, not %g",
                  ends, until);
    ck_assert_double_eq_tol(spin_of(&before), 0, 1e-7);
    ck_assert_int_eq(count(&before, NS_EVENT_RELEASE), 0);
    if (isfinite(until))
      ck_assert_double_eq_tol(spin_of(&after), spin_of(&events), 1e-2 * spin_of(&events));
    else ck_assert_double_eq_tol(spin_of(&after), 0, 1e-7);
    run_end(&events), run_end(&before), run_end(&after);
  }
}
END_TEST

/* ---- boxes on a plate that shakes ------------------------------------------------------------ */

static void put_box(generator *to, const char *id, const double *size, double m, double angle,
                    double x, double y, const char *v0)
{
  double a = size[0] * size[0], b = size[1] * size[1], c = size[2] * size[2];
  put(to,
      "<NewtonEulerDS id='%s'><q0 axis='0 0 1' angle='%.17g'>%.17g %.17g %.17g</q0><v0>%s</v0>"
      "<mass>%.17g</mass><inertia diag='%.17g %.17g %.17g'/><fExt>0 0 %.17g</fExt><Box size='%.17g "
      "%.17g %.17g'/></NewtonEulerDS>",
      id, angle, x, y, size[2] / 2, v0, m, m * (b + c) / 12, m * (a + c) / 12, m * (a + b) / 12,
      -G * m, size[0], size[1], size[2]);
}

/* Times at which a mass on a plate with x' = A w cos w t begins to slip and sticks, alternating, up
 * to T; their number. */
static int point_mass(double mu, double A, double w, double T, double *at, int max)
{
  double t = asin(mu * G / (A * w * w)) / w;
  int n = 0;
  for (int k = 0; t < T && n + 1 < max; k++) {
    /* the plate decelerates, friction less so, with the sign of this half of a period */
    double sign = k % 2 ? -1 : 1, v0 = A * w * cos(w * t), low = t + 1e-6, high = t + M_PI / w;
    at[n++] = t;
    for (int i = 0; i < 100; i++) {
      double mid = (low + high) / 2,
             ahead = sign * (v0 - sign * mu * G * (mid - t) - A * w * cos(w * mid));
      *(ahead > 0 ? &low : &high) = mid;
    }
    if (low < T) at[n++] = low;
    t = ((k + 1) * M_PI + asin(mu * G / (A * w * w))) / w;
  }
  return n;
}

/* All four corners at the times of a mass. */
START_TEST(boxes_follow_a_plate)
{
  enum { MAX = 40 };
  generator g = {.state = 1700 + (unsigned long long)_i}, to = {.state = 1};
  double w = between(&g, 5, 15), mu = between(&g, 0.2, 0.5), T = 4 * M_PI / w, at[MAX];
  /* so little that it comes to rest each time before the plate is faster than friction again */
  double A = between(&g, 1.1, 1.6) * mu * G / (w * w);
  double size[3] = {between(&g, 0.1, 0.4), between(&g, 0.1, 0.4), between(&g, 0.05, 0.2)};
  double mass = between(&g, 0.3, 3), angle = between(&g, 0, 3);
  /* so flat that no corner comes to be without load */
  size[2] = fmin(size[2], 0.8 / mu / (fabs(cos(angle)) / size[0] + sin(angle) / size[1]));
  /* steps that end at other points beyond rest, where interpolants pass it and come back */
  double rtol = _i < 8 ? 1e-10 : pow(10, between(&g, -11, -9));
  char v0[64];
  snprintf(v0, sizeof v0, "%.17g 0 0 0 0 0", A * w);
  put(&to,
      HEAD "<NewtonEulerDS id='plate'><q0>0 0 -0.1 1 0 0 0</q0><mass>10</mass><inertia diag='5 5 "
           "10'/><fixed coordinates='y z Omega_x Omega_y Omega_z'/><prescribed "
           "coordinates='x'>%.17g*cos(%.17g*t)</prescribed><Box size='4 4 0.2'/></NewtonEulerDS>",
      A * w, w);
  put_box(&to, "b", size, mass, angle, 0.3, -0.2, v0);
  put(&to,
      "</systems><contacts><NewtonImpactFrictionNSL en='0' mu='%.17g'/></contacts><simulation "
      "T='%.17g'><EventDriven h='%.17g'><CVodeOSI relativeTolerance='%.17g' "
      "absoluteTolerance='1e-12'/></EventDriven></simulation></model>",
      mu, T, T / 20, rtol);
  run r = run_load(to.text, NULL);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s\n%s", r.c.msg, to.text);
  int n = point_mass(mu, A, w, T, at, MAX);
  ck_assert_int_eq(count(&r, NS_EVENT_SLIP), 4 * ((n + 1) / 2));
  ck_assert_int_eq(count(&r, NS_EVENT_STICK), 4 * (n / 2));
  for (int i = 0; i < 4 * n; i++) {
    int half = i / 4 / 2, which = 4 * half + i % 4, sticks = i / 4 % 2;
    ck_assert_double_eq_tol(time_of(&r, sticks ? NS_EVENT_STICK : NS_EVENT_SLIP, which), at[i / 4],
                            1e-9);
  }
  run_end(&r);
}
END_TEST

/* ---- boxes on a table that spins up ---------------------------------------------------------- */

static run spin(generator *of, int boxes, const char *simulation)
{
  generator g = *of, to = {.state = 1};
  double mu = between(&g, 0.2, 0.5), a = between(&g, 0.5, 3), r = between(&g, 0.4, 0.8), at = 0.3;
  double size[3] = {between(&g, 0.08, 0.3), between(&g, 0.08, 0.3), between(&g, 0.05, 0.2)};
  put(&to,
      HEAD "<NewtonEulerDS id='table'><q0>0 0 -0.1 1 0 0 0</q0><mass>10</mass><inertia diag='5 5 "
           "10'/><fixed coordinates='x y z Omega_x Omega_y'/><prescribed "
           "coordinates='Omega_z'>%.17g*t</prescribed><Box size='9 9 0.2'/></NewtonEulerDS>",
      a);
  for (int i = 0; i < boxes; i++, r *= 1.05, at += 2.5)
    put_box(&to, i ? "c" : "b", size, between(&g, 0.3, 3), between(&g, 0, 3), r * cos(at),
            r * sin(at), "0 0 0 0 0 0");
  double slow = pow(mu * G / (r * 0.9), 2) - a * a, T = (slow > 0 ? pow(slow, 0.25) / a : 0) + 0.3;
  put(&to,
      "</systems><contacts><NewtonImpactFrictionNSL en='0' mu='%.17g'/></contacts><simulation "
      "T='%.17g'>%s</simulation></model>",
      mu, T, simulation);
  return run_load(to.text, NULL);
}

/* Positions of steps come nearer with h. Orientations stay about 1e-3 apart at any h: the moment of
 * friction depends on the normal forces of four corners, which are not unique, and those of steps
 * are as their solver ends. */
START_TEST(boxes_slide_off_a_table)
{
  generator g = {.state = 2100 + (unsigned long long)_i};
  int boxes = 1 + _i % 2;
  double error[2] = {0, 0}, turned = 0;
  run events = spin(&g, boxes, "<EventDriven h='0.01'><CVodeOSI/></EventDriven>");
  ck_assert_msg(run_keep(&events) == NS_OK, "%s", events.c.msg);
  ck_assert_int_le(count(&events, NS_EVENT_SLIP), 5 * boxes);
  ck_assert_int_ge(count(&events, NS_EVENT_SLIP), 4);
  for (int k = 0; k < 2; k++) {
    run steps = spin(&g, boxes,
                     k ? "<TimeStepping h='0.001'><MoreauJeanOSI theta='0.5'/></TimeStepping>"
                       : "<TimeStepping h='0.004'><MoreauJeanOSI theta='0.5'/></TimeStepping>");
    ck_assert_msg(run_keep(&steps) == NS_OK, "%s", steps.c.msg);
    for (int i = 7; i < 7 * (boxes + 1); i++) {
      double *worst = i % 7 < 3 ? &error[k] : &turned;
      *worst = fmax(*worst, fabs(steps.x->q[i] - events.x->q[i]));
    }
    run_end(&steps);
  }
  ck_assert_double_le(error[0], 2e-2);
  ck_assert_double_le(error[1], 3e-3);
  ck_assert_double_le(turned, 2e-2);
  run_end(&events);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 300);
  tcase_add_loop_test(t, tables_are_pulled, 0, 24);
  tcase_add_loop_test(t, tables_are_turned, 0, 24);
  tcase_add_loop_test(t, slides_are_wedged, 0, 48);
  tcase_add_loop_test(t, wedges_hold_as_long_as_some_forces_do, 0, 160);
  tcase_add_loop_test(t, grooves_hold_what_they_wedge, 0, 40);
  tcase_add_loop_test(t, boxes_follow_a_plate, 0, 32);
  tcase_add_loop_test(t, boxes_slide_off_a_table, 0, 4);
}

int main(void) { return suite_run("event-driven loads", fill); }
