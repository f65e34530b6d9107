/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plug-in in C beside the model is compiled when needed, never twice, and never into an unsafe
 * place. */
#include "plugin/folder.h"
#include "support/suite.h"

#include <dirent.h>
#include <sys/wait.h>

typedef void fext(double, unsigned, double *, unsigned, double *);

/* What `f` of a spec gives, in a loader of its own; NAN where it cannot be loaded: the reason is in
 * h. */
static double load(heard *h, const char *dir, const char *spec)
{
  double f = 0;
  const ns_plugin_call *call;
  ns_arena *a = ns_arena_create(0, 1);
  listen_to(h);
  ns_plugins *p = ns_plugins_create(&h->c, NULL, 0);
  int rc = ns_plugins_resolve(p, &h->c, "m.xml:7", dir, spec, NS_SIG_FEXT, a, &call);
  if (rc == NS_OK) ((fext *)call->fn)(0, 1, &f, 0, NULL);
  ns_plugins_destroy(p);
  ns_arena_destroy(a);
  ck_assert(rc == NS_OK || rc == NS_PLUGIN);
  return rc == NS_OK ? f : -1e300;
}
#define FAILED (-1e300)

#define ck_loads(spec, value) \
  do { \
    heard h_; \
    double f_ = load(&h_, folder, spec); \
    ck_assert_msg(f_ == (value), "%g, want %g; %s", f_, (double)(value), h_.text); \
  } while (0)
#define ck_refuses(spec, ...) \
  do { \
    heard h_; \
    const char *part_[] = {__VA_ARGS__}; \
    ck_assert_double_eq(load(&h_, folder, spec), FAILED); \
    ck_says(h_.c.msg, "m.xml:7: plug-in \"" spec "\": "); \
    for (size_t i_ = 0; i_ < sizeof part_ / sizeof *part_; i_++) ck_says(h_.c.msg, part_[i_]); \
  } while (0)

static void source(const char *name, int value)
{
  char text[300];
  snprintf(text, sizeof text,
           "#include <nssim/plugin.h>\nNSSIM_EXPORT nssim_fext f;\n"
           "void f(double t, unsigned int n, double *out, unsigned int nz, double *z)\n"
           "{ (void)t, (void)n, (void)nz, (void)z; out[0] = %d; }\n",
           value);
  put(name, text);
}

/* A compiler that counts its calls, and refuses where the file `broken` is there. */
static void counting_compiler(void)
{
  char text[1200];
  snprintf(text, sizeof text,
           "#!/bin/sh\necho x >>'%s/calls'\n[ ! -e '%s/broken' ] || exit 9\nexec cc \"$@\"\n",
           folder, folder);
  put("counting-cc", text);
  chmod(in_folder("counting-cc"), 0700);
  setenv("CC", in_folder("counting-cc"), 1);
}

static int calls(void)
{
  int n = 0;
  FILE *f = fopen(in_folder("calls"), "r");
  for (int ch; f && (ch = getc(f)) != EOF;) n += ch == '\n';
  if (f) fclose(f);
  return n;
}

static int entries(const char *dir, const char *with)
{
  int n = 0;
  DIR *d = opendir(dir);
  for (const struct dirent *e; d && (e = readdir(d));)
    n += *e->d_name != '.' && strstr(e->d_name, with);
  if (d) closedir(d);
  return n;
}

START_TEST(second_load_starts_no_compiler)
{
  counting_compiler();
  source("Lib.c", 1);
  ck_loads("Lib:f", 1);
  ck_assert_int_eq(calls(), 1);
  put("broken", "");
  ck_loads("Lib:f", 1);
  ck_loads("Lib.c:f", 1);
  ck_assert_int_eq(calls(), 1);
  struct stat s;
  ck_assert_int_eq(stat(in_folder("cache"), &s), 0);
  ck_assert_int_eq(s.st_mode & 0777, 0700);
}
END_TEST

