/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contacts.h -- assembly of the one-step problem of velocity-level schemes from interactions.
 *
 * Rows of all interactions form one sparse matrix H [nrows x nv]. With G = (W^-1 H^T)^T the
 * Delassus matrix is D = H G^T; it has an entry for two rows only if they share a system. Its
 * structure, and its values if all W and H are constant, are computed once. Each step takes the
 * rows and columns of the active set I_1 and solves
 *
 *   w = D z + q,  q = H vfree + dh/dt + E ydot_k,  law(w, z)        (Acary & Brogliato 2008, ch.
 *                 10)
 *
 * with w = U + E U_k and z = P, an impulse in N s; E = e, or (e_n, e_t, e_t) with friction. H of
 * nonlinear relations is evaluated at the iterate.
 *
 * Rows become active in units: each row of a unilateral law separately; all rows of a friction law,
 * by the normal row. Equalities, relays and compliant relations are always active; rows of a relay
 * that form one vector are one unit. The laws determine the problem: an LCP (only unilateral rows),
 * a box AVI (with equalities and relays), or a problem of mechanical.h (with friction or relays of
 * one vector).
 *
 * Impulses of nonlinear relations act along a mean of H at both ends of the step, H_theta = theta
 * H_k+1 + (1 - theta) H_k (with rowsGamma instead of theta if given), while their laws apply to the
 * velocity along H at the end,
 *
 *   M (v+ - v) = h F_theta + H_theta^T P,   law(H_k+1 v+ + E ydot_k, P).
 *
 * For lasting contacts H_theta v_theta = O(h^2), so that their work in a step is O(h^3), and the
 * scheme has second order at theta = 1/2 (Hairer & Wanner 1996, ch. VII, for index 2). With the
 * same H for both, a point on a circle would lose the power (h/2) P . dH/dt v. The problem has
 * H_theta on both sides, so that D remains symmetric, with (H_k+1 - H_theta) v of the iterate in q:
 * the fixed point is the same, the contraction O(h omega). A lasting contact is active in the next
 * step: its gap drifts by O(h^3) per step to either side, and if it were inactive for one step it
 * would fall and be caught again.
 *
 * The law of a compliant row applies to the position at the end of the step. With P = h lambda
 * (Acary & Brogliato 2008, 10.1)
 *
 *   y_k+1 = h(q, lambda) - h theta H v - D lambda  +  h theta H v_k+1 + (D/h) P
 *
 * at the iterate (q, v, lambda).
 *
 * The law of a compliant equality, a spring, applies to the mean of both ends, theta y_k+1 + (1 -
 * theta) y_k = 0 with one lambda for the step, which acts along the same mean of H: at theta = 1/2
 * this conserves energy and has second order, while y_k+1 = 0 would damp like the implicit Euler
 * method. */
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

