/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenes against all pairs: nothing is lost, nothing found twice, identities are kept. */
#include "collision/scene.h"
#include "support/cloud.h"
#include "support/suite.h"

#include <check.h>
#include <stdlib.h>

enum { MAX = 1000 };

static ns_arena *mem;
static ns_ctx ctx;
static ns_shape ball, small, box, floor_, plane, disk, triangle;
static ns_collider collider[MAX];
static double q[7 * MAX];

static void make(void)
{
  mem = ns_arena_create(0, 1);
  ns_shape_plane(&plane);
  ns_shape_sphere(&ball, 0.5);
  ns_shape_sphere(&small, 0.1);
  ck_assert(ns_shape_box(&box, mem, (double[]){0.4, 0.3, 0.2}));
  ck_assert(ns_shape_box(&floor_, mem, (double[]){20, 20, 1}));
  ck_assert(ns_shape_disk(&disk, 0.3));
  ck_assert(!ns_shape_polygon(&triangle, &ctx, "triangle", mem, 3, (double[]){0, 0, 1, 0, 0, 0.5}));
}

static void drop(void) { ns_arena_destroy(mem); }

/* n bodies of mixed shapes in a cube of width w, after a plane and a slab. */
static int mixed(int n, double w)
{
  collider[0] = (ns_collider){
      .body = -1, .shape = &plane, .at = {0, 0, 0}, .turn = {1, 0, 0, 0}, .layers = 1, .with = 1};
  collider[1] = (ns_collider){.body = -1,
                              .shape = &floor_,
                              .at = {0, 0, -w / 2},
                              .turn = {1, 0, 0, 0},
                              .layers = 1,
                              .with = 1};
  for (int i = 0; i < n; i++) {
    const ns_shape *s = i % 3 == 0 ? &ball : i % 3 == 1 ? &box : &small;
    collider[i + 2] = (ns_collider){.body = i,
                                    .shape = s,
                                    .turn = {1, 0, 0, 0},
                                    .layers = i % 7 == 0 ? 2u : 1u,
                                    .with = i % 11 == 0 ? 1u : 3u};
    double phi[3];
    for (int k = 0; k < 3; k++) {
      q[7 * i + k] = uniform(-w / 2, w / 2);
      phi[k] = uniform(-2, 2);
    }
    ns_quaternion_exp(phi, q + 7 * i + 3);
    ns_quaternion_unit(q + 7 * i + 3);
  }
  return n + 2;
}

/* n disks and triangles in a square of width w, after three half-planes that are turned about z. */
static int planar(int n, double w)
{
  for (int i = 0; i < 3; i++) {
    double phi = uniform(-3, 3), half = sqrt(0.5);
    collider[i] = (ns_collider){.body = -1,
                                .shape = &plane,
                                .at = {uniform(-1, 1), uniform(-1, 1), 0},
                                .turn = {half, -half * sin(phi), half * cos(phi), 0},
                                .layers = 1,
                                .with = 1};
  }
  for (int i = 0; i < n; i++) {
    collider[i + 3] = (ns_collider){.body = i,
                                    .shape = i % 4 ? &disk : &triangle,
                                    .at = {i % 5 ? 0 : 0.1, 0, 0},
                                    .turn = {1, 0, 0, 0},
                                    .layers = 1,
                                    .with = 1};
    for (int k = 0; k < 3; k++) q[3 * i + k] = uniform(-w / 2, w / 2);
  }
  return n + 3;
}

typedef void touch(const ns_placed *a, const ns_placed *b, double margin, ns_touches *t);

static int meets(int a, int b)
{
  const ns_collider *x = &collider[a], *y = &collider[b];
  return x->body != y->body && x->layers & y->with && y->layers & x->with;
}

static int check_all_pairs(const ns_scene *s, int n, double margin, touch *find)
{
  int count, at = 0;
  const ns_scene_contact *k = ns_scene_contacts(s, &count);
  for (int a = 0; a < n; a++)
    for (int b = a + 1; b < n; b++) {
      ns_touches t = {0};
      ns_placed first = ns_scene_placed(s, a), second = ns_scene_placed(s, b);
      if (meets(a, b)) find(&first, &second, margin, &t);
      for (int i = 0; i < t.count; i++, at++) {
        ck_assert_int_lt(at, count);
        ck_assert_int_eq(k[at].a, a);
        ck_assert_int_eq(k[at].b, b);
      }
      ns_touches_fini(&t);
    }
  ck_assert_int_eq(at, count);
  return count;
}

