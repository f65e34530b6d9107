/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/systems/lagrangian.h"

#include "algebra/vector.h"
#include "model/difference.h"

#include <float.h>
#include <math.h>
#include <string.h>

size_t ns_lagrangian_work(const ns_system *s)
{
  const ns_operator *all[] = {&s->mass,    &s->fext,    &s->fint,    &s->fgyr,
                              &s->dq_fint, &s->dv_fint, &s->dq_fgyr, &s->dv_fgyr};
  size_t n = (size_t)s->n, jacobian = ns_lagrangian_is_linear(s) ? 0 : n * n;
  /* a Jacobian, a displaced point, two forces */
  return ns_operators_work(all, sizeof all / sizeof *all) + jacobian + 4 * n;
}

int ns_lagrangian_mass(const ns_system *s, ns_ctx *c, const ns_point *p, double *work, double *M)
{
  if (s->mass.how == NS_OP_ABSENT) {
    memset(M, 0, (size_t)(s->n * s->n) * sizeof *M);
    for (int i = 0; i < s->n; i++) M[i + i * s->n] = 1;
    return NS_OK;
  }
  return ns_operator_eval(&s->mass, c, p, work, M);
}

/* F -= o(p); tmp [n] and tape scratch behind it. */
static int subtract(const ns_operator *o, ns_ctx *c, const ns_point *p, double *work, double *F)
{
  if (o->how == NS_OP_ABSENT) return NS_OK;
  int rc = ns_operator_eval(o, c, p, work + p->n, work);
  ns_axpy((size_t)p->n, -1, work, F);
  return rc;
}

int ns_lagrangian_force(const ns_system *s, ns_ctx *c, const ns_point *p, double *work, double *F,
                        double *gyr)
{
  int rc = ns_operator_eval(&s->fext, c, p, work, F);
  if (!rc) rc = subtract(&s->fint, c, p, work, F);
  if (gyr) memcpy(gyr, F, (size_t)s->n * sizeof *F);
  if (!rc) rc = subtract(&s->fgyr, c, p, work, F);
  for (int i = 0; gyr && i < s->n; i++) gyr[i] -= F[i];
  ns_operator_gemv_add(-1, &s->damping, p->v, F);
  ns_operator_gemv_add(-1, &s->stiffness, p->q, F);
  return rc;
}

int ns_lagrangian_differenced(const ns_system *s)
{
  return ns_difference_is_needed(&s->fint, &s->dq_fint, NS_BANK_Q) ||
         ns_difference_is_needed(&s->fint, &s->dv_fint, NS_BANK_V) ||
         ns_difference_is_needed(&s->fgyr, &s->dq_fgyr, NS_BANK_Q) ||
         ns_difference_is_needed(&s->fgyr, &s->dv_fgyr, NS_BANK_V);
}

static int add_jacobian(const ns_operator *f, const ns_operator *df, ns_ctx *c, const ns_point *p,
                        ns_bank bank, double *work, double *J)
{
  ns_difference d = {ns_difference_of_operator, f, bank, p->n, p->n};
  if (ns_difference_is_needed(f, df, bank)) return ns_difference_add(&d, c, p, work, J);
  if (df->how == NS_OP_ABSENT) return NS_OK;
  int nn = p->n * p->n, rc = ns_operator_eval(df, c, p, work + nn, work);
  ns_axpy((size_t)nn, 1, work, J);
  return rc;
}

int ns_lagrangian_tangents(const ns_system *s, ns_ctx *c, const ns_point *p, double *work,
                           double *Kt, double *Ct)
{
  size_t bytes = (size_t)(s->n * s->n) * sizeof *Kt;
  /* K and C of the linear kinds are not looked at: they have kernels of their own */
  memset(Kt, 0, bytes);
  memset(Ct, 0, bytes);
  int rc = add_jacobian(&s->fint, &s->dq_fint, c, p, NS_BANK_Q, work, Kt);
  if (!rc) rc = add_jacobian(&s->fgyr, &s->dq_fgyr, c, p, NS_BANK_Q, work, Kt);
  if (!rc) rc = add_jacobian(&s->fint, &s->dv_fint, c, p, NS_BANK_V, work, Ct);
  if (!rc) rc = add_jacobian(&s->fgyr, &s->dv_fgyr, c, p, NS_BANK_V, work, Ct);
  return rc;
}

int ns_lagrangian_is_linear(const ns_system *s)
{
  return s->mass.how <= NS_OP_CONSTANT && !s->fint.how && !s->fgyr.how;
}

double ns_lagrangian_entry(const ns_system *s, double a, double b, int i, int j)
{
  double w = ns_operator_entry_or(&s->mass, i, j, i == j);
  if (a != 0 && s->damping.how) w += a * ns_operator_entry(&s->damping, i, j);
  if (b != 0 && s->stiffness.how) w += b * ns_operator_entry(&s->stiffness, i, j);
  return w;
}

int ns_lagrangian_couples(const ns_system *s, int i, int j)
{
  return i == j || ns_operator_entry_or(&s->mass, i, j, 0) != 0 ||
         ns_operator_entry_or(&s->damping, i, j, 0) != 0 ||
         ns_operator_entry_or(&s->stiffness, i, j, 0) != 0;
}

size_t ns_lagrangian_entries(const ns_system *s)
{
  size_t n = 0;
  for (int j = 0; j < s->n; j++)
    for (int i = 0; i < s->n; i++) n += (size_t)ns_lagrangian_couples(s, i, j);
  return n;
}

int ns_operator_is_diagonal(const ns_operator *o)
{
  if (o->how == NS_OP_ABSENT || o->diagonal) return 1;
  if (o->how != NS_OP_CONSTANT || o->rows != o->cols) return 0;
  for (int j = 0; j < o->cols; j++)
    for (int i = 0; i < o->rows; i++)
      if (i != j && o->value[i + j * o->rows] != 0) return 0;
  return 1;
}
