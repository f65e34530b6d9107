/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/rigid_projection.h"

#include "model/systems/rigid_body.h"
#include "simulation/rows/projection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ns_rigid_projection {
  const ns_model *m;
  const ns_rigid_motion *motion;
  ns_rigid_rows *rows;
  ns_rigid_contacts *contacts; /* NULL: none */
  const ns_projection_options *opt;
  int combined;
  ns_rigid_problem problem;
  ns_multibody_solver *solver;
  unsigned char *chosen; /* units [nunits] */
  double *inverse;       /* B of each body */
  double *zero, *xi;     /* [nv] */
};

/* ---- creation -------------------------------------------------------------------------------- */

/* Identity on (x, p): a turn by phi moves p by phi/2. */
static void identity_metric(ns_rigid_projection *o)
{
  int n = o->motion->dof;
  for (int k = 0; k < o->motion->nbodies; k++)
    for (int i = 0; i < n; i++)
      if (!o->motion->held[k * n + i]) o->inverse[(k * n + i) * n + i] = n == 6 && i > 2 ? 4 : 1;
}

int ns_rigid_projection_create(ns_ctx *c, const ns_rigid_motion *motion, ns_rigid_rows *rows,
                               ns_rigid_contacts *contacts, int combined, ns_rigid_projection **out)
{
  const ns_model *m = motion->m;
  size_t blocks = (size_t)(motion->nbodies * motion->dof * motion->dof);
  ns_rigid_projection *o = *out = calloc(1, sizeof *o);
  if (!o) return ns_nomem(c, "projection");
  *o = (ns_rigid_projection){.m = m,
                             .motion = motion,
                             .rows = rows,
                             .contacts = contacts,
                             .opt = &m->sim.proj,
                             .combined = combined};
  ns_rigid_problem_init(&o->problem, motion->nbodies, motion->dof, rows->further);
  o->chosen = calloc((size_t)rows->nunits + 1, 1);
  o->inverse = calloc(blocks + 1, sizeof *o->inverse);
  o->zero = calloc(m->nv + 1, sizeof *o->zero);
  o->xi = calloc(m->nv + 1, sizeof *o->xi);
  int rc = o->chosen && o->inverse && o->zero && o->xi ? NS_OK : NS_NOMEM;
  if (!rc) rc = ns_rigid_problem_reserve(&o->problem, rows->nunits, rows->nrows);
  if (rc) ns_nomem(c, "projection");
  if (!rc)
    rc = ns_multibody_create(c, &(ns_multibody_options){.solver = "auto", .tol = 1e-10},
                             &o->solver);
  if (rc) {
    ns_rigid_projection_destroy(o);
    *out = NULL;
    return rc;
  }
  if (o->opt->metric == NS_METRIC_MASS)
    memcpy(o->inverse, motion->rest, blocks * sizeof *o->inverse);
  else identity_metric(o);
  return NS_OK;
}

void ns_rigid_projection_destroy(ns_rigid_projection *o)
{
  if (!o) return;
  ns_rigid_problem_fini(&o->problem);
  ns_multibody_destroy(o->solver);
  free(o->chosen);
  free(o->inverse);
  free(o->zero);
  free(o->xi);
  free(o);
}

size_t ns_rigid_projection_bytes(const ns_rigid_projection *o)
{
  if (!o) return 0;
  size_t blocks = (size_t)(o->motion->nbodies * o->motion->dof * o->motion->dof);
  return sizeof *o + (size_t)o->rows->nunits + (blocks + 2 * o->m->nv) * sizeof(double) +
         ns_rigid_problem_bytes(&o->problem) + ns_multibody_bytes(o->solver);
}

/* ---- who takes part -------------------------------------------------------------------------- */

void ns_rigid_projection_activate(ns_rigid_projection *o, const ns_state *x, double h)
{
  double stays = ns_projection_stays(o->opt);
  for (int a = 0; a < o->rows->nunits; a++) {
    int r = o->rows->unit[a].first, rests = x->lambda[r] > 0 && x->y[r] <= stays;
    o->chosen[a] = rests || ns_projection_closes(&o->m->sim, h, x->y[r], x->ydot[r]);
  }
  ns_rigid_rows_select(o->rows, o->chosen);
  if (o->contacts) ns_rigid_contacts_activate(o->contacts, x->v, h, o->opt->unilateral_tol, stays);
}

void ns_rigid_projection_begin(ns_rigid_projection *o)
{
  int n = 0;
  memset(o->chosen, 0, (size_t)o->rows->nunits);
  ns_rigid_rows_select(o->rows, o->chosen);
  ns_rigid_touch *t = o->contacts ? ns_rigid_contacts_list(o->contacts, &n) : NULL;
  for (int i = 0; i < n; i++) t[i].active = 0;
}

