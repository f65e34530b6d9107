/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/operator.h"

#include "algebra/vector.h"
#include "model/foreign.h"

#include "base/guard.h"
#include "model/plugin_form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double ns_operator_entry(const ns_operator *A, int i, int j)
{
  if (A->diagonal) return i == j ? A->value[i] : 0;
  return A->value[(size_t)i + (size_t)j * (size_t)A->rows];
}

int ns_operator_is_symmetric(const ns_operator *A)
{
  if (!A->how || A->diagonal) return 1;
  for (int j = 0; j < A->cols; j++)
    for (int i = 0; i < j; i++)
      if (ns_operator_entry(A, i, j) != ns_operator_entry(A, j, i)) return 0;
  return 1;
}

void ns_operator_gemv_add(double a, const ns_operator *A, const double *x, double *y)
{
  if (A->how == NS_OP_ABSENT) return;
  if (A->diagonal) {
    for (int i = 0; i < A->rows; i++) y[i] += A->value[i] * (a * x[i]);
    return;
  }
  ns_gemv(A->rows, A->cols, a, A->value, x, y);
}

double ns_operator_form(const ns_operator *A, const double *x, const double *y)
{
  double s = 0;
  if (A->how == NS_OP_ABSENT) return 0;
  if (A->diagonal) {
    for (int i = 0; i < A->rows; i++) s += x[i] * A->value[i] * y[i];
    return s;
  }
  const double *col = A->value;
  int n = A->rows;
  for (int j = 0; j < A->cols; j++, col += n) {
    double sum = ns_dot((size_t)n, x, col);
    s += sum * y[j];
  }
  return s;
}

size_t ns_operator_work(const ns_operator *o)
{
  if (o->how != NS_OP_TAPE) return 0;
  size_t own = ns_tape_work(o->formula->tape);
  const ns_foreign *f = o->formula->foreign;
  if (!f) return own;
  size_t jacobian = f->jacobian ? ns_tape_work(f->jacobian) : 0;
  return (size_t)f->n + (own > jacobian ? own : jacobian);
}

size_t ns_operators_work(const ns_operator *const *list, size_t n)
{
  size_t max = 0;
  for (size_t k = 0; k < n; k++) {
    size_t w = ns_operator_work(list[k]);
    if (w > max) max = w;
  }
  return max;
}

int ns_operator_set_formula(ns_operator *o, ns_arena *a, ns_formula f)
{
  const ns_formula *kept = ns_arena_copy(a, &f, 1, sizeof f);
  if (!kept) return NS_NOMEM;
  o->how = NS_OP_TAPE;
  o->formula = kept;
  return NS_OK;
}

int ns_operator_compile(ns_operator *o, ns_ctx *c, ns_graph *g, ns_arena *a, const ns_node *f,
                        int n)
{
  ns_formula made = {0};
  for (int b = 0; b < NS_BANKS; b++)
    for (int k = 0; k < n && !(o->uses & 1u << b); k++)
      if (ns_graph_uses(g, f[k], b)) o->uses |= 1u << b;
  int rc = ns_tape_compile(g, c, a, f, n, &made.tape);
  if (rc) return rc;
  return ns_operator_set_formula(o, a, made) ? ns_nomem(c, "formulas") : NS_OK;
}

/* A function of an earlier time: it writes what it has to say into zeros, and reads a z that is
 * never empty. */
static void call_old(const ns_operator *o, ns_plugin_arguments *a, double *out)
{
  double none[1] = {0};
  memset(out, 0, (size_t)o->rows * (size_t)o->cols * sizeof *out);
  if (!a->nz) {
    a->nz = 1;
    a->z = none;
  }
  o->plugin->old->call(o->plugin->fn, a, out);
}

static int plugin_eval(const ns_operator *o, ns_ctx *c, const ns_point *p, double *out)
{
  const ns_plugin_call *k = o->plugin;
  ns_plugin_arguments a = ns_plugin_arguments_at(p, o->rows, o->cols);
  ns_guard_enter_for(k->at, k->name);
  if (k->old) call_old(o, &a, out);
  else ns_plugin_form_today(k->sig)->call(k->fn, &a, out);
  ns_guard_leave();
  int size = o->rows * o->cols;
  for (int i = 0; i < size; i++)
    if (!isfinite(out[i]))
      return ns_fail(
          c, NS_PLUGIN,
          "%s%splug-in \"%s\" wrote %g to entry [%d] (row %d, column %d) at t = %.10g s, expected "
          "a finite number; check its arguments there, or whether it writes every entry",
          k->at ? k->at : "", k->at ? ": " : "", k->name, out[i], i, i % o->rows, i / o->rows,
          p->t);
  return NS_OK;
}

