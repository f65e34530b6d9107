/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Four contacts at once: blocks of one colour share no body, so that their numbers
 * can stand side by side in vectors. What comes out is that of one visit after the other, to the
 * bit: each lane goes through the same operations in the same order, and none is fused. */
#include "problems/multibody_sweep.h"

#include "algebra/four.h"

#include <math.h>
#include <string.h>

typedef double two __attribute__((vector_size(16)));
typedef ns_four four;
typedef long long mask __attribute__((vector_size(32)));
/* Numbers in memory. Macros, as vectors as arguments have no registers without AVX. */
typedef double two_at __attribute__((vector_size(16), aligned(8), may_alias));
#define INLINE static inline __attribute__((always_inline))
#define TWO(x) (*(const two_at *)(x))
#define FOUR NS_FOUR
#define PUT_TWO(v, to) (*(two_at *)(to) = (v))
#define PUT NS_PUT_FOUR
#define CHOOSE(m, a, b) ((four)(((mask)(a) & (m)) | ((mask)(b) & ~(m))))
#define ALL(x) ((four){(x), (x), (x), (x)})
#define SUM(x) (((x)[0] + (x)[1]) + ((x)[2] + (x)[3]))
/* x within its bounds, as `between` of a visit. */
#define BETWEEN(x, lb, ub) CHOOSE((x) < (lb), (lb), CHOOSE((x) > (ub), (ub), (x)))

/* Lanes hold the visits 0, 2, 1, 3: then numbers in pairs come apart, and go together again, within
 * the halves of a vector. */
enum { LANES = NS_PACK_LANES };
static const int visit_of[LANES] = {0, 2, 1, 3};
#define EVEN(x, y) __builtin_shufflevector(x, y, 0, 4, 2, 6)
#define ODD(x, y) __builtin_shufflevector(x, y, 1, 5, 3, 7)
#define JOIN(x, y) __builtin_shufflevector(x, y, 0, 1, 2, 3)
#define LOW(x) __builtin_shufflevector(x, x, 0, 1)
#define HIGH(x) __builtin_shufflevector(x, x, 2, 3)

/* Numbers i and i + 1 of four bodies into a and b. */
#define LOAD_PAIRS(y, at, i, a, b) \
  do { \
    four p_ = JOIN(TWO((y) + (at)[0] + (i)), TWO((y) + (at)[2] + (i))), \
         q_ = JOIN(TWO((y) + (at)[1] + (i)), TWO((y) + (at)[3] + (i))); \
    (a) = EVEN(p_, q_); \
    (b) = ODD(p_, q_); \
  } while (0)
#define STORE_PAIRS(y, at, i, a, b) \
  do { \
    four p_ = EVEN(a, b), q_ = ODD(a, b); \
    PUT_TWO(LOW(p_), (y) + (at)[0] + (i)); \
    PUT_TWO(LOW(q_), (y) + (at)[1] + (i)); \
    PUT_TWO(HIGH(p_), (y) + (at)[2] + (i)); \
    PUT_TWO(HIGH(q_), (y) + (at)[3] + (i)); \
  } while (0)
/* Both rows of four contacts in the plane, n t n t n t n t, into n and t. */
#define LOAD_ROWS(x, n, t) \
  do { \
    four p_ = FOUR(x), q_ = FOUR((x) + 4); \
    (n) = EVEN(p_, q_); \
    (t) = ODD(p_, q_); \
  } while (0)
#define STORE_ROWS(x, n, t) \
  do { \
    PUT(EVEN(n, t), x); \
    PUT(ODD(n, t), (x) + 4); \
  } while (0)

/* Its visits are between two bodies that move; else all of them are at something fixed. */
#define IS_PAIR(k) ((k)->body[1][0] >= 0)

/* Sums of squares over contacts, a lane of each four: ns_sweep_sums. */
typedef struct lanes {
  four map, r, u, q;
} lanes;

#define ABSOLUTE(x) CHOOSE((x) < (four){0}, -(x), (x))
#define ROOT(x) ((four){sqrt((x)[0]), sqrt((x)[1]), sqrt((x)[2]), sqrt((x)[3])})

/* ns_contact_project of a normal component with a tangential one of length *t: the normal component
 * of the projection, and *f, the part that is left of the tangential one. */
INLINE void project(const four *mu, const four *normal, const four *t, four *n, four *f)
{
  four zero = {0}, one = ALL(1.0), along = *mu * *t;
  mask keep = (*t <= *mu * *normal) & (*normal >= zero);
  four on = CHOOSE(along <= -*normal, zero, (*normal + along) / (one + *mu * *mu));
  on = CHOOSE(on > zero, on, zero);
  four part = CHOOSE(on > zero, *mu * on / CHOOSE(on > zero, *t, one), zero);
  *n = CHOOSE(keep, *normal, on);
  *f = CHOOSE(keep, one, part);
}

