/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_problem.h -- the one-step problem of rigid bodies while it is put together: blocks one
 * after the other, as many as there are. Memory grows where it must and is kept. */
#ifndef NS_SIMULATION_ROWS_RIGID_PROBLEM_H
#define NS_SIMULATION_ROWS_RIGID_PROBLEM_H

#include "problems/multibody.h"

typedef struct ns_rigid_problem {
  ns_multibody p;          /* what is posed: the arrays below */
  int *row, *body;         /* [nblocks + 1], [2 nblocks] */
  unsigned char *kind;     /* [nblocks] */
  double *mu, *mu_rolling; /* [nblocks] */
  double *H;               /* [nrows][2 dof] by rows */
  int further;             /* bodies of a block beyond its second, at most */
  int *body2;              /* these, then -1 [further nblocks]; NULL: there are none */
  double *H2;              /* [nrows][further dof]; to be filled where there is such a body */
  double *b, *r, *u;       /* [nrows]; r: guess and solution */
  int compliant;           /* blocks may have D: */
  double *D;               /* [nrows]; NULL where not compliant */
  /* of the rows of boxes; what stands at other rows, or behind the last box, is undefined */
  double *lb, *ub;
  double *unit; /* of blocks, while they are in units of their own; NULL: never [nblocks] */
  int most_blocks, most_rows, most_bounds, most_units;
} ns_rigid_problem;

/* An empty one; further: bodies that blocks may meet beyond their second, 0 to
 * NS_MULTIBODY_FURTHER. */
void ns_rigid_problem_init(ns_rigid_problem *o, int nbodies, int dof, int further);
void ns_rigid_problem_fini(ns_rigid_problem *o); /* safe on a zeroed one */
/* Memory for that many; NS_NOMEM (no text). `compliant` has to be set before. */
int ns_rigid_problem_reserve(ns_rigid_problem *o, int blocks, int rows);
void ns_rigid_problem_clear(ns_rigid_problem *o);
/* One more block: its first row; NS_NOMEM (no text). Bounds of a box are [0, inf), mu, b, D and r
 * zero; its H is to be filled. */
int ns_rigid_problem_add(ns_rigid_problem *o, int kind, int rows, int body0, int body1);
/* The same where blocks may have further bodies, [further] of this one. */
int ns_rigid_problem_add_further(ns_rigid_problem *o, int kind, int rows, const int *body,
                                 const int *body2);
static inline int ns_rigid_problem_rows(const ns_rigid_problem *o)
{
  return o->row ? o->row[o->p.nblocks] : 0;
}
/* ns_multibody_solve, _residual and _worst, with v [nbodies dof]. Where bodies are far lighter or
 * heavier than 1 kg, blocks are in units of their own meanwhile (ns_mechanical_unit), so that a
 * residual says as much of each. */
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
