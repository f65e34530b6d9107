/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/systems/rigid_force.h"

#include "algebra/vector.h"
#include "model/systems/rigid_parts.h"

#include <string.h>

/* ---- an end ---------------------------------------------------------------------------------- */

/* In world axes, in the plane with z = 0. Columns are by the increments and velocities of the body:
 * dof of them [3 x dof]. */
typedef struct end {
  int moves, dof, linear; /* 0: fixed; linear: velocities of its centre */
  double x[3], v[3];      /* its body's centre and velocity */
  double R[9], Omega[3];  /* body to world; in body axes */
  double s[3];            /* the point in body axes */
  double P[3], V[3];      /* the point and its velocity */
  double J[18], B[18];    /* of P by increments; of V by increments */
} end;

/* The axis of rotation j of the body. */
static void axis_of(const end *e, int j, double *axis)
{
  int k = e->dof == 6 ? j : 2;
  for (int i = 0; i < 3; i++) axis[i] = i == k;
}

static void state_of(int planar, const double *q, const double *v, end *e)
{
  for (int i = 0; i < e->linear; i++) {
    e->x[i] = q[i];
    e->v[i] = v[i];
  }
  if (planar) {
    e->R[0] = e->R[4] = cos(q[2]);
    e->R[3] = -(e->R[1] = sin(q[2]));
    e->Omega[2] = v[2];
  } else {
    ns_quaternion_matrix(q + 3, e->R);
    memcpy(e->Omega, v + 3, sizeof e->Omega);
  }
}

