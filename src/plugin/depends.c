/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plugin/depends.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void ns_digest_hex(struct sha256_ctx *h, char hex[NS_DIGEST_HEX])
{
  static const char digit[] = "0123456789abcdef";
  uint8_t d[SHA256_DIGEST_SIZE];
  sha256_digest(h, sizeof d, d);
  for (size_t i = 0; i < sizeof d; i++) {
    hex[2 * i] = digit[d[i] >> 4];
    hex[2 * i + 1] = digit[d[i] & 15];
  }
  hex[2 * sizeof d] = '\0';
}

void ns_digest_text(struct sha256_ctx *h, const char *s)
{
  sha256_update(h, strlen(s) + 1, (const uint8_t *)s);
}

static int later(const struct timespec *a, const struct timespec *b)
{
  return a->tv_sec > b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec > b->tv_nsec);
}

/* Hash path and content of a file. Returns 0, or -1 if it cannot be read. *changed is set if the
 * file was written later than `since`; both may be NULL. */
static int digest_file(struct sha256_ctx *h, const char *path, const struct timespec *since,
                       int *changed)
{
  uint8_t buf[8192];
  struct stat s;
  ssize_t n = -1;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return -1;
  if (fstat(fd, &s) == 0 && S_ISREG(s.st_mode)) {
    char size[32];
    snprintf(size, sizeof size, "%lld", (long long)s.st_size);
    ns_digest_text(h, path);
    ns_digest_text(h, size);
    while ((n = read(fd, buf, sizeof buf)) > 0 || (n < 0 && errno == EINTR))
      if (n > 0) sha256_update(h, (size_t)n, buf);
    if (since && later(&s.st_mtim, since)) *changed = 1;
  }
  close(fd);
  return n == 0 ? 0 : -1;
}

/* Next name of a list in make's notation, or 0 at its end: names apart by white space, `\` before a
 * line's end is white space, before a blank or # it quotes, $$ is $. -1: too long. */
static int next_name(FILE *f, char *name, size_t n)
{
  size_t k = 0;
  for (int ch; (ch = getc(f)) != EOF;) {
    int plain = !isspace(ch);
    if (ch == '\\') {
      int after = getc(f);
      if (after == ' ' || after == '#') ch = after;
      else if (after == '\n') plain = 0;
      else ungetc(after, f);
    } else if (ch == '$') {
      int after = getc(f);
      if (after != '$') ungetc(after, f);
    }
    if (plain) {
      if (k + 1 >= n) return -1;
      name[k++] = (char)ch;
    } else if (k) {
      break;
    }
  }
  name[k] = '\0';
  return k > 0;
}

int ns_digest_depends(struct sha256_ctx *h, const char *file, const struct timespec *since,
                      int *changed)
{
  char name[PATH_MAX];
  int more, files = 0, rc = 0;
  FILE *f = fopen(file, "re");
  if (!f) return -1;
  more = next_name(f, name, sizeof name); /* the target, `d:` */
  while (more > 0 && rc == 0 && (more = next_name(f, name, sizeof name)) > 0) {
    rc = digest_file(h, name, since, changed);
    files++;
  }
  fclose(f);
  return rc == 0 && more == 0 && files > 0 ? 0 : -1;
}
