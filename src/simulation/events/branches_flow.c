/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/vector.h"
#include "simulation/events/branches_parts.h"

#include "algebra/dense.h"
#include "model/foreign.h"
#include "model/relations/rigid_relation.h"
#include "model/systems/mechanics.h"
#include "model/systems/rigid_force.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- sigma and its rate ---------------------------------------------------------------------- */

/* v of the unknowns, where they have one. */
static const double *velocities(const ns_branches *b, const double *x)
{
  return b->problem.ncoord ? x + b->problem.ncoord : NULL;
}

/* Positions, where their unknowns are displacements; quaternions by their norm, as formulas see
 * them. */
static const double *positions(const ns_branches *b, const double *x)
{
  const double *origin = b->problem.origin;
  if (origin) ns_linear_sum(b->problem.ncoord, origin, 1, x, b->place);
  if (b->problem.curved && origin) ns_mechanics_normalise(b->m, b->place);
  return origin ? b->place : x;
}

/* Unknown of a variable of an owner. */
static size_t unknown(const ns_branches *b, const ns_frozen_owner *o, const ns_frozen_switch *s,
                      int i)
{
  int others = s->bank[i] == NS_BANK_FOREIGN, k = s->index[i];
  int bank = others ? (int)o->others->of[k].bank : s->bank[i];
  size_t at = others ? o->others->at[k] : ns_frozen_place(b->w.z, o, bank, k);
  return bank == NS_BANK_V ? b->problem.ncoord + at : at;
}

/* ---- variables of joints and lines ----------------------------------------------------------- */

static const ns_foreign_variable *other(const ns_frozen_owner *o, const ns_frozen_switch *s, int i)
{
  return s->bank[i] == NS_BANK_FOREIGN ? &o->others->of[s->index[i]] : NULL;
}

static int is_between(const ns_frozen_owner *o, const ns_frozen_switch *s, int i)
{
  const ns_foreign_variable *x = other(o, s, i);
  return x ? x->of != NS_OF_SYSTEM : s->bank[i] == NS_BANK_JOINT;
}

/* Coordinates of the owner's joint or line; behind them are their rates. */
static int coordinates(const ns_frozen_owner *o)
{
  return o->joint ? ns_interaction_angles(o->joint) : ns_body_force_coordinates(o->line);
}

static int is_rate(const ns_frozen_owner *o, const ns_frozen_switch *s, int i)
{
  const ns_foreign_variable *x = other(o, s, i);
  return x ? x->bank == NS_BANK_V : s->index[i] >= coordinates(o);
}

/* Bodies that variable i, of a joint or a line, is made of. */
static int bodies(const ns_branches *b, const ns_frozen_owner *o, const ns_frozen_switch *s, int i,
                  int of[NS_FOREIGN_SYSTEMS])
{
  const ns_foreign_variable *x = other(o, s, i);
  if (x) return ns_foreign_systems(b->m, x, of);
  int n = o->joint ? o->joint->nsystems : o->line->nsystems;
  memcpy(of, o->joint ? o->joint->systems : o->line->systems, (size_t)n * sizeof *of);
  return n;
}

/* How large their positions or velocities are: those of others may have any unit. */
static double reach(const ns_branches *b, const ns_frozen_owner *o, const ns_frozen_switch *s,
                    int i, const double *x)
{
  int of[NS_FOREIGN_SYSTEMS], n = bodies(b, o, s, i, of), rate = is_rate(o, s, i);
  const double *from = rate ? velocities(b, x) : positions(b, x);
  double size = 0;
  for (int k = 0; k < n; k++) {
    const ns_system *y = &b->m->systems[of[k]];
    size = fmax(size, ns_max_abs((size_t)(rate ? y->n : y->nq), from + (rate ? y->v : y->q)));
  }
  return size;
}

static double fastest_of(size_t n, const double *x, const double *f)
{
  double fastest = 0;
  for (size_t i = 0; i < n; i++) fastest = fmax(fastest, fabs(f[i]) / (1 + fabs(x[i])));
  return fastest;
}

