/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The families of problem files: a reader each. A further family is a further row of the table. */
#include "algebra/vector.h"
#include "io/problemfile/problem_file.h"
#include "io/problemfile/problem_file_friction.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double *filled(ns_tokens *t, int n, double x)
{
  double *v = ns_arena_get(t->arena, (size_t)n, sizeof *v);
  for (int i = 0; v && i < n; i++) v[i] = x;
  return v;
}

static int no_memory(const ns_tokens *t) { return ns_nomem(t->c, "problem"); }

/* n, for which there is room in vectors. */
static int read_n(ns_tokens *t, ns_problem *p)
{
  int rc = ns_tokens_integer(t, 1, INT_MAX, &p->n, "n, the number of unknowns");
  return rc ? rc : ns_tokens_capacity(t, (size_t)p->n, 1, "q");
}

/* M [n x n], q [n] */
static int read_map(ns_tokens *t, ns_problem *p)
{
  ns_matrix m;
  p->box.n = p->box.ld = p->n;
  int rc = ns_matrix_read(t, "M", p->n, p->n, &m);
  if (!rc) rc = ns_matrix_square(t, &m, &p->box.dense, &p->box.blocks);
  return rc ? rc : ns_tokens_vector(t, (size_t)p->n, 0, &p->box.q, "q");
}

static int read_lcp(ns_tokens *t, ns_problem *p)
{
  int rc = read_n(t, p);
  if (!rc) rc = read_map(t, p);
  if (rc) return rc;
  p->box.lb = filled(t, p->n, 0);
  p->box.ub = filled(t, p->n, INFINITY);
  return p->box.lb && p->box.ub ? NS_OK : no_memory(t);
}

/* An interval of numbers, one of which may be its only one. */
static int check_bounds(const ns_tokens *t, const ns_avi *p)
{
  for (int i = 0; i < p->n; i++) {
    if (p->lb[i] == INFINITY || p->ub[i] == -INFINITY)
      return ns_tokens_fail(t, "row %d has the bounds %g and %g, expected a number between them", i,
                            p->lb[i], p->ub[i]);
    if (p->lb[i] > p->ub[i])
      return ns_tokens_fail(
          t, "row %d has the lower bound %.17g above its upper bound %.17g, expected it below", i,
          p->lb[i], p->ub[i]);
  }
  return NS_OK;
}

static int read_relay(ns_tokens *t, ns_problem *p)
{
  int rc = read_n(t, p);
  if (!rc) rc = read_map(t, p);
  if (!rc) rc = ns_tokens_vector(t, (size_t)p->n, 1, &p->box.lb, "lb");
  if (!rc) rc = ns_tokens_vector(t, (size_t)p->n, 1, &p->box.ub, "ub");
  return rc ? rc : check_bounds(t, &p->box);
}

/* ---- MLCP ------------------------------------------------------------------------------------ */

/* Cumulative ends of the blocks, 0 to n, then what each is: 1 complementarity, 0 equality. To the
 * bounds. */
static int read_kinds(ns_tokens *t, ns_problem *p, int equalities, double *lb, double *ub)
{
  int n = p->n, blocks = 0, flag, zero, rc = NS_OK;
  int *end = ns_arena_get(t->arena, (size_t)n, sizeof *end);
  if (!end) return no_memory(t);
  if (!rc) rc = ns_tokens_integer(t, 0, 0, &zero, "the beginning of the first block");
  for (int at = 0; at < n && !rc; at = end[blocks++])
    rc = ns_tokens_integer(t, at + 1, n, &end[blocks], "the end of a block");
  for (int k = 0, i = 0; k < blocks && !rc; k++) {
    rc = ns_tokens_integer(t, 0, 1, &flag,
                           "the kind of a block (0 equalities, 1 complementarities)");
    for (; i < end[k] && !rc; i++) {
      equalities -= !flag;
      lb[i] = flag ? 0 : -INFINITY;
      ub[i] = INFINITY;
    }
  }
  if (!rc && equalities)
    return ns_tokens_fail(t, "the kinds of the blocks give a different number of equalities than "
                             "the head of the file, expected the same");
  return rc;
}

