/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/law_problem.h"

#include "algebra/dense.h"
#include "model/laws/problem.h"
#include "simulation/rows/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Up to so many rows a dense problem is smaller and faster than a sparse one, and needs no library.
 */
enum { DENSE_ROWS = NS_DENSE_SMALL };
/* Up to so many, where more than a quarter of its entries are there: rows of one large system all
 * meet. */
enum { FULL_ROWS = 1000 };

/* ---- laws ------------------------------------------------------------------------------------ */

static int has_polyhedron(const ns_model *m)
{
  for (int i = 0; i < m->ninteractions; i++)
    if (ns_law_is_polyhedron(m->interactions[i].law.ops)) return 1;
  return 0;
}

/* ---- polyhedra ------------------------------------------------------------------------------- */

static int count_faces(const ns_law_problem *k)
{
  int p = 0;
  for (int r = 0; r < k->n; r++) p += isfinite(k->lb[r]) + isfinite(k->ub[r]);
  for (int i = 0; i < k->m->ninteractions; i++)
    if (ns_law_is_polyhedron(k->m->interactions[i].law.ops)) p += k->m->interactions[i].law.np;
  return p;
}

static void fill_faces(ns_law_problem *k)
{
  int p = k->statement.p, f = 0;
  for (int r = 0; r < k->n; r++) {
    if (isfinite(k->lb[r])) k->H[f + r * p] = 1, k->k[f++] = k->lb[r];
    if (isfinite(k->ub[r])) k->H[f + r * p] = -1, k->k[f++] = -k->ub[r];
  }
  for (int i = 0; i < k->m->ninteractions; i++) {
    const ns_interaction *it = &k->m->interactions[i];
    if (!ns_law_is_polyhedron(it->law.ops)) continue;
    for (int e = 0; e < it->law.np; e++, f++) {
      k->k[f] = it->law.k[e];
      for (int r = 0; r < it->m; r++)
        k->H[f + ((int)it->row + r) * p] = it->law.N[e + r * it->law.np];
    }
  }
}

static int get_polyhedron(ns_law_problem *k, ns_ctx *c)
{
  ns_lcp_options opt = ns_row_problem_options(k->m);
  size_t n = (size_t)k->n;
  int p = k->statement.p = count_faces(k);
  k->H = ns_arena_zero(k->mem, (size_t)p * n, sizeof *k->H);
  k->k = ns_arena_zero(k->mem, (size_t)p, sizeof *k->k);
  k->mu = ns_arena_zero(k->mem, (size_t)p, sizeof *k->mu);
  if (!k->H || !k->k || !k->mu) return NS_NOMEM;
  fill_faces(k);
  k->statement = (ns_polyhedral){.n = k->n, .p = p, .M = k->full, .q = k->q, .H = k->H, .k = k->k};
  return ns_polyhedral_create(c, k->n, p, &opt, &k->poly);
}

/* ---- creation -------------------------------------------------------------------------------- */

static int get_solver(ns_law_problem *k, ns_ctx *c, const char *name)
{
  ns_avi_capacity cap = {.n = k->n,
                         .nnz = (size_t)k->S->row[k->n],
                         .structure = k->dense ? NULL : k->S,
                         .lb = k->lb,
                         .ub = k->ub,
                         .varies = k->m->values != NULL};
  if (k->dense) cap.nnz = (size_t)k->n * (size_t)k->n;
  return ns_row_solver_create(c, k->m, name, &cap, &k->solver);
}

static int get_storage(ns_law_problem *k, ns_ctx *c)
{
  size_t n = (size_t)k->n;
  ns_storage want = k->m->sim.osnsp.storage;
  int poly = has_polyhedron(k->m);
  int compact = k->n <= DENSE_ROWS || (k->n <= FULL_ROWS && 4 * (size_t)k->S->row[k->n] > n * n);
  k->dense = poly ||
             (k->head == 0 && (want == NS_STORAGE_DENSE || (want == NS_STORAGE_AUTO && compact)));
  if (k->dense) {
    const char *remedy = poly ? "NormalConeNSL is for smaller models" : "remove storage=\"dense\"";
    int rc = ns_row_problem_check_dense(c, k->m, n, remedy);
    if (rc) return rc;
    if (!(k->full = ns_arena_zero(k->mem, n * n, sizeof *k->full))) return NS_NOMEM;
  }
  double **v[] = {&k->q, &k->z, &k->w, &k->lb, &k->ub, &k->guess};
  for (size_t i = 0; i < sizeof v / sizeof *v; i++)
    if (!(*v[i] = ns_arena_zero(k->mem, n, sizeof(double)))) return NS_NOMEM;
  return NS_OK;
}

