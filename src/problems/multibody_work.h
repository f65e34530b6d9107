/* SPDX-License-Identifier: GPL-3.0-or-later */
/* multibody_work.h -- common parts of the methods for multibody.h: parts of a problem, their
 * reduction, one contact. Private to src/problems.
 *
 * A part is a list of blocks that share no body with other parts, except fixed bodies; it is solved
 * separately. */
#ifndef NS_PROBLEMS_MULTIBODY_WORK_H
#define NS_PROBLEMS_MULTIBODY_WORK_H

#include "base/arena.h"
#include "problems/multibody.h"

#include <math.h>

static inline int ns_multibody_dim(const ns_multibody *p, int a)
{
  return p->row[a + 1] - p->row[a];
}
/* Bounds of row i of a box. */
static inline double ns_multibody_lower(const ns_multibody *p, int i)
{
  return p->lb ? p->lb[i] : 0;
}
static inline double ns_multibody_upper(const ns_multibody *p, int i)
{
  return p->ub ? p->ub[i] : INFINITY;
}
/* It has no bounds: u = 0. */
static inline int ns_multibody_is_free(const ns_multibody *p, int i)
{
  return ns_multibody_lower(p, i) == -INFINITY && ns_multibody_upper(p, i) == INFINITY;
}
static inline size_t ns_multibody_nrows(const ns_multibody *p)
{
  return (size_t)p->row[p->nblocks];
}
static inline size_t ns_multibody_nvelocities(const ns_multibody *p)
{
  return (size_t)p->nbodies * (size_t)p->dof;
}

/* y = W^-1 x of one body; x, y [dof] do not overlap. */
static inline void ns_multibody_accelerate(int dof, const double *inverse, const double *x,
                                           double *y)
{
  for (int i = 0; i < dof; i++) y[i] = 0;
  for (int j = 0; j < dof; j++)
    for (int i = 0; i < dof; i++) y[i] += inverse[i + j * dof] * x[j];
}

/* W^-1 of a body by columns, there or in A [dof x dof]. */
static inline const double *ns_multibody_inverse(const ns_multibody *p, int body, double *A)
{
  size_t dof = (size_t)p->dof, at = dof * (size_t)body;
  if (!p->diagonal) return p->inverse + dof * at;
  for (size_t i = 0; i < dof * dof; i++) A[i] = i % (dof + 1) ? 0 : p->inverse[at + i / (dof + 1)];
  return A;
}

/* y = W^-1 x of a body; x, y [dof] do not overlap. */
static inline void ns_multibody_move_body(const ns_multibody *p, size_t dof, int body,
                                          const double *x, double *y)
{
  const double *A = p->inverse + dof * (size_t)body * (p->diagonal ? 1 : dof);
  if (!p->diagonal) ns_multibody_accelerate((int)dof, A, x, y);
  for (size_t i = 0; i < dof && p->diagonal; i++) y[i] = A[i] * x[i];
}

/* Representative of the group of a body; the body itself if it is in no group. */
static inline int ns_multibody_stand_in(const ns_multibody *p, int body)
{
  int g = p->groups && body >= 0 ? p->groups->group[body] : -1;
  return g < 0 ? body : p->groups->member[p->groups->from[g]];
}

/* y += W^-1 x, block (i, j) of a group; x, y [dof]. */
static inline void ns_multibody_joined(const ns_multibody *p, int i, int j, const double *x,
                                       double *y)
{
  const ns_multibody_groups *all = p->groups;
  int g = all->group[i];
  size_t dof = (size_t)p->dof, n = dof * (size_t)(all->from[g + 1] - all->from[g]);
  const double *A = all->inverse[g] + dof * (size_t)all->place[i] + n * dof * (size_t)all->place[j];
  for (size_t l = 0; l < dof; l++)
    for (size_t k = 0; k < dof; k++) y[k] += A[k + l * n] * x[l];
}

/* Number of sides of a block, one per body: first those of body and H, then those of body2 and
 * H2. */
static inline int ns_multibody_sides(const ns_multibody *p) { return 2 + p->further; }
/* Body at a side of block a; -1: none. */
static inline int ns_multibody_body(const ns_multibody *p, int a, int side)
{
  return side < 2 ? p->body[2 * a + side] : p->body2[p->further * a + side - 2];
}
/* Entries of row i of H at a side [dof]. */
static inline const double *ns_multibody_entries(const ns_multibody *p, int i, int side)
{
  size_t dof = (size_t)p->dof, row = (size_t)i;
  if (side < 2) return p->H + dof * (2 * row + (size_t)side);
  return p->H2 + dof * ((size_t)p->further * row + (size_t)(side - 2));
}
/* 1 if block a acts on more than two bodies. */
static inline int ns_multibody_is_wide(const ns_multibody *p, int a)
{
  return p->further && p->body2[p->further * a] >= 0;
}

/* Contribution of the bodies beyond the second to row i of H v; only for problems with such
 * bodies. */
