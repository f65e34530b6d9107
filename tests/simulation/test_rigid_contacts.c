/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contacts between shapes against closed forms: impact with spin, slip to roll, rolling friction,
 * blocks and stacks. */
#include "support/bodies.h"

#include "model/systems/rigid_body.h"
#include "simulation/rows/rigid_contacts.h"
#include "simulation/step/strategy.h"

#define R_BALL 0.1
#define G 9.81

static run ball(double h, double T, double theta, double e, double mu, double rolling, double z,
                const double *v)
{
  run r = bodies_begin(h, T, theta);
  one_material(&r, e, mu, rolling);
  add_floor(&r);
  add_solid_ball(&r, "ball", R_BALL, (double[]){0, 0, z}, v);
  return r;
}

/* ---- impact ---------------------------------------------------------------------------------- */

/* One step without weight, from contact. */
START_TEST(a_spinning_ball_bounces)
{
  static const struct {
    double vx, wy, vx1, vz1, wy1;
  } row[] = {{2, 0, 1.42857142857142857, 2.4, 14.2857142857142857},
             {0.5, 0, 0.357142857142857143, 2.4, 3.57142857142857143},
             {2, -40, 0.92, 2.4, -13}};
  double v[6] = {row[_i].vx, 0, -3, 0, row[_i].wy, 0};
  run r = ball(1e-6, 1e-6, 0.5, 0.8, 0.2, 0, R_BALL, v);
  r.m->systems[0].rigid.fext.how = NS_OP_ABSENT;
  bodies_run(&r);
  double got[3] = {r.x->v[0], r.x->v[2], r.x->v[4]},
         want[3] = {row[_i].vx1, row[_i].vz1, row[_i].wy1};
  for (int i = 0; i < 3; i++) ck_assert_double_eq_tol(got[i], want[i], 1e-10);
  run_end(&r);
}
END_TEST

/* ---- sliding and rolling --------------------------------------------------------------------- */

START_TEST(slip_turns_to_rolling)
{
  double v[6] = {3};
  run r = ball(1e-3, 0.8, 1, 0, 0.2, 0, R_BALL, v);
  bodies_run(&r);
  ck_assert_double_eq_tol(r.x->v[0], 15.0 / 7, 1e-11);
  ck_assert_double_eq_tol(r.x->v[4], 15.0 / 7 / R_BALL, 1e-10);
  ck_assert_double_eq_tol(r.x->q[0], 1.90109, 5e-6);
  ck_assert_double_le(fabs(r.x->cert->work_friction + 9.0 / 7), 2e-3);
  run_end(&r);
}
END_TEST

START_TEST(a_rolling_ball_comes_to_rest)
{
  double v[6] = {1, 0, 0, 0, 1 / R_BALL, 0};
  run r = ball(1e-3, 2, 0.5, 0, 0.5, 0.01, R_BALL, v);
  bodies_run(&r);
  ck_assert_double_eq_tol(r.x->q[0], 0.7135575943, 1e-3); /* O(h) */
  ck_assert_double_le(ns_norm3(r.x->v), 1e-9);            /* and it does not roll back */
  run_end(&r);
}
END_TEST

/* A disk in the plane: 2/3 of its velocity stays. */
START_TEST(a_disk_slips_and_rolls_in_the_plane)
{
  static const double q0[3] = {0, R_BALL, 0}, v0[3] = {3, 0, 0}, weight[2] = {0, -G};
  run r = bodies_begin(1e-3, 1, 1);
  ns_system s = {.kind = system_kind("RigidBody2dDS"),
                 .at = {.file = "test", .element = "RigidBody2dDS", .id = "disk"},
                 .n = 3,
                 .q0 = q0,
                 .v0 = v0};
  s.rigid.mass = 2;
  s.rigid.inertia = planar_inertia(&r, R_BALL * R_BALL);
  s.rigid.fext = numbers(2, 1, (const double[]){2 * weight[0], 2 * weight[1]});
  ns_model_add_system(r.m, &r.c, &s);
  one_material(&r, 0, 0.2, 0);
  ns_shape plane, ball_;
  ck_assert(ns_shape_plane(&plane) && ns_shape_sphere(&ball_, R_BALL));
  /* its normal is y */
  add_shape(&r, "floor", -1, &plane, NULL, (double[]){sqrt(0.5), -sqrt(0.5), 0, 0});
  add_shape(&r, "rim", 0, &ball_, NULL, NULL);
  bodies_run(&r);
  ck_assert_double_eq_tol(r.x->v[0], 2, 1e-10);
  ck_assert_double_eq_tol(r.x->v[2], -2 / R_BALL, 1e-9);
  ck_assert_double_le(fabs(r.x->q[1] - R_BALL), 1e-6);
  run_end(&r);
}
END_TEST