/* Defects of four contacts of disks: `disk_velocity`, ns_contact_defect. */
INLINE void measure_disks(const ns_sweep *s, const ns_pack *k, lanes *sum)
{
  double *y = s->y;
  const int *i = k->body[0], *j = k->body[1];
  four nx = FOUR(k->n[0]), ny = FOUR(k->n[1]), mu = FOUR(k->mu);
  four dx, dy, wi, zi, qn, qt, rn, rt, n, f;
  LOAD_PAIRS(y, i, 0, dx, dy);
  LOAD_PAIRS(y, i, 2, wi, zi);
  (void)zi;
  LOAD_ROWS(s->q + k->at, qn, qt);
  LOAD_ROWS(s->r + k->at, rn, rt);
  four turn = FOUR(k->arm[0]) * wi;
  if (IS_PAIR(k)) {
    four xj, yj, wj, zj;
    LOAD_PAIRS(y, j, 0, xj, yj);
    LOAD_PAIRS(y, j, 2, wj, zj);
    (void)zj;
    dx -= xj;
    dy -= yj;
    turn += FOUR(k->arm[1]) * wj;
  }
  four un = qn + (nx * dx + ny * dy), ut = qt + (nx * dy - ny * dx + turn);
  four zn = rn - un - mu * ABSOLUTE(ut), zt = rt - ut, t = ABSOLUTE(zt);
  project(&mu, &zn, &t, &n, &f);
  four dn = rn - n, dt = rt - f * zt;
  sum->map += dn * dn + dt * dt;
  sum->r += rn * rn + rt * rt;
  sum->u += un * un + ut * ut;
  sum->q += qn * qn + qt * qt;
}

/* Bounds of four normal rows: within x from zero on, or between lb and ub. */
#define WITHIN(s, k, x) \
  ((s)->one_sided ? CHOOSE((x) < (four){0}, (four){0}, (x)) \
                  : BETWEEN(x, FOUR((s)->lb + (k)->at), FOUR((s)->ub + (k)->at)))

/* Defects of four normal rows. */
INLINE void measure_normals(int axes, const ns_sweep *s, const ns_normal_pack *k, lanes *sum)
{
  double *y = s->y;
  const int *i = k->body[0], *j = k->body[1];
  four xi, yi, zi, wi, xj = {0}, yj = {0}, zj = {0}, wj;
  four q = FOUR(s->q + k->at), r = FOUR(s->r + k->at);
  LOAD_PAIRS(y, i, 0, xi, yi);
  if (IS_PAIR(k)) LOAD_PAIRS(y, j, 0, xj, yj);
  four u = FOUR(k->n[0]) * (xi - xj) + FOUR(k->n[1]) * (yi - yj);
  if (axes == 3) {
    LOAD_PAIRS(y, i, 2, zi, wi);
    if (IS_PAIR(k)) LOAD_PAIRS(y, j, 2, zj, wj);
    (void)wi, (void)wj;
    u += FOUR(k->n[2]) * (zi - zj);
  }
  u = q + u;
  four z = r - u, d = r - WITHIN(s, k, z);
  sum->map += d * d;
  sum->r += r * r;
  sum->u += u * u;
  sum->q += q * q;
}

/* Four contacts of disks: `visit_disks`. */
INLINE void disks(const ns_sweep *s, const ns_pack *k, const four *beta, double *past, four *away,
                  four *moved)
{
  double *y = s->y, *r = s->r + k->at, *old = past + k->at;
  const double *q = s->q + k->at;
  const int *i = k->body[0], *j = k->body[1];
  four nx = FOUR(k->n[0]), ny = FOUR(k->n[1]), arm = FOUR(k->arm[0]), other = FOUR(k->arm[1]);
  four xi, yi, wi, zi, xj = {0}, yj = {0}, wj = {0}, zj = {0}, ai, bi, qn, qt, rn, rt, on, ot;
  LOAD_PAIRS(y, i, 0, xi, yi);
  LOAD_PAIRS(y, i, 2, wi, zi);
  LOAD_PAIRS(y, i, NS_SWEEP_A, ai, bi);
  LOAD_ROWS(q, qn, qt);
  LOAD_ROWS(r, rn, rt);
  LOAD_ROWS(old, on, ot);
  four dx = xi, dy = yi, turn = arm * wi;
  if (IS_PAIR(k)) {
    LOAD_PAIRS(y, j, 0, xj, yj);
    LOAD_PAIRS(y, j, 2, wj, zj);
    dx -= xj;
    dy -= yj;
    turn += other * wj;
  }
  four un = qn + (nx * dx + ny * dy), ut = qt + (nx * dy - ny * dx + turn);
  four drawn_n = rn + *beta * (rn - on), drawn_t = rt + *beta * (rt - ot);
  STORE_ROWS(old, rn, rt);
  four n = drawn_n - un * FOUR(k->own[0]), t = drawn_t - ut * FOUR(k->own[1]), zero = {0};
  n = CHOOSE(n > zero, n, zero);
  four max = FOUR(k->mu) * n;
  t = BETWEEN(t, -max, max);
  STORE_ROWS(r, n, t);
  four dn = n - drawn_n, dt = t - drawn_t;
  four fx = nx * dn - ny * dt, fy = ny * dn + nx * dt;
  xi += ai * fx;
  yi += ai * fy;
  wi += bi * arm * dt;
  STORE_PAIRS(y, i, 0, xi, yi);
  STORE_PAIRS(y, i, 2, wi, zi);
  if (IS_PAIR(k)) {
    LOAD_PAIRS(y, j, NS_SWEEP_A, ai, bi);
    xj -= ai * fx;
    yj -= ai * fy;
    wj += bi * other * dt;
    STORE_PAIRS(y, j, 0, xj, yj);
    STORE_PAIRS(y, j, 2, wj, zj);
  }
  *away -= dn * (n - rn) + dt * (t - rt);
  *moved += dn * dn + dt * dt;
}

