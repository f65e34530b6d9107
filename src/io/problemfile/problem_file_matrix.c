/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading: dense numbers stay as they are; blocks and dumps become entries in the order of the
 * file, and these rows. */
#include "io/problemfile/problem_file_matrix.h"

#include "algebra/vector.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Entries in the order of the file. */
typedef struct triplets {
  int n;
  int *i, *j;
  double *x;
} triplets;

static triplets get_triplets(ns_tokens *t, size_t n)
{
  if (n > INT_MAX && !t->rc) t->rc = ns_nomem(t->c, "matrix of a problem");
  return (triplets){.n = t->rc ? 0 : (int)n,
                    .i = ns_tokens_get(t, n, sizeof(int)),
                    .j = ns_tokens_get(t, n, sizeof(int)),
                    .x = ns_tokens_get(t, n, sizeof(double))};
}

/* ---- 0: dense -------------------------------------------------------------------------------- */

static void read_dense(ns_tokens *t, const char *name, ns_matrix *m)
{
  char what[96];
  snprintf(what, sizeof what, "the number of rows of %s again", name);
  ns_tokens_integer(t, m->rows, m->rows, what);
  snprintf(what, sizeof what, "the number of columns of %s again", name);
  ns_tokens_integer(t, m->cols, m->cols, what);
  ns_tokens_capacity(t, (size_t)m->rows, (size_t)m->cols, name);
  m->dense = ns_tokens_vector(t, (size_t)m->rows * (size_t)m->cols, 0, name);
}

/* ---- 1: blocks ------------------------------------------------------------------------------- */

/* The blocks of a file by block rows. */
typedef struct block_list {
  int n, nbr, nbc;
  int *rfirst, *cfirst; /* first scalar row of a block row [nbr+1], column of a block column */
  int *row, *col;       /* first block of a block row in col [nbr+1], block columns [n] */
} block_list;

/* Ends of n block rows or columns, ascending, the last one `size`, behind a 0 [n+1]. */
static int *read_ends(ns_tokens *t, const char *what, int n, int size)
{
  ns_tokens_capacity(t, (size_t)n, 1, what);
  int *f = ns_tokens_get(t, (size_t)n, sizeof *f);
  for (int i = 0; i < n && !t->rc; i++)
    f[i + 1] = ns_tokens_integer(t, i + 1 < n ? f[i] + 1 : size, i + 1 < n ? size - 1 : size, what);
  return f;
}

/* Where the block rows begin in the list of blocks, and the block column of each. */
static void read_structure(ns_tokens *t, block_list *b)
{
  ns_tokens_integer(t, b->nbr + 1, b->nbr + 1, "one more than the number of block rows");
  ns_tokens_integer(t, b->n, b->n, "the number of blocks again");
  ns_tokens_capacity(t, (size_t)b->n + (size_t)b->nbr + 1, 1, "the structure of the blocks");
  b->row = ns_tokens_get(t, (size_t)b->nbr, sizeof *b->row);
  b->col = ns_tokens_get(t, (size_t)b->n, sizeof *b->col);
  for (int i = 0; i <= b->nbr && !t->rc; i++) {
    int low = i ? b->row[i - 1] : 0, ends = i == 0 ? 0 : i == b->nbr ? b->n : -1;
    b->row[i] = ns_tokens_integer(t, ends < 0 ? low : ends, ends < 0 ? b->n : ends,
                                  "the first block of a block row");
  }
  for (int k = 0; k < b->n && !t->rc; k++)
    b->col[k] = ns_tokens_integer(t, 0, b->nbc - 1, "the block column of a block");
}

static size_t height_of(const block_list *b, int i)
{
  return (size_t)(b->rfirst[i + 1] - b->rfirst[i]);
}

static size_t width_of(const block_list *b, int k)
{
  return (size_t)(b->cfirst[b->col[k] + 1] - b->cfirst[b->col[k]]);
}

/* Room for the numbers of all blocks. */
static triplets make_entries(ns_tokens *t, const block_list *b)
{
  size_t n = 0;
  for (int i = 0; i < b->nbr && !t->rc; i++)
    for (int k = b->row[i]; k < b->row[i + 1]; k++) {
      ns_tokens_capacity(t, height_of(b, i), width_of(b, k), "a block");
      n += height_of(b, i) * width_of(b, k);
      ns_tokens_capacity(t, n, 1, "the blocks");
    }
  return get_triplets(t, n);
}

