/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the arrays of a file to a problem: everything is checked here, whatever the file holds. */
#include "io/problemfile/fclib.h"

#include "algebra/vector.h"
#include "base/grow.h"
#include "io/hdf5_module.h"
#include "io/problemfile/problem_file_friction.h"

#include <limits.h>
#include <math.h>
#include <string.h>

const char *const ns_fclib_matrix_names[] = {"W", "V", "R", "M", "H", "G"};
const char *const ns_fclib_vector_names[] = {"q", "s", "f", "w", "b", "mu", "mu_r"};

int ns_fclib_is(const char *text, size_t n)
{
  return n >= 8 && !memcmp(text, "\x89HDF\r\n\x1a\n", 8);
}

typedef struct reading {
  ns_tokens t; /* context, arena and name of the file; no text */
  const ns_fclib *f;
  ns_problem *p;
} reading;

/* The first one is reported, and stays in r->t.rc. */
static void fail(reading *r, const char *fmt, ...) NS_PRINTF(2, 3);
static void fail(reading *r, const char *fmt, ...)
{
  char text[400];
  NS_FORMAT(text, fmt);
  if (!r->t.rc) r->t.rc = ns_fail(r->t.c, NS_MODEL, "%s: %s", r->t.file, text);
}

/* ---- entries --------------------------------------------------------------------------------- */

/* Triplets of several matrices put side by side. */
typedef struct entries {
  int n, cap;
  int *i, *j;
  double *x;
} entries;

static entries capacity(reading *r, size_t n)
{
  if (n >= INT_MAX && !r->t.rc) r->t.rc = ns_nomem(r->t.c, "FCLIB problem");
  return (entries){.cap = (int)n,
                   .i = ns_tokens_get(&r->t, n, sizeof(int)),
                   .j = ns_tokens_get(&r->t, n, sizeof(int)),
                   .x = ns_tokens_get(&r->t, n, sizeof(double))};
}

static void damaged(reading *r, ns_fclib_part k, const char *what)
{
  fail(r, "matrix %s: %s, expected arrays that match its sizes", ns_fclib_matrix_names[k], what);
}

static void add(reading *r, ns_fclib_part k, entries *e, int i, int j, double x, int i0, int j0,
                int turned)
{
  const ns_fclib_matrix *A = &r->f->matrix[k];
  if (i < 0 || i >= A->m || j < 0 || j >= A->n) damaged(r, k, "an entry is outside of the matrix");
  if (!isfinite(x)) damaged(r, k, "a number is not finite");
  if (e->n == e->cap) damaged(r, k, "more entries than its size allows");
  if (r->t.rc) return;
  e->i[e->n] = (turned ? j : i) + i0;
  e->j[e->n] = (turned ? i : j) + j0;
  e->x[e->n++] = x;
}

/* A, or its transpose, at (i0, j0). */
static void add_matrix(reading *r, ns_fclib_part k, entries *e, int i0, int j0, int turned)
{
  const ns_fclib_matrix *A = &r->f->matrix[k];
  int triplets = A->nz >= 0, by_columns = A->nz == -1, lines = by_columns ? A->n : A->m;
  if (triplets && (A->np < (size_t)A->nz || A->ni < (size_t)A->nz || A->nx < (size_t)A->nz))
    damaged(r, k, "its triplets are truncated");
  if (A->nz < -2) damaged(r, k, "nz is below -2");
  if (!triplets && (A->np < (size_t)lines + 1 || A->p[0] != 0))
    damaged(r, k, "p does not give the beginnings of the lines");
  for (int a = 0; a < A->nz && !r->t.rc; a++)
    add(r, k, e, A->i[a], A->p[a], A->x[a], i0, j0, turned);
  for (int a = 0; a < lines && !triplets && !r->t.rc; a++) {
    if (A->p[a + 1] < A->p[a] || (size_t)A->p[a + 1] > A->ni || (size_t)A->p[a + 1] > A->nx)
      damaged(r, k, "p does not ascend");
    for (int b = A->p[a]; b < A->p[a + 1] && !r->t.rc; b++)
      add(r, k, e, by_columns ? A->i[b] : a, by_columns ? a : A->i[b], A->x[b], i0, j0, turned);
  }
}

