/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Event-driven motion of random mechanical models, with fixed seeds: what holds for every one of
 * them.
 *
 *   masses on springs with contacts, forced: contacts neither pull nor overlap in any row, the grid
 *   has no say in the motion, and time-stepping with small steps ends at the same place balls on
 *   grounds anywhere, in any unit of length and time: rest at the time at which their impacts
 *   accumulate decays to equilibria, over- and underdamped: the run goes on
 *
 * A few of each here; RANDOM_MODELS of the first, and as many times more of the others, in `make
 * check-long`. */
#include "support/mechanics.h"
#include "support/text.h"


enum { MODELS = 64, AGAINST_STEPS = 6, BALLS = 40, DECAYS = 20 };

/* Times more models. */
static int longer(void)
{
  const char *s = getenv("RANDOM_MODELS");
  return s ? (int)fmax(1, strtod(s, NULL) / MODELS) : 1;
}

/* ---- masses on springs ----------------------------------------------------------------------- */

enum { DOFS = 4 };

/* A matrix with entries of `diagonal` in (a, b) and of the rest up to `off`. */
static void add_matrix(text *s, int n, double a, double b, double off)
{
  double A[DOFS][DOFS];
  for (int i = 0; i < n; i++) {
    A[i][i] = uniform(a, b);
    for (int j = 0; j < i; j++) A[i][j] = A[j][i] = off > 0 ? uniform(-off, off) : 0;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) add(s, "%.17g%s", A[i][j], j + 1 < n ? " " : i + 1 < n ? "; " : "");
}

/* Contacts of some coordinates, or of sums of two; with friction along another one. */
static void add_contact(text *s, int n, int i, const double *q0, double mu)
{
  double H[DOFS] = {0}, offset = 0;
  int j = (i + 1) % n;
  H[i] = 1;
  if (n > 1 && odds(0.35)) {
    H[j] = uniform(-0.6, 0.6);
    offset = uniform(0, 0.1) - fmin(0, H[j]) * q0[j];
  }
  add(s, "<interaction id='c%d' systems='s'><LagrangianLinearTIR><H>", i);
  for (int k = 0; k < n; k++) add(s, "%.17g ", H[k]);
  for (int k = 0; k < n && mu > 0; k++) add(s, "%s%d", k ? " " : "; ", k == j);
  add(s, "</H><e>%.17g%s</e></LagrangianLinearTIR>", offset, mu > 0 ? " 0" : "");
  double e = odds(0.3) ? 0 : uniform(0, 0.9);
  if (mu > 0) add(s, "<NewtonImpactFrictionNSL en='%.3f' mu='%.3f'/></interaction>", e, mu);
  else add(s, "<NewtonImpactNSL e='%.3f'/></interaction>", e);
}

/* Model k as far as its simulation; 1 where it has friction. */
static int masses(text *s, int k)
{
  double q0[DOFS];
  cloud_seed = 1000 + (uint64_t)k;
  for (int i = 0; i < 9; i++) uniform(0, 1);
  int n = 1 + (int)uniform(0, DOFS), rough = n > 1 && odds(0.3);
  add(s, "<systems><LagrangianLinearTIDS id='s'><q0>");
  for (int i = 0; i < n; i++) add(s, "%.17g ", q0[i] = uniform(0.02, 0.4));
  add(s, "</q0><v0>");
  for (int i = 0; i < n; i++) add(s, "%.17g ", uniform(-1, 1));
  add(s, "</v0><mass>");
  add_matrix(s, n, 1, 2, 0.1);
  add(s, "</mass><K>");
  add_matrix(s, n, odds(0.2) ? 0 : 20, 200, 0);
  add(s, "</K><C>");
  add_matrix(s, n, 0, 1, 0);
  add(s, "</C><fExt>");
  for (int i = 0; i < n; i++) add(s, "%s%.17g", i ? ", " : "", uniform(-12, 2));
  add(s, " + %.17g*sin(%.17g*t)", uniform(0, 10), uniform(5, 25));
  add(s, "</fExt></LagrangianLinearTIDS></systems><interactions>");
  for (int i = 0; i < n; i++)
    if (i == 0 || odds(0.6)) add_contact(s, n, i, q0, rough ? uniform(0.05, 0.6) : 0);
  add(s, "</interactions>");
  return rough;
}

