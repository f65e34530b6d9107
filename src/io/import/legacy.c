/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/import/legacy.h"

#include "base/grow.h"
#include "base/text_stream.h"
#include "io/load/xml.h"
#include "model/plugin_form.h"

#include <ctype.h>
#include <libxml/parser.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ROOT "SiconosModel"

/* ---- messages and notes ---------------------------------------------------------------------- */

/* `file:line: <q0> of <LagrangianDS number="1">` */
static void place(const ns_legacy *l, const xmlNode *x, char *buf, size_t n)
{
  static const char *const names[] = {"number", "Name", "Id"};
  const xmlNode *owner = x->parent;
  xmlChar *id = NULL;
  size_t k = 0;
  for (; owner && owner->type == XML_ELEMENT_NODE; owner = owner->parent)
    for (k = 0; k < 3; k++)
      if ((id = xmlGetNoNsProp((xmlNode *)(uintptr_t)owner, BAD_CAST names[k]))) goto found;
found:
  snprintf(buf, n, "%.200s:%ld: <%.60s>", l->source->path, xmlGetLineNo((xmlNode *)(uintptr_t)x),
           ns_legacy_name(x));
  size_t used = strlen(buf);
  if (id)
    snprintf(buf + used, n - used, " of <%.60s %s=\"%.60s\">", ns_legacy_name(owner), names[k],
             (const char *)id);
  xmlFree(id);
}

int ns_legacy_fail(ns_legacy *l, const xmlNode *x, const char *fmt, ...)
{
  char at[500], what[700];
  NS_FORMAT(what, fmt);
  if (x) place(l, x, at, sizeof at);
  else snprintf(at, sizeof at, "%.200s", l->source->path);
  return ns_fail(&l->msg.c, NS_MODEL, "%s: %s", at, what);
}

static void keep_note(ns_legacy *l, const xmlNode *x, const char *text)
{
  char line[32] = "";
  if (x) snprintf(line, sizeof line, "%ld", xmlGetLineNo((xmlNode *)(uintptr_t)x));
  ns_import_add_note(&l->text, x ? line : NULL, text);
}

void ns_legacy_note_at(ns_legacy *l, const xmlNode *x, const char *fmt, ...)
{
  char what[500];
  NS_FORMAT(what, fmt);
  keep_note(l, x, what);
}

void ns_legacy_warn(ns_legacy *l, const xmlNode *x, const char *fmt, ...)
{
  char at[500], what[500];
  NS_FORMAT(what, fmt);
  place(l, x, at, sizeof at);
  ns_warn(&l->msg.c, "%s: %s", at, what);
  keep_note(l, x, what);
}

/* ---- names ----------------------------------------------------------------------------------- */

