/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_drives.c -- what acts along the free coordinates of a joint: <torque> and <force>, <motor>,
 * stiffness, damping, armature.
 *
 * Of a coordinate d all of it but the armature is one formula,
 *
 *   tau = <torque> - stiffness (d - rest) - damping d' + gear T,   T = the motor's command between
 *       its bounds
 *
 * so that what holds for formulas holds for words: derivatives, events at their corners, inputs and
 * variables of other systems. A motor of a tendon drives its length in the same way
 * (load_forces.c). */
#include "io/load/load_rigid.h"

#include "model/relations/rigid_relation.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[2] = {"torque", "force"}; /* of what turns, of what slides */

enum { ARMATURE, STIFFNESS, DAMPING, REST, NUMBERS };
static const char *const numbers[NUMBERS] = {"armature", "stiffness", "damping", "rest"};
enum { KP, KV, LIMIT, STALL, NO_LOAD, GEAR, MOTOR_NUMBERS };
static const char *const motor_numbers[MOTOR_NUMBERS] = {"kp",    "kv",     "limit",
                                                         "stall", "noLoad", "gear"};
/* as the choices of the language */
typedef enum servo_kind { SERVO_POSITION, SERVO_VELOCITY, SERVO_TORQUE } servo_kind;

struct ns_motor_made {
  servo_kind servo;
  ns_scalar *number[MOTOR_NUMBERS]; /* NULL: not written */
};

struct ns_drive_made {
  ns_value force[2], by[2];
  const ns_system *body[2];   /* whom it was made for */
  int by_id;                  /* and these alone */
  ns_scalar *number[NUMBERS]; /* NULL: not written */
  int n[NUMBERS];
  ns_motor_made *motor; /* NULL: none */
  int motor_slides;     /* it acts on the slide */
};

/* ---- numbers --------------------------------------------------------------------------------- */

/* An entry for each free coordinate, the angle before the slide. */
static int make_numbers(ns_load *l, const ns_elem *e, const ns_indices *index,
                        const ns_interaction *it, ns_drive_made *m)
{
  int want = ns_interaction_angles(it), bad = 0, rc = NS_OK;
  for (int k = 0; k < NUMBERS && rc != NS_NOMEM; k++) {
    if (!ns_elem_item(e, numbers[k])) continue;
    bad |= rc = ns_load_attribute_list(l, e, numbers[k], index, &m->number[k], &m->n[k]);
    if (!rc && m->n[k] && m->n[k] != want)
      bad |= ns_elem_fail(&l->msg, e, NULL, "attribute %s has %d entries, expected %d: %s",
                          numbers[k], m->n[k], want,
                          want == 1 ? "the joint has one free coordinate"
                                    : "of the angle, then of the slide");
  }
  if (!bad && m->n[REST] && !m->n[STIFFNESS])
    bad = ns_elem_fail(
        &l->msg, e, NULL,
        "has a rest but no stiffness, expected stiffness=\"...\" with it; or remove rest");
  return ns_load_verdict(rc, bad);
}

