/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.h -- the model as described by the user, checked and compiled to flat arrays.
 *
 * A model is read-only once ns_model_finish has returned: any number of runs share it. Everything
 * that changes during a run is in ns_state (state.h). Quantities of all systems are stored one
 * after the other in vectors q [nq], v [nv], z [nz]; rows of all interactions in y, ydot, lambda
 * [nrows]. SI units. */
#ifndef NS_MODEL_MODEL_H
#define NS_MODEL_MODEL_H

#include "base/arena.h"
#include "base/context.h"
#include "model/laws/law.h"
#include "model/operator.h"
#include "model/systems/rigid.h"

#include <math.h>
#include <stddef.h>

/* Place of an element, for messages: `file:line: <element id="id">`. Borrowed strings. */
typedef struct ns_place {
  const char *file, *element, *id; /* id may be NULL */
  int line;
} ns_place;
/* Write the place to buf, cut at n; returns buf. */
const char *ns_place_text(const ns_place *p, char *buf, size_t n);
/* ns_fail and ns_warn, whose messages begin with the place. */
int ns_fail_at(ns_ctx *c, int rc, const ns_place *at, const char *fmt, ...) NS_PRINTF(4, 5);
void ns_warn_at(ns_ctx *c, const ns_place *at, const char *fmt, ...) NS_PRINTF(3, 4);

/* ---- systems --------------------------------------------------------------------------------- */

typedef enum ns_system_flag {
  /* Lagrangian: M, C, K constant, no other forces of the state; first order: f = A x + b */
  NS_SYS_LINEAR = 1,
  NS_SYS_DIAGONAL = 2,    /* M, C, K given as vectors */
  NS_SYS_FIRST_ORDER = 4, /* ns_first_order is its content; otherwise Lagrangian */
  NS_SYS_RIGID = 8,       /* ns_rigid_body is its content */
  NS_SYS_PLANAR = 16      /* with RIGID: in the plane */
} ns_system_flag;

typedef struct ns_system_kind {
  const char *name; /* XML element */
  unsigned flags;   /* ns_system_flag */
  const char *help; /* one line, for `nssim list systems` */
} ns_system_kind;
extern const ns_system_kind *const ns_system_kinds[];        /* ends with NULL */
const ns_system_kind *ns_system_kind_find(const char *name); /* NULL: there is none */

/* M x' = f(x,t,z) + T(x,z) u(x,x',t,z) + r,  or with f = A(t,z) x + b(t,z)   (first-order systems).
 * r is the sum of the inputs of all interactions. u reads the lagged rate x' of the state
 * (state.h). */
