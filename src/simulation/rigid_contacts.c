/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/rigid_contacts.h"

#include "model/rigid_relation.h"
#include "simulation/events.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 5, MANY = 500 }; /* most of a contact; contacts or bodies that are worth threads */
/* Contacts whose rows follow the motion: in scenes of more of them rows of the begin serve, at a third of the cost. */
enum { ROLLING = 100 };

/* Gaps up to that part of the smallest shape are closed: corners of a box that stands have gaps of rounding, and all of them carry it. */
static const double CLOSED = 1e-8;
/* A contact that rolled in the last step takes part in this one up to that gap, in parts of the smallest shape: its gap drifts by
 * O(h^3) a step to either side, and one that is left out for a step falls and is caught, which costs energy. The law lets it go. */
static const double LASTING = 1e-3;
/* A turn in a step, rad, that changes rows by less than any tolerance. */
static const double STILL = 1e-9;

/* Where a body is. */
typedef struct pose {
  double x[3], R[9];
} pose;

/* A contact that rolls: its rows at the iterate. */
typedef struct rolling {
  int touch, rows;
  int lost;                   /* its feature was not met again: rows of the begin serve */
  double begin[12 * ROWS];    /* rows of the begin, and what restitution asks */
  double restitution[ROWS];
  double push[12 * ROWS];     /* H_theta */
  double end[12 * ROWS];      /* H_k+1 */
} rolling;

/* What a contact was in the step before. */
typedef struct past {
  unsigned char mode, slide;  /* ns_mode, ns_slide */
  int a, b;                   /* of the last step, where it was loaded: */
  uint64_t feature;
  double before, after;       /* u_N at its begin and end */
} past;

enum { EVENTS = 3 }; /* most of a contact in a step: normal, slip, and its release as it leaves the list */

struct ns_rigid_contacts {
  const ns_model *m;
  ns_scene *scene;
  ns_team *team;           /* NULL: one thread */
  int planar, rows;        /* rows: most of a contact by the laws of the model */
  pose *pose;              /* of the bodies, as `place` last put them; the first is the world [1 + nsystems] */
  double *reach;           /* of the farthest point of each body from its centre [nsystems] */
  int *touches;            /* contacts of each body in the list [nsystems] */
  double least;            /* of the shapes that are finite, inf: none */
  int n, most;             /* contacts of the list, which is the scene's, and room for them */
  const ns_scene_contact *list; /* the scene's [n] */
  ns_rigid_touch *touch;   /* [n] */
  double *guess;           /* impulses of the list, `rows` each */
  int nrecords, most_records;
  ns_contact_record *record; /* of the last step, where it was recorded */
  int told;                  /* events are kept */
  past *past;                /* of each contact [n]; NULL: not told */
  past *gone;                /* of the list before */
  ns_event *event;           /* of the last step, EVENTS a contact */
  int nevents;
  int nrolling;
  rolling *rolling;          /* [ROLLING]; NULL: no shape rolls */
  ns_touches nearby;         /* of one pair */
};

/* ---- creation ------------------------------------------------------------------------------------------------------- */

static void reaches(ns_rigid_contacts *o)
{
  o->least = INFINITY;
  for (int i = 0; i < o->m->contact.nshapes; i++) {
    const ns_body_shape *s = &o->m->contact.shape[i];
    if (s->shape->reach < o->least) o->least = s->shape->reach;
    double reach = ns_norm3(s->at) + s->shape->reach;
    if (s->system >= 0 && reach > o->reach[s->system]) o->reach[s->system] = reach;
  }
}

/* Bodies of one joint, which asks for no contact between them. */
static int keep_jointed_apart(ns_rigid_contacts *o, ns_ctx *c)
{
  int n = 0, (*pair)[2] = calloc((size_t)o->m->ninteractions + 1, sizeof *pair);
  if (!pair) return ns_nomem(c, "shapes");
  for (int i = 0; i < o->m->ninteractions; i++) {
    const ns_interaction *it = &o->m->interactions[i];
    if (!ns_interaction_keeps_apart(it)) continue;
    pair[n][0] = it->systems[0];
    pair[n++][1] = it->systems[1];
  }
  int rc = ns_scene_keep_apart(o->scene, c, n, (const int (*)[2])pair);
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
    list[i] = (ns_collider){.body = s->system, .shape = s->shape, .layers = s->layers, .with = s->with};
    memcpy(list[i].at, s->at, sizeof s->at);
    memcpy(list[i].turn, s->turn, sizeof s->turn);
  }
  int rc = (o->planar ? ns_scene_create_planar : ns_scene_create)(c, k->nshapes, list, &o->scene);
  free(list);
  return rc ? rc : keep_jointed_apart(o, c);
}

static int rows_of(const ns_rigid_contacts *o, const ns_contact_law *k)
{
  if (!(k->mu > 0)) return 1;
  return k->mu_rolling > 0 ? (o->planar ? 3 : 5) : o->planar ? 2 : 3;
}

static int most_rows(const ns_rigid_contacts *o)
{
  const ns_contact_model *k = &o->m->contact;
  int most = 1;
  for (int i = 0; i < k->nmaterials * k->nmaterials; i++) {
    int rows = rows_of(o, &k->law[i]);
    most = rows > most ? rows : most;
  }
  return most;
}

/* Shapes with a rim, on which the nearest point moves as they roll. */
static int has_rim(const ns_contact_model *k, int shape) { return k->shape[shape].shape->kind == NS_SHAPE_CYLINDER; }

