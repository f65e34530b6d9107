/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_shapes.h -- shapes of bodies and surroundings, as they are found; <contacts>.
 *
 * Shapes are collected while systems and <contacts> are walked. What an element says without
 * indices is made once and shared by all of its instances: a thousand equal balls have one sphere.
 */
#ifndef NS_IO_LOAD_LOAD_SHAPES_H
#define NS_IO_LOAD_LOAD_SHAPES_H

#include "io/load/load_job.h"

/* What shapes hold beside ns_body_shape until the mass of their body is known. */
typedef struct ns_found_shape {
  double density; /* as given */
  int has_density;
} ns_found_shape;

/* Shape element e of body `system` (-1: fixed), for one instance: added to l->shapes; planar:
 * bodies are; -1: there are none. NS_MODEL, reported. */
int ns_load_shape(ns_load *l, ns_elem *e, const ns_indices *index, int system, int planar,
                  ns_found_shape *found);
/* Points in the text of an element, compiled once; of l->scratch. */
typedef struct ns_pointed {
  ns_scalar *x;           /* [rows x cols]; NULL: not yet, or of a file */
  int rows, cols, varies; /* varies: with the indices, so that each instance has its own shape */
} ns_pointed;
/* s of points or a file, for one instance; made: all zero at the first one. NS_MODEL, reported. */
int ns_load_pointed(ns_load *l, const ns_elem *e, ns_shape_kind kind, const ns_indices *index,
                    ns_pointed *made, ns_shape *s);
/* Shapes in the element of a body, which is number l->m->nsystems; mass, inertia and centre of s by
 * them where they are not given. */
int ns_load_body_shapes(ns_load *l, ns_elem *e, const ns_indices *index, const char *id,
                        ns_system *s);
/* <contacts>, which may be NULL, when all systems are known; hands l->shapes over to the model.
 * NS_OK, also where errors were reported, or NS_NOMEM. */
int ns_load_contacts(ns_load *l, ns_elem *contacts);

/* Corners and triangles of a file; malloced. */
typedef struct ns_geometry {
  int nvertices, ntriangles;
  double *vertex; /* [3 nvertices] */
  int *triangle;  /* [3 ntriangles]; NULL: points alone */
} ns_geometry;
/* The file that attribute file= of e names: .stl, .obj, else a table of x, y, z. Coordinates are
 * multiplied by scale. NS_MODEL, reported. */
int ns_load_geometry(ns_load *l, const ns_elem *e, double scale, ns_geometry *g);
/* Numbers of a table [columns x rows] in g->vertex, a row after the other. */
int ns_load_numbers(ns_load *l, const ns_elem *e, double scale, int *columns, int *rows,
                    ns_geometry *g);
void ns_geometry_fini(ns_geometry *g);

#endif
