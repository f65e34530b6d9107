/* SPDX-License-Identifier: GPL-3.0-or-later */
/* control_observer.c -- observers: a copy of the plant that is corrected by what is measured.
 *
 * <LuenbergerObserver> (Luenberger 1966):
 *
 *   xhat_i = Phi xhat_i-1 + Psi (b_i-1 + L (y_i-1 - C xhat_i-1))
 *
 * with b and y of the sample before: xhat_i is the estimate of x(t_i) that a controller may use at
 * t_i. Where the plant moves as known and y = C x, its error is multiplied by Phi - Psi L C each
 * period. b_i-1 is that of the Z that was held until t_i. The estimate is in Z; its initial value
 * is there too. Memory: y of the last sample.
 *
 * <SlidingReducedOrderObserver> (Utkin, Guldner & Shi 1999, ch. 6) adds E v to b, with v in alpha
 * Sgn(y_i - C xhat_i): implicit, so that the estimate slides: C xhat_i = y_i where |v| < alpha
 * suffices, and the rest of the error has the order n - p. It is a small problem of signs
 * (control_signs.h) with M = C Psi E, and no chattering. */
#include "algebra/vector.h"
#include "model/controls/control_kinds.h"
#include "model/controls/control_plant.h"
#include "model/controls/control_signs.h"

#include <stdlib.h>
#include <string.h>

typedef struct observer {
  ns_plant plant;
  int n, p;
  const double *C, *L;  /* [p x n], [n x p] */
  const ns_operator *y; /* ABSENT: C x */
  const int *writes;
  double *xhat, *r, *work; /* [n], [p] */
  const double *E;         /* [n x p]; NULL: it does not slide */
  ns_signs s;              /* v */
  const ns_control *k;
} observer;

static int prepare(const ns_model *m, ns_control *k, ns_ctx *c)
{
  const ns_operator *C = ns_control_value(k, "C"), *L = ns_control_value(k, "L"),
                    *y = ns_control_value(k, "y");
  int n, rc = ns_plant_prepare(m, k, c, &n);
  if (rc) return rc;
  k->nmemory = C->rows;
  if (C->cols != n)
    return ns_control_fail(k, c, "<C> has %d column%s, expected %d, the size of the plant", C->cols,
                           C->cols == 1 ? "" : "s", n);
  if (L->how && (L->rows != n || L->cols != C->rows))
    return ns_control_fail(k, c,
                           "<L> is %d x %d, expected %d x %d: size of the plant by rows of <C>",
                           L->rows, L->cols, n, C->rows);
  if (y->how && y->rows != C->rows)
    return ns_control_fail(k, c, "<y> has %d entries, expected %d, the rows of <C>", y->rows,
                           C->rows);
  if (k->nwrites != n)
    return ns_control_fail(k, c,
                           "writes %d entr%s, expected %d: the estimate of the state of the plant; "
                           "name them in writes=\"...\"",
                           k->nwrites, k->nwrites == 1 ? "y" : "ies", n);
  return NS_OK;
}

static int prepare_sliding(const ns_model *m, ns_control *k, ns_ctx *c)
{
  const ns_operator *C = ns_control_value(k, "C"), *E = ns_control_value(k, "E");
  if (E->rows != C->cols || E->cols != C->rows)
    return ns_control_fail(k, c, "<E> is %d x %d, expected %d x %d: columns by rows of <C>",
                           E->rows, E->cols, C->cols, C->rows);
  return prepare(m, k, c);
}

static void destroy(void *self)
{
  observer *o = self;
  ns_signs_fini(&o->s);
  ns_plant_fini(&o->plant);
}

/* M = C Psi E, and the bounds of v. */
static int make_signs(observer *o, ns_ctx *c, const ns_control *k)
{
  double alpha = ns_control_number(k, "alpha", 0);
  int rc = ns_signs_init(&o->s, c, o->plant.mem, o->p);
  for (int j = 0; j < o->p && !rc; j++) {
    memset(o->xhat, 0, (size_t)o->n * sizeof *o->xhat);
    ns_gemv(o->n, o->n, 1, o->plant.Psi, o->E + j * o->n, o->xhat);
    ns_gemv(o->p, o->n, 1, o->C, o->xhat, o->s.M + j * o->p);
    o->s.lb[j] = -alpha;
    o->s.ub[j] = alpha;
  }
  return rc ? rc : ns_signs_solver(&o->s, c, k);
}

