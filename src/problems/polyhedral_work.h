/* SPDX-License-Identifier: GPL-3.0-or-later */
/* polyhedral_work.h -- a vertex of P = { z : H z >= k } and the problem in coordinates at the
 * vertex. Private to src/problems. */
#ifndef NS_PROBLEMS_POLYHEDRAL_WORK_H
#define NS_PROBLEMS_POLYHEDRAL_WORK_H

#include "problems/box/work.h"
#include "problems/polyhedral.h"

/* Coordinates at a vertex: s_A = H_A z - k_A for r = rank H independent rows, t = n - r entries of
 * z, which are free where H has a lineality space. */
typedef struct ns_vertex {
  int n, p, rank;
  int *active;            /* rows of H that are active at the vertex [n], the first `rank` used */
  int *entry;             /* entries of z that are coordinates [n], n - rank used */
  int *inactive;          /* the other rows of H [p] */
  double *z;              /* the vertex [n] */
  double *inverse;        /* B^-1, B the rows of H_A and of the entries [n x n] */
  double *Q;              /* orthonormal basis of the rows of B chosen so far [n x n] */
  double *s, *hd, *d, *x; /* [p], [p], [n], [n] */
  int *piv;               /* [n] */
  double *B;              /* [n x n] */
  /* The AVI in (s_A, t, mu_I): sizes n + p - rank. */
  int size;
  double *N, *q, *lb, *ub, *u, *v; /* u: the solution, v: N u + q */
  unsigned char *cover;
} ns_vertex;

int ns_vertex_create(ns_box_work *k, ns_ctx *c, int n, int p, ns_vertex **out);
/* From a point of P, find a vertex of P without its lineality space. Returns 0 if rounding errors
 * prevent it. */
int ns_vertex_find(ns_vertex *v, const ns_polyhedral *p, const double *feasible);
/* Set N, q, bounds and cover. */
void ns_vertex_problem(ns_vertex *v, const ns_polyhedral *p);
/* Compute z and mu from u and v. */
void ns_vertex_read(const ns_vertex *v, const ns_polyhedral *p, double *z, double *mu);

#endif
