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
#include "model/laws/law.h"
#include "model/operator.h"
#include "model/systems/rigid.h"

#include <math.h>
#include <stddef.h>

/* Where an element stands, for messages: `file:line: <element id="id">`. Borrowed texts. */
typedef struct ns_place {
  const char *file, *element, *id; /* id may be NULL */
  int line;
} ns_place;
/* Write the place to buf, cut at n; returns buf. */
const char *ns_place_text(const ns_place *p, char *buf, size_t n);

/* ---- systems --------------------------------------------------------------------------------- */

typedef enum ns_system_flag {
  /* Lagrangian: M, C, K constant, no other forces of the state; first order: f = A x + b */
  NS_SYS_LINEAR = 1,
  NS_SYS_DIAGONAL = 2,    /* M, C, K given as vectors */
  NS_SYS_FIRST_ORDER = 4, /* ns_first_order is its content; otherwise Lagrangian */
  NS_SYS_RIGID = 8,       /* ns_rigid_body is its content */
  NS_SYS_PLANAR = 16      /* with it: in the plane */
} ns_system_flag;

typedef struct ns_system_kind {
  const char *name; /* XML element */
  unsigned flags;   /* ns_system_flag */
  const char *help; /* one line, for `nssim list systems` */
} ns_system_kind;
extern const ns_system_kind *const ns_system_kinds[]; /* ends with NULL */

/* M x' = f(x,t,z) + T(x,z) u(x,x',t,z) + r,  or with f = A(t,z) x + b(t,z)   (first-order systems).
 * r is the sum of the inputs of all interactions. u reads the lagged rate x' of the state
 * (state.h). */
typedef struct ns_first_order {
  ns_operator M; /* [n x n] of t, z; ABSENT: identity */
  /* [n], [n x n]; dx_f ABSENT beside a plug-in f: differenced, beside a formula: zero */
  ns_operator f, dx_f;
  ns_operator A, b; /* [n x n], [n] of t, z; the linear kinds; ABSENT: zero */
  /* [n x s] of x, z; [s] of t, x, x', z; T ABSENT: identity, u ABSENT: no control term */
  ns_operator T, u;
  /* of a part of a model (family_part.h): the mechanics whose velocities are its state, borrowed,
   * of the whole model; else NULL */
  const struct ns_system *image_of;
} ns_first_order;

/* Lagrangian:
 * M(q,z) dv + (fGyr + fInt + C v + K q) dt = fExt dt + dr     (Acary & Brogliato 2008, ch. 3)
 * Note the signs: fInt and fGyr stand on the left. The Jacobians are by rows = components,
 * columns = coordinates, [n x n]. */
typedef struct ns_system {
  const ns_system_kind *kind;
  ns_place at;
  int n; /* degrees of freedom = velocities */
  /* coordinates: 7 of a rigid body in space, n of all others; set by ns_model_add_system */
  int nq;
  int nz; /* size of the user vector */
  /* where its q, v and z begin in the model's vectors; v = q in families without rigid bodies */
  size_t q, v, z;
  const char *const *names;  /* of the coordinates [nq]; NULL: q[0], q[1], ... */
  const char *const *units;  /* SI units of the coordinates as written [nq]; NULL: none are */
  const char *const *zunits; /* those of the entries of z [nz]; NULL: none are */
  const double *index;       /* values of the <repeat> indices around it, may be NULL */
  int integrator;            /* of ns_model.integrators; set by the loader */
  const double *q0, *v0;     /* [nq], [n]; first order: q0 is x0, v0 is NULL */
  const double *z0;          /* [nz] */
  /* Lagrangian, in MoreauJeanOSI: theta is in the place of the scheme's */
  int own_theta;
  double theta;              /* [0, 1] */
  const char *const *znames; /* of the entries of z [nz]; NULL: z[0], z[1], ... */
  /* Matrices are [n x n] by columns, also where the user gave a diagonal. */
  union {
    struct { /* Lagrangian */
      ns_operator mass, fext, fint, fgyr;
      ns_operator dq_fint, dv_fint, dq_fgyr, dv_fgyr; /* ABSENT beside a plug-in: differenced */
      /* K, C of the linear kinds, CONSTANT or ABSENT */
      ns_operator stiffness, damping;
    };
    ns_first_order fo;
    ns_rigid_body rigid;
  };
} ns_system;

