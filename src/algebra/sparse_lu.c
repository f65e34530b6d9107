/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/sparse_lu.h"

#include "algebra/vector.h"

#include "algebra/panel.h"
#include "algebra/sparse_lu_tree.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* A pivot is at least this part of the largest entry of its column. */
#define THRESHOLD 0.1
/* The same once no more columns may be delayed. */
#define LAST_RESORT 1e-9
/* A column all of whose entries are below this part of what A has there counts as zero. */
#define SINGULAR 1e-14
/* Columns that a front may hand on: that many, or as many as its border. (More than that cannot all
 * be without entries in the front where K is nonsingular.) */
#define DELAY 6

typedef struct front {
  int own, border; /* columns of its own, columns it changes */
  int first;       /* place of its first own column */
  int capacity;    /* most columns */
  int hand;        /* most columns handed on */
  int nfs;         /* fully summed ones: own and those delayed by children */
  int units;       /* own ones whose row is a unit row: they come first, and change nothing */
  int done;        /* eliminated ones */
  int applied;     /* of these, those that have changed columns from reach on, too */
  int reach;       /* columns before it are up to date */
  int child, sibling, parent;
  int entries, entries_end; /* of A */
  const int *at, *into;     /* of its border: places, and local index in the parent */
  /* places of fully summed rows and columns, eliminated ones first [room - border] */
  int *rid, *cid;
  /* row-major, m x m, m = nfs + border: L\U, reciprocal pivots, and below right the contribution
   * [room^2] */
  double *F;
} front;

struct ns_sparse_lu {
  ns_arena *arena;
  ns_lu_tree t;
  int n;
  front *front;         /* [t.nf] */
  unsigned char *dirty; /* to be computed; all its ancestors are too [t.nf] */
  unsigned char *mark;  /* scratch of solve_few [t.nf] */
  int ndirty;

  /* Entries, sorted by front. */
  int *er, *ec;        /* local row and column in the front [entries] */
  double *kval, *mval; /* in K; in A, row scaled [entries] */
  /* Entries by row of the structure. */
  int *row, *slot, *col; /* [n+1], [entries], [entries] */
  int *efront;           /* front of each [entries], in the same order as slot */
  int *diagonal;         /* slot [n] */

  double *scale;         /* of row i of the structure [n] */
  double *size;          /* largest entry of the scaled A in the column at a place [n] */
  unsigned char *unit;   /* row i of the structure [n] */
  unsigned char *absent; /* not in the A loaded [n] */
  double *shift;         /* on the diagonal of row i of the structure [n] */
  double *local;         /* scratch [largest room] */
  /* scratch: where own columns and border stand in the front being made [largest room] */
  int *to;
  ns_sparse_lu_stats count;
};

/* ---- which fronts ---------------------------------------------------------------------------- */

static void touch(ns_sparse_lu *f, int k)
{
  for (; k >= 0 && !f->dirty[k]; k = f->front[k].parent) {
    f->dirty[k] = 1;
    f->ndirty++;
  }
}

static void touch_all(ns_sparse_lu *f)
{
  memset(f->dirty, 1, (size_t)f->t.nf);
  f->ndirty = f->t.nf;
}

/* ---- the matrix ------------------------------------------------------------------------------ */

static void set_row(ns_sparse_lu *f, int i)
{
  int unit = f->unit[i];
  if (unit)
    for (int k = f->row[i]; k < f->row[i + 1]; k++) f->kval[f->slot[k]] = 0;
  else
    for (int k = f->row[i]; k < f->row[i + 1]; k++) f->kval[f->slot[k]] = f->mval[f->slot[k]];
  double *d = &f->kval[f->diagonal[i]];
  *d = unit ? 1 : *d + f->shift[i];
}

/* Scaled values of row i of the structure from row r of A; local column numbers of A are looked up
 * in `row`. */
