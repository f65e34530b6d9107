/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "expression/lookup.h"

#include <math.h>
#include <stdint.h>

struct ns_lookup {
  const char *name; /* for messages */
  int n, cols;
  int bends;
  const double *x;     /* [n] */
  const double *entry; /* [(n+1) x cols], row -1 first */
  /* The knot at or below each of n equal steps along the axis: a search begins there, and takes a
   * number of tries that does not grow with n on the average (Chen & Asau 1974, guide tables). */
  const int *guide; /* [n+1] */
  double per_step;  /* n / (x_(n-1) - x_0) */
};

static const double GREATEST_ADDRESS = 9007199254740992.0; /* 2^53 */

static const ns_lookup *lookup_of(double handle) { return (const ns_lookup *)(uintptr_t)handle; }

double ns_lookup_handle(const ns_lookup *t) { return (double)(uintptr_t)t; }

const ns_lookup *ns_lookup_create(ns_arena *a, const char *name, int n, const double *x, int cols,
                                  const double *entry, int bends)
{
  ns_lookup *t = ns_arena_zero(a, 1, sizeof *t);
  int *guide = ns_arena_get(a, (size_t)n + 1, sizeof *guide), k = 0;
  if (!t || !guide || ns_lookup_handle(t) >= GREATEST_ADDRESS) return NULL;
  *t = (ns_lookup){.name = name,
                   .n = n,
                   .cols = cols,
                   .bends = bends,
                   .guide = guide,
                   .per_step = n / (x[n - 1] - x[0])};
  t->x = ns_arena_copy(a, x, (size_t)n, sizeof *x);
  t->entry = ns_arena_copy(a, entry, ((size_t)n + 1) * (size_t)cols, sizeof *entry);
  if (!t->x || !t->entry) return NULL;
  for (int i = 0; i <= n; i++) {
    double at = x[0] + i / t->per_step;
    while (k + 2 < n && x[k + 1] <= at) k++;
    guide[i] = k;
  }
  return t;
}

const char *ns_lookup_name(double handle) { return lookup_of(handle)->name; }
int ns_lookup_bends(double handle) { return lookup_of(handle)->bends; }

/* The k with x_k <= x < x_(k+1); x lies between the ends. */
static int piece_of(const ns_lookup *t, double x)
{
  /* The step is a guess: rounding may put x into the next one. */
  int step = (int)((x - t->x[0]) * t->per_step);
  if (step > t->n - 1) step = t->n - 1;
  int low = t->guide[step > 0 ? step - 1 : 0];
  int high = t->guide[step + 2 <= t->n ? step + 2 : t->n] + 1;
  while (high - low > 1) {
    int mid = low + (high - low) / 2;
    if (t->x[mid] <= x) low = mid;
    else high = mid;
  }
  return low;
}

double ns_lookup_position(double handle, double x)
{
  const ns_lookup *t = lookup_of(handle);
  const double *knot = t->x;
  int last = t->n - 1;
  if (isnan(x)) return x;
  if (x < knot[0]) {
    double s = (knot[0] - x) / (knot[1] - knot[0]);
    /* In front of the axis, but not by so little that rounding puts it on the axis. */
    return isinf(s) ? -0.5 : fmin(-s / (1 + 2 * s), -0x1p-1022);
  }
  if (x >= knot[last]) {
    double s = (x - knot[last]) / (knot[last] - knot[last - 1]);
    return last + (isinf(s) ? 0.5 : s / (1 + 2 * s));
  }
  int k = piece_of(t, x);
  double u = k + (x - knot[k]) / (knot[k + 1] - knot[k]);
  return u < k + 1 ? u : nextafter(k + 1, k);
}

double ns_lookup_slope(double handle, double x)
{
  const ns_lookup *t = lookup_of(handle);
  const double *knot = t->x;
  int last = t->n - 1, beyond = x < knot[0] || x >= knot[last];
  if (isnan(x)) return x;
  int k = !beyond ? piece_of(t, x) : x < knot[0] ? 0 : last - 1;
  double width = knot[k + 1] - knot[k];
  if (!beyond) return 1 / width;
  double s = 1 + 2 * (x < knot[0] ? knot[0] - x : x - knot[last]) / width;
  return 1 / (width * s * s);
}

/* k as a whole number of [0, n). */
static int within(double k, int n) { return k < 0 ? 0 : k < n ? (int)k : n - 1; }

static double at(const ns_lookup *t, double row, const double *column)
{
  return column[(size_t)within(row + 1, t->n + 1) * (size_t)t->cols];
}

double ns_lookup_entry(double handle, double k, double j)
{
  const ns_lookup *t = lookup_of(handle);
  if (isnan(k) || isnan(j)) return NAN;
  const double *column = t->entry + within(j, t->cols);
  double row = floor(k);
  if (row == k) return at(t, row, column);
  /* A motion that slides does so between rows with numbers: a little beyond them, too. */
  if (isnan(at(t, row, column))) row++;
  else if (isnan(at(t, row + 1, column))) row--;
  return at(t, row, column) + (k - row) * (at(t, row + 1, column) - at(t, row, column));
}
