/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding and loading plug-ins: what works, and the sentence for each way in which it does not. */
#include "base/guard.h"
#include "plugin/folder.h"
#include "support/suite.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

static const char ball[] =
    "void ballFExt(double t, unsigned n, double *f, unsigned nz, double *z)\n"
    "{ (void)nz, (void)z; for (unsigned i = 0; i < n; i++) f[i] = 10 * t + i; }\n"
    "void ballMass(unsigned n, const double *q, double *m, unsigned nz, double *z)\n"
    "{ (void)q, (void)nz, (void)z; for (unsigned i = 0; i < n * n; i++) m[i] = i; }\n"
    "double gravity = 9.81;\n";

typedef void fext(double, unsigned, double *, unsigned, double *);

static int resolve(ns_plugins *p, ns_ctx *c, const char *spec, ns_arena *a,
                   const ns_plugin_call **call)
{
  return ns_plugins_resolve(p, c, "m.xml:7: <fExt>", folder, spec, NS_SIG_FEXT, a, call);
}

/* Resolve in the test's folder and on the path, expect NS_PLUGIN; the sentence. */
static const char *failure(const char *spec, const char *path)
{
  static heard h;
  ns_arena *a = ns_arena_create(0, 1);
  const ns_plugin_call *call = NULL;
  listen_to(&h);
  ns_plugins *p = ns_plugins_create(&h.c, &path, path != NULL);
  ck_assert_int_eq(resolve(p, &h.c, spec, a, &call), NS_PLUGIN);
  ck_assert_ptr_null(call);
  ck_assert_int_eq(h.c.nerrors, 1);
  ck_says(h.c.msg, "m.xml:7: <fExt>: plug-in \"");
  ck_says(h.c.msg, spec);
  ns_plugins_destroy(p);
  ns_arena_destroy(a);
  return h.c.msg;
}

START_TEST(function_beside_the_model_is_called)
{
  heard h;
  double f[2];
  const ns_plugin_call *call, *again;
  ns_arena *a = ns_arena_create(0, 1);
  library("BallPlugin", ball);
  listen_to(&h);
  ns_plugins *p = ns_plugins_create(&h.c, NULL, 0);
  ck_assert_int_eq(resolve(p, &h.c, "BallPlugin:ballFExt", a, &call), NS_OK);
  ((fext *)call->fn)(3, 2, f, 0, NULL);
  ck_assert_double_eq(f[0], 30);
  ck_assert_double_eq(f[1], 31);
  ck_assert_int_eq(call->sig, NS_SIG_FEXT);
  ck_assert_str_eq(call->name, "BallPlugin:ballFExt");
  ck_says(ns_plugins_about(p, 0), "no ABI descriptor");
  /* Once loaded, whatever it is called. */
  ck_assert_int_eq(resolve(p, &h.c, "BallPlugin:ballFExt", a, &again), NS_OK);
  ck_assert_int_eq(resolve(p, &h.c, "BallPlugin.so:ballFExt", a, &again), NS_OK);
  ck_assert(again->fn == call->fn);
  ck_assert_str_eq(ns_plugins_path(p, 0), in_folder("BallPlugin.so"));
  ck_assert_ptr_null(ns_plugins_path(p, 1));
  ck_assert_ptr_null(ns_plugins_about(p, 1));
  ck_assert_str_eq(h.text, "");
  ns_plugins_destroy(p);
  ns_arena_destroy(a);
}
END_TEST

static double answer(ns_plugins *p, const char *spec)
{
  ns_ctx c = {0};
  double f = 0;
  const ns_plugin_call *call;
  ns_arena *a = ns_arena_create(0, 1);
  ck_assert_msg(resolve(p, &c, spec, a, &call) == NS_OK, "%s", c.msg);
  ((fext *)call->fn)(0, 1, &f, 0, NULL);
  ns_arena_destroy(a);
  return f;
}

static void constant(const char *name, int value)
{
  char text[200];
  snprintf(text, sizeof text,
           "void f(double t, unsigned n, double *out) { (void)t, (void)n; out[0] = %d; }", value);
  library(name, text);
}

