/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/problemfile/problem_file.h"

#include "io/problemfile/fclib.h"
#include "io/problemfile/problem_file_matrix.h"
#include "io/problemfile/problem_file_tokens.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- families -------------------------------------------------------------------------------- */

const ns_problem_family *ns_problem_family_find(const char *name)
{
  for (const ns_problem_family *f = ns_problem_families; f->name; f++)
    if (!strcasecmp(f->name, name)) return f;
  return NULL;
}

/* s begins with the word, which ends there. */
static int leads(const char *s, const char *word)
{
  size_t n = strlen(word);
  return !strncasecmp(s, word, n) && !isalpha((unsigned char)s[n]);
}

/* What names of files and of folders begin with; families go by their own names too. */
static const struct {
  const char *word, *family;
} beginnings[] = {{"FrictionContact", "fc"},
                  {"GlobalFrictionContact", "gfc"},
                  {"RollingFrictionContact", "rfc"},
                  {"GlobalRollingFrictionContact", "grfc"},
                  {"GenericMechanical", "gmp"},
                  {"lcp", "lcp"},
                  {"soclcp", "soclcp"},
                  {"fc2d", "fc2d"},
                  {"fc3d", "fc3d"},
                  {"gfc", "gfc"},
                  {"rfc2d", "rfc2d"},
                  {"rfc3d", "rfc3d"},
                  {"grfc", "grfc"},
                  {"gmp", "gmp"},
                  {"relay", "relay"}};
enum { NBEGINNINGS = sizeof beginnings / sizeof *beginnings };

static const char *by_name(const char *base)
{
  if (strcasestr(base, "mlcp")) return "mlcp";
  if (!strncasecmp(base, "gfc", 3) && strcasestr(base, "condensed")) return "fc";
  for (size_t k = 0; k < NBEGINNINGS; k++)
    if (!strncasecmp(base, beginnings[k].word, strlen(beginnings[k].word)))
      return beginnings[k].family;
  if (!strncasecmp(base, "step", 4)) return "relay";
  return leads(base, "avi") ? "avi" : NULL;
}

static const char *by_folder(const char *base)
{
  for (const ns_problem_family *f = ns_problem_families; f->name; f++)
    if (leads(base, f->name)) return f->name;
  for (size_t k = 0; k < NBEGINNINGS; k++)
    if (leads(base, beginnings[k].word)) return beginnings[k].family;
  return NULL;
}

/* Name of the folder of path; to be freed, NULL where there is none to be found. */
static char *folder_of(const char *path)
{
  const char *slash = strrchr(path, '/');
  char *dir = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
  char *real = dir ? realpath(dir, NULL) : NULL;
  char *name = real ? strdup(strrchr(real, '/') + 1) : NULL;
  free(dir);
  free(real);
  return name;
}

const ns_problem_family *ns_problem_family_guess(const char *path, const char **by)
{
  const char *slash = strrchr(path, '/'), *family = by_name(slash ? slash + 1 : path);
  *by = "by its name";
  if (!family) {
    char *folder = folder_of(path);
    family = folder ? by_folder(folder) : NULL;
    *by = "by its folder";
    free(folder);
  }
  return family ? ns_problem_family_find(family) : NULL;
}

/* ---- the text -------------------------------------------------------------------------------- */

typedef struct text {
  char *s; /* ends with a 0 that n does not count */
  size_t n, cap;
} text;

static int grow(ns_ctx *c, text *t)
{
  size_t cap = t->cap ? 2 * t->cap : 1 << 16;
  char *s = realloc(t->s, cap);
  if (!s) return ns_nomem(c, "text of a problem file");
  t->s = s;
  t->cap = cap;
  return NS_OK;
}

