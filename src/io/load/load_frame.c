/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/load/load_frame.h"

#include "algebra/rotation.h"
#include "io/load/load_rigid.h"

#include <string.h>

/* What all visits of one element share. */
typedef struct frame_made {
  ns_vector3 position, velocity, spin;
  ns_turn turn;
  int planar, bad; /* planar: as of ns_load_frame */
} made;

static int make(ns_load *l, ns_elem *e, const ns_indices *index)
{
  made *m = e->made = ns_arena_zero(l->scratch, 1, sizeof *m);
  if (!m) return ns_nomem(&l->msg.c, "a frame");
  int rc = ns_vector3_make(l, e, "position", 0, index, &m->position), bad = rc;
  if (rc != NS_NOMEM) bad |= rc = ns_vector3_make(l, e, "velocity", 0, index, &m->velocity);
  if (rc != NS_NOMEM) bad |= rc = ns_vector3_make(l, e, "angularVelocity", 0, index, &m->spin);
  /* an angle alone is one in the plane */
  int alone = ns_elem_attr(e, "angle") && !ns_elem_attr(e, "axis");
  int flat = m->position.n == 2 || (!m->position.n && alone);
  if (rc != NS_NOMEM && flat && alone) {
    m->turn.has_angle = 1;
    bad |= rc = ns_load_attribute_make(l, e, "angle", index, &m->turn.angle);
  } else if (rc != NS_NOMEM) {
    bad |= rc = ns_turn_make(l, e, index, &m->turn);
  }
  flat |= !m->position.n && m->velocity.n == 2;
  m->planar = flat                                                                     ? 1
              : m->position.n || m->velocity.n || m->spin.n || ns_turn_given(&m->turn) ? 0
                                                                                       : -1;
  int dim = flat ? 2 : 3, spins = flat ? 1 : 3;
  if (!bad && m->position.n && m->position.n != dim)
    bad = ns_elem_fail(&l->msg, e, NULL,
                       "attribute position has %d entries, expected 3, or 2 in the plane",
                       m->position.n);
  if (!bad && flat && ns_turn_given(&m->turn))
    bad = ns_elem_fail(&l->msg, e, NULL,
                       "is rotated in space, but its position has 2 entries, which is in the "
                       "plane: expected only angle=");
  if (!bad && m->velocity.n && m->velocity.n != dim)
    bad = ns_elem_fail(&l->msg, e, NULL,
                       "attribute velocity has %d entries, expected %d, as position", m->velocity.n,
                       dim);
  if (!bad && m->spin.n && m->spin.n != spins)
    bad = ns_elem_fail(&l->msg, e, NULL, "attribute angularVelocity has %d entries, expected %d",
                       m->spin.n, spins);
  m->bad = bad != 0;
  return ns_load_verdict(rc, bad);
}

static int own_turn(ns_load *l, const ns_elem *e, const made *m, const ns_indices *index, double *p)
{
  if (m->planar < 1 || !m->turn.has_angle) return ns_turn_get(l, e, &m->turn, index, NULL, p);
  double angle = ns_scalar_get(&m->turn.angle, index);
  memcpy(p, (double[]){cos(angle / 2), 0, 0, sin(angle / 2)}, 4 * sizeof *p);
  return ns_load_attribute_check(l, e, "angle", angle);
}

int ns_load_frame_get(ns_load *l, ns_elem *e, const ns_indices *index, ns_load_frame *f)
{
  static const ns_load_frame world = {.turn = {1}, .planar = -1};
  const ns_load_frame *in = l->frame ? l->frame : &world;
  double at[3] = {0}, turn[4], velocity[3] = {0}, spin[3] = {0}, R[9], c[3], d[3];
  int rc = e->made ? NS_OK : make(l, e, index);
  if (rc) return rc;
  const made *m = e->made;
  if (m->bad) return NS_MODEL;
  if (in->planar >= 0 && m->planar >= 0 && in->planar != m->planar)
    return ns_elem_fail(&l->msg, e, NULL, "is a frame %s inside a frame %s, expected the same kind",
                        m->planar ? "in the plane" : "in space",
                        in->planar ? "in the plane" : "in space");
  rc = ns_vector3_get(l, e, "position", &m->position, index, NULL, at);
  if (!rc) rc = ns_vector3_get(l, e, "velocity", &m->velocity, index, NULL, velocity);
  if (!rc)
    rc = ns_vector3_get(l, e, "angularVelocity", &m->spin, index, NULL,
                        m->planar > 0 ? spin + 2 : spin);
  if (!rc) rc = own_turn(l, e, m, index, turn);
  if (rc) return rc;
  *f = (ns_load_frame){.e = e,
                       .planar = m->planar < 0 ? in->planar : m->planar,
                       .moves = in->moves || m->velocity.n || m->spin.n};
  ns_quaternion_matrix(in->turn, R);
  ns_mul3(R, at, d); /* from the origin of the one around it */
  ns_axpy3(in->at, 1, d, f->at);
  ns_quaternion_mul(in->turn, turn, f->turn);
  ns_quaternion_unit(f->turn);
  ns_cross3(in->spin, d, c);
  ns_axpy3(in->velocity, 1, c, f->velocity);
  ns_mul3(R, velocity, d);
  ns_axpy3(f->velocity, 1, d, f->velocity);
  ns_mul3(R, spin, d);
  ns_axpy3(in->spin, 1, d, f->spin);
  return NS_OK;
}

