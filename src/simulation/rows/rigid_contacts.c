/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rows/rigid_contacts_parts.h"

#include "algebra/vector.h"
#include "base/grow.h"
#include "model/law_values.h"
#include "model/relations/shape_gaps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- creation -------------------------------------------------------------------------------- */

static void reaches(ns_rigid_contacts *o)
{
  o->min = INFINITY;
  for (int i = 0; i < o->m->contact.nshapes; i++) {
    const ns_body_shape *s = &o->m->contact.shape[i];
    int round = s->shape->kind != NS_SHAPE_CYLINDER && s->shape->kind != NS_SHAPE_CONE;
    o->skin[i] = round ? s->shape->radius : 0;
    if (s->shape->reach < o->min) o->min = s->shape->reach;
    double reach = ns_norm3(s->at) + s->shape->reach;
    if (s->system >= 0 && reach > o->reach[s->system]) o->reach[s->system] = reach;
  }
}

/* Bodies of one joint, which asks for no contact between them. */
static int keep_jointed_apart(ns_rigid_contacts *o, ns_ctx *c)
{
  int n = 0, (*pair)[2] = calloc((size_t)o->m->ninteractions + 1, sizeof *pair);
  if (!pair) return ns_nomem(c, "shapes");
  for (int i = 0; i < o->m->ninteractions; i++)
    n += ns_interaction_keeps_apart(&o->m->interactions[i], pair[n]);
  int rc = ns_scene_keep_apart(o->scene, c, n, (const int(*)[2])pair);
  free(pair);
  return rc;
}

static int make_scene(ns_rigid_contacts *o, ns_ctx *c)
{
  const ns_contact_model *k = &o->m->contact;
  ns_collider *list = calloc((size_t)k->nshapes, sizeof *list);
  if (!list) return ns_nomem(c, "shapes");
  for (int i = 0; i < k->nshapes; i++) {
    const ns_body_shape *s = &k->shape[i];
    list[i] = (ns_collider){
        .body = s->system, .shape = s->shape, .layers = s->layers, .with = s->with};
    memcpy(list[i].at, s->at, sizeof s->at);
    memcpy(list[i].turn, s->turn, sizeof s->turn);
  }
  int rc = (o->planar ? ns_scene_create_planar : ns_scene_create)(c, k->nshapes, list, &o->scene);
  free(list);
  return rc ? rc : keep_jointed_apart(o, c);
}

static void resolve(const ns_rigid_contacts *o, const ns_nonsmooth_law *l, shape_law *to)
{
  double theta = o->m->sim.mj.theta;
  *to = (shape_law){.rows = ns_law_shape_rows(l, o->m->law_formulas, o->planar),
                    .mean_slip = l->ops->mean_slip};
  to->mu = ns_law_mu(l);
  to->slip = to->rows == 1 ? 0 : o->planar ? 1 : 2;
  to->mu_rolling = ns_law_mu_rolling(l);
  to->kind = to->rows > 1 + to->slip ? NS_BLOCK_ROLLING : NS_BLOCK_FRICTION;
  if (to->rows == 1) to->kind = NS_BLOCK_BOX;
  to->e = ns_law_restitution(l, 0, to->slip, theta);
  to->et = to->slip ? ns_law_restitution(l, 1, to->slip, theta) : 0;
  to->each = ns_law_values_of_contact(o->m, l);
  to->of = *l;
}

/* Those of the model; o->rows. */
static void resolve_all(ns_rigid_contacts *o)
{
  const ns_contact_model *k = &o->m->contact;
  for (int i = 0; i < k->nmaterials * k->nmaterials; i++) {
    if (!k->law[i].ops) continue; /* these two never meet */
    resolve(o, &k->law[i], &o->law[i]);
    if (o->law[i].rows > o->rows) o->rows = o->law[i].rows;
    o->each |= o->law[i].each;
    int keeps = k->law[i].ops->memory;
    if (k->law[i].ops->compliant) keeps = o->planar ? 1 : 3;
    if (keeps > o->memory) o->memory = keeps;
    o->compliant |= k->law[i].ops->compliant;
  }
}

