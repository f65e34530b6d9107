/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/switching_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { NEWTON = 30 };             /* most iterations for multipliers of nonlinear relations */
static const double GOOD = 1e-7; /* step of Newton's method after which rounding is left */

/* ---- relations at a point ------------------------------------------------------------------------------- */

static int relations(switching *o, const ns_relation_point *at)
{
  int changed = 0, rc = NS_OK;
  if (o->k->offset_varies) rc = ns_couplings_offsets(o->k, o->c, at, 0);
  if (!rc) rc = ns_couplings_values(o->k, o->c, at);
  if (!rc && !o->k->constant) rc = ns_couplings_tangents(o->k, o->c, at, 1, &changed);
  return rc;
}

/* dy/dt at fixed x and lambda, by differences of fourth order. */
static int drift(switching *o, const ns_relation_point *p)
{
  static const double place[] = {-2, -1, 1, 2}, weight[] = {1, -8, 8, -1};
  size_t n = o->m->nrows;
  double step = 1e-2 * o->m->sim.ts.h;
  int rc = NS_OK;
  memset(o->drift, 0, n * sizeof *o->drift);
  if (!o->timed) return NS_OK;
  for (int k = 0; k < 4 && !rc; k++) {
    ns_relation_point at = *p;
    at.t += place[k] * step;
    rc = relations(o, &at);
    ns_couplings_output(o->k, p->x, p->lambda, o->stencil);
    double factor = weight[k] * place[k] / (12 * (at.t - p->t)); /* as represented, not as asked for */
    for (size_t r = 0; r < n; r++) o->drift[r] += factor * o->stencil[r];
  }
  return rc ? rc : relations(o, p);
}

/* ---- what holds -------------------------------------------------------------------------------------------- */

void ns_sw_forget(switching *o) { o->factored = 0; }

static int acts_directly(const switching *o, int r)
{
  const ns_rows *D = &o->k->D;
  for (int e = D->ptr[r]; e < D->ptr[r + 1]; e++)
    if (D->val[e] != 0 && ns_sw_is_held(o, D->dof[e])) return 1;
  return 0;
}

/* C_r a, and 0 where that is rounding of its terms. */
static double product(const ns_rows *C, int r, const double *a)
{
  double s = 0, size = 0;
  int n = C->ptr[r + 1] - C->ptr[r];
  for (int e = C->ptr[r]; e < C->ptr[r + 1]; e++) {
    double term = C->val[e] * a[C->dof[e]];
    s += term;
    size += fabs(term);
  }
  return fabs(s) <= 4 * n * DBL_EPSILON * size ? 0 : s;
}

static void choose_held(switching *o)
{
  o->held.n = 0;
  for (int r = 0; r < o->k->nrows; r++)
    if (ns_sw_is_held(o, r)) o->holds[o->held.n++] = r;
  for (int i = 0; i < o->held.n; i++) o->degree[o->holds[i]] = (unsigned char)!acts_directly(o, o->holds[i]);
}

/* Matrix of the held rows in their multipliers. */
static int factor(switching *o, double t)
{
  ns_held *h = &o->held;
  int n = h->n;
  if (o->factored && o->fixed) return NS_OK;
  choose_held(o);
  n = h->n;
  memset(h->A, 0, (size_t)n * (size_t)n * sizeof *h->A);
  for (int j = 0; j < n; j++) {
    memset(o->b, 0, o->m->nq * sizeof *o->b);
    ns_rows_add(&o->k->B, o->holds[j], 1, o->b);
    int rc = ns_rate_base_rate(&o->base, o->c, t, o->b, o->zero, o->b);
    if (rc) return rc;
    for (int i = 0; i < n; i++)
      if (o->degree[o->holds[i]]) h->A[i + j * n] = product(&o->k->C, o->holds[i], o->b);
  }
  for (int i = 0; i < n; i++) {
    int r = o->holds[i];
    for (int e = o->k->D.ptr[r]; e < o->k->D.ptr[r + 1] && !o->degree[r]; e++)
      for (int j = 0; j < n; j++)
        if (o->holds[j] == o->k->D.dof[e]) h->A[i + j * n] += o->k->D.val[e];
  }
  for (int i = 0; i < n; i++) { /* the search for modes asks how much of lambda a unit of y is */
    double most = 0;
    for (int j = 0; j < n; j++) most = fmax(most, fabs(h->A[i + j * n]));
    o->search.share[o->holds[i]] = most > 0 ? 1 / most : 0;
  }
  ns_held_factor(h);
  o->factored = 1;
  return NS_OK;
}

double ns_sw_slope(const switching *o, int r, const ns_motion *p)
{
  return ns_rows_dot(&o->k->C, r, p->v) + o->drift[r];
}

/* Rows that depend on others: what is left of their y'. */
static double loose(const switching *o, const ns_motion *p)
{
  const ns_rows *C = &o->k->C;
  double most = 0;
  for (int i = 0; i < o->held.n && o->held.rank < o->held.n; i++) {
    int r = o->holds[i];
    double size = fabs(o->drift[r]) + ns_rows_size(C, r, p->v);
    if (o->degree[r]) most = fmax(most, fabs(ns_sw_slope(o, r, p)) / (o->opt->speed_tol + 1e-9 * size));
  }
  return most;
}

