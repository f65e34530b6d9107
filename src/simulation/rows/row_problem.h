/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row_problem.h -- the one-step problem of the rows that take part, of any systems: from the matrix
 * of all rows and their laws to what a solver sees.
 *
 *   w = A z + q,  law(w, z) in each unit
 *
 * A [nrows x nrows] is the matrix of all rows, as its owner makes it: the Delassus operator of
 * contacts (contacts.h), that of rows of any systems (step_problem.h). A step takes the rows and
 * columns of those that take part, dense where they are few. Units are what one law speaks of: rows
 * on a box, or a contact with friction. Units on boxes alone are a problem on a box
 * (problems/box/box.h), without bounds an LCP; with cones among them it is a mechanical problem
 * (problems/mechanical.h), whose matrix has a block for each pair of units that meet.
 *
 * Rows of different units of measurement (N s, V s, A s) may be scaled, with one factor s for all
 * rows of a unit so that a cone stays what it is: then the solver sees s A s and the bounds over s;
 * q and z for it are the owner's to scale. Blocks of a mechanical problem whose bodies are far
 * lighter or heavier than 1 kg are scaled once more, here, between the caller and the solver
 * (ns_mechanical_unit). */
#ifndef NS_SIMULATION_ROWS_ROW_PROBLEM_H
#define NS_SIMULATION_ROWS_ROW_PROBLEM_H

#include "base/arena.h"
#include "model/model.h"
#include "problems/box/box.h"
#include "problems/mechanical.h"

/* Rows that take part together. */
typedef struct ns_unit {
  int first, rows;      /* of all rows */
  unsigned char kind;   /* of contacts: ns_unit_kind */
  unsigned char always; /* of contacts: active in every step */
  unsigned char block;  /* ns_block_kind */
} ns_unit;

/* Who takes part: rows and units, both ascending. */
typedef struct ns_part_taken {
  int n, nunits;
  const int *row, *position; /* position: of each of all rows in `row`, -1 */
  const int *unit;           /* read where the problem is a mechanical one */
} ns_part_taken;

/* A solver of one of the two problems; the other table is NULL. */
typedef struct ns_row_solver {
  const ns_box_solver_ops *box;
  const ns_mechanical_solver_ops *mechanical;
  void *self;
} ns_row_solver;

/* Blocks of a mechanical problem that need them get units of their own (ns_mechanical_unit): W and
 * its bounds are in these from now on, s [W->m] is that of each row. 0: all are 1, and nothing
 * changes. */
int ns_row_units(ns_blocks *W, double *s, double *low, double *high);
/* Tolerance and limits that the model asks for. */
ns_lcp_options ns_row_problem_options(const ns_model *m);
/* The solver of that name for problems on boxes. NS_MODEL: there is none. */
int ns_row_solver_create(ns_ctx *c, const ns_model *m, const char *name, const ns_box_capacity *cap,
                         ns_row_solver *s);
void ns_row_solver_destroy(ns_row_solver *s); /* also of {0} */
/* What it carries from step to step; NULL: there is no solver, or it does not say. */
const ns_memory *ns_row_solver_memory(const ns_row_solver *s);
/* Of {0}: "none" and "". */
const char *ns_row_solver_name(const ns_row_solver *s);
const char *ns_row_solver_help(const ns_row_solver *s);
/* NS_MODEL: a dense problem of n rows has too many entries; the sentence ends with what to do. */
int ns_row_problem_check_dense(ns_ctx *c, const ns_model *m, size_t n, const char *remedy);

typedef struct ns_row_problem {
  /* by the owner, before create; borrowed */
  const ns_model *m;
  ns_arena *mem;
  int nrows, nunits;
  const ns_blocks *A;            /* scalar; values as of each gather */
  const ns_unit *unit;           /* [nunits] */
  const int *unit_of;            /* [nrows] */
  const double *lb, *ub;         /* [nrows] */
  const double *mu, *mu_rolling; /* of units [nunits] */
  const double *scale;           /* s, of rows [nrows]; NULL: 1 */
  int lcp, symmetric;            /* no row has other bounds than [0, inf); A = A^T */
  /* made here */
  int mechanical, dense;
  ns_blocks by_unit;   /* which units meet: structure, without values */
  int *from;           /* of each entry of its blocks, where in A it is, -1: nowhere */
  int *place;          /* of a unit among those that take part, -1 between calls [nunits] */
  ns_blocks sub;       /* rows that take part: scalar, or by units */
  double *full;        /* the same dense */
  double *low, *high;  /* bounds of those rows; not of LCPs */
  unsigned char *kind; /* of those units, and before the first gather of all [nunits] */
  double *active_mu, *active_rolling; /* of those units */
  int units;                          /* some of them have a unit of their own: */
  double *own_unit, *own_q;           /* it, of the rows that take part, and q by it [nrows] */
  unsigned long gathered;             /* how often, for stamps */
  ns_box box;                         /* the problem; one of the two */
  ns_mechanical mech;
  ns_row_solver solver;
} ns_row_problem;

/* Memory and the solver that the model names. NS_NOMEM without text; NS_MODEL: too large to be
 * dense, or there is no such solver. */
int ns_row_problem_create(ns_row_problem *o, ns_ctx *c);
/* Matrix and laws of who takes part, as they are now. */
void ns_row_problem_gather(ns_row_problem *o, const ns_part_taken *p);
/* From q and the guess z to z and w, all of who takes part, as gathered. */
int ns_row_problem_solve(ns_row_problem *o, ns_ctx *c, const ns_part_taken *p, const double *q,
                         double *z, double *w, ns_outcome *out);

#endif
