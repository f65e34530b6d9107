/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "simulation/record/recorder.h"
#include "support/suite.h"

#include "support/output_fixture.h"

#include <check.h>
#include <malloc.h>
#include <stdio.h>
#include <time.h>

/* ---- a sink that remembers ------------------------------------------------------------------- */

typedef struct tape {
  size_t ncols, nrows, calls, nevents, flushes, max;
  double rows[4096 * 4];
  int nchannels, closed, fail_at; /* fail_at: number of the call of rows that fails */
  char status[32], message[64];
  const ns_channel *channels;
} tape;

static tape *the_tape; /* the operations have no other way to the test */

static int tape_open(ns_ctx *c, const char *path, const ns_run_info *info, const ns_channel *ch,
                     int nch, size_t ncols, void **self)
{
  (void)c, (void)path;
  the_tape->max = info->batch;
  the_tape->channels = ch;
  the_tape->nchannels = nch;
  the_tape->ncols = ncols;
  *self = the_tape;
  return NS_OK;
}

static int tape_rows(void *self, ns_ctx *c, const double *rows, size_t n)
{
  tape *t = self;
  if ((int)++t->calls == t->fail_at) return ns_fail(c, NS_OUTPUT, "tape torn");
  for (size_t i = 0; i < n * t->ncols && t->nrows * t->ncols + i < 4096 * 4; i++)
    t->rows[t->nrows * t->ncols + i] = rows[i];
  t->nrows += n;
  ck_assert_uint_le(n, t->max);
  return NS_OK;
}

static int tape_events(void *self, ns_ctx *c, const ns_event *e, size_t n)
{
  (void)c, (void)e;
  ((tape *)self)->nevents += n;
  return NS_OK;
}

static int tape_flush(void *self, ns_ctx *c)
{
  (void)c;
  ((tape *)self)->flushes++;
  return NS_OK;
}

static int tape_close(void *self, ns_ctx *c, const ns_run_result *r)
{
  tape *t = self;
  (void)c;
  t->closed++;
  snprintf(t->status, sizeof t->status, "%s", r->status);
  snprintf(t->message, sizeof t->message, "%s", r->message);
  return NS_OK;
}

static const ns_sink_ops tape_sink = {.name = "tape",
                                      .open = tape_open,
                                      .rows = tape_rows,
                                      .events = tape_events,
                                      .flush = tape_flush,
                                      .close = tape_close};

/* ---- channels -------------------------------------------------------------------------------- */

static int select_these(fixture *f, ns_ctx *c, ns_arena *a, const char *const *p, int n,
                        const ns_channel **ch, int *nch, size_t *ncols)
{
  *c = (ns_ctx){0};
  return ns_channels_select(c, &f->model, p, n, a, ch, nch, ncols);
}

