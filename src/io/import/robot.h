/* SPDX-License-Identifier: GPL-3.0-or-later */
/* robot.h -- trees of links and joints, between the formats that robots come in and the model that
 * is written.
 *
 *   urdf.c, mjcf*.c    a file to an ns_robot
 *   robot_xml.c        elements, attributes and numbers of these files; what nobody has read is
 *                      told
 *   robot_place.c      links to bodies: where they are at the start, what moves with whom, mass and
 *                      inertia
 *   robot_contact.c    which shapes meet: layers and materials
 *   robot_write.c      the model
 *
 * A link without a joint moves with its parent: the two are one body. A link with several joints
 * has a body for each of them; those between carry a ten-thousandth of its mass, for joints in
 * nssim act between bodies that have one. A joint with the world is written with its axis turned
 * around: the coordinate of nssim is that of the world as the body sees it, and so has the sign of
 * the file. */
#ifndef NS_IO_IMPORT_ROBOT_H
#define NS_IO_IMPORT_ROBOT_H

#include "algebra/rotation.h"
#include "base/arena.h"
#include "collision/shape.h"
#include "io/import/import.h"
#include "io/import/import_text.h"
#include "io/load/load_files.h"
#include "io/load/load_messages.h"

#include <libxml/tree.h>
#include <stdio.h>

enum { NS_ROBOT_WORLD = -1, NS_ROBOT_INCLUDES = 200 };

/* x = at + R(turn) X */
typedef struct ns_pose {
  double at[3], turn[4];
} ns_pose;

/* Mass (kg), centre (m) and inertia (kg m^2) about it, in axes that the place of use names. */
typedef struct ns_mass {
  double mass, centre[3], inertia[9];
} ns_mass;

typedef enum ns_robot_joint_kind {
  NS_ROBOT_HINGE,
  NS_ROBOT_SLIDE,
  NS_ROBOT_BALL,
  NS_ROBOT_FREE
} ns_robot_joint_kind;

typedef struct ns_robot_joint {
  const xmlNode *node;
  const char *name, *id; /* id: unique in the model; NULL until it is placed */
  ns_robot_joint_kind kind;
  int link;                  /* that it moves */
  double anchor[3], axis[3]; /* in axes of the link as drawn; axis of length 1 */
  int limited;
  double lower, upper; /* of its coordinate q, which is ref in the pose as drawn */
  /* force -damping q' - stiffness (q - spring) */
  double damping, stiffness, spring, ref, armature, friction;
  double force_lower, force_upper; /* of the sum of its actuators; infinite where none */
  double q, rate;                  /* at the start; of hinges and slides */
  /* at the start, of a ball: quaternion and angular velocity in axes of the link */
  double turn[4], spin[3];
  /* when it is placed: its bodies, anchor and axis in the world */
  int first, second;
  double point[3], direction[3];
} ns_robot_joint;

typedef struct ns_robot_link {
  const xmlNode *node;
  const char *name, *id; /* id: of its body, where it has a joint */
  int parent;            /* NS_ROBOT_WORLD */
  ns_pose pose;          /* in the parent, as drawn */
  ns_mass mass;          /* in axes of the link */
  int njoints, free;     /* free: has a free joint */
  int placed;            /* of a link with a free joint: by start, not by its parent */
  ns_pose start;         /* of that: in the world */
  double velocity[6];    /* of that: of its origin in the world, angular in its axes */
  /* when it is placed */
  ns_pose at; /* in the world, at the start */
  /* velocity of what is at the origin of the world, angular velocity, both in the world */
  double twist[6];
  int body; /* that it is part of; NS_ROBOT_WORLD */
} ns_robot_link;

typedef struct ns_robot_body {
  const char *id;
  int link;                           /* whose axes it has, and whose joints move it */
  int between;                        /* it stands between two joints of the link */
  double at[3], turn[4], velocity[6]; /* centre in the world, axes; as <q0> and <v0> */
  double mass, inertia[9];            /* in its axes */
  int parent;
  char *inputs; /* names; malloced, NULL: none */
} ns_robot_body;

typedef enum ns_robot_shape_kind {
  NS_ROBOT_SPHERE,
  NS_ROBOT_BOX,
  NS_ROBOT_CYLINDER,
  NS_ROBOT_CAPSULE,
  NS_ROBOT_ELLIPSOID,
  NS_ROBOT_PLANE,
  NS_ROBOT_MESH,
  NS_ROBOT_FIELD
} ns_robot_shape_kind;

