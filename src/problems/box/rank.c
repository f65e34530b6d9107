/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Singular states: elimination with complete pivoting up to the rank (Golub & Van Loan, algorithm
 * 3.4.3). Rows and columns are scaled by powers of two first. Slow, and used only where the plain
 * factor has failed. */
#include "algebra/vector.h"
#include "problems/box/work.h"

#define RANK 1e-12 /* pivots below this, of the largest, are rounding */

static double *entry(const ns_box_work *k, int i, int j)
{
  return k->F + (size_t)j * (size_t)k->nf + i;
}

static void gather(ns_box_work *k, const ns_box *p, const signed char *at)
{
  int nf = 0;
  ns_box_scales(k, p);
  for (int i = 0; i < p->n; i++) {
    k->idx[nf] = i;
    nf += at[i] == NS_BOX_FREE;
  }
  k->nf = nf;
  for (int a = 0; a < nf; a++) k->power[a] = ns_box_power(1 / k->r[k->idx[a]]);
  for (int b = 0; b < nf; b++) {
    const double *m = p->dense + (size_t)k->idx[b] * (size_t)p->ld;
    double max = 0;
    for (int a = 0; a < nf; a++) {
      *entry(k, a, b) = k->power[a] * m[k->idx[a]];
      max = ns_box_larger(max, fabs(*entry(k, a, b)));
    }
    k->colpower[b] = ns_box_power(max);
    for (int a = 0; a < nf; a++) *entry(k, a, b) *= k->colpower[b];
    k->col[b] = b;
  }
}

/* The largest entry of the rest to (s, s); its size. */
static double bring_pivot(ns_box_work *k, int s)
{
  int nf = k->nf, r = s, c = s;
  double best = 0;
  for (int j = s; j < nf; j++)
    for (int i = s; i < nf; i++)
      if (fabs(*entry(k, i, j)) > best) {
        best = fabs(*entry(k, i, j));
        r = i;
        c = j;
      }
  k->piv[s] = r;
  for (int j = 0; j < nf && r != s; j++) ns_swap(entry(k, r, j), entry(k, s, j));
  for (int i = 0; i < nf && c != s; i++) ns_swap(entry(k, i, c), entry(k, i, s));
  ns_swap_ints(&k->col[c], &k->col[s]);
  return best;
}

void ns_box_factor_rank(ns_box_work *k, const ns_box *p, const signed char *at)
{
  double largest = 0;
  k->kind = NS_BOX_NONE;
  gather(k, p, at);
  for (k->rank = 0; k->rank < k->nf; k->rank++) {
    int s = k->rank;
    double size = bring_pivot(k, s);
    if (s == 0) largest = size;
    if (!(size > RANK * largest))
      break; /* that last exchange is not undone: it is beyond the rank */
    for (int i = s + 1; i < k->nf; i++) *entry(k, i, s) /= *entry(k, s, s);
    for (int j = s + 1; j < k->nf; j++) {
      double f = *entry(k, s, j);
      for (int i = s + 1; f != 0 && i < k->nf; i++) *entry(k, i, j) -= *entry(k, i, s) * f;
    }
  }
}

void ns_box_correct_rank(ns_box_work *k, const double *w, double *z)
{
  double *b = k->b;
  for (int a = 0; a < k->nf; a++) b[a] = -k->power[a] * w[k->idx[a]];
  for (int s = 0; s < k->rank; s++) ns_swap(&b[s], &b[k->piv[s]]);
  for (int s = 0; s < k->rank; s++)
    for (int i = s + 1; i < k->nf; i++) b[i] -= *entry(k, i, s) * b[s];
  for (int s = k->rank - 1; s >= 0; s--) {
    b[s] /= *entry(k, s, s);
    for (int i = 0; i < s; i++) b[i] -= *entry(k, i, s) * b[s];
  }
  for (int s = 0; s < k->rank; s++) z[k->idx[k->col[s]]] += k->colpower[k->col[s]] * b[s];
}
