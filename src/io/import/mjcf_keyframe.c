/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mjcf_keyframe.c -- <keyframe> of MJCF: the state that --keyframe starts from. */
#include "io/import/mjcf.h"

#include <stdlib.h>
#include <string.h>

/* Places of a joint in qpos (and in qvel). */
static int entries(const ns_robot_joint *j, int velocity)
{
  static const int n[][2] = {{1, 1}, {1, 1}, {4, 3}, {7, 6}};
  return n[j->kind][velocity];
}

static int all_entries(const ns_robot *r, int velocity)
{
  int n = 0;
  for (int k = 0; k < r->njoints; k++) n += entries(&r->joint[k], velocity);
  return n;
}

static int key_numbers(ns_mjcf *m, const xmlNode *x, const char *name, int n, double **v)
{
  ns_robot *r = m->r;
  const char *text = ns_robot_attribute(r, x, name);
  *v = NULL;
  if (!text) return NS_OK;
  if (!(*v = ns_arena_zero(r->a, (size_t)n + 1, sizeof **v))) return ns_robot_nomem(r);
  int found = ns_robot_numbers(r, x, name, text, n, *v);
  if (found < 0) return NS_MODEL;
  return found == n
             ? NS_OK
             : ns_robot_fail(r, x, "attribute %s has %d numbers, expected %d", name, found, n);
}

/* w, scalar first, of norm 1. */
static int unit(ns_mjcf *m, const xmlNode *x, const double *w, double *p)
{
  memcpy(p, w, 4 * sizeof *p);
  if (!(ns_quaternion_norm(p) > 0))
    return ns_robot_fail(m->r, x,
                         "attribute qpos has a quaternion that is zero, expected one of norm 1");
  ns_quaternion_unit(p);
  return NS_OK;
}

static int start_from(ns_mjcf *m, const xmlNode *x)
{
  ns_robot *r = m->r;
  double *q, *v, *act;
  int states = 0;
  for (int k = 0; k < r->nactuators; k++) states += r->actuator[k].activation != NS_ROBOT_DIRECT;
  if (key_numbers(m, x, "qpos", all_entries(r, 0), &q) ||
      key_numbers(m, x, "qvel", all_entries(r, 1), &v))
    return NS_MODEL;
  if (states && key_numbers(m, x, "act", states, &act)) return NS_MODEL;
  for (int k = 0; k < r->nactuators && states && act; k++)
    if (r->actuator[k].activation) r->actuator[k].act = *act++;
  for (int k = 0; k < r->njoints; k++) {
    ns_robot_joint *j = &r->joint[k];
    ns_robot_link *l = &r->link[j->link];
    int scalar = j->kind == NS_ROBOT_HINGE || j->kind == NS_ROBOT_SLIDE;
    if (q && scalar) j->q = q[0];
    if (q && j->kind == NS_ROBOT_BALL && unit(m, x, q, j->turn)) return NS_MODEL;
    if (q && j->kind == NS_ROBOT_FREE) {
      l->placed = 1;
      memcpy(l->start.at, q, sizeof l->start.at);
      if (unit(m, x, q + 3, l->start.turn)) return NS_MODEL;
    }
    if (v && scalar) j->rate = v[0];
    if (v && j->kind == NS_ROBOT_BALL) memcpy(j->spin, v, sizeof j->spin);
    if (v && j->kind == NS_ROBOT_FREE) memcpy(l->velocity, v, sizeof l->velocity);
    q = q ? q + entries(j, 0) : NULL;
    v = v ? v + entries(j, 1) : NULL;
  }
  return NS_OK;
}

/* A name, or a number counted from 1. */
static int is_wanted(ns_mjcf *m, const xmlNode *x, int number)
{
  const char *want = m->r->opt->keyframe, *name = ns_robot_attribute(m->r, x, "name");
  return want && ((name && !strcmp(name, want)) || atoi(want) == number);
}

int ns_mjcf_start(ns_mjcf *m)
{
  int n = 0, found = 0, rc = NS_OK;
  for (const xmlNode *x = ns_robot_first(m->root); x && !rc; x = ns_robot_next(x))
    for (const xmlNode *k = ns_robot_is(x, "keyframe") ? ns_robot_first(x) : NULL; k && !rc;
         k = ns_robot_next(k)) {
      if (!ns_robot_is(k, "key")) continue;
      if (!found && is_wanted(m, k, ++n)) {
        found = 1;
        rc = start_from(m, k);
      } else {
        ns_robot_left_out(m->r, k, "a keyframe is ignored; --keyframe NAME starts from it");
      }
    }
  if (!rc && m->r->opt->keyframe && !found)
    rc = ns_robot_fail(m->r, NULL,
                       "--keyframe %.60s: the file has no such keyframe, expected one of %d, by "
                       "its name or number",
                       m->r->opt->keyframe, n);
  return rc;
}
