/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events are matched as a person would, the time that follows is affine between them, and
 * interpolation is exact for what is linear. */
#include "io/compare/compare_curve.h"
#include "io/compare/compare_pairs.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static ns_arena *arena;
static ns_ctx c;

static void setup(void)
{
  c = (ns_ctx){0};
  ck_assert_ptr_nonnull(arena = ns_arena_create(0, 1));
}
static void teardown(void) { ns_arena_destroy(arena); }

/* ---- time ------------------------------------------------------------------------------------ */

static ns_time_map map_of(const double *a, const double *b, size_t n)
{
  ns_time_map m;
  ck_assert_int_eq(ns_time_map_create(&c, arena, n, &m), NS_OK);
  for (size_t i = 0; i < n; i++) ns_time_map_add(&m, a[i], b[i]);
  return m;
}

START_TEST(time_map_meets_its_knots_and_is_affine_between)
{
  const double a[] = {0, 1, 4}, b[] = {0, 2, 3};
  ns_time_map m = map_of(a, b, 3);
  for (int i = 0; i < 3; i++) {
    ck_assert_double_eq(ns_time_map_to_a(&m, b[i]), a[i]);
    ck_assert_double_eq(ns_time_map_to_b(&m, a[i]), b[i]);
  }
  ck_assert_double_eq(ns_time_map_to_a(&m, 1), 0.5);
  ck_assert_double_eq(ns_time_map_to_a(&m, 2.5), 2.5);
  ck_assert_double_eq(ns_time_map_to_a(&m, -1), -1); /* slope 1 beyond the ends */
  ck_assert_double_eq(ns_time_map_to_a(&m, 5), 6);
}
END_TEST

START_TEST(time_map_is_inverted_by_the_other_direction)
{
  const double a[] = {0, 0.3, 0.31, 7, 9}, b[] = {0.1, 0.2, 0.4, 6, 9};
  ns_time_map m = map_of(a, b, 5);
  double before = -INFINITY;
  for (int i = -10; i <= 1100; i++) {
    double t = 0.01 * i, s = ns_time_map_to_a(&m, t);
    ck_assert_double_gt(s, before); /* strictly increasing */
    before = s;
    ck_assert_double_eq_tol(ns_time_map_to_b(&m, s), t, 1e-13);
  }
}
END_TEST

START_TEST(time_map_of_equal_knots_is_the_identity_to_the_bit)
{
  double a[50];
  for (int i = 0; i < 50; i++) a[i] = 0.1 * i * i;
  ns_time_map m = map_of(a, a, 50);
  for (int i = 0; i < 3000; i++) ck_assert_double_eq(ns_time_map_to_a(&m, 0.07 * i), 0.07 * i);
}
END_TEST

START_TEST(time_map_refuses_knots_that_go_back)
{
  const double a[] = {0, 1, 1, 0.9, 2}, b[] = {0, 1, 1.1, 1.2, 1.3};
  ns_time_map m = map_of(a, b, 5);
  ck_assert_uint_eq(m.n, 3);
  ck_assert_double_eq(m.a[2], 2);
}
END_TEST

/* ---- events ---------------------------------------------------------------------------------- */

enum { I = NS_EVENT_IMPACT, C = NS_EVENT_CONTACT };

static size_t events_of(const double *t, int kind, const char *id, int row, ns_result_event *e)
{
  size_t n = 0;
  for (; t[n] >= 0; n++)
    e[n] = (ns_result_event){.t = t[n], .kind = kind, .interaction = id, .row = row};
  return n;
}

static ns_event_match match_of(const ns_result_event *a, size_t na, const ns_result_event *b,
                               size_t nb, ns_event_rule r)
{
  ns_event_match m;
  ck_assert_int_eq(ns_event_match_all(&c, a, na, b, nb, &r, arena, &m), NS_OK);
  return m;
}

static ns_event_match match_times(const double *ta, const double *tb, ns_event_rule r)
{
  ns_result_event a[16], b[16];
  size_t na = events_of(ta, I, "g", 0, a), nb = events_of(tb, I, "g", 0, b);
  return match_of(a, na, b, nb, r);
}

