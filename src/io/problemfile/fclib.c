/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the arrays of a file to a problem: everything is checked here, whatever the file holds. */
#include "io/problemfile/fclib.h"

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

static int fail(const reading *r, const char *what, const char *want)
{
  return ns_fail(r->t.c, NS_MODEL, "%s: %s, expected %s", r->t.file, what, want);
}

static int no_memory(const reading *r) { return ns_nomem(r->t.c, "FCLIB problem"); }

/* ---- entries --------------------------------------------------------------------------------- */

/* Triplets of several matrices put side by side. */
typedef struct entries {
  int n, cap;
  int *i, *j;
  double *x;
} entries;

static int capacity(reading *r, entries *e, size_t n)
{
  *e = (entries){.cap = (int)n,
                 .i = ns_arena_get(r->t.arena, n + 1, sizeof *e->i),
                 .j = ns_arena_get(r->t.arena, n + 1, sizeof *e->j),
                 .x = ns_arena_get(r->t.arena, n + 1, sizeof *e->x)};
  return n < INT_MAX && e->i && e->j && e->x ? NS_OK : no_memory(r);
}

static int damaged(const reading *r, ns_fclib_part k, const char *what)
{
  return ns_fail(r->t.c, NS_MODEL, "%s: matrix %s: %s, expected arrays that match its sizes",
                 r->t.file, ns_fclib_matrix_names[k], what);
}

static int add(reading *r, ns_fclib_part k, entries *e, int i, int j, double x, int i0, int j0,
               int turned)
{
  const ns_fclib_matrix *A = &r->f->matrix[k];
  if (i < 0 || i >= A->m || j < 0 || j >= A->n)
    return damaged(r, k, "an entry is outside of the matrix");
  if (!isfinite(x)) return damaged(r, k, "a number is not finite");
  if (e->n == e->cap) return damaged(r, k, "more entries than its size allows");
  e->i[e->n] = (turned ? j : i) + i0;
  e->j[e->n] = (turned ? i : j) + j0;
  e->x[e->n++] = x;
  return NS_OK;
}

/* A, or its transpose, at (i0, j0). */
static int add_matrix(reading *r, ns_fclib_part k, entries *e, int i0, int j0, int turned)
{
  const ns_fclib_matrix *A = &r->f->matrix[k];
  int rc = NS_OK;
  if (A->nz >= 0) {
    if (A->np < (size_t)A->nz || A->ni < (size_t)A->nz || A->nx < (size_t)A->nz)
      return damaged(r, k, "its triplets are truncated");
    for (int a = 0; a < A->nz && !rc; a++)
      rc = add(r, k, e, A->i[a], A->p[a], A->x[a], i0, j0, turned);
    return rc;
  }
  int by_columns = A->nz == -1, lines = by_columns ? A->n : A->m;
  if (A->nz < -2) return damaged(r, k, "nz is below -2");
  if (A->np < (size_t)lines + 1 || A->p[0] != 0)
    return damaged(r, k, "p does not give the beginnings of the lines");
  for (int a = 0; a < lines && !rc; a++) {
    if (A->p[a + 1] < A->p[a] || (size_t)A->p[a + 1] > A->ni || (size_t)A->p[a + 1] > A->nx)
      return damaged(r, k, "p does not ascend");
    for (int b = A->p[a]; b < A->p[a + 1] && !rc; b++)
      rc = by_columns ? add(r, k, e, A->i[b], a, A->x[b], i0, j0, turned)
                      : add(r, k, e, a, A->i[b], A->x[b], i0, j0, turned);
  }
  return rc;
}

static size_t count(const reading *r, ns_fclib_part k)
{
  return r->f->matrix[k].present ? r->f->matrix[k].nx : 0;
}

static int check_size(const reading *r, ns_fclib_part k, int m, int n)
{
  const ns_fclib_matrix *A = &r->f->matrix[k];
  if (!A->present)
    return ns_fail(r->t.c, NS_MODEL, "%s: no matrix %s, expected one of %d x %d", r->t.file,
                   ns_fclib_matrix_names[k], m, n);
  if (A->m == m && A->n == n) return NS_OK;
  return ns_fail(r->t.c, NS_MODEL, "%s: matrix %s is %d x %d, expected %d x %d", r->t.file,
                 ns_fclib_matrix_names[k], A->m, A->n, m, n);
}

static int check_numbers(const reading *r, const char *group, const char *name,
                         const ns_fclib_vector *x, int n)
{
  if (!x->present || x->n != (size_t)n)
    return ns_fail(r->t.c, NS_MODEL, "%s: %s/%s has %zu numbers, expected %d", r->t.file, group,
                   name, x->present ? x->n : 0, n);
  for (int i = 0; i < n; i++)
    if (!isfinite(x->x[i]))
      return ns_fail(r->t.c, NS_MODEL, "%s: %s/%s: number %d is not finite", r->t.file, group, name,
                     i);
  return NS_OK;
}

