/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/manifest.h"

#include "base/grow.h"
#include "io/number.h"
#include "study/journal.h"
#include "study/record.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Where it lies is no part of a sweep: the same study gives the same manifest on every machine. */
static const char *name_of(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

int ns_manifest_make(ns_ctx *c, ns_study *s, ns_manifest *m)
{
  *m = (ns_manifest){.study = s, .key = ns_arena_get(s->arena, (size_t)s->nruns, sizeof *m->key)};
  if (!m->key) return ns_nomem(c, "keys of the runs");
  s->path = name_of(s->path);
  s->model = name_of(s->model);
  for (long long k = 0; k < s->nruns; k++) ns_study_key(s, k, m->key[k]);
  return NS_OK;
}

void ns_manifest_fini(ns_manifest *m)
{
  ns_study_destroy(m->study);
  *m = (ns_manifest){0};
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The whole file, in memory, and a record of it. */
typedef struct text {
  ns_buffer all;
  ns_record r;
} text;

static void add(text *t)
{
  if (ns_record_seal(&t->r)) ns_buffer_put(&t->all, t->r.s, t->r.n);
  else t->all.lost = 1;
}

static void begin(text *t, const char *what)
{
  ns_record_begin(&t->r);
  ns_record_text(&t->r, what);
}

static const char *kind_of(const ns_study_column *k)
{
  if (k->values != NS_SETTING_NUMBERS) return "word";
  return k->option ? "option" : "parameter";
}

static void put_all(text *t, const ns_manifest *m)
{
  const ns_study *s = m->study;
  char number[NS_NUMBER_SIZE];
  begin(t, "sweep");
  ns_record_integer(&t->r, 1);
  ns_record_text(&t->r, s->path);
  ns_record_text(&t->r, s->model);
  ns_record_text(&t->r, s->model_key);
  ns_record_integer(&t->r, s->nruns);
  ns_record_text(&t->r, s->name);
  ns_record_text(&t->r, s->title);
  add(t);
  for (int k = 0; k < s->ncolumns; k++) {
    begin(t, "column");
    ns_record_text(&t->r, s->column[k].name);
    ns_record_text(&t->r, kind_of(&s->column[k]));
    ns_record_text(&t->r, s->column[k].unit ? s->column[k].unit : "");
    ns_record_number(&t->r, s->column[k].initial);
    add(t);
  }
  for (int k = 0; k < s->nunits; k++) {
    begin(t, "unit");
    ns_record_text(&t->r, s->unit[k].name);
    ns_record_text(&t->r, s->unit[k].unit);
    add(t);
  }
  for (long long k = 0; k < s->nruns; k++) {
    const ns_study_cell *row = s->cell + (size_t)k * (size_t)s->ncolumns;
    begin(t, "run");
    ns_record_integer(&t->r, k + 1);
    ns_record_text(&t->r, m->key[k]);
    for (int i = 0; i < s->ncolumns; i++) {
      const char *cell = ns_study_cell_text(&row[i], number);
      /* a text that is no number stays one when it is read again */
      ns_record_text(&t->r, !cell ? "" : cell);
    }
    add(t);
  }
  begin(t, "end");
  add(t);
}

/* Content of a file, malloced; NULL with errno. */
static char *content(const char *path, size_t *n)
{
  struct stat st;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  char *s = NULL;
  *n = 0;
  if (fd < 0) return NULL;
  if (fstat(fd, &st) == 0 && (s = malloc((size_t)st.st_size + 1))) {
    while (*n < (size_t)st.st_size) {
      ssize_t got = read(fd, s + *n, (size_t)st.st_size - *n);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      *n += (size_t)got;
    }
    s[*n] = 0;
  }
  int e = errno;
  close(fd);
  errno = e;
  return s;
}

static int write_all(int fd, const char *s, size_t n)
{
  while (n) {
    ssize_t put = write(fd, s, n);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return -1;
    s += put;
    n -= (size_t)put;
  }
  return fsync(fd);
}

/* Under another name first: who reads it sees the old one or the new one. */
static int replace(ns_ctx *c, const char *dir, const char *path, const text *t)
{
  char other[4200];
  struct timespec now; /* other machines have processes of the same number */
  clock_gettime(CLOCK_REALTIME, &now);
  snprintf(other, sizeof other, "%s/.manifest.%ld.%ld", dir, (long)getpid(), now.tv_nsec);
  int fd = open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return ns_fail(c, NS_NOCREATE, "%s: %s", other, strerror(errno));
  int bad = write_all(fd, t->all.s, t->all.n), e = errno;
  if (close(fd) && !bad) bad = -1, e = errno;
  if (!bad && rename(other, path)) bad = -1, e = errno;
  if (!bad) return NS_OK;
  unlink(other);
  return ns_fail(c, NS_OUTPUT, "%s: cannot write it: %s", path, strerror(e));
}

int ns_manifest_folder(ns_ctx *c, const char *dir)
{
  if (mkdir(dir, 0777) && errno != EEXIST)
    return ns_fail(c, NS_NOCREATE, "%s: %s", dir, strerror(errno));
  return NS_OK;
}

int ns_manifest_write(ns_ctx *c, const char *dir, const ns_manifest *m, int journal, int *changed)
{
  char path[4096];
  text t = {0};
  size_t n;
  int rc = ns_manifest_folder(c, dir);
  *changed = 0;
  if (rc) return rc;
  snprintf(path, sizeof path, "%s/manifest", dir);
  put_all(&t, m);
  char *old = t.all.lost ? NULL : content(path, &n);
  if (t.all.lost) rc = ns_nomem(c, "manifest of the sweep");
  else if (!old || n != t.all.n || memcmp(old, t.all.s, n)) {
    *changed = old != NULL;
    if (old && ns_journal_others(dir, journal))
      rc = ns_fail(c, NS_NOCREATE,
                   "%s: another process is running a share of another study there; wait for it, or "
                   "use another folder",
                   dir);
    if (!rc) rc = replace(c, dir, path, &t);
  }
  free(old);
  free(t.all.s);
  ns_record_fini(&t.r);
  return rc;
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct reader {
  const char *path, *s, *end; /* s: field to come, NULL: no more */
  ns_study *study;
  ns_study_column *column;
  ns_study_unit *unit;
  ns_study_cell *cell;
  char (*key)[NS_STUDY_KEY];
  long long runs; /* read so far */
  int cols, ended;
} reader;

/* The next field, in memory of the study; "" where there is none, NULL: out of memory. */
static const char *next(reader *r)
{
  const char *s = r->s;
  if (!s) return "";
  size_t n = ns_record_field(s, r->end, &r->s);
  char *copy = ns_arena_get(r->study->arena, n + 1, 1);
  return copy ? ns_record_unescape(s, n, copy, n + 1) : NULL;
}

static int take_head(reader *r, ns_ctx *c)
{
  ns_study *s = r->study;
  const char *version = next(r), *key, *runs;
  s->path = next(r);
  s->model = next(r);
  key = next(r);
  runs = next(r);
  s->name = next(r);
  s->title = next(r);
  if (!version || !s->path || !s->model || !key || !runs || !s->name || !s->title)
    return ns_nomem(c, "manifest of the sweep");
  if (strcmp(version, "1"))
    return ns_fail(c, NS_NOINPUT, "%s: has version %.20s, expected 1; use the nssim that wrote it",
                   r->path, version);
  snprintf(s->model_key, sizeof s->model_key, "%s", key);
  s->nruns = atoll(runs);
  return NS_OK;
}

static int take_column(reader *r, ns_ctx *c)
{
  if (ns_grow(&r->column, r->cols)) return ns_nomem(c, "manifest of the sweep");
  ns_study_column *k = &r->column[r->cols];
  *k = (ns_study_column){.name = next(r)};
  const char *kind = next(r), *unit = next(r), *initial = next(r);
  if (!k->name || !kind || !unit || !initial) return ns_nomem(c, "manifest of the sweep");
  k->values = !strcmp(kind, "word") ? NS_SETTING_ANY : NS_SETTING_NUMBERS;
  k->option = k->values != NS_SETTING_NUMBERS || !strcmp(kind, "option");
  k->unit = *unit ? unit : NULL;
  k->initial = strtod(initial, NULL);
  r->cols++;
  return NS_OK;
}

static int take_unit(reader *r, ns_ctx *c)
{
  ns_study_unit u = {.name = next(r)};
  u.unit = next(r);
  int added = u.name && u.unit && ns_append(&r->unit, &r->study->nunits, &u) >= 0;
  return added ? NS_OK : ns_nomem(c, "manifest of the sweep");
}

static int take_run(reader *r, ns_ctx *c)
{
  ns_study *s = r->study;
  if (!r->cell) {
    if (s->nruns < 0 || s->nruns > NS_STUDY_RUNS_MAX) return NS_NOINPUT;
    r->cell = ns_arena_zero(s->arena, (size_t)s->nruns * (size_t)r->cols, sizeof *r->cell);
    r->key = ns_arena_zero(s->arena, (size_t)s->nruns, sizeof *r->key);
    if (!r->cell || !r->key) return ns_nomem(c, "manifest of the sweep");
  }
  if (r->runs >= s->nruns || !r->s) return NS_NOINPUT;
  ns_record_field(r->s, r->end, &r->s); /* its number: runs are in order */
  const char *key = r->s;
  size_t length = key ? ns_record_field(key, r->end, &r->s) : 0;
  if (key) ns_record_unescape(key, length, r->key[r->runs], NS_STUDY_KEY);
  ns_study_cell *row = r->cell + (size_t)r->runs++ * (size_t)r->cols;
  for (int k = 0; k < r->cols; k++) {
    char number[64], *stop;
    const char *f = r->s;
    size_t n = f ? ns_record_field(f, r->end, &r->s) : 0;
    row[k] = (ns_study_cell){.value = NAN};
    if (!n) continue;
    snprintf(number, sizeof number, "%.*s", (int)(n < sizeof number - 1 ? n : sizeof number - 1),
             f);
    double x = strtod(number, &stop);
    if (!*stop && n < sizeof number - 1) {
      row[k].value = x;
      continue;
    }
    char *copy = ns_arena_get(s->arena, n + 1, 1);
    if (!copy) return ns_nomem(c, "manifest of the sweep");
    row[k].text = ns_record_unescape(f, n, copy, n + 1);
  }
  return NS_OK;
}

static int take(reader *r, ns_ctx *c, const char *s, const char *end)
{
  size_t n = ns_record_field(s, end, &r->s);
  r->end = end;
  if (n == 5 && !memcmp(s, "sweep", n)) return take_head(r, c);
  if (n == 6 && !memcmp(s, "column", n)) return take_column(r, c);
  if (n == 4 && !memcmp(s, "unit", n)) return take_unit(r, c);
  if (n == 3 && !memcmp(s, "run", n)) return take_run(r, c);
  r->ended = n == 3 && !memcmp(s, "end", n);
  return NS_OK;
}

int ns_manifest_read(ns_ctx *c, const char *dir, ns_manifest *m)
{
  char path[4096];
  const char *s, *end;
  size_t n, pos = 0;
  long damaged = 0;
  *m = (ns_manifest){0};
  snprintf(path, sizeof path, "%s/manifest", dir);
  char *all = content(path, &n);
  if (!all)
    return ns_fail(c, NS_NOINPUT, "%s: %s; expected the folder of a sweep", path, strerror(errno));
  ns_arena *a = ns_arena_create(0, 1);
  reader r = {.path = path, .study = a ? ns_arena_zero(a, 1, sizeof *r.study) : NULL};
  int rc = r.study ? NS_OK : ns_nomem(c, "manifest of the sweep");
  if (!rc) r.study->arena = a;
  while (!rc && (s = ns_record_next(all, n, &pos, &end, &damaged))) rc = take(&r, c, s, end);
  if (!rc || (rc == NS_NOINPUT && !c->rc))
    if (rc || damaged || !r.ended || r.runs != r.study->nruns)
      rc = ns_fail(
          c, NS_NOINPUT,
          "%s: is damaged, expected the manifest of a sweep; run the study again with -o %s", path,
          dir);
  if (!rc) {
    r.study->ncolumns = r.cols;
    r.study->cell = r.cell;
    r.study->column = ns_arena_copy(a, r.column, (size_t)r.cols, sizeof *r.column);
    r.study->unit = ns_arena_copy(a, r.unit, (size_t)r.study->nunits, sizeof *r.unit);
    *m = (ns_manifest){.study = r.study, .key = r.key};
    if (!r.study->column || !r.study->unit) rc = ns_nomem(c, "manifest of the sweep");
  }
  NS_FREE(r.column, r.unit, all);
  if (rc) {
    ns_arena_destroy(a);
    *m = (ns_manifest){0};
  }
  return rc;
}