START_TEST(change_of_any_source_is_seen)
{
  counting_compiler();
  put("k.h", "#include \"deep er.h\"\n");
  put("deep er.h", "#define K 1\n");
  put("Lib.c", "#include \"k.h\"\nvoid f(double t, unsigned n, double *out) { (void)t, (void)n; "
               "out[0] = K; }\n");
  ck_loads("Lib:f", 1);
  put("deep er.h", "#define K 2\n"); /* same size, maybe the same time */
  ck_loads("Lib:f", 2);
  ck_assert_int_eq(calls(), 2);
  put("deep er.h", "#define K 1\n"); /* as it was: still in the cache */
  ck_loads("Lib:f", 1);
  ck_assert_int_eq(calls(), 2);
  put("Lib.c", "#include \"k.h\"\nvoid f(double t, unsigned n, double *out) { (void)t, (void)n; "
               "out[0] = 9; }\n");
  ck_loads("Lib:f", 9);
  unlink(in_folder("deep er.h"));
  ck_refuses("Lib:f", "does not compile", "deep er.h");
  put("k.h", "");
  ck_loads("Lib:f", 9);
}
END_TEST

START_TEST(compiler_and_its_arguments_are_part_of_the_key)
{
  put("Lib.c", "void f(double t, unsigned n, double *out) { (void)t, (void)n; out[0] = K; }\n");
  setenv("CC", "cc -DK=1", 1);
  ck_loads("Lib:f", 1);
  setenv("CC", " cc  -DK=2 ", 1);
  ck_loads("Lib:f", 2);
  counting_compiler();
  source("Lib.c", 3);
  ck_loads("Lib:f", 3);
  /* another compiler */
  ck_assert_int_eq(shell("touch -d '1 hour ago' '%s'", in_folder("counting-cc")), 0);
  ck_loads("Lib:f", 3);
  ck_assert_int_eq(calls(), 2);
}
END_TEST

/* A compiler during whose work the source changes: the result may be of either, so it is not kept.
 */
START_TEST(source_changed_while_compiling_is_compiled_again)
{
  char text[2000];
  source("Lib.c", 1), source("next", 2);
  snprintf(text, sizeof text,
           "#!/bin/sh\necho x >>'%s/calls'\ncc \"$@\" && sleep 0.05 && [ ! -e '%s/next' ] || "
           "{ cat '%s/next' >'%s/Lib.c' && rm '%s/next'; }\n",
           folder, folder, folder, folder, folder);
  put("slow-cc", text);
  chmod(in_folder("slow-cc"), 0700);
  setenv("CC", in_folder("slow-cc"), 1);
  ck_loads("Lib:f", 1);
  ck_loads("Lib:f", 2);
  ck_assert_int_eq(calls(), 2);
  ck_loads("Lib:f", 2);
  ck_assert_int_eq(calls(), 2);
}
END_TEST

START_TEST(library_goes_before_source_unless_named)
{
  source("Lib.c", 1);
  library("Lib", "void f(double t, unsigned n, double *out) { (void)t, (void)n; out[0] = 2; }");
  ck_loads("Lib:f", 2);
  ck_loads("Lib.so:f", 2);
  ck_loads("Lib.c:f", 1);
}
END_TEST

/* libm has a function y1, and is searched first. */
START_TEST(functions_of_the_library_are_its_own)
{
  put("Lib.c", "__attribute__((noinline)) double y1(double x) { return x + 40; }\n"
               "void f(double t, unsigned n, double *out) { (void)n; out[0] = y1(t + 2); }\n");
  setenv("CC", "cc -fno-builtin", 1);
  ck_loads("Lib:f", 42);
}
END_TEST

START_TEST(provenance_has_library_and_source)
{
  ns_ctx c = {0};
  const ns_plugin_call *call;
  ns_arena *a = ns_arena_create(0, 1);
  source("Lib.c", 1);
  ns_plugins *p = ns_plugins_create(&c, NULL, 0);
  ck_assert_int_eq(ns_plugins_resolve(p, &c, NULL, folder, "Lib:f", NS_SIG_FEXT, a, &call), NS_OK);
  ck_assert_ptr_eq(strstr(ns_plugins_path(p, 0), in_folder("cache/Lib-")), ns_plugins_path(p, 0));
  ck_assert_str_eq(ns_plugins_path(p, 1), in_folder("Lib.c"));
  ck_assert_ptr_null(ns_plugins_path(p, 2));
  ns_plugins_destroy(p);
  ns_arena_destroy(a);
}
END_TEST

