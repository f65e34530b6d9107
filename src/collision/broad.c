/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collision/broad.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 24, FEW = 8, CELLS = 2 }; /* grids; boxes that are not worth one; cells a box */

/* A box where its cell's neighbours look for it. */
typedef struct member {
  double low[3], high[3];
  int index;
} member;

/* Boxes of one size, at most `reach`: item[begin .. begin + n). Their cells are x fastest; what is beyond the borders is in the cells
 * there. */
typedef struct level {
  double reach;
  int begin, n;
  int cells, size[3]; /* the most of them; now in each direction */
  double origin[3], width;
  int *first;         /* of each cell in member [cells + 2] */
} level;

struct ns_broad {
  int n, nlevels, nlarge;
  level level[LEVELS]; /* smallest first */
  int *item;           /* boxes by levels, then the large ones; ascending in each [n] */
  int *of;             /* level of each box, nlevels: large [n] */
  int *cell;           /* in its level [n] */
  int *first;          /* of all levels */
  int cells;
  member *member;      /* by levels and cells [n] */
  const double *at, *low, *high; /* of the call */
  ns_pair *pair, *sorted;
  int npairs, most;
  int *count;          /* [n + 1] */
};

/* ---- creation ------------------------------------------------------------------------------------------------------------------------ */

void ns_broad_destroy(ns_broad *b)
{
  if (!b) return;
  void *all[] = {b->item, b->of, b->cell, b->first, b->member, b->pair, b->sorted, b->count};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  free(b);
}

size_t ns_broad_bytes(const ns_broad *b)
{
  return sizeof *b + (size_t)b->n * (4 * sizeof *b->item + sizeof *b->member) + (size_t)b->cells * sizeof *b->first +
         2 * (size_t)b->most * sizeof *b->pair;
}

/* Octave of a size below the largest; the smallest are one. */
static int octave(double reach, double largest)
{
  double l = floor(log2(largest / reach));
  return l < LEVELS - 1 ? (int)l : LEVELS - 1;
}

static void sort_sizes(ns_broad *b, const double *reach)
{
  double largest = 0;
  int many[LEVELS] = {0}, number[LEVELS], next = 0;
  for (int i = 0; i < b->n; i++)
    if (isfinite(reach[i])) largest = fmax(largest, reach[i]);
  for (int i = 0; i < b->n; i++)
    if (isfinite(reach[i])) many[octave(reach[i], largest)]++;
  for (int k = LEVELS - 1; k >= 0; k--) number[k] = many[k] > FEW ? b->nlevels++ : -1;
  for (int i = 0; i < b->n; i++) {
    int k = isfinite(reach[i]) ? number[octave(reach[i], largest)] : -1;
    b->of[i] = k < 0 ? b->nlevels : k;
    if (k >= 0) b->level[k].reach = fmax(b->level[k].reach, reach[i]);
  }
  for (int k = 0; k <= b->nlevels; k++) {
    int begin = next;
    for (int i = 0; i < b->n; i++)
      if (b->of[i] == k) b->item[next++] = i;
    if (k < b->nlevels) b->level[k].begin = begin, b->level[k].n = next - begin;
    else b->nlarge = next - begin;
  }
}

ns_broad *ns_broad_create(int n, const double *reach)
{
  ns_broad *b = calloc(1, sizeof *b);
  size_t m = (size_t)n + 1;
  if (!b) return NULL;
  b->n = n;
  b->item = calloc(m, sizeof *b->item);
  b->of = calloc(m, sizeof *b->of);
  b->cell = calloc(m, sizeof *b->cell);
  b->count = calloc(m, sizeof *b->count);
  b->member = calloc(m, sizeof *b->member);
  if (b->item && b->of && b->cell && b->count && b->member) {
    sort_sizes(b, reach);
    for (int k = 0; k < b->nlevels; k++) b->cells += 2 + (b->level[k].cells = CELLS * b->level[k].n + 64);
    b->first = calloc((size_t)b->cells + 1, sizeof *b->first);
  }
  if (!b->first) {
    ns_broad_destroy(b);
    return NULL;
  }
  for (int k = 0, next = 0; k < b->nlevels; next += 2 + b->level[k++].cells) b->level[k].first = b->first + next;
  return b;
}