START_TEST(channels_have_their_order_paths_and_labels)
{
  static const char *const paths[] = {"time",
                                      "systems/ball/q",
                                      "systems/ball/v",
                                      "systems/ball/p",
                                      "systems/bead/q",
                                      "systems/bead/v",
                                      "systems/bead/p",
                                      "interactions/ground/y",
                                      "interactions/ground/ydot",
                                      "interactions/ground/lambda",
                                      "interactions/ground/force",
                                      "interactions/link/y",
                                      "interactions/link/ydot",
                                      "interactions/link/lambda",
                                      "interactions/link/force",
                                      "diagnostics/newton",
                                      "diagnostics/newton_residual",
                                      "diagnostics/iterations",
                                      "diagnostics/residual",
                                      "diagnostics/active",
                                      "diagnostics/penetration",
                                      "diagnostics/kinetic",
                                      "diagnostics/potential",
                                      "diagnostics/work_force",
                                      "diagnostics/work_contact",
                                      "diagnostics/energy_defect"};
  static const char *const labels[] = {"time",           "ball.x",
                                       "ball.y",         "ball.phi",
                                       "ball.v_x",       "ball.v_y",
                                       "ball.v_phi",     "ball.p_x",
                                       "ball.p_y",       "ball.p_phi",
                                       "bead.q[0]",      "bead.v[0]",
                                       "bead.p[0]",      "ground.y",
                                       "ground.ydot",    "ground.lambda",
                                       "ground.force",   "link.y[0]",
                                       "link.y[1]",      "link.ydot[0]",
                                       "link.ydot[1]",   "link.lambda[0]",
                                       "link.lambda[1]", "link.force[0]",
                                       "link.force[1]",  "diagnostics.newton"};
  fixture f;
  fixture_init(&f, 0.1, 1);
  ns_ctx c;
  ns_arena *a = ns_arena_create(0, 1);
  const ns_channel *ch;
  int n;
  size_t ncols, k = 0;
  ck_assert_int_eq(select_these(&f, &c, a, NULL, 0, &ch, &n, &ncols), NS_OK);
  ck_assert_int_eq(n, (int)(sizeof paths / sizeof *paths));
  ck_assert_uint_eq(ncols, FIXTURE_COLUMNS);
  for (int i = 0; i < n; i++) {
    ck_assert_str_eq(ch[i].path, paths[i]);
    ck_assert_uint_eq(ch[i].col, k);
    for (int j = 0; j < ch[i].ncol; j++, k++)
      if (k < sizeof labels / sizeof *labels) ck_assert_str_eq(ch[i].labels[j], labels[k]);
  }
  ck_assert_ptr_null(ch[3].unit); /* of x, y and phi */
  ck_assert_str_eq(ns_channel_unit(&ch[3], 0), "N s");
  ck_assert_str_eq(ns_channel_unit(&ch[3], 2), "N m s");
  ck_assert_ptr_nonnull(strstr(ch[3].help, "impulse (not a force)"));
  ck_assert_ptr_nonnull(strstr(ch[9].help, "impulse (not a force)"));
  ns_arena_destroy(a);
}
END_TEST

START_TEST(patterns_choose_and_time_always_stays)
{
  static const struct {
    const char *pattern[2];
    int n, channels;
    size_t cols;
  } row[] = {{{"ball.q"}, 1, 2, 4},
             {{"*.lambda"}, 1, 3, 4},
             {{"b*.?"}, 1, 7, 13},
             {{"ball"}, 1, 4, 10},
             {{"diagnostics"}, 1, 12, 12},
             {{"*"}, 1, 26, 36},
             {{"ball.q", "*.q"}, 2, 3, 5},
             {{"time"}, 1, 1, 1},
             {{"diagnostics.energy*"}, 1, 2, 2}};
  fixture f;
  fixture_init(&f, 0.1, 1);
  ns_ctx c;
  ns_arena *a = ns_arena_create(0, 1);
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    const ns_channel *ch;
    int n;
    size_t ncols;
    ck_assert_int_eq(select_these(&f, &c, a, row[i].pattern, row[i].n, &ch, &n, &ncols), NS_OK);
    ck_assert_int_eq(n, row[i].channels);
    ck_assert_uint_eq(ncols, row[i].cols);
    ck_assert_str_eq(ch[0].path, "time");
  }
  ns_arena_destroy(a);
}
END_TEST

START_TEST(unmatched_pattern_is_refused_with_a_hint)
{
  static const struct {
    const char *pattern, *hint;
  } row[] = {{"bal.q", "did you mean \"ball.q\"?"},
             {"ground.lamda", "did you mean \"ground.lambda\"?"},
             {"grund", "did you mean \"ground\"?"},
             {"ball.v_x", "write \"ball.v\""},
             {"completely.different", "a pattern is"}};
  fixture f;
  fixture_init(&f, 0.1, 1);
  ns_ctx c;
  ns_arena *a = ns_arena_create(0, 1);
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    const char *p[] = {"ball.q", row[i].pattern};
    const ns_channel *ch;
    int n;
    size_t ncols;
    ck_assert_int_eq(select_these(&f, &c, a, p, 2, &ch, &n, &ncols), NS_USAGE);
    ck_assert_msg(strstr(c.msg, row[i].hint) != NULL, "%s", c.msg);
    ck_assert_ptr_nonnull(strstr(c.msg, row[i].pattern));
  }
  ns_arena_destroy(a);
}
END_TEST

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double time_of_selection(int n)
{
  ns_system *s = calloc((size_t)n, sizeof *s);
  char(*id)[16] = calloc((size_t)n, sizeof *id);
  for (int i = 0; i < n; i++) {
    snprintf(id[i], sizeof id[i], "bead%d", i);
    s[i] = (ns_system){.at = {.id = id[i]}, .n = 1, .nq = 1, .q = (size_t)i, .v = (size_t)i};
  }
  ns_model m = {.systems = s, .nsystems = n, .nq = (size_t)n, .nv = (size_t)n};
  const char *p[] = {"bead*.q", "bead1.*"};
  ns_arena *a = ns_arena_create(0, 1);
  ns_ctx c = {0};
  const ns_channel *ch;
  int nch;
  size_t ncols;
  double t = seconds();
  ck_assert_int_eq(ns_channels_select(&c, &m, p, 2, a, &ch, &nch, &ncols), NS_OK);
  t = seconds() - t;
  ck_assert_int_eq(nch, 4); /* time, systems/q, systems/v, systems/p */
  ck_assert_uint_eq(ncols, (size_t)n + 3);
  ck_assert_str_eq(ch[1].path, "systems/q");
  char last[32];
  snprintf(last, sizeof last, "bead%d.q[0]", n - 1);
  ck_assert_str_eq(ch[1].labels[n - 1], last);
  ck_assert_str_eq(ch[2].labels[0], "bead1.v[0]");
  ck_assert_uint_eq(ch[2].col, (size_t)n + 1);
  ns_arena_destroy(a);
  free(id);
  free(s);
  return t;
}

