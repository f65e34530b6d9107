/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/rigid_drive.h"

#include "model/rigid_parts.h"

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

size_t ns_joint_drive_work(const ns_interaction *it)
{
  const ns_joint_drive *d = it->drive;
  size_t tape = 0;
  for (int k = 0; k < 2; k++) tape = larger(tape, larger(ns_operator_work(&d->force[k]), ns_operator_work(&d->by[k])));
  return tape + (size_t)it->nZ;
}

/* Coordinates, and rates behind them [2 n]; rows of both. */
static void measure(const ns_model *m, const ns_interaction *it, const double *q, const double *v, const double *angle, double *d,
                    ns_drive_state *s)
{
  int i = 0;
  s->n = ns_interaction_angles(it);
  s->dof = m->systems[it->systems[0]].n;
  for (int slide = 0; slide < 2; slide++) {
    if (!ns_joint_is_free(&it->joint, slide)) continue;
    d[i] = ns_joint_motion(m, it, slide, q, v, angle[it->angle + (size_t)i], s->g[i], &d[s->n + i]);
    i++;
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

/* Row i of k and c. */
static int tangents(const ns_operator *by, ns_ctx *c, const ns_point *p, double *work, int i, ns_drive_state *s)
{
  double row[4] = {0};
  int n = s->n, rc = by->how ? ns_operator_eval(by, c, p, work, row) : NS_OK;
  for (int j = 0; j < n; j++) {
    s->k[i + j * n] = -row[j];
    s->c[i + j * n] = -row[n + j];
  }
  return rc;
}

int ns_joint_drive_eval(const ns_model *m, ns_ctx *c, const ns_interaction *it, double t, const double *q, const double *v,
                        const double *z, const double *angle, double *work, ns_drive_state *s)
{
  const ns_joint_drive *drive = it->drive;
  double d[4], *Z = work, *tape = work + it->nZ;
  int rc = NS_OK;
  measure(m, it, q, v, angle, d, s);
  gather(m, it, z, Z);
  ns_point p = {.t = t, .angle = d, .nz = it->nZ, .z = Z, .index = it->index};
  for (int i = 0, slide = 0; slide < 2 && !rc; slide++) {
    if (!ns_joint_is_free(&it->joint, slide)) continue;
    rc = ns_operator_eval(&drive->force[slide], c, &p, tape, &s->tau[i]);
    if (!rc) rc = tangents(&drive->by[slide], c, &p, tape, i++, s);
  }
  return rc;
}
