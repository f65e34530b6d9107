/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/contacts_parts.h"

#include "algebra/vector.h"
#include "model/check/diagnose.h"
#include "model/relations/lagrangian_relation.h"
#include "model/relations/output.h"
#include "model/relations/rigid_relation.h"
#include "model/systems/mechanics.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- nonlinear relations --------------------------------------------------------------------- */

/* One relation at a point: its stacked arguments and its results, in k->local. */
typedef struct local {
  ns_point p;
  double *lambda, *h, *ht, *H, *D, *work;
} local;

/* l.lambda is still to be filled. */
static local place(ns_contacts *k, const ns_interaction *it, double t, const double *q,
                   const double *v, double *z)
{
  size_t rows = (size_t)it->m, N = (size_t)it->nQ;
  double *Q = k->local, *V = Q + N, *Z = V + N, *lambda = Z + it->nZ;
  local l = {.lambda = lambda, .h = lambda + rows, .ht = lambda + 2 * rows, .H = lambda + 3 * rows};
  l.D = l.H + rows * N;
  l.work = l.D + rows * rows;
  l.p = (ns_point){.t = t,
                   .n = it->nQ,
                   .q = Q,
                   .v = V,
                   .nz = it->nZ,
                   .z = Z,
                   .index = it->index,
                   .m = it->m,
                   .lambda = lambda,
                   .angle = k->angle ? k->angle + it->angle : NULL};
  ns_interaction_gather(k->m, it, q, v, z, Q, V, Z);
  return l;
}

/* H of the relation, entry (r, i) at r down + i across, into its rows of `values`, which stand
 * as those of k->H do: they have all degrees of freedom of its systems in their order. A system
 * that stands twice has its parts added. */
static void store_rows(ns_contacts *k, const ns_interaction *it, const double *H, int across,
                       int down, double *values)
{
  if (k->H.ptr[it->row + 1] - k->H.ptr[it->row] == it->nV) {
    double *val = values + k->H.ptr[it->row];
    for (int r = 0; r < it->m; r++)
      for (int i = 0; i < it->nV; i++) *val++ = H[r * down + i * across];
    return;
  }
  for (int r = 0; r < it->m; r++) {
    int row = (int)it->row + r, col = 0;
    for (int j = 0; j < it->nsystems; j++) {
      const ns_system *s = &k->m->systems[it->systems[j]];
      for (int i = 0; i < s->n; i++)
        k->scatter[s->v + (size_t)i] += H[r * down + (col + i) * across];
      col += s->n;
    }
    for (int e = k->H.ptr[row]; e < k->H.ptr[row + 1]; e++) {
      values[e] = k->scatter[k->H.dof[e]];
      k->scatter[k->H.dof[e]] = 0;
    }
  }
}

/* The interaction takes part in the step: it is active in some row. */
static int takes_part(const ns_contacts *k, const ns_interaction *it)
{
  for (int r = 0; r < it->m; r++)
    if (k->position[it->row + (size_t)r] >= 0) return 1;
  return 0;
}

static int is_compliant(const ns_interaction *it)
{
  return (it->relation->flags & NS_REL_COMPLIANT) != 0;
}
static int is_linear(const ns_interaction *it)
{
  return (it->relation->flags & NS_REL_LINEAR) != 0;
}

/* Impulses of the iterate: those of the active rows. */
static void iterate_impulse(const ns_contacts *k, const ns_interaction *it, double *impulse)
{
  for (int r = 0; r < it->m; r++) {
    int at = k->position[it->row + (size_t)r];
    impulse[r] = at >= 0 ? k->z[at] : 0;
  }
}

/* What the rows of a compliant relation say of the position apart from the velocity and the impulse
 * to come (contacts.h). */
static void constant_of(ns_contacts *k, const ns_interaction *it, const double *h, const double *D,
                        const double *lambda, const double *v)
{
  for (int i = 0; i < it->m; i++) {
    int row = (int)it->row + i;
    double s = h[i] - k->factor[row] * ns_rows_dot(&k->H, row, v);
    for (int j = 0; j < it->m; j++) s -= D[i + j * it->m] * lambda[j];
    k->constant[row] = s;
  }
}