START_TEST(selection_is_linear_in_the_number_of_systems)
{
  double small = time_of_selection(20000), large = time_of_selection(200000);
  /* Linear: 10; quadratic: 100. Half way on a logarithmic scale; a floor for coarse clocks. */
  ck_assert_double_lt(large, 32 * fmax(small, 2e-3));
}
END_TEST

/* ---- rows ------------------------------------------------------------------------------------ */

static ns_recorder *record(fixture *f, ns_ctx *c, tape *t, const char *pattern, int every)
{
  const char *p[] = {pattern};
  ns_recorder *r = NULL;
  memset(t, 0, sizeof *t);
  memset(c, 0, sizeof *c);
  the_tape = t;
  ck_assert_int_eq(ns_recorder_create(c, &f->model, &f->state, &tape_sink, "x", &f->info,
                                      pattern ? p : NULL, pattern != NULL, every, &r),
                   NS_OK);
  return r;
}

START_TEST(rows_arrive_whole_and_in_order)
{
  fixture f;
  fixture_init(&f, 1e-3, 1);
  static tape t;
  ns_ctx c;
  ns_recorder *r = record(&f, &c, &t, "bead.q", 1);
  ck_assert_uint_eq(t.max, 256);
  for (int k = 0; k <= 1000; k++) {
    fixture_step(&f, k);
    ns_recorder_step(r);
    ck_assert_int_eq(ns_recorder_row(r, &c), NS_OK);
  }
  ck_assert_uint_eq(t.calls, 3);
  ck_assert_int_eq(ns_recorder_close(r, &c, &f.result), NS_OK);
  ck_assert_uint_eq(t.nrows, 1001);
  ck_assert_int_eq(t.closed, 1);
  ck_assert_str_eq(t.status, "complete");
  for (int k = 0; k <= 1000; k++) {
    ck_assert_double_eq(t.rows[2 * k], k * 1e-3);
    ck_assert_double_eq(t.rows[2 * k + 1], fixture_value(3, k));
  }
}
END_TEST

START_TEST(between_rows_the_worst_step_counts)
{
  fixture f;
  fixture_init(&f, 1e-3, 1);
  static tape t;
  ns_ctx c;
  ns_recorder *r = record(&f, &c, &t, "diagnostics.residual", 10);
  ck_assert_int_eq(ns_recorder_every(r), 10);
  for (int k = 0; k <= 40; k++) {
    fixture_step(&f, k);
    f.report.residual = k == 13 ? 5e-3 : 1e-9; /* one bad step, not at a row */
    ns_recorder_step(r);
    if (k % 10 == 0) ck_assert_int_eq(ns_recorder_row(r, &c), NS_OK);
  }
  ck_assert_int_eq(ns_recorder_close(r, &c, &f.result), NS_OK);
  static const double expected[] = {1e-9, 1e-9, 5e-3, 1e-9, 1e-9};
  ck_assert_uint_eq(t.nrows, 5);
  for (int i = 0; i < 5; i++) ck_assert_double_eq(t.rows[2 * i + 1], expected[i]);
}
END_TEST

