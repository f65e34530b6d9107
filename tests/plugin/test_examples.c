/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The examples compile as they stand, and are right; so is a library with a state. */
#include "nssim/plugin.h"
#include "plugin/folder.h"
#include "support/suite.h"

#include <math.h>
#include <stdint.h>

static const char *top(void) { return getenv("TOP") ? getenv("TOP") : "."; }

static ns_plugins *plugins;
static ns_arena *arena;
static heard said;

static void setup(void)
{
  char path[512];
  snprintf(path, sizeof path, "%s/plugins", top());
  folder_setup();
  listen_to(&said);
  arena = ns_arena_create(0, 1);
  plugins = ns_plugins_create(&said.c, (const char *const[]){path}, 1);
}

static void teardown(void)
{
  ns_plugins_destroy(plugins);
  ns_arena_destroy(arena);
  folder_teardown();
}

static void (*function(const char *dir, const char *spec))(void)
{
  const ns_plugin_call *call = NULL;
  ck_assert_msg(ns_plugins_resolve(plugins, &said.c, NULL, dir, spec, NS_SIG_MASS, arena, &call) ==
                    NS_OK,
                "%s", said.c.msg);
  return call->fn;
}

/* The folder of the example is the model's folder here: plugins, or that of a model which uses it.
 */
static void (*example(const char *place, const char *spec))(void)
{
  char dir[512];
  snprintf(dir, sizeof dir, "%s/%s", top(), place);
  return function(dir, spec);
}

START_TEST(ball_weighs)
{
  nssim_fext *f = (nssim_fext *)example("models/bouncing-ball", "BallPlugin:ballFExt");
  double out[3] = {NAN, NAN, NAN}, z[] = {2, 1.62};
  f(0, 3, out, 0, NULL);
  ck_assert_double_eq(out[0], -9.81);
  ck_assert_double_eq(out[1], 0);
  ck_assert_double_eq(out[2], 0);
  f(0, 3, out, 2, z);
  ck_assert_double_eq(out[0], -3.24);
  ck_assert_str_eq(ns_plugins_about(plugins, 0), "ABI 1, \"BallPlugin 1.0\"");
  ck_assert_str_eq(ns_plugins_about(plugins, 1), "its source");
  ck_assert_str_eq(said.text, "");
}
END_TEST

typedef struct pendulum {
  nssim_mass *mass;
  nssim_fgyr *fgyr;
  nssim_fint *fint;
} pendulum;

/* dv/dt from M a + fGyr + fInt = 0. */
static void acceleration(const pendulum *p, const double *q, const double *v, double *a)
{
  double M[4], fg[2], fi[2];
  p->mass(2, q, M, 0, NULL), p->fgyr(2, q, v, fg, 0, NULL), p->fint(0, 2, q, v, fi, 0, NULL);
  double r0 = -fg[0] - fi[0], r1 = -fg[1] - fi[1], det = M[0] * M[3] - M[1] * M[2];
  a[0] = (M[3] * r0 - M[2] * r1) / det;
  a[1] = (M[0] * r1 - M[1] * r0) / det;
}

/* Kinetic energy by the mass matrix, potential by the heights of the masses. */
static double energy(const pendulum *p, const double *q, const double *v)
{
  double M[4];
  p->mass(2, q, M, 0, NULL);
  double h0 = -1.0 * cos(q[0]), h1 = h0 - 0.8 * cos(q[1]);
  return 0.5 * (M[0] * v[0] * v[0] + (M[1] + M[2]) * v[0] * v[1] + M[3] * v[1] * v[1]) +
         9.81 * (1.0 * h0 + 0.5 * h1);
}

/* Largest drift of the energy over 1 s of the classical Runge-Kutta method, in J. */
static double drift(const pendulum *p, int steps)
{
  double x[4] = {2, 1, 0.5, -1}, h = 1.0 / steps, e0 = energy(p, x, x + 2), max = 0;
  for (int s = 0; s < steps; s++) {
    static const double at[] = {0, 0.5, 0.5, 1}, w[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    double k[4] = {0}, sum[4] = {0}, y[4];
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 4; j++) y[j] = x[j] + h * at[i] * k[j];
      k[0] = y[2], k[1] = y[3];
      acceleration(p, y, y + 2, k + 2);
      for (int j = 0; j < 4; j++) sum[j] += w[i] * k[j];
    }
    for (int j = 0; j < 4; j++) x[j] += h * sum[j];
    max = fmax(max, fabs(energy(p, x, x + 2) - e0));
  }
  return max;
}

