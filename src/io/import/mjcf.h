/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mjcf.h -- what the readers of a file of MuJoCo share; each fills its part of an ns_robot.
 *
 *   mjcf.c             the file as a whole: settings, sections in their order
 *   mjcf_attribute.c   attributes by class, poses
 *   mjcf_body.c        the tree: bodies, frames, inertias
 *   mjcf_joint.c       joints
 *   mjcf_geom.c        geoms;  mjcf_asset.c: their meshes and height fields
 *   mjcf_tendon.c      tendons and the sites that they go through
 *   mjcf_actuator.c    actuators
 *   mjcf_equality.c    equalities
 *   mjcf_contact.c     pairs and exclusions
 *   mjcf_keyframe.c    the state at the start
 *
 * class: index of the class whose defaults an element has, -1: of none. Functions that return int
 * give NS_OK or a negative code, reported, where nothing else is said. */
#ifndef NS_IO_IMPORT_MJCF_H
#define NS_IO_IMPORT_MJCF_H

#include "io/import/robot.h"

enum { NS_MJCF_CLASSES = 200 };

typedef struct ns_mjcf {
  ns_robot *r;
  const xmlNode *root;
  double angle; /* rad of a unit */
  char sequence[4];
  enum { INERTIA_AUTO, INERTIA_GEOMS, INERTIA_GIVEN } inertia;
  int autolimits, balance;
  double total, min_mass, min_inertia, groups[2];
  const char *meshdir;
  int no_contact, no_limit, no_friction, no_passive, no_equality, no_actuation;
  struct {
    const char *name;
    const xmlNode *node;
    int parent;
  } class[NS_MJCF_CLASSES];
  int nclasses;
  /* points of links that tendons go through */
  struct {
    const char *name;
    int link;
    double at[3];
  } * site;
  int nsites, tendons; /* tendons: the file has some; else sites are of no use */
} ns_mjcf;

/* ---- attributes (mjcf_attribute.c) ----------------------------------------------------------- */

/* <default> x and those in it become classes; parent: index of the class around, -1: none. */
void ns_mjcf_add_class(ns_mjcf *m, const xmlNode *x, int parent);
/* Index of the class that class= or another attribute names; `otherwise` without it, and where it
 * is unknown, which is reported. */
int ns_mjcf_class_of(ns_mjcf *m, const xmlNode *x, int around);
int ns_mjcf_class_named(ns_mjcf *m, const xmlNode *x, const char *attribute, int otherwise);
/* Text, of the arena; NULL: neither the element nor a class has it. */
const char *ns_mjcf_get(ns_mjcf *m, const xmlNode *x, int class, const char *name);
int ns_mjcf_is_word(const char *text, const char *word);
/* Up to `max` numbers: their count, -1: reported. */
int ns_mjcf_some(ns_mjcf *m, const xmlNode *x, int class, const char *name, int max, double *v);
/* n numbers, v left alone where absent; 1, 0, -1 as ns_robot_vector. */
int ns_mjcf_vector(ns_mjcf *m, const xmlNode *x, int class, const char *name, int n, double *v);
int ns_mjcf_integer(ns_mjcf *m, const xmlNode *x, int class, const char *name, int otherwise);
/* The first of up to three coefficients, the others told as lost: their count, -1: reported. */
int ns_mjcf_linear(ns_mjcf *m, const xmlNode *x, int class, const char *name, double *v);
/* 1: a range that is there acts, by `limited` and autolimits. */
int ns_mjcf_is_limited(ns_mjcf *m, const xmlNode *x, int class, const char *limited, int has_range);
int ns_mjcf_pose(ns_mjcf *m, const xmlNode *x, int class, ns_pose *p);

/* ---- parts of bodies; in: the frames between the link and x --------------------------------- */

int ns_mjcf_read_world(ns_mjcf *m, const xmlNode *x); /* an element of <worldbody> */
int ns_mjcf_add_joint(ns_mjcf *m, const xmlNode *x, int link, int around, const ns_pose *in);
/* Its mass is added to sum, in axes of the link. */
int ns_mjcf_add_geom(ns_mjcf *m, const xmlNode *x, int link, int around, const ns_pose *in,
                     ns_mass *sum);
int ns_mjcf_add_site(ns_mjcf *m, const xmlNode *x, int link, int around, const ns_pose *in);
/* Shape of the asset that a geom names. 1: it can be written; 0: it is left out, told; -1:
 * reported. */
int ns_mjcf_read_mesh(ns_mjcf *m, const xmlNode *geom, const char *name, ns_robot_shape *s);
int ns_mjcf_read_field(ns_mjcf *m, const xmlNode *geom, const char *name, ns_robot_shape *s);

/* ---- what acts between them ---------------------------------------------------------------- */

int ns_mjcf_add_tendon(ns_mjcf *m, const xmlNode *x);
/* In the pose that is drawn, wherever the motion starts. */
double ns_mjcf_tendon_length(const ns_robot *r, const ns_robot_tendon *t);
int ns_mjcf_add_actuator(ns_mjcf *m, const xmlNode *x);
int ns_mjcf_add_equality(ns_mjcf *m, const xmlNode *x);
/* Link of the body that an attribute names, NS_ROBOT_WORLD without it. */
int ns_mjcf_find_link(ns_mjcf *m, const xmlNode *x, int class, const char *attribute, int *link);
int ns_mjcf_add_contact(ns_mjcf *m, const xmlNode *x);
int ns_mjcf_is_paired(ns_mjcf *m, const char *name); /* 1: a <pair> of <contact> names this geom */
/* Tell that friction against turning, condim 4 and 6, is lost. */
void ns_mjcf_report_turning(ns_mjcf *m, const xmlNode *x, int condim);
/* The state of --keyframe. */
int ns_mjcf_start(ns_mjcf *m);

#endif
