/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mjcf_attribute.c -- attributes of MJCF: the element's own, else that of its class in <default>,
 * else of the classes around that one; numbers, words and poses by them. */
#include "algebra/vector.h"
#include "io/import/mjcf.h"

#include "io/load/load_rigid.h"

#include <math.h>
#include <string.h>

/* motor, position, ... share the defaults of each other. */
static int is_actuator(const char *element)
{
  return ns_robot_has("general motor position velocity intvelocity damper cylinder muscle adhesion",
                      element);
}

static const char *of_class(ns_mjcf *m, const xmlNode *x, int class, const char *name)
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

const char *ns_mjcf_get(ns_mjcf *m, const xmlNode *x, int class, const char *name)
{
  /* both are looked at */
  const char *own = ns_robot_attribute(m->r, x, name), *common = of_class(m, x, class, name);
  return own ? own : common;
}

/* Up to `max` numbers: their count, -1: reported. */
int ns_mjcf_some(ns_mjcf *m, const xmlNode *x, int class, const char *name, int max, double *v)
{
  const char *text = ns_mjcf_get(m, x, class, name);
  return text ? ns_robot_numbers(m->r, x, name, text, max, v) : 0;
}

/* n numbers, v left alone where absent; 1, 0, -1 as ns_robot_vector. */
int ns_mjcf_vector(ns_mjcf *m, const xmlNode *x, int class, const char *name, int n, double *v)
{
  double found[16];
  int count = ns_mjcf_some(m, x, class, name, n, found);
  if (count <= 0) return count;
  if (count < n) {
    ns_robot_fail(m->r, x, "attribute %s has %d number%s, expected %d", name, count,
                  count == 1 ? "" : "s", n);
    return -1;
  }
  memcpy(v, found, (size_t)n * sizeof *v);
  return 1;
}

int ns_mjcf_integer(ns_mjcf *m, const xmlNode *x, int class, const char *name, int otherwise)
{
  double v = otherwise;
  return ns_mjcf_vector(m, x, class, name, 1, &v) < 0 ? otherwise : (int)fmin(fmax(v, -2e9), 2e9);
}

int ns_mjcf_is_word(const char *text, const char *word) { return text && !strcmp(text, word); }

int ns_mjcf_class_named(ns_mjcf *m, const xmlNode *x, const char *attribute, int otherwise)
{
  const char *name = ns_robot_attribute(m->r, x, attribute);
  if (!name) return otherwise;
  for (int k = 0; k < m->nclasses; k++)
    if (!strcmp(m->class[k].name, name)) return k;
  ns_robot_fail(m->r, x, "unknown class %.60s, expected that of a <default>", name);
  return otherwise;
}

int ns_mjcf_class_of(ns_mjcf *m, const xmlNode *x, int around)
{
  return ns_mjcf_class_named(m, x, "class", around);
}

void ns_mjcf_add_class(ns_mjcf *m, const xmlNode *x, int parent)
{
  const char *name = ns_robot_attribute(m->r, x, "class");
  int k = m->nclasses;
  if (k == NS_MJCF_CLASSES) {
    ns_robot_fail(m->r, x, "is the default class number %d, expected fewer", NS_MJCF_CLASSES + 1);
    return;
  }
  m->class[k].name = name ? name : "main";
  m->class[k].node = x;
  m->class[k].parent = parent;
  m->nclasses++;
  for (const xmlNode *d = ns_robot_first(x); d; d = ns_robot_next(d))
    if (ns_robot_is(d, "default")) ns_mjcf_add_class(m, d, k);
}

static int orientation(ns_mjcf *m, const xmlNode *x, int class, double *p)
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
  if (ns_mjcf_vector(m, x, class, way[k], size[k], v) < 0) return NS_MODEL;
  double n = sqrt(ns_dot3(v, v) + (k == 0 ? v[3] * v[3] : 0));
  if (k != 2 && !(n > 0))
    return ns_robot_fail(m->r, x, "attribute %s is zero, expected an orientation", way[k]);
  if (k == 0) {
    memcpy(p, v, 4 * sizeof *p);
    ns_quaternion_unit(p);
  }
  if (k == 1) {
    ns_scale(3, m->angle * v[3] / n, v);
    ns_quaternion_exp(v, p);
  }
  if (k == 2) {
    ns_scale(3, m->angle, v);
    ns_turn_euler(m->sequence, v, p);
  }
  if (k == 4) {
    ns_unit3(v);
    ns_quaternion_from_z(v, p);
  }
  return k == 3 ? ns_robot_axes(m->r, x, v, p) : NS_OK;
}

int ns_mjcf_pose(ns_mjcf *m, const xmlNode *x, int class, ns_pose *p)
{
  *p = ns_pose_identity;
  if (ns_mjcf_vector(m, x, class, "pos", 3, p->at) < 0) return NS_MODEL;
  return orientation(m, x, class, p->turn);
}

/* Of a range that `limited` may switch on or off. */
int ns_mjcf_is_limited(ns_mjcf *m, const xmlNode *x, int class, const char *limited, int has_range)
{
  const char *text = ns_mjcf_get(m, x, class, limited);
  if (ns_mjcf_is_word(text, "true")) return has_range;
  return !ns_mjcf_is_word(text, "false") && m->autolimits && has_range;
}

/* A spring that is not linear in new files: 3 numbers. */
int ns_mjcf_linear(ns_mjcf *m, const xmlNode *x, int class, const char *name, double *v)
{
  double found[3] = {*v};
  int n = ns_mjcf_some(m, x, class, name, 3, found);
  if (n > 1 && (fabs(found[1]) > 0 || fabs(found[2]) > 0))
    ns_robot_lost(m->r, x, "attribute %s: its nonlinear part is ignored", name);
  *v = found[0];
  return n;
}
