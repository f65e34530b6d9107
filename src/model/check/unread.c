/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/check/unread.h"

#include "model/controls/control.h"
#include "model/language/language.h"
#include "model/law_values.h"
#include "model/measure.h"
#include "model/user_event.h"

#include <stdlib.h>
#include <string.h>

/* What has been read so far, and where an object's entries of Z are. */
typedef struct reading {
  const ns_model *m;
  unsigned char *read; /* [nz] */
  int *where, n;       /* of the object: entry of z of each of its Z [n of nz] */
} reading;

static void add_system(reading *r, int system)
{
  const ns_system *s = &r->m->systems[system];
  for (int k = 0; k < s->nz && r->n < (int)r->m->nz; k++) r->where[r->n++] = (int)s->z + k;
}

static void begin(reading *r, int n, const int *systems)
{
  r->n = 0;
  for (int i = 0; i < n; i++) add_system(r, systems[i]);
}

static void mark_formula(reading *r, const ns_operator *o)
{
  ns_arena *a = ns_arena_create(0, 1);
  ns_graph *g = a ? ns_graph_create(a) : NULL;
  int n = ns_tape_outputs(o->formula->tape),
      *index = a ? ns_arena_get(a, (size_t)r->n + 1, sizeof *index) : NULL;
  ns_node *out = a ? ns_arena_get(a, (size_t)n, sizeof *out) : NULL;
  int found = g && out && index && !ns_tape_lift(o->formula->tape, g, out)
                  ? ns_graph_variables(g, out, n, NS_BANK_Z, index, r->n)
                  : -1;
  for (int k = 0; k < r->n && found < 0; k++) r->read[r->where[k]] = 1; /* out of memory: no word */
  for (int k = 0; k < found && found <= r->n; k++)
    if (index[k] < r->n) r->read[r->where[index[k]]] = 1;
  ns_arena_destroy(a);
}

static void mark(reading *r, const ns_operator *o)
{
  if (!(o->uses >> NS_BANK_Z & 1u)) return;
  if (o->how == NS_OP_TAPE) mark_formula(r, o);
  for (int k = 0; k < r->n && o->how == NS_OP_PLUGIN; k++) r->read[r->where[k]] = 1;
}

/* F z: columns that are not zero; of formulas all. */
static void mark_matrix(reading *r, const ns_operator *F)
{
  for (int k = 0; k < r->n && F->how; k++)
    for (int i = 0; i < F->rows; i++)
      if (F->how != NS_OP_CONSTANT || ns_operator_entry(F, i, k) != 0) r->read[r->where[k]] = 1;
}

static void mark_system(reading *r, int k)
{
  const ns_system *s = &r->m->systems[k];
  begin(r, 1, &k);
  const ns_operator *lagrangian[] = {&s->mass, &s->fext, &s->fint, &s->fgyr};
  const ns_operator *first_order[] = {&s->fo.M, &s->fo.f, &s->fo.A, &s->fo.b, &s->fo.T, &s->fo.u};
  const ns_operator *rigid[] = {&s->rigid.fext, &s->rigid.mext, &s->rigid.fint, &s->rigid.mint};
  ns_family f = ns_system_family(s);
  const ns_operator **all = f == NS_FAMILY_LAGRANGIAN ? lagrangian
                            : f == NS_FAMILY_RIGID    ? rigid
                                                      : first_order;
  for (int i = 0; i < (f == NS_FAMILY_FIRST_ORDER ? 6 : 4); i++) mark(r, all[i]);
}

static void mark_interaction(reading *r, const ns_interaction *it)
{
  unsigned flags = it->relation->flags;
  begin(r, it->nsystems, it->systems);
  const ns_operator *first_order[] = {&it->fo.C, &it->fo.D, &it->fo.B,
                                      &it->fo.e, &it->fo.h, &it->fo.g};
  const ns_operator *nonlinear[] = {&it->lr.h, &it->lr.H},
                    *point[] = {&it->point.P1, &it->point.P2, &it->point.n};
  if (flags & NS_REL_FIRST_ORDER) {
    for (int i = 0; i < 6; i++) mark(r, first_order[i]);
    mark_matrix(r, &it->fo.F);
  } else if (flags & NS_REL_JOINT) {
    for (int i = 0; i < 2 && it->drive; i++) mark(r, &it->drive->force[i]);
  } else if (flags & NS_REL_POINT) {
    for (int i = 0; i < 3; i++) mark(r, point[i]);
  } else if (flags & NS_REL_LINEAR) {
    for (int k = 0; k < r->n && it->F; k++)
      for (int i = 0; i < it->m; i++)
        if (it->F[i + k * it->m] != 0) r->read[r->where[k]] = 1;
  } else if (!(flags & NS_REL_AXIS)) {
    for (int i = 0; i < 2; i++) mark(r, nonlinear[i]);
  }
}

