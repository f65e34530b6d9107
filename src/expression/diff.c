/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diff.c -- exact derivatives by the chain rule, node by node.
 *
 * A derivative of a node is a node; each node below f is differentiated once, whatever the number
 * of paths to it, so the result has at most a constant times the nodes of f. No recursion: a
 * sum of 10^5 terms is a chain of 10^5 nodes. */
#include "base/grow.h"
#include "expression/graph.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static ns_node num(ns_graph *g, double v) { return ns_graph_constant(g, v); }
static ns_node neg(ns_graph *g, ns_node a) { return ns_make1(g, NS_OP_NEG, a); }
static ns_node add(ns_graph *g, ns_node a, ns_node b) { return ns_make2(g, NS_OP_ADD, a, b); }
static ns_node sub(ns_graph *g, ns_node a, ns_node b) { return ns_make2(g, NS_OP_SUB, a, b); }
static ns_node quo(ns_graph *g, ns_node a, ns_node b) { return ns_make2(g, NS_OP_DIV, a, b); }
static ns_node sqr(ns_graph *g, ns_node a) { return ns_make_power(g, a, num(g, 2)); }
static ns_node one(ns_graph *g, ns_op op, ns_node a) { return ns_make1(g, op, a); }

/* a*b where c1*(c2*x) becomes (c1*c2)*x: 3*x^2 times k is one product fewer. */
static ns_node mul(ns_graph *g, ns_node a, ns_node b)
{
  double u, v;
  if (a < 0 || b < 0) return -1;
  if (ns_graph_is_constant(g, b, &u)) {
    ns_node swap = a;
    a = b;
    b = swap;
  }
  if (ns_graph_is_constant(g, a, &u) && g->term[b].op == NS_OP_MUL)
    for (int k = 0; k < 2; k++)
      if (ns_graph_is_constant(g, g->term[b].arg[k], &v))
        return ns_make2(g, NS_OP_MUL, num(g, u * v), g->term[b].arg[1 - k]);
  return ns_make2(g, NS_OP_MUL, a, b);
}

/* outer*inner where outer may be inf: 0 where inner is 0. */
static ns_node chain(ns_graph *g, ns_node outer, ns_node inner)
{
  return ns_make2(g, NS_OP_CHAIN, outer, inner);
}

static int is_zero(const ns_graph *g, ns_node f)
{
  double v;
  return ns_graph_is_constant(g, f, &v) && v == 0;
}

/* d(a^b): b a^(b-1) da + a^b log(a) db; each is 0 where its d is, and the second where a^b is. */
static ns_node power_general(ns_graph *g, ns_node f, ns_node a, ns_node b, ns_node da, ns_node db)
{
  ns_node first = num(g, 0), second = first;
  if (!is_zero(g, da)) first = chain(g, mul(g, b, ns_make_power(g, a, sub(g, b, num(g, 1)))), da);
  if (!is_zero(g, db)) second = chain(g, one(g, NS_OP_LOG, a), mul(g, f, db));
  return add(g, first, second);
}

/* d hypot(a, b) = (a/h) da + (b/h) db, and 0 at the origin, as for |x|. */
static ns_node hypotenuse(ns_graph *g, ns_node f, ns_node a, ns_node b, ns_node da, ns_node db)
{
  ns_node origin = ns_make2(g, NS_OP_EQ, f, num(g, 0));
  ns_node h = ns_make_select(g, origin, num(g, 1), f);
  return add(g, mul(g, quo(g, a, h), da), mul(g, quo(g, b, h), db));
}

/* d (a mod b, sign of a) = da - q db with the whole number q = (a - f)/b, rounded. */
static ns_node remainder_of(ns_graph *g, ns_node f, ns_node a, ns_node b, ns_node da, ns_node db)
{
  if (is_zero(g, db)) return da;
  ns_node q = one(g, NS_OP_FLOOR, add(g, quo(g, sub(g, a, f), b), num(g, 0.5)));
  return sub(g, da, mul(g, q, db));
}