int ns_motor_make(ns_load *l, const ns_elem *part, const ns_indices *index, ns_motor_made **out)
{
  int servo = ns_load_word(l, part, "command", SERVO_TORQUE), rc = NS_OK, bad = 0;
  ns_motor_made *m = *out = ns_arena_zero(l->scratch, 1, sizeof *m);
  if (!m) return ns_nomem(&l->msg.c, "a motor");
  if (servo < 0) return NS_MODEL;
  m->servo = (servo_kind)servo;
  for (int k = 0; k < MOTOR_NUMBERS && rc != NS_NOMEM; k++) {
    if (!ns_elem_attr(part, motor_numbers[k])) continue;
    if (!(m->number[k] = ns_arena_zero(l->scratch, 1, sizeof **m->number)))
      return ns_nomem(&l->msg.c, "a motor");
    bad |= rc = ns_load_attribute_make(l, part, motor_numbers[k], index, m->number[k]);
  }
  if (rc == NS_NOMEM) return rc;
  if (m->servo == SERVO_TORQUE && (m->number[KP] || m->number[KV]))
    bad = ns_elem_fail(
        &l->msg, part, NULL,
        "has kp or kv, but its command is a torque, expected command=\"position\" or "
        "command=\"velocity\" with them; give one, or remove kp and kv");
  if (m->servo == SERVO_POSITION && !m->number[KP])
    bad = ns_elem_fail(&l->msg, part, NULL,
                       "has a position as its command but no kp, expected kp, the torque per rad "
                       "or m of position error: kp=\"100\"");
  if (m->servo == SERVO_VELOCITY && (!m->number[KV] || m->number[KP]))
    bad = ns_elem_fail(&l->msg, part, NULL,
                       "has a velocity as its command, expected no kp, but kv, the torque per "
                       "rad/s or m/s of velocity error: kv=\"10\"");
  if (!m->number[STALL] != !m->number[NO_LOAD])
    bad = ns_elem_fail(
        &l->msg, part, NULL,
        "has %s, expected stall= and noLoad= together: the stall torque and the no-load speed",
        m->number[STALL] ? "stall and no noLoad" : "noLoad and no stall");
  return bad ? NS_MODEL : NS_OK;
}

int ns_motor_check(ns_load *l, const ns_elem *part, const ns_indices *index, const ns_motor_made *m)
{
  int rc = NS_OK;
  for (int k = 0; k < MOTOR_NUMBERS && !rc; k++)
    if (m->number[k])
      rc = ns_load_attribute_check(l, part, motor_numbers[k], ns_scalar_get(m->number[k], index));
  return rc;
}

/* The motor of a joint, and which coordinate it drives. */
static int make_motor(ns_load *l, const ns_elem *part, const ns_indices *index,
                      const ns_interaction *it, ns_drive_made *m)
{
  int rc = ns_motor_make(l, part, index, &m->motor),
      slides = ns_load_word(l, part, "coordinate", !ns_joint_is_free(&it->joint, 0));
  m->motor_slides = slides;
  return slides < 0 && !rc ? NS_MODEL : rc;
}

/* Of one instance; armatures to d. */
static int check_numbers(ns_load *l, const ns_elem *e, const ns_elem *motor,
                         const ns_indices *index, const char *id, const ns_interaction *it,
                         const ns_drive_made *m, ns_joint_drive *d)
{
  for (int k = 0; k < NUMBERS; k++)
    for (int i = 0; i < m->n[k]; i++) {
      double x = ns_scalar_get(&m->number[k][i], index);
      int slide = m->n[k] == 2 ? i : !ns_joint_is_free(&it->joint, 0);
      if (isnan(x) && l->nan_said) return NS_MODEL;
      if (!isfinite(x) || (k != REST && x < 0))
        return ns_elem_fail(&l->msg, e, id, "attribute %s is %g, expected a finite number%s",
                            numbers[k], x, k == REST ? "" : " that is not negative");
      if (k == ARMATURE) d->armature[slide] = x;
    }
  return m->motor ? ns_motor_check(l, motor, index, m->motor) : NS_OK;
}

/* ---- formulas -------------------------------------------------------------------------------- */

/* Free coordinates of the joint; t and inputs of its bodies. */
static int scope(ns_load *l, const ns_interaction *it, const ns_indices *index, ns_load_scope *s)
{
  int rc = ns_load_scope_stack(l, it->systems, it->nsystems, s);
  s->index = index;
  s->joint = it;
  s->joint_rate = ns_interaction_angles(it);
  return rc;
}

/* What a formula of this file is made of, by single letters. */
typedef struct letters {
  ns_node node[128]; /* -1: there is none */
} letters;

