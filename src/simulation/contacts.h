/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contacts.h -- from interactions to the one-step problem of velocity-level schemes.
 *
 * Rows of all interactions form one sparse matrix H [nrows x nv]. With G = (W^-1 H^T)^T the
 * Delassus operator is D = H G^T; two rows meet in it only where they share a system. Its structure, and its values
 * where all W are constant, are computed once. Each step takes the rows and columns of the
 * active set I_1 and solves
 *
 *   w = D z + q,  q = H vfree + e ydot_k,  0 <= w _|_ z >= 0     (Acary & Brogliato 2008, ch. 10)
 *
 * with w = U + e U_k and z = P, an impulse in N s. */
#ifndef NS_SIMULATION_CONTACTS_H
#define NS_SIMULATION_CONTACTS_H

#include "integrators/integrator.h"
#include "model/model.h"
#include "model/state.h"
#include "problems/lcp.h"
#include "simulation/rows.h"

typedef struct ns_contacts {
  const ns_model *m;
  const ns_integrator_ops *ops;
  const void *osi;
  ns_arena *mem;
  int nrows;
  ns_rows H, G;
  double *offset;         /* y = H q + offset; e, and F z where there is F [nrows] */
  double *restitution;    /* [nrows] */
  int *interaction;       /* of each row [nrows] */
  unsigned char *fixed;   /* row has constant W in all its systems [nrows] */
  int has_F;
  ns_blocks D;            /* structure and values over all rows */
  /* the active set and its problem */
  int n;                  /* active rows */
  int *active;            /* ascending [n] */
  int *position;          /* of a row in active, -1 [nrows] */
  int dense;              /* storage */
  ns_blocks sub;          /* D of the active rows (block-sparse) */
  double *full;           /* the same dense [n x n] */
  double *q, *z, *w;      /* [n] */
  ns_lcp lcp;
  unsigned long gathered; /* how often, for stamps */
  int *touched, ntouched; /* rows that p was last made of [nrows] */
  const ns_lcp_solver_ops *solver_ops;
  void *solver;
  double *scatter, *rhs;  /* [nv], largest system */
} ns_contacts;

/* symmetric: W = W^T for every system. Everything is allocated here. NS_USAGE/NS_MODEL: unknown solver. */
int ns_contacts_create(ns_ctx *c, const ns_model *m, const ns_integrator_ops *ops, const void *osi,
                       int symmetric, ns_contacts **k);
void ns_contacts_destroy(ns_contacts *k); /* NULL-safe */
size_t ns_contacts_bytes(const ns_contacts *k);

/* I_1 for a step of length h: rows with y + gamma h ydot <= threshold (and ydot <= velocity threshold), from the
 * state at its begin. */
void ns_contacts_activate(ns_contacts *k, const ns_state *x, double h);
/* The problem for this free velocity; changed: as the integrator's vfree says. */
void ns_contacts_assemble(ns_contacts *k, const ns_state *x, const double *vfree, int changed);
/* Solve; the guess is x->lambda in the first pass, the last solution afterwards. */
int ns_contacts_solve(ns_contacts *k, ns_ctx *c, ns_outcome *out);
/* v += G^T z. */
void ns_contacts_apply(const ns_contacts *k, double *v);
/* p = H^T z of the active rows; p must hold what the last such call wrote (zero at first). */
void ns_contacts_impulse(ns_contacts *k, double *p);
/* y, ydot of all rows and lambda from the accepted q, v, z; energies of contact to x->cert. */
void ns_contacts_output(ns_contacts *k, ns_state *x);
/* p = H^T lambda from the state. */
void ns_contacts_report(ns_contacts *k, ns_state *x);

#endif
