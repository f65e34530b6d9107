/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/step/rigid_parts.h"

#include "algebra/vector.h"
#include "model/check/diagnose.h"
#include "model/laws/problem.h"
#include "simulation/step/failure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ns_rigid_involve(const ns_rigid_stepping *o, int k, ns_involved *w)
{
  char a[128], b[128], both[300];
  int n = 0;
  if (k < o->rows->na) {
    ns_involved_add(w, o->s.m, o->rows->unit[o->rows->active[k]].interaction);
    return;
  }
  const ns_rigid_touch *t = ns_rigid_contacts_list(o->contacts, &n);
  for (int i = 0; i < n; i++) {
    if (!t[i].active || t[i].block != k) continue;
    snprintf(both, sizeof both, "%s on %s",
             ns_rigid_contacts_name(o->contacts, t[i].a, a, sizeof a),
             ns_rigid_contacts_name(o->contacts, t[i].b, b, sizeof b));
    ns_involved_text(w, both);
    return;
  }
}

/* Blocks that contradict each other, where that is why there is no solution. 0: no such. */
static int contradict(const ns_rigid_stepping *o, ns_ctx *c, ns_involved *w)
{
  const ns_multibody *p = &o->problem.p;
  unsigned char *block = calloc((size_t)p->nblocks + 1, 1);
  if (!block || !ns_multibody_conflict(o->solver, c, p, block)) {
    free(block);
    return 0;
  }
  for (int k = 0; k < p->nblocks; k++)
    if (block[k]) ns_rigid_involve(o, k, w);
  free(block);
  return 1;
}

/* Its interaction, or a body whose shape it is of. */
static const ns_place *place_of(const ns_rigid_stepping *o, int k)
{
  int n = 0;
  if (k < o->rows->na)
    return &o->s.m->interactions[o->rows->unit[o->rows->active[k]].interaction].at;
  const ns_rigid_touch *t = ns_rigid_contacts_list(o->contacts, &n);
  for (int i = 0; i < n; i++)
    if (t[i].active && t[i].block == k) return &o->s.m->systems[t[i].body[0]].at;
  return &o->s.m->sim.at;
}

/* What is not finite in the problem comes from a function, or the iterate is not. */
static int not_finite(const ns_rigid_stepping *o, ns_ctx *c)
{
  const ns_rigid_motion *mo = o->motion;
  const ns_state *x = o->s.x;
  ns_moment at = {
      .from = *x->t, .t = mo->t1, .q = mo->q, .v = x->v, .z = x->z, .q0 = x->q, .angle = x->angle};
  return ns_fail_function(c, o->s.m, &at);
}

/* The problem where no contact rebounds: b >= 0 in the normal rows of those with friction. */
static void take_rebounds(const ns_multibody *p, double *b)
{
  for (int k = 0; k < p->nblocks; k++)
    if (p->kind[k] != NS_BLOCK_BOX && p->mu[k] > 0) b[p->row[k]] = fmax(b[p->row[k]], 0);
}

/* 1 where the problem is solved without rebounds (failure.h). */
static int is_wedged(ns_rigid_stepping *o, ns_ctx *c)
{
  ns_rigid_problem *p = &o->problem;
  size_t n = (size_t)ns_rigid_problem_rows(p), nv = (size_t)(p->p.nbodies * p->p.dof);
  double *kept = calloc(3 * n + nv + 1, sizeof *kept);
  ns_outcome out = {.kind = NS_NOT_FINITE};
  if (!kept) return 0;
  memcpy(kept, p->b, n * sizeof *kept);
  memcpy(kept + n, p->r, n * sizeof *kept);
  memcpy(kept + 2 * n, p->u, n * sizeof *kept);
  take_rebounds(&p->p, p->b);
  memset(p->r, 0, n * sizeof *p->r);
  int changed = memcmp(kept, p->b, n * sizeof *kept) != 0;
  int rc = changed ? ns_rigid_problem_solve(p, o->solver, c, kept + 3 * n, &out) : 0;
  memcpy(p->b, kept, n * sizeof *kept);
  memcpy(p->r, kept + n, n * sizeof *kept);
  memcpy(p->u, kept + 2 * n, n * sizeof *kept);
  free(kept);
  return changed && !rc && out.kind == NS_SOLVED;
}

