/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which contacts stick and which slip: the problem of accelerations, over the active rows,
 *
 *   0 <= yddot_n _|_ lambda_n >= 0
 *   at rest along the plane:  -yddot_t in N(lambda_t) of the disc of radius mu lambda_n; its
 *   solution is stick, or the begin of
 *                             slip along yddot_t
 *   sliding along s:          lambda_t = -mu lambda_n s, which leaves a row of the normal, whose
 *   column is H_n - mu sum s_t H_t
 *   rolling friction          the same for relative angular velocities and the disc of mu_r
 *   lambda_n; what rolls and slides, or does one of both, leaves the rows that are at rest
 *   relays                    the same as at rest with bounds of lambda, of the ball of radius ub
 *                             where their rows are one vector; those that move are known forces
 *
 * (Glocker & Pfeiffer 1996, ch. 6; Acary & Brogliato 2008, ch. 8). It is a mechanical problem
 * (problems/mechanical.h), not symmetric where something slides. What it says of modes counts, not
 * its numbers: the flow has those of its own. */
#include "algebra/vector.h"
#include "simulation/events/event_driven_modes.h"

#include "base/grow.h"
#include "problems/mechanical.h"

#include <stdlib.h>
#include <string.h>

static const double CONE = 1e-6;   /* relative: friction that is at its bound */
static const double SOLVED = 1e-8; /* residual that is accepted; what is asked for is far less */

/* What of a unit is in the problem: nothing, or its normal with rows of slip and of rolling; of
 * what is no contact with friction all of it. A unit has a block for each. */
enum { NORMAL, SLIP = 1, ROLLING = 2, WHOLE = SLIP | ROLLING, NONE };

/* Relays that are driven through rest, by constraints that they follow from, have forces far larger
 * than what these are to change, and they may not be found. Any mode will do then: where the motion
 * is another one, that is an event at a velocity that counts as none. Those that come to rest at
 * the event slide on through it; then those at rest stick. */
enum { ALL, PASSES, STICKS, NOTHING_MORE };

/* ---- memory ---------------------------------------------------------------------------------- */

/* Parts of unit u that may be in the problem, the j-th of them; how many rows they have. */
static int parts_of(const event_driven *o, int u)
{
  return ns_ed_rolls(o, u) ? 4 : 1 + ns_ed_is_friction(o, u);
}

static int nth_part(const event_driven *o, int u, int j)
{
  return ns_ed_rolls(o, u) ? j : j == 0 ? WHOLE : NORMAL;
}

static int rows_of(const event_driven *o, int u, int part)
{
  const ns_unit *k = &o->s.k->unit[u];
  int discs = (part & SLIP ? 1 : 0) + (part & ROLLING ? 1 : 0);
  if (part == WHOLE) return k->rows;
  return 1 + (ns_ed_rolls(o, u) ? discs * (k->rows / 2) : 0);
}

static int all_rows_of(const event_driven *o, int u)
{
  int n = 0;
  for (int j = 0; j < parts_of(o, u); j++) n += rows_of(o, u, nth_part(o, u, j));
  return n;
}

static size_t count_pairs(const event_driven *o, size_t *values)
{
  const ns_contacts *k = o->s.k;
  size_t pairs = 0;
  *values = 0;
  for (int u = 0; u < k->nunits; u++)
    for (int b = k->D.row[k->unit[u].first]; b < k->D.row[k->unit[u].first + 1]; b++) {
      int v = k->unit_of[k->D.col[b]];
      if (k->unit[v].first != k->D.col[b]) continue;
      pairs += (size_t)(parts_of(o, u) * parts_of(o, v));
      *values += (size_t)(all_rows_of(o, u) * all_rows_of(o, v));
    }
  return pairs;
}

static int get_memory(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  ns_ed_friction *f = &o->friction;
  size_t nu = (size_t)k->nunits, nb = 0, m = 0, d = sizeof(double);
  for (int u = 0; u < k->nunits; u++) {
    nb += (size_t)parts_of(o, u);
    m += (size_t)all_rows_of(o, u);
  }
  const ns_array want[] = {{&f->W.dim, nb, sizeof(int)},
                           {&f->W.first, nb, sizeof(int)},
                           {&f->W.row, nb, sizeof(int)},
                           {&f->kind, nb, 1},
                           {&f->block, nu, sizeof(int)},
                           {&f->unit, nb, sizeof(int)},
                           {&f->list, nb, sizeof(int)},
                           {&f->at, nu, sizeof(int)},
                           {&f->part, nu, 1},
                           {&f->mu, nb, d},
                           {&f->mu_rolling, nb, d},
                           {&f->lb, m, d},
                           {&f->ub, m, d},
                           {&f->q, m, d},
                           {&f->r, m, d},
                           {&f->u, m, d},
                           {&f->own_unit, m, d}};
  return ns_arena_arrays(o->run.mem, want, sizeof want / sizeof *want);
}

