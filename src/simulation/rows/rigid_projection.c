/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/rigid_projection.h"

#include "algebra/vector.h"
#include "base/grow.h"
#include "model/systems/rigid_body.h"
#include "simulation/rows/projection.h"

#include <math.h>
#include <string.h>

/* Of the smallest shape, an overlap that stays. */
static const double SLACK = 1e-3;
/* Steps in which a contact that bounces may take out its overlap itself: restitution of 0.05 does.
 */
static const double STEPS_TO_OPEN = 10;
/* Gaps up to so many times the deepest overlap may close as bodies are moved. */
static const double NEAR = 3;
/* A tenth of the overlap may be left to the next step: sweeps past that cost more than they bring.
 */
static const double RECOVERY_TOLERANCE = 1e-3;
enum { RECOVERY_SWEEPS = 20 };

struct ns_rigid_projection {
  ns_arena *mem;
  const ns_model *m;
  const ns_rigid_motion *motion;
  ns_rigid_rows *rows;
  ns_rigid_contacts *contacts; /* NULL: none */
  const ns_projection_options *opt;
  int combined, recovers;
  ns_rigid_problem own_problem, *problem; /* the latter may be borrowed */
  ns_multibody_solver *solver;
  unsigned char *chosen; /* units [nunits] */
  const double *inverse; /* B of each body, 0 where it stays */
  double *own;           /* memory of `inverse`; NULL: it is that of the motion */
  double *zero, *xi; /* [nv]; of recovery xi is the residual of the motion, found anew after it */
};

/* ---- creation -------------------------------------------------------------------------------- */

/* Numbers of `inverse`. */
static size_t inverse_size(const ns_rigid_projection *o)
{
  return (size_t)o->motion->nbodies * ns_rigid_inverse_size(o->motion);
}

/* Identity on (x, p): a turn by phi moves p by phi/2. */
static void identity_metric(ns_rigid_projection *o)
{
  int n = o->motion->dof, next = o->motion->diagonal ? 1 : n + 1;
  for (int k = 0; k < o->motion->nbodies; k++)
    for (int i = 0; i < n; i++)
      if (!o->motion->held[k * n + i])
        o->own[(size_t)k * ns_rigid_inverse_size(o->motion) + (size_t)(i * next)] = n == 6 && i > 2
                                                                                        ? 4
                                                                                        : 1;
}

/* B is M^-1 of the motion as it stands; a body that is not there has no contacts. */
static int is_of_motion(const ns_rigid_projection *o)
{
  return o->recovers && !o->m->ninteractions;
}

/* B = M^-1. With recovery, bodies of interactions stay: joints would separate. */
static void mass_metric(ns_rigid_projection *o)
{
  size_t block = ns_rigid_inverse_size(o->motion), size = block * sizeof *o->inverse;
  memcpy(o->own, o->motion->rest, (size_t)o->motion->nbodies * size);
  for (int i = 0; i < o->m->ninteractions && o->recovers; i++)
    for (int k = 0; k < o->m->interactions[i].nsystems; k++)
      memset(o->own + block * (size_t)o->m->interactions[i].systems[k], 0, size);
}

