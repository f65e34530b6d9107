/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "collision/broad.h"

#include "algebra/vector.h"
#include "base/arena.h"
#include "base/grow.h"
#include "base/status.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* grids; boxes that are not worth one; cells a box; boxes worth threads */
enum { LEVELS = 24, FEW = 8, CELLS = 2, MANY = 500 };

/* A box where its cell's neighbours look for it. */
typedef struct member {
  float low[3], high[3];
  int index;
} member;

/* Boxes of one size, at most `reach`: item[begin .. begin + n). Their cells are x fastest; what is
 * beyond the borders is in the cells there. */
typedef struct level {
  double reach;
  int begin, n;
  int cells, size[3]; /* the most of them; now in each direction */
  double origin[3], width;
  int *first; /* of each cell in member [cells + 2] */
} level;

/* Pairs as one member of the team finds them. */
typedef struct found {
  ns_pair *pair;
  int n, max, failed;
} found;

struct ns_broad {
  ns_arena *mem; /* of what does not grow with the pairs */
  int n, nlevels, nlarge;
  level level[LEVELS]; /* smallest first */
  int *item;           /* boxes by levels, then the large ones; ascending in each [n] */
  int *of;             /* level of each box, nlevels: large [n] */
  int *cell;           /* in its level [n] */
  int *first;          /* of all levels */
  int cells;
  member *member;   /* by levels and cells [n] */
  const double *at; /* of the call */
  const float *low, *high;
  ns_team *team;
  found *found; /* [members]; a smaller team leaves the last ones empty */
  int members;
  ns_pair *pair; /* of all, in order */
  int npairs, max;
  int *begin; /* of the pairs of each box as the first [n + 2] */
};

/* ---- creation -------------------------------------------------------------------------------- */

void ns_broad_destroy(ns_broad *b)
{
  if (!b) return;
  for (int k = 0; k < b->members; k++) free(b->found[k].pair);
  free(b->found);
  free(b->pair);
  ns_arena_destroy(b->mem);
}

size_t ns_broad_bytes(const ns_broad *b)
{
  size_t pairs = (size_t)b->max;
  for (int k = 0; k < b->members; k++) pairs += (size_t)b->found[k].max;
  return ns_arena_used(b->mem) + pairs * sizeof *b->pair;
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
  ns_broad *b = NS_ARENA_OBJECT(ns_broad, mem);
  size_t m = (size_t)n;
  if (!b) return NULL;
  b->n = n;
  const ns_array want[] = {{&b->item, m, sizeof *b->item},
                           {&b->of, m, sizeof *b->of},
                           {&b->cell, m, sizeof *b->cell},
                           {&b->begin, m + 1, sizeof *b->begin},
                           {&b->member, m, sizeof *b->member}};
  if (!ns_arena_arrays(b->mem, want, sizeof want / sizeof *want)) {
    sort_sizes(b, reach);
    for (int k = 0; k < b->nlevels; k++)
      b->cells += 2 + (b->level[k].cells = CELLS * b->level[k].n + 64);
    b->first = ns_arena_zero(b->mem, (size_t)b->cells + 1, sizeof *b->first);
  }
  if (!b->first) {
    ns_broad_destroy(b);
    return NULL;
  }
  for (int k = 0, next = 0; k < b->nlevels; next += 2 + b->level[k++].cells)
    b->level[k].first = b->first + next;
  return b;
}

/* ---- grids ----------------------------------------------------------------------------------- */

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

typedef struct grid {
  ns_broad *b;
  const level *l;
} grid;

/* Cells of the boxes from .. to-1 of a level. */
static void find_cells(void *data, int from, int to)
{
  const grid *g = data;
  const level *l = g->l;
  for (int j = from; j < to; j++) {
    int i = g->b->item[l->begin + j];
    const double *x = g->b->at + 3 * i;
    g->b->cell[i] = cell_along(l, 0, x[0]) +
                    l->size[0] * (cell_along(l, 1, x[1]) + l->size[1] * cell_along(l, 2, x[2]));
  }
}

