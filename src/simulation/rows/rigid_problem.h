/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_problem.h -- the one-step problem of rigid bodies during assembly: any number of blocks,
 * one after the other. Memory grows as needed and is kept. */
#ifndef NS_SIMULATION_ROWS_RIGID_PROBLEM_H
#define NS_SIMULATION_ROWS_RIGID_PROBLEM_H

#include "problems/multibody.h"

typedef struct ns_rigid_problem {
  ns_multibody p;          /* the problem; its arrays are those below */
  int *row, *body;         /* [nblocks + 1], [2 nblocks] */
  unsigned char *kind;     /* [nblocks] */
  double *mu, *mu_rolling; /* [nblocks]; NULL: no block has had (rolling) friction */
  double *H;               /* [nrows][2 dof] by rows */
  int further;             /* max. number of bodies of a block beyond its second */
  int *body2;              /* these, then -1 [further nblocks]; NULL: there are none */
  double *H2;              /* [nrows][further dof]; set by the caller for blocks with such bodies */
  double *b, *r, *u;       /* [nrows]; r: guess and solution */
  int compliant;           /* blocks may have D: */
  double *D;               /* [nrows]; NULL where not compliant */
  /* bounds of the rows of boxes; undefined for other rows and after the last box; NULL where all
   * are those of _add */
  double *lb, *ub;
  int one_sided; /* 1: they are, and none are stored */
  double *unit;  /* units of rows while they are scaled [nrows]; NULL: never scaled */
  int max_blocks, max_rows, max_bounds, max_units;
} ns_rigid_problem;

/* Initialise an empty problem; further: max. number of bodies of a block beyond its second, 0 to
 * NS_MULTIBODY_FURTHER. */
void ns_rigid_problem_init(ns_rigid_problem *o, int nbodies, int dof, int further);
void ns_rigid_problem_fini(ns_rigid_problem *o); /* safe on a zeroed one */
/* Reserve memory; NS_NOMEM without a message. `compliant` must be set before. */
int ns_rigid_problem_reserve(ns_rigid_problem *o, int blocks, int rows);
/* Begin anew, without blocks; one_sided: those that follow have no bounds but that of _add. */
void ns_rigid_problem_clear(ns_rigid_problem *o, int one_sided);
/* Add a block of body [2] and further bodies, body2 [further]; NULL: none. Returns its first row,
 * or NS_NOMEM without a message. Bounds of a box are [0, inf), mu, b, D and r zero; the caller sets
 * its H. */
int ns_rigid_problem_add(ns_rigid_problem *o, int kind, int rows, const int *body,
                         const int *body2);
static inline int ns_rigid_problem_rows(const ns_rigid_problem *o)
{
  return o->row ? o->row[o->p.nblocks] : 0;
}
/* ns_multibody_solve, _residual and _worst, with v [nbodies dof]. If some W_ii is far from
 * 1/kg, rows are scaled during the call (ns_mechanical_units), so that the residual is equally
 * meaningful for each. */
int ns_rigid_problem_solve(ns_rigid_problem *o, ns_multibody_solver *s, ns_ctx *c, double *v,
                           ns_outcome *out);
/* NS_NOMEM (no text). */
int ns_rigid_problem_residual(ns_rigid_problem *o, double *v, double *over_q, double *residual);
int ns_rigid_problem_worst(ns_rigid_problem *o);
/* p [nv] = H^T r. */
void ns_rigid_problem_impulse(const ns_rigid_problem *o, const double *r, double *p);
/* h . v of up to n bodies of a row h [n dof]. */
static inline double ns_rigid_row_speed(int dof, int n, const int *body, const double *h,
                                        const double *v)
{
  double s = 0;
  for (int k = 0; k < n && body[k] >= 0; k++, h += dof)
    for (int j = 0; j < dof; j++) s += h[j] * v[(size_t)(body[k] * dof + j)];
  return s;
}
/* H_i . v */
static inline double ns_rigid_problem_speed(const ns_rigid_problem *o, int block, int i,
                                            const double *v)
{
  int dof = o->p.dof, n = o->further;
  size_t row = (size_t)dof * (size_t)i;
  double s = ns_rigid_row_speed(dof, 2, o->body + 2 * block, o->H + 2 * row, v);
  if (!n) return s;
  return s + ns_rigid_row_speed(dof, n, o->body2 + n * block, o->H2 + (size_t)n * row, v);
}
size_t ns_rigid_problem_bytes(const ns_rigid_problem *o);

#endif
