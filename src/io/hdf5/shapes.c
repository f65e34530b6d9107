/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/hdf5/shapes.h"

#include <stdlib.h>
#include <string.h>

/* uthash: memory that is not to be had leaves an entry out instead of ending the process */
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(e) (e)->hh.tbl = NULL
#include <uthash.h>

/* A row of /shapes/table in memory; the id stands behind it. */
typedef struct row {
  double radius, half[3], position[3], orientation[4];
  int64_t first_vertex, first_triangle;
  int32_t body, material, vertices, triangles;
  int8_t kind;
} row;

static const char *const kind_names[NS_SHAPE_KINDS] = {
    [NS_SHAPE_PLANE] = "plane",       [NS_SHAPE_SPHERE] = "sphere", [NS_SHAPE_CAPSULE] = "capsule",
    [NS_SHAPE_CYLINDER] = "cylinder", [NS_SHAPE_BOX] = "box",       [NS_SHAPE_HULL] = "hull",
    [NS_SHAPE_MESH] = "mesh",         [NS_SHAPE_DISK] = "disk",     [NS_SHAPE_POLYGON] = "polygon",
    [NS_SHAPE_CHAIN] = "line",        [NS_SHAPE_CONE] = "cone"};

/* ---- types ----------------------------------------------------------------------------------- */

static hid_t kind_type(void)
{
  hid_t t = H5Tenum_create(H5T_NATIVE_INT8);
  for (int8_t k = 0; t >= 0 && k < NS_SHAPE_KINDS; k++) H5Tenum_insert(t, kind_names[k], &k);
  return t;
}

static hid_t vector_type(hsize_t n) { return H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &n); }

static hid_t shape_type(size_t idlen)
{
  const ns_h5_member m[] = {{"id", sizeof(row), ns_h5_text_type(idlen), 1},
                            {"kind", offsetof(row, kind), kind_type(), 1},
                            {"body", offsetof(row, body), H5T_NATIVE_INT32, 0},
                            {"material", offsetof(row, material), H5T_NATIVE_INT32, 0},
                            {"radius", offsetof(row, radius), H5T_NATIVE_DOUBLE, 0},
                            {"half", offsetof(row, half), vector_type(3), 1},
                            {"position", offsetof(row, position), vector_type(3), 1},
                            {"orientation", offsetof(row, orientation), vector_type(4), 1},
                            {"first_vertex", offsetof(row, first_vertex), H5T_NATIVE_INT64, 0},
                            {"vertices", offsetof(row, vertices), H5T_NATIVE_INT32, 0},
                            {"first_triangle", offsetof(row, first_triangle), H5T_NATIVE_INT64, 0},
                            {"triangles", offsetof(row, triangles), H5T_NATIVE_INT32, 0}};
  return ns_h5_compound_type(sizeof(row) + idlen, m, sizeof m / sizeof *m);
}

static hid_t body_type(size_t idlen)
{
  const ns_h5_member m[] = {{"id", 0, ns_h5_text_type(idlen), 1},
                            {"coordinates", idlen, H5T_NATIVE_INT32, 0}};
  return ns_h5_compound_type(idlen + 4, m, sizeof m / sizeof *m);
}

/* ---- writing --------------------------------------------------------------------------------- */

static int put_dataset(hid_t g, const char *name, hid_t type, int rank, hsize_t n, const void *data)
{
  hsize_t size[2] = {n, 3};
  hid_t packed = type < 0 ? -1 : H5Tcopy(type), space = H5Screate_simple(rank, size, NULL);
  int is_packed = packed >= 0 && (H5Tget_class(packed) != H5T_COMPOUND || H5Tpack(packed) >= 0);
  hid_t d = ns_h5_create_dataset(g, name, is_packed ? packed : -1, space, H5P_DEFAULT);
  int rc = d < 0 || (n && H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) ? -1 : 0;
  ns_h5_close(d, packed);
  return rc;
}

static const char *id_or_none(const char *id) { return id ? id : ""; }

