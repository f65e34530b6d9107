/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scene_write.c -- the text of the model that a scene becomes.
 *
 * Groups of the file are materials; where two of them have no law their shapes are in layers that
 * do not meet. A group of -1 has no contacts at all. */
#include "io/import/scene.h"

#include "base/text_stream.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *ns_scene_numbers(const double *x, int n, char *buf)
{
  char *to = buf;
  for (int k = 0; k < n; k++) to += sprintf(to, "%s%s", k ? " " : "", NUMBER(x[k]));
  return buf;
}

void ns_scene_put_attribute(FILE *f, const char *name, double x)
{
  if (isfinite(x)) fprintf(f, " %s=\"%s\"", name, NUMBER(x));
}

/* ---- groups ---------------------------------------------------------------------------------- */

enum { GROUPS = 31 }; /* layers of a model */

typedef struct group_list {
  int group[GROUPS + 1], n;
  const scene_law *law[GROUPS + 1][GROUPS + 1]; /* of two of them; NULL: they do not meet */
  int layered, several;                         /* some do not meet; laws differ */
  const scene_law *common;
} group_list;

static int group_index(const group_list *g, int group)
{
  for (int k = 0; k < g->n; k++)
    if (g->group[k] == group) return k;
  return -1;
}

static int same_law(const scene_law *a, const scene_law *b)
{
  return a && b && a->kind == b->kind && a->mu == b->mu && a->mu_r == b->mu_r && a->e == b->e;
}

/* Groups of contactors, and the law of each pair: the last one of the file holds. */
static void find_groups(scene *s, group_list *g)
{
  memset(g, 0, sizeof *g);
  for (int i = 0; i < s->nobjects; i++)
    for (int k = 0; k < s->object[i].ncontactors; k++) {
      int group = s->object[i].contactor[k].group;
      if (group == -1 || group_index(g, group) >= 0) continue;
      if (g->n < GROUPS) g->group[g->n++] = group;
      else if (!s->bad)
        ns_scene_fault(s, "/data/input", s->object[i].name,
                       "is in the 32nd collision group, expected at most %d", GROUPS);
    }
  for (int k = 0; k < s->nlaws; k++) {
    const scene_law *l = &s->law[k];
    int a = group_index(g, l->group[0]), b = group_index(g, l->group[1]);
    if (l->group[0] < 0 || l->group[1] < 0 || a < 0 || b < 0 || l->kind == SCENE_RELAY) continue;
    if (g->law[a][b])
      ns_scene_note(s, 0, "law %.60s replaces %.60s of the same groups", l->name,
                    g->law[a][b]->name);
    g->law[a][b] = g->law[b][a] = l;
  }
  for (int a = 0; a < g->n; a++)
    for (int b = 0; b < g->n; b++) {
      if (!g->common) g->common = g->law[a][b];
      g->layered |= !g->law[a][b];
      g->several |= g->law[a][b] && !same_law(g->law[a][b], g->common);
    }
}

/* material=, layers= and with= of a shape. */
static void put_group(FILE *f, const group_list *g, int group)
{
  int k = group_index(g, group);
  if (g->several) fprintf(f, " material=\"g%d\"", group);
  if (!g->layered || k < 0) return;
  fprintf(f, " layers=\"g%d\" with=\"", group);
  const char *between = "";
  for (int i = 0; i < g->n; i++) {
    if (!g->law[k][i]) continue;
    fprintf(f, "%sg%d", between, g->group[i]);
    between = " ";
  }
  fputc('"', f);
}

static void put_law(FILE *f, const scene_law *l)
{
  fprintf(f, "<%s", ns_scene_laws[l->kind]);
  ns_scene_put_attribute(f, l->kind == SCENE_IMPACT ? "e" : "en", l->e);
  if (l->kind != SCENE_IMPACT) ns_scene_put_attribute(f, "mu", l->mu);
  if (l->kind == SCENE_ROLLING) ns_scene_put_attribute(f, "muRolling", l->mu_r);
  fputs("/>", f);
}

