/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_contacts.c -- <contacts>: laws by pairs of materials, fixed shapes, the domain. */
#include "io/load/load_shapes.h"

#include "base/suggest.h"
#include "io/load/load_frame.h"
#include "io/load/load_rigid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- laws ------------------------------------------------------------------------------------ */

/* "<A>, <B> or <C>": laws of contacts between shapes. */
static const char *laws_of_shapes(char *text, size_t size)
{
  const char *last = NULL;
  size_t len = 0;
  text[0] = '\0';
  for (int k = 0; ns_law_kinds[k]; k++) {
    if (!ns_law_is_of_shapes(ns_law_kinds[k])) continue;
    if (last) len += (size_t)snprintf(text + len, size - len, "%s<%s>", len ? ", " : "", last);
    last = ns_law_kinds[k]->name;
  }
  snprintf(text + len, size - len, "%s<%s>", len ? " or " : "", last ? last : "");
  return text;
}

/* Friction of a compliant contact is what holds its slip, up to mu times the normal force. */
static int check_friction(ns_load *l, const ns_elem *e, const ns_nonsmooth_law *law)
{
  int slips = law->slip_stiffness > 0 || law->slip_damping > 0;
  if (!law->ops->compliant || !(law->mu > 0) || slips || law->nformulas) return NS_OK;
  return ns_elem_fail(
      &l->msg, e, NULL,
      "has mu = %g, but Kt and Ct are 0, expected one of them to be positive: friction is the "
      "force of a spring or a damper across the normal; Kt is often 2/7 to 1 times K",
      law->mu);
}

static int law_of(ns_load *l, ns_elem *e, ns_nonsmooth_law *out)
{
  static const ns_indices none;
  char known[512];
  ns_interaction it = {0};
  if (!ns_law_is_of_shapes(ns_law_find(e->name)))
    return ns_elem_fail(&l->msg, e, NULL,
                        "does not apply to contacts between shapes, which have a force only when "
                        "their gap is closed, expected %s",
                        laws_of_shapes(known, sizeof known));
  if (e->bad) return NS_MODEL;
  int rc = ns_numbers_make(l, e, &none);
  if (!rc) rc = ns_numbers_get(l, e, &none, NULL, &it);
  *out = it.law;
  return rc ? rc : check_friction(l, e, &it.law);
}

static int unknown_material(ns_load *l, const ns_elem *e, const char *name, size_t len)
{
  ns_suggest s = ns_suggest_for(name, len);
  for (int k = 1; k < l->shapes.nmaterials; k++) ns_suggest_offer(&s, l->shapes.material[k]);
  if (s.best)
    return ns_elem_fail(&l->msg, e, NULL, "unknown material %.*s, did you mean %s?", (int)len, name,
                        s.best);
  return ns_elem_fail(&l->msg, e, NULL,
                      "unknown material %.*s, expected the material of a shape: material=\"%.*s\"",
                      (int)len, name, (int)len, name);
}

/* Two of the materials. */
static int pair(ns_load *l, const ns_elem *e, int *of)
{
  const char *p = ns_elem_attr(e, "materials");
  int n = 0;
  while (*(p += strspn(p, " \t\r\n"))) {
    size_t len = strcspn(p, " \t\r\n");
    int k = 1;
    while (k < l->shapes.nmaterials &&
           (strncmp(l->shapes.material[k], p, len) || l->shapes.material[k][len]))
      k++;
    if (k >= l->shapes.nmaterials) return unknown_material(l, e, p, len);
    if (n < 2) of[n] = k;
    n++;
    p += len;
  }
  return n == 2
             ? NS_OK
             : ns_elem_fail(
                   &l->msg, e, NULL,
                   "attribute materials names %d, expected two materials, or one of them twice", n);
}

static const char *name_of(const ns_load *l, int material)
{
  return material ? l->shapes.material[material] : "shapes without material";
}

/* law [n x n] of the pairs; without operations where nothing tells it. */
static int laws(ns_load *l, ns_elem *e, ns_nonsmooth_law *law)
{
  int n = l->shapes.nmaterials, of[2], bad = 0;
  ns_nonsmooth_law one = {.ops = NULL};
  ns_elem *common = ns_elem_group(e, NS_LANG_LAW);
  if (common && law_of(l, common, &one)) bad = 1;
  for (int k = 0; k < n * n; k++) law[k] = one;
  for (ns_elem *b = e->first; b; b = b->next) {
    if (!b->def || strcmp(b->name, "between")) continue;
    ns_elem *child = b->bad ? NULL : ns_elem_group(b, NS_LANG_LAW);
    if (!child || pair(l, b, of) || law_of(l, child, &one)) bad = 1;
    else law[of[0] * n + of[1]] = law[of[1] * n + of[0]] = one;
  }
  return bad ? NS_MODEL : NS_OK;
}

