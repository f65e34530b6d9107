/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/sparse_lu_tree.h"

#include "algebra/panel.h"
#include "algebra/vector.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/amd.h>

/* Subsets up to this size are not dissected further. */
#define LEAF 6
/* Dissection is taken up to this multiple of AMD's cost. */
#define PREFERENCE 1.5
/* Cost of a front beside its arithmetic. */
#define FRONT_COST 100
/* Cost of a product and a difference in the tiles of a panel, to that of one pivot by pivot. */
#define BLOCKED_COST 0.25

/* Pattern of A + A^T without diagonal. */
typedef struct graph {
  int n;
  int *ptr, *adj;
} graph;

static int get(ns_arena *a, ns_ctx *c, size_t n, size_t size, void *p)
{
  void *m = ns_arena_zero(a, n, size);
  memcpy(p, &m, sizeof m);
  return m ? NS_OK : ns_nomem(c, "ordering of a sparse matrix");
}

static int make_graph(ns_ctx *c, ns_arena *a, const ns_blocks *A, graph *g)
{
  int n = A->nb, rc, *mark;
  size_t capacity = 2 * (size_t)A->row[n] + 1;
  if (capacity > INT_MAX)
    return ns_fail_below(c, NS_NUMERIC, "sparse LU: %d entries, at most %d", A->row[n],
                         INT_MAX / 2);
  g->n = n;
  if ((rc = get(a, c, (size_t)n + 2, sizeof(int), &g->ptr)) ||
      (rc = get(a, c, capacity, sizeof(int), &g->adj)) ||
      (rc = get(a, c, (size_t)n, sizeof(int), &mark)))
    return rc;
  int *next = g->ptr + 1; /* next[i] moves from the start of i to its end */
  for (int i = 0; i < n; i++)
    for (int k = A->row[i]; k < A->row[i + 1]; k++)
      if (A->col[k] != i) {
        next[i + 1]++;
        next[A->col[k] + 1]++;
      }
  for (int i = 0; i < n; i++) next[i + 1] += next[i];
  for (int i = 0; i < n; i++)
    for (int k = A->row[i]; k < A->row[i + 1]; k++)
      if (A->col[k] != i) {
        g->adj[next[i]++] = A->col[k];
        g->adj[next[A->col[k]]++] = i;
      }
  int to = 0;
  for (int i = 0; i < n; i++) { /* twice the same neighbour: once */
    int k = g->ptr[i], end = g->ptr[i + 1];
    g->ptr[i] = to;
    for (; k < end; k++)
      if (mark[g->adj[k]] != i + 1) {
        mark[g->adj[k]] = i + 1;
        g->adj[to++] = g->adj[k];
      }
  }
  g->ptr[n] = to;
  return NS_OK;
}

/* ---- nested dissection ----------------------------------------------------------------------- */

typedef struct dissection {
  const graph *g;
  int *set;        /* vertices; a part is a range of it [n] */
  char *separator; /* parts are not connected but through these [n] */
  int *level;      /* in the search from some vertex; -1: not reached [n] */
  int *queue;      /* [n] */
  int *stack, top; /* parts still to be split, as pairs lo, hi [2n + 2] */
} dissection;

static void push(dissection *d, int lo, int hi)
{
  if (hi - lo <= LEAF) return;
  d->stack[d->top++] = lo;
  d->stack[d->top++] = hi;
}

/* Breadth first from s through its part; vertices reached go to queue from `count` on. Returns
 * where they end. */
static int search(dissection *d, int s, int count)
{
  int k = count;
  d->level[s] = 0;
  d->queue[count++] = s;
  for (; k < count; k++) {
    int v = d->queue[k];
    for (int e = d->g->ptr[v]; e < d->g->ptr[v + 1]; e++) {
      int u = d->g->adj[e];
      if (d->separator[u] || d->level[u] >= 0) continue;
      d->level[u] = d->level[v] + 1;
      d->queue[count++] = u;
    }
  }
  return count;
}

static void forget(dissection *d, int count)
{
  for (int k = 0; k < count; k++) d->level[d->queue[k]] = -1;
}

/* The level that cuts best: small, and near the middle. -1: there are less than three. */
static int best_level(const dissection *d, int count)
{
  int best = -1, k = 0;
  double min = INFINITY;
  for (int l = 0; k < count; l++) {
    int start = k;
    while (k < count && d->level[d->queue[k]] == l) k++;
    int below = start, above = count - k;
    if (below == 0 || above == 0) continue;
    double off = fabs((double)below - above) / count,
           cost = (k - start) * (1 + 4 * off * off) / (1 - off);
    if (cost < min) {
      min = cost;
      best = l;
    }
  }
  return best;
}