typedef struct ns_first_order {
  ns_operator M; /* [n x n] of t, z; ABSENT: identity */
  /* [n], [n x n]; dx_f ABSENT: computed by finite differences if f is a plug-in; zero if f is a
   * formula */
  ns_operator f, dx_f;
  ns_operator A, b; /* [n x n], [n] of t, z; the linear kinds; ABSENT: zero */
  /* [n x s] of x, z; [s] of t, x, x', z; T ABSENT: identity, u ABSENT: no control term */
  ns_operator T, u;
  /* in a part of a model (family_part.h): the mechanical system, of the whole model, whose
   * velocities are its state, borrowed; otherwise NULL */
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
  /* number of coordinates: 7 for a rigid body in space, otherwise n; set by ns_model_add_system */
  int nq;
  int nz;         /* size of the user vector */
  int integrator; /* index in ns_model.integrators; set by the loader */
  /* offsets of its q, v and z in the model's vectors; v = q in families without rigid bodies */
  size_t q, v, z;
  const char *const *names; /* names of the coordinates [nq]; NULL: q[0], q[1], ... */
  /* SI units of the coordinates as written by the user [nq]; NULL: none */
  const char *const *units;
  const char *const *zunits; /* units of the entries of z [nz]; NULL: none */
  const double *index;       /* values of the <repeat> indices around it, may be NULL */
  const double *q0, *v0;     /* [nq], [n]; first order: q0 is x0, v0 is NULL */
  const double *z0;          /* [nz] */
  /* Lagrangian, in MoreauJeanOSI: 1: theta replaces that of the scheme */
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

static inline int ns_system_is_first_order(const ns_system *s)
{
  return s->kind && s->kind->flags & NS_SYS_FIRST_ORDER;
}

/* 1 for a body, in space or in the plane. */
static inline int ns_system_is_rigid(const ns_system *s)
{
  return s->kind && s->kind->flags & NS_SYS_RIGID;
}

/* When a body exists; NULL: always, as systems of other kinds. */
static inline const ns_life *ns_system_life(const ns_system *s)
{
  return ns_system_is_rigid(s) ? s->rigid.life : NULL;
}

/* The mechanical system whose velocities are the state of s (family_part.h); NULL: s has its own
 * state. */
static inline const ns_system *ns_system_image_of(const ns_system *s)
{
  return ns_system_is_first_order(s) ? s->fo.image_of : NULL;
}

/* 1 for a body with the coordinates x, y and angle. */
static inline int ns_system_is_planar(const ns_system *s)
{
  return (s->kind->flags & NS_SYS_PLANAR) != 0;
}

/* How many of its velocities, the first ones, are not those of a rotation of a body: n but for
 * bodies, of which 2 in the plane and 3 in space move the centre. */
static inline int ns_system_translations(const ns_system *s)
{
  if (!ns_system_is_rigid(s)) return s->n;
  return ns_system_is_planar(s) ? 2 : 3;
}

/* The point of a system in vectors of the model; among: formulas that read other systems find these
 * values. */
static inline ns_point ns_system_point_among(const ns_system *s, double t, const double *q,
                                             const double *v, double *z, ns_others all)
{
  return (ns_point){.t = t,
                    .n = s->nq,
                    .q = q + s->q,
                    .v = v + s->v,
                    .nz = s->nz,
                    .z = z + s->z,
                    .index = s->index,
                    .model_q = all.q,
                    .model_v = all.v,
                    .model_z = all.z,
                    .model_angle = all.angle};
}
static inline ns_point ns_system_point(const ns_system *s, double t, const double *q,
                                       const double *v, double *z)
{
  return ns_system_point_among(s, t, q, v, z, (ns_others){0});
}

/* ---- interactions: relation + law ------------------------------------------------------------ */

typedef enum ns_relation_flag {
  NS_REL_FIRST_ORDER = 1, /* ns_first_order_relation is its content; otherwise Lagrangian */
  NS_REL_LINEAR = 2,      /* first order: C, D, B, F, e, operators of t and z; otherwise h and g.
                           * Lagrangian: H, e, F, constant; otherwise ns_lagrangian_relation */
  NS_REL_COMPLIANT = 4,   /* Lagrangian: y depends on lambda, a force; law at position level */
  /* of rigid bodies: rows by ns_rigid_relation_rows; content ns_lagrangian_relation, or */
  NS_REL_RIGID = 8,
  NS_REL_JOINT = 16,  /* with RIGID: ns_joint */
  NS_REL_AXIS = 32,   /* with RIGID: ns_joint_axis */
  NS_REL_POINT = 64,  /* with RIGID: ns_contact_point */
  NS_REL_SHAPES = 128 /* with RIGID: ns_shape_gap; only in event-driven runs, shape_gaps.h */
} ns_relation_flag;
typedef struct ns_relation_kind {
  const char *name, *help;
  unsigned flags; /* ns_relation_flag */
  unsigned laws;  /* ns_law_fit of the permitted laws; 0: all laws that do not refuse it */
} ns_relation_kind;
extern const ns_relation_kind *const ns_relation_kinds[];
/* The kind of this name, which must be one of them. */
const ns_relation_kind *ns_relation_named(const char *name);
extern const ns_relation_kind ns_relation_of_shapes; /* not in the language */

/* First-order relations. X [nQ], Z: of its systems one after the other; m rows.
 *   linear:     y = C X + D lambda + e + F Z,  R = B lambda       operators of t, z
 *   nonlinear:  y = h(X, t, lambda, Z),  R = g(X, t, lambda, Z)
 *               with C = dh/dX, D = dh/dlambda, K = dg/dX, B = dg/dlambda
 * R [nQ] is the contribution of this interaction to r. A Jacobian that is ABSENT is zero, unless
 * its function is a plug-in that may depend on that bank (ns_operator.uses); then it is computed by
 * finite differences. */
typedef struct ns_first_order_relation {
  ns_operator C, D, B; /* [m x nQ], [m x m], [nQ x m] */
  ns_operator F, e;    /* [m x nZ], [m]; linear kinds */
  ns_operator h, g, K; /* [m], [nQ], [nQ x nQ]; nonlinear kinds */
} ns_first_order_relation;

/* Nonlinear Lagrangian relations. Q [nQ], V, Z: of its systems one after the other; m rows.
 *   y = h(Q, t, lambda, Z),  ydot = H V + ht,  p = H^T lambda
 *   with H = dh/dQ, ht = dh/dt, D = dh/dlambda
 * scleronomous: h(Q, Z); rheonomous: h(Q, t, Z); compliant: h(Q, lambda, Z). Friction: row 0 is the
 * gap; of the rows of slip only H is used (they need not be gradients). bias = d/dt(H) V + d/dt(ht)
 * for event-driven schemes. A Jacobian that is ABSENT is zero, unless its function is a plug-in
 * that may depend on that bank; then it is computed by finite differences. */
typedef struct ns_lagrangian_relation {
  ns_operator h, H, ht, D; /* [m], [m x nQ], [m], [m x m] */
  /* [m x nQ] of Q, V: d/dt H, for the bias; ABSENT: by finite differences */
  ns_operator Hdot;
  ns_operator bias; /* [m] of t, Q, V; ABSENT: from Hdot, or by finite differences */
} ns_lagrangian_relation;

/* LagrangianLinearTIR:  y = H Q + e + F Z,  ydot = H V,  p = H^T lambda.
 * LagrangianCompliantLinearTIR:  y = H Q + e + F Z + D lambda.
 * Q, V, Z: of its systems one after the other. */
typedef struct ns_interaction {
  const ns_relation_kind *relation;
  /* the one that was written, of which its law or what reads its multipliers may have made another;
   * NULL: not known */
  const ns_relation_kind *written;
  ns_nonsmooth_law law;
  ns_place at;
  int m; /* rows */
  /* SI units of y and lambda as written by the user; NULL: the default units */
  const char *unit, *lambda_unit;
  /* units of each row, if they differ, in circuits [m]; NULL, or an entry NULL: unknown */
  const char *const *row_units, *const *row_lambda_units;
  /* of circuits: the device of each row; and, if only sources determine that its law is violated, a
   * sentence that describes this, with a remedy [m]; NULL, or an entry NULL: none */
  const char *const *row_names, *const *row_faults;
  int nsystems;
  const int *systems;  /* indices into ns_model.systems [nsystems]; a system may occur twice */
  int nQ;              /* sum of their nq */
  int nV;              /* sum of their n; set by ns_model_add_interaction */
  int nZ;              /* sum of their nz */
  size_t row;          /* offset of its y, ydot, lambda */
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
  /* of a circuit: max. |y| that a device interrupts by design when it switches (holding current of
   * thyristors, A), for which there is no warning; 0: none */
  double cut;
  size_t bond; /* offset of the memory of its law in ns_state.bond */
  /* of a joint or joint axis: offset of its free coordinates in ns_state.angle */
  size_t angle;
} ns_interaction;

static inline int ns_interaction_is_first_order(const ns_interaction *it)
{
  return it->relation && it->relation->flags & NS_REL_FIRST_ORDER;
}

/* 1 if it relates bodies. */
static inline int ns_interaction_is_rigid(const ns_interaction *it)
{
  return it->relation && it->relation->flags & NS_REL_RIGID;
}

/* End of a spring, damper, tendon or other force between bodies: a point in body axes relative to
 * the centre of mass, or in the world. In the plane only two entries are used. */
typedef struct ns_force_end {
  int system;   /* -1: the world */
  double at[3]; /* m */
} ns_force_end;
enum { NS_FORCE_ENDS = 16, NS_FORCE_COORDINATES = 4 };

/* A joint over which a tendon runs. */
typedef struct ns_force_joint {
  int interaction; /* the interaction with the joint */
  const ns_joint *joint;
  int slide;          /* 1: coordinate `slide` of the joint; 0: its angle */
  double coefficient; /* coefficient of the coordinate in the length: m/rad, or 1 */
  int end[2];         /* indices of its bodies among the ends of the tendon; -1: the world */
} ns_force_joint;

typedef enum ns_force_kind {
  NS_FORCE_SPRING,
  NS_FORCE_DAMPER,
  NS_FORCE_TENDON,
  NS_FORCE_GENERAL
} ns_force_kind;

/* A force between points of rigid bodies, or of a body and the world (model/systems/rigid_force.h).
 * Its coordinates are the length of the line through its points, and the position of the first of
 * two points in the axes of the other's body: length, x, y, z; in the plane length, x, y and the
 * angle of the first body relative to the other. */
typedef struct ns_body_force {
  ns_force_kind kind;
  ns_place at;
  int planar;
  int nends;
  /* [nends], 1 to NS_FORCE_ENDS; the first of two points is on a body; a tendon over joints has
   * their bodies, each once, without points */
  const ns_force_end *end;
  /* weight in the length of each segment from a point to the next [nends - 1]; NULL: 1 */
  const double *strands;
  int njoints;                 /* of a tendon over joints, whose length is */
  const ns_force_joint *joint; /* the sum of coefficient times coordinate [njoints] */
  int pushes;                  /* 1: a tendon that can also push */
  int nsystems, nZ;            /* its bodies, whose Z formulas read */
  const int *systems;
  const double *index;
  /* linear force along the line, pulling: stiffness (length - rest_length) + damping rate +
   * preload; a tendon with a motor has these in addition to its formula */
  double stiffness, damping, rest_length, preload; /* N/m, N s/m, m, N */
  /* formulas of t, Z and NS_BANK_JOINT (the coordinates, then their rates). They act on the first
   * body, with the reaction on the other; a positive force along the line pushes the points
   * apart. */
  ns_operator along; /* [1] N */
  /* [3], in the plane [2], N, in the axes of the other body, or of the world */
  ns_operator vector;
  ns_operator torque; /* [1] N m, in the plane */
  /* derivatives with respect to NS_BANK_JOINT [rows x 2 NS_FORCE_COORDINATES] */
  ns_operator by_along, by_vector, by_torque;
  /* offset of length and force in ns_state.angle, of rate and power in ns_state.rate */
  size_t angle;
} ns_body_force;
enum { NS_FORCE_SHOWN = 2 }; /* entries of each force in ns_state.angle */

/* A sampled block. At t0 + offset + i * period (i = 0, 1, ...), before the step that begins there,
 * its kind (control.h) computes entries of the user vectors Z of its systems from t, X, V, Z, its
 * memory, and all quantities that formulas of the run can read: variables of other systems,
 * multipliers, joints and forces, observables. Between samples they are constant. Blocks sampled at
 * the same time act in their order, each on the values written by those before it. A block acts
 * from `from` until `until`, if `when` holds; otherwise its memory is unchanged, and its entries
 * are unchanged or `otherwise`. */
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
  double otherwise;   /* value that it writes when it does not act; NaN: none */
  const double *index;
  int nwrites;
  const int *writes; /* entries of Z [nwrites] */
  /* attributes of its element in the order of the language; NaN: not given */
  const double *number;
  /* values of its element in the same order, of t, X, V, Z; ABSENT: not given */
  const ns_operator *value;
  /* their derivatives with respect to Z, if its kind needs them; NULL: none */
  const ns_operator *jacobian;
  const struct nssim_control *plugin; /* of a plug-in: its table, */
  const char *plugin_name;            /* and its name, "Library:function" */
  /* set by ns_model_finish */
  /* period and offset in steps; every 0: not whole numbers of steps */
  long long every, first;
  /* 1: it does not act at every sample; its memory then ends with the number of times it has
   * acted */
  int gated;
  int nmemory;   /* doubles of memory */
  size_t memory; /* offset of its memory in ns_state.memory */
} ns_control;

