/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contacts_parts.h -- private to contacts*.c and projection.c.
 *
 *   contacts.c           rows, units, the active set, impulses
 *   contacts_output.c    gaps, velocities and impulses of a step that was accepted; its work
 *   contacts_values.c    values of H, G and D; nonlinear relations
 *   contacts_problem.c   the one-step problem (row_problem.h) */
#ifndef NS_SIMULATION_ROWS_CONTACTS_PARTS_H
#define NS_SIMULATION_ROWS_CONTACTS_PARTS_H

#include "simulation/rows/contacts.h"

/* The problem, its memory and its solver; symmetric: D = D^T. */
int ns_contacts_get_problem(ns_contacts *k, ns_ctx *c, int symmetric);

/* Bring G and D up to date: rows that are fixed where `all`, the others where they are active. */
void ns_contacts_refresh(ns_contacts *k, int all);
/* y of all nonlinear relations at (q, t1), v for what reads it, and the multipliers of the iterate.
 */
int ns_contacts_gaps_at(ns_contacts *k, ns_ctx *c, const ns_state *x, const double *q,
                        const double *v, double *y);
/* y and ydot of all nonlinear relations to the state, as foreseen or evaluated there. */
int ns_contacts_gaps(ns_contacts *k, ns_ctx *c, ns_state *x);

#endif