/* One of A, B, C, D, by rows, into its place in M [n x n]. */
static int read_part(ns_tokens *t, const char *name, double *M, int n, int i0, int j0, int rows,
                     int cols)
{
  int rc = ns_tokens_capacity(t, (size_t)rows, (size_t)cols, name);
  double *row = rc ? NULL : ns_arena_get(t->arena, (size_t)cols, sizeof *row);
  if (!rc && !row) return no_memory(t);
  for (int i = 0; i < rows && !rc; i++) {
    rc = ns_tokens_reals(t, (size_t)cols, 0, row, name);
    for (int j = 0; j < cols && !rc; j++)
      M[(size_t)(j0 + j) * (size_t)n + (size_t)(i0 + i)] = row[j];
  }
  return rc;
}

/* M = [A C; D B] and q = [a; b]: k equalities, then complementarities. */
static int read_parts(ns_tokens *t, int n, int k, const double **M, const double **q)
{
  int m = n - k, rc = ns_tokens_capacity(t, (size_t)n, (size_t)n + 1, "A, B, C, D, a and b");
  if (rc) return rc;
  double *A = ns_arena_get(t->arena, (size_t)n * (size_t)n, sizeof *A);
  double *a = ns_arena_get(t->arena, (size_t)n, sizeof *a);
  if (!A || !a) return no_memory(t);
  *M = A;
  *q = a;
  rc = read_part(t, "A", A, n, 0, 0, k, k);
  if (!rc) rc = read_part(t, "B", A, n, k, k, m, m);
  if (!rc) rc = read_part(t, "C", A, n, 0, k, k, m);
  if (!rc) rc = read_part(t, "D", A, n, k, 0, m, k);
  if (!rc) rc = ns_tokens_reals(t, (size_t)k, 0, a, "a");
  return rc ? rc : ns_tokens_reals(t, (size_t)m, 0, a + k, "b");
}

/* Where row i of the parts is in the rows of the first record: equalities first. */
static int *places(ns_tokens *t, const ns_avi *p, int equalities)
{
  int *at = ns_arena_get(t->arena, (size_t)p->n, sizeof *at), e = 0, k = equalities;
  for (int i = 0; at && i < p->n; i++) at[p->lb[i] == 0 ? k++ : e++] = i;
  return at;
}

/* Both records say the same problem; the first one counts. */
static int compare_records(ns_tokens *t, const ns_avi *p, int equalities, const double *M,
                           const double *q)
{
  const int *at = places(t, p, equalities);
  if (!at) return no_memory(t);
  size_t n = (size_t)p->n, differ = 0;
  for (size_t i = 0; i < n; i++) differ += q[i] != p->q[at[i]];
  for (size_t j = 0; j < n && p->dense; j++)
    for (size_t i = 0; i < n; i++)
      differ += M[i + j * n] != p->dense[(size_t)at[i] + (size_t)at[j] * n];
  if (differ)
    ns_warn(t->c,
            "%s: the second record (A, B, C, D, a, b) differs from the first (M, q) in %zu "
            "numbers; the first one is used",
            t->file, differ);
  return NS_OK;
}

/* A first record whose M is dense, but not n x n: passed over where the second one says the
 * problem. Its q has a number for each column. */
static int pass_over(ns_tokens *t, int n, int *passed)
{
  ns_tokens look = *t;
  int head[3], line = 0, rc = NS_OK;
  for (int k = 0; k < 3; k++) {
    if (!ns_tokens_next(&look) || !ns_tokens_as_integer(look.word, look.len, 0, INT_MAX, &head[k]))
      return NS_OK;
    if (k == 0) line = look.line;
  }
  if (head[0] != 0 || (head[1] == n && head[2] == n)) return NS_OK;
  for (int k = 0; k < 2 && !rc; k++)
    rc = ns_tokens_integer(&look, head[k + 1], head[k + 1], &n, "a size of M again");
  size_t rows = (size_t)head[1], cols = (size_t)head[2];
  const double *skipped;
  if (!rc) rc = ns_tokens_capacity(&look, rows, cols, "M");
  if (!rc) rc = ns_tokens_vector(&look, rows * cols + cols, 0, &skipped, "M and q");
  if (rc) return rc;
  ns_warn(t->c,
          "%s:%d: the first record has an M of %d x %d, which does not fit the sizes before it; "
          "the second record is used",
          t->file, line, head[1], head[2]);
  *passed = 1;
  *t = look;
  return NS_OK;
}

