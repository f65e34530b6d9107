/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/problemfile/problem_file_solution.h"

#include "io/hdf5_module.h"
#include "io/number.h"
#include "io/textfile.h"

#include <stdio.h>

const char *ns_problem_storage(const ns_problem *p)
{
  if (p->family->form == NS_PROBLEM_MECHANICAL) return "blocks";
  if (p->family->form == NS_PROBLEM_GLOBAL) return "sparse";
  const ns_blocks *b = p->family->form == NS_PROBLEM_BOX ? p->box.blocks : NULL;
  return !b ? "dense" : b->nb < b->m ? "blocks" : "sparse";
}

static int of_contacts(const ns_problem *p)
{
  return p->family->form == NS_PROBLEM_MECHANICAL || p->family->form == NS_PROBLEM_GLOBAL;
}

const char *ns_problem_z(const ns_problem *p) { return of_contacts(p) ? "r" : "z"; }
const char *ns_problem_w(const ns_problem *p) { return of_contacts(p) ? "u" : "w"; }

static void head(ns_textfile *f, ns_ctx *c, const char *name, const char *value)
{
  char s[32];
  snprintf(s, sizeof s, "# %-10s ", name);
  ns_textfile_puts(f, c, s);
  ns_textfile_puts(f, c, value);
  ns_textfile_puts(f, c, "\n");
}

static void head_integer(ns_textfile *f, ns_ctx *c, const char *name, int value)
{
  char s[16];
  snprintf(s, sizeof s, "%d", value);
  head(f, c, name, s);
}

static void head_real(ns_textfile *f, ns_ctx *c, const char *name, double value)
{
  char s[NS_NUMBER_SIZE];
  ns_number_format(value, s);
  head(f, c, name, s);
}

/* Columns side by side, b may be NULL. */
static void table(ns_textfile *f, ns_ctx *c, const char *title, int n, const double *a,
                  const double *b)
{
  char s[16];
  ns_textfile_puts(f, c, title);
  for (int i = 0; i < n; i++) {
    snprintf(s, sizeof s, "%d ", i);
    ns_textfile_puts(f, c, s);
    ns_textfile_put_number(f, c, a[i]);
    if (b) ns_textfile_puts(f, c, " ");
    if (b) ns_textfile_put_number(f, c, b[i]);
    ns_textfile_puts(f, c, "\n");
  }
}

int ns_problem_solution_text(ns_ctx *c, const char *path, const ns_problem_solution *s)
{
  ns_textfile f;
  int rc = ns_textfile_open(c, path, &f);
  if (rc) return rc;
  if ((rc = ns_textfile_truncate(&f, c))) {
    ns_textfile_abandon(&f);
    return rc;
  }
  head(&f, c, "problem", s->file);
  head(&f, c, "family", s->problem->family->name);
  head_integer(&f, c, "unknowns", s->problem->n);
  head(&f, c, "status", s->status);
  if (*s->message) head(&f, c, "message", s->message);
  head(&f, c, "solver", s->solver);
  head_integer(&f, c, "iterations", s->iterations);
  head_real(&f, c, "residual", s->residual);
  head_real(&f, c, "tolerance", s->tolerance);
  if (s->z)
    table(&f, c, of_contacts(s->problem) ? "# row r u\n" : "# row z w\n", s->problem->n, s->z,
          s->w);
  if (s->mu) table(&f, c, "\n\n# row mu\n", s->nmu, s->mu, NULL);
  if (s->v) table(&f, c, "\n\n# row v\n", s->nv, s->v, NULL);
  return ns_textfile_close(&f, c);
}

int ns_problem_solution_hdf5(ns_ctx *c, const char *path, const ns_problem_solution *s)
{
  const ns_hdf5_module *m = ns_hdf5_module_load(c, NS_NOCREATE);
  return m ? m->solution(c, path, s) : c->rc;
}