/* The largest rate of what they move by, in parts of its size. */
static double rate_of_bodies(const ns_branches *b, const ns_frozen_owner *o,
                             const ns_frozen_switch *s, int i, const double *x, const double *f)
{
  int of[NS_FOREIGN_SYSTEMS], n = bodies(b, o, s, i, of);
  double fastest = 0;
  for (int k = 0; k < n; k++) {
    const ns_system *y = &b->m->systems[of[k]];
    size_t v = b->problem.ncoord + y->v;
    fastest = fmax(fastest, fastest_of((size_t)y->nq, x + y->q, f + y->q));
    fastest = fmax(fastest, fastest_of((size_t)y->n, x + v, f + v));
  }
  return fastest;
}

static double value_at(const ns_frozen_switch *s, int i, const ns_point *p)
{
  return s->bank[i] == NS_BANK_FOREIGN ? p->z[p->nz + s->index[i]] : p->angle[s->index[i]];
}

/* The point of an owner at x + dt f; f NULL: at x. */
static ns_point point_along(ns_branches *b, const ns_frozen_owner *o, double t, const double *x,
                            const double *f, double dt, double *bank)
{
  double *moved = b->between.x;
  for (size_t i = 0; i < b->problem.n; i++) moved[i] = x[i] + (f ? dt * f[i] : 0);
  return ns_frozen_point(b->w.z, o, t, positions(b, moved), velocities(b, moved), b->w.user,
                         b->w.angle, bank);
}

/* A moment in which none of their bodies moves by more than a millionth of its size, by differences
 * over which rates of joints and lines are known to 1e-10. */
static void look_around(ns_branches *b, const ns_frozen_owner *o, double t, const double *x,
                        const double *f)
{
  static const double LITTLE = 1e-6;
  ns_branch_between *k = &b->between;
  size_t capacity = b->w.z->bank + 1;
  double fastest = 0;
  for (int i = 0; i < o->of->n; i++) {
    const ns_frozen_switch *s = &o->of->item[i];
    for (int j = 0; j < s->nvars && !s->known; j++)
      if (is_between(o, s, j)) fastest = fmax(fastest, rate_of_bodies(b, o, s, j, x, f));
  }
  k->moment = fastest > 0 ? LITTLE / fastest : LITTLE;
  k->at = point_along(b, o, t, x, NULL, 0, k->bank);
  k->before = point_along(b, o, t, x, f, -k->moment, k->bank + capacity);
  k->after = point_along(b, o, t, x, f, k->moment, k->bank + 2 * capacity);
}

/* d/dt of variable i: of a coordinate its rate. */
static double rate_between(const ns_branches *b, const ns_frozen_owner *o,
                           const ns_frozen_switch *s, int i, const double *x)
{
  const ns_branch_between *k = &b->between;
  const ns_foreign_variable *of = other(o, s, i);
  if (is_rate(o, s, i))
    return (value_at(s, i, &k->after) - value_at(s, i, &k->before)) / (2 * k->moment);
  if (!of) return k->at.angle[s->index[i] + coordinates(o)];
  ns_foreign_variable rate = *of;
  rate.bank = NS_BANK_V;
  return ns_foreign_between(&b->w.z->model, &rate, positions(b, x), velocities(b, x), b->w.angle,
                            NULL, NULL);
}

/* ---- rates of sigma -------------------------------------------------------------------------- */

static void rate_of(ns_branches *b, size_t k, const double *slope, const double *x, const double *f)
{
  const ns_frozen_owner *o = ns_branch_owner(&b->w, k);
  const ns_frozen_switch *s = ns_branch_switch(&b->w, k);
  const double *d = slope + s->slope;
  double sum = d[0], size = fabs(d[0]);
  for (int i = 0; i < s->nvars; i++) {
    double rate = is_between(o, s, i) ? rate_between(b, o, s, i, x) : f[unknown(b, o, s, i)];
    double term = d[1 + i] * rate;
    sum += term;
    size += fabs(term);
  }
  b->slope[k] = sum;
  b->size[k] = size;
}

