/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Initial states by coordinates of joints: trees against what results say of their joints and
 * against closed forms, loops, the same motion as from poses. */
#include "support/random_model.h"
#include "support/run.h"

#define HEAD "<model xmlns='urn:nssim:model:1' name='m'><systems>"
#define END \
  "<simulation T='0.02'><TimeStepping " \
  "h='0.01'><MoreauJeanOSI/></TimeStepping></simulation></model>"

static double first(const run *r, const char *label) { return run_at(r, 0, label); }

/* Largest distance of the rows of all joints, and of their rates, at t0. */
static double torn(const run *r)
{
  double worst = 0;
  for (size_t k = 0; k < r->got.ncols; k++) {
    const char *dot = strrchr(r->got.labels[k], '.');
    if (dot && (!strncmp(dot, ".y[", 3) || !strncmp(dot, ".ydot[", 6)))
      worst = fmax(worst, fabs(r->got.rows[k]));
  }
  return worst;
}

/* Random trees in space of all kinds of joints that have coordinates; bodies are turned as they
 * like. */
enum { BODIES = 5 };
START_TEST(trees_begin_where_joints_say)
{
  generator g = {.state = 900 + (unsigned long long)_i};
  static const char *const kinds[3] = {"PivotJointR", "PrismaticJointR", "CylindricalJointR"};
  int kind[BODIES], backward[BODIES], parent[BODIES];
  double at[BODIES][2], rate[BODIES][2];
  put(&g, HEAD);
  for (int i = 0; i < BODIES; i++)
    put(&g,
        "<NewtonEulerDS id='b%d'><q0 axis='%.17g 1 %.17g' angle='%.17g'>%.17g %.17g "
        "%.17g</q0><mass>1</mass><inertia diag='1 1.5 1.2'/></NewtonEulerDS>",
        i, between(&g, -1, 1), between(&g, -1, 1), between(&g, -2, 2), between(&g, -1, 1),
        between(&g, -1, 1), between(&g, -1, 1));
  put(&g, "</systems><interactions>");
  int floating = _i % 3 == 2;
  for (int n = floating; n < BODIES; n++) {
    int i = _i % 2 ? n : BODIES - 1 - (n - floating); /* in some order */
    kind[i] = pick(&g, 3);
    parent[i] = i ? pick(&g, i) : -1;
    backward[i] = i == 0 || pick(&g, 2);
    for (int k = 0; k < 2; k++) at[i][k] = between(&g, -1.4, 1.4), rate[i][k] = between(&g, -2, 2);
    char who[24];
    if (parent[i] < 0) snprintf(who, sizeof who, "b0");
    else
      snprintf(who, sizeof who, "b%d b%d", backward[i] ? i : parent[i],
               backward[i] ? parent[i] : i);
    put(&g, "<interaction id='j%d' systems='%s'><%s %s axis='%.17g %.17g 1' ", i, who,
        kinds[kind[i]], kind[i] == 1 ? "" : "point='0.3 -0.2 0.4'", between(&g, -1, 1),
        between(&g, -1, 1));
    if (kind[i] == 2)
      put(&g, "initial='%.17g %.17g' initialRate='%.17g %.17g'", at[i][0], at[i][1], rate[i][0],
          rate[i][1]);
    else put(&g, "initial='%.17g' initialRate='%.17g'", at[i][0], rate[i][0]);
    put(&g, "/><EqualityConditionNSL/></interaction>");
  }
  put(&g, "</interactions>" END);
  run r = run_whole(g.text);
  ck_assert_double_le(torn(&r), 1e-13);
  for (int i = floating; i < BODIES; i++) {
    char label[4][20];
    for (int k = 0; k < 2; k++) {
      snprintf(label[k], sizeof label[k], "j%d.%s", i, k ? "slide" : "angle");
      snprintf(label[2 + k], sizeof label[k], "j%d.v_%s", i, k ? "slide" : "angle");
      if (kind[i] != 2 && kind[i] != k) continue;
      int entry = kind[i] == 2 ? k : 0;
      ck_assert_double_eq_tol(first(&r, label[k]), at[i][entry], 1e-13);
      ck_assert_double_eq_tol(first(&r, label[2 + k]), rate[i][entry], 1e-12);
    }
  }
  run_end(&r);
}
END_TEST