/* The mechanics whose velocities are its state (family_part.h); NULL: its state is its own. */
static inline const ns_system *ns_system_image_of(const ns_system *s)
{
  return s->kind->flags & NS_SYS_FIRST_ORDER ? s->fo.image_of : NULL;
}

/* A body whose position is x, y and an angle. */
static inline int ns_system_is_planar(const ns_system *s)
{
  return (s->kind->flags & NS_SYS_PLANAR) != 0;
}

/* ---- interactions: relation + law ------------------------------------------------------------ */

typedef enum ns_relation_flag {
  NS_REL_FIRST_ORDER = 1, /* ns_first_order_relation is its content; otherwise Lagrangian */
  NS_REL_LINEAR = 2,      /* first order: C, D, B, F, e, operators of t and z; otherwise h and g.
                           * Lagrangian: H, e, F, constant; otherwise ns_lagrangian_relation */
  NS_REL_COMPLIANT = 4,   /* Lagrangian: y depends on lambda, a force; law at position level */
  /* of rigid bodies: rows of velocities by ns_rigid_relation_rows; ns_lagrangian_relation, or */
  NS_REL_RIGID = 8,
  NS_REL_JOINT = 16,  /* with RIGID: ns_joint */
  NS_REL_AXIS = 32,   /* with RIGID: ns_joint_axis */
  NS_REL_POINT = 64,  /* with RIGID: ns_contact_point */
  NS_REL_SHAPES = 128 /* with RIGID: ns_shape_gap; of event-driven runs, shape_gaps.h */
} ns_relation_flag;
typedef struct ns_relation_kind {
  const char *name, *help;
  unsigned flags; /* ns_relation_flag */
  unsigned laws;  /* ns_law_fit of the laws that it takes; 0: all that do not refuse it */
} ns_relation_kind;
extern const ns_relation_kind *const ns_relation_kinds[];
extern const ns_relation_kind ns_relation_of_shapes; /* none of the language */

/* First-order relations. X [nQ], Z: of its systems one after the other; m rows.
 *   linear:     y = C X + D lambda + e + F Z,  R = B lambda       operators of t, z
 *   nonlinear:  y = h(X, t, lambda, Z),  R = g(X, t, lambda, Z)   with C = dh/dX, D = dh/dlambda,
 *                                                                 K = dg/dX, B = dg/dlambda
 * R [nQ] is the part of this interaction in r. A Jacobian that is ABSENT is zero, unless its
 * function is a plug-in that may depend on that bank (ns_operator.uses): then it is differenced. */
typedef struct ns_first_order_relation {
  ns_operator C, D, B; /* [m x nQ], [m x m], [nQ x m] */
  ns_operator F, e;    /* [m x nZ], [m]; linear kinds */
  ns_operator h, g, K; /* [m], [nQ], [nQ x nQ]; nonlinear kinds */
} ns_first_order_relation;

/* Nonlinear Lagrangian relations. Q [nQ], V, Z: of its systems one after the other; m rows.
 *   y = h(Q, t, lambda, Z),  ydot = H V + ht,  p = H^T lambda     with H = dh/dQ, ht = dh/dt, D =
 *                            dh/dlambda
 * scleronomous: h(Q, Z); rheonomous: h(Q, t, Z); compliant: h(Q, lambda, Z). Friction: row 0 is the
 * gap; of the rows of slip only H is used (they need not be gradients). bias = d/dt(H) V + d/dt(ht)
 * for event-driven schemes. A Jacobian that is ABSENT is zero, unless its function is a plug-in
 * that may depend on that bank: then it is differenced. */
