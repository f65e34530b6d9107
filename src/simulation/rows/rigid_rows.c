/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/rigid_rows.h"

#include "algebra/pair.h"
#include "algebra/vector.h"
#include "model/laws/problem.h"
#include "model/relations/output.h"
#include "model/relations/rigid_relation.h"
#include "simulation/record/events.h"
#include "simulation/rows/bonds.h"
#include "simulation/rows/row_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 6 }; /* most rows of a block */

/* ---- creation -------------------------------------------------------------------------------- */

enum { BODIES = 2 + NS_MULTIBODY_FURTHER }; /* most of an interaction */
static int too_many_bodies(const ns_model *m, ns_ctx *c, const ns_interaction *it)
{
  const ns_system *last = &m->systems[it->systems[it->nsystems - 1]];
  return ns_fail_at(c, NS_MODEL, &it->at,
                    "acts on more than %d bodies (\"%s\" is one too many), expected %d at "
                    "most; split it into several interactions between fewer bodies",
                    (int)BODIES, last->at.id ? last->at.id : "?", (int)BODIES);
}

/* Different bodies of an interaction, in the order in which they are named, then -1; BODIES + 1:
 * too many. */
static int different(const ns_interaction *it, int *body)
{
  int n = 0;
  ns_fill_ints(BODIES, -1, body);
  for (int j = 0; j < it->nsystems; j++) {
    int k = 0;
    while (k < n && body[k] != it->systems[j]) k++;
    if (k < n) continue;
    if (n == BODIES) return BODIES + 1;
    body[n++] = it->systems[j];
  }
  return n;
}

/* Most bodies of an interaction beyond its second. */
static int count_further(const ns_model *m)
{
  int body[BODIES], max = 2;
  for (int i = 0; i < m->ninteractions; i++) {
    int n = different(&m->interactions[i], body);
    if (n > max && n <= BODIES) max = n;
  }
  return max - 2;
}

static int find_bodies(ns_rigid_rows *o, ns_ctx *c, int i)
{
  const ns_interaction *it = &o->m->interactions[i];
  int body[BODIES];
  if (different(it, body) > BODIES) return too_many_bodies(o->m, c, it);
  memcpy(o->body + 2 * i, body, 2 * sizeof *body);
  if (o->further) memcpy(o->body2 + o->further * i, body + 2, (size_t)o->further * sizeof *body);
  return NS_OK;
}

static void add_unit(ns_rigid_rows *o, int i, int first, int rows)
{
  const ns_interaction *it = &o->m->interactions[i];
  ns_rigid_unit *u = &o->unit[o->nunits++];
  *u = (ns_rigid_unit){.interaction = i,
                       .first = (int)it->row + first,
                       .rows = rows,
                       .kind = (unsigned char)ns_law_unit(it->law.ops),
                       .slip = ns_law_slip(it->law.ops, rows),
                       .equality = 1};
  for (int r = first; r < first + rows; r++) {
    u->equality = u->equality && ns_law_is_free(&it->law, r);
  }
}

static int no_rule(ns_ctx *c, const ns_interaction *it)
{
  return ns_fail_at(
      c, NS_MODEL, &it->at,
      "time-stepping of rigid bodies does not support %s, expected NewtonImpactNSL, "
      "NewtonImpactFrictionNSL, NewtonImpactRollingFrictionNSL, EqualityConditionNSL or RelayNSL",
      it->law.ops->name);
}

static int describe(ns_rigid_rows *o, ns_ctx *c, int i)
{
  const ns_interaction *it = &o->m->interactions[i];
  const ns_law_ops *law = it->law.ops;
  int rc = find_bodies(o, c, i);
  if (rc) return rc;
  if (law->march || ns_law_is_polyhedron(law)) return no_rule(c, it);
  int max = ns_law_has_cone(law) ? it->m : ns_law_is_box(law) ? BLOCK : 1;
  for (int r = 0; r < it->m; r += max) add_unit(o, i, r, it->m - r < max ? it->m - r : max);
  o->linear[i] = (unsigned char)ns_rigid_relation_is_linear(it);
  o->moving = o->moving || !o->linear[i];
  o->bends[i] = !o->linear[i] && ns_rows_gamma(&o->m->sim.mj) < 1;
  return NS_OK;
}

