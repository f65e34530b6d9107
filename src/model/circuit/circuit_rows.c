/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/circuit/circuit_rows.h"

#include "algebra/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A sum is zero when it is below this part of its terms: rounding of a few operations, far below
 * what parts of a circuit differ by. */
static const double CANCELLED = 1e-13;
/* A pivot may be smaller than the largest entry of its column by this factor. */
static const double THRESHOLD = 1e-3;

int ns_rows_init(ns_rows *r, ns_arena *a, int cap, int ncols)
{
  size_t nc = (size_t)ncols, nr = (size_t)cap;
  *r = (ns_rows){.a = a, .cap = cap, .ncols = ncols};
  const ns_array want[] = {{&r->row, nr, sizeof *r->row},
                           {&r->used, nr, sizeof *r->used},
                           {&r->order, nr, sizeof *r->order},
                           {&r->pivot, nc, sizeof *r->pivot},
                           {&r->in, nc, sizeof *r->in}};
  if (ns_arena_arrays(a, want, sizeof want / sizeof *want)) return -1;
  ns_fill_ints((size_t)ncols, -1, r->pivot);
  return 0;
}

/* Room for n entries, those there are kept; `values`: not of a pattern alone. */
static int capacity(ns_rows *r, ns_row *w, int n, int values)
{
  if (r->nomem) return 0;
  if (n <= w->cap) return 1;
  int cap = n > 2 * w->cap ? n : 2 * w->cap;
  if (cap < 4) cap = 4;
  r->held += cap;
  if (r->held > NS_ROWS_HELD) {
    r->spent = r->nomem = 1;
    return 0;
  }
  ns_row more = {.n = w->n, .cap = cap, .col = ns_arena_get(r->a, (size_t)cap, sizeof *more.col)};
  if (values) more.val = ns_arena_get(r->a, 2 * (size_t)cap, sizeof *more.val);
  if (!more.col || (values && !more.val)) {
    r->nomem = 1;
    return 0;
  }
  if (values) more.err = more.val + cap;
  if (w->n) {
    memcpy(more.col, w->col, (size_t)w->n * sizeof *more.col);
    if (values) memcpy(more.val, w->val, (size_t)w->n * sizeof *more.val);
    if (values) memcpy(more.err, w->err, (size_t)w->n * sizeof *more.err);
  }
  *w = more;
  return 1;
}

static void note_in(ns_rows *r, int i, int col)
{
  ns_row *in = &r->in[col];
  if (capacity(r, in, in->n + 1, 0)) in->col[in->n++] = i;
}

int ns_rows_new(ns_rows *r) { return r->nrows++; }

static int find(const ns_row *w, int col)
{
  int low = 0, high = w->n;
  while (low < high) {
    int mid = low + (high - low) / 2;
    if (w->col[mid] < col) low = mid + 1;
    else high = mid;
  }
  return low;
}

double ns_row_at(const ns_row *w, int col)
{
  int k = find(w, col);
  return k < w->n && w->col[k] == col ? w->val[k] : 0;
}

double ns_row_error(const ns_row *w, int col)
{
  int k = find(w, col);
  return k < w->n && w->col[k] == col ? w->err[k] / fabs(w->val[k]) : 0;
}

/* A sum of x and y with errors; 0: it is nothing but rounding. */
static int sum_of(double x, double y, double *sum, double *err)
{
  double size = fabs(x) + fabs(y);
  *sum = x + y;
  *err += DBL_EPSILON * size;
  return fabs(*sum) > fmax(CANCELLED * size, *err);
}

static void shift(ns_row *w, int to, int from)
{
  size_t n = (size_t)(w->n - from);
  memmove(w->col + to, w->col + from, n * sizeof *w->col);
  memmove(w->val + to, w->val + from, n * sizeof *w->val);
  memmove(w->err + to, w->err + from, n * sizeof *w->err);
  w->n += to - from;
}

void ns_rows_add(ns_rows *r, int i, int col, double a)
{
  ns_row *w = &r->row[i];
  if (r->nomem || a == 0) return;
  int k = find(w, col);
  if (k < w->n && w->col[k] == col) {
    if (!sum_of(w->val[k], a, &w->val[k], &w->err[k])) shift(w, k, k + 1);
    return;
  }
  if (!capacity(r, w, w->n + 1, 1)) return;
  shift(w, k + 1, k);
  w->col[k] = col;
  w->val[k] = a;
  w->err[k] = 0;
  note_in(r, i, col);
}

