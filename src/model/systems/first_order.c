/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/systems/first_order.h"

#include "algebra/vector.h"
#include "model/difference.h"

#include <float.h>
#include <math.h>
#include <string.h>

static size_t area(int rows, int cols) { return (size_t)rows * (size_t)cols; }
static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* ---- operators ------------------------------------------------------------------------------- */

/* out [rows x cols]; zeros where absent, whatever shape the operator remembers. */
static int evaluate(const ns_operator *o, ns_ctx *c, const ns_point *p, double *work, int rows,
                    int cols, double *out)
{
  if (o->how) return ns_operator_eval(o, c, p, work, out);
  memset(out, 0, area(rows, cols) * sizeof *out);
  return NS_OK;
}

/* Doubles that `apply` wants. */
static size_t apply_work(const ns_operator *o)
{
  return o->how > NS_OP_CONSTANT ? area(o->rows, o->cols) + ns_operator_work(o) : 0;
}

/* y += O(p) x */
static int apply(const ns_operator *o, ns_ctx *c, const ns_point *p, double *work, const double *x,
                 double *y)
{
  if (o->how <= NS_OP_CONSTANT) {
    ns_operator_gemv_add(1, o, x, y);
    return NS_OK;
  }
  int rc = ns_operator_eval(o, c, p, work + area(o->rows, o->cols), work);
  ns_gemv(o->rows, o->cols, 1, work, x, y);
  return rc;
}

/* ---- systems --------------------------------------------------------------------------------- */

static int is_of_linear_kind(const ns_system *s) { return (s->kind->flags & NS_SYS_LINEAR) != 0; }

/* The control's derivative by x, which only differences tell. */
static int control_moves(const ns_first_order *o)
{
  return o->u.how && (ns_operator_uses(&o->u, NS_BANK_Q) || ns_operator_uses(&o->T, NS_BANK_Q));
}

size_t ns_first_order_work(const ns_system *s)
{
  const ns_first_order *o = &s->fo;
  const ns_operator *all[] = {&o->M, &o->f, &o->dx_f, &o->b, &o->A, &o->u};
  size_t n = (size_t)s->n, tape = ns_operators_work(all, sizeof all / sizeof *all);
  size_t control = o->u.how ? (size_t)o->u.rows + apply_work(&o->T) : 0;
  return 4 * n + control + tape + apply_work(&o->A);
}

int ns_first_order_mass(const ns_system *s, ns_ctx *c, const ns_point *p, double *work, double *M)
{
  int rc = evaluate(&s->fo.M, c, p, work, s->n, s->n, M);
  for (int i = 0; i < s->n && !s->fo.M.how; i++) M[(size_t)i + area(s->n, i)] = 1;
  return rc;
}

/* f += T u; T absent: identity. */
static int add_control(const ns_first_order *o, ns_ctx *c, const ns_point *p, double *work,
                       double *f)
{
  double *u = work, *rest = work + o->u.rows;
  int rc = ns_operator_eval(&o->u, c, p, rest, u);
  if (rc) return rc;
  if (o->T.how) return apply(&o->T, c, p, rest, u, f);
  ns_axpy((size_t)o->u.rows, 1, u, f);
  return NS_OK;
}

static int control(const void *of, ns_ctx *c, const ns_point *p, double *work, double *out)
{
  memset(out, 0, (size_t)p->n * sizeof *out);
  return add_control(of, c, p, work, out);
}

int ns_first_order_field(const ns_system *s, ns_ctx *c, const ns_point *p, double *work, double *f)
{
  const ns_first_order *o = &s->fo;
  int linear = is_of_linear_kind(s), rc = evaluate(linear ? &o->b : &o->f, c, p, work, s->n, 1, f);
  if (!rc && linear) rc = apply(&o->A, c, p, work, p->q, f);
  if (!rc && o->u.how) rc = add_control(o, c, p, work, f);
  return rc;
}

int ns_first_order_jacobian(const ns_system *s, ns_ctx *c, const ns_point *p, double *work,
                            double *A)
{
  const ns_first_order *o = &s->fo;
  int rc = evaluate(is_of_linear_kind(s) ? &o->A : &o->dx_f, c, p, work, s->n, s->n, A);
  ns_difference d = {ns_difference_of_operator, &o->f, NS_BANK_Q, s->n, s->n};
  ns_difference by_control = {control, o, NS_BANK_Q, s->n, s->n};
  if (!rc && ns_difference_is_needed(&o->f, &o->dx_f, NS_BANK_Q))
    rc = ns_difference_add(&d, c, p, work, A);
  if (!rc && control_moves(o)) rc = ns_difference_add(&by_control, c, p, work, A);
  return rc;
}

int ns_first_order_is_lti(const ns_system *s)
{
  const ns_first_order *o = &s->fo;
  return is_of_linear_kind(s) && o->M.how <= NS_OP_CONSTANT && o->A.how <= NS_OP_CONSTANT &&
         !o->u.how;
}

int ns_first_order_is_linear(const ns_system *s)
{
  return is_of_linear_kind(s) && !control_moves(&s->fo);
}

int ns_first_order_differenced(const ns_system *s)
{
  return ns_difference_is_needed(&s->fo.f, &s->fo.dx_f, NS_BANK_Q);
}

/* ---- relations ------------------------------------------------------------------------------- */

/* The four tangents in the order of their bits: given by `of`, or the derivative of f by the bank.
 */
typedef struct tangent {
  const ns_operator *of, *f;
  ns_bank bank;
  int rows, cols;
} tangent;

enum { TANGENTS = 4 };

