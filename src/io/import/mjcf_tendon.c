/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mjcf_tendon.c -- tendons of MJCF, along joints or through sites, and those sites. */
#include "io/import/mjcf.h"

#include "base/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int ns_mjcf_add_site(ns_mjcf *m, const xmlNode *x, int link, int around, const ns_pose *in)
{
  ns_pose own = ns_pose_identity, at;
  if (!m->tendons || !ns_robot_is(x, "site")) return NS_OK;
  ns_robot_attribute(m->r, x, "size"); /* of its picture alone */
  ns_robot_attribute(m->r, x, "type");
  if (ns_mjcf_vector(m, x, ns_mjcf_class_of(m, x, around), "pos", 3, own.at) < 0) return NS_MODEL;
  if (ns_grow(&m->site, m->nsites)) return ns_robot_nomem(m->r);
  ns_pose_mul(in, &own, &at);
  m->site[m->nsites].name = ns_robot_attribute(m->r, x, "name");
  m->site[m->nsites].link = link;
  memcpy(m->site[m->nsites].at, at.at, sizeof at.at);
  m->nsites++;
  return NS_OK;
}

static int add_point(ns_mjcf *m, const xmlNode *x, double strands, ns_robot_tendon *t)
{
  const char *name = ns_robot_attribute(m->r, x, "site");
  int i = 0;
  while (i < m->nsites && !ns_mjcf_is_word(m->site[i].name, name)) i++;
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
static int add_pulley(ns_mjcf *m, const xmlNode *x, double *strands, ns_robot_tendon *t)
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
static int tendon_points(ns_mjcf *m, const xmlNode *x, ns_robot_tendon *t)
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
  return ns_robot_fail(m->r, x, "has %d site%s, expected two or more", t->n, t->n == 1 ? "" : "s");
}

double ns_mjcf_tendon_length(const ns_robot *r, const ns_robot_tendon *t)
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
static int tendon_joints(ns_mjcf *m, const xmlNode *x, ns_robot_tendon *t)
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
  return t->n ? NS_OK : ns_robot_fail(r, x, "has no joint, expected one or more");
}

static int tendon_numbers(ns_mjcf *m, const xmlNode *x, int class, ns_robot_tendon *t)
{
  double rest[2] = {-1, -1}, range[2] = {0};
  int given = ns_mjcf_some(m, x, class, "springlength", 2, rest),
      ranged = ns_mjcf_vector(m, x, class, "range", 2, range);
  if (given < 0 || ranged < 0 || ns_mjcf_linear(m, x, class, "stiffness", &t->stiffness) < 0 ||
      ns_mjcf_linear(m, x, class, "damping", &t->damping) < 0 ||
      ns_mjcf_vector(m, x, class, "frictionloss", 1, &t->friction) < 0)
    return NS_MODEL;
  if (t->stiffness < 0 || t->damping < 0 || t->friction < 0)
    return ns_robot_fail(m->r, x,
                         "has stiffness %g, damping %g and frictionloss %g, expected numbers that "
                         "are not negative",
                         t->stiffness, t->damping, t->friction);
  int drawn = given <= 0 || is_default_length(rest[0]) || (t->points && rest[0] < 0);
  t->rest[0] = drawn ? ns_mjcf_tendon_length(m->r, t) : rest[0];
  t->rest[1] = given == 2 && !drawn ? rest[1] : t->rest[0];
  t->limited = !m->no_limit && ns_mjcf_is_limited(m, x, class, "limited", ranged > 0);
  t->lower = range[0];
  t->upper = range[1];
  if (t->limited && !(t->lower < t->upper))
    return ns_robot_fail(m->r, x, "attribute range is %g %g, expected the lower limit first",
                         t->lower, t->upper);
  if (m->no_passive) t->stiffness = t->damping = 0;
  if (m->no_friction) t->friction = 0;
  return NS_OK;
}

int ns_mjcf_add_tendon(ns_mjcf *m, const xmlNode *x)
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
  if ((rc = tendon_numbers(m, x, ns_mjcf_class_of(m, x, 0), &t))) return rc;
  return ns_robot_add_tendon(r, &t) < 0 ? NS_MODEL : NS_OK;
}
