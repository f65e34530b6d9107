/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/version.h"

#include "algebra/lapack.h"
#include "io/hdf5_module.h"
#include "nssim/plugin.h"

#include <gsl/gsl_version.h>
#include <jansson.h>
#include <libqhull_r/libqhull_r.h>
#include <libxml/parser.h>
#include <nettle/version.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/SuiteSparse_config.h>
#include <sundials/sundials_config.h>

/* Which LAPACK and BLAS are in use is the machine's choice (update-alternatives): ask at run time.
 * "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..." is cut after the version. */
static void lapack_text(char *buf, size_t n, const ns_lapack *l)
{
  int v[3] = {0, 0, 0};
  if (!l) {
    snprintf(buf, n, "LAPACK not loaded (no matrix needed it)");
    return;
  }
  l->ilaver(&v[0], &v[1], &v[2]);
  const char *text = l->config ? l->config() : "BLAS other than OpenBLAS";
  size_t name = strcspn(text, " ");
  size_t len = l->config && text[name] ? name + 1 + strcspn(text + name + 1, " ") : strlen(text);
  snprintf(buf, n, "LAPACK %d.%d.%d, %.*s", v[0], v[1], v[2], (int)len, text);
}

/* xmlParserVersion reads "20914-GIT..." or "20914". */
static void xml_text(char *buf, size_t n)
{
  long v = strtol(xmlParserVersion, NULL, 10);
  snprintf(buf, n, "libxml2 %ld.%ld.%ld", v / 10000, v / 100 % 100, v % 100);
}

/* qh_version2 reads "qhull_r 8.0.2 (2020.2.r 2020/08/31)". */
static void qhull_text(char *buf, size_t n)
{
  const char *open = strchr(qh_version2, '(');
  size_t len = open ? strspn(open + 1, "0123456789.") : 0;
  while (len && open[len] == '.') len--;
  snprintf(buf, n, "Qhull %.*s", (int)len, open ? open + 1 : "");
}

const char *ns_version_libraries(char *buf, size_t n)
{
  char xml[64], lapack[128], qhull[64];
  xml_text(xml, sizeof xml);
  qhull_text(qhull, sizeof qhull);
  lapack_text(lapack, sizeof lapack, ns_lapack_loaded());
  snprintf(buf, n,
           "%s, jansson %s, nettle %d.%d, %s, SuiteSparse %d.%d.%d, SUNDIALS %s, GSL %s, %s", xml,
           jansson_version_str(), nettle_version_major(), nettle_version_minor(), lapack,
           SUITESPARSE_MAIN_VERSION, SUITESPARSE_SUB_VERSION, SUITESPARSE_SUBSUB_VERSION,
           SUNDIALS_VERSION, GSL_VERSION, qhull);
  return buf;
}

void ns_version_print(FILE *f)
{
  char libraries[256], module[4096];
  fprintf(f, "nssim %s\n", NS_VERSION);
  fprintf(f, "Libraries: %s\n", ns_version_libraries(libraries, sizeof libraries));
  if (ns_hdf5_module_path(module, sizeof module)) fprintf(f, "HDF5 module: %s\n", module);
  else fprintf(f, "HDF5 module: not installed (CSV only)\n");
  fprintf(f, "Plug-in ABI: %d\n", NSSIM_PLUGIN_ABI);
  fprintf(f, "Licence: GPL-3.0-or-later <https://gnu.org/licenses/gpl.html>. There is NO WARRANTY, "
             "to the extent permitted by law.\n");
}
