/* SPDX-License-Identifier: GPL-3.0-or-later */
/* legacy_interaction.c -- interactions of a SiconosModel file: a relation, then a law.
 *
 * An interaction may stand for several contacts, its rows a multiple of those of its law. Laws of
 * rows of their own take them all; one with friction knows a single contact, so that such an
 * interaction becomes several. */
#include "io/import/legacy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_VALUES = 12 };

typedef struct interaction {
  const xmlNode *node, *relation, *law;
  const ns_legacy_word *relation_kind, *law_kind;
  const char *id;
  int *system, nsystems;
  int rows, law_rows; /* 0: not told */
  int n;              /* length of Q or X */
  ns_legacy_value value[MAX_VALUES];
  const ns_legacy_slot *slot[MAX_VALUES];
  const char *abi[MAX_VALUES];
  int nvalues;
} interaction;

/* ---- reading --------------------------------------------------------------------------------- */

static int unknown(ns_legacy *l, const xmlNode *x, const char *what, const char *called,
                   const ns_legacy_word *list)
{
  char known[400] = "";
  for (; list->old; list++) {
    size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%.*s", used ? ", " : "",
             (int)strcspn(list->old, " "), list->old);
  }
  return ns_legacy_fail(l, x, "is a %s of type %.60s, which is unknown, expected one of %s", what,
                        called, known);
}

/* The first element is the relation, the second the law; either may also be told by its name. */
static int find_parts(ns_legacy *l, interaction *it)
{
  const xmlNode *content = ns_legacy_child(it->node, "Interaction_Content");
  const xmlNode *x = content ? ns_legacy_first(content) : it->node;
  if (content) it->relation = x;
  else it->relation = ns_legacy_child(it->node, "Relation");
  if (content) it->law = x ? ns_legacy_next(x) : NULL;
  else it->law = ns_legacy_child(it->node, "NS_Law");
  if (!it->relation || !it->law)
    return ns_legacy_fail(l, content ? content : it->node,
                          "has no %s, expected a relation, then a law",
                          it->relation ? "law" : "relation");
  it->relation_kind = ns_legacy_find(ns_legacy_relations, ns_legacy_called(l, it->relation));
  it->law_kind = ns_legacy_find(ns_legacy_laws, ns_legacy_called(l, it->law));
  int rc = NS_OK;
  if (!it->relation_kind)
    rc = unknown(l, it->relation, "relation", ns_legacy_called(l, it->relation),
                 ns_legacy_relations);
  if (!it->law_kind) rc = unknown(l, it->law, "law", ns_legacy_called(l, it->law), ns_legacy_laws);
  return rc;
}

/* A <matrix> of a list, k from 1; x itself where it has none and k is 1. */
static const xmlNode *part_of(const xmlNode *x, int k)
{
  const xmlNode *m = ns_legacy_child(x, "matrix");
  if (!k || (!m && k == 1)) return x;
  while (m && --k) do
      m = ns_legacy_next(m);
    while (m && strcmp(ns_legacy_name(m), "matrix"));
  return m;
}

static int read_values(ns_legacy *l, interaction *it)
{
  char taken[500] = "";
  int rc = NS_OK;
  for (const ns_legacy_slot *slot = ns_legacy_relation_slots; slot->of; slot++) {
    size_t used = strlen(taken);
    if (!ns_legacy_has(slot->of, it->relation_kind->now)) continue;
    snprintf(taken + used, sizeof taken - used, "%s%s", used ? " " : "", slot->old);
    const xmlNode *x = ns_legacy_child(it->relation, slot->old),
                  *part = x ? part_of(x, slot->part) : NULL;
    if (!part || it->nvalues == MAX_VALUES) continue;
    int k = it->nvalues;
    if (ns_legacy_read(l, part, slot->matrix, &it->value[k])) {
      rc = NS_MODEL;
      continue;
    }
    it->slot[k] = slot;
    it->abi[k] = "";
    if (it->value[k].plugin)
      it->abi[k] = ns_legacy_abi(l, part, it->relation_kind->now, slot->now, &it->value[k].plugin);
    it->nvalues++;
  }
  if (!strcmp(ns_legacy_name(it->relation), "LNL") && ns_legacy_child(it->relation, "computeInput"))
    ns_legacy_note_at(l, ns_legacy_child(it->relation, "computeInput"),
                      "<computeInput> is ignored: forces act as the transpose of the derivative of "
                      "computeOutput");
  ns_legacy_leftover(l, it->relation,
                     strcmp(ns_legacy_name(it->relation), "LNL") ? taken
                                                                 : "computeOutput computeInput");
  return rc;
}