/* Hulls, meshes and prisms side by side, each once. */
typedef struct hull {
  const void *of; /* the polytope, mesh or corners */
  const ns_shape *shape;
  const ns_polytope *polytope; /* of hulls: theirs, or that of what is rounded */
  int64_t first_vertex, first_triangle;
  int32_t vertices, triangles;
  UT_hash_handle hh;
} hull;

typedef struct hulls {
  hull *by_address;
  double *vertex;
  int32_t *triangle;
  size_t nvertices, ntriangles;
  double depth;     /* half of what flat shapes have in pictures */
  ns_arena *facets; /* of what is rounded */
} hulls;

/* What its triangles come from; NULL: it has none. */
static const void *surface_of(const ns_shape *s)
{
  int has_faces = s->kind == NS_SHAPE_HULL || ns_shape_skin(s) > 0;
  return has_faces                  ? (const void *)s->polytope
         : s->kind == NS_SHAPE_MESH ? (const void *)s->mesh
                                    : s->corner;
}

/* A face of k corners is k - 2 triangles. */
static void fan(const ns_polytope *p, int32_t *t)
{
  for (int f = 0; f < p->nfaces; f++)
    for (int k = p->first[f] + 1; k + 1 < p->first[f + 1]; k++, t += 3) {
      t[0] = p->loop[p->first[f]];
      t[1] = p->loop[k];
      t[2] = p->loop[k + 1];
    }
}

enum { BEAM = 4 }; /* corners of what shows a segment of a line */

static int segments(const ns_shape *s) { return s->ncorners - !s->closed; }

static int triangles_of_prism(int n) { return 2 * n + 2 * (n - 2); }

static void count_surface(hull *k)
{
  const ns_shape *s = k->shape;
  const ns_polytope *p = k->polytope;
  int n = ns_shape_outline(s, NULL);
  if (s->kind == NS_SHAPE_POLYGON || s->kind == NS_SHAPE_CHAIN) {
    int prisms = s->kind == NS_SHAPE_CHAIN ? segments(s) : 1,
        each = s->kind == NS_SHAPE_CHAIN ? BEAM : n;
    k->vertices = prisms * 2 * each;
    k->triangles = prisms * triangles_of_prism(each);
    return;
  }
  k->vertices = p ? p->nvertices : s->mesh->nvertices;
  k->triangles = p ? p->first[p->nfaces] - 2 * p->nfaces : s->mesh->ntriangles;
}

/* Over n corners [2 n], counterclockwise: corner i is vertex first + 2 i below and the next one
 * above. */
static void put_prism(int n, const double *corner, double depth, int first, double *vertex,
                      int32_t *t)
{
  for (int i = 0; i < 2 * n; i++)
    memcpy(vertex + 3 * i,
           (double[]){corner[i / 2 * 2], corner[i / 2 * 2 + 1], i % 2 ? depth : -depth},
           3 * sizeof *vertex);
  for (int i = 0; i < n; i++, t += 6) {
    int32_t a = first + 2 * i, b = first + 2 * ((i + 1) % n);
    memcpy(t, (int32_t[]){a, b, b + 1, a, b + 1, a + 1}, 6 * sizeof *t);
  }
  for (int i = 1; i + 1 < n; i++, t += 6) {
    int32_t o = first, a = first + 2 * i, b = a + 2;
    memcpy(t, (int32_t[]){o, b, a, o + 1, a + 1, b + 1}, 6 * sizeof *t);
  }
}

/* Each segment as a beam that is a third as wide as it is deep. */
static void put_beams(const ns_shape *s, double depth, double *vertex, int32_t *triangle)
{
  for (int i = 0; i < segments(s); i++) {
    const double *a = s->corner + 2 * i, *b = s->corner + 2 * ((i + 1) % s->ncorners);
    double w = depth / 3 / hypot(b[0] - a[0], b[1] - a[1]), x = w * (b[1] - a[1]),
           y = w * (a[0] - b[0]);
    double corner[2 * BEAM] = {a[0] + x, a[1] + y, b[0] + x, b[1] + y,
                               b[0] - x, b[1] - y, a[0] - x, a[1] - y};
    put_prism(BEAM, corner, depth, 2 * BEAM * i, vertex + 6 * BEAM * i,
              triangle + 3 * triangles_of_prism(BEAM) * i);
  }
}