/* Connected components of a part become parts, unless it is connected: 1. */
static int connected(dissection *d, int lo, int hi)
{
  int count = search(d, d->set[lo], 0);
  if (count == hi - lo) {
    forget(d, count);
    return 1;
  }
  push(d, lo, lo + count);
  for (int k = lo; k < hi; k++)
    if (d->level[d->set[k]] < 0) {
      int start = count;
      count = search(d, d->set[k], count);
      push(d, lo + start, lo + count);
    }
  memcpy(d->set + lo, d->queue, (size_t)count * sizeof *d->set);
  forget(d, count);
  return 0;
}

/* Two parts and their separator, in this order; no change where the part is too dense for that. */
static void split(dissection *d, int lo, int hi)
{
  if (!connected(d, lo, hi)) return;
  int count = search(d, d->set[lo], 0);
  for (int pass = 0; pass < 2; pass++) { /* from its far end: longer */
    int far = d->queue[count - 1];
    forget(d, count);
    count = search(d, far, 0);
  }
  int cut = best_level(d, count), a = lo, b = hi;
  if (cut >= 0) {
    for (int k = 0; k < count; k++) { /* of the level only what touches the next one */
      int v = d->queue[k], touches = 0;
      if (d->level[v] == cut)
        for (int e = d->g->ptr[v]; e < d->g->ptr[v + 1] && !touches; e++)
          touches = d->level[d->g->adj[e]] == cut + 1;
      d->separator[v] = (char)touches;
      if (d->level[v] <= cut && !touches) d->set[a++] = v;
    }
    int mid = a;
    for (int k = 0; k < count; k++) {
      int v = d->queue[k];
      if (d->separator[v]) d->set[--b] = v;
      else if (d->level[v] > cut) d->set[mid++] = v;
    }
    push(d, lo, a);
    push(d, a, b);
  }
  forget(d, count);
}

/* order [n]: parts before their separators. */
static int dissect(ns_ctx *c, ns_arena *a, const graph *g, int *order)
{
  size_t n = (size_t)g->n;
  dissection d = {.g = g, .set = order};
  int rc;
  if ((rc = get(a, c, n, 1, &d.separator)) || (rc = get(a, c, n, sizeof(int), &d.level)) ||
      (rc = get(a, c, n, sizeof(int), &d.queue)) ||
      (rc = get(a, c, 2 * n + 2, sizeof(int), &d.stack)))
    return rc;
  for (int i = 0; i < g->n; i++) {
    order[i] = i;
    d.level[i] = -1;
  }
  push(&d, 0, g->n);
  while (d.top > 0) {
    d.top -= 2;
    split(&d, d.stack[d.top], d.stack[d.top + 1]);
  }
  return NS_OK;
}

/* ---- fronts of an order ---------------------------------------------------------------------- */

typedef struct fronts {
  int n;
  int *place;           /* [n] */
  int *parent;          /* of the front that ends in a column, as such a column; -1 [n] */
  int *child, *sibling; /* [n] */
  int *own;             /* number of columns, 0: merged into another [n] */
  int *head, *next;     /* list of the columns of a front [n] */
  int **border;         /* [n] */
  int *size;            /* [n] */
  double cost;
} fronts;

/* Of a front with p own columns in m: entries touched, and elimination, which panels of pivots make
 * cheaper where there are many columns. */
static double front_cost(double p, double m)
{
  double work = 0, panels = m > NS_BLOCKED ? BLOCKED_COST + (1 - BLOCKED_COST) * NS_BLOCKED / m : 1;
  for (double k = 0; k < p; k++) work += (m - 1 - k) * (m - k);
  return FRONT_COST + m * m + panels * work;
}

/* The border of column k: its neighbours and its children's borders, later than k. */
static int gather_border(ns_ctx *c, ns_arena *a, const graph *g, const int *order, fronts *f, int k,
                         int *mark, int *work)
{
  int size = 0, v = order[k];
  mark[k] = k + 1;
  for (int e = g->ptr[v]; e < g->ptr[v + 1]; e++) {
    int p = f->place[g->adj[e]];
    if (p <= k || mark[p] == k + 1) continue;
    mark[p] = k + 1;
    work[size++] = p;
  }
  for (int s = f->child[k]; s >= 0; s = f->sibling[s])
    for (int i = 0; i < f->size[s]; i++) {
      int p = f->border[s][i];
      if (mark[p] == k + 1) continue;
      mark[p] = k + 1;
      work[size++] = p;
    }
  f->size[k] = size;
  f->border[k] = ns_arena_copy(a, work, (size_t)size, sizeof *work);
  return f->border[k] ? NS_OK : ns_nomem(c, "ordering of a sparse matrix");
}