static int get_rolling(ns_rigid_contacts *o)
{
  int rim = 0;
  for (int i = 0; i < o->m->contact.nshapes && !rim; i++) rim = has_rim(&o->m->contact, i);
  if (!rim || o->planar || !(o->m->sim.mj.theta < 1)) return NS_OK;
  o->rolling = calloc(ROLLING, sizeof *o->rolling);
  return o->rolling ? NS_OK : NS_NOMEM;
}

int ns_rigid_contacts_create(ns_ctx *c, const ns_model *m, ns_team *team, ns_rigid_contacts **out)
{
  *out = NULL;
  if (!m->contact.nshapes) return NS_OK;
  ns_rigid_contacts *o = calloc(1, sizeof *o);
  if (!o) return ns_nomem(c, "contacts between shapes");
  *o = (ns_rigid_contacts){.m = m, .team = team, .planar = ns_system_is_planar(&m->systems[0]),
                           .told = ns_contacts_have_events(m)};
  o->reach = calloc((size_t)m->nsystems, sizeof *o->reach);
  o->pose = calloc((size_t)m->nsystems + 1, sizeof *o->pose);
  o->touches = calloc((size_t)m->nsystems, sizeof *o->touches);
  int rc = o->reach && o->pose && o->touches ? make_scene(o, c) : ns_nomem(c, "contacts between shapes");
  if (!rc && get_rolling(o)) rc = ns_nomem(c, "contacts between shapes");
  if (rc) {
    ns_rigid_contacts_destroy(o);
    return rc;
  }
  for (int i = 0; i < 3; i++) o->pose->R[4 * i] = 1;
  o->rows = most_rows(o);
  ns_scene_lend(o->scene, team);
  reaches(o);
  *out = o;
  return NS_OK;
}

void ns_rigid_contacts_destroy(ns_rigid_contacts *o)
{
  if (!o) return;
  ns_scene_destroy(o->scene);
  free(o->pose);
  free(o->reach);
  free(o->touches);
  free(o->touch);
  free(o->guess);
  free(o->past);
  free(o->gone);
  free(o->event);
  free(o->record);
  free(o->rolling);
  ns_touches_fini(&o->nearby);
  free(o);
}

size_t ns_rigid_contacts_bytes(const ns_rigid_contacts *o)
{
  if (!o) return 0;
  return sizeof *o + ns_scene_bytes(o->scene) + (size_t)o->most * (sizeof *o->touch + (size_t)o->rows * sizeof(double)) +
         (o->told ? (size_t)o->most * (2 * sizeof *o->past + EVENTS * sizeof *o->event) : 0) +
         (size_t)o->most_records * sizeof *o->record + (o->rolling ? ROLLING * sizeof *o->rolling : 0);
}

static int room_for_events(ns_rigid_contacts *o, size_t n)
{
  void *p = realloc(o->past, n * sizeof *o->past);
  if (p) o->past = p;
  void *g = realloc(o->gone, n * sizeof *o->gone);
  if (g) o->gone = g;
  void *e = realloc(o->event, EVENTS * n * sizeof *o->event);
  if (e) o->event = e;
  return p && g && e;
}

/* Room for n contacts in the list; what is remembered stays. */
static int room(ns_rigid_contacts *o, ns_ctx *c, int n)
{
  if (n <= o->most) return NS_OK;
  size_t more = (size_t)n + (size_t)n / 4 + 16;
  void *t = realloc(o->touch, more * sizeof *o->touch);
  if (t) o->touch = t;
  void *g = realloc(o->guess, more * (size_t)o->rows * sizeof *o->guess);
  if (g) o->guess = g;
  if (!t || !g || (o->told && !room_for_events(o, more))) return ns_nomem(c, "contacts between shapes");
  o->most = (int)more;
  return NS_OK;
}

static int room_for_records(ns_rigid_contacts *o, ns_ctx *c, int n)
{
  if (n <= o->most_records) return NS_OK;
  int more = n + n / 4 + 16;
  void *r = realloc(o->record, (size_t)more * sizeof *o->record);
  if (!r) return ns_nomem(c, "contacts between shapes");
  o->record = r;
  o->most_records = more;
  return NS_OK;
}

/* ---- where bodies are -------------------------------------------------------------------------------------------------- */

static pose pose_at(const ns_rigid_contacts *o, int body, const double *q)
{
  const double *at = q + o->m->systems[body].q;
  pose p = {.x = {at[0], at[1]}, .R = {[8] = 1}};
  if (o->planar) {
    p.R[0] = p.R[4] = cos(at[2]);
    p.R[1] = sin(at[2]);
    p.R[3] = -p.R[1];
  } else {
    p.x[2] = at[2];
    ns_quaternion_matrix(at + 3, p.R);
  }
  return p;
}

/* What members of the team are given. */
typedef struct task {
  ns_rigid_contacts *o;
  const double *q, *v, *loose;
  const ns_scene_contact *list;
  const ns_rigid_problem *p;
} task;

static void place_some(void *data, int from, int to)
{
  const task *k = data;
  for (int i = from; i < to; i++) k->o->pose[1 + i] = pose_at(k->o, i, k->q);
}

/* All bodies are at q. */
static void place(ns_rigid_contacts *o, const double *q)
{
  ns_team_each(o->team, o->m->nsystems, MANY, place_some, &(task){.o = o, .q = q});
}

/* Of a body, -1: the world. */
static const pose *pose_of(const ns_rigid_contacts *o, int body) { return &o->pose[1 + body]; }