int ns_rigid_unsolved(void *self, ns_ctx *c, const ns_outcome *out)
{
  ns_rigid_stepping *o = self;
  int rc = out->kind == NS_NOT_FINITE ? not_finite(o, c) : NS_OK;
  if (rc) return rc;
  ns_involved w = {0}, what = {0};
  int worst = ns_rigid_problem_worst(&o->problem);
  ns_unsolved_problem p = {.problem = ns_model_problem(o->s.m),
                           .rows = ns_rigid_problem_rows(&o->problem),
                           .t = *o->s.x->t,
                           .tolerance = ns_multibody_tolerance(o->solver, &o->problem.p),
                           .worst = place_of(o, worst)};
  p.look_for = o->motion->nheld
                   ? "contacts that contradict each other or the velocities that are prescribed: "
                   : "contacts that contradict each other: ";
  int contradicts = out->kind == NS_INFEASIBLE && contradict(o, c, &w);
  p.whose = w.text;
  if (contradicts) return ns_fail_infeasible(c, &p, o->motion->nheld > 0);
  for (int k = 0; k < o->rows->na; k++)
    ns_involved_add(&w, o->s.m, o->rows->unit[o->rows->active[k]].interaction);
  if (!w.some) p.whose = "those between shapes";
  ns_rigid_involve(o, worst, &what);
  p.what = what.text;
  if (out->kind != NS_NOT_FINITE && is_wedged(o, c)) p.look_for = ns_is_wedged;
  return ns_fail_unsolved(c, o->s.m, &p, out);
}

/* ---- one pass -------------------------------------------------------------------------------- */

/* The problem as a matrix, for those who look at problems. */
static int show(ns_rigid_stepping *o, ns_ctx *c, const double *guess, const ns_outcome *out)
{
  ns_mark mark = ns_arena_mark(o->s.mem);
  const ns_multibody *p = &o->problem.p;
  ns_blocks W;
  double *q;
  int rc = ns_multibody_reduce(c, p, o->s.mem, &W, &q);
  if (!rc) {
    ns_mechanical reduced = {.W = &W,
                             .q = q,
                             .kind = p->kind,
                             .mu = p->mu,
                             .mu_rolling = p->mu_rolling,
                             .lb = p->lb,
                             .ub = p->ub};
    o->s.w->problem(o->s.w->to, *o->s.x->step, *o->s.x->t,
                    &(ns_shown){.mechanical = &reduced, .guess = guess}, out);
  }
  ns_arena_release(o->s.mem, mark);
  return rc;
}

/* Impulses that the problem does not know: of rows that push differently, of bonds. */
static int bends(const ns_rigid_stepping *o) { return o->rows->bending || o->bonded; }
static void add_bent(const ns_rigid_stepping *o, double *impulse)
{
  if (o->rows->bending) ns_rigid_rows_bend(o->rows, &o->problem, impulse);
  if (o->bonded) ns_rigid_contacts_pull(o->contacts, &o->problem, impulse);
}

void ns_rigid_bend(ns_rigid_stepping *o, int as_it_was)
{
  if (as_it_was) return;
  memset(o->bent, 0, o->s.m->nv * sizeof *o->bent);
  add_bent(o, o->bent);
}

/* What H_theta pushes differently from H, by the impulses of the pass before, or as it was: it
 * joins the free velocity. */
static void bend(ns_rigid_stepping *o, int as_it_was)
{
  ns_rigid_motion *mo = o->motion;
  if (!bends(o)) return;
  ns_rigid_bend(o, as_it_was);
  ns_rigid_motion_push(mo, o->bent);
}

void ns_rigid_impulse(ns_rigid_stepping *o)
{
  ns_rigid_problem_impulse(&o->problem, o->problem.r, o->p);
  if (bends(o)) ns_axpy(o->s.m->nv, 1, o->bent, o->p);
}

/* The impulses of the pass before solve this problem too: where solutions are not unique, another
 * one would only move the iterate. */
static int still_solves(ns_rigid_stepping *o, ns_outcome *out)
{
  double over_q, residual;
  int rc = ns_rigid_problem_residual(&o->problem, o->motion->v, &over_q, &residual);
  if (rc || !(residual <= ns_multibody_tolerance(o->solver, &o->problem.p))) return 0;
  *out = (ns_outcome){
      .kind = NS_SOLVED, .solver = "impulses of the pass before", .residual = residual};
  return 1;
}

