/* SPDX-License-Identifier: GPL-3.0-or-later */
/* problem_file_friction.h -- what the readers and writers of friction problems share: matrices in
 * the form that the solvers take, from whatever form a file has them in. Private to src/io. */
#ifndef NS_IO_PROBLEMFILE_PROBLEM_FILE_FRICTION_H
#define NS_IO_PROBLEMFILE_PROBLEM_FILE_FRICTION_H

#include "io/problemfile/problem_file.h"
#include "io/problemfile/problem_file_matrix.h"

/* A matrix by its scalar rows, columns ascending; entries that are exactly 0 are left out. Memory
 * of the arena. */
typedef struct ns_matrix_rows {
  int rows, cols;
  int *row, *col; /* [rows+1], [row[rows]] */
  double *val;
} ns_matrix_rows;

int ns_matrix_rows_of(ns_tokens *t, const ns_matrix *m, ns_matrix_rows *r);
/* Of entries (i, j, x), those of one place added. */
int ns_matrix_rows_triplets(ns_tokens *t, int rows, int cols, int n, const int *i, const int *j,
                            const double *x, ns_matrix_rows *r);
int ns_matrix_rows_transpose(ns_tokens *t, const ns_matrix_rows *m, ns_matrix_rows *r);
/* Scalars as blocks of dim 1, the diagonal as it is. */
int ns_matrix_rows_scalars(ns_tokens *t, const ns_matrix_rows *m, const ns_blocks **out);
/* Blocks of a partition: first [nb+1]. Blocks of zeros are left out, diagonal ones are always
 * there. */
int ns_matrix_rows_partition(ns_tokens *t, const ns_matrix_rows *m, int nb, const int *first,
                             const ns_blocks **out);

/* Sizes of nc blocks of d rows, then p of one row: first [nc+p+1], dim [nc+p] may be NULL.
 * NS_NOMEM. */
int ns_friction_sizes(ns_tokens *t, int d, int nc, int p, int **first, int **dim);

/* Readers of the families, for the table. */
int ns_read_friction(ns_tokens *t, ns_problem *p, int d); /* d: 2, 3, or 0 for what the file says */
int ns_read_rolling(ns_tokens *t, ns_problem *p, int d);  /* d: 3, 5, or 0 */
int ns_read_global(ns_tokens *t, ns_problem *p);
int ns_read_global_rolling(ns_tokens *t, ns_problem *p);
int ns_read_generic(ns_tokens *t, ns_problem *p);
/* Types of generic mechanical blocks, and the words behind the last field of a file that nssim
 * wrote: mu of blocks in the plane and bounds of relays, in their order. */
enum {
  NS_GENERIC_LCP = 0,
  NS_GENERIC_EQUALITY = 2,
  NS_GENERIC_PLANE = 3,
  NS_GENERIC_SPACE = 4,
  NS_GENERIC_RELAY = 9,
  NS_GENERIC_ROLLING_PLANE = 13,
  NS_GENERIC_ROLLING_SPACE = 14,
  NS_GENERIC_BALL = 100 /* of nssim alone: -radius and radius of each row as of a relay */
};
#define NS_GENERIC_LAWS "nssim-laws"
static inline int ns_generic_is_friction(const ns_mechanical *p, int a)
{
  return !p->kind || p->kind[a] == NS_BLOCK_FRICTION;
}
/* Every mu >= 0; every mu_r. */
int ns_check_mu(const ns_tokens *t, int nc, const double *mu);
int ns_check_mu_rolling(const ns_tokens *t, int nc, const double *mu);

#endif
