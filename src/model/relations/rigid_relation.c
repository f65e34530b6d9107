/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rigid_relation.c -- one function for all relations of rigid bodies; formulas of coordinates and
 * of contact points are here. */
#include "model/relations/rigid_relation.h"

#include "collision/gap.h"
#include "model/difference.h"
#include "model/relations/lagrangian_relation.h"
#include "model/systems/rigid_parts.h"

#include <float.h>

static int is_planar(const ns_interaction *it) { return it->nQ == it->nV; }
static unsigned flags_of(const ns_interaction *it) { return it->relation->flags; }

/* The second body's coordinates; NULL: the world. */
static const double *second(const ns_interaction *it, const double *Q)
{
  return it->nsystems > 1 ? Q + (is_planar(it) ? 3 : 7) : NULL;
}

/* G [m x nV] by columns of rows [m][width], of which the last columns may be those of the world. */
static void by_columns(const ns_interaction *it, const double *rows, int width, double *G)
{
  for (int r = 0; r < it->m; r++)
    for (int j = 0; j < it->nV; j++) G[r + j * it->m] = rows[r * width + j];
}

static void no_shift(const ns_interaction *it, double *shift)
{
  if (shift) memset(shift, 0, (size_t)it->m * sizeof *shift);
}

/* ---- contact points -------------------------------------------------------------------------- */

typedef struct meeting {
  double P1[3], P2[3], n[3], gap;
} meeting;

/* n to norm 1, from which it may differ by rounding of what the user wrote. */
static int normalise(const ns_interaction *it, ns_ctx *c, double *n, double t)
{
  double norm = ns_norm3(n);
  if (!(fabs(norm - 1) <= 1e-6))
    return ns_fail_at(c, NS_MODEL, &it->at,
                      "the normal n has the norm %.9g at t = %.10g s, expected 1 within 1e-6; "
                      "divide it by its norm",
                      norm, t);
  ns_unit3(n);
  return NS_OK;
}

static int meet(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work, meeting *k)
{
  double d[3];
  *k = (meeting){{0}, {0}, {0}, 0};
  int rc = ns_operator_eval(&it->point.P1, c, p, work, k->P1);
  if (!rc && it->point.P2.how) rc = ns_operator_eval(&it->point.P2, c, p, work, k->P2);
  if (!rc) rc = ns_operator_eval(&it->point.n, c, p, work, k->n);
  if (!rc) rc = normalise(it, c, k->n, p->t);
  ns_sub3(k->P1, k->P2, d);
  k->gap = ns_dot3(k->n, d);
  return rc;
}

static int point_is_timed(const ns_interaction *it)
{
  return ns_operator_uses(&it->point.P1, NS_BANK_T) || ns_operator_uses(&it->point.P2, NS_BANK_T) ||
         ns_operator_uses(&it->point.n, NS_BANK_T);
}

/* Speed of the gap at rest, by central differences. What slides along itself is a body: rows of
 * slip have no shift. */
static int point_shift(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                       double *shift)
{
  meeting up, down;
  ns_point hi = *p, lo = *p;
  double step = ns_difference_step(p->t);
  no_shift(it, shift);
  if (!point_is_timed(it)) return NS_OK;
  hi.t += step;
  lo.t -= step;
  int rc = meet(it, c, &hi, work, &up);
  if (!rc) rc = meet(it, c, &lo, work, &down);
  if (!rc) shift[0] = (up.gap - down.gap) / (hi.t - lo.t);
  return rc;
}

int ns_contact_point_rows(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                          double *y, double *G, double *shift)
{
  meeting k;
  int rc = meet(it, c, p, work, &k);
  if (rc) return rc;
  memset(y, 0, (size_t)it->m * sizeof *y);
  y[0] = k.gap;
  if (G)
    (is_planar(it) ? ns_contact_rows_planar : ns_contact_rows)(it->m, p->q, second(it, p->q), k.P1,
                                                               k.n, G);
  return shift ? point_shift(it, c, p, work, shift) : NS_OK;
}

static int point_rows(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                      double *y, double *G, double *shift)
{
  double rows[5 * 12];
  int rc = ns_contact_point_rows(it, c, p, work, y, G ? rows : NULL, shift);
  if (G && !rc) by_columns(it, rows, is_planar(it) ? 6 : 12, G);
  return rc;
}

/* ---- gaps of shapes -------------------------------------------------------------------------- */

