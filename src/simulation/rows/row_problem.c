/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/row_problem.h"

#include "algebra/dense.h"
#include "algebra/vector.h"
#include "model/laws/problem.h"
#include "simulation/rows/rows.h"
#include "simulation/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Up to so many rows a dense problem is smaller and faster than a sparse one, and needs no library.
 */
enum { DENSE_ROWS = NS_DENSE_SMALL };

/* ---- solvers --------------------------------------------------------------------------------- */

ns_lcp_options ns_row_problem_options(const ns_model *m)
{
  const ns_problem_options *p = &m->sim.osnsp;
  ns_lcp_options opt = ns_lcp_defaults();
  opt.tol = p->tol;
  opt.max_iterations = p->max_iterations;
  opt.omega = p->omega;
  opt.plugged = p->plugged;
  return opt;
}

static int unknown_solver(ns_ctx *c, const ns_model *m, const char *name)
{
  return ns_fail_at(c, NS_MODEL, &m->sim.at,
                    "solver is \"%s\", which does not support %s, expected one of those that "
                    "`nssim list solvers` lists for it",
                    name, ns_model_problem(m));
}

int ns_row_solver_create(ns_ctx *c, const ns_model *m, const char *name, const ns_box_capacity *cap,
                         ns_row_solver *s)
{
  ns_lcp_options opt = ns_row_problem_options(m);
  s->box = cap->lb ? ns_avi_solver_find(name) : ns_lcp_solver_find(name);
  return s->box ? s->box->create(c, cap, &opt, &s->self) : unknown_solver(c, m, name);
}

static int get_mechanical(ns_row_problem *o, ns_ctx *c)
{
  const ns_problem_options *p = &o->m->sim.osnsp;
  ns_mechanical_options opt = ns_mechanical_defaults();
  opt.tol = p->tol;
  opt.max_iterations = p->max_iterations;
  opt.contact = ns_contact_solvers[p->contact];
  opt.threads = p->threads;
  opt.plugged = p->plugged;
  ns_mechanical_capacity cap = {
      .structure = &o->by_unit, .kind = o->kind, .symmetric = o->symmetric};
  o->solver.mechanical = ns_mechanical_solver_find(p->solver);
  if (!o->solver.mechanical) return unknown_solver(c, o->m, p->solver);
  return o->solver.mechanical->create(c, &cap, &opt, &o->solver.self);
}

void ns_row_solver_destroy(ns_row_solver *s)
{
  if (s->box) s->box->destroy(s->self);
  if (s->mechanical) s->mechanical->destroy(s->self);
  ns_polyhedral_destroy(s->poly);
}

const ns_memory *ns_row_solver_memory(const ns_row_solver *s)
{
  if (s->box) return s->box->memory;
  if (s->poly) return &ns_memory_none; /* it keeps nothing */
  return s->mechanical ? s->mechanical->memory : NULL;
}

const char *ns_row_solver_name(const ns_row_solver *s)
{
  if (s->box) return s->box->name;
  return s->mechanical ? s->mechanical->name : "none";
}