/* H of a group into its rows of `values`, at once where they stand side by side and no system
 * stands twice. */
static void store_group(ns_contacts *k, const ns_lagrangian_group *g, double *values)
{
  int first = g->row[0], last = g->row[g->rows - 1], nH = g->rows * g->nV;
  const double *H = g->H;
  if (last - first == g->rows - 1 && k->H.ptr[last + 1] - k->H.ptr[first] == nH) {
    memcpy(values + k->H.ptr[first], H, (size_t)nH * sizeof *H);
  } else {
    for (int i = 0; i < g->n; i++) {
      const ns_interaction *it = &k->m->interactions[g->interaction[i]];
      store_rows(k, it, H, 1, it->nV, values);
      H += it->m * it->nV;
    }
  }
}

static void store_drives(ns_contacts *k, const ns_lagrangian_group *g)
{
  if (g->drives) ns_scatter((size_t)g->rows, g->ht, g->row, k->shift);
}

/* A group at a point: H and dh/dt that are new go to their rows. */
static inline int evaluate(ns_contacts *k, ns_ctx *c, ns_lagrangian_group *g, double t,
                           const double *q, const double *z, unsigned want)
{
  unsigned fresh = 0;
  int rc = ns_lagrangian_group_eval(g, c, k->m, t, q, z, k->angle, want, k->local, &fresh);
  if (!rc && fresh & NS_GROUP_ROWS) {
    store_group(k, g, k->H.val);
    store_drives(k, g);
  }
  return rc;
}

static int group_takes_part(const ns_contacts *k, const ns_lagrangian_group *g)
{
  for (int r = 0; r < g->rows; r++)
    if (k->position[g->row[r]] >= 0) return 1;
  return 0;
}

void ns_contacts_list_acting(ns_contacts *k)
{
  k->nacting = k->nacting_group = 0;
  for (int i = 0; i < k->ngroups; i++)
    if (group_takes_part(k, &k->group[i])) k->acting_group[k->nacting_group++] = i;
  for (int i = 0; i < k->nmoving; i++)
    if (takes_part(k, &k->m->interactions[k->moving[i]])) k->acting[k->nacting++] = i;
}

/* H of the groups that take part where the step begins: of most it is known from the end of the
 * last one. */
static int begin_groups(ns_contacts *k, ns_ctx *c, const ns_state *x)
{
  int rc = NS_OK;
  for (int i = 0; i < k->ngroups && k->n && !rc; i++) {
    unsigned fresh = 0;
    ns_lagrangian_group *g = &k->group[i];
    if (!group_takes_part(k, g)) continue;
    rc = ns_lagrangian_group_eval(g, c, k->m, *x->t, x->q, x->z, k->angle, NS_GROUP_ROWS, k->local,
                                  &fresh);
    if (rc) break;
    store_group(k, g, k->begin);
    store_group(k, g, k->H.val); /* where it ends there, too, it is known and not stored again */
    store_drives(k, g);
  }
  return rc;
}

/* The push of a group: the mean of H of both ends; and what it changes in the velocities v of
 * its rows. */
static void push_group(ns_contacts *k, const ns_lagrangian_group *g, const double *v)
{
  double gamma = ns_rows_gamma(&k->m->sim.mj);
  for (int i = 0; i < g->rows; i++) {
    double turn = 0;
    for (int e = k->H.ptr[g->row[i]]; e < k->H.ptr[g->row[i] + 1]; e++) {
      k->push[e] = gamma * k->H.val[e] + (1 - gamma) * k->begin[e];
      turn += (k->H.val[e] - k->push[e]) * v[k->H.dof[e]];
    }
    k->turn[g->row[i]] = turn;
  }
}

static int linearise_groups(ns_contacts *k, ns_ctx *c, const ns_state *x, const double *q)
{
  int rc = NS_OK;
  int n = k->acting_group ? k->nacting_group : k->ngroups;
  for (int i = 0; i < n && k->n && !rc; i++) {
    ns_lagrangian_group *g = &k->group[k->acting_group ? k->acting_group[i] : i];
    if (group_takes_part(k, g)) rc = evaluate(k, c, g, k->t1, q, x->z, NS_GROUP_ROWS);
  }
  return rc;
}

