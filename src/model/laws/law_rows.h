/* SPDX-License-Identifier: GPL-3.0-or-later */
/* law_rows.h -- laws between outputs and forces, as rows of first-order relations whose multipliers
 * have separate bounds.
 *
 * Impacts have impulses; a law lambda = phi(y) has forces that are finite at all times, between the
 * velocity of a Lagrangian relation, or the position of a compliant one, and the force. Its rows
 * are those of a relation of first order that acts on mechanics (family_part.h):
 *
 *   rigid:      y = H V + dh/dt,      R = H^T lambda
 *   compliant:  y = h(Q, lambda, Z),  R = H^T lambda
 *
 * A polyhedron K = { lambda : N lambda >= k } of p half-spaces has rows with separate bounds if the
 * multipliers mu of its faces are unknowns, too: -y in N_K(lambda) is
 *
 *   0 = y - N^T mu,  lambda free                (m rows)
 *   0 <= N lambda - k  _|_  mu >= 0             (p rows)
 *
 * (Facchinei & Pang 2003, 1.2: the KKT system). The modes of an event-driven run are then the sets
 * of active faces. */
#ifndef NS_MODEL_LAWS_LAW_ROWS_H
#define NS_MODEL_LAWS_LAW_ROWS_H

#include "model/model.h"

/* A linear Lagrangian relation becomes y = C X + D lambda + e + F Z, R = B lambda, where columns of
 * C still multiply velocities if it is not compliant. _read_velocities: C X becomes a part of e,
 * which reads these velocities. Memory of m. NS_NOMEM. */
int ns_law_rows_linear(ns_model *m, ns_ctx *c, ns_interaction *it);
int ns_law_rows_read_velocities(ns_model *m, ns_ctx *c, ns_interaction *it);
/* Any Lagrangian relation, or a formula of bodies. NS_MODEL: plug-ins. */
int ns_law_rows_of_mechanics(ns_model *m, ns_ctx *c, ns_interaction *it);
/* Rows of all polyhedra of m. NS_MODEL: plug-ins. */
int ns_law_rows_of_polyhedra(ns_model *m, ns_ctx *c);

#endif
