/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mjcf.c -- models of MuJoCo (mujoco.readthedocs.io, "XML reference" and "Modeling"): a tree of
 * bodies.
 *
 * Joints, geoms and the inertia of a body are in its frame. An attribute is the element's own, else
 * that of its class in <default>, else of the classes around that one. Angles are in degrees unless
 * <compiler angle="radian">; a joint has the coordinate ref in the pose that is drawn, where the
 * model starts. What holds shapes and limits apart is soft there and rigid here: solref, solimp and
 * margins are lost, and told with all else that nobody reads. */
#include "io/import/robot.h"

#include "io/load/load_rigid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSES = 200 };

typedef struct mjcf {
  ns_robot *r;
  const xmlNode *root;
  double angle; /* rad of a unit */
  char sequence[4];
  enum { INERTIA_AUTO, INERTIA_GEOMS, INERTIA_GIVEN } inertia;
  int autolimits, balance;
  double total, least_mass, least_inertia, groups[2];
  const char *meshdir;
  int no_contact, no_limit, no_friction, no_passive, no_equality, no_actuation;
  struct {
    const char *name;
    const xmlNode *node;
    int parent;
  } class[CLASSES];
  int nclasses;
  /* points of links that tendons go through */
  struct {
    const char *name;
    int link;
    double at[3];
  } * site;
  int nsites, tendons; /* tendons: the file has some; else sites are of no use */
} mjcf;

/* ---- attributes by class --------------------------------------------------------------------- */

/* motor, position, ... share the defaults of each other. */
static int is_actuator(const char *element)
{
  return ns_robot_has("general motor position velocity intvelocity damper cylinder muscle adhesion",
                      element);
}

static const char *of_class(mjcf *m, const xmlNode *x, int class, const char *name)
{
  const char *element = ns_robot_element(x);
  for (int c = class; c >= 0; c = m->class[c].parent)
    for (const xmlNode *k = ns_robot_first(m->class[c].node); k; k = ns_robot_next(k)) {
      const char *of = ns_robot_element(k);
      int same = !strcmp(of, element) || (is_actuator(element) && is_actuator(of)) ||
                 (!strcmp(of, "tendon") && ns_robot_has("spatial fixed", element));
      const char *text = same && ns_robot_is(k, ns_robot_element(k))
                             ? ns_robot_attribute(m->r, k, name)
                             : NULL;
      if (text) return text;
    }
  return NULL;
}

static const char *get(mjcf *m, const xmlNode *x, int class, const char *name)
{
  /* both are looked at */
  const char *own = ns_robot_attribute(m->r, x, name), *common = of_class(m, x, class, name);
  return own ? own : common;
}

/* Up to `most` numbers: their count, -1: reported. */
static int some(mjcf *m, const xmlNode *x, int class, const char *name, int most, double *v)
{
  const char *text = get(m, x, class, name);
  return text ? ns_robot_numbers(m->r, x, name, text, most, v) : 0;
}

/* n numbers, v left alone where absent; 1, 0, -1 as ns_robot_vector. */
static int vector(mjcf *m, const xmlNode *x, int class, const char *name, int n, double *v)
{
  double found[16];
  int count = some(m, x, class, name, n, found);
  if (count <= 0) return count;
  if (count < n) {
    ns_robot_fail(m->r, x, "attribute %s has %d number%s, expected %d", name, count,
                  count == 1 ? "" : "s", n);
    return -1;
  }
  memcpy(v, found, (size_t)n * sizeof *v);
  return 1;
}

static int integer(mjcf *m, const xmlNode *x, int class, const char *name, int otherwise)
{
  double v = otherwise;
  return vector(m, x, class, name, 1, &v) < 0 ? otherwise : (int)fmin(fmax(v, -2e9), 2e9);
}

static int is_word(const char *text, const char *word) { return text && !strcmp(text, word); }

static int class_named(mjcf *m, const xmlNode *x, const char *attribute, int otherwise)
{
  const char *name = ns_robot_attribute(m->r, x, attribute);
  if (!name) return otherwise;
  for (int k = 0; k < m->nclasses; k++)
    if (!strcmp(m->class[k].name, name)) return k;
  ns_robot_fail(m->r, x, "unknown class %.60s, expected that of a <default>", name);
  return otherwise;
}

static int class_of(mjcf *m, const xmlNode *x, int around)
{
  return class_named(m, x, "class", around);
}

static void add_class(mjcf *m, const xmlNode *x, int parent)
{
  const char *name = ns_robot_attribute(m->r, x, "class");
  int k = m->nclasses;
  if (k == CLASSES) {
    ns_robot_fail(m->r, x, "is the default class number %d, expected fewer", CLASSES + 1);
    return;
  }
  m->class[k].name = name ? name : "main";
  m->class[k].node = x;
  m->class[k].parent = parent;
  m->nclasses++;
  for (const xmlNode *d = ns_robot_first(x); d; d = ns_robot_next(d))
    if (ns_robot_is(d, "default")) add_class(m, d, k);
}

/* ---- poses ----------------------------------------------------------------------------------- */

static int orientation(mjcf *m, const xmlNode *x, int class, double *p)
{
  static const char *const way[] = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};
  static const int size[] = {4, 4, 3, 6, 3};
  double v[6];
  int k = -1, own = 0;
  for (int i = 0; i < 5; i++) /* one of its own goes before one of its class */
    if (ns_robot_attribute(m->r, x, way[i])) {
      if (own++)
        return ns_robot_fail(m->r, x, "attributes %s and %s are given, expected one of them",
                             way[k], way[i]);
      k = i;
    }
  for (int i = 0; i < 5 && k < 0; i++)
    if (of_class(m, x, class, way[i])) k = i;
  if (k < 0) return NS_OK;
  if (vector(m, x, class, way[k], size[k], v) < 0) return NS_MODEL;
  double n = sqrt(ns_dot3(v, v) + (k == 0 ? v[3] * v[3] : 0));
  if (k != 2 && !(n > 0))
    return ns_robot_fail(m->r, x, "attribute %s is zero, expected an orientation", way[k]);
  if (k == 0) {
    memcpy(p, v, 4 * sizeof *p);
    ns_quaternion_unit(p);
  }
  if (k == 1) {
    for (int i = 0; i < 3; i++) v[i] *= m->angle * v[3] / n;
    ns_quaternion_exp(v, p);
  }
  if (k == 2) {
    for (int i = 0; i < 3; i++) v[i] *= m->angle;
    ns_turn_euler(m->sequence, v, p);
  }
  if (k == 4) {
    ns_unit3(v);
    ns_quaternion_from_z(v, p);
  }
  return k == 3 ? ns_robot_axes(m->r, x, v, p) : NS_OK;
}

static int pose_of(mjcf *m, const xmlNode *x, int class, ns_pose *p)
{
  *p = ns_pose_identity;
  if (vector(m, x, class, "pos", 3, p->at) < 0) return NS_MODEL;
  return orientation(m, x, class, p->turn);
}

/* ---- joints ---------------------------------------------------------------------------------- */

/* Of a range that `limited` may switch on or off. */
static int is_limited(mjcf *m, const xmlNode *x, int class, const char *limited, int has_range)
{
  const char *text = get(m, x, class, limited);
  if (is_word(text, "true")) return has_range;
  return !is_word(text, "false") && m->autolimits && has_range;
}

/* A spring that is not linear in new files: 3 numbers. */
static int first_of(mjcf *m, const xmlNode *x, int class, const char *name, double *v)
{
  double found[3] = {*v};
  int n = some(m, x, class, name, 3, found);
  if (n > 1 && (fabs(found[1]) > 0 || fabs(found[2]) > 0))
    ns_robot_lost(m->r, x, "attribute %s: what is not linear in it is ignored", name);
  *v = found[0];
  return n;
}

