/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_forces.c -- <spring>, <damper>, <tendon> and <force> between points of rigid bodies. */
#include "io/load/load_frame.h"
#include "io/load/load_rigid.h"

#include "algebra/rotation.h"
#include "model/systems/rigid_force.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Formulas, in the order of their operators. */
enum { ALONG, VECTOR, TORQUE, FORMULAS };
static const char *const formula_names[FORMULAS] = {"along", "vector", "torque"};
enum { STIFFNESS, DAMPING, REST_LENGTH, PRELOAD, NUMBERS };
static const char *const number_names[NUMBERS] = {"stiffness", "damping", "restLength", "preload"};
static const char *const point_names[] = {"point1", "point2", "points"};

/* Numbers of a tendon: of pieces between points, of joints. */
enum { STRANDS, COEFFICIENTS, LISTS };
static const char *const list_names[LISTS] = {"strands", "coefficients"};

typedef struct force_made {
  ns_template id;
  ns_refs systems, joints; /* it goes through points of these, or over those */
  ns_joint_word coordinate[NS_FORCE_ENDS];
  ns_vector3 point[3], list[LISTS];
  ns_scalar number[NUMBERS];
  int given[NUMBERS];
  ns_motor_made *motor; /* NULL: none */
  ns_body_force proto;
  /* formulas, and whom they were made for: the last instance */
  int made, by_id;
  const int *bodies;
  ns_value value[FORMULAS], by[FORMULAS];
} made;

/* ---- of an element --------------------------------------------------------------------------- */

static int has_formula(const ns_elem *e)
{
  for (int k = 0; k < FORMULAS; k++)
    if (ns_elem_value(e, formula_names[k])) return 1;
  return 0;
}

/* <motor> of a tendon. */
static const ns_elem *motor_of(const ns_elem *e)
{
  return e->made && ((const made *)e->made)->motor ? ns_elem_value(e, "motor") : NULL;
}

/* It is described by numbers or by a formula. */
static int check_form(ns_load *l, const ns_elem *e, const made *m)
{
  static const char *const wants[] = {
      "stiffness=\"1e3\" or <along>-k*length</along>", "damping=\"10\" or <along>-c*rate</along>",
      "stiffness=\"1e3\" or <along>-k*length</along>",
      "<along>, <vector> or <torque>, such as <along>-k/length^2</along>"};
  ns_force_kind kind = m->proto.kind;
  int first = kind == NS_FORCE_DAMPER ? DAMPING : STIFFNESS, formula = has_formula(e);
  for (int k = 0; k < NUMBERS && formula; k++)
    if (m->given[k])
      return ns_elem_fail(&l->msg, e, NULL,
                          "has a formula and %s, expected one of them; remove the other",
                          number_names[k]);
  if (formula || m->motor || (kind != NS_FORCE_GENERAL && m->given[first])) return NS_OK;
  if (kind == NS_FORCE_TENDON && m->given[PRELOAD]) return NS_OK;
  return ns_elem_fail(&l->msg, e, NULL, "has no formula and no parameters, expected %s",
                      wants[kind]);
}

/* What it runs between or over. */
static int make_ends(ns_load *l, const ns_elem *e, const ns_indices *index, made *m)
{
  int tendon = m->proto.kind == NS_FORCE_TENDON, bad = 0, rc = NS_OK;
  int over = tendon && ns_elem_attr(e, "joints"), points = ns_elem_attr(e, "systems") != NULL;
  static const char *const others[] = {"points", "strands", "coefficients", "coordinates"};
  if (over == points)
    return ns_elem_fail(&l->msg, e, NULL,
                        "%s, expected the bodies of its points, systems=\"arm world\" points=, or "
                        "the joints over which it runs, joints=\"hinge1 hinge2\" coefficients=",
                        over ? "has systems and joints" : "has neither systems nor joints");
  for (int k = 0; k < 4 && tendon; k++)
    if (ns_elem_attr(e, others[k]) && over != (k >= 2))
      return ns_elem_fail(&l->msg, e, NULL, "has %s with %s, expected it of a tendon %s; %s",
                          others[k], over ? "joints" : "systems",
                          over ? "through points" : "over joints", "remove it");
  if (over && !ns_elem_attr(e, "coefficients")) return ns_elem_missing(&l->msg, e, "coefficients");
  bad = rc = ns_refs_make(l, e, over ? "joints" : "systems", index,
                          over ? &m->joints : &m->systems);
  for (int k = 0; k < 3 && rc != NS_NOMEM; k++)
    bad |= rc = ns_vectors_make(l, e, point_names[k], index, &m->point[k]);
  for (int k = 0; k < LISTS && tendon && rc != NS_NOMEM; k++)
    bad |= rc = ns_vector3_make(l, e, list_names[k], 0, index, &m->list[k]);
  if (rc == NS_NOMEM || bad || !over) return ns_load_verdict(rc, bad);
  if (m->joints.n < 1 || m->joints.n > NS_FORCE_ENDS)
    return ns_elem_fail(&l->msg, e, NULL, "runs over %d joints, expected 1 to %d", m->joints.n,
                        (int)NS_FORCE_ENDS);
  return ns_load_joint_words(l, e, m->joints.n, m->coordinate);
}