static tangent tangent_of(const ns_interaction *it, int k)
{
  const ns_first_order_relation *o = &it->fo;
  switch (k) {
  case 0: return (tangent){&o->C, &o->h, NS_BANK_Q, it->m, it->nQ};
  case 1: return (tangent){&o->D, &o->h, NS_BANK_LAMBDA, it->m, it->m};
  case 2: return (tangent){&o->B, &o->g, NS_BANK_LAMBDA, it->nQ, it->m};
  default: return (tangent){&o->K, &o->g, NS_BANK_Q, it->nQ, it->nQ};
  }
}

static int is_of_linear_relation(const ns_interaction *it)
{
  return (it->relation->flags & NS_REL_LINEAR) != 0;
}

size_t ns_relation_work(const ns_interaction *it)
{
  const ns_first_order_relation *o = &it->fo;
  const ns_operator *all[] = {&o->C, &o->D, &o->B, &o->F, &o->e, &o->h, &o->g, &o->K};
  size_t tape = ns_operators_work(all, sizeof all / sizeof *all), product = 0;
  for (size_t k = 0; k < sizeof all / sizeof *all && is_of_linear_relation(it); k++)
    product = larger(product, apply_work(all[k]));
  int big = it->m > it->nQ ? it->m : it->nQ;
  return tape + larger(product, ns_difference_work(big, big));
}

static int linear_eval(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                       double *y, double *R)
{
  const ns_first_order_relation *o = &it->fo;
  int rc = NS_OK;
  if (y) {
    rc = evaluate(&o->e, c, p, work, it->m, 1, y);
    if (!rc) rc = apply(&o->C, c, p, work, p->q, y);
    if (!rc) rc = apply(&o->D, c, p, work, p->lambda, y);
    if (!rc) rc = apply(&o->F, c, p, work, p->z, y);
  }
  if (!R || rc) return rc;
  memset(R, 0, (size_t)it->nQ * sizeof *R);
  return apply(&o->B, c, p, work, p->lambda, R);
}

int ns_relation_eval(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                     double *y, double *R)
{
  if (is_of_linear_relation(it)) return linear_eval(it, c, p, work, y, R);
  int rc = y ? evaluate(&it->fo.h, c, p, work, it->m, 1, y) : NS_OK;
  if (R && !rc) rc = evaluate(&it->fo.g, c, p, work, it->nQ, 1, R);
  return rc;
}

int ns_relation_tangents(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                         double *C, double *D, double *B, double *K)
{
  double *out[TANGENTS] = {C, D, B, K};
  int rc = NS_OK;
  for (int k = 0; k < TANGENTS && !rc; k++) {
    tangent d = tangent_of(it, k);
    if (!out[k]) continue;
    rc = evaluate(d.of, c, p, work, d.rows, d.cols, out[k]);
    ns_difference by = {ns_difference_of_operator, d.f, d.bank, d.rows, d.cols};
    if (!rc && ns_difference_is_needed(d.f, d.of, d.bank))
      rc = ns_difference_add(&by, c, p, work, out[k]);
  }
  return rc;
}

static int is_zero(const ns_operator *o)
{
  if (o->how > NS_OP_CONSTANT) return 0;
  size_t n = o->how == NS_OP_ABSENT ? 0 : o->diagonal ? (size_t)o->rows : area(o->rows, o->cols);
  for (size_t i = 0; i < n; i++)
    if (o->value[i] != 0) return 0;
  return 1;
}

unsigned ns_relation_present(const ns_interaction *it)
{
  unsigned bits = 0;
  for (int k = 0; k < TANGENTS; k++) {
    tangent d = tangent_of(it, k);
    if (!is_zero(d.of) || ns_difference_is_needed(d.f, d.of, d.bank)) bits |= 1u << k;
  }
  return bits;
}

/* Reads none of the banks, a plug-in's promise by its signature included. */
static int free_of(const ns_operator *o, unsigned banks)
{
  return o->how <= NS_OP_CONSTANT || !(o->uses & banks);
}

unsigned ns_relation_constant(const ns_interaction *it)
{
  unsigned bits = 0;
  for (int k = 0; k < TANGENTS; k++) {
    tangent d = tangent_of(it, k);
    int fixed = d.of->how <= NS_OP_CONSTANT ||
                (d.of->how == NS_OP_TAPE && free_of(d.of, ~(1u << NS_BANK_INDEX)));
    if (fixed && !ns_difference_is_needed(d.f, d.of, d.bank)) bits |= 1u << k;
  }
  return bits;
}

/* A plug-in may be anything, whatever Jacobian stands beside it. */
int ns_relation_is_linear(const ns_interaction *it)
{
  const unsigned state = 1u << NS_BANK_Q | 1u << NS_BANK_LAMBDA;
  if (is_of_linear_relation(it)) return 1;
  const ns_operator *f[] = {&it->fo.h, &it->fo.g};
  for (int k = 0; k < 2; k++)
    if (f[k]->how == NS_OP_PLUGIN && !free_of(f[k], state)) return 0;
  for (int k = 0; k < TANGENTS; k++)
    if (!free_of(tangent_of(it, k).of, state)) return 0;
  return 1;
}

int ns_relation_differenced(const ns_interaction *it)
{
  for (int k = 0; k < TANGENTS && !is_of_linear_relation(it); k++) {
    tangent d = tangent_of(it, k);
    if (ns_difference_is_needed(d.f, d.of, d.bank)) return 1;
  }
  return 0;
}

static int vanishes(const ns_operator *o)
{
  return o->how == NS_OP_TAPE ? ns_tape_vanishes(o->formula->tape, NS_BANK_LAMBDA) : is_zero(o);
}

int ns_relation_rests_at_zero(const ns_interaction *it)
{
  const ns_first_order_relation *o = &it->fo;
  if (is_of_linear_relation(it) || ns_relation_differenced(it)) return 0;
  return vanishes(&o->g) && vanishes(&o->K);
}
