/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_parts.h -- private to check*.c: the parts of ns_model_check. */
#ifndef NS_MODEL_CHECK_CHECK_PARTS_H
#define NS_MODEL_CHECK_CHECK_PARTS_H

#include "model/model.h"

enum { PLACE = 512 };

/* Report a fault at a place; fmt has one %g for `found`. */
void ns_check_bad(ns_ctx *c, const ns_place *p, const char *fmt, double found);

/* Checks that systems, relations, laws, integrator and one-step problem are compatible. Reports
 * every fault; returns NS_MODEL if there is one. */
int ns_check_family(const ns_model *m, ns_ctx *c);
/* Values of a first-order model. Reports every fault; < 0 only if the check itself failed. */
int ns_check_first_order(const ns_model *m, ns_ctx *c);

/* The same for rigid bodies, including joints that are not assembled at t0. */
int ns_check_rigid(const ns_model *m, ns_ctx *c);
/* The same for the bodies of a mixed model, and prescribed velocities of all systems. */
int ns_check_bodies(const ns_model *m, ns_ctx *c);
/* Options of Moreau-Jean schemes. */
void ns_check_moreau_jean(const ns_model *m, ns_ctx *c);

/* q0, v0 and z are finite. */
void ns_check_initial(const ns_system *s, ns_ctx *c);
/* 0 if some of x [n] is not finite, which is reported; NULL: none. */
int ns_check_finite(const ns_place *at, ns_ctx *c, const double *x, size_t n, const char *name);
/* Values of an interaction given by h and H, and of its law. Reports every fault. */
void ns_check_contact(const ns_interaction *it, ns_ctx *c);
/* No coordinate is prescribed twice. Reports every fault; < 0 only if the check itself failed. */
int ns_check_boundaries(const ns_model *m, ns_ctx *c);
/* Gaps and constraints at t0, for models without other faults. Warns; < 0 only if the check itself
 * failed. */
int ns_check_gaps(const ns_model *m, ns_ctx *c);

#endif
