/* SPDX-License-Identifier: GPL-3.0-or-later */
/* multibody_sweep.h -- a part of a problem of many bodies in the memory layout of a Gauss-Seidel
 * sweep. Private to src/problems.
 *
 * With W^-1 = C C^T of each body, K = H C and y = K^T r the problem is u = q + K y, q = H vfree +
 * b: the same matrix gives u and the effect of an impulse on y. If W^-1 is not symmetric, y = L^T r
 * with K = H, L = H W^-T. The data of blocks are stored in the order of the sweep and read
 * sequentially; only the y of the bodies are accessed in irregular order.
 *
 * Blocks of one colour share no moving body: they can be solved in any order, and by several
 * threads, with the same result to the bit. Colours are assigned greedily in the order of the
 * blocks. If there are few blocks, each has a separate colour, so that the order is kept: sweeps
 * along chains of joints converge faster. Blocks for which no colour is left, at a body with very
 * many contacts, form the last colour, which one thread solves.
 *
 * In large scenes each colour would read all bodies again, from memory that is far away. Where the
 * problem says which bodies are near each other, they form clusters of NS_CLUSTER_BODIES: the
 * blocks within a cluster, by colours of their own, are solved before those of the next one, and
 * clusters by several threads; blocks between clusters follow, by colours.
 *
 * A round body turns alike about any axes. In space its y has those in which the levers of its
 * contacts are parallel to their normals: rows of a contact of balls then follow from n, t1 and the
 * levers c of its bodies,
 *
 *   u = q + (n, t1, t2)^T (v_i - v_j) + (0, t2, -t1)^T (c_i w_i + c_j w_j),   t2 = (n x t1)/s,
 *
 * where s is the length of the rows, a power of 2: 1, or the unit of the block. */
#ifndef NS_PROBLEMS_MULTIBODY_SWEEP_H
#define NS_PROBLEMS_MULTIBODY_SWEEP_H

#include "problems/mechanical_law.h"
#include "problems/multibody_work.h"

/* Layout of y: each body has one cache line, which also contains a and b of round bodies. */
enum { NS_CLUSTER_BODIES = 512 };
enum { NS_SWEEP_STRIDE = 8, NS_SWEEP_A = 6, NS_SWEEP_B };
/* entries of a contact of balls: n, t1, the levers of its bodies, and 1/s */
enum { NS_BALL_LEVER = 6, NS_BALL_UNIT = 8, NS_BALL_ENTRIES };
/* entries of a contact of disks: its normal, and the lever arms of its slip */
enum { NS_DISK_ENTRIES = 4 };
enum { NS_NORMAL_ENTRIES = 3 }; /* of a normal row: its normal, in the plane with a zero */

/* How a block is solved, with the impulses of the others fixed. */
typedef enum ns_visit_kind {
  NS_VISIT_NONE,  /* no body moves: nothing changes */
  NS_VISIT_BALL,  /* friction of round bodies where W is diag(n, t, t): closed form, short rows */
  NS_VISIT_DISK,  /* the same in the plane, diag(n, t) */
  NS_VISIT_ROUND, /* friction where W is diag(n, t, t) */
  /* friction in space with any W, where the user chose no solver: the normal impulse for the u_N,
   * then a projected step for the slip. The exact solution takes two to three times the work, and
   * the sweeps 5 to 10 % fewer visits: a face rests on four contacts, and what one of them leaves
   * is less than what the other three change */
  NS_VISIT_POINT,
  NS_VISIT_FRICTION,
  NS_VISIT_ROLLING,
  /* one row with bounds, along the normal of round bodies: no moment on either body */
  NS_VISIT_NORMAL,
  NS_VISIT_ROW, /* one row with bounds */
  NS_VISIT_BOX
} ns_visit_kind;

