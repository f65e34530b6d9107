/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_bodies.h -- for tests: models of rigid bodies made by hand, at chosen or at random places.
 */
#ifndef TESTS_SUPPORT_RIGID_BODIES_H
#define TESTS_SUPPORT_RIGID_BODIES_H

#include "support/rate.h"

#include "model/relations/rigid_relation.h"
#include "model/systems/rigid_body.h"

/* Uniform in [-1, 1], the same in every run. */
static inline double any_number(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (1 << 23) - 1;
}

static inline void any_vector(unsigned *seed, int n, double *x)
{
  for (int i = 0; i < n; i++) x[i] = any_number(seed);
}

/* q [7]: a place and a unit quaternion. */
static inline void any_pose(unsigned *seed, double *q)
{
  any_vector(seed, 7, q);
  ns_quaternion_unit(q + 3);
}

/* A body at q0 (borrowed) with inertia by its moments; planar: q0 [3]. Its operators are the
 * caller's to set. */
static inline ns_system *rigid_system(ns_model *m, const char *kind, const double *q0, double mass,
                                      const double *moments)
{
  int planar = !strcmp(kind, "RigidBody2dDS");
  ns_system *s = model_system(m, kind, planar ? 3 : 6, q0);
  s->rigid.mass = mass;
  s->rigid.inertia = ns_arena_zero(m->arena, planar ? 1 : 9, sizeof(double));
  for (int i = 0; i < (planar ? 1 : 3); i++) s->rigid.inertia[4 * i] = moments[i];
  s->v = 0;
  for (ns_system *before = m->systems; before < s; before++)
    s->q += (size_t)before->nq, s->v += (size_t)before->n;
  return s;
}

/* On systems [n] (borrowed). */
static inline ns_interaction *rigid_interaction(ns_model *m, const char *relation, const char *law,
                                                int rows, int n, const int *systems)
{
  ns_interaction *it = model_interaction(m, relation, law, rows, n, systems);
  it->nQ = 0;
  for (int k = 0; k < n; k++) it->nQ += m->systems[systems[k]].nq;
  return it;
}

/* y and G of an interaction at Q; angle NULL: 0. */
static inline void rigid_rows(const ns_interaction *it, const double *Q, const double *angle,
                              double *y, double *G, double *shift)
{
  ns_ctx c = {0};
  double work[1024], z[1] = {0};
  ns_point p = {.t = 0.3, .n = it->nQ, .q = Q, .z = z, .m = it->m, .angle = angle};
  ck_assert_uint_le(ns_rigid_relation_work(it), 1024);
  int rc = ns_rigid_relation_rows(it, &c, &p, work, y, G, shift);
  ck_assert_msg(rc == NS_OK, "%s", c.msg);
}

/* Q := Q (+) e V, body by body; planar: Q + e V. */
static inline void rigid_displace(const ns_interaction *it, double e, const double *V, double *Q)
{
  for (int b = 0; it->nQ == it->nV && b < it->nQ; b++) Q[b] += e * V[b];
  for (int b = 0; it->nQ != it->nV && b < it->nQ / 7; b++) {
    double phi[3] = {e * V[6 * b + 3], e * V[6 * b + 4], e * V[6 * b + 5]};
    ns_axpy3(Q + 7 * b, e, V + 6 * b, Q + 7 * b);
    ns_quaternion_turn(Q + 7 * b + 3, phi);
  }
}

/* G is the derivative of y by the velocities: rows [0, rows) against central differences along each
 * of them. */
static inline void rows_are_derivatives(const ns_interaction *it, const double *Q,
                                        const double *angle, int rows, double tol)
{
  double y[8], G[8 * 24], up[8], down[8], e = 1e-5;
  ck_assert_int_le(it->nV, 24);
  rigid_rows(it, Q, angle, y, G, NULL);
  for (int j = 0; j < it->nV; j++) {
    double V[24] = {0}, moved[28];
    V[j] = 1;
    for (int side = 0; side < 2; side++) {
      memcpy(moved, Q, (size_t)it->nQ * sizeof *Q);
      rigid_displace(it, side ? -e : e, V, moved);
      rigid_rows(it, moved, angle, side ? down : up, NULL, NULL);
    }
    for (int i = 0; i < rows; i++)
      ck_assert_msg(fabs((up[i] - down[i]) / (2 * e) - G[i + j * it->m]) <= tol,
                    "%s row %d, velocity %d: %.12g, differences give %.12g", it->relation->name, i,
                    j, G[i + j * it->m], (up[i] - down[i]) / (2 * e));
  }
}

/* Sum of the forces of G^T lambda on two bodies, and of their moments about the origin of the
 * world, both 0 within tol. */
static inline void wrench_is_balanced(const ns_interaction *it, const double *Q, const double *G,
                                      const double *lambda, double tol)
{
  double force[3] = {0}, moment[3] = {0};
  for (int b = 0; b < 2; b++) {
    double w[6] = {0}, R[9], turn[3], about[3];
    for (int j = 0; j < 6; j++)
      for (int r = 0; r < it->m; r++) w[j] += G[r + (6 * b + j) * it->m] * lambda[r];
    ns_quaternion_matrix(Q + 7 * b + 3, R);
    ns_mul3(R, w + 3, turn);
    ns_cross3(Q + 7 * b, w, about);
    for (int i = 0; i < 3; i++) {
      force[i] += w[i];
      moment[i] += turn[i] + about[i];
    }
  }
  for (int i = 0; i < 3; i++) {
    ck_assert_double_le(fabs(force[i]), tol);
    ck_assert_double_le(fabs(moment[i]), tol);
  }
}

#endif
