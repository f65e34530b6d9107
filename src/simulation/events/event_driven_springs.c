/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_springs.c -- compliant rows between events: laws of positions, whose multipliers are
 * forces.
 *
 *   w = H q + e + D lambda,   -w in N_[lb,ub](lambda),   D of an interaction positive definite
 *
 * has one lambda for each q, which is piecewise linear in it (Facchinei & Pang 2003, 4.2): a force
 * of the smooth motion with corners where a row comes to a bound or leaves it. So a row has a side
 * that is constant in the flow,
 *
 *   lower  lambda = lb, w > 0        between  w = 0        upper  lambda = ub, w < 0
 *
 * and the corners are roots: w of rows at a bound, the distances of lambda from its bounds of rows
 * between them. At an event the sides are those of the complementarity problem at the state, by
 * principal pivots on the row of least index (Murty 1974), which ends for positive definite D; a
 * row whose root it is has changed its side. Nothing jumps: velocities go on, rigid contacts are
 * decided anew. The work of these forces is an unknown of the flow. */
#include "simulation/events/event_driven_modes.h"

#include "algebra/dense.h"
#include "model/laws/law.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LOWER = 1, BETWEEN, UPPER }; /* 0: not known */
enum { PIVOTS = 1000 };             /* of one interaction; a few are enough */
/* times gapTolerance: so far below zero roots are, at least */
static const double BELOW = 1e-4;

/* ---- creation -------------------------------------------------------------------------------- */

static int is_spring(const ns_interaction *it)
{
  return (it->relation->flags & NS_REL_COMPLIANT) != 0;
}
static int is_row(const event_driven *o, int r)
{
  return ns_ed_is_compliant(o, r) && !ns_ed_is_overlap(o, r);
}

int ns_ed_springs_count(const event_driven *o)
{
  int n = 0;
  for (int i = 0; i < o->s.m->ninteractions; i++) n += is_spring(&o->s.m->interactions[i]);
  return n;
}

void ns_ed_springs_bound(event_driven *o)
{
  const ns_model *m = o->s.m;
  double *lb = o->springs.lb, *ub = o->springs.ub;
  for (int i = 0; i < m->ninteractions && o->springs.n; i++) {
    const ns_interaction *it = &m->interactions[i];
    for (size_t r = 0; r < (size_t)it->m && is_spring(it); r++)
      ns_law_bounds(&it->law, (int)r, 1, &lb[it->row + r], &ub[it->row + r]);
  }
}

int ns_ed_springs_create(event_driven *o, ns_ctx *c)
{
  const ns_model *m = o->s.m;
  ns_springs *s = &o->springs;
  size_t rows = m->nrows + 1, max = 0;
  if (!(s->n = ns_ed_springs_count(o))) return NS_OK;
  for (int i = 0; i < m->ninteractions; i++)
    if (is_spring(&m->interactions[i]) && (size_t)m->interactions[i].m > max)
      max = (size_t)m->interactions[i].m;
  s->side = ns_arena_zero(o->run.mem, rows, 1);
  s->w = ns_arena_zero(o->run.mem, 4 * rows + max * max + max, sizeof *s->w);
  if (!s->side || !s->w) return ns_nomem(c, "compliant rows");
  s->lb = s->w + rows;
  s->ub = s->lb + rows;
  s->gap = s->ub + rows;
  s->A = s->gap + rows;
  s->b = s->A + max * max;
  ns_ed_springs_bound(o);
  for (int u = 0; u < o->s.k->nunits; u++) /* forces of the motion, and no rows of its problems */
    if (o->s.k->unit[u].kind == NS_UNIT_COMPLIANT) o->s.k->unit[u].always = 0;
  return NS_OK;
}

/* ---- forces ---------------------------------------------------------------------------------- */

static double compliance(const ns_interaction *it, int i, int j)
{
  return it->D ? it->D[i + j * it->m] : 0;
}

/* lambda and w of an interaction with these gaps and the present sides, to o->force and springs.w.
 */