/* Boxes of a level sorted by cells, those of one cell ascending. */
static void sort_cells(ns_broad *b, level *l, double margin)
{
  lay_out(b, l, margin);
  int cells = l->size[0] * l->size[1] * l->size[2], *first = l->first;
  ns_team_each(b->team, l->n, MANY, find_cells, &(grid){b, l});
  memset(first, 0, ((size_t)cells + 2) * sizeof *first);
  for (int j = 0; j < l->n; j++) first[b->cell[b->item[l->begin + j]] + 2]++;
  for (int k = 1; k <= cells; k++) first[k + 1] += first[k];
  for (int j = 0; j < l->n; j++) {
    int i = b->item[l->begin + j];
    /* begins at 1, ends as the entry of the next cell */
    member *m = &b->member[l->begin + first[b->cell[i] + 1]++];
    m->index = i;
    memcpy(m->low, b->low + 3 * i, sizeof m->low);
    memcpy(m->high, b->high + 3 * i, sizeof m->high);
  }
}

/* ---- pairs ----------------------------------------------------------------------------------- */

typedef struct search {
  ns_broad *b;
  int (*may)(const void *, int, int);
  const void *self;
  found *to;
} search;

static int boxes_meet(const float *low, const float *high, const float *l, const float *h)
{
  return low[0] <= h[0] && l[0] <= high[0] && low[1] <= h[1] && l[1] <= high[1] && low[2] <= h[2] &&
         l[2] <= high[2];
}

static void add(const search *s, int a, int c)
{
  found *f = s->to;
  if (!s->may(s->self, a, c)) return;
  if (f->n == f->max) {
    int max = f->max > INT_MAX / 2 ? INT_MAX : f->max + f->max / 4 + 256;
    ns_pair *pair = max > f->max ? realloc(f->pair, (size_t)max * sizeof *pair) : NULL;
    if (!pair) {
      f->failed = 1;
      return;
    }
    f->pair = pair;
    f->max = max;
  }
  f->pair[f->n++] = a < c ? (ns_pair){a, c} : (ns_pair){c, a};
}

/* Partners of box a in a row of cells, of the members from `first` on. */
static void look_along(const search *s, int a, const level *l, int from, int to,
                       const member *first)
{
  const float *low = s->b->low + 3 * a, *high = s->b->high + 3 * a;
  const member *m = s->b->member + l->begin + l->first[from],
               *end = s->b->member + l->begin + l->first[to + 1];
  for (m = m < first ? first : m; m < end; m++)
    if (boxes_meet(low, high, m->low, m->high)) add(s, a, m->index);
}

/* The same in the cells where the places of boxes are that it may meet: 27 at most of its own
 * level, about 8 of larger ones. */
static void look_around(const search *s, int a, const level *l, const member *first)
{
  int from[3], to[3];
  for (int k = 0; k < 3; k++) {
    from[k] = cell_along(l, k, (double)s->b->low[3 * a + k] - l->width / 2);
    to[k] = cell_along(l, k, (double)s->b->high[3 * a + k] + l->width / 2);
  }
  for (int z = from[2]; z <= to[2]; z++)
    for (int y = from[1]; y <= to[1]; y++) {
      int row = l->size[0] * (y + l->size[1] * z);
      look_along(s, a, l, row + from[0], row + to[0], first);
    }
}

/* Boxes from .. to-1 by levels and cells, so that neighbours are in the cache; each meets those of
 * its own level that come after it there. */
static void look_from(const search *s, int from, int to)
{
  const ns_broad *b = s->b;
  for (int k = 0; k < b->nlevels; k++) {
    const level *own = &b->level[k];
    int end = own->begin + own->n < to ? own->begin + own->n : to;
    for (int j = own->begin > from ? own->begin : from; j < end; j++)
      for (int l = k; l < b->nlevels; l++)
        look_around(s, b->member[j].index, &b->level[l],
                    b->member + (l == k ? j + 1 : b->level[l].begin));
  }
}

/* Large ones against boxes from .. to-1. */
static void look_at_large(const search *s, int from, int to)
{
  const ns_broad *b = s->b;
  const int *large = b->item + b->n - b->nlarge;
  for (int i = 0; i < b->nlarge; i++)
    for (int c = from; c < to; c++)
      if (c != large[i] && (b->of[c] < b->nlevels || c > large[i]) &&
          boxes_meet(b->low + 3 * large[i], b->high + 3 * large[i], b->low + 3 * c,
                     b->high + 3 * c))
        add(s, large[i], c);
}

