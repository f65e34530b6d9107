/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_contacts.h -- contacts between shapes of rigid bodies in a run: detection, rows, and data
 * kept from step to step.
 *
 * The list of a step contains the contacts with gaps below a margin at its beginning. Those with g
 * + gamma h (u_N - a) <= threshold are active, where a is the largest contribution of the forces of
 * the step to the approach velocity, without other constraints: resting contacts thus remain active
 * for any rounding of their velocity. Each active contact is a block of the one-step problem: a
 * normal row; with friction, rows of slip; with rolling friction, rows of relative angular
 * velocity; all at the same point of both bodies, so that action and reaction balance. Restitution
 * applies to approaching bodies: b = e u with u at the beginning; otherwise b = 0. If a contact was
 * in the list of the previous step, its impulse is the initial guess of the solver. Planar bodies
 * touch in the plane z = 0 (collision/scene.h).
 *
 * Rows are evaluated at the beginning of the step, H_k, except for contacts that had an impulse in
 * the last step and whose bodies rotate. For these the impulse acts along the rows within the step,
 * and the law applies to the velocity along those at the end,
 *
 *   M (v+ - v) = h F_theta + H_theta^T r,   law(H_k+1 v+ + e u_k, r),
 *
 * with the nearest points at both configurations. If some shape has a rim (cylinders), the points
 * of rims are found at each iterate and other contacts use H_k; otherwise the points follow from
 * v_k, with an error of O(h^2), and need no iteration. Then H_theta v_theta = O(h^2), the work of a
 * lasting contact in a step is O(h^3), and rolling has second order at theta = 1/2 (Hairer & Wanner
 * 1996, ch. VII, for index 2). With the same rows for both, the contact would dissipate the power
 * (h/2) r . dH/dt v, which has a constant sign for a disk rolling on its rim. The problem has
 * H_theta on both sides and thus remains symmetric, with (H_k+1 - H_theta) v of the iterate in b:
 * the fixed point is the same, the contraction O(h omega).
 *
 * Some laws have a memory: bonds (bonds.h), and the tangential spring of compliant contacts. It
 * belongs to the contact in the list and is passed on with it, like its impulse. */
#ifndef NS_SIMULATION_ROWS_RIGID_CONTACTS_H
#define NS_SIMULATION_ROWS_RIGID_CONTACTS_H

#include "base/blob.h"
#include "collision/scene.h"
#include "model/state.h"
#include "simulation/record/sink.h"
#include "simulation/rows/rigid_problem.h"

/* A contact of the list. */
typedef struct ns_rigid_touch {
  int a, b;                      /* shapes */
  int body[2];                   /* body[1] = -1: the world */
  int block;                     /* index in the problem, if active */
  unsigned char flipped, active; /* flipped: body[0] is that of b */
  double gap;   /* gap at the beginning of the step, or of ns_rigid_contacts_gaps */
  double speed; /* u_N at the beginning of the step */
  /* u_N minus the possible contribution of forces to the approach in the step */
  double forecast;
} ns_rigid_touch;

typedef struct ns_rigid_contacts ns_rigid_contacts;

/* Create; *out NULL: the model has no shapes. The team is borrowed, NULL: one thread. */
int ns_rigid_contacts_create(ns_ctx *c, const ns_model *m, ns_team *team, ns_rigid_contacts **out);
void ns_rigid_contacts_destroy(ns_rigid_contacts *o);       /* NULL-safe */
size_t ns_rigid_contacts_bytes(const ns_rigid_contacts *o); /* 0 of NULL */

/* 1 if some law is compliant: problems then have D. */
int ns_rigid_contacts_are_compliant(const ns_rigid_contacts *o);

/* Find the list for a step that begins at q with v; *deepest: max. overlap, m. NS_NOMEM. */
int ns_rigid_contacts_find(ns_rigid_contacts *o, ns_ctx *c, const double *q, const double *v,
                           double t, double h, double *deepest);
/* Check that overlaps of the list are accepted at the start, and that nothing is inside a mesh with
 * the bodies at q; otherwise NS_MODEL with a message that names the shapes. */
