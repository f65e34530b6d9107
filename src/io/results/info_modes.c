/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/results/info_modes.h"

#include "base/plural.h"

#include <stdlib.h>
#include <string.h>

enum { LINES = 12, MODES = 8 }; /* before "... more" */

/* Events of one row together, in order of time. */
static int by_row(const void *p, const void *q)
{
  const ns_result_event *a = *(const ns_result_event *const *)p,
                        *b = *(const ns_result_event *const *)q;
  if (a->index != b->index) return a->index < b->index ? -1 : 1;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  return (a > b) - (a < b); /* the table is in order of time */
}

static int same_row(const ns_result_event *a, const ns_result_event *b)
{
  return a->index == b->index && a->row == b->row;
}

int ns_info_is_event_driven(const ns_result_meta *m)
{
  for (int k = 0; k < m->nchannels; k++)
    if (strcmp(m->channels[k].path, "diagnostics/side") == 0) return 1;
  return 0;
}

static void show_mode(int mode, double dwell, int impacts, int first, FILE *f)
{
  fprintf(f, "%s%s %.6g s", first ? "" : ", ",
          mode < 0 ? "unknown" : ns_row_mode_text((ns_row_mode)mode), dwell);
  if (impacts) fprintf(f, " (%d impact%s)", impacts, ns_plural(impacts, "", "s"));
}

/* e[0..n): of one row. */
static void show_sequence(const ns_result_event *const *e, size_t n, const ns_result_extent *x,
                          int all, FILE *f)
{
  double since = x->first;
  int mode = e[0]->was, impacts = 0, shown = 0, more = 0;
  fprintf(f, "%s", e[0]->interaction);
  if (e[0]->row) fprintf(f, "[%d]", e[0]->row);
  fputs(": ", f);
  for (size_t i = 0; i <= n; i++) {
    int ends = i == n || e[i]->is != mode;
    impacts += i < n && e[i]->kind == NS_EVENT_IMPACT;
    if (!ends) continue;
    double t = i < n ? e[i]->t : x->last;
    if (i == n || t > since) {
      if (all || shown < MODES) show_mode(mode, t - since, impacts, shown++ == 0, f);
      else more++;
    }
    if (i < n) mode = e[i]->is;
    since = t;
    impacts = 0;
  }
  if (more) fprintf(f, ", ... %d more", more);
  fputc('\n', f);
}

int ns_info_modes(ns_result *r, ns_ctx *c, const ns_result_extent *x, int all, FILE *f)
{
  const ns_result_meta *m = ns_result_get_meta(r);
  const ns_result_event *e;
  size_t n = m->nevents, lines = 0;
  if (!n || !ns_info_is_event_driven(m)) return NS_OK;
  int rc = ns_result_events(r, c, &e);
  const ns_result_event **p = rc ? NULL : malloc(n * sizeof *p);
  if (!p) return rc ? rc : ns_nomem(c, "modes of the contacts");
  size_t rows = 0; /* of what has a mode */
  for (size_t i = 0; i < n; i++)
    if (!ns_event_is_own(e[i].kind)) p[rows++] = &e[i];
  qsort(p, rows, sizeof *p, by_row);
  for (size_t i = 0, end; i < rows; i = end) {
    for (end = i + 1; end < rows && same_row(p[end], p[i]);) end++;
    if (!all && lines >= LINES) {
      lines++;
      continue;
    }
    fprintf(f, "  %-13s", lines++ ? "" : "modes");
    show_sequence(p + i, end - i, x, all, f);
  }
  if (!all && lines > LINES) fprintf(f, "  %-13s... %zu more\n", "", lines - LINES);
  free(p);
  return NS_OK;
}