void ns_branch_look(ns_branches *b, double t, const double *x, const double *f)
{
  const ns_frozen *z = b->w.z;
  for (int i = 0; i < z->nowners; i++) {
    const ns_frozen_owner *o = &z->owner[i];
    int some = 0;
    for (int k = 0; k < o->of->n; k++) some = some || !o->of->item[k].known;
    if (!some) continue;
    ns_branch_sigma(&b->w, o, t, positions(b, x), velocities(b, x));
    memcpy(b->sigma + o->first, b->w.out, (size_t)o->of->n * sizeof *b->sigma);
    if (!f) continue;
    ns_branch_slope(&b->w, o, t, positions(b, x), velocities(b, x));
    if (o->between) look_around(b, o, t, x, f);
    for (int k = 0; k < o->of->n; k++)
      if (!o->of->item[k].known) rate_of(b, o->first + (size_t)k, b->w.out, x, f);
  }
}

double ns_branch_noise(const ns_branches *b, size_t k, const double *x)
{
  const ns_event_driven_options *opt = b->problem.options;
  const ns_frozen_owner *o = ns_branch_owner(&b->w, k);
  const ns_frozen_switch *s = ns_branch_switch(&b->w, k);
  double noise = 0;
  ns_branch_slope(&b->w, o, b->t, positions(b, x), velocities(b, x));
  for (int i = 0; i < s->nvars; i++) {
    double size, atol = opt->atol; /* or less, but not what rounding adds to it */
    if (is_between(o, s, i)) size = reach(b, o, s, i, x);
    else {
      size_t at = unknown(b, o, s, i);
      size = fabs(x[at]);
      atol = fmin(atol, b->problem.atol[at]);
    }
    noise += fabs(b->w.out[s->slope + 1 + i]) * (atol + opt->rtol * size);
  }
  return noise;
}

/* ---- rates ----------------------------------------------------------------------------------- */

void ns_branch_list_slides(ns_branches *b)
{
  b->nslides = 0;
  for (int i = 0; i < b->nstate; i++)
    if (b->w.side[b->state[i]] == NS_BRANCH_SLIDES && b->nslides < b->many)
      b->slides[b->nslides++] = b->state[i];
}

/* A trial point beyond the domain of a frozen formula, as sqrt(x) of if(x > 0, sqrt(x), 0): there
 * the formula is taken as it is written. */
static int as_written(ns_branches *b, double t, const double *x, double *f)
{
  ns_gather((size_t)b->nstate, b->w.value, b->state, b->kept);
  ns_branch_look(b, t, x, NULL);
  for (int i = 0; i < b->nstate; i++) {
    size_t k = (size_t)b->state[i];
    double sigma = b->sigma[k];
    if (b->w.side[k] == NS_BRANCH_SLIDES || isnan(sigma)) continue;
    b->w.value[k] = ns_branch_switch(&b->w, k)->kind == NS_SWITCH_STAIRS ? floor(sigma) : sigma > 0;
  }
  int rc = b->outer.rate(b->outer.of, t, x, f);
  ns_scatter((size_t)b->nstate, b->kept, b->state, b->w.value);
  return rc;
}

/* Rates of the problem with the branches in force, where some slide with values that keep their
 * sigma. */
static int branch_rate(void *self, double t, const double *x, double *f)
{
  ns_branches *b = self;
  int n = b->nslides, rc = n ? ns_branch_response(b, t, x, b->slides, n) : NS_OK;
  if (rc) return rc;
  for (int i = 0; i < n; i++) b->alpha[i] = -b->s0[i];
  if (!ns_dense_eliminate(n, b->J, n, 0, b->alpha)) return 1;
  for (int i = 0; i < n; i++) b->w.value[b->slides[i]] = b->base[b->slides[i]] + b->alpha[i];
  rc = b->outer.rate(b->outer.of, t, x, f);
  return rc > 0 && b->nstate ? as_written(b, t, x, f) : rc;
}

/* Two of each switch of the state: sigma from its side and, of stairs, from both; of one that
 * slides the distances from both. */