/* ---- balance --------------------------------------------------------------------------------- */

/* Two spinning balls collide askew, numbered one way or the other; [2][6] velocities after the
 * step. */
static void collide(int swap, double *v, double *lost)
{
  static const double x[2][3] = {{0.01, 0.02, -0.03}, {0.13, 0.14, 0.05}},
                      V[2][6] = {{1, 2, 0.3, 4, -5, 6}, {-1, -2, 0.5, 3, 7, -8}};
  static const double radius[2] = {0.1, 0.09}, mass[2] = {1, 3};
  run r = bodies_begin(1e-3, 1e-3, 0.5);
  one_material(&r, 0.5, 0.3, 0);
  double momentum[2][6] = {{0}};
  for (int k = 0; k < 2; k++) {
    int i = swap ? 1 - k : k;
    double I = 0.4 * mass[i] * radius[i] * radius[i];
    add_body(&r, i ? "b" : "a", mass[i], (double[]){I, I, I}, x[i], NULL, V[i], NULL);
    ns_shape s;
    ck_assert(ns_shape_sphere(&s, radius[i]));
    add_shape(&r, i ? "b" : "a", k, &s, NULL, NULL);
  }
  r.m->contact.overlap = 1;
  bodies_run(&r);
  for (int k = 0; k < 2; k++) {
    int i = swap ? 1 - k : k;
    const double *u = r.x->v + 6 * k;
    double I = 0.4 * mass[i] * radius[i] * radius[i], L[3];
    memcpy(v + 6 * i, u, 6 * sizeof *v);
    for (int t = 0; t < 2; t++) {
      const double *w = t ? u : V[i];
      ns_cross3(x[i], w, L);
      for (int a = 0; a < 3; a++) {
        momentum[t][a] += mass[i] * w[a];
        momentum[t][3 + a] += mass[i] * L[a] + I * w[3 + a];
      }
    }
  }
  for (int a = 0; a < 6; a++) ck_assert_double_eq_tol(momentum[1][a], momentum[0][a], 1e-13);
  ck_assert_double_gt(ns_norm3(r.x->p), 0.1);
  *lost = -r.x->cert->work_contact - r.x->cert->work_friction;
  ck_assert_double_le(fabs(r.x->cert->defect), 1e-13);
  run_end(&r);
}

START_TEST(action_is_reaction)
{
  double a[12], b[12], lost, lost_b;
  collide(0, a, &lost);
  collide(1, b, &lost_b);
  for (int i = 0; i < 12; i++) ck_assert_double_eq_tol(a[i], b[i], 1e-12);
  ck_assert_double_gt(lost, 0);
}
END_TEST

/* ---- gaps ------------------------------------------------------------------------------------ */

/* Gap i of the list with bodies at q, and one of them moved by xi along its velocity j. */
static double gap_moved(const run *r, ns_rigid_contacts *o, const double *q, int i, int body, int j,
                        double xi)
{
  double moved[21], v[6] = {0};
  int n, planar = ns_system_is_planar(&r->m->systems[0]);
  v[j] = xi;
  memcpy(moved, q, (planar ? 9 : 21) * sizeof *moved);
  ns_rigid_move(&r->m->systems[body], 1, v, moved + r->m->systems[body].q);
  ns_rigid_contacts_gaps(o, moved);
  return ns_rigid_contacts_list(o, &n)[i].gap;
}

