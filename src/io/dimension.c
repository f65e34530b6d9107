/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/dimension.h"

#include "algebra/vector.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SI brochure, 9th edition, tables 2 and 4, and what is used beside SI. prefix: k, m, u, ... may
 * stand before it; is_si: a value in it alone is one in SI. */
static const struct {
  const char *symbol;
  int prefix, is_si;
  ns_dimension d; /* kg m s A K mol cd */
} units[] = {
    {"1", 0, 1, {{0}}},
    {"rad", 1, 1, {{0}}},
    {"deg", 0, 0, {{0}}},
    {"degree", 0, 0, {{0}}},
    {"%", 0, 0, {{0}}},
    {"N", 1, 1, {{1, 1, -2}}}, /* these first: the text of a dimension */
    {"J", 1, 1, {{1, 2, -2}}},
    {"W", 1, 1, {{1, 2, -3}}},
    {"Pa", 1, 1, {{1, -1, -2}}},
    {"V", 1, 1, {{1, 2, -3, -1}}},
    {"ohm", 1, 1, {{1, 2, -3, -2}}},
    {"S", 1, 1, {{-1, -2, 3, 2}}},
    {"F", 1, 1, {{-1, -2, 4, 2}}},
    {"H", 1, 1, {{1, 2, -2, -2}}},
    {"C", 1, 1, {{0, 0, 1, 1}}},
    {"Wb", 1, 1, {{1, 2, -2, -1}}},
    {"T", 1, 1, {{1, 0, -2, -1}}},
    {"kg", 0, 1, {{1}}},
    {"m", 1, 1, {{0, 1}}},
    {"s", 1, 1, {{0, 0, 1}}},
    {"A", 1, 1, {{0, 0, 0, 1}}},
    {"K", 1, 1, {{0, 0, 0, 0, 1}}},
    {"mol", 1, 1, {{0, 0, 0, 0, 0, 1}}},
    {"cd", 1, 1, {{0, 0, 0, 0, 0, 0, 1}}},
    {"g", 1, 0, {{1}}},
    {"t", 0, 0, {{1}}},
    {"Hz", 1, 1, {{0, 0, -1}}},
    {"l", 1, 0, {{0, 3}}},
    {"L", 1, 0, {{0, 3}}},
    {"bar", 1, 0, {{1, -1, -2}}},
    {"min", 0, 0, {{0, 0, 1}}},
    {"h", 0, 0, {{0, 0, 1}}},
};
enum { NUNITS = sizeof units / sizeof *units };

static int index_of(const char *s, size_t n)
{
  for (int i = 0; i < NUNITS; i++)
    if (strlen(units[i].symbol) == n && !memcmp(units[i].symbol, s, n)) return i;
  return -1;
}

static const ns_dimension *find(const char *s, size_t n, int prefixed)
{
  int i = index_of(s, n);
  return i >= 0 && (!prefixed || units[i].prefix) ? &units[i].d : NULL;
}

static const ns_dimension *find_symbol(const char *s, size_t n)
{
  const ns_dimension *d = find(s, n, 0);
  if (d || n < 2) return d;
  if (!strncmp(s, "da", 2) && n > 2) return find(s + 2, n - 2, 1);
  return strchr("GMkhdcmunpf", *s) ? find(s + 1, n - 1, 1) : NULL;
}

ns_dimension ns_dimension_times(const ns_dimension *a, const ns_dimension *b, double power)
{
  ns_dimension d;
  ns_linear_sum(NS_DIMENSIONS, a->power, power, b->power, d.power);
  return d;
}

int ns_dimension_same(const ns_dimension *a, const ns_dimension *b)
{
  for (int k = 0; k < NS_DIMENSIONS; k++)
    if (fabs(a->power[k] - b->power[k]) > 1e-9) return 0; /* roots of roots */
  return 1;
}

int ns_dimension_is_number(const ns_dimension *d)
{
  return ns_dimension_same(d, &(ns_dimension){{0}});
}

