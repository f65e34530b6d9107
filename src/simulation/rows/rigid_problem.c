/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/rigid_problem.h"

#include "algebra/pair.h"
#include "algebra/vector.h"
#include "base/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void ns_rigid_problem_init(ns_rigid_problem *o, int nbodies, int dof, int further)
{
  *o = (ns_rigid_problem){.p = {.nbodies = nbodies, .dof = dof, .further = further},
                          .further = further};
}

void ns_rigid_problem_fini(ns_rigid_problem *o)
{
  NS_FREE(o->row, o->body, o->kind, o->mu, o->mu_rolling, o->H, o->body2, o->H2, o->b, o->D, o->lb,
          o->ub, o->r, o->u, o->unit);
  *o = (ns_rigid_problem){0};
}

/* What is posed, as its arrays stand. */
static void show(ns_rigid_problem *o)
{
  ns_multibody *p = &o->p;
  p->row = o->row;
  p->body = o->body;
  p->kind = o->kind;
  p->mu = o->mu;
  p->mu_rolling = o->mu_rolling;
  p->H = o->H;
  p->body2 = o->body2;
  p->H2 = o->H2;
  p->b = o->b;
  p->D = o->D;
  p->lb = o->one_sided ? NULL : o->lb;
  p->ub = o->one_sided ? NULL : o->ub;
}

void ns_rigid_problem_clear(ns_rigid_problem *o, int one_sided)
{
  o->one_sided = one_sided;
  o->p = (ns_multibody){.nbodies = o->p.nbodies, .dof = o->p.dof, .further = o->further};
  show(o);
}

static int grow_blocks(ns_rigid_problem *o, int n)
{
  int first = o->row == NULL;
  size_t k = (size_t)n + 1;
  const ns_array all[] = {{&o->row, k, sizeof *o->row},
                          {&o->body, 2 * k, sizeof *o->body},
                          {&o->kind, k, 1},
                          {&o->mu, o->mu ? k : 0, sizeof *o->mu},
                          {&o->mu_rolling, o->mu_rolling ? k : 0, sizeof *o->mu_rolling},
                          {&o->body2, (size_t)o->further * k, sizeof *o->body2}};
  if (ns_resize_arrays(all, sizeof all / sizeof *all)) return NS_NOMEM;
  if (first) o->row[0] = 0;
  o->max_blocks = n;
  show(o);
  return NS_OK;
}

/* Coefficients of friction, with the first block that has some. */
static int get_friction(ns_rigid_problem *o, int kind)
{
  size_t n = (size_t)o->max_blocks + 1;
  double **of[] = {&o->mu, &o->mu_rolling};
  for (int k = 0; k < 1 + (kind == NS_BLOCK_ROLLING); k++) {
    if (*of[k]) continue;
    if (!(*of[k] = calloc(n, sizeof **of[k]))) return NS_NOMEM;
    show(o);
  }
  return NS_OK;
}

static int grow_rows(ns_rigid_problem *o, int n)
{
  size_t rows = (size_t)n, entries = rows * (size_t)o->p.dof, d = sizeof(double);
  const ns_array all[] = {{&o->H, 2 * entries, d},
                          {&o->b, rows, d},
                          {&o->r, rows, d},
                          {&o->u, rows, d},
                          {&o->H2, (size_t)o->further * entries, d},
                          {&o->D, o->compliant ? rows : 0, d}};
  if (ns_resize_arrays(all, sizeof all / sizeof *all)) return NS_NOMEM;
  o->max_rows = n;
  show(o);
  return NS_OK;
}

/* Bounds reach as far as blocks that have some; friction has none. */
static int grow_bounds(ns_rigid_problem *o, int n)
{
  const ns_array all[] = {{&o->lb, (size_t)n, sizeof *o->lb}, {&o->ub, (size_t)n, sizeof *o->ub}};
  if (ns_resize_arrays(all, sizeof all / sizeof *all)) return NS_NOMEM;
  o->max_bounds = n;
  show(o);
  return NS_OK;
}

int ns_rigid_problem_reserve(ns_rigid_problem *o, int blocks, int rows)
{
  if (blocks > o->max_blocks && grow_blocks(o, blocks)) return NS_NOMEM;
  if (rows > o->max_rows && grow_rows(o, rows)) return NS_NOMEM;
  return rows > o->max_bounds && grow_bounds(o, rows) ? NS_NOMEM : NS_OK;
}

/* Memory for n that need it now: an eighth and `some` more. */
static int with_margin(int n, int some) { return n + n / 8 + some; }

