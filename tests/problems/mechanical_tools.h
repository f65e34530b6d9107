/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mechanical_tools.h -- problems for the tests of friction solvers. */
#ifndef TESTS_PROBLEMS_MECHANICAL_TOOLS_H
#define TESTS_PROBLEMS_MECHANICAL_TOOLS_H

#include "problems/mechanical.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 88172645463325252u;
static inline double uniform(void) /* [0, 1), xorshift (Marsaglia 2003) */
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (double)(seed >> 11) * 0x1p-53;
}
static inline double signedu(void) { return 2 * uniform() - 1; }

/* ---- random certified problems: W = H M^-1 H^T, q chosen for a known solution ---------------- */

typedef struct made {
  ns_mechanical p;
  ns_blocks W;
  double *r, *q, *mu;
} made;

static inline void make_free(made *m)
{
  free(m->W.dim), free(m->W.first), free(m->W.row), free(m->W.col), free(m->W.off), free(m->W.val);
  free(m->r), free(m->q), free(m->mu);
}

static inline made make(int d, int nc, int bodies)
{
  size_t rows = (size_t)d * (size_t)nc, dofs = (size_t)bodies * 6, n = (size_t)nc,
         dd = (size_t)(d * d);
  double *H = calloc(rows * dofs, sizeof *H), *minv = calloc(dofs, sizeof *minv),
         *u = calloc(rows, sizeof *u);
  for (size_t k = 0; k < dofs; k++) minv[k] = 0.5 + uniform();
  for (size_t a = 0; a < n; a++) {
    int pair[2] = {(int)(uniform() * bodies), (int)(uniform() * bodies)};
    for (int s = 0; s < 1 + (uniform() < 0.6); s++)
      for (size_t i = 0; i < (size_t)d; i++)
        for (size_t j = 0; j < 6; j++)
          H[(a * (size_t)d + i) + ((size_t)pair[s] * 6 + j) * rows] = signedu();
  }
  made m = {.r = calloc(rows, sizeof(double)),
            .q = calloc(rows, sizeof(double)),
            .mu = calloc(n, sizeof(double))};
  m.W = (ns_blocks){.nb = nc,
                    .m = (int)rows,
                    .dim = calloc(n, sizeof(int)),
                    .first = calloc(n + 1, sizeof(int)),
                    .row = calloc(n + 1, sizeof(int)),
                    .col = calloc(n * n, sizeof(int)),
                    .off = calloc(n * n, sizeof(size_t)),
                    .val = calloc(n * n * dd, sizeof(double))};
  int at = 0;
  for (size_t a = 0; a < n; a++) {
    m.W.dim[a] = d;
    m.W.first[a + 1] = (int)(a + 1) * d;
    for (size_t b = 0; b < n; b++) {
      double *B = m.W.val + (size_t)at * dd, any = 0;
      for (size_t i = 0; i < (size_t)d; i++)
        for (size_t j = 0; j < (size_t)d; j++) {
          double s = 0;
          for (size_t k = 0; k < dofs; k++)
            s += H[a * (size_t)d + i + k * rows] * minv[k] * H[b * (size_t)d + j + k * rows];
          B[i + j * (size_t)d] = s;
          any = fmax(any, fabs(s));
        }
      if (any == 0 && a != b) continue;
      m.W.col[at] = (int)b;
      m.W.off[at] = (size_t)at * dd;
      at++;
    }
    m.W.row[a + 1] = at;
  }
  for (size_t a = 0; a < n; a++) {
    double *r = m.r + a * (size_t)d, *v = u + a * (size_t)d,
           t[3] = {0, signedu(), d == 3 ? signedu() : 0};
    double size = hypot(t[1], t[2]), mu = m.mu[a] = 0.1 + 0.7 * uniform();
    for (int i = 1; i < d; i++) t[i] /= size;
    int status = (int)(3 * uniform());
    if (status == 0) {
      v[0] = 0.1 + 0.9 * uniform();
      for (int i = 1; i < d; i++) v[i] = signedu();
      continue;
    }
    double beta = status == 1 ? 0 : uniform(), f = status == 1 ? 0.8 * uniform() : 1;
    r[0] = 0.1 + uniform();
    for (int i = 1; i < d; i++) {
      r[i] = f * mu * r[0] * t[i];
      v[i] = -beta * t[i];
    }
  }
  memcpy(m.q, u, rows * sizeof *u);
  ns_blocks_gemv(-1, &m.W, m.r, m.q);
  m.p = (ns_mechanical){.q = m.q, .mu = m.mu};
  free(H), free(minv), free(u);
  return m;
}

/* A chain of nb blocks of d rows, block tridiagonal and strictly diagonally dominant by rows unless
 * weak: q pushes every third contact together. */
static inline made chain(int d, int nb, double diagonal)
{
  size_t n = (size_t)nb, rows = (size_t)d * n, dd = (size_t)(d * d);
  made m = {.r = calloc(rows + 1, sizeof(double)),
            .q = calloc(rows + 1, sizeof(double)),
            .mu = calloc(n + 1, sizeof(double))};
  m.W = (ns_blocks){.nb = nb,
                    .m = (int)rows,
                    .dim = calloc(n + 1, sizeof(int)),
                    .first = calloc(n + 1, sizeof(int)),
                    .row = calloc(n + 1, sizeof(int)),
                    .col = calloc(3 * n + 1, sizeof(int)),
                    .off = calloc(3 * n + 1, sizeof(size_t)),
                    .val = calloc(3 * n * dd + 1, sizeof(double))};
  int at = 0;
  for (int a = 0; a < nb; a++) {
    m.W.dim[a] = d;
    m.W.first[a + 1] = (a + 1) * d;
    m.mu[a] = 0.1 * (1 + a % 7);
    for (int b = a - 1; b <= a + 1; b++) {
      if (b < 0 || b >= nb) continue;
      m.W.col[at] = b;
      m.W.off[at] = (size_t)at * dd;
      double *B = m.W.val + m.W.off[at++];
      for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
          B[i + j * d] = a == b ? (i == j ? diagonal : 0.2) : (i == j ? -0.5 : 0.1);
    }
    m.W.row[a + 1] = at;
    for (int i = 0; i < d; i++) m.q[a * d + i] = i == 0 ? -0.3 - (a % 3) : sin((double)(a + i));
  }
  m.p = (ns_mechanical){.q = m.q, .mu = m.mu};
  return m;
}

/* The same chain, its blocks of 3 or 5 rows as rolling ones. kind [nb]: out. */
static inline void roll(made *m, unsigned char *kind, double *mu_rolling)
{
  for (int a = 0; a < m->W.nb; a++) {
    kind[a] = NS_BLOCK_ROLLING;
    mu_rolling[a] = 0.05 * (1 + a % 3);
  }
  m->p.kind = kind;
  m->p.mu_rolling = mu_rolling;
}

#endif