/* ---- the matrix ------------------------------------------------------------------------------ */

/* What of its unit block i of the list is. */
static int part_of_block(const event_driven *o, int i)
{
  int u = o->friction.unit[i];
  return nth_part(o, u, o->friction.list[i] - o->friction.block[u]);
}

/* Row j of block i, of the rows of its unit. */
static int row_of_block(const event_driven *o, int i, int j)
{
  int skips = part_of_block(o, i) == ROLLING && j > 0;
  return skips ? j + o->s.k->unit[o->friction.unit[i]].rows / 2 : j;
}

/* Sizes of the blocks in the list. */
static void lay_out(event_driven *o, int n)
{
  ns_ed_friction *f = &o->friction;
  const ns_contacts *k = o->s.k;
  f->W.first[0] = 0;
  for (int i = 0; i < n; i++) {
    int u = f->unit[i], part = part_of_block(o, i);
    f->W.dim[i] = rows_of(o, u, part);
    f->W.first[i + 1] = f->W.first[i] + f->W.dim[i];
    f->kind[i] = part == NORMAL ? NS_BLOCK_BOX : NS_BLOCK_FRICTION;
    if (part == WHOLE) f->kind[i] = k->unit[u].block;
    if (i == 0 || f->unit[i - 1] != u) f->at[u] = i;
  }
  f->W.nb = n;
  f->W.m = f->W.first[n];
}

/* Block (i, j) of the problem; b: where the columns of unit j begin in the first row of D of unit
 * i. */
static void block(event_driven *o, int i, int j, int b, double *val)
{
  const ns_contacts *k = o->s.k;
  const ns_unit *u = &k->unit[o->friction.unit[i]], *v = &k->unit[o->friction.unit[j]];
  int from = b - k->D.row[u->first], rows = o->friction.W.dim[i], cols = o->friction.W.dim[j];
  for (int c = 0; c < cols; c++)
    for (int r = 0; r < rows; r++) {
      const double *D = k->D.val + k->D.row[u->first + row_of_block(o, i, r)] + from;
      double a = D[row_of_block(o, j, c)];
      for (int t = 1; t < v->rows && c == 0; t++) a += o->slope[v->first + t] * D[t];
      val[r + c * rows] = a;
    }
}

/* The matrix of the n blocks in the list. */
static void gather(event_driven *o, int n)
{
  const ns_contacts *k = o->s.k;
  ns_ed_friction *f = &o->friction;
  int at = 0;
  size_t off = 0;
  lay_out(o, n);
  for (int i = 0; i < n; i++) {
    int first = k->unit[f->unit[i]].first;
    f->W.row[i] = at;
    for (int b = k->D.row[first]; b < k->D.row[first + 1]; b++) {
      int v = k->unit_of[k->D.col[b]];
      if (k->unit[v].first != k->D.col[b] || f->at[v] < 0) continue;
      for (int j = f->at[v]; j < n && f->unit[j] == v; j++) {
        f->W.col[at] = j;
        f->W.off[at++] = off;
        block(o, i, j, b, f->W.val + off);
        off += (size_t)(f->W.dim[i] * f->W.dim[j]);
      }
    }
  }
  f->W.row[n] = at;
  for (int i = 0; i < n; i++) f->at[f->unit[i]] = -1;
}

/* All blocks of units that D has rows for, which is what a solver is made for. */
static int make_solver(event_driven *o, ns_ctx *c)
{
  const ns_contacts *k = o->s.k;
  ns_ed_friction *f = &o->friction;
  size_t values, pairs = count_pairs(o, &values), room = f->pairs;
  int n = 0, units = k->by_active ? k->na : k->nunits;
  if (ns_reserve(&f->W.col, &room, pairs + 1) || ns_reserve(&f->W.off, &f->pairs, pairs + 1) ||
      ns_reserve(&f->W.val, &f->values, values + 1))
    return ns_nomem(c, "friction");
  for (int a = 0; a < units; a++) {
    int u = k->by_active ? k->active_unit[a] : a;
    f->block[u] = n;
    for (int i = 0; i < parts_of(o, u); i++, n++) f->list[n] = n, f->unit[n] = u;
  }
  gather(o, n);
  ns_mechanical_capacity cap = {.structure = &f->W, .kind = f->kind};
  ns_mechanical_options opt = ns_mechanical_defaults();
  opt.tol = 1e-12;
  f->layout = k->layouts;
  return ns_mechanical_solver_find("auto")->create(c, &cap, &opt, &f->solver);
}

