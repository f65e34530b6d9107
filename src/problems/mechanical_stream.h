/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mechanical_stream.h -- large friction problems stored in the order in which a sweep visits their
 * blocks. Private to src/problems.
 *
 * A sweep by colours would access W in an irregular order. Here the blocks of a row, without the
 * diagonal one, and the indices of their columns are stored in the order of the sweep, and so are r
 * and q; for a contact in the plane, only the nine numbers that its closed-form cases use. A sweep
 * then reads memory sequentially, and threads that share a colour in contiguous parts write to
 * different cache lines. All blocks are friction blocks of the same size. */
#ifndef NS_PROBLEMS_MECHANICAL_STREAM_H
#define NS_PROBLEMS_MECHANICAL_STREAM_H

#include "base/arena.h"
#include "problems/mechanical_work.h"

/* One contact in the plane; each of its cases is a product: stick (n, t) = stick * q; slip to
 * either side: n = -q_N over[], where u_T = q_T + rise[] n must have the opposite sign. Cases that
 * do not exist are NaN, so that comparisons fail. */
typedef struct ns_stream_plane {
  double stick[4], mu, over[2], rise[2];
} ns_stream_plane;

typedef struct ns_stream {
  int d;                  /* rows of a block; 0: the problem has another structure */
  const int *order;       /* block at each place [nb], borrowed */
  int *place;             /* position of each block [nb] */
  int *row, *col;         /* by positions; col: first row of the neighbour [nb+1], [blocks] */
  double *val;            /* [d*d] each */
  double *q, *r;          /* [m] */
  ns_stream_plane *plane; /* d = 2 [nb] */
  ns_contact *space;      /* d = 3 [nb] */
} ns_stream;

/* Allocate memory for principal submatrices of W. Returns 0: out of memory; sets d = 0 unless all
 * blocks are friction blocks of the same size. */
int ns_stream_get(ns_arena *mem, const ns_blocks *W, const unsigned char *kind, ns_stream *s);
/* Load W and its contacts k [nb] in the given order. */
void ns_stream_load(ns_stream *s, const ns_blocks *W, const ns_contact *k, const int *order);
/* _begin: copy q and r to the order of the sweep; _end: copy r back. */
void ns_stream_begin(ns_stream *s, const ns_mechanical *p, const double *r);
void ns_stream_end(const ns_stream *s, int nb, double *r);
/* Visit the positions from .. to-1 in order; k [nb] as in _load, for contacts without a closed-form
 * case. */
void ns_stream_sweep(ns_stream *s, const ns_contact *k, int from, int to);

#endif