/* Take children into the front of column k where that makes the sum of the work less. */
static void merge_children(fronts *f, int k)
{
  for (int s = f->child[k], before = -1; s >= 0;) {
    int after = f->sibling[s], p = f->own[k], b = f->size[k];
    double apart = front_cost(f->own[s], f->own[s] + f->size[s]) + front_cost(p, p + b);
    if (front_cost(f->own[s] + p, f->own[s] + p + b) <= apart) {
      int last = f->head[s], grandchild = f->child[s];
      while (f->next[last] >= 0) last = f->next[last];
      f->next[last] = f->head[k];
      f->head[k] = f->head[s];
      f->own[k] += f->own[s];
      f->own[s] = 0;
      /* its children, already weighed against it, come in its place */
      int tail = -1;
      for (int q = grandchild; q >= 0; q = f->sibling[q]) {
        f->parent[q] = k;
        tail = q;
      }
      int in_place = tail >= 0 ? grandchild : after;
      if (tail >= 0) f->sibling[tail] = after;
      if (before >= 0) f->sibling[before] = in_place;
      else f->child[k] = in_place;
      if (tail >= 0) before = tail;
    } else before = s;
    s = after;
  }
}

static int min(int n, const int *v)
{
  int m = INT_MAX;
  for (int i = 0; i < n; i++)
    if (v[i] < m) m = v[i];
  return m;
}

static int make_fronts(ns_ctx *c, ns_arena *a, const graph *g, const int *order, fronts *f)
{
  size_t n = (size_t)g->n;
  int rc, *mark, *work;
  f->n = g->n;
  if ((rc = get(a, c, n, sizeof(int), &f->place)) || (rc = get(a, c, n, sizeof(int), &f->parent)) ||
      (rc = get(a, c, n, sizeof(int), &f->child)) ||
      (rc = get(a, c, n, sizeof(int), &f->sibling)) || (rc = get(a, c, n, sizeof(int), &f->own)) ||
      (rc = get(a, c, n, sizeof(int), &f->head)) || (rc = get(a, c, n, sizeof(int), &f->next)) ||
      (rc = get(a, c, n, sizeof(int *), &f->border)) ||
      (rc = get(a, c, n, sizeof(int), &f->size)) || (rc = get(a, c, n, sizeof(int), &mark)) ||
      (rc = get(a, c, n, sizeof(int), &work)))
    return rc;
  for (int k = 0; k < f->n; k++) {
    f->place[order[k]] = k;
    f->parent[k] = f->child[k] = f->sibling[k] = f->next[k] = -1;
    f->head[k] = k;
    f->own[k] = 1;
  }
  for (int k = 0; k < f->n; k++) {
    if ((rc = gather_border(c, a, g, order, f, k, mark, work))) return rc;
    merge_children(f, k);
    if (f->size[k] > 0) {
      int p = f->parent[k] = min(f->size[k], f->border[k]);
      f->sibling[k] = f->child[p];
      f->child[p] = k;
    }
  }
  f->cost = 0;
  for (int k = 0; k < f->n; k++)
    if (f->own[k]) f->cost += front_cost(f->own[k], f->own[k] + f->size[k]);
  return NS_OK;
}

/* ---- the tree as it is handed out ------------------------------------------------------------ */

/* Fronts in postorder: list [nf] of the columns that name them; returns nf. */
static int postorder(const fronts *f, int *list, int *stack)
{
  int nf = 0;
  for (int root = 0; root < f->n; root++) {
    if (!f->own[root] || f->parent[root] >= 0) continue;
    int top = 0, start = nf;
    stack[top++] = root;
    while (top > 0) { /* parents first, then the list is turned round */
      int k = stack[--top];
      list[nf++] = k;
      for (int s = f->child[k]; s >= 0; s = f->sibling[s]) stack[top++] = s;
    }
    for (int i = start, j = nf - 1; i < j; i++, j--) ns_swap_ints(&list[i], &list[j]);
  }
  return nf;
}

/* Local index of place p in front f. */
static int local(const ns_lu_tree *t, int f, int p)
{
  if (p < t->first[f + 1]) return p - t->first[f];
  const int *start = t->at + t->border[f];
  const int *found = bsearch(&p, start, (size_t)(t->border[f + 1] - t->border[f]), sizeof p,
                             ns_ascending);
  return found ? t->first[f + 1] - t->first[f] + (int)(found - start) : -1;
}

