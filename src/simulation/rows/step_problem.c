/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/step_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---------------------------------------------------------------------------------- */

int ns_step_problem_init(ns_step_problem *o, ns_ctx *c, const ns_model *m, const ns_theta *theta,
                         int n, int units, size_t nH, size_t nG, size_t nD)
{
  size_t rows = (size_t)n, d = sizeof(double);
  *o = (ns_step_problem){.m = m,
                         .theta = theta,
                         .view = ns_theta_look(theta),
                         .nrows = n,
                         .nunits = units,
                         .mem = ns_arena_create(0, 1)};
  if (!o->mem) return ns_nomem(c, "one-step problem");
  const struct {
    void *to;
    size_t count, size;
  } want[] = {{&o->unit, (size_t)units, sizeof *o->unit},
              {&o->lb, rows, d},
              {&o->ub, rows, d},
              {&o->mu, (size_t)units, d},
              {&o->mu_rolling, (size_t)units, d},
              {&o->b, rows, d},
              {&o->z, rows, d},
              {&o->w, rows, d},
              {&o->unit_of, rows, sizeof(int)},
              {&o->active, rows, sizeof(int)},
              {&o->position, rows, sizeof(int)},
              {&o->active_unit, (size_t)units, sizeof(int)},
              {&o->scale, rows, d},
              {&o->q, rows, d},
              {&o->r, rows, d},
              {&o->u, rows, d},
              {&o->guess, rows, d}};
  int ok = !ns_rows_get(o->mem, n, nH, &o->H) && !ns_rows_get(o->mem, n, nG, &o->G) &&
           !ns_rows_get(o->mem, n, nD, &o->D);
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    void *p = ns_arena_zero(o->mem, want[i].count + 1, want[i].size);
    ok = ok && p;
    memcpy(want[i].to, &p, sizeof p);
  }
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
  char at[512];
  return ns_fail(c, NS_MODEL,
                 "%s: more than %d pairs of rows act on a common system, expected fewer; use fewer "
                 "interactions per system",
                 ns_place_text(&o->m->sim.at, at, sizeof at), (int)NS_ROWS_PAIRS);
}

/* ---- creation -------------------------------------------------------------------------------- */

/* Up to so many rows of relations the matrix is dense where more than a quarter of its entries are
 * there: rows of one large system all meet. */
enum { FULL_ROWS = 1000 };

static int create_problem(ns_step_problem *o, ns_ctx *c)
{
  o->p = (ns_row_problem){.m = o->m,
                          .mem = o->mem,
                          .nrows = o->nrows,
                          .nunits = o->nunits,
                          .A = &o->delassus.A,
                          .unit = o->unit,
                          .unit_of = o->unit_of,
                          .lb = o->lb,
                          .ub = o->ub,
                          .mu = o->mu,
                          .mu_rolling = o->mu_rolling,
                          .scale = o->whole ? NULL : o->scale,
                          .whole = o->whole,
                          .full_rows = o->whole ? FULL_ROWS : 0};
  int rc = ns_row_problem_create(&o->p, c);
  return rc == NS_NOMEM ? ns_nomem(c, "one-step problem") : rc;
}

int ns_step_problem_create(ns_step_problem *o, ns_ctx *c)
{
  int full = 0;
  size_t met = 0;
  for (int a = 0; a < o->nunits; a++)
    for (int r = o->unit[a].first; r < o->unit[a].first + o->unit[a].rows; r++) o->unit_of[r] = a;
  for (int r = 0; r < o->nrows; r++) o->position[r] = o->whole ? o->n++ : -1;
  for (int r = 0; r < o->n; r++) o->active[r] = r;
  o->delassus = (ns_delassus){.n = o->nrows,
                              .ndof = o->m->nv,
                              .H = &o->H,
                              .G = &o->G,
                              .D = &o->D,
                              .groups = o->view.groups,
                              .solve = ns_theta_gain,
                              .of = o->theta};
  int rc = ns_delassus_create(&o->delassus, o->mem, &full, &met);
  if (rc) return rc == NS_MODEL ? too_many_pairs(o, c) : ns_nomem(c, "one-step problem");
  return create_problem(o, c);
}

