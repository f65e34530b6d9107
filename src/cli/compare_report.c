/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/compare_report.h"

#include "io/textfile.h"

#include <libxml/xmlwriter.h>

/* ---- JSON ------------------------------------------------------------------------------------ */

static ns_json finding_json(const ns_compare_finding *f)
{
  char buf[1300];
  return ns_json_of(NS_JSON_TEXT("kind", ns_compare_kind_text(f->kind)),
                    NS_JSON_TEXT("quantity", f->quantity), NS_JSON_REAL("time", f->t),
                    NS_JSON_REAL("a", f->a), NS_JSON_REAL("b", f->b),
                    NS_JSON_REAL("difference", f->difference),
                    NS_JSON_REAL("tolerance", f->tolerance), NS_JSON_REAL("ratio", f->ratio),
                    NS_JSON_TEXT("text", ns_compare_sentence(f, buf, sizeof buf)));
}

static ns_json quantity_json(const ns_compare_quantity *q)
{
  static const char *const how[] = {
      [NS_COMPARE_ROWS] = "rows", [NS_COMPARE_SUMS] = "sums", [NS_COMPARE_NOT] = "none"};
  ns_json o = ns_json_of(NS_JSON_TEXT("label", q->label), NS_JSON_TEXT("label_a", q->label_a),
                         NS_JSON_TEXT("unit", q->unit), NS_JSON_FLAG("same", !q->differ),
                         NS_JSON_TEXT("compared", how[q->how]),
                         NS_JSON_INTEGER("rows", (long long)q->rows),
                         NS_JSON_INTEGER("skipped", (long long)q->skipped),
                         NS_JSON_INTEGER("differ", (long long)q->differ));
  if (q->differ) ns_json_member(&o, "first", finding_json(&q->first));
  if (q->worst.quantity) ns_json_member(&o, "worst", finding_json(&q->worst));
  return o;
}

static void put_report(ns_json *o, const ns_compare_report *r)
{
  ns_json findings = ns_json_array(), quantities = ns_json_array(), notes = ns_json_array();
  ns_json_put(o, NS_JSON_REAL("end", r->end), NS_JSON_INTEGER("rows", (long long)r->rows),
              NS_JSON_INTEGER("rows_a", (long long)r->rows_a),
              NS_JSON_INTEGER("rows_b", (long long)r->rows_b),
              NS_JSON_INTEGER("events", (long long)r->events),
              NS_JSON_INTEGER("events_left", (long long)r->events_left),
              NS_JSON_INTEGER("quantities_compared", (long long)r->ncompared),
              NS_JSON_INTEGER("quantities_different", (long long)r->ndiffer));
  if (r->first && !r->same) ns_json_member(o, "first", finding_json(r->first));
  if (r->worst) ns_json_member(o, "worst", finding_json(r->worst));
  for (size_t i = 0; i < r->nfindings; i++) ns_json_add(&findings, finding_json(&r->findings[i]));
  for (size_t i = 0; i < r->nquantities; i++)
    ns_json_add(&quantities, quantity_json(&r->quantities[i]));
  for (size_t i = 0; i < r->nnotes; i++) ns_json_add_text(&notes, r->notes[i]);
  ns_json_put(o, NS_JSON_MEMBER("findings", findings),
              NS_JSON_INTEGER("findings_all", (long long)r->nfindings_all),
              NS_JSON_MEMBER("quantities", quantities), NS_JSON_MEMBER("notes", notes));
}

ns_json ns_compared_json(const ns_compared *x, const ns_compare_options *o)
{
  ns_json j = ns_json_of(
      NS_JSON_TEXT("a", x->a), NS_JSON_TEXT("b", x->b),
      NS_JSON_FLAG("same", !x->rc && x->report.same),
      NS_JSON_INTEGER("status", x->rc ? ns_status_exit(x->rc)
                                      : ns_status_exit(x->report.same ? NS_OK : NS_DIFFER)));
  if (x->rc) ns_json_text(&j, "message", x->message);
  ns_json_put(&j, NS_JSON_REAL("rtol", o->rtol), NS_JSON_REAL("atol", o->atol),
              NS_JSON_REAL("time_tol", o->time_tol), NS_JSON_REAL("until", o->until));
  if (!x->rc) put_report(&j, &x->report);
  return j;
}

/* ---- JUnit ----------------------------------------------------------------------------------- */

/* A writer's calls give -1 when memory ends; `bad` collects. */
typedef struct junit {
  xmlTextWriterPtr w;
  int bad;
} junit;

static void attribute(junit *j, const char *name, const char *value)
{
  char text[1400];
  snprintf(text, sizeof text, "%s", xmlCheckUTF8((const xmlChar *)value) ? value : "(not UTF-8)");
  for (char *s = text; *s; s++) /* XML has no control characters */
    if ((unsigned char)*s < ' ') *s = ' ';
  /* cut within a letter */
  if (!xmlCheckUTF8((const xmlChar *)text)) snprintf(text, sizeof text, "(long text)");
  j->bad |= xmlTextWriterWriteAttribute(j->w, (const xmlChar *)name, (const xmlChar *)text) < 0;
}

static void count(junit *j, const char *name, size_t n)
{
  char buf[32];
  snprintf(buf, sizeof buf, "%zu", n);
  attribute(j, name, buf);
}