START_TEST(events_within_the_tolerance_match)
{
  static const struct {
    double tol;
    size_t pairs, alone;
  } row[] = {{0.1, 3, 0}, {0.049, 2, 2}, {0.051, 3, 0}};
  const double a[] = {1, 2.05, 3, -1}, b[] = {1.01, 2, 3, -1};
  ns_event_match m = match_times(a, b,
                                 (ns_event_rule){row[_i].tol, 1e-9, 0, 10, NAN, -INFINITY, 0});
  ck_assert_uint_eq(m.npairs, row[_i].pairs);
  ck_assert_uint_eq(m.nalone, row[_i].alone);
  ck_assert_uint_eq(m.left, 0);
}
END_TEST

START_TEST(one_missing_event_is_one_difference)
{
  const double a[] = {1, 3, 4, -1}, b[] = {1, 2, 3, 4, -1};
  ns_event_match m = match_times(a, b, (ns_event_rule){0.1, 1e-9, 0, 10, NAN, -INFINITY, 0});
  ck_assert_uint_eq(m.npairs, 3);
  ck_assert_uint_eq(m.nalone, 1);
  ck_assert_int_eq(m.alone[0].side, 1);
  ck_assert_uint_eq(m.alone[0].index, 1);
  ck_assert_uint_eq(m.alone[0].order, 2);
  ck_assert_double_eq(m.alone[0].nearest, 3);
}
END_TEST

START_TEST(an_event_near_the_end_may_be_beyond_it)
{
  const double a[] = {1, 4.95, -1}, b[] = {1, -1};
  ck_assert_uint_eq(match_times(a, b, (ns_event_rule){0.1, 1e-9, 0, 5, NAN, -INFINITY, 0}).left, 1);
  ck_assert_uint_eq(match_times(b, a, (ns_event_rule){0.1, 1e-9, 0, 5, NAN, -INFINITY, 0}).left, 1);
  ck_assert_uint_eq(match_times(a, b, (ns_event_rule){0.01, 1e-9, 0, 5, NAN, -INFINITY, 0}).nalone,
                    1);
  /* later than the end */
  ck_assert_uint_eq(match_times(a, b, (ns_event_rule){0.01, 1e-9, 0, 4, NAN, -INFINITY, 0}).nalone,
                    0);
}
END_TEST

START_TEST(matching_stops_where_events_accumulate)
{
  const double a[] = {1, 2, 2.5, 2.75, 2.875, 2.9375, -1}, b[] = {1, 2, 2.5, 2.75, 2.875, -1};
  ns_event_match m = match_times(a, b, (ns_event_rule){0.1, 1e-9, 0.3, 10, NAN, -INFINITY, 0});
  ck_assert_uint_eq(m.nstops, 1);
  ck_assert_double_eq(m.stops[0].t, 2.75);
  ck_assert_uint_eq(m.npairs, 3);
  ck_assert_uint_eq(m.nalone, 0);
  ck_assert_uint_eq(m.left, 5);
  /* before it, a missing event is still missing */
  const double without[] = {1, 2.5, 2.75, 2.875, -1};
  ck_assert_uint_eq(
      match_times(without, b, (ns_event_rule){0.1, 1e-9, 0.3, 10, NAN, -INFINITY, 0}).nalone, 1);
}
END_TEST

/* A ball that stays where it lands: impact, and contact in the step after it. */
START_TEST(a_landing_is_no_accumulation)
{
  ns_result_event e[2] = {{.t = 1, .kind = I, .interaction = "g"},
                          {.t = 1.01, .kind = C, .interaction = "g"}};
  ns_event_match m = match_of(e, 2, e, 2, (ns_event_rule){0, 1e-9, 0.02, 10, NAN, -INFINITY, 0});
  ck_assert_uint_eq(m.npairs, 2);
  ck_assert_uint_eq(m.nstops, 0);
}
END_TEST

/* What an event-driven run alone records has no say beside time-stepping: branches of formulas, a
 * slip that turns round; nor what either records in the first moment. */
