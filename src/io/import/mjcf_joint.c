/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mjcf_joint.c -- joints of MJCF: <joint> of four types, <freejoint>. */
#include "io/import/mjcf.h"

#include <math.h>
#include <string.h>

static int joint_numbers(ns_mjcf *m, const xmlNode *x, int class, ns_robot_joint *j)
{
  double range[2] = {0}, force[2] = {0}, by = j->kind == NS_ROBOT_SLIDE ? 1 : m->angle;
  int ranged = ns_mjcf_vector(m, x, class, "range", 2, range),
      forced = ns_mjcf_vector(m, x, class, "actuatorfrcrange", 2, force);
  int bad = ranged < 0 || forced < 0 || ns_mjcf_vector(m, x, class, "ref", 1, &j->ref) < 0 ||
            ns_mjcf_vector(m, x, class, "springref", 1, &j->spring) < 0;
  bad |= ns_mjcf_linear(m, x, class, "stiffness", &j->stiffness) < 0 ||
         ns_mjcf_linear(m, x, class, "damping", &j->damping) < 0;
  bad |= ns_mjcf_vector(m, x, class, "armature", 1, &j->armature) < 0 ||
         ns_mjcf_vector(m, x, class, "frictionloss", 1, &j->friction) < 0;
  if (bad) return NS_MODEL;
  if (j->stiffness < 0)
    return ns_robot_fail(m->r, x, "has a negative stiffness, expected 0 or more");
  if (j->armature < 0 || j->friction < 0 || j->damping < 0)
    return ns_robot_fail(m->r, x,
                         "has a negative armature, damping or frictionloss, expected 0 or more");
  j->limited = !m->no_limit && ns_mjcf_is_limited(m, x, class, "limited", ranged);
  if (j->limited && !(range[0] <= range[1]))
    return ns_robot_fail(m->r, x, "attribute range is %g %g, expected the lower limit first",
                         range[0], range[1]);
  j->lower = by * range[0];
  j->upper = by * range[1];
  j->ref *= by;
  j->spring *= by;
  j->q = j->ref;
  if (ns_mjcf_is_limited(m, x, class, "actuatorfrclimited", forced)) {
    j->force_lower = force[0];
    j->force_upper = force[1];
  }
  if (m->no_friction) j->friction = 0;
  if (m->no_passive) j->damping = j->stiffness = 0;
  return NS_OK;
}

/* What a joint that is neither hinge nor slide cannot say here. */
static void tell_ball(ns_mjcf *m, const ns_robot_joint *j)
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

int ns_mjcf_add_joint(ns_mjcf *m, const xmlNode *x, int link, int around, const ns_pose *in)
{
  static const char *const types[] = {"hinge", "slide", "ball", "free"};
  ns_robot *r = m->r;
  int class = ns_mjcf_class_of(m, x, around), free = ns_robot_is(x, "freejoint"), kind = 0;
  const char *type = free ? "free" : ns_mjcf_get(m, x, class, "type"),
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
  if (ns_mjcf_vector(m, x, class, "axis", 3, axis) < 0 ||
      ns_mjcf_vector(m, x, class, "pos", 3, anchor) < 0)
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
