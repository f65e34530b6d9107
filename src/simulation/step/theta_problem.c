/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "algebra/vector.h"
#include "simulation/step/theta_parts.h"

#include "model/foreign.h"
#include "model/laws/problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- views ----------------------------------------------------------------------------------- */

/* How a relation that reads other systems follows their entries of u: where; values come later. */
static int get_terms(ns_theta_stepping *o, ns_th_reader *r)
{
  const ns_foreign *f = ns_operator_foreign(r->op);
  int entry[NS_THETA_MOVES];
  double by[NS_THETA_MOVES];
  r->term = ns_arena_zero(o->s.mem, NS_THETA_MOVES * (size_t)f->n + 1, sizeof *r->term);
  for (int j = 0; j < f->n && r->term; j++) {
    int n = ns_theta_moves(o->osi, &f->of[j], entry, by);
    for (int e = 0; e < n; e++)
      r->term[r->nterms++] = (ns_reader_term){.variable = j, .dof = entry[e]};
  }
  return r->term ? NS_OK : NS_NOMEM;
}

static int find_readers(ns_theta_stepping *o)
{
  size_t work = 1;
  o->read = ns_arena_zero(o->s.mem, (size_t)o->s.m->ninteractions + 1, sizeof *o->read);
  for (int i = 0; i < o->s.m->ninteractions && o->read; i++) {
    const ns_interaction *it = &o->relations.interactions[i];
    const ns_operator *e = ns_operator_foreign(&it->fo.h) ? &it->fo.h : &it->fo.e;
    const ns_foreign *f = ns_operator_foreign(e);
    if (!it->m || !f) continue;
    ns_th_reader *r = &o->read[o->nread++];
    *r = (ns_th_reader){.interaction = i,
                        .linear = e == &it->fo.e,
                        .row = o->nL + (int)it->row,
                        .m = it->m,
                        .op = e};
    r->J = ns_arena_zero(o->s.mem, (size_t)it->m * (size_t)f->n + 1, sizeof *r->J);
    if (!r->J || get_terms(o, r)) return NS_NOMEM;
    if (ns_operator_work(e) > work) work = ns_operator_work(e);
  }
  o->work = ns_arena_zero(o->s.mem, work, sizeof *o->work);
  return o->read && o->work ? NS_OK : NS_NOMEM;
}

int ns_th_views(ns_theta_stepping *o, ns_ctx *c)
{
  const ns_model *m = o->s.m;
  o->mechanics = o->relations = *m;
  if (o->alone) { /* all of them are relations, where they stand */
    o->mechanics.ninteractions = 0;
    o->mechanics.nrows = 0;
    o->nF = (int)m->nrows;
    return NS_OK;
  }
  int rc = ns_part_interactions(m, o->s.mem, NS_FAMILY_LAGRANGIAN, NULL, &o->mechanics);
  if (!rc) rc = ns_part_interactions(m, o->s.mem, NS_FAMILY_FIRST_ORDER, NULL, &o->relations);
  o->nL = (int)o->mechanics.nrows;
  o->nF = (int)o->relations.nrows;
  o->nR = (int)m->nrows - o->nL - o->nF;
  return rc ? ns_nomem(c, "time-stepping") : NS_OK;
}

/* ---- structure of the problem ---------------------------------------------------------------- */

static const ns_th_reader *reader_of(const ns_theta_stepping *o, int row)
{
  for (int i = 0; i < o->nread; i++)
    if (row >= o->read[i].row && row < o->read[i].row + o->read[i].m) return &o->read[i];
  return NULL;
}

static void copy_row(const ns_rows *from, int r, ns_rows *to, int row)
{
  int n = from->ptr[r + 1] - from->ptr[r], at = to->ptr[row];
  memcpy(to->dof + at, from->dof + from->ptr[r], (size_t)n * sizeof *to->dof);
  to->ptr[row + 1] = at + n;
}

static void laws_of_mechanics(ns_theta_stepping *o)
{
  ns_step_problem *p = &o->p;
  memcpy(p->mu, o->k->mu, (size_t)o->k->nunits * sizeof *p->mu);
  memcpy(p->mu_rolling, o->k->mu_rolling, (size_t)o->k->nunits * sizeof *p->mu_rolling);
  memcpy(p->lb, o->k->lb, (size_t)o->nL * sizeof *p->lb);
  memcpy(p->ub, o->k->ub, (size_t)o->nL * sizeof *p->ub);
}

