/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.h -- for tests: run a model text or file in this process and look at every row and event. */
#ifndef TESTS_SUPPORT_RUN_H
#define TESTS_SUPPORT_RUN_H

#include "io/load/load.h"
#include "simulation/simulation.h"
#include "support/some_of.h"
#include "support/suite.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a run recorded: rows side by side, events in order, contacts at the end. */
typedef struct capture {
  size_t ncols, nrows, cap;
  double *rows;
  char **labels; /* heading of each column */
  ns_event *events;
  size_t nevents;
  ns_contact_record *contacts; /* between shapes, of the last row */
  size_t ncontacts;
} capture;

typedef struct run {
  ns_ctx c;
  ns_model *m;
  ns_simulation *s;
  const ns_state *x;
  capture got;
} run;

/* A sink that keeps everything; `path` carries the address of its capture. */
static inline int keep_open(ns_ctx *c, const char *path, const ns_run_info *info,
                            const ns_channel *channels, int nchannels, size_t ncols, void **self)
{
  (void)c, (void)info;
  capture *k = NULL;
  sscanf(path, "%p", (void **)&k);
  /* names outlive the recorder, whose memory the channels are */
  *k = (capture){.ncols = ncols, .labels = calloc(ncols, sizeof *k->labels)};
  for (int i = 0; i < nchannels; i++)
    for (int j = 0; j < channels[i].ncol; j++)
      k->labels[channels[i].col + (size_t)j] = strdup(channels[i].labels[j]);
  *self = k;
  return NS_OK;
}

static inline int keep_rows(void *self, ns_ctx *c, const double *rows, size_t n)
{
  (void)c;
  capture *k = self;
  if (k->nrows + n > k->cap) {
    k->cap = 2 * (k->nrows + n);
    k->rows = realloc(k->rows, k->cap * k->ncols * sizeof(double));
  }
  memcpy(k->rows + k->nrows * k->ncols, rows, n * k->ncols * sizeof(double));
  k->nrows += n;
  return NS_OK;
}

static inline int keep_events(void *self, ns_ctx *c, const ns_event *e, size_t n)
{
  (void)c;
  capture *k = self;
  k->events = realloc(k->events, (k->nevents + n) * sizeof *e);
  memcpy(k->events + k->nevents, e, n * sizeof *e);
  k->nevents += n;
  return NS_OK;
}

static inline int keep_contacts(void *self, ns_ctx *c, double t, const ns_contact_record *list,
                                size_t n)
{
  (void)c, (void)t;
  capture *k = self;
  k->contacts = realloc(k->contacts, (n + 1) * sizeof *list);
  if (n) memcpy(k->contacts, list, n * sizeof *list);
  k->ncontacts = n;
  return NS_OK;
}

static inline int keep_flush(void *self, ns_ctx *c) { return (void)self, (void)c, NS_OK; }
static inline int keep_close(void *self, ns_ctx *c, const ns_run_result *r)
{
  return (void)self, (void)c, (void)r, NS_OK;
}

static const ns_sink_ops keep = {.size = sizeof keep,
                                 .name = "keep",
                                 .suffix = "",
                                 .open = keep_open,
                                 .rows = keep_rows,
                                 .events = keep_events,
                                 .flush = keep_flush,
                                 .close = keep_close,
                                 .contacts = keep_contacts};

static inline void to_stderr(void *to, ns_severity sev, const char *msg)
{
  (void)to;
  if (sev == NS_SEV_ERROR) fprintf(stderr, "%s\n", msg);
}

/* `model`, a text that begins with '<' or a path relative to the top folder, with overrides
 * "name=value", ended by NULL. NULL: it is refused, *c says why. */
static inline ns_model *load_model(ns_ctx *c, const char *model, const char *const *set)
{
  ns_model *m = NULL;
  ns_load_options o = {.set = set};
  while (set && set[o.nset]) o.nset++;
  if (*model == '<') {
    ns_load_memory(c, "test.xml", model, strlen(model), &o, NULL, &m);
    return m;
  }
  char path[40000];
  const char *top = getenv("TOP");
  snprintf(path, sizeof path, "%s/%s", top ? top : ".", model);
  ns_load_file(c, path, &o, NULL, &m);
  return m;
}

/* The simulation of such a model; T, h: another end and step, or NaN. */
static inline run run_load_as(const char *model, const char *const *set, double T, double h)
{
  run r = {.c = {.report = to_stderr}};
  r.m = load_model(&r.c, model, set);
  ck_assert_msg(r.m != NULL, "%s", r.c.msg);
  if (!isnan(T)) r.m->sim.T = T;
  if (!isnan(h)) r.m->sim.ts.h = h;
  int rc = ns_simulation_create(&r.c, r.m, &r.s);
  ck_assert_msg(rc == NS_OK, "%s", r.c.msg);
  r.x = ns_simulation_state(r.s);
  return r;
}

static inline run run_load_until(const char *model, const char *const *set, double T)
{
  return run_load_as(model, set, T, NAN);
}

