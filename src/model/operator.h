/* SPDX-License-Identifier: GPL-3.0-or-later */
/* operator.h -- a function of a model (mass, force, Jacobian, ...).
 *
 * The user gives it as constants, formulas or a plug-in. An operator has a fixed shape and is
 * evaluated at a point, independent of how it was given. Matrices are stored by columns. */
#ifndef NS_MODEL_OPERATOR_H
#define NS_MODEL_OPERATOR_H

#include "base/context.h"
#include "expression/culprit.h"
#include "expression/expression.h"

/* Banks of variables in formulas (expression.h): meaning of a variable's bank number. Q, V: of the
 * system, or of the systems of an interaction one after the other; in first-order systems x and x'.
 * INDEX: values of the <repeat> indices around the element, outermost first. */
typedef enum ns_bank {
  NS_BANK_T,
  NS_BANK_Q,
  NS_BANK_V,
  NS_BANK_Z,
  NS_BANK_INDEX,
  NS_BANK_LAMBDA,
  /* free coordinates of a joint, then their rates; in observables those of all joints */
  NS_BANK_JOINT,
  NS_BANK_OBSERVABLE, /* values of the preceding observables; only in observables */
  NS_BANK_BRANCH,     /* branches of formulas that jump; only in event-driven runs (frozen.h) */
  NS_BANK_FOREIGN,    /* variables of other systems, those of ns_formula.foreign */
  /* in parameters of laws: slip, approach of their contact, m/s (law_values.h) */
  NS_BANK_LAW,
  NS_BANK_EVENT, /* quantities of the event that a measure receives (measure.h) */
  NS_BANKS
} ns_bank;

/* C prototypes of user functions, as used by plug-ins of Siconos since 2009. Sizes are unsigned
 * int; every output must be written completely; matrices by columns. */
typedef enum ns_signature {
  NS_SIG_MASS, /* (n, q, OUT[n*n], nz, z) */
  NS_SIG_FINT, /* (t, n, q, v, OUT, nz, z): fInt [n], its Jacobians [n*n] */
  NS_SIG_FGYR, /* (n, q, v, OUT, nz, z): fGyr [n], its Jacobians [n*n] */
  NS_SIG_FEXT, /* (t, n, OUT[n], nz, z); also e [m] of first-order relations */
  /* First-order systems: n = length of x. */
  NS_SIG_F,  /* (t, n, x, OUT, nz, z): f [n], its Jacobian [n*n], M [n*n] */
  NS_SIG_A,  /* (t, rows, cols, OUT[rows*cols], nz, z): A; C, B of linear relations */
  NS_SIG_DF, /* the same: D, F of linear relations */
  NS_SIG_B,  /* (t, n, OUT[n], nz, z): b */
  NS_SIG_U,  /* (t, s, n, x, xdot, OUT[s], nz, z) */
  NS_SIG_T,  /* (n, s, x, OUT[n*s], nz, z) */
  /* First-order relations: N = length of X, m rows. */
  NS_SIG_HG,  /* (t, N, X, m, lambda, OUT, nz, z): h and its Jacobians of the nonlinear kind */
  NS_SIG_G,   /* the same: g and its Jacobians */
  NS_SIG_H1,  /* (N, X, m, OUT, nz, z): h [m], C [m*N] of type 1 */
  NS_SIG_G1,  /* (m, lambda, N, OUT, nz, z): g [N], B [N*m] of type 1 */
  NS_SIG_H2,  /* (N, X, m, lambda, m, OUT[m]): h of type 2 */
  NS_SIG_JH2, /* (N, X, m, lambda, OUT): C [m*N], D [m*m] of type 2 */
  NS_SIG_G2,  /* (m, lambda, N, OUT[N]): g of type 2 */
  NS_SIG_JG2, /* (m, lambda, OUT[N*m]): B of type 2 */
  /* Lagrangian relations: N = size of Q, m rows. Scleronomous h, H: NS_SIG_H1. */
  NS_SIG_LHDOT, /* (N, Q, N, V, OUT[m*N], nz, z): d/dt H */
  NS_SIG_LRHEO, /* (N, Q, t, m, OUT, nz, z): h, H, dh/dt of the rheonomous kind */
  NS_SIG_LCOMP, /* (N, Q, m, lambda, OUT, nz, z): h, H, D of the compliant kind */
  NS_SIG_BC,    /* (t, n, OUT[n]): prescribed velocities */
  /* Rigid bodies; sizes are known. */
  NS_SIG_BODY_FEXT, /* (t, OUT, nz, z): fExt, mExt [3] */
  NS_SIG_BODY_FINT, /* (t, q, v, OUT, nz, z): fInt, mInt [3], their Jacobians [3*7], [3*6] */
  NS_SIGNATURES
} ns_signature;

