/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/step_problem.h"

#include "model/laws/problem.h"
#include "problems/avi.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- when it has the saddle-point form ------------------------------------------------------- */

static const char sparse_newton[] = "sparse-newton";

/* A system of up to so many states, or a problem of so many rows, is a small dense matrix; above
 * it, a system whose entries fill less than a DENSITY-th of the matrix is sparse. Problems of up to
 * FALLBACK rows can afford the dense methods of "auto" where the sparse one finds nothing.
 * bench/ladder.xml: both kernels are equally fast at 5 cells, 10 states and 20 multipliers. */
enum { SMALL = 10, SMALL_ROWS = 30, DENSITY = 4, FALLBACK = 128 };

static size_t entries(const ns_operator *o)
{
  size_t n = 0, all = (size_t)o->rows * (size_t)(o->diagonal ? 1 : o->cols);
  if (o->how != NS_OP_CONSTANT) return 0;
  for (size_t i = 0; i < all; i++) n += o->value[i] != 0;
  return n;
}

static int large_and_sparse(const ns_model *m)
{
  int big = 0;
  double nnz = 0, full = 0;
  for (int i = 0; i < m->nsystems; i++) {
    const ns_system *s = &m->systems[i];
    if (!ns_first_order_is_lti(s)) return 0;
    big = s->n > big ? s->n : big;
    nnz += (double)(entries(&s->fo.A) + entries(&s->fo.M)) + s->n;
    full += (double)s->n * s->n;
  }
  return big > SMALL && nnz * DENSITY < full;
}

int ns_step_problem_suits_saddle(const ns_model *m)
{
  const ns_problem_options *o = &m->sim.osnsp;
  if (strcmp(m->sim.integrator, "EulerMoreauOSI") != 0 || o->storage == NS_STORAGE_DENSE ||
      !ns_avi_solver_find(sparse_newton))
    return 0;
  if (strcmp(o->solver, "auto") != 0 && strcmp(o->solver, sparse_newton) != 0) return 0;
  for (int i = 0; i < m->ninteractions; i++)
    if (!(m->interactions[i].relation->flags & NS_REL_LINEAR) ||
        ns_law_is_polyhedron(m->interactions[i].law.ops))
      return 0;
  return m->nrows > 0 && m->nq + m->nrows > SMALL_ROWS && large_and_sparse(m);
}

static const char *saddle_solver(const ns_model *m)
{
  return m->nq + m->nrows <= FALLBACK ? m->sim.osnsp.solver : sparse_newton;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Vectors and flags of the rows, of which `head` others stand before; H, G and D have no memory. */
static int get_vectors(ns_step_problem *o, ns_ctx *c)
{
  size_t rows = (size_t)o->nrows, all = (size_t)o->head + rows, units = (size_t)o->nunits;
  size_t d = sizeof(double);
  if (!o->mem) return ns_nomem(c, "one-step problem");
  const ns_array want[] = {{&o->unit, units, sizeof *o->unit},
                           {&o->lb, all, d},
                           {&o->ub, all, d},
                           {&o->mu, units, d},
                           {&o->mu_rolling, units, d},
                           {&o->b, all, d},
                           {&o->start, all, d},
                           {&o->z, all, d},
                           {&o->w, all, d},
                           {&o->unit_of, rows, sizeof(int)},
                           {&o->active, rows, sizeof(int)},
                           {&o->position, rows, sizeof(int)},
                           {&o->active_unit, units, sizeof(int)},
                           {&o->scale, rows, d},
                           {&o->q, rows, d},
                           {&o->r, rows, d},
                           {&o->u, rows, d},
                           {&o->guess, all, d}};
  if (ns_arena_arrays(o->mem, want, sizeof want / sizeof *want))
    return ns_nomem(c, "one-step problem");
  double **of_rows[] = {&o->lb, &o->ub, &o->b, &o->start, &o->z, &o->w};
  for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++) *of_rows[i] += o->head;
  return NS_OK;
}

