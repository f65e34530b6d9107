/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control_relay.c -- controllers with relays: sliding mode and twisting, explicit or implicit.
 *
 * A plant x' = A x + b + B u (control_plant.h) and a surface sigma = S x + e(t). The command is
 *
 *   u = u_eq + G lambda,  lambda in [lb, ub],  lambda_i = lb_i where sigma_i > 0, ub_i where
 *                         sigma_i < 0
 *   u_eq = -(S B)^-1 (S (A x + b) + (e(t+T) - e(t))/T),  or 0
 *
 * Explicit: sigma is that of the sample; on the surface the command chatters with an amplitude O(T)
 * in sigma. Implicit (Acary & Brogliato 2010, Syst. Control Lett. 59:284-293; Huber, Acary,
 * Brogliato & Plestan 2016): sigma is that of the end of the period as the plant predicts it, and
 * lambda any value of the multivalued sign where that is zero,
 *
 *   sigma+ = S (Phi x + Psi (b + B u)) + e(t+T) = M lambda + q,  -sigma+ in N_[lb,ub](lambda),  M =
 *       S Psi B G
 *
 * a small affine variational inequality on a box (problems/avi.h). Nothing is kept between samples.
 *
 * Twisting has a sigma of relative degree 2. With the exact Phi and Psi a command that keeps the
 * sampled sigma at zero alternates for ever, u_i+1 = -u_i: the zero of a sampled double integrator
 * is -1. With those of a backward Euler step, Phi = (I - T A)^-1 and Psi = T Phi, position and
 * velocity shrink by sqrt(1/2) a period once sigma+ = 0, down to rounding. */
#include "algebra/vector.h"
#include "model/controls/control_kinds.h"
#include "model/controls/control_plant.h"
#include "model/controls/control_signs.h"

#include "algebra/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct relay {
  ns_plant plant;
  const ns_control *k;
  int p, l; /* commands, relays */
  int is_explicit, equivalent;
  const double *S;      /* [l x n]; own where the language has a default */
  const ns_operator *e; /* [l] of t, Z; may be ABSENT */
  double *B, *G;        /* [n x p], [p x l] */
  double *SB;           /* factors [l x p], l = p */
  int *piv;
  ns_signs s;                        /* lambda, its bounds, M and q */
  double *e0, *e1;                   /* [l] */
  double *Z, *ueq, *b, *next, *work; /* [nZ], [p], [n], [n] */
} relay;

/* ---- sizes ----------------------------------------------------------------------------------- */

static int prepare_input(const ns_model *m, const ns_control *k, ns_ctx *c, int n)
{
  const ns_operator *B = ns_control_value(k, "B");
  int nz = ns_control_value(k, "A")->how ? k->nZ : m->systems[k->systems[0]].nz;
  char name[64];
  if (B->how && (B->rows != n || B->cols != k->nwrites))
    return ns_control_fail(
        k, c, "<B> is %d x %d, expected %d x %d: size of the plant by entries that it writes",
        B->rows, B->cols, n, k->nwrites);
  for (int j = 0; !B->how && j < k->nwrites; j++)
    if (k->writes[j] >= nz)
      return ns_control_fail(
          k, c, "writes %s, which is not an entry of the plant %s, expected its command; give <B>",
          ns_control_entry(m, k, k->writes[j], name, sizeof name), m->systems[k->systems[0]].at.id);
  return NS_OK;
}

static int prepare_surface(const ns_control *k, ns_ctx *c, int n, int l)
{
  const ns_operator *S = ns_control_value(k, "S"), *e = ns_control_value(k, "e");
  if (S->how && (S->rows != l || S->cols != n))
    return ns_control_fail(k, c, "<S> is %d x %d, expected %d x %d", S->rows, S->cols, l, n);
  if (e->how && e->rows != l)
    return ns_control_fail(k, c, "<e> has %d entries, expected %d, the rows of <S>", e->rows, l);
  return NS_OK;
}