static void drop_solver(ns_ed_friction *f)
{
  if (f->solver) ns_mechanical_solver_find("auto")->destroy(f->solver);
  f->solver = NULL;
}

int ns_ed_rest_create(event_driven *o, ns_ctx *c)
{
  if (get_memory(o)) return ns_nomem(c, "friction");
  ns_fill_ints((size_t)o->s.k->nunits, -1, o->friction.at);
  return o->s.k->by_active ? NS_OK : make_solver(o, c);
}

void ns_ed_friction_fini(event_driven *o)
{
  ns_ed_friction *f = &o->friction;
  drop_solver(f);
  ns_acceleration_fini(&f->straight);
  NS_FREE(f->W.col, f->W.off, f->W.val, f->C);
}

/* ---- the problem ----------------------------------------------------------------------------- */

/* The velocity of a disc counts as none: it has come to 0 here, and no impact of this event has
 * changed it. */
static int is_at_rest(const event_driven *o, int disc)
{
  const double *now = o->speed, *before = o->speed_before;
  int struck = 0, t = ns_ed_disc_first(o, disc);
  double speed = fabs(ns_ed_along(o, disc, now));
  int passes = o->friction.assumed >= PASSES && ns_ed_is_relay(o, ns_ed_unit_of(o, disc));
  if (speed <= ns_ed_slow(o, disc)) return !(passes && o->closing[t] && speed > 0);
  for (int r = t; r < ns_ed_disc_end(o, disc); r++)
    struck |= fabs(now[r] - before[r]) > ns_ed_slow(o, disc);
  return o->closing[t] && !struck;
}

/* A disc slides: its direction there. */
static void slide(event_driven *o, int disc)
{
  int t = ns_ed_disc_first(o, disc);
  ns_ed_friction_aim(o, disc, o->speed + t, 1);
  for (int r = t; r < ns_ed_disc_end(o, disc); r++)
    o->slope[r] = -ns_ed_mu(o, disc) * o->friction.toward[r];
}

/* What of an active unit is in the problem, the directions of what slides. */
static int part_of(event_driven *o, int u)
{
  const ns_unit *k = &o->s.k->unit[u];
  int friction = ns_ed_is_friction(o, u), part = ns_ed_rolls(o, u) ? NORMAL : ROLLING;
  memset(o->slope + k->first, 0, (size_t)k->rows * sizeof *o->slope);
  if (!ns_ed_is_tangential(o, k->first + friction)) return WHOLE;
  for (int d = u; d >= 0; d = ns_ed_next_disc(o, d)) {
    if (friction && !(ns_ed_mu(o, d) > 0)) continue;
    if (is_at_rest(o, d)) part |= d == u ? SLIP : ROLLING;
    else slide(o, d);
  }
  if (part == WHOLE || ns_ed_rolls(o, u)) return part;
  return friction ? NORMAL : NONE;
}

/* y := rhs + D x of the active rows; x [n]. */
static void accelerate(const event_driven *o, const double *x, double *y)
{
  const ns_contacts *k = o->s.k;
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    y[i] = o->rhs[i];
    for (int b = k->D.row[r]; b < k->D.row[r + 1]; b++)
      if (k->position[k->D.col[b]] >= 0) y[i] += k->D.val[b] * x[k->position[k->D.col[b]]];
  }
}

/* At the end of sticking there is next to nothing less: the problem does not have what held as a
 * solution. */
static double mu_of(const event_driven *o, int disc)
{
  static const double LESS = 1e-6;
  return ns_ed_mu(o, disc) * (o->friction.loads.ended[disc] == NS_LOADS_WEDGED ? 1 - LESS : 1);
}

/* Which of the blocks of unit u that part is. */
static int place_of_part(const event_driven *o, int u, int part)
{
  int j = 0;
  while (nth_part(o, u, j) != part) j++;
  return j;
}

/* Nothing moves what unit u acts on but prescribed velocities: no force changes its accelerations,
 * and its own are at the end of their range, or nothing. 1: these are in k->z; 0: it is one of the
 * problem, as what moves, or a law without such a force, which has no solution then. */
