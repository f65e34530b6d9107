/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/multiple_impact.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double NONE = DBL_EPSILON; /* J and m/s */

typedef struct march {
  const ns_multiple_impact *p;
  double *E, *c, *power;  /* energies; c and p of the header [n] */
  double *kept;           /* mono: energy at the largest compression [n] */
  double *dP, *change;    /* of an increment [n] */
  double *ydot;
} march;

static int loaded(const march *m, int i) { return m->E[i] > NONE; }
static int starts(const march *m, int i) { return !loaded(m, i) && m->ydot[i] < -NONE; }

/* Primary contact: of largest energy (*by_energy = 1), else of fastest approach; -1: it is over. */
static int primary(const march *m, int *by_energy)
{
  int n = m->p->n, e = 0, v = 0;
  for (int i = 1; i < n; i++) {
    if (m->E[i] > m->E[e]) e = i;
    if (m->ydot[i] < m->ydot[v]) v = i;
  }
  *by_energy = loaded(m, e);
  if (*by_energy) return e;
  return starts(m, v) ? v : -1;
}

/* Increments of all contacts for dP of the primary one. */
static void distribute(march *m, int first, int by_energy)
{
  const ns_multiple_impact *p = m->p;
  double h = p->dP, u = fabs(m->ydot[first]), f = m->c[first] * pow(by_energy ? m->E[first] : u, m->power[first]);
  for (int i = 0; i < p->n; i++) {
    double share = 0, eta = p->eta[i];
    if (i == first) share = 1;
    else if (loaded(m, i)) share = m->c[i] * pow(m->E[i], m->power[i]) / f;
    else if (starts(m, i) && by_energy) share = pow(m->c[i] * pow(fabs(m->ydot[i]) * h, m->power[i]) / f, 1 + eta);
    else if (starts(m, i))
      share = pow(m->c[i] * pow(fabs(m->ydot[i]), m->power[i]) / f, 1 + eta) * pow(h, (eta - p->eta[first]) / (1 + p->eta[first]));
    m->dP[i] = share * h;
  }
}

static void energy(march *m, int i, double before, double after)
{
  const ns_multiple_impact *p = m->p;
  double mean = (before + after) / 2, e = p->e[i], work = mean * m->dP[i];
  if (p->mono || mean <= 0) m->E[i] -= work;
  else m->E[i] = e > 0 ? m->E[i] - work / (e * e) : 0;
  if (p->mono) {
    if (before < 0 && after >= 0) m->kept[i] = m->E[i];
    if (after > 0 && m->E[i] <= (1 - e * e) * m->kept[i]) m->E[i] = 0;
  }
  if (m->E[i] < 0) m->E[i] = 0;
}

static void increment(march *m, double *P)
{
  const ns_multiple_impact *p = m->p;
  for (int i = 0; i < p->n; i++) {
    double s = 0;
    for (int b = p->row[i]; b < p->row[i + 1]; b++) s += p->val[b] * m->dP[p->col[b]];
    m->change[i] = s;
  }
  for (int i = 0; i < p->n; i++) {
    double before = m->ydot[i];
    m->ydot[i] = before + m->change[i];
    if (m->dP[i] != 0) energy(m, i, before, m->ydot[i]);
    P[i] += m->dP[i];
  }
}

long ns_multiple_impact_march(const ns_multiple_impact *p, double *work, double *ydot, double *P)
{
  int n = p->n, by_energy;
  march m = {.p = p, .E = work, .c = work + n, .power = work + 2 * n, .kept = work + 3 * n, .dP = work + 4 * n,
             .change = work + 5 * n, .ydot = ydot};
  memset(work, 0, (size_t)n * 8 * sizeof *work);
  memset(P, 0, (size_t)n * sizeof *P);
  for (int i = 0; i < n; i++) {
    m.power[i] = p->eta[i] / (1 + p->eta[i]);
    m.c[i] = pow(1 + p->eta[i], m.power[i]) * pow(p->K[i], 1 / (1 + p->eta[i]));
  }
  for (long k = 0; n > 0 && k <= p->most; k++) {
    int first = primary(&m, &by_energy);
    if (first < 0) return k;
    distribute(&m, first, by_energy);
    increment(&m, P);
  }
  return n > 0 ? -1 : 0;
}
