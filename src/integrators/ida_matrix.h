/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ida_matrix.h -- the matrix of a step of a differential-algebraic system, and its LU factors, as
 * SUNDIALS sees them.
 *
 *        x       multipliers
 *   [ cj I - f'    -G ]  motion [n]
 *   [    H          0 ]  constraints [extra]          cj ~ 1/h
 *
 * For small h its blocks have very different magnitudes. Rows of constraints and columns of
 * multipliers are scaled by cj, so that pivots are chosen among entries of similar size; the
 * solution is that of the unscaled matrix.
 *
 * Dense; it has as many rows as the vectors currently have. */
#ifndef NS_INTEGRATORS_IDA_MATRIX_H
#define NS_INTEGRATORS_IDA_MATRIX_H

#include "base/context.h"

#include <stddef.h>

typedef struct ns_ida_matrix ns_ida_matrix;

/* Create the matrix for up to `max` unknowns; sun: a SUNContext. NS_NOMEM; NS_NOINPUT (LAPACK not
 * found). */
int ns_ida_matrix_create(ns_ctx *c, void *sun, size_t max, ns_ida_matrix **out);
void ns_ida_matrix_destroy(ns_ida_matrix *o); /* NULL-safe */
/* Set the size: n unknowns of motion, `extra` multipliers. */
void ns_ida_matrix_resize(ns_ida_matrix *o, size_t n, size_t extra);
/* The entries, borrowed, by columns; leading dimension n + extra. */
double *ns_ida_matrix_entries(ns_ida_matrix *o);
/* The same object as a SUNMatrix and as a SUNLinearSolver, borrowed; SUNDIALS never frees them. */
void *ns_ida_matrix_as_matrix(ns_ida_matrix *o);
void *ns_ida_matrix_as_solver(ns_ida_matrix *o);

#endif
