/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/units.h"

#include "expression/quote.h"
#include "io/dimension.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <udunits2.h>

#define DEGREE 0.017453292519943295 /* rad: pi/180 */

/* Unit, its SI name, factor; a negative factor divides, which rounds better: 57 cm is 0.57. Equal
 * SI names mean equal quantities. */
static const struct {
  const char *text, *si;
  double factor;
} known[] = {
    {"1", "1", 1},
    {"rad", "rad", 1},
    {"deg", "rad", DEGREE},
    {"%", "1", -100},
    {"m", "m", 1},
    {"km", "m", 1e3},
    {"dm", "m", -10},
    {"cm", "m", -100},
    {"mm", "m", -1e3},
    {"um", "m", -1e6},
    {"m^2", "m^2", 1},
    {"m^3", "m^3", 1},
    {"kg", "kg", 1},
    {"g", "kg", -1e3},
    {"mg", "kg", -1e6},
    {"t", "kg", 1e3},
    {"s", "s", 1},
    {"ms", "s", -1e3},
    {"us", "s", -1e6},
    {"min", "s", 60},
    {"h", "s", 3600},
    {"Hz", "1/s", 1},
    {"kHz", "1/s", 1e3},
    {"1/s", "1/s", 1},
    {"m/s", "m/s", 1},
    {"mm/s", "m/s", -1e3},
    {"cm/s", "m/s", -100},
    {"m/s^2", "m/s^2", 1},
    {"rad/s", "rad/s", 1},
    {"deg/s", "rad/s", DEGREE},
    {"rad/s^2", "rad/s^2", 1},
    {"N", "N", 1},
    {"mN", "N", -1e3},
    {"kN", "N", 1e3},
    {"N/m", "N/m", 1},
    {"N/mm", "N/m", 1e3},
    {"kN/m", "N/m", 1e3},
    {"N*m", "J", 1},
    {"N*s", "N s", 1},
    {"N*s/m", "N s/m", 1},
    {"N*m/rad", "N m/rad", 1},
    {"N*m*s/rad", "N m s/rad", 1},
    {"kg*m^2", "kg m^2", 1},
    {"kg/s", "N s/m", 1},
    {"kg/m^3", "kg/m^3", 1},
    {"kg*m/s", "N s", 1},
    {"J", "J", 1},
    {"W", "W", 1},
    {"Pa", "Pa", 1},
    {"kPa", "Pa", 1e3},
    {"MPa", "Pa", 1e6},
    {"GPa", "Pa", 1e9},
    {"V", "V", 1},
    {"mV", "V", -1e3},
    {"A", "A", 1},
    {"mA", "A", -1e3},
    {"ohm", "ohm", 1},
    {"kohm", "ohm", 1e3},
    {"F", "F", 1},
    {"mF", "F", -1e3},
    {"uF", "F", -1e6},
    {"H", "H", 1},
    {"mH", "H", -1e3},
    {"uH", "H", -1e6},
    {"nH", "H", -1e9},
    {"K", "K", 1},
    {"nF", "F", -1e9},
    {"pF", "F", -1e12},
    {"uA", "A", -1e6},
    {"kV", "V", 1e3},
    {"Mohm", "ohm", 1e6},
    {"S", "S", 1},
    {"mS", "S", -1e3},
    {"uS", "S", -1e6},
    {"kW", "W", 1e3},
    {"mW", "W", -1e3},
    {"MHz", "1/s", 1e6},
    {"ns", "s", -1e9},
};
enum { NKNOWN = sizeof known / sizeof *known };

static int find_known(const char *text)
{
  for (int i = 0; i < NKNOWN; i++)
    if (!strcmp(known[i].text, text)) return i;
  return -1;
}

struct ns_units {
  ut_system *system;
};

/* UDUNITS-2 keeps its status and its message handler in globals: one thread at a time, and the
 * handler is put back. */
static pthread_mutex_t udunits = PTHREAD_MUTEX_INITIALIZER;

typedef struct silence {
  ut_error_message_handler before;
} silence;

static silence enter(void)
{
  pthread_mutex_lock(&udunits);
  return (silence){ut_set_error_message_handler(ut_ignore)};
}

static void leave(silence s)
{
  ut_set_error_message_handler(s.before);
  pthread_mutex_unlock(&udunits);
}

static ns_units *loaded(ns_units **u)
{
  if (*u) return *u;
  ns_units *n = calloc(1, sizeof *n);
  if (!n) return NULL;
  n->system = ut_read_xml(NULL);
  ut_unit *degree = n->system ? ut_get_unit_by_name(n->system, "degree") : NULL;
  if (degree) ut_map_name_to_unit("deg", UT_ASCII, degree); /* it lacks the common name */
  ut_free(degree);
  return *u = n;
}