/* Prescribed velocities of a mechanical system: v_j(t) = value_j(t) for the entries j of dof. */
typedef struct ns_boundary {
  ns_place at;
  int system, n;
  const int *dof; /* [n], ascending */
  const double *index;
  ns_operator value; /* [n] of t; ABSENT: fixed, 0 */
  ns_operator rate;  /* [n], d value/dt; ABSENT: 0, for a plug-in by finite differences */
} ns_boundary;

/* Quantity of a measure that an observable contains: its value; for measures made of ticks also
 * their number, the time since the last one, or its time. */
typedef enum ns_running_give {
  NS_RUNNING_VALUE,
  NS_RUNNING_COUNT,
  NS_RUNNING_SINCE,
  NS_RUNNING_TIME
} ns_running_give;

/* A quantity recorded in addition to the state: a formula of t, X, Z of its systems and lambda of
 * its interaction. */
typedef struct ns_observable {
  ns_place at;
  const char *group, *id, *name; /* column group/id/name, label id.name */
  const char *unit, *help;       /* NULL where none */
  int nsystems;
  const int *systems;
  int interaction; /* interaction whose lambda formulas read; -1: lambda of all interactions */
  int whole;       /* 1: its systems are all systems of the model, in the order of ns_model_order */
  const double *index;
  ns_operator value; /* [1]; ABSENT if `running` is set */
  int running;       /* 1 + index of the measure whose current value it is; 0: none */
  ns_running_give give;
} ns_observable;

