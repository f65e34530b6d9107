/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_drives.h -- forces between bodies (model/systems/rigid_drive.h, rigid_force.h) as parts of
 * the forces on them: torques and forces of joints, springs, dampers, tendons.
 *
 * Armatures of joints (model/systems/rigid_armature.h), inertia that acts between two bodies, are
 * included.
 *
 * Their tangents couple bodies: the iteration matrix of a group of bodies connected by such forces
 * is one dense block. The groups do not depend on the state. */
#ifndef NS_INTEGRATORS_RIGID_DRIVES_H
#define NS_INTEGRATORS_RIGID_DRIVES_H

#include "algebra/blocks.h"
#include "model/state.h"
#include "model/systems/rigid_armature.h"
#include "model/systems/rigid_force.h"

/* One force: of a joint or between points of bodies. */
typedef struct ns_rigid_drive {
  const ns_interaction *joint; /* NULL: `force` is set */
  const ns_body_force *force;
  const int *body; /* body of each side; -1: the world [sides] */
  int end;         /* its sides are the ends end, end + 1, ... */
} ns_rigid_drive;

/* A formula of force number `drive` that reads other systems. */
typedef struct ns_drives_reader {
  int drive;
  ns_drive_reader by;
  /* Jacobian of the last ns_rigid_drives_by_others, by columns [width x variables of others] */
  double *J;
} ns_drives_reader;

typedef struct ns_rigid_drives {
  const ns_model *m;
  int n, nends;
  ns_rigid_drive *drive; /* [n] */
  ns_drive_state *at;    /* of the last evaluation [n] */
  ns_drive_chord *chord; /* of joints, [n] */
  double *begin;         /* magnitudes of the forces at the beginning of the step [n] */
  int narmatures;        /* joints whose free coordinates have inertia */
  /* of the last evaluation; n = 0 for forces without armature [n]; NULL: there are no armatures */
  ns_armature *armature;
  ns_armature *armature_begin; /* at the beginning of the step [n] */
  /* linked list of the ends at each body [nbodies], [nends]; -1: end of the list */
  int *first, *next;
  int *of;                         /* force of each end [nends] */
  int elastic;                     /* 1: some forces have a potential */
  int nreaders;                    /* number of formulas that read other systems */
  struct ns_drives_reader *reader; /* [nreaders] */
  /* groups of two or more bodies connected by forces; bodies whose velocities are all prescribed
   * are in no group */
  int ngroups;
  int *group;         /* group of each body; -1: none [nbodies] */
  int *member, *from; /* bodies of each group, ascending [nbodies], [ngroups + 1] */
  int *place;         /* index of each body in its group [nbodies] */
  double *work;
} ns_rigid_drives;

/* Create in memory of `mem`; *out is NULL if the model has no such forces. NS_NOMEM. */
int ns_rigid_drives_create(ns_ctx *c, const ns_model *m, ns_arena *mem, ns_rigid_drives **out);
/* From now on, formulas that read other systems find them in `all`, borrowed; o may be NULL. */
void ns_rigid_drives_read(ns_rigid_drives *o, const ns_others *all);
/* 1 if a force acts on the body; o may be NULL. */
static inline int ns_rigid_drives_on(const ns_rigid_drives *o, int body)
{
  return o && o->first[body] >= 0;
}
/* f [nv] += the forces at (t, q, v), with revolutions and user vectors of x; o may be NULL. */
int ns_rigid_drives_add(ns_rigid_drives *o, ns_ctx *c, const ns_state *x, double t, const double *q,
                        const double *v, double *f);
/* J of each reader, at the same point; o may be NULL. */
void ns_rigid_drives_by_others(ns_rigid_drives *o, const ns_state *x, double t, const double *q,
                               const double *v);
/* r [nv] += momentum that armatures absorb in a step, sum J g_theta^T (d'_now - d'_begin) with
 * g_theta = theta g_now + (1 - theta) g_begin. Using the rates at both ends makes it correct for
 * rows that rotate, and of second order at theta = 1/2. o may be NULL. */