int ns_rigid_projection_join(ns_rigid_projection *o, const ns_state *x)
{
  int joined = 0, n = 0;
  for (int a = 0; a < o->rows->nunits; a++) {
    const ns_rigid_unit *u = &o->rows->unit[a];
    if (o->chosen[a] || !ns_rigid_has_gap(u)) continue;
    if (!ns_projection_meets(o->opt, x->y[u->first], o->rows->y[u->first])) continue;
    joined = o->chosen[a] = 1;
  }
  ns_rigid_touch *t = o->contacts ? ns_rigid_contacts_list(o->contacts, &n) : NULL;
  for (int i = 0; i < n; i++) {
    if (t[i].active || !ns_projection_meets(o->opt, t[i].before, t[i].gap)) continue;
    joined = t[i].active = 1;
  }
  if (joined) ns_rigid_rows_select(o->rows, o->chosen);
  return joined;
}

/* ---- one pass -------------------------------------------------------------------------------- */

/* How far a gap is from where it may be, by its tolerance. Combined: one that is loaded is to be
 * closed. */
static double distance(const ns_rigid_projection *o, double y, int loaded)
{
  return (o->combined && loaded ? fabs(y) : fmax(0, -y)) / o->opt->unilateral_tol;
}

static int is_loaded(const ns_rigid_problem *velocity, int block)
{
  return velocity && block < velocity->p.nblocks && velocity->r[velocity->row[block]] > 0;
}

/* The worst of the pass, and whose it is. */
typedef struct worst {
  double by, y;
  const ns_interaction *it;
  const ns_rigid_touch *touch;
} worst;

static void look(worst *w, double by, double y, const ns_interaction *it, const ns_rigid_touch *t)
{
  if (by <= w->by || isnan(w->by)) return;
  *w = (worst){by, y, it, t};
}

static worst find_worst(const ns_rigid_projection *o, const ns_rigid_problem *velocity)
{
  worst w = {0};
  int n = 0;
  for (int k = 0; k < o->rows->na; k++) {
    const ns_rigid_unit *u = &o->rows->unit[o->rows->active[k]];
    const ns_interaction *it = &o->m->interactions[u->interaction];
    const double *y = o->rows->y + u->first;
    if (ns_rigid_has_gap(u)) look(&w, distance(o, y[0], is_loaded(velocity, k)), y[0], it, NULL);
    for (int i = 0; i < u->rows && u->equality; i++)
      look(&w, fabs(y[i]) / o->opt->equality_tol, y[i], it, NULL);
  }
  const ns_rigid_touch *t = o->contacts ? ns_rigid_contacts_list(o->contacts, &n) : NULL;
  for (int i = 0; i < n; i++)
    if (t[i].active)
      look(&w, distance(o, t[i].gap, is_loaded(velocity, t[i].block)), t[i].gap, NULL, &t[i]);
  return w;
}

/* A gap takes part: direct always, combined where it is loaded or violated. */
static int takes_part(const ns_rigid_projection *o, double y, int loaded)
{
  return !o->combined || loaded || distance(o, y, 0) > 1;
}

/* The further bodies of the block that was added last, and its rows there. */
static void widen(ns_rigid_projection *o, const ns_rigid_unit *u, int rows)
{
  ns_rigid_problem *p = &o->problem;
  int a = p->p.nblocks - 1, n = p->further;
  size_t width = (size_t)n * (size_t)p->p.dof;
  if (!n) return;
  memcpy(p->body2 + n * a, o->rows->body2 + n * u->interaction, (size_t)n * sizeof *p->body2);
  memcpy(p->H2 + width * (size_t)p->row[a], o->rows->H2 + width * (size_t)u->first,
         width * (size_t)rows * sizeof *p->H2);
}

/* `rows` rows of gaps y with these H; two_sided: y = 0. */
static int add(ns_rigid_projection *o, ns_ctx *c, const int *body, int rows, const double *H,
               const double *y, int two_sided)
{
  ns_rigid_problem *p = &o->problem;
  int at = ns_rigid_problem_add(p, NS_BLOCK_BOX, rows, body[0], body[1]);
  if (at < 0) return ns_nomem(c, "projection");
  size_t width = 2 * (size_t)p->p.dof;
  memcpy(p->H + width * (size_t)at, H, width * (size_t)rows * sizeof *H);
  for (int i = 0; i < rows; i++) {
    p->b[at + i] = y[i];
    if (two_sided) p->lb[at + i] = -INFINITY;
  }
  return NS_OK;
}