static int roots_of_switches(ns_branches *b, double t, const double *x, double *g)
{
  static const double MIN = 1e-12; /* B begins at a bound, too */
  int rc = b->nslides ? branch_rate(b, t, x, b->f1) : NS_OK;
  ns_branch_look(b, t, x, NULL);
  for (int i = 0; i < b->nstate; i++, g += 2) {
    size_t k = (size_t)b->state[i];
    double sigma = b->sigma[k], B = b->w.value[k], side = b->w.side[k];
    g[1] = 1;
    if (side == NS_BRANCH_SLIDES) {
      g[0] = B - b->base[k] + MIN;
      g[1] = 1 - (B - b->base[k]) + MIN;
    } else if (ns_branch_switch(&b->w, k)->kind == NS_SWITCH_STAIRS) {
      g[0] = sigma - B + b->below[k];
      g[1] = B + 1 - sigma + b->below[k];
    } else g[0] = (side == NS_BRANCH_UPPER ? sigma : -sigma) + b->below[k];
    if (!isfinite(g[0])) g[0] = 1;
    if (!isfinite(g[1])) g[1] = 1;
  }
  return rc;
}

static int look_within(void *of, double t, double *g)
{
  ns_branches *b = of;
  double from, to;
  b->inner->span(b->flow, &from, &to);
  if (!(t >= from && t <= to)) return 1;
  int rc = b->inner->dense(b->flow, b->c, t, 0, b->within);
  return rc ? rc : roots_of_switches(b, t, b->within, g);
}

/* Formulas may pass their jumps twice within a step: max(0, v u) where v and u go through 0. */
static int roots(void *self, double t, const double *x, double *g)
{
  ns_branches *b = self;
  int rc = b->outer.nroots ? b->outer.roots(b->outer.of, t, x, g) : NS_OK;
  if (rc || !b->nstate) return rc;
  g += b->outer.nroots;
  rc = roots_of_switches(b, t, x, g);
  return rc ? rc : ns_step_roots_apply(&b->dips, t, g);
}

static int outdates(void *self, const double *x0, const double *x)
{
  const ns_branches *b = self;
  return b->outer.outdates(b->outer.of, x0, x);
}

static int parts(void *self, int *part)
{
  const ns_branches *b = self;
  return b->outer.parts(b->outer.of, part);
}

static int inspect(void *self, double from, double to, double *root)
{
  ns_branches *b = self;
  int rc = b->outer.inspect(b->outer.of, from, to, root);
  b->inspected = rc > 0;
  return rc;
}

static const char *name(void *self, size_t i, char *buf, size_t size)
{
  const ns_branches *b = self;
  return b->outer.name(b->outer.of, i, buf, size);
}

static const char *place(void *self, size_t i, char *buf)
{
  const ns_branches *b = self;
  return b->outer.place(b->outer.of, i, buf);
}

static int blame(void *self, ns_ctx *c, double t, const double *x, double within)
{
  const ns_branches *b = self;
  return b->outer.blame(b->outer.of, c, t, x, within);
}

static int jacobian(void *self, double t, const double *x, double *value, long long *rates)
{
  ns_branches *b = self;
  return b->outer.jacobian(b->outer.of, t, x, value, rates);
}

static int hold(void *self, double t, const double *x, size_t *rows, size_t *positions,
                double *lambda, double *f)
{
  ns_branches *b = self;
  return b->outer.constraints->hold(b->outer.of, t, x, rows, positions, lambda, f);
}

static int motion(void *self, double t, const double *x, const double *lambda, const double *mu,
                  double *f, double *y, double *ydot, double *yddot)
{
  ns_branches *b = self;
  return b->outer.constraints->motion(b->outer.of, t, x, lambda, mu, f, y, ydot, yddot);
}

/* ---- the flow -------------------------------------------------------------------------------- */

/* Where what jumps at an event leaves nothing between: to be decided again. */
static int check_slides(ns_branches *b)
{
  static const double BEYOND = 1e-9;
  int rc = b->nslides ? branch_rate(b, b->t, b->at, b->f1) : NS_OK;
  for (int i = 0; i < b->nslides && !rc; i++) {
    size_t k = (size_t)b->slides[i];
    double B = b->w.value[k] - b->base[k];
    if (B >= -BEYOND && B <= 1 + BEYOND) continue;
    b->npending += !b->pending[k];
    b->pending[k] = 1;
  }
  return rc < 0 ? rc : NS_OK;
}