/* ---- systems --------------------------------------------------------------------------------- */

static void put_inertia(scene *s, FILE *f, const scene_object *o)
{
  double I[9] = {0};
  int n = o->ninertia, given = n ? 0 : ns_scene_inertia(s, o, I);
  if (given > 0) return;
  if (given < 0) {
    ns_scene_note(s, 1,
                  "%.60s has neither an inertia nor a solid to compute it from: 1 kg m^2 is used, "
                  "as in Siconos",
                  o->name);
    I[0] = I[4] = I[8] = 1;
  }
  if (n) memcpy(I, o->inertia, sizeof I);
  if (n == 9) ns_scene_note(s, 0, "matrices of inertia are written as the file has them, by rows");
  if (s->planar) {
    fprintf(f, "      <inertia>%s</inertia>\n", NUMBER(n ? I[0] : I[8]));
    return;
  }
  if (n == 1) I[1] = I[2] = I[0];
  if (n && n != 9) { /* three moments */
    I[4] = I[1];
    I[8] = I[2];
    I[1] = I[2] = 0;
  }
  double diagonal[3] = {I[0], I[4], I[8]};
  double off = fabs(I[1]) + fabs(I[2]) + fabs(I[3]) + fabs(I[5]) + fabs(I[6]) + fabs(I[7]);
  if (off <= 1e-12 * (I[0] + I[4] + I[8])) {
    fprintf(f, "      <inertia diag=\"%s\"/>\n", NUMBERS(diagonal, 3));
    return;
  }
  fprintf(f, "      <inertia>%s; %s; %s</inertia>\n", NUMBERS(I, 3), NUMBERS(I + 3, 3),
          NUMBERS(I + 6, 3));
}

static void put_boundary(scene *s, FILE *f, const scene_boundary *b)
{
  static const char *const space[] = {"x", "y", "z", "Omega_x", "Omega_y", "Omega_z"},
                           *const plane[] = {"x", "y", "angle"};
  const char *kind = *b->type == 'F' ? "fixed" : "prescribed";
  fprintf(f, "      <%s coordinates=\"", kind);
  for (int k = 0; k < b->n; k++)
    fprintf(f, "%s%s", k ? " " : "", s->planar ? plane[b->index[k]] : space[b->index[k]]);
  if (*b->type == 'F') {
    fputs("\"/>\n", f);
    return;
  }
  fputs("\">", f);
  for (int k = 0; k < b->n; k++) {
    fprintf(f, "%s%s", k ? ", " : "", NUMBER(b->value[0][k]));
    if (*b->type == 'H')
      fprintf(f, " + %s*cos(%s*t + %s)", NUMBER(b->value[1][k]), NUMBER(b->value[2][k]),
              NUMBER(b->value[3][k]));
  }
  fputs("</prescribed>\n", f);
}

static int is_moving(const double *v)
{
  double all = 0;
  for (int k = 0; k < 6; k++) all += fabs(v[k]);
  return all > 0;
}

/* A birth at 0 or before is none: bodies are there from the first step on. */
static void put_life(FILE *f, const scene_object *o)
{
  if (o->birth > 0) ns_scene_put_attribute(f, "birth", o->birth);
  ns_scene_put_attribute(f, "death", o->death);
}

/* Contactor k as a shape: of a body, or fixed, with an id of its own. */
static void put_contactor(scene *s, FILE *f, const group_list *g, const scene_object *o, int k)
{
  ns_text_stream written;
  FILE *more = ns_text_stream_open(&written);
  if (more && o->fixed) {
    fprintf(more, " id=\"%s", o->id);
    if (o->ncontactors > 1) fprintf(more, "-%d", k + 1);
    fputc('"', more);
    put_life(more, o);
  }
  if (more) put_group(more, g, o->contactor[k].group);
  char *attributes = ns_text_stream_close(&written);
  if (!attributes) ns_nomem(s->c, "text of the model");
  fputs(o->fixed ? "    " : "      ", f);
  if (attributes) ns_scene_put_shape(s, f, &o->contactor[k], o, attributes);
  fputc('\n', f);
  free(attributes);
}

