/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/results/run_table.h"

#include "io/hdf5_module.h"
#include "io/textfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *ns_run_status_text(ns_run_status s)
{
  static const char *const text[NS_RUN_STATUSES] = {"missing", "complete", "failed"};
  return text[s];
}

static int put_head(ns_ctx *c, ns_textfile *f, const ns_run_table *t)
{
  char index[32];
  int rc = ns_textfile_puts(f, c, "run,key,status");
  for (int k = 0; k < t->ncolumns && !rc; k++)
    for (size_t i = 0; i < t->column[k].n && !rc; i++) {
      size_t len = strlen(t->column[k].name) + sizeof index;
      char *name = malloc(len);
      if (!name) return ns_nomem(c, "table of results");
      snprintf(index, sizeof index, "[%zu]", i);
      snprintf(name, len, "%s%s", t->column[k].name, t->column[k].array ? index : "");
      rc = ns_textfile_put(f, c, ",", 1);
      if (!rc) rc = ns_textfile_put_field(f, c, name);
      free(name);
    }
  return rc ? rc : ns_textfile_put(f, c, "\n", 1);
}

static int put_word(ns_ctx *c, ns_textfile *f, const ns_run_column *k, double x)
{
  return x >= 0 && x < k->nwords ? ns_textfile_put_field(f, c, k->word[(int)x]) : NS_OK;
}

static int put_row(ns_ctx *c, ns_textfile *f, const ns_run_table *t, long long k)
{
  char head[128];
  snprintf(head, sizeof head, "%lld,%s,%s", k + 1, t->key[k],
           ns_run_status_text((ns_run_status)t->status[k]));
  int rc = ns_textfile_puts(f, c, head);
  for (int j = 0; j < t->ncolumns && !rc; j++)
    for (size_t i = 0; i < t->column[j].n && !rc; i++) {
      double x = t->value[(size_t)k * t->width + t->column[j].at + i];
      rc = ns_textfile_put(f, c, ",", 1);
      if (!rc)
        rc = t->column[j].nwords ? put_word(c, f, &t->column[j], x)
                                 : ns_textfile_put_number(f, c, x);
    }
  return rc ? rc : ns_textfile_put(f, c, "\n", 1);
}

static int move(ns_ctx *c, const char *from, const char *to)
{
  if (rename(from, to) == 0) return NS_OK;
  return ns_fail(c, NS_OUTPUT, "%s: cannot replace it: %s", to, strerror(errno));
}

/* A name beside it; malloced. */
static char *beside(ns_ctx *c, const char *path)
{
  size_t n = strlen(path) + 40;
  char *s = malloc(n);
  if (s) snprintf(s, n, "%s.%ld", path, (long)getpid());
  else ns_nomem(c, "name of a file");
  return s;
}

int ns_run_table_csv(ns_ctx *c, const char *path, const ns_run_table *t)
{
  ns_textfile f;
  char *other = beside(c, path);
  if (!other) return NS_NOMEM;
  int rc = ns_textfile_open(c, other, &f);
  if (!rc) {
    rc = ns_textfile_truncate(&f, c);
    if (!rc) rc = put_head(c, &f, t);
    for (long long k = 0; k < t->nruns && !rc; k++) rc = put_row(c, &f, t, k);
    int closed = ns_textfile_close(&f, c);
    if (!rc) rc = closed;
    if (!rc) rc = move(c, other, path);
    if (rc) unlink(other);
  }
  free(other);
  return rc;
}

int ns_run_table_h5(ns_ctx *c, const char *path, const ns_run_table *t)
{
  const ns_hdf5_module *m = ns_hdf5_module_load(c, NS_NOCREATE);
  char *other = m ? beside(c, path) : NULL;
  if (!other) return m ? NS_NOMEM : c->rc;
  int rc = m->runs(c, other, t);
  if (!rc) rc = move(c, other, path);
  if (rc) unlink(other);
  free(other);
  return rc;
}
