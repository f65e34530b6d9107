/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/active_rows.h"

#include <math.h>
#include <string.h>

enum {
  WORTH_WHILE = 100, /* one-sided rows; fewer are cheap in full */
  MAX_ACTIVE = 300   /* of them at a time: A is dense */
};

/* ---- creation -------------------------------------------------------------------------------- */

static int is_one_sided(const ns_step_problem *p, int r)
{
  return p->lb[r] == 0 && p->ub[r] == INFINITY;
}

static int count_one_sided(const ns_step_problem *p, int nrows)
{
  int n = 0;
  for (int r = 0; r < nrows; r++) n += is_one_sided(p, r);
  return n;
}

static int get_memory(ns_active_rows *a)
{
  size_t n = (size_t)a->capacity, all = (size_t)a->k->nrows;
  double **v[] = {&a->q, &a->z, &a->w, &a->lb, &a->ub, &a->guess};
  for (size_t i = 0; i < sizeof v / sizeof *v; i++)
    if (!(*v[i] = ns_arena_zero(a->mem, n, sizeof(double)))) return NS_NOMEM;
  const ns_array want[] = {{&a->row, n, sizeof *a->row},
                           {&a->place, all, sizeof *a->place},
                           {&a->S, n * n, sizeof *a->S},
                           {&a->move, a->k->m->nq, sizeof *a->move}};
  return ns_arena_arrays(a->mem, want, sizeof want / sizeof *want);
}

/* Rows that always take part keep their place and their bounds; the others are all alike. */
static void fill_bounds(ns_active_rows *a)
{
  int n = 0;
  for (int r = 0; r < a->k->nrows; r++) {
    if (is_one_sided(a->p, r)) continue;
    a->lb[n] = a->p->lb[r];
    a->ub[n++] = a->p->ub[r];
  }
  for (; n < a->capacity; n++) a->ub[n] = INFINITY;
}

static int get_solver(ns_active_rows *a, ns_ctx *c, const ns_model *m)
{
  ns_avi_capacity cap = {
      .n = a->capacity, .nnz = (size_t)a->capacity * (size_t)a->capacity, .lb = a->lb, .ub = a->ub};
  return ns_row_solver_create(c, m, m->sim.osnsp.solver, &cap, &a->solver);
}

int ns_active_rows_create(ns_ctx *c, const ns_model *m, ns_couplings *k, ns_step_problem *p,
                          ns_active_rows **out)
{
  *out = NULL;
  if (m->values || k->constant || p->head || p->p.solver.poly ||
      m->sim.osnsp.storage != NS_STORAGE_AUTO)
    return NS_OK;
  int one_sided = count_one_sided(p, k->nrows), always = k->nrows - one_sided;
  if (one_sided < WORTH_WHILE || always > MAX_ACTIVE) return NS_OK;
  ns_active_rows *a = *out = NS_ARENA_OBJECT(ns_active_rows, mem);
  if (!a) return ns_nomem(c, "one-step problem");
  *a = (ns_active_rows){.mem = a->mem, .k = k, .p = p, .always = always};
  a->capacity = always + (one_sided < MAX_ACTIVE ? one_sided : MAX_ACTIVE);
  int rc = get_memory(a);
  if (!rc) rc = ns_couplings_defer(k);
  if (!rc) {
    fill_bounds(a);
    rc = get_solver(a, c, m);
  }
  if (rc == NS_NOMEM && c->rc != NS_NOMEM) ns_nomem(c, "one-step problem");
  if (rc) {
    ns_active_rows_destroy(a);
    *out = NULL;
  }
  return rc;
}

void ns_active_rows_destroy(ns_active_rows *a)
{
  if (!a) return;
  ns_row_solver_destroy(&a->solver);
  ns_arena_destroy(a->mem);
}

size_t ns_active_rows_bytes(const ns_active_rows *a)
{
  return a ? ns_arena_used(a->mem) + sizeof *a : 0;
}

/* ---- the problem of A ------------------------------------------------------------------------ */

/* A row becomes the last of A. 0: there is no memory for it. */
static int join(ns_active_rows *a, int r)
{
  if (a->n == a->capacity) return 0;
  a->place[r] = a->n;
  a->row[a->n++] = r;
  return 1;
}

/* A to begin with: rows that are not one-sided, which have their places, and those with a
 * multiplier in the guess. */
static int begin(ns_active_rows *a)
{
  int nrows = a->k->nrows, fits = 1;
  a->n = a->formed = 0;
  for (int r = 0; r < nrows; r++) {
    a->place[r] = -1;
    if (!is_one_sided(a->p, r)) join(a, r);
  }
  for (int r = 0; r < nrows && fits; r++)
    if (is_one_sided(a->p, r) && a->p->z[r] != 0) fits = join(a, r);
  return fits;
}

/* Entries of S in column j of the problem from row `from` on: C times that column of G, which
 * stands in move. Of C each row has the states of a few systems, of G those of all systems that act
 * on each other. */
