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
  double *v = ns_tokens_get(t, (size_t)n, sizeof *v);
  if (v) ns_fill((size_t)n, x, v);
  return v;
}

/* n, for which there is room in vectors. */
static void read_n(ns_tokens *t, ns_problem *p)
{
  p->n = ns_tokens_integer(t, 1, INT_MAX, "n, the number of unknowns");
  ns_tokens_capacity(t, (size_t)p->n, 1, "q");
}

/* M [n x n], q [n] */
static void read_map(ns_tokens *t, ns_problem *p)
{
  ns_matrix m;
  p->box.n = p->box.ld = p->n;
  ns_matrix_read(t, "M", p->n, p->n, &m);
  ns_matrix_square(t, &m, &p->box.dense, &p->box.blocks);
  p->box.q = ns_tokens_vector(t, (size_t)p->n, 0, "q");
}

static void read_lcp(ns_tokens *t, ns_problem *p)
{
  read_n(t, p);
  read_map(t, p);
  p->box.lb = filled(t, p->n, 0);
  p->box.ub = filled(t, p->n, INFINITY);
}

/* An interval of numbers, one of which may be its only one. */
static void check_bounds(ns_tokens *t, const ns_avi *p)
{
  for (int i = 0; i < p->n && !t->rc; i++) {
    if (p->lb[i] == INFINITY || p->ub[i] == -INFINITY)
      ns_tokens_fail(t, "row %d has the bounds %g and %g, expected a number between them", i,
                     p->lb[i], p->ub[i]);
    if (p->lb[i] > p->ub[i])
      ns_tokens_fail(
          t, "row %d has the lower bound %.17g above its upper bound %.17g, expected it below", i,
          p->lb[i], p->ub[i]);
  }
}

static void read_relay(ns_tokens *t, ns_problem *p)
{
  read_n(t, p);
  read_map(t, p);
  p->box.lb = ns_tokens_vector(t, (size_t)p->n, 1, "lb");
  p->box.ub = ns_tokens_vector(t, (size_t)p->n, 1, "ub");
  check_bounds(t, &p->box);
}

/* ---- MLCP ------------------------------------------------------------------------------------ */

/* Cumulative ends of the blocks, 0 to n, then what each is: 1 complementarity, 0 equality. To the
 * bounds. */
static void read_kinds(ns_tokens *t, ns_problem *p, int equalities, double *lb, double *ub)
{
  int n = p->n, blocks = 0, *end = ns_tokens_get(t, (size_t)n, sizeof *end);
  ns_tokens_integer(t, 0, 0, "the beginning of the first block");
  for (int at = 0; at < n && !t->rc; at = end[blocks++])
    end[blocks] = ns_tokens_integer(t, at + 1, n, "the end of a block");
  for (int k = 0, i = 0; k < blocks && !t->rc; k++) {
    int flag = ns_tokens_integer(t, 0, 1,
                                 "the kind of a block (0 equalities, 1 complementarities)");
    for (; i < end[k]; i++) {
      equalities -= !flag;
      lb[i] = flag ? 0 : -INFINITY;
      ub[i] = INFINITY;
    }
  }
  if (equalities)
    ns_tokens_fail(t, "the kinds of the blocks give a different number of equalities than the head "
                      "of the file, expected the same");
}

/* One of A, B, C, D, by rows, into its place in M [n x n]. */
static void read_part(ns_tokens *t, const char *name, double *M, int n, int i0, int j0, int rows,
                      int cols)
{
  ns_tokens_capacity(t, (size_t)rows, (size_t)cols, name);
  double *row = ns_tokens_get(t, (size_t)cols, sizeof *row);
  for (int i = 0; i < rows && !t->rc; i++) {
    ns_tokens_reals(t, (size_t)cols, 0, row, name);
    for (int j = 0; j < cols; j++) M[(size_t)(j0 + j) * (size_t)n + (size_t)(i0 + i)] = row[j];
  }
}

