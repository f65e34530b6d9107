/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_laws.c -- bounds of each multiplier, or a polyhedron of them. */
#include "io/load/load_job.h"
#include "io/load/values.h"
#include "model/law_values.h"
#include "model/laws/law_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- boxes ----------------------------------------------------------------------------------- */

typedef struct box_made {
  int size, equalities;   /* as said, 0: not said */
  int forces;             /* bounds of a mechanical relay are forces */
  int ball;               /* rows are one vector */
  int nlb, nub;           /* numbers given: 0, 1 for all rows, or m */
  int formula, nformulas; /* of the model's list: of those that are formulas */
  ns_scalar *lb, *ub;
  int m; /* rows of the bounds below, which instances share; 0: none */
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

/* Entries that are formulas are put down for their rows; one for all rows is of row -1. */
static int bounds(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index, box *b)
{
  int low = !strcmp(name, "lb"), *n = low ? &b->nlb : &b->nub, first = l->m->nlaw_formulas;
  ns_law_formula f = {.bound = 1,
                      .at_number = low ? offsetof(ns_nonsmooth_law, lb)
                                       : offsetof(ns_nonsmooth_law, ub)};
  if (!ns_lang_attribute(e->def, name)) return NS_OK;
  int rc = ns_load_bounds_list(l, e, name, index, &f, low ? &b->lb : &b->ub, n, &b->nformulas);
  if (*n == 1 && l->m->nlaw_formulas > first) l->m->law_formulas[first].row = -1;
  return rc;
}

/* bounds="force": the default, and without effect beside infinite ones; norm="euclidean". */
static int bounds_kind(ns_load *l, const ns_elem *e, box *b)
{
  int k = ns_load_word(l, e, "bounds", 0), n = ns_load_word(l, e, "norm", 0);
  b->forces = k == 0;
  b->ball = n == 1;
  return k < 0 || n < 0 ? NS_MODEL : NS_OK;
}

static int box_make(ns_load *l, ns_elem *e, const ns_indices *index)
{
  box *b = e->made = ns_arena_zero(l->scratch, 1, sizeof *b);
  if (!b) return ns_nomem(&l->msg.c, "a law");
  b->formula = l->m->nlaw_formulas;
  int bad = bounds_kind(l, e, b) | count(l, e, "size", &b->size) |
            count(l, e, "equalitySize", &b->equalities) | bounds(l, e, "lb", index, b) |
            bounds(l, e, "ub", index, b);
  return bad ? ns_load_failed(l) : NS_OK;
}

static int box_rows(const box *b)
{
  return b->size ? b->size : b->nlb > 1 ? b->nlb : b->nub > 1 ? b->nub : 0;
}

/* The numbers given are as many as the relation has rows m. */
static int check_rows(ns_load *l, const ns_elem *e, const char *id, const box *b, int m)
{
  if (b->size && b->size != m)
    return ns_elem_fail(&l->msg, e, id,
                        "attribute size is %d, expected %d, the rows of the relation", b->size, m);
  if (b->equalities > m)
    return ns_elem_fail(
        &l->msg, e, id,
        "attribute equalitySize is %d, expected at most %d, the rows of the relation",
        b->equalities, m);
  if (b->nlb > 1 && b->nlb != m)
    return ns_elem_fail(
        &l->msg, e, id,
        "attribute lb has %d entries, expected %d, the rows of the relation, or one for all",
        b->nlb, m);
  if (b->nub > 1 && b->nub != m)
    return ns_elem_fail(
        &l->msg, e, id,
        "attribute ub has %d entries, expected %d, the rows of the relation, or one for all",
        b->nub, m);
  return NS_OK;
}

/* Bounds that are given, else those of the law. */
static void fill(const ns_elem *e, const ns_indices *index, const box *b, int m, double *low,
                 double *high)
{
  const ns_law_ops *law = ns_law_find(e->name);
  for (int i = 0; i < m; i++) {
    low[i] = i < b->equalities ? -INFINITY : law->lb;
    high[i] = law->ub;
    if (b->nlb) low[i] = ns_scalar_get(&b->lb[b->nlb > 1 ? i : 0], index);
    if (b->nub) high[i] = ns_scalar_get(&b->ub[b->nub > 1 ? i : 0], index);
  }
}

/* Until a run evaluates them, bounds that are formulas have the value of the other one. */
static void fill_formulas(const ns_load *l, const box *b, int m, double *low, double *high)
{
  for (int k = b->formula; k < b->formula + b->nformulas; k++) {
    const ns_law_formula *f = &l->m->law_formulas[k];
    int lower = f->at_number == offsetof(ns_nonsmooth_law, lb);
    for (int i = f->row < 0 ? 0 : f->row; i < (f->row < 0 ? m : f->row + 1); i++) {
      double *mine = lower ? &low[i] : &high[i], other = lower ? high[i] : low[i];
      *mine = isfinite(other) ? other : 0;
    }
  }
}

static int check_bounds(ns_load *l, const ns_elem *e, const char *id, int m, const double *low,
                        const double *high)
{
  for (int i = 0; i < m; i++) {
    if ((isnan(low[i]) || isnan(high[i])) && l->nan_said) return NS_MODEL;
    if (low[i] <= high[i] && low[i] < INFINITY && high[i] > -INFINITY) continue;
    return ns_elem_fail(&l->msg, e, id,
                        "row %d: lb is %g and ub is %g, expected lb <= ub, lb < inf and ub > -inf",
                        i + 1, low[i], high[i]);
  }
  return NS_OK;
}

/* Rows of one vector: of friction in all directions alone, with the same bound each way. */
static int check_ball(ns_load *l, const ns_elem *e, const char *id, const ns_interaction *it,
                      const double *low, const double *high)
{
  const ns_joint_axis *a = &it->axis;
  int all = it->relation->flags & NS_REL_AXIS && !a->line && a->slide[0] == NS_AXIS_ALL;
  if (!all)
    return ns_elem_fail(&l->msg, e, id,
                        "attribute norm is euclidean with <%s>, whose rows are not a vector, "
                        "expected <JointFrictionR coordinate=\"all\"> of a ball joint; remove norm",
                        it->relation->name);
  for (int i = 0; i < it->m; i++) {
    int same = fabs(high[i] - high[0]) <= 0 && fabs(high[i] + low[i]) <= 0 && high[i] < INFINITY;
    if (!it->law.nformulas && !same)
      return ns_elem_fail(&l->msg, e, id,
                          "row %d: lb is %g and ub is %g with norm=\"euclidean\", expected lb = "
                          "-ub, finite, the same in all rows: the largest length of lambda",
                          i + 1, low[i], high[i]);
  }
  return NS_OK;
}

static int box_get(ns_load *l, const ns_elem *e, const ns_indices *index, const char *id,
                   ns_interaction *it)
{
  box *b = e->made;
  if (it->m == 0) return NS_OK; /* the relation has no rows: reported */
  int rc = check_rows(l, e, id, b, it->m), varies = 0;
  if (rc) return rc;
  if (b->m != it->m) {
    double *low = ns_arena_get(l->m->arena, 2 * (size_t)it->m, sizeof *low),
           *high = low ? low + it->m : NULL;
    if (!low) return ns_nomem(&l->msg.c, "bounds of a law");
    fill(e, index, b, it->m, low, high);
    fill_formulas(l, b, it->m, low, high);
    if ((rc = check_bounds(l, e, id, it->m, low, high))) return rc;
    for (int i = 0; i < b->nlb; i++) varies |= b->lb[i].tape != NULL;
    for (int i = 0; i < b->nub; i++) varies |= b->ub[i].tape != NULL;
    b->low = low;
    b->high = high;
    b->m = varies ? 0 : it->m;
  }
  it->law.lb = b->low;
  it->law.ub = b->high;
  it->law.forces = b->forces;
  it->law.ball = b->ball;
  it->law.formula = b->formula;
  it->law.nformulas = b->nformulas;
  if (b->ball && (rc = check_ball(l, e, id, it, b->low, b->high))) return rc;
  if (ns_interaction_is_first_order(it) && ns_load_law_speeds(l, &it->law))
    return ns_elem_fail(&l->msg, e, id,
                        "has a formula of slip or approach, which rows of first-order systems do "
                        "not have, expected one of t, z and states");
  return NS_OK;
}

/* ---- polyhedra ------------------------------------------------------------------------------- */

typedef struct cone_made {
  ns_value H, k;
} cone;

static int cone_value(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index,
                      int rows, ns_value *v)
{
  char why[48];
  if (!ns_elem_value(e, name)) return NS_MODEL;
  snprintf(why, sizeof why, "p = %d by <H>", rows);
  return ns_value_constant(
      l, e, name, index,
      &(ns_wanted){.rows = rows, .cols = rows < 0 ? -1 : 1, .why = rows < 0 ? NULL : why}, v);
}

static int cone_make(ns_load *l, ns_elem *e, const ns_indices *index)
{
  cone *c = e->made = ns_arena_zero(l->scratch, 1, sizeof *c);
  if (!c) return ns_nomem(&l->msg.c, "a law");
  int rc = cone_value(l, e, "H", index, -1, &c->H);
  return rc ? rc : cone_value(l, e, "k", index, c->H.op.rows, &c->k);
}

static int cone_get(ns_load *l, const ns_elem *e, const ns_indices *index, const char *id,
                    ns_interaction *it)
{
  const cone *c = e->made;
  const ns_elem *H = ns_elem_value(e, "H");
  ns_operator N, k;
  if (it->m && c->H.op.cols != it->m)
    return ns_elem_fail(&l->msg, H, id,
                        "has %d column%s, expected m = %d: one for each row of the relation",
                        c->H.op.cols, c->H.op.cols == 1 ? "" : "s", it->m);
  int rc = ns_value_get(l, H, &c->H, index, id, &N);
  if (!rc) rc = ns_value_get(l, ns_elem_value(e, "k"), &c->k, index, id, &k);
  if (rc) return rc;
  it->law.np = N.rows;
  it->law.N = N.value;
  it->law.k = k.value;
  if (!it->m || ns_interaction_is_first_order(it)) return NS_OK;
  return ns_law_rows_of_mechanics(l->m, &l->msg.c, it);
}

int ns_load_law_rows(const ns_elem *law)
{
  if (!law->made) return 0;
  switch (ns_law_find(law->name)->form) {
  case NS_FORM_NUMBERS: return ns_numbers_rows(law);
  case NS_FORM_BOUNDS: return box_rows(law->made);
  case NS_FORM_POLYHEDRON: return ((const cone *)law->made)->H.op.cols;
  case NS_FORM_POINTS: break;
  }
  return 0;
}

const ns_load_builder ns_load_laws[] = {
    [NS_FORM_NUMBERS] = {NULL, ns_numbers_make, ns_numbers_get},
    [NS_FORM_BOUNDS] = {NULL, box_make, box_get},
    [NS_FORM_POLYHEDRON] = {NULL, cone_make, cone_get},
    [NS_FORM_POINTS] = {NULL, ns_piecewise_make, ns_piecewise_get},
};
