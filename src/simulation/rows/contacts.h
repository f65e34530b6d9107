/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contacts.h -- from interactions to the one-step problem of velocity-level schemes.
 *
 * Rows of all interactions form one sparse matrix H [nrows x nv]. With G = (W^-1 H^T)^T the
 * Delassus operator is D = H G^T; two rows meet in it only where they share a system. Its
 * structure, and its values where all W and H are constant, are computed once. Each step takes the
 * rows and columns of the active set I_1 and solves
 *
 *   w = D z + q,  q = H vfree + dh/dt + E ydot_k,  law(w, z)        (Acary & Brogliato 2008, ch.
 *                 10)
 *
 * with w = U + E U_k and z = P, an impulse in N s; E = e, or (e_n, e_t, e_t) with friction. H of
 * nonlinear relations is that of the iterate.
 *
 * Rows become active together in units: each row of a unilateral law on its own, the rows of a
 * friction law by their normal; equalities, relays and compliant relations are always active, the
 * rows of a relay together where they are one vector. The laws decide which problem it is: an LCP
 * (unilateral rows alone), a box AVI (with equalities and relays), a mechanical problem (with
 * friction and relays of one vector).
 *
 * Nonlinear relations push along a mean of H of both ends of the step, H_theta = theta H_k+1 +
 * (1 - theta) H_k (rowsGamma in the place of theta where it is given), while their laws hold for
 * the velocity along H of the end,
 *
 *   M (v+ - v) = h F_theta + H_theta^T P,   law(H_k+1 v+ + E ydot_k, P):
 *
 * then H_theta v_theta = O(h^2) where contact lasts, it does no work but O(h^3) in a step, and the
 * scheme is of second order at theta = 1/2 (Hairer & Wanner 1996, ch. VII, for index 2); with one H
 * for both a point on a circle loses (h/2) P . dH/dt v of its power. The problem has H_theta on
 * both sides, so that D stays symmetric, with (H_k+1 - H_theta) v of the iterate in q: the same
 * fixed point, contraction O(h omega). A contact that lasts takes part in the next step: its gap
 * drifts by O(h^3) a step to either side, and left out for one step it would fall and be caught.
 *
 * A compliant row says something of the position at the end of the step. With P = h lambda (Acary &
 * Brogliato 2008, 10.1)
 *
 *   y_k+1 = h(q, lambda) - h theta H v - D lambda  +  h theta H v_k+1 + (D/h) P,   (q, v, lambda)
 *       the iterate.
 *
 * One of equalities, a spring, says it of the mean of both ends, theta y_k+1 + (1 - theta) y_k = 0
 * with one lambda for the step, and pushes along the same mean of H: at theta = 1/2 it keeps the
 * energy and is of second order, where y_k+1 = 0 damps as the implicit Euler method does. */
#ifndef NS_SIMULATION_ROWS_CONTACTS_H
#define NS_SIMULATION_ROWS_CONTACTS_H

#include "integrators/integrator.h"
#include "model/check/diagnose.h"
#include "model/model.h"
#include "model/relations/lagrangian_group.h"
#include "model/state.h"
#include "simulation/rows/row_problem.h"
#include "simulation/rows/rows.h"
#include "simulation/rows/unreduced_contacts.h"

typedef enum ns_contact_problem {
  NS_CONTACT_LCP,
  NS_CONTACT_AVI,
  NS_CONTACT_MECHANICAL
} ns_contact_problem;

/* A compliant relation of equalities: a spring. */
int ns_contacts_is_spring(const ns_interaction *it);

