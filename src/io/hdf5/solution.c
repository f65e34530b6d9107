/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solution.c -- the solution of a problem file as HDF5: attributes of the root, datasets z, w, mu, v. */
#include "io/hdf5/h5.h"
#include "io/problem_file_solution.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int ns_h5_probe(ns_ctx *c, const char *path, int *made)
{
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  *made = fd >= 0;
  if (fd < 0 && errno == EEXIST) fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    return ns_fail(c, NS_NOCREATE, "%s: cannot create: %s%s", path, strerror(errno),
                   errno == ENOENT ? "; make its folder first" : "");
  close(fd);
  return NS_OK;
}

static int put_vector(hid_t file, const char *name, int n, const double *x)
{
  hsize_t dim = (hsize_t)n;
  if (!x) return 0;
  hid_t space = H5Screate_simple(1, &dim, NULL);
  hid_t d = space < 0 ? -1 : H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  int rc = d < 0 ? -1 : H5Dwrite(d, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x);
  if (d >= 0 && H5Dclose(d) < 0) rc = -1;
  if (space >= 0) H5Sclose(space);
  return rc;
}

static int put_all(hid_t f, const ns_problem_solution *s)
{
  int n = s->problem->n;
  int bad = ns_h5_put_text(f, "format", "nssim-solution-1") < 0 || ns_h5_put_text(f, "problem", s->file) < 0 ||
            ns_h5_put_text(f, "family", s->problem->family->name) < 0 || ns_h5_put_integer(f, "unknowns", n) < 0 ||
            ns_h5_put_text(f, "status", s->status) < 0 || ns_h5_put_text(f, "message", s->message) < 0 ||
            ns_h5_put_text(f, "solver", s->solver) < 0 || ns_h5_put_integer(f, "iterations", s->iterations) < 0 ||
            ns_h5_put_double(f, "residual", s->residual) < 0 || ns_h5_put_double(f, "tolerance", s->tolerance) < 0 ||
            ns_h5_put_double(f, "seconds", s->seconds) < 0;
  return bad || put_vector(f, ns_problem_z(s->problem), n, s->z) < 0 || put_vector(f, ns_problem_w(s->problem), n, s->w) < 0 ||
                 put_vector(f, "mu", s->nmu, s->mu) < 0 || put_vector(f, "v", s->nv, s->v) < 0
             ? -1
             : 0;
}

int ns_h5_solution(ns_ctx *c, const char *path, const ns_problem_solution *s)
{
  ns_h5_reason reason = {{0}};
  int made, rc = ns_h5_start(c);
  if (!rc) rc = ns_h5_probe(c, path, &made);
  if (rc) return rc;
  ns_h5_listen(&reason);
  hid_t f = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (f < 0) rc = ns_h5_fail(c, NS_NOCREATE, path, "cannot create", &reason);
  if (!rc && put_all(f, s) < 0) rc = ns_h5_fail(c, NS_OUTPUT, path, "cannot write", &reason);
  if (f >= 0 && H5Fclose(f) < 0 && !rc) rc = ns_h5_fail(c, NS_OUTPUT, path, "cannot close", &reason);
  ns_h5_listen(NULL);
  if (rc && made) unlink(path);
  return rc;
}
