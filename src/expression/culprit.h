/* SPDX-License-Identifier: GPL-3.0-or-later */
/* culprit.h -- the part of a formula that is not finite, for the error message of a failed run.
 *
 * The search goes from an output that is not finite to the operand that is not, in ?: to the
 * selected operand, until all operands are finite: 1/x at 0, the square root of a negative
 * number. */
#ifndef NS_EXPRESSION_CULPRIT_H
#define NS_EXPRESSION_CULPRIT_H

#include "expression/freeze.h"

enum { NS_CULPRIT_VARIABLES = 6 };

typedef struct ns_culprit {
  char text[160]; /* "sqrt(x - 0.5)" */
  double value;   /* of it: NaN or infinite */
  int is_outside; /* a table or vector, outside of its rows */
  int nvariables; /* that it reads: the first few */
  int bank[NS_CULPRIT_VARIABLES], index[NS_CULPRIT_VARIABLES];
} ns_culprit;

/* For output k of the tape at these banks; name writes the name of a variable. NS_NOMEM: without a
 * message. */
int ns_tape_culprit(const ns_tape *t, int k, const double *const *bank, ns_variable_name *name,
                    void *to, ns_culprit *out);

#endif
