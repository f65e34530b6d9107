/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_laws.c -- bounds of each multiplier, or a polyhedron of them. */
#include "io/load_job.h"
#include "io/values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- boxes ------------------------------------------------------------------------------------------------ */

typedef struct box_made {
  int size, equalities;   /* as said, 0: not said */
  int forces;             /* bounds of a mechanical relay are forces */
  int nlb, nub;           /* numbers given: 0, 1 for all rows, or m */
  ns_scalar *lb, *ub;
  int m;                  /* rows of the bounds below, which instances share; 0: none */
  const double *low, *high;
} box;

/* A whole number of the element itself. */
static int count(ns_load *l, const ns_elem *e, const char *name, int *out)
{
  double x = 0;
  if (!ns_lang_attribute(e->def, name)) return NS_OK;
  int rc = ns_load_attribute(l, e, name, NULL, &x);
  *out = (int)x; /* in range of the attribute */
  return rc;
}

static int bounds(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index, ns_scalar **s, int *n)
{
  *n = 0;
  return ns_lang_attribute(e->def, name) ? ns_load_attribute_list(l, e, name, index, s, n) : NS_OK;
}

/* bounds="force": the default, and without effect beside infinite ones. */
static int bounds_kind(ns_load *l, const ns_elem *e, box *b)
{
  const char *text = ns_elem_attr(e, "bounds");
  int k = text ? ns_load_choice(l, e, ns_lang_attribute(e->def, "bounds"), text) : 0;
  b->forces = k == 0;
  return k < 0 ? NS_MODEL : NS_OK;
}

static int box_make(ns_load *l, ns_elem *e, const ns_indices *index)
{
  box *b = e->made = ns_arena_zero(l->scratch, 1, sizeof *b);
  if (!b) return ns_nomem(&l->msg.c, "a law");
  int bad = bounds_kind(l, e, b) | count(l, e, "size", &b->size) | count(l, e, "equalitySize", &b->equalities) |
            bounds(l, e, "lb", index, &b->lb, &b->nlb) | bounds(l, e, "ub", index, &b->ub, &b->nub);
  return !bad ? NS_OK : l->msg.c.rc == NS_NOMEM ? NS_NOMEM : NS_MODEL;
}

static int box_rows(const box *b)
{
  return b->size ? b->size : b->nlb > 1 ? b->nlb : b->nub > 1 ? b->nub : 0;
}

/* The numbers given are as many as the relation has rows m. */
static int check_rows(ns_load *l, const ns_elem *e, const char *id, const box *b, int m)
{
  if (b->size && b->size != m)
    return ns_elem_fail(&l->msg, e, id, "attribute size is %d, expected %d, the rows of the relation", b->size, m);
  if (b->equalities > m)
    return ns_elem_fail(&l->msg, e, id, "attribute equalitySize is %d, expected at most %d, the rows of the relation",
                        b->equalities, m);
  if (b->nlb > 1 && b->nlb != m)
    return ns_elem_fail(&l->msg, e, id, "attribute lb has %d entries, expected %d, the rows of the relation, or one for all",
                        b->nlb, m);
  if (b->nub > 1 && b->nub != m)
    return ns_elem_fail(&l->msg, e, id, "attribute ub has %d entries, expected %d, the rows of the relation, or one for all",
                        b->nub, m);
  return NS_OK;
}

/* Bounds by the kind of law: those of a relay are given, the others follow. */
static void fill(const ns_elem *e, const ns_indices *index, const box *b, int m, double *low, double *high)
{
  int relay = ns_lang_attribute(e->def, "lb") != NULL, equality = !strcmp(e->name, "EqualityConditionNSL");
  for (int i = 0; i < m; i++) {
    int is_free = equality || i < b->equalities;
    low[i] = is_free ? -INFINITY : relay ? -1 : 0;
    high[i] = relay ? 1 : INFINITY;
    if (b->nlb) low[i] = ns_scalar_get(&b->lb[b->nlb > 1 ? i : 0], index);
    if (b->nub) high[i] = ns_scalar_get(&b->ub[b->nub > 1 ? i : 0], index);
  }
}

