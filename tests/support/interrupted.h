/* SPDX-License-Identifier: GPL-3.0-or-later */
/* interrupted.h -- for tests: a run that is stopped, saved, and goes on in another simulation; and
 * a comparison to the bit.
 *
 * As in a process that ended, nothing of the first simulation is there when the second one begins
 * but the bytes that it saved, and the rows that it wrote, with one too many. */
#ifndef TESTS_SUPPORT_INTERRUPTED_H
#define TESTS_SUPPORT_INTERRUPTED_H

#include "base/blob.h"
#include "support/run.h"

/* What a test makes of a model before it is simulated; NULL and 0: as it is. */
typedef struct change {
  const char *strategy, *integrator, *solver;
  ns_storage storage;
  int d1;          /* another variant of D1-minus */
  long long steps; /* at most */
  int every;       /* of rows; 0: each step */
} change;

static inline int keep_mark(void *self, ns_ctx *c, ns_blob *b)
{
  (void)c;
  const capture *k = self;
  ns_blob_put(b, &k->nrows, sizeof k->nrows);
  ns_blob_put(b, &k->nevents, sizeof k->nevents);
  return NS_OK;
}

static inline int keep_resume(ns_ctx *c, const char *path, const ns_run_info *info,
                              const ns_channel *channels, int nchannels, size_t ncols, ns_blob *b,
                              void **self)
{
  (void)c, (void)info, (void)channels, (void)nchannels;
  capture *k = NULL;
  size_t nrows = 0, nevents = 0;
  sscanf(path, "%p", (void **)&k);
  ns_blob_get(b, &nrows, sizeof nrows);
  ns_blob_get(b, &nevents, sizeof nevents);
  ck_assert(ncols == k->ncols && nrows <= k->nrows && nevents <= k->nevents);
  k->nrows = nrows;
  k->nevents = nevents;
  *self = k;
  return NS_OK;
}

static const ns_sink_ops kept = {.size = sizeof kept,
                                 .name = "keep",
                                 .suffix = "",
                                 .open = keep_open,
                                 .rows = keep_rows,
                                 .events = keep_events,
                                 .flush = keep_flush,
                                 .close = keep_close,
                                 .mark = keep_mark,
                                 .resume = keep_resume};

static inline void no_words(void *to, ns_severity sev, const char *msg)
{
  (void)to, (void)sev, (void)msg;
}

/* Load with the changes; .s is NULL where the model cannot be simulated like that. */
static inline run changed_run(const char *model, const change *k)
{
  run r = {.c = {.report = no_words}};
  r.m = load_model(&r.c, model, NULL);
  if (!r.m) return r;
  ns_simulation_options *s = &r.m->sim;
  if (k->strategy) {
    s->strategy = k->strategy;
    s->event_driven = !strcmp(k->strategy, "EventDriven");
  }
  if (k->integrator) {
    s->integrator = k->integrator;
    s->two_steps = !strcmp(k->integrator, "SchatzmanPaoliOSI");
  }
  if (k->solver) s->osnsp.solver = k->solver;
  if (k->storage) s->osnsp.storage = k->storage;
  if (k->d1) s->d1 = s->d1 == NS_D1_VELOCITY ? NS_D1_ACCELERATION : NS_D1_VELOCITY;
  if (k->steps && s->t0 + (double)k->steps * s->ts.h < s->T)
    s->T = s->t0 + (double)k->steps * s->ts.h;
  if (ns_simulation_create(&r.c, r.m, &r.s) == NS_OK) r.x = ns_simulation_state(r.s);
  return r;
}

typedef struct stop {
  run *r;
  ns_recorder *rec;
  ns_blob *to;
} stop;

static inline int save_all(void *to, ns_ctx *c, ns_checkpoint_why why)
{
  stop *s = to;
  if (why != NS_CHECKPOINT_STOP) return NS_OK;
  ns_blob_clear(s->to);
  int rc = ns_simulation_save(s->r->s, c, s->to);
  return rc ? rc : ns_recorder_save(s->rec, c, s->to);
}

/* Run, from `from` where that is not empty, until w stops it or to the end, and save to `to` where
 * it stops. */