/* Derivative of a function of one argument; -1 where it is none or out of memory. */
static ns_node slope_of(ns_graph *g, ns_op op, ns_node f, ns_node a)
{
  const double two_over_sqrt_pi = 1.12837916709551257390, ln10 = 2.30258509299404568402;
  ns_node i = num(g, 1);
  switch (op) {
  case NS_OP_SIN: return one(g, NS_OP_COS, a);
  case NS_OP_COS: return neg(g, one(g, NS_OP_SIN, a));
  case NS_OP_TAN: return add(g, i, sqr(g, f));
  case NS_OP_ASIN: /* (1-x)(1+x), not 1-x^2: exact near 1 */
    return quo(g, i, one(g, NS_OP_SQRT, mul(g, sub(g, i, a), add(g, i, a))));
  case NS_OP_ACOS:
    return quo(g, num(g, -1), one(g, NS_OP_SQRT, mul(g, sub(g, i, a), add(g, i, a))));
  case NS_OP_ATAN: return quo(g, i, add(g, i, sqr(g, a)));
  case NS_OP_SINH: return one(g, NS_OP_COSH, a);
  case NS_OP_COSH: return one(g, NS_OP_SINH, a);
  case NS_OP_TANH: /* not 1 - tanh^2, which cancels */
    return quo(g, i, sqr(g, one(g, NS_OP_COSH, a)));
  case NS_OP_EXP: return f;
  case NS_OP_LOG: return quo(g, i, a);
  case NS_OP_LOG10: return quo(g, num(g, 1 / ln10), a);
  case NS_OP_SQRT: return quo(g, num(g, 0.5), f);
  case NS_OP_CBRT: return quo(g, num(g, 1.0 / 3), sqr(g, f));
  case NS_OP_ABS: return one(g, NS_OP_SIGN, a);
  case NS_OP_ERF: return mul(g, num(g, two_over_sqrt_pi), one(g, NS_OP_EXP, neg(g, sqr(g, a))));
  default: return -1;
  }
}

/* Functions whose slope is inf where they have a value. */
static int is_singular(ns_op op)
{
  return op == NS_OP_SQRT || op == NS_OP_CBRT || op == NS_OP_ASIN || op == NS_OP_ACOS;
}

static int is_piecewise_constant(ns_op op)
{
  return op == NS_OP_LT || op == NS_OP_LE || op == NS_OP_EQ || op == NS_OP_NE || op == NS_OP_AND ||
         op == NS_OP_OR || op == NS_OP_NOT || op == NS_OP_SIGN || op == NS_OP_FLOOR ||
         op == NS_OP_CEIL || op == NS_OP_PIECE || op == NS_OP_ENTRY ||
         op == NS_OP_SLOPE; /* but beyond the ends of a table, where nobody reads it */
}

/* Derivative of node f with term t, given those of its operands. */
static ns_node rule(ns_graph *g, ns_node f, ns_term t, const ns_node *d)
{
  ns_node a = t.arg[0], b = t.arg[1];
  switch (t.op) {
  case NS_OP_NEG: return neg(g, d[0]);
  case NS_OP_ADD: return add(g, d[0], d[1]);
  case NS_OP_SUB: return sub(g, d[0], d[1]);
  case NS_OP_MUL: return add(g, mul(g, d[0], b), mul(g, a, d[1]));
  case NS_OP_DIV: return quo(g, sub(g, d[0], mul(g, f, d[1])), b);
  case NS_OP_POW: return power_general(g, f, a, b, d[0], d[1]);
  case NS_OP_ATAN2:
    return quo(g, sub(g, mul(g, b, d[0]), mul(g, a, d[1])), add(g, sqr(g, a), sqr(g, b)));
  case NS_OP_HYPOT: return hypotenuse(g, f, a, b, d[0], d[1]);
  case NS_OP_FMOD: return remainder_of(g, f, a, b, d[0], d[1]);
  case NS_OP_SELECT: return ns_make_select(g, a, d[1], d[2]);
  case NS_OP_MIX: return ns_make_mix(g, a, d[1], d[2]); /* branches are constants */
  case NS_OP_MIN: return ns_make_select(g, ns_make2(g, NS_OP_LE, a, b), d[0], d[1]);
  case NS_OP_MAX: return ns_make_select(g, ns_make2(g, NS_OP_LE, b, a), d[0], d[1]);
  case NS_OP_CHAIN: return add(g, chain(g, d[0], b), chain(g, a, d[1]));
  case NS_OP_POSITION: return mul(g, ns_make2(g, NS_OP_SLOPE, a, b), d[0]);
  default: break;
  }
  if (is_zero(g, d[0])) return d[0];
  ns_node slope = slope_of(g, t.op, f, a);
  return is_singular(t.op) ? chain(g, slope, d[0]) : mul(g, slope, d[0]);
}

