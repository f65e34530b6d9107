/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contacts_parts.h -- private to contacts*.c and projection.c.
 *
 *   contacts.c           rows, units, the active set, impulses
 *   contacts_output.c    gaps, velocities, impulses and work of an accepted step
 *   contacts_values.c    values of H, G and D; nonlinear relations
 *   contacts_problem.c   the one-step problem (row_problem.h) */
#ifndef NS_SIMULATION_ROWS_CONTACTS_PARTS_H
#define NS_SIMULATION_ROWS_CONTACTS_PARTS_H

#include "simulation/rows/contacts.h"

/* by_active: the problem of the rows that were active when it was last solved, numbered among
 * themselves; made anew where others are active. */
typedef struct ns_active_problem {
  ns_arena *mem;
  unsigned long layout; /* k->layouts when it was made */
  int posed;            /* 1: gathered with the values of D and of the laws */
  int symmetric;
  ns_blocks A; /* D, with its values */
  ns_unit *unit;
  int *unit_of, *same; /* [n]; 0, 1, ... [n] */
  double *lb, *ub;     /* [n] */
  double *mu, *mu_rolling;
} ns_active_problem;

/* Create the problem, its memory and its solver; symmetric: D = D^T. */
int ns_contacts_get_problem(ns_contacts *k, ns_ctx *c, int symmetric);
void ns_contacts_free_problem(ns_contacts *k);

/* by_active: which nonlinear relations and groups of them have active rows. */
void ns_contacts_list_acting(ns_contacts *k);
/* Update G and D: constant rows if `all`, the others if they are active. */
void ns_contacts_refresh(ns_contacts *k, int all);
/* y of all nonlinear relations at (q, t1) with the multipliers of the iterate; v: for formulas that
 * read it. */
int ns_contacts_gaps_at(ns_contacts *k, ns_ctx *c, const ns_state *x, const double *q,
                        const double *v, double *y);
/* Write y and ydot of all nonlinear relations to the state, as computed by ns_contacts_foresee or
 * evaluated here. */
int ns_contacts_gaps(ns_contacts *k, ns_ctx *c, ns_state *x);

#endif
