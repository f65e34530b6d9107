/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stepper.h -- common parts of drivers: contacts with matrices, the certificate, messages. */
#ifndef NS_SIMULATION_STEP_STEPPER_H
#define NS_SIMULATION_STEP_STEPPER_H

#include "algebra/vector.h"
#include "integrators/matrices.h"
#include "simulation/rows/contacts.h"
#include "simulation/step/strategy.h"

#include <math.h>

static inline void ns_count_max(int *max, int a)
{
  if (a > *max) *max = a;
}

/* Add an accepted step to the certificate. */
static inline void ns_certify_passes(ns_state *x, const ns_step_report *r)
{
  ns_certificate *k = x->cert;
  int newton = (int)r->newton, iterations = (int)r->iterations;
  k->steps++;
  k->newton += newton;
  k->solver += iterations;
  k->unsolved += r->unsolved;
  ns_count_max(&k->newton_max, newton);
  ns_count_max(&k->solver_max, iterations);
  ns_count_max(&k->active_max, (int)r->active);
  ns_keep_max(&k->residual_max, r->residual);
  ns_keep_max(&k->newton_residual_max, r->newton_residual);
  ns_keep_max(&k->penetration_max, r->penetration);
}

/* The same, with the energy balance. */
static inline void ns_certify(ns_state *x, const ns_step_report *r)
{
  ns_certificate *k = x->cert;
  ns_certify_passes(x, r);
  k->defect = k->kinetic + k->potential - k->energy0 - k->work_force - k->work_contact;
  k->defect -= k->work_friction + k->work_driven;
  ns_keep_max(&k->defect_max, fabs(k->defect));
}

/* 1 for gaps that open and close: unilateral rows, and the normal rows of friction. */
static inline int ns_has_events(const ns_contacts *k, int r)
{
  const ns_unit *u = &k->unit[k->unit_of[r]];
  return u->kind == NS_UNIT_UNILATERAL || (u->kind == NS_UNIT_FRICTION && u->first == r);
}

/* Failure: the one-step problem of the contacts was not solved. */
int ns_unsolved(ns_contacts *k, const ns_state *x, ns_ctx *c, const ns_outcome *out);
/* ns_contacts_solve, and the problem to w, if it is not NULL. bounds: of ns_show_bounds. */
int ns_solve_shown(ns_contacts *k, ns_ctx *c, const ns_state *x, const ns_watch *w, double *bounds,
                   ns_outcome *out);
/* Allocate once, if *bounds is NULL, [3 nrows]: 0, inf, the initial guess of the next solve. */
int ns_show_bounds(const ns_model *m, ns_ctx *c, double **bounds);
/* The plan of a part whose rows are k, with this integrator. */
void ns_contacts_describe(const ns_contacts *k, const ns_state *x, const char *integrator,
                          const ns_integrator_info *i, ns_plan *plan);

/* Contacts with matrices, for schemes without an integrator: D1-minus, Schatzman-Paoli, events. */
typedef struct ns_stepper {
  const ns_model *m;
  ns_state *x;
  ns_matrices *matrices;
  ns_contacts *k;
  double h;
  const ns_watch *w; /* NULL: problems are not shown */
  double *bounds;
  unsigned char *chosen; /* of units [nunits]; zero */
  double *relation;      /* scratch of one relation */
  double *work;          /* scratch of one system */
  double *kept;          /* of drivers: user vectors at the begin of a step [nz] */
  int changed;           /* NS_W_...: changes of W since the last assembly */
} ns_stepper;

/* Laws that a scheme supports in addition to unilateral contacts; FRICTION includes relays that are
 * forces. */
enum {
  NS_STEPS_EQUALITIES = 1,
  NS_STEPS_FRICTION = 2,
  NS_STEPS_COMPLIANT = 4,
  NS_STEPS_PRESCRIBED = 8
};

/* W = M + b C + k K (matrices.h). Refuses prescribed velocities unless `laws` has
 * NS_STEPS_PRESCRIBED, and laws that `scheme` does not support; laws: NS_STEPS_... */
int ns_stepper_init(ns_ctx *c, const ns_model *m, ns_state *x, const char *scheme, int laws,
                    double b, double k, ns_stepper *s);
void ns_stepper_fini(ns_stepper *s);
/* Its plan; *plan is overwritten. */
void ns_stepper_describe(const ns_stepper *s, const char *integrator, ns_plan *plan);
/* For checkpoints: contacts, and masses that depend on the state. */
static inline int ns_stepper_savable(const ns_stepper *s) { return ns_contacts_savable(s->k); }
void ns_stepper_save(const ns_stepper *s, ns_blob *b);
void ns_stepper_restore(ns_stepper *s, ns_blob *b);
int ns_stepper_watch(ns_stepper *s, ns_ctx *c, const ns_watch *w);
/* Solve the problem w = D z + rhs of the active rows, `rhs` [n]; adds to report. */
int ns_stepper_solve(ns_stepper *s, ns_ctx *c, const double *rhs, ns_step_report *report);
/* Fails with a message that names what is not finite in the new state; NS_OK if everything is
 * finite. */
int ns_stepper_finite(const ns_stepper *s, ns_ctx *c, const double *q, const double *v);

#endif
