/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One contact: exact solutions by cases, and iterations where no case fits. */
#include "problems/mechanical_work.h"

#include "algebra/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define W(i, j) (k->W[(i) + (j)*d])

int ns_contact_prepare(int d, const double *A, double mu, ns_contact *k)
{
  *k = (ns_contact){.mu = mu};
  memcpy(k->W, A, (size_t)(d * d) * sizeof *A);
  for (int i = 0; i < d * d; i++) k->scale = ns_larger(fabs(A[i]), k->scale);
  if (k->scale == 0) { /* bodies that nothing moves: u = q whatever r is */
    k->rho_n = k->rho_t = 1;
    return 0;
  }
  if (!(W(0, 0) > 0) || !(k->scale <= DBL_MAX)) return -1;
  k->rho_n = 1 / W(0, 0);
  double big;
  if (d == 2) {
    big = fabs(W(1, 1));
  } else {
    double trace = W(1, 1) + W(2, 2), det = W(1, 1) * W(2, 2) - W(1, 2) * W(2, 1);
    big = (fabs(trace) + sqrt(ns_larger(trace * trace - 4 * det, 0))) / 2;
  }
  for (int i = 0; i < 2 && d == 3; i++) {
    k->f[i] = W(i + 1, 0) * k->rho_n;
    for (int j = 0; j < 2; j++) k->S[i + 2 * j] = W(i + 1, j + 1) - k->f[i] * W(0, j + 1);
  }
  double det = W(0, 0) * W(d - 1, d - 1) - W(0, d - 1) * W(d - 1, 0);
  if (d == 2 && fabs(det) > 4 * DBL_EPSILON * k->scale * k->scale) k->over = 1 / det;
  k->rho_t = big > DBL_EPSILON * k->scale ? 1 / big : k->rho_n;
  return 0;
}

static void velocity(int d, const ns_contact *k, const double *q, const double *r, double *u)
{
  for (int i = 0; i < d; i++) {
    double s = q[i];
    for (int j = 0; j < d; j++) s += W(i, j) * r[j];
    u[i] = s;
  }
}

static double length(double x, double y) { return sqrt(x * x + y * y); }
static double norm(int d, const double *x)
{
  return sqrt(x[0] * x[0] + x[1] * x[1] + (d == 2 ? 0 : x[2] * x[2]));
}

/* What r is worth, whatever the units. */
double ns_contact_worth(int d, const ns_contact *k, const double *q, const double *r)
{
  double u[3] = {0}, scaled[3] = {0};
  velocity(d, k, q, r, u);
  for (int i = 0; i < d; i++) scaled[i] = u[i] * k->rho_n;
  double e = sqrt(ns_contact_defect(d, k->mu, scaled, r));
  double s = fmax(k->rho_n * norm(d, q), fmax(norm(d, r), norm(d, scaled)));
  return s > DBL_MIN ? e / s : e;
}

/* ---- the plane ------------------------------------------------------------------------------- */

/* Slide with r_T = s mu r_N: u_N = 0 and u_T against r_T. */
static int slide_plane(const ns_contact *k, const double *q, double s, double *r)
{
  enum { d = 2 };
  double a = W(0, 0) + s * k->mu * W(0, 1);
  if (!(a > DBL_EPSILON * k->scale)) return 0;
  double n = -q[0] / a, t = s * k->mu * n, u = q[1] + W(1, 0) * n + W(1, 1) * t;
  if (!(n >= 0) || s * u > 0) return 0;
  r[0] = n;
  r[1] = t;
  return 1;
}

int ns_contact_cases_plane(const ns_contact *k, const double *q, double *r)
{
  enum { d = 2 };
  if (q[0] >= 0) {
    r[0] = r[1] = 0;
    return 1;
  }
  if (k->over != 0) {
    double n = (W(0, 1) * q[1] - W(1, 1) * q[0]) * k->over,
           t = (W(1, 0) * q[0] - W(0, 0) * q[1]) * k->over;
    if (n >= 0 && fabs(t) <= k->mu * n) {
      r[0] = n;
      r[1] = t;
      return 1;
    }
  }
  return slide_plane(k, q, 1, r) || slide_plane(k, q, -1, r);
}