static void carry(const pose *p, const double *point, double *arm)
{
  double d[3];
  ns_sub3(point, p->x, d);
  ns_mul3t(p->R, d, arm);
}

static void carried(const pose *p, const double *arm, double *point)
{
  ns_mul3(p->R, arm, point);
  ns_axpy3(point, 1, p->x, point);
}

/* Velocity of the point of a body, in the world. */
static void velocity(const ns_rigid_contacts *o, int body, const double *v, const double *point, double *out)
{
  const pose *p = pose_of(o, body);
  double d[3], w[3], turn[3];
  out[0] = out[1] = out[2] = 0;
  if (body < 0) return;
  const double *at = v + o->m->systems[body].v;
  ns_sub3(point, p->x, d);
  if (o->planar) {
    out[0] = at[0] - at[2] * d[1];
    out[1] = at[1] + at[2] * d[0];
    return;
  }
  ns_mul3(p->R, at + 3, w);
  ns_cross3(w, d, turn);
  ns_axpy3(at, 1, turn, out);
}

/* ---- the list --------------------------------------------------------------------------------------------------------------- */

/* Gaps that may close within the forecast, and enough of those that rest; no more than half of the smallest shape. */
static double margin_of(const ns_rigid_contacts *o, const double *v, double h)
{
  const ns_contact_model *k = &o->m->contact;
  const ns_moreau_jean_options *mj = &o->m->sim.mj;
  if (!isnan(k->margin)) return k->margin;
  double fastest = 0;
  for (int i = 0; i < o->m->nsystems; i++) {
    const ns_system *s = &o->m->systems[i];
    const double *u = v + s->v;
    double speed = o->planar ? hypot(u[0], u[1]) : ns_norm3(u), spin = o->planar ? fabs(u[2]) : ns_norm3(u + 3);
    if (spin > 0 && isfinite(o->reach[i])) speed += spin * o->reach[i];
    fastest = speed > fastest ? speed : fastest;
  }
  double least = isfinite(o->least) ? o->least : 1, wanted = fmax(mj->threshold, 0) + 2 * mj->gamma * h * fastest;
  return fmax(fmin(wanted, least / 2), least / 1000);
}

/* Where it is. */
typedef struct meeting {
  double point[3], normal[3]; /* the unit normal points from body[1] to body[0] */
} meeting;

static meeting meeting_at(const ns_rigid_touch *t, const ns_touch *k)
{
  const double *own = t->flipped ? k->p2 : k->p1;
  double sign = t->flipped ? -1 : 1;
  meeting m;
  for (int i = 0; i < 3; i++) {
    m.normal[i] = sign * k->n[i];
    m.point[i] = t->body[1] < 0 ? own[i] : (k->p1[i] + k->p2[i]) / 2;
  }
  return m;
}

/* At the begin of the step. */
static meeting meeting_of(const ns_rigid_contacts *o, const ns_rigid_touch *t)
{
  return meeting_at(t, &o->list[t - o->touch].touch);
}

static const ns_contact_law *law_of(const ns_rigid_contacts *o, const ns_rigid_touch *t)
{
  const ns_contact_model *model = &o->m->contact;
  return &model->law[model->shape[t->a].material * model->nmaterials + model->shape[t->b].material];
}

/* A touch of the scene as a contact. */
static void describe(const ns_rigid_contacts *o, const ns_scene_contact *k, const double *v, ns_rigid_touch *t)
{
  int first = o->m->contact.shape[k->a].system, second = o->m->contact.shape[k->b].system;
  double gap = k->touch.gap;
  *t = (ns_rigid_touch){.a = k->a, .b = k->b, .body = {first, second}, .before = gap, .gap = gap, .flipped = first < 0};
  if (t->flipped) t->body[0] = second, t->body[1] = -1;
  const double *p[2] = {t->flipped ? k->touch.p2 : k->touch.p1, t->flipped ? k->touch.p1 : k->touch.p2};
  meeting m = meeting_of(o, t);
  double u[2][3];
  for (int i = 0; i < 2; i++) {
    carry(pose_of(o, t->body[i]), p[i], t->arm[i]);
    velocity(o, t->body[i], v, m.point, u[i]);
  }
  ns_sub3(u[0], u[1], u[0]);
  t->speed = t->forecast = ns_dot3(m.normal, u[0]);
}

static void describe_some(void *data, int from, int to)
{
  const task *k = data;
  for (int i = from; i < to; i++) describe(k->o, &k->list[i], k->v, &k->o->touch[i]);
}

/* Impulses of the list before go where their contacts are in the new one, those of new contacts are zero. Both lists have one order:
 * what moves down goes first, from below, then what moves up, from above, and nothing is overwritten that is still to go. */
static void move_guesses(ns_rigid_contacts *o, const ns_scene_contact *list, int n)
{
  size_t rows = (size_t)o->rows, bytes = rows * sizeof *o->guess;
  for (int i = 0; i < n; i++)
    if (list[i].was > i) memcpy(o->guess + rows * (size_t)i, o->guess + rows * (size_t)list[i].was, bytes);
  for (int i = n - 1; i >= 0; i--)
    if (list[i].was >= 0 && list[i].was < i) memcpy(o->guess + rows * (size_t)i, o->guess + rows * (size_t)list[i].was, bytes);
  for (int i = 0; i < n; i++)
    if (list[i].was < 0) memset(o->guess + rows * (size_t)i, 0, bytes);
}