static int ends_with(const char *s, const char *tail)
{
  size_t n = strlen(s), m = strlen(tail);
  return n >= m && strcmp(s + n - m, tail) == 0;
}

/* No row of contacts pulls or overlaps. */
static void check_contacts(const run *r, int k)
{
  for (size_t c = 0; c < r->got.ncols; c++) {
    const char *name = r->got.labels[c];
    int force = ends_with(name, ".lambda") || ends_with(name, ".lambda[0]"),
        gap = ends_with(name, ".y") || ends_with(name, ".y[0]");
    for (size_t i = 0; i < r->got.nrows && (force || gap); i++) {
      double value = r->got.rows[i * r->got.ncols + c];
      ck_assert_msg(value >= -1e-8, "model %d: %s is %.3g in row %zu", k, name, value, i);
    }
  }
}

static run play_masses(int k, const char *simulation)
{
  text s = {.n = 0};
  masses(&s, k);
  run r = mechanics("%s%s", s.at, simulation);
  ck_assert_msg(run_keep(&r) == NS_OK, "model %d: %s", k, r.c.msg);
  return r;
}

#define FLOW(h) "<simulation T='1.5'><EventDriven h='" h "'><CVodeOSI/></EventDriven></simulation>"

/* On a coarse and on a fine grid, to the bit. */
START_TEST(contacts_push_and_the_grid_has_no_say)
{
  int count = MODELS * longer();
  for (int k = 0; k < count; k++) {
    run fine = play_masses(k, FLOW("0.005")), coarse = play_masses(k, FLOW("0.3"));
    check_contacts(&fine, k);
    ck_assert_uint_eq(fine.got.nevents, coarse.got.nevents);
    for (size_t i = 0; i < fine.m->nv; i++) ck_assert_double_eq(fine.x->q[i], coarse.x->q[i]);
    for (size_t i = 0; i < fine.m->nv; i++) ck_assert_double_eq(fine.x->v[i], coarse.x->v[i]);
    run_end(&fine);
    run_end(&coarse);
  }
}
END_TEST

/* Positions at the end by steps of h. */
static void by_steps(int k, double h, double *q)
{
  text s = {.n = 0};
  masses(&s, k);
  run r = mechanics(
      "%s<simulation T='1.5'><TimeStepping h='%.17g'><MoreauJeanOSI/></TimeStepping></simulation>",
      s.at, h);
  run_all(&r);
  memcpy(q, r.x->q, r.m->nv * sizeof *q);
  run_end(&r);
}

/* Within a few times what other steps change; motions that are sensitive to a step change by much,
 * and those with friction to the last place where they stick. */
START_TEST(small_steps_end_at_the_same_place)
{
  for (int k = 0; k < AGAINST_STEPS * longer(); k++) {
    text s = {.n = 0};
    if (masses(&s, k)) continue;
    run r = play_masses(k, FLOW("0.3"));
    double a[DOFS], b[DOFS], c[DOFS], change = 0, distance = 0;
    by_steps(k, 1.6e-4, a);
    by_steps(k, 8e-5, b);
    by_steps(k, 4e-5, c);
    for (size_t i = 0; i < r.m->nv; i++) {
      change = fmax(change, fmax(fabs(a[i] - c[i]), fabs(b[i] - c[i])));
      distance = fmax(distance, fabs(c[i] - r.x->q[i]));
    }
    ck_assert_msg(distance <= 5 * change + 1e-4,
                  "model %d: %.3g from the steps, which change by %.3g", k, distance, change);
    run_end(&r);
  }
}
END_TEST

/* ---- contacts that depend on each other ------------------------------------------------------ */

enum { WEDGES = 60 };

/* Two or three coordinates, at rest in as many contacts with friction or more: rows twice as many
 * as forces say, which no equation tells apart. Forces that swing make them slip and lift. */
