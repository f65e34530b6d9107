/* SPDX-License-Identifier: GPL-3.0-or-later */
/* problem_file_matrix.h -- the matrix record of problem files, nssim-problem(5).
 *
 *   storage rows columns   0 dense by columns, 1 blocks, 2 text dump of CSparse
 *
 * In memory a matrix is dense, or a list of blocks by rows: those of the file, or scalars. */
#ifndef NS_IO_PROBLEMFILE_PROBLEM_FILE_MATRIX_H
#define NS_IO_PROBLEMFILE_PROBLEM_FILE_MATRIX_H

#include "algebra/blocks.h"
#include "io/problemfile/problem_file_tokens.h"
#include "io/textfile.h"

/* Memory of the arena of the tokens. */
typedef struct ns_matrix {
  int rows, cols;
  const double *dense; /* by columns, leading dimension rows; NULL where in blocks */
  /* Block rows and columns; every block is not empty. */
  int nbr, nbc;
  /* first scalar row of a block row [nbr+1], column of a block column [nbc+1] */
  int *rfirst, *cfirst;
  int *row;    /* first block of block row i in col, off [nbr+1] */
  int *col;    /* block columns, ascending in a row, none twice */
  size_t *off; /* start of the block in val */
  double *val; /* by columns each */
} ns_matrix;

/* The record of the matrix `name`, which must be rows x cols. That the file has room for vectors
 * of either size was checked before. */
int ns_matrix_read(ns_tokens *t, const char *name, int rows, int cols, ns_matrix *m);
/* Scalars of its blocks. */
size_t ns_matrix_entries(const ns_matrix *m);
/* A square matrix as dense or as blocks; the other pointer is NULL. Memory of the arena. */
int ns_matrix_square(ns_tokens *t, const ns_matrix *m, const double **dense,
                     const ns_blocks **blocks);
/* Dense by columns, refused above NS_MATRIX_DENSE_MAX entries where it was not so in the file. */
#define NS_MATRIX_DENSE_MAX 10000000
int ns_matrix_dense(ns_tokens *t, const char *name, const ns_matrix *m, const double **dense);

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
