/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/results/csv.h"

#include "base/claim.h"
#include "base/grow.h"
#include "io/results/event_columns.h"
#include "io/results/result_meta.h"
#include "io/textfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct csv {
  /* but for rows: fd = -1 with standard output; contacts also where none are recorded */
  ns_textfile rows, events, contacts, json;
  ns_run_info info;
  const ns_channel *channels;
  int nchannels;
  size_t ncols, nrows, nevents;
  size_t told; /* rows whose contacts were handed over */
} csv;

char *ns_csv_companion(const char *path, const char *suffix)
{
  size_t n = strlen(path), k = n >= 4 && strcmp(path + n - 4, ".csv") == 0 ? n - 4 : n;
  char *s = malloc(k + strlen(suffix) + 1);
  if (s) sprintf(s, "%.*s%s", (int)k, path, suffix);
  return s;
}

/* ---- opening --------------------------------------------------------------------------------- */

static int open_companion(ns_ctx *c, const char *path, const char *suffix, ns_textfile *f)
{
  char *name = ns_csv_companion(path, suffix);
  int rc = name ? ns_textfile_open(c, name, f) : ns_nomem(c, "name of a companion file");
  free(name);
  return rc;
}

typedef struct companion {
  ns_textfile *f;
  ns_ctx *c;
} companion;

static int put_piece(const char *s, size_t n, void *to)
{
  companion *k = to;
  return ns_textfile_put(k->f, k->c, s, n);
}

/* The companion file as of now to f: r NULL while running. */
static int write_json(const csv *s, ns_ctx *c, const ns_run_result *r, ns_textfile *f)
{
  ns_result_meta m = ns_result_meta_of_run(&s->info, s->channels, s->nchannels, s->ncols, r);
  m.nrows = s->nrows;
  m.nevents = s->nevents;
  companion k = {f, c};
  int bad = ns_result_meta_write(&m, NULL, put_piece, &k);
  if (bad && f->failed) return f->failed;
  if (bad) return ns_nomem(c, "companion file of a CSV output");
  int rc = ns_textfile_puts(f, c, "\n");
  return rc ? rc : ns_textfile_flush(f, c);
}

/* What has taken the place of the companion is locked as that was. */
static int take_json(csv *s, ns_ctx *c, ns_textfile *f)
{
  ns_textfile old = s->json;
  s->json = *f;
  s->json.path = old.path;
  s->json.made = old.made = 0;
  old.path = f->path;
  return ns_textfile_close(&old, c);
}

/* The old one is replaced when the new one is whole: a kill finds either. */
static int replace_json(csv *s, ns_ctx *c, const ns_run_result *r)
{
  ns_textfile f;
  char *name = ns_claim_companion(s->json.path, ".new"),
       *real = ns_claim_companion(s->json.path, "");
  int rc = name && real ? ns_textfile_open(c, name, &f) : ns_nomem(c, "name of a companion file"),
      end;
  if (!rc) {
    rc = ns_textfile_truncate(&f, c);
    if (!rc) rc = write_json(s, c, r, &f);
    if (!rc && rename(name, real) != 0)
      rc = ns_fail(c, NS_OUTPUT, "%s: cannot replace: %s", s->json.path, strerror(errno));
    if (rc) unlink(name);
    end = rc ? ns_textfile_close(&f, c) : take_json(s, c, &f);
    if (!rc) rc = end;
  }
  free(name);
  free(real);
  return rc;
}

static int write_header(csv *s, ns_ctx *c)
{
  int rc = NS_OK;
  for (int i = 0; i < s->nchannels && !rc; i++) {
    for (int k = 0; k < s->channels[i].ncol && !rc; k++) {
      if (i + k) rc = ns_textfile_put(&s->rows, c, ",", 1);
      if (!rc) rc = ns_textfile_put_field(&s->rows, c, s->channels[i].labels[k]);
    }
  }
  if (!rc) rc = ns_textfile_put(&s->rows, c, "\n", 1);
  return rc ? rc : ns_textfile_flush(&s->rows, c);
}

static int write_events_header(csv *s, ns_ctx *c)
{
  if (s->events.fd < 0) return NS_OK;
  int rc = NS_OK;
  for (int k = 0; k < NS_EVENT_COLUMNS && !rc; k++) {
    if (k) rc = ns_textfile_puts(&s->events, c, ",");
    if (!rc) rc = ns_textfile_puts(&s->events, c, ns_event_columns[k].name);
  }
  if (!rc) rc = ns_textfile_puts(&s->events, c, "\n");
  return rc ? rc : ns_textfile_flush(&s->events, c);
}

static int write_contacts_header(csv *s, ns_ctx *c)
{
  static const char *const vectors[] = {"point",   "normal", "velocity",
                                        "impulse", "moment", "force"};
  int rc = s->contacts.fd < 0 ? NS_OK : ns_textfile_puts(&s->contacts, c, "row,time,a,b,gap");
  if (s->contacts.fd < 0) return NS_OK;
  for (size_t i = 0; i < 18 && !rc; i++) {
    char name[32];
    snprintf(name, sizeof name, ",%s_%c", vectors[i / 3], "xyz"[i % 3]);
    rc = ns_textfile_puts(&s->contacts, c, name);
  }
  if (!rc) rc = ns_textfile_puts(&s->contacts, c, "\n");
  return rc ? rc : ns_textfile_flush(&s->contacts, c);
}

