/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/projection.h"

#include "algebra/dense.h"
#include "algebra/vector.h"
#include "problems/avi.h"
#include "simulation/rows/contacts_parts.h"

#include <math.h>
#include <string.h>

struct ns_projection {
  ns_contacts *k;
  void *osi; /* its integrator */
  const ns_projection_options *opt;
  int combined;
  ns_arena *mem;
  double t1, h;          /* of the step */
  unsigned char *chosen; /* units of I_1 [nunits] */
  unsigned char *held;   /* degrees of freedom whose velocity is prescribed [nv] */
  double *y;             /* gaps at q [nrows] */
  /* rows that are projected, ascending [n]; where each row stands there or -1 [nrows] */
  int n, *row, *place;
  double *q, *z, *w; /* of the problem [n] */
  double *lb, *ub;   /* of all rows, and behind them of the rows projected [2 nrows] */
  double *scatter;   /* [nv] */
  ns_blocks P;       /* H B H^T of those rows, sparse */
  double *full;      /* or dense */
  const ns_avi_solver_ops *ops;
  void *solver;
};

/* ---- creation -------------------------------------------------------------------------------- */

static int is_equality(const ns_contacts *k, int r)
{
  return k->unit[k->unit_of[r]].kind == NS_UNIT_BOX && !isfinite(k->lb[r]) && !isfinite(k->ub[r]);
}

static int is_gap(const ns_contacts *k, int r)
{
  const ns_unit *u = &k->unit[k->unit_of[r]];
  return u->kind == NS_UNIT_UNILATERAL || (u->kind == NS_UNIT_FRICTION && u->first == r);
}

static int get_memory(ns_projection *p)
{
  const ns_contacts *k = p->k;
  size_t n = (size_t)k->nrows, nnz = n ? (size_t)k->D.row[n] : 0, d = sizeof(double);
  const ns_array want[] = {{&p->chosen, n, 1},
                           {&p->held, k->m->nv, 1},
                           {&p->y, n, d},
                           {&p->row, n, sizeof(int)},
                           {&p->place, n, sizeof(int)},
                           {&p->q, n, d},
                           {&p->z, n, d},
                           {&p->w, n, d},
                           {&p->lb, 2 * n, d},
                           {&p->ub, 2 * n, d},
                           {&p->scatter, k->m->nv, d},
                           {&p->full, n <= NS_DENSE_SMALL ? n * n : 0, d}};
  if (ns_arena_arrays(p->mem, want, sizeof want / sizeof *want)) return NS_NOMEM;
  return n > NS_DENSE_SMALL ? ns_blocks_scalar(p->mem, k->nrows, nnz, &p->P) : NS_OK;
}

static void bounds(ns_projection *p)
{
  const ns_model *m = p->k->m;
  for (int r = 0; r < p->k->nrows; r++) {
    p->lb[r] = p->combined || is_equality(p->k, r) ? -INFINITY : 0;
    p->ub[r] = INFINITY;
    p->place[r] = -1;
  }
  ns_model_mark_held(m, p->held); /* entries of q and v are the same */
}

int ns_projection_create(ns_ctx *c, ns_contacts *k, void *osi, int combined, ns_projection **out)
{
  ns_projection *p = *out = NS_ARENA_OBJECT(ns_projection, mem);
  if (!p) return ns_nomem(c, "projection");
  *p = (ns_projection){
      .k = k, .osi = osi, .opt = &k->m->sim.proj, .combined = combined, .mem = p->mem};
  int rc = get_memory(p) ? ns_nomem(c, "projection") : NS_OK, dense = k->nrows <= NS_DENSE_SMALL;
  if (!rc) {
    bounds(p);
    ns_avi_capacity cap = {.n = k->nrows,
                           .nnz = dense ? (size_t)(k->nrows * k->nrows)
                                        : (size_t)k->D.row[k->nrows],
                           .structure = dense ? NULL : &k->D,
                           .lb = p->lb,
                           .ub = p->ub};
    p->ops = ns_avi_solver_find("auto");
    rc = p->ops->create(c, &cap, NULL, &p->solver);
  }
  if (rc) {
    ns_projection_destroy(p);
    *out = NULL;
  }
  return rc;
}

