/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/controls/control_plant.h"

#include "algebra/dense.h"
#include "algebra/expm.h"
#include "algebra/vector.h"

#include <string.h>

/* ---- sizes ----------------------------------------------------------------------------------- */

static int constant(const ns_operator *o) { return o->how <= NS_OP_CONSTANT; }

/* The first of its systems, where that can be the plant. */
static const ns_system *plant_system(const ns_model *m, const ns_control *k)
{
  const ns_system *s = &m->systems[k->systems[0]];
  unsigned need = NS_SYS_FIRST_ORDER | NS_SYS_LINEAR;
  return (s->kind->flags & need) == need && constant(&s->fo.A) && constant(&s->fo.M) ? s : NULL;
}

static int prepare_given(const ns_control *k, ns_ctx *c, const ns_operator *A)
{
  const ns_operator *b = ns_control_value(k, "b");
  if (A->rows != A->cols)
    return ns_control_fail(k, c, "<A> is %d x %d, expected a square matrix", A->rows, A->cols);
  if (b->how && b->rows != A->rows)
    return ns_control_fail(k, c, "<b> has %d entries, expected %d, the rows of <A>", b->rows,
                           A->rows);
  return NS_OK;
}

int ns_plant_prepare(const ns_model *m, const ns_control *k, ns_ctx *c, int *n)
{
  const ns_operator *A = ns_control_value(k, "A"), *x = ns_control_value(k, "x");
  const ns_system *s = A->how ? NULL : plant_system(m, k);
  *n = 0;
  if (!A->how && !s)
    return ns_control_fail(
        k, c,
        "has no plant: its first system is %s %s, expected a linear first-order system with "
        "constant M and A; give <A> and <b>, or put the plant first in systems",
        m->systems[k->systems[0]].kind->name,
        m->systems[k->systems[0]].at.id ? m->systems[k->systems[0]].at.id : "");
  int rc = A->how ? prepare_given(k, c, A) : NS_OK;
  if (!A->how && ns_control_value(k, "b")->how)
    rc = ns_control_fail(
        k, c, "<b> is given without <A>, expected both or, where the plant is a system, neither");
  if (rc) return rc;
  *n = A->how ? A->rows : s->n;
  if (x->how && x->rows != *n)
    return ns_control_fail(k, c, "<x> has %d entr%s, expected %d, the size of the plant", x->rows,
                           x->rows == 1 ? "y" : "ies", *n);
  if (!x->how && A->how && k->nQ != *n)
    return ns_control_fail(k, c,
                           "<A> is of size %d and its systems have %d coordinates, expected the "
                           "same; give the state of the plant as <x>",
                           *n, k->nQ);
  return NS_OK;
}

/* ---- set-up ---------------------------------------------------------------------------------- */

static void dense(const ns_operator *o, int n, double *A)
{
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) A[i + j * n] = o->how ? ns_operator_entry(o, i, j) : 0;
}

/* A := M^-1 A of a system, and the factors for its source. */
static int divide_by_mass(ns_plant *o, ns_ctx *c, const ns_control *k, const ns_operator *M)
{
  size_t n = (size_t)o->n;
  if (!M->how) return NS_OK;
  o->LU = ns_arena_get(o->mem, n * n, sizeof(double));
  o->piv = ns_arena_get(o->mem, n, sizeof(int));
  if (!o->LU || !o->piv) return ns_nomem(c, "the plant of a control");
  int rc = ns_dense_prepare(c, o->n);
  if (rc) return rc;
  dense(M, o->n, o->LU);
  if (ns_dense_lu(o->n, o->LU, o->n, o->piv))
    return ns_control_fail(k, c, "has a plant whose M is singular, expected an invertible one");
  ns_dense_lu_solve(o->n, o->LU, o->n, o->piv, o->n, o->A, o->n);
  return NS_OK;
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

int ns_plant_init(ns_plant *o, ns_ctx *c, const ns_model *m, const ns_control *k)
{
  const ns_operator *A = ns_control_value(k, "A");
  const ns_system *s = A->how ? NULL : plant_system(m, k);
  *o = (ns_plant){.mem = ns_arena_create(0, 1)};
  if (!o->mem) return ns_nomem(c, "the plant of a control");
  size_t n = (size_t)(o->n = s ? s->n : A->rows);
  o->state = ns_control_value(k, "x");
  o->source = s ? &s->fo.b : ns_control_value(k, "b");
  o->nz = s ? s->nz : k->nZ;
  o->index = s ? s->index : k->index;
  size_t work = larger(ns_operator_work(o->source), ns_operator_work(o->state));
  double **vec[] = {&o->A, &o->Phi, &o->Psi};
  int ok = (o->b = ns_arena_zero(o->mem, n, sizeof(double))) &&
           (o->x = ns_arena_zero(o->mem, n, sizeof(double)));
  ok = ok && (o->work = ns_arena_zero(o->mem, work + 1, sizeof(double)));
  for (int i = 0; i < 3 && ok; i++)
    ok = (*vec[i] = ns_arena_zero(o->mem, n * n, sizeof(double))) != NULL;
  if (!ok) return ns_nomem(c, "the plant of a control");
  dense(s ? &s->fo.A : A, o->n, o->A);
  int rc = s ? divide_by_mass(o, c, k, &s->fo.M) : NS_OK;
  return rc ? rc : ns_expm_hold(c, o->n, o->A, k->period, o->Phi, o->Psi);
}

void ns_plant_fini(ns_plant *o)
{
  ns_arena_destroy(o->mem);
  o->mem = NULL;
}

/* ---- at a sample ----------------------------------------------------------------------------- */

int ns_plant_state(ns_plant *o, ns_ctx *c, const ns_sample *s, const double **x)
{
  *x = o->state->how ? o->x : s->p.q;
  return o->state->how ? ns_operator_eval(o->state, c, &s->p, o->work, o->x) : NS_OK;
}

int ns_plant_source(ns_plant *o, ns_ctx *c, double t, const ns_sample *s, double *Z)
{
  ns_point p = s->p;
  p.t = t;
  p.z = Z;
  p.nz = o->nz;
  p.index = o->index;
  memset(o->b, 0, (size_t)o->n * sizeof *o->b);
  int rc = o->source->how ? ns_operator_eval(o->source, c, &p, o->work, o->b) : NS_OK;
  if (o->LU) ns_dense_lu_solve(o->n, o->LU, o->n, o->piv, 1, o->b, o->n);
  return rc;
}
