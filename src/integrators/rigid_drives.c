/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/rigid_drives.h"

#include "algebra/vector.h"
#include "base/sets.h"
#include "model/systems/rigid_body.h"

#include <limits.h>
#include <stdlib.h>

/* ---- creation -------------------------------------------------------------------------------- */

static int has_drive(const ns_interaction *it)
{
  return it->relation->flags & NS_REL_JOINT && it->drive;
}

static int sides_of(const ns_rigid_drive *d)
{
  return d->joint ? d->joint->nsystems : d->force->nends;
}

static int body_of(const ns_rigid_drive *d, int side)
{
  return d->joint ? d->joint->systems[side] : d->force->end[side].system;
}

static int is_elastic(const ns_body_force *f)
{
  return f->kind != NS_FORCE_GENERAL && !f->along.how && (f->stiffness != 0 || f->preload != 0);
}

/* All of them, and the number of their sides. */
static void list_drives(ns_rigid_drives *o)
{
  const ns_model *m = o->m;
  o->n = 0;
  for (int i = 0; i < m->ninteractions; i++)
    if (has_drive(&m->interactions[i]))
      o->drive[o->n++] = (ns_rigid_drive){.joint = &m->interactions[i]};
  for (int i = 0; i < m->nforces; i++) {
    o->drive[o->n++] = (ns_rigid_drive){.force = &m->forces[i]};
    o->elastic |= is_elastic(&m->forces[i]);
  }
  for (int i = 0; i < o->n; i++)
    o->narmatures += o->drive[i].joint && ns_interaction_has_armature(o->drive[i].joint);
  for (int i = 0; i < o->n; i++) {
    o->drive[i].end = o->nends;
    o->nends += sides_of(&o->drive[i]);
  }
}

static int get_state(ns_rigid_drives *o, ns_arena *mem, int i)
{
  ns_rigid_drive *d = &o->drive[i];
  ns_drive_state *s = &o->at[i];
  int sides = sides_of(d), dof = ns_model_body(o->m)->n,
      *body = ns_arena_get(mem, (size_t)sides, sizeof *body);
  size_t width = (size_t)(sides * dof);
  *s = (ns_drive_state){.sides = sides, .dof = dof, .F = ns_arena_zero(mem, width, sizeof(double))};
  s->K = ns_arena_zero(mem, width * width, sizeof(double));
  s->C = ns_arena_zero(mem, width * width, sizeof(double));
  if (d->force && !(s->turn = ns_arena_zero(mem, width * width, sizeof(double)))) return 0;
  if (d->force && is_elastic(d->force) && !(s->known = ns_arena_zero(mem, width, sizeof(double))))
    return 0;
  if (!body || !s->F || !s->K || !s->C) return 0;
  d->body = body;
  for (int k = 0; k < sides; k++) {
    int e = d->end + k;
    body[k] = body_of(d, k);
    o->of[e] = i;
    o->next[e] = -1;
    if (body[k] < 0) continue;
    o->next[e] = o->first[body[k]];
    o->first[body[k]] = e;
  }
  return 1;
}

/* Formulas of one drive that read other systems; o->reader NULL: they are counted alone. */
static int get_readers(ns_rigid_drives *o, ns_arena *mem, int i)
{
  ns_drive_reader by[NS_DRIVE_READERS];
  const ns_rigid_drive *d = &o->drive[i];
  int n = d->joint ? ns_joint_drive_readers(d->joint, by) : ns_body_force_readers(d->force, by);
  size_t width = (size_t)(sides_of(d) * ns_model_body(o->m)->n);
  for (int k = 0; k < n; k++, o->nreaders++) {
    if (!o->reader) continue;
    double *J = ns_arena_zero(mem, width * (size_t)ns_operator_foreign(by[k].op)->n, sizeof *J);
    if (!J) return 0;
    o->reader[o->nreaders] = (ns_drives_reader){.drive = i, .by = by[k], .J = J};
  }
  return 1;
}

static int list_readers(ns_rigid_drives *o, ns_arena *mem)
{
  int whole = 1;
  for (int i = 0; i < o->n; i++) get_readers(o, mem, i);
  o->reader = ns_arena_zero(mem, (size_t)o->nreaders + 1, sizeof *o->reader);
  o->nreaders = 0;
  for (int i = 0; i < o->n && whole; i++) whole = o->reader && get_readers(o, mem, i);
  return whole;
}