typedef struct ns_lagrangian_relation {
  ns_operator h, H, ht, D; /* [m], [m x nQ], [m], [m x m] */
  ns_operator Hdot;        /* [m x nQ] of Q, V: d/dt H, for the bias; ABSENT: differenced */
  ns_operator bias;        /* [m] of t, Q, V; ABSENT: from Hdot, or differenced */
} ns_lagrangian_relation;

/* LagrangianLinearTIR:  y = H Q + e + F Z,  ydot = H V,  p = H^T lambda.
 * LagrangianCompliantLinearTIR:  y = H Q + e + F Z + D lambda.
 * Q, V, Z: of its systems one after the other. */
typedef struct ns_interaction {
  const ns_relation_kind *relation;
  ns_nonsmooth_law law;
  ns_place at;
  int m; /* rows */
  /* SI units of y and lambda as written; NULL: those that all have */
  const char *unit, *lambda_unit;
  /* those of each row, where they differ: circuits [m]; NULL, and an entry of NULL: unknown */
  const char *const *row_units, *const *row_lambda_units;
  /* of circuits: the device of each row, and what contradicts its law, as a sentence that ends with
   * a remedy, where nothing but sources decides that; NULL, and an entry of NULL: nothing [m] */
  const char *const *row_names, *const *row_faults;
  int nsystems;
  const int *systems;  /* indices into ns_model.systems [nsystems]; the same twice is allowed */
  int nQ;              /* sum of their nq */
  int nV;              /* sum of their n; set by ns_model_add_interaction */
  int nZ;              /* sum of their nz */
  size_t row;          /* where its y, ydot, lambda begin */
  const double *index; /* values of the <repeat> indices around it, may be NULL */
  union {              /* relation */
    struct {           /* Lagrangian */
      const double *H; /* [m x nQ] by columns */
      const double *e; /* [m] or NULL */
      const double *F; /* [m x nZ] by columns or NULL */
      const double *D; /* [m x m] by columns, compliant; or NULL */
    };
    ns_lagrangian_relation lr; /* rigid: h and H = dh/dQ of t, Q, Z */
    ns_first_order_relation fo;
    struct {
      ns_joint joint;
      const ns_joint_drive *drive; /* NULL: none */
    };
    ns_joint_axis axis;
    ns_contact_point point;
    ns_shape_gap gap;
  };
  /* of a circuit: y that its devices cut off where they switch, by a rule of their own that needs
   * no warning (thyristors below their holding current, A); 0: none */
  double cut;
  size_t bond; /* where what its law keeps is in ns_state.bond */
  /* of a joint or joint axis: where its free coordinates are in ns_state.angle */
  size_t angle;
} ns_interaction;

/* What a spring, a damper, a tendon or any other force between bodies acts at: a point in the axes
 * of a body, from its centre of mass, or of the world. In the plane two entries count. */
typedef struct ns_force_end {
  int system;   /* -1: the world */
  double at[3]; /* m */
} ns_force_end;
enum { NS_FORCE_ENDS = 16, NS_FORCE_COORDINATES = 4 };

/* A joint that a tendon goes over. */
typedef struct ns_force_joint {
  int interaction; /* that holds it */
  const ns_joint *joint;
  int slide;          /* 1: its slide, 0: its angle */
  double coefficient; /* of that coordinate in the length: m/rad, or 1 */
  int end[2];         /* its bodies among the ends of the tendon; -1: the world */
} ns_force_joint;

typedef enum ns_force_kind {
  NS_FORCE_SPRING,
  NS_FORCE_DAMPER,
  NS_FORCE_TENDON,
  NS_FORCE_GENERAL
} ns_force_kind;

/* A force between points of rigid bodies, or of a body and the world (model/systems/rigid_force.h).
 * Its coordinates are the length of the line through its points and where the first of two points
 * is in the axes of the other's body: length, x, y, z; in the plane length, x, y and the angle of
 * the first body relative to the other. */
