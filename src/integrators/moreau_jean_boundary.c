/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moreau_jean_boundary.c -- prescribed velocities v_j = v*_j(t_k+1) of the degrees of freedom j in
 * J.
 *
 * They are unknowns no longer: with D_j = v*_j - v_j at the iterate, the other rows of  W (v_free -
 *     v) = -R  read
 *
 *   sum_(i not in J) W_ki (v_free - v)_i = -(R_k + sum_(j in J) W_kj D_j),   k not in J
 *
 * The sign follows from the elimination alone. Unit rows and columns J keep the matrix as it was in
 * shape, symmetric where it was, and a zero in rows J of every right-hand side H^T lets no contact
 * act on a held coordinate. What holds it is the impulse s_j = row j of the full equations, (M (v+
 * - v) - h F_theta - H^T P)_j. */
#include "integrators/moreau_jean_data.h"

#include "algebra/dense.h"

#include <string.h>

int ns_moreau_jean_hold(moreau_jean *o)
{
  const ns_model *m = o->m;
  size_t n = (size_t)ns_model_count_held(m);
  if (!n) return NS_OK;
  const ns_array want[] = {{&o->held, n, sizeof *o->held},
                           {&o->target, m->nv, sizeof *o->target},
                           {&o->support, m->nv, sizeof *o->support},
                           {&o->is_held, m->nv, 1},
                           {&o->held_work, ns_model_targets_work(m), sizeof *o->held_work}};
  if (ns_arena_arrays(o->mem, want, sizeof want / sizeof *want)) return NS_NOMEM;
  ns_model_mark_held(m, o->is_held);
  for (size_t d = 0; d < m->nv; d++)
    if (o->is_held[d]) o->held[o->nheld++] = (int)d;
  for (int k = 0; k < o->nblocks; k++) {
    block *b = &o->blocks[k];
    const ns_system *s = &m->systems[b->s];
    size_t first = s->q, end = first + (size_t)s->n;
    while (b->held < o->nheld && (size_t)o->held[b->held] < first) b->held++;
    while (b->held + b->nheld < o->nheld && (size_t)o->held[b->held + b->nheld] < end) b->nheld++;
    if (b->nheld &&
        !(b->column = ns_arena_zero(o->mem, (size_t)s->n * (size_t)b->nheld, sizeof *b->column)))
      return NS_NOMEM;
  }
  return NS_OK;
}

void ns_moreau_jean_hold_matrix(moreau_jean *o, block *b)
{
  const ns_system *s = &o->m->systems[b->s];
  size_t n = (size_t)s->n;
  for (int k = 0; k < b->nheld; k++)
    memcpy(b->column + (size_t)k * n, b->W + ((size_t)o->held[b->held + k] - s->q) * n,
           n * sizeof *b->W);
  for (int k = 0; k < b->nheld; k++) ns_dense_isolate(s->n, b->W, o->held[b->held + k] - (int)s->q);
}

void ns_moreau_jean_hold_residual(const moreau_jean *o, const block *b, double sign,
                                  const double *v, double *r)
{
  const ns_system *s = &o->m->systems[b->s];
  const double *column = b->column, *target = o->target + s->q;
  const int *held = o->held + b->held;
  for (int k = 0; k < b->nheld; k++, column += s->n) {
    size_t j = (size_t)held[k] - s->q;
    for (int i = 0; i < s->n; i++) r[i] += sign * column[i] * (target[j] - v[j]);
  }
  for (int k = 0; k < b->nheld; k++) {
    size_t j = (size_t)held[k] - s->q;
    r[j] = -sign * (target[j] - v[j]);
  }
}

/* Row j of  M (v+ - v) + h C v_theta + h K q_theta - h f_theta  of a linear system. */
static double linear_row(const moreau_jean *o, const ns_system *s, int j)
{
  const double *v0 = o->x->v + s->q, *q0 = o->x->q + s->q, *v = o->v + s->q, *q = o->q + s->q;
  double th = theta_of(o, s), h = o->h, d = o->f1[s->q + (size_t)j],
         f = th * d + (1 - th) * o->x->f[s->q + (size_t)j];
  double r = -h * f;
  for (int i = 0; i < s->n; i++) {
    double m = ns_operator_entry_or(&s->mass, j, i, i == j);
    r += m * (v[i] - v0[i]);
    if (s->damping.how)
      r += h * ns_operator_entry(&s->damping, j, i) * (th * v[i] + (1 - th) * v0[i]);
    if (s->stiffness.how)
      r += h * ns_operator_entry(&s->stiffness, j, i) * (th * q[i] + (1 - th) * q0[i]);
  }
  return r;
}

void ns_moreau_jean_supports(moreau_jean *o, const double *p)
{
  for (int i = 0; i < o->m->nboundaries; i++) {
    const ns_boundary *b = &o->m->boundaries[i];
    const ns_system *s = &o->m->systems[b->system];
    for (int k = 0; k < b->n; k++) {
      size_t d = s->q + (size_t)b->dof[k];
      o->support[d] = (o->kind[b->system] == NONLINEAR ? o->r[d] : linear_row(o, s, b->dof[k])) -
                      p[d];
    }
  }
}

double ns_moreau_jean_support_work(const moreau_jean *o)
{
  double w = 0;
  for (int k = 0; k < o->nheld; k++)
    w += o->support[o->held[k]] * (o->v[o->held[k]] + o->x->v[o->held[k]]) / 2;
  return w;
}
