/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export_vtk.c -- points that move as a series of PolyData files, and what all such series share.
 */
#include "io/export/export_vtk.h"

#include "io/export/export_file.h"
#include "io/number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- what all series share ------------------------------------------------------------------- */

void ns_vtk_begin(const char *name, const char *type, int components, FILE *f)
{
  fprintf(
      f, "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"ascii\">\n",
      type, name, components);
}

void ns_vtk_end(FILE *f) { fputs("        </DataArray>\n", f); }

void ns_vtk_begin_piece(size_t points, size_t verts, size_t polys, FILE *f)
{
  fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\" "
        "byte_order=\"LittleEndian\">\n  <PolyData>\n",
        f);
  fprintf(f,
          "    <Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"0\" "
          "NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n",
          points, verts, polys);
}

void ns_vtk_end_piece(FILE *f) { fputs("    </Piece>\n  </PolyData>\n</VTKFile>\n", f); }

void ns_vtk_count(const char *name, const char *type, size_t from, size_t step, size_t n, FILE *f)
{
  ns_vtk_begin(name, type, 1, f);
  for (size_t i = 0; i < n; i++) fprintf(f, "%zu ", from + i * step);
  fputc('\n', f);
  ns_vtk_end(f);
}

void ns_vtk_verts(size_t n, FILE *f)
{
  fputs("      <Verts>\n", f);
  ns_vtk_count("connectivity", "Int64", 0, 1, n, f);
  ns_vtk_count("offsets", "Int64", 1, 1, n, f);
  fputs("      </Verts>\n", f);
}

int ns_vtk_frame(const ns_vtk_series *s, const char *prefix, size_t i,
                 int (*put)(const void *from, size_t i, FILE *f), const void *from)
{
  ns_export_file to;
  size_t n = strlen(s->folder) + strlen(prefix) + 40;
  char *path = malloc(n);
  if (!path) return ns_nomem(s->c, "name of a frame");
  snprintf(path, n, "%s/%s%06zu.vtp", s->folder, prefix, i);
  int rc = ns_export_file_open(s->c, path, &to), end;
  free(path);
  if (rc) return rc;
  rc = put(from, i, to.f);
  end = ns_export_file_close(&to);
  return rc ? rc : end;
}

int ns_vtk_times(const ns_vtk_series *s, const char *path, const char *prefix, const double *t,
                 size_t n)
{
  ns_export_file to;
  char text[NS_NUMBER_SIZE];
  int rc = ns_export_file_open(s->c, path, &to);
  if (rc) return rc;
  fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
        "byte_order=\"LittleEndian\">\n  <Collection>\n",
        to.f);
  for (size_t i = 0; i < n; i++) {
    ns_number_format(t[i], text);
    fprintf(to.f, "    <DataSet timestep=\"%s\" group=\"\" part=\"0\" file=\"", text);
    ns_export_put_attribute(s->base, to.f);
    fprintf(to.f, "/%s%06zu.vtp\"/>\n", prefix, i);
  }
  fputs("  </Collection>\n</VTKFile>\n", to.f);
  return ns_export_file_close(&to);
}

/* "dir/out.pvd" has its frames in dir/out. */
int ns_vtk_series_make(ns_ctx *c, const char *path, ns_vtk_series *s)
{
  *s = (ns_vtk_series){.c = c};
  size_t n = strlen(path);
  s->folder = strdup(path);
  if (!s->folder) return ns_nomem(s->c, "name of a folder");
  if (n < 5 || strcmp(path + n - 4, ".pvd") != 0 || path[n - 5] == '/')
    return ns_fail(s->c, NS_USAGE,
                   "'%s': a series of VTK files needs a name that ends in .pvd, such as out.pvd",
                   path);
  s->folder[n - 4] = 0;
  const char *slash = strrchr(s->folder, '/');
  s->base = slash ? slash + 1 : s->folder;
  if (mkdir(s->folder, 0777) == 0) return NS_OK;
  struct stat st;
  int e = errno;
  if (e == EEXIST && stat(s->folder, &st) == 0 && S_ISDIR(st.st_mode)) return NS_OK;
  return ns_fail(s->c, NS_NOCREATE, "%s: cannot make this folder for the frames: %s", s->folder,
                 strerror(e));
}

/* ---- points ---------------------------------------------------------------------------------- */

typedef struct series {
  ns_vtk_series vtk;
  ns_ctx *c;
  const ns_result *r;
  const ns_result_meta *m;
  const ns_export_points *p;
  ns_export_banks banks;
} series;

