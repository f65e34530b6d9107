/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading: the record is taken as it stands in the file, then brought into order. */
#include "io/problemfile/problem_file_matrix.h"

#include "algebra/vector.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(const ns_tokens *t) { return ns_nomem(t->c, "matrix of a problem"); }

/* ---- 0: dense -------------------------------------------------------------------------------- */

static int read_dense(ns_tokens *t, const char *name, ns_matrix *m)
{
  int again, rc;
  char what[96];
  snprintf(what, sizeof what, "the number of rows of %s again", name);
  if ((rc = ns_tokens_integer(t, m->rows, m->rows, &again, what))) return rc;
  snprintf(what, sizeof what, "the number of columns of %s again", name);
  if ((rc = ns_tokens_integer(t, m->cols, m->cols, &again, what))) return rc;
  if ((rc = ns_tokens_capacity(t, (size_t)m->rows, (size_t)m->cols, name))) return rc;
  return ns_tokens_vector(t, (size_t)m->rows * (size_t)m->cols, 0, &m->dense, name);
}

/* ---- 1: blocks ------------------------------------------------------------------------------- */

/* Ends of n block rows or columns, ascending, the last one `size`: to first [n+1]. */
static int read_ends(ns_tokens *t, const char *what, int n, int size, int **first)
{
  int rc = ns_tokens_capacity(t, (size_t)n, 1, what);
  if (rc) return rc;
  int *f = ns_arena_get(t->arena, (size_t)n + 1, sizeof *f);
  if (!f) return no_memory(t);
  f[0] = 0;
  for (int i = 0; i < n && !rc; i++)
    rc = i + 1 < n ? ns_tokens_integer(t, f[i] + 1, size - 1, &f[i + 1], what)
                   : ns_tokens_integer(t, size, size, &f[i + 1], what);
  *first = f;
  return rc;
}

/* Where the block rows begin in the list of blocks [nbr+1], and the block column of each. */
static int read_structure(ns_tokens *t, ns_matrix *m, int nblocks)
{
  int n, rc = ns_tokens_integer(t, m->nbr + 1, m->nbr + 1, &n,
                                "one more than the number of block rows");
  if (!rc) rc = ns_tokens_integer(t, nblocks, nblocks, &n, "the number of blocks again");
  if (!rc)
    rc = ns_tokens_capacity(t, (size_t)nblocks + (size_t)m->nbr + 1, 1,
                            "the structure of the blocks");
  if (rc) return rc;
  const ns_array want[] = {{&m->row, (size_t)m->nbr, sizeof *m->row},
                           {&m->col, (size_t)nblocks, sizeof *m->col},
                           {&m->off, (size_t)nblocks, sizeof *m->off}};
  if (ns_arena_arrays(t->arena, want, sizeof want / sizeof *want)) return no_memory(t);
  for (int i = 0; i <= m->nbr && !rc; i++) {
    int low = i ? m->row[i - 1] : 0, ends = i == 0 ? 0 : i == m->nbr ? nblocks : -1;
    rc = ns_tokens_integer(t, ends < 0 ? low : ends, ends < 0 ? nblocks : ends, &m->row[i],
                           "the first block of a block row");
  }
  for (int k = 0; k < nblocks && !rc; k++)
    rc = ns_tokens_integer(t, 0, m->nbc - 1, &m->col[k], "the block column of a block");
  return rc;
}

/* Places of the blocks in val, in the order of the file; *nval: numbers in all. */
static int place_blocks(ns_tokens *t, ns_matrix *m, size_t *nval)
{
  *nval = 0;
  for (int i = 0; i < m->nbr; i++)
    for (int k = m->row[i]; k < m->row[i + 1]; k++) {
      size_t r = (size_t)(m->rfirst[i + 1] - m->rfirst[i]),
             s = (size_t)(m->cfirst[m->col[k] + 1] - m->cfirst[m->col[k]]);
      int rc = ns_tokens_capacity(t, r, s, "a block");
      if (!rc) rc = ns_tokens_capacity(t, *nval + r * s, 1, "the blocks");
      if (rc) return rc;
      m->off[k] = *nval;
      *nval += r * s;
    }
  return NS_OK;
}

