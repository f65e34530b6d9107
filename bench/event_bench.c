/* SPDX-License-Identifier: GPL-3.0-or-later */
/* event_bench -- event-driven runs against programs that a person would write with CVODE for the
 * same motion.
 *
 * balls N: N balls without a word to each other bounce from heights that are all different, e = 1.
 * By hand: q' = v, v' = -g by CVODE's Adams method at the same tolerances; roots of q falling and
 * of v rising as nssim has them; at a root the velocity of one ball is turned, and CVODE begins
 * anew with the step that it began with before. What nssim takes longer for an event is its own:
 * modes, impact, accelerations, two rows (which the program by hand has not) and a line of the
 * table.
 *
 * chain: ten balls in a line with the law of multiple impacts, 1e-6 N s an increment: time of a
 * stored row.
 *
 * Medians and least values of interleaved runs, of processor time. */
#include "io/load/load.h"
#include "simulation/simulation.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define G 9.81
#define RTOL 1e-10
#define ATOL 1e-12

enum { RUNS = 15, EVENTS = 2000 };

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* others use this machine, too */
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *need(void *p)
{
  if (!p) {
    fprintf(stderr, "event_bench: out of memory\n");
    exit(71);
  }
  return p;
}

/* What a run took. */
typedef struct work {
  double seconds, height; /* of the first ball at the end */
  long events, steps, rows;
} work;

/* ---- by hand --------------------------------------------------------------------------------- */

static double height(int i, int n) { return 1 + (double)i / n; }

static int rate(realtype t, N_Vector x, N_Vector f, void *user)
{
  int n = *(int *)user;
  const double *a = N_VGetArrayPointer(x);
  double *b = N_VGetArrayPointer(f);
  (void)t;
  for (int i = 0; i < n; i++) b[i] = a[n + i], b[n + i] = -G;
  return 0;
}

static int roots(realtype t, N_Vector x, realtype *g, void *user)
{
  (void)t;
  memcpy(g, N_VGetArrayPointer(x), 2 * (size_t) * (int *)user * sizeof *g);
  return 0;
}

static work by_hand(int n, double T, double h)
{
  work w = {0};
  SUNContext sun;
  SUNContext_Create(NULL, &sun);
  N_Vector x = need(N_VNew_Serial(2 * n, sun));
  double *a = N_VGetArrayPointer(x), t = 0, first = 0;
  int *fired = need(calloc(2 * (size_t)n, sizeof *fired)),
      *direction = need(calloc(2 * (size_t)n, sizeof *direction));
  for (int i = 0; i < n; i++)
    a[i] = height(i, n), a[n + i] = 0, direction[i] = -1, direction[n + i] = 1;
  void *m = need(CVodeCreate(CV_ADAMS, sun));
  SUNNonlinearSolver fixed = need(SUNNonlinSol_FixedPoint(x, 0, sun));
  CVodeInit(m, rate, 0, x);
  CVodeSetUserData(m, &n);
  CVodeSStolerances(m, RTOL, ATOL);
  CVodeSetNonlinearSolver(m, fixed);
  CVodeRootInit(m, 2 * n, roots);
  CVodeSetRootDirection(m, direction);
  CVodeSetNoInactiveRootWarn(m);
  CVodeSetMaxNumSteps(m, 100000);
  long steps = 0;
  double begin = now();
  for (int k = 1; t < T; k++) {
    double end = k * h < T ? k * h : T;
    while (t < end) {
      CVodeSetStopTime(m, T);
      if (CVode(m, end, x, &t, CV_NORMAL) != CV_ROOT_RETURN) break;
      CVodeGetRootInfo(m, fired);
      int some = 0;
      for (int i = 0; i < n; i++)
        if (fired[i]) a[n + i] = -a[n + i], a[i] = 0, some = 1;
      if (!some) continue;
      w.events++;
      CVodeGetNumSteps(m, &steps);
      w.steps += steps;
      CVodeGetActualInitStep(m, &first);
      CVodeReInit(m, t, x);
      CVodeSetInitStep(m, first);
    }
  }
  w.seconds = now() - begin;
  CVodeGetNumSteps(m, &steps);
  w.steps += steps;
  w.height = a[0];
  CVodeFree(&m);
  SUNNonlinSolFree(fixed);
  N_VDestroy(x);
  SUNContext_Free(&sun);
  free(fired);
  free(direction);
  return w;
}

/* ---- nssim ----------------------------------------------------------------------------------- */

/* A sink that counts rows. */
static int open_count(ns_ctx *c, const char *path, const ns_run_info *info,
                      const ns_channel *channels, int nchannels, size_t ncols, void **self)
{
  (void)c, (void)path, (void)info, (void)channels, (void)nchannels, (void)ncols;
  *self = need(calloc(1, sizeof(long)));
  return NS_OK;
}
static long *rows_of(void *self) { return self; }
static long counted; /* of the sink that was closed last */
static int count_rows(void *self, ns_ctx *c, const double *rows, size_t n)
{
  (void)c, (void)rows;
  *rows_of(self) += (long)n;
  return NS_OK;
}
static int no_events(void *self, ns_ctx *c, const ns_event *e, size_t n)
{
  return (void)self, (void)c, (void)e, (void)n, NS_OK;
}
static int no_flush(void *self, ns_ctx *c) { return (void)self, (void)c, NS_OK; }
static int close_count(void *self, ns_ctx *c, const ns_run_result *r)
{
  (void)c, (void)r;
  counted = *rows_of(self);
  free(self);
  return NS_OK;
}
static const ns_sink_ops sink = {.size = sizeof sink,
                                 .name = "count",
                                 .suffix = "",
                                 .open = open_count,
                                 .rows = count_rows,
                                 .events = no_events,
                                 .flush = no_flush,
                                 .close = close_count};