/* Four normal rows: `visit_normal`; axes 2: in the plane, whose third entries are zero. */
INLINE void normals(int axes, const ns_sweep *s, const ns_normal_pack *k, const four *beta,
                    double *past, four *away, four *moved)
{
  double *y = s->y, *r = s->r + k->at, *old = past + k->at;
  const int *i = k->body[0], *j = k->body[1];
  four nx = FOUR(k->n[0]), ny = FOUR(k->n[1]), nz = {0};
  four xi, yi, zi, wi, xj = {0}, yj = {0}, zj = {0}, wj = {0}, ai, bi;
  LOAD_PAIRS(y, i, 0, xi, yi);
  LOAD_PAIRS(y, i, NS_SWEEP_A, ai, bi);
  if (IS_PAIR(k)) LOAD_PAIRS(y, j, 0, xj, yj);
  four u = nx * (xi - xj) + ny * (yi - yj);
  if (axes == 3) {
    nz = FOUR(k->n[2]);
    LOAD_PAIRS(y, i, 2, zi, wi);
    if (IS_PAIR(k)) LOAD_PAIRS(y, j, 2, zj, wj);
    u += nz * (zi - zj);
  }
  u = FOUR(s->q + k->at) + u;
  four was = FOUR(r), drawn = was + *beta * (was - FOUR(old));
  four now = drawn - u * FOUR(k->own);
  now = WITHIN(s, k, now);
  PUT(was, old);
  PUT(now, r);
  four dr = now - drawn;
  ai *= dr;
  xi += ai * nx;
  yi += ai * ny;
  STORE_PAIRS(y, i, 0, xi, yi);
  if (axes == 3) {
    zi += ai * nz;
    STORE_PAIRS(y, i, 2, zi, wi);
  }
  if (IS_PAIR(k)) {
    LOAD_PAIRS(y, j, NS_SWEEP_A, ai, bi);
    ai *= dr;
    xj -= ai * nx;
    yj -= ai * ny;
    STORE_PAIRS(y, j, 0, xj, yj);
    if (axes == 3) {
      zj -= ai * nz;
      STORE_PAIRS(y, j, 2, zj, wj);
    }
  }
  (void)bi;
  *away -= dr * (now - was);
  *moved += dr * dr;
}

/* Three rows of four contacts of balls, n a b n a b n a b n a b, in the order of the visits. */
#define LOAD_TRIPLES(x, n, a, b) \
  do { \
    four p_ = FOUR(x), q_ = FOUR((x) + 4), r_ = FOUR((x) + 8); \
    (n) = __builtin_shufflevector(__builtin_shufflevector(p_, q_, 0, 3, 6, 6), r_, 0, 1, 2, 5); \
    (a) = __builtin_shufflevector(__builtin_shufflevector(p_, q_, 1, 4, 7, 7), r_, 0, 1, 2, 6); \
    (b) = __builtin_shufflevector(__builtin_shufflevector(q_, r_, 1, 4, 7, 7), p_, 6, 0, 1, 2); \
  } while (0)
#define STORE_TRIPLES(x, n, a, b) \
  do { \
    PUT(__builtin_shufflevector(__builtin_shufflevector(n, a, 0, 4, 1, 1), b, 0, 1, 4, 2), x); \
    PUT(__builtin_shufflevector(__builtin_shufflevector(a, b, 1, 5, 2, 2), n, 0, 1, 6, 2), \
        (x) + 4); \
    PUT(__builtin_shufflevector(__builtin_shufflevector(b, n, 2, 7, 3, 3), a, 0, 1, 7, 2), \
        (x) + 8); \
  } while (0)

