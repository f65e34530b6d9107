/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problems to files. Every number is written with 17 digits: what is read back has the same bits.
 */
#include "io/problemfile/problem_file.h"
#include "io/problemfile/problem_file_matrix.h"

#include <stdio.h>

/* ---- pieces ---------------------------------------------------------------------------------- */

void ns_put_integer(ns_textfile *f, ns_ctx *c, long long x, const char *then)
{
  char s[32];
  snprintf(s, sizeof s, "%lld", x);
  ns_textfile_puts(f, c, s);
  ns_textfile_puts(f, c, then);
}

/* On a line of their own. */
void ns_put_reals(ns_textfile *f, ns_ctx *c, size_t n, const double *x)
{
  for (size_t i = 0; i < n; i++) {
    ns_textfile_put_number(f, c, x[i]);
    ns_textfile_put(f, c, i + 1 < n ? " " : "\n", 1);
  }
}

static void put_integers(ns_textfile *f, ns_ctx *c, size_t n, const int *x)
{
  for (size_t i = 0; i < n; i++) ns_put_integer(f, c, x[i], i + 1 < n ? " " : "\n");
}

/* Sizes on lines, as the peers of this format write them. */
static void put_head(ns_textfile *f, ns_ctx *c, int storage, int rows, int cols)
{
  ns_put_integer(f, c, storage, "\n");
  ns_put_integer(f, c, rows, "\n");
  ns_put_integer(f, c, cols, "\n");
}

/* Writing; text goes out with 17 digits, so that what is read back has the same bits. */
static int put_dense(ns_textfile *f, ns_ctx *c, int rows, int cols, const double *dense, int ld)
{
  put_head(f, c, 0, rows, cols);
  ns_put_integer(f, c, rows, " ");
  ns_put_integer(f, c, cols, "\n");
  for (int j = 0; j < cols; j++) ns_put_reals(f, c, (size_t)rows, dense + (size_t)j * (size_t)ld);
  return f->failed;
}

static void put_triplets(ns_textfile *f, ns_ctx *c, const ns_blocks *A)
{
  char s[96];
  int nnz = A->row[A->nb];
  ns_put_integer(f, c, 1, "\nCSparse Version 3.2.0, written by nssim\n");
  snprintf(s, sizeof s, "triplet: %d-by-%d, nzmax: %d nnz: %d\n", A->m, A->m, nnz, nnz);
  ns_textfile_puts(f, c, s);
  for (int i = 0; i < A->nb; i++)
    for (int k = A->row[i]; k < A->row[i + 1]; k++) {
      ns_put_integer(f, c, i, " ");
      ns_put_integer(f, c, A->col[k], " : ");
      ns_put_reals(f, c, 1, A->val + A->off[k]);
    }
}

static void put_block_list(ns_textfile *f, ns_ctx *c, const ns_blocks *A)
{
  int n = A->row[A->nb], number = 0;
  ns_put_integer(f, c, n, "\n");
  ns_put_integer(f, c, A->nb, "\n");
  ns_put_integer(f, c, A->nb, "\n");
  for (int both = 0; both < 2; both++) put_integers(f, c, (size_t)A->nb, A->first + 1);
  ns_put_integer(f, c, A->nb + 1, "\n");
  ns_put_integer(f, c, n, "\n");
  put_integers(f, c, (size_t)A->nb + 1, A->row);
  put_integers(f, c, (size_t)n, A->col);
  for (int i = 0; i < A->nb; i++)
    for (int k = A->row[i]; k < A->row[i + 1]; k++) {
      ns_put_integer(f, c, number++, "\n");
      ns_put_reals(f, c, (size_t)A->dim[i] * (size_t)A->dim[A->col[k]], A->val + A->off[k]);
    }
}

int ns_matrix_put_blocks(ns_textfile *f, ns_ctx *c, const ns_blocks *A)
{
  /* a list of no blocks could not say their sizes */
  int scalars = A->nb == A->m || A->row[A->nb] == 0;
  put_head(f, c, scalars ? 2 : 1, A->m, A->m);
  if (scalars) put_triplets(f, c, A);
  else put_block_list(f, c, A);
  return f->failed;
}

/* ---- problems -------------------------------------------------------------------------------- */

static void put_map(ns_textfile *f, ns_ctx *c, const ns_avi *p)
{
  if (p->dense) put_dense(f, c, p->n, p->n, p->dense, p->ld);
  else ns_matrix_put_blocks(f, c, p->blocks);
  ns_put_reals(f, c, (size_t)p->n, p->q);
}

/* Row i is of another kind than the one before. */
static int turns(const ns_avi *p, int i) { return (p->lb[i] == 0) != (p->lb[i - 1] == 0); }

/* Rows of one kind side by side make a block: the ends of all, then their kinds. */
static void put_kinds(ns_textfile *f, ns_ctx *c, const ns_avi *p)
{
  ns_put_integer(f, c, 0, "");
  for (int i = 1; i <= p->n; i++)
    if (i == p->n || turns(p, i)) {
      ns_textfile_puts(f, c, " ");
      ns_put_integer(f, c, i, "");
    }
  ns_textfile_puts(f, c, "\n");
  for (int i = 0; i < p->n; i++)
    if (i == 0 || turns(p, i)) ns_put_integer(f, c, p->lb[i] == 0, " ");
  ns_textfile_puts(f, c, "\n");
}