/* Velocities and impulses from vfree. */
static int solve(ns_rigid_stepping *o, ns_ctx *c, int keep, ns_outcome *out)
{
  ns_rigid_motion *mo = o->motion;
  ns_multibody *p = &o->problem.p;
  double *guess = NULL, *r = o->problem.r;
  *out = (ns_outcome){.kind = NS_SOLVED, .solver = "none"};
  if (!p->nblocks) {
    memcpy(mo->v, mo->vfree, o->s.m->nv * sizeof *mo->v);
    return NS_OK;
  }
  p->inverse = mo->inverse;
  p->diagonal = mo->diagonal;
  p->groups = mo->joined ? &mo->groups : NULL;
  p->symmetric = mo->symmetric;
  p->vfree = mo->vfree;
  p->start = o->s.x->v;
  p->along = o->contacts ? ns_rigid_contacts_along(o->contacts) : NULL;
  size_t n = (size_t)ns_rigid_problem_rows(&o->problem);
  if (o->s.attempt == NS_RIGID_FROM_ZERO) memset(r, 0, n * sizeof *r);
  p->plain = o->s.attempt > NS_RIGID_FROM_ZERO;
  ns_mark mark = o->s.w ? ns_arena_mark(o->s.mem) : (ns_mark){0};
  if (o->s.w && !(guess = ns_arena_copy(o->s.mem, r, n, sizeof *r)))
    return ns_nomem(c, "a problem to be shown");
  double start = ns_rigid_clock(o);
  int rc = keep && still_solves(o, out)
               ? NS_OK
               : ns_rigid_problem_solve(&o->problem, o->solver, c, mo->v, out);
  o->shares.solver += ns_rigid_since(start);
  if (!rc && o->s.w) rc = show(o, c, guess, out);
  if (o->s.w) ns_arena_release(o->s.mem, mark);
  return rc;
}

int ns_rigid_solve(void *self, ns_ctx *c, ns_pass *p)
{
  ns_rigid_stepping *o = self;
  int rc = ns_rigid_eval_rows(o, c);
  if (!rc) rc = ns_rigid_motion_free(o->motion, c);
  if (!rc) rc = ns_rigid_motion_join(o->motion, c, o->problem.p.nblocks > 0);
  if (rc) return rc;
  ns_rigid_fill(o);
  bend(o, p->rested);
  o->problem.p.tol = p->tol;
  return solve(o, c, p->stalled && o->s.attempt == NS_RIGID_LAST, &p->out);
}

int ns_rigid_eval_rows(ns_rigid_stepping *o, ns_ctx *c)
{
  ns_rigid_motion *mo = o->motion;
  int rc = ns_rigid_rows_eval(o->rows, c, o->s.x, mo->t1, mo->q, mo->v, 0);
  int follows = o->rows->bending || o->rolling == NS_ROLLING_FOLLOWED ||
                (o->rolling && !o->foreseen);
  if (rc || !follows || o->rows->pushed == o->rows->now) return rc;
  o->foreseen = 1;
  ns_rigid_motion_place_within(mo);
  rc = ns_rigid_rows_eval_push(o->rows, c, o->s.x, *o->s.x->t + mo->part_within * mo->h, mo->within,
                               mo->v);
  return rc || !o->rolling ? rc : ns_rigid_contacts_roll_rows(o->contacts, c, mo->within, mo->q);
}

/* H_i . v of the row at the iterate less that of the row as it was solved, |H_i| |v|, and its speed
 * for bodies that move by their radius of gyration and turn by 1 rad in 1 s: what up to n bodies
 * add. `turns`: |H| |v| of rotations as vectors. Entries of a row that is across the axis of a turn
 * cancel, and are known to the rounding of the others. */
typedef struct change {
  double d, size, unit, turns;
} change;
static inline void add_change(const ns_rigid_stepping *o, int n, const int *body, const double *is,
                              const double *was, change *x)
{
  int dof = o->rows->dof, linear = dof == 6 ? 3 : 2;
  size_t rest = (size_t)(dof - linear);
  while (n > 0 && body[n - 1] < 0) n--;
  for (int k = 0; k < n; k++)
    x->turns += ns_norm(rest, is + k * dof + linear) *
                ns_norm(rest, o->motion->v + body[k] * dof + linear);
  for (int j = 0; j < n * dof; j++) {
    double v = o->motion->v[body[j / dof] * dof + j % dof];
    x->d += (is[j] - was[j]) * v;
    x->size += fabs(is[j] * v);
    x->unit += fabs(is[j]) * ns_rigid_motion_lever(o->motion, body[j / dof], j % dof);
  }
}

/* The one over rtol times the other, of row i of active unit k. */
static double change_of(const ns_rigid_stepping *o, int k, int i)
{
  const ns_time_stepping_options *t = &o->s.m->sim.ts;
  const ns_rigid_problem *P = &o->problem;
  size_t dof = (size_t)o->rows->dof, n = (size_t)P->further;
  size_t is = dof * (size_t)(o->rows->unit[o->rows->active[k]].first + i),
         was = dof * (size_t)(P->row[k] + i);
  change x = {0};
  add_change(o, 2, P->body + 2 * k, o->rows->H + 2 * is, P->H + 2 * was, &x);
  if (n)
    add_change(o, P->further, P->body2 + P->further * k, o->rows->H2 + n * is, P->H2 + n * was, &x);
  return fabs(x.d) / (t->newton_atol * fmin(1, x.unit) +
                      (t->newton_rtol + 16 * DBL_EPSILON) * x.size + 16 * DBL_EPSILON * x.turns);
}

