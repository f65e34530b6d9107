/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.h -- whether a failure of a library is a want of memory, of which many libraries say
 * nothing or something else. */
#ifndef NS_BASE_MEMORY_H
#define NS_BASE_MEMORY_H

/* 1: there are not even 16 MB of address space left, by a limit of the process (ulimit -v, -d) or
 * of the machine. Touches no memory; may be called in a handler of signals. */
int ns_memory_is_short(void);
/* 1: the process has a limit of memory at all. Without one, a file that wants terabytes is a
 * damaged file. */
int ns_memory_is_limited(void);
/* 1: so says the dynamic linker of a library that it could not load (dlerror). It may have given
 * all back again. */
int ns_memory_is_blamed(const char *dlerror_text);

#endif
