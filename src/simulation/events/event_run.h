/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_run.h -- an event-driven run: what all families of systems have in common.
 *
 * A step of the grid is a chain of stretches. Each goes to the next point of the grid, to the next
 * scheduled event of the user, or to what the flow meets before: a root, or a formula that changes
 * its branch (branches.h). What is there is dealt with, and the next stretch begins. Controls
 * sample first. Where an interval of the certificate ends, checkpoints are taken and rows are
 * recorded is told by the family at each of these.
 *
 * What differs between families is a table of operations: their state vector and its flow, whose
 * roots they are, the modes after an event, what a row shows. The struct is the first member of
 * that of a family, so that both are one object; all of its functions return a status, with a
 * sentence in the context where it is not NS_OK. Nothing allocates. */
#ifndef NS_SIMULATION_EVENTS_EVENT_RUN_H
#define NS_SIMULATION_EVENTS_EVENT_RUN_H

#include "integrators/flow.h"
#include "model/observables.h"
#include "simulation/events/branches.h"
#include "simulation/events/event_certificate.h"
#include "simulation/events/flow_passage.h"
#include "simulation/record/recorder.h"
#include "simulation/step/controls.h"
#include "simulation/step/user_events.h"

/* Who has moved the state in a stretch. */
typedef enum ns_stretch {
  NS_STRETCH_FLOW,  /* nobody yet: the flow is to */
  NS_STRETCH_DONE,  /* something else, which has dealt with all that it met */
  NS_STRETCH_AT_END /* something else, up to the end */
} ns_stretch;

typedef struct ns_event_family {
  /* A step of the grid: before controls sample, and after. */
  int (*begin)(void *of);
  int (*ready)(void *of);
  /* Controls are to sample; they have, and inputs are others. */
  int (*sampling)(void *of);
  int (*sampled)(void *of);
  /* A stretch to t1, or to a scheduled event at `due` before it, begins; NULL: the flow makes all
   * of them. */
  int (*stretch)(void *of, double t1, double due, double *end, ns_stretch *how);
  /* The flow has come to `unknown` at t: that is the state. A root of it, since `since`. */
  void (*come)(void *of, double t);
  int (*root)(void *of, double since, double t);
  /* An interval of the certificate ends here if it is due; by an event it does. */
  int (*certify)(void *of, int event);
  /* For events of the user and branches (user_events.h). */
  int (*output)(void *of);
  void (*report)(void *of);  /* what only a recorded row needs; NULL: nothing */
  int (*contacts)(void *of); /* between shapes, of a row, to the recorder; NULL: there are none */
  int (*changed)(void *of);
  /* The state is that of a point of the grid; after it has been counted. */
  int (*show)(void *of, double t1);
  int (*mend)(void *of);
} ns_event_family;

/* The run that another one is a part of (mixed_events.h): it has the flow, the certificate, the
 * recorder and formulas that jump. Functions return a status. */
typedef struct ns_event_host {
  void *of;
  const ns_flow_ops *ops; /* of the part: a restart tells the host that all begins anew */
  ns_event_certificate *certificate; /* borrowed; NULL: nothing checks */
  const size_t *row;                 /* of each row of the part, where it is among those of all */
  /* What the part reads of others where it is evaluated at (t, q, v) of its own; v NULL: it has
   * none. Valid until the next call. */
  ns_others (*others)(void *of, double t, const double *q, const double *v);
  /* Laws of the part are those of (t, q, v) of its own and ydot of its rows; NULL: they are
   * numbers. */
  int (*laws)(void *of, double t, const double *q, const double *v, const double *ydot);
  int (*certify)(void *of, int event);
  /* Forces of others on mechanics, as they are where it is evaluated [nv]; NULL: there are none. */
  const double *pushed;
  /* Of a part of first order with images (family_part.h): their rates at (t, x) of its own under
   * the forces that its multipliers are for them; how they jump by such impulses [images]. > 0:
   * cannot be evaluated there. */
  int (*push)(void *of, double t, const double *x, const double *force, double *rate);
  int (*strike)(void *of, double t, const double *x, const double *impulse, double *jump);
  int (*jumped)(void *of);          /* the state of the part has jumped: formulas, too? */
  int (*moved)(void *of, double t); /* the event turned out to be at an earlier t */
  void (*changed)(void *of);        /* the event has changed something: both rows are wanted */
  int (*tell)(void *of, const ns_event *e);
  int (*blame)(void *of); /* the sentence of what is not finite at the state */
  int nuser;              /* conditions of the user that are roots */
  /* Of mechanics, where impacts accumulate: a time-stepping step of all systems to t1, h long;
   * lambda are impulses before it and after. Events again, in all of them. */
  int (*march)(void *of, double t1, double h);
  int (*leave)(void *of);
} ns_event_host;