static void begin(junit *j, const char *name)
{
  j->bad |= xmlTextWriterStartElement(j->w, (const xmlChar *)name) < 0;
}
static void end(junit *j) { j->bad |= xmlTextWriterEndElement(j->w) < 0; }

/* One case; verdict "failure", "error", "skipped" with its sentence, or NULL. */
static void testcase(junit *j, const char *file, const char *name, const char *verdict,
                     const char *text)
{
  begin(j, "testcase");
  attribute(j, "classname", file);
  attribute(j, "name", name);
  if (verdict) {
    begin(j, verdict);
    attribute(j, "message", text);
    end(j);
  }
  end(j);
}

/* Findings of the run as a whole, or of its events; missing quantities are cases of their own. */
static void group(junit *j, const ns_compared *x, const char *name, int events)
{
  char buf[1300];
  const ns_compare_finding *f = NULL;
  for (size_t i = 0; i < x->report.nfindings && !f; i++) {
    const ns_compare_finding *g = &x->report.findings[i];
    int is = g->kind == NS_COMPARE_EVENT
                 ? events
                 : !events && g->kind != NS_COMPARE_MISSING && g->kind != NS_COMPARE_UNIT;
    if (is) f = g;
  }
  testcase(j, x->name, name, f ? "failure" : NULL,
           f ? ns_compare_sentence(f, buf, sizeof buf) : "");
}

static void put_cases(junit *j, const ns_compared *x)
{
  char buf[1300];
  const ns_compare_report *r = &x->report;
  group(j, x, "run", 0);
  group(j, x, "events", 1);
  for (size_t i = 0; i < r->nfindings; i++) {
    const ns_compare_finding *f = &r->findings[i];
    if (f->kind == NS_COMPARE_MISSING || f->kind == NS_COMPARE_UNIT)
      testcase(j, x->name, f->quantity, "failure", ns_compare_sentence(f, buf, sizeof buf));
  }
  for (size_t i = 0; i < r->nquantities; i++) {
    const ns_compare_quantity *q = &r->quantities[i];
    if (q->how == NS_COMPARE_NOT) testcase(j, x->name, q->label, "skipped", "not compared");
    else
      testcase(j, x->name, q->label, q->differ ? "failure" : NULL,
               q->differ ? ns_compare_sentence(&q->worst, buf, sizeof buf) : "");
  }
}

typedef struct counts {
  size_t tests, failures, errors, skipped;
} counts;

static counts count_cases(const ns_compared *x)
{
  counts n = {1, x->rc == NS_DIFFER, x->rc && x->rc != NS_DIFFER, 0};
  const ns_compare_report *r = &x->report;
  int run = 0, events = 0;
  if (x->rc) return n;
  n.tests = 2 + r->nquantities;
  for (size_t i = 0; i < r->nfindings; i++) {
    ns_compare_kind k = r->findings[i].kind;
    int own = k == NS_COMPARE_MISSING || k == NS_COMPARE_UNIT;
    n.tests += (size_t)own;
    n.failures += (size_t)own;
    events |= k == NS_COMPARE_EVENT;
    run |= !own && k != NS_COMPARE_EVENT;
  }
  n.failures += (size_t)(run + events) + r->ndiffer;
  for (size_t i = 0; i < r->nquantities; i++) n.skipped += r->quantities[i].how == NS_COMPARE_NOT;
  return n;
}

static void put_suite(junit *j, const ns_compared *x)
{
  counts n = count_cases(x);
  begin(j, "testsuite");
  attribute(j, "name", x->name);
  count(j, "tests", n.tests);
  count(j, "failures", n.failures);
  count(j, "errors", n.errors);
  count(j, "skipped", n.skipped);
  if (x->rc) testcase(j, x->name, "run", x->rc == NS_DIFFER ? "failure" : "error", x->message);
  else put_cases(j, x);
  end(j);
}

static int write_file(ns_ctx *c, const char *path, const xmlBuffer *text)
{
  ns_textfile f;
  int rc = ns_textfile_open(c, path, &f);
  if (rc) return rc;
  rc = ns_textfile_truncate(&f, c);
  if (!rc) rc = ns_textfile_puts(&f, c, (const char *)xmlBufferContent(text));
  int last = ns_textfile_close(&f, c);
  return rc ? rc : last;
}

int ns_compared_junit(ns_ctx *c, const ns_compared *x, size_t n, const char *path)
{
  xmlBufferPtr text = xmlBufferCreate();
  junit j = {.w = text ? xmlNewTextWriterMemory(text, 0) : NULL};
  int rc = j.w ? NS_OK : ns_nomem(c, "JUnit report");
  if (!rc) {
    xmlTextWriterSetIndent(j.w, 1);
    j.bad |= xmlTextWriterStartDocument(j.w, NULL, "UTF-8", NULL) < 0;
    begin(&j, "testsuites");
    for (size_t i = 0; i < n; i++) put_suite(&j, &x[i]);
    end(&j);
    j.bad |= xmlTextWriterEndDocument(j.w) < 0;
    if (j.bad) rc = ns_nomem(c, "JUnit report");
  }
  if (j.w) xmlFreeTextWriter(j.w);
  if (!rc) rc = write_file(c, path, text);
  if (text) xmlBufferFree(text);
  return rc;
}
