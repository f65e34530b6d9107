/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/load/load_shapes.h"

#include "base/grow.h"
#include "io/load/load_frame.h"
#include "io/load/load_rigid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 3 };

static const struct kind {
  const char *name;
  ns_shape_kind kind;
  int planar;
  const char *other;         /* what comes nearest to it, in space or in the plane */
  const char *number[SIZES]; /* attributes that are a length each */
} kinds[] = {
    {"Plane", NS_SHAPE_PLANE, 0, "HalfPlane", {NULL}},
    {"Sphere", NS_SHAPE_SPHERE, 0, "Disk", {"radius"}},
    {"Capsule", NS_SHAPE_CAPSULE, 0, "Polygon", {"radius", "length"}},
    {"Cylinder", NS_SHAPE_CYLINDER, 0, "Disk", {"radius", "length"}},
    {"Cone", NS_SHAPE_CONE, 0, "Polygon", {"radius", "length"}},
    {"Box", NS_SHAPE_BOX, 0, "Rectangle", {NULL}},
    {"ConvexHull", NS_SHAPE_HULL, 0, "Polygon", {NULL}},
    {"Mesh", NS_SHAPE_MESH, 0, "Polyline", {NULL}},
    {"HeightField", NS_SHAPE_MESH, 0, "Polyline", {NULL}},
    {"Disk", NS_SHAPE_DISK, 1, "Cylinder", {"radius"}},
    {"Rectangle", NS_SHAPE_POLYGON, 1, "Box", {NULL}},
    {"Polygon", NS_SHAPE_POLYGON, 1, "ConvexHull", {NULL}},
    {"HalfPlane", NS_SHAPE_PLANE, 1, "Plane", {NULL}},
    {"Polyline", NS_SHAPE_CHAIN, 1, "Mesh", {NULL}},
};
enum { NKINDS = sizeof kinds / sizeof *kinds };

/* What all instances of one element share. */
typedef struct shape_made {
  const struct kind *kind;
  ns_template id;
  ns_vector3 at, normal, size;
  ns_turn turn;
  ns_scalar number[SIZES], rounding, density;
  ns_pointed points;
  ns_shape pointed; /* of points or a file, where they do not vary */
  /* sized: no size depends on indices; ready: proto.shape holds for all instances */
  int has_rounding, has_density, sized, ready;
  ns_body_shape proto;
} made;

/* ---- names ----------------------------------------------------------------------------------- */

/* Position of a name in list [*n of most], added where it is new; -1: there is no room. */
static int position(ns_load *l, const char **list, int *n, int max, const char *name, size_t len)
{
  for (int k = 0; k < *n; k++)
    if (list[k] && !strncmp(list[k], name, len) && !list[k][len]) return k;
  if (*n == max) return -1;
  if (!(list[*n] = ns_arena_part(l->m->arena, name, len))) return -2;
  return (*n)++;
}

static int material(ns_load *l, const ns_elem *e, int *out)
{
  const char *name = ns_elem_attr(e, "material");
  if (!l->shapes.nmaterials) l->shapes.nmaterials = 1; /* the first has no name */
  *out = !name ? 0
               : position(l, l->shapes.material, &l->shapes.nmaterials, NS_MATERIALS_MAX, name,
                          strlen(name));
  if (*out == -2) return ns_nomem(&l->msg.c, "materials");
  if (*out >= 0) return NS_OK;
  return ns_elem_fail(&l->msg, e, NULL, "the model has more than %d materials, expected fewer",
                      NS_MATERIALS_MAX - 1);
}

/* Bits of the layers in an attribute, left alone where it is absent. The layer of shapes that name
 * none is called common. */
