/* SPDX-License-Identifier: GPL-3.0-or-later */
/* moreau_jean_energy.c -- where the energy of a step went.
 *
 * The step's balance is the scalar product of its equations with the mean velocity (v + v_k)/2:
 *
 *   1/2 v^T M v - 1/2 v_k^T M v_k = (v + v_k)/2 . (h F_theta + H^T P)
 *
 * For theta = 1/2 the work of K is exactly minus the change of 1/2 q^T K q, so the defect of linear
 * systems is rounding; for other theta it is the scheme's own damping, for nonlinear systems
 * O(h^2). */
#include "algebra/vector.h"
#include "integrators/moreau_jean_data.h"
#include "model/systems/lagrangian.h"

#include <math.h>

/* Diagonal systems: energies at (q, v). */
static inline void run_energy(const moreau_jean *o, run k, const double *q, const double *v,
                              energy *e)
{
  const double *mass = o->mass, *fpot = o->fpot;
  double t = 0, u = 0;
  for (size_t i = k.a; i < k.b; i++) {
    t += mass[i] * v[i] * v[i];
    u -= fpot[i] * q[i];
  }
  if (!k.plain)
    for (size_t i = k.a; i < k.b; i++) u += o->stiffness[i] * q[i] * q[i] / 2;
  e->kinetic += t / 2;
  e->potential += u;
}

/* v^T M v / 2 of a nonlinear system at (q, v), the iterate; its M is at hand where massGamma = 1.
 */
static int moving_kinetic(const moreau_jean *o, ns_ctx *c, const block *b, const double *q,
                          const double *v, energy *e)
{
  const ns_system *s = &o->m->systems[b->s];
  ns_point p = {
      .t = o->t1, .n = s->n, .q = q, .v = v, .nz = s->nz, .z = o->x->z + s->z, .index = s->index};
  int at_hand = !b->moving || o->mass_gamma == 1,
      rc = at_hand ? NS_OK : ns_lagrangian_mass(s, c, &p, o->work, o->Kt);
  const double *M = at_hand ? b->value : o->Kt;
  double sum = 0;
  for (int j = 0; j < s->n; j++, M += s->n) sum += ns_dot((size_t)s->n, v, M) * v[j];
  e->kinetic += sum / 2;
  return rc;
}

/* x^T A y, A of the operator or its sparse rows. */
static double form(const block *b, const ns_operator *A, const ns_blocks *rows, const double *x,
                   const double *y)
{
  return b->sparse ? ns_moreau_jean_sparse_form(rows, x, y) : ns_operator_form(A, x, y);
}

static int block_energy(const moreau_jean *o, ns_ctx *c, const block *b, const double *q,
                        const double *v, energy *e)
{
  const ns_system *s = &o->m->systems[b->s];
  q += s->q;
  v += s->q;
  for (int i = 0; i < s->n; i++) e->potential -= o->fpot[s->q + (size_t)i] * q[i];
  e->potential += form(b, &s->stiffness, b->sparse ? &b->sparse->K : NULL, q, q) / 2;
  if (b->kind == NONLINEAR) return moving_kinetic(o, c, b, q, v, e);
  if (s->mass.how) e->kinetic += form(b, &s->mass, b->sparse ? &b->sparse->M : NULL, v, v) / 2;
  else
    for (int i = 0; i < s->n; i++) e->kinetic += v[i] * v[i] / 2;
  return NS_OK;
}

int ns_moreau_jean_keep_steady(const moreau_jean *o, ns_state *x)
{
  const double *q = o->q, *v = o->v;
  double *restrict q0 = x->q, *restrict v0 = x->v;
  size_t n = o->m->nv;
  energy e = {0};
  run_energy(o, o->runs[0], q, v, &e);
  if (!isfinite(e.kinetic + e.potential)) return 0;
  x->cert->kinetic = e.kinetic;
  x->cert->potential = e.potential;
  for (size_t i = 0; i < n; i++) {
    q0[i] = q[i];
    v0[i] = v[i];
  }
  return 1;
}

double ns_moreau_jean_working(const moreau_jean *o, size_t i, const double *F)
{
  return F[i] + o->gyr[i] - o->fpot[i];
}

double ns_moreau_jean_work(const moreau_jean *o)
{
  double w = 0;
  const double *v0 = o->x->v, *v = o->v, *f0 = o->x->f;
  for (int k = 0; k < o->ntimed; k++) {
    const ns_system *s = &o->m->systems[o->timed[k]];
    double th = theta_of(o, s);
    for (size_t i = s->q; i < s->q + (size_t)s->n; i++)
      w += (th * o->f1[i] + (1 - th) * f0[i]) * (v[i] + v0[i]) / 2;
  }
  for (int k = 0; k < o->nruns; k++) {
    double th = o->runs[k].theta;
    if (!o->runs[k].plain)
      for (size_t i = o->runs[k].a; i < o->runs[k].b; i++)
        w -= o->damping[i] * (th * v[i] + (1 - th) * v0[i]) * (v[i] + v0[i]) / 2;
  }
  for (int k = 0; k < o->nblocks; k++) {
    const block *b = &o->blocks[k];
    const ns_system *s = &o->m->systems[b->s];
    const double *a = v0 + s->q, *e = v + s->q, th = theta_of(o, s);
    if (b->kind == DENSE) {
      const ns_operator *C = &s->damping;
      if (!C->how) continue;
      const ns_blocks *R = b->sparse ? &b->sparse->C : NULL;
      w -= (th * (form(b, C, R, a, e) + form(b, C, R, e, e)) +
            (1 - th) * (form(b, C, R, a, a) + form(b, C, R, e, a))) /
           2;
      continue;
    }
    for (size_t i = s->q; i < s->q + (size_t)s->n; i++)
      w += (th * ns_moreau_jean_working(o, i, o->f1) + (1 - th) * o->wf[i]) * (v[i] + v0[i]) / 2;
  }
  return w * o->h;
}

int ns_moreau_jean_energy(const moreau_jean *o, ns_ctx *c, const double *q, const double *v,
                          energy *e)
{
  int rc = NS_OK;
  *e = (energy){0};
  for (int k = 0; k < o->nruns; k++) run_energy(o, o->runs[k], q, v, e);
  for (int k = 0; k < o->nblocks && !rc; k++) rc = block_energy(o, c, &o->blocks[k], q, v, e);
  return rc;
}