/* Only if mass, fGyr and fInt belong together does the energy drift with the order of the method.
 */
START_TEST(pendulum_keeps_its_energy)
{
  pendulum p = {(nssim_mass *)example("plugins", "PendulumPlugin:mass"),
                (nssim_fgyr *)example("plugins", "PendulumPlugin:fGyr"),
                (nssim_fint *)example("plugins", "PendulumPlugin:fInt")};
  double coarse = drift(&p, 1000), fine = drift(&p, 2000);
  ck_assert_double_lt(fine, 1e-9);
  ck_assert_double_gt(log2(coarse / fine), 3.8);
}
END_TEST

/* Each Jacobian against central differences, error O(eps^2) + rounding, relative to the largest
 * entry. */
START_TEST(pendulum_jacobians_are_derivatives)
{
  static const char *const name[] = {"jacobianFIntq", "jacobianFIntqDot", "jacobianFGyrq",
                                     "jacobianFGyrqDot"};
  char spec[80];
  snprintf(spec, sizeof spec, "PendulumPlugin:%s", name[_i]);
  void (*jac)(void) = example("plugins", spec);
  nssim_fint *fint = (nssim_fint *)example("plugins", "PendulumPlugin:fInt");
  nssim_fgyr *fgyr = (nssim_fgyr *)example("plugins", "PendulumPlugin:fGyr");
  double x[4] = {0.7, -1.1, 2, -3}, J[4], eps = 1e-6, scale = 1;
  if (_i < 2) ((nssim_fint *)jac)(0, 2, x, x + 2, J, 0, NULL);
  else ((nssim_fgyr *)jac)(2, x, x + 2, J, 0, NULL);
  for (int k = 0; k < 4; k++) scale = fmax(scale, fabs(J[k]));
  for (int j = 0; j < 2; j++) {
    double f[2][2];
    for (int side = 0; side < 2; side++) {
      double y[4] = {x[0], x[1], x[2], x[3]};
      y[j + 2 * (_i % 2)] += side ? eps : -eps;
      if (_i < 2) fint(0, 2, y, y + 2, f[side], 0, NULL);
      else fgyr(2, y, y + 2, f[side], 0, NULL);
    }
    for (int i = 0; i < 2; i++)
      ck_assert_double_eq_tol(J[i + 2 * j], (f[1][i] - f[0][i]) / (2 * eps), 1e-8 * scale);
  }
}
END_TEST

/* ---- state ----------------------------------------------------------------------------------- */

static const char counter[] =
    "#include <nssim/plugin.h>\n#include <string.h>\n"
    "static _Thread_local struct { int calls; char more; } s;\n"
    "static int begin(void) { s.calls = START; return s.calls < 0 ? 5 : 0; }\n"
    "static void save(void *b) { memcpy(b, &s, sizeof s.calls + 1); }\n"
    "static int restore(const void *b) { memcpy(&s, b, sizeof s.calls + 1); return s.calls == 13 ? "
    "6 : 0; }\n"
    "NSSIM_PLUGIN(\"counter\", NSSIM_PLUGIN_ABI, sizeof s.calls + 1, begin, save, restore);\n"
    "NSSIM_EXPORT nssim_fext f;\n"
    "void f(double t, unsigned int n, double *out, unsigned int nz, double *z)\n"
    "{ (void)t, (void)n, (void)nz, (void)z; out[0] = ++s.calls; }\n";

static nssim_fext *counting(const char *name, int start)
{
  char text[1200], spec[40];
  snprintf(text, sizeof text, "#define START %d\n%s", start, counter);
  library(name, text);
  snprintf(spec, sizeof spec, "%s:f", name);
  return (nssim_fext *)function(folder, spec);
}

static int count(nssim_fext *f)
{
  double x;
  f(0, 1, &x, 0, NULL);
  return (int)x;
}

