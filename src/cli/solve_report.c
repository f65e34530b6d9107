/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/solve_report.h"

#include "base/plural.h"

#include "cli/console.h"

#include <float.h>
#include <math.h>

/* ---- for a person ---------------------------------------------------------------------------- */

static void print_rows(const char *a, const char *b, int n, const double *x, const double *y,
                       int max, FILE *f)
{
  int shown = n <= max + 1 ? n : max; /* no remark that takes as much room as the row */
  if (y) fprintf(f, "  %6s  %-16s  %s\n", "row", a, b);
  else fprintf(f, "  %6s  %s\n", "row", a);
  for (int i = 0; i < shown; i++) {
    if (y) fprintf(f, "  %6d  %-16.9g  %.9g\n", i, x[i], y[i]);
    else fprintf(f, "  %6d  %.9g\n", i, x[i]);
  }
  if (shown < n) fprintf(f, "  ... %d more: -o solution.txt (.json, .h5) writes all\n", n - shown);
}

void ns_solve_print(const ns_problem_solution *s, int max, FILE *f)
{
  const ns_problem *p = s->problem;
  fprintf(f, "%s: %s %s, %d unknown%s, %s\n", s->file, p->family->title, p->by, p->n,
          p->n == 1 ? "" : "s", ns_problem_storage(p));
  fprintf(f, "  status      %s\n", s->status);
  fprintf(f, "  solver      %s\n", s->solver);
  fprintf(f, "  iterations  %d\n", s->iterations);
  fprintf(f, "  residual    <= %s", ns_console_bound(s->residual).text);
  fprintf(f, ", tolerance %g\n", s->tolerance);
  fprintf(f, "  time        %s\n", ns_console_duration(s->seconds).text);
  if (s->z) print_rows(ns_problem_z(p), ns_problem_w(p), p->n, s->z, s->w, max, f);
  if (s->mu) print_rows("mu", "", s->nmu, s->mu, NULL, max, f);
  if (s->v) print_rows("v", "", s->nv, s->v, NULL, max, f);
}

/* ---- for a program --------------------------------------------------------------------------- */

static void vector(ns_json *j, const char *key, int n, const double *x)
{
  if (x) ns_json_member(j, key, ns_json_reals(x, n));
  else ns_json_text(j, key, NULL);
}

ns_json ns_solve_json(const ns_problem_solution *s)
{
  const ns_problem *p = s->problem;
  ns_json j = ns_json_of(
      NS_JSON_TEXT("problem", s->file), NS_JSON_TEXT("family", p->family->name),
      NS_JSON_INTEGER("unknowns", p->n), NS_JSON_TEXT("storage", ns_problem_storage(p)),
      NS_JSON_FLAG("solved", s->solved), NS_JSON_TEXT("status", s->status),
      NS_JSON_TEXT("message", s->message), NS_JSON_TEXT("solver", s->solver),
      NS_JSON_INTEGER("iterations", s->iterations), NS_JSON_REAL("residual", s->residual),
      NS_JSON_REAL("tolerance", s->tolerance), NS_JSON_REAL("seconds", s->seconds));
  vector(&j, ns_problem_z(p), p->n, s->z);
  vector(&j, ns_problem_w(p), p->n, s->w);
  if (s->nmu) vector(&j, "mu", s->nmu, s->mu);
  if (s->nv) vector(&j, "v", s->nv, s->v);
  return j;
}

/* ---- why not --------------------------------------------------------------------------------- */

/* Least and greatest w of a row over the box, and the size of what was added up. */
typedef struct range {
  double low, high, size;
} range;

static void widen(range *r, double m, double lb, double ub)
{
  if (m == 0) return;
  double a = m * (m > 0 ? lb : ub), b = m * (m > 0 ? ub : lb);
  r->low += a;
  r->high += b;
  if (isfinite(a)) r->size += fabs(a);
  if (isfinite(b)) r->size += fabs(b);
}

static range row_range(const ns_avi *p, int block, int row)
{
  const ns_blocks *A = p->blocks;
  range r = {p->q[row], p->q[row], fabs(p->q[row])};
  for (int j = 0; p->dense && j < p->n; j++)
    widen(&r, p->dense[(size_t)j * (size_t)p->ld + (size_t)row], p->lb[j], p->ub[j]);
  for (int k = A ? A->row[block] : 0; A && k < A->row[block + 1]; k++)
    for (int j = A->first[A->col[k]], s = row - A->first[block]; j < A->first[A->col[k] + 1];
         j++, s += A->dim[block])
      widen(&r, A->val[A->off[k] + (size_t)s], p->lb[j], p->ub[j]);
  return r;
}

