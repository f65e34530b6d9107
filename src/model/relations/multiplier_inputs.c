/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/relations/multiplier_inputs.h"

#include "model/foreign.h"
#include "model/owned.h"

#include <stdlib.h>
#include <string.h>

/* A system whose formulas read multipliers of an interaction; a pair may be there twice. */
typedef struct reading {
  int interaction, system;
} reading;

/* Those of a model, by interactions, then systems. */
typedef struct readings {
  reading *of; /* [n] */
  int n;
} readings;

/* Variables of other systems that formulas being made read. */
typedef struct variables {
  ns_foreign_variable *of; /* [n] */
  int n, cap;
} variables;

/* One interaction with the systems that read its multipliers. */
typedef struct reach {
  ns_model *m;
  ns_ctx *c;
  ns_arena *a; /* all scratch, and g */
  ns_graph *g;
  ns_interaction *it;
  int k;                  /* its number */
  const reading *readers; /* of its multipliers [nreaders] */
  int nreaders;
  int nsystems, nQ, nZ, nV;
  int *systems, *first_q, *first_z; /* where entries of each begin in X and Z [nsystems] */
  ns_node *g0;                      /* inputs of readers [nQ] */
  variables outputs, inputs;        /* read by h, and by g */
  int reads_state;                  /* h reads a state of a reader, by its name */
} reach;

static int nomem(const reach *r) { return ns_nomem(r->c, "formulas that read multipliers"); }

static int is_multiplier(const ns_foreign_variable *v, int interaction)
{
  return v->of == NS_OF_MULTIPLIER && (interaction < 0 || v->system == interaction);
}

/* interaction -1: any. */
static int reads(const ns_operator *op, int interaction)
{
  const ns_foreign *f = ns_operator_foreign(op);
  for (int j = 0; f && j < f->n; j++)
    if (is_multiplier(&f->of[j], interaction)) return 1;
  return 0;
}

static int system_reads(const reach *r, int system)
{
  for (int i = 0; i < r->nreaders; i++)
    if (r->readers[i].system == system) return 1;
  return 0;
}

/* ---- who reads ------------------------------------------------------------------------------- */

/* Multipliers that formulas of a system read, into `to` (or NULL); how many. */
static int list_of_system(const ns_model *m, int system, reading *to)
{
  int n = 0;
  for (const ns_owned *k = ns_system_owned(&m->systems[system]); k->name; k++) {
    const ns_operator *op = ns_owned_of(k, &m->systems[system]);
    const ns_foreign *f = ns_operator_foreign(op);
    for (int j = 0; f && j < f->n; j++) {
      if (!is_multiplier(&f->of[j], -1)) continue;
      if (to) to[n] = (reading){f->of[j].system, system};
      n++;
    }
  }
  return n;
}

static int by_interaction(const void *a, const void *b)
{
  const reading *x = a, *y = b;
  int k = (x->interaction > y->interaction) - (x->interaction < y->interaction);
  return k ? k : (x->system > y->system) - (x->system < y->system);
}

/* Freed by the caller. */
static int list_readings(const ns_model *m, ns_ctx *c, readings *all)
{
  for (int i = 0; i < m->nsystems; i++) all->n += list_of_system(m, i, NULL);
  if (!all->n) return NS_OK;
  all->of = malloc((size_t)all->n * sizeof *all->of);
  if (!all->of) return ns_nomem(c, "formulas that read multipliers");
  for (int i = 0, n = 0; i < m->nsystems; i++) n += list_of_system(m, i, all->of + n);
  qsort(all->of, (size_t)all->n, sizeof *all->of, by_interaction);
  return NS_OK;
}

/* ---- what formulas read ---------------------------------------------------------------------- */

static int place_variable(reach *r, variables *list, const ns_foreign_variable *v)
{
  for (int j = 0; j < list->n; j++) {
    const ns_foreign_variable *o = &list->of[j];
    if (o->system == v->system && o->bank == v->bank && o->k == v->k && o->of == v->of) return j;
  }
  if (list->n == list->cap) {
    int cap = list->cap ? 2 * list->cap : 16;
    ns_foreign_variable *p = ns_arena_get(r->a, (size_t)cap, sizeof *p);
    if (!p) return -1;
    if (list->n) memcpy(p, list->of, (size_t)list->n * sizeof *p);
    list->of = p;
    list->cap = cap;
  }
  list->of[list->n] = *v;
  return list->n++;
}