static void laws_of_relations(ns_theta_stepping *o)
{
  double *lb = o->p.lb + o->nL, *ub = o->p.ub + o->nL;
  ns_laws_bounds(&o->relations, 1, lb, ub);
  for (int e = 0; e < o->nF && o->unit != 1; e++) {
    lb[e] *= o->unit;
    ub[e] *= o->unit;
  }
}

static void rows_of_mechanics(ns_theta_stepping *o)
{
  ns_step_problem *p = &o->p;
  for (int r = 0; r < o->nL; r++) {
    const ns_interaction *it = &o->mechanics.interactions[o->k->interaction[r]];
    copy_row(&o->k->H, r, &p->H, r);
    copy_row(&o->k->H, r, &p->G, r);
    int m = o->k->unit[o->k->unit_of[r]].kind == NS_UNIT_COMPLIANT ? it->m : 0;
    for (int j = 0; j < m; j++) p->D.dof[p->D.ptr[r] + j] = (int)it->row + j;
    p->D.ptr[r + 1] = p->D.ptr[r] + m;
  }
  memcpy(p->unit, o->k->unit, (size_t)o->k->nunits * sizeof *p->unit);
  laws_of_mechanics(o);
}

static void rows_of_relations(ns_theta_stepping *o)
{
  ns_step_problem *p = &o->p;
  for (int e = 0; e < o->nF; e++) {
    int r = o->nL + e;
    const ns_th_reader *read = reader_of(o, r);
    copy_row(&o->f->C, e, &p->H, r);
    copy_row(&o->f->B, e, &p->G, r);
    copy_row(&o->f->D, e, &p->D, r);
    for (int j = p->D.ptr[r]; j < p->D.ptr[r + 1]; j++) p->D.dof[j] += o->nL;
    o->C_end[e] = p->H.ptr[r + 1];
    for (int j = 0; read && j < read->nterms; j++) p->H.dof[p->H.ptr[r + 1]++] = read->term[j].dof;
    p->unit[o->k->nunits + e] = (ns_unit){.first = r, .rows = 1, .block = NS_BLOCK_BOX};
  }
  laws_of_relations(o);
}

static size_t entries(const ns_rows *R, int n) { return n ? (size_t)R->ptr[n] : 0; }

/* Velocities of a body in u. */
static int put_body(const ns_theta_stepping *o, int body, int dof, int *to)
{
  for (int j = 0; j < dof && body >= 0; j++) to[j] = (int)o->part.part_v + body * dof + j;
  return body < 0 ? 0 : dof;
}

/* A row between two bodies, and further ones where body2 is not NULL. */
static void body_row(const ns_theta_stepping *o, ns_rows *R, int row, const int *body,
                     const int *body2)
{
  int dof = o->bodies->rows->dof, n = o->bodies->rows->further, at = R->ptr[row];
  for (int k = 0; k < 2; k++) at += put_body(o, body[k], dof, R->dof + at);
  for (int k = 0; k < n && body2; k++) at += put_body(o, body2[k], dof, R->dof + at);
  R->ptr[row + 1] = at;
}

static void rows_of_bodies(ns_theta_stepping *o)
{
  ns_step_problem *p = &o->p;
  const ns_rigid_rows *R = o->bodies->rows;
  int first = o->nL + o->nF, unit = o->k->nunits + o->nF;
  for (int a = 0; a < R->nunits; a++) {
    const ns_rigid_unit *u = &R->unit[a];
    const int *body2 = R->further ? R->body2 + R->further * u->interaction : NULL;
    for (int r = first + u->first; r < first + u->first + u->rows; r++) {
      body_row(o, &p->H, r, R->body + 2 * u->interaction, body2);
      body_row(o, &p->G, r, R->body + 2 * u->interaction, body2);
      p->D.ptr[r + 1] = p->D.ptr[r];
    }
    const ns_interaction *it = &o->part.interactions[u->interaction];
    p->unit[unit + a] = (ns_unit){
        .first = first + u->first, .rows = u->rows, .block = ns_unit_block(&it->law, u->kind)};
    ns_fill((size_t)u->rows, INFINITY, p->ub + first + u->first);
    for (int r = u->first; r < u->first + u->rows && u->kind == NS_UNIT_BOX; r++)
      ns_law_bounds(&it->law, r - (int)it->row, o->s.h, &p->lb[first + r], &p->ub[first + r]);
  }
}