typedef struct ns_visit {
  int block;   /* index in the problem */
  int body[2]; /* indices in the part; -1: none or fixed */
  int at;      /* its first row in the order of the sweep */
  /* index of its first entry in K and L, where it is not in a pack, which has them: rows of 2 dof;
   * NS_BALL_ENTRIES of balls; for disks n, and the angular entries of the tangential row at both
   * bodies; for normal rows n */
  size_t from;
  unsigned char kind, d, law; /* ns_visit_kind; rows; ns_block_kind */
  unsigned begins : 1;        /* 1: it may share a body with the visit before */
  unsigned packed : 1;        /* 1: it is in a pack */
  /* of the first of four visits that are solved at once: the index of their pack in `pack`,
   * `normals`, `balls` or `points`, plus 1; after ns_sweep_shorten it stands for `packs` of them */
  int pack;
  double mu;
  /* ball, disk, round: 1/n and 1/t; point: rho_n and rho_t of ns_contact; normal, row: 1/W;
   * rolling: mu_rolling */
  double own[2];
  /* index of its data in `local`. Point: W_TN; friction: ns_contact; box: W and its inverse;
   * rolling: W and ns_rolling */
  unsigned local;
  int packs; /* with `pack`: packs of its kind behind each other from here on */
} ns_visit;

/* Four visits of one kind that share no body, behind each other, of contacts of disks between two
 * bodies that move, or with something fixed, where body[1] is negative; their numbers side by side.
 * Sweeps over many contacts wait for memory: a pack holds only what they read. */
enum { NS_PACK_LANES = 4 };
typedef struct ns_pack {
  int body[2][NS_PACK_LANES];                        /* where their y begin */
  int at;                                            /* first row of the first one */
  double n[2][NS_PACK_LANES], own[2][NS_PACK_LANES]; /* normals; ns_visit.own */
  double arm[2][NS_PACK_LANES], mu[NS_PACK_LANES];   /* lever arms of the slip */
} ns_pack;
/* The same of normal rows. */
typedef struct ns_normal_pack {
  int body[2][NS_PACK_LANES];
  int at;
  double own[NS_PACK_LANES], n[3][NS_PACK_LANES]; /* in the plane the last entries are not read */
} ns_normal_pack;
/* The same of points where L = K: their entries stand side by side in K, in the place of those of
 * the visits. */
typedef struct ns_point_pack {
  int body[2][NS_PACK_LANES];
  int at;
  size_t from; /* ns_visit.from of the first one */
  double own[2][NS_PACK_LANES], slip[2][NS_PACK_LANES], mu[NS_PACK_LANES]; /* slip: W_TN */
} ns_point_pack;
/* The same of balls: entries of their visits. */
enum { NS_POINT_ENTRIES = 36 };
typedef struct ns_ball_pack {
  int body[2][NS_PACK_LANES];
  int at;
  float unit[NS_PACK_LANES];
  double entry[NS_BALL_UNIT][NS_PACK_LANES], own[2][NS_PACK_LANES], mu[NS_PACK_LANES];
} ns_ball_pack;

typedef struct ns_sweep {
  int n, rows, nbodies, dof;
  int *body;            /* numbers in the problem [nbodies] */
  ns_visit *visit;      /* [n] */
  int ncolours, *begin; /* [ncolours + 1] in visit; the last colour is for one thread */
  /* instead of the first colour: visits cluster[k] .. cluster[k + 1] - 1, whose bodies are those of
   * no other cluster [nclusters + 1]; 0: none */
  int nclusters, *cluster;
  int round;                        /* 1: all bodies are round */
  const ns_contact_solver *contact; /* chosen by the user; NULL: closed-form cases */
  ns_pack *pack;                    /* in the order of the visits */
  ns_normal_pack *normals;          /* likewise */
  ns_ball_pack *balls;              /* likewise */
  ns_point_pack *points;            /* likewise */
  int one_sided;                    /* bounds of all normal rows in packs are 0 and infinity */
  int scaled;                       /* 1: s of a contact of balls is not 1 */
  int wide;                         /* ns_has_wide */
  double *K, *L;
  double *q, *r;
  double *lb, *ub; /* NULL: 0 and infinity [rows] */
  double *local;
  double *y; /* [nbodies][NS_SWEEP_STRIDE]; a = b = 1 of bodies that are not round */
} ns_sweep;

/* Bounds of a box from row i on. */
static inline const double *ns_sweep_lower(const ns_sweep *s, int i)
{
  return s->lb ? s->lb + i : ns_law_zero;
}
static inline const double *ns_sweep_upper(const ns_sweep *s, int i)
{
  return s->ub ? s->ub + i : ns_law_infinity;
}

