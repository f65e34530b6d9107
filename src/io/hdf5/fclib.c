/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fclib.c -- the arrays of an FCLIB file, in and out. What they mean is for io/problemfile/fclib.c;
 * here only types and sizes. */
#include "io/problemfile/fclib.h"
#include "io/hdf5/h5.h"

#include <limits.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct source {
  ns_ctx *c;
  const char *path;
  ns_arena *arena;
  ns_h5_reason *reason;
  size_t bytes; /* read so far */
} source;

static int failed(source *s, const char *what)
{
  return ns_h5_fail(s->c, NS_MODEL, s->path, what, s->reason);
}

static int missing(source *s, const char *group, const char *name)
{
  return ns_fail(s->c, NS_MODEL, "%s: no %s/%s, expected one as FCLIB has it", s->path, group,
                 name);
}

/* Dataset `name` of loc as numbers of `type`, `size` bytes each; whole numbers are read as reals,
 * but not the other way. */
static int read_array(source *s, hid_t loc, const char *group, const char *name, hid_t type,
                      size_t size, void *out, size_t *n)
{
  void **to = out;
  *to = NULL;
  *n = 0;
  if (H5Lexists(loc, name, H5P_DEFAULT) <= 0) return missing(s, group, name);
  hid_t d = H5Dopen2(loc, name, H5P_DEFAULT), have = d < 0 ? -1 : H5Dget_type(d),
        space = d < 0 ? -1 : H5Dget_space(d);
  hssize_t points = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
  H5T_class_t class = have < 0 ? H5T_NO_CLASS : H5Tget_class(have);
  int rc = NS_OK;
  if (points < 0) rc = failed(s, name);
  else if (class != H5T_INTEGER && (class != H5T_FLOAT || H5Tget_class(type) == H5T_INTEGER))
    rc = ns_fail(s->c, NS_MODEL, "%s: %s/%s has a different type, expected numbers", s->path, group,
                 name);
  else if ((size_t)points > (NS_PROBLEM_BYTES - s->bytes) / size)
    rc = ns_fail(s->c, NS_MODEL, "%s: more than %zu bytes of numbers, expected a smaller file",
                 s->path, NS_PROBLEM_BYTES);
  else if (!(*to = ns_arena_get(s->arena, (size_t)points + 1, size)))
    rc = ns_nomem(s->c, "FCLIB problem");
  else if (points && H5Dread(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *to) < 0) rc = failed(s, name);
  if (!rc) {
    *n = (size_t)points;
    s->bytes += (size_t)points * size;
  }
  ns_h5_close(space, have, d);
  return rc;
}

static int read_integers(source *s, hid_t loc, const char *group, const char *name, int **out,
                         size_t *n)
{
  return read_array(s, loc, group, name, H5T_NATIVE_INT, sizeof(int), out, n);
}

static int read_scalar(source *s, hid_t loc, const char *group, const char *name, int min, int *x)
{
  int *v;
  size_t n;
  int rc = read_integers(s, loc, group, name, &v, &n);
  if (!rc && (n != 1 || v[0] < min))
    rc = ns_fail(s->c, NS_MODEL, "%s: %s/%s: expected one whole number from %d", s->path, group,
                 name, min);
  if (!rc) *x = v[0];
  return rc;
}

static int read_matrix(source *s, hid_t loc, const char *name, ns_fclib_matrix *A)
{
  if (H5Lexists(loc, name, H5P_DEFAULT) <= 0) return NS_OK;
  hid_t g = H5Gopen2(loc, name, H5P_DEFAULT);
  if (g < 0) return failed(s, name);
  A->present = 1;
  int rc = read_scalar(s, g, name, "m", 0, &A->m);
  if (!rc) rc = read_scalar(s, g, name, "n", 0, &A->n);
  if (!rc) rc = read_scalar(s, g, name, "nz", -2, &A->nz);
  if (!rc && (A->m >= INT_MAX / 2 || A->n >= INT_MAX / 2))
    rc = ns_fail(s->c, NS_MODEL, "%s: matrix %s is %d x %d, expected a smaller one", s->path, name,
                 A->m, A->n);
  if (!rc) rc = read_integers(s, g, name, "p", &A->p, &A->np);
  if (!rc) rc = read_integers(s, g, name, "i", &A->i, &A->ni);
  if (!rc) rc = read_array(s, g, name, "x", H5T_NATIVE_DOUBLE, sizeof(double), &A->x, &A->nx);
  H5Gclose(g);
  return rc;
}