static void respond(event_driven *o, const ns_interaction *it, const double *gap)
{
  ns_springs *s = &o->springs;
  const unsigned char *side = s->side + it->row;
  double *lambda = o->force + it->row, *w = s->w + it->row;
  int n = 0, at = 0;
  for (int i = 0; i < it->m; i++) {
    const double *bound = side[i] == UPPER ? s->ub : s->lb;
    lambda[i] = side[i] == BETWEEN ? 0 : bound[it->row + (size_t)i];
    n += side[i] == BETWEEN;
  }
  for (int i = 0; i < it->m; i++) {
    w[i] = gap[i];
    for (int j = 0; j < it->m; j++) w[i] += compliance(it, i, j) * lambda[j];
  }
  for (int j = 0; j < it->m && n; j++) {
    if (side[j] != BETWEEN) continue;
    for (int i = 0, k = 0; i < it->m; i++)
      if (side[i] == BETWEEN) s->A[k++ + at * n] = compliance(it, i, j);
    s->b[at++] = -w[j];
  }
  ns_dense_eliminate(n, s->A, n, 0, s->b); /* A is positive definite */
  for (int j = 0, k = 0; j < it->m; j++) {
    if (side[j] != BETWEEN) continue;
    lambda[j] = s->b[k++];
    for (int i = 0; i < it->m; i++) w[i] += compliance(it, i, j) * lambda[j];
  }
}

/* Forces of compliant rows with these gaps [nrows] to o->force, outputs to springs.w. */
static void find_forces(event_driven *o, const double *gap)
{
  for (int i = 0; i < o->s.m->ninteractions && o->springs.n; i++) {
    const ns_interaction *it = &o->s.m->interactions[i];
    if (is_spring(it)) respond(o, it, gap + it->row);
  }
}

/* Gaps of the compliant rows at q. */
static void gaps(event_driven *o, const double *q)
{
  double *gap = o->springs.gap;
  const ns_contacts *k = o->s.k;
  for (int r = 0; r < k->nrows; r++)
    if (is_row(o, r)) gap[r] = k->offset[r] + ns_rows_dot(&k->H, r, q);
}

void ns_ed_springs_push(event_driven *o, const double *q)
{
  const ns_contacts *k = o->s.k;
  if (!o->springs.n) return;
  gaps(o, q);
  find_forces(o, o->springs.gap);
  for (int r = 0; r < k->nrows; r++)
    if (is_row(o, r) && o->force[r] != 0) ns_rows_add(&k->H, r, o->force[r], o->a);
}

double ns_ed_springs_power(const event_driven *o, const double *v)
{
  double w = 0;
  for (int r = 0; r < o->s.k->nrows; r++)
    if (is_row(o, r)) w += o->force[r] * ns_rows_dot(&o->s.k->H, r, v);
  return w;
}

/* ---- sides ----------------------------------------------------------------------------------- */

/* Length that a row may be beyond its law by: what begins at zero is there. */
static double min(const event_driven *o, int r)
{
  return BELOW * o->opt->gap_tol +
         16 * DBL_EPSILON * (fabs(o->s.k->offset[r]) + ns_rows_size(&o->s.k->H, r, o->s.x->q));
}

static double stiffness(const ns_interaction *it, int i)
{
  double d = compliance(it, i, i);
  return d > 0 ? 1 / d : 0;
}

/* The side that row i of it is to have instead of its own; 0: its own. */
static int other_side(const event_driven *o, const ns_interaction *it, int i, double within)
{
  const ns_springs *s = &o->springs;
  size_t r = it->row + (size_t)i;
  double lambda = o->force[r], weak = within * stiffness(it, i);
  if (s->lb[r] == s->ub[r]) return s->side[r] == LOWER ? 0 : LOWER;
  if (s->side[r] == LOWER) return s->w[r] < -within || !isfinite(s->lb[r]) ? BETWEEN : 0;
  if (s->side[r] == UPPER) return s->w[r] > within || !isfinite(s->ub[r]) ? BETWEEN : 0;
  if (lambda < s->lb[r] - weak) return LOWER;
  return lambda > s->ub[r] + weak ? UPPER : 0;
}