static int get_laws(ns_rigid_contacts *o, ns_ctx *c)
{
  size_t n = (size_t)o->m->contact.nmaterials;
  o->rows = 1;
  o->law = ns_arena_zero(o->mem, n * n + 1, sizeof *o->law);
  if (!o->law) return ns_nomem(c, "contacts between shapes");
  resolve_all(o);
  /* a force, and a moment */
  o->carried = o->rows > 3 ? 6 : o->rows;
  return NS_OK;
}

/* Speeds of one contact: of its slip at the velocities of the middle of the step, of its approach
 * as the step begins. */
static void speeds_of(const ns_rigid_contacts *o, const ns_rigid_touch *t, const double *q,
                      double speeds[NS_CONTACT_SPEEDS])
{
  double H[12 * 3], u[3] = {0};
  const double *v = ns_law_values_velocity(o->m) + o->m->part_v;
  int slip = law_of(o, t)->slip;
  size_t dof = o->planar ? 3 : 6;
  meeting m = meeting_of(o, t);
  fill_rows(o, t, 1 + slip, q, m.point, m.normal, H);
  for (int r = 1; r <= slip; r++) {
    const double *row = H + 2 * dof * (size_t)r;
    u[r] = ns_dot(dof, row, v + dof * (size_t)t->body[0]);
    if (t->body[1] >= 0) u[r] += ns_dot(dof, row + dof, v + dof * (size_t)t->body[1]);
  }
  speeds[NS_SPEED_SLIP] = hypot(u[1], u[2]);
  speeds[NS_SPEED_APPROACH] = fmax(0, -t->speed);
}

int ns_rigid_contacts_take_laws(ns_rigid_contacts *o, ns_ctx *c, ns_state *x)
{
  const ns_contact_model *k = &o->m->contact;
  int rc = NS_OK;
  resolve_all(o);
  for (int i = 0; i < o->n && o->each && !rc; i++) {
    const ns_rigid_touch *t = &o->touch[i];
    const ns_nonsmooth_law *pair = &k->law[law_of(o, t) - o->law];
    ns_nonsmooth_law now;
    double speeds[NS_CONTACT_SPEEDS];
    if (!law_of(o, t)->each) continue;
    speeds_of(o, t, x->q, speeds);
    rc = ns_law_values_contact(o->m, c, pair, speeds, x->z, &now);
    if (!rc) resolve(o, &now, &o->own[i]);
  }
  return rc;
}

static size_t coordinates(const ns_rigid_contacts *o)
{
  return (o->planar ? 3 : 7) * (size_t)o->m->nsystems;
}

/* What does not grow with the contacts. */
static int get_memory(ns_rigid_contacts *o)
{
  size_t n = (size_t)o->m->nsystems;
  const ns_array want[] = {
      {&o->reach, n, sizeof *o->reach},
      {&o->skin, (size_t)o->m->contact.nshapes, sizeof *o->skin},
      {&o->posed, coordinates(o), sizeof *o->posed},
      {&o->touches, n, sizeof *o->touches},
      o->planar ? (ns_array){&o->heading, 2 * n, sizeof *o->heading}
                : (ns_array){&o->pose, n, sizeof *o->pose}, /* and one of the world */
      {&o->along, n, sizeof *o->along}};
  size_t count = sizeof want / sizeof *want - (n < MANY_ALONG);
  return ns_arena_arrays(o->mem, want, count);
}