void ns_projection_destroy(ns_projection *p)
{
  if (!p) return;
  if (p->ops) p->ops->destroy(p->solver);
  ns_arena_destroy(p->mem);
}

size_t ns_projection_bytes(const ns_projection *p)
{
  return p ? ns_arena_used(p->mem) + sizeof *p : 0;
}

/* ---- the set of the velocity step ------------------------------------------------------------ */

void ns_projection_activate(ns_projection *p, const ns_state *x, double t1, double h)
{
  const ns_contacts *k = p->k;
  for (int a = 0; a < k->nunits; a++)
    p->chosen[a] = ns_projection_chooses(&k->m->sim, x, h, k->unit[a].first);
  ns_contacts_select(p->k, x, t1, h, p->chosen);
}

void ns_projection_begin(ns_projection *p, const ns_state *x, double t1, double h)
{
  p->t1 = t1;
  p->h = h;
  memset(p->chosen, 0, (size_t)p->k->nunits);
  ns_contacts_select(p->k, x, t1, h, p->chosen);
}

int ns_projection_join(ns_projection *p, const ns_state *x)
{
  int joined = 0;
  for (int a = 0; a < p->k->nunits; a++) {
    int r = p->k->unit[a].first;
    if (p->chosen[a] || !is_gap(p->k, r)) continue;
    if (!ns_projection_meets(p->opt, x->y[r], p->y[r])) continue;
    joined = p->chosen[a] = 1;
  }
  if (joined) ns_contacts_select(p->k, x, p->t1, p->h, p->chosen);
  return joined;
}

/* ---- one pass -------------------------------------------------------------------------------- */

/* How far row r is from its constraint, by its tolerance; <= 1: near enough. Combined: a contact
 * that carries nothing may be open. */
static double distance(const ns_projection *p, int r)
{
  const ns_contacts *k = p->k;
  int equality = is_equality(k, r);
  if (!equality && !is_gap(k, r)) return 0;
  int closed = p->combined && k->z[k->position[r]] > 0;
  return ns_projection_distance(p->opt, equality, closed, p->y[r]);
}

/* Rows that take part: direct, all of the set; combined, those that are held, or violated now or in
 * a pass before. */
static void choose_rows(ns_projection *p)
{
  const ns_contacts *k = p->k;
  for (int i = 0; i < p->n; i++) p->place[p->row[i]] = -1;
  int n = 0;
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    if (!is_equality(k, r) && !is_gap(k, r)) continue;
    if (p->combined && is_gap(k, r) && !(k->z[i] > 0) && !(distance(p, r) > 1)) continue;
    p->place[r] = n;
    p->row[n++] = r;
  }
  p->n = n;
}

static int by_mass(const ns_projection *p) { return p->opt->metric == NS_METRIC_MASS; }

/* Entry (r, j) of H B H^T, row r of H scattered. */
static double product(const ns_projection *p, int b, int j)
{
  const ns_contacts *k = p->k;
  double s = 0;
  if (by_mass(p)) return k->D.val[b];
  for (int e = k->H.ptr[j]; e < k->H.ptr[j + 1]; e++) s += p->scatter[k->H.dof[e]] * k->H.val[e];
  return s;
}

static void matrix(ns_projection *p)
{
  const ns_contacts *k = p->k;
  int at = 0, n = p->n;
  if (p->P.row == NULL) memset(p->full, 0, (size_t)(n * n) * sizeof *p->full);
  for (int i = 0; i < n; i++) {
    int r = p->row[i];
    for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++)
      p->scatter[k->H.dof[e]] = p->held[k->H.dof[e]] ? 0 : k->H.val[e];
    if (p->P.row) p->P.row[i] = at;
    for (int b = k->D.row[r]; b < k->D.row[r + 1]; b++) {
      int j = p->place[k->D.col[b]];
      if (j < 0) continue;
      double value = product(p, b, k->D.col[b]);
      if (p->P.row) {
        p->P.col[at] = j;
        p->P.val[at++] = value;
      } else p->full[i + j * n] = value;
    }
    for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++) p->scatter[k->H.dof[e]] = 0;
  }
  if (!p->P.row) return;
  p->P.row[n] = at;
  p->P.nb = p->P.m = n;
}