static int add_touch(ns_rigid_projection *o, ns_ctx *c, const ns_rigid_touch *t)
{
  double H[12];
  ns_rigid_contacts_gap_row(o->contacts, t, H);
  return add(o, c, t->body, 1, H, &t->gap, o->combined);
}

/* An active unit: all rows of equalities, the gap of others. */
static int add_unit(ns_rigid_projection *o, ns_ctx *c, const ns_rigid_unit *u, int loaded)
{
  size_t width = 2 * (size_t)o->rows->dof;
  const int *body = o->rows->body + 2 * u->interaction;
  const double *H = o->rows->H + width * (size_t)u->first, *y = o->rows->y + u->first;
  int rows = u->equality ? u->rows : 1;
  if (!u->equality && !(ns_rigid_has_gap(u) && takes_part(o, y[0], loaded))) return NS_OK;
  int rc = add(o, c, body, rows, H, y, u->equality || o->combined);
  if (!rc) widen(o, u, rows);
  return rc;
}

static int pose(ns_rigid_projection *o, ns_ctx *c, const ns_rigid_problem *velocity)
{
  int rc = NS_OK, n = 0;
  ns_rigid_problem_clear(&o->problem);
  for (int k = 0; k < o->rows->na && !rc; k++)
    rc = add_unit(o, c, &o->rows->unit[o->rows->active[k]], is_loaded(velocity, k));
  const ns_rigid_touch *t = o->contacts ? ns_rigid_contacts_list(o->contacts, &n) : NULL;
  for (int i = 0; i < n && !rc; i++)
    if (t[i].active && takes_part(o, t[i].gap, is_loaded(velocity, t[i].block)))
      rc = add_touch(o, c, &t[i]);
  return rc;
}

/* The increment xi; gaps are scaled to 1, or a solver would take them for zero. */
static int solve(ns_rigid_projection *o, ns_ctx *c)
{
  ns_rigid_problem *p = &o->problem;
  int n = ns_rigid_problem_rows(p);
  double scale = 0;
  ns_outcome out;
  for (int i = 0; i < n; i++) scale = fmax(scale, fabs(p->b[i]));
  for (int i = 0; i < n; i++) p->b[i] /= scale;
  p->p.inverse = o->inverse;
  p->p.symmetric = 1;
  p->p.vfree = o->zero;
  int rc = ns_rigid_problem_solve(p, o->solver, c, o->xi, &out);
  for (size_t i = 0; i < o->m->nv; i++) o->xi[i] *= scale;
  return rc;
}

static int too_far(const ns_rigid_projection *o, ns_ctx *c, double t, const worst *w)
{
  char at[512], a[256], b[256];
  double tol = w->touch || w->it->law.ops->impact ? o->opt->unilateral_tol : o->opt->equality_tol;
  if (w->touch)
    return ns_fail(
        c, NS_NUMERIC,
        "%s: after %d projections the gap between %s and %s is %.3g m at t = %.10g s, expected "
        "%.3g m at most; the last good state is kept; use a smaller h or a larger tolerance",
        ns_place_text(&o->m->systems[w->touch->body[0]].at, at, sizeof at), o->opt->passes,
        ns_rigid_contacts_name(o->contacts, w->touch->a, a, sizeof a),
        ns_rigid_contacts_name(o->contacts, w->touch->b, b, sizeof b), w->y, t, tol);
  return ns_fail(c, NS_NUMERIC,
                 "%s: after %d projections y is %.3g at t = %.10g s, expected %.3g at most; the "
                 "last good state is kept; use a smaller h, a larger tolerance, or look for "
                 "constraints that contradict each other",
                 ns_place_text(&w->it->at, at, sizeof at), o->opt->passes, w->y, t, tol);
}

int ns_rigid_projection_apply(ns_rigid_projection *o, ns_ctx *c, const ns_state *x, double t,
                              double *q, const double *v, const ns_rigid_problem *velocity,
                              int *moved)
{
  *moved = 0;
  for (int pass = 0;; pass++) {
    int rc = ns_rigid_rows_eval(o->rows, c, x, t, q, v, o->combined);
    if (rc) return rc;
    if (o->contacts) ns_rigid_contacts_gaps(o->contacts, q);
    worst w = find_worst(o, velocity);
    if (w.by <= 1 || isnan(w.by)) return NS_OK; /* who accepts the step says what is no number */
    if (pass == o->opt->passes) return too_far(o, c, t, &w);
    rc = pose(o, c, velocity);
    if (!rc) rc = solve(o, c);
    if (rc) return rc;
    for (int i = 0; i < o->m->nsystems; i++)
      ns_rigid_move(&o->m->systems[i], 1, o->xi + o->m->systems[i].v, q + o->m->systems[i].q);
    ns_rigid_rows_moved(o->rows);
    *moved = 1;
  }
}
