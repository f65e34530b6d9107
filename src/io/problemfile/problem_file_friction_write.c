/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Friction problems to text files. */
#include "io/problemfile/problem_file_friction.h"

#include <math.h>
#include <stdio.h>

/* Unilateral rows, rows of equalities, or rows with bounds of their own. */
static int type_of(const ns_mechanical *p, int a)
{
  if (ns_generic_is_friction(p, a)) return p->W->dim[a] == 3 ? NS_GENERIC_SPACE : NS_GENERIC_PLANE;
  if (p->kind[a] == NS_BLOCK_BALL) return NS_GENERIC_BALL;
  if (p->kind[a] == NS_BLOCK_ROLLING)
    return p->W->dim[a] == 5 ? NS_GENERIC_ROLLING_SPACE : NS_GENERIC_ROLLING_PLANE;
  int i = p->W->first[a], free = p->lb[i] == -INFINITY;
  for (; i < p->W->first[a + 1]; i++)
    if (p->ub[i] != INFINITY || p->lb[i] != (free ? -INFINITY : 0)) return NS_GENERIC_RELAY;
  return free ? NS_GENERIC_EQUALITY : NS_GENERIC_LCP;
}

/* All blocks are of one kind, with friction or rolling, and of one size: what a list of contacts
 * can say. The kind; -1: they are not. */
static int common_kind(int nb, const int *dim, const unsigned char *kind)
{
  int first = kind && nb ? kind[0] : NS_BLOCK_FRICTION;
  for (int a = 0; a < nb; a++)
    if (dim[a] != dim[0] || (kind ? kind[a] : NS_BLOCK_FRICTION) != first) return -1;
  return first == NS_BLOCK_BOX || first == NS_BLOCK_BALL ? -1 : first;
}

const ns_problem_family *ns_problem_family_of_mechanical(const ns_mechanical *p)
{
  int d = p->W->nb ? p->W->dim[0] : 3;
  switch (common_kind(p->W->nb, p->W->dim, p->kind)) {
  case NS_BLOCK_FRICTION: return ns_problem_family_find(d == 2 ? "fc2d" : "fc3d");
  case NS_BLOCK_ROLLING: return ns_problem_family_find(d == 3 ? "rfc2d" : "rfc3d");
  default: return ns_problem_family_find("gmp");
  }
}

/* What types leave open: behind the last one, where other readers have stopped. */
static void put_laws(ns_textfile *f, ns_ctx *c, const ns_mechanical *p)
{
  int any = 0;
  for (int a = 0; a < p->W->nb; a++) {
    int type = type_of(p, a), i = p->W->first[a];
    size_t d = (size_t)p->W->dim[a];
    if (type != NS_GENERIC_PLANE && type != NS_GENERIC_RELAY && type != NS_GENERIC_BALL) continue;
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
    int rolls = type == NS_GENERIC_ROLLING_PLANE || type == NS_GENERIC_ROLLING_SPACE;
    if (type == NS_GENERIC_SPACE || rolls) ns_put_reals(f, c, 1, &p->mu[a]);
    if (rolls) ns_put_reals(f, c, 1, &p->mu_rolling[a]);
  }
  put_laws(f, c, p);
}

int ns_problem_write_mechanical(ns_ctx *c, const char *path, const ns_problem_family *family,
                                const ns_mechanical *p, const double *guess, const char *comment)
{
  ns_textfile f;
  int kind = common_kind(p->W->nb, p->W->dim, p->kind),
      contacts = kind >= 0 && family != ns_problem_family_find("gmp");
  int rc = ns_put_begin(c, path, &f);
  if (rc) return rc;
  if (contacts) {
    ns_put_integer(&f, c, p->W->nb ? p->W->dim[0] : 3, "\n");
    ns_put_integer(&f, c, p->W->nb, "\n");
  }
  ns_matrix_put_blocks(&f, c, p->W);
  ns_put_reals(&f, c, (size_t)p->W->m, p->q);
  if (contacts) ns_put_reals(&f, c, (size_t)p->W->nb, p->mu);
  if (contacts && kind == NS_BLOCK_ROLLING) ns_put_reals(&f, c, (size_t)p->W->nb, p->mu_rolling);
  if (!contacts) put_types(&f, c, p);
  return ns_put_end(&f, c, p->W->m, guess, comment);
}

/* H [n x m], which is held by its columns. */
static void put_directions(ns_textfile *f, ns_ctx *c, const ns_global *p)
{
  char s[160];
  int nnz = p->row[p->m];
  snprintf(s, sizeof s,
           "2\n%d\n%d\n1\nCSparse Version 3.2.0, written by nssim\ntriplet: %d-by-%d, nzmax: %d "
           "nnz: %d\n",
           p->M->m, p->m, p->M->m, p->m, nnz, nnz);
  ns_textfile_puts(f, c, s);
  for (int j = 0; j < p->m; j++)
    for (int k = p->row[j]; k < p->row[j + 1]; k++) {
      ns_put_integer(f, c, p->col[k], " ");
      ns_put_integer(f, c, j, " : ");
      ns_put_reals(f, c, 1, &p->val[k]);
    }
}

int ns_problem_write_global(ns_ctx *c, const char *path, const ns_global *p, const double *guess,
                            const char *comment)
{
  ns_textfile f;
  int rc, kind = common_kind(p->nb, p->dim, p->kind);
  if (kind < 0)
    return ns_fail(c, NS_MODEL,
                   "%s: a global problem with equalities cannot be written as text; expected a "
                   "name that ends in .hdf5",
                   path);
  if ((rc = ns_put_begin(c, path, &f))) return rc;
  ns_put_integer(&f, c, p->nb ? p->dim[0] : 3, "\n");
  ns_put_integer(&f, c, p->nb, "\n");
  ns_matrix_put_blocks(&f, c, p->M);
  put_directions(&f, c, p);
  ns_put_reals(&f, c, (size_t)p->M->m, p->q);
  ns_put_reals(&f, c, (size_t)p->m, p->b);
  ns_put_reals(&f, c, (size_t)p->nb, p->mu);
  if (kind == NS_BLOCK_ROLLING) ns_put_reals(&f, c, (size_t)p->nb, p->mu_rolling);
  return ns_put_end(&f, c, p->m, guess, comment);
}
