/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "integrators/sundials_context.h"

#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>

#include <stdlib.h>

#if SUNDIALS_VERSION_MAJOR == 6 && SUNDIALS_LOGGING_LEVEL == 0 && \
    !defined(SUNDIALS_BUILD_WITH_PROFILING)

enum { BYTES = 256 }; /* of 32 */

void *ns_sundials_context_create(void) { return calloc(1, BYTES); }
void ns_sundials_context_destroy(void *sun) { free(sun); }

#else

void *ns_sundials_context_create(void)
{
  SUNContext sun = NULL;
  /* half made where it failed: to free it would end the process */
  return SUNContext_Create(NULL, &sun) ? NULL : sun;
}

void ns_sundials_context_destroy(void *sun)
{
  SUNContext own = sun;
  if (own) SUNContext_Free(&own);
}

#endif