int ns_rigid_contacts_check_start(const ns_rigid_contacts *o, ns_ctx *c, const double *q);
/* ns_multibody.along at the q of the list; NULL where bodies are few. */
const int *ns_rigid_contacts_along(const ns_rigid_contacts *o);
/* Size of the smallest shape, from its centre to its farthest point, m; inf: all are infinite. */
double ns_rigid_contacts_smallest(const ns_rigid_contacts *o);
/* 1 if its law has restitution of the normal velocity. */
int ns_rigid_contacts_bounces(const ns_rigid_contacts *o, const ns_rigid_touch *t);
/* 1 if a remaining overlap is not corrected, because its force depends on it, or because its bodies
 * have no other contact and rebound. */
int ns_rigid_contacts_keeps_overlap(const ns_rigid_contacts *o, const ns_rigid_touch *t);
/* Gap of a contact of the list at the beginning of the step. */
double ns_rigid_contacts_gap_before(const ns_rigid_contacts *o, const ns_rigid_touch *t);
ns_rigid_touch *ns_rigid_contacts_list(const ns_rigid_contacts *o, int *n);
/* Compute the forecasts of all contacts: bodies at q with v would have the velocities `loose` at
 * the end of the step without constraints. */
void ns_rigid_contacts_forecast(ns_rigid_contacts *o, const double *q, const double *v,
                                const double *loose);
/* Activate the contacts of a step that begins with v: those whose predicted gap exceeds the
 * activation threshold by `closed` at most, and those with an impulse in the last step and a gap <=
 * `held`. */
void ns_rigid_contacts_activate(ns_rigid_contacts *o, const double *v, double h, double closed,
                                double held);
/* "box" of crate: a shape, for messages; returns buf. */
const char *ns_rigid_contacts_name(const ns_rigid_contacts *o, int shape, char *buf, size_t n);
/* If m->values is not NULL: read the laws of the next step, after their update; laws that read the
 * speeds of a contact are evaluated for each contact of the list. Fails if a value is out of its
 * range. */
int ns_rigid_contacts_take_laws(ns_rigid_contacts *o, ns_ctx *c, ns_state *x);
/* Add blocks of the active contacts to p, after its present blocks; bodies are at q with v.
 * NS_NOMEM. */
int ns_rigid_contacts_pose(ns_rigid_contacts *o, ns_ctx *c, const double *q, const double *v,
                           ns_rigid_problem *p);
/* How rows of contacts depend on the motion: constant; predicted at the first iterate; updated at
 * each iterate. */
typedef enum ns_rolling { NS_ROLLING_NONE, NS_ROLLING_FORESEEN, NS_ROLLING_FOLLOWED } ns_rolling;
/* Choose the contacts with such rows in a step of length h that begins with v, after their blocks
 * were added to p; without `follow`, none if there are rims. */
ns_rolling ns_rigid_contacts_roll(ns_rigid_contacts *o, const ns_rigid_problem *p, const double *v,
                                  double h, int follow);
/* Compute their rows H_theta at the configuration `within` the step, and H_k+1 at q. NS_NOMEM. */
int ns_rigid_contacts_roll_rows(ns_rigid_contacts *o, ns_ctx *c, const double *within,
                                const double *q);
/* Write these rows to p; v: velocities of the iterate. */
void ns_rigid_contacts_roll_fill(ns_rigid_contacts *o, const double *v, ns_rigid_problem *p);
/* Change of these rows since p was solved, at its solution v: impulse += (H_theta - H_p)^T r.
 * Returns the largest change of a velocity over atol + rtol (sum of the terms of the largest row of
 * its contact). */
double ns_rigid_contacts_roll_change(const ns_rigid_contacts *o, const double *v,
                                     const ns_rigid_problem *p, double *impulse);
/* Remove from b of p the terms for rows at the end of the step. */
void ns_rigid_contacts_roll_end(const ns_rigid_contacts *o, ns_rigid_problem *p);
/* Gaps at q, of the points fixed to the cores, along the normal at the beginning of the step. The
 * core of a sphere is its centre, so its nearest point remains below the centre as it rolls. */
void ns_rigid_contacts_gaps(ns_rigid_contacts *o, const double *q);
/* Gradient of the gap of a contact [2 dof] at the bodies' positions of the last
 * ns_rigid_contacts_gaps. The lever arm is that of the core, so that spheres and disks have no
 * moment. */
