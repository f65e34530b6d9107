/* SPDX-License-Identifier: GPL-3.0-or-later */
/* result_csv.c -- the CSV side of result.h: our own tables and those of others.
 *
 * A header row, then numbers; separated by comma, semicolon or tab, whichever the header has, else
 * by blanks; lines before the header that begin with # are passed over. A table by blanks needs no
 * header: its columns are then called by the last of the lines with #, where that has as many
 * words, else by their numbers; a first line "rows columns" (as Siconos writes) is passed over, and
 * so are lines with # between the rows. An empty field is NaN. A column that does not begin with a
 * number is text and reads as NaN; of the table of a sweep the status reads as ns_run_status, and
 * words as their positions among those of the column. */
#include "base/claim.h"
#include "base/grow.h"
#include "base/plural.h"
#include "io/results/csv.h"
#include "io/results/event_columns.h"
#include "io/results/result.h"
#include "io/results/run_table.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Text of a whole file, parsed in place. */
typedef struct text {
  const char *path;
  char *mem, *at, *end; /* owned; where we are; the NUL after the last byte */
  int line;             /* of `at`, from 1 */
  char sep;             /* ' ': any number of blanks and tabs */
  const char *like;     /* "header", or what a row is held against where there is none */
  const char *remark;   /* last line with # before the header, NULL where none */
  locale_t c_locale;
} text;

typedef struct table {
  ns_arena *a;
  ns_result_meta *meta;
  char *path;
  double *values; /* [nrows x ncols] by rows */
  size_t ncols;
  const char **labels;     /* [ncols] */
  char *is_text;           /* [ncols] */
  int sweep;               /* measures of many runs: run, key, status ... */
  struct word_list *words; /* of a sweep [ncols] */
} table;

/* Different words of a column, in their order. */
typedef struct word_list {
  const char **word; /* of the arena [n of cap] */
  int n, cap;
} word_list;

/* ---- text ------------------------------------------------------------------------------------ */

static void text_close(text *t)
{
  free(t->mem);
  if (t->c_locale) freelocale(t->c_locale);
  *t = (text){0};
}

static int text_fail(const text *t, ns_ctx *c)
{
  if (errno == ENOMEM) return ns_nomem(c, "text of a CSV file");
  return ns_fail(c, NS_NOINPUT, "%s: cannot read: %s", t->path, strerror(errno));
}

static int slurp(text *t, ns_ctx *c, FILE *f)
{
  /* What is no text is known by the first piece, before there is memory for the whole. */
  enum { PIECE = 1 << 16 };
  size_t cap = PIECE + 1, n = 0, got;
  struct stat st;
  size_t whole = fstat(fileno(f), &st) == 0 && st.st_size > 0 ? (size_t)st.st_size + 2 : 0;
  do {
    char *p = realloc(t->mem, cap);
    if (!p) return ns_nomem(c, "text of a CSV file");
    t->mem = p;
    for (; n < cap - 1; n += got) {
      size_t want = cap - 1 - n < PIECE ? cap - 1 - n : PIECE;
      if ((got = fread(p + n, 1, want, f)) == 0) break;
      if (memchr(p + n, 0, got))
        return ns_fail(c, NS_NOINPUT, "%s: neither an HDF5 file nor a text: it has NUL bytes",
                       t->path);
    }
    cap = cap < whole ? whole : 2 * cap;
  } while (!feof(f) && !ferror(f));
  if (ferror(f)) return text_fail(t, c);
  t->mem[n] = 0;
  t->at = t->mem + (strncmp(t->mem, "\xEF\xBB\xBF", 3) ? 0 : 3); /* mark of UTF-8 */
  t->end = t->mem + n;
  return NS_OK;
}

static int text_open(text *t, ns_ctx *c, const char *path)
{
  *t = (text){.path = path, .line = 1};
  int fd = ns_result_file(c, path);
  if (fd < 0) return NS_NOINPUT;
  FILE *f = fdopen(fd, "r");
  if (!f) {
    close(fd);
    return text_fail(t, c);
  }
  int rc = slurp(t, c, f);
  fclose(f);
  if (!rc && !(t->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0)))
    rc = ns_nomem(c, "C locale");
  if (rc) text_close(t);
  return rc;
}

