/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/systems/mechanics.h"

#include "algebra/vector.h"
#include "model/systems/lagrangian.h"
#include "model/systems/rigid_body.h"

#include <string.h>

/* ---- force ----------------------------------------------------------------------------------- */

size_t ns_mechanics_work_max(const ns_model *m)
{
  size_t max = 1;
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    size_t w = ns_system_is_rigid(s) ? ns_rigid_work(s) : ns_lagrangian_work(s);
    max = w > max ? w : max;
  }
  return max;
}

int ns_mechanics_force(const ns_system *s, ns_ctx *c, const ns_point *p, double *work, double *F,
                       double *gyr)
{
  if (!ns_system_is_rigid(s)) return ns_lagrangian_force(s, c, p, work, F, gyr);
  int rc = ns_rigid_force(s, c, p, work, F),
      spins = !ns_system_is_planar(s) && s->rigid.gyroscopic != NS_GYROSCOPIC_NONE;
  memset(gyr, 0, (size_t)s->n * sizeof *gyr);
  if (spins) ns_rigid_gyroscopic(s->rigid.inertia, p->v + 3, gyr + 3, NULL);
  ns_axpy((size_t)(s->n - 3), -1, gyr + 3, F + 3);
  return rc;
}

static int is_sphere(const double *I)
{
  int isotropic = I[0] == I[4] && I[4] == I[8];
  return isotropic && I[1] == 0 && I[2] == 0 && I[3] == 0 && I[5] == 0 && I[6] == 0 && I[7] == 0;
}

int ns_mechanics_is_steady(const ns_system *s)
{
  if (!ns_system_is_rigid(s))
    return s->mass.how <= NS_OP_CONSTANT && s->fext.how <= NS_OP_CONSTANT && !s->fint.how &&
           !s->fgyr.how && !s->damping.how && !s->stiffness.how;
  int spins = !ns_system_is_planar(s) && s->rigid.gyroscopic != NS_GYROSCOPIC_NONE &&
              !is_sphere(s->rigid.inertia);
  return ns_rigid_is_steady(s) && !spins;
}

/* f += sign o, where it is constant. */
static void add_constant(const ns_operator *o, double sign, double *f)
{
  for (int i = 0; o->how == NS_OP_CONSTANT && i < o->rows; i++)
    f[i] += sign * ns_operator_entry(o, i, 0);
}

void ns_mechanics_constant(const ns_system *s, double *f)
{
  memset(f, 0, (size_t)s->n * sizeof *f);
  if (!ns_system_is_rigid(s)) {
    add_constant(&s->fext, 1, f);
    return;
  }
  const ns_rigid_body *b = &s->rigid;
  double *moment = f + ns_system_translations(s);
  add_constant(&b->fext, 1, f);
  add_constant(&b->mext, 1, moment);
  add_constant(&b->fint, -1, f);
  add_constant(&b->mint, -1, moment);
}

void ns_mechanics_known(const ns_system *s, double *f)
{
  memset(f, 0, (size_t)s->n * sizeof *f);
  if (!ns_system_is_rigid(s)) add_constant(&s->fext, 1, f);
  else if (!s->rigid.fext_in_body) add_constant(&s->rigid.fext, 1, f);
}

double ns_mechanics_potential(const ns_system *s, const double *q)
{
  double known[6], U = 0;
  int rigid = ns_system_is_rigid(s), lengths = ns_system_translations(s);
  if (rigid) {
    ns_mechanics_known(s, known);
    for (int i = 0; i < lengths; i++) U -= known[i] * q[i]; /* moments have none */
    return U;
  }
  U = ns_operator_form(&s->stiffness, q, q) / 2;
  for (int j = 0; j < s->n && s->fext.how == NS_OP_CONSTANT; j++) U -= s->fext.value[j] * q[j];
  return U;
}

int ns_mechanics_has_work(const ns_system *s)
{
  if (!ns_system_is_rigid(s)) return s->fext.how > NS_OP_CONSTANT || s->fint.how || s->damping.how;
  const ns_rigid_body *b = &s->rigid;
  return b->fext.how > NS_OP_CONSTANT || (b->fext.how && b->fext_in_body) || b->mext.how ||
         b->fint.how || b->mint.how;
}

/* ---- position -------------------------------------------------------------------------------- */

int ns_mechanics_any_curved(const ns_model *m)
{
  for (int i = 0; i < m->nsystems; i++)
    if (ns_mechanics_is_curved(&m->systems[i])) return 1;
  return 0;
}

/* dp := p (0, Omega) / 2. */
static void turn_rate(const double *p, const double *Omega, double *dp)
{
  dp[0] = -(p[1] * Omega[0] + p[2] * Omega[1] + p[3] * Omega[2]) / 2;
  dp[1] = (p[0] * Omega[0] - p[3] * Omega[1] + p[2] * Omega[2]) / 2;
  dp[2] = (p[3] * Omega[0] + p[0] * Omega[1] - p[1] * Omega[2]) / 2;
  dp[3] = (-p[2] * Omega[0] + p[1] * Omega[1] + p[0] * Omega[2]) / 2;
}

void ns_mechanics_rate(const ns_model *m, const double *q, const double *v, double *dq)
{
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    int curved = ns_mechanics_is_curved(s);
    memcpy(dq + s->q, v + s->v, (size_t)(curved ? 3 : s->n) * sizeof *dq);
    if (curved) turn_rate(q + s->q + 3, v + s->v + 3, dq + s->q + 3);
  }
}

void ns_mechanics_move_one(const ns_system *s, double h, const double *v, double *q)
{
  if (ns_mechanics_is_curved(s)) {
    ns_rigid_move(s, h, v, q);
    return;
  }
  ns_axpy((size_t)s->n, h, v, q);
}

void ns_mechanics_move(const ns_model *m, double h, const double *v, double *q)
{
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    ns_mechanics_move_one(s, h, v + s->v, q + s->q);
  }
}

void ns_mechanics_normalise(const ns_model *m, double *q)
{
  for (int i = 0; i < m->nsystems; i++)
    if (ns_mechanics_is_curved(&m->systems[i])) ns_quaternion_unit(q + m->systems[i].q + 3);
}
