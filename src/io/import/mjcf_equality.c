/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mjcf_equality.c -- <equality> of MJCF: points and bodies that are held, joints that follow. */
#include "io/import/mjcf.h"

#include <math.h>
#include <string.h>

int ns_mjcf_find_link(ns_mjcf *m, const xmlNode *x, int class, const char *attribute, int *link)
{
  const char *name = ns_mjcf_get(m, x, class, attribute);
  *link = NS_ROBOT_WORLD;
  if (!name || !strcmp(name, "world")) return NS_OK;
  if ((*link = ns_robot_find_link(m->r, name)) >= 0) return NS_OK;
  return ns_robot_fail(
      m->r, x, "names the body %.60s, which does not exist, expected one of the file", name);
}

/* q1 = a + b q2 without joint2: held at a. */
static int couple(ns_mjcf *m, const xmlNode *x, int class)
{
  ns_robot *r = m->r;
  const char *name1 = ns_mjcf_get(m, x, class, "joint1"),
             *name2 = ns_mjcf_get(m, x, class, "joint2");
  double c[11] = {0, 1};
  int one = ns_robot_find_joint(r, name1), other = ns_robot_find_joint(r, name2);
  if (ns_mjcf_some(m, x, class, "polycoef", 5, c) < 0) return NS_MODEL;
  const char *unknown = one < 0 ? name1 : name2;
  if (one < 0 || (name2 && other < 0))
    return ns_robot_fail(r, x,
                         "names the joint %.60s, which does not exist, expected one of the file",
                         unknown ? unknown : "");
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

int ns_mjcf_add_equality(ns_mjcf *m, const xmlNode *x)
{
  ns_robot *r = m->r;
  int class = ns_mjcf_class_of(m, x, 0), weld = !strcmp(ns_robot_element(x), "weld"), first, second;
  if (ns_mjcf_is_word(ns_mjcf_get(m, x, class, "active"), "false")) {
    ns_robot_left_out(r, x, "an equality that is not active is ignored");
    return NS_OK;
  }
  if (!strcmp(ns_robot_element(x), "joint")) return couple(m, x, class);
  if ((!weld && strcmp(ns_robot_element(x), "connect")) || !ns_mjcf_get(m, x, class, "body1")) {
    ns_robot_left_out(r, x, "<%.40s> of <equality>%s is ignored", ns_robot_element(x),
                      ns_mjcf_get(m, x, class, "body1") ? "" : " without body1");
    return NS_OK;
  }
  if (ns_mjcf_find_link(m, x, class, "body1", &first) ||
      ns_mjcf_find_link(m, x, class, "body2", &second))
    return NS_MODEL;
  int k = ns_robot_add_equality(r, x);
  if (k < 0) return NS_MODEL;
  r->equality[k].kind = weld ? NS_ROBOT_WELD : NS_ROBOT_CONNECT;
  r->equality[k].first = first;
  r->equality[k].second = second;
  return ns_mjcf_vector(m, x, class, "anchor", 3, r->equality[k].anchor) < 0 ? NS_MODEL : NS_OK;
}