/* to becomes theta to + (1 - theta) of what it was at the begin of the step. */
static void take_mean(double theta, double *to, const double *begin, int n)
{
  for (int i = 0; i < n; i++) to[i] = theta * to[i] + (1 - theta) * begin[i];
}

/* H, D and h of a spring at the iterate, in l and D, become those of the step. */
static int mean_of_ends(ns_contacts *k, ns_ctx *c, const ns_interaction *it, const ns_state *x,
                        const double *v, local *l, double *D)
{
  int m = it->m, nH = m * it->nQ;
  double theta = k->m->sim.mj.theta, *end = k->ends, *end_h = end + nH, *end_D = end_h + m;
  memcpy(end, l->H, (size_t)nH * sizeof *end);
  memcpy(end_h, l->h, (size_t)m * sizeof *end);
  memcpy(end_D, D, (size_t)(m * m) * sizeof *end);
  *l = place(k, it, k->t1 - k->h, x->q, v, x->z);
  iterate_impulse(k, it, l->lambda);
  ns_divide((size_t)m, k->h, l->lambda);
  int rc = ns_lagrangian_rows(it, c, &l->p, l->work, l->H, NULL, D);
  if (!rc) rc = ns_lagrangian_gap(it, c, &l->p, l->work, l->h);
  take_mean(1 - theta, l->H, end, nH);
  take_mean(1 - theta, l->h, end_h, m);
  take_mean(1 - theta, D, end_D, m * m);
  return rc;
}

/* Where a contact that does not push has no tangent, as by Hertz, whose force grows with
 * depth^(3/2) so that D is nothing or infinite without one: the chord to the force of the iterate
 * before, which is too large as long as that was. The first iterate of a step gives way to nothing.
 */
static int take_chords(ns_contacts *k, ns_ctx *c, const ns_interaction *it, local *l, double *D)
{
  double *there = k->ends;
  int m = it->m, rc = NS_OK;
  for (int r = 0; r < m && !rc; r++) {
    double *last = &k->pushed[it->row + (size_t)r], *own = &D[r + r * m];
    if (l->lambda[r] > 0) *last = l->lambda[r];
    if (l->lambda[r] > 0 || (*own > 0 && isfinite(*own))) continue;
    for (int i = 0; i < m; i++)
      if (!isfinite(D[i + r * m])) D[i + r * m] = 0;
    if (*last <= 0) continue;
    l->lambda[r] = *last;
    rc = ns_lagrangian_gap(it, c, &l->p, l->work, there);
    l->lambda[r] = 0;
    *own = (there[r] - l->h[r]) / *last;
  }
  return rc;
}

/* H, D and h of a nonlinear compliant relation. */
static int linearise_nonlinear(ns_contacts *k, ns_ctx *c, const ns_interaction *it,
                               const ns_state *x, const double *q, const double *v)
{
  local l = place(k, it, k->t1, q, v, x->z);
  iterate_impulse(k, it, l.lambda);
  ns_divide((size_t)it->m, k->h, l.lambda);
  double *D = k->compliance + k->compliance_at[it - k->m->interactions];
  int rc = ns_lagrangian_rows(it, c, &l.p, l.work, l.H, NULL, D);
  if (!rc) rc = ns_lagrangian_gap(it, c, &l.p, l.work, l.h);
  if (rc) return rc;
  rc = ns_contacts_is_spring(it) ? mean_of_ends(k, c, it, x, v, &l, D)
                                 : take_chords(k, c, it, &l, D);
  if (rc) return rc;
  store_rows(k, it, l.H, it->m, 1, k->H.val);
  constant_of(k, it, l.h, D, l.lambda, v);
  return NS_OK;
}

