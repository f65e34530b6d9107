/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tape.c -- from nodes to straight code.
 *
 * Fused where it pays: a product with one user that is a sum or difference; sin and cos of one
 * argument. Then the order: each operation comes right after its operand that is ready last, so
 * that a chain of dependent operations is one run of forwarded ones (op.h). None of this changes
 * a bit of the result. */
#include "expression/tape.h"

#include "base/grow.h"
#include "expression/nodeset.h"

#include <stdlib.h>

#define DEEPEST 1000000000 /* cycles; deeper chains are all as deep */

typedef struct compiler {
  const ns_graph *g;
  const ns_node *wanted;
  ns_nodeset set;
  ns_tape *t;
  ns_source *variable;
  double *constant;
  ns_instruction *code;
  uint32_t *output;
  int *stack; /* of members still to be placed, for the order */
  size_t top;
  uint32_t result;      /* next slot */
  ns_instruction *next; /* next instruction */
} compiler;

static const ns_term *term_of(const compiler *k, const ns_member *m)
{
  return &k->g->term[m->node];
}

static uint32_t slot(const compiler *k, ns_node f) { return ns_nodeset_at(&k->set, f)->slot; }

static int is_product(const compiler *k, ns_node f)
{
  const ns_term *t = &k->g->term[f];
  return t->op == NS_OP_MUL || (t->op == NS_OP_POWER && t->value > 0);
}

/* Which operand of a sum or difference is a product that only it reads; -1: none. */
static int fusible(const compiler *k, const ns_term *t)
{
  if (t->op != NS_OP_ADD && t->op != NS_OP_SUB) return -1;
  for (int i = 1; i >= 0; i--)
    if (is_product(k, t->arg[i]) && ns_nodeset_at(&k->set, t->arg[i])->users == 1) return i;
  return -1;
}

/* The other of sin and cos where both are wanted. */
static ns_member *partner(const compiler *k, const ns_term *t)
{
  if (t->op != NS_OP_SIN && t->op != NS_OP_COS) return NULL;
  ns_op other = t->op == NS_OP_SIN ? NS_OP_COS : NS_OP_SIN;
  ns_node f = ns_graph_find(k->g, other, t->arg[0], 0, 0, 0);
  return f < 0 ? NULL : ns_nodeset_at(&k->set, f);
}

static void count(compiler *k)
{
  ns_tape *t = k->t;
  for (int i = 0; i < k->set.count; i++) {
    const ns_term *e = term_of(k, &k->set.member[i]);
    int product = fusible(k, e);
    if (product >= 0) ns_nodeset_at(&k->set, e->arg[product])->fused = 1;
    if (e->op == NS_OP_VAR) t->nvariables++;
    else if (e->op == NS_OP_CONST) t->nconstants++;
    else t->ninstructions++;
  }
}

static ns_instruction sum_of_product(const compiler *k, const ns_term *t, int product)
{
  const ns_term *p = &k->g->term[t->arg[product]];
  ns_op op = t->op == NS_OP_ADD ? NS_OP_MULADD : product ? NS_OP_SUBMUL : NS_OP_MULSUB;
  return (ns_instruction){op, slot(k, p->arg[0]), slot(k, p->arg[1]), slot(k, t->arg[1 - product])};
}

static ns_instruction plain(const compiler *k, const ns_term *t)
{
  ns_instruction i = {.op = t->op};
  int n = ns_term_operands(t);
  if (t->op == NS_OP_POWER) i.op = t->value > 0 ? NS_OP_MUL : NS_OP_DIV;
  if (n > 0) i.a = slot(k, t->arg[0]);
  if (n > 1) i.b = slot(k, t->arg[1]);
  if (n > 2) i.c = slot(k, t->arg[2]);
  return i;
}

