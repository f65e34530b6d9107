/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/target.h"

#include "io/csv.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NTARGETS = 3 };

static int same(const struct stat *a, const struct stat *b) { return a->st_dev == b->st_dev && a->st_ino == b->st_ino; }

/* Links and other spellings of a path lead to one inode. */
static int check_sources(ns_ctx *c, const char *target, const struct stat *t, const ns_model *m)
{
  struct stat s;
  for (int k = 0; k < m->nsources; k++) {
    const char *path = m->sources[k].path;
    int std = !strcmp(path, "-");
    if ((std ? fstat(STDIN_FILENO, &s) : stat(path, &s)) != 0 || !same(&s, t)) continue;
    return ns_fail(c, NS_NOCREATE, "%s: writing it would destroy %s, which the model is read from; give the output "
                   "another name", target, std ? "standard input" : path);
  }
  return NS_OK;
}

int ns_target_spare(ns_ctx *c, const char *output, const char *input, const char *what)
{
  struct stat s, t;
  int std = !strcmp(input, "-");
  if (stat(output, &t) != 0 || !S_ISREG(t.st_mode)) return NS_OK;
  if ((std ? fstat(STDIN_FILENO, &s) : stat(input, &s)) != 0 || !same(&s, &t)) return NS_OK;
  return ns_fail(c, NS_NOCREATE, "%s: writing it would destroy %s; give the output another name", output, what);
}

int ns_target_check(ns_ctx *c, const char *output, const ns_model *m)
{
  size_t n = strlen(output);
  int csv = n >= 4 && !strcmp(output + n - 4, ".csv"), rc = NS_OK;
  char *beside[NTARGETS] = {NULL};
  struct stat st;
  if (!strcmp(output, "-")) return NS_OK;
  for (int k = 0; k < (csv ? NTARGETS : 1) && !rc; k++) {
    static const char *const suffix[NTARGETS] = {".csv", ".events.csv", ".json"};
    if (csv && !(beside[k] = ns_csv_companion(output, suffix[k]))) rc = ns_nomem(c, "name of a companion file");
    const char *path = csv ? beside[k] : output;
    if (rc || stat(path, &st) != 0 || !S_ISREG(st.st_mode)) continue;
    rc = check_sources(c, path, &st, m);
  }
  for (int k = 0; k < NTARGETS; k++) free(beside[k]);
  return rc;
}
