/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_vtk_bodies.c -- rigid bodies and their contacts for ParaView.
 *
 *   out.pvd            surfaces of all shapes; cell data: body, shape, material
 *   out-bodies.pvd     a point a body: radius of its sphere, or of the ball around it, orientation
 * (w x y z), velocity, index out-contacts.pvd   a point a contact: normal, force, velocity, gap,
 * the shapes a and b
 *
 * Of more than MANY spheres the surfaces would be files of gigabytes: their points say all, as
 * glyphs scaled by radius. */
#include "io/export/export_vtk.h"

#include "io/export/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 300, AROUND = 24 };

typedef struct scene {
  ns_ctx *c;
  ns_result *r;
  ns_export_points frames; /* its rows */
  ns_export_bodies b;
  ns_surface *mesh; /* of each shape; those that are shown as points alone are empty */
  size_t npoints, ntriangles, spheres; /* spheres: that are points alone */
} scene;

/* VTK's readers stop at nan, and see single precision alone. */
static int put_reals(const scene *s, const double *x, int n, size_t row, FILE *f)
{
  for (int i = 0; i < n; i++) {
    if (!isfinite(x[i]))
      return ns_fail(s->c, NS_NOINPUT,
                     "%s: a position, velocity or force is not finite in row %zu, which ParaView "
                     "cannot read; exclude such rows with --from and --to",
                     ns_result_path(s->r), row + 1);
    fprintf(f, "%.9g ", x[i]);
  }
  fputc('\n', f);
  return NS_OK;
}

/* ---- surfaces -------------------------------------------------------------------------------- */

static int put_vertices(const scene *s, size_t row, FILE *f)
{
  int rc = NS_OK;
  ns_vtk_begin("position", "Float64", 3, f);
  for (int i = 0; i < s->b.scene->nshapes; i++) {
    ns_pose at;
    double R[9], x[3];
    ns_export_shape_at(&s->b, &s->b.scene->shape[i], row, &at);
    ns_quaternion_matrix(at.p, R);
    for (int k = 0; k < s->mesh[i].nvertices && !rc; k++) {
      ns_mul3(R, s->mesh[i].vertex + 3 * k, x);
      ns_axpy3(x, 1, at.x, x);
      rc = put_reals(s, x, 3, row, f);
    }
  }
  ns_vtk_end(f);
  return rc;
}

static void put_triangles(const scene *s, FILE *f)
{
  size_t first = 0;
  fputs("      <Polys>\n", f);
  ns_vtk_begin("connectivity", "Int64", 1, f);
  for (int i = 0; i < s->b.scene->nshapes; first += (size_t)s->mesh[i++].nvertices)
    for (int k = 0; k < s->mesh[i].ntriangles; k++) {
      const int *t = s->mesh[i].triangle + 3 * k;
      fprintf(f, "%zu %zu %zu\n", first + (size_t)t[0], first + (size_t)t[1], first + (size_t)t[2]);
    }
  ns_vtk_end(f);
  ns_vtk_count("offsets", "Int64", 3, 3, s->ntriangles, f);
  fputs("      </Polys>\n", f);
}

static void put_cells(const scene *s, const char *name, int (*of)(const ns_scene_shape *k, int i),
                      FILE *f)
{
  ns_vtk_begin(name, "Int32", 1, f);
  for (int i = 0; i < s->b.scene->nshapes; i++)
    for (int k = 0; k < s->mesh[i].ntriangles; k++) fprintf(f, "%d ", of(&s->b.scene->shape[i], i));
  fputc('\n', f);
  ns_vtk_end(f);
}

static int body_of(const ns_scene_shape *k, int i) { return (void)i, k->body; }
static int shape_of(const ns_scene_shape *k, int i) { return (void)k, i; }
static int material_of(const ns_scene_shape *k, int i) { return (void)i, k->material; }

static int put_surfaces(const void *from, size_t i, FILE *f)
{
  const scene *s = from;
  ns_vtk_begin_piece(s->npoints, 0, s->ntriangles, f);
  fputs("      <CellData Scalars=\"body\">\n", f);
  put_cells(s, "body", body_of, f);
  put_cells(s, "shape", shape_of, f);
  put_cells(s, "material", material_of, f);
  fputs("      </CellData>\n      <Points>\n", f);
  int rc = put_vertices(s, s->frames.rows[i], f);
  fputs("      </Points>\n", f);
  put_triangles(s, f);
  ns_vtk_end_piece(f);
  return rc;
}

/* ---- points of bodies ------------------------------------------------------------------------ */

static double farthest(const ns_surface *m)
{
  double d = 0;
  for (int k = 0; k < m->nvertices; k++) d = fmax(d, ns_norm3(m->vertex + 3 * k));
  return d;
}

