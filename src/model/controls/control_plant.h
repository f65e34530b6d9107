/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control_plant.h -- linear plant model of a block, discretised exactly with its period.
 *
 *   x' = A x + b(t,Z)  with b constant over a period T:  x+ = Phi x + Psi b     (algebra/expm.h)
 *
 * A and b are values of the block, or those of the first of its systems, a linear first-order
 * system with constant M and A (then M^-1 A, M^-1 b). */
#ifndef NS_MODEL_CONTROLS_CONTROL_PLANT_H
#define NS_MODEL_CONTROLS_CONTROL_PLANT_H

#include "model/controls/control.h"

typedef struct ns_plant {
  int n;
  double *A, *Phi, *Psi; /* [n x n] by columns */
  double *b, *x;         /* [n] of ns_plant_source, ns_plant_state */
  /* b, of Z of the block or of the system; x if it is not X; may be ABSENT */
  const ns_operator *source, *state;
  int nz;              /* z that source reads: the first nz entries of Z */
  const double *index; /* of source */
  double *LU;          /* factors of M; NULL: identity */
  int *piv;
  double *work; /* of any operator of the block and the source */
  ns_arena *mem;
} ns_plant;

/* Check sizes, for `prepare`; *n: length of x. NS_MODEL, reported. */
int ns_plant_prepare(const ns_model *m, const ns_control *k, ns_ctx *c, int *n);
/* Allocate everything, in mem of the plant, which the caller may also use. After a failure, too,
 * call _fini. */
int ns_plant_init(ns_plant *o, ns_ctx *c, const ns_model *m, const ns_control *k);
void ns_plant_fini(ns_plant *o);
/* State for the block: its value <x>, or X of the plant. Borrowed until the next call. */
int ns_plant_state(ns_plant *o, ns_ctx *c, const ns_sample *s, const double **x);
/* Compute b(t, Z) in o->b. */
int ns_plant_source(ns_plant *o, ns_ctx *c, double t, const ns_sample *s, double *Z);

#endif
