/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/vector.h"
#include "simulation/events/branches_parts.h"

#include "algebra/dense.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { TOGETHER = 6 };              /* switches that act on each other: 3^n modes are tried */
static const double NOTHING = 1e-9; /* of the terms of d sigma/dt: as good as 0 */

/* ---- what branches do to sigma --------------------------------------------------------------- */

int ns_branch_response(ns_branches *b, double t, const double *x, const int *set, int n)
{
  double *value = b->w.value;
  int rc = NS_OK;
  for (int i = 0; i < n; i++) value[set[i]] = b->base[set[i]];
  rc = b->outer.rate(b->outer.of, t, x, b->f0);
  if (rc) return rc;
  ns_branch_look(b, t, x, b->f0);
  ns_gather((size_t)n, b->slope, set, b->s0);
  for (int j = 0; j < n; j++) {
    value[set[j]] = b->base[set[j]] + 1;
    rc = b->outer.rate(b->outer.of, t, x, b->f1);
    if (!rc) ns_branch_look(b, t, x, b->f1);
    value[set[j]] = b->base[set[j]];
    if (rc) return rc;
    for (int i = 0; i < n; i++) b->J[i + j * n] = b->slope[set[i]] - b->s0[i];
  }
  return NS_OK;
}

/* ---- modes of a set whose members act on each other ------------------------------------------ */

/* Members m [n] of the set, and the mode of each. */
typedef struct group {
  int n, member[TOGETHER];
  unsigned char mode[TOGETHER], best[TOGETHER];
  double B[TOGETHER], best_B[TOGETHER];
  int strict, weak; /* modes that go on beyond doubt; at all */
} group;

static double scale_of(const ns_branches *b, int m)
{
  double size = b->size[b->set[m]];
  return size > 0 ? size : 1;
}

/* B of the members that slide, from sigma' = 0. 1: there is none. */
static int sliding_values(ns_branches *b, group *g, int all)
{
  double A[TOGETHER * TOGETHER], x[TOGETHER];
  int at[TOGETHER], n = 0;
  for (int i = 0; i < g->n; i++) {
    g->B[i] = g->mode[i] == NS_BRANCH_UPPER;
    if (g->mode[i] == NS_BRANCH_SLIDES) at[n++] = i;
  }
  for (int i = 0; i < n; i++) {
    int r = g->member[at[i]];
    x[i] = -b->s0[r];
    for (int j = 0; j < g->n; j++) {
      double d = b->J[r + g->member[j] * all];
      if (g->mode[j] == NS_BRANCH_UPPER) x[i] -= d;
    }
    for (int j = 0; j < n; j++) A[i + j * n] = b->J[r + g->member[at[j]] * all];
    if (!(fabs(A[i + i * n]) > NOTHING * scale_of(b, r))) return 1;
  }
  if (!ns_dense_eliminate(n, A, n, 0, x)) return 1;
  ns_scatter((size_t)n, x, at, g->B);
  return 0;
}

/* The least by which the mode keeps its conditions: below 0 it does not go on. */
static double margin_of(ns_branches *b, group *g, int all)
{
  double min = INFINITY;
  if (sliding_values(b, g, all)) return -1;
  for (int i = 0; i < g->n; i++) {
    int r = g->member[i];
    double slope = b->s0[r], capacity;
    for (int j = 0; j < g->n; j++) slope += b->J[r + g->member[j] * all] * g->B[j];
    if (g->mode[i] == NS_BRANCH_SLIDES) capacity = fmin(g->B[i], 1 - g->B[i]);
    else capacity = (g->mode[i] == NS_BRANCH_UPPER ? slope : -slope) / scale_of(b, r);
    min = fmin(min, capacity);
  }
  return min;
}

/* How many members are in another mode than before. */
static int changes(const ns_branches *b, const group *g)
{
  int n = 0;
  for (int i = 0; i < g->n; i++) n += b->w.side[b->set[g->member[i]]] != g->mode[i];
  return n;
}

