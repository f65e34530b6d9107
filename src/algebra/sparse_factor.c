/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/sparse_factor.h"

#include "base/arena.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <suitesparse/amd.h>
#include <suitesparse/ldl.h>

struct ns_sparse_factor {
  ns_arena *arena;
  int n;                  /* rows of the structure */
  int symmetric, natural; /* natural: order is the identity */
  int capacity;           /* entries in Ai */
  int fill;               /* entries in Li */
  int *order;             /* row at each place of the elimination [n] */
  int *place;             /* its inverse [n] */
  uint64_t *bit;          /* places kept [n/64 + 1] */
  int *at;                /* row of A at a kept place [n] */

  /* The matrix kept, in the order of elimination: ns columns, strictly upper entries; for the
   * non-symmetric one entry (i,k) of column k holds B_ki in lower and B_ik in upper. */
  int ns;
  int *prow;             /* row of A of column k [n] */
  int *pos;              /* column of row r of A, -1 where left out [n] */
  int *Ap, *Ai;          /* [n+1], [room] */
  double *lower, *upper; /* [room]; the same where symmetric */
  double *diag;          /* [n] */
  int *block;            /* block row of each row of A [n] */

  int *Lp, *parent, *Lnz, *flag, *pattern; /* [n+1], [n] ... */
  int *Li;                                 /* [fill] */
  double *Lx, *Ux;                         /* [fill]; the same where symmetric */
  double *D;                               /* reciprocals of the pivots [n] */
  double *x, *y;                           /* scratch [n] */
  int *next;                               /* scratch [n+1] */
};

/* Entries of scalar row r of A as a run of blocks: A, the row's block row i and its offset in it.
 */
typedef struct entries {
  int k, end; /* blocks still to come */
  int m, local;
} entries;

static void set_blocks_of_rows(ns_sparse_factor *f, const ns_blocks *A)
{
  if (A->nb == A->m) return;
  for (int i = 0; i < A->nb; i++)
    for (int r = A->first[i]; r < A->first[i + 1]; r++) f->block[r] = i;
}

static entries row_of(const ns_sparse_factor *f, const ns_blocks *A, int r)
{
  int i = A->nb == A->m ? r : f->block[r];
  return (entries){.k = A->row[i], .end = A->row[i + 1], .m = A->dim[i], .local = r - A->first[i]};
}

/* Which rows stay and in which order: ns, prow, pos. */
static void select_rows(ns_sparse_factor *f, int m, const int *row, const unsigned char *keep)
{
  int ns = 0;
  if (f->natural) { /* row ascends */
    for (int r = 0; r < m; r++) {
      f->pos[r] = -1;
      if (!keep || keep[r]) {
        f->pos[r] = ns;
        f->prow[ns++] = r;
      }
    }
    f->ns = ns;
    return;
  }
  size_t words = (size_t)f->n / 64 + 1;
  memset(f->bit, 0, words * sizeof *f->bit);
  for (int r = 0; r < m; r++) {
    f->pos[r] = -1;
    if (keep && !keep[r]) continue;
    int t = f->place[row ? row[r] : r];
    f->at[t] = r;
    f->bit[t / 64] |= (uint64_t)1 << (t % 64);
  }
  for (size_t v = 0; v < words; v++)
    for (uint64_t b = f->bit[v]; b; b &= b - 1) {
      int r = f->at[v * 64 + (size_t)__builtin_ctzll(b)];
      f->pos[r] = ns;
      f->prow[ns++] = r;
    }
  f->ns = ns;
}

/* One entry of B = diag(scale) A + diag(add); 0 while only structure is wanted. */
static double entry(const ns_blocks *A, size_t at, double s) { return A->val ? s * A->val[at] : 0; }

