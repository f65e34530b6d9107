/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published event-driven trajectories: rows of the grid and both sides of each event, in order. */
#include "support/mechanics.h"

typedef struct pair {
  const char *ref, *mine;
} pair;

static double ref(const table *t, size_t i, const char *name)
{
  return t->data[i * (size_t)t->ncols + (size_t)table_column(t, name)];
}

/* The reference's rows [from, to) in the order of mine: same side of an event (its column kind,
 * where it has one), same time. Largest difference over the given columns by the size of the
 * column, and of times. */
static double distance(const table *t, size_t from, size_t to, const run *r, const pair *p, int n)
{
  size_t mine = 0, side = capture_column(&r->got, "diagnostics.side");
  int kinds = strcmp(t->names[2], "kind") == 0;
  double worst = 0;
  for (size_t i = from; i < to; i++) {
    double kind = kinds ? ref(t, i, "kind") : 0, time = ref(t, i, "t");
    if (kind != 0 && time == 0) continue; /* nothing happens there */
    while (mine < r->got.nrows && (r->got.rows[mine * r->got.ncols + side] != kind ||
                                   run_at(r, mine, "time") < time - 1e-6))
      mine++;
    ck_assert_msg(mine < r->got.nrows, "row %zu (t = %.17g, kind %g) of the reference is missing",
                  i, time, kind);
    worst = fmax(worst, fabs(run_at(r, mine, "time") - time));
    for (int k = 0; k < n; k++) {
      double d = fabs(run_at(r, mine, p[k].mine) - ref(t, i, p[k].ref)) /
                 fmax(1, fabs(ref(t, i, p[k].ref)));
      worst = fmax(worst, d);
    }
    mine++;
  }
  return worst;
}

#define BALL \
  "<systems><LagrangianLinearTIDS id='ball' coordinates='x y phi'><q0>1 0 " \
  "0</q0><v0>%s 0 0</v0><mass diag='1 1 0.006'/>" \
  "<fExt>%s 0 0</fExt></LagrangianLinearTIDS></systems>"

START_TEST(bouncing_ball)
{
  static const char *const flows[] = {
      "<CVodeOSI relativeTolerance='1e-12' absoluteTolerance='1e-14'/>", "<NewMarkAlphaOSI/>"};
  table t = table_read("tests/data/reference/bouncing-ball-ed.csv.gz");
  run r = recorded(
      mechanics(BALL "<interactions><interaction id='ground' "
                     "systems='ball'><LagrangianLinearTIR><H>1 0 0</H></LagrangianLinearTIR>"
                     "<NewtonImpactNSL e='0.9'/></interaction></interactions><simulation "
                     "T='8.5'><EventDriven h='0.005'>%s"
                     "</EventDriven></simulation>",
                "0", "-9.81", flows[_i]));
  static const pair p[] = {{"q", "ball.x"}, {"v", "ball.v_x"}, {"lambda1_post", "ground.impulse"}};
  ck_assert_uint_eq(r.got.nrows, t.nrows + 1); /* it has no row at t0 */
  ck_assert_double_le(distance(&t, 0, t.nrows, &r, p, 3), 1e-9);
  ck_assert_int_eq((int)r.x->cert->impacts, 44);
  run_end(&r);
  free(t.data);
}
END_TEST

/* Rows before the accumulation; then rest, from the same time on. */
START_TEST(bouncing_ball_between_two_contacts)
{
  table t = table_read("tests/data/reference/bouncing-ball-ed-two-contacts.csv.gz");
  run r = recorded(mechanics(
      BALL
      "<interactions><interaction id='floor' systems='ball'><LagrangianLinearTIR><H>1 0 "
      "0</H></LagrangianLinearTIR>"
      "<NewtonImpactNSL e='0.8'/></interaction><interaction id='ceiling' "
      "systems='ball'><LagrangianLinearTIR>"
      "<H>-1 0 0</H><e>1.5</e></LagrangianLinearTIR><NewtonImpactNSL "
      "e='0.8'/></interaction></interactions>"
      "<simulation T='10'><EventDriven h='0.01' restSpeed='1e-7'>"
      "<LsodarOSI relativeTolerance='1e-12' absoluteTolerance='1e-14'/></EventDriven></simulation>",
      "10", "-10"));
  static const pair p[] = {{"q", "ball.x"}, {"v", "ball.v_x"}};
  ck_assert_double_le(distance(&t, 0, 701, &r, p, 2), 1e-8);
  double rests = 0;
  for (size_t k = 0; k < r.got.nevents; k++)
    if (r.got.events[k].kind == NS_EVENT_CONTACT) rests = r.got.events[k].t;
  ck_assert_double_eq_tol(rests, 6.2072368, 1e-6);
  for (size_t i = 0; i < r.got.nrows; i++) {
    if (run_at(&r, i, "time") < 6.21) continue;
    ck_assert_double_eq_tol(run_at(&r, i, "ball.x"), 0, 1e-9);
    ck_assert_double_eq_tol(run_at(&r, i, "floor.lambda"), 10, 1e-9);
  }
  run_end(&r);
  free(t.data);
}
END_TEST

