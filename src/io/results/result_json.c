/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/results/result_meta.h"

#include "base/grow.h"
#include "io/json.h"

#include <libxml/xmlstring.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing --------------------------------------------------------------------------------- */

/* No member where there is no text. A path or a command line may hold any bytes. */
static ns_json_field text_field(const char *key, const char *s)
{
  if (!s) return (ns_json_field){.kind = NS_JSON_ABSENT};
  return NS_JSON_TEXT(key, xmlCheckUTF8((const xmlChar *)s) ? s : "(not UTF-8)");
}

static ns_json parameters(const ns_result_meta *m)
{
  ns_json all = ns_json_array();
  for (int i = 0; i < m->nparameters; i++) {
    const ns_parameter *p = &m->parameters[i];
    ns_json o = ns_json_of(text_field("name", p->name), NS_JSON_REAL("value", p->value),
                           text_field("unit", p->unit), text_field("help", p->help));
    if (p->overridden) ns_json_flag(&o, "overridden", 1);
    ns_json_add(&all, o);
  }
  return all;
}

static ns_json sources(const ns_result_meta *m)
{
  ns_json all = ns_json_array();
  for (int i = 0; i < m->nsources; i++)
    ns_json_add(&all, ns_json_of(text_field("path", m->sources[i].path),
                                 text_field("sha256", m->sources[i].sha256)));
  return all;
}

static ns_json provenance(const ns_provenance *p)
{
  ns_json o = ns_json_object();
  for (const ns_provenance_text *f = ns_provenance_texts; f->name; f++)
    ns_json_put(&o, text_field(f->name, ns_provenance_get(f, p)));
  if (p->finished) ns_json_put(&o, NS_JSON_INTEGER("exit", p->exit), NS_JSON_REAL("wall", p->wall));
  return o;
}

static ns_json certificate(const ns_result_meta *m)
{
  ns_json o = ns_json_object();
  for (const ns_cert_field *f = ns_cert_fields(m->first_order); f->name; f++) {
    double x = ns_cert_get(f, &m->certificate);
    if (!ns_cert_shown(f, &m->certificate)) continue;
    if (f->kind == NS_CERT_DOUBLE) ns_json_real(&o, f->name, x);
    else ns_json_integer(&o, f->name, (long long)x);
  }
  return o;
}

static void put_samples(ns_json *o, const ns_result_meta *m, int k, int n)
{
  double *x = malloc((2 * (size_t)n + 1) * sizeof *x);
  if (!x) {
    o->lost = 1;
    return;
  }
  ns_result_measure_samples(m, k, x, x + n);
  ns_json_put(o, NS_JSON_MEMBER("values", ns_json_reals(x, n)),
              NS_JSON_MEMBER("times", ns_json_reals(x + n, n)));
  free(x);
}

static ns_json measures(const ns_result_meta *m)
{
  ns_json all = ns_json_object();
  for (int k = 0; k < m->nmeasures; k++) {
    ns_measured s;
    ns_result_measure_get(m, k, &s);
    ns_json o = ns_json_of(text_field("kind", s.kind), NS_JSON_REAL("value", s.value),
                           text_field("undefined", s.why), text_field("unit", s.unit),
                           text_field("help", s.help));
    if (!isnan(s.time)) ns_json_real(&o, "time", s.time);
    if (s.samples >= 0) put_samples(&o, m, k, s.samples);
    ns_json_member(&all, s.id, o);
  }
  return all;
}

static void put_extent(ns_json *root, const ns_result_extent *x)
{
  ns_json kinds = ns_json_object();
  for (int k = 0; k < NS_EVENT_KINDS; k++)
    if (ns_result_extent_shows(x, k))
      ns_json_integer(&kinds, ns_event_text((ns_event_kind)k), (long long)x->events[k]);
  ns_json_put(root, NS_JSON_REAL("first", x->first), NS_JSON_REAL("last", x->last),
              NS_JSON_MEMBER("events_by_kind", kinds));
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

/* To an ns_buffer. jansson's own, in json_dumps, drops pieces where memory ends. */
static int grow(const char *s, size_t n, void *to)
{
  ns_buffer *b = to;
  ns_buffer_put(b, s, n);
  return b->lost ? -1 : 0;
}

/* All but the channels. < 0: out of memory. */
static int put_rest(const ns_result_meta *m, const ns_result_extent *x, ns_buffer *g)
{
  ns_json model = ns_json_of(text_field("name", m->name), text_field("title", m->title),
                             NS_JSON_REAL("t0", m->t0), NS_JSON_REAL("T", m->T),
                             NS_JSON_REAL("h", m->h), NS_JSON_MEMBER("parameters", parameters(m)),
                             NS_JSON_MEMBER("sources", sources(m)));
  ns_json root = ns_json_of(text_field("format", m->format), NS_JSON_MEMBER("model", model),
                            NS_JSON_MEMBER("provenance", provenance(&m->provenance)));
  if (m->has_certificate) ns_json_member(&root, "certificate", certificate(m));
  if (m->nmeasures) ns_json_member(&root, "measures", measures(m));
  ns_json_put(&root, NS_JSON_INTEGER("rows", (long long)m->nrows),
              NS_JSON_INTEGER("events", (long long)m->nevents));
  if (m->ncontact_rows) ns_json_integer(&root, "contacts", (long long)m->ncontacts);
  if (x) put_extent(&root, x);
  size_t how = JSON_INDENT(1) | JSON_REAL_PRECISION(17);
  int bad = root.lost || json_dump_callback(root.value, grow, g, how) != 0;
  json_decref(root.value);
  return bad ? -1 : 0;
}

int ns_result_meta_write(const ns_result_meta *m, const ns_result_extent *x, ns_json_put write,
                         void *to)
{
  static const char end[] = "\n}";
  ns_buffer rest = {0};
  stream o = {.put = write, .to = to};
  o.bad = put_rest(m, x, &rest) < 0;
  if (!o.bad) put_bytes(&o, rest.s, rest.n - strlen(end));
  put_channels(&o, m);
  free(rest.s);
  return o.bad ? -1 : 0;
}

char *ns_result_meta_json(const ns_result_meta *m, const ns_result_extent *x)
{
  ns_buffer g = {0};
  if (ns_result_meta_write(m, x, grow, &g) == 0) return g.s;
  free(g.s);
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
  for (const ns_provenance_text *f = ns_provenance_texts; f->name; f++)
    ns_provenance_set(f, p, get_text(r, o, f->name));
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
