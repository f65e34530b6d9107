/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/check_shapes.h"

#include "base/plural.h"
#include "model/law_values.h"

#include <math.h>
#include <stdio.h>

/* In the order of ns_shape_kind. */
static const char *const names[NS_SHAPE_KINDS][2] = {
    {"plane", "planes"},       {"sphere", "spheres"}, {"capsule", "capsules"},
    {"cylinder", "cylinders"}, {"box", "boxes"},      {"hull", "hulls"},
    {"surface", "surfaces"},   {"disk", "disks"},     {"polygon", "polygons"},
    {"line", "lines"},         {"cone", "cones"}};

typedef struct tally {
  long n[NS_SHAPE_KINDS], fixed;
  int meet; /* some can */
} tally;

static tally count(const ns_contact_model *m)
{
  tally t = {0};
  for (int k = 0; k < m->nshapes; k++) {
    const ns_body_shape *s = &m->shape[k];
    t.n[s->shape->kind]++;
    t.fixed += s->system < 0;
    t.meet |= s->layers && s->with;
  }
  return t;
}

static const char *material(const ns_contact_model *m, int k)
{
  return *m->material[k] ? m->material[k] : "no material";
}

static const ns_nonsmooth_law *law(const ns_contact_model *m, int i, int j)
{
  const ns_nonsmooth_law *l = &m->law[i * m->nmaterials + j];
  return l->ops ? l : NULL;
}

static int is_used(const ns_contact_model *m, int a)
{
  for (int k = 0; k < m->nshapes; k++)
    if (m->shape[k].material == a) return 1;
  return 0;
}

int ns_check_shapes_meet(const ns_model *m) { return count(&m->contact).meet; }

/* ---- for a person ---------------------------------------------------------------------------- */

/* A law whose parameters are not en, et and mu alone, or with formulas: each as it was given. */
static void show_formulas(const ns_model *model, const ns_nonsmooth_law *l)
{
  for (const ns_law_number *n = l->ops->numbers; n->attribute; n++) {
    const ns_law_formula *f = ns_law_formula_of(model, l, n->at);
    printf("%s %s = ", n == l->ops->numbers ? "" : ",", n->attribute);
    if (f) fputs(f->text, stdout);
    else printf("%g", ns_law_get(l, n));
  }
  putchar('\n');
}

/* Not a law of restitution, or one that keeps something: all that it has is to be shown. */
static int has_more(const ns_nonsmooth_law *l)
{
  return l->nformulas || l->ops->compliant || l->ops->memory;
}

static void show_law(const ns_model *model, int i, int j)
{
  const ns_contact_model *m = &model->contact;
  const ns_nonsmooth_law *l = law(m, i, j);
  if (!l) return;
  if (has_more(l)) {
    printf("  %s%s%s:", material(m, i), i == j ? "" : ", ", i == j ? "" : material(m, j));
    show_formulas(model, l);
    return;
  }
  printf("  %s%s%s: en = %g", material(m, i), i == j ? "" : ", ", i == j ? "" : material(m, j),
         l->e);
  if (l->et > 0) printf(", et = %g", l->et);
  printf(l->mu > 0 ? ", mu = %g" : ", without friction", l->mu);
  if (l->mu > 0 && l->ops->mean_slip) fputs(" on the mean of the slip", stdout);
  if (l->mu_rolling > 0) printf(", muRolling = %g m", l->mu_rolling);
  putchar('\n');
}

static void show_laws(const ns_model *model)
{
  const ns_contact_model *m = &model->contact;
  enum { SHOWN = 12 };
  int shown = 0;
  for (int i = 0; i < m->nmaterials && shown < SHOWN; i++)
    for (int j = i; j < m->nmaterials && shown < SHOWN && is_used(m, i); j++)
      if (is_used(m, j)) show_law(model, i, j), shown++;
  if (shown == SHOWN) puts("  ...");
}

static void show_domain(const ns_contact_model *m)
{
  int bounded = 0;
  for (int i = 0; i < 3; i++)
    if (isfinite(m->low[i]) || isfinite(m->high[i]))
      printf("%s %g <= %c <= %g", bounded++ ? "," : "  domain      ", m->low[i], 'x' + i,
             m->high[i]);
  if (bounded) puts(" m");
}

