/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/events/event_sizes.h"

#include "algebra/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double SMALL = 1e-2; /* groups that are smaller have tolerances of their own */

/* What rounding of rates makes of group g in some time. */
static double rounding(const ns_event_sizes *o, int g, double time)
{
  int by = o->mover[g];
  return DBL_EPSILON * time * (by < 0 ? o->terms[g] : o->terms[by] * time);
}

/* A size that is rounding of rates since the first look says nothing. */
static int is_known(const ns_event_sizes *o, int g)
{
  return o->size[g] > 16 * rounding(o, g, o->now - o->begun + o->looked);
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* The group of these unknowns, which is `moved` by another one, or not. */
static int join(ns_event_sizes *o, int rigid, size_t from, size_t to, int mover)
{
  if (to == from) return -1;
  o->rigid[o->ngroups] = (unsigned char)rigid;
  for (size_t i = from; i < to; i++) o->group[i] = o->ngroups;
  o->mover[o->ngroups] = mover;
  return o->ngroups++;
}

/* Some row is of first order. */
static int has_rows(const ns_model *m)
{
  int some = 0;
  for (int i = 0; i < m->ninteractions; i++)
    some |= ns_interaction_is_first_order(&m->interactions[i]);
  return some;
}

static int has_friction(const ns_model *m)
{
  int some = 0;
  for (int i = 0; i < m->ninteractions; i++)
    some |= ns_interaction_has_friction(&m->interactions[i]);
  return some;
}

static void group_unknowns(ns_event_sizes *o)
{
  const ns_flow_problem *p = o->problem;
  int rows = has_rows(o->m);
  for (size_t i = 0; i < p->n; i++) o->group[i] = -1;
  for (int k = 0; k < o->m->nsystems; k++) {
    const ns_system *s = &o->m->systems[k];
    size_t v = p->ncoord + s->v, shifts = (size_t)ns_system_translations(s);
    int order1 = ns_system_is_first_order(s), rigid = ns_system_is_rigid(s);
    if (order1 && rows) continue;
    if (rigid) join(o, 1, v + shifts, v + (size_t)s->n, -1);
    int mover = order1 ? -1 : join(o, rigid, v, v + shifts, -1);
    join(o, rigid, s->q, s->q + (rigid ? shifts : (size_t)s->nq), mover);
  }
}

int ns_event_sizes_init(ns_event_sizes *o, ns_arena *a, const ns_model *m, const ns_flow_problem *p)
{
  size_t n = p->n, d = sizeof(double), groups = 3 * (size_t)m->nsystems;
  size_t roots = (size_t)p->nroots;
  const ns_array want[] = {{&o->group, n, sizeof *o->group},
                           {&o->mover, groups, sizeof *o->mover},
                           {&o->rigid, groups, 1},
                           {&o->size, groups, d},
                           {&o->terms, groups, d},
                           {&o->after, groups, d},
                           {&o->before.size, groups, d},
                           {&o->before.terms, groups, d},
                           {&o->from, p->ncoord, d},
                           {&o->x, n, d},
                           {&o->stage, n, d},
                           {&o->error, n, d},
                           {&o->k[0], n, d},
                           {&o->k[1], n, d},
                           {&o->k[2], n, d},
                           {&o->k[3], n, d},
                           {&o->g, roots, d},
                           {&o->g0, roots, d}};
  o->m = m;
  o->problem = p;
  if (m->sim.ed.given.atol && (m->sim.ed.given.speed_tol || !has_friction(m))) return NS_OK;
  if (ns_arena_arrays(a, want, sizeof want / sizeof *want)) return NS_NOMEM;
  group_unknowns(o);
  return NS_OK;
}

/* The largest of each group, with what is there already. */
static void largest(const ns_event_sizes *o, const double *x, double *size)
{
  for (size_t i = 0; i < o->problem->n; i++)
    if (o->group[i] >= 0) size[o->group[i]] = fmax(size[o->group[i]], fabs(x[i]));
}

static int all_large(const ns_event_sizes *o)
{
  for (int g = 0; g < o->ngroups; g++)
    if (o->size[g] < SMALL) return 0;
  return 1;
}

static void keep_before(ns_event_sizes *o)
{
  o->before.begun = o->begun;
  o->before.looked = o->looked;
  o->before.looks = o->looks;
  memcpy(o->before.size, o->size, (size_t)o->ngroups * sizeof *o->size);
  memcpy(o->before.terms, o->terms, (size_t)o->ngroups * sizeof *o->terms);
}

int ns_event_sizes_are_known(ns_event_sizes *o, double t, const double *x)
{
  enum { LOOKS = 8 };
  const ns_flow_problem *p = o->problem;
  if (!o->ngroups) return 1;
  int asked = o->asked, first = o->looks == 0;
  o->asked = 0;
  keep_before(o);
  if (first) o->begun = t;
  o->now = t;
  memcpy(o->x, x, p->n * sizeof *x);
  if (p->origin && first) memcpy(o->from, p->origin, p->ncoord * sizeof *o->from);
  for (size_t i = 0; p->origin && i < p->ncoord; i++) o->x[i] += p->origin[i] - o->from[i];
  memset(o->after, 0, (size_t)o->ngroups * sizeof *o->after);
  largest(o, o->x, o->after);
  for (int g = 0; g < o->ngroups; g++)
    if (!o->rigid[g] || is_known(o, g) || o->after[g] >= SMALL)
      o->size[g] = fmax(o->size[g], o->after[g]);
  return (o->looks >= LOOKS && !asked) || all_large(o);
}

double ns_event_sizes_of(const ns_event_sizes *o, size_t i)
{
  int g = o->ngroups ? o->group[i] : -1;
  return g >= 0 && is_known(o, g) ? o->size[g] : 0;
}

int ns_event_sizes_apply(const ns_event_sizes *o, const double *least, double *atol)
{
  static const double MIN = DBL_MIN / DBL_EPSILON; /* the integrator divides by tolerances */
  const ns_flow_problem *p = o->problem;
  int some = 0;
  for (size_t i = 0; i < p->n && o->ngroups && !p->options->given.atol; i++) {
    int g = o->group[i];
    if (g < 0 || !is_known(o, g)) continue;
    double size = fmax(o->size[g], rounding(o, g, o->looked) / p->options->atol),
           own = fmax(p->options->atol * size + least[i], MIN);
    if (size >= SMALL || own >= atol[i]) continue;
    atol[i] = own;
    some = 1;
  }
  return some;
}

/* ---- a rough motion -------------------------------------------------------------------------- */

static const double ROUGH = 0.25;   /* error of its steps, in parts of sizes */
static const double ALTERED = 1e-9; /* part of x by which rates are altered, for their rounding */

static int rate(ns_event_sizes *o, double t, const double *x, double *f)
{
  return o->problem->rate(o->problem->of, t, x, f);
}

/* What rates at (t, x) are sums of, to `terms`: x altered by parts of it, and of what
 * coordinates are measured from; and of the forces in them, which may be balanced. */
static int find_rounding(ns_event_sizes *o, double t)
{
  const ns_flow_problem *p = o->problem;
  for (size_t i = 0; i < p->n; i++) {
    double from = p->origin && i < p->ncoord ? p->origin[i] : 0;
    o->stage[i] = o->x[i] + ALTERED * (double)(i + 1) / (double)p->n * (fabs(from) + fabs(o->x[i]));
  }
  memset(o->error, 0, p->n * sizeof *o->error);
  int rc = o->forces ? o->forces(o->of, t, o->x, o->error) : NS_OK;
  if (!rc) largest(o, o->error, o->terms);
  if (!rc) rc = rate(o, t, o->stage, o->error);
  if (rc) return rc;
  ns_axpy(p->n, -1, o->k[0], o->error);
  ns_scale(p->n, 1 / ALTERED, o->error);
  largest(o, o->error, o->terms);
  return NS_OK;
}

/* A step of the pair of orders 3 and 2 of Bogacki and Shampine, from o->x, where the rate is k[0],
 * to `stage`. */
static int step(ns_event_sizes *o, double t, double h)
{
  size_t n = o->problem->n;
  double **k = o->k, *x = o->stage;
  for (size_t i = 0; i < n; i++) x[i] = o->x[i] + h / 2 * k[0][i];
  int rc = rate(o, t + h / 2, x, k[1]);
  for (size_t i = 0; i < n; i++) x[i] = o->x[i] + 3 * h / 4 * k[1][i];
  if (!rc) rc = rate(o, t + 3 * h / 4, x, k[2]);
  for (size_t i = 0; i < n; i++) x[i] = o->x[i] + h * (2 * k[0][i] + 3 * k[1][i] + 4 * k[2][i]) / 9;
  if (!rc) rc = rate(o, t + h, x, k[3]);
  for (size_t i = 0; i < n; i++)
    o->error[i] = h * (-5 * k[0][i] / 72 + k[1][i] / 12 + k[2][i] / 9 - k[3][i] / 8);
  return rc;
}

/* Of a step: its largest error in parts of sizes. */
static double error_of(const ns_event_sizes *o)
{
  double worst = 0;
  for (size_t i = 0; i < o->problem->n; i++) {
    int g = o->group[i];
    if (g < 0 || o->error[i] == 0) continue;
    double e = fabs(o->error[i]) / fmax(o->size[g], fabs(o->stage[i]));
    if (!(e <= worst)) worst = e;
  }
  return worst;
}

/* A root between o->x and `stage`. */
static int passes_root(const ns_event_sizes *o)
{
  for (int i = 0; i < o->problem->nroots; i++)
    if (o->g0[i] * o->g[i] < 0 && !(i < o->nevents && o->passing[i])) return 1;
  return 0;
}

/* The first step: short beside what is known of the motion. */
static double first_step(const ns_event_sizes *o, double length)
{
  static const double SHORT = 1e-9, PART = 1e-2;
  double h = SHORT * length;
  for (size_t i = 0; i < o->problem->n; i++) {
    int g = o->group[i];
    if (g >= 0 && o->size[g] > 0 && o->k[0][i] != 0)
      h = fmin(h, PART * o->size[g] / fabs(o->k[0][i]));
  }
  return h;
}

static void advance(ns_event_sizes *o)
{
  double *k = o->k[0];
  o->k[0] = o->k[3];
  o->k[3] = k;
  memcpy(o->x, o->stage, o->problem->n * sizeof *o->x);
  largest(o, o->x, o->size);
  memcpy(o->g0, o->g, (size_t)o->problem->nroots * sizeof *o->g);
}

/* Steps to T, to a root, until all is large, or no more than TRIES of them, to *t. Where it cannot
 * be evaluated it ends. The first one counts in any case: from rest nothing is known yet by which
 * its error could be measured. */
static int travel(ns_event_sizes *o, double *t)
{
  enum { TRIES = 192 };
  const ns_flow_problem *p = o->problem;
  static const double MOST = 8, LEAST = 0.1, NEAR = 0.1;
  static const double EARLY = 1e-3; /* of the run: events before say nothing of what follows */
  double start = *t, end = o->m->sim.T, h = first_step(o, end - start);
  for (int tries = 0; tries < TRIES && *t < end && !all_large(o); tries++) {
    h = fmin(h, end - *t);
    int rc = step(o, *t, h);
    if (rc < 0) return rc;
    double error = rc ? INFINITY : error_of(o) / ROUGH;
    if (!(error <= 1) && *t > start) {
      h *= isfinite(error) ? fmax(LEAST, 0.8 * cbrt(1 / error)) : LEAST;
      continue;
    }
    if (!rc && p->nroots) rc = p->roots(p->of, *t + h, o->stage, o->g);
    if (!rc && *t + h > start + EARLY * (end - start)) rc = passes_root(o);
    if (rc < 0) return rc;
    if (rc && h < NEAR * (*t - start)) return NS_OK;
    if (rc) {
      h *= 0.5;
      continue;
    }
    *t += h;
    advance(o);
    rc = find_rounding(o, *t);
    if (rc) return rc < 0 ? rc : NS_OK;
    h *= fmin(MOST, fmax(LEAST, 0.8 * cbrt(1 / fmax(error, 1e-9))));
  }
  return NS_OK;
}

int ns_event_sizes_look(ns_event_sizes *o, double t, const double *x)
{
  const ns_flow_problem *p = o->problem;
  double to = t;
  o->looks++;
  memcpy(o->x, x, p->n * sizeof *x);
  int rc = rate(o, t, x, o->k[0]);
  if (!rc && p->nroots) rc = p->roots(p->of, t, x, o->g0);
  if (!rc) rc = find_rounding(o, t);
  if (!rc) rc = travel(o, &to);
  o->looked = fmax(o->looked, to - t);
  return rc < 0 ? rc : rate(o, t, x, o->k[0]) < 0 ? NS_NUMERIC : NS_OK;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

void ns_event_sizes_save(const ns_event_sizes *o, ns_blob *b)
{
  ns_blob_put(b, &o->before.looks, sizeof o->looks);
  ns_blob_put(b, &o->before.begun, sizeof o->begun);
  ns_blob_put(b, &o->before.looked, sizeof o->looked);
  ns_blob_put_reals(b, o->from, o->ngroups ? o->problem->ncoord : 0);
  ns_blob_put_reals(b, o->before.size, (size_t)o->ngroups);
  ns_blob_put_reals(b, o->before.terms, (size_t)o->ngroups);
}

void ns_event_sizes_restore(ns_event_sizes *o, ns_blob *b)
{
  ns_blob_get(b, &o->looks, sizeof o->looks);
  ns_blob_get(b, &o->begun, sizeof o->begun);
  ns_blob_get(b, &o->looked, sizeof o->looked);
  ns_blob_get_reals(b, o->from, o->ngroups ? o->problem->ncoord : 0);
  ns_blob_get_reals(b, o->size, (size_t)o->ngroups);
  ns_blob_get_reals(b, o->terms, (size_t)o->ngroups);
}