static void rows_of_slots(ns_theta_stepping *o)
{
  ns_step_problem *p = &o->p;
  int row = o->nL + o->nF + o->nR, unit = o->k->nunits + o->nF + o->bodies->rows->nunits;
  ns_fill_ints((size_t)o->part.nsystems, -1, o->slot_of);
  for (int i = 0; i < o->nslots; i++) {
    ns_th_slot *s = &o->slot[i];
    s->first = row;
    for (int r = row; r < row + s->rows; r++) {
      body_row(o, &p->H, r, s->body, NULL);
      body_row(o, &p->G, r, s->body, NULL);
      p->D.ptr[r + 1] = p->D.ptr[r];
      if (o->bodies->problem.compliant) p->D.dof[p->D.ptr[r + 1]++] = r;
      p->ub[r] = INFINITY;
    }
    p->unit[unit + i] = (ns_unit){.first = row, .rows = s->rows, .block = (unsigned char)s->kind};
    row += s->rows;
    s->next = o->slot_of[s->body[0]];
    o->slot_of[s->body[0]] = i;
  }
}

/* Entries of H of rows of bodies. */
static size_t body_entries(const ns_theta_stepping *o)
{
  if (!o->bodies) return 0;
  const ns_rigid_rows *R = o->bodies->rows;
  size_t width = 2 * (size_t)R->dof,
         n = (width + (size_t)R->further * (size_t)R->dof) * (size_t)o->nR;
  for (int i = 0; i < o->nslots; i++) n += width * (size_t)o->slot[i].rows;
  return n;
}

static int make_structure(ns_theta_stepping *o, ns_ctx *c)
{
  size_t H = entries(&o->k->H, o->nL), D = 0, foreign = 0, bodies = body_entries(o);
  int rows = o->nL + o->nF + o->nR;
  int units = o->k->nunits + o->nF + (o->bodies ? o->bodies->rows->nunits : 0) + o->nslots;
  for (int i = 0; i < o->nslots; i++) rows += o->slot[i].rows;
  if (o->bodies && o->bodies->problem.compliant) D += (size_t)(rows - o->nL - o->nF - o->nR);
  for (int i = 0; i < o->s.m->ninteractions; i++)
    D += (size_t)(o->s.m->interactions[i].m * o->s.m->interactions[i].m);
  for (int i = 0; i < o->nread; i++) foreign += (size_t)(o->read[i].m * o->read[i].nterms);
  int rc = ns_step_problem_init(&o->p, c, o->s.m, o->osi, rows, units,
                                H + entries(&o->f->C, o->nF) + foreign + bodies,
                                H + entries(&o->f->B, o->nF) + bodies, D);
  if (rc) return rc;
  o->stale = 1;
  o->p.whole = o->whole;
  rows_of_mechanics(o);
  rows_of_relations(o);
  if (o->bodies) rows_of_bodies(o);
  if (o->bodies) rows_of_slots(o);
  rc = ns_step_problem_create(&o->p, c);
  if (!rc && !o->whole) o->k->scale = o->p.scale;
  return rc;
}

/* Flags of units; rows of blocks. */
static int get_capacity(ns_theta_stepping *o, ns_ctx *c)
{
  int units = o->p.nunits, blocks = o->bodies ? o->bodies->problem.p.nblocks : 0;
  if (units >= o->units) {
    void *p = realloc(o->takes_part, (size_t)(o->units = units + units / 4 + 16));
    if (!p) return ns_nomem(c, "time-stepping");
    o->takes_part = p;
  }
  if (blocks >= o->blocks) {
    o->blocks = blocks + blocks / 4 + 16;
    void *p = realloc(o->block_row, (size_t)o->blocks * sizeof *o->block_row);
    if (!p) return ns_nomem(c, "time-stepping");
    o->block_row = p;
  }
  return NS_OK;
}

