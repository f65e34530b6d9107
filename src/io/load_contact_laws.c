/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_contact_laws.c -- laws of mechanical contacts: numbers in attributes. */
#include "io/load_job.h"

#include <stddef.h>
#include <string.h>

enum { NUMBERS = 4 };

typedef struct law_made {
  int size;                  /* rows as said, 0: not said */
  ns_scalar number[NUMBERS]; /* in the order of the kind's list below */
  int given[NUMBERS];
} law;

typedef struct number_of {
  const char *attribute;
  size_t at; /* in ns_interaction */
} number_of;

static const number_of newton[NUMBERS] = {{"e", offsetof(ns_interaction, restitution)}};
static const number_of multiple[NUMBERS] = {{"e", offsetof(ns_interaction, restitution)},
                                            {"K", offsetof(ns_interaction, stiffness)},
                                            {"eta", offsetof(ns_interaction, exponent)}};
static const number_of friction[NUMBERS] = {{"en", offsetof(ns_interaction, en)},
                                            {"et", offsetof(ns_interaction, et)},
                                            {"mu", offsetof(ns_interaction, mu)},
                                            {"muRolling", offsetof(ns_interaction, mu_rolling)}};

static const number_of *numbers(const ns_elem *e)
{
  if (!strcmp(e->name, "MultipleImpactNSL")) return multiple;
  return strstr(e->name, "FrictionNSL") ? friction : newton; /* those that it has */
}

static int law_make(ns_load *l, ns_elem *e, const ns_indices *index)
{
  law *k = e->made = ns_arena_zero(l->scratch, 1, sizeof *k);
  const number_of *n = numbers(e);
  double size = 0;
  if (!k) return ns_nomem(&l->msg.c, "a law");
  int bad = ns_load_attribute(l, e, "size", NULL, &size);
  k->size = (int)size; /* in range of the attribute */
  for (int i = 0; i < NUMBERS && n[i].attribute; i++) {
    k->given[i] = ns_elem_attr(e, n[i].attribute) != NULL;
    if (k->given[i]) bad |= ns_load_attribute_make(l, e, n[i].attribute, index, &k->number[i]);
  }
  return !bad ? NS_OK : l->msg.c.rc == NS_NOMEM ? NS_NOMEM : NS_MODEL;
}

/* As many rows as the relation has, and as friction can use. */
static int check_rows(ns_load *l, const ns_elem *e, const char *id, int size, int m)
{
  int rolling = ns_lang_attribute(e->def, "muRolling") != NULL;
  if (m && rolling && m != 3 && m != 5)
    return ns_elem_fail(&l->msg, e, id, "acts on a relation with %d row%s, expected 5, or 3 in the plane: the gap, directions of slip and "
                        "of rolling; take <NewtonEuler5DR>, or <contacts>", m, m == 1 ? "" : "s");
  if (m && numbers(e) == friction && !rolling && m != 2 && m != 3)
    return ns_elem_fail(&l->msg, e, id, "acts on a relation with %d row%s, expected 2 or 3: the gap and one or two directions "
                        "of slip; give H a row for each of them", m, m == 1 ? "" : "s");
  if (m && size && size != m)
    return ns_elem_fail(&l->msg, e, id, "attribute size is %d, expected %d, the rows of the relation", size, m);
  return NS_OK;
}

static int law_get(ns_load *l, const ns_elem *e, const ns_indices *index, const char *id, ns_interaction *it)
{
  const law *k = e->made;
  const number_of *n = numbers(e);
  int rc = check_rows(l, e, id, k->size, it->m);
  for (int i = 0; i < NUMBERS && n[i].attribute && !rc; i++) {
    double x = k->given[i] ? ns_scalar_get(&k->number[i], index) : n == multiple ? 1 : 0;
    if (k->given[i]) rc = ns_load_attribute_check(l, e, n[i].attribute, x);
    memcpy((char *)it + n[i].at, &x, sizeof x);
  }
  return rc;
}

int ns_load_contact_law_rows(const ns_elem *e)
{
  for (const ns_load_builder *b = ns_load_contact_laws; b->element; b++)
    if (!strcmp(b->element, e->name)) return ((const law *)e->made)->size;
  return 0;
}

const ns_load_builder ns_load_contact_laws[] = {
    {"NewtonImpactNSL", law_make, law_get},
    {"MultipleImpactNSL", law_make, law_get},
    {"NewtonImpactFrictionNSL", law_make, law_get},
    {"FremondImpactFrictionNSL", law_make, law_get},
    {"NewtonImpactRollingFrictionNSL", law_make, law_get},
    {0},
};