/* VTK's readers stop at nan. */
static int put_number(const series *s, const ns_export_point *x, double y, size_t row, FILE *f)
{
  char text[NS_NUMBER_SIZE];
  if (!isfinite(y))
    return ns_fail(s->c, NS_NOINPUT,
                   "%s: %s is not finite in row %zu, which ParaView cannot read; exclude such rows "
                   "with --from and --to",
                   ns_result_path(s->r), x->name, row + 1);
  ns_number_format(y, text);
  fprintf(f, "%s ", text);
  return NS_OK;
}

typedef enum which { POSITION, VELOCITY, IMPULSE } which;

static const ns_export_value *vector_of(const ns_export_point *x, which w)
{
  return w == POSITION ? x->x : w == VELOCITY ? x->v : x->p;
}

static int put_vectors(const series *s, which w, size_t row, FILE *f)
{
  static const char *const name[] = {
      [POSITION] = "position", [VELOCITY] = "velocity", [IMPULSE] = "impulse"};
  int rc = NS_OK;
  ns_vtk_begin(name[w], "Float64", 3, f);
  for (size_t i = 0; i < s->p->n && !rc; i++) {
    const ns_export_value *x = vector_of(&s->p->point[i], w);
    for (int k = 0; k < 3 && !rc; k++)
      rc = put_number(s, &s->p->point[i], ns_export_value_at(&s->banks, s->m, &x[k], row), row, f);
    fputc('\n', f);
  }
  ns_vtk_end(f);
  return rc;
}

static int put_angles(const series *s, size_t row, FILE *f)
{
  int rc = NS_OK;
  ns_vtk_begin("angle", "Float64", 1, f);
  for (size_t i = 0; i < s->p->n && !rc; i++)
    rc = put_number(s, &s->p->point[i],
                    ns_export_value_at(&s->banks, s->m, &s->p->point[i].angle, row), row, f);
  fputc('\n', f);
  ns_vtk_end(f);
  return rc;
}

static int put_point_data(const series *s, size_t row, FILE *f)
{
  int rc = NS_OK;
  fprintf(f, "      <PointData Scalars=\"index\"%s>\n", s->p->has_v ? " Vectors=\"velocity\"" : "");
  ns_vtk_count("index", "Int32", 0, 1, s->p->n, f);
  if (s->p->has_v) rc = put_vectors(s, VELOCITY, row, f);
  if (!rc && s->p->has_p) rc = put_vectors(s, IMPULSE, row, f);
  if (!rc && s->p->has_angle) rc = put_angles(s, row, f);
  fputs("      </PointData>\n", f);
  return rc;
}

static int put_frame(const void *from, size_t i, FILE *f)
{
  const series *s = from;
  size_t row = s->p->rows[i];
  ns_vtk_begin_piece(s->p->n, s->p->n, 0, f);
  fputs("      <Points>\n", f);
  int rc = put_vectors(s, POSITION, row, f);
  fputs("      </Points>\n", f);
  ns_vtk_verts(s->p->n, f);
  if (!rc) rc = put_point_data(s, row, f);
  ns_vtk_end_piece(f);
  return rc;
}

static int write_all(series *s, ns_result *r, const char *path, ns_arena *a)
{
  int rc = ns_export_banks_read(s->c, r, s->p, a, &s->banks);
  if (!rc) rc = ns_vtk_series_make(s->c, path, &s->vtk);
  for (size_t i = 0; i < s->p->nrows && !rc; i++) rc = ns_vtk_frame(&s->vtk, "", i, put_frame, s);
  if (!rc) rc = ns_vtk_times(&s->vtk, path, "", s->p->t, s->p->nrows);
  free(s->vtk.folder);
  return rc;
}

static int export_points(ns_ctx *c, ns_result *r, const ns_export_options *o, const char *path,
                         ns_export_size *size)
{
  ns_export_points p;
  series s = {.c = c, .r = r, .m = ns_result_get_meta(r), .p = &p};
  ns_arena *a = ns_arena_create(0, 1);
  if (!a) return ns_nomem(c, "points to export");
  int rc = ns_export_points_make(c, r, o, a, &p);
  if (!rc) ns_export_points_thin(&p, o->frames ? o->frames : NS_VTK_FRAMES);
  if (!rc) *size = (ns_export_size){.frames = p.nrows, .points = p.n, .rows = p.asked};
  if (!rc) rc = write_all(&s, r, path, a);
  ns_arena_destroy(a);
  return rc;
}

int ns_export_vtk(ns_ctx *c, ns_result *r, const ns_export_options *o, const char *path,
                  ns_export_size *size)
{
  const ns_result_scene *scene;
  int rc = ns_result_get_scene(r, c, &scene);
  if (rc) return rc;
  return (scene->nshapes && !o->npoints ? ns_export_vtk_bodies : export_points)(c, r, o, path,
                                                                                size);
}
