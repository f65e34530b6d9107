/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/results/info.h"

#include "base/plural.h"
#include "io/results/info_modes.h"
#include "io/results/info_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 12 }; /* quantities of a group, parameters, sources before "... more" */

/* ---- what has to be read for it -------------------------------------------------------------- */

int ns_info_extent(ns_result *r, ns_ctx *c, ns_result_extent *x)
{
  const ns_result_meta *m = ns_result_get_meta(r);
  const ns_result_event *e;
  ns_column time;
  *x = (ns_result_extent){.first = NAN, .last = NAN};
  if (!m->nchannels) return NS_OK;
  double *t = malloc((m->nrows + 1) * sizeof *t);
  int rc = t ? ns_result_find(r, c, "time", &time) : ns_nomem(c, "times of the rows");
  if (!rc) rc = ns_result_read(r, c, &time, t);
  if (!rc && m->nrows) {
    x->first = t[0];
    x->last = t[m->nrows - 1];
  }
  free(t);
  if (!rc) rc = ns_result_events(r, c, &e);
  for (size_t i = 0; !rc && i < m->nevents; i++)
    if (e[i].kind >= 0 && e[i].kind < NS_EVENT_KINDS) x->events[e[i].kind]++;
  return rc;
}

static const char *loud_status(const char *status)
{
  if (strcmp(status, "failed") == 0) return "FAILED";
  if (strcmp(status, "incomplete") == 0) return "INCOMPLETE";
  return "INTERRUPTED";
}

const char *ns_info_status(const ns_result_meta *m, const ns_result_extent *x, char *buf, size_t n)
{
  const ns_provenance *p = &m->provenance;
  char end[96] = "", reason[32] = "";
  if (!p->status) {
    snprintf(buf, n, "%s",
             ns_result_is_sweep(m) ? "measures of a sweep" : "a table of another program");
    return buf;
  }
  if (isfinite(x->last)) snprintf(end, sizeof end, "the file ends at t = %.10g s", x->last);
  else snprintf(end, sizeof end, "the file has no rows");
  if (isfinite(m->T)) snprintf(end + strlen(end), sizeof end - strlen(end), " of %.10g s", m->T);
  snprintf(reason, sizeof reason, " (exit %d)", p->exit);
  int told = p->message && *p->message;
  if (strcmp(p->status, "complete") == 0)
    snprintf(buf, n, "complete%s%s", told ? ": " : "", told ? p->message : "");
  else if (strcmp(p->status, "running") == 0) snprintf(buf, n, "RUNNING OR KILLED: %s", end);
  else
    snprintf(buf, n, "%s%s: %s%s%s", loud_status(p->status), reason, end, told ? "; " : "",
             told ? p->message : "");
  return buf;
}

/* ---- for a person ---------------------------------------------------------------------------- */

void ns_info_row(FILE *f, const char *what, const char *fmt, ...)
{
  va_list ap;
  va_start(ap, fmt);
  fprintf(f, "  %-13s", what);
  vfprintf(f, fmt, ap);
  va_end(ap);
}

static void line(FILE *f, const char *what, const char *text)
{
  if (!text || !*text) return;
  ns_info_row(f, what, "%s\n", text);
}

static void show_title(const ns_result *r, const ns_result_meta *m, FILE *f)
{
  fprintf(f, "%s", ns_result_path(r));
  if (m->title && *m->title) fprintf(f, ": %s", m->title);
  else if (m->name) fprintf(f, ": %s", m->name);
  fputc('\n', f);
}

static void show_rows(const ns_result_meta *m, const ns_result_extent *x, FILE *f)
{
  ns_info_row(f, "rows", "%zu", m->nrows);
  if (ns_result_is_sweep(m)) fputs(", one for each run", f);
  else if (m->nrows) fprintf(f, ", t = %.10g s to %.10g s", x->first, x->last);
  fputc('\n', f);
  if (!m->format) return;
  ns_info_row(f, "events", "%zu", m->nevents);
  const char *before = ":";
  for (int k = 0; m->nevents && k < NS_EVENT_KINDS; k++) {
    if (!ns_result_extent_shows(x, k)) continue;
    fprintf(f, "%s %zu %s", before, x->events[k], ns_event_text((ns_event_kind)k));
    before = ",";
  }
  fputc('\n', f);
}