START_TEST(folders_are_searched_in_their_order)
{
  ns_ctx c = {0};
  mkdir(in_folder("a"), 0700), mkdir(in_folder("b"), 0700), mkdir(in_folder("sub"), 0700);
  constant("One", 1), constant("a/One", 2), constant("a/Two", 3), constant("b/Two", 4);
  constant("b/Three", 5), constant("sub/Deep", 6);
  const char *const path[] = {in_folder("a"), in_folder("b")};
  ns_plugins *p = ns_plugins_create(&c, path, 2);
  ck_assert_double_eq(answer(p, "One:f"), 1); /* beside the model first */
  ck_assert_double_eq(answer(p, "Two:f"), 3);
  ck_assert_double_eq(answer(p, "Three:f"), 5);
  ck_assert_double_eq(answer(p, "sub/Deep:f"), 6);
  ck_assert_str_eq(ns_plugins_path(p, 2), in_folder("b/Three.so"));
  ns_plugins_destroy(p);
}
END_TEST

START_TEST(two_models_have_each_its_own_library)
{
  ns_ctx c = {0};
  ns_arena *a = ns_arena_create(0, 1);
  const ns_plugin_call *one, *two;
  double x, y;
  mkdir(in_folder("a"), 0700), mkdir(in_folder("b"), 0700);
  constant("a/Lib", 1), constant("b/Lib", 2);
  ns_plugins *p = ns_plugins_create(&c, NULL, 0);
  ck_assert_int_eq(ns_plugins_resolve(p, &c, "", in_folder("a"), "Lib:f", NS_SIG_FEXT, a, &one),
                   NS_OK);
  ck_assert_int_eq(ns_plugins_resolve(p, &c, "", in_folder("b"), "Lib:f", NS_SIG_FEXT, a, &two),
                   NS_OK);
  ((fext *)one->fn)(0, 1, &x, 0, NULL), ((fext *)two->fn)(0, 1, &y, 0, NULL);
  ck_assert_double_eq(x, 1);
  ck_assert_double_eq(y, 2);
  ns_plugins_destroy(p);
  ns_arena_destroy(a);
}
END_TEST

/* ---- sentences ------------------------------------------------------------------------------- */

static const struct {
  const char *spec;
  const char *part[3];
} refused[] = {
    /* not found, by name */
    {"BallPlugn:ballFExt",
     {"no BallPlugn.so or BallPlugn.c in", "(the model's folder)", "did you mean \"BallPlugin\"?"}},
    {"BallPlugn.so:f", {"no BallPlugn.so in", "did you mean \"BallPlugin.so\"?"}},
    {"Source.so:f", {"no Source.so in", "did you mean \"Source.c\"?"}},
    {"Nowhere:f", {"no Nowhere.so or Nowhere.c in", "/lib"}},
    {"OnPth:f", {"did you mean \"OnPath\"?"}},
    {"Cxx:f", {"there is Cxx.cpp: compile it with c++ -O2 -fPIC -shared -o Cxx.so Cxx.cpp"}},
    /* the function */
    {"BallPlugin:ballfext", {"there is no function \"ballfext\" in", "did you mean \"ballFExt\"?"}},
    {"BallPlugin:other", {"its functions are ", "ballFExt", "ballMass"}},
    {"BallPlugin:gravity", {"\"gravity\"", "is a variable, not a function"}},
    {"Puts:puts",
     {"there is no function \"puts\" in", "libc.so", "linked with; did you mean \"put\"?"}},
    {"Mangled:ballFExt", {"_Z8ballFExtdjPdjS_", "extern \"C\""}},
    {"Silent:f", {"exports no function at all"}},
    /* the file */
    {"Text:f", {"Text.so is not a shared library", "cc -fPIC -shared"}},
    {"Empty:f", {"Empty.so is an empty file"}},
    {"Object:f", {"Object.so is an object file"}},
    {"Foreign:f", {"Foreign.so is compiled for another machine (AArch64, here x86-64)"}},
    {"Cut:f", {"Cut.so is truncated"}},
    {"Needs:f", {"Needs.so cannot be loaded: undefined symbol: nobody_has_this", "-l"}},
    /* the descriptor */
    {"Newer:f", {"is compiled for plug-in ABI 7, this nssim has ABI 1", "compile it again"}},
    {"Short:f", {"descriptor", "8 bytes"}},
    {"HalfState:f", {"state of 8 bytes", "save and restore"}},
    /* leading out of the folder */
    {"../lib/OnPath:f", {"outside its folder", "--plugin-path", "(\"OnPath:...\")"}},
    {"sub/../../x/OnPath:f", {"outside its folder"}},
    {"..:f", {"outside its folder"}},
    {"/usr/lib/OnPath:f", {"outside its folder"}},
    /* not a spec */
    {"BallPlugin", {"expected \"Library:function\""}},
    {"BallPlugin:", {"expected \"Library:function\""}},
    {":ballFExt", {"expected \"Library:function\""}},
    {"sub/:ballFExt", {"expected \"Library:function\""}},
    {"BallPlugin:ball FExt", {"expected \"Library:function\""}},
    {"BallPlugin:2", {"expected \"Library:function\""}},
    {"Ball\nPlugin:f", {"expected \"Library:function\""}},
    {"", {"expected \"Library:function\""}},
};

