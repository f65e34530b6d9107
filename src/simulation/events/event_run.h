/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_run.h -- event-driven runs, of systems of any kind.
 *
 * A step of the grid is a sequence of stretches. Each ends at the next point of the grid, at the
 * next sampling time of a control or scheduled user event, or, if earlier, at a root or a change of
 * branch of a formula (branches.h), which is then processed. Controls are sampled before the
 * stretch that begins at their time. The family decides at each of these points whether an interval
 * of the certificate ends, a checkpoint may be taken and rows are recorded.
 *
 * What does not depend on the kind of systems is here, once: the strategy; creation; the flow, its
 * unknowns, roots of the user and roots within steps; names and places of what fails; the state
 * before an event, rows and events; the certificate; checkpoints. A family has the mathematics:
 *
 *   ns_mechanics_events  event_driven.h  rates, modes of contacts, impacts
 *   ns_switching         switching.h     rates, modes of rows, jumps
 *   ns_mixed_events      mixed_events.h  both, each as a run of its own on its part of the model:
 *                                        one flow, in which each has a share, and their order at an
 *                                        event
 *
 * A run that is part of another one (ns_event_host) has no flow, certificate, controls or recorder:
 * the functions here pass what it does to the host. The struct is the first member of the struct of
 * a family, so that both are one object. All functions return a status, with a message in the
 * context if it is not NS_OK. Nothing allocates. */
#ifndef NS_SIMULATION_EVENTS_EVENT_RUN_H
#define NS_SIMULATION_EVENTS_EVENT_RUN_H

#include "integrators/flow.h"
#include "model/observables.h"
#include "simulation/events/branches.h"
#include "simulation/events/event_certificate.h"
#include "simulation/events/event_sizes.h"
#include "simulation/events/flow_passage.h"
#include "simulation/events/step_roots.h"
#include "simulation/record/recorder.h"
#include "simulation/step/controls.h"
#include "simulation/step/strategy.h"
#include "simulation/step/user_events.h"

/* How the state is advanced in a stretch. */
typedef enum ns_stretch {
  NS_STRETCH_FLOW,  /* by the flow */
  NS_STRETCH_DONE,  /* done by another method, including events */
  NS_STRETCH_AT_END /* advanced by another method to the end */
} ns_stretch;

