/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mixed_events_parts.h -- private to mixed_events*.c.
 *
 *   mixed_events.c          creation, the run, checkpoints
 *   mixed_events_flow.c     shares of the unknowns; the one flow, and how it begins anew
 *   mixed_events_push.c     multipliers of first order that act on mechanics
 *   mixed_events_instant.c  the order of things at an instant: roots, impacts, jumps, what is set
 *   mixed_events_step.c     time-stepping of all, where impacts accumulate
 *   mixed_events_output.c   one state of two: sums, rows, the certificate */
#ifndef NS_SIMULATION_EVENTS_MIXED_EVENTS_PARTS_H
#define NS_SIMULATION_EVENTS_MIXED_EVENTS_PARTS_H

#include "model/family_part.h"
#include "simulation/events/event_driven_parts.h"
#include "simulation/events/switching_parts.h"

typedef struct mixed_events mixed_events;

/* A part: its engine, on its own state, and its share of the common flow. */
typedef struct mixed_share {
  ns_event_host host;
  mixed_events *all;
  ns_family_part part;
  ns_state x;
  ns_event_run *run; /* the engine, which begins with it; NULL: there are no such systems */
  const ns_flow_problem *problem;
  size_t rest;                  /* where its unknowns behind q and v begin in those of all */
  int first_root;               /* of its own among those of all */
  const signed char *direction; /* of them, as it wants the flow to begin */
  double *own, *rate; /* its unknowns where the flow is looked at, their rates [problem->n] */
  int asks;           /* it wants the flow to begin anew */
} mixed_share;

/* Mechanics where it was last looked at: it goes on from there with constant accelerations. */
typedef struct mixed_anchor {
  double t;
  double *q, *v, *a;    /* [nq], [nv], [nv] of the part */
  double *later, *mean; /* scratch: positions [nq], velocities [nv] */
} mixed_anchor;

struct mixed_events {
  ns_event_run run; /* first */
  const ns_model *m;
  ns_state *x;
  mixed_share mechanics, order1; /* second order; first order */
  mixed_share *share[2];         /* those that there are, in this order [nshares] */
  int nshares;
  event_driven *L; /* their engines; NULL: there are no such systems */
  switching *F;
  mixed_anchor at;
  ns_hybrid_scheme scheme; /* of all systems, where impacts accumulate; on x */
  /* rows of first order act on mechanics: by these forces [nv of it], or NULL; by those when it was
   * last looked at for an event */
  double *push, *pushed;
  double *zero;              /* [nv] */
  double *scattered, *leaps; /* scratch [nv], [2 nv] */
  double *trial_rate;        /* scratch: rates of mechanics [its unknowns] */
  int flows;     /* mechanics is looked at where its share of the flow is, not at its state */
  double *q, *v; /* of all systems, where a part is evaluated [nq], [nv] */
  double *ydot;  /* of all rows, where laws are renewed [nrows] */
  ns_flow_constraints constraints; /* those of mechanics */
  double *origin, *sight, *kept;   /* [nq], [problem.n] */
  int *fired;                      /* of the parts, at the root in hand [nparts] */
  int nparts;                      /* roots of both parts */
  void *part_now; /* scratch: a state of mechanics; NULL: without contacts between shapes */
  int some;       /* the event has changed something */
  int changed;    /* a part has, since it was set to 0 */
};

/* ---- mixed_events_flow.c --------------------------------------------------------------------- */
/* What a part takes for its flow; it is that of all. */
extern const ns_flow_ops ns_mx_share_ops;
/* Unknowns of all to those of a part, and back; where those behind its q and v begin. */
void ns_mx_take(const mixed_share *s, const double *x, double *own);
void ns_mx_give(const mixed_share *s, const double *own, double *x);
size_t ns_mx_own_rest(const mixed_share *s);
/* What mechanics reads where first-order systems are at x; what these read after ns_ed_output. */
void ns_mx_place_first_order(mixed_events *o, const double *x);
void ns_mx_anchor_state(mixed_events *o);
/* Both parts at the unknowns x: mechanics, whose rates are known from then on, and what reads it.
 */