double ns_contact_solve_plane(const ns_contact *k, const double *q, double *r)
{
  enum { d = 2 };
  if (ns_contact_cases_plane(k, q, r)) return q[0] >= 0 ? 0 : ns_contact_worth(d, k, q, r);
  return ns_contact_projection(d, k, q, r, 100, 1e-14);
}

/* ---- space ----------------------------------------------------------------------------------- */

/* With r_N eliminated by u_N = 0: u_T = S r_T + s. */
typedef struct tangent {
  double S[4], s[2], l[2]; /* by columns; l = W_NT */
} tangent;

static tangent tangential(const ns_contact *k, const double *q)
{
  enum { d = 3 };
  tangent t;
  memcpy(t.S, k->S, sizeof t.S);
  for (int i = 0; i < 2; i++) {
    t.s[i] = q[i + 1] - k->f[i] * q[0];
    t.l[i] = W(0, i + 1);
  }
  return t;
}

/* r for a slip alpha: (S + alpha) r_T = -s; dr_T to slope. 0 where singular. */
static inline int at_slip(const ns_contact *k, const tangent *t, const double *q, double alpha,
                          double *r, double *slope)
{
  double a = t->S[0] + alpha, b = t->S[2], c = t->S[1], e = t->S[3] + alpha, det = a * e - b * c;
  if (!(fabs(det) > DBL_EPSILON * DBL_EPSILON * (fabs(a * e) + fabs(b * c)))) return 0;
  double over = 1 / det;
  r[1] = (b * t->s[1] - e * t->s[0]) * over;
  r[2] = (c * t->s[0] - a * t->s[1]) * over;
  slope[1] = (b * r[2] - e * r[1]) * over;
  slope[2] = (c * r[1] - a * r[2]) * over;
  r[0] = -(q[0] + t->l[0] * r[1] + t->l[1] * r[2]) * k->rho_n;
  slope[0] = -(t->l[0] * slope[1] + t->l[1] * slope[2]) * k->rho_n;
  return isfinite(r[0]) && isfinite(r[1]) && isfinite(r[2]);
}

/* psi = mu r_N / |r_T| - 1 and its slope at r: nearly linear in alpha, as the secular equation of
 * trust regions is. */
static int secular(const ns_contact *k, const double *r, const double *slope, double *psi,
                   double *dpsi)
{
  double n = length(r[1], r[2]), over = 1 / n;
  if (!(n > 0)) return 0;
  *psi = k->mu * r[0] * over - 1;
  *dpsi = k->mu * (slope[0] - r[0] * (r[1] * slope[1] + r[2] * slope[2]) * over * over) * over;
  return 1;
}

/* What the elimination of r_N and u_T = -alpha r_T promise: u_N = 0, u_T + alpha r_T = 0 to
 * rounding. */
static int holds(const ns_contact *k, const double *q, double alpha, const double *r)
{
  enum { d = 3 };
  double s = 0, size = 0;
  for (int i = 0; i < d; i++) {
    double w = W(i, 0) * r[0] + W(i, 1) * r[1] + W(i, 2) * r[2],
           e = q[i] + w + (i ? alpha * r[i] : 0);
    s += e * e;
    size += q[i] * q[i] + w * w;
  }
  return s <= 1e-24 * size;
}

/* The smallest slip that Newton finds from 0, kept in a bracket where psi < 0 on its left and > 0
 * on its right. r and its slope: at slip 0 where `known`. */
static int slide_space(const ns_contact *k, const tangent *t, const double *q, int known, double *r,
                       double *slope)
{
  enum { NEWTON = 60 };
  double left = 0, right = INFINITY, alpha = 0, psi, dpsi;
  if (!known || !secular(k, r, slope, &psi, &dpsi)) {
    alpha = left = DBL_EPSILON * k->scale;
    if (!at_slip(k, t, q, alpha, r, slope) || !secular(k, r, slope, &psi, &dpsi)) return 0;
  }
  for (int it = 0; it < NEWTON; it++) {
    if (fabs(psi) <= 4 * DBL_EPSILON) return r[0] > 0 && holds(k, q, alpha, r);
    if (psi < 0) left = alpha;
    else right = alpha;
    double next = dpsi > 0 ? alpha - psi / dpsi : INFINITY;
    if (!(next > left && next < right))
      next = right < INFINITY ? (left + right) / 2 : 4 * (left + k->scale);
    if (next == alpha) return r[0] > 0 && fabs(psi) < 1e-12 && holds(k, q, alpha, r);
    alpha = next;
    if (!at_slip(k, t, q, alpha, r, slope) || !secular(k, r, slope, &psi, &dpsi)) return 0;
  }
  return fabs(psi) < 1e-12 && r[0] > 0 && holds(k, q, alpha, r);
}