static int read_vectors(source *s, hid_t loc, ns_fclib *f)
{
  if (H5Lexists(loc, "vectors", H5P_DEFAULT) <= 0) return missing(s, "", "vectors");
  hid_t g = H5Gopen2(loc, "vectors", H5P_DEFAULT);
  int rc = g < 0 ? failed(s, "vectors") : NS_OK;
  for (int k = 0; k < NS_FCLIB_VECTORS && !rc; k++) {
    ns_fclib_vector *v = &f->vector[k];
    const char *name = ns_fclib_vector_names[k];
    if (H5Lexists(g, name, H5P_DEFAULT) <= 0) continue;
    v->present = 1;
    rc = read_array(s, g, "vectors", name, H5T_NATIVE_DOUBLE, sizeof(double), &v->x, &v->n);
  }
  ns_h5_close(g);
  return rc;
}

/* The first one is where a solver begins. */
static int read_guess(source *s, hid_t file, ns_fclib_solution *g)
{
  int n = 0;
  if (H5Lexists(file, "guesses", H5P_DEFAULT) <= 0) return NS_OK;
  hid_t all = H5Gopen2(file, "guesses", H5P_DEFAULT), first = -1;
  int rc = all < 0 ? failed(s, "guesses")
                   : read_scalar(s, all, "guesses", "number_of_guesses", 0, &n);
  if (!rc && n) rc = H5Lexists(all, "1", H5P_DEFAULT) <= 0 ? missing(s, "guesses", "1") : NS_OK;
  if (!rc && n && (first = H5Gopen2(all, "1", H5P_DEFAULT)) < 0) rc = failed(s, "guesses/1");
  if (!rc && n)
    rc = read_array(s, first, "guesses/1", "r", H5T_NATIVE_DOUBLE, sizeof(double), &g->r.x,
                    &g->r.n);
  if (!rc && n && (g->l.present = H5Lexists(first, "l", H5P_DEFAULT) > 0))
    rc = read_array(s, first, "guesses/1", "l", H5T_NATIVE_DOUBLE, sizeof(double), &g->l.x,
                    &g->l.n);
  g->r.present = n > 0;
  ns_h5_close(first, all);
  return rc;
}

static const char *global_name(const ns_fclib *f)
{
  return f->rolling ? "fclib_global_rolling" : "fclib_global";
}

static int read_problem(source *s, hid_t file, ns_fclib *f)
{
  int local = H5Lexists(file, "fclib_local", H5P_DEFAULT) > 0,
      global = H5Lexists(file, "fclib_global", H5P_DEFAULT) > 0;
  f->rolling = !local && !global && H5Lexists(file, "fclib_global_rolling", H5P_DEFAULT) > 0;
  f->global = !local && (global || f->rolling);
  const char *name = local ? "fclib_local" : global_name(f);
  if (!local && !f->global)
    return ns_fail(
        s->c, NS_MODEL,
        "%s: none of /fclib_local, /fclib_global and /fclib_global_rolling, expected one of them",
        s->path);
  hid_t g = H5Gopen2(file, name, H5P_DEFAULT);
  if (g < 0) return failed(s, name);
  int rc = read_scalar(s, g, name, "spacedim", 1, &f->spacedim);
  for (int k = 0; k < NS_FCLIB_MATRICES && !rc; k++)
    rc = read_matrix(s, g, ns_fclib_matrix_names[k], &f->matrix[k]);
  if (!rc) rc = read_vectors(s, g, f);
  if (!rc) rc = read_guess(s, file, &f->guess);
  H5Gclose(g);
  return rc;
}

int ns_h5_fclib_read(ns_ctx *c, const char *path, ns_arena *a, ns_fclib *f)
{
  ns_h5_reason reason = {{0}, 0};
  int rc = ns_h5_start(c);
  if (rc) return rc;
  ns_h5_listen(&reason);
  source s = {.c = c, .path = path, .arena = a, .reason = &reason};
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  rc = file < 0 ? ns_h5_fail(c, NS_MODEL, path, "cannot read as HDF5", &reason)
                : read_problem(&s, file, f);
  if (file >= 0) H5Fclose(file);
  ns_h5_listen(NULL);
  return rc;
}