static int is_given(event_driven *o, int u, double nothing)
{
  const ns_contacts *k = o->s.k;
  const ns_unit *unit = &k->unit[u];
  double *z = k->z + k->position[unit->first], a = 0;
  const double *w = o->rhs + k->position[unit->first];
  int n = unit->rows, vector = ns_ed_is_relay(o, u) && n > 1;
  for (int j = 0; j < n; j++)
    if (ns_ed_diagonal(k, unit->first + j) != 0) return 0;
  for (int j = 0; j < n; j++) {
    double lb = k->lb[unit->first + j], ub = k->ub[unit->first + j];
    z[j] = fabs(w[j]) <= nothing ? fmax(lb, fmin(0, ub)) : w[j] < 0 ? ub : lb;
    if (!isfinite(z[j])) return 0;
  }
  if (vector) a = ns_ed_length(n, w);
  for (int j = 0; j < n && vector; j++) z[j] = a > nothing ? -k->ub[unit->first] * w[j] / a : 0;
  return 1;
}

/* A relay at rest that is taken to stick. */
static int is_left_to_stick(const event_driven *o, int u)
{
  return o->friction.assumed >= STICKS && ns_ed_is_relay(o, u) && o->friction.part[u] == WHOLE;
}

static void pose(event_driven *o)
{
  ns_contacts *k = o->s.k;
  ns_ed_friction *f = &o->friction;
  double nothing = 10 * NS_ED_NOTHING * ns_ed_size(o);
  int n = 0;
  memset(k->z, 0, (size_t)k->n * sizeof *k->z);
  for (int a = 0; a < k->na; a++) {
    int u = k->active_unit[a], first = k->unit[u].first;
    f->part[u] = (unsigned char)part_of(o, u);
    if (f->part[u] == WHOLE && is_given(o, u, nothing)) continue;
    if (is_left_to_stick(o, u)) continue;
    if (f->part[u] != NONE) {
      f->unit[n] = u;
      f->list[n++] = f->block[u] + place_of_part(o, u, f->part[u]);
      continue;
    }
    for (int r = first; r < first + k->unit[u].rows; r++)
      k->z[k->position[r]] = ns_ed_friction_bound(o, r);
  }
  accelerate(o, k->z, k->w);
  gather(o, n);
  for (int i = 0; i < n; i++) {
    int u = f->unit[i], first = k->unit[u].first, rolling = ns_ed_next_disc(o, u);
    f->mu_rolling[i] = rolling >= 0 ? mu_of(o, rolling) : 0;
    f->mu[i] = f->part[u] == ROLLING ? f->mu_rolling[i] : mu_of(o, u);
    for (int j = 0; j < f->W.dim[i]; j++) {
      int at = f->W.first[i] + j;
      f->q[at] = k->w[k->position[first + row_of_block(o, i, j)]];
      f->lb[at] = ns_ed_is_friction(o, u) ? 0 : k->lb[first + j];
      f->ub[at] = ns_ed_is_friction(o, u) ? INFINITY : k->ub[first + j];
      f->r[at] = 0;
    }
  }
  ns_row_units(&f->W, f->kind, f->own_unit, f->lb, f->ub, f->mu_rolling);
  for (int i = 0; i < f->W.m; i++) f->q[i] *= f->own_unit[i];
  f->scale = ns_ed_scale(f->q, f->W.m);
  for (int i = 0; i < f->W.m; i++) f->q[i] /= f->scale, f->lb[i] /= f->scale, f->ub[i] /= f->scale;
}

/* Forces of the solution to all active rows, accelerations from them. */
static void spread(event_driven *o)
{
  ns_contacts *k = o->s.k;
  const ns_ed_friction *f = &o->friction;
  for (int i = 0; i < f->W.m; i++) f->r[i] *= f->own_unit[i] * f->scale;
  for (int i = 0; i < f->W.nb; i++) {
    const ns_unit *u = &k->unit[f->unit[i]];
    const double *r = f->r + f->W.first[i];
    double *z = k->z + k->position[u->first];
    for (int j = 1; j < u->rows; j++) z[j] = o->slope[u->first + j] * r[0];
    for (int j = 0; j < f->W.dim[i]; j++) z[row_of_block(o, i, j)] = r[j];
  }
  accelerate(o, k->z, k->w);
}

/* ---- modes ----------------------------------------------------------------------------------- */

/* A relay at rest: whether lambda is at a bound and lets go, or has reached it. Where the bounds
 * are one number, which is at both, it goes where it is accelerated to. */