static int read_block_values(ns_tokens *t, ns_matrix *m, const char *name)
{
  size_t nval;
  int number, rc = place_blocks(t, m, &nval);
  if (rc) return rc;
  if (!(m->val = ns_arena_get(t->arena, nval, sizeof *m->val))) return no_memory(t);
  char what[96];
  for (int k = 0, nblocks = m->row[m->nbr]; k < nblocks && !rc; k++) {
    size_t stop = k + 1 < nblocks ? m->off[k + 1] : nval;
    rc = ns_tokens_integer(t, k, k, &number, "the number of the block that follows");
    snprintf(what, sizeof what, "block %d of %s", k, name);
    if (!rc) rc = ns_tokens_reals(t, stop - m->off[k], 0, m->val + m->off[k], what);
  }
  return rc;
}

/* Stable order of 0..n-1, as `from` has them, by key in [0, keys); count [keys+1] is work. */
static void count_sort(int n, int keys, const int *key, const int *from, int *count, int *to)
{
  memset(count, 0, ((size_t)keys + 1) * sizeof *count);
  for (int k = 0; k < n; k++) count[key[k] + 1]++;
  ns_prefix_sums((size_t)keys, count);
  for (int k = 0; k < n; k++) {
    int e = from ? from[k] : k;
    to[count[key[e]]++] = e;
  }
}

/* 0..n-1 in the order of rows i, in them of columns j, in those as they came; NULL when out of
 * memory. */
static int *sorted(ns_arena *a, int n, int rows, int cols, const int *i, const int *j)
{
  int *count = ns_arena_get(a, (size_t)(rows > cols ? rows : cols) + 1, sizeof *count);
  int *by_col = ns_arena_get(a, (size_t)n, sizeof *by_col),
      *order = ns_arena_get(a, (size_t)n, sizeof *order);
  if (!count || !by_col || !order) return NULL;
  count_sort(n, cols, j, NULL, count, by_col);
  count_sort(n, rows, i, by_col, count, order);
  return order;
}

/* Block columns of each row into ascending order. */
static int sort_rows(ns_tokens *t, ns_matrix *m)
{
  int n = m->row[m->nbr], *in = ns_arena_get(t->arena, (size_t)n, sizeof *in);
  int *col = ns_arena_get(t->arena, (size_t)n, sizeof *col);
  size_t *off = ns_arena_get(t->arena, (size_t)n, sizeof *off);
  if (!in || !col || !off) return no_memory(t);
  for (int i = 0; i < m->nbr; i++)
    for (int k = m->row[i]; k < m->row[i + 1]; k++) in[k] = i;
  int *order = sorted(t->arena, n, m->nbr, m->nbc, in, m->col);
  if (!order) return no_memory(t);
  for (int k = 0; k < n; k++) {
    col[k] = m->col[order[k]];
    off[k] = m->off[order[k]];
    if (k && in[order[k]] == in[order[k - 1]] && col[k] == col[k - 1])
      return ns_tokens_fail(t, "block row %d has two blocks in block column %d, expected one",
                            in[order[k]], col[k]);
  }
  m->col = col;
  m->off = off;
  return NS_OK;
}

static int *counted(ns_arena *a, int n)
{
  int *v = ns_arena_get(a, (size_t)n + 1, sizeof *v);
  for (int i = 0; v && i <= n; i++) v[i] = i;
  return v;
}

/* Scalars for blocks: the partitions are 0, 1, ... */
static int scalar_partition(ns_tokens *t, ns_matrix *m)
{
  m->nbr = m->rows;
  m->nbc = m->cols;
  m->rfirst = counted(t->arena, m->rows);
  m->cfirst = counted(t->arena, m->cols);
  return m->rfirst && m->cfirst ? NS_OK : no_memory(t);
}

/* The zero matrix. */
static int no_blocks(ns_tokens *t, ns_matrix *m)
{
  int rc = scalar_partition(t, m);
  m->row = ns_arena_zero(t->arena, (size_t)m->rows + 1, sizeof *m->row);
  m->col = ns_arena_get(t->arena, 0, sizeof *m->col);
  m->off = ns_arena_get(t->arena, 0, sizeof *m->off);
  m->val = ns_arena_get(t->arena, 0, sizeof *m->val);
  return rc ? rc : m->row && m->col && m->off && m->val ? NS_OK : no_memory(t);
}