static int read_mlcp_head(ns_tokens *t, ns_problem *p, int record[2], int *equalities)
{
  int m, rc = ns_tokens_integer(t, 0, 1, &record[0], "the flag of the first record (M, q)");
  if (!rc)
    rc = ns_tokens_integer(t, record[0] ? 0 : 1, 1, &record[1],
                           "the flag of the second record (A, B, C, D, a, b)");
  if (!rc) rc = ns_tokens_integer(t, 0, INT_MAX, equalities, "the number of equalities");
  if (!rc)
    rc = ns_tokens_integer(t, *equalities ? 0 : 1, INT_MAX, &m, "the number of complementarities");
  if (!rc) rc = ns_tokens_capacity(t, (size_t)*equalities + (size_t)m, 1, "q");
  if (!rc) p->n = *equalities + m;
  return rc;
}

static int read_mlcp(ns_tokens *t, ns_problem *p)
{
  const double *M = NULL, *q = NULL;
  int record[2], equalities, passed = 0, rc = read_mlcp_head(t, p, record, &equalities);
  if (rc) return rc;
  double *lb = filled(t, p->n, 0), *ub = filled(t, p->n, INFINITY);
  if (!lb || !ub) return no_memory(t);
  p->box = (ns_avi){.n = p->n, .ld = p->n, .lb = lb, .ub = ub};
  ns_fill((size_t)equalities, -INFINITY, lb);
  if (record[0] && (rc = read_kinds(t, p, equalities, lb, ub))) return rc;
  if (record[0] && record[1] && (rc = pass_over(t, p->n, &passed))) return rc;
  if (passed) {
    record[0] = 0; /* its kinds, too: the parts have the equalities first */
    for (int i = 0; i < p->n; i++) lb[i] = i < equalities ? -INFINITY : 0;
  }
  if (record[0] && (rc = read_map(t, p))) return rc;
  if (!record[1]) return NS_OK;
  if ((rc = read_parts(t, p->n, equalities, &M, &q))) return rc;
  if (record[0]) return compare_records(t, &p->box, equalities, M, q);
  p->box.dense = M;
  p->box.q = q;
  return NS_OK;
}

/* ---- AVI on a polyhedron --------------------------------------------------------------------- */

/* M [n x n], q [n] */
static int read_affine(ns_tokens *t, int n, const double **M, const double **q)
{
  ns_matrix m;
  int rc = ns_matrix_read(t, "M", n, n, &m);
  if (!rc) rc = ns_matrix_dense(t, "M", &m, M);
  return rc ? rc : ns_tokens_vector(t, (size_t)n, 0, q, "q");
}

/* H [p x n], k [p] */
static int read_polyhedron(ns_tokens *t, ns_polyhedral *y)
{
  ns_matrix h;
  int rc = ns_tokens_integer(t, 1, INT_MAX, &y->p,
                             "p, the number of rows of H (without the polyhedron: --family lcp)");
  if (!rc) rc = ns_tokens_capacity(t, (size_t)y->p, 1, "k");
  if (!rc) rc = ns_matrix_read(t, "H", y->p, y->n, &h);
  if (!rc) rc = ns_matrix_dense(t, "H", &h, &y->H);
  return rc ? rc : ns_tokens_vector(t, (size_t)y->p, 0, &y->k, "k");
}

static int read_avi(ns_tokens *t, ns_problem *p)
{
  ns_polyhedral *y = &p->polyhedron;
  int rc = read_n(t, p);
  y->n = p->n;
  if (!rc) rc = read_affine(t, p->n, &y->M, &y->q);
  return rc ? rc : read_polyhedron(t, y);
}

/* ---- cones ----------------------------------------------------------------------------------- */

