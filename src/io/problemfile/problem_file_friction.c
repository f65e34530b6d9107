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

static void check_coefficients(ns_tokens *t, const char *name, int nc, const double *x)
{
  for (int a = 0; a < nc && !t->rc; a++)
    if (x[a] < 0)
      ns_tokens_fail(t, "contact %d has %s = %.17g, expected a number of at least 0", a, name,
                     x[a]);
}

void ns_check_mu(ns_tokens *t, int nc, const double *mu) { check_coefficients(t, "mu", nc, mu); }
void ns_check_mu_rolling(ns_tokens *t, int nc, const double *mu)
{
  check_coefficients(t, "mu_r", nc, mu);
}

/* d and nc, with room for q. */
static void read_head(ns_tokens *t, int min, int max, int *d, int *nc)
{
  *d = ns_tokens_integer(t, min, max, "d, the rows of a contact");
  if (min == 3 && *d == 4)
    ns_tokens_fail(t, "d, the rows of a contact, is 4, expected 3 in the plane or 5 in space");
  *nc = ns_tokens_integer(t, 0, INT_MAX / 5, "nc, the number of contacts");
  ns_tokens_capacity(t, (size_t)*d, (size_t)*nc, "q");
}

/* mu [nc]; of rolling contacts, mu_r [nc] and their kind. */
static void read_coefficients(ns_tokens *t, int nc, int rolling, const double **mu,
                              const double **mu_r, const unsigned char **kind)
{
  *mu = ns_tokens_vector(t, (size_t)nc, 0, "mu");
  ns_check_mu(t, nc, *mu);
  if (!rolling) return;
  *mu_r = ns_tokens_vector(t, (size_t)nc, 0, "mu_r");
  ns_check_mu_rolling(t, nc, *mu_r);
  unsigned char *all = ns_tokens_get(t, (size_t)nc, 1);
  if (all) memset(all, NS_BLOCK_ROLLING, (size_t)nc + 1);
  *kind = all;
}

/* What is reduced to nc contacts of d rows. */
static void read_reduced(ns_tokens *t, ns_problem *p, int d, int nc, int rolling)
{
  ns_mechanical *f = &p->mechanical;
  ns_matrix m;
  int *first;
  p->n = d * nc;
  ns_matrix_read(t, "W", p->n, p->n, &m);
  ns_matrix_rows rows = ns_matrix_rows_of(t, &m);
  ns_friction_sizes(t, d, nc, 0, &first, NULL);
  f->W = ns_matrix_rows_partition(t, &rows, nc, first, 1);
  f->q = ns_tokens_vector(t, (size_t)p->n, 0, "q");
  read_coefficients(t, nc, rolling, &f->mu, &f->mu_rolling, &f->kind);
}

void ns_read_friction(ns_tokens *t, ns_problem *p, int want)
{
  int d, nc;
  read_head(t, want ? want : 2, want ? want : 3, &d, &nc);
  p->family = ns_problem_family_find(d == 2 ? "fc2d" : "fc3d");
  read_reduced(t, p, d, nc, 0);
}

void ns_read_rolling(ns_tokens *t, ns_problem *p, int want)
{
  int d, nc;
  read_head(t, want ? want : 3, want ? want : 5, &d, &nc);
  p->family = ns_problem_family_find(d == 3 ? "rfc2d" : "rfc3d");
  read_reduced(t, p, d, nc, 1);
}

/* ---- global ---------------------------------------------------------------------------------- */

/* Rows of a matrix record, without reading it: n is nowhere else. */
static int peek_rows(ns_tokens *t)
{
  ns_tokens look = *t;
  ns_tokens_integer(&look, 0, 2, "the storage of M (0 dense, 1 blocks, 2 sparse)");
  int n = ns_tokens_integer(&look, 0, INT_MAX, "the number of rows of M");
  ns_tokens_capacity(&look, (size_t)n, 1, "q");
  t->rc = look.rc;
  return n;
}

static void read_global(ns_tokens *t, ns_problem *p, int rolling)
{
  ns_global *g = &p->global;
  ns_matrix m;
  int d, nc, *first, *dim;
  read_head(t, rolling ? 3 : 2, rolling ? 5 : 3, &d, &nc);
  int n = peek_rows(t);
  p->n = g->m = d * nc;
  g->nb = nc;
  ns_matrix_read(t, "M", n, n, &m);
  ns_matrix_rows rows = ns_matrix_rows_of(t, &m);
  g->M = ns_matrix_rows_scalars(t, &rows);
  ns_matrix_read(t, "H", n, p->n, &m);
  rows = ns_matrix_rows_of(t, &m);
  ns_matrix_rows H = ns_matrix_rows_transpose(t, &rows);
  ns_friction_sizes(t, d, nc, 0, &first, &dim);
  g->row = H.row;
  g->col = H.col;
  g->val = H.val;
  g->first = first;
  g->dim = dim;
  g->q = ns_tokens_vector(t, (size_t)n, 0, "q");
  g->b = ns_tokens_vector(t, (size_t)p->n, 0, "b");
  read_coefficients(t, nc, rolling, &g->mu, &g->mu_rolling, &g->kind);
}

void ns_read_global(ns_tokens *t, ns_problem *p) { read_global(t, p, 0); }
void ns_read_global_rolling(ns_tokens *t, ns_problem *p) { read_global(t, p, 1); }

/* ---- generic mechanical ---------------------------------------------------------------------- */