/* Shape k of a gap, where its body is at q, NULL: the world. */
static ns_placed placed(const ns_interaction *it, int k, const double *q)
{
  const ns_shape_gap *g = &it->gap;
  ns_placed p = {.shape = g->shape[k]};
  ns_pose b;
  ns_pose_of(NULL, &b);
  if (q && !is_planar(it)) ns_pose_of(q, &b);
  if (q && is_planar(it)) {
    memcpy(b.x, q, 2 * sizeof *q);
    b.R[0] = b.R[4] = cos(q[2]);
    b.R[1] = sin(q[2]);
    b.R[3] = -b.R[1];
  }
  ns_mul3(b.R, g->at[k], p.at);
  ns_axpy3(b.x, 1, p.at, p.at);
  ns_matmul3(b.R, g->R[k], p.R);
  return p;
}

void ns_shape_gap_touch(const ns_interaction *it, const double *Q, ns_touch *t)
{
  ns_placed a = placed(it, 0, Q), b = placed(it, 1, second(it, Q));
  ns_gap_touch(&a, &b, it->gap.which, *it->gap.region, t);
}

int ns_shape_gap_region(const ns_interaction *it, const double *Q)
{
  ns_placed a = placed(it, 0, Q), b = placed(it, 1, second(it, Q));
  return ns_gap_region(&a, &b, it->gap.which, *it->gap.region);
}

double ns_shape_gap_clearance(const ns_interaction *it, const double *Q)
{
  ns_placed a = placed(it, 0, Q), b = placed(it, 1, second(it, Q));
  return ns_gap_clearance(&a, &b, it->gap.which, *it->gap.region);
}

void ns_shape_gap_near(const ns_interaction *it, const double *Q, double margin,
                       ns_gap_found *found, void *to)
{
  ns_placed a = placed(it, 0, Q), b = placed(it, 1, second(it, Q));
  ns_gaps_near(&a, &b, margin, found, to);
}

void ns_shape_gap_pose(const ns_interaction *it, const double *Q, double *c, double *R)
{
  ns_placed a = placed(it, 0, Q), b = placed(it, 1, second(it, Q));
  ns_gap_pose_on_mesh(&a, &b, c, R);
}

double ns_shape_gap_apart(const ns_interaction *it, const double *Q)
{
  ns_placed a = placed(it, 0, Q), b = placed(it, 1, second(it, Q));
  double low[2][3], high[2][3], between[3];
  ns_placed_bounds(&a, 0, low[0], high[0]);
  ns_placed_bounds(&b, 0, low[1], high[1]);
  for (int i = 0; i < 3; i++)
    between[i] = fmax(0, fmax(low[1][i] - high[0][i], low[0][i] - high[1][i]));
  return ns_norm3(between);
}

void ns_shape_gap_point(const ns_interaction *it, const ns_touch *t, double *point)
{
  for (int i = 0; i < 3; i++) point[i] = it->nsystems > 1 ? (t->p1[i] + t->p2[i]) / 2 : t->p1[i];
}

static void shape_rows(const ns_interaction *it, const ns_point *p, double *y, double *G,
                       double *shift)
{
  ns_touch t;
  double rows[5 * 12], point[3];
  no_shift(it, shift);
  ns_shape_gap_touch(it, p->q, &t);
  memset(y, 0, (size_t)it->m * sizeof *y);
  y[0] = t.gap;
  if (!G) return;
  ns_shape_gap_point(it, &t, point);
  (is_planar(it) ? ns_contact_rows_planar : ns_contact_rows)(it->m, p->q, second(it, p->q), point,
                                                             t.n, rows);
  by_columns(it, rows, is_planar(it) ? 6 : 12, G);
}

/* ---- formulas of coordinates ----------------------------------------------------------------- */

static int formula_rows(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                        double *y, double *G, double *shift)
{
  double *H = work, *rest = H + (size_t)it->m * (size_t)it->nQ;
  int rc = ns_lagrangian_gap(it, c, p, rest, y), planar = is_planar(it);
  if (!rc && (G || shift))
    rc = ns_lagrangian_rows(it, c, p, rest, planar ? G : G ? H : NULL, shift, NULL);
  for (int r = 0; r < it->m && G && !planar && !rc; r++)
    for (int b = 0; b < it->nQ / 7; b++) {
      double g[7], row[6];
      for (int j = 0; j < 7; j++) g[j] = H[r + (7 * b + j) * it->m];
      ns_rigid_by_velocity(p->q + 7 * b, g, row);
      for (int j = 0; j < 6; j++) G[r + (6 * b + j) * it->m] = row[j];
    }
  return rc;
}