static int take(ns_ctx *c, const char *shown, int fd, text *t)
{
  for (int rc = grow(c, t); !rc;) {
    ssize_t k = read(fd, t->s + t->n, t->cap - 1 - t->n);
    if (k < 0 && errno == EINTR) continue;
    if (k < 0) return ns_fail(c, NS_NOINPUT, "%s: cannot read: %s", shown, strerror(errno));
    t->n += (size_t)k;
    t->s[t->n] = 0;
    if (k == 0) return NS_OK;
    if (t->n > NS_PROBLEM_BYTES)
      return ns_fail(c, NS_MODEL, "%s: longer than %zu bytes, expected a smaller file", shown,
                     NS_PROBLEM_BYTES);
    if (t->n == t->cap - 1) rc = grow(c, t);
  }
  return c->rc;
}

static int read_text(ns_ctx *c, const char *path, text *t)
{
  struct stat st;
  int std = !strcmp(path, "-"), fd = std ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC), rc;
  if (fd < 0) return ns_fail(c, NS_NOINPUT, "%s: cannot read: %s", path, strerror(errno));
  if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
    rc = ns_fail(c, NS_NOINPUT, "%s: is a folder, expected a problem file", path);
  else rc = take(c, std ? "standard input" : path, fd, t);
  if (!std) close(fd);
  return rc;
}

/* ---- reading --------------------------------------------------------------------------------- */

void ns_problem_destroy(ns_problem *p)
{
  if (p) ns_arena_destroy(p->arena);
}

int ns_problem_parse(ns_ctx *c, const char *name, const char *s, size_t n,
                     const ns_problem_family *family, ns_problem **out)
{
  *out = NULL;
  ns_arena *a = ns_arena_create(0, 1);
  ns_problem *p = a ? ns_arena_zero(a, 1, sizeof *p) : NULL;
  ns_tokens t;
  int rc = p ? ns_tokens_init(&t, c, a, name, s, n) : ns_nomem(c, "problem");
  if (!rc) {
    *p = (ns_problem){.family = family, .by = "as --family says", .arena = a};
    family->read(&t, p);
    if (!t.rc && ns_tokens_word(&t, NS_PROBLEM_GUESS)) /* behind the last field */
      p->guess = ns_tokens_vector(&t, (size_t)p->n, 0, "the guess");
    rc = t.rc;
    ns_tokens_fini(&t);
  }
  if (rc) ns_arena_destroy(a);
  else *out = p;
  return rc;
}

/* Guessed, or said how to tell. */
static int find_family(ns_ctx *c, const char *path, const ns_problem_family **family,
                       const char **by)
{
  *by = "as --family says";
  if (*family) return NS_OK;
  *family = ns_problem_family_guess(path, by);
  size_t n = strlen(path);
  if (!*family && n > 4 && !strcmp(path + n - 4, ".xml"))
    return ns_fail(c, NS_USAGE,
                   "%s: is a model, expected a one-step problem; a model is run with nssim %s, and "
                   "--dump-problems DIR writes its problems",
                   path, path);
  return *family ? NS_OK
                 : ns_fail(c, NS_USAGE,
                           "%s: neither its name nor that of its folder determines the family of "
                           "the problem: give --family " NS_PROBLEM_FAMILIES,
                           strcmp(path, "-") ? path : "standard input");
}

int ns_problem_read(ns_ctx *c, const char *path, const ns_problem_family *family, ns_problem **out)
{
  text t = {0};
  const char *by;
  *out = NULL;
  int rc = read_text(c, path, &t);
  if (!rc && ns_fclib_is(t.s, t.n)) {
    free(t.s);
    if (strcmp(path, "-")) return ns_fclib_problem(c, path, family, out);
    return ns_fail(c, NS_USAGE,
                   "standard input: an HDF5 file cannot be read from there: give its name");
  }
  if (!rc) rc = find_family(c, path, &family, &by);
  if (!rc)
    rc = ns_problem_parse(c, strcmp(path, "-") ? path : "standard input", t.s, t.n, family, out);
  if (!rc) (*out)->by = by;
  free(t.s);
  return rc;
}
