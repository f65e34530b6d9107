/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of collapsing piles (tests/data/multibody): solved to 1e-8, though 1000 sweeps do not, and
 * to the same bytes whatever the threads and whatever was solved before. */
#include "problems/multibody_augmented.h"
#include "problems/multibody_tools.h"
#include "support/suite.h"

#include <check.h>
#include <stdio.h>

static const char *const name[] = {"dominoes-falling", "dominoes-fallen",  "tower-leaning",
                                   "tower-bricks",     "tower-collapsing", "hourglass"};
enum { PROBLEMS = sizeof name / sizeof *name };
/* Of these Newton's method solves by products alone; bricks take more than 2000 steps. */
static const char *const light[] = {"dominoes-falling", "dominoes-fallen", "tower-leaning",
                                    "hourglass"};
enum { LIGHT = sizeof light / sizeof *light };
/* In the plane; neither sweeps nor Newton's method on the bodies solve them. */
static const char *const flat[] = {"disks-a", "disks-b", "disks-c", "disks-d"};
enum { FLAT = sizeof flat / sizeof *flat };
/* Of spheres that flow out of a hopper; sweeps solve them, though not the first ones. */
static const char *const flow[] = {"grains-a", "grains-b", "grains-c"};
enum { FLOWS = sizeof flow / sizeof *flow };
/* The same to more digits: sweeps do it with Newton's method around the worst contacts. */
static const char *const wedged[] = {"grains-d", "grains-e", "grains-f"};
enum { WEDGED = sizeof wedged / sizeof *wedged };
/* Of disks that flow out of a silo: the same at once, to what granular scenes ask. */
static const char *const jammed[] = {"disks-e", "disks-f", "disks-g"};
enum { JAMMED = sizeof jammed / sizeof *jammed };

/* ---- files ----------------------------------------------------------------------------------- */

static int integer(FILE *f)
{
  int32_t x;
  ck_assert_uint_eq(fread(&x, sizeof x, 1, f), 1);
  return x;
}

static double number(FILE *f)
{
  float x;
  ck_assert_uint_eq(fread(&x, sizeof x, 1, f), 1);
  return x;
}

static void read_body(FILE *f, int i, many *k)
{
  int dof = k->p.dof;
  double *W = k->inverse + dof * dof * i;
  for (int c = 0; c < dof; c++)
    for (int r = 0; r < (k->p.symmetric ? c + 1 : dof); r++) {
      W[r + dof * c] = number(f);
      if (k->p.symmetric) W[c + dof * r] = W[r + dof * c];
    }
  for (int c = 0; c < dof; c++) k->vfree[dof * i + c] = number(f);
}

static void read_contact(FILE *f, many *k)
{
  int body[2] = {integer(f), 0}, dof = k->p.dof, d = dof / 2 + dof % 2;
  body[1] = integer(f);
  int at = many_add(k, NS_BLOCK_FRICTION, d, body[0], body[1]);
  k->mu[k->p.nblocks - 1] = number(f);
  for (int i = at; i < at + d; i++) {
    k->b[i] = number(f);
    k->r[i] = number(f);
    for (int e = 0; e < 2; e++)
      for (int c = 0; c < dof && body[e] >= 0; c++) k->H[2 * dof * i + dof * e + c] = number(f);
  }
}

/* dof 6: in space; 3: in the plane. */
static many read_problem(const char *which, int dof)
{
  char command[128];
  snprintf(command, sizeof command, "gunzip -c tests/data/multibody/%s.f32.gz", which);
  FILE *f = popen(command, "r");
  ck_assert_ptr_nonnull(f);
  int bodies = integer(f), contacts = integer(f), symmetric = integer(f);
  many k = many_new(bodies, dof, contacts);
  k.p.symmetric = symmetric;
  for (int i = 0; i < bodies; i++) read_body(f, i, &k);
  for (int a = 0; a < contacts; a++) read_contact(f, &k);
  ck_assert_int_eq(pclose(f), 0);
  return k;
}

/* ---- claims ---------------------------------------------------------------------------------- */

static size_t bytes_of(const many *k) { return (size_t)k->row[k->p.nblocks] * sizeof(double); }

static ns_multibody_solver *solver_to(const char *method, double tol, int limit, ns_team *team)
{
  ns_ctx c = {0};
  ns_multibody_solver *s;
  ns_multibody_options o = {.solver = method, .tol = tol, .max_iterations = limit, .team = team};
  ck_assert_int_eq(ns_multibody_create(&c, &o, &s), NS_OK);
  return s;
}

