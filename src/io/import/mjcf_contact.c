/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mjcf_contact.c -- <contact> of MJCF: pairs of geoms with a law of their own, bodies apart. */
#include "io/import/mjcf.h"

#include <math.h>
#include <string.h>

/* condim 4 and 6. */
void ns_mjcf_report_turning(ns_mjcf *m, const xmlNode *x, int condim)
{
  if (condim > 3)
    ns_robot_lost(m->r, x, "condim %d: torsional friction about the normal is ignored", condim);
}

/* A <pair> of <contact> names it. */
int ns_mjcf_is_paired(ns_mjcf *m, const char *name)
{
  if (m->no_contact || !name) return 0;
  for (const xmlNode *c = ns_robot_first(m->root); c; c = ns_robot_next(c))
    for (const xmlNode *x = ns_robot_is(c, "contact") ? ns_robot_first(c) : NULL; x;
         x = ns_robot_next(x)) {
      if (strcmp(ns_robot_element(x), "pair")) continue;
      if (ns_mjcf_is_word(ns_robot_attribute(m->r, x, "geom1"), name) ||
          ns_mjcf_is_word(ns_robot_attribute(m->r, x, "geom2"), name))
        return 1;
    }
  return 0;
}

/* Shape of a geom: NS_MODEL, reported, where the file has none of that name; *shape -1 where it was
 * left out. */
static int shape_named(ns_mjcf *m, const xmlNode *x, const char *attribute, int *shape)
{
  const char *name = ns_robot_attribute(m->r, x, attribute);
  *shape = -1;
  if (!name) return ns_robot_fail(m->r, x, "attribute %s is missing, expected a geom", attribute);
  for (int k = 0; k < m->r->nshapes; k++)
    if (ns_mjcf_is_word(m->r->shape[k].name, name)) *shape = k;
  return NS_OK;
}

/* What is not given is that of the geoms, as where they meet by their bits. */
static int add_pair(ns_mjcf *m, const xmlNode *x)
{
  ns_robot *r = m->r;
  int class = ns_mjcf_class_of(m, x, 0), one, other;
  if (shape_named(m, x, "geom1", &one) || shape_named(m, x, "geom2", &other)) return NS_MODEL;
  if (one < 0 || other < 0) {
    ns_robot_left_out(r, x, "a <pair> with a geom that is ignored or does not exist is ignored");
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
  if (k < 0 || ns_mjcf_some(m, x, class, "friction", 5, friction) < 0) return NS_MODEL;
  if (friction[0] < 0 || friction[3] < 0)
    return ns_robot_fail(r, x, "attribute friction is negative, expected 0 or more");
  ns_robot_pair *p = &r->pair[k];
  p->condim = ns_mjcf_integer(m, x, class, "condim", condim);
  p->friction = friction[0];
  p->rolling = friction[3];
  ns_mjcf_report_turning(m, x, p->condim);
  if (fabs(friction[1] - friction[0]) > 0 || fabs(friction[4] - friction[3]) > 0)
    ns_robot_lost(r, x, "friction that differs with the direction is ignored: the first is used");
  return r->msg.c.nerrors ? NS_MODEL : NS_OK;
}

int ns_mjcf_add_contact(ns_mjcf *m, const xmlNode *x)
{
  int first, second;
  if (!strcmp(ns_robot_element(x), "pair") && !m->no_contact) return add_pair(m, x);
  if (strcmp(ns_robot_element(x), "exclude")) {
    ns_robot_left_out(
        m->r, x,
        "<%.40s> of <contact> is ignored: geoms collide according to contype and conaffinity",
        ns_robot_element(x));
    return NS_OK;
  }
  if (ns_mjcf_find_link(m, x, -1, "body1", &first) || ns_mjcf_find_link(m, x, -1, "body2", &second))
    return NS_MODEL;
  if (first < 0 || second < 0) {
    ns_robot_left_out(m->r, x, "<exclude> with the world is ignored");
    return NS_OK;
  }
  return ns_robot_add_exclude(m->r, first, second) < 0 ? NS_MODEL : NS_OK;
}
