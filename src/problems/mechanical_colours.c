/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/mechanical_colours.h"

#include "algebra/vector.h"
#include "base/arena.h"

#include <string.h>

/* Neighbours of the blocks in the pattern of W + W^T. */
typedef struct graph {
  int *first, *to;
} graph;

static int get_graph(ns_arena *mem, const ns_blocks *W, graph *g)
{
  size_t nb = (size_t)W->nb, n = 2 * (size_t)W->row[W->nb];
  int *at = ns_arena_zero(mem, nb + 2, sizeof *at);
  g->first = ns_arena_zero(mem, nb + 2, sizeof *g->first);
  g->to = ns_arena_get(mem, n + 1, sizeof *g->to);
  if (!at || !g->first || !g->to) return 0;
  for (int a = 0; a < W->nb; a++)
    for (int k = W->row[a]; k < W->row[a + 1]; k++) {
      g->first[a + 1]++;
      g->first[W->col[k] + 1]++;
    }
  ns_prefix_sums((size_t)W->nb, g->first);
  memcpy(at, g->first, (nb + 1) * sizeof *at);
  for (int a = 0; a < W->nb; a++)
    for (int k = W->row[a]; k < W->row[a + 1]; k++) {
      g->to[at[a]++] = W->col[k];
      g->to[at[W->col[k]]++] = a;
    }
  return 1;
}

/* Blocks by descending degree, equal ones by their number. */
static void by_degree(const ns_blocks *W, const graph *g, int *count, int *order)
{
  int max = 0;
  for (int a = 0; a < W->nb; a++) {
    int degree = g->first[a + 1] - g->first[a];
    if (degree > max) max = degree;
  }
  for (int a = 0; a < W->nb; a++) count[max - (g->first[a + 1] - g->first[a]) + 1]++;
  for (int d = 0; d <= max; d++) count[d + 1] += count[d];
  for (int a = 0; a < W->nb; a++) order[count[max - (g->first[a + 1] - g->first[a])]++] = a;
}

/* The first colour that no neighbour has; seen [nb+1]: work. */
static int first_free(const graph *g, const int *colour, int a, int *seen)
{
  int c = 0;
  for (int e = g->first[a]; e < g->first[a + 1]; e++)
    if (colour[g->to[e]] >= 0) seen[colour[g->to[e]]] = a;
  while (seen[c] == a) c++;
  return c;
}

int ns_colours_of(const ns_blocks *W, int *colour)
{
  size_t nb = (size_t)W->nb;
  int colours = 0;
  graph g;
  ns_arena *mem = ns_arena_create(0, 1);
  int *seen = mem ? ns_arena_get(mem, nb + 2, sizeof *seen) : NULL,
      *order = mem ? ns_arena_get(mem, nb + 1, sizeof *order) : NULL;
  int *count = mem ? ns_arena_zero(mem, 2 * (size_t)W->row[W->nb] + 3, sizeof *count) : NULL;
  if (seen && order && count && get_graph(mem, W, &g)) {
    by_degree(W, &g, count, order);
    for (size_t a = 0; a <= nb; a++) seen[a] = -1;
    ns_fill_ints(nb, -1, colour);
    for (int k = 0; k < W->nb; k++) {
      int c = colour[order[k]] = first_free(&g, colour, order[k], seen);
      if (c >= colours) colours = c + 1;
    }
  }
  ns_arena_destroy(mem);
  return colours;
}
