/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "expression/lex.h"

#include "expression/quote.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_TEXT ((size_t)16 << 20) /* bytes of one formula */
#define MAX_NUMBER 255              /* characters of one number */

static int is_space(char ch) { return ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r'; }
static int is_digit(char ch) { return ch >= '0' && ch <= '9'; }
static int is_letter(char ch)
{
  return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || ch == '_';
}

static char peek(const ns_lexer *x, size_t i) { return i < x->len ? x->text[i] : '\0'; }

int ns_lex_fail(ns_lexer *x, size_t pos, const char *fmt, ...)
{
  char sentence[512];
  if (x->rc != NS_OK) return -1;
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(sentence, sizeof sentence, fmt, ap);
  va_end(ap);
  x->rc = ns_fail(x->c, NS_MODEL, "%s: in \"%s\", column %zu: %s", x->at,
                  ns_quote(x->text, x->len, pos).text, pos + 1, sentence);
  x->kind = NS_TOK_END;
  return -1;
}

int ns_lex_expected(ns_lexer *x, const char *what)
{
  /* operators of other languages */
  static const struct {
    const char *found, *write;
  } word[] = {{"and", "&&"}, {"or", "||"}, {"AND", "&&"}, {"OR", "||"}};
  if (x->kind == NS_TOK_END) return ns_lex_fail(x, x->pos, "found the end, expected %s", what);
  ns_quotation token = ns_quote(x->text + x->pos, x->size, 0);
  for (size_t i = 0; i < sizeof word / sizeof *word; i++)
    if (!strcmp(token.text, word[i].found))
      return ns_lex_fail(x, x->pos, "found \"%s\", write %s", token.text, word[i].write);
  return ns_lex_fail(x, x->pos, "found \"%s\", expected %s", token.text, what);
}

static size_t digits(const ns_lexer *x, size_t i)
{
  while (is_digit(peek(x, i))) i++;
  return i;
}

/* What hangs on a number that ends at `end`, in circuits: a suffix, a unit, both or neither.
 * *power: the exponent of ten, *factor beside it; its length. Where SPICE and a reader may mean
 * different things by it, or it is neither, that is said. */
static size_t suffix(ns_lexer *x, size_t end, int *power, double *factor)
{
  static const struct {
    const char *text;
    int power;
    double factor;
  } list[] = {{"meg", 6, 1}, {"mil", -6, 25.4}, {"T", 12, 1},  {"G", 9, 1},  {"k", 3, 1},
              {"K", 3, 1},   {"m", -3, 1},      {"u", -6, 1},  {"U", -6, 1}, {"n", -9, 1},
              {"N", -9, 1},  {"p", -12, 1},     {"P", -12, 1}, {"f", -15, 1}};
  static const char *const unit[] = {"",     "F",    "H",  "V", "A", "Ohm", "ohm",
                                     "Ohms", "ohms", "Hz", "s", "S", "W"};
  const char *hang = x->text + end;
  size_t n = 0, m = 0;
  while (is_letter(peek(x, end + n)) || is_digit(peek(x, end + n))) n++;
  if (n == 0) return 0;
  if (n == 1 && *hang == 'F') {
    ns_lex_fail(x, x->pos, "%.*s is 1e-15 farad in SPICE, write %.*s for farad or %.*sf for femto",
                (int)(x->size + n), x->text + x->pos, (int)x->size, x->text + x->pos, (int)x->size,
                x->text + x->pos);
    return 0;
  }
  for (size_t i = 0; i < sizeof list / sizeof *list && !m; i++) {
    size_t len = strlen(list[i].text);
    int same = len > 1 ? n >= len && !strncasecmp(hang, list[i].text, len) : *hang == *list[i].text;
    if (!same) continue;
    m = len;
    *power = list[i].power;
    *factor = list[i].factor;
  }
  for (size_t i = 0; i < sizeof unit / sizeof *unit; i++)
    if (strlen(unit[i]) == n - m && !memcmp(hang + m, unit[i], n - m)) return n;
  if (*hang == 'M')
    ns_lex_fail(x, x->pos, "M is milli in SPICE, write %.*sm for milli or %.*smeg for mega",
                (int)x->size, x->text + x->pos, (int)x->size, x->text + x->pos);
  else
    ns_lex_fail(x, x->pos,
                "\"%.*s\" is not a number, expected a suffix T, G, meg, k, m, mil, u, n, p or f "
                "and a unit after it, or * for a product",
                (int)(x->size + n < 40 ? x->size + n : 40), x->text + x->pos);
  return 0;
}

static void number(ns_lexer *x)
{
  size_t end = digits(x, x->pos);
  if (peek(x, end) == '.') end = digits(x, end + 1);
  char e = peek(x, end), sign = peek(x, end + 1);
  if (e == 'e' || e == 'E') {
    size_t exponent = end + 1 + (sign == '+' || sign == '-');
    end = digits(x, exponent);
    if (end == exponent) {
      ns_lex_fail(x, x->pos, "no digits follow \"%c\" in a number", e);
      return;
    }
  }
  x->kind = NS_TOK_NUMBER;
  x->size = end - x->pos;
  char copy[MAX_NUMBER + 8];
  if (x->size > MAX_NUMBER) {
    ns_lex_fail(x, x->pos, "the number has %zu characters, expected at most %d", x->size,
                MAX_NUMBER);
    return;
  }
  memcpy(copy, x->text + x->pos, x->size);
  copy[x->size] = '\0';
  /* The "C" locale is built into the C library: this takes no memory and does not fail. */
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (x->suffixes) {
    int power = 0;
    double factor = 1;
    size_t hang = suffix(x, end, &power, &factor);
    /* 10u is 10e-6 to the last bit, as if it had been written so. */
    if (power && !strpbrk(copy, "eE"))
      snprintf(copy + x->size, sizeof copy - x->size, "e%d", power);
    else factor *= pow(10, power);
    x->number = factor * strtod_l(copy, NULL, plain);
    x->size += hang;
  } else x->number = strtod_l(copy, NULL, plain);
  freelocale(plain);
  if (isinf(x->number))
    ns_lex_fail(x, x->pos, "%s is too large, the largest number is 1.8e308", copy);
}

static void name(ns_lexer *x)
{
  size_t end = x->pos;
  while (is_letter(peek(x, end)) || is_digit(peek(x, end)) || peek(x, end) == '.') end++;
  x->kind = NS_TOK_NAME;
  x->size = end - x->pos;
}

/* A Greek letter is a name elsewhere: "write alpha", of a capital "write Omega". 1: it was one. */
static int stray_greek(ns_lexer *x, size_t n)
{
  static const char *const name[] = {
      "alpha", "beta",   "gamma",   "delta", "epsilon", "zeta",    "eta",  "theta", "iota",
      "kappa", "lambda", "mu",      "nu",    "xi",      "omicron", "pi",   "rho",   "sigma",
      "sigma", "tau",    "upsilon", "phi",   "chi",     "psi",     "omega"};
  enum { LETTERS = sizeof name / sizeof *name, CAPITAL = 0x391, SMALL = 0x3B1, MICRO = 0xB5 };
  if (n != 2) return 0;
  const unsigned char *u = (const unsigned char *)x->text + x->pos;
  int letter = (u[0] & 0x1F) << 6 | (u[1] & 0x3F), small = letter >= SMALL;
  if (letter == MICRO) letter = SMALL + 11, small = 1; /* mu */
  int k = letter - (small ? SMALL : CAPITAL);
  if (k < 0 || k >= LETTERS) return 0;
  if (x->suffixes && small && k == 11)
    ns_lex_fail(x, x->pos, "found \"%.2s\", write u for 1e-6", x->text + x->pos);
  else if (x->suffixes && !small && k == 24)
    ns_lex_fail(x, x->pos, "found \"%.2s\", write the number without it", x->text + x->pos);
  else
    ns_lex_fail(x, x->pos, "found \"%.2s\", write %c%s: names have letters, digits and _",
                x->text + x->pos, small ? name[k][0] : toupper((unsigned char)name[k][0]),
                name[k] + 1);
  return 1;
}

/* A character that no formula holds: say what to write where it is clear. */
static void stray(ns_lexer *x)
{
  static const struct {
    const char *found, *write;
  } hint[] = {{"\xE2\x88\x92", "-"},
              {"\xE2\x80\x93", "-"},
              {"\xC2\xB7", "*"},
              {"\xC3\x97", "*"},
              {"\xE2\x8B\x85", "*"},
              {"\xC3\xB7", "/"},
              {"\xC2\xB2", "^2"},
              {"\xC2\xB3", "^3"},
              {"\xCF\x80", "pi"},
              {"\xE2\x89\xA4", "<="},
              {"\xE2\x89\xA5", ">="},
              {"\xE2\x89\xA0", "!="},
              {"\xC2\xB0", "*pi/180"},
              {"\xE2\x88\x9A", "sqrt(...)"},
              {"\xE2\x84\xA6", "the number without it"},
              {"=", "== to compare, or the value alone"},
              {"%", "a fraction, such as 0.8 for 80 %"},
              {"&", "&&"},
              {"|", "||"}};
  size_t n = ns_utf8_length(x->text + x->pos, x->len - x->pos);
  for (size_t i = 0; i < sizeof hint / sizeof *hint; i++)
    if (n == strlen(hint[i].found) && !memcmp(x->text + x->pos, hint[i].found, n)) {
      ns_lex_fail(x, x->pos, "found \"%s\", write %s", hint[i].found, hint[i].write);
      return;
    }
  if (stray_greek(x, n)) return;
  ns_lex_fail(x, x->pos, "found \"%s\", which a formula cannot contain",
              ns_quote(x->text + x->pos, n ? n : 1, 0).text);
}

static void operator(ns_lexer *x)
{
  static const struct {
    char text[3];
    int kind;
  } two[] = {{"<=", NS_TOK_LE}, {">=", NS_TOK_GE},  {"==", NS_TOK_EQ},
             {"!=", NS_TOK_NE}, {"&&", NS_TOK_AND}, {"||", NS_TOK_OR}};
  char ch = x->text[x->pos], after = peek(x, x->pos + 1);
  for (size_t i = 0; i < sizeof two / sizeof *two; i++)
    if (ch == two[i].text[0] && after == two[i].text[1]) {
      x->kind = two[i].kind;
      x->size = 2;
      return;
    }
  if (ch == '*' && after == '*') ns_lex_fail(x, x->pos, "found \"**\", write ^ for a power");
  else if (ch && strchr("+-*/^()[],?:<>!", ch)) x->kind = ch, x->size = 1;
  else stray(x);
}

void ns_lex_next(ns_lexer *x)
{
  x->pos += x->size;
  while (x->pos < x->len && is_space(x->text[x->pos])) x->pos++;
  x->size = 0;
  x->kind = NS_TOK_END;
  if (x->rc != NS_OK || x->pos >= x->len) return;
  char ch = x->text[x->pos];
  if (is_digit(ch) || (ch == '.' && is_digit(peek(x, x->pos + 1)))) number(x);
  else if (is_letter(ch)) name(x);
  else operator(x);
}

void ns_lex_begin(ns_lexer *x, ns_ctx *c, const char *at, const char *text, size_t len,
                  int suffixes)
{
  while (len && is_space(text[len - 1])) len--;
  while (len && is_space(*text)) text++, len--;
  *x = (ns_lexer){
      .c = c, .at = at, .text = text, .len = len, .suffixes = suffixes, .kind = NS_TOK_END};
  if (len > MAX_TEXT)
    ns_lex_fail(x, 0, "the formula has %zu bytes, expected at most %zu", len, MAX_TEXT);
  ns_lex_next(x);
}