static void decide_relay(event_driven *o, int u, double nothing)
{
  const ns_contacts *k = o->s.k;
  int r = k->unit[u].first, i = k->position[r];
  double width = k->ub[r] - k->lb[r];
  double near = isfinite(width) ? CONE * width : CONE * fabs(k->z[i]) + o->slack[r];
  int lower = k->z[i] - k->lb[r] <= near, upper = k->ub[r] - k->z[i] <= near;
  double s = lower - upper;
  if (lower && upper) s = k->w[i] < 0 ? -1 : 1;
  if (o->friction.part[u] == NONE) {
    ns_ed_set(o, u, NS_ED_SLIP);
    return;
  }
  ns_ed_set(o, u,
            (lower || upper) && (fabs(k->w[i]) > nothing || o->opening[r]) ? NS_ED_SLIP
                                                                           : NS_ED_STICK);
  ns_ed_friction_aim(o, u, &s, 1);
}

/* A disc at rest, whose friction is at most `max`: stick, or slip along the acceleration; where
 * there is none yet, against the force. */
static void decide_slip(event_driven *o, int disc, double max, double nothing)
{
  const ns_contacts *k = o->s.k;
  int t = ns_ed_disc_first(o, disc);
  const double *z = k->z + k->position[t], *w = k->w + k->position[t];
  int n = ns_ed_disc_end(o, disc) - t;
  double force = ns_ed_length(n, z), moves = ns_ed_length(n, w);
  int bounded = force >= (1 - CONE) * max, slips = bounded && (moves > nothing || o->opening[t]);
  ns_ed_set(o, disc, slips ? NS_ED_SLIP : NS_ED_STICK);
  if (moves > nothing) ns_ed_friction_aim(o, disc, w, 1);
  else ns_ed_friction_aim(o, disc, z, -1);
}

/* A relay whose rows are one vector. */
static void decide_ball(event_driven *o, int u, double nothing)
{
  int r = o->s.k->unit[u].first;
  if (o->friction.part[u] == NONE) ns_ed_set(o, u, NS_ED_SLIP);
  else decide_slip(o, u, o->s.k->ub[r], nothing);
}

/* A disc of a closed contact. */
static void decide_disc(event_driven *o, int disc, double nothing)
{
  const ns_contacts *k = o->s.k;
  int u = ns_ed_unit_of(o, disc), n = k->unit[u].first, sticks = disc == u ? SLIP : ROLLING;
  double normal = k->z[k->position[n]], mu = mu_of(o, disc);
  if (!(mu > 0)) ns_ed_set(o, disc, NS_ED_CLOSED);
  else if (!(o->friction.part[u] & sticks)) ns_ed_set(o, disc, NS_ED_SLIP);
  else decide_slip(o, disc, mu * normal, nothing);
}

static void decide_friction(event_driven *o, int u, double nothing)
{
  for (int d = u; d >= 0; d = ns_ed_next_disc(o, d)) decide_disc(o, d, nothing);
}

static void decide(event_driven *o, double nothing)
{
  const ns_contacts *k = o->s.k;
  for (int u = 0; u < k->nunits; u++) {
    int r = k->unit[u].first, i = k->position[r];
    double d = ns_ed_diagonal(k, r);
    if (i >= 0) o->slack[r] = d > 0 ? nothing / (10 * d) : 0;
    if (i < 0) ns_ed_set(o, u, NS_ED_FREE);
    else if (ns_ed_is_joint(o, r)) ns_ed_set(o, u, NS_ED_CLOSED);
    else if (is_left_to_stick(o, u)) ns_ed_set(o, u, NS_ED_STICK);
    else if (k->unit[u].block == NS_BLOCK_BALL) decide_ball(o, u, nothing);
    else if (!ns_ed_is_unilateral(o, r)) decide_relay(o, u, nothing);
    else if (ns_ed_leaves(o, r, k->z[i], k->w[i], nothing)) ns_ed_set(o, u, NS_ED_FREE);
    else if (!ns_ed_is_friction(o, u)) ns_ed_set(o, u, NS_ED_CLOSED);
    else decide_friction(o, u, nothing);
  }
}

/* 1: a disc begins to slide in space with a velocity that counts as none, of an impact or of
 * sliding that has just begun. Its direction is any but that of the problem, and friction against
 * that would turn what is to slide back. */
