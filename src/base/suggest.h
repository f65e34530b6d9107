/* SPDX-License-Identifier: GPL-3.0-or-later */
/* suggest.h -- "did you mean": the known name nearest to a mistyped one.
 *
 *   ns_suggest s = ns_suggest_for(name, len);
 *   for (each known name) ns_suggest_offer(&s, known);
 *   if (s.best) ...
 */
#ifndef NS_BASE_SUGGEST_H
#define NS_BASE_SUGGEST_H

#include <stddef.h>

/* Insertions, deletions, substitutions and swaps of neighbours that turn a into b (optimal string
 * alignment: no letter is edited twice; Damerau 1964). A name longer than 64 bytes counts as
 * wholly different: the result is the greater length, at most INT_MAX. */
int ns_edit_distance(const char *a, size_t la, const char *b, size_t lb);

typedef struct ns_suggest {
  const char *name;
  size_t len;
  const char *best; /* nearest offered name, the first of equals; NULL: none near enough */
  int distance;     /* of best */
} ns_suggest;

ns_suggest ns_suggest_for(const char *name, size_t len);
/* Near enough: distance <= max(2, len/3) and < len; or the same but for upper and lower case.
 * `known` is kept, not copied. */
void ns_suggest_offer(ns_suggest *s, const char *known);

/* The name in the folder of a path that is nearest to its last part, among those that end in the
 * same suffix: what was meant by a file that is not there. 1 if there is one, in buf. */
int ns_suggest_file(const char *path, char *buf, size_t size);

#endif
