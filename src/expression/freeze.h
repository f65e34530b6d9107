/* SPDX-License-Identifier: GPL-3.0-or-later */
/* freeze.h -- formulas with jumps and corners as smooth formulas that read branch variables.
 *
 * An integrator must not encounter a jump inside a step. Therefore each node with a jump or corner
 * is replaced by a formula that is smooth for a constant branch B, and the function sigma whose
 * zero is the time of the change is listed (Filippov 1988, ch. 2):
 *
 *   a < b, a <= b      B                      sigma = b - a
 *   sign(u)            2 B - 1                sigma = u
 *   abs(u)             (2 B - 1) u            sigma = u        a corner
 *   max(a, b)          B a + (1 - B) b        sigma = a - b    a corner
 *   min(a, b)          B a + (1 - B) b        sigma = b - a    a corner
 *   c ? a : b          B a + (1 - B) b        those of c
 *   && || !            B B', B + B' - B B', 1 - B
 *   floor(u)           B                      stairs: B <= u < B + 1
 *   mod(a, p)          a - p B                stairs on a/p
 *   piece(u)           B                      stairs on position(u), only with `bends` (lookup.h)
 *
 * B is 1 if sigma > 0 and 0 if sigma < 0; for stairs it is the integer. Formulas that are affine in
 * B permit values between, for motion along sigma = 0. Sigma that are equal, or equal except for
 * their sign, are one switch. Derivatives of the result are exact for constant B. Comparisons of
 * quantities that are constant in the flow (parameters, indices, branches) remain comparisons, and
 * so do == and !=, which change only at single points. */
#ifndef NS_EXPRESSION_FREEZE_H
#define NS_EXPRESSION_FREEZE_H

#include "expression/expression.h"

typedef enum ns_switch_kind { NS_SWITCH_CORNER, NS_SWITCH_JUMP, NS_SWITCH_STAIRS } ns_switch_kind;

typedef struct ns_switch {
  ns_node sigma; /* frozen, too: it may read branches of the switches before it */
  ns_switch_kind kind;
  double nil; /* the branch while sigma remains 0: 0 for a < b, 1 for a <= b, 1/2 for sign(u) */
} ns_switch;

typedef struct ns_freezer {
  ns_graph *g;
  int bank;        /* bank of the branch variables; switch k is variable k */
  unsigned fixed;  /* bits 1 << bank of banks that are constant between events */
  unsigned opaque; /* banks that cannot be tracked: formulas that compare them are unchanged */
  int derived;     /* 1: derivatives are being frozen, whose jumps are corners of the formulas */
  int bends;       /* 1: jumps of second derivatives at knots of tables are switches, too */
  int n;
  ns_switch *item; /* [n] */
  ns_node *to;     /* frozen node of a node, -1: none yet [nodes] */
  int nodes;
  ns_node *stack;
  size_t top;
} ns_freezer;

/* Freeze in[k] to out[k]; may be the same array. NS_OK or NS_NOMEM. */
int ns_freeze(ns_freezer *z, const ns_node *in, int n, ns_node *out);
void ns_freeze_fini(ns_freezer *z);
/* 1 if no operation of the tape has a jump or a corner. */
int ns_tape_is_smooth(const ns_tape *t);
/* 1 if it has pieces of tables, whose second derivatives may jump. */
int ns_tape_has_pieces(const ns_tape *t);
/* 1 if no operation that depends on variables of the bank has; 0 also if out of memory. */
int ns_tape_is_smooth_in(const ns_tape *t, int bank);
/* 1 where each output (output >= 0: that one) is c0 + sum c_i x_i of the variables x, with
 * coefficients c of constants and of the banks `fixed` (bits 1 << bank), as the form of the formula
 * shows it; -1: out of memory. */
int ns_tape_is_affine(const ns_tape *t, unsigned fixed, int output);

/* Bounds of the outputs of a tape for variables in lo[bank][i] .. hi[bank][i]: low, high [outputs];
 * work [2 * ns_tape_work]. Interval arithmetic, rounded outwards; infinite if an operation gives no
 * bound (Moore 1966). */
void ns_tape_bounds(const ns_tape *t, const double *const *lo, const double *const *hi,
                    double *work, double *low, double *high);

/* The formula as text, written to buf [size], truncated with "..."; name writes the name of a
 * variable. Returns buf. */
typedef void ns_variable_name(void *to, int bank, int index, char *buf, size_t size);
const char *ns_graph_text(const ns_graph *g, ns_node f, ns_variable_name *name, void *to, char *buf,
                          size_t size);

#endif