typedef struct ns_body_force {
  ns_force_kind kind;
  ns_place at;
  int planar;
  int nends;
  /* [nends], 1 to NS_FORCE_ENDS; of two points the first is one of a body; of a tendon over joints
   * the bodies of these, each once, without points */
  const ns_force_end *end;
  /* of a line: how often each piece from a point to the next counts in the length [nends - 1];
   * NULL: once */
  const double *strands;
  int njoints;                 /* of a tendon over joints: the length is */
  const ns_force_joint *joint; /* the sum of coefficient times coordinate [njoints] */
  int pushes;                  /* a tendon that is never slack */
  int nsystems, nZ;            /* those of its bodies, whose Z formulas read */
  const int *systems;
  const double *index;
  /* linear: along the line it pulls by stiffness (length - rest_length) + damping rate + preload;
   * a tendon with a motor has these and its formula */
  double stiffness, damping, rest_length, preload; /* N/m, N s/m, m, N */
  /* formulas of t, Z and NS_BANK_JOINT, the coordinates and behind them their rates. They act on
   * the first body and against it on the other; what is along the line pushes the points apart
   * where it is positive. */
  ns_operator along; /* [1] N */
  /* [3], in the plane [2], N: in the axes of the other body, or of the world */
  ns_operator vector;
  ns_operator torque; /* [1] N m, in the plane */
  /* derivatives [rows x 2 NS_FORCE_COORDINATES] by NS_BANK_JOINT */
  ns_operator by_along, by_vector, by_torque;
  /* where length and force are in ns_state.angle, rate and power in ns_state.rate */
  size_t angle;
} ns_body_force;
enum { NS_FORCE_SHOWN = 2 }; /* of each in ns_state.angle */

/* A block that is sampled: at t0 + offset + i * period (i = 0, 1, ...), before the step that begins
 * there, entries of the user vectors Z of its systems become what its kind (control.h) makes of t,
 * X, V, Z, its memory, and all that formulas of the run read: variables of other systems,
 * multipliers, joints and forces, observables. Between samples they are constant. Blocks that are
 * sampled at the same time act in their order, each on what those before it wrote. It acts from
 * `from` until `until` and where `when` holds; else it keeps what it remembers, and what it
 * writes stays, or is `otherwise`. */
typedef struct ns_control {
  const struct ns_control_kind *kind;
  ns_place at;
  int nsystems;
  const int *systems;
  int nQ, nZ;         /* sums of n and nz of its systems */
  double period;      /* s; 0: the step */
  double offset;      /* s; a whole multiple of the step */
  double from, until; /* s; -inf, +inf */
  ns_operator when;   /* [2] condition (expression.h); ABSENT: always */
  double otherwise;   /* what it writes where it does not act; NaN: it stays */
  const double *index;
  int nwrites;
  const int *writes; /* entries of Z [nwrites] */
  /* attributes of its element in the order of the language; NaN: not given */
  const double *number;
  /* values of its element in that order, of t, X, V, Z; ABSENT: not given */
  const ns_operator *value;
  /* their derivatives by Z, where its kind asks for them; NULL: for none */
  const ns_operator *jacobian;
  const struct nssim_control *plugin; /* of a plug-in: what it gives, */
  const char *plugin_name;            /* and how it is called */
  /* set by ns_model_finish */
  /* period and offset in steps; every 0: they are no whole numbers of steps */
  long long every, first;
  /* it does not act at each sample: its memory ends with how often it did */
  int gated;
  int nmemory;   /* doubles it keeps from sample to sample */
  size_t memory; /* where they begin in the state */
} ns_control;

/* Prescribed velocities of a mechanical system: v_j(t) = value_j(t) for the entries j of dof. */
typedef struct ns_boundary {
  ns_place at;
  int system, n;
  const int *dof; /* [n], ascending */
  const double *index;
  ns_operator value; /* [n] of t; ABSENT: fixed, 0 */
  ns_operator rate;  /* [n], d value/dt; ABSENT: 0, of a plug-in by differences */
} ns_boundary;

/* What an observable shows of a measure: its number; of what moments make also how many they were,
 * the time since the last of them, or that time. */