/* ---- options of simulation and output -------------------------------------------------------- */

typedef struct ns_time_stepping_options {
  double h;           /* step, s */
  double newton_atol; /* N s; see time_stepping.h for the test */
  /* 1: the user gave it. Otherwise it is for sums of terms of about 1 (ns_newton_unit) */
  unsigned char newton_atol_given;
  double newton_rtol;
  int newton_max;    /* iterations */
  int newton_linear; /* 1: one pass without convergence test, for nonlinear systems, too */
  /* 1: the test is only |r| <= newton_atol for every system */
  int newton_absolute;
} ns_time_stepping_options;

/* By what newton_atol is multiplied in the test of a sum, whose terms have this size: the size, if
 * the user did not give it and the terms are small. */
static inline double ns_newton_unit(const ns_time_stepping_options *o, double size)
{
  return !o->newton_atol_given && size > 0 && size < 1e-2 ? size : 1;
}

typedef struct ns_euler_moreau_options {
  double theta, gamma; /* [0, 1] */
  /* 1: relation and law at t_k + gamma h too (full theta-gamma scheme) */
  int full;
} ns_euler_moreau_options;

/* Projection of positions onto the constraints after a velocity step (Acary 2013). */
typedef enum ns_metric { NS_METRIC_MASS, NS_METRIC_IDENTITY } ns_metric;
typedef struct ns_projection_options {
  double unilateral_tol, equality_tol; /* m */
  int passes;                          /* max. number of projections per step */
  /* direct projection: a contact with a force remains active up to this gap, m; 0: not */
  double activation;
  /* positions change along B H^T, with B the inverse of the iteration matrix, or the identity */
  ns_metric metric;
} ns_projection_options;

