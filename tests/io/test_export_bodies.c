/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bodies for ParaView: surfaces are closed and of the right size, files hold what was recorded,
 * number by number. */
#include "io/export/export.h"
#include "io/export/surface.h"
#include "support/scene_fixture.h"
#include "support/suite.h"

#include <libxml/parser.h>
#include <libxml/xpath.h>

static char scratch[64];
static void enter(void) { enter_scratch(scratch); }
static void leave(void) { leave_scratch(scratch); }

/* ---- surfaces -------------------------------------------------------------------------------- */

static double volume_of(const ns_surface *m)
{
  double v = 0, n[3];
  for (int k = 0; k < m->ntriangles; k++) {
    const int *t = m->triangle + 3 * k;
    ns_cross3(m->vertex + 3 * t[1], m->vertex + 3 * t[2], n);
    v += ns_dot3(m->vertex + 3 * t[0], n) / 6;
  }
  return v;
}

/* Each edge is met once in each direction. */
static int is_closed(const ns_surface *m)
{
  int n = m->nvertices, bad = 0;
  signed char *met = calloc((size_t)n * (size_t)n, 1);
  for (int k = 0; k < 3 * m->ntriangles; k++) {
    int i = m->triangle[k], j = m->triangle[k % 3 == 2 ? k - 2 : k + 1];
    met[i * n + j]++;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) bad += met[i * n + j] > 1 || met[i * n + j] != met[j * n + i];
  free(met);
  return !bad;
}

START_TEST(surfaces_are_closed_and_hold_the_volume_of_their_shape)
{
  static const double r = 0.5, h = 0.7, half[3] = {0.5, 0.3, 0.2};
  static const int quad[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                               2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  const double cube[24] = {-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1,
                           -1, -1, 1,  1, -1, 1,  -1, 1, 1,  1, 1, 1};
  const struct {
    ns_scene_shape s;
    double volume;
    int exact;
  } row[] = {
      {{.kind = NS_SHAPE_SPHERE, .radius = r}, 4 * M_PI / 3 * r * r * r, 0},
      {{.kind = NS_SHAPE_CAPSULE, .radius = r, .half = {0, 0, h}},
       4 * M_PI / 3 * r * r * r + 2 * h * M_PI * r * r,
       0},
      {{.kind = NS_SHAPE_CYLINDER, .radius = r, .half = {0, 0, h}}, 2 * h * M_PI * r * r, 0},
      {{.kind = NS_SHAPE_DISK, .radius = r, .half = {0, 0, h}}, 2 * h * M_PI * r * r, 0},
      {{.kind = NS_SHAPE_BOX, .half = {half[0], half[1], half[2]}},
       8 * half[0] * half[1] * half[2],
       1},
      {{.kind = NS_SHAPE_HULL, .nvertices = 8, .ntriangles = 12, .vertex = cube, .triangle = quad},
       8,
       1}};
  ns_arena *a = ns_arena_create(0, 1);
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    ns_surface coarse, fine;
    ck_assert(ns_surface_of_shape(a, &row[i].s, 24, 1, &coarse) &&
              ns_surface_of_shape(a, &row[i].s, 48, 1, &fine));
    ck_assert_msg(is_closed(&coarse) && is_closed(&fine), "shape %zu is open", i);
    double e = row[i].volume - volume_of(&coarse), f = row[i].volume - volume_of(&fine);
    if (row[i].exact) ck_assert_double_eq_tol(f, 0, 1e-15 * row[i].volume);
    /* inscribed: of second order */
    else
      ck_assert_msg(e > 0 && f > 0 && fabs(log2(e / f) - 2) < 0.05, "shape %zu: defects %g, %g", i,
                    e, f);
  }
  ns_arena_destroy(a);
}
END_TEST

/* ---- files ----------------------------------------------------------------------------------- */