static int make(ns_load *l, ns_elem *e, const ns_indices *index)
{
  static const char *const kinds[] = {"spring", "damper", "tendon", "force"};
  const char *id = ns_elem_attr(e, "id");
  made *m = e->made = ns_arena_zero(l->scratch, 1, sizeof *m);
  if (!m) return ns_nomem(&l->msg.c, "a force between bodies");
  m->proto.at = (ns_place){.file = e->file, .element = e->def->name, .line = e->line};
  while (strcmp(kinds[m->proto.kind], e->name)) m->proto.kind++;
  int bad = ns_template_make(l, e, "id", id, strlen(id), index, &m->id), rc = bad;
  if (rc != NS_NOMEM) bad |= rc = make_ends(l, e, index, m);
  m->proto.pushes = ns_load_word(l, e, "pushes", 0);
  bad |= m->proto.pushes < 0;
  for (int k = 0; k < NUMBERS && rc != NS_NOMEM; k++) {
    m->given[k] = ns_elem_item(e, number_names[k]) && ns_elem_attr(e, number_names[k]);
    if (m->given[k])
      bad |= rc = ns_load_attribute_make(l, e, number_names[k], index, &m->number[k]);
  }
  const ns_elem *motor = ns_elem_value(e, "motor");
  if (motor && rc != NS_NOMEM) bad |= rc = ns_motor_make(l, motor, index, &m->motor);
  if (!bad) bad = check_form(l, e, m);
  return ns_load_verdict(rc, bad);
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* A rigid body, of the kind of those before it. */
static int check_body(ns_load *l, const ns_elem *e, const ns_system *s, const ns_system *before,
                      const char *id)
{
  if (!ns_system_is_rigid(s))
    return ns_elem_fail(&l->msg, e, id,
                        "acts on %s, a %s, expected rigid bodies; between coordinates of other "
                        "systems a force is a formula: <fInt>k*(x - other.x)</fInt>",
                        s->at.id, s->kind->name);
  if (before && ns_system_is_planar(before) != ns_system_is_planar(s))
    return ns_elem_fail(
        &l->msg, e, id,
        "acts on %s in the plane and on %s in space, expected bodies of the same kind",
        ns_system_is_planar(s) ? s->at.id : before->at.id,
        ns_system_is_planar(s) ? before->at.id : s->at.id);
  return NS_OK;
}

/* Which bodies: one for each end, the world added to a single one. */
static int get_bodies(ns_load *l, const ns_elem *e, made *m, const ns_indices *index,
                      ns_body_force *f, ns_force_end *end)
{
  const char *id = f->at.id;
  int n = m->systems.n, max = f->kind == NS_FORCE_TENDON ? NS_FORCE_ENDS : 2,
      *systems = ns_arena_get(l->m->arena, (size_t)n + 1, sizeof *systems);
  const ns_system *first = NULL;
  if (!systems) return ns_nomem(&l->msg.c, "bodies of a force");
  f->systems = systems;
  if (n < 1 || n > max)
    return ns_elem_fail(&l->msg, e, id, "names %d systems, expected %s", n,
                        max == 2 ? "two bodies, or a body and the world"
                                 : "1 to 16, the body of each point");
  for (int k = 0; k < n; k++) {
    int rc = ns_refs_body(l, e, &m->systems, k, index, id, &end[k].system);
    if (rc) return rc;
    if (end[k].system == NS_WORLD) continue;
    const ns_system *s = &l->m->systems[end[k].system];
    if ((rc = check_body(l, e, s, first, id))) return rc;
    if (!first) first = s;
    systems[f->nsystems++] = end[k].system;
    f->nZ += s->nz;
  }
  f->nends = n == 1 ? 2 : n;
  if (n == 1) end[1].system = NS_WORLD;
  if (!first || (max == 2 && end[0].system == NS_WORLD))
    return ns_elem_fail(&l->msg, e, id,
                        "starts at the world, expected a body first: systems=\"ball world\"");
  f->planar = ns_system_is_planar(first);
  return NS_OK;
}

/* Numbers of an attribute, so many for each of n ends. */
static int get_points(ns_load *l, const ns_elem *e, const char *name, const ns_vector3 *v,
                      const ns_indices *index, int n, const ns_body_force *f, ns_force_end *end)
{
  double x[3 * NS_FORCE_ENDS];
  int dim = f->planar ? 2 : 3;
  if (!v->s) return NS_OK;
  if (v->cols && v->cols != dim)
    return ns_elem_fail(&l->msg, e, f->at.id,
                        "attribute %s has rows of %d entries, expected %d: a point of a body in %s "
                        "in each",
                        name, v->cols, dim, f->planar ? "the plane" : "space");
  if (v->n != n * dim)
    return ns_elem_fail(
        &l->msg, e, f->at.id,
        "attribute %s has %d entr%s, expected %d: %d for each point of bodies in %s", name, v->n,
        v->n == 1 ? "y" : "ies", n * dim, dim, f->planar ? "the plane" : "space");
  int rc = ns_vector3_get(l, e, name, v, index, f->at.id, x);
  for (int k = 0; k < n && !rc; k++)
    for (int i = 0; i < dim; i++) end[k].at[i] = x[dim * k + i];
  for (int k = 0; k < n && !rc; k++) {
    if (end[k].system != NS_WORLD) continue; /* those of bodies are in their axes */
    rc = ns_load_frame_check(l, e, f->at.id, f->planar);
    if (!rc) ns_load_frame_place(l, end[k].at, NULL);
  }
  return rc;
}

/* Between two points of one body nothing moves. */
static int check_ends(ns_load *l, const ns_elem *e, const ns_body_force *f, const ns_force_end *end)
{
  for (int k = 0; k + 1 < f->nends; k++) {
    if (end[k].system != end[k + 1].system || (f->strands && f->strands[k] == 0)) continue;
    const char *who = end[k].system == NS_WORLD ? "the world" : l->m->systems[end[k].system].at.id;
    if (f->nends == 2)
      return ns_elem_fail(&l->msg, e, f->at.id,
                          "acts on %s twice, expected two bodies, or a body and the world", who);
    if (!memcmp(end[k].at, end[k + 1].at, sizeof end[k].at))
      return ns_elem_fail(
          &l->msg, e, f->at.id,
          "passes through the same point of %s twice, points %d and %d; remove one of them", who,
          k + 1, k + 2);
  }
  return NS_OK;
}

/* Numbers of a list, n of them, none negative if so wanted, and not all of them zero. */
static int get_list(ns_load *l, const ns_elem *e, const made *m, int list, int n, int negative,
                    const char *id, const ns_indices *index, double *x)
{
  const ns_vector3 *v = &m->list[list];
  double min = 0, size = 0;
  if (v->n != n)
    return ns_elem_fail(&l->msg, e, id, "attribute %s has %d entr%s, expected %d: %s",
                        list_names[list], v->n, v->n == 1 ? "y" : "ies", n,
                        list == STRANDS ? "one for each segment between two points"
                                        : "one for each joint");
  int rc = ns_vector3_get(l, e, list_names[list], v, index, id, x);
  for (int k = 0; k < n && !rc; k++) {
    min = x[k] < min ? x[k] : min;
    size += fabs(x[k]);
  }
  if (rc || ((negative || min >= 0) && size > 0)) return rc;
  return ns_elem_fail(&l->msg, e, id, "attribute %s %s, expected numbers%s, and one that is not 0",
                      list_names[list], size > 0 ? "has a negative entry" : "is 0 throughout",
                      negative ? "" : " that are not negative");
}

static int get_strands(ns_load *l, const ns_elem *e, const made *m, const ns_indices *index,
                       ns_body_force *f)
{
  double x[NS_FORCE_ENDS] = {0};
  if (!m->list[STRANDS].s) return NS_OK;
  int rc = get_list(l, e, m, STRANDS, f->nends - 1, 0, f->at.id, index, x);
  if (rc) return rc;
  f->strands = ns_arena_copy(l->m->arena, x, (size_t)f->nends - 1, sizeof *x);
  return f->strands ? NS_OK : ns_nomem(&l->msg.c, "a tendon");
}

/* Where a body stands among the ends, added to them if it is new; -1: they are too many. */
static int end_at(ns_body_force *f, ns_force_end *end, int body)
{
  int k = 0;
  while (k < f->nends && end[k].system != body) k++;
  if (k == NS_FORCE_ENDS) return -1;
  if (k == f->nends) end[f->nends++] = (ns_force_end){.system = body};
  return k;
}

/* Joint k that a tendon goes over, and its bodies. */
static int get_joint(ns_load *l, const ns_elem *e, const made *m, int k, const ns_indices *index,
                     ns_body_force *f, ns_force_joint *j, ns_force_end *end)
{
  const ns_interaction *of;
  int rc = ns_load_joint_find(l, e, &m->joints, k, index, f->at.id, &of);
  if (rc) return rc;
  if (of->joint.kind == NS_JOINT_BALL)
    return ns_elem_fail(&l->msg, e, f->at.id,
                        "runs over %s, a ball joint, which has no coordinate of one axis, expected "
                        "hinges and slides; use a tendon through points, systems= and points=",
                        of->at.id);
  if ((j->slide = ns_load_joint_coordinate(l, e, f->at.id, of, m->coordinate[k])) < 0)
    return NS_MODEL;
  j->interaction = (int)(of - l->m->interactions);
  j->end[1] = -1;
  if (!(j->joint = ns_arena_copy(l->m->arena, &of->joint, 1, sizeof of->joint)))
    return ns_nomem(&l->msg.c, "a tendon");
  for (int i = 0; i < of->nsystems; i++)
    if ((j->end[i] = end_at(f, end, of->systems[i])) < 0)
      return ns_elem_fail(
          &l->msg, e, f->at.id,
          "runs over joints of more than %d bodies, expected %d at most; use several tendons",
          (int)NS_FORCE_ENDS, (int)NS_FORCE_ENDS);
  return NS_OK;
}

static int get_joints(ns_load *l, const ns_elem *e, const made *m, const ns_indices *index,
                      ns_body_force *f)
{
  ns_force_joint joint[NS_FORCE_ENDS] = {{0}};
  ns_force_end end[NS_FORCE_ENDS] = {{0}};
  double by[NS_FORCE_ENDS] = {0};
  int n = m->joints.n, *systems, rc = get_list(l, e, m, COEFFICIENTS, n, 1, f->at.id, index, by);
  for (int k = 0; k < n && !rc; k++) {
    joint[k].coefficient = by[k];
    rc = get_joint(l, e, m, k, index, f, &joint[k], end);
  }
  if (rc) return rc;
  f->planar = ns_system_is_planar(&l->m->systems[end[0].system]);
  f->njoints = n;
  f->joint = ns_arena_copy(l->m->arena, joint, (size_t)n, sizeof *joint);
  f->end = ns_arena_copy(l->m->arena, end, (size_t)f->nends, sizeof *end);
  f->systems = systems = ns_arena_get(l->m->arena, (size_t)f->nends, sizeof *systems);
  if (!f->joint || !f->end || !systems) return ns_nomem(&l->msg.c, "a tendon");
  for (int k = 0; k < f->nends; k++) {
    systems[f->nsystems++] = end[k].system;
    f->nZ += l->m->systems[end[k].system].nz;
  }
  return NS_OK;
}

static int get_ends(ns_load *l, const ns_elem *e, made *m, const ns_indices *index,
                    ns_body_force *f)
{
  ns_force_end end[NS_FORCE_ENDS] = {0};
  if (m->joints.n) return get_joints(l, e, m, index, f);
  int rc = get_bodies(l, e, m, index, f, end);
  if (!rc) rc = get_points(l, e, "points", &m->point[2], index, f->nends, f, end);
  for (int k = 0; k < 2 && !rc; k++)
    rc = get_points(l, e, point_names[k], &m->point[k], index, 1, f, &end[k]);
  if (!rc) rc = get_strands(l, e, m, index, f);
  if (!rc) rc = check_ends(l, e, f, end);
  if (rc) return rc;
  f->end = ns_arena_copy(l->m->arena, end, (size_t)f->nends, sizeof *end);
  return f->end ? NS_OK : ns_nomem(&l->msg.c, "points of a force");
}

const ns_body_force *ns_load_tendon_find(ns_load *l, const ns_elem *e, const ns_refs *tendon,
                                         const ns_indices *index, const char *id)
{
  char name[NS_ID_MAX + 1];
  const char *near;
  int stands;
  if (ns_template_write(l, e, &tendon->system[0], index, name)) return NULL;
  for (int i = 0; i < l->m->nforces; i++)
    if (!strcmp(l->m->forces[i].at.id, name)) return &l->m->forces[i];
  int k = ns_load_id_interaction(l, name, &near);
  ns_load_id_suggest(l, name, &stands);
  if (k >= 0)
    ns_elem_fail(&l->msg, e, id, "%s is an interaction, expected a <tendon>, <spring> or <damper>",
                 name);
  else if (!stands && !l->ids_unknown && near)
    ns_elem_fail(&l->msg, e, id, "unknown tendon %s, did you mean %s?", name, near);
  else if (!stands && !l->ids_unknown)
    ns_elem_fail(&l->msg, e, id,
                 "unknown tendon %s, expected the id of a <tendon>, <spring> or <damper>", name);
  return NULL; /* one that stands there has faults of its own, which are reported */
}

/* ---- what it does ---------------------------------------------------------------------------- */

static int get_numbers(ns_load *l, const ns_elem *e, const made *m, const ns_indices *index,
                       ns_body_force *f)
{
  double *const to[NUMBERS] = {&f->stiffness, &f->damping, &f->rest_length, &f->preload};
  f->rest_length = NAN; /* that of the initial configuration, set by ns_model_finish */
  for (int k = 0; k < NUMBERS; k++) {
    if (!m->given[k]) continue;
    *to[k] = ns_scalar_get(&m->number[k], index);
    int rc = ns_load_attribute_check(l, e, number_names[k], *to[k]);
    if (rc) return rc;
  }
  return NS_OK;
}

/* Formula k: as it is written, part, and for the line what its motor adds. */
static int make_formula(ns_load *l, const ns_elem *part, const ns_elem *motor, ns_load_scope *s,
                        int k, const ns_body_force *f, made *m)
{
  const ns_wanted w = {.rows = k == VECTOR ? (f->planar ? 2 : 3) : 1,
                       .cols = 1,
                       .why = k == VECTOR ? "an entry for each axis" : "along one coordinate"};
  ns_nodes nodes = {0};
  ns_load_foreign others = {0};
  ns_load_scope own = *s;
  const ns_elem *of = part ? part : motor;
  own.foreign = &others;
  if ((part && part->bad) || (motor && motor->bad)) return NS_MODEL;
  ns_mark mark = ns_arena_mark(l->graphs);
  ns_graph *g = ns_graph_create(l->graphs);
  int rc = g ? NS_OK : ns_nomem(&l->msg.c, "formulas of a force"), n = ns_body_force_coordinates(f);
  if (!rc && part) rc = ns_value_make(l, part, g, &own, &w, &m->value[k], &nodes);
  if (!rc && motor) {
    ns_node force = nodes.node ? nodes.node[0] : ns_graph_constant(g, 0);
    rc = ns_motor_add(l, motor, &own, g, m->motor, ns_graph_variable(g, NS_BANK_JOINT, 0),
                      ns_graph_variable(g, NS_BANK_JOINT, n), &force);
    free(nodes.node);
    nodes = (ns_nodes){.rows = 1, .cols = 1, .node = malloc(sizeof force)};
    if (!nodes.node) rc = ns_nomem(&l->msg.c, "formulas of a force");
    else nodes.node[0] = force;
    if (!rc) rc = ns_value_of_nodes(l, of, g, &nodes, &m->value[k]);
  }
  if (!rc) rc = ns_value_derive(l, of, g, &nodes, NS_BANK_JOINT, 2 * n, &m->by[k]);
  if (!rc) rc = ns_load_foreign_attach(l, g, &nodes, &others, &m->value[k].op);
  if (!rc) rc = ns_load_foreign_attach(l, g, NULL, &others, &m->by[k].op);
  m->by_id |= own.by_id != 0;
  ns_arena_release(l->graphs, mark);
  free(nodes.node);
  return rc;
}

static int make_formulas(ns_load *l, const ns_elem *e, const ns_indices *index,
                         const ns_body_force *f, made *m)
{
  ns_load_scope s;
  int rc = ns_load_scope_stack(l, f->systems, f->nsystems, &s), bad = rc;
  s.index = index;
  s.force = f;
  for (int k = 0; k < FORMULAS && rc != NS_NOMEM; k++) {
    const ns_elem *part = ns_elem_value(e, formula_names[k]),
                  *motor = k == ALONG ? motor_of(e) : NULL;
    if (part && k == TORQUE && !f->planar)
      bad |= rc = ns_elem_fail(
          &l->msg, part, f->at.id,
          "acts between bodies in space, which have no angle, expected bodies in the plane; give "
          "<vector> at two points, or a torque about the axis of a joint");
    else if (part || motor) bad |= rc = make_formula(l, part, motor, &s, k, f, m);
  }
  m->made = !bad;
  m->bodies = f->systems;
  return ns_load_verdict(rc, bad);
}

/* What was made holds for the bodies of this instance: they have no inputs that it could name. */
static int holds(const ns_body_force *f, const made *m)
{
  return m->made && !m->by_id && !f->nZ && !m->proto.nZ;
}

static int get_formulas(ns_load *l, const ns_elem *e, made *m, const ns_indices *index,
                        ns_body_force *f)
{
  ns_operator *const to[FORMULAS] = {&f->along, &f->vector, &f->torque};
  ns_operator *const by[FORMULAS] = {&f->by_along, &f->by_vector, &f->by_torque};
  unsigned uses = 0;
  const ns_elem *motor = motor_of(e);
  int rc = motor ? ns_motor_check(l, motor, index, m->motor) : NS_OK;
  if (rc || !(motor || has_formula(e))) return rc;
  if ((!holds(f, m) || m->proto.planar != f->planar) && (rc = make_formulas(l, e, index, f, m)))
    return rc;
  m->proto.nZ = f->nZ;
  m->proto.planar = f->planar;
  for (int k = 0; k < FORMULAS && !rc; k++) {
    const ns_elem *part = ns_elem_value(e, formula_names[k]);
    if (!part && k == ALONG) part = motor;
    if (!part) continue;
    rc = ns_value_get(l, part, &m->value[k], index, f->at.id, to[k]);
    if (!rc) rc = ns_value_get(l, part, &m->by[k], index, f->at.id, by[k]);
    uses |= to[k]->uses | by[k]->uses;
  }
  if (!rc && uses >> NS_BANK_INDEX & 1u) rc = ns_indices_keep(l, index, &f->index);
  return rc;
}

int ns_load_force(ns_load *l, ns_elem *e, const ns_indices *index)
{
  int rc = NS_OK;
  if (!e->made && (rc = make(l, e, index))) return rc;
  made *m = e->made;
  ns_body_force f = {.kind = m->proto.kind, .at = m->proto.at, .pushes = m->proto.pushes};
  if ((rc = ns_template_id(l, e, &m->id, index, &f.at.id))) return rc;
  if ((rc = ns_load_id_add(l, e, f.at.id, 0, -1))) return rc;
  rc = get_ends(l, e, m, index, &f);
  if (!rc) rc = get_numbers(l, e, m, index, &f);
  if (!rc) rc = get_formulas(l, e, m, index, &f);
  if (rc) return rc;
  return ns_model_add_force(l->m, &l->msg.c, &f) < 0 ? NS_NOMEM : NS_OK;
}
