/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/saddle.h"

#include "algebra/vector.h"
#include "base/status.h"

#include <stdlib.h>
#include <string.h>

static size_t entries_of(const ns_rows *R, int n) { return R ? (size_t)R->ptr[n] : 0; }

/* Sort n columns and drop those that stand twice; how many are left. */
static int settle(int *col, int n)
{
  int kept = 0;
  qsort(col, (size_t)n, sizeof *col, ns_ascending);
  for (int i = 0; i < n; i++)
    if (!kept || col[kept - 1] != col[i]) col[kept++] = col[i];
  return kept;
}

/* T: laws that act on each entry of u. */
static int columns_of_u(const ns_saddle *s, const ns_touching *T, int i, int *col)
{
  int n = 0;
  for (int b = s->W->row[i]; b < s->W->row[i + 1]; b++) col[n++] = s->W->col[b];
  col[n++] = i;
  for (int e = T->ptr[i]; e < T->ptr[i + 1]; e++) col[n++] = s->n + T->row[e];
  return settle(col, n);
}

static int columns_of_law(const ns_saddle *s, int r, int *col)
{
  int n = 0;
  for (int e = s->C->ptr[r]; e < s->C->ptr[r + 1]; e++) col[n++] = s->C->dof[e];
  for (int e = s->D ? s->D->ptr[r] : 0; s->D && e < s->D->ptr[r + 1]; e++)
    col[n++] = s->n + s->D->dof[e];
  col[n++] = s->n + r;
  return settle(col, n);
}

static int build(ns_saddle *s, ns_arena *mem)
{
  ns_touching T = {0};
  int n = s->n + s->nrows, rc = ns_rows_invert(s->B, s->nrows, (size_t)s->n, &T);
  size_t max = (size_t)s->W->row[s->n] + entries_of(s->B, s->nrows) + entries_of(s->C, s->nrows) +
               entries_of(s->D, s->nrows) + (size_t)n;
  if (!rc && max > NS_ROWS_ENTRIES) rc = NS_NOMEM;
  if (!rc) rc = ns_blocks_scalar(mem, n, max, &s->M);
  for (int i = 0; i < n && !rc; i++) {
    int *col = s->M.col + s->M.row[i];
    s->M.row[i + 1] = s->M.row[i] +
                      (i < s->n ? columns_of_u(s, &T, i, col) : columns_of_law(s, i - s->n, col));
  }
  ns_touching_free(&T);
  return rc;
}

/* Where (i, j) is. */
static int find(const ns_blocks *M, int i, int j)
{
  int a = M->row[i], b = M->row[i + 1] - 1;
  while (a < b) {
    int mid = (a + b) / 2;
    if (M->col[mid] < j) a = mid + 1;
    else b = mid;
  }
  return a;
}

static int find_all(ns_saddle *s, ns_arena *mem)
{
  int m = s->nrows, n = s->n;
  const ns_array want[] = {{&s->W_at, (size_t)s->W->row[n], sizeof *s->W_at},
                           {&s->B_at, entries_of(s->B, m), sizeof *s->B_at},
                           {&s->C_at, entries_of(s->C, m), sizeof *s->C_at},
                           {&s->D_at, entries_of(s->D, m), sizeof *s->D_at},
                           {&s->diagonal, (size_t)(n + m), sizeof *s->diagonal}};
  if (ns_arena_arrays(mem, want, sizeof want / sizeof *want)) return NS_NOMEM;
  for (int i = 0; i < n; i++)
    for (int b = s->W->row[i]; b < s->W->row[i + 1]; b++) s->W_at[b] = find(&s->M, i, s->W->col[b]);
  for (int r = 0; r < m; r++) {
    for (int e = s->B->ptr[r]; e < s->B->ptr[r + 1]; e++)
      s->B_at[e] = find(&s->M, s->B->dof[e], n + r);
    for (int e = s->C->ptr[r]; e < s->C->ptr[r + 1]; e++)
      s->C_at[e] = find(&s->M, n + r, s->C->dof[e]);
    for (int e = s->D ? s->D->ptr[r] : 0; s->D && e < s->D->ptr[r + 1]; e++)
      s->D_at[e] = find(&s->M, n + r, n + s->D->dof[e]);
  }
  for (int i = 0; i < n + m; i++) s->diagonal[i] = find(&s->M, i, i);
  return NS_OK;
}

int ns_saddle_create(ns_saddle *s, ns_arena *mem)
{
  int rc = build(s, mem);
  return rc ? rc : find_all(s, mem);
}

void ns_saddle_fill(ns_saddle *s, double gain, double where)
{
  double *val = s->M.val;
  const ns_blocks *W = s->W;
  int m = s->nrows;
  memset(val, 0, (size_t)s->M.row[s->M.nb] * sizeof *val);
  for (int b = 0; b < W->row[s->n]; b++) val[s->W_at[b]] += W->val[W->off[b]];
  for (int e = 0; e < s->B->ptr[m]; e++) val[s->B_at[e]] -= gain * s->B->val[e];
  for (int e = 0; e < s->C->ptr[m]; e++) val[s->C_at[e]] += where * s->C->val[e];
  for (int e = 0; s->D && e < s->D->ptr[m]; e++) val[s->D_at[e]] += s->D->val[e];
}