/* Of each body: around all its shapes, or of the sphere that it is. */
static void put_radii(const scene *s, double *radius, FILE *f)
{
  const ns_result_scene *k = s->b.scene;
  memset(radius, 0, ((size_t)k->nbodies + 1) * sizeof *radius);
  for (int i = 0; i < k->nshapes; i++) {
    const ns_scene_shape *x = &k->shape[i];
    double d = ns_norm3(x->position) + (x->kind == NS_SHAPE_SPHERE  ? x->radius
                                        : x->kind == NS_SHAPE_PLANE ? 0
                                                                    : farthest(&s->mesh[i]));
    if (x->body >= 0) radius[x->body] = fmax(radius[x->body], d);
  }
  ns_vtk_begin("radius", "Float64", 1, f);
  for (int i = 0; i < k->nbodies; i++) fprintf(f, "%.9g ", radius[i]);
  fputc('\n', f);
  ns_vtk_end(f);
}

typedef enum which { PLACE, ORIENTATION, VELOCITY } which;

static int put_bodies(const scene *s, which w, size_t row, FILE *f)
{
  static const char *const name[] = {"position", "orientation", "velocity"};
  int rc = NS_OK;
  ns_vtk_begin(name[w], "Float64", w == ORIENTATION ? 4 : 3, f);
  for (int i = 0; i < s->b.scene->nbodies && !rc; i++) {
    ns_pose at;
    double v[3];
    ns_export_body_at(&s->b, i, row, &at);
    ns_export_body_velocity(&s->b, i, row, v);
    rc = w == ORIENTATION ? put_reals(s, at.p, 4, row, f)
                          : put_reals(s, w == PLACE ? at.x : v, 3, row, f);
  }
  ns_vtk_end(f);
  return rc;
}

static int put_points(const void *from, size_t i, FILE *f)
{
  const scene *s = from;
  size_t n = (size_t)s->b.scene->nbodies, row = s->frames.rows[i];
  double *radius = malloc((n + 1) * sizeof *radius);
  if (!radius) return ns_nomem(s->c, "bodies to export");
  ns_vtk_begin_piece(n, n, 0, f);
  fputs("      <PointData Scalars=\"radius\" Vectors=\"velocity\">\n", f);
  ns_vtk_count("index", "Int32", 0, 1, n, f);
  put_radii(s, radius, f);
  int rc = put_bodies(s, ORIENTATION, row, f);
  if (!rc) rc = put_bodies(s, VELOCITY, row, f);
  fputs("      </PointData>\n      <Points>\n", f);
  if (!rc) rc = put_bodies(s, PLACE, row, f);
  fputs("      </Points>\n", f);
  ns_vtk_verts(n, f);
  ns_vtk_end_piece(f);
  free(radius);
  return rc;
}

/* ---- contacts -------------------------------------------------------------------------------- */

static int put_field(const scene *s, const char *name, const ns_contact_record *k, size_t n,
                     size_t offset, size_t row, FILE *f)
{
  int rc = NS_OK;
  ns_vtk_begin(name, "Float64", 3, f);
  for (size_t i = 0; i < n && !rc; i++)
    rc = put_reals(s, (const double *)(const void *)((const char *)&k[i] + offset), 3, row, f);
  ns_vtk_end(f);
  return rc;
}

static int put_forces(const scene *s, const ns_contact_record *k, size_t n, size_t row, FILE *f)
{
  double force[3];
  int rc = NS_OK;
  ns_vtk_begin("force", "Float64", 3, f);
  for (size_t i = 0; i < n && !rc; i++) {
    ns_export_contact_force(s->b.m, &k[i], force);
    rc = put_reals(s, force, 3, row, f);
  }
  ns_vtk_end(f);
  return rc;
}

static int put_contacts(const void *from, size_t i, FILE *f)
{
  const scene *s = from;
  const ns_contact_record *k;
  size_t n, row = s->frames.rows[i];
  int rc = ns_result_contacts(s->r, s->c, row, &k, &n);
  if (rc) return rc;
  ns_vtk_begin_piece(n, n, 0, f);
  fputs("      <PointData Vectors=\"force\">\n", f);
  rc = put_forces(s, k, n, row, f);
  if (!rc) rc = put_field(s, "normal", k, n, offsetof(ns_contact_record, normal), row, f);
  if (!rc) rc = put_field(s, "velocity", k, n, offsetof(ns_contact_record, velocity), row, f);
  ns_vtk_begin("gap", "Float64", 1, f);
  for (size_t j = 0; j < n && !rc; j++) rc = put_reals(s, &k[j].gap, 1, row, f);
  ns_vtk_end(f);
  ns_vtk_begin("a", "Int32", 1, f);
  for (size_t j = 0; j < n; j++) fprintf(f, "%d ", k[j].a);
  ns_vtk_end(f);
  ns_vtk_begin("b", "Int32", 1, f);
  for (size_t j = 0; j < n; j++) fprintf(f, "%d ", k[j].b);
  ns_vtk_end(f);
  fputs("      </PointData>\n      <Points>\n", f);
  if (!rc) rc = put_field(s, "position", k, n, offsetof(ns_contact_record, point), row, f);
  fputs("      </Points>\n", f);
  ns_vtk_verts(n, f);
  ns_vtk_end_piece(f);
  return rc;
}

