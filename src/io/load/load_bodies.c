/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_bodies.c -- mass, centre and inertia of a body by its shapes, where they are not given. */
#include "io/load/load_frame.h"
#include "io/load/load_shapes.h"

#include "algebra/rotation.h"
#include "model/systems/rigid_inertia.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 16 }; /* parts on the stack */

/* Origin of the axes of its shapes to their centre: the body is there, and they are counted from
 * there. */
static int move_to_centre(ns_load *l, ns_system *s, ns_body_shape *shape, int n,
                          const double *centre)
{
  double R[9], d[3], reach = 0;
  for (int k = 0; k < n; k++) reach = fmax(reach, shape[k].shape->reach);
  if (ns_norm3(centre) <= 1e-12 * reach) return NS_OK;
  double *q = ns_arena_copy(l->m->arena, s->q0, (size_t)s->nq, sizeof *q);
  if (!q) return ns_nomem(&l->msg.c, "initial state");
  if (ns_system_is_planar(s)) {
    q[0] += cos(q[2]) * centre[0] - sin(q[2]) * centre[1];
    q[1] += sin(q[2]) * centre[0] + cos(q[2]) * centre[1];
  } else {
    ns_quaternion_matrix(q + 3, R);
    ns_mul3(R, centre, d);
    ns_axpy3(q, 1, d, q);
  }
  for (int k = 0; k < n; k++) ns_sub3(shape[k].at, centre, shape[k].at);
  s->q0 = q;
  return NS_OK;
}

static int has_inertia(const ns_system *s)
{
  for (int k = 0; k < (ns_system_is_planar(s) ? 1 : 9); k++)
    if (s->rigid.inertia[k] != 0) return 1;
  return 0;
}

/* Shapes with a density are its parts; where it has a mass and none of them has one, all are. */
static int parts_of(const ns_body_shape *shape, const ns_found_shape *found, int n, int has_mass,
                    ns_solid_part *part)
{
  int with_density = 0, k = 0;
  for (int i = 0; i < n; i++) with_density += found[i].has_density;
  for (int i = 0; i < n; i++) {
    if (!found[i].has_density && (with_density || !has_mass)) continue;
    part[k] = (ns_solid_part){.shape = shape[i].shape,
                              .density = found[i].has_density ? found[i].density : 1};
    memcpy(part[k].at, shape[i].at, sizeof part[k].at);
    memcpy(part[k++].turn, shape[i].turn, sizeof part->turn);
  }
  return k;
}

/* A part that fills nothing. */
static int no_solid(ns_load *l, const ns_elem *e, const char *id, const ns_shape *s)
{
  double volume, centre[3], inertia[9];
  if (s->kind == NS_SHAPE_MESH)
    return ns_mesh_solid(&l->msg.c, ns_elem_at(e, id).text, s->mesh, &volume, centre, inertia);
  return ns_elem_fail(&l->msg, e, id,
                      "one of its shapes is not a solid, expected <mass> and <inertia>");
}

static int complete(ns_load *l, const ns_elem *e, const char *id, ns_system *s,
                    ns_body_shape *shape, const ns_found_shape *found, int n, ns_solid_part *part)
{
  double mass, centre[3], inertia[9];
  int has_mass = s->rigid.mass != 0, nparts = parts_of(shape, found, n, has_mass, part);
  if (!nparts && !has_mass)
    return ns_elem_fail(&l->msg, e, id,
                        n ? "<mass> is missing, expected it, or density= of its shapes"
                          : "<mass> is missing, expected it, or shapes with density=");
  if (!nparts) return ns_elem_fail(&l->msg, e, id, "<inertia> is missing, expected it, or shapes");
  int k = ns_rigid_from_shapes(nparts, part, &mass, centre, inertia);
  if (k >= 0) return no_solid(l, e, id, part[k].shape);
  if (!(mass > 0))
    return ns_elem_fail(
        &l->msg, e, id,
        "its shapes have the mass %g kg, expected a positive one; check their densities", mass);
  double by = has_mass ? s->rigid.mass / mass : 1;
  if (!has_inertia(s)) {
    if (ns_system_is_planar(s)) s->rigid.inertia[0] = by * inertia[8];
    else
      for (int i = 0; i < 9; i++) s->rigid.inertia[i] = by * inertia[i];
  }
  if (!has_mass) s->rigid.mass = mass;
  return move_to_centre(l, s, shape, n, centre);
}