/* H and D stand; the gap at the iterate is linear. */
static void linearise_compliant(ns_contacts *k, const ns_interaction *it, const ns_state *x,
                                const double *q, const double *v)
{
  double *zero = k->local, *h = zero + it->m, theta = k->m->sim.mj.theta;
  int spring = ns_contacts_is_spring(it);
  for (int r = 0; r < it->m; r++) {
    int row = (int)it->row + r;
    zero[r] = 0;
    double end = ns_rows_dot(&k->H, row, q),
           mean = theta * end + (1 - theta) * (spring ? ns_rows_dot(&k->H, row, x->q) : end);
    h[r] = k->offset[row] + (spring ? mean : end);
  }
  constant_of(k, it, h, k->compliance + k->compliance_at[it - k->m->interactions], zero, v);
}

int ns_contacts_linearise(ns_contacts *k, ns_ctx *c, const ns_state *x, const double *q,
                          const double *v)
{
  if (k->plain || k->fresh) return NS_OK;
  k->linearised_at = q;
  int rc = linearise_groups(k, c, x, q);
  for (int i = k->nrigid; i < k->nmoving && !rc; i++) {
    const ns_interaction *it = &k->m->interactions[k->moving[i]];
    if (takes_part(k, it)) rc = linearise_nonlinear(k, c, it, x, q, v);
  }
  if (rc) return rc;
  for (int i = 0; i < k->m->ninteractions && k->compliant; i++) {
    const ns_interaction *it = &k->m->interactions[i];
    if (is_compliant(it) && is_linear(it)) linearise_compliant(k, it, x, q, v);
  }
  k->fresh = 1;
  k->bending = 0;
  return NS_OK;
}

int ns_contacts_linearise_alone(ns_contacts *k, ns_ctx *c, const ns_interaction *it, double t,
                                const double *q, const double *v, double *z)
{
  local l = place(k, it, t, q, v, z);
  int bodies = ns_system_is_rigid(&k->m->systems[it->systems[0]]);
  int rc = bodies ? ns_rigid_relation_rows(it, c, &l.p, l.work, l.h, l.H, l.ht)
                  : ns_lagrangian_rows(it, c, &l.p, l.work, l.H, l.ht, NULL);
  if (!rc) store_rows(k, it, l.H, it->m, 1, k->H.val);
  return rc;
}

int ns_contacts_follow(ns_contacts *k, ns_ctx *c, const ns_state *x, const double *q,
                       const double *v)
{
  if (!k->push || k->fresh) return ns_contacts_linearise(k, c, x, q, v);
  int rc = k->begun ? NS_OK : begin_groups(k, c, x);
  if (!rc) rc = ns_contacts_linearise(k, c, x, q, v);
  if (rc) return rc;
  for (int i = 0; i < k->ngroups && k->n; i++)
    if (group_takes_part(k, &k->group[i])) push_group(k, &k->group[i], v);
  k->begun = k->bending = 1;
  return NS_OK;
}

/* Velocities of the active rows as they were solved for: of those that bend along the push, with
 * what lacks to H of the end. */
static void solved_speeds(const ns_contacts *k, const double *v, double *u)
{
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    const double *val = ns_contacts_push(k, r);
    u[i] = k->shift[r] + (val == k->H.val ? 0 : k->turn[r]);
    for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++) u[i] += val[e] * v[k->H.dof[e]];
  }
}

/* Velocities of the active rows, and the size of what was added up. */
static void speeds(const ns_contacts *k, const double *v, double *u, double *size)
{
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    double s = k->shift[r], a = fabs(s);
    for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++) {
      double term = k->H.val[e] * v[k->H.dof[e]];
      s += term;
      a += fabs(term);
    }
    u[i] = s;
    size[i] = a;
  }
}

/* Row i of the active ones is open at the iterate and stays so at the rows of the next: it says
 * nothing. The rows of slip follow their normal; equalities, relays and compliant rows always
 * speak. */
static int stays_open(const ns_contacts *k, int i, const double *is, const double *was)
{
  const ns_unit *u = &k->unit[k->unit_of[k->active[i]]];
  int first = k->position[u->first];
  if (u->kind != NS_UNIT_UNILATERAL && u->kind != NS_UNIT_FRICTION) return 0;
  return k->z[first] == 0 && k->w[first] + (is[first] - was[first]) >= 0;
}

