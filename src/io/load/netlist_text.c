/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/load/netlist_text.h"

#include "base/grow.h"

#include <ctype.h>
#include <libxml/xmlstring.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { INCLUDES = 20 }; /* files in files */

/* An error at the line in hand; the others are read: NS_OK. */
static int fail(ns_netlist_text *t, const char *fmt, ...) NS_PRINTF(2, 3);

static int fail(ns_netlist_text *t, const char *fmt, ...)
{
  char what[600];
  NS_FORMAT(what, fmt);
  t->bad = 1;
  ns_fail(t->c, NS_MODEL, "%s: %s", t->place(t->of, t->file, t->at), what);
  return NS_OK;
}

static void note(ns_netlist_text *t, const char *what)
{
  if (!t->note) return;
  t->place(t->of, t->file, t->at);
  t->note(t->of, what);
}

/* ---- words ----------------------------------------------------------------------------------- */

char *ns_netlist_trimmed(char *s)
{
  while (isspace((unsigned char)*s)) s++;
  for (char *end = s + strlen(s); end > s && isspace((unsigned char)end[-1]);) *--end = 0;
  return s;
}

int ns_netlist_is_directive(const char *s, const char *name)
{
  size_t n = strlen(name);
  return !strncasecmp(s, name, n) && (!s[n] || isspace((unsigned char)s[n]));
}

const char *ns_netlist_option(const char *text, const char **end)
{
  for (const char *p = text; *p;) {
    if (!isalpha((unsigned char)*p)) {
      p++;
      continue;
    }
    const char *begin = p;
    while (isalnum((unsigned char)*p) || *p == '_' || *p == '.') p++;
    const char *eq = p + strspn(p, " \t");
    if (*eq == '=' && eq[1] != '=' && (begin == text || isspace((unsigned char)begin[-1]))) {
      *end = eq + 1;
      return begin;
    }
  }
  return NULL;
}

int ns_netlist_next_pair(const char **s, ns_netlist_pair *p)
{
  const char *after, *key = ns_netlist_option(*s, &after), *behind;
  if (!key) return 0;
  const char *value = after + strspn(after, " \t"), *next = ns_netlist_option(after, &behind),
             *end = next ? next : value + strlen(value);
  *s = end;
  while (end > value && isspace((unsigned char)end[-1])) end--;
  *p = (ns_netlist_pair){key, value, strcspn(key, " \t="), (size_t)(end - value)};
  return 1;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* A comment behind an element. */
static void cut_comment(char *s, int is_deck)
{
  for (char *p = s; *p; p++)
    if (*p == ';' || (is_deck && *p == '$' && (p == s || isspace((unsigned char)p[-1])))) {
      *p = 0;
      return;
    }
}

/* In small letters; not what stands in quotes, which may be a file. */
static void fold(char *s)
{
  int quoted = 0;
  for (; *s; s++) {
    if (*s == '"') quoted = !quoted;
    if (!quoted) *s = (char)tolower((unsigned char)*s);
  }
}

/* A copy that XML can hold: in UTF-8 (ISO-8859-1 says something of any bytes), with blanks for
 * control characters. */
static char *in_utf8(ns_netlist_text *t, const char *text)
{
  int is_utf8 = xmlCheckUTF8((const xmlChar *)text);
  char *copy = ns_arena_get(t->a, (is_utf8 ? 1 : 2) * strlen(text) + 1, 1), *to = copy;
  if (!copy) return NULL;
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c >= 0x80 && !is_utf8) {
      *to++ = (char)(0xc0 | c >> 6);
      *to++ = (char)(0x80 | (c & 0x3f));
    } else *to++ = (char)(iscntrl(c) && c != '\n' ? ' ' : c);
  }
  *to = 0;
  if (!is_utf8) note(t, "the file is not UTF-8 and is read as ISO-8859-1");
  return copy;
}

/* A line of the file whose first one has this index. */
static int add_line(ns_netlist_text *t, char *text, int first)
{
  const ns_netlist_line added = {.text = text, .file = t->file, .number = t->at, .inside = -1};
  if (*text != '+')
    return ns_append(&t->line, &t->n, &added) < 0 ? ns_nomem(t->c, "netlist") : NS_OK;
  if (t->n == first)
    return fail(
        t, "the line begins with +, which continues the previous line, expected an element first");
  char **before = &t->line[t->n - 1].text;
  *before = ns_arena_format(t->a, "%s %s", *before, text + 1);
  return *before ? NS_OK : ns_nomem(t->c, "netlist");
}

/* Which lines of a file are read. */
typedef struct reading {
  const char *dir;
  const char *section; /* of .lib; NULL: all */
  int is_open;         /* within that section */
  int control;         /* within .control */
  int found;
} reading;

