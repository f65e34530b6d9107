/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/ida_matrix.h"

#include "algebra/dense.h"
#include "algebra/vector.h"
#include "base/arena.h"

#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include <math.h>
#include <string.h>

struct ns_ida_matrix {
  ns_arena *mem;
  struct _generic_SUNMatrix matrix;
  struct _generic_SUNMatrix_Ops matrix_ops;
  struct _generic_SUNLinearSolver solver;
  struct _generic_SUNLinearSolver_Ops solver_ops;
  size_t n, all;     /* of motion, and with constraints */
  double *A;         /* [all x all] by columns */
  double *row, *col; /* scales of constraints and multipliers [all - n] */
  int *piv;
};

/* ---- as SUNDIALS sees it --------------------------------------------------------------------- */

static SUNMatrix_ID matrix_id(SUNMatrix A) { return (void)A, SUNMATRIX_CUSTOM; }

static int zero(SUNMatrix A)
{
  ns_ida_matrix *o = A->content;
  memset(o->A, 0, o->all * o->all * sizeof *o->A);
  return 0;
}

static SUNLinearSolver_Type solver_type(SUNLinearSolver S)
{
  return (void)S, SUNLINEARSOLVER_DIRECT;
}
static SUNLinearSolver_ID solver_id(SUNLinearSolver S) { return (void)S, SUNLINEARSOLVER_CUSTOM; }

static double largest(const double *a, size_t n, size_t stride)
{
  double max = 0;
  for (size_t i = 0; i < n; i++) max = fmax(max, fabs(a[i * stride]));
  return max;
}

/* cj is on the diagonal of what no force acts on, and of the rest near enough. */
static void scale(ns_ida_matrix *o)
{
  size_t n = o->n, all = o->all;
  double size = 0;
  for (size_t j = 0; j < n; j++) size = fmax(size, fabs(o->A[j + j * all]));
  for (size_t k = 0; k < all - n; k++) {
    double *column = o->A + (n + k) * all, *row = o->A + n + k, c = largest(column, n, 1),
           r = largest(row, n, all);
    o->col[k] = c > 0 ? size / c : 1;
    o->row[k] = r > 0 ? size / r : 1;
    ns_scale(n, o->col[k], column);
    for (size_t j = 0; j < n; j++) row[j * all] *= o->row[k];
  }
  for (size_t j = n; j < all; j++)
    for (size_t i = n; i < all; i++) o->A[i + j * all] *= o->row[i - n] * o->col[j - n];
}

static int setup(SUNLinearSolver S, SUNMatrix A)
{
  ns_ida_matrix *o = S->content;
  (void)A;
  scale(o);
  return ns_dense_lu((int)o->all, o->A, (int)o->all, o->piv) ? SUNLS_LUFACT_FAIL : SUNLS_SUCCESS;
}

static int solve(SUNLinearSolver S, SUNMatrix A, N_Vector x, N_Vector b, realtype tol)
{
  ns_ida_matrix *o = S->content;
  double *to = N_VGetArrayPointer(x);
  (void)A, (void)tol;
  memcpy(to, N_VGetArrayPointer(b), o->all * sizeof *to);
  for (size_t k = o->n; k < o->all; k++) to[k] *= o->row[k - o->n];
  ns_dense_lu_solve((int)o->all, o->A, (int)o->all, o->piv, 1, to, (int)o->all);
  for (size_t k = o->n; k < o->all; k++) to[k] *= o->col[k - o->n];
  return SUNLS_SUCCESS;
}

/* ---- the object ------------------------------------------------------------------------------ */

int ns_ida_matrix_create(ns_ctx *c, void *sun, size_t max, ns_ida_matrix **out)
{
  ns_ida_matrix *o = *out = NS_ARENA_OBJECT(ns_ida_matrix, mem);
  if (!o) return ns_nomem(c, "matrix of IDA");
  /* pages of constraints that never hold are never touched */
  const ns_array want[] = {{&o->A, max * max, sizeof *o->A},
                           {&o->row, 2 * max, sizeof *o->row},
                           {&o->piv, max, sizeof *o->piv}};
  if (ns_arena_arrays(o->mem, want, sizeof want / sizeof *want)) {
    ns_ida_matrix_destroy(o);
    *out = NULL;
    return ns_nomem(c, "matrix of IDA");
  }
  o->col = o->row + max;
  o->matrix_ops = (struct _generic_SUNMatrix_Ops){.getid = matrix_id, .zero = zero};
  o->matrix = (struct _generic_SUNMatrix){.content = o, .ops = &o->matrix_ops, .sunctx = sun};
  o->solver_ops = (struct _generic_SUNLinearSolver_Ops){
      .gettype = solver_type, .getid = solver_id, .setup = setup, .solve = solve};
  o->solver = (struct _generic_SUNLinearSolver){.content = o, .ops = &o->solver_ops, .sunctx = sun};
  return ns_dense_prepare(c, (int)max);
}

void ns_ida_matrix_destroy(ns_ida_matrix *o)
{
  if (o) ns_arena_destroy(o->mem);
}

void ns_ida_matrix_resize(ns_ida_matrix *o, size_t n, size_t extra)
{
  o->n = n;
  o->all = n + extra;
}

double *ns_ida_matrix_entries(ns_ida_matrix *o) { return o->A; }
void *ns_ida_matrix_as_matrix(ns_ida_matrix *o) { return &o->matrix; }
void *ns_ida_matrix_as_solver(ns_ida_matrix *o) { return &o->solver; }
