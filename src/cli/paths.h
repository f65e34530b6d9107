/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paths.h -- where the program's own files are: in the source tree beside a build, or installed. */
#ifndef NS_CLI_PATHS_H
#define NS_CLI_PATHS_H

#include <stddef.h>

/* A file or folder `name` ("models") that comes with nssim: $NSSIM_DATA_DIR/name, else ../name or
 * ../share/nssim/name from the program's own folder, else in the folder given to configure. 1 if
 * there is one; *buf is its path. */
int ns_paths_data(const char *name, char *buf, size_t n);

#endif
