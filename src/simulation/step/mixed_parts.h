/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mixed_parts.h -- time-stepping of systems of several kinds: its data, and what its files do for
 * each other.
 *
 *   mixed_stepping.c   creation, operations of the driver (time_stepping.h), checkpoints
 *   mixed_problem.c    rows of all kinds in one problem: structure and values
 *
 * Rows of the problem stand in this order: Lagrangian interactions [nL], relations of first order
 * [nF], interactions of rigid bodies [nR], contacts between shapes. These come and go; each takes a
 * slot of its two bodies, its law and its size, and where none is free the problem is made anew
 * with one more. */
#ifndef NS_SIMULATION_STEP_MIXED_PARTS_H
#define NS_SIMULATION_STEP_MIXED_PARTS_H

#include "model/part.h"
#include "simulation/rows/couplings.h"
#include "simulation/rows/step_problem.h"
#include "simulation/step/contact_events.h"
#include "simulation/step/rigid_parts.h"

/* How an entry of the output of a relation follows one entry of u. */
typedef struct ns_reader_term {
  int variable; /* of op->foreign */
  int dof;
  double by;
} ns_reader_term;

/* Rows of first order whose output reads other systems: where its derivative stands in H. */
typedef struct ns_mixed_reader {
  int interaction, row; /* the first of its rows, of the problem */
  int m, linear;        /* relation: op is its offset */
  const ns_operator *op;
  double *J; /* [m x op->foreign->n] by columns */
  int nterms;
  ns_reader_term *term;
} ns_mixed_reader;

/* Rows for one contact between shapes. */
typedef struct ns_mixed_slot {
  int body[2], rows, kind; /* ns_block_kind */
  int first;               /* its first row in the problem */
  int next;                /* another one of body[0]; -1: none */
  int taken;               /* in this step */
} ns_mixed_slot;

typedef struct ns_mixed {
  ns_time_stepping s;
  ns_arena *mem;
  ns_model mechanics; /* with the interactions of Lagrangian systems alone, the others empty */
  ns_model relations; /* with those of first order */
  ns_model part;      /* the rigid bodies; nsystems 0: none */
  ns_state part_x;
  ns_rigid_stepping *bodies; /* NULL: none */
  ns_theta *osi;
  ns_theta_view view;
  ns_contacts *k;
  ns_couplings *f;
  int nL, nF, nR;
  ns_step_problem p;
  int *C_end; /* entries of H of a row of first order before those of readers [nF] */
  ns_mixed_reader *read;
  int nread;
  int nslots, slots; /* slots: room for them */
  ns_mixed_slot *slot;
  int *slot_of;   /* the first slot of each body; -1: none [bodies] */
  int *block_row; /* of each block of the bodies' problem its first row here [blocks] */
  int blocks;     /* room for them */
  ns_contact_history history;
  unsigned char *takes_part;                 /* [units] */
  int units;                                 /* room for them */
  double *u, *free, *impulse, *input, *move; /* [nv] */
  double *moved, *at_free;                   /* of _positions [nv] */
  unsigned char *second;                     /* of second order, with as many coordinates [nv] */
  double *bent;                              /* what bodies add to impulses in u_free [nv] */
  double *lambda, *was, *b, *y, *offset;     /* of rows of first order [nF] */
  double *work;                              /* of readers */
} ns_mixed;

/* Views of the model, readers. */
int ns_mixed_views(ns_mixed *o, ns_ctx *c);
void ns_mixed_views_fini(ns_mixed *o);
/* The problem of all rows that there may be, by the slots as they are. */
int ns_mixed_make_problem(ns_mixed *o, ns_ctx *c);
/* Bounds and friction as the laws stand. */
void ns_mixed_take_laws(ns_mixed *o);
/* Which rows take part: those of the active contacts and the blocks of bodies, which are posed;
 * slots for these. NS_NOMEM, NS_MODEL: too many pairs. */
int ns_mixed_select(ns_mixed *o, ns_ctx *c);
/* Derivatives of outputs that read other systems, at the iterate. */
void ns_mixed_derive_readers(ns_mixed *o, const ns_relation_point *p);
/* o->moved := how positions and states move with o->move, which leads to u; x [nv]: those at u, by
 * the iterate. Bodies in space have none there. */
void ns_mixed_positions(ns_mixed *o, const double *u, double *x);
/* Matrices and b of the linearisation, u_free in o->free. */
void ns_mixed_assemble(ns_mixed *o);
/* The solution to where rows of each kind keep it. */
void ns_mixed_take_solution(ns_mixed *o);
/* Slots of a checkpoint: the problem is made anew with them. */
void ns_mixed_save_slots(const ns_mixed *o, ns_blob *b);
int ns_mixed_restore_slots(ns_mixed *o, ns_ctx *c, ns_blob *b);

#endif