/* |p(H') - p| / (atol + rtol |p|) stands for the change of impulses; rows that stay open do not
 * count. */
double ns_rigid_unsettled(const ns_rigid_stepping *o, int unique)
{
  const ns_time_stepping_options *t = &o->s.m->sim.ts;
  const ns_rigid_rows *R = o->rows;
  const ns_rigid_problem *P = &o->problem;
  size_t nv = o->s.m->nv;
  double worst = 0, *d = o->turned; /* p was H^T r + bent */
  for (size_t i = 0; i < nv; i++) d[i] = bends(o) ? -o->bent[i] : 0;
  ns_rigid_rows_bend(R, P, d);
  if (o->bonded) ns_rigid_contacts_pull(o->contacts, P, d);
  if (o->complying) worst = ns_rigid_contacts_comply_change(o->contacts, o->motion->v, P);
  if (o->rolling)
    worst = fmax(worst, ns_rigid_contacts_roll_change(o->contacts, o->motion->v, P, d));
  for (int k = 0; k < R->na; k++) {
    const ns_rigid_unit *u = &R->unit[R->active[k]];
    if (ns_rigid_has_gap(u) && P->r[P->row[k]] == 0 && P->u[P->row[k]] > 0) continue;
    for (int i = 0; i < u->rows; i++) {
      double e = change_of(o, k, i);
      if (!(e <= worst)) worst = e;
    }
  }
  if (!unique) return worst;
  const ns_rigid_motion *mo = o->motion;
  double e = ns_rigid_motion_norm(mo, d) /
             (t->newton_atol * mo->unit +
              (t->newton_rtol + 16 * DBL_EPSILON) * ns_rigid_motion_norm(mo, o->p));
  return e <= worst ? worst : e;
}

/* What depends on the new velocities, and how far they are from the solution. */
int ns_rigid_advance(void *self, ns_ctx *c, ns_pass *p)
{
  ns_rigid_stepping *o = self;
  ns_rigid_motion *mo = o->motion;
  if (o->problem.p.nblocks) ns_rigid_impulse(o);
  p->active = ns_rigid_problem_rows(&o->problem);
  int rc = ns_rigid_motion_iterate(mo, c);
  ns_rigid_rows_moved(o->rows);
  p->residual = 0;
  if (rc || o->s.one_pass) return rc;
  p->residual = ns_rigid_motion_residual(mo, o->p);
  if (o->s.unscaled || !ns_rigid_rows_move(o)) return NS_OK;
  rc = ns_rigid_eval_rows(o, c);
  double moved = rc ? 0 : ns_rigid_unsettled(o, !p->stalled);
  if (!(moved <= p->residual)) p->residual = moved;
  return rc;
}

void ns_rigid_suspects(const ns_rigid_stepping *o, ns_suspect *w)
{
  const ns_rigid_rows *R = o->rows;
  for (int k = 0; k < R->na; k++) {
    const ns_rigid_unit *u = &R->unit[R->active[k]];
    const ns_interaction *it = &o->s.m->interactions[u->interaction];
    for (int i = 0; i < u->rows; i++)
      ns_suspect_row(w, it, u->first + i - (int)it->row, change_of(o, k, i));
  }
}

int ns_rigid_diverged(void *self, ns_ctx *c, double residual, ns_suspect *w)
{
  const ns_rigid_stepping *o = self;
  if (isnan(residual)) return ns_rigid_motion_blame(o->motion, c);
  ns_rigid_motion_suspects(o->motion, o->p, w);
  if (o->rows->moving && !o->s.unscaled) ns_rigid_suspects(o, w);
  return NS_OK;
}

void ns_rigid_end(void *self)
{
  ns_rigid_stepping *o = self;
  if (o->s.m->nbonds) ns_rigid_rows_settle(o->rows, &o->problem);
  if (o->rolling) ns_rigid_contacts_roll_end(o->contacts, &o->problem);
  if (o->bonded) ns_rigid_contacts_settle(o->contacts, &o->problem);
}

void ns_rigid_fill(ns_rigid_stepping *o)
{
  ns_rigid_rows_fill(o->rows, o->s.x, &o->problem);
  if (o->rolling) ns_rigid_contacts_roll_fill(o->contacts, o->motion->v, &o->problem);
  if (o->contacts) ns_rigid_contacts_comply_fill(o->contacts, o->motion->v, &o->problem);
}