/* H is constant, and only of positions: what depends on p turns with it. */
static int formula_is_linear(const ns_interaction *it)
{
  const ns_operator *h = &it->lr.h, *H = &it->lr.H;
  if (h->how > NS_OP_TAPE || H->how > NS_OP_CONSTANT) return 0;
  for (int j = 0; !is_planar(it) && H->how && j < it->nQ; j++)
    for (int r = 0; r < H->rows && j % 7 > 2; r++)
      if (ns_operator_entry(H, r, j) != 0) return 0;
  return 1;
}

/* How body k of a gap moves at Q, V. */
static ns_twist twist_of(const ns_interaction *it, int k, const double *Q, const double *V)
{
  ns_twist t = {.x = {0}};
  if (k >= it->nsystems) return t;
  const double *q = k ? second(it, Q) : Q, *v = V + (is_planar(it) ? 3 : 6) * k;
  int lengths = is_planar(it) ? 2 : 3;
  ns_pose b;
  memcpy(t.x, q, (size_t)lengths * sizeof *q);
  memcpy(t.v, v, (size_t)lengths * sizeof *v);
  t.w[2] = v[2];
  if (is_planar(it)) return t;
  ns_pose_of(q, &b);
  ns_mul3(b.R, v + 3, t.w);
  return t;
}

/* Relative velocity of both bodies at a point that moves at `rate`: how it changes as these turn.
 */
static void acceleration_at(const ns_twist *one, const ns_twist *other, const double *rate,
                            double *a)
{
  double d[3], part[3];
  ns_sub3(rate, one->v, d);
  ns_cross3(one->w, d, a);
  ns_sub3(rate, other->v, d);
  ns_cross3(other->w, d, part);
  ns_sub3(a, part, a);
}

static void velocity_between(const ns_twist *one, const ns_twist *other, const double *at,
                             double *u)
{
  double d[3], turn[3];
  ns_sub3(at, one->x, d);
  ns_cross3(one->w, d, turn);
  ns_axpy3(one->v, 1, turn, u);
  ns_sub3(at, other->x, d);
  ns_cross3(other->w, d, turn);
  ns_sub3(u, other->v, u);
  ns_sub3(u, turn, u);
}

void ns_shape_gap_meet(const ns_interaction *it, const double *Q, const double *V,
                       ns_shape_meeting *m)
{
  ns_placed a = placed(it, 0, Q), b = placed(it, 1, second(it, Q));
  ns_twist one = twist_of(it, 0, Q, V), other = twist_of(it, 1, Q, V);
  ns_touch *t = &m->touch;
  double at[3], at_rate[3], point[3], u[3], change[3];
  ns_gap_rates(&a, &b, it->gap.which, *it->gap.region, &one, &other, t, at, at_rate, m->n_rate);
  ns_shape_gap_point(it, t, point);
  velocity_between(&one, &other, point, m->u);
  velocity_between(&one, &other, at, u);
  acceleration_at(&one, &other, at_rate, change);
  m->spin = (ns_dot3(one.w, t->n) + ns_dot3(other.w, t->n)) / 2;
  m->bend = ns_dot3(t->n, change) + ns_dot3(m->n_rate, u);
}

/* d/dt of d . u for each direction d of the frame: d . du/dt + dd/dt . u; omega of either body is
 * constant, as its Omega is. */
static int shape_bias(const ns_interaction *it, const ns_point *p, double *bias)
{
  ns_placed a = placed(it, 0, p->q), b = placed(it, 1, second(it, p->q));
  ns_twist one = twist_of(it, 0, p->q, p->v), other = twist_of(it, 1, p->q, p->v);
  ns_touch t;
  double at[3], at_rate[3], frame[3][3], rate[3][3], u[3], change[3], spin[3];
  int points = is_planar(it) ? 2 : 3;
  memset(bias, 0, (size_t)it->m * sizeof *bias);
  ns_gap_rates(&a, &b, it->gap.which, *it->gap.region, &one, &other, &t, at, at_rate, rate[0]);
  memcpy(frame[0], t.n, sizeof t.n);
  if (is_planar(it)) {
    for (int k = 0; k < 2; k++)
      memcpy(k ? rate[1] : frame[1],
             (double[]){k ? -rate[0][1] : -t.n[1], k ? rate[0][0] : t.n[0], 0}, sizeof t.n);
  } else {
    ns_tangents3(t.n, frame[1], frame[2]);
    ns_tangents3_rate(t.n, rate[0], rate[1], rate[2]);
  }
  velocity_between(&one, &other, at, u);
  acceleration_at(&one, &other, at_rate, change);
  for (int r = 0; r < it->m && r < points; r++)
    bias[r] = ns_dot3(frame[r], change) + ns_dot3(rate[r], u);
  ns_sub3(one.w, other.w, spin); /* of rolling: its directions turn, in space */
  for (int r = 3; r < it->m; r++) bias[r] = ns_dot3(rate[r - 2], spin);
  return NS_OK;
}