/* 1 for a compliant relation of equalities: a spring. */
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
  /* compliant rows: the last valid force in this step, N [nrows] */
  double *pushed;
  /* compliant rows: h theta; springs: h theta^2; 1 elsewhere [nrows] */
  double *factor;
  int *interaction; /* of each row [nrows] */
  /* 1: H is constant, and W of all its systems, and also those of all rows coupled to it [nrows] */
  unsigned char *fixed;
  int has_F;
  ns_blocks D; /* structure and values over all rows, scalar */
  /* 1: contacts of shapes, of which most are far apart: D has entries only for rows that are
   * active, and is laid out anew with them (ns_contacts_meet), like the problem */
  int by_active;
  size_t D_cap;          /* room for entries of D */
  int *met, nmet;        /* active rows for which it is [nmet] */
  unsigned long layouts; /* how often it was laid out */
  /* which groups, and of `moving`, have active rows; not by_active: NULL, they are asked */
  int *acting_group, nacting_group, *acting, nacting;
  struct ns_active_problem *few;
  int plain;  /* 1: only unilateral rows of linear relations */
  int direct; /* 1: also, a problem of one row is solved without a solver */
  int nunits;
  ns_unit *unit; /* [nunits] */
  int *unit_of;  /* of each row [nrows] */
  /* nonlinear relations, whose rows change */
  int nmoving, nrigid;
  /* interactions, compliant ones last [nmoving]; nrigid are not compliant */
  int *moving;
  ns_lagrangian_group *group; /* nonlinear relations, grouped by systems [ngroups] */
  int ngroups;
  /* H_theta of rows of the groups, with the entries of H; NULL: H is used, or no group */
  double *push;
  double *begin; /* H at the beginning of the step, in the same layout */
  double *turn;  /* (H - H_theta) v of the iterate [nrows] */
  /* bending: impulses act along H_theta; begun: in this step, too, and `begin` belongs to it */
  int bending, begun;
  double *tension;      /* of laws with memory, bonds.h [nrows]; NULL: none */
  unsigned char *moves; /* 1: row of a nonlinear relation [nrows] */
  /* y and ydot of their rows at the end of the step, before it is accepted [2 nrows] */
  double *ahead;
  int foreseen;  /* 1: `ahead` is known */
  int compliant; /* 1: some relation is compliant */
  /* compliant rows: y_k+1 without the contributions of v_k+1 and P [nrows] */
  double *constant;
  double *compliance;    /* D = dh/dlambda of compliant relations, by columns */
  size_t *compliance_at; /* offset of each [ninteractions] */
  double *speed;         /* scratch [3 nrows] */
  /* angles of joints, relative to which revolutions are counted (state.h), borrowed; NULL: none */
  const double *angle;
  const double *linearised_at; /* position of the last linearisation, borrowed; NULL: none yet */
  int fresh;                   /* 1: rows of active units belong to the current iterate */
  double *ends;                /* scratch of a spring: H, h, D at the end of a step */
  /* scratch of one relation: Q, V, Z, lambda, h, H, ht, D and its evaluation */
  double *local;
  double h, t1; /* of the present step */
  /* gaps of contacts with friction at rest up to here are closed: of the last step */
  double rounded;
  /* of a driver with a separate problem: A_rr^-1/2 of the rows of its last step, borrowed [nrows];
   * NULL: it has none */
  const double *scale;
  /* the active set and its problem */
  ns_contact_problem problem;
  int n;                   /* active rows */
  int *active;             /* ascending [n] */
  int *position;           /* index of each row in `active`; -1: inactive [nrows] */
  int na;                  /* active units */
  int *active_unit;        /* ascending [na] */
  double *q, *z, *w;       /* [n] */
  double *lb, *ub;         /* bounds; used in box rows [nrows] */
  double *mu, *mu_rolling; /* coefficients of units [nunits] */
  /* not used if rows_only or together; by_active: of the rows of `few` */
  ns_row_problem p;
  int gather;                       /* 1: the problem has to be gathered again */
  int *touched, ntouched;           /* rows that p was last made of [nrows] */
  int rows_only;                    /* 1: no G, D and solver */
  int together;                     /* 1: rows_only, or the saddle-point form is solved by */
  ns_unreduced_contacts *unreduced; /* or NULL */
  double *scatter, *rhs;            /* [nv], largest system */
  double *before;                   /* p of the last iterate, for the test of convergence [nv] */
} ns_contacts;

/* symmetric: W = W^T for every system. ops NULL: only rows, laws and the active set, without G, D
 * and a solver, for drivers with a separate problem (theta_stepping.h). Allocates all memory.
 * NS_USAGE/NS_MODEL: unknown solver. */
int ns_contacts_create(ns_ctx *c, const ns_model *m, const ns_integrator_ops *ops, const void *osi,
                       int symmetric, ns_contacts **k);
void ns_contacts_destroy(ns_contacts *k); /* NULL-safe */
size_t ns_contacts_bytes(const ns_contacts *k);
/* Max. number of entries of the matrix of the problem, with all rows active. */
size_t ns_contacts_entries(const ns_contacts *k);

/* Read the current laws of k->m, for a step of length h, before its active set. */
void ns_contacts_take_laws(ns_contacts *k, double h);
/* I_1 for a step of length h to t1: units whose first row has y + gamma h ydot <= threshold (and
 * ydot <= velocity threshold), from the state at its beginning, and those that are always
 * active. */
void ns_contacts_activate(ns_contacts *k, const ns_state *x, double t1, double h);
/* The same with the units marked in `chosen` [nunits] and those that are always active. */
void ns_contacts_select(ns_contacts *k, const ns_state *x, double t1, double h,
                        const unsigned char *chosen);
/* by_active: lay D out for the rows that are active now, after each ns_contacts_select. NS_NOMEM;
 * NS_MODEL: too many of them. */
