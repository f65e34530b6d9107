/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/record/recorder.h"

#include "base/grow.h"
#include "simulation/record/channels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  MIN_BATCH = 256,    /* rows */
  BATCHES = 48,       /* a run is handed over in about so many pieces: chunk indices stay small */
  EVENTS = 1024,      /* buffered */
  CONTACTS = 1 << 16, /* that are worth a hand-over; a row may have more */
  MAX_STRIDE = 256    /* rows between two looks at the clock */
};
#define WIDE_BYTES (64e6)  /* most for MIN_BATCH rows */
#define BATCH_BYTES (16e6) /* most beyond MIN_BATCH rows */
#define FLUSH_SECONDS 2.0
#define SLOW_SECONDS 0.5 /* between two rows */

/* Contacts of the rows that are buffered, side by side. */
typedef struct contacts {
  int on; /* the sink takes them */
  /* each row has those of its time, with forces of their own: event-driven */
  int instant;
  ns_contact_record *all; /* [room], grows */
  size_t n, capacity;
  double *t;    /* of each row [cap] */
  size_t *upto; /* of each row: those of the rows before and its own [cap] */
  /* every > 1: all that pushed since the row before, in the order of their shapes, with the sums of
   * their impulses */
  ns_contact_record *sum; /* [sum_capacity] */
  size_t nsum, sum_capacity;
  int lent; /* `all` and `sum` have changed places until the next hand-over */
} contacts;

/* A column that is a sum or a mean over the steps since the row before. */
typedef struct gathered {
  size_t column;
  int mean;   /* by the time between rows */
  double sum; /* of the steps since the row before; not used where each step has a row */
} gathered;

struct ns_recorder {
  const ns_sink_ops *ops;
  void *sink;
  ns_arena *arena;
  const ns_state *x;
  int every;
  size_t ncols, cap, n; /* rows: at most, buffered now */
  double *rows;         /* [cap x ncols] */
  const double **from;  /* address of each column [ncols] */
  gathered *gathered;   /* [ngathered] */
  size_t ngathered;
  long long row_step; /* of the row before */
  double h;           /* s */
  ns_event *events;   /* [EVENTS] */
  size_t nevents;
  contacts contacts;
  ns_step_report worst;   /* since the last row; used with every > 1 */
  int broken;             /* output failed: nothing more is handed over */
  int stride, left;       /* rows between two looks at the clock, until the next one */
  double looked, flushed; /* s */
  ns_listener listener;
};

int ns_channels_select(ns_ctx *c, const ns_model *m, const char *const *patterns, int npatterns,
                       ns_arena *a, const ns_channel **channels, int *nchannels, size_t *ncols)
{
  ns_channels list;
  int rc = ns_channels_list(c, m, patterns, npatterns, a, &list);
  *channels = list.channel;
  *nchannels = rc ? 0 : list.n;
  *ncols = rc ? 0 : list.ncols;
  free(list.source);
  return rc;
}

/* ---- creation -------------------------------------------------------------------------------- */

/* Rows of the whole run, as far as the options tell; 0 where unknown. */
static double rows_expected(const ns_simulation_options *o, int every)
{
  double n = o->ts.h > 0 ? (o->T - o->t0) / o->ts.h / every + 2 : 0;
  return isfinite(n) && n > 0 ? ceil(n) : 0;
}

static size_t batch_rows(const ns_simulation_options *o, int every, size_t ncols)
{
  double bytes = (double)ncols * (double)sizeof(double), all = rows_expected(o, every);
  double n = fmin(fmax(MIN_BATCH, all / BATCHES), BATCH_BYTES / bytes);
  n = fmax(n, fmin(MIN_BATCH, WIDE_BYTES / bytes));
  if (all > 0) n = fmin(n, all);
  return n < 1 ? 1 : (size_t)n;
}

/* An array of contacts has room for n. */
static int ensure_capacity(ns_contact_record **list, size_t *capacity, ns_ctx *c, size_t n)
{
  return ns_reserve(list, capacity, n) ? ns_nomem(c, "contacts of the output") : NS_OK;
}

