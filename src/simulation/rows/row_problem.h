/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row_problem.h -- the one-step problem of the active rows of any systems, gathered from the matrix
 * of all rows and their laws for a solver.
 *
 *   w = A z + q,  law(w, z) in each unit
 *
 * A [nrows x nrows] is the matrix of all rows, computed by its owner: the Delassus matrix of
 * contacts (contacts.h), or of rows of any systems (step_problem.h). A step takes the rows and
 * columns of the active rows, as a dense matrix if they are few. A unit contains the rows of one
 * law: rows on a box, or a contact with friction. If all units are on boxes, the problem is on a
 * box (problems/box/box.h), without bounds an LCP; with cones it is a problem of mechanical.h
 * (problems/mechanical.h), whose matrix has a block for each pair of coupled units.
 *
 * Rows with different units of measurement (N s, V s, A s) may be scaled, with one factor s for
 * rows of a law together, which does not change a cone (ns_mechanical_together): the solver then
 * gets s A s and the bounds over s; the owner scales q and z. If some W_ii is far from 1/kg, rows
 * are scaled again here, between the caller and the solver (ns_mechanical_units).
 *
 * Laws of first-order relations may be polyhedra: the problem is then one on a polyhedron
 * (problems/polyhedral.h), and finite bounds of the other rows are rows of it. Its rows are all
 * active (`whole`). */
#ifndef NS_SIMULATION_ROWS_ROW_PROBLEM_H
#define NS_SIMULATION_ROWS_ROW_PROBLEM_H

#include "algebra/vector.h"
#include "base/arena.h"
#include "model/model.h"
#include "problems/box/box.h"
#include "problems/mechanical.h"

#include "problems/polyhedral.h"
#include <math.h>

/* A unit: rows that become active together. */
typedef struct ns_unit {
  int first, rows;      /* of all rows */
  unsigned char kind;   /* of contacts: ns_unit_kind */
  unsigned char always; /* of contacts: active in every step */
  unsigned char block;  /* ns_block_kind */
} ns_unit;

/* The ns_block_kind of a unit of this kind (ns_unit_kind) with this law. */
static inline unsigned char ns_unit_block(const ns_nonsmooth_law *law, int kind)
{
  if (kind == NS_UNIT_FRICTION)
    return law->ops->set == NS_SET_ROLLING ? NS_BLOCK_ROLLING : NS_BLOCK_FRICTION;
  return kind == NS_UNIT_BOX && ns_law_is_ball(law) ? NS_BLOCK_BALL : NS_BLOCK_BOX;
}

/* Distance of a row from its law -w in N_[lb,ub](z): |z - proj(z - w)|. */
static inline double ns_law_distance(double z, double w, double lb, double ub)
{
  return fabs(z - ns_clamp(z - w, lb, ub));
}

/* The active rows and units, both ascending. */
typedef struct ns_part_taken {
  int n, nunits;
  const int *row, *position; /* position: index of each row in `row`; -1: inactive */
  const int *unit;           /* read only for problems of mechanical.h */
} ns_part_taken;

/* A solver of one of the three problems; the others are NULL. */
typedef struct ns_row_solver {
  const ns_box_solver_ops *box;
  const ns_mechanical_solver_ops *mechanical;
  void *self; /* of one of these tables */
  ns_polyhedral_solver *poly;
} ns_row_solver;

/* Scale the rows of a problem of mechanical.h whose blocks have these kinds if some need it
 * (ns_mechanical_units): W, its bounds and coefficients of rolling are scaled in place; s [W->m] is
 * the unit of each row. Returns 0 if all units are 1, and nothing changes. */
int ns_row_units(ns_blocks *W, const unsigned char *kind, double *s, double *low, double *high,
                 double *mu_rolling);
/* Tolerance and limits given by the model. */
ns_lcp_options ns_row_problem_options(const ns_model *m);
/* Create the solver of this name for problems on boxes. NS_MODEL: there is none. */
int ns_row_solver_create(ns_ctx *c, const ns_model *m, const char *name, const ns_box_capacity *cap,
                         ns_row_solver *s);