void ns_load_frame_place(const ns_load *l, double *point, double *direction)
{
  double R[9], x[3];
  if (!l->frame) return;
  ns_quaternion_matrix(l->frame->turn, R);
  if (point) {
    ns_mul3(R, point, x);
    ns_axpy3(l->frame->at, 1, x, point);
  }
  if (direction) {
    ns_mul3(R, direction, x);
    memcpy(direction, x, sizeof x);
  }
}

void ns_load_frame_pose(const ns_load *l, double *at, double *turn)
{
  double p[4];
  if (!l->frame) return;
  ns_load_frame_place(l, at, NULL);
  ns_quaternion_mul(l->frame->turn, turn, p);
  ns_quaternion_unit(p);
  memcpy(turn, p, sizeof p);
}

int ns_load_frame_check(ns_load *l, const ns_elem *e, const char *id, int planar)
{
  const ns_load_frame *f = l->frame;
  if (!f || f->planar < 0 || f->planar == planar) return NS_OK;
  return ns_elem_fail(&l->msg, e, id,
                      "lies in %s, but the <frame> around it (line %d) is in %s, expected "
                      "position= of %d numbers there%s",
                      planar ? "the plane" : "space", f->e->line, planar ? "space" : "the plane",
                      planar ? 2 : 3, planar ? " and angle= alone" : "");
}

int ns_load_frame_body(ns_load *l, const ns_elem *e, const char *id, ns_system *s)
{
  int planar = ns_system_is_planar(s), rc = ns_load_frame_check(l, e, id, planar);
  if (rc || !l->frame) return rc;
  double *q = ns_arena_copy(l->m->arena, s->q0, (size_t)s->nq, sizeof *q);
  if (!q) return ns_nomem(&l->msg.c, "initial state");
  if (planar) {
    double x[3] = {q[0], q[1], 0};
    ns_load_frame_place(l, x, NULL);
    q[0] = x[0];
    q[1] = x[1];
    q[2] += 2 * atan2(l->frame->turn[3], l->frame->turn[0]);
  } else {
    ns_load_frame_pose(l, q, q + 3);
  }
  s->q0 = q;
  return NS_OK;
}

/* v = v_frame + w_frame x (x - x_frame) + R v0; angular velocities of a body are in its axes. */
int ns_load_frame_velocity(ns_load *l, ns_system *s)
{
  const ns_load_frame *f = l->frame;
  int planar = ns_system_is_planar(s), dim = planar ? 2 : 3;
  if (!f) return NS_OK;
  double *v = ns_arena_copy(l->m->arena, s->v0, (size_t)s->n, sizeof *v), own[3] = {0}, d[3] = {0},
         c[3], R[9];
  if (!v) return ns_nomem(&l->msg.c, "initial state");
  for (int k = 0; k < dim; k++) {
    own[k] = v[k];
    d[k] = s->q0[k] - f->at[k];
  }
  ns_load_frame_place(l, NULL, own);
  ns_cross3(f->spin, d, c);
  for (int k = 0; k < dim; k++) v[k] = own[k] + f->velocity[k] + c[k];
  if (planar) {
    v[2] += f->spin[2];
  } else {
    ns_quaternion_matrix(s->q0 + 3, R);
    ns_mul3t(R, f->spin, c);
    ns_axpy3(v + 3, 1, c, v + 3);
  }
  s->v0 = v;
  return NS_OK;
}