int ns_rigid_contacts_create(ns_ctx *c, const ns_model *m, ns_team *team, ns_rigid_contacts **out)
{
  *out = NULL;
  if (!m->contact.nshapes) return NS_OK;
  ns_rigid_contacts *o = NS_ARENA_OBJECT(ns_rigid_contacts, mem);
  if (!o) return ns_nomem(c, "contacts between shapes");
  *o = (ns_rigid_contacts){.mem = o->mem,
                           .m = m,
                           .team = team,
                           .planar = ns_system_is_planar(&m->systems[0]),
                           .axes = ns_system_is_planar(&m->systems[0]) ? 2 : 3,
                           .told = ns_contacts_have_events(m)};
  int rc = get_memory(o) ? ns_nomem(c, "contacts between shapes") : make_scene(o, c);
  if (!rc) rc = get_laws(o, c);
  if (!rc && ns_rigid_contacts_get_rolling(o)) rc = ns_nomem(c, "contacts between shapes");
  if (rc) {
    ns_rigid_contacts_destroy(o);
    return rc;
  }
  for (int i = 0; i < 3 && o->pose; i++) o->pose->R[4 * i] = 1;
  for (size_t i = 0; i < coordinates(o); i++) o->posed[i] = NAN;
  ns_scene_lend(o->scene, team);
  reaches(o);
  *out = o;
  return NS_OK;
}

void ns_rigid_contacts_destroy(ns_rigid_contacts *o)
{
  if (!o) return;
  ns_scene_destroy(o->scene);
  NS_FREE(o->touch, o->arm, o->guess, o->own, o->kept, o->lasting, o->past, o->gone, o->event,
          o->record, o->rolling);
  ns_touches_fini(&o->nearby);
  ns_arena_destroy(o->mem);
}

size_t ns_rigid_contacts_bytes(const ns_rigid_contacts *o)
{
  if (!o) return 0;
  return ns_arena_used(o->mem) + ns_scene_bytes(o->scene) +
         (size_t)o->max *
             (sizeof *o->touch + (size_t)(2 * o->axes + o->carried + o->memory) * sizeof(double)) +
         (o->memory ? (size_t)o->max * sizeof *o->lasting : 0) +
         (o->told ? (size_t)o->max * (2 * sizeof *o->past + EVENTS * sizeof *o->event) : 0) +
         o->max_records * sizeof *o->record + (o->rolling ? ROLLING * sizeof *o->rolling : 0);
}

/* Room for n contacts in the list; what is remembered stays. */
int ns_rigid_contacts_capacity(ns_rigid_contacts *o, ns_ctx *c, int n)
{
  if (n <= o->max) return NS_OK;
  size_t more = (size_t)n + (size_t)n / 8 + 16, told = o->told ? more : 0;
  const ns_array all[] = {{&o->touch, more, sizeof *o->touch},
                          {&o->arm, 2 * (size_t)o->axes * more, sizeof *o->arm},
                          {&o->guess, more * (size_t)o->carried, sizeof *o->guess},
                          {&o->own, o->each ? more : 0, sizeof *o->own},
                          {&o->kept, more * (size_t)o->memory, sizeof *o->kept},
                          {&o->lasting, o->memory ? more : 0, sizeof *o->lasting},
                          {&o->past, told, sizeof *o->past},
                          {&o->gone, told, sizeof *o->gone},
                          {&o->event, EVENTS * told, sizeof *o->event}};
  if (ns_resize_arrays(all, sizeof all / sizeof *all))
    return ns_nomem(c, "contacts between shapes");
  o->max = (int)more;
  return NS_OK;
}

static int capacity_for_records(ns_rigid_contacts *o, ns_ctx *c, int n)
{
  int rc = ns_reserve_list(&o->record, &o->max_records, (size_t)n, sizeof *o->record);
  return rc ? ns_nomem(c, "contacts between shapes") : NS_OK;
}

/* ---- sentences ------------------------------------------------------------------------------- */

const char *ns_rigid_contacts_name(const ns_rigid_contacts *o, int i, char *buf, size_t n)
{
  const ns_body_shape *s = &o->m->contact.shape[i];
  const char *body = s->system < 0 ? "the surroundings" : o->m->systems[s->system].at.id;
  if (s->id) snprintf(buf, n, "\"%s\" of %s", s->id, body ? body : "a body");
  else snprintf(buf, n, "the shape of line %d of %s", s->line, body ? body : "a body");
  return buf;
}

