/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_rigid.h -- what rigid bodies have beside operators: orientation, mass, inertia, axes of
 * their forces; and joints. */
#ifndef NS_IO_LOAD_LOAD_RIGID_H
#define NS_IO_LOAD_LOAD_RIGID_H

#include "io/load/values.h"

typedef struct ns_rigid_made ns_rigid_made;

/* Once for an element: sizes, names and flags go to proto, the shape of <q0> to q0. *out lies in
 * l->scratch. NS_MODEL, reported. */
int ns_rigid_make(ns_load *l, const ns_elem *e, const ns_indices *index, ns_system *proto,
                  ns_wanted *q0, ns_rigid_made **out);
/* For each instance, whose s->q0 holds <q0> as it is written: orientation, mass (0: left to its
 * shapes) and inertia. */
int ns_rigid_get(ns_load *l, const ns_elem *e, ns_rigid_made *m, const ns_indices *index,
                 const char *id, ns_system *s);

/* A vector of space in an attribute of e, and an orientation: a quaternion, an axis beside an
 * angle, Euler angles. */
typedef struct ns_vector3 {
  ns_scalar *s; /* NULL: not written */
  int n;
  int cols; /* of a matrix, 0 of a row or a column of numbers */
} ns_vector3;
/* n entries are expected; 0: any number. NS_MODEL, reported. */
int ns_vector3_make(ns_load *l, const ns_elem *e, const char *name, int n, const ns_indices *index,
                    ns_vector3 *v);
/* Several vectors one after the other, or each in a row of a matrix. */
int ns_vectors_make(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index,
                    ns_vector3 *v);
/* x [v->n]; NS_MODEL, reported, where one is not finite and the attribute has no range. */
int ns_vector3_get(ns_load *l, const ns_elem *e, const char *name, const ns_vector3 *v,
                   const ns_indices *index, const char *id, double *x);

/* Free coordinates of joints as elements name them; as the choices of the language. */
typedef enum ns_joint_word {
  NS_JOINT_AUTO,
  NS_JOINT_ANGLE,
  NS_JOINT_SLIDE,
  NS_JOINT_TWIST,
  NS_JOINT_SWING,
  NS_JOINT_ALL
} ns_joint_word;
/* Attribute coordinates: n words of the first three, left alone where it is not written. NS_MODEL,
 * reported. */
int ns_load_joint_words(ns_load *l, const ns_elem *e, int n, ns_joint_word *to);
/* The interaction that joint k of the references is, which stands in the model. NS_MODEL, reported.
 */
int ns_load_joint_find(ns_load *l, const ns_elem *e, const ns_refs *joints, int k,
                       const ns_indices *index, const char *id, const ns_interaction **out);
/* Which coordinate of it the word is, as in ns_joint_axis; -1: reported. */
int ns_load_joint_coordinate(ns_load *l, const ns_elem *e, const char *id, const ns_interaction *of,
                             ns_joint_word wanted);
/* The force between bodies of an attribute tendon=, which stands in the model; NULL: reported
 * (load_forces.c). */
const ns_body_force *ns_load_tendon_find(ns_load *l, const ns_elem *e, const ns_refs *tendon,
                                         const ns_indices *index, const char *id);

/* What acts along the free coordinates of a joint; of l->scratch, zeroed at first. */
typedef struct ns_drive_made ns_drive_made;
/* Of one instance, whose joint and systems are known: it->drive; NULL where e has no formula. *m is
 * made where it is NULL or does not fit the instance. NS_MODEL, reported. */
int ns_drive_get(ns_load *l, const ns_elem *e, ns_drive_made **m, const ns_indices *index,
                 const char *id, ns_interaction *it);

/* A <motor> and the words that say what it takes and what bounds it; of l->scratch. */
typedef struct ns_motor_made ns_motor_made;
int ns_motor_make(ns_load *l, const ns_elem *part, const ns_indices *index, ns_motor_made **out);
/* Its numbers in one instance. NS_MODEL, reported; so the others. */
int ns_motor_check(ns_load *l, const ns_elem *part, const ns_indices *index,
                   const ns_motor_made *m);
/* *f += gear T of a motor that drives coordinate x, whose rate is v; s: names in its formula. */
int ns_motor_add(ns_load *l, const ns_elem *part, ns_load_scope *s, ns_graph *g,
                 const ns_motor_made *m, ns_node x, ns_node v, ns_node *f);

typedef struct ns_turn {
  ns_vector3 quaternion, axis; /* of attributes turn=, axis= */
  ns_vector3 euler;            /* of euler= or rpy= */
  const char *euler_name;      /* which of them */
  char sequence[4];            /* of axes, x to z or X to Z */
  ns_scalar angle;
  int has_angle;
} ns_turn;
/* turn=, axis= and angle=, euler= and sequence=, or rpy=: one of these ways. */
int ns_turn_make(ns_load *l, const ns_elem *e, const ns_indices *index, ns_turn *t);
int ns_turn_given(const ns_turn *t);
/* 1 where it is another one for other indices. */
int ns_turn_varies(const ns_turn *t);
/* p [4], of norm 1; the identity where none is written. */
int ns_turn_get(ns_load *l, const ns_elem *e, const ns_turn *t, const ns_indices *index,
                const char *id, double *p);
/* Angles about three axes to a unit quaternion p [4]; small letters: axes turned by the angles
 * before, p = p1 p2 p3; capitals: as they were, p = p3 p2 p1 (Diebel 2006, sec. 5). */
void ns_turn_euler(const char *sequence, const double *angle, double *p);
/* Norm 1 to within rounding of a few digits, which is mended; else reported. */
int ns_turn_check(ns_load *l, const ns_elem *e, const char *id, double *p);

/* Names of the coordinates of a body. */
const char *const *ns_load_rigid_names(const ns_system *s);

/* birth= and death= of a body or a shape; id: of the instance, NULL: none. */
int ns_load_life(ns_load *l, const ns_elem *e, const ns_indices *index, const char *id,
                 const ns_life **life);

#endif