static ns_node as_foreign(reach *r, variables *list, const ns_foreign_variable *v)
{
  int j = place_variable(r, list, v);
  return j < 0 ? -1 : ns_graph_variable(r->g, NS_BANK_FOREIGN, j);
}

/* Where a system stands among those of the interaction; -1. */
static int place_of(const reach *r, int system)
{
  int j = r->nsystems - 1;
  while (j >= 0 && r->systems[j] != system) j--;
  return j;
}

/* A variable of any system, for the formulas of the relation: states and user vectors of its
 * systems are among X and Z. */
static ns_node as_of_relation(reach *r, variables *list, const ns_foreign_variable *v)
{
  int j = v->of == NS_OF_SYSTEM ? place_of(r, v->system) : -1;
  if (j >= 0 && v->bank == NS_BANK_Q)
    return ns_graph_variable(r->g, NS_BANK_Q, r->first_q[j] + v->k);
  if (j >= 0 && v->bank == NS_BANK_Z)
    return ns_graph_variable(r->g, NS_BANK_Z, r->first_z[j] + v->k);
  return as_foreign(r, list, v);
}

/* ---- operators ------------------------------------------------------------------------------- */

/* op: these entries, by columns. */
static int make_operator(reach *r, const ns_node *f, int rows, int cols, const variables *others,
                         int bare, ns_operator *op)
{
  return ns_foreign_operator(r->m, r->c, r->g, f, rows, cols, others->of, others->n, bare, op);
}

/* ---- formulas of systems --------------------------------------------------------------------- */

/* Those that read multipliers, without them. */
static int take_multipliers(reach *r, ns_operator *op)
{
  const ns_foreign *f = ns_operator_foreign(op);
  int n = op->rows * op->cols, bare = !f->jacobian;
  variables others = {0};
  ns_node *out = ns_arena_get(r->a, (size_t)n + 1, sizeof *out);
  ns_node *by = ns_arena_get(r->a, (size_t)f->n + 1, sizeof *by);
  if (!out || !by || ns_tape_lift(op->formula->tape, r->g, out)) return NS_NOMEM;
  for (int j = 0; j < f->n; j++)
    by[j] = is_multiplier(&f->of[j], -1) ? ns_graph_constant(r->g, 0)
                                         : as_foreign(r, &others, &f->of[j]);
  ns_foreign_forget(r->m, f);
  int rc = ns_foreign_replace(r->g, out, n, NS_BANK_FOREIGN, by);
  return rc ? rc : make_operator(r, out, op->rows, op->cols, &others, bare, op);
}

/* What multipliers of two interactions make together cannot be told apart but in a sum. */
static int check_sum(reach *r, const ns_system *s, const ns_operator *op, const ns_node *f)
{
  const ns_foreign *o = ns_operator_foreign(op);
  int *index = ns_arena_get(r->a, (size_t)o->n + 1, sizeof *index);
  if (!index) return NS_NOMEM;
  for (int i = 0; i < op->rows; i++)
    for (int j = 0; j < o->n; j++) {
      if (!is_multiplier(&o->of[j], r->k)) continue;
      ns_node d = ns_graph_diff(r->g, f[i], NS_BANK_FOREIGN, j);
      int n = ns_graph_variables(r->g, &d, 1, NS_BANK_FOREIGN, index, o->n);
      if (n < 0) return NS_NOMEM;
      for (int e = 0; e < n; e++) {
        const ns_foreign_variable *v = &o->of[index[e]];
        if (!is_multiplier(v, -1) || v->system == r->k) continue;
        return ns_fail(r->c, NS_MODEL,
                       "%s:%d: <%s id=\"%s\">: a formula multiplies multipliers of %s and %s, "
                       "expected a sum of formulas that each read one of them: they are unknowns "
                       "of two relations; combine these into one interaction or one netlist",
                       s->at.file, s->at.line, s->at.element, s->at.id, r->it->at.id,
                       r->m->interactions[v->system].at.id);
      }
    }
  return NS_OK;
}