static int buffers(ns_recorder *r, ns_ctx *c, const ns_model *m, const ns_channels *list)
{
  r->ncols = list->ncols;
  r->cap = batch_rows(&m->sim, r->every, r->ncols);
  const ns_array want[] = {{&r->rows, r->cap, r->ncols * sizeof *r->rows},
                           {&r->from, r->ncols, sizeof *r->from},
                           {&r->events, EVENTS, sizeof *r->events},
                           {&r->gathered, r->ncols, sizeof *r->gathered}};
  if (ns_arena_arrays(r->arena, want, sizeof want / sizeof *want))
    return ns_nomem(c, "rows of the output");
  r->h = m->sim.ts.h;
  r->contacts.on = r->ops->contacts && ns_contacts_recorded(m);
  r->contacts.instant = m->sim.event_driven;
  if (r->contacts.on) {
    r->contacts.t = ns_arena_get(r->arena, r->cap, sizeof *r->contacts.t);
    r->contacts.upto = ns_arena_get(r->arena, r->cap, sizeof *r->contacts.upto);
    if (!r->contacts.t || !r->contacts.upto) return ns_nomem(c, "contacts of the output");
    int rc = ensure_capacity(&r->contacts.all, &r->contacts.capacity, c, CONTACTS);
    if (rc) return rc;
  }
  const ns_step_report *report = r->every > 1 ? &r->worst : r->x->report;
  for (size_t i = 0; i < r->ncols; i++) {
    r->from[i] = ns_column_address(&list->source[i], r->x, report);
    if (list->source[i].take == NS_TAKE_NOW) continue;
    r->gathered[r->ngathered++] = (gathered){.column = i,
                                             .mean = list->source[i].take == NS_TAKE_MEAN};
  }
  return NS_OK;
}

/* Coarse: 4 ms are enough for a flush every 2 s, and it costs a few ns. */
static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void release(ns_recorder *r)
{
  NS_FREE(r->contacts.all, r->contacts.sum);
  ns_arena_destroy(r->arena);
}

/* What a recorder is made from. */
typedef struct source {
  const ns_model *m;
  const char *path;
  const ns_run_info *info;
  const char *const *patterns;
  int npatterns;
  ns_blob *from; /* NULL: a new output */
} source;

/* Contacts since the row before, of a checkpoint. */
static int get_sums(contacts *k, ns_ctx *c, ns_blob *from)
{
  size_t bytes = 0;
  const void *sums = ns_blob_next(from, &bytes);
  if (!sums || !bytes) return NS_OK; /* a failure stays in the blob */
  int rc = ensure_capacity(&k->sum, &k->sum_capacity, c, bytes / sizeof *k->sum);
  if (rc) return rc;
  k->nsum = bytes / sizeof *k->sum;
  memcpy(k->sum, sums, k->nsum * sizeof *k->sum);
  return NS_OK;
}

static int open_sink(ns_recorder *r, ns_ctx *c, const source *s, const ns_channels *list)
{
  ns_run_info with = *s->info;
  with.batch = r->cap;
  if (!s->from)
    return r->ops->open(c, s->path, &with, list->channel, list->n, list->ncols, &r->sink);
  ns_blob_get(s->from, &r->worst, sizeof r->worst);
  ns_blob_get(s->from, &r->row_step, sizeof r->row_step);
  ns_blob_get(s->from, r->gathered, r->ngathered * sizeof *r->gathered);
  int rc = get_sums(&r->contacts, c, s->from);
  if (rc) return rc;
  return r->ops->resume(c, s->path, &with, list->channel, list->n, list->ncols, s->from, &r->sink);
}

static int create(ns_ctx *c, const source *s, const ns_state *x, const ns_sink_ops *ops, int every,
                  ns_recorder **out)
{
  *out = NULL;
  ns_recorder *r = NS_ARENA_OBJECT(ns_recorder, arena);
  if (!r) return ns_nomem(c, "recorder");
  r->ops = ops;
  r->x = x;
  r->every = every < 1 ? 1 : every;
  r->stride = r->left = 1;
  ns_channels list;
  int rc = ns_channels_list(c, s->m, s->patterns, s->npatterns, r->arena, &list);
  if (!rc) rc = buffers(r, c, s->m, &list);
  free(list.source);
  if (!rc) rc = open_sink(r, c, s, &list);
  if (rc) {
    release(r);
    return rc;
  }
  r->looked = r->flushed = now();
  *out = r;
  return NS_OK;
}