/* Where the cones begin, and the end of the last one; their tau. */
static int read_cones(ns_tokens *t, ns_soclcp *y)
{
  int *first = ns_arena_get(t->arena, (size_t)y->nc + 1, sizeof *first),
      rc = first ? NS_OK : no_memory(t);
  y->first = first;
  for (int a = 0; a <= y->nc && !rc; a++) {
    int end = a == y->nc, min = a == 0 ? 0 : first[a - 1] + 1;
    rc = ns_tokens_integer(t, end ? y->n : min, a == 0 ? 0 : y->n, &first[a],
                           "the first row of a cone, at the end n");
    if (!rc && end && first[a] < min)
      return ns_tokens_fail(t, "the last cone begins at row %d of %d, expected a row for it",
                            first[a - 1], y->n);
  }
  if (!rc) rc = ns_tokens_vector(t, (size_t)y->nc, 0, &y->tau, "tau");
  for (int a = 0; a < y->nc && !rc; a++)
    if (y->tau[a] < 0)
      return ns_tokens_fail(t, "cone %d has tau = %.17g, expected a number of at least 0", a,
                            y->tau[a]);
  return rc;
}

static int read_soclcp(ns_tokens *t, ns_problem *p)
{
  ns_soclcp *y = &p->cones;
  int rc = read_n(t, p);
  if (!rc) rc = ns_tokens_integer(t, 1, p->n, &y->nc, "nc, the number of cones");
  y->n = p->n;
  if (!rc) rc = read_affine(t, p->n, &y->M, &y->q);
  return rc ? rc : read_cones(t, y);
}

static int read_fc2d(ns_tokens *t, ns_problem *p) { return ns_read_friction(t, p, 2); }
static int read_fc3d(ns_tokens *t, ns_problem *p) { return ns_read_friction(t, p, 3); }
static int read_fc(ns_tokens *t, ns_problem *p) { return ns_read_friction(t, p, 0); }
static int read_rfc2d(ns_tokens *t, ns_problem *p) { return ns_read_rolling(t, p, 3); }
static int read_rfc3d(ns_tokens *t, ns_problem *p) { return ns_read_rolling(t, p, 5); }
static int read_rfc(ns_tokens *t, ns_problem *p) { return ns_read_rolling(t, p, 0); }

const ns_problem_family ns_problem_families[] = {
    {"lcp", "LCP", "linear complementarity: n, M, q", NS_PROBLEM_BOX, read_lcp},
    {"mlcp", "MLCP", "with equalities: flags, sizes, kinds, M, q, or A, B, C, D, a, b",
     NS_PROBLEM_BOX, read_mlcp},
    {"relay", "relay", "on a box: n, M, q, lb, ub", NS_PROBLEM_BOX, read_relay},
    {"avi", "AVI", "on a polyhedron: n, M, q, p, H, k", NS_PROBLEM_POLYHEDRON, read_avi},
    {"soclcp", "SOCLCP", "on second-order cones: n, nc, M, q, first rows, tau", NS_PROBLEM_CONES,
     read_soclcp},
    {"fc2d", "friction 2D", "contacts in the plane: 2, nc, W, q, mu", NS_PROBLEM_MECHANICAL,
     read_fc2d},
    {"fc3d", "friction 3D", "contacts in space: 3, nc, W, q, mu", NS_PROBLEM_MECHANICAL, read_fc3d},
    {"fc", "friction", "contacts, in the plane or in space, by the file", NS_PROBLEM_MECHANICAL,
     read_fc},
    {"gfc", "global friction", "with the velocities of the bodies: d, nc, M, H, q, b, mu",
     NS_PROBLEM_GLOBAL, ns_read_global},
    {"rfc2d", "rolling friction 2D",
     "contacts in the plane with rolling friction: 3, nc, W, q, mu, mu_r", NS_PROBLEM_MECHANICAL,
     read_rfc2d},
    {"rfc3d", "rolling friction 3D",
     "contacts in space with rolling friction: 5, nc, W, q, mu, mu_r", NS_PROBLEM_MECHANICAL,
     read_rfc3d},
    {"rfc", "rolling friction",
     "contacts with rolling friction, in the plane or in space, by the file", NS_PROBLEM_MECHANICAL,
     read_rfc},
    {"grfc", "global rolling friction",
     "the same with the velocities of the bodies: d, nc, M, H, q, b, mu, mu_r", NS_PROBLEM_GLOBAL,
     ns_read_global_rolling},
    {"gmp", "generic mechanical",
     "equalities, unilateral, friction and rolling blocks: M, q, types", NS_PROBLEM_MECHANICAL,
     ns_read_generic},
    {0},
};