typedef enum ns_running_give {
  NS_RUNNING_VALUE,
  NS_RUNNING_COUNT,
  NS_RUNNING_SINCE,
  NS_RUNNING_TIME
} ns_running_give;

/* A number that results show beside the state: formula of t, and of X, Z of its systems and lambda
 * of its interaction. */
typedef struct ns_observable {
  ns_place at;
  const char *group, *id, *name; /* column group/id/name, label id.name */
  const char *unit, *help;       /* NULL where none */
  int nsystems;
  const int *systems;
  int interaction; /* whose lambda formulas read; -1: that of all interactions */
  int whole;       /* 1: its systems are all of the model, as ns_model_order has them */
  const double *index;
  ns_operator value; /* [1]; ABSENT where it is running: */
  int running;       /* 1 + the measure that it shows as it stands, 0: it shows none */
  ns_running_give give;
} ns_observable;

/* ---- simulation and output as asked for ------------------------------------------------------ */

typedef struct ns_time_stepping_options {
  double h;           /* step, s */
  double newton_atol; /* N s; see time_stepping.h for the test */
  double newton_rtol;
  int newton_max;    /* iterations */
  int newton_linear; /* one pass, no test, also for nonlinear systems */
  /* the test is |r| <= newton_atol of every system, and of nothing else */
  int newton_absolute;
} ns_time_stepping_options;

typedef struct ns_euler_moreau_options {
  double theta, gamma; /* [0, 1] */
  /* 1: relation and law at t_k + gamma h too (full theta-gamma scheme) */
  int full;
} ns_euler_moreau_options;

/* Positions brought back to the constraints after a velocity step (Acary 2013). */
typedef enum ns_metric { NS_METRIC_MASS, NS_METRIC_IDENTITY } ns_metric;
typedef struct ns_projection_options {
  double unilateral_tol, equality_tol; /* m */
  int passes;                          /* most projections in a step */
  /* m; direct projection: a loaded contact stays active up to this gap; 0: never for that */
  double activation;
  /* positions move by B H^T: B the inverse of the iteration matrix, or the identity */
  ns_metric metric;
} ns_projection_options;

typedef enum ns_d1_variant { NS_D1_ACCELERATION, NS_D1_VELOCITY } ns_d1_variant;

typedef enum ns_sp_start { NS_SP_ACCELERATION, NS_SP_VELOCITY } ns_sp_start;

typedef struct ns_moreau_jean_options {
  double theta;      /* [0, 1] */
  double gamma;      /* activation: active if y + gamma h ydot <= threshold */
  double mass_gamma; /* M(q) at q_k + mass_gamma (q_k+1 - q_k) */
  double rows_gamma; /* impulses along H_k + rows_gamma (H_k+1 - H_k); NaN: theta, ns_rows_gamma */
  double threshold;  /* m */
  double velocity_threshold; /* additionally ydot <= it; +inf: no such test */
} ns_moreau_jean_options;

static inline double ns_rows_gamma(const ns_moreau_jean_options *o)
{
  return isnan(o->rows_gamma) ? o->theta : o->rows_gamma;
}

/* What to do where impacts accumulate (Zeno). */
typedef enum ns_accumulation {
  NS_ACCUMULATION_STICK,
  NS_ACCUMULATION_STEP,
  NS_ACCUMULATION_STOP
} ns_accumulation;
/* Of an event-driven run (simulation/events/event_certificate.h): motion, laws and events, none, or
 * laws and events alone. */
typedef enum ns_certificate_extent {
  NS_CERTIFICATE_ON,
  NS_CERTIFICATE_OFF,
  NS_CERTIFICATE_LAWS
} ns_certificate_extent;
typedef enum ns_flow_method { NS_FLOW_ADAMS, NS_FLOW_BDF } ns_flow_method;
typedef enum ns_dae_formulation { NS_DAE_GGL, NS_DAE_INDEX1 } ns_dae_formulation;
typedef enum ns_flow_linear { NS_FLOW_AUTO, NS_FLOW_DENSE, NS_FLOW_KLU } ns_flow_linear;