int ns_rigid_problem_add(ns_rigid_problem *o, int kind, int rows, const int *body, const int *body2)
{
  int a = o->p.nblocks, at = ns_rigid_problem_rows(o),
      bounded = kind == NS_BLOCK_BOX && !o->one_sided;
  if (a + 1 > o->max_blocks && grow_blocks(o, with_margin(a, 16))) return NS_NOMEM;
  if (kind != NS_BLOCK_BOX && get_friction(o, kind)) return NS_NOMEM;
  if (at + rows > o->max_rows && grow_rows(o, with_margin(at + rows, 48))) return NS_NOMEM;
  if (kind == NS_BLOCK_BALL) bounded = o->p.balls = 1;
  if (bounded && at + rows > o->max_bounds && grow_bounds(o, with_margin(at + rows, 48)))
    return NS_NOMEM;
  memcpy(o->body + 2 * a, body, 2 * sizeof *body);
  for (int k = 0; k < o->further; k++) o->body2[o->further * a + k] = body2 ? body2[k] : -1;
  o->kind[a] = (unsigned char)kind;
  if (o->mu) o->mu[a] = 0;
  if (o->mu_rolling) o->mu_rolling[a] = 0;
  o->row[a + 1] = at + rows;
  for (int i = at; i < at + rows; i++) o->b[i] = o->r[i] = 0;
  if (o->compliant) memset(o->D + at, 0, (size_t)rows * sizeof(double));
  for (int i = at; i < at + rows && bounded; i++) {
    o->lb[i] = 0;
    o->ub[i] = INFINITY;
  }
  o->p.nblocks = a + 1;
  return at;
}

/* ---- units of rows ------------------------------------------------------------------------- */

/* h^T W^-1 h of a body. */
static double seen_by(const ns_multibody *p, int body, const double *h)
{
  size_t d = (size_t)p->dof;
  size_t n = p->diagonal ? 1 : d;
  const double *inverse = p->inverse + (size_t)body * d * n;
  double sum = 0;
  for (size_t i = 0; i < d; i++)
    for (size_t j = 0; j < n; j++) sum += h[i] * inverse[i + j * d] * h[p->diagonal ? i : j];
  return sum;
}

/* W_ii of row i of block a. */
static double size_of_row(const ns_rigid_problem *o, int a, int i)
{
  size_t d = (size_t)o->p.dof, row = (size_t)i, n = (size_t)o->further;
  const int *body = o->body + 2 * a;
  double sum = o->D ? o->D[row] : 0;
  for (size_t k = 0; k < 2; k++)
    if (body[k] >= 0) sum += seen_by(&o->p, body[k], o->H + (2 * row + k) * d);
  for (size_t k = 0; k < n && o->body2[n * (size_t)a + k] >= 0; k++)
    sum += seen_by(&o->p, o->body2[n * (size_t)a + k], o->H2 + (n * row + k) * d);
  return sum;
}

/* Some body is so light or so heavy that rows may need units. The mass alone counts for contacts:
 * rotation has the same by the size of a shape; for joints and rolling inertia counts as well. */
static int may_need_units(const ns_multibody *p, int of_contacts)
{
  size_t dof = (size_t)p->dof, n = of_contacts ? 1 : dof, next = p->diagonal ? 1 : dof + 1,
         each = p->diagonal ? dof : dof * dof;
  int some = 0;
  for (int k = 0; k < p->nbodies && !some; k++) {
    for (size_t i = 0; i < n && !some; i++) {
      double w = p->inverse[(size_t)k * each + i * next];
      some = ns_mechanical_is_far(w / 2) || ns_mechanical_is_far(2 * w);
    }
  }
  return some;
}

/* Row i in units s of what it is in. */
static void change_row(ns_rigid_problem *o, int a, int i, double s)
{
  size_t at = (size_t)i, d = (size_t)o->p.dof, n = (size_t)o->further;
  int bounded = o->p.lb && (o->kind[a] == NS_BLOCK_BOX || o->kind[a] == NS_BLOCK_BALL);
  ns_scale(2 * d, s, o->H + 2 * d * at);
  if (n && o->body2[n * (size_t)a] >= 0) ns_scale(n * d, s, o->H2 + n * d * at);
  o->b[i] *= s;
  o->u[i] *= s;
  o->r[i] /= s;
  if (o->D) o->D[i] *= s * s;
  if (bounded) o->lb[i] /= s;
  if (bounded) o->ub[i] /= s;
}

