/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers of the friction families.
 *
 *   friction contact    d, nc, W, q, mu
 *   global              d, nc, M, H, q, b, mu
 *   generic mechanical  M in blocks, q, and for each block row its type (0 LCP, 2 equality, 3 friction in the plane, 4 friction in
 *                       space, then mu, 9 relay); where a type leaves mu or bounds open: "nssim-laws" and these
 *
 * Empty problems, nc = 0, are problems. */
#include "io/problem_file_friction.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int no_memory(const ns_tokens *t) { return ns_nomem(t->c, "problem"); }

int ns_check_mu(const ns_tokens *t, int nc, const double *mu)
{
  for (int a = 0; a < nc; a++)
    if (mu[a] < 0) return ns_tokens_fail(t, "contact %d has mu = %.17g, expected a number from 0", a, mu[a]);
  return NS_OK;
}

/* d and nc, with room for q. */
static int read_head(ns_tokens *t, int want, int *d, int *nc)
{
  int rc = ns_tokens_integer(t, want ? want : 2, want ? want : 3, d, "d, the rows of a contact");
  if (!rc) rc = ns_tokens_integer(t, 0, INT_MAX / 3, nc, "nc, the number of contacts");
  return rc ? rc : ns_tokens_room(t, (size_t)*d, (size_t)*nc, "q");
}

static const ns_problem_family *friction_family(int d) { return ns_problem_family_find(d == 2 ? "fc2d" : "fc3d"); }

int ns_read_friction(ns_tokens *t, ns_problem *p, int want)
{
  ns_mechanical *f = &p->mechanical;
  ns_matrix m;
  ns_matrix_rows rows;
  int d, nc, *first, rc = read_head(t, want, &d, &nc);
  if (rc) return rc;
  p->family = friction_family(d);
  p->n = d * nc;
  if ((rc = ns_matrix_read(t, "W", p->n, p->n, &m)) || (rc = ns_matrix_rows_of(t, &m, &rows))) return rc;
  if ((rc = ns_friction_sizes(t, d, nc, 0, &first, NULL))) return rc;
  if ((rc = ns_matrix_rows_partition(t, &rows, nc, first, &f->W))) return rc;
  if ((rc = ns_tokens_vector(t, (size_t)p->n, 0, &f->q, "q"))) return rc;
  if ((rc = ns_tokens_vector(t, (size_t)nc, 0, &f->mu, "mu"))) return rc;
  return ns_check_mu(t, nc, f->mu);
}

/* ---- global ------------------------------------------------------------------------------------------------ */

/* Sizes of a matrix record, without reading it: n is nowhere else. */
static int peek_rows(const ns_tokens *t, int *n)
{
  ns_tokens look = *t;
  int storage, rc = ns_tokens_integer(&look, 0, 2, &storage, "the storage of M (0 dense, 1 blocks, 2 sparse)");
  if (!rc) rc = ns_tokens_integer(&look, 0, INT_MAX, n, "the number of rows of M");
  return rc ? rc : ns_tokens_room(&look, (size_t)*n, 1, "q");
}

int ns_read_global(ns_tokens *t, ns_problem *p)
{
  ns_global *g = &p->global;
  ns_matrix m;
  ns_matrix_rows rows, H;
  int d, nc, n, *first, *dim, rc = read_head(t, 0, &d, &nc);
  if (rc || (rc = peek_rows(t, &n))) return rc;
  p->n = g->m = d * nc;
  g->nb = nc;
  if ((rc = ns_matrix_read(t, "M", n, n, &m)) || (rc = ns_matrix_rows_of(t, &m, &rows))) return rc;
  if ((rc = ns_matrix_rows_scalars(t, &rows, &g->M))) return rc;
  if ((rc = ns_matrix_read(t, "H", n, p->n, &m)) || (rc = ns_matrix_rows_of(t, &m, &rows))) return rc;
  if ((rc = ns_matrix_rows_transpose(t, &rows, &H)) || (rc = ns_friction_sizes(t, d, nc, 0, &first, &dim))) return rc;
  g->row = H.row;
  g->col = H.col;
  g->val = H.val;
  g->first = first;
  g->dim = dim;
  if ((rc = ns_tokens_vector(t, (size_t)n, 0, &g->q, "q"))) return rc;
  if ((rc = ns_tokens_vector(t, (size_t)p->n, 0, &g->b, "b"))) return rc;
  if ((rc = ns_tokens_vector(t, (size_t)nc, 0, &g->mu, "mu"))) return rc;
  return ns_check_mu(t, nc, g->mu);
}

/* ---- generic mechanical -------------------------------------------------------------------------------------- */

typedef struct laws {
  int *type;
  unsigned char *kind;
  double *mu, *lb, *ub;
} laws;