static size_t count(const reading *r, ns_fclib_part k)
{
  return r->f->matrix[k].present ? r->f->matrix[k].nx : 0;
}

static void check_size(reading *r, ns_fclib_part k, int m, int n)
{
  const ns_fclib_matrix *A = &r->f->matrix[k];
  if (!A->present) fail(r, "no matrix %s, expected one of %d x %d", ns_fclib_matrix_names[k], m, n);
  else if (A->m != m || A->n != n)
    fail(r, "matrix %s is %d x %d, expected %d x %d", ns_fclib_matrix_names[k], A->m, A->n, m, n);
}

/* n finite numbers. */
static void check_numbers(reading *r, const char *group, const char *name, const ns_fclib_vector *v,
                          int n)
{
  if (!v->present || v->n != (size_t)n)
    fail(r, "%s/%s has %zu numbers, expected %d", group, name, v->present ? v->n : 0, n);
  for (int i = 0; i < n && !r->t.rc; i++)
    if (!isfinite(v->x[i])) fail(r, "%s/%s: number %d is not finite", group, name, i);
}

static void check_vector(reading *r, ns_fclib_list k, int n)
{
  check_numbers(r, "vectors", ns_fclib_vector_names[k], &r->f->vector[k], n);
}

/* m numbers, those of e equalities behind them; all of them were checked. */
static double *joined(reading *r, const ns_fclib_vector *a, int m, const ns_fclib_vector *b, int e)
{
  double *x = r->t.rc ? NULL : ns_tokens_get(&r->t, (size_t)m + (size_t)e, sizeof *x);
  if (x && m) memcpy(x, a->x, (size_t)m * sizeof *x);
  if (x && b && e) memcpy(x + m, b->x, (size_t)e * sizeof *x);
  return x;
}

static const double *read_vectors(reading *r, ns_fclib_list a, int m, ns_fclib_list b, int e)
{
  check_vector(r, a, m);
  if (e) check_vector(r, b, e);
  return joined(r, &r->f->vector[a], m, &r->f->vector[b], e);
}

