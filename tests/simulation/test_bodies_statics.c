/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rigid bodies at rest against statics: where friction and tilting end it, what hyperstatic
 * contacts have in common. A body is at rest where its velocity is that of rounding after some
 * steps: so limits are found by bisection, however slowly what lies beyond begins. */
#include "model/relations/rigid_rank.h"
#include "support/bodies.h"
#include "support/rigid_runs.h"

/* Load, override, run to the end. */
static run play(const char *model, const char *const *set)
{
  char path[128];
  snprintf(path, sizeof path, "models/%s/%s.xml", model, model);
  run r = run_load(path, set);
  ck_assert_int_eq(run_keep(&r), NS_OK);
  return r;
}

/* The greatest velocity of a body of a model with name=value and more, up to T = 0.02. */
static double speed_with(const char *model, const char *name, double value, const char *more,
                         const char *max)
{
  char a[64];
  snprintf(a, sizeof a, "%s=%.17g", name, value);
  const char *set[] = {a, "T=0.02", more, max, NULL};
  run r = play(model, set);
  double v = 0;
  for (size_t i = 0; i < r.m->nv; i++) v = fmax(v, fabs(r.x->v[i]));
  run_end(&r);
  return v;
}

/* Where between two values rest ends; velocities up to `still` are none. */
static double limit_of_rest(const char *model, const char *name, double rests, double moves,
                            double still, double tol, const char *more, const char *max)
{
  while (fabs(moves - rests) > tol) {
    double x = (rests + moves) / 2;
    if (speed_with(model, name, x, more, max) > still) moves = x;
    else rests = x;
  }
  return rests;
}

static double degrees(double tangent) { return atan(tangent) * 180 / M_PI; }

/* ---- V5: box on an incline, tilted tower ----------------------------------------------------- */

START_TEST(box_slides_beyond_the_angle_of_friction)
{
  run r = play("incline-box", NULL);
  /* at 30 degrees, after 1 s */
  ck_assert_double_eq_tol(r.x->v[0], G * (sin(M_PI / 6) - 0.4 * cos(M_PI / 6)), 1e-9);
  run_end(&r);
  const char *set[] = {"alpha=20", NULL};
  r = play("incline-box", set);
  ck_assert_double_le(fabs(r.x->v[0]), 1e-11);
  run_end(&r);
  ck_assert_double_eq_tol(limit_of_rest("incline-box", "alpha", 20, 30, 1e-9, 1e-7, NULL, NULL),
                          degrees(0.4), 1e-6);
}
END_TEST

/* tan alpha = b/c = 2, friction being enough. */
START_TEST(box_topples_beyond_its_diagonal)
{
  ck_assert_double_eq_tol(limit_of_rest("incline-box", "alpha", 60, 70, 1e-9, 1e-7, "mu=3", NULL),
                          degrees(2), 1e-6);
}
END_TEST

/* It turns about its lower edge: phi'' = g (c sin - b cos)/(J + b^2 + c^2), J = (b^2 + c^2)/3. */
START_TEST(box_topples_as_fast_as_it_must)
{
  double alpha = atan(2 * (1 + 1e-3)),
         rate = G * (0.1 * sin(alpha) - 0.2 * cos(alpha)) / (4. / 3 * 0.05) * 0.02;
  char a[64];
  snprintf(a, sizeof a, "alpha=%.17g", alpha * 180 / M_PI);
  const char *set[] = {a, "mu=3", "T=0.02", NULL};
  run r = play("incline-box", set);
  ck_assert_double_eq_tol(r.x->v[4], rate, 5e-3 * rate); /* it grows with the angle */
  run_end(&r);
}
END_TEST

/* Boxes on each other: they slide as one does, and topple as the wall that they are, n times as
 * high as wide. */
START_TEST(tower_slides_or_topples)
{
  ck_assert_double_eq_tol(limit_of_rest("box-stack", "tilt", 10, 15, 1e-9, 1e-6, "n=3", "mu=0.2"),
                          degrees(0.2), 1e-5);
  ck_assert_double_eq_tol(limit_of_rest("box-stack", "tilt", 10, 20, 1e-9, 1e-6, "n=3", "mu=1"),
                          degrees(1. / 3), 1e-5);
}
END_TEST

