/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_driven_jacobian.c -- df/dx of the motion between events, x = (q, v, works).
 *
 * Without contacts the accelerations a0 = M^-1 F of a system depend on its own q and v alone,
 *
 *   da0/dq = -M^-1 K_t,  da0/dv = -M^-1 C_t
 *                        (model/systems/lagrangian.h)
 *
 * where M is constant. Rows that hold take away what would leave them, a = a0 - M^-1 H^T D^-1 (H a0
 * + bias), so that with constant H
 *
 *   da/dx = (1 - M^-1 H^T D^-1 H) da0/dx.
 *
 * where a contact slides with H_n - mu s H_t in place of its row of the first H (acceleration.h).
 * In space s turns with the velocity, by which da0/dv has M^-1 H_t^T d(-mu lambda_n s)/dv, too
 * (event_driven_friction.c). That is exact for constant M and both H. Coordinates of systems whose
 * mass moves, and those that a moving relation reads while it holds, have columns by forward
 * differences of f, for velocities with fixed s; coordinates of systems that no interaction joins
 * are displaced at once (Curtis, Powell & Reid 1974, doi:10.1093/imamat/13.1.117).
 *
 * The structure is that of all modes: a column reaches what its system's forces do, and from there
 * all that rows which meet (directly or by others between them) may push. Rates of works are left
 * out: nothing depends on them. */
#include "algebra/vector.h"
#include "simulation/events/event_driven_modes.h"

#include "base/sets.h"
#include "model/systems/lagrangian.h"
#include "model/systems/mechanics.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OF_Q = 1, OF_V = 2 }; /* bits of a pattern */

struct ns_ed_jacobian {
  int *ptr, *row;   /* structure: ns_flow_structure */
  double *constant; /* columns of linear systems without contacts, in that structure */
  /* of a coordinate among those that interactions join [nv]; their number */
  int *turn, turns;
  unsigned char *differenced; /* coordinates [nv] */
  double *Kt, *Ct;            /* of one system, M^-1 of it [largest n^2] */
  double *column;             /* [nv]; zero between uses */
  double *x, *f, *f0;         /* [problem.n] */
};

/* ---- structure ------------------------------------------------------------------------------- */

/* What the structure is made of; gone afterwards. */
typedef struct sketch {
  const event_driven *o;
  ns_arena *mem;
  int *system;             /* of a coordinate [nv] */
  unsigned char **pattern; /* of da0/dq, da0/dv of a system [n x n] by columns */
  int *set;                /* row sets: rows that meet [nrows], by their least row */
  int *reads;              /* set that reads a coordinate, -1 [nv] */
  unsigned char *moves;    /* set has a moving relation, or friction in space: bits [nrows] */
  int *next;               /* rows of a set in a list, -1 [nrows] */
  int *list, *seen, stamp; /* rows of a column [nv]; marks [nv] */
} sketch;

static int mark_tape(ns_arena *a, const ns_operator *A, unsigned char bit, unsigned char *pattern)
{
  size_t nn = (size_t)(A->rows * A->cols);
  ns_mark mark = ns_arena_mark(a);
  ns_graph *g = ns_graph_create(a);
  ns_node *node = ns_arena_get(a, nn, sizeof *node);
  if (!g || !node || ns_operator_lift(A, g, A->rows, A->cols, node)) return NS_NOMEM;
  for (size_t e = 0; e < nn; e++) {
    double value;
    if (!ns_graph_is_constant(g, node[e], &value) || value != 0) pattern[e] |= bit;
  }
  ns_arena_release(a, mark);
  return NS_OK;
}

static int mark_operator(ns_arena *a, const ns_operator *A, unsigned char bit,
                         unsigned char *pattern)
{
  if (A->how == NS_OP_ABSENT) return NS_OK;
  if (A->how == NS_OP_TAPE) return mark_tape(a, A, bit, pattern);
  int n = A->rows;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      if (A->how != NS_OP_CONSTANT || ns_operator_entry(A, i, j) != 0) pattern[i + j * n] |= bit;
  return NS_OK;
}

