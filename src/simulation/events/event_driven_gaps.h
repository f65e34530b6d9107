/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_gaps.h -- private to event-driven runs of mechanics: when open gaps close.
 *
 *   event_driven_gaps.c     coordinates of the motion; gaps between events, by phases
 *   event_driven_inspect.c  roots in pairs within one step
 *   event_driven_far.c      gaps between shapes that are too far apart to close
 *   event_driven_life.c     those of bodies and shapes that exist for a part of the run */
#ifndef NS_SIMULATION_EVENTS_EVENT_DRIVEN_GAPS_H
#define NS_SIMULATION_EVENTS_EVENT_DRIVEN_GAPS_H

#include "base/blob.h"
#include "base/context.h"
#include "model/model.h"

typedef struct event_driven event_driven;

/* Phase of an open gap (event_driven_gaps.c): above contact; opening since it was closed; or the
 * same with a flight that is high. */
typedef enum ns_ed_phase { NS_ED_ABOVE, NS_ED_DEPARTS, NS_ED_DEPARTS_HIGH } ns_ed_phase;

/* Values of root functions at the steps of the flow (event_driven_inspect.c). */
typedef struct ns_inspection {
  /* start: values at the beginning of the next step; before: at the beginning of the previous one,
   * whose length is given in s */
  int known;
  double length;
  double *before, *start, *end; /* [nroots] */
  double *value;                /* values in between [nroots] by parts */
  double *trial, *x;            /* scratch [nroots], [problem.n] */
  /* time of the last root found here inside a step, s; inf: none */
  double inside;
  int rest; /* the inspected interval is the rest of that step */
  /* or a part of a step before its end, whose signs the flow does not know */
  int inside_step;
  int found;  /* the last root of the flow was found here, */
  int *fired; /* with these functions [nroots] */
} ns_inspection;

/* Contacts between shapes that are far from each other (event_driven_far.c). */
typedef struct ns_ed_far {
  /* 1: the interaction may be one of them, by its own gap [interactions]; NULL: none */
  unsigned char *may;
  /* pairs of shapes, whose gaps follow each other: the first gap of each [npairs + 1]; the pair of
   * each gap [gaps] */
  int npairs, *first, *pair;
  double *apart;       /* distance of the shapes at least when the flow began, m [npairs] */
  unsigned char *away; /* 1: they cannot have met since, where last looked at [npairs] */
  double from;         /* time at which the flow began, s */
  double *radius;      /* radius of the shapes of a system about its origin, m [nsystems] */
  double *fastest;     /* maximum velocity of their points when the flow began, m/s [nsystems] */
  /* upper bound of the distance that they have moved since then, m [nsystems] */
  double *path;
  double *speed; /* ydot when the flow began [nrows] */
} ns_ed_far;

/* Bodies and shapes with births and deaths (event_driven_life.c). */
typedef struct ns_ed_life {
  unsigned char *away;  /* 1: the system does not exist now [nsystems]; NULL: all always exist */
  unsigned char *gone;  /* 1: a shape of this gap does not exist now [gaps] */
  unsigned char *comes; /* 1: the gap has come to be at the event in hand [gaps] */
  int *which;           /* gap.which while they exist [gaps] */
  int *there, nthere;   /* interactions that exist, ascending [interactions] */
  double *ones;         /* roots of what does not exist [2 nrows] */
} ns_ed_life;

/* ---- event_driven_gaps.c --------------------------------------------------------------------- */
/* Positions of unknowns of the flow, in scratch that the next call uses again. */
const double *ns_ed_positions(event_driven *o, const double *x);
/* y and ydot at unknowns x of the flow, of the interactions with asked[i] != 0; NULL: of all. 1:
 * some are not finite. */
int ns_ed_gaps(event_driven *o, double t, const double *x, const unsigned char *asked, double *gap,
               double *speed);
/* m: by how much a gap with this ydot is unknown at the time of the state, due to its rounding. */
double ns_ed_gap_instant(const event_driven *o, double speed);
/* The flow is to begin at the state: where its coordinates begin, with all that follows. */
void ns_ed_gaps_place(event_driven *o);
int ns_ed_gaps_begin(event_driven *o);
/* Both roots of an open gap; that of drift. */
void ns_ed_gap_roots(const event_driven *o, int r, double *g, double *more);
double ns_ed_drift_root(const event_driven *o);
/* Called after a step of a flow that inspects: gaps that turned high above contact no longer
 * depart. */
void ns_ed_gaps_stepped(event_driven *o);
/* After a root: determine what closes and opens; *some: 1 if anything does. */
int ns_ed_gaps_fired(event_driven *o, const int *fired, int *some);
/* Go back to the first of the roots that the flow has passed by more than tolerances, behind a
 * minimum or by its own rounding of t, if there are any; the event is then there. */
int ns_ed_look_back(event_driven *o, double since, double *t);

/* ---- event_driven_inspect.c ------------------------------------------------------------------ */
int ns_ed_inspect_create(event_driven *o);
/* ns_flow_problem.inspect. */
int ns_ed_inspect(void *self, double from, double to, double *root);
/* Whose root it is that the flow has come to: +1, -1, 0 [nroots]. */
const int *ns_ed_fired(const event_driven *o);

/* ---- event_driven_far.c ---------------------------------------------------------------------- */
int ns_ed_far_create(event_driven *o, ns_ctx *c);
/* A flow begins at the state. */
void ns_ed_far_place(event_driven *o);
/* It is looked at with positions q and velocities v. */
void ns_ed_far_look(event_driven *o, double t, const double *q, const double *v);
/* 1: interaction i is one of several gaps of two shapes that are apart at q by *apart, m, which is
 * computed at the first of them. */
int ns_ed_is_apart(const event_driven *o, int i, const double *q, double *apart);
/* 1: interaction i is a gap that cannot have closed since the flow began, where it was last looked
 * at. */
int ns_ed_is_far(const event_driven *o, int i);

/* ---- event_driven_life.c --------------------------------------------------------------------- */
int ns_ed_life_create(event_driven *o, ns_ctx *c);
/* Before near gaps and regions are restored. */
void ns_ed_life_save(const event_driven *o, ns_blob *b);
void ns_ed_life_restore(event_driven *o, ns_blob *b);
/* ns_event_family.lives */
int ns_ed_life_turn(void *of);
/* 1: the interaction is a gap of which a shape does not exist; one that has come to be at the event
 * in hand. */
int ns_ed_is_gone(const event_driven *o, int interaction);
int ns_ed_comes(const event_driven *o, int interaction);
/* 1: velocity j of all is one of a body that does not exist. */
int ns_ed_body_is_away(const event_driven *o, int j);
/* To zero what bodies that do not exist have of accelerations [nv], and of rates of positions
 * [nq]. */
void ns_ed_life_stay(const event_driven *o, double *of_v);
void ns_ed_life_rest(const event_driven *o, double *of_q);

#endif
