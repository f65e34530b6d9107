/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/check/plugin_trial.h"

#include "base/child.h"
#include "base/grow.h"
#include "model/check/check_parts.h"
#include "model/plugin_form.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FENCE = 64, MAX_OPERATORS = 24, SECONDS = 10 };
#define FENCE_VALUE (-8.25e77) /* what no function writes by chance */

/* One function, whose it is, and where it is called. */
typedef struct trial {
  const ns_model *m;
  const ns_operator *o;
  const ns_place *at;
  const int *system;  /* indices of the systems it acts on [nsystems] */
  int nsystems, rows; /* rows: of the interaction */
} trial;

/* ---- in the child ---------------------------------------------------------------------------- */

/* n doubles between fences; NULL: out of memory. */
static double *fenced(size_t n)
{
  double *mem = malloc((n + 2 * FENCE) * sizeof *mem);
  for (size_t k = 0; mem && k < n + 2 * FENCE; k++)
    mem[k] = k < FENCE || k >= n + FENCE ? FENCE_VALUE : 0;
  return mem ? mem + FENCE : NULL;
}

static int fence_stands(const double *x, size_t n)
{
  for (size_t k = 1; k <= FENCE; k++)
    if (*(x - k) != FENCE_VALUE || x[n + k - 1] != FENCE_VALUE) return 0;
  return 1;
}

/* Its argument lies, and a copy of what stood there. */
typedef struct input {
  const char *name;
  double *x, *was;
  size_t n;
} input;

enum { Q, V, Z, LAMBDA, INPUTS };

static int make_input(input *in, const char *name, size_t n)
{
  *in = (input){name, fenced(n), malloc((n + 1) * sizeof(double)), n};
  return in->x && in->was;
}

/* The initial state of all systems. */
static void fill(const trial *t, input *in)
{
  double *q = in[Q].x, *v = in[V].x, *z = in[Z].x;
  for (int i = 0; i < t->nsystems; i++) {
    const ns_system *s = &t->m->systems[t->system[i]];
    memcpy(q, s->q0, (size_t)s->nq * sizeof *q);
    if (s->v0) memcpy(v, s->v0, (size_t)s->n * sizeof *v);
    if (s->nz) memcpy(z, s->z0, (size_t)s->nz * sizeof *z);
    q += s->nq, v += s->n, z += s->nz;
  }
  for (int k = 0; k < INPUTS; k++) memcpy(in[k].was, in[k].x, in[k].n * sizeof(double));
}

static int has_changed(const input *in)
{
  return memcmp(in->x, in->was, in->n * sizeof(double)) != 0;
}

/* Sizes and time, which may be handed over by address, and what stands behind them. */
typedef struct frame {
  ns_plugin_arguments a;
  double fence[FENCE];
} frame;

/* What is wrong with a call that came back; it is told. */
static int judge(const trial *t, ns_ctx *c, const input *in, const double *out, const frame *f)
{
  size_t n = (size_t)t->o->rows * (size_t)t->o->cols;
  if (!fence_stands(out, n))
    return ns_fail(c, NS_PLUGIN, "writes beyond the %zu entries of its result", n);
  for (int k = 0; k < INPUTS; k++)
    if (!fence_stands(in[k].x, in[k].n) || (k != Z && has_changed(&in[k])))
      return ns_fail(c, NS_PLUGIN, "writes to %s, which is input only", in[k].name);
  if (memcmp(&f[0], &f[1], sizeof *f))
    return ns_fail(c, NS_PLUGIN, "writes to t or a size, which are input only");
  int silent = 1;
  for (size_t k = 0; k < n; k++) {
    if (!isfinite(out[k])) return ns_fail(c, NS_PLUGIN, "gives %g in entry [%zu]", out[k], k);
    if (out[k] != 0) silent = 0;
  }
  if (silent && has_changed(&in[Z]))
    return ns_fail(c, NS_PLUGIN, "writes to z and not to its result");
  return NS_OK;
}

static int call(void *arg, ns_ctx *c)
{
  const trial *t = arg;
  const ns_operator *o = t->o;
  size_t nq = 0, nv = 0, nz = 0;
  input in[INPUTS];
  for (int i = 0; i < t->nsystems; i++) {
    const ns_system *s = &t->m->systems[t->system[i]];
    nq += (size_t)s->nq, nv += (size_t)s->n, nz += (size_t)s->nz;
  }
  double *out = fenced((size_t)o->rows * (size_t)o->cols);
  frame *f = calloc(2, sizeof *f); /* and a copy */
  int ok = make_input(&in[Q], "q", nq) && make_input(&in[V], "v", nv) &&
           make_input(&in[Z], "z", nz ? nz : 1) &&
           make_input(&in[LAMBDA], "lambda", (size_t)t->rows) && out && f;
  if (!ok) return ns_nomem(c, "first calls of plug-ins");
  fill(t, in);
  ns_point p = {.t = t->m->sim.t0,
                .n = (int)nq,
                .q = in[Q].x,
                .v = in[V].x,
                .nz = nz ? (int)nz : 1,
                .z = in[Z].x,
                .m = t->rows,
                .lambda = in[LAMBDA].x};
  f->a = ns_plugin_arguments_at(&p, o->rows, o->cols);
  f[1].a = f->a;
  o->plugin->old->call(o->plugin->fn, &f->a, out);
  return judge(t, c, in, out, f);
}