static int wedge(text *s, int k)
{
  cloud_seed = 7000 + (uint64_t)k;
  int n = 2 + odds(0.5), contacts = n + odds(0.6);
  double f0[3] = {0}, mu[4], H[8][3];
  for (int c = 0; c < contacts; c++) {
    mu[c] = uniform(0.1, 0.5);
    for (int j = 0; j < n; j++) {
      H[2 * c][j] = (j == c % n) + uniform(-0.3, 0.3);
      H[2 * c + 1][j] = uniform(-1, 1);
    }
    double force = uniform(5, 20), friction = uniform(-0.7, 0.7) * mu[c] * force;
    for (int j = 0; j < n; j++) f0[j] -= force * H[2 * c][j] + friction * H[2 * c + 1][j];
  }
  add(s, "<systems><LagrangianLinearTIDS id='s'><q0>");
  for (int j = 0; j < n; j++) add(s, "0 ");
  add(s, "</q0><mass>");
  add_matrix(s, n, 1, 2, 0.1);
  add(s, "</mass><fExt>");
  for (int j = 0; j < n; j++)
    add(s, "%s%.17g + %.17g*sin(%.17g*t)", j ? ", " : "", f0[j], uniform(-20, 20), uniform(1, 9));
  add(s, "</fExt></LagrangianLinearTIDS></systems><interactions>");
  for (int c = 0; c < contacts; c++) {
    add(s, "<interaction id='c%d' systems='s'><LagrangianLinearTIR><H>", c);
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < n; j++) add(s, "%s%.17g", j ? " " : i ? "; " : "", H[2 * c + i][j]);
    add(s,
        "</H></LagrangianLinearTIR><NewtonImpactFrictionNSL en='%.2f' mu='%.17g'/></interaction>",
        odds(0.5) ? 0 : 0.3, mu[c]);
  }
  add(s, "</interactions>");
  return contacts;
}

/* Forces on contacts that stick are within their cones in every row, whichever of them are taken:
 * to 1e-6 of the bound, by which events see it, and where one begins beyond it to a few of that. */
START_TEST(wedges_hold_by_forces_that_contacts_have)
{
  int sticking = 0;
  for (int k = 0; k < WEDGES * longer(); k++) {
    text s = {.n = 0};
    int contacts = wedge(&s, k);
    run r = mechanics("%s%s", s.at, FLOW("0.01"));
    ck_assert_msg(run_keep(&r) == NS_OK, "wedge %d: %s", k, r.c.msg);
    check_contacts(&r, k);
    for (int c = 0; c < contacts; c++) {
      double mu = r.m->interactions[c].law.mu;
      char normal[32], friction[32];
      snprintf(normal, sizeof normal, "c%d.lambda[0]", c);
      snprintf(friction, sizeof friction, "c%d.lambda[1]", c);
      for (size_t i = 0; i < r.got.nrows; i++) {
        double N = run_at(&r, i, normal), T = run_at(&r, i, friction);
        sticking += N > 0 && fabs(T) < 0.99 * mu * N;
        ck_assert_msg(fabs(T) <= mu * N * (1 + 4e-6) + 1e-6,
                      "wedge %d: friction %.6g of contact %d is beyond its cone by %.3g", k, T, c,
                      fabs(T) - mu * N);
      }
    }
    run_end(&r);
  }
  ck_assert_int_gt(sticking, 1000);
}
END_TEST

enum { CLUTCHES = 40, PLATES = 4 };

/* Friction of several plates on one shaft, each with bounds and a ratio of its own; as one law. */
static void clutch(text *s, int k, int as_one)
{
  cloud_seed = 9000 + (uint64_t)k;
  int plates = 2 + k % (PLATES - 1);
  double along = uniform(-1, 1), ratio[PLATES], lb[PLATES], ub[PLATES], lower = 0, upper = 0;
  add(s, "<systems><LagrangianLinearTIDS id='s'><q0>0 %.17g</q0><v0>%.17g %.17g</v0><mass>",
      uniform(-100, 100), uniform(-1, 1), uniform(-1, 1));
  add_matrix(s, 2, 1, 2, 0.3);
  add(s, "</mass><fExt>%.17g*sin(%.17g*t), %.17g*cos(%.17g*t)</fExt></LagrangianLinearTIDS>",
      uniform(5, 30), uniform(2, 9), uniform(5, 30), uniform(2, 9));
  add(s, "</systems><interactions>");
  for (int i = 0; i < plates; i++) {
    ratio[i] = uniform(0.3, 2) * (odds(0.5) ? 1 : -1);
    lb[i] = -uniform(0.5, 5);
    ub[i] = odds(0.2) ? -lb[i] : uniform(0.5, 5);
    lower += ratio[i] * (ratio[i] > 0 ? lb[i] : ub[i]);
    upper += ratio[i] * (ratio[i] > 0 ? ub[i] : lb[i]);
  }
  for (int i = 0; i < (as_one ? 1 : plates); i++) {
    double c = as_one ? 1 : ratio[i];
    add(s,
        "<interaction id='c%d' systems='s'><LagrangianLinearTIR><H>%.17g %.17g</H>"
        "</LagrangianLinearTIR><RelayNSL lb='%.17g' ub='%.17g'/></interaction>",
        i, c, c * along, as_one ? lower : lb[i], as_one ? upper : ub[i]);
  }
  add(s, "</interactions>");
}