static void try_modes(ns_branches *b, group *g, int all)
{
  int tries = 1, fewest = INT_MAX;
  for (int i = 0; i < g->n; i++) tries *= 3;
  for (int k = 0; k < tries; k++) {
    int code = k;
    for (int i = 0; i < g->n; i++, code /= 3) g->mode[i] = (unsigned char)(code % 3);
    double margin = margin_of(b, g, all);
    int strict = margin > NOTHING, fits = margin >= -NOTHING, differs = changes(b, g);
    if (!fits || (!strict && g->strict)) continue;
    if (strict && !g->strict) fewest = INT_MAX;
    g->strict += strict;
    g->weak += !strict;
    if (differs >= fewest) continue;
    fewest = differs;
    memcpy(g->best, g->mode, sizeof g->best);
    memcpy(g->best_B, g->B, sizeof g->best_B);
  }
}

/* ---- sentences ------------------------------------------------------------------------------- */

/* Where switch k jumps, in words: `before` and `after` its text. */
static const char *before(const ns_branches *b, size_t k)
{
  return ns_branch_switch(&b->w, k)->kind == NS_SWITCH_STAIRS ? "a step of " : "";
}

static const char *after(const ns_branches *b, size_t k)
{
  return ns_branch_switch(&b->w, k)->kind == NS_SWITCH_STAIRS ? "" : " = 0";
}

static int refuse(ns_branches *b, size_t k, const char *what, const char *remedy)
{
  const ns_frozen_owner *o = ns_branch_owner(&b->w, k);
  return ns_fail_at(b->c, NS_NUMERIC, o->at,
                    "at t = %.10g s a formula is at its jump, %s%s%s, and %s; %s", b->t,
                    before(b, k), ns_branch_switch(&b->w, k)->text, after(b, k), what, remedy);
}

int ns_branch_restless(ns_branches *b)
{
  size_t k = (size_t)b->state[0];
  for (int i = 0; i < b->nstate; i++)
    if (b->was_side[b->state[i]] != b->w.side[b->state[i]]) k = (size_t)b->state[i];
  return refuse(b, k, "formulas that depend on each other's jumps alternate there without end",
                "write one of them as a law (<RelayNSL/>), or as a smooth formula");
}

int ns_branch_too_many(ns_branches *b)
{
  size_t k = (size_t)b->state[0];
  for (int i = 0; i < b->nstate; i++)
    if (b->pending[b->state[i]]) k = (size_t)b->state[i];
  return ns_fail_at(
      b->c, NS_NUMERIC, ns_branch_owner(&b->w, k)->at,
      "a formula jumps more than %d times between two points of the grid, the last "
      "time at t = %.17g s, at %s%s%s; look for formulas that undo each other's jumps, or "
      "raise maxEvents if so many are expected; write jumps that accumulate, as those of a "
      "twisting controller, as <RelayNSL> of a first-order system, whose run continues from there",
      b->m->sim.ed.max_events, *b->x->t, before(b, k), ns_branch_switch(&b->w, k)->text,
      after(b, k));
}

int ns_branch_unnoticed(ns_branches *b, size_t k)
{
  return ns_fail_at(b->c, NS_NUMERIC, ns_branch_owner(&b->w, k)->at,
                    "at t = %.10g s a formula is beyond its jump, %s = 0, which it passed without "
                    "an event since the previous row; the results up to there are kept; give "
                    "<EventDriven> a smaller h, or its integrator a maxStep",
                    b->t, ns_branch_switch(&b->w, k)->text);
}

static int refuse_group(ns_branches *b, const group *g)
{
  size_t k = (size_t)b->set[g->member[0]];
  if (!g->strict && !g->weak)
    return refuse(b, k,
                  "the motion cannot continue there: neither on a side of the jump, nor along it",
                  "write the discontinuous part as a law (<RelayNSL/>), or as a smooth formula");
  return refuse(b, k, "more than one motion continues from there",
                "start next to it, or write the discontinuous part as a law (<RelayNSL/>)");
}

/* ---- several --------------------------------------------------------------------------------- */

static int acts(const ns_branches *b, int i, int j, int n)
{
  return fabs(b->J[i + j * n]) > NOTHING * scale_of(b, i) ||
         fabs(b->J[j + i * n]) > NOTHING * scale_of(b, j);
}