/* Rows are the derivatives of gaps, wherever the step has led: bodies have moved against each other
 * since the list was made. Balls do not turn by them. */
static void compare_gap_rows(run *r)
{
  ns_rigid_contacts *o;
  int n, planar = ns_system_is_planar(&r->m->systems[0]), dof = planar ? 3 : 6;
  double q[21], v[18] = {0}, deepest;
  bodies_ready(r);
  ck_assert_int_eq(ns_rigid_contacts_create(&r->c, r->m, NULL, &o), NS_OK);
  ck_assert_int_eq(ns_rigid_contacts_find(o, &r->c, r->x->q, v, 0, 1e-3, &deepest), NS_OK);
  memcpy(q, r->x->q, (planar ? 9 : 21) * sizeof *q);
  for (int i = 0; i < 3; i++) {
    const double to[6] = {0.02 * i, -0.01, planar ? 0.3 : 0.015 * i, 0.1, 0.2 * i - 0.1, 0.3};
    ns_rigid_move(&r->m->systems[i], 1, to, q + r->m->systems[i].q);
  }
  const ns_rigid_touch *t = ns_rigid_contacts_list(o, &n);
  ck_assert_int_gt(n, 3);
  for (int i = 0; i < n; i++) {
    double H[12];
    ns_rigid_contacts_gaps(o, q);
    ns_rigid_contacts_gap_row(o, &t[i], H);
    for (int k = 0; k < 2 && t[i].body[k] >= 0; k++)
      for (int j = 0; j < dof; j++) {
        double slope = (gap_moved(r, o, q, i, t[i].body[k], j, 1e-5) -
                        gap_moved(r, o, q, i, t[i].body[k], j, -1e-5)) /
                       2e-5;
        ck_assert_double_eq_tol(H[dof * k + j], slope, 1e-8);
        if (t[i].body[k] < 2 && j >= dof / 2 + planar)
          ck_assert_double_le(fabs(H[dof * k + j]), 1e-15);
      }
  }
  ns_rigid_contacts_destroy(o);
  run_end(r);
}

/* Two balls on a box, which stands on the floor. */
START_TEST(rows_of_gaps_are_their_derivatives)
{
  static const double I[3] = {0.1, 0.2, 0.3}, half[3] = {0.5, 0.4, 0.3};
  static const double at[2][3] = {{0.1, 0, 0.7}, {0.29, 0.05, 0.7}};
  run r = bodies_begin(1e-3, 1e-3, 0.5);
  one_material(&r, 0, 0.3, 0);
  r.m->contact.margin = 0.05;
  ns_shape box;
  ck_assert(ns_shape_box(&box, r.m->arena, half));
  for (int i = 0; i < 2; i++) add_solid_ball(&r, i ? "b" : "a", R_BALL, at[i], NULL);
  add_floor(&r);
  add_shape(&r, "box", add_body(&r, "box", 1, I, (double[]){0, 0, 0.3}, NULL, NULL, NULL), &box,
            NULL, NULL);
  compare_gap_rows(&r);
}
END_TEST

/* In the plane two disks, one beside the middle of its body, and the floor. */
START_TEST(rows_of_gaps_in_the_plane)
{
  static const double at[3][3] = {{0, 0.11, 0}, {0.2, 0.12, 0}, {0.13, 0.28, 0.4}}, none[3] = {0};
  run r = bodies_begin(1e-3, 1e-3, 0.5);
  one_material(&r, 0, 0.3, 0);
  r.m->contact.margin = 0.05;
  ns_shape plane, disk;
  ck_assert(ns_shape_plane(&plane) && ns_shape_sphere(&disk, R_BALL));
  for (int i = 0; i < 3; i++) {
    ns_system s = {.kind = system_kind("RigidBody2dDS"),
                   .at = {.file = "test", .element = "RigidBody2dDS", .id = "disk"},
                   .n = 3,
                   .q0 = at[i],
                   .v0 = none};
    s.rigid.mass = 2;
    s.rigid.inertia = planar_inertia(&r, R_BALL * R_BALL);
    ns_model_add_system(r.m, &r.c, &s);
    add_shape(&r, "disk", i, &disk, i == 2 ? (const double[]){-0.02, 0.01, 0} : NULL, NULL);
  }
  add_shape(&r, "floor", -1, &plane, NULL, (double[]){sqrt(0.5), -sqrt(0.5), 0, 0});
  compare_gap_rows(&r);
}
END_TEST

