/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sundials_context.h -- the SUNContext that every object of SUNDIALS 6 wants.
 *
 * SUNContext_Create of 6.4 makes a logger, and where memory ends meanwhile writes through NULL or
 * frees twice. A library that is built without profiling and logging, as that of Debian, hands the
 * context on and never looks into it: there zeros serve, a context without profiler and logger.
 * Elsewhere the context is that of SUNContext_Create. */
#ifndef NS_INTEGRATORS_SUNDIALS_CONTEXT_H
#define NS_INTEGRATORS_SUNDIALS_CONTEXT_H

/* A SUNContext; NULL: out of memory. */
void *ns_sundials_context_create(void);
void ns_sundials_context_destroy(void *sun); /* NULL-safe; after all that was made with it */

#endif