/* Take-off, and no friction: 1 where it is one of them. */
static int without_slip(const ns_contact *k, const double *q, double *r)
{
  if (q[0] < 0 && k->mu != 0) return 0;
  r[0] = q[0] < 0 ? -q[0] * k->rho_n : 0;
  r[1] = r[2] = 0;
  return 1;
}

/* x, at slip 0, is in the cone. */
static int sticks(const ns_contact *k, const tangent *t, const double *x)
{
  double det = t->S[0] * t->S[3] - t->S[1] * t->S[2];
  return fabs(det) > 16 * DBL_EPSILON * k->scale * k->scale && x[0] >= 0 &&
         length(x[1], x[2]) <= k->mu * x[0];
}

int ns_contact_cases_space(const ns_contact *k, const double *q, double *r)
{
  double x[3], slope[3];
  if (without_slip(k, q, r)) return 1;
  tangent t = tangential(k, q);
  int known = at_slip(k, &t, q, 0, x, slope);
  if (!(known && sticks(k, &t, x)) && !slide_space(k, &t, q, known, x, slope)) return 0;
  memcpy(r, x, sizeof x);
  return 1;
}

double ns_contact_solve_space(const ns_contact *k, const double *q, double *r)
{
  enum { d = 3 };
  if (ns_contact_cases_space(k, q, r)) return q[0] >= 0 ? 0 : ns_contact_worth(d, k, q, r);
  return ns_contact_by_turns(k, q, r);
}

double ns_contact_by_turns(const ns_contact *k, const double *q, double *r)
{
  enum { d = 3 };
  double best[3], a;
  memcpy(best, r, sizeof best);
  double keep = ns_contact_worth(d, k, q, best);
  for (int pass = 0; pass < 4 && keep > 1e-14; pass++) {
    a = ns_contact_newton(d, k, pass & 1, q, r, 10);
    if (a < keep) memcpy(best, r, sizeof best), keep = a;
    if (keep <= 1e-14) break;
    memcpy(r, best, sizeof best);
    a = ns_contact_projection(d, k, q, r, 100, 1e-14);
    if (a < keep) memcpy(best, r, sizeof best), keep = a;
  }
  memcpy(r, best, sizeof best);
  return keep;
}

/* ---- iterations ------------------------------------------------------------------------------ */

double ns_contact_projection(int d, const ns_contact *k, const double *q, double *r, int limit,
                             double tol)
{
  /* Self-adaptive step (Khobotov 1987): rho such that rho |u(r) - u(r+)| <= 0.9 |r - r+|. */
  double rho = k->rho_n, e = ns_contact_worth(d, k, q, r);
  for (int it = 0; it < limit && e > tol; it++) {
    double u[3] = {0}, next[3] = {0}, v[3] = {0}, ratio = 0, before = e;
    velocity(d, k, q, r, u);
    double t = d == 2 ? fabs(u[1]) : length(u[1], u[2]);
    for (int cut = 0; cut <= 10; cut++, rho *= 2.0 / 3) {
      for (int i = 0; i < d; i++) next[i] = r[i] - rho * (u[i] + (i ? 0 : k->mu * t));
      ns_mechanical_cone(d, k->mu, next);
      velocity(d, k, q, next, v);
      double tv = d == 2 ? fabs(v[1]) : length(v[1], v[2]), du[3] = {0}, dr[3] = {0};
      for (int i = 0; i < d; i++) {
        du[i] = u[i] - v[i] + (i ? 0 : k->mu * (t - tv));
        dr[i] = r[i] - next[i];
      }
      double step = norm(d, dr);
      if (!(step > 0)) return e;
      ratio = rho * norm(d, du) / step;
      if (ratio <= 0.9) break;
    }
    memcpy(r, next, (size_t)d * sizeof *r);
    e = ns_contact_worth(d, k, q, r);
    if (ratio < 0.3 && e < before) rho *= 1.5;
  }
  return e;
}

