/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/record/channels_parts.h"

#include "model/relations/rigid_relation.h"

#include <stdio.h>
#include <string.h>

/* The kind of object i of a group. */
static ns_family kind_of(const ns_model *m, int group, int i)
{
  if (!m->mixed || group == NS_CHANNEL_DIAGNOSTICS) return ns_model_family(m);
  return group == NS_CHANNEL_SYSTEMS ? ns_system_family(&m->systems[i])
                                     : ns_relation_family(m->interactions[i].relation);
}

/* The user vector of system i; n = 0 where it is not shown. */
static ns_channel_candidate user_vector(const ns_model *m, int i, const ns_channel_candidate *base)
{
  const ns_system *s = &m->systems[i];
  ns_channel_candidate k = *base;
  /* which of them is written: not worth a search */
  int shown = ns_system_is_first_order(s) || s->znames || m->ncontrols;
  k.names = s->znames;
  k.n = shown ? s->nz : 0;
  k.offset = s->z;
  return k;
}

static int has_boundary(const ns_model *m, int i)
{
  for (int b = 0; b < m->nboundaries; b++)
    if (m->boundaries[b].system == i) return 1;
  return 0;
}

/* The part of a quantity that is of system i. */
static ns_channel_candidate of_system(const ns_model *m, int i, const ns_quantity *q,
                                      const ns_channel_candidate *base)
{
  const ns_system *s = &m->systems[i];
  ns_channel_candidate k = *base;
  if (q->from == NS_FROM_Z) return user_vector(m, i, base);
  int coordinates = q->from == NS_FROM_Q;
  k.names = ns_system_names(s, q->name);
  k.n = coordinates ? s->nq : s->n;
  k.offset = coordinates ? s->q : s->v;
  if (q->from == NS_FROM_SUPPORT && !has_boundary(m, i)) k.n = 0;
  return k;
}

/* The part of a quantity that is of interaction i: all of its rows, or the free coordinate of a
 * joint, angle before slide. */
static ns_channel_candidate of_interaction(const ns_model *m, int i, const ns_quantity *q,
                                           const ns_channel_candidate *base)
{
  const ns_interaction *it = &m->interactions[i];
  ns_channel_candidate k = *base;
  if (q->from != NS_FROM_ANGLE && q->from != NS_FROM_RATE) return k;
  int is_joint = it->relation && it->relation->flags & NS_REL_JOINT, slide = q->offset != 0;
  k.n = is_joint && ns_joint_is_free(&it->joint, slide);
  k.offset = it->angle + (slide && ns_joint_is_free(&it->joint, 0));
  return k;
}

/* Sums of the certificate that not every model has. */
static int has_sum(const ns_model *m, const ns_quantity *q)
{
  int friction = q->offset == offsetof(ns_certificate, work_friction),
      driven = q->offset == offsetof(ns_certificate, work_driven);
  if (q->from != NS_FROM_CERT || !(friction || driven)) return 1;
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (!it->law.ops || !it->relation) continue; /* of a model made by hand */
    if (friction ? ns_interaction_has_friction(it) : ns_interaction_is_driven(it)) return 1;
  }
  return 0;
}

static int is_in(const ns_channel_part *w, const char *group)
{
  return !w->group || w->group == group || !strcmp(w->group, group);
}

/* All quantities of an object; i: its number. */
static int walk_list(const ns_model *m, const ns_channel_part *w, int group, int i,
                     const ns_channel_candidate *base, ns_channel_visit fn, void *to)
{
  const ns_quantity_family *f = ns_quantities_of(m, kind_of(m, group, i));
  for (size_t e = 0; e < f->of[group].n; e++) {
    const ns_quantity *q = &f->of[group].quantity[e];
    if (w->only && q != w->only && strcmp(q->name, w->only->name) != 0) continue;
    ns_channel_candidate k = group == NS_CHANNEL_SYSTEMS        ? of_system(m, i, q, base)
                             : group == NS_CHANNEL_INTERACTIONS ? of_interaction(m, i, q, base)
                                                                : *base;
    if (group == NS_CHANNEL_DIAGNOSTICS && !has_sum(m, q)) k.n = 0;
    k.group = ns_channel_groups[group];
    k.q = q;
    if (!k.vector) k.offset = q->offset;
    int rc = fn(to, &k);
    if (rc) return rc;
  }
  return 0;
}

