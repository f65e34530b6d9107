/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moreau_jean_data.h -- private to moreau_jean*.c: the scheme's data, its energies. */
#ifndef NS_INTEGRATORS_MOREAU_JEAN_DATA_H
#define NS_INTEGRATORS_MOREAU_JEAN_DATA_H

#include "integrators/integrator.h"

typedef enum kernel { DIAGONAL, DENSE, NONLINEAR } kernel;

/* Degrees of freedom [a, b) of diagonal systems that stand side by side. */
typedef struct run {
  size_t a, b;
  int plain;  /* no K, no C */
  int steady; /* and constant forces: the velocity gains the same in every step */
} run;

/* A system with a matrix W of its own. */
typedef struct block {
  int s;            /* system */
  kernel kind;
  int symmetric;    /* W by Cholesky, else by LU */
  int moving;       /* nonlinear: M depends on the state */
  double momentum;  /* nonlinear: sum of |M_ij v_j| at the iterate */
  double *W;        /* [n x n]: M(q*) while a nonlinear step is evaluated, then factors */
  int *piv;         /* [n], LU */
} block;

typedef struct moreau_jean {
  const ns_model *m;
  ns_arena *mem;
  double theta, mass_gamma, atol, rtol;
  double h, t1;         /* of the present step; W is built for h */
  const ns_state *x;    /* state at its begin, borrowed between begin and commit */
  int dirty;            /* W of constant systems rebuilt since the last vfree */
  kernel *kind;         /* [nsystems] */
  int *block_of;        /* [nsystems], index into blocks or -1 */
  run *runs;
  block *blocks;
  int *timed;           /* linear systems whose fExt is not constant */
  int nruns, nblocks, ntimed;
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
  double *z;                          /* [nz] user vectors as they were at the begin */
  double *Kt, *Ct, *work;             /* of one system */
  double *qm;                         /* of one system: where its mass is taken */
} moreau_jean;

typedef struct energy {
  double kinetic, potential; /* J */
} energy;

/* Kinetic energy and known potential at (q, v): 1/2 v^T M v, 1/2 q^T K q - fpot^T q. */
int ns_moreau_jean_energy(const moreau_jean *o, ns_ctx *c, const double *q, const double *v, energy *e);
/* Work over the step of the forces that have no known potential, and of damping. */
double ns_moreau_jean_work(const moreau_jean *o);
/* The part of a nonlinear system's force F [nv] that works without a known potential, entry i: F + fGyr -
 * fpot. fGyr is left out because, with dM/dt, it does no work. */
double ns_moreau_jean_working(const moreau_jean *o, size_t i, const double *F);

#endif