static int read_blocks(ns_tokens *t, const char *name, ns_matrix *m)
{
  int n, rc = ns_tokens_integer(t, 0, INT_MAX, &n, "the number of blocks");
  if (rc) return rc;
  if (!n) return no_blocks(t, m);
  if ((rc = ns_tokens_integer(t, 1, m->rows, &m->nbr, "the number of block rows"))) return rc;
  if ((rc = ns_tokens_integer(t, 1, m->cols, &m->nbc, "the number of block columns"))) return rc;
  if ((rc = read_ends(t, "the end of a block row", m->nbr, m->rows, &m->rfirst))) return rc;
  if ((rc = read_ends(t, "the end of a block column", m->nbc, m->cols, &m->cfirst))) return rc;
  if ((rc = read_structure(t, m, n))) return rc;
  if ((rc = read_block_values(t, m, name))) return rc;
  return sort_rows(t, m);
}

/* ---- 2: dump of CSparse ---------------------------------------------------------------------- */

/* Entries in the order of the file. */
typedef struct triplets {
  int n;
  int *i, *j;
  double *x;
} triplets;

static int word_is(ns_tokens *t, const char *w)
{
  ns_tokens_next(t);
  return t->len == strlen(w) && !memcmp(t->word, w, t->len);
}

static int keyword(ns_tokens *t, const char *w)
{
  return word_is(t, w) ? NS_OK : ns_tokens_expected(t, "\"%s\"", w);
}

/* The word as a number behind which `tail` stands: "26," */
static int number_and(ns_tokens *t, const char *tail, long long max, int *x, const char *what)
{
  size_t k = strlen(tail);
  ns_tokens_next(t);
  if (t->len > k && !memcmp(t->word + t->len - k, tail, k) &&
      ns_tokens_as_integer(t->word, t->len - k, 0, max, x))
    return NS_OK;
  return ns_tokens_expected(t, "%s: a whole number and \"%s\"", what, tail);
}

/* "m-by-n, nzmax: N nnz: K" with `tail` behind K. */
static int read_header(ns_tokens *t, const ns_matrix *m, const char *tail, triplets *e)
{
  char size[48];
  int nzmax, rc;
  snprintf(size, sizeof size, "%d-by-%d,", m->rows, m->cols);
  if ((rc = keyword(t, size)) || (rc = keyword(t, "nzmax:"))) return rc;
  if ((rc = ns_tokens_integer(t, 0, INT_MAX, &nzmax, "nzmax")) || (rc = keyword(t, "nnz:")))
    return rc;
  if ((rc = number_and(t, tail, INT_MAX, &e->n, "the number of entries"))) return rc;
  if ((rc = ns_tokens_capacity(t, (size_t)e->n, 3, "the entries"))) return rc;
  const ns_array want[] = {{&e->i, (size_t)e->n, sizeof *e->i},
                           {&e->j, (size_t)e->n, sizeof *e->j},
                           {&e->x, (size_t)e->n, sizeof *e->x}};
  return ns_arena_arrays(t->arena, want, sizeof want / sizeof *want) ? no_memory(t) : NS_OK;
}

/* K lines "i j : x" */
static int read_triplets(ns_tokens *t, const ns_matrix *m, triplets *e)
{
  int rc = read_header(t, m, "", e);
  for (int k = 0; k < e->n && !rc; k++) {
    rc = ns_tokens_integer(t, 0, m->rows - 1, &e->i[k], "the row of an entry");
    if (!rc) rc = ns_tokens_integer(t, 0, m->cols - 1, &e->j[k], "the column of an entry");
    if (!rc) rc = keyword(t, ":");
    if (!rc) rc = ns_tokens_real(t, &e->x[k], "the value of an entry");
  }
  return rc;
}

/* "<lead> j : locations a to b", b = a - 1 where there is none. */
static int read_line_head(ns_tokens *t, const char *lead, int j, int at, int n, int *end)
{
  int rc = keyword(t, lead), a;
  if (!rc) rc = ns_tokens_integer(t, j, j, &a, "the number of the line");
  if (!rc) rc = keyword(t, ":");
  if (!rc) rc = keyword(t, "locations");
  if (!rc) rc = ns_tokens_integer(t, at, at, &a, "the first location of the line");
  if (!rc) rc = keyword(t, "to");
  if (!rc) rc = ns_tokens_integer(t, at - 1, n - 1, end, "the last location of the line");
  (*end)++;
  return rc;
}

