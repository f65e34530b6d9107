/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/compile.h"

#include "base/program.h"
#include "plugin/cache.h"
#include "plugin/depends.h"
#include "plugin/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_ARGS 64
#define BY_HAND "cc -O2 -fPIC -shared -o"

/* -ffp-contract=off: the same bytes on every machine, as nssim itself. A function that nobody
 * declared would be called with wrong arguments: an error. -Bsymbolic: a function of the plug-in
 * that is called `gamma` or `y1` is not replaced by that of libm. */
static const char *const flags[] = {"-O2",
                                    "-g",
                                    "-fPIC",
                                    "-shared",
                                    "-Wl,-Bsymbolic",
                                    "-ffp-contract=off",
                                    "-Werror=implicit-function-declaration"};
#define NFLAGS (sizeof flags / sizeof *flags)

typedef struct job {
  ns_ctx *c;
  ns_arena *a;
  const char *source;  /* as the model has it, for messages */
  const char *real;    /* absolute path of it */
  const char *stem;    /* its name without folder and .c */
  const char *program; /* the compiler */
  const char *cache;
  const char *depends; /* <cache>/<key>.d */
  char key[NS_DIGEST_HEX];
  int nargs; /* compiler, flags, include folder */
  char *args[MAX_ARGS];
  char tmp[64]; /* folder for the output, in the cache */
} job;

static int nomem(job *j) { return ns_nomem(j->c, "compiling a plug-in"); }

/* ---- the compiler and its arguments ---------------------------------------------------------- */

static int executable(const char *file)
{
  struct stat s;
  return stat(file, &s) == 0 && S_ISREG(s.st_mode) && access(file, X_OK) == 0;
}

/* Path of a program, as a shell finds it; NULL: not found, or out of memory. */
static const char *find_program(ns_arena *a, const char *name)
{
  if (strchr(name, '/')) return executable(name) ? name : NULL;
  const char *path = getenv("PATH");
  for (const char *p = path ? path : "/usr/bin:/bin"; *p;) {
    size_t n = strcspn(p, ":");
    char *file = ns_arena_format(a, "%.*s/%s", n ? (int)n : 1, n ? p : ".", name);
    if (!file) return NULL;
    if (executable(file)) return file;
    p += n + (p[n] == ':');
  }
  return NULL;
}

/* Folder that has nssim/plugin.h: `include` beside bin where installed; further up where nssim runs
 * from its build folder. NULL: none, the plug-in may do without. */
static const char *include_folder(ns_arena *a)
{
  char exe[PATH_MAX];
  if (!ns_program_folder(exe, sizeof exe)) return NULL;
  for (int up = 0; up < 5; up++) {
    char *file = ns_arena_format(a, "%s/include/nssim/plugin.h", exe);
    if (!file) return NULL;
    if (access(file, R_OK) == 0) {
      file[strlen(exe) + strlen("/include")] = '\0';
      return file;
    }
    char *slash = strrchr(exe, '/');
    if (!slash) return NULL;
    *slash = '\0';
  }
  return NULL;
}

static int compiler(job *j)
{
  const char *cc = getenv("CC");
  cc = cc && *cc ? cc : "cc";
  char *words = ns_arena_text(j->a, cc), *rest = NULL;
  if (!words) return nomem(j);
  for (char *w = strtok_r(words, " \t", &rest); w; w = strtok_r(NULL, " \t", &rest)) {
    if (j->nargs == MAX_ARGS / 2) return ns_fail(j->c, NS_PLUGIN, "CC has too many words: %s", cc);
    j->args[j->nargs++] = w;
  }
  j->program = j->nargs ? find_program(j->a, j->args[0]) : NULL;
  if (!j->program)
    return ns_fail(j->c, NS_PLUGIN,
                   "no compiler for %s: %s is not found; install gcc, set CC, or compile on a "
                   "machine with a compiler (" BY_HAND
                   " %s.so %s.c -lm) and put %s.so next to the model",
                   j->source, j->nargs ? j->args[0] : "CC", j->stem, j->stem, j->stem);
  for (size_t i = 0; i < NFLAGS; i++) j->args[j->nargs++] = (char *)(uintptr_t)flags[i];
  const char *include = include_folder(j->a);
  if (include) {
    j->args[j->nargs++] = "-I";
    j->args[j->nargs++] = (char *)(uintptr_t)include;
  }
  return NS_OK;
}

