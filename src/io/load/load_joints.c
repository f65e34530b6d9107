/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_joints.c -- joints, assembled at the initial configuration of their bodies, and rows on
 * their free coordinates. */
#include "io/load/load_rigid.h"

#include "algebra/rotation.h"
#include "io/load/load_frame.h"
#include "model/relations/rigid_relation.h"

#include <stdio.h>
#include <string.h>

/* ---- joints ---------------------------------------------------------------------------------- */

typedef struct joint_made {
  ns_joint_kind kind;
  ns_vector3 point, axis;
  int in_body; /* axes of the first body */
  int collide;
  ns_drive_made *drive;
  ns_scalar *start[2]; /* coordinates and rates that it begins with */
  int nstart[2];
} joint;

static const char *const starts[2] = {"initial", "initialRate"};

/* In the order of ns_joint_kind. */
static const char *const joint_names[] = {"KneeJointR", "PivotJointR", "PrismaticJointR",
                                          "CylindricalJointR", "FixedJointR"};

static int joint_make(ns_load *l, ns_elem *e, const ns_indices *index)
{
  joint *j = e->made = ns_arena_zero(l->scratch, 1, sizeof *j);
  if (!j) return ns_nomem(&l->msg.c, "a joint");
  while (strcmp(joint_names[j->kind], e->name)) j->kind++;
  int rc = ns_vector3_make(l, e, "point", 0, index, &j->point), bad = rc;
  if (rc != NS_NOMEM) bad |= rc = ns_vector3_make(l, e, "axis", 0, index, &j->axis);
  j->in_body = ns_load_word(l, e, "axes", 0);
  j->collide = ns_load_word(l, e, "collide", 0);
  for (int k = 0; k < 2 && rc != NS_NOMEM; k++)
    if (ns_elem_item(e, starts[k]))
      bad |= rc = ns_load_attribute_list(l, e, starts[k], index, &j->start[k], &j->nstart[k]);
  return rc == NS_NOMEM ? rc : bad || j->in_body < 0 || j->collide < 0 ? NS_MODEL : NS_OK;
}

/* One body and the world, or two bodies. */
static int check_bodies(ns_load *l, const ns_elem *e, const char *id, const ns_interaction *it)
{
  if (it->nsystems != 1 && it->nsystems != 2)
    return ns_elem_fail(&l->msg, e, id, "acts on %d systems, expected 2 bodies, or 1 and the world",
                        it->nsystems);
  if (it->nsystems == 2 && it->systems[0] == it->systems[1])
    return ns_elem_fail(&l->msg, e, id, "acts on %s twice, expected two bodies",
                        l->m->systems[it->systems[0]].at.id);
  return NS_OK;
}

/* A vector of n entries, in space or in the plane. */
static int vector(ns_load *l, const ns_elem *e, const char *name, const ns_vector3 *v, int n,
                  const ns_indices *index, const char *id, double *x)
{
  if (!v->s || v->n == n) return ns_vector3_get(l, e, name, v, index, id, x);
  return ns_elem_fail(&l->msg, e, id,
                      "attribute %s has %d entr%s, expected %d: its bodies are in %s", name, v->n,
                      v->n == 1 ? "y" : "ies", n, n == 2 ? "the plane" : "space");
}

/* Point and axis of body 1 in axes of the world. */
static void to_world(const double *q1, int planar, double *point, double *axis)
{
  double R[9] = {[8] = 1}, p[3], a[3];
  if (planar) {
    R[0] = R[4] = cos(q1[2]);
    R[3] = -(R[1] = sin(q1[2]));
  } else {
    ns_quaternion_matrix(q1 + 3, R);
  }
  ns_mul3(R, point, p);
  ns_mul3(R, axis, a);
  for (int i = 0; i < (planar ? 2 : 3); i++) {
    point[i] = q1[i] + p[i];
    axis[i] = a[i];
  }
}