static void mark_force(reading *r, const ns_body_force *f)
{
  const ns_operator *all[] = {&f->along, &f->vector, &f->torque};
  begin(r, f->nsystems, f->systems);
  for (int i = 0; i < 3; i++) mark(r, all[i]);
}

static void mark_observable(reading *r, const ns_observable *b)
{
  begin(r, b->nsystems, b->systems);
  mark(r, &b->value);
}

static void mark_control(reading *r, const ns_control *k)
{
  const ns_lang_element *e = ns_lang_find(strcmp(k->kind->name, "update") ? k->kind->name
                                                                          : "control");
  begin(r, k->nsystems, k->systems);
  if (!e) return;
  for (int i = 0; e->values && e->values[i].name; i++) mark(r, &k->value[i]);
  mark(r, &k->when);
}

/* Formulas that name an entry of another system. */
static void mark_foreign(reading *r)
{
  for (const ns_foreign *f = r->m->foreign; f; f = f->next)
    for (int j = 0; j < f->n; j++) {
      const ns_foreign_variable *v = &f->of[j];
      if (v->of == NS_OF_SYSTEM && v->bank == NS_BANK_Z)
        r->read[r->m->systems[v->system].z + (size_t)v->k] = 1;
    }
}

/* Parameters of laws, which read the user vectors of the whole model. */
static void mark_laws(reading *r)
{
  r->n = 0;
  for (int k = 0; k < (int)r->m->nz; k++) r->where[r->n++] = k;
  for (int i = 0; i < r->m->nlaw_formulas; i++) mark(r, &r->m->law_formulas[i].value);
}

static void mark_all(reading *r)
{
  const ns_model *m = r->m;
  for (int k = 0; k < m->nsystems; k++)
    if (m->systems[k].nz) mark_system(r, k);
  for (int k = 0; k < m->ninteractions; k++)
    if (m->interactions[k].nZ) mark_interaction(r, &m->interactions[k]);
  for (int k = 0; k < m->nforces; k++)
    if (m->forces[k].nZ) mark_force(r, &m->forces[k]);
  for (int k = 0; k < m->ncontrols; k++) mark_control(r, &m->controls[k]);
  mark_foreign(r);
  mark_laws(r);
  for (int k = 0; k < m->nobservables; k++) mark_observable(r, &m->observables[k]);
  for (int k = 0; k < m->nmeasures; k++) {
    mark_observable(r, &m->measures[k].of);
    mark_observable(r, &m->measures[k].when);
  }
  for (int k = 0; k < m->nuser_events; k++) {
    const ns_user_event *e = &m->user_events[k];
    mark_observable(r, &e->when);
    for (int i = 0; i < e->nsets; i++) mark_observable(r, &e->sets[i].to);
  }
}

void ns_unread_warn(const ns_model *m, ns_ctx *c)
{
  char name[128];
  if (!m->ncontrols || !m->nz) return;
  reading r = {.m = m, .read = calloc(m->nz, 1), .where = calloc(m->nz, sizeof *r.where)};
  if (r.read && r.where) mark_all(&r);
  for (int i = 0; i < m->ncontrols && r.read && r.where; i++) {
    const ns_control *k = &m->controls[i];
    for (int j = 0; j < k->nwrites; j++)
      if (!r.read[ns_control_target(m, k, k->writes[j])])
        ns_warn_at(c, &k->at,
                   "writes %s, which nothing reads: no formula of a system, relation, control, "
                   "observable or measure contains it",
                   ns_control_entry(m, k, k->writes[j], name, sizeof name));
  }
  free(r.read);
  free(r.where);
}