typedef enum ns_d1_variant { NS_D1_ACCELERATION, NS_D1_VELOCITY } ns_d1_variant;

typedef enum ns_sp_start { NS_SP_ACCELERATION, NS_SP_VELOCITY } ns_sp_start;

typedef struct ns_moreau_jean_options {
  double theta;      /* [0, 1] */
  double gamma;      /* activation: active if y + gamma h ydot <= threshold */
  double mass_gamma; /* M(q) is evaluated at q_k + mass_gamma (q_k+1 - q_k) */
  /* impulses act along H_k + rows_gamma (H_k+1 - H_k); NaN: theta (ns_rows_gamma) */
  double rows_gamma;
  double threshold;          /* m */
  double velocity_threshold; /* additional condition ydot <= velocity_threshold, m/s; +inf: none */
} ns_moreau_jean_options;

static inline double ns_rows_gamma(const ns_moreau_jean_options *o)
{
  return isnan(o->rows_gamma) ? o->theta : o->rows_gamma;
}

/* Treatment of accumulating impacts (Zeno). */
typedef enum ns_accumulation {
  NS_ACCUMULATION_STICK,
  NS_ACCUMULATION_STEP,
  NS_ACCUMULATION_STOP
} ns_accumulation;
/* Extent of the certificate of an event-driven run (simulation/events/event_certificate.h): motion,
 * laws and events; none; or only laws and events. */