/* r of four contacts from the u that it gives: `ns_multibody_solve_round`. */
INLINE void solve_round(const double (*own)[LANES], const double *mu, const four *un,
                        const four *ua, const four *ub, four *n, four *a, four *b)
{
  four zero = {0}, along = FOUR(own[1]);
  *n -= *un * FOUR(own[0]);
  *a -= *ua * along;
  *b -= *ub * along;
  *n = CHOOSE(*n > zero, *n, zero);
  four max = FOUR(mu) * *n, tt = *a * *a + *b * *b;
  mask slips = tt > max * max;
  four f = CHOOSE(slips, max / ROOT(tt), ALL(1.0));
  *a *= f;
  *b *= f;
}

/* Declares what `ball_velocity` reads and finds of four contacts of balls: (ex, ey, ez) the entries
 * of n, t1, t2 for e = n, t, b; levers ci, cj; numbers x y z p q r of both bodies; u. Written out,
 * as arrays would stay in memory. */
#define BALL_VELOCITY(s, k, i, j) \
  four nx = FOUR((k)->entry[0]), ny = FOUR((k)->entry[1]), nz = FOUR((k)->entry[2]), \
       tx = FOUR((k)->entry[3]), ty = FOUR((k)->entry[4]), tz = FOUR((k)->entry[5]), \
       bx = ny * tz - nz * ty, by = nz * tx - nx * tz, bz = nx * ty - ny * tx; \
  if ((s)->scaled) bx *= UNIT(k), by *= UNIT(k), bz *= UNIT(k); \
  four ci = FOUR((k)->entry[NS_BALL_LEVER]), cj = FOUR((k)->entry[NS_BALL_LEVER + 1]); \
  four xi, yi, zi, pi, qi, ri, xj = {0}, yj = {0}, zj = {0}, pj = {0}, qj = {0}, rj = {0}; \
  four un, ua, ub; \
  LOAD_PAIRS((s)->y, i, 0, xi, yi); \
  LOAD_PAIRS((s)->y, i, 2, zi, pi); \
  LOAD_PAIRS((s)->y, i, 4, qi, ri); \
  four dx = xi, dy = yi, dz = zi, wx = ci * pi, wy = ci * qi, wz = ci * ri; \
  if (IS_PAIR(k)) { \
    LOAD_PAIRS((s)->y, j, 0, xj, yj); \
    LOAD_PAIRS((s)->y, j, 2, zj, pj); \
    LOAD_PAIRS((s)->y, j, 4, qj, rj); \
    dx -= xj, dy -= yj, dz -= zj; \
    wx += cj * pj, wy += cj * qj, wz += cj * rj; \
  } \
  LOAD_TRIPLES((s)->q + (k)->at, un, ua, ub); \
  un += nx * dx + ny * dy + nz * dz; \
  ua += (tx * dx + ty * dy + tz * dz) + (bx * wx + by * wy + bz * wz); \
  ub += (bx * dx + by * dy + bz * dz) - (tx * wx + ty * wy + tz * wz)
typedef float unit_at __attribute__((vector_size(16), aligned(4), may_alias));
#define UNIT(k) __builtin_convertvector(*(const unit_at *)(k)->unit, four)

/* Four contacts of balls: `visit_balls`. */
INLINE void balls(const ns_sweep *s, const ns_ball_pack *k, const four *beta, double *past,
                  four *away, four *moved)
{
  double *y = s->y, *r = s->r + k->at, *old = past + k->at;
  const int *i = k->body[0], *j = k->body[1];
  BALL_VELOCITY(s, k, i, j);
  four rn, ra, rb, on, oa, ob, m, w;
  LOAD_TRIPLES(r, rn, ra, rb);
  LOAD_TRIPLES(old, on, oa, ob);
  STORE_TRIPLES(old, rn, ra, rb);
  four drawn_n = rn + *beta * (rn - on), drawn_a = ra + *beta * (ra - oa),
       drawn_b = rb + *beta * (rb - ob);
  four n = drawn_n, a = drawn_a, b = drawn_b;
  solve_round(k->own, k->mu, &un, &ua, &ub, &n, &a, &b);
  STORE_TRIPLES(r, n, a, b);
  four dn = n - drawn_n, da = a - drawn_a, db = b - drawn_b;
  *away -= dn * (n - rn) + da * (a - ra) + db * (b - rb);
  *moved += dn * dn + da * da + db * db;
  four fx = nx * dn + tx * da + bx * db, fy = ny * dn + ty * da + by * db,
       fz = nz * dn + tz * da + bz * db, gx = bx * da - tx * db, gy = by * da - ty * db,
       gz = bz * da - tz * db;
  LOAD_PAIRS(y, i, NS_SWEEP_A, m, w);
  w *= ci;
  xi += m * fx, yi += m * fy, zi += m * fz;
  pi += w * gx, qi += w * gy, ri += w * gz;
  STORE_PAIRS(y, i, 0, xi, yi);
  STORE_PAIRS(y, i, 2, zi, pi);
  STORE_PAIRS(y, i, 4, qi, ri);
  if (!IS_PAIR(k)) return;
  LOAD_PAIRS(y, j, NS_SWEEP_A, m, w);
  w *= cj;
  xj -= m * fx, yj -= m * fy, zj -= m * fz;
  pj += w * gx, qj += w * gy, rj += w * gz;
  STORE_PAIRS(y, j, 0, xj, yj);
  STORE_PAIRS(y, j, 2, zj, pj);
  STORE_PAIRS(y, j, 4, qj, rj);
}