static int load_row(ns_sparse_lu *f, const ns_blocks *A, const int *row, int r, int i)
{
  double s = 0;
  int k = f->row[i], end = f->row[i + 1], exponent;
  for (int e = A->row[r]; e < A->row[r + 1]; e++) s = fmax(s, fabs(A->val[e]));
  frexp(s, &exponent);
  double scale = s > 1e-300 && s < 1e300 ? ldexp(1, 1 - exponent) : 1;
  f->scale[i] = scale;
  for (int e = A->row[r]; e < A->row[r + 1]; e++) {
    int j = row ? row[A->col[e]] : A->col[e];
    while (k < end && f->col[k] < j) f->mval[f->slot[k++]] = 0;
    if (k == end || f->col[k] != j) return -1;
    double v = A->val[e] * scale, *max = &f->size[f->t.place[j]];
    f->mval[f->slot[k++]] = v;
    if (fabs(v) > *max) *max = fabs(v);
  }
  while (k < end) f->mval[f->slot[k++]] = 0;
  return 0;
}

int ns_sparse_lu_load(ns_sparse_lu *f, const ns_blocks *A, const int *row)
{
  if (A->m != A->nb || A->m > f->n || (!row && A->m != f->n)) return -1;
  memset(f->absent, row != NULL, (size_t)f->n);
  for (int k = 0; k < f->n; k++) f->size[k] = 0;
  for (int i = 0; i < f->n; i++) f->shift[i] = 0;
  for (int r = 0; r < A->m; r++) {
    int i = row ? row[r] : r;
    if (i < 0 || i >= f->n || load_row(f, A, row, r, i)) return -1;
    f->absent[i] = 0;
  }
  for (int i = 0; i < f->n; i++) {
    f->unit[i] = f->absent[i];
    set_row(f, i);
  }
  touch_all(f);
  return 0;
}

static void changed(ns_sparse_lu *f, int i)
{
  set_row(f, i);
  for (int k = f->row[i]; k < f->row[i + 1]; k++) touch(f, f->efront[k]);
}

void ns_sparse_lu_unit(ns_sparse_lu *f, int i, int unit)
{
  if (f->absent[i] || f->unit[i] == unit) return;
  f->unit[i] = (unsigned char)unit;
  changed(f, i);
}

void ns_sparse_lu_shift(ns_sparse_lu *f, int i, double shift)
{
  if (shift == f->shift[i]) return;
  f->shift[i] = shift;
  if (!f->unit[i]) changed(f, i);
}

double ns_sparse_lu_scale(const ns_sparse_lu *f, int i) { return f->scale[i]; }

const int *ns_sparse_lu_place(const ns_sparse_lu *f) { return f->t.place; }
double ns_sparse_lu_cost(const ns_sparse_lu *f) { return f->t.cost; }

size_t ns_sparse_lu_bytes(const ns_sparse_lu *f) { return ns_arena_used(f->arena); }

ns_sparse_lu_stats ns_sparse_lu_counts(const ns_sparse_lu *f) { return f->count; }

/* ---- one front ------------------------------------------------------------------------------- */

/* Add the contribution of child c, whose delayed columns come to local index `late`. */
static void extend_add(const front *c, front *p, int m, const int *to, int late)
{
  int mc = c->nfs + c->border, delayed = c->nfs - c->done;
  for (int i = c->done; i < mc; i++) {
    const double *from = c->F + (size_t)i * (size_t)mc + (size_t)c->done;
    int r = i < c->nfs ? late + i - c->done : to[c->into[i - c->nfs]];
    double *into = p->F + (size_t)r * (size_t)m;
    for (int j = 0; j < delayed; j++) into[late + j] += from[j];
    from += delayed;
    for (int j = 0; j < c->border; j++) into[to[c->into[j]]] += from[j];
  }
  for (int i = 0; i < delayed; i++) {
    p->rid[late + i] = c->rid[c->done + i];
    p->cid[late + i] = c->cid[c->done + i];
  }
}

/* Own columns in the order of elimination, but unit rows first. */
static void order_own(ns_sparse_lu *f, front *p, int delayed)
{
  int *to = f->to, units = 0, others;
  const unsigned char *unit = f->unit;
  const int *order = f->t.order + p->first;
  for (int k = 0; k < p->own; k++) units += unit[order[k]];
  p->units = units;
  others = units;
  units = 0;
  for (int k = 0; k < p->own; k++) {
    int i = to[k] = unit[order[k]] ? units++ : others++;
    p->rid[i] = p->cid[i] = p->first + k;
  }
  for (int k = p->own; k < p->own + p->border; k++) to[k] = k + delayed;
}