/* ---- the cache ------------------------------------------------------------------------------- */

/* An upgrade changes the compiler's file; asking it for its version would cost more than the rest.
 */
static void identify(struct sha256_ctx *h, ns_arena *a, const char *word)
{
  struct stat s;
  const char *file = *word == '-' ? NULL : find_program(a, word);
  char id[96];
  if (!file || stat(file, &s)) return;
  snprintf(id, sizeof id, "%lld %lld.%09ld", (long long)s.st_size, (long long)s.st_mtim.tv_sec,
           s.st_mtim.tv_nsec);
  ns_digest_text(h, file);
  ns_digest_text(h, id);
}

static int make_key(job *j)
{
  struct sha256_ctx h;
  sha256_init(&h);
  ns_digest_text(&h, "nssim plug-in cache 1");
  for (int i = 0; i < j->nargs; i++) {
    ns_digest_text(&h, j->args[i]);
    identify(&h, j->a, j->args[i]);
  }
  ns_digest_text(&h, j->real);
  ns_digest_hex(&h, j->key);
  j->depends = ns_arena_format(j->a, "%s/%s.d", j->cache, j->key);
  return j->depends ? NS_OK : nomem(j);
}

/* Name of the result for the sources as they are now; *library NULL when one cannot be read. */
static int name_library(job *j, const char *depends, const struct timespec *start, int *changed,
                        const char **library)
{
  struct sha256_ctx h;
  char hex[NS_DIGEST_HEX];
  sha256_init(&h);
  ns_digest_text(&h, j->key);
  *library = NULL;
  if (ns_digest_depends(&h, depends, start, changed)) return NS_OK;
  ns_digest_hex(&h, hex);
  *library = ns_arena_format(j->a, "%s/%s-%.32s.so", j->cache, j->stem, hex);
  return *library ? NS_OK : nomem(j);
}

/* *library NULL: not in the cache. */
static int look_up(job *j, const char **library)
{
  *library = NULL;
  if (!ns_cache_has(j->depends)) return NS_OK;
  int rc = name_library(j, j->depends, NULL, NULL, library);
  if (rc == NS_OK && *library && !ns_cache_has(*library)) *library = NULL;
  return rc;
}

/* ---- compiling ------------------------------------------------------------------------------- */

/* Status of waitpid, or -1 and errno. What it printed is in log [n]. */
static int run_compiler(job *j, char *const argv[], char *log, size_t n)
{
  pid_t pid;
  int status = -1, err;
  posix_spawn_file_actions_t io;
  log[0] = '\0';
  int out = memfd_create("compiler", MFD_CLOEXEC);
  if (out < 0) return -1;
  if ((err = posix_spawn_file_actions_init(&io)) == 0) {
    posix_spawn_file_actions_addopen(&io, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&io, out, 1);
    posix_spawn_file_actions_adddup2(&io, out, 2);
    err = posix_spawn(&pid, j->program, &io, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&io);
  }
  if (err == 0) {
    while (waitpid(pid, &status, 0) < 0)
      if (errno != EINTR) {
        status = -1;
        err = errno;
        break;
      }
    ssize_t got = pread(out, log, n - 1, 0);
    log[got > 0 ? got : 0] = '\0';
  }
  close(out);
  errno = err;
  return status;
}

/* The first lines that matter, each on a line of its own. */
static void excerpt(const char *log, char *text, size_t n)
{
  static const char *const marks[] = {"error:", "undefined reference", "error"};
  const char *at = NULL;
  for (size_t k = 0; k < sizeof marks / sizeof *marks && !at; k++) at = strstr(log, marks[k]);
  if (!at) at = log;
  while (at > log && at[-1] != '\n') at--;
  text[0] = '\0';
  for (int line = 0; line < 3 && *at; line++) {
    size_t len = strcspn(at, "\n");
    ns_plugin_append(text, n, "\n  %.*s", (int)(len < 200 ? len : 200), at);
    at += len + (at[len] == '\n');
  }
}