/* With its unit where not all have the same. */
static void show_name(const ns_channel *ch, int k, const char *before, FILE *f)
{
  const char *unit = ch->units ? ns_channel_unit(ch, k) : NULL;
  fprintf(f, "%s%s", before, ch->names[k]);
  if (unit && strcmp(unit, "1") != 0) fprintf(f, " [%s]", unit);
}

/* "x, y, phi", cut where long. */
static void show_names(const ns_channel *ch, FILE *f)
{
  int shown = ch->ncol < 8 ? ch->ncol : 4;
  for (int k = 0; k < shown; k++) show_name(ch, k, k ? ", " : "", f);
  if (shown < ch->ncol) show_name(ch, ch->ncol - 1, ", ... ", f);
}

static void show_channel(const ns_result_meta *m, const ns_channel *ch, FILE *f)
{
  char shape[48];
  if (ch->vector) snprintf(shape, sizeof shape, "[%zu x %d]", m->nrows, ch->ncol);
  else snprintf(shape, sizeof shape, "[%zu]", m->nrows);
  const char *unit = ch->unit && strcmp(ch->unit, "1") != 0 ? ch->unit : "";
  int more = *unit || ch->names || ch->course != NS_COURSE_CONTINUOUS;
  fprintf(f, more ? "    %-30s %-16s" : "    %-30s %s", ch->path, shape);
  if (ch->names) {
    fprintf(f, "%-5s ", unit);
    show_names(ch, f);
  } else {
    fputs(unit, f);
  }
  if (ch->course != NS_COURSE_CONTINUOUS)
    fprintf(f, "%s(%s)", *unit || ch->names ? " " : "", ns_course_text(ch->course));
  fputc('\n', f);
}

/* Whether a channel stands in the same group ("systems", "interactions") as the one before. */
static int same_group(const char *a, const char *b)
{
  size_t n = strcspn(a, "/");
  return a[n] && strncmp(a, b, n + 1) == 0;
}

static void show_channels(const ns_result_meta *m, int all, FILE *f)
{
  int in_group = 0, hidden = 0;
  ns_info_row(f, "quantities", "%d in %zu %s\n", m->nchannels, m->ncols,
              ns_plural(m->ncols, "column", "columns"));
  for (int i = 0; i < m->nchannels; i++) {
    in_group = i && same_group(m->channels[i - 1].path, m->channels[i].path) ? in_group + 1 : 0;
    if (all || in_group < SHOWN) {
      if (hidden) fprintf(f, "    ... %d more: --all\n", hidden);
      hidden = 0;
      show_channel(m, &m->channels[i], f);
    } else {
      hidden++;
    }
  }
  if (hidden) fprintf(f, "    ... %d more: --all\n", hidden);
}

static void show_certificate(const ns_result_meta *m, FILE *f)
{
  if (!m->format) return;
  ns_info_row(f, "certificate", "%s", "");
  if (!m->has_certificate) {
    fputs("none: the run did not finish\n", f);
    return;
  }
  fputc('\n', f);
  for (const ns_cert_field *k = ns_cert_fields(m->first_order); k->name; k++) {
    double x = ns_cert_get(k, &m->certificate);
    if (!ns_cert_shown(k, &m->certificate)) continue;
    char value[48], plain = k->unit[0] == '1' && !k->unit[1];
    snprintf(value, sizeof value, k->kind == NS_CERT_DOUBLE ? "%.6g%s%s" : "%.0f%s%s", x,
             plain ? "" : " ", plain ? "" : k->unit);
    fprintf(f, "    %-22s %-16s %s\n", k->name, value, k->help);
  }
}

