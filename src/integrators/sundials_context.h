/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sundials_context.h -- the SUNContext that every object of SUNDIALS 6 needs.
 *
 * SUNContext_Create of 6.4 creates a logger, and if memory runs out meanwhile, writes through NULL
 * or frees twice. A library built without profiling and logging, such as Debian's, passes the
 * context on and never reads it: there a context of zeros suffices, without profiler and logger.
 * Elsewhere the context is that of SUNContext_Create. */
#ifndef NS_INTEGRATORS_SUNDIALS_CONTEXT_H
#define NS_INTEGRATORS_SUNDIALS_CONTEXT_H

/* A SUNContext; NULL: out of memory. */
void *ns_sundials_context_create(void);
void ns_sundials_context_destroy(void *sun); /* NULL-safe; after all that was made with it */

#endif
