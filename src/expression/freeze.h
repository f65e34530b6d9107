/* SPDX-License-Identifier: GPL-3.0-or-later */
/* freeze.h -- formulas with jumps and corners as smooth formulas that read branch variables.
 *
 * An integrator must not meet a jump inside of a step. So each node that jumps or has a corner is
 * replaced by a formula that is smooth while the branch B is constant, and the function sigma whose
 * zero is the moment of the change is listed (Filippov 1988, ch. 2):
 *
 *   a < b, a <= b      B                      sigma = b - a
 *   sign(u)            2 B - 1                sigma = u
 *   abs(u)             (2 B - 1) u            sigma = u        a corner
 *   max(a, b)          B a + (1 - B) b        sigma = a - b    a corner; min(a, b) = max with a, b
 *                      exchanged
 *   c ? a : b          B a + (1 - B) b        those of c
 *   && || !            B B', B + B' - B B', 1 - B
 *   floor(u)           B                      stairs: B <= u < B + 1
 *   mod(a, p)          a - p B                stairs on a/p
 *
 * B is 1 where sigma > 0 and 0 where sigma < 0; on stairs it is the integer. Formulas that enter
 * affinely take values between, too: those of a motion along sigma = 0. Equal sigma, and those that
 * differ by their sign, are one switch. Derivatives of the result are exact while B is constant.
 * What is compared but constant in the flow (parameters, indices, branches) stays a comparison, and
 * so do == and !=, which differ at a point alone. */
#ifndef NS_EXPRESSION_FREEZE_H
#define NS_EXPRESSION_FREEZE_H

#include "expression/expression.h"

typedef enum ns_switch_kind { NS_SWITCH_CORNER, NS_SWITCH_JUMP, NS_SWITCH_STAIRS } ns_switch_kind;

typedef struct ns_switch {
  ns_node sigma; /* frozen itself: it may read branches of the switches before it */
  ns_switch_kind kind;
  double nil; /* the branch where sigma stays 0: 0 of a < b, 1 of a <= b, 1/2 of sign(u) */
} ns_switch;

typedef struct ns_freezer {
  ns_graph *g;
  int bank;        /* of the branch variables; switch k is variable k */
  unsigned fixed;  /* bits 1 << bank of what is constant between events */
  unsigned opaque; /* of what cannot be followed: formulas that compare it stay as they are */
  int derived;     /* what is frozen now are derivatives: their jumps are corners of the formulas */
  int n, cap;
  ns_switch *item; /* [n] */
  ns_node *to;     /* frozen node of a node, -1: none yet [nodes] */
  int nodes;
  ns_node *stack;
  size_t top, depth;
} ns_freezer;

/* out[k] = in[k] frozen; may be the same array. NS_OK or NS_NOMEM. */
int ns_freeze(ns_freezer *z, const ns_node *in, int n, ns_node *out);
void ns_freeze_fini(ns_freezer *z);
/* 1 where no operation of the tape has a jump or a corner. */
int ns_tape_is_smooth(const ns_tape *t);
/* 1 where none that depends on the variables of the bank has; 0 where memory lacks, too. */
int ns_tape_is_smooth_in(const ns_tape *t, int bank);
/* 1 where each output (output >= 0: that one) is c0 + sum c_i x_i of the variables x, with
 * coefficients c of constants and of the banks `fixed` (bits 1 << bank), as the form of the formula
 * shows it; -1: out of memory. */
int ns_tape_is_affine(const ns_tape *t, unsigned fixed, int output);

/* Bounds of the outputs of a tape while its variables stay within lo[bank][i] .. hi[bank][i]:
 * low, high [outputs]; work [2 * ns_tape_work]. Intervals, rounded outwards; infinite where an
 * operation tells nothing (Moore 1966). */
void ns_tape_bounds(const ns_tape *t, const double *const *lo, const double *const *hi,
                    double *work, double *low, double *high);

/* The formula as text to buf [size], cut with "..." where it is longer; name writes that of a
 * variable. Returns buf. */
typedef void ns_variable_name(void *to, int bank, int index, char *buf, size_t size);
const char *ns_graph_text(const ns_graph *g, ns_node f, ns_variable_name *name, void *to, char *buf,
                          size_t size);

#endif