int ns_step_problem_init(ns_step_problem *o, ns_ctx *c, const ns_model *m, const ns_theta *theta,
                         int n, int units, size_t nH, size_t nG, size_t nD)
{
  *o = (ns_step_problem){.m = m,
                         .theta = theta,
                         .view = ns_theta_look(theta),
                         .nrows = n,
                         .nunits = units,
                         .where = 1,
                         .mem = ns_arena_create(0, 1)};
  int rc = get_vectors(o, c);
  if (rc) return rc;
  int ok = !ns_rows_get(o->mem, n, nH, &o->H) && !ns_rows_get(o->mem, n, nG, &o->G) &&
           !ns_rows_get(o->mem, n, nD, &o->D);
  return ok ? NS_OK : ns_nomem(c, "one-step problem");
}

void ns_step_problem_fini(ns_step_problem *o)
{
  ns_row_solver_destroy(&o->p.solver);
  ns_arena_destroy(o->mem);
  *o = (ns_step_problem){0};
}

size_t ns_step_problem_bytes(const ns_step_problem *o)
{
  return o->mem ? ns_arena_used(o->mem) : 0;
}

/* ---- structure ------------------------------------------------------------------------------- */

static int too_many_pairs(const ns_step_problem *o, ns_ctx *c)
{
  return ns_fail_at(c, NS_MODEL, &o->m->sim.at,
                    "more than %d pairs of rows act on a common system, expected fewer; use fewer "
                    "interactions per system",
                    (int)NS_ROWS_PAIRS);
}

/* ---- creation -------------------------------------------------------------------------------- */

/* Up to so many rows of relations the matrix is dense where more than a quarter of its entries are
 * there: rows of one large system all meet. */
enum { FULL_ROWS = 1000 };

static int create_problem(ns_step_problem *o, ns_ctx *c)
{
  int head = o->head, full_rows = head ? -1 : FULL_ROWS;
  o->p = (ns_row_problem){.m = o->m,
                          .mem = o->mem,
                          .nrows = head + o->nrows,
                          .nunits = o->nunits,
                          .head = head,
                          .A = head ? &o->saddle.M : &o->delassus.A,
                          .unit = o->unit,
                          .unit_of = o->unit_of,
                          .lb = o->lb - head,
                          .ub = o->ub - head,
                          .mu = o->mu,
                          .mu_rolling = o->mu_rolling,
                          .start = o->start - head,
                          .scale = o->whole ? NULL : o->scale,
                          .whole = o->whole,
                          .polyhedra = o->whole,
                          .solver_name = head ? saddle_solver(o->m) : NULL,
                          .full_rows = o->whole ? full_rows : 0};
  int rc = ns_row_problem_create(&o->p, c);
  return rc == NS_NOMEM && c->rc != NS_NOMEM ? ns_nomem(c, "one-step problem") : rc;
}

static int create_saddle(ns_step_problem *o)
{
  double gain;
  o->saddle = (ns_saddle){.n = o->head,
                          .nrows = o->nrows,
                          .W = ns_theta_matrix(o->theta, &gain),
                          .B = &o->G,
                          .C = &o->H,
                          .D = &o->D};
  return ns_saddle_create(&o->saddle, o->mem);
}

/* *full, *met: of ns_rows_meet. */
static int create_delassus(ns_step_problem *o, int *full, size_t *met)
{
  static const ns_rate_groups none = {0};
  o->delassus = (ns_delassus){.n = o->nrows,
                              .ndof = o->theta ? o->m->nv : 0,
                              .H = &o->H,
                              .G = &o->G,
                              .D = &o->D,
                              .groups = o->theta ? o->view.groups : &none,
                              .solve = o->inputs ? ns_theta_input_gain : ns_theta_gain,
                              .of = o->theta};
  return ns_delassus_create(&o->delassus, o->mem, full, met);
}

int ns_step_problem_create(ns_step_problem *o, ns_ctx *c)
{
  int full = 0;
  size_t met = 0;
  for (int a = 0; a < o->nunits; a++)
    for (int r = o->unit[a].first; r < o->unit[a].first + o->unit[a].rows; r++) o->unit_of[r] = a;
  for (int r = 0; r < o->nrows; r++) o->position[r] = o->whole ? o->n++ : -1;
  for (int r = 0; r < o->n; r++) o->active[r] = r;
  int rc = create_delassus(o, &full, &met);
  if (rc) return rc == NS_MODEL ? too_many_pairs(o, c) : ns_nomem(c, "one-step problem");
  return create_problem(o, c);
}

