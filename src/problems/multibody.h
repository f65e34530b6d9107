/* SPDX-License-Identifier: GPL-3.0-or-later */
/* multibody.h -- one-step problems of many bodies in factored form, without the Delassus matrix:
 *
 *   v = vfree + W^-1 H^T r,   u = H v + b + D r,
 *   and in each block of rows a law of mechanical.h between u and r
 *
 * W is the iteration matrix of the bodies, block diagonal by bodies, or by groups of bodies
 * connected by stiff forces. D >= 0 is diagonal, the compliance of rows. A block of rows acts on
 * one or two bodies, or more for couplers and tendons. The entries of the Delassus matrix H W^-1
 * H^T of mechanical.h grow with the square of the number of contacts per body; here memory and the
 * work of a sweep grow linearly with the number of contacts.
 *
 * Solvers: sweeps on velocities (nonsmooth Gauss-Seidel: Jean 1999, in the form of Catto 2005), in
 * which a contact reads and writes only the velocities of its two bodies. A single contact is
 * solved in closed form; joints with at most one contact are eliminated; few blocks are reduced and
 * solved by mechanical.h; where sweeps converge slowly, Newton's method on the velocities of the
 * bodies follows (multibody_augmented.h). The residual is that of ns_mechanical_residual, with u =
 * H v + b, for which no matrix is formed either.
 *
 * Sweeps and Newton's method on the bodies support only blocks of at most two bodies that are in no
 * group, no balls, and D = 0. Any other part of the problem is always reduced; a solver of the
 * factored form that the user chose is then refused. */
#ifndef NS_PROBLEMS_MULTIBODY_H
#define NS_PROBLEMS_MULTIBODY_H

#include "base/arena.h"
#include "base/team.h"
#include "problems/mechanical.h"

/* Groups of bodies with one block of W. A part of the problem that acts on such a body is
 * reduced. */
typedef struct ns_multibody_groups {
  const int *group;         /* group of each body; -1: none, also of all of a group [nbodies] */
  const int *place;         /* index of each body in its group [nbodies] */
  const int *member, *from; /* bodies of group g: member[from[g]] .. member[from[g + 1] - 1] */
  int n;
  /* W^-1 of each group, by columns; its diagonal blocks are those of ns_multibody.inverse [n] */
  const double *const *inverse;
  double *work; /* scratch: the velocities of the largest group */
} ns_multibody_groups;

enum { NS_MULTIBODY_FURTHER = 14 }; /* a tendon has up to sixteen ends */

typedef struct ns_multibody {
  int nbodies, dof;                  /* dof: velocities of a body, 6 in space, 3 in the plane */
  const double *inverse;             /* W^-1 of each body [nbodies x dof x dof], by columns */
  int diagonal;                      /* 1: `inverse` has their diagonals alone [nbodies x dof] */
  const ns_multibody_groups *groups; /* NULL: no groups */
  int symmetric;                     /* 1: each block of `inverse` is symmetric */
  const double *vfree;               /* [nbodies x dof] */
  /* number of each body along a curve that fills space, 0 .. nbodies-1, each once, for the order of
   * the sweeps: bodies that are near in it are near in space [nbodies]; NULL: the order of the
   * blocks */
  const int *along;
  int nblocks;
  /* first row of each block, and at the end the number of rows [nblocks + 1]; a block has 1 to 6
   * rows */
  const int *row;
  const int *body; /* [2 nblocks]; -1 as second: the world */
  /* [nrows][2 dof] by rows: the entries of the first body, then those of the second (unused for the
   * world) */
  const double *H;
  /* max. number of bodies of a block beyond its second, up to NS_MULTIBODY_FURTHER; 0: none */
  int further;
  const int *body2; /* these bodies of each block, then -1 [further nblocks] */
  /* their entries [nrows][further dof] by rows; unused after -1 */
  const double *H2;
  const double *b;               /* [nrows] m/s, e.g. e u_N before the impact */
  const double *D;               /* [nrows] 1/kg, of blocks of up to two bodies; NULL: zero */
  const unsigned char *kind;     /* ns_block_kind [nblocks] */
  const double *mu, *mu_rolling; /* [nblocks] */
  int balls;                     /* 1: some block is a ball; its part is solved in reduced form */
  /* bounds of the rows of box blocks and balls, undefined elsewhere [nrows, or up to the last such
   * row]; both NULL: 0 and infinity for all boxes, and there are no balls */
  const double *lb, *ub;
  /* 1: "auto" begins with plain Newton steps instead of regularised ones, if both are fast. If
   * there are several solutions, the two find different ones, and the caller's iteration may
   * converge only with these */
  int plain;
  /* residual to reach if that is less than the accepted one; 0: that one */
  double tol;
  /* v at the beginning of the step [nbodies x dof]: of several solutions of small parts "auto"
   * prefers one at rest (resting.h); NULL: not known */
  const double *start;
} ns_multibody;