static int layers(ns_load *l, const ns_elem *e, const char *attribute, unsigned *bits)
{
  const char *p = ns_elem_attr(e, attribute);
  if (!p) return NS_OK;
  for (*bits = 0; *(p += strspn(p, " \t\r\n"));) {
    size_t n = strcspn(p, " \t\r\n");
    if (!l->shapes.nlayers) l->shapes.layer[l->shapes.nlayers++] = "common";
    int k = position(l, l->shapes.layer, &l->shapes.nlayers, NS_LAYERS_MAX, p, n);
    if (k == -2) return ns_nomem(&l->msg.c, "layers");
    if (k < 0)
      return ns_elem_fail(&l->msg, e, NULL, "the model has more than %d layers, expected fewer",
                          NS_LAYERS_MAX - 1);
    *bits |= 1u << k;
    if (*attribute == 'w' && !l->shapes.meets[k]) l->shapes.meets[k] = e;
    p += n;
  }
  return NS_OK;
}

/* ---- once for an element --------------------------------------------------------------------- */

/* Lengths of its kind. */
static int sizes(ns_load *l, const ns_elem *e, const ns_indices *index, made *m)
{
  int rc = NS_OK, bad = 0;
  m->sized = 1;
  for (int k = 0; k < SIZES && m->kind->number[k] && rc != NS_NOMEM; k++) {
    bad |= rc = ns_load_attribute_make(l, e, m->kind->number[k], index, &m->number[k]);
    m->sized &= m->number[k].tape == NULL;
  }
  if (ns_elem_item(e, "size"))
    bad |= rc = ns_vector3_make(l, e, "size", m->kind->planar ? 2 : 3, index, &m->size);
  for (int k = 0; k < m->size.n && m->size.s; k++) m->sized &= m->size.s[k].tape == NULL;
  m->has_rounding = ns_elem_item(e, "rounding") && ns_elem_attr(e, "rounding");
  if (m->has_rounding && rc != NS_NOMEM) {
    bad |= rc = ns_load_attribute_make(l, e, "rounding", index, &m->rounding);
    m->sized &= m->rounding.tape == NULL;
  }
  if (ns_elem_item(e, "file"))
    bad |= rc = ns_load_pointed(l, e, m->kind->kind, index, &m->points, &m->pointed);
  m->sized &= !m->points.varies;
  return ns_load_verdict(rc, bad);
}

/* A half plane has the angle of its line. */
static int turn_make(ns_load *l, const ns_elem *e, const ns_indices *index, made *m)
{
  if (!m->kind->planar) return ns_turn_make(l, e, index, &m->turn);
  m->turn = (ns_turn){.has_angle = ns_elem_attr(e, "angle") != NULL};
  return m->turn.has_angle ? ns_load_attribute_make(l, e, "angle", index, &m->turn.angle) : NS_OK;
}

static int make(ns_load *l, ns_elem *e, const ns_indices *index)
{
  made *m = e->made = ns_arena_zero(l->scratch, 1, sizeof *m);
  const char *id = ns_elem_attr(e, "id");
  int bad = 0, rc = NS_OK;
  if (!m) return ns_nomem(&l->msg.c, "a shape");
  for (m->kind = kinds; strcmp(m->kind->name, e->name);) m->kind++;
  m->proto = (ns_body_shape){.line = e->line, .layers = 1, .with = ~0u};
  m->has_density = ns_elem_item(e, "density") && ns_elem_attr(e, "density");
  if (id) bad |= rc = ns_template_make(l, e, "id", id, strlen(id), index, &m->id);
  if (rc != NS_NOMEM)
    bad |= rc = ns_vector3_make(l, e, "at", m->kind->planar ? 2 : 3, index, &m->at);
  if (rc != NS_NOMEM)
    bad |= rc = ns_vector3_make(l, e, "normal", m->kind->planar ? 2 : 3, index, &m->normal);
  if (rc != NS_NOMEM) bad |= rc = turn_make(l, e, index, m);
  if (rc != NS_NOMEM && m->has_density)
    bad |= rc = ns_load_attribute_make(l, e, "density", index, &m->density);
  if (rc != NS_NOMEM) bad |= rc = sizes(l, e, index, m);
  if (rc != NS_NOMEM) bad |= rc = material(l, e, &m->proto.material);
  if (rc != NS_NOMEM) bad |= rc = layers(l, e, "layers", &m->proto.layers);
  if (rc != NS_NOMEM) bad |= rc = layers(l, e, "with", &m->proto.with);
  if (!bad && m->normal.s && (ns_turn_given(&m->turn) || m->turn.has_angle))
    bad = ns_elem_fail(
        &l->msg, e, NULL,
        "attribute normal is given together with %s, expected one of them; remove the other",
        m->kind->planar ? "angle" : "a turn");
  return ns_load_verdict(rc, bad);
}