static void join(const ns_rigid_drive *d, const unsigned char *fixed, int *parent)
{
  int with = -1;
  for (int k = 0; k < sides_of(d); k++) {
    if (d->body[k] < 0 || fixed[d->body[k]]) continue;
    if (with >= 0) ns_sets_join(parent, with, d->body[k]);
    with = d->body[k];
  }
}

/* Classes of bodies; `group` holds parents at first. Their order is that of their least bodies. */
static int get_groups(ns_rigid_drives *o, ns_arena *mem)
{
  int n = o->m->nsystems, *parent = ns_arena_get(mem, (size_t)n, sizeof *parent);
  int *count = ns_arena_zero(mem, (size_t)n + 1, sizeof *count);
  unsigned char *fixed = ns_arena_zero(mem, o->m->nv + (size_t)n, 1),
                *held = fixed + n; /* of bodies, of velocities */
  o->group = ns_arena_get(mem, (size_t)n, sizeof *o->group);
  o->member = ns_arena_get(mem, (size_t)n, sizeof *o->member);
  o->from = ns_arena_zero(mem, (size_t)n + 1, sizeof *o->from);
  o->place = ns_arena_zero(mem, (size_t)n, sizeof *o->place);
  if (!parent || !count || !fixed || !o->place || !o->group || !o->member || !o->from) return 0;
  ns_model_mark_held(o->m, held);
  for (int b = 0; b < n; b++) {
    const ns_system *s = &o->m->systems[b];
    parent[b] = b;
    fixed[b] = 1;
    for (int i = 0; i < s->n; i++) fixed[b] &= held[s->v + (size_t)i];
  }
  for (int i = 0; i < o->n; i++) join(&o->drive[i], fixed, parent);
  for (int b = 0; b < n; b++) count[ns_sets_root(parent, b)]++;
  for (int b = 0, at = 0; b < n; b++) {
    int r = ns_sets_root(parent, b);
    if (r == b && count[b] > 1) {
      o->group[b] = o->ngroups;
      o->from[o->ngroups++] = at;
      at += count[b];
      o->from[o->ngroups] = at;
    } else {
      o->group[b] = r == b ? -1 : o->group[r];
    }
  }
  for (int g = 0; g <= n; g++) count[g] = 0;
  for (int b = 0; b < n; b++) {
    int g = o->group[b];
    if (g < 0) continue;
    o->place[b] = count[g];
    o->member[o->from[g] + count[g]++] = b;
  }
  return 1;
}

static size_t scratch(const ns_rigid_drives *o)
{
  size_t max = ns_body_force_work(o->m);
  for (int i = 0; i < o->n; i++) {
    size_t work = o->drive[i].joint ? ns_joint_drive_work(o->drive[i].joint) : 0;
    max = work > max ? work : max;
  }
  return max + 1;
}

int ns_rigid_drives_create(ns_ctx *c, const ns_model *m, ns_arena *mem, ns_rigid_drives **out)
{
  size_t n = (size_t)m->nforces;
  *out = NULL;
  for (int i = 0; i < m->ninteractions; i++) n += has_drive(&m->interactions[i]) ? 1 : 0;
  if (!n) return NS_OK;
  ns_rigid_drives *o = ns_arena_zero(mem, 1, sizeof *o);
  if (!o) return ns_nomem(c, "forces between bodies");
  o->m = m;
  if (!(o->drive = ns_arena_zero(mem, n, sizeof *o->drive)))
    return ns_nomem(c, "forces between bodies");
  list_drives(o);
  const ns_array want[] = {{&o->at, n, sizeof *o->at},
                           {&o->begin, n, sizeof *o->begin},
                           {&o->chord, n, sizeof *o->chord},
                           {&o->first, (size_t)m->nsystems, sizeof *o->first},
                           {&o->next, (size_t)o->nends, sizeof *o->next},
                           {&o->of, (size_t)o->nends, sizeof *o->of},
                           {&o->work, scratch(o), sizeof *o->work},
                           {&o->armature, o->narmatures ? n : 0, sizeof *o->armature},
                           {&o->armature_begin, o->narmatures ? n : 0, sizeof *o->armature_begin}};
  int whole = !ns_arena_arrays(mem, want, sizeof want / sizeof *want);
  if (whole) ns_fill_ints((size_t)m->nsystems, -1, o->first);
  for (int i = 0; i < o->n && whole; i++) whole = get_state(o, mem, i);
  if (!whole || !list_readers(o, mem) || !get_groups(o, mem))
    return ns_nomem(c, "forces between bodies");
  *out = o;
  return NS_OK;
}