/* Plates at rest share the load as no equation says: whatever they take, they let go together. */
START_TEST(plates_of_a_clutch_are_one)
{
  for (int k = 0; k < CLUTCHES * longer(); k++) {
    run r[2];
    for (int one = 0; one < 2; one++) {
      text s = {.n = 0};
      clutch(&s, k, one);
      r[one] = mechanics("%s%s", s.at, FLOW("0.01"));
      ck_assert_msg(run_keep(&r[one]) == NS_OK, "clutch %d: %s", k, r[one].c.msg);
    }
    for (int j = 0; j < 4; j++) {
      static const char *const name[] = {"s.q[0]", "s.q[1]", "s.v[0]", "s.v[1]"};
      double a = run_at(&r[0], r[0].got.nrows - 1, name[j]),
             b = run_at(&r[1], r[1].got.nrows - 1, name[j]);
      ck_assert_msg(fabs(a - b) <= 1e-7 * (1 + fabs(b)), "clutch %d: %s ends at %.12g and %.12g", k,
                    name[j], a, b);
    }
    run_end(&r[0]), run_end(&r[1]);
  }
}
END_TEST

/* ---- balls ----------------------------------------------------------------------------------- */

/* Dropped from H above a ground at `ground`: 1 impact a flight, and rest at sqrt(2 H/g) (1 + e)/(1
 * - e). */
START_TEST(balls_rest_where_their_ground_is)
{
  static const double grounds[] = {0, 0.1, -0.1, 0.3, 1, -0.5, 100, -1e4, 1e4};
  int first[10] = {0};
  for (size_t k = 0; k < 9 * sizeof grounds / sizeof *grounds; k++) {
    double e = 0.1 * (double)(1 + k % 9), ground = grounds[k / 9],
           rest = sqrt(2 / G) * (1 + e) / (1 - e);
    run r = mechanics(
        "<systems><LagrangianLinearTIDS id='b' "
        "coordinates='x'><q0>%.17g</q0><fExt>-9.81</fExt></LagrangianLinearTIDS></systems>"
        "<interactions><interaction id='g' "
        "systems='b'><LagrangianLinearTIR><H>1</H><e>%.17g</e></LagrangianLinearTIR>"
        "<NewtonImpactNSL e='%.17g'/></interaction></interactions><simulation T='10'><EventDriven "
        "h='0.1'><CVodeOSI/>"
        "</EventDriven></simulation>",
        ground + 1, -ground, e);
    ck_assert_msg(run_keep(&r) == NS_OK, "e = %g, ground %g: %s", e, ground, r.c.msg);
    const ns_event *last = &r.got.events[r.got.nevents - 1];
    ck_assert_int_eq(last->kind, NS_EVENT_CONTACT);
    /* of flights below restSpeed; of the ground's last place */
    ck_assert_double_eq_tol(last->t, rest, 3e-7 / (1 - e) + 1e-8);
    int *impacts = &first[k % 9];
    if (*impacts == 0) *impacts = (int)r.x->cert->impacts;
    ck_assert_int_eq((int)r.x->cert->impacts, *impacts);
    ck_assert_double_le(fabs(r.x->q[0] - ground), 1e-11 * fmax(1, fabs(ground)));
    run_end(&r);
  }
}
END_TEST

