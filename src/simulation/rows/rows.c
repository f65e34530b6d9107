/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/rows.h"

#include "algebra/dense.h"
#include "algebra/vector.h"
#include "base/grow.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

int ns_rows_get(ns_arena *a, int n, size_t entries, ns_rows *R)
{
  if (entries > NS_ROWS_ENTRIES) return NS_NOMEM;
  const ns_array want[] = {{&R->ptr, (size_t)n, sizeof *R->ptr},
                           {&R->dof, entries, sizeof *R->dof},
                           {&R->val, entries, sizeof *R->val}};
  return ns_arena_arrays(a, want, sizeof want / sizeof *want);
}

/* Of n rows: those of `some`, or the first ones. */
static int invert(const ns_rows *R, const int *some, int n, size_t ndof, ns_touching *t)
{
  size_t nnz = 0;
  for (int i = 0; i < n; i++) {
    int r = some ? some[i] : i;
    nnz += (size_t)(R->ptr[r + 1] - R->ptr[r]);
  }
  t->ptr = calloc(ndof + 2, sizeof *t->ptr);
  t->row = malloc((nnz + 1) * sizeof *t->row);
  if (!t->ptr || !t->row) return NS_NOMEM;
  for (int i = 0; i < n; i++) {
    int r = some ? some[i] : i;
    for (int e = R->ptr[r]; e < R->ptr[r + 1]; e++) t->ptr[R->dof[e] + 2]++;
  }
  for (size_t d = 2; d < ndof + 2; d++) t->ptr[d] += t->ptr[d - 1];
  for (int i = 0; i < n; i++) {
    int r = some ? some[i] : i;
    for (int e = R->ptr[r]; e < R->ptr[r + 1]; e++) t->row[t->ptr[R->dof[e] + 1]++] = r;
  }
  return NS_OK;
}

int ns_rows_invert(const ns_rows *R, int n, size_t ndof, ns_touching *t)
{
  return invert(R, NULL, n, ndof, t);
}

void ns_touching_free(ns_touching *t)
{
  free(t->ptr);
  free(t->row);
}

/* Entries of a row of the gain from e on, where they end; counted alone where dof is NULL. seen
 * [g->n] has no r + 1 before. */
static size_t fill_gain(const ns_rate_groups *g, const ns_rows *B, int r, int *seen, int *dof,
                        size_t e)
{
  for (int b = B->ptr[r]; b < B->ptr[r + 1]; b++) {
    int k = g->group[B->dof[b]];
    if (seen[k] == r + 1) continue;
    seen[k] = r + 1;
    if (dof) memcpy(dof + e, g->entry + g->begin[k], (size_t)g->size[k] * sizeof *dof);
    e += (size_t)g->size[k];
  }
  return e;
}

/* The structure of W^-1 B for the first n rows of B. */
static int get_gain(ns_arena *a, const ns_rate_groups *g, const ns_rows *B, int n, ns_rows *gain)
{
  size_t nnz = 0;
  int *seen = calloc((size_t)g->n + 1, sizeof *seen);
  if (!seen) return NS_NOMEM;
  for (int r = 0; r < n; r++) nnz = fill_gain(g, B, r, seen, NULL, nnz);
  memset(seen, 0, (size_t)g->n * sizeof *seen);
  int ok = !ns_rows_get(a, n, nnz, gain);
  for (int r = 0; ok && r < n; r++)
    gain->ptr[r + 1] = (int)fill_gain(g, B, r, seen, gain->dof, (size_t)gain->ptr[r]);
  free(seen);
  return ok ? NS_OK : NS_NOMEM;
}

/* A list of columns in the making: mark[j] = r + 1 where j stands in it. */
typedef struct columns {
  int *mark, *out;
  size_t n;
} columns;

static inline void list(columns *s, int r, int j)
{
  if (s->mark[j] == r + 1) return;
  s->mark[j] = r + 1;
  if (s->out) s->out[s->n] = j;
  s->n++;
}

