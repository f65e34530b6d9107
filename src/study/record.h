/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.h -- records of manifests and journals: a checksum and fields separated by tabs.
 *
 *   LF  16 hex digits of the SHA-256 of the rest  TAB  field  TAB  field ...
 *
 * A record begins with the end-of-line character. If a kill or a full disk truncates a record, the
 * next record therefore starts on a new line and remains readable. In a field, \t, \n and \\ stand
 * for tab, end of line and backslash. */
#ifndef NS_STUDY_RECORD_H
#define NS_STUDY_RECORD_H

#include "base/grow.h"

/* A record that is being assembled; initially zeroed. One that is lost must not be written. */
typedef ns_buffer ns_record;

void ns_record_begin(ns_record *r); /* empties it, but keeps its memory */
void ns_record_text(ns_record *r, const char *s);
void ns_record_number(ns_record *r, double x); /* 17 digits */
void ns_record_integer(ns_record *r, long long x);
/* A field "name=x" with one value, or "name=[x,x,..." with an array of any length. */
void ns_record_value(ns_record *r, const char *name, double x);
void ns_record_array(ns_record *r, const char *name, const double *x, size_t n);
/* Insert the checksum. Returns 1 if the record is complete. */
int ns_record_seal(ns_record *r);
void ns_record_fini(ns_record *r);

/* Next valid record of text[*pos..n). Returns its first field, sets *end to its end and *pos behind
 * it; NULL: no more. *damaged counts lines that are neither empty nor valid; may be NULL. */
const char *ns_record_next(const char *text, size_t n, size_t *pos, const char **end,
                           long *damaged);
/* Length of the field at s; *next is the following field, NULL after the last. */
size_t ns_record_field(const char *s, const char *end, const char **next);
/* Copy the text of a field to buf, cut at size; returns buf. */
const char *ns_record_unescape(const char *s, size_t n, char *buf, size_t size);

#endif
