/* SPDX-License-Identifier: GPL-3.0-or-later */
/* op.h -- the operations of formulas, one list for all uses.
 *
 * X(NAME, number of operands, C expression in a, b, c). The expression is compiled into the
 * constant folding and into the interpreter of tapes, so that the two cannot differ. NaN propagates
 * through all operations except comparisons, logic and x^0. */
#ifndef NS_EXPRESSION_OP_H
#define NS_EXPRESSION_OP_H

#include "expression/lookup.h"

#include <math.h>

#define NS_OPERATION_LIST(X)                                                              \
  X(NEG, 1, -a) X(ADD, 2, a + b) X(SUB, 2, a - b) X(MUL, 2, a * b) X(DIV, 2, a / b)       \
  X(LT, 2, a < b) X(LE, 2, a <= b) X(EQ, 2, a == b) X(NE, 2, a != b)                      \
  X(AND, 2, a != 0 && b != 0) X(OR, 2, a != 0 || b != 0) X(NOT, 1, a == 0)                \
  X(SELECT, 3, a != 0 ? b : c)                                                            \
  /* Of frozen branches (freeze.h): b at 1, c at 0, between them what goes through both. */ \
  X(MIX, 3, a == 1 ? b : a == 0 ? c : c + a * (b - c))                                    \
  X(SIN, 1, sin(a)) X(COS, 1, cos(a)) X(TAN, 1, tan(a))                                   \
  X(ASIN, 1, asin(a)) X(ACOS, 1, acos(a)) X(ATAN, 1, atan(a)) X(ATAN2, 2, atan2(a, b))    \
  X(SINH, 1, sinh(a)) X(COSH, 1, cosh(a)) X(TANH, 1, tanh(a))                             \
  X(EXP, 1, exp(a)) X(LOG, 1, log(a)) X(LOG10, 1, log10(a)) X(POW, 2, pow(a, b))          \
  X(SQRT, 1, sqrt(a)) X(CBRT, 1, cbrt(a)) X(HYPOT, 2, hypot(a, b)) X(ERF, 1, erf(a))      \
  X(ABS, 1, fabs(a)) X(SIGN, 1, a > 0 ? 1.0 : a < 0 ? -1.0 : a)                           \
  X(FLOOR, 1, floor(a)) X(CEIL, 1, ceil(a)) X(FMOD, 2, fmod(a, b))                        \
  /* Chain rule at a singular point: sqrt(max(x, 0)) has slope inf * 0 = 0 for x < 0. */  \
  X(CHAIN, 2, b == 0 ? 0.0 : a * b)                                                       \
  /* Tables, lookup.h; the last operand is the handle. */                                  \
  X(POSITION, 2, ns_lookup_position(b, a)) X(SLOPE, 2, ns_lookup_slope(b, a))             \
  X(PIECE, 2, floor(ns_lookup_position(b, a))) X(ENTRY, 3, ns_lookup_entry(c, a, b))      \
  X(MIN, 2, a < b || a != a ? a : b) X(MAX, 2, a > b || a != a ? a : b)                   \
  /* Only in tapes. The product is rounded before the sum: no fused multiply-add. */      \
  X(MULADD, 3, a * b + c) X(MULSUB, 3, a * b - c) X(SUBMUL, 3, c - a * b)

/* X(NAME, WHICH): operations of a tape that take operand(s) WHICH from the result just before, in a
 * register, not from its slot: a load that waits for its own store takes longer than the sum.
 * Products and sums that commute are turned so that a is the one. */
#define NS_FORWARDED_LIST(X)                                                              \
  X(NEG, a) X(ADD, a) X(SUB, a) X(SUB, b) X(MUL, a) X(MUL, ab) X(DIV, a) X(DIV, b)        \
  X(MULADD, a) X(MULADD, c) X(MULSUB, a) X(MULSUB, c) X(SUBMUL, a) X(SUBMUL, c)           \
  X(SIN, a) X(COS, a) X(SQRT, a)

typedef enum ns_op {
  NS_OP_CONST, /* value */
  NS_OP_VAR,   /* bank, index */
  NS_OP_POWER, /* base^value as factor * factor, or 1 / factor for value < 0; graph.h */
#define NS_OP_ENUM(name, n, expression) NS_OP_##name,
  NS_OPERATION_LIST(NS_OP_ENUM)
#undef NS_OP_ENUM
#define NS_OP_ENUM(name, which) NS_OP_##name##_##which,
      NS_FORWARDED_LIST(NS_OP_ENUM)
#undef NS_OP_ENUM
          NS_OP_SINCOS, /* only in tapes: two results */
  NS_OP_END             /* only in tapes */
} ns_op;

/* ns_value_ADD(a, b, c) = a + b and so on. */
#define NS_OP_FUNCTION(name, n, expression)                               \
  static inline double ns_value_##name(double a, double b, double c)      \
  {                                                                       \
    (void)a, (void)b, (void)c;                                            \
    return expression;                                                    \
  }
NS_OPERATION_LIST(NS_OP_FUNCTION)
#undef NS_OP_FUNCTION

/* Number of operands; 0 for what is not in the list. */
int ns_op_arity(ns_op op);
/* The operation itself where a tape forwards an operand to it. */
ns_op ns_op_base(unsigned op);
/* Value of an operation of the list; operands beyond its number are not read. */
double ns_op_apply(ns_op op, double a, double b, double c);

#endif
