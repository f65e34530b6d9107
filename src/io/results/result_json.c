/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/results/result_meta.h"

#include <jansson.h>
#include <libxml/xmlstring.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing: jansson's constructors give NULL, its setters -1 when out of memory; `bad` collects
 * ---- */

typedef struct writer {
  int bad;
} writer;

static void put(writer *w, json_t *o, const char *key, json_t *v)
{
  if (json_object_set_new(o, key, v) < 0) w->bad = 1;
}

static void put_text(writer *w, json_t *o, const char *key, const char *s)
{
  if (!s) return;
  /* a path or a command line may hold any bytes */
  put(w, o, key, json_string(xmlCheckUTF8((const xmlChar *)s) ? s : "(not UTF-8)"));
}

static json_t *number(double x) { return isfinite(x) ? json_real(x) : json_null(); }

static void append(writer *w, json_t *array, json_t *v)
{
  if (json_array_append_new(array, v) < 0) w->bad = 1;
}

static json_t *parameters(writer *w, const ns_result_meta *m)
{
  json_t *all = json_array();
  for (int i = 0; i < m->nparameters; i++) {
    const ns_parameter *p = &m->parameters[i];
    json_t *o = json_object();
    put_text(w, o, "name", p->name);
    put(w, o, "value", number(p->value));
    put_text(w, o, "unit", p->unit);
    put_text(w, o, "help", p->help);
    if (p->overridden) put(w, o, "overridden", json_true());
    append(w, all, o);
  }
  return all;
}

static json_t *sources(writer *w, const ns_result_meta *m)
{
  json_t *all = json_array();
  for (int i = 0; i < m->nsources; i++) {
    json_t *o = json_object();
    put_text(w, o, "path", m->sources[i].path);
    put_text(w, o, "sha256", m->sources[i].sha256);
    append(w, all, o);
  }
  return all;
}

static json_t *provenance(writer *w, const ns_provenance *p)
{
  json_t *o = json_object();
  put_text(w, o, "version", p->version);
  put_text(w, o, "command", p->command);
  put_text(w, o, "host", p->host);
  put_text(w, o, "user", p->user);
  put_text(w, o, "started", p->started);
  put_text(w, o, "finished", p->finished);
  put_text(w, o, "libraries", p->libraries);
  put_text(w, o, "status", p->status);
  put_text(w, o, "message", p->message);
  if (p->finished) {
    put(w, o, "exit", json_integer(p->exit));
    put(w, o, "wall", number(p->wall));
  }
  return o;
}

static json_t *certificate(writer *w, const ns_result_meta *m)
{
  json_t *o = json_object();
  for (const ns_cert_field *f = ns_cert_fields(m->first_order); f->name; f++) {
    double x = ns_cert_get(f, &m->certificate);
    if (!ns_cert_shown(f, &m->certificate)) continue;
    put(w, o, f->name, f->kind == NS_CERT_DOUBLE ? number(x) : json_integer((json_int_t)x));
  }
  return o;
}

static json_t *numbers(writer *w, const double *x, int n)
{
  json_t *all = json_array();
  for (int i = 0; i < n; i++) append(w, all, number(x[i]));
  return all;
}

static void put_samples(writer *w, json_t *o, const ns_result_meta *m, int k, int n)
{
  double *x = malloc((2 * (size_t)n + 1) * sizeof *x);
  if (!x) {
    w->bad = 1;
    return;
  }
  ns_result_measure_samples(m, k, x, x + n);
  put(w, o, "values", numbers(w, x, n));
  put(w, o, "times", numbers(w, x + n, n));
  free(x);
}

static json_t *measures(writer *w, const ns_result_meta *m)
{
  json_t *all = json_object();
  for (int k = 0; k < m->nmeasures; k++) {
    ns_measured s;
    json_t *o = json_object();
    ns_result_measure_get(m, k, &s);
    put_text(w, o, "kind", s.kind);
    put(w, o, "value", number(s.value));
    put_text(w, o, "undefined", s.why);
    put_text(w, o, "unit", s.unit);
    put_text(w, o, "help", s.help);
    if (!isnan(s.time)) put(w, o, "time", number(s.time));
    if (s.samples >= 0) put_samples(w, o, m, k, s.samples);
    put(w, all, s.id, o);
  }
  return all;
}

static void put_extent(writer *w, json_t *root, const ns_result_extent *x)
{
  json_t *kinds = json_object();
  put(w, root, "first", number(x->first));
  put(w, root, "last", number(x->last));
  for (int k = 0; k < NS_EVENT_KINDS; k++)
    if (ns_result_extent_shows(x, k))
      put(w, kinds, ns_event_text((ns_event_kind)k), json_integer((json_int_t)x->events[k]));
  put(w, root, "events_by_kind", kinds);
}

