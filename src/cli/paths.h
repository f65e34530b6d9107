/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paths.h -- where the program's own files are: in the source tree beside a build, or installed. */
#ifndef NS_CLI_PATHS_H
#define NS_CLI_PATHS_H

#include <stddef.h>

/* Folder of the models that come with nssim: $NSSIM_DATA_DIR/models, else ../models or
 * ../share/nssim/models from the program's own folder, else the folder given to configure. 1 if
 * there is one; *buf is its path. */
int ns_paths_models(char *buf, size_t n);
/* Module that reads and writes HDF5, in the order in which io/hdf5_module.c looks: $NSSIM_MODULE_PATH, modules/
 * beside the program, ../lib/nssim, the folder given to configure. 1 if it is there. */
int ns_paths_hdf5_module(char *buf, size_t n);

#endif