/* M = [A C; D B] and q = [a; b]: k equalities, then complementarities. */
static void read_parts(ns_tokens *t, int n, int k, const double **M, const double **q)
{
  int m = n - k;
  ns_tokens_capacity(t, (size_t)n, (size_t)n + 1, "A, B, C, D, a and b");
  double *A = ns_tokens_get(t, (size_t)n * (size_t)n, sizeof *A),
         *a = ns_tokens_get(t, (size_t)n, sizeof *a);
  *M = A;
  *q = a;
  read_part(t, "A", A, n, 0, 0, k, k);
  read_part(t, "B", A, n, k, k, m, m);
  read_part(t, "C", A, n, 0, k, k, m);
  read_part(t, "D", A, n, k, 0, m, k);
  ns_tokens_reals(t, (size_t)k, 0, a, "a");
  ns_tokens_reals(t, (size_t)m, 0, a ? a + k : NULL, "b");
}

/* Where row i of the parts is in the rows of the first record: equalities first. */
static int *places(ns_tokens *t, const ns_avi *p, int equalities)
{
  int *at = ns_tokens_get(t, (size_t)p->n, sizeof *at), e = 0, k = equalities;
  for (int i = 0; at && i < p->n; i++) at[p->lb[i] == 0 ? k++ : e++] = i;
  return at;
}

/* Both records say the same problem; the first one counts. */
static void compare_records(ns_tokens *t, const ns_avi *p, int equalities, const double *M,
                            const double *q)
{
  const int *at = places(t, p, equalities);
  size_t n = at ? (size_t)p->n : 0, differ = 0;
  for (size_t i = 0; i < n; i++) differ += q[i] != p->q[at[i]];
  for (size_t j = 0; j < n && p->dense; j++)
    for (size_t i = 0; i < n; i++)
      differ += M[i + j * n] != p->dense[(size_t)at[i] + (size_t)at[j] * n];
  if (differ)
    ns_warn(t->c,
            "%s: the second record (A, B, C, D, a, b) differs from the first (M, q) in %zu "
            "numbers; the first one is used",
            t->file, differ);
}

/* A first record whose M is dense, but not n x n: passed over where the second one says the
 * problem. Its q has a number for each column. */
static int pass_over(ns_tokens *t, int n)
{
  ns_tokens look = *t;
  int head[3], line = 0;
  for (int k = 0; k < 3; k++) {
    if (!ns_tokens_next(&look) || !ns_tokens_as_integer(look.word, look.len, 0, INT_MAX, &head[k]))
      return 0;
    if (k == 0) line = look.line;
  }
  if (t->rc || head[0] != 0 || (head[1] == n && head[2] == n)) return 0;
  for (int k = 1; k < 3; k++) ns_tokens_integer(&look, head[k], head[k], "a size of M again");
  size_t rows = (size_t)head[1], cols = (size_t)head[2];
  ns_tokens_capacity(&look, rows, cols, "M");
  ns_tokens_vector(&look, rows * cols + cols, 0, "M and q");
  *t = look;
  if (!t->rc)
    ns_warn(t->c,
            "%s:%d: the first record has an M of %d x %d, which does not fit the sizes before it; "
            "the second record is used",
            t->file, line, head[1], head[2]);
  return 1;
}

static void read_mlcp(ns_tokens *t, ns_problem *p)
{
  const double *M = NULL, *q = NULL;
  int first = ns_tokens_integer(t, 0, 1, "the flag of the first record (M, q)");
  int second = ns_tokens_integer(t, first ? 0 : 1, 1,
                                 "the flag of the second record (A, B, C, D, a, b)");
  int equalities = ns_tokens_integer(t, 0, INT_MAX, "the number of equalities");
  int m = ns_tokens_integer(t, equalities ? 0 : 1, INT_MAX, "the number of complementarities");
  ns_tokens_capacity(t, (size_t)equalities + (size_t)m, 1, "q");
  if (t->rc) return;
  p->n = equalities + m;
  double *lb = filled(t, p->n, 0), *ub = filled(t, p->n, INFINITY);
  if (t->rc) return;
  p->box = (ns_avi){.n = p->n, .ld = p->n, .lb = lb, .ub = ub};
  ns_fill((size_t)equalities, -INFINITY, lb);
  if (first) read_kinds(t, p, equalities, lb, ub);
  if (first && second && pass_over(t, p->n)) {
    first = 0; /* its kinds, too: the parts have the equalities first */
    for (int i = 0; i < p->n; i++) lb[i] = i < equalities ? -INFINITY : 0;
  }
  if (first) read_map(t, p);
  if (!second) return;
  read_parts(t, p->n, equalities, &M, &q);
  if (first) {
    compare_records(t, &p->box, equalities, M, q);
    return;
  }
  p->box.dense = M;
  p->box.q = q;
}

