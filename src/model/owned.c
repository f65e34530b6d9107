/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/owned.h"

#include "expression/freeze.h"
#include "model/law_values.h"

#include <stdio.h>
#include <string.h>

#define SYSTEM(member) offsetof(ns_system, member)
#define RELATION(member) offsetof(ns_interaction, member)

static const ns_owned lagrangian[] = {{"mass", SYSTEM(mass), 0},
                                      {"fExt", SYSTEM(fext), 0},
                                      {"fInt", SYSTEM(fint), 0},
                                      {"fGyr", SYSTEM(fgyr), 0},
                                      {"jacobianFIntq", SYSTEM(dq_fint), 1},
                                      {"jacobianFIntqDot", SYSTEM(dv_fint), 1},
                                      {"jacobianFGyrq", SYSTEM(dq_fgyr), 1},
                                      {"jacobianFGyrqDot", SYSTEM(dv_fgyr), 1},
                                      {NULL, 0, 0}};

static const ns_owned first_order[] = {{"M", SYSTEM(fo.M), 0},
                                       {"f", SYSTEM(fo.f), 0},
                                       {"A", SYSTEM(fo.A), 0},
                                       {"b", SYSTEM(fo.b), 0},
                                       {"T", SYSTEM(fo.T), 0},
                                       {"u", SYSTEM(fo.u), 0},
                                       {"jacobianfx", SYSTEM(fo.dx_f), 1},
                                       {NULL, 0, 0}};

static const ns_owned rigid[] = {{"fExt", SYSTEM(rigid.fext), 0},
                                 {"mExt", SYSTEM(rigid.mext), 0},
                                 {"fInt", SYSTEM(rigid.fint), 0},
                                 {"mInt", SYSTEM(rigid.mint), 0},
                                 {"jacobianFIntq", SYSTEM(rigid.dq_fint), 1},
                                 {"jacobianFIntv", SYSTEM(rigid.dv_fint), 1},
                                 {"jacobianMIntq", SYSTEM(rigid.dq_mint), 1},
                                 {"jacobianMIntv", SYSTEM(rigid.dv_mint), 1},
                                 {NULL, 0, 0}};

static const ns_owned linear_relation[] = {{"F", RELATION(fo.F), 0}, {"e", RELATION(fo.e), 0},
                                           {"C", RELATION(fo.C), 0}, {"D", RELATION(fo.D), 0},
                                           {"B", RELATION(fo.B), 0}, {NULL, 0, 0}};

static const ns_owned relation[] = {{"h", RELATION(fo.h), 0},
                                    {"g", RELATION(fo.g), 0},
                                    {"F", RELATION(fo.F), 0},
                                    {"e", RELATION(fo.e), 0},
                                    {"jachx", RELATION(fo.C), 1},
                                    {"jachlambda", RELATION(fo.D), 1},
                                    {"jacglambda", RELATION(fo.B), 1},
                                    {"jacgx", RELATION(fo.K), 1},
                                    {NULL, 0, 0}};

static const ns_owned lagrangian_relation[] = {{"h", RELATION(lr.h), 0},
                                               {"H", RELATION(lr.H), 1},
                                               {"hDot", RELATION(lr.ht), 1},
                                               {"D", RELATION(lr.D), 1},
                                               {"HDot", RELATION(lr.Hdot), 1},
                                               {"bias", RELATION(lr.bias), 1},
                                               {NULL, 0, 0}};

static const ns_owned contact_point[] = {{"P1", RELATION(point.P1), 0},
                                         {"P2", RELATION(point.P2), 0},
                                         {"n", RELATION(point.n), 0},
                                         {NULL, 0, 0}};

static const ns_owned none[] = {{NULL, 0, 0}};

const ns_owned *ns_system_owned(const ns_system *s)
{
  if (ns_system_is_first_order(s)) return first_order;
  return ns_system_is_rigid(s) ? rigid : lagrangian;
}

const ns_owned *ns_interaction_owned(const ns_interaction *it)
{
  unsigned flags = it->relation->flags;
  if (flags & (NS_REL_JOINT | NS_REL_AXIS | NS_REL_SHAPES)) return none;
  if (flags & NS_REL_POINT) return contact_point;
  if (flags & NS_REL_FIRST_ORDER) return flags & NS_REL_LINEAR ? linear_relation : relation;
  return flags & NS_REL_LINEAR ? none : lagrangian_relation;
}

/* Of what moves a system; a mass that jumps is left to its user. */
static int has_plugin(const ns_system *s)
{
  for (const ns_owned *k = ns_system_owned(s); k->name; k++) {
    int moves = !k->derived && strcmp(k->name, "mass") != 0 && strcmp(k->name, "M") != 0;
    if (moves && ns_owned_of(k, s)->how == NS_OP_PLUGIN) return 1;
  }
  return 0;
}

const ns_place *ns_moved_by_plugin(const ns_model *m, int *count)
{
  const ns_place *first = NULL;
  *count = 0;
  for (int i = 0; i < m->nsystems; i++)
    if (has_plugin(&m->systems[i]) && ++*count == 1) first = &m->systems[i].at;
  return first;
}

/* User vectors and indices are constant between events. Branches are too, but what they choose
 * from may be narrow. -1, as of all that follow: out of memory. */
