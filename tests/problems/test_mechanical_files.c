/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Published friction problems (tests/data/friction): auto solves all of them, the same way twice,
 * and no solver says solved where the residual, computed anew, denies it. */
#include "io/problemfile/problem_file.h"
#include "support/suite.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX = 64, PATH = 512 };

static char files[MAX][PATH], work[] = "/tmp/nssim-friction-XXXXXX";
static int nfiles;

/* Unpacked into a folder of the same name, which tells the family. */
static int unpack(const char *folder)
{
  const char *top = getenv("TOP");
  char from[PATH], to[PATH], cmd[4 * PATH];
  snprintf(from, sizeof from, "%s/tests/data/friction/%s", top ? top : ".", folder);
  snprintf(to, sizeof to, "mkdir -p '%s/%s'", work, folder);
  DIR *d = system(to) ? NULL : opendir(from);
  if (!d) return 0;
  for (struct dirent *e; (e = readdir(d)) && nfiles < MAX;) {
    if (e->d_name[0] == '.') continue;
    char *gz = strstr(e->d_name, ".gz");
    int n = gz ? (int)(gz - e->d_name) : (int)strlen(e->d_name);
    snprintf(files[nfiles], PATH, "%s/%.64s/%.*s", work, folder, n, e->d_name);
    snprintf(cmd, sizeof cmd, "gzip -cdf '%s/%s' >'%s'", from, e->d_name, files[nfiles++]);
    if (system(cmd)) nfiles = 0;
  }
  closedir(d);
  return nfiles;
}

static double *zeros(int n) { return calloc((size_t)n + 1, sizeof(double)); }

typedef struct result {
  ns_outcome out;
  double residual, *r, *u, *v;
} result;

static result solve(const ns_problem *p, const ns_mechanical_solver_ops *ops,
                    const ns_mechanical_options *opt)
{
  int global = p->family->form == NS_PROBLEM_GLOBAL, n = global ? p->global.M->m : 0;
  ns_ctx c = {0};
  result x = {.r = zeros(p->n), .u = zeros(p->n), .v = zeros(n)};
  double *again = zeros(p->n), *scratch = zeros(n);
  if (global) {
    ns_global_solver *s;
    ck_assert_msg(ns_global_create(&c, &p->global, ops, opt, &s) == NS_OK, "%s", c.msg);
    ck_assert_int_eq(ns_global_solve(s, &c, x.r, x.u, x.v, &x.out), NS_OK);
    ns_global_destroy(s);
    x.residual = ns_global_residual(&p->global, x.v, x.r, again, scratch);
  } else {
    void *s;
    ns_mechanical_capacity cap = {.structure = p->mechanical.W, .kind = p->mechanical.kind};
    ck_assert_msg(ops->create(&c, &cap, opt, &s) == NS_OK, "%s", c.msg);
    ck_assert_int_eq(ops->solve(s, &c, &p->mechanical, NULL, x.r, x.u, &x.out), NS_OK);
    ops->destroy(s);
    x.residual = ns_mechanical_residual(&p->mechanical, x.r, again, NULL);
  }
  ck_assert(x.residual == x.out.residual && !memcmp(again, x.u, (size_t)p->n * sizeof *again));
  free(again), free(scratch);
  return x;
}

static void release(result *x) { free(x->r), free(x->u), free(x->v); }

static ns_problem *read_file(int i)
{
  ns_ctx c = {0};
  ns_problem *p = NULL;
  ck_assert_msg(ns_problem_read(&c, files[i], NULL, &p) == NS_OK, "%s", c.msg);
  return p;
}

START_TEST(auto_solves_all)
{
  static const double tol[] = {1e-8, 1e-4};
  for (int i = 0; i < nfiles; i++) {
    ns_problem *p = read_file(i);
    for (int k = 0; k < 2; k++) {
      ns_mechanical_options opt = ns_mechanical_defaults();
      opt.tol = tol[k];
      result x = solve(p, ns_mechanical_solver_find("auto"), &opt),
             y = solve(p, ns_mechanical_solver_find("auto"), &opt);
      ck_assert_msg(x.out.kind == NS_SOLVED && x.residual <= tol[k],
                    "%s: %s, residual %g after %d iterations", files[i],
                    ns_outcome_text(x.out.kind), x.residual, x.out.iterations);
      ck_assert(!memcmp(x.r, y.r, (size_t)p->n * sizeof *x.r));
      release(&x), release(&y);
    }
    ns_problem_destroy(p);
  }
}
END_TEST

