/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.h -- members of a JSON object, with what JSON lacks: NaN and infinities become null.
 *
 * A failed allocation leaves the member out; ns_json_line tells (its result), so that callers may ignore
 * it until then: jansson's calls accept NULL. */
#ifndef NS_CLI_JSON_H
#define NS_CLI_JSON_H

#include <jansson.h>
#include <stdio.h>

void ns_json_real(json_t *object, const char *key, double value);
void ns_json_integer(json_t *object, const char *key, long long value);
void ns_json_text(json_t *object, const char *key, const char *value); /* NULL: null */
/* value is taken over. */
void ns_json_member(json_t *object, const char *key, json_t *value);

/* Write on one line with 9 digits, or indented with all that a double has; the object is freed. 0, or -1 on a write error or NULL. */
int ns_json_line(json_t *object, FILE *f);
int ns_json_page(json_t *object, FILE *f);

#endif
