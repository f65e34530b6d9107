/* SPDX-License-Identifier: GPL-3.0-or-later */
/* operator.h -- one function of a model (mass, force, Jacobian, ...), whatever it is made of.
 *
 * The user gives it as constants, formulas or a plug-in; from here on it is a thing of a fixed
 * shape that is evaluated at a point. Matrices are stored by columns. */
#ifndef NS_MODEL_OPERATOR_H
#define NS_MODEL_OPERATOR_H

#include "base/context.h"
#include "expression/culprit.h"
#include "expression/expression.h"

/* Banks that formulas read (expression.h): what a variable's bank number means.
 * Q, V: of the system, or of the systems of an interaction one after the other; in first-order
 * systems x and x'. INDEX: values of the <repeat> indices around the element, outermost first. */
typedef enum ns_bank {
  NS_BANK_T,
  NS_BANK_Q,
  NS_BANK_V,
  NS_BANK_Z,
  NS_BANK_INDEX,
  NS_BANK_LAMBDA,
  /* free coordinates of a joint and, behind them, their rates; in observables those of all joints
   */
  NS_BANK_JOINT,
  NS_BANK_OBSERVABLE, /* values of the observables before this one; in observables alone */
  NS_BANK_BRANCH,     /* branches of formulas that jump, in event-driven runs alone (frozen.h) */
  NS_BANK_FOREIGN,    /* variables of other systems, those of ns_operator.foreign */
  /* of parameters of laws: slip, approach of their contact, m/s (law_values.h) */
  NS_BANK_LAW,
  NS_BANK_EVENT, /* numbers of the event that a measure hears of (measure.h) */
  NS_BANKS
} ns_bank;

/* C prototypes of user functions, as the field's plug-ins have had them since 2007.
 * unsigned int sizes; every output is written whole; matrices by columns. */
typedef enum ns_signature {
  NS_SIG_MASS, /* (n, q, OUT[n*n], nz, z) */
  NS_SIG_FINT, /* (t, n, q, v, OUT, nz, z): fInt [n], its Jacobians [n*n] */
  NS_SIG_FGYR, /* (n, q, v, OUT, nz, z): fGyr [n], its Jacobians [n*n] */
  NS_SIG_FEXT, /* (t, n, OUT[n], nz, z); also e [m] of first-order relations */
  /* First-order systems: n = size of x. */
  NS_SIG_F,  /* (t, n, x, OUT, nz, z): f [n], its Jacobian [n*n], M [n*n] */
  NS_SIG_A,  /* (t, rows, cols, OUT[rows*cols], nz, z): A; C, B of linear relations */
  NS_SIG_DF, /* the same: D, F of linear relations */
  NS_SIG_B,  /* (t, n, OUT[n], nz, z): b */
  NS_SIG_U,  /* (t, s, n, x, xdot, OUT[s], nz, z) */
  NS_SIG_T,  /* (n, s, x, OUT[n*s], nz, z) */
  /* First-order relations: N = size of X, m rows. */
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
  const char *at;   /* `file:line: <element>` that names it; NULL: not known */
  /* arguments of an earlier time (plugin_form.h); NULL: today's */
  const struct ns_plugin_form *old;
} ns_plugin_call;

/* Variables of other systems that formulas read, `rotor.v_phi` in a force of another body:
 * NS_BANK_FOREIGN, entry j, is entry k of q, v or z (bank) of that system. One list is shared by a
 * function and its derivatives. */
typedef enum ns_foreign_of {
  NS_OF_SYSTEM, /* entry k of bank q, v or z of a system */
  /* a free coordinate of a joint (bank q) or its rate (v); k: 0 the angle, 1 the slide */
  NS_OF_JOINT,
  NS_OF_LINE, /* the length of a force between points of bodies (q) or its rate (v) */
  /* multiplier k of a relation of first order: while a model is loaded (multiplier_inputs.h) */
  NS_OF_MULTIPLIER
} ns_foreign_of;
typedef struct ns_foreign_variable {
  int system; /* or, of a joint or multiplier, the interaction; of a line, the force */
  ns_bank bank;
  int k;
  ns_foreign_of of;
  const char *id; /* of a joint or a line, which the loader finds once all are made */
} ns_foreign_variable;
typedef struct ns_foreign {
  int n;
  const struct ns_model *m; /* the whole, set by ns_model_finish */
  ns_foreign_variable *of;  /* [n] */
  /* of the function by them, [entries x n] by columns; NULL: it is a derivative itself */
  const ns_tape *jacobian;
  size_t *at;              /* where they stand in q, v, z of the model [n]; this and */
  double *start;           /* their values at t0 [n] are set by ns_model_finish */
  struct ns_foreign *next; /* of the model's list */
} ns_foreign;

