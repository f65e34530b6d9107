/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Laying out a part for sweeps: bodies, colours, memory. */
#include "problems/multibody_sweep.h"

#include "algebra/four.h"

#include <limits.h>
#include <stdatomic.h>
#include <string.h>

/* Up to so many blocks keep their order; more in the plane, where a column of grains that collapses
 * takes a fifth more sweeps by colours, and with joints, whose chains need it more than contacts.
 * Colours beside the last one. */
enum { NATURAL_BLOCKS = 80, NATURAL_MORE = 500, WORD = 64, WORDS = 2, COLOURS = WORD * WORDS };
/* Clusters that are worth it: fewer fit into the cache anyway. */
enum { CLUSTERS_MIN = 4 };

/* ---- bodies and colours ---------------------------------------------------------------------- */

/* Bodies numbered anew in the order of the curve. */
static int number_along(const ns_multibody *p, int *number, ns_arena *a, ns_sweep *s)
{
  size_t n = (size_t)p->nbodies;
  ns_mark mark = ns_arena_mark(a);
  int *at = ns_arena_get(a, n, sizeof *at); /* of each place on the curve, -1: not of the part */
  if (!at) return 0;
  memset(at, -1, n * sizeof *at);
  for (int i = 0; i < s->nbodies; i++) at[p->along[s->body[i]]] = s->body[i];
  s->nbodies = 0;
  for (size_t i = 0; i < n; i++) {
    if (at[i] < 0) continue;
    number[at[i]] = s->nbodies;
    s->body[s->nbodies++] = at[i];
  }
  ns_arena_release(a, mark);
  return 1;
}

/* Bodies of the part, numbered as they are met, or along a curve. */
static int number_bodies(const ns_multibody *p, ns_multibody_part part, int *number, ns_arena *a,
                         ns_sweep *s)
{
  s->nbodies = 0;
  if (!(s->body = ns_arena_get(a, (size_t)(2 * part.n < p->nbodies ? 2 * part.n : p->nbodies),
                               sizeof *s->body)))
    return 0;
  for (int k = 0; k < 2 * part.n; k++) {
    int body = p->body[2 * part.block[k / 2] + k % 2];
    if (body < 0 || number[body] != -1) continue;
    s->body[s->nbodies] = body;
    number[body] = s->nbodies++;
  }
  if (p->along && s->nbodies >= CLUSTERS_MIN * NS_CLUSTER_BODIES) {
    s->nclusters = (s->nbodies + NS_CLUSTER_BODIES - 1) / NS_CLUSTER_BODIES;
    return number_along(p, number, a, s);
  }
  return 1;
}

/* The least colour that neither body has, COLOURS where both have all. */
static int min_free(const unsigned long long *i, const unsigned long long *j)
{
  for (int w = 0; w < WORDS; w++) {
    unsigned long long used = (i ? i[w] : 0) | (j ? j[w] : 0);
    if (~used) return w * WORD + __builtin_ctzll(~used);
  }
  return COLOURS;
}

/* What a visit is sorted by: many are moved twice, a visit itself is large. */
typedef struct sorted {
  int block, body[2];
} sorted;

/* Colours of the visits from .. to-1, added to those that their bodies have already: colour [n];
 * many [COLOURS + 1] counts them. natural: none has one. */
static void colours(const sorted *x, int from, int to, int natural, unsigned long long *used,
                    int *colour, int *many)
{
  for (int k = from; k < to; k++) {
    unsigned long long *of[2] = {NULL, NULL};
    for (int e = 0; e < 2; e++)
      if (x[k].body[e] >= 0) of[e] = used + WORDS * (size_t)x[k].body[e];
    int c = colour[k] = natural ? COLOURS : min_free(of[0], of[1]);
    for (int e = 0; e < 2; e++)
      if (of[e] && c < COLOURS) of[e][c / WORD] |= 1ull << c % WORD;
    many[c]++;
  }
}

/* Where visits go. */
typedef struct placing {
  const unsigned char *law; /* of each block */
  ns_visit *to;
  int n;    /* so far */
  int last; /* behind those of the last colour, which are placed from the end */
} placing;

/* The visits old[from .. to-1] by their colours, of one colour those between two bodies that move
 * first; those of the last colour at the end of all. end [COLOURS + 1]: where each ends; NULL. */