void ns_rigid_drives_add_armature(const ns_rigid_drives *o, double theta, double *r);
/* F [nv] -= sum J bias g^T of the last evaluation, gyr [nv] += the same: the terms of armatures
 * that change velocities without doing work. o may be NULL. */
void ns_rigid_drives_bend_armature(const ns_rigid_drives *o, double *F, double *gyr);
/* Kinetic energy of armatures at the last evaluation, J; o may be NULL. */
double ns_rigid_drives_kinetic(const ns_rigid_drives *o);
/* Called at the beginning of a step in which velocities change coordinates by `lever` = h theta
 * (s); discards the data of earlier iterates. */
void ns_rigid_drives_forget(ns_rigid_drives *o, double lever);
/* Store the last evaluation as that of the beginning of a step. */
void ns_rigid_drives_begin(ns_rigid_drives *o);
/* Limit the geometric stiffness at an iterate: where the force is far larger than at the beginning
 * of the step and its stiffness affects W, the stiffness is scaled to the initial force. A stiff
 * spring stretched by an iterate would otherwise add a stiffness that no solution has. k: h^2
 * theta^2 (s^2); rest: M^-1 of each body. o may be NULL. */
void ns_rigid_drives_hold_back(ns_rigid_drives *o, double k, const double *rest);
/* f [nv] := the part of the last evaluation that has a potential; returns the potential, J. */
double ns_rigid_drives_known(const ns_rigid_drives *o, double *f);
/* K, C of a body, [6 x 6], in the plane [3 x 3], += derivatives of the last evaluation with respect
 * to its own motion; o may be NULL. */
void ns_rigid_drives_tangents(const ns_rigid_drives *o, int body, double *K, double *C);
/* W of a body, [6 x 6], in the plane [3 x 3], += mass of armatures for its own motion; o may be
 * NULL. */
void ns_rigid_drives_mass(const ns_rigid_drives *o, int body, double *W);
/* Magnitudes of the terms that add up to the force on a body in the last evaluation: sums over its
 * forces of their magnitudes, and of stiffness times extent, whose product with the precision is
 * the rounding error; momentum of armatures. Moments are divided by `radius` (ns_rigid_radius). o
 * may be NULL. */
typedef struct ns_drive_sizes {
  double force, rounding, momentum;
} ns_drive_sizes;
ns_drive_sizes ns_rigid_drives_sizes(const ns_rigid_drives *o, int body, double radius);
/* Largest entry of c C + k K, and of masses, between different bodies of a group, scaled by the
 * square roots of the diagonals of `rest`, M^-1 of each body by columns. */
double ns_rigid_drives_coupling(const ns_rigid_drives *o, int group, double c, double k,
                                const double *rest);
/* The matrix W of a group of bodies, with n velocities: dense [n x n] by columns, or sparse. */
typedef struct ns_group_matrix {
  int n;
  double *W; /* NULL: sparse */
  ns_blocks *sparse;
  const int *at; /* dense: first row of each body of the group in W; NULL: one after the other */
} ns_group_matrix;
/* Structure of W of a group, entry by entry: the blocks of its bodies and of pairs connected by a
 * force. NS_NOMEM. */
int ns_rigid_drives_structure(const ns_rigid_drives *o, ns_ctx *c, int group, ns_arena *mem,
                              ns_blocks *S);
/* Add s A, a block [dof x dof] by columns, to W at the rows and columns of two bodies of the
 * group. */
void ns_group_matrix_add(const ns_group_matrix *m, int dof, int row, int col, double s,
                         const double *A, int ld);
/* W += c C + k K of the last evaluation and masses of armatures, between different bodies of a
 * group. turn: factor of the geometric stiffness, also in the diagonal blocks, which contain it
 * with the factor k before. With turn = 0, W is symmetric and positive definite for springs and
 * dampers. */
void ns_rigid_drives_couple(const ns_rigid_drives *o, int group, double c, double k, double turn,
                            const ns_group_matrix *W);

#endif
