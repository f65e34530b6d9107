/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers of the friction families.
 *
 *   friction contact    d, nc, W, q, mu             rolling            d, nc, W, q, mu, mu_r
 *   global              d, nc, M, H, q, b, mu       global, rolling    d, nc, M, H, q, b, mu, mu_r
 *   generic mechanical  M in blocks, q, and for each block row its type (0 LCP, 2 equality, 3
 *                       friction in the plane, 4 friction in space, then mu, 9 relay; of nssim
 *                       alone 13 and 14, rolling in the plane and in space, then mu and mu_r,
 *                       and 100, a vector of bounded length, its bounds those of a relay);
 *                       where a type leaves mu or bounds open: "nssim-laws" and these
 *
 * Empty problems, nc = 0, are problems. */
#include "io/problemfile/problem_file_friction.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int no_memory(const ns_tokens *t) { return ns_nomem(t->c, "problem"); }

static int check_coefficients(const ns_tokens *t, const char *name, int nc, const double *x)
{
  for (int a = 0; a < nc; a++)
    if (x[a] < 0)
      return ns_tokens_fail(t, "contact %d has %s = %.17g, expected a number of at least 0", a,
                            name, x[a]);
  return NS_OK;
}

int ns_check_mu(const ns_tokens *t, int nc, const double *mu)
{
  return check_coefficients(t, "mu", nc, mu);
}
int ns_check_mu_rolling(const ns_tokens *t, int nc, const double *mu)
{
  return check_coefficients(t, "mu_r", nc, mu);
}

/* d and nc, with room for q. */
static int read_head(ns_tokens *t, int min, int max, int *d, int *nc)
{
  int rc = ns_tokens_integer(t, min, max, d, "d, the rows of a contact");
  if (!rc && min == 3 && *d == 4)
    return ns_tokens_fail(t,
                          "d, the rows of a contact, is 4, expected 3 in the plane or 5 in space");
  if (!rc) rc = ns_tokens_integer(t, 0, INT_MAX / 5, nc, "nc, the number of contacts");
  return rc ? rc : ns_tokens_capacity(t, (size_t)*d, (size_t)*nc, "q");
}

/* mu [nc]; of rolling contacts, mu_r [nc] and their kind. */
static int read_coefficients(ns_tokens *t, int nc, int rolling, const double **mu,
                             const double **mu_r, const unsigned char **kind)
{
  int rc = ns_tokens_vector(t, (size_t)nc, 0, mu, "mu");
  if (!rc) rc = ns_check_mu(t, nc, *mu);
  if (rc || !rolling) return rc;
  if (!(rc = ns_tokens_vector(t, (size_t)nc, 0, mu_r, "mu_r")))
    rc = ns_check_mu_rolling(t, nc, *mu_r);
  unsigned char *all = rc ? NULL : ns_arena_get(t->arena, (size_t)nc + 1, 1);
  if (all) memset(all, NS_BLOCK_ROLLING, (size_t)nc + 1);
  *kind = all;
  return rc || all ? rc : no_memory(t);
}

/* What is reduced to nc contacts of d rows. */
static int read_reduced(ns_tokens *t, ns_problem *p, int d, int nc, int rolling)
{
  ns_mechanical *f = &p->mechanical;
  ns_matrix m;
  ns_matrix_rows rows;
  int *first, rc;
  p->n = d * nc;
  if ((rc = ns_matrix_read(t, "W", p->n, p->n, &m)) || (rc = ns_matrix_rows_of(t, &m, &rows)))
    return rc;
  if ((rc = ns_friction_sizes(t, d, nc, 0, &first, NULL))) return rc;
  if ((rc = ns_matrix_rows_partition(t, &rows, nc, first, &f->W))) return rc;
  if ((rc = ns_tokens_vector(t, (size_t)p->n, 0, &f->q, "q"))) return rc;
  return read_coefficients(t, nc, rolling, &f->mu, &f->mu_rolling, &f->kind);
}

int ns_read_friction(ns_tokens *t, ns_problem *p, int want)
{
  int d, nc, rc = read_head(t, want ? want : 2, want ? want : 3, &d, &nc);
  if (rc) return rc;
  p->family = ns_problem_family_find(d == 2 ? "fc2d" : "fc3d");
  return read_reduced(t, p, d, nc, 0);
}

int ns_read_rolling(ns_tokens *t, ns_problem *p, int want)
{
  int d, nc, rc = read_head(t, want ? want : 3, want ? want : 5, &d, &nc);
  if (rc) return rc;
  p->family = ns_problem_family_find(d == 3 ? "rfc2d" : "rfc3d");
  return read_reduced(t, p, d, nc, 1);
}

