/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solution.c -- the solution of a problem file as HDF5: attributes of the root, datasets z, w, mu,
 * v. */
#include "io/hdf5/h5.h"
#include "io/problemfile/problem_file_solution.h"

static int put_vector(hid_t file, const char *name, int n, const double *x)
{
  return x ? ns_h5_put_dataset(file, name, H5T_NATIVE_DOUBLE, ns_h5_vector_space((size_t)n), x) : 0;
}

static int put_all(hid_t f, const void *solution)
{
  const ns_problem_solution *s = solution;
  int n = s->problem->n;
  int bad = ns_h5_put_text(f, "format", "nssim-solution-1") < 0 ||
            ns_h5_put_text(f, "problem", s->file) < 0 ||
            ns_h5_put_text(f, "family", s->problem->family->name) < 0 ||
            ns_h5_put_integer(f, "unknowns", n) < 0 || ns_h5_put_text(f, "status", s->status) < 0 ||
            ns_h5_put_text(f, "message", s->message) < 0 ||
            ns_h5_put_text(f, "solver", s->solver) < 0 ||
            ns_h5_put_integer(f, "iterations", s->iterations) < 0 ||
            ns_h5_put_double(f, "residual", s->residual) < 0 ||
            ns_h5_put_double(f, "tolerance", s->tolerance) < 0 ||
            ns_h5_put_double(f, "seconds", s->seconds) < 0;
  return bad || put_vector(f, ns_problem_z(s->problem), n, s->z) < 0 ||
                 put_vector(f, ns_problem_w(s->problem), n, s->w) < 0 ||
                 put_vector(f, "mu", s->nmu, s->mu) < 0 || put_vector(f, "v", s->nv, s->v) < 0
             ? -1
             : 0;
}

int ns_h5_solution(ns_ctx *c, const char *path, const ns_problem_solution *s)
{
  return ns_h5_write_whole(c, path, put_all, s);
}