/* ---- for each instance ----------------------------------------------------------------------- */

static int rectangle(ns_load *l, const ns_elem *e, const double *half, ns_shape *s)
{
  double a = half[0], b = half[1], corner[8] = {-a, -b, a, -b, a, b, -a, b};
  return ns_shape_polygon(s, &l->msg.c, ns_elem_at(e, NULL).text, l->m->arena, 4, corner);
}

/* Edges rounded, where they are. */
static int rounded(ns_load *l, const ns_elem *e, const made *m, const ns_indices *index,
                   ns_shape *s)
{
  double r = m->has_rounding ? ns_scalar_get(&m->rounding, index) : 0;
  int rc = m->has_rounding ? ns_load_attribute_check(l, e, "rounding", r) : NS_OK;
  if (rc || r == 0) return rc;
  return ns_shape_round(s, &l->msg.c, ns_elem_at(e, NULL).text, l->m->arena, r);
}

/* The sharp geometry; shared where no size depends on indices. */
static int geometry(ns_load *l, const ns_elem *e, made *m, const ns_indices *index, ns_shape **out)
{
  double x[SIZES] = {0}, half[3];
  ns_shape *s = ns_arena_zero(l->m->arena, 1, sizeof *s);
  int rc = NS_OK, ok = 1;
  if (!s) return ns_nomem(&l->msg.c, "shapes");
  for (int k = 0; k < SIZES && m->kind->number[k] && !rc; k++) {
    x[k] = ns_scalar_get(&m->number[k], index);
    rc = ns_load_attribute_check(l, e, m->kind->number[k], x[k]);
  }
  if (!rc && m->size.s) rc = ns_vector3_get(l, e, "size", &m->size, index, NULL, x);
  for (int k = 0; k < 3; k++) half[k] = x[k] / 2;
  for (int k = 0; k < m->size.n && !rc && m->size.s; k++)
    if (!(x[k] > 0))
      rc = ns_elem_fail(&l->msg, e, NULL,
                        "attribute size: entry %d is %.10g, expected a positive length", k + 1,
                        x[k]);
  if (rc) return rc;
  *out = s;
  switch (m->kind->kind) {
  case NS_SHAPE_SPHERE: ok = ns_shape_sphere(s, x[0]); break;
  case NS_SHAPE_CAPSULE: ok = ns_shape_capsule(s, x[0], half[1]); break;
  case NS_SHAPE_CYLINDER: ok = ns_shape_cylinder(s, x[0], half[1]); break;
  case NS_SHAPE_CONE: ok = ns_shape_cone(s, x[0], half[1]); break;
  case NS_SHAPE_BOX: ok = ns_shape_box(s, l->m->arena, half); break;
  case NS_SHAPE_DISK: ok = ns_shape_disk(s, x[0]); break;
  case NS_SHAPE_PLANE: ok = ns_shape_plane(s); break;
  default:
    if (m->size.s) return rectangle(l, e, half, s);
    if (m->points.varies) return ns_load_pointed(l, e, m->kind->kind, index, &m->points, s);
    *s = m->pointed;
  }
  return ok ? NS_OK : ns_nomem(&l->msg.c, "shapes");
}

