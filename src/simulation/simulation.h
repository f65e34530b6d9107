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
#include "simulation/recorder.h"

#include <signal.h>

typedef struct ns_simulation ns_simulation;

/* What a step will do. Texts are static or the model's. */
typedef struct ns_plan {
  const char *strategy, *integrator, *problem, *solver;
  const char *solver_note;    /* what "auto" comes to here: "dense pivoting", "sparse active set" */
  const char *storage;        /* "none", "dense", "block-sparse" */
  int rows;                   /* of the one-step problem when everything is active */
  size_t nnz;                 /* entries of its matrix */
  int systems_diagonal, systems_dense, systems_nonlinear; /* by kernel */
  int systems_differenced;    /* with a Jacobian by finite differences */
  int linear;                 /* 1: one pass a step, exact; 0: Newton loop */
  long long steps;
  size_t state_bytes, work_bytes;
  int relations_differenced;  /* relations, the same */
  const char *kernel;         /* first order: how a step is done; NULL otherwise */
  int systems_sparse;         /* Lagrangian systems whose matrices are sparse rows */
} ns_plan;

/* Looked at once a step (stop) and about every 1000 steps or 50 ms (progress). */
typedef struct ns_watch {
  const volatile sig_atomic_t *stop; /* non-zero: finish the step, return NS_STOPPED; may be NULL */
  void (*progress)(void *to, const ns_state *x, double fraction); /* may be NULL */
  void *to;
  long long max_steps;               /* 0: no bound; else NS_STOPPED after so many */
  /* After each solve of a one-step problem in the step that begins at t, solved or not; may be NULL. Problems of
   * polyhedral laws are not shown. */
  void (*problem)(void *to, long long step, double t, const ns_avi *p, const ns_outcome *out);
} ns_watch;

int ns_simulation_create(ns_ctx *c, const ns_model *m, ns_simulation **s);
void ns_simulation_destroy(ns_simulation *s); /* NULL-safe */
const ns_plan *ns_simulation_plan(const ns_simulation *s);
const ns_state *ns_simulation_state(const ns_simulation *s);

/* rec may be NULL: nothing recorded. Records the initial row if the state is at t0, then each
 * `every`-th step and the last. After a failure (< 0, sentence in c) the state is the last good one
 * and has been recorded. watch may be NULL. */
int ns_simulation_run(ns_simulation *s, ns_ctx *c, ns_recorder *rec, const ns_watch *watch);

#endif