void ns_rigid_drives_read(ns_rigid_drives *o, const ns_others *all)
{
  for (int i = 0; o && i < o->n; i++) o->at[i].all = all;
}

/* ---- a state --------------------------------------------------------------------------------- */

/* What drive i has inertia by, at q, v. */
static void look_at_armature(ns_rigid_drives *o, int i, const double *q, const double *v)
{
  if (o->narmatures && o->drive[i].joint && ns_interaction_has_armature(o->drive[i].joint))
    ns_armature_eval(o->m, o->drive[i].joint, q, v, &o->armature[i]);
}

/* f [nv] += x [sides dof] of drive i. */
static void add_wrench(const ns_rigid_drives *o, int i, double by, const double *x, double *f)
{
  const ns_rigid_drive *d = &o->drive[i];
  int dof = o->at[i].dof;
  for (int side = 0; side < o->at[i].sides; side++) {
    if (d->body[side] < 0) continue;
    double *F = f + o->m->systems[d->body[side]].v;
    ns_axpy((size_t)dof, by, x + dof * side, F);
  }
}

int ns_rigid_drives_add(ns_rigid_drives *o, ns_ctx *c, const ns_state *x, double t, const double *q,
                        const double *v, double *f)
{
  int rc = NS_OK;
  for (int i = 0; o && i < o->n && !rc; i++) {
    const ns_rigid_drive *d = &o->drive[i];
    ns_drive_state *s = &o->at[i];
    rc = d->joint ? ns_joint_drive_eval(o->m, c, d->joint, t, q, v, x->z, x->angle, o->work, s)
                  : ns_body_force_eval(o->m, c, d->force, t, q, v, x->z, x->angle, o->work, s);
    if (rc) break;
    add_wrench(o, i, 1, s->F, f);
    look_at_armature(o, i, q, v);
  }
  return rc;
}

void ns_rigid_drives_add_armature(const ns_rigid_drives *o, double theta, double *r)
{
  for (int i = 0; o && o->narmatures && i < o->n; i++) {
    const ns_armature *now = &o->armature[i], *begin = &o->armature_begin[i];
    for (int k = 0; k < now->n; k++) {
      double impulse = now->inertia[k] * (now->rate[k] - begin->rate[k]);
      add_wrench(o, i, theta * impulse, now->g[k], r);
      add_wrench(o, i, (1 - theta) * impulse, begin->g[k], r);
    }
  }
}

void ns_rigid_drives_bend_armature(const ns_rigid_drives *o, double *F, double *gyr)
{
  for (int i = 0; o && o->narmatures && i < o->n; i++) {
    const ns_armature *a = &o->armature[i];
    for (int k = 0; k < a->n; k++) {
      if (a->bias[k] == 0) continue;
      add_wrench(o, i, -a->inertia[k] * a->bias[k], a->g[k], F);
      add_wrench(o, i, a->inertia[k] * a->bias[k], a->g[k], gyr);
    }
  }
}

double ns_rigid_drives_kinetic(const ns_rigid_drives *o)
{
  double T = 0;
  for (int i = 0; o && o->narmatures && i < o->n; i++) T += ns_armature_energy(&o->armature[i]);
  return T;
}

void ns_rigid_drives_by_others(ns_rigid_drives *o, const ns_state *x, double t, const double *q,
                               const double *v)
{
  for (int k = 0; o && k < o->nreaders; k++) {
    const ns_drives_reader *r = &o->reader[k];
    const ns_rigid_drive *d = &o->drive[r->drive];
    if (d->joint)
      ns_joint_drive_by_others(o->m, d->joint, &r->by, t, q, v, x->z, x->angle, o->work, r->J);
    else ns_body_force_by_others(o->m, d->force, &r->by, t, q, v, x->z, x->angle, o->work, r->J);
  }
}