void ns_rigid_contacts_gap_row(const ns_rigid_contacts *o, const ns_rigid_touch *t, double *H);
/* What happened in a step from x to velocities v, vfree without contact: impacts are counted in
 * x->cert and, if the run records them (ns_contacts_have_events), modes are updated and events
 * stored, by the same rules as for rows of interactions (events.h). The mode belongs to the contact
 * in the list; if another corner of the same two shapes replaces it in a step, that corner gets the
 * mode. A contact that leaves the list, because its gap exceeds the margin, is released in that
 * step. If a body has several contacts, solutions may load them alternately; a lasting contact is
 * therefore released only when it separates. */
void ns_rigid_contacts_happened(ns_rigid_contacts *o, const ns_rigid_problem *p,
                                const double *vfree, const double *v, ns_state *x);
/* The events of the last step, available after the list of the next one was found; without their
 * time. */
ns_event *ns_rigid_contacts_events(ns_rigid_contacts *o, int *n);
/* Store the results of the step: impulses as guesses of the next one, and records if `recorded`.
 * NS_NOMEM. */
int ns_rigid_contacts_keep(ns_rigid_contacts *o, ns_ctx *c, const ns_rigid_problem *p,
                           int recorded);
/* The gaps of these records, at the end q of the step. */
void ns_rigid_contacts_keep_gaps(ns_rigid_contacts *o, const double *q);
/* Check that all bodies are inside the domain at the end of the step; otherwise NS_NUMERIC with a
 * message. */
int ns_rigid_contacts_inside(const ns_rigid_contacts *o, ns_ctx *c, double t, const double *q);
/* The contacts of the last step, if it was recorded. */
const ns_contact_record *ns_rigid_contacts_records(const ns_rigid_contacts *o, size_t *n);

/* ---- contacts that remember (rigid_contacts_memory.c) ---------------------------------------- */

/* Create the bonds of closed contacts at the beginning of a run. */
void ns_rigid_contacts_bond(ns_rigid_contacts *o);
/* Tension of a contact of the list, N. */
double ns_rigid_contacts_tension(const ns_rigid_contacts *o, const ns_rigid_touch *t);
/* Convert the guesses of active contacts with a tension to the unknowns of the problem (bonds.h),
 * after their blocks were added to p. Returns 1 if there are any. */
int ns_rigid_contacts_load_bonds(ns_rigid_contacts *o, double h, ns_rigid_problem *p);
/* _pull: impulse -= H_N^T h tension of these contacts. _settle: convert the impulses of p back to
 * those without tension. */
void ns_rigid_contacts_pull(const ns_rigid_contacts *o, const ns_rigid_problem *p, double *impulse);
void ns_rigid_contacts_settle(const ns_rigid_contacts *o, ns_rigid_problem *p);
/* Prepare the compliant contacts of a step of length h that begins with v, after their blocks were
 * added to p. Returns 1 if some force is not linear in the velocity. */
int ns_rigid_contacts_comply(ns_rigid_contacts *o, const double *v, double h,
                             const ns_rigid_problem *p);
/* Set their b, D and mu at the iterate v. */
void ns_rigid_contacts_comply_fill(ns_rigid_contacts *o, const double *v,
                                   const ns_rigid_problem *p);
/* Change of these since p was solved, at v; scaled as in ns_rigid_contacts_roll_change. */
double ns_rigid_contacts_comply_change(const ns_rigid_contacts *o, const double *v,
                                       const ns_rigid_problem *p);
/* Update bonds and springs after the step, with impulses converted by _settle. */
void ns_rigid_contacts_remember(ns_rigid_contacts *o, const ns_rigid_problem *p);
/* Energy of the springs of the list at the beginning of the step, J. */
typedef struct ns_elastic {
  double normal, across;
} ns_elastic;
ns_elastic ns_rigid_contacts_elastic(const ns_rigid_contacts *o);

void ns_rigid_contacts_save(const ns_rigid_contacts *o, ns_blob *b);
/* Restore, after the list of the state was found again. NS_NOMEM. */
int ns_rigid_contacts_restore(ns_rigid_contacts *o, ns_ctx *c, ns_blob *b);

#endif
