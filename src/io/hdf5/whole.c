/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/hdf5/h5.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The file can be written, said by the system, whose words are better than HDF5's. *made: it was not there before. */
static int probe(ns_ctx *c, const char *path, int *made)
{
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  *made = fd >= 0;
  if (fd < 0 && errno == EEXIST) fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    return ns_fail(c, NS_NOCREATE, "%s: cannot create: %s%s", path, strerror(errno),
                   errno == ENOENT ? "; make its folder first" : "");
  close(fd);
  return NS_OK;
}

int ns_h5_write_whole(ns_ctx *c, const char *path, int (*put)(hid_t file, const void *data), const void *data)
{
  ns_h5_reason reason = {{0}};
  int made, rc = ns_h5_start(c);
  if (!rc) rc = probe(c, path, &made);
  if (rc) return rc;
  ns_h5_listen(&reason);
  hid_t f = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  if (f < 0) rc = ns_h5_fail(c, NS_NOCREATE, path, "cannot create", &reason);
  if (!rc && put(f, data) < 0) rc = ns_h5_fail(c, NS_OUTPUT, path, "cannot write", &reason);
  if (f >= 0 && H5Fclose(f) < 0 && !rc) rc = ns_h5_fail(c, NS_OUTPUT, path, "cannot close", &reason);
  ns_h5_listen(NULL);
  if (rc && made) unlink(path);
  return rc;
}