static int joint_numbers(mjcf *m, const xmlNode *x, int class, ns_robot_joint *j)
{
  double range[2] = {0}, force[2] = {0}, by = j->kind == NS_ROBOT_SLIDE ? 1 : m->angle;
  int ranged = vector(m, x, class, "range", 2, range),
      forced = vector(m, x, class, "actuatorfrcrange", 2, force);
  int bad = ranged < 0 || forced < 0 || vector(m, x, class, "ref", 1, &j->ref) < 0 ||
            vector(m, x, class, "springref", 1, &j->spring) < 0;
  bad |= first_of(m, x, class, "stiffness", &j->stiffness) < 0 ||
         first_of(m, x, class, "damping", &j->damping) < 0;
  bad |= vector(m, x, class, "armature", 1, &j->armature) < 0 ||
         vector(m, x, class, "frictionloss", 1, &j->friction) < 0;
  if (bad) return NS_MODEL;
  if (j->stiffness < 0)
    return ns_robot_fail(m->r, x, "has a negative stiffness, expected 0 or more");
  if (j->armature < 0 || j->friction < 0 || j->damping < 0)
    return ns_robot_fail(m->r, x,
                         "has a negative armature, damping or frictionloss, expected 0 or more");
  j->limited = !m->no_limit && is_limited(m, x, class, "limited", ranged);
  if (j->limited && !(range[0] <= range[1]))
    return ns_robot_fail(m->r, x, "attribute range is %g %g, expected the lower limit first",
                         range[0], range[1]);
  j->lower = by * range[0];
  j->upper = by * range[1];
  j->ref *= by;
  j->spring *= by;
  j->q = j->ref;
  if (is_limited(m, x, class, "actuatorfrclimited", forced)) {
    j->force_lower = force[0];
    j->force_upper = force[1];
  }
  if (m->no_friction) j->friction = 0;
  if (m->no_passive) j->damping = j->stiffness = 0;
  return NS_OK;
}

/* What a joint that is neither hinge nor slide cannot say here. */
static void tell_ball(mjcf *m, const ns_robot_joint *j)
{
  static const char *const name[] = {[NS_ROBOT_BALL] = "ball", [NS_ROBOT_FREE] = "free"};
  const struct {
    double value;
    const char *what;
  } list[] = {{j->armature, "armature"},
              {j->limited, "range"},
              {j->damping, "damping"},
              {j->stiffness, "stiffness"},
              {j->friction, "frictionloss"}};
  size_t n = j->kind == NS_ROBOT_BALL ? 2 : sizeof list / sizeof *list;
  for (size_t k = 0; k < n; k++)
    if (list[k].value > 0)
      ns_robot_lost(m->r, j->node, "%s of a %s joint is ignored", list[k].what, name[j->kind]);
}

static int add_joint(mjcf *m, const xmlNode *x, int link, int around, const ns_pose *in)
{
  static const char *const types[] = {"hinge", "slide", "ball", "free"};
  ns_robot *r = m->r;
  int class = class_of(m, x, around), free = ns_robot_is(x, "freejoint"), kind = 0;
  const char *type = free ? "free" : get(m, x, class, "type"),
             *name = ns_robot_attribute(r, x, "name");
  double axis[3] = {0, 0, 1}, anchor[3] = {0}, R[9];
  while (type && kind < 4 && strcmp(types[kind], type)) kind++;
  if (kind == 4)
    return ns_robot_fail(r, x, "type is %.40s, expected hinge, slide, ball or free", type);
  if (link < 0) return ns_robot_fail(r, x, "is a joint of the world, expected it in a <body>");
  if (kind == NS_ROBOT_FREE && r->link[link].parent >= 0)
    return ns_robot_fail(
        r, x, "is a free joint of a body in a body, expected it in a body of <worldbody>");
  if (r->link[link].free || (kind == NS_ROBOT_FREE && r->link[link].njoints))
    return ns_robot_fail(r, x, "is a joint next to a free one, expected only the free one");
  int k = ns_robot_add_joint(r, x, name, (ns_robot_joint_kind)kind, link);
  if (k < 0) return NS_MODEL;
  if (free) return NS_OK;
  ns_robot_joint *j = &r->joint[k];
  if (vector(m, x, class, "axis", 3, axis) < 0 || vector(m, x, class, "pos", 3, anchor) < 0)
    return NS_MODEL;
  if (!(ns_unit3(axis) > 0))
    return ns_robot_fail(r, x, "attribute axis is zero, expected a direction");
  ns_quaternion_matrix(in->turn, R);
  ns_mul3(R, axis, j->axis);
  ns_mul3(R, anchor, j->anchor);
  ns_axpy3(j->anchor, 1, in->at, j->anchor);
  int rc = joint_numbers(m, x, class, j);
  if (!rc && kind >= NS_ROBOT_BALL) tell_ball(m, j);
  return rc;
}

/* ---- geoms ----------------------------------------------------------------------------------- */

/* Of a file meshdir/a.stl: its name is a. */
static int names_asset(mjcf *m, const xmlNode *x, const char *name)
{
  const char *own = ns_robot_attribute(m->r, x, "name"),
             *file = ns_robot_attribute(m->r, x, "file");
  if (own) return !strcmp(own, name);
  const char *slash = file ? strrchr(file, '/') : NULL, *base = slash ? slash + 1 : file;
  return base && strcspn(base, ".") == strlen(name) && !strncmp(base, name, strlen(name));
}

static const xmlNode *asset_named(mjcf *m, const char *kind, const char *name)
{
  for (const xmlNode *a = ns_robot_first(m->root); name && a; a = ns_robot_next(a))
    for (const xmlNode *x = ns_robot_is(a, "asset") ? ns_robot_first(a) : NULL; x;
         x = ns_robot_next(x))
      if (!strcmp(ns_robot_element(x), kind) && names_asset(m, x, name) && ns_robot_is(x, kind))
        return x;
  return NULL;
}

static int mesh_points(mjcf *m, const xmlNode *x, const char *text, const double *scale,
                       ns_robot_shape *s)
{
  int most = (int)(strlen(text) / 2 + 1);
  double *v = ns_arena_get(m->r->a, (size_t)most, sizeof *v);
  if (!v) return ns_robot_nomem(m->r);
  int n = ns_robot_numbers(m->r, x, "vertex", text, most, v);
  if (n < 0) return NS_MODEL;
  if (n < 12 || n % 3)
    return ns_robot_fail(
        m->r, x, "attribute vertex has %d numbers, expected x y z of four points or more", n);
  for (int k = 0; k < n; k++) v[k] *= scale[k % 3];
  s->points = v;
  s->npoints = n / 3;
  return NS_OK;
}

/* 1: the shape can be written; 0: it is left out, told; -1: reported. */
static int read_mesh(mjcf *m, const xmlNode *geom, const char *name, ns_robot_shape *s)
{
  ns_robot *r = m->r;
  const xmlNode *x = asset_named(m, "mesh", name);
  double scale[3] = {1, 1, 1};
  char path[700];
  if (!x)
    return ns_robot_fail(r, geom,
                         "names the mesh %.60s, which does not exist, expected one of <asset>",
                         name ? name : "")
               ? -1
               : 0;
  int class = class_of(m, x, 0);
  const char *file = get(m, x, class, "file"), *vertex = ns_robot_attribute(r, x, "vertex");
  if (vector(m, x, class, "scale", 3, scale) < 0) return -1;
  if (!file && !vertex)
    return ns_robot_fail(r, x, "has neither file nor vertex, expected one of them") ? -1 : 0;
  if (vertex) return mesh_points(m, x, vertex, scale, s) ? -1 : 1;
  snprintf(path, sizeof path, "%s%s%.500s", m->meshdir ? m->meshdir : "",
           m->meshdir && *m->meshdir ? "/" : "", file);
  if (ns_robot_mesh_file(r, x, path, &s->file)) return -1;
  if (!s->file) return 0;
  if (!(scale[0] > 0) || fabs(scale[1] - scale[0]) > 1e-12 || fabs(scale[2] - scale[0]) > 1e-12) {
    ns_robot_lost(r, x, "a mesh with a mirror image or another scale along each axis is ignored");
    return 0;
  }
  s->scale = scale[0];
  return 1;
}