typedef struct ns_event_family {
  size_t size; /* of the struct of a run, which begins with an ns_event_run */
  /* Create everything behind the ns_event_run, which is ready but for its observables, flow and
   * certificate. _fini: also after a failure; the arena is the run's. */
  int (*fill)(void *of, ns_ctx *c);
  void (*fini)(void *of);
  void (*describe)(const void *of, ns_plan *plan); /* all but strategy and integrator */
  int (*start)(void *of); /* ns_strategy_ops.start, watch; NULL: no one-step problems */
  int (*watch)(void *of, ns_ctx *c, const ns_watch *w);
  /* Data of a checkpoint behind those of the run. resume: all is restored; restart the flow. */
  int (*savable)(const void *of); /* NULL: always */
  void (*save)(const void *of, ns_blob *b);
  void (*restore)(void *of, ns_blob *b);
  int (*resume)(void *of);
  /* Beginning of a step of the grid: before controls sample, and after. */
  int (*begin)(void *of);
  int (*ready)(void *of);
  /* Before controls sample; after they have sampled, when inputs have changed. */
  int (*sampling)(void *of);
  int (*sampled)(void *of);
  /* Beginning of a stretch to t1, or to a scheduled event at `due` before it; NULL: the flow
   * advances all stretches. */
  int (*stretch)(void *of, double t1, double due, double *end, ns_stretch *how);
  /* All root functions at unknowns x of the flow, without what is found within its steps; those of
   * the user by ns_event_run_user_roots. */
  int (*roots)(void *of, double t, const double *x, double *g);
  /* Positions and velocities at unknowns x of the flow; 0: none, also for x NULL, unless the last
   * evaluation was elsewhere than at the state. */
  int (*point)(void *of, const double *x, const double **q, const double **v);
  /* The flow has reached `unknown` at t: make it the state. root: process a root there; `since`:
   * beginning of the stretch. */
  void (*come)(void *of, double t);
  int (*root)(void *of, double since, double t);
  /* Some bodies or shapes are born or die at the time of the state: they come and go. `changed` is
   * called next. NULL: there are none. */
  int (*lives)(void *of);
  /* End the interval of the certificate: at an event, otherwise if it is due. */
  int (*certify)(void *of, int event);
  /* Sizes of the accelerations that forces make at unknowns x, where the rate was asked for last,
   * also those that others balance, to rate [problem.n], which is 0. NULL: none. */
  int (*forces)(void *of, double t, const double *x, double *rate);
  /* Sizes of the motion from unknown[] are known (event_sizes.h): take tolerances by them. *some =
   * 1: others than before, for which the flow begins anew. NULL: none. */
  int (*sized)(void *of, int *some);
  /* The end of an event, ns_event_run_close. go_on: its modes are known, restart the flow.
   * decided: evaluate the state, verify and count the event; *some = 1 if it has changed something.
   * tell: add its lines to the table; NULL: none. over: its data are no longer needed. */
  int (*go_on)(void *of);
  int (*decided)(void *of, int *some);
  int (*tell)(void *of);
  void (*over)(void *of);
  /* For user events and branches (user_events.h). */
  int (*output)(void *of);
  void (*report)(void *of); /* compute data needed only in recorded rows; NULL: none */
  /* Contacts between shapes in the state, borrowed until the next call; NULL, or returns NULL: the
   * model has none. */
  const ns_contact_record *(*contacts)(void *of, size_t *n);
  int (*changed)(void *of);
  /* show: compute outputs at a point of the grid. mend: called after the step was counted; corrects
   * drift. */
  int (*show)(void *of, double t1);
  int (*mend)(void *of);
} ns_event_family;

/* What a run that is part of another one (mixed_events.h) takes from it. Functions return a
 * status. */
typedef struct ns_event_host {
  void *of;
  struct ns_event_run *run; /* the host */
  const ns_flow_ops *ops;   /* flow of the part: a restart requests a restart of the host's flow */
  const size_t *row;        /* index of each row of the part among all rows */
  const int *interaction;   /* and of each interaction */
  /* Variables of other systems for the part at its (t, q, v); v NULL: it has none. Valid until the
   * next call. */
  ns_others (*others)(void *of, double t, const double *q, const double *v);
  /* Update the laws of the part for its (t, q, v) and ydot of its rows; NULL: parameters are
   * numbers. */
  int (*laws)(void *of, double t, const double *q, const double *v, const double *ydot);
  /* Current forces of other systems on mechanical systems [nv]; NULL: none. */
  const double *pushed;
  /* For a first-order part with images (family_part.h): push: rates of the images at its (t, x)
   * under forces, its multipliers; strike: jumps of the images due to impulses [images]. > 0:
   * cannot be evaluated there. */
  int (*push)(void *of, double t, const double *x, const double *force, double *rate);
  int (*strike)(void *of, double t, const double *x, const double *impulse, double *jump);
  /* 1: accelerations are linear in the forces by constant factors, in the modes of now. */
  int (*responds_alike)(void *of);
  int (*jumped)(void *of);          /* the state of the part has jumped: update branches */
  int (*moved)(void *of, double t); /* the event was found to be at an earlier t */
  void (*changed)(void *of);        /* the event has changed something: record both rows */
  /* For mechanical systems with accumulating impacts. march: a time-stepping step of all systems to
   * t1 of length h; lambda are impulses before and after it. leave: return to events in all
   * systems. */
  int (*march)(void *of, double t1, double h);
  int (*leave)(void *of);
} ns_event_host;