/* Newton's step of the held multipliers; its size by that of lambda. */
static double improve(switching *o, ns_motion *p)
{
  const ns_held *h = &o->held;
  double moved = 0;
  for (int i = 0; i < h->n; i++) {
    int r = o->holds[i];
    o->rhs[i] = o->degree[r] ? -ns_sw_slope(o, r, p) : -p->y[r];
  }
  ns_held_solve(h, o->rhs);
  for (int i = 0; i < h->n; i++) {
    double *l = &p->lambda[o->holds[i]];
    *l += o->rhs[i];
    moved = fmax(moved, fabs(o->rhs[i]) / (1 + fabs(*l)));
  }
  return moved;
}

/* ---- the motion ---------------------------------------------------------------------------------------------- */

/* Where lambda begins: at its bound; of held rows a fixed place, so that the motion is a function of the point alone. */
static double first_lambda(const switching *o, int r)
{
  double lb = o->lb[r], ub = o->ub[r];
  if (o->x->mode[r] == NS_SIDE_LOWER) return lb;
  if (o->x->mode[r] == NS_SIDE_UPPER) return ub;
  if (isfinite(lb) && isfinite(ub)) return lb + (ub - lb) / 2;
  return lb > 0 ? lb : ub < 0 ? ub : 0;
}

static int field(switching *o, double t, const double *x)
{
  int rc = NS_OK;
  for (int i = 0; i < o->m->nsystems && !rc; i++) {
    const ns_system *s = &o->m->systems[i];
    ns_point p = ns_first_order_point(s, t, x, o->zero, o->x->z);
    rc = ns_first_order_field(s, o->c, &p, o->base.work, o->f + s->q);
  }
  return rc;
}

/* y, r and rate at lambda; `first`: of relations and their drift, too, where lambda does not change them. */
static int respond(switching *o, const ns_relation_point *at, int first, ns_motion *p)
{
  int rc = NS_OK;
  if (first || !o->k->linear) rc = relations(o, at);
  if (!rc && (first || !o->k->linear)) rc = drift(o, at);
  if (rc) return rc;
  ns_couplings_output(o->k, at->x, p->lambda, p->y);
  ns_couplings_input(o->k, p->lambda, p->lambda, o->zero, p->r);
  return ns_rate_base_rate(&o->base, o->c, at->t, o->f, p->r, p->v);
}

static int is_finite(switching *o, const ns_motion *p)
{
  o->bad = -1;
  for (size_t i = 0; i < o->m->nq; i++)
    if (!isfinite(p->v[i])) o->bad = (int)i;
  return o->bad < 0;
}

int ns_sw_motion(switching *o, double t, const double *x, ns_motion *p)
{
  ns_relation_point at = {.t = t, .x = x, .z = o->x->z, .lambda = p->lambda};
  int done = 0;
  for (int r = 0; r < o->k->nrows; r++) p->lambda[r] = first_lambda(o, r);
  int rc = field(o, t, x);
  o->loose = 0;
  for (int it = 0; it < NEWTON && !rc; it++) {
    rc = respond(o, &at, it == 0, p);
    if (rc) return rc;
    if (!is_finite(o, p)) return 1;
    if (done) {
      o->loose = loose(o, p);
      return NS_OK;
    }
    rc = factor(o, t);
    if (rc || !o->held.n) return rc;
    done = improve(o, p) <= GOOD || o->k->linear;
  }
  return rc ? rc : 1;
}

/* ---- back to the surface --------------------------------------------------------------------------------------- */

/* A = C C^T of the rows of degree 1 among the held, b = -y; their number. */
static int distances(switching *o)
{
  ns_held *h = &o->held;
  int n = 0;
  choose_held(o);
  for (int i = 0; i < h->n; i++)
    if (o->degree[o->holds[i]]) o->holds[n++] = o->holds[i];
  h->n = n;
  for (int i = 0; i < n; i++) {
    memset(o->b, 0, o->m->nq * sizeof *o->b);
    ns_rows_add(&o->k->C, o->holds[i], 1, o->b);
    for (int j = 0; j < n; j++) h->A[j + i * n] = product(&o->k->C, o->holds[j], o->b);
    o->rhs[i] = -o->x->y[o->holds[i]];
  }
  return n;
}

int ns_sw_project(switching *o)
{
  ns_state *x = o->x;
  ns_motion *p = &o->at[0];
  int rc = NS_OK;
  for (int pass = 0; pass < 3 && !rc; pass++) {
    rc = ns_sw_motion(o, *x->t, x->q, p);
    if (rc) break;
    memcpy(x->y, p->y, o->m->nrows * sizeof *x->y);
    int n = distances(o);
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(o->rhs[i]));
    o->factored = 0;
    if (most == 0) break;
    ns_held_factor(&o->held);
    ns_held_solve(&o->held, o->rhs);
    for (int i = 0; i < n; i++) ns_rows_add(&o->k->C, o->holds[i], o->rhs[i], x->q);
    if (o->k->linear) break;
  }
  return rc < 0 ? rc : NS_OK;
}
