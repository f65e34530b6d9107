/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/multibody.h"

#include "algebra/pair.h"
#include "algebra/vector.h"
#include "problems/mechanical_law.h"
#include "problems/multibody_work.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const ns_multibody_method automatic = {
    "auto", "joints eliminated, contacts swept, Newton on the bodies where sweeps converge slowly; "
            "separate islands separately"};
static const ns_multibody_method sweeps = {
    "nsgs", "nonsmooth Gauss-Seidel on the velocities of the bodies"};
static const ns_multibody_method augmented = {
    "augmented", "rigid bodies: method of multipliers, Newton on the velocities; for problems on "
                 "which sweeps do not converge"};
static const ns_multibody_method reduced = {
    "reduced", "rigid bodies: reduced to the contacts and solved there by auto"};
const ns_multibody_method *const ns_multibody_solvers[] = {&automatic, &sweeps, &augmented,
                                                           &reduced, NULL};

/* ---- velocities, with a constant dof: all of it is unrolled ---------------------------------- */

/* v += H^T r, of the first two bodies of each block, or of the n others. */
static inline void push_some(const ns_multibody *p, int n, const int *body, const double *H,
                             size_t dof, const double *r, double *v)
{
  for (int a = 0; a < p->nblocks; a++)
    for (int i = p->row[a]; i < p->row[a + 1]; i++) {
      const double *h = H + (size_t)n * dof * (size_t)i;
      for (int k = 0; k < n && body[n * a + k] >= 0 && r[i] != 0; k++, h += dof)
        ns_axpy_pairs((int)dof, r[i], h, v + dof * (size_t)body[n * a + k]);
    }
}

/* v += H^T r */
static inline void push(const ns_multibody *p, size_t dof, const double *r, double *v)
{
  push_some(p, 2, p->body, p->H, dof, r, v);
  if (p->further) push_some(p, p->further, p->body2, p->H2, dof, r, v);
}

/* x = H^T r of one body, by its list: the sums are those of `push`. */
static inline void push_one(const ns_multibody *p, const ns_multibody_pushes *by, size_t dof,
                            size_t body, const double *r, double *x)
{
  for (int e = by->first[body]; e < by->first[body + 1]; e++) {
    int a = by->side[e] / 2;
    for (int i = p->row[a]; i < p->row[a + 1]; i++) {
      const double *h = p->H + dof * (2 * (size_t)i + (size_t)(by->side[e] % 2));
      if (r[i] != 0) ns_axpy(dof, r[i], h, x);
    }
  }
}

/* v = vfree + W^-1 H^T r of bodies from .. to-1, of all where there are no lists; W^-1 0 is not
 * reckoned. */
static inline void velocities(const ns_multibody *p, const ns_multibody_pushes *by, size_t dof,
                              int from, int to, const double *r, double *v)
{
  memset(v + dof * (size_t)from, 0, dof * (size_t)(to - from) * sizeof *v);
  if (!by) push(p, dof, r, v);
  for (size_t i = (size_t)from; i < (size_t)to; i++) {
    double y[6] = {0}, any = 0, *x = v + dof * i;
    if (by) push_one(p, by, dof, i, r, x);
    if (p->groups && p->groups->group[i] >= 0) continue; /* H^T r stays for move_groups */
    for (size_t j = 0; j < dof; j++) any += fabs(x[j]);
    if (any != 0 && dof == 6 && !p->diagonal) ns_mul6(p->inverse + 36 * i, x, y);
    else if (any != 0) ns_multibody_move_body(p, dof, (int)i, x, y);
    ns_linear_sum(dof, p->vfree + dof * i, 1, y, x);
  }
}

