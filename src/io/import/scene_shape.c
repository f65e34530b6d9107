/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scene_shape.c -- shapes of a scene: what Bullet makes of them, and their masses.
 *
 * Cylinders, capsules and cones lie along y there and along z here. Up to release 4.4 a capsule and
 * a cone are half as long as their parameter says. A margin outside grows a shape, and both round
 * edges: one that the file has is kept, that which the reader there adds (a fiftieth of the
 * smallest extent) where it is asked for.
 *
 * A body without inertia in the file has there that of its last contactor, for the whole mass and
 * about the origin of the shape, of the box around it with margins (btConvexInternalShape of Bullet
 * 3); here it is that of its solids, uniformly filled. */
#include "algebra/vector.h"
#include "io/import/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void limit_rounding(scene *s, scene_shape *k);

/* ---- reading --------------------------------------------------------------------------------- */

static const struct primitive {
  const char *name;
  scene_kind kind;
  int n, planar; /* parameters; of the plane */
} primitives[] = {
    {"Sphere", SCENE_SPHERE, 1, 0},     {"Box", SCENE_BOX, 3, 0},
    {"Cylinder", SCENE_CYLINDER, 2, 0}, {"Capsule", SCENE_CAPSULE, 2, 0},
    {"Cone", SCENE_CONE, 2, 0},         {"Plane", SCENE_PLANE, 0, 0},
    {"Disk", SCENE_DISK, 1, 1},         {"Box2d", SCENE_RECTANGLE, 2, 1},
};

static int shape_fault(scene *s, const scene_shape *k, const char *what)
{
  return ns_scene_fault(s, "/data/ref", k->name, "%s", what);
}

static int read_primitive(scene *s, scene_shape *k)
{
  const ns_hdf5_value *v = ns_scene_attribute(k->node, "primitive"), *d = &k->node->data;
  const char *name = v && v->text ? v->text[0] : "(none)";
  size_t p = 0;
  while (p < sizeof primitives / sizeof *primitives && strcmp(primitives[p].name, name)) p++;
  if (p == sizeof primitives / sizeof *primitives)
    return ns_scene_fault(s, "/data/ref", k->name,
                          "is the primitive %.60s, expected one of Sphere, Box, Cylinder, Capsule, "
                          "Cone, Plane, Disk, Box2d",
                          name);
  k->kind = primitives[p].kind;
  if (primitives[p].planar != s->planar && k->kind != SCENE_PLANE)
    return shape_fault(s, k,
                       "is a two-dimensional shape in a three-dimensional scene, or vice versa, "
                       "expected shapes of the same kind");
  if (primitives[p].n && (!d->number || d->n < (size_t)primitives[p].n))
    return ns_scene_fault(s, "/data/ref", k->name, "has %zu parameters, expected %d numbers", d->n,
                          primitives[p].n);
  for (int i = 0; i < primitives[p].n; i++) {
    k->size[i] = ns_scene_meant(d->number[i], d->single);
    if (!(k->size[i] > 0 && k->size[i] < 1e12))
      return ns_scene_fault(s, "/data/ref", k->name,
                            "has the parameter %g, expected positive lengths", k->size[i]);
  }
  return NS_OK;
}

static int read_points(scene *s, scene_shape *k)
{
  const ns_hdf5_value *d = &k->node->data;
  int dim = s->planar ? 2 : 3;
  k->kind = s->planar ? SCENE_POLYGON : SCENE_CONVEX;
  if (!d->number || d->cols != (size_t)dim || d->rows < (size_t)dim + 1 || d->rows > 100000)
    return ns_scene_fault(s, "/data/ref", k->name,
                          "contains %zu x %zu entries, expected %d to 100000 points of %d numbers",
                          d->rows, d->cols, dim + 1, dim);
  k->n = (int)d->rows;
  k->point = ns_scene_memory(s, d->n, sizeof *k->point);
  for (size_t i = 0; i < d->n && k->point; i++) {
    k->point[i] = ns_scene_meant(d->number[i], d->single);
    if (!(fabs(k->point[i]) < 1e12))
      return shape_fault(s, k, "has a point that is not finite, expected finite numbers");
  }
  return NS_OK;
}

