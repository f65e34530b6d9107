/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/couplings.h"

#include "model/foreign.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory of interactions ------------------------------------------------------------------ */

static void *get(ns_couplings *k, int n, size_t size)
{
  return ns_arena_zero(k->mem, (size_t)n, size);
}

static int own(ns_couplings *k, ns_coupling *a, unsigned present)
{
  const ns_interaction *it = a->it;
  int m = it->m, n = it->nQ, columns = n + a->nreads, ok = 1;
  size_t d = sizeof(double);
  if (present & NS_RELATION_C || a->nreads) ok = ok && (a->C = get(k, m * columns, d));
  if (present & NS_RELATION_D) ok = ok && (a->D = get(k, m * m, d));
  if (present & NS_RELATION_B) ok = ok && (a->B = get(k, n * m, d));
  if (present & NS_RELATION_K) ok = ok && (a->K = get(k, n * n, d));
  if (!a->linear)
    ok = ok && (a->h = get(k, m, d)) && (a->g = get(k, n, d)) && (a->R = get(k, n, d)) &&
         (a->R_from = get(k, n, d));
  if (it->nsystems > 1) ok = ok && (a->X = get(k, n, d)) && (a->Z = get(k, it->nZ, d));
  ok = ok && (a->dof = get(k, n, sizeof *a->dof));
  ok = ok && (a->state = get(k, columns, sizeof *a->state));
  return ok ? NS_OK : NS_NOMEM;
}

/* ---- what is read by name -------------------------------------------------------------------- */

static int add_read(ns_coupling *a, int variable, int dof, size_t rate)
{
  if (dof < 0) return 0;
  if (a->read)
    a->read[a->nreads] = (ns_coupling_read){.variable = variable, .dof = dof, .rate = rate};
  a->nreads++;
  return 1;
}

/* Variable j of what the relation reads, where states are behind it; counts where a->read is NULL.
 */
static void read_variable(const ns_couplings *k, ns_coupling *a, int j)
{
  const ns_foreign *f = ns_operator_foreign(a->reader);
  const ns_foreign_variable *x = &f->of[j];
  int systems[NS_FOREIGN_SYSTEMS];
  if (x->of == NS_OF_SYSTEM) {
    if (x->bank == NS_BANK_Q) add_read(a, j, k->m->state_of_q[f->at[j]], 0);
    if (x->bank == NS_BANK_V) add_read(a, j, k->m->state_of_v[f->at[j]], f->at[j]);
    return;
  }
  if (x->bank != NS_BANK_V) return;
  int n = ns_foreign_systems(f->m, x, systems);
  for (int i = 0; i < n; i++)
    for (int e = 0; e < f->m->systems[systems[i]].n; e++) {
      size_t rate = f->m->systems[systems[i]].v + (size_t)e;
      add_read(a, j, k->m->state_of_v[rate], rate);
    }
}

static int find_reads(ns_couplings *k, ns_coupling *a)
{
  const ns_interaction *it = a->it;
  for (int j = 0; j < it->nsystems; j++)
    a->images |= ns_system_image_of(&k->m->systems[it->systems[j]]) != NULL;
  if (ns_operator_foreign(&it->fo.h)) a->reader = &it->fo.h;
  else if (ns_operator_foreign(&it->fo.e)) a->reader = &it->fo.e;
  if (!a->reader || !k->m->state_of_q) return NS_OK;
  for (int pass = 0; pass < 2; pass++) {
    int n = a->nreads;
    if (pass && !n) return NS_OK;
    if (pass && !(a->read = get(k, n, sizeof *a->read))) return NS_NOMEM;
    a->nreads = 0;
    for (int j = 0; j < ns_operator_foreign(a->reader)->n; j++) read_variable(k, a, j);
  }
  size_t nv = k->m->nwhole_v;
  if (!k->one) k->one = get(k, (int)nv + 1, sizeof *k->one);
  return k->one ? NS_OK : NS_NOMEM;
}

static void stack_dofs(const ns_model *m, ns_coupling *a)
{
  for (int j = 0, at = 0; j < a->it->nsystems; j++) {
    const ns_system *s = &m->systems[a->it->systems[j]];
    for (int i = 0; i < s->n; i++, at++) {
      /* the same entry of positions, but of bodies in space, whose positions are read by name */
      a->dof[at] = (int)s->v + i;
      a->state[at] = ns_system_image_of(s) || s->nq > s->n ? -1 : a->dof[at];
    }
  }
  for (int j = 0; j < a->nreads; j++) a->state[a->it->nQ + j] = a->read[j].dof;
}

