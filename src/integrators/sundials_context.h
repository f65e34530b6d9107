/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sundials_context.h -- the SUNContext that every object of SUNDIALS 6 needs.
 *
 * SUNContext_Create of 6.4 creates a logger, and if memory runs out in it, writes through NULL or
 * frees twice. A library built without profiling and logging, such as Debian's, passes the context
 * on but never reads it; a context of zeros, without profiler and logger, is then sufficient.
 * Otherwise the context is created by SUNContext_Create. */
#ifndef NS_INTEGRATORS_SUNDIALS_CONTEXT_H
#define NS_INTEGRATORS_SUNDIALS_CONTEXT_H

/* A SUNContext; NULL: out of memory. */
void *ns_sundials_context_create(void);
/* NULL-safe; call it after destroying all objects that use the context */
void ns_sundials_context_destroy(void *sun);

#endif
