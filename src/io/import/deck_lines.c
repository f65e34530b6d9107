/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/import/deck_parts.h"

#include "base/grow.h"

#include <ctype.h>
#include <libxml/xmlstring.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { INCLUDES = 20 }; /* files in files */

int ns_deck_fail(ns_deck *d, const char *fmt, ...)
{
  char what[600];
  NS_FORMAT(what, fmt);
  d->bad = 1;
  return ns_fail(d->c, NS_MODEL, "%.200s:%d: %s", d->file, d->at, what);
}

void ns_deck_note(ns_deck *d, const char *fmt, ...)
{
  char what[600];
  NS_FORMAT(what, fmt);
  for (char *p = what; *p; p++)
    if (p[0] == '-' && p[1] == '-') *p = '~'; /* no comment of XML holds two of them */
  if (d->file == d->source->path) fprintf(d->notes, "  line %d: %s\n", d->at, what);
  else fprintf(d->notes, "  %.200s, line %d: %s\n", d->file, d->at, what);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Comments behind an element: from ; or from $ after a blank. */
static void cut_comment(char *s)
{
  for (char *p = s; *p; p++)
    if (*p == ';' || (*p == '$' && (p == s || isspace((unsigned char)p[-1])))) {
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

static int add_line(ns_deck *d, const char *text, int number)
{
  ns_deck_line *last = d->nlines ? &d->line[d->nlines - 1] : NULL;
  if (*text == '+' && last) {
    last->text = ns_arena_format(d->a, "%s %s", last->text, text + 1);
    return last->text ? NS_OK : ns_nomem(d->c, "deck");
  }
  const ns_deck_line added = {ns_arena_text(d->a, text), d->file, number};
  if (added.text && ns_append(&d->line, &d->nlines, &added) >= 0) return NS_OK;
  return ns_nomem(d->c, "deck");
}

/* A word at s, without quotes, or what stands in them; the rest to *s. */
static char *file_word(char **s)
{
  char *p = *s + strspn(*s, " \t"), quote = *p == '"' || *p == '\'' ? *p : 0;
  char *begin = quote ? p + 1 : p;
  const char end[] = {quote, 0};
  p = begin + strcspn(begin, quote ? end : " \t");
  *s = *p ? p + 1 : p;
  *p = 0;
  return begin;
}

/* The lines of a file that .include F, or .lib F SECTION, names, from the folder of its file. */
static int include(ns_deck *d, char *s, const char *dir, int is_lib)
{
  char at[300];
  const char *file = d->file, *shown, *real;
  char *name = file_word(&s), *section = is_lib ? ns_netlist_trimmed(s) : NULL;
  ns_text t;
  if (!*name || (section && !*section)) {
    ns_deck_fail(d, "%s names no %s, expected `.include FILE` or `.lib FILE SECTION`",
                 is_lib ? ".lib" : ".include", *name ? "section" : "file");
    return NS_OK;
  }
  if (d->depth == INCLUDES) {
    ns_deck_fail(
        d, "files include each other more than %d deep, expected fewer: does one include itself?",
        INCLUDES);
    return NS_OK;
  }
  if (section) fold(section);
  snprintf(at, sizeof at, "%.200s:%d: %s", file, d->at, is_lib ? ".lib" : ".include");
  int rc = ns_files_read_named(&d->files, d->c, at, dir, name, &t, &shown, &real), number = d->at;
  if (rc) {
    d->bad = 1;
    return rc == NS_NOMEM ? rc : NS_OK;
  }
  if (strlen(t.text) != t.n) {
    ns_deck_fail(d, "%.200s contains a NUL byte, expected text", shown);
    return NS_OK;
  }
  const char *inner = ns_files_dir(d->a, shown);
  if (!inner) return ns_nomem(d->c, "deck");
  d->file = shown;
  d->depth++;
  rc = ns_deck_split(d, t.text, inner, section);
  d->depth--;
  d->file = file;
  d->at = number;
  if (!rc && section && !d->has_section)
    ns_deck_fail(d, "%.200s has no section %.60s, expected a line `.lib %.60s`", shown, section,
                 section);
  return rc;
}

/* Which lines of a file are read. */
typedef struct reading {
  const char *section; /* of .lib; NULL: all */
  int is_open;         /* within that section */
  int control;         /* within .control */
  int found;
} reading;

/* One line without blanks at its ends: 1 where it belongs to the deck. */
static int take(ns_deck *d, reading *r, char *s)
{
  if (!*s || *s == '*' || *s == '#') return 0;
  cut_comment(s);
  s = ns_netlist_trimmed(s);
  if (ns_netlist_is_directive(s, ".endl")) {
    r->is_open = 0;
    return 0;
  }
  if (r->section && !r->is_open && ns_netlist_is_directive(s, ".lib")) {
    char *name = ns_netlist_trimmed(s + strlen(".lib"));
    r->is_open = !strcasecmp(name, r->section);
    r->found |= r->is_open;
    return 0;
  }
  if (r->section && !r->is_open) return 0;
  if (ns_netlist_is_directive(s, ".control")) {
    ns_deck_note(d, "the commands of .control are ignored");
    r->control = 1;
  }
  int taken = *s && !r->control;
  if (ns_netlist_is_directive(s, ".endc")) r->control = 0;
  return taken;
}

/* A copy that XML can hold: in UTF-8 (text that is none is read as ISO-8859-1, which says something
 * of any bytes), with blanks for control characters. */
static char *in_utf8(ns_deck *d, const char *text)
{
  int is_utf8 = xmlCheckUTF8((const xmlChar *)text);
  char *copy = malloc(2 * strlen(text) + 1), *to = copy;
  if (!copy) return NULL;
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c >= 0x80 && !is_utf8) {
      *to++ = (char)(0xc0 | c >> 6);
      *to++ = (char)(0x80 | (c & 0x3f));
    } else *to++ = (char)(iscntrl(c) && c != '\n' ? ' ' : c);
  }
  *to = 0;
  d->at = 1;
  if (!is_utf8) ns_deck_note(d, "the file is not UTF-8 and is read as ISO-8859-1");
  return copy;
}

int ns_deck_split(ns_deck *d, const char *text, const char *dir, const char *section)
{
  char *copy = in_utf8(d, text), *next = copy;
  reading r = {.section = section};
  int rc = copy ? NS_OK : ns_nomem(d->c, "deck"), number = 0;
  while (next && !rc) {
    char *s = next;
    next = strchr(s, '\n');
    if (next) *next++ = 0;
    d->at = ++number;
    if (number == 1 && !d->depth) {
      d->title = ns_arena_text(d->a, ns_netlist_trimmed(*s == '*' ? s + 1 : s));
      if (!d->title) rc = ns_nomem(d->c, "deck");
      continue;
    }
    s = ns_netlist_trimmed(s);
    if (!take(d, &r, s)) continue;
    s = ns_netlist_trimmed(s);
    int with = ns_netlist_is_directive(s, ".include") ? 8
               : ns_netlist_is_directive(s, ".inc")   ? 4
                                                      : 0;
    if (ns_netlist_is_directive(s, ".end")) break;
    if (with) rc = include(d, s + with, dir, 0);
    else if (ns_netlist_is_directive(s, ".lib")) rc = include(d, s + strlen(".lib"), dir, 1);
    else {
      fold(s);
      rc = add_line(d, s, number);
    }
  }
  d->has_section = r.found;
  free(copy);
  return rc;
}