/* What a change of a sum is held against, whose terms have this size. */
static double tolerance_of(const ns_contacts *k, double sum, double size)
{
  const ns_time_stepping_options *o = &k->m->sim.ts;
  return o->newton_atol * ns_newton_unit(o, size) + (o->newton_rtol + 16 * DBL_EPSILON) * sum;
}

/* By how much the velocity of active row i differs between the rows of before and those of now,
 * scaled. */
static double change_of(const ns_contacts *k, int i)
{
  const double *was = k->speed, *is = was + k->nrows, *size = is + k->nrows;
  return fabs(is[i] - was[i]) / tolerance_of(k, size[i], 1);
}

/* What compliant relations that are not linear say at the velocities v and the impulses of the
 * problem, as they are linearised: positions, in the place of the speeds of their rows. */
static void compliant_outputs(const ns_contacts *k, const double *v, double *y, double *size)
{
  for (int i = k->nrigid; i < k->nmoving; i++) {
    const ns_interaction *it = &k->m->interactions[k->moving[i]];
    const double *D = k->compliance + k->compliance_at[k->moving[i]];
    for (int r = 0; r < it->m && takes_part(k, it); r++) {
      int row = (int)it->row + r, at = k->position[row];
      double moved = k->factor[row] * ns_rows_dot(&k->H, row, v);
      if (at < 0) continue;
      y[at] = k->constant[row] + moved;
      size[at] = fabs(k->constant[row]) + fabs(moved);
      for (int j = 0; j < it->m; j++) {
        int other = k->position[it->row + (size_t)j];
        double term = other >= 0 ? D[r + j * it->m] * k->z[other] / k->h : 0;
        y[at] += term;
        size[at] += fabs(term);
      }
    }
  }
}

/* The size of what p is the sum of. */
static double pushes(const ns_contacts *k)
{
  double sum = 0;
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++) sum += fabs(k->H.val[e] * k->z[i]);
  }
  return sum;
}

int ns_contacts_settled(ns_contacts *k, ns_ctx *c, const ns_state *x, const double *q,
                        const double *v, double *p, double *residual)
{
  size_t nv = k->m->nv;
  double d = 0, s = 0, worst = 0, *was = k->speed, *is = was + k->nrows, *size = is + k->nrows;
  memcpy(k->before, p, nv * sizeof *p);
  solved_speeds(k, v, was);
  compliant_outputs(k, v, was, size);
  k->fresh = 0;
  int rc = (k->bending ? ns_contacts_follow : ns_contacts_linearise)(k, c, x, q, v);
  if (rc) return rc;
  ns_contacts_impulse(k, p);
  for (size_t i = 0; i < nv; i++) {
    d += (p[i] - k->before[i]) * (p[i] - k->before[i]);
    s += p[i] * p[i];
  }
  *residual = sqrt(d) / tolerance_of(k, sqrt(s), pushes(k));
  speeds(k, v, is, size);
  compliant_outputs(k, v, is, size);
  for (int i = 0; i < k->n; i++) {
    if (stays_open(k, i, is, was)) continue;
    double e = change_of(k, i);
    if (!(e <= worst)) worst = e;
  }
  if (!(worst <= *residual)) *residual = worst;
  return NS_OK;
}

/* By how much the impulses on the systems of an interaction differ between both. */
static double impulse_change(const ns_contacts *k, const ns_interaction *it, const double *p)
{
  double d = 0;
  for (int j = 0; j < it->nsystems; j++) {
    const ns_system *s = &k->m->systems[it->systems[j]];
    for (size_t i = s->v; i < s->v + (size_t)s->n; i++) d = hypot(d, p[i] - k->before[i]);
  }
  return d;
}

