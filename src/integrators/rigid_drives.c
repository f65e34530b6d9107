/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/rigid_drives.h"

static int has_drive(const ns_interaction *it) { return it->relation->flags & NS_REL_JOINT && it->drive; }

/* Drive i at the bodies of its joint. */
static void list(ns_rigid_drives *o, int i, const ns_interaction *it)
{
  for (int side = 0; side < it->nsystems; side++) {
    int *head = &o->first[it->systems[side]];
    o->next[2 * i + side] = *head;
    *head = 2 * i + side;
  }
}

int ns_rigid_drives_create(ns_ctx *c, const ns_model *m, ns_arena *mem, ns_rigid_drives **out)
{
  size_t n = 0, most = 0, work;
  *out = NULL;
  for (int i = 0; i < m->ninteractions; i++) {
    if (!has_drive(&m->interactions[i])) continue;
    n++;
    work = ns_joint_drive_work(&m->interactions[i]);
    most = work > most ? work : most;
  }
  if (!n) return NS_OK;
  ns_rigid_drives *o = ns_arena_zero(mem, 1, sizeof *o);
  if (!o) return ns_nomem(c, "forces of joints");
  *o = (ns_rigid_drives){.m = m};
  o->interaction = ns_arena_zero(mem, n, sizeof *o->interaction);
  o->at = ns_arena_zero(mem, n, sizeof *o->at);
  o->first = ns_arena_zero(mem, (size_t)m->nsystems, sizeof *o->first);
  o->next = ns_arena_zero(mem, 2 * n, sizeof *o->next);
  o->work = ns_arena_zero(mem, most + 1, sizeof *o->work);
  if (!o->interaction || !o->at || !o->first || !o->next || !o->work) return ns_nomem(c, "forces of joints");
  for (int b = 0; b < m->nsystems; b++) o->first[b] = -1;
  for (int i = 0; i < m->ninteractions; i++) {
    if (!has_drive(&m->interactions[i])) continue;
    list(o, o->n, &m->interactions[i]);
    o->interaction[o->n++] = i;
  }
  *out = o;
  return NS_OK;
}

int ns_rigid_drives_add(ns_rigid_drives *o, ns_ctx *c, const ns_state *x, double t, const double *q, const double *v, double *f)
{
  int rc = NS_OK;
  for (int i = 0; o && i < o->n && !rc; i++) {
    const ns_interaction *it = &o->m->interactions[o->interaction[i]];
    ns_drive_state *s = &o->at[i];
    rc = ns_joint_drive_eval(o->m, c, it, t, q, v, x->z, x->angle, o->work, s);
    for (int side = 0; side < it->nsystems && !rc; side++) {
      double *F = f + o->m->systems[it->systems[side]].v;
      for (int k = 0; k < s->n; k++)
        for (int j = 0; j < s->dof; j++) F[j] += s->g[k][s->dof * side + j] * s->tau[k];
    }
  }
  return rc;
}

/* A [dof x dof] += g^T a g with the rows g [n] of one side. */
static void add(const ns_drive_state *s, int side, const double *a, double *A)
{
  int dof = s->dof;
  for (int l = 0; l < s->n; l++)
    for (int k = 0; k < s->n; k++)
      for (int j = 0; j < dof; j++)
        for (int i = 0; i < dof; i++) A[i + dof * j] += s->g[k][dof * side + i] * a[k + l * s->n] * s->g[l][dof * side + j];
}

void ns_rigid_drives_tangents(const ns_rigid_drives *o, int body, double *K, double *C)
{
  for (int e = o ? o->first[body] : -1; e >= 0; e = o->next[e]) {
    add(&o->at[e / 2], e % 2, o->at[e / 2].k, K);
    add(&o->at[e / 2], e % 2, o->at[e / 2].c, C);
  }
}