/* Columns of the symmetric B, read as rows. 0, or -1 where there is no room. */
static int gather_symmetric(ns_sparse_factor *f, const ns_blocks *A, const double *add)
{
  int p = 0;
  for (int k = 0; k < f->ns; k++) {
    int r = f->prow[k];
    double d = add ? add[r] : 0;
    f->Ap[k] = p;
    for (entries e = row_of(f, A, r); e.k < e.end; e.k++) {
      int j = A->col[e.k], c = A->first[j];
      size_t at = A->val ? A->off[e.k] + (size_t)e.local : 0;
      for (int stop = c + A->dim[j]; c < stop; c++, at += (size_t)e.m) {
        int i = f->pos[c];
        if (i < 0 || i > k) continue;
        double v = entry(A, at, 1);
        if (i == k) d += v;
        else {
          if (p >= f->capacity) return -1;
          f->Ai[p] = i;
          f->upper[p++] = v;
        }
      }
    }
    f->diag[k] = d;
  }
  f->Ap[f->ns] = p;
  return 0;
}

/* Scalar matrices, the common and the largest case. */
static int gather_scalar(ns_sparse_factor *f, const ns_blocks *A, const double *add)
{
  int p = 0;
  const int *pos = f->pos;
  for (int k = 0; k < f->ns; k++) {
    int r = f->prow[k];
    double d = add ? add[r] : 0;
    f->Ap[k] = p;
    if (p > f->capacity - 1 - (A->row[r + 1] - A->row[r])) return -1;
    for (int e = A->row[r]; e < A->row[r + 1]; e++) {
      int i = pos[A->col[e]];
      if (i < 0 || i > k) continue;
      if (i == k) d += A->val[e];
      else {
        f->Ai[p] = i;
        f->upper[p++] = A->val[e];
      }
    }
    f->diag[k] = d;
  }
  f->Ap[f->ns] = p;
  return 0;
}

/* Row k of a non-symmetric B = s A + d: its diagonal, and its other entries, which are counted or
 * put in their places: entry (k,i) with i < k goes to column k as lower, with i > k to column i as
 * upper. */
static void gather_row(ns_sparse_factor *f, const ns_blocks *A, int k, double s, double d,
                       int counts)
{
  for (entries e = row_of(f, A, f->prow[k]); e.k < e.end; e.k++) {
    int j = A->col[e.k], c = A->first[j];
    size_t at = A->val ? A->off[e.k] + (size_t)e.local : 0;
    for (int stop = c + A->dim[j]; c < stop; c++, at += (size_t)e.m) {
      int i = f->pos[c];
      if (i < 0) continue;
      double v = entry(A, at, s);
      if (i == k) {
        d += v;
        continue;
      }
      int to = f->next[i < k ? k : i]++;
      if (counts) continue;
      f->Ai[to] = i < k ? i : k;
      f->lower[to] = i < k ? v : 0;
      f->upper[to] = i < k ? 0 : v;
    }
  }
  f->diag[k] = d;
}

/* Columns begin where those before them, counted in f->next, end. -1 where there is no room. */
static int place_columns(ns_sparse_factor *f)
{
  int p = 0;
  for (int k = 0; k < f->ns; k++) {
    int count = f->next[k];
    if (count > f->capacity - p) return -1;
    f->Ap[k] = f->next[k] = p;
    p += count;
  }
  f->Ap[f->ns] = p;
  return 0;
}

static int gather_general(ns_sparse_factor *f, const ns_blocks *A, const double *scale,
                          const double *add)
{
  memset(f->next, 0, ((size_t)f->ns + 1) * sizeof *f->next);
  for (int counts = 1; counts >= 0; counts--) {
    for (int k = 0; k < f->ns; k++) {
      int r = f->prow[k];
      gather_row(f, A, k, scale ? scale[r] : 1, add ? add[r] : 0, counts);
    }
    if (counts && place_columns(f)) return -1;
  }
  return 0;
}

static int gather(ns_sparse_factor *f, const ns_blocks *A, const double *scale, const double *add)
{
  set_blocks_of_rows(f, A);
  if (!f->symmetric) return gather_general(f, A, scale, add);
  return A->nb == A->m && A->val ? gather_scalar(f, A, add) : gather_symmetric(f, A, add);
}

