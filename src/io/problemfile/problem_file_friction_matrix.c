/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrices of friction problems: from dense, blocks and scalars to rows, and from rows to the
 * blocks of the contacts. */
#include "algebra/vector.h"
#include "io/problemfile/problem_file_friction.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(const ns_tokens *t) { return ns_nomem(t->c, "matrix of a problem"); }

static int *integers(ns_tokens *t, size_t n) { return ns_arena_zero(t->arena, n + 1, sizeof(int)); }

static int get(ns_tokens *t, int rows, int cols, size_t n, ns_matrix_rows *r)
{
  *r = (ns_matrix_rows){.rows = rows,
                        .cols = cols,
                        .row = integers(t, (size_t)rows + 1),
                        .col = integers(t, n),
                        .val = ns_arena_get(t->arena, n + 1, sizeof *r->val)};
  return n <= INT_MAX && r->row && r->col && r->val ? NS_OK : no_memory(t);
}

/* ---- to rows --------------------------------------------------------------------------------- */

static int rows_of_dense(ns_tokens *t, const ns_matrix *m, ns_matrix_rows *r)
{
  size_t n = 0, rows = (size_t)m->rows, all = rows * (size_t)m->cols;
  for (size_t k = 0; k < all; k++) n += m->dense[k] != 0;
  int rc = get(t, m->rows, m->cols, n, r), at = 0;
  for (int i = 0; i < m->rows && !rc; i++) {
    for (int j = 0; j < m->cols; j++) {
      double x = m->dense[(size_t)i + (size_t)j * rows];
      if (x == 0) continue;
      r->col[at] = j;
      r->val[at++] = x;
    }
    r->row[i + 1] = at;
  }
  return rc;
}

int ns_matrix_rows_of(ns_tokens *t, const ns_matrix *m, ns_matrix_rows *r)
{
  if (m->dense) return rows_of_dense(t, m, r);
  int rc = get(t, m->rows, m->cols, ns_matrix_entries(m), r), at = 0;
  for (int i = 0; i < m->nbr && !rc; i++) {
    int height = m->rfirst[i + 1] - m->rfirst[i];
    for (int s = 0; s < height; s++) {
      for (int k = m->row[i]; k < m->row[i + 1]; k++) {
        const double *v = m->val + m->off[k] + s;
        for (int j = m->cfirst[m->col[k]]; j < m->cfirst[m->col[k] + 1]; j++, v += height) {
          if (*v == 0) continue;
          r->col[at] = j;
          r->val[at++] = *v;
        }
      }
      r->row[m->rfirst[i] + s + 1] = at;
    }
  }
  return rc;
}

/* By a count of the columns, then of the rows: stable, so that sums are in the order of the list.
 */
int ns_matrix_rows_transpose(ns_tokens *t, const ns_matrix_rows *m, ns_matrix_rows *r)
{
  int n = m->row[m->rows], rc = get(t, m->cols, m->rows, (size_t)n, r);
  int *at = rc ? NULL : integers(t, (size_t)m->cols + 1);
  if (rc || !at) return no_memory(t);
  for (int k = 0; k < n; k++) at[m->col[k] + 1]++;
  ns_prefix_sums((size_t)m->cols, at);
  memcpy(r->row, at, ((size_t)m->cols + 1) * sizeof *at);
  for (int i = 0; i < m->rows; i++)
    for (int k = m->row[i]; k < m->row[i + 1]; k++) {
      int to = at[m->col[k]]++;
      r->col[to] = i;
      r->val[to] = m->val[k];
    }
  return NS_OK;
}

/* Neighbours in a row with one column become one, zeros none. */
static void merge(ns_matrix_rows *m)
{
  int to = 0, from = 0;
  for (int i = 0; i < m->rows; i++) {
    int end = m->row[i + 1];
    while (from < end) {
      int j = m->col[from];
      double sum = 0;
      for (; from < end && m->col[from] == j; from++) sum += m->val[from];
      if (sum == 0) continue;
      m->col[to] = j;
      m->val[to++] = sum;
    }
    m->row[i + 1] = to;
  }
}

