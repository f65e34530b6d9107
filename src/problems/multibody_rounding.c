/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What rounding of the data leaves of a problem of many bodies.
 *
 * Two bodies that touch and fall freely have the relative velocity zero, but H vfree + b is what
 * rounding leaves of the difference of two large velocities: no impulse belongs to that, and a
 * residual relative to it would measure rounding alone. So a row knows u = q + W r to
 *
 *   64 eps ( |b| + |H| |vfree| + |H| |W^-1| |H|^T |r| ),
 *
 * the sizes before they cancel (Higham 2002, section 3.1, with room for dot products of 12 terms).
 */
#include "problems/multibody_work.h"

#include "algebra/pair.h"
#include "algebra/vector.h"
#include "problems/mechanical_law.h"

#include <string.h>

static int block_of(ns_multibody_part part, int k) { return part.block ? part.block[k] : k; }

/* A sum and that of the sizes of its terms, of even and odd ones apart. */
typedef struct sums {
  ns_pair sum, size;
} sums;

static inline ns_pair sizes_of(ns_pair x)
{
  typedef long long bits __attribute__((vector_size(16)));
  const bits but_sign = {0x7fffffffffffffff, 0x7fffffffffffffff};
  return (ns_pair)((bits)x & but_sign);
}

static inline void add_products(int n, const double *h, const double *v, sums *s)
{
  int j = 0;
  for (; j + 1 < n; j += 2) {
    ns_pair term = ns_pair_at(h + j) * ns_pair_at(v + j);
    s->sum += term;
    s->size += sizes_of(term);
  }
  if (j == n) return;
  ns_pair last = {h[j] * v[j], 0};
  s->sum += last;
  s->size += sizes_of(last);
}

/* q = H vfree + b of row i of block a; *size: of its terms. */
static double row_of(const ns_multibody *p, int a, int i, double *size)
{
  sums s = {.sum = {p->b[i], 0}};
  s.size = sizes_of(s.sum);
  for (int side = 0; side < ns_multibody_sides(p); side++) {
    int body = ns_multibody_body(p, a, side);
    if (body < 0) continue;
    const double *h = ns_multibody_entries(p, i, side),
                 *v = p->vfree + (size_t)body * (size_t)p->dof;
    if (p->dof == 6) add_products(6, h, v, &s);
    else add_products(p->dof, h, v, &s);
  }
  *size = s.size[0] + s.size[1];
  return s.sum[0] + s.sum[1];
}

/* A contact asks for it where its bodies approach, an equality where they move along it at all. */
int ns_multibody_is_loaded(const ns_multibody *p, ns_multibody_part part, double tol)
{
  /* ROOM: of rounding in the other rows by that in one */
  static const double FAR = 1e-6, SAFETY = 10;
  int a = block_of(part, 0), box = p->kind[a] == NS_BLOCK_BOX || p->kind[a] == NS_BLOCK_BALL,
      last = box ? p->row[a + 1] : p->row[a] + 1;
  for (int i = p->row[a]; i < last; i++) {
    int equality = box && ns_multibody_lower(p, i) == -INFINITY;
    if (box && ns_multibody_upper(p, i) != INFINITY) continue;
    double size, q = row_of(p, a, i, &size);
    if (equality && fabs(q) > ns_larger(FAR, SAFETY * NS_ROUNDING / tol) * size) return 1;
    if (!equality && -q > FAR * size) return 1;
  }
  return 0;
}

ns_multibody_idle ns_multibody_without_impulse(const ns_multibody *p, ns_multibody_part part)
{
  static const double none[6] = {0};
  double defect = 0, qq = 0, sizes = 0;
  for (int k = 0; k < part.n; k++) {
    int a = block_of(part, k), d = ns_multibody_dim(p, a);
    ns_law law = NS_LAW(p, a, d, p->row[a]);
    double q[6] = {0};
    for (int i = 0; i < d; i++) {
      double size;
      q[i] = row_of(p, a, p->row[a] + i, &size);
      qq += q[i] * q[i];
      sizes += size * size;
    }
    defect = ns_law_add_defect(&law, defect, q, none);
  }
  return (ns_multibody_idle){
      .defect = sqrt(defect), .q = sqrt(qq), .rounding = NS_ROUNDING * sqrt(sizes)};
}

/* y += |H|^T |r| of all blocks of the part. */
static void push_sizes(const ns_multibody *p, ns_multibody_part part, const double *r, double *y)
{
  size_t dof = (size_t)p->dof;
  for (int k = 0; k < part.n; k++) {
    int a = block_of(part, k);
    for (int i = p->row[a]; i < p->row[a + 1]; i++) {
      for (int side = 0; side < ns_multibody_sides(p) && r[i] != 0; side++) {
        int body = ns_multibody_body(p, a, side);
        const double *h = ns_multibody_entries(p, i, side);
        for (size_t j = 0; j < dof && body >= 0; j++)
          y[dof * (size_t)body + j] += fabs(h[j] * r[i]);
      }
    }
  }
}

/* |h| |W^-1| y of row i of block a. */
static double carried_by(const ns_multibody *p, int a, int i, const double *y)
{
  size_t dof = (size_t)p->dof;
  double sum = 0;
  for (int side = 0; side < ns_multibody_sides(p); side++) {
    int body = ns_multibody_body(p, a, side);
    if (body < 0) continue;
    double B[36];
    const double *h = ns_multibody_entries(p, i, side), *A = ns_multibody_inverse(p, body, B);
    for (size_t l = 0; l < dof; l++)
      for (size_t j = 0; j < dof && h[l] != 0; j++)
        sum += fabs(h[l] * A[l + j * dof]) * y[dof * (size_t)body + j];
  }
  return sum;
}

int ns_multibody_is_rounding(const ns_multibody *p, ns_multibody_part part, double e,
                             const double *r, const double *u, double *work)
{
  double impulses = 0, data = 0, size, qq = 0, rr = 0, uu = 0;
  memset(work, 0, ns_multibody_nvelocities(p) * sizeof *work);
  push_sizes(p, part, r, work);
  for (int k = 0; k < part.n; k++) {
    int a = block_of(part, k);
    for (int i = p->row[a]; i < p->row[a + 1]; i++) {
      double carried = carried_by(p, a, i, work), q = row_of(p, a, i, &size);
      if (p->D) carried += p->D[i] * fabs(r[i]);
      impulses += carried * carried;
      data += size * size;
      qq += q * q;
      rr += r[i] * r[i];
      if (u) uu += u[i] * u[i];
    }
  }
  double left = e * sqrt(fmax(qq, fmax(rr, uu)));
  if (left <= NS_ROUNDING * sqrt(data)) return 1;
  return e <= NS_ROUNDING_LIMIT && left <= NS_ROUNDING * (sqrt(impulses) + sqrt(data));
}