/* Elimination tree and column counts of what was gathered; the fill, -1 where it passes INT_MAX. */
static int analyse(ns_sparse_factor *f)
{
  ldl_symbolic(f->ns, f->Ap, f->Ai, f->Lp, f->parent, f->Lnz, f->flag, NULL, NULL);
  for (int k = 0; k < f->ns; k++)
    if (f->Lp[k + 1] < f->Lp[k]) return -1;
  return f->Lp[f->ns];
}

/* Nodes reached in the tree from the entries of column k, in the order of elimination: from the
 * place returned on to ns in pattern. The entries are added to x and y (where they differ). */
static int reach(ns_sparse_factor *f, int k)
{
  int top = f->ns;
  f->flag[k] = k;
  f->Lnz[k] = 0;
  for (int p = f->Ap[k]; p < f->Ap[k + 1]; p++) {
    int i = f->Ai[p], len = 0;
    f->x[i] += f->lower[p];
    if (!f->symmetric) f->y[i] += f->upper[p];
    for (; f->flag[i] != k; i = f->parent[i]) {
      f->pattern[len++] = i;
      f->flag[i] = k;
    }
    while (len > 0) f->pattern[--top] = f->pattern[--len];
  }
  return top;
}

/* Row k of L solves a triangular system with what is already there; the pivot that remains
 * (Davis 2005, LDL: up-looking). */
static double row_symmetric(ns_sparse_factor *f, int k)
{
  double d = f->diag[k];
  for (int top = reach(f, k); top < f->ns; top++) {
    int i = f->pattern[top], end = f->Lp[i] + f->Lnz[i]++;
    double xi = f->x[i];
    f->x[i] = 0;
    for (int p = f->Lp[i]; p < end; p++) f->x[f->Li[p]] -= f->Lx[p] * xi;
    double l = xi * f->D[i];
    d -= l * xi;
    f->Li[end] = k;
    f->Lx[end] = l;
  }
  return d;
}

/* The same for B = L D U: row k of L and column k of U. */
static double row_general(ns_sparse_factor *f, int k)
{
  double d = f->diag[k];
  for (int top = reach(f, k); top < f->ns; top++) {
    int i = f->pattern[top], end = f->Lp[i] + f->Lnz[i]++;
    double xi = f->x[i], yi = f->y[i];
    f->x[i] = f->y[i] = 0;
    for (int p = f->Lp[i]; p < end; p++) {
      f->x[f->Li[p]] -= f->Ux[p] * xi;
      f->y[f->Li[p]] -= f->Lx[p] * yi;
    }
    double l = xi * f->D[i];
    d -= l * yi;
    f->Li[end] = k;
    f->Lx[end] = l;
    f->Ux[end] = yi * f->D[i];
  }
  return d;
}

/* Is d more than rounding: against the diagonal entry of B, or where that is zero against its
 * column? */
static int is_pivot(const ns_sparse_factor *f, int k, double d, double eps)
{
  double a = fabs(f->diag[k]);
  if (!(a > 0))
    for (int p = f->Ap[k]; p < f->Ap[k + 1]; p++)
      a = fmax(a, fmax(fabs(f->lower[p]), fabs(f->upper[p])));
  return fabs(d) > eps * a && fabs(d) <= DBL_MAX;
}

/* All rows. Where a pivot vanishes: the number (1..) of its row, or with `drop` its row and column
 * count as zero from there on, and it is taken out of drop; their number is returned. */
static int eliminate(ns_sparse_factor *f, unsigned char *drop)
{
  double eps = 8 * DBL_EPSILON * (8 + sqrt((double)f->ns));
  int dropped = 0;
  memset(f->x, 0, (size_t)f->ns * sizeof *f->x);
  memset(f->y, 0, (size_t)f->ns * sizeof *f->y);
  for (int k = 0; k < f->ns; k++) {
    double d = f->symmetric ? row_symmetric(f, k) : row_general(f, k);
    if (is_pivot(f, k, d, eps)) f->D[k] = 1 / d;
    else if (!drop || !(fabs(d) <= DBL_MAX)) return f->prow[k] + 1;
    else {
      f->D[k] = 0;
      drop[f->prow[k]] = 0;
      dropped++;
    }
  }
  return dropped;
}

