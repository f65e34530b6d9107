/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expression.h -- formulas of a model: parse once, differentiate exactly, evaluate fast.
 *
 * A text such as `-m*g + k*sin(2*x)` becomes a node of a graph in which equal subterms are one node
 * and constant ones are folded. Derivatives are nodes too (exact, by the chain rule), so a function
 * and its Jacobian share their work. A set of nodes is compiled to a tape: straight code without
 * branches or allocation, run by ns_tape_eval.
 *
 * Names are resolved by the caller through ns_scope: a name is a constant (a parameter, folded into
 * the graph), a variable = (bank, index), read at run time from bank[b][i], or a node.
 *
 * Numbers are read whole, in the C locale. Arithmetic: + - * / ^ (right associative, -x^2 =
 * -(x^2)), comparisons (1 or 0), && || !, c ? a : b, functions of NS_FUNCTION_LIST. Angles in rad.
 * `pi` is known; everything else comes from the scope. A function's name is one only before "(": a
 * variable may be called `step`.
 *
 * Every operation rounds like the same operation in C, except that x^n with 2n an integer and |n|
 * <= 16 is computed by products and a square root. A constant factor or numerator 0 makes the
 * result 0, even if the other operand is inf or NaN at run time. Both sides of ?: are evaluated and
 * one is selected; the other affects neither the value nor the derivative. */
#ifndef NS_EXPRESSION_EXPRESSION_H
#define NS_EXPRESSION_EXPRESSION_H

#include "base/arena.h"
#include "base/context.h"

#include <stddef.h>
#include <stdio.h>

typedef struct ns_graph ns_graph;
typedef int ns_node; /* index of a node in its graph; < 0: none */

typedef enum ns_name_kind {
  NS_NAME_UNKNOWN,
  NS_NAME_CONSTANT,
  NS_NAME_VARIABLE,
  NS_NAME_NODE
} ns_name_kind;

typedef struct ns_name {
  ns_name_kind kind;
  double value;    /* CONSTANT */
  int bank, index; /* VARIABLE */
  ns_node node;    /* NODE: of the graph that is parsed to, as an argument of a function */
} ns_name;

enum { NS_ARGUMENTS_MAX = 8 }; /* of a function of the model */
enum { NS_NO_VECTOR = -2 };

/* What names mean in one formula. */
typedef struct ns_scope {
  /* Meaning of name[0..len); subscript >= 0 for `name[subscript]`, -1 without. Names may contain
   * letters, digits, '_' and '.' (a system's id before its coordinate: `crank.theta`). */
  ns_name (*lookup)(const void *self, const char *name, size_t len, int subscript);
  /* Most similar known name for a did-you-mean; NULL if there is none; may be NULL. */
  const char *(*suggest)(const void *self, const char *name, size_t len);
  const void *self;
  /* Functions of the model, in addition to NS_FUNCTION_LIST; both NULL: none. arguments: number of
   * arguments of name[0..len), 0: no such function; call: its value at argument [that many], a node
   * of g, < 0: out of memory. They hide those of NS_BLOCK_LIST. */
  int (*arguments)(const void *self, const char *name, size_t len);
  ns_node (*call)(const void *self, ns_graph *g, const char *name, size_t len,
                  const ns_node *argument);
  int suffixes; /* 1: numbers may have suffixes of circuits: 1k, 2.2meg, 10uF, 3nH */
  /* The entry of the vector name[0..len) at a subscript that is not constant, a node of g;
   * NS_NO_VECTOR: no vector of this name; other values < 0: out of memory. May be NULL. */
  ns_node (*entry)(const void *self, ns_graph *g, const char *name, size_t len, ns_node subscript);
  /* Function k for a did-you-mean, NULL beyond the last; may be NULL. */
  const char *(*offer)(const void *self, int k);
} ns_scope;

/* Create a graph of formulas in memory of the arena, which must not be released to a mark that is
 * older than the last growth of the graph. NULL: out of memory. */
ns_graph *ns_graph_create(ns_arena *a);