typedef struct ns_event_run {
  const ns_event_family *family;
  const ns_event_host *host; /* borrowed; NULL: not a part of another run */
  const ns_model *m;
  ns_state *x;
  ns_arena *mem;
  ns_controls *controls; /* NULL: none */
  ns_observables observables;
  ns_event_certificate *certificate; /* that of the host, if there is one; NULL: no verification */
  double lived; /* births and deaths up to this time have happened; +inf: there are none */
  const ns_flow_ops *ops;
  void *flow;
  ns_flow_problem problem; /* of the flow */
  double *unknown, *atol;  /* its unknowns at its last point, their tolerances [problem.n] */
  double *least;           /* what rounding leaves of these [problem.n] */
  ns_event_sizes sizes;    /* that those follow which the model does not give */
  int looking;             /* 1: they are being looked for */
  signed char *direction;  /* of roots [problem.nroots] */
  unsigned char *passing;  /* 1: a root that changes nothing [problem.nroots] */
  ns_branches *branches;   /* of formulas with jumps; NULL: none */
  ns_flow_passage passage; /* the motion for measures */
  /* An evaluation was not finite, and where the last such one was [nq], [nv], [nrows]. */
  int lapsed;
  double bad_t, *bad_q, *bad_v, *bad_lambda;
  int bad;          /* index of an unknown that was not finite in the last evaluation; -1: none */
  void *before;     /* the state before the event in hand [x->bytes] */
  ns_ctx *c;        /* of the call that is under way */
  ns_recorder *rec; /* of the current step, may be NULL */
  int events;       /* in this step */
  int jumps;        /* jumps of formulas in this step at times that depend on the state */
  int bare;         /* the event in hand gets no rows of its own: they are the user's */
  double sampled;   /* time of the last sample; -inf: none yet */
  /* for checkpoints: called after a restart of the flow; NULL: no checkpoints */
  void (*take)(void *to);
  void *take_to;
  /* events of the user */
  ns_user_events *user;  /* borrowed; NULL: none */
  int nuser, first_user; /* their roots: number, index of the first */
  int anew;              /* 1: the flow has been restarted, and has not looked at them yet */
  ns_state trial;        /* where their conditions are evaluated: vectors of its own, and time */
  double trial_t;
  /* Roots looked for within steps of the flow, from this index on: those of the user at least. */
  int first_within;
  ns_step_roots dips;
  double *within, *within_roots; /* scratch: unknowns, roots there [problem.n + 1], [nroots] */
  unsigned char *user_fired;     /* [nuser] */
  int marked;                    /* 1: their conditions are kept as before the event, for jumps */
  int stopped;                   /* 1: one of them ended the run */
  int switching;                 /* 1: a formula is changing its branch */
} ns_event_run;

/* EventDriven, for systems of any kind; the family is that of the model (model.h). */
extern const ns_strategy_ops ns_event_driven;

/* Create a run of a family for a model, which may be part of `host` (NULL: none), destroy it. */
int ns_event_run_create(ns_ctx *c, const ns_event_family *family, const ns_model *m, ns_state *x,
                        const ns_event_host *host, void **self);
void ns_event_run_destroy(void *self); /* NULL-safe */
/* ns_strategy_ops.savable, save and restore, also for a run that is part of another one. */
int ns_event_run_savable(const void *self);
void ns_event_run_save(const void *self, ns_blob *b);
void ns_event_run_restore(void *self, ns_blob *b);

/* Index of a row of the run among all rows, for messages and events; -1 remains -1. */
static inline int ns_event_run_row(const ns_event_run *r, int row)
{
  return r->host && row >= 0 ? (int)r->host->row[row] : row;
}
/* The run that has the flow. */
static inline ns_event_run *ns_event_run_whole(ns_event_run *r)
{
  return r->host ? r->host->run : r;
}
/* The flow has just been restarted: a checkpoint may be taken. */
static inline void ns_event_run_anchor(ns_event_run *r)
{
  if (r->take) r->take(r->take_to);
}
/* Create observables and, for a run without host, controls. */
int ns_event_run_init(ns_event_run *r, ns_ctx *c);
/* Begin r->problem: what it does not get from the family, and nuser. NS_NOMEM. */
int ns_event_run_problem(ns_event_run *r, ns_ctx *c, ns_flow_problem p);
/* Once its unknowns and roots are numbered: vectors of the size of these, and what looks for roots
 * within steps. r->first_user and first_within are set. NS_NOMEM. */