/* ns_contact_defect of four contacts in space, and the squares of their r and u. */
INLINE void add_defects(const double *friction, const four *un, const four *ua, const four *ub,
                        const four *rn, const four *ra, const four *rb, lanes *sum)
{
  four uu = *ua * *ua + *ub * *ub, za = *ra - *ua, zb = *rb - *ub, zz = za * za + zb * zb;
  four mu = FOUR(friction), zn = *rn - *un - mu * ROOT(uu), t = ROOT(zz), n, f;
  project(&mu, &zn, &t, &n, &f);
  four dn = *rn - n, da = *ra - f * za, db = *rb - f * zb;
  sum->map += dn * dn + da * da + db * db;
  sum->r += *rn * *rn + *ra * *ra + *rb * *rb;
  sum->u += *un * *un + uu;
}

/* Defects of four contacts of balls: `ball_velocity`, ns_contact_defect. */
INLINE void measure_balls(const ns_sweep *s, const ns_ball_pack *k, lanes *sum)
{
  const int *i = k->body[0], *j = k->body[1];
  BALL_VELOCITY(s, k, i, j);
  four qn, qa, qb, rn, ra, rb;
  LOAD_TRIPLES(s->r + k->at, rn, ra, rb);
  LOAD_TRIPLES(s->q + k->at, qn, qa, qb);
  add_defects(k->mu, &un, &ua, &ub, &rn, &ra, &rb, sum);
  sum->q += qn * qn + qa * qa + qb * qb;
}

/* u of four points: `velocity`. B: numbers of the bodies, K: entries of a visit, side by side. */
#define K(row, e) FOUR(K + LANES * (12 * (row) + (e)))
#define ALONG(row, of, B) \
  ((K(row, of) * (B)[0] + K(row, (of) + 2) * (B)[2] + K(row, (of) + 4) * (B)[4]) + \
   (K(row, (of) + 1) * (B)[1] + K(row, (of) + 3) * (B)[3] + K(row, (of) + 5) * (B)[5]))
#define LOAD_BODIES(y, at, B) \
  do { \
    LOAD_PAIRS(y, at, 0, (B)[0], (B)[1]); \
    LOAD_PAIRS(y, at, 2, (B)[2], (B)[3]); \
    LOAD_PAIRS(y, at, 4, (B)[4], (B)[5]); \
  } while (0)
INLINE void point_velocities(const ns_sweep *s, const ns_point_pack *k, four *I, four *J, four *un,
                             four *ua, four *ub)
{
  const double *K = s->K + k->from;
  LOAD_TRIPLES(s->q + k->at, *un, *ua, *ub);
  LOAD_BODIES(s->y, k->body[0], I);
  *un += ALONG(0, 0, I);
  *ua += ALONG(1, 0, I);
  *ub += ALONG(2, 0, I);
  if (!IS_PAIR(k)) return;
  LOAD_BODIES(s->y, k->body[1], J);
  *un += ALONG(0, 6, J);
  *ua += ALONG(1, 6, J);
  *ub += ALONG(2, 6, J);
}

/* What impulses add to the numbers of the bodies on one side: `push`. */
INLINE void push_points(const ns_sweep *s, const double *K, const int *at, const four *dn,
                        const four *da, const four *db, four *B)
{
  four a, b;
  LOAD_PAIRS(s->y, at, NS_SWEEP_A, a, b);
  for (int e = 0; e < 6; e++)
    B[e] += (K(0, e) * *dn + K(1, e) * *da + K(2, e) * *db) * (e < 3 ? a : b);
  STORE_PAIRS(s->y, at, 0, B[0], B[1]);
  STORE_PAIRS(s->y, at, 2, B[2], B[3]);
  STORE_PAIRS(s->y, at, 4, B[4], B[5]);
}

