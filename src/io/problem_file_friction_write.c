/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Friction problems to text files. */
#include "io/problem_file_friction.h"

#include <math.h>
#include <stdio.h>

/* Unilateral rows, rows of equalities, or rows with bounds of their own. */
static int type_of(const ns_mechanical *p, int a)
{
  if (ns_generic_is_friction(p, a)) return p->W->dim[a] == 3 ? NS_GENERIC_SPACE : NS_GENERIC_PLANE;
  int i = p->W->first[a], free = p->lb[i] == -INFINITY;
  for (; i < p->W->first[a + 1]; i++)
    if (p->ub[i] != INFINITY || p->lb[i] != (free ? -INFINITY : 0)) return NS_GENERIC_RELAY;
  return free ? NS_GENERIC_EQUALITY : NS_GENERIC_LCP;
}

/* Friction alone, in blocks of one size. */
static int is_friction(const ns_mechanical *p)
{
  for (int a = 0; a < p->W->nb; a++)
    if (p->W->dim[a] != p->W->dim[0] || !ns_generic_is_friction(p, a)) return 0;
  return 1;
}

const ns_problem_family *ns_problem_family_of_mechanical(const ns_mechanical *p)
{
  if (!is_friction(p)) return ns_problem_family_find("gmp");
  return ns_problem_family_find(p->W->nb && p->W->dim[0] == 2 ? "fc2d" : "fc3d");
}

/* What types leave open: behind the last one, where other readers have stopped. */
static void put_laws(ns_textfile *f, ns_ctx *c, const ns_mechanical *p)
{
  int any = 0;
  for (int a = 0; a < p->W->nb; a++) {
    int type = type_of(p, a), i = p->W->first[a];
    size_t d = (size_t)p->W->dim[a];
    if (type != NS_GENERIC_PLANE && type != NS_GENERIC_RELAY) continue;
    if (!any++) ns_textfile_puts(f, c, NS_GENERIC_LAWS "\n");
    if (type == NS_GENERIC_PLANE) ns_put_reals(f, c, 1, &p->mu[a]);
    else ns_put_reals(f, c, d, p->lb + i), ns_put_reals(f, c, d, p->ub + i);
  }
}

static void put_types(ns_textfile *f, ns_ctx *c, const ns_mechanical *p)
{
  for (int a = 0; a < p->W->nb; a++) {
    int type = type_of(p, a);
    ns_put_integer(f, c, type, "\n");
    if (type == NS_GENERIC_SPACE) ns_put_reals(f, c, 1, &p->mu[a]);
  }
  put_laws(f, c, p);
}

int ns_problem_write_mechanical(ns_ctx *c, const char *path, const ns_problem_family *family, const ns_mechanical *p,
                                const double *guess, const char *comment)
{
  ns_textfile f;
  int friction = is_friction(p) && family != ns_problem_family_find("gmp"), rc = ns_put_begin(c, path, &f);
  if (rc) return rc;
  if (friction) {
    ns_put_integer(&f, c, p->W->nb ? p->W->dim[0] : 3, "\n");
    ns_put_integer(&f, c, p->W->nb, "\n");
  }
  ns_matrix_put_blocks(&f, c, p->W);
  ns_put_reals(&f, c, (size_t)p->W->m, p->q);
  if (friction) ns_put_reals(&f, c, (size_t)p->W->nb, p->mu);
  else put_types(&f, c, p);
  return ns_put_end(&f, c, p->W->m, guess, comment);
}

/* H [n x m], which is held by its columns. */
static void put_directions(ns_textfile *f, ns_ctx *c, const ns_global *p)
{
  char s[160];
  int nnz = p->row[p->m];
  snprintf(s, sizeof s, "2\n%d\n%d\n1\nCSparse Version 3.2.0, written by nssim\ntriplet: %d-by-%d, nzmax: %d nnz: %d\n", p->M->m, p->m,
           p->M->m, p->m, nnz, nnz);
  ns_textfile_puts(f, c, s);
  for (int j = 0; j < p->m; j++)
    for (int k = p->row[j]; k < p->row[j + 1]; k++) {
      ns_put_integer(f, c, p->col[k], " ");
      ns_put_integer(f, c, j, " : ");
      ns_put_reals(f, c, 1, &p->val[k]);
    }
}

int ns_problem_write_global(ns_ctx *c, const char *path, const ns_global *p, const double *guess, const char *comment)
{
  ns_textfile f;
  int rc;
  if (p->kind)
    return ns_fail(c, NS_MODEL, "%s: a global problem with equalities cannot be written as text; expected a name that ends in .hdf5", path);
  if ((rc = ns_put_begin(c, path, &f))) return rc;
  ns_put_integer(&f, c, p->nb ? p->dim[0] : 3, "\n");
  ns_put_integer(&f, c, p->nb, "\n");
  ns_matrix_put_blocks(&f, c, p->M);
  put_directions(&f, c, p);
  ns_put_reals(&f, c, (size_t)p->M->m, p->q);
  ns_put_reals(&f, c, (size_t)p->m, p->b);
  ns_put_reals(&f, c, (size_t)p->nb, p->mu);
  return ns_put_end(&f, c, p->m, guess, comment);
}
