/* SPDX-License-Identifier: GPL-3.0-or-later */
/* multibody.h -- one-step problems of many bodies in factored form, before anything is multiplied
 * out:
 *
 *   v = vfree + W^-1 H^T r,   u = H v + b + D r,   and in each block of rows a law of mechanical.h
 *                             between u and r
 *
 * W is the iteration matrix of the bodies, block diagonal by bodies, or by groups of bodies that
 * stiff forces join; D >= 0 is diagonal, the compliance of rows that give way by their own force; a
 * block of rows meets one body or two, of couplers three or four. The reduced matrix H W^-1 H^T of
 * mechanical.h grows with the contacts of a body squared; here memory and the work of a sweep grow
 * with the number of contacts.
 *
 * Blocks are swept in velocities (nonsmooth Gauss-Seidel: Jean 1999, in the form of Catto 2005),
 * where a contact reads and writes the velocities of its two bodies alone. One contact alone has
 * its cases, joints with one contact at most are eliminated; few blocks are reduced and handed to a
 * solver of mechanical.h; where sweeps crawl, Newton's method takes over, on the velocities of the
 * bodies (multibody_augmented.h). What is claimed is the natural map of ns_mechanical_residual, for
 * which no matrix is needed either: u = H v + b.
 *
 * A part of the problem with a block of three or four bodies, with a compliant one, or with bodies
 * that are joined, is always reduced; sweeps and Newton on the bodies know two bodies apart and D =
 * 0, and refuse where they were named. */
#ifndef NS_PROBLEMS_MULTIBODY_H
#define NS_PROBLEMS_MULTIBODY_H

#include "base/arena.h"
#include "base/team.h"
#include "problems/mechanical.h"

/* Bodies whose W is one block. A part of the problem that meets one of them is reduced. */
typedef struct ns_multibody_groups {
  const int *group;         /* of each body, -1: it is alone [nbodies] */
  const int *place;         /* where it stands in its group [nbodies] */
  const int *member, *from; /* bodies of group g: member[from[g]] .. member[from[g + 1] - 1] */
  int n;
  /* W^-1 of each group, by columns; its diagonal blocks are those of ns_multibody.inverse [n] */
  const double *const *inverse;
  double *work; /* scratch: the velocities of the largest group */
} ns_multibody_groups;

enum { NS_MULTIBODY_FURTHER = 14 }; /* a tendon has sixteen ends */

typedef struct ns_multibody {
  int nbodies, dof;                  /* dof: velocities of a body, 6 in space, 3 in the plane */
  const double *inverse;             /* W^-1 of each body [nbodies x dof x dof], by columns */
  const ns_multibody_groups *groups; /* NULL: each body is alone */
  int symmetric;                     /* each of them is */
  const double *vfree;               /* [nbodies x dof] */
  int nblocks;
  /* first row of each block, and their number at the end [nblocks + 1]; a block has 1 to 6 */
  const int *row;
  const int *body; /* [2 nblocks]; the second -1: fixed surroundings */
  /* [nrows][2 dof] by rows: the entries at the first body, then those at the second (unused where
   * fixed) */
  const double *H;
  /* most bodies of a block beyond its second, up to NS_MULTIBODY_FURTHER; 0: no block has any */
  int further;
  const int *body2; /* these of each block, then -1 [further nblocks] */
  /* the entries there [nrows][further dof] by rows; unused where there is no such body */
  const double *H2;
  const double *b;               /* [nrows] m/s, e.g. e u_N before the impact */
  const double *D;               /* [nrows] m/s by N s, of blocks of up to two bodies; NULL: zero */
  const unsigned char *kind;     /* ns_block_kind [nblocks] */
  const double *mu, *mu_rolling; /* [nblocks] */
  int balls;                     /* some block is a ball: it is solved in reduced form */
  /* of the rows of box blocks and balls, undefined elsewhere [nrows, or up to the last of them] */
  const double *lb, *ub;
  /* auto begins with plain Newton steps, not with regularised ones, where both are quick: of
   * several solutions they end at others, with which a caller's own iteration may settle */
  int plain;
} ns_multibody;

typedef struct ns_multibody_options {
  /* of ns_multibody_solvers, or one of ns_mechanical_solvers on the reduced problem; "auto" */
  const char *solver;
  double tol;          /* accepted residual */
  double granular_tol; /* of problems that are granular (mechanical.h); 0: tol */
  int max_iterations;  /* 0: the solver's default */
  /* outlives the solver; NULL: one thread. The bytes do not depend on it */
  ns_team *team;
  const ns_contact_solver *contact;        /* NULL: auto */
  const struct ns_plugged_solver *plugged; /* of the solver with a plug-in's name (plugged.h) */
} ns_multibody_options;

/* Natural map of r as ns_mechanical_residual defines it, with q = H vfree + b; u [nrows] and v
 * [nbodies x dof] (= vfree + W^-1 H^T r) are written. over_q may be NULL. */
double ns_multibody_residual(const ns_multibody *p, const double *r, double *v, double *u,
                             double *over_q);

/* Memory for problems of any size; it grows where it must and is kept: in the steady state nothing
 * is allocated. */
typedef struct ns_multibody_solver ns_multibody_solver;
int ns_multibody_create(ns_ctx *c, const ns_multibody_options *o, ns_multibody_solver **s);
void ns_multibody_destroy(ns_multibody_solver *s); /* NULL-safe */
/* Its scratch is that of `lender` from now on, which outlives it and lends its own: of two that are
 * never at work at once the larger one's serves both. */
void ns_multibody_borrow(ns_multibody_solver *s, ns_multibody_solver *lender);
/* r [nrows]: in, a guess; out, the solution or the best iterate where not solved. v, u: as above,
 * of that r. A pure function of its arguments: nothing is remembered from call to call. NS_NOMEM.
 */
int ns_multibody_solve(ns_multibody_solver *s, ns_ctx *c, const ns_multibody *p, double *r,
                       double *v, double *u, ns_outcome *out);
/* After a problem that was not solved: 1 where rows contradict each other, and in block [nblocks]
 * which blocks have them. */
int ns_multibody_conflict(ns_multibody_solver *s, ns_ctx *c, const ns_multibody *p,
                          unsigned char *block);
/* The block that is farthest from its law at r, with its u. */
int ns_multibody_worst(const ns_multibody *p, const double *r, const double *u);
/* The residual that it accepts of p. */
double ns_multibody_tolerance(const ns_multibody_solver *s, const ns_multibody *p);
/* Name of what it used last: "nsgs", "reduced: newton", ... */
const char *ns_multibody_used(const ns_multibody_solver *s);
size_t ns_multibody_bytes(const ns_multibody_solver *s);
/* The reduced problem, for dumps and comparisons: fills W (structure and values) and q in memory of
 * `a`. NS_NOMEM. */
int ns_multibody_reduce(ns_ctx *c, const ns_multibody *p, ns_arena *a, ns_blocks *W, double **q);

/* Names and one line of help each, for the language and `nssim list`; ends with NULL. */
typedef struct ns_multibody_method {
  const char *name, *help;
} ns_multibody_method;
extern const ns_multibody_method *const ns_multibody_solvers[];

#endif
