/* SPDX-License-Identifier: GPL-3.0-or-later */
/* program.h -- where the running program is: its modules, models and header lie beside it. */
#ifndef NS_BASE_PROGRAM_H
#define NS_BASE_PROGRAM_H

#include <stddef.h>

/* Folder of the running program to buf [n], without a slash at its end; "" where the system does
 * not say or it does not fit. 1 if it is known. */
int ns_program_folder(char *buf, size_t n);

#endif