static ns_multibody_solver *solver(const char *method, int limit, ns_team *team)
{
  return solver_to(method, 1e-8, limit, team);
}

/* From the impulses of the file, into r. */
static ns_outcome solve(ns_multibody_solver *s, const many *k, double *r)
{
  ns_ctx c = {0};
  ns_outcome out;
  memcpy(r, k->r, bytes_of(k));
  ck_assert_int_eq(ns_multibody_solve(s, &c, &k->p, r, k->v, k->u, &out), NS_OK);
  return out;
}

START_TEST(solved_where_sweeps_are_not_enough)
{
  many k = read_problem(name[_i], 6);
  double *r = malloc(bytes_of(&k));
  ns_multibody_solver *sweeps = solver("nsgs", 500, NULL), *all = solver("auto", 0, NULL);
  ns_outcome out = solve(sweeps, &k, r);
  ck_assert_int_ne(out.kind, NS_SOLVED);
  out = solve(all, &k, r);
  ck_assert_msg(out.kind == NS_SOLVED, "%s: %g after %d iterations", name[_i], out.residual,
                out.iterations);
  ck_assert_double_le(ns_multibody_residual(&k.p, r, k.v, k.u, NULL), 1e-8);
  /* of grains, Newton's method takes the worst contacts alone */
  ck_assert_str_eq(ns_multibody_used(all), strcmp(name[_i], "hourglass") ? "augmented" : "nsgs");
  ns_multibody_destroy(sweeps);
  ns_multibody_destroy(all);
  free(r);
  many_free(&k);
}
END_TEST

/* Columns of disks on their way to rest, to what granular scenes ask. */
START_TEST(solved_in_the_plane)
{
  static const double tol = 1e-4;
  static const char *const others[] = {"nsgs", "augmented"};
  many k = read_problem(flat[_i], 3);
  double *r = malloc(bytes_of(&k));
  for (int e = 0; e < 2; e++) {
    ns_multibody_solver *s = solver_to(others[e], tol, e ? 200 : 1000, NULL);
    ns_outcome out = solve(s, &k, r);
    ck_assert_msg(out.kind != NS_SOLVED, "%s is solved by %s", flat[_i], others[e]);
    ns_multibody_destroy(s);
  }
  ns_multibody_solver *all = solver_to("auto", tol, 0, NULL);
  ns_outcome out = solve(all, &k, r);
  ck_assert_msg(out.kind == NS_SOLVED, "%s: %g after %d iterations", flat[_i], out.residual,
                out.iterations);
  ck_assert_double_le(ns_multibody_residual(&k.p, r, k.v, k.u, NULL), tol);
  ns_multibody_destroy(all);
  free(r);
  many_free(&k);
}
END_TEST

/* Stones of a vault that falls in, to 1e-10: Newton's method comes near in its first 200 steps and
 * ends in some more, before the reduced problem is tried, which took 30,000 iterations. */
START_TEST(newton_goes_on_where_it_is_near)
{
  const double tol = 1e-10;
  many k = read_problem("vault", 6);
  double *r = malloc(bytes_of(&k));
  ns_multibody_solver *first = solver_to("augmented", tol, 200, NULL),
                      *all = solver_to("auto", tol, 0, NULL);
  ns_outcome out = solve(first, &k, r);
  ck_assert_int_ne(out.kind, NS_SOLVED);
  out = solve(all, &k, r);
  ck_assert_int_eq(out.kind, NS_SOLVED);
  ck_assert_double_le(ns_multibody_residual(&k.p, r, k.v, k.u, NULL), tol);
  ck_assert_int_lt(out.iterations, 5000);
  ns_multibody_destroy(first);
  ns_multibody_destroy(all);
  free(r);
  many_free(&k);
}
END_TEST

/* Grains that flow, to what granular scenes ask. Sweeps stop short of it with their momentum; begun
 * anew from where they came they end, long before Newton's method has. */
static void check_swept(const char *file, int dof, double tol)
{
  many k = read_problem(file, dof);
  double *r = malloc(bytes_of(&k));
  ns_multibody_solver *all = solver_to("auto", tol, 0, NULL);
  ns_outcome out = solve(all, &k, r);
  ck_assert_int_eq(out.kind, NS_SOLVED);
  ck_assert_str_eq(ns_multibody_used(all), "nsgs");
  ck_assert_double_le(ns_multibody_residual(&k.p, r, k.v, k.u, NULL), tol);
  ns_multibody_destroy(all);
  free(r);
  many_free(&k);
}

