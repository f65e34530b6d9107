/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switching_jump.c -- a state that contradicts its laws jumps onto them.
 *
 * Multipliers that have no bound on one side at least may give impulses: with y outside of its law
 *
 *   x+ = x + M^-1 B p,   y+ = y + C M^-1 B p,   -y+ in N_K(p),   K = [0, inf), (-inf, 0] or all
 *                        numbers
 *
 * which for passive systems is the state nearest to x in the metric of the stored energy (Heemels,
 * Schumacher & Weiland 2000; Camlibel et al. 2002), and what time-stepping comes to as h -> 0. Of
 * linear relations alone.
 *
 * A row with D may give one together with others where their D cancel, as two diodes in series
 * across a charged capacitor, or a switch that closes a loop of capacitors: then p = h lambda of a
 * step h that is short,
 *
 *   w = y + (C M^-1 B + D / h) p,   -w in N_K(p)
 *
 * whose p stay where there are impulses and vanish as h where there are none. Two such steps, one
 * of a tenth of the other, tell, and from both of them follow the impulses but for terms of second
 * order. */
#include "algebra/vector.h"
#include "simulation/events/switching_parts.h"

#include <math.h>
#include <string.h>

static const double SHORT = 1e-5;     /* largest entry of C M^-1 B by that of D / h */
static const double SHORTER = 10;     /* the second step, of two */
static const double IMPULSIVE = 1e-8; /* of the largest scaled impulse: what is below it is none */

static const double LEFT = 1e-7;      /* of y before a jump of rows with D: after it that is 0 */
static const double TOLERANCE = 1e-6; /* of a problem whose solutions are as large as 1 / SHORT */

static int may_jump(const switching *o, int r)
{
  return !(isfinite(o->lb[r]) && isfinite(o->ub[r])) && o->k->linear;
}

int ns_sw_problem_get(switching *o, ns_ctx *c, ns_sw_problem *j, size_t n, const char *what)
{
  j->row = ns_arena_zero(o->run.mem, n, sizeof *j->row);
  j->M = ns_arena_zero(o->run.mem, n * n + 6 * n, sizeof *j->M);
  if (!j->row || !j->M) return ns_nomem(c, what);
  j->q = j->M + n * n;
  j->p = j->q + n;
  j->w = j->p + n;
  j->lb = j->w + n;
  j->ub = j->lb + n;
  j->scale = j->ub + n;
  return NS_OK;
}

int ns_sw_problem_solver(ns_ctx *c, ns_sw_problem *j, double tol, const double *lb,
                         const double *ub)
{
  size_t n = (size_t)j->n;
  ns_avi_capacity cap = {.n = j->n, .nnz = n * n, .lb = lb, .ub = ub};
  ns_lcp_options options = ns_lcp_defaults();
  options.tol = tol;
  return (j->ops = ns_avi_solver_find("auto"))->create(c, &cap, &options, &j->solver);
}

int ns_sw_jump_create(switching *o, ns_ctx *c)
{
  ns_sw_problem *j = &o->jump;
  int rows = o->k->nrows, n = 0;
  for (int r = 0; r < rows; r++) n += may_jump(o, r);
  if (!n) return NS_OK;
  int rc = ns_sw_problem_get(o, c, j, (size_t)n, "jumps of the state");
  if (rc) return rc;
  for (int r = 0; r < rows; r++) {
    if (!may_jump(o, r)) continue;
    j->lb[j->n] = isfinite(o->lb[r]) ? 0 : -INFINITY;
    j->ub[j->n] = isfinite(o->ub[r]) ? 0 : INFINITY;
    j->row[j->n++] = r;
  }
  return ns_sw_problem_solver(c, j, TOLERANCE, j->lb, j->ub);
}

void ns_sw_problems_destroy(switching *o)
{
  ns_sw_problem *both[] = {&o->jump, &o->probe};
  for (int k = 0; k < 2; k++)
    if (both[k]->ops) both[k]->ops->destroy(both[k]->solver);
}

/* How far y is outside of what the law allows. */
static double outside(const switching *o, int r)
{
  double y = o->x->y[r];
  int is_allowed = isfinite(y > 0 ? o->lb[r] : o->ub[r]);
  return is_allowed ? 0 : fabs(y);
}

