/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mjcf_equality.c -- <equality> of MJCF: points and bodies that are held, joints and tendons that
 * follow each other. */
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

/* Terms of polycoef, c [11]: 1 where they are those of a straight line, 0 where the equality is
 * left out, -1. */
static int line_of(ns_mjcf *m, const xmlNode *x, int class, double *c)
{
  memset(c, 0, 11 * sizeof *c);
  c[1] = 1;
  if (ns_mjcf_some(m, x, class, "polycoef", 5, c) < 0) return -1;
  if (!(fabs(c[2]) > 0 || fabs(c[3]) > 0 || fabs(c[4]) > 0)) return 1;
  ns_robot_left_out(m->r, x,
                    "a %s that follows another one along a curve is ignored: only straight lines "
                    "are supported",
                    ns_robot_element(x));
  return 0;
}

/* A joint that is held at a coordinate, as a tendon over it alone. */
static int hold(ns_robot *r, const xmlNode *x, int joint, double at)
{
  if (r->joint[joint].kind >= NS_ROBOT_BALL) {
    ns_robot_left_out(r, x, "an equality of a joint without a coordinate is ignored");
    return NS_OK;
  }
  ns_robot_tendon t = {.node = x,
                       .name = r->joint[joint].name,
                       .n = 1,
                       .member = {joint},
                       .by = {1},
                       .kept = 1,
                       .length = at,
                       .body = -1};
  return ns_robot_add_tendon(r, &t) < 0 ? NS_MODEL : NS_OK;
}

/* Members of a tendon over joints by a factor: 0 where there are too many. */
static int add_members(const ns_robot_tendon *from, double factor, ns_robot_tendon *to)
{
  for (int i = 0; i < from->n; i++, to->n++) {
    if (to->n == NS_ROBOT_MEMBERS) return 0;
    to->member[to->n] = from->member[i];
    to->by[to->n] = factor * from->by[i];
  }
  return 1;
}

/* L1 - L1(0) = a + b (L2 - L2(0)), lengths of tendons against those of the reference; without the
 * second: L1 is held. Of two, over joints, it is a tendon of its own. */
static int couple_tendons(ns_mjcf *m, const xmlNode *x, int class)
{
  ns_robot *r = m->r;
  const char *name[] = {ns_mjcf_get(m, x, class, "tendon1"), ns_mjcf_get(m, x, class, "tendon2")};
  double c[11], by[] = {1, 0}, at = 0;
  int of[2], straight = line_of(m, x, class, c);
  ns_robot_tendon both = {.node = x, .name = "coupling", .kept = 1, .body = -1};
  if (straight <= 0) return straight ? NS_MODEL : NS_OK;
  by[1] = -c[1];
  for (int k = 0; k < 2; k++) {
    of[k] = ns_robot_find_tendon(r, name[k]);
    if (of[k] >= 0) at += by[k] * ns_mjcf_tendon_length(r, &r->tendon[of[k]]);
    if (of[k] >= 0 || (k && !name[k])) continue;
    ns_robot_left_out(r, x, "an equality of a tendon that is ignored or does not exist is ignored");
    return NS_OK;
  }
  if (of[1] < 0) {
    r->tendon[of[0]].kept = 1;
    r->tendon[of[0]].length = at + c[0];
    return NS_OK;
  }
  int over = !r->tendon[of[0]].points && !r->tendon[of[1]].points;
  for (int k = 0; k < 2 && over; k++) over = add_members(&r->tendon[of[k]], by[k], &both);
  if (!over) {
    ns_robot_left_out(r, x,
                      "an equality of two tendons is ignored: it is supported where both run over "
                      "joints, up to %d in all",
                      (int)NS_ROBOT_MEMBERS);
    return NS_OK;
  }
  both.length = at + c[0];
  for (int k = 0; k < 2; k++) r->tendon[of[k]].coupled = 1;
  return ns_robot_add_tendon(r, &both) < 0 ? NS_MODEL : NS_OK;
}

/* q1 = a + b q2; without joint2: held at a. */
static int couple(ns_mjcf *m, const xmlNode *x, int class)
{
  ns_robot *r = m->r;
  const char *name1 = ns_mjcf_get(m, x, class, "joint1"),
             *name2 = ns_mjcf_get(m, x, class, "joint2");
  double c[11];
  int one = ns_robot_find_joint(r, name1), other = ns_robot_find_joint(r, name2);
  int straight = line_of(m, x, class, c);
  if (straight < 0) return NS_MODEL;
  const char *unknown = one < 0 ? name1 : name2;
  if (one < 0 || (name2 && other < 0))
    return ns_robot_fail(r, x,
                         "names the joint %.60s, which does not exist, expected one of the file",
                         unknown ? unknown : "");
  if (!straight) return NS_OK;
  if (!name2) return hold(r, x, one, r->joint[one].ref + c[0]);
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
  if (!strcmp(ns_robot_element(x), "tendon")) return couple_tendons(m, x, class);
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