/* Columns of row r, ascending. */
static size_t columns_of(const ns_meeting *k, const ns_touching *t, int r, int *mark, int *out)
{
  columns s = {mark, out, 0};
  for (int e = k->H->ptr[r]; e < k->H->ptr[r + 1]; e++) {
    int d = k->H->dof[e];
    for (int a = t->ptr[d]; a < t->ptr[d + 1]; a++) list(&s, r, t->row[a]);
  }
  if (k->D) list(&s, r, r);
  for (int e = k->D ? k->D->ptr[r] : 0; k->D && e < k->D->ptr[r + 1]; e++)
    list(&s, r, k->D->dof[e]);
  if (out && s.n > (size_t)k->n / 16) { /* nearly all rows: reading the marks is sorting */
    size_t n = 0;
    for (int j = 0; j < k->n; j++)
      if (mark[j] == r + 1) out[n++] = j;
  } else if (out) {
    qsort(out, s.n, sizeof *out, ns_ascending);
  }
  return s.n;
}

/* What a structure is made with. */
typedef struct meeting_work {
  ns_touching t;
  int *mark; /* [n] */
  int rows;  /* of the product */
} meeting_work;

static int nth_row(const ns_meeting *k, int i) { return k->some ? k->some[i] : i; }

/* How many entries there are. */
static int count(const ns_meeting *k, meeting_work *w, size_t *nnz, int *full, size_t *met)
{
  *nnz = 0;
  w->rows = k->some ? k->nsome : k->n;
  w->mark = calloc((size_t)k->n + 1, sizeof *w->mark);
  if (!w->mark || invert(k->G, k->some, w->rows, k->ndof, &w->t)) return NS_NOMEM;
  for (int i = 0; i < w->rows; i++) {
    *full = nth_row(k, i);
    *met = columns_of(k, &w->t, *full, w->mark, NULL);
    *nnz += *met;
    if (*nnz > NS_ROWS_PAIRS) return NS_MODEL;
  }
  return NS_OK;
}

static void fill(const ns_meeting *k, meeting_work *w, ns_blocks *out)
{
  memset(w->mark, 0, (size_t)k->n * sizeof *w->mark);
  out->row[0] = 0;
  for (int i = 0, at = 0, r = 0; r < k->n; r++) {
    if (i < w->rows && nth_row(k, i) == r) {
      at += (int)columns_of(k, &w->t, r, w->mark, out->col + at);
      i++;
    }
    out->row[r + 1] = at;
  }
}

static void end_meeting(meeting_work *w)
{
  free(w->mark);
  ns_touching_free(&w->t);
}

int ns_rows_meet(ns_arena *a, const ns_meeting *k, ns_blocks *out, int *full, size_t *met)
{
  meeting_work w = {0};
  size_t nnz;
  int rc = count(k, &w, &nnz, full, met);
  if (!rc) rc = ns_blocks_scalar(a, k->n, nnz, out);
  if (!rc) fill(k, &w, out);
  end_meeting(&w);
  return rc;
}

int ns_rows_meet_some(const ns_meeting *k, ns_blocks *out, size_t *cap, int *full, size_t *met)
{
  meeting_work w = {0};
  size_t nnz, room = *cap;
  int rc = count(k, &w, &nnz, full, met);
  if (!rc) rc = ns_reserve(&out->col, &room, nnz + 1);
  if (!rc) rc = ns_reserve(&out->val, cap, nnz + 1);
  if (!rc) fill(k, &w, out);
  end_meeting(&w);
  return rc;
}

/* ---- the reduced matrix ---------------------------------------------------------------------- */

enum { COLUMNS = 16 }; /* of the gain of a large group at a time */

static int place_D(ns_delassus *o, ns_arena *a)
{
  o->D_at = ns_arena_get(a, (size_t)o->D->ptr[o->n], sizeof *o->D_at);
  if (!o->D_at) return NS_NOMEM;
  for (int r = 0; r < o->n; r++) {
    int b = o->A.row[r];
    for (int e = o->D->ptr[r]; e < o->D->ptr[r + 1]; e++) {
      while (o->A.col[b] < o->D->dof[e]) b++;
      o->D_at[e] = b;
    }
  }
  return NS_OK;
}