static int prepare_smc(const ns_model *m, ns_control *k, ns_ctx *c)
{
  int n, rc = ns_plant_prepare(m, k, c, &n), l = k->nwrites;
  double alpha = ns_control_number(k, "alpha", NAN);
  double lower = ns_control_number(k, "lower", -alpha),
         upper = ns_control_number(k, "upper", alpha);
  if (!rc) rc = prepare_surface(k, c, n, l);
  if (!rc) rc = prepare_input(m, k, c, n);
  if (rc) return rc;
  if (isnan(lower) || isnan(upper))
    return ns_control_fail(k, c, "<%s> has no gain, expected alpha, or lower and upper",
                           k->kind->name);
  if (!(lower < upper))
    return ns_control_fail(k, c, "<%s> has lower = %g, expected less than upper = %g",
                           k->kind->name, lower, upper);
  return NS_OK;
}

static int prepare_ot2(const ns_model *m, ns_control *k, ns_ctx *c)
{
  int n, rc = prepare_smc(m, k, c);
  if (!rc) rc = ns_plant_prepare(m, k, c, &n);
  if (!rc) k->nmemory = n;
  return rc;
}

static int prepare_twisting(const ns_model *m, ns_control *k, ns_ctx *c)
{
  int n, rc = ns_plant_prepare(m, k, c, &n);
  if (!rc && k->nwrites != 1)
    return ns_control_fail(
        k, c,
        "writes %d entries, expected one: the command of <Twisting>; name it in writes=\"...\"",
        k->nwrites);
  if (!rc && !ns_control_value(k, "S")->how && n != 2)
    return ns_control_fail(k, c,
                           "<Twisting> has no <S> and a plant of size %d, expected size 2, or <S> "
                           "with the rows of sigma and sigma'",
                           n);
  if (!rc) rc = prepare_surface(k, c, n, 2);
  if (!rc) rc = prepare_input(m, k, c, n);
  double c1 = ns_control_number(k, "c1", 0), c2 = ns_control_number(k, "c2", 0);
  if (!rc && !(c1 > c2))
    return ns_control_fail(
        k, c, "<Twisting> has c1 = %g, expected more than c2 = %g: it does not converge otherwise",
        c1, c2);
  return rc;
}

/* ---- set-up ---------------------------------------------------------------------------------- */

static void destroy(void *self)
{
  relay *o = self;
  ns_signs_fini(&o->s);
  ns_plant_fini(&o->plant);
}

static int get_memory(relay *o, ns_ctx *c)
{
  size_t n = (size_t)o->plant.n, p = (size_t)o->p, l = (size_t)o->l, d = sizeof(double);
  const ns_array want[] = {{&o->B, n * p, d},
                           {&o->G, p * l, d},
                           {&o->SB, l * p, d},
                           {&o->e0, l, d},
                           {&o->e1, l, d},
                           {&o->ueq, p, d},
                           {&o->b, n, d},
                           {&o->next, n, d},
                           {&o->Z, (size_t)o->k->nZ, d},
                           {&o->piv, p, sizeof(int)}};
  if (ns_arena_arrays(o->plant.mem, want, sizeof want / sizeof *want))
    return ns_nomem(c, "a control with relays");
  return ns_signs_init(&o->s, c, o->plant.mem, o->l);
}

/* b with the command a in entry j and zeros in the others, to out. */
static int probe(relay *o, ns_ctx *c, const ns_sample *s, int j, double a, double *out)
{
  for (int i = 0; i < o->p; i++) o->Z[o->k->writes[i]] = i == j ? a : 0;
  int rc = ns_plant_source(&o->plant, c, s->t, s, o->Z);
  memcpy(out, o->plant.b, (size_t)o->plant.n * sizeof *out);
  return rc;
}

