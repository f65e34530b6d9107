/* SPDX-License-Identifier: GPL-3.0-or-later */
/* posed_tools.h -- random certified problems with blocks of every kind: W = H M^-1 H^T, q chosen
 * for a known solution. */
#ifndef TESTS_PROBLEMS_POSED_TOOLS_H
#define TESTS_PROBLEMS_POSED_TOOLS_H

#include "problems/mechanical_tools.h"

/* What a block is, with its rows. */
typedef struct part {
  enum { FRICTION, ROLLING, EQUALITY, UNILATERAL, RELAY, BALL } law;
  int rows;
} part;

enum { POSED_MAX = 256, POSED_DOF = 6 };

typedef struct posed {
  ns_mechanical p;
  ns_blocks W;
  unsigned char kind[POSED_MAX];
  double mu[POSED_MAX], mu_rolling[POSED_MAX];
  double *r, *q, *u, *lb, *ub, *H; /* H [rows x dofs] by rows */
  int dofs;
} posed;

static inline void posed_free(posed *m)
{
  free(m->W.dim), free(m->W.first), free(m->W.row), free(m->W.col), free(m->W.off), free(m->W.val);
  free(m->r), free(m->q), free(m->u), free(m->lb), free(m->ub), free(m->H);
  free(m);
}

/* Rows of H of a block, on one body or two. */
static inline void posed_rows(posed *m, int at, int rows, int bodies)
{
  int pair[2] = {(int)(uniform() * bodies), (int)(uniform() * bodies)};
  for (int s = 0; s < 1 + (uniform() < 0.6); s++)
    for (int i = at; i < at + rows; i++)
      for (int j = 0; j < POSED_DOF; j++) m->H[i * m->dofs + pair[s] * POSED_DOF + j] = signedu();
}

/* The rows from `at` as combinations of those of the block from `of`. */
static inline void posed_repeat(posed *m, int at, int rows, int of, int others)
{
  for (int i = at; i < at + rows; i++) {
    memset(m->H + i * m->dofs, 0, (size_t)m->dofs * sizeof(double));
    for (int l = of; l < of + others; l++) {
      double f = signedu();
      for (int j = 0; j < m->dofs; j++) m->H[i * m->dofs + j] += f * m->H[l * m->dofs + j];
    }
  }
}

/* A unit vector of n rows. */
static inline void posed_direction(int n, double *t)
{
  double s = 0;
  for (int i = 0; i < n; i++) t[i] = signedu(), s += t[i] * t[i];
  for (int i = 0; i < n; i++) t[i] /= sqrt(s);
}

/* A disc of n rows: at rest within, or moving at its rim. */
static inline void posed_disc(int n, double radius, double *r, double *u)
{
  double t[POSED_DOF], moves = uniform() < 0.5, size = moves ? radius : 0.8 * uniform() * radius,
                       speed = moves ? uniform() : 0;
  posed_direction(n, t);
  for (int i = 0; i < n; i++) r[i] = size * t[i], u[i] = -speed * t[i];
}

/* r and u of a block by its law. */
static inline void posed_pair(const part *k, double mu, double mu_r, double *r, double *u,
                              double *lb, double *ub)
{
  int n = k->law == ROLLING ? k->rows / 2 : k->rows - 1;
  if (k->law == BALL) {
    double radius = uniform() < 0.1 ? 0 : 0.1 + uniform();
    for (int i = 0; i < k->rows; i++) ub[i] = radius, lb[i] = -radius;
    posed_disc(k->rows, radius, r, u);
    return;
  }
  for (int i = 0; i < k->rows; i++) {
    lb[i] = k->law == EQUALITY ? -INFINITY : k->law == RELAY ? -1 : 0;
    ub[i] = k->law == RELAY ? 1 : INFINITY;
    if (k->law == EQUALITY) r[i] = signedu();
    else if (uniform() < 0.4 || k->law <= ROLLING)
      r[i] = 0, u[i] = k->law == RELAY ? 0 : 0.1 + uniform();
    else if (k->law == UNILATERAL) r[i] = uniform(), u[i] = 0;
    else r[i] = uniform() < 0.5 ? -1 : 1, u[i] = -r[i] * uniform();
  }
  if (k->law > ROLLING) return;
  if (uniform() < 0.25) {
    for (int i = 1; i < k->rows; i++) u[i] = signedu();
    return;
  }
  r[0] = 0.1 + uniform();
  u[0] = 0;
  posed_disc(n, mu * r[0], r + 1, u + 1);
  if (k->law == ROLLING) posed_disc(n, mu_r * r[0], r + 1 + n, u + 1 + n);
}