static int unsolved(event_driven *o, const ns_interaction *it)
{
  return ns_fail_at(o->run.c, NS_NUMERIC, &it->at,
                    "no force satisfies its law at t = %.10g s; expected D whose symmetric part "
                    "is positive definite",
                    *o->s.x->t);
}

static int decide(event_driven *o, const ns_interaction *it, const double *gap)
{
  for (int pivot = 0; pivot < PIVOTS; pivot++) {
    int i = 0, to = 0;
    respond(o, it, gap);
    while (i < it->m && !(to = other_side(o, it, i, min(o, (int)it->row + i)))) i++;
    if (!to) return NS_OK;
    o->springs.side[it->row + (size_t)i] = (unsigned char)to;
  }
  return unsolved(o, it);
}

int ns_ed_springs_decide(event_driven *o)
{
  ns_springs *s = &o->springs;
  int rc = NS_OK;
  if (!s->n) return NS_OK;
  gaps(o, o->s.x->q);
  for (int i = 0; i < o->s.m->ninteractions && !rc; i++) {
    const ns_interaction *it = &o->s.m->interactions[i];
    if (!is_spring(it)) continue;
    for (size_t r = it->row; r < it->row + (size_t)it->m; r++) {
      if (!s->side[r]) s->side[r] = isfinite(s->lb[r]) ? LOWER : BETWEEN;
      if (o->closing[r] || o->opening[r]) s->side[r] = o->closing[r] ? BETWEEN : o->opening[r];
    }
    rc = decide(o, it, s->gap + it->row);
  }
  return rc;
}

/* ---- roots ----------------------------------------------------------------------------------- */

/* In lengths, so that one tolerance is for all. */
static void root_functions(const event_driven *o, int r, double *g, double *more)
{
  const ns_springs *s = &o->springs;
  const ns_interaction *it = &o->s.m->interactions[o->s.k->interaction[r]];
  double k = stiffness(it, r - (int)it->row), low = (o->force[r] - s->lb[r]) / k,
         high = (s->ub[r] - o->force[r]) / k;
  *g = *more = 1;
  if (s->lb[r] == s->ub[r]) return;
  if (s->side[r] != BETWEEN) *g = s->side[r] == LOWER ? s->w[r] : -s->w[r];
  else {
    if (isfinite(low)) *g = low;
    if (isfinite(high)) *more = high;
  }
}

void ns_ed_springs_roots(event_driven *o, double *g)
{
  int rows = o->s.k->nrows;
  find_forces(o, o->gap);
  for (int r = 0; r < rows; r++)
    if (is_row(o, r)) root_functions(o, r, g + r, g + rows + r);
}

void ns_ed_springs_begin(event_driven *o)
{
  int rows = o->s.k->nrows;
  if (!o->springs.n) return;
  find_forces(o, o->gap0);
  for (int r = 0; r < rows; r++) {
    if (!is_row(o, r)) continue;
    double g, more, first = min(o, r);
    root_functions(o, r, &g, &more);
    o->below[r] = first + ns_ed_lead(g, 0, 0);
    o->below[rows + r] = first + ns_ed_lead(more, 0, 0);
    o->run.direction[r] = o->run.direction[rows + r] = -1;
  }
}

int ns_ed_springs_fired(event_driven *o, const int *fired)
{
  const ns_springs *s = &o->springs;
  int rows = o->s.k->nrows, some = 0;
  for (int r = 0; r < rows && s->n; r++) {
    if (!is_row(o, r) || !(fired[r] || fired[rows + r])) continue;
    if (s->side[r] != BETWEEN) o->closing[r] = BETWEEN;
    else o->opening[r] = fired[r] ? LOWER : UPPER;
    some = 1;
  }
  return some;
}