/* ---- grids ---------------------------------------------------------------------------------------------------------------------------- */

/* Middle and half the width along axis k within which most of a level's boxes are. */
static void spread(const ns_broad *b, const level *l, int k, double *middle, double *half)
{
  double sum = 0, square = 0, low = INFINITY, high = -INFINITY;
  const int *item = b->item + l->begin;
  for (int i = 0; i < l->n; i++) {
    double x = b->at[3 * item[i] + k];
    sum += x / l->n;
    low = fmin(low, x);
    high = fmax(high, x);
  }
  for (int i = 0; i < l->n; i++) {
    double d = b->at[3 * item[i] + k] - sum;
    square += d * d / l->n;
  }
  double sigma = 3 * sqrt(square);
  *middle = sum;
  *half = isfinite(sigma) ? fmax(fmin(sum + sigma, high) - sum, sum - fmax(sum - sigma, low)) : 0;
}

/* The grid about most of the boxes, its cells wider where there would be too many. */
static void lay_out(const ns_broad *b, level *l, double margin)
{
  double middle[3], half[3], count;
  for (int k = 0; k < 3; k++) spread(b, l, k, &middle[k], &half[k]);
  l->width = 2 * l->reach + margin;
  do {
    count = 1;
    for (int k = 0; k < 3; k++) count *= floor(2 * half[k] / l->width) + 1;
    if (count > l->cells) l->width *= fmax(1.01, 0.9 * cbrt(count / l->cells));
  } while (count > l->cells);
  for (int k = 0; k < 3; k++) {
    l->size[k] = (int)floor(2 * half[k] / l->width) + 1;
    l->origin[k] = middle[k] - l->size[k] * l->width / 2;
  }
}

/* Along one axis; positions that are not finite are at its end. */
static int cell_along(const level *l, int k, double x)
{
  double c = floor((x - l->origin[k]) / l->width);
  return c <= 0 ? 0 : c < l->size[k] - 1 ? (int)c : l->size[k] - 1;
}

/* Boxes of a level sorted by cells, those of one cell ascending. */
static void sort_cells(ns_broad *b, level *l, double margin)
{
  lay_out(b, l, margin);
  int cells = l->size[0] * l->size[1] * l->size[2], *first = l->first;
  memset(first, 0, ((size_t)cells + 2) * sizeof *first);
  for (int j = 0; j < l->n; j++) {
    int i = b->item[l->begin + j];
    const double *x = b->at + 3 * i;
    b->cell[i] = cell_along(l, 0, x[0]) + l->size[0] * (cell_along(l, 1, x[1]) + l->size[1] * cell_along(l, 2, x[2]));
    first[b->cell[i] + 2]++;
  }
  for (int k = 1; k <= cells; k++) first[k + 1] += first[k];
  for (int j = 0; j < l->n; j++) {
    int i = b->item[l->begin + j];
    member *m = &b->member[l->begin + first[b->cell[i] + 1]++]; /* begins at 1, ends as the entry of the next cell */
    m->index = i;
    memcpy(m->low, b->low + 3 * i, sizeof m->low);
    memcpy(m->high, b->high + 3 * i, sizeof m->high);
  }
}

/* ---- pairs ---------------------------------------------------------------------------------------------------------------------------- */

typedef struct search {
  ns_broad *b;
  int (*may)(const void *, int, int);
  const void *self;
  int failed;
} search;

static int boxes_meet(const double *low, const double *high, const double *l, const double *h)
{
  return low[0] <= h[0] && l[0] <= high[0] && low[1] <= h[1] && l[1] <= high[1] && low[2] <= h[2] && l[2] <= high[2];
}