/* Ten beads touch: they fly as one, and e = 1 throws the column back as one. No force, no event
 * between them. */
START_TEST(bead_column)
{
  table t = table_read("tests/data/reference/bead-column-ed-newton-law.csv.gz");
  run r = recorded(mechanics(
      "<parameters><parameter name='R' value='0.005'/><parameter name='m' "
      "value='4/3*3.14159265*R^3*7780'/></parameters>"
      "<systems><repeat index='i' from='1' to='10'><LagrangianLinearTIDS id='b{i}' coordinates='q'>"
      "<q0>0.055+0.01*(i-1)</q0><mass>m</mass><fExt>-m*9.81</fExt></LagrangianLinearTIDS></"
      "repeat></systems>"
      "<interactions><interaction id='floor' "
      "systems='b1'><LagrangianLinearTIR><H>1</H><e>-R</e></LagrangianLinearTIR>"
      "<NewtonImpactNSL e='1'/></interaction><repeat index='i' from='2' to='10'><interaction "
      "id='p{i}' "
      "systems='b{i-1} b{i}'><LagrangianLinearTIR><H>-1 "
      "1</H><e>-2*R</e></LagrangianLinearTIR><NewtonImpactNSL e='1'/>"
      "</interaction></repeat></interactions><simulation T='0.493'><EventDriven h='0.001'>"
      "<CVodeOSI relativeTolerance='1e-12' "
      "absoluteTolerance='1e-14'/></EventDriven></simulation>"));
  pair p[20];
  char name[20][2][16];
  for (int k = 0; k < 20; k++) {
    snprintf(name[k][0], 16, "%c%d", k < 10 ? 'q' : 'v', k % 10 + 1);
    snprintf(name[k][1], 16, "b%d.%sq", k % 10 + 1, k < 10 ? "" : "v_");
    p[k] = (pair){name[k][0], name[k][1]};
  }
  ck_assert_double_le(distance(&t, 0, t.nrows, &r, p, 20), 1e-10);
  for (size_t k = 0; k < r.got.nevents; k++)
    ck_assert_msg(r.got.events[k].t == 0 || r.got.events[k].interaction == 0 ||
                      r.got.events[k].kind == NS_EVENT_IMPACT,
                  "event of kind %d at t = %.17g", (int)r.got.events[k].kind, r.got.events[k].t);
  ck_assert_uint_eq(r.got.nrows, 494 + 2 * 2);
  run_end(&r);
  free(t.data);
}
END_TEST

/* A contact that never opens: the inside of a circle; its rows as forces, and as equations of the
 * integrator. */
START_TEST(simple_pendulum)
{
  table t = table_read("tests/data/reference/simple-pendulum-ed.csv.gz");
  run r = recorded(mechanics(
      "<systems><LagrangianLinearTIDS id='p' coordinates='x y'><q0>sin(pi/3) cos(pi/3)</q0><mass "
      "diag='1 1'/><fExt>0 9.81</fExt>"
      "</LagrangianLinearTIDS></systems><interactions><interaction id='circle' systems='p'>"
      "<LagrangianScleronomousR><h>1 - (x^2 + y^2)</h></LagrangianScleronomousR><NewtonImpactNSL "
      "e='0.9'/></interaction>"
      "</interactions><simulation T='10'><EventDriven h='0.01'>"
      "<%s relativeTolerance='1e-12' absoluteTolerance='1e-14'/></EventDriven></simulation>",
      _i ? "Hem5OSI" : "CVodeOSI"));
  static const pair q[] = {{"x", "p.x"}, {"y", "p.y"}, {"vx", "p.v_x"}, {"vy", "p.v_y"}},
                    l = {"lambda2", "circle.lambda"};
  ck_assert_double_le(distance(&t, 0, t.nrows, &r, q, 4), 1e-8);
  ck_assert_double_le(distance(&t, 0, t.nrows, &r, &l, 1), 1e-7);
  ck_assert_uint_eq(r.got.nrows, 1001);
  ck_assert_double_le(r.x->cert->penetration_max, _i ? 1e-12 : 1e-9);
  run_end(&r);
  free(t.data);
}
END_TEST