static ns_name letter(const void *self, const char *name, size_t len, int subscript)
{
  const letters *k = self;
  if (len != 1 || subscript >= 0 || k->node[*name & 127] < 0)
    return (ns_name){.kind = NS_NAME_UNKNOWN};
  return (ns_name){.kind = NS_NAME_NODE, .node = k->node[*name & 127]};
}

static int compose(ns_load *l, ns_graph *g, const letters *k, const char *text, ns_node *out)
{
  const ns_scope s = {.lookup = letter, .self = k};
  ns_node f; /* `out` may be one of the letters */
  int rc = ns_graph_parse(g, &l->msg.c, "a joint", text, strlen(text), &s, &f);
  if (!rc) *out = f;
  return rc;
}

/* Entry i of a list in an attribute, or the whole of it, as a node. */
typedef struct entry {
  int i;
  const char *text;
  size_t len;
} entry;

static int on_entry(void *to, int row, int col, const char *text, size_t len)
{
  entry *k = to;
  (void)row, (void)col;
  if (k->i-- == 0) {
    k->text = text;
    k->len = len;
  }
  return NS_OK;
}

static int number(ns_load *l, const ns_elem *e, const char *name, int i, ns_graph *g,
                  const ns_load_scope *s, ns_node *out)
{
  ns_ctx quiet = {0};
  ns_load_scope own = {.l = l, .index = s->index};
  entry k = {.i = i};
  int rows, cols,
      rc = ns_split_entries(&quiet, "", ns_elem_attr(e, name), on_entry, &k, &rows, &cols);
  if (rc || quiet.rc || !k.text) return rc ? rc : NS_MODEL; /* told where it was read as numbers */
  return ns_load_formula(l, g, &own, &(ns_where){.e = e, .attribute = name}, k.text, k.len, out);
}

/* tau := what is written of coordinate i, on top of it. */
static int add_passive(ns_load *l, const ns_elem *e, const ns_load_scope *s, int i, ns_graph *g,
                       ns_drive_made *m, letters *k)
{
  static const char at[NUMBERS] = "Jscr"; /* J: not in the formula */
  int rc = NS_OK;
  for (int j = STIFFNESS; j <= REST && !rc; j++)
    if (m->n[j]) rc = number(l, e, numbers[j], i, g, s, &k->node[at[j] & 127]);
  if (!rc && m->n[STIFFNESS])
    rc = compose(l, g, k, m->n[REST] ? "f - s*(x - r)" : "f - s*x", &k->node['f']);
  return !rc && m->n[DAMPING] ? compose(l, g, k, "f - c*v", &k->node['f']) : rc;
}

/* Of the shaft: its angle gear d, its command u, its bounds by the line from stall to no load at
 * either full voltage, and by the limit. The line is that of a motor with permanent magnets and
 * constant voltage, which brakes beyond its speed without load. */
static int add_motor(ns_load *l, const ns_elem *part, ns_load_scope *s, ns_graph *g,
                     const ns_motor_made *m, letters *k)
{
  static const char *const command[] = {"p*(u - g*x) - d*(g*v)", "d*(u - g*v)", "u"};
  static const char at[MOTOR_NUMBERS] = "pdLSNg";
  const ns_wanted one = {.rows = 1, .cols = 1, .why = "the command of a motor"};
  ns_nodes nodes = {0};
  ns_value spare;
  k->node['g'] = ns_graph_constant(g, 1);
  k->node['d'] = ns_graph_constant(g, 0);
  int rc = ns_value_make(l, part, g, s, &one, &spare, &nodes);
  if (!rc) k->node['u'] = nodes.node[0];
  free(nodes.node);
  for (int j = 0; j < MOTOR_NUMBERS && !rc; j++)
    if (m->number[j]) rc = number(l, part, motor_numbers[j], 0, g, s, &k->node[at[j] & 127]);
  if (!rc) rc = compose(l, g, k, command[m->servo], &k->node['T']);
  int line = m->number[STALL] != NULL, limit = m->number[LIMIT] != NULL;
  if (!rc && line) rc = compose(l, g, k, "S*(1 - g*v/N)", &k->node['h']);
  if (!rc && line) rc = compose(l, g, k, "-S*(1 + g*v/N)", &k->node['l']);
  if (!rc && line) rc = compose(l, g, k, "max(min(T, h), l)", &k->node['T']);
  /* the limit last: bounds cut off by it would be the same at times, and which of two equal numbers
   * is the larger has no answer */
  if (!rc && limit) rc = compose(l, g, k, "max(min(T, L), -L)", &k->node['T']);
  return rc ? rc : compose(l, g, k, "f + g*T", &k->node['f']);
}