/* A double pendulum of the plane: poses and velocities by hand. */
START_TEST(plane_pendulum_stands_as_computed)
{
  run r = run_whole(
      HEAD
      "<RigidBody2dDS id='a'><q0>0.5 0 0</q0><mass>1</mass><inertia>1</inertia></RigidBody2dDS>"
      "<RigidBody2dDS id='b'><q0>1.5 0 "
      "0</q0><mass>1</mass><inertia>1</inertia></RigidBody2dDS></systems><interactions>"
      "<interaction id='p' systems='a'><PivotJointR point='0 0' initial='-0.3' "
      "initialRate='-2'/><EqualityConditionNSL/></interaction>"
      "<interaction id='q' systems='a b'><PivotJointR point='1 0' initial='0.5' "
      "initialRate='3'/><EqualityConditionNSL/></interaction>"
      "</interactions>" END);
  double a = 0.3, b = 0.8; /* of the first joint the coordinate is the world's */
  const struct {
    const char *label;
    double want;
  } list[] = {{"a.x", 0.5 * cos(a)},
              {"a.y", 0.5 * sin(a)},
              {"a.angle", a},
              {"b.x", cos(a) + 0.5 * cos(b)},
              {"b.y", sin(a) + 0.5 * sin(b)},
              {"b.angle", b},
              {"a.v_x", -0.5 * sin(a) * 2},
              {"a.v_angle", 2},
              {"b.v_x", -2 * sin(a) - 0.5 * sin(b) * 5},
              {"b.v_y", 2 * cos(a) + 0.5 * cos(b) * 5},
              {"b.v_angle", 5}};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++)
    ck_assert_double_eq_tol(first(&r, list[k].label), list[k].want, 1e-14);
  run_end(&r);
}
END_TEST

/* A four-bar linkage: one angle is given, the others follow; in space two of its rows say the same.
 */
static const char *four_bars(generator *g, int space, double angle)
{
  static const char *const point[2][4] = {{"0 0", "0 1", "2 1", "2 0"},
                                          {"0 0 0", "0 1 0", "2 1 0", "2 0 0"}};
  static const char *const at[3] = {"0 0.5", "1 1", "2 0.5"};
  const char *axis = space ? "axis='0 0 1'" : "";
  put(g, HEAD);
  for (int i = 0; i < 3; i++)
    if (space)
      put(g,
          "<NewtonEulerDS id='b%d'><q0>%s 0 1 0 0 0</q0><mass>1</mass><inertia diag='1 1 "
          "1'/></NewtonEulerDS>",
          i, at[i]);
    else
      put(g,
          "<RigidBody2dDS id='b%d'><q0>%s 0</q0><mass>1</mass><inertia>1</inertia></RigidBody2dDS>",
          i, at[i]);
  put(g,
      "</systems><interactions><interaction id='j0' systems='b0'><PivotJointR point='%s' %s "
      "initial='%.17g' initialRate='1'/><EqualityConditionNSL/>"
      "</interaction>",
      point[space][0], axis, angle);
  for (int i = 1; i < 3; i++)
    put(g,
        "<interaction id='j%d' systems='b%d b%d'><PivotJointR point='%s' "
        "%s/><EqualityConditionNSL/></interaction>",
        i, i - 1, i, point[space][i], axis);
  put(g,
      "<interaction id='j3' systems='b2'><PivotJointR point='%s' "
      "%s/><EqualityConditionNSL/></interaction></interactions>" END,
      point[space][3], axis);
  return g->text;
}