/* Of the pair of k, the first in the list that begins there; -1: none. */
static int successor(const ns_scene_contact *list, int n, const past *k)
{
  int low = 0, high = n;
  while (low < high) {
    int mid = low + (high - low) / 2;
    if (list[mid].a < k->a || (list[mid].a == k->a && list[mid].b < k->b)) low = mid + 1;
    else high = mid;
  }
  while (low < n && list[low].a == k->a && list[low].b == k->b && list[low].was >= 0) low++;
  return low < n && list[low].a == k->a && list[low].b == k->b ? low : -1;
}

/* Modes go where their contacts are in the new list. Of those that were loaded and are not in it, another of the pair
 * goes on, or they are released. */
static void move_modes(ns_rigid_contacts *o, const ns_scene_contact *list, int n)
{
  past *before = o->past;
  o->past = o->gone;
  o->gone = before;
  for (int i = 0; i < n; i++) {
    o->past[i] = (past){0};
    if (list[i].was < 0) continue;
    o->past[i] = before[list[i].was];
    before[list[i].was].mode = NS_MODE_FREE;
  }
  for (const past *k = before; k < before + o->n; k++) {
    if (k->mode == NS_MODE_FREE) continue;
    int i = successor(list, n, k);
    if (i >= 0 && o->past[i].mode == NS_MODE_FREE) {
      o->past[i].mode = k->mode;
      o->past[i].slide = k->slide;
    } else if (k->mode == NS_MODE_LASTING) {
      ns_event e = {.kind = NS_EVENT_RELEASE, .interaction = -1, .a = k->a, .b = k->b, .feature = k->feature,
                    .before = k->before, .after = k->after};
      ns_events_note(&e, NS_MODE_LASTING, NS_MODE_FREE);
      o->event[o->nevents++] = e;
    }
  }
}

int ns_rigid_contacts_find(ns_rigid_contacts *o, ns_ctx *c, const double *q, const double *v, double h, double *deepest)
{
  int n, rc = ns_scene_update(o->scene, c, q, margin_of(o, v, h));
  if (rc) return rc;
  const ns_scene_contact *list = ns_scene_contacts(o->scene, &n);
  if ((rc = room(o, c, n))) return rc;
  move_guesses(o, list, n);
  if (o->told) move_modes(o, list, n);
  o->list = list;
  o->n = n;
  place(o, q);
  ns_team_each(o->team, n, MANY, describe_some, &(task){.o = o, .v = v, .list = list});
  *deepest = 0;
  for (int i = 0; i < n; i++)
    if (-list[i].touch.gap > *deepest) *deepest = -list[i].touch.gap;
  return NS_OK;
}

ns_rigid_touch *ns_rigid_contacts_list(const ns_rigid_contacts *o, int *n)
{
  *n = o->n;
  return o->touch;
}

static void measure_some(void *data, int from, int to)
{
  const ns_rigid_contacts *o = ((const task *)data)->o;
  for (int i = from; i < to; i++) {
    ns_rigid_touch *t = &o->touch[i];
    double p[2][3];
    for (int k = 0; k < 2; k++) carried(pose_of(o, t->body[k]), t->arm[k], p[k]);
    ns_sub3(p[0], p[1], p[0]);
    t->gap = ns_dot3(meeting_of(o, t).normal, p[0]);
  }
}

void ns_rigid_contacts_gaps(ns_rigid_contacts *o, const double *q)
{
  place(o, q);
  ns_team_each(o->team, o->n, MANY, measure_some, &(task){.o = o});
}

/* ---- sentences ----------------------------------------------------------------------------------------------------------------- */

const char *ns_rigid_contacts_name(const ns_rigid_contacts *o, int i, char *buf, size_t n)
{
  const ns_body_shape *s = &o->m->contact.shape[i];
  const char *body = s->system < 0 ? "the surroundings" : o->m->systems[s->system].at.id;
  if (s->id) snprintf(buf, n, "\"%s\" of %s", s->id, body ? body : "a body");
  else snprintf(buf, n, "the shape of line %d of %s", s->line, body ? body : "a body");
  return buf;
}

int ns_rigid_contacts_check_start(const ns_rigid_contacts *o, ns_ctx *c)
{
  char a[256], b[256], at[512];
  const ns_rigid_touch *worst = NULL;
  for (int i = 0; i < o->n; i++)
    if (o->touch[i].gap < (worst ? worst->gap : -o->m->contact.overlap)) worst = &o->touch[i];
  if (!worst) return NS_OK;
  return ns_fail(c, NS_MODEL, "%s: %s and %s overlap by %.3g m at the start, expected %.3g m at most; move them apart, or let the run "
                 "take them apart with separate=\"true\"", ns_place_text(&o->m->sim.at, at, sizeof at), ns_rigid_contacts_name(o, worst->a, a, sizeof a),
                 ns_rigid_contacts_name(o, worst->b, b, sizeof b), -worst->gap, o->m->contact.overlap);
}

int ns_rigid_contacts_inside(const ns_rigid_contacts *o, ns_ctx *c, double t, const double *q)
{
  char at[512];
  const ns_contact_model *k = &o->m->contact;
  for (int i = 0; i < o->m->nsystems; i++) {
    const ns_system *s = &o->m->systems[i];
    for (int a = 0; a < (o->planar ? 2 : 3); a++) {
      double x = q[s->q + (size_t)a];
      if (!(k->low[a] < k->high[a]) || (x >= k->low[a] && x <= k->high[a]) || isnan(x)) continue;
      return ns_fail(c, NS_NUMERIC, "%s: the body leaves the domain in the step to t = %.10g s: its centre is at %c = %.6g m, expected "
                     "it between %g m and %g m; the last good state is kept; widen the domain, or look for a wall that it passed",
                     ns_place_text(&s->at, at, sizeof at), t, "xyz"[a], x, k->low[a], k->high[a]);
    }
  }
  return NS_OK;
}

