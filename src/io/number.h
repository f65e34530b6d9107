/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number.h -- doubles to and from decimal text, the same in every locale. */
#ifndef NS_IO_NUMBER_H
#define NS_IO_NUMBER_H

#include <stddef.h>

enum { NS_NUMBER_SIZE = 32 }; /* enough for any double with its NUL */

/* x as printf("%.17g") writes it in the C locale, byte for byte, but several times faster where
 * the platform's long double has 64 bits or more. Returns the length; buf ends with NUL. */
size_t ns_number_format(double x, char buf[NS_NUMBER_SIZE]);

#endif
