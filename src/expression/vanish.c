/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vanish.c -- formulas that are zero where some of their variables are: each operation says whether
 * its result is zero from whether its operands are. What it does not know of is taken for something
 * else than zero. */
#include "expression/op.h"
#include "expression/tape.h"

#include <stdlib.h>

static int result_is_zero(ns_op op, int a, int b, int c)
{
  switch (op) {
  case NS_OP_NEG:
  case NS_OP_ABS:
  case NS_OP_SIGN:
  case NS_OP_SQRT:
  case NS_OP_CBRT:
  case NS_OP_FLOOR:
  case NS_OP_CEIL:
  case NS_OP_SIN:
  case NS_OP_TAN:
  case NS_OP_ASIN:
  case NS_OP_ATAN:
  case NS_OP_SINH:
  case NS_OP_TANH:
  case NS_OP_ERF: return a;
  case NS_OP_ADD:
  case NS_OP_SUB:
  case NS_OP_HYPOT:
  case NS_OP_MIN:
  case NS_OP_MAX: return a && b;
  case NS_OP_MUL:
  case NS_OP_CHAIN: return a || b;
  case NS_OP_DIV: return a;
  case NS_OP_SELECT:
  case NS_OP_MIX: return b && c;
  case NS_OP_MULADD:
  case NS_OP_MULSUB:
  case NS_OP_SUBMUL: return (a || b) && c;
  default: return 0;
  }
}

/* zero [nslots]: of the variables and constants already. */
static void follow(const ns_tape *t, unsigned char *zero)
{
  unsigned char *to = zero + t->nvariables + t->nconstants;
  for (const ns_instruction *i = t->code; i->op != NS_OP_END; i++) {
    int both = i->op == NS_OP_SINCOS;
    *to++ = both ? zero[i->a]
                 : (unsigned char)result_is_zero(ns_op_base(i->op), zero[i->a], zero[i->b],
                                                 zero[i->c]);
    if (both) *to++ = 0;
  }
}

int ns_tape_vanishes(const ns_tape *t, int bank)
{
  unsigned char *zero = calloc(t->nslots + 1, 1);
  if (!zero) return 0;
  for (int i = 0; i < t->nvariables; i++) zero[i] = t->variable[i].bank == bank;
  for (int i = 0; i < t->nconstants; i++) zero[t->nvariables + i] = t->constant[i] == 0;
  follow(t, zero);
  int vanishes = 1;
  for (int k = 0; k < t->noutputs; k++) vanishes = vanishes && zero[t->output[k]];
  free(zero);
  return vanishes;
}