int ns_event_run_look(ns_event_run *r);
/* ns_flow_problem.roots. */
int ns_event_run_roots(void *self, double t, const double *x, double *g);
/* Roots of the user at r->trial, at t. */
int ns_event_run_user_roots(ns_event_run *r, double t, double *g);
/* Begin the flow from r->unknown, with roots in r->direction, and an interval of the
 * certificate. */
int ns_event_run_restart(ns_event_run *r);
/* Create the flow of r->problem, with formulas that jump as switches. */
int ns_event_run_flow(ns_event_run *r, ns_ctx *c);
/* Create the certificate of the flow, or use that of the host; completes `what`. */
int ns_event_run_certified(ns_event_run *r, ns_ctx *c, ns_certified what);
/* The flow has reached r->unknown: the interval ends at an event, otherwise if it is due. */
int ns_event_run_certify(void *run, int event);
/* Called after a jump of the state: updates branches. */
int ns_event_run_jumped(ns_event_run *r);
/* Add an event to the table of events, if it is recorded. */
int ns_event_run_report(ns_event_run *r, const ns_event *e);
/* Coordinate and place of an unknown of the flow, or of r->bad if there is one
 * (ns_flow_problem.name, place); "file.xml:3: <interaction id="d">" of a row, with its device in a
 * circuit, -1: of the simulation. buf [NS_FLOW_PLACE]. */
const char *ns_event_run_name(void *run, size_t i, char *buf, size_t size);
const char *ns_event_run_unknown_place(void *run, size_t i, char *buf);
const char *ns_event_run_place(const void *run, int row, char *buf);
/* Note such an evaluation; fail with what was not finite there or at x, at t or the end of a step
 * from it (ns_flow_problem.blame). NS_OK: nothing is found. */
void ns_event_run_lapse(ns_event_run *r, double t, const double *q, const double *v,
                        const double *lambda);
int ns_event_run_blame(void *run, ns_ctx *c, double t, const double *x, double within);
/* Steps and evaluations of the flow so far, to the certificate of the state. */
void ns_event_run_count_work(ns_event_run *r);
/* Output the state and keep it as that before an event; _open: also pass it to listeners. */
int ns_event_run_keep(void *run);
int ns_event_run_open(ns_event_run *r);
/* The same entry as `of`, which is one of the state, before the event. */
const double *ns_event_run_before(const ns_event_run *r, const double *of);
/* The state after an event was output and is counted, with the event if it has changed
 * something. */
void ns_event_run_count(ns_event_run *r, int changed);
/* The end of an event that was opened and is decided, in each family: the flow begins anew, the
 * table gets its lines, listeners the state after it, results the rows of both sides, and a
 * checkpoint may be taken. rc: of the event so far; lines and rows are also those of one that ends
 * the run. */
int ns_event_run_close(ns_event_run *r, int rc);
/* The flow has found roots at t: from fired [nroots], 1 rising, -1 falling, set user_fired for
 * those of the user in the required direction. Flows search for both directions, because a
 * condition may change twice within a step. Returns 1 if there are any. */
int ns_event_run_note(ns_event_run *r, double t, const int *fired);
/* Before anything at the time of the state that may jump: keeps the conditions of user events. At
 * the end of the stretch those that have changed by a jump are executed. */
int ns_event_run_mark(ns_event_run *r);
/* _fired: execute these user events. _switch: change branches of formulas. */
int ns_event_run_fired(ns_event_run *r);
int ns_event_run_switch(ns_event_run *r);

#endif
