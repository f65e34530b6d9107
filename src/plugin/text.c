/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

char *ns_plugin_text(ns_arena *a, const char *fmt, ...)
{
  va_list ap;
  va_start(ap, fmt);
  int n = vsnprintf(NULL, 0, fmt, ap);
  va_end(ap);
  char *s = n < 0 ? NULL : ns_arena_get(a, (size_t)n + 1, 1);
  if (!s) return NULL;
  va_start(ap, fmt);
  vsnprintf(s, (size_t)n + 1, fmt, ap);
  va_end(ap);
  return s;
}

void ns_plugin_append(char *buf, size_t n, const char *fmt, ...)
{
  size_t used = strlen(buf);
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(buf + used, n - used, fmt, ap);
  va_end(ap);
}
