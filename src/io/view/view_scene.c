/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/view/view_scene.h"

#include "base/plural.h"
#include "io/view/view_stream.h"
#include "io/webpage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *ns_view_title(const ns_view_scene *s)
{
  return s->m->title && *s->m->title ? s->m->title : s->m->name ? s->m->name : "nssim";
}

/* ---- what there is --------------------------------------------------------------------------- */

static int is_flat(const ns_view_scene *s)
{
  for (int i = 0; i < s->bodies.scene->nbodies; i++)
    if (s->bodies.scene->body[i].coordinates != 3) return 0;
  for (size_t i = 0; s->is_points && i < s->points.n; i++) {
    const ns_export_value *z = &s->points.point[i].x[2];
    if (z->channel >= 0 || z->constant != 0) return 0;
  }
  return 1;
}

enum { MAX_BARS = 64, MAX_CURVES = 12, USUAL_CURVES = 6, MAX_EVENTS = 4000 };

/* The channels whose path begins so and ends so. */
static int take_bars(ns_ctx *c, const char *begin, const char *end, ns_arena *a, ns_view_scene *s)
{
  for (int i = 0; i < s->m->nchannels; i++) {
    const ns_channel *k = &s->m->channels[i];
    size_t n = strlen(k->path), m = strlen(end);
    ns_column *cols;
    int ncols;
    if (!strchr(k->path, '/') || strncmp(k->path, "diagnostics/", 12) == 0) continue;
    if (strncmp(k->path, begin, strlen(begin)) != 0 || n < m || strcmp(k->path + n - m, end) != 0)
      continue;
    int rc = ns_result_match(s->r, c, k->path, a, &cols, &ncols);
    if (rc) return rc;
    for (int j = 0; j < ncols && s->nbars < MAX_BARS; j++) s->bars[s->nbars++] = cols[j];
  }
  return NS_OK;
}

/* Of circuits the voltages of the nodes, else the states of all systems; where neither is recorded,
 * the voltages of elements, else all quantities that are. */
static int make_bars(ns_ctx *c, ns_arena *a, ns_view_scene *s)
{
  static const char *const kind[][2] = {
      {"nodes/", "/v"}, {"systems/", "/x"}, {"systems/", "/q"}, {"elements/", "/v"}, {"", ""}};
  s->bars = ns_arena_get(a, MAX_BARS, sizeof *s->bars);
  int rc = s->bars ? NS_OK : ns_nomem(c, "scene of a page");
  for (int k = 0; k < 5 && !rc; k++)
    if (k == 2 || !s->nbars) rc = take_bars(c, kind[k][0], kind[k][1], a, s);
  return rc;
}

static int make_curves(ns_ctx *c, const char *const *pattern, int n, ns_arena *a, ns_view_scene *s)
{
  s->curves = ns_arena_get(a, MAX_CURVES, sizeof *s->curves);
  if (!s->curves) return ns_nomem(c, "scene of a page");
  for (int i = 0; i < n; i++) {
    ns_column *cols;
    int ncols, rc = ns_result_match(s->r, c, pattern[i], a, &cols, &ncols);
    if (rc) return rc;
    if (s->ncurves + ncols > MAX_CURVES)
      return ns_fail(c, NS_USAGE, "more than %d curves next to the scene: give fewer", MAX_CURVES);
    for (int j = 0; j < ncols; j++) s->curves[s->ncurves++] = cols[j];
  }
  for (int i = 0; !n && i < s->nbars && i < USUAL_CURVES; i++) s->curves[s->ncurves++] = s->bars[i];
  return NS_OK;
}

/* Points; where no system is one, and nobody asked for points, bars. */
static int make_points(ns_ctx *c, ns_result *r, const ns_export_options *o, ns_arena *a,
                       ns_view_scene *s)
{
  ns_ctx quiet = {.claims = c->claims};
  int rc = ns_export_points_make(o->npoints ? c : &quiet, r, o, a, &s->points);
  if (rc == NS_USAGE && !o->npoints) rc = make_bars(c, a, s);
  else if (rc) return o->npoints ? rc : ns_fail(c, rc, "%s", quiet.msg);
  else return ns_export_banks_read(c, r, &s->points, a, &s->banks);
  if (rc) return rc;
  s->points = (ns_export_points){0};
  if (s->nbars) return ns_export_points_rows(c, r, o, a, &s->points);
  return ns_fail(c, NS_USAGE, "%s", quiet.msg);
}