/* ---- writing --------------------------------------------------------------------------------- */

static int put_array(hid_t loc, const char *name, hid_t type, size_t n, const void *x)
{
  return ns_h5_put_dataset(loc, name, type, ns_h5_vector_space(n), x);
}

static int put_integer(hid_t loc, const char *name, int x)
{
  return put_array(loc, name, H5T_NATIVE_INT, 1, &x);
}

static int put_vector(hid_t loc, const char *name, const ns_fclib_vector *v)
{
  return v->present ? put_array(loc, name, H5T_NATIVE_DOUBLE, v->n, v->x) : 0;
}

static int put_matrix(hid_t loc, const char *name, const ns_fclib_matrix *A)
{
  if (!A->present) return 0;
  hid_t g = ns_h5_create_group(loc, name);
  int bad = g < 0 || put_integer(g, "nzmax", A->nzmax) < 0 || put_integer(g, "m", A->m) < 0 ||
            put_integer(g, "n", A->n) < 0 || put_integer(g, "nz", A->nz) < 0 ||
            put_array(g, "p", H5T_NATIVE_INT, A->np, A->p) < 0 ||
            put_array(g, "i", H5T_NATIVE_INT, A->ni, A->i) < 0 ||
            put_array(g, "x", H5T_NATIVE_DOUBLE, A->nx, A->x) < 0;
  ns_h5_close(g);
  return bad ? -1 : 0;
}

static int put_text(hid_t loc, const char *name, const char *text)
{
  if (!text) return 0;
  hid_t type = ns_h5_text_type(strlen(text) + 1);
  int rc = ns_h5_put_dataset(loc, name, type, H5Screate(H5S_SCALAR), text);
  ns_h5_close(type);
  return rc;
}

static int put_info(hid_t loc, const ns_fclib *f)
{
  hid_t g = ns_h5_create_group(loc, "info");
  int bad = g < 0 || put_text(g, "title", f->title) < 0 ||
            put_text(g, "description", f->description) < 0;
  ns_h5_close(g);
  return bad ? -1 : 0;
}

static int put_problem(hid_t file, const ns_fclib *f)
{
  hid_t g = ns_h5_create_group(file, f->global ? global_name(f) : "fclib_local"),
        v = g < 0 ? -1 : ns_h5_create_group(g, "vectors");
  int bad = v < 0 || put_integer(g, "spacedim", f->spacedim) < 0 || put_info(g, f) < 0;
  for (int k = 0; k < NS_FCLIB_MATRICES && !bad; k++)
    bad = put_matrix(g, ns_fclib_matrix_names[k], &f->matrix[k]) < 0;
  for (int k = 0; k < NS_FCLIB_VECTORS && !bad; k++)
    bad = put_vector(v, ns_fclib_vector_names[k], &f->vector[k]) < 0;
  ns_h5_close(v, g);
  return bad ? -1 : 0;
}

static int put_solution(hid_t loc, const char *name, const ns_fclib_solution *s)
{
  if (!s->r.present) return 0;
  hid_t g = ns_h5_create_group(loc, name);
  int bad = g < 0 || put_vector(g, "r", &s->r) < 0 || put_vector(g, "u", &s->u) < 0 ||
            put_vector(g, "v", &s->v) < 0 || put_vector(g, "l", &s->l) < 0;
  ns_h5_close(g);
  return bad ? -1 : 0;
}

static int put_guess(hid_t file, const ns_fclib_solution *s)
{
  if (!s->r.present) return 0;
  hid_t g = ns_h5_create_group(file, "guesses");
  int bad = g < 0 || put_integer(g, "number_of_guesses", 1) < 0 || put_solution(g, "1", s) < 0;
  ns_h5_close(g);
  return bad ? -1 : 0;
}

static int put_all(hid_t file, const void *what)
{
  const ns_fclib *f = what;
  int bad = put_problem(file, f) < 0 || put_solution(file, "solution", &f->solution) < 0 ||
            put_guess(file, &f->guess) < 0;
  return bad ? -1 : 0;
}

int ns_h5_fclib_write(ns_ctx *c, const char *path, const ns_fclib *f)
{
  return ns_h5_write_whole(c, path, put_all, f);
}
