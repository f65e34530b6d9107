/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/frozen.h"

#include "base/grow.h"
#include "model/foreign.h"
#include "model/law_values.h"
#include "model/measure.h"
#include "model/owned.h"
#include "model/relations/rigid_relation.h"
#include "model/systems/rigid_force.h"
#include "model/user_event.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  OPERATORS = 12,                     /* most of one owner */
  BETWEEN = 2 * NS_FORCE_COORDINATES, /* most coordinates and rates of a joint or line */
  RECENT = 64,                        /* classes that a new owner is held against */
  TEXT = 120                          /* characters of sigma in messages */
};

/* The formulas of one owner; those from `derived` on are derivatives of others. */
typedef struct formulas {
  ns_operator *op[OPERATORS];
  int shift[OPERATORS]; /* where its variables of other systems are among those of the owner */
  int n, derived;
  int condition; /* 1: the outputs of each are those of ns_graph_condition */
  int bends;     /* 1: accelerations depend on their second derivatives */
  unsigned opaque;
  const ns_tape *was[OPERATORS]; /* before they were frozen */
  ns_frozen_owner owner;
} formulas;

/* A class with the tapes that it was made of, and those made. */
typedef struct made {
  int n;
  const ns_tape *was[OPERATORS], *is[OPERATORS];
  const ns_tape *by[OPERATORS]; /* derivatives of these by variables of others, where was had one */
  int observed;
  ns_frozen_class *of;
} made;

typedef struct builder {
  ns_ctx *c;
  const ns_model *m;
  ns_frozen *z;
  made *made;
} builder;

static unsigned bit(int bank) { return 1u << bank; }

/* ---- formulas of an owner -------------------------------------------------------------------- */

static void take(formulas *f, ns_operator *op)
{
  if (op->how == NS_OP_TAPE) f->op[f->n++] = op;
}

/* Formulas first, then their derivatives. */
static void take_all(formulas *f, const ns_owned *rows, void *object)
{
  for (const ns_owned *k = rows; k->name; k++)
    if (!k->derived) take(f, ns_owned_in(k, object));
  f->derived = f->n;
  for (const ns_owned *k = rows; k->name; k++)
    if (k->derived) take(f, ns_owned_in(k, object));
}

static void of_system(formulas *f, ns_system *s) { take_all(f, ns_system_owned(s), s); }
static void of_interaction(formulas *f, ns_interaction *it)
{
  take_all(f, ns_interaction_owned(it), it);
  f->bends = !ns_interaction_is_first_order(it);
}

/* ---- names in messages ----------------------------------------------------------------------- */

typedef struct naming {
  const builder *b;
  const ns_frozen_owner *o;
  const ns_graph *g;
  const ns_switch *item;
  int depth;
} naming;

/* A coordinate of a joint or line, or behind these its rate. */
static void name_between(const naming *n, int index, char *buf, size_t size)
{
  const ns_frozen_owner *o = n->o;
  int count = o->joint ? ns_interaction_angles(o->joint) : ns_body_force_coordinates(o->line);
  int rate = index >= count, k = index - (rate ? count : 0);
  if (o->line) {
    snprintf(buf, size, "%s", ns_body_force_names(o->line, rate)[k]);
    return;
  }
  int slide = k > 0 || !ns_joint_is_free(&o->joint->joint, 0);
  snprintf(buf, size, "%s%s", rate ? "v_" : "", slide ? "slide" : "angle");
}

static void name_variable(void *to, int bank, int index, char *buf, size_t size)
{
  naming *n = to;
  char text[64];
  if (bank == NS_BANK_FOREIGN) {
    ns_foreign_text(n->b->m, &n->o->others->of[index], buf, size);
  } else if (bank == NS_BANK_JOINT && (n->o->joint || n->o->line)) {
    name_between(n, index, buf, size);
  } else if (bank == NS_BANK_BRANCH && n->depth < 2) {
    const ns_switch *s = &n->item[index];
    n->depth++;
    ns_graph_text(n->g, s->sigma, name_variable, n, text, sizeof text);
    n->depth--;
    snprintf(buf, size, s->kind == NS_SWITCH_STAIRS ? "floor(%s)" : "(%s > 0)", text);
  } else {
    ns_variable_text(n->b->m, n->o->systems, n->o->nsystems, bank, index, buf, size);
  }
}

