/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/record/channels_parts.h"

#include <stdio.h>
#include <string.h>

/* ---- labels ---------------------------------------------------------------------------------- */

char *ns_channel_join(ns_arena *a, const char *x, const char *sep, const char *y)
{
  size_t nx = strlen(x), nsep = strlen(sep), ny = strlen(y) + 1;
  char *s = ns_arena_get(a, nx + nsep + ny, 1);
  if (!s) return NULL;
  memcpy(s, x, nx);
  memcpy(s + nx, sep, nsep);
  memcpy(s + nx + nsep, y, ny);
  return s;
}

const char *ns_channel_label(ns_arena *a, const char *group, const char *id, const char *what,
                             const char *const *names, int n, int i)
{
  char tail[256];
  if (!names && n == 1 && strcmp(group, "systems") != 0) return ns_channel_join(a, id, ".", what);
  int system = strcmp(group, "systems") == 0,
      q = strcmp(what, "q") == 0 || strcmp(what, "x") == 0 || strcmp(what, "z") == 0;
  if (names && !strcmp(what, "v") && !strncmp(names[i], "Omega_", 6))
    snprintf(tail, sizeof tail, "%s", names[i]);
  else if (names) snprintf(tail, sizeof tail, "%s%s%s", q ? "" : what, q ? "" : "_", names[i]);
  else if (system || n > 1) snprintf(tail, sizeof tail, "%s[%d]", what, i);
  else snprintf(tail, sizeof tail, "%s", what);
  return ns_channel_join(a, id, ".", tail);
}

const char *ns_channel_label_of(ns_arena *a, const ns_channel_candidate *k, int i)
{
  return ns_channel_label(a, k->group, k->id, k->q->name, k->names, k->n, i);
}

/* ---- units ----------------------------------------------------------------------------------- */

const char *ns_channel_rate_unit(ns_arena *a, const char *u)
{
  static const char *const known[][2] = {{"m", "m/s"},     {"rad", "rad/s"},     {"1", "1/s"},
                                         {"m/s", "m/s^2"}, {"rad/s", "rad/s^2"}, {"V", "V/s"},
                                         {"A", "A/s"},     {"s", "1"},           {"J", "W"}};
  for (size_t i = 0; u && i < NS_LENGTH(known); i++)
    if (!strcmp(known[i][0], u)) return known[i][1];
  return u ? ns_channel_join(a, u, "/", "s") : NULL;
}

/* Of what does work on a coordinate in u; `plain`: of a length, "N" or "N s". */
static const char *force_unit(const char *u, const char *plain)
{
  if (!u || !strcmp(u, "m")) return plain;
  if (strcmp(u, "rad")) return NULL;
  return !strcmp(plain, "N s") ? "N m s" : "N m";
}

static const char *unit_in_system(ns_arena *a, const ns_channel_candidate *k, int i)
{
  const ns_system *s = k->system;
  switch (k->q->from) {
  case NS_FROM_Q: return ns_system_unit(s, i, 0);
  case NS_FROM_V: return ns_channel_rate_unit(a, ns_system_unit(s, i, 1));
  case NS_FROM_Z: return s->zunits ? s->zunits[i] : NULL;
  case NS_FROM_P:
    if (ns_system_is_first_order(s)) /* r of M x' = f + r */
      return s->fo.M.how == NS_OP_ABSENT ? ns_channel_rate_unit(a, ns_system_unit(s, i, 0)) : NULL;
    /* fall through */
  case NS_FROM_SUPPORT: return k->q->unit ? force_unit(ns_system_unit(s, i, 1), k->q->unit) : NULL;
  default: return k->q->unit;
  }
}

/* Of a row whose unit is its own. */
static const char *unit_of_row(ns_arena *a, const ns_channel_candidate *k, int i)
{
  const ns_interaction *it = k->interaction;
  switch (k->q->from) {
  case NS_FROM_Y: return it->row_units[i];
  case NS_FROM_YDOT: return ns_channel_rate_unit(a, it->row_units[i]);
  case NS_FROM_LAMBDA: return it->row_lambda_units[i];
  default: return k->q->unit;
  }
}

static const char *unit_in_interaction(ns_arena *a, const ns_channel_candidate *k, int i)
{
  const ns_interaction *it = k->interaction;
  if (it->row_units) return unit_of_row(a, k, i);
  switch (k->q->from) {
  case NS_FROM_Y: return it->unit ? it->unit : k->q->unit;
  case NS_FROM_YDOT: return it->unit ? ns_channel_rate_unit(a, it->unit) : k->q->unit;
  case NS_FROM_LAMBDA:
  case NS_FROM_IMPULSE:
    if (it->lambda_unit && !strcmp(k->q->name, "lambda")) return it->lambda_unit;
    return it->unit && k->q->unit ? force_unit(it->unit, k->q->unit) : k->q->unit;
  default: return k->q->unit;
  }
}

const char *ns_channel_unit_of(ns_arena *a, const ns_channel_candidate *k, int i)
{
  if (k->system) return unit_in_system(a, k, i);
  return k->interaction ? unit_in_interaction(a, k, i) : k->q->unit;
}