START_TEST(state_is_saved_and_restored)
{
  nssim_fext *f = counting("A", 0), *g = counting("B", 100);
  (void)example("models/bouncing-ball", "BallPlugin:ballFExt"); /* none */
  size_t n = ns_plugins_state_size(plugins);
  ck_assert_uint_ge(n, 10);
  unsigned char *one = malloc(n), *two = malloc(n);
  ck_assert_int_eq(ns_plugins_begin(plugins, &said.c), NS_OK);
  ck_assert_int_eq(count(f), 1);
  ck_assert_int_eq(count(g), 101);
  memset(one, 1, n), memset(two, 2, n);
  ns_plugins_save(plugins, one);
  ns_plugins_save(plugins, two);
  ck_assert_mem_eq(one, two, n); /* padding too: equal states, equal bytes */
  ck_assert_int_eq(count(f), 2);
  ck_assert_int_eq(ns_plugins_restore(plugins, &said.c, one), NS_OK);
  ck_assert_int_eq(count(f), 2);
  ck_assert_int_eq(count(g), 102);
  ck_assert_int_eq(ns_plugins_begin(plugins, &said.c), NS_OK); /* another run */
  ck_assert_int_eq(count(g), 101);
  free(one), free(two);
}
END_TEST

START_TEST(library_may_refuse_to_run)
{
  counting("A", -1);
  ck_assert_int_eq(ns_plugins_begin(plugins, &said.c), NS_PLUGIN);
  ck_says(said.c.msg, "plug-in A (");
  ck_says(said.c.msg, "does not start: its init returned 5");
}
END_TEST

START_TEST(library_may_refuse_a_state)
{
  counting("A", 13);
  double block[8];
  ck_assert_uint_le(ns_plugins_state_size(plugins), sizeof block);
  ck_assert_int_eq(ns_plugins_begin(plugins, &said.c), NS_OK);
  ns_plugins_save(plugins, block);
  ck_assert_int_eq(ns_plugins_restore(plugins, &said.c, block), NS_PLUGIN);
  ck_says(said.c.msg, "its restore returned 6");
}
END_TEST

START_TEST(libraries_without_state_need_none)
{
  (void)example("models/bouncing-ball", "BallPlugin:ballFExt");
  ck_assert_uint_eq(ns_plugins_state_size(plugins), 0);
  ck_assert_int_eq(ns_plugins_begin(plugins, &said.c), NS_OK);
}
END_TEST

/* The header in both languages, with all warnings, as errors; a plug-in in C++ is loaded. */
START_TEST(header_is_c_and_cxx)
{
  static const char text[] = "#include <nssim/plugin.h>\nNSSIM_PLUGIN(\"Cxx 2\", "
                             "NSSIM_PLUGIN_ABI);\nNSSIM_EXPORT nssim_fext f;\n"
                             "void f(double t, unsigned int n, double *out, unsigned int, double "
                             "*)\n{ out[0] = t * n; }\n";
  static const char *const all = "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror";
  put("h.c", "#include <nssim/plugin.h>\nNSSIM_PLUGIN(\"C\", NSSIM_PLUGIN_ABI);\n");
  ck_assert_int_eq(
      shell("cc -std=c11 %s -I'%s/include' -fsyntax-only '%s'", all, top(), in_folder("h.c")), 0);
  if (shell("command -v c++ >/dev/null")) return;
  put("Cxx.cpp", text);
  ck_assert_int_eq(
      shell("c++ -std=c++11 %s -I'%s/include' -fvisibility=hidden -fPIC -shared -o '%s' '%s'", all,
            top(), in_folder("Cxx.so"), in_folder("Cxx.cpp")),
      0);
  double x;
  ((nssim_fext *)function(folder, "Cxx:f"))(2, 3, &x, 0, NULL);
  ck_assert_double_eq(x, 6);
  ck_says(ns_plugins_about(plugins, 0), "\"Cxx 2\"");
}
END_TEST

int main(void)
{
  Suite *s = suite_create("examples");
  TCase *t = tcase_create("examples");
  tcase_add_checked_fixture(t, setup, teardown);
  tcase_add_test(t, ball_weighs);
  tcase_add_test(t, pendulum_keeps_its_energy);
  tcase_add_loop_test(t, pendulum_jacobians_are_derivatives, 0, 4);
  tcase_add_test(t, state_is_saved_and_restored);
  tcase_add_test(t, library_may_refuse_to_run);
  tcase_add_test(t, library_may_refuse_a_state);
  tcase_add_test(t, libraries_without_state_need_none);
  tcase_add_test(t, header_is_c_and_cxx);
  suite_add_tcase(s, t);
  return suite_end(s);
}