/* ", 1-norm: v" and, for each column (or row), its head and lines "i : x". */
static int read_compressed(ns_tokens *t, const ns_matrix *m, int by_rows, triplets *e)
{
  double norm;
  int lines = by_rows ? m->rows : m->cols, across = by_rows ? m->cols : m->rows, at = 0, end = 0;
  int *line = NULL, *other = NULL, rc = read_header(t, m, ",", e);
  if (!rc) rc = keyword(t, "1-norm:");
  if (!rc) rc = ns_tokens_real(t, &norm, "the 1-norm");
  if (!rc) {
    line = by_rows ? e->i : e->j;
    other = by_rows ? e->j : e->i;
  }
  for (int k = 0; k < lines && !rc; k++) {
    rc = read_line_head(t, by_rows ? "row" : "col", k, at, e->n, &end);
    for (; at < end && !rc; at++) {
      line[at] = k;
      rc = ns_tokens_integer(t, 0, across - 1, &other[at],
                             by_rows ? "the column of an entry" : "the row of an entry");
      if (!rc) rc = keyword(t, ":");
      if (!rc) rc = ns_tokens_real(t, &e->x[at], "the value of an entry");
    }
  }
  if (!rc && at != e->n)
    return ns_tokens_fail(t, "the matrix has %d entries, expected %d as its head states", at, e->n);
  return rc;
}

/* Entries by rows and columns; those of one place are added in the order of the file, as CSparse
 * does. */
static int compress(ns_tokens *t, ns_matrix *m, const triplets *e)
{
  size_t n = (size_t)e->n;
  int *order = sorted(t->arena, e->n, m->rows, m->cols, e->i, e->j);
  m->row = ns_arena_zero(t->arena, (size_t)m->rows + 1, sizeof *m->row);
  m->col = ns_arena_get(t->arena, n, sizeof *m->col);
  m->off = ns_arena_get(t->arena, n, sizeof *m->off);
  m->val = ns_arena_get(t->arena, n, sizeof *m->val);
  if (!order || !m->row || !m->col || !m->off || !m->val) return no_memory(t);
  int nnz = 0;
  for (int k = 0; k < e->n; k++) {
    int a = order[k], before = k ? order[k - 1] : a;
    if (k && e->i[a] == e->i[before] && e->j[a] == e->j[before]) {
      m->val[nnz - 1] += e->x[a];
      continue;
    }
    m->row[e->i[a] + 1]++;
    m->col[nnz] = e->j[a];
    m->off[nnz] = (size_t)nnz;
    m->val[nnz++] = e->x[a];
  }
  ns_prefix_sums((size_t)m->rows, m->row);
  return NS_OK;
}

static int read_dump(ns_tokens *t, ns_matrix *m)
{
  triplets e = {0};
  int origin,
      rc = ns_tokens_integer(t, 1, 3, &origin,
                             "the storage of the sparse matrix (1 triplets, 2 columns, 3 rows)");
  if (!rc) rc = keyword(t, "CSparse");
  if (rc) return rc;
  ns_tokens_skip_line(t);
  if (!rc && origin != 2) rc = keyword(t, origin == 1 ? "triplet:" : "csr:");
  if (!rc) rc = origin == 1 ? read_triplets(t, m, &e) : read_compressed(t, m, origin == 3, &e);
  if (!rc) rc = scalar_partition(t, m);
  return rc ? rc : compress(t, m, &e);
}

/* ---- the record ------------------------------------------------------------------------------ */

static int read_size(ns_tokens *t, const char *name, const char *of, int want, int *size)
{
  char what[96];
  snprintf(what, sizeof what, "the number of %s of %s", of, name);
  return ns_tokens_integer(t, want, want, size, what);
}

int ns_matrix_read(ns_tokens *t, const char *name, int rows, int cols, ns_matrix *m)
{
  int storage, rc;
  char what[96];
  *m = (ns_matrix){0};
  snprintf(what, sizeof what, "the storage of %s (0 dense, 1 blocks, 2 sparse)", name);
  if ((rc = ns_tokens_integer(t, 0, 2, &storage, what))) return rc;
  if ((rc = read_size(t, name, "rows", rows, &m->rows))) return rc;
  if ((rc = read_size(t, name, "columns", cols, &m->cols))) return rc;
  return storage == 0   ? read_dense(t, name, m)
         : storage == 1 ? read_blocks(t, name, m)
                        : read_dump(t, m);
}