/* v of bodies that are joined, where H^T r stands. */
static void move_groups(const ns_multibody *p, double *v)
{
  const ns_multibody_groups *all = p->groups;
  size_t dof = (size_t)p->dof;
  for (int g = 0; g < all->n; g++) {
    const int *body = all->member + all->from[g];
    int n = all->from[g + 1] - all->from[g];
    if (all->group[*body] < 0) continue; /* its forces are soft: each body is on its own */
    for (int i = 0; i < n; i++) {
      double *y = all->work + dof * (size_t)i;
      memcpy(y, p->vfree + dof * (size_t)body[i], dof * sizeof *y);
      for (int j = 0; j < n; j++)
        ns_multibody_joined(p, body[i], body[j], v + dof * (size_t)body[j], y);
    }
    for (int i = 0; i < n; i++)
      memcpy(v + dof * (size_t)body[i], all->work + dof * (size_t)i, dof * sizeof *v);
  }
}

/* Sums of squares: of the natural map, of q = H vfree + b, of u, and of what equalities leave open
 * of it; and the largest error of a row in its own units. */
typedef struct sizes {
  double map, q, u, open, own;
} sizes;

/* Rows of block a: u = H v + b + D r; adds to the sums of q and u. */
static inline void rows(const ns_multibody *p, size_t dof, int a, const double *r, const double *v,
                        double *u, sizes *sum)
{
  const int *body = p->body + 2 * a;
  for (int i = p->row[a]; i < p->row[a + 1]; i++) {
    const double *h = p->H + 2 * dof * (size_t)i;
    double s = p->b[i], q = p->b[i];
    for (int k = 0; k < 2 && body[k] >= 0; k++, h += dof) {
      s += ns_dot_pairs((int)dof, h, v + dof * (size_t)body[k]);
      q += ns_dot_pairs((int)dof, h, p->vfree + dof * (size_t)body[k]);
    }
    if (p->further) {
      s += ns_multibody_row2(p, a, i, v);
      q += ns_multibody_row2(p, a, i, p->vfree);
    }
    if (p->D) s += p->D[i] * r[i];
    u[i] = s;
    sum->q += q * q;
    sum->u += s * s;
  }
}

/* ---- natural map ----------------------------------------------------------------------------- */

/* | eps W_ii r_i |: what rounding leaves of u where r holds much that W does not see, as in
 * mechanical.c. */
static double drowned(const ns_multibody *p, const double *r)
{
  size_t dof = (size_t)p->dof;
  double s = 0;
  for (int a = 0; a < p->nblocks; a++)
    for (int i = p->row[a]; i < p->row[a + 1]; i++) {
      double w = 0;
      for (int k = 0; k < ns_multibody_sides(p); k++) {
        int body = ns_multibody_body(p, a, k);
        if (body < 0) continue;
        double y[6];
        const double *h = ns_multibody_entries(p, i, k);
        ns_multibody_move_body(p, dof, body, h, y);
        w += ns_dot(dof, h, y);
      }
      s += DBL_EPSILON * w * r[i] * DBL_EPSILON * w * r[i];
    }
  return sqrt(s);
}

static double closing(const ns_multibody *p, const double *u)
{
  double s = 0;
  for (int a = 0; a < p->nblocks; a++) {
    ns_law law = NS_LAW(p, a, ns_multibody_dim(p, a), p->row[a]);
    s = ns_law_add_closing(&law, s, u + p->row[a]);
  }
  return s;
}

/* y += W^-1 H^T of row i of block a, in the velocities of a body; 0: it does not move. */
static int response(const ns_multibody *p, int a, int i, int body, double *y)
{
  int moves = 0, group = p->groups ? p->groups->group[body] : -1;
  for (int k = 0; k < ns_multibody_sides(p); k++) {
    int of = ns_multibody_body(p, a, k);
    double own[6] = {0};
    if (of < 0 || (of != body && (group < 0 || p->groups->group[of] != group))) continue;
    const double *h = ns_multibody_entries(p, i, k);
    if (group < 0) ns_multibody_move_body(p, (size_t)p->dof, body, h, own);
    else ns_multibody_joined(p, body, of, h, own);
    ns_axpy((size_t)p->dof, 1, own, y);
    moves = 1;
  }
  return moves;
}

