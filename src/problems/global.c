/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/global.h"

#include "algebra/dense.h"
#include "algebra/sparse_factor.h"
#include "algebra/sparse_lu.h"
#include "algebra/vector.h"
#include "base/arena.h"
#include "base/sets.h"
#include "problems/mechanical_law.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Up to so many rows a body is factored as a dense matrix. */
enum { DENSE_ROWS = 48, FEW_SORTED = 24 };

struct ns_global_solver {
  ns_arena *mem;
  const ns_global *p;
  double tol;
  /* bodies: the components of M */
  int nk;
  int *kfirst, *krow; /* rows of body k: krow[kfirst[k]..] [nk+1], [n] */
  int *kof, *place;   /* body of a row, its place there [n] */
  size_t *kfactor;    /* start of its dense factor in factor; (size_t)-1: sparse [nk] */
  double *factor;
  double *inverse; /* 1 / M_ii of the rows that are bodies of their own; 0 elsewhere [n] */
  int single;      /* every row is one */
  int *piv;        /* [n] */
  int symmetric;
  unsigned char *large; /* rows of sparse bodies [n] */
  ns_sparse_factor *sym;
  ns_sparse_lu *lu;
  ns_blocks sub; /* for lu: the rows of the sparse bodies alone */
  int *subrow;
  /* blocks that touch body k */
  int *tfirst, *touch; /* [nk+1] */
  int *cursor;         /* work [nb] */
  ns_blocks W;
  ns_mechanical reduced;
  double *q;         /* [m] */
  double *x, *y, *z; /* [n] */
  double *column;    /* [n] a column of M^-1 H */
  const ns_mechanical_solver_ops *ops;
  void *solver;
};

/* ---- residual -------------------------------------------------------------------------------- */

static double scaled(double e, double scale) { return scale > sqrt(DBL_EPSILON) ? e / scale : e; }

/* y += a H r */
static void add_forces(const ns_global *p, double a, const double *r, double *y)
{
  for (int i = 0; i < p->m; i++)
    for (int k = p->row[i]; k < p->row[i + 1]; k++) y[p->col[k]] += a * p->val[k] * r[i];
}

/* u = H^T v + b */
void ns_global_velocities(const ns_global *p, const double *v, double *u)
{
  for (int i = 0; i < p->m; i++) {
    double s = p->b[i];
    for (int k = p->row[i]; k < p->row[i + 1]; k++) s += p->val[k] * v[p->col[k]];
    u[i] = s;
  }
}

/* |b| + |H^T| |v| of row i; of a ball the sum over its rows. */
static double terms_of(const ns_global *p, const ns_law *l, int i, const double *v)
{
  int end = l->kind == NS_BLOCK_BALL ? i + l->d : i + 1;
  double size = 0;
  for (; i < end; i++) {
    size += fabs(p->b[i]);
    for (int k = p->row[i]; k < p->row[i + 1]; k++) size += fabs(p->val[k] * v[p->col[k]]);
  }
  return size;
}

static double natural_map(const ns_global *p, const double *r, const double *u)
{
  double s = 0;
  for (int a = 0; a < p->nb; a++) {
    ns_law l = ns_law_of_global(p, a);
    s = ns_law_add_defect(&l, s, u + p->first[a], r + p->first[a]);
  }
  return sqrt(s);
}

