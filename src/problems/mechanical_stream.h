/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mechanical_stream.h -- large friction problems laid out in the order in which a sweep takes their
 * blocks. Private to src/problems.
 *
 * A sweep by colours jumps through W. Here the blocks of a row, without the diagonal one, follow
 * each other as the sweep reads them, with the places of their columns; r and q stand in the same
 * order, and of a contact in the plane only the nine numbers that its cases need. What a sweep
 * reads is then one stream, and members of a team that share a colour in contiguous parts write to
 * lines of their own. All blocks are friction of one size. */
#ifndef NS_PROBLEMS_MECHANICAL_STREAM_H
#define NS_PROBLEMS_MECHANICAL_STREAM_H

#include "base/arena.h"
#include "problems/mechanical_work.h"

/* One contact in the plane, each of its cases a product: stick (n, t) = stick * q; slip along +-: n
 * = -q_N over[], where u_T = q_T + rise[] n has the other sign. NaN where the case does not exist:
 * no comparison holds then. */
typedef struct ns_stream_plane {
  double stick[4], mu, over[2], rise[2];
} ns_stream_plane;

typedef struct ns_stream {
  int d;                  /* rows of a block; 0: none, the problem does not fit */
  const int *order;       /* block at each place [nb], borrowed */
  int *place;             /* of each block [nb] */
  int *row, *col;         /* by places; col: first row of the neighbour [nb+1], [blocks] */
  double *val;            /* [d*d] each */
  double *q, *r;          /* [m] */
  ns_stream_plane *plane; /* d = 2 [nb] */
  ns_contact *space;      /* d = 3 [nb] */
} ns_stream;

/* Memory for principal parts of W. 0: out of memory; d = 0 where the blocks are no friction of one
 * size. */
int ns_stream_get(ns_arena *mem, const ns_blocks *W, const unsigned char *kind, ns_stream *s);
/* W and its contacts k [nb] in the order given. */
void ns_stream_load(ns_stream *s, const ns_blocks *W, const ns_contact *k, const int *order);
/* q, r to the order; r back. */
void ns_stream_begin(ns_stream *s, const ns_mechanical *p, const double *r);
void ns_stream_end(const ns_stream *s, int nb, double *r);
/* The places from .. to-1, one after the other; k [nb]: as at load, for what has no exact case. */
void ns_stream_sweep(ns_stream *s, const ns_contact *k, int from, int to);

#endif