/* Block a of a problem at r, and q of its rows. */
typedef struct block_at {
  const ns_multibody *p;
  const double *q, *r;
  int a;
} block_at;

/* |q| + |W| |r| of a row of the block, without the matrix. */
static double terms_in_block(const void *of, int of_block)
{
  const block_at *x = of;
  const ns_multibody *p = x->p;
  const double *r = x->r;
  int a = x->a, i = p->row[a] + of_block;
  double size = fabs(x->q[of_block]);
  for (int b = 0; b < p->nblocks; b++) {
    double w[6] = {0};
    for (int k = 0; k < ns_multibody_sides(p); k++) {
      double y[6] = {0};
      int body = ns_multibody_body(p, b, k);
      if (body < 0 || !response(p, a, i, body, y)) continue;
      for (int j = p->row[b]; j < p->row[b + 1]; j++)
        w[j - p->row[b]] += ns_dot((size_t)p->dof, ns_multibody_entries(p, j, k), y);
    }
    if (a == b && p->D) w[i - p->row[a]] += p->D[i];
    for (int j = p->row[b]; j < p->row[b + 1]; j++) size += fabs(w[j - p->row[b]] * r[j]);
  }
  return size;
}

/* u_i = H v + b without what rounding leaves of it: velocities of bodies may be much larger than
 * q and W r, as they cancel in them. */
static double above_rounding(const ns_multibody *p, int a, int i, double u, const double *v)
{
  double size = fabs(p->b[i]);
  for (int k = 0; k < ns_multibody_sides(p); k++) {
    int body = ns_multibody_body(p, a, k);
    const double *h = ns_multibody_entries(p, i, k);
    for (int j = 0; j < p->dof && body >= 0; j++) {
      size_t at = (size_t)(p->dof * body + j);
      size += fabs(h[j]) * (fabs(v[at]) + fabs(p->vfree[at]));
    }
  }
  return copysign(fmax(0, fabs(u) - NS_ROUNDING * size), u);
}

/* Largest error of a row of block a in its own units, and of those before. */
static double own_error(const ns_multibody *p, int a, const ns_law *l, const double *r,
                        const double *v, const double *all_u, double worst)
{
  double q[6], u[6];
  int at = p->row[a];
  for (int i = 0; i < l->d; i++) {
    q[i] = ns_multibody_row(p, a, at + i, p->vfree);
    u[i] = above_rounding(p, a, at + i, all_u[at + i], v);
  }
  return ns_law_own_error(l, q, u, r + at, terms_in_block,
                          &(block_at){.p = p, .q = q, .r = r, .a = a}, worst);
}

static inline void add_squares(const ns_multibody *p, size_t dof, int from, int to, const double *r,
                               const double *v, double *u, sizes *sum)
{
  for (int a = from; a < to; a++) {
    ns_law law = NS_LAW(p, a, ns_multibody_dim(p, a), p->row[a]);
    rows(p, dof, a, r, v, u, sum);
    sum->map = ns_law_add_defect(&law, sum->map, u + p->row[a], r + p->row[a]);
    sum->open = ns_law_add_open(&law, sum->open, u + p->row[a], r + p->row[a]);
    if (ns_law_own_rows(&law) && p->lb) sum->own = own_error(p, a, &law, r, v, u, sum->own);
  }
}

/* Adds those of blocks from .. to-1. */
static void squares(const ns_multibody *p, int from, int to, const double *r, const double *v,
                    double *u, sizes *sum)
{
  if (p->dof == 6) add_squares(p, 6, from, to, r, v, u, sum);
  else if (p->dof == 3) add_squares(p, 3, from, to, r, v, u, sum);
  else add_squares(p, (size_t)p->dof, from, to, r, v, u, sum);
}

/* Sums are those of PIECES pieces, added in their order, whoever made them; of few blocks in one.
 */
enum { PIECES = 64, WHOLE = 512 };

