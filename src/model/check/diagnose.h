/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diagnose.h -- find the element of a model that causes a failure of a run, for the error message
 * with its file and line; for all families of systems.
 *
 * The cause of a value that is not finite is often not the element in which it is noticed.
 * Therefore the functions of all elements are evaluated at the point; the cause is the first one
 * that is not finite for finite arguments. If there is none, it is a coordinate that is not finite,
 * or else the largest coordinate (overflow).
 *
 * Called once, after a run has failed; functions may allocate. SI units. */
#ifndef NS_MODEL_CHECK_DIAGNOSE_H
#define NS_MODEL_CHECK_DIAGNOSE_H

#include "model/model.h"

/* The point at which a run has failed; vectors of the whole model. */
typedef struct ns_moment {
  double from;             /* beginning of the step, or of the motion since the last event, s */
  double t;                /* s */
  const double *q, *v, *z; /* [nq], [nv] or the lagged rate [nq], [nz] */
  const double *lambda;    /* [nrows]; NULL: zero */
  const double *force;     /* forces or right-hand sides [nv]; NULL: unknown */
  const double *q0, *v0;   /* the last valid state, at time `from`; NULL: q, v */
  const double *angle;     /* of rigid bodies: ns_state.angle; NULL: unknown */
} ns_moment;

/* Each of these functions fails with NS_NUMERIC and its message. ns_fail_function evaluates the
 * functions of all elements at the point, at the last valid state and between; NS_OK: none is the
 * cause, and there is no message. */
int ns_fail_function(ns_ctx *c, const ns_model *m, const ns_moment *at);
/* The first coordinate that is not finite; NS_OK: all are. */
int ns_fail_coordinate(ns_ctx *c, const ns_model *m, const ns_moment *at);
/* The largest coordinate, from which an overflow results. */
int ns_fail_overflow(ns_ctx *c, const ns_model *m, const ns_moment *at);
/* The first of these three that finds a cause. */
int ns_fail_not_finite(ns_ctx *c, const ns_model *m, const ns_moment *at);
/* A function; if there is none, this row of the model, with its numbers: "y = nan, ydot = 3". */
int ns_fail_row(ns_ctx *c, const ns_model *m, const ns_moment *at, size_t row, const char *numbers);

/* The element with the largest contribution to a residual; initialised with {0}. */
typedef struct ns_suspect {
  double part;        /* largest contribution so far; NaN counts as the largest */
  const ns_place *at; /* of the element, NULL: none yet */
  char what[80];      /* "this system", "row 1 of this interaction", "D1" of a circuit */
  const char *fault;  /* fault of that row (ns_interaction.row_faults); NULL: unknown */
} ns_suspect;

/* Report the contribution of a system, or of a row of an interaction (-1: of all its rows). */
void ns_suspect_system(ns_suspect *w, const ns_system *s, double part);
void ns_suspect_row(ns_suspect *w, const ns_interaction *it, int row, double part);

#endif
