/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frozen.h -- a copy of a model in which jumps and corners of formulas are replaced by branches, so
 * that formulas are smooth between events.
 *
 * Formulas are transformed by expression/freeze.h. The branches that they read are part of the
 * state of a run (ns_state.branch) and change only at events (simulation/events/branches.h). The
 * copy borrows everything else from the model, which must outlive it and is not changed.
 * Time-stepping uses the model, event-driven runs use the copy.
 *
 * Each formula belongs to an owner. For a system, an interaction, a drive of a joint, a force
 * between bodies, a prescribed velocity or a parameter of a law, the switching function sigma may
 * depend on t, the state and user vectors. For an observable, measure or user event only functions
 * of t are replaced. Owners with equal formulas share a class, whose tapes are compiled once.
 * Plug-ins and formulas that depend on multipliers are not changed. */
#ifndef NS_MODEL_FROZEN_H
#define NS_MODEL_FROZEN_H

#include "expression/freeze.h"
#include "model/model.h"

typedef struct ns_frozen_switch {
  ns_switch_kind kind;
  double nil;  /* the branch while sigma remains 0 (freeze.h) */
  int known;   /* 1: sigma depends only on t, parameters, user vectors and branches */
  int affine;  /* known, and its derivative with respect to t does not depend on t */
  int depends; /* 1: sigma depends on branches or user vectors, so it changes at events */
  /* variables of NS_BANK_Q, _V, _JOINT, and _FOREIGN (except user vectors), on which sigma
   * depends */
  int nvars;
  const int *bank, *index; /* [nvars] */
  /* first output in ns_frozen_class.slope: d sigma/dt, then the derivatives with respect to these
   * variables */
  int slope;
  /* sigma as text, for messages, with the names of the first owner of the class */
  const char *text;
} ns_frozen_switch;

typedef struct ns_frozen_class {
  int n;                        /* switches */
  const ns_frozen_switch *item; /* [n] */
  const ns_tape *sigma;         /* [n] */
  const ns_tape *slope;         /* see above */
} ns_frozen_class;

typedef struct ns_frozen_owner {
  const ns_frozen_class *of;
  const ns_place *at;
  int nsystems;
  const int *systems; /* systems whose q, v, z the formulas read, one after the other */
  const double *index;
  const ns_interaction *joint; /* joint whose coordinates and rates are NS_BANK_JOINT, or */
  const ns_body_force *line;   /* force with these coordinates; both NULL: formulas read none */
  /* 1: some of these, or variables of other joints or lines, are variables of the state */
  int between;
  /* variables of other systems that any of the formulas reads; NULL: none */
  const ns_foreign *others;
  size_t first; /* its switches are first .. first + of->n - 1 of the run */
} ns_frozen_owner;

/* The formula of an operator of the copy that reads branches, and the first of them in
 * ns_state.branch. */
typedef struct ns_frozen_operator {
  ns_formula *formula;
  size_t at;
} ns_frozen_operator;

typedef struct ns_frozen {
  ns_model model; /* the copy; model.frozen is this */
  ns_arena *mem;
  int nowners, nclasses, noperators;
  ns_frozen_owner *owner;       /* [nowners] */
  ns_frozen_operator *operator; /* [noperators] */
  size_t nswitches;             /* switches of all owners */
  /* doubles of scratch: work for a tape on intervals, bank for q, v, z of an owner */
  size_t work, bank;
  const ns_place *plugin; /* an element whose plug-in may have jumps; NULL: none */
  double *none;           /* branches before a state exists, as in ns_state.branch [3 nswitches] */
} ns_frozen;

/* Create the copy. *out NULL without failure: all formulas are smooth, use the model. */
int ns_frozen_create(ns_ctx *c, const ns_model *m, ns_frozen **out);
void ns_frozen_destroy(ns_frozen *z); /* NULL-safe */
/* From now on, formulas of the copy read branch [nswitches], borrowed. */
void ns_frozen_attach(ns_frozen *z, const double *branch);
/* The point at which formulas of an owner are evaluated; q [nq], v [nv], z [nz] of the whole model,
 * angle: ns_state.angle; bank [z->bank]: scratch, which keeps its contents if q and v are NULL, for
 * functions of t only. Variables of other systems follow after z. */
ns_point ns_frozen_point(const ns_frozen *z, const ns_frozen_owner *o, double t, const double *q,
                         const double *v, const double *user, const double *angle, double *bank);
/* Index of variable (bank, index) of an owner in q or v of the whole model. */
size_t ns_frozen_place(const ns_frozen *z, const ns_frozen_owner *o, int bank, int index);

#endif