/* It has no contacts, as it stands in no group of the scene. */
static int is_omitted(scene *s, const scene_object *o, const scene_contactor *c)
{
  if (c->group != -1) return 0;
  ns_scene_note(s, 0, "contactor %.60s of %.60s has the group -1, without contacts: omitted",
                c->name, o->name);
  return 1;
}

static void put_body(scene *s, FILE *f, const group_list *g, const scene_object *o)
{
  double at[3] = {o->x[0], o->x[1], o->angle};
  const char *kind = s->planar ? "RigidBody2dDS" : "NewtonEulerDS";
  fprintf(f, "    <%s id=\"%s\"", kind, o->id);
  put_life(f, o);
  fprintf(f, ">\n      <q0>%s", NUMBERS(s->planar ? at : o->x, 3));
  if (!s->planar) fprintf(f, " %s", NUMBERS(o->q, 4));
  fputs("</q0>\n", f);
  if (is_moving(o->v)) fprintf(f, "      <v0>%s</v0>\n", NUMBERS(o->v, s->planar ? 3 : 6));
  fprintf(f, "      <mass>%s</mass>\n", NUMBER(o->mass));
  put_inertia(s, f, o);
  fprintf(f, "      <fExt>0%s, -%s*g</fExt>\n", s->planar ? "" : ", 0", NUMBER(o->mass));
  for (int k = 0; k < s->nboundaries; k++)
    if (s->boundary[k].body == o) put_boundary(s, f, &s->boundary[k]);
  for (int k = 0; k < o->ncontactors; k++) {
    const scene_contactor *c = &o->contactor[k];
    if (is_omitted(s, o, c)) continue;
    if (c->shape->kind == SCENE_PLANE) {
      ns_scene_note(s, 1, "the plane of the body %.60s is ignored: planes are fixed", o->name);
      continue;
    }
    put_contactor(s, f, g, o, k);
  }
  fprintf(f, "    </%s>\n", kind);
}

/* ---- contacts -------------------------------------------------------------------------------- */

static void put_fixed(scene *s, FILE *f, const group_list *g, const scene_object *o)
{
  for (int k = 0; k < o->ncontactors; k++)
    if (!is_omitted(s, o, &o->contactor[k])) put_contactor(s, f, g, o, k);
}

static void put_contacts(scene *s, FILE *f, const group_list *g)
{
  if (!g->common) {
    if (g->n)
      ns_scene_note(s, 0, "no law applies to the groups of the contactors: there are no contacts");
    return;
  }
  fputs("  <contacts overlap=\"any\" recover=\"0\">\n    ", f); /* as there: overlaps stay */
  put_law(f, g->common);
  fputc('\n', f);
  for (int a = 0; a < g->n; a++)
    for (int b = a; b < g->n; b++) {
      if (!g->law[a][b] || same_law(g->law[a][b], g->common)) continue;
      fprintf(f, "    <between materials=\"g%d g%d\">", g->group[a], g->group[b]);
      put_law(f, g->law[a][b]);
      fputs("</between>\n", f);
    }
  for (int k = 0; k < s->nobjects; k++)
    if (s->object[k].fixed) put_fixed(s, f, g, &s->object[k]);
  fputs("  </contacts>\n", f);
}

/* ---- joints ---------------------------------------------------------------------------------- */

/* Which free coordinate a number of the file means. */
static const char *coordinate(scene *s, const scene_joint *j, double dof)
{
  int k = dof == 0 || dof == 1 ? (int)dof : -1;
  if (j->kind == SCENE_CYLINDRICAL && k >= 0) return k ? "angle" : "slide";
  if (j->kind == SCENE_PIVOT && k == 0) return "angle";
  if (j->kind == SCENE_PRISMATIC && k == 0) return "slide";
  ns_scene_fault(
      s, "/data/joints", j->name,
      "names the coordinate %g, expected 0 of a hinge or a slide, 0 or 1 of a cylindrical joint",
      dof);
  return "auto";
}

