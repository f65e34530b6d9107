/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/panel.h"

#include "algebra/four.h"

#include <stddef.h>
#include <string.h>

/* A tile is ROWS x COLUMNS, in eight registers of two; a strip of U of WIDTH columns, 16 kB, stays
 * in the first cache while all rows pass it. */
enum { ROWS = 4, COLUMNS = 4, WIDTH = 64 };

#define INLINE static inline __attribute__((always_inline))

typedef struct strip {
  double U[NS_PANEL][WIDTH];
  int count, width;
} strip;

/* U := L11^-1 A12 in place, and a copy that is dense. */
static void make_strip(strip *s, double *F, size_t m, size_t first, size_t column)
{
  for (int k = 0; k < s->count; k++) {
    double *row = F + (first + (size_t)k) * m, *restrict u = row + column;
    const double *l = row + first;
    for (int i = 0; i < k; i++)
      for (int j = 0; j < s->width; j++) u[j] -= l[i] * s->U[i][j];
    memcpy(s->U[k], u, (size_t)s->width * sizeof *u);
  }
}

/* v -= l U of ROWS rows and COLUMNS columns; rows of v and l are m apart. */
INLINE void tile(const strip *s, const double *l, int column, double *v, size_t m)
{
  ns_four a = NS_FOUR(v), b = NS_FOUR(v + m), c = NS_FOUR(v + 2 * m), d = NS_FOUR(v + 3 * m);
  const double *u = s->U[0] + column;
  for (int k = 0; k < s->count; k++, l++, u += WIDTH) {
    ns_four w = NS_FOUR(u);
    a -= l[0] * w;
    b -= l[m] * w;
    c -= l[2 * m] * w;
    d -= l[3 * m] * w;
  }
  NS_PUT_FOUR(a, v);
  NS_PUT_FOUR(b, v + m);
  NS_PUT_FOUR(c, v + 2 * m);
  NS_PUT_FOUR(d, v + 3 * m);
}

/* The same for columns from..width-1 of one row. */
static void row_end(const strip *s, const double *l, int from, double *restrict v)
{
  for (int k = 0; k < s->count; k++)
    for (int j = from; j < s->width; j++) v[j] -= l[k] * s->U[k][j];
}

INLINE void pass(const strip *s, double *F, size_t m, size_t first, size_t column)
{
  size_t row = first + (size_t)s->count;
  int whole = s->width / COLUMNS * COLUMNS;
  for (; row + ROWS <= m; row += ROWS) {
    double *v = F + row * m + column;
    const double *l = F + row * m + first;
    for (int j = 0; j < whole; j += COLUMNS) tile(s, l, j, v + j, m);
    for (size_t i = 0; whole < s->width && i < ROWS; i++) row_end(s, l + i * m, whole, v + i * m);
  }
  for (; row < m; row++) row_end(s, F + row * m + first, 0, F + row * m + column);
}

static void pass_plain(const strip *s, double *F, size_t m, size_t first, size_t column)
{
  pass(s, F, m, first, column);
}

NS_WIDE static void pass_wide(const strip *s, double *F, size_t m, size_t first, size_t column)
{
  pass(s, F, m, first, column);
}

void ns_panel_apply(double *F, int m, int first, int count, int from)
{
  void (*pass_by)(const strip *, double *, size_t, size_t, size_t) = ns_has_wide() ? pass_wide
                                                                                   : pass_plain;
  strip s;
  s.count = count;
  for (int column = from; column < m; column += WIDTH) {
    s.width = m - column < WIDTH ? m - column : WIDTH;
    make_strip(&s, F, (size_t)m, (size_t)first, (size_t)column);
    pass_by(&s, F, (size_t)m, (size_t)first, (size_t)column);
  }
}