int ns_contacts_meet(ns_contacts *k, ns_ctx *c);
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
/* H of a nonlinear interaction at (t, q, v), active or not. */
int ns_contacts_linearise_alone(ns_contacts *k, ns_ctx *c, const ns_interaction *it, double t,
                                const double *q, const double *v, double *z);
/* Linearise as ns_contacts_linearise, in a step from x with impulses along H_theta. */
int ns_contacts_follow(ns_contacts *k, ns_ctx *c, const ns_state *x, const double *q,
                       const double *v);
/* Assemble the problem for this free velocity; changed: from the integrator's vfree. */
void ns_contacts_assemble(ns_contacts *k, const ns_state *x, const double *vfree, int changed);
/* Solve; the guess is x->lambda in the first pass, the last solution afterwards. */
int ns_contacts_solve(ns_contacts *k, ns_ctx *c, ns_outcome *out);
/* The same problem with another q, from the guess z; not unreduced. */
int ns_contacts_solve_other(ns_contacts *k, ns_ctx *c, const double *q, double *z, double *w,
                            ns_outcome *out);
/* Assemble, solve and apply in one function, for plain rows: v [nv]: in, the free velocity, with W
 * as before; out, if solved, the new velocity. */
int ns_contacts_act(ns_contacts *k, ns_ctx *c, const ns_state *x, double *v, ns_outcome *out);
/* v += G^T z. */
void ns_contacts_apply(const ns_contacts *k, double *v);
/* p = H^T z of the active rows; p must contain the result of the last call (initially zero). */
void ns_contacts_impulse(ns_contacts *k, double *p);
/* Nonlinear relations: change of the last impulses and velocities with H at the new iterate (q, v),
 * scaled so that <= 1 means convergence: |H'^T z - p| / (atol + rtol |p|), 2-norms, and |(H' - H)
 * v| row by row over rtol |H'| |v| and rounding. Linearises there. p [nv]: of
 * ns_contacts_impulse. */
int ns_contacts_settled(ns_contacts *k, ns_ctx *c, const ns_state *x, const double *q,
                        const double *v, double *p, double *residual);
/* After ns_contacts_settled: the contribution of each row, with the p that it wrote. */
void ns_contacts_suspects(const ns_contacts *k, const double *p, ns_suspect *w);
/* Evaluate y and ydot of nonlinear relations at the iterate (q, v), the end of the step, for
 * ns_contacts_output. This is done before anything is accepted, so that a failure leaves the last
 * state. Fails in plug-ins; NS_NUMERIC: not finite. */
int ns_contacts_foresee(ns_contacts *k, ns_ctx *c, const ns_state *x, const double *q,
                        const double *v);
/* Add the work of the impulses of a step, p (v_k + v_k+1)/2 row by row along their direction, to
 * x->cert, with that of moving obstacles separately; not for plain rows, for which
 * ns_contacts_output does it. _before: called just before the step is accepted; _work: after its
 * output. */
void ns_contacts_before(ns_contacts *k, const ns_state *x);
void ns_contacts_work(const ns_contacts *k, const ns_state *x);
/* Write y, ydot and lambda of all rows from the accepted q, v, z, and the work of plain rows to
 * x->cert. */
int ns_contacts_output(ns_contacts *k, ns_ctx *c, ns_state *x);
/* p = H^T lambda from the state. */
void ns_contacts_report(ns_contacts *k, ns_state *x);

/* 1 for a row of friction or of a relay, 0 for the normal row of a contact. */
static inline int ns_contacts_is_tangential(const ns_contacts *k, int r)
{
  const ns_unit *u = &k->unit[k->unit_of[r]];
  return u->kind == NS_UNIT_FRICTION
             ? r != u->first
             : ns_interaction_has_friction(&k->m->interactions[k->interaction[r]]);
}

/* Direction of the impulse of row r in the problem, with the entries of H. */
static inline const double *ns_contacts_push(const ns_contacts *k, int r)
{
  return k->bending && k->moves[r] && k->unit[k->unit_of[r]].kind != NS_UNIT_COMPLIANT ? k->push
                                                                                       : k->H.val;
}

/* For checkpoints (contacts_memory.c), with contacts just created from the same model. savable: 0
 * if the solver has no table for saving its data. p of ns_contacts_impulse begins at zero again. */
int ns_contacts_savable(const ns_contacts *k);
void ns_contacts_save(const ns_contacts *k, ns_blob *b);
void ns_contacts_restore(ns_contacts *k, ns_blob *b);

#endif
