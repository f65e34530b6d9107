/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/unreduced_mass.h"

#include "simulation/rows/rows.h"

static double entry(const ns_system *s, double a, int i, int j)
{
  double w = s->mass.how ? ns_operator_entry(&s->mass, i, j) : i == j;
  if (s->damping.how) w += a * ns_operator_entry(&s->damping, i, j);
  if (s->stiffness.how) w += a * a * ns_operator_entry(&s->stiffness, i, j);
  return w;
}

/* A zero of M, C and K, whatever a; never on the diagonal. */
static int is_zero(const ns_system *s, int i, int j)
{
  return i != j && (!s->mass.how || ns_operator_entry(&s->mass, i, j) == 0) &&
         (!s->damping.how || ns_operator_entry(&s->damping, i, j) == 0) &&
         (!s->stiffness.how || ns_operator_entry(&s->stiffness, i, j) == 0);
}

size_t ns_unreduced_entries(const ns_system *s)
{
  size_t n = 0;
  for (int j = 0; j < s->n; j++)
    for (int i = 0; i < s->n; i++) n += !is_zero(s, i, j);
  return n;
}

int ns_unreduced_mass_create(ns_arena *mem, const ns_model *m, ns_blocks *W)
{
  size_t entries = 0;
  int at = 0;
  for (int k = 0; k < m->nsystems; k++) entries += ns_unreduced_entries(&m->systems[k]);
  if (entries > NS_ROWS_PAIRS || ns_rows_matrix(mem, (int)m->nv, entries, W)) return NS_NOMEM;
  for (int k = 0; k < m->nsystems; k++) {
    const ns_system *s = &m->systems[k];
    for (int i = 0; i < s->n; i++) {
      for (int j = 0; j < s->n; j++)
        if (!is_zero(s, i, j)) W->col[at++] = (int)s->q + j;
      W->row[s->q + (size_t)i + 1] = at;
    }
  }
  return NS_OK;
}

void ns_unreduced_mass_fill(const ns_model *m, double h, ns_blocks *W)
{
  double a = h * m->sim.mj.theta;
  for (int k = 0; k < m->nsystems; k++) {
    const ns_system *s = &m->systems[k];
    for (int i = 0; i < s->n; i++)
      for (int d = (int)s->q + i, e = W->row[d]; e < W->row[d + 1]; e++)
        W->val[e] = entry(s, a, i, W->col[e] - (int)s->q);
  }
}