static int has_remains(const event_driven *o, int disc)
{
  static const double ALONG = 1 - 1e-6; /* cosine of the angle to the direction of the problem */
  int u = ns_ed_unit_of(o, disc), rests = o->friction.part[u] & (disc == u ? SLIP : ROLLING),
      t = ns_ed_disc_first(o, disc), n = ns_ed_disc_end(o, disc) - t;
  double speed = ns_ed_along(o, disc, o->speed);
  double along = ns_dot((size_t)n, o->friction.toward + t, o->speed + t);
  int remains = speed > 0 && speed <= ns_ed_slow(o, disc) && along < ALONG * speed;
  return rests && n > 1 && o->mode[disc] == NS_ED_SLIP && remains;
}

/* 1: a disc that was taken to slide no longer does. */
static int some_stopped(const event_driven *o)
{
  const ns_contacts *k = o->s.k;
  for (int a = 0; a < k->na; a++) {
    int u = k->active_unit[a], part = o->friction.part[u];
    for (int d = u; d >= 0 && ns_ed_is_friction(o, u); d = ns_ed_next_disc(o, d)) {
      int slid = ns_ed_mu(o, d) > 0 && !(part & (d == u ? SLIP : ROLLING));
      if (slid && fabs(ns_ed_along(o, d, o->speed)) <= ns_ed_slow(o, d)) return 1;
    }
  }
  return 0;
}

int ns_ed_slide_from_rest(event_driven *o, int *stopped)
{
  const ns_contacts *k = o->s.k;
  unsigned char *begins = o->friction.loads.tried;
  int some = 0, discs = 2 * k->nunits;
  memset(begins, 0, (size_t)discs);
  for (int a = 0; a < k->na; a++)
    for (int d = k->active_unit[a]; d >= 0; d = ns_ed_next_disc(o, d))
      some |= begins[d] = (unsigned char)has_remains(o, d);
  for (int d = 0; d < discs; d++)
    if (begins[d]) ns_ed_set(o, d, NS_ED_STICK);
  int rc = some ? ns_ed_hold(o, *o->s.x->t, o->s.x->q, o->s.x->v) : NS_OK;
  if (some && !rc) ns_ed_stop(o);
  *stopped = some && !rc && some_stopped(o);
  for (int d = 0; d < discs; d++)
    if (begins[d]) ns_ed_set(o, d, NS_ED_SLIP);
  ns_ed_friction_freeze(o);
  return rc;
}

/* What a disc that is tried to stick was to do. */
enum { NOT_TRIED, SLID, LEFT, STUCK };

/* The contact is to lift from rest, and has not been open before. */
static int lifts(const event_driven *o, int u)
{
  int n = o->s.k->unit[u].first,
      was_open = o->begun && o->mode_before[u] == NS_ED_FREE && !o->closing[n];
  return !o->opening[n] && !was_open;
}

/* What of friction at rest is tried; lifting: also of contacts that are to lift. */
static int what_is_tried(const event_driven *o, int disc, int lifting)
{
  int u = ns_ed_unit_of(o, disc), ended = o->friction.loads.ended[disc],
      active = o->s.k->position[o->s.k->unit[u].first] >= 0,
      rests = active && ns_ed_is_friction(o, u) && ns_ed_mu(o, disc) > 0 &&
              o->friction.part[u] & (disc == u ? SLIP : ROLLING);
  if (!rests || ended == NS_LOADS_WEDGED) return NOT_TRIED;
  if (o->mode[disc] == NS_ED_SLIP) return SLID;
  if (o->mode[disc] == NS_ED_FREE) return lifting && lifts(o, u) ? LEFT : NOT_TRIED;
  return ended ? STUCK : NOT_TRIED;
}

/* Sticking ends here: what slides at the limit does so in its directions. */
static void begin_to_slide(event_driven *o, int disc)
{
  const ns_loads *l = &o->friction.loads;
  if (!l->goes[disc]) return;
  ns_ed_friction_aim(o, disc, l->slip + ns_ed_disc_first(o, disc), 1);
  ns_ed_set(o, disc, NS_ED_SLIP);
}

/* 1: a row has an acceleration as the motion was evaluated last, beyond what rows have that follow
 * from others: those within e of them in D, e some rounding of its factors (rows/acceleration.h),
 * are within sqrt(e) in direction, and so are their accelerations. */
static int is_accelerated(const event_driven *o, int r, double nothing)
{
  static const double ROUNDING = 1e-6;
  double sum = ns_ed_acceleration_of(o, r);
  return fabs(sum) > ROUNDING * ns_ed_size_of(o, r) && fabs(sum) > nothing;
}

/* What acceleration of the rows of a unit, whose normal row is n, counts as none. */
static double nothing_of(const event_driven *o, int n)
{
  return 10 * o->slack[n] * ns_ed_diagonal(o->s.k, n);
}