const char *ns_row_solver_help(const ns_row_solver *s)
{
  if (s->box) return s->box->help;
  return s->mechanical ? s->mechanical->help : "";
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* NS_MODEL: a dense problem of n rows has too many entries; the sentence ends with what to do. */
static int check_dense(ns_ctx *c, const ns_model *m, size_t n, const char *remedy)
{
  if (n * n <= NS_ROWS_PAIRS) return NS_OK;
  return ns_fail_at(c, NS_MODEL, &m->sim.at,
                    "a dense problem of %zu rows has more than %d entries, expected fewer; %s", n,
                    (int)NS_ROWS_PAIRS, remedy);
}

static int get_blocks(const ns_row_problem *o, size_t pairs, ns_blocks *B)
{
  size_t n = (size_t)o->nunits;
  *B = (ns_blocks){.nb = o->nunits, .m = o->nrows};
  const ns_array want[] = {{&B->dim, n, sizeof *B->dim},
                           {&B->first, n, sizeof *B->first},
                           {&B->row, n, sizeof *B->row},
                           {&B->col, pairs, sizeof *B->col},
                           {&B->off, pairs, sizeof *B->off}};
  return ns_arena_arrays(o->mem, want, sizeof want / sizeof *want);
}

/* Units that unit a meets, ascending in `met`, or NULL: none are listed; how many. mark [nunits]
 * has no a before. */
static int list_met(const ns_row_problem *o, int a, int *mark, int *met)
{
  const ns_unit *u = &o->unit[a];
  int n = 0;
  for (int b = o->A->row[u->first]; b < o->A->row[u->first + u->rows]; b++) {
    int v = o->unit_of[o->A->col[b]];
    if (mark[v] == a) continue;
    mark[v] = a;
    if (met) met[n] = v;
    n++;
  }
  if (met) qsort(met, (size_t)n, sizeof *met, ns_ascending);
  return n;
}

static void unmark(ns_row_problem *o) { ns_fill_ints((size_t)o->nunits, -1, o->place); }

/* Which units meet; how many entries their blocks have. */
static int find_blocks(ns_row_problem *o, size_t *entries)
{
  ns_blocks *B = &o->by_unit;
  size_t pairs = 0;
  *entries = 0;
  unmark(o);
  for (int a = 0; a < o->nunits; a++) pairs += (size_t)list_met(o, a, o->place, NULL);
  if (get_blocks(o, pairs, B) || get_blocks(o, pairs, &o->sub)) return NS_NOMEM;
  unmark(o);
  for (int a = 0; a < o->nunits; a++) {
    B->dim[a] = o->unit[a].rows;
    B->first[a] = o->unit[a].first;
    B->row[a + 1] = B->row[a] + list_met(o, a, o->place, B->col + B->row[a]);
    for (int e = B->row[a]; e < B->row[a + 1]; e++) {
      B->off[e] = *entries;
      *entries += (size_t)(o->unit[a].rows * o->unit[B->col[e]].rows);
    }
  }
  B->first[o->nunits] = o->nrows;
  unmark(o);
  return NS_OK;
}

/* Where in A the entries of the blocks of unit a are. */
static void find_entries(ns_row_problem *o, int a)
{
  const ns_unit *u = &o->unit[a];
  const ns_blocks *B = &o->by_unit;
  for (int i = 0; i < u->rows; i++) {
    int r = u->first + i, e = B->row[a];
    for (int b = o->A->row[r]; b < o->A->row[r + 1]; b++) { /* columns ascend in both */
      int col = o->A->col[b], v = o->unit_of[col];
      while (B->col[e] != v) e++;
      o->from[B->off[e] + (size_t)(i + (col - o->unit[v].first) * u->rows)] = b;
    }
  }
}

static int has_polyhedron(const ns_row_problem *o)
{
  for (int i = 0; i < o->m->ninteractions && o->polyhedra; i++)
    if (ns_law_is_polyhedron(o->m->interactions[i].law.ops)) return 1;
  return 0;
}

static int get_units(ns_row_problem *o)
{
  size_t entries, n = (size_t)o->nunits;
  const ns_array want[] = {{&o->place, n, sizeof *o->place},
                           {&o->kind, n, 1},
                           {&o->active_mu, n, sizeof(double)},
                           {&o->active_rolling, n, sizeof(double)},
                           {&o->own_unit, 3 * (size_t)o->nrows, sizeof(double)}};
  if (ns_arena_arrays(o->mem, want, sizeof want / sizeof *want)) return NS_NOMEM;
  o->own_q = o->own_unit + o->nrows;
  o->own_start = o->own_q + o->nrows;
  if (find_blocks(o, &entries)) return NS_NOMEM;
  o->sub.val = ns_arena_zero(o->mem, entries + 1, sizeof *o->sub.val);
  o->from = ns_arena_get(o->mem, entries + 1, sizeof *o->from);
  if (!o->sub.val || !o->from) return NS_NOMEM;
  ns_fill_ints(entries, -1, o->from);
  for (int a = 0; a < o->nunits; a++) {
    o->kind[a] = o->unit[a].block;
    find_entries(o, a);
  }
  return NS_OK;
}

static int is_dense(const ns_row_problem *o, size_t nnz)
{
  size_t n = (size_t)o->nrows;
  ns_storage want = o->m->sim.osnsp.storage;
  int compact = o->nrows <= DENSE_ROWS || (o->nrows <= o->full_rows && 4 * nnz > n * n);
  return o->full_rows >= 0 && (want == NS_STORAGE_DENSE || (want == NS_STORAGE_AUTO && compact));
}

static int get_boxes(ns_row_problem *o, ns_ctx *c)
{
  size_t n = (size_t)o->nrows, nnz = n ? (size_t)o->A->row[n] : 0;
  int poly = has_polyhedron(o);
  o->dense = poly || is_dense(o, nnz);
  if (!o->dense) return o->whole ? NS_OK : ns_blocks_scalar(o->mem, o->nrows, nnz, &o->sub);
  const char *remedy = poly ? "NormalConeNSL is for smaller models" : "remove storage=\"dense\"";
  int rc = check_dense(c, o->m, n, remedy);
  if (rc) return rc;
  o->full = ns_arena_zero(o->mem, n * n, sizeof *o->full);
  return o->full ? NS_OK : NS_NOMEM;
}

/* ---- polyhedra ------------------------------------------------------------------------------- */

/* Of K = { z : H z >= k }: finite bounds of rows, then faces of laws. Counts where H is NULL. */
static int fill_faces(const ns_row_problem *o, int p, double *H, double *k)
{
  int f = 0;
  for (int r = 0; r < o->nrows; r++)
    for (int upper = 0; upper < 2; upper++) {
      double bound = upper ? -o->ub[r] : o->lb[r];
      if (!isfinite(bound)) continue;
      if (H) H[f + r * p] = upper ? -1 : 1;
      if (H) k[f] = bound;
      f++;
    }
  for (int i = 0; i < o->m->ninteractions; i++) {
    const ns_interaction *it = &o->m->interactions[i];
    if (!ns_law_is_polyhedron(it->law.ops)) continue;
    for (int e = 0; e < it->law.np; e++, f++) {
      if (H) k[f] = it->law.k[e];
      for (int r = 0; H && r < it->m; r++)
        H[f + (o->head + (int)it->row + r) * p] = it->law.N[e + r * it->law.np];
    }
  }
  return f;
}

static int get_faces(ns_row_problem *o, ns_ctx *c)
{
  ns_lcp_options opt = ns_row_problem_options(o->m);
  size_t n = (size_t)o->nrows;
  int p = fill_faces(o, 0, NULL, NULL);
  double *H = ns_arena_zero(o->mem, (size_t)p * n, sizeof *H);
  double *k = ns_arena_zero(o->mem, (size_t)p, sizeof *k);
  o->face_mu = ns_arena_zero(o->mem, (size_t)p, sizeof *o->face_mu);
  if (!H || !k || !o->face_mu) return NS_NOMEM;
  fill_faces(o, p, H, k);
  o->faces = (ns_polyhedral){.n = o->nrows, .p = p, .M = o->full, .H = H, .k = k};
  return ns_polyhedral_create(c, o->nrows, p, &opt, &o->solver.poly);
}

/* ---- creation -------------------------------------------------------------------------------- */

int ns_row_problem_create(ns_row_problem *o, ns_ctx *c)
{
  size_t n = (size_t)o->nrows;
  for (int a = 0; a < o->nunits; a++) o->mechanical |= o->unit[a].block != NS_BLOCK_BOX;
  int rc = o->mechanical ? get_units(o) : get_boxes(o, c);
  if (rc) return rc;
  if (has_polyhedron(o)) return get_faces(o, c);
  if (!o->whole) {
    o->low = ns_arena_zero(o->mem, n + 1, sizeof *o->low);
    o->high = ns_arena_zero(o->mem, n + 1, sizeof *o->high);
    if (!o->low || !o->high) return NS_NOMEM;
  }
  if (o->mechanical) return get_mechanical(o, c);
  ns_box_capacity cap = {.n = o->nrows,
                         .nnz = o->nrows ? (size_t)o->A->row[o->nrows] : 0,
                         .structure = o->dense ? NULL : o->A,
                         .lb = o->lcp ? NULL : o->lb,
                         .ub = o->lcp ? NULL : o->ub,
                         .varies = !o->lcp && o->m->values,
                         .symmetric = o->symmetric};
  if (o->dense) cap.nnz = n * n;
  const char *name = o->solver_name ? o->solver_name : o->m->sim.osnsp.solver;
  return ns_row_solver_create(c, o->m, name, &cap, &o->solver);
}

/* ---- the problem of a step ------------------------------------------------------------------- */

/* Entry b of A, of row r, as the solver sees it. */
static inline double entry(const ns_row_problem *o, int r, int b)
{
  double a = o->A->val[b];
  return o->scale ? o->scale[r] * a * o->scale[o->A->col[b]] : a;
}

static void gather_dense(ns_row_problem *o, const ns_part_taken *p)
{
  const ns_blocks *A = o->A;
  int n = p->n;
  memset(o->full, 0, (size_t)n * (size_t)n * sizeof *o->full);
  for (int i = 0; i < n; i++) {
    int r = p->row[i];
    for (int b = A->row[r]; b < A->row[r + 1]; b++) {
      int j = p->position[A->col[b]];
      if (j >= 0) o->full[i + j * n] = entry(o, r, b);
    }
  }
}

static void gather_sparse(ns_row_problem *o, const ns_part_taken *p)
{
  const ns_blocks *A = o->A;
  ns_blocks *S = &o->sub;
  int at = 0;
  S->nb = S->m = p->n;
  for (int i = 0; i < p->n; i++) {
    int r = p->row[i];
    S->row[i] = at;
    for (int b = A->row[r]; b < A->row[r + 1]; b++) {
      int j = p->position[A->col[b]];
      if (j < 0) continue;
      S->col[at] = j;
      S->val[at++] = entry(o, r, b);
    }
  }
  S->row[p->n] = at;
}

/* The block of units a and v, whose entries are at `from` in A, to val; their number. */
static size_t gather_block(const ns_row_problem *o, const ns_unit *a, const ns_unit *v,
                           const int *from, double *val)
{
  size_t k = 0;
  for (int c = 0; c < v->rows; c++)
    for (int r = 0; r < a->rows; r++, k++)
      val[k] = from[k] < 0 ? 0 : entry(o, a->first + r, from[k]);
  return k;
}

static void gather_units(ns_row_problem *o, const ns_part_taken *p)
{
  const ns_blocks *U = &o->by_unit;
  ns_blocks *S = &o->sub;
  int at = 0, first = 0;
  size_t off = 0;
  for (int i = 0; i < p->nunits; i++) {
    S->dim[i] = U->dim[p->unit[i]];
    S->first[i] = first;
    first += S->dim[i];
    o->place[p->unit[i]] = i;
  }
  for (int i = 0; i < p->nunits; i++) {
    int a = p->unit[i];
    S->row[i] = at;
    for (int e = U->row[a]; e < U->row[a + 1]; e++) {
      int v = U->col[e];
      if (o->place[v] < 0) continue;
      S->col[at] = o->place[v];
      S->off[at++] = off;
      off += gather_block(o, &o->unit[a], &o->unit[v], o->from + U->off[e], S->val + off);
    }
  }
  S->row[p->nunits] = at;
  S->first[p->nunits] = first;
  S->nb = p->nunits;
  S->m = first;
  for (int i = 0; i < p->nunits; i++) o->place[p->unit[i]] = -1;
}

/* s of the normal row of a unit over that of its moments. */
static double turn(const ns_row_problem *o, int a)
{
  const ns_unit *u = &o->unit[a];
  return o->scale[u->first] / o->scale[u->first + u->rows - 1];
}

static void gather_laws(ns_row_problem *o, const ns_part_taken *p)
{
  for (int i = 0; i < p->n && !o->lcp; i++) {
    double s = o->scale ? o->scale[p->row[i]] : 1;
    o->low[i] = o->lb[p->row[i]] / s;
    o->high[i] = o->ub[p->row[i]] / s;
  }
  for (int i = 0; i < p->nunits && o->mechanical; i++) {
    o->kind[i] = o->unit[p->unit[i]].block;
    o->active_mu[i] = o->mu[p->unit[i]];
    o->active_rolling[i] = o->mu_rolling[p->unit[i]];
    if (o->scale && o->kind[i] == NS_BLOCK_ROLLING) o->active_rolling[i] *= turn(o, p->unit[i]);
  }
}

/* W_rr of row r of block i. */
static double size_of_row(const ns_blocks *S, int i, int r)
{
  int e = S->row[i], k = r - S->first[i];
  while (S->col[e] != i) e++;
  return S->val[S->off[e] + (size_t)(k + k * S->dim[i])];
}

/* s of each row. 0: none is needed. */
static int find_units(const ns_blocks *S, const unsigned char *kind, double *s)
{
  int some = 0;
  for (int i = 0; i < S->nb; i++) {
    for (int r = S->first[i]; r < S->first[i + 1]; r++) s[r] = size_of_row(S, i, r);
    some |= ns_mechanical_units(kind[i], S->dim[i], s + S->first[i]);
  }
  if (!some) ns_fill((size_t)S->m, 1, s);
  return some;
}

int ns_row_units(ns_blocks *S, const unsigned char *kind, double *s, double *low, double *high,
                 double *mu_rolling)
{
  if (!find_units(S, kind, s)) return 0;
  for (int i = 0; i < S->nb; i++)
    for (int e = S->row[i]; e < S->row[i + 1]; e++) {
      const double *left = s + S->first[i], *right = s + S->first[S->col[e]];
      double *W = S->val + S->off[e];
      for (int c = 0; c < S->dim[S->col[e]]; c++)
        for (int r = 0; r < S->dim[i]; r++) *W++ *= left[r] * right[c];
    }
  for (int r = 0; r < S->m; r++) {
    low[r] /= s[r];
    high[r] /= s[r];
  }
  for (int i = 0; i < S->nb; i++)
    if (kind[i] == NS_BLOCK_ROLLING) mu_rolling[i] *= s[S->first[i]] / s[S->first[i + 1] - 1];
  return 1;
}

/* All rows, with their laws where they stand. */
static void gather_whole(ns_row_problem *o)
{
  const ns_blocks *A = o->A;
  int n = o->nrows;
  o->box = (ns_box){.n = n,
                    .dense = o->full,
                    .ld = n,
                    .blocks = o->dense ? NULL : A,
                    .lb = o->lb,
                    .ub = o->ub,
                    .apart = 1,
                    .stamp = ++o->gathered};
  for (int r = 0; r < n && o->dense; r++)
    for (int b = A->row[r]; b < A->row[r + 1]; b++) o->full[r + A->col[b] * n] = A->val[b];
}

void ns_row_problem_gather(ns_row_problem *o, const ns_part_taken *p)
{
  if (!p) {
    gather_whole(o);
    return;
  }
  int whole = !o->scale && p->n == o->nrows; /* A itself is the matrix */
  gather_laws(o, p);
  o->gathered++;
  if (o->mechanical) {
    gather_units(o, p);
    o->units = ns_row_units(&o->sub, o->kind, o->own_unit, o->low, o->high, o->active_rolling);
    o->mech = (ns_mechanical){.W = &o->sub,
                              .kind = o->kind,
                              .mu = o->active_mu,
                              .mu_rolling = o->active_rolling,
                              .lb = o->low,
                              .ub = o->high,
                              .stamp = o->gathered};
    if (ns_mechanical_is_granular(p->nunits, o->kind)) o->mech.tol = o->m->sim.osnsp.granular_tol;
    return;
  }
  if (o->dense) gather_dense(o, p);
  else if (!whole) gather_sparse(o, p);
  o->box = (ns_box){.n = p->n,
                    .dense = o->full,
                    .ld = p->n,
                    .lb = o->lcp ? NULL : o->low,
                    .ub = o->lcp ? NULL : o->high,
                    .stamp = o->gathered};
  if (!o->dense) o->box.blocks = whole ? o->A : &o->sub;
}

/* Velocities of the active rows at the beginning of the step, as q has them. */
static void gather_start(ns_row_problem *o, const ns_part_taken *p)
{
  o->mech.start = o->start ? o->own_start : NULL;
  for (int i = 0; i < p->n && o->start; i++) {
    double scale = o->scale ? o->scale[p->row[i]] : 1;
    o->own_start[i] = scale * o->start[p->row[i]] * (o->units ? o->own_unit[i] : 1);
  }
}

/* In the units of the blocks. */
static int solve_in_units(ns_row_problem *o, ns_ctx *c, const ns_part_taken *p, const double *q,
                          double *z, double *w, ns_outcome *out)
{
  const double *s = o->own_unit;
  for (int r = 0; r < o->sub.m; r++) {
    o->own_q[r] = s[r] * q[r];
    z[r] /= s[r];
  }
  o->mech.q = o->own_q;
  int rc = o->solver.mechanical->solve(o->solver.self, c, &o->mech, p->unit, z, w, out);
  for (int r = 0; r < o->sub.m; r++) {
    z[r] *= s[r];
    w[r] /= s[r];
  }
  return rc;
}

/* A residual that only more than the accepted one was asked for is accepted. */
static int solve_mechanical(ns_row_problem *o, ns_ctx *c, const ns_part_taken *p, const double *q,
                            double *z, double *w, ns_outcome *out)
{
  double own = o->mech.tol, accepted = own > 0 ? own : o->m->sim.osnsp.tol;
  if (o->tol > 0 && o->tol < accepted) o->mech.tol = o->tol;
  int rc = o->units ? solve_in_units(o, c, p, q, z, w, out)
                    : o->solver.mechanical->solve(o->solver.self, c, &o->mech, p->unit, z, w, out);
  o->mech.tol = own;
  int is_iterate = out->kind == NS_LIMIT || out->kind == NS_REFUTED;
  if (!rc && is_iterate && out->residual <= accepted) out->kind = NS_SOLVED;
  return rc;
}

/* The multipliers of faces are not in the state. */
static int solve_faces(ns_row_problem *o, ns_ctx *c, const double *q, double *z, double *w,
                       ns_outcome *out)
{
  o->faces.q = q;
  ns_polyhedral_guess(&o->faces, z, o->face_mu);
  return ns_polyhedral_solve(o->solver.poly, c, &o->faces, z, o->face_mu, w, out);
}

int ns_row_problem_solve(ns_row_problem *o, ns_ctx *c, const ns_part_taken *p, const double *q,
                         double *z, double *w, ns_outcome *out)
{
  o->box.q = o->mech.q = q;
  if (o->mechanical && p) gather_start(o, p);
  if (o->mechanical) return solve_mechanical(o, c, p, q, z, w, out);
  if (o->solver.poly) return solve_faces(o, c, q, z, w, out);
  return o->solver.box->solve(o->solver.self, c, &o->box, p ? p->row : NULL, z, w, out);
}

static double faces_violation(const ns_polyhedral *f, const double *mu, const double *z,
                              const double *w)
{
  double max = 0;
  int p = f->p;
  for (int r = 0; r < f->n; r++) {
    double s = w[r];
    for (int e = 0; e < p; e++) s -= f->H[e + r * p] * mu[e];
    max = fmax(max, fabs(s));
  }
  for (int e = 0; e < p; e++) {
    double g = -f->k[e];
    for (int r = 0; r < f->n; r++) g += f->H[e + r * p] * z[r];
    max = fmax(max, fabs(fmin(mu[e], g)));
  }
  return max;
}

double ns_row_problem_violation(const ns_row_problem *o, const double *z, const double *w)
{
  if (o->solver.poly) return faces_violation(&o->faces, o->face_mu, z, w);
  const double *lb = o->lb + o->head, *ub = o->ub + o->head;
  double max = 0;
  for (int r = 0, n = o->nrows - o->head; r < n; r++)
    ns_keep_max(&max, ns_law_distance(z[r], w[r], lb[r], ub[r]));
  return max;
}