static void place_leaves(compiler *k)
{
  int nv = 0, nc = 0;
  for (int i = 0; i < k->set.count; i++) {
    ns_member *m = &k->set.member[i];
    const ns_term *e = term_of(k, m);
    if (e->op == NS_OP_VAR) {
      k->variable[nv] = (ns_source){e->arg[0], e->arg[1]};
      m->slot = (uint32_t)nv++;
    } else if (e->op == NS_OP_CONST) {
      k->constant[nc] = e->value;
      m->slot = (uint32_t)(k->t->nvariables + nc++);
    }
  }
}

static uint32_t forwarded(ns_op op, int a, int b, int c)
{
#define MATCH(name, which) \
  if (op == NS_OP_##name && WHICH_##which) return NS_OP_##name##_##which;
#define WHICH_a (a && !b)
#define WHICH_b (b && !a)
#define WHICH_c (c)
#define WHICH_ab (a && b)
  NS_FORWARDED_LIST(MATCH)
#undef MATCH
  return op;
}

/* Take what is in the last slot from the register. */
static void forward(ns_instruction *i, uint32_t last)
{
  ns_op op = (ns_op)i->op;
  int n = ns_op_arity(op);
  int turns = op == NS_OP_ADD || op == NS_OP_MUL || op == NS_OP_MULADD || op == NS_OP_MULSUB ||
              op == NS_OP_SUBMUL;
  if (turns && i->b == last) {
    i->b = i->a;
    i->a = last;
  }
  i->op = forwarded(op, n > 0 && i->a == last, n > 1 && i->b == last, n > 2 && i->c == last);
}

static void place(compiler *k, ns_member *m)
{
  const ns_term *e = term_of(k, m);
  uint32_t last = k->result - 1;
  m->placed = 1;
  if (e->op == NS_OP_VAR || e->op == NS_OP_CONST || m->fused) return;
  ns_member *other = partner(k, e);
  if (other) {
    *k->next++ = (ns_instruction){.op = NS_OP_SINCOS, .a = slot(k, e->arg[0])};
    m->slot = k->result + (e->op == NS_OP_COS);
    other->slot = k->result + (e->op == NS_OP_SIN);
    other->placed = 1;
    k->result += 2;
    return;
  }
  int product = fusible(k, e);
  *k->next = product >= 0 ? sum_of_product(k, e, product) : plain(k, e);
  if (k->next > k->code) forward(k->next, last);
  k->next++;
  m->slot = k->result++;
}

/* Clock cycles until the result is there, roughly. */
static int latency(ns_op op)
{
  switch (op) {
  case NS_OP_CONST:
  case NS_OP_VAR: return 0;
  case NS_OP_NEG:
  case NS_OP_ABS:
  case NS_OP_NOT: return 1;
  case NS_OP_ADD:
  case NS_OP_SUB:
  case NS_OP_MUL:
  case NS_OP_POWER: return 4;
  case NS_OP_LT:
  case NS_OP_LE:
  case NS_OP_EQ:
  case NS_OP_NE:
  case NS_OP_AND:
  case NS_OP_OR:
  case NS_OP_SELECT:
  case NS_OP_MIX:
  case NS_OP_MIN:
  case NS_OP_MAX:
  case NS_OP_SIGN: return 6;
  case NS_OP_DIV:
  case NS_OP_SQRT:
  case NS_OP_FLOOR:
  case NS_OP_CEIL: return 15;
  default: return 50;
  }
}

static void set_depths(compiler *k)
{
  for (int i = 0; i < k->set.count; i++) {
    ns_member *m = &k->set.member[i];
    const ns_term *e = term_of(k, m);
    for (int j = 0; j < ns_term_operands(e); j++) {
      int below = ns_nodeset_at(&k->set, e->arg[j])->depth;
      if (below > m->depth) m->depth = below;
    }
    if (m->depth < DEEPEST) m->depth += latency(e->op);
  }
}

static int push(compiler *k, const ns_member *m)
{
  if (ns_grow(&k->stack, k->top)) return NS_NOMEM;
  k->stack[k->top++] = (int)(m - k->set.member);
  return NS_OK;
}

/* Operands that are not placed go on the stack, the one that is ready last lowest. */
static int push_operands(compiler *k, const ns_term *e)
{
  const ns_member *waiting[3];
  int n = 0, rc = NS_OK;
  for (int j = 0; j < ns_term_operands(e); j++) {
    const ns_member *m = ns_nodeset_at(&k->set, e->arg[j]);
    if (m->placed) continue;
    int at = n++;
    for (; at && waiting[at - 1]->depth < m->depth; at--) waiting[at] = waiting[at - 1];
    waiting[at] = m;
  }
  for (int j = 0; j < n && rc == NS_OK; j++) rc = push(k, waiting[j]);
  return rc;
}

/* All that output f needs, in order; a member leaves the stack when it has its place. */
static int place_tree(compiler *k, ns_node f)
{
  int rc = push(k, ns_nodeset_at(&k->set, f));
  while (rc == NS_OK && k->top) {
    size_t top = k->top;
    ns_member *m = &k->set.member[k->stack[top - 1]];
    if (!m->placed) rc = push_operands(k, term_of(k, m));
    if (k->top > top) continue;
    if (!m->placed) place(k, m);
    k->top--;
  }
  return rc;
}

static int place_code(compiler *k)
{
  int rc = NS_OK;
  k->next = k->code;
  k->result = (uint32_t)(k->t->nvariables + k->t->nconstants);
  set_depths(k);
  for (int i = 0; i < k->t->noutputs && rc == NS_OK; i++) rc = place_tree(k, k->wanted[i]);
  *k->next = (ns_instruction){.op = NS_OP_END};
  k->t->ninstructions = (int)(k->next - k->code);
  k->t->nslots = k->result;
  return rc;
}

static int allocate(compiler *k, ns_arena *a)
{
  ns_tape *t = k->t;
  t->variable = k->variable = ns_arena_get(a, (size_t)t->nvariables, sizeof *k->variable);
  t->constant = k->constant = ns_arena_get(a, (size_t)t->nconstants, sizeof *k->constant);
  t->code = k->code = ns_arena_get(a, (size_t)t->ninstructions + 1, sizeof *k->code);
  t->output = k->output = ns_arena_get(a, (size_t)t->noutputs, sizeof *k->output);
  return k->variable && k->constant && k->code && k->output ? NS_OK : NS_NOMEM;
}

int ns_tape_compile(const ns_graph *g, ns_ctx *c, ns_arena *a, const ns_node *out, int n,
                    const ns_tape **tape)
{
  compiler k = {.g = g, .wanted = out};
  int rc = NS_OK;
  *tape = NULL;
  for (int i = 0; i < n; i++)
    if (out[i] < 0) return ns_nomem(c, "a formula");
  if (ns_nodeset_collect(&k.set, g, out, n) != NS_OK || !(k.t = ns_arena_zero(a, 1, sizeof *k.t))) {
    rc = NS_NOMEM;
    goto done;
  }
  k.t->noutputs = n;
  count(&k);
  if ((rc = allocate(&k, a)) != NS_OK) goto done;
  place_leaves(&k);
  if ((rc = place_code(&k)) != NS_OK) goto done;
  for (int i = 0; i < n; i++) k.output[i] = slot(&k, out[i]);
  *tape = k.t;
done:
  free(k.stack);
  ns_nodeset_fini(&k.set);
  return rc == NS_OK ? rc : ns_nomem(c, "the code of a formula");
}

int ns_tape_outputs(const ns_tape *t) { return t->noutputs; }

int ns_tape_takes_entries(const ns_tape *t)
{
  for (int i = 0; i < t->ninstructions; i++)
    if (t->code[i].op == NS_OP_ENTRY) return 1;
  return 0;
}

size_t ns_tape_work(const ns_tape *t) { return t->nslots; }
