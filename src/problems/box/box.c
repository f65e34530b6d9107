/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/box/box.h"

#include "algebra/vector.h"
#include "base/sets.h"
#include "base/text.h"
#include "problems/box/sparse.h"
#include "problems/box/work.h"
#include "problems/plugged.h"
#include "problems/strip.h"

#define TAKE_LCPS \
  &ns_box_auto, &ns_box_lemke, &ns_box_newton_min, &ns_box_pgs, &ns_box_fischer_burmeister, \
      &ns_box_enumerate

const ns_box_solver_ops *const ns_lcp_solvers[] = {TAKE_LCPS, NULL};
const ns_box_solver_ops *const ns_avi_solvers[] = {TAKE_LCPS, &ns_avi_sparse_newton, NULL};

static const ns_box_solver_ops *find(const ns_box_solver_ops *const *list, const char *name)
{
  if (ns_solver_is_plugged(name)) return &ns_box_plugged;
  return NS_NAMED_KIND(ns_box_solver_ops, list, name);
}

const ns_box_solver_ops *ns_lcp_solver_find(const char *name) { return find(ns_lcp_solvers, name); }
const ns_box_solver_ops *ns_avi_solver_find(const char *name) { return find(ns_avi_solvers, name); }

const char *ns_outcome_text(ns_outcome_kind k)
{
  static const char *const text[] = {
      [NS_SOLVED] = "solved",
      [NS_LIMIT] = "iteration limit reached",
      [NS_RAY] = "secondary ray: no solution where M is copositive-plus",
      [NS_SINGULAR] = "singular: a zero diagonal or a dependent support",
      [NS_STATIONARY] = "stationary point of the merit function, no solution",
      [NS_NOT_FINITE] = "a NaN or an infinity in the problem",
      [NS_EXHAUSTED] = "every support was tried, none is a solution",
      [NS_INFEASIBLE] = "it has no solution: no velocities satisfy all of its rows",
      [NS_GAVE_UP] = "the solver of the plug-in failed, returning a value other than 0",
      [NS_REFUTED] = "the solver of the plug-in returned 0, but its result is not a solution",
  };
  return k < sizeof text / sizeof *text ? text[k] : "unknown outcome";
}

ns_lcp_options ns_lcp_defaults(void)
{
  return (ns_lcp_options){.tol = 1e-10, .max_iterations = 0, .omega = 1};
}

ns_avi_class ns_avi_classify(int n, const double *lb, const double *ub)
{
  int free_rows = 0, signed_rows = 0;
  for (int i = 0; i < n; i++) {
    free_rows += lb[i] == -INFINITY && ub[i] == INFINITY;
    signed_rows += lb[i] == 0 && ub[i] == INFINITY;
  }
  if (free_rows == n && n) return NS_AVI_LINEAR;
  if (signed_rows == n) return NS_AVI_LCP;
  return free_rows + signed_rows == n ? NS_AVI_MLCP : NS_AVI_BOX;
}

/* ---- the residual ----
 * `boxed`, a constant wherever these are inlined: with bounds. */

NS_BOX_INLINE void tally(ns_box_tally *t, const ns_box *p, int boxed, int i, double z, double w,
                         double r)
{
  if (boxed) ns_box_tally_row(t, z, w, p->q[i], r, p->lb[i], p->ub[i]);
  else ns_box_tally_lcp(t, z, w, p->q[i], r);
}

/* What |M_ij z_j| sum up to in a row, and its largest |M_ij|. */
typedef struct row_terms {
  double sum, scale;
} row_terms;

static void add_term(row_terms *t, double m, double z)
{
  t->sum += fabs(m * z);
  t->scale = fmax(t->scale, fabs(m));
}

