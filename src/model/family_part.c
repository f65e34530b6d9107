/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/family_part.h"

#include "algebra/vector.h"
#include "model/foreign.h"
#include "model/part.h"
#include "model/relations/shape_gaps.h"

#include <string.h>

/* Interactions of these families; `number`: of each system of the whole among those of the part. */
static int choose(ns_family_part *p, const ns_model *m, int families, const int *number)
{
  ns_model *own = &p->model;
  own->ninteractions = 0;
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (!ns_part_has(families, ns_interaction_family(it))) continue;
    ns_interaction *to = &own->interactions[own->ninteractions];
    *to = *it;
    p->interaction[own->ninteractions++] = i;
    if (!(to->systems = ns_part_numbers(p->mem, number, it->nsystems, it->systems)))
      return NS_NOMEM;
  }
  return NS_OK;
}

static size_t *indices(ns_arena *mem, size_t n)
{
  return ns_arena_zero(mem, n + 1, sizeof(size_t));
}

static void map_systems(ns_family_part *p, const ns_model *m, const int *number)
{
  size_t q = 0, v = 0, z = 0;
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    if (number[i] < 0) continue;
    const ns_system *own = &p->model.systems[number[i]];
    size_t first = ns_system_image_of(own) == s ? s->v : s->q;
    q = own->q, v = own->v, z = own->z;
    for (int k = 0; k < own->nq; k++) p->q[q++] = first + (size_t)k;
    for (int k = 0; k < s->n; k++) p->v[v++] = s->v + (size_t)k;
    for (int k = 0; k < s->nz; k++) p->z[z++] = s->z + (size_t)k;
  }
}

static int map(ns_family_part *p, const ns_model *m, const int *number)
{
  const ns_model *own = &p->model;
  p->q = indices(p->mem, own->nq);
  p->v = indices(p->mem, own->nv);
  p->z = indices(p->mem, own->nz);
  p->row = indices(p->mem, own->nrows);
  if (!p->q || !p->v || !p->z || !p->row) return NS_NOMEM;
  map_systems(p, m, number);
  for (int i = 0; i < own->ninteractions; i++) {
    const ns_interaction *it = &own->interactions[i];
    for (int r = 0; r < it->m; r++)
      p->row[it->row + (size_t)r] = m->interactions[p->interaction[i]].row + (size_t)r;
  }
  return NS_OK;
}

/* ---- images ---------------------------------------------------------------------------------- */

static int is_mechanics(const ns_model *m, int system)
{
  return !ns_system_is_first_order(&m->systems[system]);
}

static void see_read(const ns_model *m, const ns_foreign *f, unsigned char *seen)
{
  int systems[NS_FOREIGN_SYSTEMS];
  for (int j = 0; f && j < f->n; j++) {
    int n = ns_foreign_systems(m, &f->of[j], systems);
    for (int k = 0; k < n; k++)
      if (systems[k] >= 0 && is_mechanics(m, systems[k])) seen[systems[k]] = 1;
  }
}

/* Mechanics that is to have images; 0: none. */
static int see(const ns_model *m, unsigned char *seen)
{
  int some = 0;
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (!ns_interaction_is_first_order(it)) continue;
    for (int k = 0; k < it->nsystems; k++)
      if (is_mechanics(m, it->systems[k])) some = seen[it->systems[k]] = 1;
    see_read(m, ns_operator_foreign(&it->fo.h), seen);
  }
  for (int i = 0; i < m->nsystems; i++) some |= seen[i];
  /* where some row acts on mechanics what sources read changes with its multipliers, too */
  for (int i = 0; i < m->ninteractions && some; i++)
    if (ns_interaction_is_first_order(&m->interactions[i]))
      see_read(m, ns_operator_foreign(&m->interactions[i].fo.e), seen);
  return some;
}

static ns_system image(const ns_system *s)
{
  return (ns_system){.kind = ns_system_kind_find("FirstOrderLinearTIDS"),
                     .at = s->at,
                     .n = s->n,
                     .nq = s->n,
                     .nz = s->nz,
                     .index = s->index,
                     .integrator = s->integrator,
                     .q0 = s->v0,
                     .z0 = s->z0,
                     .zunits = s->zunits,
                     .znames = s->znames,
                     .fo.image_of = s};
}