/* ---- a step ---------------------------------------------------------------------------------------------------------------------- */

static void forecast_some(void *data, int from, int to)
{
  const task *k = data;
  for (int i = from; i < to; i++) {
    ns_rigid_touch *t = &k->o->touch[i];
    meeting at = meeting_of(k->o, t);
    t->forecast = t->speed;
    for (int e = 0; e < 2; e++) {
      double was[3], is[3];
      velocity(k->o, t->body[e], k->v, at.point, was);
      velocity(k->o, t->body[e], k->loose, at.point, is);
      ns_sub3(is, was, is);
      t->forecast -= ns_norm3(is);
    }
  }
}

void ns_rigid_contacts_forecast(ns_rigid_contacts *o, const double *q, const double *v, const double *loose)
{
  place(o, q);
  ns_team_each(o->team, o->n, MANY, forecast_some, &(task){.o = o, .v = v, .loose = loose});
}

/* A contact of a rim may roll. */
static int rolls(const ns_rigid_contacts *o, const ns_rigid_touch *t)
{
  return o->rolling && (has_rim(&o->m->contact, t->a) || has_rim(&o->m->contact, t->b));
}

static void count_touches(ns_rigid_contacts *o)
{
  memset(o->touches, 0, (size_t)o->m->nsystems * sizeof *o->touches);
  for (int i = 0; i < o->n; i++)
    for (int e = 0; e < 2; e++)
      if (o->touch[i].body[e] >= 0) o->touches[o->touch[i].body[e]]++;
}

/* Its bodies touch nothing else. */
static int is_alone(const ns_rigid_contacts *o, const ns_rigid_touch *t)
{
  return o->touches[t->body[0]] == 1 && (t->body[1] < 0 || o->touches[t->body[1]] == 1);
}

/* A contact alone takes part by the rule of the rows of interactions, y + gamma h ydot <= threshold, so that one ball has one motion however it
 * is modelled. Where bodies have several contacts their forces are foreseen: those that carry each other would open by turns. */
void ns_rigid_contacts_activate(ns_rigid_contacts *o, double h, double closed, double held)
{
  const ns_moreau_jean_options *mj = &o->m->sim.mj;
  double enough = fmax(mj->threshold + closed, isfinite(o->least) ? CLOSED * o->least : 0);
  count_touches(o);
  for (int i = 0; i < o->n; i++) {
    ns_rigid_touch *t = &o->touch[i];
    double speed = is_alone(o, t) ? t->speed : t->forecast;
    t->active = t->gap + mj->gamma * h * speed <= enough && t->speed <= mj->velocity_threshold;
    int lasts = rolls(o, t) && t->speed <= 1e-3 * (t->speed - t->forecast); /* it does not bounce */
    double keep = lasts ? fmax(held, LASTING * o->least) : held;
    if (o->guess[o->rows * i] > 0 && t->gap <= keep) t->active = 1;
  }
}

/* Restitution where the bodies approach, and of a contact alone always, as of rows; v: at the begin of the step. */
static void restitute(const ns_contact_law *law, const ns_rigid_touch *t, int alone, int slip, const double *v, const ns_rigid_problem *p, int at)
{
  if (!(t->speed < 0) && !alone) return;
  p->b[at] = law->en * t->speed;
  for (int i = 1; i <= slip && law->et > 0; i++) p->b[at + i] = law->et * ns_rigid_problem_speed(p, t->block, at + i, v);
}

/* Rows at point P into H. */
static void fill_rows(const ns_rigid_contacts *o, const ns_rigid_touch *t, int rows, const double *q, const double *P, const double *normal, double *H)
{
  const double *q1 = q + o->m->systems[t->body[0]].q, *q2 = t->body[1] < 0 ? NULL : q + o->m->systems[t->body[1]].q;
  if (o->planar) ns_contact_rows_planar(rows, q1, q2, P, normal, H);
  else ns_contact_rows(rows, q1, q2, P, normal, H);
}

void ns_rigid_contacts_normal_row(const ns_rigid_contacts *o, const ns_rigid_touch *t, const double *q, double *H)
{
  double P[3];
  pose at = pose_at(o, t->body[0], q);
  carried(&at, t->arm[0], P);
  fill_rows(o, t, 1, q, P, meeting_of(o, t).normal, H);
}

/* A block without rows yet. */
static int add_one(ns_rigid_contacts *o, ns_ctx *c, int i, ns_rigid_problem *p)
{
  ns_rigid_touch *t = &o->touch[i];
  const ns_contact_law *law = law_of(o, t);
  int rows = rows_of(o, law), kind = rows == 1 ? NS_BLOCK_BOX : law->mu_rolling > 0 ? NS_BLOCK_ROLLING : NS_BLOCK_FRICTION;
  int at = ns_rigid_problem_add(p, kind, rows, t->body[0], t->body[1]);
  if (at < 0) return ns_nomem(c, "contacts between shapes");
  t->block = p->p.nblocks - 1;
  p->mu[t->block] = law->mu;
  p->mu_rolling[t->block] = law->mu_rolling;
  memcpy(p->r + at, o->guess + o->rows * i, (size_t)rows * sizeof *p->r);
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
    restitute(law_of(o, t), t, is_alone(o, t), rows == 1 ? 0 : o->planar ? 1 : 2, k->v, p, at);
  }
}