static void abandon(csv *s)
{
  ns_textfile_abandon(&s->rows);
  ns_textfile_abandon(&s->events);
  ns_textfile_abandon(&s->contacts);
  ns_textfile_abandon(&s->json);
  free(s);
}

/* Two of the files are one, by links. Known once they are open: what a link leads to is made then.
 */
static int check_different(ns_ctx *c, const ns_textfile *a, const ns_textfile *b)
{
  struct stat s, t;
  if (fstat(a->fd, &s) != 0 || fstat(b->fd, &t) != 0 || !S_ISREG(s.st_mode)) return NS_OK;
  if (s.st_dev != t.st_dev || s.st_ino != t.st_ino) return NS_OK;
  return ns_fail(
      c, NS_NOCREATE,
      "%s and %s are the same file, expected two files; remove the link or give another name",
      a->path, b->path);
}

static int open_all(csv *s, ns_ctx *c, const char *path)
{
  ns_textfile *all[] = {&s->rows, &s->events, &s->json, &s->contacts};
  int n = ns_contacts_recorded(s->info.model) ? 4 : 3, rc = ns_textfile_open(c, path, &s->rows);
  if (strcmp(path, "-") == 0) return rc;
  if (!rc) rc = open_companion(c, path, ".events.csv", &s->events);
  if (!rc) rc = open_companion(c, path, ".json", &s->json);
  if (!rc && n > 3) rc = open_companion(c, path, ".contacts.csv", &s->contacts);
  for (int i = 1; i < n; i++)
    for (int k = 0; k < i && !rc; k++) rc = check_different(c, all[k], all[i]);
  for (int i = 0; i < n && !rc; i++) rc = ns_textfile_truncate(all[i], c);
  return rc;
}

static csv *new_csv(ns_ctx *c, const ns_run_info *info, const ns_channel *channels, int nchannels,
                    size_t ncols)
{
  csv *s = calloc(1, sizeof *s);
  if (!s) {
    ns_nomem(c, "CSV output");
    return NULL;
  }
  s->rows.fd = s->events.fd = s->contacts.fd = s->json.fd = -1;
  s->info = *info;
  s->channels = channels;
  s->nchannels = nchannels;
  s->ncols = ncols;
  return s;
}

