/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scene_read.c -- objects, laws, joints and conditions of a scene from the tree of its file. */
#include "algebra/vector.h"
#include "base/text.h"
#include "io/import/scene.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- attributes ------------------------------------------------------------------------------ */

static const char *const where[] = {"/data/ref", "/data/input", "/data/nslaws", "/data/joints",
                                    "/data/boundary_conditions"};

static const ns_hdf5_value *attribute(const ns_hdf5_node *n, const char *name)
{
  int k = NS_NAMED_INDEX(ns_hdf5_value, name, n->attribute, n->nattributes, name);
  return k < 0 ? NULL : &n->attribute[k];
}

const ns_hdf5_value *ns_scene_attribute(const ns_hdf5_node *n, const char *name)
{
  const ns_hdf5_value *v = attribute(n, name);
  return v && v->n ? v : NULL;
}

double ns_scene_meant(double x, int single)
{
  char text[40];
  if (!single) return x;
  for (int digits = 1; digits <= FLT_DECIMAL_DIG; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, x);
    if ((float)strtod(text, NULL) == (float)x) break;
  }
  return strtod(text, NULL);
}

/* n finite numbers; 1: they are there, 0: absent, -1: reported. */
static int numbers(scene *s, int group, const ns_hdf5_node *node, const char *name, int n,
                   double *x)
{
  const ns_hdf5_value *v = ns_scene_attribute(node, name);
  if (!v) return 0;
  if (!v->number || v->n != (size_t)n) {
    ns_scene_fault(s, where[group], node->name,
                   "attribute %s contains %zu %s, expected %d number%s", name, v->n,
                   v->number ? "numbers" : "entries that are not numbers", n, n == 1 ? "" : "s");
    return -1;
  }
  for (int k = 0; k < n; k++) {
    x[k] = ns_scene_meant(v->number[k], v->single);
    if (isfinite(x[k])) continue;
    ns_scene_fault(s, where[group], node->name, "attribute %s contains %g, expected finite numbers",
                   name, x[k]);
    return -1;
  }
  return 1;
}

/* One number, `otherwise` where it is absent. */
static double number(scene *s, int group, const ns_hdf5_node *node, const char *name,
                     double otherwise)
{
  double x = otherwise;
  return numbers(s, group, node, name, 1, &x) < 0 ? otherwise : x;
}

static int integer(scene *s, int group, const ns_hdf5_node *node, const char *name, int otherwise)
{
  double x = number(s, group, node, name, otherwise);
  if (x == floor(x) && fabs(x) < 1e9) return (int)x;
  ns_scene_fault(s, where[group], node->name, "attribute %s is %g, expected an integer", name, x);
  return otherwise;
}

/* One text, NULL where it is absent. */
static const char *text(scene *s, int group, const ns_hdf5_node *node, const char *name)
{
  const ns_hdf5_value *v = ns_scene_attribute(node, name);
  if (!v) return NULL;
  if (v->text) return v->text[0];
  ns_scene_fault(s, where[group], node->name, "attribute %s is not a text, expected one", name);
  return NULL;
}

/* A unit quaternion or, in the plane, an angle as one. */
static void turn(scene *s, int group, const ns_hdf5_node *node, double *q)
{
  const ns_hdf5_value *v = ns_scene_attribute(node, "orientation");
  double angle = 0, length;
  q[0] = 1;
  q[1] = q[2] = q[3] = 0;
  if (!v) return;
  if (v->n == 1) {
    if (numbers(s, group, node, "orientation", 1, &angle) < 0) return;
    q[0] = cos(angle / 2);
    q[3] = sin(angle / 2);
    return;
  }
  if (numbers(s, group, node, "orientation", 4, q) < 0) return;
  length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (!(length > 1e-12 && length < 1e12)) {
    ns_scene_fault(s, where[group], node->name,
                   "attribute orientation has the length %g, expected a unit quaternion", length);
    return;
  }
  if (fabs(length - 1) > 1e-6)
    ns_scene_note(s, 0, "orientation of %.60s was scaled to length 1 from %.8g", node->name,
                  length);
  ns_divide(4, length, q);
}

