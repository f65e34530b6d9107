/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Friction problems to text files. */
#include "io/problem_file_friction.h"

#include <math.h>
#include <stdio.h>

/* Types of generic mechanical blocks. */
enum { TYPE_LCP = 0, TYPE_EQUALITY = 2, TYPE_SPACE = 4, TYPE_NONE = -1 };

static int type_of(const ns_mechanical *p, int a)
{
  if (p->kind[a] == NS_BLOCK_FRICTION) return p->W->dim[a] == 3 ? TYPE_SPACE : TYPE_NONE;
  int i = p->W->first[a], free = p->lb[i] == -INFINITY;
  for (; i < p->W->first[a + 1]; i++)
    if (p->ub[i] != INFINITY || p->lb[i] != (free ? -INFINITY : 0)) return TYPE_NONE;
  return free ? TYPE_EQUALITY : TYPE_LCP;
}

static int one_size(const ns_blocks *W)
{
  for (int a = 1; a < W->nb; a++)
    if (W->dim[a] != W->dim[0]) return 0;
  return 1;
}

static int check(ns_ctx *c, const char *path, const ns_mechanical *p)
{
  if (!p->kind)
    return one_size(p->W) ? NS_OK : ns_fail(c, NS_MODEL, "%s: contacts in the plane and in space cannot be written into one file", path);
  for (int a = 0; a < p->W->nb; a++)
    if (type_of(p, a) == TYPE_NONE)
      return ns_fail(c, NS_MODEL, "%s: block %d is none that the format of generic mechanical problems can say: unilateral, equality "
                     "or friction in space", path, a);
  return NS_OK;
}

static void put_types(ns_textfile *f, ns_ctx *c, const ns_mechanical *p)
{
  for (int a = 0; a < p->W->nb; a++) {
    int type = type_of(p, a);
    ns_put_integer(f, c, type, "\n");
    if (type == TYPE_SPACE) ns_put_reals(f, c, 1, &p->mu[a]);
  }
}

int ns_problem_write_mechanical(ns_ctx *c, const char *path, const ns_mechanical *p, const char *comment)
{
  ns_textfile f;
  int rc = check(c, path, p);
  if (rc || (rc = ns_put_begin(c, path, &f))) return rc;
  if (!p->kind) {
    ns_put_integer(&f, c, p->W->nb ? p->W->dim[0] : 3, "\n");
    ns_put_integer(&f, c, p->W->nb, "\n");
  }
  ns_matrix_put_blocks(&f, c, p->W);
  ns_put_reals(&f, c, (size_t)p->W->m, p->q);
  if (p->kind) put_types(&f, c, p);
  else ns_put_reals(&f, c, (size_t)p->W->nb, p->mu);
  return ns_put_end(&f, c, comment);
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

int ns_problem_write_global(ns_ctx *c, const char *path, const ns_global *p, const char *comment)
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
  return ns_put_end(&f, c, comment);
}
