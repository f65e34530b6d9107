/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/step_problem.h"

#include "algebra/dense.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Up to so many rows a dense problem is smaller and faster than a sparse one, and needs no library.
 * */
enum { DENSE_ROWS = NS_DENSE_SMALL };

/* ---- memory ---------------------------------------------------------------------------------- */

static int get_rows(ns_arena *a, int n, size_t entries, ns_rows *R)
{
  R->ptr = ns_arena_zero(a, (size_t)n + 1, sizeof *R->ptr);
  R->dof = ns_arena_zero(a, entries, sizeof *R->dof);
  R->val = ns_arena_zero(a, entries, sizeof *R->val);
  return R->ptr && R->dof && R->val ? NS_OK : NS_NOMEM;
}

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
              {&o->scatter, m->nv, d},
              {&o->q, rows, d},
              {&o->r, rows, d},
              {&o->u, rows, d},
              {&o->low, rows, d},
              {&o->high, rows, d},
              {&o->guess, rows, d},
              {&o->active_mu, (size_t)units, d},
              {&o->active_rolling, (size_t)units, d},
              {&o->kind, 2 * (size_t)units, 1},
              {&o->place, (size_t)units, sizeof(int)}};
  int ok = !get_rows(o->mem, n, nH, &o->H) && !get_rows(o->mem, n, nG, &o->G) &&
           !get_rows(o->mem, n, nD, &o->D);
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    void *p = ns_arena_zero(o->mem, want[i].count + 1, want[i].size);
    ok = ok && p;
    memcpy(want[i].to, &p, sizeof p);
  }
  return ok ? NS_OK : ns_nomem(c, "one-step problem");
}

void ns_step_problem_fini(ns_step_problem *o)
{
  if (o->avi_ops) o->avi_ops->destroy(o->solver);
  if (o->mech_ops) o->mech_ops->destroy(o->solver);
  ns_arena_destroy(o->mem);
  *o = (ns_step_problem){0};
}

size_t ns_step_problem_bytes(const ns_step_problem *o)
{
  return o->mem ? ns_arena_used(o->mem) : 0;
}

/* ---- structure ------------------------------------------------------------------------------- */

/* The groups that row r of G acts on; their number, listed in g [at most groups->n]. */
static int groups_of(const ns_step_problem *o, int r, int *g)
{
  int n = 0;
  for (int e = o->G.ptr[r]; e < o->G.ptr[r + 1]; e++) {
    int k = 0, of = o->view.group[o->G.dof[e]];
    while (k < n && g[k] != of) k++;
    if (k == n) g[n++] = of;
  }
  return n;
}

/* Entries of u of group k, in its order, to dof. */
static int list_group(const ns_step_problem *o, int k, int *dof)
{
  const ns_rate_groups *g = o->view.groups;
  for (int e = g->first[k]; e < g->first[k + 1]; e++) {
    const ns_system *s = &o->m->systems[g->list[e]];
    for (int i = 0; i < s->n; i++) dof[g->at[g->list[e]] + i] = (int)s->v + i;
  }
  return g->size[k];
}

static int build_gain(ns_step_problem *o)
{
  int *g = ns_arena_get(o->mem, (size_t)o->view.groups->n, sizeof *g);
  size_t entries = 0;
  if (!g) return NS_NOMEM;
  for (int r = 0; r < o->nrows; r++)
    for (int k = 0, n = groups_of(o, r, g); k < n; k++)
      entries += (size_t)o->view.groups->size[g[k]];
  if (get_rows(o->mem, o->nrows, entries, &o->gain)) return NS_NOMEM;
  for (int r = 0, at = 0; r < o->nrows; r++) {
    for (int k = 0, n = groups_of(o, r, g); k < n; k++) at += list_group(o, g[k], o->gain.dof + at);
    o->gain.ptr[r + 1] = at;
  }
  return NS_OK;
}

static int too_many_pairs(const ns_step_problem *o, ns_ctx *c)
{
  char at[512];
  return ns_fail(c, NS_MODEL,
                 "%s: more than %d pairs of rows act on a common system, expected fewer; use fewer "
                 "interactions per system",
                 ns_place_text(&o->m->sim.at, at, sizeof at), (int)NS_ROWS_PAIRS);
}