static int compile_failed(job *j, int status, const char *log)
{
  char text[640];
  if (status == -1)
    return ns_fail(j->c, NS_PLUGIN, "cannot run the compiler %s: %s", j->program, strerror(errno));
  if (WIFSIGNALED(status))
    return ns_fail(j->c, NS_PLUGIN, "compiling %s: %s was killed by a signal (%s)", j->source,
                   j->program, strsignal(WTERMSIG(status)));
  excerpt(log, text, sizeof text);
  return ns_fail(j->c, NS_PLUGIN, "%s does not compile:%s", j->source,
                 *text ? text : " the compiler printed nothing");
}

/* Compile into files `so` and `d`, and give the result its name. A source that was written after
 * the start may not be what was compiled: such a result gets a name that is not found again. */
static int build_in(job *j, const char *so, const char *d, const char **library)
{
  char log[8192];
  struct timespec start;
  int changed = 0;
  char *argv[MAX_ARGS + 16];
  int n = j->nargs;
  memcpy(argv, j->args, (size_t)n * sizeof *argv);
  const char *const more[] = {"-MMD", "-MF", d, "-MT", "d", "-o", so, j->real, "-lm"};
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) argv[n++] = (char *)(uintptr_t)more[i];
  argv[n] = NULL;
  clock_gettime(CLOCK_REALTIME, &start);
  int status = run_compiler(j, argv, log, sizeof log);
  if (status != 0) return compile_failed(j, status, log);
  int rc = name_library(j, d, &start, &changed, library);
  if (rc) return rc;
  if (!*library) changed = 1; /* a compiler that writes no list */
  if (changed) {
    *library = ns_arena_format(j->a, "%s/%s-%s.so", j->cache, j->stem, j->tmp + 4);
    if (!*library) return nomem(j);
  }
  if (chmod(so, 0700) || rename(so, *library))
    return ns_fail(j->c, NS_PLUGIN, "cannot store %s: %s", *library, strerror(errno));
  if (!changed) rename(d, j->depends); /* failure: compiled again next time */
  if (*log) {
    char text[640];
    excerpt(log, text, sizeof text);
    ns_warn(j->c, "compiling %s:%s", j->source, text);
  }
  return NS_OK;
}

static int build(job *j, const char **library)
{
  char *folder = ns_arena_format(j->a, "%s/tmp-XXXXXX", j->cache);
  if (!folder) return nomem(j);
  if (!mkdtemp(folder))
    return ns_fail(j->c, NS_PLUGIN,
                   "cannot write to the folder for compiled plug-ins, %s: %s; set NSSIM_CACHE_DIR",
                   j->cache, strerror(errno));
  snprintf(j->tmp, sizeof j->tmp, "%s", folder + strlen(j->cache) + 1);
  char *so = ns_arena_format(j->a, "%s/so", folder), *d = ns_arena_format(j->a, "%s/d", folder);
  int rc = so && d ? build_in(j, so, d, library) : nomem(j);
  if (so) unlink(so);
  if (d) unlink(d);
  rmdir(folder);
  return rc;
}

int ns_compile(ns_ctx *c, ns_arena *a, const char *source, const char **library)
{
  job j = {.c = c, .a = a, .source = source};
  char *real = realpath(source, NULL);
  if (!real) return ns_fail(c, NS_PLUGIN, "cannot read %s: %s", source, strerror(errno));
  j.real = ns_arena_text(a, real);
  free(real);
  const char *name = strrchr(source, '/');
  name = name ? name + 1 : source;
  j.stem = ns_arena_format(a, "%.*s", (int)(strlen(name) - 2), name);
  if (!j.real || !j.stem) return nomem(&j);
  int rc = compiler(&j);
  if (rc == NS_OK) rc = ns_cache_folder(c, a, &j.cache);
  if (rc == NS_OK) rc = make_key(&j);
  if (rc == NS_OK) rc = look_up(&j, library);
  if (rc == NS_OK && !*library) rc = build(&j, library);
  return rc;
}
