/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/law_values.h"

#include <float.h>
#include <math.h>
#include <string.h>

const char *const ns_law_speeds[NS_CONTACT_SPEEDS] = {"slip", "approach"};

struct ns_law_values {
  ns_model model; /* of the run */
  ns_model *of;   /* that, or the run's own */
  ns_arena *mem;
  int nvarying, *varying;  /* interactions with formulas */
  int npairs, *pair;       /* of the laws of shapes those with formulas */
  ns_nonsmooth_law *law;   /* of shapes */
  double t, *q, *v, *ydot; /* the middle of the step: [nq], [nv], [nrows]; without npast not used */
  double *work;
};

/* ---- creation -------------------------------------------------------------------------------- */

static unsigned uses(const ns_model *m)
{
  unsigned u = 0;
  for (int k = 0; k < m->nlaw_formulas; k++) u |= m->law_formulas[k].value.uses;
  return u;
}

const ns_law_formula *ns_law_formula_of(const ns_model *m, const ns_nonsmooth_law *l,
                                        size_t at_number)
{
  for (int k = l->formula; k < l->formula + l->nformulas; k++)
    if (m->law_formulas[k].at_number == at_number) return &m->law_formulas[k];
  return NULL;
}

size_t ns_law_values_past(const ns_model *m)
{
  unsigned state = 1u << NS_BANK_Q | 1u << NS_BANK_V | 1u << NS_BANK_LAW;
  return uses(m) & state ? 2 + m->nq + m->nv + m->nrows : 0;
}

/* Interactions and laws of shapes as own ones. */
static int copy_laws(ns_law_values *v, const ns_model *m)
{
  size_t pairs = (size_t)m->contact.nmaterials * (size_t)m->contact.nmaterials;
  v->law = ns_arena_get(v->mem, pairs + 1, sizeof *v->law);
  if (!v->law) return NS_NOMEM;
  if (pairs && m->contact.law) memcpy(v->law, m->contact.law, pairs * sizeof *v->law);
  v->of->contact.law = v->law;
  if (v->of != &v->model) return NS_OK; /* interactions are the run's own */
  v->model.interactions = ns_arena_get(v->mem, (size_t)m->ninteractions + 1,
                                       sizeof *m->interactions);
  if (!v->model.interactions) return NS_NOMEM;
  if (m->ninteractions)
    memcpy(v->model.interactions, m->interactions,
           (size_t)m->ninteractions * sizeof *m->interactions);
  return NS_OK;
}

/* Lists of those that have formulas, with bounds of their own. */
static int list_varying(ns_law_values *v)
{
  ns_model *m = v->of;
  int pairs = m->contact.nmaterials * m->contact.nmaterials;
  v->varying = ns_arena_get(v->mem, (size_t)m->ninteractions + 1, sizeof *v->varying);
  v->pair = ns_arena_get(v->mem, (size_t)pairs + 1, sizeof *v->pair);
  if (!v->varying || !v->pair) return NS_NOMEM;
  for (int k = 0; k < pairs; k++)
    if (m->contact.law[k].nformulas) v->pair[v->npairs++] = k;
  for (int i = 0; i < m->ninteractions; i++) {
    ns_interaction *it = &m->interactions[i];
    size_t n = (size_t)it->m;
    if (!it->law.nformulas) continue;
    v->varying[v->nvarying++] = i;
    if (!ns_law_is_box(it->law.ops)) continue;
    double *b = ns_arena_get(v->mem, 2 * n + 1, sizeof *b);
    if (!b) return NS_NOMEM;
    memcpy(b, it->law.lb, n * sizeof *b);
    memcpy(b + n, it->law.ub, n * sizeof *b);
    it->law.lb = b;
    it->law.ub = b + n;
  }
  return NS_OK;
}

static int get_scratch(ns_law_values *v)
{
  const ns_model *m = v->of;
  size_t work = 1;
  for (int k = 0; k < m->nlaw_formulas; k++) {
    size_t w = ns_operator_work(&m->law_formulas[k].value);
    if (w > work) work = w;
  }
  v->work = ns_arena_zero(v->mem, work, sizeof *v->work);
  v->q = ns_arena_zero(v->mem, m->nq + m->nv + m->nrows + 1, sizeof *v->q);
  if (!v->work || !v->q) return NS_NOMEM;
  v->v = v->q + m->nq;
  v->ydot = v->v + m->nv;
  return NS_OK;
}

