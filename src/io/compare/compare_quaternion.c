/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/compare/compare_quaternion.h"

#include <math.h>
#include <string.h>

static const double NORM_TOLERANCE = 1e-6; /* of what schemes and printed digits leave of 1 */

/* ---- which columns --------------------------------------------------------------------------- */

static int same_system(const char *a, const char *b)
{
  const char *da = strrchr(a, '.'), *db = strrchr(b, '.');
  return da && db && da - a == db - b && strncmp(a, b, (size_t)(da - a)) == 0;
}

/* Whether a column is component 3 of the seven coordinates of a system: the first of its
 * quaternion. */
static int begins(const ns_result_meta *m, const ns_column *col)
{
  const ns_channel *ch = &m->channels[col->channel];
  size_t len = strlen(ch->path);
  int first = col->component - 3, n = 0;
  if (strncmp(ch->path, "systems/", 8) != 0 || strcmp(ch->path + len - 2, "/q") != 0 || first < 0)
    return 0;
  if (first > 0 && same_system(ch->labels[first - 1], col->label)) return 0;
  while (first + n < ch->ncol && same_system(ch->labels[first + n], col->label)) n++;
  return n == 7;
}

/* Pairs i .. i + 3 are four components one after the other, on both sides. */
static int is_quaternion(const ns_result_meta *a, const ns_result_meta *b,
                         const ns_compare_pairs *p, size_t i)
{
  if (i + 4 > p->n || p->pair[i].side >= 0 || !begins(b, &p->pair[i].b) ||
      !begins(a, &p->pair[i].a))
    return 0;
  for (size_t k = 1; k < 4; k++) {
    const ns_compare_pair *x = &p->pair[i + k], *x0 = &p->pair[i];
    if (x->side >= 0 || x->b.channel != x0->b.channel ||
        x->b.component != x0->b.component + (int)k || x->a.channel != x0->a.channel ||
        x->a.component != x0->a.component + (int)k)
      return 0;
  }
  return 1;
}

/* "w,x,y,z" of the options: labels in B. */
static int named(ns_ctx *c, const char *wish, const ns_compare_pairs *p, ns_compare_quaternion *q)
{
  const char *at = wish;
  *q = (ns_compare_quaternion){0};
  for (int k = 0; k < 4; k++) {
    size_t len = strcspn(at, ","), i = 0;
    while (i < p->n && (p->pair[i].side >= 0 || strlen(p->pair[i].b.label) != len ||
                        strncmp(p->pair[i].b.label, at, len) != 0))
      i++;
    if (i == p->n || !len || (at[len] == 0) != (k == 3))
      return ns_fail(c, NS_USAGE,
                     "--quaternion '%s': expected four compared quantities of B, separated by "
                     "commas; '%.*s' is not one",
                     wish, (int)len, at);
    q->pair[k] = i;
    at += len + 1;
  }
  return NS_OK;
}

int ns_compare_quaternions_find(ns_ctx *c, const ns_result_meta *a, const ns_result_meta *b,
                                const ns_compare_pairs *p, const ns_compare_options *o,
                                ns_arena *arena, ns_compare_quaternions *all)
{
  size_t n = 0;
  for (size_t i = 0; i < p->n; i++) n += (size_t)is_quaternion(a, b, p, i);
  *all = (ns_compare_quaternions){
      .q = ns_arena_zero(arena, n + (size_t)o->nquaternions, sizeof *all->q)};
  if (!all->q) return ns_nomem(c, "quaternions to compare");
  for (int k = 0; k < o->nquaternions; k++) {
    int rc = named(c, o->quaternions[k], p, &all->q[all->n++]);
    if (rc) return rc;
  }
  for (size_t i = 0; i < p->n; i++) {
    if (!is_quaternion(a, b, p, i)) continue;
    for (size_t k = 0; k < 4; k++) all->q[all->n].pair[k] = i + k;
    all->n++;
  }
  return NS_OK;
}

/* ---- signs ----------------------------------------------------------------------------------- */

static int is_unit(double *const y[4], size_t n)
{
  for (size_t i = 0; i < n; i++) {
    double s = 0;
    for (int k = 0; k < 4; k++) s += y[k][i] * y[k][i];
    if (isfinite(s) && fabs(s - 1) > NORM_TOLERANCE) return 0;
  }
  return n > 0;
}

static void flip(double *const y[4], size_t i)
{
  for (int k = 0; k < 4; k++) y[k][i] = -y[k][i];
}

static void make_continuous(double *const y[4], size_t n)
{
  for (size_t i = 1; i < n; i++) {
    double s = 0;
    for (int k = 0; k < 4; k++) s += y[k][i] * y[k][i - 1];
    if (s < 0) flip(y, i);
  }
}

static void follow(const ns_compare_grid *g, double *const a[4], double *const b[4])
{
  for (size_t i = 0; i < g->nb; i++) {
    double s = 0;
    for (int k = 0; k < 4; k++) s += ns_compare_at(g, a[k], i) * b[k][i];
    if (s < 0) flip(b, i);
  }
}

int ns_compare_quaternion_read(ns_ctx *c, ns_result *a, ns_result *b, const ns_compare_pairs *p,
                               const ns_compare_grid *g, ns_arena *arena, ns_compare_quaternion *q,
                               int *unit)
{
  size_t na = ns_result_get_meta(a)->nrows, nb = ns_result_get_meta(b)->nrows;
  for (int k = 0; k < 4; k++) {
    q->a[k] = ns_arena_get(arena, na, sizeof **q->a);
    q->b[k] = ns_arena_get(arena, nb, sizeof **q->b);
    int rc = q->a[k] && q->b[k] ? NS_OK : ns_nomem(c, "quaternions to compare");
    if (!rc) rc = ns_result_read(a, c, &p->pair[q->pair[k]].a, q->a[k]);
    if (!rc) rc = ns_result_read(b, c, &p->pair[q->pair[k]].b, q->b[k]);
    if (rc) return rc;
  }
  *unit = is_unit(q->a, na) && is_unit(q->b, nb);
  if (!*unit) return NS_OK;
  make_continuous(q->a, na);
  follow(g, q->a, q->b);
  return NS_OK;
}