static ns_legacy_value *value_of(interaction *it, const char *now)
{
  for (int k = 0; k < it->nvalues; k++)
    if (!strcmp(it->slot[k]->now, now)) return &it->value[k];
  return NULL;
}

static int is_zero(const ns_legacy_value *v)
{
  for (size_t k = 0; v->entry && k < (size_t)v->rows * (size_t)v->cols; k++)
    if (v->entry[k] != 0) return 0;
  return v->entry != NULL;
}

/* Rows by the interaction, else by the law, else by the relation. */
static int find_rows(ns_legacy *l, interaction *it)
{
  int friction = it->law_kind->law == NS_LEGACY_FRICTION;
  const xmlNode *size = ns_legacy_child(it->node, "size nInter"),
                *law_size = ns_legacy_child(it->law, "size");
  const char *attribute = ns_legacy_attribute(l, it->law, "size");
  const ns_legacy_value *H = value_of(it, "H"), *C = value_of(it, "C");
  if (!H || !H->entry) H = C && C->entry ? C : NULL;
  it->rows = ns_legacy_count(l, size, 0);
  it->law_rows = ns_legacy_count(l, law_size, 0);
  if (*attribute && strspn(attribute, "0123456789") == strlen(attribute))
    it->law_rows = atoi(attribute);
  if (!it->rows) it->rows = H ? H->rows : it->law_rows;
  if (!it->law_rows && friction) it->law_rows = it->rows % 3 == 0 ? 3 : 2;
  if (!it->rows) it->rows = it->law_rows;
  if (!it->rows) it->rows = it->law_rows = 1;
  if (!it->law_rows) it->law_rows = 1;
  if (it->rows % it->law_rows)
    return ns_legacy_fail(l, it->node,
                          "has %d rows and a law of %d, expected a multiple of those of the law",
                          it->rows, it->law_rows);
  if (friction && it->law_rows != 2 && it->law_rows != 3)
    return ns_legacy_fail(l, it->law, "has the size %d, expected 2 in the plane or 3 in space",
                          it->law_rows);
  return NS_OK;
}

/* Every matrix has the rows and columns that systems and law ask for. */
static int check_shapes(ns_legacy *l, const interaction *it)
{
  int rc = NS_OK;
  for (int k = 0; k < it->nvalues; k++) {
    const ns_legacy_value *v = &it->value[k];
    const char *now = it->slot[k]->now;
    int rows = ns_legacy_has("B g a jacgx jacglambda", now) ? it->n : it->rows;
    int cols = v->matrix ? it->n : 1;
    if (ns_legacy_has("D B jachlambda jacglambda", now)) cols = it->rows;
    if (!v->entry || !strcmp(now, "F") || (v->rows == rows && v->cols == cols)) continue;
    rc = ns_legacy_fail(l, it->relation,
                        "<%s> is %d x %d, expected %d x %d: %d rows of the interaction, %d "
                        "coordinates of its systems",
                        now, v->rows, v->cols, rows, cols, it->rows, it->n);
  }
  return rc;
}

/* What today's relations have no place for. */
static int check_offsets(ns_legacy *l, interaction *it)
{
  ns_legacy_value *a = value_of(it, "a"), *D = value_of(it, "D");
  if (a && !is_zero(a))
    return ns_legacy_fail(
        l, it->relation,
        "has an input a in addition to B lambda, expected none; add it to b of the system");
  if (D && !strcmp(it->relation_kind->now, "LagrangianLinearTIR") && !is_zero(D)) {
    static const ns_legacy_word compliant = {.old = "", .now = "LagrangianCompliantLinearTIR"};
    it->relation_kind = &compliant;
    ns_legacy_note_at(l, it->relation,
                      "with D not zero the relation is a LagrangianCompliantLinearTIR");
  }
  return NS_OK;
}

