/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/vector.h"
#include "simulation/rows/couplings.h"

#include "algebra/dense.h"
#include "model/foreign.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- evaluation of relations ----------------------------------------------------------------- */

/* Coordinates of a system: positions of mechanics, of which the model has the velocities alone. */
static const double *own_of(const ns_system *s, const ns_relation_point *p)
{
  const ns_system *of = ns_system_image_of(s);
  if (!of) return p->x + s->q;
  return p->others.q ? p->others.q + of->q : of->q0;
}

/* The point of one interaction. Of one system x and z are read where they are. */
static ns_point point_of(const ns_couplings *k, const ns_coupling *a, const ns_relation_point *p)
{
  const ns_interaction *it = a->it;
  const ns_system *first = &k->m->systems[it->systems[0]];
  ns_point o = {.t = p->t,
                .n = it->nQ,
                .nz = it->nZ,
                .index = it->index,
                .m = it->m,
                .lambda = p->lambda + it->row,
                .model_q = p->others.q,
                .model_v = p->others.v,
                .model_z = p->others.z,
                .model_angle = p->others.angle};
  if (it->nsystems == 1) {
    o.q = own_of(first, p);
    o.z = p->z + first->z;
    return o;
  }
  if (!a->images) ns_gather((size_t)it->nQ, p->x, a->dof, a->X);
  for (int j = 0, at = 0; j < it->nsystems && a->images; j++) {
    const ns_system *s = &k->m->systems[it->systems[j]];
    const double *of = own_of(s, p);
    for (int i = 0; i < s->n; i++) a->X[at++] = of[i];
  }
  for (int j = 0, e = 0; j < it->nsystems; j++) {
    const ns_system *s = &k->m->systems[it->systems[j]];
    for (int b = 0; b < s->nz; b++) a->Z[e++] = p->z[s->z + (size_t)b];
  }
  o.q = a->X;
  o.z = a->Z;
  return o;
}

ns_point ns_couplings_point(const ns_couplings *k, int i, const ns_relation_point *p)
{
  return point_of(k, &k->of[i], p);
}

/* How variable j of those that are read by name follows that state: variables between bodies are
 * linear in velocities. */
static double follows(const ns_couplings *k, const ns_foreign *f, const ns_coupling_read *r,
                      const ns_point *at)
{
  const ns_foreign_variable *x = &f->of[r->variable];
  if (x->of == NS_OF_SYSTEM) return 1;
  k->one[r->rate] = 1;
  double by = ns_foreign_between(f->m, x, at->model_q, k->one, at->model_angle, NULL, NULL);
  k->one[r->rate] = 0;
  return by;
}

/* Columns of C of what is read by name, to J [m x nreads]. */
static void derive_reads(const ns_couplings *k, const ns_coupling *a, const ns_point *at, double *J)
{
  int m = a->it->m;
  const ns_foreign *f = ns_operator_foreign(a->reader);
  double *by = k->work, *work = by + m * f->n;
  ns_operator_eval_foreign(a->reader, at, work, by);
  for (int j = 0; j < a->nreads; j++) {
    double slope = follows(k, f, &a->read[j], at);
    for (int r = 0; r < m; r++) J[r + j * m] = by[r + a->read[j].variable * m] * slope;
  }
}

/* Positions move a linear relation as time does. */
static int add_positions(const ns_couplings *k, ns_ctx *c, const ns_coupling *a, const ns_point *at,
                         double *out)
{
  double *C = k->scratch;
  int m = a->it->m;
  if (!a->images) return NS_OK;
  int rc = ns_relation_tangents(a->it, c, at, k->work, C, NULL, NULL, NULL);
  for (int j = 0; j < a->it->nQ; j++)
    for (int r = 0; r < m && a->state[j] < 0; r++) out[r] += C[r + j * m] * at->q[j];
  return rc;
}

/* The offset of a linear relation has no part of states that are read by name: C has it. */
static void take_reads(const ns_couplings *k, const ns_coupling *a, const ns_relation_point *p,
                       const ns_point *at, double *out)
{
  int m = a->it->m;
  double *J = k->scratch;
  derive_reads(k, a, at, J);
  for (int j = 0; j < a->nreads; j++)
    for (int r = 0; r < m; r++) out[r] -= J[r + j * m] * p->x[a->read[j].dof];
}