/* Flags of the records, sizes, kinds of the rows. */
static void put_mlcp_head(ns_textfile *f, ns_ctx *c, const ns_avi *p)
{
  int m = 0;
  for (int i = 0; i < p->n; i++) m += p->lb[i] == 0;
  ns_textfile_puts(f, c, "1\n0\n");
  ns_put_integer(f, c, p->n - m, "\n");
  ns_put_integer(f, c, m, "\n");
  put_kinds(f, c, p);
}

/* Behind the last field readers look at nothing, but ours for the guess. */
int ns_put_end(ns_textfile *f, ns_ctx *c, int n, const double *guess, const char *comment)
{
  if (guess) {
    ns_textfile_puts(f, c, NS_PROBLEM_GUESS "\n");
    ns_put_reals(f, c, (size_t)n, guess);
  }
  if (comment) {
    ns_textfile_puts(f, c, "# ");
    ns_textfile_puts(f, c, comment);
    ns_textfile_puts(f, c, "\n");
  }
  return ns_textfile_close(f, c);
}

int ns_put_begin(ns_ctx *c, const char *path, ns_textfile *f)
{
  int rc = ns_textfile_open(c, path, f);
  if (!rc && (rc = ns_textfile_truncate(f, c))) ns_textfile_abandon(f);
  return rc;
}

const ns_problem_family *ns_problem_family_of(const ns_avi *p)
{
  switch (ns_avi_classify(p->n, p->lb, p->ub)) {
  case NS_AVI_LCP: return ns_problem_family_find("lcp");
  case NS_AVI_LINEAR:
  case NS_AVI_MLCP: return ns_problem_family_find("mlcp");
  case NS_AVI_BOX: break;
  }
  return ns_problem_family_find("relay");
}

/* Families from the narrowest to the widest: each can say what those before it can. */
static int width(const ns_problem_family *f)
{
  return *f->name == 'l' ? 0 : *f->name == 'm' ? 1 : 2;
}

int ns_problem_write_box(ns_ctx *c, const char *path, const ns_problem_family *family,
                         const ns_avi *p, const double *guess, const char *comment)
{
  ns_textfile f;
  const ns_problem_family *min = ns_problem_family_of(p);
  if (!family) family = min;
  if (family->form != NS_PROBLEM_BOX || width(family) < width(min))
    return ns_fail(
        c, NS_MODEL,
        "%s: the bounds of the problem make it a %s problem, which cannot be written as %s", path,
        min->title, family->title);
  int rc = ns_put_begin(c, path, &f), w = width(family);
  if (rc) return rc;
  if (w == 1) put_mlcp_head(&f, c, p);
  else ns_put_integer(&f, c, p->n, "\n");
  put_map(&f, c, p);
  if (w == 2) {
    ns_put_reals(&f, c, (size_t)p->n, p->lb);
    ns_put_reals(&f, c, (size_t)p->n, p->ub);
  }
  return ns_put_end(&f, c, p->n, guess, comment);
}

int ns_problem_write_polyhedron(ns_ctx *c, const char *path, const ns_polyhedral *p,
                                const double *guess, const char *comment)
{
  ns_textfile f;
  int rc = ns_put_begin(c, path, &f);
  if (rc) return rc;
  ns_put_integer(&f, c, p->n, "\n");
  put_dense(&f, c, p->n, p->n, p->M, p->n);
  ns_put_reals(&f, c, (size_t)p->n, p->q);
  ns_put_integer(&f, c, p->p, "\n");
  put_dense(&f, c, p->p, p->n, p->H, p->p);
  ns_put_reals(&f, c, (size_t)p->p, p->k);
  return ns_put_end(&f, c, p->n, guess, comment);
}

static int write_cones(ns_ctx *c, const char *path, const ns_soclcp *p, const double *guess,
                       const char *comment)
{
  ns_textfile f;
  int rc = ns_put_begin(c, path, &f);
  if (rc) return rc;
  ns_put_integer(&f, c, p->n, "\n");
  ns_put_integer(&f, c, p->nc, "\n");
  put_dense(&f, c, p->n, p->n, p->M, p->n);
  ns_put_reals(&f, c, (size_t)p->n, p->q);
  put_integers(&f, c, (size_t)p->nc + 1, p->first);
  ns_put_reals(&f, c, (size_t)p->nc, p->tau);
  return ns_put_end(&f, c, p->n, guess, comment);
}

int ns_problem_write(ns_ctx *c, const char *path, const ns_problem *p, const char *comment)
{
  if (p->family->form == NS_PROBLEM_MECHANICAL)
    return ns_problem_write_mechanical(c, path, p->family, &p->mechanical, p->guess, comment);
  if (p->family->form == NS_PROBLEM_GLOBAL)
    return ns_problem_write_global(c, path, &p->global, p->guess, comment);
  if (p->family->form == NS_PROBLEM_CONES)
    return write_cones(c, path, &p->cones, p->guess, comment);
  if (p->family->form == NS_PROBLEM_POLYHEDRON)
    return ns_problem_write_polyhedron(c, path, &p->polyhedron, p->guess, comment);
  return ns_problem_write_box(c, path, p->family, &p->box, p->guess, comment);
}