/* Blocks of all units: two meet where some of their rows do. */
static int unit_blocks(ns_step_problem *o)
{
  size_t pairs = 0, values = 0;
  int *mark = ns_arena_zero(o->mem, (size_t)o->nunits, sizeof *mark);
  for (int pass = 0; mark && pass < 2; pass++) {
    ns_blocks *B = &o->sub;
    pairs = values = 0;
    for (int a = 0; a < o->nunits; a++) {
      const ns_step_unit *u = &o->unit[a];
      for (int r = u->first; r < u->first + u->rows; r++)
        for (int b = o->A.row[r]; b < o->A.row[r + 1]; b++)
          mark[o->unit_of[o->A.col[b]]] = 2 * a + pass + 1;
      if (pass) B->row[a] = (int)pairs;
      for (int v = 0; v < o->nunits; v++) {
        if (mark[v] != 2 * a + pass + 1) continue;
        if (pass) B->col[pairs] = v, B->off[pairs] = values;
        pairs++;
        values += (size_t)(u->rows * o->unit[v].rows);
      }
      if (pass) B->dim[a] = u->rows, B->first[a] = u->first;
    }
    if (pass) {
      B->row[o->nunits] = (int)pairs;
      B->first[o->nunits] = o->nrows;
      break;
    }
    size_t nu = (size_t)o->nunits;
    *B = (ns_blocks){.nb = o->nunits, .m = o->nrows};
    B->dim = ns_arena_get(o->mem, nu + 1, sizeof *B->dim);
    B->first = ns_arena_get(o->mem, nu + 1, sizeof *B->first);
    B->row = ns_arena_zero(o->mem, nu + 1, sizeof *B->row);
    B->col = ns_arena_get(o->mem, pairs + 1, sizeof *B->col);
    B->off = ns_arena_get(o->mem, pairs + 1, sizeof *B->off);
    B->val = ns_arena_zero(o->mem, values + 1, sizeof *B->val);
    if (!B->dim || !B->first || !B->row || !B->col || !B->off || !B->val) return NS_NOMEM;
  }
  return mark ? NS_OK : NS_NOMEM;
}

/* ---- solvers --------------------------------------------------------------------------------- */

static int unknown_solver(const ns_step_problem *o, ns_ctx *c)
{
  char at[512];
  return ns_fail(
      c, NS_MODEL,
      "%s: solver is \"%s\", expected one of those that `nssim list solvers` names for %s",
      ns_place_text(&o->m->sim.at, at, sizeof at), o->m->sim.osnsp.solver,
      o->mechanical ? "contacts with friction" : "boxes");
}

static int get_mechanical(ns_step_problem *o, ns_ctx *c)
{
  const ns_problem_options *p = &o->m->sim.osnsp;
  ns_mechanical_options opt = ns_mechanical_defaults();
  opt.tol = p->tol;
  opt.max_iterations = p->max_iterations;
  opt.contact = ns_contact_solvers[p->contact];
  opt.threads = p->threads;
  opt.plugged = p->plugged;
  o->name = "GenericMechanical";
  if (unit_blocks(o)) return ns_nomem(c, "one-step problem");
  for (int a = 0; a < o->nunits; a++) o->kind[o->nunits + a] = o->unit[a].kind;
  ns_mechanical_capacity cap = {.structure = &o->sub, .kind = o->kind + o->nunits};
  if (!(o->mech_ops = ns_mechanical_solver_find(p->solver))) return unknown_solver(o, c);
  return o->mech_ops->create(c, &cap, &opt, &o->solver);
}