void ns_rigid_drives_forget(ns_rigid_drives *o, double lever)
{
  for (int i = 0; i < o->n; i++) {
    if (!o->drive[i].joint) continue;
    o->chord[i] = (ns_drive_chord){
        .lever = lever, .low = {{NAN, 0}, {NAN, 0}}, .high = {{NAN, 0}, {NAN, 0}}};
    o->at[i].chord = &o->chord[i];
  }
}

void ns_rigid_drives_begin(ns_rigid_drives *o)
{
  for (int i = 0; i < o->n; i++) o->begin[i] = o->at[i].size;
  if (o->narmatures) memcpy(o->armature_begin, o->armature, (size_t)o->n * sizeof *o->armature);
}

/* Largest entry of k turn, by the roots of those of `rest`. */
static double turn_of(const ns_rigid_drives *o, int i, double k, const double *rest)
{
  const ns_drive_state *s = &o->at[i];
  int dof = s->dof, width = s->sides * dof;
  double max = 0;
  for (int e = 0; e < width * width; e++) {
    int row = e % width, col = e / width, a = o->drive[i].body[row / dof],
        b = o->drive[i].body[col / dof];
    if (a < 0 || b < 0 || s->turn[e] == 0) continue;
    double root = sqrt(rest[dof * dof * a + (row % dof) * (dof + 1)] *
                       rest[dof * dof * b + (col % dof) * (dof + 1)]);
    max = fmax(max, fabs(k * s->turn[e]) * root);
  }
  return max;
}

void ns_rigid_drives_hold_back(ns_rigid_drives *o, double k, const double *rest)
{
  static const double MATTERS = 0.01, LARGER = 2;
  for (int i = 0; o && i < o->n; i++) {
    ns_drive_state *s = &o->at[i];
    if (!s->turn || s->size <= LARGER * o->begin[i] || turn_of(o, i, k, rest) <= MATTERS) continue;
    int width = s->sides * s->dof;
    ns_scale((size_t)(width * width), o->begin[i] / s->size, s->turn);
  }
}

double ns_rigid_drives_known(const ns_rigid_drives *o, double *f)
{
  double potential = 0;
  memset(f, 0, o->m->nv * sizeof *f);
  for (int i = 0; i < o->n; i++) {
    const ns_drive_state *s = &o->at[i];
    if (!s->known) continue;
    potential += s->potential;
    add_wrench(o, i, 1, s->known, f);
  }
  return potential;
}

/* Block (a, b) of the sides of A, times s, joins W at row i, column j; W has n rows. */
static void add_block(const ns_drive_state *s, const double *A, int a, int b, double by, int n,
                      int i, int j, double *W)
{
  int dof = s->dof, width = s->sides * dof;
  for (int l = 0; l < dof; l++)
    for (int k = 0; k < dof; k++)
      W[i + k + (j + l) * n] += by * A[dof * a + k + (dof * b + l) * width];
}

void ns_rigid_drives_tangents(const ns_rigid_drives *o, int body, double *K, double *C)
{
  for (int e = o ? o->first[body] : -1; e >= 0; e = o->next[e]) {
    const ns_rigid_drive *d = &o->drive[o->of[e]];
    const ns_drive_state *s = &o->at[o->of[e]];
    for (int side = 0; side < s->sides; side++) { /* a body may be on several sides */
      if (d->body[side] != body) continue;
      add_block(s, s->K, e - d->end, side, 1, s->dof, 0, 0, K);
      if (s->turn) add_block(s, s->turn, e - d->end, side, 1, s->dof, 0, 0, K);
      add_block(s, s->C, e - d->end, side, 1, s->dof, 0, 0, C);
    }
  }
}

/* The armature of an end, NULL: none; at [sides]: -1 where the side's body is another one than
 * `body`, else 0. */
static const ns_armature *armature_on(const ns_rigid_drives *o, int e, int body, int *at)
{
  const ns_armature *a = o->narmatures ? &o->armature[o->of[e]] : NULL;
  if (!a || !a->n) return NULL;
  for (int side = 0; side < o->at[o->of[e]].sides; side++)
    at[side] = o->drive[o->of[e]].body[side] == body ? 0 : -1;
  return a;
}