/* Words by blanks in the line at s. */
static size_t count_words(const char *s)
{
  static const char blank[] = " \t\r";
  size_t n = 0;
  for (s += strspn(s, blank); *s && *s != '\n'; s += strspn(s, blank)) {
    s += strcspn(s, " \t\r\n");
    n++;
  }
  return n;
}

static const char *next_line(const char *s)
{
  s += strcspn(s, "\n");
  return *s ? s + 1 : s;
}

/* The first word of the line reads as a number. */
static int begins_with_number(const text *t, const char *s)
{
  char *end;
  s += strspn(s, " \t");
  strtod_l(s, &end, t->c_locale);
  return end != s && (!*end || strchr(" \t\r\n", *end));
}

/* A line of names, or of numbers, parted by blanks: the next one has as many. A name of one column
 * may hold blanks. */
static char separator(const text *t)
{
  const char *s = t->at;
  size_t n = strcspn(s, "\n"), words = count_words(s);
  if (memchr(s, ',', n)) return ',';
  if (memchr(s, ';', n)) return ';';
  if (begins_with_number(t, s) && (words > 1 || t->remark)) return ' ';
  if (memchr(s, '\t', n)) return '\t';
  return words > 1 && *s != '"' && count_words(next_line(s)) == words ? ' ' : ',';
}

static void skip_comments(text *t)
{
  /* byte order mark */
  if (t->end - t->at >= 3 && memcmp(t->at, "\357\273\277", 3) == 0) t->at += 3;
  while (*t->at == '#') {
    t->remark = t->at;
    t->at = (char *)(uintptr_t)next_line(t->at);
    t->line++;
  }
  t->sep = separator(t);
}

/* Pass over blanks, empty lines and lines with #, of a table by blanks. */
static void skip_blanks(text *t)
{
  for (;;) {
    char *s = t->at + strspn(t->at, " \t\r");
    t->at = s;
    if (*s == '#') t->at = s + strcspn(s, "\n");
    if (*t->at != '\n') return;
    t->at++;
    t->line++;
  }
}

/* The same as next_field where blanks part fields. */
static char *next_word(text *t, int *last)
{
  char *s = t->at + strspn(t->at, " \t"), *begin = s, *end;
  if (*s == '"' && strchr(s + 1, '"')) {
    begin = s + 1;
    end = strchr(begin, '"');
    s = end + 1;
  } else {
    s += strcspn(s, " \t\r\n");
    end = s;
  }
  size_t blanks = strspn(s, " \t\r");
  *last = !s[blanks] || s[blanks] == '\n';
  t->line += s[blanks] == '\n';
  t->at = s + blanks + (s[blanks] == '\n');
  *end = 0;
  return begin;
}

/* Field at t->at, ended with a NUL in place, blanks around it dropped; *last: it ends its line. */
static char *next_field(text *t, int *last)
{
  char *s = t->at, *o = s, *begin = s;
  if (t->sep == ' ') return next_word(t, last);
  if (*s == '"') {
    for (s++; *s && (*s != '"' || s[1] == '"'); s++) {
      if (*s == '\n') t->line++;
      if (*s == '"') s++;
      *o++ = *s;
    }
    if (*s) s++;
  } else {
    while (*s == ' ') s++;
    begin = o = s;
  }
  while (*s && *s != t->sep && *s != '\n') *o++ = *s++;
  *last = *s != t->sep;
  t->line += *s == '\n';
  t->at = *s ? s + 1 : s;
  while (o > begin && (o[-1] == '\r' || o[-1] == ' ')) o--;
  *o = 0;
  return begin;
}

static int parse_number(const text *t, const char *s, double *x)
{
  char *end;
  if (!*s) {
    *x = NAN;
    return 1;
  }
  *x = strtod_l(s, &end, t->c_locale);
  return end != s && !*end;
}

/* ---- header ---------------------------------------------------------------------------------- */

