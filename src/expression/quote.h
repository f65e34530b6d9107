/* SPDX-License-Identifier: GPL-3.0-or-later */
/* quote.h -- quotes of the user's text in messages. */
#ifndef NS_EXPRESSION_QUOTE_H
#define NS_EXPRESSION_QUOTE_H

#include <stddef.h>

#define NS_QUOTE_BYTES 320

/* text[0..len) for a message: a window of some 70 bytes around `at` with "..." where it is cut;
 * white space as blanks, bytes that are neither printable ASCII nor UTF-8 as \xHH. */
void ns_quote(char buf[NS_QUOTE_BYTES], const char *text, size_t len, size_t at);
/* Bytes of the UTF-8 sequence at text[0..len), 0 where there is none. */
size_t ns_utf8_length(const char *text, size_t len);

#endif
