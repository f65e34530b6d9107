/* SPDX-License-Identifier: GPL-3.0-or-later */
/* circuit_parts.c -- several netlists that are one circuit.
 *
 * A source that reads a node of another netlist may depend on that at once, and that on it: their
 * equations are solved together. What results is one field x' = f(x, lambda, t, z) and one set of
 * rows; each netlist keeps its states in a system of its own, whose formulas read the states of the
 * others as variables of other systems, with their exact derivatives (model/foreign.h). The rows
 * are one interaction of all these systems. */
#include "algebra/vector.h"
#include "model/circuit/circuit_tableau.h"

#include "model/foreign.h"

#include <string.h>

static int nomem(const ns_tableau *t) { return ns_nomem(t->c, "circuit"); }

const ns_place *ns_tableau_place(const ns_tableau *t, int element)
{
  const ns_circuit *k = t->k;
  return k->nparts > 1 ? &k->part[k->element[element].part].at : &k->at;
}

static int get_memory(ns_tableau *t, ns_model *m)
{
  const ns_circuit *k = t->k;
  size_t parts = (size_t)t->parts, n = (size_t)t->n + 1, z = (size_t)t->nlatches + 1;
  t->nread_of = k->nforeign + (t->parts > 1 ? t->n + t->nlatches : 0);
  t->system = ns_arena_get(m->arena, parts, sizeof *t->system);
  const ns_array want[] = {
      {&t->first, parts, sizeof(int)},  {&t->nstates, parts, sizeof(int)},
      {&t->nz, parts, sizeof(int)},     {&t->z_part, z, sizeof(int)},
      {&t->z_local, z, sizeof(int)},    {&t->z_joined, z, sizeof(int)},
      {&t->state_part, n, sizeof(int)}, {&t->read_of, (size_t)t->nread_of, sizeof *t->read_of}};
  if (!t->system || ns_arena_arrays(t->a, want, sizeof want / sizeof *want)) return -1;
  if (k->nforeign) memcpy(t->read_of, k->foreign, (size_t)k->nforeign * sizeof *t->read_of);
  return 0;
}

/* Inputs stand before what keeps its state, each by parts. */
static void number_z(ns_tableau *t)
{
  const ns_circuit *k = t->k;
  for (int p = 0, j = 0; p < t->parts; p++) {
    int n = k->nparts > 1 ? k->part[p].ninputs : k->ninputs;
    for (int i = 0; i < n; i++) t->z_part[j++] = p;
  }
  for (int e = 0; e < k->n; e++)
    if (t->latch[e] >= 0) t->z_part[t->latch[e]] = k->nparts > 1 ? k->element[e].part : 0;
  for (int j = 0; j < t->nlatches; j++) t->z_local[j] = t->nz[t->z_part[j]]++;
  for (int j = 0; j < t->nlatches; j++) {
    t->z_joined[j] = t->z_local[j];
    for (int p = 0; p < t->z_part[j]; p++) t->z_joined[j] += t->nz[p];
  }
}

/* States and entries of z as variables of other systems, behind those that the circuit reads. */
static void list_variables(ns_tableau *t)
{
  ns_foreign_variable *v = t->read_of + t->k->nforeign;
  for (int i = 0; i < t->n; i++) {
    int p = t->state_part[i];
    *v++ = (ns_foreign_variable){.system = t->system[p], .bank = NS_BANK_Q, .k = i - t->first[p]};
  }
  for (int j = 0; j < t->nlatches; j++)
    *v++ = (ns_foreign_variable){
        .system = t->system[t->z_part[j]], .bank = NS_BANK_Z, .k = t->z_local[j]};
}