static inline double ns_multibody_row2(const ns_multibody *p, int a, int i, const double *v)
{
  const int *body = p->body2 + p->further * a;
  const double *h = ns_multibody_entries(p, i, 2);
  double s = 0;
  for (int k = 0; k < p->further && body[k] >= 0; k++, h += p->dof)
    for (int j = 0; j < p->dof; j++) s += h[j] * v[(size_t)body[k] * (size_t)p->dof + (size_t)j];
  return s;
}

/* 1 if some row of block a is compliant. */
static inline int ns_multibody_is_compliant(const ns_multibody *p, int a)
{
  for (int i = p->row[a]; p->D && i < p->row[a + 1]; i++)
    if (p->D[i] > 0) return 1;
  return 0;
}

/* Row i of H v + b. */
static inline double ns_multibody_row(const ns_multibody *p, int a, int i, const double *v)
{
  const int *body = p->body + 2 * a;
  const double *h = p->H + 2 * (size_t)p->dof * (size_t)i;
  double s = p->b[i];
  for (int k = 0; k < 2 && body[k] >= 0; k++, h += p->dof)
    for (int j = 0; j < p->dof; j++) s += h[j] * v[(size_t)body[k] * (size_t)p->dof + (size_t)j];
  if (p->further) s += ns_multibody_row2(p, a, i, v);
  return s;
}

/* 1 if W of a contact is diag(n, t, t) to rounding, with n, t > 0, as for spheres, whose lever arms
 * lie along the normal. */
static inline int ns_multibody_is_round(const double *W)
{
  double off = fabs(W[1]) + fabs(W[2]) + fabs(W[3]) + fabs(W[5]) + fabs(W[6]) + fabs(W[7]),
         min = fmin(W[0], W[4]);
  return min > 0 && off <= 1e-10 * min && fabs(W[4] - W[8]) <= 1e-10 * min;
}

/* The solution of such a contact: r [3]; in, the r that gives u. own = 1/n, 1/t. */
static inline void ns_multibody_solve_round(const double *own, double mu, const double *u,
                                            double *r)
{
  double n = r[0] - u[0] * own[0], a = r[1] - u[1] * own[1], b = r[2] - u[2] * own[1];
  n = n > 0 ? n : 0;
  double max = mu * n, tt = a * a + b * b, f = tt > max * max ? max / sqrt(tt) : 1;
  r[0] = n;
  r[1] = f * a;
  r[2] = f * b;
}

/* Blocks that act on each body, in ascending order, as 2 a + side in side[first[body] .. first[body
 * + 1]); only for problems without third bodies. */
typedef struct ns_multibody_pushes {
  int *first, *side; /* [nbodies + 2], [2 nblocks] */
} ns_multibody_pushes;
/* In memory of `a`. 0: out of memory. */
int ns_multibody_list_pushes(const ns_multibody *p, ns_arena *a, ns_multibody_pushes *by);
/* ns_multibody_residual, equal to the bit, computed by the team; by = NULL: one thread computes the
 * velocities. */
double ns_multibody_residual_by(const ns_multibody *p, ns_team *team, const ns_multibody_pushes *by,
                                const double *r, double *v, double *u, double *over_q);

typedef struct ns_multibody_part {
  int n;
  const int *block; /* [n] */
} ns_multibody_part;
/* 1 if the part has a block of more than two bodies, a compliant one, a ball, or one that acts on a
 * body of a group: sweeps, elimination and Newton's method on the bodies do not support it. */
int ns_multibody_wants_reduction(const ns_multibody *p, ns_multibody_part part);
/* An equality in the part. */
int ns_multibody_has_joints(const ns_multibody *p, ns_multibody_part part);

/* v = vfree + W^-1 H^T r of bodies in no group. */
void ns_multibody_velocities(const ns_multibody *p, const double *r, double *v);
/* v = vfree + W^-1 H^T r of the bodies of a part of blocks of two bodies, in no group. */
void ns_multibody_move_part(const ns_multibody *p, ns_multibody_part part, const double *r,
                            double *v);
/* Largest |H v + b| of the rows of a part. */
double ns_multibody_speed(const ns_multibody *p, ns_multibody_part part, const double *v);
/* 1 if the residual of the part, with the v of r, is at most tol; 0 if it is not, or if the first
 * blocks leave many times their share of it. Not of balls nor of blocks of more than two bodies. u
 * [nrows]: scratch. */
int ns_multibody_is_solved(const ns_multibody *p, ns_multibody_part part, double tol,
                           const double *r, const double *v, double *u);

/* A part without impulses: 2-norms over its rows, in m/s, of the natural map of r = 0, of q, and of
 * the rounding error of q. */
typedef struct ns_multibody_idle {
  double defect, q, rounding;
} ns_multibody_idle;
/* Fast test: 1 if a row of the first block requires an impulse by more than rounding; for an
 * equality also by more than `tol` permits. */
int ns_multibody_is_loaded(const ns_multibody *p, ns_multibody_part part, double tol);
ns_multibody_idle ns_multibody_without_impulse(const ns_multibody *p, ns_multibody_part part);
/* 1 if e, the residual of r [nrows] and u [nrows or NULL] relative as in ns_multibody_residual, is
 * within the rounding error of u = q + W r in the rows of the part; part.block NULL: all blocks.
 * work [nbodies x dof] is overwritten. */