/* ---------------------------------------------------------------------------------------------- */

/* Three times what the bodies spread over at first. */
static double edge_of(const scene *s)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY},
         max = 0;
  for (int i = 0; i < s->b.scene->nbodies; i++) {
    ns_pose at;
    ns_export_body_at(&s->b, i, s->frames.rows[0], &at);
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], at.x[k]);
      high[k] = fmax(high[k], at.x[k]);
    }
  }
  for (int i = 0; i < s->b.scene->nshapes; i++)
    max = fmax(max, s->b.scene->shape[i].radius + ns_norm3(s->b.scene->shape[i].half));
  double spread = 4 * max;
  for (int k = 0; k < 3 && s->b.scene->nbodies; k++) spread = fmax(spread, high[k] - low[k]);
  return spread > 0 && isfinite(spread) ? 3 * spread : 1;
}

static int make_meshes(scene *s, ns_arena *a)
{
  const ns_result_scene *k = s->b.scene;
  int spheres = 0;
  double edge = edge_of(s);
  s->mesh = ns_arena_zero(a, (size_t)k->nshapes, sizeof *s->mesh);
  if (!s->mesh) return ns_nomem(s->c, "surfaces to export");
  for (int i = 0; i < k->nshapes; i++) spheres += k->shape[i].kind == NS_SHAPE_SPHERE;
  for (int i = 0; i < k->nshapes; i++) {
    if (spheres > MANY && k->shape[i].kind == NS_SHAPE_SPHERE && ++s->spheres) continue;
    if (!ns_surface_of_shape(a, &k->shape[i], AROUND, edge, &s->mesh[i]))
      return ns_nomem(s->c, "surfaces to export");
    s->npoints += (size_t)s->mesh[i].nvertices;
    s->ntriangles += (size_t)s->mesh[i].ntriangles;
  }
  return NS_OK;
}

/* "dir/out.pvd" and "-bodies" give "dir/out-bodies.pvd". */
static int write_times(const scene *s, const ns_vtk_series *v, const char *tail, const char *prefix)
{
  size_t n = strlen(v->folder) + strlen(tail) + sizeof ".pvd";
  char *path = malloc(n);
  if (!path) return ns_nomem(s->c, "name of a series");
  snprintf(path, n, "%s%s.pvd", v->folder, tail);
  int rc = ns_vtk_times(v, path, prefix, s->frames.t, s->frames.nrows);
  free(path);
  return rc;
}

static int write_all(const scene *s, const char *path)
{
  static const struct {
    const char *tail, *prefix;
    int (*put)(const void *from, size_t i, FILE *f);
  } kinds[] = {{"", "", put_surfaces},
               {"-bodies", "bodies-", put_points},
               {"-contacts", "contacts-", put_contacts}};
  size_t n = s->b.m->ncontact_rows ? 3 : 2;
  ns_vtk_series v;
  int rc = ns_vtk_series_make(s->c, path, &v);
  for (size_t k = 0; k < n && !rc; k++) {
    for (size_t i = 0; i < s->frames.nrows && !rc; i++)
      rc = ns_vtk_frame(&v, kinds[k].prefix, i, kinds[k].put, s);
    if (!rc) rc = write_times(s, &v, kinds[k].tail, kinds[k].prefix);
  }
  free(v.folder);
  return rc;
}

static int export(scene *s, const ns_export_options *o, const char *path, ns_arena *a,
                  ns_export_size *size)
{
  int rc = ns_export_points_rows(s->c, s->r, o, a, &s->frames);
  if (!rc) rc = ns_export_bodies_make(s->c, s->r, a, &s->b);
  if (rc) return rc;
  ns_export_points_thin(&s->frames, o->frames ? o->frames : NS_VTK_FRAMES);
  rc = make_meshes(s, a);
  *size = (ns_export_size){s->frames.nrows, (size_t)s->b.scene->nbodies, s->frames.asked, 1,
                           s->spheres};
  return rc ? rc : write_all(s, path);
}

int ns_export_vtk_bodies(ns_ctx *c, ns_result *r, const ns_export_options *o, const char *path,
                         ns_export_size *size)
{
  scene s = {.c = c, .r = r};
  ns_arena *a = ns_arena_create(0, 1);
  if (!a) return ns_nomem(c, "bodies to export");
  int rc = export(&s, o, path, a, size);
  ns_arena_destroy(a);
  return rc;
}