int ns_th_make_problem(ns_theta_stepping *o, ns_ctx *c)
{
  if (o->alone) {
    int saddle = ns_step_problem_suits_saddle(o->s.m);
    int rc = ns_step_problem_relations(&o->p, c, o->f, o->osi, saddle);
    return rc ? rc : ns_active_rows_create(c, o->s.m, o->f, &o->p, &o->active);
  }
  if (!o->read && find_readers(o)) return ns_nomem(c, "time-stepping");
  ns_step_problem_fini(&o->p);
  int rc = make_structure(o, c);
  return rc ? rc : get_capacity(o, c);
}

void ns_th_take_laws(ns_theta_stepping *o)
{
  if (!o->alone) laws_of_mechanics(o);
  laws_of_relations(o);
  if (o->whole) ns_row_problem_gather(&o->p.p, NULL);
}

/* ---- slots ----------------------------------------------------------------------------------- */

static int add_slot(ns_theta_stepping *o, ns_ctx *c, const ns_th_slot *s)
{
  if (o->nslots == o->slots) {
    int capacity = o->slots + o->slots / 2 + 16;
    void *p = realloc(o->slot, (size_t)capacity * sizeof *o->slot);
    if (!p) return ns_nomem(c, "contacts between shapes");
    o->slot = p;
    o->slots = capacity;
  }
  o->slot[o->nslots++] = *s;
  return NS_OK;
}

/* A free slot for block k of the bodies' problem; -1: none. */
static int free_slot(const ns_theta_stepping *o, int k)
{
  const ns_rigid_problem *P = &o->bodies->problem;
  int i = o->slot_of[P->body[2 * k]], rows = P->row[k + 1] - P->row[k];
  for (; i >= 0; i = o->slot[i].next) {
    const ns_th_slot *s = &o->slot[i];
    if (!s->taken && s->body[1] == P->body[2 * k + 1] && s->rows == rows && s->kind == P->kind[k])
      return i;
  }
  return -1;
}

/* Where the blocks of contacts stand; *lack: how many have no slot yet. */
static void take_slots(ns_theta_stepping *o, int *lack)
{
  const ns_rigid_problem *P = &o->bodies->problem;
  *lack = 0;
  for (int i = 0; i < o->nslots; i++) o->slot[i].taken = 0;
  for (int k = o->bodies->rows->na; k < P->p.nblocks; k++) {
    int i = free_slot(o, k);
    o->block_row[k] = i < 0 ? -1 : o->slot[i].first;
    if (i < 0) ++*lack;
    else o->slot[i].taken = 1;
  }
}

/* Slots for those that have none; where most are not taken, those go. */
static int more_slots(ns_theta_stepping *o, ns_ctx *c)
{
  const ns_rigid_problem *P = &o->bodies->problem;
  int kept = 0, taken = 0, rc = NS_OK;
  for (int i = 0; i < o->nslots; i++) taken += o->slot[i].taken;
  for (int i = 0; i < o->nslots && o->nslots > 4 * taken + 64; i++)
    if (o->slot[i].taken) o->slot[kept++] = o->slot[i];
  if (kept) o->nslots = kept;
  for (int k = o->bodies->rows->na; k < P->p.nblocks && !rc; k++) {
    if (o->block_row[k] >= 0) continue;
    rc = add_slot(o, c,
                  &(ns_th_slot){.body = {P->body[2 * k], P->body[2 * k + 1]},
                                .rows = P->row[k + 1] - P->row[k],
                                .kind = P->kind[k]});
  }
  return rc ? rc : ns_th_make_problem(o, c);
}

static int take_bodies(ns_theta_stepping *o, ns_ctx *c)
{
  const ns_rigid_rows *R = o->bodies->rows;
  int lack, unit = o->k->nunits + o->nF, rc = get_capacity(o, c);
  if (rc) return rc;
  take_slots(o, &lack);
  if (lack && (rc = more_slots(o, c))) return rc;
  if (lack) take_slots(o, &lack);
  memset(o->takes_part, 0, (size_t)o->p.nunits);
  for (int k = 0; k < R->na; k++) {
    o->takes_part[unit + R->active[k]] = 1;
    o->block_row[k] = o->nL + o->nF + R->unit[R->active[k]].first;
  }
  for (int i = 0; i < o->nslots; i++) o->takes_part[unit + R->nunits + i] = o->slot[i].taken != 0;
  return NS_OK;
}

