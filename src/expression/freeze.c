/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "expression/freeze.h"

#include "algebra/vector.h"
#include "base/grow.h"
#include "expression/graph.h"
#include "expression/lookup.h"
#include "expression/nodeset.h"
#include "expression/tape.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static ns_node number(ns_freezer *z, double v) { return ns_graph_constant(z->g, v); }
static ns_node two(ns_freezer *z, ns_op op, ns_node a, ns_node b)
{
  return ns_make2(z->g, op, a, b);
}

static int is_truth(ns_op op)
{
  return op == NS_OP_LT || op == NS_OP_LE || op == NS_OP_EQ || op == NS_OP_NE || op == NS_OP_AND ||
         op == NS_OP_OR || op == NS_OP_NOT;
}

/* ---- switches -------------------------------------------------------------------------------- */

static unsigned banks_of(const ns_freezer *z, ns_node f)
{
  return (unsigned)(z->g->term[f].uses & 0xffffu);
}

/* 1 where sigma changes in the flow, and can be followed. */
static int moves(const ns_freezer *z, ns_node sigma)
{
  unsigned uses = banks_of(z, sigma);
  return uses & ~(z->fixed | 1u << z->bank) && !(uses & z->opaque);
}

static int add_switch(ns_freezer *z, ns_node sigma, ns_switch_kind kind)
{
  return ns_append(&z->item, &z->n, (&(ns_switch){.sigma = sigma, .kind = kind}));
}

/* -sigma where that is a node without a sign of its own; -1: it is none. */
static ns_node opposite(const ns_freezer *z, ns_node sigma)
{
  const ns_term *t = &z->g->term[sigma];
  if (t->op == NS_OP_NEG) return t->arg[0];
  if (t->op == NS_OP_SUB) return ns_graph_find(z->g, NS_OP_SUB, t->arg[1], t->arg[0], 0, 0);
  return ns_graph_find(z->g, NS_OP_NEG, sigma, 0, 0, 0);
}

static int find_switch(const ns_freezer *z, ns_node sigma, int stairs)
{
  for (int k = 0; k < z->n && sigma >= 0; k++)
    if (z->item[k].sigma == sigma && (z->item[k].kind == NS_SWITCH_STAIRS) == stairs) return k;
  return -1;
}

/* The branch variable of sigma: 1 where it is above 0, `nil` where it stays 0; what two
 * comparisons of one sigma say of that, the first of them decides. */
static ns_node branch(ns_freezer *z, ns_node sigma, ns_switch_kind kind, double nil)
{
  ns_node other = opposite(z, sigma);
  int k = find_switch(z, sigma, 0), turned = 0;
  if (z->derived) kind = NS_SWITCH_CORNER;
  if (k < 0 && (k = find_switch(z, other, 0)) >= 0) turned = 1;
  if (k < 0) k = add_switch(z, sigma, NS_SWITCH_CORNER);
  if (k < 0) return -1;
  if (kind == NS_SWITCH_JUMP && z->item[k].kind != kind) {
    z->item[k].kind = kind;
    z->item[k].nil = turned ? 1 - nil : nil;
  }
  ns_node b = ns_graph_variable(z->g, z->bank, k);
  return turned ? two(z, NS_OP_SUB, number(z, 1), b) : b;
}