/* ---- a class --------------------------------------------------------------------------------- */

static int same_class(const made *k, const formulas *f, int observed)
{
  if (k->n != f->n || k->observed != observed) return 0;
  for (int i = 0; i < f->n; i++)
    if (k->was[i] != f->was[i]) return 0;
  return 1;
}

static const made *find_class(const builder *b, const formulas *f, int observed)
{
  int n = b->z->nclasses, last = n > RECENT ? n - RECENT : 0;
  for (int k = n - 1; k >= last; k--)
    if (same_class(&b->made[k], f, observed)) return &b->made[k];
  return NULL;
}

/* Entries of user vectors among `found` variables of others go: they are constant between events.
 */
static int without_user_vectors(const ns_foreign *others, int *index, int found)
{
  int n = 0;
  for (int i = 0; i < found; i++)
    if (others->of[index[i]].bank != NS_BANK_Z) index[n++] = index[i];
  return n;
}

/* Derivatives of sigma by t and by its variables to out; item gets what it depends on. -1: out of
 * memory. */
static int slopes(builder *b, ns_graph *g, ns_node sigma, int ncoord, const ns_frozen_owner *o,
                  ns_frozen_switch *item, ns_node *out)
{
  static const int banks[] = {NS_BANK_Q, NS_BANK_V, NS_BANK_JOINT, NS_BANK_FOREIGN};
  const ns_foreign *others = o->others;
  int nothers = others ? others->n : 0, max = 2 * ncoord + BETWEEN + nothers, n = 0, reads_z = 0;
  const int rooms[] = {ncoord, ncoord, o->joint || o->line ? BETWEEN : 0, nothers};
  int *bank = ns_arena_get(b->z->mem, 2 * (size_t)max + 1, sizeof *bank),
      *index = bank ? bank + max : NULL;
  if (!bank) return -1;
  for (int k = 0; k < 4; k++) {
    int capacity = rooms[k],
        found = capacity ? ns_graph_variables(g, &sigma, 1, banks[k], index + n, capacity) : 0;
    if (found < 0 || found > capacity) return -1;
    int kept = k < 3 ? found : without_user_vectors(others, index + n, found);
    reads_z |= kept < found;
    for (int i = 0; i < kept; i++) bank[n++] = banks[k];
  }
  item->nvars = n;
  item->bank = bank;
  item->index = index;
  item->known = n == 0;
  item->depends = reads_z || ns_graph_uses(g, sigma, NS_BANK_BRANCH) ||
                  ns_graph_uses(g, sigma, NS_BANK_Z);
  out[0] = ns_graph_diff(g, sigma, NS_BANK_T, 0);
  item->affine = item->known && !ns_graph_uses(g, out[0], NS_BANK_T);
  for (int i = 0; i < n; i++) out[1 + i] = ns_graph_diff(g, sigma, bank[i], index[i]);
  return n + 1;
}

static int describe(builder *b, ns_freezer *q, const ns_frozen_owner *o, ns_frozen_class *k)
{
  int ncoord = 0, at = 0, rc = NS_OK;
  for (int i = 0; i < o->nsystems; i++) ncoord += b->m->systems[o->systems[i]].nq;
  ns_frozen_switch *item = ns_arena_zero(b->z->mem, (size_t)q->n, sizeof *item);
  size_t max = 2 * (size_t)ncoord + BETWEEN + 2 + (o->others ? (size_t)o->others->n : 0);
  ns_node *sigma = malloc((size_t)q->n * max * sizeof *sigma), *slope = sigma ? sigma + q->n : NULL;
  if (!item || !sigma) rc = NS_NOMEM;
  for (int i = 0; i < q->n && !rc; i++) {
    char text[TEXT];
    naming n = {.b = b, .o = o, .g = q->g, .item = q->item};
    sigma[i] = q->item[i].sigma;
    item[i] = (ns_frozen_switch){.kind = q->item[i].kind, .nil = q->item[i].nil, .slope = at};
    int more = slopes(b, q->g, sigma[i], ncoord, o, &item[i], slope + at);
    if (more < 0) rc = NS_NOMEM;
    at += more;
    ns_graph_text(q->g, sigma[i], name_variable, &n, text, sizeof text);
    if (!(item[i].text = ns_arena_text(b->z->mem, text))) rc = NS_NOMEM;
  }
  k->n = q->n;
  k->item = item;
  if (!rc) rc = ns_tape_compile(q->g, b->c, b->z->mem, sigma, q->n, &k->sigma);
  if (!rc) rc = ns_tape_compile(q->g, b->c, b->z->mem, slope, at, &k->slope);
  free(sigma);
  return rc;
}