/* What is measured, by the team. */
typedef struct audit {
  const ns_multibody *p;
  const ns_multibody_pushes *by; /* NULL: block by block, by one */
  const double *r;
  double *v, *u;
  int pieces;
  sizes sum[PIECES];
} audit;

/* Velocities of bodies from .. to-1. */
static void move_some(void *data, int from, int to)
{
  const audit *k = data;
  if (k->p->dof == 6) velocities(k->p, k->by, 6, from, to, k->r, k->v);
  else if (k->p->dof == 3) velocities(k->p, k->by, 3, from, to, k->r, k->v);
  else velocities(k->p, k->by, (size_t)k->p->dof, from, to, k->r, k->v);
}

static void measure_some(void *data, int from, int to)
{
  audit *k = data;
  for (int i = from; i < to; i++) {
    int begin = ns_team_share(k->p->nblocks, i, k->pieces),
        end = ns_team_share(k->p->nblocks, i + 1, k->pieces);
    sizes sum = {0};
    squares(k->p, begin, end, k->r, k->v, k->u, &sum);
    k->sum[i] = sum;
  }
}

static sizes measure(audit *k, ns_team *team)
{
  sizes all = {0};
  k->pieces = k->p->nblocks < WHOLE ? 1 : PIECES;
  ns_team_each(k->by ? team : NULL, k->p->nbodies, WHOLE, move_some, k);
  if (k->p->groups) move_groups(k->p, k->v);
  ns_team_each(team, k->pieces, PIECES, measure_some, k);
  for (int i = 0; i < k->pieces; i++) {
    all.map += k->sum[i].map;
    all.q += k->sum[i].q;
    all.u += k->sum[i].u;
    all.open += k->sum[i].open;
    all.own = ns_larger(k->sum[i].own, all.own);
  }
  return all;
}

double ns_multibody_residual(const ns_multibody *p, const double *r, double *v, double *u,
                             double *over_q)
{
  return ns_multibody_residual_by(p, NULL, NULL, r, v, u, over_q);
}

double ns_multibody_residual_by(const ns_multibody *p, ns_team *team, const ns_multibody_pushes *by,
                                const double *r, double *v, double *u, double *over_q)
{
  audit k = {.p = p, .by = by, .r = r, .v = v, .u = u};
  sizes sum = measure(&k, team);
  double e = sqrt(sum.map), q = sqrt(sum.q);
  double size = ns_norm(ns_multibody_nrows(p), r), min = sqrt(ns_larger(sum.q, sum.u)),
         scale = fmax(min, size);
  if (over_q) *over_q = q > DBL_MIN ? e / q : e;
  if (!(e <= DBL_MAX) || !(scale <= DBL_MAX)) return INFINITY;
  if (!(scale > DBL_EPSILON)) return fmax(e, sum.own);
  if (size > NS_HIDING * min && min > DBL_MIN) {
    e = fmax(e / scale, drowned(p, r) / min);
    sum.open += closing(p, u);
  } else e /= scale;
  return fmax(ns_law_with_open(e, sum.open, min), sum.own);
}

void ns_multibody_velocities(const ns_multibody *p, const double *r, double *v)
{
  audit k = {.p = p, .r = r, .v = v};
  move_some(&k, 0, p->nbodies);
}

void ns_multibody_move_part(const ns_multibody *p, ns_multibody_part part, const double *r,
                            double *v)
{
  size_t dof = (size_t)p->dof;
  for (int e = 0; e < 2 * part.n; e++) {
    int body = p->body[2 * part.block[e / 2] + e % 2];
    if (body >= 0) memcpy(v + dof * (size_t)body, p->vfree + dof * (size_t)body, dof * sizeof *v);
  }
  for (int e = 0; e < 2 * part.n; e++) {
    int a = part.block[e / 2], body = p->body[2 * a + e % 2];
    for (int i = p->row[a]; i < p->row[a + 1] && body >= 0; i++) {
      double y[6];
      ns_multibody_move_body(p, dof, body, ns_multibody_entries(p, i, e % 2), y);
      ns_axpy(dof, r[i], y, v + dof * (size_t)body);
    }
  }
}