int ns_ed_is_held(const event_driven *o, int disc)
{
  int n = o->s.k->unit[ns_ed_unit_of(o, disc)].first;
  double nothing = nothing_of(o, n);
  int held = !is_accelerated(o, n, nothing);
  for (int r = ns_ed_disc_first(o, disc); r < ns_ed_disc_end(o, disc) && held; r++)
    held = !is_accelerated(o, r, nothing);
  return held;
}

/* 1: all rows hold that are tied to a disc that is tried. Where the disc follows from them and
 * moves on, as at an instant at which the slip of a mechanism passes through zero, no forces
 * satisfy all; those of equal springs may satisfy the rows of the disc, and joints not. */
static int holds_the_rest(const event_driven *o, int disc)
{
  const int *block = o->hold.of, n = o->s.k->unit[ns_ed_unit_of(o, disc)].first;
  double nothing = nothing_of(o, n);
  for (int i = 0; i < o->equal.n; i++)
    if (block[i] == block[o->place[n]] && is_accelerated(o, o->row[i], nothing)) return 0;
  return 1;
}

/* 1: a disc that is tried sticks, with all that shares its loads. */
static int sticks(const event_driven *o, int disc)
{
  const ns_contacts *k = o->s.k;
  const ns_loads *l = &o->friction.loads;
  int held = ns_ed_carries(o, disc) != NS_LOADS_OWN && holds_the_rest(o, disc);
  for (int a = 0; a < k->na; a++)
    for (int d = k->active_unit[a]; d >= 0 && held; d = ns_ed_next_disc(o, d))
      if (l->tried[d] && ns_ed_same_loads(o, d, disc))
        held = ns_ed_is_held(o, d) && (l->tried[d] != LEFT || l->shared[d] == NS_LOADS_WEDGED);
  return held;
}

/* All of them at once; modes change when it is known for all which stick. */
static int try_to_stick(event_driven *o, int lifting)
{
  ns_loads *l = &o->friction.loads;
  ns_state *x = o->s.x;
  int discs = 2 * o->s.k->nunits, units = o->s.k->nunits, some = 0;
  memset(l->tried, NOT_TRIED, (size_t)discs);
  for (int u = 0; u < units; u++)
    for (int d = u; d >= 0; d = ns_ed_next_disc(o, d))
      some |= (l->tried[d] = (unsigned char)what_is_tried(o, d, lifting)) >=
              (lifting ? LEFT : SLID);
  if (!some) return NS_OK;
  for (int d = 0; d < discs; d++)
    if (l->tried[d]) ns_ed_set(o, d, NS_ED_STICK);
  int rc = ns_ed_hold(o, *x->t, x->q, x->v);
  if (!rc) rc = ns_ed_motion(o, *x->t, x->q, x->v, o->rate);
  if (rc) return rc < 0 ? rc : NS_OK;
  ns_ed_share_loads(o);
  for (int d = 0; d < discs; d++)
    if (l->tried[d] && !l->ended[d] && sticks(o, d)) l->tried[d] = NOT_TRIED;
  for (int d = 0; d < discs; d++) {
    if (l->tried[d] && l->ended[d] && l->shared[d]) begin_to_slide(o, d);
    else if (l->tried[d] == SLID) ns_ed_set(o, d, NS_ED_SLIP);
    else if (d < units && l->tried[d] == LEFT) ns_ed_set(o, d, NS_ED_FREE);
  }
  return NS_OK;
}

int ns_ed_stick_together(event_driven *o)
{
  int rc = try_to_stick(o, 1);
  return rc ? rc : try_to_stick(o, 0);
}

/* It slides with a velocity, and carries a force if that is known. */
static int may_jam(const event_driven *o, int u, int solved)
{
  const ns_contacts *k = o->s.k;
  int slides = ns_ed_is_friction(o, u) && o->friction.part[u] != WHOLE;
  return slides && (!solved || k->z[k->position[k->unit[u].first]] > 0);
}

/* Contacts of islands that lean as modes are now. */
static int find_leaning(event_driven *o, int solved, int *jam)
{
  const ns_contacts *k = o->s.k;
  int some = 0, rc = NS_OK;
  for (int a = 0; a < k->na; a++) some |= may_jam(o, k->active_unit[a], solved);
  if (some) rc = ns_ed_hold_selected(o, o->s.x->v);
  if (some && !rc) ns_ed_find_leans(o);
  for (int a = 0; a < k->na && some && !rc; a++) {
    int u = k->active_unit[a];
    if (!may_jam(o, u, solved) || o->friction.lean[u] > 2 * o->friction.upright[u]) continue;
    o->friction.jams[u] = 1;
    *jam = 1;
  }
  return rc;
}