/* All formulas of an owner, frozen together. */
static int freeze(builder *b, formulas *f, ns_freezer *q, ns_node *out)
{
  int rc = NS_OK;
  size_t at = 0;
  for (int i = 0; i < f->n && !rc; i++) {
    q->derived = i >= f->derived;
    rc = ns_tape_lift_shifted(f->op[i]->formula->tape, q->g, NS_BANK_FOREIGN, f->shift[i],
                              out + at);
    if (!rc && f->condition)
      out[at + 1] = ns_graph_known_margin(q->g, out[at], out[at + 1], NS_BANK_T, q->fixed);
    if (!rc) rc = ns_freeze(q, out + at, ns_tape_outputs(f->op[i]->formula->tape), out + at);
    at += (size_t)ns_tape_outputs(f->op[i]->formula->tape);
  }
  return rc ? ns_nomem(b->c, "branches of formulas") : NS_OK;
}

static int compile(builder *b, const formulas *f, const ns_freezer *q, const ns_node *out, made *k)
{
  int rc = NS_OK;
  for (int i = 0; i < f->n && !rc; i++) {
    int n = ns_tape_outputs(f->op[i]->formula->tape), smooth = 1;
    for (int e = 0; e < n; e++) smooth = smooth && !ns_graph_uses(q->g, out[e], NS_BANK_BRANCH);
    k->is[i] = f->op[i]->formula->tape;
    if (!smooth) rc = ns_tape_compile(q->g, b->c, b->z->mem, out, n, &k->is[i]);
    if (!rc && !smooth && f->op[i]->formula->foreign && f->op[i]->formula->foreign->jacobian)
      rc = ns_foreign_derive(b->z->mem, b->c, q->g, out, n, f->owner.others->n, &k->by[i]);
    out += n;
  }
  return rc;
}

static int make_class(builder *b, formulas *f, int observed, const made **out)
{
  ns_frozen *z = b->z;
  size_t outputs = 1;
  for (int i = 0; i < f->n; i++) outputs += (size_t)ns_tape_outputs(f->op[i]->formula->tape);
  ns_arena *scratch = ns_arena_create(0, 1);
  ns_freezer q = {.g = scratch ? ns_graph_create(scratch) : NULL,
                  .bank = NS_BANK_BRANCH,
                  .fixed = bit(NS_BANK_Z) | bit(NS_BANK_INDEX),
                  .opaque = f->opaque,
                  .bends = f->bends};
  ns_node *node = malloc(outputs * sizeof *node);
  made k = {.n = f->n, .observed = observed};
  int rc = q.g && node && !ns_grow(&b->made, z->nclasses) ? NS_OK
                                                          : ns_nomem(b->c, "branches of formulas");
  memcpy(k.was, f->was, sizeof k.was);
  if (!rc && !(k.of = ns_arena_zero(z->mem, 1, sizeof *k.of)))
    rc = ns_nomem(b->c, "branches of formulas");
  if (!rc) rc = freeze(b, f, &q, node);
  if (!rc) rc = compile(b, f, &q, node, &k);
  if (!rc && q.n) rc = describe(b, &q, &f->owner, k.of);
  free(node);
  ns_freeze_fini(&q);
  ns_arena_destroy(scratch);
  if (rc) return b->c->rc ? rc : ns_nomem(b->c, "branches of formulas");
  b->made[z->nclasses] = k;
  *out = &b->made[z->nclasses++];
  return NS_OK;
}

