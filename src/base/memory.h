/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.h -- tests whether a failure of a library is due to lack of memory, which many libraries
 * do not report, or report wrongly. */
#ifndef NS_BASE_MEMORY_H
#define NS_BASE_MEMORY_H

/* 1 if less than 16 MB of address space is available, because of a limit of the process (ulimit -v,
 * -d) or of the machine. Touches no memory; may be called in signal handlers. */
int ns_memory_is_short(void);
/* 1 if the process has a memory limit. Without one, a file that requires terabytes is damaged. */
int ns_memory_is_limited(void);
/* 1 if the message of the dynamic linker (dlerror) says that memory was lacking; it may have been
 * released again. */
int ns_memory_is_blamed(const char *dlerror_text);

#endif
