/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bonds.h -- contacts whose laws have a memory (model/laws/law.h): their tension in a step.
 *
 * With c = h tension, r + (c, 0, ...) in K. Solvers get r' = r + c in K, and the free velocity
 * minus W^-1 H^T c. A contact with a tension is active in every step, for any gap. The memory is in
 * the state, and thus in checkpoints; that of contacts between shapes is in their list
 * (rigid_contacts.h). */
#ifndef NS_SIMULATION_ROWS_BONDS_H
#define NS_SIMULATION_ROWS_BONDS_H

#include "model/state.h"

/* Set c, N s [nrows], of the first rows of all interactions for a step of length h from x; other
 * rows are unchanged. */
void ns_bonds_pull(const ns_model *m, const ns_state *x, double h, double *c);
/* Update the memory of a law of a contact with the impulse r in a step with c > 0. */
void ns_bond_keep(const ns_nonsmooth_law *law, double r, double c, double *memory);
/* Update all memories after a step was accepted with x->lambda. */
void ns_bonds_keep(const ns_model *m, ns_state *x, const double *c);

#endif