static _Noreturn void fail(const ns_ctx *c)
{
  fprintf(stderr, "event_bench: %s\n", c->msg);
  exit(70);
}

static work by_nssim(const char *text, int record)
{
  ns_ctx c = {0};
  ns_model *m;
  ns_simulation *s;
  ns_recorder *rec = NULL;
  ns_run_info info = {
      .version = "", .command = "", .host = "", .user = "", .started = "", .libraries = ""};
  if (ns_load_memory(&c, "bench.xml", text, strlen(text), NULL, NULL, &m) ||
      ns_simulation_create(&c, m, &s))
    fail(&c);
  const ns_state *x = ns_simulation_state(s);
  info.model = m;
  if (record && ns_recorder_create(&c, m, x, &sink, "", &info, NULL, 0, 1, &rec)) fail(&c);
  double begin = now();
  if (ns_simulation_run(s, &c, rec, NULL)) fail(&c);
  ns_run_result res = {.status = "complete", .message = "", .finished = "", .state = x};
  counted = 0;
  if (rec) ns_recorder_close(rec, &c, &res);
  work w = {.seconds = now() - begin,
            .height = x->q[0],
            .events = (long)x->cert->events,
            .steps = (long)x->cert->flow_steps,
            .rows = counted};
  ns_simulation_destroy(s);
  ns_model_destroy(m);
  return w;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *a, int n)
{
  qsort(a, (size_t)n, sizeof *a, ascending);
  return a[n / 2];
}

/* Of both kinds of runs of nssim. */
static void balls(int n)
{
  static const char model[] =
      "<model xmlns='urn:nssim:model:1' name='balls'><systems><repeat index='i' from='0' "
      "to='%d'><LagrangianLinearTIDS id='b{i}' coordinates='x'><q0>1 + "
      "i/%d</q0><mass>1</mass><fExt>-9.81</fExt></LagrangianLinearTIDS></repeat></"
      "systems><interactions><repeat index='i' from='0' to='%d'><interaction id='g{i}' "
      "systems='b{i}'><LagrangianLinearTIR><H>1</H></LagrangianLinearTIR><NewtonImpactNSL "
      "e='1'/></interaction></repeat></interactions><simulation T='%.17g'><EventDriven "
      "h='%.17g'><CVodeOSI method='adams' relativeTolerance='%g' "
      "absoluteTolerance='%g'/></EventDriven></simulation></model>";
  char text[4096];
  double period = 2 * sqrt(2 * 1.5 / G), T = EVENTS * period / n, h = T / 8, hand[RUNS],
         own[2][RUNS];
  snprintf(text, sizeof text, model, n - 1, n, n - 1, T, h, RTOL, ATOL);
  work a = {0}, b[2] = {{0}};
  for (int k = 0; k < RUNS; k++) {
    a = by_hand(n, T, h);
    hand[k] = a.seconds;
    for (int i = 0; i < 2; i++) own[i][k] = (b[i] = by_nssim(text, i)).seconds;
  }
  double events = (double)a.events * 1e-6, mid = median(hand, RUNS);
  printf("%5d %7ld %7ld %6.3f %9.2f", n, a.events, b[1].events,
         (double)b[1].steps / (double)a.steps, mid / events);
  for (int i = 0; i < 2; i++) {
    double m = median(own[i], RUNS);
    printf(" %9.2f %9.2f", (m - mid) / events, (own[i][0] - hand[0]) / events);
  }
  printf("   %.1e\n", fabs(a.height - b[1].height));
}

static void chain(void)
{
  static const char model[] =
      "<model xmlns='urn:nssim:model:1' name='chain'><parameters><parameter name='m' "
      "value='4/3*pi*0.01^3*7780'/></parameters><systems><repeat index='i' from='1' "
      "to='10'><LagrangianLinearTIDS id='b{i}' coordinates='q'><q0>i == 1 ? 0 : "
      "0.22+0.02*(i-2)</q0><v0>i == 1 ? 1 : "
      "0</v0><mass>m</mass></LagrangianLinearTIDS></repeat></systems><interactions><repeat "
      "index='i' from='2' to='10'><interaction id='p{i}' systems='b{i-1} "
      "b{i}'><LagrangianLinearTIR><H>-1 1</H><e>-0.02</e></LagrangianLinearTIR><MultipleImpactNSL "
      "e='1' K='sqrt(0.005)*2/3*203e9/(1-0.3^2)' "
      "eta='1.5'/></interaction></repeat></interactions><simulation T='0.6'><EventDriven h='0.001' "
      "impulseStep='1e-6'><CVodeOSI/></EventDriven></simulation></model>";
  double s[RUNS];
  work w = {0};
  for (int k = 0; k < RUNS; k++) {
    w = by_nssim(model, 1);
    s[k] = w.seconds / (double)w.rows;
  }
  double m = median(s, RUNS);
  printf("chain of ten balls, multiple impact: %ld rows, %.2f us a row, least %.2f\n", w.rows,
         1e6 * m, 1e6 * s[0]);
}

int main(int argc, char **argv)
{
  static const int sizes[] = {1, 10, 100};
  printf(
      "balls, events by hand and of nssim, ratio of CVODE's steps; us of an event by hand; us of "
      "an event of nssim beyond it:\n"
      "without rows (by medians, by least values), with rows (the same); difference of the end\n");
  for (int k = 0; k < 3; k++) balls(sizes[k]);
  if (argc < 2 || strcmp(argv[1], "balls") != 0) chain();
  return 0;
}