static int read_heights(scene *s, scene_shape *k)
{
  const ns_hdf5_value *v = ns_scene_attribute(k->node, "rect"), *d = &k->node->data;
  k->kind = SCENE_HEIGHTS;
  if (!d->number || d->rows < 2 || d->cols < 2)
    return shape_fault(s, k, "contains less than 2 x 2 heights, expected a height map");
  for (size_t i = 0; i < d->n; i++)
    if (!(fabs(d->number[i]) < 1e12))
      return shape_fault(s, k, "has a height that is not finite, expected finite numbers");
  if (!v || !v->number || v->n != 2 ||
      !(v->number[0] > 0 && v->number[0] < 1e12 && v->number[1] > 0 && v->number[1] < 1e12))
    return shape_fault(s, k, "has no rect of two positive lengths, expected them");
  k->sides[0] = v->number[0];
  k->sides[1] = v->number[1];
  return NS_OK;
}

/* Corners of the convex hull, counterclockwise (Andrew 1979). */
static int before(const void *a, const void *b)
{
  const double *x = a, *y = b;
  int k = x[0] == y[0];
  return (x[k] > y[k]) - (x[k] < y[k]);
}

static double turns(const double *a, const double *b, const double *c)
{
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static int outline(scene *s, scene_shape *k)
{
  double *p = k->point, *to = ns_scene_memory(s, 2 * (size_t)k->n + 2, 2 * sizeof *to), scale = 0;
  int m = 0, bottom;
  if (!to) return NS_NOMEM;
  qsort(p, (size_t)k->n, 2 * sizeof *p, before);
  scale = fmax(scale, ns_max_abs((size_t)(2 * k->n), p));
  double flat = 1e-12 * scale * scale;
  for (int i = 0; i < k->n; i++) {
    while (m > 1 && turns(to + 2 * (m - 2), to + 2 * (m - 1), p + 2 * i) <= flat) m--;
    memcpy(to + 2 * m++, p + 2 * i, 2 * sizeof *p);
  }
  bottom = m;
  for (int i = k->n - 2; i >= 0; i--) {
    while (m > bottom && turns(to + 2 * (m - 2), to + 2 * (m - 1), p + 2 * i) <= flat) m--;
    memcpy(to + 2 * m++, p + 2 * i, 2 * sizeof *p);
  }
  k->point = to;
  k->n = m - 1;
  return k->n < 3 ? shape_fault(s, k, "has collinear points, expected points that enclose an area")
                  : NS_OK;
}

/* The least extent, of which the reader there makes the margin inside. */
static double min_extent(const scene_shape *k)
{
  double min = INFINITY;
  int dim = k->kind == SCENE_POLYGON ? 2 : 3;
  if (k->kind != SCENE_CONVEX && k->kind != SCENE_POLYGON) {
    for (int i = 0; i < 3; i++)
      if (k->size[i] > 0) min = fmin(min, k->size[i]);
    return isfinite(min) ? min : 0;
  }
  for (int d = 0; d < dim; d++) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < k->n; i++) {
      low = fmin(low, k->point[dim * i + d]);
      high = fmax(high, k->point[dim * i + d]);
    }
    min = fmin(min, high - low);
  }
  return min;
}

static int has_edges(const scene_shape *k)
{
  return k->kind == SCENE_BOX || k->kind == SCENE_CONVEX || k->kind == SCENE_RECTANGLE ||
         k->kind == SCENE_POLYGON;
}