void ns_units_destroy(ns_units *u)
{
  if (!u) return;
  silence s = enter();
  if (u->system) ut_free_system(u->system);
  leave(s);
  free(u);
}

/* ---- the SI unit of the same quantity -------------------------------------------------------- */

static const ut_visitor to_si;

static ut_status basic(const ut_unit *unit, void *to)
{
  *(ut_unit **)to = ut_clone(unit);
  return UT_SUCCESS;
}
static ut_status product(const ut_unit *unit, int n, const ut_unit *const *basics,
                         const int *powers, void *to)
{
  (void)n, (void)basics, (void)powers;
  return basic(unit, to);
}
static ut_status galilean(const ut_unit *unit, double scale, const ut_unit *underlying,
                          double origin, void *to)
{
  (void)unit, (void)scale, (void)origin;
  return ut_accept_visitor(underlying, &to_si, to);
}
static ut_status timestamp(const ut_unit *unit, const ut_unit *t, double origin, void *to)
{
  (void)unit, (void)t, (void)origin, (void)to;
  return UT_BAD_ARG;
}
static ut_status logarithmic(const ut_unit *unit, double base, const ut_unit *ref, void *to)
{
  (void)unit, (void)base, (void)ref, (void)to;
  return UT_BAD_ARG;
}
static const ut_visitor to_si = {basic, product, galilean, timestamp, logarithmic};

/* 0: done, 1: no unit, 2: no fixed relation to SI. */
static int ask_udunits(const ns_units *u, const char *text, int n, const double *value, double *si)
{
  ut_unit *unit = ut_parse(u->system, text, UT_UTF8), *base = NULL;
  if (!unit) return 1;
  int bad = 2;
  if (ut_accept_visitor(unit, &to_si, &base) == UT_SUCCESS && base) {
    cv_converter *k = ut_get_converter(unit, base);
    if (k) {
      cv_convert_doubles(k, value, (size_t)n, si);
      bad = 0;
      cv_free(k);
    }
  }
  ut_free(base);
  ut_free(unit);
  return bad;
}

enum { LONGEST = 64 };

/* ---- units that are something else than was meant -------------------------------------------- */

/* A unit that UDUNITS-2 takes for a rare one: what it is and what to write; NULL: it is as it
 * stands. ms^-2 is not m s^-2, gr is not g. */
static const char *misread(const char *text)
{
  if (!strcmp(text, "gr")) return "is the grain, 64.8 mg; write g, or grain";
  if (strncmp(text, "ms", 2) || (text[2] != '^' && text[2] != '-')) return NULL;
  return strchr(text, '-') ? "means milliseconds; write m/s, m/s^2, ..., or 1/ms, 1/ms^2" : NULL;
}

/* Common units, one after the other without a sign: Nms is N*m*s. 1: text is made of them. */
static int put_signs(const char *text, char *buf, size_t size)
{
  static const char *const units[] = {"kg", "N", "m", "s", "V", "A", "W", "J", "rad"};
  size_t n = 0;
  for (int k = 0; *text; k++) {
    size_t len = 0;
    for (size_t i = 0; i < sizeof units / sizeof *units && !len; i++)
      if (!strncmp(text, units[i], strlen(units[i]))) len = strlen(units[i]);
    if (!len || n + len + 2 > size) return 0;
    if (k) buf[n++] = '*';
    memcpy(buf + n, text, len);
    text += len;
    n += len;
    if (*text == '^' || *text == '/')
      do {
        if (n + 2 > size) return 0;
        buf[n++] = *text++;
      } while (isdigit((unsigned char)*text) || *text == '^');
    if (n && buf[n - 1] == '/') k = -1;
  }
  buf[n] = 0;
  return n > 0;
}