/* Four points: `visit_point`. */
INLINE void points(const ns_sweep *s, const ns_point_pack *k, const four *beta, double *past,
                   four *away, four *moved)
{
  double *r = s->r + k->at, *old = past + k->at;
  const double *K = s->K + k->from;
  four I[6], J[6], un, ua, ub, rn, ra, rb, on, oa, ob, zero = {0};
  point_velocities(s, k, I, J, &un, &ua, &ub);
  LOAD_TRIPLES(r, rn, ra, rb);
  LOAD_TRIPLES(old, on, oa, ob);
  STORE_TRIPLES(old, rn, ra, rb);
  four drawn_n = rn + *beta * (rn - on), drawn_a = ra + *beta * (ra - oa),
       drawn_b = rb + *beta * (rb - ob);
  four n = drawn_n, a = drawn_a, b = drawn_b, then = n - un * FOUR(k->own[0]);
  then = CHOOSE(then > zero, then, zero) - n;
  ua += FOUR(k->slip[0]) * then;
  ub += FOUR(k->slip[1]) * then;
  solve_round(k->own, k->mu, &un, &ua, &ub, &n, &a, &b);
  STORE_TRIPLES(r, n, a, b);
  four dn = n - drawn_n, da = a - drawn_a, db = b - drawn_b;
  *away -= dn * (n - rn) + da * (a - ra) + db * (b - rb);
  *moved += dn * dn + da * da + db * db;
  push_points(s, K, k->body[0], &dn, &da, &db, I);
  if (IS_PAIR(k)) push_points(s, K + 6 * LANES, k->body[1], &dn, &da, &db, J);
}
#undef K

/* Defects of four points. */
INLINE void measure_points(const ns_sweep *s, const ns_point_pack *k, lanes *sum)
{
  four I[6], J[6], un, ua, ub, rn, ra, rb, qn, qa, qb;
  point_velocities(s, k, I, J, &un, &ua, &ub);
  LOAD_TRIPLES(s->r + k->at, rn, ra, rb);
  LOAD_TRIPLES(s->q + k->at, qn, qa, qb);
  add_defects(k->mu, &un, &ua, &ub, &rn, &ra, &rb, sum);
  sum->q += qn * qn + qa * qa + qb * qb;
}

INLINE void packs(const ns_sweep *s, int kind, int from, int to, double beta, double *past,
                  ns_sweep_steps *sum)
{
  four by = ALL(beta), away = {0}, moved = {0};
  for (int k = from; k < to; k++)
    if (kind == NS_VISIT_BALL) balls(s, &s->balls[k], &by, past, &away, &moved);
    else if (kind == NS_VISIT_POINT) points(s, &s->points[k], &by, past, &away, &moved);
    else if (kind == NS_VISIT_DISK) disks(s, &s->pack[k], &by, past, &away, &moved);
    else if (s->dof == 6) normals(3, s, &s->normals[k], &by, past, &away, &moved);
    else normals(2, s, &s->normals[k], &by, past, &away, &moved);
  sum->away += SUM(away);
  sum->moved += SUM(moved);
}

INLINE void measures(const ns_sweep *s, int kind, int from, int to, ns_sweep_sums *sum)
{
  lanes t = {{0}, {0}, {0}, {0}};
  for (int k = from; k < to; k++)
    if (kind == NS_VISIT_BALL) measure_balls(s, &s->balls[k], &t);
    else if (kind == NS_VISIT_POINT) measure_points(s, &s->points[k], &t);
    else if (kind == NS_VISIT_DISK) measure_disks(s, &s->pack[k], &t);
    else if (s->dof == 6) measure_normals(3, s, &s->normals[k], &t);
    else measure_normals(2, s, &s->normals[k], &t);
  sum->map += SUM(t.map);
  sum->r += SUM(t.r);
  sum->u += SUM(t.u);
  sum->q += SUM(t.q);
}

static void packs_plain(const ns_sweep *s, int kind, int from, int to, double beta, double *past,
                        ns_sweep_steps *sum)
{
  packs(s, kind, from, to, beta, past, sum);
}

static void measures_plain(const ns_sweep *s, int kind, int from, int to, ns_sweep_sums *sum)
{
  measures(s, kind, from, to, sum);
}

NS_WIDE static void packs_wide(const ns_sweep *s, int kind, int from, int to, double beta,
                               double *past, ns_sweep_steps *sum)
{
  packs(s, kind, from, to, beta, past, sum);
}

NS_WIDE_MANY static void packs_many(const ns_sweep *s, int kind, int from, int to, double beta,
                                    double *past, ns_sweep_steps *sum)
{
  packs(s, kind, from, to, beta, past, sum);
}

NS_WIDE static void measures_wide(const ns_sweep *s, int kind, int from, int to, ns_sweep_sums *sum)
{
  measures(s, kind, from, to, sum);
}

NS_WIDE_MANY static void measures_many(const ns_sweep *s, int kind, int from, int to,
                                       ns_sweep_sums *sum)
{
  measures(s, kind, from, to, sum);
}