/* ---- writing the channels: a scene has millions of labels, written without a tree ------------ */

/* Where the text goes; nothing more goes there after a failure. */
typedef struct stream {
  ns_json_put put;
  void *to;
  int bad, first; /* the next member or item is the first one */
} stream;

static void put_bytes(stream *o, const char *s, size_t n)
{
  if (!o->bad && n && o->put(s, n, o->to) != 0) o->bad = 1;
}

static void put_plain(stream *o, const char *s) { put_bytes(o, s, strlen(s)); }

/* As jansson writes it; what is no UTF-8, as put_text does. */
static void put_string(stream *o, const char *s)
{
  if (!xmlCheckUTF8((const xmlChar *)s)) s = "(not UTF-8)";
  put_plain(o, "\"");
  for (;;) {
    size_t n = 0;
    while ((unsigned char)s[n] >= 0x20 && s[n] != '"' && s[n] != '\\') n++;
    put_bytes(o, s, n);
    char c = s[n], text[16];
    if (!c) break;
    static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
    const char *at = strchr(from, c);
    if (at) snprintf(text, sizeof text, "\\%c", to[at - from]);
    else snprintf(text, sizeof text, "\\u%04X", (unsigned)c);
    put_plain(o, text);
    s += n + 1;
  }
  put_plain(o, "\"");
}

/* Begin the next member or item, at this depth. */
static void begin_next(stream *o, int depth)
{
  put_plain(o, o->first ? "\n" : ",\n");
  for (int k = 0; k < depth; k++) put_plain(o, " ");
  o->first = 0;
}

static void put_member(stream *o, const char *key, const char *s)
{
  if (!s) return;
  begin_next(o, 3);
  put_string(o, key);
  put_plain(o, ": ");
  put_string(o, s);
}

static void put_texts(stream *o, const char *key, const char *const *s, int n)
{
  if (!s) return;
  begin_next(o, 3);
  put_string(o, key);
  put_plain(o, n ? ": [" : ": []");
  o->first = 1;
  for (int i = 0; i < n; i++) {
    begin_next(o, 4);
    put_string(o, s[i] ? s[i] : "");
  }
  if (n) put_plain(o, "\n   ]");
  o->first = 0;
}

static void put_channel(stream *o, const ns_channel *ch)
{
  begin_next(o, 2);
  put_plain(o, "{");
  o->first = 1;
  put_member(o, "path", ch->path);
  put_member(o, "unit", ch->unit);
  put_texts(o, "units", ch->units, ch->ncol);
  put_member(o, "help", ch->help);
  put_member(o, "kind", ns_course_text(ch->course));
  put_texts(o, "labels", ch->labels, ch->ncol);
  put_texts(o, "names", ch->names, ch->ncol);
  if (ch->vector) {
    begin_next(o, 3);
    put_plain(o, "\"vector\": true");
  }
  put_plain(o, "\n  }");
  o->first = 0;
}

