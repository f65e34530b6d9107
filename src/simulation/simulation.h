/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulation.h -- run a model from t0 to T with the driver of its strategy.
 *
 *   ns_simulation_create   allocate all memory, choose kernels; no file is accessed
 *   ns_simulation_plan     description of a step, for `nssim check`
 *   ns_simulation_run      step until T, a failure or a stop; rows and events to the recorder
 *
 * The model is shared and read-only; each simulation has a separate state. */
#ifndef NS_SIMULATION_SIMULATION_H
#define NS_SIMULATION_SIMULATION_H

#include "model/model.h"
#include "model/state.h"
#include "problems/avi.h"
#include "problems/global.h"
#include "problems/mechanical.h"
#include "problems/polyhedral.h"
#include "simulation/record/recorder.h"

#include <signal.h>

typedef struct ns_simulation ns_simulation;

/* Description of a step. Strings are static or belong to the model. */
typedef struct ns_plan {
  const char *strategy, *integrator, *problem, *solver;
  const char *solver_note; /* method chosen by "auto": "dense pivoting", "sparse active set" */
  const char *storage;     /* "none", "dense", "block-sparse" */
  int rows;                /* rows of the one-step problem if everything is active */
  size_t nnz;              /* entries of its matrix */
  int systems_diagonal, systems_dense, systems_nonlinear; /* by kernel */
  int systems_differenced; /* with a Jacobian by finite differences */
  int linear;              /* 1: one pass a step, exact; 0: Newton loop */
  long long steps;
  size_t state_bytes, work_bytes;
  int relations_differenced; /* relations with a Jacobian by finite differences */
  const char *kernel;        /* first order: description of the kernel; NULL otherwise */
  int systems_sparse;        /* Lagrangian systems whose matrices are sparse rows */
  int replays;               /* 1: resuming repeats steps, which depend on the end time */
} ns_plan;

/* Reason for a checkpoint. */
typedef enum ns_checkpoint_why {
  NS_CHECKPOINT_DUE,  /* the run continues */
  NS_CHECKPOINT_STOP, /* the run stops here */
  NS_CHECKPOINT_END   /* the run has reached T; its last row may still follow */
} ns_checkpoint_why;
typedef enum ns_due { NS_DUE_NOTHING, NS_DUE_CHECKPOINT, NS_DUE_STOP } ns_due;

/* A one-step problem as it was solved; one of four kinds, the others are NULL. */
typedef struct ns_shown {
  const ns_avi *box;
  const ns_polyhedral *polyhedron;
  const ns_mechanical *mechanical;
  const double *guess; /* initial guess of z or r; NULL: not stored */
  const ns_global *global;
} ns_shown;

/* Checked once per step (stop, checkpoint_every) and about every 50 ms (progress, due). */
typedef struct ns_watch {
  /* nonzero: finish the step, return NS_STOPPED; may be NULL. Contacts of rigid bodies that are
   * being solved are given up, and the state is that at the begin of their step. */
  const volatile sig_atomic_t *stop;
  double until; /* s of ns_clock, from which on contacts are given up; 0: no limit */
  void (*progress)(void *to, const ns_state *x, double fraction); /* may be NULL */
  void *to;
  long long max_steps; /* 0: no limit; otherwise NS_STOPPED after this number of steps */
  /* Called after each solve of a one-step problem in the step that begins at t, solved or not; may
   * be NULL. */
  void (*problem)(void *to, long long step, double t, const ns_shown *p, const ns_outcome *out);
  /* Called between steps, before rows recorded only because of a stop or the end: saves the
   * simulation and the recorder. A failure ends the run. NULL: no checkpoints. */
  int (*checkpoint)(void *to, ns_ctx *c, ns_checkpoint_why why);
  double checkpoint_every; /* interval of simulated time, s; 0: none */
  /* whether wall-clock time or a signal requires a checkpoint or a stop; may be NULL */
  ns_due (*due)(void *to);
} ns_watch;

/* Data of a run outside of the simulation: the state of plug-ins. Blocks of `size` bytes. */
typedef struct ns_outside {
  size_t size;
  void (*save)(void *to, void *block);
  int (*restore)(void *to, ns_ctx *c, const void *block);
  void *to;
} ns_outside;

int ns_simulation_create(ns_ctx *c, const ns_model *m, ns_simulation **s);
void ns_simulation_destroy(ns_simulation *s); /* NULL-safe */
/* Wall-clock time spent in steps with many contacts between shapes, s; zero if not measured. Not
 * part of the state. */
typedef struct ns_shares {
  double collision; /* finding contacts */
  double solver;    /* one-step problems */
} ns_shares;

const ns_plan *ns_simulation_plan(const ns_simulation *s);
ns_shares ns_simulation_shares(const ns_simulation *s);
const ns_state *ns_simulation_state(const ns_simulation *s);
/* Formulas with jumps of an event-driven run (model/frozen.h); NULL: none. */
const struct ns_frozen *ns_simulation_frozen(const ns_simulation *s);
/* Warn of parts of the model that the initial state leaves without effect: conditions of events
 * that hold already. */
int ns_simulation_warn(ns_simulation *s, ns_ctx *c);

/* Run. rec may be NULL: nothing is recorded. Records the initial row if the state is at t0, then
 * each `every`-th step and the last. After a failure (< 0, message in c) the state is the last
 * valid one and has been recorded. watch may be NULL. */
int ns_simulation_run(ns_simulation *s, ns_ctx *c, ns_recorder *rec, const ns_watch *watch);

/* ---- checkpoints (checkpoint.c) ----
 * A simulation that was restored goes on to the same bytes as the one that was saved, whatever its
 * scheme and solvers. */

/* Called before the run if it will be saved, together with the data outside (borrowed, NULL: none).
 * NS_USAGE if some part has no table for saving its data. */
int ns_simulation_keep(ns_simulation *s, ns_ctx *c, const ns_outside *o);
/* Save; called between steps. */
int ns_simulation_save(ns_simulation *s, ns_ctx *c, ns_blob *b);
/* Called after keep, with a simulation just created from the same model: continues at the point of
 * save. May take as long as the steps since the integrator was last initialised. NS_NOINPUT: b
 * belongs to another model, or is damaged; the simulation is then invalid. */
int ns_simulation_restore(ns_simulation *s, ns_ctx *c, ns_blob *b);

#endif
