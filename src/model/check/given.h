/* SPDX-License-Identifier: GPL-3.0-or-later */
/* given.h -- checks quantities that the user gives in addition to a function from which they
 * follow.
 *
 *   H, hDot, D with h;   HDot with H;   jacobianFIntq, jachx, ... with fInt, h, ...;
 *   a mass matrix with its transpose
 *
 * Each is compared with the function at t0 and at two states nearby, chosen by fixed numbers so
 * that checks are reproducible. Derivatives of formulas are exact; those of plug-ins are central
 * differences, used only if two step lengths agree. In a contact with friction only row 0 is a
 * gradient. For bodies in space the component along the quaternion is meaningless and ignored.
 *
 * A difference is a fault if it occurs at two of the three states, because at one of them a formula
 * may have a corner. Numbers are equal if they agree to 1e-4 (plug-ins: 1e-3), so that users may
 * round constants. */
#ifndef NS_MODEL_CHECK_GIVEN_H
#define NS_MODEL_CHECK_GIVEN_H

#include "model/model.h"

/* instead of a bank: the derivative along the motion, d/dt with Q' = V */
enum { NS_GIVEN_ALONG = NS_BANKS };

typedef struct ns_given {
  ns_place at;            /* file and line of the value; element and id of its owner */
  const char *value, *of; /* "H", "h" */
  int of_interaction;     /* 1: it belongs to interaction k; 0: to system k */
  int k;
  size_t given, function; /* offsets of both operators in ns_interaction or ns_system */
  int by;                 /* bank with respect to which it is the derivative, or NS_GIVEN_ALONG */
} ns_given;

/* Add g, which is copied. NS_NOMEM. */
int ns_model_add_given(ns_model *m, ns_ctx *c, const ns_given *g);
/* Report every fault (NS_MODEL) in c, with both numbers; < 0 only if the check itself failed. */
int ns_check_given(const ns_model *m, ns_ctx *c);

#endif
