/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/global_newton.h"

#include "algebra/vector.h"
#include "problems/global_newton_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Newton steps; of these without half the residual; rounds with ADMM between them, and its steps in
 * the first of them. */
enum { STEPS = 60, STALL = 12, ROUNDS = 5, ADMM_STEPS = 60, CUTS = 6 };

/* A guess within so much of its bound slips. */
#define EDGE 1e-9
/* alpha over rho: of the first try with a singular Jacobian, and its growth. */
#define ALPHA 1e-8
#define GROWTH 100

/* ---- the object ------------------------------------------------------------------------------ */

int ns_global_newton_create(ns_ctx *c, const ns_global *p, const ns_mechanical_options *opt,
                            ns_global_newton **out)
{
  ns_mechanical_options o = opt ? *opt : ns_mechanical_defaults();
  ns_global_newton *s = NS_ARENA_OBJECT(ns_global_newton, mem);
  *out = NULL;
  if (!s) return ns_nomem(c, "global friction problem");
  *s = (ns_global_newton){
      .mem = s->mem, .p = p, .tol = o.tol, .limit = o.max_iterations, .n = p->M->m, .m = p->m};
  int rc = ns_global_newton_build(s, c);
  if (rc) ns_global_newton_destroy(s);
  else *out = s;
  return rc;
}

void ns_global_newton_destroy(ns_global_newton *s)
{
  if (!s) return;
  ns_sparse_lu_destroy(s->lu);
  ns_arena_destroy(s->mem);
}

size_t ns_global_newton_bytes(const ns_global_newton *s) { return ns_arena_used(s->mem); }
size_t ns_global_newton_entries(const ns_global_newton *s) { return (size_t)s->S.row[s->S.nb]; }
void ns_global_newton_renew(ns_global_newton *s) { s->fresh = 0; }

/* ---- the contacts ---------------------------------------------------------------------------- */

/* F of block a at (r, u), and where A is given A = dF/du and B = dF/dr [d x d]. */
static void map(const ns_global_newton *s, int a, const double *r, const double *u, double *F,
                double *A, double *B)
{
  const ns_global *p = s->p;
  int i = p->first[a];
  if (ns_global_is_friction(p, a)) {
    ns_contact_map(p->dim[a], &s->k[a], 0, r + i, u + i, F + i, A, B);
    return;
  }
  double y = r[i] - s->rho[i] * u[i], lb = p->lb[i], ub = p->ub[i];
  int inside = y > lb && y < ub;
  F[i] = inside ? s->rho[i] * u[i] : r[i] - (y <= lb ? lb : ub);
  if (!A) return;
  *A = inside ? s->rho[i] : 0;
  *B = inside ? 0 : 1;
}

static double rho_of(const ns_global_newton *s, int a)
{
  return ns_global_is_friction(s->p, a) ? fmin(s->k[a].rho_n, s->k[a].rho_t)
                                        : s->rho[s->p->first[a]];
}

static void project(const ns_global *p, int a, double *r)
{
  int i = p->first[a];
  if (ns_global_is_friction(p, a)) ns_contact_project(p->dim[a], p->mu[a], r + i);
  else r[i] = fmin(fmax(r[i], p->lb[i]), p->ub[i]);
}

static double merit(ns_global_newton *s, const double *r, const double *u)
{
  double sum = 0;
  for (int a = 0; a < s->p->nb; a++) {
    if (!s->is[a]) continue;
    map(s, a, r, u, s->G, NULL, NULL);
    for (int i = s->p->first[a]; i < s->p->first[a + 1]; i++) sum += s->G[i] * s->G[i];
  }
  return sum;
}

/* u = H^T v + b. */
static double over(double e, double scale) { return scale > sqrt(DBL_EPSILON) ? e / scale : e; }

/* | M v - H r - q | / max(|q|, |M v|, |H r|). */
static double dynamics(ns_global_newton *s, const double *v, const double *r)
{
  const ns_global *p = s->p;
  size_t n = (size_t)s->n;
  double *f = s->work, size = ns_norm(n, p->q);
  memset(f, 0, n * sizeof *f);
  for (int i = 0; i < p->m; i++)
    for (int e = p->row[i]; e < p->row[i + 1] && r[i] != 0; e++) f[p->col[e]] -= p->val[e] * r[i];
  size = fmax(size, ns_norm(n, f));
  ns_axpy(n, -1, p->q, f);
  ns_blocks_gemv(1, p->M, v, f);
  return over(ns_norm(n, f), size);
}

/* The residual of (v, r), u to velocities. */
static double judge(ns_global_newton *s, const double *v, const double *r, double *u)
{
  const ns_global *p = s->p;
  double e = 0, size[3] = {0};
  ns_global_velocities(p, v, u);
  for (int a = 0; a < p->nb; a++) {
    if (!s->is[a]) continue;
    for (int i = p->first[a]; i < p->first[a + 1]; i++) {
      size[0] += p->b[i] * p->b[i];
      size[1] += u[i] * u[i];
      size[2] += r[i] * r[i];
    }
    int i = p->first[a];
    double box = ns_global_is_friction(p, a) ? 0
                                             : r[i] - fmin(fmax(r[i] - u[i], p->lb[i]), p->ub[i]);
    e += ns_global_is_friction(p, a) ? ns_contact_defect(p->dim[a], p->mu[a], u + i, r + i)
                                     : box * box;
  }
  double scale = sqrt(fmax(size[0], fmax(size[1], size[2])));
  e = dynamics(s, v, r) + (scale > DBL_EPSILON ? sqrt(e) / scale : sqrt(e));
  return e <= DBL_MAX ? e : INFINITY;
}

