/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/load/xml.h"

#include "model/language/language.h"

#include <ctype.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define EXPECTED "expected a %s that begins <%s xmlns=\"" NS_LANG_NAMESPACE "\">"

/* The first complaint about a text. */
typedef struct complaint {
  int line, doctype, nomem;
  int netlist; /* the last element that began is a netlist */
  char what[256];
  const char *limit;            /* which limit was met, NULL: none */
  startElementNsSAX2Func start; /* libxml2's own */
  long elements;
  int names; /* in the dictionary before */
  const ns_ctx *c;
  long bytes; /* of the text */
} complaint;

/* More are no model: libxml2's time grows with the square of the attributes of an element, and each
 * name is kept. */
enum { MAX_ATTRIBUTES = 256, MAX_NAMES = 20000, MAX_SHOWN = 64 };

/* libxml2's sentence as a part of ours: first letter small, no line ends. */
static void keep(complaint *k, const xmlError *e)
{
  if (*k->what || k->doctype || !e || e->level < XML_ERR_ERROR) return;
  if (e->code == XML_ERR_NO_MEMORY) k->nomem = 1;
  k->line = e->line;
  const char *m = e->message ? e->message : "";
  if (e->code == XML_ERR_INTERNAL_ERROR && strstr(m, "depth"))
    m = "elements nested more than 256 deep";
  if (strstr(m, "Huge input lookup") || strstr(m, "huge text node"))
    m = "a text of more than 10 MB, expected smaller ones; keep large matrices in files";
  if (strstr(m, "xmlSAX2Characters: huge"))
    m = "a text of more than 10 MB; keep large matrices in files";
  size_t n = 0;
  for (; *m && n + 1 < sizeof k->what; m++) k->what[n++] = iscntrl((unsigned char)*m) ? ' ' : *m;
  while (n && k->what[n - 1] == ' ') n--;
  k->what[n] = 0;
  if (isupper((unsigned char)k->what[0]) && islower((unsigned char)k->what[1]))
    k->what[0] = (char)tolower((unsigned char)k->what[0]);
}

/* Errors of a parser arrive with the parser as data, others (of converters) with our record. */
static void on_parser_error(void *parser, xmlErrorPtr e)
{
  xmlParserCtxt *p = e && e->ctxt ? e->ctxt : parser; /* for want of memory it calls without data */
  if (p && p->_private) keep(p->_private, e);
}

static void on_other_error(void *record, xmlErrorPtr e) { keep(record, e); }

/* Called when the DOCTYPE has been read, before what is in it. */
static void on_doctype(void *parser, const xmlChar *name, const xmlChar *id, const xmlChar *system)
{
  xmlParserCtxt *p = parser;
  complaint *k = p->_private;
  (void)name, (void)id, (void)system;
  k->doctype = 1;
  k->line = p->input ? p->input->line : 0;
  xmlStopParser(p);
}

static int refuse(ns_ctx *c, const char *name, const char *root, const complaint *k)
{
  if (k->nomem) return ns_nomem(c, "XML document");
  if (k->doctype)
    return ns_fail(c, NS_MODEL,
                   "%s:%d: a DOCTYPE is not allowed in a %s (it could name other files), expected "
                   "none; remove it, and write &lt; and &amp; for < and &",
                   name, k->line, root);
  if (k->limit)
    return ns_fail(
        c, NS_MODEL,
        "%s:%d: %s, expected a %s: keep tables in files, and write many bodies as <repeat>", name,
        k->line, k->limit, root);
  const char *remedy = "";
  if (strstr(k->what, "prefix xi "))
    remedy = "; write xmlns:xi=\"" NS_LANG_XINCLUDE "\" on <model>";
  if (strstr(k->what, "invalid element name") || strstr(k->what, "nescaped '<'") ||
      (k->netlist && strstr(k->what, "parsing attribute name")))
    remedy = k->netlist ? "; in a netlist write &lt; for <, or keep it in a separate file: "
                          "<netlist file=\"...\">"
                        : "; in a formula write &lt; for <";
  if (strstr(k->what, "EntityRef")) remedy = "; write &amp; for &";
  if (strstr(k->what, "not proper UTF-8"))
    remedy = "; save it in UTF-8, or begin it with <?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>";
  if (strstr(k->what, "ouble hyphen within comment"))
    remedy = "; between <!-- and --> write - for --";
  if (strstr(k->what, "allowed only at the start"))
    remedy = "; remove what is before <?xml, even blanks and empty lines";
  if (strstr(k->what, "attributes construct error"))
    remedy = "; a quote is missing after a value, or a blank between two attributes";
  if (strstr(k->what, "ttValue: \" or ' expected") || strstr(k->what, "mandates value"))
    remedy = "; write the value of an attribute in quotes: h=\"0.001\"";
  char open[MAX_SHOWN], close[MAX_SHOWN];
  int line;
  if (sscanf(k->what, "opening and ending tag mismatch: %63s line %d and %63s", open, &line,
             close) == 3)
    return ns_fail(c, NS_MODEL,
                   "%s:%d: </%s> ends the element <%s> of line %d, expected </%s>; close <%s>, or "
                   "correct the name",
                   name, k->line, close, open, line, open, open);
  return ns_fail(c, NS_MODEL, "%s:%d: not well-formed XML: %s%s", name, k->line,
                 *k->what ? k->what : "the document cannot be read", remedy);
}