/* Set *s from a part of p, in memory of `a`, with y = 0 and r = 0. number [nbodies of p]: in and
 * out, -1 or NS_BODY_FIXED (scratch). Returns 0 if out of memory. */
int ns_sweep_load(const ns_multibody *p, ns_multibody_part part, const ns_contact_solver *contact,
                  int *number, ns_team *team, ns_arena *a, ns_sweep *s);
/* Parts of ns_sweep_load. _describe: the fields of a visit that need no memory, and K and L of
 * bodies that are not round; factor: the factors of W^-1, or W^-1 if it is not symmetric; returns
 * 1 for balls whose s is not 1. _entries,
 * _capacity: sizes in K and in `local`. _fill: the data there, or in its pack by the first visit of
 * that. _shorten: the entries of a ball, a disk or a normal row [_entries]. _rows: K of others, by
 * rows of 2 dof, before _fill, there or in k [d][2 dof]; _matrix: W of the block [d x d].
 * _take_axes: in space, before _describe of round bodies, the axes of the y of its bodies that have
 * none yet, if it is a contact of balls; kept in their y, as two of three columns, which the end of
 * ns_sweep_load clears. */
void ns_visit_take_axes(const ns_multibody *p, ns_sweep *s, const ns_visit *x);
int ns_visit_describe(const ns_multibody *p, const double *factor, ns_sweep *s, ns_visit *x);
size_t ns_visit_entries(const ns_sweep *s, const ns_visit *x);
size_t ns_visit_capacity(const ns_visit *x);
void ns_visit_fill(const ns_multibody *p, const ns_sweep *s, const ns_visit *x);
void ns_visit_shorten(const ns_multibody *p, const ns_sweep *s, const ns_visit *x, double *k);
const double *ns_visit_rows(const ns_multibody *p, const ns_sweep *s, const ns_visit *x, double *k);
void ns_visit_matrix(const ns_multibody *p, const ns_sweep *s, const ns_visit *x, double *D);
/* Move the visits at .. to-1 to s->visit + n, packs of one kind behind each other as one visit;
 * n <= at. Returns the first place behind them. The functions below read visits that were moved. */
int ns_sweep_shorten(ns_sweep *s, int at, int to, int n);
/* y += L^T r for the visits from .. to-1. */
void ns_sweep_push(ns_sweep *s, int from, int to);
/* Solve the visits from .. to-1 in order. Before each, r is extrapolated by beta (r - past), and
 * past is set to the previous r. */
typedef struct ns_sweep_steps {
  /* (r extrapolated - r solved).(r solved - r before): positive if the momentum is in the wrong
   * direction */
  double away;
  double moved; /* |r solved - r extrapolated|^2 */
} ns_sweep_steps;
ns_sweep_steps ns_sweep_visit(ns_sweep *s, int from, int to, double beta, double *past);
/* Choose the packs, ns_visit.packed, .pack and .packs, with memory of `a`, which
 * ns_visit_fill sets; 0: out of memory. _pack_fill: set that of its first visit x. _pack_visit:
 * visit k of pack i of the kind of x, and its entries [NS_POINT_ENTRIES at most]. */
int ns_sweep_pack(ns_sweep *s, ns_arena *a);
void ns_sweep_pack_fill(const ns_multibody *p, const ns_sweep *s, const ns_visit *x);
ns_visit ns_sweep_pack_visit(const ns_sweep *s, const ns_visit *x, int i, int k, double *entries);
/* Solve packs from .. to-1 of a kind of visit, as ns_sweep_visit does; adds to *sum. */
void ns_sweep_visit_packs(const ns_sweep *s, int kind, int from, int to, double beta, double *past,
                          ns_sweep_steps *sum);
/* Add the sums of squares over the visits from .. to-1: natural map, r, u, q. */
typedef struct ns_sweep_sums {
  double map, r, u, q, own; /* own: largest error of a row in its own units (row_error.h) */
} ns_sweep_sums;
void ns_sweep_measure(const ns_sweep *s, int from, int to, ns_sweep_sums *sum);
/* The same of packs from .. to-1 of a kind of visit. */
void ns_sweep_measure_packs(const ns_sweep *s, int kind, int from, int to, ns_sweep_sums *sum);

#endif