/* Any unit of length and time, any ground, any restitution. */
START_TEST(balls_rest_in_any_unit)
{
  cloud_seed = 5;
  for (int i = 0; i < 9; i++) uniform(0, 1);
  for (int k = 0; k < BALLS * longer(); k++) {
    double L = pow(10, uniform(-6, 6)), T = pow(10, uniform(-15, 9)), e = uniform(0.1, 0.9),
           g = G * L / (T * T);
    double ground = k % 3 == 0 ? 0 : L * uniform(-1, 1) * (k % 3 == 1 ? 10 : 1e4),
           rest = T * sqrt(2 / G) * (1 + e) / (1 - e);
    run r = mechanics(
        "<systems><LagrangianLinearTIDS id='b' "
        "coordinates='x'><q0>%.17g</q0><fExt>%.17g</fExt></LagrangianLinearTIDS></systems>"
        "<interactions><interaction id='g' "
        "systems='b'><LagrangianLinearTIR><H>1</H><e>%.17g</e></LagrangianLinearTIR>"
        "<NewtonImpactNSL e='%.17g'/></interaction></interactions><simulation "
        "T='%.17g'><EventDriven h='%.17g'><CVodeOSI/>"
        "</EventDriven></simulation>",
        ground + L, -g, -ground, e, 10 * T, T);
    ck_assert_msg(run_keep(&r) == NS_OK, "L = %g, T = %g, e = %g, ground %g: %s", L, T, e, ground,
                  r.c.msg);
    const ns_event *last = &r.got.events[r.got.nevents - 1];
    ck_assert_int_eq(last->kind, NS_EVENT_CONTACT);
    ck_assert_double_eq_tol(last->t / rest, 1, 1e-6);
    run_end(&r);
  }
}
END_TEST

/* Stacks of balls on each other, each contact with an e of its own: all come to rest on each other.
 */
START_TEST(stacks_come_to_rest)
{
  cloud_seed = 9;
  for (int i = 0; i < 9; i++) uniform(0, 1);
  for (int k = 0; k < BALLS * longer(); k++) {
    int n = 1 + k % 4;
    double L = pow(10, uniform(-3, 3)), T = pow(10, uniform(-3, 3)),
           ground = k % 3 ? uniform(-100, 100) : 0, height = ground;
    text s = {.n = 0};
    add(&s, "<systems>");
    for (int i = 0; i < n; i++) {
      double mass = uniform(0.5, 2);
      height += uniform(0.05, 0.5);
      add(&s,
          "<LagrangianLinearTIDS id='b%d' "
          "coordinates='x'><q0>%.17g</q0><mass>%.17g</mass><fExt>%.17g</fExt></"
          "LagrangianLinearTIDS>",
          i, L * height, mass, -G * mass * L / (T * T));
    }
    add(&s, "</systems><interactions>");
    for (int i = 0; i < n; i++) {
      add(&s,
          i ? "<interaction id='c%d' systems='b%d b%d'>" : "<interaction id='c%d' systems='b%d'>",
          i, i ? i - 1 : i, i);
      add(&s, "<LagrangianLinearTIR><H>%s</H><e>%.17g</e></LagrangianLinearTIR>", i ? "-1 1" : "1",
          i ? 0 : -L * ground);
      add(&s, "<NewtonImpactNSL e='%.17g'/></interaction>", uniform(0.1, 0.7));
    }
    run r = mechanics("%s</interactions><simulation T='%.17g'><EventDriven "
                      "h='%.17g'><CVodeOSI/></EventDriven></simulation>",
                      s.at, 12 * T, T);
    ck_assert_msg(run_keep(&r) == NS_OK, "stack %d: %s", k, r.c.msg);
    for (int i = 0; i < n; i++)
      ck_assert_double_le(fabs(r.x->q[i] / L - ground), 1e-9 * fmax(1, fabs(ground)));
    run_end(&r);
  }
}
END_TEST

/* ---- domes ----------------------------------------------------------------------------------- */

enum { DOMES = 90 };

/* Slides without friction from rest or not, at an angle from the top of a circle of radius R: it
 * leaves once where cos(angle) = (2 cos(first angle) + v0^2/(g R))/3, by what its motion along the
 * circle makes of the gap alone, however far the origin is. A point, a disk or a ball. */
