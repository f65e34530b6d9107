/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moreau_jean_data.h -- private to moreau_jean*.c: the scheme's data, its energies, its supports.
 */
#ifndef NS_INTEGRATORS_MOREAU_JEAN_DATA_H
#define NS_INTEGRATORS_MOREAU_JEAN_DATA_H

#include "algebra/sparse_factor.h"
#include "algebra/sparse_lu.h"
#include "integrators/integrator.h"
#include "model/systems/lagrangian_tapes.h"

typedef enum kernel { DIAGONAL, DENSE, NONLINEAR } kernel;

/* Degrees of freedom [a, b) of diagonal systems that stand side by side. */
typedef struct run {
  size_t a, b;
  int plain;  /* no K, no C */
  int steady; /* and constant forces: the velocity gains the same in every step */
  double theta;
} run;

/* Matrices of a large linear system as sparse rows (moreau_jean_sparse.c). */
typedef struct sparse_system {
  ns_blocks M, C, K, W; /* scalar rows; absent ones have no entries */
  ns_sparse_factor *f;  /* of a symmetric W */
  ns_sparse_lu *lu;     /* of another, with pivoting */
  double *b, *x;        /* scratch of its solve [n] */
} sparse_system;

/* A system with a matrix W of its own. */
typedef struct block {
  int s; /* system */
  kernel kind;
  int symmetric;   /* W by Cholesky, else by LU */
  int moving;      /* nonlinear: M depends on the state */
  double momentum; /* nonlinear: sum of |M_ij v_j| at the iterate */
  double *W;       /* [n x n], factors */
  /* nonlinear: at the iterate M(q*), F, fGyr, K_t, C_t, one after the other; the last two where
   * `tangents` says so */
  double *value;
  int tangents;
  ns_lagrangian_tapes tapes;
  int *piv;              /* [n], LU */
  sparse_system *sparse; /* dense kernel: NULL, or matrices that stand in place of W */
  int held, nheld;       /* its part of moreau_jean.held */
  /* columns of W of prescribed velocities, before they are eliminated [n x nheld] */
  double *column;
} block;

typedef struct moreau_jean {
  const ns_model *m;
  ns_arena *mem;
  double theta, mass_gamma, atol, rtol, rounding;
  int mixed;         /* systems have thetas of their own */
  double h, t1;      /* of the present step; W is built for h */
  const ns_state *x; /* state at its begin, borrowed between begin and commit */
  int dirty;         /* W of constant systems rebuilt since the last vfree */
  kernel *kind;      /* [nsystems] */
  int *block_of;     /* [nsystems], index into blocks or -1 */
  run *runs;
  block *blocks;
  int *timed; /* linear systems whose fExt is not constant */
  int nruns, nblocks, ntimed;
  int steady; /* all is one steady run, and nothing else is to be done: the short ways */
  /* per degree of freedom [nv] */
  double *mass, *damping, *stiffness; /* of diagonal systems */
  double *winv;                       /* 1/W of diagonal systems */
  double *gain;                       /* of steady ones: h f/W */
  double *fpot;                       /* constant fExt: a force with the potential -f.q */
  double *v, *q;                      /* iterate */
  double *f1;                         /* linear: fExt at t1; nonlinear: F at the iterate */
  double *gyr;                        /* nonlinear: fGyr at the iterate */
  double *wf;                         /* nonlinear: working force at t_k (below) */
  double *r;                          /* residual without contact */
  /* nonlinear: how much the velocity gained in the last step, without contact (free) and whole
   * (rise), and is guessed to gain in the next (drift) */
  double *free, *rise, *drift;
  double *z;              /* [nz] user vectors as they were at the begin */
  double *Kt, *Ct, *work; /* of one system */
  double *qm;             /* of one system: where its mass is taken */
  /* prescribed velocities, by systems and ascending; nheld = 0: none, and nothing is allocated */
  int nheld;
  int *held;              /* degrees of freedom [nheld] */
  double *target;         /* their velocities at t1; 0 of others [nv] */
  double *support;        /* impulses that hold them [nv] */
  unsigned char *is_held; /* [nv] */
  double *held_work;      /* of the evaluation of one boundary */
} moreau_jean;

static inline double theta_of(const moreau_jean *o, const ns_system *s)
{
  return s->own_theta ? s->theta : o->theta;
}

typedef struct energy {
  double kinetic, potential; /* J */
} energy;

/* Kinetic energy and known potential at (q, v): 1/2 v^T M v, 1/2 q^T K q - fpot^T q. */
int ns_moreau_jean_energy(const moreau_jean *o, ns_ctx *c, const double *q, const double *v,
                          energy *e);
/* Where all is steady: the iterate and its energies into the state; 0, and nothing is written,
 * where they are not finite. */
int ns_moreau_jean_keep_steady(const moreau_jean *o, ns_state *x);
/* Work over the step of the forces that have no known potential, and of damping. */
double ns_moreau_jean_work(const moreau_jean *o);
/* The part of a nonlinear system's force F [nv] that works without a known potential, entry i: F +
 * fGyr - fpot. fGyr is left out because, with dM/dt, it does no work. */
double ns_moreau_jean_working(const moreau_jean *o, size_t i, const double *F);

/* Kernels, lists and memory. 0, or the failure: NS_NOMEM without a text. */
int ns_moreau_jean_get_memory(moreau_jean *o, ns_ctx *c);

extern const ns_memory ns_moreau_jean_memory; /* moreau_jean_memory.c */

/* ---- sparse systems (moreau_jean_sparse.c) --------------------------------------------------- */

/* b->sparse where the matrices of a linear system are large and sparse, and its factors too:
 * memory, structure and the values of M, C, K. NULL elsewhere. */
int ns_moreau_jean_sparse(moreau_jean *o, ns_ctx *c, block *b);
void ns_moreau_jean_sparse_end(sparse_system *p); /* NULL-safe */
/* W = M + a C + k K, factored; 0, or the number (1..n) of a pivot that vanished. */
int ns_moreau_jean_sparse_build(moreau_jean *o, block *b, double a, double k);
/* x := W^-1 x */
void ns_moreau_jean_sparse_solve(const sparse_system *p, double *x);
/* y += a A x; x^T A y. */
void ns_moreau_jean_sparse_add(double a, const ns_blocks *A, const double *x, double *y);
double ns_moreau_jean_sparse_form(const ns_blocks *A, const double *x, const double *y);

/* ---- prescribed velocities (moreau_jean_boundary.c) ------------------------------------------ */

/* Memory and lists. */
int ns_moreau_jean_hold(moreau_jean *o);
/* W of a block before it is factored: keep the columns, put unit rows and columns. */
void ns_moreau_jean_hold_matrix(moreau_jean *o, block *b);
/* Right-hand side of the eliminated system, from sign times the residual R [n] at the iterate v
 * [n]. */
void ns_moreau_jean_hold_residual(const moreau_jean *o, const block *b, double sign,
                                  const double *v, double *r);
/* Impulses of the supports at the iterate: rows of the full residual less p, the impulse of
 * contacts [nv]. */
void ns_moreau_jean_supports(moreau_jean *o, const double *p);
/* Their work over the step. */
double ns_moreau_jean_support_work(const moreau_jean *o);

#endif