static inline run run_load(const char *model, const char *const *set)
{
  return run_load_until(model, set, NAN);
}

/* Run to the end keeping every row and event; the code of the run. */
static inline int run_keep(run *r)
{
  ns_recorder *rec = NULL;
  ns_run_info info = {.model = r->m,
                      .version = "",
                      .command = "",
                      .host = "",
                      .user = "",
                      .started = "",
                      .libraries = ""};
  ns_run_result res = {.status = "complete", .message = "", .finished = "", .state = r->x};
  char path[64];
  snprintf(path, sizeof path, "%p", (void *)&r->got);
  ck_assert_int_eq(
      ns_recorder_create(&r->c, r->m, r->x, &keep, path, &info, NULL, 0, r->m->out.every, &rec),
      NS_OK);
  int rc = ns_simulation_run(r->s, &r->c, rec, NULL);
  ck_assert_int_eq(ns_recorder_close(rec, &r->c, &res), NS_OK);
  return rc;
}

/* The same of such a model, which must succeed. */
static inline run run_whole_as(const char *model, double T, double h)
{
  run r = run_load_as(model, NULL, T, h);
  int rc = run_keep(&r);
  ck_assert_msg(rc == NS_OK, "%s", r.c.msg);
  return r;
}

static inline run run_whole(const char *model) { return run_whole_as(model, NAN, NAN); }

static inline void run_end(run *r)
{
  ns_simulation_destroy(r->s);
  ns_model_destroy(r->m);
  for (size_t k = 0; k < r->got.ncols; k++) free(r->got.labels[k]);
  free(r->got.labels);
  free(r->got.rows);
  free(r->got.events);
  free(r->got.contacts);
}

/* A reference table: header line of names, rows of numbers; gzip-compressed. */
typedef struct table {
  int ncols;
  char names[64][32];
  size_t nrows;
  double *data; /* [nrows x ncols] */
} table;

static inline table table_read(const char *file)
{
  table t = {0};
  char cmd[4096], *line = NULL;
  const char *top = getenv("TOP");
  size_t size = 0, cap = 0;
  snprintf(cmd, sizeof cmd, "gzip -dc '%s/%s'", top ? top : ".", file);
  FILE *f = popen(cmd, "r");
  ck_assert_ptr_nonnull(f);
  ck_assert_int_gt(getline(&line, &size, f), 0);
  for (char *p = strtok(line, ",\n"); p && t.ncols < 64; p = strtok(NULL, ",\n"))
    snprintf(t.names[t.ncols++], sizeof t.names[0], "%s", p);
  while (getline(&line, &size, f) > 0) {
    if (t.nrows == cap)
      t.data = realloc(t.data, (cap = cap ? 2 * cap : 1024) * (size_t)t.ncols * 8);
    char *p = line;
    for (int k = 0; k < t.ncols; k++, p++)
      t.data[t.nrows * (size_t)t.ncols + (size_t)k] = strtod(p, &p);
    t.nrows++;
  }
  free(line);
  ck_assert_int_eq(pclose(f), 0);
  ck_assert_int_gt((int)t.nrows, 0);
  return t;
}

static inline int table_column(const table *t, const char *name)
{
  for (int k = 0; k < t->ncols; k++)
    if (strcmp(t->names[k], name) == 0) return k;
  ck_abort_msg("no column %s", name);
  return -1;
}

/* Column of the capture with this heading ("ball.x"). */
static inline size_t capture_column(const capture *g, const char *label)
{
  for (size_t k = 0; k < g->ncols; k++)
    if (strcmp(g->labels[k], label) == 0) return k;
  ck_abort_msg("nothing recorded as %s", label);
  return 0;
}

/* What was recorded in a row, by the heading of its column. */
static inline double run_at(const run *r, size_t row, const char *label)
{
  ck_assert_uint_lt(row, r->got.nrows);
  return r->got.rows[row * r->got.ncols + capture_column(&r->got, label)];
}

/* Load a model and run it to the end, every row kept. */
static inline run run_play(const char *text)
{
  run r = run_load(text, NULL);
  ck_assert_msg(run_keep(&r) == NS_OK, "%s", r.c.msg);
  return r;
}

/* max over stored rows of |a - ref| / max(1, max |ref|): the norm of comparison with references. */
static inline double table_distance(const table *t, const char *name, const capture *g,
                                    const char *label)
{
  int col = table_column(t, name), row = table_column(t, "row");
  size_t mine = capture_column(g, label);
  double worst = 0, scale = 1;
  for (size_t i = 0; i < t->nrows; i++) {
    const double *r = t->data + i * (size_t)t->ncols;
    ck_assert_uint_lt((size_t)r[row], g->nrows);
    worst = fmax(worst, fabs(g->rows[(size_t)r[row] * g->ncols + mine] - r[col]));
    scale = fmax(scale, fabs(r[col]));
  }
  return worst / scale;
}

#endif