void ns_contacts_suspects(const ns_contacts *k, const double *p, ns_suspect *w)
{
  const double *was = k->speed, *is = was + k->nrows;
  double tolerance = tolerance_of(k, ns_norm(k->m->nv, p), pushes(k));
  for (int i = 0; i < k->n; i++) {
    int row = k->active[i];
    const ns_interaction *it = &k->m->interactions[k->interaction[row]];
    if (!k->moves[row] || stays_open(k, i, is, was)) continue;
    ns_suspect_row(w, it, row - (int)it->row, change_of(k, i));
    ns_suspect_row(w, it, row - (int)it->row, impulse_change(k, it, p) / tolerance);
  }
}

int ns_contacts_gaps_at(ns_contacts *k, ns_ctx *c, const ns_state *x, const double *q,
                        const double *v, double *y)
{
  int rc = NS_OK;
  for (int i = 0; i < k->ngroups && !rc; i++) {
    const ns_lagrangian_group *g = &k->group[i];
    rc = evaluate(k, c, &k->group[i], k->t1, q, x->z, NS_GROUP_GAPS);
    ns_scatter((size_t)g->rows, g->h, g->row, y);
  }
  for (int i = k->nrigid; i < k->nmoving && !rc; i++) {
    const ns_interaction *it = &k->m->interactions[k->moving[i]];
    local l = place(k, it, k->t1, q, v, x->z);
    iterate_impulse(k, it, l.lambda);
    ns_divide((size_t)it->m, k->h, l.lambda);
    rc = ns_lagrangian_gap(it, c, &l.p, l.work, l.h);
    for (int r = 0; r < it->m; r++) y[it->row + (size_t)r] = l.h[r];
  }
  return rc;
}

/* A row at the end of the step is not finite. */
static int not_finite(const ns_contacts *k, ns_ctx *c, const ns_moment *end, size_t row)
{
  char numbers[80];
  snprintf(numbers, sizeof numbers, "y = %g, ydot = %g", k->ahead[row],
           k->ahead[(size_t)k->nrows + row]);
  return ns_fail_row(c, k->m, end, row, numbers);
}

int ns_contacts_bias(ns_contacts *k, ns_ctx *c, const ns_state *x, const double *q, const double *v,
                     double *bias)
{
  int rc = NS_OK;
  int n = k->acting ? k->nacting : k->nmoving;
  memset(bias, 0, (size_t)k->nrows * sizeof *bias);
  for (int i = 0; i < n && !rc; i++) {
    const ns_interaction *it = &k->m->interactions[k->moving[k->acting ? k->acting[i] : i]];
    if (!takes_part(k, it)) continue;
    local l = place(k, it, k->t1, q, v, x->z);
    memset(l.lambda, 0, (size_t)it->m * sizeof *l.lambda);
    rc = ns_interaction_is_rigid(it) ? ns_rigid_relation_bias(it, c, &l.p, l.work, l.h)
                                     : ns_lagrangian_bias(it, c, &l.p, l.work, l.h);
    for (int r = 0; r < it->m; r++) bias[it->row + (size_t)r] = l.h[r];
  }
  return rc;
}

static int check_finite(const ns_contacts *k, ns_ctx *c, const ns_interaction *it,
                        const ns_moment *end)
{
  const double *y = k->ahead, *ydot = y + k->nrows;
  for (size_t r = it->row; r < it->row + (size_t)it->m; r++)
    if (!isfinite(y[r]) || !isfinite(ydot[r])) return not_finite(k, c, end, r);
  return NS_OK;
}

/* V of the systems of an interaction; in work, or where it stands. */
static const double *velocity_of(const ns_contacts *k, const ns_interaction *it, const double *v,
                                 double *work)
{
  double *to = work;
  if (it->nsystems == 1) return v + k->m->systems[it->systems[0]].v;
  for (int j = 0; j < it->nsystems; j++) {
    const ns_system *s = &k->m->systems[it->systems[j]];
    memcpy(to, v + s->v, (size_t)s->n * sizeof *to);
    to += s->n;
  }
  return work;
}