/* All rows to their units, or back. */
static void change_units(ns_rigid_problem *o, int back)
{
  for (int a = 0; a < o->p.nblocks; a++) {
    int first = o->row[a], last = o->row[a + 1] - 1;
    for (int i = first; i <= last; i++) change_row(o, a, i, back ? 1 / o->unit[i] : o->unit[i]);
    if (o->kind[a] != NS_BLOCK_ROLLING) continue;
    double s = o->unit[first] / o->unit[last]; /* powers of 2 */
    o->mu_rolling[a] *= back ? 1 / s : s;
  }
}

/* To units of their own; *some: they have such. */
static int begin_units(ns_rigid_problem *o, int *some)
{
  int of_contacts = may_need_units(&o->p, 1), all = of_contacts || may_need_units(&o->p, 0);
  *some = 0;
  if (!all) return NS_OK;
  const ns_array unit = {&o->unit, (size_t)o->max_rows, sizeof *o->unit};
  if (ns_rigid_problem_rows(o) > o->max_units) {
    if (ns_resize_arrays(&unit, 1)) return NS_NOMEM;
    o->max_units = o->max_rows;
  }
  for (int a = 0; a < o->p.nblocks; a++) {
    int counts = of_contacts || o->kind[a] != NS_BLOCK_FRICTION, first = o->row[a];
    for (int i = first; i < o->row[a + 1]; i++) o->unit[i] = size_of_row(o, a, i);
    *some |= ns_mechanical_units(o->kind[a], o->row[a + 1] - first, o->unit + first) && counts;
  }
  if (*some) change_units(o, 0);
  return NS_OK;
}

static void end_units(ns_rigid_problem *o, int some)
{
  if (some) change_units(o, 1);
}

int ns_rigid_problem_solve(ns_rigid_problem *o, ns_multibody_solver *s, ns_ctx *c, double *v,
                           ns_outcome *out)
{
  int some, rc = begin_units(o, &some);
  if (rc) return ns_nomem(c, "units of the one-step problem");
  rc = ns_multibody_solve(s, c, &o->p, o->r, v, o->u, out);
  end_units(o, some);
  return rc;
}

int ns_rigid_problem_residual(ns_rigid_problem *o, double *v, double *over_q, double *residual)
{
  int some, rc = begin_units(o, &some);
  if (rc) return rc;
  *residual = ns_multibody_residual(&o->p, o->r, v, o->u, over_q);
  end_units(o, some);
  return NS_OK;
}

int ns_rigid_problem_worst(ns_rigid_problem *o)
{
  int some, rc = begin_units(o, &some), worst = ns_multibody_worst(&o->p, o->r, o->u);
  if (!rc) end_units(o, some);
  return worst;
}

/* ---- impulses -------------------------------------------------------------------------------- */

/* p += H^T r of n bodies of each block, its first two or the others; with a constant dof. */
static inline void impulse(const ns_rigid_problem *o, int n, const int *body, const double *H,
                           int dof, const double *r, double *p)
{
  for (int a = 0; a < o->p.nblocks; a++)
    for (int i = o->row[a]; i < o->row[a + 1]; i++) {
      const double *h = H + (size_t)n * (size_t)dof * (size_t)i;
      for (int k = 0; k < n && body[n * a + k] >= 0 && r[i] != 0; k++, h += dof)
        ns_axpy_pairs(dof, r[i], h, p + (size_t)dof * (size_t)body[n * a + k]);
    }
}

void ns_rigid_problem_impulse(const ns_rigid_problem *o, const double *r, double *p)
{
  memset(p, 0, (size_t)o->p.nbodies * (size_t)o->p.dof * sizeof *p);
  if (o->p.dof == 6) impulse(o, 2, o->body, o->H, 6, r, p);
  else impulse(o, 2, o->body, o->H, o->p.dof, r, p);
  if (o->further) impulse(o, o->further, o->body2, o->H2, o->p.dof, r, p);
}

size_t ns_rigid_problem_bytes(const ns_rigid_problem *o)
{
  size_t blocks = (size_t)o->max_blocks, rows = (size_t)o->max_rows, d = sizeof(double);
  size_t more = (size_t)o->further * (blocks * sizeof(int) + rows * (size_t)o->p.dof * d);
  size_t coefficients = (o->mu != NULL) + (size_t)(o->mu_rolling != NULL);
  return more + (size_t)o->max_units * d + blocks * (3 * sizeof(int) + 1 + coefficients * d) +
         rows * (2 * (size_t)o->p.dof + 3 + (size_t)o->compliant) * d +
         2 * (size_t)o->max_bounds * d;
}