/* The numbers of an array by its name, to be freed; NULL: there is none. */
static double *array_of(const char *path, const char *name, size_t *n)
{
  char query[128];
  xmlDoc *d = xmlReadFile(path, NULL, XML_PARSE_NONET | XML_PARSE_HUGE);
  ck_assert_msg(d != NULL, "%s is no XML", path);
  snprintf(query, sizeof query, "//DataArray[@Name='%s']", name);
  xmlXPathContext *x = xmlXPathNewContext(d);
  xmlXPathObject *o = xmlXPathEvalExpression((const xmlChar *)query, x);
  double *all = NULL;
  *n = 0;
  if (o->nodesetval && o->nodesetval->nodeNr) {
    xmlChar *text = xmlNodeGetContent(o->nodesetval->nodeTab[0]);
    all = malloc((strlen((char *)text) / 2 + 1) * sizeof *all);
    for (char *s = (char *)text, *end;; s = end) {
      double value = strtod(s, &end);
      if (end == s) break;
      all[(*n)++] = value;
    }
    xmlFree(text);
  }
  xmlXPathFreeObject(o);
  xmlXPathFreeContext(x);
  xmlFreeDoc(d);
  return all;
}

static void expect(const char *path, const char *name, const double *want, size_t n, double tol)
{
  size_t have;
  double *x = array_of(path, name, &have);
  ck_assert_msg(x && have == n, "%s: %s has %zu numbers, expected %zu", path, name, have, n);
  for (size_t i = 0; i < n; i++)
    ck_assert_msg(fabs(x[i] - want[i]) <= tol * (1 + fabs(want[i])),
                  "%s: %s[%zu] = %.17g, expected %.17g", path, name, i, x[i], want[i]);
  free(x);
}

static void write_vtk(int bodies, int last, ns_export_size *size)
{
  scene s;
  ns_ctx c;
  scene_init(&s, bodies, 0.01, 10);
  ck_assert_int_eq(write_scene(&s, &c, "in.h5", last), NS_OK);
  ns_result *r = open_result(&c, "in.h5");
  ns_export_options o = {.from = NAN, .to = NAN};
  ck_assert_msg(ns_export_vtk(&c, r, &o, "out.pvd", size) == NS_OK, "%s", c.msg);
  ns_result_close(r);
  scene_fini(&s);
}

enum { N = 8, LAST = 6 };

/* Vertices and cells of a shape, from the arrays of all. */
static void check_sphere(const double *x, const double *body, size_t ncells, const double *corner,
                         int of, const double *centre)
{
  int cells = 0;
  for (size_t k = 0; k < ncells; k++) {
    if ((int)body[k] != of) continue;
    cells++;
    for (int j = 0; j < 3; j++) {
      double d[3];
      ns_sub3(x + 3 * (size_t)corner[3 * k + (size_t)j], centre, d);
      ck_assert_double_eq_tol(ns_norm3(d), 0.5, 1e-7);
    }
  }
  ck_assert_int_gt(cells, 100);
}

