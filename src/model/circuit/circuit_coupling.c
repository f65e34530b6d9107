/* SPDX-License-Identifier: GPL-3.0-or-later */
/* circuit_coupling.c -- inductors that couple each other.
 *
 * Couplings must leave the magnetic energy of all currents at 0 or above, or the circuit takes
 * energy from nowhere: the matrix K of couplings, 1 on its diagonal, is positive semidefinite.
 * Where it is definite, each inductor has a state of its own. Where it is singular, as for
 * |coupling| = 1, some inductors have no leakage beside the others. With inductors B, of which K_BB
 * is definite and has the rank of K, and the others N,
 *
 *   L = [1; W] L_BB [1, W^T],   W = L_NB L_BB^-1,
 *
 * so that  v_N = W v_B,  v_B = L_BB j',  j = i_B + W^T i_N: ideal transformers beside inductors,
 * whose states are the magnetizing currents j. B is chosen by Cholesky's method with pivots, in
 * the order of lines where pivots are equal. Inductors that no couplings connect are looked at
 * apart. */
#include "model/circuit/circuit_tableau.h"

#include "base/sets.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { COUPLED_MAX = 500 }; /* of inductors whose matrix is looked at */

/* Sets of inductors that couplings connect, of elements (base/sets.h). */
typedef struct coupled {
  int *up;    /* [n] */
  int *place; /* [n]: of an inductor in the matrix of its set */
  int *size;  /* [n]: of the set, at its root */
  int *next;  /* [n]: coupling of the same set that stands before it, -1: none */
  int *last;  /* [n]: last coupling of the set, at its root; -1: none */
} coupled;

static int make_sets(ns_tableau *t, coupled *s)
{
  const ns_circuit *k = t->k;
  size_t n = (size_t)k->n;
  int **of[] = {&s->up, &s->place, &s->size, &s->next, &s->last};
  for (size_t j = 0; j < sizeof of / sizeof *of; j++)
    if (!(*of[j] = ns_arena_get(t->a, n, sizeof(int)))) return ns_nomem(t->c, "circuit");
  for (int i = 0; i < k->n; i++) s->up[i] = i, s->size[i] = 0, s->last[i] = -1;
  for (int i = 0; i < k->n; i++) {
    const ns_circuit_element *e = &k->element[i];
    if (e->kind == NS_CIRCUIT_K) ns_sets_join(s->up, e->of[0], e->of[1]);
  }
  for (int i = 0; i < k->n; i++) {
    const ns_circuit_element *e = &k->element[i];
    if (e->kind == NS_CIRCUIT_L) s->place[i] = s->size[ns_sets_root(s->up, i)]++;
    if (e->kind != NS_CIRCUIT_K) continue;
    int r = ns_sets_root(s->up, e->of[0]);
    s->next[i] = s->last[r];
    s->last[r] = i;
  }
  return NS_OK;
}

/* A coupling of inductors that another one of the set couples, too; there is one. */
static int second_of(const ns_tableau *t, const coupled *s, int r)
{
  for (int i = s->last[r]; i >= 0; i = s->next[i])
    for (int j = s->next[i]; j >= 0; j = s->next[j]) {
      const int *x = t->k->element[i].of, *y = t->k->element[j].of;
      if ((x[0] == y[0] && x[1] == y[1]) || (x[0] == y[1] && x[1] == y[0])) return i;
    }
  return s->last[r];
}

/* The matrix of couplings of a set, A [n x n]; reported where two are of the same inductors. */
static int fill_matrix(ns_tableau *t, const coupled *s, int r, int n, double *A)
{
  int twice = 0;
  for (int i = 0; i < n; i++) A[i * n + i] = 1;
  for (int i = s->last[r]; i >= 0; i = s->next[i]) {
    const ns_circuit_element *e = &t->k->element[i];
    int a = s->place[e->of[0]], b = s->place[e->of[1]];
    if (A[a * n + b] != 0) twice = 1;
    A[a * n + b] = A[b * n + a] = e->value;
  }
  if (!twice) return NS_OK;
  twice = second_of(t, s, r);
  const ns_circuit_element *e = &t->k->element[twice];
  return ns_tableau_fail(t, twice,
                         "couples %.64s and %.64s, which are already coupled, expected one "
                         "coupling of two inductors",
                         t->k->element[e->of[0]].name, t->k->element[e->of[1]].name);
}

/* A = P F F^T P^T of rank r, F [n x r] lower triangular in the order of pivots: its rows by
 * inductors stand in the first r columns of F [n x n]. S: room [n x n], A with what the pivots
 * explain taken off. The rank; -1: A has negative eigenvalues. */