/* Select, gather, analyse; 0 or -1. */
static int prepare(ns_sparse_factor *f, const ns_blocks *A, const int *row,
                   const unsigned char *keep, const double *scale, const double *add)
{
  f->ns = 0;
  if (A->m > f->n || (f->symmetric && scale)) return -1;
  select_rows(f, A->m, row, keep);
  int fill = gather(f, A, scale, add) ? -1 : analyse(f);
  if (fill >= 0 && fill <= f->fill) return 0;
  f->ns = 0;
  return -1;
}

int ns_sparse_factor_numeric(ns_sparse_factor *f, const ns_blocks *A, const int *row,
                             const unsigned char *keep, const double *scale, const double *add)
{
  int rc = prepare(f, A, row, keep, scale, add);
  if (!rc) rc = eliminate(f, NULL);
  if (rc) f->ns = 0;
  return rc;
}

int ns_sparse_factor_drop(ns_sparse_factor *f, const ns_blocks *A, const int *row,
                          unsigned char *keep)
{
  int rc = prepare(f, A, row, keep, NULL, NULL);
  if (!rc) rc = eliminate(f, keep);
  f->ns = 0;
  return rc;
}

void ns_sparse_factor_solve(ns_sparse_factor *f, double *x)
{
  double *b = f->x;
  const int *Lp = f->Lp, *Li = f->Li;
  int ns = f->ns;
  for (int k = 0; k < ns; k++) b[k] = x[f->prow[k]];
  for (int k = 0; k < ns; k++) {
    double v = b[k];
    for (int p = Lp[k]; p < Lp[k + 1]; p++) b[Li[p]] -= f->Lx[p] * v;
  }
  for (int k = ns - 1; k >= 0; k--) {
    double v = b[k] * f->D[k];
    for (int p = Lp[k]; p < Lp[k + 1]; p++) v -= f->Ux[p] * b[Li[p]];
    b[k] = v;
    x[f->prow[k]] = v;
  }
}

size_t ns_sparse_factor_fill(const ns_sparse_factor *f) { return (size_t)f->fill; }

static int get(ns_sparse_factor *f, ns_ctx *c, size_t n, size_t size, void *p)
{
  void *m = ns_arena_zero(f->arena, n, size);
  memcpy(p, &m, sizeof m);
  return m ? NS_OK : ns_nomem(c, "sparse factorisation");
}

/* Take an order of the blocks of the structure and count its fill. */
static int try_order(ns_sparse_factor *f, const ns_blocks *A, const int *blocks)
{
  int t = 0;
  for (int k = 0; k < A->nb; k++) {
    int i = blocks ? blocks[k] : k;
    for (int r = A->first[i]; r < A->first[i + 1]; r++) {
      f->order[t] = r;
      f->place[r] = t++;
    }
  }
  f->natural = !blocks;
  select_rows(f, A->m, NULL, NULL);
  return gather(f, A, NULL, NULL) ? -1 : analyse(f);
}

/* The natural order of a chain or a band is kept: it reads memory forwards. */
static int choose_order(ns_sparse_factor *f, ns_ctx *c, const ns_blocks *A)
{
  int *blocks, natural = try_order(f, A, NULL);
  int rc = get(f, c, (size_t)A->nb, sizeof *blocks, &blocks);
  if (rc) return rc;
  if (natural >= 0 && natural <= A->row[A->nb] / 2 + A->m) {
    f->fill = natural;
    return NS_OK;
  }
  int amd = amd_order(A->nb, A->row, A->col, blocks, NULL, NULL);
  if (amd == AMD_OUT_OF_MEMORY) return ns_nomem(c, "ordering of a sparse matrix");
  if (amd < AMD_OK)
    return ns_fail_below(c, NS_NUMERIC,
                         "sparse factorisation: the structure given is not a matrix");
  int fill = try_order(f, A, blocks);
  if (natural >= 0 && (fill < 0 || natural <= fill)) fill = try_order(f, A, NULL);
  f->fill = fill;
  if (fill >= 0) return NS_OK;
  return ns_fail_below(
      c, NS_NUMERIC,
      "sparse factorisation: %d rows have factors of more than %d entries; use an iterative solver",
      A->m, INT_MAX);
}