static void put_surface(const hull *k, double depth, double *vertex, int32_t *triangle)
{
  const ns_shape *s = k->shape;
  if (s->kind == NS_SHAPE_POLYGON) {
    double corner[2 * NS_OUTLINE_CORNERS];
    put_prism(ns_shape_outline(s, corner), corner, depth, 0, vertex, triangle);
  }
  if (s->kind == NS_SHAPE_CHAIN) put_beams(s, depth, vertex, triangle);
  if (s->ncorners) return;
  if (k->polytope) {
    memcpy(vertex, k->polytope->vertex, 3 * (size_t)k->vertices * sizeof *vertex);
    fan(k->polytope, triangle);
    return;
  }
  for (int i = 0; i < k->vertices; i++) ns_mesh_vertex(k->shape->mesh, i, vertex + 3 * i);
  for (int i = 0; i < k->triangles; i++) ns_mesh_corners(k->shape->mesh, i, triangle + 3 * i);
}

static void free_hulls(hulls *h)
{
  hull *k, *next;
  HASH_ITER(hh, h->by_address, k, next)
  {
    HASH_DEL(h->by_address, k);
    free(k);
  }
  free(h->vertex);
  free(h->triangle);
  ns_arena_destroy(h->facets);
}

/* The polyhedron that is shown of a hull, or of what is rounded. */
static int find_polytope(hulls *h, hull *k)
{
  ns_ctx quiet = {0};
  ns_polytope *p;
  k->polytope = k->shape->polytope;
  if (!(ns_shape_skin(k->shape) > 0)) return 0;
  if (!h->facets && !(h->facets = ns_arena_create(0, 1))) return -1;
  if (ns_shape_facets(k->shape, &quiet, h->facets, &p)) return -1;
  k->polytope = p;
  return 0;
}

static int find_hulls(const ns_contact_model *m, hulls *h)
{
  for (int i = 0; i < m->nshapes; i++) {
    const void *of = surface_of(m->shape[i].shape);
    hull *k = NULL;
    if (!of) continue;
    HASH_FIND_PTR(h->by_address, &of, k);
    if (k) continue;
    if (!(k = calloc(1, sizeof *k))) return -1;
    *k = (hull){.of = of,
                .shape = m->shape[i].shape,
                .first_vertex = (int64_t)h->nvertices,
                .first_triangle = (int64_t)h->ntriangles};
    int bad = find_polytope(h, k) < 0;
    if (!bad) HASH_ADD_PTR(h->by_address, of, k);
    if (bad || !k->hh.tbl) {
      free(k);
      return -1;
    }
    count_surface(k);
    h->nvertices += (size_t)k->vertices;
    h->ntriangles += (size_t)k->triangles;
  }
  return 0;
}

/* A fifth of the reach of the smallest one. */
static double depth_of(const ns_contact_model *m)
{
  double min = INFINITY;
  for (int i = 0; i < m->nshapes; i++) {
    const ns_shape *s = m->shape[i].shape;
    if (s->kind == NS_SHAPE_DISK || s->kind == NS_SHAPE_POLYGON || s->kind == NS_SHAPE_CHAIN)
      min = fmin(min, s->reach);
  }
  return isfinite(min) ? min / 5 : 0;
}

static int gather_hulls(const ns_contact_model *m, hulls *h)
{
  h->depth = depth_of(m);
  if (find_hulls(m, h) < 0) return -1;
  h->vertex = malloc((3 * h->nvertices + 1) * sizeof *h->vertex);
  h->triangle = malloc((3 * h->ntriangles + 1) * sizeof *h->triangle);
  if (!h->vertex || !h->triangle) return -1;
  for (const hull *k = h->by_address; k; k = k->hh.next)
    put_surface(k, h->depth, h->vertex + 3 * k->first_vertex, h->triangle + 3 * k->first_triangle);
  return 0;
}