typedef struct ns_plugin_call {
  void (*fn)(void); /* to be cast by signature */
  ns_signature sig;
  const char *name; /* "Library:function", for messages */
  const char *at;   /* `file:line: <element>` that names it; NULL: unknown */
  /* earlier argument list (plugin_form.h); NULL: the current one */
  const struct ns_plugin_form *old;
} ns_plugin_call;

/* Variables of other systems in formulas, such as `rotor.v_phi` in a force of another body: entry j
 * of NS_BANK_FOREIGN is entry k of q, v or z (bank) of that system. A function and its derivatives
 * share one list. */
typedef enum ns_foreign_of {
  NS_OF_SYSTEM, /* entry k of bank q, v or z of a system */
  /* a free coordinate of a joint (bank q) or its rate (v); k: 0 the angle, 1 the slide */
  NS_OF_JOINT,
  NS_OF_LINE, /* the length of a force between points of bodies (q) or its rate (v) */
  /* multiplier k of a first-order relation; only while a model is loaded (multiplier_inputs.h) */
  NS_OF_MULTIPLIER
} ns_foreign_of;
typedef struct ns_foreign_variable {
  int system; /* or the interaction of a joint or multiplier, or the force of a line */
  ns_bank bank;
  int k;
  ns_foreign_of of;
  /* id of a joint or a line, which the loader resolves after all elements are created */
  const char *id;
} ns_foreign_variable;
typedef struct ns_foreign {
  int n;
  const struct ns_model *m; /* the whole, set by ns_model_finish */
  ns_foreign_variable *of;  /* [n] */
  /* derivative of the function with respect to them [entries x n] by columns; NULL: the function is
   * itself a derivative */
  const ns_tape *jacobian;
  size_t *at;              /* their offsets in q, v, z of the model [n]; this and */
  double *start;           /* their values at t0 [n] are set by ns_model_finish */
  struct ns_foreign *next; /* of the model's list */
} ns_foreign;

typedef enum ns_operator_how {
  NS_OP_ABSENT = 0, /* zero (identity for a mass) */
  NS_OP_CONSTANT,
  NS_OP_TAPE,
  NS_OP_PLUGIN
} ns_operator_how;

/* What a TAPE evaluates; operators that read the same may share it. */
typedef struct ns_formula {
  const ns_tape *tape; /* outputs by columns */
  /* if it uses NS_BANK_BRANCH: the branches that it reads, part of the state of the run
   * (ns_frozen_attach) */
  const double *branch;
  const ns_foreign *foreign; /* if it uses NS_BANK_FOREIGN; else NULL */
} ns_formula;

/* A system has ten of them, of which most are absent: 24 bytes. */
typedef struct ns_operator {
  unsigned char how;      /* ns_operator_how */
  unsigned char diagonal; /* 1: CONSTANT and square: value contains only the diagonal */
  unsigned uses;          /* bit 1 << ns_bank for each bank it may depend on */
  int rows, cols;         /* cols = 1 for a vector */
  union {
    const double *value;       /* CONSTANT [rows*cols] by columns, or [rows] */
    const ns_formula *formula; /* TAPE */
    const ns_plugin_call *plugin;
  };
} ns_operator;

/* Set o to the formula, of which a copy is kept in a. NS_NOMEM, without a message. */
int ns_operator_set_formula(ns_operator *o, ns_arena *a, ns_formula f);
/* Set o to the formula of the n nodes f, its rows * cols outputs, and o->uses. NS_NOMEM. */
int ns_operator_compile(ns_operator *o, ns_ctx *c, ns_graph *g, ns_arena *a, const ns_node *f,
                        int n);