/* Heights of nrow x ncol places, brought to 0 ... 1 and then to the third of size=; the text is a
 * map, the row of the greatest y first. 1, 0, -1 as read_mesh. */
static int read_field(mjcf *m, const xmlNode *geom, const char *name, ns_robot_shape *s)
{
  enum { FIELD_MOST = 1000 };
  ns_robot *r = m->r;
  const xmlNode *x = asset_named(m, "hfield", name);
  double size[4], low = INFINITY, high = -INFINITY;
  if (!x)
    return ns_robot_fail(r, geom,
                         "names the hfield %.60s, which does not exist, expected one of <asset>",
                         name ? name : "")
               ? -1
               : 0;
  const char *text = ns_robot_attribute(r, x, "elevation");
  int rows = integer(m, x, -1, "nrow", 0), cols = integer(m, x, -1, "ncol", 0), n = rows * cols;
  if (ns_robot_vector(r, x, "size", 4, size) < 1 || r->msg.c.nerrors)
    return r->msg.c.nerrors || ns_robot_fail(r, x, "attribute size is missing, expected 4 numbers")
               ? -1
               : 0;
  if (ns_robot_attribute(r, x, "file")) {
    ns_robot_left_out(r, x, "a height field of a file is ignored: write its heights as elevation=");
    return 0;
  }
  if (rows < 2 || cols < 2 || rows > FIELD_MOST || cols > FIELD_MOST || !(size[0] > 0) ||
      !(size[1] > 0))
    return ns_robot_fail(r, x,
                         "has %d rows and %d columns over %g and %g, expected 2 to %d of each, "
                         "over positive lengths",
                         rows, cols, size[0], size[1], FIELD_MOST)
               ? -1
               : 0;
  double *v = ns_arena_zero(r->a, 2 * (size_t)n, sizeof *v), *up = v ? v + n : NULL;
  if (!v) return ns_robot_nomem(r) ? -1 : 0;
  int found = text ? ns_robot_numbers(r, x, "elevation", text, n, v) : n;
  if (found != n)
    return found < 0 ||
                   ns_robot_fail(r, x, "attribute elevation has %d numbers, expected %d", found, n)
               ? -1
               : 0;
  for (int k = 0; k < n; k++) {
    low = fmin(low, v[k]);
    high = fmax(high, v[k]);
  }
  for (int i = 0; i < rows; i++)
    for (int k = 0; k < cols; k++)
      up[i * cols + k] = high > low ? size[2] * (v[(rows - 1 - i) * cols + k] - low) / (high - low)
                                    : 0;
  s->points = up;
  s->npoints = cols;
  s->rows = rows;
  s->size[0] = 2 * size[0] / (cols - 1);
  s->size[1] = 2 * size[1] / (rows - 1);
  return 1;
}

/* Half the length of fromto=, its middle and direction go to the pose. */
static int from_to(mjcf *m, const xmlNode *x, int class, ns_robot_shape *s, ns_pose *at)
{
  double v[6], d[3];
  int found = vector(m, x, class, "fromto", 6, v);
  if (found <= 0) return found;
  ns_sub3(v + 3, v, d); /* z goes from the first to the second */
  double length = ns_unit3(d);
  if (!(length > 0))
    return ns_robot_fail(m->r, x,
                         "attribute fromto has two points at one place, expected two points")
               ? -1
               : 0;
  for (int k = 0; k < 3; k++) at->at[k] = (v[k] + v[3 + k]) / 2;
  ns_quaternion_from_z(d, at->turn);
  int round = s->kind == NS_ROBOT_CAPSULE || s->kind == NS_ROBOT_CYLINDER;
  if (!round) s->size[1] = s->size[0];
  s->size[round ? 1 : 2] = length / 2;
  return 1;
}

static int geom_size(mjcf *m, const xmlNode *x, int class, ns_robot_shape *s, ns_pose *at)
{
  static const int wanted[] = {1, 3, 2, 2, 3, 0, 0, 0}; /* by kind */
  int n = some(m, x, class, "size", 3, s->size);
  if (n < 0 || wanted[s->kind] == 0) return n < 0 ? NS_MODEL : NS_OK;
  int ends = s->kind == NS_ROBOT_SPHERE ? 0 : from_to(m, x, class, s, at);
  if (ends < 0) return NS_MODEL;
  int need = ends ? 1 : wanted[s->kind];
  if (n < need)
    return ns_robot_fail(m->r, x, "attribute size has %d number%s, expected %d", n,
                         n == 1 ? "" : "s", need);
  for (int k = 0; k < wanted[s->kind]; k++)
    if (!(s->size[k] > 0))
      return ns_robot_fail(m->r, x, "attribute size holds %g, expected positive lengths",
                           s->size[k]);
  return NS_OK;
}

/* Its part of the mass of its body. */
static int geom_mass(mjcf *m, const xmlNode *x, int class, const ns_robot_shape *s, ns_mass *sum)
{
  double density = 1000, mass = -1, volume;
  int group = integer(m, x, class, "group", 0);
  ns_mass own;
  if (vector(m, x, class, "density", 1, &density) < 0 || vector(m, x, class, "mass", 1, &mass) < 0)
    return NS_MODEL;
  if (group < m->groups[0] || group > m->groups[1] || s->kind == NS_ROBOT_PLANE ||
      s->kind == NS_ROBOT_FIELD)
    return NS_OK;
  if (!ns_robot_solid(m->r, s, &volume, &own)) {
    if (s->file)
      ns_robot_lost(m->r, x,
                    "the mass of a mesh in a file is not computed; a body that needs it must have "
                    "<inertial>");
    return m->r->msg.c.nerrors ? NS_MODEL : NS_OK;
  }
  double by = mass >= 0 ? mass : density * volume;
  for (int i = 0; i < 9; i++) own.inertia[i] *= by;
  own.mass = by;
  if (by > 0) ns_mass_add(sum, &own, &s->pose);
  return NS_OK;
}

/* condim 4 and 6. */
static void tell_turning(mjcf *m, const xmlNode *x, int condim)
{
  if (condim > 3)
    ns_robot_lost(m->r, x, "condim %d: friction against turning about the normal is ignored",
                  condim);
}

static int geom_contact(mjcf *m, const xmlNode *x, int class, ns_robot_shape *s)
{
  double friction[3] = {1, 0.005, 0.0001};
  if (some(m, x, class, "friction", 3, friction) < 0) return NS_MODEL;
  if (friction[0] < 0)
    return ns_robot_fail(m->r, x, "attribute friction is %g, expected 0 or more", friction[0]);
  s->contype = (unsigned)integer(m, x, class, "contype", 1);
  s->conaffinity = (unsigned)integer(m, x, class, "conaffinity", 1);
  s->condim = integer(m, x, class, "condim", 3);
  s->priority = integer(m, x, class, "priority", 0);
  s->friction = friction[0];
  if (m->no_contact) s->contype = s->conaffinity = 0;
  s->rolling = friction[2];
  tell_turning(m, x, s->condim);
  return m->r->msg.c.nerrors ? NS_MODEL : NS_OK;
}