/* Bodies are the rigid systems: their numbers among all systems. */
static int *number_bodies(const ns_model *m, int *n)
{
  int *of = malloc(((size_t)m->nsystems + 1) * sizeof *of);
  *n = 0;
  for (int i = 0; of && i < m->nsystems; i++)
    of[i] = ns_system_is_rigid(&m->systems[i]) ? (*n)++ : -1;
  return of;
}

static row row_of(const ns_body_shape *s, const int *body, const hulls *h)
{
  row r;
  hull *k = NULL;
  memset(&r, 0, sizeof r);
  r.kind = (int8_t)s->shape->kind;
  r.body = s->system < 0 ? -1 : body[s->system];
  r.material = s->material;
  r.radius = s->shape->radius;
  memcpy(r.half, s->shape->half, sizeof r.half);
  if (s->shape->kind == NS_SHAPE_DISK) r.half[2] = h->depth;
  memcpy(r.position, s->at, sizeof r.position);
  memcpy(r.orientation, s->turn, sizeof r.orientation);
  const void *of = surface_of(s->shape);
  if (of) HASH_FIND_PTR(h->by_address, &of, k);
  if (!k) return r;
  r.first_vertex = k->first_vertex;
  r.first_triangle = k->first_triangle;
  r.vertices = k->vertices;
  r.triangles = k->triangles;
  return r;
}

static int put_table(hid_t g, const ns_contact_model *m, const int *body, const hulls *h)
{
  size_t len = 1, size;
  for (int i = 0; i < m->nshapes; i++) len = ns_h5_longer(len, m->shape[i].id);
  size = sizeof(row) + len;
  char *all = calloc((size_t)m->nshapes + 1, size);
  hid_t t = all ? shape_type(len) : -1;
  for (int i = 0; all && i < m->nshapes; i++) {
    row r = row_of(&m->shape[i], body, h);
    memcpy(all + (size_t)i * size, &r, sizeof r);
    strcpy(all + (size_t)i * size + sizeof r, id_or_none(m->shape[i].id));
  }
  int rc = t < 0 ? -1 : put_dataset(g, "table", t, 1, (hsize_t)m->nshapes, all);
  ns_h5_close(t);
  free(all);
  return rc;
}

static int put_bodies(hid_t g, const ns_model *m, const int *body, int n)
{
  size_t len = 1;
  for (int i = 0; i < m->nsystems; i++)
    if (body[i] >= 0) len = ns_h5_longer(len, m->systems[i].at.id);
  char *all = calloc((size_t)n + 1, len + 4);
  hid_t t = all ? body_type(len) : -1;
  for (int i = 0; all && i < m->nsystems; i++) {
    int32_t coordinates = m->systems[i].nq;
    if (body[i] < 0) continue;
    strcpy(all + (size_t)body[i] * (len + 4), id_or_none(m->systems[i].at.id));
    memcpy(all + (size_t)body[i] * (len + 4) + len, &coordinates, 4);
  }
  int rc = t < 0 ? -1 : put_dataset(g, "bodies", t, 1, (hsize_t)n, all);
  ns_h5_close(t);
  free(all);
  return rc;
}

/* By which a picture of points alone shows sizes. */
static int put_radii(hid_t g, const ns_contact_model *m, const int *body, int n)
{
  double *r = calloc((size_t)n + 1, sizeof *r);
  if (!r) return -1;
  for (int i = 0; i < m->nshapes; i++) {
    const ns_body_shape *s = &m->shape[i];
    double d = ns_norm3(s->at) + (isfinite(s->shape->reach) ? s->shape->reach : 0);
    if (s->system >= 0 && d > r[body[s->system]]) r[body[s->system]] = d;
  }
  int rc = put_dataset(g, "radius", H5T_NATIVE_DOUBLE, 1, (hsize_t)n, r);
  free(r);
  return rc;
}