static int get_boxes(ns_step_problem *o, ns_ctx *c)
{
  const ns_problem_options *p = &o->m->sim.osnsp;
  ns_lcp_options opt = ns_lcp_defaults();
  size_t n = (size_t)o->nrows, nnz = n ? (size_t)o->A.row[n] : 0;
  opt.tol = p->tol;
  opt.max_iterations = p->max_iterations;
  opt.omega = p->omega;
  opt.plugged = p->plugged;
  ns_avi_class class = ns_avi_classify(o->nrows, o->lb, o->ub);
  o->name = class == NS_AVI_LCP ? "LCP" : class == NS_AVI_BOX ? "Relay" : "MLCP";
  o->dense = p->storage == NS_STORAGE_DENSE ||
             (p->storage == NS_STORAGE_AUTO && o->nrows <= DENSE_ROWS);
  if (o->dense && n * n > NS_ROWS_PAIRS) return too_many_pairs(o, c);
  int rc = o->dense ? NS_OK : ns_rows_matrix(o->mem, o->nrows, nnz, &o->sub);
  if (!rc && o->dense && !(o->full = ns_arena_zero(o->mem, n * n, sizeof *o->full))) rc = NS_NOMEM;
  if (rc) return ns_nomem(c, "one-step problem");
  ns_avi_capacity cap = {.n = o->nrows,
                         .nnz = o->dense ? n * n : nnz,
                         .structure = o->dense ? NULL : &o->A,
                         .lb = o->lb,
                         .ub = o->ub,
                         .varies = o->m->values != NULL};
  if (!(o->avi_ops = ns_avi_solver_find(p->solver))) return unknown_solver(o, c);
  return o->avi_ops->create(c, &cap, &opt, &o->solver);
}

int ns_step_problem_create(ns_step_problem *o, ns_ctx *c)
{
  int full = 0;
  size_t met = 0;
  for (int a = 0; a < o->nunits; a++) {
    o->mechanical |= o->unit[a].kind != NS_BLOCK_BOX;
    for (int r = o->unit[a].first; r < o->unit[a].first + o->unit[a].rows; r++) o->unit_of[r] = a;
  }
  for (int r = 0; r < o->nrows; r++) o->position[r] = -1;
  int rc = build_gain(o);
  ns_meeting in = {.n = o->nrows, .ndof = o->m->nv, .H = &o->H, .G = &o->gain, .D = &o->D};
  if (!rc) rc = ns_rows_meet(o->mem, &in, &o->A, &full, &met);
  if (rc) return rc == NS_MODEL ? too_many_pairs(o, c) : ns_nomem(c, "one-step problem");
  return o->mechanical ? get_mechanical(o, c) : get_boxes(o, c);
}

const ns_memory *ns_step_problem_memory(const ns_step_problem *o)
{
  return o->avi_ops ? o->avi_ops->memory : o->mech_ops ? o->mech_ops->memory : &ns_memory_none;
}

/* ---- the problem of a step ------------------------------------------------------------------- */

void ns_step_problem_select(ns_step_problem *o, const unsigned char *takes_part)
{
  for (int i = 0; i < o->n; i++) o->position[o->active[i]] = -1;
  o->n = o->na = 0;
  for (int a = 0; a < o->nunits; a++) {
    const ns_step_unit *u = &o->unit[a];
    for (int r = u->first; r < u->first + u->rows && !takes_part[a]; r++) o->z[r] = o->w[r] = 0;
    if (!takes_part[a]) continue;
    o->active_unit[o->na++] = a;
    for (int r = u->first; r < u->first + u->rows; r++) {
      o->position[r] = o->n;
      o->active[o->n++] = r;
    }
  }
}

/* W^-1 G of a row: each group stands there once, in its order. */
static void refresh_gain(ns_step_problem *o, int r)
{
  for (int e = o->G.ptr[r]; e < o->G.ptr[r + 1]; e++) o->scatter[o->G.dof[e]] += o->G.val[e];
  for (int e = o->gain.ptr[r]; e < o->gain.ptr[r + 1];) {
    int g = o->view.group[o->gain.dof[e]], n = o->view.groups->size[g];
    for (int i = 0; i < n; i++) o->gain.val[e + i] = o->scatter[o->gain.dof[e + i]];
    ns_theta_gain(o->theta, g, o->gain.val + e);
    e += n;
  }
  for (int e = o->G.ptr[r]; e < o->G.ptr[r + 1]; e++) o->scatter[o->G.dof[e]] = 0;
}