/* A <pair> of <contact> names it. */
static int is_paired(mjcf *m, const char *name)
{
  if (m->no_contact || !name) return 0;
  for (const xmlNode *c = ns_robot_first(m->root); c; c = ns_robot_next(c))
    for (const xmlNode *x = ns_robot_is(c, "contact") ? ns_robot_first(c) : NULL; x;
         x = ns_robot_next(x)) {
      if (strcmp(ns_robot_element(x), "pair")) continue;
      if (is_word(ns_robot_attribute(m->r, x, "geom1"), name) ||
          is_word(ns_robot_attribute(m->r, x, "geom2"), name))
        return 1;
    }
  return 0;
}

static int add_geom(mjcf *m, const xmlNode *x, int link, int around, const ns_pose *in,
                    ns_mass *sum)
{
  static const char *const types[] = {"sphere",    "box",   "cylinder", "capsule",
                                      "ellipsoid", "plane", "mesh",     "hfield"};
  ns_robot *r = m->r;
  int class = class_of(m, x, around), kind = 0, NKINDS = sizeof types / sizeof *types;
  const char *type = get(m, x, class, "type"), *mesh = get(m, x, class, "mesh");
  ns_pose at;
  while (type && kind < NKINDS && strcmp(types[kind], type)) kind++;
  if (kind == NKINDS && ns_robot_has("sdf", type)) {
    ns_robot_left_out(r, x, "a geom of type %s is ignored", type);
    return NS_OK;
  }
  if (kind == NKINDS)
    return ns_robot_fail(
        r, x,
        "type is %.40s, expected sphere, capsule, box, cylinder, ellipsoid, plane, mesh or hfield",
        type);
  if (pose_of(m, x, class, &at)) return NS_MODEL;
  int k = ns_robot_add_shape(r, x, ns_robot_attribute(r, x, "name"), (ns_robot_shape_kind)kind,
                             link);
  if (k < 0) return NS_MODEL;
  ns_robot_shape *s = &r->shape[k];
  int usable = 1, rc = NS_OK;
  if (kind == NS_ROBOT_MESH) usable = read_mesh(m, x, mesh, s);
  if (kind == NS_ROBOT_FIELD) usable = read_field(m, x, get(m, x, class, "hfield"), s);
  else rc = geom_size(m, x, class, s, &at);
  if (usable < 0) rc = NS_MODEL;
  ns_pose_mul(in, &at, &s->pose);
  if (!rc && usable && link >= 0) rc = geom_mass(m, x, class, s, sum);
  if (!rc) rc = geom_contact(m, x, class, s);
  if (rc) return rc;
  if (kind == NS_ROBOT_PLANE && link >= 0)
    ns_robot_lost(r, x, "a plane of a body that moves is ignored");
  if (kind == NS_ROBOT_MESH && usable && mesh)
    ns_robot_lost(r, x, "a mesh collides as its convex hull");
  if (kind == NS_ROBOT_ELLIPSOID)
    ns_robot_lost(r, x, "an ellipsoid collides as a polyhedron of 86 points on it");
  s->paired = is_paired(m, s->name);
  int pictured = !s->contype && !s->conaffinity && !s->paired; /* it cannot meet anything */
  if (!usable || pictured || (kind == NS_ROBOT_PLANE && link >= 0)) r->nshapes--;
  return NS_OK;
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static int read_inertial(mjcf *m, const xmlNode *x, const ns_pose *in, ns_mass *out)
{
  ns_robot *r = m->r;
  double d[3] = {0}, full[6];
  ns_mass own = {0};
  ns_pose at, to;
  if (pose_of(m, x, -1, &at)) return NS_MODEL;
  int has = ns_robot_vector(r, x, "mass", 1, &own.mass),
      diagonal = ns_robot_vector(r, x, "diaginertia", 3, d);
  int whole = ns_robot_vector(r, x, "fullinertia", 6, full);
  if (has < 0 || diagonal < 0 || whole < 0) return NS_MODEL;
  if (!has) return ns_robot_fail(r, x, "attribute mass is missing, expected kg");
  if (own.mass < 0) return ns_robot_fail(r, x, "the mass is %g, expected a positive one", own.mass);
  for (int k = 0; k < 3; k++) own.inertia[4 * k] = whole ? full[k] : d[k];
  if (whole) { /* xx yy zz xy xz yz */
    own.inertia[1] = own.inertia[3] = full[3];
    own.inertia[2] = own.inertia[6] = full[4];
    own.inertia[5] = own.inertia[7] = full[5];
  }
  ns_pose_mul(in, &at, &to);
  *out = (ns_mass){0};
  if (own.mass > 0) ns_mass_add(out, &own, &to);
  return NS_OK;
}

/* What is found in a body and the frames in it. */
typedef struct contents {
  ns_mass geoms, given;
  int has_inertial;
} contents;

static int read_contents(mjcf *m, const xmlNode *x, int link, int around, const ns_pose *in,
                         contents *c);

static int read_body(mjcf *m, const xmlNode *x, int parent, int around, const ns_pose *in)
{
  ns_robot *r = m->r;
  contents c = {.has_inertial = 0};
  ns_pose at;
  if (pose_of(m, x, -1, &at)) return NS_MODEL;
  int i = ns_robot_add_link(r, x, ns_robot_attribute(r, x, "name"), parent);
  if (i < 0) return NS_MODEL;
  ns_pose_mul(in, &at, &r->link[i].pose);
  if (is_word(ns_robot_attribute(r, x, "mocap"), "true"))
    ns_robot_lost(r, x, "a mocap body is fixed where it is drawn");
  int rc = read_contents(m, x, i, class_named(m, x, "childclass", around), &ns_pose_identity, &c);
  if (rc) return rc;
  int by_geoms = m->inertia == INERTIA_GEOMS || (m->inertia == INERTIA_AUTO && !c.has_inertial);
  ns_mass mass = by_geoms ? c.geoms : c.given;
  if (mass.mass > 0 || r->link[i].njoints) mass.mass = fmax(mass.mass, m->least_mass);
  for (int k = 0; k < 3; k++)
    mass.inertia[4 * k] = fmax(mass.inertia[4 * k], mass.mass > 0 ? m->least_inertia : 0);
  if (m->balance && mass.inertia[0] + mass.inertia[4] < mass.inertia[8])
    ns_robot_lost(r, x, "balanceinertia is ignored: an inertia is not that of a body, and stays");
  r->link[i].mass = mass;
  return NS_OK;
}

static int add_site(mjcf *m, const xmlNode *x, int link, int around, const ns_pose *in)
{
  ns_pose own = ns_pose_identity, at;
  if (!m->tendons || !ns_robot_is(x, "site")) return NS_OK;
  if (vector(m, x, class_of(m, x, around), "pos", 3, own.at) < 0) return NS_MODEL;
  void *more = realloc(m->site, (size_t)(m->nsites + 1) * sizeof *m->site);
  if (!more) return ns_robot_nomem(m->r);
  m->site = more;
  ns_pose_mul(in, &own, &at);
  m->site[m->nsites].name = ns_robot_attribute(m->r, x, "name");
  m->site[m->nsites].link = link;
  memcpy(m->site[m->nsites].at, at.at, sizeof at.at);
  m->nsites++;
  return NS_OK;
}

static int read_one(mjcf *m, const xmlNode *x, int link, int around, const ns_pose *in, contents *c)
{
  ns_pose own, at;
  if (ns_robot_is(x, "body")) return read_body(m, x, link, around, in);
  if (ns_robot_is(x, "geom")) return add_geom(m, x, link, around, in, &c->geoms);
  if (!strcmp(ns_robot_element(x), "site")) return add_site(m, x, link, around, in);
  if (ns_robot_is(x, "joint") || ns_robot_is(x, "freejoint"))
    return add_joint(m, x, link, around, in);
  if (ns_robot_is(x, "inertial")) {
    c->has_inertial = 1;
    return read_inertial(m, x, in, &c->given);
  }
  if (ns_robot_is(x, "frame")) {
    if (pose_of(m, x, -1, &own)) return NS_MODEL;
    ns_pose_mul(in, &own, &at);
    return read_contents(m, x, link, class_named(m, x, "childclass", around), &at, c);
  }
  if (ns_robot_has("composite replicate attach flexcomp", ns_robot_element(x)))
    return ns_robot_fail(m->r, x,
                         "generates bodies and is not supported, expected them written out; "
                         "MuJoCo's sample `compile` does that");
  return NS_OK;
}

static int read_contents(mjcf *m, const xmlNode *x, int link, int around, const ns_pose *in,
                         contents *c)
{
  int rc = NS_OK;
  for (const xmlNode *k = ns_robot_first(x); k && !rc; k = ns_robot_next(k))
    rc = read_one(m, k, link, around, in, c);
  return rc ? rc : m->r->msg.c.rc;
}

/* ---- actuators ------------------------------------------------------------------------------- */

static int drive_numbers(mjcf *m, const xmlNode *x, int class, ns_robot_actuator *a)
{
  const char *element = ns_robot_element(x);
  double k = 1, kv = 0, gain[10] = {1}, bias[10] = {0};
  int rc = 0;
  a->gain = 1;
  if (!strcmp(element, "position")) {
    rc = vector(m, x, class, "kp", 1, &k) < 0 || vector(m, x, class, "kv", 1, &kv) < 0;
    a->gain = k;
    a->bias[1] = -k;
    a->bias[2] = -kv;
  } else if (!strcmp(element, "velocity")) {
    rc = vector(m, x, class, "kv", 1, &k) < 0;
    a->gain = k;
    a->bias[2] = -k;
  } else if (!strcmp(element, "general")) {
    const char *gaintype = get(m, x, class, "gaintype"), *biastype = get(m, x, class, "biastype"),
               *dyntype = get(m, x, class, "dyntype");
    if ((gaintype && strcmp(gaintype, "fixed")) || (dyntype && strcmp(dyntype, "none")) ||
        (biastype && !ns_robot_has("none affine", biastype)))
      return -1;
    rc = some(m, x, class, "gainprm", 10, gain) < 0 || some(m, x, class, "biasprm", 10, bias) < 0;
    a->gain = gain[0];
    for (int i = 0; i < 3 && is_word(biastype, "affine"); i++) a->bias[i] = bias[i];
  }
  return rc ? NS_MODEL : NS_OK;
}

static int bounds(mjcf *m, const xmlNode *x, int class, const char *limited, const char *range,
                  double *low, double *high)
{
  double v[2];
  int found = vector(m, x, class, range, 2, v);
  if (found < 0) return NS_MODEL;
  if (!is_limited(m, x, class, limited, found)) return NS_OK;
  if (!(v[0] <= v[1]))
    return ns_robot_fail(m->r, x, "attribute %s is %g %g, expected the lower bound first", range,
                         v[0], v[1]);
  *low = v[0];
  *high = v[1];
  return NS_OK;
}

static int add_actuator(mjcf *m, const xmlNode *x)
{
  ns_robot *r = m->r;
  int class = class_of(m, x, 0);
  const char *joint = get(m, x, class, "joint"), *tendon = get(m, x, class, "tendon");
  if (!joint) joint = get(m, x, class, "jointinparent");
  int j = ns_robot_find_joint(r, joint), of = joint ? -1 : ns_robot_find_tendon(r, tendon);
  if (joint && j < 0)
    return ns_robot_fail(
        r, x, "names the joint %.60s, which does not exist, expected one of the file", joint);
  int known = ns_robot_has("motor position velocity general", ns_robot_element(x));
  if (!known || (of < 0 && (!joint || r->joint[j].kind >= NS_ROBOT_BALL))) {
    ns_robot_left_out(r, x, "<%s>%s is ignored", ns_robot_element(x),
                      !known   ? ""
                      : tendon ? " of a tendon that is ignored or not there"
                      : !joint ? " that does not act on a joint or a tendon"
                               : " of a ball or free joint");
    return NS_OK;
  }
  int k = ns_robot_add_actuator(r, x, ns_robot_attribute(r, x, "name"), j);
  if (k < 0) return NS_MODEL;
  r->actuator[k].tendon = of;
  ns_robot_actuator *a = &r->actuator[k];
  double gear[6] = {1};
  int rc = drive_numbers(m, x, class, a);
  if (rc < 0 && !r->msg.c.nerrors) {
    ns_robot_left_out(
        r, x, "an actuator with a state or another law than gain u + affine bias is ignored");
    r->nactuators--;
    return NS_OK;
  }
  if (some(m, x, class, "gear", 6, gear) < 0) return NS_MODEL;
  a->gear = gear[0];
  if (!rc) rc = bounds(m, x, class, "ctrllimited", "ctrlrange", &a->low, &a->high);
  return rc ? rc : bounds(m, x, class, "forcelimited", "forcerange", &a->force_low, &a->force_high);
}

/* ---- constraints ----------------------------------------------------------------------------- */

static int link_named(mjcf *m, const xmlNode *x, int class, const char *attribute, int *link)
{
  const char *name = get(m, x, class, attribute);
  *link = NS_ROBOT_WORLD;
  if (!name || !strcmp(name, "world")) return NS_OK;
  if ((*link = ns_robot_find_link(m->r, name)) >= 0) return NS_OK;
  return ns_robot_fail(
      m->r, x, "names the body %.60s, which does not exist, expected one of the file", name);
}

/* q1 = a + b q2 without joint2: held at a. */
static int couple(mjcf *m, const xmlNode *x, int class)
{
  ns_robot *r = m->r;
  const char *name1 = get(m, x, class, "joint1"), *name2 = get(m, x, class, "joint2");
  double c[11] = {0, 1};
  int one = ns_robot_find_joint(r, name1), other = ns_robot_find_joint(r, name2);
  if (some(m, x, class, "polycoef", 5, c) < 0) return NS_MODEL;
  if (one < 0 || (name2 && other < 0))
    return ns_robot_fail(r, x,
                         "names the joint %.60s, which does not exist, expected one of the file",
                         one < 0 ? name1 ? name1 : "" : name2);
  if (fabs(c[2]) > 0 || fabs(c[3]) > 0 || fabs(c[4]) > 0) {
    ns_robot_left_out(r, x,
                      "a joint that follows another one along a curve is ignored: only straight "
                      "lines are supported");
    return NS_OK;
  }
  if (!name2) {
    r->joint[one].limited = 1;
    r->joint[one].lower = r->joint[one].upper = r->joint[one].ref + c[0];
    return NS_OK;
  }
  int k = ns_robot_add_equality(r, x);
  if (k < 0) return NS_MODEL;
  r->equality[k] = (ns_robot_equality){
      .node = x, .kind = NS_ROBOT_COUPLE, .first = one, .second = other, .a = c[0], .b = c[1]};
  return NS_OK;
}

static int add_equality(mjcf *m, const xmlNode *x)
{
  ns_robot *r = m->r;
  int class = class_of(m, x, 0), weld = !strcmp(ns_robot_element(x), "weld"), first, second;
  if (is_word(get(m, x, class, "active"), "false")) {
    ns_robot_left_out(r, x, "an equality that is not active is ignored");
    return NS_OK;
  }
  if (!strcmp(ns_robot_element(x), "joint")) return couple(m, x, class);
  if ((!weld && strcmp(ns_robot_element(x), "connect")) || !get(m, x, class, "body1")) {
    ns_robot_left_out(r, x, "<%.40s> of <equality>%s is ignored", ns_robot_element(x),
                      get(m, x, class, "body1") ? "" : " without body1");
    return NS_OK;
  }
  if (link_named(m, x, class, "body1", &first) || link_named(m, x, class, "body2", &second))
    return NS_MODEL;
  int k = ns_robot_add_equality(r, x);
  if (k < 0) return NS_MODEL;
  r->equality[k].kind = weld ? NS_ROBOT_WELD : NS_ROBOT_CONNECT;
  r->equality[k].first = first;
  r->equality[k].second = second;
  return vector(m, x, class, "anchor", 3, r->equality[k].anchor) < 0 ? NS_MODEL : NS_OK;
}

/* Shape of a geom: NS_MODEL, reported, where the file has none of that name; *shape -1 where it was
 * left out. */
static int shape_named(mjcf *m, const xmlNode *x, const char *attribute, int *shape)
{
  const char *name = ns_robot_attribute(m->r, x, attribute);
  *shape = -1;
  if (!name) return ns_robot_fail(m->r, x, "attribute %s is missing, expected a geom", attribute);
  for (int k = 0; k < m->r->nshapes; k++)
    if (is_word(m->r->shape[k].name, name)) *shape = k;
  return NS_OK;
}

/* What is not given is that of the geoms, as where they meet by their bits. */
static int add_pair(mjcf *m, const xmlNode *x)
{
  ns_robot *r = m->r;
  int class = class_of(m, x, 0), one, other;
  if (shape_named(m, x, "geom1", &one) || shape_named(m, x, "geom2", &other)) return NS_MODEL;
  if (one < 0 || other < 0) {
    ns_robot_left_out(r, x, "a <pair> with a geom that is ignored, or not there, is ignored");
    return NS_OK;
  }
  const ns_robot_shape *a = &r->shape[one], *b = &r->shape[other];
  const ns_robot_shape *wins = a->priority > b->priority ? a : b;
  int tie = a->priority == b->priority, condim = a->condim > b->condim ? a->condim : b->condim;
  double friction[5] = {fmax(a->friction, b->friction), 0, 0, fmax(a->rolling, b->rolling)};
  if (!tie) {
    condim = wins->condim;
    friction[0] = wins->friction;
    friction[3] = wins->rolling;
  }
  friction[1] = friction[0];
  friction[4] = friction[3];
  int k = ns_robot_add_pair(r, one, other);
  if (k < 0 || some(m, x, class, "friction", 5, friction) < 0) return NS_MODEL;
  if (friction[0] < 0 || friction[3] < 0)
    return ns_robot_fail(r, x, "attribute friction is negative, expected 0 or more");
  ns_robot_pair *p = &r->pair[k];
  p->condim = integer(m, x, class, "condim", condim);
  p->friction = friction[0];
  p->rolling = friction[3];
  tell_turning(m, x, p->condim);
  if (fabs(friction[1] - friction[0]) > 0 || fabs(friction[4] - friction[3]) > 0)
    ns_robot_lost(r, x, "friction that differs with the direction is ignored: the first is used");
  return r->msg.c.nerrors ? NS_MODEL : NS_OK;
}

static int add_contact(mjcf *m, const xmlNode *x)
{
  int first, second;
  if (!strcmp(ns_robot_element(x), "pair") && !m->no_contact) return add_pair(m, x);
  if (strcmp(ns_robot_element(x), "exclude")) {
    ns_robot_left_out(m->r, x,
                      "<%.40s> of <contact> is ignored: geoms meet by contype and conaffinity",
                      ns_robot_element(x));
    return NS_OK;
  }
  if (link_named(m, x, -1, "body1", &first) || link_named(m, x, -1, "body2", &second))
    return NS_MODEL;
  if (first < 0 || second < 0) {
    ns_robot_left_out(m->r, x, "<exclude> with the world is ignored");
    return NS_OK;
  }
  return ns_robot_add_exclude(m->r, first, second) < 0 ? NS_MODEL : NS_OK;
}

/* ---- tendons --------------------------------------------------------------------------------- */

static int add_point(mjcf *m, const xmlNode *x, double strands, ns_robot_tendon *t)
{
  const char *name = ns_robot_attribute(m->r, x, "site");
  int i = 0;
  while (i < m->nsites && !is_word(m->site[i].name, name)) i++;
  if (i == m->nsites)
    return ns_robot_fail(m->r, x,
                         "names the site %.60s, which does not exist, expected one of the file",
                         name ? name : "");
  t->member[t->n] = m->site[i].link;
  t->by[t->n] = strands;
  memcpy(t->point[t->n], m->site[i].at, sizeof m->site[i].at);
  t->n++;
  return NS_OK;
}

/* A branch ends, and the next counts one over the divisor. */
static int add_pulley(mjcf *m, const xmlNode *x, double *strands, ns_robot_tendon *t)
{
  double divisor = 0;
  if (ns_robot_vector(m->r, x, "divisor", 1, &divisor) < 0) return NS_MODEL;
  if (!(divisor > 0))
    return ns_robot_fail(m->r, x, "attribute divisor is %g, expected a positive number", divisor);
  if (t->n) t->by[t->n - 1] = 0;
  *strands = 1 / divisor;
  return NS_OK;
}

/* Sites and pulleys: what wraps around a geom has no word here. 1: left out. */
static int tendon_points(mjcf *m, const xmlNode *x, ns_robot_tendon *t)
{
  double strands = 1;
  t->points = 1;
  for (const xmlNode *s = ns_robot_first(x); s; s = ns_robot_next(s)) {
    int pulley = ns_robot_is(s, "pulley"), many = t->n == NS_ROBOT_MEMBERS;
    if ((!pulley && !ns_robot_is(s, "site")) || (many && !pulley)) {
      ns_robot_left_out(m->r, x, "a tendon %s is ignored",
                        many ? "through more than 16 points" : "around a geom");
      return 1;
    }
    int rc = pulley ? add_pulley(m, s, &strands, t) : add_point(m, s, strands, t);
    if (rc) return rc;
  }
  if (t->n > 1) return NS_OK;
  return ns_robot_fail(m->r, x, "has %d site%s, expected two and more", t->n, t->n == 1 ? "" : "s");
}

/* In the pose that is drawn, wherever the motion starts. */
static double drawn_length(const ns_robot *r, const ns_robot_tendon *t)
{
  double sum = 0, last[3] = {0};
  for (int i = 0; i < t->n && !t->points; i++) sum += t->by[i] * r->joint[t->member[i]].ref;
  for (int i = 0; i < t->n && t->points; i++) {
    ns_pose at = ns_pose_identity, in;
    double d[3];
    memcpy(at.at, t->point[i], sizeof at.at);
    for (int l = t->member[i]; l >= 0; l = r->link[l].parent) {
      in = at;
      ns_pose_mul(&r->link[l].pose, &in, &at);
    }
    ns_sub3(at.at, last, d);
    if (i) sum += t->by[i - 1] * sqrt(ns_dot3(d, d));
    memcpy(last, at.at, sizeof last);
  }
  return sum;
}

/* -1 stands for that of the pose as drawn, even where a sum of angles may have it. */
static int is_default_length(double x) { return x >= -1 && x <= -1; }

/* A sum of coordinates of hinges and slides. 1: left out. */
static int tendon_joints(mjcf *m, const xmlNode *x, ns_robot_tendon *t)
{
  ns_robot *r = m->r;
  for (const xmlNode *s = ns_robot_first(x); s; s = ns_robot_next(s)) {
    const char *name = ns_robot_is(s, "joint") ? ns_robot_attribute(r, s, "joint") : NULL;
    int j = ns_robot_find_joint(r, name);
    if (j < 0)
      return ns_robot_fail(r, s,
                           "names the joint %.60s, which does not exist, expected one of the file",
                           name ? name : "");
    if (t->n == NS_ROBOT_MEMBERS || r->joint[j].kind >= NS_ROBOT_BALL) {
      ns_robot_left_out(r, x, "a tendon of %s is ignored",
                        t->n == NS_ROBOT_MEMBERS ? "more than 16 joints" : "a ball or free joint");
      return 1;
    }
    t->member[t->n] = j;
    if (ns_robot_vector(r, s, "coef", 1, &t->by[t->n]) < 0) return NS_MODEL;
    t->n++;
  }
  return t->n ? NS_OK : ns_robot_fail(r, x, "has no joint, expected one and more");
}

static int tendon_numbers(mjcf *m, const xmlNode *x, int class, ns_robot_tendon *t)
{
  double rest[2] = {-1, -1}, range[2] = {0};
  int given = some(m, x, class, "springlength", 2, rest),
      ranged = vector(m, x, class, "range", 2, range);
  if (given < 0 || ranged < 0 || first_of(m, x, class, "stiffness", &t->stiffness) < 0 ||
      first_of(m, x, class, "damping", &t->damping) < 0 ||
      vector(m, x, class, "frictionloss", 1, &t->friction) < 0)
    return NS_MODEL;
  if (t->stiffness < 0 || t->damping < 0 || t->friction < 0)
    return ns_robot_fail(m->r, x,
                         "has stiffness %g, damping %g and frictionloss %g, expected numbers that "
                         "are not negative",
                         t->stiffness, t->damping, t->friction);
  int drawn = given <= 0 || is_default_length(rest[0]) || (t->points && rest[0] < 0);
  t->rest[0] = drawn ? drawn_length(m->r, t) : rest[0];
  t->rest[1] = given == 2 && !drawn ? rest[1] : t->rest[0];
  t->limited = !m->no_limit && is_limited(m, x, class, "limited", ranged > 0);
  t->lower = range[0];
  t->upper = range[1];
  if (t->limited && !(t->lower < t->upper))
    return ns_robot_fail(m->r, x, "attribute range is %g %g, expected the lower limit first",
                         t->lower, t->upper);
  if (m->no_passive) t->stiffness = t->damping = 0;
  if (m->no_friction) t->friction = 0;
  return NS_OK;
}

static int add_tendon(mjcf *m, const xmlNode *x)
{
  ns_robot *r = m->r;
  ns_robot_tendon t = {.node = x, .name = ns_robot_attribute(r, x, "name"), .body = -1};
  int fixed = !strcmp(ns_robot_element(x), "fixed");
  if (!fixed && strcmp(ns_robot_element(x), "spatial")) {
    ns_robot_left_out(r, x, "<%.40s> of <tendon> is ignored", ns_robot_element(x));
    return NS_OK;
  }
  int rc = fixed ? tendon_joints(m, x, &t) : tendon_points(m, x, &t);
  if (rc) return rc < 0 ? rc : NS_OK;
  if ((rc = tendon_numbers(m, x, class_of(m, x, 0), &t))) return rc;
  return ns_robot_add_tendon(r, &t) < 0 ? NS_MODEL : NS_OK;
}

/* ---- keyframes ------------------------------------------------------------------------------- */

/* Places of a joint in qpos (and in qvel). */
static int entries(const ns_robot_joint *j, int velocity)
{
  static const int n[][2] = {{1, 1}, {1, 1}, {4, 3}, {7, 6}};
  return n[j->kind][velocity];
}

static int key_numbers(mjcf *m, const xmlNode *x, const char *name, int velocity, double **v)
{
  ns_robot *r = m->r;
  const char *text = ns_robot_attribute(r, x, name);
  int n = 0;
  *v = NULL;
  for (int k = 0; k < r->njoints; k++) n += entries(&r->joint[k], velocity);
  if (!text) return NS_OK;
  if (!(*v = ns_arena_zero(r->a, (size_t)n + 1, sizeof **v))) return ns_robot_nomem(r);
  int found = ns_robot_numbers(r, x, name, text, n, *v);
  if (found < 0) return NS_MODEL;
  return found == n
             ? NS_OK
             : ns_robot_fail(r, x, "attribute %s has %d numbers, expected %d", name, found, n);
}

/* w, scalar first, of norm 1. */
static int unit(mjcf *m, const xmlNode *x, const double *w, double *p)
{
  memcpy(p, w, 4 * sizeof *p);
  if (!(ns_quaternion_norm(p) > 0))
    return ns_robot_fail(m->r, x,
                         "attribute qpos has a quaternion that is zero, expected of length 1");
  ns_quaternion_unit(p);
  return NS_OK;
}

static int start_from(mjcf *m, const xmlNode *x)
{
  ns_robot *r = m->r;
  double *q, *v;
  if (key_numbers(m, x, "qpos", 0, &q) || key_numbers(m, x, "qvel", 1, &v)) return NS_MODEL;
  for (int k = 0; k < r->njoints; k++) {
    ns_robot_joint *j = &r->joint[k];
    ns_robot_link *l = &r->link[j->link];
    int scalar = j->kind == NS_ROBOT_HINGE || j->kind == NS_ROBOT_SLIDE;
    if (q && scalar) j->q = q[0];
    if (q && j->kind == NS_ROBOT_BALL && unit(m, x, q, j->turn)) return NS_MODEL;
    if (q && j->kind == NS_ROBOT_FREE) {
      l->placed = 1;
      memcpy(l->start.at, q, sizeof l->start.at);
      if (unit(m, x, q + 3, l->start.turn)) return NS_MODEL;
    }
    if (v && scalar) j->rate = v[0];
    if (v && j->kind == NS_ROBOT_BALL) memcpy(j->spin, v, sizeof j->spin);
    if (v && j->kind == NS_ROBOT_FREE) memcpy(l->velocity, v, sizeof l->velocity);
    q = q ? q + entries(j, 0) : NULL;
    v = v ? v + entries(j, 1) : NULL;
  }
  return NS_OK;
}

/* A name, or a number counted from 1. */
static int is_wanted(mjcf *m, const xmlNode *x, int number)
{
  const char *want = m->r->opt->keyframe, *name = ns_robot_attribute(m->r, x, "name");
  return want && ((name && !strcmp(name, want)) || atoi(want) == number);
}

static int keyframes(mjcf *m)
{
  int n = 0, found = 0, rc = NS_OK;
  for (const xmlNode *x = ns_robot_first(m->root); x && !rc; x = ns_robot_next(x))
    for (const xmlNode *k = ns_robot_is(x, "keyframe") ? ns_robot_first(x) : NULL; k && !rc;
         k = ns_robot_next(k)) {
      if (!ns_robot_is(k, "key")) continue;
      if (!found && is_wanted(m, k, ++n)) {
        found = 1;
        rc = start_from(m, k);
      } else {
        ns_robot_left_out(m->r, k, "a keyframe is ignored; --keyframe NAME starts from it");
      }
    }
  if (!rc && m->r->opt->keyframe && !found)
    rc = ns_robot_fail(m->r, NULL,
                       "--keyframe %.60s: the file has no such keyframe, expected one of %d, by "
                       "its name or number",
                       m->r->opt->keyframe, n);
  return rc;
}

/* ---- the file as a whole --------------------------------------------------------------------- */

static int read_compiler(mjcf *m, const xmlNode *x)
{
  ns_robot *r = m->r;
  const char *angle = ns_robot_attribute(r, x, "angle"),
             *sequence = ns_robot_attribute(r, x, "eulerseq");
  const char *inertia = ns_robot_attribute(r, x, "inertiafromgeom"),
             *dir = ns_robot_attribute(r, x, "meshdir");
  const char *assets = ns_robot_attribute(r, x, "assetdir"),
             *limits = ns_robot_attribute(r, x, "autolimits");
  if (is_word(ns_robot_attribute(r, x, "coordinate"), "global"))
    return ns_robot_fail(
        r, x, "coordinate is global, which MuJoCo no longer supports, expected local frames");
  if (angle) m->angle = is_word(angle, "radian") ? 1 : acos(-1) / 180;
  if (sequence &&
      (strlen(sequence) != 3 || (strspn(sequence, "xyz") != 3 && strspn(sequence, "XYZ") != 3)))
    return ns_robot_fail(
        r, x, "eulerseq is %.20s, expected three axes in letters of one case, such as xyz or XYZ",
        sequence);
  if (sequence) memcpy(m->sequence, sequence, sizeof m->sequence);
  if (inertia)
    m->inertia = is_word(inertia, "true")    ? INERTIA_GEOMS
                 : is_word(inertia, "false") ? INERTIA_GIVEN
                                             : INERTIA_AUTO;
  if (limits) m->autolimits = !is_word(limits, "false");
  if (assets && !m->meshdir) m->meshdir = assets;
  if (dir) m->meshdir = dir;
  if (is_word(ns_robot_attribute(r, x, "balanceinertia"), "true")) m->balance = 1;
  int bad = ns_robot_vector(r, x, "settotalmass", 1, &m->total) < 0 ||
            ns_robot_vector(r, x, "boundmass", 1, &m->least_mass) < 0 ||
            ns_robot_vector(r, x, "boundinertia", 1, &m->least_inertia) < 0 ||
            ns_robot_vector(r, x, "inertiagrouprange", 2, m->groups) < 0;
  return bad ? NS_MODEL : NS_OK;
}

static void read_flag(mjcf *m, const xmlNode *x)
{
  const struct {
    const char *name;
    int *off[6];
  } list[] = {{"contact", {&m->no_contact}},
              {"limit", {&m->no_limit}},
              {"frictionloss", {&m->no_friction}},
              {"passive", {&m->no_passive}},
              {"spring", {&m->no_passive}},
              {"equality", {&m->no_equality}},
              {"actuation", {&m->no_actuation}},
              {"constraint", {&m->no_contact, &m->no_limit, &m->no_friction, &m->no_equality}}};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++)
    if (is_word(ns_robot_attribute(m->r, x, list[k].name), "disable"))
      for (int i = 0; i < 6 && list[k].off[i]; i++) *list[k].off[i] = 1;
  if (is_word(ns_robot_attribute(m->r, x, "gravity"), "disable"))
    memset(m->r->gravity, 0, sizeof m->r->gravity);
}