static int assemble(ns_sparse_lu *f, front *p)
{
  int delayed = 0;
  for (int c = p->child; c >= 0; c = f->front[c].sibling)
    delayed += f->front[c].nfs - f->front[c].done;
  int m = p->own + delayed + p->border;
  if (m > p->capacity) return -1;
  f->count.delayed += delayed;
  p->nfs = p->own + delayed;
  order_own(f, p, delayed);
  memset(p->F, 0, (size_t)m * (size_t)m * sizeof *p->F);
  for (int e = p->entries; e < p->entries_end; e++)
    p->F[f->to[f->er[e]] * m + f->to[f->ec[e]]] = f->kval[e];
  int late = p->own;
  for (int c = p->child; c >= 0; c = f->front[c].sibling) {
    extend_add(&f->front[c], p, m, f->to, late);
    late += f->front[c].nfs - f->front[c].done;
  }
  return 0;
}

static void swap_rows(front *p, int m, int a, int b)
{
  double *x = p->F + (size_t)a * (size_t)m, *y = p->F + (size_t)b * (size_t)m;
  for (int j = 0; j < m; j++) ns_swap(&x[j], &y[j]);
  ns_swap_ints(&p->rid[a], &p->rid[b]);
}

static void swap_columns(front *p, int m, int a, int b)
{
  double *x = p->F + a, *y = p->F + b;
  for (int i = 0; i < m; i++, x += m, y += m) ns_swap(x, y);
  ns_swap_ints(&p->cid[a], &p->cid[b]);
}

/* Row k is the pivot's: its reciprocal there, multipliers below, and the columns within reach. */
static void eliminate(front *p, int m, int k)
{
  const double *restrict u = p->F + (size_t)k * (size_t)m;
  double r = 1 / u[k];
  int end = p->reach;
  p->F[k * m + k] = r;
  for (int i = k + 1; i < m; i++) {
    double *restrict v = p->F + (size_t)i * (size_t)m;
    if (v[k] == 0) continue;
    double l = v[k] *= r;
    for (int j = k + 1; j < end; j++) v[j] -= l * u[j];
  }
}

/* All columns are up to date; the next panel. */
static void next_panel(front *p, int m)
{
  if (p->applied < p->done && p->reach < m)
    ns_panel_apply(p->F, m, p->applied, p->done - p->applied, p->reach);
  p->applied = p->done;
  p->reach = m;
  if (m >= NS_BLOCKED) p->reach = p->nfs - p->done < NS_PANEL ? p->nfs : p->done + NS_PANEL;
}

/* Largest entry of column k from row `done` on: of those fully summed, its row and size; of all. */
static double column(const front *p, int m, int k, int *at, double *all)
{
  const double *v = p->F + k;
  double max = -1;
  int i = p->done, row = i;
  for (; i < p->nfs; i++) {
    double a = fabs(v[i * m]);
    if (a > max) {
      max = a;
      row = i;
    }
  }
  double rest = max;
  for (; i < m; i++) {
    double a = fabs(v[i * m]);
    if (a > rest) rest = a;
  }
  *at = row;
  *all = rest;
  return max;
}

static void take(front *p, int m, int row, int col)
{
  int k = p->done;
  if (row != k) swap_rows(p, m, row, k);
  if (col != k) swap_columns(p, m, col, k);
  eliminate(p, m, k);
  p->done++;
}

/* More columns without a good pivot than may be delayed: the best of the bad ones. */
static int force(front *p, int m)
{
  double best = LAST_RESORT;
  int row = -1, col = -1;
  for (int k = p->done; k < p->nfs; k++) {
    int at;
    double all, max = column(p, m, k, &at, &all);
    if (max > best * all) {
      best = max / all;
      row = at;
      col = k;
    }
  }
  if (row < 0) return -1;
  take(p, m, row, col);
  return 0;
}

