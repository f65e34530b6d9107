/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fold.c -- nodes in simplest form.
 *
 * What is done keeps every rounding of the text (so a formula gives what the same C gives), but
 * for powers: x^n with small |n| multiplies. Beyond IEEE, a factor or numerator that is the
 * constant 0 makes the product or quotient 0 even where the other operand becomes inf or NaN at
 * run time; the zeros of a Jacobian are structural that way. */
#include "expression/graph.h"

#define MAX_POWER 16 /* x^16 takes 4 products; beyond, pow is as fast */

static const ns_term *term(const ns_graph *g, ns_node f) { return &g->term[f]; }

static int is_constant(const ns_graph *g, ns_node f) { return term(g, f)->op == NS_OP_CONST; }

static int is_value(const ns_graph *g, ns_node f, double v)
{
  return is_constant(g, f) && term(g, f)->value == v;
}

static int is_neg(const ns_graph *g, ns_node f) { return term(g, f)->op == NS_OP_NEG; }

static ns_node negative(ns_graph *g, ns_node a) { return ns_make1(g, NS_OP_NEG, a); }

static ns_node add(ns_graph *g, ns_node a, ns_node b)
{
  if (is_value(g, a, 0)) return b;
  if (is_value(g, b, 0)) return a;
  if (is_neg(g, b)) return ns_make2(g, NS_OP_SUB, a, term(g, b)->arg[0]);
  if (is_neg(g, a)) return ns_make2(g, NS_OP_SUB, b, term(g, a)->arg[0]);
  return -1;
}

static ns_node subtract(ns_graph *g, ns_node a, ns_node b)
{
  if (is_value(g, b, 0)) return a;
  if (is_value(g, a, 0)) return negative(g, b);
  if (is_neg(g, b)) return ns_make2(g, NS_OP_ADD, a, term(g, b)->arg[0]);
  return -1;
}

static ns_node multiply(ns_graph *g, ns_node a, ns_node b)
{
  if (is_value(g, a, 0) || is_value(g, b, 0)) return ns_graph_constant(g, 0);
  if (is_value(g, a, 1)) return b;
  if (is_value(g, b, 1)) return a;
  if (is_value(g, a, -1)) return negative(g, b);
  if (is_value(g, b, -1)) return negative(g, a);
  if (is_neg(g, a)) return negative(g, ns_make2(g, NS_OP_MUL, term(g, a)->arg[0], b));
  if (is_neg(g, b)) return negative(g, ns_make2(g, NS_OP_MUL, a, term(g, b)->arg[0]));
  return -1;
}

static ns_node divide(ns_graph *g, ns_node a, ns_node b)
{
  int exponent;
  if (is_value(g, a, 0)) return ns_graph_constant(g, 0);
  if (is_value(g, b, 1)) return a;
  if (is_value(g, b, -1)) return negative(g, a);
  /* Division by a power of two is the product with its inverse, bit for bit. */
  if (is_constant(g, b) && fabs(frexp(term(g, b)->value, &exponent)) == 0.5 && exponent > -1000 &&
      exponent < 1000)
    return ns_make2(g, NS_OP_MUL, a, ns_graph_constant(g, 1 / term(g, b)->value));
  if (is_neg(g, a)) return negative(g, ns_make2(g, NS_OP_DIV, term(g, a)->arg[0], b));
  if (is_neg(g, b)) return negative(g, ns_make2(g, NS_OP_DIV, a, term(g, b)->arg[0]));
  return -1;
}

static ns_node chain(ns_graph *g, ns_node a, ns_node b)
{
  return is_constant(g, b) || is_constant(g, a) ? ns_make2(g, NS_OP_MUL, a, b) : -1;
}

ns_node ns_make1(ns_graph *g, ns_op op, ns_node a)
{
  if (a < 0) return -1;
  const ns_term *t = term(g, a);
  if (t->op == NS_OP_CONST) return ns_graph_constant(g, ns_op_apply(op, t->value, 0, 0));
  if (op == NS_OP_NEG && t->op == NS_OP_NEG) return t->arg[0];
  if (op == NS_OP_NEG && t->op == NS_OP_MUL) {
    ns_node x = t->arg[0], y = t->arg[1];
    if (is_constant(g, y)) return ns_make2(g, NS_OP_MUL, negative(g, y), x);
    if (is_constant(g, x)) return ns_make2(g, NS_OP_MUL, negative(g, x), y);
  }
  return ns_graph_intern(g, op, a, 0, 0, 0);
}

static int commutes(ns_op op)
{
  return op == NS_OP_ADD || op == NS_OP_MUL || op == NS_OP_EQ || op == NS_OP_NE ||
         op == NS_OP_AND || op == NS_OP_OR || op == NS_OP_HYPOT;
}

