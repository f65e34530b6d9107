/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_piecewise.c -- the law lambda = phi(y), phi piecewise linear, put together of relays.
 *
 * With sigma = C X + D lambda + e + F Z, a row of the relation, and a piece of phi that begins at
 * sigma0 and rises by r over a run of l (s the sign of r), the row
 *
 *   y_i = s (sigma0 - sigma) + d lambda_i,   d = l/|r|,   lambda_i between 0 and r,   -y_i in
 *       N(lambda_i)
 *
 * gives lambda_i = 0 before the piece, (r/l) (sigma - sigma0) on it, r behind it; for l = 0 the
 * jump. A last piece of slope k has r = inf, d = 1/|k|; the first one of slope k has lambda_i
 * between -k inf and 0. phi is their sum; its value at the first point is added to the first piece.
 * (Sums of such terms give all piecewise linear functions of one variable: Leenaerts & van Bokhoven
 * 1998, ch. 2.) */
#include "io/load/load_job.h"
#include "io/load/values.h"
#include "model/laws/law_rows.h"

#include <math.h>
#include <string.h>

typedef struct piece {
  double at, s, d, low, high;
} piece;

typedef struct piecewise_made {
  ns_value points;
  ns_scalar left, right; /* slopes */
} made;

static int slope(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index,
                 ns_scalar *s)
{
  return ns_elem_attr(e, name) ? ns_load_attribute_make(l, e, name, index, s) : NS_OK;
}

int ns_piecewise_make(ns_load *l, ns_elem *e, const ns_indices *index)
{
  made *m = e->made = ns_arena_zero(l->scratch, 1, sizeof *m);
  ns_elem *points = ns_elem_value(e, "points");
  if (!m) return ns_nomem(&l->msg.c, "a law");
  if (!points || points->bad) return NS_MODEL;
  ns_load_scope s = {.index = index};
  ns_wanted w = {.rows = -1, .cols = 2, .why = "pairs y lambda, separated by semicolons"};
  ns_mark mark = ns_arena_mark(l->graphs);
  ns_graph *g = ns_graph_create(l->graphs);
  int rc = g ? ns_value_make(l, points, g, &s, &w, &m->points, NULL)
             : ns_nomem(&l->msg.c, "values of a law");
  ns_arena_release(l->graphs, mark);
  if (!rc) rc = slope(l, e, "left", index, &m->left);
  if (!rc) rc = slope(l, e, "right", index, &m->right);
  return rc;
}

static int check_points(ns_load *l, const ns_elem *e, const char *id, const ns_operator *p)
{
  for (int k = 1; k < p->rows; k++)
    if (p->value[k] < p->value[k - 1])
      return ns_elem_fail(&l->msg, ns_elem_value(e, "points"), id,
                          "point %d has y = %g, which is below that of the point before it, %g; "
                          "expected points in order of y",
                          k + 1, p->value[k], p->value[k - 1]);
  return NS_OK;
}

static piece outer(double at, double slope, int last)
{
  double s = slope > 0 ? 1 : -1, end = last ? s * INFINITY : -s * INFINITY;
  return (piece){at, s, 1 / fabs(slope), fmin(0, end), fmax(0, end)};
}

/* The pieces of phi that are not flat, to p [points + 1]; returns their number. */
static int pieces(const ns_operator *points, double left, double right, piece *p)
{
  const double *y = points->value, *phi = y + points->rows;
  int n = 0, last = points->rows - 1;
  if (left != 0) p[n++] = outer(y[0], left, 0);
  for (int k = 0; k < last; k++) {
    double r = phi[k + 1] - phi[k];
    if (r == 0) continue;
    p[n++] = (piece){y[k], r > 0 ? 1 : -1, (y[k + 1] - y[k]) / fabs(r), fmin(0, r), fmax(0, r)};
  }
  if (right != 0) p[n++] = outer(y[last], right, 1);
  return n;
}

static int constant(ns_load *l, const ns_elem *e, int rows, int cols, ns_operator *op,
                    double **value)
{
  *op = (ns_operator){.how = NS_OP_CONSTANT, .rows = rows, .cols = cols};
  *value = ns_value_capacity(l, e, op);
  op->value = *value;
  return *value ? NS_OK : ns_load_failed(l);
}

static double entry(const ns_operator *a, int i, int j)
{
  return a->how == NS_OP_ABSENT ? 0 : ns_operator_entry(a, i, j);
}

