/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices by rows: from dense numbers and entries, and to the blocks of the contacts. */
#include "algebra/vector.h"
#include "io/problemfile/problem_file_friction.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int *integers(ns_tokens *t, size_t n) { return ns_tokens_get(t, n, sizeof(int)); }

static ns_matrix_rows get(ns_tokens *t, int rows, int cols, size_t n)
{
  if (n > INT_MAX && !t->rc) t->rc = ns_nomem(t->c, "matrix of a problem");
  return (ns_matrix_rows){.rows = rows,
                          .cols = cols,
                          .row = integers(t, (size_t)rows),
                          .col = integers(t, n),
                          .val = ns_tokens_get(t, n, sizeof(double))};
}

/* ---- to rows --------------------------------------------------------------------------------- */

/* Neighbours in a row with one column become one, zeros none unless they stay. */
static void merge(ns_matrix_rows *m, int zeros)
{
  int to = 0, from = 0;
  for (int i = 0; i < m->rows; i++) {
    int end = m->row[i + 1];
    while (from < end) {
      int j = m->col[from];
      double sum = m->val[from++]; /* -0, too, as it is */
      for (; from < end && m->col[from] == j; from++) sum += m->val[from];
      if (sum == 0 && !zeros) continue;
      m->col[to] = j;
      m->val[to++] = sum;
    }
    m->row[i + 1] = to;
  }
}

ns_matrix_rows ns_matrix_rows_of(ns_tokens *t, const ns_matrix *m)
{
  size_t n = 0, rows = (size_t)m->rows, all = rows * (size_t)m->cols;
  int at = 0;
  if (!m->dense) {
    ns_matrix_rows own = m->by_rows;
    if (!t->rc) merge(&own, 0);
    return own;
  }
  for (size_t k = 0; k < all && !t->rc; k++) n += m->dense[k] != 0;
  ns_matrix_rows r = get(t, m->rows, m->cols, n);
  for (int i = 0; i < m->rows && !t->rc; i++) {
    for (int j = 0; j < m->cols; j++) {
      double x = m->dense[(size_t)i + (size_t)j * rows];
      if (x == 0) continue;
      r.col[at] = j;
      r.val[at++] = x;
    }
    r.row[i + 1] = at;
  }
  return r;
}

/* Entries by a count of their rows: stable, so that sums are in the order of the list. */
static ns_matrix_rows sorted(ns_tokens *t, int rows, int cols, int n, const int *i, const int *j,
                             const double *x)
{
  ns_matrix_rows r = get(t, rows, cols, (size_t)n);
  int *at = integers(t, (size_t)rows);
  if (t->rc) return r;
  for (int k = 0; k < n; k++) at[i[k] + 1]++;
  ns_prefix_sums((size_t)rows, at);
  memcpy(r.row, at, ((size_t)rows + 1) * sizeof *at);
  for (int k = 0; k < n; k++) {
    int to = at[i[k]]++;
    r.col[to] = j[k];
    r.val[to] = x[k];
  }
  return r;
}

ns_matrix_rows ns_matrix_rows_transpose(ns_tokens *t, const ns_matrix_rows *m)
{
  int n = t->rc ? 0 : m->row[m->rows], *of = integers(t, (size_t)n);
  for (int i = 0; i < m->rows && !t->rc; i++)
    for (int k = m->row[i]; k < m->row[i + 1]; k++) of[k] = i;
  return sorted(t, m->cols, m->rows, n, m->col, of, m->val);
}

ns_matrix_rows ns_matrix_rows_triplets(ns_tokens *t, int rows, int cols, int n, const int *i,
                                       const int *j, const double *x, int zeros)
{
  ns_matrix_rows by_row = sorted(t, rows, cols, n, i, j, x),
                 by_col = ns_matrix_rows_transpose(t, &by_row),
                 r = ns_matrix_rows_transpose(t, &by_col);
  if (!t->rc) merge(&r, zeros);
  return r;
}

/* ---- to blocks ------------------------------------------------------------------------------- */