/* Rows that D acts on are among them. */
static int any_direct(const switching *o)
{
  for (int k = 0; k < o->jump.n; k++)
    if (o->direct[o->jump.row[k]]) return 1;
  return 0;
}

/* y without what multipliers of this instant add to it. */
static double static_y(const switching *o, int r)
{
  return o->x->y[r] - ns_rows_dot(&o->k->D, r, o->x->lambda);
}

/* 1 / h of a step that is `shorter` times shorter than SHORT makes it; 0 where there is no D. */
static double inverse_of_step(switching *o, double shorter, int *rc)
{
  ns_sw_problem *j = &o->jump;
  const ns_rows *D = &o->k->D;
  double inertia = 0, direct = 0;
  *rc = ns_sw_problem_matrix(o, j, 1, 0);
  inertia = fmax(inertia, ns_max_abs((size_t)(j->n * j->n), j->M));
  for (int k = 0; k < j->n; k++)
    for (int e = D->ptr[j->row[k]]; e < D->ptr[j->row[k] + 1]; e++)
      direct = fmax(direct, fabs(D->val[e]));
  return direct > 0 ? inertia / (SHORT * direct) * shorter : 0;
}

/* Impulses p of the jump rows. */
static int solve(switching *o, double shorter)
{
  ns_sw_problem *j = &o->jump;
  int rc;
  double inverse = inverse_of_step(o, shorter, &rc);
  j->coupled = inverse > 0;
  if (!rc) rc = ns_sw_problem_matrix(o, j, 1, inverse);
  for (int k = 0; k < j->n; k++) j->q[k] = static_y(o, j->row[k]);
  if (!rc) rc = ns_sw_problem_solve(o, j, NULL, NULL);
  for (int k = 0; k < j->n; k++) j->p[k] *= j->scale[k] * j->size;
  return rc;
}

/* dx of the impulses to o->b. */
static void leap(switching *o, int *rc)
{
  const ns_sw_problem *j = &o->jump;
  memset(o->b, 0, o->m->nq * sizeof *o->b);
  for (int k = 0; k < j->n; k++) ns_rows_add(&o->k->B, j->row[k], j->p[k], o->b);
  *rc = ns_sw_leap(o);
}

/* What is below the largest of the scaled impulses by much is none. */
static void clean(ns_sw_problem *j)
{
  double max = 0;
  for (int k = 0; k < j->n; k++) max = fmax(max, fabs(j->p[k]) / j->scale[k]);
  for (int k = 0; k < j->n; k++)
    if (fabs(j->p[k]) / j->scale[k] < IMPULSIVE * max) j->p[k] = 0;
}

/* p of a step and `longer` of that which is SHORTER times as long: to those of no step at all,
 * which are impulses. */
static void extrapolate(ns_sw_problem *j, const double *longer)
{
  for (int k = 0; k < j->n; k++) j->p[k] -= (longer[k] - j->p[k]) / (SHORTER - 1);
  clean(j);
}

/* Impulses of rows with D, too, and their leap in o->b. 0: not found. */
static int solve_coupled(switching *o, int *rc)
{
  ns_sw_problem *j = &o->jump;
  double *longer = o->rhs;
  *rc = solve(o, 1);
  if (*rc || !j->solved) return 0;
  memcpy(longer, j->p, (size_t)j->n * sizeof *longer);
  *rc = solve(o, SHORTER);
  if (*rc || !j->solved) return 0;
  extrapolate(j, longer);
  leap(o, rc);
  return !*rc;
}

/* Of the leap in o->b: its largest component. */
static double length(const switching *o) { return ns_max_abs(o->m->nq, o->b); }

static void warn(switching *o, int r, double p)
{
  enum { TOLD = 5 };
  static const double located = 1.001; /* an event is a little behind its root */
  char at[512];
  if (fabs(o->x->y[r]) <= located * o->m->interactions[o->k->interaction[r]].cut) return;
  if (++o->leaps > TOLD) return;
  ns_warn(o->run.c,
          "%s: y = %.6g contradicts its law at t = %.10g s: the state jumps by the input of an "
          "impulse of lambda of %.6g%s",
          ns_event_run_place(&o->run, r, at), o->x->y[r], *o->x->t, p,
          o->leaps == TOLD ? "; further jumps are not reported" : "");
}