/* Numbers of the <repeat> around a system. */
static int replace_indices(reach *r, const ns_system *s, ns_node *f, int n)
{
  int many = ns_graph_variables(r->g, f, n, NS_BANK_INDEX, NULL, 0);
  if (many <= 0 || !s->index) return many < 0 ? NS_NOMEM : NS_OK;
  int *index = ns_arena_get(r->a, (size_t)many, sizeof *index);
  if (!index || ns_graph_variables(r->g, f, n, NS_BANK_INDEX, index, many) < 0) return NS_NOMEM;
  ns_node *by = ns_arena_zero(r->a, (size_t)index[many - 1] + 1, sizeof *by);
  if (!by) return NS_NOMEM;
  for (int i = 0; i < many; i++) by[index[i]] = ns_graph_constant(r->g, s->index[index[i]]);
  return ns_foreign_replace(r->g, f, n, NS_BANK_INDEX, by);
}

/* Own variables of system j as those of the relation; `velocities` come last, as they are read by
 * name and numbered with what is read of others. */
static int replace_own(reach *r, const ns_system *s, int j, int velocities, ns_node *f, int n)
{
  int widest = s->nq > s->nz ? s->nq : s->nz, rc = NS_OK;
  ns_node *by = ns_arena_get(r->a, (size_t)widest + 1, sizeof *by);
  if (!by) return NS_NOMEM;
  if (velocities) {
    for (int i = 0; i < s->n; i++) {
      const ns_foreign_variable v = {.system = r->systems[j], .bank = NS_BANK_V, .k = i};
      by[i] = as_foreign(r, &r->inputs, &v);
    }
    return ns_foreign_replace(r->g, f, n, NS_BANK_V, by);
  }
  for (int i = 0; i < s->nq; i++) by[i] = ns_graph_variable(r->g, NS_BANK_Q, r->first_q[j] + i);
  rc = ns_foreign_replace(r->g, f, n, NS_BANK_Q, by);
  for (int i = 0; i < s->nz; i++) by[i] = ns_graph_variable(r->g, NS_BANK_Z, r->first_z[j] + i);
  if (!rc) rc = ns_foreign_replace(r->g, f, n, NS_BANK_Z, by);
  return rc ? rc : replace_indices(r, s, f, n);
}

/* An operator of system j, with the multipliers of the interaction, less the same without any, to
 * be added to the inputs from entry `at` on. */
static int add_input(reach *r, int j, const ns_operator *op, double sign, int at)
{
  const ns_system *s = &r->m->systems[r->systems[j]];
  const ns_foreign *o = ns_operator_foreign(op);
  int n = op->rows, mechanics = !ns_system_is_first_order(s);
  ns_node *f = ns_arena_get(r->a, 2 * (size_t)n + 1, sizeof *f), *without = f + n;
  ns_node *by = ns_arena_get(r->a, (size_t)o->n + 1, sizeof *by);
  if (!f || !by || ns_tape_lift(op->formula->tape, r->g, f)) return NS_NOMEM;
  int rc = check_sum(r, s, op, f);
  if (!rc) rc = replace_own(r, s, j, 0, f, n);
  memcpy(without, f, (size_t)n * sizeof *f);
  for (int pass = 0; pass < 2 && !rc; pass++) {
    ns_node *to = pass ? without : f;
    for (int k = 0; k < o->n; k++) {
      const ns_foreign_variable *v = &o->of[k];
      if (!is_multiplier(v, -1)) by[k] = as_of_relation(r, &r->inputs, v);
      else if (v->system == r->k && !pass) by[k] = ns_graph_variable(r->g, NS_BANK_LAMBDA, v->k);
      else by[k] = ns_graph_constant(r->g, 0);
    }
    rc = ns_foreign_replace(r->g, to, n, NS_BANK_FOREIGN, by);
    if (!rc && mechanics) rc = replace_own(r, s, j, 1, to, n);
  }
  for (int i = 0; i < n && !rc; i++) {
    ns_node g = ns_graph_multiply(r->g, ns_graph_constant(r->g, sign),
                                  ns_graph_subtract(r->g, f[i], without[i]));
    ns_node *to = &r->g0[r->first_q[j] + at + i];
    *to = ns_graph_add(r->g, *to, g);
    if (*to < 0) rc = NS_NOMEM;
  }
  return rc;
}

/* Forces and moments stand one after the other in the velocities of a body. */
static int add_inputs(reach *r, int j)
{
  const ns_system *s = &r->m->systems[r->systems[j]];
  ns_foreign_part part[NS_FOREIGN_PARTS];
  int rc = NS_OK;
  ns_foreign_parts(s, part);
  for (const ns_foreign_part *p = part; p->op && !rc; p++) {
    int moment = ns_system_is_rigid(s) && (p->op == &s->rigid.mext || p->op == &s->rigid.mint);
    if (reads(p->op, r->k)) rc = add_input(r, j, p->op, p->sign, moment ? s->n - p->op->rows : 0);
  }
  return rc;
}

