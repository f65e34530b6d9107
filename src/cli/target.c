/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/target.h"

#include "base/claim.h"
#include "io/results/csv.h"
#include "simulation/record/sink.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int ns_target_sources(ns_ctx *c, const ns_model *m)
{
  int rc = NS_OK;
  for (int k = 0; k < m->nsources && !rc; k++)
    rc = ns_claim_read(c, m->sources[k].path, "which the model is read from");
  return rc;
}

/* PATH with a suffix behind it. */
static int claim_beside(ns_ctx *c, const char *path, const char *suffix, const char *what)
{
  size_t n = strlen(path) + strlen(suffix) + 1;
  char *name = malloc(n);
  if (!name) return ns_nomem(c, "name of an output");
  snprintf(name, n, "%s%s", path, suffix);
  int rc = ns_claim_write(c, name, what);
  free(name);
  return rc;
}

int ns_target_replaced(ns_ctx *c, const char *path, const char *what, int with_previous)
{
  int rc = ns_claim_write(c, path, what);
  if (!rc) rc = claim_beside(c, path, ".new", what);
  if (!rc && with_previous) rc = claim_beside(c, path, ".prev", what);
  return rc;
}

static int claim_companion(ns_ctx *c, const char *output, const char *suffix, const char *what)
{
  char *name = ns_csv_companion(output, suffix);
  int rc = name ? ns_claim_write(c, name, what) : ns_nomem(c, "name of a companion file");
  free(name);
  return rc;
}

int ns_target_output(ns_ctx *c, const char *output, const ns_model *m)
{
  size_t n = strlen(output);
  int is_csv = n >= 4 && !strcmp(output + n - 4, ".csv");
  if (!strcmp(output, "-")) return NS_OK;
  int rc = is_csv ? ns_claim_write(c, output, "the output")
                  : ns_target_replaced(c, output, "the output", 0);
  if (!is_csv) return rc ? rc : claim_beside(c, output, ".journal", "the journal of the output");
  if (!rc) rc = claim_companion(c, output, ".events.csv", "the events next to the output");
  if (!rc) rc = claim_companion(c, output, ".json", "the companion of the output");
  if (!rc) rc = claim_companion(c, output, ".json.new", "the companion of the output");
  if (!rc && ns_contacts_recorded(m))
    rc = claim_companion(c, output, ".contacts.csv", "the contacts next to the output");
  return rc;
}

/* The lock keeps another run from writing the file while it gets its new name. */
static int keep(ns_ctx *c, const char *path, const char *suffix)
{
  errno = 0;
  int fd = ns_claim_open_existing(c, path);
  if (fd < 0 && errno == ENOENT) return NS_OK;
  if (fd < 0) return c->rc;
  int rc = ns_claim_set_aside(c, path, suffix);
  close(fd);
  return rc;
}

/* Files that belong to a CSV output [COMPANIONS]. */
enum { COMPANIONS = 3 };
static const char *const companions[COMPANIONS] = {".events.csv", ".json", ".contacts.csv"};

static int count_companions(const char *output)
{
  size_t n = strlen(output);
  return n >= 4 && !strcmp(output + n - 4, ".csv") ? COMPANIONS : 0;
}

int ns_target_set_aside(ns_ctx *c, const char *output, const char *suffix)
{
  if (!strcmp(output, "-")) return NS_OK;
  int rc = keep(c, output, suffix);
  for (int k = 0; k < count_companions(output) && !rc; k++) {
    char *name = ns_csv_companion(output, companions[k]);
    rc = name ? keep(c, name, suffix) : ns_nomem(c, "name of a companion file");
    free(name);
  }
  return rc;
}

int ns_target_is_aside(const char *output, const char *suffix)
{
  if (!strcmp(output, "-")) return 0;
  int is = ns_claim_is_aside(output, suffix);
  for (int k = 0; k < count_companions(output) && !is; k++) {
    char *name = ns_csv_companion(output, companions[k]);
    is = name ? ns_claim_is_aside(name, suffix) : -1;
    free(name);
  }
  return is;
}