/* Row i += a * row s, whose entry in `gone` cancels; a is known to within its part `error`. */
static void combine(ns_rows *r, int i, double a, double error, const ns_row *s, int gone)
{
  ns_row *d = &r->row[i], *t = &r->tmp;
  t->n = 0;
  r->work += d->n + s->n;
  if (r->work > NS_ROWS_WORK) r->spent = r->nomem = 1;
  if (!capacity(r, t, d->n + s->n, 1)) return;
  int p = 0, q = 0;
  while (p < d->n || q < s->n) {
    int cp = p < d->n ? d->col[p] : r->ncols, cq = q < s->n ? s->col[q] : r->ncols,
        col = cp < cq ? cp : cq;
    double x = 0, y = 0, err = 0, sum;
    if (cp == col) err += d->err[p], x = d->val[p++];
    if (cq == col) {
      y = a * s->val[q];
      err += fabs(a) * s->err[q++] + (error + DBL_EPSILON) * fabs(y);
    }
    if (col == gone || (!sum_of(x, y, &sum, &err) && x != 0)) continue;
    t->col[t->n] = col;
    t->err[t->n] = err;
    t->val[t->n++] = sum;
    if (cp != col) note_in(r, i, col);
  }
  ns_row swap = *d;
  *d = *t;
  *t = swap;
}

/* Row i without its entry in col, which is the pivot of `by`. */
static void cancel(ns_rows *r, int i, double b, double error, int col, const ns_row *by)
{
  double a = -b / ns_row_at(by, col);
  combine(r, i, a, error + ns_row_error(by, col) + DBL_EPSILON, by, col);
}

/* Remove the column from all rows that are no equations yet. */
static void eliminate(ns_rows *r, int i, int col)
{
  const ns_row pivot = r->row[i];
  r->used[i] = col + 1;
  r->pivot[col] = i;
  r->order[r->npivots++] = i;
  for (int k = 0, n = r->in[col].n; k < n && !r->nomem; k++) {
    int other = r->in[col].col[k];
    const ns_row *w = &r->row[other];
    double b = r->used[other] ? 0 : ns_row_at(w, col);
    if (b != 0) cancel(r, other, b, ns_row_error(w, col), col, &pivot);
  }
}

int ns_rows_pivot(ns_rows *r, int col)
{
  const ns_row *in = &r->in[col];
  double big = 0;
  int best = -1;
  if (r->nomem) return 0;
  for (int k = 0; k < in->n; k++)
    if (!r->used[in->col[k]]) big = fmax(big, fabs(ns_row_at(&r->row[in->col[k]], col)));
  if (big == 0) return 0;
  for (int k = 0; k < in->n; k++) {
    int i = in->col[k];
    if (r->used[i] || fabs(ns_row_at(&r->row[i], col)) < THRESHOLD * big) continue;
    if (best < 0 || r->row[i].n < r->row[best].n) best = i;
  }
  eliminate(r, best, col);
  return 1;
}

/* Columns by the number of rows that hold them, fewest first: with the sparsest row that is
 * Markowitz' choice in all but name. Columns wait in stacks by that number, which is checked when
 * one is taken. */
void ns_rows_pivot_all(ns_rows *r, const unsigned char *kind, int k)
{
  enum { MAX = 64 };
  int head[MAX + 1], *next = ns_arena_get(r->a, (size_t)r->ncols, sizeof *next);
  if (!next) r->nomem = 1;
  for (int b = 0; b <= MAX; b++) head[b] = -1;
  for (int j = r->ncols - 1; j >= 0 && !r->nomem; j--) {
    if (kind[j] != k) continue;
    int b = r->in[j].n < MAX ? r->in[j].n : MAX;
    next[j] = head[b];
    head[b] = j;
  }
  for (int b = 0; b <= MAX && !r->nomem; b++)
    while (head[b] >= 0 && !r->nomem) {
      int j = head[b], now = r->in[j].n < MAX ? r->in[j].n : MAX;
      head[b] = next[j];
      if (now > b) {
        next[j] = head[now];
        head[now] = j;
      } else ns_rows_pivot(r, j);
    }
}

void ns_rows_resolve(ns_rows *r)
{
  for (int k = r->npivots - 1; k >= 0 && !r->nomem; k--) {
    int i = r->order[k], own = r->used[i] - 1;
    ns_row was = {0};
    const ns_row *w = &r->row[i];
    if (!capacity(r, &was, w->n, 1)) return;
    memcpy(was.col, w->col, (size_t)w->n * sizeof *was.col);
    memcpy(was.val, w->val, (size_t)w->n * sizeof *was.val);
    memcpy(was.err, w->err, (size_t)w->n * sizeof *was.err);
    was.n = w->n;
    for (int p = 0; p < was.n; p++) {
      int col = was.col[p], with = r->pivot[col];
      if (col == own || with < 0) continue;
      cancel(r, i, was.val[p], was.err[p] / fabs(was.val[p]), col, &r->row[with]);
    }
  }
}

const ns_row *ns_rows_of(const ns_rows *r, int col) { return &r->row[r->pivot[col]]; }
