/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cvode_vectors.h -- vectors of SUNDIALS from a pool that is allocated at once.
 *
 * SUNDIALS 6.4 writes to a cloned vector without checking it, so cloning must not fail. All vectors
 * that an integrator will ever request are created here in advance, and cloning returns the next
 * one.
 *
 * The most frequent operations are written for short vectors: two numbers at a time, and the sums
 * over the history of a step at once. Each number is rounded as by the serial vectors of
 * SUNDIALS. */
#ifndef NS_INTEGRATORS_CVODE_VECTORS_H
#define NS_INTEGRATORS_CVODE_VECTORS_H

#include <stddef.h>

typedef struct ns_cvode_vectors ns_cvode_vectors;

/* Create `max` vectors of n unknowns; sun: a SUNContext. NULL: out of memory. */
ns_cvode_vectors *ns_cvode_vectors_create(void *sun, size_t n, int max);
void ns_cvode_vectors_destroy(ns_cvode_vectors *p); /* NULL-safe; frees the vectors, too */
/* The next unused vector, an N_Vector set to zero; NULL if all are in use. */
void *ns_cvode_vectors_get(ns_cvode_vectors *p);
/* Change the length of all vectors to n, which must not exceed the length at creation. */
void ns_cvode_vectors_resize(ns_cvode_vectors *p, size_t n);

#endif