/* Forces of plug-ins may have Jacobians that are not given, masses couple all. */
static int mark_system(sketch *k, const ns_system *s, unsigned char *pattern)
{
  const struct {
    const ns_operator *A;
    unsigned char bit;
  } part[] = {{&s->stiffness, OF_Q}, {&s->dq_fint, OF_Q}, {&s->dq_fgyr, OF_Q},
              {&s->damping, OF_V},   {&s->dv_fint, OF_V}, {&s->dv_fgyr, OF_V}};
  size_t nn = (size_t)(s->n * s->n);
  int rc = NS_OK, any = 0;
  for (size_t p = 0; p < sizeof part / sizeof *part && !rc; p++)
    rc = mark_operator(k->mem, part[p].A, part[p].bit, pattern);
  for (size_t e = 0; e < nn; e++) any |= pattern[e];
  if (ns_lagrangian_differenced(s) || s->mass.how > NS_OP_CONSTANT) any = OF_Q | OF_V;
  else if (ns_operator_is_diagonal(&s->mass)) return rc;
  memset(pattern, any, nn);
  return rc;
}

static int mark_systems(sketch *k)
{
  const ns_model *m = k->o->s.m;
  int rc = NS_OK;
  for (int i = 0; i < m->nsystems && !rc; i++) {
    const ns_system *s = &m->systems[i];
    for (int j = 0; j < s->n; j++) k->system[s->q + (size_t)j] = i;
    k->pattern[i] = ns_arena_zero(k->mem, (size_t)(s->n * s->n), 1);
    rc = k->pattern[i] ? mark_system(k, s, k->pattern[i]) : NS_NOMEM;
  }
  return rc;
}

/* Columns that rows need by their own change: all of a moving relation, those of velocities if
 * friction has a direction. */
static unsigned char change_of_row(const sketch *k, int r)
{
  const ns_contacts *c = k->o->s.k;
  if (c->moves[r]) return OF_Q | OF_V;
  return ns_ed_friction_turns(k->o, c->unit_of[r]) ? OF_V : 0;
}

/* Sets of rows that meet, what they read, and whether they move. */
static void gather_rows(sketch *k)
{
  const ns_contacts *c = k->o->s.k;
  size_t nv = k->o->s.m->nv;
  ns_sets_begin(k->set, c->nrows);
  for (int r = 0; r < c->nrows; r++)
    for (int b = c->D.row[r]; b < c->D.row[r + 1]; b++) ns_sets_join(k->set, r, c->D.col[b]);
  ns_fill_ints(nv, -1, k->reads);
  ns_fill_ints((size_t)c->nrows, -1, k->next);
  for (int r = c->nrows; r-- > 0;) {
    int s = ns_sets_root(k->set, r);
    if (s != r) k->next[r] = k->next[s], k->next[s] = r;
    k->moves[s] |= change_of_row(k, r);
    for (int e = c->H.ptr[r]; e < c->H.ptr[r + 1]; e++) k->reads[c->H.dof[e]] = s;
  }
}

static void add(sketch *k, int *n, int i)
{
  if (k->seen[i] == k->stamp) return;
  k->seen[i] = k->stamp;
  k->list[(*n)++] = i;
}

/* All that the rows of a set push. */
static void add_set(sketch *k, int *n, int set)
{
  const ns_rows *G = &k->o->s.k->G;
  for (int r = set; r >= 0; r = k->next[r])
    for (int e = G->ptr[r]; e < G->ptr[r + 1]; e++) add(k, n, G->dof[e]);
}

static int ascending(const void *a, const void *b)
{
  int i = *(const int *)a, j = *(const int *)b;
  return (i > j) - (i < j);
}

/* Accelerations that coordinate j, or its velocity, has a say in: k->list, ascending; their number.
 */
