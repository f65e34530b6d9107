/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.h -- checks of the values of a model whose structure is valid. */
#ifndef NS_MODEL_CHECK_CHECK_H
#define NS_MODEL_CHECK_CHECK_H

#include "model/model.h"

/* Max. number of entries of the matrices H of all interactions: 1 GB as sparse rows. */
enum { NS_MODEL_H_MAX = 1 << 26 };

/* Checks that options are in range; initial values finite; masses finite, symmetric and positive
 * definite at (q0, z0); restitution in [0, 1]; gaps not negative at t0 (only a warning). Reports
 * every fault; returns the code of the first, or NS_OK. */
int ns_model_check(const ns_model *m, ns_ctx *c);

/* Check whether a law is permitted with a relation: 0 if it is; otherwise 1, and why
 * [NS_CHECK_PAIR] describes the law and what was expected. */
enum { NS_CHECK_PAIR = 256 };
int ns_check_pair(const ns_relation_kind *relation, const ns_law_ops *law, char *why);

#endif