/* 0, place+1 of a singular column, or -1: no room. */
static int factor(ns_sparse_lu *f, front *p)
{
  if (assemble(f, p)) return -1;
  /* columns from end on were tried in vain since the last pivot */
  int m = p->nfs + p->border, end = p->nfs;
  p->done = p->units; /* 1 on the diagonal, 0 beside it: the column below is its multipliers */
  p->applied = p->done;
  p->reach = m;
  next_panel(p, m);
  for (;;) {
    while (p->done < end) {
      if (p->done == p->reach) next_panel(p, m);
      int k = p->done, row;
      double all, max = column(p, m, k, &row, &all);
      if (!(all > SINGULAR * f->size[p->cid[k]] && all <= 1e300)) return p->cid[k] + 1;
      if (max >= THRESHOLD * all) {
        take(p, m, row, k);
        end = p->nfs;
      } else {
        next_panel(p, m);
        if (--end != k) swap_columns(p, m, k, end);
      }
    }
    next_panel(p, m);
    if (p->nfs - p->done <= p->hand) return 0;
    if (force(p, m)) return -1;
    end = p->nfs;
  }
}

int ns_sparse_lu_update(ns_sparse_lu *f)
{
  if (!f->ndirty) return 0;
  if (f->ndirty == f->t.nf) f->count.full++;
  else {
    f->count.partial++;
    f->count.computed += f->ndirty;
  }
  for (int k = 0; k < f->t.nf; k++) {
    if (!f->dirty[k]) continue;
    int rc = factor(f, &f->front[k]);
    if (rc) return rc < 0 ? rc : f->t.order[rc - 1] + 1;
    f->dirty[k] = 0;
    f->ndirty--;
  }
  return 0;
}

/* ---- solve ----------------------------------------------------------------------------------- */

static void forward(ns_sparse_lu *f, const front *p, double *restrict b)
{
  int m = p->nfs + p->border, done = p->done;
  double *restrict y = f->local;
  const double *v = p->F;
  int start = p->units; /* bounds are zero more often than not */
  for (int i = 0; i < p->units; i++) {
    y[i] = b[p->rid[i]];
    if (y[i] != 0) start = 0;
  }
  v += (size_t)p->units * (size_t)m;
  for (int i = p->units; i < done; i++, v += m) {
    double s = b[p->rid[i]];
    for (int j = start; j < i; j++) s -= v[j] * y[j];
    b[p->rid[i]] = y[i] = s;
  }
  if (start == done) return;
  for (int i = done; i < m; i++, v += m) {
    double s = 0;
    for (int j = start; j < done; j++) s += v[j] * y[j];
    b[i < p->nfs ? p->rid[i] : p->at[i - p->nfs]] -= s;
  }
}

/* b NULL: 0. */
static void backward(ns_sparse_lu *f, const front *p, const double *b, double *restrict x)
{
  int m = p->nfs + p->border, done = p->done;
  double *restrict y = f->local;
  for (int i = 0; i < p->units; i++) y[i] = x[p->cid[i]] = b ? b[p->rid[i]] : 0;
  for (int i = done; i < p->nfs; i++) y[i] = x[p->cid[i]];
  for (int i = p->nfs; i < m; i++) y[i] = x[p->at[i - p->nfs]];
  const double *v = p->F + (size_t)done * (size_t)m;
  for (int i = done - 1; i >= p->units; i--) {
    v -= m;
    double s = b ? b[p->rid[i]] : 0;
    for (int j = i + 1; j < m; j++) s -= v[j] * y[j];
    y[i] = s * v[i];
    x[p->cid[i]] = y[i];
  }
}

void ns_sparse_lu_solve(ns_sparse_lu *f, double *b, double *x)
{
  for (int k = 0; k < f->t.nf; k++) forward(f, &f->front[k], b);
  for (int k = f->t.nf - 1; k >= 0; k--) backward(f, &f->front[k], b, x);
}

void ns_sparse_lu_apply(ns_sparse_lu *f, double *b, double *x, double *r)
{
  const int *place = f->t.place;
  for (int i = 0; i < f->n; i++) b[place[i]] = r[i] * f->scale[i];
  ns_sparse_lu_solve(f, b, x);
  for (int i = 0; i < f->n; i++) r[i] = x[place[i]];
}