static int offset_varies(const ns_interaction *it)
{
  const ns_first_order_relation *f = &it->fo;
  return f->F.how != NS_OP_ABSENT || (f->e.how != NS_OP_ABSENT && f->e.how != NS_OP_CONSTANT);
}

/* Sizes of scratch that some interaction needs. */
typedef struct extent {
  size_t work, scratch;
} extent;

static int describe(ns_couplings *k, extent *x)
{
  int rc = NS_OK;
  k->linear = k->constant = 1;
  for (int i = 0; i < k->m->ninteractions && !rc; i++) {
    const ns_interaction *it = &k->m->interactions[i];
    ns_coupling *a = &k->of[i];
    unsigned present = ns_relation_present(it);
    size_t m = (size_t)it->m, n = (size_t)it->nQ, work = ns_relation_work(it);
    *a = (ns_coupling){.it = it, .linear = (it->relation->flags & NS_REL_LINEAR) != 0};
    a->varying = present & ~ns_relation_constant(it);
    rc = find_reads(k, a);
    if (a->nreads) a->varying |= NS_RELATION_C, present |= NS_RELATION_C;
    if (!rc) rc = own(k, a, present);
    if (rc) break;
    stack_dofs(k->m, a);
    a->rests_at_zero = !a->linear && ns_relation_rests_at_zero(it);
    for (int r = 0; r < it->m; r++) k->interaction[it->row + (size_t)r] = i;
    k->linear = k->linear && a->linear;
    k->constant = k->constant && !a->varying;
    a->offset_varies = a->linear && (offset_varies(it) || a->images);
    k->offset_varies = k->offset_varies || a->offset_varies;
    k->differenced += ns_relation_differenced(it) != 0;
    k->nK += a->K != NULL;
    if (work > x->work) x->work = work;
    size_t nz = (size_t)it->nZ, F = n + nz + m * nz, wide = n + (size_t)a->nreads,
           tangents = m * wide + m * m + n * m;
    if (a->reader && ns_operator_foreign(a->reader)) {
      size_t by_name = ns_operator_work(a->reader) + m * (size_t)ns_operator_foreign(a->reader)->n;
      if (by_name > x->work) x->work = by_name;
    }
    if (a->varying & NS_RELATION_K) tangents += n * n;
    if (tangents > x->scratch) x->scratch = tangents;
    if (F > x->scratch) x->scratch = F;
  }
  return rc;
}

static int get_memory(ns_couplings *k)
{
  extent x = {0, 1};
  size_t n = (size_t)k->nrows;
  const ns_array first[] = {{&k->of, (size_t)k->m->ninteractions, sizeof *k->of},
                            {&k->interaction, n, sizeof *k->interaction},
                            {&k->offset, n, sizeof *k->offset}};
  if (ns_arena_arrays(k->mem, first, sizeof first / sizeof *first) || describe(k, &x))
    return NS_NOMEM;
  const ns_array want[] = {{&k->work, x.work, sizeof *k->work},
                           {&k->scratch, x.scratch, sizeof *k->scratch},
                           {&k->K, (size_t)k->nK, sizeof *k->K}};
  if (ns_arena_arrays(k->mem, want, sizeof want / sizeof *want)) return NS_NOMEM;
  for (int i = 0, at = 0; i < k->m->ninteractions; i++)
    if (k->of[i].K) k->K[at++] = (ns_rate_tangent){.interaction = i, .K = k->of[i].K};
  return NS_OK;
}

/* ---- sparse rows ----------------------------------------------------------------------------- */

/* A tangent as rows: entry (r, j) of row r stands at r*dr + j*dj of the interaction's matrix. */
typedef struct layout {
  unsigned bit;
  int which; /* 0: C, 1: D, 2: B */
} layout;

static const layout of_C = {NS_RELATION_C, 0}, of_D = {NS_RELATION_D, 1}, of_B = {NS_RELATION_B, 2};

static const double *matrix(const ns_coupling *a, const layout *l)
{
  return l->which == 0 ? a->C : l->which == 1 ? a->D : a->B;
}

static int length(const ns_coupling *a, const layout *l)
{
  if (l->which == 0) return a->it->nQ + a->nreads;
  return l->which == 1 ? a->it->m : a->it->nQ;
}

/* Which entry of x, of lambda for D, column j stands for; -1: none. */
static int entry(const ns_coupling *a, const layout *l, int j)
{
  if (l->which == 0) return a->state[j];
  return l->which == 1 ? (int)a->it->row + j : a->dof[j];
}

