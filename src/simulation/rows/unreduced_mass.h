/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unreduced_mass.h -- W = M + a C + a^2 K of linear systems, a = h theta, as one sparse matrix. */
#ifndef NS_SIMULATION_ROWS_UNREDUCED_MASS_H
#define NS_SIMULATION_ROWS_UNREDUCED_MASS_H

#include "algebra/blocks.h"
#include "base/arena.h"
#include "model/model.h"

/* Structure, scalar rows [m->nv], without values. NS_NOMEM without text. */
int ns_unreduced_mass_create(ns_arena *mem, const ns_model *m, ns_blocks *W);
/* Values for steps of length h. */
void ns_unreduced_mass_fill(const ns_model *m, double h, ns_blocks *W);

#endif
