/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unreduced_contacts.h -- the one-step problem of velocity-level contact in saddle-point form.
 *
 *   [ W  -H^T ] [ dv ]   [ 0              ]   [ 0 ]
 *   [ H    0  ] [ P  ] + [ H vfree + E u_k ] = [ w ],   law(w, P)       (Acary & Brogliato 2008,
 *          section 10.1)
 *
 * with v = vfree + dv. The Delassus matrix H W^-1 H^T is full if many rows share a large system,
 * although W and H are sparse; this form is as sparse as the model, and its solver factors it as a
 * whole and updates rows that switch. Rows of dv are divided by their diagonal entry of W, so that
 * they are comparable to kinematic rows for any mass.
 *
 * This is for laws on boxes (unilateral, equalities, relays); with friction it is a global friction
 * problem (unreduced_friction.h). Requires linear systems, linear relations, no prescribed
 * velocities and the solver "auto". W is M + h theta C + h^2 theta^2 K (moreau_jean.h). */
#ifndef NS_SIMULATION_ROWS_UNREDUCED_CONTACTS_H
#define NS_SIMULATION_ROWS_UNREDUCED_CONTACTS_H

#include "model/model.h"
#include "problems/avi.h"
#include "problems/global.h"
#include "simulation/rows/rows.h"

typedef struct ns_unreduced_contacts ns_unreduced_contacts;

/* 1 if this form is possible and has fewer entries than the Delassus matrix; NS_NOMEM < 0. */
int ns_unreduced_contacts_suits(const ns_model *m);
/* Create from H [m->nrows rows], constant; lb, ub [m->nrows]: bounds of all rows. Errors: NS_NOMEM,
 * or of the solver. */
int ns_unreduced_contacts_create(ns_ctx *c, const ns_model *m, const ns_rows *H, const double *lb,
                                 const double *ub, const ns_lcp_options *opt,
                                 ns_unreduced_contacts **out);
void ns_unreduced_contacts_destroy(ns_unreduced_contacts *u);       /* NULL-safe */
size_t ns_unreduced_contacts_bytes(const ns_unreduced_contacts *u); /* 0 for NULL */
size_t ns_unreduced_contacts_entries(const ns_unreduced_contacts *u);
/* Solve one problem, with steps of length h: active rows [n], ascending, and their q; bounds lb and
 * ub of all rows [m->nrows]; z: in, a guess, out, P; w: out. */
int ns_unreduced_contacts_solve(ns_unreduced_contacts *u, ns_ctx *c, double h, const int *active,
                                int n, const double *q, const double *lb, const double *ub,
                                double *z, double *w, ns_outcome *out);
/* The last problem, borrowed: on boxes, the whole problem and the guess; with friction, its active
 * part. The other function returns NULL. */
const ns_avi *ns_unreduced_contacts_boxes(const ns_unreduced_contacts *u, const double **guess);
const ns_global *ns_unreduced_contacts_global(ns_unreduced_contacts *u);
/* Description of the solver, for the plan. */
const char *ns_unreduced_contacts_note(const ns_unreduced_contacts *u);
/* v += dv of the last solve [nv]. */
void ns_unreduced_contacts_apply(const ns_unreduced_contacts *u, double *v);

#endif