START_TEST(contacts_are_those_of_all_pairs)
{
  for (int trial = 0; trial < 20; trial++) {
    ns_scene *s;
    int n = mixed(trial < 3 ? trial : 400, 8);
    double tilt[3] = {uniform(-2, 2), uniform(-2, 2), 0};
    if (trial % 2) ns_quaternion_exp(tilt, collider->turn);
    ck_assert_int_eq(ns_scene_create(&ctx, n, collider, &s), NS_OK);
    ck_assert_int_eq(ns_scene_update(s, &ctx, q, 0.05), NS_OK);
    check_all_pairs(s, n, 0.05, ns_touch_shapes);
    ns_scene_destroy(s);
  }
}
END_TEST

/* Boxes are kept in single precision, whose numbers are 0.25 m apart there. */
START_TEST(contacts_far_from_the_origin_are_those_of_all_pairs)
{
  int found = 0;
  for (int trial = 0; trial < 20; trial++) {
    ns_scene *s;
    int n = mixed(400, 8);
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 3; k++)
        *(i < 2 ? &collider[i].at[k] : &q[7 * (i - 2) + k]) += k == trial % 3 ? 3e6 + 0.15
                                                                              : -3e6 + 0.15;
    ck_assert_int_eq(ns_scene_create(&ctx, n, collider, &s), NS_OK);
    ck_assert_int_eq(ns_scene_update(s, &ctx, q, 0.05), NS_OK);
    found += check_all_pairs(s, n, 0.05, ns_touch_shapes);
    ns_scene_destroy(s);
  }
  ck_assert_int_gt(found, 1000);
}
END_TEST

/* The same in the plane; margins beyond the size of the shapes too. */
START_TEST(planar_contacts_are_those_of_all_pairs)
{
  static const double margin[] = {0, 0.05, 2};
  int n = planar(300, 12);
  ns_scene *s;
  ck_assert_int_eq(ns_scene_create_planar(&ctx, n, collider, &s), NS_OK);
  ck_assert_int_eq(ns_scene_update(s, &ctx, q, margin[_i]), NS_OK);
  ck_assert_int_gt(check_all_pairs(s, n, margin[_i], ns_touch_planar), 100);
  ns_scene_destroy(s);
}
END_TEST

/* A round shape about the centre of its body has the axes of the world, wherever that has turned;
 * all others have their own, and both are where the motion says. In space, in the plane. */
START_TEST(shapes_are_where_their_bodies_carry_them)
{
  ns_scene *s;
  int n = _i ? planar(200, 8) : mixed(200, 8), first = n - 200;
  for (int i = first; i < n; i++) /* some beside the centre, some turned, about z in the plane */
    if (i % 2) {
      double phi[3] = {0, 0, uniform(-1, 1)};
      for (int k = 0; k < 2; k++) collider[i].at[k] = i % 3 ? uniform(-1, 1) : 0;
      ns_quaternion_exp(phi, collider[i].turn);
    }
  ck_assert(!(_i ? ns_scene_create_planar : ns_scene_create)(&ctx, n, collider, &s));
  for (int step = 0; step < 2; step++) {
    ck_assert(!ns_scene_update(s, &ctx, q, 0.01));
    for (int i = first; i < n; i++) {
      const double *x = q + (_i ? 3 : 7) * (i - first), phi[3] = {0, 0, _i ? x[2] : 0};
      const ns_collider *c = &collider[i];
      double body[4], all[4], R[9], at[3], world[9] = {[0] = 1, [4] = 1, [8] = 1};
      ns_quaternion_exp(phi, body);
      if (!_i) memcpy(body, x + 3, sizeof body);
      ns_quaternion_matrix(body, R);
      ns_mul3(R, c->at, at);
      for (int k = 0; k < 3; k++) at[k] += _i && k == 2 ? 0 : x[k];
      ns_quaternion_mul(body, c->turn, all);
      ns_quaternion_matrix(all, R);
      ns_placed p = ns_scene_placed(s, i);
      int centred = c->at[0] == 0 && c->at[1] == 0 && c->turn[0] == 1;
      int round = centred && (c->shape == &ball || c->shape == &small || c->shape == &disk);
      ck_assert_ptr_eq(p.shape, c->shape);
      for (int k = 0; k < 3; k++) ck_assert_double_eq_tol(p.at[k], at[k], 1e-14);
      for (int k = 0; k < 9; k++) ck_assert_double_eq_tol(p.R[k], (round ? world : R)[k], 1e-14);
    }
    for (int i = 0; i < (_i ? 3 : 7) * 200; i++) /* moved and turned */
      if (_i || i % 7 < 3) q[i] += 0.1;
    for (int i = 0; i < 200 && !_i; i++) ns_quaternion_turn(q + 7 * i + 3, q + 7 * i);
  }
  ns_scene_destroy(s);
}
END_TEST

