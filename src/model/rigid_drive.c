/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/rigid_drive.h"

#include "model/rigid_parts.h"

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

size_t ns_joint_drive_work(const ns_interaction *it)
{
  const ns_joint_drive *d = it->drive;
  size_t tape = 0;
  for (int k = 0; k < 2; k++)
    tape = larger(larger(tape, ns_operator_work(&d->force[k])), larger(ns_operator_work(&d->by_d[k]), ns_operator_work(&d->by_rate[k])));
  return tape + (size_t)it->nZ;
}

/* Coordinates d, their rates and rows. */
static void measure(const ns_model *m, const ns_interaction *it, const double *q, const double *v, const double *angle, double *d,
                    double *rate, ns_drive_state *s)
{
  const ns_system *b1 = &m->systems[it->systems[0]], *b2 = it->nsystems == 2 ? &m->systems[it->systems[1]] : NULL;
  s->n = 0;
  s->dof = b1->n;
  for (int slide = 0; slide < 2; slide++) {
    if (!ns_joint_is_free(&it->joint, slide)) continue;
    double *g = s->g[s->n], r = 0;
    d[s->n] = ns_joint_coordinate(&it->joint, slide, q + b1->q, b2 ? q + b2->q : NULL, angle[it->angle + (size_t)s->n], g);
    for (int j = 0; j < s->dof; j++) r += g[j] * v[b1->v + (size_t)j];
    for (int j = 0; b2 && j < s->dof; j++) r += g[s->dof + j] * v[b2->v + (size_t)j];
    rate[s->n++] = r;
  }
}

/* Z of its bodies, one after the other. */
static void gather(const ns_model *m, const ns_interaction *it, const double *z, double *Z)
{
  for (int i = 0; i < it->nsystems; i++) {
    const ns_system *b = &m->systems[it->systems[i]];
    if (b->nz) memcpy(Z, z + b->z, (size_t)b->nz * sizeof *Z);
    Z += b->nz;
  }
}

/* Row i of k or c := - that of the Jacobian. */
static int tangent(const ns_operator *o, ns_ctx *c, const ns_point *p, double *work, int i, int n, double *k)
{
  double row[2] = {0};
  int rc = o->how ? ns_operator_eval(o, c, p, work, row) : NS_OK;
  for (int j = 0; j < n; j++) k[i + j * n] = -row[j];
  return rc;
}

int ns_joint_drive_eval(const ns_model *m, ns_ctx *c, const ns_interaction *it, double t, const double *q, const double *v,
                        const double *z, const double *angle, double *work, ns_drive_state *s)
{
  const ns_joint_drive *drive = it->drive;
  double d[2], rate[2], *Z = work, *tape = work + it->nZ;
  int rc = NS_OK;
  measure(m, it, q, v, angle, d, rate, s);
  gather(m, it, z, Z);
  ns_point p = {.t = t, .n = s->n, .q = d, .v = rate, .nz = it->nZ, .z = Z, .index = it->index};
  for (int i = 0, slide = 0; slide < 2 && !rc; slide++) {
    if (!ns_joint_is_free(&it->joint, slide)) continue;
    rc = ns_operator_eval(&drive->force[slide], c, &p, tape, &s->tau[i]);
    if (!rc) rc = tangent(&drive->by_d[slide], c, &p, tape, i, s->n, s->k);
    if (!rc) rc = tangent(&drive->by_rate[slide], c, &p, tape, i, s->n, s->c);
    i++;
  }
  return rc;
}
