/* SPDX-License-Identifier: GPL-3.0-or-later */
/* problem_file_matrix.h -- the matrix record of problem files, nssim-problem(5).
 *
 *   storage rows columns   0 dense by columns, 1 blocks, 2 text dump of CSparse
 *
 * In memory a matrix is dense or, of blocks and of dumps, by its rows. */
#ifndef NS_IO_PROBLEMFILE_PROBLEM_FILE_MATRIX_H
#define NS_IO_PROBLEMFILE_PROBLEM_FILE_MATRIX_H

#include "algebra/blocks.h"
#include "io/problemfile/problem_file_tokens.h"
#include "io/textfile.h"

/* A matrix by its scalar rows, columns ascending. Memory of the arena. */
typedef struct ns_matrix_rows {
  int rows, cols;
  int *row, *col; /* [rows+1], [row[rows]] */
  double *val;
} ns_matrix_rows;

typedef struct ns_matrix {
  int rows, cols;
  const double *dense; /* by columns, leading dimension rows; NULL where the file has blocks */
  ns_matrix_rows by_rows;
  /* Partition of its rows and columns into the blocks of the file, of a dump into single ones [nb +
   * 1]; nb = 0: rows and columns have others. */
  int nb, *first;
} ns_matrix;

/* The record of the matrix `name`, which must be rows x cols. That the file has room for vectors
 * of either size was checked before. Failures, here and below, are the tokens' rc; nothing is done
 * after one. */
void ns_matrix_read(ns_tokens *t, const char *name, int rows, int cols, ns_matrix *m);
/* A square matrix as dense or as the blocks of the file, scalars where these are not square; the
 * other pointer is NULL. */
void ns_matrix_square(ns_tokens *t, const ns_matrix *m, const double **dense,
                      const ns_blocks **blocks);
/* Dense by columns, refused above NS_MATRIX_DENSE_MAX entries where it was not so in the file. */
#define NS_MATRIX_DENSE_MAX 10000000
const double *ns_matrix_dense(ns_tokens *t, const char *name, const ns_matrix *m);
/* Without entries that are exactly 0. */
ns_matrix_rows ns_matrix_rows_of(ns_tokens *t, const ns_matrix *m);
/* Of entries (i, j, x), those of one place added; `zeros` stay. */
ns_matrix_rows ns_matrix_rows_triplets(ns_tokens *t, int rows, int cols, int n, const int *i,
                                       const int *j, const double *x, int zeros);
ns_matrix_rows ns_matrix_rows_transpose(ns_tokens *t, const ns_matrix_rows *m);
/* Scalars as blocks of dim 1, the diagonal as it is. */
const ns_blocks *ns_matrix_rows_scalars(ns_tokens *t, const ns_matrix_rows *m);
/* Blocks of a partition: first [nb+1]. Blocks without an entry are left out, unless they are
 * `diagonal`. */
const ns_blocks *ns_matrix_rows_partition(ns_tokens *t, const ns_matrix_rows *m, int nb,
                                          const int *first, int diagonal);

/* A problem file is begun, filled with numbers that `then` or a line's end follows, and ended with
 * a guess [n], behind the word below, and a comment; NULL: none. */
#define NS_PROBLEM_GUESS "nssim-guess"
int ns_put_begin(ns_ctx *c, const char *path, ns_textfile *f);
void ns_put_integer(ns_textfile *f, ns_ctx *c, long long x, const char *then);
void ns_put_reals(ns_textfile *f, ns_ctx *c, size_t n, const double *x);
int ns_put_end(ns_textfile *f, ns_ctx *c, int n, const double *guess, const char *comment);
/* As a CSparse dump where every block is a scalar, else as blocks. */
int ns_matrix_put_blocks(ns_textfile *f, ns_ctx *c, const ns_blocks *A);

#endif
