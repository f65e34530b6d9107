/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps allocate nothing: every example model from its first step on. Memory for contacts between
 * shapes, whose number nobody knows before, grows with them and is kept: at rest nothing is got.
 * Solvers of many bodies get theirs when a problem of a new size comes. Event-driven, SUNDIALS gets
 * memory of its own whenever it starts anew; nssim gets none. */
#include "support/counted.h"
#include "support/run.h"

#include <glob.h>
#include <malloc.h>

static glob_t models;

static int drop_rows(void *self, ns_ctx *c, const double *rows, size_t n)
{
  return (void)self, (void)c, (void)rows, (void)n, NS_OK;
}

static int drop_events(void *self, ns_ctx *c, const ns_event *e, size_t n)
{
  return (void)self, (void)c, (void)e, (void)n, NS_OK;
}

static int drop_contacts(void *self, ns_ctx *c, double t, const ns_contact_record *list, size_t n)
{
  return (void)self, (void)c, (void)t, (void)list, (void)n, NS_OK;
}

static int drop_open(ns_ctx *c, const char *path, const ns_run_info *info,
                     const ns_channel *channels, int nchannels, size_t ncols, void **self)
{
  (void)c, (void)path, (void)info, (void)channels, (void)nchannels, (void)ncols;
  *self = NULL;
  return NS_OK;
}

/* A sink as any other for the recorder, which has buffers for all of it. */
static const ns_sink_ops drop = {.size = sizeof drop,
                                 .name = "drop",
                                 .suffix = "",
                                 .open = drop_open,
                                 .rows = drop_rows,
                                 .events = drop_events,
                                 .flush = keep_flush,
                                 .close = keep_close,
                                 .contacts = drop_contacts};

typedef struct counts {
  long all, own;
} counts;

/* What the steps from `warm` on ask for, up to step `upto` or the end. */
static counts count(run *r, int warm, int upto)
{
  volatile sig_atomic_t wait = warm == 0;
  ns_watch w = {.stop = &wait, .max_steps = warm};
  ns_recorder *rec = NULL;
  ns_run_info info = {.model = r->m,
                      .version = "",
                      .command = "",
                      .host = "",
                      .user = "",
                      .started = "",
                      .libraries = ""};
  ns_run_result res = {.status = "complete", .message = "", .finished = "", .state = r->x};
  r->c.report = NULL;
  ck_assert(ns_recorder_create(&r->c, r->m, r->x, &drop, "", &info, NULL, 0, r->m->out.every,
                               &rec) == NS_OK);
  /* a start is no step */
  ck_assert_int_eq(ns_simulation_run(r->s, &r->c, rec, &w), NS_STOPPED);
  wait = 0;
  w.max_steps = upto - warm;
  counts before = {calls, own_calls};
  int rc = ns_simulation_run(r->s, &r->c, rec, &w);
  counts n = {calls - before.all, own_calls - before.own};
  ck_assert_msg(rc == NS_OK || rc == NS_STOPPED, "%s", r->c.msg);
  ck_assert_int_gt(*r->x->step, warm);
  ck_assert_int_eq(ns_recorder_close(rec, &r->c, &res), NS_OK);
  return n;
}

START_TEST(steps_of_a_model_do_not_allocate)
{
  if (!COUNTED) return;
  const char *file = models.gl_pathv[_i];
  run r = {0};
  ns_load_options o = {0};
  /* a study, or functions of a plug-in, which are compiled elsewhere */
  if (ns_load_file(&r.c, file, &o, NULL, &r.m) || !r.m) return;
  ck_assert_msg(ns_simulation_create(&r.c, r.m, &r.s) == NS_OK, "%s: %s", file, r.c.msg);
  r.x = ns_simulation_state(r.s);
  ck_assert(count_own("libnssim.so"));
  int sizes = strcmp(ns_simulation_plan(r.s)->storage, "factored") == 0;
  counts n = count(&r, sizes ? 20 : 0, 60);
  if (!r.m->contact.nshapes) {
    ck_assert_msg(n.own == 0, "%s: %ld calls of nssim", file, n.own);
    ck_assert_msg(r.m->sim.event_driven || n.all == 0, "%s: %ld calls", file, n.all);
  }
  run_end(&r);
}
END_TEST