static size_t local_size(const ns_model *m)
{
  size_t max = 0;
  for (int i = 0; i < m->ninteractions; i++) {
    const ns_interaction *it = &m->interactions[i];
    size_t n = (size_t)(it->nQ + it->nV + it->nZ + it->m * it->nV) + ns_rigid_relation_work(it);
    max = n > max ? n : max;
  }
  return max;
}

static int get_memory(ns_rigid_rows *o)
{
  size_t n = o->m->nrows, ni = (size_t)o->m->ninteractions, d = sizeof(double);
  size_t further = (size_t)o->further;
  const ns_array want[] = {{&o->unit, n, sizeof *o->unit},
                           {&o->body, 2 * ni, sizeof *o->body},
                           {&o->H, 2 * n * (size_t)o->dof, d},
                           {&o->push, 2 * n * (size_t)o->dof, d},
                           {&o->bends, ni, 1},
                           {&o->y, n, d},
                           {&o->ydot, n, d},
                           {&o->shift, n, d},
                           {&o->aside, n, d},
                           {&o->restitution, n, d},
                           {&o->tension, n, d},
                           {&o->known, ni, sizeof *o->known},
                           {&o->linear, ni, 1},
                           {&o->takes, ni, 1},
                           {&o->active, n, sizeof *o->active},
                           {&o->local, local_size(o->m), d},
                           {&o->body2, further * ni, sizeof *o->body2},
                           {&o->H2, further * n * (size_t)o->dof, d},
                           {&o->push2, further * n * (size_t)o->dof, d}};
  enum { OF_FURTHER = 3 }; /* the last ones */
  size_t count = sizeof want / sizeof *want - (further ? 0 : OF_FURTHER);
  return ns_arena_arrays(o->mem, want, count);
}

int ns_rigid_rows_create(ns_ctx *c, const ns_model *m, ns_rigid_rows **out)
{
  ns_rigid_rows *o = *out = NS_ARENA_OBJECT(ns_rigid_rows, mem);
  if (!o) return ns_nomem(c, "interactions of rigid bodies");
  *o = (ns_rigid_rows){.m = m,
                       .dof = m->systems[0].n,
                       .nrows = (int)m->nrows,
                       .now = 1,
                       .further = count_further(m),
                       .mem = o->mem};
  int rc = get_memory(o) ? ns_nomem(c, "interactions of rigid bodies") : NS_OK;
  for (int i = 0; i < m->ninteractions && !rc; i++) rc = describe(o, c, i);
  if (!rc) ns_laws_restitution(m, o->restitution);
  if (rc) {
    ns_rigid_rows_destroy(o);
    *out = NULL;
  }
  return rc;
}

void ns_rigid_rows_destroy(ns_rigid_rows *o)
{
  if (o) ns_arena_destroy(o->mem);
}

/* ---- active units ---------------------------------------------------------------------------- */

static inline void take(ns_rigid_rows *o, int a)
{
  o->active[o->na++] = a;
  o->takes[o->unit[a].interaction] = 1;
  o->bending += o->bends[o->unit[a].interaction] || o->tension[o->unit[a].first] > 0;
}

static void none(ns_rigid_rows *o)
{
  for (int k = 0; k < o->na; k++) o->takes[o->unit[o->active[k]].interaction] = 0;
  o->na = o->bending = 0;
}

void ns_rigid_rows_activate(ns_rigid_rows *o, const ns_state *x, double h)
{
  none(o);
  if (o->m->nbonds) ns_bonds_pull(o->m, x, h, o->tension);
  for (int a = 0; a < o->nunits; a++) {
    const ns_rigid_unit *u = &o->unit[a];
    int closes = !ns_rigid_has_gap(u) ||
                 ns_rigid_closes(&o->m->sim.mj, h, x->y[u->first], x->ydot[u->first]);
    /* The gap of a lasting contact drifts by O(h^3) a step to either side: left out for one step it
     * would fall and be caught. The law lets it go. */
    int lasts = o->bends[u->interaction] && x->mode[u->first] == NS_MODE_LASTING;
    if (closes || lasts || o->tension[u->first] > 0) take(o, a);
  }
}