/* ---- owners ---------------------------------------------------------------------------------- */

static int add_owner(builder *b, const ns_frozen_owner *o)
{
  if (ns_append(&b->z->owner, &b->z->nowners, o) >= 0) return NS_OK;
  return ns_nomem(b->c, "branches of formulas");
}

static int same_variables(const ns_foreign *a, const ns_foreign *b)
{
  return a->n == b->n && !memcmp(a->of, b->of, (size_t)a->n * sizeof *a->of);
}

/* An operator before i that reads the same variables of others, or i itself. */
static int first_reader(const formulas *f, int i)
{
  int k = 0;
  while (k < i && !(f->op[k]->formula->foreign &&
                    same_variables(f->op[k]->formula->foreign, f->op[i]->formula->foreign)))
    k++;
  return k;
}

static void append(const ns_foreign *from, ns_foreign *to, ns_foreign_variable *of)
{
  size_t n = (size_t)from->n;
  memcpy(of + to->n, from->of, n * sizeof *of);
  memcpy(to->at + to->n, from->at, n * sizeof *to->at);
  memcpy(to->start + to->n, from->start, n * sizeof *to->start);
  to->n += from->n;
}

/* Variables of others that the operators read, in one list. */
static int gather_others(builder *b, formulas *f)
{
  size_t n = 0;
  for (int i = 0; i < f->n; i++)
    if (f->op[i]->formula->foreign && first_reader(f, i) == i)
      n += (size_t)f->op[i]->formula->foreign->n;
  if (n == 0) return NS_OK;
  ns_arena *mem = b->z->mem;
  ns_foreign *all = ns_arena_zero(mem, 1, sizeof *all);
  ns_foreign_variable *of = ns_arena_zero(mem, n, sizeof *of);
  if (!all || !of) return NS_NOMEM;
  *all = (ns_foreign){.m = b->m,
                      .of = of,
                      .at = ns_arena_zero(mem, n, sizeof *all->at),
                      .start = ns_arena_zero(mem, n, sizeof *all->start)};
  if (!all->at || !all->start) return NS_NOMEM;
  for (int i = 0; i < f->n; i++) {
    if (!f->op[i]->formula->foreign) continue;
    int k = first_reader(f, i);
    f->shift[i] = k < i ? f->shift[k] : all->n;
    if (k == i) append(f->op[i]->formula->foreign, all, of);
  }
  f->owner.others = all;
  return NS_OK;
}

/* Some variable is one of a joint or a line. */
static int reads_between(const ns_frozen_owner *o)
{
  int some = o->joint || o->line;
  for (int j = 0; o->others && j < o->others->n; j++) some |= o->others->of[j].of != NS_OF_SYSTEM;
  return some;
}

/* The variables of others that the owner reads, with the derivative of one of its formulas. */
static const ns_foreign *with_derivative(const builder *b, const formulas *f, const ns_tape *by)
{
  ns_foreign *o = ns_arena_copy(b->z->mem, f->owner.others, 1, sizeof *o);
  if (o) o->jacobian = by;
  return o;
}

/* Freeze the operators of f in place; the owner joins the list where there is something to follow.
 */