START_TEST(spheres_that_flow_are_swept) { check_swept(flow[_i], 6, 1e-4); }
END_TEST

START_TEST(wedged_spheres_are_swept_around_their_worst_contacts)
{
  check_swept(wedged[_i], 6, 1e-6);
}
END_TEST

START_TEST(jammed_disks_are_swept_around_their_worst_contacts) { check_swept(jammed[_i], 3, 1e-3); }
END_TEST

/* Impulses of the part are in their cones, and nothing approaches: lengths in m/s. */
static void check_cones(many *k, ns_multibody_part part, double e)
{
  ns_multibody_residual(&k->p, k->r, k->v, k->u, NULL);
  for (int i = 0; i < part.n; i++) {
    const double *r = k->r + k->row[part.block[i]];
    ck_assert_double_ge(k->u[k->row[part.block[i]]], -e);
    ck_assert_double_ge(r[0], 0);
    ck_assert_double_le(hypot(r[1], r[2]), k->mu[part.block[i]] * r[0] + e);
  }
}

/* Newton's method on the bodies of the largest part, by products with its matrix alone: no memory
 * for factors, which for 10,000 spheres would be gigabytes. */
START_TEST(solved_without_factors)
{
  static const double tol = 1e-8;
  many k = read_problem(light[_i], 6);
  ns_arena *a = ns_arena_create(0, 1);
  ns_augmented *s = ns_augmented_create();
  ns_multibody_parts all;
  ns_ctx c = {0};
  ns_outcome out;
  size_t nothing = ns_augmented_bytes(s);
  int most = 0;
  ck_assert_int_eq(ns_multibody_split(&k.p, a, &all), 1);
  for (int i = 1; i < all.n; i++)
    if (ns_multibody_part_of(&all, i).n > ns_multibody_part_of(&all, most).n) most = i;
  ns_multibody_part part = ns_multibody_part_of(&all, most);
  int rc = ns_augmented_solve(s, &c, tol, 2000, 0, NULL, &k.p, part, all.body, a, NULL, k.r, &out);
  ck_assert_int_eq(rc, NS_OK);
  ck_assert_msg(out.kind == NS_SOLVED, "%s: %g after %d steps", light[_i], out.residual,
                out.iterations);
  check_cones(&k, part, 1e-6);
  ck_assert_uint_eq(ns_augmented_bytes(s), nothing);
  ns_augmented_destroy(s);
  ns_arena_destroy(a);
  many_free(&k);
}
END_TEST

START_TEST(nothing_else_counts)
{
  many k = read_problem(name[_i], 6), other = read_problem(name[1 - _i], 6);
  double *first = malloc(bytes_of(&k)), *r = malloc(bytes_of(&k) + bytes_of(&other));
  ns_team *team = ns_team_create(2);
  ns_multibody_solver *one = solver("auto", 0, NULL), *two = solver("auto", 0, team);
  solve(one, &k, first);
  solve(two, &k, r);
  ck_assert_mem_eq(r, first, bytes_of(&k));
  solve(two, &other, r);
  solve(two, &k, r);
  ck_assert_mem_eq(r, first, bytes_of(&k));
  ns_multibody_destroy(one);
  ns_multibody_destroy(two);
  ns_team_destroy(team);
  free(first);
  free(r);
  many_free(&k);
  many_free(&other);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, solved_where_sweeps_are_not_enough, 0, PROBLEMS);
  tcase_add_loop_test(t, solved_in_the_plane, 0, FLAT);
  tcase_add_test(t, newton_goes_on_where_it_is_near);
  tcase_add_loop_test(t, spheres_that_flow_are_swept, 0, FLOWS);
  tcase_add_loop_test(t, wedged_spheres_are_swept_around_their_worst_contacts, 0, WEDGED);
  tcase_add_loop_test(t, jammed_disks_are_swept_around_their_worst_contacts, 0, JAMMED);
  tcase_add_loop_test(t, solved_without_factors, 0, LIGHT);
  tcase_add_loop_test(t, nothing_else_counts, 0, 2);
}

int main(void) { return suite_run("multibody_hard", fill); }