/* ---- contacts between rows ------------------------------------------------------------------- */

/* Of the rows of a run. */
enum { MAX_CONTACTS = 400, CONTACT_ROWS = 5 };
typedef struct contact_rows {
  ns_contact_record list[CONTACT_ROWS][MAX_CONTACTS];
  size_t n[CONTACT_ROWS];
  int rows;
} contact_rows;
static contact_rows got, wanted;

static int tape_contacts(void *self, ns_ctx *c, double t, const ns_contact_record *k, size_t n)
{
  (void)self, (void)c, (void)t;
  ck_assert_int_lt(got.rows, CONTACT_ROWS);
  ck_assert_uint_le(n, MAX_CONTACTS);
  if (n) memcpy(got.list[got.rows], k, n * sizeof *k);
  got.n[got.rows++] = n;
  return NS_OK;
}

/* What ns_recorder_contacts_step says, one contact after the other from the front. */
static size_t add_contacts(ns_contact_record *sum, size_t n, const ns_contact_record *k, size_t m)
{
  static ns_contact_record to[MAX_CONTACTS];
  size_t i = 0, j = 0, all = 0;
  for (; i < n || j < m; all++) {
    int order = j == m ? -1 : i == n ? 1 : sum[i].a * 1000 + sum[i].b - k[j].a * 1000 - k[j].b;
    to[all] = order > 0 ? k[j] : sum[i];
    if (order == 0) {
      to[all] = k[j];
      for (int d = 0; d < 3; d++) {
        to[all].impulse[d] += sum[i].impulse[d];
        to[all].moment[d] += sum[i].moment[d];
      }
    }
    i += order <= 0;
    j += order >= 0;
  }
  memcpy(sum, to, all * sizeof *to);
  return all;
}

static void compare_contacts(void)
{
  ck_assert_int_eq(got.rows, CONTACT_ROWS);
  for (int row = 0; row < CONTACT_ROWS; row++) {
    ck_assert_uint_eq(got.n[row], wanted.n[row]);
    ck_assert(row == 0 || got.n[row] > 50);
    for (size_t i = 0; i < got.n[row]; i++) {
      const ns_contact_record *x = &got.list[row][i], *y = &wanted.list[row][i];
      ck_assert_int_eq(x->a, y->a);
      ck_assert_int_eq(x->b, y->b);
      ck_assert_double_eq(x->gap, y->gap);
      ck_assert_mem_eq(x->impulse, y->impulse, sizeof x->impulse);
      ck_assert_mem_eq(x->moment, y->moment, sizeof x->moment);
    }
  }
}

/* Random lists, pairs of shapes with up to four contacts, some steps without any. */
START_TEST(contacts_between_rows_are_added)
{
  fixture f;
  static tape t;
  static ns_contact_record list[MAX_CONTACTS];
  ns_sink_ops with = tape_sink;
  ns_ctx c = {0};
  ns_recorder *r = NULL;
  unsigned seed = 12345u + (unsigned)_i;
  fixture_init(&f, 1e-3, 1);
  f.model.contact.nshapes = 9;
  with.contacts = tape_contacts;
  memset(&t, 0, sizeof t);
  got.rows = wanted.rows = 0;
  memset(wanted.n, 0, sizeof wanted.n);
  the_tape = &t;
  ck_assert_int_eq(ns_recorder_create(&c, &f.model, &f.state, &with, "x", &f.info, NULL, 0, 10, &r),
                   NS_OK);
  for (int k = 0; k <= 40; k++) {
    size_t n = 0;
    int row = (k + 9) / 10;
    fixture_step(&f, k);
    for (int pair = 0; pair < 72 && k % 7; pair++) {
      seed = seed * 1664525u + 1013904223u;
      for (unsigned e = 0; e < (seed >> 24) % 9 / 2; e++) {
        double x = (double)(seed >> 8) + e;
        list[n++] = (ns_contact_record){.a = pair / 8,
                                        .b = pair / 8 + 1 + pair % 8,
                                        .gap = x,
                                        .impulse = {x, 2 * x, k},
                                        .moment = {-x, k, 1}};
      }
    }
    ns_recorder_step(r);
    ck_assert_int_eq(ns_recorder_contacts_step(r, &c, list, n), NS_OK);
    wanted.n[row] = add_contacts(wanted.list[row], wanted.n[row], list, n);
    if (k % 10) continue;
    ck_assert_int_eq(ns_recorder_contacts(r, &c, list, n), NS_OK);
    ck_assert_int_eq(ns_recorder_row(r, &c), NS_OK);
  }
  ck_assert_int_eq(ns_recorder_close(r, &c, &f.result), NS_OK);
  compare_contacts();
}
END_TEST

