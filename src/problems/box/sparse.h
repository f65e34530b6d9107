/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse.h -- Newton-min with three sets for sparse affine variational inequalities. Private to
 * src/problems and its benches and tests. */
#ifndef NS_PROBLEMS_BOX_SPARSE_H
#define NS_PROBLEMS_BOX_SPARSE_H

#include "algebra/sparse_lu.h"
#include "problems/box/box.h"

extern const ns_avi_solver_ops ns_avi_sparse_newton;

/* Work of the factors of a solver object so far. */
ns_sparse_lu_stats ns_avi_sparse_counts(const void *self);

#endif