typedef struct ns_robot_shape {
  const xmlNode *node;
  const char *name;
  ns_robot_shape_kind kind;
  int link;
  double size[3];   /* radius and half length; half edges; half axes */
  ns_pose pose;     /* in the link */
  const char *file; /* of a mesh, as the model is to name it; NULL: points */
  double scale;
  int npoints;
  /* [3 npoints] of a mesh, scaled; of a field heights by rows along x from the lowest y up, npoints
   * in each */
  const double *points;
  int rows; /* of a field, whose places are size[0] apart along x, size[1] along y */
  unsigned contype, conaffinity;
  int condim, priority;
  double friction, rolling; /* rolling: a length */
  int paired;               /* it has contacts of its own with some shape: a material of its own */
  int layer, material;      /* by ns_robot_meet */
} ns_robot_shape;

/* Two shapes that meet whatever their bits are, under a law of their own. */
typedef struct ns_robot_pair {
  int first, second, condim;
  double friction, rolling;
} ns_robot_pair;

typedef struct ns_robot_material {
  double friction, rolling;
  int condim, priority;
  int shape; /* the one shape that has it; -1: any */
} ns_robot_material;

/* A force gain u + bias[0] + bias[1] length + bias[2] length', times gear on its joint or tendon,
 * whose coordinate times gear is the length. With an activation a takes the place of u, between its
 * bounds: a' = (u - a)/lag, or a' = u. */
typedef struct ns_robot_actuator {
  const xmlNode *node;
  const char *name, *input; /* input: of u, unique */
  int joint, tendon;        /* one of them, the other -1 */
  double gear, gain, bias[3];
  double low, high; /* of u, infinite where none */
  enum { NS_ROBOT_DIRECT, NS_ROBOT_FILTER, NS_ROBOT_INTEGRATOR } activation;
  const char *state; /* of an activation: the id of its system */
  double lag, act, act_low, act_high;
  double force_low, force_high; /* of the force before gear */
} ns_robot_actuator;

/* connect: anchor in link 1; weld; couple: q1 = a + b q2 of joints 1 and 2. */
typedef struct ns_robot_equality {
  const xmlNode *node;
  enum { NS_ROBOT_CONNECT, NS_ROBOT_WELD, NS_ROBOT_COUPLE } kind;
  int first, second; /* links, or joints */
  double anchor[3], a, b;
} ns_robot_equality;

/* Along a length L: the sum of by times coordinate of hinges and slides, as in the file; or of the
 * line through points of links, by strands from each to the next. Its force is -stiffness
 * (L - rest) - damping L', without a spring between the two of rest. */
enum { NS_ROBOT_MEMBERS = 16 };
typedef struct ns_robot_tendon {
  const xmlNode *node;
  const char *name;
  int n, points;                /* n joints, or points */
  int member[NS_ROBOT_MEMBERS]; /* joint, or link of the point */
  double by[NS_ROBOT_MEMBERS];
  double point[NS_ROBOT_MEMBERS][3]; /* in axes of its link */
  double stiffness, damping, rest[2];
  int limited;
  double lower, upper, friction;
  int kept; /* its length is constant: */
  double length;
  int coupled; /* another one has its joints, too */
  int body;    /* that has inputs of its actuators */
} ns_robot_tendon;

typedef struct ns_robot {
  ns_messages msg; /* give &msg.c to what may fail */
  const ns_import_source *source;
  const ns_import_options *opt;
  const char *what; /* "URDF", "MJCF" */
  ns_arena *a;
  ns_files files;
  xmlDoc **doc; /* the file and what it includes [ndocs] */
  int ndocs, nincluded;
  /* elements of other files */
  struct {
    const xmlNode *node;
    const char *shown;
  } included[NS_ROBOT_INCLUDES];
  const char *name; /* of the robot */
  double gravity[3], timestep;
  ns_robot_link *link;
  ns_robot_joint *joint;
  ns_robot_shape *shape;
  ns_robot_actuator *actuator;
  ns_robot_equality *equality;
  ns_robot_pair *pair;
  ns_robot_tendon *tendon;
  int (*exclude)[2]; /* links whose shapes do not meet */
  ns_robot_body *body;
  int nlinks, njoints, nshapes, nactuators, nequalities, nexcludes, npairs, ntendons;
  int nbodies;
  int meets;  /* shapes meet each other: contacts are written */
  int inside; /* links of one robot meet unless they are joined; 0: they never do */
  int nlayers, nmaterials;
  unsigned *with; /* layers that a layer meets [nlayers] */
  ns_robot_material material[64];
  ns_import_text text;
} ns_robot;

/* ---- elements (robot_xml.c) ------------------------------------------------------------------ */

/* Report a fault at x (NULL: of the file); NS_MODEL. */
int ns_robot_fail(ns_robot *r, const xmlNode *x, const char *fmt, ...) NS_PRINTF(3, 4);
/* What was changed or left out: a comment of the model and a warning; the same text at several
 * lines is one. */