static void refused_setup(void)
{
  folder_setup();
  mkdir(in_folder("lib"), 0700);
  library("BallPlugin", ball);
  constant("lib/OnPath", 1);
  put("Source.c", "void f(void) {}\n");
  put("Cxx.cpp", "void f() {}\n");
  put("Text.so", "INPUT(BallPlugin.so)\n");
  put("Empty.so", "");
  library("Mangled", "void _Z8ballFExtdjPdjS_(void) {}\n");
  library("Silent",
          "static void f(void) {} void *keep(void) __attribute__((visibility(\"hidden\"))); "
          "void *keep(void) { return (void *)f; }\n");
  library("Needs", "void nobody_has_this(void); void f(void) { nobody_has_this(); }\n");
  library("Newer",
          "const struct { unsigned abi, size; const char *name; } nssim_plugin = {7, 99, \"x\"};"
          "void f(void) {}\n");
  library("Short",
          "const struct { unsigned abi, size; const char *name; } nssim_plugin = {1, 8, \"x\"};"
          "void f(void) {}\n");
  library("HalfState",
          "#include <nssim/plugin.h>\nstatic void s(void *b) { (void)b; }\n"
          "NSSIM_PLUGIN(\"half\", NSSIM_PLUGIN_ABI, 8, NULL, s, NULL);\nvoid f(void) {}\n");
  library("Puts", "#include <stdio.h>\nvoid put(void) { puts(\"x\"); }\n");
  put("o.c", "void f(void) {}\n");
  ck_assert_int_eq(shell("cd '%s' && cc -c -fPIC -o Object.so o.c && rm o.c && head -c 2000 "
                         "BallPlugin.so >Cut.so && "
                         "cp BallPlugin.so Foreign.so && "
                         "printf '\\267' | dd of=Foreign.so bs=1 seek=18 conv=notrunc status=none",
                         folder),
                   0);
}

START_TEST(each_refusal_says_what_and_why)
{
#if !defined __x86_64__
  if (strstr(refused[_i].spec, "Foreign")) return;
#endif
  const char *msg = failure(refused[_i].spec, in_folder("lib"));
  for (int k = 0; k < 3 && refused[_i].part[k]; k++) ck_says(msg, refused[_i].part[k]);
}
END_TEST

