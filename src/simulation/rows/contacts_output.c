/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/vector.h"
#include "simulation/rows/bonds.h"
#include "simulation/rows/contacts_parts.h"

#include <math.h>
#include <string.h>

/* e + F z of the rows that have F. */
static void refresh_offsets(ns_contacts *k, const double *z)
{
  for (int i = 0; i < k->m->ninteractions; i++) {
    const ns_interaction *it = &k->m->interactions[i];
    if (!(it->relation->flags & NS_REL_LINEAR) || !it->F) continue;
    for (int r = 0; r < it->m; r++) {
      double s = it->e ? it->e[r] : 0;
      int col = 0;
      for (int j = 0; j < it->nsystems; j++) {
        const ns_system *sys = &k->m->systems[it->systems[j]];
        for (int a = 0; a < sys->nz; a++) s += it->F[r + (col + a) * it->m] * z[sys->z + (size_t)a];
        col += sys->nz;
      }
      k->offset[it->row + (size_t)r] = s;
    }
  }
}

static void keep_multipliers(ns_contacts *k, ns_state *x)
{
  memset(x->lambda, 0, (size_t)k->nrows * sizeof *x->lambda);
  ns_scatter((size_t)k->n, k->z, k->active, x->lambda);
}

/* Power of the contacts on the systems, of plain rows. */
static double power(const ns_contacts *k, const ns_state *x)
{
  double s = 0;
  const double *z = k->z, *ydot = x->ydot;
  const int *active = k->active;
  for (int i = 0, n = k->n; i < n; i++) s += z[i] * ydot[active[i]];
  return s;
}

/* Along what pushed in the step: H_theta of relations that bend, H of springs. */
static double speed_of_push(const ns_contacts *k, int r, const double *v)
{
  int bends = k->begun && k->unit[k->unit_of[r]].kind != NS_UNIT_COMPLIANT;
  const double *val = bends ? k->push : k->H.val;
  double u = 0;
  for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++) u += val[e] * v[k->H.dof[e]];
  return u;
}

void ns_contacts_before(ns_contacts *k, const ns_state *x)
{
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    k->speed[i] = k->moves[r] ? speed_of_push(k, r, x->v) : x->ydot[r];
  }
}

/* Velocity of a row at the end of the step, along the H by which it pushed: where that moves it
 * is not H of the end. */
static double end_speed(const ns_contacts *k, const ns_state *x, int r)
{
  if (!k->moves[r]) return x->ydot[r];
  return speed_of_push(k, r, x->v) + k->shift[r];
}

void ns_contacts_work(const ns_contacts *k, const ns_state *x)
{
  ns_certificate *cert = x->cert;
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i];
    double P = k->z[i], drive = k->shift[r],
           work = P * (k->speed[i] + end_speed(k, x, r) + drive) / 2;
    if (P == 0) continue;
    cert->work_driven -= P * drive;
    if (ns_contacts_is_tangential(k, r)) cert->work_friction += work;
    else cert->work_contact += work;
  }
}

/* y and ydot of plain rows, lambda = 0; the deepest of them. */
static inline double rows_plain(const ns_contacts *k, ns_state *x)
{
  double deepest = 0;
  const double *q = x->q, *v = x->v, *val = k->H.val, *offset = k->offset;
  double *restrict gap = x->y, *restrict speed = x->ydot, *restrict lambda = x->lambda;
  const int *ptr = k->H.ptr, *dof = k->H.dof;
  for (int r = 0, n = k->nrows, e = ptr[0]; r < n; r++) {
    double y = offset[r], u = 0;
    for (int end = ptr[r + 1]; e < end; e++) {
      y += val[e] * q[dof[e]];
      u += val[e] * v[dof[e]];
    }
    gap[r] = y;
    speed[r] = u;
    lambda[r] = 0;
    deepest = y < deepest ? y : deepest;
  }
  return deepest;
}

static int output_plain(const ns_contacts *k, ns_state *x)
{
  double before = power(k, x), deepest = rows_plain(k, x), after = 0, *restrict lambda = x->lambda;
  const double *z = k->z, *ydot = x->ydot;
  for (int i = 0, n = k->n; i < n; i++) {
    int r = k->active[i];
    lambda[r] = z[i];
    after += z[i] * ydot[r];
  }
  x->cert->work_contact += (before + after) / 2;
  x->report->penetration = 0 - deepest; /* not -0 */
  return NS_OK;
}

