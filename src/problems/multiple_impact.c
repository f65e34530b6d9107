/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The impact integrated as a piecewise smooth differential equation in delta and P, see the header.
 * A step is one of Dormand & Prince (1980), order 5 with an error of order 4. Within it each
 * contact keeps its phase, so that the right-hand side is smooth; where a contact leaves its phase
 * inside a step, the step is taken again up to there. */
#include "problems/multiple_impact.h"

#include "algebra/vector.h"

#include <math.h>
#include <string.h>

/* Phases of a contact. */
enum { OPEN, LOADED, UNLOADING };

enum { STAGES = 7 };
/* Error of a step, relative to the scales of V and delta; what is left of V when a contact is done,
 * of its energy the square of that. */
static const double TOLERANCE = 1e-10, REST = 1e-10;
/* How far a contact may be past the end of its phase: its force and its rate are continuous there,
 * so that this counts squared. Where the force jumps (mono-stiffness, e = 0) it counts as it is. */
static const double PAST = 1e-7, PAST_JUMP = 1e-13;
/* Trains of balls that are pressed together creep for long. From PATIENCE steps on these bounds
 * grow by COARSER each time the number of steps has doubled, so that the impact ends. */
enum { PATIENCE = 10000, COARSER = 30, SWEEPS = 50000 };
enum { LANDINGS = 60 }; /* times that a step is shortened to the end of a phase */

