/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.h -- JSON objects and arrays, built member by member. NaN and infinities become null. If
 * memory runs out, ns_json_line or ns_json_page reports it at the end, so that no incomplete object
 * is written. */
#ifndef NS_IO_JSON_H
#define NS_IO_JSON_H

#include <jansson.h>
#include <stdio.h>

typedef struct ns_json {
  json_t *value; /* owned until it is written or inserted into another value */
  int lost;      /* out of memory in this value or one of its members */
} ns_json;

ns_json ns_json_object(void);
ns_json ns_json_array(void);

/* A member of an object: NS_JSON_REAL("t", t), and so on. */
typedef struct ns_json_field {
  const char *key;
  enum {
    NS_JSON_ABSENT, /* no member */
    NS_JSON_IS_REAL,
    NS_JSON_IS_INTEGER,
    NS_JSON_IS_FLAG,
    NS_JSON_IS_TEXT,
    NS_JSON_IS_MEMBER
  } kind;
  double real;
  long long integer;
  const char *text;
  ns_json member;
} ns_json_field;
#define NS_JSON_REAL(k, x) ((ns_json_field){.key = (k), .kind = NS_JSON_IS_REAL, .real = (x)})
#define NS_JSON_INTEGER(k, x) \
  ((ns_json_field){.key = (k), .kind = NS_JSON_IS_INTEGER, .integer = (x)})
#define NS_JSON_FLAG(k, x) ((ns_json_field){.key = (k), .kind = NS_JSON_IS_FLAG, .integer = (x)})
/* NULL or not UTF-8: null */
#define NS_JSON_TEXT(k, x) ((ns_json_field){.key = (k), .kind = NS_JSON_IS_TEXT, .text = (x)})
#define NS_JSON_MEMBER(k, x) ((ns_json_field){.key = (k), .kind = NS_JSON_IS_MEMBER, .member = (x)})

/* Members in this order; ns_json_of is a new object with them. */
void ns_json_put_fields(ns_json *object, const ns_json_field *f, size_t n);
ns_json ns_json_object_of(const ns_json_field *f, size_t n);
#define NS_JSON_FIELDS(...) \
  (const ns_json_field[]){__VA_ARGS__}, \
      sizeof((const ns_json_field[]){__VA_ARGS__}) / sizeof(ns_json_field)
#define ns_json_put(object, ...) ns_json_put_fields(object, NS_JSON_FIELDS(__VA_ARGS__))
#define ns_json_of(...) ns_json_object_of(NS_JSON_FIELDS(__VA_ARGS__))

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
ns_json ns_json_reals(const double *x, int n); /* an array */
void ns_json_add_text(ns_json *array, const char *value);

/* Write on one line with 9 digits, or indented with the given number of digits (17: exact; 15: as
 * written by a person), and free the object. Returns 0, or -1 if memory ran out (nothing is
 * written) or writing failed. */
int ns_json_line(ns_json object, FILE *f);
int ns_json_page(ns_json object, size_t digits, FILE *f);

#endif