void ns_foreign_values(const ns_foreign *f, const ns_point *p, double *out)
{
  const double *whole[NS_BANKS] = {
      [NS_BANK_Q] = p->model_q, [NS_BANK_V] = p->model_v, [NS_BANK_Z] = p->model_z};
  for (int j = 0; j < f->n; j++) {
    const ns_foreign_variable *v = &f->of[j];
    if (!p->model_q) out[j] = f->start[j];
    else if (v->of == NS_OF_SYSTEM) out[j] = whole[v->bank][f->at[j]];
    else out[j] = ns_foreign_between(f->m, v, p->model_q, p->model_v, p->model_angle, NULL, NULL);
  }
}

/* What a tape of o reads at p; that of other systems is NULL. */
#define BANKS_AT(o, p) \
  { \
    [NS_BANK_T] = &(p)->t, [NS_BANK_Q] = (p)->q, [NS_BANK_V] = (p)->v, [NS_BANK_Z] = (p)->z, \
    [NS_BANK_INDEX] = (p)->index, [NS_BANK_LAMBDA] = (p)->lambda, [NS_BANK_JOINT] = (p)->angle, \
    [NS_BANK_OBSERVABLE] = (p)->observable, [NS_BANK_BRANCH] = (o)->formula->branch, \
    [NS_BANK_LAW] = (p)->law, [NS_BANK_EVENT] = (p)->event \
  }

static void tape_eval(const ns_operator *o, const ns_tape *tape, const ns_point *p, double *work,
                      double *out)
{
  const double *bank[NS_BANKS] = BANKS_AT(o, p);
  const ns_foreign *f = o->formula->foreign;
  if (f) {
    bank[NS_BANK_FOREIGN] = work;
    ns_foreign_values(f, p, work);
    work += f->n;
  }
  ns_tape_eval(tape, bank, work, out);
}

int ns_operator_outside(const ns_operator *o, const ns_point *p, int k, ns_variable_name *name,
                        void *to, double *work, ns_culprit *out)
{
  *out = (ns_culprit){0};
  if (o->how != NS_OP_TAPE || !ns_tape_takes_entries(o->formula->tape)) return NS_OK;
  const double *bank[NS_BANKS] = BANKS_AT(o, p);
  if (o->formula->foreign) {
    bank[NS_BANK_FOREIGN] = work;
    ns_foreign_values(o->formula->foreign, p, work);
  }
  return ns_tape_culprit(o->formula->tape, k, bank, name, to, out);
}

void ns_operator_eval_foreign(const ns_operator *o, const ns_point *p, double *work, double *out)
{
  tape_eval(o, o->formula->foreign->jacobian, p, work, out);
}

int ns_operator_eval(const ns_operator *o, ns_ctx *c, const ns_point *p, double *work, double *out)
{
  size_t bytes = (size_t)o->rows * (size_t)o->cols * sizeof(double);
  switch (o->how) {
  case NS_OP_ABSENT: memset(out, 0, bytes); break;
  case NS_OP_CONSTANT:
    if (!o->diagonal) {
      memcpy(out, o->value, bytes);
      break;
    }
    memset(out, 0, bytes);
    for (size_t i = 0, n = (size_t)o->rows; i < n; i++) out[i + i * n] = o->value[i];
    break;
  case NS_OP_PLUGIN: return plugin_eval(o, c, p, out);
  case NS_OP_TAPE: tape_eval(o, o->formula->tape, p, work, out); break;
  }
  return NS_OK;
}

/* ---- several operators in one tape ----------------------------------------------------------- */

int ns_operator_same(const ns_operator *a, const ns_operator *b)
{
  int alike = a->how == b->how && a->rows == b->rows && a->cols == b->cols &&
              a->diagonal == b->diagonal;
  if (alike && a->how == NS_OP_TAPE) return a->formula->tape == b->formula->tape;
  return alike && a->value == b->value && a->plugin == b->plugin;
}

int ns_operator_lift(const ns_operator *o, ns_graph *g, int rows, int cols, ns_node *out)
{
  int have = o->how ? o->rows : 0, rc = NS_OK;
  ns_node zero = ns_graph_constant(g, 0),
          *own = malloc(((size_t)have * (size_t)cols + 1) * sizeof *own);
  if (!own) return NS_NOMEM;
  if (o->how == NS_OP_TAPE) rc = ns_tape_lift(o->formula->tape, g, own);
  for (int j = 0; j < cols && !rc; j++)
    for (int i = 0; i < rows; i++) {
      ns_node *to = out + (size_t)i + (size_t)j * (size_t)rows;
      if (i >= have) *to = zero;
      else if (o->how == NS_OP_TAPE) *to = own[(size_t)i + (size_t)j * (size_t)have];
      else *to = ns_graph_constant(g, ns_operator_entry(o, i, j));
    }
  free(own);
  return rc;
}
