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
/* Update the memory of a law of a contact with the impulse r and the velocity u of a step with
 * c > 0. A bond that carries all it can breaks as its contact opens, by more than solvers leave in
 * u: of many contacts of one body the solution leaves out some that the others hold closed.
 * mobility: velocity by an impulse of 1 N s, 1/kg. */
void ns_bond_keep(const ns_nonsmooth_law *law, double r, double u, double c, double mobility,
                  double *memory);
/* Update all memories after a step was accepted with x->lambda and x->ydot. */
typedef double ns_bond_mobility(const void *of, const ns_interaction *it);
void ns_bonds_keep(const ns_model *m, ns_state *x, const double *c, ns_bond_mobility *mobility,
                   const void *of);

#endif