static const double A[STAGES][STAGES - 1] = {
    {0},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
static const double ERROR[STAGES] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                                     -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

typedef struct flow {
  const ns_multiple_impact *p;
  int n;
  double *ydot0;                        /* velocities before the impact, m/s [n] */
  double *delta, *P, *ydot;             /* at the begin of the step [n] */
  double *delta1, *P1, *ydot1;          /* at its end [n] */
  double *rate[STAGES], *force[STAGES]; /* d delta/dt and dP/dt [n] each */
  double *V, *length;                   /* scales of velocity and of delta [n] */
  double *loss;                         /* 1/e^2; 0 where e = 0 [n] */
  double *rest;                         /* delta of a contact that is done [n] */
  double *cut;                          /* mono-stiffness: delta at which the contact lets go [n] */
  double *diagonal; /* of D; 0: nothing moves this contact, and it is left alone [n] */
  int *phase;       /* [n] */
  double energy;    /* kinetic energy of approach, J */
  double coarse;    /* factor of the bounds above, 1 at first */
  long patience,
      span; /* steps until they grow, and from then on; those that dP shortens do not count */
} flow;

static void lay_out(flow *f, const ns_multiple_impact *p, double *work, double *ydot, double *P)
{
  size_t n = (size_t)p->n;
  double **const part[] = {&f->ydot0,  &f->delta, &f->delta1, &f->P1,  &f->ydot1,   &f->V,
                           &f->length, &f->loss,  &f->rest,   &f->cut, &f->diagonal};
  memset(work, 0, NS_MULTIPLE_IMPACT_WORK(n) * sizeof *work);
  for (size_t k = 0; k < sizeof part / sizeof *part; k++, work += n) *part[k] = work;
  for (int s = 0; s < STAGES; s++, work += 2 * n) {
    f->rate[s] = work;
    f->force[s] = work + n;
  }
  f->phase = (int *)(void *)work;
  f->p = p;
  f->n = p->n;
  f->ydot = ydot;
  f->P = P;
  memset(P, 0, n * sizeof *P);
  memcpy(f->ydot0, ydot, n * sizeof *ydot);
}

/* Scales from the energy that the approaching contacts bring: what one of them could come to with
 * all of it. */
static void set_scales(flow *f)
{
  const ns_multiple_impact *p = f->p;
  for (int i = 0; i < f->n; i++) {
    for (int b = p->row[i]; b < p->row[i + 1]; b++)
      if (p->col[b] == i) f->diagonal[i] = fmax(p->val[b], 0);
    if (f->diagonal[i] > 0 && f->ydot[i] < 0)
      f->energy += f->ydot[i] * f->ydot[i] / (2 * f->diagonal[i]);
  }
  for (int i = 0; i < f->n; i++) {
    double e = p->e[i], eta = p->eta[i];
    f->V[i] = sqrt(2 * f->energy * f->diagonal[i]);
    f->length[i] = pow(f->energy * (1 + eta) / p->K[i], 1 / (1 + eta));
    f->loss[i] = e > 1e-8 ? 1 / (e * e) : 0; /* below that, e^2 is rounding */
  }
}

static void set_rest(flow *f)
{
  for (int i = 0; i < f->n; i++)
    f->rest[i] = f->length[i] * pow(REST * f->coarse, 2 / (1 + f->p->eta[i]));
}

/* y = y0 + D P */
static void velocities(const flow *f, const double *P, double *ydot)
{
  const ns_multiple_impact *p = f->p;
  for (int i = 0; i < f->n; i++) {
    double sum = f->ydot0[i];
    for (int b = p->row[i]; b < p->row[i + 1]; b++) sum += p->val[b] * P[p->col[b]];
    ydot[i] = sum;
  }
}

/* K delta^eta; odd in delta, so that a step may end a little behind zero. */
static inline double force_of(double K, double eta, double delta)
{
  if (eta == 1) return K * delta;
  double a = fabs(delta), F = eta == 1.5 ? K * a * sqrt(a) : K * pow(a, eta);
  return delta < 0 ? -F : F;
}

static inline double rate_of(const flow *f, int i, double ydot)
{
  if (f->phase[i] == UNLOADING && !f->p->mono) return -ydot * f->loss[i];
  if (f->phase[i] == OPEN && ydot >= 0) return 0;
  return -ydot;
}

static void derivatives(flow *f, int stage, const double *delta, const double *ydot)
{
  double *restrict rate = f->rate[stage], *restrict force = f->force[stage];
  for (int i = 0; i < f->n; i++) {
    int moves = f->diagonal[i] > 0;
    rate[i] = moves ? rate_of(f, i, ydot[i]) : 0;
    force[i] = moves && delta[i] != 0 ? force_of(f->p->K[i], f->p->eta[i], delta[i]) : 0;
  }
}

/* A step of h from the state, whose derivatives are stage 0; its error relative to the tolerance.
 * */
static double attempt(flow *f, double h)
{
  double worst = 0;
  for (int s = 1; s < STAGES; s++) {
    for (int i = 0; i < f->n; i++) {
      double d = 0, P = 0;
      for (int k = 0; k < s; k++) {
        d += A[s][k] * f->rate[k][i];
        P += A[s][k] * f->force[k][i];
      }
      f->delta1[i] = f->delta[i] + h * d;
      f->P1[i] = f->P[i] + h * P;
    }
    velocities(f, f->P1, f->ydot1);
    derivatives(f, s, f->delta1, f->ydot1);
  }
  for (int i = 0; i < f->n; i++) {
    if (!(f->diagonal[i] > 0)) continue;
    double d = 0, P = 0;
    for (int k = 0; k < STAGES; k++) {
      d += ERROR[k] * f->rate[k][i];
      P += ERROR[k] * f->force[k][i];
    }
    worst = fmax(worst, h * fabs(d) / f->length[i]);
    worst = fmax(worst, h * fabs(P) * f->diagonal[i] / f->V[i]);
  }
  return worst / (TOLERANCE * f->coarse);
}

/* What is above zero in the phase of contact i and, below -past, behind its end. */
typedef struct margin {
  double at_begin, at_end, slope_begin, slope_end, past;
} margin;

static double acceleration(const flow *f, int i, const double *force)
{
  const ns_multiple_impact *p = f->p;
  double a = 0;
  for (int b = p->row[i]; b < p->row[i + 1]; b++) a += p->val[b] * force[p->col[b]];
  return a;
}

static margin of_velocity(const flow *f, int i, double sign)
{
  double past = f->loss[i] == 0 && f->phase[i] == LOADED ? PAST_JUMP : PAST * sqrt(f->coarse);
  return (margin){sign * f->ydot[i], sign * f->ydot1[i], sign * acceleration(f, i, f->force[0]),
                  sign * acceleration(f, i, f->force[STAGES - 1]), past * f->V[i]};
}

static margin of_length(const flow *f, int i)
{
  double past = f->p->mono && f->cut[i] > 0 ? PAST_JUMP : PAST * sqrt(f->coarse);
  return (margin){f->delta[i] - f->cut[i], f->delta1[i] - f->cut[i], f->rate[0][i],
                  f->rate[STAGES - 1][i], past * f->length[i]};
}

static int is_crossed(margin m) { return m.at_begin > 0 && m.at_end < -m.past; }

/* Part of the step at which the cubic through both ends is -past/2: by bisection, as it has one
 * crossing more often than not. */
static double crossing(margin m, double h)
{
  double low = 0, high = 1, a = m.at_begin, b = m.at_end, da = h * m.slope_begin,
         db = h * m.slope_end;
  for (int k = 0; k < 50; k++) {
    double s = (low + high) / 2, r = 1 - s;
    double value = r * r * ((1 + 2 * s) * a + s * da) + s * s * ((1 + 2 * r) * b - r * db);
    if (value > -m.past / 2) low = s;
    else high = s;
  }
  return high;
}

/* Part of the step after which the first contact leaves its phase; 1: none does. */
static double first_crossing(const flow *f, double h)
{
  double first = 1;
  for (int i = 0; i < f->n; i++) {
    int open = f->phase[i] == OPEN, elastic = f->loss[i] == 1;
    if (!(f->diagonal[i] > 0) || (open && !(f->ydot[i] > PAST * f->V[i]))) continue;
    margin turn = of_velocity(f, i, f->phase[i] == LOADED ? -1 : 1);
    if ((open || !elastic) && is_crossed(turn)) first = fmin(first, crossing(turn, h));
    if (open || (f->phase[i] == LOADED && !elastic)) continue;
    margin gap = of_length(f, i);
    if (is_crossed(gap)) first = fmin(first, crossing(gap, h));
  }
  return first;
}

static void open_contact(flow *f, int i)
{
  f->phase[i] = OPEN;
  f->delta[i] = f->cut[i] = 0;
}

/* The contact begins to unload: what it gives back is e^2 of its energy. */
static void unload(flow *f, int i)
{
  double e = f->p->e[i];
  if (f->loss[i] == 0) {
    open_contact(f, i);
    return;
  }
  f->phase[i] = UNLOADING;
  if (f->p->mono) f->cut[i] = f->delta[i] * pow(1 - e * e, 1 / (1 + f->p->eta[i]));
}

static void change_phases(flow *f)
{
  for (int i = 0; i < f->n; i++) {
    int elastic = f->loss[i] == 1;
    if (f->phase[i] == OPEN && f->delta[i] > 0) f->phase[i] = LOADED;
    if (f->phase[i] == UNLOADING && f->ydot[i] < 0) {
      f->phase[i] = LOADED;
      f->cut[i] = 0;
    }
    if (f->phase[i] == LOADED && !elastic && f->ydot[i] >= 0) unload(f, i);
    if (f->phase[i] != OPEN && f->delta[i] <= f->cut[i]) open_contact(f, i);
  }
}

/* No contact is loaded or approaches. */
static int is_over(const flow *f)
{
  for (int i = 0; i < f->n; i++) {
    if (!(f->diagonal[i] > 0)) continue;
    if (f->delta[i] > f->rest[i] || f->ydot[i] < -REST * f->coarse * f->V[i]) return 0;
  }
  return 1;
}

/* A hundredth of the time in which the quickest contact could be stopped. */
static double first_step(const flow *f)
{
  double min = INFINITY;
  for (int i = 0; i < f->n; i++)
    if (f->diagonal[i] > 0) min = fmin(min, f->length[i] / f->V[i]);
  return min / 100;
}

/* Largest impulse of a contact in the step, by that which is allowed; 0: any is. */
static double increment(const flow *f)
{
  double max = 0;
  if (!(f->p->dP > 0)) return 0;
  for (int i = 0; i < f->n; i++) max = fmax(max, f->P1[i] - f->P[i]);
  return max / f->p->dP;
}

static void accept(flow *f)
{
  size_t bytes = (size_t)f->n * sizeof(double);
  memcpy(f->delta, f->delta1, bytes);
  memcpy(f->P, f->P1, bytes);
  memcpy(f->ydot, f->ydot1, bytes);
  change_phases(f);
}

/* Factor of the next step by the error of this one, which is of fifth order. */
static double factor_of(double error)
{
  return fmin(5, fmax(0.2, 0.9 * pow(fmax(error, 1e-9), -0.2)));
}

/* One step of at most *h, shortened to the first end of a phase; *h: the next. Attempts. */
static long advance(flow *f, double *h)
{
  double step = *h;
  derivatives(f, 0, f->delta, f->ydot);
  for (long tries = 1;; tries++) {
    double error = attempt(f, step), large = increment(f);
    if (!(error <= 1) || large > 1) {
      step *= fmin(error <= 1 ? 1 : fmin(factor_of(error), 0.9), large > 1 ? 0.95 / large : 1);
      *h = step;
      continue;
    }
    double first = tries < LANDINGS ? first_crossing(f, step) : 1;
    if (first < 1) {
      step *= first;
      continue;
    }
    *h = fmax(*h, step * (large > 0.5 ? 1 : factor_of(error)));
    if (large <= 0.5) f->patience -= tries;
    accept(f);
    return tries;
  }
}

/* Contacts give back what they stored and never more. What the error of the steps has made of it is
 * taken out: impulses smaller by a factor near 1, with which the kinetic energy  T(s) - T(0) = s
 * P.ydot0 + s^2 P.D P / 2  is what it was. Where all contacts are elastic it is so exactly. */
static void balance(flow *f)
{
  double linear = 0, square = 0;
  int elastic = 1;
  velocities(f, f->P, f->ydot);
  for (int i = 0; i < f->n; i++) {
    linear += f->P[i] * f->ydot0[i];
    square += f->P[i] * (f->ydot[i] - f->ydot0[i]) / 2;
    elastic &= f->loss[i] == 1;
  }
  if (!(square > 0) || (linear + square <= 0 && !elastic)) return;
  ns_scale((size_t)f->n, -linear / square, f->P);
  velocities(f, f->P, f->ydot);
}

/* What still approaches is stopped without a rebound: Gauss-Seidel on  0 <= dP _|_ ydot + D dP >=
 * 0, which takes energy. */
static void stop_the_rest(flow *f)
{
  const ns_multiple_impact *p = f->p;
  double *dP = f->delta1, worst = 1;
  memset(dP, 0, (size_t)f->n * sizeof *dP);
  for (int sweep = 0; sweep < SWEEPS && worst > REST / 100; sweep++) {
    worst = 0;
    for (int i = 0; i < f->n; i++) {
      if (!(f->diagonal[i] > 0)) continue;
      double d = fmax(-f->ydot[i] / f->diagonal[i], -dP[i]);
      if (d == 0) continue;
      dP[i] += d;
      for (int b = p->row[i]; b < p->row[i + 1]; b++) f->ydot[p->col[b]] += p->val[b] * d;
      worst = fmax(worst, fabs(d) * f->diagonal[i] / f->V[i]);
    }
  }
  ns_axpy((size_t)f->n, 1, dP, f->P);
  velocities(f, f->P, f->ydot);
}

static void grow_bounds(flow *f)
{
  f->coarse *= COARSER;
  f->patience = f->span;
  f->span *= 2;
  set_rest(f);
}

long ns_multiple_impact_solve(const ns_multiple_impact *p, double *work, double *ydot, double *P)
{
  flow f = {.coarse = 1, .patience = PATIENCE, .span = PATIENCE};
  long steps = 0;
  lay_out(&f, p, work, ydot, P);
  set_scales(&f);
  set_rest(&f);
  if (!(f.energy > 0)) return 0;
  double h = first_step(&f);
  while (!is_over(&f)) {
    if (steps > p->max) return -1;
    steps += advance(&f, &h);
    if (f.patience < 0) grow_bounds(&f);
  }
  balance(&f);
  stop_the_rest(&f);
  return steps;
}