typedef struct laws {
  int *type;
  unsigned char *kind;
  double *mu, *mu_rolling, *lb, *ub;
} laws;

static void read_bounds(ns_tokens *t, int n, double *lb, double *ub)
{
  ns_tokens_reals(t, (size_t)n, 1, lb, "lb");
  ns_tokens_reals(t, (size_t)n, 1, ub, "ub");
  for (int i = 0; i < n; i++)
    if (!(lb[i] <= ub[i]) || lb[i] == INFINITY || ub[i] == -INFINITY)
      ns_tokens_fail(t, "a row of a relay has the bounds %.17g and %.17g, expected lb <= ub", lb[i],
                     ub[i]);
}

/* mu and bounds that types leave open. */
static void read_open(ns_tokens *t, const ns_blocks *W, const laws *l)
{
  int said = -1;
  for (int a = 0; a < W->nb && !t->rc; a++) {
    int plane = l->type[a] == NS_GENERIC_PLANE, ball = l->type[a] == NS_GENERIC_BALL;
    if (!plane && !ball && l->type[a] != NS_GENERIC_RELAY) continue;
    if (said < 0) said = ns_tokens_word(t, NS_GENERIC_LAWS);
    if (!said)
      ns_tokens_fail(t,
                     "block %d is of type %d (%s), for which the file has no %s; expected another "
                     "type, or \"" NS_GENERIC_LAWS "\" after the types",
                     a, l->type[a], plane ? "friction in the plane" : "relay",
                     plane ? "mu" : "bounds");
    if (plane) l->mu[a] = ns_tokens_real(t, "mu");
    else read_bounds(t, W->dim[a], l->lb + W->first[a], l->ub + W->first[a]);
    if (ball && (W->dim[a] > NS_BALL_ROWS || !(l->ub[W->first[a]] >= 0)))
      ns_tokens_fail(t,
                     "block %d, a vector of bounded length, has %d rows and the radius %.17g, "
                     "expected %d rows at most and no negative radius",
                     a, W->dim[a], l->ub[W->first[a]], NS_BALL_ROWS);
  }
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

/* Types of the blocks, with what stands behind them, to kinds, bounds and mu. */
static void read_types(ns_tokens *t, const ns_blocks *W, const laws *l)
{
  for (int a = 0; a < W->nb && !t->rc; a++) {
    int type = l->type[a] = ns_tokens_integer(
        t, 0, NS_GENERIC_BALL,
        "the type of a block (0 LCP, 2 equality, 3 and 4 friction, 9 relay)");
    int rows = rows_of_type(type), rolls = rows > 0 && type >= NS_GENERIC_ROLLING_PLANE;
    if (rows < 0)
      ns_tokens_expected(t,
                         "the type of block %d: 0 LCP, 2 equality, 3 friction in the plane, 4 in "
                         "space, 9 relay, 13 rolling in the plane or 14 in space, 100 vector of "
                         "bounded length",
                         a);
    l->kind[a] = type == NS_GENERIC_BALL ? NS_BLOCK_BALL
                 : rolls                 ? NS_BLOCK_ROLLING
                 : rows                  ? NS_BLOCK_FRICTION
                                         : NS_BLOCK_BOX;
    if (rows && W->dim[a] != rows)
      ns_tokens_fail(t, "block %d is of type %d, a contact, and has %d rows, expected %d", a, type,
                     W->dim[a], rows);
    if (rolls || type == NS_GENERIC_SPACE) l->mu[a] = ns_tokens_real(t, "mu");
    if (rolls) l->mu_rolling[a] = ns_tokens_real(t, "mu_r");
    for (int i = W->first[a]; i < W->first[a + 1]; i++) {
      l->lb[i] = type == NS_GENERIC_LCP ? 0 : -INFINITY;
      l->ub[i] = INFINITY;
    }
  }
  read_open(t, W, l);
  ns_check_mu(t, W->nb, l->mu);
  ns_check_mu_rolling(t, W->nb, l->mu_rolling);
}

void ns_read_generic(ns_tokens *t, ns_problem *p)
{
  ns_mechanical *f = &p->mechanical;
  ns_matrix m;
  int n = p->n = peek_rows(t);
  ns_matrix_read(t, "M", n, n, &m);
  if (m.dense || !m.nb)
    ns_tokens_fail(
        t, "M is not in square blocks, expected storage 1, one block row per part of the problem");
  ns_matrix_rows rows = ns_matrix_rows_of(t, &m);
  f->W = ns_matrix_rows_partition(t, &rows, m.nb, m.first, 1);
  f->q = ns_tokens_vector(t, (size_t)n, 0, "q");
  size_t blocks = (size_t)m.nb, numbers = (size_t)n;
  laws l = {.type = ns_tokens_get(t, blocks, sizeof *l.type),
            .kind = ns_tokens_get(t, blocks, 1),
            .mu = ns_tokens_get(t, blocks, sizeof *l.mu),
            .mu_rolling = ns_tokens_get(t, blocks, sizeof *l.mu),
            .lb = ns_tokens_get(t, numbers, sizeof *l.lb),
            .ub = ns_tokens_get(t, numbers, sizeof *l.ub)};
  f->kind = l.kind;
  f->mu = l.mu;
  f->mu_rolling = l.mu_rolling;
  f->lb = l.lb;
  f->ub = l.ub;
  if (!t->rc) read_types(t, f->W, &l);
}
