/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/record/channels_parts.h"

#include "base/suggest.h"
#include "base/text.h"

#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- patterns -------------------------------------------------------------------------------- */

typedef struct filter {
  const char *const *pattern;
  int n;
  char *hit; /* [n] */
} filter;

static int matches(const char *pattern, const char *id, const char *full)
{
  return fnmatch(pattern, strchr(pattern, '.') ? full : id, 0) == 0;
}

/* Every pattern is tried, so that each knows whether it ever matched. */
static int wanted(const filter *f, const char *id, const char *full)
{
  int yes = f->n == 0;
  for (int i = 0; i < f->n; i++)
    if (matches(f->pattern[i], id, full)) yes = f->hit[i] = 1;
  return yes;
}

/* ---- building -------------------------------------------------------------------------------- */

static int walk(const ns_model *m, ns_channel_visit fn, void *to)
{
  return ns_channels_walk(m, &(const ns_channel_part){0}, fn, to);
}

typedef struct builder {
  const ns_model *m;
  ns_arena *a;
  filter f;
  ns_channels *out;
  const ns_quantity *only; /* of a table; NULL: all */
  const char *group;       /* of `only` */
  size_t fill;             /* columns of the table so far */
  char *texts;             /* room for labels of tables [left] */
  size_t left;
} builder;

enum { TEXTS = 1 << 16 };

/* Multipliers and inputs of first order are as held as the scheme holds them. */
static ns_course course_of(const ns_model *m, const ns_quantity *q)
{
  int multiplier = q->from == NS_FROM_LAMBDA || q->from == NS_FROM_P;
  return multiplier && ns_model_is_first_order(m) ? ns_course_of_multipliers(m) : q->course;
}

static int same_unit(const char *a, const char *b) { return a && b ? !strcmp(a, b) : a == b; }

/* Of all components in ch->unit where they have one, else in `all` [ncol], which may be NULL: out
 * of memory. */
static int put_units(ns_channel *ch, const char **all)
{
  int same = 1;
  if (!all) return -1;
  for (int i = 1; i < ch->ncol && same; i++) same = same_unit(all[i], all[0]);
  ch->unit = same && ch->ncol ? all[0] : NULL;
  ch->units = same ? NULL : all;
  return 0;
}

/* systems/ball/q, but diagnostics/newton */
static const char *path(ns_arena *a, const ns_channel_candidate *k)
{
  if (!k->vector) return ns_channel_join(a, k->group, "/", k->q->name);
  char *head = ns_channel_join(a, k->group, "/", k->id);
  return head ? ns_channel_join(a, head, "/", k->q->name) : NULL;
}

/* Whether a candidate is wanted; its full name is only made where there are patterns. */
static int is_wanted(const builder *b, const ns_channel_candidate *k)
{
  char full[512];
  if (b->f.n) snprintf(full, sizeof full, "%s.%s", k->id, k->q->name);
  return wanted(&b->f, k->id, full);
}

static int chosen(const builder *b, const ns_channel_candidate *k)
{
  if (b->only && (strcmp(k->q->name, b->only->name) != 0 || strcmp(k->group, b->group) != 0))
    return 0;
  return k->n > 0 && is_wanted(b, k);
}

static int count(void *to, const ns_channel_candidate *k)
{
  builder *b = to;
  if (!chosen(b, k)) return 0;
  b->out->n++;
  b->out->ncols += (size_t)k->n;
  return 0;
}

/* A label. Those of tables, of which there may be millions, stand side by side: a text of its own
 * takes at least 32 bytes of an arena. */
static const char *add_label(builder *b, const ns_channel_candidate *k, int i)
{
  ns_mark mark = ns_arena_mark(b->a);
  const char *own = ns_channel_label_of(b->a, k, i);
  size_t n = own ? strlen(own) + 1 : 0;
  if (!own || !b->only) return own;
  if (n > b->left) {
    b->texts = ns_arena_get(b->a, TEXTS, 1);
    b->left = b->texts ? TEXTS : 0;
    return own;
  }
  const char *packed = memcpy(b->texts, own, n);
  ns_arena_release(b->a, mark);
  b->texts += n;
  b->left -= n;
  return packed;
}

