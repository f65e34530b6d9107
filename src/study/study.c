/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/study.h"

#include "base/grow.h"
#include "base/suggest.h"
#include "base/text.h"
#include "expression/quote.h"
#include "io/number.h"
#include "model/measure.h"
#include "simulation/record/channels.h"
#include "study/reader.h"

#include <math.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ----------------------------------------------------------------------------------- */

const ns_parameter *ns_study_parameter(const ns_study_reader *r, const char *name)
{
  int k = NS_NAMED_INDEX(ns_parameter, name, r->model->parameters, r->model->nparameters, name);
  return k < 0 ? NULL : &r->model->parameters[k];
}

static int known(const ns_study_reader *r, const char *name)
{
  return NS_NAMED_INDEX(ns_study_column, name, r->column, r->s->ncolumns, name);
}

/* The name is that of a vector, or of an entry, which a run sets as a whole. */
static int is_vector(const ns_study_reader *r, const char *name)
{
  size_t n = strcspn(name, "[");
  for (int i = 0; i < r->model->nparameters; i++) {
    const char *entry = r->model->parameters[i].name;
    if (!strncmp(entry, name, n) && entry[n] == '[') return 1;
  }
  return 0;
}

/* The name is that of neither a parameter nor an option. */
static int unknown(const ns_study_reader *r, ns_ctx *c, const char *at, const char *name,
                   const ns_base_found *found)
{
  const char *model = r->s->model;
  ns_quotation quoted = ns_quoted(name);
  ns_suggest s = ns_suggest_for(name, strlen(name));
  if (*found->why) return ns_fail(c, NS_MODEL, "%s: %s: %s", at, quoted.text, found->why);
  for (int i = 0; i < r->model->nparameters; i++)
    ns_suggest_offer(&s, r->model->parameters[i].name);
  const char *near = s.best ? s.best : found->suggest;
  if (near)
    return ns_fail(c, NS_MODEL, "%s: %s has no parameter or simulation option %s, did you mean %s?",
                   at, model, quoted.text, near);
  return ns_fail(
      c, NS_MODEL,
      "%s: %s has no parameter or simulation option %s; `nssim check %s` lists its parameters", at,
      model, quoted.text, model);
}

int ns_study_add_column(ns_study_reader *r, ns_ctx *c, const char *at, const char *name)
{
  int k = known(r, name);
  ns_base_found found = {.suggest = NULL};
  if (k >= 0) return k;
  if (is_vector(r, name))
    return ns_fail(c, NS_MODEL,
                   "%s: %.*s is a vector, expected a parameter that is one number; a <parameter> "
                   "can be a value of <vector name=\"%.*s\">",
                   at, (int)strcspn(name, "["), name, (int)strcspn(name, "["), name);
  const ns_parameter *p = ns_study_parameter(r, name);
  int option = !p && ns_base_has_option(r->base, name, &found);
  if (!p && !option) return unknown(r, c, at, name, &found);
  if (ns_grow(&r->column, r->s->ncolumns)) return ns_nomem(c, "columns of the study");
  ns_study_column *n = &r->column[r->s->ncolumns];
  *n = (ns_study_column){.name = ns_arena_text(r->s->arena, name),
                         .option = option,
                         .values = option ? found.values : NS_SETTING_NUMBERS,
                         .initial = p ? p->value : ns_base_option(r->base, r->model, name)};
  if (p && p->unit) n->unit = ns_arena_text(r->s->arena, p->unit);
  if (!n->name || (p && p->unit && !n->unit)) return ns_nomem(c, "columns of the study");
  return r->s->ncolumns++;
}

/* ---- the model ------------------------------------------------------------------------------- */

static void hex(const uint8_t *sum, size_t n, char *out)
{
  for (size_t i = 0; i < n; i++) snprintf(out + 2 * i, 3, "%02x", (unsigned)sum[i]);
}

static void hash_model(const ns_model *m, char out[65])
{
  struct sha256_ctx h;
  uint8_t sum[SHA256_DIGEST_SIZE];
  sha256_init(&h);
  for (int k = 0; k < m->nsources; k++)
    sha256_update(&h, sizeof m->sources[k].sha256, (const uint8_t *)m->sources[k].sha256);
  sha256_digest(&h, sizeof sum, sum);
  hex(sum, sizeof sum, out);
}

int ns_study_open_model(ns_study_reader *r, ns_ctx *c, const char *const *set, int nset,
                        const char *const *option, int noption)
{
  const ns_study_options *o = r->o;
  ns_load_options load = {.set = set,
                          .nset = nset,
                          .option = option,
                          .noption = noption,
                          .allow_include = o->allow_include,
                          .nallow = o->nallow};
  int rc = r->base ? NS_OK : ns_base_create(c, r->s->model, &load, &r->base);
  if (rc) return rc;
  if (!r->plugins && !(r->plugins = ns_plugins_create(c, o->plugin_path, o->nplugin_path)))
    return NS_NOMEM;
  ns_model_destroy(r->model);
  rc = ns_base_make(r->base, c, &load, r->plugins, &r->model);
  if (rc) return rc;
  hash_model(r->model, r->s->model_key);
  r->s->uses_plugins = r->model->uses_plugins;
  return NS_OK;
}

/* ---- units of results ------------------------------------------------------------------------ */