/* The iterate into the laws, its residual; kept where it is the best. */
static double keep(ns_global_newton *s)
{
  double e = judge(s, s->v, s->r, s->u);
  if (e < s->min) {
    s->min = e;
    memcpy(s->best, s->r, (size_t)s->m * sizeof *s->r);
    memcpy(s->fastest, s->v, (size_t)s->n * sizeof *s->v);
  }
  return e;
}

/* ---- Newton ---------------------------------------------------------------------------------- */

/* Contact rows of S and the right-hand side at (r, u). */
static void linearise(ns_global_newton *s)
{
  const ns_global *p = s->p;
  double A[NS_GLOBAL_ROWS * NS_GLOBAL_ROWS], B[NS_GLOBAL_ROWS * NS_GLOBAL_ROWS];
  memcpy(s->rhs, p->q, (size_t)s->n * sizeof *s->rhs);
  for (int a = 0; a < p->nb; a++) {
    int first = p->first[a], d = p->dim[a];
    if (!s->is[a]) continue;
    map(s, a, s->r, s->u, s->F, A, B);
    for (int k = 0; k < d * d && s->alpha > 0; k++) B[k] += s->alpha * A[k] / rho_of(s, a);
    ns_global_newton_put(s, a, A, B);
    for (int i = 0; i < d; i++) {
      double f = -s->F[first + i];
      for (int j = 0; j < d; j++)
        f += A[i + j * d] * (s->u[first + j] - p->b[first + j]) + B[i + j * d] * s->r[first + j];
      s->rhs[s->n + first + i] = f;
    }
  }
}

/* The next iterate to v1, r1, u1; 0 where there is none. */
static int target(ns_global_newton *s)
{
  double sum = 0;
  for (;;) {
    linearise(s);
    int bad = ns_global_newton_factor(s);
    if (bad < 0 || s->alpha > 1) return 0;
    if (!bad) break;
    s->alpha = s->alpha > 0 ? GROWTH * s->alpha : ALPHA;
  }
  ns_global_newton_backsolve(s, s->v1, s->r1);
  ns_global_velocities(s->p, s->v1, s->u1);
  for (int i = 0; i < s->m; i++) sum += fabs(s->r1[i]) + fabs(s->u1[i]);
  return sum <= DBL_MAX;
}

static void towards(size_t n, double t, const double *x, const double *x1, double *to)
{
  for (size_t i = 0; i < n; i++) to[i] = t == 1 ? x1[i] : x[i] + t * (x1[i] - x[i]);
}

/* How far to go: at once where the merit falls, in cuts as long as it does not; all the way where
 * nothing helps. */
static double length(ns_global_newton *s, double *now)
{
  double t = 1, full = 0, next = 0;
  for (int cut = 0; cut < CUTS; cut++, t /= 2) {
    towards((size_t)s->m, t, s->r, s->r1, s->rt);
    towards((size_t)s->m, t, s->u, s->u1, s->ut);
    next = merit(s, s->rt, s->ut);
    if (cut == 0) full = next;
    if (next <= (1 - 0.2 * t) * *now) {
      *now = next;
      return t;
    }
  }
  *now = full;
  return 1;
}

/* From the point of linearisation (r, u), which no v belongs to yet. */
static ns_outcome_kind newton(ns_global_newton *s, int limit)
{
  double now = INFINITY, mark = INFINITY;
  for (int it = 0, marked = 0; it < limit; it++) {
    s->iterations++;
    if (!target(s)) return NS_SINGULAR;
    double t = length(s, &now);
    towards((size_t)s->m, t, s->r, s->r1, s->r);
    towards((size_t)s->n, t, s->v, s->v1, s->v);
    double e = keep(s);
    if (e <= s->tol) return NS_SOLVED;
    if (e < 0.5 * mark) {
      mark = e;
      marked = it;
    } else if (it - marked >= STALL) {
      return NS_STATIONARY;
    }
  }
  return NS_LIMIT;
}

/* A state for each contact from the guess: what has an impulse is closed, and slips where that
 * stands at its bound; what has none goes by its velocity without impulses. */