/* A bed of 36 grains that touch, a slope of them without end: they cannot roll, their rolling
 * friction being more than friction times their radius. All slide alike, with g (sin a - mu cos a),
 * iff tan a > mu. */
START_TEST(slope_of_grains_slides_beyond_the_angle_of_friction)
{
  static const double part[] = {1 - 1e-6, 1 + 1e-6, 1.1};
  double a = atan(0.3 * part[_i]), v = 0.1 * G * fmax(sin(a) - 0.3 * cos(a), 0);
  run r = mechanics(
      "<systems><repeat index='i' from='0' to='35'><NewtonEulerDS id='grain{i}'><q0>0.2*mod(i,6) "
      "0.2*floor(i/6) 0.1 1 0 0 0</q0>"
      "<mass>1+0.5*sin(i)</mass><fExt>%.17g*(1+0.5*sin(i)) 0 %.17g*(1+0.5*sin(i))</fExt><Sphere "
      "radius='0.1'/></NewtonEulerDS></repeat>"
      "</systems><contacts><NewtonImpactRollingFrictionNSL en='0' mu='0.3' muRolling='0.1'/><Plane "
      "normal='0 0 1'/></contacts>"
      "<simulation T='0.1'><TimeStepping h='1e-2'><MoreauJeanOSI/></TimeStepping></simulation>",
      G * sin(a), -G * cos(a));
  run_all(&r);
  for (int i = 0; i < 36; i++) {
    ck_assert_double_eq_tol(r.x->v[6 * i], v, 1e-8);
    ck_assert_double_le(fabs(r.x->v[6 * i + 4]), 1e-7);
  }
  run_end(&r);
}
END_TEST

/* ---- V8: stacks ------------------------------------------------------------------------------ */

/* The sum of normal impulses of an interface carries all above it: (n - i) m g h; nothing turns the
 * boxes. */
START_TEST(stack_carries_its_weight)
{
  static const int size[] = {1, 3, 6, 10};
  char n[16];
  int count = size[_i];
  snprintf(n, sizeof n, "n=%d", count);
  const char *set[] = {n, "T=0.5", NULL};
  run r = play("box-stack", set);
  double sum = 0;
  for (int i = count - 1; i >= 0; i--) {
    const double *p = r.x->p + 6 * i;
    sum += p[2];
    ck_assert_double_eq_tol(sum, (count - i) * G * 0.01, 1e-8 * count * G * 0.01);
    near((double[]){p[0], p[1], p[3], p[4], p[5]}, (double[5]){0}, 5, 1e-8 * count * G * 0.01);
  }
  ck_assert_double_le(r.x->cert->residual_max, 1e-8);
  run_end(&r);
}
END_TEST

/* Rows of all contacts of the last step by the velocities of bodies that have not turned: normal
 * and two tangents each. */
static double *contact_rows(const run *r, int *m)
{
  int n = (int)r->m->nv;
  double *A = calloc(3 * r->got.ncontacts * (size_t)n, sizeof *A),
         frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  *m = 3 * (int)r->got.ncontacts;
  for (size_t k = 0; k < r->got.ncontacts; k++) {
    const ns_contact_record *c = &r->got.contacts[k];
    for (int side = 0; side < 2; side++) {
      int body = r->m->contact.shape[side ? c->b : c->a].system;
      if (body < 0) continue;
      double arm[3];
      ns_sub3(c->point, r->x->q + 7 * body, arm);
      for (int d = 0; d < 3; d++) { /* any three directions span those of the contact */
        double *row = A + (3 * k + (size_t)d) * (size_t)n + 6 * body, turn[3];
        ns_cross3(arm, frame + 3 * d, turn);
        for (int i = 0; i < 3; i++)
          row[i] = side ? -frame[3 * d + i] : frame[3 * d + i],
          row[3 + i] = side ? -turn[i] : turn[i];
      }
    }
  }
  return A;
}