/* Find a row that no z within the bounds satisfies: w_i must be >= 0 (z_i has no upper bound) but
 * is negative for all such z, or vice versa. Returns its index, and in *w the extreme of w_i; -1 if
 * there is none. */
static int contradiction(const ns_avi *p, double *w)
{
  for (int i = 0, block = 0; i < p->n; i++) {
    while (p->blocks && i >= p->blocks->first[block + 1]) block++;
    range r = row_range(p, block, i);
    double rounding = 4 * (p->n + 1) * DBL_EPSILON * r.size;
    if ((p->ub[i] == INFINITY && r.high < -rounding) ||
        (p->lb[i] == -INFINITY && r.low > rounding)) {
      *w = r.high < 0 ? r.high : r.low;
      return i;
    }
  }
  return -1;
}

static const char *ray(const ns_problem *p)
{
  if (p->family->form == NS_PROBLEM_BOX &&
      ns_avi_classify(p->n, p->box.lb, p->box.ub) == NS_AVI_LCP)
    return "there is no solution if M is copositive-plus, for example positive semi-definite; "
           "otherwise there may be one";
  return "this alone does not prove that there is no solution";
}

static const char *iterations(const ns_outcome *out)
{
  return ns_plural(out->iterations, "iteration", "iterations");
}

const char *ns_solve_why(const ns_problem *p, const ns_outcome *out, double tol, char *buf,
                         size_t n)
{
  double w;
  int i = p->family->form == NS_PROBLEM_BOX ? contradiction(&p->box, &w) : -1;
  if (i >= 0) {
    snprintf(buf, n,
             "there is no solution: in row %d w is %.3g or %s for every z within the bounds, but "
             "must be %s 0",
             i, w, w < 0 ? "less" : "more", w < 0 ? ">=" : "<=");
    return buf;
  }
  if (p->family->form == NS_PROBLEM_MECHANICAL &&
      (w = ns_mechanical_contradiction(&p->mechanical, tol)) > 0) {
    snprintf(buf, n,
             "the equalities contradict each other: some depend on others, but require velocities "
             "that differ by %.3g; there is no solution if W is positive semi-definite",
             w);
    return buf;
  }
  switch (out->kind) {
  case NS_GAVE_UP: /* of plug-ins, which only runs of models use */
  case NS_REFUTED:
  case NS_SOLVED:
    snprintf(buf, n, "the residual of the result of %s is %.3g, above the tolerance %.3g",
             out->solver, out->residual, tol);
    break;
  case NS_LIMIT:
    snprintf(buf, n,
             "%s reached its limit after %d %s; it is not known whether there is a solution; raise "
             "--max-iterations or use another --solver",
             out->solver, out->iterations, iterations(out));
    break;
  case NS_RAY:
    snprintf(buf, n, "%s ended on a secondary ray after %d %s: %s", out->solver, out->iterations,
             iterations(out), ray(p));
    break;
  case NS_SINGULAR:
    snprintf(buf, n,
             "%s met a singular matrix after %d %s; it is not known whether there is a solution; "
             "use another --solver",
             out->solver, out->iterations, iterations(out));
    break;
  case NS_STATIONARY:
    snprintf(buf, n,
             "%s ended after %d %s at a local minimum of its merit function that is not a "
             "solution; it is not known whether there is a solution; use another --solver",
             out->solver, out->iterations, iterations(out));
    break;
  case NS_NOT_FINITE:
    snprintf(buf, n, "%s encountered a number that is not finite", out->solver);
    break;
  case NS_EXHAUSTED:
    snprintf(buf, n,
             "%s tried every support, none gave a residual within the tolerance %.3g; if there is "
             "a solution, it is not a basic one, or too ill-conditioned",
             out->solver, tol);
    break;
  case NS_INFEASIBLE:
    snprintf(buf, n,
             "there is no solution if W is positive semi-definite: rows contradict each other, no "
             "velocities u satisfy all of them");
    break;
  }
  return buf;
}
