/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.h -- JSON objects and arrays member by member, with what jansson leaves to its callers: NaN
 * and infinities become null, and a value lost for want of memory is told at the end, by
 * ns_json_line or ns_json_page, so that no half of an object is ever written. */
#ifndef NS_CLI_JSON_H
#define NS_CLI_JSON_H

#include <jansson.h>
#include <stdio.h>

typedef struct ns_json {
  json_t *value; /* owned until it is written or put into another */
  int lost;      /* out of memory somewhere below */
} ns_json;

ns_json ns_json_object(void);
ns_json ns_json_array(void);

/* Members of an object. */
void ns_json_real(ns_json *object, const char *key, double value);
void ns_json_integer(ns_json *object, const char *key, long long value);
void ns_json_flag(ns_json *object, const char *key, int value);
/* NULL or not UTF-8: null */
void ns_json_text(ns_json *object, const char *key, const char *value);
void ns_json_member(ns_json *object, const char *key, ns_json value);

/* Items of an array. */
void ns_json_add(ns_json *array, ns_json value);
void ns_json_add_real(ns_json *array, double value);
void ns_json_add_text(ns_json *array, const char *value);

/* Write on one line with 9 digits, or indented with so many digits (17: all that a double has; 15:
 * as a person wrote it); freed. 0, or -1 where memory was lost (then nothing is written) or the
 * write failed. */
int ns_json_line(ns_json object, FILE *f);
int ns_json_page(ns_json object, size_t digits, FILE *f);

#endif