int ns_recorder_create(ns_ctx *c, const ns_model *m, const ns_state *x, const ns_sink_ops *ops,
                       const char *path, const ns_run_info *info, const char *const *patterns,
                       int npatterns, int every, ns_recorder **out)
{
  source s = {.m = m, .path = path, .info = info, .patterns = patterns, .npatterns = npatterns};
  return create(c, &s, x, ops, every, out);
}

int ns_recorder_resume(ns_ctx *c, const ns_model *m, const ns_state *x, const ns_sink_ops *ops,
                       const char *path, const ns_run_info *info, const char *const *patterns,
                       int npatterns, int every, ns_blob *b, ns_recorder **out)
{
  source s = {
      .m = m, .path = path, .info = info, .patterns = patterns, .npatterns = npatterns, .from = b};
  return create(c, &s, x, ops, every, out);
}

int ns_recorder_tap(ns_ctx *c, ns_recorder **out)
{
  *out = NS_ARENA_OBJECT(ns_recorder, arena);
  return *out ? NS_OK : ns_nomem(c, "recorder");
}

void ns_recorder_listen(ns_recorder *r, const ns_listener *l) { r->listener = *l; }

int ns_recorder_state(ns_recorder *r, ns_ctx *c)
{
  return r->listener.state ? r->listener.state(r->listener.to, c) : NS_OK;
}

int ns_recorder_passage(ns_recorder *r, ns_ctx *c, const ns_passage *p)
{
  return r->listener.passage ? r->listener.passage(r->listener.to, c, p) : NS_OK;
}

double ns_recorder_next(const ns_recorder *r, double t)
{
  return r->listener.next ? r->listener.next(r->listener.to, t) : INFINITY;
}

int ns_recorder_every(const ns_recorder *r) { return r->every; }

/* ---- handing over ---------------------------------------------------------------------------- */

/* Sums that are all of what is buffered are not copied: in large scenes they are most of the
 * memory of an output. */
static void change_places(contacts *k)
{
  ns_contact_record *sum = k->sum;
  size_t capacity = k->sum_capacity;
  k->sum = k->all;
  k->sum_capacity = k->capacity;
  k->all = sum;
  k->capacity = capacity;
  k->lent = !k->lent;
}

static int hand_over_contacts(ns_recorder *r, ns_ctx *c)
{
  contacts *k = &r->contacts;
  int rc = NS_OK;
  for (size_t i = 0, from = 0; i < r->n && !rc; from = k->upto[i++])
    rc = r->ops->contacts(r->sink, c, k->t[i], k->all + from, k->upto[i] - from);
  k->n = 0;
  if (k->lent) change_places(k);
  return rc;
}

/* What is buffered goes to the sink. */
static int hand_over(ns_recorder *r, ns_ctx *c)
{
  int rc = NS_OK;
  if (r->broken) return r->broken;
  if (r->n) rc = r->ops->rows(r->sink, c, r->rows, r->n);
  if (!rc && r->nevents) rc = r->ops->events(r->sink, c, r->events, r->nevents);
  if (!rc && r->contacts.on) rc = hand_over_contacts(r, c);
  r->n = r->nevents = 0;
  return r->broken = rc;
}

static int flush(ns_recorder *r, ns_ctx *c, double t)
{
  int rc = hand_over(r, c);
  if (!rc) rc = r->broken = r->ops->flush(r->sink, c);
  r->flushed = t;
  return rc;
}

int ns_recorder_save(ns_recorder *r, ns_ctx *c, ns_blob *b)
{
  int rc = hand_over(r, c);
  ns_blob_put(b, &r->worst, sizeof r->worst);
  ns_blob_put(b, &r->row_step, sizeof r->row_step);
  ns_blob_put(b, r->gathered, r->ngathered * sizeof *r->gathered);
  ns_blob_put(b, r->contacts.sum, r->contacts.nsum * sizeof *r->contacts.sum);
  if (!rc) rc = r->broken = r->ops->mark(r->sink, c, b);
  r->flushed = now();
  return rc;
}

