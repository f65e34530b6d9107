/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.h -- what the user described, checked and compiled to flat arrays.
 *
 * A model is read-only once ns_model_finish has returned: any number of runs share it. All that
 * changes during a run is in ns_state (state.h). Quantities of all systems stand one after the
 * other in vectors q [nq], v [nv], z [nz]; rows of all interactions in y, ydot, lambda [nrows].
 * SI units. */
#ifndef NS_MODEL_MODEL_H
#define NS_MODEL_MODEL_H

#include "base/arena.h"
#include "base/context.h"
#include "model/operator.h"

#include <stddef.h>

/* Where an element stands, for messages: `file:line: <element id="id">`. Borrowed texts. */
typedef struct ns_place {
  const char *file, *element, *id; /* id may be NULL */
  int line;
} ns_place;
/* Write the place to buf, cut at n; returns buf. */
const char *ns_place_text(const ns_place *p, char *buf, size_t n);

/* ---- systems ---------------------------------------------------------------------------- */

typedef enum ns_system_flag {
  NS_SYS_LINEAR = 1,  /* M, C, K constant, no other forces of the state */
  NS_SYS_DIAGONAL = 2 /* M, C, K given as vectors */
} ns_system_flag;

typedef struct ns_system_kind {
  const char *name; /* XML element */
  unsigned flags;   /* ns_system_flag */
  const char *help; /* one line, for `nssim list systems` */
} ns_system_kind;
extern const ns_system_kind *const ns_system_kinds[]; /* ends with NULL */

/* M(q,z) dv + (fGyr + fInt + C v + K q) dt = fExt dt + dr     (Acary & Brogliato 2008, ch. 3)
 * Note the signs: fInt and fGyr stand on the left. The Jacobians are by rows = components,
 * columns = coordinates, [n x n]. */
typedef struct ns_system {
  const ns_system_kind *kind;
  ns_place at;
  int n;                    /* degrees of freedom */
  int nz;                   /* size of the user vector */
  size_t q, z;              /* where its q (and v) and z begin in the model's vectors */
  const char *const *names; /* of the coordinates [n]; NULL: q[0], q[1], ... */
  const double *index;      /* values of the <repeat> indices around it, may be NULL */
  const double *q0, *v0;    /* [n] */
  const double *z0;         /* [nz] */
  /* Matrices are [n x n] by columns, also where the user gave a diagonal. */
  ns_operator mass, fext, fint, fgyr;
  ns_operator dq_fint, dv_fint, dq_fgyr, dv_fgyr; /* ABSENT beside a plug-in: differenced */
  ns_operator stiffness, damping;                 /* K, C of the linear kinds, CONSTANT or ABSENT */
} ns_system;

/* ---- interactions: relation + law ---------------------------------------------------------- */

typedef struct ns_relation_kind {
  const char *name, *help;
} ns_relation_kind;
extern const ns_relation_kind *const ns_relation_kinds[];

typedef enum ns_law_flag { NS_LAW_UNILATERAL = 1 } ns_law_flag;
typedef struct ns_law_kind {
  const char *name, *help;
  unsigned flags;
} ns_law_kind;
extern const ns_law_kind *const ns_law_kinds[];

/* LagrangianLinearTIR:  y = H Q + e + F Z,  ydot = H V,  p = H^T lambda.
 * Q, V, Z: of its systems one after the other. */
typedef struct ns_interaction {
  const ns_relation_kind *relation;
  const ns_law_kind *law;
  ns_place at;
  int m;                  /* rows */
  int nsystems;
  const int *systems;     /* indices into ns_model.systems [nsystems]; the same twice is allowed */
  int nQ;                 /* sum of their n */
  size_t row;             /* where its y, ydot, lambda begin */
  const double *H;        /* [m x nQ] by columns */
  const double *e;        /* [m] or NULL */
  const double *F;        /* [m x sum nz] by columns or NULL */
  double restitution;     /* Newton's e, in [0, 1] */
} ns_interaction;

/* ---- simulation and output as asked for ----------------------------------------------------- */

typedef struct ns_time_stepping_options {
  double h;                   /* step, s */
  double newton_atol;         /* N s; see timestepping.h for the test */
  double newton_rtol;
  int newton_max;             /* iterations */
  int newton_linear;          /* one pass, no test, also for nonlinear systems */
} ns_time_stepping_options;

typedef struct ns_moreau_jean_options {
  double theta;               /* [0, 1] */
  double gamma;               /* activation: active if y + gamma h ydot <= threshold */
  double mass_gamma;          /* M(q) at q_k + mass_gamma (q_k+1 - q_k) */
  double threshold;           /* m */
  double velocity_threshold;  /* additionally ydot <= it; +inf: no such test */
} ns_moreau_jean_options;

typedef enum ns_storage { NS_STORAGE_AUTO, NS_STORAGE_DENSE, NS_STORAGE_SPARSE } ns_storage;
typedef struct ns_problem_options {
  const char *solver;         /* name in the registry of solvers, "auto" by default */
  double tol;
  int max_iterations;         /* 0: the solver's default */
  double omega;
  ns_storage storage;
} ns_problem_options;

typedef struct ns_simulation_options {
  ns_place at;
  double t0, T;               /* s */
  const char *strategy;       /* "TimeStepping" */
  const char *integrator;     /* "MoreauJeanOSI" */
  const char *problem;        /* "LCP" */
  ns_time_stepping_options ts;
  ns_moreau_jean_options mj;
  ns_problem_options osnsp;
} ns_simulation_options;

typedef struct ns_output_options {
  int every;                  /* record each so many steps; the first and last always */
  const char *const *record;  /* patterns `id.quantity` with * and ?; NULL: everything */
  int nrecord;
} ns_output_options;

typedef struct ns_parameter {
  const char *name, *unit, *help; /* unit, help: NULL where none */
  double value;                   /* SI */
  int overridden;                 /* by the command line */
} ns_parameter;

/* A file that the model was made of, for /provenance. */
typedef struct ns_source {
  const char *path;
  char sha256[65];
} ns_source;

typedef struct ns_model {
  ns_arena *arena; /* owns everything below */
  const char *name, *title;
  const char *xml; /* resolved model text for /model; may be NULL */

  int nparameters, nsources;
  const ns_parameter *parameters;
  const ns_source *sources;

  int nsystems, ninteractions;
  ns_system *systems;
  ns_interaction *interactions;

  size_t nq, nv, nz, nrows; /* lengths of q, v, z, lambda; set by ns_model_finish */

  ns_simulation_options sim;
  ns_output_options out;

  int uses_plugins;
} ns_model;

/* Defaults of the options, the same that the model language documents. */
ns_simulation_options ns_simulation_defaults(void);

/* Build: create, add, finish. Objects are copied shallowly: what they point to must live in
 * m->arena. Return the new index, or < 0 (out of memory, in c). */
ns_model *ns_model_create(ns_ctx *c);
int ns_model_add_system(ns_model *m, ns_ctx *c, const ns_system *s);
int ns_model_add_interaction(ns_model *m, ns_ctx *c, const ns_interaction *i);
/* Set offsets; check what needs the whole model or numbers: masses symmetric and positive
 * definite, finite initial values, gaps open at t0, options in range. Every fault is reported with its
 * place; returns the first code. */
int ns_model_finish(ns_model *m, ns_ctx *c);
void ns_model_destroy(ns_model *m); /* NULL-safe */

/* Name of coordinate k of a system: its own or `q[k]`; written to buf where made. */
const char *ns_system_coordinate(const ns_system *s, int k, char *buf, size_t n);

#endif