START_TEST(kinds_of_one_driver_are_left_out)
{
  ns_result_event a[4] = {
      {.t = 0.05, .kind = NS_EVENT_SLIP, .interaction = "h", .was = 1, .is = 2},
      {.t = 1, .kind = NS_EVENT_FORMULA, .interaction = "f"},
      {.t = 2, .kind = NS_EVENT_SLIP, .interaction = "g", .was = 2, .is = 2},
      {.t = 3, .kind = NS_EVENT_SLIP, .interaction = "g", .was = 1, .is = 2},
  };
  for (int mixed = 0; mixed < 2; mixed++) {
    ns_event_rule r = {0.1, 1e-9, 0.2, 10, NAN, 0, mixed};
    ns_event_match m = match_of(a, 4, NULL, 0, r), other = match_of(NULL, 0, a, 4, r);
    ck_assert_uint_eq(m.nalone, mixed ? 1 : 3);
    ck_assert_uint_eq(other.nalone, m.nalone);
    ck_assert_uint_eq(m.left, 1);
  }
}
END_TEST

/* At one time on both rows of a contact and on another one: no accumulation, and none is taken for
 * another. */
START_TEST(events_of_other_contacts_do_not_meet)
{
  ns_result_event a[3] = {{.t = 1, .kind = I, .interaction = "g"},
                          {.t = 1, .kind = I, .interaction = "g", .row = 1},
                          {.t = 1, .kind = I, .interaction = "h"}};
  ns_result_event b[3] = {a[2], a[1], a[0]}; /* order within one time does not matter */
  ns_event_match m = match_of(a, 3, b, 3, (ns_event_rule){0.1, 1e-9, 0.2, 10, NAN, -INFINITY, 0});
  ck_assert_uint_eq(m.npairs, 3);
  ck_assert_uint_eq(m.nstops, 0);
  for (size_t k = 0; k < 3; k++) {
    ck_assert_str_eq(a[m.pairs[k].a].interaction, b[m.pairs[k].b].interaction);
    ck_assert_int_eq(a[m.pairs[k].a].row, b[m.pairs[k].b].row);
  }
  b[1].row = 2;
  ck_assert_uint_eq(
      match_of(a, 3, b, 3, (ns_event_rule){0.1, 1e-9, 0.2, 10, NAN, -INFINITY, 0}).nalone, 2);
  a[0].kind = C;
  ck_assert_uint_eq(
      match_of(a, 1, b + 2, 1, (ns_event_rule){0.1, 1e-9, 0.2, 10, NAN, -INFINITY, 0}).nalone, 2);
}
END_TEST

/* ---- curves ---------------------------------------------------------------------------------- */

enum { NA = 401, NB = 101 };

typedef struct pair {
  double ta[NA], ya[NA], tb[NB], yb[NB], weight[NB], safe_a[8], safe_b[8];
  size_t at[NB];
  char near[NB];
  ns_compare_grid g;
} pair;

/* A over [0, 1] in NA rows, B in NB rows of other steps. */
static void pair_init(pair *p, const ns_time_map *m)
{
  *p = (pair){.g = {.na = NA, .nb = NB, .all_a = NA}};
  for (int i = 0; i < NA; i++) p->ta[i] = pow((double)i / (NA - 1), 1.3);
  for (int i = 0; i < NB; i++) p->tb[i] = (double)i / (NB - 1);
  p->g.ta = p->ta;
  p->g.tb = p->tb;
  p->g.at = p->at;
  p->g.weight = p->weight;
  p->g.near = p->near;
  p->g.safe_a = p->safe_a;
  p->g.safe_b = p->safe_b;
  ns_compare_grid_place(&p->g, m, 1e-12);
}

static double worst_of(pair *p, ns_compare_rule r)
{
  ns_compare_quantity q = {.label = "x"};
  ns_compare_rows(&p->g, p->ya, p->yb, &r, &q);
  return q.worst.quantity ? q.worst.difference : 0;
}

static const ns_compare_rule plain = {.rtol = 0, .atol = 1, .stop = INFINITY};