/* What the kind is made of, between bodies in space or in the plane. */
static int check_kind(ns_load *l, const ns_elem *e, const char *id, const joint *j, int planar)
{
  if (planar && !ns_planar_joint_rows(j->kind))
    return ns_elem_fail(&l->msg, e, id,
                        "acts on bodies in the plane, expected bodies in space; use <PivotJointR>, "
                        "<PrismaticJointR> or <FixedJointR>");
  if (planar && j->kind == NS_JOINT_PIVOT && j->axis.s)
    return ns_elem_fail(
        &l->msg, e, id,
        "attribute axis is given, but in the plane a hinge turns about the point alone; remove it");
  if (!planar && j->kind == NS_JOINT_PIVOT && !j->axis.s)
    return ns_elem_fail(
        &l->msg, e, id,
        "attribute axis is missing, expected the direction of the axis: axis=\"0 0 1\"");
  return NS_OK;
}

/* What it begins with, one entry for each free coordinate. */
static int start_get(ns_load *l, const ns_elem *e, const ns_indices *index, const char *id,
                     const joint *j, ns_interaction *it)
{
  ns_joint_start s = {{NAN, NAN}, {NAN, NAN}};
  int want = ns_interaction_angles(it);
  if (!j->nstart[0] && !j->nstart[1]) return NS_OK;
  for (int k = 0; k < 2; k++) {
    if (j->nstart[k] && j->nstart[k] != want)
      return ns_elem_fail(&l->msg, e, id, "attribute %s has %d entries, expected %d: %s", starts[k],
                          j->nstart[k], want,
                          want == 1 ? "the joint has one free coordinate"
                                    : "of the angle, then of the slide");
    for (int i = 0; i < j->nstart[k]; i++) {
      double x = ns_scalar_get(&j->start[k][i], index);
      if (isnan(x) && l->nan_said) return NS_MODEL;
      if (!isfinite(x))
        return ns_elem_fail(&l->msg, e, id, "attribute %s is %g, expected a finite number",
                            starts[k], x);
      *((k ? s.rate : s.at) + (want == 2 ? i : !ns_joint_is_free(&it->joint, 0))) = x;
    }
  }
  it->joint.start = ns_arena_copy(l->m->arena, &s, 1, sizeof s);
  return it->joint.start ? NS_OK : ns_nomem(&l->msg.c, "a joint");
}

static int joint_get(ns_load *l, const ns_elem *e, const ns_indices *index, const char *id,
                     ns_interaction *it)
{
  joint *j = e->made;
  double point[3] = {0}, axis[3] = {0};
  const ns_system *first = &l->m->systems[it->systems[0]];
  int planar = ns_system_is_planar(first), rc = check_bodies(l, e, id, it);
  if (!rc) rc = check_kind(l, e, id, j, planar);
  if (!rc) rc = vector(l, e, "point", &j->point, planar ? 2 : 3, index, id, point);
  if (!rc) rc = vector(l, e, "axis", &j->axis, planar ? 2 : 3, index, id, axis);
  if (rc) return rc;
  if (j->axis.s && !(ns_norm3(axis) > 0))
    return ns_elem_fail(&l->msg, e, id, "attribute axis is zero, expected a direction");
  const double *q1 = first->q0, *q2 = it->nsystems == 2 ? l->m->systems[it->systems[1]].q0 : NULL;
  if (j->in_body) to_world(q1, planar, point, axis);
  else if ((rc = ns_load_frame_check(l, e, id, planar))) return rc;
  else ns_load_frame_place(l, point, axis);
  it->joint = (ns_joint){.kind = j->kind, .collide = j->collide};
  (planar ? ns_planar_joint_assemble : ns_joint_assemble)(
      &it->joint, q1, q2, j->point.s ? point : NULL, j->axis.s ? axis : NULL);
  it->m = (planar ? ns_planar_joint_rows : ns_joint_rows)(j->kind);
  rc = start_get(l, e, index, id, j, it);
  return rc ? rc : ns_drive_get(l, e, &j->drive, index, id, it);
}

/* ---- free coordinates ------------------------------------------------------------------------ */

typedef struct axis_made {
  ns_axis_use use;
  ns_refs joints, tendon; /* the latter of rows on its length, which have no joints */
  ns_joint_word coordinate[2];
  ns_scalar lower, upper, ratio, offset;
  int apart;
} axis;

static int number(ns_load *l, const ns_elem *e, const char *name, const ns_indices *index,
                  double initial, ns_scalar *s)
{
  s->value = initial;
  return ns_elem_item(e, name) && ns_elem_attr(e, name)
             ? ns_load_attribute_make(l, e, name, index, s)
             : NS_OK;
}