static letters no_letters(void)
{
  letters k;
  memset(&k, 0xff, sizeof k);
  return k;
}

int ns_motor_add(ns_load *l, const ns_elem *part, ns_load_scope *s, ns_graph *g,
                 const ns_motor_made *m, ns_node x, ns_node v, ns_node *f)
{
  letters k = no_letters();
  k.node['f'] = *f;
  k.node['x'] = x;
  k.node['v'] = v;
  int rc = add_motor(l, part, s, g, m, &k);
  *f = k.node['f'];
  return rc;
}

/* The formula of coordinate i, which slides or turns. */
static int make_one(ns_load *l, const ns_elem *e, int slide, int i, ns_load_scope *s,
                    ns_drive_made *m)
{
  const ns_elem *part = ns_elem_value(e, names[slide]), *motor = ns_elem_value(e, "motor");
  const ns_wanted one = {.rows = 1, .cols = 1, .why = "along one coordinate"};
  ns_load_foreign others = {0};
  ns_load_scope own = *s;
  own.foreign = &others;
  if (motor && m->motor_slides != slide) motor = NULL;
  if ((part && part->bad) || (motor && motor->bad)) return NS_MODEL;
  if (!part && !motor && !m->n[STIFFNESS] && !m->n[DAMPING]) return NS_OK;
  ns_mark mark = ns_arena_mark(l->graphs);
  ns_graph *g = ns_graph_create(l->graphs);
  letters k = no_letters();
  ns_nodes nodes = {0};
  int rc = g ? NS_OK : ns_nomem(&l->msg.c, "formulas of a joint");
  if (g) {
    k.node['f'] = ns_graph_constant(g, 0);
    k.node['x'] = ns_graph_variable(g, NS_BANK_JOINT, i);
    k.node['v'] = ns_graph_variable(g, NS_BANK_JOINT, s->joint_rate + i);
  }
  if (!rc && part) rc = ns_value_make(l, part, g, &own, &one, &m->force[slide], &nodes);
  if (!rc && part && nodes.node) k.node['f'] = nodes.node[0];
  free(nodes.node);
  if (!rc) rc = add_passive(l, e, &own, i, g, m, &k);
  if (!rc && motor) rc = add_motor(l, motor, &own, g, m->motor, &k);
  const ns_elem *of = part ? part : e;
  nodes = (ns_nodes){.rows = 1, .cols = 1, .node = &k.node['f']};
  if (!rc) rc = ns_value_of_nodes(l, of, g, &nodes, &m->force[slide]);
  if (!rc) rc = ns_value_derive(l, of, g, &nodes, NS_BANK_JOINT, 2 * s->joint_rate, &m->by[slide]);
  if (!rc) rc = ns_load_foreign_attach(l, g, &nodes, &others, &m->force[slide].op);
  if (!rc) rc = ns_load_foreign_attach(l, g, NULL, &others, &m->by[slide].op);
  m->by_id |= own.by_id != 0;
  ns_arena_release(l->graphs, mark);
  return rc;
}

static const ns_system *body(const ns_load *l, const ns_interaction *it, int i)
{
  return i < it->nsystems ? &l->m->systems[it->systems[i]] : NULL;
}