static int varies(const ns_operator *o)
{
  const unsigned constant = 1u << NS_BANK_Z | 1u << NS_BANK_INDEX;
  if (o->how != NS_OP_TAPE) return o->how == NS_OP_PLUGIN;
  if (o->uses >> NS_BANK_BRANCH & 1) return 1;
  int affine = ns_tape_is_affine(o->formula->tape, constant, -1);
  return affine < 0 ? affine : !affine;
}

static int any_varies(const ns_owned *rows, const void *object)
{
  int some = 0;
  for (const ns_owned *k = rows; k->name && !some; k++) some = varies(ns_owned_of(k, object));
  return some;
}

static int drive_varies(const ns_interaction *it)
{
  const ns_joint_drive *d = it->relation->flags & NS_REL_JOINT ? it->drive : NULL;
  int some = d ? varies(&d->force[0]) : 0;
  return d && !some ? varies(&d->force[1]) : some;
}

static int force_varies(const ns_body_force *f)
{
  int some = varies(&f->along);
  if (!some) some = varies(&f->vector);
  return some ? some : varies(&f->torque);
}

int ns_motion_has_formulas(const ns_model *m)
{
  int some = 0;
  for (int i = 0; i < m->nsystems && !some; i++)
    some = any_varies(ns_system_owned(&m->systems[i]), &m->systems[i]);
  for (int i = 0; i < m->ninteractions && !some; i++) {
    const ns_interaction *it = &m->interactions[i];
    some = any_varies(ns_interaction_owned(it), it);
    if (!some) some = drive_varies(it);
  }
  for (int i = 0; i < m->nforces && !some; i++) some = force_varies(&m->forces[i]);
  for (int i = 0; i < m->nboundaries && !some; i++) some = varies(&m->boundaries[i].value);
  return some ? some : m->nlaw_formulas > 0;
}

static const char *const *names_of(const ns_system *s, int bank)
{
  if (bank == NS_BANK_Z) return s->znames;
  if (bank == NS_BANK_Q) return s->names;
  return ns_system_is_first_order(s) ? NULL : ns_system_names(s, "v");
}

/* Entries of q, v and z are of one of the systems: the name that it has there, or NULL. */
static const char *own_name(const ns_model *m, const int *systems, int nsystems, int bank, int k,
                            const ns_system **of)
{
  int i = 0;
  while (i + 1 < nsystems && k >= ns_system_entries(&m->systems[systems[i]], bank))
    k -= ns_system_entries(&m->systems[systems[i++]], bank);
  *of = &m->systems[systems[i]];
  const char *const *names = names_of(*of, bank);
  return names ? names[k] : NULL;
}

static void subscripted(const ns_system *s, int bank, int index, char *buf, size_t size)
{
  static const char *const of_bank[NS_BANKS] = {[NS_BANK_Q] = "q",
                                                [NS_BANK_V] = "v",
                                                [NS_BANK_Z] = "z",
                                                [NS_BANK_INDEX] = "index",
                                                [NS_BANK_LAMBDA] = "lambda",
                                                [NS_BANK_JOINT] = "joint",
                                                [NS_BANK_OBSERVABLE] = "observable",
                                                [NS_BANK_BRANCH] = "branch"};
  const char *name = of_bank[bank];
  if (s && ns_system_is_first_order(s) && bank == NS_BANK_Q) name = "x";
  if (s && ns_system_is_first_order(s) && bank == NS_BANK_V) name = "xdot";
  snprintf(buf, size, "%s[%d]", name, index);
}

const char *ns_variable_text(const ns_model *m, const int *systems, int nsystems, int bank,
                             int index, char *buf, size_t size)
{
  int of_systems = bank == NS_BANK_Q || bank == NS_BANK_V || bank == NS_BANK_Z;
  const ns_system *s = NULL;
  const char *name = of_systems ? own_name(m, systems, nsystems, bank, index, &s) : NULL;
  if (bank == NS_BANK_T) {
    snprintf(buf, size, "t");
  } else if (bank == NS_BANK_LAW) {
    snprintf(buf, size, "%s", ns_law_speeds[index]);
  } else if (!name) {
    subscripted(s, bank, index, buf, size);
  } else {
    int qualified = nsystems > 1 && s->at.id;
    int is_rate = bank == NS_BANK_V && strncmp(name, "Omega", 5) != 0;
    snprintf(buf, size, "%s%s%s%s", qualified ? s->at.id : "", qualified ? "." : "",
             is_rate ? "v_" : "", name);
  }
  return buf;
}

const char *ns_foreign_text(const ns_model *m, const ns_foreign_variable *v, char *buf, size_t size)
{
  static const char *const names[][2] = {
      {"angle", "v_angle"}, {"slide", "v_slide"}, {"length", "rate"}};
  int rate = v->bank == NS_BANK_V;
  const ns_place *at = &m->sim.at;
  if (v->of == NS_OF_SYSTEM) at = &m->systems[v->system].at;
  if (v->of == NS_OF_JOINT || v->of == NS_OF_MULTIPLIER) at = &m->interactions[v->system].at;
  if (v->of == NS_OF_LINE) at = &m->forces[v->system].at;
  int n = snprintf(buf, size, "%s.", at->id ? at->id : "");
  if (v->of == NS_OF_SYSTEM)
    ns_variable_text(m, &v->system, 1, (int)v->bank, v->k, buf + n, size - (size_t)n);
  else snprintf(buf + n, size - (size_t)n, "%s", names[v->of == NS_OF_LINE ? 2 : v->k][rate]);
  return buf;
}