START_TEST(what_slides_off_a_dome_leaves_it_once)
{
  cloud_seed = 3100 + (uint64_t)_i;
  for (int i = 0; i < 9; i++) uniform(0, 1);
  static const double far[] = {0, 1, 10, 100, 1e3, 3e3, 1e4};
  double L = pow(10, uniform(-4, 4)), T = pow(10, uniform(-3, 3)), g = G * L / (T * T);
  double R = L * uniform(0.5, 2), off = far[_i % 7], x0 = L * uniform(-off, off),
         y0 = L * uniform(-off, off);
  double angle = uniform(0.05, 0.5) * (odds(0.5) ? 1 : -1), v0 = sqrt(uniform(0, 0.4) * g * R),
         s = angle > 0 ? v0 : -v0, a = R * uniform(0.1, 0.9), e = uniform(0, 0.9);
  double x = x0 + R * sin(angle), y = y0 + R * cos(angle), vx = s * cos(angle),
         vy = -s * sin(angle), due = (2 * cos(angle) + v0 * v0 / (g * R)) / 3, I = a * a / 2;
  text m = {.n = 0};
  if (_i % 3 == 0)
    add(&m,
        "<systems><LagrangianLinearTIDS id='b' coordinates='x y'><q0>%.17g %.17g</q0><v0>%.17g "
        "%.17g</v0><mass diag='1 1'/><fExt>0 %.17g</fExt></LagrangianLinearTIDS></systems>"
        "<interactions><interaction id='c' systems='b'><LagrangianScleronomousR><h>sqrt((x - "
        "(%.17g))^2 + (y - (%.17g))^2) - %.17g</h></LagrangianScleronomousR>"
        "<NewtonImpactNSL e='%.17g'/></interaction></interactions>",
        x, y, vx, vy, -g, x0, y0, R, e);
  else if (_i % 3 == 1)
    add(&m,
        "<systems><RigidBody2dDS id='b'><q0>%.17g %.17g 0</q0><v0>%.17g %.17g 0</v0><mass>1</mass>"
        "<inertia>%.17g</inertia><fExt>0 %.17g</fExt><Disk radius='%.17g'/></RigidBody2dDS>"
        "</systems><contacts><NewtonImpactNSL e='%.17g'/><Disk at='%.17g %.17g' radius='%.17g'/>"
        "</contacts>",
        x, y, vx, vy, I, -g, a, e, x0, y0, R - a);
  else
    add(&m,
        "<systems><NewtonEulerDS id='b'><q0>%.17g 0 %.17g 1 0 0 0</q0><v0>%.17g 0 %.17g 0 0 0</v0>"
        "<mass>1</mass><inertia diag='%.17g %.17g %.17g'/><fExt>0 0 %.17g</fExt>"
        "<Sphere radius='%.17g'/></NewtonEulerDS></systems><contacts><NewtonImpactNSL e='%.17g'/>"
        "<Sphere at='%.17g 0 %.17g' radius='%.17g'/></contacts>",
        x, y, vx, vy, I, I, I, -g, a, e, x0, y0, R - a);
  run r = mechanics("%s<simulation T='%.17g'><EventDriven h='%.17g'><CVodeOSI/></EventDriven>"
                    "</simulation>",
                    m.at, 6 * sqrt(R / g), sqrt(R / g) / 10);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  size_t last = r.got.nevents - 1;
  double t = r.got.events[last].t;
  ck_assert_int_eq(r.got.events[last].kind, NS_EVENT_RELEASE);
  for (size_t i = 0; i < last; i++) /* rounding of the first position may strike */
    ck_assert_double_le(r.got.events[i].t, 1e-9 * t);
  size_t row = 0;
  while (r.got.rows[row * r.got.ncols] < t) row++;
  double height = run_at(&r, row, _i % 3 == 2 ? "b.z" : "b.y") - y0;
  ck_assert_double_eq_tol(height / R, due, 1e-7 + 1e-14 * off);
  run_end(&r);
}
END_TEST

/* ---- decays ---------------------------------------------------------------------------------- */

/* ---- narrow obstacles ------------------------------------------------------------------------ */

/* A body without forces, whose flow has steps as long as the run: a wall comes up for a moment, or
 * it flies against a narrow hill. Where they meet, and how fast it leaves, is known. */
