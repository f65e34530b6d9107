/* SPDX-License-Identifier: GPL-3.0-or-later */
/* foreign.h -- formulas of one system that read variables of another: couplings.
 *
 * For example, `K*drive.i_L1` in the torque of a rotor reads a state of a circuit. Such a variable
 * is an entry of NS_BANK_FOREIGN. ns_formula.foreign contains the list of these variables and the
 * exact derivative of the operator with respect to them, for the iteration matrix: systems that
 * read each other are solved together (integrators/theta.h). */
#ifndef NS_MODEL_FOREIGN_H
#define NS_MODEL_FOREIGN_H

#include "model/model.h"

/* op has been compiled from the nodes f [n] of g, which may read the first nof entries of
 * NS_BANK_FOREIGN, described by `of`. If op reads any, set ns_formula.foreign, with the derivative
 * unless `bare`; g grows. Memory of the model. NS_NOMEM. */
int ns_foreign_make(ns_model *m, ns_ctx *c, ns_graph *g, const ns_node *f, int n,
                    const ns_foreign_variable *of, int nof, int bare, ns_operator *op);
/* op becomes the nodes f [rows x cols] by columns: numbers, absent if all are zero, or a tape as
 * above. NS_NOMEM. */
int ns_foreign_operator(ns_model *m, ns_ctx *c, ns_graph *g, const ns_node *f, int rows, int cols,
                        const ns_foreign_variable *of, int nof, int bare, ns_operator *op);
/* f [n] with the entries of this bank (NS_BANK_...) replaced. NS_NOMEM. */
int ns_foreign_replace(ns_graph *g, ns_node *f, int n, int bank, const ns_node *by);
/* The nodes [rows x cols] of an operator, zero in missing rows; what it reads of other systems is
 * replaced by the nodes of `as`, called for each variable. NS_NOMEM. */
int ns_foreign_lift(const ns_operator *op, ns_graph *g, int rows, int cols,
                    ns_node (*as)(void *of, const ns_foreign_variable *v), void *of, ns_node *out);
/* Remove a list from those of the model: its operator is replaced. */
void ns_foreign_forget(ns_model *m, const ns_foreign *f);
/* Compile the derivative of f [n] with respect to the first nof entries of NS_BANK_FOREIGN, by
 * columns, to *tape. NS_NOMEM. */
int ns_foreign_derive(ns_arena *mem, ns_ctx *c, ns_graph *g, const ns_node *f, int n, int nof,
                      const ns_tape **tape);
/* Set the offsets and the values at t0 of all such variables; called after systems are placed. */
void ns_foreign_finish(ns_model *m);

/* Write the systems on whose state v depends to `systems`; returns their number. */
enum { NS_FOREIGN_SYSTEMS = NS_FORCE_ENDS };
int ns_foreign_systems(const ns_model *m, const ns_foreign_variable *v,
                       int systems[NS_FOREIGN_SYSTEMS]);
/* Value of a variable of a joint or a line at q, v of the whole model. by_q, by_v [dof of all its
 * systems, one after the other]: derivatives with respect to increments and velocities, or both
 * NULL; the derivative of the rate of a joint with respect to increments is omitted. angle:
 * ns_state.angle; NULL: no revolutions. */
double ns_foreign_between(const ns_model *m, const ns_foreign_variable *x, const double *q,
                          const double *v, const double *angle, double *by_q, double *by_v);

/* Operators that form the right-hand side of a system (forces, f), and their signs, +1 or -1. Ends
 * with op NULL. */
typedef struct ns_foreign_part {
  const ns_operator *op;
  double sign;
} ns_foreign_part;
enum { NS_FOREIGN_PARTS = 5 };
void ns_foreign_parts(const ns_system *s, ns_foreign_part part[NS_FOREIGN_PARTS]);
/* 1 if one of these reads another system. */
int ns_foreign_reads(const ns_system *s);

#endif