/* P = x + R s, V = v + R (Omega x s); q, v: of its body, NULL where it is fixed. */
static void end_of(const ns_body_force *f, int k, const double *q, const double *v, end *e)
{
  const ns_force_end *at = &f->end[k];
  *e = (end){.moves = at->system >= 0,
             .dof = f->planar ? 3 : 6,
             .linear = f->planar ? 2 : 3,
             .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  memcpy(e->s, at->at, (size_t)e->linear * sizeof *e->s);
  memcpy(e->P, e->s, sizeof e->P);
  if (!e->moves) return;
  double turning[3], a[3];
  state_of(f->planar, q, v, e);
  ns_cross3(e->Omega, e->s, turning);
  ns_mul3(e->R, e->s, a);
  ns_axpy3(e->x, 1, a, e->P);
  ns_mul3(e->R, turning, a);
  ns_axpy3(e->v, 1, a, e->V);
  for (int j = 0; j < e->dof; j++) {
    double axis[3], b[3];
    if (j < e->linear) {
      e->J[3 * j + j] = 1;
      continue;
    }
    axis_of(e, j - e->linear, axis);
    ns_cross3(axis, e->s, b);
    ns_mul3(e->R, b, e->J + 3 * j);
    ns_cross3(axis, turning, b);
    ns_mul3(e->R, b, e->B + 3 * j);
  }
}

/* ---- where its bodies are -------------------------------------------------------------------- */

/* Coordinates and velocities of the body of each end, NULL: the world; and coordinates of its
 * joints, at first what turns are counted from. */
typedef struct standing {
  const double *q[NS_FORCE_ENDS], *v[NS_FORCE_ENDS];
  double turned[NS_FORCE_ENDS];
} standing;

static const double at_rest[6];

static void stand(const ns_model *m, const ns_body_force *f, const double *q, const double *v,
                  const double *angle, standing *s)
{
  for (int k = 0; k < f->nends; k++) {
    const ns_system *b = f->end[k].system < 0 ? NULL : &m->systems[f->end[k].system];
    s->q[k] = b ? q + b->q : NULL;
    s->v[k] = b ? v + b->v : NULL;
  }
  for (int i = 0; i < f->njoints; i++) {
    const ns_force_joint *j = &f->joint[i];
    size_t at = m->interactions[j->interaction].angle +
                (j->slide && ns_joint_is_free(j->joint, 0) ? 1 : 0);
    s->turned[i] = angle ? angle[at] : 0;
  }
}

static void ends_of(const ns_body_force *f, const standing *s, end *e)
{
  for (int k = 0; k < f->nends; k++) end_of(f, k, s->q[k], s->v[k], &e[k]);
}

/* ---- the line -------------------------------------------------------------------------------- */

/* From one end to the next. */
typedef struct segment {
  int limit; /* its length is 0: d and across are those of the limit along the motion */
  double length, rate;
  double d[3];      /* direction */
  double across[3]; /* (e' - d rate) / length: how it turns */
} segment;

static segment segment_of(const end *a, const end *b)
{
  segment s = {0};
  double e[3], de[3];
  ns_sub3(b->P, a->P, e);
  ns_sub3(b->V, a->V, de);
  s.length = ns_norm3(e);
  s.limit = s.length == 0;
  memcpy(s.d, s.limit ? de : e, sizeof s.d);
  ns_unit3(s.d);
  s.rate = ns_dot3(s.d, de);
  for (int i = 0; i < 3 && !s.limit; i++) s.across[i] = (de[i] - s.d[i] * s.rate) / s.length;
  return s;
}

/* row [2 dof] += x^T of how two ends move apart, columns D of each: J or B. */
static void add_row(int dof, const double *Da, const double *Db, const double *x, double *row)
{
  for (int j = 0; j < dof; j++) {
    row[j] -= ns_dot3(x, Da + 3 * j);
    row[dof + j] += ns_dot3(x, Db + 3 * j);
  }
}

static double strands_of(const ns_body_force *f, int k) { return f->strands ? f->strands[k] : 1; }

/* Length, rate and their rows. 1: some segment has length 0. */
static int through_points(const ns_body_force *f, const end *e, segment *s, ns_drive_rows *r)
{
  int limit = 0, dof = e->dof;
  for (int k = 0; k + 1 < f->nends; k++) {
    const end *a = &e[k], *b = &e[k + 1];
    double n = strands_of(f, k), d[3], across[3];
    if (n == 0) continue;
    s[k] = segment_of(a, b);
    for (int i = 0; i < 3; i++) {
      d[i] = n * s[k].d[i];
      across[i] = n * s[k].across[i];
    }
    r->d[0] += n * s[k].length;
    r->d[r->n] += n * s[k].rate;
    limit |= s[k].limit;
    add_row(dof, a->J, b->J, d, r->g[0] + k * dof);
    add_row(dof, a->J, b->J, across, r->b[0] + k * dof);
    add_row(dof, a->B, b->B, d, r->b[0] + k * dof);
  }
  return limit;
}

/* The coordinate of joint i times its coefficient joins length, rate and row. How rows of joints
 * turn is left out, as in rigid_drive.h. */
static void over_joint(const ns_body_force *f, int i, standing *s, ns_drive_rows *r)
{
  const ns_force_joint *j = &f->joint[i];
  double row[12];
  int dof = f->planar ? 3 : 6;
  s->turned[i] = ns_joint_coordinate(j->joint, j->slide, s->q[j->end[0]],
                                     j->end[1] < 0 ? NULL : s->q[j->end[1]], s->turned[i], row);
  r->d[0] += j->coefficient * s->turned[i];
  for (int side = 0; side < 2 && j->end[side] >= 0; side++) {
    double *g = r->g[0] + dof * j->end[side];
    for (int k = 0; k < dof; k++) {
      double along = j->coefficient * row[dof * side + k];
      g[k] += along;
      r->d[r->n] += along * s->v[j->end[side]][k];
    }
  }
}

/* Length, rate and their rows, whichever line it is. */
static int line(const ns_body_force *f, standing *at, const end *e, segment *s, ns_drive_rows *r)
{
  memset(r->g[0], 0, (size_t)r->width * sizeof *r->g[0]);
  memset(r->b[0], 0, (size_t)r->width * sizeof *r->b[0]);
  r->d[0] = r->d[r->n] = 0;
  if (!f->njoints) return through_points(f, e, s, r);
  for (int i = 0; i < f->njoints; i++) over_joint(f, i, at, r);
  return 0;
}

double ns_body_force_length(const ns_body_force *f, const double *Q, const double *last, double *d,
                            double *g)
{
  int dof = f->planar ? 3 : 6, nq = f->planar ? 3 : 7;
  standing at;
  end e[NS_FORCE_ENDS];
  segment seg[NS_FORCE_ENDS];
  ns_drive_rows r = {.n = 1, .width = f->nends * dof};
  for (int k = 0; k < f->nends; k++) {
    int moves = f->end[k].system >= 0;
    at.q[k] = moves ? Q : NULL;
    at.v[k] = moves ? at_rest : NULL;
    if (moves) Q += nq;
  }
  for (int i = 0; i < f->njoints; i++) at.turned[i] = last ? last[i] : 0;
  if (!f->njoints) ends_of(f, &at, e);
  line(f, &at, e, seg, &r);
  if (d) memcpy(d, at.turned, (size_t)f->njoints * sizeof *d);
  for (int k = 0; k < f->nends && g; k++) {
    if (f->end[k].system < 0) continue;
    memcpy(g, r.g[0] + k * dof, (size_t)dof * sizeof *g);
    g += dof;
  }
  return r.d[0];
}

void ns_body_forces_finish(const ns_model *m)
{
  for (int i = 0; i < m->nforces; i++) {
    ns_body_force *f = &m->forces[i];
    double Q[7 * NS_FORCE_ENDS], *q = Q;
    if (!isnan(f->rest_length)) continue;
    for (int k = 0; k < f->nends; k++) {
      if (f->end[k].system < 0) continue;
      ns_system_start(&m->systems[f->end[k].system], q);
      q += f->planar ? 3 : 7;
    }
    f->rest_length = ns_body_force_length(f, Q, NULL, NULL, NULL);
  }
}

/* K of one side += -d(moment)/d(rotation) of the force F, in world axes, at its point: moment = s x
 * R^T F. */
static void add_arm(const end *e, const double *F, int at, int width, double *K)
{
  double body[3], axis[3], turned[3], moment[3];
  int first = e->dof == 6 ? 0 : 2;
  if (!e->moves) return;
  ns_mul3t(e->R, F, body);
  for (int j = e->linear; j < e->dof; j++) {
    axis_of(e, j - e->linear, axis);
    ns_cross3(body, axis, turned);
    ns_cross3(e->s, turned, moment);
    for (int i = e->linear; i < e->dof; i++)
      K[at + i + (at + j) * width] -= moment[first + i - e->linear];
  }
}

/* M += -scale S^T (I - d d^T) S, S how the ends of a segment move apart. */
static void add_across(const end *a, const end *b, const double *d, double scale, int at, int width,
                       double *M)
{
  int dof = a->dof;
  for (int j = 0; j < 2 * dof; j++) {
    double x[3], row[2 * 6] = {0}, sign = j < dof ? -1 : 1;
    const double *column = j < dof ? a->J + 3 * j : b->J + 3 * (j - dof);
    double along = ns_dot3(d, column);
    for (int i = 0; i < 3; i++) x[i] = sign * (column[i] - along * d[i]);
    add_row(dof, a->J, b->J, x, row);
    ns_axpy((size_t)(2 * dof), -scale, row, M + at + (at + j) * width);
  }
}

/* What the line's turning adds: -F dg^T. At length 0, where F = slope length + damping rate, its
 * limit. */
static void line_turns(const ns_body_force *f, const end *e, const segment *s,
                       const ns_drive_rows *r, ns_drive_state *st)
{
  double push[3];
  int dof = e->dof, width = r->width;
  for (int k = 0; k + 1 < f->nends && !f->njoints; k++) {
    const end *a = &e[k], *b = &e[k + 1];
    double n = strands_of(f, k), F = n * r->tau[0], stiffness = n * n * r->k[0];
    if (n == 0) continue;
    if (s[k].limit) {
      add_across(a, b, s[k].d, -stiffness, k * dof, width, st->K); /* along d it is there already */
      add_across(a, b, s[k].d, -n * n * r->c[0], k * dof, width, st->C);
    } else {
      /* of a spring much longer than its rest length it is as its own stiffness */
      int springy = -F / s[k].length > 0.5 * stiffness && r->k[0] > 0;
      add_across(a, b, s[k].d, F / s[k].length, k * dof, width, springy ? st->K : st->turn);
    }
    for (int i = 0; i < 3; i++) push[i] = F * s[k].d[i];
    add_arm(b, push, (k + 1) * dof, width, st->turn);
    ns_scale(3, -1, push);
    add_arm(a, push, k * dof, width, st->turn);
  }
}

/* ---- the first point relative to the second, in the axes of the second's body ---------------- */

/* w = R2^T (P1 - x2) is the place in the axes of body 2, and its rate there is R2^T (V1 - v2) -
 * Omega2 x w. */
typedef struct place {
  double w[3], flow[3]; /* flow: R2^T (V1 - v2) */
} place;

/* How w and its rate go with increment j of body 1 and of body 2. */
static void place_by_first(const end *a, const end *b, int j, double *dw, double *drate)
{
  double c[3], turned[3];
  ns_mul3t(b->R, a->J + 3 * j, dw);
  ns_mul3t(b->R, a->B + 3 * j, c);
  ns_cross3(b->Omega, dw, turned);
  ns_sub3(c, turned, drate);
}

static void place_by_second(const end *b, const place *p, int j, double *dw, double *drate)
{
  double axis[3] = {0}, c[3] = {0}, turned[3];
  if (j < b->linear) {
    axis[j] = -1;
    ns_mul3t(b->R, axis, dw);
  } else {
    axis_of(b, j - b->linear, axis);
    ns_cross3(p->w, axis, dw);
    ns_cross3(p->flow, axis, c);
  }
  ns_cross3(b->Omega, dw, turned);
  ns_sub3(c, turned, drate);
}

/* Coordinates 1, 2 and, in space, 3. */
static void relative(const end *e, place *p, ns_drive_rows *r)
{
  const end *a = &e[0], *b = &e[1];
  double d[3], turned[3], dw[3], drate[3];
  ns_sub3(a->P, b->x, d);
  ns_mul3t(b->R, d, p->w);
  ns_sub3(a->V, b->v, d);
  ns_mul3t(b->R, d, p->flow);
  ns_cross3(b->Omega, p->w, turned);
  for (int i = 0; i < a->linear; i++) {
    r->d[1 + i] = p->w[i] - b->s[i];
    r->d[r->n + 1 + i] = p->flow[i] - turned[i];
  }
  for (int j = 0; j < 2 * a->dof; j++) {
    if (j < a->dof) place_by_first(a, b, j, dw, drate);
    else place_by_second(b, p, j - a->dof, dw, drate);
    int moves = j < a->dof || b->moves;
    for (int i = 0; i < a->linear; i++) {
      r->g[1 + i][j] = moves ? dw[i] : 0;
      r->b[1 + i][j] = moves ? drate[i] : 0;
    }
  }
}

/* Coordinate 3 of the plane: the angle of the first body relative to the other. */
static void turn(const ns_model *m, const ns_body_force *f, const double *q, const end *e,
                 ns_drive_rows *r)
{
  memset(r->g[3], 0, (size_t)r->width * sizeof *r->g[3]);
  memset(r->b[3], 0, (size_t)r->width * sizeof *r->b[3]);
  r->d[3] = r->d[r->n + 3] = 0;
  for (int k = 0; k < 2; k++) {
    double sign = k ? -1 : 1;
    if (!e[k].moves) continue;
    r->g[3][3 * k + 2] = sign;
    r->d[3] += sign * q[m->systems[f->end[k].system].q + 2];
    r->d[r->n + 3] += sign * e[k].Omega[2];
  }
}

/* K of row block `at` += the wrench changes of a body, by column: force in world axes, moment in
 * body axes. */
static void add_change(const end *e, double sign, const double *force, const double *moment, int at,
                       double *column)
{
  int first = e->dof == 6 ? 0 : 2;
  ns_axpy((size_t)e->linear, sign, force, column + at);
  for (int i = e->linear; i < e->dof; i++) column[at + i] += sign * moment[first + i - e->linear];
}

/* -dg^T of the vector f in the axes of body 2: R2 f acts at P1 on body 1, -R2 f there on body 2,
 * with the moment -w x f. */
static void vector_turns(const end *e, const place *p, const double *f, int width, double *K)
{
  const end *a = &e[0], *b = &e[1];
  double world[3], none[3] = {0};
  ns_mul3(b->R, f, world);
  add_arm(a, world, 0, width, K);
  for (int j = 0; j < 2 * a->dof && b->moves; j++) {
    double dw[3], drate[3], moment[3], *column = K + (size_t)j * (size_t)width;
    if (j < a->dof) place_by_first(a, b, j, dw, drate);
    else place_by_second(b, p, j - a->dof, dw, drate);
    ns_cross3(dw, f, moment);
    add_change(b, 1, none, moment, a->dof, column);
    if (j < a->dof + b->linear) continue;
    double axis[3], turned[3], first[3]; /* R2 turns, and the force with it */
    axis_of(b, j - a->dof - b->linear, axis);
    ns_cross3(f, axis, turned);
    ns_mul3(b->R, turned, world);
    ns_mul3t(a->R, world, turned);
    ns_cross3(a->s, turned, first);
    add_change(a, 1, world, first, 0, column);
    add_change(b, -1, world, none, a->dof, column);
  }
}

/* ---- what acts ------------------------------------------------------------------------------- */

int ns_body_force_coordinates(const ns_body_force *f)
{
  return f->kind == NS_FORCE_GENERAL ? NS_FORCE_COORDINATES : 1;
}

const char *const *ns_body_force_names(const ns_body_force *f, int rates)
{
  static const char *const space[2][NS_FORCE_COORDINATES] = {{"length", "x", "y", "z"},
                                                             {"rate", "v_x", "v_y", "v_z"}};
  static const char *const plane[2][NS_FORCE_COORDINATES] = {{"length", "x", "y", "angle"},
                                                             {"rate", "v_x", "v_y", "v_angle"}};
  return f->planar ? plane[rates] : space[rates];
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

size_t ns_body_force_work(const ns_model *m)
{
  size_t max = 0;
  for (int i = 0; i < m->nforces; i++) {
    const ns_body_force *f = &m->forces[i];
    const ns_operator *all[] = {&f->along,    &f->vector,    &f->torque,
                                &f->by_along, &f->by_vector, &f->by_torque};
    size_t tape = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
      tape = larger(tape, ns_drive_others_work(all[k]));
    max = larger(max, tape + (size_t)f->nZ);
  }
  return max;
}

/* Where the model is. */
typedef struct instant {
  double t;
  const double *q, *v, *z;
  ns_others all;
} instant;

static int is_linear(const ns_body_force *f)
{
  return f->kind != NS_FORCE_GENERAL && !f->along.how;
}

static int pulls_alone(const ns_body_force *f) { return f->kind == NS_FORCE_TENDON && !f->pushes; }

/* Along the line: a formula alone, or numbers too. */
static int has_numbers(const ns_body_force *f)
{
  return f->kind != NS_FORCE_GENERAL && (f->stiffness > 0 || f->damping > 0 || f->preload != 0);
}

/* Along the line: force, derivatives and energy. */
static void linear(const ns_body_force *f, ns_drive_rows *r, double *elastic, double *potential)
{
  double stretch = r->d[0] - f->rest_length, pull = f->stiffness * stretch + f->preload;
  int slack = pulls_alone(f) && pull <= 0;
  double tension = slack ? 0 : pull + f->damping * r->d[r->n];
  int loose = slack || (pulls_alone(f) && tension < 0);
  r->tau[0] = loose ? 0 : -tension;
  r->k[0] = loose ? 0 : f->stiffness;
  r->c[0] = loose ? 0 : f->damping;
  *elastic = slack ? 0 : -pull;
  *potential = stretch * (f->stiffness * stretch / 2 + f->preload);
  /* of a tendon it is counted from where it goes slack */
  if (pulls_alone(f) && f->stiffness > 0) *potential = slack ? 0 : pull * pull / (2 * f->stiffness);
}

/* Formulas of one operator: tau from coordinate `at` on, and its rows of k and c. */
static int formulas(const ns_operator *op, const ns_operator *by, ns_ctx *c, const ns_point *p,
                    double *work, int at, int known, ns_drive_rows *r)
{
  double d[3 * 2 * NS_FORCE_COORDINATES] = {0};
  int n = r->n, rc = ns_operator_eval(op, c, p, work, r->tau + at);
  if (!rc && by->how) rc = ns_operator_eval(by, c, p, work, d);
  for (int i = 0; i < op->rows; i++)
    for (int j = 0; j < known; j++) {
      r->k[at + i + j * n] = -d[i + op->rows * j];
      r->c[at + i + j * n] = -d[i + op->rows * (known + j)];
    }
  return rc;
}

/* What numbers add to a formula along the line: a tendon with a motor has both, and their sum is
 * what pulls. */
static void add_numbers(const ns_body_force *f, ns_drive_rows *r)
{
  if (!has_numbers(f)) return;
  r->tau[0] -= f->stiffness * (r->d[0] - f->rest_length) + f->preload + f->damping * r->d[r->n];
  r->k[0] += f->stiffness;
  r->c[0] += f->damping;
}

/* A tendon that only pulls does not push. */
static void pull_only(const ns_body_force *f, ns_drive_rows *r)
{
  if (!pulls_alone(f) || r->tau[0] < 0) return;
  r->tau[0] = r->k[0] = r->c[0] = 0;
}

/* Where its formulas are evaluated; Z [nZ] is written. */
static ns_point point_of(const ns_model *m, const ns_body_force *f, const instant *i, double *Z,
                         const ns_drive_rows *r)
{
  double *to = Z;
  for (int k = 0; k < f->nsystems; k++) {
    const ns_system *b = &m->systems[f->systems[k]];
    if (b->nz) memcpy(to, i->z + b->z, (size_t)b->nz * sizeof *to);
    to += b->nz;
  }
  return (ns_point){.t = i->t,
                    .angle = r->d,
                    .nz = f->nZ,
                    .z = Z,
                    .index = f->index,
                    .model_q = i->all.q,
                    .model_v = i->all.v,
                    .model_z = i->all.z,
                    .model_angle = i->all.angle};
}

static int by_formulas(const ns_model *m, ns_ctx *c, const ns_body_force *f, const instant *at,
                       double *work, ns_drive_rows *r)
{
  double *tape = work + f->nZ;
  ns_point p = point_of(m, f, at, work, r);
  int rc = NS_OK;
  if (f->along.how) rc = formulas(&f->along, &f->by_along, c, &p, tape, 0, r->n, r);
  if (f->along.how) add_numbers(f, r);
  if (!rc && f->vector.how) rc = formulas(&f->vector, &f->by_vector, c, &p, tape, 1, r->n, r);
  if (!rc && f->torque.how) rc = formulas(&f->torque, &f->by_torque, c, &p, tape, 3, r->n, r);
  pull_only(f, r);
  return rc;
}

static int act(const ns_model *m, ns_ctx *c, const ns_body_force *f, const instant *at,
               double *work, ns_drive_rows *r, double *elastic, double *potential)
{
  *elastic = *potential = 0;
  memset(r->tau, 0, sizeof r->tau);
  memset(r->k, 0, sizeof r->k);
  memset(r->c, 0, sizeof r->c);
  if (!is_linear(f)) return by_formulas(m, c, f, at, work, r);
  linear(f, r, elastic, potential);
  return NS_OK;
}

static int no_direction(ns_ctx *c, const ns_body_force *f, double t, double force)
{
  return ns_fail_at(c, NS_NUMERIC, &f->at,
                    "its points coincide at t = %.10g s, so that its force of %.4g N has no "
                    "direction, expected different points; give a spring restLength=\"0\", use a "
                    "<force> with <vector>, or keep the points apart",
                    t, force);
}

/* The force that would act at length 0 without motion. */
static int check_limit(const ns_model *m, ns_ctx *c, const ns_body_force *f, const instant *at,
                       double *work, const ns_drive_rows *r)
{
  ns_drive_rows rest = *r;
  double elastic, potential;
  if (f->nends == 2) rest.d[rest.n] = 0;
  int rc = act(m, c, f, at, work, &rest, &elastic, &potential);
  return rc || rest.tau[0] == 0 ? rc : no_direction(c, f, at->t, rest.tau[0]);
}

/* Coordinates and rows; returns what line returns. */
static int rows_of(const ns_model *m, const ns_body_force *f, const double *q, const double *v,
                   const double *angle, end *e, segment *seg, place *p, ns_drive_rows *r)
{
  standing at;
  stand(m, f, q, v, angle, &at);
  ends_of(f, &at, e);
  r->n = ns_body_force_coordinates(f);
  r->width = f->nends * e->dof;
  int limit = line(f, &at, e, seg, r);
  if (r->n > 1) relative(e, p, r);
  if (r->n > 1 && f->planar) turn(m, f, q, e, r);
  return limit;
}

void ns_body_force_place(const ns_model *m, const ns_body_force *f, const double *q,
                         const double *v, const double *angle, double *d)
{
  end e[NS_FORCE_ENDS];
  segment seg[NS_FORCE_ENDS];
  place p;
  ns_drive_rows r;
  rows_of(m, f, q, v, angle, e, seg, &p, &r);
  memcpy(d, r.d, 2 * (size_t)r.n * sizeof *d);
}

void ns_body_force_line(const ns_model *m, const ns_body_force *f, const double *q, const double *v,
                        const double *angle, double *length, double *rate, double *g, double *b)
{
  end e[NS_FORCE_ENDS];
  segment seg[NS_FORCE_ENDS];
  standing at;
  ns_drive_rows r = {.n = 1};
  stand(m, f, q, v, angle, &at);
  ends_of(f, &at, e);
  r.width = f->nends * e->dof;
  line(f, &at, e, seg, &r);
  *length = r.d[0];
  *rate = r.d[1];
  memcpy(g, r.g[0], (size_t)r.width * sizeof *g);
  memcpy(b, r.b[0], (size_t)r.width * sizeof *b);
}

int ns_body_force_readers(const ns_body_force *f, ns_drive_reader by[NS_DRIVE_READERS])
{
  const ns_drive_reader all[] = {{&f->along, 0}, {&f->vector, 1}, {&f->torque, 3}};
  int n = 0;
  for (int k = 0; k < NS_DRIVE_READERS; k++)
    if (ns_operator_foreign(all[k].op)) by[n++] = all[k];
  return n;
}

/* A tendon that a formula would let push is slack. */
static int is_slack(const ns_body_force *f, const ns_point *at, double *work, ns_drive_rows *r)
{
  if (!pulls_alone(f)) return 0;
  ns_operator_eval(&f->along, NULL, at, work, r->tau); /* what reads others is a formula */
  add_numbers(f, r);
  return !(r->tau[0] < 0);
}

void ns_body_force_by_others(const ns_model *m, const ns_body_force *f, const ns_drive_reader *by,
                             double t, const double *q, const double *v, const double *z,
                             const double *angle, double *work, double *J)
{
  end e[NS_FORCE_ENDS];
  segment seg[NS_FORCE_ENDS];
  place p;
  ns_drive_rows r;
  rows_of(m, f, q, v, angle, e, seg, &p, &r);
  const instant now = {t, q, v, z, ns_drive_others(m, NULL, q, v, z, angle)};
  ns_point at = point_of(m, f, &now, work, &r);
  if (is_slack(f, &at, work + f->nZ, &r))
    memset(J, 0, (size_t)r.width * (size_t)ns_operator_foreign(by->op)->n * sizeof *J);
  else ns_drive_by_others(&r, by, &at, work + f->nZ, J);
}

int ns_body_force_eval(const ns_model *m, ns_ctx *c, const ns_body_force *f, double t,
                       const double *q, const double *v, const double *z, const double *angle,
                       double *work, ns_drive_state *s)
{
  end e[NS_FORCE_ENDS];
  segment seg[NS_FORCE_ENDS];
  place p;
  ns_drive_rows r;
  double elastic;
  const instant at = {t, q, v, z, ns_drive_others(m, s->all, q, v, z, angle)};
  int limit = rows_of(m, f, q, v, angle, e, seg, &p, &r);
  s->sides = f->nends;
  s->dof = e->dof;
  int rc = act(m, c, f, &at, work, &r, &elastic, &s->potential);
  if (!rc && limit) rc = check_limit(m, c, f, &at, work, &r);
  if (rc) return rc;
  ns_drive_assemble(&r, s);
  if (s->turn) memset(s->turn, 0, (size_t)r.width * (size_t)r.width * sizeof *s->turn);
  if (s->turn) line_turns(f, e, seg, &r, s);
  if (s->turn && f->vector.how)
    vector_turns(e, &p, (double[3]){r.tau[1], r.tau[2], f->planar ? 0 : r.tau[3]}, r.width,
                 s->turn);
  for (int j = 0; s->known && j < r.width; j++) s->known[j] = elastic * r.g[0][j];
  s->extent = s->size = 0;
  s->size = fmax(s->size, ns_max_abs((size_t)r.n, r.tau));
  for (int k = 0; k < f->nends && !f->njoints; k++)
    for (int i = 0; i < 3; i++) s->extent = fmax(s->extent, fabs(e[k].P[i]));
  s->length = r.d[0];
  s->rate = r.d[r.n];
  s->force = r.tau[0];
  s->power = 0;
  for (int i = 0; i < r.n; i++) s->power += r.tau[i] * r.d[r.n + i];
  return NS_OK;
}

int ns_body_force_show(const ns_model *m, ns_ctx *c, double t, const double *q, const double *v,
                       const double *z, double *work, double *angle, double *rate)
{
  int rc = NS_OK;
  for (int i = 0; i < m->nforces && !rc; i++) {
    const ns_body_force *f = &m->forces[i];
    double F[NS_DRIVE_WIDTH];
    ns_drive_state s = {.F = F};
    rc = ns_body_force_eval(m, c, f, t, q, v, z, angle, work, &s);
    angle[f->angle] = s.length;
    angle[f->angle + 1] = s.force;
    rate[f->angle] = s.rate;
    rate[f->angle + 1] = s.power;
  }
  return rc;
}
