/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lagrangian_tapes.h -- mass, force and tangents of a nonlinear system by formulas, in one tape
 * instead of one for each value: what they have in common, the sines of its angles, is computed
 * once.
 *
 *   smooth    M [n x n], F [n], fGyr [n]
 *   tangents  K_t [n x n], C_t [n x n]
 *   all       smooth, then tangents
 *
 * by columns, one after the other, as lagrangian.h defines them and with its bits. M is left out
 * where it is wanted at another point. Systems with plug-ins, and with branches, have none of them.
 */
#ifndef NS_MODEL_SYSTEMS_LAGRANGIAN_TAPES_H
#define NS_MODEL_SYSTEMS_LAGRANGIAN_TAPES_H

#include "model/model.h"

typedef struct ns_lagrangian_tapes {
  const ns_tape *smooth, *tangents, *all; /* NULL, all or none */
  int with_mass;                          /* M is in them */
  size_t work;                            /* doubles of scratch */
} ns_lagrangian_tapes;

/* Of the systems list[0..n), none of the linear kinds: out [n]. Equal systems share them; of many
 * different ones, the later have none. mass: whether M is wanted where F is; a constant one always
 * is. Memory: a's. NS_NOMEM, with a text. */
int ns_lagrangian_tapes_create(ns_ctx *c, const ns_model *m, const int *list, int n, int mass,
                               ns_arena *a, ns_lagrangian_tapes *out);
/* At p; out as above. */
void ns_lagrangian_tapes_eval(const ns_tape *t, const ns_point *p, double *work, double *out);

#endif
