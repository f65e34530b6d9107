/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cvode_vectors.h -- vectors of SUNDIALS from a pool that is allocated at once.
 *
 * SUNDIALS 6.4 writes to a cloned vector without checking it, so that cloning must not fail: all
 * vectors that an integrator will ever request are created here in advance, and cloning returns the
 * next one.
 *
 * The most frequent operations are written for short vectors: two numbers at a time, and the sums
 * over the history of a step at once. Each number is rounded as by the serial vectors of
 * SUNDIALS. */
#ifndef NS_INTEGRATORS_CVODE_VECTORS_H
#define NS_INTEGRATORS_CVODE_VECTORS_H

#include <stddef.h>

typedef struct ns_cvode_vectors ns_cvode_vectors;

/* n unknowns, `most` vectors; sun: a SUNContext. NULL: out of memory. */
ns_cvode_vectors *ns_cvode_vectors_create(void *sun, size_t n, int most);
void ns_cvode_vectors_destroy(ns_cvode_vectors *p); /* NULL-safe; its vectors are gone then */
/* The next one, zero: an N_Vector; NULL where all are taken. */
void *ns_cvode_vectors_get(ns_cvode_vectors *p);
/* All of them have n unknowns from now on, at most as many as at their creation. */
void ns_cvode_vectors_resize(ns_cvode_vectors *p, size_t n);

#endif
