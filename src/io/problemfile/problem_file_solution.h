/* SPDX-License-Identifier: GPL-3.0-or-later */
/* problem_file_solution.h -- what came of a problem file, and how it is written as text and as
 * HDF5. */
#ifndef NS_IO_PROBLEMFILE_PROBLEM_FILE_SOLUTION_H
#define NS_IO_PROBLEMFILE_PROBLEM_FILE_SOLUTION_H

#include "io/problemfile/problem_file.h"

typedef struct ns_problem_solution {
  const char *file; /* that the problem was read from */
  const ns_problem *problem;
  int solved;          /* the residual below is within the tolerance */
  const char *status;  /* "solved", "not solved" */
  const char *message; /* why not, "" where solved */
  const char *solver;  /* what found it */
  int iterations;
  double residual; /* computed by the problem from z (and mu, and v) */
  double tolerance;
  double seconds;               /* of the solver's setting up and solving */
  int nmu;                      /* rows of the polyhedron, 0 where there is none */
  int nv;                       /* velocities of a global problem, 0 where there are none */
  const double *z, *w, *mu, *v; /* [n], [n], [nmu], [nv]; NULL where not solved */
} ns_problem_solution;

/* "dense", "blocks", "sparse": how the matrix of the problem is held. */
const char *ns_problem_storage(const ns_problem *p);

/* What z and w are called in that family: r and u where they are impulses and velocities of
 * contacts. */
const char *ns_problem_z(const ns_problem *p);
const char *ns_problem_w(const ns_problem *p);

/* Lines "# name value", then columns row, z, w (and in a second table row, mu or v) with 17 digits.
 * NS_NOCREATE, NS_OUTPUT. */
int ns_problem_solution_text(ns_ctx *c, const char *path, const ns_problem_solution *s);
/* The same as attributes and datasets z, w, mu, v, by the HDF5 module. */
int ns_problem_solution_hdf5(ns_ctx *c, const char *path, const ns_problem_solution *s);

#endif
