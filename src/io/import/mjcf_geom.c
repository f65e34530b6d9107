/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mjcf_geom.c -- geoms of MJCF: shape, pose, part of the mass of the body, words of contact. */
#include "algebra/vector.h"
#include "io/import/mjcf.h"

#include <math.h>
#include <string.h>

/* Half the length of fromto=, its middle and direction go to the pose. */
static int from_to(ns_mjcf *m, const xmlNode *x, int class, ns_robot_shape *s, ns_pose *at)
{
  double v[6], d[3];
  int found = ns_mjcf_vector(m, x, class, "fromto", 6, v);
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

static int geom_size(ns_mjcf *m, const xmlNode *x, int class, ns_robot_shape *s, ns_pose *at)
{
  static const int wanted[] = {1, 3, 2, 2, 3, 0, 0, 0}; /* by kind */
  int n = ns_mjcf_some(m, x, class, "size", 3, s->size);
  if (n < 0 || wanted[s->kind] == 0) return n < 0 ? NS_MODEL : NS_OK;
  int ends = s->kind == NS_ROBOT_SPHERE ? 0 : from_to(m, x, class, s, at);
  if (ends < 0) return NS_MODEL;
  int need = ends ? 1 : wanted[s->kind];
  if (n < need)
    return ns_robot_fail(m->r, x, "attribute size has %d number%s, expected %d", n,
                         n == 1 ? "" : "s", need);
  for (int k = 0; k < wanted[s->kind]; k++)
    if (!(s->size[k] > 0))
      return ns_robot_fail(m->r, x, "attribute size contains %g, expected positive lengths",
                           s->size[k]);
  return NS_OK;
}

/* Its part of the mass of its body. */
static int geom_mass(ns_mjcf *m, const xmlNode *x, int class, const ns_robot_shape *s, ns_mass *sum)
{
  double density = 1000, mass = -1, volume;
  int group = ns_mjcf_integer(m, x, class, "group", 0), given = 0;
  ns_mass own;
  if (ns_mjcf_vector(m, x, class, "density", 1, &density) < 0 ||
      (given = ns_mjcf_vector(m, x, class, "mass", 1, &mass)) < 0)
    return NS_MODEL;
  if (density < 0 || (given && mass < 0))
    return ns_robot_fail(m->r, x, "attribute %s is %g, expected 0 or more",
                         density < 0 ? "density" : "mass", density < 0 ? density : mass);
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
  double by = given ? mass : density * volume;
  ns_scale(9, by, own.inertia);
  own.mass = by;
  if (by > 0) ns_mass_add(sum, &own, &s->pose);
  return NS_OK;
}

static int geom_contact(ns_mjcf *m, const xmlNode *x, int class, ns_robot_shape *s)
{
  double friction[3] = {1, 0.005, 0.0001};
  if (ns_mjcf_some(m, x, class, "friction", 3, friction) < 0) return NS_MODEL;
  if (friction[0] < 0)
    return ns_robot_fail(m->r, x, "attribute friction is %g, expected 0 or more", friction[0]);
  s->contype = (unsigned)ns_mjcf_integer(m, x, class, "contype", 1);
  s->conaffinity = (unsigned)ns_mjcf_integer(m, x, class, "conaffinity", 1);
  s->condim = ns_mjcf_integer(m, x, class, "condim", 3);
  s->priority = ns_mjcf_integer(m, x, class, "priority", 0);
  s->friction = friction[0];
  if (m->no_contact) s->contype = s->conaffinity = 0;
  s->rolling = friction[2];
  ns_mjcf_report_turning(m, x, s->condim);
  return m->r->msg.c.nerrors ? NS_MODEL : NS_OK;
}

int ns_mjcf_add_geom(ns_mjcf *m, const xmlNode *x, int link, int around, const ns_pose *in,
                     ns_mass *sum)
{
  static const char *const types[] = {"sphere",    "box",   "cylinder", "capsule",
                                      "ellipsoid", "plane", "mesh",     "hfield"};
  ns_robot *r = m->r;
  int class = ns_mjcf_class_of(m, x, around), kind = 0, NKINDS = sizeof types / sizeof *types;
  const char *type = ns_mjcf_get(m, x, class, "type"), *mesh = ns_mjcf_get(m, x, class, "mesh");
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
  if (ns_mjcf_pose(m, x, class, &at)) return NS_MODEL;
  int k = ns_robot_add_shape(r, x, ns_robot_attribute(r, x, "name"), (ns_robot_shape_kind)kind,
                             link);
  if (k < 0) return NS_MODEL;
  ns_robot_shape *s = &r->shape[k];
  int usable = 1, rc = NS_OK;
  if (kind == NS_ROBOT_MESH) usable = ns_mjcf_read_mesh(m, x, mesh, s);
  if (kind == NS_ROBOT_FIELD)
    usable = ns_mjcf_read_field(m, x, ns_mjcf_get(m, x, class, "hfield"), s);
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
  s->paired = ns_mjcf_is_paired(m, s->name);
  int pictured = !s->contype && !s->conaffinity && !s->paired; /* it cannot meet anything */
  if (!usable || pictured || (kind == NS_ROBOT_PLANE && link >= 0)) r->nshapes--;
  return NS_OK;
}