int ns_rigid_contacts_pose(ns_rigid_contacts *o, ns_ctx *c, const double *q, const double *v, ns_rigid_problem *p)
{
  int rc = NS_OK;
  for (int i = 0; i < o->n && !rc; i++)
    if (o->touch[i].active) rc = add_one(o, c, i, p);
  if (!rc) ns_team_each(o->team, o->n, MANY, pose_some, &(task){.o = o, .q = q, .v = v, .p = p});
  return rc;
}

/* ---- contacts that roll ------------------------------------------------------------------------------------------------------------ */

/* How far a body turns in a step, rad. */
static double turn_of(const ns_rigid_contacts *o, int body, const double *v, double h)
{
  return body < 0 ? 0 : h * ns_norm3(v + o->m->systems[body].v + 3);
}

static void begin_rolling(const ns_rigid_contacts *o, int i, const ns_rigid_problem *p, rolling *k)
{
  int block = o->touch[i].block, at = p->row[block], rows = p->row[block + 1] - at;
  size_t width = 2 * (size_t)p->p.dof;
  *k = (rolling){.touch = i, .rows = rows};
  memcpy(k->begin, p->H + width * (size_t)at, width * (size_t)rows * sizeof *k->begin);
  memcpy(k->restitution, p->b + at, (size_t)rows * sizeof *k->restitution);
}

int ns_rigid_contacts_roll(ns_rigid_contacts *o, const ns_rigid_problem *p, const double *v, double h)
{
  o->nrolling = 0;
  if (!o->rolling) return 0;
  int n = 0;
  for (int i = 0; i < o->n; i++) {
    const ns_rigid_touch *t = &o->touch[i];
    if (!t->active || !rolls(o, t) || !(p->r[p->row[t->block]] > 0)) continue;
    if (turn_of(o, t->body[0], v, h) + turn_of(o, t->body[1], v, h) < STILL) continue;
    if (n == ROLLING) return 0;
    begin_rolling(o, i, p, &o->rolling[n++]);
  }
  o->nrolling = n;
  return n > 0;
}

/* Its rows, bodies being at q. 0: the two do not meet there as they did at the begin. */
static int rows_at(ns_rigid_contacts *o, const rolling *k, const double *q, double *H)
{
  const ns_rigid_touch *t = &o->touch[k->touch];
  uint64_t feature = o->list[k->touch].touch.feature;
  o->nearby.count = 0;
  ns_scene_touch(o->scene, t->a, t->b, q, fmax(t->gap, 0) + o->least / 2, &o->nearby);
  for (int i = 0; i < o->nearby.count; i++) {
    if (o->nearby.at[i].feature != feature) continue;
    meeting m = meeting_at(t, &o->nearby.at[i]);
    fill_rows(o, t, k->rows, q, m.point, m.normal, H);
    return 1;
  }
  return 0;
}

int ns_rigid_contacts_roll_rows(ns_rigid_contacts *o, ns_ctx *c, const double *within, const double *q)
{
  for (rolling *k = o->rolling; k < o->rolling + o->nrolling; k++) {
    k->lost = k->lost || !rows_at(o, k, within, k->push) || !rows_at(o, k, q, k->end);
    if (!k->lost) continue;
    memcpy(k->push, k->begin, sizeof k->push);
    memcpy(k->end, k->begin, sizeof k->end);
  }
  return o->nearby.failed ? ns_nomem(c, "contacts between shapes") : NS_OK;
}

/* Its row i times v of its bodies; *size: the sum of the terms. */
static double speed_along(const ns_rigid_touch *t, const double *row, const double *v, double *size)
{
  double s = 0;
  *size = 0;
  for (int j = 0; j < (t->body[1] < 0 ? 6 : 12); j++) {
    double term = row[j] * v[6 * t->body[j / 6] + j % 6];
    s += term;
    *size += fabs(term);
  }
  return s;
}

void ns_rigid_contacts_roll_fill(ns_rigid_contacts *o, const double *v, ns_rigid_problem *p)
{
  for (const rolling *k = o->rolling; k < o->rolling + o->nrolling; k++) {
    const ns_rigid_touch *t = &o->touch[k->touch];
    int at = p->row[t->block];
    memcpy(p->H + 12 * (size_t)at, k->push, 12 * (size_t)k->rows * sizeof *k->push);
    for (int i = 0; i < k->rows; i++) {
      double size, end = speed_along(t, k->end + 12 * i, v, &size), push = speed_along(t, k->push + 12 * i, v, &size);
      p->b[at + i] = k->restitution[i] + (end - push);
    }
  }
}

double ns_rigid_contacts_roll_change(const ns_rigid_contacts *o, const double *v, const ns_rigid_problem *p, double *impulse)
{
  const ns_time_stepping_options *opt = &o->m->sim.ts;
  double worst = 0;
  for (const rolling *k = o->rolling; k < o->rolling + o->nrolling; k++) {
    const ns_rigid_touch *t = &o->touch[k->touch];
    int at = p->row[t->block];
    for (int i = 0; i < k->rows; i++) {
      double size, w = k->restitution[i] + speed_along(t, k->end + 12 * i, v, &size);
      double tolerance = opt->newton_atol + (opt->newton_rtol + 16 * DBL_EPSILON) * size;
      worst = fmax(worst, fabs(w - p->u[at + i]) / tolerance);
      const double *is = k->push + 12 * i, *was = p->H + 12 * (size_t)(at + i);
      for (int j = 0; j < (t->body[1] < 0 ? 6 : 12); j++)
        impulse[6 * t->body[j / 6] + j % 6] += p->r[at + i] * (is[j] - was[j]);
    }
  }
  return worst;
}

