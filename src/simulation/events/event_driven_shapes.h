/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_shapes.h -- private to event-driven runs of mechanics: contacts between shapes.
 *
 *   event_driven_regions.c  the regions of a gap, as modes; results with places
 *   event_driven_near.c     bodies and meshes: which of their many gaps have rows */
#ifndef NS_SIMULATION_EVENTS_EVENT_DRIVEN_SHAPES_H
#define NS_SIMULATION_EVENTS_EVENT_DRIVEN_SHAPES_H

#include "base/blob.h"
#include "base/context.h"
#include "simulation/record/sink.h"

typedef struct event_driven event_driven;

/* Contacts between shapes (event_driven_regions.c). */
typedef struct ns_ed_regions {
  int root; /* index of the first of their roots, one for each */
  /* distance of the root beyond the end of its region, m; 0: open [gaps] */
  double *lead;
  int turned;                /* a closed one has entered another region at this event, */
  unsigned char *turns;      /* these [gaps] */
  ns_contact_record *record; /* from the last ns_ed_contacts [gaps] */
} ns_ed_regions;

/* Gaps of bodies and meshes, of which the near ones have rows (event_driven_near.c). */
typedef struct ns_ed_near {
  int root;             /* index of their root; -1: there are none */
  int *was;             /* scratch: indices of the gaps of shapes [gaps] */
  unsigned char *stays; /* scratch [gaps] */
} ns_ed_near;

/* ---- event_driven_regions.c ------------------------------------------------------------------ */
/* Call after the other roots have been numbered. */
int ns_ed_regions_create(event_driven *o, ns_ctx *c);
/* At an event: choose the regions of all contacts, slightly ahead of the motion, except compliant
 * ones and those struck in it. Returns 1 if some have changed, with their rows. Beginning of a
 * flow: open contacts have no region. */
int ns_ed_regions_choose(event_driven *o);
/* With the rows of these: a corner that comes to a surface where that ends goes past it. */
void ns_ed_regions_chosen(event_driven *o);
void ns_ed_regions_begin(event_driven *o);
/* Remove all regions when time-stepping begins. */
void ns_ed_regions_free(event_driven *o);
/* Update the region of a gap with several regions to the one slightly ahead of the motion. Returns
 * 1 if it has changed. */
int ns_ed_region_turns(event_driven *o, int interaction);
/* After an event: an open contact that was struck has the velocity along its impulse. The nearest
 * region, which it has from now on, may be another one where that ends. */
void ns_ed_regions_struck(event_driven *o);
/* Roots at unknowns x of the flow; after a root: 1 if it is one of these. */
void ns_ed_regions_roots(event_driven *o, const double *x, double *g);
int ns_ed_regions_fired(const event_driven *o, const int *fired);
/* End of an event: none has turned yet. */
void ns_ed_regions_over(event_driven *o);
/* Record an event of an interaction; for a contact between shapes with the names of the shapes and
 * the position. */
int ns_ed_report(event_driven *o, ns_event *e);
/* Contacts with forces in the state; borrowed until the next call. */
const ns_contact_record *ns_ed_contacts(event_driven *o, size_t *n);
void ns_ed_regions_save(const event_driven *o, ns_blob *b);
void ns_ed_regions_restore(event_driven *o, ns_blob *b);

/* ---- event_driven_near.c --------------------------------------------------------------------- */
/* Call after the other roots have been numbered. */
int ns_ed_near_create(event_driven *o, ns_ctx *c);
/* At the state: give rows to what is near, of bodies that have moved by more than this part of
 * their margin. *changed |= 1 if some rows are those of other gaps: o->gap is then old. */
int ns_ed_near_look(event_driven *o, double part, int *changed);
/* Bodies and meshes that have come to be get theirs (event_driven_life.c). */
int ns_ed_near_born(event_driven *o, int *changed);
#define NS_ED_NEAR_ENOUGH 0.5 /* this part, where the flow begins anew in any case */
/* Root at unknowns x of the flow, where a body has moved by its margin. */
void ns_ed_near_roots(event_driven *o, const double *x, double *g);
int ns_ed_near_fired(const event_driven *o, const int *fired);
/* After such a root: the flow begins anew. */
int ns_ed_near_renew(event_driven *o);
void ns_ed_near_save(const event_driven *o, ns_blob *b);
void ns_ed_near_restore(event_driven *o, ns_blob *b);

#endif