int ns_rigid_projection_create(ns_ctx *c, const ns_rigid_motion *motion, ns_rigid_rows *rows,
                               ns_rigid_contacts *contacts, ns_projecting how,
                               ns_rigid_projection **out)
{
  static const ns_multibody_options exact = {.solver = "auto", .tol = 1e-10};
  const ns_multibody_options sweeps = {.solver = "nsgs",
                                       .tol = RECOVERY_TOLERANCE,
                                       .max_iterations = RECOVERY_SWEEPS,
                                       .team = motion->team};
  const ns_model *m = motion->m;
  int recovers = how == NS_PROJECT_NOT;
  ns_rigid_projection *o = *out = NS_ARENA_OBJECT(ns_rigid_projection, mem);
  if (!o) return ns_nomem(c, "projection");
  *o = (ns_rigid_projection){.mem = o->mem,
                             .m = m,
                             .motion = motion,
                             .rows = rows,
                             .contacts = contacts,
                             .opt = &m->sim.proj,
                             .combined = how == NS_PROJECT_COMBINED,
                             .recovers = recovers};
  o->problem = &o->own_problem;
  ns_rigid_problem_init(o->problem, motion->nbodies, motion->dof, recovers ? 0 : rows->further);
  const ns_array want[] = {{&o->chosen, (size_t)rows->nunits, 1},
                           {&o->zero, m->nv, sizeof *o->zero},
                           {&o->xi, recovers ? 0 : m->nv, sizeof *o->xi},
                           {&o->own, inverse_size(o), sizeof *o->own}};
  size_t count = sizeof want / sizeof *want - (size_t)is_of_motion(o);
  int rc = ns_arena_arrays(o->mem, want, count);
  o->inverse = is_of_motion(o) ? motion->rest : o->own;
  if (!rc && !recovers) rc = ns_rigid_problem_reserve(o->problem, rows->nunits, rows->nrows);
  if (rc) ns_nomem(c, "projection");
  if (!rc) rc = ns_multibody_create(c, recovers ? &sweeps : &exact, &o->solver);
  if (rc) {
    ns_rigid_projection_destroy(o);
    *out = NULL;
    return rc;
  }
  if (!o->own) return NS_OK;
  if (recovers || o->opt->metric == NS_METRIC_MASS) mass_metric(o);
  else identity_metric(o);
  return NS_OK;
}

void ns_rigid_projection_destroy(ns_rigid_projection *o)
{
  if (!o) return;
  ns_rigid_problem_fini(&o->own_problem);
  ns_multibody_destroy(o->solver);
  ns_arena_destroy(o->mem);
}

size_t ns_rigid_projection_bytes(const ns_rigid_projection *o)
{
  if (!o) return 0;
  return ns_arena_used(o->mem) + ns_rigid_problem_bytes(&o->own_problem) +
         ns_multibody_bytes(o->solver);
}

void ns_rigid_projection_take(ns_rigid_projection *o, ns_rigid_problem *problem)
{
  o->problem = problem;
}

void ns_rigid_projection_borrow(ns_rigid_projection *o, ns_multibody_solver *lender)
{
  ns_multibody_borrow(o->solver, lender);
}

/* ---- who takes part -------------------------------------------------------------------------- */

void ns_rigid_projection_activate(ns_rigid_projection *o, const ns_state *x, double h)
{
  for (int a = 0; a < o->rows->nunits; a++)
    o->chosen[a] = ns_projection_chooses(&o->m->sim, x, h, o->rows->unit[a].first);
  ns_rigid_rows_select(o->rows, o->chosen);
  if (o->contacts)
    ns_rigid_contacts_activate(o->contacts, x->v, h, o->opt->unilateral_tol,
                               ns_projection_stays(o->opt));
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
    double before = ns_rigid_contacts_gap_before(o->contacts, &t[i]);
    if (t[i].active || !ns_projection_meets(o->opt, before, t[i].gap)) continue;
    joined = t[i].active = 1;
  }
  if (joined) ns_rigid_rows_select(o->rows, o->chosen);
  return joined;
}

/* ---- one pass -------------------------------------------------------------------------------- */

static int is_loaded(const ns_rigid_problem *velocity, int block)
{
  return velocity && block < velocity->p.nblocks && velocity->r[velocity->row[block]] > 0;
}