typedef struct ns_event_run {
  const ns_event_family *family;
  const ns_event_host *host; /* borrowed; NULL: this run is no part of another */
  const ns_model *m;
  ns_state *x;
  ns_controls *controls; /* NULL: none */
  ns_observables observables;
  ns_event_certificate *certificate; /* the host's where there is one; NULL: nothing checks */
  const ns_flow_ops *ops;
  void *flow;
  double *unknown;         /* of the flow, as it was left */
  ns_branches *branches;   /* of formulas that jump; NULL: none does */
  ns_flow_passage passage; /* what measures see of the motion */
  ns_ctx *c;               /* of the call that is under way */
  ns_recorder *rec;        /* of the step that is under way, may be NULL */
  int events;              /* in this step */
  int jumps;               /* of formulas in this step, at times that depend on the state */
  double sampled;          /* when a sample was taken last; -inf: never */
  /* of checkpoints: the flow has just been restarted; NULL: nobody asks */
  void (*take)(void *to);
  void *take_to;
  /* events of the user */
  ns_user_events *user;      /* borrowed; NULL: none */
  int nuser;                 /* roots of theirs, behind those of the family */
  unsigned char *user_fired; /* [nuser] */
  int stopped;               /* one of them ended the run */
  int switching;             /* a formula is changing its branch */
} ns_event_run;

/* For ns_strategy_ops of a family; self begins with an ns_event_run. */
int ns_event_run_step(void *self, ns_ctx *c, ns_recorder *rec);
void ns_event_run_own(void *self, ns_user_events *u);
void ns_event_run_anchored(void *self, void (*take)(void *to), void *to);

/* A row of the run among those of all, for what is said of it; -1, of none, stays. */
static inline int ns_event_run_row(const ns_event_run *r, int row)
{
  return r->host && row >= 0 ? (int)r->host->row[row] : row;
}
/* The flow has just been restarted: a checkpoint may be taken. */
static inline void ns_event_run_anchor(ns_event_run *r)
{
  if (r->take) r->take(r->take_to);
}
/* Observables and, of a run that has no host, controls. What the run has goes with _fini. */
int ns_event_run_init(ns_event_run *r, ns_ctx *c);
void ns_event_run_fini(ns_event_run *r);
/* Conditions of the user that are roots. */
int ns_event_run_conditions(const ns_model *m);
/* Which of them bend (step_roots.h), to bends [that]. NS_NOMEM. */
int ns_event_run_bends(const ns_model *m, unsigned char *bends);
/* The flow of the problem p, with formulas that jump as switches of its own. Measures follow its
 * motion, whose state show(r, t) makes of the unknowns. */
int ns_event_run_flow(ns_event_run *r, ns_ctx *c, const ns_flow_problem *p, ns_arena *mem,
                      int (*show)(void *of, double t));
/* The certificate of the flow of p, or the host's; the rest of `what` is filled in here. */
int ns_event_run_certified(ns_event_run *r, ns_ctx *c, const ns_flow_problem *p, ns_certified what);
/* The flow was restarted from r->unknown: an interval of the certificate begins. */
void ns_event_run_certify_from(ns_event_run *r);
/* It has come there: the interval ends if it is due; by an event it does. */
int ns_event_run_certify(void *run, int event);
/* For checkpoints: the sample, the certificate and the flow. */
void ns_event_run_save(const ns_event_run *r, ns_blob *b);
void ns_event_run_restore(ns_event_run *r, ns_blob *b);
/* The state has jumped. */
int ns_event_run_jumped(ns_event_run *r);
/* A line of the table of events; where nobody records, none. */
int ns_event_run_tell(ns_event_run *r, const ns_event *e);
/* A row of the state, which `side` of an event it is: observables, contacts, all that is recorded.
 */
int ns_event_run_row_of(void *run, double side);
/* An event is over, and told: the state after it is shown to those who listen, so that rows have
 * what these make of it; then rows of both sides of it. before: the state before it, of the size of
 * that of the run, which stands in for that after it as long as its row takes; NULL: no rows. */
int ns_event_run_passed(ns_event_run *r, void *before);
/* Roots of the user, of which `fired` [nuser] tells, 1 where one rises, -1 where one falls, to
 * user_fired: those of the direction that is wanted. Flows look for both: one that is not wanted
 * comes before the other where a condition ceases to hold, or holds, for less than a step. 1: there
 * are some. */
int ns_event_run_note(ns_event_run *r, const int *fired);
/* Those happen. Formulas change their branch here. */
int ns_event_run_fired(ns_event_run *r);
int ns_event_run_switch(ns_event_run *r);

#endif