/* Rows -s_i A of rows A: j of A becomes rows j n ... (j+1) n - 1. */
static int spread(ns_load *l, const ns_elem *e, const piece *p, int n, ns_operator *op)
{
  const ns_operator from = *op;
  double *to;
  if (from.how == NS_OP_ABSENT) {
    op->rows *= n;
    return NS_OK;
  }
  int rows = from.rows * n, rc = constant(l, e, rows, from.cols, op, &to);
  for (int c = 0; !rc && c < from.cols; c++)
    for (int i = 0; i < rows; i++) *to++ = -p[i % n].s * entry(&from, i / n, c);
  return rc;
}

static int spread_columns(ns_load *l, const ns_elem *e, int n, ns_operator *op)
{
  const ns_operator from = *op;
  double *to;
  int cols = from.cols * n, rc = constant(l, e, from.rows, cols, op, &to);
  for (int c = 0; !rc && c < cols; c++)
    for (int i = 0; i < from.rows; i++) *to++ = entry(&from, i, c / n);
  return rc;
}

/* All rows of the relation become n rows; w: phi at the first point. */
static int expand(ns_load *l, const ns_elem *e, const piece *p, int n, double w, ns_interaction *it)
{
  ns_first_order_relation *r = &it->fo;
  ns_operator D = r->D, off = r->e;
  double *d, *at, *low = ns_arena_get(l->m->arena, 2 * (size_t)it->m * (size_t)n, sizeof *low);
  int m = it->m * n, rc = low ? NS_OK : ns_nomem(&l->msg.c, "bounds of a law");
  if (!rc) rc = spread(l, e, p, n, &r->C);
  if (!rc) rc = spread(l, e, p, n, &r->F);
  if (!rc) rc = spread_columns(l, e, n, &r->B);
  if (!rc) rc = constant(l, e, m, m, &r->D, &d);
  if (!rc) rc = constant(l, e, m, 1, &r->e, &at);
  for (int i = 0; !rc && i < m; i++) {
    const piece *k = &p[i % n];
    double a = i % n ? 0 : w;
    for (int j = 0; j < m; j++)
      d[(size_t)i + (size_t)j * (size_t)m] = -k->s * entry(&D, i / n, j / n) + (i == j ? k->d : 0);
    at[i] = k->s * (k->at - entry(&off, i / n, 0)) - k->d * a;
    low[i] = k->low + a;
    low[m + i] = k->high + a;
  }
  it->law.lb = low;
  it->law.ub = low + m;
  it->m = m;
  return rc;
}

int ns_piecewise_get(ns_load *l, const ns_elem *e, const ns_indices *index, const char *id,
                     ns_interaction *it)
{
  const made *m = e->made;
  const ns_elem *points = ns_elem_value(e, "points");
  ns_operator values;
  double left = ns_scalar_get(&m->left, index), right = ns_scalar_get(&m->right, index);
  int rc = ns_load_attribute_check(l, e, "left", left);
  if (!rc) rc = ns_load_attribute_check(l, e, "right", right);
  if (!rc) rc = ns_value_get(l, points, &m->points, index, id, &values);
  if (!rc) rc = check_points(l, e, id, &values);
  if (rc || it->m == 0) return rc;
  int velocities = !strcmp(it->relation->name, "LagrangianLinearTIR");
  if (velocities || !strcmp(it->relation->name, "LagrangianCompliantLinearTIR"))
    rc = ns_law_rows_linear(l->m, &l->msg.c, it);
  else if (strcmp(it->relation->name, "FirstOrderLinearTIR"))
    rc = ns_elem_fail(&l->msg, e, id,
                      "is used with <%s>, expected a linear relation with constant matrices: "
                      "<FirstOrderLinearTIR>, <LagrangianLinearTIR> or "
                      "<LagrangianCompliantLinearTIR>",
                      it->relation->name);
  if (rc) return rc;
  ns_mark mark = ns_arena_mark(l->graphs);
  piece *p = ns_arena_get(l->graphs, (size_t)values.rows + 1, sizeof *p);
  int n = p ? pieces(&values, left, right, p) : 0;
  if (!p) rc = ns_nomem(&l->msg.c, "pieces of a law");
  else if (n == 0)
    rc = ns_elem_fail(&l->msg, points, id,
                      "phi is %g everywhere, expected points with different values, or slopes",
                      values.value[values.rows]);
  else if ((long)it->m * n > 46340 / 4)
    rc = ns_elem_fail(&l->msg, e, id, "makes %ld rows, expected at most %d; give fewer points",
                      (long)it->m * n, 46340 / 4);
  else rc = expand(l, e, p, n, values.value[values.rows], it);
  if (!rc && velocities) rc = ns_law_rows_read_velocities(l->m, &l->msg.c, it);
  ns_arena_release(l->graphs, mark);
  return rc;
}