static void refresh_A(ns_step_problem *o, int r)
{
  ns_rows_add(&o->H, r, 1, o->scatter);
  for (int b = o->A.row[r]; b < o->A.row[r + 1]; b++) {
    int j = o->A.col[b];
    o->A.val[b] = o->position[j] < 0 ? 0 : ns_rows_dot(&o->gain, j, o->scatter);
  }
  for (int e = o->H.ptr[r]; e < o->H.ptr[r + 1]; e++) o->scatter[o->H.dof[e]] = 0;
  for (int e = o->D.ptr[r], b = o->A.row[r]; e < o->D.ptr[r + 1]; e++) {
    while (o->A.col[b] < o->D.dof[e]) b++;
    o->A.val[b] += o->D.val[e];
  }
}

/* Entry (r, r) of A, or the largest of its row where that is nothing. */
static double size_of_row(const ns_step_problem *o, int r)
{
  double own = 0, most = 0;
  for (int b = o->A.row[r]; b < o->A.row[r + 1]; b++) {
    double a = fabs(o->A.val[b]);
    if (o->A.col[b] == r) own = a;
    most = a > most ? a : most;
  }
  return own > 1e-8 * most ? own : most;
}

static void rescale(ns_step_problem *o)
{
  for (int i = 0; i < o->na; i++) {
    const ns_step_unit *u = &o->unit[o->active_unit[i]];
    double most = 0;
    for (int r = u->first; r < u->first + u->rows; r++) most = fmax(most, size_of_row(o, r));
    for (int r = u->first; r < u->first + u->rows; r++)
      o->scale[r] = most > 0 && isfinite(most) ? 1 / sqrt(most) : 1;
  }
}

static void gather_dense(ns_step_problem *o)
{
  int n = o->n;
  memset(o->full, 0, (size_t)n * (size_t)n * sizeof *o->full);
  for (int i = 0; i < n; i++) {
    int r = o->active[i];
    for (int b = o->A.row[r]; b < o->A.row[r + 1]; b++) {
      int j = o->position[o->A.col[b]];
      if (j >= 0) o->full[i + j * n] = o->scale[r] * o->A.val[b] * o->scale[o->A.col[b]];
    }
  }
}

static void gather_sparse(ns_step_problem *o)
{
  ns_blocks *S = &o->sub;
  int at = 0;
  S->nb = S->m = o->n;
  for (int i = 0; i < o->n; i++) {
    int r = o->active[i];
    S->row[i] = at;
    for (int b = o->A.row[r]; b < o->A.row[r + 1]; b++) {
      int j = o->position[o->A.col[b]];
      if (j < 0) continue;
      S->col[at] = j;
      S->val[at++] = o->scale[r] * o->A.val[b] * o->scale[o->A.col[b]];
    }
  }
  S->row[o->n] = at;
}

/* Columns of unit u among the active ones, ascending, behind those of the units before: in B->col
 * from `begin` on. */
static int list_columns(ns_step_problem *o, const ns_step_unit *u, int begin)
{
  int *col = o->sub.col, end = begin;
  for (int r = u->first; r < u->first + u->rows; r++)
    for (int b = o->A.row[r]; b < o->A.row[r + 1]; b++) {
      int v = o->place[o->unit_of[o->A.col[b]]], e = end;
      if (v < 0) continue;
      while (e > begin && col[e - 1] > v) e--;
      if (e > begin && col[e - 1] == v) continue;
      memmove(col + e + 1, col + e, (size_t)(end - e) * sizeof *col);
      col[e] = v;
      end++;
    }
  return end;
}

/* Values of unit u, whose blocks are begin ... of B. */
static void fill_blocks(ns_step_problem *o, const ns_step_unit *u, int begin)
{
  ns_blocks *B = &o->sub;
  for (int r = u->first; r < u->first + u->rows; r++)
    for (int b = o->A.row[r], e = begin; b < o->A.row[r + 1]; b++) { /* both ascend */
      int col = o->A.col[b], v = o->place[o->unit_of[col]];
      if (v < 0) continue;
      while (B->col[e] != v) e++;
      size_t at = (size_t)(r - u->first) +
                  (size_t)((col - o->unit[o->unit_of[col]].first) * u->rows);
      B->val[B->off[e] + at] = o->scale[r] * o->A.val[b] * o->scale[col];
    }
}

