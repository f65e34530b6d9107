/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fclib.h -- friction problems in HDF5, in the layout of the FCLIB collection (Acary, Bremond,
 * Koziara & Perignon 2014, RT-0444): a group /fclib_local, /fclib_global or /fclib_global_rolling
 * with matrices and vectors, and next to it /solution and /guesses (starting points of a solver).
 *
 *   local     u = W r + V l + q,      V^T r + R l + s = 0
 *   global    M v = H r + G l + f,    G^T v + b = 0,    u = H^T v + w
 *
 * The HDF5 module (hdf5_module.h) reads and writes the arrays; this file gives them their meaning.
 * Equalities, with multipliers l, become box blocks after the contacts. */
#ifndef NS_IO_PROBLEMFILE_FCLIB_H
#define NS_IO_PROBLEMFILE_FCLIB_H

#include "io/problemfile/problem_file.h"

/* Matrices and vectors under their names in the file. */
typedef enum ns_fclib_part {
  NS_FCLIB_W,
  NS_FCLIB_V,
  NS_FCLIB_R,
  NS_FCLIB_M,
  NS_FCLIB_H,
  NS_FCLIB_G,
  NS_FCLIB_MATRICES
} ns_fclib_part;
typedef enum ns_fclib_list {
  NS_FCLIB_q,
  NS_FCLIB_s,
  NS_FCLIB_f,
  NS_FCLIB_w,
  NS_FCLIB_b,
  NS_FCLIB_mu,
  NS_FCLIB_mu_r,
  NS_FCLIB_VECTORS
} ns_fclib_list;
extern const char *const ns_fclib_matrix_names[], *const ns_fclib_vector_names[];

typedef struct ns_fclib_matrix {
  int present;
  int m, n, nzmax;
  int nz;            /* >= 0: so many triplets, i row, p column; -1: by columns; -2: by rows */
  size_t np, ni, nx; /* lengths of the arrays */
  int *p, *i;
  double *x;
} ns_fclib_matrix;

typedef struct ns_fclib_vector {
  int present;
  size_t n;
  double *x;
} ns_fclib_vector;

typedef struct ns_fclib_solution {
  ns_fclib_vector r, u, v, l;
} ns_fclib_solution;

typedef struct ns_fclib {
  int global; /* /fclib_global, else /fclib_local */
  /* /fclib_global_rolling: global, with mu_r; spacedim is then the number of rows of a contact */
  int rolling;
  int spacedim;
  ns_fclib_matrix matrix[NS_FCLIB_MATRICES];
  ns_fclib_vector vector[NS_FCLIB_VECTORS];
  const char *title, *description; /* only for writing; may be NULL */
  ns_fclib_solution solution;      /* only for writing, if r is present */
  /* first entry of /guesses, if r is present; reading gives r and l only */
  ns_fclib_solution guess;
} ns_fclib;

/* 1 if the file begins with the signature of HDF5. */
int ns_fclib_is(const char *text, size_t n);
/* Read a problem. family: the one expected, NULL: that of the file; a file of another family is an
 * error. NS_NOINPUT, NS_MODEL. */
int ns_fclib_problem(ns_ctx *c, const char *path, const ns_problem_family *family,
                     ns_problem **out);
/* Write the problem p, its guess, and the solution r, u [n], v (NULL: none). description may be
 * NULL. NS_NOCREATE, NS_OUTPUT. */
int ns_fclib_write(ns_ctx *c, const char *path, const ns_problem *p, const char *description,
                   const double *r, const double *u, const double *v);

#endif