double ns_multibody_speed(const ns_multibody *p, ns_multibody_part part, const double *v)
{
  double max = 0;
  for (int k = 0; k < part.n; k++)
    for (int a = part.block[k], i = p->row[a]; i < p->row[a + 1]; i++)
      max = fmax(max, fabs(ns_multibody_row(p, a, i, v)));
  return max;
}

/* Where bodies move, the first blocks tell: what they leave is beyond their share of the tolerance.
 */
int ns_multibody_is_solved(const ns_multibody *p, ns_multibody_part part, double tol,
                           const double *r, const double *v, double *u)
{
  enum { LOOK = 32 };
  static const double UNLIKELY = 16;
  sizes sum = {0};
  double rr = 0;
  for (int k = 0; k < part.n; k++) {
    int a = part.block[k], i = p->row[a], last = k + 1 == part.n;
    squares(p, a, a + 1, r, v, u, &sum);
    rr += ns_dot((size_t)ns_multibody_dim(p, a), r + i, r + i);
    if (!last && k % LOOK) continue;
    double scale = ns_larger(rr, ns_larger(sum.q, sum.u)),
           max = tol * tol * (scale > DBL_EPSILON * DBL_EPSILON ? scale : 1);
    if (sum.own > tol || !(sum.map <= (last ? max : UNLIKELY * part.n / (k + 1) * max))) return 0;
  }
  return rr <= DBL_MAX;
}

int ns_multibody_worst(const ns_multibody *p, const double *r, const double *u)
{
  int worst = 0;
  double max = -1;
  for (int a = 0; a < p->nblocks; a++) {
    ns_law law = NS_LAW(p, a, ns_multibody_dim(p, a), p->row[a]);
    double e = ns_law_add_defect(&law, 0, u + p->row[a], r + p->row[a]);
    if (e <= max) continue; /* what is not a number is worst */
    max = e;
    worst = a;
    if (isnan(e)) break;
  }
  return worst;
}

/* ---- one body, one contact ------------------------------------------------------------------- */

void ns_multibody_root(int n, const double *A, double *C)
{
  for (int j = 0; j < n; j++) {
    double d = A[j + j * n];
    for (int k = 0; k < j; k++) d -= C[j + k * n] * C[j + k * n];
    d = d > 8 * DBL_EPSILON * fabs(A[j + j * n]) ? sqrt(d) : 0;
    memset(C + j * n, 0, (size_t)j * sizeof(double));
    C[j + j * n] = d;
    for (int i = j + 1; i < n; i++) {
      double x = A[i + j * n];
      for (int k = 0; k < j; k++) x -= C[i + k * n] * C[j + k * n];
      C[i + j * n] = d > 0 ? x / d : 0;
    }
  }
}

/* W and q of one block of d rows; W by columns. Inlined, so that sizes are constants: else its
 * loops take twice the work. */
static inline __attribute__((always_inline)) void alone(const ns_multibody *p, size_t dof, int a,
                                                        int d, double *W, double *q)
{
  memset(W, 0, (size_t)(d * d) * sizeof *W);
  for (int i = 0; i < d; i++) q[i] = ns_multibody_row(p, a, p->row[a] + i, p->vfree);
  for (int i = 0; p->D && i < d; i++) W[i + i * d] = p->D[p->row[a] + i];
  for (int k = 0; k < 2 && p->body[2 * a + k] >= 0; k++) {
    const double *h = p->H + dof * (2 * (size_t)p->row[a] + (size_t)k);
    for (int j = 0; j < d; j++) {
      double y[6];
      ns_multibody_move_body(p, dof, p->body[2 * a + k], h + 2 * dof * (size_t)j, y);
      for (int i = 0; i < d; i++) W[i + j * d] += ns_dot(dof, h + 2 * dof * (size_t)i, y);
    }
  }
}