int ns_multibody_is_rounding(const ns_multibody *p, ns_multibody_part part, double e,
                             const double *r, const double *u, double *work);

/* All parts, in the order of their first blocks: part k has the blocks block[first[k]] ..
 * block[first[k+1] - 1], ascending. A body whose inverse is zero does not move and connects no
 * parts. */
typedef struct ns_multibody_parts {
  int n;
  int *first, *block; /* [n + 1], [nblocks] */
  /* scratch for numbering the bodies of a part: -1, or NS_BODY_FIXED [nbodies] */
  int *body;
} ns_multibody_parts;
enum { NS_BODY_FIXED = -2 };
static inline ns_multibody_part ns_multibody_part_of(const ns_multibody_parts *s, int k)
{
  return (ns_multibody_part){s->first[k + 1] - s->first[k], s->block + s->first[k]};
}
/* Set body [nbodies]: -1 for bodies that move, NS_BODY_FIXED for the others. */
void ns_multibody_movers(const ns_multibody *p, int *body);
/* 1 if block a acts on a body that moves, by these numbers. */
int ns_multibody_moves(const ns_multibody *p, const int *number, int a);
/* In memory of `a`. 0: out of memory. */
int ns_multibody_split(const ns_multibody *p, ns_arena *a, ns_multibody_parts *s);

/* W and q of a part, rows in the order of its blocks, in memory of `a`. head [nbodies]: in and out,
 * -1 or NS_BODY_FIXED (scratch). Returns 0 if out of memory. */
int ns_multibody_reduce_part(const ns_multibody *p, ns_multibody_part part, int *head, ns_arena *a,
                             ns_blocks *W, double **q);

/* Solvers of mechanical.h, created for the sizes and structures that occur and kept. */
typedef struct ns_reduced ns_reduced;
ns_reduced *ns_reduced_create(void);    /* NULL: out of memory */
void ns_reduced_destroy(ns_reduced *s); /* NULL-safe */
size_t ns_reduced_bytes(const ns_reduced *s);
/* Solve the part by `ops`: r [nrows of p] in and out, only rows of the part. watch: may be NULL.
 * Scratch in `a`. */
int ns_reduced_solve(ns_reduced *s, ns_ctx *c, const ns_mechanical_solver_ops *ops,
                     const ns_mechanical_options *opt, ns_solve_watch *watch, const ns_multibody *p,
                     ns_multibody_part part, int *head, ns_arena *a, double *r, ns_outcome *out);

/* *infeasible = 1 if rows of the part are inconsistent (feasible.h); their blocks are then marked
 * in block [nblocks], which may be NULL. NS_NOMEM. */
int ns_reduced_infeasible(ns_ctx *c, double tol, const ns_multibody *p, ns_multibody_part part,
                          int *head, ns_arena *a, unsigned char *block, int *infeasible);

/* Nonsmooth Gauss-Seidel on the velocities of the bodies: at most `limit` sweeps; fewer if their
 * rate of convergence predicts more than `patience` further ones (0: no such test). From a close
 * guess (residual <= NS_NEAR tol) slow convergence is detected earlier, because a scene at rest has
 * only the slowest modes left. number [nbodies]: in and out, -1 or NS_BODY_FIXED (scratch). team
 * NULL: one thread. r [nrows of p] in and out, only rows of the part; if not solved, the best
 * iterate. */
enum { NS_NEAR = 100 };
typedef struct ns_nsgs_limits {
  double tol;
  int limit, patience;
  ns_solve_watch *watch;
  const ns_contact_solver *contact; /* solver of one contact; NULL: as ns_visit_kind tells */
} ns_nsgs_limits;
int ns_nsgs_solve(ns_ctx *c, const ns_nsgs_limits *limits, ns_team *team, const ns_multibody *p,
                  ns_multibody_part part, int *number, ns_arena *a, double *r, ns_outcome *out);

/* C with A = C C^T [n x n], lower triangle by columns; columns of directions with W^-1 = 0 are
 * zero. */
void ns_multibody_root(int n, const double *A, double *C);

/* _is_direct: 1 if the part consists of equalities and at most one other block, a contact or a row
 * with bounds. _direct: its solution by elimination. Redundant equalities have no impulse;
 * *remainder is their inconsistency relative to |q|, or INFINITY if the other block was not solved
 * or too many rows are coupled. r [nrows of p]: only rows of the part. number as above. Returns 0
 * if out of memory. */
int ns_multibody_is_direct(const ns_multibody *p, ns_multibody_part part);
int ns_multibody_direct(const ns_multibody *p, ns_multibody_part part, int *number, ns_arena *a,
                        double *r, double *remainder);

/* Solve block a exactly, a contact or one row with bounds, d rows, with u = q + W r, W [d x d] by
 * columns. Returns 1 if solved; otherwise r [d] is unchanged. */
int ns_multibody_law(const ns_multibody *p, int a, int d, const double *W, const double *q,
                     double *r);
/* The same for a block that is coupled to no other; returns 0 if it acts on more than two bodies. r
 * [nrows of p] */
int ns_multibody_single(const ns_multibody *p, int a, double *r);

#endif