/* The members that act on the first one that is not done yet, directly or through others. 0: there
 * are too many. */
static int gather(const ns_branches *b, unsigned char *done, int n, int first, group *g)
{
  *g = (group){.n = 1, .member = {first}};
  done[first] = 1;
  for (int i = 0; i < g->n; i++)
    for (int j = 0; j < n; j++) {
      if (done[j] || !acts(b, g->member[i], j, n)) continue;
      if (g->n == TOGETHER) return 0;
      done[j] = 1;
      g->member[g->n++] = j;
    }
  return 1;
}

/* Whether the mode that was found may be taken where others would go on, too: the motion came from
 * there. */
static int came_from(const ns_branches *b, const group *g)
{
  for (int i = 0; i < g->n; i++) {
    size_t k = (size_t)b->set[g->member[i]];
    if (b->unsided[k] || b->w.side[k] != g->best[i]) return 0;
  }
  return 1;
}

static int decide_group(ns_branches *b, group *g, int all)
{
  try_modes(b, g, all);
  int several = g->strict > 1 && !came_from(b, g);
  if ((!g->strict && !g->weak) || several) return refuse_group(b, g);
  for (int i = 0; i < g->n; i++) {
    int k = b->set[g->member[i]];
    b->w.side[k] = g->best[i];
    b->alpha[g->member[i]] = g->best_B[i];
  }
  return NS_OK;
}

/* What slides has rates between those of both sides, f = f0 + sum B (f_k - f0): they are also those
 * of the formulas at these B, or else these are not affine in what jumps. */
static int check_affine(ns_branches *b, const int *set, int n)
{
  double *mix = b->ahead, worst = 0, size = 0;
  size_t unknowns = b->problem.n;
  int rc, slides = -1;
  for (int i = 0; i < n; i++)
    if (b->w.side[set[i]] == NS_BRANCH_SLIDES) slides = i;
  if (slides < 0) return NS_OK;
  for (int i = 0; i < n; i++) b->w.value[set[i]] = b->base[set[i]];
  if ((rc = b->outer.rate(b->outer.of, b->t, b->at, b->f0))) return rc;
  memcpy(mix, b->f0, unknowns * sizeof *mix);
  for (int i = 0; i < n; i++) {
    b->w.value[set[i]] = b->base[set[i]] + 1;
    if ((rc = b->outer.rate(b->outer.of, b->t, b->at, b->f1))) return rc;
    for (size_t j = 0; j < unknowns; j++) {
      mix[j] += b->alpha[i] * (b->f1[j] - b->f0[j]);
      size = fmax(size, fabs(b->f1[j] - b->f0[j]));
    }
    b->w.value[set[i]] = b->base[set[i]];
  }
  for (int i = 0; i < n; i++) b->w.value[set[i]] = b->base[set[i]] + b->alpha[i];
  if ((rc = b->outer.rate(b->outer.of, b->t, b->at, b->f1))) return rc;
  for (size_t j = 0; j < unknowns; j++)
    if (b->problem.atol[j] < NS_FLOW_FREE)
      worst = fmax(worst, fabs(mix[j] - b->f1[j]) - 1e-9 * fabs(mix[j]));
  if (worst <= 1e-6 * size) return NS_OK;
  return refuse(
      b, (size_t)set[slides],
      "both sides push towards the jump, so that the motion slides along it, but the formula is "
      "not affine in its discontinuous part: its value in between is not defined",
      "write the discontinuous part as a factor of a separate term, as a law (<RelayNSL/>), or as "
      "a smooth formula");
}

static int decide_set(ns_branches *b, int n)
{
  unsigned char done[256] = {0};
  int rc = ns_branch_response(b, b->t, b->at, b->set, n);
  if (rc > 0)
    return refuse(b, (size_t)b->set[0], "the motion cannot be evaluated there",
                  "look at the formulas of that element");
  for (int i = 0; i < n && !rc; i++) {
    group g;
    if (done[i]) continue;
    if (!gather(b, done, n, i, &g))
      return refuse(b, (size_t)b->set[i],
                    "more than 6 formulas that affect each other are at their jumps at once",
                    "write the discontinuous part as a law (<RelayNSL/>)");
    rc = decide_group(b, &g, n);
  }
  if (!rc) rc = check_affine(b, b->set, n);
  for (int i = 0; i < n && !rc; i++) b->w.value[b->set[i]] = b->base[b->set[i]] + b->alpha[i];
  return rc;
}