/* What disks and spheres take, of which large scenes are made; boxes have axes. */
START_TEST(round_shapes_are_small)
{
  ns_scene *s;
  size_t bytes[2];
  for (int boxes = 0; boxes < 2; boxes++) {
    for (int i = 0; i < MAX; i++) {
      collider[i] = (ns_collider){
          .body = i, .shape = boxes ? &box : &small, .turn = {1, 0, 0, 0}, .layers = 1, .with = 1};
      for (int k = 0; k < 7; k++) q[7 * i + k] = k < 3 ? uniform(-50, 50) : k == 3;
    }
    ck_assert(!ns_scene_create(&ctx, MAX, collider, &s));
    bytes[boxes] = ns_scene_bytes(s) / MAX;
    ns_scene_destroy(s);
  }
  ck_assert_uint_le(bytes[0], 160);
  ck_assert_uint_ge(bytes[1], bytes[0] + 9 * sizeof(double));
}
END_TEST

/* Far away, where cells would overflow an int. */
START_TEST(bodies_that_have_left_do_no_harm)
{
  ns_scene *s;
  int n = mixed(30, 4);
  for (int i = 0; i < 10; i++) q[7 * i + i % 3] = (i % 2 ? 1 : -1) * 1e300;
  ck_assert_int_eq(ns_scene_create(&ctx, n, collider, &s), NS_OK);
  ck_assert_int_eq(ns_scene_update(s, &ctx, q, 0.05), NS_OK);
  int with, without;
  ns_scene_contacts(s, &with);
  for (int i = 0; i < 10; i++) collider[i + 2].layers = 0;
  ns_scene_destroy(s);
  ck_assert_int_eq(ns_scene_create(&ctx, n, collider, &s), NS_OK);
  ck_assert_int_eq(ns_scene_update(s, &ctx, q, 0.05), NS_OK);
  check_all_pairs(s, n, 0.05, ns_touch_shapes);
  ns_scene_contacts(s, &without);
  ck_assert_int_ge(with, without); /* among themselves they may touch: 1e300 + 1 = 1e300 */
  ns_scene_destroy(s);
}
END_TEST

START_TEST(contacts_are_known_again)
{
  ns_scene *s;
  int n = mixed(400, 6), kept = 0, all = 0;
  ck_assert_int_eq(ns_scene_create(&ctx, n, collider, &s), NS_OK);
  ns_scene_contact *past = NULL;
  int npast = 0;
  for (int step = 0; step < 20; step++) {
    ck_assert_int_eq(ns_scene_update(s, &ctx, q, 0.02), NS_OK);
    int count;
    const ns_scene_contact *k = ns_scene_contacts(s, &count);
    unsigned char *taken = calloc((size_t)npast + 1, 1);
    for (int i = 0; i < count; i++) {
      all += step > 0;
      if (k[i].was < 0) continue;
      kept++;
      ck_assert_int_lt(k[i].was, npast);
      ck_assert_int_eq(taken[k[i].was], 0);
      taken[k[i].was] = 1;
      ck_assert_int_eq(past[k[i].was].a, k[i].a);
      ck_assert_int_eq(past[k[i].was].b, k[i].b);
      ck_assert_uint_eq(past[k[i].was].touch.feature, k[i].touch.feature);
    }
    free(taken);
    free(past);
    past = malloc(((size_t)count + 1) * sizeof *past);
    memcpy(past, k, (size_t)count * sizeof *past);
    npast = count;
    for (int i = 0; i < 7 * (n - 2); i++)
      if (i % 7 < 3) q[i] += uniform(-1e-4, 1e-4);
  }
  free(past);
  ck_assert_int_gt(kept, all - all / 10);
  ns_scene_destroy(s);
}
END_TEST

/* Radii over three orders of magnitude, a mesh and a field among them. */
START_TEST(sizes_may_differ_much)
{
  static ns_shape balls[40];
  ns_mesh *m, *f;
  ns_shape hill, field;
  double height[25];
  const double x[12] = {-1, -1, -1, 1, -1, -1, 0, 1, -1, 0, 0, 1};
  for (int i = 0; i < 25; i++) height[i] = uniform(-0.5, 0.5);
  ck_assert_int_eq(
      ns_mesh_create(&ctx, "hill", mem, 4, x, 4, (int[]){0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3}, &m),
      NS_OK);
  ck_assert_int_eq(ns_mesh_field(&ctx, "field", mem, 5, 5, 2, 2, height, &f), NS_OK);
  ck_assert(ns_shape_mesh(&hill, m) && ns_shape_mesh(&field, f));
  for (int i = 0; i < 40; i++) ns_shape_sphere(&balls[i], 0.005 * pow(1000, i / 39.0));
  for (int trial = 0; trial < 10; trial++) {
    ns_scene *s;
    int n = mixed(500, 8);
    for (int i = 2; i < n; i++)
      if (i % 5) collider[i].shape = &balls[(i * i + i / 3) % (trial % 2 ? 40 : 25)];
    collider[5].shape = &hill;
    collider[0].shape = &field;
    ck_assert_int_eq(ns_scene_create(&ctx, n, collider, &s), NS_OK);
    ck_assert_int_eq(ns_scene_update(s, &ctx, q, 0.02), NS_OK);
    check_all_pairs(s, n, 0.02, ns_touch_shapes);
    ns_scene_destroy(s);
  }
}
END_TEST

