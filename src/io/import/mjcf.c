/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mjcf.c -- models of MuJoCo (mujoco.readthedocs.io, "XML reference" and "Modeling"): a tree of
 * bodies.
 *
 * Joints, geoms and the inertia of a body are in its frame. An attribute is the element's own, else
 * that of its class in <default>, else of the classes around that one. Angles are in degrees unless
 * <compiler angle="radian">; a joint has the coordinate ref in the pose that is drawn, where the
 * model starts. What holds shapes and limits apart is soft there and rigid here: solref, solimp and
 * margins are lost, and told with all else that nobody reads. */
#include "io/import/mjcf.h"

#include "algebra/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int read_compiler(ns_mjcf *m, const xmlNode *x)
{
  ns_robot *r = m->r;
  const char *angle = ns_robot_attribute(r, x, "angle"),
             *sequence = ns_robot_attribute(r, x, "eulerseq");
  const char *inertia = ns_robot_attribute(r, x, "inertiafromgeom"),
             *dir = ns_robot_attribute(r, x, "meshdir");
  const char *assets = ns_robot_attribute(r, x, "assetdir"),
             *limits = ns_robot_attribute(r, x, "autolimits");
  if (ns_mjcf_is_word(ns_robot_attribute(r, x, "coordinate"), "global"))
    return ns_robot_fail(
        r, x, "coordinate is global, which MuJoCo no longer supports, expected local frames");
  if (angle) m->angle = ns_mjcf_is_word(angle, "radian") ? 1 : acos(-1) / 180;
  if (sequence &&
      (strlen(sequence) != 3 || (strspn(sequence, "xyz") != 3 && strspn(sequence, "XYZ") != 3)))
    return ns_robot_fail(
        r, x, "eulerseq is %.20s, expected three axes in letters of one case, such as xyz or XYZ",
        sequence);
  if (sequence) memcpy(m->sequence, sequence, sizeof m->sequence);
  if (inertia)
    m->inertia = ns_mjcf_is_word(inertia, "true")    ? INERTIA_GEOMS
                 : ns_mjcf_is_word(inertia, "false") ? INERTIA_GIVEN
                                                     : INERTIA_AUTO;
  if (limits) m->autolimits = !ns_mjcf_is_word(limits, "false");
  if (assets && !m->meshdir) m->meshdir = assets;
  if (dir) m->meshdir = dir;
  if (ns_mjcf_is_word(ns_robot_attribute(r, x, "balanceinertia"), "true")) m->balance = 1;
  int bad = ns_robot_vector(r, x, "settotalmass", 1, &m->total) < 0 ||
            ns_robot_vector(r, x, "boundmass", 1, &m->min_mass) < 0 ||
            ns_robot_vector(r, x, "boundinertia", 1, &m->min_inertia) < 0 ||
            ns_robot_vector(r, x, "inertiagrouprange", 2, m->groups) < 0;
  return bad ? NS_MODEL : NS_OK;
}

static void read_flag(ns_mjcf *m, const xmlNode *x)
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
    if (ns_mjcf_is_word(ns_robot_attribute(m->r, x, list[k].name), "disable"))
      for (int i = 0; i < 6 && list[k].off[i]; i++) *list[k].off[i] = 1;
  if (ns_mjcf_is_word(ns_robot_attribute(m->r, x, "gravity"), "disable"))
    memset(m->r->gravity, 0, sizeof m->r->gravity);
}

static int read_option(ns_mjcf *m, const xmlNode *x)
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
static int read_settings(ns_mjcf *m)
{
  int rc = NS_OK;
  for (const xmlNode *x = ns_robot_first(m->root); x && !rc; x = ns_robot_next(x)) {
    if (ns_robot_is(x, "compiler")) rc = read_compiler(m, x);
    if (ns_robot_is(x, "option")) rc = read_option(m, x);
    if (ns_robot_is(x, "default")) ns_mjcf_add_class(m, x, -1);
  }
  if (!m->nclasses) { /* class 0 is main, with nothing in it */
    m->class[0].name = "main";
    m->class[0].parent = -1;
    m->nclasses = 1;
  }
  return rc ? rc : m->r->msg.c.rc;
}

static int each(ns_mjcf *m, const char *section, int (*visit)(ns_mjcf *m, const xmlNode *x))
{
  int rc = NS_OK;
  for (const xmlNode *x = ns_robot_first(m->root); x && !rc; x = ns_robot_next(x))
    for (const xmlNode *k = ns_robot_is(x, section) ? ns_robot_first(x) : NULL; k && !rc;
         k = ns_robot_next(k)) {
      /* bodies know what they hold, as the world does */
      if (visit != ns_mjcf_read_world) ns_robot_is(k, ns_robot_element(k));
      rc = visit(m, k);
    }
  return rc ? rc : m->r->msg.c.rc;
}

/* settotalmass: all masses and inertias by one factor. */
static void scale_masses(ns_mjcf *m)
{
  double sum = 0;
  for (int k = 0; k < m->r->nlinks; k++) sum += m->r->link[k].mass.mass;
  if (!(m->total > 0) || !(sum > 0)) return;
  for (int k = 0; k < m->r->nlinks; k++) {
    ns_mass *a = &m->r->link[k].mass;
    a->mass *= m->total / sum;
    ns_scale(9, m->total / sum, a->inertia);
  }
}

static int read(ns_robot *r, const xmlNode *root)
{
  ns_mjcf m = {.r = r,
               .root = root,
               .angle = acos(-1) / 180,
               .sequence = "xyz",
               .autolimits = 1,
               .groups = {0, 5}};
  int rc = ns_robot_include(r, root);
  for (const xmlNode *x = ns_robot_first(root); x; x = ns_robot_next(x))
    m.tendons |= !strcmp(ns_robot_element(x), "tendon");
  if (!rc) rc = read_settings(&m);
  if (!rc) rc = each(&m, "worldbody", ns_mjcf_read_world);
  if (!rc) scale_masses(&m);
  if (!rc) rc = each(&m, "tendon", ns_mjcf_add_tendon);
  if (!rc && !m.no_actuation) rc = each(&m, "actuator", ns_mjcf_add_actuator);
  if (!rc && !m.no_equality) rc = each(&m, "equality", ns_mjcf_add_equality);
  if (!rc) rc = each(&m, "contact", ns_mjcf_add_contact);
  if (!rc) rc = ns_mjcf_start(&m);
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
