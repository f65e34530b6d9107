/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/import/deck_parts.h"

#include "base/grow.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(item) ((item)->lost = 1)
#include <uthash.h>

/* ---- messages -------------------------------------------------------------------------------- */

const char *ns_deck_place(ns_deck *d, const char *file, int line)
{
  d->file = file;
  d->at = line;
  snprintf(d->place, sizeof d->place, "%.200s:%d", file, line);
  return d->place;
}

int ns_deck_fail(ns_deck *d, const char *fmt, ...)
{
  char what[600];
  NS_FORMAT(what, fmt);
  d->bad = 1;
  return ns_fail(d->c, NS_MODEL, "%s: %s", d->place, what);
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

/* ---- words ----------------------------------------------------------------------------------- */

int ns_deck_cut_words(ns_deck *d, const char *s)
{
  size_t n = strlen(s);
  free(d->words);
  d->words = malloc(2 * n + 2);
  d->nwords = 0;
  if (!d->words) return ns_nomem(d->c, "deck");
  char *to = d->words;
  while (*s) {
    int depth = 0, quoted = 0;
    while (isspace((unsigned char)*s)) s++;
    if (!*s) break;
    if (d->nwords == NS_DECK_WORDS)
      return ns_deck_fail(d, "the line has more than %d words, expected fewer", NS_DECK_WORDS);
    d->word[d->nwords++] = to;
    for (; *s; s++) {
      const char *after = s + strspn(s, " \t");
      int joins = *after == '=' || (to > d->word[d->nwords - 1] && to[-1] == '=');
      int opens = *after == '(' && d->nwords > 2 && isalpha((unsigned char)to[-1]);
      if (isspace((unsigned char)*s) && !depth && !quoted) {
        if (!*after || (!joins && !opens)) break;
        s = after;
      }
      if (*s == '\'') quoted = !quoted;
      if (*s == '(' || *s == '{') depth++;
      if (*s == ')' || *s == '}') depth--;
      *to++ = *s == '\'' ? (quoted ? '{' : '}') : *s;
    }
    *to++ = 0;
  }
  return NS_OK;
}

void ns_deck_open_nodes(char *s)
{
  int nodes = strchr("egs", *s) ? 4 : strchr("mqx", *s) ? NS_DECK_WORDS : 2, open = 0;
  s += strcspn(s, " \t(,");
  for (int k = 0; k < nodes && *s; k++) {
    for (; *s && (isspace((unsigned char)*s) || strchr("(),", *s)); s++) {
      if (*s == ')' && !open) return;
      if (*s == '(') open++;
      if (*s == ')') open--;
      *s = ' ';
    }
    size_t n = strcspn(s, " \t(),={'");
    const char *then = s + n + strspn(s + n, " \t");
    int is_option = *then && strchr("={'", *then);
    int is_function = s[n] == '(' || (*then == '(' && !open && k > 1); /* POLY(1) */
    if (is_option || is_function) return;
    s += n;
  }
  for (; *s && (isspace((unsigned char)*s) || strchr("),", *s)) && (open || *s != ')'); s++) {
    if (*s == ')') open--;
    *s = ' ';
  }
}

const char *ns_deck_option(const ns_deck *d, int first, const char *key)
{
  size_t n = strlen(key);
  for (int k = first; k < d->nwords; k++)
    if (!strncmp(d->word[k], key, n) && d->word[k][n] == '=') return d->word[k] + n + 1;
  return NULL;
}

int ns_deck_plain_words(const ns_deck *d)
{
  int n = 0;
  while (n < d->nwords && !strchr(d->word[n], '=')) n++;
  return n;
}

static int is_one_of(const char *const *list, const char *s, size_t n)
{
  for (; list && *list; list++)
    if (strlen(*list) == n && !strncmp(*list, s, n)) return 1;
  return 0;
}

void ns_deck_note_rest(ns_deck *d, int first, const char *const *known, const char *const *more)
{
  for (int k = first; k < d->nwords; k++) {
    size_t n = strcspn(d->word[k], "=");
    if (!is_one_of(known, d->word[k], n) && !is_one_of(more, d->word[k], n))
      ns_deck_note(d, "%s: \"%s\" is ignored", d->word[0], d->word[k]);
  }
}

/* ---- names and numbers ----------------------------------------------------------------------- */

typedef struct deck_name {
  const char *given; /* as the deck has it */
  int lost;
  UT_hash_handle hh;
  char put[]; /* as the netlist has it: the key */
} deck_name;

/* Two names of the deck may not become one. Names that stay as they are differ, unless they look
 * like one that was changed: they have a _. */
static void keep_apart(ns_deck *d, const char *given, size_t n, const char *put)
{
  deck_name *known;
  size_t size = strlen(put);
  if (!strchr(put, '_')) return;
  HASH_FIND(hh, d->names, put, size, known);
  if (known && (strlen(known->given) != n || strncmp(known->given, given, n)))
    ns_deck_fail(
        d,
        "%.60s and %.*s are both %.60s in a netlist, whose names consist of letters, digits and "
        "_, expected names that differ by more; rename one",
        known->given, (int)(n < 60 ? n : 60), given, put);
  if (known) return;
  deck_name *more = ns_arena_zero(d->a, sizeof *more + size + 1, 1);
  if (!more || !(more->given = ns_arena_part(d->a, given, n))) {
    ns_nomem(d->c, "deck");
    return;
  }
  memcpy(more->put, put, size + 1);
  HASH_ADD(hh, d->names, put, size, more);
  if (more->lost) ns_nomem(d->c, "deck");
}

/* A name of a netlist: letters, digits, _. Ground is 0. */
static void put_name_of(ns_deck *d, const char *s, size_t n)
{
  ns_text_stream written;
  FILE *f = ns_text_stream_open(&written);
  if (!f) {
    ns_nomem(d->c, "deck");
    return;
  }
  if (n == 3 && !strncmp(s, "gnd", n)) fputc('0', f);
  else
    for (size_t k = 0; k < n; k++) {
      int good = isalnum((unsigned char)s[k]) || strchr("_{}", s[k]);
      if (good) fputc(s[k], f);
      else fputs(s[k] == '+' ? "_p" : s[k] == '-' ? "_m" : "_", f);
    }
  char *name = ns_text_stream_close(&written);
  if (!name) ns_nomem(d->c, "deck");
  else {
    keep_apart(d, s, n, name);
    fputs(name, d->body);
  }
  free(name);
}

/* A node or an element that a formula names: x1.x2.n, and r.x1.x2.r1, stand in subcircuits, where
 * a netlist calls them n_x2_x1 and r1_x2_x1. */
static void put_probed(ns_deck *d, const char *s, size_t n)
{
  if (n > 2 && s[1] == '.' && s[2] == 'x' && *s != 'x') s += 2, n -= 2;
  if (*s != 'x' || !memchr(s, '.', n)) {
    put_name_of(d, s, n);
    return;
  }
  for (size_t end = n; end > 0;) {
    size_t begin = end;
    while (begin > 0 && s[begin - 1] != '.') begin--;
    if (end < n) fputc('_', d->body);
    put_name_of(d, s + begin, end - begin);
    end = begin ? begin - 1 : 0;
  }
}

static const struct {
  const char *suffix;
  double by;
  const char *put; /* as nssim has it */
} suffixes[] = {{"meg", 1e6, "meg"}, {"mil", 25.4e-6, "mil"}, {"t", 1e12, "T"}, {"g", 1e9, "G"},
                {"k", 1e3, "k"},     {"m", 1e-3, "m"},        {"u", 1e-6, "u"}, {"n", 1e-9, "n"},
                {"p", 1e-12, "p"},   {"f", 1e-15, "f"}};

/* Bytes of a number at s without its suffix, and its suffix in *k, -1: none. What follows is a
 * unit, which nobody reads. */
static size_t number_at(const char *s, int *k)
{
  size_t n = strspn(s, "0123456789."), sign = 0;
  if ((s[n] == 'e' || s[n] == 'd') && (s[n + 1] == '+' || s[n + 1] == '-')) sign = 1;
  if ((s[n] == 'e' || s[n] == 'd') && isdigit((unsigned char)s[n + 1 + sign]))
    n += 1 + sign + strspn(s + n + 1 + sign, "0123456789");
  *k = -1;
  for (int i = 0; i < (int)(sizeof suffixes / sizeof *suffixes) && *k < 0; i++)
    if (!strncmp(s + n, suffixes[i].suffix, strlen(suffixes[i].suffix))) *k = i;
  return n;
}

double ns_deck_number(const char *s)
{
  int k;
  char digits[60];
  if (!isdigit((unsigned char)s[strspn(s, "+-.")])) return NAN;
  size_t sign = strspn(s, "+-"), n = sign + number_at(s + sign, &k);
  snprintf(digits, sizeof digits, "%.*s", (int)n, s);
  for (char *p = digits; *p; p++)
    if (*p == 'd') *p = 'e';
  return strtod(digits, NULL) * (k < 0 ? 1 : suffixes[k].by);
}

/* A number of a formula at s, without its unit: bytes read. */
static size_t put_number(ns_deck *d, const char *s)
{
  int k;
  size_t n = number_at(s, &k), end = n;
  for (size_t i = 0; i < n; i++) fputc(s[i] == 'd' ? 'e' : s[i], d->body);
  if (k >= 0) {
    fputs(suffixes[k].put, d->body);
    end += strlen(suffixes[k].suffix);
  }
  while (isalpha((unsigned char)s[end])) end++;
  if (isdigit((unsigned char)s[end])) {
    size_t all = end + strspn(s + end, "0123456789");
    ns_deck_fail(
        d,
        "%.*s has digits after a letter, which ngspice 39 ignores and later releases read as a "
        "decimal point, expected the number as 4.7k",
        (int)(all < 40 ? all : 40), s);
  }
  return end;
}

/* v(a,b) and i(r1) at s: bytes read, 0: it is none of them. */
static size_t put_probe(ns_deck *d, const char *s)
{
  const char *open = s + 1 + strspn(s + 1, " \t"), *close = strchr(s, ')');
  if ((*s != 'v' && *s != 'i') || *open != '(' || !close) return 0;
  fprintf(d->body, "%c(", *s);
  for (const char *p = open + 1; p < close;) {
    p += strspn(p, " \t");
    size_t n = strcspn(p, " \t,)");
    put_probed(d, p, n);
    p += n + strspn(p + n, " \t");
    if (*p == ',') fputc(*p++, d->body);
  }
  fputc(')', d->body);
  return (size_t)(close - s) + 1;
}

/* A word of a formula: n bytes at s. Functions that another one computes have its beginning. */
static size_t put_word(ns_deck *d, const char *s, size_t n)
{
  static const char *const other[][2] = {
      {"time", "t"},        {"ln", "log"},      {"sgn", "sign"},       {"u(", "step("},
      {"uramp(", "max(0,"}, {"arctan", "atan"}, {"ternary_fcn", "if"}, {"limit", "sat"}};
  for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
    size_t m = strlen(other[k][0]);
    int opens = other[k][0][m - 1] == '(';
    if (m != n + (size_t)opens || strncmp(s, other[k][0], m)) continue;
    fputs(other[k][1], d->body);
    return m;
  }
  fwrite(s, 1, n, d->body);
  return n;
}

/* A formula in XML, as nssim writes it. */
static void put_text(ns_deck *d, const char *s)
{
  while (*s) {
    size_t n = 0, probe = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_') n++;
    if (n == 1 && (probe = put_probe(d, s))) s += probe;
    else if (isdigit((unsigned char)*s) || (*s == '.' && isdigit((unsigned char)s[1])))
      s += put_number(d, s);
    else if (n) s += put_word(d, s, n);
    else if (!strncmp(s, "**", 2)) fputc('^', d->body), s += 2;
    else ns_import_put_xml_byte(d->body, *s++);
  }
}

void ns_deck_put(ns_deck *d, const char *form, ...)
{
  va_list ap;
  va_start(ap, form);
  for (const char *p = form; *p; p++) {
    if (*p != '%') fputc(*p, d->body);
    else if (*++p == 's') put_text(d, va_arg(ap, const char *));
    else fprintf(d->body, "%.9g", va_arg(ap, double));
  }
  va_end(ap);
}

void ns_deck_put_name(ns_deck *d, const char *name)
{
  fputc(' ', d->body);
  put_name_of(d, name, strlen(name));
}

void ns_deck_forget_names(ns_deck *d) { HASH_CLEAR(hh, d->names); }
