/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/version.h"

#include "cli/paths.h"
#include "nssim/plugin.h"

#include <dlfcn.h>
#include <jansson.h>
#include <libxml/parser.h>
#include <nettle/version.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/SuiteSparse_config.h>

/* Which BLAS is in use is the machine's choice (update-alternatives): ask at run time. */
static void blas_text(char *buf, size_t n)
{
  char *(*config)(void);
  *(void **)&config = dlsym(RTLD_DEFAULT, "openblas_get_config");
  const char *text = config ? config() : NULL; /* "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..." */
  if (!text) {
    snprintf(buf, n, "BLAS other than OpenBLAS");
    return;
  }
  const char *blank = strchr(text, ' ');
  size_t len = blank ? strcspn(blank + 1, " ") : 0;
  snprintf(buf, n, "%.*s", (int)(blank ? (size_t)(blank - text) + 1 + len : strlen(text)), text);
}

static void lapack_text(char *buf, size_t n)
{
  void (*ilaver)(int *, int *, int *);
  *(void **)&ilaver = dlsym(RTLD_DEFAULT, "ilaver_");
  int v[3] = {0, 0, 0};
  if (ilaver) ilaver(&v[0], &v[1], &v[2]);
  snprintf(buf, n, ilaver ? "LAPACK %d.%d.%d" : "no LAPACK", v[0], v[1], v[2]);
}

void ns_version_one_blas_thread(void)
{
  void (*set)(int);
  if (getenv("OPENBLAS_NUM_THREADS") || getenv("OMP_NUM_THREADS")) return;
  *(void **)&set = dlsym(RTLD_DEFAULT, "openblas_set_num_threads");
  if (set) set(1);
}

/* xmlParserVersion reads "20914-GIT..." or "20914". */
static void xml_text(char *buf, size_t n)
{
  long v = strtol(xmlParserVersion, NULL, 10);
  snprintf(buf, n, "libxml2 %ld.%ld.%ld", v / 10000, v / 100 % 100, v % 100);
}

const char *ns_version_libraries(char *buf, size_t n)
{
  char xml[64], blas[64], lapack[64];
  xml_text(xml, sizeof xml);
  blas_text(blas, sizeof blas);
  lapack_text(lapack, sizeof lapack);
  snprintf(buf, n, "%s, jansson %s, nettle %d.%d, %s, %s, SuiteSparse %d.%d.%d", xml, jansson_version_str(),
           nettle_version_major(), nettle_version_minor(), blas, lapack, SUITESPARSE_MAIN_VERSION,
           SUITESPARSE_SUB_VERSION, SUITESPARSE_SUBSUB_VERSION);
  return buf;
}

void ns_version_print(FILE *f)
{
  char libraries[256], module[4096];
  fprintf(f, "nssim %s\n", NS_VERSION);
  fprintf(f, "Libraries: %s\n", ns_version_libraries(libraries, sizeof libraries));
  if (ns_paths_hdf5_module(module, sizeof module))
    fprintf(f, "HDF5 module: %s\n", module);
  else
    fprintf(f, "HDF5 module: not installed (CSV only)\n");
  fprintf(f, "Plug-in ABI: %d\n", NSSIM_PLUGIN_ABI);
  fprintf(f, "Licence: GPL-3.0-or-later <https://gnu.org/licenses/gpl.html>. There is NO WARRANTY,"
             " to the extent permitted by law.\n");
}