static int reach(sketch *k, int j, unsigned char bit)
{
  const ns_system *s = &k->o->s.m->systems[k->system[j]];
  const unsigned char *pattern = k->pattern[k->system[j]] + (size_t)(j - (int)s->q) * (size_t)s->n;
  int n = 0, first = (int)s->q;
  k->stamp++;
  if (k->reads[j] >= 0 && k->moves[k->reads[j]] & bit) add_set(k, &n, k->reads[j]);
  for (int i = 0; i < s->n; i++) {
    if (!(pattern[i] & bit)) continue;
    add(k, &n, first + i);
    if (k->reads[first + i] >= 0) add_set(k, &n, k->reads[first + i]);
  }
  if (bit == OF_V) add(k, &n, j); /* the diagonal */
  qsort(k->list, (size_t)n, sizeof *k->list, ascending);
  return n;
}

/* Columns, counted where row is NULL. */
static size_t columns(sketch *k, int *ptr, int *row)
{
  int nv = (int)k->o->s.m->nv, n = (int)k->o->run.problem.n;
  size_t at = 0;
  for (int j = 0; j < n; j++) {
    int is_v = j >= nv, count = j < 2 * nv ? reach(k, is_v ? j - nv : j, is_v ? OF_V : OF_Q) : 0;
    /* q' = v, or the diagonal */
    if (row) ptr[j] = (int)at, row[at] = j < 2 * nv && is_v ? j - nv : j;
    at++;
    for (int i = 0; i < count; i++, at++)
      if (row) row[at] = nv + k->list[i];
  }
  if (row) ptr[n] = (int)at;
  return at;
}

/* Coordinates of systems that are joined by interactions, numbered. */
static void take_turns(const sketch *k, ns_ed_jacobian *J, int *parent, int *count)
{
  const ns_model *m = k->o->s.m;
  for (int i = 0; i < m->nsystems; i++) parent[i] = i, count[i] = 0;
  for (int a = 0; a < m->ninteractions; a++)
    for (int b = 1; b < m->interactions[a].nsystems; b++)
      ns_sets_join(parent, m->interactions[a].systems[0], m->interactions[a].systems[b]);
  for (size_t j = 0; j < m->nv; j++) {
    J->turn[j] = count[ns_sets_root(parent, k->system[j])]++;
    if (J->turn[j] >= J->turns) J->turns = J->turn[j] + 1;
  }
}

static int get_sketch(sketch *k)
{
  const ns_model *m = k->o->s.m;
  size_t nv = m->nv, rows = m->nrows;
  const ns_array want[] = {
      {&k->system, nv, sizeof(int)}, {&k->pattern, (size_t)m->nsystems, sizeof *k->pattern},
      {&k->set, rows, sizeof(int)},  {&k->reads, nv, sizeof(int)},
      {&k->moves, rows, 1},          {&k->next, rows, sizeof(int)},
      {&k->list, nv, sizeof(int)},   {&k->seen, nv, sizeof(int)}};
  return ns_arena_arrays(k->mem, want, sizeof want / sizeof *want);
}

/* ---- columns without contacts ---------------------------------------------------------------- */

/* J->Kt, J->Ct := M^-1 K_t, M^-1 C_t of a system whose mass is constant. */
static int tangents(event_driven *o, ns_ctx *c, ns_ed_jacobian *J, int i, double t, const double *q,
                    const double *v)
{
  const ns_system *s = &o->s.m->systems[i];
  ns_point p = ns_system_point(s, t, q, v, o->s.x->z);
  int n = s->n, rc = ns_lagrangian_tangents(s, c, &p, o->s.work, J->Kt, J->Ct);
  for (int b = 0; b < n; b++)
    for (int a = 0; a < n; a++) {
      if (s->stiffness.how) J->Kt[a + b * n] += ns_operator_entry(&s->stiffness, a, b);
      if (s->damping.how) J->Ct[a + b * n] += ns_operator_entry(&s->damping, a, b);
    }
  ns_matrices_ops.solve(o->s.matrices, i, n, J->Kt);
  ns_matrices_ops.solve(o->s.matrices, i, n, J->Ct);
  return rc;
}

