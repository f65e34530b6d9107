/* SPDX-License-Identifier: GPL-3.0-or-later */
/* program.h -- location of the running program, relative to which its modules, models and header
 * are found. */
#ifndef NS_BASE_PROGRAM_H
#define NS_BASE_PROGRAM_H

#include <stddef.h>

/* Folder of the running program to buf [n], without a trailing slash; "" if it is unknown or does
 * not fit. Returns 1 if it is known. */
int ns_program_folder(char *buf, size_t n);

#endif