/* ---- the relation ---------------------------------------------------------------------------- */

/* What the outputs read; one that is no system of the interaction makes them read the state. */
static ns_node as_output(void *of, const ns_foreign_variable *v)
{
  reach *r = of;
  if (v->of == NS_OF_SYSTEM && place_of(r, v->system) >= r->it->nsystems) r->reads_state = 1;
  return as_of_relation(r, &r->outputs, v);
}

/* The entries of an operator of the relation, zero where it is absent. */
static int lift_of_relation(reach *r, const ns_operator *op, int rows, int cols, ns_node *out)
{
  if (op->how == NS_OP_PLUGIN)
    return ns_fail(r->c, NS_MODEL,
                   "%s:%d: <%s id=\"%s\">: has plug-ins, and formulas of systems read its "
                   "multipliers, expected formulas instead of plug-ins, because these systems "
                   "become part of the interaction",
                   r->it->at.file, r->it->at.line, r->it->at.element, r->it->at.id);
  return ns_foreign_lift(op, r->g, rows, cols, as_output, r, out);
}

/* Matrices of the relation as nodes, by columns, with the shapes that they get. */
typedef struct nodes {
  ns_node *C, *D, *B, *K, *F, *e, *h, *g; /* K, h, g of nonlinear ones */
} nodes;

/* The same with as many rows as the relation reads entries; those that are new are behind, and
 * stay; own: scratch [rows x cols]. */
static int lift_rows_of_relation(reach *r, const ns_operator *op, int rows, int cols, ns_node *own,
                                 ns_node *to)
{
  int rc = lift_of_relation(r, op, rows, cols, own);
  for (int j = 0; j < cols && !rc; j++)
    for (int i = 0; i < rows; i++) to[i + j * r->nQ] = own[i + j * rows];
  return rc;
}

static int lift_relation(reach *r, nodes *x)
{
  const ns_first_order_relation *o = &r->it->fo;
  size_t m = (size_t)r->it->m, n = (size_t)r->nQ, nz = (size_t)r->nZ;
  int linear = (r->it->relation->flags & NS_REL_LINEAR) != 0, old = r->it->nQ;
  size_t sizes[] = {m * n, m * m, n * m, n * n, m * nz, m, m, n};
  ns_node **to[] = {&x->C, &x->D, &x->B, &x->K, &x->F, &x->e, &x->h, &x->g};
  ns_node *own = ns_arena_get(r->a, n * (n > m ? n : m) + 1, sizeof *own);
  for (size_t k = 0; k < sizeof to / sizeof *to; k++) {
    if (!(*to[k] = ns_arena_get(r->a, sizes[k] + 1, sizeof **to[k])) || !own) return NS_NOMEM;
    for (size_t i = 0; i < sizes[k]; i++) (*to[k])[i] = ns_graph_constant(r->g, 0);
  }
  int M = r->it->m, rc = lift_of_relation(r, &o->C, M, old, x->C); /* new columns are behind */
  if (!rc) rc = lift_of_relation(r, &o->D, M, M, x->D);
  if (!rc) rc = lift_rows_of_relation(r, &o->B, old, M, own, x->B);
  if (!rc && linear) rc = lift_of_relation(r, &o->F, M, r->it->nZ, x->F);
  if (!rc && linear) rc = lift_of_relation(r, &o->e, M, 1, x->e);
  if (rc || linear) return rc;
  rc = lift_of_relation(r, &o->h, M, 1, x->h);
  if (!rc) rc = lift_of_relation(r, &o->g, old, 1, x->g);
  return rc ? rc : lift_rows_of_relation(r, &o->K, old, old, own, x->K);
}

static ns_node times(reach *r, ns_node a, int bank, int k)
{
  return ns_graph_multiply(r->g, a, ns_graph_variable(r->g, bank, k));
}

