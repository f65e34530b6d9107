/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quote.h -- quotes of the user's text in messages. */
#ifndef NS_EXPRESSION_QUOTE_H
#define NS_EXPRESSION_QUOTE_H

#include <stddef.h>

/* Returned as a value, so that a message can take ns_quoted(name).text as an argument: that text
 * lives until the call returns (C11, 6.2.4). */
typedef struct ns_quotation {
  char text[320];
} ns_quotation;

/* text[0..len) for a message: a window of some 70 bytes around `at` with "..." where it is cut;
 * white space as blanks, bytes that are neither printable ASCII nor UTF-8 as \xHH. */
ns_quotation ns_quote(const char *text, size_t len, size_t at);
/* The same of a whole text, from its beginning. */
ns_quotation ns_quoted(const char *text);
/* Bytes of the UTF-8 sequence at text[0..len), 0 where there is none. */
size_t ns_utf8_length(const char *text, size_t len);

#endif