static int check_vector(const reading *r, ns_fclib_list k, int n)
{
  return check_numbers(r, "vectors", ns_fclib_vector_names[k], &r->f->vector[k], n);
}

/* b behind a. */
static const double *joined(reading *r, const ns_fclib_vector *a, const ns_fclib_vector *b, int na,
                            int nb)
{
  double *x = ns_arena_get(r->t.arena, (size_t)na + (size_t)nb + 1, sizeof *x);
  if (x && na) memcpy(x, a->x, (size_t)na * sizeof *x);
  if (x && nb) memcpy(x + na, b->x, (size_t)nb * sizeof *x);
  return x;
}

/* Of the contacts, and of the equalities behind them. */
static int read_guess(reading *r, int rows, int e)
{
  const ns_fclib_solution *g = &r->f->guess;
  if (!g->r.present) return NS_OK;
  int rc = check_numbers(r, "guesses/1", "r", &g->r, rows);
  if (!rc && e) rc = check_numbers(r, "guesses/1", "l", &g->l, e);
  if (rc) return rc;
  return (r->p->guess = joined(r, &g->r, &g->l, rows, e)) ? NS_OK : no_memory(r);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

typedef struct layout {
  int d, nc, e; /* rows of a contact, contacts, equalities */
  int *first, *dim;
  unsigned char *kind;
  double *mu, *mu_rolling, *lb, *ub;
} layout;

/* One number a contact, none a block behind them. */
static int read_coefficients(reading *r, ns_fclib_list k, const layout *l, double **x)
{
  size_t nb = (size_t)l->nc + (size_t)l->e;
  int rc = check_vector(r, k, l->nc);
  if (!rc)
    rc = (k == NS_FCLIB_mu ? ns_check_mu : ns_check_mu_rolling)(&r->t, l->nc, r->f->vector[k].x);
  if (!rc && !(*x = ns_arena_zero(r->t.arena, nb + 1, sizeof **x))) return no_memory(r);
  if (!rc && l->nc) memcpy(*x, r->f->vector[k].x, (size_t)l->nc * sizeof **x);
  return rc;
}

/* Contacts, then an equality a block; where all are friction there are no kinds, without equalities
 * no bounds. */
static int lay_out(reading *r, int rows, int equalities, layout *l)
{
  int d = r->f->spacedim, rolling = r->f->rolling;
  if (!rolling && d != 2 && d != 3)
    return fail(r, "spacedim is neither 2 nor 3", "contacts with friction only");
  if (rolling && d != 3 && d != 5)
    return fail(r, "spacedim is neither 3 nor 5", "the rows of contacts with rolling friction");
  if (rows % d)
    return fail(r, "the number of rows is not a multiple of spacedim", "whole contacts");
  *l = (layout){.d = d, .nc = rows / d, .e = equalities};
  int rc = read_coefficients(r, NS_FCLIB_mu, l, &l->mu);
  if (!rc && rolling) rc = read_coefficients(r, NS_FCLIB_mu_r, l, &l->mu_rolling);
  if (!rc) rc = ns_friction_sizes(&r->t, d, l->nc, equalities, &l->first, &l->dim);
  if (rc) return rc;
  size_t nb = (size_t)l->nc + (size_t)equalities, m = (size_t)rows + (size_t)equalities;
  if (!equalities && !rolling) return NS_OK;
  if (!(l->kind = ns_arena_zero(r->t.arena, nb + 1, 1))) return no_memory(r);
  if (rolling) memset(l->kind, NS_BLOCK_ROLLING, (size_t)l->nc);
  if (!equalities) return NS_OK;
  l->lb = ns_arena_zero(r->t.arena, m, sizeof *l->lb);
  l->ub = ns_arena_zero(r->t.arena, m, sizeof *l->ub);
  if (!l->lb || !l->ub) return no_memory(r);
  memset(l->kind + l->nc, NS_BLOCK_BOX, (size_t)equalities);
  for (size_t i = (size_t)rows; i < m; i++) {
    l->lb[i] = -INFINITY;
    l->ub[i] = INFINITY;
  }
  return NS_OK;
}

static int read_local(reading *r)
{
  const ns_fclib *f = r->f;
  ns_mechanical *p = &r->p->mechanical;
  int rows = f->matrix[NS_FCLIB_W].m,
      e = f->matrix[NS_FCLIB_R].present ? f->matrix[NS_FCLIB_R].m : 0, rc;
  entries x;
  layout l;
  ns_matrix_rows W;
  if ((rc = check_size(r, NS_FCLIB_W, rows, rows)) || (rc = check_vector(r, NS_FCLIB_q, rows)))
    return rc;
  if (e && ((rc = check_size(r, NS_FCLIB_R, e, e)) || (rc = check_size(r, NS_FCLIB_V, rows, e)) ||
            (rc = check_vector(r, NS_FCLIB_s, e))))
    return rc;
  if ((rc = lay_out(r, rows, e, &l))) return rc;
  if ((rc = capacity(r, &x,
                     count(r, NS_FCLIB_W) + 2 * count(r, NS_FCLIB_V) + count(r, NS_FCLIB_R))))
    return rc;
  rc = add_matrix(r, NS_FCLIB_W, &x, 0, 0, 0);
  if (!rc && e) rc = add_matrix(r, NS_FCLIB_V, &x, 0, rows, 0);
  if (!rc && e) rc = add_matrix(r, NS_FCLIB_V, &x, rows, 0, 1);
  if (!rc && e) rc = add_matrix(r, NS_FCLIB_R, &x, rows, rows, 0);
  if (!rc) rc = ns_matrix_rows_triplets(&r->t, rows + e, rows + e, x.n, x.i, x.j, x.x, &W);
  if (!rc) rc = ns_matrix_rows_partition(&r->t, &W, l.nc + e, l.first, &p->W);
  if (rc) return rc;
  r->p->family = ns_problem_family_find(l.d == 2 ? "fc2d" : "fc3d");
  r->p->n = rows + e;
  *p = (ns_mechanical){.W = p->W,
                       .q = joined(r, &f->vector[NS_FCLIB_q], &f->vector[NS_FCLIB_s], rows, e),
                       .kind = l.kind,
                       .mu = l.mu,
                       .lb = l.lb,
                       .ub = l.ub};
  return p->q ? read_guess(r, rows, e) : no_memory(r);
}

static int read_global(reading *r)
{
  const ns_fclib *f = r->f;
  ns_global *p = &r->p->global;
  int n = f->matrix[NS_FCLIB_M].m, rows = f->matrix[NS_FCLIB_H].n,
      e = f->matrix[NS_FCLIB_G].present ? f->matrix[NS_FCLIB_G].n : 0, rc;
  entries x, y;
  layout l;
  ns_matrix_rows M, H;
  if ((rc = check_size(r, NS_FCLIB_M, n, n)) || (rc = check_size(r, NS_FCLIB_H, n, rows)))
    return rc;
  if ((rc = check_vector(r, NS_FCLIB_f, n)) || (rc = check_vector(r, NS_FCLIB_w, rows))) return rc;
  if (e && ((rc = check_size(r, NS_FCLIB_G, n, e)) || (rc = check_vector(r, NS_FCLIB_b, e))))
    return rc;
  if ((rc = lay_out(r, rows, e, &l)) || (rc = capacity(r, &x, count(r, NS_FCLIB_M)))) return rc;
  if ((rc = capacity(r, &y, count(r, NS_FCLIB_H) + count(r, NS_FCLIB_G)))) return rc;
  rc = add_matrix(r, NS_FCLIB_M, &x, 0, 0, 0);
  if (!rc) rc = add_matrix(r, NS_FCLIB_H, &y, 0, 0, 1);
  if (!rc && e) rc = add_matrix(r, NS_FCLIB_G, &y, rows, 0, 1);
  if (!rc) rc = ns_matrix_rows_triplets(&r->t, n, n, x.n, x.i, x.j, x.x, &M);
  if (!rc) rc = ns_matrix_rows_triplets(&r->t, rows + e, n, y.n, y.i, y.j, y.x, &H);
  if (!rc) rc = ns_matrix_rows_scalars(&r->t, &M, &p->M);
  if (rc) return rc;
  r->p->family = ns_problem_family_find(f->rolling ? "grfc" : "gfc");
  r->p->n = rows + e;
  *p = (ns_global){.M = p->M,
                   .q = joined(r, &f->vector[NS_FCLIB_f], NULL, n, 0),
                   .row = H.row,
                   .col = H.col,
                   .val = H.val,
                   .b = joined(r, &f->vector[NS_FCLIB_w], &f->vector[NS_FCLIB_b], rows, e),
                   .nb = l.nc + e,
                   .m = rows + e,
                   .dim = l.dim,
                   .first = l.first,
                   .kind = l.kind,
                   .mu = l.mu,
                   .mu_rolling = l.mu_rolling,
                   .lb = l.lb,
                   .ub = l.ub};
  return p->q && p->b ? read_guess(r, rows, e) : no_memory(r);
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
    rc = f.global ? read_global(&r) : read_local(&r);
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