/* A point of two or three numbers. */
static int point(scene *s, int group, const ns_hdf5_node *node, const char *name, double *x)
{
  const ns_hdf5_value *v = ns_scene_attribute(node, name);
  return numbers(s, group, node, name, v && v->n == 2 ? 2 : 3, x);
}

/* ---- names ----------------------------------------------------------------------------------- */

static scene_shape *find_shape(const scene *s, const char *name)
{
  int k = NS_NAMED_INDEX(scene_shape, name, s->shape, s->nshapes, name);
  return k < 0 ? NULL : &s->shape[k];
}

static const scene_object *find_object(const scene *s, const char *name)
{
  int k = NS_NAMED_INDEX(scene_object, name, s->object, s->nobjects, name);
  return k < 0 ? NULL : &s->object[k];
}

const scene_law *ns_scene_law_find(const scene *s, const char *name)
{
  int k = NS_NAMED_INDEX(scene_law, name, s->law, s->nlaws, name);
  return k < 0 ? NULL : &s->law[k];
}

const scene_joint *ns_scene_joint_find(const scene *s, const char *name)
{
  int k = NS_NAMED_INDEX(scene_joint, name, s->joint, s->njoints, name);
  return k < 0 ? NULL : &s->joint[k];
}

static int is_name_character(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

/* An id of the model from a name of the file. */
static const char *make_id(scene *s, const char *name)
{
  char made[64], id[80];
  size_t n = 0;
  if (!((*name | 32) >= 'a' && (*name | 32) <= 'z') && *name != '_') made[n++] = '_';
  for (const char *p = name; *p && n + 1 < sizeof made; p++) {
    if (is_name_character(*p)) made[n++] = *p;
    else if (!n || made[n - 1] != '_') made[n++] = '_';
  }
  made[n] = 0;
  snprintf(id, sizeof id, "%s", made);
  for (int k = 2; ns_import_has_id(&s->text, id) || !strcmp(id, "world"); k++)
    snprintf(id, sizeof id, "%s_%d", made, k);
  if (strcmp(id, name)) ns_scene_note(s, 0, "\"%.60s\" is renamed to %s", name, id);
  const char *kept = ns_import_add_id(&s->text, id);
  return kept ? kept : "";
}

/* ---- objects --------------------------------------------------------------------------------- */

static void read_contactor(scene *s, const ns_hdf5_node *node, const scene_object *o,
                           const double *com, scene_contactor *k)
{
  const char *shape = text(s, SCENE_INPUT, node, "shape_name");
  k->name = node->name;
  k->shape = shape ? find_shape(s, shape) : NULL;
  if (ns_scene_attribute(node, "parameters") || !attribute(node, "group"))
    ns_scene_note(
        s, 1,
        "contactor %.60s of %.60s is a volume or shape of OpenCASCADE without contacts: omitted",
        node->name, o->name);
  else if (!k->shape && !s->bad)
    ns_scene_fault(s, where[SCENE_INPUT], o->name,
                   "contactor %.60s names the shape %.60s, expected one of /data/ref", node->name,
                   shape ? shape : "(none)");
  if (ns_scene_attribute(node, "contact_index"))
    ns_scene_note(s, 1, "contactor %.60s of %.60s is a face or an edge of OpenCASCADE: omitted",
                  node->name, o->name);
  k->group = integer(s, SCENE_INPUT, node, "group", -1);
  point(s, SCENE_INPUT, node, "translation", k->at);
  turn(s, SCENE_INPUT, node, k->turn);
  ns_axpy(3, -1, com, k->at);
}

/* 1, 3 or 9 numbers; of another number the peer takes none, and says so. */
static void read_inertia(scene *s, const ns_hdf5_node *node, scene_object *o)
{
  const ns_hdf5_value *v = ns_scene_attribute(node, "inertia");
  double x[9] = {0};
  if (!v || o->fixed) return;
  int n = v->n == 1 || v->n == 3 || v->n == 9 ? (int)v->n : 0;
  if (!n) {
    ns_scene_note(s, 1, "inertia of %.60s has %zu numbers, expected 3 or 9: ignored", o->name,
                  v->n);
    return;
  }
  if (numbers(s, SCENE_INPUT, node, "inertia", n, x) < 0) return;
  o->ninertia = n;
  memcpy(o->inertia, x, sizeof o->inertia);
}

static void read_motion(scene *s, const ns_hdf5_node *node, scene_object *o)
{
  double mass[1] = {0}, com[3] = {0};
  int given = numbers(s, SCENE_INPUT, node, "mass", 1, mass);
  if (!attribute(node, "translation") || point(s, SCENE_INPUT, node, "translation", o->x) == 0)
    ns_scene_fault(s, where[SCENE_INPUT], o->name,
                   "attribute translation is missing, expected the position of the centre of mass");
  turn(s, SCENE_INPUT, node, o->q);
  o->angle = 2 * atan2(o->q[3], o->q[0]);
  o->fixed = given <= 0 || mass[0] == 0;
  o->mass = mass[0];
  if (given > 0 && mass[0] < 0)
    ns_scene_fault(s, where[SCENE_INPUT], o->name,
                   "attribute mass is %g, expected a positive number", mass[0]);
  if (given > 0 && mass[0] == 0) ns_scene_note(s, 0, "%.60s of mass 0 is fixed", o->name);
  if (!o->fixed) numbers(s, SCENE_INPUT, node, "velocity", s->planar ? 3 : 6, o->v);
  read_inertia(s, node, o);
  o->birth = number(s, SCENE_INPUT, node, "time_of_birth", NAN);
  o->death = number(s, SCENE_INPUT, node, "time_of_death", NAN);
  if (o->death <= o->birth || o->death <= 0)
    ns_scene_fault(s, where[SCENE_INPUT], o->name,
                   "attribute time_of_death is %g, expected a time after that of birth", o->death);
  point(s, SCENE_INPUT, node, "center_of_mass", com);
  o->contactor = ns_scene_memory(s, (size_t)node->nchildren + 1, sizeof *o->contactor);
  for (int k = 0; k < node->nchildren && o->contactor; k++) {
    scene_contactor *made = &o->contactor[o->ncontactors];
    read_contactor(s, &node->child[k], o, com, made);
    o->ncontactors += made->shape != NULL;
  }
}

static void read_object(scene *s, const ns_hdf5_node *node, scene_object *o)
{
  const char *type = text(s, SCENE_INPUT, node, "type");
  o->name = node->name;
  o->birth = o->death = NAN;
  if (type && strstr(type, "aggregate")) {
    ns_scene_fault(s, where[SCENE_INPUT], o->name,
                   "is an aggregate, which no release of Siconos writes, expected single objects");
    return;
  }
  if (attribute(node, "material") || attribute(node, "nodal_forces")) {
    ns_scene_fault(s, where[SCENE_INPUT], o->name,
                   "is a flexible body, which is not imported, expected rigid ones");
    return;
  }
  if (attribute(node, "fext"))
    ns_scene_note(s, 1, "fext of %.60s is ignored, as it is by release 4.4", o->name);
  read_motion(s, node, o);
  o->id = make_id(s, node->name);
}

/* ---- laws ------------------------------------------------------------------------------------ */

static void read_law(scene *s, const ns_hdf5_node *node, scene_law *l)
{
  const char *type = text(s, SCENE_LAWS, node, "type");
  int k = 0, joint;
  l->name = node->name;
  while (ns_scene_laws[k] && (!type || strcmp(type, ns_scene_laws[k]))) k++;
  if (!ns_scene_laws[k]) {
    ns_scene_fault(
        s, where[SCENE_LAWS], l->name,
        "is of type %.60s, expected one of NewtonImpactFrictionNSL, "
        "NewtonImpactRollingFrictionNSL, NewtonImpactNSL, FremondImpactFrictionNSL, RelayNSL",
        type ? type : "(none)");
    return;
  }
  l->kind = (scene_law_kind)k;
  joint = l->kind == SCENE_IMPACT || l->kind == SCENE_RELAY;
  l->group[0] = integer(s, SCENE_LAWS, node, "gid1", joint ? -1 : 0);
  l->group[1] = integer(s, SCENE_LAWS, node, "gid2", joint ? -1 : 0);
  l->mu = number(s, SCENE_LAWS, node, "mu", 0);
  l->mu_r = number(s, SCENE_LAWS, node, "mu_r", 0);
  l->e = number(s, SCENE_LAWS, node, "e", 0);
  l->lb = number(s, SCENE_LAWS, node, "lb", 0);
  l->ub = number(s, SCENE_LAWS, node, "ub", 0);
  if (l->mu < 0 || l->mu_r < 0 || l->e < 0 || l->e > 1 || l->lb > l->ub)
    ns_scene_fault(s, where[SCENE_LAWS], l->name,
                   "has mu = %g, mu_r = %g, e = %g, lb = %g, ub = %g, expected mu, mu_r >= 0, e in "
                   "[0, 1] and lb <= ub",
                   l->mu, l->mu_r, l->e, l->lb, l->ub);
}

/* ---- joints ---------------------------------------------------------------------------------- */

static const scene_object *body_of(scene *s, int group, const ns_hdf5_node *node, const char *name)
{
  const char *object = text(s, group, node, name);
  const scene_object *o = object ? find_object(s, object) : NULL;
  if (object && (!o || o->fixed))
    ns_scene_fault(s, where[group], node->name,
                   "attribute %s is %.60s, expected the name of an object with mass", name, object);
  return o;
}

/* The first of the points or axes. */
static void read_direction(scene *s, const ns_hdf5_node *node, const char *name, double *x)
{
  const ns_hdf5_value *v = ns_scene_attribute(node, name);
  double all[30];
  if (!v) return;
  if (!v->number || v->n % 3 || v->n > 30) {
    ns_scene_fault(s, where[SCENE_JOINTS], node->name,
                   "attribute %s contains %zu entries, expected three numbers for each", name,
                   v->n);
    return;
  }
  if (numbers(s, SCENE_JOINTS, node, name, (int)v->n, all) > 0) memcpy(x, all, 3 * sizeof *x);
}

/* Rows of three numbers, NULL where there are none. */
static const ns_hdf5_value *triples(scene *s, const ns_hdf5_node *node, const char *name)
{
  const ns_hdf5_value *v = ns_scene_attribute(node, name);
  if (!v) return NULL;
  int good = v->number && v->n % 3 == 0 && v->n <= 300;
  for (size_t k = 0; good && k < v->n; k++)
    good = isfinite(v->number[k]) && fabs(v->number[k]) < 1e9;
  if (good) return v;
  ns_scene_fault(s, where[SCENE_JOINTS], node->name,
                 "attribute %s contains %zu entries, expected rows of three finite numbers", name,
                 v->n);
  return NULL;
}

static const ns_hdf5_value *names(scene *s, const ns_hdf5_node *node, const char *name)
{
  const ns_hdf5_value *v = ns_scene_attribute(node, name);
  if (!v || v->text) return v;
  ns_scene_fault(s, where[SCENE_JOINTS], node->name,
                 "attribute %s contains no texts, expected names", name);
  return NULL;
}

static void read_joint(scene *s, const ns_hdf5_node *node, scene_joint *j)
{
  static const char *const kinds[] = {"KneeJointR",        "PivotJointR", "PrismaticJointR",
                                      "CylindricalJointR", "FixedJointR", "CouplerJointR"};
  const char *type = text(s, SCENE_JOINTS, node, "type");
  int k = type ? 0 : SCENE_PIVOT;
  j->name = node->name;
  while (type && k < 6 && strcmp(type, kinds[k])) k++;
  if (k == 6) {
    ns_scene_fault(s, where[SCENE_JOINTS], j->name,
                   "is of type %.60s, expected KneeJointR, PivotJointR, PrismaticJointR, "
                   "CylindricalJointR, FixedJointR or CouplerJointR",
                   type);
    return;
  }
  j->kind = (scene_joint_kind)k;
  j->id = make_id(s, node->name);
  j->body[0] = body_of(s, SCENE_JOINTS, node, "object1");
  j->body[1] = body_of(s, SCENE_JOINTS, node, "object2");
  j->axis[1] = 1;
  read_direction(s, node, "points", j->point);
  read_direction(s, node, "axes", j->axis);
  j->absolute = number(s, SCENE_JOINTS, node, "absolute", 1) != 0;
  j->stops = triples(s, node, "stops");
  j->coupled = triples(s, node, "coupled");
  j->laws = names(s, node, "nslaws");
  j->friction = names(s, node, "friction");
  j->references = names(s, node, "references");
  if (!ns_scene_attribute(node, "object1") && j->kind != SCENE_COUPLER)
    ns_scene_fault(s, where[SCENE_JOINTS], j->name,
                   "attribute object1 is missing, expected the name of an object with mass");
  if (number(s, SCENE_JOINTS, node, "allow_self_collide", 0) != 0)
    ns_scene_note(s, 0,
                  "allow_self_collide of %.60s is ignored, as its bodies never collide in release "
                  "4.4; collide=\"true\" lets them",
                  j->name);
}

/* ---- conditions ------------------------------------------------------------------------------ */

static void read_boundary(scene *s, const ns_hdf5_node *node, scene_boundary *b)
{
  static const char *const harmonic[] = {"a", "b", "omega", "phi"};
  const ns_hdf5_value *v = ns_scene_attribute(node, "indices");
  double index[6] = {0};
  b->node = node;
  b->type = text(s, SCENE_CONDITIONS, node, "type");
  b->body = body_of(s, SCENE_CONDITIONS, node, "object1");
  b->n = v && v->n <= 6 ? (int)v->n : 0;
  if (!b->body || !b->n || !b->type ||
      numbers(s, SCENE_CONDITIONS, node, "indices", b->n, index) < 0) {
    ns_scene_fault(s, where[SCENE_CONDITIONS], node->name,
                   "has no object1, no type or not 1 to 6 indices, expected all of them");
    return;
  }
  for (int k = 0; k < b->n; k++) {
    b->index[k] = (int)fmin(fmax(index[k], -1), 6);
    if (b->index[k] < 0 || b->index[k] >= (s->planar ? 3 : 6) || b->index[k] != index[k])
      ns_scene_fault(s, where[SCENE_CONDITIONS], node->name, "index %g, expected one of 0 to %d",
                     index[k], s->planar ? 2 : 5);
  }
  int given = 1;
  if (!strcmp(b->type, "HarmonicBC"))
    for (int k = 0; k < 4; k++)
      given &= numbers(s, SCENE_CONDITIONS, node, harmonic[k], b->n, b->value[k]) != 0;
  else if (!strcmp(b->type, "BoundaryCondition"))
    given = numbers(s, SCENE_CONDITIONS, node, "v", b->n, b->value[0]) != 0;
  else if (strcmp(b->type, "FixedBC"))
    ns_scene_fault(s, where[SCENE_CONDITIONS], node->name,
                   "is of type %.60s, expected HarmonicBC, FixedBC or BoundaryCondition", b->type);
  if (!given)
    ns_scene_fault(s, where[SCENE_CONDITIONS], node->name, "is incomplete, expected %s",
                   *b->type == 'H' ? "a, b, omega and phi" : "v");
}

/* ---- all ------------------------------------------------------------------------------------- */

/* What has no place in the model: said, never dropped in silence. */
static void read_strangers(scene *s)
{
  const ns_hdf5_node *g = s->tree.child;
  for (int k = 0; k < g[SCENE_PERMANENT].nchildren; k++)
    ns_scene_fault(s, "/data/permanent_interactions", g[SCENE_PERMANENT].child[k].name,
                   "is a contact of OpenCASCADE shapes, which are not imported");
  for (int k = 0; k < g[SCENE_FUNCTIONS].nchildren; k++)
    ns_scene_note(s, 1,
                  "the external function %.60s is compiled C code and is ignored: write its force "
                  "as a formula, or as a plug-in",
                  g[SCENE_FUNCTIONS].child[k].name);
  for (int k = 0; k < g[SCENE_PLUGINS].nchildren; k++)
    ns_scene_note(s, 1, "the plug-in %.60s, source in C, is ignored",
                  g[SCENE_PLUGINS].child[k].name);
}

/* Two conditions of one body: the last one wins, as there. */
static void drop_conditions(scene *s)
{
  for (int i = 0; i < s->nboundaries; i++)
    for (int k = i + 1; k < s->nboundaries; k++)
      if (s->boundary[i].body && s->boundary[i].body == s->boundary[k].body) {
        ns_scene_note(s, 1, "condition %.60s is ignored: %.60s of the same body replaces it",
                      s->boundary[i].node->name, s->boundary[k].node->name);
        s->boundary[i].body = NULL;
      }
}

void ns_scene_read(scene *s)
{
  const ns_hdf5_node *g = s->tree.child;
  double dimension = 3;
  const ns_hdf5_value *v = ns_scene_attribute(&s->tree, "dimension");
  if (v && v->number) dimension = v->number[0];
  s->planar = dimension == 2;
  s->shape = ns_scene_memory(s, (size_t)g[SCENE_REF].nchildren + 1, sizeof *s->shape);
  s->object = ns_scene_memory(s, (size_t)g[SCENE_INPUT].nchildren + 1, sizeof *s->object);
  s->law = ns_scene_memory(s, (size_t)g[SCENE_LAWS].nchildren + 1, sizeof *s->law);
  s->joint = ns_scene_memory(s, (size_t)g[SCENE_JOINTS].nchildren + 1, sizeof *s->joint);
  s->boundary = ns_scene_memory(s, (size_t)g[SCENE_CONDITIONS].nchildren + 1, sizeof *s->boundary);
  if (!s->shape || !s->object || !s->law || !s->joint || !s->boundary) return;
  if (!g[SCENE_INPUT].nchildren)
    ns_scene_fault(s, "/data/input", "",
                   "contains no objects, expected a scene of siconos.io.mechanics_run: groups ref, "
                   "input, nslaws in /data");
  for (int k = 0; k < g[SCENE_REF].nchildren; k++)
    ns_scene_read_shape(s, &g[SCENE_REF].child[k], &s->shape[s->nshapes++]);
  for (int k = 0; k < g[SCENE_INPUT].nchildren; k++)
    read_object(s, &g[SCENE_INPUT].child[k], &s->object[s->nobjects++]);
  for (int k = 0; k < g[SCENE_LAWS].nchildren; k++)
    read_law(s, &g[SCENE_LAWS].child[k], &s->law[s->nlaws++]);
  for (int k = 0; k < g[SCENE_JOINTS].nchildren; k++)
    read_joint(s, &g[SCENE_JOINTS].child[k], &s->joint[s->njoints++]);
  for (int k = 0; k < g[SCENE_CONDITIONS].nchildren; k++)
    read_boundary(s, &g[SCENE_CONDITIONS].child[k], &s->boundary[s->nboundaries++]);
  read_strangers(s);
  drop_conditions(s);
}