static int factor(int n, const double *A, double *S, double *F, int *order)
{
  double rounding = 8 * n * DBL_EPSILON, min = 0;
  int r = 0;
  memcpy(S, A, (size_t)n * (size_t)n * sizeof *S);
  for (int i = 0; i < n; i++) order[i] = i;
  for (; r < n; r++) {
    int best = r;
    for (int k = r; k < n; k++) {
      double d = S[order[k] * n + order[k]];
      if (d > S[order[best] * n + order[best]] + rounding) best = k;
    }
    int p = order[best];
    double pivot = S[p * n + p];
    if (pivot <= rounding) break;
    memmove(order + r + 1, order + r, (size_t)(best - r) * sizeof *order);
    order[r] = p;
    for (int k = 0; k < n; k++) F[k * n + r] = 0;
    for (int k = r; k < n; k++) F[order[k] * n + r] = S[order[k] * n + p] / sqrt(pivot);
    for (int k = r + 1; k < n; k++)
      for (int j = r + 1; j < n; j++)
        S[order[k] * n + order[j]] -= F[order[k] * n + r] * F[order[j] * n + r];
  }
  for (int k = r; k < n; k++)
    for (int j = r; j < n; j++) min = fmax(min, fabs(S[order[k] * n + order[j]]));
  return min <= rounding ? r : -1;
}

/* Inductors of the set without leakage follow the others: W = F_N F_B^-1. */
static int keep_windings(ns_tableau *t, int n, int r, const double *F, const int *order,
                         const int *inductor)
{
  for (int k = r; k < n; k++) {
    int e = inductor[order[k]];
    double *w = ns_arena_zero(t->a, (size_t)r, sizeof *w);
    if (!w) return ns_nomem(t->c, "circuit");
    for (int j = r - 1; j >= 0; j--) {
      double sum = F[order[k] * n + j];
      for (int l = j + 1; l < r; l++) sum -= w[l] * F[order[l] * n + j];
      w[j] = sum / F[order[j] * n + j];
    }
    t->winding_of[e] = NS_WINDING_FOLLOWS;
    for (int j = 0; j < r; j++) {
      int b = inductor[order[j]];
      double factor = w[j] * sqrt(t->k->element[e].value / t->k->element[b].value);
      if (fabs(w[j]) <= 8 * n * DBL_EPSILON) continue;
      t->winding_of[b] = NS_WINDING_LEADS;
      t->winding[t->nwindings++] = (ns_winding){e, b, factor};
    }
  }
  return NS_OK;
}

/* What of a set is without leakage. */
static int check_set(ns_tableau *t, const coupled *s, int r)
{
  int n = s->size[r], first = s->last[r];
  size_t N = (size_t)n, max = (size_t)t->nwindings + N * N;
  double *A = ns_arena_zero(t->a, 3 * N * N, sizeof *A);
  int *order = ns_arena_get(t->a, 2 * N, sizeof *order);
  ns_winding *more = ns_arena_get(t->a, max, sizeof *more);
  if (!A || !order || !more) return ns_nomem(t->c, "circuit");
  int *inductor = order + n, rc = fill_matrix(t, s, r, n, A);
  if (rc) return rc;
  while (s->next[first] >= 0) first = s->next[first];
  for (int i = s->last[r]; i >= 0; i = s->next[i])
    for (int j = 0; j < 2; j++) inductor[s->place[t->k->element[i].of[j]]] = t->k->element[i].of[j];
  int rank = factor(n, A, A + N * N, A + 2 * N * N, order);
  if (rank < 0)
    return ns_tableau_fail(t, s->last[r],
                           "%.64s to %.64s couple %d inductors in a way that is impossible for "
                           "coils: the energy of some currents would be negative; expected smaller "
                           "couplings, another sign, or couplings of all pairs",
                           t->k->element[first].name, t->k->element[s->last[r]].name, n);
  if (rank == n) return NS_OK;
  if (t->nwindings) memcpy(more, t->winding, (size_t)t->nwindings * sizeof *more);
  t->winding = more;
  return keep_windings(t, n, rank, A + 2 * N * N, order, inductor);
}

int ns_tableau_couplings(ns_tableau *t)
{
  coupled s;
  int any = 0, rc = NS_OK;
  t->winding_of = ns_arena_zero(t->a, (size_t)t->k->n, 1);
  if (!t->winding_of) return ns_nomem(t->c, "circuit");
  for (int i = 0; i < t->k->n && !any; i++) any = t->k->element[i].kind == NS_CIRCUIT_K;
  if (!any) return NS_OK;
  rc = make_sets(t, &s);
  for (int i = 0; i < t->k->n && rc != NS_NOMEM; i++) {
    if (s.last[i] < 0 || s.up[i] != i || s.size[i] > COUPLED_MAX) continue;
    int found = check_set(t, &s, i);
    if (found) rc = found;
  }
  return rc;
}

void ns_tableau_report_windings(ns_tableau *t)
{
  enum { NOTES = 10 };
  int notes = 0;
  for (int s = 0; s < t->nstores; s++) {
    const ns_port *p = &t->store[s];
    const ns_circuit_element *x = &t->k->element[p->element];
    const ns_place *at = ns_tableau_place(t, p->element);
    if (p->state < 0 || t->winding_of[p->element] != NS_WINDING_LEADS || notes++ >= NOTES) continue;
    int with = 0;
    while (t->winding[with].of != p->element) with++;
    ns_note(t->c,
            "%.200s:%d: <%s id=\"%.80s\">: %.60s is fully coupled with %.60s: the state x_%.60s is "
            "its current plus the currents of the inductors coupled with it, each with a factor "
            "(%.6g for %.60s); formulas read %.60s.i",
            x->file, x->line, at->element, at->id, x->name,
            t->k->element[t->winding[with].element].name, x->name, t->winding[with].factor,
            t->k->element[t->winding[with].element].name, x->name);
  }
}
