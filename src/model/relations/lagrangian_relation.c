/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/relations/lagrangian_relation.h"

#include "algebra/vector.h"
#include "model/difference.h"

#include <float.h>
#include <math.h>
#include <string.h>

static size_t area(int rows, int cols) { return (size_t)rows * (size_t)cols; }

static int is_linear(const ns_interaction *it)
{
  return (it->relation->flags & NS_REL_LINEAR) != 0;
}

size_t ns_lagrangian_relation_work(const ns_interaction *it)
{
  if (is_linear(it)) return 0;
  const ns_lagrangian_relation *o = &it->lr;
  const ns_operator *all[] = {&o->h, &o->H, &o->ht, &o->D, &o->Hdot, &o->bias};
  size_t m = (size_t)it->m, n = (size_t)it->nQ;
  size_t differences = ns_difference_work(it->m, n > m ? it->nQ : it->m);
  size_t flow = n + 4 * m + m * n; /* the same of the flow, ht, H */
  return ns_operators_work(all, sizeof all / sizeof *all) + differences + flow;
}

/* out [rows of it x cols]; zeros where absent and in rows that the operator does not have. */
static int evaluate(const ns_operator *o, ns_ctx *c, const ns_point *p, double *work, int rows,
                    int cols, double *out)
{
  int rc = o->how ? ns_operator_eval(o, c, p, work, out) : NS_OK, have = o->how ? o->rows : 0;
  if (have == rows) return rc;
  for (int j = cols - 1; j >= 0; j--) /* spread the columns, last first */
    for (int i = rows - 1; i >= 0; i--)
      out[(size_t)i + area(rows, j)] = i < have ? out[(size_t)i + area(have, j)] : 0;
  return rc;
}

/* ---- linear kinds ---------------------------------------------------------------------------- */

static void linear_gap(const ns_interaction *it, const ns_point *p, double *y)
{
  for (int r = 0; r < it->m; r++) y[r] = it->e ? it->e[r] : 0;
  ns_gemv(it->m, it->nQ, 1, it->H, p->q, y);
  ns_gemv(it->m, it->nZ, 1, it->F, p->z, y);
  if (it->relation->flags & NS_REL_COMPLIANT) ns_gemv(it->m, it->m, 1, it->D, p->lambda, y);
}

static void copy(const double *from, size_t n, double *to)
{
  if (to && from) memcpy(to, from, n * sizeof *to);
  else if (to) memset(to, 0, n * sizeof *to);
}

static void linear_rows(const ns_interaction *it, double *H, double *ht, double *D)
{
  copy(it->H, area(it->m, it->nQ), H);
  copy(NULL, (size_t)it->m, ht);
  copy(it->relation->flags & NS_REL_COMPLIANT ? it->D : NULL, area(it->m, it->m), D);
}

/* ---- differences ----------------------------------------------------------------------------- */

/* The function of the relation (ns_difference.f). */
static int gap(const void *of, ns_ctx *c, const ns_point *p, double *work, double *y)
{
  const ns_interaction *it = of;
  return evaluate(&it->lr.h, c, p, work, it->m, 1, y);
}

/* J [m x n] = dh / d bank of length n: as given, or by differences. */
static int derivative(const ns_interaction *it, const ns_operator *given, ns_ctx *c,
                      const ns_point *p, ns_bank bank, int n, double *work, double *J)
{
  ns_difference d = {.f = gap, .of = it, .bank = bank, .rows = it->m, .cols = n};
  if (!ns_difference_is_needed(&it->lr.h, given, bank))
    return evaluate(given, c, p, work, it->m, n, J);
  memset(J, 0, area(it->m, n) * sizeof *J);
  return ns_difference_add(&d, c, p, work, J);
}

static int difference_t(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                        double *ht)
{
  double *up = work, *down = up + it->m, *rest = down + it->m, step = ns_difference_step(p->t);
  ns_point hi = *p, lo = *p;
  hi.t += step;
  lo.t -= step;
  int rc = evaluate(&it->lr.h, c, &hi, rest, it->m, 1, up);
  if (!rc) rc = evaluate(&it->lr.h, c, &lo, rest, it->m, 1, down);
  for (int i = 0; i < it->m && !rc; i++) ht[i] = (up[i] - down[i]) / (hi.t - lo.t);
  return rc;
}