static int offset_of(ns_couplings *k, ns_ctx *c, const ns_coupling *a, const ns_relation_point *p)
{
  const ns_interaction *it = a->it;
  double *out = k->offset + it->row;
  ns_point o = point_of(k, a, p);
  int rc = ns_operator_eval(&it->fo.e, c, &o, k->work, out);
  if (!rc) rc = add_positions(k, c, a, &o, out);
  if (!rc && a->nreads) take_reads(k, a, p, &o, out);
  if (rc || it->fo.F.how == NS_OP_ABSENT) return rc;
  rc = ns_operator_eval(&it->fo.F, c, &o, k->work, k->scratch);
  for (int j = 0; j < it->nZ; j++)
    for (int r = 0; r < it->m; r++) out[r] += k->scratch[r + j * it->m] * o.z[j];
  return rc;
}

int ns_couplings_offsets(ns_couplings *k, ns_ctx *c, const ns_relation_point *p, int first)
{
  int rc = NS_OK;
  for (int i = 0; i < k->m->ninteractions && !rc; i++) {
    const ns_coupling *a = &k->of[i];
    if (a->linear && (first || a->offset_varies)) {
      if (a->it->fo.e.how == NS_OP_ABSENT)
        memset(k->offset + a->it->row, 0, (size_t)a->it->m * sizeof(double));
      rc = offset_of(k, c, a, p);
    }
  }
  return rc;
}

/* Without multipliers, and for that without input. */
static int rests_now(const ns_coupling *a, const ns_relation_point *p)
{
  if (!a->rests_at_zero) return 0;
  const double *lambda = p->lambda + a->it->row;
  int r = 0;
  while (r < a->it->m && lambda[r] == 0) r++;
  return r == a->it->m;
}

int ns_couplings_values(ns_couplings *k, ns_ctx *c, const ns_relation_point *p)
{
  int rc = NS_OK;
  for (int i = 0; i < k->m->ninteractions && !rc; i++) {
    const ns_coupling *a = &k->of[i];
    if (a->linear) continue;
    ns_point o = point_of(k, a, p);
    int rests = rests_now(a, p);
    if (rests) memset(a->g, 0, (size_t)a->it->nQ * sizeof *a->g);
    rc = ns_relation_eval(a->it, c, &o, k->work, a->h, rests ? NULL : a->g);
  }
  return rc;
}

/* ---- tangents -------------------------------------------------------------------------------- */

/* The new values of one tangent; 1 where they are others than before. */
static int take(const double *fresh, double *kept, int n)
{
  size_t bytes = (size_t)n * sizeof *kept;
  if (!fresh || memcmp(fresh, kept, bytes) == 0) return 0;
  memcpy(kept, fresh, bytes);
  return 1;
}

static void to_rows(ns_rows *R, const int *at, size_t row, int m, const double *M)
{
  for (int e = R->ptr[row]; e < R->ptr[row + (size_t)m]; e++) R->val[e] = M[at[e]];
}

static int tangents_of(ns_couplings *k, ns_ctx *c, ns_coupling *a, const ns_relation_point *p,
                       int *changed)
{
  const ns_interaction *it = a->it;
  int m = it->m, n = it->nQ;
  unsigned v = a->varying;
  int wide = m * (n + a->nreads); /* entries of C */
  double *C = v & NS_RELATION_C ? k->scratch : NULL,
         *D = v & NS_RELATION_D ? k->scratch + wide : NULL,
         *B = v & NS_RELATION_B ? k->scratch + wide + m * m : NULL,
         *K = v & NS_RELATION_K ? k->scratch + wide + m * n + m * m : NULL;
  ns_point o = point_of(k, a, p);
  int rests = rests_now(a, p);
  if (rests && K) memset(K, 0, (size_t)(n * n) * sizeof *K);
  a->B_is_old = rests && B && k->at_x;
  if (a->B_is_old) B = NULL;
  int rc = ns_relation_tangents(it, c, &o, k->work, C, D, B, rests ? NULL : K);
  if (rc) return rc;
  if (a->nreads) derive_reads(k, a, &o, C + m * n);
  if (take(C, a->C, wide)) to_rows(&k->C, k->C_at, it->row, m, a->C), *changed = 1;
  if (take(D, a->D, m * m)) to_rows(&k->D, k->D_at, it->row, m, a->D), *changed = 1;
  if (take(B, a->B, n * m)) to_rows(&k->B, k->B_at, it->row, m, a->B), *changed = 1;
  take(K, a->K, n * n); /* W shows it */
  return NS_OK;
}

