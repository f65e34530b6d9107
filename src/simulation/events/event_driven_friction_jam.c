/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sliding without consistent forces, and the impact without collision that it ends in. Forces of
 * what holds and slides in an island follow from
 *
 *   D z = b,   D = D0 + E,   D0 = H M^-1 H^T,
 *
 * where E has a column of each sliding contact, of what its friction -mu s accelerates per normal
 * force. Without the forces that stick and constrain, with D0^-1 for the pseudoinverse that equal
 * springs stand for (rows/acceleration.h), the normal forces of what slides solve
 *
 *   C z_s = (D0^-1 b)_s,   C = 1 + (D0^-1 E)_s,   det C = det D/det D0
 *
 * and one contact alone has C = H_n M^-1 (H_n - mu sum s_t H_t)^T/(H_n M^-1 H_n^T). As in the limit
 * of a stiff ground, penetrations of stiffness K move by -D K times themselves: where det C < 0 a
 * real eigenvalue of D K is negative whatever K is, and force and penetration drive each other
 * (Painleve 1895 for one contact). Where it comes to zero in sliding, forces grow without bound.
 * The lean of an island is sign(det C)/|C^-1|, which does not become small with the number of
 * contacts.
 *
 * There is no force then, or there are several; the contacts jam: impulses at ydot_n = 0 that end
 * the sliding (Lecornu 1905; Genot & Brogliato 1999). They are the second solution, beside P = 0,
 * of the problem of an impact with e = 0, and the one that is left when the contacts approach a
 * little.
 *
 * So such an approach tells which contacts stick and which slide, and where to; impulses and
 * velocities are then those of this pattern without an approach. */
#include "simulation/events/event_driven_modes.h"

#include "base/grow.h"

#include <float.h>
#include <string.h>

static const double APPROACH = 1e-3; /* by the speed along the plane */
static const double CONE = 1e-6;     /* relative: friction that is at its bound */

/* ---- leans ----------------------------------------------------------------------------------- */

static int slides(const event_driven *o, int u)
{
  int some = 0;
  for (int d = u; d >= 0 && ns_ed_is_friction(o, u); d = ns_ed_next_disc(o, d))
    some |= o->mode[d] == NS_ED_SLIP;
  return some && o->place[o->s.k->unit[u].first] >= 0;
}

/* Place of the normal row of a sliding unit among what holds. */
static int place_of(const event_driven *o, int u) { return o->place[o->s.k->unit[u].first]; }

int ns_ed_leans_reserve(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  ns_ed_friction *f = &o->friction;
  size_t n = 0;
  for (int a = 0; a < k->na; a++) n += (size_t)slides(o, k->active_unit[a]);
  if (!n) return NS_OK;
  if (ns_reserve(&f->C, &f->room, 2 * n * n)) return ns_nomem(o->run.c, "friction");
  return ns_acceleration_reserve(o->run.c, &f->straight, o->equal.n);
}

/* Forces of what holds that balance friction of unit u, per normal force: those of D0. */
static void push_back(event_driven *o, int u)
{
  const ns_contacts *k = o->s.k;
  double *x = o->friction.pushed;
  memset(x, 0, (size_t)o->equal.n * sizeof *x);
  for (int t = k->unit[u].first + 1; t < k->unit[u].first + k->unit[u].rows; t++)
    for (int b = k->D.row[t]; b < k->D.row[t + 1] && o->slope[t] != 0; b++) {
      int i = o->place[k->D.col[b]];
      if (i >= 0) x[i] += o->slope[t] * k->D.val[b];
    }
  ns_acceleration_solve(ns_ed_straight(o), x);
}

