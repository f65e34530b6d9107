/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/hdf5_module.h"

#include "base/memory.h"
#include "base/program.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4096 };
#ifndef NS_MODULE_DIR /* the folder of an installation */
#define NS_MODULE_DIR ""
#endif
#define FILE_NAME "nssim-hdf5.so"

/* The module in dir/sub; 1 if there is such a file. */
static int found(char *path, size_t size, const char *dir, const char *sub)
{
  if (!dir || !*dir) return 0;
  int n = snprintf(path, size, "%s%s/" FILE_NAME, dir, sub);
  return n > 0 && (size_t)n < size && access(path, R_OK) == 0;
}

int ns_hdf5_module_path(char *path, size_t n)
{
  char dir[PATH];
  if (found(path, n, getenv("NSSIM_MODULE_PATH"), "")) return 1;
  ns_program_folder(dir, sizeof dir);
  if (found(path, n, dir, "/modules") || found(path, n, dir, "/../lib/nssim")) return 1;
  if (*NS_MODULE_DIR && found(path, n, NS_MODULE_DIR, "")) return 1;
  return 0;
}

static const ns_hdf5_module *refuse(ns_ctx *c, int rc, const char *path, const char *why)
{
  if (ns_memory_is_short() || ns_memory_is_blamed(why))
    ns_fail(c, NS_NOMEM, "out of memory (%s: %s)", path, why);
  else ns_fail(c, rc, "%s: %s; HDF5 files cannot be used; for CSV write \"-o out.csv\"", path, why);
  return NULL;
}

/* The module uses functions and structures of this program: those of another version or build may
 * differ without a sign. */
static int is_of_this_build(ns_ctx *c, int rc, const char *path, const ns_hdf5_module *m)
{
  char why[160];
  if (strcmp(m->version, NS_VERSION) != 0)
    snprintf(why, sizeof why,
             "is of nssim %.40s, expected the module of this program, nssim " NS_VERSION
             "; install both from one package",
             m->version);
  else if (m->abi != NS_HDF5_ABI || strcmp(m->headers, NS_HEADERS) != 0)
    snprintf(why, sizeof why,
             "is of another build of nssim " NS_VERSION
             " than this program; install both from one build");
  else return 1;
  refuse(c, rc, path, why);
  return 0;
}

const ns_hdf5_module *ns_hdf5_module_load(ns_ctx *c, int rc)
{
  char path[PATH];
  if (!ns_hdf5_module_path(path, sizeof path)) {
    char why[PATH];
    snprintf(why, sizeof why,
             "is not next to the program, in ../lib/nssim%s%s; install it, or name its folder in "
             "NSSIM_MODULE_PATH",
             *NS_MODULE_DIR ? " or in " : "", NS_MODULE_DIR);
    return refuse(c, rc, FILE_NAME, why);
  }
  /* Never unloaded: HDF5 does not survive that, and the linker keeps one copy anyway. */
  void *lib = dlopen(path, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  if (!lib) {
    const char *why = dlerror();
    return refuse(c, rc, path, why ? why : "cannot be loaded");
  }
  ns_hdf5_module_getter get;
  void *sym = dlsym(lib, NS_HDF5_SYMBOL);
  memcpy(&get, &sym, sizeof get); /* ISO C has no cast from object to function pointer */
  if (!sym) return refuse(c, rc, path, "is not a module of nssim");
  const ns_hdf5_module *m = get();
  return is_of_this_build(c, rc, path, m) ? m : NULL;
}