int ns_view_scene_make(ns_ctx *c, ns_result *r, const ns_export_options *o,
                       const char *const *curves, int ncurves, ns_arena *a, ns_view_scene *s)
{
  s->r = r;
  s->m = ns_result_get_meta(r);
  int rc = ns_export_bodies_make(c, r, a, &s->bodies);
  if (rc) return rc;
  s->is_points = !s->bodies.scene->nbodies || o->npoints;
  if (s->is_points) rc = make_points(c, r, o, a, s);
  else rc = ns_export_points_rows(c, r, o, a, &s->points);
  if (!rc) rc = make_curves(c, curves, ncurves, a, s);
  s->nbodies = s->is_points ? s->points.n : (size_t)s->bodies.scene->nbodies;
  s->planar = is_flat(s);
  return rc;
}

int ns_view_scene_count(ns_ctx *c, ns_view_scene *s, ns_arena *a)
{
  const ns_contact_record *k;
  int rc = NS_OK;
  if (!s->m->ncontacts) return NS_OK;
  s->ncontacts = ns_arena_zero(a, s->points.nrows, sizeof *s->ncontacts);
  if (!s->ncontacts) return ns_nomem(c, "scene of a page");
  for (size_t i = 0; i < s->points.nrows && !rc; i++)
    rc = ns_result_contacts(s->r, c, s->points.rows[i], &k, &s->ncontacts[i]);
  return rc;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void reals(json_t *list, const double *x, int n, int *bad)
{
  for (int i = 0; i < n; i++) ns_webpage_append(list, json_real(isfinite(x[i]) ? x[i] : 0), bad);
}

/* [kind, body, material, mesh, radius, half, position, orientation], and birth and death where it
 * is not always there */
static json_t *shape(const ns_scene_shape *s, int mesh, int *bad)
{
  json_t *v = json_array();
  ns_webpage_append(v, json_integer(s->kind), bad);
  ns_webpage_append(v, json_integer(s->body), bad);
  ns_webpage_append(v, json_integer(s->material), bad);
  ns_webpage_append(v, json_integer(mesh), bad);
  reals(v, &s->radius, 1, bad);
  reals(v, s->half, 3, bad);
  reals(v, s->position, 3, bad);
  reals(v, s->orientation, 4, bad);
  if (s->birth > -INFINITY || s->death < INFINITY) {
    const double life[2] = {fmax(s->birth, -1e300), fmin(s->death, 1e300)};
    reals(v, life, 2, bad);
  }
  return v;
}

static json_t *mesh_of(const ns_scene_shape *s, int *bad)
{
  json_t *o = json_object(), *v = json_array(), *t = json_array();
  double reach = 0;
  for (int i = 0; i < s->nvertices; i++) reach = fmax(reach, ns_norm3(s->vertex + 3 * i));
  reals(v, s->vertex, 3 * s->nvertices, bad);
  for (int i = 0; i < 3 * s->ntriangles; i++)
    ns_webpage_append(t, json_integer(s->triangle[i]), bad);
  *bad |= json_object_set_new(o, "vertices", v) || json_object_set_new(o, "triangles", t) ||
          json_object_set_new(o, "reach", json_real(reach));
  return o;
}

/* Which of the meshes so far has these vertices; n: a new one. */
static int find_mesh(const double *const *seen, int n, const double *vertex)
{
  int k = n;
  while (k && seen[k - 1] != vertex) k--; /* mostly the last one */
  return k ? k - 1 : n;
}

/* Shapes, and the meshes that they share. */
static void put_shapes(const ns_view_scene *s, json_t *shapes, json_t *meshes, int *bad)
{
  const ns_result_scene *k = s->bodies.scene;
  const double **seen = malloc(((size_t)k->nshapes + 1) * sizeof *seen);
  int n = 0;
  *bad |= !seen;
  for (int i = 0; seen && i < k->nshapes && !s->is_points; i++) {
    const ns_scene_shape *x = &k->shape[i];
    int mesh = x->nvertices ? find_mesh(seen, n, x->vertex) : -1;
    if (mesh == n) ns_webpage_append(meshes, mesh_of(x, bad), bad);
    if (mesh == n) seen[n++] = x->vertex;
    ns_webpage_append(shapes, shape(x, mesh, bad), bad);
  }
  free(seen);
}

/* What has no shape is a sphere, to which the page gives a size. */
static void put_points(const ns_view_scene *s, json_t *shapes, int *bad)
{
  char *has = calloc(s->nbodies + 1, 1);
  *bad |= !has;
  for (int i = 0; has && !s->is_points && i < s->bodies.scene->nshapes; i++)
    if (s->bodies.scene->shape[i].body >= 0) has[s->bodies.scene->shape[i].body] = 1;
  for (size_t i = 0; has && i < s->nbodies; i++)
    if (!has[i])
      ns_webpage_append(shapes,
                        shape(&(ns_scene_shape){.kind = NS_SHAPE_SPHERE,
                                                .body = (int)i,
                                                .orientation = {1},
                                                .birth = -INFINITY,
                                                .death = INFINITY},
                              -1, bad),
                        bad);
  free(has);
}

static json_t *names(const ns_view_scene *s, int *bad)
{
  json_t *v = json_array();
  for (size_t i = 0; i < s->nbodies; i++)
    ns_webpage_append(
        v, ns_webpage_text(s->is_points ? s->points.point[i].name : s->bodies.scene->body[i].id),
        bad);
  return v;
}

/* [{name, unit, y: values of the frames}] */
static json_t *columns(ns_ctx *c, const ns_view_scene *s, const ns_column *col, int n, int *bad)
{
  json_t *list = json_array();
  double *all = malloc((s->m->nrows + 1) * sizeof *all);
  *bad |= !all;
  for (int k = 0; k < n && !*bad; k++) {
    json_t *o = json_object(), *y = json_array();
    *bad |= ns_result_read(s->r, c, &col[k], all) != NS_OK;
    for (size_t i = 0; i < s->points.nrows && !*bad; i++) {
      double v = all[s->points.rows[i]];
      ns_webpage_append(y, isfinite(v) ? json_real(v) : json_null(), bad);
    }
    *bad |= json_object_set_new(o, "name", ns_webpage_text(col[k].label)) ||
            json_object_set_new(o, "unit", ns_webpage_text(col[k].unit ? col[k].unit : "")) ||
            json_object_set_new(o, "y", y);
    ns_webpage_append(list, o, bad);
  }
  free(all);
  return list;
}

/* [time, kind, interaction] of the events between the first and the last frame; of very many only
 * those that a line of the screen can show apart. */
static json_t *events(ns_ctx *c, const ns_view_scene *s, int *bad)
{
  const ns_result_event *e = NULL;
  json_t *list = json_array();
  size_t n = s->points.nrows;
  if (!s->m->nevents || !n) return list;
  *bad |= ns_result_events(s->r, c, &e) != NS_OK;
  double t0 = s->points.t[0], t1 = s->points.t[n - 1], last = -INFINITY,
         gap = s->m->nevents > MAX_EVENTS ? (t1 - t0) / MAX_EVENTS : -1;
  for (size_t i = 0; i < s->m->nevents && !*bad; i++) {
    if (!(e[i].t >= t0 && e[i].t <= t1) || e[i].t < last + gap) continue;
    json_t *k = json_array();
    ns_webpage_append(k, json_real(e[i].t), bad);
    ns_webpage_append(k,
                      ns_webpage_text(e[i].kind >= 0 && e[i].kind < NS_EVENT_KINDS
                                          ? ns_event_text((ns_event_kind)e[i].kind)
                                          : "event"),
                      bad);
    ns_webpage_append(k, ns_webpage_text(e[i].interaction), bad);
    ns_webpage_append(list, k, bad);
    last = e[i].t;
  }
  return list;
}

static json_t *about(const ns_view_scene *s)
{
  char buf[256];
  size_t n = s->nbars ? (size_t)s->nbars : s->nbodies, frames = s->points.nrows;
  const char *kind = ns_plural(n, "body", "bodies");
  if (s->is_points) kind = ns_plural(n, "point", "points");
  if (s->nbars) kind = ns_plural(n, "quantity", "quantities");
  snprintf(buf, sizeof buf, "%.60s%s%zu %s, %zu %s; nssim %.40s", s->m->name ? s->m->name : "",
           s->m->name ? ": " : "", n, kind, frames, ns_plural(frames, "frame", "frames"),
           s->m->provenance.version ? s->m->provenance.version : NS_VERSION);
  return ns_webpage_text(buf);
}

int ns_view_put_scene(ns_ctx *c, const ns_view_scene *s, FILE *f)
{
  json_t *o = json_object(), *times = json_array(), *counts = json_array(), *shapes = json_array(),
         *meshes = json_array();
  json_t *materials = json_array();
  int bad = 0;
  for (size_t i = 0; i < s->points.nrows; i++)
    ns_webpage_append(times, json_real(s->points.t[i]), &bad);
  for (size_t i = 0; s->ncontacts && i < s->points.nrows; i++)
    ns_webpage_append(counts, json_integer((json_int_t)s->ncontacts[i]), &bad);
  for (int i = 0; i < s->bodies.scene->nmaterials; i++)
    ns_webpage_append(materials, ns_webpage_text(s->bodies.scene->material[i]), &bad);
  put_shapes(s, shapes, meshes, &bad);
  size_t with = json_array_size(shapes);
  put_points(s, shapes, &bad);
  struct {
    const char *key;
    json_t *value;
  } all[] = {{"title", ns_webpage_text(ns_view_title(s))},
             {"about", about(s)},
             {"planar", json_boolean(s->planar)},
             {"points", json_boolean(json_array_size(shapes) > with)},
             {"bodies", names(s, &bad)},
             {"materials", materials},
             {"times", times},
             {"counts", counts},
             {"events", events(c, s, &bad)},
             {"curves", columns(c, s, s->curves, s->ncurves, &bad)},
             {"paints", ns_view_paints_json(s, &bad)},
             {"bars", columns(c, s, s->bars, s->nbars, &bad)},
             {"shapes", shapes},
             {"meshes", meshes}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    bad |= json_object_set_new(o, all[i].key, all[i].value) != 0;
  if (c->rc) bad = 1;
  int rc = ns_webpage_json(c, o, bad, f);
  return c->rc ? c->rc : rc;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void pose_of(const ns_view_scene *s, size_t body, size_t row, ns_pose *at)
{
  *at = (ns_pose){.p = {1}};
  if (!s->is_points) ns_export_body_at(&s->bodies, (int)body, row, at);
  for (int k = 0; s->is_points && k < 3; k++)
    at->x[k] = ns_export_value_at(&s->banks, s->m, &s->points.point[body].x[k], row);
}

int ns_view_put_motion(ns_ctx *c, const ns_view_scene *s, FILE *f)
{
  ns_view_stream to = {.f = f};
  (void)c;
  for (size_t i = 0; i < s->points.nrows; i++) {
    for (size_t k = 0; k < s->nbodies; k++) {
      ns_pose at;
      pose_of(s, k, s->points.rows[i], &at);
      ns_view_stream_put_reals(&to, at.x, 3);
      ns_view_stream_put_reals(&to, at.p, 4);
    }
  }
  ns_view_stream_end(&to);
  return NS_OK;
}

int ns_view_put_contacts(ns_ctx *c, const ns_view_scene *s, FILE *f)
{
  ns_view_stream to = {.f = f};
  const ns_contact_record *k;
  size_t n;
  int rc = NS_OK;
  for (size_t i = 0; s->ncontacts && i < s->points.nrows && !rc; i++) {
    rc = ns_result_contacts(s->r, c, s->points.rows[i], &k, &n);
    for (size_t j = 0; j < n && !rc; j++) {
      double force[3];
      ns_export_contact_force(s->m, &k[j], force);
      ns_view_stream_put_reals(&to, k[j].point, 3);
      ns_view_stream_put_reals(&to, force, 3);
      ns_view_stream_put(&to, k[j].a);
      ns_view_stream_put(&to, k[j].b);
    }
  }
  ns_view_stream_end(&to);
  return rc;
}