static int count_shapes(const ns_elem *e)
{
  int n = 0;
  for (const ns_elem *k = e->first; k; k = k->next) {
    n += k->def && k->def->group == NS_LANG_SHAPE;
    if (k->def && !strcmp(k->name, "frame")) n += count_shapes(k);
  }
  return n;
}

static int load_all(ns_load *l, ns_elem *e, const ns_indices *index, const ns_system *s,
                    ns_found_shape *found, int *n);

/* Shapes of a <frame> in a body. */
static int load_framed(ns_load *l, ns_elem *e, const ns_indices *index, const ns_system *s,
                       ns_found_shape *found, int *n)
{
  const ns_load_frame *around = l->frame;
  ns_load_frame f;
  int rc = ns_load_frame_get(l, e, index, &f);
  if (!rc && f.moves)
    rc = ns_elem_fail(
        &l->msg, e, NULL,
        "is a frame in a body and has a velocity, expected none: it moves with the body");
  for (ns_elem *k = e->first; k && !rc; k = k->next)
    if (k->def && k->def->group != NS_LANG_SHAPE && strcmp(k->name, "frame"))
      rc = ns_elem_fail(&l->msg, k, NULL,
                        "is in a <frame> of a body, expected only shapes and frames");
  if (rc) return rc;
  l->frame = &f;
  rc = load_all(l, e, index, s, found, n);
  l->frame = around;
  return rc;
}

static int load_all(ns_load *l, ns_elem *e, const ns_indices *index, const ns_system *s,
                    ns_found_shape *found, int *n)
{
  int rc = NS_OK;
  for (ns_elem *k = e->first; k && !rc; k = k->next) {
    if (k->def && !strcmp(k->name, "frame")) rc = load_framed(l, k, index, s, found, n);
    if (!k->def || k->def->group != NS_LANG_SHAPE) continue;
    if (k->bad) rc = NS_MODEL;
    else if (!strcmp(k->name, "Plane") || !strcmp(k->name, "HalfPlane"))
      rc = ns_elem_fail(
          &l->msg, k, NULL,
          "is a shape of a body, but has no end, expected it in <contacts>; use a <%s>",
          ns_system_is_planar(s) ? "Rectangle" : "Box");
    else rc = ns_load_shape(l, k, index, l->m->nsystems, ns_system_is_planar(s), &found[(*n)++]);
  }
  return rc;
}

int ns_load_body_shapes(ns_load *l, ns_elem *e, const ns_indices *index, const char *id,
                        ns_system *s)
{
  const ns_load_frame *around = l->frame;
  int n = count_shapes(e), first = l->shapes.n, rc = NS_OK, i = 0;
  ns_found_shape few[FEW], *found = n <= FEW ? few : malloc((size_t)n * sizeof *found);
  ns_solid_part some[FEW], *part = n <= FEW ? some : malloc((size_t)n * sizeof *part);
  if (!found || !part) rc = ns_nomem(&l->msg.c, "shapes of a body");
  l->frame = NULL; /* shapes are placed in the body, whose place has that of its frame */
  if (!rc) rc = load_all(l, e, index, s, found, &i);
  l->frame = around;
  if (!rc && (s->rigid.mass == 0 || !has_inertia(s)))
    rc = complete(l, e, id, s, l->shapes.shape + first, found, n, part);
  if (found != few) free(found);
  if (part != some) free(part);
  return rc;
}