const ns_memory *ns_step_problem_memory(const ns_step_problem *o)
{
  return ns_row_solver_memory(&o->p.solver);
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

static void rescale(ns_step_problem *o)
{
  for (int i = 0; i < o->na; i++) {
    const ns_unit *u = &o->unit[o->active_unit[i]];
    double max = 0;
    for (int r = u->first; r < u->first + u->rows; r++) max = fmax(max, size_of_row(o, r));
    for (int r = u->first; r < u->first + u->rows; r++)
      o->scale[r] = max > 0 && isfinite(max) ? 1 / sqrt(max) : 1;
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
  for (int i = 0; i < o->n; i++) ns_delassus_gain(&o->delassus, 1, &o->active[i]);
  for (int i = 0; i < o->n; i++) ns_delassus_row(&o->delassus, o->active[i], 1, o->position);
  if (!o->whole) rescale(o);
  ns_row_problem_gather(&o->p, o->whole ? NULL : &p);
}

/* The problem to who looks at problems. */
static void show(const ns_step_problem *o, const ns_state *x, const ns_watch *w,
                 const ns_outcome *out)
{
  ns_shown shown = {.box = o->p.mechanical ? NULL : &o->p.box,
                    .mechanical = o->p.mechanical ? &o->p.mech : NULL,
                    .guess = o->guess};
  if (w) w->problem(w->to, *x->step, *x->t, &shown, out);
}

static int solve_whole(ns_step_problem *o, ns_ctx *c, const ns_state *x, const ns_watch *w,
                       ns_outcome *out)
{
  if (w) memcpy(o->guess, o->z, (size_t)o->n * sizeof *o->z);
  int rc = ns_row_problem_solve(&o->p, c, NULL, o->b, o->z, o->w, out);
  if (!rc) show(o, x, w, out);
  return rc;
}

int ns_step_problem_solve(ns_step_problem *o, ns_ctx *c, const ns_state *x, const ns_watch *w,
                          ns_outcome *out)
{
  ns_part_taken p = taking_part(o);
  *out = (ns_outcome){.kind = NS_SOLVED, .solver = "none"};
  if (o->n == 0) return NS_OK;
  if (o->whole) return solve_whole(o, c, x, w, out);
  for (int i = 0; i < o->n; i++) {
    o->q[i] = o->scale[o->active[i]] * o->b[o->active[i]];
    o->r[i] = o->z[o->active[i]] / o->scale[o->active[i]];
  }
  if (w) memcpy(o->guess, o->r, (size_t)o->n * sizeof *o->r);
  int rc = ns_row_problem_solve(&o->p, c, &p, o->q, o->r, o->u, out);
  if (rc) return rc;
  show(o, x, w, out);
  for (int i = 0; i < o->n; i++) {
    int r = o->active[i];
    o->z[r] = o->r[i] * o->scale[r];
    o->w[r] = o->u[i] / o->scale[r];
  }
  return NS_OK;
}

double ns_step_problem_level(const ns_step_problem *o)
{
  const ns_blocks *A = &o->delassus.A;
  double level = 0;
  for (int i = 0; i < o->n; i++) {
    int r = o->active[i];
    double size = 0;
    for (int b = A->row[r]; b < A->row[r + 1]; b++) size = fmax(size, fabs(A->val[b]));
    if (size > 0) level = fmax(level, fabs(o->b[r] / size));
  }
  return level;
}

void ns_step_problem_apply(const ns_step_problem *o, double *u)
{
  for (int i = 0; i < o->n; i++)
    if (o->z[o->active[i]] != 0)
      ns_rows_add(&o->delassus.gain, o->active[i], o->z[o->active[i]], u);
}