static row_terms terms_of_row(const ns_box *p, int i, const double *z)
{
  row_terms t = {0};
  const ns_blocks *A = p->blocks;
  if (p->dense) {
    const double *m = p->dense + i;
    for (int j = 0; j < p->n; j++, m += p->ld) add_term(&t, *m, z[j]);
  } else if (A->nb == p->n) {
    for (int k = A->row[i]; k < A->row[i + 1]; k++) add_term(&t, A->val[k], z[A->col[k]]);
  } else {
    int b = 0;
    while (A->first[b + 1] <= i) b++;
    for (int k = A->row[b]; k < A->row[b + 1]; k++)
      for (int j = 0; j < A->dim[A->col[k]]; j++)
        add_term(&t, A->val[A->off[k] + (size_t)(i - A->first[b] + j * A->dim[b])],
                 z[A->first[A->col[k]] + j]);
  }
  return t;
}

/* Rows that no entry of M couples with others are problems of their own. */
static void find_parts(const ns_box *p, int *part)
{
  const ns_blocks *A = p->blocks;
  ns_sets_begin(part, p->n);
  for (int j = 0; p->dense && j < p->n; j++)
    for (int i = 0; i < p->n; i++)
      if (p->dense[i + j * p->ld] != 0) ns_sets_join(part, i, j);
  for (int b = 0; A && b < A->nb; b++)
    for (int k = A->row[b]; k < A->row[b + 1]; k++) {
      const double *m = A->val + A->off[k];
      for (int j = A->first[A->col[k]]; j < A->first[A->col[k] + 1]; j++)
        for (int i = A->first[b]; i < A->first[b + 1]; i++)
          if (*m++ != 0) ns_sets_join(part, i, j);
    }
}

/* Rows of problems whose parts are looked for. */
#define PARTS_MAX 512

/* The largest error of a row in its own units, if two bounds hold it. Of other rows, whose map
 * grows with the error so that the size of all rows is mostly their own, beside the terms of the
 * row, with what the largest |q| of all rows leaves in it by rounding, and with less weight. And
 * the largest residual of a part, where parts are told apart. */
static double error_of_rows(const ns_box *p, int boxed, const double *z, const double *w)
{
  static const double ROUNDING = 1e-8, WEIGHT = 1e-6;
  int part[PARTS_MAX], apart = p->apart && p->n <= PARTS_MAX;
  ns_box_tally of[PARTS_MAX];
  double worst = 0, max = ns_max_abs((size_t)p->n, p->q);
  if (apart) find_parts(p, part);
  for (int i = 0; i < p->n; i++) {
    row_terms terms = terms_of_row(p, i, z);
    double r = ns_box_reciprocal(terms.scale), T = fabs(p->q[i]) + terms.sum;
    ns_box_tally t = {0};
    tally(&t, p, boxed, i, z[i], w[i], r);
    if (boxed && ns_row_is_between(p->lb[i], p->ub[i]))
      worst = fmax(worst, ns_row_error(z[i], w[i], p->lb[i], p->ub[i], T));
    /* Numbers below DBL_MIN have lost digits. */
    double size = fmax(fabs(z[i]), DBL_MIN) + r * fmax(T + ROUNDING * max, DBL_MIN);
    if (t.coarse) worst = fmax(worst, WEIGHT * t.worst / size);
    if (!apart) continue;
    int root = ns_sets_root(part, i);
    if (root == i) of[i] = (ns_box_tally){0};
    tally(&of[root], p, boxed, i, z[i], w[i], r);
  }
  for (int i = 0; apart && i < p->n; i++)
    if (part[i] == i) worst = fmax(worst, ns_box_tally_end(&of[i]));
  return worst;
}

/* The residual by what all rows have added to t. Rows are looked at one by one only if an error is
 * not small beside the unknown of its row, which is rare. */
static double residual_of(const ns_box *p, int boxed, const ns_box_tally *t, const double *z,
                          const double *w)
{
  double all = ns_box_tally_end(t);
  return t->coarse && all < INFINITY ? fmax(all, error_of_rows(p, boxed, z, w)) : all;
}

/* Of a dense problem: reciprocals of the row scales that are known, or where they are kept; NULL:
 * neither. */
typedef struct scales {
  const double *known;
  double *keep;
} scales;

