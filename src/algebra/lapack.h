/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lapack.h -- LAPACK, loaded when a matrix needs it.
 *
 * OpenBLAS and the Fortran run-time cost 3 ms at every start, and most runs never factor a matrix
 * of more than NS_DENSE_SMALL rows. Therefore the program is not linked with them: liblapack.so.3
 * (on Debian, as chosen by update-alternatives) is opened once, in the first call of
 * ns_lapack_load. */
#ifndef NS_ALGEBRA_LAPACK_H
#define NS_ALGEBRA_LAPACK_H

#include <stddef.h>

/* Fortran names and calls; the last arguments are the lengths of the texts. */
typedef struct ns_lapack {
  void (*potrf)(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t);
  void (*potrs)(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda,
                double *b, const int *ldb, int *info, size_t);
  void (*getrf)(const int *m, const int *n, double *a, const int *lda, int *piv, int *info);
  void (*getrs)(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
                const int *piv, double *b, const int *ldb, int *info, size_t);
  void (*ilaver)(int *major, int *minor, int *patch);
  const char *(*config)(void); /* of OpenBLAS; NULL with another BLAS */
} ns_lapack;

/* The functions; NULL if LAPACK is not installed. BLAS is set to one thread, for reproducible
 * results, unless OPENBLAS_NUM_THREADS or OMP_NUM_THREADS is set. Thread-safe. */
const ns_lapack *ns_lapack_load(void);
/* The same, but NULL if it has not been loaded. */
const ns_lapack *ns_lapack_loaded(void);

#endif
