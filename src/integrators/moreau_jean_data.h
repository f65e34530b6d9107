/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moreau_jean_data.h -- private to moreau_jean*.c: data, energies and supports of the scheme. */
#ifndef NS_INTEGRATORS_MOREAU_JEAN_DATA_H
#define NS_INTEGRATORS_MOREAU_JEAN_DATA_H

#include "algebra/sparse_factor.h"
#include "algebra/sparse_lu.h"
#include "integrators/integrator.h"
#include "model/systems/lagrangian_tapes.h"

typedef enum kernel { DIAGONAL, DENSE, NONLINEAR } kernel;

/* Consecutive degrees of freedom [a, b) of diagonal systems. */
typedef struct run {
  size_t a, b;
  int plain; /* no K, no C */
  /* also constant forces: without contact, the velocity changes by the same amount in every step */
  int steady;
  double theta;
} run;

/* Matrices of a large linear system as sparse rows (moreau_jean_sparse.c). */
typedef struct sparse_system {
  ns_blocks M, C, K, W; /* scalar rows; absent ones have no entries */
  ns_sparse_factor *f;  /* of a symmetric W */
  ns_sparse_lu *lu;     /* of another, with pivoting */
  double *b, *x;        /* scratch of its solve [n] */
} sparse_system;

/* A system with a separate matrix W. */
typedef struct block {
  int s; /* system */
  kernel kind;
  int symmetric;   /* W by Cholesky, else by LU */
  int moving;      /* nonlinear: M depends on the state */
  double momentum; /* nonlinear: sum of |M_ij v_j| at the iterate */
  double push;     /* nonlinear: sum of |h K_t q| and |h C_t v| at the one before */
  double *W;       /* [n x n], factors */
  /* nonlinear: M(q*), F, fGyr, K_t, C_t at the iterate, one after the other; the last two if
   * `tangents` */
  double *value;
  int tangents;
  ns_lagrangian_tapes tapes;
  int *piv;              /* [n], LU */
  sparse_system *sparse; /* dense kernel: sparse matrices used instead of W, or NULL */
  int held, nheld;       /* its entries in moreau_jean.held: the first, their number */
  /* columns of W of prescribed velocities, before they are eliminated [n x nheld] */
  double *column;
} block;

typedef struct moreau_jean {
  const ns_model *m;
  ns_arena *mem;
  double theta, mass_gamma, atol, rtol, rounding;
  int mixed;         /* 1: theta differs between systems */
  double h, t1;      /* length and end of the current step; W is built for h */
  const ns_state *x; /* state at the beginning of the step, borrowed between begin and commit */
  int dirty;         /* 1: W of constant systems was rebuilt since the last vfree */
  kernel *kind;      /* [nsystems] */
  int *block_of;     /* [nsystems], index into blocks or -1 */
  run *runs;
  block *blocks;
  int *timed; /* linear systems whose fExt is not constant */
  int nruns, nblocks, ntimed;
  /* 1: all degrees of freedom form one steady run without prescribed velocities: the fast path
   * applies */
  int steady;
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
  /* nonlinear: change of velocity in the last step without contact (free) and with it (rise), and
   * its estimate for the next step (drift) */
  double *free, *rise, *drift;
  double *z;              /* user vectors at the beginning of the step [nz] */
  double *Kt, *Ct, *work; /* of one system */
  double *qm;             /* position at which the mass of a system is evaluated, q* */
  /* prescribed velocities, by systems and ascending; nheld = 0: none, and no memory is allocated */
  int nheld;
  int *held;              /* degrees of freedom [nheld] */
  double *target;         /* their velocities at t1; 0 of others [nv] */
  double *support;        /* impulses that enforce them [nv] */
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
/* Fast path of steady models: write the iterate and its energies to the state. Returns 0, with the
 * state unchanged, if they are not finite. */
int ns_moreau_jean_keep_steady(const moreau_jean *o, ns_state *x);
/* Work during the step of damping and of the forces without a known potential, J. */
double ns_moreau_jean_work(const moreau_jean *o);
/* Entry i of the force F [nv] of a nonlinear system without its known potential: F + fGyr - fpot.
 * fGyr is excluded because, together with dM/dt, it does no work. */
double ns_moreau_jean_working(const moreau_jean *o, size_t i, const double *F);

/* Choose the kernels; allocate lists and memory. Returns 0 or NS_NOMEM, without a message. */
int ns_moreau_jean_get_memory(moreau_jean *o, ns_ctx *c);

extern const ns_memory ns_moreau_jean_memory; /* moreau_jean_memory.c */

/* ---- sparse systems (moreau_jean_sparse.c) --------------------------------------------------- */

/* Set b->sparse if the matrices of a linear system and their factors are large and sparse: memory,
 * structure, and the values of M, C, K. Otherwise it is NULL. */
int ns_moreau_jean_sparse(moreau_jean *o, ns_ctx *c, block *b);
void ns_moreau_jean_sparse_end(sparse_system *p); /* NULL-safe */
/* W = M + a C + k K, factored. Returns 0, or the index (1..n) of a zero pivot. */
int ns_moreau_jean_sparse_build(moreau_jean *o, block *b, double a, double k);
/* x := W^-1 x */
void ns_moreau_jean_sparse_solve(const sparse_system *p, double *x);
/* y += a A x; x^T A y. */
double ns_moreau_jean_sparse_form(const ns_blocks *A, const double *x, const double *y);

/* ---- prescribed velocities (moreau_jean_boundary.c) ------------------------------------------ */

/* Memory and lists. */
int ns_moreau_jean_hold(moreau_jean *o);
/* Before W of a block is factored: save its columns of prescribed velocities and replace these rows
 * and columns by those of the identity. */
void ns_moreau_jean_hold_matrix(moreau_jean *o, block *b);
/* Right-hand side r [n] after the elimination of prescribed velocities, from sign times the
 * residual, in r, at the iterate v [n]. */
void ns_moreau_jean_hold_residual(const moreau_jean *o, const block *b, double sign,
                                  const double *v, double *r);
/* Impulses of the supports at the iterate: their rows of the residual minus p, the impulses of
 * contacts [nv]. */
void ns_moreau_jean_supports(moreau_jean *o, const double *p);
/* Their work during the step, J. */
double ns_moreau_jean_support_work(const moreau_jean *o);

#endif