/* `count` rows of a dense M from row i on: a strip that stays in registers. */
NS_BOX_INLINE void dense_strip(ns_box_tally *t, const ns_box *p, int boxed, int i, int count,
                               const scales *r, const double *z, double *w)
{
  double y[8], s[8];
  ns_strip(count, p->n, p->dense + i, p->ld, p->q + i, z, y, r->known ? NULL : s);
  for (int k = 0; k < count; k++) {
    double a = r->known ? r->known[i + k] : ns_box_reciprocal(s[k]);
    if (r->keep) r->keep[i + k] = a;
    w[i + k] = y[k];
    tally(t, p, boxed, i + k, z[i + k], y[k], a);
  }
}

NS_BOX_INLINE double dense_rows(const ns_box *p, int boxed, scales r, const double *z, double *w)
{
  ns_box_tally t = {0};
  int i = 0;
  for (; i + 8 <= p->n; i += 8) dense_strip(&t, p, boxed, i, 8, &r, z, w);
  if (p->n - i >= 4) {
    dense_strip(&t, p, boxed, i, 4, &r, z, w);
    i += 4;
  }
  if (p->n - i == 3) dense_strip(&t, p, boxed, i, 3, &r, z, w);
  else if (p->n - i == 2) dense_strip(&t, p, boxed, i, 2, &r, z, w);
  else if (p->n - i == 1) dense_strip(&t, p, boxed, i, 1, &r, z, w);
  return residual_of(p, boxed, &t, z, w);
}

double ns_box_residual_first(const ns_box *p, int boxed, double *r, const double *z, double *w)
{
  scales keep = {.keep = r};
  return boxed ? dense_rows(p, 1, keep, z, w) : dense_rows(p, 0, keep, z, w);
}

double ns_box_residual_kept(const ns_box *p, int boxed, const double *r, const double *z, double *w)
{
  scales known = {.known = r};
  return boxed ? dense_rows(p, 1, known, z, w) : dense_rows(p, 0, known, z, w);
}

NS_BOX_INLINE double scalar_rows(const ns_box *p, int boxed, const double *z, double *w)
{
  const ns_blocks *A = p->blocks;
  ns_box_tally t = {0};
  for (int i = 0; i < p->n; i++) {
    double y = p->q[i], s = 0;
    for (int k = A->row[i]; k < A->row[i + 1]; k++) {
      double m = A->val[k], a = fabs(m);
      y += m * z[A->col[k]];
      s = s > a ? s : a;
    }
    w[i] = y;
    tally(&t, p, boxed, i, z[i], y, ns_box_reciprocal(s));
  }
  return residual_of(p, boxed, &t, z, w);
}

/* q + (M z)_at of a row in block row i, by columns ascending; *s = max_j |M_at,j|. */
static inline double block_row(const ns_blocks *A, int i, int at, double q, const double *z,
                               double *s)
{
  int m = A->dim[i];
  *s = 0;
  for (int k = A->row[i]; k < A->row[i + 1]; k++) {
    const double *b = A->val + A->off[k] + (at - A->first[i]), *x = z + A->first[A->col[k]];
    for (int c = 0; c < A->dim[A->col[k]]; c++, b += m) {
      double a = fabs(*b);
      q += *b * x[c];
      *s = *s > a ? *s : a;
    }
  }
  return q;
}

static double block_rows(const ns_box *p, int boxed, const double *z, double *w)
{
  const ns_blocks *A = p->blocks;
  ns_box_tally t = {0};
  for (int i = 0; i < A->nb; i++)
    for (int at = A->first[i]; at < A->first[i + 1]; at++) {
      double s;
      w[at] = block_row(A, i, at, p->q[at], z, &s);
      tally(&t, p, boxed, at, z[at], w[at], ns_box_reciprocal(s));
    }
  return residual_of(p, boxed, &t, z, w);
}

double ns_box_residual(const ns_box *p, const double *z, double *w)
{
  int boxed = p->lb != NULL;
  if (p->dense)
    return boxed ? dense_rows(p, 1, (scales){0}, z, w) : dense_rows(p, 0, (scales){0}, z, w);
  if (p->blocks->nb != p->n) return block_rows(p, boxed, z, w);
  return boxed ? scalar_rows(p, 1, z, w) : scalar_rows(p, 0, z, w);
}