/* Blocks of the active units. */
static void gather_units(ns_step_problem *o)
{
  ns_blocks *B = &o->sub;
  int at = 0, first = 0;
  size_t off = 0;
  for (int a = 0; a < o->nunits; a++) o->place[a] = -1;
  for (int i = 0; i < o->na; i++) {
    o->place[o->active_unit[i]] = i;
    B->dim[i] = o->unit[o->active_unit[i]].rows;
    B->first[i] = first;
    first += B->dim[i];
  }
  for (int i = 0; i < o->na; i++) {
    const ns_step_unit *u = &o->unit[o->active_unit[i]];
    int begin = B->row[i] = at;
    at = list_columns(o, u, begin);
    for (int e = begin; e < at; e++) {
      B->off[e] = off;
      off += (size_t)(u->rows * B->dim[B->col[e]]);
    }
    memset(B->val + B->off[begin], 0, (off - B->off[begin]) * sizeof *B->val);
    fill_blocks(o, u, begin);
  }
  B->row[o->na] = at;
  B->first[o->na] = first;
  B->nb = o->na;
  B->m = first;
}

void ns_step_problem_assemble(ns_step_problem *o)
{
  for (int i = 0; i < o->n; i++) refresh_gain(o, o->active[i]);
  for (int i = 0; i < o->n; i++) refresh_A(o, o->active[i]);
  rescale(o);
  if (o->mechanical) gather_units(o);
  else if (o->dense) gather_dense(o);
  else gather_sparse(o);
  o->avi = (ns_avi){.n = o->n,
                    .dense = o->dense ? o->full : NULL,
                    .ld = o->n,
                    .blocks = o->dense ? NULL : &o->sub,
                    .q = o->q,
                    .lb = o->low,
                    .ub = o->high,
                    .stamp = ++o->gathered};
  o->mech = (ns_mechanical){.W = &o->sub,
                            .q = o->q,
                            .kind = o->kind,
                            .mu = o->active_mu,
                            .mu_rolling = o->active_rolling,
                            .lb = o->low,
                            .ub = o->high,
                            .stamp = o->gathered};
}

/* b and the laws in the units of the solvers. */
static void scale_laws(ns_step_problem *o)
{
  for (int i = 0; i < o->n; i++) {
    int r = o->active[i];
    double s = o->scale[r];
    o->q[i] = s * o->b[r];
    o->r[i] = o->z[r] / s;
    o->low[i] = o->lb[r] / s;
    o->high[i] = o->ub[r] / s;
  }
  for (int i = 0; i < o->na; i++) {
    o->kind[i] = o->unit[o->active_unit[i]].kind;
    o->active_mu[i] = o->mu[o->active_unit[i]];
    o->active_rolling[i] = o->mu_rolling[o->active_unit[i]];
  }
}

int ns_step_problem_solve(ns_step_problem *o, ns_ctx *c, const ns_state *x, const ns_watch *w,
                          ns_outcome *out)
{
  *out = (ns_outcome){.kind = NS_SOLVED, .solver = "none"};
  if (o->n == 0) return NS_OK;
  scale_laws(o);
  if (w) memcpy(o->guess, o->r, (size_t)o->n * sizeof *o->r);
  int rc = o->mechanical
               ? o->mech_ops->solve(o->solver, c, &o->mech, o->active_unit, o->r, o->u, out)
               : o->avi_ops->solve(o->solver, c, &o->avi, o->active, o->r, o->u, out);
  if (rc) return rc;
  ns_shown shown = {.box = o->mechanical ? NULL : &o->avi,
                    .mechanical = o->mechanical ? &o->mech : NULL,
                    .guess = o->guess};
  if (w) w->problem(w->to, *x->step, *x->t, &shown, out);
  for (int i = 0; i < o->n; i++) {
    int r = o->active[i];
    o->z[r] = o->r[i] * o->scale[r];
    o->w[r] = o->u[i] / o->scale[r];
  }
  return NS_OK;
}

void ns_step_problem_apply(const ns_step_problem *o, double *u)
{
  for (int i = 0; i < o->n; i++)
    if (o->z[o->active[i]] != 0) ns_rows_add(&o->gain, o->active[i], o->z[o->active[i]], u);
}