/* Parse text[0..len) whole. On success *out is its node. On error a sentence in c (NS_MODEL):
 * `at` (file:line: <element>), the text, what was found at which column, what was expected.
 * Columns count bytes from 1 at the first character that is not white space. At most 16 MiB,
 * nested at most 200 deep; sums and products may have any length. A subscript is a constant
 * expression, but for vectors of scope->entry. */
int ns_graph_parse(ns_graph *g, ns_ctx *c, const char *at, const char *text, size_t len,
                   const ns_scope *scope, ns_node *out);
/* Split a vector or matrix text into entries: columns by white space or comma at depth 0 of
 * parentheses, rows by ';'. A sign or operator next to white space joins what it binds:
 * "-m*g 0 0" has 3 entries, "a - b" one, "a -b" two, "a, -b" two. Calls entry(to, row, col, text,
 * len) in order; stops at the first non-zero return and gives it back. rows, cols: the shape;
 * ragged rows are an error (NS_MODEL), and so is an empty entry; a ';' may end the last row.
 * White space only: 0 x 0. A parenthesis that does not close is left to the parser to report. */
int ns_split_entries(ns_ctx *c, const char *at, const char *text,
                     int (*entry)(void *to, int row, int col, const char *text, size_t len),
                     void *to, int *rows, int *cols);

ns_node ns_graph_constant(ns_graph *g, double value);
ns_node ns_graph_variable(ns_graph *g, int bank, int index);
/* a + b, a - b, a b, a < b (1 or 0), c ? a : b; folded. A node < 0 is passed on. */
ns_node ns_graph_add(ns_graph *g, ns_node a, ns_node b);
ns_node ns_graph_subtract(ns_graph *g, ns_node a, ns_node b);
ns_node ns_graph_multiply(ns_graph *g, ns_node a, ns_node b);
ns_node ns_graph_less(ns_graph *g, ns_node a, ns_node b);
ns_node ns_graph_select(ns_graph *g, ns_node c, ns_node a, ns_node b);
/* a == b: 0 where one of them is NaN. */
ns_node ns_graph_equal(ns_graph *g, ns_node a, ns_node b);
/* A formula as condition: it holds if it is true, or, for a formula without comparisons, if it is
 * positive. *by, the margin, is continuous if the compared formulas are, positive if the condition
 * holds and negative if not: b - a for a < b, the smaller of both for && and the larger for ||; its
 * zero is the time of the change. */
void ns_graph_condition(ns_graph *g, ns_node f, ns_node *holds, ns_node *by);
/* The margin of a condition if changes of comparisons that read only t (bank `time`) and banks of
 * `fixed` (bits 1 << bank) are located separately: these comparisons count as infinitely far from
 * their change, on their present side. Every other change of the condition is then a zero of the
 * margin, also close to a known one. For example, if in sin(t) > 0 && x > 1 the variable x passes 1
 * shortly before sin(t) passes 0, the condition begins and ends within one step. by: the margin
 * from ns_graph_condition, which is returned unchanged if it is not that of `holds`. */
ns_node ns_graph_known_margin(ns_graph *g, ns_node holds, ns_node by, int time, unsigned fixed);
/* d node / d variable; exact. The derivative of |x|, min, max, sign, comparisons and ?: is that
 * of the branch taken (0 for sign and comparisons; abs'(0) = 0, also hypot at (0, 0)). Where the
 * slope of a root, asin, acos or power is inf and the inner slope is 0, the product is 0:
 * sqrt(max(x, 0)) is flat for x < 0. < 0: out of memory; a node < 0 may be passed on and is refused
 * by ns_tape_compile (NS_NOMEM), so a chain of calls is checked once. Time: the nodes below f
 * that depend on the variable. */
ns_node ns_graph_diff(ns_graph *g, ns_node f, int bank, int index);

/* f with variable k of the bank replaced by node by[k], for all its variables; other entries of by
 * are not read. < 0: out of memory. */
ns_node ns_graph_replace(ns_graph *g, ns_node f, int bank, const ns_node *by);