/* ---- AVI on a polyhedron --------------------------------------------------------------------- */

/* M [n x n], q [n] */
static void read_affine(ns_tokens *t, int n, const double **M, const double **q)
{
  ns_matrix m;
  ns_matrix_read(t, "M", n, n, &m);
  *M = ns_matrix_dense(t, "M", &m);
  *q = ns_tokens_vector(t, (size_t)n, 0, "q");
}

static void read_avi(ns_tokens *t, ns_problem *p)
{
  ns_polyhedral *y = &p->polyhedron;
  ns_matrix h;
  read_n(t, p);
  y->n = p->n;
  read_affine(t, p->n, &y->M, &y->q);
  y->p = ns_tokens_integer(t, 1, INT_MAX,
                           "p, the number of rows of H (without the polyhedron: --family lcp)");
  ns_tokens_capacity(t, (size_t)y->p, 1, "k");
  ns_matrix_read(t, "H", y->p, y->n, &h);
  y->H = ns_matrix_dense(t, "H", &h);
  y->k = ns_tokens_vector(t, (size_t)y->p, 0, "k");
}

/* ---- cones ----------------------------------------------------------------------------------- */

/* Where the cones begin, and the end of the last one; their tau. */
static void read_cones(ns_tokens *t, ns_soclcp *y)
{
  int *first = ns_tokens_get(t, (size_t)y->nc, sizeof *first);
  y->first = first;
  for (int a = 0; a <= y->nc && !t->rc; a++) {
    int end = a == y->nc, min = a == 0 ? 0 : first[a - 1] + 1;
    first[a] = ns_tokens_integer(t, end ? y->n : min, a == 0 ? 0 : y->n,
                                 "the first row of a cone, at the end n");
    if (end && first[a] < min)
      ns_tokens_fail(t, "the last cone begins at row %d of %d, expected a row for it", first[a - 1],
                     y->n);
  }
  y->tau = ns_tokens_vector(t, (size_t)y->nc, 0, "tau");
  for (int a = 0; a < y->nc && !t->rc; a++)
    if (y->tau[a] < 0)
      ns_tokens_fail(t, "cone %d has tau = %.17g, expected a number of at least 0", a, y->tau[a]);
}

static void read_soclcp(ns_tokens *t, ns_problem *p)
{
  ns_soclcp *y = &p->cones;
  read_n(t, p);
  y->nc = ns_tokens_integer(t, 1, p->n, "nc, the number of cones");
  y->n = p->n;
  read_affine(t, p->n, &y->M, &y->q);
  read_cones(t, y);
}

static void read_fc2d(ns_tokens *t, ns_problem *p) { ns_read_friction(t, p, 2); }
static void read_fc3d(ns_tokens *t, ns_problem *p) { ns_read_friction(t, p, 3); }
static void read_fc(ns_tokens *t, ns_problem *p) { ns_read_friction(t, p, 0); }
static void read_rfc2d(ns_tokens *t, ns_problem *p) { ns_read_rolling(t, p, 3); }
static void read_rfc3d(ns_tokens *t, ns_problem *p) { ns_read_rolling(t, p, 5); }
static void read_rfc(ns_tokens *t, ns_problem *p) { ns_read_rolling(t, p, 0); }

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