static int rolls(const ns_multibody *p, int a, int d, const double *W, const double *q, double *r)
{
  ns_rolling k;
  double x[NS_ROLLING_ROWS] = {0};
  if (ns_rolling_prepare(d, W, p->mu[a], p->mu_rolling[a], &k) ||
      !(ns_rolling_solve(&k, q, x) <= 1e-12))
    return 0;
  memcpy(r, x, (size_t)d * sizeof *r);
  return 1;
}

static int rubs(const ns_multibody *p, int a, int d, const double *W, const double *q, double *r)
{
  ns_contact k;
  if (d == 3 && ns_multibody_is_round(W)) {
    const double own[2] = {1 / W[0], 2 / (W[4] + W[8])};
    r[0] = r[1] = r[2] = 0;
    ns_multibody_solve_round(own, p->mu[a], q, r);
    return 1;
  }
  if (ns_contact_prepare(d, W, p->mu[a], &k)) return 0;
  return d == 2 ? ns_contact_cases_plane(&k, q, r) : ns_contact_cases_space(&k, q, r);
}

/* A row of a box. */
static int bounded(const ns_multibody *p, int i, const double *W, const double *q, double *r)
{
  if (!(W[0] > 0)) return 0;
  r[0] = fmin(fmax(-q[0] / W[0], ns_multibody_lower(p, i)), ns_multibody_upper(p, i));
  return 1;
}

/* Bound of row i of a box that opposes u. */
static double opposed(const ns_multibody *p, int i, double u)
{
  return u > 0 ? ns_multibody_lower(p, i) : ns_multibody_upper(p, i);
}

/* Where no impulse changes u = q: r by its law alone, so none of a contact that does not close. */
static int unmoved(const ns_multibody *p, int a, int d, const double *q, double *r)
{
  int kind = p->kind[a], at = p->row[a];
  double size = ns_norm((size_t)d, q);
  if ((kind == NS_BLOCK_FRICTION || kind == NS_BLOCK_ROLLING) && q[0] < 0) return 0;
  for (int i = 0; i < d && kind == NS_BLOCK_BOX; i++)
    if (q[i] != 0 && isinf(opposed(p, at + i, q[i]))) return 0;
  for (int i = 0; i < d; i++) {
    r[i] = 0;
    if (kind == NS_BLOCK_BALL && size > 0) r[i] = -p->ub[at] * q[i] / size;
    if (kind == NS_BLOCK_BOX && q[i] != 0) r[i] = opposed(p, at + i, q[i]);
    else if (kind == NS_BLOCK_BOX)
      r[i] = fmax(ns_multibody_lower(p, at + i), fmin(0, ns_multibody_upper(p, at + i)));
  }
  return 1;
}

int ns_multibody_law(const ns_multibody *p, int a, int d, const double *W, const double *q,
                     double *r)
{
  if (ns_max_abs((size_t)(d * d), W) == 0) return unmoved(p, a, d, q, r);
  if (p->kind[a] == NS_BLOCK_BALL) return ns_ball_solve(d, W, p->ub[p->row[a]], q, r);
  if (p->kind[a] == NS_BLOCK_BOX) return d == 1 && bounded(p, p->row[a], W, q, r);
  return p->kind[a] == NS_BLOCK_ROLLING ? rolls(p, a, d, W, q, r) : rubs(p, a, d, W, q, r);
}

int ns_multibody_single(const ns_multibody *p, int a, double *r)
{
  double W[36], q[6];
  int d = ns_multibody_dim(p, a);
  const int *body = p->body + 2 * a;
  if (ns_multibody_is_wide(p, a)) return 0;
  if (p->groups && body[1] >= 0 &&
      ns_multibody_stand_in(p, body[0]) == ns_multibody_stand_in(p, body[1]))
    return 0;
  if (p->dof == 6 && d == 3) alone(p, 6, a, 3, W, q);
  else alone(p, (size_t)p->dof, a, d, W, q);
  return ns_multibody_law(p, a, d, W, q, r + p->row[a]);
}
