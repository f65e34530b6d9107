/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rigid_parts.h"

#include "algebra/vector.h"
#include "simulation/failure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Newton's equations hold to so many residuals of the one-step problem in them. Where impulses are not unique, as of wheels of one axle
 * that push against each other, passes may go from one solution to another for ever, with the same motion: after so many without
 * progress what bends the free velocity stays as it is, their own change is no matter, and the motion alone has to rest. */
enum { SLACK = 10, STALLED = 8 };

/* The interaction or the shapes that block k of the problem is of. */
static void add_block(const ns_rigid_stepping *o, int k, ns_involved *w)
{
  char a[128], b[128], both[300];
  int n = 0;
  if (k < o->rows->na) {
    ns_involved_add(w, o->m, o->rows->unit[o->rows->active[k]].interaction);
    return;
  }
  const ns_rigid_touch *t = ns_rigid_contacts_list(o->contacts, &n);
  for (int i = 0; i < n; i++) {
    if (!t[i].active || t[i].block != k) continue;
    snprintf(both, sizeof both, "%s on %s", ns_rigid_contacts_name(o->contacts, t[i].a, a, sizeof a),
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
    if (block[k]) add_block(o, k, w);
  free(block);
  return 1;
}

int ns_rigid_unsolved(const ns_rigid_stepping *o, ns_ctx *c, const ns_outcome *out)
{
  const char *conflict = o->motion->nheld ? "contacts that contradict each other or the velocities that are prescribed: "
                                          : "contacts that contradict each other: ";
  int rows = ns_rigid_problem_rows(&o->problem);
  ns_involved w = {0}, worst = {0};
  if (out->kind == NS_INFEASIBLE && contradict(o, c, &w))
    return ns_fail_infeasible(c, rows, *o->x->t, w.text, o->motion->nheld > 0);
  for (int k = 0; k < o->rows->na; k++) ns_involved_add(&w, o->m, o->rows->unit[o->rows->active[k]].interaction);
  add_block(o, ns_multibody_worst(&o->problem.p, o->problem.r, o->problem.u), &worst);
  return ns_fail_unsolved(c, o->m, "GenericMechanical", rows, *o->x->t, out, ns_multibody_tolerance(o->solver, &o->problem.p), worst.text,
                          conflict, w.some ? w.text : "those between shapes");
}

/* ---- one pass ------------------------------------------------------------------------------------------------------------ */

/* The problem as a matrix, for those who look at problems. */
static int show(ns_rigid_stepping *o, ns_ctx *c, const double *guess, const ns_outcome *out)
{
  ns_mark mark = ns_arena_mark(o->shown);
  const ns_multibody *p = &o->problem.p;
  ns_blocks W;
  double *q;
  int rc = ns_multibody_reduce(c, p, o->shown, &W, &q);
  if (!rc) {
    ns_mechanical reduced = {.W = &W, .q = q, .kind = p->kind, .mu = p->mu, .mu_rolling = p->mu_rolling, .lb = p->lb, .ub = p->ub};
    o->w->problem(o->w->to, *o->x->step, *o->x->t, &(ns_shown){.mechanical = &reduced, .guess = guess}, out);
  }
  ns_arena_release(o->shown, mark);
  return rc;
}

/* What H_theta pushes differently from H, by the impulses of the pass before, or as it was: it joins the free velocity. */
static void bend(ns_rigid_stepping *o, int as_it_was)
{
  ns_rigid_motion *mo = o->motion;
  size_t dof = (size_t)mo->dof;
  if (!o->rows->bending) return;
  if (!as_it_was) {
    memset(o->bent, 0, o->m->nv * sizeof *o->bent);
    ns_rigid_rows_bend(o->rows, &o->problem, o->bent);
  }
  for (size_t k = 0; k < (size_t)mo->nbodies; k++)
    for (size_t j = 0; j < dof; j++)
      for (size_t i = 0; i < dof; i++) mo->vfree[k * dof + i] += mo->inverse[(k * dof + j) * dof + i] * o->bent[k * dof + j];
}

/* Velocities and impulses from vfree. */
static int solve(ns_rigid_stepping *o, ns_ctx *c, ns_outcome *out)
{
  ns_rigid_motion *mo = o->motion;
  ns_multibody *p = &o->problem.p;
  double *guess = NULL, *r = o->problem.r;
  *out = (ns_outcome){.kind = NS_SOLVED, .solver = "none"};
  if (!p->nblocks) {
    memcpy(mo->v, mo->vfree, o->m->nv * sizeof *mo->v);
    return NS_OK;
  }
  p->inverse = mo->inverse;
  p->symmetric = mo->symmetric;
  p->vfree = mo->vfree;
  size_t n = (size_t)ns_rigid_problem_rows(&o->problem);
  ns_mark mark = o->w ? ns_arena_mark(o->shown) : (ns_mark){0};
  if (o->w && !(guess = ns_arena_copy(o->shown, r, n, sizeof *r))) return ns_nomem(c, "a problem to be shown");
  double start = ns_rigid_clock(o);
  int rc = ns_multibody_solve(o->solver, c, p, r, mo->v, o->problem.u, out);
  if (start > 0) o->shares.solver += ns_rigid_clock(o) - start;
  if (!rc && o->w) rc = show(o, c, guess, out);
  if (o->w) ns_arena_release(o->shown, mark);
  if (rc) return rc;
  if (out->kind != NS_SOLVED && !ns_accept_unsolved(c, o->m, o->x, out)) return ns_rigid_unsolved(o, c, out);
  ns_rigid_problem_impulse(&o->problem, r, o->p);
  for (size_t i = 0; i < o->m->nv && o->rows->bending; i++) o->p[i] += o->bent[i];
  return NS_OK;
}

static int eval_rows(ns_rigid_stepping *o, ns_ctx *c)
{
  ns_rigid_motion *mo = o->motion;
  int rc = ns_rigid_rows_eval(o->rows, c, o->x, mo->t1, mo->q, mo->v, 0);
  int pushed = (!o->rows->bending && !o->rolling) || o->rows->pushed == o->rows->now;
  if (rc || pushed) return rc;
  ns_rigid_motion_place_within(mo);
  rc = ns_rigid_rows_eval_push(o->rows, c, o->x, *o->x->t + mo->theta * mo->h, mo->within, mo->v);
  return rc || !o->rolling ? rc : ns_rigid_contacts_roll_rows(o->contacts, c, mo->within, mo->q);
}

/* H_i . v of the row at the iterate less that of the row as it was solved, and |H_i| |v|: what a pair of bodies adds. */
typedef struct change {
  double d, size;
} change;
static inline void add_change(const ns_rigid_stepping *o, const int *body, const double *is, const double *was, change *x)
{
  int dof = o->rows->dof;
  for (int j = 0; j < (body[1] < 0 ? dof : 2 * dof); j++) {
    double v = o->motion->v[body[j / dof] * dof + j % dof];
    x->d += (is[j] - was[j]) * v;
    x->size += fabs(is[j] * v);
  }
}

/* The one over rtol times the other, of row i of active unit k. */
static double change_of(const ns_rigid_stepping *o, int k, int i)
{
  const ns_time_stepping_options *t = &o->m->sim.ts;
  const ns_rigid_problem *P = &o->problem;
  size_t width = 2 * (size_t)o->rows->dof;
  size_t is = width * (size_t)(o->rows->unit[o->rows->active[k]].first + i), was = width * (size_t)(P->row[k] + i);
  change x = {0};
  add_change(o, P->body + 2 * k, o->rows->H + is, P->H + was, &x);
  if (P->wide && P->body2[2 * k] >= 0) add_change(o, P->body2 + 2 * k, o->rows->H2 + is, P->H2 + was, &x);
  return fabs(x.d) / (t->newton_atol + (t->newton_rtol + 16 * DBL_EPSILON) * x.size);
}

/* How far impulses and velocities are from those of the rows at the new iterate, scaled so that <= 1 is converged:
 * the change of each row and, unless they are not unique, |p(H') - p| / (atol + rtol |p|); rows that stay open do not count. */
static double unsettled(const ns_rigid_stepping *o, int unique)
{
  const ns_time_stepping_options *t = &o->m->sim.ts;
  const ns_rigid_rows *R = o->rows;
  const ns_rigid_problem *P = &o->problem;
  size_t nv = o->m->nv;
  double worst = 0, *d = o->turned; /* p was H^T r + bent */
  for (size_t i = 0; i < nv; i++) d[i] = R->bending ? -o->bent[i] : 0;
  ns_rigid_rows_bend(R, P, d);
  if (o->rolling) worst = ns_rigid_contacts_roll_change(o->contacts, o->motion->v, P, d);
  for (int k = 0; k < R->na; k++) {
    const ns_rigid_unit *u = &R->unit[R->active[k]];
    if (ns_rigid_has_gap(u) && P->r[P->row[k]] == 0 && P->u[P->row[k]] > 0) continue;
    for (int i = 0; i < u->rows; i++) {
      double e = change_of(o, k, i);
      if (!(e <= worst)) worst = e;
    }
  }
  if (!unique) return worst;
  double e = ns_norm(nv, d) / (t->newton_atol + (t->newton_rtol + 16 * DBL_EPSILON) * ns_norm(nv, o->p));
  return e <= worst ? worst : e;
}

static int is_one_pass(const ns_rigid_stepping *o) { return o->one_pass && !o->rolling; }

/* What depends on the new velocities, and how far they are from the solution. */
static int advance(ns_rigid_stepping *o, ns_ctx *c, int unique, double *residual)
{
  ns_rigid_motion *mo = o->motion;
  int rc = ns_rigid_motion_iterate(mo, c);
  ns_rigid_rows_moved(o->rows);
  *residual = 0;
  if (rc || is_one_pass(o)) return rc;
  *residual = ns_rigid_motion_residual(mo, o->p);
  int rows_move = (o->rows->moving && o->rows->na) || o->rolling;
  if (o->m->sim.ts.newton_absolute || !rows_move) return NS_OK;
  rc = eval_rows(o, c);
  double moved = rc ? 0 : unsettled(o, unique);
  if (!(moved <= *residual)) *residual = moved;
  return rc;
}

static int diverged(const ns_rigid_stepping *o, ns_ctx *c, double residual)
{
  char of[128];
  const char *id = ns_rigid_motion_worst(o->motion, o->p)->at.id;
  snprintf(of, sizeof of, ", its motion worst of %s,", id ? id : "a body without id");
  return ns_fail_newton(c, *o->x->t, residual, of, o->m->sim.ts.newton_max);
}

static int end(ns_rigid_stepping *o)
{
  if (o->rolling) ns_rigid_contacts_roll_end(o->contacts, &o->problem);
  return NS_OK;
}

int ns_rigid_newton(ns_rigid_stepping *o, ns_ctx *c, ns_step_report *report)
{
  ns_rigid_motion *mo = o->motion;
  const ns_time_stepping_options *t = &o->m->sim.ts;
  double residual = 0, least = INFINITY;
  int iterations = 0, idle = 0, stalled = 0, rested; /* idle: passes since the residual was last less */
  ns_outcome out;
  if (!o->problem.p.nblocks) memset(o->p, 0, o->m->nv * sizeof *o->p);
  for (int it = 1; it <= t->newton_max; it++) {
    int rc = eval_rows(o, c);
    if (!rc) rc = ns_rigid_motion_free(mo, c);
    if (rc) return rc;
    ns_rigid_rows_fill(o->rows, o->x, &o->problem);
    if (o->rolling) ns_rigid_contacts_roll_fill(o->contacts, mo->v, &o->problem);
    rested = stalled;
    stalled |= idle >= STALLED && !t->newton_absolute;
    bend(o, rested);
    rc = solve(o, c, &out);
    if (rc) return rc;
    iterations += out.iterations;
    rc = advance(o, c, !stalled, &residual);
    if (rc) return rc;
    if (!t->newton_absolute) residual /= 1 + SLACK * out.residual / (t->newton_rtol + DBL_EPSILON); /* impulses are not known better */
    *report = (ns_step_report){.newton = it, .newton_residual = residual, .iterations = iterations, .residual = out.residual,
                               .active = ns_rigid_problem_rows(&o->problem), .unsolved = out.kind != NS_SOLVED};
    if (is_one_pass(o) || t->newton_linear || residual <= 1) return end(o);
    idle = residual < least ? 0 : idle + 1;
    least = fmin(least, residual);
    if (isnan(residual)) break;
  }
  if (isnan(residual)) return ns_rigid_motion_commit(mo, c, o->x, o->p); /* which has a better sentence */
  if (!ns_accept_newton(c, o->m, o->x, residual)) return diverged(o, c, residual);
  report->unsolved = 1;
  return end(o);
}