/* Columns of B: differences of b by the commands, in which it must be linear. */
static int find_input(relay *o, ns_ctx *c, const ns_model *m, const ns_sample *s)
{
  int n = o->plant.n, rc = NS_OK;
  double *once = o->b, *twice = o->next;
  char name[64];
  for (int j = 0; j < o->p && !rc; j++) {
    double *B = o->B + j * n, big = 0, off = 0, scale = 0;
    rc = probe(o, c, s, -1, 0, B);
    if (!rc) rc = probe(o, c, s, j, 1, once);
    if (!rc) rc = probe(o, c, s, j, 2, twice);
    for (int i = 0; i < n; i++) {
      scale = fmax(scale, fabs(twice[i]) + fabs(B[i]));
      off = fmax(off, fabs(twice[i] - 2 * once[i] + B[i]));
      B[i] = once[i] - B[i];
      big = fmax(big, fabs(B[i]));
    }
    ns_control_entry(m, o->k, o->k->writes[j], name, sizeof name);
    if (!rc && !(off <= 1e-12 * scale))
      rc = ns_control_fail(
          o->k, c,
          "the source b of its plant is not linear in %s, expected b + B %s; give <A>, <b> and <B>",
          name, name);
    else if (!rc && big == 0)
      rc = ns_control_fail(o->k, c,
                           "the source b of its plant does not depend on %s, expected a command; "
                           "give <B>, or another entry in writes",
                           name);
  }
  return rc;
}

/* M = S Psi B G and the factors of S B. */
static int make_matrices(relay *o, ns_ctx *c)
{
  int n = o->plant.n, p = o->p, l = o->l;
  for (int j = 0; j < l; j++) {
    memset(o->b, 0, (size_t)n * sizeof *o->b);
    memset(o->next, 0, (size_t)n * sizeof *o->next);
    ns_gemv(n, p, 1, o->B, o->G + j * p, o->b);
    ns_gemv(n, n, 1, o->plant.Psi, o->b, o->next);
    ns_gemv(l, n, 1, o->S, o->next, o->s.M + j * l);
  }
  if (!o->equivalent) return NS_OK;
  for (int j = 0; j < p; j++) ns_gemv(l, n, 1, o->S, o->B + j * n, o->SB + j * l);
  int rc = ns_dense_prepare(c, p);
  if (!rc && ns_dense_lu(p, o->SB, p, o->piv))
    rc = ns_control_fail(o->k, c,
                         "S B is singular, expected an invertible matrix: the commands do not "
                         "reach sigma'; choose another <S>, or equivalent=\"no\"");
  return rc;
}

/* Phi, Psi of the backward Euler step: x+ = x + T (A x+ + b). */
static int predict_by_euler(ns_plant *o, ns_ctx *c, const ns_control *k)
{
  size_t n = (size_t)o->n;
  double *W = ns_arena_get(o->mem, n * n, sizeof *W);
  int *piv = ns_arena_get(o->mem, n, sizeof *piv);
  if (!W || !piv) return ns_nomem(c, "a control with relays");
  for (size_t i = 0; i < n * n; i++) W[i] = (i % (n + 1) == 0) - k->period * o->A[i];
  if (ns_dense_lu(o->n, W, o->n, piv))
    return ns_control_fail(
        k, c, "I - T A is singular for the period T = %g s, expected a shorter period", k->period);
  for (size_t i = 0; i < n * n; i++) o->Phi[i] = i % (n + 1) == 0;
  ns_dense_lu_solve(o->n, W, o->n, piv, o->n, o->Phi, o->n);
  for (size_t i = 0; i < n * n; i++) o->Psi[i] = k->period * o->Phi[i];
  return NS_OK;
}

/* G, lb, ub and S are the kind's; then what both have in common. */
static int finish(relay *o, ns_ctx *c, const ns_model *m)
{
  const ns_operator *B = ns_control_value(o->k, "B");
  ns_sample s = {.t = m->sim.t0, .p = {.n = o->k->nQ, .nz = o->k->nZ, .index = o->k->index}};
  int rc = NS_OK, z = 0;
  for (int i = 0; i < o->k->nsystems; i++) {
    const ns_system *y = &m->systems[o->k->systems[i]];
    if (y->nz) memcpy(o->Z + z, y->z0, (size_t)y->nz * sizeof *o->Z);
    z += y->nz;
  }
  if (B->how)
    for (int j = 0; j < o->p; j++)
      for (int i = 0; i < o->plant.n; i++) o->B[i + j * o->plant.n] = ns_operator_entry(B, i, j);
  else rc = find_input(o, c, m, &s);
  if (!rc) rc = make_matrices(o, c);
  return rc || o->is_explicit ? rc : ns_signs_solver(&o->s, c, o->k);
}