static int csv_open(ns_ctx *c, const char *path, const ns_run_info *info,
                    const ns_channel *channels, int nchannels, size_t ncols, void **self)
{
  csv *s = new_csv(c, info, channels, nchannels, ncols);
  *self = NULL;
  if (!s) return NS_NOMEM;
  int rc = open_all(s, c, path);
  if (!rc && s->json.fd >= 0) rc = write_json(s, c, NULL, &s->json);
  if (!rc) rc = write_events_header(s, c);
  if (!rc) rc = write_contacts_header(s, c);
  if (!rc) rc = write_header(s, c);
  if (rc) abandon(s);
  else *self = s;
  return rc;
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

static int csv_mark(void *self, ns_ctx *c, ns_blob *b)
{
  csv *s = self;
  ns_blob_put(b, &s->nrows, sizeof s->nrows);
  ns_blob_put(b, &s->nevents, sizeof s->nevents);
  int rc = ns_textfile_mark(&s->rows, c, b);
  if (!rc) rc = ns_textfile_mark(&s->events, c, b);
  return rc || s->contacts.fd < 0 ? rc : ns_textfile_mark(&s->contacts, c, b);
}

/* All files are checked before one of them is touched. */
static int reopen(csv *s, ns_ctx *c, const char *path, ns_blob *b)
{
  char *beside = ns_csv_companion(path, ".events.csv"), *json = ns_csv_companion(path, ".json");
  char *touch = ns_csv_companion(path, ".contacts.csv");
  int has = ns_contacts_recorded(s->info.model),
      rc = beside && json && touch ? NS_OK : ns_nomem(c, "name of a companion file");
  ns_blob_get(b, &s->nrows, sizeof s->nrows);
  ns_blob_get(b, &s->nevents, sizeof s->nevents);
  if (!rc) rc = ns_textfile_resume(c, path, b, &s->rows);
  if (!rc) rc = ns_textfile_resume(c, beside, b, &s->events);
  if (!rc && has) rc = ns_textfile_resume(c, touch, b, &s->contacts);
  if (!rc) rc = ns_textfile_open(c, json, &s->json);
  if (!rc) rc = ns_textfile_cut(&s->rows, c);
  if (!rc) rc = ns_textfile_cut(&s->events, c);
  if (!rc && has) rc = ns_textfile_cut(&s->contacts, c);
  s->told = s->nrows;
  if (!rc) rc = replace_json(s, c, NULL);
  NS_FREE(beside, json, touch);
  return rc;
}

static int csv_resume(ns_ctx *c, const char *path, const ns_run_info *info,
                      const ns_channel *channels, int nchannels, size_t ncols, ns_blob *b,
                      void **self)
{
  csv *s = new_csv(c, info, channels, nchannels, ncols);
  *self = NULL;
  if (!s) return NS_NOMEM;
  int rc = reopen(s, c, path, b);
  if (rc) abandon(s);
  else *self = s;
  return rc;
}

/* ---- writing --------------------------------------------------------------------------------- */

static int csv_rows(void *self, ns_ctx *c, const double *rows, size_t nrows)
{
  csv *s = self;
  int rc = NS_OK;
  for (size_t i = 0; i < nrows && !rc; i++)
    rc = ns_textfile_put_row(&s->rows, c, rows + i * s->ncols, s->ncols);
  if (!rc) rc = ns_textfile_flush(&s->rows, c); /* whole rows reach the file */
  if (!rc) s->nrows += nrows;
  return rc;
}

static int write_event(csv *s, ns_ctx *c, const ns_event *e)
{
  char id[512], buf[NS_NUMBER_SIZE];
  const ns_result_event told = ns_event_told(s->info.model, e, id, sizeof id);
  int rc = NS_OK;
  for (int k = 0; k < NS_EVENT_COLUMNS && !rc; k++) {
    if (k) rc = ns_textfile_puts(&s->events, c, ",");
    if (!rc)
      rc = ns_textfile_put_field(&s->events, c, ns_event_field(&ns_event_columns[k], &told, buf));
  }
  return rc ? rc : ns_textfile_puts(&s->events, c, "\n");
}

static int csv_events(void *self, ns_ctx *c, const ns_event *e, size_t n)
{
  csv *s = self;
  s->nevents += n;
  if (s->events.fd < 0) return NS_OK;
  int rc = NS_OK;
  for (size_t i = 0; i < n && !rc; i++) rc = write_event(s, c, &e[i]);
  return rc ? rc : ns_textfile_flush(&s->events, c);
}

static int write_contact(csv *s, ns_ctx *c, double t, const ns_contact_record *k)
{
  const double *const vectors[] = {k->point,   k->normal, k->velocity,
                                   k->impulse, k->moment, k->force};
  char text[64];
  snprintf(text, sizeof text, "%zu,", s->told);
  int rc = ns_textfile_puts(&s->contacts, c, text);
  if (!rc) rc = ns_textfile_put_number(&s->contacts, c, t);
  snprintf(text, sizeof text, ",%d,%d,", k->a, k->b);
  if (!rc) rc = ns_textfile_puts(&s->contacts, c, text);
  if (!rc) rc = ns_textfile_put_number(&s->contacts, c, k->gap);
  for (size_t i = 0; i < 18 && !rc; i++) {
    rc = ns_textfile_puts(&s->contacts, c, ",");
    if (!rc) rc = ns_textfile_put_number(&s->contacts, c, vectors[i / 3][i % 3]);
  }
  return rc ? rc : ns_textfile_puts(&s->contacts, c, "\n");
}

static int csv_contacts(void *self, ns_ctx *c, double t, const ns_contact_record *k, size_t n)
{
  csv *s = self;
  int rc = NS_OK;
  for (size_t i = 0; i < n && !rc && s->contacts.fd >= 0; i++) rc = write_contact(s, c, t, &k[i]);
  s->told++;
  return rc;
}

static int csv_flush(void *self, ns_ctx *c)
{
  csv *s = self; /* each hand-over of rows and events has reached the kernel already */
  return s->contacts.fd < 0 ? NS_OK : ns_textfile_flush(&s->contacts, c);
}

static int csv_close(void *self, ns_ctx *c, const ns_run_result *r)
{
  csv *s = self;
  int rc = ns_textfile_close(&s->rows, c), more = ns_textfile_close(&s->events, c),
      last = ns_textfile_close(&s->contacts, c);
  if (!rc) rc = more ? more : last;
  ns_run_result end = *r;
  if (rc && strcmp(end.status, "complete") == 0) {
    end.status = "failed";
    end.message = c->msg;
    end.exit = ns_status_exit(rc);
  }
  /* A full disk is full for the companion, too: one sentence is enough. */
  ns_ctx quiet = {0}, *to = rc ? &quiet : c;
  more = s->json.fd >= 0 ? replace_json(s, to, &end) : NS_OK;
  if (!rc) rc = more;
  more = ns_textfile_close(&s->json, to);
  if (!rc) rc = more;
  free(s);
  return rc;
}

const ns_sink_ops ns_csv_sink = {
    .size = sizeof(ns_sink_ops),
    .name = "csv",
    .help = "comma-separated text, with events and certificate in companion files",
    .suffix = ".csv",
    .open = csv_open,
    .rows = csv_rows,
    .events = csv_events,
    .flush = csv_flush,
    .close = csv_close,
    .mark = csv_mark,
    .resume = csv_resume,
    .contacts = csv_contacts};