void ns_check_shapes_show(const ns_model *model)
{
  const ns_contact_model *m = &model->contact;
  tally t = count(m);
  int shown = 0;
  if (!m->nshapes) return;
  printf("%d %s, %ld of them fixed:", m->nshapes, ns_plural(m->nshapes, "shape", "shapes"),
         t.fixed);
  for (int k = 0; k < NS_SHAPE_KINDS; k++)
    if (t.n[k])
      printf("%s %ld %s", shown++ ? "," : "", t.n[k], ns_plural(t.n[k], names[k][0], names[k][1]));
  putchar('\n');
  if (!t.meet) {
    puts("  no contacts: the model has no <contacts>");
    return;
  }
  show_laws(model);
  if (isnan(m->margin))
    puts("  tracked      gaps below a distance determined by the shapes and the step");
  else printf("  tracked      gaps below %g m\n", m->margin);
  if (m->recover != 1)
    printf("  overlaps     each step corrects a fraction of %g of the excess\n", m->recover);
  if (m->separate) puts("  overlaps     initial ones are separated");
  show_domain(m);
}

/* ---- for a program --------------------------------------------------------------------------- */

/* A number, or the formula that was given for it. */
static void add_number(const ns_model *model, const ns_nonsmooth_law *l, const char *key, size_t at,
                       double x, ns_json *o)
{
  const ns_law_formula *f = ns_law_formula_of(model, l, at);
  if (f) ns_json_text(o, key, f->text);
  else ns_json_real(o, key, x);
}

static ns_json laws(const ns_model *model)
{
  const ns_contact_model *m = &model->contact;
  ns_json a = ns_json_array();
  for (int i = 0; i < m->nmaterials; i++)
    for (int j = i; j < m->nmaterials; j++) {
      const ns_nonsmooth_law *l = law(m, i, j);
      if (!l || !is_used(m, i) || !is_used(m, j)) continue;
      ns_json o = ns_json_object(), of = ns_json_array();
      ns_json_add_text(&of, m->material[i]);
      ns_json_add_text(&of, m->material[j]);
      ns_json_put(&o, NS_JSON_MEMBER("materials", of), NS_JSON_TEXT("law", l->ops->name));
      if (l->ops->compliant || l->ops->memory) {
        for (const ns_law_number *n = l->ops->numbers; n->attribute; n++)
          add_number(model, l, n->key, n->at, ns_law_get(l, n), &o);
        ns_json_add(&a, o);
        continue;
      }
      add_number(model, l, "en", offsetof(ns_nonsmooth_law, e), l->e, &o);
      add_number(model, l, "et", offsetof(ns_nonsmooth_law, et), l->et, &o);
      add_number(model, l, "mu", offsetof(ns_nonsmooth_law, mu), l->mu, &o);
      add_number(model, l, "mu_rolling", offsetof(ns_nonsmooth_law, mu_rolling), l->mu_rolling, &o);
      ns_json_add(&a, o);
    }
  return a;
}

void ns_check_shapes_json(const ns_model *model, ns_json *j)
{
  const ns_contact_model *m = &model->contact;
  tally t = count(m);
  if (!m->nshapes) return;
  ns_json o = ns_json_of(NS_JSON_INTEGER("count", m->nshapes), NS_JSON_INTEGER("fixed", t.fixed));
  for (int k = 0; k < NS_SHAPE_KINDS; k++)
    if (t.n[k]) ns_json_integer(&o, names[k][1], t.n[k]);
  ns_json_flag(&o, "meet", t.meet);
  if (t.meet) {
    if (!isnan(m->margin)) ns_json_real(&o, "margin", m->margin);
    if (isfinite(m->overlap)) ns_json_real(&o, "overlap", m->overlap);
    ns_json_put(&o, NS_JSON_FLAG("separate", m->separate), NS_JSON_REAL("recover", m->recover),
                NS_JSON_MEMBER("laws", laws(model)));
  }
  ns_json_member(j, "shapes", o);
}