/* ---- which functions ------------------------------------------------------------------------- */

static int try_one(trial *t, ns_ctx *c)
{
  const ns_plugin_call *k = t->o->plugin;
  ns_ctx told = {0};
  int rc = ns_child_run(&told, call, t, SECONDS);
  if (!rc || rc == NS_NOMEM) return rc ? ns_fail(c, rc, "%s", told.msg) : NS_OK;
  const char *what = rc == NS_RETRY ? "crashes or does not return" : told.msg;
  return ns_fail_at(c, NS_PLUGIN, t->at,
                    "plug-in \"%s\", called for the first time with %s as its abi= says, %s; "
                    "expected the abi= of its declaration: nssim-plugin(7) has the lists",
                    k->name, k->old->arguments, what);
}

static int same(const trial *a, const trial *b)
{
  const ns_plugin_call *k = a->o->plugin, *j = b->o->plugin;
  return k->fn == j->fn && k->old == j->old && a->o->rows == b->o->rows &&
         a->o->cols == b->o->cols && a->rows == b->rows && a->nsystems == b->nsystems;
}

typedef struct trials {
  trial *done; /* malloced [n] */
  size_t n;
} trials;

/* The functions in `list` that were not tried yet. */
static int try_all(trials *all, const trial *whose, const ns_operator *const *list, size_t n,
                   ns_ctx *c)
{
  for (size_t i = 0; i < n; i++) {
    trial t = *whose;
    size_t k = 0;
    t.o = list[i];
    if (t.o->how != NS_OP_PLUGIN || !t.o->plugin->old) continue;
    while (k < all->n && !same(&all->done[k], &t)) k++;
    if (k < all->n) continue;
    if (ns_grow(&all->done, all->n)) return ns_nomem(c, "first calls of plug-ins");
    all->done[all->n++] = t;
    int rc = try_one(&t, c);
    if (rc == NS_NOMEM) return rc;
  }
  return NS_OK;
}

static int try_system(trials *all, const ns_model *m, int k, ns_ctx *c)
{
  const ns_system *s = &m->systems[k];
  trial t = {.m = m, .at = &s->at, .system = &k, .nsystems = 1};
  const ns_operator *const mechanics[] = {&s->mass,    &s->fext,    &s->fint,    &s->fgyr,
                                          &s->dq_fint, &s->dv_fint, &s->dq_fgyr, &s->dv_fgyr};
  const ns_operator *const first_order[] = {&s->fo.M, &s->fo.f, &s->fo.dx_f, &s->fo.A,
                                            &s->fo.b, &s->fo.u, &s->fo.T};
  if (ns_system_is_rigid(s)) return NS_OK;
  if (ns_system_is_first_order(s))
    return try_all(all, &t, first_order, sizeof first_order / sizeof *first_order, c);
  return try_all(all, &t, mechanics, sizeof mechanics / sizeof *mechanics, c);
}

static int try_interaction(trials *all, const ns_model *m, int k, ns_ctx *c)
{
  const ns_interaction *it = &m->interactions[k];
  trial t = {.m = m, .at = &it->at, .system = it->systems, .nsystems = it->nsystems, .rows = it->m};
  const ns_operator *const mechanics[] = {&it->lr.h, &it->lr.H, &it->lr.ht, &it->lr.D,
                                          &it->lr.Hdot};
  const ns_operator *const first_order[] = {&it->fo.h, &it->fo.g, &it->fo.C, &it->fo.D,
                                            &it->fo.B, &it->fo.K, &it->fo.F, &it->fo.e};
  if (it->relation->flags & (NS_REL_JOINT | NS_REL_AXIS | NS_REL_POINT)) return NS_OK;
  if (ns_interaction_is_first_order(it))
    return try_all(all, &t, first_order, sizeof first_order / sizeof *first_order, c);
  if (it->relation->flags & NS_REL_LINEAR) return NS_OK;
  return try_all(all, &t, mechanics, sizeof mechanics / sizeof *mechanics, c);
}

int ns_try_old_plugins(const ns_model *m, ns_ctx *c)
{
  trials all = {0};
  int rc = NS_OK, before = c->nerrors;
  for (int k = 0; k < m->nsystems && !rc && m->uses_plugins; k++) rc = try_system(&all, m, k, c);
  for (int k = 0; k < m->ninteractions && !rc && m->uses_plugins; k++)
    rc = try_interaction(&all, m, k, c);
  free(all.done);
  return rc ? rc : c->nerrors > before ? NS_PLUGIN : NS_OK;
}
