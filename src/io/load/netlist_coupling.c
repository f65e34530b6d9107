/* SPDX-License-Identifier: GPL-3.0-or-later */
/* netlist_coupling.c -- whether couplings of inductors can be: each of them is less than 1, but
 * together they must leave the magnetic energy above 0 for all currents, or the circuit takes
 * energy from nowhere. That is: the matrix of couplings, 1 on its diagonal, is positive definite.
 * Inductors that no couplings connect are looked at apart. */
#include "io/load/netlist.h"

#include "algebra/dense.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUPLED_MAX = 500 }; /* of inductors whose matrix is looked at */

/* Sets of inductors that couplings connect, as a forest: up [n], of elements. */
static int root(int *up, int i)
{
  while (up[i] != i) i = up[i] = up[up[i]];
  return i;
}

typedef struct coupled {
  int *up;    /* [n] */
  int *place; /* [n]: of an inductor in the matrix of its set */
  int *size;  /* [n]: of the set, at its root */
} coupled;

static int make_sets(const ns_netlist *k, coupled *s)
{
  int any = 0;
  s->up = malloc(3 * (size_t)(k->n + 1) * sizeof *s->up);
  if (!s->up) return -1;
  s->place = s->up + k->n;
  s->size = s->place + k->n;
  for (int i = 0; i < k->n; i++) s->up[i] = i, s->size[i] = 0;
  for (int i = 0; i < k->n; i++) {
    const ns_circuit_element *e = &k->element[i];
    if (e->kind != NS_CIRCUIT_K) continue;
    s->up[root(s->up, e->of[0])] = root(s->up, e->of[1]);
    any = 1;
  }
  for (int i = 0; i < k->n; i++) s->place[i] = s->size[root(s->up, i)]++;
  return any;
}

/* The set of inductors at root r. */
static int check_set(ns_netlist *k, coupled *s, int r)
{
  int n = s->size[r], last = 0, twice = 0, first = -1;
  double *A = calloc((size_t)n * (size_t)n, sizeof *A);
  if (!A) return ns_nomem(&k->l->msg.c, "couplings");
  for (int i = 0; i < n; i++) A[i * n + i] = 1;
  for (int i = 0; i < k->n; i++) {
    const ns_circuit_element *e = &k->element[i];
    if (e->kind != NS_CIRCUIT_K || root(s->up, e->of[0]) != r) continue;
    int a = s->place[e->of[0]], b = s->place[e->of[1]];
    double *entry = a > b ? &A[b * n + a] : &A[a * n + b];
    if (*entry != 0) twice = i;
    *entry = e->value;
    last = i;
    if (first < 0) first = i;
  }
  const ns_circuit_element *of = &k->element[twice ? twice : last];
  k->here.line = of->line;
  if (twice)
    ns_netlist_fail(k,
                    "%.64s couples %.64s and %.64s, which are already coupled, expected one "
                    "coupling of two inductors",
                    of->name, k->element[of->of[0]].name, k->element[of->of[1]].name);
  else if (ns_dense_cholesky(n, A, n))
    ns_netlist_fail(
        k,
        "%.64s to %.64s couple %d inductors in a way that is impossible for coils: some currents "
        "would have a negative energy; expected smaller couplings, or another sign",
        k->element[first].name, of->name, n);
  free(A);
  return NS_OK;
}

int ns_netlist_couplings(ns_netlist *k)
{
  coupled s;
  int any = make_sets(k, &s), rc = any < 0 ? ns_nomem(&k->l->msg.c, "couplings") : NS_OK;
  for (int i = 0; any > 0 && i < k->n && !rc; i++)
    if (s.up[i] == i && s.size[i] > 1 && s.size[i] <= COUPLED_MAX) rc = check_set(k, &s, i);
  free(s.up);
  return rc;
}
