/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lagrangian_group.h -- groups of nonlinear relations between the same systems, evaluated together.
 *
 * Formulas of h, H and dh/dt of all members of a group are compiled to one tape, so that the
 * corners of a body share the sines and cosines of its angles. The last results are stored with
 * their point, so that repeated evaluation, in a Newton loop and for output, costs nothing.
 * Plug-ins form groups of one, and only the requested quantities are called.
 *
 * Relations of rigid bodies (rigid_relation.h) are groups of one; their H is by velocities.
 * Compliant relations, whose h depends on a multiplier too, belong to no group. */
#ifndef NS_MODEL_RELATIONS_LAGRANGIAN_GROUP_H
#define NS_MODEL_RELATIONS_LAGRANGIAN_GROUP_H

#include "model/relations/lagrangian_relation.h"

enum { NS_GROUP_GAPS = 1, NS_GROUP_ROWS = 2 };

typedef struct ns_lagrangian_group {
  int n;
  const int *interaction; /* members [n] */
  int nQ, nV, nZ, rows;   /* sizes for the systems; total rows of the members */
  int *row;               /* index in all rows of the model, member by member [rows] */
  int timed;              /* 1: something depends on t */
  int drives;             /* 1: dh/dt of some member is not zero */
  /* computes h, H and, if `drives`, dh/dt; NULL: functions of lagrangian_relation.h */
  const ns_tape *tape;
  double *h;     /* of all members, one after the other [rows] */
  double *H;     /* by rows [rows x nV] */
  double *ht;    /* dh/dt [rows] */
  double *at;    /* the last point: t, Q, Z [1 + nQ + nZ] */
  unsigned have; /* what is known at this point, NS_GROUP_GAPS | NS_GROUP_ROWS */
} ns_lagrangian_group;

/* Make groups of the interactions list[0..n), in their order: consecutive interactions between the
 * same systems, at most eight per group, none of which depends on indices. Memory of a. NS_NOMEM,
 * with a message. */
int ns_lagrangian_groups_create(ns_ctx *c, const ns_model *m, const int *list, int n, ns_arena *a,
                                ns_lagrangian_group **out, int *nout);
/* Doubles of scratch of an evaluation. */
size_t ns_lagrangian_group_work(const ns_model *m, const ns_lagrangian_group *g);
/* Evaluate at (t, q, z) of the whole model; want: NS_GROUP_...; angle: values near which angles of
 * joints are taken (state.h), NULL: near 0. *fresh |= what was computed, 0 if all was known. Fails
 * only in plug-ins. */
int ns_lagrangian_group_eval(ns_lagrangian_group *g, ns_ctx *c, const ns_model *m, double t,
                             const double *q, const double *z, const double *angle, unsigned want,
                             double *work, unsigned *fresh);

#endif
