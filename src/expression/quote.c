/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "expression/quote.h"

#include <stdio.h>
#include <string.h>

#define WINDOW 72 /* bytes shown; each takes at most 4 in the buffer */

static int is_tail(char ch) { return ((unsigned char)ch & 0xc0) == 0x80; }

size_t ns_utf8_length(const char *text, size_t len)
{
  unsigned char c = len ? (unsigned char)text[0] : 0;
  size_t n = c < 0x20 || c == 0x7f ? 0
             : c < 0x80            ? 1
             : c < 0xc2            ? 0
             : c < 0xe0            ? 2
             : c < 0xf0            ? 3
             : c < 0xf5            ? 4
                                   : 0;
  if (n > len) return 0;
  for (size_t i = 1; i < n; i++)
    if (!is_tail(text[i])) return 0;
  return n;
}

static char *show(char *to, const char *text, size_t len)
{
  for (size_t i = 0; i < len;) {
    size_t n = ns_utf8_length(text + i, len - i);
    if (n) memcpy(to, text + i, n), to += n, i += n;
    else if (strchr(" \t\r\n", text[i]) && text[i]) *to++ = ' ', i++;
    else to += sprintf(to, "\\x%02X", (unsigned)(unsigned char)text[i++]);
  }
  return to;
}

ns_quotation ns_quote(const char *text, size_t len, size_t at)
{
  ns_quotation q;
  size_t from = 0, to = len;
  if (len > WINDOW) {
    from = at > WINDOW / 2 ? at - WINDOW / 2 : 0;
    if (from > len - WINDOW) from = len - WINDOW;
    to = from + WINDOW;
    for (int k = 0; k < 3 && from && is_tail(text[from]); k++) from++;
    for (int k = 0; k < 3 && to < len && is_tail(text[to]); k++) to--;
  }
  char *p = q.text;
  if (from) p += sprintf(p, "...");
  p = show(p, text + from, to - from);
  strcpy(p, to < len ? "..." : "");
  return q;
}

ns_quotation ns_quoted(const char *text) { return ns_quote(text, strlen(text), 0); }