static int read_one(ns_legacy *l, const xmlNode *x, interaction *it)
{
  int number = ns_legacy_number(l, x), position = 1;
  for (const xmlNode *k = x->prev; k; k = k->prev) position += k->type == XML_ELEMENT_NODE;
  *it = (interaction){.node = x};
  it->id = ns_legacy_id(l, x, ns_legacy_label(l, x), "interaction", number > 0 ? number : position);
  int rc = ns_legacy_concerned(l, x, &it->system, &it->nsystems), bad = find_parts(l, it);
  for (int k = 0; k < it->nsystems; k++) it->n += l->system[it->system[k]].n;
  for (int k = 0; k < it->nsystems; k++)
    if (ns_legacy_calls_plugin(x)) l->system[it->system[k]].called = 1;
  ns_legacy_leftover(l, x, ns_legacy_known);
  if (bad) return bad;
  if (read_values(l, it) || find_rows(l, it) || rc) return NS_MODEL;
  return check_shapes(l, it) || check_offsets(l, it) ? NS_MODEL : NS_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_law(ns_legacy *l, const interaction *it, int rows)
{
  char taken[200] = "size ";
  int called = 0;
  fprintf(l->out, "      <%s", it->law_kind->now);
  l->laws++;
  l->impacts += it->law_kind->law == NS_LEGACY_IMPACT;
  l->frictions += it->law_kind->law == NS_LEGACY_FRICTION;
  for (const ns_legacy_slot *slot = ns_legacy_law_slots; slot->of; slot++) {
    size_t used = strlen(taken);
    if (!ns_legacy_has(slot->of, it->law_kind->now)) continue;
    snprintf(taken + used, sizeof taken - used, " %s", slot->old);
    const xmlNode *x = ns_legacy_child(it->law, slot->old);
    double v = ns_legacy_real(l, x);
    if (x && !isnan(v)) fprintf(l->out, " %s=\"%s\"", slot->now, NS_IMPORT_DECIMAL_OF(v));
    if (!x && strcmp(slot->now, "et"))
      ns_legacy_fail(l, it->law, "has no <%.*s>, expected one", (int)strcspn(slot->old, " "),
                     slot->old);
  }
  for (int k = 0; k < it->nvalues; k++) called = called || it->value[k].plugin;
  if (called) fprintf(l->out, " size=\"%d\"", rows);
  fputs("/>\n", l->out);
  ns_legacy_leftover(l, it->law, taken);
}

/* Rows from `first` on of a value that has as many rows as the interaction. */
static ns_legacy_value rows_of(const ns_legacy_value *v, int first, int rows)
{
  ns_legacy_value part = *v;
  if (!v->entry) return part;
  part.entry += (size_t)first * (size_t)v->cols;
  part.rows = rows;
  return part;
}

static void write_part(ns_legacy *l, interaction *it, int first, int rows)
{
  int part = first / rows + 1, alone = rows == it->rows;
  fprintf(l->out, "    <interaction id=\"%s", it->id ? it->id : "");
  if (!alone) fprintf(l->out, "-%d", part);
  fputs("\" systems=\"", l->out);
  for (int k = 0; k < it->nsystems; k++)
    fprintf(l->out, "%s%s", k ? " " : "", l->system[it->system[k]].id);
  fprintf(l->out, "\">\n      <%s>\n", it->relation_kind->now);
  for (int k = 0; k < it->nvalues; k++) {
    const char *now = it->slot[k]->now;
    if (!strcmp(now, "a")) continue;
    ns_legacy_value v = alone ? it->value[k] : rows_of(&it->value[k], first, rows);
    ns_legacy_write(l, 4, now, &v, it->abi[k], ns_legacy_has("H C B h g", now));
  }
  fprintf(l->out, "      </%s>\n", it->relation_kind->now);
  write_law(l, it, rows);
  fputs("    </interaction>\n", l->out);
}

static void write_one(ns_legacy *l, interaction *it)
{
  const ns_legacy_value *H = value_of(it, "H");
  if (H && !H->plugin && is_zero(H)) {
    ns_legacy_note_at(l, it->relation,
                      "the interaction is ignored: its matrix is zero, so that it has no effect");
    return;
  }
  int several = it->rows > it->law_rows && it->law_kind->law == NS_LEGACY_FRICTION;
  if (!several) {
    write_part(l, it, 0, it->rows);
    return;
  }
  for (int k = 0; k < it->nvalues; k++)
    if (it->value[k].plugin) {
      ns_legacy_fail(l, it->relation,
                     "is a plug-in of %d contacts with friction, expected one contact in each such "
                     "interaction",
                     it->rows / it->law_rows);
      return;
    }
  ns_legacy_note_at(l, it->node, "several contacts with friction are an interaction each");
  for (int first = 0; first < it->rows; first += it->law_rows)
    write_part(l, it, first, it->law_rows);
}

void ns_legacy_write_interactions(ns_legacy *l)
{
  const xmlNode *where = ns_legacy_child(ns_legacy_child(l->root, "NSDS"),
                                         "Interaction_Definition");
  const xmlNode *first = ns_legacy_first(where);
  interaction it;
  if (!first) return;
  fputs("  <interactions>\n", l->out);
  for (const xmlNode *x = first; x; x = ns_legacy_next(x))
    if (!read_one(l, x, &it)) write_one(l, &it);
  fputs("  </interactions>\n", l->out);
}
