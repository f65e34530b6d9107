/* SPDX-License-Identifier: GPL-3.0-or-later */
/* given.h -- what the user gives beside a function that it follows from, held against that
 * function.
 *
 *   H, hDot, D beside h; HDot beside H; jacobianFIntq, jachx, ... beside fInt, h, ...; a mass
 *   matrix beside its transpose
 *
 * Each is compared at t0 and at two states nearby (fixed numbers, so that two checks of a model say
 * the same). The derivative of a formula is exact; that of a plug-in is a central difference, and
 * counts where two distances agree. Of a contact with friction row 0 alone is a gradient. Of bodies
 * in space the part along the quaternion itself says nothing and is left out.
 *
 * A difference is a fault where it is found at two of the three states: at one of them a formula
 * may stand at a corner, where both are right. Numbers that agree to 1e-4 are the same (of plug-ins
 * to 1e-3), so that constants may be rounded. */
#ifndef NS_MODEL_CHECK_GIVEN_H
#define NS_MODEL_CHECK_GIVEN_H

#include "model/model.h"

/* in place of a bank: the derivative along the motion, d/dt by Q' = V */
enum { NS_GIVEN_ALONG = NS_BANKS };

typedef struct ns_given {
  ns_place at;            /* file and line of the value; element and id of what it belongs to */
  const char *value, *of; /* "H", "h" */
  int of_interaction;     /* it belongs to interaction `k`, else to system `k` */
  int k;
  size_t given, function; /* offsets of both operators in ns_interaction or ns_system */
  int by;                 /* bank whose variables it is the derivative by, or NS_GIVEN_ALONG */
} ns_given;

/* Copied. NS_NOMEM. */
int ns_model_add_given(ns_model *m, ns_ctx *c, const ns_given *g);
/* Reports every fault (NS_MODEL) in c, with both numbers; < 0 only where the check itself failed.
 */
int ns_check_given(const ns_model *m, ns_ctx *c);

#endif