int ns_mx_stand(mixed_events *o, double t, const double *x);
/* ns_event_host.others of both. */
ns_others ns_mx_read_by_mechanics(void *of, double t, const double *q, const double *v);
ns_others ns_mx_read_by_first_order(void *of, double t, const double *x, const double *none);
/* ns_event_run_certify. The certificate travels by the functions of the flow, and what one part
 * reads of the other is where it came to: from then on that is at the unknowns again. */
int ns_mx_certify(void *of, int event);
/* ns_event_family.forces, .sized */
int ns_mx_forces(void *of, double t, const double *x, double *rate);
int ns_mx_sized(void *of, int *some);
/* Functions of o->run.problem. */
void ns_mx_flow_functions(mixed_events *o);
int ns_mx_roots(void *self, double t, const double *x, double *g); /* ns_event_family.roots */
int ns_mx_point(void *of, const double *x, const double **q, const double **v);
/* Both parts have done what they do: the flow goes on from there, or from the unknowns that they
 * have. */
int ns_mx_begin_flow(void *of); /* ns_event_family.go_on */
int ns_mx_restart(mixed_events *o);

/* ---- mixed_events_push.c --------------------------------------------------------------------- */
/* Images of mechanics (family_part.h) are in x of first order as its state has them, and back; 1:
 * first order has changed them. */
void ns_mx_to_images(mixed_events *o);
int ns_mx_from_images(mixed_events *o);
/* Velocities of those in x of first order, for what reads them. */
void ns_mx_place_images(mixed_events *o, const double *x);
/* Forces on mechanics are others than when it was last looked at for an event: it is to be again;
 * from now on they are these. */
int ns_mx_pushes_anew(mixed_events *o);
/* ns_event_host.responds_alike, .push, .strike of first order. */
int ns_mx_responds_alike(void *of);
int ns_mx_push(void *of, double t, const double *x, const double *force, double *rate);
int ns_mx_strike(void *of, double t, const double *x, const double *impulse, double *jump);

/* ---- mixed_events_instant.c ------------------------------------------------------------------ */
/* What a part leaves to all. */
ns_event_host ns_mx_host(mixed_share *s);
/* First order at an event; *jumped: its state, or forces on mechanics, are others from then on.
 * What is left to do where one of both has to be looked at. */
int ns_mx_decide_first_order(mixed_events *o, int *jumped);
int ns_mx_settle(mixed_events *o, int mechanics, int first_order);
int ns_mx_decided(void *of, int *some); /* ns_event_family.decided, .over */
void ns_mx_over(void *of);
int ns_mx_root(void *of, double since, double t); /* ns_event_family.root */

/* ---- mixed_events_step.c --------------------------------------------------------------------- */
int ns_mx_scheme_create(mixed_events *o, ns_ctx *c);
/* Time-stepping is under way. */
static inline int ns_mx_steps(const mixed_events *o) { return o->L && o->L->hybrid.active; }
/* Mechanics has taken over to it; forces are others. */
int ns_mx_steps_from(mixed_events *o);
/* ns_event_host.march, .leave of mechanics. */
int ns_mx_march(void *of, double t1, double h);
int ns_mx_leave(void *of);

/* ---- mixed_events_output.c ------------------------------------------------------------------- */
/* Time and step for both parts; with these what was set from outside. */
void ns_mx_synchronise(mixed_events *o);
void ns_mx_hand_out(mixed_events *o);
/* Coordinates and velocities of a part, in the state of the run. */
void ns_mx_give_motion(const mixed_share *s);
/* The state of the run from those of the parts, as these were output last. */
void ns_mx_collect(mixed_events *o);
void ns_mx_collect_sums(mixed_events *o);
/* All that follows from the state, of both parts. */
int ns_mx_output(mixed_events *o);
const ns_contact_record *ns_mx_contacts(void *of, size_t *n); /* ns_event_family.contacts */
int ns_mx_certificate_create(mixed_events *o, ns_ctx *c);

#endif