/* Nothing outside is even opened: a library there would run code when loaded. */
START_TEST(name_that_leads_out_loads_nothing)
{
  char spec[400];
  mkdir(in_folder("model"), 0700);
  library("Outside",
          "#include <stdlib.h>\n__attribute__((constructor)) static void c(void) { exit(3); }\n"
          "void f(void) {}\n");
  ns_ctx c = {0};
  const ns_plugin_call *call;
  ns_arena *a = ns_arena_create(0, 1);
  ns_plugins *p = ns_plugins_create(&c, NULL, 0);
  snprintf(spec, sizeof spec, "%s/Outside:f", folder);
  ck_assert_int_eq(ns_plugins_resolve(p, &c, "at", in_folder("model"), spec, NS_SIG_FEXT, a, &call),
                   NS_PLUGIN);
  ck_assert_int_eq(
      ns_plugins_resolve(p, &c, "at", in_folder("model"), "../Outside:f", NS_SIG_FEXT, a, &call),
      NS_PLUGIN);
  ck_assert_int_eq(ns_plugins_resolve(p, &c, "at", in_folder("model"), "./../Outside.so:f",
                                      NS_SIG_FEXT, a, &call),
                   NS_PLUGIN);
  ck_assert_ptr_null(ns_plugins_path(p, 0));
  ns_plugins_destroy(p);
  ns_arena_destroy(a);
}
END_TEST

START_TEST(library_older_than_its_source_is_pointed_out)
{
  heard h;
  library("BallPlugin", ball);
  put("BallPlugin.c", ball);
  ck_assert_int_eq(shell("touch -d '1 hour ago' '%s'", in_folder("BallPlugin.so")), 0);
  ns_arena *a = ns_arena_create(0, 1);
  const ns_plugin_call *call;
  listen_to(&h);
  ns_plugins *p = ns_plugins_create(&h.c, NULL, 0);
  ck_assert_int_eq(resolve(p, &h.c, "BallPlugin:ballFExt", a, &call), NS_OK);
  ck_assert_int_eq(h.c.nwarnings, 1);
  ck_says(h.text, "warning: ");
  ck_says(h.text, "BallPlugin.c is newer than ");
  ns_plugins_destroy(p);
  ns_arena_destroy(a);
}
END_TEST

/* ---- code that runs at loading --------------------------------------------------------------- */

START_TEST(crash_at_loading_is_a_sentence)
{
  library("Bad", "__attribute__((constructor)) static void c(void) { *(volatile int *)8 = 1; "
                 "}\nvoid f(void) {}\n");
  library("Good", "void f(void) {}\n");
  heard h;
  const ns_plugin_call *call;
  ns_arena *a = ns_arena_create(0, 1);
  listen_to(&h);
  ns_plugins *p = ns_plugins_create(&h.c, NULL, 0);
  ck_assert_int_eq(resolve(p, &h.c, "Bad:f", a, &call), NS_PLUGIN);
  ck_says(
      h.c.msg,
      "Bad.so: while it was being loaded, plug-in \"Bad\" crashed (segmentation fault, SIGSEGV, "
      "address 0x8); nothing was run");
  ck_assert_int_eq(resolve(p, &h.c, "Bad:f", a, &call), NS_PLUGIN); /* not tried again */
  ck_assert_int_eq(resolve(p, &h.c, "Good:f", a, &call), NS_PLUGIN);
  ck_says(h.text, "Good.so is not loaded, because another plug-in crashed");
  ns_plugins_destroy(p);
  ns_arena_destroy(a);
}
END_TEST

START_TEST(exit_at_loading_is_not_success)
{
  int status;
  library("Leaves",
          "#include <stdlib.h>\n__attribute__((constructor)) static void c(void) { exit(0); }\n");
  pid_t pid = fork();
  if (pid == 0) {
    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
    /* it comes back, or the process ends with that status */
    const char *said = failure("Leaves:f", NULL);
    _exit(strstr(said, "called exit() with status 0") ? ns_status_exit(NS_PLUGIN) : 1);
  }
  ck_assert_int_eq(waitpid(pid, &status, 0), pid);
  ck_assert_int_eq(WEXITSTATUS(status), ns_status_exit(NS_PLUGIN));
}
END_TEST

/* ---- crashes in functions -------------------------------------------------------------------- */

