/* SPDX-License-Identifier: GPL-3.0-or-later */
/* switching_jump.c -- a state that contradicts its laws jumps onto them.
 *
 * Rows without D whose multipliers have no bound on one side at least may give impulses: with y outside of its law
 *
 *   x+ = x + M^-1 B p,   y+ = y + C M^-1 B p,   -y+ in N_K(p),   K = [0, inf), (-inf, 0] or all numbers
 *
 * which for passive systems is the state nearest to x in the metric of the stored energy (Heemels, Schumacher & Weiland 2000;
 * Camlibel et al. 2002), and what time-stepping comes to as h -> 0. Of linear relations alone. */
#include "simulation/switching_parts.h"

#include <math.h>
#include <string.h>

static int may_jump(const switching *o, int r)
{
  return !o->direct[r] && !(isfinite(o->lb[r]) && isfinite(o->ub[r])) && o->k->linear;
}

int ns_sw_problem_get(switching *o, ns_ctx *c, ns_sw_problem *j, size_t n, const char *what)
{
  j->row = ns_arena_zero(o->mem, n, sizeof *j->row);
  j->M = ns_arena_zero(o->mem, n * n + 5 * n, sizeof *j->M);
  if (!j->row || !j->M) return ns_nomem(c, what);
  j->q = j->M + n * n;
  j->p = j->q + n;
  j->w = j->p + n;
  j->lb = j->w + n;
  j->ub = j->lb + n;
  return NS_OK;
}

int ns_sw_problem_solver(ns_ctx *c, ns_sw_problem *j, size_t n, const double *lb, const double *ub)
{
  ns_avi_capacity cap = {.n = (int)n, .nnz = n * n, .lb = lb, .ub = ub};
  return (j->ops = ns_avi_solver_find("auto"))->create(c, &cap, NULL, &j->solver);
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
  return ns_sw_problem_solver(c, j, (size_t)n, j->lb, j->ub);
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
  return y > 0 ? isfinite(o->lb[r]) ? 0 : y : isfinite(o->ub[r]) ? 0 : -y;
}

static int solve(switching *o, ns_outcome *out)
{
  ns_sw_problem *j = &o->jump;
  int n = j->n, rc = NS_OK;
  for (int k = 0; k < n && !rc; k++) {
    rc = ns_sw_response(o, *o->x->t, j->row[k]);
    for (int i = 0; i < n; i++) j->M[i + k * n] = ns_rows_dot(&o->k->C, j->row[i], o->b);
    j->q[k] = o->x->y[j->row[k]];
    j->p[k] = 0;
  }
  ns_avi p = {.n = n, .dense = j->M, .ld = n, .q = j->q, .lb = j->lb, .ub = j->ub};
  return rc ? rc : j->ops->solve(j->solver, o->c, &p, NULL, j->p, j->w, out);
}

static void warn(switching *o, int r, double p)
{
  enum { TOLD = 5 };
  char at[512];
  if (++o->leaps > TOLD) return;
  ns_warn(o->c, "%s: y = %.6g contradicts its law at t = %.10g s: the state jumps by the input of an impulse of lambda of %.6g%s",
          ns_sw_place(o, r, at), o->x->y[r], *o->x->t, p, o->leaps == TOLD ? "; further jumps are not told" : "");
}

int ns_sw_jump_state(switching *o)
{
  ns_sw_problem *j = &o->jump;
  ns_outcome out;
  int rc = NS_OK, broken = 0;
  j->made = 0;
  for (int k = 0; k < j->n; k++) broken |= outside(o, j->row[k]) > o->opt->gap_tol + o->search.reach[j->row[k]];
  if (!broken) return NS_OK;
  rc = solve(o, &out);
  if (rc || out.kind != NS_SOLVED) return rc; /* the search for a mode says that there is none */
  j->made = 1;
  for (int k = 0; k < j->n && !rc; k++) {
    if (j->p[k] == 0) continue;
    rc = ns_sw_response(o, *o->x->t, j->row[k]);
    for (size_t i = 0; i < o->m->nq; i++) o->x->q[i] += o->b[i] * j->p[k];
    o->fired[j->row[k]] = o->search.ask[j->row[k]] = 1;
    warn(o, j->row[k], j->p[k]);
  }
  return rc ? rc : ns_sw_output(o);
}