static int touch(const void *of, int a, int b)
{
  const ns_rigid_contacts *o = of;
  for (int i = 0; i < o->n; i++)
    if (o->touch[i].a == a && o->touch[i].b == b) return 1;
  return 0;
}

int ns_rigid_contacts_check_start(const ns_rigid_contacts *o, ns_ctx *c, const double *q)
{
  char a[256], b[256];
  const ns_rigid_touch *worst = NULL;
  for (int i = 0; i < o->n; i++)
    if (!law_of(o, &o->touch[i])->of.ops->compliant &&
        o->touch[i].gap < (worst ? worst->gap : -o->m->contact.overlap))
      worst = &o->touch[i];
  if (!worst && isfinite(o->m->contact.overlap))
    return ns_shapes_check_inside(o->m, c, q, o->m->sim.t0, touch, o);
  if (!worst) return NS_OK;
  return ns_fail_at(
      c, NS_MODEL, &o->m->sim.at,
      "%s and %s overlap by %.3g m at the start, expected %.3g m at most; move them apart, or "
      "let the run separate them with separate=\"true\"",
      ns_rigid_contacts_name(o, worst->a, a, sizeof a),
      ns_rigid_contacts_name(o, worst->b, b, sizeof b), -worst->gap, o->m->contact.overlap);
}

int ns_rigid_contacts_inside(const ns_rigid_contacts *o, ns_ctx *c, double t, const double *q)
{
  const ns_contact_model *k = &o->m->contact;
  int axes = o->planar ? 2 : 3, bounded = 0;
  for (int a = 0; a < axes; a++) bounded |= k->low[a] < k->high[a];
  for (int i = 0; i < o->m->nsystems && bounded; i++) {
    const ns_system *s = &o->m->systems[i];
    for (int a = 0; a < axes; a++) {
      double x = coordinates_of(o, i, q)[a];
      if (!(k->low[a] < k->high[a]) || (x >= k->low[a] && x <= k->high[a]) || isnan(x)) continue;
      return ns_fail_at(c, NS_NUMERIC, &s->at,
                        "the body leaves the domain in the step to t = %.10g s: its centre is at "
                        "%c = %.6g m, expected between %g m and %g m; the last good state is kept; "
                        "enlarge the domain, or look for a wall that it passed through",
                        t, "xyz"[a], x, k -> low[a], k -> high[a]);
    }
  }
  return NS_OK;
}

/* ---- blocks of the problem ------------------------------------------------------------------- */

/* Restitution where the bodies approach, and of a contact alone always, as of rows; of the slip
 * always, where its law is one of the mean. v: at the begin of the step. */
static void restitute(const shape_law *law, const ns_rigid_touch *t, int alone, const double *v,
                      const ns_rigid_problem *p, int at)
{
  int impact = t->speed < 0 || alone;
  if (impact) p->b[at] = law->e * t->speed;
  if (!(law->et > 0) || !(impact || law->mean_slip)) return;
  for (int i = 1; i <= law->slip; i++)
    p->b[at + i] = law->et * ns_rigid_problem_speed(p, t->block, at + i, v);
}

/* A block without rows yet. */
static int add_one(ns_rigid_contacts *o, ns_ctx *c, int i, ns_rigid_problem *p)
{
  ns_rigid_touch *t = &o->touch[i];
  const shape_law *law = law_now(o, t);
  int at = ns_rigid_problem_add(p, law->kind, law->rows, t->body, NULL);
  if (at < 0) return ns_nomem(c, "contacts between shapes");
  t->block = p->p.nblocks - 1;
  if (law->kind != NS_BLOCK_BOX) p->mu[t->block] = law->mu;
  if (law->kind == NS_BLOCK_ROLLING) p->mu_rolling[t->block] = law->mu_rolling;
  ns_rigid_contacts_guess(o, t, law->rows, p->r + at);
  return NS_OK;
}