void ns_rigid_rows_select(ns_rigid_rows *o, const unsigned char *chosen)
{
  none(o);
  for (int a = 0; a < o->nunits; a++)
    if (!ns_rigid_has_gap(&o->unit[a]) || chosen[a] || o->tension[o->unit[a].first] > 0) take(o, a);
}

/* ---- rows at an iterate ---------------------------------------------------------------------- */

/* The relation at q, v: stacked arguments in o->local, or where they stand if it has one body. */
static ns_point place(const ns_rigid_rows *o, const ns_interaction *it, const ns_state *x, double t,
                      const double *q, const double *v)
{
  const ns_system *s = &o->m->systems[it->systems[0]];
  double *Q = o->local, *V = Q + it->nQ, *Z = V + it->nV;
  ns_point p = {.t = t,
                .n = it->nQ,
                .nz = it->nZ,
                .index = it->index,
                .m = it->m,
                .lambda = x->lambda + it->row,
                .angle = x->angle + it->angle};
  p.q = it->nsystems == 1 ? q + s->q : Q;
  p.v = it->nsystems == 1 ? v + s->v : V;
  p.z = it->nsystems == 1 ? x->z + s->z : Z;
  if (it->nsystems > 1) ns_interaction_gather(o->m, it, q, v, x->z, Q, V, Z);
  return p;
}

/* Which of the bodies of interaction i is system s. */
static int side_of(const ns_rigid_rows *o, int i, int s)
{
  if (s == o->body[2 * i]) return 0;
  if (!o->further || s == o->body[2 * i + 1]) return 1;
  int k = 0;
  while (o->body2[o->further * i + k] != s) k++;
  return 2 + k;
}

/* G [m x nV] by columns to the rows H of interaction i, and H2; a body that stands twice has its
 * parts added. */
static void store(const ns_rigid_rows *o, int i, const double *G, double *H, double *H2)
{
  const ns_interaction *it = &o->m->interactions[i];
  int dof = o->dof, m = it->m, met[BODIES] = {0};
  for (int j = 0; j < it->nsystems; j++, G += m * dof) {
    int side = side_of(o, i, it->systems[j]), again = met[side]++;
    int width = (side < 2 ? 2 : o->further) * dof;
    double *to = side < 2 ? H + dof * side : H2 + dof * (side - 2);
    for (int r = 0; r < m; r++, to += width)
      for (int k = 0; k < dof; k++) to[k] = again ? to[k] + G[r + m * k] : G[r + m * k];
  }
}

/* Rows of one interaction to H, H2 and, unless NULL, y and shift: by rows where its kind has them
 * so and no body stands twice. */
static int rows_of(const ns_rigid_rows *o, ns_ctx *c, const ns_state *x, int i, double t,
                   const double *q, const double *v, double *H, double *H2, double *y,
                   double *shift)
{
  const ns_interaction *it = &o->m->interactions[i];
  const int *body = o->body + 2 * i;
  int apart = it->nsystems == 1 + (body[1] >= 0);
  /* its shift is zero, as it has been from the begin */
  if (apart && it->relation->flags & NS_REL_JOINT) {
    ns_joint_eval(&it->joint, q + o->m->systems[body[0]].q,
                  body[1] < 0 ? NULL : q + o->m->systems[body[1]].q, y, H);
    return NS_OK;
  }
  ns_point p = place(o, it, x, t, q, v);
  double *G = o->local + it->nQ + it->nV + it->nZ, *work = G + it->m * it->nV;
  if (apart && it->relation->flags & NS_REL_POINT)
    return ns_contact_point_rows(it, c, &p, work, y, H, shift);
  int rc = ns_rigid_relation_rows(it, c, &p, work, y, H ? G : NULL, shift);
  if (H && !rc) store(o, i, G, H, H2);
  return rc;
}