void ns_rigid_contacts_roll_end(const ns_rigid_contacts *o, ns_rigid_problem *p)
{
  for (const rolling *k = o->rolling; k < o->rolling + o->nrolling; k++)
    memcpy(p->b + p->row[o->touch[k->touch].block], k->restitution, (size_t)k->rows * sizeof *p->b);
}

/* ---- after it ---------------------------------------------------------------------------------------------------------------------- */

/* Components along normal and tangents as a vector of the world; of the body of a, which may be the second one. */
static void in_world(const ns_rigid_contacts *o, const ns_rigid_touch *t, const double *normal, int rows, const double *x, double *out)
{
  double t1[3] = {-normal[1], normal[0], 0}, t2[3] = {0}, sign = t->flipped ? -1 : 1;
  if (!o->planar) ns_tangents3(normal, t1, t2);
  int slip = o->planar ? 1 : 2;
  for (int i = 0; i < 3; i++) {
    out[i] = x[0] * normal[i];
    if (rows > 1) out[i] += x[1] * t1[i];
    if (rows > 1 && slip == 2) out[i] += x[2] * t2[i];
    out[i] *= sign;
  }
}

static void record_one(const ns_rigid_contacts *o, const ns_rigid_touch *t, const ns_rigid_problem *p, ns_contact_record *k)
{
  int at = p->row[t->block], rows = p->row[t->block + 1] - at, slip = o->planar ? 1 : 2;
  meeting m = meeting_of(o, t);
  double u[ROWS], turn[3] = {0}, t1[3], t2[3], sign = t->flipped ? -1 : 1;
  for (int i = 0; i < rows; i++) u[i] = p->u[at + i] - p->b[at + i];
  *k = (ns_contact_record){.a = t->a, .b = t->b, .gap = t->gap};
  for (int i = 0; i < 3; i++) {
    k->point[i] = m.point[i];
    k->normal[i] = sign * m.normal[i];
  }
  in_world(o, t, m.normal, rows, u, k->velocity);
  in_world(o, t, m.normal, rows, p->r + at, k->impulse);
  if (rows <= 1 + slip) return;
  const double *r = p->r + at + 1 + slip;
  ns_tangents3(m.normal, t1, t2);
  for (int i = 0; i < 3; i++) turn[i] = o->planar ? (i == 2) * r[0] : r[0] * t1[i] + r[1] * t2[i];
  for (int i = 0; i < 3; i++) k->moment[i] = sign * turn[i];
}

static void keep_some(void *data, int from, int to)
{
  const task *k = data;
  const ns_rigid_problem *p = k->p;
  size_t rows = (size_t)k->o->rows;
  for (int i = from; i < to; i++) {
    const ns_rigid_touch *t = &k->o->touch[i];
    double *guess = k->o->guess + rows * (size_t)i;
    memset(guess, 0, rows * sizeof *guess);
    if (!t->active) continue;
    int at = p->row[t->block];
    memcpy(guess, p->r + at, (size_t)(p->row[t->block + 1] - at) * sizeof *guess);
  }
}

static int record_all(ns_rigid_contacts *o, ns_ctx *c, const ns_rigid_problem *p)
{
  int rc = room_for_records(o, c, p->p.nblocks);
  for (int i = 0; i < o->n && !rc; i++)
    if (o->touch[i].active) record_one(o, &o->touch[i], p, &o->record[o->nrecords++]);
  return rc;
}

int ns_rigid_contacts_keep(ns_rigid_contacts *o, ns_ctx *c, const ns_rigid_problem *p, const double *q, int recorded)
{
  ns_rigid_contacts_gaps(o, q);
  ns_team_each(o->team, o->n, MANY, keep_some, &(task){.o = o, .p = p});
  o->nrecords = 0;
  return recorded ? record_all(o, c, p) : NS_OK;
}

/* Its normal velocity at the begin of the step, as an impact sees it: what rests approaches by rounding, which is no impact. */
static double approach_of(const ns_rigid_touch *t)
{
  static const double ROUNDING = 1e-9; /* of what forces add in a step */
  int rests = fabs(t->speed) <= ROUNDING * (t->speed - t->forecast);
  return rests ? 0 : t->speed;
}

static void count_impacts(const ns_rigid_contacts *o, const ns_rigid_problem *p, const double *vfree, ns_state *x)
{
  for (int i = 0; i < o->n; i++) {
    const ns_rigid_touch *t = &o->touch[i];
    if (!t->active) continue;
    int at = p->row[t->block];
    ns_events_impact(x, approach_of(t), p->r[at], ns_rigid_problem_speed(p, t->block, at, vfree));
  }
}