static void pose_some(void *data, int from, int to)
{
  const task *k = data;
  const ns_rigid_contacts *o = k->o;
  const ns_rigid_problem *p = k->p;
  for (const ns_rigid_touch *t = o->touch + from; t < o->touch + to; t++) {
    if (!t->active) continue;
    int at = p->row[t->block], rows = p->row[t->block + 1] - at;
    meeting m = meeting_of(o, t);
    fill_rows(o, t, rows, k->q, m.point, m.normal, p->H + 2 * (size_t)p->p.dof * (size_t)at);
    restitute(law_now(o, t), t, is_alone(o, t), k->v, p, at);
  }
}

int ns_rigid_contacts_pose(ns_rigid_contacts *o, ns_ctx *c, const double *q, const double *v,
                           ns_rigid_problem *p)
{
  int rc = NS_OK;
  for (int i = 0; i < o->n && !rc; i++)
    if (o->touch[i].active) rc = add_one(o, c, i, p);
  if (!rc) ns_team_each(o->team, o->n, MANY, pose_some, &(task){.o = o, .q = q, .v = v, .p = p});
  return rc;
}

/* ---- what is remembered ---------------------------------------------------------------------- */

/* The moment of rolling friction in the world; in the plane its component across it. */
static void moment_in_world(const ns_rigid_contacts *o, const double *normal, const double *r,
                            double *moment)
{
  double t1[3], t2[3];
  if (o->planar) {
    moment[0] = r[2];
    return;
  }
  ns_tangents3(normal, t1, t2);
  for (int i = 0; i < 3; i++) moment[i] = r[3] * t1[i] + r[4] * t2[i];
}

static void record_one(const ns_rigid_contacts *o, const ns_rigid_touch *t,
                       const ns_rigid_problem *p, ns_contact_record *k)
{
  int at = p->row[t->block], rows = p->row[t->block + 1] - at, slip = o->planar ? 1 : 2;
  meeting m = meeting_of(o, t);
  double u[ROWS], moment[3] = {0}, sign = t->flipped ? -1 : 1;
  for (int i = 0; i < rows; i++) u[i] = velocity_along(p, at + i);
  *k = (ns_contact_record){.a = t->a, .b = t->b};
  for (int i = 0; i < 3; i++) {
    k->point[i] = m.point[i];
    k->normal[i] = sign * m.normal[i];
  }
  ns_contact_in_world(o->planar, m.normal, rows, u, sign, k->velocity);
  ns_contact_in_world(o->planar, m.normal, rows, p->r + at, sign, k->impulse);
  if (rows <= 1 + slip) return;
  moment_in_world(o, m.normal, p->r + at, o->planar ? moment + 2 : moment);
  for (int i = 0; i < 3; i++) k->moment[i] = sign * moment[i];
}

/* Impulses wait for the next step in axes of the world: the tangents of a normal that stays but for
 * rounding may be others there, as ns_tangents3 has two choices and upright walls stand between
 * them, and what turns with its bodies has other rows. */
static void guess_from(const ns_rigid_contacts *o, const ns_rigid_touch *t, int rows,
                       const double *r, double *guess)
{
  double force[3];
  meeting m = meeting_of(o, t);
  int space = o->planar ? 2 : 3;
  if (o->rows == 1) {
    guess[0] = r[0];
    return;
  }
  ns_contact_in_world(o->planar, m.normal, rows, r, 1, force);
  memcpy(guess, force, (size_t)space * sizeof *guess);
  if (rows > space) moment_in_world(o, m.normal, r, guess + space);
}