static int check_bounds(ns_load *l, const ns_elem *e, const char *id, int m, const double *low, const double *high)
{
  for (int i = 0; i < m; i++) {
    if ((isnan(low[i]) || isnan(high[i])) && l->nan_said) return NS_MODEL;
    if (low[i] <= high[i] && low[i] < INFINITY && high[i] > -INFINITY) continue;
    return ns_elem_fail(&l->msg, e, id, "row %d: lb is %g and ub is %g, expected lb <= ub, lb < inf and ub > -inf", i + 1,
                        low[i], high[i]);
  }
  return NS_OK;
}

static int box_get(ns_load *l, const ns_elem *e, const ns_indices *index, const char *id, ns_interaction *it)
{
  box *b = e->made;
  if (it->m == 0) return NS_OK; /* the relation has no rows: reported */
  int rc = check_rows(l, e, id, b, it->m), varies = 0;
  if (rc) return rc;
  if (b->m != it->m) {
    double *low = ns_arena_get(l->m->arena, 2 * (size_t)it->m, sizeof *low), *high = low ? low + it->m : NULL;
    if (!low) return ns_nomem(&l->msg.c, "bounds of a law");
    fill(e, index, b, it->m, low, high);
    if ((rc = check_bounds(l, e, id, it->m, low, high))) return rc;
    for (int i = 0; i < b->nlb; i++) varies |= b->lb[i].tape != NULL;
    for (int i = 0; i < b->nub; i++) varies |= b->ub[i].tape != NULL;
    b->low = low;
    b->high = high;
    b->m = varies ? 0 : it->m;
  }
  it->lb = b->low;
  it->ub = b->high;
  it->forces = b->forces;
  return NS_OK;
}

/* ---- polyhedra ---------------------------------------------------------------------------------------------- */

typedef struct cone_made {
  ns_value H, k;
} cone;

static int cone_value(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index, int rows, ns_value *v)
{
  char why[48];
  if (!ns_elem_value(e, name)) return NS_MODEL;
  snprintf(why, sizeof why, "p = %d by <H>", rows);
  return ns_value_constant(l, e, name, index, &(ns_wanted){.rows = rows, .cols = rows < 0 ? -1 : 1, .why = rows < 0 ? NULL : why}, v);
}

static int cone_make(ns_load *l, ns_elem *e, const ns_indices *index)
{
  cone *c = e->made = ns_arena_zero(l->scratch, 1, sizeof *c);
  if (!c) return ns_nomem(&l->msg.c, "a law");
  int rc = cone_value(l, e, "H", index, -1, &c->H);
  return rc ? rc : cone_value(l, e, "k", index, c->H.op.rows, &c->k);
}

static int cone_get(ns_load *l, const ns_elem *e, const ns_indices *index, const char *id, ns_interaction *it)
{
  const cone *c = e->made;
  const ns_elem *H = ns_elem_value(e, "H");
  ns_operator N, k;
  if (it->m && c->H.op.cols != it->m)
    return ns_elem_fail(&l->msg, H, id, "has %d column%s, expected m = %d: one for each row of the relation", c->H.op.cols,
                        c->H.op.cols == 1 ? "" : "s", it->m);
  int rc = ns_value_get(l, H, &c->H, index, id, &N);
  if (!rc) rc = ns_value_get(l, ns_elem_value(e, "k"), &c->k, index, id, &k);
  if (rc) return rc;
  it->np = N.rows;
  it->N = N.value;
  it->k = k.value;
  return NS_OK;
}

int ns_load_law_rows(const ns_elem *law)
{
  if (!law->made) return 0;
  for (const ns_load_builder *b = ns_load_laws; b->element; b++) {
    if (strcmp(b->element, law->name)) continue;
    if (b->make == box_make) return box_rows(law->made);
    if (b->make == cone_make) return ((const cone *)law->made)->H.op.cols;
  }
  return ns_load_contact_law_rows(law);
}

#define BOX(name) {name, box_make, box_get}
const ns_load_builder ns_load_laws[] = {
    BOX("ComplementarityConditionNSL"), BOX("MixedComplementarityConditionNSL"), BOX("EqualityConditionNSL"),
    BOX("RelayNSL"), {"NormalConeNSL", cone_make, cone_get},
    {"PiecewiseLinearNSL", ns_piecewise_make, ns_piecewise_get}, {0},
};