/* Look at the clock, often where rows come slowly and seldom where they come fast. A row that was
 * long in coming is flushed at once: the next one may take as long. */
static int look(ns_recorder *r, ns_ctx *c)
{
  double t = now(), gone = t - r->looked;
  if (gone > 0.2) r->stride = 1;
  else if (gone < 0.02 && r->stride < MAX_STRIDE) r->stride *= 2;
  r->left = r->stride;
  r->looked = t;
  return t - r->flushed >= FLUSH_SECONDS || gone >= SLOW_SECONDS ? flush(r, c, t) : NS_OK;
}

/* ---- in the step loop ------------------------------------------------------------------------ */

static inline void raise_to(double *a, double b)
{
  if (b > *a || b != b) *a = b; /* a NaN is kept, too */
}

void ns_recorder_step(ns_recorder *r)
{
  if (r->every <= 1) return;
  const ns_step_report *s = r->x->report;
  raise_to(&r->worst.newton, s->newton);
  raise_to(&r->worst.newton_residual, s->newton_residual);
  raise_to(&r->worst.iterations, s->iterations);
  raise_to(&r->worst.residual, s->residual);
  raise_to(&r->worst.active, s->active);
  raise_to(&r->worst.penetration, s->penetration);
  for (size_t i = 0; i < r->ngathered; i++) r->gathered[i].sum += *r->from[r->gathered[i].column];
}

int ns_recorder_gathers(const ns_recorder *r) { return r->every > 1 && r->ngathered > 0; }

/* Time since the row before, s. */
static double time_of_row(const ns_recorder *r)
{
  return (double)(*r->x->step - r->row_step) * r->h;
}

/* Sums and means since the row before into a row. */
static void put_gathered(ns_recorder *r, double *row)
{
  double time = time_of_row(r);
  for (size_t i = 0; i < r->ngathered; i++) {
    gathered *g = &r->gathered[i];
    if (r->every > 1) row[g->column] = g->sum;
    if (g->mean) row[g->column] = time > 0 ? row[g->column] / time : 0;
    g->sum = 0;
  }
}

static int shapes_order(const ns_contact_record *x, const ns_contact_record *y)
{
  int order = (x->a > y->a) - (x->a < y->a);
  return order ? order : (x->b > y->b) - (x->b < y->b);
}

/* y as it is now, with what x did before. */
static ns_contact_record add_amounts(const ns_contact_record *x, const ns_contact_record *y)
{
  ns_contact_record sum = *y;
  for (int i = 0; i < 3; i++) {
    sum.impulse[i] += x->impulse[i];
    sum.moment[i] += x->moment[i];
  }
  return sum;
}

/* Contacts of one pair at the end of the first n of a list. */
static size_t pair_ending(const ns_contact_record *list, size_t n)
{
  size_t from = n;
  while (from > 0 && shapes_order(&list[from - 1], &list[n - 1]) == 0) from--;
  return n - from;
}

/* The pairs at the ends of the first i of one list and the first j of another that come last: how
 * many contacts of it each has, 0 where it has that pair not. */
static void last_pair(const ns_contact_record *x, size_t i, const ns_contact_record *y, size_t j,
                      size_t *of_x, size_t *of_y)
{
  int order = i && j ? shapes_order(&x[i - 1], &y[j - 1]) : (i > 0) - (j > 0);
  *of_x = order >= 0 ? pair_ending(x, i) : 0;
  *of_y = order <= 0 ? pair_ending(y, j) : 0;
}

/* Both lists are in the order of their shapes; of one pair the contacts are taken in their order.
 * They are merged from their ends, so that nothing is overwritten that is still to be read. */
