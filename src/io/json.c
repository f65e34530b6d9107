/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static ns_json made(json_t *value) { return (ns_json){.value = value, .lost = !value}; }

ns_json ns_json_object(void) { return made(json_object()); }
ns_json ns_json_array(void) { return made(json_array()); }

static json_t *real(double value) { return isfinite(value) ? json_real(value) : json_null(); }

/* jansson gives NULL also for text that is not UTF-8; malloc alone says why it failed. */
static json_t *text(const char *value)
{
  errno = 0;
  json_t *s = value ? json_string(value) : json_null();
  return s || errno == ENOMEM ? s : json_null();
}

/* jansson takes the value over, also where it fails, and accepts NULL. */
static void set(ns_json *object, const char *key, json_t *value)
{
  if (json_object_set_new(object->value, key, value) != 0) object->lost = 1;
}

static void append(ns_json *array, json_t *value)
{
  if (json_array_append_new(array->value, value) != 0) array->lost = 1;
}

void ns_json_real(ns_json *object, const char *key, double value) { set(object, key, real(value)); }
void ns_json_integer(ns_json *object, const char *key, long long value)
{
  set(object, key, json_integer(value));
}
void ns_json_flag(ns_json *object, const char *key, int value)
{
  set(object, key, json_boolean(value));
}
void ns_json_text(ns_json *object, const char *key, const char *value)
{
  set(object, key, text(value));
}

void ns_json_member(ns_json *object, const char *key, ns_json value)
{
  object->lost |= value.lost;
  set(object, key, value.value);
}

void ns_json_put_fields(ns_json *object, const ns_json_field *f, size_t n)
{
  for (size_t k = 0; k < n; k++) {
    json_t *value = NULL;
    switch (f[k].kind) {
    case NS_JSON_ABSENT: continue;
    case NS_JSON_IS_REAL: value = real(f[k].real); break;
    case NS_JSON_IS_INTEGER: value = json_integer(f[k].integer); break;
    case NS_JSON_IS_FLAG: value = json_boolean(f[k].integer); break;
    case NS_JSON_IS_TEXT: value = text(f[k].text); break;
    case NS_JSON_IS_MEMBER: value = f[k].member.value; break;
    }
    object->lost |= f[k].member.lost;
    set(object, f[k].key, value);
  }
}

ns_json ns_json_object_of(const ns_json_field *f, size_t n)
{
  ns_json object = ns_json_object();
  ns_json_put_fields(&object, f, n);
  return object;
}

void ns_json_add(ns_json *array, ns_json value)
{
  array->lost |= value.lost;
  append(array, value.value);
}

void ns_json_add_real(ns_json *array, double value) { append(array, real(value)); }
void ns_json_add_text(ns_json *array, const char *value) { append(array, text(value)); }

ns_json ns_json_reals(const double *x, int n)
{
  ns_json all = ns_json_array();
  for (int i = 0; i < n; i++) ns_json_add_real(&all, x[i]);
  return all;
}

/* The text of a value, NULL when out of memory. Measured first, then written into a buffer of that
 * size: jansson 2.14 overlooks the failed growth of its own buffer in the midst of a key. */
static char *page_of(const json_t *value, size_t flags)
{
  size_t n = json_dumpb(value, NULL, 0, flags);
  char *page = n ? malloc(n + 1) : NULL;
  if (page && json_dumpb(value, page, n, flags) != n) {
    free(page);
    return NULL;
  }
  if (page) page[n] = '\0';
  return page;
}

/* In one piece: stderr is not buffered, and its lines should not be torn. */
static int dump(ns_json object, FILE *f, size_t flags)
{
  char *page = object.lost ? NULL : page_of(object.value, flags);
  int bad = !page || fprintf(f, "%s\n", page) < 0;
  free(page);
  json_decref(object.value);
  return bad ? -1 : 0;
}

int ns_json_line(ns_json object, FILE *f)
{
  return dump(object, f, JSON_COMPACT | JSON_REAL_PRECISION(9));
}

int ns_json_page(ns_json object, size_t digits, FILE *f)
{
  return dump(object, f, JSON_INDENT(2) | JSON_REAL_PRECISION(digits));
}