/* sign(det C)/|C^-1| of C [n x n], by columns, with C^-1 behind it: Gauss and Jordan. */
static double lean_of(int n, double *C)
{
  double sign = 1, *inverse = C + n * n;
  memset(inverse, 0, (size_t)(n * n) * sizeof *inverse);
  for (int i = 0; i < n; i++) inverse[i + i * n] = 1;
  for (int i = 0; i < n; i++) {
    int p = i;
    for (int r = i + 1; r < n; r++)
      if (fabs(C[r + i * n]) > fabs(C[p + i * n])) p = r;
    double pivot = C[p + i * n];
    if (!(fabs(pivot) > 0)) return 0;
    if ((pivot < 0) != (p != i)) sign = -sign;
    for (int j = i; j < 2 * n; j++) { /* of both: the columns of C before i are those of 1 */
      double *c = C + j * n, x = c[p] / pivot;
      c[p] = c[i];
      c[i] = x;
    }
    for (int r = 0; r < n; r++) {
      double by = r == i ? 0 : C[r + i * n];
      for (int j = i; j < 2 * n && by != 0; j++) C[r + j * n] -= by * C[i + j * n];
    }
  }
  return sign / ns_ed_length(n * n, inverse);
}

/* The units that slide in the island of unit u, to f->slider; their number. */
static int find_sliders(event_driven *o, int u)
{
  const ns_contacts *k = o->s.k;
  int n = 0, island = o->hold.of[place_of(o, u)];
  for (int a = 0; a < k->na; a++) {
    int other = k->active_unit[a];
    if (slides(o, other) && o->hold.of[place_of(o, other)] == island)
      o->friction.slider[n++] = other;
  }
  return n;
}

static double lean_of_island(event_driven *o, int n)
{
  const ns_ed_friction *f = &o->friction;
  for (int j = 0; j < n; j++) {
    push_back(o, f->slider[j]);
    for (int i = 0; i < n; i++) f->C[i + j * n] = (i == j) + f->pushed[place_of(o, f->slider[i])];
  }
  return lean_of(n, f->C);
}

const ns_acceleration *ns_ed_straight(event_driven *o)
{
  ns_ed_friction *f = &o->friction;
  ns_equalities without = o->equal;
  if (!o->equal.slope) return &o->hold;
  without.slope = NULL;
  if (!f->straight_known) ns_acceleration_factor(&f->straight, o->s.k, &without);
  f->straight_known = 1;
  return &f->straight;
}

void ns_ed_find_leans(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  ns_ed_friction *f = &o->friction;
  if (f->leans_known) return;
  f->leans_known = 1;
  ns_fill((size_t)k->nunits, 1, f->lean);
  if (!o->equal.slope) return;
  for (int a = 0; a < k->na; a++) {
    int u = k->active_unit[a];
    if (!slides(o, u)) continue;
    int n = find_sliders(o, u), first = f->slider[0];
    f->lean[u] = first == u ? lean_of_island(o, n) : f->lean[first];
  }
}

/* Time to the end of sliding is short before what it is counted in: there it jams. Forces that grow
 * like 1/lean change by what they accelerate what the lean depends on, so that lean^2 falls with a
 * rate to zero. */
void ns_ed_leans_stepped(event_driven *o, double t)
{
  static const double TICKS = 1000, MOST = 1e-3;
  ns_ed_friction *f = &o->friction;
  double step = t - f->stepped_t, near = TICKS * DBL_EPSILON * fabs(t);
  for (int u = 0; u < o->s.k->nunits; u++) {
    double fall = (f->lean_before[u] - f->lean[u]) * (f->lean_before[u] + f->lean[u]);
    f->upright[u] = NS_ED_UPRIGHT;
    if (step > 0 && fall > 0)
      f->upright[u] = fmax(fmin(sqrt(near * fall / step), MOST), NS_ED_UPRIGHT);
    f->lean_before[u] = f->lean[u];
  }
}

void ns_ed_leans_begin(event_driven *o)
{
  ns_fill((size_t)o->s.k->nunits, NS_ED_UPRIGHT, o->friction.upright);
  ns_fill((size_t)o->s.k->nunits, 0, o->friction.lean_before);
}

/* ---- jams ------------------------------------------------------------------------------------ */

