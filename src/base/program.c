/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/program.h"

#include <string.h>
#include <unistd.h>

int ns_program_folder(char *buf, size_t n)
{
  ssize_t len = readlink("/proc/self/exe", buf, n - 1);
  buf[len > 0 && (size_t)len < n - 1 ? len : 0] = '\0';
  char *slash = strrchr(buf, '/');
  if (slash) *slash = '\0';
  return slash != NULL;
}