/* Rows of so many contacts, or of few, by turns: what they had, and the sum of their impulses. */
enum { MANY_CONTACTS = 300000, FEW_CONTACTS = 100 };
static size_t of_row[8];
static double pushed[8];
static int nmany;

static int tape_many(void *self, ns_ctx *c, double t, const ns_contact_record *k, size_t n)
{
  (void)self, (void)c, (void)t;
  ck_assert_int_lt(nmany, 8);
  pushed[nmany] = 0;
  for (size_t i = 0; i < n; i++) {
    ck_assert_int_eq(k[i].a, (int)i);
    pushed[nmany] += k[i].impulse[0];
  }
  of_row[nmany++] = n;
  return NS_OK;
}

/* Bytes in use; 0 where malloc is not the C library's. */
static size_t in_use(void)
{
  struct mallinfo2 all = mallinfo2();
  return all.uordblks + all.hblkhd;
}

/* Their sums are kept once. */
START_TEST(rows_of_very_many_contacts_come_whole)
{
  static const int many[] = {0, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0}; /* of each step */
  fixture f;
  static tape t;
  ns_sink_ops with = tape_sink;
  ns_ctx c = {0};
  ns_recorder *r = NULL;
  ns_contact_record *list = calloc(MANY_CONTACTS, sizeof *list);
  size_t before = in_use(), most = 0;
  ck_assert_ptr_nonnull(list);
  fixture_init(&f, 1e-3, 1);
  f.model.contact.nshapes = 9;
  with.contacts = tape_many;
  memset(&t, 0, sizeof t);
  the_tape = &t;
  nmany = 0;
  for (int i = 0; i < MANY_CONTACTS; i++)
    list[i] = (ns_contact_record){.a = i, .b = MANY_CONTACTS, .impulse = {1}};
  ck_assert_int_eq(ns_recorder_create(&c, &f.model, &f.state, &with, "x", &f.info, NULL, 0, 2, &r),
                   NS_OK);
  for (int k = 0; k <= 10; k++) {
    size_t n = many[k] ? MANY_CONTACTS : FEW_CONTACTS;
    fixture_step(&f, k);
    ns_recorder_step(r);
    ck_assert_int_eq(ns_recorder_contacts_step(r, &c, list, n), NS_OK);
    if (k % 2) continue;
    ck_assert_int_eq(ns_recorder_contacts(r, &c, list, n), NS_OK);
    if (k == 6) ck_assert_int_eq(ns_recorder_contacts(r, &c, list, n), NS_OK); /* the same row */
    ck_assert_int_eq(ns_recorder_row(r, &c), NS_OK);
    most = in_use() > most ? in_use() : most;
  }
  ck_assert_int_eq(ns_recorder_close(r, &c, &f.result), NS_OK);
  ck_assert_int_eq(nmany, 6);
  for (int row = 0; row < nmany; row++) {
    int any = many[2 * row] || (row && many[2 * row - 1]);
    ck_assert_uint_eq(of_row[row], any ? MANY_CONTACTS : FEW_CONTACTS);
    double sum = many[2 * row] ? MANY_CONTACTS : FEW_CONTACTS;
    if (row) sum += many[2 * row - 1] ? MANY_CONTACTS : FEW_CONTACTS;
    ck_assert_double_eq(pushed[row], sum);
  }
  if (most) ck_assert_uint_lt(most - before, MANY_CONTACTS * sizeof *list * 3 / 2);
  free(list);
}
END_TEST