void ns_robot_lost(ns_robot *r, const xmlNode *x, const char *fmt, ...) NS_PRINTF(3, 4);
/* The same of an element as a whole: what is in it needs no telling. */
void ns_robot_left_out(ns_robot *r, const xmlNode *x, const char *fmt, ...) NS_PRINTF(3, 4);
int ns_robot_nomem(ns_robot *r);
/* The source as a document; and what <include file=""> below root names put in its place, at any
 * depth. NS_MODEL, reported. */
int ns_robot_parse(ns_robot *r, const char *root, const xmlNode **x);
int ns_robot_include(ns_robot *r, const xmlNode *root);
const char *ns_robot_element(const xmlNode *x);
/* Child elements, those that are looked at noted as known. */
const xmlNode *ns_robot_first(const xmlNode *x);
const xmlNode *ns_robot_next(const xmlNode *x);
const xmlNode *ns_robot_child(const xmlNode *x, const char *name);
int ns_robot_is(const xmlNode *x, const char *name); /* and it is known then */
/* Text of an attribute, of the arena; NULL: absent. It is known then. */
const char *ns_robot_attribute(ns_robot *r, const xmlNode *x, const char *name);
/* Numbers of a text of attribute `name`: their count, at most `max`; -1: reported. */
int ns_robot_numbers(ns_robot *r, const xmlNode *x, const char *name, const char *text, int max,
                     double *v);
/* n numbers of an attribute, v left alone where it is absent; 1: was there, 0: absent, -1:
 * reported. */
int ns_robot_vector(ns_robot *r, const xmlNode *x, const char *name, int n, double *v);
/* Tell elements and attributes that nobody has looked at, but for those in lists by blanks. */
void ns_robot_unread(ns_robot *r, const xmlNode *root, const char *drawing, const char *harmless);
/* 1: `word` is in a list by blanks. */
int ns_robot_has(const char *list, const char *word);

/* How the model is to name the file of a mesh; *file NULL: it is not there or of no known kind,
 * told. */
int ns_robot_mesh_file(ns_robot *r, const xmlNode *x, const char *name, const char **file);

/* ---- the tree (robot_place.c) ---------------------------------------------------------------- */

/* A new one, zero but for poses; its index, -1: out of memory, reported. */
int ns_robot_add_link(ns_robot *r, const xmlNode *x, const char *name, int parent);
int ns_robot_add_joint(ns_robot *r, const xmlNode *x, const char *name, ns_robot_joint_kind kind,
                       int link);
int ns_robot_add_shape(ns_robot *r, const xmlNode *x, const char *name, ns_robot_shape_kind kind,
                       int link);
int ns_robot_add_actuator(ns_robot *r, const xmlNode *x, const char *name, int joint);
int ns_robot_add_equality(ns_robot *r, const xmlNode *x);
int ns_robot_add_exclude(ns_robot *r, int link1, int link2);
int ns_robot_add_pair(ns_robot *r, int shape1, int shape2);
int ns_robot_add_tendon(ns_robot *r, const ns_robot_tendon *t);
int ns_robot_find_link(const ns_robot *r, const char *name); /* -1: none */
int ns_robot_find_joint(const ns_robot *r, const char *name);
int ns_robot_find_tendon(const ns_robot *r, const char *name);

/* Axes whose x is v[0..3) and whose y lies in its half plane with v[3..6), to p. NS_MODEL,
 * reported, where they are none. */
int ns_robot_axes(ns_robot *r, const xmlNode *x, const double *v, double *p);
/* c = a b */
void ns_pose_mul(const ns_pose *a, const ns_pose *b, ns_pose *c);
extern const ns_pose ns_pose_identity;
/* b moved by `by` and added to a. */
void ns_mass_add(ns_mass *a, const ns_mass *b, const ns_pose *by);
/* Of a shape, filled with density. 0: it has none. */
int ns_robot_solid(ns_robot *r, const ns_robot_shape *s, double *volume, ns_mass *unit);
/* Unique id of `name`, with `kind` ("joint") behind it where that is taken; arena. NULL: out of
 * memory, reported. */
const char *ns_robot_id(ns_robot *r, const char *name, const char *kind);
/* Links become bodies, joints act between them. NS_MODEL, reported. */
int ns_robot_place(ns_robot *r);
/* Layers and materials of shapes. NS_MODEL, reported. */
int ns_robot_meet(ns_robot *r);
/* What all importers of robots do: read fills r. */
int ns_robot_convert(ns_ctx *c, const ns_import_source *s, const ns_import_options *opt,
                     const char *what, const char *root, int (*read)(ns_robot *r, const xmlNode *x),
                     char **out);
/* The text begins with this element, after declaration, comments. */
int ns_robot_begins(const ns_import_source *s, const char *root);

#endif
