/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/progress.h"

#include "base/clock.h"
#include "cli/console.h"
#include "cli/job.h"
#include "io/json.h"

#include <math.h>
#include <string.h>

/* Seconds between two signs of life; a run shorter than the first shows none. */
static const double interval[] = {
    [NS_PROGRESS_BAR] = 0.1,
    [NS_PROGRESS_LINES] = 5,
    [NS_PROGRESS_JSON] = 1,
};
static const double first_bar = 0.4;

int ns_progress_parse(const char *text, ns_progress_how *how)
{
  static const char *const name[] = {
      [NS_PROGRESS_AUTO] = "auto",   [NS_PROGRESS_NONE] = "none", [NS_PROGRESS_BAR] = "bar",
      [NS_PROGRESS_LINES] = "lines", [NS_PROGRESS_JSON] = "json",
  };
  for (size_t k = 0; k < sizeof name / sizeof *name; k++)
    if (strcmp(name[k], text) == 0) {
      *how = (ns_progress_how)k;
      return 1;
    }
  return 0;
}

static double fraction_of(const ns_progress *p, double t)
{
  return p->T > p->t0 ? fmin((t - p->t0) / (p->T - p->t0), 1) : 1;
}

/* The clock of what begins now. */
static void start_clock(ns_progress *p, ns_progress_how how)
{
  if (how == NS_PROGRESS_AUTO)
    how = ns_console_terminal(stderr) ? NS_PROGRESS_BAR : NS_PROGRESS_LINES;
  p->how = how;
  p->begin = ns_clock();
  p->last = how == NS_PROGRESS_BAR ? p->begin + first_bar - interval[how] : p->begin;
}

void ns_progress_load(ns_progress *p, ns_progress_how how)
{
  *p = (ns_progress){0};
  start_clock(p, how);
}

void ns_progress_begin(ns_progress *p, ns_progress_how how, const ns_state *x, double t0, double T)
{
  ns_progress_clear(p);
  *p = (ns_progress){.t0 = t0, .T = T, .begin_steps = *x->step};
  start_clock(p, how);
  p->begin_fraction = fraction_of(p, *x->t);
}

void ns_progress_clear(ns_progress *p)
{
  if (!p->drawn) return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
  p->drawn = 0;
}

typedef struct pace {
  double rate, left; /* steps per s; s to go, NaN where not known yet */
} pace;

static pace measure(const ns_progress *p, const ns_state *x, double fraction, double now)
{
  double gone = now - p->begin, done = fraction - p->begin_fraction;
  return (pace){.rate = gone > 0 ? (double)(*x->step - p->begin_steps) / gone : 0,
                .left = done > 0 ? gone * (1 - fraction) / done : NAN};
}

static void show_bar(ns_progress *p, const ns_state *x, double fraction, pace v)
{
  enum { WIDTH = 24 };
  char bar[WIDTH + 1];
  int full = (int)(fraction * WIDTH);
  for (int k = 0; k < WIDTH; k++) bar[k] = k < full ? '#' : '.';
  bar[WIDTH] = '\0';
  fprintf(stderr, "\r%3.0f %% [%s] t = %.4g s, %.3g steps/s, %s left\033[K", floor(100 * fraction),
          bar, *x->t, v.rate, ns_console_duration(v.left).text);
  fflush(stderr);
  p->drawn = 1;
}

static void show_line(const ns_progress *p, const ns_state *x, double fraction, pace v)
{
  fprintf(stderr, "nssim: %.0f %%: t = %.6g s of %.6g s, step %lld, %.3g steps/s, %s left\n",
          floor(100 * fraction), *x->t, p->T, *x->step, v.rate, ns_console_duration(v.left).text);
}

static void show_json(const ns_state *x, double fraction, pace v)
{
  ns_json_line(ns_json_of(NS_JSON_REAL("t", *x->t), NS_JSON_REAL("fraction", fraction),
                          NS_JSON_INTEGER("steps", *x->step), NS_JSON_REAL("rate", v.rate),
                          NS_JSON_REAL("eta", v.left)),
               stderr);
}

/* ---- before the steps ------------------------------------------------------------------------ */

/* "making systems and interactions: 12800, 1.2 s"; where the whole is known, in per cent. */
static void say_work(const char *doing, long done, long of, double seconds)
{
  fputs(doing, stderr);
  if (of > 0) fprintf(stderr, ": %.0f %%", floor(100 * (double)done / (double)of));
  else if (done > 0) fprintf(stderr, ": %ld", done);
  fprintf(stderr, ", %s", ns_console_duration(seconds).text);
}

static void work_json(const char *doing, long done, long of, double seconds)
{
  ns_json_line(ns_json_of(NS_JSON_TEXT("doing", doing), NS_JSON_INTEGER("done", done),
                          NS_JSON_REAL("fraction", of > 0 ? (double)done / (double)of : NAN),
                          NS_JSON_REAL("seconds", seconds)),
               stderr);
}

static void show_work(ns_progress *p, const char *doing, long done, long of, double now)
{
  double seconds = now - p->begin;
  if (p->how == NS_PROGRESS_JSON) {
    work_json(doing, done, of, seconds);
  } else if (p->how == NS_PROGRESS_LINES) {
    fputs("nssim: ", stderr);
    say_work(doing, done, of, seconds);
    fputc('\n', stderr);
  } else {
    fputc('\r', stderr);
    say_work(doing, done, of, seconds);
    fputs("\033[K", stderr);
    fflush(stderr);
    p->drawn = 1;
  }
}

void ns_progress_alive(ns_progress *p, const char *doing, long done, long of)
{
  if (p->how == NS_PROGRESS_NONE) return;
  double now = ns_clock(), since = now - p->last;
  /* a bar that stands says at once what begins, for that may take long without a sign */
  int news = p->drawn && doing != p->doing;
  if (since < interval[p->how] && !news) return;
  p->last = now;
  p->doing = doing;
  show_work(p, doing, done, of, now);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void show(ns_progress *p, const ns_state *x, double fraction, double now)
{
  pace v = measure(p, x, fraction, now);
  p->last = now;
  if (p->how == NS_PROGRESS_BAR) show_bar(p, x, fraction, v);
  else if (p->how == NS_PROGRESS_LINES) show_line(p, x, fraction, v);
  else if (p->how == NS_PROGRESS_JSON) show_json(x, fraction, v);
}

void ns_progress_show(void *to, const ns_state *x, double fraction)
{
  ns_progress *p = to;
  if (p->how == NS_PROGRESS_NONE) return;
  double now = ns_clock();
  if (now - p->last >= interval[p->how]) show(p, x, fraction, now);
}

void ns_progress_end(ns_progress *p, const ns_state *x)
{
  ns_progress_clear(p);
  if (p->how == NS_PROGRESS_JSON) show(p, x, fraction_of(p, *x->t), ns_clock());
}
