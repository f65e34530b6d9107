/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/relations/output.h"

#include "algebra/vector.h"
#include "model/relations/lagrangian_relation.h"
#include "model/relations/rigid_relation.h"
#include "model/systems/first_order.h"

#include <string.h>

typedef struct local {
  ns_point p;
  double *v, *rest;
} local;

void ns_interaction_gather(const ns_model *m, const ns_interaction *it, const double *q,
                           const double *v, const double *z, double *Q, double *V, double *Z)
{
  for (int k = 0; k < it->nsystems; k++) {
    const ns_system *s = &m->systems[it->systems[k]];
    memcpy(Q, q + s->q, (size_t)s->nq * sizeof *Q);
    Q += s->nq;
    if (v) V = (double *)memcpy(V, v + s->v, (size_t)s->n * sizeof *V) + s->n;
    if (z && s->nz) Z = (double *)memcpy(Z, z + s->z, (size_t)s->nz * sizeof *Z) + s->nz;
  }
}

/* The point of an interaction, its systems' vectors one after the other; v NULL: of first order. */
static local gather(const ns_model *m, const ns_interaction *it, double t, const double *q,
                    const double *v, const double *z, const double *lambda, double *work)
{
  double *Q = work, *V = Q + it->nQ, *Z = V + it->nV;
  local l = {{.t = t,
              .n = it->nQ,
              .q = Q,
              .v = V,
              .nz = it->nZ,
              .z = Z,
              .index = it->index,
              .m = it->m,
              .lambda = lambda ? lambda + it->row : NULL},
             V,
             Z + it->nZ};
  ns_interaction_gather(m, it, q, v, z, Q, V, Z);
  return l;
}

size_t ns_interaction_output_work(const ns_interaction *it)
{
  size_t n = 2 * (size_t)it->nQ + (size_t)it->nZ, m = (size_t)it->m;
  if (ns_interaction_is_first_order(it)) return n + ns_relation_work(it);
  return n + m * ((size_t)it->nQ + 1) +
         (ns_interaction_is_rigid(it) ? ns_rigid_relation_work(it)
                                      : ns_lagrangian_relation_work(it));
}

size_t ns_output_work_max(const ns_model *m)
{
  size_t max = 0;
  for (int i = 0; i < m->ninteractions; i++) {
    size_t w = ns_interaction_output_work(&m->interactions[i]);
    max = w > max ? w : max;
  }
  return max;
}

int ns_interaction_output(const ns_model *m, ns_ctx *c, const ns_interaction *it, double t,
                          const double *q, const double *v, const double *z, const double *lambda,
                          const double *angle, double *work, double *y, double *ydot)
{
  local l = gather(m, it, t, q, v, z, lambda, work);
  double *u = ydot + it->row, *H = l.rest, *ht = H + (size_t)it->m * (size_t)it->nQ,
         *rest = ht + it->m;
  l.p.angle = angle ? angle + it->angle : NULL;
  int rc = ns_interaction_is_rigid(it)
               ? ns_rigid_relation_rows(it, c, &l.p, rest, y + it->row, H, ht)
               : ns_lagrangian_gap(it, c, &l.p, rest, y + it->row);
  if (!rc && !ns_interaction_is_rigid(it)) rc = ns_lagrangian_rows(it, c, &l.p, rest, H, ht, NULL);
  if (rc) return rc;
  memcpy(u, ht, (size_t)it->m * sizeof *u);
  ns_gemv(it->m, it->nV, 1, H, l.v, u);
  return NS_OK;
}

int ns_interaction_rows(const ns_model *m, ns_ctx *c, const ns_interaction *it, double t,
                        const double *q, const double *z, const double *angle, double *work,
                        double *y, double *G, double *shift)
{
  local l = gather(m, it, t, q, NULL, z, NULL, work);
  l.p.angle = angle ? angle + it->angle : NULL;
  return ns_rigid_relation_rows(it, c, &l.p, l.rest, y, G, shift);
}

void ns_joint_angles(const ns_model *m, const double *q, double *work, double *angle)
{
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (!ns_interaction_angles(it)) continue;
    ns_interaction_gather(m, it, q, NULL, NULL, work, NULL, NULL);
    ns_joint_axis_angles(it, work, angle + it->angle);
  }
}

void ns_joint_rates(const ns_model *m, const double *q, const double *v, double *rate)
{
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    if (it->relation->flags & NS_REL_JOINT && ns_interaction_angles(it))
      ns_joint_axis_rates(m, it, q, v, rate + it->angle);
  }
}

int ns_interaction_compliance(const ns_model *m, ns_ctx *c, const ns_interaction *it, double t,
                              const double *q, const double *z, const double *lambda, double *work,
                              double *D)
{
  local l = gather(m, it, t, q, NULL, z, lambda, work);
  return ns_lagrangian_rows(it, c, &l.p, l.rest, NULL, NULL, D);
}

int ns_interaction_output_first_order(const ns_model *m, ns_ctx *c, const ns_interaction *it,
                                      double t, const double *x, const double *v, const double *z,
                                      const double *lambda, double *work, double *y)
{
  local l = gather(m, it, t, x, NULL, z, lambda, work);
  l.p.model_q = x;
  l.p.model_v = v;
  l.p.model_z = z;
  return ns_relation_eval(it, c, &l.p, l.rest, y + it->row, NULL);
}