/* y of a compliant linear relation has D lambda = D P / h in it. */
static void add_compliance(const ns_contacts *k, const ns_interaction *it, ns_state *x)
{
  for (int i = 0; i < it->m && it->D; i++)
    for (int j = 0; j < it->m; j++)
      x->y[it->row + (size_t)i] += it->D[i + j * it->m] * x->lambda[it->row + (size_t)j] / k->h;
}

static inline void output_row(const ns_contacts *k, ns_state *x, int r)
{
  const double *q = x->q, *v = x->v, *val = k->H.val;
  const int *dof = k->H.dof;
  double y = 0, u = 0;
  for (int e = k->H.ptr[r], end = k->H.ptr[r + 1]; e < end; e++) {
    y += val[e] * q[dof[e]];
    u += val[e] * v[dof[e]];
  }
  x->y[r] = k->offset[r] + y;
  x->ydot[r] = u + k->shift[r];
}

static int output_units(ns_contacts *k, ns_ctx *c, ns_state *x, double *deepest)
{
  for (int r = 0; r < k->nrows; r++)
    if (!k->moves[r]) output_row(k, x, r);
  for (int i = 0; i < k->m->ninteractions && k->compliant; i++)
    if ((k->m->interactions[i].relation->flags & (NS_REL_COMPLIANT | NS_REL_LINEAR)) ==
        (NS_REL_COMPLIANT | NS_REL_LINEAR))
      add_compliance(k, &k->m->interactions[i], x);
  int rc = k->nmoving ? ns_contacts_gaps(k, c, x) : NS_OK;
  for (int a = 0; a < k->nunits && !rc; a++) {
    const ns_unit *u = &k->unit[a];
    double y = x->y[u->first];
    if (u->kind > NS_UNIT_FRICTION) {
      if (u->kind == NS_UNIT_COMPLIANT || isfinite(k->lb[u->first])) continue;
      y = -fabs(y); /* an equality has two sides */
    }
    *deepest = y < *deepest ? y : *deepest;
  }
  return rc;
}

int ns_contacts_positions(ns_contacts *k, ns_ctx *c, const ns_state *x, const double *q,
                          const double *v, double *y)
{
  if (k->has_F) refresh_offsets(k, x->z);
  for (int r = 0; r < k->nrows; r++) y[r] = k->offset[r] + ns_rows_dot(&k->H, r, q);
  return k->nmoving ? ns_contacts_gaps_at(k, c, x, q, v, y) : NS_OK;
}

/* Ways in a step that are no more than rounding and what solvers leave: a share of that by which
 * the largest impulse of a contact with friction moves it. A wedged body rests only if all that
 * touch it take part in the next step, also those that bore nothing in this one. */
static double rounded_gap(const ns_contacts *k, const ns_state *x)
{
  static const double SHARE = 1e-6;
  double speed = 0;
  for (int i = 0; i < k->na && (k->scale || !k->together); i++) {
    const ns_unit *u = &k->unit[k->active_unit[i]];
    int r = u->first;
    if (u->kind == NS_UNIT_FRICTION && x->lambda[r] > 0)
      ns_keep_max(&speed, x->lambda[r] * (k->scale ? 1 / (k->scale[r] * k->scale[r])
                                                   : *ns_blocks_at(&k->D, r, r)));
  }
  return SHARE * k->h * speed;
}

/* 0 where the problem is not of contacts alone, which has a matrix of its own. */
static double mobility(const void *of, const ns_interaction *it)
{
  const ns_contacts *k = of;
  return k->together ? 0 : *ns_blocks_at(&k->D, (int)it->row, (int)it->row);
}

/* Of its own, so that the short way saves no registers for it. */
static __attribute__((noinline)) int output_all(ns_contacts *k, ns_ctx *c, ns_state *x)
{
  keep_multipliers(k, x);
  k->rounded = rounded_gap(k, x);
  double deepest = 0;
  int rc = output_units(k, c, x, &deepest);
  if (!rc && k->tension) ns_bonds_keep(k->m, x, k->tension, mobility, k);
  x->report->penetration = 0 - deepest; /* not -0 */
  return rc;
}

int ns_contacts_output(ns_contacts *k, ns_ctx *c, ns_state *x)
{
  if (k->has_F) refresh_offsets(k, x->z);
  return k->plain ? output_plain(k, x) : output_all(k, c, x);
}
