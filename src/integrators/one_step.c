/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/one_step.h"

#include "base/grow.h"

#include <math.h>
#include <string.h>

/* ---- memory ---------------------------------------------------------------------------------- */

static int value_of_roots(void *self, double t, double *g)
{
  ns_one_step *o = self;
  ns_one_step_dense(o, NULL, t, 0, o->x);
  o->work.roots++;
  return o->p->roots(o->p->of, t, o->x, g);
}

int ns_one_step_init(ns_one_step *o, ns_arena *mem, const ns_flow_problem *p,
                     const ns_one_step_method *method)
{
  size_t n = p->n, d = sizeof(double);
  const ns_array want[] = {{&o->x0, n, d}, {&o->f0, n, d}, {&o->x1, n, d}, {&o->f1, n, d},
                           {&o->x2, n, d}, {&o->f2, n, d}, {&o->x, n, d}};
  o->p = p;
  o->method = method;
  o->roots.of = o;
  o->roots.value = value_of_roots;
  if (ns_arena_arrays(mem, want, sizeof want / sizeof *want)) return NS_NOMEM;
  return ns_bracket_init(&o->roots, mem, p->nroots);
}

/* ---- steps ----------------------------------------------------------------------------------- */

int ns_one_step_rate(ns_one_step *o, double t, const double *x, double *f)
{
  o->work.rates++;
  return o->p->rate(o->p->of, t, x, f);
}

double ns_one_step_next(const ns_one_step *o, double stop, double *t)
{
  double h = o->length;
  *t = o->base + (double)(o->k + 1) * h;
  if (*t < stop - 1e-6 * h) return h;
  *t = stop;
  return stop - o->t1;
}

static void swap(double **a, double **b)
{
  double *t = *a;
  *a = *b;
  *b = t;
}

static int step(ns_one_step *o, ns_ctx *c, double stop)
{
  double t;
  int rc = o->method->step(o, c, stop, &t);
  if (rc) return rc;
  o->t0 = o->t1;
  o->t1 = t;
  o->k++;
  if (t == stop) {
    o->base = t;
    o->k = 0;
  }
  o->work.steps++;
  swap(&o->x0, &o->x1);
  swap(&o->f0, &o->f1);
  swap(&o->x1, &o->x2);
  swap(&o->f1, &o->f2);
  return NS_OK;
}

/* ---- flow ------------------------------------------------------------------------------------ */

int ns_one_step_restart(void *self, ns_ctx *c, double t, const double *x,
                        const signed char *direction)
{
  (void)c;
  ns_one_step *o = self;
  if (direction && o->roots.n) memcpy(o->roots.direction, direction, (size_t)o->roots.n);
  memcpy(o->x1, x, o->p->n * sizeof *x);
  o->t0 = o->t1 = o->base = o->reached = t;
  o->k = 0;
  o->begun = 0;
  o->work.restarts++;
  return NS_OK;
}

/* x' and the functions of the roots at a restart. */
static int begin(ns_one_step *o, ns_ctx *c)
{
  int rc = ns_one_step_rate(o, o->t1, o->x1, o->f1);
  if (!rc) rc = ns_bracket_start(&o->roots, o->t1, NULL);
  o->begun = !rc;
  return rc ? o->method->refused(o, c, rc, o->t1, o->length) : NS_OK;
}

/* The driver looks at what has been searched, before it is shown: roots that come in pairs. The
 * search then stands at the first of them, where nothing has changed its sign. */
static int look(ns_one_step *o, int *root)
{
  double at;
  if (!o->inspects || !o->p->inspect || !(o->reached < o->roots.t)) return 0;
  int rc = o->p->inspect(o->p->of, o->reached, o->roots.t, &at);
  if (rc > 0) {
    *root = 1;
    rc = ns_bracket_start(&o->roots, at, NULL);
  }
  o->reached = o->roots.t;
  return rc;
}

int ns_one_step_advance(void *self, ns_ctx *c, double end, double stop, double *t, double *x,
                        ns_flow_end *why)
{
  ns_one_step *o = self;
  int root = 0, rc = o->begun ? NS_OK : begin(o, c);
  while (!rc && !root && o->roots.t < end) {
    if (o->roots.t >= o->t1) rc = step(o, c, stop);
    if (rc) break;
    rc = ns_bracket_search(&o->roots, fmin(end, o->t1), &root);
    if (!rc) rc = look(o, &root);
    if (rc) rc = o->method->refused(o, c, rc, o->roots.t, o->t1 - o->t0);
    if (o->p->each_step && o->roots.t >= o->t1) break;
  }
  *t = o->begun ? o->roots.t : o->t1;
  *why = root ? NS_FLOW_ROOT : NS_FLOW_REACHED;
  ns_one_step_dense(o, c, *t, 0, x);
  return rc;
}

const int *ns_one_step_fired(const void *self) { return ((const ns_one_step *)self)->roots.fired; }

/* Weights of x0, h f0, x1, h f1 in derivative k of the cubic, times h^k. */
static void hermite(double s, int k, double *w)
{
  switch (k) {
  case 0:
    w[0] = (1 + 2 * s) * (1 - s) * (1 - s);
    w[1] = s * (1 - s) * (1 - s);
    w[2] = s * s * (3 - 2 * s);
    w[3] = s * s * (s - 1);
    break;
  case 1:
    w[0] = 6 * s * (s - 1);
    w[1] = (1 - s) * (1 - 3 * s);
    w[2] = -w[0];
    w[3] = s * (3 * s - 2);
    break;
  case 2:
    w[0] = 12 * s - 6;
    w[1] = 6 * s - 4;
    w[2] = -w[0];
    w[3] = 6 * s - 2;
    break;
  case 3:
    w[0] = 12;
    w[1] = 6;
    w[2] = -12;
    w[3] = 6;
    break;
  default: w[0] = w[1] = w[2] = w[3] = 0;
  }
}

/* At the ends to the bit, and around them by what x changes. */
int ns_one_step_dense(void *self, ns_ctx *c, double t, int k, double *x)
{
  (void)c;
  const ns_one_step *o = self;
  double h = o->t1 - o->t0, w[4];
  if (h == 0) {
    memcpy(x, k ? o->f1 : o->x1, o->p->n * sizeof *x);
    return NS_OK;
  }
  hermite((t - o->t0) / h, k, w);
  double scale = pow(h, -k);
  int early = t - o->t0 < o->t1 - t;
  for (size_t i = 0; i < o->p->n; i++) {
    double d = o->x1[i] - o->x0[i], slopes = h * (w[1] * o->f0[i] + w[3] * o->f1[i]);
    if (k) x[i] = scale * (w[2] * d + slopes);
    else if (early) x[i] = o->x0[i] + (w[2] * d + slopes);
    else x[i] = o->x1[i] + (slopes - w[0] * d);
  }
  return NS_OK;
}

void ns_one_step_span(const void *self, double *from, double *to)
{
  const ns_one_step *o = self;
  *from = o->t0;
  *to = o->t1;
}

void ns_one_step_work(const void *self, ns_flow_work *w) { *w = ((const ns_one_step *)self)->work; }

/* ---- checkpoints ----------------------------------------------------------------------------- */

static void save(const void *self, ns_blob *b)
{
  const ns_one_step *o = self;
  ns_blob_put(b, &o->work, sizeof o->work);
}

static void restore(void *self, ns_blob *b)
{
  ns_one_step *o = self;
  ns_blob_get(b, &o->work, sizeof o->work);
  o->work.restarts--; /* that is counted again */
}

const ns_memory ns_one_step_memory = {.save = save, .restore = restore};