/* ---- global ---------------------------------------------------------------------------------- */

/* Sizes of a matrix record, without reading it: n is nowhere else. */
static int peek_rows(const ns_tokens *t, int *n)
{
  ns_tokens look = *t;
  int storage, rc = ns_tokens_integer(&look, 0, 2, &storage,
                                      "the storage of M (0 dense, 1 blocks, 2 sparse)");
  if (!rc) rc = ns_tokens_integer(&look, 0, INT_MAX, n, "the number of rows of M");
  return rc ? rc : ns_tokens_capacity(&look, (size_t)*n, 1, "q");
}

static int read_global(ns_tokens *t, ns_problem *p, int rolling)
{
  ns_global *g = &p->global;
  ns_matrix m;
  ns_matrix_rows rows, H;
  int d, nc, n, *first, *dim, rc = read_head(t, rolling ? 3 : 2, rolling ? 5 : 3, &d, &nc);
  if (rc || (rc = peek_rows(t, &n))) return rc;
  p->n = g->m = d * nc;
  g->nb = nc;
  if ((rc = ns_matrix_read(t, "M", n, n, &m)) || (rc = ns_matrix_rows_of(t, &m, &rows))) return rc;
  if ((rc = ns_matrix_rows_scalars(t, &rows, &g->M))) return rc;
  if ((rc = ns_matrix_read(t, "H", n, p->n, &m)) || (rc = ns_matrix_rows_of(t, &m, &rows)))
    return rc;
  if ((rc = ns_matrix_rows_transpose(t, &rows, &H)) ||
      (rc = ns_friction_sizes(t, d, nc, 0, &first, &dim)))
    return rc;
  g->row = H.row;
  g->col = H.col;
  g->val = H.val;
  g->first = first;
  g->dim = dim;
  if ((rc = ns_tokens_vector(t, (size_t)n, 0, &g->q, "q"))) return rc;
  if ((rc = ns_tokens_vector(t, (size_t)p->n, 0, &g->b, "b"))) return rc;
  return read_coefficients(t, nc, rolling, &g->mu, &g->mu_rolling, &g->kind);
}

int ns_read_global(ns_tokens *t, ns_problem *p) { return read_global(t, p, 0); }
int ns_read_global_rolling(ns_tokens *t, ns_problem *p) { return read_global(t, p, 1); }

/* ---- generic mechanical ---------------------------------------------------------------------- */

typedef struct laws {
  int *type;
  unsigned char *kind;
  double *mu, *mu_rolling, *lb, *ub;
} laws;

static int read_bounds(ns_tokens *t, int n, double *lb, double *ub)
{
  int rc = ns_tokens_reals(t, (size_t)n, 1, lb, "lb");
  if (!rc) rc = ns_tokens_reals(t, (size_t)n, 1, ub, "ub");
  for (int i = 0; i < n && !rc; i++)
    if (!(lb[i] <= ub[i]) || lb[i] == INFINITY || ub[i] == -INFINITY)
      rc = ns_tokens_fail(t, "a row of a relay has the bounds %.17g and %.17g, expected lb <= ub",
                          lb[i], ub[i]);
  return rc;
}

/* mu and bounds that types leave open. */
static int read_open(ns_tokens *t, const ns_blocks *W, const laws *l)
{
  int said = -1, rc = NS_OK;
  for (int a = 0; a < W->nb && !rc; a++) {
    int plane = l->type[a] == NS_GENERIC_PLANE, ball = l->type[a] == NS_GENERIC_BALL;
    if (!plane && !ball && l->type[a] != NS_GENERIC_RELAY) continue;
    if (said < 0) said = ns_tokens_word(t, NS_GENERIC_LAWS);
    if (!said)
      return ns_tokens_fail(t,
                            "block %d is of type %d (%s), for which the file has no %s; expected "
                            "another type, or \"" NS_GENERIC_LAWS "\" after the types",
                            a, l->type[a], plane ? "friction in the plane" : "relay",
                            plane ? "mu" : "bounds");
    if (plane) rc = ns_tokens_real(t, &l->mu[a], "mu");
    else rc = read_bounds(t, W->dim[a], l->lb + W->first[a], l->ub + W->first[a]);
    if (!rc && ball && (W->dim[a] > NS_BALL_ROWS || !(l->ub[W->first[a]] >= 0)))
      return ns_tokens_fail(t,
                            "block %d, a vector of bounded length, has %d rows and the radius "
                            "%.17g, expected %d rows at most and no negative radius",
                            a, W->dim[a], l->ub[W->first[a]], NS_BALL_ROWS);
  }
  return rc;
}

