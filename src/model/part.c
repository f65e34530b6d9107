/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/part.h"

int ns_part_systems(const ns_model *m, ns_arena *mem, int families, int *number, ns_model *out)
{
  ns_system *s = out->systems = ns_arena_get(mem, (size_t)m->nsystems + 1, sizeof *s);
  out->nsystems = 0;
  for (int i = 0; i < m->nsystems && s; i++) {
    number[i] = -1;
    if (!ns_part_has(families, ns_system_family(&m->systems[i]))) continue;
    number[i] = out->nsystems;
    s[out->nsystems++] = m->systems[i];
  }
  return s ? NS_OK : NS_NOMEM;
}

int *ns_part_numbers(ns_arena *mem, const int *number, int n, const int *systems)
{
  int *to = ns_arena_get(mem, (size_t)n + 1, sizeof *to);
  for (int k = 0; k < n && to; k++) to[k] = number[systems[k]];
  return to;
}

/* Bodies: their quantities are counted from the first one. */
static int take_bodies(const ns_model *m, ns_arena *mem, int *number, ns_model *out)
{
  int rc = ns_part_systems(m, mem, NS_PART_RIGID, number, out);
  out->nq = out->nv = 0;
  for (int i = 0; i < out->nsystems; i++) {
    ns_system *s = &out->systems[i];
    s->q = out->nq;
    s->v = out->nv;
    out->nq += (size_t)s->nq;
    out->nv += (size_t)s->n;
  }
  out->part_q = m->nq - out->nq;
  out->part_v = m->nv - out->nv;
  return rc;
}

int ns_part_interactions(const ns_model *m, ns_arena *mem, ns_family family, const int *number,
                         ns_model *out)
{
  static const char *const kind[] = {[NS_FAMILY_LAGRANGIAN] = "LagrangianLinearTIR",
                                     [NS_FAMILY_FIRST_ORDER] = "FirstOrderLinearTIR",
                                     [NS_FAMILY_RIGID] = "NewtonEuler1DR"};
  const ns_relation_kind *none = ns_relation_named(kind[family]);
  ns_interaction *list = ns_arena_zero(mem, (size_t)m->ninteractions + 1, sizeof *list);
  if (!list) return NS_NOMEM;
  out->interactions = list;
  out->nrows = out->part_row = 0;
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    list[i] = (ns_interaction){
        .relation = none, .law.ops = ns_law_kinds[0], .at = it->at, .systems = it->systems};
    if (ns_interaction_family(it) != family) continue;
    if (!out->nrows) out->part_row = it->row;
    out->nrows += (size_t)it->m;
    list[i] = *it;
    list[i].row -= out->part_row;
    if (!number) continue;
    list[i].systems = ns_part_numbers(mem, number, it->nsystems, it->systems);
    if (!list[i].systems) return NS_NOMEM;
  }
  return NS_OK;
}

/* What acts on systems that are taken: number -1 of others. */
static int take_boundaries(const ns_model *m, ns_arena *mem, const int *number, ns_model *out)
{
  ns_boundary *list = ns_arena_get(mem, (size_t)m->nboundaries + 1, sizeof *list);
  if (!list) return NS_NOMEM;
  out->boundaries = list;
  out->nboundaries = 0;
  for (int i = 0; i < m->nboundaries; i++) {
    if (number[m->boundaries[i].system] < 0) continue;
    list[out->nboundaries] = m->boundaries[i];
    list[out->nboundaries++].system = number[m->boundaries[i].system];
  }
  return NS_OK;
}

static int take_shapes(const ns_model *m, ns_arena *mem, const int *number, ns_model *out)
{
  int n = ns_model_body(out) ? m->contact.nshapes : 0;
  ns_body_shape *list = ns_arena_get(mem, (size_t)n + 1, sizeof *list);
  if (!list) return NS_NOMEM;
  for (int i = 0; i < n; i++) {
    list[i] = m->contact.shape[i];
    if (list[i].system >= 0) list[i].system = number[list[i].system];
  }
  out->contact.shape = list;
  out->contact.nshapes = n;
  return NS_OK;
}

static int take_forces(const ns_model *m, ns_arena *mem, const int *number, ns_model *out)
{
  ns_body_force *list = ns_arena_get(mem, (size_t)m->nforces + 1, sizeof *list);
  if (!list) return NS_NOMEM;
  out->forces = list;
  out->nforces = ns_model_body(out) ? m->nforces : 0;
  for (int i = 0; i < out->nforces; i++) {
    ns_body_force *f = &list[i];
    *f = m->forces[i];
    ns_force_end *end = ns_arena_copy(mem, f->end, (size_t)f->nends, sizeof *end);
    if (!end) return NS_NOMEM;
    for (int k = 0; k < f->nends; k++)
      if (end[k].system >= 0) end[k].system = number[end[k].system];
    f->end = end;
    if (!(f->systems = ns_part_numbers(mem, number, f->nsystems, f->systems))) return NS_NOMEM;
  }
  return NS_OK;
}

int ns_part_renumber(const ns_model *m, ns_arena *mem, const int *number, ns_model *out)
{
  int rc = take_boundaries(m, mem, number, out);
  if (!rc) rc = take_shapes(m, mem, number, out);
  return rc ? rc : take_forces(m, mem, number, out);
}

/* The options of the integrator of its bodies: they have one. */
static void take_integrator(const ns_model *m, ns_model *out)
{
  if (!m->nintegrators || !out->nsystems) return;
  out->sim.mj = m->integrators[out->systems[0].integrator].mj;
  out->sim.proj = m->integrators[out->systems[0].integrator].proj;
  out->sim.integrator = m->integrators[out->systems[0].integrator].name;
}

int ns_part_bodies(const ns_model *m, ns_ctx *c, ns_arena *mem, ns_model *out)
{
  int *number = ns_arena_zero(mem, (size_t)m->nsystems + 1, sizeof *number);
  *out = *m;
  int rc = number ? take_bodies(m, mem, number, out) : NS_NOMEM;
  if (!rc) rc = ns_part_interactions(m, mem, NS_FAMILY_RIGID, number, out);
  if (!rc) rc = ns_part_renumber(m, mem, number, out);
  if (!rc) take_integrator(m, out);
  return rc ? ns_nomem(c, "rigid bodies") : NS_OK;
}

void ns_part_renew_laws(const ns_model *m, ns_model *part)
{
  for (int i = 0; i < m->ninteractions; i++)
    if (part->interactions[i].m) part->interactions[i].law = m->interactions[i].law;
}

ns_state ns_part_state(const ns_model *part, const ns_state *x)
{
  ns_state s = *x;
  s.q += part->part_q;
  s.v += part->part_v;
  s.p += part->part_v;
  s.f += part->part_v;
  if (s.support) s.support += part->part_v;
  s.y += part->part_row;
  s.ydot += part->part_row;
  s.lambda += part->part_row;
  s.mode += part->part_row;
  return s;
}