static void look(void *data, int me)
{
  search s = *(const search *)data;
  ns_broad *b = s.b;
  /* on its own stack: lists of two members side by side would share lines of the cache */
  found own = b->found[me];
  int size = ns_team_size(b->team), small = b->n - b->nlarge;
  s.to = &own;
  look_from(&s, ns_team_share(small, me, size), ns_team_share(small, me + 1, size));
  look_at_large(&s, ns_team_share(b->n, me, size), ns_team_share(b->n, me + 1, size));
  b->found[me] = own;
}

/* ---- their order ----------------------------------------------------------------------------- */

static int by_second(const void *x, const void *y)
{
  int a = ((const ns_pair *)x)->b, b = ((const ns_pair *)y)->b;
  return (a > b) - (a < b);
}

/* Pairs of boxes from .. to-1, each box's by their second. */
static void sort_some(void *data, int from, int to)
{
  enum { FEW_PAIRS = 24 };
  ns_broad *b = data;
  for (int a = from; a < to; a++) {
    ns_pair *p = b->pair + b->begin[a];
    int n = b->begin[a + 1] - b->begin[a];
    if (n > FEW_PAIRS) qsort(p, (size_t)n, sizeof *p, by_second);
    else
      for (int i = 1; i < n; i++) {
        ns_pair x = p[i];
        int j = i;
        for (; j > 0 && p[j - 1].b > x.b; j--) p[j] = p[j - 1];
        p[j] = x;
      }
  }
}

/* What all have found, ascending. -1: out of memory. */
static int gather(ns_broad *b)
{
  long long n = 0;
  /* where the next pair of a box goes; in the end where those of the next box begin */
  int *at = b->begin + 1;
  for (int k = 0; k < b->members; k++) n += b->found[k].failed ? INT_MAX : b->found[k].n;
  if (n >= INT_MAX) return -1;
  if (n > b->max) {
    size_t max = (size_t)(n + n / 8 + 256);
    free(b->pair);
    b->max = 0;
    if (!(b->pair = malloc(max * sizeof *b->pair))) return -1;
    b->max = (int)max;
  }
  memset(b->begin, 0, ((size_t)b->n + 2) * sizeof *b->begin);
  for (int k = 0; k < b->members; k++)
    for (int i = 0; i < b->found[k].n; i++) at[b->found[k].pair[i].a + 1]++;
  ns_prefix_sums((size_t)b->n, at);
  for (int k = 0; k < b->members; k++)
    for (int i = 0; i < b->found[k].n; i++)
      b->pair[at[b->found[k].pair[i].a]++] = b->found[k].pair[i];
  b->npairs = (int)n;
  ns_team_each(b->team, b->n, MANY, sort_some, b);
  return b->npairs;
}

/* A list for each member. */
static int hire(ns_broad *b, ns_team *team)
{
  int size = ns_team_size(b->n < MANY ? NULL : team);
  if (size > b->members || !b->found) {
    found *f = realloc(b->found, (size_t)size * sizeof *f);
    if (!f) return NS_NOMEM;
    for (; b->members < size; b->members++) f[b->members] = (found){0};
    b->found = f;
  }
  for (int k = 0; k < b->members; k++) b->found[k].n = b->found[k].failed = 0;
  b->team = size > 1 ? team : NULL;
  return NS_OK;
}

int ns_broad_pairs(ns_broad *b, ns_team *team, const double *at, const float *low,
                   const float *high, double margin, int (*may)(const void *, int, int),
                   const void *self, const ns_pair **pairs)
{
  search s = {b, may, self, NULL};
  if (hire(b, team)) return -1;
  b->at = at;
  b->low = low;
  b->high = high;
  for (int k = 0; k < b->nlevels; k++) sort_cells(b, &b->level[k], margin);
  ns_team_run(b->team, look, &s);
  int n = gather(b);
  *pairs = b->pair;
  return n;
}