/* Velocities along its rows at the begin of the step, of bodies that move with v at q. */
static void row_speeds(const ns_rigid_contacts *o, const ns_rigid_touch *t, int rows, const double *q, const double *v, double *u)
{
  double H[12 * ROWS];
  int dof = o->planar ? 3 : 6;
  meeting m = meeting_of(o, t);
  fill_rows(o, t, rows, q, m.point, m.normal, H);
  for (int i = 0; i < rows; i++) {
    u[i] = 0;
    for (int e = 0; e < 2 && t->body[e] >= 0; e++)
      for (int j = 0; j < dof; j++) u[i] += H[2 * dof * i + dof * e + j] * v[o->m->systems[t->body[e]].v + (size_t)j];
  }
}

static void keep_event(ns_rigid_contacts *o, const ns_rigid_touch *t, int kind, int row, ns_event *e)
{
  e->kind = (ns_event_kind)kind;
  e->interaction = -1;
  e->row = row;
  e->a = t->a;
  e->b = t->b;
  e->feature = o->list[t - o->touch].touch.feature;
  o->event[o->nevents++] = *e;
}

/* A step as one contact has seen it. */
typedef struct seen {
  const ns_rigid_touch *t;
  int slip;
  const double *r, *u;   /* of the one-step problem, zero where it took no part */
  double free, after;    /* u_N without contact and at the end */
} seen;

/* Of several contacts of a body that could carry it the solution loads some, by turns: one that lasts and is left out is released
 * once it parts, which is faster than rounding of the velocities. */
static int rests(const ns_rigid_contacts *o, const seen *k, const ns_state *x)
{
  static const double ROUNDING = 1e-9;
  if (o->past[k->t - o->touch].mode != NS_MODE_LASTING || k->r[0] > 0 || is_alone(o, k->t)) return 0;
  return fabs(k->after) <= ROUNDING * fmax(x->cert->approach_max, k->t->speed - k->t->forecast);
}

static void normal_event(ns_rigid_contacts *o, const seen *k, ns_state *x)
{
  past *was = &o->past[k->t - o->touch];
  if (rests(o, k, x)) return;
  int before = was->mode, kind = ns_events_mode(x, &was->mode, approach_of(k->t), k->r[0], k->free);
  was->a = k->t->a;
  was->b = k->t->b;
  was->feature = o->list[k->t - o->touch].touch.feature;
  was->before = k->t->speed;
  was->after = k->after;
  if (kind < 0) return;
  ns_event e = {.before = k->t->speed, .after = k->after, .impulse = k->r[0]};
  ns_events_note(&e, before, was->mode);
  keep_event(o, k->t, kind, 0, &e);
}

static void slip_event(ns_rigid_contacts *o, const seen *k, const double *v, const ns_state *x)
{
  double before[ROWS], after[ROWS];
  past *was = &o->past[k->t - o->touch];
  int kind = ns_events_slide(&was->slide, law_of(o, k->t)->mu, k->slip, k->r, k->u);
  if (kind < 0) return;
  ns_event e = {0};
  row_speeds(o, k->t, 1 + k->slip, x->q, x->v, before);
  row_speeds(o, k->t, 1 + k->slip, x->q, v, after);
  ns_events_slid(&e, kind, k->slip, k->r, before, after);
  keep_event(o, k->t, kind, 1, &e);
}

void ns_rigid_contacts_happened(ns_rigid_contacts *o, const ns_rigid_problem *p, const double *vfree, const double *v, ns_state *x)
{
  static const double none[ROWS];
  o->nevents = 0;
  if (!o->told) {
    count_impacts(o, p, vfree, x);
    return;
  }
  for (int i = 0; i < o->n; i++) {
    seen k = {.t = &o->touch[i], .r = none, .u = none};
    if (!k.t->active && o->past[i].mode == NS_MODE_FREE) continue;
    if (law_of(o, k.t)->mu > 0) k.slip = o->planar ? 1 : 2;
    if (k.t->active) {
      int at = p->row[k.t->block];
      k.r = p->r + at;
      k.u = p->u + at;
      k.free = ns_rigid_problem_speed(p, k.t->block, at, vfree);
      k.after = p->u[at] - p->b[at];
    } else {
      row_speeds(o, k.t, 1, x->q, v, &k.after);
    }
    normal_event(o, &k, x);
    if (k.slip) slip_event(o, &k, v, x);
  }
}

ns_event *ns_rigid_contacts_events(ns_rigid_contacts *o, int *n)
{
  *n = o->nevents;
  return o->event;
}

const ns_contact_record *ns_rigid_contacts_records(const ns_rigid_contacts *o, size_t *n)
{
  *n = (size_t)o->nrecords;
  return o->record;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------------------------- */

void ns_rigid_contacts_save(const ns_rigid_contacts *o, ns_blob *b)
{
  int n[2] = {o->n, o->nrecords};
  ns_blob_put(b, n, sizeof n);
  ns_blob_put_reals(b, o->guess, (size_t)o->rows * (size_t)o->n);
  for (int i = 0; i < o->n && o->told; i++) {
    ns_blob_put(b, &o->past[i].mode, 1);
    ns_blob_put(b, &o->past[i].slide, 1);
  }
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
  int rc = room_for_records(o, c, n[1]);
  if (rc) return rc;
  ns_blob_get_reals(b, o->guess, (size_t)o->rows * (size_t)o->n);
  o->nevents = 0;
  for (int i = 0; i < o->n && o->told; i++) {
    o->past[i] = (past){0};
    ns_blob_get(b, &o->past[i].mode, 1);
    ns_blob_get(b, &o->past[i].slide, 1);
  }
  ns_blob_get(b, o->record, (size_t)n[1] * sizeof *o->record);
  o->nrecords = n[1];
  return NS_OK;
}