int ns_step_problem_relations(ns_step_problem *o, ns_ctx *c, const ns_couplings *k,
                              const ns_theta *theta, int saddle)
{
  int full = 0;
  size_t met = 0;
  *o = (ns_step_problem){.m = k->m,
                         .theta = theta,
                         .nrows = k->nrows,
                         .n = k->nrows,
                         .whole = 1,
                         .inputs = 1,
                         .where = 1,
                         .head = saddle ? (int)k->m->nq : 0,
                         .H = k->C,
                         .G = k->B,
                         .D = k->D,
                         .mem = ns_arena_create(0, 1)};
  int rc = get_vectors(o, c);
  if (rc) return rc;
  for (int r = 0; r < o->nrows; r++) o->active[r] = o->position[r] = r;
  for (int i = -o->head; i < 0; i++) o->lb[i] = -(o->ub[i] = INFINITY);
  ns_laws_bounds(o->m, 1, o->lb, o->ub);
  if (theta) {
    o->view = ns_theta_look(theta);
    o->where = o->view.where;
  } else if (ns_rows_get(o->mem, o->nrows, 0, &o->H)) {
    return ns_nomem(c, "one-step problem");
  } else {
    o->G = o->H;
  }
  rc = saddle ? create_saddle(o) : create_delassus(o, &full, &met);
  if (rc == NS_MODEL) return ns_rows_too_many(c, &k->of[k->interaction[full]].it->at, met);
  return rc ? ns_nomem(c, "one-step problem") : create_problem(o, c);
}

const ns_memory *ns_step_problem_memory(const ns_step_problem *o)
{
  return ns_row_solver_memory(&o->p.solver);
}

const char *ns_step_problem_note(const ns_step_problem *o)
{
  const ns_row_solver *s = &o->p.solver;
  if (s->poly) return "faces of the polyhedron";
  if (strcmp(ns_row_solver_name(s), "auto") != 0) return ns_row_solver_help(s);
  if (o->p.nrows == 1) return "one row, in closed form";
  return o->p.dense ? "last support, then dense pivoting" : "last support, then sparse active set";
}

const char *ns_step_problem_name(const ns_step_problem *o)
{
  static const char *const name[] = {[NS_AVI_LINEAR] = "MLCP",
                                     [NS_AVI_LCP] = "LCP",
                                     [NS_AVI_MLCP] = "MLCP",
                                     [NS_AVI_BOX] = "Relay"};
  return o->p.mechanical ? "GenericMechanical" : name[ns_avi_classify(o->nrows, o->lb, o->ub)];
}

/* ---- the problem of a step ------------------------------------------------------------------- */

void ns_step_problem_select(ns_step_problem *o, const unsigned char *takes_part)
{
  for (int i = 0; i < o->n; i++) o->position[o->active[i]] = -1;
  o->n = o->na = 0;
  for (int a = 0; a < o->nunits; a++) {
    const ns_unit *u = &o->unit[a];
    for (int r = u->first; r < u->first + u->rows && !takes_part[a]; r++) o->z[r] = o->w[r] = 0;
    if (!takes_part[a]) continue;
    o->active_unit[o->na++] = a;
    for (int r = u->first; r < u->first + u->rows; r++) {
      o->position[r] = o->n;
      o->active[o->n++] = r;
    }
  }
}

/* Entry (r, r) of A, or the largest of its row where that is nothing. */
static double size_of_row(const ns_step_problem *o, int r)
{
  const ns_blocks *A = &o->delassus.A;
  double own = 0, max = 0;
  for (int b = A->row[r]; b < A->row[r + 1]; b++) {
    double a = fabs(A->val[b]);
    if (A->col[b] == r) own = a;
    max = a > max ? a : max;
  }
  return own > 1e-8 * max ? own : max;
}

/* Rows of a law together, those of a box each for itself. */
static void rescale(ns_step_problem *o)
{
  for (int i = 0; i < o->na; i++) {
    const ns_unit *u = &o->unit[o->active_unit[i]];
    for (int k = 0, n; k < u->rows; k += n) {
      double max = 0, *scale = o->scale + u->first + k;
      n = ns_mechanical_together(u->block, u->rows, k);
      for (int r = 0; r < n; r++) max = fmax(max, size_of_row(o, u->first + k + r));
      for (int r = 0; r < n; r++) scale[r] = max > 0 && isfinite(max) ? 1 / sqrt(max) : 1;
    }
  }
}