/* Column j := the accelerations in J->column, which is zero again; q' = v where that is due. */
static void store(const event_driven *o, ns_ed_jacobian *J, int j, double *value)
{
  int nv = (int)o->s.m->nv;
  value[J->ptr[j]] = j >= nv;
  for (int e = J->ptr[j] + 1; e < J->ptr[j + 1]; e++) {
    double *a = &J->column[J->row[e] - nv];
    value[e] = *a;
    *a = 0;
  }
}

/* Columns of linear systems, for good. */
static int keep_constant(event_driven *o, ns_ctx *c, ns_ed_jacobian *J)
{
  const ns_model *m = o->s.m;
  int nv = (int)m->nv, rc = NS_OK;
  for (int i = 0; i < m->nsystems && !rc; i++) {
    const ns_system *s = &m->systems[i];
    if (!ns_lagrangian_is_linear(s)) continue;
    rc = tangents(o, c, J, i, m->sim.t0, o->rate, o->rate); /* of no point */
    for (int b = 0; b < 2 * s->n && !rc; b++) {
      int d = b % s->n, j = (int)s->q + d + (b < s->n ? 0 : nv);
      const double *from = (b < s->n ? J->Kt : J->Ct) + d * s->n;
      for (int a = 0; a < s->n; a++) J->column[(int)s->q + a] = -from[a];
      store(o, J, j, J->constant);
    }
  }
  return rc;
}

/* ---- creation -------------------------------------------------------------------------------- */

static int get_memory(event_driven *o, ns_ed_jacobian *J, size_t nnz)
{
  const ns_model *m = o->s.m;
  size_t n = o->run.problem.n, nv = m->nv, max = 0, d = sizeof(double);
  for (int i = 0; i < m->nsystems; i++)
    max = (size_t)m->systems[i].n > max ? (size_t)m->systems[i].n : max;
  const ns_array want[] = {{&J->ptr, n + 1, sizeof(int)},
                           {&J->row, nnz, sizeof(int)},
                           {&J->constant, nnz, d},
                           {&J->turn, nv, sizeof(int)},
                           {&J->differenced, nv, 1},
                           {&J->Kt, max * max, d},
                           {&J->Ct, max * max, d},
                           {&J->column, nv, d},
                           {&J->x, n, d},
                           {&J->f, n, d},
                           {&J->f0, n, d}};
  return ns_arena_arrays(o->run.mem, want, sizeof want / sizeof *want);
}

static int draw(event_driven *o, sketch *k, ns_ed_jacobian *J)
{
  if (get_sketch(k) || mark_systems(k)) return NS_NOMEM;
  gather_rows(k);
  if (get_memory(o, J, columns(k, NULL, NULL))) return NS_NOMEM;
  columns(k, J->ptr, J->row);
  size_t systems = (size_t)o->s.m->nsystems;
  int *parent = ns_arena_get(k->mem, 2 * systems, sizeof *parent);
  if (!parent) return NS_NOMEM;
  take_turns(k, J, parent, parent + systems);
  return NS_OK;
}