START_TEST(failed_output_stops_and_is_not_called_complete)
{
  fixture f;
  fixture_init(&f, 1e-3, 1);
  static tape t;
  ns_ctx c;
  ns_recorder *r = record(&f, &c, &t, NULL, 1);
  t.fail_at = 2;
  int rc = NS_OK, k = 0;
  for (; k < 1000 && !rc; k++) rc = ns_recorder_row(r, &c);
  ck_assert_int_eq(rc, NS_OUTPUT);
  ck_assert_int_eq(k, 512);
  ck_assert_int_eq(ns_recorder_row(r, &c), NS_OUTPUT);
  f.result.status = "failed";
  ck_assert_int_eq(ns_recorder_close(r, &c, &f.result), NS_OUTPUT);
  ck_assert_uint_eq(t.calls, 2);
  ck_assert_int_eq(t.closed, 1);
  ck_assert_int_eq(c.nerrors, 1);

  r = record(&f, &c, &t, NULL, 1); /* the last rows fail, when the run has already succeeded */
  t.fail_at = 1;
  f.result.status = "complete";
  ck_assert_int_eq(ns_recorder_row(r, &c), NS_OK);
  ck_assert_int_eq(ns_recorder_close(r, &c, &f.result), NS_OUTPUT);
  ck_assert_str_eq(t.status, "failed");
  ck_assert_str_eq(t.message, "tape torn");
}
END_TEST

/* Rows every `ms`; the number of rows until the first flush. */
static int rows_until_flush(long ms)
{
  fixture f;
  fixture_init(&f, 1e-3, 1);
  static tape t;
  ns_ctx c;
  ns_recorder *r = record(&f, &c, &t, "bead.q", 1);
  struct timespec wait = {.tv_nsec = ms * 1000000};
  int k = 0;
  for (; k < 200 && !t.flushes; k++) {
    nanosleep(&wait, NULL);
    ck_assert_int_eq(ns_recorder_row(r, &c), NS_OK);
  }
  ck_assert_uint_eq(t.nrows, (size_t)k);
  ck_assert_int_eq(ns_recorder_close(r, &c, &f.result), NS_OK);
  return k;
}

START_TEST(slow_rows_are_flushed_within_two_seconds)
{
  int k = rows_until_flush(25);
  ck_assert_int_ge(k, 20); /* a busy machine sleeps longer than asked */
  ck_assert_int_le(k, 90);
  ck_assert_int_eq(rows_until_flush(600), 1);
}
END_TEST

START_TEST(batches_bound_memory_and_number)
{
  static const struct {
    double T, h;
    int every;
    size_t batch;
  } row[] = {{1, 1e-3, 1, 256},   /* the least */
             {0.01, 1e-3, 1, 12}, /* not more than the run has */
             {1000, 1e-3, 1, 20833},  {1000, 1e-3, 100, 256}, {1e9, 1e-3, 1, 55555}, /* 16 MB */
             {INFINITY, 1e-3, 1, 256}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    fixture f;
    static tape t;
    ns_ctx c;
    fixture_init(&f, row[i].h, row[i].T);
    ns_recorder *r = record(&f, &c, &t, NULL, row[i].every);
    ck_assert_uint_eq(t.max, row[i].batch);
    ck_assert_int_eq(ns_recorder_close(r, &c, &f.result), NS_OK);
  }
}
END_TEST

int main(void)
{
  Suite *s = suite_create("recorder");
  TCase *tc = tcase_create("recorder");
  tcase_set_timeout(tc, 60);
  tcase_add_test(tc, channels_have_their_order_paths_and_labels);
  tcase_add_test(tc, patterns_choose_and_time_always_stays);
  tcase_add_test(tc, unmatched_pattern_is_refused_with_a_hint);
  tcase_add_test(tc, selection_is_linear_in_the_number_of_systems);
  tcase_add_test(tc, rows_arrive_whole_and_in_order);
  tcase_add_test(tc, between_rows_the_worst_step_counts);
  tcase_add_loop_test(tc, contacts_between_rows_are_added, 0, 5);
  tcase_add_test(tc, rows_of_very_many_contacts_come_whole);
  tcase_add_test(tc, failed_output_stops_and_is_not_called_complete);
  tcase_add_test(tc, slow_rows_are_flushed_within_two_seconds);
  tcase_add_test(tc, batches_bound_memory_and_number);
  suite_add_tcase(s, tc);
  return suite_end(s);
}
