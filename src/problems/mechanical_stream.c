/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "problems/mechanical_stream.h"

#include <float.h>
#include <math.h>
#include <string.h>

int ns_stream_get(ns_arena *mem, const ns_blocks *W, const unsigned char *kind, ns_stream *s)
{
  size_t nb = (size_t)W->nb, pairs = (size_t)W->row[W->nb];
  int d = W->nb ? W->dim[0] : 0;
  *s = (ns_stream){0};
  for (int a = 0; a < W->nb; a++)
    if (W->dim[a] != d || (kind && kind[a] != NS_BLOCK_FRICTION)) return 1;
  if (d < 2 || (size_t)d * nb > 0x7fffffff) return 1;
  const ns_array want[] = {{&s->place, nb, sizeof *s->place},
                           {&s->row, nb, sizeof *s->row},
                           {&s->col, pairs, sizeof *s->col},
                           {&s->val, (size_t)(d * d) * pairs, sizeof *s->val},
                           {&s->q, (size_t)d * nb, sizeof *s->q},
                           {&s->r, (size_t)d * nb, sizeof *s->r},
                           {&s->plane, d == 2 ? nb : 0, sizeof *s->plane},
                           {&s->space, d == 2 ? 0 : nb, sizeof *s->space}};
  s->d = d;
  return !ns_arena_arrays(mem, want, sizeof want / sizeof *want);
}

static ns_stream_plane plane_of(const ns_contact *k)
{
  ns_stream_plane c = {.mu = k->mu};
  double f = k->over != 0 ? k->over : NAN;
  c.stick[0] = -k->W[3] * f;
  c.stick[1] = k->W[2] * f;
  c.stick[2] = k->W[1] * f;
  c.stick[3] = -k->W[0] * f;
  for (int j = 0; j < 2; j++) {
    double mu = j ? -k->mu : k->mu, a = k->W[0] + mu * k->W[2];
    c.over[j] = a > DBL_EPSILON * k->scale ? 1 / a : NAN;
    c.rise[j] = k->W[1] + mu * k->W[3];
  }
  return c;
}

void ns_stream_load(ns_stream *s, const ns_blocks *W, const ns_contact *k, const int *order)
{
  int at = 0, dd = s->d * s->d;
  s->order = order;
  for (int i = 0; i < W->nb; i++) s->place[order[i]] = i;
  for (int i = 0; i < W->nb; i++) {
    int a = order[i];
    s->row[i] = at;
    for (int b = W->row[a]; b < W->row[a + 1]; b++) {
      if (W->col[b] == a) continue;
      s->col[at] = s->d * s->place[W->col[b]];
      memcpy(s->val + (size_t)dd * (size_t)at++, W->val + W->off[b], (size_t)dd * sizeof *s->val);
    }
    if (s->d == 2) s->plane[i] = plane_of(&k[a]);
    else s->space[i] = k[a];
  }
  s->row[W->nb] = at;
}

void ns_stream_begin(ns_stream *s, const ns_mechanical *p, const double *r)
{
  size_t d = (size_t)s->d, bytes = d * sizeof *r;
  for (size_t i = 0; i < (size_t)p->W->nb; i++) {
    memcpy(s->q + d * i, p->q + d * (size_t)s->order[i], bytes);
    memcpy(s->r + d * i, r + d * (size_t)s->order[i], bytes);
  }
}

void ns_stream_end(const ns_stream *s, int nb, double *r)
{
  size_t d = (size_t)s->d, bytes = d * sizeof *r;
  for (size_t i = 0; i < (size_t)nb; i++) memcpy(r + d * (size_t)s->order[i], s->r + d * i, bytes);
}

/* Two numbers side by side. */
typedef double pair __attribute__((vector_size(16)));

static inline pair load(const double *x)
{
  pair p;
  memcpy(&p, x, sizeof p);
  return p;
}

/* Which case fits is not to be foretold: all of them are computed and one is picked without a
 * branch. 1 where one fits. */
static inline int solve_plane(const ns_stream_plane *c, double qn, double qt, double *r)
{
  double n = c->stick[0] * qn + c->stick[1] * qt, t = c->stick[2] * qn + c->stick[3] * qt;
  double plus = -qn * c->over[0], minus = -qn * c->over[1];
  int away = qn >= 0, stick = (n >= 0) & (fabs(t) <= c->mu * n);
  int forth = (plus >= 0) & (qt + c->rise[0] * plus <= 0),
      back = (minus >= 0) & (qt + c->rise[1] * minus >= 0);
  int turned = t < 0 ? back : !forth; /* first the side on which sticking leaves the cone */
  double slip = turned ? minus : plus, along = turned ? -c->mu : c->mu;
  if (!(away | stick | forth | back)) return 0;
  n = stick ? n : slip;
  t = stick ? t : along * slip;
  r[0] = away ? 0 : n;
  r[1] = away ? 0 : t;
  return 1;
}

static void sweep_plane(ns_stream *s, const ns_contact *k, int from, int to)
{
  double *r = s->r;
  const double *B = s->val + 4 * (size_t)s->row[from];
  for (int i = from; i < to; i++) {
    pair a = load(s->q + 2 * i), b = {0, 0};
    for (const int *c = s->col + s->row[i], *end = s->col + s->row[i + 1]; c < end; c++, B += 4) {
      const double *x = r + *c;
      a += load(B) * x[0];
      b += load(B + 2) * x[1];
    }
    a += b;
    double q[2] = {a[0], a[1]};
    if (!solve_plane(&s->plane[i], q[0], q[1], r + 2 * i))
      ns_contact_solve_plane(&k[s->order[i]], q, r + 2 * i);
  }
}

static void sweep_space(ns_stream *s, int from, int to)
{
  double *r = s->r;
  const double *B = s->val + 9 * (size_t)s->row[from];
  for (int i = from; i < to; i++) {
    double q[3], was[3], *x = r + 3 * i;
    memcpy(q, s->q + 3 * i, sizeof q);
    for (const int *c = s->col + s->row[i], *end = s->col + s->row[i + 1]; c < end; c++, B += 9) {
      const double *y = r + *c;
      for (int j = 0; j < 3; j++) q[j] += B[j] * y[0] + B[j + 3] * y[1] + B[j + 6] * y[2];
    }
    if (ns_contact_cases_space(&s->space[i], q, x)) continue;
    memcpy(was, x, sizeof was);
    /* worse than nothing: next sweep */
    if (!(ns_contact_solve_space(&s->space[i], q, x) < 1)) memcpy(x, was, sizeof was);
  }
}

void ns_stream_sweep(ns_stream *s, const ns_contact *k, int from, int to)
{
  if (from >= to) return;
  if (s->d == 2) sweep_plane(s, k, from, to);
  else sweep_space(s, from, to);
}