static int looks_binary(const char *text, size_t n)
{
  const unsigned char *u = (const unsigned char *)text;
  /* UTF-16 */
  if (n >= 2 && ((u[0] == 0xff && u[1] == 0xfe) || (u[0] == 0xfe && u[1] == 0xff))) return 0;
  return memchr(text, 0, n < 4096 ? n : 4096) != NULL;
}

/* How far the parser has come, not at each element: most are read in less than a look at a clock
 * takes. */
static void tell_place(const xmlParserCtxt *p, const complaint *k)
{
  const xmlParserInput *in = p->input;
  if (in && k->elements % 256 == 0)
    ns_alive(k->c, "reading the file", (long)in->consumed + (long)(in->cur - in->base), k->bytes);
}

/* An element begins. */
static void on_element(void *parser, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                       int nspaces, const xmlChar **spaces, int nattributes, int ndefaulted,
                       const xmlChar **attributes)
{
  xmlParserCtxt *p = parser;
  complaint *k = p->_private;
  k->netlist = !strcmp((const char *)name, "netlist");
  if (nattributes > MAX_ATTRIBUTES) k->limit = "an element has more than 256 attributes";
  else if (p->dict && ++k->elements % 1024 == 0 && xmlDictSize(p->dict) > k->names + MAX_NAMES)
    k->limit = "the document has more than 20000 different names of elements and attributes";
  tell_place(p, k);
  if (!k->limit) {
    k->start(parser, name, prefix, uri, nspaces, spaces, nattributes, ndefaulted, attributes);
    return;
  }
  k->line = p->input ? p->input->line : 0;
  xmlStopParser(p);
}

/* libxml2 makes its locks at its first use: two threads that come first together would make one
 * twice and lose a copy. */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void init_once(void) { pthread_once(&once, xmlInitParser); }

int ns_xml_parse(ns_ctx *c, const char *name, const char *text, size_t n, const char *root,
                 xmlDoc **doc)
{
  *doc = NULL;
  size_t blank = 0;
  while (blank < n && isspace((unsigned char)text[blank])) blank++;
  if (blank == n) return ns_fail(c, NS_MODEL, "%s: the file is empty, " EXPECTED, name, root, root);
  if (n > 4 && !memcmp(text, "\211HDF", 4))
    return ns_fail(
        c, NS_MODEL,
        "%s: the file is HDF5, an output rather than a %s; `nssim info %s` shows its contents",
        name, root, name);
  if (looks_binary(text, n))
    return ns_fail(c, NS_MODEL, "%s: the file is not a text, " EXPECTED, name, root, root);
  if (n > INT_MAX) return ns_fail(c, NS_MODEL, "%s: the file is larger than 2 GB", name);

  complaint k = {.c = c, .bytes = (long)n};
  init_once();
  xmlParserCtxt *p = xmlNewParserCtxt();
  if (!p) return ns_nomem(c, "XML parser");
  p->_private = &k;
  p->sax->serror = on_parser_error;
  p->sax->internalSubset = on_doctype;
  k.start = p->sax->startElementNs;
  p->sax->startElementNs = on_element;
  k.names = p->dict ? xmlDictSize(p->dict) : 0;
  /* Complaints outside a parser (of converters) go to a handler of the thread. */
  xmlStructuredErrorFunc before = xmlStructuredError;
  void *before_data = xmlStructuredErrorContext;
  xmlSetStructuredErrorFunc(&k, on_other_error);
  xmlDoc *d = xmlCtxtReadMemory(p, text, (int)n, name, NULL,
                                XML_PARSE_NONET | XML_PARSE_NOCDATA | XML_PARSE_BIG_LINES);
  xmlSetStructuredErrorFunc(before_data, before);
  int bad = !d || !p->wellFormed || !p->nsWellFormed || k.doctype || k.limit || *k.what || k.nomem;
  if (bad && !k.line && p->input) k.line = p->input->line;
  xmlFreeParserCtxt(p);
  if (!bad) {
    *doc = d;
    return NS_OK;
  }
  xmlFreeDoc(d);
  return refuse(c, name, root, &k);
}

static void on_watched(void *to, xmlErrorPtr e)
{
  ns_xml_watch *w = to;
  if (e && e->level >= XML_ERR_ERROR) w->failed = 1;
}

void ns_xml_watch_begin(ns_xml_watch *w)
{
  init_once();
  *w = (ns_xml_watch){.before = xmlStructuredError, .before_data = xmlStructuredErrorContext};
  xmlSetStructuredErrorFunc(w, on_watched);
}

int ns_xml_watch_end(ns_xml_watch *w)
{
  xmlSetStructuredErrorFunc(w->before_data, w->before);
  return w->failed;
}