static void read_block_values(ns_tokens *t, const block_list *b, const char *name, triplets *e)
{
  char what[96];
  size_t at = 0;
  for (int i = 0; i < b->nbr && !t->rc; i++)
    for (int k = b->row[i]; k < b->row[i + 1] && !t->rc; k++) {
      size_t height = height_of(b, i), n = height * width_of(b, k);
      snprintf(what, sizeof what, "block %d of %s", k, name);
      ns_tokens_integer(t, k, k, "the number of the block that follows");
      ns_tokens_reals(t, n, 0, e->x + at, what);
      for (size_t s = 0; s < n; s++, at++) {
        e->i[at] = b->rfirst[i] + (int)(s % height);
        e->j[at] = b->cfirst[b->col[k]] + (int)(s / height);
      }
    }
}

static void check_blocks(ns_tokens *t, const block_list *b)
{
  int *seen = ns_tokens_get(t, (size_t)b->nbc, sizeof *seen); /* 1 + the last row that has it */
  for (int i = 0; i < b->nbr && !t->rc; i++)
    for (int k = b->row[i]; k < b->row[i + 1]; k++) {
      if (seen[b->col[k]] == i + 1)
        ns_tokens_fail(t, "block row %d has two blocks in block column %d, expected one", i,
                       b->col[k]);
      seen[b->col[k]] = i + 1;
    }
}

/* Each row by itself. */
static int *counted(ns_tokens *t, int n)
{
  int *first = ns_tokens_get(t, (size_t)n, sizeof *first);
  for (int i = 0; i <= n && first; i++) first[i] = i;
  return first;
}

static void part_rows(ns_tokens *t, ns_matrix *m)
{
  m->nb = m->rows == m->cols ? m->rows : 0;
  m->first = counted(t, m->rows);
}

static triplets read_blocks(ns_tokens *t, const char *name, ns_matrix *m)
{
  block_list b = {.n = ns_tokens_integer(t, 0, INT_MAX, "the number of blocks")};
  if (!b.n) { /* the zero matrix */
    part_rows(t, m);
    return get_triplets(t, 0);
  }
  b.nbr = ns_tokens_integer(t, 1, m->rows, "the number of block rows");
  b.nbc = ns_tokens_integer(t, 1, m->cols, "the number of block columns");
  b.rfirst = read_ends(t, "the end of a block row", b.nbr, m->rows);
  b.cfirst = read_ends(t, "the end of a block column", b.nbc, m->cols);
  read_structure(t, &b);
  triplets e = make_entries(t, &b);
  read_block_values(t, &b, name, &e);
  check_blocks(t, &b);
  int alike = b.nbr == b.nbc && !t->rc &&
              !memcmp(b.rfirst, b.cfirst, ((size_t)b.nbr + 1) * sizeof *b.rfirst);
  m->nb = alike ? b.nbr : 0;
  m->first = b.rfirst;
  return e;
}

/* ---- 2: dump of CSparse ---------------------------------------------------------------------- */

static void keyword(ns_tokens *t, const char *w)
{
  if (t->rc) return;
  ns_tokens_next(t);
  if (t->len != strlen(w) || memcmp(t->word, w, t->len)) ns_tokens_expected(t, "\"%s\"", w);
}

/* The word as a number behind which `tail` stands: "26," */
static int number_and(ns_tokens *t, const char *tail, long long max, const char *what)
{
  size_t k = strlen(tail);
  int x = 0;
  if (t->rc) return 0;
  ns_tokens_next(t);
  if (t->len <= k || memcmp(t->word + t->len - k, tail, k) ||
      !ns_tokens_as_integer(t->word, t->len - k, 0, max, &x))
    ns_tokens_expected(t, "%s: a whole number and \"%s\"", what, tail);
  return x;
}

/* "m-by-n, nzmax: N nnz: K" with `tail` behind K; room for K entries. */
static triplets read_header(ns_tokens *t, const ns_matrix *m, const char *tail)
{
  char size[48];
  snprintf(size, sizeof size, "%d-by-%d,", m->rows, m->cols);
  keyword(t, size);
  keyword(t, "nzmax:");
  ns_tokens_integer(t, 0, INT_MAX, "nzmax");
  keyword(t, "nnz:");
  size_t n = (size_t)number_and(t, tail, INT_MAX, "the number of entries");
  ns_tokens_capacity(t, n, 3, "the entries");
  return get_triplets(t, n);
}

/* K lines "i j : x" */
static triplets read_triplets(ns_tokens *t, const ns_matrix *m)
{
  triplets e = read_header(t, m, "");
  for (int k = 0; k < e.n && !t->rc; k++) {
    e.i[k] = ns_tokens_integer(t, 0, m->rows - 1, "the row of an entry");
    e.j[k] = ns_tokens_integer(t, 0, m->cols - 1, "the column of an entry");
    keyword(t, ":");
    e.x[k] = ns_tokens_real(t, "the value of an entry");
  }
  return e;
}