/* Four contacts a box hold it twice over: 12 n rows of rank 6 n. */
START_TEST(contacts_of_a_stack_have_the_rank_of_its_freedoms)
{
  static const int size[] = {1, 3, 6};
  char n[16];
  int rows;
  snprintf(n, sizeof n, "n=%d", size[_i]);
  const char *set[] = {n, "T=0.02", NULL};
  run r = play("box-stack", set);
  double *A = contact_rows(&r, &rows);
  ck_assert_int_eq(rows, 12 * size[_i]);
  ck_assert_int_eq(ns_rank_of_rows(rows, (int)r.m->nv, A), 6 * size[_i]);
  free(A);
  run_end(&r);
}
END_TEST

/* Without friction statics leaves one number open: corners carry (a, b, a, b) around the box, a + b
 * half of its weight. */
START_TEST(corners_without_friction_carry_by_pairs)
{
  const char *set[] = {"n=1", "mu=0", "T=0.5", NULL};
  run r = play("box-stack", set);
  double corner[2][2] = {{0}}, weight = G;
  ck_assert_uint_eq(r.got.ncontacts, 4);
  for (int k = 0; k < 4; k++)
    corner[r.got.contacts[k].point[0] > 0][r.got.contacts[k].point[1] > 0] +=
        r.got.contacts[k].force[2];
  ck_assert_double_eq_tol(corner[0][0], corner[1][1], 1e-8 * weight);
  ck_assert_double_eq_tol(corner[0][1], corner[1][0], 1e-8 * weight);
  ck_assert_double_eq_tol(corner[0][0] + corner[0][1], weight / 2, 1e-8 * weight);
  /* a mean over many steps */
  ck_assert_double_ge(fmin(corner[0][0], corner[0][1]), -1e-15 * weight);
  run_end(&r);
}
END_TEST

START_TEST(ten_boxes_stand_for_a_minute)
{
  run r = play("box-stack", NULL);
  for (int i = 0; i < 10; i++) {
    near(r.x->q + 7 * i, (double[]){0, 0, i + 0.5}, 3, 1e-6);
    ck_assert_double_ge(fabs(r.x->q[7 * i + 3]), 1 - 1e-12);
  }
  run_end(&r);
}
END_TEST

/* ---- V15: masonry arch ----------------------------------------------------------------------- */

/* Thickness by mean radius at which a semicircle of 2 n wedges with flat sides has one line of
 * thrust: through the outer edges of crown and springings it just touches the inner edge of a joint
 * of the haunch, at *angle from the crown (n to infinity: 0.107478, Milankovitch 1907). The half
 * from the crown to a joint balances about that edge the thrust at the crown. */
static double min_thickness(int n, double *angle)
{
  double d = M_PI / (4 * n), low = 0.05, high = 0.2;
  while (high - low > 1e-14) {
    double t = (low + high) / 2, in = 1 - t / 2, out = 1 + t / 2, weight = 0, moment = 0, min = 0;
    double centre = 2. / 3 * (out * out * out - in * in * in) / (out * out - in * in) * cos(d);
    for (int k = 1; k <= n; k++) {
      weight += 1;
      moment += centre * sin((2 * k - 1) * d);
      double a = 2 * k * d, thrust = (weight * in * sin(a) - moment) / (out - in * cos(a));
      if (k < n && thrust > min) min = thrust, *angle = a;
    }
    if ((weight * out - moment) / out > min) high = t;
    else low = t;
  }
  return low;
}

START_TEST(arch_stands_by_its_thickness)
{
  static const char *const n[] = {"n=16", "n=48"};
  double angle, exact = min_thickness(1000, &angle);
  /* as is known for an arch that may open anywhere */
  ck_assert_double_eq_tol(exact, 0.107478, 1e-6);
  ck_assert_double_eq_tol(angle * 180 / M_PI, 54.5, 0.1);
  exact = min_thickness(_i ? 24 : 8, &angle);
  ck_assert_double_eq_tol(
      limit_of_rest("masonry-arch", "thick", 0.115, 0.1, 1e-7, 1e-8, n[_i], NULL), exact, 1e-6);
}
END_TEST

