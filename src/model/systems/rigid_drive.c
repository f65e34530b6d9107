/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/systems/rigid_drive.h"

#include "algebra/vector.h"
#include "model/systems/rigid_body.h"
#include "model/systems/rigid_parts.h"

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* M [width x width] += x y^T s. */
static void add_outer(int width, double s, const double *x, const double *y, double *M)
{
  if (s == 0) return;
  for (int j = 0; j < width; j++)
    for (int i = 0; i < width; i++)
      M[i + j * width] += x[i] * y[j] * s; /* symmetric where x is y */
}

void ns_drive_assemble(const ns_drive_rows *r, ns_drive_state *s)
{
  size_t width = (size_t)r->width;
  memset(s->F, 0, width * sizeof *s->F);
  for (int k = 0; k < r->n; k++)
    for (int j = 0; j < r->width; j++) s->F[j] += r->g[k][j] * r->tau[k];
  if (!s->K) return;
  memset(s->K, 0, width * width * sizeof *s->K);
  memset(s->C, 0, width * width * sizeof *s->C);
  for (int l = 0; l < r->n; l++)
    for (int k = 0; k < r->n; k++) {
      add_outer(r->width, r->k[k + l * r->n], r->g[k], r->g[l], s->K);
      add_outer(r->width, r->c[k + l * r->n], r->g[k], r->b[l], s->K);
      add_outer(r->width, r->c[k + l * r->n], r->g[k], r->g[l], s->C);
    }
}

size_t ns_drive_others_work(const ns_operator *op)
{
  size_t derivatives = ns_operator_foreign(op)
                           ? (size_t)op->rows * (size_t)ns_operator_foreign(op)->n
                           : 0;
  return ns_operator_work(op) + derivatives;
}

void ns_drive_by_others(const ns_drive_rows *r, const ns_drive_reader *by, const ns_point *at,
                        double *work, double *J)
{
  const ns_operator *op = by->op;
  double *d = work + ns_operator_work(op);
  int n = ns_operator_foreign(op)->n;
  ns_operator_eval_foreign(op, at, work, d);
  memset(J, 0, (size_t)r->width * (size_t)n * sizeof *J);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < op->rows; i++)
      ns_axpy((size_t)r->width, d[i + j * op->rows], r->g[by->at + i], J + j * r->width);
}

/* ---- joints ---------------------------------------------------------------------------------- */

size_t ns_joint_drive_work(const ns_interaction *it)
{
  const ns_joint_drive *d = it->drive;
  size_t tape = 0;
  for (int k = 0; k < 2; k++)
    tape = larger(tape, larger(ns_drive_others_work(&d->force[k]), ns_operator_work(&d->by[k])));
  return tape + (size_t)it->nZ;
}

/* Coordinates, and rates behind them; rows of both. */
static void measure(const ns_model *m, const ns_interaction *it, const double *q, const double *v,
                    const double *angle, ns_drive_rows *r)
{
  int i = 0;
  r->n = ns_interaction_angles(it);
  r->width = it->nsystems * (it->joint.planar ? 3 : 6);
  for (int slide = 0; slide < 2; slide++) {
    if (!ns_joint_is_free(&it->joint, slide)) continue;
    double turned = angle ? angle[it->angle + (size_t)i] : 0;
    r->d[i] = ns_joint_motion(m, it, slide, q, v, turned, r->g[i], &r->d[r->n + i]);
    memset(r->b[i], 0, (size_t)r->width * sizeof *r->b[i]);
    i++;
  }
}