static int eval(ns_rigid_rows *o, ns_ctx *c, const ns_state *x, int i, double t, const double *q,
                const double *v)
{
  size_t first = o->m->interactions[i].row;
  size_t at = (size_t)o->dof * first;
  double *H = o->linear[i] == 2 ? NULL : o->H + 2 * at,
         *H2 = o->further ? o->H2 + (size_t)o->further * at : NULL;
  int rc = rows_of(o, c, x, i, t, q, v, H, H2, o->y + first, o->shift + first);
  if (rc) return rc;
  if (o->linear[i]) o->linear[i] = 2;
  o->known[i] = o->now;
  return NS_OK;
}

int ns_rigid_rows_eval(ns_rigid_rows *o, ns_ctx *c, const ns_state *x, double t, const double *q,
                       const double *v, int all)
{
  int rc = NS_OK;
  for (int i = 0; i < o->m->ninteractions && !rc; i++)
    if ((all || o->takes[i]) && o->known[i] != o->now && o->m->interactions[i].m)
      rc = eval(o, c, x, i, t, q, v);
  return rc;
}

/* Half a turn, where rows of rotations change their sign, may lie between the two configurations:
 * the same sign in both. */
static void align(const ns_rigid_rows *o, const ns_interaction *it)
{
  int width = 2 * o->dof;
  if (!(it->relation->flags & NS_REL_JOINT)) return;
  for (int r = 0; r < it->m; r++) {
    size_t at = (size_t)width * (it->row + (size_t)r);
    double sign = ns_joint_row_sign(o->dof, width, 1, o->push + at, o->H + at);
    if (sign < 0) ns_scale((size_t)width, sign, o->push + at);
  }
}

int ns_rigid_rows_eval_push(ns_rigid_rows *o, ns_ctx *c, const ns_state *x, double t,
                            const double *q, const double *v)
{
  int rc = NS_OK;
  for (int i = 0; i < o->m->ninteractions && !rc && o->bending && o->pushed != o->now; i++) {
    const ns_interaction *it = &o->m->interactions[i];
    if (!o->bends[i] || !o->takes[i]) continue;
    size_t at = (size_t)o->dof * it->row;
    double *push2 = o->further ? o->push2 + (size_t)o->further * at : NULL;
    rc = rows_of(o, c, x, i, t, q, v, o->push + 2 * at, push2, o->aside, NULL);
    if (rc) break;
    align(o, it);
  }
  if (!rc) o->pushed = o->now;
  return rc;
}

const double *ns_rigid_rows_push(const ns_rigid_rows *o, int interaction, int r)
{
  const double *rows = o->bends[interaction] && o->takes[interaction] ? o->push : o->H;
  return rows + 2 * (size_t)o->dof * (size_t)r;
}

const double *ns_rigid_rows_push2(const ns_rigid_rows *o, int interaction, int r)
{
  const double *rows = o->bends[interaction] && o->takes[interaction] ? o->push2 : o->H2;
  return rows + (size_t)o->further * (size_t)o->dof * (size_t)r;
}

/* Of the first two bodies of each interaction, or of the further ones. */
static inline void bend_some(const ns_rigid_rows *o, const ns_rigid_problem *p, int further,
                             double *impulse)
{
  size_t dof = (size_t)o->dof;
  int n = further ? o->further : 2;
  const int *bodies = further ? p->body2 : p->body;
  const double *H = further ? p->H2 : p->H;
  for (int k = 0; k < o->na; k++) {
    const ns_rigid_unit *u = &o->unit[o->active[k]];
    const int *body = bodies + n * k;
    for (int i = 0; i < u->rows; i++) {
      double r = p->r[p->row[k] + i], c = o->tension[u->first + i];
      int row = u->first + i;
      const double *is = further ? ns_rigid_rows_push2(o, u->interaction, row)
                                 : ns_rigid_rows_push(o, u->interaction, row);
      const double *was = H + (size_t)n * dof * (size_t)(p->row[k] + i);
      for (int b = 0; b < n && body[b] >= 0; b++, is += dof, was += dof)
        for (size_t j = 0; j < dof; j++)
          impulse[(size_t)body[b] * dof + j] += (is[j] - was[j]) * r - is[j] * c;
    }
  }
}