int ns_th_select(ns_theta_stepping *o, ns_ctx *c)
{
  if (o->whole) return NS_OK;
  memset(o->takes_part, 0, (size_t)o->p.nunits);
  int rc = o->bodies ? take_bodies(o, c) : NS_OK;
  if (rc) return rc;
  for (int i = 0; i < o->k->na; i++) o->takes_part[o->k->active_unit[i]] = 1;
  for (int i = 0; i < o->k->n && o->k->plain; i++)
    o->takes_part[o->k->unit_of[o->k->active[i]]] = 1; /* which lists no units */
  memset(o->takes_part + o->k->nunits, 1, (size_t)o->nF);
  ns_step_problem_select(&o->p, o->takes_part);
  return NS_OK;
}

void ns_th_save_slots(const ns_theta_stepping *o, ns_blob *b)
{
  double n = o->nslots;
  ns_blob_put_reals(b, &n, 1);
  for (int i = 0; i < o->nslots; i++) {
    const ns_th_slot *s = &o->slot[i];
    const double own[] = {s->body[0], s->body[1], s->rows, s->kind};
    ns_blob_put_reals(b, own, 4);
  }
}

/* It fits bodies and laws. */
static int is_slot(const ns_theta_stepping *o, const double own[4])
{
  int ok = own[0] >= 0 && own[0] < o->part.nsystems && own[1] >= -1 && own[1] < o->part.nsystems;
  return ok && own[2] >= 1 && own[2] <= 5 && own[3] >= 0 && own[3] <= NS_BLOCK_ROLLING;
}

int ns_th_restore_slots(ns_theta_stepping *o, ns_ctx *c, ns_blob *b)
{
  double n = 0, own[4];
  int rc = NS_OK;
  ns_blob_get_reals(b, &n, 1);
  o->nslots = 0;
  for (double i = 0; i < n && !rc && !b->failed; i++) {
    ns_blob_get_reals(b, own, 4);
    if (b->failed || !is_slot(o, own)) return b->failed ? b->failed : NS_MODEL;
    rc = add_slot(o, c,
                  &(ns_th_slot){.body = {(int)own[0], (int)own[1]},
                                .rows = (int)own[2],
                                .kind = (int)own[3]});
  }
  return rc || n == 0 ? rc : ns_th_make_problem(o, c);
}

/* ---- values ---------------------------------------------------------------------------------- */

void ns_th_derive_readers(ns_theta_stepping *o, const ns_relation_point *p)
{
  int entry[NS_THETA_MOVES];
  double by[NS_THETA_MOVES];
  for (int i = 0; i < o->nread; i++) {
    const ns_th_reader *r = &o->read[i];
    ns_point at = ns_couplings_point(o->f, r->interaction, p);
    ns_operator_eval_foreign(r->op, &at, o->work, r->J);
    const ns_foreign *f = ns_operator_foreign(r->op);
    for (int j = 0, k = 0; j < f->n; j++) {
      int n = ns_theta_moves(o->osi, &f->of[j], entry, by);
      for (int e = 0; e < n; e++) r->term[k++].by = o->view.where * by[e];
    }
  }
}

static void values_of_mechanics(ns_theta_stepping *o)
{
  ns_step_problem *p = &o->p;
  const ns_contacts *k = o->k;
  for (int i = 0; i < k->n; i++) {
    int r = k->active[i], n = k->H.ptr[r + 1] - k->H.ptr[r];
    double *H = p->H.val + p->H.ptr[r], *G = p->G.val + p->G.ptr[r];
    const double *from = ns_contacts_push(k, r) + k->H.ptr[r];
    for (int e = 0; e < n; e++) {
      G[e] = from[e];
      H[e] = k->factor[r] * from[e];
    }
    p->b[r] = k->q[i];
    p->start[r] = o->s.x->ydot[r];
    p->z[r] = k->z[i];
    const ns_interaction *it = &o->mechanics.interactions[k->interaction[r]];
    const double *D = k->compliance + k->compliance_at[k->interaction[r]];
    for (int e = p->D.ptr[r], j = 0; e < p->D.ptr[r + 1]; e++, j++)
      p->D.val[e] = D[(r - (int)it->row) + j * it->m] / o->s.h;
  }
}

