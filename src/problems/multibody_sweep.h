/* SPDX-License-Identifier: GPL-3.0-or-later */
/* multibody_sweep.h -- a part of a problem of many bodies laid out as a sweep of Gauss-Seidel reads
 * it. Private to src/problems.
 *
 * With W^-1 = C C^T of each body, K = H C and y = K^T r the problem is u = q + K y, q = H vfree +
 * b: one matrix is read for u and for what an impulse does to y. Where W^-1 is not symmetric, y =
 * L^T r with K = H, L = H W^-T. What belongs to a block stands in the order of the sweep, so that
 * all of it is one stream; only the y of its bodies are looked up.
 *
 * Blocks of one colour share no body that moves: they can be solved in any order, and by several
 * threads, to the same bytes. Colours are given greedily in the order of the blocks. Few blocks
 * have one colour for each and keep their order: chains and stacks converge along themselves. What
 * finds no colour, beside a body that touches very many, is the last colour: one thread takes it.
 */
#ifndef NS_PROBLEMS_MULTIBODY_SWEEP_H
#define NS_PROBLEMS_MULTIBODY_SWEEP_H

#include "problems/mechanical_law.h"
#include "problems/multibody_work.h"

/* Of y: a body is a line of memory; a and b of round bodies in it. */
enum { NS_SWEEP_STRIDE = 8, NS_SWEEP_A = 6, NS_SWEEP_B, NS_BALL_LINEAR = 9, NS_BALL_ANGULAR = 6 };
enum { NS_DISK_ENTRIES = 4 };   /* of a contact of disks: its normal, the arms of its slip */
enum { NS_NORMAL_ENTRIES = 3 }; /* of a normal row: its normal, in the plane with a zero */

/* How a block is solved with the others held. */
typedef enum ns_visit_kind {
  NS_VISIT_NONE,  /* no body moves: nothing changes */
  NS_VISIT_BALL,  /* friction of round bodies where W is diag(n, t, t): closed form, short rows */
  NS_VISIT_DISK,  /* the same in the plane, diag(n, t) */
  NS_VISIT_ROUND, /* friction where W is diag(n, t, t) */
  NS_VISIT_FRICTION,
  NS_VISIT_ROLLING,
  NS_VISIT_NORMAL, /* one row with bounds, along the normal of round bodies: it turns neither */
  NS_VISIT_ROW,    /* one row with bounds */
  NS_VISIT_BOX
} ns_visit_kind;

typedef struct ns_visit {
  int block;   /* of the problem */
  int body[2]; /* numbers in the part, -1: none or fixed */
  int at;      /* its first row in the order of the sweep */
  /* its entries in K and L: rows of 2 dof, or of balls n, t1, t2 and the angular entries of both
   * rows T at one body, the other, of disks n and the angular entries of T at both, or of normal
   * rows n */
  size_t from;
  unsigned char kind, d, law; /* ns_visit_kind; rows; ns_block_kind */
  double mu;
  double own[2]; /* ball, disk, round: 1/n and 1/t; normal, row: 1/W; rolling: mu_rolling */
  /* where its share of `local` begins. Friction: ns_contact; box: W and its inverse; rolling: W and
   * ns_rolling */
  size_t local;
} ns_visit;

typedef struct ns_sweep {
  int n, rows, nbodies, dof;
  int *body;                        /* numbers in the problem [nbodies] */
  ns_visit *visit;                  /* [n] */
  int ncolours, *begin;             /* [ncolours + 1] in visit; the last colour is for one thread */
  int round;                        /* all bodies are */
  const ns_contact_solver *contact; /* that the user named; NULL: cases */
  double *K, *L;
  double *q, *r, *lb, *ub; /* [rows] */
  double *local;
  double *y; /* [nbodies][NS_SWEEP_STRIDE] */
} ns_sweep;

/* number [nbodies of p]: -1 or NS_BODY_FIXED, out as in. y = 0 and r = 0 yet. 0: out of memory. */
int ns_sweep_load(const ns_multibody *p, ns_multibody_part part, const ns_contact_solver *contact,
                  int *number, ns_team *team, ns_arena *a, ns_sweep *s);
/* Its parts: what is known of a visit without memory of its own, but K and L where bodies are not
 * round, whose factors of W^-1 (or W^-1 where not symmetric) are given; entries in K, room in
 * local; then what stands there. */
void ns_visit_describe(const ns_multibody *p, const double *factor, ns_sweep *s, ns_visit *x);
size_t ns_visit_entries(const ns_sweep *s, const ns_visit *x);
size_t ns_visit_room(const ns_visit *x);
void ns_visit_fill(const ns_multibody *p, const ns_sweep *s, const ns_visit *x);
/* y += L^T r of visits from .. to-1. */
void ns_sweep_push(ns_sweep *s, int from, int to);
/* Visits from .. to-1 one after the other. Before each, r is drawn on by beta (r - past), and past
 * is what r was. */
typedef struct ns_sweep_steps {
  /* (r drawn on - r solved).(r solved - r that was): positive where the momentum leads away */
  double away;
  double moved; /* |r solved - r drawn on|^2 */
} ns_sweep_steps;
ns_sweep_steps ns_sweep_visit(ns_sweep *s, int from, int to, double beta, double *past);
/* Sums of squares of visits from .. to-1, added: natural map, r, u, q. */
typedef struct ns_sweep_sums {
  double map, r, u, q;
} ns_sweep_sums;
void ns_sweep_measure(const ns_sweep *s, int from, int to, ns_sweep_sums *sum);

#endif