/* What begins at 0, or where rounding left it on the other side, has its root a little beyond. */
static void note_starts(ns_branches *b)
{
  static const double BELOW = 1e-3; /* of what the flow's tolerance leaves of sigma */
  ns_branch_look(b, b->t, b->at, NULL);
  for (int i = 0; i < b->nstate; i++) {
    size_t k = (size_t)b->state[i];
    const ns_frozen_switch *s = ns_branch_switch(&b->w, k);
    double sigma = b->sigma[k], B = b->w.value[k], beyond,
           min = BELOW * ns_branch_noise(b, k, b->at);
    if (b->w.side[k] == NS_BRANCH_SLIDES) beyond = 0;
    else if (s->kind == NS_SWITCH_STAIRS) beyond = fmax(B - sigma, sigma - B - 1);
    else beyond = b->w.side[k] == NS_BRANCH_UPPER ? -sigma : sigma;
    b->below[k] = beyond >= -min ? min + 2 * fmax(0, beyond) : 0;
    b->shallow[2 * i] = b->shallow[2 * i + 1] = b->w.side[k] == NS_BRANCH_SLIDES ? 0 : min;
  }
}

static int restart(void *self, ns_ctx *c, double t, const double *x, const signed char *direction)
{
  ns_branches *b = self;
  int own = b->outer.nroots;
  b->c = c;
  memcpy(b->at, x, b->problem.n * sizeof *x);
  b->t = t;
  if (own) memcpy(b->direction, direction, (size_t)own);
  memset(b->direction + own, -1, 2 * (size_t)b->nstate);
  b->problem.longest_first = b->driver->longest_first;
  b->problem.begins_stiff = b->driver->begins_stiff;
  b->problem.coarsest = b->driver->coarsest;
  b->inspected = 0;
  ns_branch_list_slides(b);
  int rc = check_slides(b);
  if (rc) return rc;
  note_starts(b);
  ns_step_roots_forget(&b->dips);
  return b->inner->restart(b->flow, c, t, b->at, b->direction);
}

/* Roots of the switches: what is to be decided. 1: some root is the driver's. */
static int sort_roots(ns_branches *b)
{
  const int *fired = b->inner->fired(b->flow);
  int driver = b->inspected, own = b->outer.nroots;
  b->inspected = 0;
  for (int i = 0; i < own; i++) driver = driver || fired[i];
  for (int i = 0; i < b->nstate; i++) {
    int low = fired[own + 2 * i], high = fired[own + 2 * i + 1];
    size_t k = (size_t)b->state[i];
    if (!low && !high) continue;
    b->npending += !b->pending[k];
    b->pending[k] = 1;
    if (b->w.side[k] == NS_BRANCH_SLIDES)
      b->leaves[k] = low ? 1 + NS_BRANCH_LOWER : 1 + NS_BRANCH_UPPER;
    else if (ns_branch_switch(&b->w, k)->kind == NS_SWITCH_STAIRS)
      b->leaves[k] = low ? 1 + NS_BRANCH_LOWER : 1 + NS_BRANCH_UPPER;
  }
  return driver;
}

/* So near to a known time that a flow could not begin: one step by the midpoint. */
static int creep(ns_branches *b, double end, double *t, double *x)
{
  double from = b->t, h = end - from; /* the time of the state may have been rounded to the grid */
  size_t n = b->problem.n;
  int rc = branch_rate(b, from, x, b->f1);
  for (size_t i = 0; i < n && !rc; i++) b->at[i] = x[i] + h / 2 * b->f1[i];
  if (!rc) rc = branch_rate(b, from + h / 2, b->at, b->f1);
  if (!rc) ns_axpy(n, h, b->f1, x);
  *t = end;
  return rc < 0 ? rc : NS_OK;
}

/* No formula has come to another side without an event: what the certificate, which travels with
 * the same branches, cannot see. */