/* ---- forms ----------------------------------------------------------------------------------- */

size_t ns_matrix_entries(const ns_matrix *m)
{
  size_t n = 0;
  for (int i = 0; i < m->nbr; i++)
    for (int k = m->row[i]; k < m->row[i + 1]; k++)
      n += (size_t)(m->rfirst[i + 1] - m->rfirst[i]) *
           (size_t)(m->cfirst[m->col[k] + 1] - m->cfirst[m->col[k]]);
  return n;
}

/* Scalars of the blocks, by rows. */
static int expand(ns_tokens *t, const ns_matrix *m, ns_blocks *b)
{
  size_t n = ns_matrix_entries(m);
  b->row = ns_arena_get(t->arena, (size_t)m->rows + 1, sizeof *b->row);
  b->col = ns_arena_get(t->arena, n, sizeof *b->col);
  b->off = ns_arena_get(t->arena, n, sizeof *b->off);
  b->val = ns_arena_get(t->arena, n, sizeof *b->val);
  if (n > INT_MAX || !b->row || !b->col || !b->off || !b->val) return no_memory(t);
  int at = b->row[0] = 0;
  for (int i = 0; i < m->nbr; i++) {
    int height = m->rfirst[i + 1] - m->rfirst[i];
    for (int r = 0; r < height; r++) {
      for (int k = m->row[i]; k < m->row[i + 1]; k++)
        for (int j = m->cfirst[m->col[k]], s = 0; j < m->cfirst[m->col[k] + 1]; j++, s++, at++) {
          b->col[at] = j;
          b->off[at] = (size_t)at;
          b->val[at] = m->val[m->off[k] + (size_t)(r + height * s)];
        }
      b->row[m->rfirst[i] + r + 1] = at;
    }
  }
  return NS_OK;
}

static int one_partition(const ns_matrix *m)
{
  return m->nbr == m->nbc &&
         !memcmp(m->rfirst, m->cfirst, ((size_t)m->nbr + 1) * sizeof *m->rfirst);
}

int ns_matrix_square(ns_tokens *t, const ns_matrix *m, const double **dense,
                     const ns_blocks **blocks)
{
  *dense = m->dense;
  *blocks = NULL;
  if (m->dense) return NS_OK;
  ns_blocks *b = ns_arena_get(t->arena, 1, sizeof *b);
  if (!b) return no_memory(t);
  *blocks = b;
  *b = (ns_blocks){.nb = m->nbr,
                   .m = m->rows,
                   .first = m->rfirst,
                   .row = m->row,
                   .col = m->col,
                   .off = m->off,
                   .val = m->val};
  if (!one_partition(m)) {
    b->nb = m->rows;
    b->first = counted(t->arena, m->rows);
    int rc = b->first ? expand(t, m, b) : no_memory(t);
    if (rc) return rc;
  }
  b->dim = ns_arena_get(t->arena, (size_t)b->nb, sizeof *b->dim);
  for (int i = 0; b->dim && i < b->nb; i++) b->dim[i] = b->first[i + 1] - b->first[i];
  return b->dim ? NS_OK : no_memory(t);
}

int ns_matrix_dense(ns_tokens *t, const char *name, const ns_matrix *m, const double **dense)
{
  *dense = m->dense;
  if (m->dense) return NS_OK;
  size_t rows = (size_t)m->rows, n = rows * (size_t)m->cols;
  if (n > NS_MATRIX_DENSE_MAX)
    return ns_tokens_fail(t,
                          "%s is %d x %d and sparse, expected at most %d entries: problems on a "
                          "polyhedron are solved as dense ones",
                          name, m->rows, m->cols, NS_MATRIX_DENSE_MAX);
  double *d = ns_arena_zero(t->arena, n, sizeof *d);
  if (!d) return no_memory(t);
  for (int i = 0; i < m->nbr; i++)
    for (int k = m->row[i]; k < m->row[i + 1]; k++) {
      const double *v = m->val + m->off[k];
      for (int j = m->cfirst[m->col[k]]; j < m->cfirst[m->col[k] + 1]; j++)
        for (int r = m->rfirst[i]; r < m->rfirst[i + 1]; r++)
          d[(size_t)j * rows + (size_t)r] = *v++;
    }
  *dense = d;
  return NS_OK;
}