static int make(ns_load *l, const ns_elem *e, const ns_indices *index, const ns_interaction *it,
                ns_drive_made *m)
{
  ns_load_scope s;
  const ns_elem *motor = ns_elem_value(e, "motor");
  int rc = scope(l, it, index, &s), bad = rc, i = 0;
  *m = (ns_drive_made){.body = {body(l, it, 0), body(l, it, 1)}};
  if (rc != NS_NOMEM) bad |= rc = make_numbers(l, e, index, it, m);
  if (rc != NS_NOMEM && motor) bad |= rc = make_motor(l, motor, index, it, m);
  if (bad) return rc == NS_NOMEM ? rc : NS_MODEL;
  for (int slide = 0; slide < 2 && rc != NS_NOMEM; slide++)
    if (ns_joint_is_free(&it->joint, slide)) bad |= rc = make_one(l, e, slide, i++, &s, m);
  return ns_load_verdict(rc, bad);
}

static int like(const ns_system *a, const ns_system *b)
{
  return a == b || (a && b && a->nz == b->nz && a->znames == b->znames);
}

/* What was made holds for the bodies of this instance. */
static int holds(const ns_load *l, const ns_drive_made *m, const ns_interaction *it)
{
  const ns_system *b[2] = {body(l, it, 0), body(l, it, 1)};
  if (b[0] == m->body[0] && b[1] == m->body[1]) return 1;
  return !m->by_id && like(b[0], m->body[0]) && like(b[1], m->body[1]);
}

/* ---- of one instance ------------------------------------------------------------------------- */

static int says_something(const ns_elem *e)
{
  if (ns_elem_value(e, "torque") || ns_elem_value(e, "force") || ns_elem_value(e, "motor"))
    return 1;
  for (int k = 0; k < NUMBERS; k++)
    if (ns_elem_item(e, numbers[k]) && ns_elem_attr(e, numbers[k])) return 1;
  return 0;
}

/* Numbers of a ball joint, for all directions. */
static int get_ball(ns_load *l, const ns_elem *e, const ns_indices *index, ns_interaction *it)
{
  ns_joint_drive *d = ns_arena_zero(l->m->arena, 1, sizeof *d);
  if (!d) return ns_nomem(&l->msg.c, "forces of a joint");
  double *const to[] = {&d->stiffness, &d->damping};
  int bad = 0, rc = NS_OK;
  for (int k = 0; k < 2 && rc != NS_NOMEM; k++)
    bad |= rc = ns_load_attribute(l, e, numbers[STIFFNESS + k], index, to[k]);
  it->drive = d;
  return ns_load_verdict(rc, bad);
}

int ns_drive_get(ns_load *l, const ns_elem *e, ns_drive_made **made, const ns_indices *index,
                 const char *id, ns_interaction *it)
{
  int rc = NS_OK, first = !*made;
  unsigned uses = 0;
  if (!says_something(e)) return NS_OK;
  if (it->joint.kind == NS_JOINT_BALL) return get_ball(l, e, index, it);
  if (first) *made = ns_arena_zero(l->scratch, 1, sizeof **made);
  ns_drive_made *m = *made;
  ns_joint_drive *d = ns_arena_zero(l->m->arena, 1, sizeof *d);
  if (!m || !d) return ns_nomem(&l->msg.c, "forces of a joint");
  if ((first || !holds(l, m, it)) && (rc = make(l, e, index, it, m))) return rc;
  rc = check_numbers(l, e, ns_elem_value(e, "motor"), index, id, it, m, d);
  for (int slide = 0; slide < 2 && !rc; slide++) {
    const ns_elem *part = ns_elem_value(e, names[slide]);
    rc = ns_value_get(l, part ? part : e, &m->force[slide], index, id, &d->force[slide]);
    if (!rc) rc = ns_value_get(l, part ? part : e, &m->by[slide], index, id, &d->by[slide]);
    uses |= d->force[slide].uses | d->by[slide].uses;
  }
  it->drive = d;
  if (!rc && uses >> NS_BANK_INDEX & 1u) rc = ns_indices_keep(l, index, &it->index);
  return rc;
}