/* B of a relation that has waited for it. */
static int evaluate_B(ns_couplings *k, ns_ctx *c, ns_coupling *a)
{
  if (!a->B_is_old) return NS_OK;
  ns_point o = point_of(k, a, &k->at);
  int rc = ns_relation_tangents(a->it, c, &o, k->work, NULL, NULL, a->B, NULL);
  to_rows(&k->B, k->B_at, a->it->row, a->it->m, a->B);
  a->B_is_old = 0;
  return rc;
}

int ns_couplings_defer(ns_couplings *k)
{
  k->at_x = ns_arena_zero(k->mem, k->m->nq, sizeof *k->at_x);
  return k->at_x ? NS_OK : NS_NOMEM;
}

int ns_couplings_tangents(ns_couplings *k, ns_ctx *c, const ns_relation_point *p, int first,
                          int *changed)
{
  int rc = NS_OK;
  if (k->at_x) {
    k->at = *p;
    k->at.x = memcpy(k->at_x, p->x, k->m->nq * sizeof *k->at_x);
  }
  for (int i = 0; i < k->m->ninteractions && !rc && !k->constant; i++) {
    ns_coupling *a = &k->of[i];
    if (a->varying && (first || !a->linear)) rc = tangents_of(k, c, a, p, changed);
  }
  return rc;
}

int ns_couplings_need(ns_couplings *k, ns_ctx *c, int n, const int *rows)
{
  int rc = NS_OK;
  for (int i = 0; i < n && !rc && k->at_x; i++)
    rc = evaluate_B(k, c, &k->of[k->interaction[rows[i]]]);
  return rc;
}

/* ---- products -------------------------------------------------------------------------------- */

void ns_couplings_surplus(const ns_couplings *k, const double *lambda, double *r)
{
  for (int i = 0; i < k->m->ninteractions; i++) {
    const ns_coupling *a = &k->of[i];
    if (a->linear || a->B_is_old) continue;
    for (int j = 0; j < a->it->nQ; j++) r[a->dof[j]] += a->g[j];
    for (int e = 0, row = (int)a->it->row; e < a->it->m; e++)
      ns_rows_add(&k->B, row + e, -lambda[row + e], r);
  }
}

static void q_of(const ns_couplings *k, const ns_coupling *a, const double *move,
                 const double *lambda, double *q)
{
  for (int r = 0, row = (int)a->it->row; r < a->it->m; r++, row++)
    q[row] = a->h[r] + ns_rows_dot(&k->C, row, move) - ns_rows_dot(&k->D, row, lambda);
}

void ns_couplings_q(const ns_couplings *k, const double *xq, const double *move,
                    const double *lambda, double *q)
{
  const ns_rows C = k->C;
  for (int r = 0; r < k->nrows; r++) q[r] = k->offset[r] + ns_rows_dot(&C, r, xq);
  for (int i = 0; i < k->m->ninteractions && !k->linear; i++)
    if (!k->of[i].linear) q_of(k, &k->of[i], move, lambda, q);
}

static void input_of(const ns_coupling *a, const double *lambda, const double *was,
                     const double *move, double *r)
{
  const ns_interaction *it = a->it;
  int m = it->m, n = it->nQ;
  if (a->B_is_old) { /* still without multipliers */
    memset(a->R, 0, (size_t)n * sizeof *a->R);
    return;
  }
  memcpy(a->R, a->g, (size_t)n * sizeof *a->R);
  for (int j = 0; j < m && a->B; j++) {
    double d = lambda[it->row + (size_t)j] - was[it->row + (size_t)j];
    ns_axpy((size_t)n, d, a->B + j * n, a->R);
  }
  for (int j = 0; j < n && a->K; j++)
    for (int i = 0; i < n; i++) a->R[i] += a->K[i + j * n] * move[a->dof[j]];
  for (int i = 0; i < n; i++) r[a->dof[i]] += a->R[i];
}

void ns_couplings_keep_input(ns_couplings *k)
{
  for (int i = 0; i < k->m->ninteractions; i++)
    if (!k->of[i].linear)
      memcpy(k->of[i].R_from, k->of[i].R, (size_t)k->of[i].it->nQ * sizeof *k->of[i].R);
}