/* When shapes are there: within their own lives and those of their bodies. */
static int put_lives(hid_t g, const ns_model *m)
{
  const ns_contact_model *k = &m->contact;
  size_t n = (size_t)k->nshapes;
  if (!k->mortal) return 0;
  double *birth = malloc(2 * n * sizeof *birth), *death = birth ? birth + n : NULL;
  for (size_t i = 0; i < n && birth; i++) {
    const ns_life always = {.birth = -INFINITY, .death = INFINITY};
    const ns_life *own = k->shape[i].life,
                  *body = k->shape[i].system < 0 ? NULL : m->systems[k->shape[i].system].rigid.life;
    if (!own) own = &always;
    if (!body) body = &always;
    birth[i] = fmax(own->birth, body->birth);
    death[i] = fmin(own->death, body->death);
  }
  int rc = birth ? put_dataset(g, "birth", H5T_NATIVE_DOUBLE, 1, n, birth) : -1;
  if (rc >= 0) rc = put_dataset(g, "death", H5T_NATIVE_DOUBLE, 1, n, death);
  free(birth);
  return rc;
}

static int put_all(hid_t g, const ns_model *m, const int *body, int nbodies)
{
  hulls h = {0};
  int rc = gather_hulls(&m->contact, &h);
  if (rc >= 0) rc = put_bodies(g, m, body, nbodies);
  if (rc >= 0) rc = put_radii(g, &m->contact, body, nbodies);
  if (rc >= 0 && m->contact.nmaterials)
    rc = ns_h5_put_text_table(g, "materials", m->contact.material, m->contact.nmaterials);
  if (rc >= 0) rc = put_table(g, &m->contact, body, &h);
  if (rc >= 0) rc = put_lives(g, m);
  if (rc >= 0) rc = put_dataset(g, "vertices", H5T_NATIVE_DOUBLE, 2, h.nvertices, h.vertex);
  if (rc >= 0) rc = put_dataset(g, "triangles", H5T_NATIVE_INT32, 2, h.ntriangles, h.triangle);
  free_hulls(&h);
  return rc;
}