/* Solve for the multipliers: the gaps are scaled to 1, or a solver would take them for zero. */
static int multipliers(ns_projection *p, ns_ctx *c, ns_outcome *out)
{
  int n = p->n, all = p->k->nrows;
  double scale = 0;
  for (int i = 0; i < n; i++) scale = fmax(scale, fabs(p->y[p->row[i]]));
  for (int i = 0; i < n; i++) {
    p->q[i] = p->y[p->row[i]] / scale;
    p->z[i] = 0;
    p->lb[all + i] = p->lb[p->row[i]];
    p->ub[all + i] = p->ub[p->row[i]];
  }
  ns_avi avi = {.n = n,
                .dense = p->P.row ? NULL : p->full,
                .ld = n,
                .blocks = p->P.row ? &p->P : NULL,
                .q = p->q,
                .lb = p->lb + all,
                .ub = p->ub + all};
  int rc = p->ops->solve(p->solver, c, &avi, p->row, p->z, p->w, out);
  ns_scale((size_t)n, scale, p->z);
  return rc;
}

static void move(const ns_projection *p, double *q)
{
  const ns_rows *R = by_mass(p) ? &p->k->G : &p->k->H;
  for (int i = 0; i < p->n; i++)
    for (int e = R->ptr[p->row[i]]; e < R->ptr[p->row[i] + 1]; e++)
      if (!p->held[R->dof[e]]) q[R->dof[e]] += R->val[e] * p->z[i];
}

static double worst_row(const ns_projection *p, int *row)
{
  double worst = 0;
  for (int i = 0; i < p->k->n; i++) {
    double d = distance(p, p->k->active[i]);
    if (d <= worst) continue;
    worst = d;
    *row = p->k->active[i];
  }
  return worst;
}

static int too_far(const ns_projection *p, ns_ctx *c, const ns_state *x, int row)
{
  const ns_interaction *it = &p->k->m->interactions[p->k->interaction[row]];
  return ns_fail_at(
      c, NS_NUMERIC, &it->at,
      "after %d projections the gap is %.3g m in the step from t = %.10g s, "
      "expected %.3g m at most; the last good state is kept; use a smaller h, a larger "
      "tolerance, or look for constraints that contradict each other",
      p->opt->passes, p->y[row], *x->t,
      is_equality(p->k, row) ? p->opt->equality_tol : p->opt->unilateral_tol);
}

/* Mass metric: B H^T and H B H^T where they have moved. */
static int refresh(ns_projection *p, ns_ctx *c, int first)
{
  ns_contacts *k = p->k;
  int varies = 0, rc = NS_OK;
  for (int i = 0; i < k->n; i++) varies = varies || !k->fixed[k->active[i]];
  if (!varies) return NS_OK;
  if (first) rc = k->ops->metric(p->osi, c);
  if (rc) return rc;
  ns_contacts_refresh(k, 0);
  k->gather = 1;
  return NS_OK;
}

int ns_projection_apply(ns_projection *p, ns_ctx *c, const ns_state *x, double *q, const double *v,
                        int *moved)
{
  ns_contacts *k = p->k;
  *moved = 0;
  for (int pass = 0;; pass++) {
    int row = 0, rc = ns_contacts_positions(k, c, x, q, v, p->y);
    if (rc) return rc;
    double worst = worst_row(p, &row);
    if (worst <= 1) return NS_OK;
    if (pass == p->opt->passes || isnan(worst)) return too_far(p, c, x, row);
    k->fresh = 0;
    rc = ns_contacts_linearise(k, c, x, q, v);
    k->fresh = 0;
    if (rc) return rc;
    if (by_mass(p)) rc = refresh(p, c, pass == 0);
    if (rc) return rc;
    choose_rows(p);
    matrix(p);
    ns_outcome out;
    rc = multipliers(p, c, &out);
    if (rc) return rc;
    move(p, q);
    *moved = 1;
  }
}
