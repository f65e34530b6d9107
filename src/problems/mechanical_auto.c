/* SPDX-License-Identifier: GPL-3.0-or-later */
/* auto -- the default solver of mechanical problems: cheap and robust first, accurate where that stalls.
 *
 *   1. The guess, or r = 0, where either is a solution.
 *   2. Gauss-Seidel, for as long as its rate promises an end soon.
 *   3. Newton from there: full rank.
 *   4. Proximal points: redundant contacts.
 *   5. Gauss-Seidel to its limit.
 *
 * Each starts from the best iterate so far, and the best is what comes back (policy of Acary, Bremond & Huber 2018,
 * section 6). */
#include "problems/mechanical_work.h"

#include "base/arena.h"

#include <math.h>
#include <string.h>

enum { SWEEPS_FIRST = 60, SWEEPS_LAST = 20000, STEPS = 40, OUTER = 60 };

typedef struct automatic {
  ns_arena *mem;
  ns_mechanical_options opt;
  void *sweeps, *newton, *regular, *proximal, *last;
  double *best; /* [m] */
} automatic;

static void destroy(void *self)
{
  automatic *s = self;
  if (!s) return;
  ns_mechanical_nsgs.destroy(s->sweeps);
  ns_mechanical_nsgs.destroy(s->last);
  ns_mechanical_newton.destroy(s->newton);
  ns_mechanical_regular.destroy(s->regular);
  ns_mechanical_proximal.destroy(s->proximal);
  ns_arena_destroy(s->mem);
}

static int create(ns_ctx *c, const ns_mechanical_capacity *cap, const ns_mechanical_options *opt, void **self)
{
  ns_arena *mem = ns_arena_create(0, 1);
  automatic *s = mem ? ns_arena_zero(mem, 1, sizeof *s) : NULL;
  *self = NULL;
  if (!s) {
    ns_arena_destroy(mem);
    return ns_nomem(c, "solver of mechanical problems");
  }
  *s = (automatic){.mem = mem, .opt = opt ? *opt : ns_mechanical_defaults()};
  s->best = ns_arena_zero(mem, (size_t)cap->structure->m + 1, sizeof *s->best);
  int most = s->opt.max_iterations;
  ns_mechanical_options o = s->opt;
  int rc = s->best ? NS_OK : ns_nomem(c, "solver of mechanical problems");
  o.max_iterations = most ? most : SWEEPS_FIRST;
  if (!rc) rc = ns_mechanical_nsgs.create(c, cap, &o, &s->sweeps);
  o.max_iterations = most ? most : SWEEPS_LAST;
  if (!rc) rc = ns_mechanical_nsgs.create(c, cap, &o, &s->last);
  o.max_iterations = most ? most : STEPS;
  if (!rc) rc = ns_mechanical_newton.create(c, cap, &o, &s->newton);
  o.max_iterations = most;
  if (!rc) rc = ns_mechanical_regular.create(c, cap, &o, &s->regular);
  o.max_iterations = most ? most : OUTER;
  if (!rc) rc = ns_mechanical_proximal.create(c, cap, &o, &s->proximal);
  if (rc) destroy(s);
  else *self = s;
  return rc;
}

static int solve(void *self, ns_ctx *c, const ns_mechanical *p, const int *block, double *r, double *u, ns_outcome *out)
{
  automatic *s = self;
  const struct {
    const ns_mechanical_solver_ops *ops;
    void *self;
  } part[] = {{&ns_mechanical_nsgs, s->sweeps}, {&ns_mechanical_newton, s->newton},
              {&ns_mechanical_regular, s->regular}, {&ns_mechanical_proximal, s->proximal}, {&ns_mechanical_nsgs, s->last}};
  size_t bytes = (size_t)p->W->m * sizeof *r;
  double least = ns_mechanical_residual(p, r, u, NULL), tol = ns_mechanical_tolerance(p, &s->opt);
  int iterations = 0;
  *out = (ns_outcome){.kind = least <= tol ? NS_SOLVED : NS_LIMIT, .residual = least, .solver = "auto"};
  if (out->kind == NS_SOLVED) return NS_OK;
  memset(s->best, 0, bytes);
  if (ns_mechanical_residual(p, s->best, u, NULL) <= tol) {
    memcpy(r, s->best, bytes);
    out->residual = ns_mechanical_residual(p, r, u, NULL);
    out->kind = NS_SOLVED;
    return NS_OK;
  }
  memcpy(s->best, r, bytes);
  for (size_t k = 0; k < sizeof part / sizeof *part && out->kind != NS_SOLVED; k++) {
    memcpy(r, s->best, bytes);
    int rc = part[k].ops->solve(part[k].self, c, p, block, r, u, out);
    if (rc) return rc;
    iterations += out->iterations;
    if (out->residual < least) {
      least = out->residual;
      memcpy(s->best, r, bytes);
    }
  }
  out->iterations = iterations;
  if (out->kind == NS_SOLVED) return NS_OK;
  memcpy(r, s->best, bytes);
  out->residual = ns_mechanical_residual(p, r, u, NULL);
  out->solver = "auto";
  return NS_OK;
}

const ns_mechanical_solver_ops ns_mechanical_auto = {.size = sizeof ns_mechanical_auto,
                                                     .name = "auto",
                                                     .help = "Gauss-Seidel, then Newton, then proximal points, as far as needed",
                                                     .create = create,
                                                     .solve = solve,
                                                     .destroy = destroy};