typedef enum ns_operator_how {
  NS_OP_ABSENT = 0, /* zero (identity for a mass) */
  NS_OP_CONSTANT,
  NS_OP_TAPE,
  NS_OP_PLUGIN
} ns_operator_how;

typedef struct ns_operator {
  ns_operator_how how;
  int rows, cols;      /* cols = 1 for a vector */
  unsigned uses;       /* bit 1 << ns_bank for each bank it may depend on */
  int diagonal;        /* CONSTANT and square: value holds the diagonal alone */
  const double *value; /* CONSTANT [rows*cols] by columns, or [rows] */
  const ns_tape *tape; /* TAPE: outputs by columns */
  const ns_plugin_call *plugin;
  /* TAPE that uses NS_BANK_BRANCH: what it reads, part of the state of the run */
  const double *branch;
  size_t branch_at;          /* where that begins in ns_state.branch */
  const ns_foreign *foreign; /* TAPE that uses NS_BANK_FOREIGN; else NULL */
} ns_operator;

/* Variables of all systems of a model, for what reads others; all NULL: as at t0. Borrowed. */
typedef struct ns_others {
  const double *q, *v, *z;
  const double *angle; /* ns_state.angle, from which turns of joints are counted */
} ns_others;

/* Where an operator is evaluated; all borrowed. */
typedef struct ns_point {
  double t; /* s */
  int n;    /* length of q, and of v but for rigid bodies */
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

/* Doubles of scratch for ns_operator_eval. */
size_t ns_operator_work(const ns_operator *o);
/* y += a*A*x for a CONSTANT or ABSENT operator A. */
void ns_operator_gemv_add(double a, const ns_operator *A, const double *x, double *y);
/* x^T A y for a CONSTANT or ABSENT (zero) square operator. */
double ns_operator_form(const ns_operator *A, const double *x, const double *y);
/* Entry (i, j) of a CONSTANT operator. */
double ns_operator_entry(const ns_operator *A, int i, int j);
/* 1 where A = A^T to the bit; CONSTANT or ABSENT and square. */
int ns_operator_is_symmetric(const ns_operator *A);
/* 1 where both are the same tape or the same constants. */
int ns_operator_same(const ns_operator *a, const ns_operator *b);
/* Nodes in g of a formula, constants or nothing, [rows x cols] by columns; zeros in rows that it
 * does not have. For tapes of several operators. NS_NOMEM, without a text. */
int ns_operator_lift(const ns_operator *o, ns_graph *g, int rows, int cols, ns_node *out);
/* out [rows*cols] by columns; an absent operator gives zeros. A plug-in's non-finite result is an
 * NS_PLUGIN failure naming plug-in, function, entry and time; formulas are not tested here (the
 * step's own test of finiteness catches them). */
int ns_operator_eval(const ns_operator *o, ns_ctx *c, const ns_point *p, double *work, double *out);
/* What a table, outside of its rows, makes of output k at p that is no number, for a sentence; name
 * writes a variable. NS_OK, out->is_outside = 0: it is no table. NS_NOMEM, without a text. */
int ns_operator_outside(const ns_operator *o, const ns_point *p, int k, ns_variable_name *name,
                        void *to, double *work, ns_culprit *out);
/* Values of the variables of other systems at p, to out [f->n]. */
void ns_foreign_values(const ns_foreign *f, const ns_point *p, double *out);
/* Its derivative by the variables of other systems [rows*cols x foreign->n] by columns;
 * o->foreign->jacobian is there. */
void ns_operator_eval_foreign(const ns_operator *o, const ns_point *p, double *work, double *out);

#endif