int ns_dimension_of(const char *unit, ns_dimension *d)
{
  const char *s = unit;
  double sign = 1;
  *d = (ns_dimension){{0}};
  for (s += strspn(s, " "); *s; s += strspn(s, " *.")) {
    if (*s == '/') {
      sign = -1;
      s += 1 + strspn(s + 1, " ");
    }
    const char *begin = s;
    if (*s == '1' || *s == '%') s++;
    else
      while (isalpha((unsigned char)*s)) s++;
    const ns_dimension *one = s > begin ? find_symbol(begin, (size_t)(s - begin)) : NULL;
    double power = 1;
    char *end = NULL;
    if (*s == '^') s++;
    if (isdigit((unsigned char)*s) || (*s == '-' && isdigit((unsigned char)s[1])))
      power = strtod(s, &end);
    if (end) s = end;
    if (!one || (*s && !strchr(" *./", *s))) return 0;
    *d = ns_dimension_times(d, one, sign * power);
    sign = 1; /* m/s/s, but N m/rad s: as UDUNITS-2 reads it */
  }
  return 1;
}

/* Bytes of "m", "m2", "m^2" or "m^-2" with an SI unit; 0: something else. */
static size_t si_factor(const char *s)
{
  size_t n = 0;
  while (isalpha((unsigned char)s[n])) n++;
  int i = index_of(s, n);
  if (i < 0 || !units[i].is_si) return 0;
  if (s[n] == '^') n += s[n + 1] == '-' ? 2 : 1;
  else if (!isdigit((unsigned char)s[n])) return n;
  /* "m^2.s" is a number to UDUNITS-2, 2. */
  return isdigit((unsigned char)s[n]) && s[n + 1] != '.' ? n + 1 : 0;
}

int ns_dimension_is_si(const char *unit)
{
  if (!strcmp(unit, "1")) return 1;
  const char *s = strncmp(unit, "1/", 2) ? unit : unit + 2;
  for (size_t n = si_factor(s); n; n = si_factor(s)) {
    s += n;
    if (!*s) return 1;
    if (!strchr(" *./", *s)) return 0;
    s++;
  }
  return 0;
}

/* " m^2" */
static size_t put_power(char *buf, size_t at, const char *symbol, double power)
{
  if (power == 1)
    return at + (size_t)snprintf(buf + at, NS_DIMENSION_TEXT - at, "%s%s", at ? " " : "", symbol);
  return at + (size_t)snprintf(buf + at, NS_DIMENSION_TEXT - at, "%s%s^%g", at ? " " : "", symbol,
                               power);
}

ns_dimension_words ns_dimension_text(const ns_dimension *d)
{
  static const char *const base[NS_DIMENSIONS] = {"kg", "m", "s", "A", "K", "mol", "cd"};
  ns_dimension_words w = {""};
  char *buf = w.text;
  size_t at = 0;
  for (int i = 0; i < NUNITS && strcmp(units[i].symbol, "g"); i++)
    if (strcmp(units[i].symbol, "rad") && ns_dimension_same(&units[i].d, d)) {
      snprintf(buf, NS_DIMENSION_TEXT, "%s", units[i].symbol);
      return w;
    }
  for (int k = 0; k < NS_DIMENSIONS && at < NS_DIMENSION_TEXT; k++)
    if (d->power[k] > 1e-9) at = put_power(buf, at, base[k], d->power[k]);
  if (!at) at = (size_t)snprintf(buf, NS_DIMENSION_TEXT, "1");
  for (int k = 0; k < NS_DIMENSIONS && at < NS_DIMENSION_TEXT; k++) {
    if (!(d->power[k] < -1e-9)) continue;
    at += (size_t)snprintf(buf + at, NS_DIMENSION_TEXT - at, d->power[k] == -1 ? "/%s" : "/%s^%g",
                           base[k], -d->power[k]);
  }
  return w;
}