void ns_contact_normal_map(int d, double rho_n, const double *r, const double *u, double *F,
                           double *A, double *B)
{
  double y = r[0] - rho_n * u[0];
  F[0] = y > 0 ? rho_n * u[0] : r[0];
  if (!A) return;
  memset(A, 0, (size_t)(d * d) * sizeof *A);
  memset(B, 0, (size_t)(d * d) * sizeof *B);
  if (y > 0) A[0] = rho_n;
  else B[0] = 1;
}

void ns_contact_disc_map(int d, const ns_disc *t, int kind, const double *r, const double *u,
                         double *F, double *A, double *B)
{
  double z[2] = {0}, y = r[0] - t->rho_n * u[0], radius, zeta;
  for (int i = 0; i < t->n; i++) z[i] = r[t->at + i] - t->rho * u[t->at + i];
  zeta = length(z[0], z[1]);
  radius = t->mu * fmax(0, kind ? r[0] : y);
  for (int i = 0; i < t->n; i++) {
    int at = t->at + i;
    F[at] = zeta <= radius ? t->rho * u[at] : r[at] - (zeta > 0 ? radius * z[i] / zeta : 0);
  }
  for (int i = 0; A && i < t->n; i++) {
    int at = t->at + i;
    if (zeta <= radius) {
      A[at + at * d] = t->rho;
      continue;
    }
    double e = zeta > 0 ? z[i] / zeta : 0;
    B[at + at * d] = 1;
    if (!(radius > 0)) continue;
    for (int j = 0; j < t->n; j++) {
      double gamma = ((i == j) - e * z[j] / zeta) / zeta;
      A[at + (t->at + j) * d] = t->rho * radius * gamma;
      B[at + (t->at + j) * d] -= radius * gamma;
    }
    B[at] = -t->mu * e;
    if (!kind) A[at] = t->mu * t->rho_n * e;
  }
}

void ns_contact_map(int d, const ns_contact *k, int kind, const double *r, const double *u,
                    double *F, double *A, double *B)
{
  ns_disc t = {1, d - 1, k->mu, k->rho_t, k->rho_n};
  ns_contact_normal_map(d, k->rho_n, r, u, F, A, B);
  ns_contact_disc_map(d, &t, kind, r, u, F, A, B);
}

/* The map with u = W r + q, and J = A W + B. */
static void map(int d, const ns_contact *k, int kind, const double *q, const double *r, double *F,
                double *J)
{
  double u[3] = {0}, A[9], B[9];
  velocity(d, k, q, r, u);
  ns_contact_map(d, k, kind, r, u, F, A, B);
  for (int j = 0; j < d; j++)
    for (int i = 0; i < d; i++) {
      double s = B[i + j * d];
      for (int l = 0; l < d; l++) s += A[i + l * d] * W(l, j);
      J[i + j * d] = s;
    }
}

double ns_contact_newton(int d, const ns_contact *k, int kind, const double *q, double *r,
                         int limit)
{
  double F[3], J[9], e = ns_contact_worth(d, k, q, r);
  for (int it = 0; it < limit && e > 1e-15; it++) {
    double full[3], t = 1, f;
    map(d, k, kind, q, r, F, J);
    f = norm(d, F);
    if (!ns_dense_eliminate(d, J, d, 1e-300, F)) return e;
    for (int cut = 0; cut < 10; cut++, t /= 2) { /* where nothing helps: the full step */
      double G[3];
      for (int i = 0; i < d; i++) full[i] = r[i] - t * F[i];
      map(d, k, kind, q, full, G, J);
      if (norm(d, G) <= (1 - 0.1 * t) * f) break;
    }
    if (t < 2e-3)
      for (int i = 0; i < d; i++) full[i] = r[i] - F[i];
    if (!(norm(d, full) <= DBL_MAX)) return e;
    memcpy(r, full, (size_t)d * sizeof *r);
    e = ns_contact_worth(d, k, q, r);
  }
  return e;
}