int ns_matrix_rows_triplets(ns_tokens *t, int rows, int cols, int n, const int *i, const int *j,
                            const double *x, ns_matrix_rows *r)
{
  ns_matrix_rows by_row, by_col;
  int rc = get(t, rows, cols, (size_t)n, &by_row);
  int *at = rc ? NULL : integers(t, (size_t)rows + 1);
  if (rc || !at) return no_memory(t);
  for (int k = 0; k < n; k++) at[i[k] + 1]++;
  ns_prefix_sums((size_t)rows, at);
  memcpy(by_row.row, at, ((size_t)rows + 1) * sizeof *at);
  for (int k = 0; k < n; k++) {
    int to = at[i[k]]++;
    by_row.col[to] = j[k];
    by_row.val[to] = x[k];
  }
  if ((rc = ns_matrix_rows_transpose(t, &by_row, &by_col)) ||
      (rc = ns_matrix_rows_transpose(t, &by_col, r)))
    return rc;
  merge(r);
  return NS_OK;
}

/* ---- to blocks ------------------------------------------------------------------------------- */

int ns_matrix_rows_scalars(ns_tokens *t, const ns_matrix_rows *m, const ns_blocks **out)
{
  int n = m->row[m->rows];
  ns_blocks *b = ns_arena_zero(t->arena, 1, sizeof *b);
  if (!b) return no_memory(t);
  *out = b;
  *b = (ns_blocks){.nb = m->rows,
                   .m = m->rows,
                   .dim = integers(t, (size_t)m->rows),
                   .first = integers(t, (size_t)m->rows + 1),
                   .row = m->row,
                   .col = m->col,
                   .off = ns_arena_get(t->arena, (size_t)n + 1, sizeof *b->off),
                   .val = m->val};
  if (!b->dim || !b->first || !b->off) return no_memory(t);
  for (int i = 0; i < m->rows; i++) {
    b->dim[i] = 1;
    b->first[i + 1] = i + 1;
  }
  for (int k = 0; k < n; k++) b->off[k] = (size_t)k;
  return NS_OK;
}

typedef struct partition {
  int nb;
  const int *first;
  int *block; /* of a column [m] */
  int *seen;  /* last block row that met a block column [nb] */
  int *list;  /* [nb] */
} partition;

/* Block columns that block row i meets, and i: ascending in list; their number. */
static int meets(partition *p, const ns_matrix_rows *m, int i)
{
  int n = 0;
  p->seen[i] = i;
  p->list[n++] = i;
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

int ns_matrix_rows_partition(ns_tokens *t, const ns_matrix_rows *m, int nb, const int *first,
                             const ns_blocks **out)
{
  size_t n = (size_t)nb, values;
  ns_blocks *b = ns_arena_zero(t->arena, 1, sizeof *b);
  partition p = {nb, first, integers(t, (size_t)m->rows), integers(t, n), integers(t, n)};
  if (!b || !p.block || !p.seen || !p.list) return no_memory(t);
  *out = b;
  *b = (ns_blocks){.nb = nb,
                   .m = m->rows,
                   .dim = integers(t, n),
                   .first = integers(t, n + 1),
                   .row = integers(t, n + 1)};
  if (!b->dim || !b->first || !b->row) return no_memory(t);
  memcpy(b->first, first, (n + 1) * sizeof *first);
  for (int i = 0; i < nb; i++) {
    b->dim[i] = first[i + 1] - first[i];
    for (int r = first[i]; r < first[i + 1]; r++) p.block[r] = i;
  }
  structure(&p, m, b, 0, &values);
  b->col = integers(t, (size_t)b->row[nb]);
  b->off = ns_arena_get(t->arena, (size_t)b->row[nb] + 1, sizeof *b->off);
  b->val = ns_arena_zero(t->arena, values + 1, sizeof *b->val);
  if (!b->col || !b->off || !b->val) return no_memory(t);
  structure(&p, m, b, 1, &values);
  values_of(&p, m, b);
  return NS_OK;
}

int ns_friction_sizes(ns_tokens *t, int d, int nc, int p, int **first, int **dim)
{
  size_t nb = (size_t)nc + (size_t)p;
  int *f = integers(t, nb + 1), *s = dim ? integers(t, nb) : NULL;
  if (!f || (dim && !s)) return no_memory(t);
  for (int a = 0; a < nc + p; a++) {
    int rows = a < nc ? d : 1;
    f[a + 1] = f[a] + rows;
    if (s) s[a] = rows;
  }
  *first = f;
  if (dim) *dim = s;
  return NS_OK;
}