static inline ns_part_taken taking_part(const ns_step_problem *o)
{
  return (ns_part_taken){.n = o->n,
                         .nunits = o->na,
                         .row = o->active,
                         .position = o->position,
                         .unit = o->active_unit};
}

void ns_step_problem_assemble(ns_step_problem *o)
{
  ns_part_taken p = taking_part(o);
  double gain;
  if (o->head) {
    o->saddle.W = ns_theta_matrix(o->theta, &gain);
    ns_saddle_fill(&o->saddle, gain, o->where);
  }
  for (int i = 0; i < o->n && !o->head; i++) ns_delassus_gain(&o->delassus, 1, &o->active[i]);
  for (int i = 0; i < o->n && !o->head; i++)
    ns_delassus_row(&o->delassus, o->active[i], o->where, o->position);
  if (!o->whole) rescale(o);
  ns_row_problem_gather(&o->p, o->whole ? NULL : &p);
}

/* The problem to who looks at problems. */
static void show(const ns_step_problem *o, const ns_state *x, const ns_watch *w,
                 const ns_outcome *out)
{
  int poly = o->p.solver.poly != NULL;
  ns_shown shown = {.box = o->p.mechanical || poly ? NULL : &o->p.box,
                    .polyhedron = poly ? &o->p.faces : NULL,
                    .mechanical = o->p.mechanical ? &o->p.mech : NULL,
                    .guess = o->guess};
  w->problem(w->to, *x->step, *x->t, &shown, out);
}

static int solve_whole(ns_step_problem *o, ns_ctx *c, const ns_state *x, const ns_watch *w,
                       ns_outcome *out)
{
  double *z = o->z - o->head;
  if (w) memcpy(o->guess, z, (size_t)o->p.nrows * sizeof *z);
  int rc = ns_row_problem_solve(&o->p, c, NULL, o->b - o->head, z, o->w - o->head, out);
  if (!rc && w) show(o, x, w, out);
  return rc;
}

int ns_step_problem_solve(ns_step_problem *o, ns_ctx *c, const ns_state *x, const ns_watch *w,
                          ns_outcome *out)
{
  if (o->whole && o->n) return solve_whole(o, c, x, w, out);
  *out = (ns_outcome){.kind = NS_SOLVED, .solver = "none"};
  if (o->n == 0) return NS_OK;
  ns_part_taken p = taking_part(o);
  for (int i = 0; i < o->n; i++) {
    o->q[i] = o->scale[o->active[i]] * o->b[o->active[i]];
    o->r[i] = o->z[o->active[i]] / o->scale[o->active[i]];
  }
  if (w) memcpy(o->guess, o->r, (size_t)o->n * sizeof *o->r);
  int rc = ns_row_problem_solve(&o->p, c, &p, o->q, o->r, o->u, out);
  if (rc) return rc;
  if (w) show(o, x, w, out);
  for (int i = 0; i < o->n; i++) {
    int r = o->active[i];
    o->z[r] = o->r[i] * o->scale[r];
    o->w[r] = o->u[i] / o->scale[r];
  }
  return NS_OK;
}

double ns_step_problem_level(const ns_step_problem *o)
{
  const ns_blocks *A = o->p.A;
  double level = 0;
  for (int i = 0; i < o->n; i++) {
    int r = o->active[i], row = o->head + r;
    double size = 0;
    for (int b = A->row[row]; b < A->row[row + 1]; b++) size = fmax(size, fabs(A->val[b]));
    if (size > 0) level = fmax(level, fabs(o->b[r] / size));
  }
  return level;
}

void ns_step_problem_set_head(ns_step_problem *o, const double *b, const double *u)
{
  for (int i = 0; i < o->head; i++) o->b[i - o->head] = -b[i];
  memcpy(o->z - o->head, u, (size_t)o->head * sizeof *u);
}

void ns_step_problem_apply(const ns_step_problem *o, double *u)
{
  if (o->head) {
    memcpy(u, o->z - o->head, (size_t)o->head * sizeof *u);
    return;
  }
  for (int i = 0; i < o->n; i++)
    if (o->z[o->active[i]] != 0)
      ns_rows_add(&o->delassus.gain, o->active[i], o->z[o->active[i]], u);
}
