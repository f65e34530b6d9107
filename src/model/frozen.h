/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frozen.h -- a model whose formulas are smooth between events: jumps and corners are branches.
 *
 * The formulas of a model are replaced by what expression/freeze.h makes of them; the branches that
 * they read are part of the state of a run (ns_state.branch), and change at events alone
 * (simulation/events/branches.h). The copy borrows all else from the model, which must outlive it
 * and is not changed: time-stepping takes the model, event-driven runs take the copy.
 *
 * Formulas belong to an owner: a system, an interaction, what drives a joint or acts between
 * bodies, a prescribed velocity, or a parameter of a law, of whose formulas sigma may depend on t,
 * the state and user vectors; or an observable, measure or event of the user, of which functions of
 * t alone are followed. Owners with the same formulas share a class: tapes are made once. What a
 * plug-in does, and what depends on multipliers, is left as it is. */
#ifndef NS_MODEL_FROZEN_H
#define NS_MODEL_FROZEN_H

#include "expression/freeze.h"
#include "model/model.h"

typedef struct ns_frozen_switch {
  ns_switch_kind kind;
  double nil;  /* the branch where sigma stays 0 (freeze.h) */
  int known;   /* 1: sigma depends on t, parameters, user vectors and branches alone */
  int affine;  /* known, and its derivative by t does not depend on t */
  int depends; /* 1: on branches or user vectors: it changes at events */
  /* variables of NS_BANK_Q, _V, _JOINT, and _FOREIGN but user vectors, that sigma depends on */
  int nvars;
  const int *bank, *index; /* [nvars] */
  int slope;        /* first output of ns_frozen_class.slope: d sigma/dt, then by these variables */
  const char *text; /* sigma, for messages; in the names of the first owner of the class */
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
  const int *systems; /* whose q, v, z the formulas read, one after the other */
  const double *index;
  const ns_interaction *joint; /* whose coordinates and rates are NS_BANK_JOINT, or */
  const ns_body_force *line;   /* likewise; NULL both: formulas read none */
  /* some of these, or others of a joint or a line, are variables of a state */
  int between;
  /* variables of other systems that the formulas read, of all together; NULL: none */
  const ns_foreign *others;
  size_t first; /* its switches are first .. first + of->n of the run */
} ns_frozen_owner;

typedef struct ns_frozen {
  ns_model model; /* the copy; model.frozen is this */
  ns_arena *mem;
  int nowners, nclasses;
  ns_frozen_owner *owner;   /* [nowners] */
  ns_frozen_class **class_; /* [nclasses] */
  size_t nswitches;         /* of the run */
  size_t work, bank;      /* doubles of scratch: for a tape on intervals, for q, v, z of an owner */
  const ns_place *plugin; /* an element whose plug-in may jump, NULL: there is none */
  double *none; /* branches before there is a state, as in ns_state.branch [3 nswitches] */
} ns_frozen;

/* *out NULL without failure: every formula is smooth, and the model itself does. */
int ns_frozen_create(ns_ctx *c, const ns_model *m, ns_frozen **out);
void ns_frozen_destroy(ns_frozen *z); /* NULL-safe */
/* From now on formulas of the copy read branch [nswitches], borrowed. */
void ns_frozen_attach(ns_frozen *z, const double *branch);
/* Where formulas of an owner are evaluated; q, v [nq], [nv] and z [nz] of the whole model, angle:
 * ns_state.angle; bank [z->bank]: scratch. q and v may be NULL: what is there stays, for functions
 * of t alone. Variables of other systems stand behind z. */
ns_point ns_frozen_point(const ns_frozen *z, const ns_frozen_owner *o, double t, const double *q,
                         const double *v, const double *user, const double *angle, double *bank);
/* Variable (bank, index) of an owner: where it is in q or v of the whole model. */
size_t ns_frozen_place(const ns_frozen *z, const ns_frozen_owner *o, int bank, int index);

#endif
