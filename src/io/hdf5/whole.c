/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/hdf5/h5.h"

#include "base/claim.h"

#include <unistd.h>

/* The lock is ours: that of the library would come after the file is emptied. */
static hid_t create(const char *path)
{
  hid_t fapl = H5Pcreate(H5P_FILE_ACCESS), f = -1;
  if (fapl < 0) return -1;
  if (H5Pset_file_locking(fapl, 0, 1) >= 0) f = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, fapl);
  H5Pclose(fapl);
  return f;
}

int ns_h5_write_whole(ns_ctx *c, const char *path, int (*put)(hid_t file, const void *data),
                      const void *data)
{
  ns_h5_reason reason = {{0}, 0};
  int made, rc = ns_h5_start(c), lock = rc ? rc : ns_claim_open(c, path, &made);
  if (lock < 0) return lock;
  ns_h5_listen(&reason);
  hid_t f = create(path);
  if (f < 0) rc = ns_h5_fail(c, NS_NOCREATE, path, "cannot create", &reason);
  if (!rc && put(f, data) < 0) rc = ns_h5_fail(c, NS_OUTPUT, path, "cannot write", &reason);
  if (f >= 0 && H5Fclose(f) < 0 && !rc)
    rc = ns_h5_fail(c, NS_OUTPUT, path, "cannot close", &reason);
  ns_h5_listen(NULL);
  if (rc && made) unlink(path);
  close(lock);
  return rc;
}