static int read_bounds(ns_tokens *t, int n, double *lb, double *ub)
{
  int rc = ns_tokens_reals(t, (size_t)n, 1, lb, "lb");
  if (!rc) rc = ns_tokens_reals(t, (size_t)n, 1, ub, "ub");
  for (int i = 0; i < n && !rc; i++)
    if (!(lb[i] <= ub[i]) || lb[i] == INFINITY || ub[i] == -INFINITY)
      rc = ns_tokens_fail(t, "a row of a relay has the bounds %.17g and %.17g, expected lb <= ub", lb[i], ub[i]);
  return rc;
}

/* mu and bounds that types leave open. */
static int read_open(ns_tokens *t, const ns_blocks *W, const laws *l)
{
  int said = -1, rc = NS_OK;
  for (int a = 0; a < W->nb && !rc; a++) {
    if (l->type[a] != NS_GENERIC_PLANE && l->type[a] != NS_GENERIC_RELAY) continue;
    if (said < 0) said = ns_tokens_word(t, NS_GENERIC_LAWS);
    if (!said)
      return ns_tokens_fail(t, "block %d is of type %d (%s), for which the file has no %s; expected type 0, 2 or 4, or \"" NS_GENERIC_LAWS
                            "\" behind the types", a, l->type[a], l->type[a] == NS_GENERIC_PLANE ? "friction in the plane" : "relay",
                            l->type[a] == NS_GENERIC_PLANE ? "mu" : "bounds");
    if (l->type[a] == NS_GENERIC_PLANE) rc = ns_tokens_real(t, &l->mu[a], "mu");
    else rc = read_bounds(t, W->dim[a], l->lb + W->first[a], l->ub + W->first[a]);
  }
  return rc;
}

/* Types of the blocks, to kinds, bounds and mu. */
static int read_types(ns_tokens *t, const ns_blocks *W, const laws *l)
{
  int rc = NS_OK;
  for (int a = 0; a < W->nb && !rc; a++) {
    int *type = &l->type[a];
    rc = ns_tokens_integer(t, 0, 9, type, "the type of a block (0 LCP, 2 equality, 3 and 4 friction, 9 relay)");
    if (rc) break;
    int rows = *type == NS_GENERIC_SPACE ? 3 : *type == NS_GENERIC_PLANE ? 2 : 0;
    if (!rows && *type != NS_GENERIC_LCP && *type != NS_GENERIC_EQUALITY && *type != NS_GENERIC_RELAY)
      return ns_tokens_expected(t, "the type of block %d: 0 LCP, 2 equality, 3 friction in the plane, 4 in space or 9 relay", a);
    l->kind[a] = rows ? NS_BLOCK_FRICTION : NS_BLOCK_BOX;
    if (rows && W->dim[a] != rows)
      return ns_tokens_fail(t, "block %d is friction in %s and has %d rows, expected %d", a, rows == 3 ? "space" : "the plane", W->dim[a],
                            rows);
    if (rows == 3) rc = ns_tokens_real(t, &l->mu[a], "mu");
    for (int i = W->first[a]; i < W->first[a + 1]; i++) {
      l->lb[i] = *type == NS_GENERIC_LCP ? 0 : -INFINITY;
      l->ub[i] = INFINITY;
    }
  }
  if (!rc) rc = read_open(t, W, l);
  return rc ? rc : ns_check_mu(t, W->nb, l->mu);
}

int ns_read_generic(ns_tokens *t, ns_problem *p)
{
  ns_mechanical *f = &p->mechanical;
  ns_matrix m;
  ns_matrix_rows rows;
  int n, rc = peek_rows(t, &n);
  if (rc) return rc;
  p->n = n;
  if ((rc = ns_matrix_read(t, "M", n, n, &m))) return rc;
  if (m.dense || m.nbr != m.nbc)
    return ns_tokens_fail(t, "M is not in square blocks, expected storage 1, a block row for each part of the problem");
  if ((rc = ns_matrix_rows_of(t, &m, &rows)) || (rc = ns_matrix_rows_partition(t, &rows, m.nbr, m.rfirst, &f->W))) return rc;
  if ((rc = ns_tokens_vector(t, (size_t)n, 0, &f->q, "q"))) return rc;
  size_t blocks = (size_t)m.nbr + 1, numbers = (size_t)n + 1;
  laws l = {.type = ns_arena_zero(t->arena, blocks, sizeof *l.type), .kind = ns_arena_zero(t->arena, blocks, 1),
            .mu = ns_arena_zero(t->arena, blocks, sizeof *l.mu), .lb = ns_arena_zero(t->arena, numbers, sizeof *l.lb),
            .ub = ns_arena_zero(t->arena, numbers, sizeof *l.ub)};
  if (!l.type || !l.kind || !l.mu || !l.lb || !l.ub) return no_memory(t);
  f->kind = l.kind;
  f->mu = l.mu;
  f->lb = l.lb;
  f->ub = l.ub;
  return read_types(t, f->W, &l);
}