/* 1 where sigma of other switches of the state jumps with switch k: what they are on its other side
 * is not known before it goes there. */
static int is_read(ns_branches *b, size_t k)
{
  b->w.value[k] = b->base[k];
  ns_branch_look(b, b->t, b->at, NULL);
  ns_gather((size_t)b->nstate, b->sigma, b->state, b->aside);
  b->w.value[k] = b->base[k] + 1;
  ns_branch_look(b, b->t, b->at, NULL);
  for (int i = 0; i < b->nstate; i++) {
    size_t j = (size_t)b->state[i];
    if (j != k && fabs(b->sigma[j] - b->aside[i]) > ns_branch_noise(b, j, b->at)) return 1;
  }
  return 0;
}

/* Stairs that have come to a whole number: 1 where both sides push back to it, so that the motion
 * may slide there; < 0: an error. */
static int turns_back(ns_branches *b, size_t k, int to)
{
  const double value = b->w.value[k];
  const int set = (int)k;
  b->base[k] = to == NS_BRANCH_UPPER ? value : value - 1;
  int alone = !is_read(b, k), rc = alone ? ns_branch_response(b, b->t, b->at, &set, 1) : 0;
  b->w.value[k] = value;
  if (rc || !alone) return rc < 0 ? rc : 0;
  double min = NOTHING * (b->size[k] > 0 ? b->size[k] : 1);
  return b->s0[0] > min && b->s0[0] + b->J[0] < -min;
}

/* Stairs go on by one, what leaves a sliding motion goes where it leaves to: nothing is to be
 * decided. 0: something is; < 0: an error. */
static int follow(ns_branches *b, size_t k)
{
  int to = b->leaves[k] - 1, slides = b->w.side[k] == NS_BRANCH_SLIDES;
  if (to < 0) return 0;
  if (ns_branch_switch(&b->w, k)->kind == NS_SWITCH_STAIRS && !slides) {
    int back = turns_back(b, k, to);
    if (back > 0) b->w.side[k] = to == NS_BRANCH_UPPER ? NS_BRANCH_LOWER : NS_BRANCH_UPPER;
    else if (!back) b->w.value[k] += to == NS_BRANCH_UPPER ? 1 : -1;
    return back < 0 ? back : !back;
  }
  b->w.value[k] = b->base[k] + to;
  b->w.side[k] = to;
  return 1;
}

/* Whether switch k is one of those whose modes are to be found together; < 0: an error. */
static int is_open(ns_branches *b, size_t k)
{
  int slides = b->w.side[k] == NS_BRANCH_SLIDES, pending = b->pending[k];
  if (!pending) return slides;
  int leaves = b->leaves[k] > 0, followed = follow(b, k);
  if (followed) return followed < 0 ? followed : 0;
  return slides || leaves || ns_branch_switch(&b->w, k)->kind != NS_SWITCH_STAIRS;
}

int ns_branch_decide(ns_branches *b)
{
  int n = 0;
  for (int i = 0; i < b->nstate; i++) {
    size_t k = (size_t)b->state[i];
    int open = is_open(b, k);
    if (open < 0) return open;
    if (!open) continue;
    if (n == b->many)
      return refuse(b, k, "more formulas than can be decided together are at their jumps at once",
                    "write the discontinuous part as a law (<RelayNSL/>)");
    b->set[n++] = (int)k;
  }
  int rc = n ? decide_set(b, n) : NS_OK;
  for (int i = 0; i < b->nstate; i++)
    b->pending[b->state[i]] = b->unsided[b->state[i]] = b->leaves[b->state[i]] = 0;
  b->npending = 0;
  ns_branch_list_slides(b);
  return rc;
}