/* ---- all kinds ------------------------------------------------------------------------------- */

int ns_lagrangian_gap(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                      double *y)
{
  if (!is_linear(it)) return evaluate(&it->lr.h, c, p, work, it->m, 1, y);
  linear_gap(it, p, y);
  return NS_OK;
}

int ns_lagrangian_rows(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                       double *H, double *ht, double *D)
{
  const ns_lagrangian_relation *o = &it->lr;
  int m = it->m, rc = NS_OK;
  if (is_linear(it)) {
    linear_rows(it, H, ht, D);
    return NS_OK;
  }
  if (H) rc = derivative(it, &o->H, c, p, NS_BANK_Q, it->nQ, work, H);
  if (ht && !rc)
    rc = ns_difference_is_needed(&o->h, &o->ht, NS_BANK_T) ? difference_t(it, c, p, work, ht)
                                                           : evaluate(&o->ht, c, p, work, m, 1, ht);
  if (D && !rc) rc = derivative(it, &o->D, c, p, NS_BANK_LAMBDA, m, work, D);
  return rc;
}

int ns_lagrangian_relation_differenced(const ns_interaction *it)
{
  const ns_lagrangian_relation *o = &it->lr;
  return !is_linear(it) && (ns_difference_is_needed(&o->h, &o->H, NS_BANK_Q) ||
                            ns_difference_is_needed(&o->h, &o->ht, NS_BANK_T) ||
                            ns_difference_is_needed(&o->h, &o->D, NS_BANK_LAMBDA));
}

/* ---- bias ------------------------------------------------------------------------------------ */

/* ydot at t + s, Q + s V with V held. */
static int speed_on(const ns_interaction *it, ns_ctx *c, const ns_point *p, double s, double *work,
                    double *ydot)
{
  size_t n = (size_t)it->nQ, m = (size_t)it->m;
  double *q = work, *H = q + n, *ht = H + m * n, *rest = ht + m;
  ns_point at = *p;
  ns_linear_sum(n, p->q, s, p->v, q);
  at.q = q;
  at.t += s;
  int rc = ns_lagrangian_rows(it, c, &at, rest, H, ht, NULL);
  memcpy(ydot, ht, m * sizeof *ydot);
  ns_gemv(it->m, it->nQ, 1, H, p->v, ydot);
  return rc;
}

int ns_lagrangian_bias(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                       double *bias)
{
  size_t m = (size_t)it->m;
  double *up = work, *down = up + m, *rest = down + m, fast = 0;
  memset(bias, 0, m * sizeof *bias);
  if (is_linear(it)) return NS_OK;
  if (it->lr.bias.how) return evaluate(&it->lr.bias, c, p, work, it->m, 1, bias);
  if (it->lr.Hdot.how && !it->lr.ht.how && !ns_operator_uses(&it->lr.h, NS_BANK_T)) {
    int rc = evaluate(&it->lr.Hdot, c, p, work + area(it->m, it->nQ), it->m, it->nQ, work);
    if (!rc) ns_gemv(it->m, it->nQ, 1, work, p->v, bias);
    return rc;
  }
  fast = fmax(fast, ns_max_abs((size_t)it->nQ, p->v));
  /* H that is itself differenced has an error of eps^(2/3): a longer step balances it with that of
   * this difference */
  double s = (ns_lagrangian_relation_differenced(it) ? pow(DBL_EPSILON, 2.0 / 9)
                                                     : cbrt(DBL_EPSILON)) /
             fmax(1, fast);
  volatile double hi = p->t + s, lo = p->t - s; /* as represented */
  double ahead = hi - p->t, behind = lo - p->t;
  int rc = speed_on(it, c, p, ahead, rest, up);
  if (!rc) rc = speed_on(it, c, p, behind, rest, down);
  for (size_t i = 0; i < m && !rc; i++) bias[i] = (up[i] - down[i]) / (ahead - behind);
  return rc;
}