START_TEST(surfaces_are_placed_as_recorded)
{
  ns_export_size size;
  write_vtk(N, LAST, &size);
  ck_assert_uint_eq(size.frames, LAST + 1);
  ck_assert_uint_eq(size.points, N);
  ck_assert_uint_eq(size.spheres, 0);
  for (int k = 0; k <= LAST; k++) {
    char path[64];
    size_t n, m, cells, corners;
    double q[7];
    snprintf(path, sizeof path, "out/%06d.vtp", k);
    double *x = array_of(path, "position", &n), *body = array_of(path, "body", &cells),
           *corner = array_of(path, "connectivity", &corners);
    double *end = array_of(path, "offsets", &m);
    ck_assert_uint_eq(corners, 3 * cells);
    ck_assert_uint_eq(m, cells);
    for (size_t i = 0; i < m; i++) ck_assert_double_eq(end[i], 3.0 * (double)(i + 1));
    for (size_t i = 0; i < corners; i++) ck_assert(corner[i] >= 0 && corner[i] < (double)n / 3);
    for (int i = 6; i <= N; i += 2) { /* spheres; then the plane below, which stands at 0 */
      scene_place(i == N ? 0 : i, k, q);
      if (i < N) check_sphere(x, body, cells, corner, i, q);
    }
    for (size_t i = n - 12; i < n; i += 3) ck_assert_double_eq(x[i + 2], 0);
    /* the box: its first vertices follow those of the sphere */
    double R[9], want[3], near = INFINITY;
    scene_place(1, k, q);
    ns_quaternion_matrix(q + 3, R);
    ns_mul3(R, (double[3]){0.5, 0.3, 0.2 + 0.125}, want);
    ns_axpy3(q, 1, want, want);
    for (size_t i = 0; i < n; i += 3) {
      double d[3];
      ns_sub3(x + i, want, d);
      near = fmin(near, ns_norm3(d));
    }
    ck_assert_double_lt(near, 1e-7);
    free(x);
    free(body);
    free(corner);
    free(end);
  }
}
END_TEST

START_TEST(points_and_contacts_are_those_recorded)
{
  ns_export_size size;
  write_vtk(N, LAST, &size);
  for (int k = 0; k <= LAST; k++) {
    char path[64];
    double x[3 * N], p[4 * N], radius[N] = {0}, f[30], point[30], normal[30], gap[10], a[10];
    size_t n = (size_t)scene_contacts(k);
    snprintf(path, sizeof path, "out/bodies-%06d.vtp", k);
    for (int i = 0; i < N; i++) {
      double q[7];
      scene_place(i, k, q);
      memcpy(x + 3 * i, q, 3 * sizeof *q);
      memcpy(p + 4 * i, q + 3, 4 * sizeof *q);
      radius[i] = 0.5;
    }
    radius[1] = ns_norm3((double[3]){0.5, 0.3, 0.2}) + 0.125;
    radius[2] = 0.25 + 0.3;
    radius[3] = hypot(0.35, 0.4);
    radius[4] = radius[5] = ns_norm3((double[3]){0.4, 0.4, 0.3}) > 0.6
                                ? ns_norm3((double[3]){0.4, 0.4, 0.3})
                                : 0.6;
    expect(path, "position", x, 3 * N, 1e-8);
    expect(path, "orientation", p, 4 * N, 1e-8);
    expect(path, "radius", radius, N, 1e-8);
    for (int j = 0; j < (int)n; j++) {
      ns_contact_record e = scene_contact(N, j, k);
      for (int i = 0; i < 3; i++) f[3 * j + i] = e.impulse[i] / 0.01;
      memcpy(point + 3 * j, e.point, sizeof e.point);
      memcpy(normal + 3 * j, e.normal, sizeof e.normal);
      gap[j] = e.gap;
      a[j] = e.a;
    }
    snprintf(path, sizeof path, "out/contacts-%06d.vtp", k);
    expect(path, "force", f, 3 * n, 1e-8);
    expect(path, "position", point, 3 * n, 1e-8);
    expect(path, "normal", normal, 3 * n, 1e-8);
    expect(path, "gap", gap, n, 1e-8);
    expect(path, "a", a, n, 0);
  }
}
END_TEST

START_TEST(each_series_names_its_frames_and_times)
{
  static const char *const names[] = {"out.pvd", "out-bodies.pvd", "out-contacts.pvd"};
  ns_export_size size;
  write_vtk(N, LAST, &size);
  xmlDoc *d = xmlReadFile(names[_i], NULL, XML_PARSE_NONET);
  ck_assert_ptr_nonnull(d);
  int k = 0;
  for (xmlNode *e = xmlDocGetRootElement(d)->children->next->children; e; e = e->next) {
    if (e->type != XML_ELEMENT_NODE) continue;
    xmlChar *t = xmlGetProp(e, (const xmlChar *)"timestep"),
            *file = xmlGetProp(e, (const xmlChar *)"file");
    ck_assert_double_eq(atof((char *)t), k * 0.01);
    ck_assert_msg(access((char *)file, R_OK) == 0, "%s", (char *)file);
    xmlFree(t);
    xmlFree(file);
    k++;
  }
  ck_assert_int_eq(k, LAST + 1);
  xmlFreeDoc(d);
}
END_TEST