static int bad_words(ns_load *l, const ns_elem *e, int n, const char *text)
{
  return ns_elem_fail(
      &l->msg, e, NULL,
      "attribute coordinates is \"%.40s\", expected a word for each of %d joints: auto, angle or "
      "slide",
      text, n);
}

int ns_load_joint_words(ns_load *l, const ns_elem *e, int n, ns_joint_word *to)
{
  static const char *const word[] = {"auto", "angle", "slide"};
  const char *text = ns_elem_attr(e, "coordinates"), *p = text;
  for (int k = 0; k < n && text; k++) {
    char w[8] = "", more[2];
    int length = 0, i = 0;
    if (sscanf(p, "%7s%n", w, &length) != 1) return bad_words(l, e, n, text);
    p += length;
    while (i < 3 && strcmp(word[i], w)) i++;
    if (i == 3 || (k + 1 == n && sscanf(p, "%1s", more) == 1)) return bad_words(l, e, n, text);
    to[k] = (ns_joint_word)i;
  }
  return NS_OK;
}

static int coordinates(ns_load *l, const ns_elem *e, axis *a)
{
  if (!ns_elem_item(e, "coordinate"))
    return a->use == NS_AXIS_COUPLER ? ns_load_joint_words(l, e, 2, a->coordinate) : NS_OK;
  int k = ns_load_word(l, e, "coordinate", NS_JOINT_AUTO);
  a->coordinate[0] = k < 0 ? NS_JOINT_AUTO : (ns_joint_word)k;
  return k < 0 ? NS_MODEL : NS_OK;
}

/* Whom its rows are of: so many joints, or a tendon. */
static int of_whom(ns_load *l, const ns_elem *e, const ns_indices *index, axis *a)
{
  const char *name = ns_elem_item(e, "tendon")   ? "tendon"
                     : a->use == NS_AXIS_COUPLER ? "joints"
                                                 : "joint";
  int of_tendon = ns_elem_item(e, "tendon") != NULL;
  ns_refs *refs = of_tendon ? &a->tendon : &a->joints;
  int want = a->use == NS_AXIS_COUPLER && !of_tendon ? 2 : 1,
      rc = ns_refs_make(l, e, name, index, refs);
  if (rc || refs->n == want) return rc;
  return ns_elem_fail(&l->msg, e, NULL, "names %d %s%s, expected %s", refs->n,
                      a->tendon.n ? "tendon" : "joint", refs->n == 1 ? "" : "s",
                      want == 2 ? "two" : "one");
}

static int axis_make(ns_load *l, ns_elem *e, const ns_indices *index)
{
  axis *a = e->made = ns_arena_zero(l->scratch, 1, sizeof *a);
  if (!a) return ns_nomem(&l->msg.c, "a joint");
  int kept = ns_elem_item(e, "length") != NULL; /* the length of a tendon */
  a->use = NS_AXIS_FRICTION;
  if (ns_elem_item(e, "lower")) a->use = NS_AXIS_STOP;
  if (kept || ns_elem_item(e, "ratio")) a->use = NS_AXIS_COUPLER;
  int bad = coordinates(l, e, a), rc = of_whom(l, e, index, a);
  bad |= rc;
  if (a->use == NS_AXIS_COUPLER) a->apart = ns_load_word(l, e, "collide", 0);
  bad |= a->apart < 0;
  const struct {
    const char *name;
    double initial;
    ns_scalar *s;
  } list[] = {{"lower", -INFINITY, &a->lower},
              {"upper", INFINITY, &a->upper},
              {"ratio", 1, &a->ratio},
              {kept ? "length" : "offset", 0, &a->offset}};
  for (size_t k = 0; k < sizeof list / sizeof *list && rc != NS_NOMEM; k++)
    bad |= rc = number(l, e, list[k].name, index, list[k].initial, list[k].s);
  return ns_load_verdict(rc, bad);
}