/* ---- statics --------------------------------------------------------------------------------- */

START_TEST(a_stack_of_boxes_stands)
{
  static const double I[3] = {1.0 / 6, 1.0 / 6, 1.0 / 6}, half[3] = {0.5, 0.5, 0.5},
                      weight[3] = {0, 0, -G};
  run r = bodies_begin(5e-3, 10, 0.5);
  one_material(&r, 0, 0.5, 0);
  add_floor(&r);
  ns_shape box;
  ck_assert(ns_shape_box(&box, r.m->arena, half));
  for (int i = 0; i < 6; i++)
    add_shape(&r, "box", add_body(&r, "box", 1, I, (double[]){0, 0, i + 0.5}, NULL, NULL, weight),
              &box, NULL, NULL);
  bodies_run(&r);
  for (int i = 0; i < 6; i++) {
    double x[3] = {0, 0, i + 0.5}, d[3];
    ns_sub3(r.x->q + 7 * i, x, d);
    ck_assert_double_le(ns_norm3(d), 1e-6);
  }
  double p = 0; /* and each interface carries what is above it */
  for (int i = 0; i < 6; i++) {
    p += r.x->p[6 * i + 2];
    ck_assert_double_eq_tol(r.x->p[6 * i + 2], G * 5e-3, 1e-8);
  }
  ck_assert_double_eq_tol(p, 6 * G * 5e-3, 1e-8);
  run_end(&r);
}
END_TEST

/* A rod of half-length 1 slides on its tip at tan(angle) = 2 with mu beyond 4/3, where forces of
 * friction contradict each other: impulses do not. */
START_TEST(a_rod_jams)
{
  static const double I[3] = {1e-3, 1.0 / 3, 1.0 / 3}, weight[3] = {0, 0, -G};
  static const double mu[] = {1, 1.4, 2, 5};
  for (int way = -1; way <= 1; way += 2) {
    double angle = atan(2), tip = 0.01, p[4] = {cos(angle / 2), 0, -sin(angle / 2), 0},
           v[6] = {way * 1.0};
    run r = bodies_begin(1e-3, 1, 0.5);
    one_material(&r, 0, mu[_i], 0);
    add_floor(&r);
    int rod = add_body(&r, "rod", 1, I, (double[]){0, 0, sin(angle) + tip}, p, v, weight);
    ns_shape ball_;
    ck_assert(ns_shape_sphere(&ball_, tip));
    add_shape(&r, "tip", rod, &ball_, (double[]){-1, 0, 0}, NULL);
    add_shape(&r, "head", rod, &ball_, (double[]){1, 0, 0}, NULL);
    bodies_run(&r);
    ck_assert_double_le(r.x->cert->penetration_max, 1e-2); /* a step of the speed of an impact */
    ck_assert_double_le(r.x->cert->kinetic + r.x->cert->potential, r.x->cert->energy0 + 1e-9);
    run_end(&r);
  }
}
END_TEST

static void fill(TCase *t)
{
  tcase_add_loop_test(t, a_spinning_ball_bounces, 0, 3);
  tcase_add_test(t, slip_turns_to_rolling);
  tcase_add_test(t, a_rolling_ball_comes_to_rest);
  tcase_add_test(t, a_disk_slips_and_rolls_in_the_plane);
  tcase_add_test(t, action_is_reaction);
  tcase_add_test(t, rows_of_gaps_are_their_derivatives);
  tcase_add_test(t, rows_of_gaps_in_the_plane);
  tcase_add_test(t, a_stack_of_boxes_stands);
  tcase_add_loop_test(t, a_rod_jams, 0, 4);
}

int main(void) { return suite_run("rigid contacts", fill); }