static int begin(relay *o, ns_ctx *c, const ns_model *m, const ns_control *k, int relays,
                 double *work)
{
  *o = (relay){.k = k,
               .p = k->nwrites,
               .l = relays,
               .work = work,
               .S = ns_control_value(k, "S")->value,
               .e = ns_control_value(k, "e"),
               .is_explicit = ns_control_number(k, "method", 0) > 0};
  int rc = ns_plant_init(&o->plant, c, m, k);
  return rc ? rc : get_memory(o, c);
}

/* Each command is the multiplier of its own sign, within the bounds. */
static void command_by_bounds(relay *o)
{
  double alpha = ns_control_number(o->k, "alpha", NAN);
  for (int i = 0; i < o->l; i++) {
    o->G[i + i * o->p] = 1;
    o->s.lb[i] = ns_control_number(o->k, "lower", -alpha);
    o->s.ub[i] = ns_control_number(o->k, "upper", alpha);
  }
}

static int create_smc(void *self, ns_ctx *c, const ns_model *m, const ns_control *k, double *work)
{
  relay *o = self;
  int rc = begin(o, c, m, k, k->nwrites, work);
  if (rc) return rc;
  o->equivalent = ns_control_number(k, "equivalent", 0) == 0;
  command_by_bounds(o);
  return finish(o, c, m);
}

static int create_ot2(void *self, ns_ctx *c, const ns_model *m, const ns_control *k, double *work)
{
  relay *o = self;
  int rc = begin(o, c, m, k, k->nwrites, work);
  if (rc) return rc;
  command_by_bounds(o);
  rc = finish(o, c, m);
  if (!rc) rc = ns_dense_prepare(c, o->p);
  memcpy(o->SB, o->s.M, (size_t)(o->l * o->l) * sizeof *o->SB);
  if (!rc && ns_dense_lu(o->p, o->SB, o->p, o->piv))
    rc = ns_control_fail(k, c,
                         "S Psi B is singular, expected an invertible matrix: the commands do not "
                         "reach sigma; choose another <S>");
  return rc;
}

static int create_twisting(void *self, ns_ctx *c, const ns_model *m, const ns_control *k,
                           double *work)
{
  static const double identity[4] = {1, 0, 0, 1};
  relay *o = self;
  int rc = begin(o, c, m, k, 2, work);
  if (rc) return rc;
  if (!o->S) o->S = identity;
  o->G[0] = ns_control_number(k, "c1", 0);
  o->G[1] = ns_control_number(k, "c2", 0);
  for (int i = 0; i < 2; i++) o->s.lb[i] = -1, o->s.ub[i] = 1;
  rc = predict_by_euler(&o->plant, c, k);
  return rc ? rc : finish(o, c, m);
}

/* ---- at a sample ----------------------------------------------------------------------------- */

static int offsets(relay *o, ns_ctx *c, const ns_sample *s)
{
  ns_point p = s->p;
  if (!o->e->how) return NS_OK;
  int rc = ns_operator_eval(o->e, c, &p, o->work, o->e0);
  p.t = s->t + s->period;
  return rc ? rc : ns_operator_eval(o->e, c, &p, o->work, o->e1);
}

static void equivalent(relay *o, const ns_sample *s, const double *x)
{
  int n = o->plant.n;
  double *rate = o->next;
  memcpy(rate, o->b, (size_t)n * sizeof *rate);
  ns_gemv(n, n, 1, o->plant.A, x, rate);
  for (int i = 0; i < o->l; i++) o->ueq[i] = (o->e0[i] - o->e1[i]) / s->period;
  ns_gemv(o->l, n, -1, o->S, rate, o->ueq);
  ns_dense_lu_solve(o->p, o->SB, o->p, o->piv, 1, o->ueq, o->p);
}

/* sigma now, or at the end of the period without lambda; to q. */
static void predict(relay *o, const double *x)
{
  int n = o->plant.n;
  memcpy(o->s.q, o->is_explicit ? o->e0 : o->e1, (size_t)o->l * sizeof *o->s.q);
  if (o->is_explicit) {
    ns_gemv(o->l, n, 1, o->S, x, o->s.q);
    return;
  }
  ns_gemv(n, o->p, 1, o->B, o->ueq, o->b);
  memset(o->next, 0, (size_t)n * sizeof *o->next);
  ns_gemv(n, n, 1, o->plant.Phi, x, o->next);
  ns_gemv(n, n, 1, o->plant.Psi, o->b, o->next);
  ns_gemv(o->l, n, 1, o->S, o->next, o->s.q);
}