START_TEST(there_are_models_of_all_kinds) { ck_assert_uint_gt(models.gl_pathc, 150); }
END_TEST

/* Contacts that last. */
START_TEST(bodies_at_rest_on_each_other_do_not_allocate)
{
  if (!COUNTED) return;
  static const char *const model[] = {
      "models/box-stack/box-stack.xml", "models/planar-stack/planar-stack.xml",
      "models/euler-disk/euler-disk.xml", "models/three-cylinders/three-cylinders.xml"};
  run r = run_load(model[_i], NULL);
  counts n = count(&r, 400, 700);
  ck_assert_int_eq(n.all, 0);
  run_end(&r);
}
END_TEST

/* Balls that meet at one instant, and measures that read the numbers of their impacts. */
static const char *const heard =
    "<model xmlns='urn:nssim:model:1' name='m'><systems><repeat index='i' from='1' to='40'>"
    "<LagrangianLinearTIDS id='b{i}' coordinates='x'><q0>0.1</q0><v0>-1</v0>"
    "<fExt>-9.81</fExt></LagrangianLinearTIDS></repeat></systems><interactions>"
    "<repeat index='i' from='1' to='40'><interaction id='floor{i}' systems='b{i}'>"
    "<LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL e='0.5'/></interaction>"
    "</repeat></interactions><simulation T='0.3'>%s</simulation><measures>"
    "<measure id='total' kind='sum' event='impact' >event.impulse</measure>"
    "<measure id='speed' kind='sample' event='impact' keep='8'>event.velocity_after</measure>"
    "</measures></model>";

START_TEST(events_that_measures_read_have_memory)
{
  if (!COUNTED) return;
  static const char *const scheme[] = {"<TimeStepping h='1e-3'><MoreauJeanOSI/></TimeStepping>",
                                       "<EventDriven h='1e-2'><CVodeOSI/></EventDriven>"};
  char text[2048];
  snprintf(text, sizeof text, heard, scheme[_i]);
  run r = run_load(text, NULL);
  ck_assert(count_own("libnssim.so"));
  counts n = count(&r, 0, 300);
  ck_assert_int_eq(n.own, 0);
  ck_assert_int_ge((int)r.x->cert->impacts, 80);
  run_end(&r);
}
END_TEST

/* Bytes in use. */
static double in_use(void)
{
  struct mallinfo2 all = mallinfo2();
  return (double)all.uordblks + (double)all.hblkhd;
}

/* Model and run of a bed of disks as it settles: the bytes of a disk with its contacts. */
START_TEST(a_disk_with_its_contacts_is_small)
{
  enum { DISKS = 10000, STEPS = 80, MOST = 3950 };
  if (!COUNTED) return;
  volatile sig_atomic_t wait = 0;
  double before = in_use();
  run r = run_load("bench/disk-bed.xml", (const char *[]){"n=10000", NULL});
  ns_watch w = {.stop = &wait, .max_steps = STEPS};
  ck_assert_int_eq(ns_simulation_run(r.s, &r.c, NULL, &w), NS_STOPPED);
  ck_assert_double_gt(r.x->report->active, DISKS);
  ck_assert_double_lt((in_use() - before) / DISKS, MOST);
  run_end(&r);
}
END_TEST

static void fill(TCase *t)
{
  tcase_set_timeout(t, 60);
  tcase_add_test(t, there_are_models_of_all_kinds);
  tcase_add_loop_test(t, steps_of_a_model_do_not_allocate, 0, (int)models.gl_pathc);
  tcase_add_loop_test(t, bodies_at_rest_on_each_other_do_not_allocate, 0, 4);
  tcase_add_test(t, a_disk_with_its_contacts_is_small);
  tcase_add_loop_test(t, events_that_measures_read_have_memory, 0, 2);
}

int main(void)
{
  char pattern[4096];
  const char *top = getenv("TOP");
  snprintf(pattern, sizeof pattern, "%s/models/*/*.xml", top ? top : ".");
  glob(pattern, 0, NULL, &models);
  int failed = suite_run("step_memory", fill);
  globfree(&models);
  return failed;
}