static void fill_column(ns_active_rows *a, int j, int from)
{
  const ns_couplings *k = a->k;
  double *S = a->S + (size_t)j * (size_t)a->capacity;
  ns_rows_add(&a->p->delassus.gain, a->row[j], a->p->where, a->move);
  for (int i = from; i < a->n; i++) S[i] = ns_rows_dot(&k->C, a->row[i], a->move);
  for (int e = a->p->delassus.gain.ptr[a->row[j]]; e < a->p->delassus.gain.ptr[a->row[j] + 1]; e++)
    a->move[a->p->delassus.gain.dof[e]] = 0;
}

/* What D adds to row i of the problem in columns from `from` on. */
static void add_direct(ns_active_rows *a, int i, int from)
{
  const ns_couplings *k = a->k;
  for (int e = k->D.ptr[a->row[i]]; e < k->D.ptr[a->row[i] + 1]; e++) {
    int j = a->place[k->D.dof[e]];
    if (j >= from && j < a->n) a->S[(size_t)i + (size_t)j * (size_t)a->capacity] += k->D.val[e];
  }
}

/* G and S of the rows that have joined since it was last called. */
static int form(ns_active_rows *a, ns_ctx *c)
{
  int before = a->formed, rc = ns_couplings_need(a->k, c, a->n - before, a->row + before);
  if (rc) return rc;
  ns_delassus_gain(&a->p->delassus, a->n - before, a->row + before);
  for (int i = before; i < a->n; i++) {
    int r = a->row[i];
    a->q[i] = a->p->b[r];
    a->guess[i] = a->z[i] = a->p->z[r];
  }
  for (int j = 0; j < a->n; j++) fill_column(a, j, j < before ? before : 0);
  for (int i = 0; i < a->n; i++) add_direct(a, i, i < before ? before : 0);
  a->formed = a->n;
  return NS_OK;
}

static int solve_part(ns_active_rows *a, ns_ctx *c, ns_outcome *out)
{
  *out = (ns_outcome){.kind = NS_SOLVED, .solver = "none"};
  if (a->n == 0) return NS_OK;
  int rc = form(a, c);
  if (rc) return rc;
  a->avi = (ns_avi){
      .n = a->n, .dense = a->S, .ld = a->capacity, .q = a->q, .lb = a->lb, .ub = a->ub, .apart = 1};
  return a->solver.box->solve(a->solver.self, c, &a->avi, NULL, a->z, a->w, out);
}

/* w of a row outside A; where G_A z_A stands in move. */
static double outside(const ns_active_rows *a, int r)
{
  const ns_couplings *k = a->k;
  double w = a->p->b[r] + ns_rows_dot(&k->C, r, a->move);
  for (int e = k->D.ptr[r]; e < k->D.ptr[r + 1]; e++) {
    int j = a->place[k->D.dof[e]];
    if (j >= 0 && j < a->formed) w += k->D.val[e] * a->z[j];
  }
  return w;
}

/* w of all rows; those outside A whose w is negative join it. *joined: their number. 0: not all
 * found a place. */
static int join_violated(ns_active_rows *a, int *joined)
{
  double *w = a->p->w;
  int n = a->n, fits = 1;
  for (int i = 0; i < n; i++)
    ns_rows_add(&a->p->delassus.gain, a->row[i], a->p->where * a->z[i], a->move);
  for (int r = 0; r < a->k->nrows && fits; r++) {
    int place = a->place[r];
    w[r] = place >= 0 ? a->w[place] : outside(a, r);
    if (place < 0 && w[r] < 0) fits = join(a, r);
  }
  memset(a->move, 0, a->k->m->nq * sizeof *a->move);
  *joined = a->n - n;
  return fits;
}

int ns_active_rows_solve(ns_active_rows *a, ns_ctx *c, ns_outcome *out)
{
  int iterations = 0, joined = 1, fits = begin(a);
  while (fits && joined) {
    int rc = solve_part(a, c, out);
    iterations += out->iterations;
    out->iterations = iterations;
    if (rc || out->kind != NS_SOLVED) return rc;
    fits = join_violated(a, &joined);
  }
  if (!fits) {
    *out = (ns_outcome){
        .kind = NS_LIMIT, .iterations = iterations, .solver = ns_row_solver_name(&a->solver)};
    return NS_OK;
  }
  for (int r = 0; r < a->k->nrows; r++) a->p->z[r] = a->place[r] >= 0 ? a->z[a->place[r]] : 0;
  return NS_OK;
}

double ns_active_rows_level(const ns_active_rows *a)
{
  double level = 0;
  for (int i = 0; i < a->n; i++) {
    double s = 0;
    for (int j = 0; j < a->n; j++) s = fmax(s, fabs(a->S[i + j * a->capacity]));
    if (s > 0) level = fmax(level, fabs(a->q[i] / s));
  }
  return level;
}