static void read_margins(scene *s, scene_shape *k)
{
  const char *const name[] = {"insideMargin", "outsideMargin"};
  double *const to[] = {&k->inside, &k->outside};
  k->inside = 0.02 * min_extent(k);
  for (int i = 0; i < 2; i++) {
    const ns_hdf5_value *v = ns_scene_attribute(k->node, name[i]);
    if (!v) continue;
    if (v->number && v->n == 1 && v->number[0] >= 0 && v->number[0] < 1e12) *to[i] = v->number[0];
    else
      ns_scene_fault(s, "/data/ref", k->name,
                     "attribute %s is not a number of at least 0, expected one", name[i]);
  }
  if (!has_edges(k)) return;
  int own = ns_scene_attribute(k->node, name[0]) != NULL || s->opt->scene.margins;
  double grown = k->kind == SCENE_RECTANGLE ? k->outside / 2 : k->outside;
  k->rounding = (own ? k->inside : 0) + grown;
}

void ns_scene_read_shape(scene *s, const ns_hdf5_node *n, scene_shape *k)
{
  static const char *const cad[] = {"step", "stp", "iges", "igs", "brep"};
  const ns_hdf5_value *v = ns_scene_attribute(n, "type");
  const char *type = v && v->text ? v->text[0] : "(none)";
  k->name = n->name;
  k->node = n;
  int rc = NS_OK;
  if (ns_scene_attribute(n, "url") || ns_scene_attribute(n, "filename"))
    rc = shape_fault(s, k, "is in another file, expected it in this one");
  else if (!strcmp(type, "primitive")) rc = read_primitive(s, k);
  else if (!strcmp(type, "convex")) rc = read_points(s, k);
  else if (!strcmp(type, "heightmap")) rc = read_heights(s, k);
  else if (!strcmp(type, "vtp")) {
    k->kind = SCENE_MESH;
    rc = ns_scene_read_mesh(s, k);
  } else {
    int found = 0;
    for (size_t i = 0; i < sizeof cad / sizeof *cad; i++) found |= !strcmp(type, cad[i]);
    rc = ns_scene_fault(s, "/data/ref", k->name,
                        found ? "is a %.60s shape of OpenCASCADE, which is not imported, expected "
                                "primitives, hulls, meshes, height maps"
                              : "is of type %.60s, expected primitive, convex, vtp or heightmap",
                        type);
  }
  if (!rc && k->kind == SCENE_POLYGON) rc = outline(s, k);
  if (!rc) read_margins(s, k);
  if (!rc) limit_rounding(s, k);
}

/* ---- geometry as nssim has it ---------------------------------------------------------------- */

/* A capsule and a cone have half their length up to release 4.4. */
static double length_of(const scene *s, const scene_shape *k)
{
  int halved = (k->kind == SCENE_CAPSULE || k->kind == SCENE_CONE) && !s->opt->scene.later;
  return halved ? k->size[1] / 2 : k->size[1];
}

static int is_along_y(const scene_shape *k)
{
  return k->kind == SCENE_CYLINDER || k->kind == SCENE_CAPSULE || k->kind == SCENE_CONE;
}

/* From the axes of a shape here to those of the file. */
static void shape_turn(const scene_shape *k, const double *turn, double *to)
{
  const double lie[4] = {sqrt(0.5), -sqrt(0.5), 0, 0}; /* z to y */
  if (is_along_y(k)) ns_quaternion_mul(turn, lie, to);
  else memcpy(to, turn, 4 * sizeof *to);
}

static int hull_of(scene *s, const scene_shape *k, int n, const double *x, ns_shape *to)
{
  char at[400];
  ns_polytope *p;
  snprintf(at, sizeof at, "%.200s: /data/ref/%.100s", s->source->path, k->name);
  int rc = ns_polytope_hull(s->c, at, s->a, n, x, &p);
  if (rc) {
    s->bad = 1;
    return rc;
  }
  return ns_shape_hull(to, p) ? NS_OK : ns_nomem(s->c, "a shape");
}