static inline int run_watched(run *r, int every, ns_blob *from, ns_watch w, ns_blob *to)
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
  ck_assert_int_eq(ns_simulation_keep(r->s, &r->c, NULL), NS_OK);
  if (from && from->n) {
    from->at = 0;
    int rc = ns_simulation_restore(r->s, &r->c, from);
    ck_assert_msg(rc == NS_OK, "%s", r->c.msg);
    rc = ns_recorder_resume(&r->c, r->m, r->x, &kept, path, &info, NULL, 0, every, from, &rec);
    ck_assert_msg(rc == NS_OK && from->at == from->n, "%s", r->c.msg);
  } else
    ck_assert_int_eq(
        ns_recorder_create(&r->c, r->m, r->x, &kept, path, &info, NULL, 0, every, &rec), NS_OK);
  stop s = {r, rec, to};
  w.checkpoint = to ? save_all : NULL;
  w.to = &s;
  int rc = ns_simulation_run(r->s, &r->c, rec, &w);
  ck_assert_int_eq(ns_recorder_close(rec, &r->c, &res), NS_OK);
  return rc;
}

/* The same for at most `steps` steps; 0: to the end. */
static inline int run_part(run *r, int every, ns_blob *from, long long steps, ns_blob *to)
{
  return run_watched(r, every, from, (ns_watch){.max_steps = steps}, to);
}

/* The same bits; NaN is as good as any. */
static inline void same_results(const run *a, const run *b, const char *what)
{
  const capture *p = &a->got, *q = &b->got;
  ck_assert_msg(p->nrows == q->nrows && p->nevents == q->nevents,
                "%s: %zu rows and %zu events, expected %zu and %zu", what, q->nrows, q->nevents,
                p->nrows, p->nevents);
  for (size_t i = 0; i < p->nrows; i++)
    for (size_t k = 0; k < p->ncols; k++)
      ck_assert_msg(!memcmp(&p->rows[i * p->ncols + k], &q->rows[i * p->ncols + k], sizeof(double)),
                    "%s: %s in row %zu is %.17g, expected %.17g", what, p->labels[k], i,
                    q->rows[i * p->ncols + k], p->rows[i * p->ncols + k]);
  for (size_t i = 0; i < p->nevents; i++) {
    const ns_event *e = &p->events[i], *f = &q->events[i];
    double u[] = {e->t, e->before, e->after, e->impulse},
           v[] = {f->t, f->before, f->after, f->impulse};
    ck_assert_msg(!memcmp(u, v, sizeof u) && e->kind == f->kind &&
                      e->interaction == f->interaction && e->row == f->row,
                  "%s: event %zu at t = %.17g differs: %.17g %.17g %.17g, expected %.17g %.17g "
                  "%.17g at %.17g",
                  what, i, f->t, f->before, f->after, f->impulse, e->before, e->after, e->impulse,
                  e->t);
  }
  ck_assert_msg(a->x->bytes == b->x->bytes && !memcmp(a->x->block, b->x->block, a->x->bytes),
                "%s: the last state differs", what);
}

static inline unsigned long next_random(unsigned long *seed)
{
  *seed = *seed * 6364136223846793005ul + 1442695040888963407ul;
  return *seed >> 33;
}

/* A run that is stopped at `moments` random steps, each time from its start, and once more before
 * its end, against one that is not. 0: the model does not go with the changes, or its run fails. */
static inline int goes_on_the_same(const char *model, const change *k, int moments,
                                   unsigned long seed)
{
  run whole = changed_run(model, k);
  char what[512];
  int every = k->every ? k->every : 1,
      good = whole.s && run_part(&whole, every, NULL, 0, NULL) == NS_OK;
  long long steps = good ? *whole.x->step : 0;
  for (int i = 0; i < moments && good; i++) {
    long long first = (long long)(next_random(&seed) % (unsigned long)steps),
              second = 1 + (long long)(next_random(&seed) % 7);
    ns_blob b = {0};
    run a = changed_run(model, k);
    int rc = first ? run_part(&a, every, NULL, first, &b) : NS_OK;
    run c = changed_run(model, k);
    c.got = a.got;
    a.got = (capture){0};
    run_end(&a);
    ck_assert_int_eq(rc, first ? NS_STOPPED : NS_OK);
    rc = run_part(&c, every, &b, second, &b);
    run d = changed_run(model, k);
    d.c.report = to_stderr;
    d.got = c.got;
    c.got = (capture){0};
    run_end(&c);
    if (rc == NS_STOPPED) {
      snprintf(what, sizeof what, "%.80s, %s, %s, stopped after %lld and %lld of %lld steps",
               *model == '<' ? "text" : model, whole.m->sim.integrator, whole.m->sim.osnsp.solver,
               first, second, steps);
      rc = run_part(&d, every, &b, 0, NULL);
      ck_assert_int_eq(rc, NS_OK);
      same_results(&whole, &d, what);
    }
    run_end(&d);
    ns_blob_fini(&b);
  }
  run_end(&whole);
  return good;
}

#endif