/* The state x of the plant, and what follows from it before a command. */
static int observe(relay *o, ns_ctx *c, const ns_sample *s, const double **x)
{
  int rc = ns_plant_state(&o->plant, c, s, x);
  memcpy(o->Z, s->p.z, (size_t)o->k->nZ * sizeof *o->Z);
  if (!rc) rc = probe(o, c, s, -1, 0, o->b);
  return rc ? rc : offsets(o, c, s);
}

static int sample(void *self, ns_ctx *c, const ns_sample *s, double *u)
{
  relay *o = self;
  const double *x;
  int rc = observe(o, c, s, &x);
  if (rc) return rc;
  if (o->equivalent) equivalent(o, s, x);
  predict(o, x);
  if (!o->is_explicit)
    rc = ns_signs_solve(
        &o->s, c, o->k, s->t,
        "S Psi B must be such that the command can reduce sigma; check <S> and the plant");
  for (int i = 0; o->is_explicit && i < o->l; i++)
    o->s.lambda[i] = o->s.q[i] > 0   ? o->s.lb[i]
                     : o->s.q[i] < 0 ? o->s.ub[i]
                                     : fmin(fmax(0, o->s.lb[i]), o->s.ub[i]);
  memcpy(u, o->ueq, (size_t)o->p * sizeof *u);
  ns_gemv(o->p, o->l, 1, o->G, o->s.lambda, u);
  return rc;
}

/* Su, Drakunov & Ozguner 2000, eq. (8)-(12): the command that brings sigma to zero at the end of
 * the period if what the plant does not say, d, is what it was over the last one; within bounds.
 * Memory: the state that was predicted for now. */
static int sample_ot2(void *self, ns_ctx *c, const ns_sample *s, double *u)
{
  relay *o = self;
  int n = o->plant.n;
  const double *x;
  int rc = observe(o, c, s, &x);
  if (rc) return rc;
  memset(o->ueq, 0, (size_t)o->p * sizeof *o->ueq);
  predict(o, x); /* o->next: the state without a command */
  for (int i = 0; i < n && s->i > 0; i++) o->b[i] = x[i] - s->memory[i];
  if (s->i > 0) ns_gemv(o->l, n, 1, o->S, o->b, o->s.q);
  for (int i = 0; i < o->l; i++) u[i] = -o->s.q[i];
  ns_dense_lu_solve(o->p, o->SB, o->p, o->piv, 1, u, o->p);
  memset(o->b, 0, (size_t)n * sizeof *o->b);
  for (int i = 0; i < o->l; i++)
    u[i] = isnan(u[i]) ? u[i] : fmin(fmax(u[i], o->s.lb[i]), o->s.ub[i]);
  ns_gemv(n, o->p, 1, o->B, u, o->b);
  ns_gemv(n, n, 1, o->plant.Psi, o->b, o->next);
  memcpy(s->memory, o->next, (size_t)n * sizeof *o->next);
  return NS_OK;
}

const ns_control_kind ns_control_smc_ot2 = {
    .name = "LinearSMCOT2",
    .help = "sliding mode for a linear plant with sigma of order T^2 under disturbances",
    .prepare = prepare_ot2,
    .size = sizeof(relay),
    .create = create_ot2,
    .sample = sample_ot2,
    .destroy = destroy};

const ns_control_kind ns_control_smc = {
    .name = "LinearSMC",
    .help = "sliding mode for a linear plant, explicit or implicit (without chattering)",
    .prepare = prepare_smc,
    .size = sizeof(relay),
    .create = create_smc,
    .sample = sample,
    .destroy = destroy};

const ns_control_kind ns_control_twisting = {
    .name = "Twisting",
    .help = "twisting: -c1 Sgn(sigma) - c2 Sgn(sigma'), explicit or implicit",
    .prepare = prepare_twisting,
    .size = sizeof(relay),
    .create = create_twisting,
    .sample = sample,
    .destroy = destroy};