/* The list does not depend on how many look for it. */
START_TEST(threads_find_the_same)
{
  int n = mixed(900, 8);
  ns_team *team = ns_team_create(2 + _i);
  ns_scene *one, *many;
  ck_assert_int_eq(ns_scene_create(&ctx, n, collider, &one), NS_OK);
  ck_assert_int_eq(ns_scene_create(&ctx, n, collider, &many), NS_OK);
  for (int step = 0; step < 6; step++) {
    int count, same;
    ns_scene_lend(many, step == 3 ? NULL : team);
    ck_assert_int_eq(ns_scene_update(one, &ctx, q, 0.02), NS_OK);
    ck_assert_int_eq(ns_scene_update(many, &ctx, q, 0.02), NS_OK);
    const ns_scene_contact *x = ns_scene_contacts(one, &count), *y = ns_scene_contacts(many, &same);
    ck_assert_int_eq(count, same);
    ck_assert_int_gt(count, 500);
    for (int i = 0; i < count; i++)
      ck_assert(x[i].a == y[i].a && x[i].b == y[i].b && x[i].was == y[i].was &&
                memcmp(&x[i].touch, &y[i].touch, sizeof x[i].touch) == 0);
    for (int k = 0; k < 7 * (n - 2); k++)
      if (k % 7 < 3) q[k] += uniform(-1e-3, 1e-3);
  }
  ns_scene_destroy(one);
  ns_scene_destroy(many);
  ns_team_destroy(team);
}
END_TEST

/* Three equal logs in a heap: two on the ground that touch, one on top. Two touches each, normals
 * at 30 degrees to the vertical. */
START_TEST(a_heap_of_three_logs)
{
  ns_shape wood;
  ns_scene *s;
  int n;
  const double root = 0.86602540378443864676, lying = 0.70710678118654752440;
  ns_shape_cylinder(&wood, 0.5, 1);
  for (int i = 0; i < 4; i++)
    collider[i] = (ns_collider){
        .body = i - 1, .shape = i ? &wood : &plane, .turn = {1, 0, 0, 0}, .layers = 1, .with = 1};
  for (int i = 0; i < 3; i++)
    memcpy(q + 7 * i, (double[]){i / 2.0, 0, i == 1 ? 0.5 + root : 0.5, lying, lying, 0, 0},
           7 * sizeof *q);
  ck_assert_int_eq(ns_scene_create(&ctx, 4, collider, &s), NS_OK);
  ck_assert_int_eq(ns_scene_update(s, &ctx, q, 0.01), NS_OK);
  const ns_scene_contact *k = ns_scene_contacts(s, &n);
  ck_assert_int_eq(n, 10);
  static const int a[5] = {0, 0, 1, 1, 2}, b[5] = {1, 3, 2, 3, 3};
  const double across[5] = {0, 0, -0.5, -1, -0.5}, up[5] = {-1, -1, -root, 0, root};
  for (int i = 0; i < 10; i++) {
    ck_assert_int_eq(k[i].a, a[i / 2]);
    ck_assert_int_eq(k[i].b, b[i / 2]);
    ck_assert_double_eq_tol(k[i].touch.gap, 0, 1e-15);
    ck_assert_double_eq_tol(k[i].touch.n[0], across[i / 2], 1e-15);
    ck_assert_double_eq_tol(k[i].touch.n[2], up[i / 2], 1e-15);
    ck_assert_double_eq_tol(fabs(k[i].touch.p1[1]), 1, 1e-15);
  }
  ns_scene_destroy(s);
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_checked_fixture(t, make, drop);
  tcase_set_timeout(t, 60);
  tcase_add_test(t, contacts_are_those_of_all_pairs);
  tcase_add_test(t, contacts_far_from_the_origin_are_those_of_all_pairs);
  tcase_add_loop_test(t, planar_contacts_are_those_of_all_pairs, 0, 3);
  tcase_add_loop_test(t, shapes_are_where_their_bodies_carry_them, 0, 2);
  tcase_add_test(t, round_shapes_are_small);
  tcase_add_test(t, bodies_that_have_left_do_no_harm);
  tcase_add_test(t, contacts_are_known_again);
  tcase_add_test(t, sizes_may_differ_much);
  tcase_add_loop_test(t, threads_find_the_same, 0, 3);
  tcase_add_test(t, a_heap_of_three_logs);
}

int main(void) { return suite_run("scene", fill); }