START_TEST(narrow_obstacles_are_struck)
{
  int hill = _i % 2;
  cloud_seed = 9100 + (uint64_t)_i;
  for (int i = 0; i < 9; i++) uniform(0, 1);
  double v = uniform(2, 6), y0 = uniform(0.05, 0.15), e = _i % 3 ? uniform(0.1, 0.9) : 0,
         width = pow(10, uniform(-2.7, -1)), at = uniform(0.4, 0.6),
         origin = _i % 5 ? 0 : uniform(-9, 9);
  double due = at - width * sqrt(log(0.2 / y0)), slope = 2 * y0 * (at - due) / (width * width);
  char bump[256];
  if (hill) snprintf(bump, sizeof bump, "exp(-((x - %.17g)/%.17g)^2)", origin + v * at, v * width);
  else snprintf(bump, sizeof bump, "exp(-((t - %.17g)/%.17g)^2)", at, width);
  const char *relation = hill ? "LagrangianScleronomousR" : "LagrangianRheonomousR";
  run r = mechanics("<systems><LagrangianLinearTIDS id='b' coordinates='x y'><q0>%.17g %.17g</q0>"
                    "<v0>%.17g 0</v0><mass diag='1 1'/></LagrangianLinearTIDS></systems>"
                    "<interactions><interaction id='c' systems='b'><%s><h>y - 0.2*%s</h></%s>"
                    "<NewtonImpactNSL e='%.17g'/></interaction></interactions><simulation T='1'>"
                    "<EventDriven h='0.1'><CVodeOSI/></EventDriven></simulation>",
                    origin, y0, v, relation, bump, relation, e);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  ck_assert_uint_ge(r.got.nevents, 1);
  ck_assert_double_eq_tol(r.got.events[0].t, due, 1e-9);
  if (r.got.nevents == 1) { /* it left, and met the hill or the wall no more */
    double H = hill ? slope / v : slope, n = hill ? 1 + H * H : 1;
    double P = (1 + e) * slope / n, vx = hill ? v - H * P : v;
    ck_assert_double_eq_tol(r.x->v[0], vx, 1e-8 * v);
    ck_assert_double_eq_tol(r.x->v[1], P, 1e-8 * slope);
  }
  run_end(&r);
}
END_TEST

/* n masses that come to rest on springs, with a contact that they leave open, or close for good. */
START_TEST(decays_go_on_at_their_equilibrium)
{
  cloud_seed = 77;
  for (int k = 0; k < DECAYS * longer(); k++) {
    int n = 1 + k % 3;
    double stiffness = pow(10, uniform(-1, 3)), critical = 2 * sqrt(stiffness),
           ground = uniform(-2, 2);
    double rest = ground + (k % 4 == 3 ? -0.3 : 0.4),
           damping = critical * (k % 2 ? uniform(1.5, 4) : uniform(0.2, 0.8));
    double slowest = k % 2 ? stiffness / damping : damping / 2;
    text s = {.n = 0};
    add(&s, "<systems>");
    for (int i = 0; i < n; i++)
      add(&s,
          "<LagrangianLinearTIDS id='b%d' "
          "coordinates='x'><q0>%.17g</q0><v0>%.17g</v0><K>%.17g</K><C>%.17g</C><fExt>%.17g</fExt>"
          "</LagrangianLinearTIDS>",
          i, ground + uniform(0.5, 1), uniform(-1, 1), stiffness, damping, stiffness * rest);
    add(&s, "</systems><interactions>");
    for (int i = 0; i < n; i++)
      add(&s,
          "<interaction id='g%d' "
          "systems='b%d'><LagrangianLinearTIR><H>1</H><e>%.17g</e></"
          "LagrangianLinearTIR><NewtonImpactNSL e='0.4'/>"
          "</interaction>",
          i, i, -ground);
    run r = mechanics("%s</interactions><simulation T='%.17g'><EventDriven "
                      "h='%.17g'><CVodeOSI%s/></EventDriven></simulation>",
                      s.at, 200 / slowest, 20 / slowest, k % 5 ? "" : " method='bdf'");
    ck_assert_msg(run_keep(&r) == NS_OK, "decay %d: %s", k, r.c.msg);
    for (int i = 0; i < n; i++)
      ck_assert_double_eq_tol(r.x->q[i], fmax(rest, ground), 1e-8 * fmax(1, fabs(ground)));
    run_end(&r);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_test(t, contacts_push_and_the_grid_has_no_say);
  tcase_add_test(t, small_steps_end_at_the_same_place);
  tcase_add_test(t, wedges_hold_by_forces_that_contacts_have);
  tcase_add_test(t, plates_of_a_clutch_are_one);
  tcase_add_test(t, balls_rest_where_their_ground_is);
  tcase_add_test(t, balls_rest_in_any_unit);
  tcase_add_test(t, stacks_come_to_rest);
  tcase_add_loop_test(t, what_slides_off_a_dome_leaves_it_once, 0, DOMES);
  tcase_add_loop_test(t, narrow_obstacles_are_struck, 0, 40);
  tcase_add_test(t, decays_go_on_at_their_equilibrium);
  tcase_set_timeout(t, 600);
}

int main(void) { return suite_run("random event-driven motion", fill); }