void ns_joint_coordinates(const ns_model *m, const ns_interaction *it, const double *q,
                          const double *v, const double *angle, double *d)
{
  ns_drive_rows r;
  measure(m, it, q, v, angle, &r);
  memcpy(d, r.d, 2 * (size_t)r.n * sizeof *d);
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
static int tangents(const ns_operator *by, ns_ctx *c, const ns_point *p, double *work, int i,
                    ns_drive_rows *r)
{
  double row[4] = {0};
  int n = r->n, rc = by->how ? ns_operator_eval(by, c, p, work, row) : NS_OK;
  for (int j = 0; j < n; j++) {
    r->k[i + j * n] = -row[j];
    r->c[i + j * n] = -row[n + j];
  }
  return rc;
}

/* Up to which rates of coordinate i are the same: a part of what the motion of the bodies and, in
 * the step, the force itself can make of them. Of a coordinate at rest, at a stop or by friction,
 * rates of iterates are rounding, while its force changes with what else it depends on. */
static double same_rate(const ns_model *m, const ns_interaction *it, const double *v, double lever,
                        const ns_drive_rows *r, int i)
{
  static const double SAME = 1e-10;
  double size = 0;
  for (int side = 0; side < it->nsystems; side++) {
    const ns_system *b = &m->systems[it->systems[side]];
    double radius = ns_rigid_radius(b), speed = 0;
    for (int j = 0; j < b->n; j++)
      speed += fabs(v[b->v + (size_t)j]) * ns_rigid_weight(b->n, j, radius);
    for (int j = 0; j < b->n; j++) {
      double g = fabs(r->g[i][b->n * side + j]) / ns_rigid_weight(b->n, j, radius);
      size += g * speed + lever * fabs(r->tau[i]) * g * g / b->rigid.mass;
    }
  }
  return SAME * size;
}

/* What is known of the solution at the rate v. */
static void bound(ns_drive_chord *k, int i, double v, double same)
{
  if (k->known && v > k->last[i].rate + same) k->low[i] = k->last[i];
  if (k->known && v < k->last[i].rate - same) k->high[i] = k->last[i];
  if (!(v > k->low[i].rate + same)) k->low[i].rate = NAN;
  if (!(v < k->high[i].rate - same)) k->high[i].rate = NAN;
}

/* A torque that reads other systems changes with them: what is compared with it is the torque that
 * the rate of an iterate before would have beside these. */
static int renew(const ns_operator *torque, ns_ctx *c, const ns_point *p, double *work, int i,
                 double lever, const ns_drive_rows *r, struct ns_drive_iterate *k)
{
  double d[4];
  ns_point at = *p;
  if (isnan(k->rate)) return NS_OK;
  memcpy(d, r->d, 2 * (size_t)r->n * sizeof *d);
  d[i] += lever * (k->rate - d[r->n + i]);
  d[r->n + i] = k->rate;
  at.angle = d;
  return ns_operator_eval(torque, c, &at, work, &k->tau);
}

static int renew_all(const ns_operator *torque, ns_ctx *c, const ns_point *p, double *work, int i,
                     const ns_drive_rows *r, ns_drive_chord *k)
{
  if (!k || !k->known || !ns_operator_foreign(torque)) return NS_OK;
  int rc = renew(torque, c, p, work, i, k->lever, r, &k->last[i]);
  if (!rc) rc = renew(torque, c, p, work, i, k->lever, r, &k->low[i]);
  return rc ? rc : renew(torque, c, p, work, i, k->lever, r, &k->high[i]);
}

/* Damping of each coordinate becomes that of its chord where that is steeper. */
static void take_chords(const ns_model *m, const ns_interaction *it, const double *velocity,
                        ns_drive_chord *k, ns_drive_rows *r)
{
  for (int i = 0; i < r->n; i++) {
    double slope = r->c[i + i * r->n] + k->lever * r->k[i + i * r->n], v = r->d[r->n + i];
    bound(k, i, v, same_rate(m, it, velocity, k->lever, r, i));
    double low = (k->low[i].tau - r->tau[i]) / (v - k->low[i].rate);
    double high = (k->high[i].tau - r->tau[i]) / (v - k->high[i].rate);
    double chord = fmax(low, high); /* of numbers, where one is none */
    if (chord > 2 * fmax(slope, 0) && isfinite(chord)) r->c[i + i * r->n] += chord - slope;
    k->last[i] = (struct ns_drive_iterate){v, r->tau[i]};
  }
  k->known = 1;
}

/* Where its formulas are evaluated; Z [nZ] is written. */
static ns_point point_of(const ns_model *m, const ns_interaction *it, double t,
                         const ns_others *all, const double *z, double *Z, const ns_drive_rows *r)
{
  gather(m, it, z, Z);
  return (ns_point){.t = t,
                    .angle = r->d,
                    .nz = it->nZ,
                    .z = Z,
                    .index = it->index,
                    .model_q = all->q,
                    .model_v = all->v,
                    .model_z = all->z,
                    .model_angle = all->angle};
}

int ns_joint_drive_readers(const ns_interaction *it, ns_drive_reader by[NS_DRIVE_READERS])
{
  int n = 0, at = 0;
  for (int slide = 0; slide < 2; slide++) {
    if (!ns_joint_is_free(&it->joint, slide)) continue;
    const ns_operator *op = &it->drive->force[slide];
    if (ns_operator_foreign(op)) by[n++] = (ns_drive_reader){op, at};
    at++;
  }
  return n;
}

void ns_joint_drive_by_others(const ns_model *m, const ns_interaction *it,
                              const ns_drive_reader *by, double t, const double *q, const double *v,
                              const double *z, const double *angle, double *work, double *J)
{
  ns_drive_rows r;
  ns_others all = ns_drive_others(m, NULL, q, v, z, angle);
  measure(m, it, q, v, angle, &r);
  ns_point p = point_of(m, it, t, &all, z, work, &r);
  ns_drive_by_others(&r, by, &p, work + it->nZ, J);
}

/* J^-1 = I - phi~/2 + f phi~^2, f = (1 - (a/2) cot(a/2))/a^2, 3 x 3 by columns. */
static void turn_rate(const double *phi, double *J)
{
  double a2 = ns_dot3(phi, phi), a = sqrt(a2);
  double f = a > 1e-2 ? (1 - a / 2 / tan(a / 2)) / a2 : 1.0 / 12 + a2 / 720;
  for (int j = 0; j < 3; j++) {
    double e[3] = {0}, cross[3];
    e[j] = 1;
    ns_cross3(phi, e, cross);
    for (int i = 0; i < 3; i++)
      J[i + 3 * j] = e[i] - cross[i] / 2 + f * (phi[i] * phi[j] - a2 * e[i]);
  }
}

/* Coordinates, rows and torques of a ball joint. */
static void ball(const ns_model *m, const ns_interaction *it, const double *q, const double *v,
                 ns_drive_rows *r)
{
  const ns_joint_drive *drive = it->drive;
  const ns_system *b[2] = {&m->systems[it->systems[0]],
                           it->nsystems == 2 ? &m->systems[it->systems[1]] : NULL};
  double row[3][12], J[9];
  r->n = 3;
  r->width = 6 * it->nsystems;
  ns_joint_turn(&it->joint, q + b[0]->q, b[1] ? q + b[1]->q : NULL, r->d, row);
  turn_rate(r->d, J);
  for (int i = 0; i < 3; i++) {
    memcpy(r->g[i], row[i], (size_t)r->width * sizeof *r->g[i]);
    memset(r->b[i], 0, (size_t)r->width * sizeof *r->b[i]);
    r->d[3 + i] = 0;
    for (int j = 0; j < r->width; j++) r->d[3 + i] += row[i][j] * v[b[j / 6]->v + (size_t)(j % 6)];
    r->tau[i] = -drive->stiffness * r->d[i] - drive->damping * r->d[3 + i];
  }
  for (int e = 0; e < 9; e++) {
    r->k[e] = drive->stiffness * J[e];
    r->c[e] = e % 4 ? 0 : drive->damping;
  }
}

int ns_joint_drive_eval(const ns_model *m, ns_ctx *c, const ns_interaction *it, double t,
                        const double *q, const double *v, const double *z, const double *angle,
                        double *work, ns_drive_state *s)
{
  const ns_joint_drive *drive = it->drive;
  double *tape = work + it->nZ;
  ns_drive_rows r;
  int rc = NS_OK;
  s->extent = 0;
  if (it->joint.kind == NS_JOINT_BALL) {
    ball(m, it, q, v, &r);
    ns_drive_assemble(&r, s);
    return NS_OK;
  }
  ns_others all = ns_drive_others(m, s->all, q, v, z, angle);
  measure(m, it, q, v, angle, &r);
  ns_point p = point_of(m, it, t, &all, z, work, &r);
  for (int i = 0, slide = 0; slide < 2 && !rc; slide++) {
    if (!ns_joint_is_free(&it->joint, slide)) continue;
    r.tau[i] = 0;
    if (drive->force[slide].how)
      rc = ns_operator_eval(&drive->force[slide], c, &p, tape, &r.tau[i]);
    if (!rc) rc = renew_all(&drive->force[slide], c, &p, tape, i, &r, s->chord);
    if (!rc) rc = tangents(&drive->by[slide], c, &p, tape, i++, &r);
  }
  if (!rc && s->chord) take_chords(m, it, v, s->chord, &r);
  if (!rc) ns_drive_assemble(&r, s);
  return rc;
}