void ns_sweep_visit_packs(const ns_sweep *s, int kind, int from, int to, double beta, double *past,
                          ns_sweep_steps *sum)
{
  (s->wide > 1 ? packs_many
   : s->wide   ? packs_wide
               : packs_plain)(s, kind, from, to, beta, past, sum);
}

void ns_sweep_measure_packs(const ns_sweep *s, int kind, int from, int to, ns_sweep_sums *sum)
{
  (s->wide > 1 ? measures_many : s->wide ? measures_wide : measures_plain)(s, kind, from, to, sum);
}

/* ---- which visits go together ---------------------------------------------------------------- */

/* They can be in one pack. */
static int are_alike(const ns_visit *x, const ns_visit *y)
{
  return x->kind == y->kind && (x->body[1] < 0) == (y->body[1] < 0);
}

static int is_packed(const ns_visit *x, const ns_visit *first, int k)
{
  return are_alike(x, first) && x->at == first->at + k * first->d;
}

/* The first `n` visits from x on can be one pack. */
static int are_packed(const ns_visit *x, int n)
{
  int all = x->kind == NS_VISIT_BALL || x->kind == NS_VISIT_DISK || x->kind == NS_VISIT_NORMAL ||
            x->kind == NS_VISIT_POINT;
  for (int k = 0; k < LANES && all; k++) all = k < n && x[k].body[0] >= 0 && is_packed(&x[k], x, k);
  return all;
}

/* Visits from x on, up to `max`, that share no body and are alike. */
static int apart(const ns_visit *x, int max)
{
  int n = 1;
  while (n < max && !x[n].begins && are_alike(&x[n], x)) n++;
  return n;
}

/* How many packs of a kind follow each other, from the last visit on. */
static void count_packs(ns_sweep *s)
{
  for (int k = s->n - 1; k >= 0; k--) {
    ns_visit *x = &s->visit[k], *next = x + LANES;
    int goes_on = k + LANES < s->n && next->pack && next->kind == x->kind;
    if (x->pack) x->packs = 1 + (goes_on ? next->packs : 0);
  }
}

static int is_one_sided(const ns_sweep *s, const ns_visit *first)
{
  int all = 1;
  for (int i = first->at; i < first->at + LANES; i++)
    all &= *ns_sweep_lower(s, i) == 0 && *ns_sweep_upper(s, i) == INFINITY;
  return all;
}

int ns_sweep_pack(ns_sweep *s, ns_arena *a)
{
  int n = 0, normals = 0, balls = 0, points = 0;
  s->one_sided = 1;
  for (int k = 0, end = s->begin[s->ncolours - 1], many; k < end; k += many) {
    ns_visit *x = &s->visit[k];
    many = apart(x, k + LANES < end ? LANES : end - k);
    if (!are_packed(x, many)) continue;
    int *of_kind = x->kind == NS_VISIT_BALL     ? &balls
                   : x->kind == NS_VISIT_POINT  ? &points
                   : x->kind == NS_VISIT_NORMAL ? &normals
                                                : &n;
    x->pack = ++*of_kind;
    for (int l = 0; l < LANES; l++) x[l].packed = 1;
    s->one_sided &= x->kind != NS_VISIT_NORMAL || is_one_sided(s, x);
  }
  count_packs(s);
  s->pack = ns_arena_get(a, (size_t)n + 1, sizeof *s->pack);
  s->normals = ns_arena_get(a, (size_t)normals + 1, sizeof *s->normals);
  s->balls = ns_arena_get(a, (size_t)balls + 1, sizeof *s->balls);
  s->points = ns_arena_get(a, (size_t)points + 1, sizeof *s->points);
  return s->pack && s->normals && s->balls && s->points;
}

/* ---- what they hold -------------------------------------------------------------------------- */

static void fill(const ns_multibody *all, const ns_sweep *s, const ns_visit *first, ns_pack *p)
{
  p->at = first->at;
  for (int l = 0; l < LANES; l++) {
    const ns_visit *x = first + visit_of[l];
    double k[NS_DISK_ENTRIES];
    ns_visit_shorten(all, s, x, k);
    for (int e = 0; e < 2; e++) {
      p->body[e][l] = NS_SWEEP_STRIDE * x->body[e];
      p->n[e][l] = k[e];
      p->own[e][l] = x->own[e];
      p->arm[e][l] = k[2 + e];
    }
    p->mu[l] = x->mu;
  }
}

static void fill_normals(const ns_multibody *all, const ns_sweep *s, const ns_visit *first,
                         ns_normal_pack *p)
{
  p->at = first->at;
  for (int l = 0; l < LANES; l++) {
    const ns_visit *x = first + l;
    double k[NS_NORMAL_ENTRIES];
    ns_visit_shorten(all, s, x, k);
    for (int e = 0; e < 2; e++) p->body[e][l] = NS_SWEEP_STRIDE * x->body[e];
    for (int e = 0; e < NS_NORMAL_ENTRIES; e++) p->n[e][l] = k[e];
    p->own[l] = x->own[0];
  }
}