int ns_ed_jacobian_fits(const ns_model *m)
{
  for (int i = 0; i < m->nsystems; i++)
    if (ns_system_is_rigid(&m->systems[i])) return 0;
  return m->values == NULL;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Coordinates whose columns follow from no tangent. */
static int choose_differenced(event_driven *o, ns_ed_jacobian *J)
{
  const ns_model *m = o->s.m;
  const ns_contacts *k = o->s.k;
  int some = 0;
  memset(J->differenced, 0, m->nv);
  if (!o->varying) return 0;
  for (int i = 0; i < m->nsystems; i++)
    if (m->systems[i].mass.how > NS_OP_CONSTANT) {
      memset(J->differenced + m->systems[i].q, 1, (size_t)m->systems[i].n);
      some = 1;
    }
  for (int a = 0; a < k->n; a++) {
    int r = k->active[a];
    if (!k->moves[r]) continue;
    for (int e = k->H.ptr[r]; e < k->H.ptr[r + 1]; e++) J->differenced[k->H.dof[e]] = 1;
    some = 1;
  }
  return some;
}

static double displacement(double x) { return sqrt(DBL_EPSILON) * fmax(1, fabs(x)); }

/* The columns of this turn, of q (at = 0) or v (at = nv), by one evaluation, for v with the
 * directions of friction at x. */
static int difference(event_driven *o, ns_ed_jacobian *J, double t, const double *x, int turn,
                      int at, double *value, long long *rates)
{
  int nv = (int)o->s.m->nv, some = 0;
  memcpy(J->x, x, o->run.problem.n * sizeof *x);
  for (int j = 0; j < nv; j++)
    if (J->differenced[j] && J->turn[j] == turn) {
      J->x[at + j] += displacement(at ? x[at + j] : o->origin[j] + x[j]);
      some = 1;
    }
  if (!some) return NS_OK;
  o->friction.aimed_at = at ? x + nv : NULL;
  int rc = ns_ed_rate(o, t, J->x, J->f);
  o->friction.aimed_at = NULL;
  *rates += 1;
  for (int j = 0; j < nv && !rc; j++) {
    if (!J->differenced[j] || J->turn[j] != turn) continue;
    double width = J->x[at + j] - x[at + j]; /* as represented */
    value[J->ptr[at + j]] = at > 0;
    for (int e = J->ptr[at + j] + 1; e < J->ptr[at + j + 1]; e++)
      value[e] = (J->f[J->row[e]] - J->f0[J->row[e]]) / width;
  }
  return rc;
}

/* J->column := what rows that hold leave of it. */
static void constrain(event_driven *o, ns_ed_jacobian *J)
{
  const ns_contacts *k = o->s.k;
  const ns_equalities *e = &o->equal;
  int some = 0;
  for (int i = 0; i < e->n; i++) {
    o->rhs[i] = -ns_rows_dot(&k->H, e->row[i], J->column);
    some |= o->rhs[i] != 0;
  }
  if (!some) return;
  ns_acceleration_solve(&o->hold, o->rhs);
  for (int i = 0; i < e->n; i++) ns_ed_add_force(o, &k->G, e->row[i], o->rhs[i], J->column);
}

/* What turns directions of friction, for columns by differences. */
static void add_turning(event_driven *o, ns_ed_jacobian *J, const double *v, double *value)
{
  int nv = (int)o->s.m->nv;
  for (int d = 0; d < nv; d++) {
    if (!J->differenced[d]) continue;
    ns_ed_friction_turn(o, v, d, J->column);
    constrain(o, J);
    for (int e = J->ptr[nv + d] + 1; e < J->ptr[nv + d + 1]; e++) {
      double *a = &J->column[J->row[e] - nv];
      value[e] += *a;
      *a = 0;
    }
  }
}

/* Columns of the coordinates of a system and of their velocities. */
static int system_columns(event_driven *o, ns_ed_jacobian *J, int i, double t, const double *x,
                          double *value)
{
  const ns_system *s = &o->s.m->systems[i];
  int nv = (int)o->s.m->nv, n = s->n, linear = ns_lagrangian_is_linear(s), rc = NS_OK;
  if (s->mass.how > NS_OP_CONSTANT) return NS_OK;
  if (!linear) rc = tangents(o, o->run.c, J, i, t, ns_ed_positions(o, x), x + nv);
  for (int b = 0; b < 2 * n && !rc; b++) {
    int d = b % n, dof = (int)s->q + d, j = dof + (b < n ? 0 : nv);
    if (J->differenced[dof]) continue;
    const double *from = (b < n ? J->Kt : J->Ct) + d * n;
    if (linear)
      for (int e = J->ptr[j] + 1; e < J->ptr[j + 1]; e++)
        J->column[J->row[e] - nv] = J->constant[e];
    else
      for (int a = 0; a < n; a++) J->column[(int)s->q + a] = -from[a];
    if (o->friction.wanted && b >= n) ns_ed_friction_turn(o, x + nv, dof, J->column);
    constrain(o, J);
    store(o, J, j, value);
  }
  return rc;
}

/* f there, which leaves H and D behind. */
static int evaluate(event_driven *o, double t, const double *x, long long *rates)
{
  *rates += 1;
  return ns_ed_rate(o, t, x, o->jacobian->f0);
}

static int differences(event_driven *o, ns_ed_jacobian *J, double t, const double *x, double *value,
                       long long *rates)
{
  int nv = (int)o->s.m->nv, rc = evaluate(o, t, x, rates);
  for (int turn = 0; turn < J->turns && !rc; turn++) {
    rc = difference(o, J, t, x, turn, 0, value, rates);
    if (!rc) rc = difference(o, J, t, x, turn, nv, value, rates);
  }
  return rc;
}

static int jacobian_eval(void *self, double t, const double *x, double *value, long long *rates)
{
  event_driven *o = self;
  ns_ed_jacobian *J = o->jacobian;
  size_t nv = o->s.m->nv;
  int rc = choose_differenced(o, J) ? differences(o, J, t, x, value, rates) : NS_OK;
  if (!rc && o->s.k->n && (o->varying || o->friction.turning || !o->factored))
    rc = evaluate(o, t, x, rates);
  memset(J->column, 0, nv * sizeof *J->column);
  for (int i = 0; i < o->s.m->nsystems && !rc; i++) rc = system_columns(o, J, i, t, x, value);
  if (!rc && o->friction.wanted) add_turning(o, J, x + nv, value);
  for (size_t j = 2 * nv; j < o->run.problem.n; j++) value[J->ptr[j]] = 0;
  return rc;
}

int ns_ed_jacobian_create(event_driven *o, ns_ctx *c)
{
  ns_ed_jacobian *J = o->jacobian = ns_arena_zero(o->run.mem, 1, sizeof *J);
  sketch k = {.o = o, .mem = ns_arena_create(0, 1)};
  int rc = J && k.mem ? draw(o, &k, J) : NS_NOMEM;
  ns_arena_destroy(k.mem);
  if (rc) return ns_nomem(c, "Jacobian of the motion");
  o->run.problem.structure = (ns_flow_structure){.ptr = J->ptr, .row = J->row};
  o->run.problem.jacobian = jacobian_eval;
  return keep_constant(o, c, J);
}

int ns_ed_jacobian_outdates(void *self, const double *x0, const double *x)
{
  const event_driven *o = self;
  return ns_ed_friction_turned(o, x0 + o->s.m->nq, x + o->s.m->nq);
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Bodies that rows, joints or forces connect in this mode. */
static void connect(const event_driven *o, int *set)
{
  const ns_model *m = o->s.m;
  const ns_contacts *k = o->s.k;
  const ns_rigid_drives *d = o->drives;
  ns_sets_begin(set, m->nsystems);
  for (int i = 0; i < k->n; i++) {
    const ns_interaction *it = &m->interactions[k->interaction[k->active[i]]];
    for (int j = 1; j < it->nsystems; j++) ns_sets_join(set, it->systems[0], it->systems[j]);
  }
  for (int b = 0; d && b < m->nsystems; b++)
    if (d->group[b] >= 0) ns_sets_join(set, d->member[d->from[d->group[b]]], b);
}

int ns_ed_parts(void *self, int *part)
{
  event_driven *o = self;
  const ns_model *m = o->s.m;
  int parts = 0, *set = o->island, *number = o->island + m->nsystems;
  if (o->run.host || o->gives_way || (o->drives && o->drives->nreaders)) return 1;
  connect(o, set);
  ns_fill_ints(o->run.problem.n, -1, part);
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    int root = ns_sets_root(set, i);
    if (root == i) number[i] = parts++;
    for (int j = 0; j < s->nq; j++) part[s->q + (size_t)j] = number[root];
    for (int j = 0; j < s->n; j++) part[m->nq + s->v + (size_t)j] = number[root];
  }
  return parts;
}