/* Of the contacts, and of the equalities behind them. */
static void read_guess(reading *r, int rows, int e)
{
  const ns_fclib_solution *g = &r->f->guess;
  if (!g->r.present) return;
  check_numbers(r, "guesses/1", "r", &g->r, rows);
  if (e) check_numbers(r, "guesses/1", "l", &g->l, e);
  r->p->guess = joined(r, &g->r, rows, &g->l, e);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

typedef struct layout {
  int d, nc, e; /* rows of a contact, contacts, equalities */
  int *first, *dim;
  unsigned char *kind;
  double *mu, *mu_rolling, *lb, *ub;
} layout;

/* One number a contact, none a block behind them. */
static double *coefficients(reading *r, ns_fclib_list k, const layout *l)
{
  check_vector(r, k, l->nc);
  double *x = joined(r, &r->f->vector[k], l->nc, NULL, l->e);
  (k == NS_FCLIB_mu ? ns_check_mu : ns_check_mu_rolling)(&r->t, l->nc, x);
  return x;
}

/* Contacts, then an equality a block; where all are friction there are no kinds, without equalities
 * no bounds. */
static layout lay_out(reading *r, int rows, int equalities)
{
  int d = r->f->spacedim, rolling = r->f->rolling;
  if (!rolling && d != 2 && d != 3)
    fail(r, "spacedim is neither 2 nor 3, expected contacts with friction only");
  if (rolling && d != 3 && d != 5)
    fail(r, "spacedim is neither 3 nor 5, expected the rows of contacts with rolling friction");
  if (!r->t.rc && rows % d)
    fail(r, "the number of rows is not a multiple of spacedim, expected whole contacts");
  layout l = {.d = d, .nc = r->t.rc ? 0 : rows / d, .e = equalities};
  size_t nb = (size_t)l.nc + (size_t)equalities, m = (size_t)rows + (size_t)equalities;
  l.mu = coefficients(r, NS_FCLIB_mu, &l);
  if (rolling) l.mu_rolling = coefficients(r, NS_FCLIB_mu_r, &l);
  ns_friction_sizes(&r->t, d, l.nc, equalities, &l.first, &l.dim);
  if (equalities || rolling) l.kind = ns_tokens_get(&r->t, nb, 1);
  if (rolling && l.kind) memset(l.kind, NS_BLOCK_ROLLING, (size_t)l.nc);
  if (!equalities) return l;
  l.lb = ns_tokens_get(&r->t, m, sizeof *l.lb);
  l.ub = ns_tokens_get(&r->t, m, sizeof *l.ub);
  if (r->t.rc) return l;
  memset(l.kind + l.nc, NS_BLOCK_BOX, (size_t)equalities);
  ns_fill((size_t)equalities, -INFINITY, l.lb + rows);
  ns_fill((size_t)equalities, INFINITY, l.ub + rows);
  return l;
}

static void read_local(reading *r)
{
  const ns_fclib *f = r->f;
  ns_tokens *t = &r->t;
  int rows = f->matrix[NS_FCLIB_W].m,
      e = f->matrix[NS_FCLIB_R].present ? f->matrix[NS_FCLIB_R].m : 0;
  check_size(r, NS_FCLIB_W, rows, rows);
  if (e) check_size(r, NS_FCLIB_R, e, e);
  if (e) check_size(r, NS_FCLIB_V, rows, e);
  const double *q = read_vectors(r, NS_FCLIB_q, rows, NS_FCLIB_s, e);
  layout l = lay_out(r, rows, e);
  entries x = capacity(r, count(r, NS_FCLIB_W) + 2 * count(r, NS_FCLIB_V) + count(r, NS_FCLIB_R));
  add_matrix(r, NS_FCLIB_W, &x, 0, 0, 0);
  if (e) {
    add_matrix(r, NS_FCLIB_V, &x, 0, rows, 0);
    add_matrix(r, NS_FCLIB_V, &x, rows, 0, 1);
    add_matrix(r, NS_FCLIB_R, &x, rows, rows, 0);
  }
  ns_matrix_rows W = ns_matrix_rows_triplets(t, rows + e, rows + e, x.n, x.i, x.j, x.x, 0);
  r->p->family = ns_problem_family_find(l.d == 2 ? "fc2d" : "fc3d");
  r->p->n = rows + e;
  r->p->mechanical = (ns_mechanical){.W = ns_matrix_rows_partition(t, &W, l.nc + e, l.first, 1),
                                     .q = q,
                                     .kind = l.kind,
                                     .mu = l.mu,
                                     .lb = l.lb,
                                     .ub = l.ub};
  read_guess(r, rows, e);
}

static void read_global(reading *r)
{
  const ns_fclib *f = r->f;
  ns_tokens *t = &r->t;
  int n = f->matrix[NS_FCLIB_M].m, rows = f->matrix[NS_FCLIB_H].n,
      e = f->matrix[NS_FCLIB_G].present ? f->matrix[NS_FCLIB_G].n : 0;
  check_size(r, NS_FCLIB_M, n, n);
  check_size(r, NS_FCLIB_H, n, rows);
  if (e) check_size(r, NS_FCLIB_G, n, e);
  const double *q = read_vectors(r, NS_FCLIB_f, n, NS_FCLIB_f, 0),
               *b = read_vectors(r, NS_FCLIB_w, rows, NS_FCLIB_b, e);
  layout l = lay_out(r, rows, e);
  entries x = capacity(r, count(r, NS_FCLIB_M)),
          y = capacity(r, count(r, NS_FCLIB_H) + count(r, NS_FCLIB_G));
  add_matrix(r, NS_FCLIB_M, &x, 0, 0, 0);
  add_matrix(r, NS_FCLIB_H, &y, 0, 0, 1);
  if (e) add_matrix(r, NS_FCLIB_G, &y, rows, 0, 1);
  ns_matrix_rows M = ns_matrix_rows_triplets(t, n, n, x.n, x.i, x.j, x.x, 0),
                 H = ns_matrix_rows_triplets(t, rows + e, n, y.n, y.i, y.j, y.x, 0);
  r->p->family = ns_problem_family_find(f->rolling ? "grfc" : "gfc");
  r->p->n = rows + e;
  r->p->global = (ns_global){.M = ns_matrix_rows_scalars(t, &M),
                             .q = q,
                             .row = H.row,
                             .col = H.col,
                             .val = H.val,
                             .b = b,
                             .nb = l.nc + e,
                             .m = rows + e,
                             .dim = l.dim,
                             .first = l.first,
                             .kind = l.kind,
                             .mu = l.mu,
                             .mu_rolling = l.mu_rolling,
                             .lb = l.lb,
                             .ub = l.ub};
  read_guess(r, rows, e);
}

int ns_fclib_problem(ns_ctx *c, const char *path, const ns_problem_family *family, ns_problem **out)
{
  ns_fclib f = {0};
  *out = NULL;
  const ns_hdf5_module *m = ns_hdf5_module_load(c, NS_NOINPUT);
  if (!m) return c->rc;
  ns_arena *a = ns_arena_create(0, 1);
  ns_problem *p = a ? ns_arena_zero(a, 1, sizeof *p) : NULL;
  reading r = {.t = {.c = c, .arena = a, .file = path}, .f = &f, .p = p};
  int rc = p ? m->fclib_read(c, path, a, &f) : ns_nomem(c, "FCLIB problem");
  if (!rc) {
    *p = (ns_problem){.by = "by its content", .arena = a};
    (f.global ? read_global : read_local)(&r);
    rc = r.t.rc;
  }
  if (!rc && family && family != p->family &&
      !(p->family->form == NS_PROBLEM_MECHANICAL && !strcmp(family->name, "fc")))
    rc = ns_fail(c, NS_MODEL, "%s: is a %s problem, expected %s as --family says", path,
                 p->family->title, family->title);
  if (rc) ns_arena_destroy(a);
  else *out = p;
  return rc;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Contacts of one kind first, then equalities a row each; -1 where there is anything else. */
static int equalities_of(int nb, const int *dim, const unsigned char *kind, const double *lb,
                         const double *ub, const int *first, int *d)
{
  int e = 0, what = kind && nb && kind[0] != NS_BLOCK_BOX ? kind[0] : NS_BLOCK_FRICTION;
  *d = nb && (!kind || kind[0] == what) ? dim[0] : 3;
  for (int a = 0; a < nb; a++) {
    if (!kind || kind[a] == what) {
      if (e || dim[a] != *d) return -1;
      continue;
    }
    if (kind[a] != NS_BLOCK_BOX) return -1;
    for (int i = first[a]; i < first[a + 1]; i++, e++)
      if (lb[i] != -INFINITY || ub[i] != INFINITY) return -1;
  }
  return e;
}

/* Part of a matrix by rows, [i0, i1) x [j0, j1), as triplets. */
typedef struct part {
  ns_arena *a;
  int rows;
  const int *row, *col;
  const double *val;
} part;

static int cut(const part *s, int i0, int i1, int j0, int j1, int turned, ns_fclib_matrix *out)
{
  size_t n = 0, k = 0;
  for (int i = i0; i < i1; i++)
    for (int e = s->row[i]; e < s->row[i + 1]; e++) n += s->col[e] >= j0 && s->col[e] < j1;
  *out = (ns_fclib_matrix){.present = 1,
                           .m = turned ? j1 - j0 : i1 - i0,
                           .n = turned ? i1 - i0 : j1 - j0,
                           .nz = (int)n,
                           .nzmax = (int)n,
                           .np = n,
                           .ni = n,
                           .nx = n,
                           .p = ns_arena_get(s->a, n + 1, sizeof *out->p),
                           .i = ns_arena_get(s->a, n + 1, sizeof *out->i),
                           .x = ns_arena_get(s->a, n + 1, sizeof *out->x)};
  if (!out->p || !out->i || !out->x) return 0;
  for (int i = i0; i < i1; i++)
    for (int e = s->row[i]; e < s->row[i + 1]; e++) {
      if (s->col[e] < j0 || s->col[e] >= j1) continue;
      out->i[k] = turned ? s->col[e] - j0 : i - i0;
      out->p[k] = turned ? i - i0 : s->col[e] - j0;
      out->x[k++] = s->val[e];
    }
  return 1;
}

/* W in blocks, by scalar rows. */
static int rows_of_blocks(ns_arena *a, const ns_blocks *W, part *s)
{
  size_t n = 0, at = 0;
  for (int i = 0; i < W->nb; i++)
    for (int k = W->row[i]; k < W->row[i + 1]; k++)
      n += (size_t)W->dim[i] * (size_t)W->dim[W->col[k]];
  int *row = ns_arena_zero(a, (size_t)W->m + 1, sizeof *row),
      *col = ns_arena_get(a, n + 1, sizeof *col);
  double *val = ns_arena_get(a, n + 1, sizeof *val);
  if (n > INT_MAX || !row || !col || !val) return 0;
  for (int i = 0; i < W->nb; i++)
    for (int l = 0; l < W->dim[i]; l++) {
      for (int k = W->row[i]; k < W->row[i + 1]; k++)
        for (int j = 0, b = W->col[k]; j < W->dim[b]; j++, at++) {
          col[at] = W->first[b] + j;
          val[at] = W->val[W->off[k] + (size_t)(l + j * W->dim[i])];
        }
      row[W->first[i] + l + 1] = (int)at;
    }
  *s = (part){a, W->m, row, col, val};
  return 1;
}

static ns_fclib_vector vector(size_t n, const double *x)
{
  ns_fclib_vector v = {.present = 1, .n = n};
  if (x) memcpy(&v.x, &x, sizeof x); /* is not written to */
  return v;
}

static int put_local(ns_arena *a, const ns_mechanical *p, int e, ns_fclib *f)
{
  part s;
  int rows = p->W->m - e;
  if (!rows_of_blocks(a, p->W, &s) || !cut(&s, 0, rows, 0, rows, 0, &f->matrix[NS_FCLIB_W]))
    return 0;
  f->vector[NS_FCLIB_q] = vector((size_t)rows, p->q);
  if (!e) return 1;
  f->vector[NS_FCLIB_s] = vector((size_t)e, p->q + rows);
  return cut(&s, 0, rows, rows, rows + e, 0, &f->matrix[NS_FCLIB_V]) &&
         cut(&s, rows, rows + e, rows, rows + e, 0, &f->matrix[NS_FCLIB_R]);
}

static int put_global(ns_arena *a, const ns_global *p, int e, ns_fclib *f)
{
  part M = {a, p->M->m, p->M->row, p->M->col, p->M->val}, H = {a, p->m, p->row, p->col, p->val};
  int rows = p->m - e, n = p->M->m;
  f->global = 1;
  if (!cut(&M, 0, n, 0, n, 0, &f->matrix[NS_FCLIB_M]) ||
      !cut(&H, 0, rows, 0, n, 1, &f->matrix[NS_FCLIB_H]))
    return 0;
  f->vector[NS_FCLIB_f] = vector((size_t)n, p->q);
  f->vector[NS_FCLIB_w] = vector((size_t)rows, p->b);
  if (!e) return 1;
  f->vector[NS_FCLIB_b] = vector((size_t)e, p->b + rows);
  return cut(&H, rows, rows + e, 0, n, 1, &f->matrix[NS_FCLIB_G]);
}

/* r holds what belongs to the e equalities behind the contacts. */
static ns_fclib_solution put_solution(const ns_problem *p, int e, const double *r, const double *u,
                                      const double *v)
{
  size_t rows = (size_t)(p->n - e);
  ns_fclib_solution s = {.r = vector(rows, r), .u = vector(rows, u)};
  if (p->family->form == NS_PROBLEM_GLOBAL) s.v = vector((size_t)p->global.M->m, v);
  if (e) s.l = vector((size_t)e, r + rows);
  return s;
}

/* The guess says nothing of velocities, which other readers want: zeros. */
static int put_guess(ns_arena *a, const ns_problem *p, int e, ns_fclib *f)
{
  size_t n = p->family->form == NS_PROBLEM_GLOBAL ? (size_t)p->global.M->m : 0;
  const double *zero = p->guess ? ns_arena_zero(a, n + (size_t)p->n + 1, sizeof *zero) : NULL;
  if (zero) f->guess = put_solution(p, e, p->guess, zero, zero);
  return !p->guess || zero;
}

int ns_fclib_write(ns_ctx *c, const char *path, const ns_problem *p, const char *description,
                   const double *r, const double *u, const double *v)
{
  const ns_mechanical *l = &p->mechanical;
  const ns_global *g = &p->global;
  int global = p->family->form == NS_PROBLEM_GLOBAL, e, d;
  if (!global && p->family->form != NS_PROBLEM_MECHANICAL)
    return ns_fail(c, NS_MODEL,
                   "%s: FCLIB stores contact problems with friction, not %s problems; expected a "
                   "name that ends in .dat",
                   path, p->family->title);
  e = global ? equalities_of(g->nb, g->dim, g->kind, g->lb, g->ub, g->first, &d)
             : equalities_of(l->W->nb, l->W->dim, l->kind, l->lb, l->ub, l->W->first, &d);
  if (e < 0)
    return ns_fail(
        c, NS_MODEL,
        "%s: FCLIB stores contacts followed by equalities only; expected a name that ends in .dat",
        path);
  const unsigned char *kind = global ? g->kind : l->kind;
  int rolling = p->n > e && kind && kind[0] == NS_BLOCK_ROLLING;
  if (rolling && !global)
    return ns_fail(c, NS_MODEL,
                   "%s: FCLIB stores rolling friction only with the velocities of the bodies; "
                   "expected a name that ends in .dat",
                   path);
  const ns_hdf5_module *m = ns_hdf5_module_load(c, NS_NOCREATE);
  if (!m) return c->rc;
  ns_arena *a = ns_arena_create(0, 1);
  ns_fclib f = {.rolling = rolling,
                .spacedim = d,
                .title = "written by nssim " NS_VERSION,
                .description = description};
  int rc = a && (global ? put_global(a, g, e, &f) : put_local(a, l, e, &f)) &&
                   put_guess(a, p, e, &f)
               ? NS_OK
               : ns_nomem(c, "FCLIB problem");
  if (!rc) {
    f.vector[NS_FCLIB_mu] = vector((size_t)(p->n - e) / (size_t)d, global ? g->mu : l->mu);
    if (rolling) f.vector[NS_FCLIB_mu_r] = vector((size_t)(p->n - e) / (size_t)d, g->mu_rolling);
    if (r) f.solution = put_solution(p, e, r, u, v);
    rc = m->fclib_write(c, path, &f);
  }
  ns_arena_destroy(a);
  return rc;
}