/* ---- the quartic ----------------------------------------------------------------------------- */

static double polynomial(int n, const double *c, double x)
{
  double y = 0;
  for (; n >= 0; n--) y = y * x + c[n];
  return y;
}

/* Where sum_i c[i] x^i, degree n <= 4, changes its sign or turns in (0, 1], ascending: between two
 * turns there is at most one root. x [7]; how many. */
static int roots_of(int n, const double *c, double *x)
{
  double slope[4], pass[8] = {0};
  int count = 0, turns = 0;
  for (int i = 0; i < n; i++) slope[i] = (i + 1) * c[i + 1];
  if (n > 1) turns = roots_of(n - 1, slope, pass + 1);
  pass[turns + 1] = 1;
  for (int i = 0; i <= turns; i++) {
    double left = pass[i], right = pass[i + 1], sign = polynomial(n, c, left) > 0 ? 1 : -1;
    if (i && n == 4) x[count++] = left; /* double roots, to rounding */
    if (sign * polynomial(n, c, right) > 0) continue;
    for (double mid = (left + right) / 2; mid > left && mid < right; mid = (left + right) / 2)
      if (sign * polynomial(n, c, mid) > 0) left = mid;
      else right = mid;
    x[count++] = right;
  }
  return count;
}

/* Coefficients of the quartic for alpha / scale. */
static void quartic_of(const ns_contact *k, const tangent *t, const double *q, double *c)
{
  double over = 1 / k->scale, mu2 = k->mu * k->mu, w = k->W[0] * over, w2 = w * w;
  double S[4], l[2] = {t->l[0] * over, t->l[1] * over};
  const double *a1 = t->s;
  for (int i = 0; i < 4; i++) S[i] = t->S[i] * over;
  double tr = S[0] + S[3], det = S[0] * S[3] - S[1] * S[2];
  double a0[2] = {S[3] * a1[0] - S[2] * a1[1], S[0] * a1[1] - S[1] * a1[0]};
  double n2 = q[0], n1 = q[0] * tr - (l[0] * a1[0] + l[1] * a1[1]),
         n0 = q[0] * det - (l[0] * a0[0] + l[1] * a0[1]);
  c[0] = w2 * (a0[0] * a0[0] + a0[1] * a0[1]) - mu2 * n0 * n0;
  c[1] = 2 * w2 * (a0[0] * a1[0] + a0[1] * a1[1]) - 2 * mu2 * n1 * n0;
  c[2] = w2 * (a1[0] * a1[0] + a1[1] * a1[1]) - mu2 * (n1 * n1 + 2 * n2 * n0);
  c[3] = -2 * mu2 * n2 * n1;
  c[4] = -mu2 * n2 * n2;
}

/* The quartic has the square of what it is asked for, its roots half the digits: the secular
 * equation gives the others. */
static int polished(const ns_contact *k, const tangent *t, const double *q, double alpha, double *r)
{
  double slope[3], psi, dpsi;
  for (int it = 0; it < 6; it++) {
    if (!at_slip(k, t, q, alpha, r, slope) || !secular(k, r, slope, &psi, &dpsi)) return 0;
    double next = alpha - psi / dpsi;
    if (fabs(psi) <= 4 * DBL_EPSILON || !(next > 0) || next == alpha) break;
    alpha = next;
  }
  return r[0] > 0 && fabs(psi) < 1e-12 && holds(k, q, alpha, r);
}

int ns_contact_quartic(const ns_contact *k, const double *q, double *r)
{
  double c[5], back[5], x[7], slope[3], y[3];
  if (without_slip(k, q, r)) return 1;
  tangent t = tangential(k, q);
  int found = at_slip(k, &t, q, 0, y, slope) && sticks(k, &t, y), n;
  quartic_of(k, &t, q, c);
  n = roots_of(4, c, x);
  for (int i = 0; i < n && !found; i++) found = polished(k, &t, q, x[i] * k->scale, y);
  for (int i = 0; i < 5; i++) back[i] = c[4 - i];
  n = roots_of(4, back, x); /* of scale / alpha */
  while (n-- && !found) found = polished(k, &t, q, k->scale / x[n], y);
  if (found) memcpy(r, y, sizeof y);
  return found;
}