ns_node ns_make2(ns_graph *g, ns_op op, ns_node a, ns_node b)
{
  if (a < 0 || b < 0) return -1;
  if (is_constant(g, a) && is_constant(g, b))
    return ns_graph_constant(g, ns_op_apply(op, term(g, a)->value, term(g, b)->value, 0));
  ns_node f = op == NS_OP_ADD     ? add(g, a, b)
              : op == NS_OP_SUB   ? subtract(g, a, b)
              : op == NS_OP_MUL   ? multiply(g, a, b)
              : op == NS_OP_DIV   ? divide(g, a, b)
              : op == NS_OP_CHAIN ? chain(g, a, b)
                                  : -1;
  if (f >= 0) return f;
  if (commutes(op) && b < a) return ns_graph_intern(g, op, b, a, 0, 0);
  return ns_graph_intern(g, op, a, b, 0, 0);
}

ns_node ns_make_select(ns_graph *g, ns_node c, ns_node a, ns_node b)
{
  if (a < 0 || b < 0 || c < 0) return -1;
  if (is_constant(g, c)) return term(g, c)->value != 0 ? a : b;
  if (a == b) return a;
  return ns_graph_intern(g, NS_OP_SELECT, c, a, b, 0);
}

ns_node ns_make_mix(ns_graph *g, ns_node c, ns_node a, ns_node b)
{
  if (a < 0 || b < 0 || c < 0) return -1;
  if (is_constant(g, c)) return ns_make_select(g, c, a, b);
  return a == b ? a : ns_graph_intern(g, NS_OP_MIX, c, a, b, 0);
}

ns_node ns_make_entry(ns_graph *g, ns_node k, ns_node j, ns_node h)
{
  if (k < 0 || j < 0 || h < 0) return -1;
  if (is_constant(g, k) && is_constant(g, j))
    return ns_graph_constant(
        g, ns_lookup_entry(term(g, h)->value, term(g, k)->value, term(g, j)->value));
  return ns_graph_intern(g, NS_OP_ENTRY, k, j, h, 0);
}

static ns_node power_node(ns_graph *g, ns_node x, ns_node y, ns_node base, double e)
{
  return x < 0 || y < 0 ? -1 : ns_graph_intern(g, NS_OP_POWER, x, y, base, e);
}

/* base^e with 2e an integer, by products and at most one square root. Each partial power is
 * a node of its own, so that the x^2 in the derivative of x^3 is the x^2 in x^3. */
static ns_node power_chain(ns_graph *g, ns_node base, double e)
{
  if (e == 1) return base;
  if (e == 0.5) return ns_make1(g, NS_OP_SQRT, base);
  if (e == -1) return ns_make2(g, NS_OP_DIV, ns_graph_constant(g, 1), base);
  if (e < 0) return power_node(g, ns_graph_constant(g, 1), power_chain(g, base, -e), base, e);
  if (e != floor(e)) {
    ns_node whole = power_chain(g, base, e - 0.5);
    return power_node(g, whole, power_chain(g, base, 0.5), base, e);
  }
  if (fmod(e, 2) != 0) return power_node(g, power_chain(g, base, e - 1), base, base, e);
  ns_node half = power_chain(g, base, e / 2);
  return power_node(g, half, half, base, e);
}

ns_node ns_make_power(ns_graph *g, ns_node a, ns_node b)
{
  if (a < 0 || b < 0) return -1;
  if (is_constant(g, b) && !is_constant(g, a)) {
    double e = term(g, b)->value;
    if (e == 0) return ns_graph_constant(g, 1);
    if (fabs(e) <= MAX_POWER && 2 * e == floor(2 * e)) return power_chain(g, a, e);
  }
  return ns_make2(g, NS_OP_POW, a, b);
}

ns_node ns_make_mod(ns_graph *g, ns_node a, ns_node b)
{
  /* fmod has the sign of a: where that is not the sign of b, one b more. */
  ns_node zero = ns_graph_constant(g, 0), r = ns_make2(g, NS_OP_FMOD, a, b);
  ns_node below = ns_make2(g, NS_OP_LT, r, zero), sum = ns_make2(g, NS_OP_ADD, r, b);
  if (r < 0 || below < 0 || sum < 0) return -1;
  if (is_constant(g, b) && term(g, b)->value > 0) return ns_make_select(g, below, sum, r);
  ns_node differ = ns_make2(g, NS_OP_NE, below, ns_make2(g, NS_OP_LT, b, zero));
  ns_node other = ns_make2(g, NS_OP_AND, ns_make2(g, NS_OP_NE, r, zero), differ);
  return ns_make_select(g, other, sum, r);
}
