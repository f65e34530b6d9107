/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paths.h -- paths of the program's own files, in the source tree of a build or installed. */
#ifndef NS_CLI_PATHS_H
#define NS_CLI_PATHS_H

#include <stddef.h>

/* Find a file or folder `name` ("models") that comes with nssim: only $NSSIM_DATA_DIR/name if this
 * variable is set, else ../name or ../share/nssim/name relative to the program's folder, else in
 * the folder given to configure. Returns 1 if there is one; buf is its path. */
int ns_paths_data(const char *name, char *buf, size_t n);

#endif