/* 1 and *value if the node is a constant. */
int ns_graph_is_constant(const ns_graph *g, ns_node f, double *value);
/* 1 if the node depends on any variable of the bank. */
int ns_graph_uses(const ns_graph *g, ns_node f, int bank);
/* The variables of a bank on which f[0..n) depend: returns their number; index[0..min(number, max))
 * in ascending order if all fit. NS_NOMEM. Gives the pattern of a sparse Jacobian without trying
 * every variable. */
int ns_graph_variables(const ns_graph *g, const ns_node *f, int n, int bank, int *index, int max);

/* Straight-line code for n outputs. Immutable, shareable between threads; memory of `a`. */
typedef struct ns_tape ns_tape;
int ns_tape_compile(const ns_graph *g, ns_ctx *c, ns_arena *a, const ns_node *out, int n,
                    const ns_tape **tape);
int ns_tape_outputs(const ns_tape *t);
/* 1 if it reads an entry of a table or vector. */
int ns_tape_takes_entries(const ns_tape *t);
/* Doubles of scratch that ns_tape_eval needs. */
size_t ns_tape_work(const ns_tape *t);
/* out[k] = value of output k, k = 0..outputs-1. bank[b] is read where the tape uses bank b. out
 * may not overlap work or the banks. Never fails: 1/0 is inf, sqrt(-1) is NaN; the caller tests. */
void ns_tape_eval(const ns_tape *t, const double *const *bank, double *work, double *out);
/* The inverse of compilation: out[k] is the node of output k in g [outputs]. Tapes that are lifted
 * into one graph and compiled together compute common subexpressions once, with unchanged bits.
 * NS_NOMEM, without a message. */
int ns_tape_lift(const ns_tape *t, ns_graph *g, ns_node *out);
/* The same with variables of one bank numbered `by` higher. */
int ns_tape_lift_shifted(const ns_tape *t, ns_graph *g, int bank, int by, ns_node *out);
/* 1 if every output is 0 at bank[bank][..] = 0 by the structure of the formula, as for x y lambda,
 * assuming that the rest is finite. 0 also if out of memory. */
int ns_tape_vanishes(const ns_tape *t, int bank);

/* clang-format off */
/* X(name, number of arguments, help); reserved names. */
#define NS_FUNCTION_LIST(X)                                                                     \
  X(sin, 1, "sine") X(cos, 1, "cosine") X(tan, 1, "tangent")                                    \
  X(asin, 1, "arc sine") X(acos, 1, "arc cosine") X(atan, 1, "arc tangent")                     \
  X(atan2, 2, "atan2(y, x): angle of the point (x, y)")                                         \
  X(sinh, 1, "hyperbolic sine") X(cosh, 1, "hyperbolic cosine") X(tanh, 1, "hyperbolic tangent") \
  X(exp, 1, "exponential") X(log, 1, "natural logarithm") X(log10, 1, "decimal logarithm")      \
  X(sqrt, 1, "square root") X(cbrt, 1, "cube root") X(abs, 1, "absolute value")                 \
  X(sign, 1, "-1, 0 or 1") X(step, 1, "1 for x >= 0, else 0")                                   \
  X(floor, 1, "largest integer <= x") X(ceil, 1, "smallest integer >= x")                       \
  X(mod, 2, "remainder of x/y with the sign of y") X(min, 2, "smaller of x and y")              \
  X(max, 2, "larger of x and y") X(hypot, 2, "sqrt(x^2 + y^2)")                                 \
  X(pow, 2, "x^y") X(erf, 1, "error function") X(if, 3, "if(c, a, b): a where c is not 0, else b")

/* The same for names that parameters, coordinates and functions of the model may also have. */
#define NS_BLOCK_LIST(X)                                                                          \
  X(pulse, 3, "pulse(t, period, width): 1 for t from 0 to width, then 0; repeated after period")  \
  X(pwm, 3, "pwm(t, period, duty): 1 for the fraction duty of each period, then 0")               \
  X(ramp, 3, "ramp(x, a, b): 0 up to x = a, 1 from x = b on, linear between")                     \
  X(sat, 3, "sat(x, a, b): x, but at least a and at most b")                                      \
  X(deadzone, 2, "deadzone(x, w): 0 for |x| <= w, beyond that x - w or x + w")
/* clang-format on */

#endif