/* Row r, without D, is outside of what its law allows. */
static int is_broken(const switching *o, int r)
{
  return !o->direct[r] && outside(o, r) > ns_sw_touch(o, r) + o->search.reach[r];
}

static int contradicts(const switching *o)
{
  const ns_sw_problem *j = &o->jump;
  for (int k = 0; k < j->n; k++)
    if (is_broken(o, j->row[k])) return 1;
  return 0;
}

/* Rows are outside by less than what rows with D move them by in the short steps, which therefore
 * tell no impulse of them: each by one of its own, to which `finish` adds what they need together.
 * 0: they do not move their y. */
static int own_impulses(switching *o, int *rc)
{
  ns_sw_problem *j = &o->jump;
  int any = 0;
  *rc = ns_sw_problem_matrix(o, j, 1, 0);
  for (int k = 0; k < j->n; k++) {
    double own = j->M[k + k * j->n];
    int acts = is_broken(o, j->row[k]) && own != 0;
    j->p[k] = acts ? -o->x->y[j->row[k]] / own : 0;
    any |= acts;
  }
  return !*rc && any;
}

/* The impulses act; the rows that give them take part in the event. */
static int apply(switching *o)
{
  const ns_sw_problem *j = &o->jump;
  double far = 0;
  int rc;
  leap(o, &rc);
  for (int k = 0; k < j->n; k++) far = fmax(far, fabs(o->outside[j->row[k]]));
  if (!rc) ns_axpy(o->m->nq, 1, o->b, o->x->q);
  for (int k = 0; k < j->n && !rc; k++) {
    if (j->p[k] == 0) continue;
    o->fired[j->row[k]] = o->search.ask[j->row[k]] = 1;
    if (j->coupled) o->search.reach[j->row[k]] = LEFT * far;
    warn(o, j->row[k], j->p[k]);
  }
  return rc;
}

/* The rows that give an impulse are held, others are not. What the problem left of y after the
 * jump, as its tolerance and its steps have it, is taken away by impulses of the same rows, which
 * are added to p. */
static int finish(switching *o)
{
  ns_sw_problem *j = &o->jump;
  unsigned char *mode = o->x->mode, *kept = o->search.base;
  size_t rows = o->m->nrows;
  memcpy(kept, mode, rows);
  for (size_t r = 0; r < rows; r++)
    if (isfinite(o->lb[r]) || isfinite(o->ub[r]))
      mode[r] = isfinite(o->lb[r]) ? NS_SIDE_LOWER : NS_SIDE_UPPER;
  for (int k = 0; k < j->n; k++)
    if (j->p[k] != 0) mode[j->row[k]] = NS_SIDE_BETWEEN;
  ns_sw_forget(o);
  int rc = ns_sw_strike(o, o->stencil);
  for (int k = 0; k < j->n && !rc; k++) j->p[k] += o->stencil[j->row[k]];
  memcpy(mode, kept, rows);
  ns_sw_forget(o);
  return rc;
}

int ns_sw_jump_state(switching *o, int direct)
{
  ns_sw_problem *j = &o->jump;
  int rc = NS_OK, broken = contradicts(o), coupled = any_direct(o);
  j->made = 0;
  memcpy(o->entered, o->x->q, o->m->nq * sizeof *o->entered);
  if (coupled && (direct || broken)) {
    int solved = solve_coupled(o, &rc);
    j->made = solved && length(o) > o->opt->gap_tol;
    if (solved && !j->made && broken) j->made = own_impulses(o, &rc);
  } else if (broken) {
    rc = solve(o, 1);
    j->made = !rc && j->solved; /* where not, the search for a mode says that there is none */
  }
  if (rc || !j->made) return rc;
  memcpy(o->outside, o->x->y, o->m->nrows * sizeof *o->outside);
  rc = apply(o);
  if (!rc) rc = finish(o);
  return rc ? rc : ns_sw_output(o);
}