int ns_law_values_create(ns_ctx *c, const ns_model *m, ns_model *own, ns_state *x,
                         ns_law_values **out)
{
  *out = NULL;
  if (!m->nlaw_formulas) return NS_OK;
  ns_law_values *v = NS_ARENA_OBJECT(ns_law_values, mem);
  if (!v) return ns_nomem(c, "laws of the run");
  v->model = *m;
  v->of = own ? own : &v->model;
  int rc = copy_laws(v, m);
  if (!rc) rc = list_varying(v);
  if (!rc) rc = get_scratch(v);
  if (rc) rc = ns_nomem(c, "laws of the run");
  if (!rc) {
    v->of->values = v;
    rc = ns_law_values_at(v->of, c, *x->t, x->q, x->v, x->z, x->ydot);
  }
  if (rc) {
    ns_law_values_destroy(v);
    return rc;
  }
  *out = v;
  return NS_OK;
}

void ns_law_values_destroy(ns_law_values *v)
{
  if (v) ns_arena_destroy(v->mem);
}

ns_model *ns_law_values_model(ns_law_values *v) { return v->of; }

/* ---- values ---------------------------------------------------------------------------------- */

/* How far an integrator's errors may take a state that it keeps to its tolerances, by those. */
static const double ERRORS = 100;

/* What a formula of a law reads. */
typedef struct reading {
  ns_law_values *v;
  ns_ctx *c;
  ns_point at;
  const char *id;      /* of the interaction, NULL: shapes */
  const double *ydot;  /* at the middle, */
  const double *begin; /* as the step begins [nrows]; NULL: not of rows */
  double speeds[NS_CONTACT_SPEEDS];
  double rtol, atol; /* the state is known to within these; 0: it is given */
} reading;

static int out_of_range(const reading *r, const ns_law_formula *f, double value)
{
  ns_place place = f->at;
  place.id = r->id;
  return ns_fail_at(r->c, NS_NUMERIC, &place,
                    "attribute %s, %s, is %.10g at t = %.10g s, expected a finite number in %s; "
                    "correct the formula, or limit it with max(..., 0) or min(..., 1)",
                    f->attribute, f->text, value, r->at.t, f->range);
}

static int crossed(const reading *r, const ns_law_formula *f, int row, double lb, double ub)
{
  ns_place place = f->at;
  place.id = r->id;
  return ns_fail_at(r->c, NS_NUMERIC, &place,
                    "row %d: lb is %.10g and ub is %.10g at t = %.10g s by %s = %s, expected lb "
                    "<= ub; correct the formula",
                    row + 1, lb, ub, r->at.t, f->attribute, f->text);
}

/* |df/ds| times the errors of the state s [n], s a copy of it: what is added to *sum. */
static int add_errors(const reading *r, const ns_point *at, const ns_operator *f, double value,
                      size_t n, double *s, double *sum)
{
  int rc = NS_OK;
  for (size_t i = 0; i < n && !rc; i++) {
    double kept = s[i], there = value;
    s[i] += ERRORS * (r->rtol * fabs(kept) + r->atol);
    rc = ns_operator_eval(f, r->c, at, r->v->work, &there);
    s[i] = kept;
    *sum += fabs(there - value);
  }
  return rc;
}

/* How well the value of f at the reading is known: what errors of the state make of it. */
static int errors_of(const reading *r, const ns_operator *f, double value, double *known)
{
  const ns_model *m = r->v->of;
  double *q = r->v->q, *v = r->v->v;
  ns_point at = r->at;
  *known = 0;
  if (r->rtol == 0) return NS_OK;
  memcpy(q, at.q, m->nq * sizeof *q);
  memcpy(v, at.v, m->nv * sizeof *v);
  at.q = at.model_q = q;
  at.v = at.model_v = v;
  int rc = add_errors(r, &at, f, value, m->nq, q, known);
  return rc ? rc : add_errors(r, &at, f, value, m->nv, v, known);
}

static int is_inside(const ns_law_formula *f, double value)
{
  return value >= f->low && value <= f->high && !(f->open && value == f->low);
}

/* One side of a corner is asked for a little beyond it before the corner is found: max(0, x) is x
 * there, and out of its range. Then the formula itself counts. */