/* Where margins are all of half the thickness of a plate, or more, its core has none. */
static void limit_rounding(scene *s, scene_shape *k)
{
  double half = min_extent(k) / 2, centre[3];
  double grown = k->kind == SCENE_RECTANGLE ? k->outside / 2 : k->outside;
  ns_shape sharp;
  if (!(k->rounding > 0) || k->kind == SCENE_POLYGON) return;
  if (k->kind == SCENE_CONVEX) {
    if (hull_of(s, k, k->n, k->point, &sharp)) return;
    half = ns_polytope_depth(sharp.polytope, centre);
  }
  double max = (1 - 1e-3) * (half + grown);
  if (k->rounding <= max) return;
  k->rounding = max;
  ns_scene_note(s, 0,
                "the margins of %.60s leave no space between its faces: it is rounded by %g m",
                k->name, max);
}

/* A hull whose faces are moved outwards by d. */
static int grown_hull(scene *s, const scene_shape *k, double d, ns_shape *to)
{
  int rc = hull_of(s, k, k->n, k->point, to);
  ns_polytope *p;
  if (rc || !(d > 0)) return rc;
  if (ns_polytope_moved(s->c, k->name, s->a, to->polytope, -d, &p)) {
    s->bad = 1;
    return NS_MODEL;
  }
  return ns_shape_hull(to, p) ? NS_OK : ns_nomem(s->c, "a shape");
}

/* Points of a polygon whose sides are moved outwards by d. */
static void grown_polygon(const scene_shape *k, double d, double *to)
{
  for (int i = 0; i < k->n; i++) {
    const double *a = k->point + 2 * ((i + k->n - 1) % k->n), *b = k->point + 2 * i,
                 *c = k->point + 2 * ((i + 1) % k->n);
    double l1 = hypot(b[0] - a[0], b[1] - a[1]), l2 = hypot(c[0] - b[0], c[1] - b[1]);
    double n1[2] = {(b[1] - a[1]) / l1, (a[0] - b[0]) / l1},
           n2[2] = {(c[1] - b[1]) / l2, (b[0] - c[0]) / l2};
    double share = d / (1 + n1[0] * n2[0] + n1[1] * n2[1]);
    for (int j = 0; j < 2; j++) to[2 * i + j] = b[j] + share * (n1[j] + n2[j]);
  }
}

/* Hulls of the plane are rounded about their points, so they grow by it. */
static int sharp_polygon(scene *s, const scene_shape *k, ns_shape *to)
{
  double *x = ns_scene_memory(s, 2 * (size_t)k->n, sizeof *x);
  if (!x) return NS_NOMEM;
  grown_polygon(k, k->rounding, x);
  int rc = ns_shape_polygon(to, s->c, k->name, s->a, k->n, x);
  if (rc) s->bad = 1;
  return rc;
}

/* What a mesh encloses; of one that is open, the box around it, as there. */
static int mesh_solid(scene *s, scene_shape *k)
{
  ns_ctx quiet = {0};
  ns_mesh *m = NULL;
  int loose;
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, l[3];
  int rc = ns_mesh_create_loose(&quiet, k->name, s->a, k->n, k->point, k->ntriangles, k->corner, &m,
                                &loose);
  if (!rc && !ns_mesh_solid(&quiet, k->name, m, &k->volume, k->centre, k->inertia)) {
    ns_divide(9, k->volume, k->inertia); /* of density 1 */
    return 1;
  }
  for (int i = 0; i < 3 * k->n; i++) {
    low[i % 3] = fmin(low[i % 3], k->point[i]);
    high[i % 3] = fmax(high[i % 3], k->point[i]);
  }
  for (int d = 0; d < 3; d++) {
    l[d] = high[d] - low[d];
    k->centre[d] = 0;
  }
  memset(k->inertia, 0, sizeof k->inertia);
  for (int d = 0; d < 3; d++) k->inertia[4 * d] = (ns_dot3(l, l) - l[d] * l[d]) / 12;
  k->volume = l[0] * l[1] * l[2];
  ns_scene_note(s, 0,
                "the mesh %.60s is not closed: its bodies have the inertia of its bounding box",
                k->name);
  return k->volume > 0;
}