static int look_ahead_group(ns_contacts *k, ns_ctx *c, ns_lagrangian_group *g, const ns_moment *end)
{
  int rc = evaluate(k, c, g, end->t, end->q, end->z, NS_GROUP_GAPS | NS_GROUP_ROWS), n = g->nV;
  if (rc) return rc;
  const double *V = velocity_of(k, &k->m->interactions[g->interaction[0]], end->v, k->local),
               *H = g->H;
  double finite = 0;
  for (int r = 0; r < g->rows; r++, H += n) {
    double u = g->drives ? g->ht[r] : 0;
    for (int i = 0; i < n; i++) u += H[i] * V[i];
    k->ahead[g->row[r]] = g->h[r];
    k->ahead[k->nrows + g->row[r]] = u;
    finite += 0 * u + 0 * g->h[r]; /* 0, or NaN where one is not finite */
  }
  for (int i = 0; i < g->n && finite != 0; i++) {
    const ns_interaction *it = &k->m->interactions[g->interaction[i]];
    rc = rc ? rc : check_finite(k, c, it, end);
  }
  return rc;
}

/* h of a spring stands in l; its velocity is along H of this position. */
static int look_ahead_spring(ns_contacts *k, ns_ctx *c, const ns_interaction *it, const local *l,
                             const ns_moment *end)
{
  int rc = ns_lagrangian_rows(it, c, &l->p, l->work, l->H, l->ht, NULL);
  for (int r = 0; r < it->m && !rc; r++) {
    double u = 0;
    for (int j = 0; j < it->nQ; j++) u += l->H[r + j * it->m] * l->p.v[j];
    k->ahead[it->row + (size_t)r] = l->h[r];
    k->ahead[(size_t)k->nrows + it->row + (size_t)r] = u;
  }
  return rc ? rc : check_finite(k, c, it, end);
}

static int look_ahead_compliant(ns_contacts *k, ns_ctx *c, const ns_interaction *it,
                                const ns_moment *end, double *z)
{
  local l = place(k, it, end->t, end->q, end->v, z);
  iterate_impulse(k, it, l.lambda);
  ns_divide((size_t)it->m, k->h, l.lambda);
  int rc = ns_lagrangian_gap(it, c, &l.p, l.work, l.h);
  /* rows that took part have H of this position already, where the Newton loop has ended there;
   * springs keep that by which they push */
  int spring = ns_contacts_is_spring(it);
  if (!rc && spring && takes_part(k, it)) return look_ahead_spring(k, c, it, &l, end);
  if (!rc && !(k->fresh && takes_part(k, it))) {
    rc = ns_lagrangian_rows(it, c, &l.p, l.work, l.H, l.ht, NULL);
    if (!rc) store_rows(k, it, l.H, it->m, 1, k->H.val);
  }
  for (int r = 0; r < it->m && !rc; r++) {
    size_t row = it->row + (size_t)r;
    k->ahead[row] = l.h[r];
    k->ahead[(size_t)k->nrows + row] = ns_rows_dot(&k->H, (int)row, end->v) + k->shift[row];
  }
  return rc ? rc : check_finite(k, c, it, end);
}

static int foresee(ns_contacts *k, ns_ctx *c, double t, const double *q, const double *v, double *z)
{
  int rc = NS_OK;
  ns_moment end = {.from = t - k->h, .t = t, .q = q, .v = v, .z = z};
  for (int i = 0; i < k->ngroups && !rc; i++) rc = look_ahead_group(k, c, &k->group[i], &end);
  for (int i = k->nrigid; i < k->nmoving && !rc; i++)
    rc = look_ahead_compliant(k, c, &k->m->interactions[k->moving[i]], &end, z);
  return rc;
}

int ns_contacts_foresee(ns_contacts *k, ns_ctx *c, const ns_state *x, const double *q,
                        const double *v)
{
  int rc = foresee(k, c, k->t1, q, v, x->z);
  k->foreseen = !rc;
  return rc;
}

int ns_contacts_gaps(ns_contacts *k, ns_ctx *c, ns_state *x)
{
  int rc = k->foreseen ? NS_OK : foresee(k, c, *x->t, x->q, x->v, x->z);
  k->foreseen = 0;
  if (rc) return rc;
  for (int r = 0; r < k->nrows; r++) {
    if (!k->moves[r]) continue;
    x->y[r] = k->ahead[r];
    x->ydot[r] = k->ahead[k->nrows + r];
  }
  return NS_OK;
}

