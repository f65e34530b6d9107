/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_parts.h -- private to check*.c: the parts of ns_model_check. */
#ifndef NS_MODEL_CHECK_CHECK_PARTS_H
#define NS_MODEL_CHECK_CHECK_PARTS_H

#include "model/model.h"

enum { PLACE = 512 };

/* Place: text with one number in it. */
void ns_check_bad(ns_ctx *c, const ns_place *p, const char *fmt, double found);

/* Systems, relations, laws, integrator and one-step problem belong together: one family of systems
 * a model. Reports every fault; NS_MODEL if there is one. */
int ns_check_family(const ns_model *m, ns_ctx *c);
/* Numbers of a model of first order. Reports every fault; < 0 only where the checks themselves
 * failed. */
int ns_check_first_order(const ns_model *m, ns_ctx *c);

/* Numbers of a model of rigid bodies, likewise; joints that are not together at t0. */
int ns_check_rigid(const ns_model *m, ns_ctx *c);
/* The same of the bodies among other systems, and prescribed velocities of all. */
int ns_check_bodies(const ns_model *m, ns_ctx *c);
/* Options of Moreau-Jean schemes. */
void ns_check_moreau_jean(const ns_model *m, ns_ctx *c);

/* Finite q0, v0, z. */
void ns_check_initial(const ns_system *s, ns_ctx *c);
/* Numbers of an interaction by h and H, and of its law. Reports every fault. */
void ns_check_contact(const ns_interaction *it, ns_ctx *c);
/* No coordinate is prescribed twice. Reports every fault; < 0 only where the checks themselves
 * failed. */
int ns_check_boundaries(const ns_model *m, ns_ctx *c);
/* Gaps and constraints at t0, where all else is sound. Warns; < 0 only where the checks themselves
 * failed. */
int ns_check_gaps(const ns_model *m, ns_ctx *c);

#endif