static void begin(ns_global_newton *s)
{
  const ns_global *p = s->p;
  for (int a = 0; a < p->nb; a++) {
    int first = p->first[a], d = p->dim[a];
    double *r = s->r + first, *u = s->u + first;
    if (!s->is[a]) memset(r, 0, (size_t)d * sizeof *r);
    memcpy(u, p->b + first, (size_t)d * sizeof *u);
    if (!s->is[a]) continue;
    project(p, a, s->r);
    if (!ns_global_is_friction(p, a)) {
      if (*r > p->lb[first] && *r < p->ub[first]) *u = 0;
      continue;
    }
    if (!(r[0] > 0)) continue;
    double slip = ns_contact_slip(d, r) >= (1 - EDGE) * p->mu[a] * r[0] ? EDGE : 0;
    u[0] = 0;
    for (int i = 1; i < d; i++) u[i] = -slip * r[i] / s->k[a].rho_t;
  }
}

/* ---- ADMM ------------------------------------------------------------------------------------ */

static void load_admm(ns_global_newton *s)
{
  for (int a = 0; a < s->p->nb; a++) {
    int d = s->p->dim[a];
    double A[NS_GLOBAL_ROWS * NS_GLOBAL_ROWS] = {0}, B[NS_GLOBAL_ROWS * NS_GLOBAL_ROWS] = {0};
    for (int i = 0; i < d; i++) {
      A[i + i * d] = 1;
      B[i + i * d] = 1 / rho_of(s, a);
    }
    if (s->is[a]) ns_global_newton_put(s, a, A, B);
  }
}

/* The velocity with the term of De Saxce, in its cone with the impulse that belongs to it. */
static void split(ns_global_newton *s, int a)
{
  const ns_global *p = s->p;
  int first = p->first[a], d = p->dim[a];
  double rho = rho_of(s, a), *r = s->r + first, *u = s->u + first, *z = s->z + first,
         w[NS_GLOBAL_ROWS], was[NS_GLOBAL_ROWS];
  memcpy(w, u, (size_t)d * sizeof *w);
  memcpy(was, r, (size_t)d * sizeof *w);
  if (ns_global_is_friction(p, a)) w[0] += p->mu[a] * ns_contact_slip(d, u);
  ns_axpy((size_t)d, -rho, w, r);
  project(p, a, s->r);
  for (int i = 0; i < d; i++) {
    z[i] = w[i] + (r[i] - was[i]) / rho;
    s->rhs[s->n + first + i] = z[i] - (w[i] - u[i]) - p->b[first + i] + r[i] / rho;
  }
}

/* From the best iterate; ends at a pair (r, u). 0 where the matrix is singular. */
static int admm(ns_global_newton *s, int steps)
{
  memcpy(s->r, s->best, (size_t)s->m * sizeof *s->r);
  memcpy(s->v, s->fastest, (size_t)s->n * sizeof *s->v);
  memcpy(s->rhs, s->p->q, (size_t)s->n * sizeof *s->rhs);
  load_admm(s);
  if (ns_global_newton_factor(s)) return 0;
  ns_global_velocities(s->p, s->v, s->u);
  for (int k = 0; k < steps; k++) {
    s->iterations++;
    for (int a = 0; a < s->p->nb; a++)
      if (s->is[a]) split(s, a);
    ns_global_newton_backsolve(s, s->v, s->r1);
    if (keep(s) <= s->tol) break;
  }
  return 1;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static ns_outcome_kind find_solution(ns_global_newton *s)
{
  ns_outcome_kind kind = NS_LIMIT;
  begin(s);
  for (int round = 0; round < ROUNDS; round++) {
    kind = newton(s, s->limit ? s->limit : STEPS);
    if (kind == NS_SOLVED || s->min == INFINITY || !admm(s, ADMM_STEPS << round)) break;
    if (s->min <= s->tol) kind = NS_SOLVED;
    if (kind == NS_SOLVED) break;
  }
  return kind;
}

/* Impulses that rounding left outside of their law. */
static void tidy(ns_global_newton *s, double *r)
{
  const ns_global *p = s->p;
  for (int a = 0; a < p->nb; a++) {
    int first = p->first[a], d = p->dim[a];
    if (!ns_global_is_friction(p, a) || !s->is[a])
      r[first] = s->is[a] ? fmin(fmax(r[first], p->lb[first]), p->ub[first]) : 0;
    if (ns_global_is_friction(p, a) && !(r[first] > 0))
      memset(r + first, 0, (size_t)d * sizeof(double));
  }
}

int ns_global_newton_solve(ns_global_newton *s, const unsigned char *active, double *r, double *u,
                           double *v, ns_outcome *out)
{
  size_t m = (size_t)s->m;
  for (int a = 0; a < s->p->nb; a++) s->is[a] = !active || active[a];
  memcpy(s->r, r, m * sizeof *r);
  s->alpha = 0;
  s->min = INFINITY;
  s->iterations = 0;
  *out = (ns_outcome){.kind = NS_NOT_FINITE, .residual = INFINITY, .solver = "global newton"};
  if ((s->fresh || ns_global_newton_refresh(s)) && ns_norm(m, s->p->b) <= DBL_MAX)
    out->kind = find_solution(s);
  if (s->min < INFINITY) {
    memcpy(r, s->best, m * sizeof *r);
    memcpy(v, s->fastest, (size_t)s->n * sizeof *v);
    tidy(s, r);
    out->residual = judge(s, v, r, u);
  }
  out->iterations = s->iterations;
  return NS_OK;
}