static int read_option(mjcf *m, const xmlNode *x)
{
  ns_robot *r = m->r;
  if (ns_robot_vector(r, x, "timestep", 1, &r->timestep) < 0 ||
      ns_robot_vector(r, x, "gravity", 3, r->gravity) < 0)
    return NS_MODEL;
  if (!(r->timestep > 0))
    return ns_robot_fail(r, x, "timestep is %g, expected a positive time", r->timestep);
  const xmlNode *flag = ns_robot_child(x, "flag");
  if (flag) read_flag(m, flag);
  return NS_OK;
}

/* What bodies are made by, before them. */
static int read_settings(mjcf *m)
{
  int rc = NS_OK;
  for (const xmlNode *x = ns_robot_first(m->root); x && !rc; x = ns_robot_next(x)) {
    if (ns_robot_is(x, "compiler")) rc = read_compiler(m, x);
    if (ns_robot_is(x, "option")) rc = read_option(m, x);
    if (ns_robot_is(x, "default")) add_class(m, x, -1);
  }
  if (!m->nclasses) { /* class 0 is main, with nothing in it */
    m->class[0].name = "main";
    m->class[0].parent = -1;
    m->nclasses = 1;
  }
  return rc ? rc : m->r->msg.c.rc;
}

static int each(mjcf *m, const char *section, int (*visit)(mjcf *m, const xmlNode *x))
{
  int rc = NS_OK;
  for (const xmlNode *x = ns_robot_first(m->root); x && !rc; x = ns_robot_next(x))
    for (const xmlNode *k = ns_robot_is(x, section) ? ns_robot_first(x) : NULL; k && !rc;
         k = ns_robot_next(k)) {
      ns_robot_is(k, ns_robot_element(k));
      rc = visit(m, k);
    }
  return rc ? rc : m->r->msg.c.rc;
}