static size_t count_fields(const text *t)
{
  size_t n = 1;
  int quoted = 0;
  if (t->sep == ' ' && !strchr(t->at, '"')) return count_words(t->at);
  if (t->sep == ' ') n = 0;
  /* words, some of them quoted */
  for (const char *s = t->at; t->sep == ' ' && *s && *s != '\n'; n++) {
    s += strspn(s, " \t");
    const char *close = *s == '"' ? strchr(s + 1, '"') : NULL;
    s = close ? close + 1 : s + strcspn(s, " \t\r\n");
    s += strspn(s, " \t\r");
  }
  for (const char *s = t->at; t->sep != ' ' && *s && (quoted || *s != '\n'); s++) {
    if (*s == '"') quoted = !quoted;
    else if (*s == t->sep && !quoted) n++;
  }
  return n;
}

/* The table of measures of a sweep: run, key, status. A key may look like a number. */
static int is_sweep(const table *b)
{
  return b->ncols > 3 && strcmp(b->labels[0], "run") == 0 && strcmp(b->labels[1], "key") == 0 &&
         strcmp(b->labels[2], "status") == 0;
}

/* Names of a table by blanks whose first line is one of numbers. */
static int name_columns(table *b, ns_ctx *c, const text *t)
{
  const char *s = t->remark;
  while (s && (*s == '#' || *s == ' ' || *s == '\t')) s++;
  int told = s && count_words(s) == b->ncols;
  for (size_t i = 0; i < b->ncols; i++) {
    char *name = ns_arena_zero(b->a, 24 + (told ? strcspn(s, "\n") : 0), 1);
    if (!(b->labels[i] = name)) return ns_nomem(c, "header of a CSV file");
    if (!told) {
      snprintf(name, 24, "%zu", i + 1);
      continue;
    }
    s += strspn(s, " \t");
    size_t n = strcspn(s, " \t\r\n");
    memcpy(name, s, n);
    s += n;
  }
  return NS_OK;
}

/* "1001 5" before 1001 rows of 5 numbers. */
static void skip_dimensions(text *t)
{
  char *end;
  const char *next = next_line(t->at);
  if (count_words(t->at) != 2) return;
  unsigned long rows = strtoul(t->at, &end, 10), cols = strtoul(end, &end, 10), lines = 0;
  if (end[strspn(end, " \t\r")] != '\n' || count_words(next) != cols) return;
  for (const char *s = next; *s; s = next_line(s)) lines += count_words(s) > 0;
  if (lines != rows) return;
  t->at = (char *)(uintptr_t)next;
  t->line++;
}