/* Volume, centre and inertia for mass 1, in axes of nssim's shape. 0: it has none. */
static int solid_of(scene *s, scene_shape *k)
{
  double half[3], o = k->outside;
  ns_shape made = {.kind = NS_SHAPE_PLANE};
  int ok = 1;
  for (int i = 0; i < 3; i++) half[i] = k->size[i] / 2 + (k->kind == SCENE_RECTANGLE ? o / 2 : o);
  if (k->solid) return k->solid > 0;
  k->solid = -1;
  switch (k->kind) {
  case SCENE_SPHERE: ok = ns_shape_sphere(&made, k->size[0] + o); break;
  case SCENE_BOX: ok = ns_shape_box(&made, s->a, half); break;
  case SCENE_CYLINDER: ok = ns_shape_cylinder(&made, k->size[0] + o, half[1]); break;
  case SCENE_CAPSULE: ok = ns_shape_capsule(&made, k->size[0] + o, length_of(s, k) / 2); break;
  case SCENE_DISK: ok = ns_shape_disk(&made, k->size[0] + o); break;
  case SCENE_CONE: ok = ns_shape_cone(&made, k->size[0] + o, length_of(s, k) / 2 + o); break;
  case SCENE_CONVEX:
    if (grown_hull(s, k, o, &made)) return 0;
    break;
  case SCENE_POLYGON:
    if (sharp_polygon(s, k, &made)) return 0;
    break;
  case SCENE_RECTANGLE:
    ok = !ns_shape_polygon(
        &made, s->c, k->name, s->a, 4,
        (double[]){-half[0], -half[1], half[0], -half[1], half[0], half[1], -half[0], half[1]});
    break;
  case SCENE_MESH: return (k->solid = mesh_solid(s, k) ? 1 : -1) > 0;
  default: return 0;
  }
  if (!ok) ns_nomem(s->c, "a shape");
  if (ok && k->rounding > 0 && ns_shape_round(&made, s->c, k->name, s->a, k->rounding)) {
    s->bad = 1;
    return 0;
  }
  if (!ok || !ns_shape_solid(&made, &k->volume, k->centre, k->inertia)) return 0;
  k->solid = 1;
  return 1;
}

/* I += m (R J R^T + |d|^2 - d d^T) */
static void add_solid(const double *J, const double *R, const double *d, double m, double *I)
{
  double RJ[9], Rt[9], K[9], dd = ns_dot3(d, d);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) Rt[i + 3 * j] = R[j + 3 * i];
  ns_matmul3(R, J, RJ);
  ns_matmul3(RJ, Rt, K);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      I[i + 3 * j] += m * (K[i + 3 * j] + (i == j ? dd : 0) - d[i] * d[j]);
}

/* The box of Bullet around a shape, in axes of the file, by the rule of its kind. */
static void bullet_inertia(const scene *s, const scene_object *o, double *I)
{
  const scene_shape *k = o->contactor[o->ncontactors - 1].shape;
  double i = k->inside, out = k->outside, l[3] = {0},
         grow = k->kind == SCENE_CONVEX ? 4 * i + 6 * out : 2 * i + 6 * out;
  memset(I, 0, 9 * sizeof *I);
  if (k->kind == SCENE_SPHERE) {
    for (int d = 0; d < 3; d++) I[4 * d] = 0.4 * o->mass * (k->size[0] + out) * (k->size[0] + out);
    return;
  }
  if (k->kind == SCENE_CYLINDER) {
    double r = k->size[0] + out, h = k->size[1] + 2 * out;
    I[0] = I[8] = o->mass * (r * r / 4 + h * h / 12);
    I[4] = o->mass * r * r / 2;
    return;
  }
  for (int d = 0; d < 3 && k->kind == SCENE_BOX; d++) l[d] = k->size[d] + grow;
  if (k->kind == SCENE_CAPSULE || k->kind == SCENE_CONE) {
    l[0] = l[2] = 2 * k->size[0];
    l[1] = length_of(s, k) + (k->kind == SCENE_CAPSULE ? 2 * k->size[0] : 0);
  }
  for (int d = 0; d < 3 && k->kind == SCENE_CONVEX; d++) {
    double low = INFINITY, high = -INFINITY;
    for (int p = 0; p < k->n; p++) {
      low = fmin(low, k->point[3 * p + d]);
      high = fmax(high, k->point[3 * p + d]);
    }
    l[d] = high - low + grow;
  }
  for (int d = 0; d < 3; d++) I[4 * d] = o->mass / 12 * (ns_dot3(l, l) - l[d] * l[d]);
}