int ns_recorder_contacts_step(ns_recorder *r, ns_ctx *c, const ns_contact_record *list, size_t n)
{
  contacts *k = &r->contacts;
  size_t of_sum, of_list, all = 0;
  if (r->every <= 1 || r->broken || !k->on || k->instant) return r->broken;
  for (size_t i = k->nsum, j = n; i || j; i -= of_sum, j -= of_list) {
    last_pair(k->sum, i, list, j, &of_sum, &of_list);
    all += of_sum > of_list ? of_sum : of_list;
  }
  int rc = ensure_capacity(&k->sum, &k->sum_capacity, c, all);
  if (rc) return rc;
  size_t to = all;
  for (size_t i = k->nsum, j = n; i || j;) {
    last_pair(k->sum, i, list, j, &of_sum, &of_list);
    size_t max = of_sum > of_list ? of_sum : of_list;
    to -= max;
    i -= of_sum;
    j -= of_list;
    for (size_t e = max; e-- > 0;) {
      ns_contact_record one = e < of_sum ? k->sum[i + e] : list[j + e];
      if (e < of_sum && e < of_list) one = add_amounts(&k->sum[i + e], &list[j + e]);
      k->sum[to + e] = one;
    }
  }
  k->nsum = all;
  return NS_OK;
}

static void put_forces(const ns_recorder *r, ns_contact_record *list, size_t n)
{
  double time = time_of_row(r);
  for (size_t i = 0; i < n && !r->contacts.instant; i++)
    for (int l = 0; l < 3; l++) list[i].force[l] = time > 0 ? list[i].impulse[l] / time : 0;
}

int ns_recorder_contacts(ns_recorder *r, ns_ctx *c, const ns_contact_record *list, size_t n)
{
  contacts *k = &r->contacts;
  int summed = r->every > 1 && k->on && !k->instant;
  if (summed) n = k->nsum;
  if (r->broken || !k->on) return r->broken;
  int rc = k->n + n > CONTACTS ? hand_over(r, c) : NS_OK;
  size_t before = r->n ? k->upto[r->n - 1] : 0; /* called twice for a row: the last list counts */
  if (summed && n > CONTACTS && !k->lent) change_places(k);
  else if (summed) list = k->sum;
  if (!rc && !k->lent) rc = ensure_capacity(&k->all, &k->capacity, c, before + n);
  if (rc) return rc;
  if (n && !k->lent) memcpy(k->all + before, list, n * sizeof *list);
  put_forces(r, k->all + before, n);
  k->n = before + n;
  return NS_OK;
}

int ns_recorder_row(ns_recorder *r, ns_ctx *c)
{
  if (r->broken || !r->ops) return r->broken;
  if (r->contacts.on) {
    r->contacts.t[r->n] = *r->x->t;
    r->contacts.upto[r->n] = r->contacts.n;
  }
  double *row = r->rows + r->n * r->ncols;
  for (size_t i = 0; i < r->ncols; i++) row[i] = *r->from[i];
  if (r->ngathered) put_gathered(r, row);
  r->worst = (ns_step_report){0};
  r->row_step = *r->x->step;
  r->contacts.nsum = 0;
  if (++r->n == r->cap || r->contacts.lent) {
    int rc = hand_over(r, c);
    if (rc) return rc;
  }
  return --r->left > 0 ? NS_OK : look(r, c);
}

int ns_recorder_event(ns_recorder *r, ns_ctx *c, const ns_event *e)
{
  int rc = r->listener.event ? r->listener.event(r->listener.to, c, e) : NS_OK;
  if (rc) return rc;
  if (r->broken || !r->ops) return r->broken;
  r->events[r->nevents++] = *e;
  return r->nevents == EVENTS ? hand_over(r, c) : NS_OK;
}

int ns_recorder_close(ns_recorder *r, ns_ctx *c, const ns_run_result *res)
{
  if (!r) return NS_OK;
  if (!r->ops) {
    release(r);
    return NS_OK;
  }
  ns_run_result end = *res;
  int before = r->broken, rc = hand_over(r, c);
  if (rc && !before) { /* the run went well, its output did not */
    end.status = "failed";
    end.message = c->msg;
    end.exit = ns_status_exit(rc);
  }
  int last = r->ops->close(r->sink, c, &end);
  release(r);
  return rc ? rc : last;
}