ns_quantity ns_quantity_of_observable(const ns_model *m, const ns_observable *o)
{
  return (ns_quantity){o->name,
                       o->unit,
                       o->help ? o->help : "observable",
                       NS_FROM_OBSERVABLE,
                       0,
                       ns_course_of_formula(m, &o->value),
                       NS_TAKE_NOW};
}

static int walk_force(const ns_body_force *f, ns_channel_visit fn, void *to)
{
  int rc = 0;
  for (size_t e = 0; e < NS_FORCE_QUANTITIES && !rc; e++) {
    const ns_quantity *q = &ns_quantities_of_forces[e];
    ns_channel_candidate k = {.group = "forces",
                              .id = f->at.id,
                              .q = q,
                              .n = 1,
                              .vector = 1,
                              .offset = f->angle + q->offset};
    rc = fn(to, &k);
  }
  return rc;
}

/* The id of an object, or a made one: systems built without the model language may have none. */
static const char *id_of(const ns_place *at, const char *kind, int i, char *buf, size_t n)
{
  if (at->id) return at->id;
  snprintf(buf, n, "%s%d", kind, i);
  return buf;
}

static int walk_observables(const ns_model *m, const ns_channel_part *w, ns_channel_visit fn,
                            void *to)
{
  int rc = 0;
  for (int i = 0; i < m->nobservables && !rc; i++) {
    const ns_observable *o = &m->observables[i];
    if (!is_in(w, o->group)) continue;
    ns_quantity q = ns_quantity_of_observable(m, o);
    ns_channel_candidate k = {
        .group = o->group, .id = o->id, .q = &q, .n = 1, .vector = 1, .offset = (size_t)i};
    rc = fn(to, &k);
  }
  return rc;
}

int ns_channels_walk(const ns_model *m, const ns_channel_part *w, ns_channel_visit fn, void *to)
{
  int rc = 0;
  char made[32];
  for (int i = 0; is_in(w, ns_channel_groups[NS_CHANNEL_SYSTEMS]) && i < m->nsystems && !rc; i++) {
    const ns_system *s = &m->systems[i];
    const char *id = id_of(&s->at, "system", i, made, sizeof made);
    ns_channel_candidate k = {.id = id, .system = s, .vector = 1};
    rc = walk_list(m, w, NS_CHANNEL_SYSTEMS, i, &k, fn, to);
  }
  for (int i = 0;
       is_in(w, ns_channel_groups[NS_CHANNEL_INTERACTIONS]) && i < m->ninteractions && !rc; i++) {
    const ns_interaction *it = &m->interactions[i];
    const char *id = id_of(&it->at, "interaction", i, made, sizeof made);
    ns_channel_candidate k = {
        .id = id, .interaction = it, .n = it->m, .vector = 1, .offset = it->row};
    rc = walk_list(m, w, NS_CHANNEL_INTERACTIONS, i, &k, fn, to);
  }
  for (int i = 0; i < m->nforces && !rc; i++) rc = walk_force(&m->forces[i], fn, to);
  if (!rc) rc = walk_observables(m, w, fn, to);
  ns_channel_candidate k = {.id = "diagnostics", .n = 1};
  return rc || !is_in(w, ns_channel_groups[NS_CHANNEL_DIAGNOSTICS])
             ? rc
             : walk_list(m, w, NS_CHANNEL_DIAGNOSTICS, 0, &k, fn, to);
}