void ns_couplings_halve_input(ns_couplings *k, const double *lambda, double *r)
{
  memset(r, 0, k->m->nv * sizeof *r);
  for (int i = 0; i < k->m->ninteractions; i++) {
    const ns_coupling *a = &k->of[i];
    int row = (int)a->it->row;
    for (int j = 0; j < a->it->nQ && !a->linear; j++)
      r[a->dof[j]] += a->R[j] = (a->R[j] + a->R_from[j]) / 2;
    for (int j = row; j < row + a->it->m && a->linear; j++) ns_rows_add(&k->B, j, lambda[j], r);
  }
}

void ns_couplings_input(ns_couplings *k, const double *lambda, const double *was,
                        const double *move, double *r)
{
  memset(r, 0, k->m->nv * sizeof *r);
  if (k->linear) {
    for (int i = 0; i < k->nrows; i++)
      if (lambda[i] != 0) ns_rows_add(&k->B, i, lambda[i], r);
    return;
  }
  for (int i = 0; i < k->m->ninteractions; i++) {
    const ns_coupling *a = &k->of[i];
    int row = (int)a->it->row;
    if (!a->linear) input_of(a, lambda, was, move, r);
    for (int j = row; j < row + a->it->m && a->linear; j++) ns_rows_add(&k->B, j, lambda[j], r);
  }
}

void ns_couplings_output(const ns_couplings *k, const double *x, const double *lambda, double *y)
{
  const ns_rows C = k->C, D = k->D; /* y might be part of them, for all the compiler knows */
  for (int r = 0; r < k->nrows; r++)
    y[r] = k->offset[r] + ns_rows_dot(&C, r, x) + ns_rows_dot(&D, r, lambda);
  for (int i = 0; i < k->m->ninteractions && !k->linear; i++) {
    const ns_coupling *a = &k->of[i];
    if (!a->linear) memcpy(y + a->it->row, a->h, (size_t)a->it->m * sizeof *y);
  }
}

/* ---- residuals of nonlinear relations -------------------------------------------------------- */

/* |a - b| by its tolerance; `noise` is the size of the terms that a and b are sums of. */
static double scaled(const ns_time_stepping_options *o, double square, double norm, double noise)
{
  return sqrt(square) /
         (o->newton_atol + o->newton_rtol * (1 + sqrt(norm)) + 16 * DBL_EPSILON * noise);
}

static double output_residual(const ns_couplings *k, const ns_coupling *a,
                              const ns_relation_point *p, const double *w)
{
  double square = 0, norm = 0, noise = 0;
  for (int r = 0, row = (int)a->it->row; r < a->it->m; r++, row++) {
    double d = w[row] - a->h[r];
    square += d * d;
    norm += w[row] * w[row];
    noise += fabs(a->h[r]) + ns_rows_size(&k->C, row, p->x) + ns_rows_size(&k->D, row, p->lambda);
  }
  return scaled(&k->m->sim.ts, square, norm, noise);
}

static double input_residual(const ns_couplings *k, const ns_coupling *a,
                             const ns_relation_point *p)
{
  double square = 0, norm = 0, noise = 0;
  if (a->B_is_old) return 0;
  for (int i = 0; i < a->it->nQ; i++) {
    double d = a->R[i] - a->g[i];
    square += d * d;
    norm += a->R[i] * a->R[i];
    noise += fabs(a->g[i]);
  }
  for (int r = 0, row = (int)a->it->row; r < a->it->m; r++, row++)
    for (int e = k->B.ptr[row]; e < k->B.ptr[row + 1]; e++)
      noise += fabs(k->B.val[e] * p->lambda[row]);
  return scaled(&k->m->sim.ts, square, norm, noise);
}

/* fmax that keeps a NaN. */
static double worse(double a, double b) { return b > a || isnan(b) ? b : a; }

double ns_couplings_residual(const ns_couplings *k, const ns_relation_point *p, const double *w)
{
  double max = 0;
  for (int i = 0; i < k->m->ninteractions; i++) {
    const ns_coupling *a = &k->of[i];
    if (a->linear) continue;
    max = worse(max, output_residual(k, a, p, w));
    max = worse(max, input_residual(k, a, p));
  }
  return max;
}

void ns_couplings_suspects(const ns_couplings *k, const ns_relation_point *p, const double *w,
                           ns_suspect *suspect)
{
  for (int i = 0; i < k->m->ninteractions; i++) {
    const ns_coupling *a = &k->of[i];
    if (!a->linear)
      ns_suspect_row(suspect, a->it, -1,
                     worse(output_residual(k, a, p, w), input_residual(k, a, p)));
  }
}
