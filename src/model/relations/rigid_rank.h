/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_rank.h -- how many of the constraints of a mechanism are independent.
 *
 * Rows of joints, couplers and equalities at the initial configuration, in the metric of the
 * kinetic energy: row r is G_r M^-1/2, scaled to norm 1, so that metres and radians compare. Their
 * rank is that of Gram-Schmidt with the largest remaining row first; what is left below 1e-9 of a
 * row is rounding. Mechanisms that share no body are looked at one by one. */
#ifndef NS_MODEL_RELATIONS_RIGID_RANK_H
#define NS_MODEL_RELATIONS_RIGID_RANK_H

#include "model/model.h"

/* Most rows of one mechanism; with more the rank is not computed. */
enum { NS_RIGID_RANK_MAX = 2000 };

/* All bilateral rows of a finished model of rigid bodies, and their rank: -1 where a mechanism has
 * too many. rows - *rank of them say nothing that the others do not. NS_NOMEM, or what a formula
 * failed with. */
int ns_rigid_rank(const ns_model *m, ns_ctx *c, int *rows, int *rank);

/* Rank of a [m] rows of n numbers each, which are lost. */
int ns_rank_of_rows(int m, int n, double *a);

#endif
