/* SPDX-License-Identifier: GPL-3.0-or-later */
/* urdf.c -- robots of ROS (wiki.ros.org/urdf/XML): links in a tree of joints.
 *
 * rpy turns about the fixed axes x, y, z; the axis of a joint is in axes of its child; ixy of an
 * inertia is an entry of the matrix. A link without <inertial> is a frame. The file says nothing of
 * gravity, of the step, of what the root stands on, nor of friction of shapes: the root is fixed to
 * the world unless it is said to float, and links of the robot pass through each other. */
#include "algebra/vector.h"
#include "io/import/robot.h"

#include "io/load/load_rigid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A joint as written, and the link that it leads to. */
typedef struct urdf_joint {
  const xmlNode *node;
  const char *name, *type, *parent, *child;
} urdf_joint;

typedef struct urdf {
  ns_robot *r;
  const xmlNode **link; /* [nlinks] */
  const char **name;
  int *place; /* its link of the robot, -1: not yet */
  urdf_joint *joint;
  int nlinks, njoints;
} urdf;

/* ---- pieces ---------------------------------------------------------------------------------- */

/* <origin> of x; the identity where there is none. */
static int origin(ns_robot *r, const xmlNode *x, ns_pose *p)
{
  const xmlNode *o = ns_robot_child(x, "origin");
  double rpy[3] = {0};
  *p = ns_pose_identity;
  if (!o) return NS_OK;
  if (ns_robot_vector(r, o, "xyz", 3, p->at) < 0 || ns_robot_vector(r, o, "rpy", 3, rpy) < 0)
    return NS_MODEL;
  ns_turn_euler("XYZ", rpy, p->turn);
  return NS_OK;
}

