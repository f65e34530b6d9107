/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_contacts.h -- contacts between shapes of rigid bodies in a run: found, made to rows,
 * remembered.
 *
 * The list of a step is found at its begin, gaps below a margin; contacts with g + gamma h (u_N
 * - a) <= threshold take part, a being what the forces of the step could add to the approach
 * whatever else holds the bodies: so what rests stays in contact, whichever way rounding has it
 * move. Each is a block of the one-step problem: a normal row, with friction rows of slip, with
 * rolling friction rows of relative angular velocity, all at one point that both bodies share,
 * so that action and reaction balance. Restitution counts where the bodies approach: b = e u of
 * the begin there, 0 elsewhere. Where a contact was in the list of the step before its impulse
 * is the solver's guess. Planar bodies meet in the plane z = 0 (collision/scene.h).
 *
 * Rows are those of the begin of the step, H_k, but of contacts that carried an impulse in the
 * last step and whose bodies turn. There the impulse acts along the rows of the
 * middle and the law holds for the velocity along those of the end,
 *
 *   M (v+ - v) = h F_theta + H_theta^T r,   law(H_k+1 v+ + e u_k, r),
 *
 * with the nearest points at both configurations. Those of rims of cylinders are found at each
 * iterate, and beside them others keep H_k; where there are none they are those that v_k foresees,
 * off by O(h^2), and need no iteration. Then H_theta v_theta = O(h^2), a lasting contact does no
 * work but O(h^3) in a step, and rolling is of second order at theta = 1/2 (Hairer & Wanner 1996,
 * ch. VII, for index 2). Rows of one instant on both sides take the power (h/2) r . dH/dt v, of one
 * sign for a disk that rolls on its rim. The problem keeps H_theta on both sides, so it stays
 * symmetric, with (H_k+1 - H_theta) v of the iterate in b: the same fixed point, contraction
 * O(h omega).
 *
 * Contacts of some laws remember: bonds (bonds.h), and compliant contacts their tangential spring.
 * What they keep belongs to the contact of the list and goes with it, as its impulse does. */
#ifndef NS_SIMULATION_ROWS_RIGID_CONTACTS_H
#define NS_SIMULATION_ROWS_RIGID_CONTACTS_H

#include "base/blob.h"
#include "collision/scene.h"
#include "model/state.h"
#include "simulation/record/sink.h"
#include "simulation/rows/rigid_problem.h"

/* A contact of the list. */
typedef struct ns_rigid_touch {
  int a, b;             /* shapes */
  int body[2], flipped; /* body[1] -1: fixed; flipped: body[0] is that of b */
  int active, block;    /* it takes part; as which block of the problem */
  double arm[2][3];     /* its points on their cores, in axes of the bodies, or in the world */
  double before;        /* gap at the begin of the step */
  double gap;           /* the same, or of ns_rigid_contacts_gaps */
  double speed;         /* u_N at the begin of the step */
  double forecast;      /* it, less what forces can add to the approach in the step */
} ns_rigid_touch;

typedef struct ns_rigid_contacts ns_rigid_contacts;

/* *out NULL: the model has no shapes. The team outlives it, NULL: one thread. */
int ns_rigid_contacts_create(ns_ctx *c, const ns_model *m, ns_team *team, ns_rigid_contacts **out);
void ns_rigid_contacts_destroy(ns_rigid_contacts *o);       /* NULL-safe */
size_t ns_rigid_contacts_bytes(const ns_rigid_contacts *o); /* 0 of NULL */

/* Some law is compliant: problems have D. */
int ns_rigid_contacts_are_compliant(const ns_rigid_contacts *o);

/* The list for a step that begins at q with v; the deepest overlap. NS_NOMEM. */
int ns_rigid_contacts_find(ns_rigid_contacts *o, ns_ctx *c, const double *q, const double *v,
                           double t, double h, double *deepest);