START_TEST(loops_close)
{
  generator g = {0};
  run r = run_whole(four_bars(&g, _i, 0.4));
  ck_assert_double_le(torn(&r), 1e-10);
  ck_assert_double_eq_tol(first(&r, "j0.angle"), 0.4, 1e-10);
  ck_assert_double_eq_tol(first(&r, "j0.v_angle"), 1, 1e-9);
  /* a parallelogram: its other side turns as much, the bar between stays level */
  ck_assert_double_eq_tol(first(&r, "j3.angle"), 0.4, 1e-9);
  ck_assert_double_eq_tol(first(&r, "j3.v_angle"), 1, 1e-8);
  ck_assert_double_eq_tol(first(&r, "b1.x"), 1 + sin(0.4), 1e-9);
  ck_assert_double_eq_tol(first(&r, "b1.y"), cos(0.4), 1e-9);
  run_end(&r);
}
END_TEST

/* A slider-crank in the plane at a random angle and place, one rate of which is given, without an
 * initial coordinate: that rate is kept, and the rates of the others close the loop. */
START_TEST(a_rate_alone_is_kept)
{
  generator g = {.state = 77 + (unsigned long long)_i};
  double R = between(&g, 0.1, 2), L = R * between(&g, 1.5, 4), a = between(&g, 0.2, 2.8),
         b = -asin(R / L * sin(a)), rate = between(&g, -20, 20), ox = between(&g, -5, 5),
         oy = between(&g, -5, 5), px = ox + R * cos(a), py = oy + R * sin(a), sx = px + L * cos(b);
  int given = _i % 3; /* at the bearing, between crank and rod, or at the slider */
  char rates[3][48] = {"", "", ""};
  snprintf(rates[given], sizeof rates[given], "initialRate='%.17g'", rate);
  put(&g, HEAD);
  put(&g,
      "<RigidBody2dDS id='crank'><q0>%.17g %.17g %.17g</q0><mass>%.17g</mass><inertia>1</inertia>"
      "</RigidBody2dDS><RigidBody2dDS id='rod'><q0>%.17g %.17g %.17g</q0><mass>2</mass>"
      "<inertia>%.17g</inertia></RigidBody2dDS><RigidBody2dDS id='slider'><q0>%.17g %.17g 0</q0>"
      "<mass>1</mass><inertia>1</inertia></RigidBody2dDS></systems><interactions>",
      (ox + px) / 2, (oy + py) / 2, a, between(&g, 0.1, 3), (px + sx) / 2, (py + oy) / 2, b,
      between(&g, 0.1, 3), sx, oy);
  put(&g,
      "<interaction id='o' systems='crank'><PivotJointR point='%.17g %.17g' %s/>"
      "<EqualityConditionNSL/></interaction><interaction id='p' systems='crank rod'>"
      "<PivotJointR point='%.17g %.17g' %s/><EqualityConditionNSL/></interaction>"
      "<interaction id='w' systems='rod slider'><PivotJointR point='%.17g %.17g'/>"
      "<EqualityConditionNSL/></interaction><interaction id='s' systems='slider'>"
      "<PrismaticJointR axis='1 0' %s/><EqualityConditionNSL/></interaction></interactions>" END,
      ox, oy, rates[0], px, py, rates[1], sx, oy, rates[2]);
  run r = run_whole(g.text);
  static const char *const label[3] = {"o.v_angle", "p.v_angle", "s.v_slide"};
  double omega = first(&r, "crank.v_angle"), turn = -omega * R * cos(a) / (L * cos(b)),
         size = fabs(rate) + fabs(omega) * (1 + R);
  ck_assert_double_le(torn(&r), 1e-10 * (1 + size));
  ck_assert_double_eq_tol(first(&r, label[given]), rate, 1e-9 * size);
  ck_assert_double_eq_tol(first(&r, "rod.v_angle"), turn, 1e-9 * size);
  ck_assert_double_eq_tol(first(&r, "slider.v_x"), -omega * R * sin(a) - turn * L * sin(b),
                          1e-9 * size * (1 + L));
  ck_assert_double_eq(first(&r, "slider.y"), oy); /* the configuration is that of <q0> */
  run_end(&r);
}
END_TEST

