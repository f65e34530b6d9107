/* SPDX-License-Identifier: GPL-3.0-or-later */
/* language_man.c -- nssim-model(5) and nssim-study(5) from the language table. */
#include "model/language/language.h"

#include <ctype.h>
#include <string.h>

/* Lines of filled text end at a blank before this column, as mandoc -T lint wants it. */
enum { MAN_COLUMNS = 79 };

/* Length on the page source of the word that begins at s, of n characters at most. */
static size_t word_length(const char *s, size_t n)
{
  size_t length = 0;
  for (size_t i = 0; i < n && s[i] != ' ' && s[i] != '\n'; i++)
    length += strchr("\\-", s[i]) ? 2 : strchr("^`'~", s[i]) ? 4 : 1;
  return length;
}

/* Text for roff: nothing in it is a request. column: characters on the line so far; a word that
 * would pass MAN_COLUMNS begins a line where text is filled. */
static void put_at(FILE *f, const char *s, size_t n, size_t column, int fills)
{
  for (size_t i = 0; i < n; i++) {
    if (!column && (s[i] == '.' || s[i] == '\'')) fputs("\\&", f);
    if (fills && s[i] == ' ' && column &&
        column + 1 + word_length(s + i + 1, n - i - 1) > MAN_COLUMNS && i + 1 < n) {
      fputc('\n', f);
      column = 0;
      continue;
    }
    const char *escaped = NULL;
    switch (s[i]) {
    case '\\': escaped = "\\e"; break;
    case '-': escaped = "\\-"; break;
    case '^': escaped = "\\(ha"; break;
    case '`': escaped = "\\(ga"; break;
    case '\'': escaped = "\\(aq"; break;
    case '~': escaped = "\\(ti"; break;
    }
    if (escaped) fputs(escaped, f);
    else fputc(s[i], f);
    column = s[i] == '\n' ? 0 : column + (escaped ? strlen(escaped) : 1);
  }
}

static void put(FILE *f, const char *s, size_t n, int begins_line)
{
  put_at(f, s, n, !begins_line, 1);
}

static void line(FILE *f, const char *s)
{
  put(f, s, strlen(s), 1);
  fputc('\n', f);
}

static void as_is(FILE *f, const char *s)
{
  put_at(f, s, strlen(s), 0, 0);
  fputc('\n', f);
}

/* Paragraphs by empty lines; those that begin with a blank are shown as they are. */
static void paragraphs(FILE *f, const char *s)
{
  for (int first = 1; *s; first = 0) {
    const char *end = strstr(s, "\n\n");
    size_t n = end ? (size_t)(end - s) : strlen(s);
    int shown = *s == ' ';
    if (!first) fputs(".PP\n", f);
    if (shown) fputs(".EX\n", f);
    put_at(f, s, n, 0, !shown);
    fputs(shown ? "\n.EE\n" : "\n", f);
    s += n + (end ? 2 : 0);
  }
}

static void functions(FILE *f)
{
  static const struct {
    const char *name;
    int n;
    const char *help;
  } list[] = {
#define ROW(name, n, help) {#name, n, help},
      NS_FUNCTION_LIST(ROW) NS_BLOCK_LIST(ROW)
#undef ROW
  };
  static const char *const arguments[] = {"", "(x)", "(x, y)", "(c, a, b)"};
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    /* Some say themselves how they are called: "if(c, a, b): a where ..." */
    const char *name = list[k].name, *help = list[k].help,
               *said = strncmp(help, name, strlen(name)) ? NULL : strstr(help, "): ");
    const char *called = said ? help + strlen(name) : arguments[list[k].n];
    fprintf(f, ".TP 16\n\\fB%s\\fR%.*s\n", name,
            said ? (int)(said + 1 - called) : (int)strlen(called), called);
    line(f, said ? said + 3 : help);
  }
}

static void prose(FILE *f, const ns_lang_section *all, int before)
{
  for (const ns_lang_section *s = all; s->title; s++) {
    if (s->before != before) continue;
    fputs(".SH ", f);
    line(f, s->title);
    paragraphs(f, s->text);
    if (!strcmp(s->title, "EXPRESSIONS")) functions(f);
  }
}

/* "number in [0, 1], s; default 0.5." */
static void facts(FILE *f, const ns_lang_item *i)
{
  char shape[64], uses[64], buf[600];
  const char *initial = i->initial && *i->initial ? i->initial : "none";
  ns_lang_shape(i, shape, sizeof shape);
  ns_lang_uses(i, uses, sizeof uses);
  int n = snprintf(buf, sizeof buf, "%c%s%s%s%s%s%s%s%s%s%s%s", toupper((unsigned char)*shape),
                   shape + 1, i->choices ? ": " : "", i->choices ? i->choices : "",
                   i->range ? " in " : "", i->range ? i->range : "", i->word ? " or " : "",
                   i->word ? i->word : "", i->unit ? ", unit " : "", i->unit ? i->unit : "",
                   *uses ? "; can depend on " : "", uses);
  for (int k = -1; i->forms && k < NS_LANG_FORM_ATTRIBUTES; k++)
    if (i->forms & 1u << (k + 1))
      n += snprintf(buf + n, sizeof buf - (size_t)n, "%s%s", k < 0 ? "; written as " : ", ",
                    k < 0 ? "text" : ns_lang_form_names[k]);
  snprintf(buf + n, sizeof buf - (size_t)n, i->required ? "; required." : "; default: %s.",
           initial);
  line(f, buf);
}