/* What decides whether two shapes can meet, but for where they are. */
typedef struct meeting_class {
  unsigned layers, with;
  int moving, count; /* shapes of the class, up to 2 */
} meeting_class;
enum { CLASSES = 64 }; /* of one material; more are taken for shapes that meet */

/* Classes of the shapes of a material; -1: more than there is room for. */
static int classes_of(const ns_load *l, int material, meeting_class *list)
{
  int n = 0;
  for (int i = 0; i < l->shapes.n; i++) {
    const ns_body_shape *s = &l->shapes.shape[i];
    int k = 0, moving = s->system >= 0;
    if (s->material != material) continue;
    while (k < n &&
           (list[k].layers != s->layers || list[k].with != s->with || list[k].moving != moving))
      k++;
    if (k == CLASSES) return -1;
    if (k == n) list[n++] = (meeting_class){s->layers, s->with, moving, 0};
    list[k].count += list[k].count < 2;
  }
  return n;
}

static int classes_meet(const meeting_class *x, const meeting_class *y)
{
  return (x->moving || y->moving) && x->layers & y->with && y->layers & x->with;
}

/* Shapes of two materials that can meet: two of them, one on a body, whose layers let them. */
static int can_meet(const ns_load *l, int a, int b)
{
  meeting_class x[CLASSES], y[CLASSES];
  int nx = classes_of(l, a, x), ny = classes_of(l, b, y);
  if (nx < 0 || ny < 0) return 1;
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++)
      if (classes_meet(&x[i], &y[j]) && (a != b || i != j || x[i].count > 1)) return 1;
  return 0;
}

static int check_laws(ns_load *l, const ns_elem *e, const ns_nonsmooth_law *law)
{
  int n = l->shapes.nmaterials;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      if (!law[i * n + j].ops && can_meet(l, i, j))
        return ns_elem_fail(
            &l->msg, e, NULL,
            "has no law for %s and %s, expected one that holds for all, such as "
            "<NewtonImpactFrictionNSL en=\"0\" mu=\"0.5\"/>, or one for them in <between>",
            name_of(l, i), name_of(l, j));
  return NS_OK;
}

/* ---- layers ---------------------------------------------------------------------------------- */

/* A word of a list of names. */
static int names_word(const char *list, const char *word)
{
  size_t n = strlen(word);
  for (const char *p = list; *(p += strspn(p, " \t\r\n")); p += strcspn(p, " \t\r\n"))
    if (strcspn(p, " \t\r\n") == n && !strncmp(p, word, n)) return 1;
  return 0;
}

/* Whether a shape of the model would be in a layer, one of a <repeat> without a turn too. */
static int some_shape_is_in(const ns_elem *e, const char *layer)
{
  for (; e; e = e->next) {
    int shape = e->def && e->def->group == NS_LANG_SHAPE;
    const char *list = shape ? ns_elem_attr(e, "layers") : NULL;
    if (shape && names_word(list ? list : "common", layer)) return 1;
    if (some_shape_is_in(e->first, layer)) return 1;
  }
  return 0;
}

static int check_layers(ns_load *l)
{
  int bad = 0;
  for (int k = 0; k < l->shapes.nlayers; k++) {
    const ns_elem *e = l->shapes.meets[k];
    if (!e || some_shape_is_in(l->tree.root, l->shapes.layer[k])) continue;
    ns_suggest s = ns_suggest_for(l->shapes.layer[k], strlen(l->shapes.layer[k]));
    for (int i = 0; i < l->shapes.nlayers; i++)
      if (some_shape_is_in(l->tree.root, l->shapes.layer[i]))
        ns_suggest_offer(&s, l->shapes.layer[i]);
    if (s.best)
      ns_elem_fail(&l->msg, e, NULL,
                   "attribute with names the layer %s, which no shape is in, did you mean %s?",
                   l->shapes.layer[k], s.best);
    else
      ns_elem_fail(&l->msg, e, NULL,
                   "attribute with names the layer %s, which no shape is in, expected one that a "
                   "shape has in layers=; shapes without layers= are in the layer common",
                   l->shapes.layer[k]);
    bad = 1;
  }
  return bad ? NS_MODEL : NS_OK;
}

/* ---- the rest of the element ----------------------------------------------------------------- */

static int is_planar(const ns_load *l)
{
  const ns_system *body = ns_model_body(l->m);
  return body && ns_system_is_planar(body);
}

static int bound(ns_load *l, const ns_elem *e, const char *name, double *x)
{
  static const ns_indices none;
  ns_vector3 v;
  int rc = ns_vector3_make(l, e, name, is_planar(l) ? 2 : 3, &none, &v);
  return rc || !v.s ? rc : ns_vector3_get(l, e, name, &v, &none, NULL, x);
}

