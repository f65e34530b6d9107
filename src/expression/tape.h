/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tape.h -- inside of a tape; the other layers see expression.h.
 *
 * Values live in slots: variables, then constants, then one slot per result in the order of
 * the code. So an instruction names its operands only; where its result goes follows from the
 * order (SINCOS makes two). */
#ifndef NS_EXPRESSION_TAPE_H
#define NS_EXPRESSION_TAPE_H

#include "expression/expression.h"

#include <stdint.h>

typedef struct ns_instruction {
  uint32_t op;      /* ns_op */
  uint32_t a, b, c; /* slots */
} ns_instruction;

typedef struct ns_source {
  int bank, index;
} ns_source;

struct ns_tape {
  int nvariables, nconstants, ninstructions, noutputs;
  size_t nslots;
  const ns_source *variable;  /* [nvariables] */
  const double *constant;     /* [nconstants] */
  const ns_instruction *code; /* [ninstructions + 1], END last */
  const uint32_t *output;     /* slots [noutputs] */
};

#endif