/* h and g of a linear relation. */
static void write_out(reach *r, nodes *x)
{
  int m = r->it->m, n = r->it->nQ, nz = r->it->nZ;
  for (int i = 0; i < m; i++) {
    ns_node sum = x->e[i];
    for (int j = 0; j < n; j++)
      sum = ns_graph_add(r->g, sum, times(r, x->C[i + j * m], NS_BANK_Q, j));
    for (int j = 0; j < m; j++)
      sum = ns_graph_add(r->g, sum, times(r, x->D[i + j * m], NS_BANK_LAMBDA, j));
    for (int j = 0; j < nz; j++)
      sum = ns_graph_add(r->g, sum, times(r, x->F[i + j * m], NS_BANK_Z, j));
    x->h[i] = sum;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      x->g[i] = ns_graph_add(r->g, x->g[i], times(r, x->B[i + j * r->nQ], NS_BANK_LAMBDA, j));
}

/* Derivatives by multipliers of the inputs of readers, to B; 1: all are numbers. */
static int derive_inputs(reach *r, nodes *x)
{
  int numbers = 1;
  double value;
  for (int i = 0; i < r->nQ; i++) {
    double nil;
    if (ns_graph_is_constant(r->g, r->g0[i], &nil) && nil == 0) continue;
    for (int j = 0; j < r->it->m; j++) {
      ns_node d = ns_graph_diff(r->g, r->g0[i], NS_BANK_LAMBDA, j);
      numbers = numbers && ns_graph_is_constant(r->g, d, &value);
      ns_node *to = &x->B[i + j * r->nQ];
      *to = ns_graph_add(r->g, *to, d);
    }
  }
  return numbers;
}

/* The same by the state, to K, and of h by the states of readers. */
static int derive_states(reach *r, nodes *x)
{
  int *index = ns_arena_get(r->a, (size_t)r->nQ + 1, sizeof *index), m = r->it->m;
  if (!index) return NS_NOMEM;
  for (int i = 0; i < r->nQ; i++) {
    int n = ns_graph_variables(r->g, &r->g0[i], 1, NS_BANK_Q, index, r->nQ);
    if (n < 0) return NS_NOMEM;
    for (int k = 0; k < n; k++) {
      ns_node *to = &x->K[i + index[k] * r->nQ];
      *to = ns_graph_add(r->g, *to, ns_graph_diff(r->g, r->g0[i], NS_BANK_Q, index[k]));
    }
  }
  for (int j = r->it->nQ; j < r->nQ; j++)
    for (int i = 0; i < m; i++) x->C[i + j * m] = ns_graph_diff(r->g, x->h[i], NS_BANK_Q, j);
  return NS_OK;
}

static void forget_relation(reach *r)
{
  for (const ns_owned *k = ns_interaction_owned(r->it); k->name; k++) {
    const ns_foreign *f = ns_operator_foreign(ns_owned_of(k, r->it));
    if (f) ns_foreign_forget(r->m, f);
  }
}

static int make_relation(reach *r)
{
  nodes x;
  ns_first_order_relation o;
  int m = r->it->m, n = r->nQ, rc = lift_relation(r, &x);
  if (rc) return rc;
  int linear = (r->it->relation->flags & NS_REL_LINEAR) != 0;
  if (linear) write_out(r, &x);
  if (derive_inputs(r, &x) && linear && !r->reads_state) {
    o = r->it->fo;
    forget_relation(r);
    rc = make_operator(r, x.C, m, n, &r->outputs, 0, &o.C);
    if (!rc) rc = make_operator(r, x.D, m, m, &r->outputs, 0, &o.D);
    if (!rc) rc = make_operator(r, x.B, n, m, &r->outputs, 0, &o.B);
    if (!rc && o.F.how) rc = make_operator(r, x.F, m, r->nZ, &r->outputs, 0, &o.F);
    if (!rc) rc = make_operator(r, x.e, m, 1, &r->outputs, 0, &o.e);
  } else {
    o = (ns_first_order_relation){.F = {.rows = m}, .e = {.rows = m, .cols = 1}};
    forget_relation(r);
    for (int i = 0; i < n; i++) x.g[i] = ns_graph_add(r->g, x.g[i], r->g0[i]);
    rc = derive_states(r, &x);
    if (!rc) rc = make_operator(r, x.h, m, 1, &r->outputs, 0, &o.h);
    if (!rc) rc = make_operator(r, x.C, m, n, &r->outputs, 1, &o.C);
    if (!rc) rc = make_operator(r, x.D, m, m, &r->outputs, 1, &o.D);
    if (!rc) rc = make_operator(r, x.g, n, 1, &r->inputs, 0, &o.g);
    if (!rc) rc = make_operator(r, x.K, n, n, &r->inputs, 1, &o.K);
    if (!rc) rc = make_operator(r, x.B, n, m, &r->inputs, 1, &o.B);
    r->it->relation = ns_relation_named("FirstOrderNonLinearR");
  }
  if (!rc) r->it->fo = o;
  return rc;
}

/* ---- all ------------------------------------------------------------------------------------- */

static int list_systems(reach *r)
{
  size_t max = (size_t)(r->it->nsystems + r->nreaders);
  r->systems = ns_arena_get(r->m->arena, max, sizeof *r->systems);
  r->first_q = ns_arena_get(r->a, max, sizeof *r->first_q);
  r->first_z = ns_arena_get(r->a, max, sizeof *r->first_z);
  if (!r->systems || !r->first_q || !r->first_z) return NS_NOMEM;
  for (int j = 0; j < r->it->nsystems; j++) r->systems[r->nsystems++] = r->it->systems[j];
  for (int i = 0; i < r->nreaders; i++)
    if (place_of(r, r->readers[i].system) < 0) r->systems[r->nsystems++] = r->readers[i].system;
  for (int j = 0; j < r->nsystems; j++) {
    const ns_system *s = &r->m->systems[r->systems[j]];
    r->first_q[j] = r->nQ;
    r->first_z[j] = r->nZ;
    r->nQ += s->nq;
    r->nZ += s->nz;
    r->nV += s->n;
  }
  return NS_OK;
}

static int check_reader(reach *r, const ns_system *s)
{
  if (s->nq == s->n) return NS_OK;
  return ns_fail(r->c, NS_MODEL,
                 "%s:%d: <%s id=\"%s\">: a formula reads multipliers of %s, a body in space, whose "
                 "orientation has more coordinates than velocities, expected systems with as many; "
                 "use a <RigidBody2dDS>, or a <LagrangianDS> that is connected to it by a spring "
                 "or a formula",
                 s->at.file, s->at.line, s->at.element, s->at.id, r->it->at.id);
}

static int extend(reach *r)
{
  int rc = list_systems(r);
  if (!rc && !(r->g0 = ns_arena_get(r->a, (size_t)r->nQ + 1, sizeof *r->g0))) rc = NS_NOMEM;
  if (rc) return rc;
  for (int i = 0; i < r->nQ; i++) r->g0[i] = ns_graph_constant(r->g, 0);
  for (int j = 0; j < r->nsystems && !rc; j++) {
    const ns_system *s = &r->m->systems[r->systems[j]];
    if (!system_reads(r, r->systems[j])) continue;
    rc = check_reader(r, s);
    if (!rc) rc = add_inputs(r, j);
  }
  if (!rc) rc = make_relation(r);
  if (rc) return rc;
  r->it->systems = r->systems;
  r->it->nsystems = r->nsystems;
  r->it->nQ = r->nQ;
  r->it->nZ = r->nZ;
  r->it->nV = r->nV;
  return NS_OK;
}

static int begin(reach *r)
{
  r->a = ns_arena_create(1 << 16, 1);
  r->g = r->a ? ns_graph_create(r->a) : NULL;
  return r->g ? NS_OK : NS_NOMEM;
}

static int end(reach *r, int rc)
{
  if (rc == NS_NOMEM) nomem(r);
  ns_arena_destroy(r->a);
  return rc;
}

/* No formula needs them any more. */
static int take_all(ns_model *m, ns_ctx *c, const readings *all)
{
  reach r = {.m = m, .c = c};
  int rc = begin(&r);
  for (int i = 0; i < all->n && !rc; i++) {
    ns_system *s = &m->systems[all->of[i].system];
    for (const ns_owned *o = ns_system_owned(s); o->name && !rc; o++)
      if (reads(ns_owned_of(o, s), -1)) rc = take_multipliers(&r, ns_owned_in(o, s));
  }
  return end(&r, rc);
}

int ns_multiplier_inputs(ns_model *m, ns_ctx *c)
{
  readings all = {0};
  int rc = list_readings(m, c, &all);
  for (int i = 0, n; i < all.n && !rc; i += n) {
    int k = all.of[i].interaction;
    for (n = 1; i + n < all.n && all.of[i + n].interaction == k;) n++;
    reach r = {.m = m, .c = c, .k = k, .it = &m->interactions[k]};
    r.readers = all.of + i;
    r.nreaders = n;
    rc = begin(&r);
    if (!rc) rc = extend(&r);
    rc = end(&r, rc);
  }
  if (all.n && !rc) rc = take_all(m, c, &all);
  free(all.of);
  return rc;
}
