/* SPDX-License-Identifier: GPL-3.0-or-later */
/* multibody_tools.h -- problems of many bodies for the tests of their solvers. */
#ifndef TESTS_PROBLEMS_MULTIBODY_TOOLS_H
#define TESTS_PROBLEMS_MULTIBODY_TOOLS_H

#include "problems/mechanical_tools.h"
#include "problems/multibody.h"

/* Arrays for up to so many bodies and blocks; p points into them. */
typedef struct many {
  ns_multibody p;
  double *inverse, *vfree, *H, *b, *mu, *mu_rolling, *lb, *ub, *r, *v, *u;
  int *row, *body, rows;
  unsigned char *kind;
} many;

enum { MAX_ROWS = 6 };

static inline many many_new(int nbodies, int dof, int blocks)
{
  size_t n = (size_t)nbodies, d = (size_t)dof, nb = (size_t)blocks + 1, m = MAX_ROWS * nb;
  many k = {.inverse = calloc(n * d * d + 1, sizeof(double)),
            .vfree = calloc(n * d + 1, sizeof(double)),
            .H = calloc(2 * d * m, sizeof(double)),
            .b = calloc(m, sizeof(double)),
            .mu = calloc(nb, sizeof(double)),
            .mu_rolling = calloc(nb, sizeof(double)),
            .lb = calloc(m, sizeof(double)),
            .ub = calloc(m, sizeof(double)),
            .r = calloc(m, sizeof(double)),
            .v = calloc(n * d + 1, sizeof(double)),
            .u = calloc(m, sizeof(double)),
            .row = calloc(nb + 1, sizeof(int)),
            .body = calloc(2 * nb, sizeof(int)),
            .kind = calloc(nb, 1)};
  k.p = (ns_multibody){.nbodies = nbodies,
                       .dof = dof,
                       .inverse = k.inverse,
                       .symmetric = 1,
                       .vfree = k.vfree,
                       .row = k.row,
                       .body = k.body,
                       .H = k.H,
                       .b = k.b,
                       .kind = k.kind,
                       .mu = k.mu,
                       .mu_rolling = k.mu_rolling,
                       .lb = k.lb,
                       .ub = k.ub};
  return k;
}