int ns_load_joint_find(ns_load *l, const ns_elem *e, const ns_refs *joints, int k,
                       const ns_indices *index, const char *id, const ns_interaction **out)
{
  char name[NS_ID_MAX + 1];
  const char *near;
  int rc = ns_template_write(l, e, &joints->system[k], index, name);
  if (rc) return rc;
  int i = ns_load_id_interaction(l, name, &near);
  if (i < 0 && l->ids_unknown) return NS_MODEL;
  if (i < 0 && near)
    return ns_elem_fail(&l->msg, e, id, "unknown joint %s, did you mean %s?", name, near);
  if (i < 0)
    return ns_elem_fail(&l->msg, e, id,
                        "unknown joint %s, expected the id of an interaction that contains a joint",
                        name);
  /* reported where it stands */
  if (i >= l->m->ninteractions || strcmp(l->m->interactions[i].at.id, name)) return NS_MODEL;
  *out = &l->m->interactions[i];
  if ((*out)->relation->flags & NS_REL_JOINT) return NS_OK;
  return ns_elem_fail(
      &l->msg, e, id,
      "%s is a %s, expected a joint: PivotJointR, PrismaticJointR, CylindricalJointR or KneeJointR",
      name, (*out)->relation->name);
}

/* Of a ball joint: as below. */
static int swing_or_twist(ns_load *l, const ns_elem *e, const char *id, const ns_interaction *of,
                          ns_joint_word wanted)
{
  if (wanted == NS_JOINT_ALL) return NS_AXIS_ALL;
  if (wanted == NS_JOINT_ANGLE || wanted == NS_JOINT_SLIDE)
    ns_elem_fail(&l->msg, e, id,
                 "the joint %s is a %s, which has no free coordinate of one axis, expected "
                 "coordinate=\"swing\" or coordinate=\"twist\"",
                 of->at.id, of->relation->name);
  else if (!(ns_norm3(of->joint.A) > 0))
    ns_elem_fail(&l->msg, e, id,
                 "the joint %s has no axis, expected one as the reference of swing and twist: give "
                 "it axis=\"0 0 1\"",
                 of->at.id);
  else return wanted == NS_JOINT_TWIST ? 0 : NS_AXIS_SWING;
  return -1;
}

int ns_load_joint_coordinate(ns_load *l, const ns_elem *e, const char *id, const ns_interaction *of,
                             ns_joint_word wanted)
{
  int has_angle = of->joint.kind == NS_JOINT_PIVOT || of->joint.kind == NS_JOINT_CYLINDRICAL;
  int has_slide = of->joint.kind == NS_JOINT_PRISMATIC || of->joint.kind == NS_JOINT_CYLINDRICAL;
  int slide = wanted == NS_JOINT_SLIDE || (wanted == NS_JOINT_AUTO && !has_angle),
      of_ball = wanted >= NS_JOINT_TWIST;
  if (of->joint.kind == NS_JOINT_BALL) return swing_or_twist(l, e, id, of, wanted);
  if (of_ball) {
    ns_elem_fail(&l->msg, e, id,
                 "the joint %s is a %s, expected a KneeJointR, which swings and twists; use "
                 "coordinate=\"auto\"",
                 of->at.id, of->relation->name);
    return -1;
  }
  if (slide ? has_slide : has_angle) return slide;
  ns_elem_fail(&l->msg, e, id, "the joint %s is a %s, which has no free %s, expected %s", of->at.id,
               of->relation->name,
               has_angle || has_slide ? slide ? "slide" : "angle" : "coordinate of one axis",
               has_angle   ? "coordinate=\"angle\""
               : has_slide ? "coordinate=\"slide\""
                           : "a PivotJointR, PrismaticJointR or CylindricalJointR");
  return -1;
}

/* A body joins those that the rows are by. */
static void add_system(ns_load *l, ns_interaction *it, int *systems, int body)
{
  systems[it->nsystems++] = body;
  it->nQ += l->m->systems[body].nq;
  it->nZ += l->m->systems[body].nz;
}

/* Its bodies, without the world. */
static int tendon_systems(ns_load *l, const ns_elem *e, const ns_indices *index, const char *id,
                          ns_interaction *it)
{
  const axis *a = e->made;
  const ns_body_force *f = ns_load_tendon_find(l, e, &a->tendon, index, id);
  if (!f) return NS_MODEL;
  int *systems = ns_arena_get(l->m->arena, (size_t)f->nends, sizeof *systems);
  it->axis.line = ns_arena_copy(l->m->arena, f, 1, sizeof *f);
  if (!systems || !it->axis.line) return ns_nomem(&l->msg.c, "a tendon");
  it->nsystems = it->nQ = it->nZ = 0;
  it->systems = systems;
  for (int k = 0; k < f->nends; k++)
    if (f->end[k].system >= 0) add_system(l, it, systems, f->end[k].system);
  return NS_OK;
}

