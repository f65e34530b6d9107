/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which method solves what. */
#include "problems/multibody_work.h"

#include "base/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ns_multibody_solver {
  ns_multibody_options opt;
  const ns_mechanical_solver_ops *ops; /* of reduced problems */
  ns_mechanical_options inner;
  ns_reduced *reduced;
  ns_arena *mem; /* scratch of a call: one piece, as large as any call so far needed */
  size_t room;
  const char *method; /* used last: name of a solver of mechanical.h, NULL: of none */
  char *used;         /* [USED] */
};

enum { USED = 64, ROOM = 16384 };

void ns_multibody_destroy(ns_multibody_solver *s)
{
  if (!s) return;
  ns_reduced_destroy(s->reduced);
  ns_arena_destroy(s->mem);
  free(s->used);
  free(s);
}

static int unknown(ns_ctx *c, const char *name)
{
  ns_suggest near;
  ns_suggest_init(&near, name, strlen(name));
  for (int k = 0; ns_multibody_solvers[k]; k++) ns_suggest_offer(&near, ns_multibody_solvers[k]->name);
  for (int k = 0; ns_mechanical_solvers[k]; k++) ns_suggest_offer(&near, ns_mechanical_solvers[k]->name);
  if (near.best) return ns_fail(c, NS_USAGE, "no solver of contacts between bodies is called '%s': did you mean '%s'?", name, near.best);
  return ns_fail(c, NS_USAGE, "no solver of contacts between bodies is called '%s': `nssim list solvers` names them", name);
}

static int is_own(const char *name)
{
  for (int k = 0; ns_multibody_solvers[k]; k++)
    if (!strcmp(ns_multibody_solvers[k]->name, name)) return 1;
  return 0;
}

int ns_multibody_create(ns_ctx *c, const ns_multibody_options *o, ns_multibody_solver **out)
{
  ns_multibody_options opt = o ? *o : (ns_multibody_options){0};
  if (!opt.solver) opt.solver = "auto";
  if (!(opt.tol > 0)) opt.tol = ns_mechanical_defaults().tol;
  const ns_mechanical_solver_ops *ops = ns_mechanical_solver_find(is_own(opt.solver) ? "auto" : opt.solver);
  *out = NULL;
  if (!ops) return unknown(c, opt.solver);
  ns_multibody_solver *s = calloc(1, sizeof *s);
  if (s) {
    *s = (ns_multibody_solver){.opt = opt, .ops = ops, .room = ROOM};
    s->inner = ns_mechanical_defaults();
    s->inner.max_iterations = opt.max_iterations;
    s->inner.contact = opt.contact;
    s->inner.tol = opt.tol;
    s->reduced = ns_reduced_create();
    s->mem = ns_arena_create(ROOM, 1);
    s->used = calloc(USED, 1);
  }
  if (!s || !s->reduced || !s->mem || !s->used) {
    ns_multibody_destroy(s);
    return ns_nomem(c, "solver of contacts between bodies");
  }
  *out = s;
  return NS_OK;
}

/* All of the scratch in one piece: a call that was given more than one makes the next one begin with enough. */
static int begin(ns_multibody_solver *s, ns_ctx *c)
{
  size_t peak = ns_arena_peak(s->mem);
  if (peak <= s->room) return NS_OK;
  ns_arena *more = ns_arena_create(peak + peak / 4, 1);
  if (!more) return ns_nomem(c, "contacts between bodies");
  ns_arena_destroy(s->mem);
  s->mem = more;
  s->room = peak + peak / 4;
  return NS_OK;
}

static int everything(ns_multibody_solver *s, ns_ctx *c, const ns_multibody *p, double *r, ns_outcome *out)
{
  int *block = ns_arena_get(s->mem, (size_t)p->nblocks, sizeof *block), *head = ns_arena_get(s->mem, (size_t)p->nbodies, sizeof *head);
  if (!block || !head) return ns_nomem(c, "contacts between bodies");
  for (int k = 0; k < p->nblocks; k++) block[k] = k;
  for (int i = 0; i < p->nbodies; i++) head[i] = -1;
  return ns_reduced_solve(s->reduced, c, s->ops, &s->inner, p, (ns_multibody_part){p->nblocks, block}, head, s->mem, r, out);
}

static int parts(ns_multibody_solver *s, ns_ctx *c, const ns_multibody *p, double *r, ns_outcome *out)
{
  *out = (ns_outcome){.kind = NS_SOLVED, .iterations = 1, .solver = "cases"};
  if (p->nblocks == 0 || (p->nblocks == 1 && !s->opt.contact && ns_multibody_single(p, 0, r))) return NS_OK;
  return everything(s, c, p, r, out);
}

int ns_multibody_solve(ns_multibody_solver *s, ns_ctx *c, const ns_multibody *p, double *r, double *v, double *u, ns_outcome *out)
{
  int rc = begin(s, c);
  if (rc) return rc;
  ns_mark mark = ns_arena_mark(s->mem);
  rc = parts(s, c, p, r, out);
  ns_arena_release(s->mem, mark);
  if (rc) return rc;
  out->residual = ns_multibody_residual(p, r, v, u, NULL);
  if (out->residual <= s->opt.tol) out->kind = NS_SOLVED;
  else if (out->kind == NS_SOLVED) out->kind = NS_LIMIT;
  s->method = out->solver;
  return NS_OK;
}

const char *ns_multibody_used(const ns_multibody_solver *s)
{
  snprintf(s->used, USED, "reduced: %s", s->method ? s->method : "nothing");
  return s->used;
}

size_t ns_multibody_bytes(const ns_multibody_solver *s) { return sizeof *s + USED + s->room + ns_reduced_bytes(s->reduced); }