static void matrices_of_relations(ns_theta_stepping *o)
{
  ns_step_problem *p = &o->p;
  const ns_couplings *f = o->f;
  double scale = o->s.h / o->unit;
  for (int e = 0; e < o->nF; e++) {
    int r = o->nL + e;
    const ns_th_reader *read = reader_of(o, r);
    for (int j = 0; j < f->C.ptr[e + 1] - f->C.ptr[e]; j++)
      p->H.val[p->H.ptr[r] + j] = f->C.val[f->C.ptr[e] + j] *
                                  o->view.lever[f->C.dof[f->C.ptr[e] + j]];
    double *J = p->H.val + o->C_end[e];
    for (int j = 0; read && j < read->nterms; j++)
      J[j] = read->term[j].by * read->J[(r - read->row) + read->term[j].variable * read->m];
    for (int j = 0; j < f->B.ptr[e + 1] - f->B.ptr[e]; j++)
      p->G.val[p->G.ptr[r] + j] = scale * o->view.after[f->B.dof[f->B.ptr[e] + j]] *
                                  f->B.val[f->B.ptr[e] + j];
    for (int j = 0; j < f->D.ptr[e + 1] - f->D.ptr[e]; j++)
      p->D.val[p->D.ptr[r] + j] = f->D.val[f->D.ptr[e] + j] / o->unit;
  }
}

/* What readers add to b. */
static void add_readers(ns_theta_stepping *o)
{
  ns_step_problem *p = &o->p;
  for (int i = 0; i < o->nread; i++) {
    const ns_th_reader *read = &o->read[i];
    for (int r = read->row; r < read->row + read->m; r++)
      for (int j = o->C_end[r - o->nL]; j < p->H.ptr[r + 1]; j++)
        p->b[r] += p->H.val[j] * o->move[p->H.dof[j]];
  }
}

/* Blocks of bodies, whose rows are filled. */
static void values_of_bodies(ns_theta_stepping *o)
{
  ns_step_problem *p = &o->p;
  const ns_rigid_problem *P = &o->bodies->problem;
  size_t dof = (size_t)P->p.dof, width = 2 * dof;
  for (int k = 0; k < P->p.nblocks; k++) {
    int unit = p->unit_of[o->block_row[k]];
    p->mu[unit] = P->mu ? P->mu[k] : 0;
    p->mu_rolling[unit] = P->mu_rolling ? P->mu_rolling[k] : 0;
    for (int i = P->row[k]; i < P->row[k + 1]; i++) {
      int r = o->block_row[k] + i - P->row[k], n = p->H.ptr[r + 1] - p->H.ptr[r];
      int near = P->body[2 * k + 1] < 0 ? P->p.dof : (int)width;
      double *H = p->H.val + p->H.ptr[r];
      memcpy(H, P->H + width * (size_t)i, (size_t)near * sizeof *H);
      const double *more = P->further ? P->H2 + dof * (size_t)P->further * (size_t)i : NULL;
      if (n > near) memcpy(H + near, more, (size_t)(n - near) * sizeof *H);
      memcpy(p->G.val + p->G.ptr[r], H, (size_t)n * sizeof *H);
      p->b[r] = P->b[i] + ns_rows_dot(&p->H, r, o->free);
      p->start[r] = P->b[i] + ns_rows_dot(&p->H, r, o->s.x->v);
      p->z[r] = P->r[i];
      if (p->D.ptr[r] < p->D.ptr[r + 1]) p->D.val[p->D.ptr[r]] = P->D[i];
      if (P->kind[k] != NS_BLOCK_BOX && P->kind[k] != NS_BLOCK_BALL) continue;
      p->lb[r] = P->lb[i];
      p->ub[r] = P->ub[i];
    }
  }
}