static inline void posed_operator(posed *m, const double *minv)
{
  ns_blocks *W = &m->W;
  size_t at = 0;
  for (int a = 0, k = 0; a < W->nb; a++) {
    for (int b = 0; b < W->nb; b++, k++) {
      W->col[k] = b;
      W->off[k] = at;
      for (int j = W->first[b]; j < W->first[b + 1]; j++)
        for (int i = W->first[a]; i < W->first[a + 1]; i++) {
          double s = 0;
          for (int l = 0; l < m->dofs; l++)
            s += m->H[i * m->dofs + l] * minv[l] * m->H[j * m->dofs + l];
          W->val[at++] = s;
        }
    }
    W->row[a + 1] = k;
  }
}

/* nb blocks on so many bodies; every equality but the first one repeats others with the probability
 * given. */
static inline posed *posed_make(int nb, const part *parts, int bodies, double repeats)
{
  posed *m = calloc(1, sizeof *m);
  size_t blocks = (size_t)nb, rows = 0;
  m->W = (ns_blocks){.nb = nb,
                     .dim = calloc(blocks, sizeof(int)),
                     .first = calloc(blocks + 1, sizeof(int)),
                     .row = calloc(blocks + 1, sizeof(int)),
                     .col = calloc(blocks * blocks, sizeof(int)),
                     .off = calloc(blocks * blocks, sizeof(size_t))};
  for (int a = 0; a < nb; a++) {
    m->W.dim[a] = parts[a].rows;
    rows += (size_t)parts[a].rows;
    m->W.first[a + 1] = (int)rows;
  }
  m->W.m = (int)rows;
  m->dofs = bodies * POSED_DOF;
  double *minv = calloc((size_t)m->dofs, sizeof *minv),
         **const v[] = {&m->r, &m->q, &m->u, &m->lb, &m->ub};
  for (int i = 0; i < m->dofs; i++) minv[i] = 0.5 + uniform();
  for (size_t i = 0; i < sizeof v / sizeof *v; i++) *v[i] = calloc(rows, sizeof(double));
  m->H = calloc(rows * (size_t)m->dofs, sizeof(double));
  m->W.val = calloc(rows * rows, sizeof(double));
  for (int a = 0, last = -1; a < nb; a++) {
    int at = m->W.first[a];
    if (parts[a].law == EQUALITY && last >= 0 && uniform() < repeats)
      posed_repeat(m, at, parts[a].rows, m->W.first[last], m->W.dim[last]);
    else posed_rows(m, at, parts[a].rows, bodies);
    if (parts[a].law == EQUALITY) last = a;
    m->kind[a] = parts[a].law == FRICTION  ? NS_BLOCK_FRICTION
                 : parts[a].law == ROLLING ? NS_BLOCK_ROLLING
                 : parts[a].law == BALL    ? NS_BLOCK_BALL
                                           : NS_BLOCK_BOX;
    m->mu[a] = parts[a].law <= ROLLING ? 0.1 + 0.7 * uniform() : 0;
    m->mu_rolling[a] = parts[a].law == ROLLING ? 0.01 + 0.3 * uniform() : 0;
    posed_pair(&parts[a], m->mu[a], m->mu_rolling[a], m->r + at, m->u + at, m->lb + at, m->ub + at);
  }
  posed_operator(m, minv);
  memcpy(m->q, m->u, rows * sizeof *m->q);
  ns_blocks_gemv(-1, &m->W, m->r, m->q);
  m->p = (ns_mechanical){.W = &m->W,
                         .q = m->q,
                         .kind = m->kind,
                         .mu = m->mu,
                         .mu_rolling = m->mu_rolling,
                         .lb = m->lb,
                         .ub = m->ub};
  free(minv);
  return m;
}

#endif
