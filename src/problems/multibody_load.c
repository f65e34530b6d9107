/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Laying out a part for sweeps: bodies, colours, memory. */
#include "problems/multibody_sweep.h"

#include <stdatomic.h>
#include <string.h>

/* Up to so many blocks keep their order. Colours beside the last one. */
enum { NATURAL_BLOCKS = 500, WORD = 64, WORDS = 2, COLOURS = WORD * WORDS };

/* ---- bodies and colours ---------------------------------------------------------------------- */

/* Bodies of the part, numbered as they are met. */
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
  return 1;
}

/* The least colour that neither body has, COLOURS where both have all. */
static int least_free(const unsigned long long *i, const unsigned long long *j)
{
  for (int w = 0; w < WORDS; w++) {
    unsigned long long used = (i ? i[w] : 0) | (j ? j[w] : 0);
    if (~used) return w * WORD + __builtin_ctzll(~used);
  }
  return COLOURS;
}

/* colour [n] and how many visits each has, begin[c + 1]. */
static int colours(ns_sweep *s, ns_arena *a, int *colour)
{
  unsigned long long *used = ns_arena_zero(a, (size_t)s->nbodies * WORDS, sizeof *used);
  if (!used) return 0;
  for (int k = 0; k < s->n; k++) {
    unsigned long long *of[2] = {NULL, NULL};
    for (int e = 0; e < 2; e++)
      if (s->visit[k].body[e] >= 0) of[e] = used + WORDS * (size_t)s->visit[k].body[e];
    int c = colour[k] = s->n <= NATURAL_BLOCKS ? COLOURS : least_free(of[0], of[1]);
    for (int e = 0; e < 2; e++)
      if (of[e] && c < COLOURS) of[e][c / WORD] |= 1ull << c % WORD;
    s->begin[c + 1]++;
  }
  for (int c = 0; c <= COLOURS; c++) s->begin[c + 1] += s->begin[c];
  return 1;
}

/* Colours without visits are left out, but for the last one. */
static void close_up(ns_sweep *s)
{
  int n = 0;
  for (int c = 0; c < COLOURS; c++)
    if (s->begin[c + 1] > s->begin[c]) s->begin[++n] = s->begin[c + 1];
  s->begin[n + 1] = s->n;
  s->ncolours = n + 1;
}

/* Blocks in the order of their colours, of one colour those between two bodies that move first,
 * and the bodies of each. */
static int arrange(const ns_multibody *p, ns_multibody_part part, const int *number, ns_arena *a,
                   ns_sweep *s)
{
  s->visit = ns_arena_get(a, (size_t)part.n, sizeof *s->visit);
  s->begin = ns_arena_zero(a, COLOURS + 3, sizeof *s->begin);
  s->n = part.n;
  if (!s->visit || !s->begin) return 0;
  ns_mark mark = ns_arena_mark(a); /* what comes is scratch */
  int *colour = ns_arena_get(a, (size_t)part.n, sizeof *colour), at[COLOURS + 1], end[COLOURS + 1];
  for (int k = 0; k < part.n; k++) {
    s->visit[k] = (ns_visit){.block = part.block[k], .law = p->kind[part.block[k]]};
    for (int e = 0; e < 2; e++) {
      int body = p->body[2 * part.block[k] + e];
      s->visit[k].body[e] = body < 0 || number[body] < 0 ? -1 : number[body];
    }
  }
  if (!colour || !colours(s, a, colour)) return 0;
  ns_visit *old = ns_arena_copy(a, s->visit, (size_t)s->n, sizeof *old);
  if (!old) return 0;
  memcpy(at, s->begin, sizeof at);
  memcpy(end, s->begin + 1, sizeof end);
  for (int k = 0; k < s->n; k++) {
    int c = colour[k], is_pair = old[k].body[0] >= 0 && old[k].body[1] >= 0;
    s->visit[is_pair || c == COLOURS ? at[c]++ : --end[c]] = old[k];
  }
  ns_arena_release(a, mark);
  close_up(s);
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
    boxes |= x->law == NS_BLOCK_BOX;
  }
  size_t m = (size_t)s->rows;
  s->q = ns_arena_get(a, m, sizeof *s->q);
  s->r = ns_arena_zero(a, m, sizeof *s->r);
  s->lb = boxes ? ns_arena_get(a, m, sizeof *s->lb) : NULL;
  s->ub = boxes ? ns_arena_get(a, m, sizeof *s->ub) : NULL;
  s->y = ns_arena_zero(a, (size_t)s->nbodies * NS_SWEEP_STRIDE, sizeof *s->y);
  return s->q && s->r && (!boxes || (s->lb && s->ub)) && s->y;
}