static const char crashing[] =
    "#include <stdlib.h>\n"
    "static double sum(const double *a, int n) { double b[500]; int i;\n"
    "  for (i = 0; i < 500; i++) b[i] = n + (a ? a[i] : 0); return sum(b, n + 1) + b[n % 500]; }\n"
    "void f0(double t, unsigned n, double *out) { (void)t, (void)n, (void)out; ((double *)0)[1] = "
    "1; }\n"
    "void f1(double t, unsigned n, double *out) { volatile int zero = (int)t; out[0] = (int)n / "
    "zero; }\n"
    "void f2(double t, unsigned n, double *out) { (void)t, (void)n, (void)out; abort(); }\n"
    "void f3(double t, unsigned n, double *out) { (void)t, (void)n; out[0] = sum(out, 0); }\n"
    "void f4(double t, unsigned n, double *out) { (void)t, (void)n; free(out + 1); }\n";

static const char *const crash_says[] = {"SIGSEGV, address 0x8", "SIGFPE", "SIGABRT",
                                         "stack overflow", "SIGABRT"};

static int call_it(void *arg)
{
  const ns_plugin_call *call = arg;
  double out[500] = {0};
  ns_guard_enter(call->name);
  ((fext *)call->fn)(0, 1, out, 0, NULL);
  ns_guard_leave();
  return NS_OK;
}

START_TEST(crash_in_a_function_is_a_sentence)
{
#if defined __SANITIZE_ADDRESS__
  if (_i == 4) return; /* it finds the invalid free before libc does */
#endif
  char spec[] = "Crash:f0";
  ns_ctx c = {0};
  const ns_plugin_call *call;
  ns_arena *a = ns_arena_create(0, 1);
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  spec[7] = (char)('0' + _i);
  library("Crash", crashing);
  ns_plugins *p = ns_plugins_create(&c, NULL, 0);
  ck_assert_int_eq(resolve(p, &c, spec, a, &call), NS_OK);
  if (_i == 4) ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr)); /* what libc says */
  ck_assert_int_eq(ns_guard_run(&c, call_it, (void *)(uintptr_t)call), NS_PLUGIN);
  ck_says(c.msg, "plug-in \"Crash:f");
  ck_says(c.msg, crash_says[_i]);
  void *more = malloc(100000); /* memory still works, for what is to be written */
  ck_assert_ptr_nonnull(more);
  free(more);
  ns_plugins_destroy(p);
  ns_arena_destroy(a);
}
END_TEST

static TCase *crashes(void)
{
  TCase *t = tcase_create("crashes");
  tcase_add_checked_fixture(t, folder_setup, folder_teardown);
  tcase_add_test(t, crash_at_loading_is_a_sentence);
  tcase_add_test(t, exit_at_loading_is_not_success);
  tcase_add_loop_test(t, crash_in_a_function_is_a_sentence, 0,
                      (int)(sizeof crash_says / sizeof *crash_says));
  return t;
}

int main(void)
{
  Suite *s = suite_create("loader");
  TCase *t = tcase_create("loading"), *u = tcase_create("refusals");
  tcase_add_checked_fixture(t, folder_setup, folder_teardown);
  tcase_add_test(t, function_beside_the_model_is_called);
  tcase_add_test(t, folders_are_searched_in_their_order);
  tcase_add_test(t, two_models_have_each_its_own_library);
  tcase_add_unchecked_fixture(u, refused_setup, folder_teardown);
  tcase_add_loop_test(u, each_refusal_says_what_and_why, 0,
                      (int)(sizeof refused / sizeof *refused));
  tcase_add_test(t, name_that_leads_out_loads_nothing);
  tcase_add_test(t, library_older_than_its_source_is_pointed_out);
  suite_add_tcase(s, t);
  suite_add_tcase(s, u);
  if (getenv("NSSIM_VALGRIND")) /* it reports the faults made on purpose */
    printf("SKIP loader: crashes are not tested under valgrind\n");
  else suite_add_tcase(s, crashes());
  return suite_end(s);
}
