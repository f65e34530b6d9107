/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void ns_plugin_append(char *buf, size_t n, const char *fmt, ...)
{
  size_t used = strlen(buf);
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(buf + used, n - used, fmt, ap);
  va_end(ap);
}