static int own(builder *b, formulas *f, int observed)
{
  ns_frozen *z = b->z;
  int smooth = 1, rc = NS_OK;
  for (int i = 0; i < f->n; i++) {
    f->was[i] = f->op[i]->formula->tape;
    smooth = smooth && ns_tape_is_smooth(f->was[i]) && !(f->bends && ns_tape_has_pieces(f->was[i]));
  }
  if (smooth) return NS_OK;
  if (gather_others(b, f)) return ns_nomem(b->c, "branches of formulas");
  /* tapes may be shared, lists are not */
  const made *k = f->owner.others ? NULL : find_class(b, f, observed);
  if (!k) rc = make_class(b, f, observed, &k);
  if (rc || !k->of->n) return rc;
  f->owner.of = k->of;
  f->owner.between = reads_between(&f->owner);
  f->owner.first = z->nswitches;
  for (int i = 0; i < f->n; i++) {
    if (k->is[i] == f->was[i]) continue;
    ns_formula *own = ns_arena_copy(z->mem, f->op[i]->formula, 1, sizeof *own);
    const ns_frozen_operator reads = {.formula = own, .at = z->nswitches};
    if (!own || ns_append(&z->operator, & z->noperators, &reads) < 0)
      return ns_nomem(b->c, "branches of formulas");
    own->tape = k->is[i];
    if (own->foreign && !(own->foreign = with_derivative(b, f, k->by[i])))
      return ns_nomem(b->c, "branches of formulas");
    f->op[i]->formula = own;
    f->op[i]->uses |= bit(NS_BANK_BRANCH); /* and all that it did: branches follow from these */
  }
  z->nswitches += (size_t)k->of->n;
  return add_owner(b, &f->owner);
}

static int own_observable(builder *b, ns_observable *o)
{
  formulas f = {
      .owner = {.at = &o->at, .nsystems = o->nsystems, .systems = o->systems, .index = o->index},
      .opaque = bit(NS_BANK_Q) | bit(NS_BANK_V) | bit(NS_BANK_LAMBDA) | bit(NS_BANK_JOINT) |
                bit(NS_BANK_OBSERVABLE) | bit(NS_BANK_FOREIGN),
      .condition = o->value.rows == 2};
  take(&f, &o->value);
  f.derived = f.n;
  return own(b, &f, 1);
}

/* They read the whole model. What depends on the slip of their contact is left as it is. */
static int own_laws(builder *b)
{
  ns_model *k = &b->z->model;
  const unsigned opaque = bit(NS_BANK_LAW);
  int rc = NS_OK, *all = ns_arena_get(b->z->mem, (size_t)k->nsystems + 1, sizeof *all);
  if (!all) return ns_nomem(b->c, "branches of formulas");
  ns_model_order(k, all);
  for (int i = 0; i < k->nlaw_formulas && !rc; i++) {
    ns_law_formula *law = &k->law_formulas[i];
    formulas f = {.owner = {.at = &law->at, .nsystems = k->nsystems, .systems = all},
                  .opaque = opaque};
    take(&f, &law->value);
    f.derived = f.n;
    rc = own(b, &f, 0);
    if (law->value.uses & bit(NS_BANK_BRANCH)) law->whole = &b->m->law_formulas[i].value;
  }
  return rc;
}

/* What drives a joint: a copy of its own, whose formulas are frozen. */
static int own_drive(builder *b, ns_interaction *it, unsigned opaque)
{
  ns_joint_drive *d = ns_arena_copy(b->z->mem, it->drive, 1, sizeof *d);
  formulas f = {.owner = {.at = &it->at,
                          .nsystems = it->nsystems,
                          .systems = it->systems,
                          .index = it->index,
                          .joint = it},
                .opaque = opaque};
  if (!d) return ns_nomem(b->c, "branches of formulas");
  it->drive = d;
  for (int k = 0; k < 2; k++) take(&f, &d->force[k]);
  f.derived = f.n;
  for (int k = 0; k < 2; k++) take(&f, &d->by[k]);
  return own(b, &f, 0);
}

static int own_force(builder *b, ns_body_force *k, unsigned opaque)
{
  formulas f = {.owner = {.at = &k->at,
                          .nsystems = k->nsystems,
                          .systems = k->systems,
                          .index = k->index,
                          .line = k},
                .opaque = opaque};
  take(&f, &k->along), take(&f, &k->vector), take(&f, &k->torque);
  f.derived = f.n;
  take(&f, &k->by_along), take(&f, &k->by_vector), take(&f, &k->by_torque);
  return own(b, &f, 0);
}

/* A prescribed velocity is a function of t. */
static int own_boundary(builder *b, ns_boundary *k)
{
  formulas f = {.owner = {.at = &k->at, .nsystems = 1, .systems = &k->system, .index = k->index}};
  take(&f, &k->value);
  f.derived = f.n;
  take(&f, &k->rate);
  return own(b, &f, 0);
}