/* The last member of the object. */
static void put_channels(stream *o, const ns_result_meta *m)
{
  put_plain(o, ",\n \"channels\": [");
  o->first = 1;
  for (int i = 0; i < m->nchannels; i++) put_channel(o, &m->channels[i]);
  put_plain(o, m->nchannels ? "\n ]\n}" : "]\n}");
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* A text that grows. jansson's own, in json_dumps, drops pieces where memory ends. */
typedef struct growing {
  char *text;
  size_t n, cap;
} growing;

static int grow(const char *s, size_t n, void *to)
{
  growing *g = to;
  if (g->n + n + 1 > g->cap) {
    size_t cap = 2 * (g->n + n + 1);
    char *p = realloc(g->text, cap);
    if (!p) return -1;
    g->text = p;
    g->cap = cap;
  }
  memcpy(g->text + g->n, s, n);
  g->n += n;
  g->text[g->n] = 0;
  return 0;
}

/* All but the channels. < 0: out of memory. */
static int put_rest(const ns_result_meta *m, const ns_result_extent *x, growing *g)
{
  writer w = {0};
  json_t *root = json_object(), *model = json_object();
  put_text(&w, root, "format", m->format);
  put_text(&w, model, "name", m->name);
  put_text(&w, model, "title", m->title);
  put(&w, model, "t0", number(m->t0));
  put(&w, model, "T", number(m->T));
  put(&w, model, "h", number(m->h));
  put(&w, model, "parameters", parameters(&w, m));
  put(&w, model, "sources", sources(&w, m));
  put(&w, root, "model", model);
  put(&w, root, "provenance", provenance(&w, &m->provenance));
  if (m->has_certificate) put(&w, root, "certificate", certificate(&w, m));
  if (m->nmeasures) put(&w, root, "measures", measures(&w, m));
  put(&w, root, "rows", json_integer((json_int_t)m->nrows));
  put(&w, root, "events", json_integer((json_int_t)m->nevents));
  if (m->ncontact_rows) put(&w, root, "contacts", json_integer((json_int_t)m->ncontacts));
  if (x) put_extent(&w, root, x);
  if (!w.bad)
    w.bad = json_dump_callback(root, grow, g, JSON_INDENT(1) | JSON_REAL_PRECISION(17)) != 0;
  json_decref(root);
  return w.bad ? -1 : 0;
}

int ns_result_meta_write(const ns_result_meta *m, const ns_result_extent *x, ns_json_put write,
                         void *to)
{
  static const char end[] = "\n}";
  growing rest = {0};
  stream o = {.put = write, .to = to};
  o.bad = put_rest(m, x, &rest) < 0;
  if (!o.bad) put_bytes(&o, rest.text, rest.n - strlen(end));
  put_channels(&o, m);
  free(rest.text);
  return o.bad ? -1 : 0;
}

char *ns_result_meta_json(const ns_result_meta *m, const ns_result_extent *x)
{
  growing g = {0};
  if (ns_result_meta_write(m, x, grow, &g) == 0) return g.text;
  free(g.text);
  return NULL;
}

/* ---- reading: what is missing stays NULL or zero --------------------------------------------- */

typedef struct reader {
  ns_arena *a;
  int bad; /* out of memory */
} reader;

static const char *get_text(reader *r, const json_t *o, const char *key)
{
  const char *s = json_string_value(json_object_get(o, key));
  if (!s) return NULL;
  s = ns_arena_text(r->a, s);
  if (!s) r->bad = 1;
  return s;
}

static double get_number(const json_t *o, const char *key)
{
  const json_t *v = json_object_get(o, key);
  return json_is_number(v) ? json_number_value(v) : NAN;
}

static void *get_array(reader *r, const json_t *v, size_t size, int *n)
{
  size_t len = json_array_size(v);
  void *p = ns_arena_zero(r->a, len, size);
  if (!p) r->bad = 1;
  *n = p ? (int)len : 0;
  return p;
}

static void read_model(reader *r, const json_t *o, ns_result_meta *m)
{
  m->name = get_text(r, o, "name");
  m->title = get_text(r, o, "title");
  m->t0 = get_number(o, "t0");
  m->T = get_number(o, "T");
  m->h = get_number(o, "h");
  const json_t *list = json_object_get(o, "parameters");
  ns_parameter *p = get_array(r, list, sizeof *p, &m->nparameters);
  for (int i = 0; i < m->nparameters; i++) {
    const json_t *e = json_array_get(list, (size_t)i);
    const char *name = get_text(r, e, "name");
    p[i] = (ns_parameter){.name = name ? name : "",
                          .unit = get_text(r, e, "unit"),
                          .help = get_text(r, e, "help"),
                          .value = get_number(e, "value"),
                          .overridden = json_is_true(json_object_get(e, "overridden"))};
  }
  m->parameters = p;
  list = json_object_get(o, "sources");
  ns_source *s = get_array(r, list, sizeof *s, &m->nsources);
  for (int i = 0; i < m->nsources; i++) {
    const json_t *e = json_array_get(list, (size_t)i);
    const char *sha = json_string_value(json_object_get(e, "sha256"));
    s[i].path = get_text(r, e, "path");
    if (!s[i].path) s[i].path = "";
    if (sha) strncpy(s[i].sha256, sha, sizeof s[i].sha256 - 1);
  }
  m->sources = s;
}

static void read_provenance(reader *r, const json_t *o, ns_provenance *p)
{
  p->version = get_text(r, o, "version");
  p->command = get_text(r, o, "command");
  p->host = get_text(r, o, "host");
  p->user = get_text(r, o, "user");
  p->started = get_text(r, o, "started");
  p->finished = get_text(r, o, "finished");
  p->libraries = get_text(r, o, "libraries");
  p->status = get_text(r, o, "status");
  p->message = get_text(r, o, "message");
  p->exit = (int)json_integer_value(json_object_get(o, "exit"));
  p->wall = get_number(o, "wall");
}

static const char *const *read_texts(reader *r, const json_t *list, int *n)
{
  const char **s = get_array(r, list, sizeof *s, n);
  for (int i = 0; i < *n; i++) {
    const char *x = json_string_value(json_array_get(list, (size_t)i));
    s[i] = ns_arena_text(r->a, x ? x : "");
    if (!s[i]) r->bad = 1;
  }
  return s;
}

static const double *read_numbers(reader *r, const json_t *list)
{
  int n;
  double *x = get_array(r, list, sizeof *x, &n);
  for (int i = 0; i < n; i++) {
    const json_t *v = json_array_get(list, (size_t)i);
    x[i] = json_is_number(v) ? json_number_value(v) : NAN;
  }
  return x;
}

static void read_measures(reader *r, json_t *o, ns_result_meta *m)
{
  const char *id;
  json_t *e;
  ns_result_measure *s = ns_arena_zero(r->a, json_object_size(o) + 1, sizeof *s);
  if (!s) r->bad = 1;
  m->measures = s;
  if (!s) return;
  json_object_foreach(o, id, e)
  {
    const json_t *values = json_object_get(e, "values"), *times = json_object_get(e, "times");
    size_t n = json_array_size(values);
    ns_measured *k = &s[m->nmeasures].m;
    const char *kind = get_text(r, e, "kind");
    *k = (ns_measured){.id = ns_arena_text(r->a, id),
                       .kind = kind ? kind : "",
                       .unit = get_text(r, e, "unit"),
                       .help = get_text(r, e, "help"),
                       .why = get_text(r, e, "undefined"),
                       .value = get_number(e, "value"),
                       .time = get_number(e, "time"),
                       .samples = values && n == json_array_size(times) ? (int)n : -1};
    if (k->samples >= 0) {
      s[m->nmeasures].sample = read_numbers(r, values);
      s[m->nmeasures].time = read_numbers(r, times);
    }
    if (!k->id) r->bad = 1;
    else m->nmeasures++;
  }
}

static void read_channels(reader *r, const json_t *list, ns_result_meta *m)
{
  ns_channel *ch = get_array(r, list, sizeof *ch, &m->nchannels);
  for (int i = 0; i < m->nchannels; i++) {
    const json_t *e = json_array_get(list, (size_t)i), *names = json_object_get(e, "names"),
                 *units = json_object_get(e, "units");
    int n = 0, nunits = 0;
    ch[i].path = get_text(r, e, "path");
    ch[i].unit = get_text(r, e, "unit");
    ch[i].help = get_text(r, e, "help");
    ch[i].course = ns_course_find(get_text(r, e, "kind"));
    ch[i].labels = read_texts(r, json_object_get(e, "labels"), &ch[i].ncol);
    if (names) ch[i].names = read_texts(r, names, &n);
    if (n != ch[i].ncol) ch[i].names = NULL;
    if (units) ch[i].units = read_texts(r, units, &nunits);
    if (nunits != ch[i].ncol) ch[i].units = NULL;
    ch[i].vector = json_is_true(json_object_get(e, "vector"));
    ch[i].col = m->ncols;
    m->ncols += (size_t)ch[i].ncol;
    if (!ch[i].path) ch[i].path = "";
  }
  m->channels = ch;
}

int ns_result_meta_parse(ns_ctx *c, const char *path, const char *text, size_t n, ns_arena *a,
                         ns_result_meta *m)
{
  json_error_t err;
  json_t *root = json_loadb(text, n, 0, &err);
  reader r = {a, 0};
  *m = (ns_result_meta){0};
  if (!root) return ns_fail(c, NS_NOINPUT, "%s:%d: not JSON: %s", path, err.line, err.text);
  m->format = get_text(&r, root, "format");
  if (m->format && strcmp(m->format, NS_OUTPUT_FORMAT) == 0) {
    read_model(&r, json_object_get(root, "model"), m);
    read_provenance(&r, json_object_get(root, "provenance"), &m->provenance);
    m->nrows = (size_t)json_integer_value(json_object_get(root, "rows"));
    m->nevents = (size_t)json_integer_value(json_object_get(root, "events"));
    const json_t *cert = json_object_get(root, "certificate");
    m->has_certificate = json_is_object(cert);
    m->first_order = json_object_get(cert, "switches") != NULL;
    for (const ns_cert_field *f = ns_cert_fields(m->first_order); m->has_certificate && f->name;
         f++) {
      double x = f->optional && !json_object_get(cert, f->name) ? 0 : get_number(cert, f->name);
      if (isfinite(x) || f->kind == NS_CERT_DOUBLE) ns_cert_set(f, &m->certificate, x);
    }
    read_measures(&r, json_object_get(root, "measures"), m);
    read_channels(&r, json_object_get(root, "channels"), m);
  } else {
    m->format = NULL;
  }
  json_decref(root);
  if (r.bad) return ns_nomem(c, "companion file of a CSV output");
  if (!m->format)
    return ns_fail(c, NS_NOINPUT, "%s: not a companion file of an output: no \"format\": \"%s\"",
                   path, NS_OUTPUT_FORMAT);
  return NS_OK;
}