void ns_rigid_drives_mass(const ns_rigid_drives *o, int body, double *W)
{
  int at[NS_FORCE_ENDS];
  for (int e = o && o->narmatures ? o->first[body] : -1; e >= 0; e = o->next[e]) {
    const ns_armature *a = armature_on(o, e, body, at);
    int dof = o->at[o->of[e]].dof;
    if (a) ns_armature_add_mass(a, dof, at, dof, W);
  }
}

/* 2-norm of the entries x [dof] of a body, those of its rotation times `turn`. */
static double norm_of(int dof, double turn, const double *x)
{
  double sum = 0;
  for (int j = 0; j < dof; j++) {
    double e = x[j] * ns_rigid_weight(dof, j, turn);
    sum += e * e;
  }
  return sqrt(sum);
}

ns_drive_sizes ns_rigid_drives_sizes(const ns_rigid_drives *o, int body, double radius)
{
  ns_drive_sizes sum = {0};
  for (int e = o ? o->first[body] : -1; e >= 0; e = o->next[e]) {
    const ns_drive_state *s = &o->at[o->of[e]];
    int dof = s->dof, width = s->sides * dof, at = dof * (e - o->drive[o->of[e]].end);
    double k = 0, turn = 1 / radius;
    sum.force += norm_of(dof, turn, s->F + at);
    for (int j = at; j < at + dof && s->extent > 0; j++)
      k += norm_of(dof, turn, s->K + at + (size_t)j * (size_t)width) *
           ns_rigid_weight(dof, j - at, turn);
    sum.rounding += k * s->extent;
    const ns_armature *a = o->narmatures ? &o->armature[o->of[e]] : NULL;
    for (int l = 0; a && l < a->n; l++)
      sum.momentum += a->inertia[l] * fabs(a->rate[l]) * norm_of(dof, turn, a->g[l] + at);
  }
  return sum;
}

/* Sides a and b of a drive are different bodies of the group. */
static int couples(const ns_rigid_drives *o, const ns_rigid_drive *d, int a, int b, int group)
{
  int i = d->body[a], j = d->body[b];
  return i >= 0 && j >= 0 && i != j && o->group[i] == group && o->group[j] == group;
}

/* Entry of the mass of armatures of drive i. */
static double mass_between(const ns_rigid_drives *o, int i, int row, int col)
{
  double m = 0;
  for (int k = 0; o->narmatures && k < o->armature[i].n; k++)
    m += o->armature[i].inertia[k] * o->armature[i].g[k][row] * o->armature[i].g[k][col];
  return m;
}

double ns_rigid_drives_coupling(const ns_rigid_drives *o, int group, double c, double k,
                                const double *rest)
{
  double max = 0;
  for (int i = 0; i < o->n; i++) {
    const ns_rigid_drive *d = &o->drive[i];
    const ns_drive_state *s = &o->at[i];
    int dof = s->dof, width = s->sides * dof;
    for (int a = 0; a < s->sides; a++)
      for (int b = 0; b < s->sides; b++)
        for (int e = 0; e < dof * dof && couples(o, d, a, b, group); e++) {
          int row = e % dof, col = e / dof, at = dof * a + row + (dof * b + col) * width;
          const double *A = rest + dof * dof * d->body[a], *B = rest + dof * dof * d->body[b];
          double entry = c * s->C[at] + k * (s->K[at] + (s->turn ? s->turn[at] : 0));
          entry += mass_between(o, i, dof * a + row, dof * b + col);
          max = fmax(max, fabs(entry) * sqrt(A[row * (dof + 1)] * B[col * (dof + 1)]));
        }
  }
  return max;
}

void ns_group_matrix_add(const ns_group_matrix *m, int dof, int row, int col, double s,
                         const double *A, int ld)
{
  int row_at = m->at ? m->at[row] : dof * row, col_at = m->at ? m->at[col] : dof * col;
  for (int k = 0; k < dof; k++) {
    size_t i = (size_t)(row_at + k), first = i + (size_t)col_at * (size_t)m->n, step = (size_t)m->n;
    double *W = m->W;
    if (m->sparse) {
      int low = m->sparse->row[i], high = m->sparse->row[i + 1];
      while (high - low > 1 && m->sparse->col[low] != dof * col) {
        int middle = (low + high) / 2;
        if (m->sparse->col[middle] <= dof * col) low = middle;
        else high = middle;
      }
      W = m->sparse->val;
      first = (size_t)low;
      step = 1; /* columns of a block stand side by side */
    }
    for (int l = 0; l < dof; l++) W[first + (size_t)l * step] += s * A[k + l * ld];
  }
}