/* ---- values of G and D ----------------------------------------------------------------------- */

static int is_among(int s, const int *list, int n)
{
  for (int i = 0; i < n; i++)
    if (list[i] == s) return 1;
  return 0;
}

/* k->scatter := W^-1 of it, of system s and those that have their W in common with it. */
static void solve_together(ns_contacts *k, int s, const int *list, int many)
{
  double *rhs = k->rhs;
  for (int a = 0; a < many; a++) {
    const ns_system *sys = &k->m->systems[list[a]];
    memcpy(rhs, k->scatter + sys->v, (size_t)sys->n * sizeof *rhs);
    rhs += sys->n;
  }
  k->ops->solve(k->osi, s, 1, k->rhs);
  rhs = k->rhs;
  for (int a = 0; a < many; a++) {
    const ns_system *sys = &k->m->systems[list[a]];
    memcpy(k->scatter + sys->v, rhs, (size_t)sys->n * sizeof *rhs);
    rhs += sys->n;
  }
}

/* G of row r: W^-1 times its push, system by system. */
static void refresh_G(ns_contacts *k, int r)
{
  const ns_interaction *it = &k->m->interactions[k->interaction[r]];
  const double *val = ns_contacts_push(k, r);
  for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++) k->scatter[k->H.dof[e]] = val[e];
  for (int j = 0; j < it->nsystems; j++) {
    int s = it->systems[j], twice = 0;
    const int *list = &s;
    int many = k->ops->together ? k->ops->together(k->osi, s, &list) : 1;
    for (int i = 0; i < j; i++) twice = twice || is_among(it->systems[i], list, many);
    if (!twice) solve_together(k, s, list, many);
  }
  for (int e = k->G.ptr[r]; e < k->G.ptr[r + 1]; e++) {
    k->G.val[e] = k->scatter[k->G.dof[e]];
    k->scatter[k->G.dof[e]] = 0;
  }
  for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++) k->scatter[k->H.dof[e]] = 0;
}

/* Row r of D: factor H_r . G_j, for the active columns only unless `all`; with D/h of its relation
 * where that is compliant. */
static void refresh_D(ns_contacts *k, int r, int all)
{
  double f = k->factor[r];
  const double *val = ns_contacts_push(k, r);
  for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++) k->scatter[k->H.dof[e]] = val[e];
  for (int b = k->D.row[r]; b < k->D.row[r + 1]; b++) {
    int j = k->D.col[b];
    if (!all && k->position[j] < 0) continue;
    double s = 0;
    for (int e = k->G.ptr[j]; e < k->G.ptr[j + 1]; e++) s += k->scatter[k->G.dof[e]] * k->G.val[e];
    k->D.val[b] = f * s;
  }
  for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++) k->scatter[k->H.dof[e]] = 0;
  const ns_interaction *it = &k->m->interactions[k->interaction[r]];
  if (!k->compliant || !is_compliant(it)) return;
  const double *D = k->compliance + k->compliance_at[k->interaction[r]];
  for (int b = k->D.row[r]; b < k->D.row[r + 1]; b++) {
    int j = k->D.col[b] - (int)it->row;
    if (j >= 0 && j < it->m) k->D.val[b] += D[(r - (int)it->row) + j * it->m] / k->h;
  }
}

void ns_contacts_refresh(ns_contacts *k, int all)
{
  for (int pass = 0; pass < 2; pass++) {
    for (int r = 0; r < k->nrows && all; r++) {
      if (pass == 0)
        refresh_G(k, r); /* also of rows that vary: a fixed row may meet them in a fixed system */
      else if (k->fixed[r]) refresh_D(k, r, 1);
    }
    for (int i = 0; i < k->n; i++) {
      int r = k->active[i];
      if (k->fixed[r]) continue;
      if (pass == 0) refresh_G(k, r);
      else refresh_D(k, r, 0);
    }
  }
}