static double distance(const ns_rigid_projection *o, double y, int loaded)
{
  return ns_projection_distance(o->opt, 0, o->combined && loaded, y);
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
      look(&w, ns_projection_distance(o->opt, 1, 1, y[i]), y[i], it, NULL);
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

/* `rows` rows of gaps y with these H, and H2 of further bodies; two_sided: y = 0. */
static int add(ns_rigid_projection *o, ns_ctx *c, const int *body, const int *body2, int rows,
               const double *H, const double *H2, const double *y, int two_sided)
{
  ns_rigid_problem *p = o->problem;
  int at = ns_rigid_problem_add(p, NS_BLOCK_BOX, rows, body, body2);
  if (at < 0) return ns_nomem(c, "projection");
  size_t width = 2 * (size_t)p->p.dof, width2 = (size_t)p->further * (size_t)p->p.dof;
  memcpy(p->H + width * (size_t)at, H, width * (size_t)rows * sizeof *H);
  if (body2) memcpy(p->H2 + width2 * (size_t)at, H2, width2 * (size_t)rows * sizeof *H2);
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
  return add(o, c, t->body, NULL, 1, H, NULL, &t->gap, o->combined);
}

/* An active unit: all rows of equalities, the gap of others. */
static int add_unit(ns_rigid_projection *o, ns_ctx *c, const ns_rigid_unit *u, int loaded)
{
  const ns_rigid_rows *R = o->rows;
  size_t at = (size_t)R->dof * (size_t)u->first, more = (size_t)R->further;
  const int *body2 = more ? R->body2 + R->further * u->interaction : NULL;
  const double *H2 = more ? R->H2 + more * at : NULL, *y = R->y + u->first;
  int rows = u->equality ? u->rows : 1;
  if (!u->equality && !(ns_rigid_has_gap(u) && takes_part(o, y[0], loaded))) return NS_OK;
  return add(o, c, R->body + 2 * u->interaction, body2, rows, R->H + 2 * at, H2, y,
             u->equality || o->combined);
}

static int pose(ns_rigid_projection *o, ns_ctx *c, const ns_rigid_problem *velocity)
{
  int rc = NS_OK, n = 0;
  ns_rigid_problem_clear(o->problem, 0);
  for (int k = 0; k < o->rows->na && !rc; k++)
    rc = add_unit(o, c, &o->rows->unit[o->rows->active[k]], is_loaded(velocity, k));
  const ns_rigid_touch *t = o->contacts ? ns_rigid_contacts_list(o->contacts, &n) : NULL;
  for (int i = 0; i < n && !rc; i++)
    if (t[i].active && takes_part(o, t[i].gap, is_loaded(velocity, t[i].block)))
      rc = add_touch(o, c, &t[i]);
  return rc;
}

/* Moves q by the increment xi; lengths are scaled to 1, or a solver would take them for zero. */
static int move(ns_rigid_projection *o, ns_ctx *c, double scale, double *q)
{
  ns_rigid_problem *p = o->problem;
  ns_outcome out;
  ns_divide((size_t)ns_rigid_problem_rows(p), scale, p->b);
  p->p.inverse = o->inverse;
  p->p.diagonal = o->motion->diagonal;
  p->p.symmetric = 1;
  p->p.vfree = o->zero;
  if (o->contacts) p->p.along = ns_rigid_contacts_along(o->contacts);
  double *xi = o->recovers ? o->motion->r : o->xi;
  int rc = ns_rigid_problem_solve(p, o->solver, c, xi, &out);
  if (rc) return rc;
  ns_scale(o->m->nv, scale, xi);
  if (o->motion->dof == 3) ns_axpy(o->m->nq, 1, xi, q);
  for (int i = 0; i < o->m->nsystems && o->motion->dof == 6; i++)
    ns_rigid_move(&o->m->systems[i], 1, xi + o->m->systems[i].v, q + o->m->systems[i].q);
  return NS_OK;
}

static double largest_gap(const ns_rigid_problem *p)
{
  return ns_max_abs((size_t)ns_rigid_problem_rows(p), p->b);
}

static int too_far(const ns_rigid_projection *o, ns_ctx *c, double t, const worst *w)
{
  char a[256], b[256];
  double tol = w->touch || w->it->law.ops->impact ? o->opt->unilateral_tol : o->opt->equality_tol;
  if (w->touch)
    return ns_fail_at(
        c, NS_NUMERIC, &o->m->systems[w->touch->body[0]].at,
        "after %d projections the gap between %s and %s is %.3g m at t = %.10g s, expected "
        "%.3g m at most; the last good state is kept; use a smaller h or a larger tolerance",
        o->opt->passes, ns_rigid_contacts_name(o->contacts, w->touch->a, a, sizeof a),
        ns_rigid_contacts_name(o->contacts, w->touch->b, b, sizeof b), w->y, t, tol);
  return ns_fail_at(c, NS_NUMERIC, &w->it->at,
                    "after %d projections y is %.3g at t = %.10g s, expected %.3g at most; the "
                    "last good state is kept; use a smaller h, a larger tolerance, or look for "
                    "constraints that contradict each other",
                    o->opt->passes, w->y, t, tol);
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
    if (!rc) rc = move(o, c, largest_gap(o->problem), q);
    if (rc) return rc;
    ns_rigid_rows_moved(o->rows);
    *moved = 1;
  }
}