static int in_world(mjcf *m, const xmlNode *x)
{
  contents world = {.has_inertial = 0};
  return read_one(m, x, NS_ROBOT_WORLD, 0, &ns_pose_identity, &world);
}

/* settotalmass: all masses and inertias by one factor. */
static void scale_masses(mjcf *m)
{
  double sum = 0;
  for (int k = 0; k < m->r->nlinks; k++) sum += m->r->link[k].mass.mass;
  if (!(m->total > 0) || !(sum > 0)) return;
  for (int k = 0; k < m->r->nlinks; k++) {
    ns_mass *a = &m->r->link[k].mass;
    a->mass *= m->total / sum;
    for (int i = 0; i < 9; i++) a->inertia[i] *= m->total / sum;
  }
}

static int read(ns_robot *r, const xmlNode *root)
{
  mjcf m = {.r = r,
            .root = root,
            .angle = acos(-1) / 180,
            .sequence = "xyz",
            .autolimits = 1,
            .groups = {0, 5}};
  int rc = ns_robot_include(r, root);
  for (const xmlNode *x = ns_robot_first(root); x; x = ns_robot_next(x))
    m.tendons |= !strcmp(ns_robot_element(x), "tendon");
  if (!rc) rc = read_settings(&m);
  if (!rc) rc = each(&m, "worldbody", in_world);
  if (!rc) scale_masses(&m);
  if (!rc) rc = each(&m, "tendon", add_tendon);
  if (!rc && !m.no_actuation) rc = each(&m, "actuator", add_actuator);
  if (!rc && !m.no_equality) rc = each(&m, "equality", add_equality);
  if (!rc) rc = each(&m, "contact", add_contact);
  if (!rc) rc = keyframes(&m);
  free(m.site);
  if (rc) return rc;
  r->name = ns_robot_attribute(r, root, "model");
  ns_robot_child(root, "asset");
  ns_robot_unread(r, root, "light camera texture material visual statistic skin",
                  "rgba material group user class childclass width");
  return r->msg.c.rc;
}

static int recognises(const ns_import_source *s) { return ns_robot_begins(s, "mujoco"); }

static int convert(ns_ctx *c, const ns_import_source *s, const ns_import_options *opt, char **out)
{
  return ns_robot_convert(c, s, opt, "MJCF", "mujoco", read, out);
}

extern const ns_importer ns_import_mjcf;
const ns_importer ns_import_mjcf = {
    .name = "MJCF", .what = "a model of MuJoCo", .recognises = recognises, .convert = convert};
