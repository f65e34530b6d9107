/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/paths.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Folder of the running program, "" where the system does not say. */
static void program_folder(char buf[PATH_MAX])
{
  ssize_t n = readlink("/proc/self/exe", buf, PATH_MAX - 1);
  buf[n > 0 ? n : 0] = '\0';
  char *slash = strrchr(buf, '/');
  if (slash) *slash = '\0';
}

static int exists(const char *root, const char *below, char *buf, size_t n)
{
  int len = snprintf(buf, n, "%s%s", root, below);
  return *root && len > 0 && (size_t)len < n && access(buf, R_OK) == 0;
}

int ns_paths_models(char *buf, size_t n)
{
  char here[PATH_MAX];
  const char *data = getenv("NSSIM_DATA_DIR");
  if (data && *data) return exists(data, "/models", buf, n);
  program_folder(here);
  return exists(here, "/../models", buf, n) || exists(here, "/../share/nssim/models", buf, n) ||
         exists(NS_DATA_DIR, "/models", buf, n);
}

int ns_paths_hdf5_module(char *buf, size_t n)
{
  char here[PATH_MAX];
  const char *module = getenv("NSSIM_MODULE_PATH");
  if (module && exists(module, "/nssim-hdf5.so", buf, n)) return 1;
  program_folder(here);
  return exists(here, "/modules/nssim-hdf5.so", buf, n) ||
         exists(here, "/../lib/nssim/nssim-hdf5.so", buf, n) ||
         exists(NS_MODULE_DIR, "/nssim-hdf5.so", buf, n);
}
