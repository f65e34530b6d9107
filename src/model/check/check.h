/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.h -- what can be wrong with the numbers of a model whose form is right. */
#ifndef NS_MODEL_CHECK_CHECK_H
#define NS_MODEL_CHECK_CHECK_H

#include "model/model.h"

/* Entries of the matrices H of all interactions: 1 GB as sparse rows. */
enum { NS_MODEL_H_MAX = 1 << 26 };

/* Options in range; initial values finite; masses finite, symmetric, positive definite at (q0, z0);
 * restitution in [0, 1]; gaps not negative at t0 (a warning: the scheme keeps what penetration
 * there is). Reports every fault; returns the first failure's code or NS_OK. */
int ns_model_check(const ns_model *m, ns_ctx *c);

/* Whether a law can stand beside a relation: 0, or 1 and in why [NS_CHECK_PAIR] what the law is,
 * what was expected. */
enum { NS_CHECK_PAIR = 256 };
int ns_check_pair(const ns_relation_kind *relation, const ns_law_ops *law, char *why);

#endif