typedef enum ns_certificate_extent {
  NS_CERTIFICATE_ON,
  NS_CERTIFICATE_OFF,
  NS_CERTIFICATE_LAWS
} ns_certificate_extent;
/* CHOSEN: by the motion, as it goes on (integrators/cvode.h). */
typedef enum ns_flow_method { NS_FLOW_ADAMS, NS_FLOW_BDF, NS_FLOW_CHOSEN } ns_flow_method;
typedef enum ns_dae_formulation { NS_DAE_GGL, NS_DAE_INDEX1 } ns_dae_formulation;
typedef enum ns_flow_linear { NS_FLOW_AUTO, NS_FLOW_DENSE, NS_FLOW_KLU } ns_flow_linear;

/* Event-driven schemes (simulation/events/event_driven.h). */
typedef struct ns_event_driven_options {
  double rtol, atol; /* smooth motion: local error <= rtol |x| + atol */
  ns_flow_method method;
  ns_dae_formulation formulation; /* of constraints (integrators/ida.h) */
  double stabilisation;           /* parameter a of the index-1 form, 1/s */
  ns_flow_linear linear;          /* solver of the linear systems of implicit methods */
  double max_step;                /* s; inf: none */
  double step;                    /* s; of methods with a fixed step; inf: the step of the grid */
  double rho_inf;                 /* generalised alpha: spectral radius at infinite frequency */
  int newmark;                    /* 1: Newmark's method with beta, gamma, instead of rho_inf */
  double beta, gamma;
  int newton_max; /* iterations of a fixed step */
  /* integrator of a plug-in (integrators/plugged_flow.h); NULL: none */
  const struct ns_plugged *plugged;
  double gap_tol, speed_tol; /* m, m/s: contacts within them count as closed and at rest */
  double rest_speed;         /* m/s; slower rebounds are replaced by lasting contact */
  /* 1: the user gave it. Others are for usual motions, and scaled for others (event_queue.h). */
  struct {
    unsigned char gap_tol, speed_tol, rest_speed, atol;
  } given;
  ns_accumulation accumulation;
  int sequential;     /* 1: simultaneous impacts one after the other instead of in one problem */
  double hybrid_step; /* step of time-stepping for accumulating impacts, s; 0: a tenth of h */
  int max_events;     /* max. number between two points of the grid */
  /* max. increment of multiple impacts, N s; 0: by error control; for fixed increments, from the
   * approach velocities */
  double impulse_step;
  int fixed_increments; /* 1: multiple impacts with equal increments, as published */
  int mono;             /* multiple impacts: mono-stiffness */
  ns_certificate_extent certificate;
} ns_event_driven_options;

typedef enum ns_storage { NS_STORAGE_AUTO, NS_STORAGE_DENSE, NS_STORAGE_SPARSE } ns_storage;
typedef struct ns_problem_options {
  /* name in the registry of solvers, default "auto"; "Library:function" for a plug-in */
  const char *solver;
  /* the solver of the plug-in (problems/plugged.h); NULL: none */
  const struct ns_plugged *plugged;
  double tol; /* accepted residual */
  /* accepted residual with more than NS_GRANULAR contacts with friction (problems/mechanical.h);
   * tol if the user gave tol */
  double granular_tol;
  int accept; /* 1: steps with a larger residual, up to `accepted`, are accepted and counted */
  double accepted;
  int max_iterations; /* 0: the solver's default */
  double omega;
  ns_storage storage;
  /* index in ns_contact_solvers (problems/mechanical.h), solver of one contact in a sweep */
  int contact;
  int threads; /* does not affect results */
} ns_problem_options;

