/* SPDX-License-Identifier: GPL-3.0-or-later */
/* state.h -- everything that changes during a run, in one block of memory.
 *
 * A checkpoint is a copy of the block; two states of one model are equal if their bytes are.
 * The pointers are views into the block. */
#ifndef NS_MODEL_STATE_H
#define NS_MODEL_STATE_H

#include "model/model.h"

/* Sums and extremes over the run: the certificate of its result. Energies in J.
 *   E = 1/2 v^T M v + 1/2 q^T K q - f_const^T q   (kinetic + known potential)
 *   E(t) - E(t0) = work_force + work_contact + work_friction + work_driven + defect
 * Impulses do the work p (v_k + v_k+1)/2 on the systems, row by row along H at the end of the step.
 * Moving obstacles contribute work_driven; the rest is work of contact and friction, which
 * dissipates energy (nssim-output(5)). */
typedef struct ns_certificate {
  long long steps;
  long long impacts;          /* impulses at approaching contacts */
  long long newton;           /* Newton iterations, all steps */
  long long solver;           /* iterations of one-step problems, all steps */
  int newton_max, solver_max; /* max. in one step */
  int active_max;             /* max. number of active rows in a step */
  double residual_max;        /* of one-step problems, see ns_lcp_residual */
  double newton_residual_max; /* scaled residual at acceptance */
  /* steps accepted although they were not solved to the tolerance */
  long long unsolved;
  double penetration_max; /* max of -y over unilateral rows, m */
  double approach_max;    /* max. approach velocity at an impulse, m/s */
  double energy0, kinetic, potential;
  double work_force;         /* work of forces without a known potential, and of damping */
  double work_contact;       /* of impulses on gaps, joints and compliant contacts */
  double work_friction;      /* of friction and relays */
  double work_driven;        /* work of moving obstacles: -P dh/dt */
  double defect, defect_max; /* current defect, and max. |defect| so far */
  /* event-driven runs; counts */
  double events; /* events that changed a velocity or a mode */
  /* steps of the smooth motion; evaluations of its right-hand side */
  double flow_steps, flow_evaluations;
  /* checks of the run (simulation/events/event_certificate.h); the first three relative to the
   * accepted error */
  double motion_defect;     /* difference between verified motion and recorded states */
  double law_breach;        /* violation of laws in rows and between them */
  double event_breach;      /* violation of impact laws, and of the velocity changes by impulses */
  double checked;           /* duration of the intervals whose motion was checked, s */
  double certificate_rates; /* evaluations for these checks */
} ns_certificate;

/* Data of the last step, recorded in /diagnostics. */
typedef struct ns_step_report {
  double newton, newton_residual, iterations, residual, active, penetration;
  int unsolved; /* 1: accepted with a residual above the tolerance */
} ns_step_report;

typedef struct ns_state {
  size_t bytes;
  void *block;       /* owned */
  double *t;         /* [1] s */
  long long *step;   /* [1] */
  double *q, *v, *z; /* [nq], [nv], [nz]; first order: x, the rate x' = M^-1 (f + r), z */
  /* impulse of all contacts on the systems in the last step, N s [nv]; updated when a row is
   * recorded, otherwise as left by the Newton loop. First order: the input r of the last step */
  double *p;
  /* forces at *t, used by the next step, N [nv]; first order: f(x, t) */
  double *f;
  double *y, *ydot; /* [nrows] m, m/s */
  /* impulses of the last step, N s [nrows]; first order: multipliers, no impulses */
  double *lambda;
  /* event-driven runs: impulse of the event just before this row, N s, 0 in other rows [nrows];
   * lambda and p are then forces, N. NULL: time-stepping, where lambda is an impulse */
  double *impulse;
  /* of this row: 0 grid point, 1 just before an event, 2 just after it; NULL: time-stepping */
  double *side;
  /* values of ns_model.observables when a row was last recorded, observables.h */
  double *observable;
  /* impulses of the last step that enforce prescribed velocities, N s [nv]; NULL: none */
  double *support;
  /* two-step schemes: q of the previous step, and 2 numbers per row for events [nq + 2 nrows];
   * NULL: one-step schemes */
  double *previous;
  /* free coordinates of joints and joint axes at the end of the last accepted step, with angles
   * that count revolutions; length and force of forces [nangles] */
  double *angle;
  /* their rates when a row was last recorded, only of joints; rate and power of forces [nangles] */
  double *rate;
  /* data for extrapolating parameters of laws that depend on the state [npast], law_values.h */
  double *past;
  double *bond;     /* memory of laws [nbonds], laws/law.h */
  double *measured; /* memory of measures [nmeasured], measure.h */
  double *user;     /* memory of user events [nuser], user_event.h */
  /* branches of formulas that jump: their values, then sides and next times, see
   * simulation/events/branches.h [3 nbranches] */
  double *branch;
  double *memory;      /* memory of controls [nmemory] */
  unsigned char *mode; /* contact history for events, see simulation/record/events.h [nrows] */
  ns_step_report *report;
  ns_certificate *cert;
} ns_state;

/* Create the initial state: q0, v0 (zero if NULL), z0, t0; f is zero until the integrator sets it.
 * y and ydot are evaluated; in first-order models y at lambda = 0, because lambda and the input p
 * are zero until the driver computes consistent values. */
int ns_state_create(ns_ctx *c, const ns_model *m, ns_state *x);
void ns_state_fini(ns_state *x);
/* Where the systems begin: q0 with normalised quaternions, v0, z0, to vectors of zeros; v NULL: not
 * that. */
void ns_state_initial(const ns_model *m, double *q, double *v, double *z);

#endif
