/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/declaration.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- text ------------------------------------------------------------------------------------ */

/* A copy without comments, strings and lines of the preprocessor; malloced, NULL: out of memory. */
static char *bare(const char *s)
{
  char *copy = malloc(strlen(s) + 1), *to = copy;
  for (char quote = 0; copy && *s; s++) {
    if (quote) {
      if (*s == '\\' && s[1]) s++;
      else if (*s == quote) quote = 0;
      continue;
    }
    if (s[0] == '/' && s[1] == '/') s += strcspn(s, "\n");
    else if (s[0] == '/' && s[1] == '*') {
      const char *end = strstr(s + 2, "*/");
      s = end ? end + 1 : s + strlen(s) - 1;
      *to++ = ' ';
      continue;
    } else if (*s == '"' || *s == '\'') quote = *s;
    if (!*s) break;
    *to++ = *s;
  }
  if (copy) *to = 0;
  return copy;
}

static int is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The next word, cut to 31 letters; 0 at the end. */
static int next_word(const char **s, const char *end, char *word)
{
  while (*s < end && !is_word(**s)) ++*s;
  size_t n = 0;
  for (; *s < end && is_word(**s); ++*s)
    if (n < 31) word[n++] = **s;
  word[n] = 0;
  return n > 0;
}

/* One argument of [s, end); 0: no type of plug-ins. */
static int take_argument(const char *s, const char *end, ns_declaration *d)
{
  static const char *const sizes[] = {"unsigned", "int", "uint", "size_t", "integer", NULL};
  int constant = 0, is_double = 0, is_size = 0;
  char word[32], *name = d->name[d->n];
  int pointer = memchr(s, '*', (size_t)(end - s)) || memchr(s, '&', (size_t)(end - s)) ||
                memchr(s, '[', (size_t)(end - s));
  *name = 0;
  while (next_word(&s, end, word)) {
    int known = 1;
    if (!strcmp(word, "const")) constant = 1;
    else if (!strcmp(word, "double")) is_double = 1;
    else known = 0;
    for (int k = 0; sizes[k] && !known; k++)
      if (!strcmp(word, sizes[k])) known = is_size = 1;
    if (!strcmp(word, "long") || !strcmp(word, "register")) known = 1;
    if (!known) memcpy(name, word, sizeof word);
  }
  if (is_double == is_size || d->n == NS_DECLARATION_ARGUMENTS) return 0;
  if (is_size) d->type[d->n] = pointer ? 'N' : 'U';
  else if (!pointer) d->type[d->n] = 'D';
  else d->type[d->n] = constant ? 'V' : 'O';
  d->n++;
  return 1;
}

/* Arguments from behind the parenthesis on. */
static int take_list(const char *s, ns_declaration *d)
{
  const char *end = strchr(s, ')');
  d->n = 0;
  if (!end || memchr(s, '(', (size_t)(end - s))) return 0;
  while (s < end) {
    const char *comma = memchr(s, ',', (size_t)(end - s)), *stop = comma ? comma : end;
    if (d->n == NS_DECLARATION_ARGUMENTS || !take_argument(s, stop, d)) return 0;
    s = stop + 1;
  }
  return d->n > 0;
}

int ns_declaration_find(const char *text, const char *function, ns_declaration *d)
{
  char *copy = bare(text);
  size_t n = strlen(function);
  int found = 0;
  for (const char *p = copy; p && !found && (p = strstr(p, function)); p += n) {
    const char *s = p + n;
    if ((p > copy && is_word(p[-1])) || is_word(*s)) continue;
    while (isspace((unsigned char)*s)) s++;
    found = *s == '(' && take_list(s + 1, d);
  }
  free(copy);
  return found;
}

/* ---- which window ---------------------------------------------------------------------------- */

/* Word k of a list "(&n, q, out)", without its &. */
static void argument_at(const char *list, int k, char *word)
{
  const char *s = list, *end = list + strlen(list);
  do next_word(&s, end, word);
  while (k--);
}

static int is_parameter(const char *name)
{
  return !strcasecmp(name, "z") || strcasestr(name, "param") || strcasestr(name, "user");
}

/* How well a list fits, -1: not at all. A pointer to what is read fits one that may be written, and
 * the other way round: old sources say const here and there. A result is never const. */
static int fit(const ns_declaration *d, const ns_plugin_form *f)
{
  int k = 0, score = 1;
  for (const char *t = f->types; *t; t++) {
    char word[32];
    if (!strchr("UNDVO", *t)) continue;
    if (k == d->n) return -1;
    argument_at(f->arguments, k, word);
    int pointer = *t == 'V' || *t == 'O', given = d->type[k] == 'V' || d->type[k] == 'O';
    if (pointer ? !given : *t != d->type[k]) return -1;
    if (!strcmp(word, "out") && d->type[k] == 'V') return -1;
    if (!strcmp(word, "z") ? 0 : is_parameter(d->name[k])) return -1;
    if (!strcmp(word, "z") && is_parameter(d->name[k])) score += 2;
    if (!strcmp(word, "t") && strcasestr(d->name[k], "time")) score++;
    if (*word == 'q' && strchr("qxQX", *d->name[k]) && *d->name[k]) score++;
    k++;
  }
  return k == d->n ? score : -1;
}

const char *ns_declaration_window(const ns_declaration *d, ns_signature sig)
{
  const ns_plugin_form *f;
  int best = fit(d, ns_plugin_form_today(sig)), tie = 0;
  const char *window = "F";
  for (int k = 0; (f = ns_plugin_form_old(k)); k++) {
    int score = f->sig == sig ? fit(d, f) : -1;
    if (score == best && score > 0 && strcmp(window, "F")) tie = 1;
    if (score <= best) continue;
    best = score;
    window = f->abi;
    tie = 0;
  }
  return best < 0 || tie ? NULL : window;
}
