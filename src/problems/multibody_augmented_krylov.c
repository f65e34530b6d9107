/* SPDX-License-Identifier: GPL-3.0-or-later */
/* J x = b of large parts, without factors: BiCGStab (van der Vorst 1992) on J times the inverses of
 * its diagonal blocks. Memory grows with the number of contacts; factors of 10,000 spheres take
 * gigabytes. J of a proximal step is 1 + L^T G K with G of the size of 1/sigma: the smaller sigma
 * is, the more products it takes. */
#include "problems/multibody_augmented.h"

#include "algebra/dense.h"
#include "algebra/vector.h"

#include <string.h>

/* y = J x, where dof is a constant. Rows of a body have the same columns. */
static inline __attribute__((always_inline)) void multiply(const ns_augmented_part *s, int dof,
                                                           const double *x, double *y)
{
  for (int i = 0; i < s->nbodies; i++, y += dof) {
    const int first = s->J.row[dof * i], wide = s->J.row[dof * i + 1] - first;
    const double *val = s->J.val + first;
    double sum[6] = {0};
    for (int e = 0; e < wide; e += dof)
      for (int row = 0; row < dof; row++)
        for (int k = 0; k < dof; k++)
          sum[row] += val[row * wide + e + k] * x[s->J.col[first + e] + k];
    memcpy(y, sum, (size_t)dof * sizeof *y);
  }
}

static void times(const ns_augmented_part *s, const double *x, double *y)
{
  if (s->dof == 6) multiply(s, 6, x, y);
  else multiply(s, 3, x, y);
}

/* z: the inverses of the diagonal blocks times x; y = J z. */
static void times_scaled(const ns_augmented_part *s, const double *inverse, const double *x,
                         double *z, double *y)
{
  int dof = s->dof;
  for (int i = 0; i < s->nv; i += dof)
    ns_multibody_accelerate(dof, inverse + (size_t)(i * dof), x + i, z + i);
  times(s, z, y);
}

/* Of each body [dof x dof] by columns. 0: one is singular. */
static int invert_diagonal(const ns_augmented_part *s, double *inverse)
{
  int dof = s->dof, pivots[6];
  for (int i = 0; i < s->nv; i += dof, inverse += dof * dof) {
    double block[36];
    memset(inverse, 0, (size_t)(dof * dof) * sizeof *inverse);
    for (int row = 0; row < dof; row++) {
      int e = s->J.row[i + row];
      while (s->J.col[e] != i) e += dof;
      for (int k = 0; k < dof; k++) block[row + k * dof] = s->J.val[e + k];
      inverse[row * (dof + 1)] = 1;
    }
    if (ns_dense_lu(dof, block, dof, pivots)) return 0;
    ns_dense_lu_solve(dof, block, dof, pivots, dof, inverse, dof);
  }
  return 1;
}

size_t ns_augmented_krylov_room(const ns_augmented_part *s)
{
  return (size_t)(6 + s->dof) * (size_t)s->nv;
}

/* r = b - J x; the letters are those of the paper, with r in the place of its s. */
int ns_augmented_krylov(const ns_augmented_part *s, const double *b, double tol, int limit,
                        double *room, double *x)
{
  size_t n = (size_t)s->nv;
  double *inverse = room + 6 * n, *r = room, *shadow = r + n, *p = shadow + n, *v = p + n,
         *t = v + n, *z = t + n, before = 1, alpha = 1, omega = 1, enough = tol * ns_norm(n, b);
  int done = 0;
  if (!invert_diagonal(s, inverse)) return 0;
  memset(x, 0, n * sizeof *x);
  memcpy(r, b, n * sizeof *r);
  memcpy(shadow, b, n * sizeof *shadow);
  memset(p, 0, 2 * n * sizeof *p); /* and v */
  while (done < limit && ns_norm(n, r) > enough) {
    double rho = ns_dot(n, shadow, r), beta = rho / before * (alpha / omega);
    for (size_t i = 0; i < n; i++) p[i] = r[i] + beta * (p[i] - omega * v[i]);
    times_scaled(s, inverse, p, z, v);
    alpha = rho / ns_dot(n, shadow, v);
    ns_axpy(n, alpha, z, x);
    ns_axpy(n, -alpha, v, r);
    times_scaled(s, inverse, r, z, t);
    omega = ns_dot(n, t, r) / ns_dot(n, t, t);
    ns_axpy(n, omega, z, x);
    ns_axpy(n, -omega, t, r);
    before = rho;
    done++;
  }
  return done;
}
