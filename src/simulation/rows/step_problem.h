/* SPDX-License-Identifier: GPL-3.0-or-later */
/* step_problem.h -- the one-step problem of any systems, reduced to its rows.
 *
 *   u = u_free + W^-1 G z,   w = where H u + D z + ... = A z + b,   A = where H W^-1 G + D
 *   law(w, z) in each unit
 *
 * u: velocities of second-order systems and states of first-order ones at the end of the step; z:
 * impulses, the integrals of multipliers over the step, of all rows. H and G are sparse rows over a
 * few systems each; for mechanical rows G = H^T, for first-order relations H = C and G = B. A has
 * an entry for two rows if they share a group of smoothly coupled systems (integrators/theta.h): it
 * is an ns_delassus of rows.h, of which the active rows are computed in each pass.
 *
 * Units, and the problem of the active ones, are those of row_problem.h. Rows with different units
 * of measurement (N s, V s, A s) are scaled by A_aa^-1/2, of rows of a law together. Relations
 * alone (`whole`) are all active, and their problem is that of the multipliers, as they are: A
 * stays as long as no value of H, G, D or W changes. Their laws may be polyhedra, and of many
 * unilateral rows only some may have to be formed (active_rows.h).
 *
 * Saddle-point form, for large linear time-invariant first-order systems with linear relations:
 *
 *   [ W          -g G ] [ u ]   [ -b_u ]   [ 0 ]
 *   [ where H     D   ] [ z ] + [  b   ] = [ w ]
 *
 * with W, g and b_u = W u_free of the integrator (theta.h). W^-1 G is full although W is sparse;
 * this form is as sparse as the model, and its solver factors it once and updates a row when a law
 * switches. */
#ifndef NS_SIMULATION_ROWS_STEP_PROBLEM_H
#define NS_SIMULATION_ROWS_STEP_PROBLEM_H

#include "integrators/theta.h"
#include "simulation/rows/couplings.h"
#include "simulation/rows/row_problem.h"
#include "simulation/rows/rows.h"
#include "simulation/rows/saddle.h"
#include "simulation/simulation.h"

typedef struct ns_step_problem {
  const ns_model *m;
  const ns_theta *theta; /* NULL: rows without dynamics, H = G = 0 */
  ns_theta_view view;
  ns_arena *mem;
  int nrows, nunits;
  int whole;    /* relations alone; set by the driver before create */
  int inputs;   /* columns of G are inputs of first-order systems, else impulses */
  double where; /* factor of H */
  /* saddle-point form: entries of u, which stand before those of the rows in b, z, w, lb, ub; else
   * 0 */
  int head;
  /* structure, by the driver before create; it writes the values of H, G, D in each pass */
  ns_rows H, G, D; /* over entries of u; D over rows; memory: mem */
  ns_unit *unit;   /* [nunits] */
  /* laws, by the driver */
  double *lb, *ub;         /* of box rows, impulses [nrows] */
  double *mu, *mu_rolling; /* of units [nunits] */
  double *b;               /* [nrows] */
  double *start;           /* u of rows of friction at the beginning of the step [nrows] */
  double *z, *w;           /* in: a guess; out [nrows]; of rows that take no part 0 */
  /* made here */
  int *unit_of;           /* [nrows] */
  ns_delassus delassus;   /* A, over all rows, and W^-1 G; without head */
  ns_saddle saddle;       /* with head */
  int n, na;              /* rows and units that take part */
  int *active, *position; /* rows, ascending; of each row, -1 [nrows] */
  int *active_unit;
  double *scale;     /* of rows [nrows] */
  double *q, *r, *u; /* b, z and w as the solver sees them [nrows] */
  double *guess;     /* where the problem that is shown began [head + nrows] */
  ns_row_problem p;
} ns_step_problem;

/* Memory for n rows of H and G with so many entries, D with nD and `units` units; *o is zeroed.
 * NS_NOMEM. */
int ns_step_problem_init(ns_step_problem *o, ns_ctx *c, const ns_model *m, const ns_theta *theta,
                         int n, int units, size_t nH, size_t nG, size_t nD);
/* Called when H, G and D have their structure and the units, lb and ub are set: computes the
 * structure of A, allocates memory and creates the solver. NS_MODEL: too many entries, or unknown
 * solver. */
int ns_step_problem_create(ns_step_problem *o, ns_ctx *c);
/* The problem of relations alone, with their rows as they stand in k, and their laws: init and
 * create in one; *o is zeroed. saddle: in saddle-point form, see _suits_saddle. Errors of both. */
int ns_step_problem_relations(ns_step_problem *o, ns_ctx *c, const ns_couplings *k,
                              const ns_theta *theta, int saddle);
/* 1 if the saddle-point form is used: linear time-invariant systems, linear relations, boxes, a
 * system too large and too sparse for dense algebra, and no user option for dense storage or for a
 * solver of reduced problems. */
int ns_step_problem_suits_saddle(const ns_model *m);
void ns_step_problem_fini(ns_step_problem *o);
size_t ns_step_problem_bytes(const ns_step_problem *o);
/* Activate the units marked in takes_part [nunits]. */
void ns_step_problem_select(ns_step_problem *o, const unsigned char *takes_part);
/* Compute A, or the matrix in saddle-point form, from the current H, G, D and W. */
void ns_step_problem_assemble(ns_step_problem *o);
/* Solve: from b, the laws and the guess z, z and w. w NULL: problems are not shown. */
int ns_step_problem_solve(ns_step_problem *o, ns_ctx *c, const ns_state *x, const ns_watch *w,
                          ns_outcome *out);
/* Saddle-point form: right-hand side b_u and a guess of u. */
void ns_step_problem_set_head(ns_step_problem *o, const double *b, const double *u);
/* u += W^-1 G z; in saddle-point form u is that of the solution. */
void ns_step_problem_apply(const ns_step_problem *o, double *u);
/* The size of b relative to A, in units of z: the scale of the rounding of z. */
double ns_step_problem_level(const ns_step_problem *o);
/* What the solver of relations alone does, in a line. */
const char *ns_step_problem_note(const ns_step_problem *o);
/* Name of the problem's element if the model names none. */
const char *ns_step_problem_name(const ns_step_problem *o);
const ns_memory *ns_step_problem_memory(const ns_step_problem *o);

#endif