/* "<lead> j : locations a to b", b = a - 1 where there is none; b + 1. */
static int read_line_head(ns_tokens *t, const char *lead, int j, int at, int n)
{
  keyword(t, lead);
  ns_tokens_integer(t, j, j, "the number of the line");
  keyword(t, ":");
  keyword(t, "locations");
  ns_tokens_integer(t, at, at, "the first location of the line");
  keyword(t, "to");
  return 1 + ns_tokens_integer(t, at - 1, n - 1, "the last location of the line");
}

/* ", 1-norm: v" and, for each column (or row), its head and lines "i : x". */
static triplets read_compressed(ns_tokens *t, const ns_matrix *m, int by_rows)
{
  int lines = by_rows ? m->rows : m->cols, across = by_rows ? m->cols : m->rows, at = 0;
  triplets e = read_header(t, m, ",");
  int *line = by_rows ? e.i : e.j, *other = by_rows ? e.j : e.i;
  keyword(t, "1-norm:");
  ns_tokens_real(t, "the 1-norm");
  for (int k = 0; k < lines && !t->rc; k++) {
    int end = read_line_head(t, by_rows ? "row" : "col", k, at, e.n);
    for (; at < end && !t->rc; at++) {
      line[at] = k;
      other[at] = ns_tokens_integer(t, 0, across - 1,
                                    by_rows ? "the column of an entry" : "the row of an entry");
      keyword(t, ":");
      e.x[at] = ns_tokens_real(t, "the value of an entry");
    }
  }
  if (at != e.n)
    ns_tokens_fail(t, "the matrix has %d entries, expected %d as its head states", at, e.n);
  return e;
}

static triplets read_dump(ns_tokens *t, ns_matrix *m)
{
  int origin = ns_tokens_integer(
      t, 1, 3, "the storage of the sparse matrix (1 triplets, 2 columns, 3 rows)");
  keyword(t, "CSparse");
  ns_tokens_skip_line(t);
  if (origin != 2) keyword(t, origin == 1 ? "triplet:" : "csr:");
  triplets e = origin == 1 ? read_triplets(t, m) : read_compressed(t, m, origin == 3);
  part_rows(t, m);
  return e;
}

/* ---- the record ------------------------------------------------------------------------------ */

static int read_size(ns_tokens *t, const char *name, const char *of, int want)
{
  char what[96];
  snprintf(what, sizeof what, "the number of %s of %s", of, name);
  return ns_tokens_integer(t, want, want, what);
}

void ns_matrix_read(ns_tokens *t, const char *name, int rows, int cols, ns_matrix *m)
{
  char what[96];
  snprintf(what, sizeof what, "the storage of %s (0 dense, 1 blocks, 2 sparse)", name);
  int storage = ns_tokens_integer(t, 0, 2, what);
  *m = (ns_matrix){0};
  m->rows = read_size(t, name, "rows", rows);
  m->cols = read_size(t, name, "columns", cols);
  if (storage == 0) {
    read_dense(t, name, m);
    return;
  }
  triplets e = storage == 1 ? read_blocks(t, name, m) : read_dump(t, m);
  m->by_rows = ns_matrix_rows_triplets(t, rows, cols, e.n, e.i, e.j, e.x, 1);
}

/* ---- forms ----------------------------------------------------------------------------------- */

void ns_matrix_square(ns_tokens *t, const ns_matrix *m, const double **dense,
                      const ns_blocks **blocks)
{
  *dense = m->dense;
  *blocks = NULL;
  if (!m->dense)
    *blocks = ns_matrix_rows_partition(t, &m->by_rows, m->nb ? m->nb : m->rows,
                                       m->nb ? m->first : counted(t, m->rows), 0);
}

const double *ns_matrix_dense(ns_tokens *t, const char *name, const ns_matrix *m)
{
  const ns_matrix_rows *r = &m->by_rows;
  size_t rows = (size_t)m->rows, n = rows * (size_t)m->cols;
  if (m->dense) return m->dense;
  if (n > NS_MATRIX_DENSE_MAX)
    ns_tokens_fail(
        t,
        "%s is %d x %d and sparse, expected at most %d entries: problems on a polyhedron "
        "are solved as dense ones",
        name, m->rows, m->cols, NS_MATRIX_DENSE_MAX);
  double *d = ns_tokens_get(t, n, sizeof *d);
  for (int i = 0; i < m->rows && !t->rc; i++)
    for (int k = r->row[i]; k < r->row[i + 1]; k++)
      d[(size_t)r->col[k] * rows + (size_t)i] = r->val[k];
  return d;
}