/* ---- recovery of overlaps -------------------------------------------------------------------- */

/* How far below its slack a gap is that the contact does not open by itself; H: its normal row. */
static double excess_of(const ns_rigid_projection *o, const ns_rigid_touch *t, const double *H,
                        const double *v, double h, double slack)
{
  double opens = 0;
  if (ns_rigid_contacts_bounces(o->contacts, t))
    opens = fmax(ns_rigid_row_speed(o->motion->dof, 2, t->body, H, v), 0);
  return fmax(0, -t->gap - slack - STEPS_TO_OPEN * h * opens);
}

/* Rows of all gaps up to `near`; the deepest excess, 0: nothing is to be done. */
static int pose_overlaps(ns_rigid_projection *o, ns_ctx *c, const double *v, double h, double near,
                         double slack, double *deepest)
{
  double H[12], part = o->m->contact.recover;
  int n, rc = NS_OK;
  ns_rigid_problem_clear(o->problem, 1);
  *deepest = 0;
  const ns_rigid_touch *t = ns_rigid_contacts_list(o->contacts, &n);
  for (int i = 0; i < n && !rc; i++) {
    if (!(t[i].gap <= near) || ns_rigid_contacts_keeps_overlap(o->contacts, &t[i])) continue;
    ns_rigid_contacts_gap_row(o->contacts, &t[i], H);
    double excess = excess_of(o, &t[i], H, v, h, slack);
    *deepest = fmax(*deepest, excess);
    double b = excess > 0 ? -part * excess : fmax(t[i].gap + slack, 0);
    rc = add(o, c, t[i].body, NULL, 1, H, NULL, &b, 0);
  }
  return rc;
}

/* The deepest gap of those that do not keep it. */
static double deepest_gap(const ns_rigid_projection *o)
{
  double deepest = 0;
  int n;
  const ns_rigid_touch *t = ns_rigid_contacts_list(o->contacts, &n);
  for (int i = 0; i < n; i++)
    if (t[i].gap < deepest && !ns_rigid_contacts_keeps_overlap(o->contacts, &t[i]))
      deepest = t[i].gap;
  return deepest;
}

int ns_rigid_projection_recover(ns_rigid_projection *o, ns_ctx *c, double *q, const double *v,
                                double h, int *moved)
{
  double slack = SLACK * ns_rigid_contacts_smallest(o->contacts), deepest;
  *moved = 0;
  ns_rigid_contacts_gaps(o->contacts, q);
  double overlap = -deepest_gap(o);
  if (!(overlap > slack)) return NS_OK;
  int rc = pose_overlaps(o, c, v, h, NEAR * overlap, slack, &deepest);
  if (rc || !(deepest > 0)) return rc;
  const struct ns_stop *stop = c->stop;
  c->stop = NULL; /* the step is settled, and ends after these few sweeps */
  rc = move(o, c, deepest, q);
  c->stop = stop;
  *moved = !rc;
  return rc;
}