const char *ns_legacy_id(ns_legacy *l, const xmlNode *x, const char *name, const char *otherwise,
                         int number)
{
  char made[80], id[96];
  size_t n = 0;
  for (const char *s = name; *s && n + 2 < sizeof made; s++) {
    int fits = (unsigned char)*s < 128 && (isalnum((unsigned char)*s) || *s == '_' || *s == '-');
    if (!n && !isalpha((unsigned char)*s) && *s != '_') made[n++] = '_';
    if (fits) made[n++] = *s;
    else if (made[n - 1] != '_') made[n++] = '_';
  }
  made[n] = 0;
  if (!n) snprintf(made, sizeof made, "%s%d", otherwise, number);
  snprintf(id, sizeof id, "%s", made);
  for (int k = 2; ns_import_has_id(&l->text, id); k++) snprintf(id, sizeof id, "%s_%d", made, k);
  if (*name && strcmp(id, name))
    ns_legacy_note_at(l, x,
                      "\"%.60s\" is renamed to %s: names are unique and consist of letters, "
                      "digits, _ and -",
                      name, id);
  return ns_import_add_id(&l->text, id);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Whether <SiconosModel is the first element: nothing but a declaration, comments and white space
 * stand before it. With junk before the declaration it is one of ours, too: --recover skips that.
 */
static int recognises(const ns_import_source *s)
{
  const char *p = s->text, *declaration = strstr(p, "<?xml");
  if (!memcmp(p, "\357\273\277", s->n < 3 ? 0 : 3)) p += 3;
  if (declaration) p = declaration;
  for (;;) {
    const char *end;
    while (isspace((unsigned char)*p)) p++;
    if (!strncmp(p, "<?", 2)) end = strstr(p, "?>");
    else if (!strncmp(p, "<!--", 4)) end = strstr(p, "-->");
    else break;
    if (!end) return 0;
    p = strchr(end, '>') + 1;
  }
  size_t n = strlen(ROOT);
  return *p == '<' && !strncmp(p + 1, ROOT, n) &&
         (isspace((unsigned char)p[n + 1]) || strchr("/>", p[n + 1]));
}

/* What stands before the declaration, where there is anything. */
static int skip_junk(ns_legacy *l, const char **text, size_t *n)
{
  const char *declaration = strstr(*text, "<?xml");
  if (!declaration || declaration == *text) return NS_OK;
  size_t junk = (size_t)(declaration - *text);
  if (!l->opt->recover)
    return ns_legacy_fail(l, NULL,
                          "%zu bytes before <?xml ...?>, expected it at the beginning of the file; "
                          "--recover of nssim import skips them",
                          junk);
  ns_warn(&l->msg.c, "%s: %zu bytes before <?xml ...?> are skipped", l->source->path, junk);
  ns_legacy_note_at(l, NULL, "%zu bytes before the XML declaration are skipped", junk);
  *text += junk;
  *n -= junk;
  return NS_OK;
}

/* libxml2 closes elements as it thinks right. Without DOCTYPE, entities and network, as
 * ns_xml_parse. */
static int mend(ns_legacy *l, const char *text, size_t n, const char *fault)
{
  if (strstr(text, "<!DOCTYPE") || n > 1 << 28) return ns_fail(&l->msg.c, NS_MODEL, "%s", fault);
  ns_xml_watch silent; /* its complaints are those that are mended */
  ns_xml_watch_begin(&silent);
  l->doc = xmlReadMemory(text, (int)n, l->source->path, NULL,
                         XML_PARSE_RECOVER | XML_PARSE_NONET | XML_PARSE_NOCDATA |
                             XML_PARSE_BIG_LINES);
  ns_xml_watch_end(&silent);
  if (!l->doc || !xmlDocGetRootElement(l->doc)) return ns_fail(&l->msg.c, NS_MODEL, "%s", fault);
  ns_warn(&l->msg.c, "%s; repaired by the XML parser: check the model", fault);
  ns_legacy_note_at(l, NULL, "XML that was not well-formed was repaired: %.300s", fault);
  return NS_OK;
}

static int parse(ns_legacy *l)
{
  const char *text = l->source->text;
  size_t n = l->source->n;
  ns_ctx c = {0};
  int rc = skip_junk(l, &text, &n);
  if (rc) return rc;
  rc = ns_xml_parse(&c, l->source->path, text, n, ROOT, &l->doc);
  if (rc == NS_NOMEM) return ns_nomem(&l->msg.c, "XML document");
  if (rc && l->opt->recover) rc = mend(l, text, n, c.msg);
  else if (rc)
    ns_fail(&l->msg.c, rc, "%s%s", c.msg,
            strstr(c.msg, "> ends the") ? ", or --recover of nssim import repairs it" : "");
  if (rc) return rc;
  l->root = xmlDocGetRootElement(l->doc);
  if (strcmp(ns_legacy_name(l->root), ROOT))
    return ns_legacy_fail(l, l->root, "expected <" ROOT ">");
  return NS_OK;
}

/* ---- frame ----------------------------------------------------------------------------------- */

static void read_time(ns_legacy *l)
{
  const xmlNode *time = ns_legacy_child(l->root, "Time"), *t0 = ns_legacy_child(time, "t0");
  l->t0 = ns_legacy_real(l, t0);
  l->T = ns_legacy_real(l, ns_legacy_child(time, "T"));
  if (!t0)
    ns_legacy_fail(l, time ? time : l->root,
                   "<t0> is missing, expected the time of the initial state in <Time>");
  if (isfinite(l->T) && isfinite(l->t0) && !(l->T > l->t0))
    ns_legacy_fail(l, time, "T = %g is not after t0 = %g, expected a later end", l->T, l->t0);
}

/* What no release ever computed, or another program did. */
static void refuse_unsolved(ns_legacy *l)
{
  const xmlNode *nsds = ns_legacy_child(l->root, "NSDS"),
                *systems = ns_legacy_child(nsds, "DS_Definition");
  const xmlNode *lmgc = ns_legacy_child(nsds, "DS_LMGC90");
  if (!nsds) ns_legacy_fail(l, l->root, "<NSDS> is missing, expected one with the systems");
  if (!lmgc) lmgc = ns_legacy_child(systems, "DS_LMGC90");
  if (lmgc)
    ns_legacy_fail(
        l, lmgc,
        "is a system of LMGC90, a different program, expected systems that the file describes");
  if (strcmp(ns_legacy_attribute(l, nsds ? nsds : l->root, "bvp"), "true")) return;
  for (const xmlNode *k = ns_legacy_first(systems); k; k = ns_legacy_next(k))
    if (ns_legacy_child(k, "BoundaryCondition"))
      ns_legacy_fail(l, k,
                     "has boundary conditions and bvp=\"true\", but boundary value problems are "
                     "not supported, expected initial values");
}

/* Of a note of the whole file: behind all lines. */
static long first_line(const ns_import_note *n)
{
  return n->lines ? strtol(n->lines, NULL, 10) : LONG_MAX;
}

/* By their first lines; equal ones as they came. */
static void sort_notes(const ns_import_text *t)
{
  for (int i = 1; i < t->nnotes; i++)
    for (int k = i; k > 0 && first_line(&t->note[k - 1]) > first_line(&t->note[k]); k--) {
      ns_import_note swap = t->note[k];
      t->note[k] = t->note[k - 1];
      t->note[k - 1] = swap;
    }
}

static void write_head(void *self, FILE *f)
{
  static const char *const texts[] = {"Author", "Description", "Date"}, *const unset[] = {
                                                                            "author", "description",
                                                                            "date"};
  ns_legacy *l = self;
  const char *title = ns_legacy_text(l, ns_legacy_child(l->root, "Title"));
  sort_notes(&l->text);
  ns_import_begin_head(&l->text, "a SiconosModel file", f);
  for (int k = 0; k < 3; k++) {
    const char *s = ns_legacy_text(l, ns_legacy_child(l->root, texts[k]));
    if (!*s || !strcmp(s, unset[k])) continue;
    fprintf(f, "  %s: ", texts[k]);
    ns_import_put_comment(f, s);
    fputc('\n', f);
  }
  ns_import_end_head(&l->text, f);
  ns_import_open_model(&l->text, f);
  if (*title && strcmp(title, "title")) ns_import_put_title(f, title);
}

/* Interactions tell which z plug-ins are handed, integrators tell thetas: they go before the
 * systems, and stand behind them. */
static void write_model(ns_legacy *l)
{
  ns_text_stream later;
  FILE *out = l->out;
  l->out = ns_text_stream_open(&later);
  if (l->out) ns_legacy_write_interactions(l);
  if (l->out) ns_legacy_write_simulation(l);
  char *behind = ns_text_stream_close(&later);
  if (!behind) ns_nomem(&l->msg.c, "text of the model");
  l->out = out;
  ns_legacy_write_systems(l);
  if (behind) fputs(behind, out);
  free(behind);
}

static void write_parts(ns_legacy *l)
{
  static const char taken[] =
      "Title Author Description Date SchemaXML Time NSDS Strategy Simulation";
  read_time(l);
  refuse_unsolved(l);
  ns_legacy_leftover(l, l->root, taken);
  ns_legacy_leftover(l, ns_legacy_child(l->root, "NSDS"),
                     "DS_Definition DS_LMGC90 Interaction_Definition");
  l->form = ns_legacy_form(l);
  ns_legacy_find_systems(l);
  if (l->nsystems) write_model(l);
  if (!l->guessed) return;
  ns_legacy_note_at(l, NULL,
                    "abi=\"%s\" of plug-ins is guessed from the form of the file, because no "
                    "source next to it states it",
                    l->form);
}

static int convert_all(ns_legacy *l, char **out)
{
  ns_text_stream parts;
  int rc = NS_OK;
  l->out = ns_text_stream_open(&parts);
  if (!l->out) return ns_nomem(&l->msg.c, "text of the model");
  write_parts(l);
  fputs("</model>\n", l->out);
  char *body = ns_text_stream_close(&parts);
  if (!body && !l->msg.c.nerrors) rc = ns_nomem(&l->msg.c, "text of the model");
  if (!rc && !l->msg.c.nerrors) rc = ns_import_join(&l->text, write_head, l, body, out);
  free(body);
  return rc ? rc : l->msg.c.rc;
}

/* Folder of a path; arena. */
static const char *folder_of(ns_arena *a, const char *path)
{
  const char *slash = strrchr(path, '/');
  char *copy = ns_arena_text(a, slash ? path : ".");
  if (copy && slash) copy[slash == path ? 1 : slash - path] = 0;
  return copy;
}

static int check_options(ns_legacy *l)
{
  const char *abi = l->opt->abi;
  if (abi && !ns_plugin_form_is_window(abi))
    return ns_fail(
        &l->msg.c, NS_USAGE,
        "--plugin-abi '%.40s': expected one of %s; nssim-plugin(7) has their lists of arguments",
        abi, ns_plugin_windows);
  return NS_OK;
}

static int convert(ns_ctx *c, const ns_import_source *s, const ns_import_options *opt, char **out)
{
  ns_legacy l = {.source = s, .opt = opt, .a = ns_arena_create(0, 1)};
  ns_xml_watch w;
  ns_messages_init(&l.msg, c);
  l.text = (ns_import_text){.c = &l.msg.c, .a = l.a, .path = s->path};
  l.dir = l.a ? folder_of(l.a, s->path) : NULL;
  int rc = l.dir ? check_options(&l) : ns_nomem(&l.msg.c, "model");
  if (!rc) rc = parse(&l);
  ns_xml_watch_begin(&w);
  if (!rc) rc = convert_all(&l, out);
  if (ns_xml_watch_end(&w) && !rc) rc = ns_nomem(&l.msg.c, "XML document");
  int told = ns_messages_flush(&l.msg);
  ns_import_text_fini(&l.text);
  xmlFreeDoc(l.doc);
  ns_arena_destroy(l.a);
  return told ? told : rc;
}

extern const ns_importer ns_import_legacy;
const ns_importer ns_import_legacy = {.name = ROOT,
                                      .what = "a SiconosModel file of 2005 to 2014",
                                      .recognises = recognises,
                                      .convert = convert};