double ns_global_residual(const ns_global *p, const double *v, const double *r, double *u,
                          double *work)
{
  int n = p->M->m;
  memset(work, 0, (size_t)n * sizeof *work);
  ns_blocks_gemv(1, p->M, v, work);
  double size = fmax(ns_norm((size_t)n, p->q), ns_norm((size_t)n, work));
  ns_axpy((size_t)n, -1, p->q, work);
  add_forces(p, -1, r, work);
  double dynamics = ns_norm((size_t)n, work);
  memset(work, 0, (size_t)n * sizeof *work);
  add_forces(p, 1, r, work);
  dynamics = scaled(dynamics, fmax(size, ns_norm((size_t)n, work)));
  ns_global_velocities(p, v, u);
  double speed = ns_norm((size_t)p->m, u), open = 0, own = 0;
  double e = dynamics + scaled(natural_map(p, r, u), fmax(speed, ns_norm((size_t)p->m, r)));
  for (int a = 0; a < p->nb; a++) {
    ns_law l = ns_law_of_global(p, a);
    open = ns_law_add_open(&l, open, u + p->first[a], r + p->first[a]);
    for (int i = 0, at = p->first[a]; i < ns_law_own_rows(&l); i++)
      own = fmax(own, ns_law_row_error(&l, i, u + at, r + at, terms_of(p, &l, at + i, v)));
  }
  e = fmax(ns_law_with_open(e, open, fmax(speed, ns_norm((size_t)p->m, p->b))), own);
  return e <= DBL_MAX ? e : INFINITY;
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static int *integers(ns_global_solver *s, size_t n)
{
  return ns_arena_zero(s->mem, n + 1, sizeof(int));
}
static double *reals(ns_global_solver *s, size_t n)
{
  return ns_arena_zero(s->mem, n + 1, sizeof(double));
}

/* Union of the rows that an entry of M couples; bodies are numbered by their first row. */
static int find_bodies(ns_global_solver *s)
{
  const ns_blocks *M = s->p->M;
  int n = M->m, *parent = s->place;
  ns_sets_begin(parent, n);
  for (int i = 0; i < n; i++)
    for (int k = M->row[i]; k < M->row[i + 1]; k++) ns_sets_join(parent, i, M->col[k]);
  for (int i = 0; i < n; i++)
    s->kof[i] = ns_sets_root(parent, i) == i ? s->nk++ : s->kof[ns_sets_root(parent, i)];
  if (!(s->kfirst = integers(s, (size_t)s->nk + 1)) ||
      !(s->kfactor = ns_arena_zero(s->mem, (size_t)s->nk + 1, sizeof *s->kfactor)))
    return 0;
  for (int i = 0; i < n; i++) s->kfirst[s->kof[i] + 1]++;
  ns_prefix_sums((size_t)s->nk, s->kfirst);
  memset(s->place, 0, (size_t)n * sizeof *s->place);
  for (int i = 0, *count = s->piv; i < n; i++) {
    int k = s->kof[i];
    s->place[i] = count[k]++;
    s->krow[s->kfirst[k] + s->place[i]] = i;
  }
  return 1;
}

static int is_symmetric(const ns_blocks *M)
{
  for (int i = 0; i < M->m; i++)
    for (int k = M->row[i]; k < M->row[i + 1]; k++) {
      const double *t = ns_blocks_at(M, M->col[k], i);
      if (!t || *t != M->val[M->off[k]]) return 0;
    }
  return 1;
}

static int rows_of(const ns_global_solver *s, int k) { return s->kfirst[k + 1] - s->kfirst[k]; }

static int singular(ns_ctx *c, int row)
{
  return ns_fail_below(c, NS_NUMERIC,
                       "M is singular to rounding, or not positive definite, at row %d: the forces "
                       "do not determine the velocities",
                       row);
}

static int factor_dense(ns_global_solver *s, ns_ctx *c, int k)
{
  const ns_blocks *M = s->p->M;
  int n = rows_of(s, k), bad;
  double *F = s->factor + s->kfactor[k];
  memset(F, 0, (size_t)(n * n) * sizeof *F);
  for (int i = 0; i < n; i++) {
    int r = s->krow[s->kfirst[k] + i];
    for (int e = M->row[r]; e < M->row[r + 1]; e++)
      F[i + s->place[M->col[e]] * n] += M->val[M->off[e]];
  }
  bad = s->symmetric ? ns_dense_cholesky(n, F, n) : ns_dense_lu(n, F, n, s->piv + s->kfirst[k]);
  return bad ? singular(c, s->krow[s->kfirst[k] + bad - 1]) : NS_OK;
}

static int invert(ns_global_solver *s, ns_ctx *c, int row)
{
  const ns_blocks *M = s->p->M;
  double m = 0;
  for (int e = M->row[row]; e < M->row[row + 1]; e++) m += M->val[M->off[e]];
  if (!(s->symmetric ? m > 0 : m != 0) || !(fabs(m) <= DBL_MAX)) return singular(c, row);
  s->inverse[row] = 1 / m;
  return NS_OK;
}

/* Rows of the flexible bodies as a matrix of their own. */
static int extract(ns_global_solver *s)
{
  const ns_blocks *M = s->p->M;
  ns_blocks *S = &s->sub;
  int n = 0, at = 0, nnz = M->row[M->m];
  int *to = integers(s, (size_t)M->m);
  S->dim = integers(s, (size_t)M->m);
  S->first = integers(s, (size_t)M->m + 1);
  S->row = integers(s, (size_t)M->m + 1);
  S->col = integers(s, (size_t)nnz);
  S->off = ns_arena_zero(s->mem, (size_t)nnz + 1, sizeof *S->off);
  S->val = reals(s, (size_t)nnz);
  s->subrow = integers(s, (size_t)M->m);
  if (!to || !S->dim || !S->first || !S->row || !S->col || !S->off || !S->val || !s->subrow)
    return 0;
  for (int i = 0; i < M->m; i++)
    if (s->large[i]) {
      s->subrow[n] = i;
      S->dim[n] = 1;
      S->first[n] = n;
      to[i] = n++;
    }
  for (int i = 0; i < n; i++) {
    S->row[i] = at;
    for (int e = M->row[s->subrow[i]]; e < M->row[s->subrow[i] + 1]; e++, at++) {
      S->col[at] = to[M->col[e]];
      S->off[at] = (size_t)at;
      S->val[at] = M->val[M->off[e]];
    }
  }
  S->row[n] = at;
  S->first[n] = n;
  S->nb = S->m = n;
  return 1;
}

static int factor_sparse(ns_global_solver *s, ns_ctx *c)
{
  if (!extract(s)) return ns_nomem(c, "global friction problem");
  int rc = s->symmetric ? ns_sparse_factor_create(c, &s->sub, 1, &s->sym)
                        : ns_sparse_lu_create(c, &s->sub, &s->lu),
      bad;
  if (rc) return rc;
  if (s->symmetric) {
    bad = ns_sparse_factor_numeric(s->sym, &s->sub, NULL, NULL, NULL, NULL);
  } else {
    bad = ns_sparse_lu_load(s->lu, &s->sub, NULL);
    if (!bad) bad = ns_sparse_lu_update(s->lu);
  }
  return bad ? singular(c, bad > 0 ? s->subrow[bad - 1] : 0) : NS_OK;
}

static int factor(ns_global_solver *s, ns_ctx *c)
{
  size_t size = 0;
  int sparse = 0, n = s->p->M->m, rc = NS_OK;
  if (!(s->large = ns_arena_zero(s->mem, (size_t)n + 1, 1)))
    return ns_nomem(c, "global friction problem");
  for (int k = 0; k < s->nk; k++) {
    int rows = rows_of(s, k), dense = rows <= DENSE_ROWS;
    s->kfactor[k] = dense ? size : (size_t)-1;
    size += dense && rows > 1 ? (size_t)(rows * rows) : 0;
    sparse |= !dense;
    for (int i = 0; i < rows; i++) s->large[s->krow[s->kfirst[k] + i]] = !dense;
  }
  s->symmetric = is_symmetric(s->p->M);
  if (!(s->factor = reals(s, size))) return ns_nomem(c, "global friction problem");
  rc = ns_dense_prepare(c, DENSE_ROWS);
  for (int k = 0; k < s->nk && !rc; k++)
    if (rows_of(s, k) == 1) rc = invert(s, c, s->krow[s->kfirst[k]]);
    else if (s->kfactor[k] != (size_t)-1) rc = factor_dense(s, c, k);
  s->single = s->nk == n;
  return !rc && sparse ? factor_sparse(s, c) : rc;
}

/* x [n] = M^-1 x in the rows of body k, a dense one. */
static void solve_body(ns_global_solver *s, int k, double *x)
{
  int n = rows_of(s, k), *row = s->krow + s->kfirst[k];
  double t[DENSE_ROWS];
  if (n == 1) {
    x[*row] *= s->inverse[*row];
    return;
  }
  const double *F = s->factor + s->kfactor[k];
  ns_gather((size_t)n, x, row, t);
  if (s->symmetric) ns_dense_cholesky_solve(n, F, n, 1, t, n);
  else ns_dense_lu_solve(n, F, n, s->piv + s->kfirst[k], 1, t, n);
  ns_scatter((size_t)n, t, row, x);
}

/* The same in the rows of all sparse bodies; y, z are work. */
static void solve_sparse(ns_global_solver *s, double *x)
{
  int n = s->sub.m;
  double *y = s->y;
  if (s->sym) {
    ns_gather((size_t)n, x, s->subrow, y);
    ns_sparse_factor_solve(s->sym, y);
    ns_scatter((size_t)n, y, s->subrow, x);
    return;
  }
  const int *place = ns_sparse_lu_place(s->lu);
  for (int i = 0; i < n; i++) y[place[i]] = x[s->subrow[i]] * ns_sparse_lu_scale(s->lu, i);
  ns_sparse_lu_solve(s->lu, y, s->z);
  for (int i = 0; i < n; i++) x[s->subrow[i]] = s->z[place[i]];
}

static void solve_all(ns_global_solver *s, double *x)
{
  for (int i = 0; i < s->p->M->m && s->single; i++) x[i] *= s->inverse[i];
  if (s->single) return;
  for (int k = 0; k < s->nk; k++)
    if (s->kfactor[k] != (size_t)-1) solve_body(s, k, x);
  if (s->sub.m) solve_sparse(s, x);
}

/* ---- W --------------------------------------------------------------------------------------- */

/* Which blocks touch which bodies: lists by bodies, blocks ascending. seen [nk]. */
static int find_touches(ns_global_solver *s)
{
  const ns_global *p = s->p;
  int *seen = integers(s, (size_t)s->nk), *fill = integers(s, (size_t)s->nk + 1);
  if (!seen || !fill || !(s->tfirst = integers(s, (size_t)s->nk + 1))) return 0;
  for (int pass = 0; pass < 2; pass++) {
    ns_fill_ints((size_t)s->nk, -1, seen);
    for (int a = 0; a < p->nb; a++)
      for (int e = p->row[p->first[a]]; e < p->row[p->first[a + 1]]; e++) {
        int k = s->kof[p->col[e]];
        if (seen[k] == a) continue;
        seen[k] = a;
        if (pass) s->touch[fill[k]++] = a;
        else s->tfirst[k + 1]++;
      }
    if (pass) break;
    ns_prefix_sums((size_t)s->nk, s->tfirst);
    memcpy(fill, s->tfirst, (size_t)s->nk * sizeof *fill);
    if (!(s->touch = integers(s, (size_t)s->tfirst[s->nk]))) return 0;
  }
  return 1;
}

/* Blocks of row a of W: those that touch a body that a touches, and a itself. To list; their
 * number. */
static int neighbours(const ns_global_solver *s, int a, int *seen, int *list)
{
  const ns_global *p = s->p;
  int n = 0;
  seen[a] = a;
  list[n++] = a;
  for (int e = p->row[p->first[a]]; e < p->row[p->first[a + 1]]; e++) {
    int k = s->kof[p->col[e]];
    for (int t = s->tfirst[k]; t < s->tfirst[k + 1]; t++)
      if (seen[s->touch[t]] != a) {
        seen[s->touch[t]] = a;
        list[n++] = s->touch[t];
      }
  }
  if (n > FEW_SORTED) qsort(list, (size_t)n, sizeof *list, ns_ascending);
  for (int i = 1; i < n && n <= FEW_SORTED; i++)
    for (int j = i, b = list[i]; j > 0 && list[j - 1] > b; list[--j] = b) list[j] = list[j - 1];
  return n;
}

static int structure(ns_global_solver *s)
{
  const ns_global *p = s->p;
  size_t nb = (size_t)p->nb, values = 0;
  int *seen = s->cursor = integers(s, nb), *list = integers(s, nb);
  ns_blocks *W = &s->W;
  *W = (ns_blocks){.nb = p->nb,
                   .m = p->m,
                   .dim = integers(s, nb),
                   .first = integers(s, nb + 1),
                   .row = integers(s, nb + 1)};
  if (!seen || !list || !W->dim || !W->first || !W->row) return 0;
  memcpy(W->dim, p->dim, nb * sizeof *W->dim);
  memcpy(W->first, p->first, (nb + 1) * sizeof *W->first);
  for (int pass = 0; pass < 2; pass++) {
    ns_fill_ints((size_t)p->nb, -1, seen);
    for (int a = 0; a < p->nb; a++) {
      int n = neighbours(s, a, seen, list);
      W->row[a + 1] = W->row[a] + n;
      for (int b = 0; b < n && pass; b++) {
        W->col[W->row[a] + b] = list[b];
        W->off[W->row[a] + b] = values;
        values += (size_t)p->dim[a] * (size_t)p->dim[list[b]];
      }
    }
    size_t n = (size_t)W->row[p->nb];
    if (pass) break;
    W->col = integers(s, n);
    W->off = ns_arena_zero(s->mem, n + 1, sizeof *W->off);
    if (!W->col || !W->off) return 0;
  }
  return (W->val = reals(s, values)) != NULL;
}

/* Columns of block a that touch body k: x = M_k^-1 H, and what it adds to W. */
static void add_columns(ns_global_solver *s, int k, int a)
{
  const ns_global *p = s->p;
  double *x = s->column;
  for (int j = 0; j < p->dim[a]; j++) {
    int i = p->first[a] + j;
    for (int r = s->kfirst[k]; r < s->kfirst[k + 1]; r++) x[s->krow[r]] = 0;
    for (int e = p->row[i]; e < p->row[i + 1]; e++)
      if (s->kof[p->col[e]] == k) x[p->col[e]] += p->val[e];
    if (s->kfactor[k] != (size_t)-1) solve_body(s, k, x);
    else solve_sparse(s, x);
    for (int t = s->tfirst[k]; t < s->tfirst[k + 1]; t++) {
      int b = s->touch[t], d = p->dim[b];
      double *B = ns_blocks_at(&s->W, b, a);
      for (int l = 0; l < d; l++)
        for (int e = p->row[p->first[b] + l]; e < p->row[p->first[b] + l + 1]; e++)
          if (s->kof[p->col[e]] == k) B[l + j * d] += p->val[e] * x[p->col[e]];
    }
  }
}

/* W where every row of M is a body of its own: row i of H^T M^-1 spread out, against the rows of
 * the blocks from a on. What is left of the diagonal is their mirror, in ascending columns. */
static void multiply(ns_global_solver *s)
{
  int *at = s->cursor;
  const ns_global *p = s->p;
  const ns_blocks *W = &s->W;
  double *x = s->column;
  memcpy(at, W->row, (size_t)p->nb * sizeof *at);
  for (int a = 0; a < p->nb; a++)
    for (int j = 0; j < p->dim[a]; j++) {
      int i = p->first[a] + j, d = p->dim[a];
      for (int e = p->row[i]; e < p->row[i + 1]; e++)
        x[p->col[e]] += p->val[e] * s->inverse[p->col[e]];
      for (int k = at[a]; k < W->row[a + 1]; k++) {
        int b = W->col[k], last = j + 1 == d && b > a;
        double *B = W->val + W->off[k], *T = W->val + W->off[at[b]];
        for (int l = 0; l < p->dim[b]; l++) {
          double sum = 0;
          for (int e = p->row[p->first[b] + l]; e < p->row[p->first[b] + l + 1]; e++)
            sum += p->val[e] * x[p->col[e]];
          B[j + l * d] = sum;
          if (b > a) T[l + j * p->dim[b]] = sum;
        }
        at[b] += last;
      }
      for (int e = p->row[i]; e < p->row[i + 1]; e++) x[p->col[e]] = 0;
    }
}

static void reduce(ns_global_solver *s)
{
  const ns_global *p = s->p;
  int n = p->M->m;
  if (s->single) multiply(s);
  for (int k = 0; k < s->nk && !s->single; k++)
    for (int t = s->tfirst[k]; t < s->tfirst[k + 1]; t++) add_columns(s, k, s->touch[t]);
  memset(s->column, 0, (size_t)n * sizeof *s->column);
  memcpy(s->x, p->q, (size_t)n * sizeof *s->x);
  solve_all(s, s->x);
  ns_global_velocities(p, s->x, s->q);
  s->reduced = (ns_mechanical){.W = &s->W,
                               .q = s->q,
                               .kind = p->kind,
                               .mu = p->mu,
                               .mu_rolling = p->mu_rolling,
                               .lb = p->lb,
                               .ub = p->ub,
                               .stamp = 1,
                               .watch = p->watch};
}

/* ---- the object ------------------------------------------------------------------------------ */

static int get(ns_global_solver *s)
{
  size_t n = (size_t)s->p->M->m, d = sizeof(double), i = sizeof(int);
  const ns_array want[] = {{&s->krow, n, i},    {&s->kof, n, i},
                           {&s->place, n, i},   {&s->piv, n, i},
                           {&s->x, n, d},       {&s->y, n, d},
                           {&s->z, n, d},       {&s->column, n, d},
                           {&s->inverse, n, d}, {&s->q, (size_t)s->p->m, d}};
  return !ns_arena_arrays(s->mem, want, sizeof want / sizeof *want) && find_bodies(s);
}

int ns_global_create(ns_ctx *c, const ns_global *p, const ns_mechanical_solver_ops *ops,
                     const ns_mechanical_options *opt, ns_global_solver **out)
{
  ns_global_solver *s = NS_ARENA_OBJECT(ns_global_solver, mem);
  *out = NULL;
  if (!s) return ns_nomem(c, "global friction problem");
  *s = (ns_global_solver){
      .mem = s->mem, .p = p, .ops = ops, .tol = (opt ? *opt : ns_mechanical_defaults()).tol};
  int rc = get(s) ? factor(s, c) : ns_nomem(c, "global friction problem");
  if (!rc && (!find_touches(s) || !structure(s))) rc = ns_nomem(c, "global friction problem");
  if (!rc) {
    reduce(s);
    ns_mechanical_capacity cap = {.structure = &s->W, .kind = p->kind, .symmetric = s->symmetric};
    rc = ops->create(c, &cap, opt, &s->solver);
  }
  if (rc) ns_global_destroy(s);
  else *out = s;
  return rc;
}

void ns_global_destroy(ns_global_solver *s)
{
  if (!s) return;
  s->ops->destroy(s->solver);
  ns_sparse_factor_destroy(s->sym);
  ns_sparse_lu_destroy(s->lu);
  ns_arena_destroy(s->mem);
}

const ns_mechanical *ns_global_reduced(const ns_global_solver *s) { return &s->reduced; }

/* v = M^-1 (q + H r), refined once: what is left of the dynamics is rounding. */
static void recover(ns_global_solver *s, const double *r, double *v)
{
  const ns_global *p = s->p;
  size_t bytes = (size_t)p->M->m * sizeof *v;
  memcpy(v, p->q, bytes);
  add_forces(p, 1, r, v);
  solve_all(s, v);
  memcpy(s->x, p->q, bytes);
  add_forces(p, 1, r, s->x);
  ns_blocks_gemv(-1, p->M, v, s->x);
  solve_all(s, s->x);
  ns_axpy((size_t)p->M->m, 1, s->x, v);
}

/* The residual of the whole has other denominators than that of the part: where it is above the
 * tolerance, the part is solved more closely. */
int ns_global_solve(ns_global_solver *s, ns_ctx *c, double *r, double *u, double *v,
                    ns_outcome *out)
{
  enum { CLOSER = 4 };
  ns_mechanical part = s->reduced;
  int iterations = 0;
  part.tol = s->tol;
  for (int k = 0; k < CLOSER; k++) {
    int rc = s->ops->solve(s->solver, c, &part, NULL, r, u, out);
    if (rc) return rc;
    iterations += out->iterations;
    recover(s, r, v);
    out->residual = ns_global_residual(s->p, v, r, u, s->x);
    if (out->residual <= s->tol || out->kind != NS_SOLVED) break;
    part.tol = fmax(part.tol * fmin(0.5, 0.5 * s->tol / out->residual), DBL_EPSILON);
  }
  out->iterations = iterations;
  out->kind = out->residual <= s->tol ? NS_SOLVED : out->kind == NS_SOLVED ? NS_LIMIT : out->kind;
  return NS_OK;
}