const ns_blocks *ns_matrix_rows_scalars(ns_tokens *t, const ns_matrix_rows *m)
{
  int n = t->rc ? 0 : m->row[m->rows];
  ns_blocks *b = ns_tokens_get(t, 1, sizeof *b);
  if (!b) return NULL;
  *b = (ns_blocks){.nb = m->rows,
                   .m = m->rows,
                   .dim = integers(t, (size_t)m->rows),
                   .first = integers(t, (size_t)m->rows),
                   .row = m->row,
                   .col = m->col,
                   .off = ns_tokens_get(t, (size_t)n, sizeof *b->off),
                   .val = m->val};
  for (int i = 0; i < m->rows && !t->rc; i++) {
    b->dim[i] = 1;
    b->first[i + 1] = i + 1;
  }
  for (int k = 0; k < n && !t->rc; k++) b->off[k] = (size_t)k;
  return b;
}

typedef struct partition {
  int nb;
  const int *first;
  int diagonal; /* all diagonal blocks are there */
  int *block;   /* of a column [m] */
  int *seen;    /* last block row that met a block column [nb] */
  int *list;    /* [nb] */
} partition;

/* Block columns that block row i meets, and i where it is always there: ascending in list; their
 * number. */
static int meets(partition *p, const ns_matrix_rows *m, int i)
{
  int n = p->diagonal;
  if (n) p->seen[i] = p->list[0] = i;
  for (int k = m->row[p->first[i]]; k < m->row[p->first[i + 1]]; k++) {
    int j = p->block[m->col[k]];
    if (p->seen[j] == i) continue;
    p->seen[j] = i;
    p->list[n++] = j;
  }
  qsort(p->list, (size_t)n, sizeof *p->list, ns_ascending);
  return n;
}

/* Structure, counted in the first pass, filled in the second; *values: numbers of all blocks. */
static void structure(partition *p, const ns_matrix_rows *m, ns_blocks *b, int fill, size_t *values)
{
  *values = 0;
  ns_fill_ints((size_t)p->nb, -1, p->seen);
  for (int i = 0; i < p->nb; i++) {
    int n = meets(p, m, i);
    b->row[i + 1] = b->row[i] + n;
    for (int k = 0; k < n; k++) {
      if (fill) {
        b->col[b->row[i] + k] = p->list[k];
        b->off[b->row[i] + k] = *values;
      }
      *values += (size_t)b->dim[i] * (size_t)b->dim[p->list[k]];
    }
  }
}

static void values_of(const partition *p, const ns_matrix_rows *m, const ns_blocks *b)
{
  for (int i = 0; i < p->nb; i++)
    for (int r = p->first[i]; r < p->first[i + 1]; r++)
      for (int k = m->row[r]; k < m->row[r + 1]; k++) {
        int j = p->block[m->col[k]];
        double *B = ns_blocks_at(b, i, j);
        B[(r - p->first[i]) + (m->col[k] - p->first[j]) * b->dim[i]] = m->val[k];
      }
}

const ns_blocks *ns_matrix_rows_partition(ns_tokens *t, const ns_matrix_rows *m, int nb,
                                          const int *first, int diagonal)
{
  size_t n = (size_t)nb, values;
  ns_blocks *b = ns_tokens_get(t, 1, sizeof *b);
  partition p = {nb, first, diagonal, integers(t, (size_t)m->rows), integers(t, n), integers(t, n)};
  if (t->rc) return NULL;
  *b = (ns_blocks){.nb = nb,
                   .m = m->rows,
                   .dim = integers(t, n),
                   .first = integers(t, n),
                   .row = integers(t, n)};
  if (t->rc) return NULL;
  memcpy(b->first, first, (n + 1) * sizeof *first);
  for (int i = 0; i < nb; i++) {
    b->dim[i] = first[i + 1] - first[i];
    for (int r = first[i]; r < first[i + 1]; r++) p.block[r] = i;
  }
  structure(&p, m, b, 0, &values);
  b->col = integers(t, (size_t)b->row[nb]);
  b->off = ns_tokens_get(t, (size_t)b->row[nb], sizeof *b->off);
  b->val = ns_tokens_get(t, values, sizeof *b->val);
  if (t->rc) return NULL;
  structure(&p, m, b, 1, &values);
  values_of(&p, m, b);
  return b;
}

void ns_friction_sizes(ns_tokens *t, int d, int nc, int p, int **first, int **dim)
{
  size_t nb = (size_t)nc + (size_t)p;
  int *f = *first = integers(t, nb), *s = dim ? integers(t, nb) : NULL;
  if (dim) *dim = s;
  for (int a = 0; a < nc + p && !t->rc; a++) {
    int rows = a < nc ? d : 1;
    f[a + 1] = f[a] + rows;
    if (s) s[a] = rows;
  }
}
