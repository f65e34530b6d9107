/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/export/export_bodies.h"

#include <stdio.h>
#include <string.h>

typedef struct search {
  const ns_result_meta *m;
  const char *what;       /* "/q" or "/v" */
  int channel, component; /* where the next body is expected: results have the order of the model */
} search;

static int holds(const char *path, const char *what)
{
  size_t n = strlen(path);
  return strncmp(path, "systems/", 8) == 0 && strcmp(path + n - 2, what) == 0;
}

/* "ball.x", "ball.q[0]" and "ball.v_x" belong to ball. */
static int belongs_to(const char *label, const char *id)
{
  size_t n = strlen(id);
  const char *dot = strrchr(label, '.');
  return dot && (size_t)(dot - label) == n && strncmp(label, id, n) == 0;
}

/* From where the search is to the end. */
static int find_on(search *s, const ns_scene_body *b, ns_export_value *q)
{
  int n = s->what[1] == 'q' ? b->coordinates : b->coordinates == 7 ? 6 : 3;
  for (; s->channel < s->m->nchannels; s->channel++, s->component = 0) {
    const ns_channel *ch = &s->m->channels[s->channel];
    if (!holds(ch->path, s->what)) continue;
    for (; s->component + n <= ch->ncol; s->component++) {
      if (!belongs_to(ch->labels[s->component], b->id)) continue;
      *q = (ns_export_value){s->channel, s->component, 0};
      s->component += n;
      return 1;
    }
  }
  return 0;
}

static int find(search *s, const ns_scene_body *b, ns_export_value *q)
{
  if (find_on(s, b, q)) return 1;
  s->channel = s->component = 0;
  return find_on(s, b, q);
}

static int read_bank(ns_ctx *c, ns_result *r, ns_arena *a, ns_export_bodies *b, int channel)
{
  double **bank = b->banks.bank;
  if (channel < 0 || bank[channel]) return NS_OK;
  bank[channel] = ns_arena_get(a, b->m->nrows * (size_t)b->m->channels[channel].ncol,
                               sizeof **bank);
  return bank[channel] ? ns_result_read_channel(r, c, channel, bank[channel])
                       : ns_nomem(c, "bodies to export");
}

static int read_banks(ns_ctx *c, ns_result *r, ns_arena *a, ns_export_bodies *b)
{
  b->banks.bank = ns_arena_zero(a, (size_t)b->m->nchannels, sizeof *b->banks.bank);
  int rc = b->banks.bank ? NS_OK : ns_nomem(c, "bodies to export");
  for (int i = 0; i < b->scene->nbodies && !rc; i++) {
    rc = read_bank(c, r, a, b, b->q[i].channel);
    if (!rc) rc = read_bank(c, r, a, b, b->v[i].channel);
  }
  return rc;
}

int ns_export_bodies_make(ns_ctx *c, ns_result *r, ns_arena *a, ns_export_bodies *b)
{
  *b = (ns_export_bodies){.m = ns_result_get_meta(r)};
  int rc = ns_result_get_scene(r, c, &b->scene);
  if (rc) return rc;
  search s = {.m = b->m, .what = "/q"}, sv = {.m = b->m, .what = "/v"};
  ns_export_value *q = ns_arena_get(a, (size_t)b->scene->nbodies, sizeof *q),
                  *v = ns_arena_get(a, (size_t)b->scene->nbodies, sizeof *v);
  if (!q || !v) return ns_nomem(c, "bodies to export");
  b->q = q;
  b->v = v;
  for (int i = 0; i < b->scene->nbodies; i++)
    if (!find(&s, &b->scene->body[i], &q[i]))
      return ns_fail(c, NS_USAGE,
                     "%s: positions of body \"%s\" were not recorded, expected %s.q; run the model "
                     "with <record select=\"*.q\"/> or without <record>",
                     ns_result_path(r), b->scene->body[i].id, b->scene->body[i].id);
  /* where one has no velocity none is looked for: the search would go through all for each */
  int known = 1;
  for (int i = 0; i < b->scene->nbodies; i++)
    if (!known || !(known = find(&sv, &b->scene->body[i], &v[i])))
      v[i] = (ns_export_value){.channel = -1};
  return read_banks(c, r, a, b);
}

static const double *numbers(const ns_export_bodies *b, const ns_export_value *v, size_t row)
{
  return b->banks.bank[v->channel] + row * (size_t)b->m->channels[v->channel].ncol + v->component;
}

void ns_export_body_at(const ns_export_bodies *b, int body, size_t row, ns_pose *at)
{
  const double *q = numbers(b, &b->q[body], row);
  *at = (ns_pose){.p = {1}};
  if (b->scene->body[body].coordinates == 7) {
    memcpy(at->x, q, sizeof at->x);
    memcpy(at->p, q + 3, sizeof at->p);
    return;
  }
  at->x[0] = q[0];
  at->x[1] = q[1];
  at->p[0] = cos(q[2] / 2);
  at->p[3] = sin(q[2] / 2);
}

void ns_export_body_velocity(const ns_export_bodies *b, int body, size_t row, double *v)
{
  memset(v, 0, 3 * sizeof *v);
  if (b->v[body].channel < 0) return;
  memcpy(v, numbers(b, &b->v[body], row),
         (b->scene->body[body].coordinates == 7 ? 3 : 2) * sizeof *v);
}

void ns_export_shape_at(const ns_export_bodies *b, const ns_scene_shape *s, size_t row, ns_pose *at)
{
  ns_pose body = {.p = {1}};
  double R[9], x[3];
  if (s->body >= 0) ns_export_body_at(b, s->body, row, &body);
  ns_quaternion_matrix(body.p, R);
  ns_mul3(R, s->position, x);
  ns_axpy3(body.x, 1, x, at->x);
  ns_quaternion_mul(body.p, s->orientation, at->p);
}

void ns_export_contact_force(const ns_result_meta *m, const ns_contact_record *k, double *f)
{
  double h = m->h > 0 && isfinite(m->h) ? m->h : 1;
  /* of earlier versions */
  for (int i = 0; i < 3; i++) f[i] = k->force[i] != 0 ? k->force[i] : k->impulse[i] / h;
}