/* Contacts in space of which one slides, or that hardly know of each other: auto takes the sweeps
 * that Gauss-Seidel takes, no more. */
START_TEST(few_contacts_take_sweeps_alone)
{
  static const char *const name[] = {"FC3D_Example1.dat", "GFC3D_TwoRods1", "Confeti-ex13",
                                     "NESpheres_10_1",    "Rover4622",      "RFC3D_cube"};
  int seen = 0;
  for (int i = 0; i < nfiles; i++) {
    int is_one = 0;
    for (size_t k = 0; k < sizeof name / sizeof *name; k++)
      is_one |= strstr(files[i], name[k]) != NULL;
    if (!is_one) continue;
    ns_problem *p = read_file(i);
    ns_mechanical_options opt = ns_mechanical_defaults();
    result x = solve(p, ns_mechanical_solver_find("auto"), &opt),
           y = solve(p, ns_mechanical_solver_find("nsgs"), &opt);
    ck_assert_msg(x.out.kind == NS_SOLVED && x.out.iterations <= y.out.iterations,
                  "%s: %d of %s, %d sweeps", files[i], x.out.iterations, x.out.solver,
                  y.out.iterations);
    ck_assert_str_eq(x.out.solver, "nsgs");
    seen++;
    release(&x), release(&y);
    ns_problem_destroy(p);
  }
  ck_assert_int_eq(seen, 6);
}
END_TEST

/* Hundreds of contacts whose W is singular, and sweeps that get near before they crawl: regular
 * steps from there to the end, fewer than interior points would be after them. */
START_TEST(near_iterates_take_regular_steps)
{
  int seen = 0;
  for (int i = 0; i < nfiles; i++) {
    if (!strstr(files[i], "Capsules")) continue;
    ns_problem *p = read_file(i);
    ns_mechanical_options opt = ns_mechanical_defaults();
    result x = solve(p, ns_mechanical_solver_find("auto"), &opt);
    ck_assert_msg(x.out.kind == NS_SOLVED && x.out.iterations <= 65, "%s: %d of %s", files[i],
                  x.out.iterations, x.out.solver);
    ck_assert_str_eq(x.out.solver, "regular");
    seen++;
    release(&x);
    ns_problem_destroy(p);
  }
  ck_assert_int_eq(seen, 3);
}
END_TEST

/* Contacts of one object, of which each knows of many others: sweeps would end at 1e-4 after a
 * hundred or two, steps of Newton end before. */
START_TEST(contacts_of_one_object_take_newton)
{
  int seen = 0;
  for (int i = 0; i < nfiles; i++) {
    if (!strstr(files[i], "OneObject")) continue;
    ns_problem *p = read_file(i);
    ns_mechanical_options opt = ns_mechanical_defaults();
    opt.tol = 1e-4;
    result x = solve(p, ns_mechanical_solver_find("auto"), &opt);
    ck_assert_msg(x.out.kind == NS_SOLVED && x.out.iterations <= 30, "%s: %d of %s", files[i],
                  x.out.iterations, x.out.solver);
    ck_assert_str_eq(x.out.solver, "newton");
    seen++;
    release(&x);
    ns_problem_destroy(p);
  }
  ck_assert_int_eq(seen, 2);
}
END_TEST

/* Sweeps that stay far: interior points at once where 1e-8 is asked for, regular steps where 1e-4
 * is. */