/* Is an entry of x on the border of p, or in a delayed column, more than small? */
static int moved(const front *p, const double *x, double small)
{
  for (int i = 0; i < p->border; i++)
    if (fabs(x[p->at[i]]) > small) return 1;
  for (int i = p->done; i < p->nfs; i++)
    if (fabs(x[p->cid[i]]) > small) return 1;
  return 0;
}

void ns_sparse_lu_solve_few(ns_sparse_lu *f, const int *at, int count, double small, double *b,
                            double *x)
{
  memset(x, 0, (size_t)f->n * sizeof *x);
  for (int i = 0; i < count; i++)
    for (int k = f->t.front[at[i]]; k >= 0 && !f->mark[k]; k = f->front[k].parent) f->mark[k] = 1;
  for (int k = 0; k < f->t.nf; k++)
    if (f->mark[k]) forward(f, &f->front[k], b);
  for (int k = f->t.nf - 1; k >= 0; k--) {
    const front *p = &f->front[k];
    if (f->mark[k]) {
      f->mark[k] = 0;
      backward(f, p, b, x);
      for (int i = 0; i < p->done; i++) b[p->rid[i]] = 0;
    } else if (moved(p, x, small)) backward(f, p, NULL, x);
  }
}

/* ---- memory ---------------------------------------------------------------------------------- */

static int get(ns_sparse_lu *f, ns_ctx *c, size_t n, size_t size, void *p)
{
  void *m = ns_arena_zero(f->arena, n, size);
  memcpy(p, &m, sizeof m);
  return m ? NS_OK : ns_nomem(c, "sparse LU");
}

/* Fronts, with room for what may be delayed into them. */
static int create_fronts(ns_sparse_lu *f, ns_ctx *c)
{
  const ns_lu_tree *t = &f->t;
  int rc, max = 0;
  if ((rc = get(f, c, (size_t)t->nf, sizeof *f->front, &f->front)) ||
      (rc = get(f, c, (size_t)t->nf, 1, &f->dirty)) || (rc = get(f, c, (size_t)t->nf, 1, &f->mark)))
    return rc;
  for (int k = 0; k < t->nf; k++) {
    front *p = &f->front[k];
    int delayed = 0;
    p->own = t->first[k + 1] - t->first[k];
    p->border = t->border[k + 1] - t->border[k];
    p->first = t->first[k];
    p->child = t->child[k];
    p->sibling = t->sibling[k];
    p->parent = t->parent[k];
    p->at = t->at + t->border[k];
    p->into = t->into + t->border[k];
    for (int s = p->child; s >= 0; s = f->front[s].sibling) delayed += f->front[s].hand;
    int limit = 3 * (p->own + p->border) + 3 * DELAY;
    if (delayed > limit) delayed = limit;
    p->hand = p->border > DELAY ? p->border : DELAY;
    if (p->hand > p->own + delayed) p->hand = p->own + delayed;
    p->capacity = p->own + delayed + p->border;
    if (p->capacity > max) max = p->capacity;
    size_t fs = (size_t)(p->own + delayed), capacity = (size_t)p->capacity;
    if (capacity > 40000)
      return ns_fail_below(c, NS_NUMERIC,
                           "sparse LU: %d rows have factors with too many entries; "
                           "use another solver",
                           f->n);
    if ((rc = get(f, c, fs, sizeof(int), &p->rid)) || (rc = get(f, c, fs, sizeof(int), &p->cid)) ||
        !(p->F = ns_arena_get(f->arena, capacity * capacity,
                              sizeof(double)))) /* not touched before it is used */
      return rc ? rc : ns_nomem(c, "sparse LU");
  }
  if ((rc = get(f, c, (size_t)max, sizeof(int), &f->to))) return rc;
  return get(f, c, (size_t)max, sizeof(double), &f->local);
}

/* Local index of a place in front k, whose border holds it where it is not its own. */
static int local_index(const ns_sparse_lu *f, int k, int place)
{
  const front *p = &f->front[k];
  if (place < p->first + p->own) return place - p->first;
  int lo = 0, hi = p->border;
  while (lo < hi) {
    int mid = lo + (hi - lo) / 2;
    if (p->at[mid] < place) lo = mid + 1;
    else hi = mid;
  }
  return p->own + lo;
}

