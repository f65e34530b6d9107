/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lapack.h -- LAPACK, loaded when a matrix needs it.
 *
 * OpenBLAS and the Fortran run-time cost 3 ms at every start, and most runs never factor a matrix
 * of more than NS_DENSE_SMALL rows. So the program is not linked with them: liblapack.so.3 (on
 * Debian whatever update-alternatives chose) is opened once, by the first that calls
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

/* The functions; NULL where there is no LAPACK on the machine. BLAS is left with one thread, so
 * that the same matrix gives the same bytes, unless OPENBLAS_NUM_THREADS or OMP_NUM_THREADS is set.
 * Safe in threads. */
const ns_lapack *ns_lapack_load(void);
/* The same, but NULL where nobody has loaded it yet. */
const ns_lapack *ns_lapack_loaded(void);

#endif
