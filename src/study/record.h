/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.h -- lines of manifests and journals: fields by tabs behind a checksum.
 *
 *   LF  16 hex digits of the SHA-256 of the rest  TAB  field  TAB  field ...
 *
 * A record begins with its end of line, so that one cut short by a kill or a full disk spoils no
 * other: the next one stands on a line of its own. In a field \t, \n, \\ stand for tab, end of line
 * and backslash. */
#ifndef NS_STUDY_RECORD_H
#define NS_STUDY_RECORD_H

#include <stddef.h>

/* One record being made; zeroed at first. */
typedef struct ns_record {
  char *text; /* malloced [n of cap] */
  size_t n, cap;
  int lost; /* out of memory: not to be written */
} ns_record;

void ns_record_begin(ns_record *r); /* empties it, keeps its memory */
void ns_record_text(ns_record *r, const char *s);
void ns_record_number(ns_record *r, double x); /* 17 digits */
void ns_record_integer(ns_record *r, long long x);
/* A field "name=x", of one value, or "name=[x,x,...", of an array of any length. */
void ns_record_value(ns_record *r, const char *name, double x);
void ns_record_array(ns_record *r, const char *name, const double *x, size_t n);
/* Put the checksum in its place. 1 if the record is whole. */
int ns_record_seal(ns_record *r);
void ns_record_fini(ns_record *r);

/* The next sound record of text[*pos..n): its first field, where it ends in *end, *pos behind it.
 * NULL: no more. *damaged counts lines that are neither empty nor sound; may be NULL. */
const char *ns_record_next(const char *text, size_t n, size_t *pos, const char **end,
                           long *damaged);
/* Length of the field at s, and the field behind it, NULL where it was the last. */
size_t ns_record_field(const char *s, const char *end, const char **next);
/* Put a field's text into buf, cut at size; returns buf. */
const char *ns_record_unescape(const char *s, size_t n, char *buf, size_t size);

#endif