static void fill_balls(const ns_multibody *all, const ns_sweep *s, const ns_visit *first,
                       ns_ball_pack *p)
{
  p->at = first->at;
  for (int l = 0; l < LANES; l++) {
    const ns_visit *x = first + l;
    double k[NS_BALL_ENTRIES];
    ns_visit_shorten(all, s, x, k);
    for (int e = 0; e < 2; e++) {
      p->body[e][l] = NS_SWEEP_STRIDE * x->body[e];
      p->own[e][l] = x->own[e];
    }
    for (int e = 0; e < NS_BALL_UNIT; e++) p->entry[e][l] = k[e];
    p->unit[l] = (float)k[NS_BALL_UNIT];
    p->mu[l] = x->mu;
  }
}

/* The entries of its visits, one after the other, become those of all four, side by side. */
static void fill_points(const ns_multibody *all, const ns_sweep *s, const ns_visit *first,
                        ns_point_pack *p)
{
  double *K = s->K + first->from, visit[LANES][NS_POINT_ENTRIES], rows[NS_POINT_ENTRIES], W[9];
  p->at = first->at;
  p->from = first->from;
  for (int l = 0; l < LANES; l++) {
    const ns_visit *x = first + l;
    memcpy(visit[l], ns_visit_rows(all, s, x, rows), sizeof visit[l]);
    ns_visit_matrix(all, s, x, W);
    for (int e = 0; e < 2; e++) {
      p->body[e][l] = NS_SWEEP_STRIDE * x->body[e];
      p->own[e][l] = x->own[e];
      p->slip[e][l] = W[1 + e];
    }
    p->mu[l] = x->mu;
  }
  for (int e = 0; e < NS_POINT_ENTRIES; e++)
    for (int l = 0; l < LANES; l++) K[LANES * e + l] = visit[l][e];
}

void ns_sweep_pack_fill(const ns_multibody *p, const ns_sweep *s, const ns_visit *x)
{
  if (x->kind == NS_VISIT_BALL) fill_balls(p, s, x, &s->balls[x->pack - 1]);
  else if (x->kind == NS_VISIT_POINT) fill_points(p, s, x, &s->points[x->pack - 1]);
  else if (x->kind == NS_VISIT_DISK) fill(p, s, x, &s->pack[x->pack - 1]);
  else fill_normals(p, s, x, &s->normals[x->pack - 1]);
}

/* Where its bodies are in y, and its first row. */
static ns_visit visit_in(const ns_visit *x, const int (*body)[LANES], int at, int lane, int k)
{
  ns_visit of = {.kind = x->kind, .d = x->d, .law = x->law, .at = at + k * x->d};
  for (int e = 0; e < 2; e++) of.body[e] = body[e][lane] < 0 ? -1 : body[e][lane] / NS_SWEEP_STRIDE;
  return of;
}

ns_visit ns_sweep_pack_visit(const ns_sweep *s, const ns_visit *x, int i, int k, double *entries)
{
  int lane = visit_of[k]; /* its own inverse */
  if (x->kind == NS_VISIT_BALL) {
    const ns_ball_pack *p = &s->balls[i];
    for (int e = 0; e < NS_BALL_UNIT; e++) entries[e] = p->entry[e][k];
    entries[NS_BALL_UNIT] = p->unit[k];
    return visit_in(x, p->body, p->at, k, k);
  }
  if (x->kind == NS_VISIT_POINT) {
    const ns_point_pack *p = &s->points[i];
    const double *K = s->K + p->from + k;
    for (int e = 0; e < NS_POINT_ENTRIES; e++) entries[e] = K[LANES * e];
    return visit_in(x, p->body, p->at, k, k);
  }
  if (x->kind == NS_VISIT_DISK) {
    const ns_pack *p = &s->pack[i];
    for (int e = 0; e < 2; e++) entries[e] = p->n[e][lane];
    for (int e = 0; e < 2; e++) entries[2 + e] = p->arm[e][lane];
    return visit_in(x, p->body, p->at, lane, k);
  }
  const ns_normal_pack *p = &s->normals[i];
  for (int e = 0; e < NS_NORMAL_ENTRIES; e++) entries[e] = p->n[e][k];
  return visit_in(x, p->body, p->at, k, k);
}

int ns_sweep_shorten(ns_sweep *s, int at, int to, int n)
{
  while (at < to) {
    ns_visit *x = &s->visit[n++];
    *x = s->visit[at];
    int most = (to - at + LANES - 1) / LANES;
    if (x->packs > most) x->packs = most;
    at += x->pack ? LANES * x->packs : 1;
  }
  return n;
}