static int domain(ns_load *l, const ns_elem *e, ns_contact_model *m)
{
  int rc = bound(l, e, "low", m->low);
  if (!rc) rc = bound(l, e, "high", m->high);
  for (int i = 0; i < 3 && !rc; i++)
    if (!(m->low[i] < m->high[i]))
      rc = ns_elem_fail(&l->msg, e, NULL, "low is %g and high is %g in %c, expected low < high",
                        m->low[i], m->high[i], 'x' + i);
  return rc;
}

static int options(ns_load *l, ns_elem *e, ns_contact_model *m)
{
  ns_elem *d = ns_elem_child(e, "domain");
  int k = ns_load_word(l, e, "separate", 0);
  int bad = k < 0 || ns_load_attribute(l, e, "margin", NULL, &m->margin) ||
            ns_load_attribute(l, e, "overlap", NULL, &m->overlap) ||
            ns_load_attribute(l, e, "recover", NULL, &m->recover);
  m->separate = k > 0;
  if (d && l->m->nsystems && domain(l, d, m)) bad = 1; /* in the plane or in space? */
  return bad ? NS_MODEL : NS_OK;
}

/* Fixed shapes; laws and the domain are looked at when all materials are known. */
static int visit(ns_load *l, ns_elem *e, const ns_indices *index)
{
  ns_found_shape found;
  if (e->def->group == NS_LANG_SHAPE)
    return ns_load_shape(l, e, index, -1, l->m->nsystems ? is_planar(l) : -1, &found);
  if (l->frame)
    return ns_elem_fail(
        &l->msg, e, NULL,
        "is in a <frame>, expected it in <contacts> itself: frames place only shapes");
  return index->n ? ns_elem_fail(&l->msg, e, NULL,
                                 "is in a <repeat>, expected it in <contacts> itself: only shapes "
                                 "can be repeated")
                  : NS_OK;
}

/* To the model; without <contacts> shapes never meet. */
static int hand_over(ns_load *l, const ns_nonsmooth_law *law, int meet)
{
  ns_contact_model *m = &l->m->contact;
  int n = l->shapes.nmaterials;
  for (int k = 0; !meet && k < l->shapes.n; k++)
    l->shapes.shape[k].layers = l->shapes.shape[k].with = 0;
  l->shapes.material[0] = "";
  m->nshapes = l->shapes.n;
  for (int k = 0; k < l->shapes.n; k++) {
    const ns_body_shape *s = &l->shapes.shape[k];
    /* the shapes of one that was refused stand behind them */
    int of_body = s->system >= 0 && s->system < l->m->nsystems;
    m->mortal |= s->life || (of_body && l->m->systems[s->system].rigid.life);
  }
  m->nmaterials = n;
  m->shape = ns_arena_copy(l->m->arena, l->shapes.shape, (size_t)l->shapes.n, sizeof *m->shape);
  m->material = ns_arena_copy(l->m->arena, l->shapes.material, (size_t)n, sizeof *m->material);
  m->law = ns_arena_copy(l->m->arena, law, (size_t)n * (size_t)n, sizeof *m->law);
  return m->shape && m->material && m->law ? NS_OK : ns_nomem(&l->msg.c, "shapes");
}

int ns_load_contacts(ns_load *l, ns_elem *e)
{
  ns_contact_model *m = &l->m->contact;
  int rc = NS_OK, bad = 0;
  /* a body that could not be made */
  if (e && l->m->nsystems && !ns_model_body(l->m) && l->msg.n) return NS_OK;
  if (e && l->m->nsystems && !ns_model_body(l->m)) {
    ns_elem_fail(&l->msg, e, NULL,
                 "is in a model of %s, expected rigid bodies: <NewtonEulerDS>, or <RigidBody2dDS> "
                 "in the plane",
                 l->m->systems[0].kind->name);
    return NS_OK;
  }
  if (e && (rc = ns_load_walk(l, e, visit))) return rc;
  if (!l->shapes.n) return NS_OK;
  size_t n = (size_t)l->shapes.nmaterials;
  ns_nonsmooth_law *law = calloc(n * n, sizeof *law);
  if (!law) return ns_nomem(&l->msg.c, "laws of contacts");
  m->margin = NAN;
  m->overlap = e && ns_elem_attr(e, "overlap") ? INFINITY : 1e-6; /* "any": whatever it is */
  m->recover = 1;
  for (int i = 0; i < 3; i++) m->high[i] = -(m->low[i] = -INFINITY);
  if (e) {
    bad = options(l, e, m);
    bad |= check_layers(l);
    bad |= laws(l, e, law);
    if (!bad) bad = check_laws(l, e, law);
  }
  rc = hand_over(l, law, e != NULL);
  free(law);
  return l->msg.c.rc == NS_NOMEM ? NS_NOMEM : rc;
}
