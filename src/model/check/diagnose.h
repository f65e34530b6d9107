/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diagnose.h -- which element of a model is behind a failure of a run, for its sentence: the one
 * way from the point where a run cannot go on to file, line and element, whatever the family of
 * systems.
 *
 * Of what is not finite the cause is looked for, not the first victim: the functions of all
 * elements are evaluated at the point, and the first one counts that is not finite although all
 * that it reads is. Where there is none, a coordinate that is not finite counts, and then what has
 * grown beyond numbers.
 *
 * Called once, by a run that has failed: it may allocate. SI units. */
#ifndef NS_MODEL_CHECK_DIAGNOSE_H
#define NS_MODEL_CHECK_DIAGNOSE_H

#include "model/model.h"

/* Where a run has failed; vectors of the whole model. */
typedef struct ns_moment {
  double from;             /* s: the step, or the motion since the last event, begins there */
  double t;                /* s */
  const double *q, *v, *z; /* [nq], [nv] or the lagged rate [nq], [nz] */
  const double *lambda;    /* [nrows]; NULL: zeros */
  const double *force;     /* forces or right-hand sides, [nv]; NULL: not known */
  const double *q0, *v0;   /* the last good state, of `from`; NULL: it is q, v */
  const double *angle;     /* of rigid bodies: ns_state.angle; NULL: not known */
} ns_moment;

/* Each of them fails with NS_NUMERIC and its sentence. The functions of all elements are tried at
 * the moment, at the last good state and between; NS_OK: none of them is the cause, and nothing is
 * told. */
int ns_fail_function(ns_ctx *c, const ns_model *m, const ns_moment *at);
/* The first coordinate that is not finite; NS_OK: all are. */
int ns_fail_coordinate(ns_ctx *c, const ns_model *m, const ns_moment *at);
/* The coordinate that is the largest: what is made of it is beyond numbers. */
int ns_fail_overflow(ns_ctx *c, const ns_model *m, const ns_moment *at);
/* The first of these three that has something to tell. */
int ns_fail_not_finite(ns_ctx *c, const ns_model *m, const ns_moment *at);
/* A function, else this row of all rows, with its numbers: "y = nan, ydot = 3". */
int ns_fail_row(ns_ctx *c, const ns_model *m, const ns_moment *at, size_t row, const char *numbers);

/* Who has the largest part in a residual; begins as {0}. */
typedef struct ns_suspect {
  double part;        /* the largest so far; a NaN is the largest */
  const ns_place *at; /* of the element, NULL: none yet */
  char what[80];      /* "this system", "row 1 of this interaction", "D1" of a circuit */
  const char *fault;  /* of that row (ns_interaction.row_faults), NULL: none is known */
} ns_suspect;

/* A system, or row `row` of an interaction (-1: all its rows), has this part. */
void ns_suspect_system(ns_suspect *w, const ns_system *s, double part);
void ns_suspect_row(ns_suspect *w, const ns_interaction *it, int row, double part);

#endif