/* The integer below u. */
static ns_node stairs(ns_freezer *z, ns_node u)
{
  int k = find_switch(z, u, 1);
  if (k < 0) k = add_switch(z, u, NS_SWITCH_STAIRS);
  return k < 0 ? -1 : ns_graph_variable(z->g, z->bank, k);
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/* 2 B - 1 */
static ns_node side(ns_freezer *z, ns_node u, ns_switch_kind kind)
{
  return two(z, NS_OP_SUB, two(z, NS_OP_MUL, number(z, 2), branch(z, u, kind, 0.5)), number(z, 1));
}

static ns_node compare(ns_freezer *z, ns_op op, ns_node a, ns_node b)
{
  ns_node sigma = two(z, NS_OP_SUB, b, a);
  if (sigma < 0) return -1;
  return moves(z, sigma) ? branch(z, sigma, NS_SWITCH_JUMP, op == NS_OP_LE) : two(z, op, a, b);
}

/* larger(a, b) is a, or b where that is larger */
static ns_node extreme(ns_freezer *z, ns_op op, ns_node a, ns_node b)
{
  ns_node sigma = op == NS_OP_MAX ? two(z, NS_OP_SUB, a, b) : two(z, NS_OP_SUB, b, a);
  if (sigma < 0) return -1;
  if (!moves(z, sigma)) return two(z, op, a, b);
  return ns_make_mix(z->g, branch(z, sigma, NS_SWITCH_CORNER, 0), a, b);
}

static ns_node logic(ns_freezer *z, ns_op op, ns_node a, ns_node b)
{
  if (op == NS_OP_NOT) return two(z, NS_OP_SUB, number(z, 1), a);
  ns_node both = two(z, NS_OP_MUL, a, b);
  return op == NS_OP_AND ? both : two(z, NS_OP_SUB, two(z, NS_OP_ADD, a, b), both);
}

/* floor, or ceil(u) = -floor(-u) */
static ns_node whole(ns_freezer *z, ns_op op, ns_node u)
{
  if (!moves(z, u)) return ns_make1(z->g, op, u);
  if (op == NS_OP_FLOOR) return stairs(z, u);
  ns_node down = ns_make1(z->g, NS_OP_NEG, u);
  return down < 0 ? -1 : ns_make1(z->g, NS_OP_NEG, stairs(z, down));
}

/* a modulo p as ns_make_mod writes it: the operands of its remainder; 0: it is something else. */
static int is_modulo(const ns_graph *g, const ns_term *t, ns_node arg[2])
{
  if (t->op != NS_OP_SELECT) return 0;
  const ns_term *r = &g->term[t->arg[2]], *sum = &g->term[t->arg[1]];
  if (r->op != NS_OP_FMOD || sum->op != NS_OP_ADD) return 0;
  ns_node p = sum->arg[0] == t->arg[2] ? sum->arg[1] : sum->arg[0];
  arg[0] = r->arg[0];
  arg[1] = r->arg[1];
  return p == r->arg[1] && (sum->arg[0] == t->arg[2] || sum->arg[1] == t->arg[2]);
}

static ns_node modulo(ns_freezer *z, ns_node a, ns_node p)
{
  ns_node u = two(z, NS_OP_DIV, a, p);
  if (u < 0) return -1;
  if (!moves(z, u)) return ns_make_mod(z->g, a, p);
  return two(z, NS_OP_SUB, a, two(z, NS_OP_MUL, p, stairs(z, u)));
}

/* The piece of a table: its number changes at knots where second derivatives jump, if these are to
 * be followed. */
static ns_node piece(ns_freezer *z, ns_node x, ns_node table)
{
  int jumps = z->bends && ns_lookup_bends(z->g->term[table].value) && moves(z, x);
  if (!jumps) return two(z, NS_OP_PIECE, x, table);
  ns_node u = two(z, NS_OP_POSITION, x, table);
  return u < 0 ? -1 : stairs(z, u);
}

enum { LOOKED_AT = 64, PARTS = 8, KNOWN = 8 }; /* nodes for one root; see below */

/* c + sum k[i] part[i] */
typedef struct affine_sum {
  double c, k[PARTS];
  ns_node part[PARTS];
  int n;
} affine_sum;

/* What is known: these are not negative; how many more nodes to look at. */
typedef struct premise {
  affine_sum known[KNOWN];
  int n, left;
} premise;

/* s += k*f; 0: it has too many parts. */
static int add_affine(const ns_graph *g, ns_node f, double k, affine_sum *s, int *left)
{
  if (f < 0 || --*left < 0) return 0;
  const ns_term *t = &g->term[f];
  const int *a = t->arg;
  switch (t->op) {
  case NS_OP_CONST: s->c += k * t->value; return 1;
  case NS_OP_NEG: return add_affine(g, a[0], -k, s, left);
  case NS_OP_ADD: return add_affine(g, a[0], k, s, left) && add_affine(g, a[1], k, s, left);
  case NS_OP_SUB: return add_affine(g, a[0], k, s, left) && add_affine(g, a[1], -k, s, left);
  case NS_OP_MUL:
    for (int i = 0; i < 2; i++)
      if (g->term[a[i]].op == NS_OP_CONST)
        return add_affine(g, a[1 - i], k * g->term[a[i]].value, s, left);
    break;
  case NS_OP_DIV:
    if (g->term[a[1]].op == NS_OP_CONST)
      return add_affine(g, a[0], k / g->term[a[1]].value, s, left);
    break;
  default: break;
  }
  int i = 0;
  while (i < s->n && s->part[i] != f) i++;
  if (i == PARTS) return 0;
  if (i == s->n) {
    s->part[s->n++] = f;
    s->k[i] = 0;
  }
  s->k[i] += k;
  return 1;
}

/* 1 where f = r*s + c with r > 0 and c >= 0, but for rounding. */
static int follows(const affine_sum *f, const affine_sum *s)
{
  const double eps = 8 * DBL_EPSILON;
  double r = 0;
  for (int i = 0; i < f->n; i++) {
    int j = 0;
    while (j < s->n && s->part[j] != f->part[i]) j++;
    if (j == s->n) return 0;
    double ratio = f->k[i] / s->k[j];
    if (i > 0 && !(fabs(ratio - r) <= eps * r)) return 0;
    r = ratio;
  }
  return f->n == s->n && r > 0 && f->c - r * s->c >= -eps * fabs(f->c);
}

static int is_known(const ns_graph *g, ns_node f, const premise *p)
{
  affine_sum a = {.n = 0};
  int left = LOOKED_AT;
  if (!p->n || !add_affine(g, f, 1, &a, &left)) return 0;
  int parts = 0;
  for (int i = 0; i < a.n; i++) parts += a.k[i] != 0;
  if (!parts) return a.c >= 0;
  for (int i = 0; i < p->n; i++)
    if (follows(&a, &p->known[i])) return 1;
  return 0;
}

/* What is not negative where the condition c holds, or does not. to: the nodes that its operands
 * are now, or NULL. */
static void learn(const ns_graph *g, ns_node c, int holds, const ns_node *to, premise *p)
{
  const ns_term *t = &g->term[c];
  const int *a = t->arg;
  if (t->op == NS_OP_NOT) learn(g, a[0], !holds, to, p);
  if (t->op == (holds ? NS_OP_AND : NS_OP_OR))
    for (int i = 0; i < 2; i++) learn(g, a[i], holds, to, p);
  if ((t->op != NS_OP_LT && t->op != NS_OP_LE) || p->n == KNOWN) return;
  affine_sum *s = &p->known[p->n];
  const double up = holds ? 1 : -1;
  int left = LOOKED_AT;
  *s = (affine_sum){.n = 0};
  p->n += add_affine(g, to ? to[a[1]] : a[1], up, s, &left) &&
          add_affine(g, to ? to[a[0]] : a[0], -up, s, &left);
}

static int is_nonnegative(const ns_graph *g, ns_node f, premise *p);

/* f*c where the condition c holds, and 0 elsewhere. */
static int is_nonnegative_if(const ns_graph *g, ns_node f, ns_node c, premise *p)
{
  const int n = p->n;
  if (!is_truth(g->term[c].op)) return 0;
  learn(g, c, 1, NULL, p);
  int is = is_nonnegative(g, f, p);
  p->n = n;
  return is;
}

/* ?: where each arm is, by its condition, or mod(a, p) of such a p. */
static int is_select_nonnegative(const ns_graph *g, const ns_term *t, premise *p)
{
  const int n = p->n;
  ns_node arg[2];
  if (is_modulo(g, t, arg)) return is_nonnegative(g, arg[1], p);
  for (int i = 1; i <= 2; i++) {
    learn(g, t->arg[0], i == 1, NULL, p);
    int is = is_nonnegative(g, t->arg[i], p);
    p->n = n;
    if (!is) return 0;
  }
  return 1;
}

/* 1 where f is never negative, by its form. */
static int is_nonnegative(const ns_graph *g, ns_node f, premise *p)
{
  if (f < 0 || --p->left < 0) return 0;
  if (is_known(g, f, p)) return 1;
  const ns_term *t = &g->term[f];
  const int *a = t->arg;
  switch (t->op) {
  case NS_OP_CONST: return t->value >= 0;
  case NS_OP_ABS:
  case NS_OP_HYPOT:
  case NS_OP_SQRT:
  case NS_OP_EXP: return 1;
  case NS_OP_POWER: return fmod(t->value, 2) == 0 || is_nonnegative(g, a[2], p);
  case NS_OP_POW: return is_nonnegative(g, a[0], p);
  case NS_OP_MAX: return is_nonnegative(g, a[0], p) || is_nonnegative(g, a[1], p);
  case NS_OP_MUL:
    if (a[0] == a[1] || is_nonnegative_if(g, a[0], a[1], p) || is_nonnegative_if(g, a[1], a[0], p))
      return 1;
    return is_nonnegative(g, a[0], p) && is_nonnegative(g, a[1], p);
  case NS_OP_ADD:
  case NS_OP_DIV:
  case NS_OP_MIN: return is_nonnegative(g, a[0], p) && is_nonnegative(g, a[1], p);
  case NS_OP_SELECT: return is_select_nonnegative(g, t, p);
  default: return 0;
  }
}

/* ---- roots ----------------------------------------------------------------------------------- */

/* A frozen root is the mixture of the roots on the sides of the switches that its operand reads:
 *
 *   root(f(B)) = B root(f(1)) + (1 - B) root(f(0))
 *
 * which is the same for B = 0 and 1, and affine between: sign(u)*sqrt(abs(u)) slides along u = 0
 * with a value. Where f is not negative on its side, its absolute value has the root, which then is
 * defined beyond the zero of the switch, too, where an integrator has to look to find this zero.
 * Operands that jump, or read many switches or stairs, have one root as they stand. */
enum { SIDES = 3 };

typedef struct ns_root {
  const ns_term *t;     /* the root as it is written */
  ns_node exponent;     /* of a^b */
  int is_nonnegative;   /* its operand is, by its form */
  int n, branch[SIDES]; /* switches that the operand reads */
  int on[SIDES];        /* their sides */
} ns_root;

static ns_node root_of(ns_freezer *z, const ns_root *r, ns_node a, int is_nonnegative)
{
  if (a < 0) return -1;
  if (is_nonnegative) {
    const ns_term *t = &z->g->term[a];
    a = ns_make1(z->g, NS_OP_ABS, t->op == NS_OP_NEG ? t->arg[0] : a);
  }
  if (r->t->op == NS_OP_POWER) return ns_make_power(z->g, a, number(z, r->t->value));
  return r->t->op == NS_OP_POW ? two(z, NS_OP_POW, a, r->exponent) : ns_make1(z->g, r->t->op, a);
}

/* 1 where the formula is continuous by its form. */
static int is_continuous_op(ns_op op)
{
  switch (op) {
  case NS_OP_LT:
  case NS_OP_LE:
  case NS_OP_EQ:
  case NS_OP_NE:
  case NS_OP_AND:
  case NS_OP_OR:
  case NS_OP_NOT:
  case NS_OP_SIGN:
  case NS_OP_FLOOR:
  case NS_OP_CEIL:
  case NS_OP_FMOD:
  case NS_OP_SELECT:
  case NS_OP_MIX:
  case NS_OP_PIECE:
  case NS_OP_ENTRY: return 0;
  default: return 1;
  }
}

static int is_branch(const ns_freezer *z, ns_node f)
{
  const ns_term *t = &z->g->term[f];
  return t->op == NS_OP_VAR && t->arg[0] == z->bank;
}

/* Switches that a frozen operand reads, to r. 1: they are few, none of them stairs, and the operand
 * is continuous; -1: out of memory. */
static int find_sides(const ns_freezer *z, ns_node formula, ns_node frozen, ns_root *r)
{
  ns_nodeset s;
  int few = 1, rc = ns_nodeset_collect(&s, z->g, &formula, 1);
  for (int i = 0; i < s.count && !rc; i++)
    few = few && is_continuous_op(z->g->term[s.member[i].node].op);
  ns_nodeset_fini(&s);
  if (rc || !few) return rc ? -1 : 0;
  rc = ns_nodeset_collect(&s, z->g, &frozen, 1);
  for (int i = 0; i < s.count && few && !rc; i++) {
    if (!is_branch(z, s.member[i].node)) continue;
    int k = z->g->term[s.member[i].node].arg[1];
    few = r->n < SIDES && z->item[k].kind != NS_SWITCH_STAIRS;
    if (few) r->branch[r->n++] = k;
  }
  ns_nodeset_fini(&s);
  return rc ? -1 : few;
}

/* The term t with these operands [3], simplified. */
static ns_node made_of(ns_graph *g, const ns_term *t, const ns_node *a)
{
  switch (t->op) {
  case NS_OP_SELECT: return ns_make_select(g, a[0], a[1], a[2]);
  case NS_OP_MIX: return ns_make_mix(g, a[0], a[1], a[2]);
  case NS_OP_ENTRY: return ns_make_entry(g, a[0], a[1], a[2]);
  case NS_OP_POWER: return ns_make_power(g, a[2], ns_graph_constant(g, t->value));
  default:
    return ns_op_arity(t->op) == 1 ? ns_make1(g, t->op, a[0]) : ns_make2(g, t->op, a[0], a[1]);
  }
}

/* f where branch k is B. */
static ns_node on_side(ns_freezer *z, ns_node f, int k, double B)
{
  ns_nodeset s;
  ns_node *to = NULL, out = -1;
  if (f < 0) return -1;
  int rc = ns_nodeset_collect(&s, z->g, &f, 1);
  if (!rc) to = malloc(((size_t)f + 1) * sizeof *to);
  for (int i = 0; to && i < s.count && !rc; i++) {
    ns_node node = s.member[i].node, a[3] = {0, 0, 0};
    const ns_term t = z->g->term[node]; /* a copy: the graph may grow */
    int leaf = t.op == NS_OP_VAR || t.op == NS_OP_CONST;
    for (int j = 0; j < 3 && !leaf; j++)
      if (j < ns_op_arity(t.op) || t.op == NS_OP_POWER) a[j] = to[t.arg[j]];
    if (leaf) to[node] = is_branch(z, node) && t.arg[1] == k ? number(z, B) : node;
    else to[node] = made_of(z->g, &t, a);
    rc = to[node] < 0;
  }
  if (to && !rc) out = to[f];
  free(to);
  ns_nodeset_fini(&s);
  return out;
}

/* sigma of the switch of branch i has the sign of its side. */
static void learn_side(ns_freezer *z, const ns_root *r, int i, premise *p)
{
  ns_node sigma = z->item[r->branch[i]].sigma;
  int left = LOOKED_AT;
  for (int j = 0; j < i; j++) sigma = on_side(z, sigma, r->branch[j], r->on[j]);
  if (sigma < 0 || p->n == KNOWN) return;
  affine_sum *s = &p->known[p->n];
  *s = (affine_sum){.n = 0};
  p->n += add_affine(z->g, sigma, r->on[i] ? 1 : -1, s, &left);
}

/* The mixture, from branch i on, of an operand on the sides of those before. */
static ns_node mixed_root(ns_freezer *z, ns_root *r, ns_node a, int i, premise *p)
{
  ns_node side[2];
  const int n = p->n;
  if (i == r->n) {
    p->left = LOOKED_AT;
    return root_of(z, r, a, r->is_nonnegative || (a >= 0 && is_nonnegative(z->g, a, p)));
  }
  for (int B = 0; B < 2; B++) {
    r->on[i] = B;
    learn_side(z, r, i, p);
    side[B] = mixed_root(z, r, on_side(z, a, r->branch[i], B), i + 1, p);
    p->n = n;
  }
  return ns_make_mix(z->g, ns_graph_variable(z->g, z->bank, r->branch[i]), side[1], side[0]);
}

/* The root t of a frozen operand, to a frozen exponent. */
static ns_node frozen_root(ns_freezer *z, const ns_term *t, ns_node operand, ns_node exponent)
{
  premise p = {.n = 0, .left = LOOKED_AT};
  ns_root r = {.t = t, .exponent = exponent};
  ns_node formula = t->arg[t->op == NS_OP_POWER ? 2 : 0];
  if (operand < 0 || exponent < 0) return -1;
  if (!(banks_of(z, operand) & 1u << z->bank)) return root_of(z, &r, operand, 0);
  r.is_nonnegative = is_nonnegative(z->g, formula, &p);
  int few = banks_of(z, exponent) & 1u << z->bank ? 0 : find_sides(z, formula, operand, &r);
  if (few < 0) return -1;
  p.n = 0;
  return few ? mixed_root(z, &r, operand, 0, &p) : root_of(z, &r, operand, r.is_nonnegative);
}

/* A frozen arm of ?: where something is known: its roots and logarithms of that as above. */
static ns_node arm_beyond(ns_freezer *z, ns_node arm, premise *p)
{
  ns_nodeset s;
  ns_node *to = NULL, out = -1;
  if (arm < 0) return -1;
  int rc = ns_nodeset_collect(&s, z->g, &arm, 1);
  if (!rc) to = malloc(((size_t)arm + 1) * sizeof *to);
  for (int i = 0; to && i < s.count; i++) {
    ns_node f = s.member[i].node;
    ns_op op = z->g->term[f].op;
    int leaf = op == NS_OP_VAR || op == NS_OP_CONST, a = leaf ? -1 : z->g->term[f].arg[0];
    int root = op == NS_OP_SQRT || op == NS_OP_POW || op == NS_OP_LOG;
    ns_node as_is = a < 0 ? -1 : to[a];
    p->left = LOOKED_AT;
    root = root && is_nonnegative(z->g, a, p);
    if (root) to[a] = ns_make1(z->g, NS_OP_ABS, as_is);
    to[f] = leaf ? f : ns_graph_rebuilt(z->g, f, to);
    if (root) to[a] = as_is;
  }
  if (to) out = to[arm];
  free(to);
  ns_nodeset_fini(&s);
  return out;
}

/* The arm of ?: that is taken where the condition c holds, or does not. */
static ns_node guarded(ns_freezer *z, ns_node c, ns_node arm, int holds)
{
  premise p = {.n = 0};
  learn(z->g, c, holds, z->to, &p);
  return p.n ? arm_beyond(z, arm, &p) : arm;
}

/* Frozen node of a term t whose operands are frozen: a [3]. truth: operands that are 0 or 1. */
static ns_node rebuild(ns_freezer *z, const ns_term *t, const ns_node *a, int truth)
{
  int frozen = 0;
  for (int k = 0; k < ns_term_operands(t); k++)
    if (a[k] < 0) return -1;
    else frozen |= (banks_of(z, a[k]) & 1u << z->bank) != 0;
  switch (t->op) {
  case NS_OP_LT:
  case NS_OP_LE: return compare(z, t->op, a[0], a[1]);
  case NS_OP_AND:
  case NS_OP_OR:
  case NS_OP_NOT:
    return truth && frozen ? logic(z, t->op, a[0], a[1])
                           : ns_graph_intern(z->g, t->op, a[0], a[1], 0, 0);
  case NS_OP_ABS:
    return moves(z, a[0]) ? two(z, NS_OP_MUL, side(z, a[0], NS_SWITCH_CORNER), a[0])
                          : ns_make1(z->g, t->op, a[0]);
  case NS_OP_SIGN:
    return moves(z, a[0]) ? side(z, a[0], NS_SWITCH_JUMP) : ns_make1(z->g, t->op, a[0]);
  case NS_OP_MIN:
  case NS_OP_MAX: return extreme(z, t->op, a[0], a[1]);
  case NS_OP_FLOOR:
  case NS_OP_CEIL: return whole(z, t->op, a[0]);
  case NS_OP_PIECE: return piece(z, a[0], a[1]);
  case NS_OP_SELECT:
    return truth && frozen ? ns_make_mix(z->g, a[0], guarded(z, t->arg[0], a[1], 1),
                                         guarded(z, t->arg[0], a[2], 0))
                           : ns_make_select(z->g, a[0], a[1], a[2]);
  case NS_OP_MIX: return ns_make_mix(z->g, a[0], a[1], a[2]);
  case NS_OP_POWER:
    if (t->value == floor(t->value)) return ns_make_power(z->g, a[0], number(z, t->value));
    return frozen_root(z, t, a[0], 0);
  case NS_OP_POW: return frozen_root(z, t, a[0], a[1]);
  case NS_OP_SQRT: return frozen_root(z, t, a[0], 0);
  case NS_OP_ENTRY: return ns_make_entry(z->g, a[0], a[1], a[2]);
  default: break;
  }
  return ns_op_arity(t->op) == 1 ? ns_make1(z->g, t->op, a[0]) : two(z, t->op, a[0], a[1]);
}

/* ---- walk ------------------------------------------------------------------------------------ */

static int push(ns_freezer *z, ns_node f)
{
  if (ns_grow(&z->stack, z->top)) return NS_NOMEM;
  z->stack[z->top++] = f;
  return NS_OK;
}

/* Operands that the frozen node is made of. */
static int needs(const ns_graph *g, const ns_term *t, ns_node arg[3], int *is_mod)
{
  if ((*is_mod = is_modulo(g, t, arg))) return 2;
  memcpy(arg, t->arg, 3 * sizeof *t->arg);
  if (t->op == NS_OP_POWER) arg[0] = t->arg[2];
  return t->op == NS_OP_POWER ? 1 : ns_term_operands(t);
}

/* 1 where the condition of ?:, or the operands of logic, are 0 or 1 by their form. */
static int is_of_truths(const ns_graph *g, const ns_term *t)
{
  int is_logic = t->op == NS_OP_AND || t->op == NS_OP_OR || t->op == NS_OP_NOT;
  if (t->op == NS_OP_SELECT) return is_truth(g->term[t->arg[0]].op);
  for (int k = 0; is_logic && k < ns_term_operands(t); k++)
    if (!is_truth(g->term[t->arg[k]].op)) return 0;
  return is_logic;
}

/* The node on top, where its operands are known; else these go on top of it. */
static int visit(ns_freezer *z)
{
  ns_node f = z->stack[z->top - 1], arg[3], a[3] = {0, 0, 0}, made;
  const ns_term t = z->g->term[f]; /* a copy: the graph may grow */
  int mod, missing = 0, n = needs(z->g, &t, arg, &mod);
  for (int k = 0; k < n; k++) {
    if ((a[k] = z->to[arg[k]]) >= 0) continue;
    if (push(z, arg[k])) return NS_NOMEM;
    missing = 1;
  }
  if (missing) return NS_OK;
  if (t.op == NS_OP_VAR || t.op == NS_OP_CONST) made = f;
  else made = mod ? modulo(z, a[0], a[1]) : rebuild(z, &t, a, is_of_truths(z->g, &t));
  if (made < 0) return NS_NOMEM;
  z->to[f] = made;
  z->top--;
  return NS_OK;
}

static int ensure_capacity(ns_freezer *z)
{
  int count = z->g->count;
  if (count <= z->nodes) return NS_OK;
  ns_node *p = realloc(z->to, (size_t)count * sizeof *p);
  if (!p) return NS_NOMEM;
  ns_fill_ints((size_t)(count - z->nodes), -1, p + z->nodes);
  z->to = p;
  z->nodes = count;
  return NS_OK;
}

int ns_freeze(ns_freezer *z, const ns_node *in, int n, ns_node *out)
{
  int rc = ensure_capacity(z);
  for (int k = 0; k < n && !rc; k++) {
    if (in[k] < 0) return NS_NOMEM;
    z->top = 0;
    rc = push(z, in[k]);
    while (!rc && z->top) {
      if (z->to[z->stack[z->top - 1]] >= 0) z->top--;
      else rc = visit(z);
    }
    if (!rc) out[k] = z->to[in[k]];
  }
  return rc;
}

void ns_freeze_fini(ns_freezer *z)
{
  NS_FREE(z->item, z->to, z->stack);
  z->item = NULL;
  z->to = z->stack = NULL;
}

static int has_corner(uint32_t op)
{
  switch (op) {
  case NS_OP_LT:
  case NS_OP_LE:
  case NS_OP_ABS:
  case NS_OP_SIGN:
  case NS_OP_MIN:
  case NS_OP_MAX:
  case NS_OP_FLOOR:
  case NS_OP_CEIL:
  case NS_OP_FMOD: return 1;
  default: return 0;
  }
}

int ns_tape_is_smooth(const ns_tape *t)
{
  for (const ns_instruction *i = t->code; i->op != NS_OP_END; i++)
    if (has_corner(i->op)) return 0;
  return 1;
}

int ns_tape_has_pieces(const ns_tape *t)
{
  for (const ns_instruction *i = t->code; i->op != NS_OP_END; i++)
    if (i->op == NS_OP_PIECE) return 1;
  return 0;
}

/* What a slot holds, by class, 0 the simplest: from the operands of an operation to its result. */
typedef unsigned char of_result(ns_op op, unsigned char a, unsigned char b, unsigned char c);

/* Classes of all slots [nslots], to be freed: constants 0, variables as of[i] says [nvariables].
 * NULL: no memory. */
static unsigned char *classes(const ns_tape *t, int (*of_variable)(unsigned banks, int bank),
                              unsigned banks, of_result *result)
{
  unsigned char *of = calloc(t->nslots + 1, 1);
  if (!of) return NULL;
  for (int i = 0; i < t->nvariables; i++)
    of[i] = (unsigned char)of_variable(banks, t->variable[i].bank);
  unsigned char *to = of + t->nvariables + t->nconstants;
  for (const ns_instruction *i = t->code; i->op != NS_OP_END; i++) {
    const int both = i->op == NS_OP_SINCOS;
    const ns_op op = both ? NS_OP_SIN : ns_op_base(i->op);
    const int n = ns_op_arity(op);
    *to = result(op, n > 0 ? of[i->a] : 0, n > 1 ? of[i->b] : 0, n > 2 ? of[i->c] : 0);
    if (both) to[1] = to[0];
    to += both ? 2 : 1;
  }
  return of;
}

static int is_among(unsigned banks, int bank) { return (int)(banks >> bank & 1); }
static int is_not_among(unsigned banks, int bank) { return !is_among(banks, bank); }

static unsigned char larger(unsigned char a, unsigned char b) { return a > b ? a : b; }
static unsigned char largest(unsigned char a, unsigned char b, unsigned char c)
{
  return larger(a, larger(b, c));
}

enum { APART, DEPENDS, BENDS };

static unsigned char bend_of(ns_op op, unsigned char a, unsigned char b, unsigned char c)
{
  unsigned char max = largest(a, b, c);
  return max != APART && has_corner(op) ? BENDS : max;
}

int ns_tape_is_smooth_in(const ns_tape *t, int bank)
{
  unsigned char *of = classes(t, is_among, 1u << bank, bend_of);
  if (!of) return 0;
  int smooth = !memchr(of, BENDS, t->nslots);
  free(of);
  return smooth;
}

enum { CONSTANT, AFFINE, CURVED }; /* degree of what a slot holds */

static unsigned char degree_of_product(unsigned char a, unsigned char b)
{
  return a == CONSTANT || b == CONSTANT ? larger(a, b) : CURVED;
}

static unsigned char degree_of(ns_op op, unsigned char a, unsigned char b, unsigned char c)
{
  switch (op) {
  case NS_OP_NEG: return a;
  case NS_OP_ADD:
  case NS_OP_SUB: return larger(a, b);
  case NS_OP_CHAIN:
  case NS_OP_MUL: return degree_of_product(a, b);
  case NS_OP_DIV: return b == CONSTANT ? a : CURVED;
  case NS_OP_MULADD:
  case NS_OP_MULSUB:
  case NS_OP_SUBMUL: return larger(degree_of_product(a, b), c);
  default: return largest(a, b, c) == CONSTANT ? CONSTANT : CURVED;
  }
}

int ns_tape_is_affine(const ns_tape *t, unsigned fixed, int output)
{
  unsigned char *of = classes(t, is_not_among, fixed, degree_of);
  if (!of) return -1;
  int affine = 1;
  for (int i = 0; i < t->noutputs; i++)
    affine = affine && ((output >= 0 && i != output) || of[t->output[i]] != CURVED);
  free(of);
  return affine;
}