void ns_rigid_contacts_guess(const ns_rigid_contacts *o, const ns_rigid_touch *t, int rows,
                             double *r)
{
  const double *guess = o->guess + o->carried * (t - o->touch);
  meeting m = meeting_of(o, t);
  double t1[3] = {-m.normal[1], m.normal[0], 0}, t2[3] = {0};
  if (o->rows == 1) {
    r[0] = guess[0];
    return;
  }
  if (!o->planar && rows > 1) ns_tangents3(m.normal, t1, t2);
  const double *axis[3] = {m.normal, t1, t2};
  int space = o->planar ? 2 : 3;
  for (int i = 0; i < rows && i < space; i++) r[i] = ns_dot((size_t)space, guess, axis[i]);
  if (rows <= space) return;
  if (o->planar) r[2] = guess[2];
  for (int i = 3; i < rows; i++) r[i] = ns_dot3(guess + 3, axis[i - 2]);
}

static void keep_some(void *data, int from, int to)
{
  const task *k = data;
  const ns_rigid_contacts *o = k->o;
  const ns_rigid_problem *p = k->p;
  for (int i = from; i < to; i++) {
    const ns_rigid_touch *t = &o->touch[i];
    double *guess = o->guess + o->carried * i;
    memset(guess, 0, (size_t)o->carried * sizeof *guess);
    if (!t->active) continue;
    int at = p->row[t->block];
    guess_from(o, t, p->row[t->block + 1] - at, p->r + at, guess);
  }
}

static int record_all(ns_rigid_contacts *o, ns_ctx *c, const ns_rigid_problem *p)
{
  int rc = capacity_for_records(o, c, p->p.nblocks);
  for (int i = 0; i < o->n && !rc; i++)
    if (o->touch[i].active) record_one(o, &o->touch[i], p, &o->record[o->nrecords++]);
  return rc;
}

int ns_rigid_contacts_keep(ns_rigid_contacts *o, ns_ctx *c, const ns_rigid_problem *p, int recorded)
{
  ns_team_each(o->team, o->n, MANY, keep_some, &(task){.o = o, .p = p});
  ns_rigid_contacts_remember(o, p);
  o->nrecords = 0;
  return recorded ? record_all(o, c, p) : NS_OK;
}

void ns_rigid_contacts_keep_gaps(ns_rigid_contacts *o, const double *q)
{
  if (!o->nrecords) return;
  ns_rigid_contacts_gaps(o, q);
  for (int i = 0, n = 0; i < o->n; i++)
    if (o->touch[i].active) o->record[n++].gap = o->touch[i].gap;
}

const ns_contact_record *ns_rigid_contacts_records(const ns_rigid_contacts *o, size_t *n)
{
  *n = (size_t)o->nrecords;
  return o->record;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

void ns_rigid_contacts_save(const ns_rigid_contacts *o, ns_blob *b)
{
  int n[2] = {o->n, o->nrecords};
  ns_blob_put(b, n, sizeof n);
  ns_blob_put_reals(b, o->guess, (size_t)o->carried * (size_t)o->n);
  ns_blob_put_reals(b, o->kept, (size_t)o->memory * (size_t)o->n);
  ns_rigid_contacts_save_modes(o, b);
  ns_blob_put(b, o->record, (size_t)o->nrecords * sizeof *o->record);
}

int ns_rigid_contacts_restore(ns_rigid_contacts *o, ns_ctx *c, ns_blob *b)
{
  int n[2] = {0};
  ns_blob_get(b, n, sizeof n);
  if (b->failed) return NS_OK; /* the caller of restore says so */
  if (n[0] != o->n || n[1] < 0) {
    b->failed = NS_NOINPUT;
    return NS_OK;
  }
  int rc = capacity_for_records(o, c, n[1]);
  if (rc) return rc;
  ns_blob_get_reals(b, o->guess, (size_t)o->carried * (size_t)o->n);
  ns_blob_get_reals(b, o->kept, (size_t)o->memory * (size_t)o->n);
  ns_rigid_contacts_restore_modes(o, b);
  ns_blob_get(b, o->record, (size_t)n[1] * sizeof *o->record);
  o->nrecords = n[1];
  return NS_OK;
}