/* Overlaps of the list are accepted at the start; otherwise NS_MODEL: the sentence that names
 * the shapes. */
int ns_rigid_contacts_check_start(const ns_rigid_contacts *o, ns_ctx *c);
/* Length of the smallest shape, from its centre to its farthest point; inf: all are endless. */
double ns_rigid_contacts_smallest(const ns_rigid_contacts *o);
/* Its law has restitution of the normal velocity. */
int ns_rigid_contacts_bounces(const ns_rigid_contacts *o, const ns_rigid_touch *t);
/* What a step left of overlap stays: its force is made of it, or its bodies touch nothing else and
 * bounce. */
int ns_rigid_contacts_keeps_overlap(const ns_rigid_contacts *o, const ns_rigid_touch *t);
ns_rigid_touch *ns_rigid_contacts_list(const ns_rigid_contacts *o, int *n);
/* Bodies at q with v would have the velocities `loose` at the end of the step if nothing held
 * them. */
void ns_rigid_contacts_forecast(ns_rigid_contacts *o, const double *q, const double *v,
                                const double *loose);
/* Those take part in a step that begins with v whose forecast says so, gaps up to `closed` being
 * closed; and those that were loaded in the last step, with a gap of `held` at most. */
void ns_rigid_contacts_activate(ns_rigid_contacts *o, const double *v, double h, double closed,
                                double held);
/* "box" of crate: a shape, for messages; returns buf. */
const char *ns_rigid_contacts_name(const ns_rigid_contacts *o, int shape, char *buf, size_t n);
/* Where m->values is there: laws of the step that is to come, once it was renewed there; of those
 * that read the speeds of a contact, for each of the list. Failures: a value out of its range. */
int ns_rigid_contacts_renew_laws(ns_rigid_contacts *o, ns_ctx *c, ns_state *x);
/* Blocks of those that take part, behind those that p has; bodies are at q with v. NS_NOMEM. */
int ns_rigid_contacts_pose(ns_rigid_contacts *o, ns_ctx *c, const double *q, const double *v,
                           ns_rigid_problem *p);
/* How rows of contacts follow the motion: not at all; as foreseen at the first iterate; as at
 * each. */
typedef enum ns_rolling { NS_ROLLING_NONE, NS_ROLLING_FORESEEN, NS_ROLLING_FOLLOWED } ns_rolling;
/* Chooses the contacts whose rows do in a step of length h which begins with v, once their blocks
 * stand in p; without `follow` none beside a rim. */
ns_rolling ns_rigid_contacts_roll(ns_rigid_contacts *o, const ns_rigid_problem *p, const double *v,
                                  double h, int follow);
/* Their rows H_theta at the configuration `within` the step and H_k+1 at q. NS_NOMEM. */
int ns_rigid_contacts_roll_rows(ns_rigid_contacts *o, ns_ctx *c, const double *within,
                                const double *q);
/* Those rows into p, v being the velocities of the iterate. */
void ns_rigid_contacts_roll_fill(ns_rigid_contacts *o, const double *v, ns_rigid_problem *p);
/* How far p, solved with other rows, is from them at its solution v: impulse += (H_theta - those
 * of p)^T r; the largest change of a velocity over atol + rtol (sum of the terms of the largest
 * row of its contact). */
double ns_rigid_contacts_roll_change(const ns_rigid_contacts *o, const double *v,
                                     const ns_rigid_problem *p, double *impulse);
/* b of p without what stands there for rows of the end. */
void ns_rigid_contacts_roll_end(const ns_rigid_contacts *o, ns_rigid_problem *p);
/* Gaps at q: of the points that the cores carry, along the normal of the begin of the step. A
 * sphere has its centre for a core: its nearest point stays below as it rolls. */
void ns_rigid_contacts_gaps(ns_rigid_contacts *o, const double *q);
/* Gradient of the gap of one, where the last call of ns_rigid_contacts_gaps had the bodies: each
 * turns about the arm of its own core, so that spheres and disks do not turn. [2 dof] */