/* Sides a and b of drive d, in a group. */
static int is_pair(const ns_rigid_drives *o, const ns_rigid_drive *d, int a, int b, int group)
{
  int i = d->body[a], j = d->body[b];
  return i >= 0 && j >= 0 && o->group[i] == group && o->group[j] == group;
}

/* Places of bodies that body k of the group meets, itself too, ascending; to [as many as there are
 * pairs]. */
static int neighbours(const ns_rigid_drives *o, int group, int k, int *to)
{
  int n = 0, body = o->member[o->from[group] + k], m = 0;
  to[n++] = k;
  for (int e = o->first[body]; e >= 0; e = o->next[e]) {
    const ns_rigid_drive *d = &o->drive[o->of[e]];
    for (int b = 0; b < o->at[o->of[e]].sides; b++)
      if (is_pair(o, d, e - d->end, b, group)) to[n++] = o->place[d->body[b]];
  }
  qsort(to, (size_t)n, sizeof *to, ns_ascending);
  for (int i = 0; i < n; i++)
    if (!i || to[i] != to[m - 1]) to[m++] = to[i];
  return m;
}

int ns_rigid_drives_structure(const ns_rigid_drives *o, ns_ctx *c, int group, ns_arena *mem,
                              ns_blocks *S)
{
  int bodies = o->from[group + 1] - o->from[group], dof = ns_model_body(o->m)->n, *list;
  size_t n = (size_t)(bodies * dof), entries = 0;
  list = ns_arena_get(mem, (size_t)o->nends * NS_FORCE_ENDS + 1, sizeof *list);
  if (!list) return ns_nomem(c, "forces between bodies");
  for (int k = 0; k < bodies; k++) entries += (size_t)(neighbours(o, group, k, list) * dof * dof);
  if (entries > INT_MAX || ns_blocks_scalar(mem, (int)n, entries, S))
    return ns_nomem(c, "forces between bodies");
  for (int i = 0, e = 0; i < (int)n; i++) {
    int many = neighbours(o, group, i / dof, list);
    for (int j = 0; j < many * dof; j++) S->col[e++] = dof * list[j / dof] + j % dof;
    S->row[i + 1] = e;
  }
  return NS_OK;
}

/* Masses of armatures of drive i between its sides a and b, at row and col of the group. */
static void couple_masses(const ns_rigid_drives *o, int i, int a, int b, int row, int col,
                          const ns_group_matrix *W)
{
  double M[NS_ARMATURE_WIDTH * NS_ARMATURE_WIDTH];
  int dof = o->at[i].dof;
  if (!o->narmatures || !o->armature[i].n) return;
  for (int l = 0; l < dof; l++)
    for (int k = 0; k < dof; k++) M[k + l * dof] = mass_between(o, i, dof * a + k, dof * b + l);
  ns_group_matrix_add(W, dof, row, col, 1, M, dof);
}

void ns_rigid_drives_couple(const ns_rigid_drives *o, int group, double c, double k, double turn,
                            const ns_group_matrix *W)
{
  for (int i = 0; i < o->n; i++) {
    const ns_rigid_drive *d = &o->drive[i];
    const ns_drive_state *s = &o->at[i];
    int dof = s->dof, width = s->sides * dof;
    for (int a = 0; a < s->sides; a++)
      for (int b = 0; b < s->sides; b++) {
        if (!is_pair(o, d, a, b, group)) continue;
        int row = o->place[d->body[a]], col = o->place[d->body[b]], at = dof * a + dof * b * width;
        /* their own blocks have all of it already */
        if (s->turn)
          ns_group_matrix_add(W, dof, row, col, row == col ? turn - k : turn, s->turn + at, width);
        if (row == col) continue;
        ns_group_matrix_add(W, dof, row, col, c, s->C + at, width);
        ns_group_matrix_add(W, dof, row, col, k, s->K + at, width);
        couple_masses(o, i, a, b, row, col, W);
      }
  }
}