/* Columns of a candidate: their labels, and their places behind those already there. */
static int add_columns(builder *b, const ns_channel_candidate *k, const char **labels)
{
  ns_channels *o = b->out;
  for (int i = 0; i < k->n; i++) {
    if (!(labels[i] = add_label(b, k, i))) return -1;
    o->source[o->ncols++] = (ns_column_source){
        .from = k->q->from, .take = k->q->take, .offset = k->offset + (k->vector ? (size_t)i : 0)};
  }
  return 0;
}

static int add(void *to, const ns_channel_candidate *k)
{
  builder *b = to;
  ns_channels *o = b->out;
  if (!chosen(b, k)) return 0;
  const char **labels = ns_arena_get(b->a, (size_t)k->n, sizeof *labels);
  ns_channel ch = {.path = path(b->a, k),
                   .help = k->q->help,
                   .col = o->ncols,
                   .ncol = k->n,
                   .vector = k->vector,
                   .labels = labels,
                   .unit = k->q->unit,
                   .course = course_of(b->m, k->q)};
  const char *one, **units = k->n == 1 ? &one : ns_arena_get(b->a, (size_t)k->n, sizeof *units);
  if (!labels || !ch.path || !units) return -1;
  ch.names = k->names;
  for (int i = 0; i < k->n; i++) units[i] = ns_channel_unit_of(b->a, k, i);
  if (put_units(&ch, units)) return -1;
  o->channel[o->n++] = ch;
  return add_columns(b, k, labels);
}

static int add_to_table(void *to, const ns_channel_candidate *k)
{
  builder *b = to;
  if (!chosen(b, k)) return 0;
  const ns_channel *table = &b->out->channel[b->out->n];
  const char **labels = (const char **)(uintptr_t)table->labels + b->fill,
             **units = (const char **)(uintptr_t)table->units + b->fill;
  for (int i = 0; i < k->n; i++) units[i] = ns_channel_unit_of(b->a, k, i);
  b->fill += (size_t)k->n;
  return add_columns(b, k, labels);
}

static int add_table(builder *b, const ns_model *m, const char *group, const ns_quantity *q)
{
  ns_channels *o = b->out, counted = {0};
  const ns_channel_part w = {.only = q, .group = group};
  b->only = q;
  b->group = group;
  b->fill = 0;
  builder counter = *b;
  counter.out = &counted;
  ns_channels_walk(m, &w, count, &counter);
  if (!counted.n) return 0;
  const char **labels = ns_arena_get(b->a, counted.ncols, sizeof *labels);
  const char **units = malloc(counted.ncols * sizeof *units); /* most tables have one for all */
  o->channel[o->n] = (ns_channel){.path = ns_channel_join(b->a, group, "/", q->name),
                                  .help = q->help,
                                  .col = o->ncols,
                                  .ncol = (int)counted.ncols,
                                  .vector = 1,
                                  .labels = labels,
                                  .names = labels,
                                  .units = units,
                                  .course = course_of(m, q)};
  int rc = !labels || !units || !o->channel[o->n].path || ns_channels_walk(m, &w, add_to_table, b);
  if (!rc) rc = put_units(&o->channel[o->n], units);
  if (!rc && o->channel[o->n].units)
    rc = !(o->channel[o->n].units = ns_arena_copy(b->a, units, counted.ncols, sizeof *units));
  free(units);
  o->n += !rc;
  return -rc;
}