/* An integrator of a model with several, with its options. */
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
  const char *problem;    /* "LCP"; NULL: determined by the laws of the model */
  ns_time_stepping_options ts;
  ns_moreau_jean_options mj;
  ns_euler_moreau_options em;
  ns_projection_options proj;
  ns_d1_variant d1;
  double d1_tol; /* gaps (m) and velocities (m/s) up to this value count as closed */
  /* Schatzman-Paoli: previous position q-(t0) by a formula of second or first order */
  ns_sp_start sp_start;
  ns_event_driven_options ed;
  int event_driven; /* 1: the strategy is event-driven; set by ns_model_finish */
  /* 1: the integrator uses the position before the last; set by ns_model_finish */
  int two_steps;
  ns_problem_options osnsp;
} ns_simulation_options;

/* Whether events of contacts between shapes are recorded; AUTO: only in small scenes. */
typedef enum ns_contact_events {
  NS_CONTACT_EVENTS_AUTO,
  NS_CONTACT_EVENTS_YES,
  NS_CONTACT_EVENTS_NO
} ns_contact_events;

typedef struct ns_output_options {
  int every;                 /* record every n-th step, and always the first and last */
  const char *const *record; /* patterns `id.quantity` with * and ?; NULL: everything */
  int nrecord;
  ns_place at;     /* of the first <record> */
  int compression; /* of rows in HDF5, 0 to 9 */
  int no_contacts; /* 1: contacts between shapes are not recorded */
  ns_contact_events contact_events;
} ns_output_options;

typedef struct ns_parameter {
  const char *name, *unit, *help; /* unit, help: NULL if none */
  double value;                   /* SI */
  int overridden;                 /* 1: set on the command line */
} ns_parameter;

/* An attribute given by <defaults>, and the elements that use it. */
enum { NS_DEFAULT_LINES = 5 };
typedef struct ns_default {
  const char *element, *class_name, *attribute, *value; /* class_name: NULL if none */
  int count;
  /* their lines; if there are more, the last entry is that of the last one */
  int line[NS_DEFAULT_LINES];
} ns_default;

/* A file read for the model, for /provenance. */
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
  struct ns_given *given; /* derivatives given in addition to their functions, given.h */
  ns_foreign *foreign;    /* variables of other systems, foreign.h; a linked list */
  /* in a first-order part: index among its states of each entry of q and v of the whole model; -1:
   * none [nq], [nv]; NULL: not a part */
  const int *state_of_q, *state_of_v;
  size_t nwhole_v; /* nv of the whole model */
  /* 1: several families of systems, or formulas that couple systems: uses
   * simulation/step/theta_stepping.h */
  int mixed;

  ns_contact_model contact; /* shapes of rigid bodies */

  /* in a part (part.h): offsets of its q, v and rows in those of the whole; otherwise 0 */
  size_t part_q, part_v, part_row;
  size_t nq, nv, nz, nrows; /* lengths of q, v, z, lambda; set by ns_model_finish */
  /* length of ns_state.angle: free coordinates of joints, then length and force of each force */
  size_t nangles;
  size_t nbonds;           /* doubles of memory of laws */
  size_t nmemory;          /* doubles of memory of controls */
  size_t nmeasured, nuser; /* doubles of memory of measures and of user events */
  /* offset in the memory of measures of the previous state; nmeasured: not stored */
  size_t measured_past;
  /* branches of formulas that jump; 0 except in a copy by frozen.h */
  size_t nbranches;
  const struct ns_frozen *frozen; /* data of that copy; NULL: not a copy */
  size_t npast;                   /* length of ns_state.past, law_values.h */
  /* in the copy of an event-driven run: contacts between shapes as interactions; NULL: none */
  struct ns_shape_gaps *gaps;
  /* in the copy of a run: updates the laws; NULL: their parameters are numbers */
  struct ns_law_values *values;

  ns_simulation_options sim;
  const char *schemes; /* names of all integrators, for display; NULL: one */
  int nintegrators;    /* 0 in models built in C: that of sim */
  ns_integrator_use *integrators;
  ns_output_options out;

  int uses_plugins;
} ns_model;

/* Defaults of the options, the same that the model language documents. */
ns_simulation_options ns_simulation_defaults(void);