/* All contacts hold, or of those with friction `alone`; what moves slides. */
static void hold_all(event_driven *o, int alone)
{
  const ns_contacts *k = o->s.k;
  for (int a = 0; a < k->na; a++) {
    int u = k->active_unit[a], part = o->friction.part[u], without = alone >= 0 && alone != u;
    for (int d = u; d >= 0; d = ns_ed_next_disc(o, d)) {
      int sticks = part & (d == u ? SLIP : ROLLING);
      if (ns_ed_is_friction(o, u) && without) ns_ed_set(o, d, NS_ED_FREE);
      else if (ns_ed_is_friction(o, u) && !(ns_ed_mu(o, d) > 0)) ns_ed_set(o, d, NS_ED_CLOSED);
      else if (ns_ed_is_tangential(o, ns_ed_disc_end(o, d) - 1))
        ns_ed_set(o, d, sticks ? NS_ED_STICK : NS_ED_SLIP);
      else ns_ed_set(o, d, NS_ED_CLOSED);
    }
  }
}

/* Contacts that slide where forces and penetrations grow together. Where nothing solves the
 * problem, all of them that do so with all others, or alone. */
static int find_jams(event_driven *o, int solved, int *jam)
{
  const ns_contacts *k = o->s.k;
  for (int u = 0; u < k->nunits; u++) o->friction.jams[u] = 0;
  if (!solved) hold_all(o, -1);
  int rc = find_leaning(o, solved, jam);
  for (int a = 0; a < k->na && !solved && !rc && !*jam; a++) {
    hold_all(o, k->active_unit[a]);
    rc = find_leaning(o, solved, jam);
  }
  return rc;
}

static int solve_posed(event_driven *o, ns_outcome *out)
{
  ns_ed_friction *f = &o->friction;
  ns_mechanical p = {.W = &f->W,
                     .q = f->q,
                     .kind = f->kind,
                     .mu = f->mu,
                     .mu_rolling = f->mu_rolling,
                     .lb = f->lb,
                     .ub = f->ub};
  *out = (ns_outcome){.kind = NS_SOLVED, .solver = "none"};
  return f->W.nb ? ns_mechanical_solver_find("auto")->solve(f->solver, o->run.c, &p, f->list, f->r,
                                                            f->u, out)
                 : NS_OK;
}

static int some_relay_rests(const event_driven *o)
{
  const ns_contacts *k = o->s.k;
  for (int a = 0; a < k->na; a++) {
    int u = k->active_unit[a];
    if (ns_ed_is_relay(o, u) && o->friction.part[u] == WHOLE) return 1;
  }
  return 0;
}

int ns_ed_rest(event_driven *o, int *jam)
{
  ns_ed_friction *f = &o->friction;
  ns_outcome out;
  if (o->s.k->by_active && (!f->solver || f->layout != o->s.k->layouts)) {
    drop_solver(f);
    if (make_solver(o, o->run.c)) return o->run.c->rc;
  }
  ns_ed_slow_choose(o);
  ns_contacts_assemble(o->s.k, o->s.x, o->s.x->v, o->s.changed);
  o->s.changed = 0;
  int solved = 0, rc = NS_OK, end = PASSES;
  for (f->assumed = ALL; f->assumed < end && !solved && !rc; f->assumed++) {
    pose(o);
    if (some_relay_rests(o)) end = NOTHING_MORE;
    rc = solve_posed(o, &out);
    solved = out.kind == NS_SOLVED || out.residual <= SOLVED;
  }
  f->assumed--;
  if (rc) return rc;
  spread(o);
  unsigned char *was = f->loads.tried; /* scratch */
  memcpy(was, o->mode, 2 * (size_t)o->s.k->nunits);
  if (solved) decide(o, 10 * fmax(NS_ED_NOTHING, out.residual) * ns_ed_size(o));
  rc = find_jams(o, solved, jam);
  for (int d = 0; d < 2 * o->s.k->nunits && *jam; d++) ns_ed_set(o, d, was[d]);
  if (rc || *jam) return rc;
  if (!solved) return ns_unsolved(o->s.k, o->s.x, o->run.c, &out);
  o->s.x->report->iterations += out.iterations;
  ns_keep_max(&o->s.x->report->residual, out.residual);
  ns_keep_max(&o->s.x->report->active, o->s.k->n);
  return NS_OK;
}
