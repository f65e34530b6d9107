/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_rank.h -- number of independent constraints of a mechanism.
 *
 * The rows of joints, couplers and equalities are taken at the initial configuration, in the metric
 * of the kinetic energy: row r is G_r M^-1/2, scaled to norm 1, so that metres and radians are
 * comparable. The rank is found by Gram-Schmidt orthogonalisation with the largest remaining row
 * first; remainders below 1e-9 are rounding. Mechanisms that share no body are treated
 * separately. */
#ifndef NS_MODEL_RELATIONS_RIGID_RANK_H
#define NS_MODEL_RELATIONS_RIGID_RANK_H

#include "model/model.h"

/* Max. number of rows of one mechanism; with more the rank is not computed. */
enum { NS_RIGID_RANK_MAX = 2000 };

/* Number of bilateral rows of a finished model of rigid bodies, and their rank; -1 if a mechanism
 * has too many rows. rows - *rank rows are redundant. NS_NOMEM, or the error of a formula. */
int ns_rigid_rank(const ns_model *m, ns_ctx *c, int *rows, int *rank);

/* Rank of m rows of n numbers in a, which is overwritten. */
int ns_rank_of_rows(int m, int n, double *a);

#endif
