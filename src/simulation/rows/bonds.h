/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bonds.h -- contacts whose laws have a memory (model/laws/law.h): the tension that they bear in a
 * step.
 *
 * With c = h tension, r + (c, 0, ...) in K: solvers see r' = r + c in K and a free velocity from
 * which W^-1 H^T c is taken. A contact that bears a tension takes part in every step, whatever its
 * gap. The memory is in the state, and so in checkpoints; that of contacts between shapes in their
 * list (rigid_contacts.h). */
#ifndef NS_SIMULATION_ROWS_BONDS_H
#define NS_SIMULATION_ROWS_BONDS_H

#include "model/state.h"

/* c of the first rows of all interactions for a step of length h from x, N s [nrows]; those of
 * other rows stay. */
void ns_bonds_pull(const ns_model *m, const ns_state *x, double h, double *c);
/* What a law keeps of a contact that carried r in a step in which it bore c > 0. */
void ns_bond_keep(const ns_nonsmooth_law *law, double r, double c, double *memory);
/* The step was accepted with x->lambda. */
void ns_bonds_keep(const ns_model *m, ns_state *x, const double *c);

#endif
