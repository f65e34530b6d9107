/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/systems/lagrangian.h"

#include <float.h>
#include <math.h>
#include <string.h>

size_t ns_lagrangian_work(const ns_system *s)
{
  const ns_operator *all[] = {&s->mass,    &s->fext,    &s->fint,    &s->fgyr,
                              &s->dq_fint, &s->dv_fint, &s->dq_fgyr, &s->dv_fgyr};
  size_t tape = 0;
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    size_t w = ns_operator_work(all[k]);
    if (w > tape) tape = w;
  }
  size_t n = (size_t)s->n, jacobian = ns_lagrangian_is_linear(s) ? 0 : n * n;
  return tape + jacobian + 4 * n; /* a Jacobian, a displaced point, two forces */
}

size_t ns_lagrangian_work_max(const ns_model *m)
{
  size_t max = 1;
  for (int i = 0; i < m->nsystems; i++) {
    size_t w = ns_lagrangian_work(&m->systems[i]);
    max = w > max ? w : max;
  }
  return max;
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
  for (int i = 0; i < p->n; i++) F[i] -= work[i];
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

static int needs_difference(const ns_operator *f, const ns_operator *df, ns_bank bank)
{
  return f->how == NS_OP_PLUGIN && df->how == NS_OP_ABSENT && (f->uses >> bank & 1u);
}

int ns_lagrangian_differenced(const ns_system *s)
{
  return needs_difference(&s->fint, &s->dq_fint, NS_BANK_Q) ||
         needs_difference(&s->fint, &s->dv_fint, NS_BANK_V) ||
         needs_difference(&s->fgyr, &s->dq_fgyr, NS_BANK_Q) ||
         needs_difference(&s->fgyr, &s->dv_fgyr, NS_BANK_V);
}

/* J += df/dx by central differences, x = q or v by bank. work: 3 n doubles + tape scratch. */
static int difference(const ns_operator *f, ns_ctx *c, const ns_point *p, ns_bank bank,
                      double *work, double *J)
{
  int n = p->n, rc = NS_OK;
  double *x = work, *up = work + n, *down = work + 2 * n, *tape = work + 3 * n;
  ns_point at = *p;
  memcpy(x, bank == NS_BANK_Q ? p->q : p->v, (size_t)n * sizeof *x);
  if (bank == NS_BANK_Q) at.q = x;
  else at.v = x;
  for (int j = 0; j < n && !rc; j++) {
    double xj = x[j], step = cbrt(DBL_EPSILON) * fmax(1, fabs(xj));
    x[j] = xj + step;
    double hi = x[j];
    rc = ns_operator_eval(f, c, &at, tape, up);
    x[j] = xj - step;
    double width = hi - x[j]; /* as represented, not as asked for */
    if (!rc) rc = ns_operator_eval(f, c, &at, tape, down);
    x[j] = xj;
    for (int i = 0; i < n && !rc; i++) J[i + j * n] += (up[i] - down[i]) / width;
  }
  return rc;
}

static int add_jacobian(const ns_operator *f, const ns_operator *df, ns_ctx *c, const ns_point *p,
                        ns_bank bank, double *work, double *J)
{
  if (needs_difference(f, df, bank)) return difference(f, c, p, bank, work, J);
  if (df->how == NS_OP_ABSENT) return NS_OK;
  int nn = p->n * p->n, rc = ns_operator_eval(df, c, p, work + nn, work);
  for (int i = 0; i < nn; i++) J[i] += work[i];
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
