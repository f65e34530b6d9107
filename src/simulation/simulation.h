/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulation.h -- run a model: the driver that its strategy names, from t0 to T.
 *
 *   ns_simulation_create   get all memory, choose kernels; no file is touched
 *   ns_simulation_plan     what a step will do, for `nssim check`
 *   ns_simulation_run      step until T, a failure or a stop; rows and events to the recorder
 *
 * The model is shared and read-only; the state is the simulation's own. */
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

/* What a step will do. Texts are static or the model's. */
typedef struct ns_plan {
  const char *strategy, *integrator, *problem, *solver;
  const char *solver_note; /* what "auto" comes to here: "dense pivoting", "sparse active set" */
  const char *storage;     /* "none", "dense", "block-sparse" */
  int rows;                /* of the one-step problem when everything is active */
  size_t nnz;              /* entries of its matrix */
  int systems_diagonal, systems_dense, systems_nonlinear; /* by kernel */
  int systems_differenced; /* with a Jacobian by finite differences */
  int linear;              /* 1: one pass a step, exact; 0: Newton loop */
  long long steps;
  size_t state_bytes, work_bytes;
  int relations_differenced; /* relations, the same */
  const char *kernel;        /* first order: how a step is done; NULL otherwise */
  int systems_sparse;        /* Lagrangian systems whose matrices are sparse rows */
  int replays;               /* a restart repeats steps, which the end has a say in */
} ns_plan;

/* Why a checkpoint is wanted. */
typedef enum ns_checkpoint_why {
  NS_CHECKPOINT_DUE,  /* the run goes on */
  NS_CHECKPOINT_STOP, /* it stops here */
  NS_CHECKPOINT_END   /* it has come to T; its last row may still be to come */
} ns_checkpoint_why;
typedef enum ns_due { NS_DUE_NOTHING, NS_DUE_CHECKPOINT, NS_DUE_STOP } ns_due;

/* A one-step problem as it was solved: one of the four. */
typedef struct ns_shown {
  const ns_avi *box;
  const ns_polyhedral *polyhedron;
  const ns_mechanical *mechanical;
  const double *guess; /* where the solver began, of z or r; NULL: not kept */
  const ns_global *global;
} ns_shown;

/* Looked at once a step (stop, checkpoint_every) and about every 50 ms (progress, due). */
typedef struct ns_watch {
  const volatile sig_atomic_t *stop; /* non-zero: finish the step, return NS_STOPPED; may be NULL */
  void (*progress)(void *to, const ns_state *x, double fraction); /* may be NULL */
  void *to;
  long long max_steps; /* 0: no bound; else NS_STOPPED after so many */
  /* After each solve of a one-step problem in the step that begins at t, solved or not; may be
   * NULL. */
  void (*problem)(void *to, long long step, double t, const ns_shown *p, const ns_outcome *out);
  /* Called between steps, before a row that only a stop or the end brings: to save the simulation
   * and the recorder. A failure ends the run. NULL: no checkpoints. */
  int (*checkpoint)(void *to, ns_ctx *c, ns_checkpoint_why why);
  double checkpoint_every; /* of simulated time, s; 0: none by that */
  ns_due (*due)(void *to); /* by the clock, or because a signal asked; may be NULL */
} ns_watch;

/* What belongs to a run and is not the simulation's: the state of plug-ins. Blocks of `size` bytes.
 */
typedef struct ns_outside {
  size_t size;
  void (*save)(void *to, void *block);
  int (*restore)(void *to, ns_ctx *c, const void *block);
  void *to;
} ns_outside;

int ns_simulation_create(ns_ctx *c, const ns_model *m, ns_simulation **s);
void ns_simulation_destroy(ns_simulation *s); /* NULL-safe */
/* What steps of many contacts between shapes were spent on, wall clock, s; zero where it is not
 * looked at. No part of the state. */
typedef struct ns_shares {
  double collision; /* finding contacts */
  double solver;    /* one-step problems */
} ns_shares;

const ns_plan *ns_simulation_plan(const ns_simulation *s);
ns_shares ns_simulation_shares(const ns_simulation *s);
const ns_state *ns_simulation_state(const ns_simulation *s);
/* Formulas that jump, of an event-driven run (model/frozen.h); NULL: there are none. */
const struct ns_frozen *ns_simulation_frozen(const ns_simulation *s);
/* Warns of what the model says and its initial state leaves without effect: conditions of events
 * that hold already. */
int ns_simulation_warn(ns_simulation *s, ns_ctx *c);

/* rec may be NULL: nothing recorded. Records the initial row if the state is at t0, then each
 * `every`-th step and the last. After a failure (< 0, sentence in c) the state is the last good one
 * and has been recorded. watch may be NULL. */
int ns_simulation_run(ns_simulation *s, ns_ctx *c, ns_recorder *rec, const ns_watch *watch);

/* ---- checkpoints (checkpoint.c) ----
 * A simulation that was restored goes on to the same bytes as the one that was saved, whatever its
 * scheme and solvers. */

/* Before the run: saves will come, with what is outside (borrowed, NULL: nothing). NS_USAGE where a
 * part of the scheme does not say what it remembers. */
int ns_simulation_keep(ns_simulation *s, ns_ctx *c, const ns_outside *o);
/* Between steps. */
int ns_simulation_save(ns_simulation *s, ns_ctx *c, ns_blob *b);
/* After keep, into a simulation just created from the same model: it then is where save stood. May
 * take the time of the steps since the integrator was last initialised. NS_NOINPUT: b is of another
 * model, or damaged; the simulation is of no use then. */
int ns_simulation_restore(ns_simulation *s, ns_ctx *c, ns_blob *b);

#endif