/* Rows of contacts of that type; 0: of no contact, -1: there is no such type. */
static int rows_of_type(int type)
{
  switch (type) {
  case NS_GENERIC_PLANE: return 2;
  case NS_GENERIC_SPACE:
  case NS_GENERIC_ROLLING_PLANE: return 3;
  case NS_GENERIC_ROLLING_SPACE: return 5;
  case NS_GENERIC_LCP:
  case NS_GENERIC_EQUALITY:
  case NS_GENERIC_BALL:
  case NS_GENERIC_RELAY: return 0;
  default: return -1;
  }
}

/* What stands behind a type. */
static int read_behind(ns_tokens *t, const laws *l, int a)
{
  int rolls = l->kind[a] == NS_BLOCK_ROLLING,
      rc = rolls || l->type[a] == NS_GENERIC_SPACE ? ns_tokens_real(t, &l->mu[a], "mu") : NS_OK;
  return rc || !rolls ? rc : ns_tokens_real(t, &l->mu_rolling[a], "mu_r");
}

/* Types of the blocks, to kinds, bounds and mu. */
static int read_types(ns_tokens *t, const ns_blocks *W, const laws *l)
{
  int rc = NS_OK;
  for (int a = 0; a < W->nb && !rc; a++) {
    int *type = &l->type[a];
    rc = ns_tokens_integer(t, 0, NS_GENERIC_BALL, type,
                           "the type of a block (0 LCP, 2 equality, 3 and 4 friction, 9 relay)");
    if (rc) break;
    int rows = rows_of_type(*type);
    if (rows < 0)
      return ns_tokens_expected(t,
                                "the type of block %d: 0 LCP, 2 equality, 3 friction in the plane, "
                                "4 in space, 9 relay, 13 rolling in the plane or 14 in space, 100 "
                                "vector of bounded length",
                                a);
    l->kind[a] = *type == NS_GENERIC_BALL            ? NS_BLOCK_BALL
                 : *type >= NS_GENERIC_ROLLING_PLANE ? NS_BLOCK_ROLLING
                 : rows                              ? NS_BLOCK_FRICTION
                                                     : NS_BLOCK_BOX;
    if (rows && W->dim[a] != rows)
      return ns_tokens_fail(t, "block %d is of type %d, a contact, and has %d rows, expected %d", a,
                            *type, W->dim[a], rows);
    rc = read_behind(t, l, a);
    for (int i = W->first[a]; i < W->first[a + 1]; i++) {
      l->lb[i] = *type == NS_GENERIC_LCP ? 0 : -INFINITY;
      l->ub[i] = INFINITY;
    }
  }
  if (!rc) rc = read_open(t, W, l);
  if (!rc) rc = ns_check_mu(t, W->nb, l->mu);
  return rc ? rc : ns_check_mu_rolling(t, W->nb, l->mu_rolling);
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
    return ns_tokens_fail(
        t, "M is not in square blocks, expected storage 1, one block row per part of the problem");
  if ((rc = ns_matrix_rows_of(t, &m, &rows)) ||
      (rc = ns_matrix_rows_partition(t, &rows, m.nbr, m.rfirst, &f->W)))
    return rc;
  if ((rc = ns_tokens_vector(t, (size_t)n, 0, &f->q, "q"))) return rc;
  size_t blocks = (size_t)m.nbr + 1, numbers = (size_t)n + 1;
  laws l = {.type = ns_arena_zero(t->arena, blocks, sizeof *l.type),
            .kind = ns_arena_zero(t->arena, blocks, 1),
            .mu = ns_arena_zero(t->arena, blocks, sizeof *l.mu),
            .mu_rolling = ns_arena_zero(t->arena, blocks, sizeof *l.mu),
            .lb = ns_arena_zero(t->arena, numbers, sizeof *l.lb),
            .ub = ns_arena_zero(t->arena, numbers, sizeof *l.ub)};
  if (!l.type || !l.kind || !l.mu || !l.mu_rolling || !l.lb || !l.ub) return no_memory(t);
  f->kind = l.kind;
  f->mu = l.mu;
  f->mu_rolling = l.mu_rolling;
  f->lb = l.lb;
  f->ub = l.ub;
  return read_types(t, f->W, &l);
}