void ns_rigid_contacts_gap_row(const ns_rigid_contacts *o, const ns_rigid_touch *t, double *H);
/* What happened in a step from x to velocities v, vfree without contact: impacts are counted in
 * x->cert, and where the run tells them (ns_contacts_have_events) modes go on and events are
 * kept, of each contact by the rules of rows of interactions (events.h). The mode belongs to the
 * contact of the list; where another corner of the same two shapes takes over in a step, it has
 * the mode from there on. One that leaves the list, as its gap has grown beyond what is
 * followed, is released in that step. Of several contacts of a body the solution loads some by
 * turns: one that lasts is released once it parts. */
void ns_rigid_contacts_happened(ns_rigid_contacts *o, const ns_rigid_problem *p,
                                const double *vfree, const double *v, ns_state *x);
/* The events of the last step, once the list of the next one was found; without their time. */
ns_event *ns_rigid_contacts_events(ns_rigid_contacts *o, int *n);
/* What the step to q has done is remembered: impulses as guesses of the next one, and records
 * where they are wanted. NS_NOMEM. */
int ns_rigid_contacts_keep(ns_rigid_contacts *o, ns_ctx *c, const ns_rigid_problem *p,
                           const double *q, int recorded);
/* A body is outside of the domain: NS_NUMERIC, the sentence; t, q: of the end of the step. */
int ns_rigid_contacts_inside(const ns_rigid_contacts *o, ns_ctx *c, double t, const double *q);
/* The contacts of the last step, if it was recorded. */
const ns_contact_record *ns_rigid_contacts_records(const ns_rigid_contacts *o, size_t *n);

/* ---- contacts that remember (rigid_contacts_memory.c) ---------------------------------------- */

/* Bonds of the contacts that are closed: a run begins. */
void ns_rigid_contacts_bond(ns_rigid_contacts *o);
/* The tension that a contact of the list bears, N. */
double ns_rigid_contacts_tension(const ns_rigid_contacts *o, const ns_rigid_touch *t);
/* Guesses of those that take part and bear tension as what is solved for (bonds.h), once their
 * blocks stand in p. 1: there are some. */
int ns_rigid_contacts_load_bonds(ns_rigid_contacts *o, double h, ns_rigid_problem *p);
/* impulse += - H_N^T h tension of them; impulses of p without it. */
void ns_rigid_contacts_pull(const ns_rigid_contacts *o, const ns_rigid_problem *p, double *impulse);
void ns_rigid_contacts_settle(const ns_rigid_contacts *o, ns_rigid_problem *p);
/* Compliant contacts of a step of length h that begins with v, once their blocks stand in p. 1:
 * some force is not linear in the velocity. */
int ns_rigid_contacts_comply(ns_rigid_contacts *o, const double *v, double h,
                             const ns_rigid_problem *p);
/* Their b, D and mu at the iterate v. */
void ns_rigid_contacts_comply_fill(ns_rigid_contacts *o, const double *v,
                                   const ns_rigid_problem *p);
/* How far p, solved, is from those at v: as ns_rigid_contacts_roll_change. */
double ns_rigid_contacts_comply_change(const ns_rigid_contacts *o, const double *v,
                                       const ns_rigid_problem *p);
/* What the step has left of bonds and springs, impulses being settled. */
void ns_rigid_contacts_remember(ns_rigid_contacts *o, const ns_rigid_problem *p);
/* Energy of the springs of the list as the step begins, J. */
typedef struct ns_elastic {
  double normal, across;
} ns_elastic;
ns_elastic ns_rigid_contacts_elastic(const ns_rigid_contacts *o);

void ns_rigid_contacts_save(const ns_rigid_contacts *o, ns_blob *b);
/* Once the list of the state was found again. NS_NOMEM. */
int ns_rigid_contacts_restore(ns_rigid_contacts *o, ns_ctx *c, ns_blob *b);

#endif