START_TEST(far_iterates_take_interior_points)
{
  static const double tol[] = {1e-8, 1e-4};
  static const char *const solver[] = {"interior", "regular"};
  int seen = 0;
  for (int i = 0; i < nfiles; i++) {
    if (!strstr(files[i], "BoxesStack1")) continue;
    ns_problem *p = read_file(i);
    for (int k = 0; k < 2; k++) {
      ns_mechanical_options opt = ns_mechanical_defaults();
      opt.tol = tol[k];
      result x = solve(p, ns_mechanical_solver_find("auto"), &opt);
      ck_assert_str_eq(x.out.solver, solver[k]);
      ck_assert_msg(x.out.kind == NS_SOLVED && x.out.iterations <= 45, "%d of %s", x.out.iterations,
                    x.out.solver);
      seen++;
      release(&x);
    }
    ns_problem_destroy(p);
  }
  ck_assert_int_eq(seen, 2);
}
END_TEST

static int takes(const ns_problem *p, const ns_mechanical_solver_ops *ops)
{
  ns_ctx c = {0};
  void *s = NULL;
  ns_mechanical_capacity cap = {.structure = p->mechanical.W, .kind = p->mechanical.kind};
  int does = !strcmp(ops->name, "pivot") ? p->family->form == NS_PROBLEM_MECHANICAL &&
                                               ops->create(&c, &cap, NULL, &s) == NS_OK
                                         : 1;
  ops->destroy(s);
  return does;
}

/* Solved says what the residual says: of every file, large ones too. How many are solved. */
static int true_claims(const ns_mechanical_solver_ops *ops, const ns_contact_solver *contact)
{
  int solved = 0;
  for (int i = 0; i < nfiles; i++) {
    ns_problem *p = read_file(i);
    ns_mechanical_options opt = {
        .tol = 1e-6, .max_iterations = 200, .threads = 1, .contact = contact};
    if (takes(p, ops)) {
      result x = solve(p, ops, &opt);
      ck_assert_msg((x.out.kind == NS_SOLVED) == (x.residual <= opt.tol),
                    "%s (%s), %s: says %s, residual %g", ops->name, contact ? contact->name : "-",
                    files[i], ns_outcome_text(x.out.kind), x.residual);
      solved += x.out.kind == NS_SOLVED;
      release(&x);
    }
    ns_problem_destroy(p);
  }
  return solved;
}

START_TEST(claims_are_true)
{
  const ns_mechanical_solver_ops *ops = ns_mechanical_solvers[_i];
  ck_assert_int_ge(true_claims(ops, NULL), strcmp(ops->name, "pivot") ? 20 : 3);
}
END_TEST

/* The same of sweeps with each solver of one contact; most files are solved by any of them. */
START_TEST(claims_with_named_contact_solvers)
{
  int solved = true_claims(ns_mechanical_solver_find("nsgs"), ns_contact_solvers[_i]);
  ck_assert_msg(solved >= 30, "%s: %d", ns_contact_solvers[_i]->name, solved);
}
END_TEST

static void fill(TCase *t)
{
  int n = 0, contacts = 0;
  while (ns_mechanical_solvers[n]) n++;
  while (ns_contact_solvers[contacts]) contacts++;
  tcase_set_timeout(t, 60);
  tcase_add_test(t, auto_solves_all);
  tcase_add_test(t, few_contacts_take_sweeps_alone);
  tcase_add_test(t, near_iterates_take_regular_steps);
  tcase_add_test(t, contacts_of_one_object_take_newton);
  tcase_add_test(t, far_iterates_take_interior_points);
  tcase_add_loop_test(t, claims_are_true, 0, n);
  tcase_add_loop_test(t, claims_with_named_contact_solvers, 0, contacts);
}

int main(void)
{
  const char *build = getenv("BUILD");
  char path[PATH];
  snprintf(path, sizeof path, "%s/modules", build ? build : "build");
  setenv("NSSIM_MODULE_PATH", path, 0);
  if (!mkdtemp(work)) return 1;
  int status = !unpack("FrictionContact") || !unpack("GenericMechanical") ||
               !unpack("RollingFrictionContact") || suite_run("mechanical_files", fill);
  snprintf(path, sizeof path, "rm -rf '%s'", work);
  return system(path) ? 1 : status;
}
