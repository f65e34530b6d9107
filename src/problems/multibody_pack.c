/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Four contacts of round bodies at once: blocks of one colour share no body, so that their numbers
 * can stand side by side in vectors. What comes out is that of one visit after the other, to the
 * bit: each lane goes through the same operations in the same order, and none is fused. */
#include "problems/multibody_sweep.h"

typedef double two __attribute__((vector_size(16)));
typedef double four __attribute__((vector_size(32)));
typedef long long mask __attribute__((vector_size(32)));
/* Numbers in memory. Macros, as vectors as arguments have no registers without AVX. */
typedef double two_at __attribute__((vector_size(16), aligned(8), may_alias));
typedef double four_at __attribute__((vector_size(32), aligned(8), may_alias));
#define INLINE static inline __attribute__((always_inline))
#define TWO(x) (*(const two_at *)(x))
#define FOUR(x) (*(const four_at *)(x))
#define PUT_TWO(v, to) (*(two_at *)(to) = (v))
#define PUT(v, to) (*(four_at *)(to) = (v))
#define CHOOSE(m, a, b) ((four)(((mask)(a) & (m)) | ((mask)(b) & ~(m))))
#define ALL(x) ((four){(x), (x), (x), (x)})
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

/* Four contacts of disks: `visit_disks`. */
INLINE void disks(const ns_sweep *s, const ns_pack *k, const four *beta, double *past, four *away,
                  four *moved)
{
  double *y = s->y, *r = s->r + k->at, *old = past + k->at;
  const double *q = s->q + k->at;
  const int *i = k->body[0], *j = k->body[1];
  four nx = FOUR(k->n[0]), ny = FOUR(k->n[1]), arm = FOUR(k->arm[0]), other = FOUR(k->arm[1]);
  four xi, yi, wi, zi, xj, yj, wj, zj, ai, bi, aj, bj, qn, qt, rn, rt, on, ot;
  LOAD_PAIRS(y, i, 0, xi, yi);
  LOAD_PAIRS(y, i, 2, wi, zi);
  LOAD_PAIRS(y, j, 0, xj, yj);
  LOAD_PAIRS(y, j, 2, wj, zj);
  LOAD_PAIRS(y, i, NS_SWEEP_A, ai, bi);
  LOAD_PAIRS(y, j, NS_SWEEP_A, aj, bj);
  LOAD_ROWS(q, qn, qt);
  LOAD_ROWS(r, rn, rt);
  LOAD_ROWS(old, on, ot);
  four dx = xi - xj, dy = yi - yj, turn = arm * wi + other * wj;
  four un = qn + (nx * dx + ny * dy), ut = qt + (nx * dy - ny * dx + turn);
  four drawn_n = rn + *beta * (rn - on), drawn_t = rt + *beta * (rt - ot);
  STORE_ROWS(old, rn, rt);
  four n = drawn_n - un * FOUR(k->own[0]), t = drawn_t - ut * FOUR(k->own[1]), zero = {0};
  n = CHOOSE(n > zero, n, zero);
  four most = FOUR(k->mu) * n;
  t = BETWEEN(t, -most, most);
  STORE_ROWS(r, n, t);
  four dn = n - drawn_n, dt = t - drawn_t;
  four fx = nx * dn - ny * dt, fy = ny * dn + nx * dt;
  xi += ai * fx;
  yi += ai * fy;
  wi += bi * arm * dt;
  xj -= aj * fx;
  yj -= aj * fy;
  wj += bj * other * dt;
  STORE_PAIRS(y, i, 0, xi, yi);
  STORE_PAIRS(y, i, 2, wi, zi);
  STORE_PAIRS(y, j, 0, xj, yj);
  STORE_PAIRS(y, j, 2, wj, zj);
  *away -= dn * (n - rn) + dt * (t - rt);
  *moved += dn * dn + dt * dt;
}