int ns_scene_inertia(scene *s, const scene_object *o, double *I)
{
  double volume = 0;
  memset(I, 0, 9 * sizeof *I);
  if (!o->ncontactors) return -1;
  scene_kind last = o->contactor[o->ncontactors - 1].shape->kind;
  if (s->opt->scene.bullet && !s->planar && last != SCENE_MESH && last != SCENE_HEIGHTS) {
    bullet_inertia(s, o, I);
    return 0;
  }
  for (int k = 0; k < o->ncontactors; k++) {
    scene_shape *shape = o->contactor[k].shape;
    volume += solid_of(s, shape) ? shape->volume : 0;
  }
  if (!(volume > 0)) return -1;
  for (int k = 0; k < o->ncontactors; k++) {
    const scene_contactor *c = &o->contactor[k];
    double turn[4], R[9], d[3];
    if (c->shape->solid <= 0) continue;
    shape_turn(c->shape, c->turn, turn);
    ns_quaternion_matrix(turn, R);
    ns_mul3(R, c->shape->centre, d);
    ns_axpy3(d, 1, c->at, d);
    if (o->ncontactors == 1 && c->group != -1 && c->shape->kind != SCENE_MESH &&
        ns_norm3(d) < 1e-6 * cbrt(volume))
      return 1;
    add_solid(c->shape->inertia, R, d, o->mass * c->shape->volume / volume, I);
  }
  return 0;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void put_points(FILE *f, int n, int dim, const double *x)
{
  fputs(" points=\"", f);
  for (int i = 0; i < n; i++) {
    if (i) fputs("; ", f);
    fputs(NUMBERS(x + dim * i, dim), f);
  }
  fputc('"', f);
}

/* 0.1 + 0.05 is 0.15, as it is in decimals. */
static double decimal_sum(double x, double more)
{
  char text[40];
  if (!(more > 0)) return x;
  snprintf(text, sizeof text, "%.15g", x + more);
  return strtod(text, NULL);
}

static void put_sizes(FILE *f, int n, const double *size, double more)
{
  double grown[3] = {0};
  for (int i = 0; i < n; i++) grown[i] = decimal_sum(size[i], more);
  fprintf(f, " size=\"%s\"", NUMBERS(grown, n));
}

static void put_polygon(scene *s, FILE *f, const scene_shape *k)
{
  double *to = ns_scene_memory(s, 2 * (size_t)k->n, sizeof *to);
  if (!to) return;
  grown_polygon(k, k->rounding, to);
  put_points(f, k->n, 2, to);
  if (k->rounding > 0)
    ns_scene_note(s, 0, "two-dimensional hulls are enlarged by their margins, as in Siconos");
}

static void put_hull(scene *s, FILE *f, const scene_shape *k)
{
  ns_shape grown;
  if (!(k->outside > 0)) {
    put_points(f, k->n, 3, k->point);
    return;
  }
  if (grown_hull(s, k, k->outside, &grown)) return;
  const ns_polytope *p = grown.polytope;
  for (int i = 0; i < 3 * p->nvertices; i++) { /* 1.25 is not 1.2499999999999998 */
    char text[40];
    snprintf(text, sizeof text, "%.13g", p->vertex[i]);
    p->vertex[i] = strtod(text, NULL);
  }
  put_points(f, p->nvertices, 3, p->vertex);
}

static void put_geometry(scene *s, FILE *f, scene_shape *k)
{
  double o = k->outside;
  switch (k->kind) {
  case SCENE_SPHERE: ns_scene_put_attribute(f, "radius", decimal_sum(k->size[0], o)); break;
  case SCENE_DISK: ns_scene_put_attribute(f, "radius", decimal_sum(k->size[0], o)); break;
  case SCENE_BOX: put_sizes(f, 3, k->size, 2 * o); break;
  case SCENE_RECTANGLE: put_sizes(f, 2, k->size, o); break;
  case SCENE_CYLINDER:
  case SCENE_CONE:
  case SCENE_CAPSULE:
    ns_scene_put_attribute(f, "radius", decimal_sum(k->size[0], o));
    ns_scene_put_attribute(f, "length",
                           decimal_sum(length_of(s, k), k->kind == SCENE_CAPSULE ? 0 : 2 * o));
    break;
  case SCENE_CONVEX: put_hull(s, f, k); break;
  case SCENE_POLYGON: put_polygon(s, f, k); break;
  case SCENE_HEIGHTS:
    ns_scene_write_file(s, k);
    fprintf(f, " file=\"%s\" spacing=\"%s %s\"", k->file ? k->file : "",
            NUMBER(k->sides[0] / (double)(k->node->data.rows - 1)),
            NUMBER(k->sides[1] / (double)(k->node->data.cols - 1)));
    break;
  case SCENE_MESH:
    ns_scene_write_file(s, k);
    fprintf(f, " file=\"%s\" edges=\"any\"", k->file ? k->file : "");
    break;
  case SCENE_PLANE: break;
  }
  if (k->rounding > 0) ns_scene_put_attribute(f, "rounding", k->rounding);
}

static int is_turned(const double *q) { return fabs(q[1]) + fabs(q[2]) + fabs(q[3]) > 1e-15; }

void ns_scene_put_shape(scene *s, FILE *f, const scene_contactor *k, const scene_object *o,
                        const char *attributes)
{
  static const char *const names[] = {[SCENE_SPHERE] = "Sphere",       [SCENE_BOX] = "Box",
                                      [SCENE_CYLINDER] = "Cylinder",   [SCENE_CAPSULE] = "Capsule",
                                      [SCENE_CONE] = "Cone",           [SCENE_PLANE] = "Plane",
                                      [SCENE_CONVEX] = "ConvexHull",   [SCENE_MESH] = "Mesh",
                                      [SCENE_HEIGHTS] = "HeightField", [SCENE_DISK] = "Disk",
                                      [SCENE_RECTANGLE] = "Rectangle", [SCENE_POLYGON] = "Polygon"};
  double at[3], turn[4], own[4], R[9];
  shape_turn(k->shape, k->turn, own);
  memcpy(at, k->at, sizeof at);
  memcpy(turn, own, sizeof turn);
  if (o->fixed) { /* in world axes */
    ns_quaternion_matrix(o->q, R);
    ns_mul3(R, k->at, at);
    ns_axpy3(at, 1, o->x, at);
    ns_quaternion_mul(o->q, own, turn);
  }
  fprintf(f, "<%s%s", names[k->shape->kind], attributes);
  put_geometry(s, f, k->shape);
  if (fabs(at[0]) + fabs(at[1]) + fabs(at[2]) > 0)
    fprintf(f, " at=\"%s\"", NUMBERS(at, s->planar ? 2 : 3));
  if (is_turned(turn) && s->planar)
    fprintf(f, " angle=\"%s\"", NUMBER(2 * atan2(turn[3], turn[0])));
  else if (is_turned(turn)) fprintf(f, " turn=\"%s\"", NUMBERS(turn, 4));
  fputs("/>", f);
}