static int check_sides(ns_branches *b)
{
  static const double FAR = 1e4; /* of what the flow's tolerance leaves of sigma */
  ns_branch_look(b, b->t, b->at, NULL);
  for (int i = 0; i < b->nstate; i++) {
    size_t k = (size_t)b->state[i];
    double side = b->w.side[k], beyond = side == NS_BRANCH_UPPER ? -b->sigma[k] : b->sigma[k];
    int stairs = ns_branch_switch(&b->w, k)->kind == NS_SWITCH_STAIRS;
    if (stairs || side == NS_BRANCH_SLIDES || b->pending[k] || !(beyond > 0)) continue;
    if (beyond > FAR * ns_branch_noise(b, k, b->at)) return ns_branch_unnoticed(b, k);
  }
  return NS_OK;
}

static int advance(void *self, ns_ctx *c, double end, double stop, double *t, double *x,
                   ns_flow_end *why)
{
  ns_branches *b = self;
  double due = ns_branches_next(b), to = fmin(end, due);
  int rc = NS_OK;
  b->c = c;
  *why = NS_FLOW_SWITCH;
  if (b->npending || due <= *t) return NS_OK;
  if (to == due && due - *t <= 4096 * DBL_EPSILON * fmax(fabs(*t), fabs(due)))
    rc = creep(b, to, t, x);
  else rc = b->inner->advance(b->flow, c, to, fmin(stop, due), t, x, why);
  memcpy(b->at, x, b->problem.n * sizeof *x);
  b->t = *t;
  if (rc) return rc;
  /* branches that slide are those here, not of the last trial */
  if (b->nslides) rc = branch_rate(b, *t, x, b->f1);
  if (*why == NS_FLOW_ROOT) *why = sort_roots(b) ? NS_FLOW_ROOT : NS_FLOW_SWITCH;
  else if (to == due && *t >= to) *why = NS_FLOW_SWITCH;
  if (*why == NS_FLOW_SWITCH && to == due && !b->npending) *t = b->t = due;
  if (*why == NS_FLOW_REACHED && b->nstate && !rc) rc = check_sides(b);
  return rc < 0 ? rc : NS_OK;
}

static const int *fired(const void *self)
{
  const ns_branches *b = self;
  return b->inner->fired(b->flow);
}

static int dense(void *self, ns_ctx *c, double t, int k, double *x)
{
  ns_branches *b = self;
  return b->inner->dense(b->flow, c, t, k, x);
}

static void span(const void *self, double *from, double *to)
{
  const ns_branches *b = self;
  b->inner->span(b->flow, from, to);
}

static void work(const void *self, ns_flow_work *w)
{
  const ns_branches *b = self;
  b->inner->work(b->flow, w);
}

static void destroy(void *self)
{
  ns_branches *b = self;
  if (b && b->inner) b->inner->destroy(b->flow);
}

static int keeps(const void *self)
{
  const ns_branches *b = self;
  return b->inner->keeps && b->inner->keeps(b->flow);
}

static double first(const void *self)
{
  const ns_branches *b = self;
  return b->inner->first ? b->inner->first(b->flow) : 0;
}

static void pass(ns_branches *b, ns_blob *blob, int restore)
{
  const ns_kept list[] = {{&b->npending, sizeof b->npending},
                          {b->pending, b->n},
                          {b->unsided, b->n},
                          {b->leaves, b->n},
                          {b->base, b->n * sizeof *b->base},
                          {b->seen, b->m->nz * sizeof *b->seen}};
  ns_blob_pass(blob, restore, list, sizeof list / sizeof *list);
}

static void save(const void *self, ns_blob *blob)
{
  const ns_branches *b = self;
  pass((ns_branches *)b, blob, 0);
  b->inner->memory->save(b->flow, blob);
}

static void restore(void *self, ns_blob *blob)
{
  ns_branches *b = self;
  pass(b, blob, 1);
  ns_branch_list_slides(b);
  b->inner->memory->restore(b->flow, blob);
}

static const ns_memory memory = {.save = save, .restore = restore};

/* Memory for variables of joints and lines, where there are some. */
static int get_between(ns_branches *b)
{
  const ns_frozen *z = b->w.z;
  int some = 0;
  for (int i = 0; i < z->nowners; i++) some |= z->owner[i].between;
  if (!some) return NS_OK;
  b->between.x = ns_arena_zero(b->mem, b->problem.n + 1, sizeof(double));
  b->between.bank = ns_arena_zero(b->mem, 3 * (z->bank + 1), sizeof(double));
  return b->between.x && b->between.bank ? NS_OK : NS_NOMEM;
}