static int value_of(reading *r, const ns_law_formula *f, double *value)
{
  r->at.law = r->speeds;
  int rc = ns_operator_eval(&f->value, r->c, &r->at, r->v->work, value);
  if (!rc && !is_inside(f, *value) && f->whole)
    rc = ns_operator_eval(f->whole, r->c, &r->at, r->v->work, value);
  if (rc || is_inside(f, *value)) return rc;
  double known = 0, nearest = fmin(fmax(*value, f->low), f->high);
  rc = errors_of(r, f->whole ? f->whole : &f->value, *value, &known);
  if (rc) return rc;
  if (!(fabs(*value - nearest) <= known) || !is_inside(f, nearest))
    return out_of_range(r, f, *value);
  *value = nearest;
  return NS_OK;
}

static void *member(ns_nonsmooth_law *l, const ns_law_formula *f)
{
  return (char *)l + f->at_number;
}

/* All numbers of one law. */
static int set_numbers(reading *r, ns_nonsmooth_law *l)
{
  const ns_law_formula *f = r->v->of->law_formulas + l->formula;
  int rc = NS_OK;
  for (int k = 0; k < l->nformulas && !rc; k++) {
    double x;
    rc = value_of(r, &f[k], &x);
    if (!rc) memcpy(member(l, &f[k]), &x, sizeof x);
  }
  return rc;
}

/* Bounds of row i that have crossed by no more than errors of the state make of them are one. */
static int join_bounds(reading *r, ns_nonsmooth_law *l, int i)
{
  const ns_law_formula *f = r->v->of->law_formulas + l->formula;
  int ball = ns_law_is_ball(l), rc = NS_OK;
  double known = 0, lb = ball ? -l->ub[0] : l->lb[i], ub = l->ub[i];
  for (int k = 0; k < l->nformulas && !rc; k++) {
    double one = 0, *b;
    memcpy(&b, member(l, &f[k]), sizeof b);
    int counts = (f[k].row < 0 || f[k].row == i) && !(ball && b == l->lb);
    if (counts) rc = errors_of(r, f[k].whole ? f[k].whole : &f[k].value, b[i], &one);
    known += ball ? 2 * one : one;
  }
  if (rc) return rc;
  if (!(lb - ub <= known)) return crossed(r, f, i, lb, ub);
  double *upper, *lower;
  memcpy(&upper, &l->ub, sizeof upper);
  memcpy(&lower, &l->lb, sizeof lower);
  upper[i] = ball ? 0 : lb + (ub - lb) / 2;
  if (!ball) lower[i] = upper[i];
  return NS_OK;
}

/* Bounds of row i that have crossed on one side of a corner, by the formulas themselves. */
static int set_whole(reading *r, ns_nonsmooth_law *l, int i, double speed)
{
  const ns_law_formula *f = r->v->of->law_formulas + l->formula;
  int rc = NS_OK;
  r->speeds[NS_SPEED_SLIP] = speed;
  for (int k = 0; k < l->nformulas && !rc; k++) {
    double *b;
    memcpy(&b, member(l, &f[k]), sizeof b);
    if (f[k].whole && (f[k].row < 0 || f[k].row == i))
      rc = ns_operator_eval(f[k].whole, r->c, &r->at, r->v->work, &b[i]);
  }
  if (!rc && !(l->lb[i] <= l->ub[i])) rc = join_bounds(r, l, i);
  return rc;
}

static double speed_of_row(const ns_interaction *it, const double *ydot, int i)
{
  double s = 0;
  if (!ns_law_is_ball(&it->law)) return fabs(ydot[i]);
  for (int k = 0; k < it->m; k++) s += ydot[k] * ydot[k];
  return sqrt(s);
}

/* Bounds of all rows: each with the speed of its own row, those of one vector with its length. */
static int set_bounds(reading *r, ns_interaction *it)
{
  ns_nonsmooth_law *l = &it->law;
  const double *ydot = r->ydot + it->row;
  int m = it->m;
  const ns_law_formula *f = r->v->of->law_formulas + l->formula;
  int rc = NS_OK;
  for (int k = 0; k < l->nformulas; k++) {
    double *b;
    memcpy(&b, member(l, &f[k]), sizeof b);
    int first = f[k].row < 0 ? 0 : f[k].row, last = f[k].row < 0 ? m : f[k].row + 1;
    for (int i = first; i < last && !rc; i++) {
      r->speeds[NS_SPEED_SLIP] = speed_of_row(it, ydot, i);
      rc = value_of(r, &f[k], &b[i]);
    }
  }
  for (int i = 0; i < m && !rc; i++)
    if (!(l->lb[i] <= l->ub[i])) rc = set_whole(r, l, i, speed_of_row(it, ydot, i));
  if (!rc && ns_law_is_ball(l) && !(l->ub[0] >= 0)) rc = join_bounds(r, l, 0);
  return rc;
}

