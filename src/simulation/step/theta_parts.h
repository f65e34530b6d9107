/* SPDX-License-Identifier: GPL-3.0-or-later */
/* theta_parts.h -- private to theta_*.c, time-stepping of systems of any kinds: data and common
 * functions.
 *
 *   theta_create.c     memory, views, the plan
 *   theta_state.c      the begin of a run, states from outside, checkpoints
 *   theta_stepping.c   one linearisation, passes of Newton's method, the step
 *   theta_problem.c    rows of all kinds in one problem: structure and values
 *   theta_failure.c    what is said where a step fails
 *
 * Order of the rows of the problem: Lagrangian interactions [nL], first-order relations [nF],
 * interactions of rigid bodies [nR], contacts between shapes. The latter change from step to step;
 * each uses a slot for its two bodies, its law and its size. If none is free, the problem is
 * created again with another slot.
 *
 * Where all systems are of first order (`alone`) there are relations only: their rows are those of
 * the problem as they stand, and the unknowns are the state. */
#ifndef NS_SIMULATION_STEP_THETA_PARTS_H
#define NS_SIMULATION_STEP_THETA_PARTS_H

#include "model/part.h"
#include "simulation/record/law_events.h"
#include "simulation/rows/active_rows.h"
#include "simulation/rows/couplings.h"
#include "simulation/rows/step_problem.h"
#include "simulation/step/rigid_parts.h"

/* Dependence of an output of a relation on one entry of u. */
typedef struct ns_reader_term {
  int variable; /* of those of op */
  int dof;
  double by;
} ns_reader_term;

/* First-order rows whose output reads other systems: source of derivatives in H. */
typedef struct ns_th_reader {
  int interaction, row; /* row: its first row in the problem */
  int m, linear;        /* linear: op is its offset */
  const ns_operator *op;
  double *J; /* [m x ns_operator_foreign(op)->n] by columns */
  int nterms;
  ns_reader_term *term;
} ns_th_reader;

/* Rows for one contact between shapes. */
typedef struct ns_th_slot {
  int body[2], rows, kind; /* ns_block_kind */
  int first;               /* its first row in the problem */
  int next;                /* next slot of body[0]; -1: none */
  int taken;               /* in this step */
} ns_th_slot;

typedef struct ns_theta_stepping {
  ns_time_stepping s;
  ns_model mechanics; /* view with only the interactions of Lagrangian systems, the others empty */
  ns_model relations; /* view with only first-order relations */
  ns_model part;      /* the rigid bodies; nsystems 0: none */
  ns_state part_x;
  ns_rigid_stepping *bodies; /* NULL: none */
  ns_theta *osi;
  ns_theta_view view;
  ns_contacts *k;
  ns_couplings *f;
  int nL, nF, nR;
  int alone;   /* all systems are of first order, and no relation reads others by name */
  int follows; /* something is linearised at the iterate, and so follows `move` */
  /* relations are the only rows: their matrix is assembled again only if it is stale */
  int whole, stale;
  double h;    /* of the matrix, s */
  double unit; /* z of a relation is unit * lambda: the impulse h lambda, or lambda if `whole` */
  ns_step_problem p;
  ns_active_rows *active; /* only of `alone`; NULL: all rows are formed */
  int *C_end; /* end of the entries in H of a first-order row before those of readers [nF] */
  ns_th_reader *read;
  int nread;
  int nslots, slots; /* slots: room for them */
  ns_th_slot *slot;
  int *slot_of;   /* the first slot of each body; -1: none [bodies] */
  int *block_row; /* first row here of each block of the bodies' problem [blocks] */
  int blocks;     /* room for them */
  ns_contact_history history;
  unsigned char *takes_part;      /* [units] */
  int units;                      /* room for them */
  const double *u;                /* the iterate: `unknowns`, or of `alone` the state [nv] */
  double *unknowns;               /* [nv] */
  double *free;                   /* u without the new multipliers; in saddle-point form b_u [nv] */
  double *impulse, *input, *move; /* [nv] */
  double *moved, *at_free;        /* of positions and states, where relations are evaluated [nv] */
  double *at_x;                   /* where relations are evaluated [nq] */
  unsigned char *second;          /* of second order, with as many coordinates [nv] */
  double *bent;                   /* what bodies add to impulses in u_free [nv] */
  double *lambda, *was, *y, *offset; /* of rows of first order [nF] */
  ns_law_rows laws;                  /* these rows, whose events are told */
  /* iterate and multipliers from which a pass goes, and its residual (second attempt) */
  double *from, *impulse_from, *lambda_from, *w_from, from_residual;
  double *w_last; /* w of relations, of the last pass [nF] */
  double *work;   /* of readers */
} ns_theta_stepping;

/* Operations of the driver (time_stepping.h). */
int ns_th_create(void *self, ns_ctx *c, ns_plan *plan);
void ns_th_destroy(void *self);
int ns_th_start(void *self, ns_ctx *c);
int ns_th_restart(void *self, ns_ctx *c, int set);
int ns_th_unsolved(void *self, ns_ctx *c, const ns_outcome *out);
int ns_th_diverged(void *self, ns_ctx *c, double residual, ns_suspect *w);
int ns_th_savable(const void *self);
void ns_th_save(const void *self, ns_blob *b);
void ns_th_restore(void *self, ns_blob *b);

/* Where relations are evaluated at the iterate. */
ns_relation_point ns_th_at_iterate(const ns_theta_stepping *o);
/* Create the views of the model, and count rows. */
int ns_th_views(ns_theta_stepping *o, ns_ctx *c);
/* Create the problem of all possible rows, with the current slots. */
int ns_th_make_problem(ns_theta_stepping *o, ns_ctx *c);
/* Read bounds and friction from the current laws. */
void ns_th_take_laws(ns_theta_stepping *o);
/* Activate rows: those of active contacts and the blocks of bodies, which have been assembled, with
 * slots for them. NS_NOMEM; NS_MODEL: too many entries. */
int ns_th_select(ns_theta_stepping *o, ns_ctx *c);
/* Derivatives of outputs that read other systems, at the iterate. */
void ns_th_derive_readers(ns_theta_stepping *o, const ns_relation_point *p);
/* o->move := change of the iterate to u, which the scheme follows with changes of positions and
 * states, o->moved. */
void ns_th_move(ns_theta_stepping *o, const double *u);
/* Assemble the matrix of the problem, which is stale. */
int ns_th_matrix(ns_theta_stepping *o, ns_ctx *c);
/* Assemble b of the linearisation, with u_free in o->free, and the matrix unless there are active
 * rows. */
int ns_th_assemble(ns_theta_stepping *o, ns_ctx *c);
/* Distribute the solution to the rows of each kind. */
void ns_th_take_solution(ns_theta_stepping *o);
/* Save and restore slots; restoring creates the problem again with them. */
void ns_th_save_slots(const ns_theta_stepping *o, ns_blob *b);
int ns_th_restore_slots(ns_theta_stepping *o, ns_ctx *c, ns_blob *b);

#endif
