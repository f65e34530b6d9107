/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mjcf_body.c -- the tree of bodies of MJCF: <body>, <frame>, <inertial>, what stands in them. */
#include "io/import/mjcf.h"

#include <math.h>
#include <string.h>

static int read_inertial(ns_mjcf *m, const xmlNode *x, const ns_pose *in, ns_mass *out)
{
  ns_robot *r = m->r;
  double d[3] = {0}, full[6];
  ns_mass own = {0};
  ns_pose at, to;
  if (ns_mjcf_pose(m, x, -1, &at)) return NS_MODEL;
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

static int read_contents(ns_mjcf *m, const xmlNode *x, int link, int around, const ns_pose *in,
                         contents *c);

static int read_body(ns_mjcf *m, const xmlNode *x, int parent, int around, const ns_pose *in)
{
  ns_robot *r = m->r;
  contents c = {.has_inertial = 0};
  ns_pose at;
  if (ns_mjcf_pose(m, x, -1, &at)) return NS_MODEL;
  int i = ns_robot_add_link(r, x, ns_robot_attribute(r, x, "name"), parent);
  if (i < 0) return NS_MODEL;
  ns_pose_mul(in, &at, &r->link[i].pose);
  if (ns_mjcf_is_word(ns_robot_attribute(r, x, "mocap"), "true"))
    ns_robot_lost(r, x, "a mocap body is fixed in its initial pose");
  int rc = read_contents(m, x, i, ns_mjcf_class_named(m, x, "childclass", around),
                         &ns_pose_identity, &c);
  if (rc) return rc;
  int by_geoms = m->inertia == INERTIA_GEOMS || (m->inertia == INERTIA_AUTO && !c.has_inertial);
  ns_mass mass = by_geoms ? c.geoms : c.given;
  if (mass.mass > 0 || r->link[i].njoints) mass.mass = fmax(mass.mass, m->min_mass);
  for (int k = 0; k < 3; k++)
    mass.inertia[4 * k] = fmax(mass.inertia[4 * k], mass.mass > 0 ? m->min_inertia : 0);
  if (m->balance && mass.inertia[0] + mass.inertia[4] < mass.inertia[8])
    ns_robot_lost(r, x,
                  "balanceinertia is ignored: an inertia that no body can have is not changed");
  r->link[i].mass = mass;
  return NS_OK;
}

static int read_one(ns_mjcf *m, const xmlNode *x, int link, int around, const ns_pose *in,
                    contents *c)
{
  ns_pose own, at;
  if (ns_robot_is(x, "body")) return read_body(m, x, link, around, in);
  if (ns_robot_is(x, "geom")) return ns_mjcf_add_geom(m, x, link, around, in, &c->geoms);
  if (!strcmp(ns_robot_element(x), "site")) return ns_mjcf_add_site(m, x, link, around, in);
  if (ns_robot_is(x, "joint") || ns_robot_is(x, "freejoint"))
    return ns_mjcf_add_joint(m, x, link, around, in);
  if (ns_robot_is(x, "inertial")) {
    c->has_inertial = 1;
    return read_inertial(m, x, in, &c->given);
  }
  if (ns_robot_is(x, "frame")) {
    if (ns_mjcf_pose(m, x, -1, &own)) return NS_MODEL;
    ns_pose_mul(in, &own, &at);
    return read_contents(m, x, link, ns_mjcf_class_named(m, x, "childclass", around), &at, c);
  }
  if (ns_robot_has("composite replicate attach flexcomp", ns_robot_element(x)))
    return ns_robot_fail(m->r, x,
                         "generates bodies and is not supported, expected them written out; "
                         "MuJoCo's sample `compile` does that");
  return NS_OK;
}

static int read_contents(ns_mjcf *m, const xmlNode *x, int link, int around, const ns_pose *in,
                         contents *c)
{
  int rc = NS_OK;
  for (const xmlNode *k = ns_robot_first(x); k && !rc; k = ns_robot_next(k))
    rc = read_one(m, k, link, around, in, c);
  return rc ? rc : m->r->msg.c.rc;
}

int ns_mjcf_read_world(ns_mjcf *m, const xmlNode *x)
{
  contents world = {.has_inertial = 0};
  return read_one(m, x, NS_ROBOT_WORLD, 0, &ns_pose_identity, &world);
}