int ns_tableau_parts(ns_tableau *t, ns_model *m, int first)
{
  t->parts = t->k->nparts > 1 ? t->k->nparts : 1;
  if (get_memory(t, m)) return nomem(t);
  for (int p = 0; p < t->parts; p++) t->system[p] = first + p;
  for (int s = 0; s < t->nstores && t->parts > 1; s++)
    if (t->store[s].state >= 0) t->nstates[t->k->element[t->store[s].element].part]++;
  if (t->parts == 1) t->nstates[0] = t->n;
  for (int p = 0, at = 0; p < t->parts; p++) {
    t->first[p] = at;
    if (!t->nstates[p]) t->nstates[p] = 1; /* that of a netlist without states, which rests */
    for (int i = 0; i < t->nstates[p] && at < t->n; i++) t->state_part[at++] = p;
  }
  number_z(t);
  if (t->parts > 1) list_variables(t);
  return NS_OK;
}

/* Variable i of a bank, of a part, for formulas of `part`. */
static ns_node variable(ns_tableau *t, int part, int bank, int i)
{
  int is_state = bank == NS_BANK_Q, of = is_state ? t->state_part[i] : t->z_part[i];
  if (part == NS_ALL_PARTS) return ns_graph_variable(t->g, bank, is_state ? i : t->z_joined[i]);
  if (of == part)
    return ns_graph_variable(t->g, bank, is_state ? i - t->first[part] : t->z_local[i]);
  int at = t->k->nforeign + (is_state ? i : t->n + i);
  return ns_graph_variable(t->g, NS_BANK_FOREIGN, at);
}

int ns_tableau_see(ns_tableau *t, int part, ns_node *f, int n)
{
  if (t->parts < 2) return NS_OK;
  int size = t->n > t->nlatches ? t->n : t->nlatches;
  ns_node *by = ns_arena_get(t->a, (size_t)size + 1, sizeof *by);
  if (!by) return nomem(t);
  for (int pass = 0; pass < 2; pass++) {
    int bank = pass ? NS_BANK_Z : NS_BANK_Q, many = pass ? t->nlatches : t->n;
    for (int i = 0; i < many; i++) by[i] = variable(t, part, bank, i);
    for (int i = 0; i < n; i++)
      if (f[i] >= 0 && (f[i] = ns_graph_replace(t->g, f[i], bank, by)) < 0) return nomem(t);
  }
  return NS_OK;
}

/* Those that f reads alone are its list: a circuit has many states. */
static int compact(ns_tableau *t, const ns_node *f, int n, ns_node *out, ns_foreign_variable **list,
                   int *many)
{
  int *index = ns_arena_get(t->a, (size_t)t->nread_of + 1, sizeof *index);
  ns_node *by = ns_arena_get(t->a, (size_t)t->nread_of + 1, sizeof *by);
  *list = ns_arena_get(t->a, (size_t)t->nread_of + 1, sizeof **list);
  if (!index || !by || !*list) return -1;
  *many = ns_graph_variables(t->g, f, n, NS_BANK_FOREIGN, index, t->nread_of);
  if (*many < 0) return -1;
  ns_fill_ints((size_t)t->nread_of, -1, by);
  for (int j = 0; j < *many; j++) {
    (*list)[j] = t->read_of[index[j]];
    by[index[j]] = ns_graph_variable(t->g, NS_BANK_FOREIGN, j);
  }
  for (int i = 0; i < n; i++)
    if ((out[i] = ns_graph_replace(t->g, f[i], NS_BANK_FOREIGN, by)) < 0) return -1;
  return 0;
}

int ns_tableau_compile(ns_tableau *t, ns_model *m, const ns_node *f, int n, ns_operator *op)
{
  ns_foreign_variable *list = t->read_of;
  int many = t->nread_of;
  ns_node *own = ns_arena_get(t->a, (size_t)n + 1, sizeof *own);
  if (!own) return nomem(t);
  memcpy(own, f, (size_t)n * sizeof *own);
  if (t->parts > 1 && compact(t, f, n, own, &list, &many)) return nomem(t);
  int rc = ns_operator_compile(op, t->c, t->g, m->arena, own, n);
  return rc ? rc : ns_foreign_make(m, t->c, t->g, own, n, list, many, 0, op);
}