static int has_drive(const ns_interaction *it)
{
  return it->relation->flags & NS_REL_JOINT && it->drive;
}

static int own_all(builder *b)
{
  ns_model *k = &b->z->model;
  const unsigned opaque = bit(NS_BANK_LAMBDA) | bit(NS_BANK_JOINT) | bit(NS_BANK_OBSERVABLE);
  int rc = NS_OK;
  for (int i = 0; i < k->nsystems && !rc; i++) {
    ns_system *s = &k->systems[i];
    int *self = ns_arena_get(b->z->mem, 1, sizeof *self);
    if (!self) return ns_nomem(b->c, "branches of formulas");
    *self = i;
    unsigned rate = ns_system_is_first_order(s) ? bit(NS_BANK_V) : 0;
    formulas f = {.owner = {.at = &s->at, .nsystems = 1, .systems = self, .index = s->index},
                  .opaque = opaque | rate};
    of_system(&f, s);
    rc = own(b, &f, 0);
  }
  for (int i = 0; i < k->ninteractions && !rc; i++) {
    ns_interaction *it = &k->interactions[i];
    formulas f = {.owner = {.at = &it->at,
                            .nsystems = it->nsystems,
                            .systems = it->systems,
                            .index = it->index},
                  .opaque = opaque};
    of_interaction(&f, it);
    rc = has_drive(it) ? own_drive(b, it, opaque & ~bit(NS_BANK_JOINT)) : own(b, &f, 0);
  }
  if (!rc && k->nlaw_formulas) rc = own_laws(b);
  for (int i = 0; i < k->nforces && !rc; i++)
    rc = own_force(b, &k->forces[i], opaque & ~bit(NS_BANK_JOINT));
  for (int i = 0; i < k->nboundaries && !rc; i++) rc = own_boundary(b, &k->boundaries[i]);
  for (int i = 0; i < k->nobservables && !rc; i++) rc = own_observable(b, &k->observables[i]);
  for (int i = 0; i < k->nmeasures && !rc; i++) {
    rc = own_observable(b, &k->measures[i].of);
    if (!rc) rc = own_observable(b, &k->measures[i].when);
  }
  for (int i = 0; i < k->nuser_events && !rc; i++) rc = own_observable(b, &k->user_events[i].when);
  return rc;
}

/* Arrays of what has formulas, as own ones. */
static int copy_arrays(ns_frozen *z)
{
  ns_model *k = &z->model;
  struct {
    void *at;
    int n;
    size_t size;
  } list[] = {{&k->systems, k->nsystems, sizeof *k->systems},
              {&k->interactions, k->ninteractions, sizeof *k->interactions},
              {&k->observables, k->nobservables, sizeof *k->observables},
              {&k->measures, k->nmeasures, sizeof *k->measures},
              {&k->user_events, k->nuser_events, sizeof *k->user_events},
              {&k->forces, k->nforces, sizeof *k->forces},
              {&k->boundaries, k->nboundaries, sizeof *k->boundaries},
              {&k->law_formulas, k->nlaw_formulas, sizeof *k->law_formulas}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    void *from, *to = ns_arena_get(z->mem, (size_t)list[i].n + 1, list[i].size);
    if (!to) return NS_NOMEM;
    memcpy(&from, list[i].at, sizeof from);
    if (list[i].n) memcpy(to, from, (size_t)list[i].n * list[i].size);
    memcpy(list[i].at, &to, sizeof to);
  }
  return NS_OK;
}

static int scratch_sizes(ns_frozen *z)
{
  z->work = 1;
  for (int i = 0; i < z->nowners; i++) {
    const ns_frozen_owner *o = &z->owner[i];
    size_t bank = 1, work[] = {2 * ns_tape_work(o->of->sigma), 2 * ns_tape_work(o->of->slope)};
    for (int k = 0; k < 2; k++)
      if (work[k] > z->work) z->work = work[k];
    for (int k = 0; k < o->nsystems; k++) {
      const ns_system *s = &z->model.systems[o->systems[k]];
      bank += (size_t)s->nq + (size_t)s->n + (size_t)s->nz;
    }
    if (o->others) bank += (size_t)o->others->n;
    if (o->joint || o->line) bank += BETWEEN;
    if (bank > z->bank) z->bank = bank;
  }
  z->none = ns_arena_zero(z->mem, 3 * z->nswitches + 1, sizeof *z->none);
  return z->none ? NS_OK : NS_NOMEM;
}