/* Laws with memory bear a tension c: the law holds for z + c (bonds.h). */
static void pull(ns_theta_stepping *o)
{
  ns_step_problem *p = &o->p;
  for (int i = 0; i < o->k->n; i++) {
    int r = o->k->active[i];
    p->z[r] += o->k->tension[r];
    for (int b = p->delassus.A.row[r]; b < p->delassus.A.row[r + 1]; b++) {
      int j = p->delassus.A.col[b];
      if (j < o->nL && p->position[j] >= 0) p->b[r] -= p->delassus.A.val[b] * o->k->tension[j];
    }
  }
  for (int i = o->k->n; i < p->n; i++) {
    int r = p->active[i];
    for (int b = p->delassus.A.row[r]; b < p->delassus.A.row[r + 1] && p->delassus.A.col[b] < o->nL;
         b++)
      if (p->position[p->delassus.A.col[b]] >= 0)
        p->b[r] -= p->delassus.A.val[b] * o->k->tension[p->delassus.A.col[b]];
  }
}

void ns_th_move(ns_theta_stepping *o, const double *u)
{
  for (size_t i = 0; i < o->s.m->nv; i++) {
    o->move[i] = u[i] - o->u[i];
    o->moved[i] = o->view.lever[i] * o->move[i];
  }
}

/* Where relations are evaluated at u, after its move: bodies in space have no positions here. Where
 * that is before the end of the step, all systems are of first order. */
static const double *positions_at(ns_theta_stepping *o, const double *u)
{
  double a = o->view.where, *x = o->at_free;
  size_t n = o->s.m->nv;
  if (o->alone && a == 1) return u;
  for (size_t i = 0; i < n && a == 1; i++) x[i] = o->second[i] ? o->view.q[i] + o->moved[i] : u[i];
  for (size_t i = 0; i < n && a != 1; i++) x[i] = (1 - a) * o->s.x->q[i] + a * u[i];
  return x;
}

int ns_th_matrix(ns_theta_stepping *o, ns_ctx *c)
{
  int rc = o->active ? ns_couplings_need(o->f, c, o->p.n, o->p.active) : NS_OK;
  if (!rc) ns_step_problem_assemble(&o->p);
  o->stale = 0;
  return rc;
}

/* Rows of mechanics and of readers, and the guess. */
static void assemble_kinds(ns_theta_stepping *o)
{
  if (o->stale) matrices_of_relations(o);
  if (o->nL) values_of_mechanics(o);
  add_readers(o);
  for (int e = 0; e < o->nF; e++) o->p.z[o->nL + e] = o->unit * o->lambda[e];
  if (o->bodies) values_of_bodies(o);
}

int ns_th_assemble(ns_theta_stepping *o, ns_ctx *c)
{
  ns_step_problem *p = &o->p;
  if (p->head) { /* u is an unknown beside the multipliers */
    ns_step_problem_set_head(p, o->free, o->u);
    memset(o->free, 0, o->s.m->nv * sizeof *o->free);
  }
  if (o->follows) ns_th_move(o, o->free);
  if (o->nL) ns_contacts_assemble(o->k, o->s.x, o->free, NS_W_ITERATE);
  ns_couplings_q(o->f, positions_at(o, o->free), o->moved, o->lambda, p->b + o->nL);
  if (!o->alone) assemble_kinds(o);
  else if (o->lambda != p->z) memcpy(p->z, o->lambda, (size_t)o->nF * sizeof *p->z);
  int rc = o->stale && !o->active ? ns_th_matrix(o, c) : NS_OK;
  if (o->k->tension) pull(o);
  return rc;
}

static void solution_of_bodies(ns_theta_stepping *o)
{
  ns_rigid_problem *P = &o->bodies->problem;
  for (int k = 0; k < P->p.nblocks; k++) {
    size_t n = (size_t)(P->row[k + 1] - P->row[k]) * sizeof *P->r;
    memcpy(P->r + P->row[k], o->p.z + o->block_row[k], n);
    memcpy(P->u + P->row[k], o->p.w + o->block_row[k], n);
  }
  ns_rigid_impulse(o->bodies);
}

void ns_th_take_solution(ns_theta_stepping *o)
{
  ns_step_problem *p = &o->p;
  for (int i = 0; i < o->k->n && o->k->tension; i++)
    p->z[o->k->active[i]] -= o->k->tension[o->k->active[i]];
  for (int i = 0; i < o->k->n; i++) {
    o->k->z[i] = p->z[o->k->active[i]];
    o->k->w[i] = p->w[o->k->active[i]];
  }
  for (int e = 0; e < o->nF; e++) o->lambda[e] = p->z[o->nL + e] / o->unit;
  if (o->bodies) solution_of_bodies(o);
}