void ns_row_solver_destroy(ns_row_solver *s); /* also of {0} */
/* Table for saving its data; NULL: there is no solver, or no table. */
const ns_memory *ns_row_solver_memory(const ns_row_solver *s);
/* Name and help; for {0}: "none" and "". */
const char *ns_row_solver_name(const ns_row_solver *s);
const char *ns_row_solver_help(const ns_row_solver *s);

typedef struct ns_row_problem {
  /* set by the owner before create; borrowed */
  const ns_model *m;
  ns_arena *mem;
  int nrows, nunits;
  const ns_blocks *A;            /* scalar; values as of each gather */
  const ns_unit *unit;           /* [nunits] */
  const int *unit_of;            /* [nrows] */
  const double *lb, *ub;         /* [nrows] */
  const double *mu, *mu_rolling; /* of units [nunits] */
  const double *scale;           /* s, of rows [nrows]; NULL: 1 */
  int lcp, symmetric;            /* lcp: all bounds are [0, inf); symmetric: A = A^T */
  /* u of all rows at the beginning of the step, in which "auto" looks for contacts at rest
   * [nrows]; NULL: not known */
  const double *start;
  const char *solver_name; /* NULL: that of the model */
  /* All rows are active in each step: they are gathered and solved without ns_part_taken. */
  int whole;
  /* Up to so many rows, a matrix with more than a quarter of its entries is dense; < 0: never. */
  int full_rows;
  /* polyhedra: laws of m may be polyhedra; rows of its interactions are those from head on, the
   * rows before are free */
  int polyhedra, head;
  /* before a solve: residual to reach in problems of mechanical.h, if that is less than the
   * accepted one; 0: that one */
  double tol;
  /* set by create */
  int mechanical, dense;
  ns_blocks by_unit;  /* coupled units: structure, without values */
  int *from;          /* index in A of each entry of its blocks; -1: none */
  int *place;         /* index of each unit among the active ones, -1 between calls [nunits] */
  ns_blocks sub;      /* matrix of the active rows: scalar, or by units */
  double *full;       /* the same dense */
  double *low, *high; /* bounds of the active rows; not for LCPs */
  /* kinds of the active units; before the first gather, of all units [nunits] */
  unsigned char *kind;
  double *active_mu, *active_rolling; /* of those units */
  int units;                          /* 1: some of them are scaled */
  double *own_unit, *own_q;           /* unit of each active row, and scaled q [nrows] */
  double *own_start;                  /* `start` of the active rows, scaled [nrows] */
  unsigned long gathered;             /* how often, for stamps */
  ns_box box;                         /* the problem; one of the three */
  ns_mechanical mech;
  ns_polyhedral faces; /* M is `full` */
  double *face_mu;     /* multipliers of its faces [p] */
  ns_row_solver solver;
} ns_row_problem;

/* Allocate memory and create the solver named by the model. NS_NOMEM without a message; NS_MODEL:
 * too large for dense storage, or unknown solver. */
int ns_row_problem_create(ns_row_problem *o, ns_ctx *c);
/* Gather the matrix and laws of the active rows, with current values; p NULL: `whole`. */
void ns_row_problem_gather(ns_row_problem *o, const ns_part_taken *p);
/* Solve: from q and the guess z, z and w of the active rows, as gathered. */
int ns_row_problem_solve(ns_row_problem *o, ns_ctx *c, const ns_part_taken *p, const double *q,
                         double *z, double *w, ns_outcome *out);
/* Violation of the laws of all rows by z and w [nrows], of rows before head none: max over rows of
 * |z - proj_[lb,ub](z - w)|; for a polyhedron the larger of |w - H^T mu| and |min(mu, H z - k)|. */
double ns_row_problem_violation(const ns_row_problem *o, const double *z, const double *w);

#endif