START_TEST(interpolation_is_exact_for_lines)
{
  const double ends[] = {0, 1};
  ns_time_map m = map_of(ends, ends, 2);
  pair p;
  pair_init(&p, &m);
  for (int i = 0; i < NA; i++) p.ya[i] = 3 - 2 * p.ta[i];
  for (int i = 0; i < NB; i++) p.yb[i] = 3 - 2 * p.tb[i];
  ck_assert_double_le(worst_of(&p, plain), 1e-14);
  size_t hint = 0;
  for (int i = 0; i < NB; i++)
    ck_assert_double_eq_tol(ns_curve_at(p.ta, p.ya, NA, p.tb[i], &hint), p.yb[i], 1e-14);
  ck_assert_double_nan(ns_curve_at(p.ta, p.ya, NA, 1.001, &hint));
}
END_TEST

/* |f - interpolant| <= h^2 max |f''| / 8 */
START_TEST(interpolation_has_order_two)
{
  const double ends[] = {0, 1};
  ns_time_map m = map_of(ends, ends, 2);
  pair p;
  pair_init(&p, &m);
  double h = 0;
  for (int i = 1; i < NA; i++) h = fmax(h, p.ta[i] - p.ta[i - 1]);
  for (int i = 0; i < NA; i++) p.ya[i] = sin(5 * p.ta[i]);
  for (int i = 0; i < NB; i++) p.yb[i] = sin(5 * p.tb[i]);
  double d = worst_of(&p, plain);
  ck_assert_double_le(d, h * h * 25 / 8);
  ck_assert_double_ge(d, h * h * 25 / 80);
}
END_TEST

/* A saw tooth whose jump comes at 0.5 in B and at 0.53 in A, at the same phase of its map. */
static void saw(pair *p, const ns_time_map *m)
{
  pair_init(p, m);
  for (int i = 0; i < NA; i++) {
    double t = ns_time_map_to_b(m, p->ta[i]);
    p->ya[i] = t < 0.5 ? -t : 1 - t;
  }
  for (int i = 0; i < NB; i++) p->yb[i] = p->tb[i] < 0.5 ? -p->tb[i] : 1 - p->tb[i];
}

START_TEST(a_mapped_jump_is_met)
{
  const double a[] = {0, 0.53, 1}, b[] = {0, 0.5, 1}, ends[] = {0, 1};
  ns_time_map m = map_of(a, b, 3), none = map_of(ends, ends, 2);
  ns_compare_rule jumps = plain;
  pair p;
  saw(&p, &m);
  jumps.jumps = 1;
  ns_compare_grid_mark(&p.g, 0.5, 0.005);
  ck_assert_double_le(worst_of(&p, jumps), 1e-13);
  ck_assert_int_eq(p.near[50], 1);
  ck_assert_int_eq(p.near[49] || p.near[51], 0);
  /* without the map it is a difference of the size of the jump */
  ns_compare_grid_place(&p.g, &none, 1e-12);
  ck_assert_double_ge(worst_of(&p, jumps), 0.9);
}
END_TEST

START_TEST(what_is_not_finite_differs_everywhere)
{
  const double ends[] = {0, 1};
  ns_time_map m = map_of(ends, ends, 2);
  for (int side = 0; side < 3; side++) {
    pair p;
    ns_compare_quantity q = {.label = "x"};
    ns_compare_rule r = plain;
    pair_init(&p, &m);
    memset(p.near, 1, NB); /* also where everything is near an event */
    r.jumps = 1;
    if (side != 1) p.ya[201] = NAN;
    if (side != 0) p.yb[50] = side == 1 ? NAN : INFINITY;
    ns_compare_rows(&p.g, p.ya, p.yb, &r, &q);
    ck_assert_uint_ge(q.differ, 1);
    ck_assert_int_eq(q.first.kind, NS_COMPARE_NAN);
  }
}
END_TEST

