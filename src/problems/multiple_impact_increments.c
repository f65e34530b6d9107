/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The impact in increments of impulse of one size, as it was published. */
#include "problems/multiple_impact.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double NONE = DBL_EPSILON; /* J and m/s */

enum { TERMS = 7 };
static const double NEAR = 1.0 / 128;

/* x^p of numbers that change little from increment to increment: its series about the last x that
 * was raised to it. What it leaves out is below |(p over 8)| NEAR^8 of it: rounding, for p < 8. */
typedef struct power {
  double p, about, inverse, value; /* 1/about, about^p */
  double term[TERMS];              /* (p over k), k = 1 ... */
} power;

typedef struct march {
  const ns_multiple_impact *p;
  double *E, *c;       /* energies; c of the header [n] */
  double *unload;      /* 1/e^2, 0 where e = 0 [n] */
  double *kept;        /* mono: energy at the largest compression [n] */
  double *dP, *change; /* of an increment [n] */
  double *ydot;
  power *force, *share; /* E^p; x^eta of shares that begin [n] */
} march;

static power power_of(double p)
{
  power w = {.p = p};
  double term = 1;
  for (int k = 0; k < TERMS; k++) w.term[k] = term *= (p - k) / (k + 1);
  return w;
}

static double anew(power *w, double x)
{
  w->about = x;
  w->inverse = 1 / x;
  return w->value = pow(x, w->p);
}

static inline double raise(power *w, double x)
{
  double d = x - w->about;
  const double *b = w->term;
  if (!(fabs(d) <= NEAR * w->about)) return anew(w, x);
  double u = d * w->inverse, uu = u * u;
  double low = b[0] * u + b[1] * uu,
         high = (b[2] * u + b[3] * uu) + uu * (b[4] * u + b[5] * uu + b[6] * uu * u);
  return w->value + w->value * (low + uu * high);
}

static int loaded(const march *m, int i) { return m->E[i] > NONE; }
static int starts(const march *m, int i) { return !loaded(m, i) && m->ydot[i] < -NONE; }

/* Primary contact: of largest energy (*by_energy = 1), else of fastest approach; -1: it is over. */
static int primary(const march *m, int *by_energy)
{
  int n = m->p->n, first = 0;
  double max = m->E[0], min = m->ydot[0];
  for (int i = 1; i < n; i++)
    if (m->E[i] > max) max = m->E[first = i];
  *by_energy = max > NONE;
  if (*by_energy) return first;
  for (int i = first = 0; i < n; i++)
    if (m->ydot[i] < min) min = m->ydot[first = i];
  return min < -NONE ? first : -1;
}

/* A contact that begins to be loaded: its share of the increment, such that the energy is that
 * after it. f: force of the primary contact, or what stands for it. */
static double first_share(const march *m, int i, int first, int by_energy, double f)
{
  const ns_multiple_impact *p = m->p;
  double eta = p->eta[i], q = m->force[i].p, u = fabs(m->ydot[i]);
  /* the same */
  if (by_energy && eta == p->eta[first])
    return p->K[i] / p->K[first] * raise(&m->share[i], u * p->dP / m->E[first]);
  if (by_energy) return pow(m->c[i] * pow(u * p->dP, q) / f, 1 + eta);
  return pow(m->c[i] * pow(u, q) / f, 1 + eta) *
         pow(p->dP, (eta - p->eta[first]) / (1 + p->eta[first]));
}

/* Increments of all contacts for dP of the primary one. */
static void distribute(march *m, int first, int by_energy)
{
  const ns_multiple_impact *p = m->p;
  double f = m->c[first] * (by_energy ? raise(&m->force[first], m->E[first])
                                      : pow(fabs(m->ydot[first]), m->force[first].p));
  double scale = p->dP / f;
  for (int i = 0; i < p->n; i++) {
    if (loaded(m, i)) m->dP[i] = m->c[i] * raise(&m->force[i], m->E[i]) * scale;
    else m->dP[i] = i != first && starts(m, i) ? first_share(m, i, first, by_energy, f) * p->dP : 0;
  }
  m->dP[first] = p->dP;
}

/* mono-stiffness: what is left of the energy once the contact separates. */
static double mono(march *m, int i, double before, double after, double E)
{
  double e = m->p->e[i];
  if (before < 0 && after >= 0) m->kept[i] = E;
  return after > 0 && E <= (1 - e * e) * m->kept[i] ? 0 : E;
}

static inline void energy(march *m, int i, double before, double after)
{
  double mean = (before + after) / 2, work = mean * m->dP[i], E;
  if (m->p->mono) E = mono(m, i, before, after, m->E[i] - work);
  else if (mean <= 0) E = m->E[i] - work;
  else E = m->unload[i] > 0 ? m->E[i] - work * m->unload[i] : 0;
  m->E[i] = E > 0 ? E : 0;
}

/* D dP: rows are columns, and most contacts have no part in it. */
static void push(march *m)
{
  const ns_multiple_impact *p = m->p;
  const double *dP = m->dP;
  double *restrict change = m->change;
  memset(change, 0, (size_t)p->n * sizeof *change);
  for (int i = 0; i < p->n; i++) {
    double d = dP[i];
    if (d == 0) continue;
    const int *end = p->col + p->row[i + 1];
    const double *restrict v = p->val + p->row[i];
    for (const int *restrict c = p->col + p->row[i]; c < end; c++) change[*c] += *v++ * d;
  }
}

static void increment(march *m, double *P)
{
  push(m);
  for (int i = 0; i < m->p->n; i++) {
    double before = m->ydot[i];
    m->ydot[i] = before + m->change[i];
    if (m->dP[i] == 0) continue;
    P[i] += m->dP[i];
    energy(m, i, before, m->ydot[i]);
  }
}

long ns_multiple_impact_march(const ns_multiple_impact *p, double *work, double *ydot, double *P)
{
  int n = p->n, by_energy;
  march m = {.p = p,
             .E = work,
             .c = work + n,
             .unload = work + 2 * n,
             .kept = work + 3 * n,
             .dP = work + 4 * n,
             .change = work + 5 * n,
             .force = (power *)(void *)(work + 6 * n),
             .share = (power *)(void *)(work + 17 * n),
             .ydot = ydot};
  memset(work, 0, NS_MULTIPLE_IMPACT_WORK((size_t)n) * sizeof *work);
  memset(P, 0, (size_t)n * sizeof *P);
  for (int i = 0; i < n; i++) {
    double eta = p->eta[i], e = p->e[i];
    m.force[i] = power_of(eta / (1 + eta));
    m.share[i] = power_of(eta);
    m.c[i] = pow(1 + eta, m.force[i].p) * pow(p->K[i], 1 / (1 + eta));
    m.unload[i] = e > 0 ? 1 / (e * e) : 0;
  }
  for (long k = 0; n > 0 && k <= p->max; k++) {
    int first = primary(&m, &by_energy);
    if (first < 0) return k;
    distribute(&m, first, by_energy);
    increment(&m, P);
  }
  return n > 0 ? -1 : 0;
}