static int bends(const ns_branches *b, size_t k, unsigned char *to)
{
  const ns_frozen_owner *o = ns_branch_owner(&b->w, k);
  const ns_frozen_switch *s = ns_branch_switch(&b->w, k);
  unsigned banks = 0;
  for (int i = 0; i < s->nvars; i++) banks |= 1u << s->bank[i];
  return ns_root_bends(b->m, o->of->sigma, banks, (int)(k - o->first), to);
}

static int get_roots(ns_branches *b)
{
  size_t n = 2 * (size_t)b->nstate + 1, d = sizeof(double);
  const ns_array want[] = {{&b->within, b->problem.n, d}, {&b->shallow, n, d}, {&b->bends, n, 1}};
  if (ns_arena_arrays(b->mem, want, sizeof want / sizeof *want)) return NS_NOMEM;
  for (int i = 0; i < b->nstate; i++) {
    if (bends(b, (size_t)b->state[i], &b->bends[2 * i])) return NS_NOMEM;
    b->bends[2 * i + 1] = b->bends[2 * i];
  }
  b->dips = (ns_step_roots){.of = b,
                            .look = look_within,
                            .shallow = b->shallow,
                            .bends = b->bends,
                            .n = 2 * b->nstate,
                            .either = 2 * b->nstate,
                            .widest = b->m->sim.ts.h};
  return ns_step_roots_init(&b->dips, b->mem);
}

int ns_branches_flow(ns_branches *b, ns_ctx *c, const ns_flow_problem *p, const ns_flow_ops **ops,
                     void **flow)
{
  if (!b) return (*ops)->create(c, p, flow);
  *flow = NULL;
  b->outer = b->problem = *p;
  b->problem.of = b;
  b->problem.nroots += 2 * b->nstate;
  b->problem.rate = branch_rate;
  b->problem.roots = roots;
  b->problem.name = name;
  b->problem.place = place;
  if (p->blame) b->problem.blame = blame;
  if (p->jacobian) b->problem.jacobian = jacobian;
  if (p->inspect) b->problem.inspect = inspect;
  if (p->outdates) b->problem.outdates = outdates;
  if (p->parts) b->problem.parts = parts;
  b->driver = p;
  if (p->constraints) {
    b->constraints = (ns_flow_constraints){
        .max = p->constraints->max, .hold = hold, .motion = motion};
    b->problem.constraints = &b->constraints;
  }
  size_t d = sizeof(double), n = p->n;
  const ns_array want[] = {{&b->f0, n, d},
                           {&b->f1, n, d},
                           {&b->ahead, n, d},
                           {&b->at, n, d},
                           {&b->place, p->ncoord, d},
                           {&b->direction, (size_t)b->problem.nroots, 1}};
  if (ns_arena_arrays(b->mem, want, sizeof want / sizeof *want) || get_roots(b) || get_between(b))
    return ns_nomem(c, "branches of formulas");
  b->inner = *ops;
  int rc = b->inner->create(c, &b->problem, &b->flow);
  if (rc) {
    b->inner = NULL;
    return rc;
  }
  b->ops = *b->inner;
  b->ops.restart = restart;
  b->ops.advance = advance;
  b->ops.fired = fired;
  b->ops.dense = dense;
  b->ops.span = span;
  b->ops.work = work;
  b->ops.destroy = destroy;
  b->ops.memory = b->inner->memory ? &memory : NULL;
  b->ops.keeps = b->inner->keeps ? keeps : NULL;
  b->ops.first = b->inner->first ? first : NULL;
  *ops = &b->ops;
  *flow = b;
  ns_branch_begin(b);
  return NS_OK;
}

void ns_branches_forget(ns_branches *b)
{
  if (b) ns_step_roots_forget(&b->dips);
}

const ns_flow_problem *ns_branches_problem(const ns_branches *b, const ns_flow_problem *p)
{
  return b ? &b->problem : p;
}