START_TEST(odd_paths_need_no_shell)
{
  heard h;
  counting_compiler();
  char *odd = in_folder("a b$c#d'e;f\"g\\h");
  ck_assert_int_eq(mkdir(odd, 0700), 0);
  source("a b$c#d'e;f\"g\\h/Li b.c", 4);
  ck_assert_double_eq(load(&h, odd, "Li b:f"), 4);
  ck_assert_double_eq(load(&h, odd, "Li b:f"), 4);
  ck_assert_int_eq(calls(), 1);
}
END_TEST

/* ---- sentences ------------------------------------------------------------------------------- */

START_TEST(compile_error_shows_what_the_compiler_says)
{
  put("Lib.c", "int unused;\nvoid f(void)\n{\n  nonsense x;\n}\n");
  ck_refuses("Lib:f", "Lib.c does not compile:\n", "Lib.c:4:", "unknown type name");
  ck_assert_int_eq(entries(in_folder("cache"), ""), 0); /* nothing left behind */
  put("Lib.c", "double f(double x) { return undeclared(x); }\n");
  ck_refuses("Lib:f", "implicit declaration", "undeclared");
}
END_TEST

START_TEST(compiler_warnings_are_handed_on)
{
  heard h;
  put("Lib.c",
      "int f(double t, unsigned n, double *out) { (void)t, (void)n; out[0] = 1; return \"x\"; }\n");
  ck_assert_double_eq(load(&h, folder, "Lib:f"), 1);
  ck_assert_int_eq(h.c.nwarnings, 1);
  ck_says(h.text, "makes integer from pointer");
}
END_TEST

START_TEST(missing_compiler_has_a_remedy)
{
  source("Lib.c", 1);
  setenv("CC", "no-such-compiler -O2", 1);
  ck_refuses("Lib:f", "no compiler for", "no-such-compiler is not found", "install gcc",
             "cc -O2 -fPIC -shared -o Lib.so Lib.c -lm");
  setenv("CC", " ", 1);
  ck_refuses("Lib:f", "CC is not found");
  unsetenv("CC");
  setenv("PATH", "/nowhere::", 1);
  ck_refuses("Lib:f", "cc is not found");
  if (getenv("NSSIM_VALGRIND")) return; /* it does not survive an execve that fails */
  put("bad-cc", "#!/no/such/interpreter\n");
  chmod(in_folder("bad-cc"), 0700);
  setenv("CC", in_folder("bad-cc"), 1);
  ck_refuses("Lib:f", "cannot run the compiler", "bad-cc");
  put("killed-cc", "#!/bin/sh\nkill -9 $$\n");
  chmod(in_folder("killed-cc"), 0700);
  setenv("CC", in_folder("killed-cc"), 1);
  ck_refuses("Lib:f", "killed by a signal (Killed)");
}
END_TEST

/* ---- the cache ------------------------------------------------------------------------------- */

START_TEST(unsafe_cache_is_refused)
{
  char *cache = in_folder("cache");
  source("Lib.c", 1);
  ck_loads("Lib:f", 1);
  chmod(cache, 0770);
  ck_refuses("Lib:f", "others can write to the folder for compiled plug-ins", "(mode 0770)",
             "chmod 700", "NSSIM_CACHE_DIR");
  chmod(cache, 0702);
  ck_refuses("Lib:f", "(mode 0702)");
  chmod(cache, 0755);
  ck_loads("Lib:f", 1);
  if (geteuid() == 0) {
    ck_assert_int_eq(chown(cache, 12345, 0), 0);
    ck_refuses("Lib:f", "belongs to user 12345, not to you");
  } else {
    setenv("NSSIM_CACHE_DIR", "/usr/lib", 1);
    ck_refuses("Lib:f", "belongs to user 0, not to you");
  }
  put("file", "");
  setenv("NSSIM_CACHE_DIR", in_folder("file"), 1);
  ck_refuses("Lib:f", "is not a folder");
  setenv("NSSIM_CACHE_DIR", in_folder("file/below"), 1);
  ck_refuses("Lib:f", "cannot create the folder for compiled plug-ins", "Not a directory");
}
END_TEST