/* Nodes whose derivative is being waited for, the deepest last. */
typedef struct stack {
  ns_node *node;
  size_t n;
} stack;

static int push(stack *s, ns_node f)
{
  if (ns_grow(&s->node, s->n)) return NS_NOMEM;
  s->node[s->n++] = f;
  return NS_OK;
}

static unsigned new_stamp(ns_graph *g)
{
  if (g->stamp == UINT_MAX) {
    for (int i = 0; i < g->count; i++) g->term[i].stamp = 0;
    g->stamp = 0;
  }
  return ++g->stamp;
}

/* Operands to differentiate of a term; POWER has its base alone. */
static int inner(const ns_term *t, ns_node arg[3])
{
  memcpy(arg, t->arg, sizeof t->arg);
  if (t->op == NS_OP_POWER) arg[0] = t->arg[2];
  return t->op == NS_OP_POWER ? 1 : ns_term_operands(t);
}

static ns_node power_rule(ns_graph *g, const ns_term *t, ns_node dbase)
{
  if (is_zero(g, dbase)) return dbase;
  ns_node lower = ns_make_power(g, t->arg[2], num(g, t->value - 1));
  return mul(g, mul(g, num(g, t->value), lower), dbase);
}

/* Derivative of f where those of its operands are known, else the operands on the stack. */
static int visit(ns_graph *g, stack *s, ns_node f, ns_node x, uint64_t bit, unsigned stamp)
{
  ns_term t = g->term[f]; /* a copy: the array moves when it grows */
  ns_node arg[3], d[3] = {0, 0, 0};
  int n = inner(&t, arg), missing = 0;
  ns_node df;
  if (!(t.uses & bit) || is_piecewise_constant(t.op)) df = num(g, 0);
  else if (t.op == NS_OP_VAR) df = num(g, f == x);
  else {
    for (int k = 0; k < n; k++) {
      if (g->term[arg[k]].stamp == stamp) d[k] = g->term[arg[k]].derivative;
      else if (push(s, arg[k]) != NS_OK) return NS_NOMEM;
      else missing = 1;
    }
    if (missing) return NS_OK;
    df = t.op == NS_OP_POWER ? power_rule(g, &t, d[0]) : rule(g, f, t, d);
  }
  if (df < 0) return NS_NOMEM;
  g->term[f].derivative = df;
  g->term[f].stamp = stamp;
  s->n--;
  return NS_OK;
}

ns_node ns_graph_diff(ns_graph *g, ns_node f, int bank, int index)
{
  if (f < 0) return -1;
  uint64_t bit = ns_variable_bit(bank, index);
  ns_node x = ns_graph_find(g, NS_OP_VAR, bank, index, 0, 0);
  if (x < 0 || !(g->term[f].uses & bit)) return num(g, 0);
  unsigned stamp = new_stamp(g);
  stack s = {0};
  int rc = push(&s, f);
  while (rc == NS_OK && s.n) {
    ns_node top = s.node[s.n - 1];
    if (g->term[top].stamp == stamp) s.n--;
    else rc = visit(g, &s, top, x, bit, stamp);
  }
  free(s.node);
  return rc == NS_OK ? g->term[f].derivative : -1;
}