static int create(ns_sparse_factor *f, ns_ctx *c, const ns_blocks *S)
{
  size_t nnz = 0;
  ns_blocks A = {.nb = S->nb, .dim = S->dim, .row = S->row, .col = S->col};
  int rc = get(f, c, (size_t)A.nb + 1, sizeof(int), &A.first);
  if (rc) return rc;
  for (int i = 0; i < A.nb; i++) {
    A.first[i + 1] = A.first[i] + A.dim[i];
    for (int k = A.row[i]; k < A.row[i + 1]; k++) nnz += (size_t)A.dim[i] * (size_t)A.dim[A.col[k]];
  }
  A.m = A.first[A.nb];
  size_t n = (size_t)A.m;
  size_t capacity = nnz + 2 * n + 16;
  if (capacity > INT_MAX)
    return ns_fail_below(c, NS_NUMERIC, "sparse factorisation: %zu entries, at most %d", nnz,
                         INT_MAX);
  f->n = A.m;
  f->capacity = (int)capacity;
  if ((rc = get(f, c, n, sizeof(int), &f->order)) || (rc = get(f, c, n, sizeof(int), &f->place)) ||
      (rc = get(f, c, n / 64 + 1, sizeof(uint64_t), &f->bit)) ||
      (rc = get(f, c, n, sizeof(int), &f->at)) || (rc = get(f, c, n, sizeof(int), &f->prow)) ||
      (rc = get(f, c, n, sizeof(int), &f->pos)) || (rc = get(f, c, n + 1, sizeof(int), &f->Ap)) ||
      (rc = get(f, c, capacity, sizeof(int), &f->Ai)) ||
      (rc = get(f, c, capacity, sizeof(double), &f->upper)) ||
      (rc = get(f, c, n, sizeof(double), &f->diag)) ||
      (rc = get(f, c, n, sizeof(int), &f->block)) || (rc = get(f, c, n + 1, sizeof(int), &f->Lp)) ||
      (rc = get(f, c, n, sizeof(int), &f->parent)) || (rc = get(f, c, n, sizeof(int), &f->Lnz)) ||
      (rc = get(f, c, n, sizeof(int), &f->flag)) || (rc = get(f, c, n, sizeof(int), &f->pattern)) ||
      (rc = get(f, c, n, sizeof(double), &f->D)) || (rc = get(f, c, n, sizeof(double), &f->x)) ||
      (rc = get(f, c, n, sizeof(double), &f->y)) || (rc = get(f, c, n + 1, sizeof(int), &f->next)))
    return rc;
  f->lower = f->upper;
  if (!f->symmetric && (rc = get(f, c, capacity, sizeof(double), &f->lower))) return rc;
  if ((rc = choose_order(f, c, &A))) return rc;
  size_t fill = (size_t)f->fill;
  if ((rc = get(f, c, fill, sizeof(int), &f->Li)) || (rc = get(f, c, fill, sizeof(double), &f->Lx)))
    return rc;
  f->Ux = f->Lx;
  if (!f->symmetric && (rc = get(f, c, fill, sizeof(double), &f->Ux))) return rc;
  f->ns = 0;
  return NS_OK;
}

int ns_sparse_factor_create(ns_ctx *c, const ns_blocks *structure, int symmetric,
                            ns_sparse_factor **out)
{
  *out = NULL;
  ns_sparse_factor *f = NS_ARENA_OBJECT(ns_sparse_factor, arena);
  if (!f) return ns_nomem(c, "sparse factorisation");
  f->symmetric = symmetric != 0;
  int rc = create(f, c, structure);
  if (rc) ns_arena_destroy(f->arena);
  else *out = f;
  return rc;
}

void ns_sparse_factor_destroy(ns_sparse_factor *f)
{
  if (f) ns_arena_destroy(f->arena);
}
