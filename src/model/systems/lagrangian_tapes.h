/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lagrangian_tapes.h -- mass, force and tangents of a nonlinear system given by formulas, compiled
 * to one tape, so that common terms such as sines of angles are computed once.
 *
 *   smooth    M [n x n], F [n], fGyr [n]
 *   tangents  K_t [n x n], C_t [n x n]
 *   all       smooth, then tangents
 *
 * by columns, one after the other, equal to the bit to the functions of lagrangian.h. M is omitted
 * if it is evaluated at another point. Systems with plug-ins or branches have no such tapes. */
#ifndef NS_MODEL_SYSTEMS_LAGRANGIAN_TAPES_H
#define NS_MODEL_SYSTEMS_LAGRANGIAN_TAPES_H

#include "model/model.h"

typedef struct ns_lagrangian_tapes {
  const ns_tape *smooth, *tangents, *all; /* all NULL, or none */
  int with_mass;                          /* 1: they contain M */
  size_t work;                            /* doubles of scratch */
} ns_lagrangian_tapes;

/* Compile the tapes of the systems list[0..n), of nonlinear kinds, to out [n]. Equal systems share
 * tapes; if there are many different systems, the later ones have none. mass: 1 if M is evaluated
 * at the same point as F; a constant M is always included. Memory of a. NS_NOMEM, with a
 * message. */
int ns_lagrangian_tapes_create(ns_ctx *c, const ns_model *m, const int *list, int n, int mass,
                               ns_arena *a, ns_lagrangian_tapes *out);
/* Evaluate at p; out as above. */
void ns_lagrangian_tapes_eval(const ns_tape *t, const ns_point *p, double *work, double *out);

#endif
