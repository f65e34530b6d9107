/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lagrangian_group.h -- nonlinear relations of the same systems, evaluated together.
 *
 * h, H and dh/dt of formulas stand in one tape, those of all members of a group: corners of one
 * body share the sines and cosines of its angles. What was computed last is kept with the point it
 * belongs to, so that a Newton loop that ends there and the output of the step ask for it without
 * cost. Plug-ins are groups of one, and called for what is wanted alone.
 *
 * Relations of rigid bodies (rigid_relation.h) are groups of one; their H is by velocities.
 * Compliant relations, whose h depends on a multiplier too, belong to no group. */
#ifndef NS_MODEL_RELATIONS_LAGRANGIAN_GROUP_H
#define NS_MODEL_RELATIONS_LAGRANGIAN_GROUP_H

#include "model/relations/lagrangian_relation.h"

enum { NS_GROUP_GAPS = 1, NS_GROUP_ROWS = 2 };

typedef struct ns_lagrangian_group {
  int n;
  const int *interaction; /* its members [n] */
  int nQ, nV, nZ, rows;   /* of the systems; rows of all members */
  int *row;               /* of all rows of the model, member by member [rows] */
  int timed;              /* something depends on t */
  int drives;             /* dh/dt of some member is not zero */
  /* of h, H and, where it drives, dh/dt; NULL: functions of lagrangian_relation.h */
  const ns_tape *tape;
  double *h;     /* of all members, one after the other [rows] */
  double *H;     /* by rows [rows x nV] */
  double *ht;    /* dh/dt [rows] */
  double *at;    /* where: t, Q, Z [1 + nQ + nZ] */
  unsigned have; /* what of it is known there, NS_GROUP_GAPS | NS_GROUP_ROWS */
} ns_lagrangian_group;

/* Groups of the interactions list[0..n), in their order: systems side by side in the list, eight
 * members at most, none of which depends on indices. Memory: a's. NS_NOMEM, with a text. */
int ns_lagrangian_groups_create(ns_ctx *c, const ns_model *m, const int *list, int n, ns_arena *a,
                                ns_lagrangian_group **out, int *nout);
/* Doubles of scratch of an evaluation. */
size_t ns_lagrangian_group_work(const ns_model *m, const ns_lagrangian_group *g);
/* At (t, q, z) of the whole model; angle: near which angles of joints are taken (state.h), NULL:
 * near 0. *fresh |= what was computed, 0 where all was known. Failures: those of plug-ins. */
int ns_lagrangian_group_eval(ns_lagrangian_group *g, ns_ctx *c, const ns_model *m, double t,
                             const double *q, const double *z, const double *angle, unsigned want,
                             double *work, unsigned *fresh);

#endif