/* Ten balls and the law of multiple impacts, with the increments of the reference. */
START_TEST(monodisperse_chain)
{
  table t = table_read("tests/data/reference/monodisperse-chain-lzb.csv.gz");
  run r = recorded(mechanics(
      "<parameters><parameter name='m' value='4/3*3.14159265*0.01^3*7780'/></parameters><systems>"
      "<repeat index='i' from='1' to='10'><LagrangianLinearTIDS id='b{i}' coordinates='q'><q0>i == "
      "1 ? 0 : 0.22+0.02*(i-2)</q0>"
      "<v0>i == 1 ? 1 : "
      "0</v0><mass>m</mass></LagrangianLinearTIDS></repeat></systems><interactions>"
      "<repeat index='i' from='2' to='10'><interaction id='p{i}' systems='b{i-1} "
      "b{i}'><LagrangianLinearTIR><H>-1 1</H>"
      "<e>-0.02</e></LagrangianLinearTIR><MultipleImpactNSL e='1' "
      "K='sqrt(0.005)*2/3*203e9/(1-0.3^2)' eta='1.5'/>"
      "</interaction></repeat></interactions><simulation T='0.6'><EventDriven h='0.001' "
      "increments='fixed' impulseStep='1e-6'>"
      "<CVodeOSI relativeTolerance='1e-12' "
      "absoluteTolerance='1e-14'/></EventDriven></simulation>"));
  pair p[20];
  char name[20][2][16];
  for (int k = 0; k < 20; k++) {
    snprintf(name[k][0], 16, "%c%d", k < 10 ? 'q' : 'v', k % 10 + 1);
    snprintf(name[k][1], 16, "b%d.%sq", k % 10 + 1, k < 10 ? "" : "v_");
    p[k] = (pair){name[k][0], name[k][1]};
  }
  ck_assert_double_le(distance(&t, 0, t.nrows, &r, p, 20), 1e-9);
  run_end(&r);
  free(t.data);
}
END_TEST

/* A block that falls on its corners, one at a time. */
START_TEST(rocking_block)
{
  table t = table_read("tests/data/reference/rocking-block-ed-lzb.csv.gz");
  run r = recorded(
      mechanics("<systems><LagrangianLinearTIDS id='b' coordinates='x y "
                "th'><q0>0.5*cos(pi/3)-0.25*sin(pi/3), 0.5*sin(pi/3)+0.25*cos(pi/3), "
                "pi/3</q0><mass diag='1 1 (1+0.5^2)/12'/><fExt>0 -9.81 "
                "0</fExt></LagrangianLinearTIDS></systems><interactions>"
                "<interaction id='c1' systems='b'><LagrangianScleronomousR><h>y - 0.1*sin(th) - "
                "0.05*cos(th)</h></LagrangianScleronomousR>"
                "<MultipleImpactNSL e='0.8' K='1e10' eta='1'/></interaction><interaction id='c2' "
                "systems='b'><LagrangianScleronomousR>"
                "<h>y + 0.1*sin(th) - 0.05*cos(th)</h></LagrangianScleronomousR><MultipleImpactNSL "
                "e='0.8' K='1e10' eta='1'/></interaction>"
                "</interactions><simulation T='2'><EventDriven h='0.01' increments='fixed' "
                "impulseStep='5e-5'>"
                "<CVodeOSI relativeTolerance='1e-12' "
                "absoluteTolerance='1e-14'/></EventDriven></simulation>"));
  static const pair p[] = {{"x", "b.x"},    {"y", "b.y"},    {"theta", "b.th"},
                           {"vx", "b.v_x"}, {"vy", "b.v_y"}, {"omega", "b.v_th"}};
  ck_assert_uint_eq(r.got.nrows, t.nrows);
  ck_assert_double_le(distance(&t, 0, t.nrows, &r, p, 6), 1e-9);
  run_end(&r);
  free(t.data);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, bouncing_ball, 0, 2);
  tcase_add_test(t, bouncing_ball_between_two_contacts);
  tcase_add_test(t, bead_column);
  tcase_add_loop_test(t, simple_pendulum, 0, 2);
  tcase_add_test(t, monodisperse_chain);
  tcase_add_test(t, rocking_block);
}

int main(void) { return suite_run("event-driven references", fill); }