/* Those of measures, else of the final state, as ns_sweep_run names it. */
static int list_units(ns_study_reader *r, ns_ctx *c)
{
  enum { STATES_MAX = 1000 };
  const ns_model *m = r->model;
  ns_study *s = r->s;
  size_t max = m->nmeasures ? (size_t)m->nmeasures : m->nq > STATES_MAX ? 0 : m->nq;
  ns_study_unit *u = ns_arena_get(s->arena, max, sizeof *u);
  if (!u) return ns_nomem(c, "units of the study");
  for (int k = 0; k < m->nmeasures; k++) {
    const ns_measure *one = &m->measures[k];
    if (one->unit)
      u[s->nunits++] = (ns_study_unit){ns_arena_text(s->arena, one->id),
                                       ns_arena_text(s->arena, one->unit)};
  }
  for (int k = 0; k < m->nsystems && !m->nmeasures && max; k++) {
    const ns_system *y = &m->systems[k];
    const char *what = ns_system_is_first_order(y) ? "x" : "q";
    for (int i = 0; i < y->nq; i++) {
      const char *unit = ns_system_unit(y, i, 0);
      if (!unit) continue;
      u[s->nunits++] = (ns_study_unit){
          ns_channel_label(s->arena, "systems", y->at.id, what, ns_system_names(y, what), y->nq, i),
          ns_arena_text(s->arena, unit)};
    }
  }
  for (int k = 0; k < s->nunits; k++)
    if (!u[k].name || !u[k].unit) return ns_nomem(c, "units of the study");
  s->unit = u;
  return NS_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int is_table(const char *path)
{
  size_t n = strlen(path);
  return n > 4 && !strcmp(path + n - 4, ".csv");
}

int ns_study_read(ns_ctx *c, const char *path, const ns_study_options *o, ns_study **out,
                  ns_base **base)
{
  ns_arena *a = ns_arena_create(0, 1);
  ns_study *s = a ? ns_arena_zero(a, 1, sizeof *s) : NULL;
  *out = NULL;
  *base = NULL;
  if (!s || !(s->path = ns_arena_text(a, path))) {
    ns_arena_destroy(a);
    return ns_nomem(c, "study");
  }
  s->arena = a;
  s->name = s->title = "";
  ns_study_reader r = {.s = s, .o = o};
  int rc = is_table(path) ? ns_study_read_csv(&r, c) : ns_study_read_xml(&r, c);
  if (!rc) rc = list_units(&r, c);
  if (!rc && !(s->column = ns_arena_copy(a, r.column, (size_t)s->ncolumns, sizeof *s->column)))
    rc = ns_nomem(c, "study");
  free(r.column);
  ns_model_destroy(r.model);
  ns_plugins_destroy(r.plugins);
  if (rc) {
    ns_base_destroy(r.base);
    ns_arena_destroy(a);
    return rc;
  }
  *out = s;
  *base = r.base;
  return NS_OK;
}

void ns_study_destroy(ns_study *s)
{
  if (s) ns_arena_destroy(s->arena);
}

/* ---- cells ----------------------------------------------------------------------------------- */

ns_study_cell ns_study_cell_of(const char *text)
{
  char *end;
  if (!*text) return (ns_study_cell){.value = NAN};
  double x = strtod(text, &end); /* numbers are of the C locale */
  int decimal = text[strspn(text, "0123456789.eE+-")] == 0;
  if (!*end && decimal && isfinite(x)) return (ns_study_cell){.value = x};
  return (ns_study_cell){.text = text, .value = NAN};
}

/* ---- runs ------------------------------------------------------------------------------------ */

const char *ns_study_cell_text(const ns_study_cell *k, char *buf)
{
  if (k->text) return k->text;
  if (isnan(k->value)) return NULL;
  ns_number_format(k->value, buf);
  return buf;
}

/* Next column by name after `before`, NULL to begin; columns that a run leaves empty do not count.
 */
static int next_by_name(const ns_study *s, const ns_study_cell *row, const char *before)
{
  int best = -1;
  for (int k = 0; k < s->ncolumns; k++) {
    if (!row[k].text && isnan(row[k].value)) continue;
    if (before && strcmp(s->column[k].name, before) <= 0) continue;
    if (best < 0 || strcmp(s->column[k].name, s->column[best].name) < 0) best = k;
  }
  return best;
}

void ns_study_key(const ns_study *s, long long k, char key[NS_STUDY_KEY])
{
  const ns_study_cell *row = s->cell + (size_t)k * (size_t)s->ncolumns;
  char number[NS_NUMBER_SIZE];
  uint8_t sum[(NS_STUDY_KEY - 1) / 2];
  struct sha256_ctx h;
  sha256_init(&h);
  sha256_update(&h, strlen(s->model_key), (const uint8_t *)s->model_key);
  for (int i = next_by_name(s, row, NULL); i >= 0; i = next_by_name(s, row, s->column[i].name)) {
    const char *name = s->column[i].name, *text = ns_study_cell_text(&row[i], number);
    sha256_update(&h, strlen(name) + 1, (const uint8_t *)name);
    sha256_update(&h, strlen(text) + 1, (const uint8_t *)text);
    /* 15 cm is not 15 m */
    if (!row[i].text && s->column[i].unit)
      sha256_update(&h, strlen(s->column[i].unit) + 1, (const uint8_t *)s->column[i].unit);
  }
  sha256_digest(&h, sizeof sum, sum);
  hex(sum, sizeof sum, key);
}

const char *ns_study_describe(const ns_study *s, long long k, char *buf, size_t n)
{
  const ns_study_cell *row = s->cell + (size_t)k * (size_t)s->ncolumns;
  size_t at = 0;
  *buf = 0;
  for (int i = 0; i < s->ncolumns && at < n; i++) {
    const char *comma = at ? ", " : "";
    if (row[i].text)
      at += (size_t)snprintf(buf + at, n - at, "%s%s = %s", comma, s->column[i].name, row[i].text);
    else if (!isnan(row[i].value))
      at += (size_t)snprintf(buf + at, n - at, "%s%s = %.10g", comma, s->column[i].name,
                             row[i].value);
  }
  if (!*buf) snprintf(buf, n, "as the model says");
  return buf;
}