/* A force 1 + t: its impulses over steps, summed between two times, do not know the steps. */
START_TEST(sums_of_impulses_do_not_depend_on_steps)
{
  const double ends[] = {0, 1}, safe[] = {0, 0.301, 0.777, 1};
  ns_time_map m = map_of(ends, ends, 2);
  ns_compare_quantity q = {.label = "lambda"};
  pair p;
  pair_init(&p, &m);
  p.g.nsafe = 4;
  for (int i = 0; i < 4; i++) p.safe_a[i] = p.safe_b[i] = safe[i];
  for (int i = 1; i < NA; i++)
    p.ya[i] = (p.ta[i] - p.ta[i - 1]) * (1 + (p.ta[i] + p.ta[i - 1]) / 2);
  for (int i = 1; i < NB; i++)
    p.yb[i] = (p.tb[i] - p.tb[i - 1]) * (1 + (p.tb[i] + p.tb[i - 1]) / 2);
  ns_compare_sums(&p.g, p.ya, p.yb, &plain, &q);
  ck_assert_uint_eq(q.rows, 3);
  /* spread evenly within a step: h^2 / 8 at both ends */
  ck_assert_double_le(q.worst.difference, 0.25 * 1e-4);
  q = (ns_compare_quantity){.label = "lambda"};
  p.ya[200] += 0.1; /* one impulse more is seen in full */
  ns_compare_sums(&p.g, p.ya, p.yb, &plain, &q);
  ck_assert_double_eq_tol(q.worst.difference, 0.1, 1e-4);
}
END_TEST

START_TEST(kinds_of_quantities)
{
  static const struct {
    const char *path, *label;
    int kind;
  } row[] = {{"systems/ball/q", "ball.x", NS_QUANTITY_SMOOTH},
             {"systems/ball/v", "ball.v_x", NS_QUANTITY_V},
             {"systems/p", "ball.p[0]", NS_QUANTITY_P},
             {"interactions/g/lambda", "g.lambda", NS_QUANTITY_LAMBDA},
             {"interactions/g/y", "g.y", NS_QUANTITY_SMOOTH},
             {"interactions/g/ydot", "g.ydot[1]", NS_QUANTITY_V},
             {"diagnostics/kinetic", "diagnostics.kinetic", NS_QUANTITY_V},
             {"v", "v", NS_QUANTITY_V},
             {"ball.v_x", "ball.v_x", NS_QUANTITY_V},
             {"height", "height", NS_QUANTITY_SMOOTH},
             {"velocity", "velocity", NS_QUANTITY_SMOOTH},
             {"systems/v/q", "v.x", NS_QUANTITY_SMOOTH}};
  ck_assert_int_eq(ns_quantity_kind_of(row[_i].path, row[_i].label), row[_i].kind);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("compare");
  TCase *t = tcase_create("compare");
  tcase_add_checked_fixture(t, setup, teardown);
  tcase_add_test(t, time_map_meets_its_knots_and_is_affine_between);
  tcase_add_test(t, time_map_is_inverted_by_the_other_direction);
  tcase_add_test(t, time_map_of_equal_knots_is_the_identity_to_the_bit);
  tcase_add_test(t, time_map_refuses_knots_that_go_back);
  tcase_add_loop_test(t, events_within_the_tolerance_match, 0, 3);
  tcase_add_test(t, one_missing_event_is_one_difference);
  tcase_add_test(t, an_event_near_the_end_may_be_beyond_it);
  tcase_add_test(t, matching_stops_where_events_accumulate);
  tcase_add_test(t, a_landing_is_no_accumulation);
  tcase_add_test(t, kinds_of_one_driver_are_left_out);
  tcase_add_test(t, events_of_other_contacts_do_not_meet);
  tcase_add_test(t, interpolation_is_exact_for_lines);
  tcase_add_test(t, interpolation_has_order_two);
  tcase_add_test(t, a_mapped_jump_is_met);
  tcase_add_test(t, what_is_not_finite_differs_everywhere);
  tcase_add_test(t, sums_of_impulses_do_not_depend_on_steps);
  tcase_add_loop_test(t, kinds_of_quantities, 0, 12);
  suite_add_tcase(s, t);
  SRunner *r = srunner_create(s);
  srunner_run_all(r, CK_ENV);
  int failed = srunner_ntests_failed(r);
  srunner_free(r);
  return failed != 0;
}
