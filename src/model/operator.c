/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/operator.h"

#include "base/guard.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef void mass_fn(unsigned n, const double *q, double *out, unsigned nz, double *z);
typedef void fint_fn(double t, unsigned n, const double *q, const double *v, double *out,
                     unsigned nz, double *z);
typedef void fgyr_fn(unsigned n, const double *q, const double *v, double *out, unsigned nz,
                     double *z);
typedef void fext_fn(double t, unsigned n, double *out, unsigned nz, double *z);
typedef void f_fn(double t, unsigned n, const double *x, double *out, unsigned nz, double *z);
typedef void a_fn(double t, unsigned rows, unsigned cols, double *out, unsigned nz, double *z);
typedef void u_fn(double t, unsigned s, unsigned n, const double *x, const double *xdot, double *out,
                  unsigned nz, double *z);
typedef void t_fn(unsigned n, unsigned s, const double *x, double *out, unsigned nz, double *z);
typedef void hg_fn(double t, unsigned N, const double *x, unsigned m, const double *lambda, double *out,
                   unsigned nz, double *z);
typedef void h1_fn(unsigned N, const double *x, unsigned m, double *out, unsigned nz, double *z);
typedef void h2_fn(unsigned N, const double *x, unsigned m, const double *lambda, unsigned rows, double *out);
typedef void jh2_fn(unsigned N, const double *x, unsigned m, const double *lambda, double *out);
typedef void g2_fn(unsigned m, const double *lambda, unsigned N, double *out);
typedef void jg2_fn(unsigned m, const double *lambda, double *out);
typedef void lhdot_fn(unsigned N, const double *q, unsigned nv, const double *v, double *out, unsigned nz, double *z);
typedef void lrheo_fn(unsigned N, const double *q, double t, unsigned m, double *out, unsigned nz, double *z);
typedef void lcomp_fn(unsigned N, const double *q, unsigned m, const double *lambda, double *out, unsigned nz, double *z);
typedef void bc_fn(double t, unsigned n, double *out);
typedef void body_fext_fn(double t, double *out, unsigned nz, double *z);
typedef void body_fint_fn(double t, const double *q, const double *v, double *out, unsigned nz, double *z);

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
  const double *col = A->value;
  for (int j = 0; j < A->cols; j++, col += A->rows)
    for (int i = 0; i < A->rows; i++) y[i] += col[i] * (a * x[j]);
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
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * col[i];
    s += sum * y[j];
  }
  return s;
}

size_t ns_operator_work(const ns_operator *o)
{
  return o->how == NS_OP_TAPE ? ns_tape_work(o->tape) : 0;
}

static int plugin_eval(const ns_operator *o, ns_ctx *c, const ns_point *p, double *out)
{
  const ns_plugin_call *k = o->plugin;
  unsigned n = (unsigned)p->n, nz = (unsigned)p->nz, m = (unsigned)p->m;
  unsigned rows = (unsigned)o->rows, cols = (unsigned)o->cols;
  ns_guard_enter(k->name);
  switch (k->sig) {
  case NS_SIG_MASS: ((mass_fn *)k->fn)(n, p->q, out, nz, p->z); break;
  case NS_SIG_FINT: ((fint_fn *)k->fn)(p->t, n, p->q, p->v, out, nz, p->z); break;
  case NS_SIG_FGYR: ((fgyr_fn *)k->fn)(n, p->q, p->v, out, nz, p->z); break;
  case NS_SIG_FEXT: ((fext_fn *)k->fn)(p->t, rows, out, nz, p->z); break;
  case NS_SIG_F: ((f_fn *)k->fn)(p->t, n, p->q, out, nz, p->z); break;
  case NS_SIG_A: ((a_fn *)k->fn)(p->t, rows, cols, out, nz, p->z); break;
  case NS_SIG_U: ((u_fn *)k->fn)(p->t, rows, n, p->q, p->v, out, nz, p->z); break;
  case NS_SIG_T: ((t_fn *)k->fn)(n, cols, p->q, out, nz, p->z); break;
  case NS_SIG_HG: ((hg_fn *)k->fn)(p->t, n, p->q, m, p->lambda, out, nz, p->z); break;
  case NS_SIG_H1: ((h1_fn *)k->fn)(n, p->q, rows, out, nz, p->z); break;
  case NS_SIG_G1: ((h1_fn *)k->fn)(m, p->lambda, rows, out, nz, p->z); break;
  case NS_SIG_H2: ((h2_fn *)k->fn)(n, p->q, m, p->lambda, rows, out); break;
  case NS_SIG_JH2: ((jh2_fn *)k->fn)(n, p->q, m, p->lambda, out); break;
  case NS_SIG_G2: ((g2_fn *)k->fn)(m, p->lambda, rows, out); break;
  case NS_SIG_JG2: ((jg2_fn *)k->fn)(m, p->lambda, out); break;
  case NS_SIG_LHDOT: ((lhdot_fn *)k->fn)(n, p->q, n, p->v, out, nz, p->z); break;
  case NS_SIG_LRHEO: ((lrheo_fn *)k->fn)(n, p->q, p->t, rows, out, nz, p->z); break;
  case NS_SIG_LCOMP: ((lcomp_fn *)k->fn)(n, p->q, rows, p->lambda, out, nz, p->z); break;
  case NS_SIG_BC: ((bc_fn *)k->fn)(p->t, rows, out); break;
  case NS_SIG_BODY_FEXT: ((body_fext_fn *)k->fn)(p->t, out, nz, p->z); break;
  case NS_SIG_BODY_FINT: ((body_fint_fn *)k->fn)(p->t, p->q, p->v, out, nz, p->z); break;
  case NS_SIGNATURES: break;
  }
  ns_guard_leave();
  int size = o->rows * o->cols;
  for (int i = 0; i < size; i++)
    if (!isfinite(out[i]))
      return ns_fail(c, NS_PLUGIN,
                     "plug-in \"%s\" wrote %g to entry [%d] (row %d, column %d) at t = %.10g s, expected "
                     "a finite number; look at its arguments there, or whether it writes every entry",
                     k->name, out[i], i, i % o->rows, i / o->rows, p->t);
  return NS_OK;
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
  case NS_OP_TAPE: {
    const double *bank[NS_BANKS] = {[NS_BANK_T] = &p->t,  [NS_BANK_Q] = p->q,
                                    [NS_BANK_V] = p->v,   [NS_BANK_Z] = p->z,
                                    [NS_BANK_INDEX] = p->index,
                                    [NS_BANK_LAMBDA] = p->lambda,
                                    [NS_BANK_JOINT] = p->angle,
                                    [NS_BANK_OBSERVABLE] = p->observable,
                                    [NS_BANK_BRANCH] = o->branch};
    ns_tape_eval(o->tape, bank, work, out);
    break;
  }
  }
  return NS_OK;
}

/* ---- several operators in one tape -------------------------------------------------------------------------- */

int ns_operator_same(const ns_operator *a, const ns_operator *b)
{
  return a->how == b->how && a->rows == b->rows && a->cols == b->cols && a->diagonal == b->diagonal && a->tape == b->tape &&
         a->value == b->value && a->plugin == b->plugin;
}

int ns_operator_lift(const ns_operator *o, ns_graph *g, int rows, int cols, ns_node *out)
{
  int have = o->how ? o->rows : 0, rc = NS_OK;
  ns_node zero = ns_graph_constant(g, 0), *own = malloc(((size_t)have * (size_t)cols + 1) * sizeof *own);
  if (!own) return NS_NOMEM;
  if (o->how == NS_OP_TAPE) rc = ns_tape_lift(o->tape, g, own);
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
