/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "expression/culprit.h"

#include "expression/nodeset.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A formula with the values of all that it is made of. */
typedef struct traced {
  ns_graph *g;
  ns_nodeset all;
  double *value; /* of each member of the set */
} traced;

static int member_at(const traced *f, ns_node n)
{
  return (int)(ns_nodeset_at(&f->all, n) - f->all.member);
}

static double value_of(const traced *f, ns_node n) { return f->value[member_at(f, n)]; }

static void evaluate(const traced *f, const double *const *bank)
{
  for (int i = 0; i < f->all.count; i++) {
    const ns_term *t = &f->g->term[f->all.member[i].node];
    double a[3] = {0};
    int n = ns_term_operands(t);
    for (int k = 0; k < n; k++) a[k] = value_of(f, t->arg[k]);
    double *v = &f->value[i];
    if (t->op == NS_OP_CONST) *v = t->value;
    else if (t->op == NS_OP_VAR) *v = bank[t->arg[0]] ? bank[t->arg[0]][t->arg[1]] : 0;
    else if (t->op == NS_OP_POWER) *v = t->value > 0 ? a[0] * a[1] : a[0] / a[1];
    else *v = ns_op_apply(t->op, a[0], a[1], a[2]);
  }
}

/* The operand that makes n not finite; -1: it is n itself. */
static ns_node worse_operand(const traced *f, ns_node n)
{
  const ns_term *t = &f->g->term[n];
  int n_operands = ns_term_operands(t);
  if ((t->op == NS_OP_SELECT || t->op == NS_OP_MIX) && isfinite(value_of(f, t->arg[0]))) {
    int taken = value_of(f, t->arg[0]) != 0 ? 1 : 2;
    return isfinite(value_of(f, t->arg[taken])) ? -1 : t->arg[taken];
  }
  for (int k = 0; k < n_operands; k++)
    if (!isfinite(value_of(f, t->arg[k]))) return t->arg[k];
  return -1;
}

static int list_variables(const ns_graph *g, ns_node n, ns_culprit *out)
{
  ns_nodeset below;
  int rc = ns_nodeset_collect(&below, g, &n, 1);
  for (int i = 0; i < below.count && !rc && out->nvariables < NS_CULPRIT_VARIABLES; i++) {
    const ns_term *t = &g->term[below.member[i].node];
    if (t->op != NS_OP_VAR) continue;
    out->bank[out->nvariables] = t->arg[0];
    out->index[out->nvariables++] = t->arg[1];
  }
  ns_nodeset_fini(&below);
  return rc;
}

/* n is a number that is none, which tables give outside of their rows: what the table would be
 * there, as the last of its entries among what `from` chooses from. Entries of tables in its
 * arguments come before. -1: it is something else. */
static ns_node entry_beside(const traced *f, ns_node from, ns_node n)
{
  ns_nodeset below;
  ns_node entry = -1;
  int chooses = from >= 0 &&
                (f->g->term[from].op == NS_OP_SELECT || f->g->term[from].op == NS_OP_MIX);
  if (!chooses || f->g->term[n].op != NS_OP_CONST) return -1;
  int rc = ns_nodeset_collect(&below, f->g, &f->g->term[from].arg[2], 1);
  for (int i = 0; i < below.count && !rc; i++)
    if (f->g->term[below.member[i].node].op == NS_OP_ENTRY) entry = below.member[i].node;
  ns_nodeset_fini(&below);
  return entry;
}

static int trace(traced *f, ns_node n, const double *const *bank, ns_variable_name *name, void *to,
                 ns_culprit *out)
{
  if (ns_nodeset_collect(&f->all, f->g, &n, 1)) return NS_NOMEM;
  f->value = calloc((size_t)f->all.count + 1, sizeof *f->value);
  if (!f->value) return NS_NOMEM;
  evaluate(f, bank);
  ns_node from = -1;
  for (ns_node below = worse_operand(f, n); below >= 0; below = worse_operand(f, n)) {
    from = n;
    n = below;
  }
  out->value = value_of(f, n);
  ns_node entry = entry_beside(f, from, n);
  if (entry >= 0) n = entry;
  ns_graph_text(f->g, n, name, to, out->text, sizeof out->text);
  if (f->g->term[n].op == NS_OP_ENTRY) { /* its operands are finite */
    static const char outside[] = ", outside of its rows,";
    out->is_outside = 1;
    size_t at = strlen(out->text), capacity = sizeof out->text - sizeof outside;
    memcpy(out->text + (at < capacity ? at : capacity), outside, sizeof outside);
  }
  return list_variables(f->g, n, out);
}

int ns_tape_culprit(const ns_tape *t, int k, const double *const *bank, ns_variable_name *name,
                    void *to, ns_culprit *out)
{
  ns_arena *scratch = ns_arena_create(0, 1);
  ns_node *node = malloc(((size_t)ns_tape_outputs(t) + 1) * sizeof *node);
  traced f = {.g = scratch ? ns_graph_create(scratch) : NULL};
  *out = (ns_culprit){0};
  int rc = f.g && node ? ns_tape_lift(t, f.g, node) : NS_NOMEM;
  if (!rc) {
    rc = trace(&f, node[k], bank, name, to, out);
    ns_nodeset_fini(&f.all);
  }
  free(f.value);
  free(node);
  ns_arena_destroy(scratch);
  return rc;
}