void ns_rigid_rows_bend(const ns_rigid_rows *o, const ns_rigid_problem *p, double *impulse)
{
  bend_some(o, p, 0, impulse);
  if (o->further) bend_some(o, p, 1, impulse);
}

void ns_rigid_rows_settle(const ns_rigid_rows *o, ns_rigid_problem *p)
{
  for (int k = 0; k < o->na; k++) p->r[p->row[k]] -= o->tension[o->unit[o->active[k]].first];
}

void ns_rigid_rows_speeds(const ns_rigid_rows *o, const double *v)
{
  size_t dof = (size_t)o->dof;
  for (int i = 0; i < o->m->ninteractions; i++) {
    const ns_interaction *it = &o->m->interactions[i];
    const int *body = o->body + 2 * i;
    if (!it->m) continue; /* of other systems (model/part.h) */
    const double *v1 = v + (size_t)body[0] * dof,
                 *v2 = body[1] < 0 ? NULL : v + (size_t)body[1] * dof,
                 *h = o->H + 2 * dof * it->row;
    for (size_t r = it->row; r < it->row + (size_t)it->m; r++, h += 2 * dof) {
      o->ydot[r] = o->shift[r] + ns_dot_pairs((int)dof, h, v1) +
                   (v2 ? ns_dot_pairs((int)dof, h + dof, v2) : 0);
      size_t n = (size_t)o->further;
      if (n)
        o->ydot[r] += ns_rigid_row_speed(o->dof, o->further, o->body2 + o->further * i,
                                         o->H2 + n * dof * r, v);
    }
  }
}

void ns_rigid_rows_angles(const ns_rigid_rows *o, ns_state *x, const double *q)
{
  if (o->m->nangles) ns_joint_angles(o->m, q, o->local, x->angle);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

int ns_rigid_rows_pose(const ns_rigid_rows *o, ns_ctx *c, const ns_state *x, double h,
                       ns_rigid_problem *p)
{
  ns_rigid_problem_clear(p, 0);
  for (int k = 0; k < o->na; k++) {
    const ns_rigid_unit *u = &o->unit[o->active[k]];
    const ns_interaction *it = &o->m->interactions[u->interaction];
    const int *body = o->body + 2 * u->interaction;
    const int *body2 = o->further ? o->body2 + o->further * u->interaction : NULL;
    int at = ns_rigid_problem_add(p, ns_unit_block(&it->law, u->kind), u->rows, body, body2);
    if (at < 0) return ns_nomem(c, "the one-step problem of rigid bodies");
    if (u->kind == NS_UNIT_FRICTION) {
      p->mu[k] = ns_law_mu(&it->law);
      if (p->mu_rolling) p->mu_rolling[k] = ns_law_mu_rolling(&it->law);
    }
    for (int i = 0; i < u->rows; i++) {
      size_t r = (size_t)(u->first + i);
      p->r[at + i] = x->lambda[r];
      if (o->tension[r] > 0) p->r[at + i] += o->tension[r];
      if (u->kind == NS_UNIT_BOX)
        ns_law_bounds(&it->law, (int)(r - it->row), h, &p->lb[at + i], &p->ub[at + i]);
    }
  }
  return NS_OK;
}

void ns_rigid_rows_fill(const ns_rigid_rows *o, const ns_state *x, ns_rigid_problem *p)
{
  size_t width = 2 * (size_t)o->dof, more = (size_t)o->further * (size_t)o->dof;
  for (int k = 0; k < o->na; k++) {
    const ns_rigid_unit *u = &o->unit[o->active[k]];
    size_t r = (size_t)u->first, n = (size_t)u->rows, at = (size_t)p->row[k];
    memcpy(p->H + at * width, o->H + r * width, n * width * sizeof *p->H);
    if (more) memcpy(p->H2 + at * more, o->H2 + r * more, n * more * sizeof *p->H2);
    for (size_t i = 0; i < n; i++)
      p->b[at + i] = o->shift[r + i] + o->restitution[r + i] * x->ydot[r + i];
  }
}