static int inertial(ns_robot *r, const xmlNode *link, ns_mass *out)
{
  const xmlNode *x = ns_robot_child(link, "inertial"), *mass = ns_robot_child(x, "mass"),
                *inertia = ns_robot_child(x, "inertia");
  static const char *const name[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  static const int place[][2] = {{0, 0}, {1, 3}, {2, 6}, {4, 4}, {5, 7}, {8, 8}};
  ns_mass own = {0};
  ns_pose at;
  *out = own;
  if (!x) return NS_OK;
  if (origin(r, x, &at)) return NS_MODEL;
  int found = mass ? ns_robot_vector(r, mass, "value", 1, &own.mass) : 0;
  if (found < 0) return NS_MODEL;
  if (!found) return ns_robot_fail(r, x, "has no <mass value=\"...\"/>, expected one in kg");
  if (own.mass < 0) return ns_robot_fail(r, x, "the mass is %g, expected a positive one", own.mass);
  for (int k = 0; inertia && k < 6; k++) {
    double v = 0;
    if (ns_robot_vector(r, inertia, name[k], 1, &v) < 0) return NS_MODEL;
    own.inertia[place[k][0]] = own.inertia[place[k][1]] = v;
  }
  if (own.mass > 0) ns_mass_add(out, &own, &at);
  return NS_OK;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static int positive(ns_robot *r, const xmlNode *x, const char *name, int n, double *v)
{
  int found = ns_robot_vector(r, x, name, n, v);
  if (found < 0) return NS_MODEL;
  if (!found) return ns_robot_fail(r, x, "attribute %s is missing, expected lengths in m", name);
  for (int k = 0; k < n; k++)
    if (!(v[k] > 0))
      return ns_robot_fail(r, x, "attribute %s contains %g, expected positive lengths", name, v[k]);
  return NS_OK;
}

static int read_mesh(ns_robot *r, const xmlNode *x, int link, const ns_pose *at)
{
  double scale[3] = {1, 1, 1};
  const char *name = ns_robot_attribute(r, x, "filename"), *file = NULL;
  if (ns_robot_vector(r, x, "scale", 3, scale) < 0) return NS_MODEL;
  if (!name)
    return ns_robot_fail(r, x, "attribute filename is missing, expected the file of the mesh");
  int rc = ns_robot_mesh_file(r, x, name, &file);
  if (rc || !file) return rc;
  if (!(scale[0] > 0) || fabs(scale[1] - scale[0]) > 1e-12 || fabs(scale[2] - scale[0]) > 1e-12) {
    ns_robot_lost(r, x, "a mesh with a mirror image or another scale along each axis is ignored");
    return NS_OK;
  }
  int k = ns_robot_add_shape(r, x, NULL, NS_ROBOT_MESH, link);
  if (k < 0) return NS_MODEL;
  r->shape[k].file = file;
  r->shape[k].scale = scale[0];
  r->shape[k].pose = *at;
  ns_robot_lost(r, x, "a mesh collides as its convex hull");
  return NS_OK;
}

static int read_geometry(ns_robot *r, const xmlNode *x, const char *name, int link,
                         const ns_pose *at)
{
  double size[3] = {0}, length = 0;
  ns_robot_shape_kind kind;
  int rc;
  if (ns_robot_is(x, "mesh")) return read_mesh(r, x, link, at);
  if (ns_robot_is(x, "box")) {
    kind = NS_ROBOT_BOX;
    rc = positive(r, x, "size", 3, size);
    ns_divide(3, 2, size);
  } else if (ns_robot_is(x, "sphere")) {
    kind = NS_ROBOT_SPHERE;
    rc = positive(r, x, "radius", 1, size);
  } else if (ns_robot_is(x, "cylinder") || ns_robot_is(x, "capsule")) {
    kind = ns_robot_is(x, "capsule") ? NS_ROBOT_CAPSULE : NS_ROBOT_CYLINDER;
    rc = positive(r, x, "radius", 1, size);
    if (!rc) rc = positive(r, x, "length", 1, &length);
    size[1] = length / 2;
  } else {
    return ns_robot_fail(
        r, x, "is no geometry, expected <box>, <sphere>, <cylinder>, <capsule> or <mesh>");
  }
  int k = rc ? -1 : ns_robot_add_shape(r, x, name, kind, link);
  if (k < 0) return NS_MODEL;
  memcpy(r->shape[k].size, size, sizeof size);
  r->shape[k].pose = *at;
  return NS_OK;
}

static int collisions(ns_robot *r, const xmlNode *link, int i)
{
  int rc = NS_OK;
  for (const xmlNode *x = ns_robot_first(link); x && !rc; x = ns_robot_next(x)) {
    ns_pose at;
    if (!ns_robot_is(x, "collision")) continue;
    const xmlNode *g = ns_robot_first(ns_robot_child(x, "geometry"));
    if (origin(r, x, &at)) return NS_MODEL;
    if (g) rc = read_geometry(r, g, ns_robot_attribute(r, x, "name"), i, &at);
    else ns_robot_lost(r, x, "a <collision> without a shape in its <geometry> is ignored");
  }
  return rc;
}

/* ---- joints ---------------------------------------------------------------------------------- */

static int limits(ns_robot *r, const xmlNode *x, const char *type, ns_robot_joint *j)
{
  const xmlNode *l = ns_robot_child(x, "limit"), *d = ns_robot_child(x, "dynamics");
  double effort = 0, velocity = 0, lower = 0, upper = 0;
  int bounded = !strcmp(type, "revolute") || !strcmp(type, "prismatic");
  if (d && (ns_robot_vector(r, d, "damping", 1, &j->damping) < 0 ||
            ns_robot_vector(r, d, "friction", 1, &j->friction) < 0))
    return NS_MODEL;
  if (j->damping < 0 || j->friction < 0)
    return ns_robot_fail(r, d, "has a negative damping or friction, expected 0 or more");
  if (!l && bounded)
    ns_robot_lost(
        r, x, "a %s joint without <limit>, which URDF requires, is imported without limits", type);
  if (!l) return NS_OK;
  int given = ns_robot_vector(r, l, "lower", 1, &lower),
      given_upper = ns_robot_vector(r, l, "upper", 1, &upper);
  if (given < 0 || given_upper < 0 || ns_robot_vector(r, l, "effort", 1, &effort) < 0 ||
      ns_robot_vector(r, l, "velocity", 1, &velocity) < 0)
    return NS_MODEL;
  if (effort > 0) {
    j->force_upper = effort;
    j->force_lower = -effort;
  }
  if (velocity > 0)
    ns_robot_lost(r, l,
                  "attribute velocity of <limit> bounds the command of a drive; the model does not "
                  "enforce it");
  if (!bounded || (!given && !given_upper)) return NS_OK;
  if (!(lower <= upper))
    return ns_robot_fail(r, l, "lower is %g and upper is %g, expected lower <= upper", lower,
                         upper);
  if (!(lower < upper))
    ns_robot_lost(r, l, "a joint whose limits are equal cannot move; a fixed one is cheaper");
  j->limited = 1;
  j->lower = lower;
  j->upper = upper;
  return NS_OK;
}

static int mimic(ns_robot *r, const xmlNode *x, int joint)
{
  const xmlNode *m = ns_robot_child(x, "mimic");
  double multiplier = 1, offset = 0;
  if (!m) return NS_OK;
  if (ns_robot_vector(r, m, "multiplier", 1, &multiplier) < 0 ||
      ns_robot_vector(r, m, "offset", 1, &offset) < 0)
    return NS_MODEL;
  int k = ns_robot_add_equality(r, m);
  if (k < 0) return NS_MODEL;
  r->equality[k] = (ns_robot_equality){.node = m,
                                       .kind = NS_ROBOT_COUPLE,
                                       .first = joint,
                                       .second = -1,
                                       .a = offset,
                                       .b = multiplier};
  return NS_OK;
}

/* Two slides across the normal, and a hinge about it. */
static int planar(ns_robot *r, const urdf_joint *u, int link, const double *normal)
{
  double t[2][3];
  ns_tangents3(normal, t[0], t[1]);
  ns_robot_lost(r, u->node, "a planar joint becomes two slides and a hinge");
  for (int i = 0; i < 3; i++) {
    char name[120];
    snprintf(name, sizeof name, "%.100s%s", u->name, i == 0 ? "_x" : i == 1 ? "_y" : "");
    const char *copy = ns_arena_text(r->a, name);
    int k = copy ? ns_robot_add_joint(r, u->node, copy, i < 2 ? NS_ROBOT_SLIDE : NS_ROBOT_HINGE,
                                      link)
                 : ns_robot_nomem(r);
    if (k < 0) return NS_MODEL;
    memcpy(r->joint[k].axis, i < 2 ? t[i] : normal, 3 * sizeof(double));
  }
  return NS_OK;
}

static int make_joint(ns_robot *r, const urdf_joint *u, int link)
{
  static const char *const types = "revolute continuous prismatic planar";
  const xmlNode *x = ns_robot_child(u->node, "axis");
  double axis[3] = {1, 0, 0};
  if (!strcmp(u->type, "fixed")) return NS_OK;
  if (!strcmp(u->type, "floating"))
    return ns_robot_add_joint(r, u->node, u->name, NS_ROBOT_FREE, link) < 0 ? NS_MODEL : NS_OK;
  if (!ns_robot_has(types, u->type))
    return ns_robot_fail(
        r, u->node,
        "type is %.40s, expected revolute, continuous, prismatic, fixed, floating or planar",
        u->type);
  if (x && ns_robot_vector(r, x, "xyz", 3, axis) < 0) return NS_MODEL;
  if (!(ns_unit3(axis) > 0)) return ns_robot_fail(r, x, "is zero, expected a direction");
  if (!strcmp(u->type, "planar")) return planar(r, u, link, axis);
  int k = ns_robot_add_joint(r, u->node, u->name,
                             strcmp(u->type, "prismatic") ? NS_ROBOT_HINGE : NS_ROBOT_SLIDE, link);
  if (k < 0) return NS_MODEL;
  memcpy(r->joint[k].axis, axis, sizeof axis);
  int rc = limits(r, u->node, u->type, &r->joint[k]);
  return rc ? rc : mimic(r, u->node, k);
}

/* Other joints, once all are there. What is followed starts where it leads to. */
static int resolve_mimics(ns_robot *r)
{
  for (int k = 0; k < r->nequalities; k++) {
    ns_robot_equality *e = &r->equality[k];
    const char *name = ns_robot_attribute(r, e->node, "joint");
    e->second = ns_robot_find_joint(r, name);
    if (e->second < 0)
      return ns_robot_fail(
          r, e->node,
          "names the joint %.60s, which does not exist or does not move, expected another",
          name ? name : "");
    if (e->second == e->first)
      return ns_robot_fail(r, e->node, "a joint follows itself, expected another");
    r->joint[e->first].q = e->a + e->b * r->joint[e->second].q;
  }
  return NS_OK;
}

/* A motor for each joint of a <transmission>; the effort of a joint is that of its motor times the
 * reduction. */
static int transmission(ns_robot *r, const xmlNode *x)
{
  const xmlNode *j = ns_robot_child(x, "joint"), *a = ns_robot_child(x, "actuator");
  const xmlNode *reduction = a ? ns_robot_child(a, "mechanicalReduction") : NULL;
  const char *name = ns_robot_attribute(r, j ? j : x, "name");
  double ratio = 1;
  int joint = ns_robot_find_joint(r, name);
  if (joint < 0) {
    ns_robot_lost(r, x, "a transmission of no joint that moves is ignored");
    return NS_OK;
  }
  if (!reduction) reduction = ns_robot_child(x, "mechanicalReduction");
  if (reduction) {
    xmlChar *text = xmlNodeGetContent((xmlNode *)(uintptr_t)reduction);
    if (!text) return ns_robot_nomem(r);
    int n = ns_robot_numbers(r, reduction, "mechanicalReduction", (const char *)text, 1, &ratio);
    xmlFree(text);
    if (n < 0) return NS_MODEL;
  }
  if (r->joint[joint].kind == NS_ROBOT_FREE) return NS_OK;
  int k = ns_robot_add_actuator(r, x, a ? ns_robot_attribute(r, a, "name") : NULL, joint);
  if (k < 0) return NS_MODEL;
  r->actuator[k].gear = ratio;
  return NS_OK;
}

/* ---- the tree -------------------------------------------------------------------------------- */

static int find(const urdf *u, const char *name)
{
  for (int k = 0; name && k < u->nlinks; k++)
    if (!strcmp(u->name[k], name)) return k;
  return -1;
}

static int collect(urdf *u, const xmlNode *root)
{
  ns_robot *r = u->r;
  int n = 0;
  for (const xmlNode *x = ns_robot_first(root); x; x = ns_robot_next(x)) n++;
  const ns_array want[] = {{&u->link, (size_t)n, sizeof *u->link},
                           {&u->name, (size_t)n, sizeof *u->name},
                           {&u->place, (size_t)n, sizeof *u->place},
                           {&u->joint, (size_t)n, sizeof *u->joint}};
  if (ns_arena_arrays(r->a, want, sizeof want / sizeof *want)) return ns_robot_nomem(r);
  for (const xmlNode *x = ns_robot_first(root); x; x = ns_robot_next(x)) {
    int is_link = ns_robot_is(x, "link");
    if (!is_link && !ns_robot_is(x, "joint")) continue;
    const char *name = ns_robot_attribute(r, x, "name");
    if (!name || !*name) return ns_robot_fail(r, x, "attribute name is missing, expected one");
    if (is_link && find(u, name) >= 0)
      return ns_robot_fail(r, x, "an earlier link has the same name, expected another name");
    if (is_link) {
      u->place[u->nlinks] = -1;
      u->name[u->nlinks] = name;
      u->link[u->nlinks++] = x;
      continue;
    }
    urdf_joint *j = &u->joint[u->njoints++];
    *j = (urdf_joint){.node = x,
                      .name = name,
                      .type = ns_robot_attribute(r, x, "type"),
                      .parent = ns_robot_attribute(r, ns_robot_child(x, "parent"), "link"),
                      .child = ns_robot_attribute(r, ns_robot_child(x, "child"), "link")};
    if (!j->type)
      return ns_robot_fail(r, x,
                           "attribute type is missing, expected revolute, continuous, prismatic, "
                           "fixed, floating or planar");
    if (!j->parent || !j->child)
      return ns_robot_fail(r, x, "has no <%s link=\"...\"/>, expected one",
                           j->parent ? "child" : "parent");
  }
  return NS_OK;
}

/* Each joint joins two links that are there; no link has two parents. */
static int check_joints(const urdf *u)
{
  for (int k = 0; k < u->njoints; k++) {
    const urdf_joint *j = &u->joint[k];
    const char *missing = find(u, j->parent) < 0  ? j->parent
                          : find(u, j->child) < 0 ? j->child
                                                  : NULL;
    if (missing)
      return ns_robot_fail(u->r, j->node,
                           "names the link %.60s, which does not exist, expected one of the file",
                           missing);
    if (!strcmp(j->parent, j->child))
      return ns_robot_fail(u->r, j->node, "connects the link %.60s to itself, expected two links",
                           j->child);
    for (int i = 0; i < k; i++)
      if (!strcmp(u->joint[i].child, j->child))
        return ns_robot_fail(
            u->r, j->node,
            "is the second joint that leads to the link %.60s (the first: %.60s), expected a tree",
            j->child, u->joint[i].name);
  }
  return NS_OK;
}

static const urdf_joint *joint_to(const urdf *u, const char *link)
{
  for (int k = 0; k < u->njoints; k++)
    if (!strcmp(u->joint[k].child, link)) return &u->joint[k];
  return NULL;
}

/* The one link that no joint leads to; -1: reported. */
static int root_of(const urdf *u, const xmlNode *root)
{
  int found = -1;
  for (int k = 0; k < u->nlinks; k++) {
    if (joint_to(u, u->name[k])) continue;
    if (found >= 0) {
      ns_robot_fail(u->r, u->link[k],
                    "no joint leads to it, nor to the link %.60s, expected one root; connect one "
                    "of them by a joint",
                    u->name[found]);
      return -1;
    }
    found = k;
  }
  if (found < 0)
    ns_robot_fail(u->r, root,
                  u->nlinks
                      ? "a joint leads to each link: the joints form a circle, expected one root"
                      : "has no link, expected at least one");
  return found;
}

static int add(urdf *u, int k, const urdf_joint *by, int parent)
{
  ns_robot *r = u->r;
  int i = u->place[k] = ns_robot_add_link(r, u->link[k], u->name[k], parent);
  if (i < 0) return NS_MODEL;
  int rc = inertial(r, u->link[k], &r->link[i].mass);
  if (!rc) rc = collisions(r, u->link[k], i);
  if (!rc && by) rc = origin(r, by->node, &r->link[i].pose);
  return rc || !by ? rc : make_joint(r, by, i);
}

/* Parents before children, in the order of the file. */
static int add_all(urdf *u, int root)
{
  int *queue = ns_arena_get(u->r->a, (size_t)u->nlinks, sizeof *queue), n = 1;
  if (!queue) return ns_robot_nomem(u->r);
  queue[0] = root;
  int rc = add(u, root, NULL, NS_ROBOT_WORLD);
  for (int i = 0; i < n && !rc; i++)
    for (int k = 0; k < u->njoints && !rc; k++) {
      if (strcmp(u->joint[k].parent, u->name[queue[i]])) continue;
      queue[n] = find(u, u->joint[k].child);
      rc = add(u, queue[n], &u->joint[k], u->place[queue[i]]);
      n++;
    }
  for (int k = 0; k < u->nlinks && !rc; k++)
    if (u->place[k] < 0)
      rc = ns_robot_fail(u->r, u->link[k],
                         "its joints form a circle, expected a tree from the root %.60s",
                         u->name[root]);
  return rc;
}

static int base(urdf *u, int root)
{
  ns_robot *r = u->r;
  int i = u->place[root];
  if (!strcmp(u->name[root], "world")) return NS_OK;
  if (r->opt->floating)
    return ns_robot_add_joint(r, u->link[root], NULL, NS_ROBOT_FREE, i) < 0 ? NS_MODEL : NS_OK;
  ns_robot_lost(r, u->link[root], "the root is fixed to the world; --floating-base lets it move");
  return NS_OK;
}

static int read(ns_robot *r, const xmlNode *root)
{
  urdf u = {.r = r};
  int rc = collect(&u, root);
  if (!rc) rc = check_joints(&u);
  int first = rc ? -1 : root_of(&u, root);
  if (first < 0) return NS_MODEL;
  r->name = ns_robot_attribute(r, root, "name");
  r->timestep = 1e-3;
  r->inside = 0;
  rc = add_all(&u, first);
  if (!rc) rc = base(&u, first);
  if (!rc) rc = resolve_mimics(r);
  for (const xmlNode *x = ns_robot_first(root); x && !rc; x = ns_robot_next(x))
    if (ns_robot_is(x, "transmission")) rc = transmission(r, x);
  if (rc) return rc;
  ns_robot_lost(
      r, root,
      "gravity, step and end of the simulation are not in the file: -9.81 m/s^2 along z, %g s, 1 s",
      r->timestep);
  if (r->nshapes)
    ns_robot_lost(r, root,
                  "shapes of the robot do not collide with each other; add a <contacts> with the "
                  "shapes that they can touch");
  ns_robot_unread(r, root, "visual material", "version");
  return r->msg.c.rc;
}

static int recognises(const ns_import_source *s) { return ns_robot_begins(s, "robot"); }

static int convert(ns_ctx *c, const ns_import_source *s, const ns_import_options *opt, char **out)
{
  return ns_robot_convert(c, s, opt, "URDF", "robot", read, out);
}

extern const ns_importer ns_import_urdf;
const ns_importer ns_import_urdf = {
    .name = "URDF", .what = "a robot in URDF", .recognises = recognises, .convert = convert};