/* The variables of other systems that it reads; NULL: none. */
static inline const ns_foreign *ns_operator_foreign(const ns_operator *o)
{
  return o->how == NS_OP_TAPE ? o->formula->foreign : NULL;
}

/* Variables of all systems of a model, for formulas that read other systems; all NULL: values at
 * t0. Borrowed. */
typedef struct ns_others {
  const double *q, *v, *z;
  const double *angle; /* ns_state.angle, relative to which revolutions of joints are counted */
} ns_others;

/* The point at which an operator is evaluated; all borrowed. */
typedef struct ns_point {
  double t; /* s */
  int n;    /* length of q, and of v except for rigid bodies */
  const double *q, *v;
  int nz;
  double *z;           /* user vector; plug-ins may write to it */
  const double *index; /* values of <repeat> indices */
  int m;               /* rows of an interaction = length of lambda; 0 elsewhere */
  const double *lambda;
  const double *observable; /* of the run; NULL elsewhere */
  /* what NS_BANK_JOINT reads; of a joint axis, ns_state.angle; NULL elsewhere */
  const double *angle;
  /* of all systems, for NS_BANK_FOREIGN; NULL: as at t0 */
  const double *model_q, *model_v, *model_z;
  const double *model_angle; /* as ns_others.angle; NULL: no turns */
  const double *law;         /* what NS_BANK_LAW reads; NULL elsewhere */
  const double *event;       /* what NS_BANK_EVENT reads; NULL elsewhere */
} ns_point;

/* 1 if it may depend on a bank. */
static inline int ns_operator_uses(const ns_operator *o, ns_bank bank)
{
  return o->how > NS_OP_CONSTANT && o->uses >> bank & 1u;
}
/* Doubles of scratch for ns_operator_eval; of a list [n], for any of them. */
size_t ns_operator_work(const ns_operator *o);
size_t ns_operators_work(const ns_operator *const *list, size_t n);
/* y += a*A*x for a CONSTANT or ABSENT operator A. */
void ns_operator_gemv_add(double a, const ns_operator *A, const double *x, double *y);
/* x^T A y for a CONSTANT or ABSENT (zero) square operator. */
double ns_operator_form(const ns_operator *A, const double *x, const double *y);
/* Entry (i, j) of a CONSTANT operator. */
double ns_operator_entry(const ns_operator *A, int i, int j);
/* The same, or what stands for an absent operator. */
static inline double ns_operator_entry_or(const ns_operator *A, int i, int j, double absent)
{
  return A->how ? ns_operator_entry(A, i, j) : absent;
}
/* 1 if A = A^T to the bit; CONSTANT or ABSENT and square. */
int ns_operator_is_symmetric(const ns_operator *A);
/* 1 if both have the same tape or the same constants. */
int ns_operator_same(const ns_operator *a, const ns_operator *b);
/* Write a formula, constants, or an absent operator as nodes in g [rows x cols] by columns, with
 * zeros in missing rows; used to compile several operators to one tape. NS_NOMEM, without a
 * message. */
int ns_operator_lift(const ns_operator *o, ns_graph *g, int rows, int cols, ns_node *out);
/* Evaluate to out [rows*cols] by columns; an absent operator gives zeros. If the result of a
 * plug-in is not finite, fails with NS_PLUGIN and a message with plug-in, function, entry and time.
 * Results of formulas are not tested here, but by the step. */
int ns_operator_eval(const ns_operator *o, ns_ctx *c, const ns_point *p, double *work, double *out);
/* For messages: whether output k is not a number at p because the argument of a table is outside of
 * its rows. name writes the name of a variable. NS_OK with out->is_outside = 0: no table. NS_NOMEM,
 * without a message. */
int ns_operator_outside(const ns_operator *o, const ns_point *p, int k, ns_variable_name *name,
                        void *to, double *work, ns_culprit *out);
/* Write the values of the variables of other systems at p to out [f->n]. */
void ns_foreign_values(const ns_foreign *f, const ns_point *p, double *out);
/* The derivative with respect to the variables of other systems [rows*cols x foreign->n] by
 * columns; requires a jacobian of ns_operator_foreign. */
void ns_operator_eval_foreign(const ns_operator *o, const ns_point *p, double *work, double *out);

#endif