typedef struct ns_contacts {
  const ns_model *m;
  const ns_integrator_ops *ops;
  const void *osi;
  ns_arena *mem;
  int nrows;
  ns_rows H, G;
  /* y = H q + offset of linear relations; e, and F z where there is F [nrows] */
  double *offset;
  double *restitution; /* E [nrows] */
  double *shift;       /* dh/dt of rheonomous rows [nrows] */
  /* of compliant rows: the last force in this step that was one, N [nrows] */
  double *pushed;
  /* of compliant rows: h theta, of springs h theta^2; 1 elsewhere [nrows] */
  double *factor;
  int *interaction; /* of each row [nrows] */
  /* H is constant, and W in all its systems, also in all rows that it meets [nrows] */
  unsigned char *fixed;
  int has_F;
  ns_blocks D; /* structure and values over all rows, scalar */
  int plain;   /* unilateral rows of linear relations alone */
  int direct;  /* and a problem of one row needs no solver */
  int nunits;
  ns_unit *unit; /* [nunits] */
  int *unit_of;  /* of each row [nrows] */
  /* relations whose rows change: nonlinear ones */
  int nmoving, nrigid;
  /* interactions, compliant ones last [nmoving]; nrigid are not compliant */
  int *moving;
  ns_lagrangian_group *group; /* these, by systems [ngroups] */
  int ngroups;
  double
      *push; /* H_theta of rows of the groups, entries as those of H; NULL: it is H, or no group */
  double *begin; /* H where the step begins, the same */
  double *turn;  /* (H - H_theta) v of the iterate [nrows] */
  int bending,
      begun; /* the rows that stand push along H_theta; so does this step, and `begin` is its own */
  double *tension;      /* of laws with memory, bonds.h [nrows]; NULL: none has one */
  unsigned char *moves; /* row of such a relation [nrows] */
  /* y and ydot of their rows at the end of the step, before it is accepted [2 nrows] */
  double *ahead;
  int foreseen;          /* they are known */
  int compliant;         /* some relation is */
  double *constant;      /* of compliant rows: y_k+1 without what v_k+1 and P add [nrows] */
  double *compliance;    /* D = dh/dlambda of compliant relations, by columns */
  size_t *compliance_at; /* where it begins [ninteractions] */
  double *speed;         /* scratch [3 nrows] */
  /* of joints, whose turns are counted from there (state.h): borrowed; NULL: none */
  const double *angle;
  const double *linearised_at; /* position of the last linearisation, borrowed; NULL: none yet */
  int fresh;                   /* rows of active units are those of the present iterate */
  double *ends;                /* scratch of a spring: H, h, D of the end of a step */
  /* scratch of one relation: Q, V, Z, lambda, h, H, ht, D and its evaluation */
  double *local;
  double h, t1; /* of the present step */
  /* the active set and its problem */
  ns_contact_problem problem;
  int n;                   /* active rows */
  int *active;             /* ascending [n] */
  int *position;           /* of a row in active, -1 [nrows] */
  int na;                  /* active units */
  int *active_unit;        /* ascending [na] */
  double *q, *z, *w;       /* [n] */
  double *lb, *ub;         /* of box rows, all rows [nrows] */
  double *mu, *mu_rolling; /* coefficients of units [nunits] */
  ns_row_problem p;        /* not of rows alone, nor of velocities and impulses together */
  int gather;              /* the problem is to be gathered anew */
  int *touched, ntouched;  /* rows that p was last made of [nrows] */
  int rows_only;           /* no G, no D, no solver */
  int together;            /* the same, or velocities and impulses are solved for as one, by */
  ns_unreduced_contacts *unreduced; /* or NULL */
  double *scatter, *rhs;            /* [nv], largest system */
  double *before;                   /* p of the last iterate, for the test of convergence [nv] */
} ns_contacts;

/* symmetric: W = W^T for every system. ops NULL: rows, laws and the active set alone, without G, D
 * and a solver, for a driver that solves its own problem (mixed_stepping.h). Everything is
 * allocated here. NS_USAGE/NS_MODEL: unknown solver. */
int ns_contacts_create(ns_ctx *c, const ns_model *m, const ns_integrator_ops *ops, const void *osi,
                       int symmetric, ns_contacts **k);
void ns_contacts_destroy(ns_contacts *k); /* NULL-safe */
size_t ns_contacts_bytes(const ns_contacts *k);
/* Of the matrix of the problem when everything is active. */
size_t ns_contacts_entries(const ns_contacts *k);

/* Where k->m->values is there: laws of a step of length h from x (model/law_values.h), before its
 * active set. */
int ns_contacts_renew_laws(ns_contacts *k, ns_ctx *c, ns_state *x, double h);
/* Laws of k->m as they are now, in a step of length h. */
void ns_contacts_take_laws(ns_contacts *k, double h);
/* I_1 for a step of length h to t1: units whose first row has y + gamma h ydot <= threshold (and
 * ydot <= velocity threshold), from the state at its begin, and those that are always active. */
void ns_contacts_activate(ns_contacts *k, const ns_state *x, double t1, double h);
/* The same with the units that `chosen` names [nunits], and those that are always active. */
void ns_contacts_select(ns_contacts *k, const ns_state *x, double t1, double h,
                        const unsigned char *chosen);
/* y [nrows] of all rows at the position q of the iterate, at the end of the step. Failures: those
 * of plug-ins. */
int ns_contacts_positions(ns_contacts *k, ns_ctx *c, const ns_state *x, const double *q,
                          const double *v, double *y);
/* d/dt of (H V + dh/dt) at constant V [nrows]: of active nonlinear relations at (q, v), 0 of linear
 * ones. */