static int at(const ns_coupling *a, const layout *l, int r, int j)
{
  return l->which == 2 ? j + r * a->it->nQ : r + j * a->it->m;
}

/* Entries of a row: all where the tangent varies, else those that are not zero. Counts where R is
 * NULL. */
static int fill_row(const ns_coupling *a, const layout *l, int r, ns_rows *R, int *place, int e)
{
  const double *M = matrix(a, l);
  for (int j = 0; M && j < length(a, l); j++) {
    int p = at(a, l, r, j);
    if (!(a->varying & l->bit) && M[p] == 0) continue;
    if (entry(a, l, j) < 0) continue;
    if (R) {
      R->dof[e] = entry(a, l, j);
      R->val[e] = M[p];
      place[e] = p;
    }
    e++;
  }
  return e;
}

static int build_rows(ns_couplings *k, const layout *l, ns_rows *R, int **place)
{
  size_t nnz = 0;
  for (int i = 0; i < k->m->ninteractions; i++)
    for (int r = 0; r < k->of[i].it->m; r++)
      nnz += (size_t)fill_row(&k->of[i], l, r, NULL, NULL, 0);
  *place = ns_arena_get(k->mem, nnz, sizeof **place);
  if (ns_rows_get(k->mem, k->nrows, nnz, R) || !*place) return NS_NOMEM;
  int e = 0;
  for (int i = 0; i < k->m->ninteractions; i++)
    for (int r = 0; r < k->of[i].it->m; r++) {
      e = fill_row(&k->of[i], l, r, R, *place, e);
      R->ptr[k->of[i].it->row + (size_t)r + 1] = e;
    }
  return NS_OK;
}

/* ---- creation -------------------------------------------------------------------------------- */

/* Tangents that are constant, once and for all; the others stay zero until they are asked for. */
static int constant_tangents(ns_couplings *k, ns_ctx *c)
{
  int rc = NS_OK, rows = 0;
  for (int i = 0; i < k->m->ninteractions; i++)
    rows = k->of[i].it->m > rows ? k->of[i].it->m : rows;
  double *lambda = calloc((size_t)rows + 1, sizeof *lambda);
  if (!lambda) return NS_NOMEM;
  for (int i = 0; i < k->m->ninteractions && !rc; i++) {
    ns_coupling *a = &k->of[i];
    const ns_interaction *it = a->it;
    double *X = k->scratch, *Z = X + it->nQ;
    for (int j = 0, q = 0, z = 0; j < it->nsystems; j++) {
      const ns_system *s = &k->m->systems[it->systems[j]];
      for (int b = 0; b < s->n; b++) X[q++] = s->q0[b];
      for (int b = 0; b < s->nz; b++) Z[z++] = s->z0[b];
    }
    ns_point p = {.t = k->m->sim.t0,
                  .n = it->nQ,
                  .q = X,
                  .nz = it->nZ,
                  .z = Z,
                  .index = it->index,
                  .m = it->m,
                  .lambda = lambda};
    unsigned v = a->varying;
    rc = ns_relation_tangents(it, c, &p, k->work, v & NS_RELATION_C ? NULL : a->C,
                              v & NS_RELATION_D ? NULL : a->D, v & NS_RELATION_B ? NULL : a->B,
                              v & NS_RELATION_K ? NULL : a->K);
  }
  free(lambda);
  return rc;
}

int ns_couplings_create(ns_ctx *c, const ns_model *m, ns_couplings **out)
{
  ns_couplings *k = *out = NS_ARENA_OBJECT(ns_couplings, mem);
  if (!k) return ns_nomem(c, "couplings");
  *k = (ns_couplings){.mem = k->mem, .m = m, .nrows = (int)m->nrows};
  int rc = get_memory(k);
  if (!rc) rc = constant_tangents(k, c);
  if (!rc) rc = build_rows(k, &of_C, &k->C, &k->C_at);
  if (!rc) rc = build_rows(k, &of_D, &k->D, &k->D_at);
  if (!rc) rc = build_rows(k, &of_B, &k->B, &k->B_at);
  if (rc == NS_NOMEM && c->rc != NS_NOMEM)
    ns_nomem(c, "couplings: the relations of all interactions");
  if (rc) {
    ns_couplings_destroy(k);
    *out = NULL;
  }
  return rc;
}

void ns_couplings_destroy(ns_couplings *k)
{
  if (k) ns_arena_destroy(k->mem);
}

size_t ns_couplings_bytes(const ns_couplings *k) { return ns_arena_used(k->mem) + sizeof *k; }
