/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stepper.h -- what drivers of a step share: contacts over matrices, controls, the certificate,
 * messages. */
#ifndef NS_SIMULATION_STEP_STEPPER_H
#define NS_SIMULATION_STEP_STEPPER_H

#include "integrators/matrices.h"
#include "simulation/rows/contacts.h"
#include "simulation/step/strategy.h"

#include <math.h>

/* fmax without its care for NaN: a NaN never gets here. */
static inline void ns_keep_max(double *most, double a)
{
  if (a > *most) *most = a;
}

static inline void ns_count_max(int *most, int a)
{
  if (a > *most) *most = a;
}

/* A step that was accepted goes to the certificate. */
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

/* The same, and the balance of energy. */
static inline void ns_certify(ns_state *x, const ns_step_report *r)
{
  ns_certificate *k = x->cert;
  ns_certify_passes(x, r);
  k->defect = k->kinetic + k->potential - k->energy0 - k->work_force - k->work_contact;
  k->defect -= k->work_friction + k->work_driven;
  ns_keep_max(&k->defect_max, fabs(k->defect));
}

/* Gaps that open and close: unilateral rows, and the normals of friction. */
static inline int ns_has_events(const ns_contacts *k, int r)
{
  const ns_unit *u = &k->unit[k->unit_of[r]];
  return u->kind == NS_UNIT_UNILATERAL || (u->kind == NS_UNIT_FRICTION && u->first == r);
}

/* The one-step problem of the contacts was not solved: the sentence. */
int ns_unsolved(ns_contacts *k, const ns_state *x, ns_ctx *c, const ns_outcome *out);
/* Show the problem; bounds [3 nrows]: 0, inf, then the guess of what is solved next, which
 * ns_show_guess keeps. */
void ns_show_guess(const ns_contacts *k, double *bounds);
void ns_show_problem(const ns_contacts *k, const ns_state *x, const ns_watch *w,
                     const double *bounds, const ns_outcome *out);
/* Bounds for it, once; NULL: got here. */
int ns_show_bounds(const ns_model *m, ns_ctx *c, double **bounds);
/* What the solver of the contacts does, for the plan. */
const char *ns_solver_note(const ns_contacts *k);

/* Contacts over matrices that a scheme of its own steps with. */
typedef struct ns_stepper {
  const ns_model *m;
  ns_state *x;
  ns_matrices *matrices;
  ns_contacts *k;
  double h;
  const ns_watch *w; /* NULL: nobody looks at problems */
  double *bounds;
  unsigned char *chosen; /* of units [nunits]; zero */
  int changed;           /* NS_W_...: what the next assembly has to know */
} ns_stepper;

/* What a scheme has rules for beside unilateral contacts: equalities; friction, and relays that are
 * forces. */
enum {
  NS_STEPS_EQUALITIES = 1,
  NS_STEPS_FRICTION = 2,
  NS_STEPS_COMPLIANT = 4,
  NS_STEPS_PRESCRIBED = 8
};

/* W = M + b C + c K (matrices.h). Refuses boundary conditions, and laws that `scheme` has no rule
 * for; laws: NS_STEPS_... */
int ns_stepper_init(ns_ctx *c, const ns_model *m, ns_state *x, const char *scheme, int laws,
                    double b, double k, ns_stepper *s);
void ns_stepper_fini(ns_stepper *s);
void ns_stepper_describe(const ns_stepper *s, const char *integrator, size_t bytes, ns_plan *plan);
/* For checkpoints: contacts, and masses that move. */
static inline int ns_stepper_savable(const ns_stepper *s) { return ns_contacts_savable(s->k); }
void ns_stepper_save(const ns_stepper *s, ns_blob *b);
void ns_stepper_restore(ns_stepper *s, ns_blob *b);
int ns_stepper_watch(ns_stepper *s, ns_ctx *c, const ns_watch *w);
/* The problem  w = D z + rhs  of the active rows, `rhs` [n]; adds to report. */
int ns_stepper_solve(ns_stepper *s, ns_ctx *c, const double *rhs, ns_step_report *report);
/* Something of the new state is not finite: the sentence that names it, NS_OK where all is. */
int ns_stepper_finite(const ns_stepper *s, ns_ctx *c, const double *q, const double *v);

#endif