/* Rows of the structure, with a diagonal; then their entries sorted by front. */
static int create_entries(ns_sparse_lu *f, ns_ctx *c, const ns_blocks *A)
{
  size_t n = (size_t)f->n, capacity = (size_t)A->row[f->n] + n;
  int rc, k = 0, *next;
  if (capacity > INT_MAX)
    return ns_fail_below(c, NS_NUMERIC, "sparse LU: %zu entries, at most %d", capacity, INT_MAX);
  if ((rc = get(f, c, n + 1, sizeof(int), &f->row)) ||
      (rc = get(f, c, capacity, sizeof(int), &f->slot)) ||
      (rc = get(f, c, capacity, sizeof(int), &f->col)) ||
      (rc = get(f, c, capacity, sizeof(int), &f->efront)) ||
      (rc = get(f, c, capacity, sizeof(int), &f->er)) ||
      (rc = get(f, c, capacity, sizeof(int), &f->ec)) ||
      (rc = get(f, c, capacity, sizeof(double), &f->kval)) ||
      (rc = get(f, c, capacity, sizeof(double), &f->mval)) ||
      (rc = get(f, c, n, sizeof(int), &f->diagonal)) ||
      (rc = get(f, c, (size_t)f->t.nf + 1, sizeof(int), &next)))
    return rc;
  for (int i = 0; i < f->n; i++) {
    int met = 0;
    for (int e = A->row[i]; e < A->row[i + 1]; e++) {
      if (!met && A->col[e] >= i) {
        if (A->col[e] > i) f->col[k++] = i;
        met = 1;
      }
      f->col[k++] = A->col[e];
    }
    if (!met) f->col[k++] = i;
    f->row[i + 1] = k;
  }
  const int *place = f->t.place;
  for (int i = 0; i < f->n; i++)
    for (int e = f->row[i]; e < f->row[i + 1]; e++) {
      int a = place[i], b = place[f->col[e]];
      f->efront[e] = f->t.front[a < b ? a : b];
      next[f->efront[e] + 1]++;
    }
  for (int j = 0; j < f->t.nf; j++) {
    next[j + 1] += next[j];
    f->front[j].entries = next[j];
    f->front[j].entries_end = next[j + 1];
  }
  for (int i = 0; i < f->n; i++)
    for (int e = f->row[i]; e < f->row[i + 1]; e++) {
      int j = f->efront[e], to = f->slot[e] = next[j]++;
      f->er[to] = local_index(f, j, place[i]);
      f->ec[to] = local_index(f, j, place[f->col[e]]);
      if (f->col[e] == i) f->diagonal[i] = to;
    }
  return NS_OK;
}

static int create(ns_sparse_lu *f, ns_ctx *c, const ns_blocks *structure)
{
  size_t n = (size_t)structure->nb;
  int rc;
  f->n = structure->nb;
  if ((rc = ns_lu_tree_create(c, structure, f->arena, &f->t)) || (rc = create_fronts(f, c)) ||
      (rc = create_entries(f, c, structure)) || (rc = get(f, c, n, sizeof(double), &f->scale)) ||
      (rc = get(f, c, n, sizeof(double), &f->size)) ||
      (rc = get(f, c, n, sizeof(double), &f->shift)) || (rc = get(f, c, n, 1, &f->unit)) ||
      (rc = get(f, c, n, 1, &f->absent)))
    return rc;
  f->count.fronts = f->t.nf;
  return NS_OK;
}

int ns_sparse_lu_create(ns_ctx *c, const ns_blocks *structure, ns_sparse_lu **out)
{
  *out = NULL;
  ns_sparse_lu *f = NS_ARENA_OBJECT(ns_sparse_lu, arena);
  if (!f) return ns_nomem(c, "sparse LU");
  int rc = create(f, c, structure);
  if (rc) ns_arena_destroy(f->arena);
  else *out = f;
  return rc;
}

void ns_sparse_lu_destroy(ns_sparse_lu *f)
{
  if (f) ns_arena_destroy(f->arena);
}