/* Below it five joints open and no other: by turns at the crown, the haunches and the springings,
 * which side follows from the sign. */
START_TEST(arch_falls_on_five_hinges)
{
  enum { N = 32 };
  const char *set[] = {"thick=0.10", "n=32", "T=0.1", NULL};
  run r = play("masonry-arch", set);
  double turn[N + 2] = {0}, angle, max = 0;
  for (int i = 0; i < N; i++)
    turn[i + 1] = 2 * atan2(r.x->q[7 * i + 5], r.x->q[7 * i + 3]) + (2 * i + 1) * M_PI / (2 * N);
  min_thickness(N / 2, &angle);
  int haunch = (int)lround(angle * N / M_PI);
  for (int k = 0; k <= N; k++) max = fmax(max, fabs(turn[k + 1] - turn[k]));
  for (int k = 0; k <= N; k++) {
    int from_crown = abs(k - N / 2);
    double open = (turn[k + 1] - turn[k]) / max;
    if (from_crown == 0 || from_crown == N / 2) ck_assert_double_ge(open, 0.4);
    else if (from_crown == haunch) ck_assert_double_le(open, -0.4);
    else ck_assert_double_le(fabs(open), 1e-6);
  }
  run_end(&r);
}
END_TEST

/* And in two seconds the crown comes down, or has not moved. */
START_TEST(arch_stands_or_falls)
{
  static const struct {
    const char *t;
    int stands;
  } row[] = {{"thick=0.115", 1}, {"thick=0.10", 0}};
  const char *set[] = {row[_i].t, NULL};
  run r = run_load("models/masonry-arch/masonry-arch.xml", set);
  double before = r.x->q[7 * 7 + 2];
  run_all(&r);
  double fall = before - r.x->q[7 * 7 + 2];
  if (row[_i].stands) ck_assert_double_le(fabs(fall), 1e-8);
  else ck_assert_double_ge(fall, 0.05);
  run_end(&r);
}
END_TEST

/* ---- V16: three cylinders -------------------------------------------------------------------- */

/* In the plane nothing is left open: two discs on the ground that touch, one on top. The greatest
 * speed up to T. */
static double heap_in_the_plane(double mu, double ground, double T)
{
  static const double at[3][3] = {{-1, 1, 0}, {1, 1, 0}, {0, 1 + 1.7320508075688772, 0}},
                      still[3] = {0};
  static const char *const id[] = {"left", "right", "top"};
  run r = bodies_begin(2e-3, T, 0.5);
  const ns_law_ops *friction = law_kind("NewtonImpactFrictionNSL");
  const ns_nonsmooth_law between = {.ops = friction, .mu = mu},
                         below = {.ops = friction, .mu = ground}, none = {.ops = friction};
  materials(&r, 2, (ns_nonsmooth_law[]){between, below, below, none});
  ns_shape plane, disc;
  ck_assert(ns_shape_plane(&plane) && ns_shape_sphere(&disc, 1));
  for (int i = 0; i < 3; i++) {
    ns_system s = {.kind = system_kind("RigidBody2dDS"),
                   .at = {.file = "test", .element = "RigidBody2dDS", .id = id[i]},
                   .n = 3,
                   .q0 = at[i],
                   .v0 = still};
    s.rigid.mass = 1;
    s.rigid.inertia = planar_inertia(&r, 0.5);
    s.rigid.fext = numbers(2, 1, kept(&r, (const double[]){0, -G}, 2, sizeof(double)));
    add_shape(&r, id[i], ns_model_add_system(r.m, &r.c, &s), &disc, NULL, NULL);
  }
  /* its normal is y */
  add_shape_of(&r, "ground", 1, -1, &plane, NULL, (double[]){sqrt(0.5), -sqrt(0.5), 0, 0});
  bodies_run(&r);
  double v = 0;
  for (int k = 0; k < 9; k++) v = fmax(v, fabs(r.x->v[k]));
  run_end(&r);
  return v;
}

