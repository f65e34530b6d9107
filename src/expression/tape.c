/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tape.c -- from nodes to straight code.
 *
 * Fused where it pays: a product with one user that is a sum or difference; sin and cos of one
 * argument. Neither changes a bit of the result. */
#include "expression/tape.h"

#include "expression/nodeset.h"

typedef struct compiler {
  const ns_graph *g;
  ns_nodeset set;
  ns_tape *t;
  ns_source *variable;
  double *constant;
  ns_instruction *code;
  uint32_t *output;
} compiler;

static const ns_term *term_of(const compiler *k, const ns_member *m) { return &k->g->term[m->node]; }

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

/* Variables by bank, as the members are by node: their order in the tape is that of the
 * formulas, which is as good for the cache. */
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

static void place_code(compiler *k)
{
  ns_instruction *next = k->code;
  uint32_t result = (uint32_t)(k->t->nvariables + k->t->nconstants);
  for (int i = 0; i < k->set.count; i++) {
    ns_member *m = &k->set.member[i], *other;
    const ns_term *e = term_of(k, m);
    if (e->op == NS_OP_VAR || e->op == NS_OP_CONST || m->fused) continue;
    int product = fusible(k, e);
    if (m->slot) continue; /* came with its partner */
    if ((other = partner(k, e))) {
      *next++ = (ns_instruction){.op = NS_OP_SINCOS, .a = slot(k, e->arg[0])};
      m->slot = result + (e->op == NS_OP_COS);
      other->slot = result + (e->op == NS_OP_SIN);
      result += 2;
      continue;
    }
    *next++ = product >= 0 ? sum_of_product(k, e, product) : plain(k, e);
    m->slot = result++;
  }
  *next = (ns_instruction){.op = NS_OP_END};
  k->t->ninstructions = (int)(next - k->code);
  k->t->nslots = result;
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
  compiler k = {.g = g};
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
  place_code(&k);
  for (int i = 0; i < n; i++) k.output[i] = slot(&k, out[i]);
  *tape = k.t;
done:
  ns_nodeset_fini(&k.set);
  return rc == NS_OK ? rc : ns_nomem(c, "the code of a formula");
}

int ns_tape_outputs(const ns_tape *t) { return t->noutputs; }

size_t ns_tape_work(const ns_tape *t) { return t->nslots; }
