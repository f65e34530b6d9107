/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unreduced_friction.h -- the one-step problem of contact with friction in saddle-point form, a
 * global friction problem
 *
 *   W dv = H^T P,   w = H dv + H vfree + E u_k,   law(w, P)            (problems/global.h,
 *                   global_newton.h)
 *
 * with v = vfree + dv, for the models of unreduced_contacts.h in which some law has friction. Rows
 * of other laws are boxes of one row each. */
#ifndef NS_SIMULATION_ROWS_UNREDUCED_FRICTION_H
#define NS_SIMULATION_ROWS_UNREDUCED_FRICTION_H

#include "model/model.h"
#include "problems/global.h"
#include "simulation/rows/rows.h"

typedef struct ns_unreduced_friction ns_unreduced_friction;

/* Create from H [m->nrows rows], constant. Errors: NS_NOMEM, or of the solver. */
int ns_unreduced_friction_create(ns_ctx *c, const ns_model *m, const ns_rows *H,
                                 const ns_lcp_options *opt, ns_unreduced_friction **out);
void ns_unreduced_friction_destroy(ns_unreduced_friction *f); /* NULL-safe */
size_t ns_unreduced_friction_bytes(const ns_unreduced_friction *f);
size_t ns_unreduced_friction_entries(const ns_unreduced_friction *f);
/* As ns_unreduced_contacts_solve. Contacts with friction are active with all their rows. */
int ns_unreduced_friction_solve(ns_unreduced_friction *f, double h, const int *active, int n,
                                const double *q, const double *lb, const double *ub, double *z,
                                double *w, ns_outcome *out);
/* The last problem, with only the active contacts; borrowed, until the next one. */
const ns_global *ns_unreduced_friction_problem(ns_unreduced_friction *f);
/* dv of the last solve [nv]. */
const double *ns_unreduced_friction_change(const ns_unreduced_friction *f);

#endif