int ns_delassus_create(ns_delassus *o, ns_arena *a, int *full, size_t *met)
{
  int big = 1;
  for (int i = 0; i < o->groups->n; i++) big = o->groups->size[i] > big ? o->groups->size[i] : big;
  o->scatter = ns_arena_zero(a, o->ndof, sizeof *o->scatter);
  o->column = ns_arena_zero(a, (size_t)big * COLUMNS, sizeof *o->column);
  if (!o->scatter || !o->column) return NS_NOMEM;
  int rc = get_gain(a, o->groups, o->G, o->n, &o->gain);
  ns_meeting in = {.n = o->n, .ndof = o->ndof, .H = o->H, .G = &o->gain, .D = o->D};
  if (!rc) rc = ns_rows_meet(a, &in, &o->A, full, met);
  return rc ? rc : place_D(o, a);
}

/* The part of G of row r that acts on group g, in the order of the group. */
static void input_on_group(const ns_delassus *o, int r, int g, double *v)
{
  const ns_rows *G = o->G;
  memset(v, 0, (size_t)o->groups->size[g] * sizeof *v);
  for (int e = G->ptr[r]; e < G->ptr[r + 1]; e++)
    if (o->groups->group[G->dof[e]] == g) v[o->groups->place[G->dof[e]]] += G->val[e];
}

static void gain_of_row(ns_delassus *o, int r)
{
  for (int e = o->gain.ptr[r]; e < o->gain.ptr[r + 1];) {
    int g = o->groups->group[o->gain.dof[e]];
    input_on_group(o, r, g, o->gain.val + e);
    o->solve(o->of, g, 1, o->gain.val + e);
    e += o->groups->size[g];
  }
}

/* The group that a row acts on alone; -1: it acts on none or on several. */
static int only_group(const ns_delassus *o, int r)
{
  int first = o->gain.ptr[r], n = o->gain.ptr[r + 1] - first;
  int g = n ? o->groups->group[o->gain.dof[first]] : -1;
  return n && o->groups->size[g] == n ? g : -1;
}

/* The gain of the first of n rows, and of those after it that act on the same large group: one call
 * for all of them. Returns how many these were. */
static int gain_of_some(ns_delassus *o, int n, const int *rows)
{
  int g = only_group(o, rows[0]), size = g < 0 ? 0 : o->groups->size[g], count = 0;
  if (size <= NS_DENSE_SMALL) {
    gain_of_row(o, rows[0]);
    return 1;
  }
  while (count < n && count < COLUMNS && only_group(o, rows[count]) == g) {
    input_on_group(o, rows[count], g, o->column + count * size);
    count++;
  }
  o->solve(o->of, g, count, o->column);
  for (int i = 0; i < count; i++)
    memcpy(o->gain.val + o->gain.ptr[rows[i]], o->column + i * size,
           (size_t)size * sizeof *o->column);
  return count;
}

void ns_delassus_gain(ns_delassus *o, int n, const int *rows)
{
  for (int i = 0; i < n;) i += gain_of_some(o, n - i, rows + i);
}

void ns_delassus_row(ns_delassus *o, int r, double factor, const int *position)
{
  const ns_blocks *A = &o->A;
  ns_rows_add(o->H, r, 1, o->scatter);
  for (int b = A->row[r]; b < A->row[r + 1]; b++) {
    int j = A->col[b], out = position && position[j] < 0;
    A->val[b] = out ? 0 : factor * ns_rows_dot(&o->gain, j, o->scatter);
  }
  for (int e = o->H->ptr[r]; e < o->H->ptr[r + 1]; e++) o->scatter[o->H->dof[e]] = 0;
  for (int e = o->D->ptr[r]; e < o->D->ptr[r + 1]; e++) A->val[o->D_at[e]] += o->D->val[e];
}

int ns_rows_too_many(ns_ctx *c, const ns_place *at, size_t met)
{
  return ns_fail_at(
      c, NS_MODEL, at,
      "acts on the same systems as %zu other rows; with this one there are more "
      "than %d pairs of coupled rows, expected fewer; use fewer interactions per system",
      met - (met > 0), (int)NS_ROWS_PAIRS);
}
