/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_compliance.h -- private to event-driven runs of mechanics: contacts whose forces are
 * functions of the motion.
 *
 *   event_driven_springs.c   compliant rows: forces that depend on positions, with corners
 *   event_driven_overlaps.c  compliant contacts between shapes: forces of overlap, slip and memory
 *   event_driven_bonds.c     contacts with a tension */
#ifndef NS_SIMULATION_EVENTS_EVENT_DRIVEN_COMPLIANCE_H
#define NS_SIMULATION_EVENTS_EVENT_DRIVEN_COMPLIANCE_H

#include "base/blob.h"
#include "base/context.h"

typedef struct event_driven event_driven;

/* Compliant rows (event_driven_springs.c). */
typedef struct ns_springs {
  int n;               /* number of interactions; 0: the pointers below are NULL */
  unsigned char *side; /* side of its law on which a row is [nrows] */
  double *w;           /* argument of the last evaluation of forces [nrows] */
  double *lb, *ub;     /* bounds of forces [nrows] */
  double *gap, *A, *b; /* scratch [nrows], of one interaction */
} ns_springs;

/* Compliant contacts between shapes (event_driven_overlaps.c). */
typedef struct ns_overlap ns_overlap;
typedef struct ns_overlaps {
  int n;               /* 0: what follows is NULL */
  int width;           /* components of a spring: 3 in space, 1 in the plane */
  int first;           /* index of the first unknown of the springs */
  ns_overlap *overlap; /* [n] */
  int *of;             /* index of the overlap of an interaction, -1: none [interactions] */
  double *spring;      /* elongations in the state, m [width n] */
  const double *now;   /* those used in evaluations: `spring`, or unknowns of the flow */
} ns_overlaps;

/* ---- event_driven_springs.c ------------------------------------------------------------------ */
/* Number of interactions with compliant rows. */
int ns_ed_springs_count(const event_driven *o);
int ns_ed_springs_create(event_driven *o, ns_ctx *c);
/* Update the bounds from the laws. */
void ns_ed_springs_bound(event_driven *o);
/* Forces of compliant rows at q to o->force, outputs to springs.w; add the forces to o->a. */
void ns_ed_springs_push(event_driven *o, const double *q);
/* Power of the forces of compliant rows in o->force. */
double ns_ed_springs_power(const event_driven *o, const double *v);
/* Update the sides at the state: those of rows with a root change, others stay unless the state
 * contradicts them. */
int ns_ed_springs_decide(event_driven *o);
/* Roots at the gaps o->gap, which replace those in g [2 nrows]; beginning of a flow; after a root:
 * 1 if it is one of these; closing and opening are then set. */
void ns_ed_springs_roots(event_driven *o, double *g);
void ns_ed_springs_begin(event_driven *o);
int ns_ed_springs_fired(event_driven *o, const int *fired);

/* ---- event_driven_overlaps.c ----------------------------------------------------------------- */
/* Number the unknowns of springs after those of the motion; they are part of the error control. */
void ns_ed_overlaps_number(event_driven *o);
int ns_ed_overlaps_create(event_driven *o, ns_ctx *c);
/* Evaluate the motion at unknowns x of the flow; NULL: at the state. */
void ns_ed_overlaps_at(event_driven *o, const double *x);
/* Compute forces of overlaps and compliant rows at (t, q, v) in o->force; add them and the tension
 * of bonds to o->a. */
int ns_ed_give_way(event_driven *o, double t, const double *q, const double *v);
/* At the point of the last ns_ed_give_way, with accelerations in o->a: _rates writes the rates of
 * the springs to their entries of f [problem.n]; _power gives the power of contacts, W: the normal
 * one that is not stored, and the tangential one. */
void ns_ed_overlaps_rates(event_driven *o, double *f);
void ns_ed_overlaps_power(const event_driven *o, const double *v, double *normal, double *friction);
/* 1 if some root depends on accelerations. */
int ns_ed_overlaps_query(const event_driven *o);
/* As ns_ed_springs_decide, _roots, _begin, _fired. If ns_ed_overlaps_query, roots require the
 * motion. */
int ns_ed_overlaps_decide(event_driven *o);
/* 1 if the interaction is compliant and overlaps. */
int ns_ed_overlap_lasts(const event_driven *o, int interaction);
/* One of its bodies has ceased to be: it is apart, if the interaction is one. */
void ns_ed_overlap_ends(event_driven *o, int interaction);
int ns_ed_overlaps_roots(event_driven *o, double t, const double *x, double *g);
int ns_ed_overlaps_begin(event_driven *o);
int ns_ed_overlaps_fired(event_driven *o, const int *fired);
/* Energy stored in the state, J; that across the normal. */
double ns_ed_overlaps_energy(event_driven *o);
double ns_ed_overlaps_across(event_driven *o);
void ns_ed_overlaps_save(const event_driven *o, ns_blob *b);
void ns_ed_overlaps_restore(event_driven *o, ns_blob *b);

/* ---- event_driven_bonds.c -------------------------------------------------------------------- */
int ns_ed_bonds_create(event_driven *o, ns_ctx *c);
/* Add the tension of intact bonds at (t, q, v) to o->a. */
int ns_ed_bonds_pull(event_driven *o, double t, const double *q, const double *v);
/* That of an interaction is broken, if it has one. */
void ns_ed_bond_ends(const event_driven *o, int interaction);
/* Break the bonds of contacts that open in the present modes; *some: 1 if there were any. */
int ns_ed_bonds_break(event_driven *o, int *some);
/* Tension of row r, to be subtracted from o->force. */
double ns_ed_tension(const event_driven *o, int r);

#endif
