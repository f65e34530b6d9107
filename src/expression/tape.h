/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tape.h -- internals of a tape, private to this folder; other layers use expression.h.
 *
 * Values live in slots: variables, then constants, then one slot per result in the order of the
 * code. An instruction contains only its operands; the slot of its result follows from the order
 * (SINCOS has two results). */
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