/* Turned about z; a half plane has its normal along z before, and stands upright at the angle 0. */
static int lay(ns_load *l, const ns_elem *e, const made *m, const ns_indices *index,
               ns_body_shape *s)
{
  double angle = m->turn.has_angle ? ns_scalar_get(&m->turn.angle, index) : 0;
  int rc = m->turn.has_angle ? ns_load_attribute_check(l, e, "angle", angle) : NS_OK;
  if (m->kind->kind == NS_SHAPE_PLANE)
    ns_quaternion_from_z((double[]){-sin(angle), cos(angle), 0}, s->turn);
  else memcpy(s->turn, (double[]){cos(angle / 2), 0, 0, sin(angle / 2)}, sizeof s->turn);
  return rc;
}

static int place_in_frame(ns_load *l, const ns_elem *e, const made *m, const ns_indices *index,
                          ns_body_shape *s)
{
  double n[3] = {0};
  int rc = m->at.s ? ns_vector3_get(l, e, "at", &m->at, index, NULL, s->at) : NS_OK;
  if (!rc)
    rc = m->kind->planar ? lay(l, e, m, index, s)
                         : ns_turn_get(l, e, &m->turn, index, NULL, s->turn);
  if (rc || !m->normal.s) return rc;
  if ((rc = ns_vector3_get(l, e, "normal", &m->normal, index, NULL, n))) return rc;
  if (!(ns_unit3(n) > 0))
    return ns_elem_fail(&l->msg, e, NULL, "attribute normal is zero, expected a direction");
  ns_quaternion_from_z(n, s->turn);
  return NS_OK;
}

static int place(ns_load *l, const ns_elem *e, const made *m, const ns_indices *index,
                 ns_body_shape *s)
{
  int rc = place_in_frame(l, e, m, index, s);
  if (!rc) rc = ns_load_frame_check(l, e, NULL, m->kind->planar);
  if (!rc) ns_load_frame_pose(l, s->at, s->turn);
  return rc;
}

/* In space as its body, or in the plane. */
static int check_space(ns_load *l, const ns_elem *e, const struct kind *k, int planar)
{
  if (planar < 0 || k->planar == planar) return NS_OK;
  return ns_elem_fail(&l->msg, e, NULL,
                      "is a shape %s, but the bodies of the model are %s, expected a shape as <%s>",
                      k->planar ? "of the plane" : "in space", planar ? "in the plane" : "in space",
                      k->other);
}

static int add(ns_load *l, const ns_body_shape *s)
{
  return ns_append(&l->shapes.shape, &l->shapes.n, s) < 0 ? ns_nomem(&l->msg.c, "shapes") : NS_OK;
}

int ns_load_shape(ns_load *l, ns_elem *e, const ns_indices *index, int system, int planar,
                  ns_found_shape *found)
{
  int rc = e->made ? NS_OK : make(l, e, index);
  if (rc) return rc;
  made *m = e->made;
  if ((rc = check_space(l, e, m->kind, planar))) return rc;
  if (!m->ready) {
    ns_shape *s = NULL;
    rc = geometry(l, e, m, index, &s);
    if (!rc) rc = rounded(l, e, m, index, s);
    m->proto.shape = s;
  }
  m->ready = m->sized;
  ns_body_shape s = m->proto;
  s.system = system;
  if (!rc) rc = place(l, e, m, index, &s);
  if (!rc) rc = ns_load_life(l, e, index, NULL, &s.life);
  if (!rc && ns_elem_attr(e, "id")) rc = ns_template_id(l, e, &m->id, index, &s.id);
  found->has_density = m->has_density;
  found->density = m->has_density ? ns_scalar_get(&m->density, index) : 0;
  if (!rc && m->has_density) rc = ns_load_attribute_check(l, e, "density", found->density);
  return rc ? rc : add(l, &s);
}