static int read_lines(ns_netlist_text *t, const char *text, int number, reading *r);

/* The file that .include FILE, or .lib FILE SECTION, names at s, in quotes or not; what is behind
 * it to *s. */
static char *file_named(char **s, int is_lib)
{
  char *begin = *s + strspn(*s, " \t"), quote = *begin == '"' || *begin == '\'' ? *begin : 0;
  const char end[] = {quote, 0};
  if (quote) begin++;
  char *p = begin + strcspn(begin, quote ? end : is_lib ? " \t" : "");
  *s = *p ? p + 1 : p;
  *p = 0;
  return begin;
}

static int include(ns_netlist_text *t, char *s, const char *dir, int is_lib)
{
  const char *file = t->file, *directive = is_lib ? ".lib" : ".include", *shown, *real;
  char *name = file_named(&s, is_lib);
  reading inner = {.section = is_lib ? ns_netlist_trimmed(s) : NULL};
  ns_text read;
  int at = t->at;
  if (!*name || (is_lib && !*inner.section))
    return fail(t, "%s names no %s, expected `%s`", directive, *name ? "section" : "file",
                is_lib ? ".lib FILE SECTION" : ".include FILE");
  if (t->depth == INCLUDES)
    return fail(t, "%s is nested more than %d deep, expected fewer: does a file include itself?",
                directive, INCLUDES);
  int rc = ns_files_read_named(t->files, t->c, t->place(t->of, file, at), dir, name, &read, &shown,
                               &real);
  t->bad |= rc != NS_OK;
  if (rc) return rc == NS_NOMEM ? rc : NS_OK;
  if (strlen(read.text) != read.n)
    return fail(t, "%.200s contains a NUL byte, expected text", shown);
  inner.dir = t->folder ? t->folder : ns_files_dir(t->a, shown);
  if (!inner.dir) return ns_nomem(t->c, "netlist");
  t->file = shown;
  t->depth++;
  rc = read_lines(t, read.text, 1, &inner);
  t->depth--;
  t->file = file;
  t->at = at;
  if (!rc && is_lib && !inner.found)
    fail(t, "%.200s has no section %.60s, expected a line `.lib %.60s`", shown, inner.section,
         inner.section);
  return rc;
}

/* One line of a deck without blanks at its ends: 1 where it is read. */
static int is_read(ns_netlist_text *t, reading *r, char *s)
{
  if (ns_netlist_is_directive(s, ".endl")) {
    r->is_open = 0;
    return 0;
  }
  if (r->section && !r->is_open && ns_netlist_is_directive(s, ".lib")) {
    r->is_open = !strcasecmp(ns_netlist_trimmed(s + strlen(".lib")), r->section);
    r->found |= r->is_open;
    return 0;
  }
  if (r->section && !r->is_open) return 0;
  if (ns_netlist_is_directive(s, ".control")) {
    note(t, "the commands of .control are ignored");
    r->control = 1;
  }
  int taken = !r->control;
  if (ns_netlist_is_directive(s, ".endc")) r->control = 0;
  return taken;
}

static int read_lines(ns_netlist_text *t, const char *text, int number, reading *r)
{
  t->at = number;
  char *next = in_utf8(t, text);
  int rc = next ? NS_OK : ns_nomem(t->c, "netlist"), first = t->n;
  if (next && t->is_deck && !t->depth) {
    char *title = strsep(&next, "\n");
    t->title = ns_netlist_trimmed(*title == '*' ? title + 1 : title);
    number++;
  }
  for (; next && !rc; number++) {
    char *s = ns_netlist_trimmed(strsep(&next, "\n"));
    t->at = number;
    if (*s == '*' || *s == '#') continue;
    cut_comment(s, t->is_deck);
    s = ns_netlist_trimmed(s);
    if (!*s || (t->is_deck && !is_read(t, r, s))) continue;
    if (ns_netlist_is_directive(s, ".end")) break;
    if (ns_netlist_is_directive(s, ".include")) rc = include(t, s + strlen(".include"), r->dir, 0);
    else if (ns_netlist_is_directive(s, ".inc")) rc = include(t, s + strlen(".inc"), r->dir, 0);
    else if (t->is_deck && ns_netlist_is_directive(s, ".lib"))
      rc = include(t, s + strlen(".lib"), r->dir, 1);
    else {
      if (t->is_deck) fold(s);
      rc = add_line(t, s, first);
    }
  }
  return rc;
}

int ns_netlist_text_read(ns_netlist_text *t, const char *text, int number, const char *dir)
{
  reading all = {.dir = dir};
  return read_lines(t, text, number, &all);
}
