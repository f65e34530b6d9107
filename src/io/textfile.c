/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/textfile.h"

#include "base/claim.h"
#include "io/number.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 1 << 16 };

static int cannot(ns_textfile *f, ns_ctx *c, int rc, const char *what)
{
  int e = errno;
  const char *name = f->ours ? f->path : "standard output";
  f->failed = rc;
  return ns_fail(c, rc, "%s: cannot %s: %s%s", name, what, strerror(e),
                 rc == NS_NOCREATE && e == ENOENT ? "; create its folder first" : "");
}

int ns_textfile_init(ns_ctx *c, const char *path, ns_textfile *f)
{
  *f = (ns_textfile){.fd = -1, .ours = strcmp(path, "-") != 0};
  f->path = strdup(path);
  f->buf = malloc(SIZE);
  sha256_init(&f->digest);
  return f->path && f->buf ? NS_OK : ns_nomem(c, "buffer of an output");
}

int ns_textfile_open(ns_ctx *c, const char *path, ns_textfile *f)
{
  int rc = ns_textfile_init(c, path, f);
  if (!f->ours) f->fd = STDOUT_FILENO;
  if (!rc && !f->ours) {
    /* our own: others may redirect theirs */
    int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (fd >= 0) f->fd = fd;
  }
  if (!rc && f->ours) {
    f->fd = ns_claim_open(c, path, &f->made);
    if (f->fd < 0) rc = f->fd;
  }
  if (rc) ns_textfile_abandon(f);
  return rc;
}

int ns_textfile_truncate(ns_textfile *f, ns_ctx *c)
{
  /* EINVAL: a pipe or a device, which has no old content. */
  if (f->ours && ftruncate(f->fd, 0) != 0 && errno != EINVAL)
    return cannot(f, c, NS_NOCREATE, "empty");
  return NS_OK;
}

int ns_textfile_flush(ns_textfile *f, ns_ctx *c)
{
  if (f->failed) return f->failed;
  for (size_t done = 0; done < f->n;) {
    ssize_t k = write(f->fd, f->buf + done, f->n - done);
    if (k > 0) done += (size_t)k;
    else if (k == 0 || errno != EINTR) return cannot(f, c, NS_OUTPUT, "write");
  }
  f->n = 0;
  return NS_OK;
}

int ns_textfile_put(ns_textfile *f, ns_ctx *c, const char *s, size_t n)
{
  while (n) {
    size_t k = n < SIZE - f->n ? n : SIZE - f->n;
    memcpy(f->buf + f->n, s, k);
    f->n += k;
    s += k;
    n -= k;
    if (f->n == SIZE) {
      int rc = ns_textfile_flush(f, c);
      if (rc) return rc;
    }
  }
  return f->failed;
}

int ns_textfile_puts(ns_textfile *f, ns_ctx *c, const char *s)
{
  return ns_textfile_put(f, c, s, strlen(s));
}

int ns_textfile_put_field(ns_textfile *f, ns_ctx *c, const char *s)
{
  if (!strpbrk(s, ",\"\r\n")) return ns_textfile_puts(f, c, s);
  int rc = ns_textfile_put(f, c, "\"", 1);
  for (; *s && !rc; s++) {
    if (*s == '"') rc = ns_textfile_put(f, c, "\"", 1);
    if (!rc) rc = ns_textfile_put(f, c, s, 1);
  }
  return rc ? rc : ns_textfile_put(f, c, "\"", 1);
}

int ns_textfile_put_number(ns_textfile *f, ns_ctx *c, double x)
{
  if (SIZE - f->n >= NS_NUMBER_SIZE) {
    f->n += ns_number_format(x, f->buf + f->n);
    return NS_OK;
  }
  char s[NS_NUMBER_SIZE];
  return ns_textfile_put(f, c, s, ns_number_format(x, s));
}

int ns_textfile_put_row(ns_textfile *f, ns_ctx *c, const double *x, size_t n)
{
  enum { WITH_SEPARATOR = NS_NUMBER_SIZE + 1 };
  for (size_t i = 0; i < n; i++) {
    if (SIZE - f->n < WITH_SEPARATOR) {
      int rc = ns_textfile_flush(f, c);
      if (rc) return rc;
    }
    char *to = f->buf + f->n;
    size_t length = ns_number_format(x[i], to);
    to[length] = i + 1 < n ? ',' : '\n';
    f->n += length + 1;
  }
  return f->failed;
}

int ns_textfile_close(ns_textfile *f, ns_ctx *c)
{
  int rc = f->fd >= 0 ? ns_textfile_flush(f, c) : NS_OK;
  /* Some file systems report a full disk or quota only here. */
  if (f->fd > STDERR_FILENO && close(f->fd) != 0 && !rc) rc = cannot(f, c, NS_OUTPUT, "close");
  f->fd = -1;
  ns_textfile_abandon(f);
  return rc;
}

void ns_textfile_abandon(ns_textfile *f)
{
  if (f->fd > STDERR_FILENO) close(f->fd);
  if (f->fd > STDERR_FILENO && f->made) unlink(f->path);
  free(f->path);
  free(f->buf);
  *f = (ns_textfile){.fd = -1};
}