typedef struct ns_multibody_options {
  /* a name of ns_multibody_solvers, or of ns_mechanical_solvers for the reduced form; "auto" */
  const char *solver;
  double tol;          /* accepted residual */
  double granular_tol; /* accepted residual of granular problems (mechanical.h); 0: tol */
  int max_iterations;  /* 0: the solver's default */
  /* borrowed, outlives the solver; NULL: one thread. Results do not depend on it */
  ns_team *team;
  const ns_contact_solver *contact; /* NULL: auto */
  /* the solver, if its name is that of a plug-in (plugged.h) */
  const struct ns_plugged *plugged;
} ns_multibody_options;

/* Natural map of r as defined by ns_mechanical_residual, with q = H vfree + b. Writes u [nrows] and
 * v = vfree + W^-1 H^T r [nbodies x dof]. over_q: as there, may be NULL. */
double ns_multibody_residual(const ns_multibody *p, const double *r, double *v, double *u,
                             double *over_q);

/* Solver for problems of any size: its memory grows with the problem and is kept, so that a run in
 * steady state does not allocate. */
typedef struct ns_multibody_solver ns_multibody_solver;
int ns_multibody_create(ns_ctx *c, const ns_multibody_options *o, ns_multibody_solver **s);
void ns_multibody_destroy(ns_multibody_solver *s); /* NULL-safe */
/* From now on, s uses the scratch memory of `lender`, which must outlive it, and the two must never
 * solve at the same time. */
void ns_multibody_borrow(ns_multibody_solver *s, ns_multibody_solver *lender);
/* r [nrows]: in, an initial guess; out, the solution or, if not solved, the best iterate. v, u: as
 * above, for that r. A pure function of its arguments: no data pass from call to call. NS_NOMEM;
 * NS_STOPPED where c tells the run to end before the problem is solved. */
int ns_multibody_solve(ns_multibody_solver *s, ns_ctx *c, const ns_multibody *p, double *r,
                       double *v, double *u, ns_outcome *out);
/* After a solve that failed: returns 1 if rows are inconsistent, and marks their blocks in block
 * [nblocks]. */
int ns_multibody_conflict(ns_multibody_solver *s, ns_ctx *c, const ns_multibody *p,
                          unsigned char *block);
/* Index of the block with the largest violation of its law at r, u. */
int ns_multibody_worst(const ns_multibody *p, const double *r, const double *u);
/* The accepted residual for p. */
double ns_multibody_tolerance(const ns_multibody_solver *s, const ns_multibody *p);
/* Name of the method used last: "nsgs", "reduced: newton", ... */
const char *ns_multibody_used(const ns_multibody_solver *s);
size_t ns_multibody_bytes(const ns_multibody_solver *s);
/* The reduced problem, for dumps and comparisons: W (structure and values) and q, in memory of `a`.
 * NS_NOMEM. */
int ns_multibody_reduce(ns_ctx *c, const ns_multibody *p, ns_arena *a, ns_blocks *W, double **q);

/* Names and one line of help each, for the language and `nssim list`; ends with NULL. */
typedef struct ns_multibody_method {
  const char *name, *help;
} ns_multibody_method;
extern const ns_multibody_method *const ns_multibody_solvers[];

#endif