/* A sentence of the table. Its first letter is put in upper case, unless the first word is one of
 * the language ("adams: for motion ..."). */
static void sentence(FILE *f, const char *s)
{
  size_t word = strcspn(s, " ");
  int of_language = word && s[word - 1] == ':';
  fputc(of_language ? *s : toupper((unsigned char)*s), f);
  put(f, s + 1, strlen(s + 1), 0);
  fputs(".\n", f);
}

static void items(FILE *f, const char *title, const ns_lang_item *i, const char *left,
                  const char *right)
{
  if (!i || !i->name) return;
  fprintf(f, ".PP\n\\fI%s\\fR\n", title);
  for (; i->name; i++) {
    fprintf(f, ".TP 16\n\\fB%s%s%s\\fR\n", left, i->name, right);
    sentence(f, i->help);
    facts(f, i);
    for (const ns_lang_item *a = i->attributes; a && a->name; a++) {
      fprintf(f, ".br\n\\fB%s=\\fR ", a->name);
      put(f, a->help, strlen(a->help), 0);
      fputs(".\n", f);
      facts(f, a);
    }
  }
}

/* "<repeat>", "shape"; of several "<repeat>", "shapes", "forces between bodies". */
static void child(FILE *f, const ns_lang_child *k)
{
  if (k->name) {
    fprintf(f, "<%s>", k->name);
    return;
  }
  const char *text = ns_lang_group_text(k->group);
  size_t word = strcspn(text, " ");
  if (k->max != NS_LANG_MANY) fputs(text, f);
  else if (k->group == NS_LANG_AXIS) fputs("axes", f);
  else fprintf(f, "%.*ss%s", (int)word, text, text + word);
}

static void children(FILE *f, const ns_lang_element *e)
{
  if (!e->children || !e->children->max) return;
  fputs(".PP\n\\fIContains\\fR\n", f);
  for (const ns_lang_child *k = e->children; k->max; k++) {
    const char *many = k->max == NS_LANG_MANY ? "any number of" : k->min ? "one" : "at most one";
    fprintf(f, "%s ", many);
    child(f, k);
    fprintf(f, "%s\n", k[1].max ? "," : ".");
  }
}

static void element(FILE *f, const ns_lang_element *e)
{
  fprintf(f, ".SS <%s>\n", e->name);
  put(f, e->help, strlen(e->help), 1);
  fputs(".\n", f);
  if (e->text) {
    fputs(".PP\n", f);
    paragraphs(f, e->text);
  }
  if (e->more) {
    fputs(".PP\n", f);
    paragraphs(f, e->more);
  }
  items(f, "Attributes", e->attributes, "", "");
  items(f, "Values", e->values, "<", ">");
  if (e->content) items(f, "Text", (const ns_lang_item[]){*e->content, {0}}, "", "");
  children(f, e);
  if (e->example) {
    fputs(".PP\n\\fIExample\\fR\n.PP\n.EX\n", f);
    as_is(f, e->example);
    fputs(".EE\n", f);
  }
}

/* One page: its title, what stands before and after the elements of groups [first, end). */
typedef struct page {
  const char *name, *title, *root;
  const ns_lang_section *prose;
  int first, end;
} page;

static void print_page(FILE *f, const char *version, const char *date, const page *p)
{
  const ns_lang_element *e;
  char title[64];
  fputs(".\\\" SPDX-License-Identifier: GPL-3.0-or-later\n"
        ".\\\" Printed by `nssim explain --man` from the language table; do not edit.\n",
        f);
  fputs(".TH NSSIM\\-", f);
  for (const char *s = p->name; *s; s++) fputc(toupper((unsigned char)*s), f);
  fprintf(f, " 5 \"%s\" \"nssim %s\" \"File formats\"\n", date, version);
  fprintf(f, ".SH NAME\nnssim\\-%s \\- %s\n", p->name, p->title);
  fputs(".SH SYNOPSIS\n.EX\n", f);
  as_is(f, ns_lang_find(p->root)->example);
  fputs(".EE\n", f);
  prose(f, p->prose, 1);
  for (int g = p->first; g < p->end; g++) {
    snprintf(title, sizeof title, "ELEMENTS: %s", ns_lang_group_text((ns_lang_group)g));
    for (char *s = title; *s; s++) *s = (char)toupper((unsigned char)*s);
    fputs(".SH \"", f);
    put(f, title, strlen(title), 0);
    fputs("\"\n", f);
    for (int k = 0; (e = ns_lang_at(k)); k++)
      if ((int)e->group == g) element(f, e);
  }
  prose(f, p->prose, 0);
}

void ns_lang_print_man(FILE *f, const char *version, const char *date)
{
  print_page(f, version, date,
             &(page){"model", "model files of nssim", "model", ns_lang_prose, 0, NS_LANG_STUDY});
}

void ns_lang_print_study_man(FILE *f, const char *version, const char *date)
{
  print_page(f, version, date,
             &(page){"study", "study files of nssim", "study", ns_lang_study_prose, NS_LANG_STUDY,
                     NS_LANG_GROUPS});
}
