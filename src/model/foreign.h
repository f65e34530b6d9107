/* SPDX-License-Identifier: GPL-3.0-or-later */
/* foreign.h -- formulas of one system that read variables of another: couplings.
 *
 * `K*drive.i_L1` in the torque of a rotor reads a state of a circuit. Such a variable is an entry
 * of NS_BANK_FOREIGN; which one it is stands in ns_operator.foreign, beside the exact derivative of
 * the operator by all of them, for the iteration matrix: systems that read each other are solved
 * together (integrators/theta.h). */
#ifndef NS_MODEL_FOREIGN_H
#define NS_MODEL_FOREIGN_H

#include "model/model.h"

/* op is a tape of the nodes f [n], in g, and f may use entries 0..nof of NS_BANK_FOREIGN: where it
 * does, op->foreign is set, with the derivative unless `bare`; g grows. Memory: the model's.
 * NS_NOMEM. */
int ns_foreign_make(ns_model *m, ns_ctx *c, ns_graph *g, const ns_node *f, int n,
                    const ns_foreign_variable *of, int nof, int bare, ns_operator *op);
/* The derivative of f [n] by entries 0..nof of NS_BANK_FOREIGN, by columns, to *tape. NS_NOMEM. */
int ns_foreign_derive(ns_arena *mem, ns_ctx *c, ns_graph *g, const ns_node *f, int n, int nof,
                      const ns_tape **tape);
/* Places and values at t0 of all of them, once the places of systems are known. */
void ns_foreign_finish(ns_model *m);

/* The systems whose state it depends on, to `systems`; their number. */
enum { NS_FOREIGN_SYSTEMS = NS_FORCE_ENDS };
int ns_foreign_systems(const ns_model *m, const ns_foreign_variable *v,
                       int systems[NS_FOREIGN_SYSTEMS]);
/* One of a joint or a line at q, v of the whole model. by_q, by_v [dof of all its systems, one
 * after the other]: derivatives by increments and velocities of these, or NULL both; that of the
 * rate of a joint by increments is left out. angle: ns_state.angle; NULL: no turns. */
double ns_foreign_between(const ns_model *m, const ns_foreign_variable *x, const double *q,
                          const double *v, const double *angle, double *by_q, double *by_v);

/* Operators of a system that make up its right-hand side (forces, f), and how each enters it: +1,
 * -1. Ends with op NULL. */
typedef struct ns_foreign_part {
  const ns_operator *op;
  double sign;
} ns_foreign_part;
enum { NS_FOREIGN_PARTS = 5 };
void ns_foreign_parts(const ns_system *s, ns_foreign_part part[NS_FOREIGN_PARTS]);
/* 1: some of these reads another system. */
int ns_foreign_reads(const ns_system *s);

#endif