/* One table for all observables of a group and name. */
static int add_observable_tables(builder *b, const ns_model *m)
{
  int first[NS_CHANNEL_OBSERVABLES], n = 0, rc = 0;
  for (int i = 0; i < m->nobservables && !rc; i++) {
    const ns_observable *o = &m->observables[i];
    int known = 0;
    for (int k = 0; k < n && !known; k++)
      known = !strcmp(m->observables[first[k]].group, o->group) &&
              !strcmp(m->observables[first[k]].name, o->name);
    if (known || n == NS_CHANNEL_OBSERVABLES) continue;
    ns_quantity q = ns_quantity_of_observable(m, o);
    first[n++] = i;
    rc = add_table(b, m, o->group, &q);
  }
  return rc;
}

/* A quantity of this name is in the list. */
static int has_name(const ns_quantity_family *f, int group, const char *name)
{
  return NS_NAMED_INDEX(ns_quantity, name, f->of[group].quantity, f->of[group].n, name) >= 0;
}

/* Quantities that the others of a mixed model have beside those of f. */
static int add_tables_beside(builder *b, const ns_model *m, const ns_quantity_family *f, int g)
{
  static const ns_family kinds[] = {NS_FAMILY_FIRST_ORDER, NS_FAMILY_RIGID};
  int rc = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds && m->mixed; k++) {
    const ns_quantity_family *beside = ns_quantities_of(m, kinds[k]);
    const ns_quantity_family *before = k ? ns_quantities_of(m, kinds[0]) : f;
    for (size_t i = 0; i < beside->of[g].n && !rc; i++) {
      const ns_quantity *q = &beside->of[g].quantity[i];
      if (!has_name(f, g, q->name) && !(k && has_name(before, g, q->name)))
        rc = add_table(b, m, ns_channel_groups[g], q);
    }
  }
  return rc;
}

static int add_tables(builder *b, const ns_model *m)
{
  const ns_quantity_family *f = ns_quantities_of(m, ns_model_family(m));
  int rc = 0;
  for (int g = NS_CHANNEL_SYSTEMS; g <= NS_CHANNEL_INTERACTIONS; g++) {
    for (size_t i = 0; i < f->of[g].n && !rc; i++)
      rc = add_table(b, m, ns_channel_groups[g], &f->of[g].quantity[i]);
    if (!rc) rc = add_tables_beside(b, m, f, g);
  }
  for (size_t i = 0; i < NS_FORCE_QUANTITIES && m->nforces && !rc; i++)
    rc = add_table(b, m, "forces", &ns_quantities_of_forces[i]);
  if (!rc) rc = add_observable_tables(b, m);
  for (size_t i = 0; i < f->of[NS_CHANNEL_DIAGNOSTICS].n && !rc; i++) {
    b->only = &f->of[NS_CHANNEL_DIAGNOSTICS].quantity[i];
    b->group = ns_channel_groups[NS_CHANNEL_DIAGNOSTICS];
    rc = ns_channels_walk(m, &(const ns_channel_part){b->only, b->group}, add, b);
  }
  return rc;
}

static void add_time(ns_channels *o)
{
  static const char *const name[] = {"time"};
  o->channel[0] = (ns_channel){.path = "time",
                               .help = "time; values are those at the end of a step",
                               .ncol = 1,
                               .labels = name,
                               .unit = "s"};
  o->source[0] = (ns_column_source){.from = NS_FROM_T, .take = NS_TAKE_NOW};
  o->n = 1;
  o->ncols = 1;
}

/* ---- a pattern that matches nothing ---------------------------------------------------------- */

typedef struct hint {
  ns_arena *a;
  const char *pattern;
  ns_suggest s;
  const char *whole; /* the channel that the pattern is a component of */
} hint;

static int offer(void *to, const ns_channel_candidate *k)
{
  hint *h = to;
  const char *full = ns_channel_join(h->a, k->id, ".", k->q->name);
  const char *id = ns_arena_text(h->a, k->id);
  if (!full || !id) return -1;
  ns_suggest_offer(&h->s, strchr(h->pattern, '.') ? full : id);
  for (int i = 0; i < k->n && k->vector; i++) {
    const char *l = ns_channel_label_of(h->a, k, i);
    if (!l) return -1;
    if (strcmp(l, h->pattern) == 0) {
      h->whole = full;
      return 1;
    }
  }
  return 0;
}