static int read_header(table *b, ns_ctx *c, text *t)
{
  int last = 0, words = 0;
  double x;
  skip_comments(t);
  if (*t->at == '<')
    return ns_fail(c, NS_NOINPUT,
                   "%s: is an XML file, expected an output (HDF5 or CSV); a model is run with "
                   "nssim %s -o out.h5",
                   t->path, t->path);
  int numbers = t->sep == ' ' && begins_with_number(t, t->at);
  t->like = numbers ? "first row" : "header";
  if (numbers) skip_dimensions(t);
  b->ncols = count_fields(t);
  b->labels = ns_arena_get(b->a, b->ncols, sizeof *b->labels);
  b->is_text = ns_arena_zero(b->a, b->ncols, 1);
  if (!b->labels || !b->is_text) return ns_nomem(c, "header of a CSV file");
  if (numbers) return name_columns(b, c, t);
  for (size_t i = 0; i < b->ncols; i++) {
    const char *s = next_field(t, &last);
    words += !parse_number(t, s, &x);
    if (!(b->labels[i] = ns_arena_text(b->a, s))) return ns_nomem(c, "header of a CSV file");
  }
  b->sweep = is_sweep(b);
  if (b->sweep) b->is_text[1] = b->is_text[2] = 1;
  if (b->sweep && !(b->words = ns_arena_zero(b->a, b->ncols, sizeof *b->words)))
    return ns_nomem(c, "header of a CSV file");
  if (!words)
    return ns_fail(c, NS_NOINPUT,
                   "%s: not a table of results: the first line has no names of columns", t->path);
  return NS_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static size_t count_lines(const text *t)
{
  size_t n = 0;
  for (const char *s = t->at; (s = memchr(s, '\n', (size_t)(t->end - s))); s++) n++;
  return n + 1;
}

/* The status of a run as a number, ns_run_status. */
static double status_code(const char *s)
{
  for (int k = 0; k < NS_RUN_STATUSES; k++)
    if (strcmp(s, ns_run_status_text((ns_run_status)k)) == 0) return k;
  return NAN;
}

/* Position of a word, NaN for an empty one. */
static int take_word(table *b, ns_ctx *c, size_t column, const char *s, double *x)
{
  word_list *w = &b->words[column];
  int k = 0;
  *x = NAN;
  if (!*s) return NS_OK;
  while (k < w->n && strcmp(w->word[k], s)) k++;
  *x = k;
  if (k < w->n) return NS_OK;
  if (w->n == w->cap) {
    const char **more = ns_arena_get(b->a, (size_t)(w->cap = 2 * w->cap + 8), sizeof *more);
    if (!more) return ns_nomem(c, "words of a CSV file");
    if (w->n) memcpy(more, w->word, (size_t)w->n * sizeof *more);
    w->word = more;
  }
  if (!(w->word[w->n] = ns_arena_text(b->a, s))) return ns_nomem(c, "words of a CSV file");
  w->n++;
  return NS_OK;
}

/* No run of a sweep before this row has a number here. */
static int is_blank_above(const table *b, size_t row, size_t column)
{
  for (size_t k = 0; k < row; k++)
    if (!isnan(b->values[k * b->ncols + column])) return 0;
  return 1;
}

static int read_row(table *b, ns_ctx *c, text *t, size_t row)
{
  double *to = b->values + row * b->ncols;
  int last = 0, line = t->line;
  for (size_t i = 0; i < b->ncols; i++) {
    if (last)
      return ns_fail(c, NS_NOINPUT, "%s:%d: %zu %s, expected %zu as in the %s", t->path, line, i,
                     ns_plural(i, "field", "fields"), b->ncols, t->like);
    const char *s = next_field(t, &last);
    if (b->sweep && i > 2 &&
        (b->is_text[i] || (!parse_number(t, s, &to[i]) && is_blank_above(b, row, i)))) {
      b->is_text[i] = 1;
      int rc = take_word(b, c, i, s, &to[i]);
      if (rc) return rc;
    } else if (b->is_text[i]) {
      to[i] = b->sweep && i == 2 ? status_code(s) : NAN;
    } else if (!parse_number(t, s, &to[i])) {
      to[i] = NAN;
      b->is_text[i] = row == 0;
      if (row)
        return ns_fail(c, NS_NOINPUT, "%s:%d: column \"%s\": \"%.40s\" is not a number", t->path,
                       line, b->labels[i], s);
    }
  }
  if (!last)
    return ns_fail(c, NS_NOINPUT, "%s:%d: more than %zu %s, expected as many as in the %s", t->path,
                   line, b->ncols, ns_plural(b->ncols, "field", "fields"), t->like);
  return NS_OK;
}

/* A line without an end is what a killed run left of a row. */
static int read_rows(table *b, ns_ctx *c, text *t, int ours)
{
  if (ours)
    while (t->end > t->at && t->end[-1] != '\n') *--t->end = 0;
  b->values = malloc(count_lines(t) * b->ncols * sizeof *b->values);
  if (!b->values) return ns_nomem(c, "rows of a CSV file");
  size_t n = 0;
  while (t->at < t->end) {
    if (t->sep == ' ') skip_blanks(t);
    if (t->at >= t->end) break;
    if (*t->at == '\n' || (*t->at == '\r' && t->at[1] == '\n')) { /* empty line */
      t->at += strcspn(t->at, "\n") + 1;
      t->line++;
      continue;
    }
    int rc = read_row(b, c, t, n);
    if (rc) return rc;
    n++;
  }
  b->meta->nrows = n;
  return NS_OK;
}

/* ---- companions ------------------------------------------------------------------------------ */

/* Whether the companion describes these columns. */
static int fits(const table *b, const ns_result_meta *m)
{
  size_t k = 0;
  for (int i = 0; i < m->nchannels; i++)
    for (int j = 0; j < m->channels[i].ncol; j++, k++)
      if (k >= b->ncols || strcmp(m->channels[i].labels[j], b->labels[k]) != 0) return 0;
  return k == b->ncols;
}

/* The companion, if there is one of ours that fits. One of ours that is damaged is an error. */
static int read_companion(table *b, ns_ctx *c, int *ours)
{
  ns_ctx quiet = {0};
  ns_result_meta m;
  text t = {0};
  char *path = ns_csv_companion(b->path, ".json");
  if (!path) return ns_nomem(c, "name of a companion file");
  int rc = text_open(&t, &quiet, path);
  if (rc == NS_NOMEM) {
    ns_nomem(c, "companion file of a CSV output");
  } else if (rc || !strstr(t.mem, NS_OUTPUT_FORMAT)) {
    rc = NS_OK; /* none, or something else of that name */
  } else {
    rc = ns_result_meta_parse(c, path, t.mem, (size_t)(t.end - t.mem), b->a, &m);
    *ours = !rc && fits(b, &m);
    if (*ours) *b->meta = m;
  }
  text_close(&t);
  free(path);
  return rc;
}

/* Each column a channel of its own. */
static int foreign_channels(table *b, ns_ctx *c)
{
  ns_channel *ch = ns_arena_zero(b->a, b->ncols, sizeof *ch);
  if (!ch) return ns_nomem(c, "columns of a CSV file");
  for (size_t i = 0; i < b->ncols; i++)
    ch[i] = (ns_channel){.path = b->labels[i], .col = i, .ncol = 1, .labels = &b->labels[i]};
  b->meta->channels = ch;
  b->meta->nchannels = (int)b->ncols;
  b->meta->ncols = b->ncols;
  b->meta->t0 = b->meta->T = b->meta->h = NAN;
  return NS_OK;
}

static int open_events(const table *b, ns_ctx *c, text *t)
{
  char *path = ns_csv_companion(b->path, ".events.csv");
  int rc = path ? text_open(t, c, path) : ns_nomem(c, "name of a companion file");
  if (!rc) {
    skip_comments(t);
    while (t->end > t->at && t->end[-1] != '\n') *--t->end = 0;
    t->at += strcspn(t->at, "\n");
    if (*t->at) t->at++;
    t->line++;
    t->path = b->path;
  }
  free(path);
  return rc;
}

static int count_events(table *b, ns_ctx *c)
{
  ns_ctx quiet = {0};
  text t = {0};
  size_t written = b->meta->nevents;
  int rc = open_events(b, &quiet, &t);
  b->meta->nevents = rc ? 0 : count_lines(&t) - 1;
  b->meta->events_changed = b->meta->nevents != written;
  text_close(&t);
  return rc == NS_NOMEM ? ns_nomem(c, "events of a CSV output") : NS_OK;
}

static int event_kind(const char *s)
{
  for (int k = 0; k < NS_EVENT_KINDS; k++)
    if (strcmp(s, ns_event_text((ns_event_kind)k)) == 0) return k;
  return -1;
}

static int row_mode(const char *s)
{
  for (int k = 0; k < NS_ROW_MODES; k++)
    if (strcmp(s, ns_row_mode_text((ns_row_mode)k)) == 0) return k;
  return -1;
}

/* A field to its place in the event: 1, or 0 where it is none, or out of memory. */
static int read_field(table *b, text *t, const ns_event_column *col, const char *s,
                      ns_result_event *e)
{
  void *at = (char *)e + col->at;
  double x = 0;
  switch (col->form) {
  case NS_COLUMN_REAL: return parse_number(t, s, at);
  case NS_COLUMN_ID: return (*(const char **)at = ns_arena_text(b->a, s)) != NULL;
  case NS_COLUMN_KIND: *(int *)at = event_kind(s); return 1;
  case NS_COLUMN_MODE: *(int *)at = row_mode(s); return 1;
  case NS_COLUMN_INT: break;
  }
  int good = parse_number(t, s, &x);
  *(int *)at = (int)x;
  return good;
}

static int read_event(table *b, ns_ctx *c, text *t, ns_result_event *e)
{
  int last = 0, line = t->line, good = 1, n = NS_EVENT_COLUMNS;
  *e = (ns_result_event){.lost = NAN, .was = -1, .is = -1};
  for (int i = 0; i < n && good; i++) {
    good = read_field(b, t, &ns_event_columns[i], next_field(t, &last), e);
    if (i == NS_EVENT_COLUMNS_OLD - 1 && last) n = NS_EVENT_COLUMNS_OLD;
    good = good && last == (i == n - 1);
  }
  return good ? NS_OK
              : ns_fail(c, NS_NOINPUT, "%s: line %d of its events is not an event", t->path, line);
}

/* ---- operations ------------------------------------------------------------------------------ */

static void csv_close(void *self)
{
  table *b = self;
  if (!b) return;
  NS_FREE(b->values, b->path, b);
}

/* What stands beside an output of ours is read with it. */
static int claim_companions(const table *b, ns_ctx *c)
{
  static const char *const suffix[] = {".json", ".events.csv", ".contacts.csv"};
  int rc = NS_OK;
  for (size_t k = 0; k < sizeof suffix / sizeof *suffix && !rc; k++) {
    char *path = ns_csv_companion(b->path, suffix[k]);
    rc = path ? ns_claim_read(c, path, "which is read") : ns_nomem(c, "name of a companion file");
    free(path);
  }
  return rc;
}

/* A complete run has written as many rows as its companion says. */
static void check_rows(table *b, ns_ctx *c, size_t written)
{
  ns_provenance *p = &b->meta->provenance;
  if (!p->status || strcmp(p->status, "complete") != 0 || b->meta->nrows == written) return;
  ns_warn(c, "%s: %zu rows, expected the %zu rows that the run has written: the file was changed",
          b->path, b->meta->nrows, written);
  p->status = "incomplete";
}

static int read_table(table *b, ns_ctx *c, text *t)
{
  int rc = read_header(b, c, t), ours = 0;
  if (!rc) rc = read_companion(b, c, &ours);
  size_t written = b->meta->nrows;
  if (!rc && !ours) rc = foreign_channels(b, c);
  if (!rc) rc = read_rows(b, c, t, ours);
  if (!rc && ours) check_rows(b, c, written);
  for (size_t i = 0; !rc && b->sweep && !ours && i < b->ncols; i++) {
    ns_channel *ch = (ns_channel *)(uintptr_t)&b->meta->channels[i];
    ch->word = b->words[i].word;
    ch->nwords = b->words[i].n;
  }
  if (!rc && ours) rc = count_events(b, c);
  if (!rc && ours) rc = claim_companions(b, c);
  return rc;
}

static int csv_open(ns_ctx *c, const char *path, ns_arena *a, ns_result_meta *meta, void **self)
{
  text t = {0};
  *self = NULL;
  int rc = text_open(&t, c, path);
  if (rc) return rc;
  table *b = calloc(1, sizeof *b);
  if (b) *b = (table){.a = a, .meta = meta, .path = strdup(path)};
  rc = b && b->path ? read_table(b, c, &t) : ns_nomem(c, "CSV file");
  text_close(&t);
  if (rc) csv_close(b);
  else *self = b;
  return rc;
}

static int csv_read_rows(void *self, ns_ctx *c, int channel, size_t from, size_t n, double *out)
{
  (void)c;
  const table *b = self;
  const ns_channel *ch = &b->meta->channels[channel];
  for (size_t i = from; i < from + n; i++)
    for (int k = 0; k < ch->ncol; k++) *out++ = b->values[i * b->ncols + ch->col + (size_t)k];
  return NS_OK;
}

static int csv_events(void *self, ns_ctx *c, ns_result_event *e)
{
  table *b = self;
  text t = {0};
  int rc = open_events(b, c, &t);
  for (size_t i = 0; i < b->meta->nevents && !rc; i++) rc = read_event(b, c, &t, &e[i]);
  text_close(&t);
  return rc;
}

const ns_result_ops ns_csv_reader = {.size = sizeof(ns_result_ops),
                                     .open = csv_open,
                                     .read_rows = csv_read_rows,
                                     .events = csv_events,
                                     .close = csv_close};