START_TEST(very_many_spheres_are_points_alone)
{
  ns_export_size size;
  size_t n;
  write_vtk(400, 1, &size);
  ck_assert_uint_eq(size.spheres, 395); /* bodies 1 to 5 are none */
  double *body = array_of("out/000001.vtp", "body", &n);
  for (size_t i = 0; i < n; i++) ck_assert(body[i] == -1 || (body[i] >= 1 && body[i] <= 5));
  free(body);
  free(array_of("out/bodies-000001.vtp", "radius", &n));
  ck_assert_uint_eq(n, 400);
}
END_TEST

/* The text of the hyperslab of attribute `name` in the first grid. */
static void check_slab(xmlXPathContext *x, const char *name, const char *slab, const char *dataset)
{
  char query[256];
  snprintf(query, sizeof query,
           "string((//Grid[@Name='body5'])[1]/Attribute[@Name='%s']/DataItem/DataItem[1])", name);
  xmlXPathObject *o = xmlXPathEvalExpression((const xmlChar *)query, x);
  ck_assert_str_eq((char *)o->stringval, slab);
  xmlXPathFreeObject(o);
  snprintf(query, sizeof query,
           "string((//Grid[@Name='body5'])[1]/Attribute[@Name='%s']/DataItem/DataItem[2])", name);
  o = xmlXPathEvalExpression((const xmlChar *)query, x);
  ck_assert_str_eq((char *)o->stringval, dataset);
  xmlXPathFreeObject(o);
}

START_TEST(xdmf_refers_to_radius_and_orientation)
{
  scene s;
  ns_ctx c;
  ns_export_size size;
  scene_init(&s, N, 0.01, 10);
  ck_assert_int_eq(write_scene(&s, &c, "in.h5", LAST), NS_OK);
  ns_result *r = open_result(&c, "in.h5");
  ns_export_options o = {.from = 0.03, .to = NAN};
  ck_assert_msg(ns_export_xdmf(&c, r, &o, "out.xmf", &size) == NS_OK, "%s", c.msg);
  ns_result_close(r);
  xmlDoc *d = xmlReadFile("out.xmf", NULL, XML_PARSE_NONET);
  xmlXPathContext *x = xmlXPathNewContext(d);
  check_slab(x, "radius", "5 1 1", "in.h5:/shapes/radius");
  check_slab(x, "orientation_w", "3 3 1 1 1 1", "in.h5:/systems/body5/q");
  check_slab(x, "orientation_z", "3 6 1 1 1 1", "in.h5:/systems/body5/q");
  xmlXPathFreeContext(x);
  xmlFreeDoc(d);
  scene_fini(&s);
}
END_TEST

int main(void)
{
  use_own_module();
  if (!have_module()) return puts("SKIP export_bodies: no HDF5 module"), 0;
  Suite *s = suite_create("export_bodies");
  TCase *t = tcase_create("export_bodies");
  tcase_set_timeout(t, 120);
  tcase_add_checked_fixture(t, enter, leave);
  tcase_add_test(t, surfaces_are_closed_and_hold_the_volume_of_their_shape);
  tcase_add_test(t, surfaces_are_placed_as_recorded);
  tcase_add_test(t, points_and_contacts_are_those_recorded);
  tcase_add_loop_test(t, each_series_names_its_frames_and_times, 0, 3);
  tcase_add_test(t, xdmf_refers_to_radius_and_orientation);
  tcase_add_test(t, very_many_spheres_are_points_alone);
  suite_add_tcase(s, t);
  return suite_end(s);
}