/* In the plane, of one body: a point that keeps its place beside the centre, by its formula, and a
 * normal that is constant give rows that are the same wherever the body is. */
static int point_is_linear(const ns_interaction *it)
{
  const ns_operator *P = &it->point.P1;
  if (!is_planar(it) || it->nsystems > 1 || it->point.n.how > NS_OP_CONSTANT || point_is_timed(it))
    return 0;
  if (P->how != NS_OP_TAPE || P->uses & ~(1u << NS_BANK_Q)) return 0;
  ns_arena *mem = ns_arena_create(0, 1);
  ns_graph *g = mem ? ns_graph_create(mem) : NULL;
  ns_node f[3];
  int same = g && ns_operator_lift(P, g, 3, 1, f) == NS_OK;
  for (int j = 0; j < 2 && same; j++)
    for (int i = 0; i < 3 && same; i++) {
      double slope;
      ns_node d = ns_graph_diff(g, f[j], NS_BANK_Q, i);
      same = d >= 0 && ns_graph_is_constant(g, d, &slope) && slope == (i == j);
    }
  ns_arena_destroy(mem);
  return same;
}

/* ---- all of them ----------------------------------------------------------------------------- */

size_t ns_rigid_relation_work(const ns_interaction *it)
{
  const ns_operator *points[] = {&it->point.P1, &it->point.P2, &it->point.n};
  if (flags_of(it) & (NS_REL_JOINT | NS_REL_AXIS | NS_REL_SHAPES)) return 0;
  if (!(flags_of(it) & NS_REL_POINT))
    return (size_t)it->m * (size_t)it->nQ + ns_lagrangian_relation_work(it);
  return ns_operators_work(points, sizeof points / sizeof *points);
}

int ns_rigid_relation_rows(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                           double *y, double *G, double *shift)
{
  double rows[6 * 12];
  if (flags_of(it) & NS_REL_POINT) return point_rows(it, c, p, work, y, G, shift);
  if (flags_of(it) & NS_REL_SHAPES) {
    shape_rows(it, p, y, G, shift);
    return NS_OK;
  }
  if (!(flags_of(it) & (NS_REL_JOINT | NS_REL_AXIS)))
    return formula_rows(it, c, p, work, y, G, shift);
  no_shift(it, shift);
  if (flags_of(it) & NS_REL_AXIS) {
    ns_joint_axis_rows(it, p, y, G);
    return NS_OK;
  }
  ns_joint_eval(&it->joint, p->q, second(it, p->q), y, G ? rows : NULL);
  if (G) by_columns(it, rows, is_planar(it) ? 6 : 12, G);
  return NS_OK;
}

int ns_rigid_relation_differenced(const ns_interaction *it)
{
  if (flags_of(it) & (NS_REL_JOINT | NS_REL_AXIS | NS_REL_SHAPES)) return 0;
  return flags_of(it) & NS_REL_POINT ? point_is_timed(it) : ns_lagrangian_relation_differenced(it);
}

int ns_rigid_relation_is_linear(const ns_interaction *it)
{
  if (flags_of(it) & (NS_REL_JOINT | NS_REL_AXIS | NS_REL_SHAPES)) return 0;
  return flags_of(it) & NS_REL_POINT ? point_is_linear(it) : formula_is_linear(it);
}

/* ---- bias ------------------------------------------------------------------------------------ */

enum { STEPS = 4 }; /* lengths that are tried for formulas, each an eighth of the one before */
static const double TURN = 2e-3; /* rad, by which bodies turn in the longest step */

size_t ns_rigid_relation_bias_work(const ns_interaction *it)
{
  size_t m = (size_t)it->m;
  return (size_t)it->nQ + m * (2 * (size_t)it->nV + 2 * STEPS + 4) + ns_rigid_relation_work(it);
}