/* diag(a, a, a, b, b, b), in the plane diag(a, a, b), but for rounding. */
static int is_round(int dof, const double *W, double *ab)
{
  double off = 0, a = W[0], b = W[dof * dof - 1];
  for (int j = 0; j < dof; j++)
    for (int i = 0; i < dof; i++)
      off += fabs(W[i + j * dof] - (i != j ? 0 : i < (dof == 6 ? 3 : 2) ? a : b));
  ab[0] = a;
  ab[1] = b;
  return off <= 1e-14 * fmin(a, b);
}

/* ---- visits, by the team --------------------------------------------------------------------- */

typedef struct job {
  const ns_multibody *p;
  ns_sweep *s;
  ns_team *team;
  double *factor; /* of bodies that are not round, or their inverses [nbodies][dof x dof] */
  atomic_int odd; /* a body is not round */
} job;

/* a and b of bodies from .. to-1 beside their y. */
static void look_round(void *data, int from, int to)
{
  job *j = data;
  size_t dd = (size_t)(j->s->dof * j->s->dof);
  for (int i = from; i < to; i++)
    if (!is_round(j->s->dof, j->p->inverse + dd * (size_t)j->s->body[i],
                  j->s->y + NS_SWEEP_STRIDE * i + NS_SWEEP_A)) {
      atomic_store_explicit(&j->odd, 1, memory_order_relaxed);
      return;
    }
}

static void describe(void *data, int from, int to)
{
  const job *j = data;
  for (int k = from; k < to; k++) ns_visit_describe(j->p, j->factor, j->s, &j->s->visit[k]);
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
    const double *A = p->inverse + dd * (size_t)s->body[i];
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
    s->y[NS_SWEEP_STRIDE * i + NS_SWEEP_A] = s->y[NS_SWEEP_STRIDE * i + NS_SWEEP_B] = 0;
  s->K = ns_arena_zero(a, wide, sizeof *s->K);
  s->L = j->p->symmetric ? s->K : ns_arena_zero(a, wide, sizeof *s->L);
  if (!s->K || !s->L) return 0;
  ns_mark mark = ns_arena_mark(a);
  int got = (j->factor = factors(j->p, a, s)) != NULL;
  if (got) by_all(j, describe);
  ns_arena_release(a, mark);
  return got;
}

/* K = L as wide as what is told of each visit. */
static int describe_round(job *j, ns_arena *a)
{
  ns_sweep *s = j->s;
  size_t room = 0;
  by_all(j, describe);
  for (int k = 0; k < s->n; k++) {
    s->visit[k].from = room;
    room += ns_visit_entries(s, &s->visit[k]);
  }
  return (s->K = s->L = ns_arena_get(a, room, sizeof *s->K)) != NULL;
}

int ns_sweep_load(const ns_multibody *p, ns_multibody_part part, const ns_contact_solver *contact,
                  int *number, ns_team *team, ns_arena *a, ns_sweep *s)
{
  int got;
  size_t room = 0;
  job j = {.p = p, .s = s, .team = team};
  *s = (ns_sweep){.dof = p->dof, .contact = contact && contact->solve ? contact : NULL};
  got = number_bodies(p, part, number, a, s) && arrange(p, part, number, a, s) && get_rows(p, a, s);
  for (int i = 0; s->body && i < s->nbodies; i++) number[s->body[i]] = -1;
  if (!got) return 0;
  ns_team_each(team, s->nbodies, 0, look_round, &j);
  s->round = !atomic_load_explicit(&j.odd, memory_order_relaxed);
  if (!(s->round ? describe_round(&j, a) : describe_scaled(&j, a))) return 0;
  for (int k = 0; k < s->n; k++) {
    s->visit[k].local = room;
    room += ns_visit_room(&s->visit[k]);
  }
  if (!(s->local = ns_arena_get(a, room, sizeof *s->local))) return 0;
  by_all(&j, fill);
  return ns_sweep_pack(s, a);
}
