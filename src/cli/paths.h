/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paths.h -- paths of the program's own files, in the source tree of a build or installed, and what
 * the name of a file says of it. */
#ifndef NS_CLI_PATHS_H
#define NS_CLI_PATHS_H

#include <stddef.h>

/* Find a file or folder `name` ("models") that comes with nssim: only $NSSIM_DATA_DIR/name if this
 * variable is set, else ../name or ../share/nssim/name relative to the program's folder, else in
 * the folder given to configure. Returns 1 if there is one; buf is its path. */
int ns_paths_data(const char *name, char *buf, size_t n);
/* 1 if the name is that of a model, *.xml. */
int ns_paths_is_model(const char *path);

#endif