static inline void many_free(many *k)
{
  void *all[] = {k->inverse, k->vfree, k->H, k->b, k->mu,  k->mu_rolling, k->lb,
                 k->ub,      k->r,     k->v, k->u, k->row, k->body,       k->kind};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

/* A block of d rows between two bodies (the second may be -1), rows still zero; returns the first
 * of them. */
static inline int many_add(many *k, ns_block_kind kind, int d, int body1, int body2)
{
  int a = k->p.nblocks++, at = k->row[a];
  k->kind[a] = (unsigned char)kind;
  k->body[2 * a] = body1;
  k->body[2 * a + 1] = body2;
  k->row[a + 1] = at + d;
  return at;
}

/* W^-1 = A A^T + 1 of each body, velocities in [-1, 1]. */
static inline void many_bodies(many *k)
{
  int dof = k->p.dof;
  for (int i = 0; i < k->p.nbodies; i++) {
    double A[36], *W = k->inverse + i * dof * dof;
    for (int j = 0; j < dof * dof; j++) A[j] = 0.5 * signedu();
    for (int j = 0; j < dof; j++)
      for (int l = 0; l < dof; l++) {
        W[j + l * dof] = j == l;
        for (int e = 0; e < dof; e++) W[j + l * dof] += A[j + e * dof] * A[l + e * dof];
      }
    for (int j = 0; j < dof; j++) k->vfree[i * dof + j] = signedu();
  }
}

/* The last block: entries in [-1, 1]; b such that there are velocities with u = 0 in all rows, for
 * equalities without a solution are none of what is tested. */
static inline void many_fill(many *k, int at, int rows)
{
  const int *body = k->body + 2 * (k->p.nblocks - 1), dof = k->p.dof;
  for (int i = at; i < at + rows; i++) {
    double *h = k->H + 2 * dof * i;
    for (int j = 0; j < 2 * dof; j++) h[j] = signedu();
    k->b[i] = 0;
    for (int e = 0; e < 2; e++)
      for (int j = 0; j < dof && body[e] >= 0; j++)
        k->b[i] += 0.3 * h[e * dof + j] * sin(body[e] * dof + j);
  }
}

/* Blocks between random bodies: friction; also boxes, rolling friction, or both. */
enum { FRICTION = 0, BOXES = 1, ROLLING = 2, ALL = 3 };
static inline many many_random(int nbodies, int dof, int blocks, int with)
{
  many k = many_new(nbodies, dof, blocks);
  many_bodies(&k);
  for (int a = 0; a < blocks; a++) {
    int first = (int)(uniform() * nbodies), second = (int)(uniform() * (nbodies + 1)) - 1;
    int box = (with & BOXES) && uniform() < 0.4,
        rolls = (with & ROLLING) && !box && uniform() < 0.4;
    int d = box ? 1 + (int)(3 * uniform()) : (dof == 6 ? 3 : 2) + (rolls ? dof == 6 ? 2 : 1 : 0);
    int at = many_add(&k,
                      box     ? NS_BLOCK_BOX
                      : rolls ? NS_BLOCK_ROLLING
                              : NS_BLOCK_FRICTION,
                      d, first, second == first ? -1 : second);
    many_fill(&k, at, d);
    k.mu[a] = 0.1 + 0.6 * uniform();
    k.mu_rolling[a] = 0.3 * uniform();
    for (int i = at; i < at + d; i++) {
      int law = (int)(3 * uniform());
      k.lb[i] = law == 0 ? 0 : law == 1 ? -0.5 : -INFINITY;
      k.ub[i] = law == 1 ? 0.5 : INFINITY;
    }
  }
  return k;
}

/* A block of side^3 unit balls on a floor, in a cubic lattice that is pushed sideways, each column
 * by another velocity; all contacts of neighbours. */
static inline many many_balls(int side)
{
  many k = many_new(side * side * side, 6, 3 * side * side * side);
  for (int i = 0; i < k.p.nbodies; i++) {
    const int at[3] = {i % side, i / side % side, i / (side * side)},
              step[3] = {1, side, side * side};
    double m = 1 + 0.2 * uniform(), *v = k.vfree + 6 * i;
    for (int d = 0; d < 6; d++) k.inverse[36 * i + 7 * d] = d < 3 ? 1 / m : 2.5 / m;
    v[0] = 0.2 * signedu();
    v[1] = 0.2 * signedu();
    v[2] = -0.1;
    for (int e = 0; e < 3; e++) { /* with the neighbour on the lower side */
      if (at[e] == 0 && e < 2) continue;
      int row = many_add(&k, NS_BLOCK_FRICTION, 3, i, at[e] ? i - step[e] : -1);
      k.mu[k.p.nblocks - 1] = 0.3;
      for (int r = 0; r < 3; r++) { /* n = axis e; arm -n: arm x t1 = -t2, arm x t2 = t1 */
        int axis = (e + r) % 3, turn = r == 1 ? (e + 2) % 3 : (e + 1) % 3;
        double *H = k.H + 12 * (row + r);
        H[axis] = 1;
        H[6 + axis] = -1;
        if (r > 0) H[3 + turn] = H[9 + turn] = r == 1 ? -1 : 1;
      }
    }
  }
  return k;
}

/* Likewise side^2 unit disks in the plane, in a square lattice that leans. */
static inline many many_disks(int side)
{
  many k = many_new(side * side, 3, 2 * side * side);
  for (int i = 0; i < k.p.nbodies; i++) {
    const int at[2] = {i % side, i / side};
    double m = 1 + 0.2 * uniform(), *v = k.vfree + 3 * i;
    for (int d = 0; d < 3; d++) k.inverse[9 * i + 4 * d] = d < 2 ? 1 / m : 2 / m;
    v[0] = 0.2 * signedu();
    v[1] = -0.1;
    v[2] = 0.1 * signedu();
    for (int e = 0; e < 2; e++) { /* with the neighbour on the lower side */
      if (at[e] == 0 && e < 1) continue;
      int row = many_add(&k, NS_BLOCK_FRICTION, 2, i, at[e] ? i - (e ? side : 1) : -1);
      double lean = at[e] ? 0.2 * signedu() : 0, n[2] = {cos(lean), sin(lean)}, *H = k.H + 6 * row;
      if (e) n[1] = cos(lean), n[0] = -sin(lean);
      k.mu[k.p.nblocks - 1] = 0.3;
      for (int d = 0; d < 2; d++) {
        H[d] = n[d];
        H[3 + d] = -n[d];
        H[6 + d] = d ? n[0] : -n[1];
        H[9 + d] = -H[6 + d];
      }
      H[8] = H[11] = -1; /* arms -n and n */
    }
  }
  return k;
}

/* The normal rows alone of a problem of contacts, each with bounds: [0, inf), or those of a row
 * that may hold. */
static inline many many_normals(const many *of)
{
  int dof = of->p.dof, n = of->p.nbodies;
  many k = many_new(n, dof, of->p.nblocks);
  memcpy(k.inverse, of->inverse, (size_t)(n * dof * dof) * sizeof *k.inverse);
  memcpy(k.vfree, of->vfree, (size_t)(n * dof) * sizeof *k.vfree);
  for (int a = 0; a < of->p.nblocks; a++) {
    int at = many_add(&k, NS_BLOCK_BOX, 1, of->body[2 * a], of->body[2 * a + 1]);
    memcpy(k.H + 2 * dof * at, of->H + 2 * dof * of->row[a], 2 * (size_t)dof * sizeof *k.H);
    k.b[at] = 0.05 * signedu();
    k.lb[at] = a % 7 ? 0 : -0.02;
    k.ub[at] = a % 5 ? INFINITY : 0.1;
  }
  return k;
}

#endif
