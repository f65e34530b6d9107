/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/measured.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 40 };

static void show_one(const ns_measured *s, FILE *f)
{
  const char *unit = s->unit && strcmp(s->unit, "1") != 0 ? s->unit : "";
  if (s->why) {
    fprintf(f, "%s = undefined (%s): %s\n", s->id, s->kind, s->why);
    return;
  }
  fprintf(f, "%s = %.8g%s%s (", s->id, s->value, *unit ? " " : "", unit);
  if (s->samples >= 0) fprintf(f, "last of %d samples", s->samples);
  else fputs(s->kind, f);
  if (!isnan(s->time)) fprintf(f, ", at t = %.8g s", s->time);
  fputs(")\n", f);
}

void ns_measured_text(const ns_model *m, const ns_state *x, const char *heading, FILE *f)
{
  ns_measured s;
  int n = ns_measures_count(m);
  for (int k = 0; k < n && k < SHOWN; k++) {
    ns_measures_get(m, x, k, &s);
    fprintf(f, "  %-13s", k ? "" : heading);
    show_one(&s, f);
  }
  if (n > SHOWN) fprintf(f, "  %-13s... %d more: --json\n", "", n - SHOWN);
}

static void add_samples(ns_json *one, const ns_model *m, const ns_state *x, int k, int n)
{
  double *value = malloc((2 * (size_t)n + 1) * sizeof *value);
  ns_json values = ns_json_array(), times = ns_json_array();
  if (value) ns_measures_samples(m, x, k, value, value + n);
  else one->lost = 1;
  for (int i = 0; value && i < n; i++) {
    ns_json_add_real(&values, value[i]);
    ns_json_add_real(&times, value[n + i]);
  }
  free(value);
  ns_json_put(one, NS_JSON_MEMBER("values", values), NS_JSON_MEMBER("times", times));
}

ns_json ns_measured_json(const ns_model *m, const ns_state *x)
{
  ns_json all = ns_json_object();
  for (int k = 0; k < ns_measures_count(m); k++) {
    ns_measured s;
    ns_json one = ns_json_object();
    ns_measures_get(m, x, k, &s);
    ns_json_put(&one, NS_JSON_TEXT("kind", s.kind), NS_JSON_REAL("value", s.value));
    if (s.why) ns_json_text(&one, "undefined", s.why);
    ns_json_text(&one, "unit", s.unit);
    if (!isnan(s.time)) ns_json_real(&one, "time", s.time);
    if (s.samples >= 0) add_samples(&one, m, x, k, s.samples);
    ns_json_member(&all, s.id, one);
  }
  return all;
}