static int set_interaction(reading *r, ns_interaction *it)
{
  int slip = ns_law_slip(it->law.ops, it->m);
  const double *u = r->ydot + it->row;
  r->id = it->at.id;
  r->at.index = it->index;
  if (ns_law_is_box(it->law.ops)) return set_bounds(r, it);
  r->speeds[NS_SPEED_SLIP] = slip ? hypot(u[1], slip > 1 ? u[2] : 0) : 0;
  r->speeds[NS_SPEED_APPROACH] = fmax(0, -r->begin[it->row]);
  return set_numbers(r, &it->law);
}

static int set_all(reading *r)
{
  ns_model *m = r->v->of;
  int rc = NS_OK;
  for (int k = 0; k < r->v->nvarying && !rc; k++)
    rc = set_interaction(r, &m->interactions[r->v->varying[k]]);
  r->id = NULL;
  r->at.index = NULL;
  memset(r->speeds, 0, sizeof r->speeds);
  for (int k = 0; k < r->v->npairs && !rc; k++) rc = set_numbers(r, &r->v->law[r->v->pair[k]]);
  return rc;
}

static ns_point point_at(const ns_model *m, double t, const double *q, const double *v, double *z)
{
  return (ns_point){.t = t,
                    .n = (int)m->nq,
                    .q = q,
                    .v = v,
                    .nz = (int)m->nz,
                    .z = z,
                    .model_q = q,
                    .model_v = v,
                    .model_z = z};
}

int ns_law_values_at(const ns_model *m, ns_ctx *c, double t, const double *q, const double *v,
                     double *z, const double *ydot)
{
  if (!m->values) return NS_OK;
  const ns_event_driven_options *e = &m->sim.ed;
  reading r = {.v = m->values,
               .c = c,
               .at = point_at(m, t, q, v, z),
               .ydot = ydot,
               .begin = ydot,
               .rtol = e->rtol,
               .atol = e->atol};
  return set_all(&r);
}

/* ---- the middle of a step -------------------------------------------------------------------- */

/* to = s + a (s - past); past = s */
static void ahead(size_t n, double a, const double *s, double *past, double *to)
{
  for (size_t i = 0; i < n; i++) {
    to[i] = s[i] + a * (s[i] - past[i]);
    past[i] = s[i];
  }
}

static void extrapolate(ns_law_values *v, ns_state *x)
{
  const ns_model *m = v->of;
  double *known = x->past, *impacts = known + 1, *q = known + 2, *u = q + m->nq, *ydot = u + m->nv;
  double now = (double)x->cert->impacts, a = *known != 0 && *impacts == now ? 0.5 : 0;
  ahead(m->nq, a, x->q, q, v->q);
  ahead(m->nv, a, x->v, u, v->v);
  ahead(m->nrows, a, x->ydot, ydot, v->ydot);
  *known = 1;
  *impacts = now;
}

int ns_law_values_step(const ns_model *m, ns_ctx *c, ns_state *x, double h)
{
  ns_law_values *v = m->values;
  if (!v) return NS_OK;
  if (v->of->npast) extrapolate(v, x);
  v->t = *x->t + h / 2;
  reading r = {.v = v,
               .c = c,
               .at = point_at(v->of, v->t, v->q, v->v, x->z),
               .ydot = v->ydot,
               .begin = x->ydot};
  return set_all(&r);
}

const double *ns_law_values_velocity(const ns_model *m) { return m->values->v; }

int ns_law_values_of_contact(const ns_model *m, const ns_nonsmooth_law *l)
{
  unsigned u = 0;
  for (int k = 0; k < l->nformulas; k++) u |= m->law_formulas[l->formula + k].value.uses;
  return u >> NS_BANK_LAW & 1u;
}

int ns_law_values_contact(const ns_model *m, ns_ctx *c, const ns_nonsmooth_law *l,
                          const double speeds[NS_CONTACT_SPEEDS], double *z, ns_nonsmooth_law *out)
{
  ns_law_values *v = m->values;
  reading r = {.v = v, .c = c, .at = point_at(v->of, v->t, v->q, v->v, z)};
  memcpy(r.speeds, speeds, sizeof r.speeds);
  *out = *l;
  return set_numbers(&r, out);
}

void ns_law_values_forget(ns_state *x, const ns_model *m)
{
  if (m->npast) *x->past = 0;
}
