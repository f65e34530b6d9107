/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number.h -- doubles to and from decimal text, the same in every locale. */
#ifndef NS_IO_NUMBER_H
#define NS_IO_NUMBER_H

#include <stddef.h>

/* size of any double as text with its NUL, and of what fixed-size copies write beyond it */
enum { NS_NUMBER_SIZE = 40 };

/* Write x as printf("%.17g") does in the C locale, byte for byte, but much faster where the
 * compiler supports 128-bit integers. Returns the length; buf ends in NUL. */
size_t ns_number_format(double x, char buf[NS_NUMBER_SIZE]);

#endif