static int lay_out(ns_ctx *c, ns_arena *work, ns_arena *to, const int *order, const fronts *f,
                   ns_lu_tree *t)
{
  size_t n = (size_t)f->n;
  int rc, *list, *stack, *name;
  if ((rc = get(work, c, n, sizeof(int), &list)) || (rc = get(work, c, n, sizeof(int), &stack)) ||
      (rc = get(work, c, n, sizeof(int), &name)))
    return rc;
  t->n = f->n;
  t->cost = f->cost;
  t->nf = postorder(f, list, stack);
  size_t nf = (size_t)t->nf, borders = 0;
  for (int i = 0; i < t->nf; i++) borders += (size_t)f->size[list[i]];
  if (borders > INT_MAX)
    return ns_fail_below(c, NS_NUMERIC,
                         "sparse LU: %d rows have factors with too many entries; "
                         "use another solver",
                         t->n);
  if ((rc = get(to, c, n, sizeof(int), &t->order)) ||
      (rc = get(to, c, n, sizeof(int), &t->place)) ||
      (rc = get(to, c, n, sizeof(int), &t->front)) ||
      (rc = get(to, c, nf + 1, sizeof(int), &t->first)) ||
      (rc = get(to, c, nf, sizeof(int), &t->parent)) ||
      (rc = get(to, c, nf, sizeof(int), &t->child)) ||
      (rc = get(to, c, nf, sizeof(int), &t->sibling)) ||
      (rc = get(to, c, nf + 1, sizeof(int), &t->border)) ||
      (rc = get(to, c, borders, sizeof(int), &t->at)) ||
      (rc = get(to, c, borders, sizeof(int), &t->into)))
    return rc;
  int p = 0;
  for (int i = 0; i < t->nf; i++) {
    name[list[i]] = i;
    t->first[i] = p;
    t->child[i] = t->sibling[i] = t->parent[i] = -1;
    for (int k = f->head[list[i]]; k >= 0; k = f->next[k]) {
      t->order[p] = order[k];
      t->front[p] = i;
      t->place[order[k]] = p++;
    }
  }
  t->first[t->nf] = p;
  for (int i = t->nf - 1; i >= 0; i--) { /* backwards: children ascend in their lists */
    int k = list[i];
    if (f->parent[k] < 0) continue;
    t->parent[i] = name[f->parent[k]];
    t->sibling[i] = t->child[t->parent[i]];
    t->child[t->parent[i]] = i;
  }
  for (int i = 0; i < t->nf; i++) {
    const int *b = f->border[list[i]];
    int size = f->size[list[i]], *at = t->at + t->border[i];
    for (int j = 0; j < size; j++) at[j] = t->place[order[b[j]]];
    qsort(at, (size_t)size, sizeof *at, ns_ascending);
    t->border[i + 1] = t->border[i] + size;
  }
  for (int i = 0; i < t->nf; i++)
    for (int j = t->border[i]; j < t->border[i + 1]; j++)
      t->into[j] = local(t, t->parent[i], t->at[j]);
  return NS_OK;
}

static int create(ns_ctx *c, ns_arena *work, const ns_blocks *structure, ns_arena *to,
                  ns_lu_tree *t)
{
  graph g;
  int rc, *order[2];
  fronts f[2] = {{0}, {0}};
  if ((rc = make_graph(c, work, structure, &g)) ||
      (rc = get(work, c, (size_t)g.n, sizeof(int), &order[0])) ||
      (rc = get(work, c, (size_t)g.n, sizeof(int), &order[1])) ||
      (rc = dissect(c, work, &g, order[0])) || (rc = make_fronts(c, work, &g, order[0], &f[0])))
    return rc;
  int amd = amd_order(g.n, g.ptr, g.adj, order[1], NULL, NULL);
  if (amd == AMD_OUT_OF_MEMORY) return ns_nomem(c, "ordering of a sparse matrix");
  if (amd < AMD_OK)
    return ns_fail_below(c, NS_NUMERIC, "sparse LU: the structure given is not a matrix");
  if ((rc = make_fronts(c, work, &g, order[1], &f[1]))) return rc;
  int k = f[0].cost > PREFERENCE * f[1].cost;
  return lay_out(c, work, to, order[k], &f[k], t);
}

int ns_lu_tree_create(ns_ctx *c, const ns_blocks *structure, ns_arena *to, ns_lu_tree *t)
{
  ns_arena *work = ns_arena_create(0, 1);
  int rc = work ? create(c, work, structure, to, t) : ns_nomem(c, "ordering of a sparse matrix");
  ns_arena_destroy(work);
  return rc;
}