int ns_h5_shapes_write(hid_t file, const ns_model *m)
{
  int n, *body = number_bodies(m, &n), rc = body ? 0 : -1;
  hid_t g = rc < 0 || (!n && !m->contact.nshapes) ? -1 : ns_h5_create_group(file, "shapes");
  if (rc >= 0 && (n || m->contact.nshapes)) rc = g < 0 ? -1 : put_all(g, m, body, n);
  ns_h5_close(g);
  free(body);
  return rc;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Bytes of a text in a table: of its member `id`, or of the whole row where it is a text itself.
 * With a NUL. */
static size_t text_length(hid_t g, const char *name)
{
  hid_t d = ns_h5_find_dataset(g, name), t = d < 0 ? -1 : H5Dget_type(d), id = -1;
  size_t n = 1;
  if (t >= 0 && H5Tget_class(t) == H5T_STRING) n = H5Tget_size(t) + 1;
  int k = t >= 0 && H5Tget_class(t) == H5T_COMPOUND ? H5Tget_member_index(t, "id") : -1;
  if (k >= 0 && (id = H5Tget_member_type(t, (unsigned)k)) >= 0) n = H5Tget_size(id) + 1;
  ns_h5_close(id, t, d);
  return n;
}

static int get_bodies(hid_t g, ns_arena *a, ns_result_scene *s)
{
  size_t len = text_length(g, "bodies");
  int64_t n;
  hid_t t = body_type(len);
  const char *all = ns_h5_get_dataset(a, g, "bodies", t, &n);
  ns_scene_body *b = n > 0 ? ns_arena_zero(a, (size_t)n, sizeof *b) : NULL;
  for (int64_t i = 0; b && i < n; i++) {
    int32_t coordinates;
    memcpy(&coordinates, all + (size_t)i * (len + 4) + len, 4);
    b[i] = (ns_scene_body){all + (size_t)i * (len + 4), coordinates};
  }
  s->body = b;
  s->nbodies = b ? (int)n : 0;
  ns_h5_close(t);
  return n < 0 || (n && !b) ? -1 : 0;
}

static int get_materials(hid_t g, ns_arena *a, ns_result_scene *s)
{
  size_t len = text_length(g, "materials");
  int64_t n;
  hid_t t = ns_h5_text_type(len);
  const char *all = ns_h5_get_dataset(a, g, "materials", t, &n);
  const char **name = ns_h5_part(a, all, len, (int)n);
  s->material = name;
  s->nmaterials = name ? (int)n : 0;
  ns_h5_close(t);
  return n < 0 || (n && !name) ? -1 : 0;
}

typedef struct meshes {
  const double *vertex;
  const int32_t *triangle;
  int64_t nvertices, ntriangles; /* numbers, three times as many as there are of either */
} meshes;

/* The part of a row; < 0 where it is not there: a damaged file must not lead outside. */
static int take_mesh(const meshes *h, const row *r, ns_scene_shape *s)
{
  if (r->vertices < 0 || r->triangles < 0 || r->first_vertex < 0 || r->first_triangle < 0 ||
      r->first_vertex > h->nvertices / 3 - r->vertices ||
      r->first_triangle > h->ntriangles / 3 - r->triangles)
    return -1;
  s->nvertices = r->vertices;
  s->ntriangles = r->triangles;
  s->vertex = h->vertex + 3 * r->first_vertex;
  s->triangle = h->triangle + 3 * r->first_triangle;
  for (int k = 0; k < 3 * s->ntriangles; k++)
    if (s->triangle[k] < 0 || s->triangle[k] >= s->nvertices) return -1;
  return 0;
}

static int take_shape(const ns_result_scene *all, const meshes *h, const char *at,
                      ns_scene_shape *s)
{
  row r;
  memcpy(&r, at, sizeof r);
  if (r.kind < 0 || r.kind >= NS_SHAPE_KINDS || r.body < -1 || r.body >= all->nbodies) return -1;
  *s = (ns_scene_shape){.id = at + sizeof r,
                        .kind = (ns_shape_kind)r.kind,
                        .body = r.body,
                        .material = r.material,
                        .radius = r.radius};
  memcpy(s->half, r.half, sizeof r.half);
  memcpy(s->position, r.position, sizeof r.position);
  memcpy(s->orientation, r.orientation, sizeof r.orientation);
  return r.vertices ? take_mesh(h, &r, s) : 0;
}

static int get_shapes(hid_t g, ns_arena *a, ns_result_scene *s)
{
  size_t len = text_length(g, "table"), size = sizeof(row) + len;
  meshes h;
  int64_t n;
  hid_t t = shape_type(len);
  const char *all = ns_h5_get_dataset(a, g, "table", t, &n);
  h.vertex = ns_h5_get_dataset(a, g, "vertices", H5T_NATIVE_DOUBLE, &h.nvertices);
  h.triangle = ns_h5_get_dataset(a, g, "triangles", H5T_NATIVE_INT32, &h.ntriangles);
  ns_scene_shape *list = n > 0 ? ns_arena_zero(a, (size_t)n, sizeof *list) : NULL;
  int rc = n < 0 || h.nvertices < 0 || h.ntriangles < 0 || (n && !list) ? -1 : 0;
  for (int64_t i = 0; rc >= 0 && i < n; i++)
    rc = take_shape(s, &h, all + (size_t)i * size, &list[i]);
  int64_t births, deaths;
  const double *birth = ns_h5_get_dataset(a, g, "birth", H5T_NATIVE_DOUBLE, &births);
  const double *death = ns_h5_get_dataset(a, g, "death", H5T_NATIVE_DOUBLE, &deaths);
  for (int64_t i = 0; rc >= 0 && i < n; i++) {
    list[i].birth = birth && births == n ? birth[i] : -INFINITY;
    list[i].death = death && deaths == n ? death[i] : INFINITY;
  }
  s->shape = list;
  s->nshapes = rc < 0 ? 0 : (int)n;
  ns_h5_close(t);
  return rc;
}

int ns_h5_shapes_read(hid_t file, ns_arena *a, ns_result_scene *s)
{
  *s = (ns_result_scene){0};
  hid_t g = ns_h5_find_group(file, "shapes");
  if (g < 0) return 0;
  int rc = get_bodies(g, a, s);
  if (rc >= 0) rc = get_materials(g, a, s);
  if (rc >= 0) rc = get_shapes(g, a, s);
  H5Gclose(g);
  return rc;
}