static void add(search *s, int a, int c)
{
  ns_broad *b = s->b;
  if (!s->may(s->self, a, c)) return;
  if (b->npairs == b->most) {
    int most = b->most > INT_MAX / 2 ? INT_MAX : b->most + b->most / 2 + 256;
    ns_pair *pair = most > b->most ? realloc(b->pair, (size_t)most * sizeof *pair) : NULL, *sorted;
    if (pair) b->pair = pair;
    sorted = pair ? realloc(b->sorted, (size_t)most * sizeof *sorted) : NULL;
    if (sorted) b->sorted = sorted;
    if (!sorted) {
      s->failed = 1;
      return;
    }
    b->most = most;
  }
  b->pair[b->npairs++] = a < c ? (ns_pair){a, c} : (ns_pair){c, a};
}

/* Partners of box a in a row of cells; of its own level those that come after it. */
static void look_along(search *s, int a, const level *l, int from, int to, int after)
{
  const double *low = s->b->low + 3 * a, *high = s->b->high + 3 * a;
  const member *m = s->b->member + l->begin + l->first[from], *end = s->b->member + l->begin + l->first[to + 1];
  for (; m < end; m++)
    if (m->index > after && boxes_meet(low, high, m->low, m->high)) add(s, a, m->index);
}

/* The same in the cells where the places of boxes are that it may meet: 27 at most of its own level, about 8 of larger ones. */
static void look_around(search *s, int a, const level *l, int after)
{
  int from[3], to[3];
  for (int k = 0; k < 3; k++) {
    from[k] = cell_along(l, k, s->b->low[3 * a + k] - l->width / 2);
    to[k] = cell_along(l, k, s->b->high[3 * a + k] + l->width / 2);
  }
  for (int z = from[2]; z <= to[2]; z++)
    for (int y = from[1]; y <= to[1]; y++) {
      int row = l->size[0] * (y + l->size[1] * z);
      look_along(s, a, l, row + from[0], row + to[0], after);
    }
}

static void look_everywhere(search *s)
{
  const ns_broad *b = s->b;
  const int *large = b->item + b->n - b->nlarge;
  for (int k = 0; k < b->nlevels; k++) /* by cells: neighbours are in the cache */
    for (int j = 0; j < b->level[k].n; j++) {
      int a = b->member[b->level[k].begin + j].index;
      for (int l = k; l < b->nlevels; l++) look_around(s, a, &b->level[l], l == k ? a : -1);
    }
  for (int i = 0; i < b->nlarge; i++)
    for (int c = 0; c < b->n; c++)
      if (c != large[i] && (b->of[c] < b->nlevels || c > large[i]) &&
          boxes_meet(b->low + 3 * large[i], b->high + 3 * large[i], b->low + 3 * c, b->high + 3 * c))
        add(s, large[i], c);
}

/* Stable, by one of the two. */
static void sort_by(const ns_broad *b, int second, const ns_pair *from, ns_pair *to)
{
  int *count = b->count;
  memset(count, 0, ((size_t)b->n + 1) * sizeof *count);
  for (int i = 0; i < b->npairs; i++) count[(second ? from[i].b : from[i].a) + 1]++;
  for (int i = 0; i < b->n; i++) count[i + 1] += count[i];
  for (int i = 0; i < b->npairs; i++) to[count[second ? from[i].b : from[i].a]++] = from[i];
}

int ns_broad_pairs(ns_broad *b, const double *at, const double *low, const double *high, double margin,
                   int (*may)(const void *, int, int), const void *self, const ns_pair **pairs)
{
  search s = {b, may, self, 0};
  b->at = at;
  b->low = low;
  b->high = high;
  b->npairs = 0;
  for (int k = 0; k < b->nlevels; k++) sort_cells(b, &b->level[k], margin);
  look_everywhere(&s);
  if (s.failed) return -1;
  sort_by(b, 1, b->pair, b->sorted);
  sort_by(b, 0, b->sorted, b->pair);
  *pairs = b->pair;
  return b->npairs;
}
