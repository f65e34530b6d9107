/* SPDX-License-Identifier: GPL-3.0-or-later */
/* theta_data.h -- private to theta*.c, the theta scheme (theta.h).
 *
 *   theta.c         the scheme: creation, the step, energies and the state
 *   theta_system.c  one system: its data, M, F and R at the iterate, residual, derivatives
 *   theta_groups.c  groups of systems that are coupled: W, its factors, gains */
#ifndef NS_INTEGRATORS_THETA_DATA_H
#define NS_INTEGRATORS_THETA_DATA_H

#include "integrators/linear_step.h"
#include "integrators/rate_base.h"
#include "integrators/theta.h"
#include "model/foreign.h"

/* One system. Matrices by columns. */
typedef struct theta_part {
  const ns_system *s;
  int n, second; /* of second order */
  int body;      /* its number among rigid bodies; -1: it is none */
  double theta, mass_gamma;
  double after, before; /* of first order: weights of the inputs r_k+1 and r_k in h r */
  int held, tangent;    /* zero-order hold; some relation with a K acts on it */
  ns_linear_step *step; /* of first order: by constant matrices, or held; NULL: neither */
  int group, at;        /* in the group's vector */
  int moving, has_mass; /* M depends on the state or on time; a constant one stands in M */
  double *M;            /* [n x n] */
  double *dq, *dv;      /* dF/dq, dF/dv, or dF/dx and NULL [n x n] */
  ns_foreign_part foreign[NS_FOREIGN_PARTS];
} theta_part;

typedef struct theta_group {
  int n, factored;
  int nheld, *held;      /* prescribed velocities: places in it */
  double *W, *last, *LU; /* [n x n] now, and as factored */
  int *piv;
  /* its only system, which has a step of its own and no W; NULL: it is not like that */
  const ns_linear_step *only;
  int holds; /* systems of zero-order hold, of a group with a W */
} theta_group;

struct ns_theta {
  const ns_model *m;
  ns_rigid_motion *bodies; /* NULL: none */
  int nbodies;
  int *body;  /* the system of each [nbodies] */
  int *place; /* scratch: where the bodies of a group of drives stand in W [nbodies] */
  const ns_state *bodies_x;
  ns_arena *mem;
  theta_part *of; /* [nsystems] */
  theta_group *group;
  ns_rate_groups groups;
  double *terms;     /* |W| |u|: of the terms whose rounding R keeps [nv] */
  double *lever;     /* of entries of u: how positions and states follow them, h theta or 1 [nv] */
  const ns_state *x; /* at the begin of the step */
  double t1, h;
  double *q, *v;           /* the iterate */
  rate_base base;          /* of systems of first order: f_k, rates */
  int nfirst, ngeneral;    /* how many are of first order; how many have no step of their own */
  int nbusy;               /* how many have something to begin in each step */
  double where;            /* weight of the end of the step where relations are evaluated */
  ns_sparse_step *sparse;  /* all systems, without a W of groups; NULL: groups have them */
  int dirty;               /* steps of systems have changed since the last linearise */
  double *after;           /* weights of inputs, of entries of u [nv] */
  double *F0, *F1;         /* at both ends [nv]; F0 of mechanics alone, see f_begin */
  double *hold_free;       /* x_free of held systems [nv] */
  double *gyr, *potential; /* of the last evaluation: fGyr; constant forces with a potential [nv] */
  double *work0, *work1;   /* forces that do work without a known potential, at both ends [nv] */
  double *R;               /* [nv] */
  double *Mdu;             /* [nv] */
  double *there, *noise;   /* of ns_theta_residual_to_rounding [nv] */
  int nheld;               /* prescribed velocities: */
  unsigned char *held;     /* [nv] */
  double *target, *shift;  /* their values at t1; W times their way there [nv] */
  double *target_work;
  double *scratch, *work;
  int fresh;        /* R and F1 are those of the iterate */
  int bodies_fresh; /* and those of bodies */
};

static inline ns_point theta_point(const ns_theta *o, const ns_system *s, double t, const double *q,
                                   const double *v, double *z)
{
  return ns_system_point_among(s, t, q, v, z, (ns_others){q, v, z, o->x->angle});
}

static inline const double *theta_unknown(const theta_part *p, const double *q, const double *v)
{
  return p->second ? v + p->s->v : q + p->s->q;
}

/* F at the begin of the step. */
static inline const double *theta_f_begin(const ns_theta *o, const theta_part *p)
{
  return (p->second ? o->F0 : o->base.fk) + p->s->v;
}

static inline double *theta_iterate(const ns_theta *o, const theta_part *p)
{
  return p->second ? o->v + p->s->v : o->q + p->s->q;
}

/* Inputs of first order at t_k: those of the state. */
static inline double theta_input_before(const ns_theta *o, const theta_part *p, size_t d)
{
  return p->second ? 0 : o->h * p->before * o->x->p[d];
}

/* ---- theta_groups.c -------------------------------------------------------------------------- */
int ns_theta_make_groups(ns_theta *o);
int ns_theta_make_group(ns_theta *o, ns_ctx *c, int g);
/* Which velocities are known at the end of the step: prescribed ones, and those of bodies that are
 * not there, which keep theirs. */
void ns_theta_hold_velocities(ns_theta *o);

/* ---- theta_system.c -------------------------------------------------------------------------- */
void ns_theta_describe_part(ns_theta *o, int i);
/* A system alone in its group whose W stays as long as h does, or that is held. */
int ns_theta_make_step(ns_theta *o, ns_ctx *c, int i);
int ns_theta_make_part(ns_theta *o, int i);
/* Doubles for one system: a derivative by others, a Jacobian, a vector, and what its functions
 * need. */
size_t ns_theta_work_of(const ns_theta *o, const ns_system *s, const theta_part *p);
/* F1 and R of all systems at the iterate, where they are not known. */
int ns_theta_evaluate(ns_theta *o, ns_ctx *c);
/* F and what of it does work that no potential knows; fGyr does none. */
int ns_theta_force(ns_theta *o, ns_ctx *c, const theta_part *p, double t, const double *q,
                   const double *v, double *z, double *F, double *working);
/* dF/dq and dF/dv, or dF/dx, of the system's own variables; of a body its W. */
int ns_theta_own_tangents(ns_theta *o, ns_ctx *c, theta_part *p);
/* The matrices of a step of another length, and what a system with a step of its own has in this
 * one. */
int ns_theta_begin_step(ns_theta *o, ns_ctx *c, const theta_part *p);
/* Forces on mechanics at the begin, and where it is at first. */
int ns_theta_begin_motion(ns_theta *o, ns_ctx *c, const theta_part *p);
/* M of the state, in the scratch of a Jacobian. */
int ns_theta_kinetic_of(ns_theta *o, ns_ctx *c, theta_part *p, double t, const double *q,
                        const double *v, double *z, double *T);

/* ---- theta.c --------------------------------------------------------------------------------- */
/* Name what is not finite at the iterate. */
int ns_theta_blame(const ns_theta *o, ns_ctx *c);

#endif
