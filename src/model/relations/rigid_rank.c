/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/relations/rigid_rank.h"

#include "algebra/vector.h"
#include "base/grow.h"
#include "base/sets.h"
#include "model/relations/output.h"
#include "model/relations/rigid_relation.h"
#include "model/state.h"
#include "model/systems/rigid_body.h"

#include <stdlib.h>
#include <string.h>

/* ---- rank of rows ---------------------------------------------------------------------------- */

static void swap_rows(int n, double *a, double *b)
{
  for (int j = 0; j < n && a != b; j++) ns_swap(&a[j], &b[j]);
}

/* The longest of rows [from, m). */
static int longest(int from, int m, int n, const double *a, double *length)
{
  int best = from;
  *length = 0;
  for (int r = from; r < m; r++) {
    double d = ns_norm((size_t)n, a + (size_t)r * (size_t)n);
    if (!(d > *length)) continue;
    *length = d;
    best = r;
  }
  return best;
}

int ns_rank_of_rows(int m, int n, double *a)
{
  size_t w = (size_t)n;
  double length;
  for (int r = 0; r < m; r++) {
    double d = ns_norm(w, a + (size_t)r * w);
    if (d > 0) ns_scale((size_t)n, 1 / d, a + (size_t)r * w);
  }
  for (int k = 0; k < m; k++) {
    double *pivot = a + (size_t)k * w;
    swap_rows(n, pivot, a + (size_t)longest(k, m, n, a, &length) * w);
    if (length <= 1e-9) return k;
    ns_scale((size_t)n, 1 / length, pivot);
    for (int r = k + 1; r < m; r++) {
      double *row = a + (size_t)r * w, along = ns_dot(w, row, pivot);
      ns_axpy((size_t)n, -along, pivot, row);
    }
  }
  return m;
}

/* ---- mechanisms: bodies that constraints hold together --------------------------------------- */

/* Of each body: one of its mechanism, the root of all of them; and its columns among theirs. Of a
 * root: the extent of its mechanism and its constraints, first and next; -1 ends. */
typedef struct mechanisms {
  int *parent, *column, *rows, *columns, *first;
  int *next; /* of each interaction */
} mechanisms;

static void unite(const ns_model *m, int *parent)
{
  ns_sets_begin(parent, m->nsystems);
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    for (int k = 1; k < it->nsystems && ns_law_is_equality(&it->law, it->m); k++)
      ns_sets_join(parent, it->systems[k], it->systems[0]);
  }
}

static void measure(const ns_model *m, mechanisms *k)
{
  ns_fill_ints((size_t)m->nsystems, -1, k->first);
  for (int i = 0; i < m->nsystems; i++) {
    int r = ns_sets_root(k->parent, i);
    k->column[i] = k->columns[r];
    k->columns[r] += m->systems[i].n;
  }
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (!ns_law_is_equality(&it->law, it->m)) continue;
    int r = ns_sets_root(k->parent, it->systems[0]);
    k->rows[r] += it->m;
    k->next[i] = k->first[r];
    k->first[r] = i;
  }
}

/* ---- their rows ------------------------------------------------------------------------------ */

typedef struct scratch {
  double *q, *z, *y, *G, *shift, *work, *mass;
  unsigned char *held; /* velocities that are prescribed [nv] */
} scratch;

/* Rows of one constraint to rows of width w: its columns to those of its bodies, divided by roots
 * of masses and moments. Impulses do not move what is held: its columns stay zero. */
static void add_rows(const ns_model *m, const mechanisms *k, const ns_interaction *it, scratch *s,
                     int w, double *rows)
{
  const double *G = s->G;
  for (int b = 0; b < it->nsystems; b++) {
    const ns_system *body = &m->systems[it->systems[b]];
    double *to = rows + k->column[it->systems[b]];
    ns_rigid_mass(body, s->mass);
    for (int j = 0; j < body->n; j++, G += it->m)
      for (int r = 0; r < it->m && !s->held[body->v + (size_t)j]; r++)
        to[(size_t)r * (size_t)w + (size_t)j] += G[r] / sqrt(s->mass[j * (body->n + 1)]);
  }
}

static int rank_of(const ns_model *m, ns_ctx *c, const mechanisms *k, int r, scratch *s, int *rank)
{
  int w = k->columns[r], filled = 0, rc = NS_OK;
  double *rows = calloc((size_t)k->rows[r] * (size_t)w + 1, sizeof *rows);
  if (!rows) return ns_nomem(c, "rank of the constraints");
  for (int i = k->first[r]; i >= 0 && !rc; i = k->next[i]) {
    const ns_interaction *it = &m->interactions[i];
    rc = ns_interaction_rows(m, c, it, m->sim.t0, s->q, s->z, NULL, s->work, s->y, s->G, s->shift);
    if (!rc) add_rows(m, k, it, s, w, rows + (size_t)filled * (size_t)w);
    filled += it->m;
  }
  *rank = rc ? 0 : ns_rank_of_rows(filled, w, rows);
  free(rows);
  return rc;
}

static int add_ranks(const ns_model *m, ns_ctx *c, const mechanisms *k, scratch *s, int *rows,
                     int *rank)
{
  int rc = NS_OK, one = 0;
  for (int i = 0; i < m->nsystems; i++) *rows += k->rows[i];
  for (int i = 0; i < m->nsystems; i++)
    if (k->rows[i] > NS_RIGID_RANK_MAX) {
      *rank = -1;
      return NS_OK;
    }
  for (int i = 0; i < m->nsystems && !rc; i++) {
    if (!k->rows[i]) continue;
    rc = rank_of(m, c, k, i, s, &one);
    *rank += one;
  }
  return rc;
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

int ns_rigid_rank(const ns_model *m, ns_ctx *c, int *rows, int *rank)
{
  size_t n = (size_t)m->nsystems, max = ns_output_work_max(m), area = 0, high = 0;
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    area = larger(area, (size_t)it->m * (size_t)it->nV);
    high = larger(high, (size_t)it->m);
  }
  *rows = *rank = 0;
  int *ints = calloc(5 * n + (size_t)m->ninteractions + 1, sizeof *ints), rc;
  double *numbers = calloc(m->nq + m->nz + 2 * high + area + max + 36, sizeof *numbers);
  unsigned char *held = calloc(m->nv + 1, 1);
  if (ints && numbers && held) {
    mechanisms k = {ints, ints + n, ints + 2 * n, ints + 3 * n, ints + 4 * n, ints + 5 * n};
    scratch s = {.mass = numbers, .q = numbers + 36, .held = held};
    ns_model_mark_held(m, held);
    s.z = s.q + m->nq, s.y = s.z + m->nz, s.shift = s.y + high, s.G = s.shift + high,
    s.work = s.G + area;
    ns_state_initial(m, s.q, NULL, s.z);
    unite(m, k.parent);
    measure(m, &k);
    rc = add_ranks(m, c, &k, &s, rows, rank);
  } else rc = ns_nomem(c, "rank of the constraints");
  NS_FREE(ints, numbers, held);
  return rc;
}