/* number: of the images, too, for interactions. */
static int take_images(ns_family_part *p, const ns_model *m, int *number)
{
  unsigned char *seen = ns_arena_zero(p->mem, (size_t)m->nsystems + 1, 1);
  ns_model *own = &p->model;
  if (!seen) return NS_NOMEM;
  if (!see(m, seen)) return NS_OK;
  for (int i = 0; i < m->nsystems; i++) {
    if (!seen[i]) continue;
    number[i] = own->nsystems;
    p->nimages += (size_t)m->systems[i].n;
    own->systems[own->nsystems++] = image(&m->systems[i]);
  }
  return NS_OK;
}

/* Which state of the part an entry of q or v of the whole is. */
static int find_states(ns_family_part *p, const ns_model *m)
{
  int *q = ns_arena_get(p->mem, m->nq + 1, sizeof *q),
      *v = ns_arena_get(p->mem, m->nv + 1, sizeof *v);
  if (!q || !v) return NS_NOMEM;
  ns_fill_ints(m->nq, -1, q);
  ns_fill_ints(m->nv, -1, v);
  for (size_t i = 0; i < p->model.nq; i++)
    if (i < ns_part_nq(p)) q[p->q[i]] = (int)i;
    else v[p->q[i]] = (int)i;
  p->model.state_of_q = q;
  p->model.state_of_v = v;
  p->model.nwhole_v = m->nv;
  return NS_OK;
}

/* ---- the part -------------------------------------------------------------------------------- */

/* Contacts between shapes, which are the last of the interactions. */
static int take_gaps(ns_family_part *p, const ns_model *m)
{
  ns_model *own = &p->model;
  if (!m->gaps || !ns_model_body(own)) return NS_OK;
  own->gaps = ns_arena_copy(p->mem, m->gaps, 1, sizeof *m->gaps);
  if (!own->gaps) return NS_NOMEM;
  own->gaps->first = own->ninteractions - own->gaps->n;
  return NS_OK;
}

static int fill(ns_family_part *p, const ns_model *m, int first_order)
{
  ns_model *own = &p->model;
  int families = first_order ? NS_PART_FIRST_ORDER : NS_PART_MECHANICS;
  int *number = ns_arena_zero(p->mem, (size_t)m->nsystems + 1, sizeof *number);
  own->interactions = ns_arena_get(p->mem, (size_t)m->ninteractions + 1, sizeof *own->interactions);
  p->interaction = ns_arena_zero(p->mem, (size_t)m->ninteractions + 1, sizeof *p->interaction);
  if (!number || !own->interactions || !p->interaction) return NS_NOMEM;
  if (ns_part_systems(m, p->mem, families, number, own)) return NS_NOMEM;
  if (ns_part_renumber(m, p->mem, number, own)) return NS_NOMEM;
  if (first_order && take_images(p, m, number)) return NS_NOMEM;
  if (choose(p, m, families, number) || take_gaps(p, m)) return NS_NOMEM;
  ns_model_place(own);
  if (map(p, m, number)) return NS_NOMEM;
  return first_order ? find_states(p, m) : NS_OK;
}

int ns_family_part_create(ns_ctx *c, const ns_model *m, int first_order, ns_family_part *p)
{
  *p = (ns_family_part){.model = *m, .mem = ns_arena_create(0, 1)};
  ns_model *own = &p->model;
  own->arena = NULL;
  own->ncontrols = own->nobservables = own->nmeasures = 0;
  own->nuser_events = own->nlaw_formulas = own->ngiven = 0;
  own->foreign = NULL;
  own->gaps = NULL;
  own->mixed = 0;
  own->nmemory = own->nmeasured = own->nuser = own->measured_past = own->nbranches = 0;
  own->frozen = NULL;
  if (first_order) own->values = NULL; /* their laws are numbers */
  own->sim.ed.certificate = NS_CERTIFICATE_OFF;
  if (p->mem && !fill(p, m, first_order)) return NS_OK;
  ns_family_part_destroy(p);
  return ns_nomem(c, "parts of a model");
}

void ns_family_part_destroy(ns_family_part *p)
{
  ns_arena_destroy(p->mem);
  *p = (ns_family_part){0};
}