static int unmatched(ns_ctx *c, const ns_model *m, ns_arena *a, const char *pattern)
{
  static const char form[] =
      "a pattern is `id.quantity` with * and ?, such as \"ball.q\" or \"*.lambda\"";
  hint h = {.a = a, .pattern = pattern, .s = ns_suggest_for(pattern, strlen(pattern))};
  if (walk(m, offer, &h) < 0) return ns_nomem(c, "names of channels");
  if (h.whole)
    return ns_fail(c, NS_USAGE, "record \"%s\": components are recorded together; write \"%s\"",
                   pattern, h.whole);
  if (h.s.best)
    return ns_fail(c, NS_USAGE, "record \"%s\" matches no quantity; did you mean \"%s\"? (%s)",
                   pattern, h.s.best, form);
  return ns_fail(c, NS_USAGE, "record \"%s\" matches no quantity; %s", pattern, form);
}

static int all_hit(ns_ctx *c, const ns_model *m, ns_arena *a, const filter *f)
{
  for (int i = 0; i < f->n; i++)
    if (!f->hit[i] && strcmp(f->pattern[i], "time") != 0) return unmatched(c, m, a, f->pattern[i]);
  return NS_OK;
}

int ns_channels_list(ns_ctx *c, const ns_model *m, const char *const *patterns, int npatterns,
                     ns_arena *a, ns_channels *out)
{
  *out = (ns_channels){0};
  int np = patterns && npatterns > 0 ? npatterns : 0;
  builder b = {
      .m = m, .a = a, .f = {patterns, np, ns_arena_zero(a, (size_t)np + 1, 1)}, .out = out};
  if (!b.f.hit) return ns_nomem(c, "patterns of --record");
  walk(m, count, &b);
  ns_mark mark = ns_arena_mark(a);
  int rc = all_hit(c, m, a, &b.f);
  ns_arena_release(a, mark);
  if (rc) return rc;
  int many = out->n > NS_CHANNELS_MANY;
  out->channel = ns_arena_get(a, many ? NS_CHANNEL_TABLES_MAX : (size_t)out->n + 1,
                              sizeof *out->channel);
  out->source = malloc((out->ncols + 1) * sizeof *out->source);
  rc = !out->channel || !out->source;
  if (!rc) add_time(out);
  if (!rc) rc = many ? add_tables(&b, m) : walk(m, add, &b);
  if (!rc) return NS_OK;
  free(out->source);
  out->source = NULL;
  return ns_nomem(c, "channels of the output");
}

const double *ns_column_address(const ns_column_source *s, const ns_state *x,
                                const ns_step_report *report)
{
  const double *base[] = {[NS_FROM_T] = x->t,
                          [NS_FROM_Q] = x->q,
                          [NS_FROM_V] = x->v,
                          [NS_FROM_P] = x->p,
                          [NS_FROM_Z] = x->z,
                          [NS_FROM_Y] = x->y,
                          [NS_FROM_YDOT] = x->ydot,
                          [NS_FROM_LAMBDA] = x->lambda,
                          [NS_FROM_IMPULSE] = x->impulse,
                          [NS_FROM_SIDE] = x->side,
                          [NS_FROM_OBSERVABLE] = x->observable,
                          [NS_FROM_SUPPORT] = x->support,
                          [NS_FROM_ANGLE] = x->angle,
                          [NS_FROM_RATE] = x->rate,
                          [NS_FROM_REPORT] = (const double *)report};
  if (s->from == NS_FROM_CERT)
    return (const double *)(const void *)((const char *)x->cert + s->offset);
  return base[s->from] + s->offset;
}