/* What the impulses z of the contacts say of a disc of the unit whose first active row is i. */
static ns_ed_mode mode_of(event_driven *o, int disc, int i)
{
  const ns_contacts *k = o->s.k;
  int first = k->unit[ns_ed_unit_of(o, disc)].first, t = ns_ed_disc_first(o, disc);
  if (ns_ed_is_joint(o, first)) return NS_ED_CLOSED;
  if (!(k->z[i] > 0) || !ns_ed_is_unilateral(o, first)) return NS_ED_FREE;
  if (!(ns_ed_mu(o, disc) > 0)) return NS_ED_CLOSED;
  const double *z = k->z + i + (t - first);
  double along = fabs(z[0]);
  if (ns_ed_disc_end(o, disc) - t == 2) along = hypot(z[0], z[1]);
  ns_ed_friction_aim(o, disc, z, -1);
  return along < (1 - CONE) * ns_ed_mu(o, disc) * k->z[i] ? NS_ED_STICK : NS_ED_SLIP;
}

/* The impulses that end the velocities of the rows that the pattern holds; what slides in it has
 * friction against its velocity after them. */
static int finish(event_driven *o)
{
  ns_contacts *k = o->s.k;
  ns_state *x = o->s.x;
  for (int u = 0; u < k->nunits; u++) {
    int i = k->position[k->unit[u].first];
    for (int d = u; d >= 0; d = ns_ed_next_disc(o, d))
      ns_ed_set(o, d, i < 0 ? NS_ED_FREE : mode_of(o, d, i));
  }
  int rc = ns_ed_hold(o, *x->t, x->q, x->v);
  if (rc) return rc;
  for (int i = 0; i < o->equal.n; i++) o->rhs[i] = -o->speed[o->equal.row[i]];
  ns_acceleration_solve(&o->hold, o->rhs);
  memset(k->z, 0, (size_t)k->n * sizeof *k->z);
  for (int i = 0; i < o->equal.n; i++) {
    int r = o->equal.row[i], at = k->position[r];
    const ns_unit *u = &k->unit[k->unit_of[r]];
    k->z[at] = o->rhs[i];
    for (int t = 1; t < u->rows && r == u->first; t++)
      if (o->slope[r + t] != 0) k->z[at + t] = o->slope[r + t] * o->rhs[i];
  }
  ns_ed_strike(o);
  return NS_OK;
}

static void warn(event_driven *o)
{
  const ns_contacts *k = o->s.k;
  int u = 0;
  while (u + 1 < k->nunits && !o->friction.jams[u]) u++;
  const ns_interaction *it = &k->m->interactions[k->interaction[k->unit[u].first]];
  if (!o->friction.warned)
    ns_warn_at(
        o->run.c, &it->at,
        "at t = %.10g s no friction force allows the contact to continue sliding with mu = "
        "%g (Painleve): it jams, an impact without collision, of kind jam in the events; less "
        "friction avoids this",
        *o->s.x->t, ns_law_mu(&it->law));
  o->friction.warned = 1;
}

int ns_ed_jam(event_driven *o)
{
  ns_contacts *k = o->s.k;
  ns_state *x = o->s.x;
  warn(o);
  ns_ed_choose_closed(o);
  int rc = ns_ed_select_impulses(o, *x->t, x->q, x->v);
  if (rc) return rc;
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i], u = k->unit_of[r];
    o->friction.jammed[u] |= o->friction.jams[u];
    o->rhs[i] = o->speed[r];
    if (o->friction.jams[u] && r == k->unit[u].first)
      o->rhs[i] -= APPROACH * fabs(ns_ed_along(o, u, o->speed));
    k->z[i] = 0;
  }
  rc = ns_stepper_solve(&o->s, o->run.c, o->rhs, x->report);
  if (rc) return rc;
  memcpy(o->trial_v, x->v, o->s.m->nv * sizeof *x->v);
  ns_contacts_apply(k, o->trial_v);
  o->friction.aimed_at = o->trial_v;
  rc = finish(o);
  o->friction.aimed_at = NULL;
  return rc;
}
