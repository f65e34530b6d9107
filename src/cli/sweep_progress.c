/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/sweep_progress.h"

#include "base/clock.h"
#include "cli/console.h"
#include "cli/job.h"
#include "io/json.h"

#include <math.h>

/* Seconds between two signs of life. */
static const double interval[] = {
    [NS_PROGRESS_BAR] = 0.1, [NS_PROGRESS_LINES] = 5, [NS_PROGRESS_JSON] = 1};
static const double first_bar = 0.4;

void ns_sweep_progress_begin(ns_sweep_progress *p, ns_progress_how how)
{
  if (how == NS_PROGRESS_AUTO)
    how = ns_console_terminal(stderr) ? NS_PROGRESS_BAR : NS_PROGRESS_LINES;
  *p = (ns_sweep_progress){.how = how, .begin = ns_clock()};
  p->last = how == NS_PROGRESS_BAR ? p->begin + first_bar - interval[how] : p->begin;
}

void ns_sweep_progress_clear(ns_sweep_progress *p)
{
  if (!p->drawn) return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
  p->drawn = 0;
}

static void show_json(const ns_pool_state *s, double rate, double left)
{
  ns_json_line(ns_json_of(NS_JSON_INTEGER("runs", s->todo), NS_JSON_INTEGER("done", s->done),
                          NS_JSON_INTEGER("failed", s->failed), NS_JSON_REAL("rate", rate),
                          NS_JSON_REAL("eta", left)),
               stderr);
}

static void show(ns_sweep_progress *p, const ns_pool_state *s, double now)
{
  double gone = now - p->begin, rate = gone > 0 ? (double)s->done / gone : 0;
  double left = s->done ? (double)(s->todo - s->done) / rate : NAN;
  double percent = s->todo ? floor(100 * (double)s->done / (double)s->todo) : 100;
  char failed[48] = "";
  p->last = now;
  ns_console_words word = ns_console_duration(left);
  if (s->failed) snprintf(failed, sizeof failed, ", %lld failed", s->failed);
  if (p->how == NS_PROGRESS_JSON) show_json(s, rate, left);
  if (p->how == NS_PROGRESS_LINES)
    fprintf(stderr, "nssim: %.0f %%: %lld of %lld runs%s, %.3g runs/s, %s left\n", percent, s->done,
            s->todo, failed, rate, word.text);
  if (p->how != NS_PROGRESS_BAR) return;
  enum { WIDTH = 24 };
  char bar[WIDTH + 1];
  int full = s->todo ? (int)(WIDTH * s->done / s->todo) : WIDTH;
  for (int k = 0; k < WIDTH; k++) bar[k] = k < full ? '#' : '.';
  bar[WIDTH] = '\0';
  fprintf(stderr, "\r%3.0f %% [%s] %lld of %lld runs%s, %.3g runs/s, %s left\033[K", percent, bar,
          s->done, s->todo, failed, rate, word.text);
  fflush(stderr);
  p->drawn = 1;
}

void ns_sweep_progress_show(void *to, const ns_pool_state *s)
{
  ns_sweep_progress *p = to;
  double now = ns_clock();
  if (p->how != NS_PROGRESS_NONE && now - p->last >= interval[p->how]) show(p, s, now);
}

void ns_sweep_progress_end(ns_sweep_progress *p, const ns_pool_state *s)
{
  ns_sweep_progress_clear(p);
  if (p->how == NS_PROGRESS_JSON) show(p, s, ns_clock());
}