/* Both bounds, each from both sides: it stands for 10 s as on the first day, or begins to fall with
 * what friction lacks. */
START_TEST(heap_in_the_plane_stands_by_both_frictions)
{
  const double mu = tan(M_PI / 12), little = 1e-6;
  ck_assert_double_le(heap_in_the_plane(mu * (1 + little), 1, 10), 1e-12);
  ck_assert_double_le(heap_in_the_plane(1, mu / 3 * (1 + little), 10), 1e-12);
  ck_assert_double_ge(heap_in_the_plane(mu * (1 - little), 1, 0.02), 1e-8);
  ck_assert_double_ge(heap_in_the_plane(1, mu / 3 * (1 - little), 0.02), 1e-8);
}
END_TEST

/* In space the lower ones may press each other, and pairs of contacts along a cylinder push apart:
 * forces at rest are not unique, and within 3 % of the bound on the ground a step may have a
 * solution that slips beside one that does not. The one at rest is found. */
START_TEST(heap_in_space_stands_by_both_frictions)
{
  static const struct {
    const char *mu, *ground, *T;
    int stands;
  } row[] = {{"mu=0.273308", "muGround=0.3", "T=10", 1},
             {"mu=0.262590", "muGround=0.3", "T=2", 0},
             {"mu=0.3", "muGround=0.0911027", "T=10", 1},
             {"mu=0.3", "muGround=0.0875301", "T=2", 0},
             {"mu=0.5", "muGround=0.0875301", "T=2", 0}};
  const char *set[] = {row[_i].mu, row[_i].ground, row[_i].T, NULL};
  run r = play("three-cylinders", set);
  double apart = r.x->q[7] - r.x->q[0] - 0.2;
  if (row[_i].stands) ck_assert_double_le(fabs(apart), 1e-8);
  else ck_assert_double_ge(apart, 1e-1);
  run_end(&r);
}
END_TEST

/* However much friction there is between the cylinders, and 0.8 % above the bound on the ground. */
START_TEST(heap_in_space_rests_where_it_may_slip)
{
  static const char *const row[][2] = {{"mu=0.35", "muGround=0.0911027"},
                                       {"mu=0.35", "muGround=0.09"},
                                       {"mu=0.5", "muGround=0.0911027"},
                                       {"mu=0.7", "muGround=0.0911027"}};
  const char *set[] = {row[_i][0], row[_i][1], NULL};
  run r = play("three-cylinders", set);
  ck_assert_double_le(fabs(r.x->q[7] - r.x->q[0] - 0.2), 1e-10);
  ck_assert_double_le(ns_norm3(r.x->v), 1e-10);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 240);
  tcase_add_test(t, box_slides_beyond_the_angle_of_friction);
  tcase_add_test(t, box_topples_beyond_its_diagonal);
  tcase_add_test(t, box_topples_as_fast_as_it_must);
  tcase_add_test(t, tower_slides_or_topples);
  tcase_add_loop_test(t, slope_of_grains_slides_beyond_the_angle_of_friction, 0, 3);
  tcase_add_loop_test(t, stack_carries_its_weight, 0, 4);
  tcase_add_loop_test(t, contacts_of_a_stack_have_the_rank_of_its_freedoms, 0, 3);
  tcase_add_test(t, corners_without_friction_carry_by_pairs);
  tcase_add_test(t, ten_boxes_stand_for_a_minute);
  tcase_add_loop_test(t, arch_stands_by_its_thickness, 0, 2);
  tcase_add_test(t, arch_falls_on_five_hinges);
  tcase_add_loop_test(t, arch_stands_or_falls, 0, 2);
  tcase_add_test(t, heap_in_the_plane_stands_by_both_frictions);
  tcase_add_loop_test(t, heap_in_space_stands_by_both_frictions, 0, 5);
  tcase_add_loop_test(t, heap_in_space_rests_where_it_may_slip, 0, 4);
}

int main(void) { return suite_run("rigid bodies at rest", fill); }