/* Build a model: create, add, finish. Objects are copied shallowly; what they point to must be in
 * m->arena. _add functions return the new index, or < 0 (out of memory, reported in c). */
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
/* Lagrangian: 1 if it has friction, or a relay, which is friction with a given bound. */
int ns_interaction_has_friction(const ns_interaction *it);
/* Mechanics: 1 if its rows depend on time. */
int ns_interaction_is_driven(const ns_interaction *it);
/* Number of entries of ns_state.angle of joints, which come before those of forces. */
size_t ns_model_joint_angles(const ns_model *m);
/* Family of the systems of a model; mixed if there are several, or if formulas couple systems. */
typedef enum ns_family {
  NS_FAMILY_LAGRANGIAN,
  NS_FAMILY_FIRST_ORDER,
  NS_FAMILY_RIGID,
  NS_FAMILY_MIXED
} ns_family;
ns_family ns_model_family(const ns_model *m);
ns_family ns_system_family(const ns_system *s);
ns_family ns_relation_family(const ns_relation_kind *k);
/* Family of its relation; Lagrangian for a model built without kinds. */
ns_family ns_interaction_family(const ns_interaction *it);
int ns_model_is_first_order(const ns_model *m);
/* 1 if some system is of first order: velocities are then rates, which are no unknowns. */
int ns_model_has_rates(const ns_model *m);
/* 1 if some body or shape has a birth or a death; the first of these after t, s, +inf: none; 1 if
 * a shape, by its index, and its body exist at t. */
int ns_model_is_mortal(const ns_model *m);
double ns_model_next_life(const ns_model *m, double t);
int ns_model_shape_exists(const ns_model *m, int shape, double t);
/* All systems in the order of their quantities in q, v and z [nsystems]. */
void ns_model_order(const ns_model *m, int *systems);
/* The first rigid body; NULL: none. */
const ns_system *ns_model_body(const ns_model *m);
/* The integrator of a system; NULL if the model names none. */
const ns_integrator_use *ns_model_integrator(const ns_model *m, const ns_system *s);
/* Set offsets; check what needs the whole model or numbers: masses symmetric and positive
 * definite, finite initial values, gaps open at t0, options in range. Every fault is reported with
 * its place; returns the first code. */
int ns_model_finish(ns_model *m, ns_ctx *c);
/* Set only the offsets. */
void ns_model_place(ns_model *m);
void ns_model_destroy(ns_model *m); /* NULL-safe */

/* Sets held [nv] to 1 where a velocity is prescribed. */
void ns_model_mark_held(const ns_model *m, unsigned char *held);
int ns_model_count_held(const ns_model *m);
/* _targets: write the prescribed velocities at t to target [nv]; other entries are unchanged.
 * _targets_work: doubles of scratch. */
size_t ns_model_targets_work(const ns_model *m);
int ns_model_targets(const ns_model *m, ns_ctx *c, double t, double *work, double *target);
/* The same for their rates, the accelerations; of plug-ins by finite differences of fourth order
 * over fractions of the step of the grid. */
int ns_model_target_rates(const ns_model *m, ns_ctx *c, double t, double *work, double *rate);

/* Names of the components of its quantity "q", "v" or "p"; NULL if it has none. */
const char *const *ns_system_names(const ns_system *s, const char *quantity);
/* SI unit of coordinate k, or of the coordinate whose rate is entry k of the velocity: as written
 * by the user; for a body, that of its kind; otherwise the usual unit of a coordinate of this name;
 * NULL: unknown. */
const char *ns_system_unit(const ns_system *s, int k, int of_velocity);
/* Its coordinates at t0: q0, with a normalised quaternion for a body in space. */
void ns_system_start(const ns_system *s, double *q);
/* NS_BANK_Q, _V or _Z of a system: how many entries it has, and where they begin in the vector of
 * the model. */
int ns_system_entries(const ns_system *s, int bank);
size_t ns_system_place(const ns_system *s, int bank);
/* Where entry k of the bank of several systems [n], one after the other, is in that vector. */
size_t ns_model_entry(const ns_model *m, const int *systems, int n, int bank, int k);
/* Number of coordinates of a system. */
int ns_system_coordinates(const ns_system *s);
/* Name of coordinate k of a system: the given name or `q[k]`, which is written to buf. */
const char *ns_system_coordinate(const ns_system *s, int k, char *buf, size_t n);

#endif
