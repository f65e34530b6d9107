/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_motion_parts.h -- private to rigid_motion*.c.
 *
 *   rigid_motion.c         creation, the iterate and its residual, the accepted step and its energy
 *   rigid_motion_matrix.c  iteration matrix of one body, its inverse, the free velocity
 *   rigid_motion_groups.c  the same for groups of bodies that forces join */
#ifndef NS_INTEGRATORS_RIGID_MOTION_PARTS_H
#define NS_INTEGRATORS_RIGID_MOTION_PARTS_H

#include "integrators/rigid_motion.h"

enum { NS_RIGID_MAX = 6 }; /* velocities of a body */

/* How W of a body is made. */
typedef enum ns_rigid_w {
  NS_W_REST, /* M */
  NS_W_SPIN, /* M and the derivative of g */
  NS_W_ALL,  /* with K and C, or prescribed velocities */
  NS_W_AWAY  /* its inverse is zero: the body is not there */
} ns_rigid_w;

struct ns_rigid_part {
  const ns_system *s;
  unsigned char gyroscopic;       /* ns_gyroscopic; NONE where g vanishes */
  unsigned char kind, when_there; /* ns_rigid_w */
  unsigned char steady;           /* F is constant */
  unsigned char nheld;
  double m, *I;  /* I [9], in the plane [1] */
  double radius; /* of gyration k, m */
  double unit;   /* min(1, m k, 1/k) */
};

/* Numbers of I. */
static inline size_t ns_rigid_inertia_size(const ns_rigid_motion *o) { return o->dof == 6 ? 9 : 1; }

/* Where the velocities and the coordinates of a body begin. Its number tells: a system is large,
 * and in scenes of many bodies each look at one is a miss of the cache. */
static inline size_t ns_rigid_velocities_at(const ns_rigid_motion *o, const ns_rigid_part *p)
{
  return (size_t)(p - o->part) * (size_t)o->dof;
}
static inline size_t ns_rigid_coordinates_at(const ns_rigid_motion *o, const ns_rigid_part *p)
{
  return (size_t)(p - o->part) * (o->dof == 6 ? 7 : 3);
}

/* Index of velocity i of a list of bodies. */
static inline size_t ns_rigid_velocity_of(const ns_rigid_motion *o, const int *body, int i)
{
  return (size_t)body[i / o->dof] * (size_t)o->dof + (size_t)(i % o->dof);
}

/* Newton's equations of its spin are not linear. */
static inline int ns_rigid_spins(const ns_rigid_part *p)
{
  return p->gyroscopic == NS_GYROSCOPIC_IMPLICIT || p->gyroscopic == NS_GYROSCOPIC_MIDPOINT;
}

/* The point of a body, and behind it the vectors of the whole model. */
static inline ns_point ns_rigid_point_of(const ns_rigid_motion *o, const ns_system *s, double t,
                                         const double *q, const double *v)
{
  double *z = o->x->z;
  ns_others all = {q - o->m->part_q, v - o->m->part_v, z, o->x->angle};
  return ns_system_point_among(s, t, q, v, z, all);
}

/* ---- rigid_motion_matrix.c ------------------------------------------------------------------- */
/* M^-1 of a body, by columns; R [dof x dof] is zero before. */
void ns_rigid_motion_inertia(const ns_rigid_motion *o, const ns_rigid_part *p, double *R);
/* NS_NUMERIC, with a message: the iteration matrix of s is singular. */
int ns_rigid_motion_singular(const ns_rigid_motion *o, ns_ctx *c, const ns_system *s);
/* Prescribed velocities of bodies, whose W has the residual r: rows and columns of the identity,
 * their part of r goes to the others. */
void ns_rigid_motion_hold(const ns_rigid_motion *o, const int *body, const ns_group_matrix *W,
                          double *r);

/* ---- rigid_motion_groups.c ------------------------------------------------------------------- */
/* Memory of groups: W^-1 of each, scratch of the largest. */
int ns_rigid_motion_groups_create(ns_rigid_motion *o, ns_ctx *c);
void ns_rigid_motion_groups_fini(ns_rigid_motion *o);

#endif