/* Four normal rows: `visit_normal`; axes 2: in the plane, whose third entries are zero. */
INLINE void normals(int axes, const ns_sweep *s, const ns_pack *k, const four *beta, double *past,
                    four *away, four *moved)
{
  double *y = s->y, *r = s->r + k->at, *old = past + k->at;
  const int *i = k->body[0], *j = k->body[1];
  four nx = FOUR(k->n[0]), ny = FOUR(k->n[1]), nz = FOUR(k->n[2]);
  four xi, yi, zi, wi, xj, yj, zj, wj, ai, bi, aj, bj;
  LOAD_PAIRS(y, i, 0, xi, yi);
  LOAD_PAIRS(y, j, 0, xj, yj);
  LOAD_PAIRS(y, i, NS_SWEEP_A, ai, bi);
  LOAD_PAIRS(y, j, NS_SWEEP_A, aj, bj);
  (void)bi, (void)bj;
  four u = nx * (xi - xj) + ny * (yi - yj);
  if (axes == 3) {
    LOAD_PAIRS(y, i, 2, zi, wi);
    LOAD_PAIRS(y, j, 2, zj, wj);
    u += nz * (zi - zj);
  }
  u = FOUR(s->q + k->at) + u;
  four was = FOUR(r), drawn = was + *beta * (was - FOUR(old));
  four now = drawn - u * FOUR(k->own[0]), lb = FOUR(s->lb + k->at), ub = FOUR(s->ub + k->at);
  now = BETWEEN(now, lb, ub);
  PUT(was, old);
  PUT(now, r);
  four dr = now - drawn;
  ai *= dr;
  aj *= dr;
  xi += ai * nx;
  yi += ai * ny;
  xj -= aj * nx;
  yj -= aj * ny;
  STORE_PAIRS(y, i, 0, xi, yi);
  STORE_PAIRS(y, j, 0, xj, yj);
  if (axes == 3) {
    zi += ai * nz;
    zj -= aj * nz;
    STORE_PAIRS(y, i, 2, zi, wi);
    STORE_PAIRS(y, j, 2, zj, wj);
  }
  *away -= dr * (now - was);
  *moved += dr * dr;
}

INLINE void packs(const ns_sweep *s, int from, int to, double beta, double *past,
                  ns_sweep_steps *sum)
{
  four by = ALL(beta), away = {0}, moved = {0};
  for (const ns_pack *k = s->pack + from, *end = s->pack + to; k < end; k++)
    if (k->kind == NS_VISIT_DISK) disks(s, k, &by, past, &away, &moved);
    else if (s->dof == 6) normals(3, s, k, &by, past, &away, &moved);
    else normals(2, s, k, &by, past, &away, &moved);
  sum->away += (away[0] + away[1]) + (away[2] + away[3]);
  sum->moved += (moved[0] + moved[1]) + (moved[2] + moved[3]);
}

static void packs_plain(const ns_sweep *s, int from, int to, double beta, double *past,
                        ns_sweep_steps *sum)
{
  packs(s, from, to, beta, past, sum);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static void packs_wide(const ns_sweep *s, int from, int to,
                                                       double beta, double *past,
                                                       ns_sweep_steps *sum)
{
  packs(s, from, to, beta, past, sum);
}

void ns_sweep_visit_packs(const ns_sweep *s, int from, int to, double beta, double *past,
                          ns_sweep_steps *sum)
{
  (s->wide ? packs_wide : packs_plain)(s, from, to, beta, past, sum);
}

static int has_wide(void) { return __builtin_cpu_supports("avx2") != 0; }
#else
void ns_sweep_visit_packs(const ns_sweep *s, int from, int to, double beta, double *past,
                          ns_sweep_steps *sum)
{
  packs_plain(s, from, to, beta, past, sum);
}

static int has_wide(void) { return 0; }
#endif

/* ---- which visits go together ---------------------------------------------------------------- */

static int is_packed(const ns_visit *x, const ns_visit *first, int k)
{
  return x->kind == first->kind && x->body[0] >= 0 && x->body[1] >= 0 &&
         x->at == first->at + k * first->d;
}

/* Four visits from x on can be one pack. */
static int are_packed(const ns_visit *x)
{
  int all = x->kind == NS_VISIT_DISK || x->kind == NS_VISIT_NORMAL;
  for (int k = 0; k < LANES && all; k++) all = is_packed(&x[k], x, k);
  return all;
}

static void fill(const ns_sweep *s, const ns_visit *first, ns_pack *p)
{
  p->at = first->at;
  p->kind = first->kind;
  for (int l = 0; l < LANES; l++) {
    const ns_visit *x = first + (first->kind == NS_VISIT_DISK ? visit_of[l] : l);
    const double *k = s->K + x->from;
    int is_disk = x->kind == NS_VISIT_DISK;
    for (int e = 0; e < 2; e++) {
      p->body[e][l] = NS_SWEEP_STRIDE * x->body[e];
      p->n[e][l] = k[e];
      p->own[e][l] = x->own[e];
      p->arm[e][l] = is_disk ? k[2 + e] : 0;
    }
    p->n[2][l] = is_disk ? 0 : k[2];
    p->mu[l] = x->mu;
  }
}

int ns_sweep_pack(ns_sweep *s, ns_arena *a)
{
  int n = 0;
  s->wide = has_wide();
  for (int c = 0; c < s->ncolours - 1 && s->round; c++)
    for (int k = s->begin[c]; k + LANES <= s->begin[c + 1]; k += LANES)
      if (are_packed(&s->visit[k])) s->visit[k].pack = ++n;
  if (!(s->pack = ns_arena_get(a, (size_t)n + 1, sizeof *s->pack))) return 0;
  for (int k = 0; k < s->n && n; k++)
    if (s->visit[k].pack) fill(s, &s->visit[k], &s->pack[s->visit[k].pack - 1]);
  return 1;
}
