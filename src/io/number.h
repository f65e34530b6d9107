/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number.h -- doubles to and from decimal text, the same in every locale. */
#ifndef NS_IO_NUMBER_H
#define NS_IO_NUMBER_H

#include <stddef.h>

/* any double with its NUL, and what copies of a fixed size write behind that */
enum { NS_NUMBER_SIZE = 40 };

/* x as printf("%.17g") writes it in the C locale, byte for byte, but many times faster where
 * the compiler has integers of 128 bits. Returns the length; buf ends with NUL. */
size_t ns_number_format(double x, char buf[NS_NUMBER_SIZE]);

#endif
