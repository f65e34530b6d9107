/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/law_problem.h"

#include "model/laws/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Up to so many rows the matrix is dense where more than a quarter of its entries are there: rows
 * of one large system all meet. */
enum { FULL_ROWS = 1000 };

int ns_law_problem_create(ns_ctx *c, const ns_model *m, int head, const ns_blocks *S,
                          const char *solver, ns_law_problem **out)
{
  ns_law_problem *k = *out = calloc(1, sizeof *k);
  if (!k) return ns_nomem(c, "one-step problem");
  int n = head + (int)m->nrows, ok = (k->mem = ns_arena_create(0, 1)) != NULL;
  double **v[] = {&k->q, &k->z, &k->w, &k->lb, &k->ub, &k->guess};
  for (size_t i = 0; i < sizeof v / sizeof *v && ok; i++)
    ok = (*v[i] = ns_arena_zero(k->mem, (size_t)n, sizeof(double))) != NULL;
  int rc = ok ? NS_OK : NS_NOMEM;
  if (!rc) {
    for (int r = 0; r < head; r++) k->lb[r] = -(k->ub[r] = INFINITY);
    ns_laws_bounds(m, 1, k->lb + head, k->ub + head);
    k->rows = (ns_row_problem){.m = m,
                               .mem = k->mem,
                               .nrows = n,
                               .head = head,
                               .A = S,
                               .lb = k->lb,
                               .ub = k->ub,
                               .solver_name = solver,
                               .whole = 1,
                               .full_rows = head ? -1 : FULL_ROWS,
                               .polyhedra = 1};
    rc = ns_row_problem_create(&k->rows, c);
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
  ns_row_solver_destroy(&k->rows.solver);
  ns_arena_destroy(k->mem);
  free(k);
}

size_t ns_law_problem_bytes(const ns_law_problem *k)
{
  return k ? ns_arena_used(k->mem) + sizeof *k : 0;
}

const char *ns_law_problem_solver_note(const ns_law_problem *k)
{
  const ns_row_solver *s = &k->rows.solver;
  if (s->poly) return "faces of the polyhedron";
  if (strcmp(ns_row_solver_name(s), "auto") != 0) return ns_row_solver_help(s);
  if (k->rows.nrows == 1) return "one row, in closed form";
  return k->rows.dense ? "last support, then dense pivoting"
                       : "last support, then sparse active set";
}

int ns_law_problem_solve(ns_law_problem *k, ns_ctx *c, ns_outcome *out)
{
  if (k->rows.nrows) return ns_row_problem_solve(&k->rows, c, NULL, k->q, k->z, k->w, out);
  *out = (ns_outcome){.kind = NS_SOLVED, .solver = "none"};
  return NS_OK;
}