int ns_load_joint_systems(ns_load *l, const ns_elem *e, const ns_indices *index, const char *id,
                          ns_interaction *it)
{
  axis *a = e->made;
  const ns_interaction *of[2];
  int n = 0, rc = NS_OK;
  it->axis = (ns_joint_axis){.use = a->use};
  if (a->tendon.n) return tendon_systems(l, e, index, id, it);
  for (int k = 0; k < a->joints.n; k++) {
    if ((rc = ns_load_joint_find(l, e, &a->joints, k, index, id, &of[k]))) return rc;
    it->axis.slide[k] = ns_load_joint_coordinate(l, e, id, of[k], a->coordinate[k]);
    if (it->axis.slide[k] < 0) return NS_MODEL;
    it->axis.bodies[k] = of[k]->nsystems;
    if (!(it->axis.joint[k] = ns_arena_copy(l->m->arena, &of[k]->joint, 1, sizeof of[k]->joint)))
      return ns_nomem(&l->msg.c, "a joint");
    n += of[k]->nsystems;
  }
  int *systems = ns_arena_get(l->m->arena, (size_t)n, sizeof *systems);
  if (!systems) return ns_nomem(&l->msg.c, "systems of an interaction");
  it->nsystems = it->nQ = it->nZ = 0;
  it->systems = systems;
  for (int k = 0; k < a->joints.n; k++)
    for (int i = 0; i < of[k]->nsystems; i++) add_system(l, it, systems, of[k]->systems[i]);
  return NS_OK;
}

static int axis_get(ns_load *l, const ns_elem *e, const ns_indices *index, const char *id,
                    ns_interaction *it)
{
  const axis *a = e->made;
  ns_joint_axis *x = &it->axis;
  x->lower = ns_scalar_get(&a->lower, index);
  x->upper = ns_scalar_get(&a->upper, index);
  x->ratio = ns_scalar_get(&a->ratio, index);
  x->offset = ns_scalar_get(&a->offset, index);
  x->apart = a->apart;
  it->m = !x->line && x->slide[0] == NS_AXIS_ALL ? 3 : 1;
  if (a->use == NS_AXIS_COUPLER && x->line)
    return ns_load_attribute_check(l, e, "length", x->offset);
  if (a->use == NS_AXIS_COUPLER) {
    int rc = ns_load_attribute_check(l, e, "ratio", x->ratio);
    return rc ? rc : ns_load_attribute_check(l, e, "offset", x->offset);
  }
  if (a->use != NS_AXIS_STOP) return NS_OK;
  if ((isnan(x->lower) || isnan(x->upper)) && l->nan_said) return NS_MODEL;
  if (!x->line && x->slide[0] == NS_AXIS_ALL)
    return ns_elem_fail(&l->msg, e, id,
                        "limits all directions of a ball joint, which are not one coordinate, "
                        "expected coordinate=\"swing\" or coordinate=\"twist\"");
  if (!(x->lower <= x->upper))
    return ns_elem_fail(&l->msg, e, id, "lower is %g and upper is %g, expected lower <= upper",
                        x->lower, x->upper);
  if (x->slide[0] == NS_AXIS_SWING && (x->upper < 0 || x->lower > acos(-1)))
    return ns_elem_fail(&l->msg, e, id,
                        "limits the swing to [%g, %g] rad, which is impossible, expected limits "
                        "within [0, pi]: swing is the angle between two axes",
                        x->lower, x->upper);
  it->m = (x->lower > -INFINITY) + (x->upper < INFINITY);
  return it->m ? NS_OK : ns_elem_fail(&l->msg, e, id, "has no limit, expected lower= or upper=");
}

#define JOINT(name) \
  { \
    name, joint_make, joint_get \
  }
#define AXIS(name) \
  { \
    name, axis_make, axis_get \
  }
const ns_load_builder ns_load_joints[] = {
    JOINT("KneeJointR"),        JOINT("PivotJointR"),  JOINT("PrismaticJointR"),
    JOINT("CylindricalJointR"), JOINT("FixedJointR"),  AXIS("JointStopR"),
    AXIS("JointFrictionR"),     AXIS("CouplerJointR"), AXIS("TendonStopR"),
    AXIS("TendonFrictionR"),    AXIS("TendonLengthR"), {0},
};