/* Name k of a list, or its one name for all. */
static const char *name_of(const ns_hdf5_value *v, size_t k)
{
  if (!v) return "";
  return v->text[v->n == 1 ? 0 : (k < v->n ? k : v->n - 1)];
}

/* Stops of one coordinate and law are one pair of limits. */
static void put_stops(scene *s, FILE *f, const scene_joint *j)
{
  size_t n = j->stops ? j->stops->n / 3 : 0;
  for (size_t k = 0; k < n; k++) {
    const double *x = j->stops->number;
    double lower = -INFINITY, upper = INFINITY;
    int first = 1;
    for (size_t i = 0; i < n; i++) {
      if (x[3 * i] != x[3 * k]) continue;
      if (i < k) first = 0;
      if (x[3 * i + 2] > 0) lower = fmax(lower, x[3 * i + 1]);
      else upper = fmin(upper, x[3 * i + 1]);
    }
    const char *name = name_of(j->laws, k);
    const scene_law *l = *name ? ns_scene_law_find(s, name) : NULL;
    if (!first) continue;
    if (*name && (!l || l->kind == SCENE_RELAY))
      ns_scene_note(s, 1, "the law %.60s of the stops of %.60s is not an impact law: e = 0 is used",
                    name, j->name);
    fprintf(f,
            "    <interaction id=\"%s-stop%zu\">\n      <JointStopR joint=\"%s\" coordinate=\"%s\"",
            j->id, k + 1, j->id, coordinate(s, j, x[3 * k]));
    ns_scene_put_attribute(f, "lower", lower);
    ns_scene_put_attribute(f, "upper", upper);
    fputs("/>\n      <NewtonImpactNSL", f);
    ns_scene_put_attribute(f, "e", l ? l->e : 0);
    fputs("/>\n    </interaction>\n", f);
  }
}

/* Bounds there are impulses of a step: forces by its length. */
static void put_friction(scene *s, FILE *f, const scene_joint *j)
{
  size_t n = j->friction ? j->friction->n : 0;
  for (size_t k = 0; k < n; k++) {
    const char *name = name_of(j->friction, k);
    const scene_law *l = *name ? ns_scene_law_find(s, name) : NULL;
    if (!*name) continue;
    if (!l || l->kind != SCENE_RELAY) {
      ns_scene_fault(s, "/data/joints", j->name,
                     "attribute friction names %.60s, expected a law of type RelayNSL", name);
      continue;
    }
    fprintf(f,
            "    <interaction id=\"%s-friction%zu\">\n      <JointFrictionR joint=\"%s\" "
            "coordinate=\"%s\"/>\n      <RelayNSL",
            j->id, k + 1, j->id, coordinate(s, j, (double)k));
    ns_scene_put_attribute(f, "lb", l->lb / s->h);
    ns_scene_put_attribute(f, "ub", l->ub / s->h);
    fputs("/>\n    </interaction>\n", f);
    ns_scene_note(
        s, 0, "bounds of joint friction were impulses of a step: they are divided by %g s", s->h);
  }
}

static void put_coupler(scene *s, FILE *f, const char *id, const scene_joint *a,
                        const scene_joint *b, const double *row)
{
  fprintf(
      f, "    <interaction id=\"%s\">\n      <CouplerJointR joints=\"%s %s\" coordinates=\"%s %s\"",
      id, a->id, b->id, coordinate(s, a, row[0]), coordinate(s, b, row[1]));
  ns_scene_put_attribute(f, "ratio", row[2]);
  if (a != b) fputs(" collide=\"false\"", f);
  fputs("/>\n      <EqualityConditionNSL/>\n    </interaction>\n", f);
}

/* Coordinates are those of the joints, whichever of their bodies is the common carrier: seen in
 * release 4.4. */
