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
 * Impulses do the work p (v_k + v_k+1)/2 on the systems, row by row along H of the end of the step;
 * what moves an obstacle does work_driven of it, the rest is contact and friction, which take
 * energy (man 5 nssim-output). */
typedef struct ns_certificate {
  long long steps;
  long long impacts;          /* impulses that met an approaching contact */
  long long newton;           /* Newton iterations, all steps */
  long long solver;           /* iterations of one-step problems, all steps */
  int newton_max, solver_max; /* the most in one step */
  int active_max;             /* most active rows in a step */
  double residual_max;        /* of one-step problems, see ns_lcp_residual */
  double newton_residual_max; /* scaled residual at acceptance */
  /* steps that were not solved to the tolerance, and accepted all the same */
  long long unsolved;
  double penetration_max; /* max of -y over unilateral rows, m */
  double approach_max;    /* fastest approach that an impulse met, m/s */
  double energy0, kinetic, potential;
  double work_force;         /* of forces that have no known potential, and of damping */
  double work_contact;       /* of impulses on gaps, joints and compliant contacts */
  double work_friction;      /* of friction and relays */
  double work_driven;        /* of what moves obstacles: -P dh/dt */
  double defect, defect_max; /* now, and the largest |defect| so far */
  /* event-driven runs; counts */
  double events;                       /* that changed a velocity or a mode */
  double flow_steps, flow_evaluations; /* of the smooth motion; of its right-hand side */
  /* what checks the run (simulation/events/event_certificate.h); the first three by what is allowed
   */
  double motion_defect;     /* between what equations lead to and states */
  double law_breach;        /* laws at rows and between them */
  double event_breach;      /* laws of impact, and what impulses make of velocities */
  double checked;           /* s: of intervals whose motion was checked */
  double certificate_rates; /* evaluations for it */
} ns_certificate;

/* Of the last step alone, recorded in /diagnostics. */
typedef struct ns_step_report {
  double newton, newton_residual, iterations, residual, active, penetration;
  int unsolved; /* its residual is above the tolerance, and was accepted */
} ns_step_report;

typedef struct ns_state {
  size_t bytes;
  void *block;       /* owned */
  double *t;         /* [1] s */
  long long *step;   /* [1] */
  double *q, *v, *z; /* [nq], [nv], [nz]; first order: x, the rate x' = M^-1 (f + r), z */
  double *p; /* impulse of all contacts on the systems in the last step, N s [nv]; brought to
              * date when a row is recorded, otherwise as a Newton loop left it. First order: the
              * input r of the last step */
  /* forces at *t that the integrator carries over to the next step, N [nv]; first order: f(x, t) */
  double *f;
  double *y, *ydot; /* [nrows] m, m/s */
  /* impulses of the last step, N s [nrows]; first order: multipliers, no impulses */
  double *lambda;
  double
      *impulse; /* of the event that this row is after, N s, 0 in other rows [nrows]; NULL:
                 * time-stepping, where lambda is an impulse. With it lambda and p are forces, N */
  /* of this row: 0 of the grid, 1 just before an event, 2 just after it; NULL: time-stepping */
  double *side;
  /* values of ns_model.observables when a row was last recorded, observables.h */
  double *observable;
  /* impulses of the last step that held prescribed velocities, N s [nv]; NULL: no boundaries */
  double *support;
  /* two-step schemes: q of the step before, and 2 numbers a row for events [nq + 2 nrows]; NULL:
   * one-step */
  double *previous;
  /* free coordinates of joints and joint axes when the last step was accepted, angles counted over
   * turns [nangles] */
  double *angle;
  /* behind them: their rates when a row was last recorded; of joints alone [nangles] */
  double *rate;
  /* what parameters of laws that depend on the state are extrapolated from [npast], law_values.h */
  double *past;
  double *bond;        /* what laws with memory keep [nbonds], laws/law.h */
  double *measured;    /* what measures keep [nmeasured], measure.h */
  double *user;        /* what events of the user keep [nuser], user_event.h */
  double *branch;      /* of formulas that jump: their value, and behind all of these sides and next
                        * times, as      simulation/events/branches.h keeps them [3 nbranches] */
  double *memory;      /* what controls keep from sample to sample [nmemory] */
  unsigned char *mode; /* contact history for events, see simulation/record/events.h [nrows] */
  ns_step_report *report;
  ns_certificate *cert;
} ns_state;

/* Initial state: q0, v0 (zero where NULL), z0, t0; f zero until the integrator sets it. y and ydot
 * are evaluated, in first-order models y at lambda = 0: lambda and the input p there are zero until
 * the driver makes them consistent. */
int ns_state_create(ns_ctx *c, const ns_model *m, ns_state *x);
void ns_state_fini(ns_state *x);

#endif