/* The unit that was meant by a text that is none, in buf; NULL where nobody knows. */
static const char *meant(ns_units **u, const char *text, char *buf, size_t size)
{
  static const char *const none[] = {"-", "--", "none", "dimensionless", "no unit"};
  size_t n = strlen(text), cut = n > 2 && text[0] == '[' && text[n - 1] == ']';
  char si[LONGEST];
  if (n >= size) return NULL;
  for (size_t i = 0; i < sizeof none / sizeof *none; i++)
    if (!strcmp(text, none[i])) return "1";
  for (int i = 0; i < NKNOWN; i++)
    if (!strcasecmp(text, known[i].text)) return known[i].text;
  if (put_signs(text, buf, size) && *ns_units_si_name(u, buf, si, sizeof si)) return buf;
  snprintf(buf, size, "%.*s", (int)(n - 2 * cut), text + cut);
  if (!cut && n > 2 && text[n - 1] == 's') buf[n - 1] = 0; /* a plural */
  return strcmp(buf, text) && *ns_units_si_name(u, buf, si, sizeof si) ? buf : NULL;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* 0: done, 1: no unit, 2: no fixed relation to SI, 3: no database, 4: no memory, 5: misread. */
static int convert(ns_units **u, const char *text, int n, const double *value, double *si)
{
  int i = find_known(text);
  for (int k = 0; i >= 0 && k < n; k++)
    si[k] = known[i].factor > 0 ? value[k] * known[i].factor : value[k] / -known[i].factor;
  if (i >= 0) return 0;
  if (strlen(text) > LONGEST) return 1;
  if (misread(text)) return 5;
  if (ns_dimension_is_si(text)) {
    memcpy(si, value, (size_t)n * sizeof *si);
    return 0;
  }
  silence s = enter();
  ns_units *all = loaded(u);
  int bad = !all ? 4 : !all->system ? 3 : ask_udunits(all, text, n, value, si);
  leave(s);
  return bad;
}

int ns_units_to_si(ns_units **u, ns_ctx *c, const char *at, const char *text, double value,
                   double *si)
{
  char buf[LONGEST];
  const char *near;
  ns_quotation quoted = ns_quoted(text);
  switch (convert(u, text, 1, &value, si)) {
  case 0: return NS_OK;
  case 4: return ns_nomem(c, "units");
  case 3:
    return ns_fail(c, NS_MODEL,
                   "%s: unit \"%s\" needs the database of UDUNITS-2, which cannot be read, "
                   "expected an SI unit such as m or kg",
                   at, quoted.text);
  case 2:
    return ns_fail(
        c, NS_MODEL,
        "%s: unit \"%s\" is a date or a logarithm, expected one with a fixed relation to SI", at,
        quoted.text);
  case 5: return ns_fail(c, NS_MODEL, "%s: unit \"%s\" %s", at, quoted.text, misread(text));
  default:
    if ((near = meant(u, text, buf, sizeof buf)))
      return ns_fail(c, NS_MODEL, "%s: \"%s\" is not a unit, did you mean \"%s\"?", at, quoted.text,
                     near);
    return ns_fail(c, NS_MODEL,
                   "%s: \"%s\" is not a unit, expected one such as m, cm, kg, N/m, rad, deg", at,
                   quoted.text);
  }
}

int ns_units_is_common(const char *text) { return find_known(text) >= 0; }

int ns_units_is_si(ns_units **u, const char *text)
{
  const double value[2] = {0, 1};
  double si[2];
  return !convert(u, text, 2, value, si) && si[0] == 0 && si[1] == 1;
}

int ns_units_same_quantity(ns_units **u, const char *a, const char *b)
{
  int i = find_known(a), j = find_known(b);
  if (!strcmp(a, b)) return 1;
  if (strlen(a) > LONGEST || strlen(b) > LONGEST) return 0;
  if (i >= 0 && j >= 0 && !strcmp(known[i].si, known[j].si)) return 1;
  silence s = enter();
  ns_units *n = loaded(u);
  int same = 0;
  if (n && n->system) {
    ut_unit *x = ut_parse(n->system, a, UT_UTF8), *y = ut_parse(n->system, b, UT_UTF8);
    same = x && y && ut_are_convertible(x, y);
    ut_free(x);
    ut_free(y);
  }
  leave(s);
  return same;
}

/* The SI unit of the quantity that `text` measures. */
static int si_name(const ns_units *u, const char *text, char *buf, size_t n)
{
  ut_unit *unit = ut_parse(u->system, text, UT_UTF8), *base = NULL;
  int len = -1;
  if (unit && ut_accept_visitor(unit, &to_si, &base) == UT_SUCCESS && base)
    len = ut_format(base, buf, n, UT_ASCII);
  ut_free(base);
  ut_free(unit);
  return len >= 0 && (size_t)len < n;
}

const char *ns_units_si_name(ns_units **u, const char *text, char *buf, size_t n)
{
  int i = find_known(text);
  if (i >= 0) return known[i].factor == 1 ? text : known[i].si;
  if (strlen(text) > LONGEST) return "";
  silence s = enter();
  ns_units *all = loaded(u);
  int done = all && all->system && si_name(all, text, buf, n);
  leave(s);
  return done ? buf : "";
}