/* ydot and G [m x nV] at t + s, Q (+) s V with V held; scratch in work. */
static int speed_along(const ns_interaction *it, ns_ctx *c, const ns_point *p, double s,
                       double *work, double *G, double *ydot)
{
  int m = it->m, planar = is_planar(it), bodies = it->nV / (planar ? 3 : 6);
  double *Q = work, *y = Q + it->nQ, *rest = y + m;
  ns_point at = *p;
  memcpy(Q, p->q, (size_t)it->nQ * sizeof *Q);
  for (int b = 0; b < bodies; b++) {
    const double *V = p->v + (planar ? 3 : 6) * b;
    double *q = Q + (planar ? 3 : 7) * b;
    ns_axpy3(q, s, V, q);
    if (!planar) ns_quaternion_turn(q + 3, (double[]){s * V[3], s * V[4], s * V[5]});
  }
  at.q = Q;
  at.t += s;
  int rc = ns_rigid_relation_rows(it, c, &at, rest, y, G, ydot);
  for (int j = 0; j < it->nV; j++)
    for (int i = 0; i < m; i++) ydot[i] += G[i + j * m] * p->v[j];
  return rc;
}

static int dof_of(const ns_interaction *it) { return is_planar(it) ? 3 : 6; }

/* Velocity j of bodies of dof velocities each is of a rotation. */
static int is_of_rotation(int dof, int j) { return dof == 3 ? j % 3 == 2 : j % 6 > 2; }

double ns_joint_row_sign(int dof, int n, int stride, const double *row, const double *like)
{
  double dot = 0;
  for (int j = 0; j < n; j++, row += stride, like += stride) {
    if (!is_of_rotation(dof, j) && *like != 0) return 1;
    dot += *row * *like;
  }
  return dot < 0 ? -1 : 1;
}

static double sign_of_row(const ns_interaction *it, const double *G, const double *like, int i)
{
  return ns_joint_row_sign(dof_of(it), it->nV, it->m, G + i, like + i);
}

/* d [m]: its derivative at s = 0 by values at +-s and +-2s. Rows of a joint change their sign where
 * its relative rotation passes half a turn, as delta and -delta are one (rigid_joint.c): each value
 * is taken with the sign of the first, and d with that of the rows at s = 0. */
static int slope_along(const ns_interaction *it, ns_ctx *c, const ns_point *p, double s,
                       double *work, double *d)
{
  static const double at[] = {1, -1, 2, -2}, weight[] = {8, -8, -1, 1};
  int m = it->m, turned = 0, rc = NS_OK;
  int joint = (flags_of(it) & NS_REL_JOINT) != 0;
  double *ydot = work, *first = ydot + m, *G = first + m * it->nV, *rest = G + m * it->nV;
  memset(d, 0, (size_t)m * sizeof *d);
  for (int k = 0; k < 4 && !rc; k++) {
    rc = speed_along(it, c, p, at[k] * s, rest, k ? G : first, ydot);
    for (int i = 0; i < m; i++) {
      double sign = k && joint ? sign_of_row(it, G, first, i) : 1;
      turned |= sign < 0;
      d[i] += weight[k] * sign * ydot[i] / (12 * s);
    }
  }
  if (!turned || rc) return rc;
  rc = speed_along(it, c, p, 0, rest, G, ydot);
  for (int i = 0; i < m; i++) d[i] *= sign_of_row(it, G, first, i);
  return rc;
}

/* Of the slopes d [STEPS][m] by ever shorter steps those of the pair that agrees best, row by row.
 */
static void choose_slope(int m, const double *d, double *bias)
{
  for (int i = 0; i < m; i++) {
    double best = INFINITY;
    for (int k = 0; k + 1 < STEPS; k++) {
      double change = fabs(d[(k + 1) * m + i] - d[k * m + i]);
      if (change >= best) continue;
      best = change;
      bias[i] = d[(k + 1) * m + i];
    }
    if (best == INFINITY) bias[i] = d[i];
  }
}

int ns_rigid_relation_bias(const ns_interaction *it, ns_ctx *c, const ns_point *p, double *work,
                           double *bias)
{
  int is_line = flags_of(it) & NS_REL_AXIS && it->axis.line, m = it->m,
      is_joint = (flags_of(it) & (NS_REL_JOINT | NS_REL_AXIS)) != 0 && !is_line, rc = NS_OK;
  double *d = work, *rest = work + STEPS * m, fast = 1;
  if (flags_of(it) & NS_REL_SHAPES) return shape_bias(it, p, bias);
  for (int j = 0; j < it->nV; j++)
    if (is_of_rotation(dof_of(it), j) || !is_joint) fast = fmax(fast, fabs(p->v[j]));
  double s = TURN / fast;
  if (is_joint) return slope_along(it, c, p, s, rest, bias);
  for (int k = 0; k < STEPS && !rc; k++, s /= 8) rc = slope_along(it, c, p, s, rest, d + k * m);
  choose_slope(m, d, bias);
  return rc;
}