/* Event-driven schemes (simulation/events/event_driven.h). */
typedef struct ns_event_driven_options {
  double rtol, atol; /* of the smooth motion: local error <= rtol |x| + atol */
  ns_flow_method method;
  ns_dae_formulation formulation; /* of constraints (integrators/ida.h) */
  double stabilisation;           /* 1/s: that of index 1 */
  ns_flow_linear linear;          /* solver of the linear systems of implicit methods */
  double max_step;                /* s; inf: none */
  double step;                    /* s; of methods with a fixed one; inf: the grid's */
  double rho_inf;                 /* generalised alpha: spectral radius at infinite frequency */
  int newmark;                    /* 1: Newmark's method with beta, gamma in its place */
  double beta, gamma;
  int newton_max; /* iterations of a fixed step */
  /* integrator of a plug-in (integrators/plugged_flow.h); NULL: none */
  const struct ns_plugged_integrator *plugged;
  double gap_tol, speed_tol; /* m, m/s: what counts as closed, and as at rest */
  double rest_speed;         /* m/s; rebounds slower than that are none */
  ns_accumulation accumulation;
  int sequential;     /* impacts of one instant one by one, not by one problem */
  double hybrid_step; /* s, of time-stepping where impacts accumulate; 0: a tenth of h */
  int max_events;     /* between two points of the grid */
  /* N s, largest increment of multiple impacts; 0: by the error, fixed ones by the approach */
  double impulse_step;
  int fixed_increments; /* multiple impacts: increments of one size, as published */
  int mono;             /* multiple impacts: mono-stiffness */
  ns_certificate_extent certificate;
} ns_event_driven_options;

typedef enum ns_storage { NS_STORAGE_AUTO, NS_STORAGE_DENSE, NS_STORAGE_SPARSE } ns_storage;
typedef struct ns_problem_options {
  /* name in the registry of solvers, "auto" by default; "Library:function" of a plug-in */
  const char *solver;
  const struct ns_plugged_solver *plugged; /* that one (problems/plugged.h); NULL: none */
  double tol;                              /* accepted residual */
  /* of problems with more than NS_GRANULAR contacts with friction (problems/mechanical.h); tol
   * where that is given */
  double granular_tol;
  int accept; /* steps that are not solved to it, with a residual of at most */
  double accepted;
  int max_iterations; /* 0: the solver's default */
  double omega;
  ns_storage storage;
  /* of ns_contact_solvers (problems/mechanical.h): one contact in a sweep */
  int contact;
  int threads; /* the bytes do not depend on it */
} ns_problem_options;

/* An integrator of a model that has several: its own options. */
typedef struct ns_integrator_use {
  const char *name;
  ns_place at;
  ns_moreau_jean_options mj;
  ns_euler_moreau_options em;
  ns_projection_options proj;
} ns_integrator_use;

typedef struct ns_simulation_options {
  ns_place at;
  double t0, T;           /* s */
  const char *strategy;   /* "TimeStepping" */
  const char *integrator; /* "MoreauJeanOSI" */
  const char *problem;    /* "LCP"; NULL: by the laws of the model */
  ns_time_stepping_options ts;
  ns_moreau_jean_options mj;
  ns_euler_moreau_options em;
  ns_projection_options proj;
  ns_d1_variant d1;
  double d1_tol;        /* gaps (m) and velocities (m/s) up to it are closed */
  ns_sp_start sp_start; /* Schatzman-Paoli: q-(t0) of second or of first order */
  ns_event_driven_options ed;
  int event_driven; /* the strategy is; set by ns_model_finish */
  /* the integrator remembers the position before the last; set by ns_model_finish */
  int two_steps;
  ns_problem_options osnsp;
} ns_simulation_options;

/* Whether events of contacts between shapes are told; AUTO: in small scenes. */
typedef enum ns_contact_events {
  NS_CONTACT_EVENTS_AUTO,
  NS_CONTACT_EVENTS_YES,
  NS_CONTACT_EVENTS_NO
} ns_contact_events;

