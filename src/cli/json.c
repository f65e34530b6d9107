/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/json.h"

#include <math.h>
#include <stdlib.h>

void ns_json_real(json_t *object, const char *key, double value)
{
  json_object_set_new(object, key, isfinite(value) ? json_real(value) : json_null());
}

void ns_json_integer(json_t *object, const char *key, long long value)
{
  json_object_set_new(object, key, json_integer(value));
}

void ns_json_text(json_t *object, const char *key, const char *value)
{
  json_object_set_new(object, key, value ? json_string(value) : json_null());
}

void ns_json_member(json_t *object, const char *key, json_t *value)
{
  json_object_set_new(object, key, value);
}

/* As one text: stderr is not buffered, and its lines should not be torn. */
static int dump(json_t *object, FILE *f, size_t flags)
{
  char *text = object ? json_dumps(object, flags) : NULL;
  int bad = !text || fprintf(f, "%s\n", text) < 0;
  free(text);
  json_decref(object);
  return bad ? -1 : 0;
}

int ns_json_line(json_t *object, FILE *f) { return dump(object, f, JSON_COMPACT | JSON_REAL_PRECISION(9)); }
int ns_json_page(json_t *object, FILE *f) { return dump(object, f, JSON_INDENT(2)); }
