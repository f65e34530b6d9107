/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/paths.h"

#include "base/program.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int exists(const char *root, const char *below, const char *name, char *buf, size_t n)
{
  int len = snprintf(buf, n, "%s%s/%s", root, below, name);
  return *root && len > 0 && (size_t)len < n && access(buf, R_OK) == 0;
}

int ns_paths_data(const char *name, char *buf, size_t n)
{
  char here[PATH_MAX];
  const char *data = getenv("NSSIM_DATA_DIR");
  if (data && *data) return exists(data, "", name, buf, n);
  ns_program_folder(here, sizeof here);
  return exists(here, "/..", name, buf, n) || exists(here, "/../share/nssim", name, buf, n) ||
         exists(NS_DATA_DIR, "", name, buf, n);
}

int ns_paths_is_model(const char *path)
{
  const char *dot = strrchr(path, '.');
  return dot && strcmp(dot, ".xml") == 0;
}