static void place(const sorted *old, int from, int to, const int *colour, const int *many,
                  placing *x, int *end)
{
  int at[COLOURS], back[COLOURS];
  for (int c = 0; c < COLOURS; c++) {
    at[c] = x->n;
    back[c] = x->n += many[c];
    if (end) end[c] = x->n;
  }
  x->last -= many[COLOURS];
  for (int k = from, last = x->last; k < to; k++) {
    int c = colour[k], i = old[k].body[0], j = old[k].body[1], is_pair = i >= 0 && j >= 0;
    x->to[c == COLOURS ? last++
          : is_pair    ? at[c]++
                       : --back[c]] = (ns_visit){
        .block = old[k].block, .body = {i, j}, .law = x->law[old[k].block]};
  }
  for (int c = COLOURS - 1, begin = x->n; c >= 0; c--) {
    begin -= many[c];
    if (many[c]) x->to[begin].begins = 1;
  }
}

/* Cluster of the bodies of a visit; where there are two, the number of clusters plus the first. */
static int cluster_of(const ns_sweep *s, const sorted *x)
{
  int i = x->body[0] / NS_CLUSTER_BODIES, j = x->body[1] / NS_CLUSTER_BODIES;
  if (x->body[0] < 0 && x->body[1] < 0) return 0;
  if (x->body[0] < 0) return j;
  if (x->body[1] < 0 || i == j) return i;
  return s->nclusters + (i < j ? i : j);
}

/* x [n] in the order of their clusters, those between clusters last, of each what was first first;
 * s->cluster: where those of each begin. */
static int by_clusters(ns_arena *a, ns_sweep *s, sorted *x)
{
  int n = s->nclusters;
  ns_mark mark = ns_arena_mark(a);
  int *at = ns_arena_zero(a, 2 * (size_t)n + 1, sizeof *at);
  sorted *old = ns_arena_copy(a, x, (size_t)s->n, sizeof *old);
  if (!at || !old) return 0;
  for (int k = 0; k < s->n; k++) at[1 + cluster_of(s, &old[k])]++;
  for (int k = 0; k < 2 * n; k++) at[k + 1] += at[k];
  memcpy(s->cluster, at, ((size_t)n + 1) * sizeof *at);
  for (int k = 0; k < s->n; k++) x[at[cluster_of(s, &old[k])]++] = old[k];
  ns_arena_release(a, mark);
  return 1;
}

static int keeps_order(const ns_multibody *p, ns_multibody_part part)
{
  int more = p->dof < 6 || ns_multibody_has_joints(p, part);
  return part.n <= (more ? NATURAL_MORE : NATURAL_BLOCKS);
}

/* Visits of what is sorted, by colours: those of each cluster by itself, then those between
 * clusters; end [COLOURS + 1] of the latter. natural: none has a colour. */
static int by_colours(const ns_multibody *p, int natural, ns_arena *a, ns_sweep *s,
                      const sorted *all, int *end)
{
  int many[COLOURS + 1];
  size_t words = (size_t)s->nbodies * WORDS;
  int *colour = ns_arena_get(a, (size_t)s->n, sizeof *colour);
  unsigned long long *used = ns_arena_zero(a, words, sizeof *used);
  if (!colour || !used) return 0;
  placing x = {.law = p->kind, .to = s->visit, .last = s->n};
  for (int k = 0; k < s->nclusters; k++) {
    int from = s->cluster[k], to = s->cluster[k + 1];
    memset(many, 0, sizeof many);
    colours(all, from, to, 0, used, colour, many);
    s->cluster[k] = x.n;
    place(all, from, to, colour, many, &x, NULL);
  }
  int from = 0;
  if (s->nclusters) {
    from = s->cluster[s->nclusters];
    s->cluster[s->nclusters] = x.n;
    memset(used, 0, words * sizeof *used);
  }
  memset(many, 0, sizeof many);
  colours(all, from, s->n, natural, used, colour, many);
  place(all, from, s->n, colour, many, &x, end);
  return 1;
}

/* Where colours begin; those without visits are left out, but for the last one. */
static void begin_colours(ns_sweep *s, const int *end)
{
  int n = 0;
  s->begin[0] = 0;
  if (s->nclusters) s->begin[++n] = s->cluster[s->nclusters];
  for (int c = 0; c < COLOURS; c++)
    if (end[c] > s->begin[n]) {
      s->begin[n + 1] = end[c];
      n++;
    }
  s->begin[n + 1] = s->n;
  s->ncolours = n + 1;
}

