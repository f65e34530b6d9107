/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_drives.h -- forces between bodies (model/systems/rigid_drive.h, rigid_force.h) as parts of
 * the forces on them: torques and forces of joints, springs, dampers, tendons.
 *
 * Armatures of joints, which are inertia between two bodies, are also included.
 *
 * Their tangents couple bodies: the iteration matrix of a group of bodies connected by such forces
 * is one dense block. The groups do not depend on the state. */
#ifndef NS_INTEGRATORS_RIGID_DRIVES_H
#define NS_INTEGRATORS_RIGID_DRIVES_H

#include "algebra/blocks.h"
#include "model/state.h"
#include "model/systems/rigid_armature.h"
#include "model/systems/rigid_force.h"

/* One of them: of a joint or between points. */
typedef struct ns_rigid_drive {
  const ns_interaction *joint; /* NULL: force */
  const ns_body_force *force;
  const int *body; /* of each side, -1: the world [sides] */
  int end;         /* its sides are ends end, end + 1, ... */
} ns_rigid_drive;

/* A formula of drive `drive` that reads other systems. */
typedef struct ns_drives_reader {
  int drive;
  ns_drive_reader by;
  double *J; /* of the last _by_others, by columns [width x by.op->foreign->n] */
} ns_drives_reader;

typedef struct ns_rigid_drives {
  const ns_model *m;
  int n, nends;
  ns_rigid_drive *drive; /* [n] */
  ns_drive_state *at;    /* of the last evaluation [n] */
  ns_drive_chord *chord; /* of joints, [n] */
  double *begin;         /* sizes of forces at the begin of the step [n] */
  int narmatures;        /* joints whose free coordinates have inertia */
  /* of the last evaluation, n = 0 where a drive has none [n]; NULL: none has */
  ns_armature *armature;
  ns_armature *armature_begin;     /* at the begin of the step [n] */
  int *first, *next;               /* ends at each body [nbodies], [nends]; -1: no more */
  int *of;                         /* whose an end is [nends] */
  int elastic;                     /* some has a potential */
  int nreaders;                    /* formulas of them that read other systems */
  struct ns_drives_reader *reader; /* [nreaders] */
  /* of two bodies and more that some join; bodies whose velocities are all prescribed are in none
   */
  int ngroups;
  int *group;         /* of each body, -1: it is alone [nbodies] */
  int *member, *from; /* bodies of each group, ascending [nbodies], [ngroups + 1] */
  int *place;         /* of each body in its group [nbodies] */
  double *work;
} ns_rigid_drives;

/* In memory of `mem`; NULL where there is none. NS_NOMEM. */
int ns_rigid_drives_create(ns_ctx *c, const ns_model *m, ns_arena *mem, ns_rigid_drives **out);
/* From now on formulas that read other systems find them in `all`, borrowed; o may be NULL. */
void ns_rigid_drives_read(ns_rigid_drives *o, const ns_others *all);
/* 1 where one acts on the body; o may be NULL. */
static inline int ns_rigid_drives_on(const ns_rigid_drives *o, int body)
{
  return o && o->first[body] >= 0;
}
/* f [nv] += what they do at (t, q, v), turns and user vectors by x; o may be NULL. */
int ns_rigid_drives_add(ns_rigid_drives *o, ns_ctx *c, const ns_state *x, double t, const double *q,
                        const double *v, double *f);
/* J of each reader, at the same point; o may be NULL. */
void ns_rigid_drives_by_others(ns_rigid_drives *o, const ns_state *x, double t, const double *q,
                               const double *v);
/* r [nv] += what armatures take of the impulse of a step, sum J g_theta^T (d'_now - d'_begin),
 * g_theta = theta g_now + (1 - theta) g_begin: with rates at both ends it is right for rows that
 * turn, and of second order at theta = 1/2. o may be NULL. */
void ns_rigid_drives_add_armature(const ns_rigid_drives *o, double theta, double *r);
/* F [nv] -= sum J bias g^T of the last evaluation, gyr [nv] += the same: what changes rates without
 * work. o may be NULL. */
void ns_rigid_drives_bend_armature(const ns_rigid_drives *o, double *F, double *gyr);
/* Kinetic energy of armatures at the last evaluation, J; o may be NULL. */
double ns_rigid_drives_kinetic(const ns_rigid_drives *o);
/* A step begins whose rates move coordinates by `lever`, h theta: no iterate is known. */
void ns_rigid_drives_forget(ns_rigid_drives *o, double lever);
/* The last evaluation is that of the begin of a step. */
void ns_rigid_drives_begin(ns_rigid_drives *o);
/* Geometric stiffness of the last evaluation, of an iterate, becomes that of the forces at the
 * begin of the step where they are far larger and it matters: a stiff spring that an iterate has
 * stretched turns lines by forces that no solution has. k: h^2 theta^2; rest: M^-1 of each body. o
 * may be NULL. */
void ns_rigid_drives_hold_back(ns_rigid_drives *o, double k, const double *rest);
/* f [nv] := the part of the last evaluation that has a potential; returns that, J. */
double ns_rigid_drives_known(const ns_rigid_drives *o, double *f);
/* K, C [6 x 6], in the plane [3 x 3], of a body += tangents of the last evaluation by its own
 * motion; o may be NULL. */
void ns_rigid_drives_tangents(const ns_rigid_drives *o, int body, double *K, double *C);
/* W [6 x 6], in the plane [3 x 3], += mass of armatures by its own motion; o may be NULL. */
void ns_rigid_drives_mass(const ns_rigid_drives *o, int body, double *W);
/* What the forces on a body are sums of, by the last evaluation: sum of their sizes, and of what
 * rounding of positions makes of them by the precision; momentum: of armatures; o may be NULL. */
typedef struct ns_drive_sizes {
  double force, rounding, momentum;
} ns_drive_sizes;
ns_drive_sizes ns_rigid_drives_sizes(const ns_rigid_drives *o, int body);
/* Largest entry of c C + k K, and of masses, between different bodies of a group, by the roots of
 * those of `rest`, M^-1 of each body by columns. */
double ns_rigid_drives_coupling(const ns_rigid_drives *o, int group, double c, double k,
                                const double *rest);
/* The matrix of a group: [n x n] by columns, n of all its bodies, or the entries of a sparse one.
 */
typedef struct ns_group_matrix {
  int n;
  double *W; /* NULL: sparse */
  ns_blocks *sparse;
  const int *at; /* dense: where each body of the group stands in W; NULL: one after the other */
} ns_group_matrix;
/* Structure of W of a group: the blocks of its bodies and of those that a force joins, entry by
 * entry. NS_NOMEM. */
int ns_rigid_drives_structure(const ns_rigid_drives *o, ns_ctx *c, int group, ns_arena *mem,
                              ns_blocks *S);
/* Block [dof x dof] by columns of the bodies at two places of the group, times s, joins W. */
void ns_group_matrix_add(const ns_group_matrix *m, int dof, int row, int col, double s,
                         const double *A, int ld);
/* W += c C + k K of the last evaluation and masses of armatures, between different bodies of a
 * group. turn: with the geometric stiffness, of each body too; without it W is symmetric and
 * positive definite, of springs and dampers. */
void ns_rigid_drives_couple(const ns_rigid_drives *o, int group, double c, double k, double turn,
                            const ns_group_matrix *W);

#endif
