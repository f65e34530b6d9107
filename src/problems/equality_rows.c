/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/equality_rows.h"

#include "algebra/dense.h"
#include "algebra/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

int ns_equality_rows_create(ns_arena *mem, size_t contacts, size_t held, ns_equality_rows *r)
{
  size_t n = contacts + held;
  *r = (ns_equality_rows){.contact = ns_arena_zero(mem, contacts, sizeof *r->contact),
                          .hold = ns_arena_zero(mem, held, sizeof *r->hold),
                          .place = ns_arena_zero(mem, n, sizeof *r->place),
                          .holds = ns_arena_zero(mem, n, 1),
                          .row = ns_arena_zero(mem, contacts + 1, sizeof *r->row),
                          .col = ns_arena_zero(mem, contacts * contacts, sizeof *r->col),
                          .val = ns_arena_zero(mem, contacts * contacts, sizeof *r->val),
                          .X = ns_arena_zero(mem, held * contacts, sizeof *r->X),
                          .factor = ns_arena_zero(mem, held * held, sizeof *r->factor),
                          .P0 = ns_arena_zero(mem, held, sizeof *r->P0),
                          .work = ns_arena_zero(mem, contacts, sizeof *r->work)};
  return !(r->contact && r->hold && r->place && r->holds && r->row && r->col && r->val && r->X &&
           r->factor && r->P0 && r->work);
}

static void list(ns_equality_rows *r, int n)
{
  r->n = n;
  r->ncontacts = r->nheld = 0;
  for (int i = 0; i < n; i++)
    if (r->holds[i]) r->hold[r->nheld++] = i;
    else r->contact[r->ncontacts++] = i;
}

static void number(ns_equality_rows *r)
{
  for (int c = 0; c < r->ncontacts; c++) r->place[r->contact[c]] = c;
  for (int h = 0; h < r->nheld; h++) r->place[r->hold[h]] = h;
}

static void drop(ns_equality_rows *r, int h)
{
  r->place[r->hold[h]] = -1;
  r->nheld--;
  memmove(r->hold + h, r->hold + h + 1, (size_t)(r->nheld - h) * sizeof *r->hold);
  number(r);
}

/* Dhh, factored; without the constraints at which that fails, as they depend on those before them.
 */
static void factor(ns_equality_rows *r, const int *row, const int *col, const double *val)
{
  int bad;
  do {
    size_t n = (size_t)r->nheld;
    memset(r->factor, 0, n * n * sizeof *r->factor);
    for (int h = 0; h < r->nheld; h++)
      for (int b = row[r->hold[h]]; b < row[r->hold[h] + 1]; b++)
        if (r->holds[col[b]] && r->place[col[b]] >= 0)
          r->factor[(size_t)h + (size_t)r->place[col[b]] * n] = val[b];
    bad = ns_dense_cholesky(r->nheld, r->factor, r->nheld);
    if (bad) drop(r, bad - 1);
  } while (bad);
}

static void shares(ns_equality_rows *r, const int *row, const int *col, const double *val)
{
  size_t n = (size_t)r->nheld;
  memset(r->X, 0, n * (size_t)r->ncontacts * sizeof *r->X);
  for (int h = 0; h < r->nheld; h++)
    for (int b = row[r->hold[h]]; b < row[r->hold[h] + 1]; b++)
      if (!r->holds[col[b]]) r->X[(size_t)h + (size_t)r->place[col[b]] * n] = val[b];
  ns_dense_cholesky_solve(r->nheld, r->factor, r->nheld, r->ncontacts, r->X, r->nheld);
}

/* Row c of S into work; what is rounding of D is zero. */
static void complement(ns_equality_rows *r, int c, const int *row, const int *col,
                       const double *val)
{
  int i = r->contact[c], n = r->ncontacts;
  memset(r->work, 0, (size_t)n * sizeof *r->work);
  for (int b = row[i]; b < row[i + 1]; b++) {
    int at = r->place[col[b]];
    if (at < 0) continue;
    if (r->holds[col[b]])
      for (int j = 0; j < n; j++)
        r->work[j] -= val[b] * r->X[(size_t)at + (size_t)j * (size_t)r->nheld];
    else r->work[at] += val[b];
  }
  for (int b = row[i]; b < row[i + 1]; b++)
    if (!r->holds[col[b]] && fabs(r->work[r->place[col[b]]]) <= 64 * DBL_EPSILON * fabs(val[b]))
      r->work[r->place[col[b]]] = 0;
}

void ns_equality_rows_reduce(ns_equality_rows *r, int n, const int *row, const int *col,
                             const double *val)
{
  int at = 0;
  list(r, n);
  number(r);
  factor(r, row, col, val);
  shares(r, row, col, val);
  for (int c = 0; c < r->ncontacts; c++) {
    complement(r, c, row, col, val);
    r->row[c] = at;
    for (int j = 0; j < r->ncontacts; j++) {
      if (r->work[j] == 0) continue;
      r->col[at] = j;
      r->val[at++] = r->work[j];
    }
  }
  r->row[r->ncontacts] = at;
}

void ns_equality_rows_settle(ns_equality_rows *r, const int *row, const int *col, const double *val,
                             double *ydot)
{
  for (int h = 0; h < r->nheld; h++) r->P0[h] = -ydot[r->hold[h]];
  ns_dense_cholesky_solve(r->nheld, r->factor, r->nheld, 1, r->P0, r->nheld);
  for (int c = 0; c < r->ncontacts; c++) { /* c never overtakes its row */
    int i = r->contact[c];
    double v = ydot[i];
    for (int b = row[i]; b < row[i + 1]; b++)
      if (r->holds[col[b]] && r->place[col[b]] >= 0) v += val[b] * r->P0[r->place[col[b]]];
    ydot[c] = v;
  }
}

void ns_equality_rows_expand(const ns_equality_rows *r, const double *P, double *all)
{
  memset(all, 0, (size_t)r->n * sizeof *all);
  ns_scatter((size_t)r->ncontacts, P, r->contact, all);
  for (int h = 0; h < r->nheld; h++) {
    double p = r->P0[h];
    for (int c = 0; c < r->ncontacts; c++)
      p -= r->X[(size_t)h + (size_t)c * (size_t)r->nheld] * P[c];
    all[r->hold[h]] = p;
  }
}
