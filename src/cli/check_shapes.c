/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/check_shapes.h"

#include "base/plural.h"

#include <math.h>
#include <stdio.h>

/* In the order of ns_shape_kind. */
static const char *const names[NS_SHAPE_KINDS][2] = {{"plane", "planes"}, {"sphere", "spheres"}, {"capsule", "capsules"},
                                                     {"cylinder", "cylinders"}, {"box", "boxes"}, {"hull", "hulls"},
                                                     {"surface", "surfaces"}, {"disk", "disks"}, {"polygon", "polygons"},
                                                     {"line", "lines"}};

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

static const char *material(const ns_contact_model *m, int k) { return *m->material[k] ? m->material[k] : "no material"; }

static const ns_contact_law *law(const ns_contact_model *m, int i, int j)
{
  const ns_contact_law *l = &m->law[i * m->nmaterials + j];
  return isnan(l->en) ? NULL : l;
}

static int is_used(const ns_contact_model *m, int a)
{
  for (int k = 0; k < m->nshapes; k++)
    if (m->shape[k].material == a) return 1;
  return 0;
}

int ns_check_shapes_meet(const ns_model *m) { return count(&m->contact).meet; }

/* ---- for a person ---------------------------------------------------------------------------------------------- */

static void show_law(const ns_contact_model *m, int i, int j)
{
  const ns_contact_law *l = law(m, i, j);
  if (!l) return;
  printf("  %s%s%s: en = %g", material(m, i), i == j ? "" : ", ", i == j ? "" : material(m, j), l->en);
  if (l->et > 0) printf(", et = %g", l->et);
  printf(l->mu > 0 ? ", mu = %g" : ", without friction", l->mu);
  if (l->mu_rolling > 0) printf(", muRolling = %g m", l->mu_rolling);
  putchar('\n');
}

static void show_laws(const ns_contact_model *m)
{
  enum { SHOWN = 12 };
  int shown = 0;
  for (int i = 0; i < m->nmaterials && shown < SHOWN; i++)
    for (int j = i; j < m->nmaterials && shown < SHOWN && is_used(m, i); j++)
      if (is_used(m, j)) show_law(m, i, j), shown++;
  if (shown == SHOWN) puts("  ...");
}

static void show_domain(const ns_contact_model *m)
{
  int bounded = 0;
  for (int i = 0; i < 3; i++)
    if (isfinite(m->low[i]) || isfinite(m->high[i]))
      printf("%s %g <= %c <= %g", bounded++ ? "," : "  domain      ", m->low[i], 'x' + i, m->high[i]);
  if (bounded) puts(" m");
}

void ns_check_shapes_show(const ns_model *model)
{
  const ns_contact_model *m = &model->contact;
  tally t = count(m);
  int shown = 0;
  if (!m->nshapes) return;
  printf("%d %s, %ld of them fixed:", m->nshapes, ns_plural(m->nshapes, "shape", "shapes"), t.fixed);
  for (int k = 0; k < NS_SHAPE_KINDS; k++)
    if (t.n[k]) printf("%s %ld %s", shown++ ? "," : "", t.n[k], ns_plural(t.n[k], names[k][0], names[k][1]));
  putchar('\n');
  if (!t.meet) {
    puts("  they never meet: there is no <contacts>");
    return;
  }
  show_laws(m);
  if (isnan(m->margin)) puts("  followed     gaps below what the shapes and the step ask for");
  else printf("  followed     gaps below %g m\n", m->margin);
  if (m->separate) puts("  overlaps     at the beginning are taken apart");
  show_domain(m);
}

/* ---- for a program --------------------------------------------------------------------------------------------- */

static ns_json laws(const ns_contact_model *m)
{
  ns_json a = ns_json_array();
  for (int i = 0; i < m->nmaterials; i++)
    for (int j = i; j < m->nmaterials; j++) {
      const ns_contact_law *l = law(m, i, j);
      if (!l || !is_used(m, i) || !is_used(m, j)) continue;
      ns_json o = ns_json_object(), of = ns_json_array();
      ns_json_add_text(&of, m->material[i]);
      ns_json_add_text(&of, m->material[j]);
      ns_json_member(&o, "materials", of);
      ns_json_real(&o, "en", l->en);
      ns_json_real(&o, "et", l->et);
      ns_json_real(&o, "mu", l->mu);
      ns_json_real(&o, "mu_rolling", l->mu_rolling);
      ns_json_add(&a, o);
    }
  return a;
}

void ns_check_shapes_json(const ns_model *model, ns_json *j)
{
  const ns_contact_model *m = &model->contact;
  tally t = count(m);
  if (!m->nshapes) return;
  ns_json o = ns_json_object();
  ns_json_integer(&o, "count", m->nshapes);
  ns_json_integer(&o, "fixed", t.fixed);
  for (int k = 0; k < NS_SHAPE_KINDS; k++)
    if (t.n[k]) ns_json_integer(&o, names[k][1], t.n[k]);
  ns_json_flag(&o, "meet", t.meet);
  if (t.meet) {
    if (!isnan(m->margin)) ns_json_real(&o, "margin", m->margin);
    ns_json_real(&o, "overlap", m->overlap);
    ns_json_flag(&o, "separate", m->separate);
    ns_json_member(&o, "laws", laws(m));
  }
  ns_json_member(j, "shapes", o);
}