static int create(void *self, ns_ctx *c, const ns_model *m, const ns_control *k, double *work)
{
  observer *o = self;
  *o = (observer){.p = ns_control_value(k, "C")->rows,
                  .C = ns_control_value(k, "C")->value,
                  .L = ns_control_value(k, "L")->value,
                  .y = ns_control_value(k, "y"),
                  .writes = k->writes,
                  .work = work,
                  .k = k};
  if (k->kind == &ns_control_sliding_observer) o->E = ns_control_value(k, "E")->value;
  int rc = ns_plant_init(&o->plant, c, m, k);
  o->n = o->plant.n;
  if (!rc && (!(o->xhat = ns_arena_zero(o->plant.mem, (size_t)o->n, sizeof(double))) ||
              !(o->r = ns_arena_zero(o->plant.mem, (size_t)o->p, sizeof(double)))))
    rc = ns_nomem(c, "an observer");
  return rc || !o->E ? rc : make_signs(o, c, k);
}

/* What is measured now, to the memory. */
static int measure(observer *o, ns_ctx *c, const ns_sample *s)
{
  const double *x;
  if (o->y->how) return ns_operator_eval(o->y, c, &s->p, o->work, s->memory);
  int rc = ns_plant_state(&o->plant, c, s, &x);
  memset(s->memory, 0, (size_t)o->p * sizeof *s->memory);
  if (!rc) ns_gemv(o->p, o->n, 1, o->C, x, s->memory);
  return rc;
}

/* xhat in w -> its next one. */
static int advance(observer *o, ns_ctx *c, const ns_sample *s, double *w)
{
  ns_plant *k = &o->plant;
  int rc = ns_plant_source(k, c, s->t - s->period, s, s->held);
  memcpy(o->xhat, w, (size_t)o->n * sizeof *w);
  memcpy(o->r, s->memory, (size_t)o->p * sizeof *o->r);
  ns_gemv(o->p, o->n, -1, o->C, o->xhat, o->r);
  if (o->L) ns_gemv(o->n, o->p, 1, o->L, o->r, k->b);
  memset(w, 0, (size_t)o->n * sizeof *w);
  ns_gemv(o->n, o->n, 1, k->Phi, o->xhat, w);
  ns_gemv(o->n, o->n, 1, k->Psi, k->b, w);
  return rc;
}

/* The estimate w becomes one that slides: E v acted over the period, with y of now in the memory.
 */
static int slide(observer *o, ns_ctx *c, const ns_sample *s, double *w)
{
  ns_plant *k = &o->plant;
  for (int j = 0; j < o->p; j++) o->s.q[j] = -s->memory[j];
  ns_gemv(o->p, o->n, 1, o->C, w, o->s.q);
  int rc = ns_signs_solve(
      &o->s, c, o->k, s->t,
      "C Psi E must be such that v can reduce the error; check <C>, <E> and the plant");
  memset(k->b, 0, (size_t)o->n * sizeof *k->b);
  ns_gemv(o->n, o->p, 1, o->E, o->s.lambda, k->b);
  ns_gemv(o->n, o->n, 1, k->Psi, k->b, w);
  return rc;
}

static int sample(void *self, ns_ctx *c, const ns_sample *s, double *w)
{
  observer *o = self;
  ns_gather((size_t)o->n, s->p.z, o->writes, w);
  int rc = s->i ? advance(o, c, s, w) : NS_OK;
  if (!rc) rc = measure(o, c, s);
  return rc || !o->E || s->i == 0 ? rc : slide(o, c, s, w);
}

const ns_control_kind ns_control_sliding_observer = {
    .name = "SlidingReducedOrderObserver",
    .help = "sliding-mode observer, without chattering",
    .prepare = prepare_sliding,
    .size = sizeof(observer),
    .create = create,
    .sample = sample,
    .destroy = destroy};

const ns_control_kind ns_control_observer = {
    .name = "LuenbergerObserver",
    .help = "copy of a linear plant, corrected by measurements",
    .prepare = prepare,
    .size = sizeof(observer),
    .create = create,
    .sample = sample,
    .destroy = destroy};
