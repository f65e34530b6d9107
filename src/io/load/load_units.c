/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_units.c -- units that a model says of its quantities. */
#include "io/load/load_job.h"

#include "expression/quote.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count(const char *text)
{
  static const char blank[] = " \t\r\n";
  int n = 0;
  for (text += strspn(text, blank); *text; text += strspn(text, blank)) {
    text += strcspn(text, blank);
    n++;
  }
  return n;
}

int ns_load_units(ns_load *l, const ns_elem *e, const char *attribute, int n,
                  const char *const **out)
{
  const char *text = ns_elem_attr(e, attribute);
  if (!text) return NS_OK;
  int found = count(text), k = 0;
  if (found != n)
    return ns_elem_fail(&l->msg, e, NULL,
                        "attribute %s names %d unit%s, expected %d: one for each by white space, "
                        "N*m for N m, 1 for none",
                        attribute, found, found == 1 ? "" : "s", n);
  const char **unit = ns_arena_get(l->m->arena, (size_t)n, sizeof *unit);
  char *copy = ns_arena_text(l->m->arena, text), *save;
  if (!unit || !copy) return ns_nomem(&l->msg.c, "units");
  for (char *p = strtok_r(copy, " \t\r\n", &save); p; p = strtok_r(NULL, " \t\r\n", &save)) {
    if (!ns_units_is_si(&l->units, p))
      return ns_elem_fail(
          &l->msg, e, NULL,
          "attribute %s: \"%s\" is not an SI unit, expected one such as m, rad, kg, N*m, V",
          attribute, ns_quoted(p).text);
    unit[k++] = p;
    l->has_units = 1;
  }
  *out = unit;
  return NS_OK;
}

/* Begin of the number before `word` in a text, blanks between them or not; NULL: there is none. */
static const char *number_before(const char *text, const char *word)
{
  while (word > text && isspace((unsigned char)word[-1])) word--;
  const char *p = word;
  while (p > text && (isdigit((unsigned char)p[-1]) || p[-1] == '.')) p--;
  int is_name = p > text && (isalpha((unsigned char)p[-1]) || p[-1] == '_');
  return p == word || is_name ? NULL : p;
}

/* The unit at `word`, with its divisors where they are part of it: its length, 0: no unit. The name
 * of a parameter is none, but in the value of a <parameter>, whose unit stands beside it. */
static size_t unit_at(ns_load *l, const char *word, const char *end, int of_parameter, char *unit,
                      size_t size)
{
  size_t n = 0, letters = 0;
  char si[64];
  while (word + letters < end && isalpha((unsigned char)word[letters])) letters++;
  if (!of_parameter && ns_load_parameter_elem(l, word, letters)) return 0;
  while (word + n < end && (isalnum((unsigned char)word[n]) || strchr("/^*", word[n]))) n++;
  for (; letters; n = letters, letters = 0) {
    if (n >= size) continue;
    snprintf(unit, size, "%.*s", (int)n, word);
    if (*ns_units_si_name(&l->units, unit, si, sizeof si)) return n;
  }
  return 0;
}

/* "2m", where a time is expected: the factor of a suffix as in netlists, 0: the letter is none, or
 * it is a unit that is expected here. */
static double suffix_at(ns_load *l, const char *word, const char *end, const char *expected)
{
  static const char letters[] = "fpnumk";
  static const double factor[] = {1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 1e3};
  const char *known = strchr(letters, *word), unit[2] = {*word, 0};
  char si[64], wanted[64];
  if (!known || (word + 1 < end && (isalnum((unsigned char)word[1]) || strchr("_/^*", word[1]))))
    return 0;
  const char *own = *word == 'u' ? "" : ns_units_si_name(&l->units, unit, si, sizeof si);
  if (*own && !expected) return 0;
  if (*own && !strcmp(own, ns_units_si_name(&l->units, expected, wanted, sizeof wanted))) return 0;
  return factor[known - letters];
}

int ns_load_unit_advice(ns_load *l, const ns_elem *e, const char *text, size_t len,
                        const char *expected, char *advice, size_t size)
{
  char unit[32];
  int of_parameter = e->def && !strcmp(e->name, "parameter");
  if (of_parameter) expected = ns_elem_attr(e, "unit");
  for (const char *p = text, *number; p < text + len; p++) {
    if (!isalpha((unsigned char)*p) || !(number = number_before(text, p))) continue;
    int is_name = !of_parameter && ns_load_parameter_elem(l, p, 1) != NULL;
    double factor = is_name ? 0 : suffix_at(l, p, text + len, expected);
    if (factor > 0) {
      snprintf(advice, size, "numbers have suffixes only in netlists: write %.10g",
               factor * strtod(number, NULL));
      return 1;
    }
    if (!unit_at(l, p, text + len, of_parameter, unit, sizeof unit)) continue;
    int digits = (int)strspn(number, "0123456789.");
    double si;
    ns_ctx quiet = {0};
    if (of_parameter)
      snprintf(advice, size, "write value=\"%.*s\" unit=\"%s\"", digits, number, unit);
    else if (!strcmp(unit, "deg"))
      snprintf(advice, size, "angles are in rad: write %.*s*pi/180", digits, number);
    else if (!ns_units_to_si(&l->units, &quiet, "", unit, strtod(number, NULL), &si))
      snprintf(advice, size, "numbers are in SI units, without their names: write %.10g", si);
    else continue;
    return 1;
  }
  return 0;
}
