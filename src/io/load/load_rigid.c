/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/load/load_rigid.h"

#include <math.h>
#include <string.h>

struct ns_rigid_made {
  ns_value mass, inertia;
  ns_turn turn;
  int planar;
  const double *from, *q; /* <q0> as it was written last, and what was made of it */
};

static const char *const names[2][7] = {{"x", "y", "z", "p0", "p1", "p2", "p3"},
                                        {"x", "y", "angle"}};

const char *const *ns_load_rigid_names(const ns_system *s) { return names[ns_system_is_planar(s)]; }

/* axes="body" of <fExt> or <mExt>; in the plane a moment has none. */
static int axes(ns_load *l, const ns_elem *e, const char *name, int otherwise, int *in_body)
{
  const ns_elem *k = ns_elem_value(e, name);
  *in_body = k ? ns_load_word(l, k, "axes", otherwise) : otherwise;
  return *in_body < 0 ? NS_MODEL : NS_OK;
}

static int flags(ns_load *l, const ns_elem *e, ns_system *proto)
{
  int k = ns_load_word(l, e, "gyroscopic", 0);
  proto->rigid.gyroscopic = k < 0 ? NS_GYROSCOPIC_IMPLICIT : (ns_gyroscopic)k;
  int bad = k < 0 ? NS_MODEL : NS_OK;
  bad |= axes(l, e, "fExt", 0, &proto->rigid.fext_in_body);
  return bad | axes(l, e, "mExt", 1, &proto->rigid.mext_in_body);
}

int ns_rigid_make(ns_load *l, const ns_elem *e, const ns_indices *index, ns_system *proto,
                  ns_wanted *q0, ns_rigid_made **out)
{
  ns_rigid_made *m = *out = ns_arena_zero(l->scratch, 1, sizeof *m);
  const ns_elem *q = ns_elem_value(e, "q0");
  if (!m) return ns_nomem(&l->msg.c, "a rigid body");
  m->planar = ns_system_is_planar(proto);
  proto->n = m->planar ? 3 : 6;
  proto->nq = m->planar ? 3 : 7;
  proto->names = names[m->planar];
  int bad = flags(l, e, proto), rc = m->planar ? NS_OK : ns_turn_make(l, q, index, &m->turn);
  *q0 = (ns_wanted){.rows = ns_turn_given(&m->turn) ? 3 : proto->nq,
                    .cols = 1,
                    .why = m->planar ? "position and angle"
                           : ns_turn_given(&m->turn)
                               ? "only the position, if an attribute gives the orientation"
                               : "position and unit quaternion, scalar first; with axis=, euler= "
                                 "or rpy= only the position"};
  bad |= rc;
  if (rc != NS_NOMEM)
    bad |= rc = ns_value_constant(l, e, "mass", index, &(ns_wanted){.rows = 1, .cols = 1},
                                  &m->mass);
  const ns_wanted w = {.rows = m->planar ? 1 : 3,
                       .cols = m->planar ? 1 : 3,
                       .why = m->planar ? "a body in the plane" : "a body in space"};
  if (rc != NS_NOMEM) bad |= rc = ns_value_constant(l, e, "inertia", index, &w, &m->inertia);
  return ns_load_verdict(rc, bad);
}

/* Position and quaternion of s->q0, kept where all instances have the same. */
static int orient(ns_load *l, const ns_elem *e, ns_rigid_made *m, const ns_indices *index,
                  const char *id, ns_system *s)
{
  if (m->from == s->q0 && !ns_turn_varies(&m->turn)) {
    s->q0 = m->q;
    return NS_OK;
  }
  const ns_elem *k = ns_elem_value(e, "q0");
  double *q = ns_arena_get(l->m->arena, (size_t)s->nq, sizeof *q);
  if (!q) return ns_nomem(&l->msg.c, "initial state");
  memcpy(q, s->q0, (ns_turn_given(&m->turn) ? 3 : 7) * sizeof *q);
  int rc = ns_turn_given(&m->turn) ? ns_turn_get(l, k, &m->turn, index, id, q + 3)
                                   : ns_turn_check(l, k, id, q + 3);
  m->from = s->q0;
  m->q = s->q0 = q;
  return rc;
}

/* Entries of a value, which lasts no longer than the visit where the body holds a copy. */
static int numbers(ns_load *l, const ns_elem *e, const char *name, const ns_value *v,
                   const ns_indices *index, const char *id, int n, double *x)
{
  ns_operator op;
  const ns_elem *k = ns_elem_value(e, name);
  int rc = k ? ns_value_get(l, k, v, index, id, &op) : NS_OK;
  if (rc || !k) return rc;
  memcpy(x, op.value, (size_t)n * sizeof *x);
  for (int i = 0; i < n; i++)
    if (x[i] != 0) return NS_OK;
  return ns_elem_fail(&l->msg, k, id, "is zero, expected a positive %s", name);
}

int ns_load_life(ns_load *l, const ns_elem *e, const ns_indices *index, const char *id,
                 const ns_life **life)
{
  ns_life k = {.birth = -INFINITY, .death = INFINITY};
  int rc = ns_load_attribute(l, e, "birth", index, &k.birth);
  if (!rc) rc = ns_load_attribute(l, e, "death", index, &k.death);
  *life = NULL;
  if (rc) return rc;
  if (!(k.birth < k.death))
    return ns_elem_fail(&l->msg, e, id, "birth is %g s and death %g s, expected birth < death",
                        k.birth, k.death);
  if (!isfinite(k.birth) && !isfinite(k.death)) return NS_OK;
  *life = ns_arena_copy(l->m->arena, &k, 1, sizeof k);
  return *life ? NS_OK : ns_nomem(&l->msg.c, "a birth or death");
}

int ns_rigid_get(ns_load *l, const ns_elem *e, ns_rigid_made *m, const ns_indices *index,
                 const char *id, ns_system *s)
{
  int n = m->planar ? 1 : 9, rc = m->planar ? NS_OK : orient(l, e, m, index, id, s);
  s->rigid.inertia = ns_arena_zero(l->m->arena, (size_t)n, sizeof *s->rigid.inertia);
  if (!s->rigid.inertia) return ns_nomem(&l->msg.c, "inertia of a body");
  if (!rc) rc = numbers(l, e, "mass", &m->mass, index, id, 1, &s->rigid.mass);
  if (!rc) rc = ns_load_life(l, e, index, id, &s->rigid.life);
  return rc ? rc : numbers(l, e, "inertia", &m->inertia, index, id, n, s->rigid.inertia);
}
