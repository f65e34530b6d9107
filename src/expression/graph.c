/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph.c -- storage of nodes: one array, one table of indices, both in the arena. */
#include "expression/graph.h"

#include "algebra/vector.h"

#include <limits.h>
#include <string.h>

#define FIRST_TERMS 256

static uint64_t mix(uint64_t h)
{
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93u; /* odd, bits well spread: avalanche in two rounds */
  h ^= h >> 32;
  h *= 0xd6e8feb86659fd93u;
  return h ^ h >> 32;
}

static uint64_t pair(int a, int b) { return (uint64_t)(uint32_t)a << 32 | (uint32_t)b; }

static uint64_t bits_of(double x)
{
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}

static unsigned hash(const ns_term *t)
{
  uint64_t h = mix(pair(t->arg[0], t->arg[1]));
  h = mix(h + pair(t->arg[2], (int)t->op));
  return (unsigned)mix(h + bits_of(t->value));
}

static int same(const ns_term *s, const ns_term *t)
{
  return s->op == t->op && s->arg[0] == t->arg[0] && s->arg[1] == t->arg[1] &&
         s->arg[2] == t->arg[2] && bits_of(s->value) == bits_of(t->value);
}

uint64_t ns_bank_bit(int bank) { return (uint64_t)1 << (bank < 15 ? bank : 15); }

uint64_t ns_variable_bit(int bank, int index)
{
  return (uint64_t)1 << (16 + mix(pair(bank, index)) % 48);
}

int ns_term_operands(const ns_term *t) { return t->op == NS_OP_POWER ? 2 : ns_op_arity(t->op); }

/* Slot that holds a node like t, or the free one where it belongs. */
static unsigned slot_of(const ns_graph *g, const ns_term *t)
{
  unsigned mask = 2 * (unsigned)g->cap - 1, i = hash(t) & mask;
  while (g->slot[i] >= 0 && !same(&g->term[g->slot[i]], t)) i = (i + 1) & mask;
  return i;
}

static int resize(ns_graph *g, int cap)
{
  ns_term *term = ns_arena_get(g->arena, (size_t)cap, sizeof *term);
  int *slot = ns_arena_get(g->arena, 2 * (size_t)cap, sizeof *slot);
  if (!term || !slot) return NS_NOMEM;
  if (g->count) memcpy(term, g->term, (size_t)g->count * sizeof *term);
  ns_fill_ints(2 * (size_t)cap, -1, slot);
  g->term = term;
  g->slot = slot;
  g->cap = cap;
  for (int i = 0; i < g->count; i++) slot[slot_of(g, &term[i])] = i;
  return NS_OK;
}

ns_graph *ns_graph_create(ns_arena *a)
{
  ns_graph *g = ns_arena_zero(a, 1, sizeof *g);
  if (!g) return NULL;
  g->arena = a;
  return resize(g, FIRST_TERMS) == NS_OK ? g : NULL;
}

ns_node ns_graph_find(const ns_graph *g, ns_op op, ns_node a, ns_node b, ns_node c, double value)
{
  return g->slot[slot_of(g, &(ns_term){.value = value, .arg = {a, b, c}, .op = op})];
}

ns_node ns_graph_intern(ns_graph *g, ns_op op, ns_node a, ns_node b, ns_node c, double value)
{
  ns_term t = {.value = value, .arg = {a, b, c}, .op = op};
  unsigned i = slot_of(g, &t);
  if (g->slot[i] >= 0) return g->slot[i];
  if (g->count == g->cap) {
    if (g->cap > INT_MAX / 4 || resize(g, 2 * g->cap) != NS_OK) return -1;
    i = slot_of(g, &t);
  }
  if (op == NS_OP_VAR) t.uses = ns_bank_bit(a) | ns_variable_bit(a, b);
  else
    for (int k = 0; k < ns_term_operands(&t); k++) t.uses |= g->term[t.arg[k]].uses;
  g->term[g->count] = t;
  g->slot[i] = g->count;
  return g->count++;
}

ns_node ns_graph_constant(ns_graph *g, double value)
{
  return ns_graph_intern(g, NS_OP_CONST, 0, 0, 0, value);
}

ns_node ns_graph_variable(ns_graph *g, int bank, int index)
{
  return ns_graph_intern(g, NS_OP_VAR, bank, index, 0, 0);
}

int ns_graph_is_constant(const ns_graph *g, ns_node f, double *value)
{
  if (f < 0 || g->term[f].op != NS_OP_CONST) return 0;
  *value = g->term[f].value;
  return 1;
}

ns_node ns_graph_add(ns_graph *g, ns_node a, ns_node b) { return ns_make2(g, NS_OP_ADD, a, b); }
ns_node ns_graph_subtract(ns_graph *g, ns_node a, ns_node b)
{
  return ns_make2(g, NS_OP_SUB, a, b);
}
ns_node ns_graph_multiply(ns_graph *g, ns_node a, ns_node b)
{
  return ns_make2(g, NS_OP_MUL, a, b);
}
ns_node ns_graph_less(ns_graph *g, ns_node a, ns_node b) { return ns_make2(g, NS_OP_LT, a, b); }
ns_node ns_graph_select(ns_graph *g, ns_node c, ns_node a, ns_node b)
{
  return ns_make_select(g, c, a, b);
}
ns_node ns_graph_equal(ns_graph *g, ns_node a, ns_node b) { return ns_make2(g, NS_OP_EQ, a, b); }