/* A library that others can write to is not run but made anew; the same for a list of sources. */
START_TEST(unsafe_file_in_the_cache_is_replaced)
{
  counting_compiler();
  source("Lib.c", 1);
  ck_loads("Lib:f", 1);
  ck_assert_int_eq(shell("chmod 0777 '%s'/cache/*.so", folder), 0);
  ck_loads("Lib:f", 1);
  ck_assert_int_eq(calls(), 2);
  ck_assert_int_eq(shell("chmod 0666 '%s'/cache/*.d", folder), 0);
  ck_loads("Lib:f", 1);
  ck_assert_int_eq(calls(), 3);
}
END_TEST

START_TEST(places_of_the_cache)
{
  source("Lib.c", 1);
  unsetenv("NSSIM_CACHE_DIR");
  setenv("HOME", in_folder("home"), 1);
  setenv("XDG_CACHE_HOME", in_folder("xdg"), 1);
  ck_loads("Lib:f", 1);
  ck_assert_int_eq(entries(in_folder("xdg/nssim"), ".so"), 1);
  setenv("XDG_CACHE_HOME", "relative", 1);
  ck_loads("Lib:f", 1);
  ck_assert_int_eq(entries(in_folder("home/.cache/nssim"), ".so"), 1);
  unsetenv("XDG_CACHE_HOME"), unsetenv("HOME");
  ck_refuses("Lib:f", "HOME is not set", "NSSIM_CACHE_DIR");
}
END_TEST

START_TEST(many_processes_compile_at_once)
{
  enum { N = 8 };
  pid_t pid[N];
  int gate[2], status;
  char byte;
  source("Lib.c", 7);
  ck_assert_int_eq(pipe(gate), 0);
  for (int i = 0; i < N; i++)
    if ((pid[i] = fork()) == 0) {
      heard h;
      close(gate[1]);
      if (read(gate[0], &byte, 1) < 0) _exit(2); /* all start when the parent closes it */
      _exit(load(&h, folder, "Lib:f") == 7 ? 0 : 1);
    }
  close(gate[0]), close(gate[1]);
  for (int i = 0; i < N; i++) {
    ck_assert_int_eq(waitpid(pid[i], &status, 0), pid[i]);
    ck_assert_int_eq(status, 0);
  }
  ck_assert_int_eq(entries(in_folder("cache"), ".so"), 1);
  ck_assert_int_eq(entries(in_folder("cache"), "tmp"), 0);
}
END_TEST

int main(void)
{
  Suite *s = suite_create("compile");
  TCase *t = tcase_create("compile");
  tcase_add_checked_fixture(t, folder_setup, folder_teardown);
  tcase_add_test(t, second_load_starts_no_compiler);
  tcase_add_test(t, change_of_any_source_is_seen);
  tcase_add_test(t, compiler_and_its_arguments_are_part_of_the_key);
  tcase_add_test(t, source_changed_while_compiling_is_compiled_again);
  tcase_add_test(t, library_goes_before_source_unless_named);
  tcase_add_test(t, functions_of_the_library_are_its_own);
  tcase_add_test(t, provenance_has_library_and_source);
  tcase_add_test(t, odd_paths_need_no_shell);
  tcase_add_test(t, compile_error_shows_what_the_compiler_says);
  tcase_add_test(t, compiler_warnings_are_handed_on);
  tcase_add_test(t, missing_compiler_has_a_remedy);
  tcase_add_test(t, unsafe_cache_is_refused);
  tcase_add_test(t, unsafe_file_in_the_cache_is_replaced);
  tcase_add_test(t, places_of_the_cache);
  tcase_add_test(t, many_processes_compile_at_once);
  suite_add_tcase(s, t);
  return suite_end(s);
}