static void put_coupled(scene *s, FILE *f, const scene_joint *j)
{
  for (size_t k = 0; j->coupled && k < j->coupled->n / 3; k++) {
    const double *row = j->coupled->number + 3 * k;
    char id[100];
    if (j->kind != SCENE_COUPLER) {
      snprintf(id, sizeof id, "%s-screw%zu", j->id, k + 1);
      put_coupler(s, f, id, j, j, row);
      continue;
    }
    const scene_joint *a = ns_scene_joint_find(s, name_of(j->references, 0)),
                      *b = ns_scene_joint_find(s, name_of(j->references, 1));
    if (!a || !b || !j->references || j->references->n < 2) {
      ns_scene_fault(s, "/data/joints", j->name,
                     "attribute references does not name two joints, expected two");
      continue;
    }
    put_coupler(s, f, j->id, a, b, row);
  }
}

static void put_joint(scene *s, FILE *f, const scene_joint *j)
{
  static const char *const kinds[] = {"KneeJointR", "PivotJointR", "PrismaticJointR",
                                      "CylindricalJointR", "FixedJointR"};
  fprintf(f, "    <interaction id=\"%s\" systems=\"%s", j->id, j->body[0]->id);
  if (j->body[1]) fprintf(f, " %s", j->body[1]->id);
  fprintf(f, "\">\n      <%s", kinds[j->kind]);
  int has_point = j->kind == SCENE_KNEE || j->kind == SCENE_PIVOT || j->kind == SCENE_CYLINDRICAL;
  int has_axis = j->kind == SCENE_PIVOT || j->kind == SCENE_PRISMATIC ||
                 j->kind == SCENE_CYLINDRICAL;
  if (has_point) fprintf(f, " point=\"%s\"", NUMBERS(j->point, s->planar ? 2 : 3));
  if (has_axis && !(s->planar && j->kind == SCENE_PIVOT))
    fprintf(f, " axis=\"%s\"", NUMBERS(j->axis, s->planar ? 2 : 3));
  if (!j->absolute && (has_point || has_axis)) fputs(" axes=\"body\"", f);
  /* bodies of a hinge overlap at its pin */
  if (j->stops && j->body[1] && j->kind == SCENE_PRISMATIC) {
    fputs(" collide=\"true\"", f);
    ns_scene_note(s, 0,
                  "the bodies of %.60s, which has stops, can collide: release 4.4 disables "
                  "collisions only for joints without stops",
                  j->name);
  }
  fputs("/>\n      <EqualityConditionNSL/>\n    </interaction>\n", f);
}

static void put_interactions(scene *s, FILE *f)
{
  if (!s->njoints) return;
  fputs("  <interactions>\n", f);
  for (int k = 0; k < s->njoints; k++)
    if (s->joint[k].kind != SCENE_COUPLER) put_joint(s, f, &s->joint[k]);
  for (int k = 0; k < s->njoints; k++) {
    put_stops(s, f, &s->joint[k]);
    put_friction(s, f, &s->joint[k]);
    put_coupled(s, f, &s->joint[k]);
  }
  fputs("  </interactions>\n", f);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void put_parameter(FILE *f, const char *name, double x, const char *unit, const char *help)
{
  fprintf(f, "    <parameter name=\"%s\" value=\"%s", name, NUMBER(x));
  if (*unit) fprintf(f, "\" unit=\"%s", unit);
  fprintf(f, "\" help=\"%s\"/>\n", help);
}

void ns_scene_write(scene *s, FILE *f)
{
  group_list g;
  find_groups(s, &g);
  fputs("  <parameters>\n", f);
  put_parameter(f, "g", s->g, "m/s^2", s->planar ? "gravity, along -y" : "gravity, along -z");
  fputs("  </parameters>\n  <systems>\n", f);
  for (int k = 0; k < s->nobjects; k++)
    if (!s->object[k].fixed) put_body(s, f, &g, &s->object[k]);
  fputs("  </systems>\n", f);
  put_contacts(s, f, &g);
  put_interactions(s, f);
  fprintf(
      f,
      "  <simulation T=\"%s\">\n    <TimeStepping h=\"%s\">\n      <MoreauJeanOSI theta=\"%s\"/>\n"
      "    </TimeStepping>\n  </simulation>\n",
      NUMBER(s->T), NUMBER(s->h), NUMBER(s->theta));
}