/* Blocks in the order of clusters and colours, and the bodies of each. */
static int arrange(const ns_multibody *p, ns_multibody_part part, const int *number, ns_arena *a,
                   ns_sweep *s)
{
  int end[COLOURS];
  s->n = part.n;
  s->visit = ns_arena_get(a, (size_t)part.n, sizeof *s->visit);
  s->begin = ns_arena_zero(a, COLOURS + 4, sizeof *s->begin);
  s->cluster = ns_arena_get(a, (size_t)s->nclusters + 1, sizeof *s->cluster);
  ns_mark mark = ns_arena_mark(a);
  sorted *x = ns_arena_get(a, (size_t)part.n, sizeof *x);
  if (!s->visit || !s->begin || !s->cluster || !x) return 0;
  for (int k = 0; k < part.n; k++) {
    x[k].block = part.block[k];
    for (int e = 0; e < 2; e++) {
      int body = p->body[2 * part.block[k] + e];
      x[k].body[e] = body < 0 || number[body] < 0 ? -1 : number[body];
    }
  }
  if ((s->nclusters && !by_clusters(a, s, x)) || !by_colours(p, keeps_order(p, part), a, s, x, end))
    return 0;
  begin_colours(s, end);
  ns_arena_release(a, mark);
  return 1;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Of what has one entry for each row or body, and where the rows of a visit begin. */
static int get_rows(const ns_multibody *p, ns_arena *a, ns_sweep *s)
{
  int boxes = 0;
  s->rows = 0;
  for (int k = 0; k < s->n; k++) {
    ns_visit *x = &s->visit[k];
    x->at = s->rows;
    x->from = 2 * (size_t)s->dof * (size_t)s->rows;
    x->d = (unsigned char)ns_multibody_dim(p, x->block);
    s->rows += x->d;
    boxes |= p->lb && x->law == NS_BLOCK_BOX;
  }
  size_t m = (size_t)s->rows;
  s->q = ns_arena_get(a, m, sizeof *s->q);
  s->r = ns_arena_zero(a, m, sizeof *s->r);
  s->lb = boxes ? ns_arena_get(a, m, sizeof *s->lb) : NULL;
  s->ub = boxes ? ns_arena_get(a, m, sizeof *s->ub) : NULL;
  s->y = ns_arena_zero(a, (size_t)s->nbodies * NS_SWEEP_STRIDE, sizeof *s->y);
  return s->q && s->r && (!boxes || (s->lb && s->ub)) && s->y;
}

/* W^-1 of a body is diag(a, a, a, b, b, b), in the plane diag(a, a, b), but for rounding. */
static int is_round(const ns_multibody *p, int body, double *ab)
{
  int dof = p->dof, linear = dof == 6 ? 3 : 2, next = p->diagonal ? 1 : dof + 1;
  const double *W = p->inverse + (size_t)dof * (size_t)body * (p->diagonal ? 1 : (size_t)dof);
  double off = 0, a = W[0], b = W[(dof - 1) * next];
  for (int j = 0; j < dof; j++) {
    off += fabs(W[j * next] - (j < linear ? a : b));
    for (int i = 0; i < j && !p->diagonal; i++) off += fabs(W[i + j * dof]) + fabs(W[j + i * dof]);
  }
  ab[0] = a;
  ab[1] = b;
  return off <= 1e-14 * fmin(a, b);
}

/* ---- visits, by the team --------------------------------------------------------------------- */

typedef struct job {
  const ns_multibody *p;
  ns_sweep *s;
  ns_team *team;
  double *factor;    /* of bodies that are not round, or their inverses [nbodies][dof x dof] */
  atomic_int odd;    /* a body is not round */
  atomic_int scaled; /* ns_sweep.scaled */
} job;

/* a and b of bodies from .. to-1 beside their y. */
static void look_round(void *data, int from, int to)
{
  job *j = data;
  for (int i = from; i < to; i++)
    if (!is_round(j->p, j->s->body[i], j->s->y + NS_SWEEP_STRIDE * i + NS_SWEEP_A)) {
      atomic_store_explicit(&j->odd, 1, memory_order_relaxed);
      return;
    }
}

static void describe(void *data, int from, int to)
{
  job *j = data;
  for (int k = from; k < to; k++)
    if (ns_visit_describe(j->p, j->factor, j->s, &j->s->visit[k]))
      atomic_store_explicit(&j->scaled, 1, memory_order_relaxed);
}

static void fill(void *data, int from, int to)
{
  const job *j = data;
  for (int k = from; k < to; k++) ns_visit_fill(j->p, j->s, &j->s->visit[k]);
}

static void by_all(job *j, void (*work)(void *data, int from, int to))
{
  ns_team_each(j->team, j->s->n, 0, work, j);
}

static double *factors(const ns_multibody *p, ns_arena *a, const ns_sweep *s)
{
  size_t dd = (size_t)(s->dof * s->dof);
  double *F = ns_arena_get(a, dd * (size_t)s->nbodies, sizeof *F);
  for (int i = 0; F && i < s->nbodies; i++) {
    double B[36];
    const double *A = ns_multibody_inverse(p, s->body[i], B);
    if (p->symmetric) ns_multibody_root(s->dof, A, F + dd * (size_t)i);
    else memcpy(F + dd * (size_t)i, A, dd * sizeof *F);
  }
  return F;
}

/* K and L as wide as the rows. */
static int describe_scaled(job *j, ns_arena *a)
{
  ns_sweep *s = j->s;
  size_t wide = 2 * (size_t)s->dof * (size_t)s->rows;
  for (int i = 0; i < s->nbodies; i++)
    s->y[NS_SWEEP_STRIDE * i + NS_SWEEP_A] = s->y[NS_SWEEP_STRIDE * i + NS_SWEEP_B] = 1;
  s->K = ns_arena_zero(a, wide, sizeof *s->K);
  s->L = j->p->symmetric ? s->K : ns_arena_zero(a, wide, sizeof *s->L);
  if (!s->K || !s->L) return 0;
  ns_mark mark = ns_arena_mark(a);
  int got = (j->factor = factors(j->p, a, s)) != NULL;
  if (got) by_all(j, describe);
  ns_arena_release(a, mark);
  return got && (!j->p->symmetric || ns_sweep_pack(s, a));
}

/* K = L as wide as what is told of each visit; packs of round bodies have their own. */
static int describe_round(job *j, ns_arena *a)
{
  ns_sweep *s = j->s;
  size_t capacity = 0;
  for (int k = 0; k < s->n && s->dof == 6; k++) ns_visit_take_axes(j->p, s, &s->visit[k]);
  by_all(j, describe);
  s->scaled = atomic_load_explicit(&j->scaled, memory_order_relaxed);
  if (!ns_sweep_pack(s, a)) return 0;
  for (int k = 0; k < s->n; k++) {
    if (s->visit[k].packed && s->visit[k].kind != NS_VISIT_POINT) continue;
    s->visit[k].from = capacity;
    capacity += ns_visit_entries(s, &s->visit[k]);
  }
  return (s->K = s->L = ns_arena_get(a, capacity, sizeof *s->K)) != NULL;
}

int ns_sweep_load(const ns_multibody *p, ns_multibody_part part, const ns_contact_solver *contact,
                  int *number, ns_team *team, ns_arena *a, ns_sweep *s)
{
  int got;
  size_t capacity = 0;
  job j = {.p = p, .s = s, .team = team};
  *s = (ns_sweep){
      .dof = p->dof, .contact = contact && contact->solve ? contact : NULL, .wide = ns_has_wide()};
  got = number_bodies(p, part, number, a, s) && arrange(p, part, number, a, s) && get_rows(p, a, s);
  for (int i = 0; s->body && i < s->nbodies; i++) number[s->body[i]] = -1;
  if (!got) return 0;
  ns_team_each(team, s->nbodies, 0, look_round, &j);
  s->round = !atomic_load_explicit(&j.odd, memory_order_relaxed);
  if (!(s->round ? describe_round(&j, a) : describe_scaled(&j, a))) return 0;
  for (int k = 0; k < s->n; k++) {
    s->visit[k].local = (unsigned)capacity;
    capacity += ns_visit_capacity(&s->visit[k]);
  }
  if (capacity > UINT_MAX || !(s->local = ns_arena_get(a, capacity, sizeof *s->local))) return 0;
  by_all(&j, fill);
  for (int i = 0; i < s->nbodies; i++)
    memset(s->y + NS_SWEEP_STRIDE * i, 0, NS_SWEEP_A * sizeof *s->y); /* axes of round bodies */
  return 1;
}