int ns_law_problem_create(ns_ctx *c, const ns_model *m, int head, const ns_blocks *S,
                          const char *solver, ns_law_problem **out)
{
  ns_law_problem *k = *out = calloc(1, sizeof *k);
  if (!k) return ns_nomem(c, "one-step problem");
  *k = (ns_law_problem){.m = m, .n = head + (int)m->nrows, .head = head, .S = S};
  k->mem = ns_arena_create(0, 1);
  int rc = k->mem ? get_storage(k, c) : NS_NOMEM;
  if (!rc) {
    for (int r = 0; r < head; r++) k->lb[r] = -(k->ub[r] = INFINITY);
    ns_laws_bounds(m, 1, k->lb + head, k->ub + head);
    k->avi = (ns_avi){.n = k->n,
                      .dense = k->full,
                      .ld = k->n,
                      .blocks = k->dense ? NULL : S,
                      .q = k->q,
                      .lb = k->lb,
                      .ub = k->ub};
    rc = has_polyhedron(m) ? get_polyhedron(k, c) : get_solver(k, c, solver);
  }
  if (rc == NS_NOMEM && c->rc != NS_NOMEM) ns_nomem(c, "one-step problem");
  if (rc) {
    ns_law_problem_destroy(k);
    *out = NULL;
  }
  return rc;
}

void ns_law_problem_destroy(ns_law_problem *k)
{
  if (!k) return;
  ns_row_solver_destroy(&k->solver);
  ns_polyhedral_destroy(k->poly);
  ns_arena_destroy(k->mem);
  free(k);
}

size_t ns_law_problem_bytes(const ns_law_problem *k)
{
  return k ? ns_arena_used(k->mem) + sizeof *k : 0;
}

const char *ns_law_problem_solver_note(const ns_law_problem *k)
{
  if (k->poly) return "faces of the polyhedron";
  if (strcmp(ns_row_solver_name(&k->solver), "auto") != 0) return ns_row_solver_help(&k->solver);
  if (k->n == 1) return "one row, in closed form";
  return k->dense ? "last support, then dense pivoting" : "last support, then sparse active set";
}

/* ---- in the step loop ------------------------------------------------------------------------ */

void ns_law_problem_gather(ns_law_problem *k)
{
  k->avi.stamp = ++k->gathered;
  if (!k->dense) return;
  const ns_blocks *S = k->S;
  int n = k->n;
  for (int r = 0; r < n; r++)
    for (int b = S->row[r]; b < S->row[r + 1]; b++) k->full[r + S->col[b] * n] = S->val[b];
}

int ns_law_problem_solve(ns_law_problem *k, ns_ctx *c, ns_outcome *out)
{
  if (k->n == 0) {
    *out = (ns_outcome){.kind = NS_SOLVED, .solver = "none"};
    return NS_OK;
  }
  if (!k->poly) return k->solver.box->solve(k->solver.self, c, &k->avi, NULL, k->z, k->w, out);
  ns_polyhedral_guess(&k->statement, k->z, k->mu); /* multipliers of faces are not in the state */
  return ns_polyhedral_solve(k->poly, c, &k->statement, k->z, k->mu, k->w, out);
}

static double faces_violation(const ns_law_problem *k, const double *y, const double *lambda)
{
  double most = 0;
  int p = k->statement.p;
  for (int r = 0; r < k->n; r++) {
    double s = y[r];
    for (int f = 0; f < p; f++) s -= k->H[f + r * p] * k->mu[f];
    most = fmax(most, fabs(s));
  }
  for (int f = 0; f < p; f++) {
    double g = -k->k[f];
    for (int r = 0; r < k->n; r++) g += k->H[f + r * p] * lambda[r];
    most = fmax(most, fabs(fmin(k->mu[f], g)));
  }
  return most;
}

double ns_law_problem_violation(const ns_law_problem *k, const double *y, const double *lambda)
{
  if (k->poly) return faces_violation(k, y, lambda);
  const double *lb = k->lb + k->head, *ub = k->ub + k->head;
  double most = 0;
  for (int r = 0, n = k->n - k->head; r < n; r++) {
    double to = lambda[r] - y[r];
    to = to < lb[r] ? lb[r] : to > ub[r] ? ub[r] : to;
    double d = fabs(lambda[r] - to);
    most = d > most ? d : most;
  }
  return most;
}