typedef struct ns_output_options {
  int every;                 /* record each so many steps; the first and last always */
  const char *const *record; /* patterns `id.quantity` with * and ?; NULL: everything */
  int nrecord;
  ns_place at;     /* of the first <record> */
  int compression; /* of rows in HDF5, 0 to 9 */
  int no_contacts; /* contacts between shapes are not recorded */
  ns_contact_events contact_events;
} ns_output_options;

typedef struct ns_parameter {
  const char *name, *unit, *help; /* unit, help: NULL where none */
  double value;                   /* SI */
  int overridden;                 /* by the command line */
} ns_parameter;

/* An attribute that <defaults> give, and the elements that took it. */
enum { NS_DEFAULT_LINES = 5 };
typedef struct ns_default {
  const char *element, *class_name, *attribute, *value; /* class_name: NULL where none */
  int count;
  int line[NS_DEFAULT_LINES]; /* theirs; of more than these the last one */
} ns_default;

/* A file that the model was made of, for /provenance. */
typedef struct ns_source {
  const char *path;
  char sha256[65];
} ns_source;

typedef struct ns_model {
  ns_arena *arena; /* owns everything below */
  const char *name, *title;
  const char *xml; /* resolved model text for /model; may be NULL */

  int nparameters, nsources, ndefaults;
  const ns_parameter *parameters;
  const ns_default *defaults;
  const ns_source *sources;

  int nsystems, ninteractions, ncontrols, nobservables, nboundaries;
  ns_system *systems;
  ns_interaction *interactions;
  ns_control *controls;
  ns_observable *observables;
  ns_boundary *boundaries;
  int nforces;
  ns_body_force *forces;
  int nmeasures;
  struct ns_measure *measures; /* measure.h */
  int nuser_events;
  struct ns_user_event *user_events; /* user_event.h */
  int nlaw_formulas;
  struct ns_law_formula *law_formulas; /* law_values.h */
  int ngiven;
  struct ns_given *given; /* derivatives that stand beside their functions, given.h */
  ns_foreign *foreign;    /* couplings by formulas, foreign.h; a list */
  /* of a part of first order: which of its states is this entry of q or v of the whole model, -1:
   * none [nq], [nv]; NULL: it is no part */
  const int *state_of_q, *state_of_v;
  size_t nwhole_v; /* nv of that */
  /* systems of several families, or couplings: one stepper for all
   * (simulation/step/mixed_stepping.h) */
  int mixed;

  ns_contact_model contact; /* shapes of rigid bodies */

  /* of a part (part.h): where its q, v and rows begin in those of the whole; else 0 */
  size_t part_q, part_v, part_row;
  size_t nq, nv, nz, nrows; /* lengths of q, v, z, lambda; set by ns_model_finish */
  /* of ns_state.angle: free coordinates of joints, then length and force of each force */
  size_t nangles;
  size_t nbonds;           /* doubles that laws keep */
  size_t nmemory;          /* doubles that controls keep; likewise */
  size_t nmeasured, nuser; /* doubles that measures and events of the user keep; likewise */
  /* where of nmeasured the state that measures looked at last is kept; nmeasured: it is not */
  size_t measured_past;
  size_t nbranches;               /* branches of formulas that jump; 0 but in a copy by frozen.h */
  const struct ns_frozen *frozen; /* what that copy is of; NULL: it is none */
  size_t npast;                   /* of ns_state.past, law_values.h */
  /* of the event-driven run whose copy this is: contacts between shapes are interactions; NULL:
   * none are */
  struct ns_shape_gaps *gaps;
  /* of the run whose copy this is: it renews the laws; NULL: their parameters are numbers */
  struct ns_law_values *values;

  ns_simulation_options sim;
  const char *schemes; /* names of all integrators, for people; NULL: one */
  int nintegrators;    /* 0 in models made by hand: that of sim */
  ns_integrator_use *integrators;
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
int ns_model_add_control(ns_model *m, ns_ctx *c, const ns_control *k);
int ns_model_add_observable(ns_model *m, ns_ctx *c, const ns_observable *o);
int ns_model_add_force(ns_model *m, ns_ctx *c, const ns_body_force *f);
int ns_model_add_boundary(ns_model *m, ns_ctx *c, const ns_boundary *b);
int ns_model_add_measure(ns_model *m, ns_ctx *c, const struct ns_measure *s);
int ns_model_add_user_event(ns_model *m, ns_ctx *c, const struct ns_user_event *e);
int ns_model_add_law_formula(ns_model *m, ns_ctx *c, const struct ns_law_formula *f);
/* Lagrangian: has friction, or a relay, which is friction of a known bound. */
int ns_interaction_rubs(const ns_interaction *it);
/* Mechanics: its rows depend on time. */
int ns_interaction_is_driven(const ns_interaction *it);
/* Of m->nangles, those of joints, which come first; what is shown of forces is behind them. */
size_t ns_model_joint_angles(const ns_model *m);
/* That of the systems of a model; mixed where they are of several, or where formulas couple them.
 */
typedef enum ns_family {
  NS_FAMILY_LAGRANGIAN,
  NS_FAMILY_FIRST_ORDER,
  NS_FAMILY_RIGID,
  NS_FAMILY_MIXED
} ns_family;
ns_family ns_model_family(const ns_model *m);
ns_family ns_system_family(const ns_system *s);
ns_family ns_relation_family(const ns_relation_kind *k);
/* That of its relation; Lagrangian of one that is built without kinds. */
ns_family ns_interaction_family(const ns_interaction *it);
int ns_model_first_order(const ns_model *m);
/* Some body or shape has a birth or a death. */
int ns_model_is_mortal(const ns_model *m);
/* All systems in the order in which their quantities stand in q, v and z [nsystems]. */
void ns_model_order(const ns_model *m, int *systems);
/* The first rigid body; NULL: none. */
const ns_system *ns_model_body(const ns_model *m);
/* The integrator of a system; NULL where the model names none. */
const ns_integrator_use *ns_model_integrator(const ns_model *m, const ns_system *s);
/* Set offsets; check what needs the whole model or numbers: masses symmetric and positive
 * definite, finite initial values, gaps open at t0, options in range. Every fault is reported with
 * its place; returns the first code. */
int ns_model_finish(ns_model *m, ns_ctx *c);
/* The offsets alone. */
void ns_model_place(ns_model *m);
void ns_model_destroy(ns_model *m); /* NULL-safe */

/* Sets held [nv] to 1 where a velocity is prescribed. */
void ns_model_mark_held(const ns_model *m, unsigned char *held);
int ns_model_count_held(const ns_model *m);
/* Their values at t to target [nv], other entries are left; work of so many doubles. */
size_t ns_model_targets_work(const ns_model *m);
int ns_model_targets(const ns_model *m, ns_ctx *c, double t, double *work, double *target);
/* Their rates, accelerations, the same way; of plug-ins by differences of fourth order over parts
 * of the grid's step. */
int ns_model_target_rates(const ns_model *m, ns_ctx *c, double t, double *work, double *rate);

/* Names of the components of its quantity "q", "v" or "p"; NULL where it has none. */
const char *const *ns_system_names(const ns_system *s, const char *quantity);
/* SI unit of coordinate k, or of entry k of its velocity what it is the rate of: as written, of a
 * body those of its kind, else what the name of a mechanical coordinate means to most; NULL: not
 * known. */
const char *ns_system_unit(const ns_system *s, int k, int of_velocity);
/* Its coordinates at t0: q0, of a body in space with a quaternion of norm 1. */
void ns_system_start(const ns_system *s, double *q);
/* Coordinates of such a system. */
int ns_system_coordinates(const ns_system *s);
/* Name of coordinate k of a system: its own or `q[k]`; written to buf where made. */
const char *ns_system_coordinate(const ns_system *s, int k, char *buf, size_t n);

#endif