int ns_contacts_bias(ns_contacts *k, ns_ctx *c, const ns_state *x, const double *q, const double *v,
                     double *bias);
/* H, dh/dt and compliant parts of the active nonlinear relations at the iterate (q, v); does
 * nothing for linear ones. Failures: those of plug-ins. */
int ns_contacts_linearise(ns_contacts *k, ns_ctx *c, const ns_state *x, const double *q,
                          const double *v);
/* H of an interaction that is not linear at (t, q, v), active or not. */
int ns_contacts_linearise_alone(ns_contacts *k, ns_ctx *c, const ns_interaction *it, double t,
                                const double *q, const double *v, double *z);
/* The same in a step from x, for impulses along H_theta. */
int ns_contacts_follow(ns_contacts *k, ns_ctx *c, const ns_state *x, const double *q,
                       const double *v);
/* The problem for this free velocity; changed: as the integrator's vfree says. */
void ns_contacts_assemble(ns_contacts *k, const ns_state *x, const double *vfree, int changed);
/* Solve; the guess is x->lambda in the first pass, the last solution afterwards. */
int ns_contacts_solve(ns_contacts *k, ns_ctx *c, ns_outcome *out);
/* The same problem with another q, from the guess z; not unreduced. */
int ns_contacts_solve_other(ns_contacts *k, ns_ctx *c, const double *q, double *z, double *w,
                            ns_outcome *out);
/* The three for plain rows in one: v [nv] in: the free velocity, whose W is as before; out, where
 * solved: the new one. */
int ns_contacts_act(ns_contacts *k, ns_ctx *c, const ns_state *x, double *v, ns_outcome *out);
/* v += G^T z. */
void ns_contacts_apply(const ns_contacts *k, double *v);
/* p = H^T z of the active rows; p must hold what the last such call wrote (zero at first). */
void ns_contacts_impulse(ns_contacts *k, double *p);
/* Nonlinear relations: how far the last impulses and velocities are from those of H at the new
 * iterate (q, v), scaled so that
 * <= 1 is converged: |H'^T z - p| / (atol + rtol |p|), 2-norms, and |(H' - H) v| row by row over
 * rtol |H'| |v| and rounding. Linearises there. p [nv]: of ns_contacts_impulse. */
int ns_contacts_settled(ns_contacts *k, ns_ctx *c, const ns_state *x, const double *q,
                        const double *v, double *p, double *residual);
/* After that: the part of each row in it, p being what it wrote. */
void ns_contacts_suspects(const ns_contacts *k, const double *p, ns_suspect *w);
/* y and ydot of nonlinear relations at the iterate (q, v), the end of the step: what
 * ns_contacts_output is to write, but before anything is accepted, so that a failure leaves the
 * last state. Failures: those of plug-ins; NS_NUMERIC: not finite. */
int ns_contacts_foresee(ns_contacts *k, ns_ctx *c, const ns_state *x, const double *q,
                        const double *v);
/* Work of the impulses of a step, p (v_k + v_k+1)/2 row by row along what pushed, what moves
 * obstacles apart, to x->cert; not for plain rows, of which ns_contacts_output knows it.
 * `before` just before the step is accepted, `work` after its output. */
void ns_contacts_before(ns_contacts *k, const ns_state *x);
void ns_contacts_work(const ns_contacts *k, const ns_state *x);
/* y, ydot of all rows and lambda from the accepted q, v, z; work of plain rows to x->cert. */
int ns_contacts_output(ns_contacts *k, ns_ctx *c, ns_state *x);
/* p = H^T lambda from the state. */
void ns_contacts_report(ns_contacts *k, ns_state *x);

/* A row of friction or of a relay; the normal of friction is a contact. */
static inline int ns_contacts_rubs(const ns_contacts *k, int r)
{
  const ns_unit *u = &k->unit[k->unit_of[r]];
  return u->kind == NS_UNIT_FRICTION ? r != u->first
                                     : ns_interaction_rubs(&k->m->interactions[k->interaction[r]]);
}

/* Values along which row r pushes in the problem, entries as those of H. */
static inline const double *ns_contacts_push(const ns_contacts *k, int r)
{
  return k->bending && k->moves[r] && k->unit[k->unit_of[r]].kind != NS_UNIT_COMPLIANT ? k->push
                                                                                       : k->H.val;
}

/* For checkpoints (contacts_memory.c), of contacts just created from the same model. savable: 0
 * where the solver does not say what it remembers. p of ns_contacts_impulse begins at zero again.
 */
int ns_contacts_savable(const ns_contacts *k);
void ns_contacts_save(const ns_contacts *k, ns_blob *b);
void ns_contacts_restore(ns_contacts *k, ns_blob *b);

#endif