/* Rates of two joints of one loop that contradict each other. */
START_TEST(rates_that_contradict_are_told)
{
  ns_ctx c = {0};
  ns_model *m;
  generator g = {0};
  char *text = strdup(four_bars(&g, _i, 0.4)), *last = strstr(text, "id='j3'");
  char *joint = strstr(last, "/><Equal");
  size_t length = strlen(text) + 32;
  char *whole = malloc(length);
  snprintf(whole, length, "%.*s initialRate='3'%s", (int)(joint - text), text, joint);
  ck_assert_int_eq(ns_load_memory(&c, "m.xml", whole, strlen(whole), NULL, NULL, &m), NS_MODEL);
  ck_assert_msg(strstr(c.msg, "no velocity nearby is consistent with the joints of its loop and "
                              "their initial rates") != NULL,
                "%s", c.msg);
  free(whole);
  free(text);
}
END_TEST

/* A bar of 1 between points 3 apart, held by one of 1: no angle closes it but none. */
START_TEST(what_cannot_close_is_told)
{
  ns_ctx c = {0};
  ns_model *m;
  const char *text = HEAD
      "<RigidBody2dDS id='a'><q0>0.5 0 0</q0><mass>1</mass><inertia>1</inertia></RigidBody2dDS>"
      "<RigidBody2dDS id='b'><q0>1.5 0 "
      "0</q0><mass>1</mass><inertia>1</inertia></RigidBody2dDS></systems><interactions>"
      "<interaction id='p' systems='a'><PivotJointR point='0 0' "
      "initial='0.5'/><EqualityConditionNSL/></interaction>"
      "<interaction id='q' systems='a b'><PivotJointR point='1 "
      "0'/><EqualityConditionNSL/></interaction>"
      "<interaction id='r' systems='b'><PivotJointR point='2 "
      "0'/><EqualityConditionNSL/></interaction></interactions>" END;
  ck_assert_int_eq(ns_load_memory(&c, "m.xml", text, strlen(text), NULL, NULL, &m), NS_MODEL);
  ck_assert_msg(strstr(c.msg, "no configuration nearby is consistent") != NULL, "%s", c.msg);
}
END_TEST

/* Numbers for each instance; mechanisms that begin nowhere else keep their bits. */
START_TEST(others_stay_as_they_are)
{
  run r = run_whole(HEAD
                    "<repeat index='i' from='1' to='3'><RigidBody2dDS id='a{i}'><q0>i+0.5 0.1 "
                    "0</q0><v0>0 0.5 1</v0><mass>1</mass><inertia>1</inertia>"
                    "</RigidBody2dDS></repeat><RigidBody2dDS id='c'><q0>9.3 0.1 0.7</q0><v0>0.1 "
                    "0.2 0.3</v0><mass>1</mass><inertia>1</inertia></RigidBody2dDS>"
                    "</systems><interactions><repeat index='i' from='1' to='3'><interaction "
                    "id='j{i}' systems='a{i}'><PivotJointR point='i 0.1' "
                    "initial='-0.1*i'/><EqualityConditionNSL/></interaction></repeat><interaction "
                    "id='k' systems='c'><PivotJointR point='9 0'/>"
                    "<EqualityConditionNSL/></interaction></interactions>" END);
  for (int i = 1; i <= 3; i++) {
    char label[2][20];
    snprintf(label[0], sizeof label[0], "a%d.angle", i);
    snprintf(label[1], sizeof label[1], "a%d.v_angle", i);
    ck_assert_double_eq_tol(first(&r, label[0]), 0.1 * i, 1e-15);
    ck_assert_double_eq(first(&r, label[1]), 1); /* no rate is given */
  }
  ck_assert(first(&r, "c.x") == 9.3 && first(&r, "c.angle") == 0.7 && first(&r, "c.v_x") == 0.1);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, trees_begin_where_joints_say, 0, 18);
  tcase_add_test(t, plane_pendulum_stands_as_computed);
  tcase_add_loop_test(t, loops_close, 0, 2);
  tcase_add_loop_test(t, a_rate_alone_is_kept, 0, 12);
  tcase_add_loop_test(t, rates_that_contradict_are_told, 0, 2);
  tcase_add_test(t, what_cannot_close_is_told);
  tcase_add_test(t, others_stay_as_they_are);
}

int main(void) { return suite_run("initial states by joints", fill); }