static void show_measures(const ns_result_meta *m, int all, FILE *f)
{
  if (!m->nmeasures) return;
  ns_info_row(f, "measures", "\n");
  for (int k = 0; k < m->nmeasures && (all || k < 4 * SHOWN); k++) {
    ns_measured s;
    char value[64], time[48] = "";
    ns_result_measure_get(m, k, &s);
    const char *unit = s.unit && strcmp(s.unit, "1") != 0 ? s.unit : "";
    if (s.why) snprintf(value, sizeof value, "undefined");
    else snprintf(value, sizeof value, "%.10g%s%.40s", s.value, *unit ? " " : "", unit);
    if (!isnan(s.time)) snprintf(time, sizeof time, " at t = %.10g s", s.time);
    fprintf(f, "    %-22s %-20s %s%s", s.id, value, s.kind, time);
    if (s.samples >= 0) fprintf(f, ", the last of %d", s.samples);
    if (s.why || s.help) fprintf(f, "; %s", s.why ? s.why : s.help);
    fputc('\n', f);
  }
  if (!all && m->nmeasures > 4 * SHOWN)
    fprintf(f, "    ... %d more: --all\n", m->nmeasures - 4 * SHOWN);
}

static void show_parameters(const ns_result_meta *m, int all, FILE *f)
{
  if (!m->nparameters) return;
  ns_info_row(f, "parameters", "%s", "");
  for (int i = 0; i < m->nparameters; i++) {
    const ns_parameter *p = &m->parameters[i];
    if (!all && i == SHOWN) {
      fprintf(f, ", ... %d more: --all", m->nparameters - i);
      break;
    }
    fprintf(f, "%s%s = %.10g%s%s%s", i ? ", " : "", p->name, p->value, p->unit ? " " : "",
            p->unit ? p->unit : "", p->overridden ? " (overridden)" : "");
  }
  fputc('\n', f);
}

static void show_provenance(const ns_result_meta *m, int all, FILE *f)
{
  const ns_provenance *p = &m->provenance;
  char span[128] = "";
  line(f, "command", p->command);
  if (p->started)
    snprintf(span, sizeof span, "%s%s%s", p->started, p->finished ? " to " : "",
             p->finished ? p->finished : "");
  if (isfinite(p->wall) && p->finished)
    snprintf(span + strlen(span), sizeof span - strlen(span), ", step loop %.3g s", p->wall);
  line(f, "run", span);
  if (p->host && p->user) {
    ns_info_row(f, "where", "%s on %s\n", p->user, p->host);
  }
  line(f, "nssim", p->version);
  line(f, "libraries", p->libraries);
  for (int i = 0; i < m->nsources && (all || i < SHOWN); i++) {
    ns_info_row(f, i ? "" : "made from", "%s  sha256 %.16s%s\n", m->sources[i].path,
                m->sources[i].sha256, all ? m->sources[i].sha256 + 16 : "...");
  }
}

int ns_info_text(ns_result *r, ns_ctx *c, int all, FILE *f)
{
  const ns_result_meta *m = ns_result_get_meta(r);
  ns_result_extent x;
  char status[1400];
  int rc = ns_info_extent(r, c, &x);
  if (rc) return rc;
  show_title(r, m, f);
  line(f, "status", ns_info_status(m, &x, status, sizeof status));
  show_rows(m, &x, f);
  rc = ns_info_modes(r, c, &x, all, f);
  if (!rc) rc = ns_info_scene(r, c, f);
  if (rc) return rc;
  show_channels(m, all, f);
  show_certificate(m, f);
  show_measures(m, all, f);
  show_parameters(m, all, f);
  show_provenance(m, all, f);
  return NS_OK;
}

/* ---- for a program --------------------------------------------------------------------------- */

int ns_info_json(ns_result *r, ns_ctx *c, FILE *f)
{
  ns_result_extent x;
  int rc = ns_info_extent(r, c, &x);
  if (rc) return rc;
  char *s = ns_result_meta_json(ns_result_get_meta(r), &x);
  if (!s) return ns_nomem(c, "JSON");
  fputs(s, f);
  fputc('\n', f);
  free(s);
  return NS_OK;
}