int ns_frozen_create(ns_ctx *c, const ns_model *m, ns_frozen **out)
{
  ns_frozen *z = NS_ARENA_OBJECT(ns_frozen, mem);
  int plugins;
  *out = NULL;
  if (!z) return ns_nomem(c, "branches of formulas");
  z->model = *m;
  builder b = {.c = c, .m = m, .z = z};
  int rc = copy_arrays(z) ? ns_nomem(c, "branches of formulas") : NS_OK;
  if (!rc) z->plugin = ns_moved_by_plugin(m, &plugins);
  if (!rc) rc = own_all(&b);
  if (!rc && scratch_sizes(z)) rc = ns_nomem(c, "branches of formulas");
  free(b.made);
  z->model.frozen = z;
  z->model.nbranches = z->nswitches;
  if (rc || !z->nswitches) {
    ns_frozen_destroy(z);
    return rc;
  }
  ns_frozen_attach(z, z->none);
  *out = z;
  return NS_OK;
}

void ns_frozen_destroy(ns_frozen *z)
{
  if (!z) return;
  free(z->owner);
  free(z->operator);
  ns_arena_destroy(z->mem);
}

/* ---- use ------------------------------------------------------------------------------------- */

void ns_frozen_attach(ns_frozen *z, const double *branch)
{
  for (int i = 0; i < z->noperators; i++)
    z->operator[i].formula->branch = branch + z->operator[i].at;
}

ns_point ns_frozen_point(const ns_frozen *z, const ns_frozen_owner *o, double t, const double *q,
                         const double *v, const double *user, const double *angle, double *bank)
{
  ns_point p = {.t = t, .index = o->index};
  int nq = 0;
  for (int i = 0; i < o->nsystems; i++) {
    const ns_system *s = &z->model.systems[o->systems[i]];
    nq += s->nq;
    p.n += s->n;
    p.nz += s->nz;
  }
  double *to_q = bank, *to_v = bank + nq, *to_z = to_v + p.n;
  p.q = to_q, p.v = to_v, p.z = to_z;
  for (int i = 0; i < o->nsystems; i++) {
    const ns_system *s = &z->model.systems[o->systems[i]];
    size_t nz = (size_t)s->nz;
    if (q) memcpy(to_q, q + s->q, (size_t)s->nq * sizeof *q);
    if (v) memcpy(to_v, v + s->v, (size_t)s->n * sizeof *v);
    if (nz) memcpy(to_z, user + s->z, nz * sizeof *user);
    to_q += s->nq;
    to_v += s->n;
    to_z += nz;
  }
  const double *whole[NS_BANKS] = {[NS_BANK_Q] = q, [NS_BANK_V] = v, [NS_BANK_Z] = user};
  for (int j = 0; o->others && j < o->others->n; j++) {
    const ns_foreign_variable *x = &o->others->of[j];
    const double *from = whole[x->bank];
    if (from && x->of == NS_OF_SYSTEM) to_z[j] = from[o->others->at[j]];
    else if (from && q) to_z[j] = ns_foreign_between(&z->model, x, q, v, angle, NULL, NULL);
  }
  double *d = to_z + (o->others ? o->others->n : 0);
  if (o->joint && q && v) ns_joint_coordinates(&z->model, o->joint, q, v, angle, d);
  if (o->line && q && v) ns_body_force_place(&z->model, o->line, q, v, angle, d);
  p.angle = d;
  return p;
}

size_t ns_frozen_place(const ns_frozen *z, const ns_frozen_owner *o, int bank, int index)
{
  return ns_model_entry(&z->model, o->systems, o->nsystems, bank, index);
}
